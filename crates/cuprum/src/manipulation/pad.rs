//! Padding, in all of NumPy's modes but the one that calls back into Python.
//!
//! Axes are padded one after the other: the corners follow from pads that exist already.

use cuprum_core::{DType, Dims, Error, Layout, Number, Op, Result, Scalar};

use cuprum_graph::Piece;

use super::pieces::{Content, put_together};
use crate::creation::{checked_size, positions};
use crate::elementwise::{Arg, assign};
use crate::reduction::{self, ReduceOptions};
use crate::{Array, manipulation};

/// The statistic that fills a pad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Statistic {
    /// The largest element.
    Maximum,
    /// The mean.
    Mean,
    /// The median.
    Median,
    /// The smallest element.
    Minimum,
}

/// How a pad is filled; pairs are (before, after), one for each axis.
#[derive(Clone, Copy, Debug)]
pub enum PadMode<'a> {
    /// With constants.
    Constant(&'a [(Scalar, Scalar)]),
    /// With whatever the memory holds.
    Empty,
    /// With the edge's elements.
    Edge,
    /// With a ramp from the edge to an end value.
    LinearRamp(&'a [(Number, Number)]),
    /// With a statistic of the elements nearest the edge, or of all along the axis.
    Statistic(Statistic, Option<&'a [(usize, usize)]>),
    /// With the array mirrored at its edge elements, which are not repeated; `odd`: mirrored through them.
    Reflect {
        /// Whether values are mirrored too, at the edge's value.
        odd: bool,
    },
    /// With the array mirrored at its edges.
    Symmetric {
        /// Whether values are mirrored too, at the edge's value.
        odd: bool,
    },
    /// With the array's other end.
    Wrap,
}

/// The array with `widths` elements added (before, after) along each axis.
///
/// ```
/// use cuprum::Array;
/// use cuprum::manipulation::{PadMode, pad};
/// let a = Array::from_slice(&[1, 2, 3]);
/// let r = pad(&a, &[(2, 1)], PadMode::Reflect { odd: false }).unwrap();
/// assert_eq!(r.to_vec::<i32>().unwrap(), vec![3, 2, 1, 2, 3, 2]);
/// let e = pad(&a, &[(0, 2)], PadMode::Edge).unwrap();
/// assert_eq!(e.to_vec::<i32>().unwrap(), vec![1, 2, 3, 3, 3]);
/// ```
pub fn pad(a: &Array, widths: &[(usize, usize)], mode: PadMode<'_>) -> Result<Array> {
    if widths.len() != a.ndim() {
        let message = format!("{} pairs of widths for an array of dimension {}", widths.len(), a.ndim());
        return Err(Error::value("pad", message));
    }
    let extends = !matches!(mode, PadMode::Constant(_) | PadMode::Empty);
    if let Some(axis) = (0..a.ndim()).find(|&x| extends && a.shape()[x] == 0 && widths[x] != (0, 0)) {
        let message = format!("can't extend empty axis {axis} using modes other than 'constant' or 'empty'");
        return Err(Error::value("pad", message));
    }
    let too_big = || Error::value("pad", "the result is too big");
    let shape = a
        .shape()
        .iter()
        .zip(widths)
        .map(|(n, w)| n.checked_add(w.0).and_then(|n| n.checked_add(w.1)).ok_or_else(too_big))
        .collect::<Result<Dims>>()?;
    checked_size(a.device(), "pad", &shape, a.dtype().size())?;
    let columns = a.is_fortran() && !a.is_contiguous();
    let layout = if columns { Layout::fortran } else { Layout::contiguous }(&shape, a.dtype().size());
    if let PadMode::Constant(values) = mode {
        return put_together("pad", a.device(), surrounded(a, widths, values)?, layout, a.dtype());
    }
    let out = match mode {
        PadMode::Empty if a.dtype() == DType::Bool => {
            Array::from_view(cuprum_graph::fill(a.device(), Scalar::zero(DType::Bool), layout)?)
        }
        _ => Array::uninitialized(a.device(), layout, a.dtype())?,
    };
    let mut inner = out.layout().clone();
    for (axis, width) in widths.iter().enumerate() {
        inner = inner.slice_axis(axis, width.0, 1, a.shape()[axis]);
    }
    assign("pad", &out.with_layout(inner), Arg::Array(a), None)?;
    for axis in 0..a.ndim() {
        let area = Area::new(&out, a.shape(), widths, axis);
        if area.before + area.after > 0 && area.whole.size() > 0 {
            area.fill(mode)?;
        }
    }
    Ok(out)
}

/// The array and the pads around it: those of an axis reach over the pads of the axes before.
fn surrounded(
    a: &Array,
    widths: &[(usize, usize)],
    values: &[(Scalar, Scalar)],
) -> Result<Vec<(Piece, Content)>> {
    let inner = Piece { start: widths.iter().map(|width| width.0).collect(), shape: a.dims() };
    let mut pieces = Vec::new();
    let mut reached = inner.clone();
    for (axis, &(before, after)) in widths.iter().enumerate() {
        let (first, last) = pair(values, axis)?;
        for (start, length, value) in [(0, before, first), (before + a.shape()[axis], after, last)] {
            let mut piece = reached.clone();
            (piece.start[axis], piece.shape[axis]) = (start, length);
            if length > 0 {
                pieces.push((piece, Content::Scalar(value)));
            }
        }
        (reached.start[axis], reached.shape[axis]) = (0, before + a.shape()[axis] + after);
    }
    pieces.push((inner, Content::Array(a.clone())));
    Ok(pieces)
}

/// One axis of an array being padded; earlier axes are padded, later ones not yet.
struct Area {
    whole: Array,
    axis: usize,
    before: usize,
    length: usize,
    after: usize,
}

impl Area {
    fn new(out: &Array, shape: &[usize], widths: &[(usize, usize)], axis: usize) -> Area {
        let mut layout = out.layout().clone();
        for later in axis + 1..shape.len() {
            layout = layout.slice_axis(later, widths[later].0, 1, shape[later]);
        }
        let (before, after) = widths[axis];
        Area { whole: out.with_layout(layout), axis, before, length: shape[axis], after }
    }

    /// `count` elements from `start` along the axis, `step` apart.
    fn part(&self, start: usize, step: isize, count: usize) -> Array {
        self.whole.with_layout(self.whole.layout().slice_axis(self.axis, start, step, count))
    }

    fn end(&self) -> usize {
        self.before + self.length
    }

    /// Stores into the pads before and after the array.
    fn store(&self, before: Arg<'_>, after: Arg<'_>) -> Result<()> {
        assign("pad", &self.part(0, 1, self.before), before, None)?;
        assign("pad", &self.part(self.end(), 1, self.after), after, None)
    }

    fn fill(&self, mode: PadMode<'_>) -> Result<()> {
        match mode {
            PadMode::Empty | PadMode::Constant(_) => Ok(()),
            PadMode::Edge => self.extend_edges(),
            PadMode::LinearRamp(ends) => {
                let (first, last) = pair(ends, self.axis)?;
                let before = ramp(&self.part(self.before, 1, 1), first, self.axis, self.before)?;
                let after = ramp(&self.part(self.end() - 1, 1, 1), last, self.axis, self.after)?;
                let after = manipulation::flip(&after, Some(&[self.axis as i64]))?;
                self.store(Arg::Array(&before), Arg::Array(&after))
            }
            PadMode::Statistic(statistic, lengths) => {
                let all = (self.length, self.length);
                let (before, after) = lengths.map_or(Ok(all), |l| pair(l, self.axis))?;
                let (before, after) = (before.min(self.length), after.min(self.length));
                let first = self.statistic(statistic, self.before, before)?;
                let last = self.statistic(statistic, self.end() - after, after)?;
                self.store(Arg::Array(&first), Arg::Array(&last))
            }
            // A single element has nothing to be mirrored but itself.
            PadMode::Reflect { .. } if self.length == 1 => self.extend_edges(),
            PadMode::Reflect { odd } => self.mirror(odd, 1),
            PadMode::Symmetric { odd } => self.mirror(odd, 0),
            PadMode::Wrap => self.wrap(),
        }
    }

    fn extend_edges(&self) -> Result<()> {
        let (first, last) = (self.part(self.before, 1, 1), self.part(self.end() - 1, 1, 1));
        self.store(Arg::Array(&first), Arg::Array(&last))
    }

    /// Mirrors what is there at both ends until the pads are full, whole periods at a time. `skip`: 1 if the edge is not
    /// repeated.
    fn mirror(&self, odd: bool, skip: usize) -> Result<()> {
        let period = self.length - skip;
        let (mut start, mut end, total) = (self.before, self.end(), self.whole.shape()[self.axis]);
        while start > 0 || end < total {
            let usable = (end - start - skip) / period * period;
            let (before, after) = (usable.min(start), usable.min(total - end));
            if before > 0 {
                let edge = self.part(start, 1, 1);
                let chunk = self.part(start + skip + before - 1, -1, before);
                self.store_mirrored(start - before, before, chunk, &edge, odd)?;
            }
            if after > 0 {
                let edge = self.part(end - 1, 1, 1);
                let chunk = self.part(end - 1 - skip, -1, after);
                self.store_mirrored(end, after, chunk, &edge, odd)?;
            }
            (start, end) = (start - before, end + after);
        }
        Ok(())
    }

    fn store_mirrored(&self, at: usize, count: usize, chunk: Array, edge: &Array, odd: bool) -> Result<()> {
        let target = self.part(at, 1, count);
        if !odd {
            return assign("pad", &target, Arg::Array(&chunk), None);
        }
        // Truth values are mirrored as the integers that they are.
        let dtype = if edge.dtype() == DType::Bool { DType::I64 } else { edge.dtype() };
        let two = Scalar::wrapping(Number::Int(2), dtype);
        let twice = edge.astype(dtype)?.binary(Op::Multiply, Arg::Scalar(two))?;
        assign("pad", &target, Arg::Array(&twice.binary(Op::Subtract, Arg::Array(&chunk))?), None)
    }

    fn wrap(&self) -> Result<()> {
        let period = self.length;
        let (mut start, mut end, total) = (self.before, self.end(), self.whole.shape()[self.axis]);
        while start > 0 {
            let count = period.min(start);
            let chunk = self.part(start - count + period, 1, count);
            assign("pad", &self.part(start - count, 1, count), Arg::Array(&chunk), None)?;
            start -= count;
        }
        while end < total {
            let count = period.min(total - end);
            let chunk = self.part(end - period, 1, count);
            assign("pad", &self.part(end, 1, count), Arg::Array(&chunk), None)?;
            end += count;
        }
        Ok(())
    }

    /// The statistic of `count` elements from `start`, keeping the axis, rounded for integers.
    fn statistic(&self, statistic: Statistic, start: usize, count: usize) -> Result<Array> {
        if count == 0 && matches!(statistic, Statistic::Maximum | Statistic::Minimum) {
            return Err(Error::value("pad", "stat_length of 0 yields no value for padding"));
        }
        let window = self.part(start, 1, count);
        let axes = [self.axis as i64];
        let options = ReduceOptions { axes: Some(&axes), keepdims: true, ..Default::default() };
        let value = match statistic {
            Statistic::Maximum => reduction::max(&window, Some(&axes), true)?,
            Statistic::Minimum => reduction::min(&window, Some(&axes), true)?,
            Statistic::Mean => reduction::mean(&window, &options)?,
            Statistic::Median => median(&window, self.axis)?,
        };
        let rounds = window.dtype().is_integral() && !value.dtype().is_integral();
        if rounds { value.unary(Op::Rint) } else { Ok(value) }
    }
}

fn pair<T: Copy>(values: &[T], axis: usize) -> Result<T> {
    let missing = || Error::value("pad", format!("no pair of values for axis {axis}"));
    values.get(axis).copied().ok_or_else(missing)
}

/// `count` values from `end` towards the edge, which is left out, along an axis; as `linspace` computes them.
fn ramp(edge: &Array, end: Number, axis: usize, count: usize) -> Result<Array> {
    let complex = edge.dtype().is_complex() || matches!(end, Number::Complex(..));
    let inner = if complex { DType::C128 } else { DType::F64 };
    let start = Scalar::wrapping(end, inner);
    let delta = edge.astype(inner)?.binary(Op::Subtract, Arg::Scalar(start))?;
    let divisor = Arg::from(count as f64);
    let step = delta.binary(Op::Divide, divisor)?;
    let mut shape: Dims = edge.shape().iter().map(|_| 1).collect();
    shape[axis] = count;
    let places = positions(edge.device(), &shape, axis)?.astype(inner)?;
    // A step that underflows anywhere makes NumPy divide first, for all elements alike.
    let vanishing = reduction::any(&step.binary(Op::Equal, Arg::from(0.0))?, &ReduceOptions::default())?;
    let careful = places.binary(Op::Divide, divisor)?.binary(Op::Multiply, Arg::Array(&delta))?;
    let plain = places.binary(Op::Multiply, Arg::Array(&step))?;
    let scaled = vanishing.choose_between(Arg::Array(&careful), Arg::Array(&plain))?;
    let values = scaled.binary(Op::Add, Arg::Scalar(start))?;
    let integer = edge.dtype().is_integral() && edge.dtype() != DType::Bool;
    if integer && !complex { values.unary(Op::Floor) } else { Ok(values) }
}

/// The median along an axis, which stays with length one. Each element's rank is counted, in one fused pass: there is no
/// copy, and windows of a pad are short.
fn median(a: &Array, axis: usize) -> Result<Array> {
    let n = a.shape()[axis];
    let axes = [axis as i64];
    let options = ReduceOptions { axes: Some(&axes), keepdims: true, ..Default::default() };
    if n == 0 {
        return reduction::mean(a, &options);
    }
    let (each, other) =
        (a.with_layout(a.layout().insert_axis(axis + 1)), a.with_layout(a.layout().insert_axis(axis)));
    let mut grid: Dims = each.dims();
    grid[axis + 1] = n;
    let earlier = positions(a.device(), &grid, axis + 1)?
        .binary(Op::Less, Arg::Array(&positions(a.device(), &grid, axis)?))?;
    let below = other.binary(Op::Less, Arg::Array(&each))?;
    let tied = other.binary(Op::Equal, Arg::Array(&each))?.binary(Op::LogicalAnd, Arg::Array(&earlier))?;
    let precedes = below.binary(Op::LogicalOr, Arg::Array(&tied))?;
    let over = [axis as i64 + 1];
    let rank = reduction::sum(&precedes, &ReduceOptions { axes: Some(&over), ..Default::default() })?;
    let at_rank = |wanted: usize| -> Result<Array> {
        let chosen = rank.binary(Op::Equal, Arg::from(wanted))?;
        let alone = chosen.choose_between(Arg::Array(a), Arg::Scalar(Scalar::zero(a.dtype())))?;
        reduction::sum(&alone, &ReduceOptions { dtype: Some(a.dtype()), ..options })
    };
    let (low, high) = (at_rank((n - 1) / 2)?, at_rank(n / 2)?);
    let middle = manipulation::concatenate(
        &[&low, &high],
        Some(axis as i64),
        None,
        cuprum_core::Casting::SameKind,
        None,
    )?;
    let value = reduction::mean(&middle, &options)?;
    if a.dtype().is_integral() {
        return Ok(value);
    }
    // Comparisons rank NaN nowhere; one of them makes the median NaN.
    let nan = reduction::any(&a.unary(Op::Isnan)?, &options)?;
    nan.choose_between(
        Arg::Scalar(Scalar::wrapping(Number::Float(f64::NAN), value.dtype())),
        Arg::Array(&value),
    )
}
