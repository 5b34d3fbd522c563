//! Tensor cores, the copies that feed them, and 16-bit floats: calls of what `headers/tensor_ptx.h` has.

use std::fmt::Write as _;

use super::{Block, Translated, Unknown, arguments};

/// What stands between braces.
fn registers(operand: &str) -> Translated<Vec<&str>> {
    let inside = operand.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).ok_or(Unknown)?;
    Ok(arguments(inside))
}

impl Block<'_> {
    /// `cp.async`: the copy is done at once, so that groups of them need not be waited for.
    pub(super) fn async_copy(&mut self, parts: &[&str], args: &[&str]) -> Translated<()> {
        if parts.iter().any(|part| matches!(*part, "commit_group" | "wait_group" | "wait_all")) {
            return Ok(());
        }
        let (to, from, bytes, used) = match args {
            [to, from, bytes] => (to, from, bytes, bytes),
            [to, from, bytes, used] => (to, from, bytes, used),
            _ => return Err(Unknown),
        };
        let is_plain = parts.get(2).is_some_and(|part| matches!(*part, "ca" | "cg"));
        if !is_plain || !parts.contains(&"global") {
            return Err(Unknown);
        }
        let (to, from) = (self.address(to, true)?, self.address(from, false)?);
        let (bytes, used) = (self.read(bytes, "unsigned int")?, self.read(used, "unsigned int")?);
        let _ = write!(self.out, "__cuprum_cp_async({to}, {from}, {bytes}, {used}); ");
        Ok(())
    }

    /// `ldmatrix`: one, two or four matrices of eight rows.
    pub(super) fn matrices(&mut self, parts: &[&str], to: &str, from: &str) -> Translated<()> {
        let targets = if to.starts_with('{') { registers(to)? } else { vec![to] };
        let count = ["x1", "x2", "x4"].iter().position(|name| parts.contains(name)).ok_or(Unknown)?;
        if targets.len() != 1 << count || !parts.contains(&"m8n8") {
            return Err(Unknown);
        }
        let address = self.address(from, true)?;
        let transposed = parts.contains(&"trans");
        self.out.push_str("{ ");
        for at in 0..targets.len() {
            let _ = write!(
                self.out,
                "unsigned int __ptx_e{at} = __cuprum_ldmatrix({address}, {at}, {transposed}); "
            );
        }
        for (at, target) in targets.iter().enumerate() {
            self.write(target, "unsigned int", &format!("__ptx_e{at}"))?;
        }
        self.plain("} ")
    }

    /// `mma.sync` of 16 rows and 8 columns with sums of 32 bits.
    pub(super) fn product(&mut self, parts: &[&str], to: &str, a: &str, b: &str, c: &str) -> Translated<()> {
        let [_, _, "aligned", shape, "row", "col", types @ ..] = parts else { return Err(Unknown) };
        let (kind, sum, halves) = match (*shape, types) {
            ("m16n8k16", ["f32", "f16", "f16", "f32"]) => (0, "float", 2),
            ("m16n8k8", ["f32", "f16", "f16", "f32"]) => (0, "float", 1),
            ("m16n8k16", ["f32", "bf16", "bf16", "f32"]) => (1, "float", 2),
            ("m16n8k8", ["f32", "bf16", "bf16", "f32"]) => (1, "float", 1),
            ("m16n8k8", ["f32", "tf32", "tf32", "f32"]) => (2, "float", 2),
            ("m16n8k4", ["f32", "tf32", "tf32", "f32"]) => (2, "float", 1),
            ("m16n8k32", ["s32", "s8", "s8", "s32"]) => (3, "int", 2),
            ("m16n8k16", ["s32", "s8", "s8", "s32"]) => (3, "int", 1),
            ("m16n8k32", ["s32", "u8", "u8", "s32"]) => (4, "int", 2),
            ("m16n8k16", ["s32", "u8", "u8", "s32"]) => (4, "int", 1),
            _ => return Err(Unknown),
        };
        let (to, a, c) = (registers(to)?, registers(a)?, registers(c)?);
        let b = if b.starts_with('{') { registers(b)? } else { vec![b] };
        if to.len() != 4 || c.len() != 4 || a.len() != 2 * halves || b.len() != halves {
            return Err(Unknown);
        }
        let _ = write!(self.out, "{{ {sum} __ptx_d[4]; ");
        self.array("unsigned int", "__ptx_a", 4, &a)?;
        self.array("unsigned int", "__ptx_b", 2, &b)?;
        self.array(sum, "__ptx_c", 4, &c)?;
        let _ = write!(self.out, "__cuprum_mma<{kind}>(__ptx_d, __ptx_a, __ptx_b, __ptx_c, {halves}); ");
        for (at, target) in to.iter().enumerate() {
            self.write(target, sum, &format!("__ptx_d[{at}]"))?;
        }
        self.plain("} ")
    }

    /// An array of so many elements that begins with these operands.
    fn array(&mut self, ty: &'static str, name: &str, length: usize, operands: &[&str]) -> Translated<()> {
        let mut values = Vec::new();
        for operand in operands {
            values.push(self.read(operand, ty)?);
        }
        let _ = write!(self.out, "{ty} {name}[{length}] = {{ {} }}; ", values.join(", "));
        Ok(())
    }

    /// `cvt.rn.f16x2.f32`: two floats as one register, the first in its upper half.
    pub(super) fn pair(&mut self, parts: &[&str], to: &str, high: &str, low: &str) -> Translated<()> {
        let function = match parts {
            [_, "rn", "f16x2", "f32"] => "__cuprum_float_to_half",
            [_, "rn", "bf16x2", "f32"] => "__cuprum_float_to_bfloat",
            _ => return Err(Unknown),
        };
        let (high, low) = (self.read(high, "float")?, self.read(low, "float")?);
        let value = format!("(unsigned int){function}({high}) << 16 | (unsigned int){function}({low})");
        self.write(to, "unsigned int", &value)
    }

    /// `cvt` from and to half numbers.
    pub(super) fn half(&mut self, parts: &[&str], to: &str, from: &str) -> Translated<()> {
        match parts {
            [_, "rn", "f16", "f32"] => {
                let value = self.read(from, "float")?;
                self.write(to, "unsigned short", &format!("__cuprum_float_to_half({value})"))
            }
            [_, "f32", "f16"] => {
                let value = self.read(from, "unsigned short")?;
                self.write(to, "float", &format!("__cuprum_half_to_float({value})"))
            }
            _ => Err(Unknown),
        }
    }
}
