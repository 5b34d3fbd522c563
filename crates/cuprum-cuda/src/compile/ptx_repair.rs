//! PTX that NVIDIA's assembler compiles wrongly before CUDA 13.4, in a form that it compiles right (ADR 38).
//!
//! Two defects are known, both of negated integers: `neg.s16` of -32768 gives 32768 to whatever reads it as a wider or a
//! compared number; and where two maxima or minima become one instruction of three operands, a negated one among them
//! loses its sign. `-x` as `~x + 1` has neither.

use std::collections::HashSet;
use std::fmt::Write;

/// The first version of the compiler whose assembler has neither defect.
pub(super) const FIXED_IN: (i32, i32) = (13, 4);

/// The text without the negations that are compiled wrongly; none where it holds no such negation.
pub(super) fn repaired(ptx: &str) -> Option<String> {
    if !ptx.contains("neg.s16") && !ptx.contains("neg.s32") {
        return None;
    }
    let compared = extremum_operands(ptx);
    let mut repaired = None;
    let mut copied = 0;
    for line in ptx.split_inclusive('\n') {
        let at = line.as_ptr() as usize - ptx.as_ptr() as usize;
        let Some(negation) = Negation::of(line) else { continue };
        if negation.bits == "32" && !compared.contains(negation.result) {
            continue;
        }
        let text: &mut String = repaired.get_or_insert_with(|| String::with_capacity(ptx.len() + 4096));
        text.push_str(&ptx[copied..at]);
        let Negation { guard, bits, result, operand } = negation;
        let _ = writeln!(text, "{guard}not.b{bits} {result}, {operand};");
        let _ = writeln!(text, "{guard}add.s{bits} {result}, {result}, 1;");
        copied = at + line.len();
    }
    repaired.map(|text| text + &ptx[copied..])
}

/// `guard neg.sN result, operand;`
struct Negation<'a> {
    guard: &'a str,
    bits: &'a str,
    result: &'a str,
    operand: &'a str,
}

impl Negation<'_> {
    fn of(line: &str) -> Option<Negation<'_>> {
        let (guard, rest) = line.split_once("neg.s")?;
        let guarded = guard.trim();
        let (bits, operands) = rest.split_at_checked(2)?;
        let (operands, behind) = operands.split_once(';')?;
        let (result, operand) = operands.split_once(',')?;
        let known = matches!(bits, "16" | "32")
            && (guarded.is_empty() || guarded.starts_with('@'))
            && behind.trim().is_empty();
        known.then_some(Negation { guard, bits, result: result.trim(), operand: operand.trim() })
    }
}

/// The registers that reach a signed maximum or minimum as they are or through moves and selections.
fn extremum_operands(ptx: &str) -> HashSet<&str> {
    let mut found = HashSet::new();
    let mut copies = Vec::new();
    for line in ptx.lines() {
        let Some((operation, operands)) = split_instruction(line) else { continue };
        let mut operands = operands.split(',').map(str::trim);
        let Some(result) = operands.next() else { continue };
        let sources = operands.filter(|operand| operand.starts_with('%'));
        if (operation.starts_with("max.") || operation.starts_with("min.")) && operation.contains(".s") {
            found.extend(sources);
        } else if ["mov.", "selp.", "cvt."].iter().any(|copy| operation.starts_with(copy)) {
            copies.extend(sources.map(|source| (result, source)));
        }
    }
    loop {
        let known = found.len();
        for (result, source) in &copies {
            if found.contains(result) {
                found.insert(source);
            }
        }
        if found.len() == known {
            return found;
        }
    }
}

/// The operation and the operands of a line such as `@%p1 max.s32 %r1, %r2, %r3;`.
fn split_instruction(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let line = if line.starts_with('@') { line.split_once(' ')?.1.trim_start() } else { line };
    let (operation, operands) = line.split_once(char::is_whitespace)?;
    Some((operation, operands.trim_end().trim_end_matches(';')))
}

#[cfg(test)]
mod tests {
    use super::repaired;

    #[test]
    fn negations_that_are_compared_are_complements_plus_one() {
        let ptx = "\tneg.s32 \t%r9, %r8;\n\tneg.s32 %r7, %r1;\n\tmax.s32 \t%r10, %r7, %r2;\n\tadd.s32 %r3, %r9, 1;\n";
        let want = "\tneg.s32 \t%r9, %r8;\n\tnot.b32 %r7, %r1;\n\tadd.s32 %r7, %r7, 1;\n\tmax.s32 \t%r10, %r7, %r2;\n\
                    \tadd.s32 %r3, %r9, 1;\n";
        assert_eq!(repaired(ptx).unwrap(), want);
    }

    #[test]
    fn moves_and_selections_lead_to_a_minimum_too() {
        let ptx = "@%p2 neg.s32 %r4, %r3;\nmov.b32 %r5, %r4;\nselp.b32 %r6, %r5, %r1, %p1;\n@!%p3 min.s32 %r8, %r1, %r6;\n";
        let text = repaired(ptx).unwrap();
        assert!(text.starts_with("@%p2 not.b32 %r4, %r3;\n@%p2 add.s32 %r4, %r4, 1;\nmov"), "{text}");
    }

    #[test]
    fn short_negations_are_rewritten_wherever_they_go() {
        assert_eq!(
            repaired("\tneg.s16 \t%rs2, %rs1;\n").unwrap(),
            "\tnot.b16 %rs2, %rs1;\n\tadd.s16 %rs2, %rs2, 1;\n"
        );
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        assert_eq!(repaired("\tneg.f32 %f1, %f2;\n\tmax.s32 %r1, %r2, %r3;\n"), None);
        assert_eq!(repaired("\tneg.s32 %r1, %r2;\n\tmax.f32 %f1, %f2, %f3;\n"), None);
        assert_eq!(repaired("\tneg.s64 %rd1, %rd2;\n\tmax.s64 %rd3, %rd1, %rd2;\n"), None);
    }
}
