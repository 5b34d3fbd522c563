//! The methods of [`Array`], and its operators (`operators.rs`): named methods give a `Result`, operators panic with the
//! error's message.

mod operators;

use cuprum_core::{Index, Number, Op, Order, Reduction, Result, Scalar, for_each_op};

use crate::elementwise::{Arg, Options, apply, assign};
use crate::indexing::{self, Item};
use crate::reduction::{self, ReduceOptions};
use crate::{Array, manipulation, products, scan};

/// For the row of `sqrt` this makes, with the row's documentation and its example as a doc test,
/// `pub fn sqrt(&self) -> Result<Array> { self.unary(Op::Sqrt) }`, for that of `maximum`
/// `pub fn maximum<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Array> { self.binary(Op::Maximum, other) }`.
macro_rules! methods {
    ($(
        #[doc = $doc:literal]
        $op:ident $(, $input:tt.$name:ident($($other:expr)?) => $type:ident $output:tt)? : $row:expr;
    )*) => {
        $($(methods! { @one $doc $op $input $name ($($other)?) $type $output })?)*
    };
    (@one $doc:literal $op:ident $input:tt $name:ident () $type:ident $output:tt) => {
        impl Array {
            #[doc = $doc]
            #[doc = concat!(
                "\n```\nlet a = cuprum::Array::from_slice(&", stringify!($input), ").", stringify!($name),
                "().unwrap();\nassert_eq!(a.to_vec::<", stringify!($type), ">().unwrap(), ", stringify!($output),
                ");\n```"
            )]
            pub fn $name(&self) -> Result<Array> {
                self.unary(Op::$op)
            }
        }
    };
    (@one $doc:literal $op:ident $input:tt $name:ident ($other:expr) $type:ident $output:tt) => {
        impl Array {
            #[doc = $doc]
            #[doc = concat!(
                "\n```\nlet a = cuprum::Array::from_slice(&", stringify!($input), ").", stringify!($name), "(",
                stringify!($other), ").unwrap();\nassert_eq!(a.to_vec::<", stringify!($type), ">().unwrap(), ",
                stringify!($output), ");\n```"
            )]
            pub fn $name<'a>(&self, other: impl Into<Arg<'a>>) -> Result<Array> {
                self.binary(Op::$op, other)
            }
        }
    };
}
for_each_op!(methods);

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

    /// `yes` where this array is true, `no` elsewhere: `numpy.where`.
    ///
    /// ```
    /// use cuprum::Array;
    /// let a = Array::from_slice(&[true, false]).choose_between(1.5, 2.5).unwrap();
    /// assert_eq!(a.to_vec::<f64>().unwrap(), vec![1.5, 2.5]);
    /// ```
    pub fn choose_between<'a, 'b>(&self, yes: impl Into<Arg<'a>>, no: impl Into<Arg<'b>>) -> Result<Array> {
        apply(Op::Where, &[Arg::Array(self), yes.into(), no.into()], &Options::default())
    }

    /// Each element limited to an interval.
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

    /// The flattened array: a view where strides allow it, else a copy.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
    /// assert_eq!(a.ravel().unwrap().shape(), &[4]);
    /// ```
    pub fn ravel(&self) -> Result<Array> {
        manipulation::ravel(self, Order::C)
    }

    /// Removes all axes of length one. A view.
    ///
    /// ```
    /// let a = cuprum::Array::from_slice(&[1, 2]).reshape(&[1, 2]).unwrap();
    /// assert_eq!(a.squeeze().shape(), &[2]);
    /// ```
    pub fn squeeze(&self) -> Array {
        let long: Vec<usize> = (0..self.ndim()).filter(|&axis| self.shape()[axis] != 1).collect();
        self.with_layout(self.layout().permute(&long))
    }

    /// Broadcast to a shape, without a copy.
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

    /// Elements by any index: a copy if integer or bool arrays are among the items, else a view.
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

    /// An array of this one's shape, dtype and memory order, filled with one value.
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
