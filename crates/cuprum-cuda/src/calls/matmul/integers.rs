//! Products of integers, which wrap around, and of bool, where a sum is "any": a kernel of our own.

use cuprum_core::{DType, Result};
use cuprum_graph::Slot;

use super::operand::batch_axes;
use crate::launch::LaunchArgs;
use crate::ops::{PRELUDE, memory_type};
use crate::session::Session;

const TILE: usize = 64;
const THREADS: u32 = 256;
/// The batch axes that the kernel counts through.
const MAX_BATCH_AXES: usize = 4;
/// The shortest part of a sum.
const PART_MIN_LENGTH: usize = 256;
/// Blocks that a multiprocessor should have.
const BLOCKS_PER_MULTIPROCESSOR: usize = 4;

pub(super) fn text(dtype: DType) -> String {
    format!(
        "{PRELUDE}\ntypedef {} T;\n{}",
        memory_type(dtype),
        include_str!("../../kernels/matmul_integer.cu")
    )
}

/// The operands as the kernel's `Geometry` has them.
#[repr(C)]
struct ProductGeometry {
    rows: u64,
    columns: u64,
    inner: u64,
    left: [i64; 2],
    right: [i64; 2],
    lengths: [u64; MAX_BATCH_AXES],
    left_steps: [i64; MAX_BATCH_AXES],
    right_steps: [i64; MAX_BATCH_AXES],
    batches: u64,
    parts: u64,
    part: u64,
}

impl ProductGeometry {
    fn bytes(&self) -> Vec<u8> {
        let signed = |values: &[i64]| values.iter().map(|&v| v as u64).collect::<Vec<u64>>();
        let words = [
            &[self.rows, self.columns, self.inner][..],
            &signed(&self.left),
            &signed(&self.right),
            &self.lengths,
            &signed(&self.left_steps),
            &signed(&self.right_steps),
            &[self.batches, self.parts, self.part],
        ];
        words.concat().iter().flat_map(|word| word.to_ne_bytes()).collect()
    }
}

/// `out` is dense.
pub(super) fn run(session: &Session, a: &Slot, b: &Slot, out: &Slot) -> Result<()> {
    let size = out.dtype.size();
    let whole = |slot: &Slot| {
        session.address(slot).is_multiple_of(size)
            && slot.layout.strides.iter().all(|s| s.unsigned_abs().is_multiple_of(size))
    };
    let (mut a, mut b) = (a.clone(), b.clone());
    // More axes than the kernel counts through become one in dense copies.
    let many = batch_axes([&a.layout, &b.layout, &out.layout]).len() > MAX_BATCH_AXES;
    for operand in [&mut a, &mut b] {
        if many || !whole(operand) {
            *operand = session.dense(operand)?;
        }
    }
    let geometry = describe(&a, &b, out, session.gpu().multiprocessors as usize);
    let tiles = (geometry.rows.div_ceil(TILE as u64) * geometry.columns.div_ceil(TILE as u64))
        .saturating_mul(geometry.batches)
        .saturating_mul(geometry.parts);
    let (cells, parts) = (out.layout.size(), geometry.parts as usize);
    let word = size.max(4);
    let partial = if parts > 1 { Some(session.scratch(parts * cells * word)?) } else { None };
    let kernel = session.kernel("matmul_integers", &[out.dtype as u32], || text(out.dtype))?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(&a))
        .pointer(session.address(&b))
        .pointer(session.address(out))
        .pointer(partial.as_ref().map_or(0, |buffer| buffer.address()))
        .bytes(&geometry.bytes());
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, tiles.min(i32::MAX as u64) as u32, THREADS, &args) }?;
    let Some(partial) = partial else { return Ok(()) };
    let kernel = session.kernel("matmul_parts", &[out.dtype as u32], || text(out.dtype))?;
    let mut args = LaunchArgs::new();
    args.pointer(partial.address()).pointer(session.address(out)).u64(cells as u64).u64(parts as u64);
    let blocks = cells.div_ceil(THREADS as usize).min(1 << 16) as u32;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks, THREADS, &args) }
}

fn describe(a: &Slot, b: &Slot, out: &Slot, multiprocessors: usize) -> ProductGeometry {
    let (at, size) = (out.layout.ndim() - 2, out.dtype.size() as isize);
    let axes = batch_axes([&a.layout, &b.layout, &out.layout]);
    let (rows, columns) = (out.layout.shape[at], out.layout.shape[at + 1]);
    let inner = a.layout.shape[at + 1];
    let batches: usize = axes.iter().map(|axis| axis.length).product();
    let steps = |slot: &Slot| [at, at + 1].map(|axis| (slot.layout.strides[axis] / size) as i64);
    let mut geometry = ProductGeometry {
        rows: rows as u64,
        columns: columns as u64,
        inner: inner as u64,
        left: steps(a),
        right: steps(b),
        lengths: [1; MAX_BATCH_AXES],
        left_steps: [0; MAX_BATCH_AXES],
        right_steps: [0; MAX_BATCH_AXES],
        batches: batches as u64,
        parts: 1,
        part: inner as u64,
    };
    for (i, axis) in axes.iter().enumerate() {
        let place = MAX_BATCH_AXES - axes.len() + i;
        geometry.lengths[place] = axis.length as u64;
        geometry.left_steps[place] = (axis.steps[0] / size) as i64;
        geometry.right_steps[place] = (axis.steps[1] / size) as i64;
    }
    // Few tiles and long sums: parts of the sums keep the multiprocessors busy.
    let tiles = rows.div_ceil(TILE).saturating_mul(columns.div_ceil(TILE)).saturating_mul(batches);
    let wanted = (multiprocessors * BLOCKS_PER_MULTIPROCESSOR).div_ceil(tiles);
    let part = inner.div_ceil(wanted.max(1)).max(PART_MIN_LENGTH);
    if part < inner {
        geometry.part = part as u64;
        geometry.parts = inner.div_ceil(part) as u64;
    }
    geometry
}

#[cfg(test)]
mod tests {
    use cuprum_core::Layout;
    use cuprum_graph::Call;

    use super::*;
    use crate::calls::testing::{Numbers, call, compiles, download, empty, gpu, upload};

    #[test]
    #[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
    fn texts_compile_for_every_integer() {
        for dtype in DType::ALL.into_iter().filter(|dtype| dtype.is_integral()) {
            compiles(memory_type(dtype), &text(dtype));
        }
    }

    /// Sums of products that wrap around, by definition.
    fn expected(a: &[i32], b: &[i32], [m, k, n]: [usize; 3]) -> Vec<i32> {
        let sum = |i: usize, j: usize| {
            (0..k).fold(0i32, |sum, l| sum.wrapping_add(a[i * k + l].wrapping_mul(b[l * n + j])))
        };
        (0..m * n).map(|at| sum(at / n, at % n)).collect()
    }

    #[test]
    fn products_wrap_around_at_every_edge_of_a_tile() {
        let Some(gpu) = gpu() else { return };
        let mut numbers = Numbers(7);
        for [m, k, n] in [[1, 1, 1], [3, 5, 2], [64, 16, 64], [65, 17, 70], [1, 3000, 1], [2, 700, 3]] {
            let a: Vec<i32> = (0..m * k).map(|_| numbers.next() as i32).collect();
            let b: Vec<i32> = (0..k * n).map(|_| numbers.next() as i32).collect();
            let (left, right) = (upload(gpu, &a, &[m, k], DType::I32), upload(gpu, &b, &[k, n], DType::I32));
            let out = empty(gpu, &[m, n], DType::I32);
            call(gpu, &Call::Matmul { a: &left, b: &right, out: &out }).unwrap();
            assert_eq!(download::<i32>(gpu, &out), expected(&a, &b, [m, k, n]), "{m} {k} {n}");
        }
    }

    #[test]
    fn batches_broadcast_and_matrices_may_be_turned() {
        let Some(gpu) = gpu() else { return };
        let mut numbers = Numbers(8);
        let (m, k, n) = (5, 7, 6);
        let a: Vec<i32> = (0..2 * m * k).map(|_| numbers.next() as i32).collect();
        let b: Vec<i32> = (0..3 * k * n).map(|_| numbers.next() as i32).collect();
        let shape = [2, 3];
        let mut left = upload(gpu, &a, &[2, 1, m, k], DType::I32);
        left.layout = left.layout.broadcast_to("matmul", &[2, 3, m, k]).unwrap();
        // Stored by columns.
        let turned: Vec<i32> =
            (0..b.len()).map(|at| b[at / (k * n) * k * n + at % k * n + at % (k * n) / k]).collect();
        let mut right = upload(gpu, &turned, &[3, n, k], DType::I32);
        right.layout = right.layout.permute(&[0, 2, 1]).broadcast_to("matmul", &[2, 3, k, n]).unwrap();
        let out = empty(gpu, &[shape[0], shape[1], m, n], DType::I32);
        call(gpu, &Call::Matmul { a: &left, b: &right, out: &out }).unwrap();
        let found = download::<i32>(gpu, &out);
        for batch in 0..6 {
            let (i, j) = (batch / 3, batch % 3);
            let product = expected(&a[i * m * k..][..m * k], &b[j * k * n..][..k * n], [m, k, n]);
            assert_eq!(found[batch * m * n..][..m * n], product, "{batch}");
        }
    }

    #[test]
    fn bool_is_any_and_of_nothing_false() {
        let Some(gpu) = gpu() else { return };
        let left = upload(gpu, &[1u8, 0, 0, 0, 1, 1], &[2, 3], DType::Bool);
        let right = upload(gpu, &[0u8, 1, 0], &[3, 1], DType::Bool);
        let out = empty(gpu, &[2, 1], DType::Bool);
        call(gpu, &Call::Matmul { a: &left, b: &right, out: &out }).unwrap();
        assert_eq!(download::<u8>(gpu, &out), [0, 1]);
        let none = |shape: &[usize]| Slot { layout: Layout::contiguous(shape, 1), ..left.clone() };
        call(gpu, &Call::Matmul { a: &none(&[2, 0]), b: &none(&[0, 1]), out: &out }).unwrap();
        assert_eq!(download::<u8>(gpu, &out), [0, 0]);
    }
}
