// What portable.rs and fused.rs share: how a file of functions is compiled, and the files. Each includes this text after its own
// `compiled!`, which gives a function the instructions of its form.

/// Functions as they stand.
macro_rules! functions {
    ($($(#[$meta:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> $out:ty $body:block)*) => {$(
        compiled! {
            $(#[$meta])*
            pub(crate) fn $name($($arg: $type),*) -> $out $body
        }
    )*};
}

/// Functions without branches, which are compiled into the loops of lanes and vectorised there.
macro_rules! plain_functions {
    ($($(#[$meta:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> $out:ty $body:block)*) => {$(
        $(#[$meta])*
        #[inline(always)]
        pub(crate) fn $name($($arg: $type),*) -> $out $body
    )*};
}

/// For `beta(a, b);` this makes `doubles::beta`, the lane of `f64`, and `singles::beta`, that of `f32`. For
/// `gamma(a) by plain_gamma unless gamma_is_rare;` the lane is a loop over `plain_gamma`, and `gamma` is called for the
/// elements that are rare. For `stdtr(a, b) by stdtr_from of stdtr_density;` one loop makes the density of each element, which
/// is vectorised, and another one calls `stdtr_from` with it; `stdtr` is both in one. For
/// `eval_chebyt(a, b) by chebyshev_step from chebyt_start to polynomial_end unless polynomial_is_rare;` the first argument is a
/// degree, and the elements go from degree one upwards in step, as far as each has to; `eval_chebyt` takes the same steps one
/// element at a time.
macro_rules! lanes {
    ($($name:ident($($arg:ident),+) $(by $($how:ident)+)?;)*) => {
        /// Lanes of `f64`.
        pub(crate) mod doubles {
            $(lane_of_doubles! { $name($($arg),+) $($($how)+)? })*
        }
        /// Lanes of `f32`.
        pub(crate) mod singles {
            $(pub(crate) unsafe fn $name(n: usize, dst: *mut u8, src: [*const u8; 3]) {
                let nin = [$(stringify!($arg)),+].len();
                // SAFETY: the contract of a lane, handed on.
                unsafe { crate::math::special::by_doubles(super::doubles::$name, nin, 1, n, dst, src) }
            })*
        }
    };
}

/// The lane of `f64` of one function.
macro_rules! lane_of_doubles {
    ($name:ident($($arg:ident),+)) => {
        compiled! {
            pub(crate) unsafe fn $name(n: usize, dst: *mut u8, src: [*const u8; 3]) {
                for i in 0..n {
                    let mut position = 0..;
                    // SAFETY: the contract of a lane: `n` elements on every side; an element is read before the result
                    // is written in its place.
                    unsafe {
                        $(let $arg = src[position.next().unwrap_or(0)].cast::<f64>().add(i).read();)+
                        dst.cast::<f64>().add(i).write(super::$name($($arg),+));
                    }
                }
            }
        }
    };
    ($name:ident($($arg:ident),+) $plain:ident unless $rare:ident) => {
        compiled! {
            pub(crate) unsafe fn $name(n: usize, dst: *mut u8, src: [*const u8; 3]) {
                const CHUNK: usize = crate::math::special::CHUNK;
                $(let mut $arg = [0.0f64; CHUNK];)+
                let mut made = [0.0f64; CHUNK];
                let mut at = 0;
                while at < n {
                    let m = CHUNK.min(n - at);
                    let mut position = 0..;
                    // SAFETY: the contract of a lane: `n` elements on every side, of which these are some; the copies are
                    // no part of them.
                    unsafe {
                        $(let from = src[position.next().unwrap_or(0)].cast::<f64>().add(at);
                        std::ptr::copy_nonoverlapping(from, $arg.as_mut_ptr(), m);)+
                    }
                    $(let $arg = &$arg[..m];)+
                    let made = &mut made[..m];
                    let mut rare = 0;
                    for i in 0..m {
                        rare += u64::from(super::$rare($($arg[i]),+));
                    }
                    if rare < m as u64 {
                        for i in 0..m {
                            made[i] = super::$plain($($arg[i]),+);
                        }
                    }
                    if rare != 0 {
                        for i in 0..m {
                            if super::$rare($($arg[i]),+) {
                                made[i] = super::$name($($arg[i]),+);
                            }
                        }
                    }
                    // SAFETY: as above; the arguments in this place have been read.
                    unsafe { std::ptr::copy_nonoverlapping(made.as_ptr(), dst.cast::<f64>().add(at), m) };
                    at += m;
                }
            }
        }
    };
    ($name:ident($($arg:ident),+) $rest:ident of $first:ident) => {
        compiled! {
            pub(crate) unsafe fn $name(n: usize, dst: *mut u8, src: [*const u8; 3]) {
                const CHUNK: usize = crate::math::special::CHUNK;
                $(let mut $arg = [0.0f64; CHUNK];)+
                let mut made = [0.0f64; CHUNK];
                let mut at = 0;
                while at < n {
                    let m = CHUNK.min(n - at);
                    let mut position = 0..;
                    // SAFETY: the contract of a lane: `n` elements on every side, of which these are some; the copies are
                    // no part of them.
                    unsafe {
                        $(let from = src[position.next().unwrap_or(0)].cast::<f64>().add(at);
                        std::ptr::copy_nonoverlapping(from, $arg.as_mut_ptr(), m);)+
                    }
                    $(let $arg = &$arg[..m];)+
                    let made = &mut made[..m];
                    for i in 0..m {
                        made[i] = super::$first($($arg[i]),+);
                    }
                    for i in 0..m {
                        made[i] = super::$rest($($arg[i],)+ made[i]);
                    }
                    // SAFETY: as above; the arguments in this place have been read.
                    unsafe { std::ptr::copy_nonoverlapping(made.as_ptr(), dst.cast::<f64>().add(at), m) };
                    at += m;
                }
            }
        }
    };
    ($name:ident($degree:ident, $($arg:ident),+) $step:ident from $start:ident to $end:ident unless $rare:ident) => {
        compiled! {
            pub(crate) unsafe fn $name(n: usize, dst: *mut u8, src: [*const u8; 3]) {
                use crate::math::special::{BLOCK, read_block, write_block};
                let mut at = 0;
                while at < n {
                    let mut position = 1..;
                    // SAFETY: the contract of a lane: `n` elements on every side, of which these are some.
                    let $degree = unsafe { read_block(src[0], at, n) };
                    // SAFETY: as above.
                    $(let $arg = unsafe { read_block(src[position.next().unwrap_or(0)], at, n) };)+
                    let (mut before, mut value) = ([0.0f64; BLOCK], [0.0f64; BLOCK]);
                    let (mut most, mut rare) = (0.0f64, false);
                    for i in 0..BLOCK {
                        let is_rare = super::$rare($degree[i], $($arg[i]),+);
                        most = if !is_rare && $degree[i] > most { $degree[i] } else { most };
                        rare |= is_rare;
                        (before[i], value[i]) = super::$start($($arg[i]),+);
                    }
                    let mut k = 1.0;
                    while k < most {
                        for i in 0..BLOCK {
                            let (last, next) = super::$step(k, $($arg[i],)+ before[i], value[i]);
                            before[i] = if k < $degree[i] { last } else { before[i] };
                            value[i] = if k < $degree[i] { next } else { value[i] };
                        }
                        k += 1.0;
                    }
                    for i in 0..BLOCK {
                        value[i] = super::$end($degree[i], $($arg[i],)+ value[i]);
                    }
                    if rare {
                        for i in 0..BLOCK {
                            if super::$rare($degree[i], $($arg[i]),+) {
                                value[i] = super::$name($degree[i], $($arg[i]),+);
                            }
                        }
                    }
                    // SAFETY: as above; the arguments in this place have been read.
                    unsafe { write_block(dst, at, n, &value) };
                    at += BLOCK;
                }
            }
        }
    };
}

/// The same for functions of complex numbers, whose arguments and results are real and imaginary parts. For
/// `complex_eval_jacobi(a, b) by jacobi_step from ..;` these parts are real numbers, of which the first is a degree.
macro_rules! complex_lanes {
    ($($name:ident($($arg:ident),+) $(by $($how:ident)+)?;)*) => {
        /// Lanes of complex `f64`.
        pub(crate) mod doubles {
            $(complex_lane_of_doubles! { $name($($arg),+) $($($how)+)? })*
        }
        /// Lanes of complex `f32`.
        pub(crate) mod singles {
            $(pub(crate) unsafe fn $name(n: usize, dst: *mut u8, src: [*const u8; 3]) {
                let nin = [$(stringify!($arg)),+].len();
                // SAFETY: the contract of a lane, handed on: twice as many parts.
                unsafe { crate::math::special::by_doubles(super::doubles::$name, nin, 2, 2 * n, dst, src) }
            })*
        }
    };
}

/// The lane of complex `f64` of one function.
macro_rules! complex_lane_of_doubles {
    ($name:ident($($arg:ident),+)) => {
        compiled! {
            pub(crate) unsafe fn $name(n: usize, dst: *mut u8, src: [*const u8; 3]) {
                for i in 0..n {
                    let mut position = 0..;
                    // SAFETY: the contract of a lane: `n` elements of two parts on every side; an element is read before
                    // the result is written in its place.
                    unsafe {
                        $(let $arg = src[position.next().unwrap_or(0)].cast::<[f64; 2]>().add(i).read();)+
                        let (re, im) = complex_call!($name, $($arg),+);
                        dst.cast::<[f64; 2]>().add(i).write([re, im]);
                    }
                }
            }
        }
    };
    ($name:ident($first:ident, $second:ident) $step:ident from $start:ident to $end:ident unless $rare:ident) => {
        compiled! {
            pub(crate) unsafe fn $name(n: usize, dst: *mut u8, src: [*const u8; 3]) {
                use crate::math::special::{BLOCK, read_pairs, write_pairs};
                let mut at = 0;
                while at < n {
                    // SAFETY: the contract of a lane: `n` elements of two parts on every side, of which these are some.
                    let ([degree, a], [b, c]) = unsafe { (read_pairs(src[0], at, n), read_pairs(src[1], at, n)) };
                    let (mut before, mut value) = ([0.0f64; BLOCK], [0.0f64; BLOCK]);
                    let (mut most, mut rare) = (0.0f64, false);
                    for i in 0..BLOCK {
                        let is_rare = super::$rare(degree[i], a[i], b[i], c[i]);
                        most = if !is_rare && degree[i] > most { degree[i] } else { most };
                        rare |= is_rare;
                        (before[i], value[i]) = super::$start(a[i], b[i], c[i]);
                    }
                    let mut k = 1.0;
                    while k < most {
                        for i in 0..BLOCK {
                            let (last, next) = super::$step(k, a[i], b[i], c[i], before[i], value[i]);
                            before[i] = if k < degree[i] { last } else { before[i] };
                            value[i] = if k < degree[i] { next } else { value[i] };
                        }
                        k += 1.0;
                    }
                    for i in 0..BLOCK {
                        value[i] = super::$end(degree[i], a[i], b[i], c[i], value[i]);
                    }
                    if rare {
                        for i in 0..BLOCK {
                            if super::$rare(degree[i], a[i], b[i], c[i]) {
                                value[i] = super::$name(degree[i], a[i], b[i], c[i]).0;
                            }
                        }
                    }
                    // SAFETY: as above; the arguments in this place have been read.
                    unsafe { write_pairs(dst, at, n, &value) };
                    at += BLOCK;
                }
            }
        }
    };
}

/// A call with the parts of one to three complex numbers.
macro_rules! complex_call {
    ($name:ident, $a:ident) => {
        super::$name($a[0], $a[1])
    };
    ($name:ident, $a:ident, $b:ident) => {
        super::$name($a[0], $a[1], $b[0], $b[1])
    };
    ($name:ident, $a:ident, $b:ident, $c:ident) => {
        super::$name($a[0], $a[1], $b[0], $b[1], $c[0], $c[1])
    };
}

#[path = "airy.rs"]
pub(crate) mod airy;
#[path = "bessel.rs"]
pub(crate) mod bessel;
#[path = "bessel_ik.rs"]
pub(crate) mod bessel_ik;
#[path = "bessel_jy.rs"]
pub(crate) mod bessel_jy;
#[path = "bessel_large.rs"]
pub(crate) mod bessel_large;
#[path = "bessel_spherical.rs"]
pub(crate) mod bessel_spherical;
#[path = "beta.rs"]
pub(crate) mod beta;
#[path = "beta_distributions.rs"]
pub(crate) mod beta_distributions;
#[path = "complex_airy.rs"]
pub(crate) mod complex_airy;
#[path = "complex_bessel.rs"]
pub(crate) mod complex_bessel;
#[path = "complex_bessel_ik.rs"]
pub(crate) mod complex_bessel_ik;
#[path = "complex_erf.rs"]
pub(crate) mod complex_erf;
#[path = "complex_gamma.rs"]
pub(crate) mod complex_gamma;
#[path = "complex_integrals.rs"]
pub(crate) mod complex_integrals;
#[path = "elliptic.rs"]
pub(crate) mod elliptic;
#[path = "erf.rs"]
pub(crate) mod erf;
#[path = "exponential.rs"]
pub(crate) mod exponential;
#[path = "four_arguments.rs"]
pub(crate) mod four_arguments;
#[path = "gamma.rs"]
pub(crate) mod gamma;
#[path = "hypergeometric.rs"]
pub(crate) mod hypergeometric;
#[path = "incomplete_beta.rs"]
pub(crate) mod incomplete_beta;
#[path = "incomplete_gamma.rs"]
pub(crate) mod incomplete_gamma;
#[path = "integrals.rs"]
pub(crate) mod integrals;
#[path = "polynomials.rs"]
pub(crate) mod polynomials;
#[path = "voigt.rs"]
pub(crate) mod voigt;
#[path = "zeta.rs"]
pub(crate) mod zeta;
