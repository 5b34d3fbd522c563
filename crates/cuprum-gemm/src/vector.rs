//! Products of a matrix and a vector, at the speed of reading the matrix once: as dot products when its rows
//! are contiguous, as sums of scaled columns when its columns are.

use core::marker::PhantomData;
use core::mem::size_of;
use cuprum_core::memory::{collected, filled};

use super::block::write_row;
use super::element::{GemmElement, GemmReal, PackedNumber};
use super::pack::{Panel, pack, widen};
use super::parallel::{parallel, with_scratch};
use super::simd::{GemmJob, GemmVector};
use super::{Product, RealOf, SumOf};

/// Bytes of matrix below which a second thread costs more than it saves.
pub(super) const PARALLEL_MIN_BYTES: usize = if cfg!(miri) { 1 << 6 } else { 1 << 20 };
/// Outputs made at once, and elements along k summed at once: the pieces that are widened or gathered stay in
/// L1.
const OUTPUTS_AT_A_TIME: usize = if cfg!(miri) { 5 } else { 64 };
const DEPTH_STEP: usize = if cfg!(miri) { 12 } else { 2048 };
/// Outputs of the column form made at once, which stay in L1 while the columns pass.
const COLUMN_OUTPUTS: usize = if cfg!(miri) { 36 } else { 2048 };
/// Bytes of the columns that are added at once, while a few vectors of sums stay in registers: at least 8 columns, and at most
/// 16. Columns that are widened are copied first, 8 at a time.
const COLUMNS_BYTES: usize = 64 << 10;
const WIDENED_COLUMNS_AT_ONCE: usize = 8;
/// Vectors of sums that stay in registers.
const COLUMN_VECTORS: usize = 8;
/// Rows of this many bytes are read one after the other where the matrix comes from memory, which is fastest along one
/// sequential stream. Longer ones are long streams each, and shorter ones lie so close together that several make one
/// stream.
const SINGLE_RUN_BYTES: core::ops::Range<usize> = 256..704;

/// Whether rows of this many bytes are read side by side, which saves reads of the vector.
fn reads_side_by_side(matrix_bytes: usize, row_bytes: usize) -> bool {
    matrix_bytes < PARALLEL_MIN_BYTES || !SINGLE_RUN_BYTES.contains(&row_bytes)
}

/// Computes a product whose B is a column.
///
/// # Safety
/// As `gemm`; `m` and `k` are not zero, `n` is one, and the processor has the vector's instructions.
pub(super) unsafe fn product<E, O, V>(product: &Product<E, O>, threads: usize) -> bool
where
    E: GemmElement,
    O: GemmElement<PackedNumber = SumOf<E>>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    let &Product { m, k, .. } = product;
    let by_column = product.a_strides[0] == 1 && product.a_strides[1] != 1 && m > 1;
    let bytes = m.saturating_mul(k).saturating_mul(size_of::<E>());
    let threads = if bytes < PARALLEL_MIN_BYTES { 1 } else { threads };
    // Dot products read whole rows wherever a task begins; columns want long runs.
    let (form, shares): (Form<E, O>, usize) =
        if by_column { (columns::<E, O, V>, 2) } else { (dots_with::<E, O, V>, 4) };
    let step =
        if threads == 1 { m } else { m.div_ceil(shares * threads).next_multiple_of(OUTPUTS_AT_A_TIME) };
    let work = |x: [*const RealOf<E>; 2]| {
        let x = SharedVectors(x);
        parallel(threads, m.div_ceil(step), &|t| {
            // SAFETY: the caller's promise; each task writes outputs of its own.
            unsafe { form(product, x.get(), t * step, m.min((t + 1) * step)) }
        })
    };
    if E::DIRECT && SumOf::<E>::REALS == 1 && product.b_strides[0] == 1 {
        return work([product.b.cast(), product.b.cast()]);
    }
    if !by_column && m <= V::DOT_ROWS {
        // So few rows are done with a piece of the vector at once: it need not be made ready as a whole.
        // SAFETY: the caller's promise.
        unsafe { dots::<E, O, V>(product, None, 0, m) };
        return true;
    }
    // SAFETY: the caller's promise for B.
    let x: [Vec<RealOf<E>>; 2] = unsafe { coefficients(product.b, product.b_strides[0], k, by_column) };
    work([x[0].as_ptr(), x[1].as_ptr()])
}

/// Makes a range of outputs, with the real vectors of `coefficients`.
type Form<E, O> = unsafe fn(&Product<E, O>, &[*const RealOf<E>; 2], usize, usize);

/// The real vectors that tasks read.
struct SharedVectors<R>([*const R; 2]);

// SAFETY: only read.
unsafe impl<R> Sync for SharedVectors<R> {}

impl<R> SharedVectors<R> {
    fn get(&self) -> &[*const R; 2] {
        &self.0
    }
}

/// The vector, contiguous and widened, as the reals that the kernels multiply by.
///
/// A complex dot product is two real ones of the interleaved row: with `[re, -im, ...]` and with `[im, re,
/// ...]`. A sum of complex columns is folded from two real sums: with the `re`s and with the `im`s as
/// factors.
///
/// # Safety
/// `k` elements with that stride are readable at `x`.
unsafe fn coefficients<E: GemmElement>(
    x: *const E,
    stride: isize,
    k: usize,
    by_column: bool,
) -> [Vec<RealOf<E>>; 2] {
    // SAFETY: the caller's promise.
    let elements = (0..k).map(|p| unsafe { (*x.wrapping_offset(p as isize * stride)).widen().parts() });
    if SumOf::<E>::REALS == 1 {
        [collected(elements.map(|[re, _]| re)), Vec::new()]
    } else if by_column {
        [collected(elements.clone().map(|[re, _]| re)), collected(elements.map(|[_, im]| im))]
    } else {
        let mut both = [filled(2 * k, RealOf::<E>::ZERO), filled(2 * k, RealOf::<E>::ZERO)];
        let [real, imaginary] = &mut both;
        // SAFETY: the caller's promise.
        unsafe { write_coefficients(x, stride, [real, imaginary]) };
        both
    }
}

/// Writes the two real vectors of [`coefficients`] for dot products, for some elements of the vector.
///
/// # Safety
/// As many elements with that stride are readable at `x` as there is room for.
unsafe fn write_coefficients<E: GemmElement>(
    x: *const E,
    stride: isize,
    [real, other]: [&mut [RealOf<E>]; 2],
) {
    // SAFETY: the caller's promise.
    let parts = |p: usize| unsafe { (*x.wrapping_offset(p as isize * stride)).widen().parts() };
    if SumOf::<E>::REALS == 1 {
        return real.iter_mut().enumerate().for_each(|(p, to)| *to = parts(p)[0]);
    }
    let pairs = real.as_chunks_mut::<2>().0.iter_mut().zip(other.as_chunks_mut::<2>().0);
    for (p, (real, imaginary)) in pairs.enumerate() {
        let [re, im] = parts(p);
        (*real, *imaginary) = ([re, im.neg()], [im, re]);
    }
}

/// [`dots`] with a vector that is ready.
///
/// # Safety
/// As `product`.
unsafe fn dots_with<E, O, V>(product: &Product<E, O>, x: &[*const RealOf<E>; 2], from: usize, to: usize)
where
    E: GemmElement,
    O: GemmElement<PackedNumber = SumOf<E>>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    // SAFETY: the caller's promise.
    unsafe { dots::<E, O, V>(product, Some(x), from, to) }
}

/// Outputs `from..to` as dot products of the matrix's rows with the vector, which is made ready piece by piece where it is not.
///
/// # Safety
/// As `product`.
unsafe fn dots<E, O, V>(product: &Product<E, O>, x: Option<&[*const RealOf<E>; 2]>, from: usize, to: usize)
where
    E: GemmElement,
    O: GemmElement<PackedNumber = SumOf<E>>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    let reals = SumOf::<E>::REALS;
    let in_place = E::DIRECT && product.a_strides[1] == 1;
    let depth = DEPTH_STEP.min(product.k);
    let matrix_bytes = product.m.saturating_mul(product.k).saturating_mul(size_of::<E>());
    let side_by_side = !in_place || reads_side_by_side(matrix_bytes, depth * size_of::<E>());
    // Rows that are widened or gathered are taken a few at a time, to stay in L1.
    let outputs = if in_place { OUTPUTS_AT_A_TIME } else { V::DOT_ROWS };
    let scratch = if in_place { 0 } else { outputs * depth * size_of::<SumOf<E>>() };
    let piece = if x.is_some() { 0 } else { depth * reals };
    let mut pieces = [filled(piece, RealOf::<E>::ZERO), filled(piece * (reals - 1), RealOf::<E>::ZERO)];
    with_scratch(scratch, |scratch| {
        let copies = scratch.cast::<SumOf<E>>();
        for i in (from..to).step_by(outputs) {
            let count = outputs.min(to - i);
            let mut sums = [[RealOf::<E>::ZERO; OUTPUTS_AT_A_TIME]; 2];
            for p in (0..product.k).step_by(depth) {
                let len = depth.min(product.k - p);
                let row = |i: usize| {
                    let offset = i as isize * product.a_strides[0] + p as isize * product.a_strides[1];
                    product.a.wrapping_offset(offset)
                };
                let (rows, stride) = if in_place {
                    (row(i).cast::<SumOf<E>>(), product.a_strides[0])
                } else {
                    for r in 0..count {
                        // SAFETY: part of a row of the matrix, and its place in the scratch.
                        unsafe {
                            copy_run::<E, V>(row(i + r), product.a_strides[1], copies.add(r * depth), len)
                        };
                    }
                    (copies.cast_const(), depth as isize)
                };
                let x = x.map_or_else(
                    || {
                        let [real, other] = &mut pieces;
                        let parts = [&mut real[..len * reals], &mut other[..len * reals * (reals - 1)]];
                        let first = product.b.wrapping_offset(p as isize * product.b_strides[0]);
                        // SAFETY: the caller's promise for B.
                        unsafe { write_coefficients(first, product.b_strides[0], parts) };
                        [pieces[0].as_ptr(), pieces[1].as_ptr()]
                    },
                    |whole| whole.map(|x| x.wrapping_add(p * reals)),
                );
                for (part, sums) in sums[..reals].iter_mut().enumerate() {
                    // SAFETY: `count` rows of `len` numbers, and as much of the vector.
                    unsafe {
                        V::run(Dots::<V> {
                            rows: rows.cast(),
                            stride: stride * reals as isize,
                            count,
                            x: x[part],
                            len: len * reals,
                            sums: sums.as_mut_ptr(),
                            side_by_side,
                            vector: PhantomData,
                        });
                    }
                }
            }
            let [first, second] = sums;
            let mut folded = [SumOf::<E>::ZERO; OUTPUTS_AT_A_TIME];
            for (r, out) in folded[..count].iter_mut().enumerate() {
                *out = SumOf::<E>::from_parts([first[r], second[r]]);
            }
            // SAFETY: outputs of this task.
            unsafe { write_row(product.c_at(i, 0), product.c_strides[0], &folded[..count]) };
        }
    });
}

/// Copies part of a row or column, widened.
///
/// # Safety
/// `len` elements with that stride are readable at `source`, and as many numbers writable at `target`.
#[inline]
unsafe fn copy_run<E: GemmElement, V: GemmVector>(
    source: *const E,
    stride: isize,
    target: *mut SumOf<E>,
    len: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        if stride == 1 {
            widen::<E>(source, target, len);
        } else {
            pack::<E, V>(Panel {
                source,
                lane_stride: 0,
                depth_stride: stride,
                lanes: 1,
                depth: len,
                target,
            });
        }
    }
}

/// `sums[r] += rows[r] . x`, for `count` rows. Every row is summed in four vectors, however many rows go side
/// by side.
struct Dots<V: GemmVector> {
    rows: *const V::GemmReal,
    stride: isize,
    count: usize,
    x: *const V::GemmReal,
    len: usize,
    sums: *mut V::GemmReal,
    side_by_side: bool,
    vector: PhantomData<V>,
}

impl<V: GemmVector> GemmJob for Dots<V> {
    #[inline(always)]
    unsafe fn call(self) {
        let mut r = 0;
        // SAFETY: the caller's promise, for each group of rows.
        unsafe {
            while V::DOT_ROWS == 4 && self.side_by_side && r + 4 <= self.count {
                self.group::<4>(r);
                r += 4;
            }
            while V::DOT_ROWS >= 2 && self.side_by_side && r + 2 <= self.count {
                self.group::<2>(r);
                r += 2;
            }
            while r < self.count {
                self.group::<1>(r);
                r += 1;
            }
        }
    }
}

impl<V: GemmVector> Dots<V> {
    #[inline(always)]
    unsafe fn group<const ROWS: usize>(&self, first: usize) {
        let row = |i: usize, at: usize| {
            self.rows.wrapping_offset((first + i) as isize * self.stride).wrapping_add(at)
        };
        let (mut at, stride) = (0, 4 * V::LANES);
        // SAFETY: reads up to `len` numbers of each row and of `x`.
        unsafe {
            let mut sums = [[V::splat(V::GemmReal::ZERO); 4]; ROWS];
            while at + stride <= self.len {
                for u in 0..4 {
                    let x = V::load(self.x.add(at + u * V::LANES));
                    for (i, sums) in sums.iter_mut().enumerate() {
                        sums[u] = V::load(row(i, at + u * V::LANES)).mul_add(x, sums[u]);
                    }
                }
                at += stride;
            }
            while at + V::LANES <= self.len {
                let x = V::load(self.x.add(at));
                for (i, sums) in sums.iter_mut().enumerate() {
                    sums[0] = V::load(row(i, at)).mul_add(x, sums[0]);
                }
                at += V::LANES;
            }
            if at < self.len {
                let count = self.len - at;
                let x = V::load_first(self.x.add(at), count);
                for (i, sums) in sums.iter_mut().enumerate() {
                    sums[0] = V::load_first(row(i, at), count).mul_add(x, sums[0]);
                }
            }
            for (i, [a, b, c, d]) in sums.into_iter().enumerate() {
                let sum = self.sums.add(first + i);
                *sum = (*sum).add(a.add(b).add(c.add(d)).sum());
            }
        }
    }
}

/// Outputs `from..to` as a sum of the matrix's columns times the vector's elements.
///
/// # Safety
/// As `product`; the matrix's columns are contiguous.
unsafe fn columns<E, O, V>(product: &Product<E, O>, x: &[*const RealOf<E>; 2], from: usize, to: usize)
where
    E: GemmElement,
    O: GemmElement<PackedNumber = SumOf<E>>,
    V: GemmVector<GemmReal = RealOf<E>>,
{
    let reals = SumOf::<E>::REALS;
    let block = COLUMN_OUTPUTS.min(to - from);
    let at_once = if E::DIRECT {
        (COLUMNS_BYTES / (block * size_of::<E>())).clamp(8, 16)
    } else {
        WIDENED_COLUMNS_AT_ONCE
    };
    let sums_bytes = reals * block * size_of::<SumOf<E>>();
    let copies_bytes = if E::DIRECT { 0 } else { at_once * block * size_of::<SumOf<E>>() };
    with_scratch(sums_bytes + copies_bytes, |scratch| {
        let (sums, copies) =
            (scratch.cast::<RealOf<E>>(), scratch.wrapping_add(sums_bytes).cast::<SumOf<E>>());
        for i in (from..to).step_by(block) {
            let len = block.min(to - i);
            let sums_of = |part: usize| sums.wrapping_add(part * block * reals);
            for part in 0..reals {
                // SAFETY: inside the scratch.
                (0..len * reals).for_each(|at| unsafe { sums_of(part).add(at).write(RealOf::<E>::ZERO) });
            }
            for p in (0..product.k).step_by(at_once) {
                let count = at_once.min(product.k - p);
                let column = |q: usize| {
                    product.a.wrapping_offset((p + q) as isize * product.a_strides[1]).wrapping_add(i)
                };
                let (columns, stride) = if E::DIRECT {
                    (column(0).cast::<SumOf<E>>(), product.a_strides[1])
                } else {
                    for q in 0..count {
                        // SAFETY: part of a column of the matrix, and its place in the scratch.
                        unsafe { widen::<E>(column(q), copies.add(q * block), len) };
                    }
                    (copies.cast_const(), block as isize)
                };
                for (part, x) in x[..reals].iter().enumerate() {
                    let add = Columns::<V> {
                        columns: columns.cast(),
                        stride: stride * reals as isize,
                        factors: x.wrapping_add(p),
                        count,
                        sums: sums_of(part),
                        len: len * reals,
                        vector: PhantomData,
                    };
                    // SAFETY: `count` columns of `len` numbers and as many factors.
                    unsafe { V::run(add) };
                }
            }
            for at in 0..len {
                // SAFETY: sums written above, and an output of this task.
                unsafe {
                    let part = |x: usize, y: usize| *sums_of(x).add(at * reals + y);
                    let zero = RealOf::<E>::ZERO;
                    let sum = if reals == 1 {
                        [[part(0, 0), zero], [zero; 2]]
                    } else {
                        [[part(0, 0), part(0, 1)], [part(1, 0), part(1, 1)]]
                    };
                    product.c_at(i + at, 0).write(O::narrow(SumOf::<E>::fold(sum)));
                }
            }
        }
    });
}

/// `sums += factors[q] * columns[q]`, in the order of `q`.
struct Columns<V: GemmVector> {
    columns: *const V::GemmReal,
    /// Numbers from a column to the next.
    stride: isize,
    factors: *const V::GemmReal,
    count: usize,
    sums: *mut V::GemmReal,
    len: usize,
    vector: PhantomData<V>,
}

impl<V: GemmVector> GemmJob for Columns<V> {
    #[inline(always)]
    unsafe fn call(self) {
        let mut at = 0;
        // SAFETY: the caller's promise, for each piece of the sums.
        unsafe {
            while at + COLUMN_VECTORS * V::LANES <= self.len {
                self.add::<COLUMN_VECTORS, false>(at);
                at += COLUMN_VECTORS * V::LANES;
            }
            if at + 4 * V::LANES <= self.len {
                self.add::<4, false>(at);
                at += 4 * V::LANES;
            }
            if at + 2 * V::LANES <= self.len {
                self.add::<2, false>(at);
                at += 2 * V::LANES;
            }
            if at + V::LANES <= self.len {
                self.add::<1, false>(at);
                at += V::LANES;
            }
            if at < self.len {
                self.add::<1, true>(at);
            }
        }
    }
}

impl<V: GemmVector> Columns<V> {
    /// Adds all columns to `VECS` vectors of sums, which stay in registers. With `PART` the sums may end before the last
    /// vector does.
    ///
    /// # Safety
    /// Inside `V::run`; `len` numbers of each column and of the sums are valid, and without `PART` the vectors end within
    /// them.
    #[inline(always)]
    unsafe fn add<const VECS: usize, const PART: bool>(&self, at: usize) {
        let counts: [usize; VECS] =
            core::array::from_fn(|v| (self.len - at).saturating_sub(v * V::LANES).min(V::LANES));
        // SAFETY: reads and writes `counts` numbers of each column and of the sums.
        unsafe {
            let load = |from: *const V::GemmReal, v: usize| {
                let from = from.wrapping_add(v * V::LANES);
                if PART { V::load_first(from, counts[v]) } else { V::load(from) }
            };
            let mut sums = [V::splat(V::GemmReal::ZERO); VECS];
            for (v, sum) in sums.iter_mut().enumerate() {
                *sum = load(self.sums.add(at), v);
            }
            let mut column = self.columns.wrapping_add(at);
            for q in 0..self.count {
                let factor = V::splat(*self.factors.add(q));
                for (v, sum) in sums.iter_mut().enumerate() {
                    *sum = factor.mul_add(load(column, v), *sum);
                }
                column = column.wrapping_offset(self.stride);
            }
            for (v, sum) in sums.into_iter().enumerate() {
                let to = self.sums.add(at).wrapping_add(v * V::LANES);
                if PART { sum.store_first(to, counts[v]) } else { sum.store(to) }
            }
        }
    }
}
