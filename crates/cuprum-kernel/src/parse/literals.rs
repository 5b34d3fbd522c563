//! What numbers, characters and strings are worth.

use crate::ast::{CharPrefix, ExprKind};

/// An integer literal's value, whether it has `u`, how many `l`, and whether it is decimal.
pub fn integer(text: &str) -> Result<(u64, bool, u8, bool), String> {
    let lower = text.to_ascii_lowercase().replace('\'', "");
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', b'0'..=b'9', ..] => (8, &lower[1..]),
        _ => (10, lower.as_str()),
    };
    let end = digits.find(|c: char| !c.is_digit(radix.max(10))).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        "z" => (false, 1),
        "uz" | "zu" => (true, 1),
        _ => return Err(format!("`{suffix}` is no suffix of an integer; there are u, l, ul, ll and ull")),
    };
    if digits.is_empty() {
        return Err(format!("`{text}` has no digits"));
    }
    let mut value: u64 = 0;
    for c in digits.chars() {
        let Some(digit) = c.to_digit(radix) else {
            return Err(format!("`{c}` is no digit of the number `{text}`"));
        };
        value = value
            .checked_mul(u64::from(radix))
            .and_then(|value| value.checked_add(u64::from(digit)))
            .ok_or_else(|| format!("`{text}` is larger than 64 bits hold"))?;
    }
    Ok((value, unsigned, longs, radix == 10))
}

/// A number literal.
pub fn number(text: &str) -> Result<ExprKind, String> {
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let floating = match hexadecimal {
        true => text.contains(['.', 'p', 'P']),
        false => text.contains(['.', 'e', 'E']) && !text.starts_with("0b") && !text.starts_with("0B"),
    };
    if !floating {
        let only_f = !hexadecimal
            && text.ends_with(['f', 'F'])
            && text[..text.len() - 1].bytes().all(|b| b.is_ascii_digit());
        if only_f {
            return Err(format!("`{text}` is no number; write `{}.0f`", &text[..text.len() - 1]));
        }
        let (value, unsigned, longs, decimal) = integer(text)?;
        return Ok(ExprKind::Integer { value, unsigned, longs, decimal });
    }
    let plain = text.replace('\'', "");
    let suffixed = match plain.as_bytes().last() {
        Some(b'f' | b'F') if !hexadecimal || plain.contains(['p', 'P']) => (&plain[..plain.len() - 1], true),
        Some(b'l' | b'L') => (&plain[..plain.len() - 1], false),
        _ => (plain.as_str(), false),
    };
    let (digits, single) = suffixed;
    let value = if hexadecimal {
        hexadecimal_float(digits, single)
    } else if single {
        digits.parse::<f32>().ok().map(f64::from)
    } else {
        digits.parse::<f64>().ok()
    };
    match value {
        Some(value) => Ok(ExprKind::Float { value, single }),
        None => Err(format!("`{text}` is no number")),
    }
}

/// `0x1.8p-3`, rounded once to a `float` or a `double`, ties to even.
fn hexadecimal_float(text: &str, single: bool) -> Option<f64> {
    let (digits, exponent) = text.get(2..)?.split_once(['p', 'P'])?;
    let exponent: i64 = exponent.parse::<i64>().ok()?.clamp(-1_000_000, 1_000_000);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    // The leading 60 bits, the weight of the last of them, and whether anything not zero follows.
    let (mut mantissa, mut scale, mut sticky) = (0u64, exponent, false);
    for (index, c) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(c.to_digit(16)?);
        let in_fraction = index >= whole.len();
        if mantissa >> 56 == 0 {
            mantissa = mantissa * 16 + digit;
            scale -= if in_fraction { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            scale += if in_fraction { 0 } else { 4 };
        }
    }
    if mantissa == 0 {
        return Some(0.0);
    }
    let (precision, smallest, largest) = if single { (24, -149, 127) } else { (53, -1074, 1023) };
    let top = scale + 63 - i64::from(mantissa.leading_zeros());
    // The weight of the result's last bit.
    let last = (top - precision + 1).max(smallest);
    let drop = last - scale;
    let rounded = if drop <= 0 {
        mantissa
    } else if drop > 63 {
        0
    } else {
        let kept = mantissa >> drop;
        let half = 1u64 << (drop - 1);
        let rest = mantissa & ((1u64 << drop) - 1);
        let up = rest > half || (rest == half && (sticky || kept & 1 == 1));
        kept + u64::from(up)
    };
    let last = if drop <= 0 { scale } else { last };
    if top > largest {
        return Some(f64::INFINITY);
    }
    // Exact: the mantissa has at most 53 bits, and no result lies between two numbers of the type.
    let mut value = rounded as f64;
    let mut left = last;
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        value *= 2f64.powi(step as i32);
        left -= step;
    }
    Some(if single && value > f64::from(f32::MAX) { f64::INFINITY } else { value })
}

/// Splits a literal into its prefix, whether it is raw, and what is between the quotes.
fn unquote(text: &str) -> (CharPrefix, bool, &str) {
    let quote = text.find(['"', '\'']).unwrap_or(0);
    let (prefix, quoted) = text.split_at(quote);
    let raw = prefix.ends_with('R');
    let prefix = match prefix.trim_end_matches('R') {
        "L" => CharPrefix::Wide,
        "u" => CharPrefix::Sixteen,
        "U" => CharPrefix::ThirtyTwo,
        _ => CharPrefix::None,
    };
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or("");
    match raw {
        true => {
            let open = inner.find('(').map_or(0, |at| at + 1);
            let close = inner.len().saturating_sub(open).max(open);
            (prefix, true, inner.get(open..close).unwrap_or(""))
        }
        false => (prefix, false, inner),
    }
}

/// One unit of a literal: a character, or a byte that an escape gives.
enum Unit {
    Char(char),
    Byte(u32),
}

fn units(inner: &str) -> Result<Vec<Unit>, String> {
    let mut units = Vec::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            units.push(Unit::Char(c));
            continue;
        }
        let Some(escape) = chars.next() else { return Err("the literal ends with a backslash".to_string()) };
        let simple = match escape {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            'a' => Some('\u{7}'),
            'b' => Some('\u{8}'),
            'f' => Some('\u{c}'),
            'v' => Some('\u{b}'),
            'e' => Some('\u{1b}'),
            '\\' | '\'' | '"' | '?' => Some(escape),
            _ => None,
        };
        if let Some(c) = simple {
            units.push(Unit::Char(c));
            continue;
        }
        match escape {
            'x' => {
                let mut value: u32 = 0;
                let mut digits = 0;
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = value.saturating_mul(16).saturating_add(digit);
                    digits += 1;
                    chars.next();
                }
                if digits == 0 {
                    return Err("`\\x` needs hexadecimal digits".to_string());
                }
                units.push(Unit::Byte(value));
            }
            '0'..='7' => {
                let mut value = escape.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    if let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) {
                        value = value * 8 + digit;
                        chars.next();
                    }
                }
                units.push(Unit::Byte(value));
            }
            'u' | 'U' => {
                let count = if escape == 'u' { 4 } else { 8 };
                let mut value: u32 = 0;
                for _ in 0..count {
                    let Some(digit) = chars.next().and_then(|c| c.to_digit(16)) else {
                        return Err(format!("`\\{escape}` needs {count} hexadecimal digits"));
                    };
                    value = value.wrapping_mul(16).wrapping_add(digit);
                }
                match char::from_u32(value) {
                    Some(c) => units.push(Unit::Char(c)),
                    None => return Err(format!("`\\{escape}` names no character")),
                }
            }
            _ => return Err(format!("`\\{escape}` is no escape")),
        }
    }
    Ok(units)
}

/// A character literal's value.
pub fn character(text: &str) -> Result<(i64, CharPrefix), String> {
    let (prefix, _, inner) = unquote(text);
    let units = units(inner)?;
    let [unit] = units.as_slice() else {
        return Err(match units.len() {
            0 => "a character is missing between the quotes".to_string(),
            _ => "several characters stand between single quotes; a string has double ones".to_string(),
        });
    };
    let value = match unit {
        Unit::Char(c) => *c as u32,
        Unit::Byte(byte) => *byte,
    };
    let largest = match prefix {
        CharPrefix::None if matches!(unit, Unit::Char(_)) => 0x7f,
        CharPrefix::None => 0xff,
        CharPrefix::Sixteen => 0xffff,
        CharPrefix::Wide | CharPrefix::ThirtyTwo => u32::MAX,
    };
    if value > largest {
        return Err("the character does not fit the literal's type".to_string());
    }
    let value = match prefix {
        CharPrefix::None => i64::from(value as u8 as i8),
        CharPrefix::Wide => i64::from(value as i32),
        _ => i64::from(value),
    };
    Ok((value, prefix))
}

/// `'ab'`: up to four characters are an `int`, the first in the highest byte.
pub fn characters(text: &str) -> Option<u64> {
    let (prefix, _, inner) = unquote(text);
    let units =
        units(inner).ok().filter(|units| prefix == CharPrefix::None && (2..=4).contains(&units.len()))?;
    units.iter().try_fold(0, |value: u64, unit| {
        let code = match unit {
            Unit::Char(c) => *c as u32,
            Unit::Byte(byte) => *byte,
        };
        (code < 0x80).then_some(value << 8 | u64::from(code))
    })
}

/// Adds a string literal's bytes.
pub fn string(text: &str, bytes: &mut Vec<u8>) -> Result<CharPrefix, String> {
    let (prefix, raw, inner) = unquote(text);
    if raw {
        bytes.extend_from_slice(inner.as_bytes());
        return Ok(prefix);
    }
    for unit in units(inner)? {
        match unit {
            Unit::Char(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Unit::Byte(byte) if byte > 0xff => {
                return Err("an escape in the string is larger than a byte".to_string());
            }
            Unit::Byte(byte) => bytes.push(byte as u8),
        }
    }
    Ok(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(text: &str) -> f64 {
        match number(text) {
            Ok(ExprKind::Float { value, .. }) => value,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn integers_of_every_base_and_suffix() {
        assert_eq!(integer("1'000'000"), Ok((1_000_000, false, 0, true)));
        assert_eq!(integer("0xFFull"), Ok((255, true, 2, false)));
        assert_eq!(integer("0b101u"), Ok((5, true, 0, false)));
        assert_eq!(integer("0755L"), Ok((0o755, false, 1, false)));
        assert_eq!(integer("0"), Ok((0, false, 0, true)));
        assert_eq!(integer("18446744073709551615"), Ok((u64::MAX, false, 0, true)));
        assert!(integer("18446744073709551616").is_err());
        assert!(integer("08").is_err());
        assert!(integer("1x").is_err());
        assert!(integer("0x").is_err());
    }

    #[test]
    fn floats_are_rounded_once() {
        assert_eq!(float("0.1f"), f64::from(0.1f32));
        assert_eq!(float("1.e3"), 1000.0);
        assert_eq!(float(".5L"), 0.5);
        assert_eq!(float("1e400"), f64::INFINITY);
        // Just above the middle of two floats, where a double in between would round to the middle and then to even.
        assert_eq!(float("1.00000005960464477540f") as f32, 1.0000001f32);
        assert!(number("1f").is_err());
        assert!(number("1.0q").is_err());
    }

    #[test]
    fn hexadecimal_floats_are_exact() {
        assert_eq!(float("0x1.8p1"), 3.0);
        assert_eq!(float("0x1p-1074"), 5e-324);
        assert_eq!(float("0x1p-1075"), 0.0);
        assert_eq!(float("0x1.8p-1075"), 5e-324);
        assert_eq!(float("0x1.fffffffffffff8p0"), 2.0);
        assert_eq!(float("0x1.fffffffffffff7p0"), f64::from_bits(0x3fff_ffff_ffff_ffff));
        assert_eq!(float("0x1.921fb6p+1f"), f64::from(std::f32::consts::PI));
        assert_eq!(float("0x1p128f"), f64::INFINITY);
        assert_eq!(float("0x1.000001000000001p0f") as f32, 1.0 + f32::EPSILON);
        assert_eq!(float("0x.8p0"), 0.5);
        assert_eq!(float("0x123456789abcdef01p0"), 0x1234_5678_9abc_def0u64 as f64 * 16.0);
    }

    #[test]
    fn characters_and_strings() {
        assert_eq!(character("'a'"), Ok((97, CharPrefix::None)));
        assert_eq!(character(r"'\xff'"), Ok((-1, CharPrefix::None)));
        assert_eq!(character(r"'\0'"), Ok((0, CharPrefix::None)));
        assert_eq!(character("L'é'"), Ok((233, CharPrefix::Wide)));
        assert!(character("'ab'").is_err());
        assert_eq!(characters("'ab'"), Some(24930));
        assert_eq!(characters("'abcde'"), None);
        assert!(character("''").is_err());
        let mut bytes = Vec::new();
        assert_eq!(string(r#""a\n\x41\101é""#, &mut bytes), Ok(CharPrefix::None));
        assert_eq!(bytes, b"a\nAA\xc3\xa9");
        bytes.clear();
        assert_eq!(string(r#"R"x(a\n)")x""#, &mut bytes), Ok(CharPrefix::None));
        assert_eq!(bytes, br#"a\n)""#);
    }
}
