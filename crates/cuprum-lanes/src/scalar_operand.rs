//! Lanes whose arguments beside the first are constants: one element each, which stays in a register of the processor
//! where a block of equal elements would be read along.

use std::marker::PhantomData;

use cuprum_core::{DType, Op, SimdLevel};

use super::Lane;
use super::arithmetic::{Add, Clip, Divide, Maximum, Minimum, Multiply, Subtract};
use super::comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
use super::families::{OnFloats, OnInts, ints};
use super::loops::{Avx2, Avx512, Isa, Map, Portable, Slot, WithScalar};
use crate::math::{self, ElementaryFunction2, Power, Real, ShortPower};

/// `G(b, a)`
pub(super) struct Swapped<G>(PhantomData<G>);

impl<T: Slot, G: Map<T, A = T, B = T, C = ()>> Map<T> for Swapped<G> {
    type A = T;
    type B = T;
    type C = ();
    type Out = G::Out;
    #[inline(always)]
    fn map(a: T, b: T, _: ()) -> G::Out {
        G::map(b, a, ())
    }
}

/// Powers beside a constant exponent, as one function each.
macro_rules! powers {
    ($($(#[$doc:meta])* $name:ident($a:ident, $b:ident) = $body:expr;)+) => {$(
        $(#[$doc])*
        struct $name;
        impl<T: Slot + Real> Map<T> for $name
        where
            Power: ElementaryFunction2<T>,
        {
            type A = T;
            type B = T;
            type C = ();
            type Out = T;
            #[inline(always)]
            fn map($a: T, $b: T, _: ()) -> T {
                $body
            }
        }
    )+};
}

powers! {
    /// Of any number.
    AnyPower(a, b) = <Power as ElementaryFunction2<T>>::slow(a, b);
    /// Where neither base nor power is out of the ordinary.
    OrdinaryPower(a, b) = <Power as ElementaryFunction2<T>>::fast(a, b);
    Cube(a, _b) = math::cube(a);
    RootOfCube(a, _b) = math::root_of_cube(a);
    InverseRootOfCube(a, _b) = math::inverse_root_of_cube(a);
}

/// Powers beside a constant exponent: by the short way where it has one.
///
/// # Safety
/// As a lane beside constants.
unsafe fn power<I: Isa, T: Slot + Real>(n: usize, dst: *mut u8, src: [*const u8; 3])
where
    Power: ElementaryFunction2<T>,
{
    // SAFETY: the caller vouches for one element.
    let exponent = unsafe { src[1].cast::<T>().read() };
    // SAFETY: the caller vouches for `n` elements; nothing is written while they are looked at.
    let bases = || unsafe { std::slice::from_raw_parts(src[0].cast::<T>(), n) };
    // All are looked at: a search for the first would go element by element.
    let are_moderate = || n > 0 && bases().iter().fold(true, |all, &base| all & math::is_moderate(base));
    let have_moderate_size =
        || n > 0 && bases().iter().fold(true, |all, &base| all & math::is_moderate(base.abs()));
    let are_ordinary = || {
        let reach = math::ordinary_bases(exponent);
        n > 0 && bases().iter().fold(true, |all, &base| all & base.is_from_to(reach.0, reach.1))
    };
    let run = match ShortPower::of(exponent) {
        None if are_ordinary() => I::lane::<T, OrdinaryPower>(),
        Some(ShortPower::Cube) if have_moderate_size() => I::lane::<T, Cube>(),
        Some(ShortPower::RootOfCube) if are_moderate() => I::lane::<T, RootOfCube>(),
        Some(ShortPower::InverseRootOfCube) if are_moderate() => I::lane::<T, InverseRootOfCube>(),
        _ => I::lane::<T, AnyPower>(),
    };
    // SAFETY: the caller's promise.
    unsafe { run(n, dst, src) }
}

/// The lane of an op whose arguments are constants but for the one at `place`: that one is the first source, and the others
/// follow with an element each. `None` where the op has no such loop for `dtype`: all its arguments are blocks then.
///
/// ```
/// use cuprum_core::{DType, Op};
/// use cuprum_core::SimdLevel;
/// use cuprum_lanes::with_scalar;
/// let a = [1.0, 2.0, 4.0];
/// let mut out = [0.0; 3];
/// let from_one = with_scalar(Op::Subtract, 1, DType::F64, SimdLevel::detect()).unwrap();
/// // SAFETY: two arrays of three doubles, and one double.
/// unsafe { from_one(3, out.as_mut_ptr().cast(), [a.as_ptr().cast(), (&raw const a[0]).cast(), a.as_ptr().cast()]) };
/// assert_eq!(out, [0.0, -1.0, -3.0]);
/// ```
pub fn with_scalar(op: Op, place: usize, dtype: DType, level: SimdLevel) -> Option<Lane> {
    if !op.has_loop(dtype) {
        return None;
    }
    match level {
        SimdLevel::Portable => bind::<WithScalar<Portable>>(op, place, dtype),
        SimdLevel::Avx2 => bind::<WithScalar<Avx2>>(op, place, dtype),
        SimdLevel::Avx512 => bind::<WithScalar<Avx512>>(op, place, dtype),
    }
}

fn bind<I: Isa>(op: Op, place: usize, dtype: DType) -> Option<Lane> {
    match (op, place) {
        // Sums and products are the same bits either way round.
        (Op::Add, _) => reals::<I, Add>(dtype),
        (Op::Multiply, _) => reals::<I, Multiply>(dtype),
        (Op::Subtract, 0) => reals::<I, Subtract>(dtype),
        (Op::Subtract, _) => reals::<I, Swapped<Subtract>>(dtype),
        (Op::Divide, 0) => floats::<I, Divide>(dtype),
        (Op::Divide, _) => floats::<I, Swapped<Divide>>(dtype),
        (Op::Maximum, 0) => reals::<I, Maximum>(dtype),
        (Op::Maximum, _) => reals::<I, Swapped<Maximum>>(dtype),
        (Op::Minimum, 0) => reals::<I, Minimum>(dtype),
        (Op::Minimum, _) => reals::<I, Swapped<Minimum>>(dtype),
        (Op::Clip, 0) => reals::<I, Clip>(dtype),
        (Op::Power | Op::FloatPower, 0) => match dtype {
            DType::F32 => Some(power::<I, f32>),
            DType::F64 => Some(power::<I, f64>),
            _ => None,
        },
        (Op::Equal, _) => reals::<I, Equal>(dtype),
        (Op::NotEqual, _) => reals::<I, NotEqual>(dtype),
        (Op::Less, 0) | (Op::Greater, 1) => reals::<I, Less>(dtype),
        (Op::LessEqual, 0) | (Op::GreaterEqual, 1) => reals::<I, LessEqual>(dtype),
        (Op::Greater, 0) | (Op::Less, 1) => reals::<I, Greater>(dtype),
        (Op::GreaterEqual, 0) | (Op::LessEqual, 1) => reals::<I, GreaterEqual>(dtype),
        _ => None,
    }
}

fn floats<I: Isa, M: OnFloats>(dtype: DType) -> Option<Lane> {
    match dtype {
        DType::F32 => Some(I::lane::<f32, M>()),
        DType::F64 => Some(I::lane::<f64, M>()),
        _ => None,
    }
}

fn reals<I: Isa, M: OnInts + OnFloats>(dtype: DType) -> Option<Lane> {
    floats::<I, M>(dtype).or_else(|| ints::<I, M>(dtype))
}
