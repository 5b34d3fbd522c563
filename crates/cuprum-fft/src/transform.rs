//! Transforms over several axes: one pass after the other, the first out of the input, the others inside the output.

use cuprum_core::{Dims, Result, Strides};
use cuprum_threads::{Shared, run_tasks};
use num_complex::Complex;

use crate::lines::Lines;
use crate::long_pass::run_long;
use crate::memory::Lease;
use crate::pass::{Pass, PassKind};
use crate::plan::{Core, FftPlan};
use crate::{Direction, FftReal, TransformKind};

/// An array in host memory; strides count elements.
#[derive(Clone, Copy, Debug)]
pub struct Strided<'a> {
    /// The address of the first element.
    pub start: *mut u8,
    /// The lengths of the axes.
    pub shape: &'a [usize],
    /// The steps along them.
    pub strides: &'a [isize],
}

/// What is to be computed: `out[k] = scale * sum_j input[j] * exp(-+2 pi i j k / n)` along each of the axes.
#[derive(Clone, Copy, Debug)]
pub struct Transform<'a> {
    /// What goes in and comes out.
    pub kind: TransformKind,
    /// The sign of the exponent.
    pub direction: Direction,
    /// The axes, each once; real lines lie along the last one.
    pub axes: &'a [usize],
    /// The length of the transform along each of them: longer input is cut off, shorter input filled up with zeros.
    pub lengths: &'a [usize],
    /// By what the result is multiplied.
    pub scale: f64,
}

/// Where large working memory comes from.
pub type Allocate<'a> = &'a dyn Fn(usize) -> Result<Lease>;

/// Transforms `input` into `output`.
///
/// Along the axes, the output has the transform's lengths (the last one's `n / 2 + 1` for half of the coefficients),
/// and the input's lengths are free. All other axes are the same in both.
///
/// # Safety
/// `input` and `output` point to numbers of precision `T`, real or complex as `kind` says, aligned, readable and writable
/// over all of their elements. Elements of the output are distinct, and none overlaps the input.
///
/// ```
/// use cuprum_fft::{Direction, TransformKind, Strided, Transform, transform};
/// use num_complex::Complex;
/// let mut x = [Complex::new(1.0f64, 0.0), Complex::new(2.0, 0.0)];
/// let mut y = [Complex::new(0.0f64, 0.0); 2];
/// let job = Transform { kind: TransformKind::Complex, direction: Direction::Forward, axes: &[0], lengths: &[2], scale: 1.0 };
/// let input = Strided { start: x.as_mut_ptr().cast(), shape: &[2], strides: &[1] };
/// let output = Strided { start: y.as_mut_ptr().cast(), shape: &[2], strides: &[1] };
/// // SAFETY: both are arrays of two complex numbers of double precision.
/// unsafe { transform::<f64>(&job, input, output, &|_| unreachable!("short lines need no memory")) }.unwrap();
/// assert_eq!(y, [Complex::new(3.0, 0.0), Complex::new(-1.0, 0.0)]);
/// ```
pub unsafe fn transform<T: FftReal>(
    job: &Transform<'_>,
    input: Strided<'_>,
    output: Strided<'_>,
    allocate: Allocate<'_>,
) -> Result<()> {
    if output.shape.contains(&0) {
        return Ok(());
    }
    let extent = extent(job, input.shape, output.shape);
    let (passes, _precision) = (job.axes.len(), std::marker::PhantomData);
    let mut run = TransformRun::<T> { job, allocate, extent, place: input, passes, _precision };
    // SAFETY: the caller's promise.
    unsafe {
        match job.kind {
            TransformKind::Complex => run.complex_passes(job.axes.len(), output),
            TransformKind::RealToHalf => {
                run.pass(PassKind::RealToHalf, job.axes.len() - 1, output)?;
                run.complex_passes(job.axes.len() - 1, output)
            }
            TransformKind::RealToComplex if job.axes.len() == 1 => run.pass(PassKind::RealToFull, 0, output),
            TransformKind::RealToComplex => {
                run.pass(PassKind::RealToHalf, job.axes.len() - 1, output)?;
                run.complex_passes(job.axes.len() - 1, output)?;
                mirror::<T>(job.axes, output)
            }
            TransformKind::HalfToReal if job.axes.len() == 1 => run.pass(PassKind::HalfToReal, 0, output),
            TransformKind::HalfToReal => run.half_to_real(output),
        }
    }
}

/// How much of each axis of the input is used. Shapes that do not belong together are a fault of the caller.
fn extent(job: &Transform<'_>, input: &[usize], output: &[usize]) -> Dims {
    let mut extent = Dims::from_slice(input);
    let mut result = extent.clone();
    for (i, (&axis, &n)) in job.axes.iter().zip(job.lengths).enumerate() {
        let is_last = i + 1 == job.axes.len();
        let halved = |kind| if is_last && job.kind == kind { n / 2 + 1 } else { n };
        extent[axis] = input[axis].min(halved(TransformKind::HalfToReal));
        result[axis] = halved(TransformKind::RealToHalf);
    }
    assert_eq!(result.as_slice(), output, "the output has the shape of the result");
    extent
}

/// A transform under way.
struct TransformRun<'a, T> {
    job: &'a Transform<'a>,
    allocate: Allocate<'a>,
    /// How much of each axis is there already; what lies beyond counts as zeros.
    extent: Dims,
    /// Where it is.
    place: Strided<'a>,
    /// Passes still to come; the last one multiplies by the scale.
    passes: usize,
    _precision: std::marker::PhantomData<T>,
}

impl<'a, T: FftReal> TransformRun<'a, T> {
    /// Complex passes along the first `count` axes, the last of them first.
    unsafe fn complex_passes(&mut self, count: usize, output: Strided<'a>) -> Result<()> {
        // SAFETY: the caller's promise.
        (0..count).rev().try_for_each(|i| unsafe { self.pass(PassKind::Complex, i, output) })
    }

    /// Complex passes in memory of their own, then real lines from there.
    unsafe fn half_to_real(&mut self, output: Strided<'a>) -> Result<()> {
        let last = self.job.axes.len() - 1;
        let mut shape = Dims::from_slice(output.shape);
        let axis = self.job.axes[last];
        shape[axis] = self.extent[axis];
        let mut order: Dims = (0..shape.len()).collect();
        order.sort_by_key(|&d| std::cmp::Reverse(output.strides[d].unsigned_abs()));
        let mut strides = Strides::from_elem(0, shape.len());
        let mut length = 1;
        for &d in order.iter().rev() {
            strides[d] = length as isize;
            length *= shape[d];
        }
        let memory = (self.allocate)(length * size_of::<Complex<T>>())?;
        let between =
            Strided { start: memory.start::<Complex<T>>(length).cast(), shape: &shape, strides: &strides };
        let mut inner = TransformRun { place: self.place, extent: self.extent.clone(), ..*self };
        // SAFETY: the caller's promise; the memory holds the whole shape.
        unsafe {
            inner.complex_passes(last, between)?;
            inner.pass(PassKind::HalfToReal, last, output)
        }
    }

    /// One pass along the `i`-th axis, from where the elements are to `target`.
    unsafe fn pass(&mut self, shape: PassKind, i: usize, target: Strided<'a>) -> Result<()> {
        let (axis, n) = (self.job.axes[i], self.job.lengths[i]);
        let forward = self.job.direction == Direction::Forward;
        let (plan, conjugate) = match shape {
            PassKind::Complex => (FftPlan::complex(n, self.job.direction, self.allocate)?, false),
            PassKind::RealToHalf | PassKind::RealToFull => {
                (FftPlan::real(n, Direction::Forward, self.allocate)?, !forward)
            }
            PassKind::HalfToReal => (FftPlan::real(n, Direction::Inverse, self.allocate)?, forward),
        };
        self.passes -= 1;
        let lines = Lines::new(&self.extent, axis, self.place.strides, target.strides);
        let pass = Pass {
            shape,
            plan: &plan,
            lines: &lines,
            input: Shared(self.place.start),
            output: Shared(target.start),
            strides: [self.place.strides[axis], target.strides[axis]],
            valid: self.extent[axis],
            scale: if self.passes == 0 { T::of(self.job.scale) } else { T::one() },
            conjugate,
        };
        // SAFETY: the caller's promise: lines begin in the part of the axes that is there.
        unsafe {
            match &plan.core {
                Core::Short(fft) => pass.run(&**fft)?,
                Core::Long(long) => run_long(&pass, long, self.job.direction, self.allocate)?,
            }
        }
        self.extent[axis] = if shape == PassKind::RealToHalf { n / 2 + 1 } else { n };
        self.place = target;
        Ok(())
    }
}

/// Elements of a task that mirrors.
const MIRRORED_PER_TASK: usize = 1 << 14;

/// Fills the second half along the last of the axes: the coefficients of real numbers at opposite places are conjugate.
///
/// # Safety
/// The output holds the first half, `n / 2 + 1` along that axis.
unsafe fn mirror<T: FftReal>(axes: &[usize], output: Strided<'_>) -> Result<()> {
    let (last, others) = axes.split_last().expect("there is a real axis");
    let (n, stride) = (output.shape[*last], output.strides[*last]);
    let mut order: Dims = (0..output.shape.len()).filter(|d| d != last).collect();
    order.sort_by_key(|&d| std::cmp::Reverse(output.strides[d].unsigned_abs()));
    let lines: usize = order.iter().map(|&d| output.shape[d]).product();
    let start = Shared(output.start);
    let per_task = (MIRRORED_PER_TASK / n).max(1);
    run_tasks(lines.div_ceil(per_task), lines * n >= 2 * MIRRORED_PER_TASK, &|task| {
        for line in task * per_task..lines.min((task + 1) * per_task) {
            let (mut here, mut opposite, mut rest) = (0, 0, line);
            for &d in order.iter().rev() {
                let dim = output.shape[d];
                let index = rest % dim;
                rest /= dim;
                let across = if others.contains(&d) && index > 0 { dim - index } else { index };
                here += index as isize * output.strides[d];
                opposite += across as isize * output.strides[d];
            }
            let numbers = start.get().cast::<Complex<T>>();
            for k in n / 2 + 1..n {
                // SAFETY: the caller's promise; lines have second halves of their own, first halves are only read.
                unsafe {
                    let from = numbers.offset(opposite + (n - k) as isize * stride);
                    *numbers.offset(here + k as isize * stride) = (*from).conj();
                }
            }
        }
    })
}
