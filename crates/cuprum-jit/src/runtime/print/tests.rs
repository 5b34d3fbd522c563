//! What kernels' `printf` writes, format by format.

use std::sync::Mutex;

use super::{MAX_PRINT_BYTES, Printer, format};

fn none(_: u64) -> Option<&'static [u8]> {
    None
}

#[test]
fn characters_texts_and_pointers() {
    let memory = b"copper\0zinc";
    let text_at = |address: u64| memory.get(address as usize - 0x1000..);
    let print = |spec: &str, args: &[u64]| format(spec.as_bytes(), args, &text_at);
    assert_eq!(
        print("<%s|%3s|%9s|%-9s|%.3s>", &[0x1000; 5]).unwrap(),
        "<copper|copper|   copper|copper   |cop>"
    );
    assert_eq!(print("%s", &[0]).unwrap(), "(null)");
    assert_eq!(print("<%c%5c%-3c>", &[65, 66, 67]).unwrap(), "<A    BC  >");
    assert_eq!(print("%p|%18p|%p", &[0x7f00_1234, 0xff, 0]).unwrap(), "0x7f001234|              0xff|(nil)");
    assert_eq!(print("100%% %d%%", &[5]).unwrap(), "100% 5%");
    // A text that never ends, and an address that nobody knows.
    assert_eq!(print("%s", &[0x1007]), Err(0x1007));
    assert_eq!(print("%.4s", &[0x1007]).unwrap(), "zinc");
    assert_eq!(format(b"%s", &[7], &none), Err(7));
}

#[test]
fn what_is_no_conversion_stands_as_it_is() {
    let print = |spec: &str| format(spec.as_bytes(), &[1, 2], &none).unwrap();
    assert_eq!(print("50%"), "50%");
    assert_eq!(print("%y %d"), "%y 1");
    assert_eq!(print("%d %d %d"), "1 2 0");
    assert_eq!(print("%99999999999d").len(), super::MAX_WIDTH);
    assert_eq!(format(b"\xff%d", &[1], &none).unwrap(), "\u{fffd}1");
}

#[test]
fn a_launch_prints_so_much_and_no_more() {
    let out = Mutex::new(Vec::new());
    let sink = |text: &str| out.lock().unwrap().push(text.to_string());
    let printer = Printer::new(&sink);
    let line = "x".repeat(MAX_PRINT_BYTES / 4);
    for _ in 0..9 {
        printer.deliver(&line);
    }
    let out = out.into_inner().unwrap();
    assert_eq!(out.len(), 5);
    assert!(out[4].contains("not shown"));
}

/// Every combination of flags, width and precision, against the C library of Linux; others print some of them otherwise.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod as_the_c_library {
    use std::ffi::{CStr, c_char, c_int};

    use super::{format, none};

    /// What the C library prints.
    fn c(spec: &str, args: &[Arg]) -> String {
        let spec = std::ffi::CString::new(spec).unwrap();
        let mut buffer = vec![0u8; 8192];
        let to = buffer.as_mut_ptr().cast::<c_char>();
        // SAFETY: the buffer has the size that is given, and the arguments are of the types that the format says.
        unsafe {
            match args {
                [Arg::Float(x)] => libc::snprintf(to, buffer.len(), spec.as_ptr(), *x),
                [Arg::Int(x)] => libc::snprintf(to, buffer.len(), spec.as_ptr(), *x),
                [Arg::Width(w), Arg::Int(x)] => libc::snprintf(to, buffer.len(), spec.as_ptr(), *w, *x),
                [Arg::Width(w), Arg::Float(x)] => libc::snprintf(to, buffer.len(), spec.as_ptr(), *w, *x),
                [Arg::Width(w), Arg::Width(p), Arg::Float(x)] => {
                    libc::snprintf(to, buffer.len(), spec.as_ptr(), *w, *p, *x)
                }
                _ => unreachable!("no such test"),
            };
        }
        CStr::from_bytes_until_nul(&buffer).unwrap().to_str().unwrap().into()
    }

    #[derive(Clone, Copy)]
    enum Arg {
        Float(f64),
        Int(i64),
        Width(c_int),
    }

    #[track_caller]
    fn as_c(spec: &str, args: &[Arg]) {
        let bits: Vec<u64> = args
            .iter()
            .map(|arg| match *arg {
                Arg::Float(x) => x.to_bits(),
                Arg::Int(x) => x as u64,
                Arg::Width(x) => x as u64,
            })
            .collect();
        let want = c(spec, args);
        assert_eq!(format(spec.as_bytes(), &bits, &none).unwrap(), want, "{spec}");
    }

    const FLAGS: [&str; 12] = ["", "-", "+", " ", "#", "0", "-0", "+0", "# ", "#0", "+-", "#+0"];
    const WIDTHS: [&str; 3] = ["", "1", "17"];
    const PRECISIONS: [&str; 6] = ["", ".", ".0", ".1", ".4", ".20"];

    #[test]
    fn floats_are_those_of_the_c_library() {
        let values = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            2.5,
            123_456_789.0,
            1e-5,
            9.999_999_5,
            99_999.95,
            6.02e23,
            5e-324,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        for conversion in ["e", "E", "f", "F", "g", "G", "a", "A"] {
            for (flags, (width, precision)) in FLAGS
                .iter()
                .flat_map(|f| WIDTHS.iter().flat_map(move |w| PRECISIONS.iter().map(move |p| (f, (w, p)))))
            {
                for value in values {
                    as_c(&format!("<%{flags}{width}{precision}{conversion}>"), &[Arg::Float(value)]);
                }
            }
        }
    }

    #[test]
    fn integers_are_those_of_the_c_library() {
        for conversion in ["d", "i", "u", "o", "x", "X"] {
            for length in ["hh", "h", "", "l", "ll", "z", "j", "t"] {
                for (flags, (width, precision)) in FLAGS.iter().flat_map(|f| {
                    WIDTHS.iter().flat_map(move |w| PRECISIONS.iter().map(move |p| (f, (w, p))))
                }) {
                    for value in [0, 1, -1, 42, -128, 1 << 20, i64::MIN, i64::MAX] {
                        as_c(
                            &format!("<%{flags}{width}{precision}{length}{conversion}>"),
                            &[Arg::Int(value)],
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn widths_and_precisions_may_be_arguments() {
        for width in [0, 9, -9] {
            as_c("<%*d>", &[Arg::Width(width), Arg::Int(77)]);
            as_c("<%.*d>", &[Arg::Width(width), Arg::Int(77)]);
            as_c("<%0*.*f>", &[Arg::Width(12), Arg::Width(width), Arg::Float(2.0 / 3.0)]);
            as_c("<%.*g>", &[Arg::Width(width), Arg::Float(2.0 / 3.0)]);
        }
    }
}
