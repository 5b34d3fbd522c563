//! The methods of [`Array`], and its operators (`operators.rs`): named methods give a `Result`, operators panic with the
//! error's message.

mod operators;

use cuprum_core::{Index, Number, Op, Order, Reduction, Result, Scalar};

use crate::elementwise::{Arg, Options, apply, assign};
use crate::indexing::{self, Item};
use crate::reduction::{self, ReduceOptions};
use crate::{Array, manipulation, products, scan};

/// For `sqrt`, `Sqrt`, "Non-negative square root.", `[4.0]` and `f64: [2.0]` this makes, with the example as a doc test:
/// `pub fn sqrt(&self) -> Result<Array> { self.unary(Op::Sqrt) }`
macro_rules! unary_methods {
    ($($name:ident, $op:ident, $doc:literal, $input:expr => $type:ident: $output:expr;)*) => {
        impl Array {$(
            #[doc = $doc]
            #[doc = concat!(
                "\n```\nlet a = cuprum::Array::from_slice(&", stringify!($input), ").", stringify!($name),
                "().unwrap();\nassert_eq!(a.to_vec::<", stringify!($type), ">().unwrap(), ", stringify!($output),
                ");\n```"
            )]
            pub fn $name(&self) -> Result<Array> {
                self.unary(Op::$op)
            }
        )*}
    };
}

/// For `maximum`, `Maximum`, "Larger of each pair.", `[1.0, 5.0], 3.0` and `f64: [3.0, 5.0]` this makes, with the example
/// as a doc test: `pub fn maximum<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Array> { self.binary(Op::Maximum, other) }`
macro_rules! binary_methods {
    ($($name:ident, $op:ident, $doc:literal, $left:expr, $right:expr => $type:ident: $output:expr;)*) => {
        impl Array {$(
            #[doc = $doc]
            #[doc = concat!(
                "\n```\nlet a = cuprum::Array::from_slice(&", stringify!($left), ").", stringify!($name), "(",
                stringify!($right), ").unwrap();\nassert_eq!(a.to_vec::<", stringify!($type), ">().unwrap(), ",
                stringify!($output), ");\n```"
            )]
            pub fn $name<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Array> {
                self.binary(Op::$op, other)
            }
        )*}
    };
}

unary_methods! {
    negative, Negative, "Each element with its sign turned.", [1.5, -2.0] => f64: [-1.5, 2.0];
    absolute, Absolute, "Distance of each element from zero.", [-1.5, 2.0] => f64: [1.5, 2.0];
    fabs, Fabs, "Distance of each element from zero, as a floating-point number.", [-1.5] => f64: [1.5];
    sign, Sign, "-1, 0 or 1 as each element is below, at or above zero.", [-2.5, 0.0] => f64: [-1.0, 0.0];
    reciprocal, Reciprocal, "One divided by each element.", [2.0] => f64: [0.5];
    square, Square, "Each element times itself.", [3.0] => f64: [9.0];
    sqrt, Sqrt, "Non-negative square root of each element.", [4.0, 2.25] => f64: [2.0, 1.5];
    cbrt, Cbrt, "Cube root of each element.", [8.0] => f64: [2.0];
    conjugate, Conjugate, "Complex conjugate of each element.", [1.0] => f64: [1.0];
    angle, Angle, "Angle of each element from the positive real axis.", [1.0] => f64: [0.0];
    exp, Exp, "Exponential of each element.", [0.0] => f64: [1.0];
    exp2, Exp2, "Two to the power of each element.", [3.0] => f64: [8.0];
    expm1, Expm1, "`exp(x) - 1`, accurate near zero.", [0.0] => f64: [0.0];
    log, Log, "Natural logarithm of each element.", [1.0] => f64: [0.0];
    log2, Log2, "Logarithm to base two.", [8.0] => f64: [3.0];
    log10, Log10, "Logarithm to base ten.", [100.0] => f64: [2.0];
    log1p, Log1p, "`log(1 + x)`, accurate near zero.", [0.0] => f64: [0.0];
    sin, Sin, "Sine of each element.", [0.0] => f64: [0.0];
    cos, Cos, "Cosine of each element.", [0.0] => f64: [1.0];
    tan, Tan, "Tangent of each element.", [0.0] => f64: [0.0];
    arcsin, Arcsin, "Inverse sine.", [0.0] => f64: [0.0];
    arccos, Arccos, "Inverse cosine.", [1.0] => f64: [0.0];
    arctan, Arctan, "Inverse tangent.", [0.0] => f64: [0.0];
    sinh, Sinh, "Hyperbolic sine.", [0.0] => f64: [0.0];
    cosh, Cosh, "Hyperbolic cosine.", [0.0] => f64: [1.0];
    tanh, Tanh, "Hyperbolic tangent.", [0.0] => f64: [0.0];
    arcsinh, Arcsinh, "Inverse hyperbolic sine.", [0.0] => f64: [0.0];
    arccosh, Arccosh, "Inverse hyperbolic cosine.", [1.0] => f64: [0.0];
    arctanh, Arctanh, "Inverse hyperbolic tangent.", [0.0] => f64: [0.0];
    degrees, Degrees, "Radians in degrees.", [0.0] => f64: [0.0];
    radians, Radians, "Degrees in radians.", [0.0] => f64: [0.0];
    sinc, Sinc, "`sin(pi x) / (pi x)`, and 1 at zero.", [0.0] => f64: [1.0];
    rint, Rint, "Nearest whole number, ties to even.", [2.5, -1.2] => f64: [2.0, -1.0];
    floor, Floor, "Largest whole number not above each element.", [-1.5] => f64: [-2.0];
    ceil, Ceil, "Smallest whole number not below each element.", [1.2] => f64: [2.0];
    trunc, Trunc, "Each element without its fraction.", [-1.5] => f64: [-1.0];
    isnan, Isnan, "Whether each element is not a number.", [1.0, f64::NAN] => bool: [false, true];
    isinf, Isinf, "Whether each element is infinite.", [1.0, f64::INFINITY] => bool: [false, true];
    isfinite, Isfinite, "Whether each element is finite.", [1.0, f64::NAN] => bool: [true, false];
    signbit, Signbit, "Whether each element's sign bit is set.", [1.0, -0.0] => bool: [false, true];
    spacing, Spacing, "Distance to the next larger number.", [1.0] => f64: [f64::EPSILON];
    logical_not, LogicalNot, "Whether each element is zero.", [0, 3] => bool: [true, false];
    invert, Invert, "Each element with its bits turned.", [0i32, 5] => i32: [-1, -6];
    bitwise_count, BitwiseCount, "Number of set bits of each element's magnitude.", [7i32, 8] => u8: [3, 1];
}

binary_methods! {
    maximum, Maximum, "Larger of each pair; NaN where either is.", [1.0, 5.0], 3.0 => f64: [3.0, 5.0];
    minimum, Minimum, "Smaller of each pair; NaN where either is.", [1.0, 5.0], 3.0 => f64: [1.0, 3.0];
    fmax, Fmax, "Larger of each pair, passing over NaN.", [f64::NAN, 5.0], 3.0 => f64: [3.0, 5.0];
    fmin, Fmin, "Smaller of each pair, passing over NaN.", [f64::NAN, 5.0], 3.0 => f64: [3.0, 3.0];
    power, Power, "First operand to the power of the second.", [2.0, 3.0], 2.0 => f64: [4.0, 9.0];
    float_power, FloatPower, "Powers computed in float64 or complex128.", [2, 4], -1.0 => f64: [0.5, 0.25];
    floor_divide, FloorDivide, "Quotients rounded down.", [7, -7], 2 => i32: [3, -4];
    fmod, Fmod, "What a division rounded towards zero leaves.", [7, -7], 3 => i32: [1, -1];
    arctan2, Arctan2, "Angle of the point with ordinate `self` and abscissa `other`.", [0.0], 1.0 => f64: [0.0];
    hypot, Hypot, "Length of the hypotenuse.", [3.0], 4.0 => f64: [5.0];
    logaddexp, Logaddexp, "`log(exp(a) + exp(b))`.", [f64::NEG_INFINITY], 2.0 => f64: [2.0];
    logaddexp2, Logaddexp2, "`log2(2**a + 2**b)`.", [1.0], 1.0 => f64: [2.0];
    copysign, Copysign, "First operand with the sign of the second.", [2.0], -1.0 => f64: [-2.0];
    nextafter, Nextafter, "Next number from the first towards the second.", [1.0], 2.0 => f64: [1.0 + f64::EPSILON];
    heaviside, Heaviside, "0 below zero, 1 above, the second operand at zero.", [-1.0, 0.0], 0.5 => f64: [0.0, 0.5];
    equal, Equal, "Whether the elements of each pair are equal.", [1, 2], 2 => bool: [false, true];
    not_equal, NotEqual, "Whether the elements of each pair differ.", [1, 2], 2 => bool: [true, false];
    less, Less, "Whether the first is below the second.", [1, 2], 2 => bool: [true, false];
    less_equal, LessEqual, "Whether the first is at or below the second.", [1, 3], 2 => bool: [true, false];
    greater, Greater, "Whether the first is above the second.", [1, 3], 2 => bool: [false, true];
    greater_equal, GreaterEqual, "Whether the first is at or above the second.", [1, 2], 2 => bool: [false, true];
    logical_and, LogicalAnd, "Whether both are other than zero.", [0, 2], 3 => bool: [false, true];
    logical_or, LogicalOr, "Whether either is other than zero.", [0, 2], 0 => bool: [false, true];
    logical_xor, LogicalXor, "Whether just one is other than zero.", [0, 2], 3 => bool: [true, false];
    gcd, Gcd, "Greatest common divisor.", [12], 18 => i32: [6];
    lcm, Lcm, "Least common multiple.", [4], 6 => i32: [12];
}

impl Array {
    /// Any op of one argument.
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// assert_eq!(Array::from_slice(&[4.0]).unary(Op::Sqrt).unwrap().item::<f64>().unwrap(), 2.0);
    /// ```
    pub fn unary(&self, op: Op) -> Result<Array> {
        apply(op, &[Arg::Array(self)], &Options::default())
    }

    /// Any op of two arguments.
    ///
    /// ```
    /// use cuprum::prelude::*;
    /// assert_eq!(Array::from_slice(&[4.0]).binary(Op::Add, 1.0).unwrap().item::<f64>().unwrap(), 5.0);
    /// ```
    pub fn binary<'a>(&self, op: Op, other: impl Into<Arg<'a>>) -> Result<Array> {
        apply(op, &[Arg::Array(self), other.into()], &Options::default())
    }

    /// Modified Bessel function of the first kind, of order zero.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1.0]).i0().unwrap();
    /// assert!((a.item::<f64>().unwrap() - 1.2660658777520084).abs() < 1e-15);
    /// ```
    pub fn i0(&self) -> Result<Array> {
        self.unary(Op::I0)
    }

    /// `yes` where this array holds, `no` elsewhere: `numpy.where`.
    ///
    /// ```
    /// use cuprum::Array;
    /// let a = Array::from_slice(&[true, false]).choose_between(1.5, 2.5).unwrap();
    /// assert_eq!(a.to_vec::<f64>().unwrap(), vec![1.5, 2.5]);
    /// ```
    pub fn choose_between<'a, 'b>(&self, yes: impl Into<Arg<'a>>, no: impl Into<Arg<'b>>) -> Result<Array> {
        apply(Op::Where, &[Arg::Array(self), yes.into(), no.into()], &Options::default())
    }

    /// Each element brought into an interval.
    ///
    /// ```
    /// use cuprum::Array;
    /// assert_eq!(Array::from_slice(&[-2, 3, 12]).clip(0, 10).unwrap().to_vec::<i32>().unwrap(), vec![0, 3, 10]);
    /// ```
    pub fn clip<'a, 'b>(&self, low: impl Into<Arg<'a>>, high: impl Into<Arg<'b>>) -> Result<Array> {
        apply(Op::Clip, &[Arg::Array(self), low.into(), high.into()], &Options::default())
    }

    /// The sum of all elements.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[1.0, 2.5]).sum().unwrap().item::<f64>().unwrap(), 3.5);
    /// ```
    pub fn sum(&self) -> Result<Array> {
        reduction::sum(self, &ReduceOptions::default())
    }

    /// The sums along an axis.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
    /// assert_eq!(a.sum_axis(0).unwrap().to_vec::<i64>().unwrap(), vec![4, 6]);
    /// ```
    pub fn sum_axis(&self, axis: i64) -> Result<Array> {
        reduction::sum(self, &ReduceOptions { axes: Some(&[axis]), ..Default::default() })
    }

    /// The product of all elements.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[2.0, 2.5]).prod().unwrap().item::<f64>().unwrap(), 5.0);
    /// ```
    pub fn prod(&self) -> Result<Array> {
        reduction::prod(self, &ReduceOptions::default())
    }

    /// The products along an axis.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
    /// assert_eq!(a.prod_axis(1).unwrap().to_vec::<i64>().unwrap(), vec![2, 12]);
    /// ```
    pub fn prod_axis(&self, axis: i64) -> Result<Array> {
        reduction::prod(self, &ReduceOptions { axes: Some(&[axis]), ..Default::default() })
    }

    /// The mean of all elements.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[1, 2]).mean().unwrap().item::<f64>().unwrap(), 1.5);
    /// ```
    pub fn mean(&self) -> Result<Array> {
        reduction::mean(self, &ReduceOptions::default())
    }

    /// The means along an axis.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
    /// assert_eq!(a.mean_axis(0).unwrap().to_vec::<f64>().unwrap(), vec![2.0, 3.0]);
    /// ```
    pub fn mean_axis(&self, axis: i64) -> Result<Array> {
        reduction::mean(self, &ReduceOptions { axes: Some(&[axis]), ..Default::default() })
    }

    /// The variance of all elements.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[1.0, 3.0]).var().unwrap().item::<f64>().unwrap(), 1.0);
    /// ```
    pub fn var(&self) -> Result<Array> {
        reduction::var(self, 0.0, &ReduceOptions::default())
    }

    /// The standard deviation of all elements.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[1.0, 5.0]).std().unwrap().item::<f64>().unwrap(), 2.0);
    /// ```
    pub fn std(&self) -> Result<Array> {
        reduction::std(self, 0.0, &ReduceOptions::default())
    }

    /// The largest element.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[1, 5, 3]).max().unwrap().item::<i32>().unwrap(), 5);
    /// ```
    pub fn max(&self) -> Result<Array> {
        reduction::max(self, None, false)
    }

    /// The largest elements along an axis.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
    /// assert_eq!(a.max_axis(1).unwrap().to_vec::<i32>().unwrap(), vec![2, 4]);
    /// ```
    pub fn max_axis(&self, axis: i64) -> Result<Array> {
        reduction::max(self, Some(&[axis]), false)
    }

    /// The smallest element.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[4, 1, 3]).min().unwrap().item::<i32>().unwrap(), 1);
    /// ```
    pub fn min(&self) -> Result<Array> {
        reduction::min(self, None, false)
    }

    /// The smallest elements along an axis.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
    /// assert_eq!(a.min_axis(1).unwrap().to_vec::<i32>().unwrap(), vec![1, 3]);
    /// ```
    pub fn min_axis(&self, axis: i64) -> Result<Array> {
        reduction::min(self, Some(&[axis]), false)
    }

    /// The position of the first largest element of the flattened array.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[1, 5, 5]).argmax().unwrap().item::<i64>().unwrap(), 1);
    /// ```
    pub fn argmax(&self) -> Result<Array> {
        reduction::argextremum(Reduction::ArgMax, self, None, false, None)
    }

    /// The positions of the first largest elements along an axis.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2, 4, 3]).reshape(&[2, 2]).unwrap();
    /// assert_eq!(a.argmax_axis(1).unwrap().to_vec::<i64>().unwrap(), vec![1, 0]);
    /// ```
    pub fn argmax_axis(&self, axis: i64) -> Result<Array> {
        reduction::argextremum(Reduction::ArgMax, self, Some(axis), false, None)
    }

    /// The position of the first smallest element of the flattened array.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[4, 1, 1]).argmin().unwrap().item::<i64>().unwrap(), 1);
    /// ```
    pub fn argmin(&self) -> Result<Array> {
        reduction::argextremum(Reduction::ArgMin, self, None, false, None)
    }

    /// The positions of the first smallest elements along an axis.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2, 4, 3]).reshape(&[2, 2]).unwrap();
    /// assert_eq!(a.argmin_axis(1).unwrap().to_vec::<i64>().unwrap(), vec![0, 1]);
    /// ```
    pub fn argmin_axis(&self, axis: i64) -> Result<Array> {
        reduction::argextremum(Reduction::ArgMin, self, Some(axis), false, None)
    }

    /// Whether any element is other than zero.
    ///
    /// ```
    /// assert!(cuprum::Array::from_slice(&[0, 2]).any().unwrap().item::<bool>().unwrap());
    /// ```
    pub fn any(&self) -> Result<Array> {
        reduction::any(self, &ReduceOptions::default())
    }

    /// Whether all elements are other than zero.
    ///
    /// ```
    /// assert!(!cuprum::Array::from_slice(&[0, 2]).all().unwrap().item::<bool>().unwrap());
    /// ```
    pub fn all(&self) -> Result<Array> {
        reduction::all(self, &ReduceOptions::default())
    }

    /// Running sums along an axis.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[1.0, 2.0]).cumsum(0).unwrap().to_vec::<f64>().unwrap(), vec![1.0, 3.0]);
    /// ```
    pub fn cumsum(&self, axis: i64) -> Result<Array> {
        scan::cumsum(self, Some(axis), None, None)
    }

    /// Running products along an axis.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[2.0, 3.0]).cumprod(0).unwrap().to_vec::<f64>().unwrap(), vec![2.0, 6.0]);
    /// ```
    pub fn cumprod(&self, axis: i64) -> Result<Array> {
        scan::cumprod(self, Some(axis), None, None)
    }

    /// The same elements under another shape; one length may be -1.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, -1]).unwrap().shape(), &[2, 2]);
    /// ```
    pub fn reshape(&self, shape: &[i64]) -> Result<Array> {
        manipulation::reshape(self, shape, Order::C)
    }

    /// The axes reversed. A view.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2, 3, 4]).reshape(&[1, 4]).unwrap();
    /// assert_eq!(a.transpose().shape(), &[4, 1]);
    /// ```
    pub fn transpose(&self) -> Array {
        self.with_layout(self.layout().transpose())
    }

    /// The axes in a given order. A view.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2, 3, 4]).reshape(&[1, 2, 2]).unwrap();
    /// assert_eq!(a.permute(&[1, 0, 2]).unwrap().shape(), &[2, 1, 2]);
    /// ```
    pub fn permute(&self, axes: &[i64]) -> Result<Array> {
        manipulation::transpose(self, Some(axes))
    }

    /// The elements in one dimension.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
    /// assert_eq!(a.ravel().unwrap().shape(), &[4]);
    /// ```
    pub fn ravel(&self) -> Result<Array> {
        manipulation::ravel(self, Order::C)
    }

    /// Without axes of length one. A view.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2]).reshape(&[1, 2]).unwrap();
    /// assert_eq!(a.squeeze().shape(), &[2]);
    /// ```
    pub fn squeeze(&self) -> Array {
        let long: Vec<usize> = (0..self.ndim()).filter(|&axis| self.shape()[axis] != 1).collect();
        self.with_layout(self.layout().permute(&long))
    }

    /// Stretched to a shape, without a copy.
    ///
    /// ```
    /// assert_eq!(cuprum::Array::from_slice(&[1, 2]).broadcast_to(&[3, 2]).unwrap().shape(), &[3, 2]);
    /// ```
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Array> {
        manipulation::broadcast_to(self, shape)
    }

    /// The matrix product.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1.0, 2.0, 3.0, 4.0]).reshape(&[2, 2]).unwrap();
    /// assert_eq!(a.matmul(&a).unwrap().to_vec::<f64>().unwrap(), vec![7.0, 10.0, 15.0, 22.0]);
    /// ```
    pub fn matmul(&self, other: &Array) -> Result<Array> {
        products::matmul(self, other, None)
    }

    /// The dot product: of vectors, the sum of products; of matrices, the matrix product.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1.0, 2.0]);
    /// assert_eq!(a.dot(&a).unwrap().item::<f64>().unwrap(), 5.0);
    /// ```
    pub fn dot(&self, other: &Array) -> Result<Array> {
        products::dot(self, other, None)
    }

    /// Elements by any index, integer and bool arrays among them: a copy where there are such, else a view.
    ///
    /// ```
    /// use cuprum::{Array, indexing::Item};
    /// let a = Array::from_slice(&[10, 20, 30]);
    /// let picks = Array::from_slice(&[2i64, 0]);
    /// assert_eq!(a.get(&[Item::Array(&picks)]).unwrap().to_vec::<i32>().unwrap(), vec![30, 10]);
    /// ```
    pub fn get(&self, items: &[Item<'_>]) -> Result<Array> {
        indexing::get(self, items)
    }

    /// Stores a value into the elements that an index selects.
    ///
    /// ```
    /// use cuprum::{Array, indexing::Item};
    /// let a = Array::from_slice(&[10, 20, 30]);
    /// let mask = a.greater(15).unwrap();
    /// a.set(&[Item::Mask(&mask)], 0).unwrap();
    /// assert_eq!(a.to_vec::<i32>().unwrap(), vec![10, 0, 0]);
    /// ```
    pub fn set<'a>(&self, items: &[Item<'_>], value: impl Into<Arg<'a>>) -> Result<()> {
        indexing::set(self, items, value.into())
    }

    /// Stores a value into a basic index: integers, slices, new axes.
    ///
    /// ```
    /// use cuprum::{Array, Index};
    /// let a = Array::from_slice(&[1, 2, 3]);
    /// a.set_index(&[Index::Slice { start: Some(1), stop: None, step: 1 }], 7).unwrap();
    /// assert_eq!(a.to_vec::<i32>().unwrap(), vec![1, 7, 7]);
    /// ```
    pub fn set_index<'a>(&self, items: &[Index], value: impl Into<Arg<'a>>) -> Result<()> {
        assign("index", &self.index(items)?, value.into(), None)
    }

    /// An array of one value like this one.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1.0, 2.0]);
    /// assert_eq!(a.full_like(7).unwrap().to_vec::<f64>().unwrap(), vec![7.0, 7.0]);
    /// ```
    pub fn full_like(&self, value: impl Into<Number>) -> Result<Array> {
        let value = Scalar::new("full_like", value.into(), self.dtype())?;
        crate::creation::full_like("full_like", self, value, Order::K)
    }
}
