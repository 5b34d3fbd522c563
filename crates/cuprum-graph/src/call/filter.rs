//! Filters: what every element becomes by the elements around it.
//!
//! Output position `o` along an axis sees the input positions `o + start .. o + start + size`, those outside the array
//! as the boundary says. The output may be longer or shorter than the input: `start` and its shape say which positions
//! are wanted.

use cuprum_core::{Dims, Scalar, Strides};

use super::Slot;

/// How an array goes on beyond its ends, along every axis that the window leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extension {
    /// `d c b a | a b c d | d c b a`
    Reflect,
    /// `d c b | a b c d | c b a`
    Mirror,
    /// `a a a a | a b c d | d d d d`
    Nearest,
    /// `a b c d | a b c d | a b c d`
    Wrap,
    /// `k k k k | a b c d | k k k k`: the boundary's fill.
    Constant,
}

/// What lies beyond the ends.
#[derive(Clone, Copy, Debug)]
pub struct Boundary {
    /// How the array goes on.
    pub extension: Extension,
    /// What is there for [`Extension::Constant`], in the dtype that the call computes in.
    pub fill: Scalar,
}

/// A window: a box around each output position, and which of its places count.
#[derive(Clone, Debug)]
pub struct Footprint {
    /// The lengths of the box, one for each axis.
    pub shape: Dims,
    /// Where the box begins, relative to the output position.
    pub starts: Strides,
    /// The places that count, numbered in C order inside the box, ascending; some, but for sums of products.
    pub places: Vec<usize>,
}

/// What becomes of the elements in a window along one axis.
#[derive(Clone, Copy, Debug)]
pub enum LineOp<'a> {
    /// The sum of products with these weights, in float64.
    ///
    /// The order of the sum is part of the contract, since integer results are truncated. Weights of an odd number
    /// that are symmetric within the epsilon of float64 give `c * w[h]` and then, from the outermost pair inwards,
    /// `(x[i] + x[-i]) * w[i]`; antisymmetric ones the same with differences; others the last product first and then
    /// the rest in order. Nothing is fused.
    Correlate(&'a [f64]),
    /// The mean of this many elements, in float64: their sum divided by their number.
    Mean(usize),
    /// The smallest of this many elements; NaN if there is one.
    Minimum(usize),
    /// The largest of this many elements; NaN if there is one.
    Maximum(usize),
}

impl LineOp<'_> {
    /// The length of the window.
    pub fn size(&self) -> usize {
        match *self {
            LineOp::Correlate(weights) => weights.len(),
            LineOp::Mean(size) | LineOp::Minimum(size) | LineOp::Maximum(size) => size,
        }
    }
}

/// What becomes of the elements in a window of several axes.
#[derive(Clone, Copy, Debug)]
pub enum WindowOp<'a> {
    /// The sum of products with these weights, one for each place, in float64 and in the order of the places.
    Correlate(&'a [f64]),
    /// The smallest element; NaN if there is one.
    Minimum,
    /// The largest element; NaN if there is one.
    Maximum,
    /// The smallest of the elements plus these addends, one for each place, in float64.
    MinimumPlus(&'a [f64]),
    /// The largest of the elements plus these addends, one for each place, in float64.
    MaximumPlus(&'a [f64]),
    /// The element of this rank, the smallest being 0; NaN counts as the largest.
    Rank(usize),
}

/// A filter. Sums of products, means and `...Plus` take real dtypes and round or truncate to the output's; the others
/// stay in the input's dtype, which is the output's.
#[derive(Debug)]
pub enum FilterCall<'a> {
    /// A filter along one axis. Along the others input and output are equally long.
    Line {
        /// What becomes of a window's elements.
        op: LineOp<'a>,
        /// The input.
        input: &'a Slot,
        /// The result.
        out: &'a Slot,
        /// The axis.
        axis: usize,
        /// Where the window begins, relative to the output position.
        start: isize,
        /// What lies beyond the ends.
        boundary: Boundary,
    },
    /// A filter whose window has a place in every axis.
    Window {
        /// What becomes of a window's elements.
        op: WindowOp<'a>,
        /// The input.
        input: &'a Slot,
        /// The result.
        out: &'a Slot,
        /// The window.
        footprint: &'a Footprint,
        /// What lies beyond the ends.
        boundary: Boundary,
    },
    /// The sum of products of the input with an array of weights, all of the output's real dtype and in its own
    /// arithmetic: integers wrap, truth is "any of both", floats are summed in float64 and rounded once.
    Products {
        /// The input.
        input: &'a Slot,
        /// The weights: as many axes as the input.
        weights: &'a Slot,
        /// The result.
        out: &'a Slot,
        /// Where the window begins along each axis, relative to the output position.
        starts: &'a [isize],
        /// What lies beyond the ends; none where there is nothing, and weights beyond them meet nothing.
        boundary: Option<Boundary>,
    },
}

impl FilterCall<'_> {
    pub(super) fn slots(&self) -> Vec<&Slot> {
        match self {
            FilterCall::Line { input, out, .. } | FilterCall::Window { input, out, .. } => vec![input, out],
            FilterCall::Products { input, weights, out, .. } => vec![input, weights, out],
        }
    }
}
