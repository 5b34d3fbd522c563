//! Tensor cores, the copies that feed them, and 16-bit floats: calls of what `headers/tensor_ptx.h` has.

use std::fmt::Write as _;

use super::{Block, Translated, Unknown, arguments};

/// What stands between braces; one operand may stand without.
fn listed(operand: &str) -> Translated<Vec<&str>> {
    match operand.strip_prefix('{') {
        Some(rest) => Ok(arguments(rest.strip_suffix('}').ok_or(Unknown)?)),
        None => Ok(vec![operand]),
    }
}

/// The function of a product of 16 rows and 8 columns, the type of its sums, and how many registers of b it reads.
fn multiplication(shape: &str, types: &[&str]) -> Option<(String, &'static str, usize)> {
    let [sum, a, b, last] = *types else { return None };
    // How many elements a register has, and the number by which the header knows what they are.
    let kind = |name| match name {
        "f16" => Some((2, 0)),
        "bf16" => Some((2, 1)),
        "tf32" => Some((1, 2)),
        "s8" => Some((4, 3)),
        "u8" => Some((4, 4)),
        _ => None,
    };
    let ((count, left), (_, right)) = (kind(a)?, kind(b)?);
    let depth: usize = shape.strip_prefix("m16n8k")?.parse().ok()?;
    let halves = depth / (4 * count);
    if !(1..=2).contains(&halves) || depth != 4 * count * halves || sum != last {
        return None;
    }
    let sum = match (sum, count) {
        ("f16", 2) if a == "f16" && b == "f16" => {
            return Some(("__cuprum_mma_half".to_owned(), "unsigned int", halves));
        }
        ("f32", 1 | 2) if a == b => "float",
        ("s32", 4) if matches!(b, "s8" | "u8") => "int",
        _ => return None,
    };
    Some((format!("__cuprum_mma<{left}, {right}>"), sum, halves))
}

impl Block<'_> {
    /// `cp.async`: the copy is done at once, so that groups of them need not be waited for.
    pub(super) fn async_copy(&mut self, parts: &[&str], args: &[&str]) -> Translated<()> {
        if matches!(parts.get(2), Some(&("commit_group" | "wait_group" | "wait_all"))) {
            return Ok(());
        }
        // The last operand of such a copy is a hint.
        let args = match args {
            [args @ .., _] if parts.contains(&"L2::cache_hint") => args,
            args => args,
        };
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
        let ignored = self.variable(used).is_some_and(|(_, ty)| ty == "bool");
        let bytes = self.read(bytes, "unsigned int")?;
        // A predicate there says whether the source is ignored.
        let used = if ignored {
            format!("({} ? 0u : {bytes})", self.read(used, "bool")?)
        } else {
            self.read(used, "unsigned int")?
        };
        let _ = write!(self.out, "__cuprum_cp_async({to}, {from}, {bytes}, {used}); ");
        Ok(())
    }

    /// `ldmatrix`: one, two or four matrices of eight rows.
    pub(super) fn matrices(&mut self, parts: &[&str], to: &str, from: &str) -> Translated<()> {
        let targets = listed(to)?;
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

    /// `mma.sync`: 16 rows and 8 columns, or 8 of each for doubles.
    pub(super) fn product(&mut self, parts: &[&str], to: &str, a: &str, b: &str, c: &str) -> Translated<()> {
        let [_, _, "aligned", shape, "row", "col", types @ ..] = parts else { return Err(Unknown) };
        let (to, a, b, c) = (listed(to)?, listed(a)?, listed(b)?, listed(c)?);
        let counts = (to.len(), a.len(), b.len(), c.len());
        if (*shape, types) == ("m8n8k4", &["f64", "f64", "f64", "f64"][..]) && counts == (2, 1, 1, 2) {
            let (a, b) = (self.read(a[0], "double")?, self.read(b[0], "double")?);
            self.out.push_str("{ double __ptx_d[2]; ");
            self.array("double", "__ptx_c", 2, &c)?;
            let _ = write!(self.out, "__cuprum_mma_double(__ptx_d, {a}, {b}, __ptx_c); ");
            return self.sums("double", &to);
        }
        let Some((call, sum, halves)) = multiplication(shape, types) else { return Err(Unknown) };
        let sums = if sum == "unsigned int" { 2 } else { 4 };
        if counts != (sums, 2 * halves, halves, sums) {
            return Err(Unknown);
        }
        let _ = write!(self.out, "{{ {sum} __ptx_d[{sums}]; ");
        self.array("unsigned int", "__ptx_a", 4, &a)?;
        self.array("unsigned int", "__ptx_b", 2, &b)?;
        self.array(sum, "__ptx_c", sums, &c)?;
        let _ = write!(self.out, "{call}(__ptx_d, __ptx_a, __ptx_b, __ptx_c, {halves}); ");
        self.sums(sum, &to)
    }

    /// Gives the registers of a product their sums, and closes its block.
    fn sums(&mut self, ty: &'static str, to: &[&str]) -> Translated<()> {
        for (at, target) in to.iter().enumerate() {
            self.write(target, ty, &format!("__ptx_d[{at}]"))?;
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
