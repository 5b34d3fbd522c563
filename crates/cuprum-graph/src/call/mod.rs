//! Library calls: what a device runs as a whole, matched exhaustively by each of them.

mod count;
mod fft;
mod filter;
mod interpolate;
mod linalg;
mod random;
mod recurrence;
mod sort;
mod sparse;

use cuprum_core::{DType, Layout, Op, Reduction};

use crate::{Buffer, DeferredCheck, ReportTo};

pub use count::CountCall;
pub use fft::{FftCall, FftKind};
pub use filter::{Boundary, Extension, FilterCall, Footprint, LineOp, WindowOp};
pub use interpolate::InterpolateCall;
pub use linalg::{LinalgCall, QrResult};
pub use random::{RandomCall, RandomParameter};
pub use recurrence::RecurrenceCall;
pub use sort::{Side, SortCall};
pub use sparse::{
    SparseGroupCall, SparsePair, SparsePairCall, SparsePairStartsCall, SparsePlaces, SparseProductCall,
    SparseRows, SparseTransposedProductCall,
};

/// An array as a library call sees it: ready memory and how it is laid out.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The memory.
    pub buffer: Buffer,
    /// The layout in it.
    pub layout: Layout,
    /// The element type.
    pub dtype: DType,
}

/// What a scan accumulates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScanOp {
    /// Running sums.
    Sum,
    /// Running products.
    Prod,
    /// Running folds of any other binary op, from left to right.
    Fold(Op),
}

impl ScanOp {
    /// The binary op that joins two elements.
    ///
    /// ```
    /// use cuprum_core::Op;
    /// use cuprum_graph::ScanOp;
    /// assert_eq!((ScanOp::Sum.op(), ScanOp::Fold(Op::Maximum).op()), (Op::Add, Op::Maximum));
    /// ```
    pub fn op(self) -> Op {
        match self {
            ScanOp::Sum => Op::Add,
            ScanOp::Prod => Op::Multiply,
            ScanOp::Fold(op) => op,
        }
    }
}

/// A library call. Shapes and dtypes are checked by the caller; outputs do not overlap inputs.
#[derive(Debug)]
pub enum Call<'a> {
    /// `out[..., i, j] = sum_k a[..., i, k] * b[..., k, j]`: all of one dtype, batch axes broadcast already.
    Matmul {
        /// The left operand.
        a: &'a Slot,
        /// The right operand.
        b: &'a Slot,
        /// The result.
        out: &'a Slot,
    },
    /// Running results along an axis; `out` has the input's shape and dtype.
    Scan {
        /// What is accumulated.
        op: ScanOp,
        /// The input.
        input: &'a Slot,
        /// The result.
        out: &'a Slot,
        /// The axis.
        axis: usize,
    },
    /// `out[i..., j...] = source[offset(i...) + j...]`: each index slot holds positions along one axis of the source.
    /// The source's first axes are the indexed ones, one for each of `indices` (of one shape, int64, C order);
    /// `out` has the index shape followed by the source's remaining axes.
    Gather {
        /// The array read, indexed axes first.
        source: &'a Slot,
        /// Positions along each indexed axis, checked and not negative.
        indices: &'a [Slot],
        /// Where the only index array is as the user gave it: the device checks it as it reads it, and this is where a bad
        /// position is reported. It is int64 or, under a mark, int32. What the result holds then nobody reads.
        unchecked: Option<ReportTo<'a>>,
        /// The result.
        out: &'a Slot,
    },
    /// The reverse of `Gather`: writes `value` (of the index shape followed by the remaining axes) into `target`,
    /// in index order, so that of several writes to one place the last one stays. With `op`, combines instead.
    Scatter {
        /// The array written, indexed axes first.
        target: &'a Slot,
        /// Positions along each indexed axis, checked and not negative.
        indices: &'a [Slot],
        /// The values, of the target's dtype.
        value: &'a Slot,
        /// `Some(op)`: `target = op(target, value)`, one element after the other.
        op: Option<Op>,
        /// The mark of the positions' checks, where errors come later.
        later: Option<&'a DeferredCheck>,
    },
    /// Checks index positions against an axis and makes them non-negative.
    CheckIndices {
        /// The indices, int64, rewritten in place; dense in C order.
        indices: &'a Slot,
        /// The axis's length.
        size: usize,
        /// Where a bad position is reported.
        report: ReportTo<'a>,
    },
    /// How many elements are not zero.
    CountNonzero {
        /// A bool array.
        mask: &'a Slot,
        /// One int64.
        out: &'a Slot,
    },
    /// The elements of `source` where `mask` holds, in C order.
    Compress {
        /// The array read; its first axes are the mask's.
        source: &'a Slot,
        /// A bool array.
        mask: &'a Slot,
        /// The result: the count, followed by the source's remaining axes.
        out: &'a Slot,
    },
    /// The reverse of `Compress`: the elements of `target` where `mask` holds take the rows of `value`, in C order. Neither
    /// the mask nor the value overlaps the target.
    Expand {
        /// The array written; its first axes are the mask's.
        target: &'a Slot,
        /// A bool array.
        mask: &'a Slot,
        /// The count of elements that hold, followed by the target's remaining axes; of the target's dtype.
        value: &'a Slot,
    },
    /// The positions where `mask` holds: `out[axis][i]`, int64, in C order.
    Nonzero {
        /// A bool array.
        mask: &'a Slot,
        /// Of shape (mask's ndim, count).
        out: &'a Slot,
    },
    /// Reductions of segments along an axis: `ufunc.reduceat`.
    ReduceAt {
        /// The reduction.
        op: Reduction,
        /// The input, already in the loop's dtype.
        input: &'a Slot,
        /// Segment starts, int64, checked.
        starts: &'a Slot,
        /// The result.
        out: &'a Slot,
        /// The axis.
        axis: usize,
    },
    /// Sorting and searching.
    Sort(SortCall<'a>),
    /// Counting by value or between edges.
    Count(CountCall<'a>),
    /// Straight lines between points.
    Interpolate(InterpolateCall<'a>),
    /// A Fourier transform.
    Fft(FftCall<'a>),
    /// Random numbers.
    Random(RandomCall<'a>),
    /// What every element becomes by those around it.
    Filter(FilterCall<'a>),
    /// A recursive filter along an axis.
    Recurrence(RecurrenceCall<'a>),
    /// Linear algebra on stacks of matrices.
    Linalg(LinalgCall<'a>),
    /// The product of a sparse matrix with a dense one.
    SparseProduct(SparseProductCall<'a>),
    /// The product of a transposed sparse matrix with a vector.
    SparseTransposedProduct(SparseTransposedProductCall<'a>),
    /// The elements of a sparse matrix by lines.
    SparseGroup(SparseGroupCall<'a>),
    /// Where the rows of what is made of two sparse matrices begin.
    SparsePairStarts(SparsePairStartsCall<'a>),
    /// What is made of two sparse matrices.
    SparsePair(SparsePairCall<'a>),
}

impl Call<'_> {
    /// The name that errors and logs use.
    pub fn name(&self) -> &'static str {
        match self {
            Call::Matmul { .. } => "matmul",
            Call::Scan { .. } => "scan",
            Call::Gather { .. } => "gather",
            Call::Scatter { .. } => "scatter",
            Call::CheckIndices { .. } => "check_indices",
            Call::CountNonzero { .. } => "count_nonzero",
            Call::Compress { .. } => "compress",
            Call::Expand { .. } => "expand",
            Call::Nonzero { .. } => "nonzero",
            Call::ReduceAt { .. } => "reduceat",
            Call::Sort(call) => call.name(),
            Call::Count(call) => call.name(),
            Call::Interpolate(_) => "interp",
            Call::Fft(_) => "fft",
            Call::Random(_) => "random",
            Call::Filter(_) => "filter",
            Call::Recurrence(_) => "linear_filter",
            Call::Linalg(call) => call.name(),
            Call::SparseProduct(_) => "sparse_product",
            Call::SparseTransposedProduct(_) => "sparse_transposed_product",
            Call::SparseGroup(_) => "sparse_group",
            Call::SparsePairStarts(_) => "sparse_pair_starts",
            Call::SparsePair(_) => "sparse_pair",
        }
    }
    /// Every array that the call reads or writes.
    pub fn slots(&self) -> Vec<&Slot> {
        match self {
            Call::Matmul { a, b, out } => vec![a, b, out],
            Call::Scan { input, out, .. } => vec![input, out],
            Call::Gather { source, indices, out, unchecked } => {
                let mut slots = with(indices, [*source, *out]);
                if let Some(ReportTo::Slot(fault)) = unchecked {
                    slots.push(fault);
                }
                slots
            }
            Call::Scatter { target, indices, value, .. } => with(indices, [*target, *value]),
            Call::CheckIndices { indices, report: ReportTo::Slot(fault), .. } => vec![indices, fault],
            Call::CheckIndices { indices, report: ReportTo::Check(..), .. } => vec![indices],
            Call::CountNonzero { mask, out } | Call::Nonzero { mask, out } => vec![mask, out],
            Call::Compress { source, mask, out } => vec![source, mask, out],
            Call::Expand { target, mask, value } => vec![target, mask, value],
            Call::ReduceAt { input, starts, out, .. } => vec![input, starts, out],
            Call::Sort(call) => call.slots(),
            Call::Count(call) => call.slots(),
            Call::Interpolate(call) => vec![call.x, call.points, call.values, call.beyond, call.out],
            Call::Fft(call) => vec![call.input, call.out],
            Call::Random(call) => call.slots(),
            Call::Filter(call) => call.slots(),
            Call::Recurrence(call) => call.slots(),
            Call::Linalg(call) => call.slots(),
            Call::SparseProduct(call) => call.slots(),
            Call::SparseTransposedProduct(call) => call.slots(),
            Call::SparseGroup(call) => call.slots(),
            Call::SparsePairStarts(call) => call.slots(),
            Call::SparsePair(call) => call.slots(),
        }
    }
}

fn with<'a>(indices: &'a [Slot], others: [&'a Slot; 2]) -> Vec<&'a Slot> {
    indices.iter().chain(others).collect()
}
