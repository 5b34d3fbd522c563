//! The instructions whose result is one expression of their operands.

use super::{is_float, is_wide, number};

/// The value of an instruction and its type.
pub(super) fn expression(
    base: &str,
    parts: &[&str],
    ty: &'static str,
    values: &[&str],
    args: &[&str],
) -> Option<(&'static str, String)> {
    let has = |name: &str| parts[1..].contains(&name);
    let (float, wide) = (is_float(ty), is_wide(ty));
    let signed = matches!(ty, "int" | "long long");
    let f = if ty == "float" { "f" } else { "" };
    let ll = if wide { "ll" } else { "" };
    let binary = |sign: &str| match values {
        [a, b] => Some((ty, format!("{a} {sign} {b}"))),
        _ => None,
    };
    let call = |name: String| Some((ty, format!("{name}({})", values.join(", "))));
    match (base, values) {
        ("mov" | "cvta", [a]) => Some((ty, (*a).to_owned())),
        ("add", _) => binary("+"),
        ("sub", _) => binary("-"),
        ("mul", [a, b]) if has("wide") && !wide => {
            let result = if signed { "long long" } else { "unsigned long long" };
            Some((result, format!("({result}){a} * {b}")))
        }
        ("mul", [a, b]) if has("hi") => Some((ty, high(ty, a, b)?)),
        ("mul", _) if float || has("lo") => binary("*"),
        ("mad", [a, b, c]) if has("wide") && !wide => {
            let result = if signed { "long long" } else { "unsigned long long" };
            Some((result, format!("({result}){a} * {b} + {c}")))
        }
        ("mad", [a, b, c]) if has("hi") => Some((ty, format!("{} + {c}", high(ty, a, b)?))),
        ("mad", [a, b, c]) if has("lo") => Some((ty, format!("{a} * {b} + {c}"))),
        ("mad" | "fma", [_, _, _]) if float => call(format!("__fma{f}_rn")),
        ("div", _) => binary("/"),
        ("rem", _) => binary("%"),
        ("and", _) => binary("&"),
        ("or", _) => binary("|"),
        ("xor", _) => binary("^"),
        ("shl", _) => binary("<<"),
        ("shr", _) => binary(">>"),
        ("not", [a]) if ty == "bool" => Some((ty, format!("!{a}"))),
        ("not", [a]) => Some((ty, format!("~{a}"))),
        ("neg", [a]) => Some((ty, format!("-{a}"))),
        ("abs", [_]) if float => call(format!("fabs{f}")),
        ("abs", [a]) => Some((ty, format!("{a} < 0 ? -{a} : {a}"))),
        ("min" | "max", [_, _]) if float => call(format!("f{base}{f}")),
        ("min", [a, b]) => Some((ty, format!("{a} < {b} ? {a} : {b}"))),
        ("max", [a, b]) => Some((ty, format!("{a} > {b} ? {a} : {b}"))),
        ("sad", [a, b, c]) => Some((ty, format!("({a} < {b} ? {b} - {a} : {a} - {b}) + {c}"))),
        ("popc" | "clz", [a]) => Some(("unsigned int", format!("__{base}{ll}({a})"))),
        ("brev", [_]) => call(format!("__brev{ll}")),
        ("prmt", [_, _, _]) if parts.len() == 2 => call("__byte_perm".to_owned()),
        ("shf", [_, _, _]) => {
            let way = if has("l") { "l" } else { "r" };
            call(format!("__funnelshift_{way}{}", if has("clamp") { "c" } else { "" }))
        }
        ("bfe", [a, at, count]) if !wide => Some((ty, bits(a, at, count, signed))),
        ("bfi", [a, b, at, count]) if !wide => {
            let mask = format!("(({}) << ({at} & 255u))", ones(count));
            Some((ty, format!("({b} & ~{mask}) | (({a} << ({at} & 255u)) & {mask})")))
        }
        ("lop3", [a, b, c, _]) => Some((ty, table(a, b, c, args.get(3)?)?)),
        ("sqrt", [_]) if float => call(format!("sqrt{f}")),
        ("rsqrt", [_]) if float => call(format!("rsqrt{f}")),
        ("rcp", [a]) if float => Some((ty, format!("1 / {a}"))),
        ("ex2", [_]) => call("exp2f".to_owned()),
        ("lg2", [_]) => call("log2f".to_owned()),
        ("sin" | "cos" | "tanh", [_]) => call(format!("{base}f")),
        _ => None,
    }
}

/// The upper half of a product.
fn high(ty: &str, a: &str, b: &str) -> Option<String> {
    let name = match ty {
        "int" => "__mulhi",
        "unsigned int" => "__umulhi",
        "long long" => "__mul64hi",
        "unsigned long long" => "__umul64hi",
        _ => return None,
    };
    Some(format!("{name}({a}, {b})"))
}

/// As many ones as a count says.
fn ones(count: &str) -> String {
    format!("(({count} & 255u) > 31u ? 0xffffffffu : (1u << ({count} & 255u)) - 1u)")
}

/// A field of bits from a place on, with its sign where it has one.
fn bits(a: &str, at: &str, count: &str, signed: bool) -> String {
    let (place, length) = (format!("({at} & 255u)"), format!("({count} & 255u)"));
    if !signed {
        return format!("({a} >> {place}) & {}", ones(count));
    }
    let (moved, rest) = (format!("({a} >> {place})"), format!("(32u - {length})"));
    format!("{length} == 0u ? 0 : {place} + {length} >= 32u ? {moved} : ({moved} << {rest}) >> {rest}")
}

/// A function of three bits, by its table.
fn table(a: &str, b: &str, c: &str, table: &str) -> Option<String> {
    let table = number(table)?;
    let mut terms: Vec<String> = Vec::new();
    for row in (0..8).filter(|row| table >> row & 1 == 1) {
        let of = |name: &str, bit: u64| format!("{}{name}", if row >> bit & 1 == 1 { "" } else { "~" });
        terms.push(format!("({} & {} & {})", of(a, 2), of(b, 1), of(c, 0)));
    }
    Some(if terms.is_empty() { "0u".to_owned() } else { terms.join(" | ") })
}
