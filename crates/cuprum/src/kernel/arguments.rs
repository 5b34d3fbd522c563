//! The arguments of a launch: arrays, addresses, numbers, structs by their bytes.

use cuprum_core::{Number, Scalar};
use smallvec::SmallVec;

use crate::Array;

/// An argument of a launch.
///
/// ```
/// use cuprum::Array;
/// use cuprum::kernel::Argument;
/// let x = Array::from_slice(&[1.0f32, 2.0]);
/// let arguments = [Argument::from(&x), Argument::from(2)];
/// assert_eq!(arguments[0].describe(), "float32 array");
/// ```
#[derive(Clone, Debug)]
pub enum Argument {
    /// A null pointer.
    Null,
    /// An array, for a pointer to its elements.
    Array(Array),
    /// An array of one element that stands for its value: a number, or what a pointer to const points to.
    Element(Array),
    /// A view of one element of an array: a number, or a pointer to that element.
    ElementView(Array),
    /// Memory by its address.
    Memory {
        /// Where the pointer points.
        address: usize,
        /// The memory that may be reached: its first address and its size; looked up where it is not known.
        extent: Option<(usize, usize)>,
    },
    /// A number without a dtype: it takes the parameter's own type.
    Number(Number),
    /// A number of a dtype.
    Scalar(Scalar),
    /// A value of any other type by its bytes, and its name in messages.
    Bytes(SmallVec<[u8; 16]>, String),
    /// As `Bytes`; a smaller parameter takes only the first of them.
    Prefix(SmallVec<[u8; 16]>, String),
}

impl Argument {
    /// Its name in messages.
    pub fn describe(&self) -> String {
        match self {
            Argument::Null => "None".into(),
            Argument::Array(array) => format!("{} array", array.dtype()),
            Argument::Element(array) | Argument::ElementView(array) => {
                format!("single element of dtype {}", array.dtype())
            }
            Argument::Memory { .. } => "an address".into(),
            Argument::Number(Number::Bool(_)) => "bool".into(),
            Argument::Number(Number::Int(_) | Number::Huge(_)) => "int".into(),
            Argument::Number(Number::Float(_)) => "float".into(),
            Argument::Number(Number::Complex(..)) => "complex".into(),
            Argument::Scalar(scalar) => format!("{} scalar", scalar.dtype()),
            Argument::Bytes(_, what) | Argument::Prefix(_, what) => what.clone(),
        }
    }
}

impl From<&Array> for Argument {
    fn from(array: &Array) -> Argument {
        Argument::Array(array.clone())
    }
}

impl From<i32> for Argument {
    fn from(value: i32) -> Argument {
        Argument::Number(value.into())
    }
}

impl From<i64> for Argument {
    fn from(value: i64) -> Argument {
        Argument::Number(value.into())
    }
}

impl From<usize> for Argument {
    fn from(value: usize) -> Argument {
        Argument::Number(value.into())
    }
}

impl From<f32> for Argument {
    fn from(value: f32) -> Argument {
        Argument::Number(value.into())
    }
}

impl From<f64> for Argument {
    fn from(value: f64) -> Argument {
        Argument::Number(value.into())
    }
}

impl From<bool> for Argument {
    fn from(value: bool) -> Argument {
        Argument::Number(value.into())
    }
}

impl From<Scalar> for Argument {
    fn from(value: Scalar) -> Argument {
        Argument::Scalar(value)
    }
}
