//! The text of a module, for golden tests and for reading.

use std::fmt;

use super::{Block, End, Function, Module};

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for global in &self.globals {
            let kind = if global.constant { "constant" } else { "device" };
            writeln!(f, "{kind} {}: {} bytes", global.name, global.bytes.len())?;
        }
        for shared in &self.shared {
            writeln!(f, "shared {}: {} bytes", shared.name, shared.bytes)?;
        }
        for function in &self.functions {
            write!(f, "{function}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.kernel.is_some() { "kernel" } else { "function" };
        write!(f, "{kind} {}(", self.name)?;
        for (i, param) in self.params.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}%{}: {}", param.0, self.locals[param.index()].ty)?;
        }
        write!(f, ")")?;
        if let Some(ty) = self.result {
            write!(f, " -> {ty}")?;
        }
        writeln!(f, " {{")?;
        for (i, slot) in self.slots.iter().enumerate() {
            writeln!(f, "  slot {i} {}: {} bytes", slot.name, slot.bytes)?;
        }
        for (i, block) in self.blocks.iter().enumerate() {
            write_block(f, i, block)?;
        }
        writeln!(f, "}}")
    }
}

fn write_block(f: &mut fmt::Formatter<'_>, index: usize, block: &Block) -> fmt::Result {
    writeln!(f, "  b{index}:")?;
    for inst in &block.insts {
        writeln!(f, "    {:?}", inst.op)?;
    }
    match &block.end {
        End::Jump(to) => writeln!(f, "    jump b{}", to.0),
        End::Branch { cond, then, otherwise } => {
            writeln!(f, "    if %{} then b{} else b{}", cond.0, then.0, otherwise.0)
        }
        End::Switch { value, cases, default } => {
            write!(f, "    switch %{}", value.0)?;
            for (case, to) in cases {
                write!(f, " {case}: b{}", to.0)?;
            }
            writeln!(f, " else b{}", default.0)
        }
        End::Return(None) => writeln!(f, "    return"),
        End::Return(Some(value)) => writeln!(f, "    return %{}", value.0),
        End::Unreachable => writeln!(f, "    unreachable"),
    }
}
