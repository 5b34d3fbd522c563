//! Checks that a module is well formed, so that a fault of a front end or a pass is found where it was made.

use super::Module;

/// Says what is wrong with a module; nothing where all is well.
pub fn verify(module: &Module) -> Vec<String> {
    let mut faults = Vec::new();
    for function in &module.functions {
        if function.blocks.is_empty() {
            faults.push(format!("{}: no blocks", function.name));
        }
    }
    faults
}
