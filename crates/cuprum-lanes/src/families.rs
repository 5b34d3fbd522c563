//! From a dtype to the lane of a function: one step for each family of dtypes.

use cuprum_core::DType;
use num_complex::Complex;

use super::Lane;
use super::loops::{Binary16, Bool, Brain16, Isa, Map, converted};

/// Functions with a loop for every integer.
pub(super) trait OnInts:
    Map<i8> + Map<u8> + Map<i16> + Map<u16> + Map<i32> + Map<u32> + Map<i64> + Map<u64> + 'static
{
}
impl<M> OnInts for M where
    M: Map<i8> + Map<u8> + Map<i16> + Map<u16> + Map<i32> + Map<u32> + Map<i64> + Map<u64> + 'static
{
}

/// Functions with a loop for `f32` and `f64`, and through `f32` for the 16-bit floats.
pub(super) trait OnFloats: Map<f32> + Map<f64> + 'static {}
impl<M: Map<f32> + Map<f64> + 'static> OnFloats for M {}

/// Functions with a loop for both complex types.
pub(super) trait OnComplex: Map<Complex<f32>> + Map<Complex<f64>> + 'static {}
impl<M: Map<Complex<f32>> + Map<Complex<f64>> + 'static> OnComplex for M {}

pub(super) fn boolean<I: Isa, M: Map<Bool> + 'static>(dtype: DType) -> Option<Lane> {
    (dtype == DType::Bool).then(I::lane::<Bool, M>)
}

pub(super) fn ints<I: Isa, M: OnInts>(dtype: DType) -> Option<Lane> {
    Some(match dtype {
        DType::I8 => I::lane::<i8, M>(),
        DType::U8 => I::lane::<u8, M>(),
        DType::I16 => I::lane::<i16, M>(),
        DType::U16 => I::lane::<u16, M>(),
        DType::I32 => I::lane::<i32, M>(),
        DType::U32 => I::lane::<u32, M>(),
        DType::I64 => I::lane::<i64, M>(),
        DType::U64 => I::lane::<u64, M>(),
        _ => return None,
    })
}

pub(super) fn floats<I: Isa, M: OnFloats>(dtype: DType) -> Option<Lane> {
    match dtype {
        DType::F32 => Some(I::lane::<f32, M>()),
        DType::F64 => Some(I::lane::<f64, M>()),
        _ => halves::<I, M>(dtype),
    }
}

/// The 16-bit floats alone.
pub(super) fn halves<I: Isa, M: Map<f32> + 'static>(dtype: DType) -> Option<Lane> {
    Some(match dtype {
        DType::F16 => converted::<I, Binary16, Binary16, f32, M>,
        DType::BF16 => converted::<I, Brain16, Brain16, f32, M>,
        _ => return None,
    })
}

pub(super) fn complexes<I: Isa, M: OnComplex>(dtype: DType) -> Option<Lane> {
    Some(match dtype {
        DType::C64 => I::lane::<Complex<f32>, M>(),
        DType::C128 => I::lane::<Complex<f64>, M>(),
        _ => return None,
    })
}

/// A function of complex numbers that treats both parts alike: the real lane over twice as many elements.
pub(super) fn parts<I: Isa, M: OnFloats>(dtype: DType) -> Option<Lane> {
    Some(match dtype {
        DType::C64 => twice::<I, f32, M>,
        DType::C128 => twice::<I, f64, M>,
        _ => return None,
    })
}

/// A lane over both parts of complex elements.
pub(super) unsafe fn twice<I: Isa, T: 'static, M: Map<T> + 'static>(
    n: usize,
    dst: *mut u8,
    src: [*const u8; 3],
) {
    // SAFETY: `n` complex elements are `2 n` of their parts, at the same addresses.
    unsafe { I::lane::<T, M>()(2 * n, dst, src) }
}

pub(super) fn reals<I: Isa, M: OnInts + OnFloats>(dtype: DType) -> Option<Lane> {
    ints::<I, M>(dtype).or_else(|| floats::<I, M>(dtype))
}

pub(super) fn numbers<I: Isa, M: OnInts + OnFloats + OnComplex>(dtype: DType) -> Option<Lane> {
    reals::<I, M>(dtype).or_else(|| complexes::<I, M>(dtype))
}

pub(super) fn all<I: Isa, M: OnInts + OnFloats + OnComplex + Map<Bool>>(dtype: DType) -> Option<Lane> {
    boolean::<I, M>(dtype).or_else(|| numbers::<I, M>(dtype))
}
