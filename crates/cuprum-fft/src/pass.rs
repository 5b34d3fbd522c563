//! One pass over short lines: several at a time are brought into scratch memory, transformed there, and stored.

use num_complex::Complex;
use rustfft::Fft;

use cuprum_core::Result;
use cuprum_core::memory::with_capacity;
use cuprum_threads::{Shared, run_tasks};

use crate::FftReal;
use crate::lines::{Lines, gather, scale_all, scatter};
use crate::memory::with_scratch;
use crate::plan::{FftPlan, HalfRoots};
use crate::real::{mirror_line, tangle_line, untangle_line};

/// What a pass makes of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PassKind {
    Complex,
    /// Real to `n / 2 + 1` coefficients.
    RealToHalf,
    /// Real to all coefficients.
    RealToFull,
    HalfToReal,
}

/// A transform of all lines along an axis.
pub(crate) struct Pass<'a, T: FftReal> {
    pub(crate) shape: PassKind,
    pub(crate) plan: &'a FftPlan<T>,
    pub(crate) lines: &'a Lines,
    /// The first elements, of real or complex numbers as the shape says.
    pub(crate) input: Shared,
    pub(crate) output: Shared,
    /// Elements from one to the next along a line: of the input and of the output.
    pub(crate) strides: [isize; 2],
    /// How many elements of each line are there; the rest counts as zero.
    pub(crate) valid: usize,
    /// By what the result is multiplied.
    pub(crate) scale: T,
    /// Real to half: the result is conjugated. Half to real: the input is.
    pub(crate) conjugate: bool,
}

/// Elements of a task: some tens of microseconds of work.
const ELEMENTS_PER_TASK: usize = 1 << 13;
/// Elements below which other threads are not woken.
const PARALLEL_MIN: usize = if cfg!(miri) { 1 << 6 } else { 1 << 14 };
/// Bytes of scratch memory for lines that are not dense: they are moved some at a time, and stay in the cache.
const STRIDED_SCRATCH_BYTES: usize = 256 << 10;
/// Bytes for lines that are dense, where moving more at a time gains nothing but calls.
const DENSE_SCRATCH_BYTES: usize = 16 << 10;
/// Lines moved at a time at least and at most: adjacent ones share cache lines.
const GROUP_LINES: std::ops::RangeInclusive<usize> = 4..=128;

impl<T: FftReal> Pass<'_, T> {
    /// Runs the pass with rustfft's plan `fft`.
    ///
    /// # Safety
    /// All elements of the lines are readable in the input and writable in the output. The two do not overlap, unless
    /// they are one and the same: same start, same strides, same kind of numbers.
    pub(crate) unsafe fn run(&self, fft: &dyn Fft<T>) -> Result<()> {
        let (lines, n) = (self.lines.count(), self.plan.n);
        let group = self.group();
        let per_task = (ELEMENTS_PER_TASK / n).next_multiple_of(group).max(group);
        run_tasks(lines.div_ceil(per_task), lines * n >= PARALLEL_MIN, &|task| {
            let from = task * per_task;
            let count = per_task.min(lines - from);
            // SAFETY: the caller's promise; tasks have lines of their own.
            unsafe {
                if self.is_plain() {
                    self.transform_plain(fft, from, count);
                } else {
                    self.transform_lines(fft, from, count, group);
                }
            }
        })
    }

    /// Complex numbers that scratch memory holds for a line, and the distance between two such lines.
    fn pitch(&self) -> usize {
        let n = self.plan.n;
        let needed = match (self.shape, &self.plan.half) {
            (PassKind::Complex | PassKind::RealToFull, _) | (_, HalfRoots::None) => n,
            _ => n / 2 + 1,
        };
        // Lines a power of two apart would compete for the same places of the cache.
        if self.strides == [1, 1] { needed } else { needed + 64 / size_of::<Complex<T>>() }
    }

    fn group(&self) -> usize {
        let line = self.pitch() * size_of::<Complex<T>>();
        if self.strides == [1, 1] {
            (DENSE_SCRATCH_BYTES / line).clamp(1, 64)
        } else {
            (STRIDED_SCRATCH_BYTES / line).clamp(*GROUP_LINES.start(), *GROUP_LINES.end())
        }
    }

    /// Whether complex lines lie one after the other in both operands, so that nothing has to be moved.
    fn is_plain(&self) -> bool {
        let n = self.plan.n;
        self.shape == PassKind::Complex
            && self.strides == [1, 1]
            && self.valid == n
            && self.lines.are_spaced([n as isize; 2])
    }

    unsafe fn transform_plain(&self, fft: &dyn Fft<T>, from: usize, count: usize) {
        let n = self.plan.n;
        let (start, length) = (from * n, count * n);
        let input = self.input.get().cast::<Complex<T>>();
        let output = self.output.get().cast::<Complex<T>>();
        // SAFETY: the caller's promise; the lines are dense.
        let result = unsafe { std::slice::from_raw_parts_mut(output.add(start), length) };
        if input == output {
            with_scratch([0, fft.get_inplace_scratch_len()], |_, scratch| {
                fft.process_with_scratch(result, scratch)
            });
        } else {
            // SAFETY: as above; the operands do not overlap.
            let lines = unsafe { std::slice::from_raw_parts(input.add(start), length) };
            with_scratch([0, fft.get_immutable_scratch_len()], |_, scratch| {
                fft.process_immutable_with_scratch(lines, result, scratch);
            });
        }
        scale_all(result, self.scale);
    }

    unsafe fn transform_lines(&self, fft: &dyn Fft<T>, from: usize, count: usize, group: usize) {
        let pitch = self.pitch();
        let mut starts = with_capacity(group);
        with_scratch([group * pitch, fft.get_inplace_scratch_len()], |lines, scratch| {
            for first in (from..from + count).step_by(group) {
                self.lines.starts(first, group.min(from + count - first), &mut starts);
                // SAFETY: the caller's promise; `lines` has room for the group.
                unsafe { self.load(&starts, lines, pitch) };
                for line in lines.chunks_exact_mut(pitch).take(starts.len()) {
                    self.transform_line(fft, line, scratch);
                }
                // SAFETY: as above.
                unsafe { self.store(&starts, lines, pitch) };
            }
        });
    }

    /// Brings lines in and fills up what is not there with zeros.
    unsafe fn load(&self, starts: &[[isize; 2]], lines: &mut [Complex<T>], pitch: usize) {
        let n = self.plan.n;
        let begins = starts.iter().map(|s| s[0]);
        let zero = Complex::new(T::zero(), T::zero());
        let (target, input) = (lines.as_mut_ptr(), self.input.get());
        match (self.shape, &self.plan.half) {
            (PassKind::Complex | PassKind::HalfToReal, half) => {
                let needed = if self.shape == PassKind::Complex { n } else { n / 2 + 1 };
                let valid = self.valid.min(needed);
                // SAFETY: the caller's promise; a line has room for what is needed.
                unsafe { gather(input.cast(), begins, self.strides[0], valid, target, pitch) };
                for line in lines.chunks_exact_mut(pitch).take(starts.len()) {
                    line[valid..needed].fill(zero);
                    if self.conjugate {
                        line[..needed].iter_mut().for_each(|z| *z = z.conj());
                    }
                    if self.shape == PassKind::HalfToReal && matches!(half, HalfRoots::None) {
                        line[0].im = T::zero();
                        mirror_line(&mut line[..n]);
                    }
                }
            }
            (_, HalfRoots::None) => {
                for (line, begin) in lines.chunks_exact_mut(pitch).zip(begins) {
                    // SAFETY: the caller's promise.
                    let element =
                        |j: usize| unsafe { *input.cast::<T>().offset(begin + j as isize * self.strides[0]) };
                    (0..self.valid).for_each(|j| line[j] = Complex::new(element(j), T::zero()));
                    line[self.valid..n].fill(zero);
                }
            }
            // Real elements two by two are complex ones.
            _ => {
                let target = target.cast::<T>();
                // SAFETY: the caller's promise; a line holds n + 2 real numbers.
                unsafe {
                    gather(input.cast(), begins, self.strides[0], self.valid, target, 2 * pitch);
                    for i in 0..starts.len() {
                        std::slice::from_raw_parts_mut(target.add(2 * i * pitch), n)[self.valid..]
                            .fill(T::zero());
                    }
                }
            }
        }
    }

    fn transform_line(&self, fft: &dyn Fft<T>, line: &mut [Complex<T>], scratch: &mut [Complex<T>]) {
        let n = self.plan.n;
        match (self.shape, &self.plan.half) {
            (PassKind::RealToHalf | PassKind::RealToFull, HalfRoots::Table(roots)) => {
                fft.process_with_scratch(&mut line[..n / 2], scratch);
                untangle_line(&mut line[..=n / 2], roots);
            }
            (PassKind::HalfToReal, HalfRoots::Table(roots)) => {
                tangle_line(&mut line[..=n / 2], roots);
                fft.process_with_scratch(&mut line[..n / 2], scratch);
            }
            _ => fft.process_with_scratch(&mut line[..n], scratch),
        }
        if self.shape == PassKind::RealToFull {
            mirror_line(&mut line[..n]);
        }
    }

    unsafe fn store(&self, starts: &[[isize; 2]], lines: &[Complex<T>], pitch: usize) {
        let n = self.plan.n;
        let begins = starts.iter().map(|s| s[1]);
        let (output, stride, scale) = (self.output.get(), self.strides[1], self.scale);
        // SAFETY: the caller's promise.
        unsafe {
            match (self.shape, &self.plan.half) {
                (PassKind::HalfToReal, HalfRoots::None) => {
                    scatter(lines.as_ptr(), pitch, n, output.cast(), begins, stride, |z: Complex<T>| {
                        z.re * scale
                    });
                }
                (PassKind::HalfToReal, _) => {
                    let reals = lines.as_ptr().cast::<T>();
                    scatter(reals, 2 * pitch, n, output.cast(), begins, stride, |x: T| x * scale);
                }
                (shape, _) => {
                    let count = if shape == PassKind::RealToHalf { n / 2 + 1 } else { n };
                    let imaginary = if self.conjugate && shape != PassKind::Complex { -scale } else { scale };
                    let target = output.cast::<Complex<T>>();
                    if scale == T::one() && imaginary == T::one() {
                        return scatter(lines.as_ptr(), pitch, count, target, begins, stride, |z| z);
                    }
                    scatter(lines.as_ptr(), pitch, count, target, begins, stride, |z: Complex<T>| {
                        Complex::new(z.re * scale, z.im * imaginary)
                    });
                }
            }
        }
    }
}
