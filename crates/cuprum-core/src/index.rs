//! Basic indexing: integers, slices, new axes and the ellipsis turn a layout into another, without a copy.

use crate::{Dims, Error, Layout, MAX_DIMS, Result, Strides};

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
        let mut out = Layout { shape: Dims::new(), strides: Strides::new(), offset: self.offset };
        let mut axis = 0;
        for &item in items {
            match item {
                Index::Int(i) => {
                    let at = position(op, i, axis, self.shape[axis])?;
                    out.move_to(at, self.strides[axis]);
                    axis += 1;
                }
                Index::Slice { start, stop, step } => {
                    if step == 0 {
                        return Err(Error::value(op, "slice step cannot be zero"));
                    }
                    let (first, count) = slice_bounds(start, stop, step, self.shape[axis]);
                    if count > 0 {
                        out.move_to(first, self.strides[axis]);
                    }
                    out.push_axis(count, self.strides[axis] * step as isize);
                    axis += 1;
                }
                Index::NewAxis => out.push_axis(1, 0),
                Index::Ellipsis => {
                    for _ in 0..self.ndim() - consumed {
                        out.push_axis(self.shape[axis], self.strides[axis]);
                        axis += 1;
                    }
                }
            }
        }
        for axis in axis..self.ndim() {
            out.push_axis(self.shape[axis], self.strides[axis]);
        }
        Ok(out)
    }

    /// Begins at another position along an axis of that stride.
    #[inline]
    fn move_to(&mut self, position: usize, stride: isize) {
        self.offset = (self.offset as isize + position as isize * stride) as usize;
    }

    #[inline]
    fn push_axis(&mut self, length: usize, stride: isize) {
        self.shape.push(length);
        self.strides.push(stride);
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
