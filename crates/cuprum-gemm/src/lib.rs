//! Matrix products of strided operands, for every dtype: `C = A @ B`, one or a batch of them.
//!
//! One engine serves all: operands are packed (or read in place when small) for a register-tile micro-kernel
//! in AVX-512, AVX2 or plain Rust, chosen at run time; products with a vector have memory-bound kernels of
//! their own. It is written here rather than taken from a crate because the crates measured were 1.2 to 2.5
//! times slower than OpenBLAS on small matrices and on large `f64` ones, and none covers integers.
//!
//! Results are reproducible: how each element's sum is ordered follows from the shape alone, never from the
//! number of threads or from how the work was cut among them. It does follow from the instruction set: wider vectors sum
//! in more parts.

mod bits;
mod block;
mod element;
mod kernel;
mod pack;
mod parallel;
mod simd;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_core::SimdLevel;
use cuprum_core::memory::filled;
use half::{bf16, f16};
use num_complex::Complex;

use element::{Bits, GemmElement, PackedNumber};
use parallel::parallel;
pub use parallel::touch_scratch;
use simd::{GemmVector, PortableVector};

/// The element type of a product.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GemmType {
    /// Logical: or of ands.
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    /// Summed in `f32`, rounded once.
    F16,
    /// Summed in `f32`, rounded once.
    Bf16,
    F32,
    F64,
    C64,
    C128,
}

impl GemmType {
    /// The size of an element.
    fn bytes(self) -> usize {
        match self {
            GemmType::Bool | GemmType::I8 | GemmType::U8 => 1,
            GemmType::I16 | GemmType::U16 | GemmType::F16 | GemmType::Bf16 => 2,
            GemmType::I32 | GemmType::U32 | GemmType::F32 => 4,
            GemmType::I64 | GemmType::U64 | GemmType::F64 | GemmType::C64 => 8,
            GemmType::C128 => 16,
        }
    }
}

/// One matrix product `C = A @ B`, A of `m` by `k` and B of `k` by `n`. Strides are in elements, from a row
/// to the next and from a column to the next; those of A and B may be negative or zero.
#[derive(Clone, Copy, Debug)]
pub struct Gemm {
    /// Rows of A and C.
    pub m: usize,
    /// Columns of B and C.
    pub n: usize,
    /// Columns of A and rows of B.
    pub k: usize,
    /// The first element of A.
    pub a: *const u8,
    /// A's steps along rows and columns, in elements.
    pub a_strides: [isize; 2],
    /// The first element of B.
    pub b: *const u8,
    /// B's steps, in elements.
    pub b_strides: [isize; 2],
    /// The first element of C.
    pub c: *mut u8,
    /// C's steps, in elements.
    pub c_strides: [isize; 2],
}

impl Gemm {
    /// The same product of matrices that lie so many bytes further.
    #[inline]
    fn moved(&self, [a, b, c]: [isize; 3]) -> Gemm {
        Gemm {
            a: self.a.wrapping_offset(a),
            b: self.b.wrapping_offset(b),
            c: self.c.wrapping_offset(c),
            ..*self
        }
    }
}

// SAFETY: a description of memory; whoever runs it vouches for the memory.
unsafe impl Send for Gemm {}
// SAFETY: as above.
unsafe impl Sync for Gemm {}

/// Computes a product on up to `threads` threads, the calling one among them. False where the user asked to stop before
/// all of C was there.
///
/// # Safety
/// The pointers are aligned for the element type and valid for all elements that the shape and strides
/// address; the elements of C are distinct, and none lies in A or B.
///
/// # Examples
/// ```
/// use cuprum_gemm::{Gemm, GemmType, gemm};
/// let (a, b, mut c) = ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [0.0f64; 4]);
/// let product = Gemm {
///     m: 2, n: 2, k: 2,
///     a: a.as_ptr().cast(), a_strides: [2, 1],
///     b: b.as_ptr().cast(), b_strides: [2, 1],
///     c: c.as_mut_ptr().cast(), c_strides: [2, 1],
/// };
/// // SAFETY: three matrices of four elements each.
/// assert!(unsafe { gemm(GemmType::F64, &product, 1) });
/// assert_eq!(c, [19.0, 22.0, 43.0, 50.0]);
/// ```
#[must_use]
pub unsafe fn gemm(kind: GemmType, product: &Gemm, threads: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { (engine(kind).one)(product, threads) }
}

/// Computes many products of one shape: product `i` is `base` with the pointers of A, B and C moved by
/// `offsets[i]` bytes. The threads go to the batch when it has enough products for them, and to each product
/// in turn otherwise. False as for [`gemm`].
///
/// # Safety
/// Each product meets the conditions of [`gemm`], and no two overlap in C.
#[must_use]
pub unsafe fn gemm_batch(kind: GemmType, base: &Gemm, offsets: &[[isize; 3]], threads: usize) -> bool {
    let engine = engine(kind);
    // SAFETY: the caller's promise for each product.
    let some = |offsets: &[[isize; 3]]| unsafe { (engine.many)(base, offsets) };
    let work = base.m.saturating_mul(base.n).saturating_mul(base.k.max(1));
    let bytes = kind.bytes().max(4);
    if threads <= 1 || !block::worth_threads(work.saturating_mul(offsets.len()), bytes) {
        offsets.chunks(UNWATCHED_PRODUCTS).all(some)
    } else if !block::worth_threads(work, bytes) || offsets.len() >= 4 * threads {
        let step = offsets.len().div_ceil(8 * threads);
        let whole = AtomicBool::new(true);
        let all = parallel(threads, offsets.len().div_ceil(step), &|t| {
            let end = offsets.len().min((t + 1) * step);
            if !some(&offsets[t * step..end]) {
                whole.store(false, Ordering::Relaxed);
            }
        });
        all && whole.into_inner()
    } else {
        // SAFETY: the caller's promise for each product.
        offsets.iter().all(|&by| unsafe { (engine.one)(&base.moved(by), threads) })
    }
}

/// The products of one element type with one kind of vector. Both are unsafe as [`gemm`] is, and the processor must have the
/// vector's instructions.
#[derive(Clone, Copy)]
struct Engine {
    /// One product, on up to so many threads.
    one: unsafe fn(&Gemm, usize) -> bool,
    /// Products of one shape, on the calling thread: as `one` for each, to the bit, without planning each anew.
    many: unsafe fn(&Gemm, &[[isize; 3]]) -> bool,
}

/// The engine for an element type at the level of this process.
#[inline]
fn engine(kind: GemmType) -> Engine {
    engines(kind)[SimdLevel::detect() as usize]
}

/// Every engine for an element type that this processor can run.
#[cfg(test)]
fn every_engine(kind: GemmType) -> Vec<Engine> {
    let usable = SimdLevel::ALL.into_iter().filter(|level| level.is_available());
    usable.map(|level| engines(kind)[level as usize]).collect()
}

/// The engines for an element type, by [`SimdLevel`]; all are the portable one on other processors.
#[inline]
fn engines(kind: GemmType) -> [Engine; 3] {
    /// One row for each element type: the vectors of AVX-512 and AVX2, then the number and lanes of the
    /// portable one.
    macro_rules! table {
        ($($($kind:ident)|+ => $element:ty, $avx512:ident, $avx2:ident, $real:ty, $lanes:literal;)*) => {
            match kind {
                GemmType::Bool => {
                    let portable = bits::engine::<PortableVector<Bits, 2>>();
                    #[cfg(target_arch = "x86_64")]
                    return [portable, bits::engine::<x86::Bits4>(), bits::engine::<x86::Bits8>()];
                    #[cfg(not(target_arch = "x86_64"))]
                    [portable; 3]
                }
                $($(GemmType::$kind)|+ => {
                    let portable = engine_of::<$element, PortableVector<$real, $lanes>>();
                    #[cfg(target_arch = "x86_64")]
                    return [portable, engine_of::<$element, x86::$avx2>(), engine_of::<$element, x86::$avx512>()];
                    #[cfg(not(target_arch = "x86_64"))]
                    [portable; 3]
                })*
            }
        };
    }
    table! {
        I8 | U8 => u8, U16x32, U16x16, u16, 8;
        I16 | U16 => u16, U16x32, U16x16, u16, 8;
        I32 | U32 => u32, U32x16, U32x8, u32, 4;
        I64 | U64 => u64, U64x8, U64x4, u64, 2;
        F16 => f16, F32x16, F32x8, f32, 4;
        Bf16 => bf16, F32x16, F32x8, f32, 4;
        F32 => f32, F32x16, F32x8, f32, 4;
        F64 => f64, F64x8, F64x4, f64, 2;
        C64 => Complex<f32>, F32x16, F32x8, f32, 4;
        C128 => Complex<f64>, F64x8, F64x4, f64, 2;
    }
}

fn engine_of<E, V>() -> Engine
where
    E: GemmElement,
    SumOf<E>: GemmElement<PackedNumber = SumOf<E>>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    Engine { one: run::<E, V>, many: run_many::<E, V> }
}

/// A product with typed operands. `O` is how sums are written: as `E`, or unrounded when they are parts of a
/// sum.
struct Product<E, O> {
    m: usize,
    n: usize,
    k: usize,
    a: *const E,
    a_strides: [isize; 2],
    b: *const E,
    b_strides: [isize; 2],
    c: *mut O,
    c_strides: [isize; 2],
}

// SAFETY: a description of memory; the tasks that share it write disjoint parts of C.
unsafe impl<E, O> Sync for Product<E, O> {}

impl<E> Product<E, E> {
    fn of(g: &Gemm) -> Self {
        Product {
            m: g.m,
            n: g.n,
            k: g.k,
            a: g.a.cast::<E>(),
            a_strides: g.a_strides,
            b: g.b.cast::<E>(),
            b_strides: g.b_strides,
            c: g.c.cast::<E>(),
            c_strides: g.c_strides,
        }
    }
}

impl<E, O> Product<E, O> {
    /// The same product, transposed if needed, so that columns of the result are contiguous, as kernels store them.
    #[inline]
    fn for_tiles(&self) -> Self {
        if self.n == 1 {
            Product { b_strides: [self.b_strides[0], 1], c_strides: [self.c_strides[0], 1], ..*self }
        } else if self.c_strides[1] != 1 && self.c_strides[0] == 1 {
            self.transposed()
        } else {
            Product { ..*self }
        }
    }

    /// Whether the product is one with a vector that is long enough for kernels of its own.
    #[inline]
    fn is_by_vector(&self) -> bool {
        let long = self.k > TILE_SUM_MAX;
        (self.n == 1 && (long || self.m == 1)) || (self.m == 1 && long)
    }

    /// Whether A is B's transpose, in the same memory: C is symmetric then.
    #[inline]
    fn is_by_own_transpose(&self) -> bool {
        let [rows, cols] = self.b_strides;
        self.m == self.n && std::ptr::eq(self.a, self.b) && self.a_strides == [cols, rows]
    }

    /// Whether the sums are cut into parts.
    #[inline]
    fn is_split(&self) -> bool {
        self.k >= SPLIT_SUM_MIN && self.m.saturating_mul(self.n) <= SPLIT_SUM_MAX_OUTPUTS
    }

    /// The same product as `C^T = B^T @ A^T`.
    #[inline]
    fn transposed(&self) -> Self {
        let flip = |[r, c]: [isize; 2]| [c, r];
        Product {
            m: self.n,
            n: self.m,
            k: self.k,
            a: self.b,
            a_strides: flip(self.b_strides),
            b: self.a,
            b_strides: flip(self.a_strides),
            c: self.c,
            c_strides: flip(self.c_strides),
        }
    }

    /// The address of an element of C.
    #[inline]
    fn c_at(&self, i: usize, j: usize) -> *mut O {
        self.c.wrapping_offset(i as isize * self.c_strides[0] + j as isize * self.c_strides[1])
    }
}

/// The sums of a product of `E`s.
type SumOf<E> = <E as GemmElement>::PackedNumber;
type RealOf<E> = <SumOf<E> as PackedNumber>::GemmReal;

/// # Safety
/// As [`gemm`], and the processor has the vector's instructions.
unsafe fn run<E, V>(g: &Gemm, threads: usize) -> bool
where
    E: GemmElement,
    SumOf<E>: GemmElement<PackedNumber = SumOf<E>>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    let product = Product::<E, E>::of(g);
    if product.m == 0 || product.n == 0 {
        return true;
    }
    // SAFETY: the caller's promise; the elements written below are those of C.
    unsafe {
        if product.k == 0 {
            for (i, j) in (0..product.m).flat_map(|i| (0..product.n).map(move |j| (i, j))) {
                product.c_at(i, j).write(E::narrow(SumOf::<E>::ZERO));
            }
            true
        } else {
            sums::<E, E, V>(&product, threads)
        }
    }
}

/// # Safety
/// As `run`, for each product.
unsafe fn run_many<E, V>(base: &Gemm, offsets: &[[isize; 3]]) -> bool
where
    E: GemmElement,
    SumOf<E>: GemmElement<PackedNumber = SumOf<E>>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    let product = Product::<E, E>::of(base);
    let is_empty = product.m == 0 || product.n == 0 || product.k == 0;
    if is_empty
        || product.is_split()
        || product.is_by_vector()
        || !block::is_small::<E, E>(&product.for_tiles())
    {
        // SAFETY: the caller's promise for each product.
        return offsets.iter().all(|&by| unsafe { run::<E, V>(&base.moved(by), 1) });
    }
    for &by in offsets {
        // SAFETY: the caller's promise for each product; it was found small.
        unsafe { block::small::<E, E, V>(&Product::<E, E>::of(&base.moved(by)).for_tiles()) };
    }
    true
}

/// # Safety
/// As `run`; `m`, `n` and `k` are not zero.
#[inline]
unsafe fn sums<E, O, V>(product: &Product<E, O>, threads: usize) -> bool
where
    E: GemmElement,
    SumOf<E>: GemmElement<PackedNumber = SumOf<E>>,
    O: GemmElement<PackedNumber = SumOf<E>>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    // SAFETY: the caller's promise.
    unsafe {
        if product.is_split() {
            split_sums::<E, O, V>(product, threads)
        } else {
            whole_sums::<E, O, V>(product, threads)
        }
    }
}

/// Few outputs with sums at least this long are summed in pieces, which is what makes a long dot product
/// parallel.
const SPLIT_SUM_MIN: usize = if cfg!(miri) { 32 } else { 16384 };
const SPLIT_SUM_MAX_OUTPUTS: usize = 4096;
/// Products to a piece, and pieces to a sum.
const SPLIT_SUM_STEP: usize = if cfg!(miri) { 8 } else { 4096 };
const SPLIT_SUM_MAX_PARTS: usize = 64;

/// Small products of a batch between two questions whether to stop.
const UNWATCHED_PRODUCTS: usize = 1 << 12;

/// Sums of up to this many products with a vector go through the tile kernel, which makes several at once.
const TILE_SUM_MAX: usize = 8;

/// Cuts the sums at places that depend on the shape alone, and adds the parts in order.
///
/// # Safety
/// As `run`.
unsafe fn split_sums<E, O, V>(product: &Product<E, O>, threads: usize) -> bool
where
    E: GemmElement,
    SumOf<E>: GemmElement<PackedNumber = SumOf<E>>,
    O: GemmElement<PackedNumber = SumOf<E>>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    let &Product { m, n, k, .. } = product;
    let step = SPLIT_SUM_STEP.max(k.div_ceil(SPLIT_SUM_MAX_PARTS));
    let parts = k.div_ceil(step);
    let mut sums = filled(parts * m * n, SumOf::<E>::ZERO);
    let sums_at = parallel::SharedPointer(sums.as_mut_ptr());
    // Few outputs: the time goes to reading A and B.
    let read = (m + n).saturating_mul(k).saturating_mul(size_of::<E>());
    let threads = if read < vector::PARALLEL_MIN_BYTES { 1 } else { threads };
    let whole = AtomicBool::new(true);
    let all = parallel(threads, parts, &|t| {
        let at = t * step;
        let part = Product {
            m,
            n,
            k: step.min(k - at),
            a: product.a.wrapping_offset(at as isize * product.a_strides[1]),
            a_strides: product.a_strides,
            b: product.b.wrapping_offset(at as isize * product.b_strides[0]),
            b_strides: product.b_strides,
            c: sums_at.get().wrapping_add(t * m * n),
            c_strides: [n as isize, 1],
        };
        // SAFETY: a part of the caller's product, written to a piece of `sums` of its own.
        if !unsafe { whole_sums::<E, SumOf<E>, V>(&part, 1) } {
            whole.store(false, Ordering::Relaxed);
        }
    });
    if !(all && whole.into_inner()) {
        return false;
    }
    let (first, rest) = sums.split_at_mut(m * n);
    for part in rest.chunks_exact(m * n) {
        for (sum, x) in first.iter_mut().zip(part) {
            *sum = PackedNumber::add(*sum, *x);
        }
    }
    for (at, sum) in first.iter().enumerate() {
        // SAFETY: an element of the caller's C.
        unsafe { product.c_at(at / n, at % n).write(O::narrow(*sum)) };
    }
    true
}

/// # Safety
/// As `run`; `m`, `n` and `k` are not zero.
#[inline]
unsafe fn whole_sums<E, O, V>(product: &Product<E, O>, threads: usize) -> bool
where
    E: GemmElement,
    O: GemmElement<PackedNumber = E::PackedNumber>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    // SAFETY: the caller's promise.
    unsafe {
        if !product.is_by_vector() {
            block::product::<E, O, V>(&product.for_tiles(), threads)
        } else if product.n == 1 {
            vector::product::<E, O, V>(product, threads)
        } else {
            vector::product::<E, O, V>(&product.transposed(), threads)
        }
    }
}
