//! One pass over long lines: each is done by all threads together, real ones by half as many complex numbers.

use cuprum_core::Result;
use cuprum_threads::{Shared, run_tasks};
use num_complex::Complex;

use crate::lines::{gather, scatter};
use crate::long::Long;
use crate::pass::{Pass, PassKind};
use crate::plan::HalfRoots;
use crate::real::{tangle, tangle_ends, untangle, untangle_ends};
use crate::roots::Roots;
use crate::transform::Allocate;
use crate::{Direction, FftReal};

/// Pairs of coefficients that a task untangles.
const PAIRS_PER_TASK: usize = 1 << 13;

/// Elements of each line that a task moves.
const ELEMENTS_PER_TASK: usize = 1 << 12;

/// Runs a pass, line by line.
///
/// # Safety
/// As for [`Pass::run`].
pub(crate) unsafe fn run_long<T: FftReal>(
    pass: &Pass<'_, T>,
    long: &Long<T>,
    direction: Direction,
    allocate: Allocate<'_>,
) -> Result<()> {
    let length = long.work_length();
    let memory = allocate(length * size_of::<Complex<T>>())?;
    let work = Shared(memory.start::<Complex<T>>(length).cast());
    let run = LongPass { pass, long, direction, work };
    // SAFETY: the caller's promise.
    unsafe {
        if pass.lines.count() == 1 || pass.strides == [1, 1] {
            return run.in_place();
        }
        let real_input = matches!(pass.shape, PassKind::RealToHalf | PassKind::RealToFull);
        match (real_input, pass.shape == PassKind::HalfToReal) {
            (true, _) => run.in_groups::<T, Complex<T>>(allocate),
            (_, true) => run.in_groups::<Complex<T>, T>(allocate),
            _ => run.in_groups::<Complex<T>, Complex<T>>(allocate),
        }
    }
}

/// A pass under way; everything unsafe here stands on the promise given to [`run_long`].
struct LongPass<'a, T: FftReal> {
    pass: &'a Pass<'a, T>,
    long: &'a Long<T>,
    direction: Direction,
    work: Shared,
}

impl<T: FftReal> LongPass<'_, T> {
    /// Lines are read and written where they are.
    unsafe fn in_place(&self) -> Result<()> {
        let (pass, mut starts) = (self.pass, Vec::new());
        for line in 0..pass.lines.count() {
            pass.lines.starts(line, 1, &mut starts);
            // SAFETY: the caller's promise.
            unsafe { self.line([pass.input, pass.output], pass.strides, starts[0])? };
        }
        Ok(())
    }

    /// Lines of which the elements lie apart are moved to memory of their own, as many at a time as share cache lines.
    unsafe fn in_groups<E: Copy, F: Copy>(&self, allocate: Allocate<'_>) -> Result<()> {
        let pass = self.pass;
        let count = if pass.shape == PassKind::RealToHalf { pass.plan.n / 2 + 1 } else { pass.plan.n };
        let group = (64 / size_of::<E>().max(size_of::<F>())).min(pass.lines.count());
        let (given, wanted) = (group * pass.valid.max(1), group * count);
        let memory = [allocate(given * size_of::<E>())?, allocate(wanted * size_of::<F>())?];
        let input = Shared(memory[0].start::<E>(given).cast());
        let output = Shared(memory[1].start::<F>(wanted).cast());
        let mut starts = Vec::new();
        for first in (0..pass.lines.count()).step_by(group) {
            pass.lines.starts(first, group.min(pass.lines.count() - first), &mut starts);
            // SAFETY: the caller's promise; the memory has room for a group.
            unsafe {
                move_in::<E>(pass.input, &starts, pass.strides[0], pass.valid, input)?;
                for line in 0..starts.len() {
                    let begins = [(line * pass.valid) as isize, (line * count) as isize];
                    self.line([input, output], [1, 1], begins)?;
                }
                move_out::<F>(output, count, pass.output, &starts, pass.strides[1])?;
            }
        }
        Ok(())
    }

    unsafe fn line(&self, operands: [Shared; 2], strides: [isize; 2], starts: [isize; 2]) -> Result<()> {
        let line = LongLine { pass: self.pass, long: self.long, work: self.work, operands, strides, starts };
        // SAFETY: the caller's promise.
        unsafe {
            match (self.pass.shape, &self.pass.plan.half) {
                (PassKind::Complex, _) => line.complex(self.direction),
                (PassKind::HalfToReal, HalfRoots::Roots(roots)) => line.half_to_real(roots),
                (PassKind::HalfToReal, _) => line.odd_half_to_real(),
                (_, HalfRoots::Roots(roots)) => line.real_to_half(roots),
                _ => line.odd_real_to_half(),
            }
        }
    }
}

/// Moves the first `count` elements of lines to dense lines.
unsafe fn move_in<E: Copy>(
    from: Shared,
    starts: &[[isize; 2]],
    stride: isize,
    count: usize,
    to: Shared,
) -> Result<()> {
    run_tasks(count.div_ceil(ELEMENTS_PER_TASK), true, &|task| {
        let (at, n) = (task * ELEMENTS_PER_TASK, ELEMENTS_PER_TASK.min(count - task * ELEMENTS_PER_TASK));
        let begins = starts.iter().map(|s| s[0] + at as isize * stride);
        // SAFETY: the caller's promise; tasks have parts of the lines of their own.
        unsafe { gather(from.get().cast::<E>(), begins, stride, n, to.get().cast::<E>().add(at), count) };
    })
}

/// Moves dense lines of `count` elements to where they belong.
unsafe fn move_out<E: Copy>(
    from: Shared,
    count: usize,
    to: Shared,
    starts: &[[isize; 2]],
    stride: isize,
) -> Result<()> {
    run_tasks(count.div_ceil(ELEMENTS_PER_TASK), true, &|task| {
        let (at, n) = (task * ELEMENTS_PER_TASK, ELEMENTS_PER_TASK.min(count - task * ELEMENTS_PER_TASK));
        let begins = starts.iter().map(|s| s[1] + at as isize * stride);
        // SAFETY: as in `move_in`.
        unsafe {
            scatter(from.get().cast::<E>().add(at), count, n, to.get().cast(), begins, stride, |e: E| e)
        };
    })
}

/// A long line on its way.
struct LongLine<'a, T: FftReal> {
    pass: &'a Pass<'a, T>,
    long: &'a Long<T>,
    work: Shared,
    /// Input and output, the steps along the line, and where it begins.
    operands: [Shared; 2],
    strides: [isize; 2],
    starts: [isize; 2],
}

/// One operand's elements along the line, counted from its beginning.
#[derive(Clone, Copy)]
struct Along<E> {
    start: Shared,
    stride: isize,
    element: std::marker::PhantomData<fn() -> E>,
}

impl<E: Copy> Along<E> {
    /// # Safety
    /// The line has an element there.
    #[inline(always)]
    unsafe fn at(self, j: usize) -> *mut E {
        // SAFETY: the caller's promise.
        unsafe { self.start.get().cast::<E>().offset(j as isize * self.stride) }
    }
}

impl<T: FftReal> LongLine<'_, T> {
    unsafe fn along<E>(&self, operand: usize) -> Along<E> {
        // SAFETY: the line begins inside the operand.
        let start = unsafe { self.operands[operand].get().cast::<E>().offset(self.starts[operand]) };
        Along {
            start: Shared(start.cast()),
            stride: self.strides[operand],
            element: std::marker::PhantomData,
        }
    }

    unsafe fn complex(&self, direction: Direction) -> Result<()> {
        let (valid, scale) = (self.pass.valid, self.pass.scale);
        // SAFETY: `valid` elements of the input are there, and all of the output.
        unsafe {
            let (input, output) = (self.along::<Complex<T>>(0), self.along::<Complex<T>>(1));
            if direction == Direction::Forward {
                let load = |j| if j < valid { *input.at(j) } else { zero() };
                return self
                    .long
                    .run(self.work.get().cast(), &load, &|k, z: Complex<T>| *output.at(k) = z.scale(scale));
            }
            // The inverse is the conjugate of the conjugate's transform.
            let load = |j| if j < valid { (*input.at(j)).conj() } else { zero() };
            self.long
                .run(self.work.get().cast(), &load, &|k, z: Complex<T>| *output.at(k) = z.conj().scale(scale))
        }
    }

    /// Even lengths: the packed line's transform goes to the output, where it is untangled.
    unsafe fn real_to_half(&self, roots: &Roots<T>) -> Result<()> {
        let (valid, m) = (self.pass.valid, self.pass.plan.n / 2);
        // SAFETY: `valid` elements of the input are there, and the output has more than m.
        unsafe {
            let (input, output) = (self.along::<T>(0), self.along::<Complex<T>>(1));
            let real = |j| if j < valid { *input.at(j) } else { T::zero() };
            let load = |j| Complex::new(real(2 * j), real(2 * j + 1));
            self.long.run(self.work.get().cast(), &load, &|k, z| *output.at(k) = z)?;
            let ends = untangle_ends(*output.at(0));
            self.store_pair(output, 0, ends);
            run_tasks((m / 2).div_ceil(PAIRS_PER_TASK), true, &|task| {
                for k in task * PAIRS_PER_TASK + 1..=(m / 2).min((task + 1) * PAIRS_PER_TASK) {
                    let pair = untangle(*output.at(k), *output.at(m - k), roots.get(k));
                    self.store_pair(output, k, pair);
                }
            })
        }
    }

    /// Stores coefficients `k` and `n / 2 - k`, and their mirror images if all coefficients are wanted.
    #[inline(always)]
    unsafe fn store_pair(&self, output: Along<Complex<T>>, k: usize, pair: [Complex<T>; 2]) {
        let n = self.pass.plan.n;
        for (k, z) in [k, n / 2 - k].into_iter().zip(pair) {
            // SAFETY: the output has n / 2 + 1 coefficients, or all.
            unsafe { self.store_coefficient(output, k, z) };
        }
    }

    #[inline(always)]
    unsafe fn store_coefficient(&self, output: Along<Complex<T>>, k: usize, z: Complex<T>) {
        let n = self.pass.plan.n;
        let z = if self.pass.conjugate { z.conj() } else { z }.scale(self.pass.scale);
        // SAFETY: the caller's promise.
        unsafe {
            *output.at(k) = z;
            if self.pass.shape == PassKind::RealToFull && k > 0 && 2 * k < n {
                *output.at(n - k) = z.conj();
            }
        }
    }

    unsafe fn odd_real_to_half(&self) -> Result<()> {
        let (valid, n) = (self.pass.valid, self.pass.plan.n);
        // SAFETY: as in `real_to_half`.
        unsafe {
            let (input, output) = (self.along::<T>(0), self.along::<Complex<T>>(1));
            let load = |j| Complex::new(if j < valid { *input.at(j) } else { T::zero() }, T::zero());
            self.long.run(self.work.get().cast(), &load, &|k, z| {
                if k <= n / 2 {
                    self.store_coefficient(output, k, z);
                }
            })
        }
    }

    /// The coefficient `k` of the first half of a line; those at the ends are real.
    #[inline(always)]
    unsafe fn coefficient(&self, input: Along<Complex<T>>, k: usize) -> Complex<T> {
        if k >= self.pass.valid {
            return zero();
        }
        // SAFETY: `valid` elements of the input are there.
        let z = unsafe { *input.at(k) };
        if self.pass.conjugate { z.conj() } else { z }
    }

    /// Even lengths: coefficients are tangled as they are loaded.
    unsafe fn half_to_real(&self, roots: &Roots<T>) -> Result<()> {
        let (m, scale) = (self.pass.plan.n / 2, self.pass.scale);
        // SAFETY: `valid` elements of the input are there, and all of the output.
        unsafe {
            let (input, output) = (self.along::<Complex<T>>(0), self.along::<T>(1));
            let load = |j: usize| {
                let (x, mirror) = (self.coefficient(input, j), self.coefficient(input, m - j));
                let z = match j {
                    0 => tangle_ends(x, mirror),
                    _ if j <= m - j => tangle(x, mirror, roots.get(j))[0],
                    _ => tangle(mirror, x, roots.get(m - j))[1],
                };
                z.conj()
            };
            self.long.run(self.work.get().cast(), &load, &|k, z: Complex<T>| {
                *output.at(2 * k) = z.re * scale;
                *output.at(2 * k + 1) = -z.im * scale;
            })
        }
    }

    unsafe fn odd_half_to_real(&self) -> Result<()> {
        let (n, scale) = (self.pass.plan.n, self.pass.scale);
        // SAFETY: as in `half_to_real`.
        unsafe {
            let (input, output) = (self.along::<Complex<T>>(0), self.along::<T>(1));
            // Conjugate, for the inverse; a real result needs no conjugation after it.
            let load = |j: usize| match j {
                0 => Complex::new(self.coefficient(input, 0).re, T::zero()),
                _ if j <= n / 2 => self.coefficient(input, j).conj(),
                _ => self.coefficient(input, n - j),
            };
            self.long.run(self.work.get().cast(), &load, &|k, z: Complex<T>| *output.at(k) = z.re * scale)
        }
    }
}

fn zero<T: FftReal>() -> Complex<T> {
    Complex::new(T::zero(), T::zero())
}
