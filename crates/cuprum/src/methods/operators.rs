//! The operators: arrays, references to them and numbers on either side. They panic with the error's message, since they have
//! no `Result` to give; the named methods do.

use std::ops::{
    Add, AddAssign, BitAnd, BitOr, BitXor, Div, DivAssign, Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl,
    Shr, Sub, SubAssign,
};

use cuprum_core::{Op, Result};

use crate::Array;
use crate::elementwise::{Arg, Options, apply, apply_assign};

/// The right operand of an operator: an array, a reference to one, or a number.
pub trait RightOperand {
    /// The operand as an op takes it.
    fn arg(&self) -> Arg<'_>;
}

impl RightOperand for Array {
    fn arg(&self) -> Arg<'_> {
        Arg::Array(self)
    }
}

impl RightOperand for &Array {
    fn arg(&self) -> Arg<'_> {
        Arg::Array(self)
    }
}

/// For `f64` this makes `impl RightOperand for f64 { fn arg(&self) -> Arg<'_> { Arg::from(*self) } }`
macro_rules! number_operands {
    ($($number:ty),*) => {$(
        impl RightOperand for $number {
            fn arg(&self) -> Arg<'_> {
                Arg::from(*self)
            }
        }
    )*};
}

number_operands!(f64, f32, i64, i32, bool);

/// For `Add`, `add`, `Op::Add` this makes the operator for arrays and references on the left, any operand on the right,
/// and for `f64` and `i64` on the left of an array:
/// `impl<T: RightOperand> Add<T> for &Array { type Output = Array; fn add(self, other: T) -> Array { ... } }`
macro_rules! operators {
    ($($trait:ident, $method:ident, $op:ident;)*) => {$(
        operators!(@left $trait, $method, $op, &Array, Array);
        operators!(@number $trait, $method, $op, f64, &Array);
        operators!(@number $trait, $method, $op, f64, Array);
        operators!(@number $trait, $method, $op, i64, &Array);
        operators!(@number $trait, $method, $op, i64, Array);
    )*};
    (@left $trait:ident, $method:ident, $op:ident, $($left:ty),*) => {$(
        impl<T: RightOperand> $trait<T> for $left {
            type Output = Array;

            fn $method(self, other: T) -> Array {
                computed(self.binary(Op::$op, other.arg()))
            }
        }
    )*};
    (@number $trait:ident, $method:ident, $op:ident, $number:ty, $array:ty) => {
        impl $trait<$array> for $number {
            type Output = Array;

            fn $method(self, other: $array) -> Array {
                computed(apply(Op::$op, &[Arg::from(self), other.arg()], &Options::default()))
            }
        }
    };
}

operators! {
    Add, add, Add;
    Sub, sub, Subtract;
    Mul, mul, Multiply;
    Div, div, Divide;
    Rem, rem, Remainder;
    BitAnd, bitand, BitwiseAnd;
    BitOr, bitor, BitwiseOr;
    BitXor, bitxor, BitwiseXor;
    Shl, shl, LeftShift;
    Shr, shr, RightShift;
}

/// For `AddAssign`, `add_assign`, `Op::Add` this makes
/// `impl<T: RightOperand> AddAssign<T> for Array { fn add_assign(&mut self, other: T) { ... } }`
macro_rules! assign_operators {
    ($($trait:ident, $method:ident, $op:ident;)*) => {$(
        impl<T: RightOperand> $trait<T> for Array {
            fn $method(&mut self, other: T) {
                computed(apply_assign(Op::$op, self, other.arg()))
            }
        }
    )*};
}

assign_operators! {
    AddAssign, add_assign, Add;
    SubAssign, sub_assign, Subtract;
    MulAssign, mul_assign, Multiply;
    DivAssign, div_assign, Divide;
    RemAssign, rem_assign, Remainder;
}

impl Neg for &Array {
    type Output = Array;

    fn neg(self) -> Array {
        computed(self.unary(Op::Negative))
    }
}

impl Neg for Array {
    type Output = Array;

    fn neg(self) -> Array {
        -&self
    }
}

impl Not for &Array {
    type Output = Array;

    fn not(self) -> Array {
        computed(self.unary(Op::Invert))
    }
}

impl Not for Array {
    type Output = Array;

    fn not(self) -> Array {
        !&self
    }
}

/// Operators have no `Result` to give: what went wrong is the panic's message.
fn computed<T>(result: Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}
