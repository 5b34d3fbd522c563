//! The four-step transform of a length that is a product: columns, a multiplication by twiddle factors, rows, the transpose.

use std::sync::Arc;

use cuprum_core::Result;
#[cfg(target_arch = "x86_64")]
use cuprum_core::SimdLevel;
use cuprum_core::memory::with_capacity;
use cuprum_threads::{Shared, run_tasks};
use num_complex::Complex;
use rustfft::Fft;

use crate::memory::with_scratch;
use crate::plan::short;
use crate::roots::root;
use crate::{Direction, FftReal};

/// Bytes of a group of lines: they stay in the second-level cache.
const GROUP_BYTES: usize = 256 << 10;
/// Bytes that a group covers of each row it crosses: whole cache lines.
const ROW_BYTES: usize = 256;

/// A transform of `rows * columns` numbers: element `j1 * columns + j2` to coefficient `k1 + rows * k2`.
pub(crate) struct FourStep<T: FftReal> {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Transforms of columns, of length `rows`, and of rows.
    down: Arc<dyn Fft<T>>,
    across: Arc<dyn Fft<T>>,
    /// Columns that are moved at a time.
    group: usize,
    /// The twiddle factors of the first group: `w^(k1 * d)` at `d * rows + k1`.
    near: Vec<Complex<T>>,
    /// What those of group `g` have besides: `w^(k1 * g * group)` at `g * rows + k1`.
    far: Vec<Complex<T>>,
}

impl<T: FftReal> FourStep<T> {
    pub(crate) fn new(rows: usize, columns: usize) -> FourStep<T> {
        let n = rows * columns;
        let group = group_of::<T>(rows).min(columns);
        let twiddles = |steps: usize, by: usize| -> Vec<Complex<T>> {
            let mut factors = with_capacity(steps * rows);
            for step in 0..steps {
                let angle = step * by;
                // angle * rows is at most n: no product here overflows, and none passes the circle.
                factors.extend((0..rows).map(|k| root(k * angle, n)));
            }
            factors
        };
        FourStep {
            rows,
            columns,
            down: short(rows, Direction::Forward),
            across: short(columns, Direction::Forward),
            group,
            near: twiddles(group, 1),
            far: twiddles(columns.div_ceil(group), group),
        }
    }

    pub(crate) fn length(&self) -> usize {
        self.rows * self.columns
    }

    pub(crate) fn bytes(&self) -> usize {
        let plans = 2 * (self.rows + self.columns) * size_of::<Complex<T>>();
        plans + size_of_val(&*self.near) + size_of_val(&*self.far)
    }

    /// The distance of rows in working memory: a power of two would make them compete for places of the cache.
    pub(crate) fn pitch(&self) -> usize {
        self.columns + 64 / size_of::<Complex<T>>()
    }

    pub(crate) fn work_length(&self) -> usize {
        self.rows * self.pitch()
    }

    pub(crate) fn groups(&self) -> usize {
        self.columns.div_ceil(self.group)
    }

    /// The first column of a group and how many it has.
    fn columns_of(&self, group: usize) -> (usize, usize) {
        let first = group * self.group;
        (first, self.group.min(self.columns - first))
    }

    fn column_pitch(&self) -> usize {
        self.rows + 64 / size_of::<Complex<T>>()
    }

    /// Transforms the columns and multiplies them by twiddle factors, of a matrix whose first `valid` elements `load` gives; the rest are zeros.
    ///
    /// # Safety
    /// `work` has room for `work_length` numbers, used by nobody else.
    pub(crate) unsafe fn transform_columns(
        &self,
        work: *mut Complex<T>,
        valid: usize,
        load: &(impl Fn(usize) -> Complex<T> + Sync),
    ) -> Result<()> {
        let work = Shared(work.cast());
        let (pitch, lines_pitch) = (self.pitch(), self.column_pitch());
        run_tasks(self.groups(), true, &|group| {
            let (first, count) = self.columns_of(group);
            let lengths = [count * lines_pitch, self.down.get_inplace_scratch_len()];
            with_scratch::<T>(lengths, |lines, scratch| {
                for row in (0..self.rows).step_by(4) {
                    for d in 0..count {
                        for j1 in row..self.rows.min(row + 4) {
                            let j = j1 * self.columns + first + d;
                            let value = if j < valid { load(j) } else { Complex::new(T::zero(), T::zero()) };
                            lines[d * lines_pitch + j1] = value;
                        }
                    }
                }
                for (d, line) in lines.chunks_exact_mut(lines_pitch).enumerate() {
                    let line = &mut line[..self.rows];
                    self.down.process_with_scratch(line, scratch);
                    self.twiddle(line, group, d, false);
                }
                let work = work.get().cast::<Complex<T>>();
                for row in (0..self.rows).step_by(4) {
                    for d in 0..count {
                        for k1 in row..self.rows.min(row + 4) {
                            // SAFETY: the caller's promise; groups have columns of their own.
                            unsafe { *work.add(k1 * pitch + first + d) = lines[d * lines_pitch + k1] };
                        }
                    }
                }
            });
        })
    }

    /// Multiplies a column of a group by its twiddle factors, or by their conjugates.
    fn twiddle(&self, line: &mut [Complex<T>], group: usize, d: usize, back: bool) {
        let near = &self.near[d * self.rows..][..line.len()];
        let far = &self.far[group * self.rows..][..line.len()];
        #[cfg(target_arch = "x86_64")]
        if SimdLevel::detect() >= SimdLevel::Avx2 {
            // SAFETY: the processor has the instructions.
            return unsafe { multiply_avx2(line, near, far, back) };
        }
        multiply(line, near, far, back);
    }

    /// Transforms the rows and hands out the transpose.
    ///
    /// # Safety
    /// `work` holds what `transform_columns` left there.
    pub(crate) unsafe fn transform_rows(
        &self,
        work: *mut Complex<T>,
        store: &(impl Fn(usize, Complex<T>) + Sync),
    ) -> Result<()> {
        let work = Shared(work.cast());
        let (pitch, group) = (self.pitch(), group_of::<T>(self.columns));
        run_tasks(self.rows.div_ceil(group), true, &|task| {
            let first = task * group;
            let count = group.min(self.rows - first);
            // SAFETY: the caller's promise; tasks have rows of their own.
            let rows = unsafe {
                let start = work.get().cast::<Complex<T>>().add(first * pitch);
                std::slice::from_raw_parts_mut(start, count * pitch)
            };
            with_scratch::<T>([0, self.across.get_inplace_scratch_len()], |_, scratch| {
                for row in rows.chunks_exact_mut(pitch) {
                    self.across.process_with_scratch(&mut row[..self.columns], scratch);
                }
            });
            for column in (0..self.columns).step_by(4) {
                for k2 in column..self.columns.min(column + 4) {
                    for r in 0..count {
                        store(k2 * self.rows + first + r, rows[r * pitch + k2]);
                    }
                }
            }
        })
    }

    /// Transforms each row, lets `change` have it, and transforms it back by `back`: rows stay where they are.
    ///
    /// # Safety
    /// `work` holds what `transform_columns` left there.
    pub(crate) unsafe fn change_rows(
        &self,
        work: *mut Complex<T>,
        back: Option<&dyn Fft<T>>,
        change: &(impl Fn(usize, &mut [Complex<T>]) + Sync),
    ) -> Result<()> {
        let work = Shared(work.cast());
        let (pitch, group) = (self.pitch(), group_of::<T>(self.columns));
        run_tasks(self.rows.div_ceil(group), true, &|task| {
            let needed = self.across.get_inplace_scratch_len();
            let needed = needed.max(back.map_or(0, |back| back.get_inplace_scratch_len()));
            with_scratch::<T>([0, needed], |_, scratch| {
                for k1 in task * group..self.rows.min((task + 1) * group) {
                    // SAFETY: the caller's promise; tasks have rows of their own.
                    let row = unsafe {
                        let start = work.get().cast::<Complex<T>>().add(k1 * pitch);
                        std::slice::from_raw_parts_mut(start, self.columns)
                    };
                    self.across.process_with_scratch(row, scratch);
                    change(k1, row);
                    if let Some(back) = back {
                        back.process_with_scratch(row, scratch);
                    }
                }
            });
        })
    }

    /// Undoes the twiddle factors of the columns, transforms them by `up`, and hands out the first `valid` elements.
    ///
    /// # Safety
    /// `work` holds what `change_rows` left there.
    pub(crate) unsafe fn restore_columns(
        &self,
        work: *mut Complex<T>,
        up: &dyn Fft<T>,
        valid: usize,
        store: &(impl Fn(usize, Complex<T>) + Sync),
    ) -> Result<()> {
        let work = Shared(work.cast());
        let (pitch, lines_pitch) = (self.pitch(), self.column_pitch());
        run_tasks(self.groups(), true, &|group| {
            let (first, count) = self.columns_of(group);
            let lengths = [count * lines_pitch, up.get_inplace_scratch_len()];
            with_scratch::<T>(lengths, |lines, scratch| {
                let work = work.get().cast::<Complex<T>>();
                for row in (0..self.rows).step_by(4) {
                    for d in 0..count {
                        for k1 in row..self.rows.min(row + 4) {
                            // SAFETY: the caller's promise.
                            lines[d * lines_pitch + k1] = unsafe { *work.add(k1 * pitch + first + d) };
                        }
                    }
                }
                for (d, line) in lines.chunks_exact_mut(lines_pitch).enumerate() {
                    let line = &mut line[..self.rows];
                    self.twiddle(line, group, d, true);
                    up.process_with_scratch(line, scratch);
                }
                for row in (0..self.rows).step_by(4) {
                    for j1 in row..self.rows.min(row + 4) {
                        for d in 0..count {
                            let j = j1 * self.columns + first + d;
                            if j < valid {
                                store(j, lines[d * lines_pitch + j1]);
                            }
                        }
                    }
                }
            });
        })
    }
}

/// `line *= near * far`, or its conjugate.
#[inline(always)]
fn multiply<T: FftReal>(line: &mut [Complex<T>], near: &[Complex<T>], far: &[Complex<T>], back: bool) {
    let sign = if back { -T::one() } else { T::one() };
    for ((z, near), far) in line.iter_mut().zip(near).zip(far) {
        let factor = *near * *far;
        *z = *z * Complex::new(factor.re, factor.im * sign);
    }
}

/// The same in wider instructions, with the same bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn multiply_avx2<T: FftReal>(line: &mut [Complex<T>], near: &[Complex<T>], far: &[Complex<T>], back: bool) {
    multiply(line, near, far, back);
}

/// How many lines of a length make a group.
fn group_of<T>(length: usize) -> usize {
    let size = size_of::<Complex<T>>();
    (GROUP_BYTES / (length * size)).clamp(64 / size, ROW_BYTES / size)
}
