//! Arithmetic, extrema, selection and the parts of complex numbers.

use cuprum_core::DType;

use super::Lane;
use super::element::{Float, Int, LaneNumber, Signed};
use super::loops::{Bool, Isa, Map, Slot, maps};

// The 16-bit floats have extrema of their own: of equal numbers, NumPy takes the first there.
maps! {
    Add<T: LaneNumber>(a: T, b: T) -> T = a.add(b);
    Subtract<T: LaneNumber>(a: T, b: T) -> T = a.sub(b);
    Multiply<T: LaneNumber>(a: T, b: T) -> T = a.mul(b);
    Square<T: LaneNumber>(a: T) -> T = a.mul(a);
    Negative<T: LaneNumber>(a: T) -> T = a.neg();
    Absolute<T: Signed>(a: T) -> T = a.abs();
    Sign<T: Signed>(a: T) -> T = a.sign();
    Conjugate<T: LaneNumber>(a: T) -> T = a.conj();
    Real<T: LaneNumber>(a: T) -> T::Real = a.real();
    Imag<T: LaneNumber>(a: T) -> T::Real = a.imag();
    Maximum<T: LaneNumber>(a: T, b: T) -> T = a.maximum(b);
    Minimum<T: LaneNumber>(a: T, b: T) -> T = a.minimum(b);
    Fmax<T: LaneNumber>(a: T, b: T) -> T = a.fmax(b);
    Fmin<T: LaneNumber>(a: T, b: T) -> T = a.fmin(b);
    Clip<T: LaneNumber>(a: T, low: T, high: T) -> T = a.clip(low, high);
    HalfMaximum<T: Float>(a: T, b: T) -> T = if (a >= b) | a.is_nan() { a } else { b };
    HalfMinimum<T: Float>(a: T, b: T) -> T = if (a <= b) | a.is_nan() { a } else { b };
    Divide<T: Float>(a: T, b: T) -> T = a.div(b);
    Reciprocal<T: Float>(a: T) -> T = T::ONE.div(a);
    Sqrt<T: Float>(a: T) -> T = a.sqrt();
    IntReciprocal<T: Int>(a: T) -> T = {
        // One over anything but one and minus one truncates to zero.
        let unit = if a.abs() == T::ONE { a } else { T::ZERO };
        if a == T::ZERO { T::RECIPROCAL_OF_ZERO } else { unit }
    };
    Copy<T: Slot>(a: T) -> T = a;
    Where<T: Slot>(choose: Bool, a: T, b: T) -> T = if choose.0 != 0 { a } else { b };
}

/// A pair of 64-bit words, for moving complex numbers of 16 bytes.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct TwoWords([u64; 2]);
impl Slot for TwoWords {}

/// The lane of a function that only moves elements, chosen by their size.
pub(super) fn moves<I, M>(dtype: DType) -> Lane
where
    I: Isa,
    M: Map<u8> + Map<u16> + Map<u32> + Map<u64> + Map<TwoWords> + 'static,
{
    match dtype.size() {
        1 => I::lane::<u8, M>(),
        2 => I::lane::<u16, M>(),
        4 => I::lane::<u32, M>(),
        8 => I::lane::<u64, M>(),
        _ => I::lane::<TwoWords, M>(),
    }
}
