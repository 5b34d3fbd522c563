//! The lines of an array along one axis: where each begins in two operands, and moving several at a time.

use num_complex::Complex;
use smallvec::SmallVec;

use crate::FftReal;

type Steps = SmallVec<[isize; 4]>;

/// The lines along an axis, over a box of the other axes, in the order in which the second operand has them in memory.
pub(crate) struct Lines {
    dims: SmallVec<[usize; 4]>,
    /// Elements from one line to the next along each axis: of the first operand and of the second.
    steps: [Steps; 2],
}

impl Lines {
    /// The lines along `axis` that begin in a box of the other axes.
    pub(crate) fn new(extent: &[usize], axis: usize, first: &[isize], second: &[isize]) -> Lines {
        let mut order: SmallVec<[usize; 4]> =
            (0..extent.len()).filter(|&d| d != axis && extent[d] != 1).collect();
        order.sort_by_key(|&d| std::cmp::Reverse(second[d].unsigned_abs()));
        let mut lines = Lines { dims: SmallVec::new(), steps: [Steps::new(), Steps::new()] };
        for d in order {
            lines.push(extent[d], [first[d], second[d]]);
        }
        lines
    }

    /// Adds an inner axis, merged with the last one where one stride covers both in each operand.
    fn push(&mut self, dim: usize, steps: [isize; 2]) {
        if let Some(last) = self.dims.len().checked_sub(1)
            && (0..2).all(|i| self.steps[i][last] == steps[i] * dim as isize)
        {
            self.dims[last] *= dim;
            self.steps[0][last] = steps[0];
            self.steps[1][last] = steps[1];
            return;
        }
        self.dims.push(dim);
        self.steps[0].push(steps[0]);
        self.steps[1].push(steps[1]);
    }

    pub(crate) fn count(&self) -> usize {
        self.dims.iter().product()
    }

    /// Whether the lines of each operand lie one after the other, `steps` elements apart.
    pub(crate) fn are_spaced(&self, steps: [isize; 2]) -> bool {
        match self.dims.len() {
            0 => true,
            1 => (0..2).all(|i| self.steps[i][0] == steps[i]),
            _ => false,
        }
    }

    /// Appends the beginnings of `count` lines from number `from` on.
    pub(crate) fn starts(&self, from: usize, count: usize, starts: &mut Vec<[isize; 2]>) {
        starts.clear();
        let ndim = self.dims.len();
        let mut index: SmallVec<[usize; 4]> = SmallVec::from_elem(0, ndim);
        let (mut rest, mut at) = (from, [0isize; 2]);
        for d in (0..ndim).rev() {
            index[d] = rest % self.dims[d];
            rest /= self.dims[d];
            (0..2).for_each(|i| at[i] += index[d] as isize * self.steps[i][d]);
        }
        for _ in 0..count {
            starts.push(at);
            for d in (0..ndim).rev() {
                index[d] += 1;
                (0..2).for_each(|i| at[i] += self.steps[i][d]);
                if index[d] < self.dims[d] {
                    break;
                }
                (0..2).for_each(|i| at[i] -= self.dims[d] as isize * self.steps[i][d]);
                index[d] = 0;
            }
        }
    }
}

/// Elements of a line that are moved before the next line's: together they fill cache lines.
const RUN_ELEMENTS: usize = 4;

/// Brings `count` elements of each line into a dense line of its own: `lines[i][j] = source[starts[i] + j * stride]`.
///
/// # Safety
/// All elements addressed are readable; `lines` has room for `starts.len()` lines `pitch` apart.
pub(crate) unsafe fn gather<E: Copy>(
    source: *const E,
    starts: impl ExactSizeIterator<Item = isize> + Clone,
    stride: isize,
    count: usize,
    lines: *mut E,
    pitch: usize,
) {
    // SAFETY: the caller's promise, element by element.
    unsafe {
        if stride == 1 {
            for (i, start) in starts.enumerate() {
                std::ptr::copy_nonoverlapping(source.offset(start), lines.add(i * pitch), count);
            }
            return;
        }
        for j in (0..count).step_by(RUN_ELEMENTS) {
            let run = RUN_ELEMENTS.min(count - j);
            for (i, start) in starts.clone().enumerate() {
                let from = source.offset(start + j as isize * stride);
                let to = lines.add(i * pitch + j);
                for k in 0..run {
                    *to.add(k) = *from.offset(k as isize * stride);
                }
            }
        }
    }
}

/// The reverse of [`gather`], each element changed by `change` on its way.
///
/// # Safety
/// As for [`gather`], with `target` writable.
pub(crate) unsafe fn scatter<E: Copy, F: Copy>(
    lines: *const E,
    pitch: usize,
    count: usize,
    target: *mut F,
    starts: impl ExactSizeIterator<Item = isize> + Clone,
    stride: isize,
    change: impl Fn(E) -> F,
) {
    // SAFETY: the caller's promise, element by element.
    unsafe {
        if stride == 1 {
            for (i, start) in starts.enumerate() {
                let (from, to) = (lines.add(i * pitch), target.offset(start));
                for j in 0..count {
                    *to.add(j) = change(*from.add(j));
                }
            }
            return;
        }
        for j in (0..count).step_by(RUN_ELEMENTS) {
            let run = RUN_ELEMENTS.min(count - j);
            for (i, start) in starts.clone().enumerate() {
                let from = lines.add(i * pitch + j);
                let to = target.offset(start + j as isize * stride);
                for k in 0..run {
                    *to.offset(k as isize * stride) = change(*from.add(k));
                }
            }
        }
    }
}

/// Multiplies by a real number, unless it is one.
pub(crate) fn scale_all<T: FftReal>(numbers: &mut [Complex<T>], scale: T) {
    if scale != T::one() {
        numbers.iter_mut().for_each(|z| *z = z.scale(scale));
    }
}
