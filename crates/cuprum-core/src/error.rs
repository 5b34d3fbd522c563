//! Errors: each carries the op that was called and what it received, and knows which Python class it becomes.

use std::borrow::Cow;
use std::fmt;

use crate::{Casting, DType, Dims, show_shape};

/// The result of anything that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// The name of the op an error comes from.
pub type OpName = Cow<'static, str>;

/// Everything that can go wrong, with what was received.
///
/// ```
/// use cuprum_core::{Error, Layout};
/// let error = Layout::contiguous(&[2, 3], 8).broadcast_to("add", &[4]).unwrap_err();
/// assert!(error.to_string().starts_with("add: "));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// Shapes that do not broadcast together.
    Broadcast {
        /// The op called.
        op: OpName,
        /// The shapes it received.
        shapes: Vec<Dims>,
    },
    /// An axis that the array does not have.
    Axis {
        /// The op called.
        op: OpName,
        /// The axis asked for.
        axis: i64,
        /// How many dimensions there are.
        ndim: usize,
    },
    /// An index beyond an axis.
    Index {
        /// The op called.
        op: OpName,
        /// The index as written.
        index: i64,
        /// The axis it indexes.
        axis: usize,
        /// The axis's length.
        size: usize,
    },
    /// An index of a wrong kind or number.
    BadIndex {
        /// The op called.
        op: OpName,
        /// What is wrong.
        message: String,
    },
    /// A cast that the casting rule forbids.
    Cast {
        /// The op called.
        op: OpName,
        /// The dtype received.
        from: DType,
        /// The dtype asked for.
        to: DType,
        /// The rule in force.
        casting: Casting,
    },
    /// No loop takes these dtypes.
    NoLoop {
        /// The op called.
        op: OpName,
        /// The dtypes received.
        dtypes: Vec<DType>,
    },
    /// A value or shape that the op cannot take.
    Value {
        /// The op called.
        op: OpName,
        /// What is wrong.
        message: String,
    },
    /// An argument of a wrong type.
    Type {
        /// The op called.
        op: OpName,
        /// What is wrong.
        message: String,
    },
    /// A division by zero that has no answer.
    ZeroDivision {
        /// The op called.
        op: OpName,
        /// What is wrong.
        message: String,
    },
    /// A matrix that has no such factorisation, or an iteration that did not end: NumPy's `LinAlgError`.
    Linalg {
        /// The op called.
        op: OpName,
        /// What is wrong.
        message: String,
    },
    /// What the host must know at once, asked for while a graph is recorded: nothing is computed before its launch.
    Recording {
        /// The op called.
        op: OpName,
    },
    /// A number that does not fit its dtype.
    Overflow {
        /// The op called.
        op: OpName,
        /// What is wrong.
        message: String,
    },
    /// Memory that could not be had.
    Memory {
        /// Bytes asked for.
        asked: usize,
        /// Bytes in use.
        used: usize,
        /// Bytes allowed, where a limit is set.
        limit: Option<usize>,
    },
    /// The user stopped the work.
    Interrupted,
    /// A fault of the device or of Cuprum itself.
    Device {
        /// What happened.
        message: String,
    },
}

impl Error {
    /// A [`Error::Value`].
    pub fn value(op: impl Into<OpName>, message: impl Into<String>) -> Error {
        Error::Value { op: op.into(), message: message.into() }
    }

    /// A [`Error::Type`].
    pub fn type_error(op: impl Into<OpName>, message: impl Into<String>) -> Error {
        Error::Type { op: op.into(), message: message.into() }
    }

    /// A [`Error::BadIndex`].
    pub fn bad_index(op: impl Into<OpName>, message: impl Into<String>) -> Error {
        Error::BadIndex { op: op.into(), message: message.into() }
    }

    /// A [`Error::ZeroDivision`].
    pub fn zero_division(op: impl Into<OpName>, message: impl Into<String>) -> Error {
        Error::ZeroDivision { op: op.into(), message: message.into() }
    }

    /// A [`Error::Linalg`].
    pub fn linalg(op: impl Into<OpName>, message: impl Into<String>) -> Error {
        Error::Linalg { op: op.into(), message: message.into() }
    }

    /// An [`Error::Overflow`].
    pub fn overflow(op: impl Into<OpName>, message: impl Into<String>) -> Error {
        Error::Overflow { op: op.into(), message: message.into() }
    }

    /// The op that was called, where the error is about its arguments.
    ///
    /// ```
    /// use cuprum_core::Error;
    /// assert_eq!(Error::value("take", "mode must be one of 'clip', 'raise', 'wrap'").op(), Some("take"));
    /// assert_eq!(Error::Interrupted.op(), None);
    /// ```
    pub fn op(&self) -> Option<&str> {
        match self {
            Error::Broadcast { op, .. }
            | Error::Axis { op, .. }
            | Error::Index { op, .. }
            | Error::BadIndex { op, .. }
            | Error::Cast { op, .. }
            | Error::NoLoop { op, .. }
            | Error::Value { op, .. }
            | Error::Type { op, .. }
            | Error::ZeroDivision { op, .. }
            | Error::Linalg { op, .. }
            | Error::Overflow { op, .. }
            | Error::Recording { op } => Some(op),
            Error::Memory { .. } | Error::Interrupted | Error::Device { .. } => None,
        }
    }

    /// The error of a part of `name` as that of `name` itself. [`Error::Index`] keeps its op: it may be that of an earlier
    /// call, which a GPU reports only now.
    ///
    /// ```
    /// use cuprum_core::Error;
    /// assert_eq!(Error::value("multiply", "no").in_op("round").to_string(), "round: no");
    /// ```
    pub fn in_op(mut self, name: impl Into<OpName>) -> Error {
        match &mut self {
            Error::Broadcast { op, .. }
            | Error::Axis { op, .. }
            | Error::BadIndex { op, .. }
            | Error::Cast { op, .. }
            | Error::NoLoop { op, .. }
            | Error::Value { op, .. }
            | Error::Type { op, .. }
            | Error::ZeroDivision { op, .. }
            | Error::Linalg { op, .. }
            | Error::Overflow { op, .. }
            | Error::Recording { op } => *op = name.into(),
            Error::Index { .. } | Error::Memory { .. } | Error::Interrupted | Error::Device { .. } => {}
        }
        self
    }

    /// [`Error::in_op`] for [`Error::Recording`] alone, which comes from a read of a result: whoever reads does not know for
    /// which op.
    pub fn recording_in(self, op: impl Into<OpName>) -> Error {
        if matches!(self, Error::Recording { .. }) { self.in_op(op) } else { self }
    }

    /// A [`Error::Device`].
    pub fn device(message: impl Into<String>) -> Error {
        Error::Device { message: message.into() }
    }
}

/// The op's name, where there is one, and what is wrong: `add: operands could not be broadcast ...`.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(op) = self.op() {
            write!(f, "{op}: ")?;
        }
        match self {
            Error::Broadcast { shapes, .. } => {
                let shown: Vec<String> = shapes.iter().map(|s| show_shape(s)).collect();
                write!(f, "operands could not be broadcast together with shapes {}", shown.join(" "))
            }
            Error::Axis { axis, ndim, .. } => {
                write!(f, "axis {axis} is out of bounds for array of dimension {ndim}")
            }
            Error::Index { index, axis, size, .. } => {
                write!(f, "index {index} is out of bounds for axis {axis} with size {size}")
            }
            Error::Cast { from, to, casting, .. } => {
                write!(f, "cannot cast from {from} to {to} according to the rule '{}'", casting.name())
            }
            Error::NoLoop { op, dtypes } => {
                let shown: Vec<&str> = dtypes.iter().map(|d| d.name()).collect();
                let instead = match (&**op, &dtypes[..]) {
                    ("subtract", [DType::Bool, DType::Bool]) => "; use `^`, bitwise_xor or logical_xor",
                    ("negative", [DType::Bool]) => "; use `~`, invert or logical_not",
                    _ => "",
                };
                write!(f, "not supported for the input types ({}){instead}", shown.join(", "))
            }
            Error::BadIndex { message, .. }
            | Error::Value { message, .. }
            | Error::Type { message, .. }
            | Error::Linalg { message, .. }
            | Error::ZeroDivision { message, .. }
            | Error::Overflow { message, .. }
            | Error::Device { message } => f.write_str(message),
            Error::Recording { .. } => f.write_str(
                "the host must know a result at once, which a graph cannot record: do this before begin_capture, or \
                 after the graph's launch",
            ),
            Error::Memory { asked, used, limit } => {
                write!(f, "out of memory: {asked} bytes asked for, {used} bytes in use")?;
                limit.map_or(Ok(()), |limit| write!(f, ", {limit} bytes allowed"))
            }
            Error::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Error {}
