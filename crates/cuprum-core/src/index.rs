//! Basic indexing: integers, slices, new axes and the ellipsis turn a layout into another, without a copy.

use crate::{Error, Layout, MAX_DIMS, Result};

/// One item of a basic index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    /// One position; the axis goes away.
    Int(i64),
    /// `start:stop:step` as Python writes it.
    Slice {
        /// First position; the natural end if left out.
        start: Option<i64>,
        /// One past the last position.
        stop: Option<i64>,
        /// The step, never 0.
        step: i64,
    },
    /// A new axis of length one.
    NewAxis,
    /// All the axes that the other items leave over.
    Ellipsis,
}

impl Index {
    /// The whole axis.
    pub const ALL: Index = Index::Slice { start: None, stop: None, step: 1 };

    /// Whether the item consumes an axis.
    pub fn consumes(self) -> bool {
        matches!(self, Index::Int(_) | Index::Slice { .. })
    }
}

impl Layout {
    /// The layout that a basic index selects.
    ///
    /// ```
    /// use cuprum_core::{Index, Layout};
    /// let l = Layout::contiguous(&[4, 5], 1);
    /// let row = l.index("index", &[Index::Int(-1)]).unwrap();
    /// assert_eq!((row.shape.as_slice(), row.offset), (&[5][..], 15));
    /// assert!(l.index("index", &[Index::Int(4)]).is_err());
    /// ```
    pub fn index(&self, op: &'static str, items: &[Index]) -> Result<Layout> {
        let consumed = items.iter().filter(|i| i.consumes()).count();
        if items.iter().filter(|i| **i == Index::Ellipsis).count() > 1 {
            return Err(Error::bad_index(op, "an index can only have a single ellipsis ('...')"));
        }
        if consumed > self.ndim() {
            let message = format!(
                "too many indices for array: array is {}-dimensional, but {consumed} were indexed",
                self.ndim()
            );
            return Err(Error::bad_index(op, message));
        }
        let ndim = self.ndim() + items.iter().filter(|i| **i == Index::NewAxis).count()
            - items.iter().filter(|i| matches!(i, Index::Int(_))).count();
        if ndim > MAX_DIMS {
            let message =
                format!("the result would have {ndim} dimensions, at most {MAX_DIMS} are supported");
            return Err(Error::bad_index(op, message));
        }
        let mut out = self.clone();
        let (mut axis, mut source_axis) = (0, 0);
        for &item in items {
            match item {
                Index::Int(i) => {
                    let size = out.shape[axis];
                    let at = position(op, i, source_axis, size)?;
                    out = out.slice_axis(axis, at, 1, 1).remove_axis(axis);
                    source_axis += 1;
                }
                Index::Slice { start, stop, step } => {
                    if step == 0 {
                        return Err(Error::value(op, "slice step cannot be zero"));
                    }
                    let (first, count) = slice_bounds(start, stop, step, out.shape[axis]);
                    out = out.slice_axis(axis, first, step as isize, count);
                    axis += 1;
                    source_axis += 1;
                }
                Index::NewAxis => {
                    out = out.insert_axis(axis);
                    axis += 1;
                }
                Index::Ellipsis => {
                    let skipped = self.ndim() - consumed;
                    axis += skipped;
                    source_axis += skipped;
                }
            }
        }
        Ok(out)
    }
}

/// The position counted from the front.
pub(crate) fn position(op: &'static str, index: i64, axis: usize, size: usize) -> Result<usize> {
    let n = size as i64;
    if index >= -n && index < n {
        return Ok(if index < 0 { index + n } else { index } as usize);
    }
    Err(Error::Index { op: op.into(), index, axis, size })
}

/// The first position and the count of a slice over `size` elements: Python's `slice.indices`.
fn slice_bounds(start: Option<i64>, stop: Option<i64>, step: i64, size: usize) -> (usize, usize) {
    let n = size as i64;
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let clamp = |i: i64| (if i < 0 { i.saturating_add(n) } else { i }).clamp(low, high);
    let first = start.map_or(if step > 0 { low } else { high }, clamp);
    let last = stop.map_or(if step > 0 { high } else { low }, clamp);
    let span = if step > 0 { last - first } else { first - last };
    if span <= 0 {
        return (0, 0);
    }
    let count = (span - 1) as u64 / step.unsigned_abs() + 1;
    (first as usize, count as usize)
}
