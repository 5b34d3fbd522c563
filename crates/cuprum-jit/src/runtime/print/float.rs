//! Floats as C prints them: `%e`, `%f`, `%g` and `%a`, each in lower and upper case.

/// A number's text without its sign: what stands before zeros that fill up, and what behind.
pub struct Text {
    /// `0x` of hexadecimal numbers.
    pub prefix: &'static str,
    /// The digits.
    pub body: String,
}

/// The text of a number that is not negative.
pub fn digits(conversion: u8, value: f64, precision: Option<usize>, alternate: bool) -> Text {
    let upper = conversion.is_ascii_uppercase();
    let mut text = if value.is_nan() {
        Text { prefix: "", body: "nan".into() }
    } else if value.is_infinite() {
        Text { prefix: "", body: "inf".into() }
    } else {
        match conversion.to_ascii_lowercase() {
            b'f' => Text { prefix: "", body: fixed(value, precision.unwrap_or(6), alternate) },
            b'e' => Text { prefix: "", body: scientific(value, precision.unwrap_or(6), alternate) },
            b'g' => Text { prefix: "", body: general(value, precision.unwrap_or(6).max(1), alternate) },
            _ => Text { prefix: "0x", body: hexadecimal(value, precision, alternate) },
        }
    };
    if upper {
        text.body.make_ascii_uppercase();
        text.prefix = if text.prefix.is_empty() { "" } else { "0X" };
    }
    text
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let dot = if precision == 0 && point { "." } else { "" };
    format!("{value:.precision$}{dot}")
}

/// The digits with one before the point, and the exponent of ten.
fn mantissa(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa.into(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

fn with_exponent(mantissa: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

fn scientific(value: f64, precision: usize, point: bool) -> String {
    let (mantissa, exponent) = mantissa(value, precision);
    let dot = if precision == 0 && point { "." } else { "" };
    with_exponent(&format!("{mantissa}{dot}"), exponent)
}

/// `precision` digits in all; zeros at the end are left out unless `keep`.
fn general(value: f64, precision: usize, keep: bool) -> String {
    let (digits, exponent) = mantissa(value, precision - 1);
    let strip = |text: String| {
        if keep || !text.contains('.') {
            return if keep && !text.contains('.') { text + "." } else { text };
        }
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    };
    if exponent < -4 || exponent >= precision as i32 {
        with_exponent(&strip(digits), exponent)
    } else {
        strip(format!("{value:.*}", (precision as i32 - 1 - exponent) as usize))
    }
}

/// `1.8p+1`: the digits behind `0x`.
fn hexadecimal(value: f64, precision: Option<usize>, point: bool) -> String {
    const FRACTION: u32 = 52;
    let bits = value.to_bits();
    let exponent = (bits >> FRACTION) as i32;
    let fraction = bits & ((1 << FRACTION) - 1);
    let (mut significand, exponent) = match exponent {
        0 if fraction == 0 => (0, 0),
        0 => (fraction, -1022),
        _ => (fraction | 1 << FRACTION, exponent - 1023),
    };
    let mut digits = FRACTION as usize / 4;
    if let Some(precision) = precision.filter(|precision| *precision < digits) {
        let dropped = 4 * (digits - precision) as u32;
        let (half, rest) = (1u64 << (dropped - 1), significand & ((1 << dropped) - 1));
        significand >>= dropped;
        if rest > half || rest == half && significand & 1 == 1 {
            significand += 1;
        }
        digits = precision;
    }
    let head = significand >> (4 * digits);
    let tail = significand & ((1u64 << (4 * digits)) - 1);
    let mut tail = if digits == 0 { String::new() } else { format!("{tail:0digits$x}") };
    match precision {
        Some(precision) => tail.extend(std::iter::repeat_n('0', precision.saturating_sub(tail.len()))),
        None => tail.truncate(tail.trim_end_matches('0').len()),
    }
    let dot = if point || !tail.is_empty() { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{head}{dot}{tail}p{sign}{}", exponent.unsigned_abs())
}
