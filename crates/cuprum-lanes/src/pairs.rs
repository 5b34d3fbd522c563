//! Lanes of two steps: a cheap function and the one that reads it, in one loop, so that what lies between them stays in
//! a register of the processor instead of a block in its first-level cache.
//!
//! Each element goes through the same two functions in the same order: the bits are those of the two lanes.

use std::marker::PhantomData;

use cuprum_core::{DType, Op, SimdLevel};

use super::Lane;
use super::arithmetic::{Absolute, Add, Divide, Maximum, Minimum, Multiply, Sqrt, Square, Subtract};
use super::comparison::{Greater, GreaterEqual, Less, LessEqual};
use super::element::Float;
use super::families::OnFloats;
use super::loops::{Avx2, Avx512, Isa, Map, Portable, Slot, WithScalar, maps};
use super::scalar_operand::Swapped;

/// The first function of a pair, of one or two arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum First {
    /// `a + b`
    Sum,
    /// `a - b`
    Difference,
    /// `a * b`
    Product,
    /// `a * a`
    Square,
    /// `a * a + b * b`
    SquareSum,
}

impl First {
    /// All of them.
    pub const ALL: [First; 5] =
        [First::Sum, First::Difference, First::Product, First::Square, First::SquareSum];

    /// How many arguments it has.
    pub fn arity(self) -> usize {
        if self == First::Square { 1 } else { 2 }
    }
}

/// The second function of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Second {
    /// An op of one or two arguments that takes the first's result at this place, 0 or 1.
    Op(Op, usize),
    /// The first's result and the square of another argument, added.
    AddSquare,
}

maps! {
    SquareSum<T: Float>(a: T, b: T) -> T = a.mul(a).add(b.mul(b));
    AddSquare<T: Float>(a: T, b: T) -> T = a.add(b.mul(b));
}

/// `G(F(a, b), c)`
struct Pair<F, G>(PhantomData<(F, G)>);

impl<T, F, G> Map<T> for Pair<F, G>
where
    T: Slot,
    F: Map<T, A = T, C = (), Out = T>,
    G: Map<T, A = T, C = ()>,
{
    type A = T;
    type B = F::B;
    type C = G::B;
    type Out = G::Out;
    #[inline(always)]
    fn map(a: T, b: F::B, c: G::B) -> G::Out {
        G::map(F::map(a, b, ()), c, ())
    }
}

/// The lane of a first function alone, which an op of the table need not be.
pub fn first(first: First, dtype: DType, level: SimdLevel) -> Option<Lane> {
    match first {
        First::Sum => super::lane(Op::Add, dtype, level),
        First::Difference => super::lane(Op::Subtract, dtype, level),
        First::Product => super::lane(Op::Multiply, dtype, level),
        First::Square => super::lane(Op::Square, dtype, level),
        First::SquareSum => match level {
            SimdLevel::Portable => floats::<Portable, SquareSum>(dtype),
            SimdLevel::Avx2 => floats::<Avx2, SquareSum>(dtype),
            SimdLevel::Avx512 => floats::<Avx512, SquareSum>(dtype),
        },
    }
}

/// The lane of a pair: the first function's arguments are the first and, if it has one, the second source; the second
/// function's other argument is the third. `None` where the pair has no loop of its own.
///
/// ```
/// use cuprum_core::{DType, Op};
/// use cuprum_core::SimdLevel;
/// use cuprum_lanes::{First, Second, pair};
/// let (a, b, c) = ([1.0, 2.0], [3.0, 4.0], [10.0, 20.0]);
/// let mut out = [0.0; 2];
/// let multiply_add = pair(First::Product, Second::Op(Op::Add, 0), DType::F64, SimdLevel::detect()).unwrap();
/// // SAFETY: four arrays of two doubles each.
/// unsafe {
///     multiply_add(2, out.as_mut_ptr().cast(), [&a, &b, &c].map(|x: &[f64; 2]| x.as_ptr().cast()));
/// }
/// assert_eq!(out, [13.0, 28.0]);
/// ```
pub fn pair(first: First, second: Second, dtype: DType, level: SimdLevel) -> Option<Lane> {
    match level {
        SimdLevel::Portable => begun::<Portable>(first, second, dtype),
        SimdLevel::Avx2 => begun::<Avx2>(first, second, dtype),
        SimdLevel::Avx512 => begun::<Avx512>(first, second, dtype),
    }
}

/// The lane of a pair whose arguments are constants but for the first, one element each. `None` where the pair has no loop
/// of its own, or no argument beside the first.
///
/// ```
/// use cuprum_core::{DType, Op};
/// use cuprum_core::SimdLevel;
/// use cuprum_lanes::{First, Second, pair_with_scalar};
/// let mut x = [1.0, 2.0, 3.0];
/// let (two, one) = (2.0f64, 1.0f64);
/// let affine = pair_with_scalar(First::Product, Second::Op(Op::Add, 0), DType::F64, SimdLevel::detect()).unwrap();
/// // SAFETY: an array of three doubles in place, and two doubles.
/// unsafe {
///     let place = x.as_mut_ptr().cast::<u8>();
///     affine(3, place, [place.cast_const(), (&raw const two).cast(), (&raw const one).cast()]);
/// }
/// assert_eq!(x, [3.0, 5.0, 7.0]);
/// ```
pub fn pair_with_scalar(first: First, second: Second, dtype: DType, level: SimdLevel) -> Option<Lane> {
    match level {
        SimdLevel::Portable => begun_with_scalar::<WithScalar<Portable>>(first, second, dtype),
        SimdLevel::Avx2 => begun_with_scalar::<WithScalar<Avx2>>(first, second, dtype),
        SimdLevel::Avx512 => begun_with_scalar::<WithScalar<Avx512>>(first, second, dtype),
    }
}

fn floats<I: Isa, M: OnFloats>(dtype: DType) -> Option<Lane> {
    match dtype {
        DType::F32 => Some(I::lane::<f32, M>()),
        DType::F64 => Some(I::lane::<f64, M>()),
        _ => None,
    }
}

fn begun<I: Isa>(first: First, second: Second, dtype: DType) -> Option<Lane> {
    match first {
        First::Sum => ended::<I, Add>(second, dtype),
        First::Difference => ended::<I, Subtract>(second, dtype),
        First::Product => ended::<I, Multiply>(second, dtype),
        First::Square => ended::<I, Square>(second, dtype),
        First::SquareSum => ended::<I, SquareSum>(second, dtype),
    }
}

fn begun_with_scalar<I: Isa>(first: First, second: Second, dtype: DType) -> Option<Lane> {
    match first {
        First::Sum => ended::<I, Add>(second, dtype),
        First::Difference => ended::<I, Subtract>(second, dtype),
        First::Product => ended::<I, Multiply>(second, dtype),
        First::Square => ended::<I, Square>(second, dtype),
        First::SquareSum => None,
    }
}

fn ended<I: Isa, F>(second: Second, dtype: DType) -> Option<Lane>
where
    F: Map<f32, A = f32, C = (), Out = f32> + Map<f64, A = f64, C = (), Out = f64> + 'static,
{
    let (op, place) = match second {
        Second::AddSquare => return floats::<I, Pair<F, AddSquare>>(dtype),
        Second::Op(op, place) => (op, place),
    };
    match (op, place) {
        (Op::Sqrt, _) => floats::<I, Pair<F, Sqrt>>(dtype),
        (Op::Absolute | Op::Fabs, _) => floats::<I, Pair<F, Absolute>>(dtype),
        (Op::Square, _) => floats::<I, Pair<F, Square>>(dtype),
        // Sums and products are the same bits either way round.
        (Op::Add, _) => floats::<I, Pair<F, Add>>(dtype),
        (Op::Multiply, _) => floats::<I, Pair<F, Multiply>>(dtype),
        (Op::Subtract, 0) => floats::<I, Pair<F, Subtract>>(dtype),
        (Op::Subtract, _) => floats::<I, Pair<F, Swapped<Subtract>>>(dtype),
        (Op::Divide, 0) => floats::<I, Pair<F, Divide>>(dtype),
        (Op::Divide, _) => floats::<I, Pair<F, Swapped<Divide>>>(dtype),
        (Op::Maximum, 0) => floats::<I, Pair<F, Maximum>>(dtype),
        (Op::Minimum, 0) => floats::<I, Pair<F, Minimum>>(dtype),
        (Op::Less, 0) | (Op::Greater, 1) => floats::<I, Pair<F, Less>>(dtype),
        (Op::LessEqual, 0) | (Op::GreaterEqual, 1) => floats::<I, Pair<F, LessEqual>>(dtype),
        (Op::Greater, 0) | (Op::Less, 1) => floats::<I, Pair<F, Greater>>(dtype),
        (Op::GreaterEqual, 0) | (Op::LessEqual, 1) => floats::<I, Pair<F, GreaterEqual>>(dtype),
        _ => None,
    }
}
