//! C++ that NVRTC accepts, feature by feature (`accepted/*.cu`): the front end compiles it to a module that is well formed,
//! before and after the passes.

use std::path::Path;

use cuprum_kernel::cuda::{Options, compile};
use cuprum_kernel::ir::{FunctionId, verify, verify_function};
use cuprum_kernel::passes;

#[test]
fn what_nvrtc_accepts_is_accepted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accepted");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("texts").filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    assert!(paths.len() > 30);
    let mut failures = String::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a text");
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let compiled = match compile(&text, &Options { name: name.clone(), ..Options::default() }) {
            Ok(compiled) => compiled,
            Err(errors) => {
                failures += &format!("{errors}\n");
                continue;
            }
        };
        let module = &compiled.module;
        let mut faults = verify(module);
        let mut kernels = 0;
        for (index, function) in module.functions.iter().enumerate().filter(|(_, f)| f.kernel.is_some()) {
            kernels += 1;
            match passes::prepare(module, FunctionId(index as u32)) {
                Ok(prepared) => faults.extend(verify_function(module, &prepared.kernel)),
                Err(diagnostic) => {
                    failures += &format!("{name}: {}: {}\n", function.name, diagnostic.message)
                }
            }
        }
        assert!(kernels > 0, "{name} has no kernel");
        failures += &faults.iter().map(|fault| format!("{name}: {fault}\n")).collect::<String>();
    }
    assert!(failures.is_empty(), "{failures}");
}
