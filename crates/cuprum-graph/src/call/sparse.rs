//! Sparse matrices in compressed rows.

use cuprum_core::Op;

use super::Slot;

/// `out[i, j]` is the sum of `values[k] * x[columns[k], j]` for `k` from `starts[i]` up to `starts[i + 1]`. On the CPU the
/// products of a row are added in that order; on a GPU lanes share a row, and their number follows from the mean length of
/// rows. Truth is "any of both are". A structure that leads outside of its arrays is `Error::Value` on the CPU.
#[derive(Clone, Copy, Debug)]
pub struct SparseProductCall<'a> {
    /// Where each row begins, and the end of the last one: one axis of int32 or int64.
    pub starts: &'a Slot,
    /// The column of each element, of the same dtype.
    pub columns: &'a Slot,
    /// As many elements.
    pub values: &'a Slot,
    /// Two axes; the dtype of the values.
    pub x: &'a Slot,
    /// Two axes, one row for each of the matrix; the dtype of the values.
    pub out: &'a Slot,
}

impl SparseProductCall<'_> {
    pub(super) fn slots(&self) -> Vec<&Slot> {
        vec![self.starts, self.columns, self.values, self.x, self.out]
    }
}

/// The transposed matrix times a vector: `out[columns[k]]` is the sum of `values[k] * x[i]` for `k` from `starts[i]` up to
/// `starts[i + 1]`. On the CPU, products of one column are added in the order of rows within parts of the matrix whose number
/// follows from its shape, then the parts; on a GPU, floating-point products are added as integers, multiples of a unit far below
/// the last place of the sum, so that their order does not matter. A structure that leads outside of its arrays is
/// `Error::Value` on the CPU.
#[derive(Clone, Copy, Debug)]
pub struct SparseTransposedProductCall<'a> {
    /// Where each row begins, and the end of the last one: one axis of int32 or int64.
    pub starts: &'a Slot,
    /// The column of each element, of the same dtype.
    pub columns: &'a Slot,
    /// As many elements.
    pub values: &'a Slot,
    /// One element for each row; the dtype of the values.
    pub x: &'a Slot,
    /// One element for each column; the dtype of the values.
    pub out: &'a Slot,
}

impl SparseTransposedProductCall<'_> {
    pub(super) fn slots(&self) -> Vec<&Slot> {
        vec![self.starts, self.columns, self.values, self.x, self.out]
    }
}

/// Where elements are along the axis that they are not grouped by.
#[derive(Clone, Copy, Debug)]
pub enum SparsePlaces<'a> {
    /// The place of each element.
    Listed(&'a Slot),
    /// Elements come in the order of these places: where those of each begin, and the end of the last ones.
    Starts(&'a Slot),
}

/// The elements of a sparse matrix in the order of their lines, those of a line in the order in which they come. Lines that
/// are not there are `Error::Value` on the CPU.
#[derive(Clone, Copy, Debug)]
pub struct SparseGroupCall<'a> {
    /// The line of each element: one axis of int32 or int64.
    pub lines: &'a Slot,
    /// Where the elements are in their lines, of the same dtype.
    pub places: SparsePlaces<'a>,
    /// As many elements of any dtype.
    pub values: &'a Slot,
    /// Where each line begins in the result, and the end of the last one; of the indices' dtype.
    pub out_starts: &'a Slot,
    /// The place of each element, of the same dtype.
    pub out_places: &'a Slot,
    /// The elements.
    pub out_values: &'a Slot,
}

impl SparseGroupCall<'_> {
    pub(super) fn slots(&self) -> Vec<&Slot> {
        let (SparsePlaces::Listed(places) | SparsePlaces::Starts(places)) = self.places;
        vec![self.lines, places, self.values, self.out_starts, self.out_places, self.out_values]
    }
}

/// A sparse matrix in compressed rows.
#[derive(Clone, Copy, Debug)]
pub struct SparseRows<'a> {
    /// Where each row begins, and the end of the last one: one axis of int32 or int64.
    pub starts: &'a Slot,
    /// The column of each element, of the same dtype.
    pub columns: &'a Slot,
    /// As many elements.
    pub values: &'a Slot,
}

/// What is made of two sparse matrices, row by row.
#[derive(Clone, Copy, Debug)]
pub enum SparsePair {
    /// The product. Columns of a row come in the order in which they are met, and so are products of one place added up.
    Product,
    /// An op at every place that either matrix stores, the other's element being zero. Columns of a row rise, in both
    /// matrices and in the result.
    Union(Op),
    /// An op at every place that both matrices store; columns rise, too.
    Intersection(Op),
}

/// Where the rows of what is made of two sparse matrices begin, and the end of the last one. The CPU's alone: kernels of a
/// GPU find that as they go. A structure that leads outside of its arrays is `Error::Value`.
#[derive(Clone, Copy, Debug)]
pub struct SparsePairStartsCall<'a> {
    /// What is made.
    pub pair: SparsePair,
    /// The matrices; indices of both are of one dtype.
    pub operands: [SparseRows<'a>; 2],
    /// The columns of the result.
    pub width: usize,
    /// One axis of int64.
    pub out: &'a Slot,
}

impl SparsePairStartsCall<'_> {
    pub(super) fn slots(&self) -> Vec<&Slot> {
        let operands = self.operands.iter().flat_map(|part| [part.starts, part.columns, part.values]);
        operands.chain([self.out]).collect()
    }
}

/// What is made of two sparse matrices. The CPU's alone, as [`SparsePairStartsCall`], whose result it takes.
#[derive(Clone, Copy, Debug)]
pub struct SparsePairCall<'a> {
    /// What is made.
    pub pair: SparsePair,
    /// The matrices; indices of both are of one dtype, elements of the dtype that the op or the product is computed in.
    pub operands: [SparseRows<'a>; 2],
    /// The columns of the result.
    pub width: usize,
    /// Where its rows begin: one axis of int64.
    pub starts: &'a Slot,
    /// The column of each element, of the indices' dtype.
    pub out_columns: &'a Slot,
    /// The elements.
    pub out_values: &'a Slot,
    /// How many results of an op are zero: one int64.
    pub out_zeros: &'a Slot,
}

impl SparsePairCall<'_> {
    pub(super) fn slots(&self) -> Vec<&Slot> {
        let operands = self.operands.iter().flat_map(|part| [part.starts, part.columns, part.values]);
        operands.chain([self.starts, self.out_columns, self.out_values, self.out_zeros]).collect()
    }
}
