//! The micro-kernel: one register tile of C, of up to `GemmVector::ROWS` rows and two vectors of columns. Every
//! tile size sums each element in the same order, so a result does not depend on how C is cut into tiles.

use core::marker::PhantomData;

use super::element::PackedNumber;
use super::simd::{GemmJob, GemmVector};

/// One tile: C = A @ B, or C += A @ B. Rows of B and of C are contiguous.
pub(super) struct Tile<R> {
    pub k: usize,
    pub a: *const R,
    /// Elements from a row of A to the next, and from a column to the next.
    pub a_strides: [isize; 2],
    pub b: *const R,
    pub b_stride: isize,
    pub c: *mut R,
    pub c_stride: isize,
    /// Whether to add to what C holds.
    pub add: bool,
}

/// A tile whose shape is known to the compiler; with `PART` the last vector holds `last` columns only.
struct Shaped<'a, V: GemmVector, const ROWS: usize, const VECS: usize, const PART: bool> {
    tile: &'a Tile<V::GemmReal>,
    last: usize,
    vector: PhantomData<V>,
}

impl<V: GemmVector, const ROWS: usize, const VECS: usize, const PART: bool> GemmJob
    for Shaped<'_, V, ROWS, VECS, PART>
{
    #[inline(always)]
    unsafe fn call(self) {
        let Tile { k, mut a, a_strides: [row, column], mut b, b_stride, c, c_stride, add } = *self.tile;
        // SAFETY: the caller of `run_tile` vouches for every element of the tile's operands, and the last
        // vector of a row touches no more than `last` columns.
        unsafe {
            for i in 0..ROWS {
                for j in 0..VECS {
                    V::prefetch(c.wrapping_offset(i as isize * c_stride).wrapping_add(j * V::LANES));
                }
            }
            let mut sums = [[V::splat(V::GemmReal::ZERO); VECS]; ROWS];
            for _ in 0..k {
                let mut columns = sums[0];
                for (j, v) in columns.iter_mut().enumerate() {
                    let p = b.add(j * V::LANES);
                    *v = if PART && j + 1 == VECS { V::load_first(p, self.last) } else { V::load(p) };
                }
                for (i, sums) in sums.iter_mut().enumerate() {
                    let x = V::splat(*a.offset(i as isize * row));
                    for (sum, v) in sums.iter_mut().zip(columns) {
                        *sum = x.mul_add(v, *sum);
                    }
                }
                a = a.wrapping_offset(column);
                b = b.wrapping_offset(b_stride);
            }
            for (i, sums) in sums.iter().enumerate() {
                let line = c.offset(i as isize * c_stride);
                for (j, sum) in sums.iter().enumerate() {
                    let p = line.add(j * V::LANES);
                    if PART && j + 1 == VECS {
                        let sum = if add { V::load_first(p, self.last).add(*sum) } else { *sum };
                        sum.store_first(p, self.last);
                    } else {
                        let sum = if add { V::load(p).add(*sum) } else { *sum };
                        sum.store(p);
                    }
                }
            }
        }
    }
}

/// Computes a tile of `rows` by `cols`.
///
/// # Safety
/// The processor has the vector's instructions; `rows` is in `1..=V::ROWS`, `cols` in `1..=2 * V::LANES`; the
/// tile's operands are valid for that shape and C overlaps neither A nor B.
#[inline]
pub(super) unsafe fn run_tile<V: GemmVector>(tile: &Tile<V::GemmReal>, rows: usize, cols: usize) {
    let (vectors, last) = if cols > V::LANES { (2, cols - V::LANES) } else { (1, cols) };
    // SAFETY: the caller's promise, passed on.
    unsafe {
        match (vectors, last == V::LANES) {
            (2, true) => with_rows::<V, 2, false>(tile, rows, last),
            (2, false) => with_rows::<V, 2, true>(tile, rows, last),
            (_, true) => with_rows::<V, 1, false>(tile, rows, last),
            (_, false) => with_rows::<V, 1, true>(tile, rows, last),
        }
    }
}

/// Picks the kernel of `rows` rows.
///
/// # Safety
/// As `run_tile`.
#[inline(always)]
unsafe fn with_rows<V: GemmVector, const VECS: usize, const PART: bool>(
    tile: &Tile<V::GemmReal>,
    rows: usize,
    last: usize,
) {
    /// One arm for each row count; those above `V::ROWS` are never compiled.
    macro_rules! pick {
        ($($n:literal)*) => {
            match rows {
                $($n if $n <= V::ROWS => {
                    let shaped = Shaped::<V, $n, VECS, PART> { tile, last, vector: PhantomData };
                    // SAFETY: the caller's promise, passed on.
                    unsafe { V::run(shaped) }
                })*
                _ => unreachable!("a tile has at most {} rows", V::ROWS),
            }
        };
    }
    pick!(1 2 3 4 5 6 7 8 9 10 11 12)
}
