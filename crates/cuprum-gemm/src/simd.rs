//! The vectors that kernels are written in: a trait, and an implementation in plain arrays for any target.
//! `x86.rs` implements it in AVX2 and AVX-512.

use super::element::{GemmReal, PackedNumber};

/// Work that is compiled with the instructions of a vector type: `call` must be inlined into `GemmVector::run`.
pub(super) trait GemmJob {
    /// # Safety
    /// As the implementation states.
    unsafe fn call(self);
}

/// A register of `LANES` numbers.
///
/// # Safety
/// `LANES` numbers of `GemmReal` are what `load` and `store` touch, `ROWS` is even and at most `MAX_ROWS`, and
/// `2 * LANES` at most `MAX_COLS`.
pub(super) unsafe trait GemmVector: Copy {
    type GemmReal: GemmReal;
    const LANES: usize;
    /// Rows of the largest register tile; its columns are two vectors.
    const ROWS: usize;
    /// Rows that the dot-product kernel reads side by side.
    const DOT_ROWS: usize;

    /// Runs a job in a function compiled for this vector's instructions.
    ///
    /// # Safety
    /// The processor has them, and the job's own conditions hold.
    unsafe fn run<J: GemmJob>(job: J);

    /// # Safety
    /// Inside `run`, as all below.
    unsafe fn splat(x: Self::GemmReal) -> Self;
    /// # Safety
    /// `LANES` numbers are readable at `p`.
    unsafe fn load(p: *const Self::GemmReal) -> Self;
    /// # Safety
    /// `LANES` numbers are writable at `p`.
    unsafe fn store(self, p: *mut Self::GemmReal);
    /// Loads `count <= LANES` numbers and zeros.
    ///
    /// # Safety
    /// `count` numbers are readable at `p`.
    unsafe fn load_first(p: *const Self::GemmReal, count: usize) -> Self;
    /// Stores the first `count <= LANES` numbers.
    ///
    /// # Safety
    /// `count` numbers are writable at `p`.
    unsafe fn store_first(self, p: *mut Self::GemmReal, count: usize);
    /// Asks for the cache line at `p`, which need not be valid.
    #[inline(always)]
    fn prefetch(p: *const Self::GemmReal) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint, which never faults; SSE is part of the architecture.
        unsafe {
            core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(p.cast());
        }
        let _ = p;
    }
    /// # Safety
    /// Inside `run`.
    unsafe fn add(self, other: Self) -> Self;
    /// `self * b + c`.
    ///
    /// # Safety
    /// Inside `run`.
    unsafe fn mul_add(self, b: Self, c: Self) -> Self;
    /// The sum of all lanes: each lane of the first half and its like of the second are added, until one is left.
    ///
    /// # Safety
    /// Inside `run`.
    #[inline(always)]
    unsafe fn sum(self) -> Self::GemmReal {
        let mut lanes = [Self::GemmReal::ZERO; MAX_COLS / 2];
        // SAFETY: `2 * LANES` is at most `MAX_COLS`.
        unsafe { self.store(lanes.as_mut_ptr()) };
        let mut half = Self::LANES / 2;
        while half > 0 {
            for l in 0..half {
                lanes[l] = lanes[l].add(lanes[l + half]);
            }
            half /= 2;
        }
        lanes[0]
    }
}

/// The most rows and columns (in reals) of a register tile.
pub(super) const MAX_ROWS: usize = 12;
pub(super) const MAX_COLS: usize = 64;

/// A vector in a plain array; the compiler finds what instructions the target has.
#[derive(Clone, Copy)]
pub(super) struct PortableVector<R, const N: usize>([R; N]);

// SAFETY: an array of N numbers; the callers use N <= 32.
unsafe impl<R: GemmReal, const N: usize> GemmVector for PortableVector<R, N> {
    type GemmReal = R;
    const LANES: usize = N;
    const ROWS: usize = 4;
    const DOT_ROWS: usize = 1;

    #[inline]
    unsafe fn run<J: GemmJob>(job: J) {
        // SAFETY: the caller's promise.
        unsafe { job.call() }
    }
    #[inline(always)]
    unsafe fn splat(x: R) -> Self {
        PortableVector([x; N])
    }
    #[inline(always)]
    unsafe fn load(p: *const R) -> Self {
        // SAFETY: N numbers are readable at `p`.
        unsafe { p.cast::<Self>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut R) {
        // SAFETY: N numbers are writable at `p`.
        unsafe { p.cast::<Self>().write_unaligned(self) }
    }
    #[inline(always)]
    unsafe fn load_first(p: *const R, count: usize) -> Self {
        let mut v = [R::ZERO; N];
        // SAFETY: `count <= N` numbers are readable at `p`.
        unsafe { p.copy_to_nonoverlapping(v.as_mut_ptr(), count) };
        PortableVector(v)
    }
    #[inline(always)]
    unsafe fn store_first(self, p: *mut R, count: usize) {
        // SAFETY: `count <= N` numbers are writable at `p`.
        unsafe { p.copy_from_nonoverlapping(self.0.as_ptr(), count) };
    }
    #[inline(always)]
    unsafe fn add(mut self, other: Self) -> Self {
        for (x, y) in self.0.iter_mut().zip(other.0) {
            *x = x.add(y);
        }
        self
    }
    #[inline(always)]
    unsafe fn mul_add(mut self, b: Self, c: Self) -> Self {
        for i in 0..N {
            self.0[i] = self.0[i].mul_add(b.0[i], c.0[i]);
        }
        self
    }
}
