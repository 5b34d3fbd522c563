//! What the platform's C library has and the standard library does not name.

use std::ffi::c_int;

mod c {
    use std::ffi::c_int;

    // SAFETY: the signatures are those of C's <math.h>; all these functions take numbers and touch no other memory,
    // `remquo` and `lgamma_r` aside, which are therefore unsafe to call.
    unsafe extern "C" {
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn atanh(x: f64) -> f64;
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn tgamma(x: f64) -> f64;
        pub safe fn remainder(x: f64, y: f64) -> f64;
        pub safe fn nextafter(x: f64, y: f64) -> f64;
        pub safe fn nextafterf(x: f32, y: f32) -> f32;
        pub safe fn ldexp(x: f64, n: c_int) -> f64;
        pub safe fn ldexpf(x: f32, n: c_int) -> f32;
        pub fn remquo(x: f64, y: f64, quotient: *mut c_int) -> f64;
        // Unix's `lgamma` writes the sign to a variable that all threads share; this one does not.
        #[cfg(unix)]
        pub fn lgamma_r(x: f64, sign: *mut c_int) -> f64;
        #[cfg(windows)]
        pub safe fn lgamma(x: f64) -> f64;
        #[cfg_attr(windows, link_name = "_j0")]
        pub safe fn j0(x: f64) -> f64;
        #[cfg_attr(windows, link_name = "_j1")]
        pub safe fn j1(x: f64) -> f64;
        #[cfg_attr(windows, link_name = "_jn")]
        pub safe fn jn(n: c_int, x: f64) -> f64;
        #[cfg_attr(windows, link_name = "_y0")]
        pub safe fn y0(x: f64) -> f64;
        #[cfg_attr(windows, link_name = "_y1")]
        pub safe fn y1(x: f64) -> f64;
        #[cfg_attr(windows, link_name = "_yn")]
        pub safe fn yn(n: c_int, x: f64) -> f64;
    }
}

pub use c::{
    acosh, asinh, atanh, erf, erfc, j0, j1, jn, ldexp, ldexpf, nextafter, nextafterf, remainder, tgamma, y0,
    y1, yn,
};

/// The logarithm of the absolute value of gamma.
pub fn lgamma(x: f64) -> f64 {
    #[cfg(unix)]
    {
        let mut sign: c_int = 0;
        // SAFETY: `sign` is an integer that the call may write.
        unsafe { c::lgamma_r(x, &mut sign) }
    }
    #[cfg(windows)]
    c::lgamma(x)
}

/// The last bits of the quotient that `remainder` leaves behind, with its sign; 0 where the remainder is NaN.
pub fn remquo_quotient(x: f64, y: f64) -> i32 {
    let mut quotient: c_int = 0;
    // SAFETY: `quotient` is an integer that the call may write.
    let rest = unsafe { c::remquo(x, y, &mut quotient) };
    if rest.is_nan() { 0 } else { quotient }
}
