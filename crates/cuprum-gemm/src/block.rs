//! Products of matrices: C is cut into blocks, one task each, and each task walks k in steps for which a
//! panel of A and of B stay in the caches. Tasks share nothing, so there is nothing to wait for between the
//! steps.

use core::mem::{MaybeUninit, size_of};
use core::ops::Range;

use super::element::{GemmElement, PackedNumber};
use super::kernel::{Tile, run_tile};
use super::pack::{Panel, pack};
use super::parallel::{parallel, with_scratch};
use super::simd::{GemmVector, MAX_COLS, MAX_ROWS};
use super::{Product, RealOf, SumOf};

/// Multiply-adds times bytes of an element below which a second thread costs more than it saves.
const PARALLEL_MIN_WORK: usize = if cfg!(miri) { 1 << 7 } else { 10 << 20 };

/// Whether a product, or several together, of this many multiply-adds is worth several threads.
#[inline]
pub(super) fn worth_threads(work: usize, element_bytes: usize) -> bool {
    work.saturating_mul(element_bytes) >= PARALLEL_MIN_WORK
}

/// Steps along k that are summed in registers before C is touched: a panel of B of that depth fills the L1
/// cache.
const DEPTH_STEP: usize = if cfg!(miri) { 8 } else { 512 };
/// The same where a large B is read in place for a few rows of A: so many rows of B are read side by side,
/// from one end to the other, which is what memory is fast at.
const STREAMED_DEPTH_STEP: usize = if cfg!(miri) { 3 } else { 16 };
/// Tiles along m for which A is packed at once (it stays in L2), and packed blocks of A to a task.
const TILES_PER_ROW_BLOCK: usize = if cfg!(miri) { 1 } else { 15 };
const ROW_BLOCKS_PER_TASK: usize = if cfg!(miri) { 2 } else { 6 };
/// Tiles along n to a task; their packed B stays in L3.
const COLUMN_TILES_PER_TASK: usize = if cfg!(miri) { 2 } else { 64 };
/// Bytes of an operand up to which it is read in place: it stays in L1 and L2 as it is.
const IN_PLACE_MAX_BYTES: usize = if cfg!(miri) { 32 } else { 128 * 1024 };

/// Rows from which half of a symmetric product is copied from the other.
const SYMMETRIC_MIN: usize = if cfg!(miri) { 7 } else { 128 };
/// Rows and columns of the squares that are copied.
const MIRROR_STEP: usize = if cfg!(miri) { 3 } else { 32 };

/// Whether a product is so small that both operands are read in place, in one step along k.
#[inline]
pub(super) fn is_small<E, O>(product: &Product<E, O>) -> bool
where
    E: GemmElement,
    O: GemmElement<PackedNumber = SumOf<E>>,
{
    let &Product { m, n, k, .. } = product;
    let fits = |elements: usize| elements.saturating_mul(size_of::<E>()) <= IN_PLACE_MAX_BYTES;
    let plain = E::DIRECT && O::DIRECT && SumOf::<E>::REALS == 1;
    plain
        && k <= DEPTH_STEP
        && fits(m.saturating_mul(k))
        && fits(n.saturating_mul(k))
        && product.b_strides[1] == 1
}

/// A small product, tile by tile: the sums of `product`, to the bit.
///
/// # Safety
/// As `product`, for what `is_small`.
#[inline]
pub(super) unsafe fn small<E, O, V>(product: &Product<E, O>)
where
    E: GemmElement,
    O: GemmElement<PackedNumber = SumOf<E>>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    let &Product { m, n, k, a_strides, c_strides, .. } = product;
    let (tile_rows, tile_cols) = (V::ROWS, 2 * V::LANES);
    for j in (0..n).step_by(tile_cols) {
        for i in (0..m).step_by(tile_rows) {
            let operands = TileOperands {
                depth: k,
                a: a_at(product, i, 0).cast::<SumOf<E>>(),
                a_strides,
                b: b_at(product, 0, j).cast::<SumOf<E>>(),
                b_stride: product.b_strides[0],
            };
            let shape = [tile_rows.min(m - i), tile_cols.min(n - j)];
            // SAFETY: a tile of C and its operands, of numbers that are summed as they are.
            unsafe {
                tile::<SumOf<E>, V>(operands, product.c_at(i, j).cast::<SumOf<E>>(), c_strides, shape, false);
            }
        }
    }
}

/// How a task works, apart from which block of C it makes.
struct BlockPlan {
    depth: usize,
    rows: usize,
    pack_a: bool,
    pack_b: bool,
    /// Tiles above the diagonal are left out.
    lower: bool,
}

/// # Safety
/// As `gemm`; `m`, `n` and `k` are not zero, and the processor has the vector's instructions.
pub(super) unsafe fn product<E, O, V>(product: &Product<E, O>, threads: usize) -> bool
where
    E: GemmElement,
    O: GemmElement<PackedNumber = SumOf<E>>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    let &Product { m, n, k, .. } = product;
    let (tile_rows, tile_cols) = (V::ROWS / SumOf::<E>::REALS, 2 * V::LANES / SumOf::<E>::REALS);
    let plain = E::DIRECT && SumOf::<E>::REALS == 1;
    // Packing pays when the packed panel is read many times: once for each tile of the other operand.
    let in_place = |elements: usize, reads: usize| {
        plain && (elements.saturating_mul(size_of::<E>()) <= IN_PLACE_MAX_BYTES || reads <= 2)
    };
    let pack_b = product.b_strides[1] != 1 || !in_place(n.saturating_mul(k), m.div_ceil(tile_rows));
    let streamed = !pack_b && n > 2 * tile_cols && n * k * size_of::<E>() > IN_PLACE_MAX_BYTES;
    let depth = if streamed { STREAMED_DEPTH_STEP } else { DEPTH_STEP };
    let plan = BlockPlan {
        depth: k.div_ceil(k.div_ceil(depth)),
        rows: TILES_PER_ROW_BLOCK * tile_rows,
        pack_a: !in_place(m.saturating_mul(k), n.div_ceil(tile_cols)),
        pack_b,
        // The two halves of a symmetric product are the same sums of the same products: one is computed.
        lower: O::DIRECT && SumOf::<E>::REALS == 1 && m >= SYMMETRIC_MIN && product.is_by_own_transpose(),
    };
    let threads =
        if worth_threads(m.saturating_mul(n).saturating_mul(k), size_of::<SumOf<E>>()) { threads } else { 1 };
    let (task_rows, task_cols) = if threads == 1 {
        // Packing B anew for each task costs little beside its rows, and between tasks the user may stop.
        (m.min(ROW_BLOCKS_PER_TASK * plan.rows), n.min(COLUMN_TILES_PER_TASK * tile_cols))
    } else {
        task_shape(m, n, [tile_rows, tile_cols], threads)
    };
    let row_tasks = m.div_ceil(task_rows);
    let whole = parallel(threads, row_tasks * n.div_ceil(task_cols), &|t| {
        let (i, j) = (t % row_tasks * task_rows, t / row_tasks * task_cols);
        let rows = i..m.min(i + task_rows);
        let last = if plan.lower { rows.end } else { n };
        if j < last {
            // SAFETY: the caller's promise; each task writes a block of C of its own.
            unsafe { block::<E, O, V>(product, &plan, rows, j..last.min(j + task_cols)) }
        }
    });
    // SAFETY: C is `m` by `m` then, and its lower half has been written.
    whole && (!plan.lower || unsafe { mirror(product, threads) })
}

/// Copies the elements below the diagonal of C to those above it, in squares that stay in the cache. False as for `gemm`.
///
/// # Safety
/// As `product`; C is square, and written on and below the diagonal.
unsafe fn mirror<E, O: GemmElement>(product: &Product<E, O>, threads: usize) -> bool {
    let m = product.m;
    let steps = m.div_ceil(MIRROR_STEP);
    parallel(threads, steps, &|t| {
        let rows = t * MIRROR_STEP..m.min((t + 1) * MIRROR_STEP);
        for start in (rows.start..m).step_by(MIRROR_STEP) {
            for i in rows.clone() {
                for j in start.max(i + 1)..m.min(start + MIRROR_STEP) {
                    // SAFETY: two elements of C; tasks write rows of their own above the diagonal, and read below it.
                    unsafe { product.c_at(i, j).write(product.c_at(j, i).read()) };
                }
            }
        }
    })
}

/// The rows and columns of C to a task: whole tiles, blocks that suit the caches, and enough tasks to go
/// round.
fn task_shape(m: usize, n: usize, tile: [usize; 2], threads: usize) -> (usize, usize) {
    let tiles = [m.div_ceil(tile[0]), n.div_ceil(tile[1])];
    let mut tasks = [
        tiles[0].div_ceil(ROW_BLOCKS_PER_TASK * TILES_PER_ROW_BLOCK),
        tiles[1].div_ceil(COLUMN_TILES_PER_TASK),
    ];
    let shape = |tasks: [usize; 2]| [0, 1].map(|d| tiles[d].div_ceil(tasks[d]) * tile[d]);
    while tasks[0] * tasks[1] < 4 * threads && !(tasks[0] * tasks[1]).is_multiple_of(threads) {
        let [rows, cols] = shape(tasks);
        let d = if rows >= cols { 0 } else { 1 };
        if tasks[d] >= tiles[d] {
            break;
        }
        tasks[d] += 1;
    }
    let [rows, cols] = shape(tasks);
    (rows, cols)
}

/// Makes a block of C.
///
/// # Safety
/// As `product`; the ranges lie in C and nobody else uses that block.
unsafe fn block<E, O, V>(product: &Product<E, O>, plan: &BlockPlan, rows: Range<usize>, cols: Range<usize>)
where
    E: GemmElement,
    O: GemmElement<PackedNumber = SumOf<E>>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    let reals = SumOf::<E>::REALS;
    let (tile_rows, tile_cols) = (V::ROWS / reals, 2 * V::LANES / reals);
    let width = cols.len();
    let bytes_of = |wanted: bool, numbers: usize| {
        if wanted { (numbers * size_of::<SumOf<E>>()).next_multiple_of(4096) } else { 0 }
    };
    let a_bytes = bytes_of(plan.pack_a, plan.rows.min(rows.len()) * plan.depth);
    let b_bytes = bytes_of(plan.pack_b, width * plan.depth);
    let c_bytes = bytes_of(!O::DIRECT, rows.len() * width);
    with_scratch(a_bytes + b_bytes + c_bytes, |scratch| {
        let a_packed = scratch.cast::<SumOf<E>>();
        let b_packed = scratch.wrapping_add(a_bytes).cast::<SumOf<E>>();
        let (c, c_strides) = if O::DIRECT {
            (product.c_at(rows.start, cols.start).cast::<SumOf<E>>(), product.c_strides)
        } else {
            (scratch.wrapping_add(a_bytes + b_bytes).cast(), [width as isize, 1])
        };
        for p in (0..product.k).step_by(plan.depth) {
            let depth = plan.depth.min(product.k - p);
            let b_block = b_at(product, p, cols.start);
            if plan.pack_b {
                for j in (0..width).step_by(tile_cols) {
                    // SAFETY: columns of B, and a panel of the scratch.
                    unsafe {
                        pack::<E, V>(Panel {
                            source: b_at(product, p, cols.start + j),
                            lane_stride: product.b_strides[1],
                            depth_stride: product.b_strides[0],
                            lanes: tile_cols.min(width - j),
                            depth,
                            target: b_packed.add(j * depth),
                        });
                    }
                }
            }
            for i in (0..rows.len()).step_by(plan.rows) {
                let height = plan.rows.min(rows.len() - i);
                if plan.lower && rows.start + i + height <= cols.start {
                    continue;
                }
                let a_block = a_at(product, rows.start + i, p);
                if plan.pack_a {
                    for i in (0..height).step_by(tile_rows) {
                        let lanes = tile_rows.min(height - i);
                        // SAFETY: rows of A, and a panel of the scratch.
                        unsafe {
                            pack::<E, V>(Panel {
                                source: a_block.wrapping_offset(i as isize * product.a_strides[0]),
                                lane_stride: product.a_strides[0],
                                depth_stride: product.a_strides[1],
                                lanes,
                                depth,
                                target: a_packed.add(i * depth),
                            });
                        }
                    }
                }
                for j in (0..width).step_by(tile_cols) {
                    let columns = tile_cols.min(width - j);
                    let (b, b_stride) = if plan.pack_b {
                        (b_packed.wrapping_add(j * depth).cast_const(), columns as isize)
                    } else {
                        (b_block.wrapping_add(j).cast(), product.b_strides[0])
                    };
                    for ti in (0..height).step_by(tile_rows) {
                        let lanes = tile_rows.min(height - ti);
                        if plan.lower && rows.start + i + ti + lanes <= cols.start + j {
                            continue;
                        }
                        let (a, a_strides) = if plan.pack_a {
                            (a_packed.wrapping_add(ti * depth).cast_const(), [1, lanes as isize])
                        } else {
                            (
                                a_block.wrapping_offset(ti as isize * product.a_strides[0]).cast(),
                                product.a_strides,
                            )
                        };
                        let offset = (i + ti) as isize * c_strides[0] + j as isize * c_strides[1];
                        // SAFETY: a tile of the block; the packed panels hold its operands.
                        unsafe {
                            tile::<SumOf<E>, V>(
                                TileOperands { depth, a, a_strides, b, b_stride },
                                c.wrapping_offset(offset),
                                c_strides,
                                [lanes, columns],
                                p > 0,
                            );
                        }
                    }
                }
            }
        }
        if !O::DIRECT {
            for i in 0..rows.len() {
                // SAFETY: a row of sums, all written above, and its place in C.
                unsafe {
                    let sums = core::slice::from_raw_parts(c.add(i * width), width);
                    write_row(product.c_at(rows.start + i, cols.start), product.c_strides[1], sums);
                }
            }
        }
    });
}

#[inline]
fn a_at<E, O>(product: &Product<E, O>, i: usize, p: usize) -> *const E {
    product.a.wrapping_offset(i as isize * product.a_strides[0] + p as isize * product.a_strides[1])
}

#[inline]
fn b_at<E, O>(product: &Product<E, O>, p: usize, j: usize) -> *const E {
    product.b.wrapping_offset(p as isize * product.b_strides[0] + j as isize * product.b_strides[1])
}

/// Writes a row of sums to C.
///
/// # Safety
/// `sums.len()` elements with that stride are writable at `c`.
#[inline]
pub(super) unsafe fn write_row<O: GemmElement>(c: *mut O, stride: isize, sums: &[O::PackedNumber]) {
    // SAFETY: the caller's promise.
    unsafe {
        if stride == 1 {
            O::narrow_run(sums, core::slice::from_raw_parts_mut(c, sums.len()));
        } else {
            for (j, sum) in sums.iter().enumerate() {
                c.wrapping_offset(j as isize * stride).write(O::narrow(*sum));
            }
        }
    }
}

/// Where a tile's operands lie, in steps of packed numbers.
struct TileOperands<P> {
    depth: usize,
    a: *const P,
    a_strides: [isize; 2],
    b: *const P,
    b_stride: isize,
}

/// Computes a tile of C of any stride; tiles that the kernel cannot store go through the stack.
///
/// # Safety
/// The operands and C are valid for a tile of that shape; complex operands are packed.
#[inline]
unsafe fn tile<P, V>(from: TileOperands<P>, c: *mut P, c_strides: [isize; 2], shape: [usize; 2], add: bool)
where
    P: PackedNumber,
    V: GemmVector<GemmReal = P::GemmReal>,
{
    let reals = P::REALS;
    let [rows, cols] = shape.map(|d| d * reals);
    let mut tile = Tile {
        k: from.depth,
        a: from.a.cast::<P::GemmReal>(),
        // Packed complex rows are pairs of reals side by side: a step of k is twice as far.
        a_strides: if reals == 1 { from.a_strides } else { [1, from.a_strides[1] * 2] },
        b: from.b.cast::<P::GemmReal>(),
        b_stride: from.b_stride * reals as isize,
        c: c.cast::<P::GemmReal>(),
        c_stride: c_strides[0],
        add,
    };
    if reals == 1 && c_strides[1] == 1 {
        // SAFETY: the caller's promise.
        return unsafe { run_tile::<V>(&tile, rows, cols) };
    }
    let mut sums = MaybeUninit::<[P::GemmReal; MAX_ROWS * MAX_COLS]>::uninit();
    let sums = sums.as_mut_ptr().cast::<P::GemmReal>();
    (tile.c, tile.c_stride, tile.add) = (sums, cols as isize, false);
    // SAFETY: the sums have room for the largest tile, and are written before they are read.
    unsafe {
        run_tile::<V>(&tile, rows, cols);
        for i in 0..shape[0] {
            for j in 0..shape[1] {
                let at = |x: usize, y: usize| *sums.add((i * reals + x) * cols + j * reals + y);
                let block = if reals == 1 {
                    [[at(0, 0), P::GemmReal::ZERO], [P::GemmReal::ZERO; 2]]
                } else {
                    [[at(0, 0), at(0, 1)], [at(1, 0), at(1, 1)]]
                };
                let target = c.wrapping_offset(i as isize * c_strides[0] + j as isize * c_strides[1]);
                let sum = P::fold(block);
                target.write(if add { (*target).add(sum) } else { sum });
            }
        }
    }
}
