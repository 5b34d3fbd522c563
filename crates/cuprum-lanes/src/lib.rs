//! Lanes: precompiled loops over one dense block, one for each op, dtype and instruction set.
//!
//! The block machine strings lanes together; what they compute is NumPy's result, element by element. Threads,
//! strides and reductions are not their business.

/// Compiles a body for the three instruction sets: for `block` this makes `block_portable`, `block_avx2` and
/// `block_avx512`, each generic over the same parameters, if there are any, the latter two with `#[target_feature]`.
#[doc(hidden)]
#[macro_export]
macro_rules! at_levels {
    (
        $portable:ident, $avx2:ident, $avx512:ident, <$($G:ident $(: $bound:path)?),*>,
        ($($arg:ident: $ty:ty),*), $body:expr
    ) => {
        // Not inlined, as the others are not into callers of no level: there is one copy of it.
        #[inline(never)]
        unsafe fn $portable<$($G $(: $bound)?),*>($($arg: $ty),*) {
            // SAFETY: the body's own contract, handed on.
            unsafe { $body }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn $avx2<$($G $(: $bound)?),*>($($arg: $ty),*) {
            // SAFETY: the body's own contract, handed on.
            unsafe { $body }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt"
        )]
        unsafe fn $avx512<$($G $(: $bound)?),*>($($arg: $ty),*) {
            // SAFETY: the body's own contract, handed on.
            unsafe { $body }
        }
        // Not every caller picks a level in a match that names all three.
        #[cfg(not(target_arch = "x86_64"))]
        #[allow(unused_imports)]
        use {$portable as $avx2, $portable as $avx512};
    };
}

mod arithmetic;
mod cast;
mod comparison;
mod complex;
mod division;
mod element;
mod families;
mod floating;
mod functions;
mod half;
mod integer;
mod loops;
pub mod math;
mod pairs;
mod scalar_operand;
mod special;
mod two_output;

use ::half::{bf16, f16};
use cuprum_core::{DType, Op, SimdLevel};

use self::arithmetic::moves;
use self::complex::analytic;
use self::families::{
    OnComplex, OnFloats, all, boolean, complexes, floats, halves, ints, numbers, parts, reals,
};
use self::functions::{Elementary, Elementary2};
use self::loops::{Avx2, Avx512, Isa, Map, Portable};

pub use self::pairs::{First, Second, first, pair, pair_with_scalar};
pub use self::scalar_operand::with_scalar;
pub use self::two_output::{DualLane, sin_cos};

/// `dst[i] = f(src[0][i], src[1][i], src[2][i])` for `i < n`; a function of fewer arguments ignores the others.
///
/// Writing over the first source is as fast as writing elsewhere; over another, that source is copied first.
///
/// # Safety
/// The CPU has the instructions of the [`SimdLevel`] that the lane was asked for. Each pointer in use is aligned to
/// its element and valid for `n` elements; `dst` equals a source, of the same element size, or overlaps none.
pub type Lane = unsafe fn(n: usize, dst: *mut u8, src: [*const u8; 3]);

/// The lane of `op` whose loop runs in `dtype`: arguments in `op.input(i, dtype)`, result in `op.output(dtype)`.
/// `None` exactly when `op` has no loop for `dtype`.
///
/// ```
/// use cuprum_core::{DType, Op, SimdLevel};
/// use cuprum_lanes::lane;
/// let (a, b) = ([1.0f32, 2.0], [0.5f32, 0.25]);
/// let mut sum = [0.0f32; 2];
/// let add = lane(Op::Add, DType::F32, SimdLevel::detect()).unwrap();
/// // SAFETY: three arrays of two floats each.
/// unsafe { add(2, sum.as_mut_ptr().cast(), [a.as_ptr().cast(), b.as_ptr().cast(), std::ptr::null()]) };
/// assert_eq!(sum, [1.5, 2.25]);
/// ```
pub fn lane(op: Op, dtype: DType, level: SimdLevel) -> Option<Lane> {
    if !op.has_loop(dtype) {
        return None;
    }
    match level {
        SimdLevel::Portable => bind::<Portable>(op, dtype),
        SimdLevel::Avx2 => bind::<Avx2>(op, dtype),
        SimdLevel::Avx512 => bind::<Avx512>(op, dtype),
    }
}

/// The lane that converts a block from one dtype to another: C's conversions, as NumPy's `astype` has them.
///
/// ```
/// use cuprum_core::{DType, SimdLevel};
/// use cuprum_lanes::cast;
/// let mut whole = [0i32; 2];
/// let truncate = cast(DType::F64, DType::I32, SimdLevel::detect());
/// // SAFETY: two elements on either side.
/// unsafe { truncate(2, whole.as_mut_ptr().cast(), [[2.7f64, -2.7].as_ptr().cast(); 3]) };
/// assert_eq!(whole, [2, -2]);
/// ```
pub fn cast(from: DType, to: DType, level: SimdLevel) -> Lane {
    match level {
        SimdLevel::Portable => cast::cast::<Portable>(from, to),
        SimdLevel::Avx2 => cast::cast::<Avx2>(from, to),
        SimdLevel::Avx512 => cast::cast::<Avx512>(from, to),
    }
}

/// Real and complex functions under one op; the complex ones gain nothing from vectors.
fn elementary<I: Isa, F, G: OnComplex>(dtype: DType) -> Option<Lane>
where
    Elementary<F>: OnFloats,
{
    floats::<I, Elementary<F>>(dtype).or_else(|| complexes::<Portable, G>(dtype))
}

/// What rounding to whole numbers makes of a number that is whole, or of a `bool`.
fn whole_or<I: Isa, M: OnFloats>(dtype: DType) -> Option<Lane> {
    if dtype.is_integral() { Some(moves::<I, arithmetic::Copy>(dtype)) } else { floats::<I, M>(dtype) }
}

/// Functions of a format itself, which the 16-bit floats cannot borrow from `f32`.
fn in_format<I: Isa, M: OnFloats + Map<f16> + Map<bf16>>(dtype: DType) -> Option<Lane> {
    match dtype {
        DType::F16 => Some(Portable::lane::<f16, M>()),
        DType::BF16 => Some(Portable::lane::<bf16, M>()),
        _ => floats::<I, M>(dtype),
    }
}

fn bind<I: Isa>(op: Op, dtype: DType) -> Option<Lane> {
    use arithmetic::*;
    use comparison::*;
    use division::*;
    use floating::*;
    use integer::*;
    let complex = dtype.is_complex();
    match op {
        Op::Add if complex => parts::<I, Add>(dtype),
        Op::Subtract if complex => parts::<I, Subtract>(dtype),
        Op::Negative if complex => parts::<I, Negative>(dtype),
        Op::Rint if complex => parts::<I, Rint>(dtype),
        Op::Add => boolean::<I, Add>(dtype).or_else(|| reals::<I, Add>(dtype)),
        Op::Subtract => reals::<I, Subtract>(dtype),
        Op::Multiply => all::<I, Multiply>(dtype),
        Op::Divide => floats::<I, Divide>(dtype).or_else(|| complexes::<I, complex::Divide>(dtype)),
        Op::FloorDivide => ints::<I, IntFloorDivide>(dtype).or_else(|| floats::<I, FloatFloorDivide>(dtype)),
        Op::Remainder => ints::<I, IntRemainder>(dtype).or_else(|| floats::<I, FloatRemainder>(dtype)),
        Op::Fmod => ints::<I, IntFmod>(dtype).or_else(|| floats::<I, FloatFmod>(dtype)),
        Op::Power | Op::FloatPower => ints::<Portable, IntPower>(dtype)
            .or_else(|| floats::<I, Elementary2<math::Power>>(dtype))
            .or_else(|| complexes::<Portable, complex::Power>(dtype)),
        Op::Negative => reals::<I, Negative>(dtype),
        Op::Positive => Some(moves::<I, Copy>(dtype)),
        Op::Absolute if dtype == DType::Bool => Some(moves::<I, Copy>(dtype)),
        Op::Absolute => reals::<I, Absolute>(dtype).or_else(|| complexes::<I, complex::Modulus>(dtype)),
        Op::Fabs => floats::<I, Absolute>(dtype),
        Op::Sign => reals::<I, Sign>(dtype).or_else(|| complexes::<I, complex::Sign>(dtype)),
        Op::Reciprocal => ints::<I, IntReciprocal>(dtype)
            .or_else(|| floats::<I, Reciprocal>(dtype))
            .or_else(|| complexes::<I, complex::Reciprocal>(dtype)),
        Op::Square => numbers::<I, Square>(dtype),
        Op::Sqrt => floats::<I, Sqrt>(dtype).or_else(|| complexes::<Portable, analytic::Sqrt>(dtype)),
        Op::Cbrt => floats::<I, Elementary<math::Cbrt>>(dtype),
        Op::Maximum => halves::<I, HalfMaximum>(dtype).or_else(|| all::<I, Maximum>(dtype)),
        Op::Minimum => halves::<I, HalfMinimum>(dtype).or_else(|| all::<I, Minimum>(dtype)),
        Op::Fmax => all::<I, Fmax>(dtype),
        Op::Fmin => all::<I, Fmin>(dtype),
        Op::Clip => all::<I, Clip>(dtype),
        Op::Where => Some(moves::<I, Where>(dtype)),
        Op::Conjugate | Op::Real if !complex => Some(moves::<I, Copy>(dtype)),
        Op::Conjugate => complexes::<I, Conjugate>(dtype),
        Op::Real => complexes::<I, Real>(dtype),
        Op::Imag => all::<I, Imag>(dtype),
        Op::Angle => {
            floats::<I, functions::RealAngle>(dtype).or_else(|| complexes::<I, complex::Angle>(dtype))
        }

        Op::Exp => elementary::<I, math::Exp, analytic::Exp>(dtype),
        Op::Exp2 => elementary::<I, math::Exp2, analytic::Exp2>(dtype),
        Op::Expm1 => elementary::<I, math::Expm1, analytic::Expm1>(dtype),
        Op::Log => elementary::<I, math::Log, analytic::Log>(dtype),
        Op::Log2 => elementary::<I, math::Log2, analytic::Log2>(dtype),
        Op::Log10 => elementary::<I, math::Log10, analytic::Log10>(dtype),
        Op::Log1p => elementary::<I, math::Log1p, analytic::Log1p>(dtype),
        Op::Logaddexp => floats::<I, Elementary2<math::Logaddexp>>(dtype),
        Op::Logaddexp2 => floats::<I, Elementary2<math::Logaddexp2>>(dtype),
        Op::I0 => floats::<I, functions::I0>(dtype),

        Op::Sin => elementary::<I, math::Sin, analytic::Sin>(dtype),
        Op::Cos => elementary::<I, math::Cos, analytic::Cos>(dtype),
        Op::Tan => elementary::<I, math::Tan, analytic::Tan>(dtype),
        Op::Arcsin => elementary::<I, math::Arcsin, analytic::Arcsin>(dtype),
        Op::Arccos => elementary::<I, math::Arccos, analytic::Arccos>(dtype),
        Op::Arctan => elementary::<I, math::Arctan, analytic::Arctan>(dtype),
        Op::Arctan2 => floats::<I, Elementary2<math::Arctan2>>(dtype),
        Op::Hypot => floats::<I, Elementary2<math::Hypot>>(dtype),
        Op::Sinh => elementary::<I, math::Sinh, analytic::Sinh>(dtype),
        Op::Cosh => elementary::<I, math::Cosh, analytic::Cosh>(dtype),
        Op::Tanh => elementary::<I, math::Tanh, analytic::Tanh>(dtype),
        Op::Arcsinh => elementary::<I, math::Arcsinh, analytic::Arcsinh>(dtype),
        Op::Arccosh => elementary::<I, math::Arccosh, analytic::Arccosh>(dtype),
        Op::Arctanh => elementary::<I, math::Arctanh, analytic::Arctanh>(dtype),
        Op::Degrees => floats::<I, Degrees>(dtype),
        Op::Radians => floats::<I, Radians>(dtype),
        Op::Sinc => {
            floats::<I, functions::Sinc>(dtype).or_else(|| complexes::<Portable, complex::Sinc>(dtype))
        }

        Op::Rint => floats::<I, Rint>(dtype),
        Op::Floor => whole_or::<I, Floor>(dtype),
        Op::Ceil => whole_or::<I, Ceil>(dtype),
        Op::Trunc => whole_or::<I, Trunc>(dtype),
        Op::Isnan => all::<I, Isnan>(dtype),
        Op::Isinf => all::<I, Isinf>(dtype),
        Op::Isfinite => all::<I, Isfinite>(dtype),
        Op::Signbit => floats::<I, Signbit>(dtype),
        Op::Copysign => floats::<I, Copysign>(dtype),
        Op::Nextafter => in_format::<I, Nextafter>(dtype),
        Op::Spacing => in_format::<I, Spacing>(dtype),
        Op::FrexpMantissa => floats::<I, FrexpMantissa>(dtype),
        Op::FrexpExponent => floats::<I, FrexpExponent>(dtype),
        Op::Ldexp => floats::<I, Ldexp>(dtype),
        Op::ModfFraction => floats::<I, ModfFraction>(dtype),
        Op::ModfInteger => floats::<I, ModfInteger>(dtype),
        Op::Heaviside => floats::<I, Heaviside>(dtype),

        Op::Equal => all::<I, Equal>(dtype),
        Op::NotEqual => all::<I, NotEqual>(dtype),
        Op::Less => all::<I, Less>(dtype),
        Op::LessEqual => all::<I, LessEqual>(dtype),
        Op::Greater => all::<I, Greater>(dtype),
        Op::GreaterEqual => all::<I, GreaterEqual>(dtype),
        Op::LogicalAnd => all::<I, LogicalAnd>(dtype),
        Op::LogicalOr => all::<I, LogicalOr>(dtype),
        Op::LogicalXor => all::<I, LogicalXor>(dtype),
        Op::LogicalNot => all::<I, LogicalNot>(dtype),

        Op::BitwiseAnd => boolean::<I, Multiply>(dtype).or_else(|| ints::<I, BitwiseAnd>(dtype)),
        Op::BitwiseOr => boolean::<I, Add>(dtype).or_else(|| ints::<I, BitwiseOr>(dtype)),
        Op::BitwiseXor => boolean::<I, BitwiseXor>(dtype).or_else(|| ints::<I, BitwiseXor>(dtype)),
        Op::Invert => boolean::<I, Invert>(dtype).or_else(|| ints::<I, Invert>(dtype)),
        Op::LeftShift => ints::<I, LeftShift>(dtype),
        Op::RightShift => ints::<I, RightShift>(dtype),
        Op::BitwiseCount => ints::<I, BitwiseCount>(dtype),
        Op::Gcd => ints::<Portable, Gcd>(dtype),
        Op::Lcm => ints::<Portable, Lcm>(dtype),

        _ => special::lane::<I>(op, dtype),
    }
}
