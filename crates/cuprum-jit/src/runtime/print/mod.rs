//! The kernels' `printf`: C's conversions on arguments of 64 bits, delivered whole, up to a limit for each launch.

mod float;

use std::sync::Mutex;

/// Bytes that one launch may print; CUDA's buffer has as many.
pub const MAX_PRINT_BYTES: usize = 1 << 20;

/// What stands in the output where the limit was reached.
const CUT: &str = "[printf: this launch has printed 1 MiB; the rest is not shown]\n";

/// What one launch prints.
pub struct Printer<'a> {
    sink: &'a (dyn Fn(&str) + Sync),
    printed: Mutex<usize>,
}

impl<'a> Printer<'a> {
    /// Delivers to `sink`.
    pub fn new(sink: &'a (dyn Fn(&str) + Sync)) -> Printer<'a> {
        Printer { sink, printed: Mutex::new(0) }
    }

    /// Delivers one call's text, whole; no two calls at once.
    pub fn deliver(&self, text: &str) {
        let mut printed = self.printed.lock().unwrap_or_else(|e| e.into_inner());
        if *printed > MAX_PRINT_BYTES {
            return;
        }
        *printed += text.len();
        (self.sink)(if *printed > MAX_PRINT_BYTES { CUT } else { text });
    }
}

/// The text of one call. `args` are the arguments' bits: floats as `F64`, integers in the lower bits, texts as addresses.
/// `text_at` gives the bytes from an address to the end of the memory that holds it.
///
/// # Errors
/// The address of a `%s` that `text_at` does not know, or at which no text ends.
pub fn format<'t>(
    format: &[u8],
    args: &[u64],
    text_at: &dyn Fn(u64) -> Option<&'t [u8]>,
) -> Result<String, u64> {
    let mut out = Vec::with_capacity(format.len() + 16);
    let mut args = args.iter().copied();
    let mut rest = format;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        out.extend_from_slice(&rest[..at]);
        let (spec, length) = Spec::parse(&rest[at..], &mut args);
        match spec {
            Some(spec) => spec.write(&mut out, &mut args, text_at)?,
            // Not a conversion: as it stands.
            None => out.extend_from_slice(&rest[at..at + length]),
        }
        rest = &rest[at + length..];
    }
    out.extend_from_slice(rest);
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// The most that widths and precisions may ask for.
const MAX_WIDTH: usize = 4096;

/// How wide an integer argument is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Char,
    Short,
    Int,
    Long,
}

/// One conversion.
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
    conversion: u8,
}

impl Spec {
    /// The conversion that `text` begins with, and its length; `None` where C has no such conversion.
    fn parse(text: &[u8], args: &mut impl Iterator<Item = u64>) -> (Option<Spec>, usize) {
        let mut spec = Spec {
            left: false,
            plus: false,
            space: false,
            alternate: false,
            zero: false,
            width: 0,
            precision: None,
            length: Length::Int,
            conversion: 0,
        };
        let mut at = 1;
        let peek = |at: usize| text.get(at).copied().unwrap_or(0);
        loop {
            match peek(at) {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                b'\'' => {}
                _ => break,
            }
            at += 1;
        }
        if let Some(width) = number(text, &mut at, args) {
            spec.left |= width < 0;
            spec.width = (width.unsigned_abs() as usize).min(MAX_WIDTH);
        }
        if peek(at) == b'.' {
            at += 1;
            let precision = number(text, &mut at, args).unwrap_or(0);
            spec.precision = usize::try_from(precision).ok().map(|precision| precision.min(MAX_WIDTH));
        }
        loop {
            spec.length = match (peek(at), spec.length) {
                (b'h', Length::Short) => Length::Char,
                (b'h', _) => Length::Short,
                (b'l' | b'z' | b'j' | b't' | b'L' | b'q', _) => Length::Long,
                _ => break,
            };
            at += 1;
        }
        spec.conversion = peek(at);
        let known = b"diuoxXcspeEfFgGaA%".contains(&spec.conversion);
        let end = if at < text.len() { at + 1 } else { at };
        (known.then_some(spec), end)
    }

    fn write<'t>(
        &self,
        out: &mut Vec<u8>,
        args: &mut impl Iterator<Item = u64>,
        text_at: &dyn Fn(u64) -> Option<&'t [u8]>,
    ) -> Result<(), u64> {
        if self.conversion == b'%' {
            out.push(b'%');
            return Ok(());
        }
        // An argument that is missing is zero: reading on would be C's undefined behaviour.
        let bits = args.next().unwrap_or(0);
        match self.conversion {
            b'c' => self.pad(out, b"", &[bits as u8], false),
            b's' => {
                let text = self.text(bits, text_at)?;
                self.pad(out, b"", text, false);
            }
            b'p' => match bits {
                0 => self.pad(out, b"", b"(nil)", false),
                _ => self.pad(out, b"", format!("{bits:#x}").as_bytes(), false),
            },
            b'd' | b'i' => {
                let value = match self.length {
                    Length::Char => i64::from(bits as i8),
                    Length::Short => i64::from(bits as i16),
                    Length::Int => i64::from(bits as i32),
                    Length::Long => bits as i64,
                };
                self.integer(out, self.sign(value < 0), &value.unsigned_abs().to_string());
            }
            b'u' | b'o' | b'x' | b'X' => {
                let value = match self.length {
                    Length::Char => u64::from(bits as u8),
                    Length::Short => u64::from(bits as u16),
                    Length::Int => u64::from(bits as u32),
                    Length::Long => bits,
                };
                self.unsigned(out, value);
            }
            _ => {
                let value = f64::from_bits(bits);
                let text = float::digits(self.conversion, value.abs(), self.precision, self.alternate);
                let prefix = [self.sign(value.is_sign_negative()), text.prefix.as_bytes()].concat();
                self.pad(out, &prefix, text.body.as_bytes(), self.zero && value.is_finite());
            }
        }
        Ok(())
    }

    fn text<'t>(&self, address: u64, text_at: &dyn Fn(u64) -> Option<&'t [u8]>) -> Result<&'t [u8], u64> {
        if address == 0 {
            return Ok(b"(null)");
        }
        let bytes = text_at(address).ok_or(address)?;
        let most = self.precision.unwrap_or(usize::MAX).min(bytes.len());
        match bytes[..most].iter().position(|byte| *byte == 0) {
            Some(end) => Ok(&bytes[..end]),
            // A precision lets a text go without its end.
            None if self.precision == Some(most) => Ok(&bytes[..most]),
            None => Err(address),
        }
    }

    fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, ..) => b"-",
            (_, true, _) => b"+",
            (_, _, true) => b" ",
            _ => b"",
        }
    }

    fn unsigned(&self, out: &mut Vec<u8>, value: u64) {
        let (prefix, digits) = match self.conversion {
            b'o' => ("", format!("{value:o}")),
            b'x' => ("0x", format!("{value:x}")),
            b'X' => ("0X", format!("{value:X}")),
            _ => ("", value.to_string()),
        };
        let prefix = if self.alternate && value != 0 { prefix } else { "" };
        let octal = self.alternate && self.conversion == b'o' && !digits.starts_with('0');
        // The alternate form of octal numbers begins with a zero, which a precision may have given already.
        let enough = self.precision.is_some_and(|precision| precision > digits.len());
        let digits = if octal && !enough { format!("0{digits}") } else { digits };
        self.integer(out, prefix.as_bytes(), &digits);
    }

    fn integer(&self, out: &mut Vec<u8>, prefix: &[u8], digits: &str) {
        let digits =
            if digits == "0" && self.precision == Some(0) && !(self.alternate && self.conversion == b'o') {
                ""
            } else {
                digits
            };
        let zeros = self.precision.unwrap_or(0).saturating_sub(digits.len());
        let body = [&vec![b'0'; zeros], digits.as_bytes()].concat();
        self.pad(out, prefix, &body, self.zero && self.precision.is_none());
    }

    /// Fills up to the width: on the right, with zeros behind the prefix, or on the left.
    fn pad(&self, out: &mut Vec<u8>, prefix: &[u8], body: &[u8], zeros: bool) {
        let fill = self.width.saturating_sub(prefix.len() + body.len());
        let (before, between, after) = match (self.left, zeros) {
            (true, _) => (0, 0, fill),
            (false, true) => (0, fill, 0),
            (false, false) => (fill, 0, 0),
        };
        out.resize(out.len() + before, b' ');
        out.extend_from_slice(prefix);
        out.resize(out.len() + between, b'0');
        out.extend_from_slice(body);
        out.resize(out.len() + after, b' ');
    }
}

/// A number, or `*` for the next argument; `None` where neither stands there.
fn number(text: &[u8], at: &mut usize, args: &mut impl Iterator<Item = u64>) -> Option<i32> {
    if text.get(*at) == Some(&b'*') {
        *at += 1;
        return Some(args.next().unwrap_or(0) as i32);
    }
    let mut value = None;
    while let Some(digit) = text.get(*at).filter(|byte| byte.is_ascii_digit()) {
        value = Some(value.unwrap_or(0i32).saturating_mul(10).saturating_add(i32::from(digit - b'0')));
        *at += 1;
    }
    value
}

#[cfg(test)]
mod tests;
