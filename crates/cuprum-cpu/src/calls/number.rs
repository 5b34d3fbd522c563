//! Numbers as scans and segment sums see them: what they add and multiply in, and how to get there by dtype.

use half::{bf16, f16};
use num_complex::Complex;

/// A number and the type in which it is accumulated.
pub(super) trait Accumulated: Copy {
    type Wide: Copy + Send + Sync;
    /// What adds nothing, not even to a negative zero.
    const NEUTRAL: Self::Wide;
    fn widen(self) -> Self::Wide;
    fn narrow(wide: Self::Wide) -> Self;
    fn plus(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    fn times(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Whether no part is infinite or NaN.
    fn is_finite(wide: Self::Wide) -> bool;
}

/// For `u8` this makes `impl Accumulated for u8` with wrapping operations, which serve `i8` as well.
macro_rules! integers {
    ($($int:ty),*) => {
        $(impl Accumulated for $int {
            type Wide = $int;
            const NEUTRAL: $int = 0;
            #[inline(always)]
            fn widen(self) -> $int { self }
            #[inline(always)]
            fn narrow(wide: $int) -> $int { wide }
            #[inline(always)]
            fn plus(a: $int, b: $int) -> $int { a.wrapping_add(b) }
            #[inline(always)]
            fn times(a: $int, b: $int) -> $int { a.wrapping_mul(b) }
            #[inline(always)]
            fn is_finite(_: $int) -> bool { true }
        })*
    };
}
integers!(u8, u16, u32, u64);

/// For `f16, f32, widened, rounded, finite` this makes `impl Accumulated for f16` that accumulates in `f32`.
macro_rules! floats {
    ($($number:ty, $wide:ty, $nothing:expr, $widen:expr, $narrow:expr, $finite:expr;)*) => {
        $(impl Accumulated for $number {
            type Wide = $wide;
            const NEUTRAL: $wide = $nothing;
            #[inline(always)]
            fn widen(self) -> $wide { $widen(self) }
            #[inline(always)]
            fn narrow(wide: $wide) -> $number { $narrow(wide) }
            #[inline(always)]
            fn plus(a: $wide, b: $wide) -> $wide { a + b }
            #[inline(always)]
            fn times(a: $wide, b: $wide) -> $wide { a * b }
            #[inline(always)]
            fn is_finite(wide: $wide) -> bool { $finite(wide) }
        })*
    };
}
floats! {
    f16, f32, -0.0, f16::to_f32, f16::from_f32, f32::is_finite;
    bf16, f32, -0.0, bf16::to_f32, bf16::from_f32, f32::is_finite;
    f32, f32, -0.0, std::convert::identity, std::convert::identity, f32::is_finite;
    f64, f64, -0.0, std::convert::identity, std::convert::identity, f64::is_finite;
    Complex<f32>, Complex<f32>, Complex::new(-0.0, -0.0), std::convert::identity, std::convert::identity,
        |c: Complex<f32>| c.re.is_finite() && c.im.is_finite();
    Complex<f64>, Complex<f64>, Complex::new(-0.0, -0.0), std::convert::identity, std::convert::identity,
        |c: Complex<f64>| c.re.is_finite() && c.im.is_finite();
}

/// Calls a generic function with the element type of a dtype that has numbers; bool gives `None`.
macro_rules! with_number {
    ($dtype:expr, $function:ident($($argument:expr),*)) => {
        match $dtype {
            cuprum_core::DType::Bool => None,
            cuprum_core::DType::I8 | cuprum_core::DType::U8 => Some($function::<u8>($($argument),*)),
            cuprum_core::DType::I16 | cuprum_core::DType::U16 => Some($function::<u16>($($argument),*)),
            cuprum_core::DType::I32 | cuprum_core::DType::U32 => Some($function::<u32>($($argument),*)),
            cuprum_core::DType::I64 | cuprum_core::DType::U64 => Some($function::<u64>($($argument),*)),
            cuprum_core::DType::F16 => Some($function::<half::f16>($($argument),*)),
            cuprum_core::DType::BF16 => Some($function::<half::bf16>($($argument),*)),
            cuprum_core::DType::F32 => Some($function::<f32>($($argument),*)),
            cuprum_core::DType::F64 => Some($function::<f64>($($argument),*)),
            cuprum_core::DType::C64 => Some($function::<num_complex::Complex<f32>>($($argument),*)),
            cuprum_core::DType::C128 => Some($function::<num_complex::Complex<f64>>($($argument),*)),
        }
    };
}
pub(super) use with_number;
