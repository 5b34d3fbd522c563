//! The kernels that stand around cuSOLVER's functions.

use cuprum_core::memory::filled;
use cuprum_core::{DType, Result};
use cuprum_graph::{Buffer, Slot};

use super::status::Status;
use super::{count, lengths};
use crate::compile::Kernel;
use crate::launch::LaunchArgs;
use crate::ops::{CudaText, FragmentSet, PRELUDE, type_name};
use crate::session::Session;

const THREADS: u32 = 256;

/// The text of matrix_stack.cu for an element type.
pub(super) fn text(dtype: DType) -> String {
    let prelude = FragmentSet::of(CudaText::Complex).text();
    format!("{prelude}\ntypedef {} T;\n{}", type_name(dtype), include_str!("../../kernels/matrix_stack.cu"))
}

/// The text of determinant.cu for an element type and pivots of `pivot` bytes.
pub(super) fn determinant_text(dtype: DType, pivot: usize) -> String {
    let pivot = if pivot == 8 { "i64" } else { "i32" };
    format!("{}\ntypedef {pivot} Pivot;\n{}", text(dtype), include_str!("../../kernels/determinant.cu"))
}

fn reflect_text(dtype: DType) -> String {
    format!("{}\n{}", text(dtype), include_str!("../../kernels/qr_batched.cu"))
}

/// The text of small_inverse.cu for an element type and matrices of this order.
fn inverse_text(dtype: DType, order: usize) -> String {
    let kernel = include_str!("../../kernels/small_inverse.cu");
    format!("{}\nconstexpr int N = {order};\n{kernel}", text(dtype))
}

fn pivots_text(from: usize, to: usize) -> String {
    let [from, to] = [from, to].map(|bytes| if bytes == 8 { "i64" } else { "i32" });
    format!(
        "{PRELUDE}\ntypedef {from} From;\ntypedef {to} To;\n{}",
        include_str!("../../kernels/convert_pivots.cu")
    )
}

/// The text of pivot_permutation.cu for elements of so many bytes.
fn exchanges_text(size: usize) -> String {
    let word = match size {
        4 => "u32",
        8 => "u64",
        _ => "uint4",
    };
    format!("{PRELUDE}\ntypedef {word} T;\n{}", include_str!("../../kernels/pivot_permutation.cu"))
}

fn kernel(session: &Session, entry: &'static str, dtype: DType) -> Result<Kernel> {
    session.kernel(entry, &[dtype as u32], || text(dtype))
}

/// Enough blocks for a loop over so many elements.
fn blocks(session: &Session, size: usize) -> u32 {
    size.div_ceil(THREADS as usize).min(session.gpu().multiprocessors as usize * 16) as u32
}

/// The addresses of `count` things that lie `bytes` apart.
pub(super) fn addresses(session: &Session, start: usize, bytes: usize, count: usize) -> Result<Buffer> {
    let table = session.scratch(8 * count)?;
    let mut args = LaunchArgs::new();
    args.pointer(table.address()).u64(start as u64).u64(bytes as u64).u64(count as u64);
    let kernel = kernel(session, "linalg_addresses", DType::F64)?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, count), THREADS, &args) }?;
    Ok(table)
}

/// Arguments of a dense stack that is stored by rows.
fn stack(session: &Session, slot: &Slot) -> LaunchArgs {
    let (m, n) = lengths(slot);
    let mut args = LaunchArgs::new();
    args.pointer(session.address(slot)).u64(m as u64).u64(n as u64).u64(count(slot) as u64);
    args
}

/// Puts zeros above the diagonal (`lower`) or below it; the stack is dense.
pub(super) fn keep_triangle(session: &Session, slot: &Slot, lower: bool) -> Result<()> {
    let mut args = stack(session, slot);
    args.i32(i32::from(lower));
    let kernel = kernel(session, "linalg_keep_triangle", slot.dtype)?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, slot.layout.size()), THREADS, &args) }
}

/// Makes each matrix of a dense stack the identity.
pub(super) fn identity(session: &Session, slot: &Slot) -> Result<()> {
    let kernel = kernel(session, "linalg_identity", slot.dtype)?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, slot.layout.size()), THREADS, &stack(session, slot)) }
}

/// Conjugates every element of a dense slot.
pub(super) fn conjugate(session: &Session, slot: &Slot) -> Result<()> {
    if !slot.dtype.is_complex() || slot.layout.size() == 0 {
        return Ok(());
    }
    let mut args = LaunchArgs::new();
    args.pointer(session.address(slot)).u64(slot.layout.size() as u64);
    let kernel = kernel(session, "linalg_conjugate", slot.dtype)?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, slot.layout.size()), THREADS, &args) }
}

/// Puts zeros for the parts of a dense slot's elements, of matrices near one, whose squares are not normal numbers.
pub(super) fn drop_tiny(session: &Session, slot: &Slot) -> Result<()> {
    let mut args = LaunchArgs::new();
    args.pointer(session.address(slot)).u64(slot.layout.size() as u64);
    let kernel = kernel(session, "linalg_drop_tiny", slot.dtype)?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, slot.layout.size()), THREADS, &args) }
}

/// Lowers each of `found` to the place of the first zero on its matrix's diagonal.
pub(super) fn zero_on_diagonal(session: &Session, slot: &Slot, found: &Buffer) -> Result<()> {
    let (n, _) = lengths(slot);
    let mut args = LaunchArgs::new();
    args.pointer(session.address(slot)).u64(n as u64).u64(count(slot) as u64).pointer(found.address());
    let kernel = kernel(session, "linalg_zero_on_diagonal", slot.dtype)?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, n * count(slot)), THREADS, &args) }
}

/// The bits of the largest part of each of `count` matrices that lie by columns; `lower`: of their lower triangles.
pub(super) fn largest(
    session: &Session,
    slot: &Slot,
    (rows, columns): (usize, usize),
    lower: bool,
) -> Result<Buffer> {
    let count = count(slot);
    let table = session.scratch(8 * count)?;
    session.set_bytes(&table, 0, 0, 8 * count)?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(slot)).u64(rows as u64).u64(columns as u64).u64(count as u64);
    args.i32(i32::from(lower)).pointer(table.address());
    let across = (rows * columns).div_ceil(4 * THREADS as usize).clamp(1, 512) as u32;
    let grid = [across, count.min(65_535) as u32, 1];
    let kernel = kernel(session, "linalg_largest", slot.dtype)?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch_shaped(kernel, grid, [THREADS, 1, 1], 0, &args) }?;
    Ok(table)
}

/// Brings matrices that lie by columns near one, by what [`largest`] found; `status` is told of those that are not finite.
pub(super) fn normalize(
    session: &Session,
    slot: &Slot,
    (rows, columns): (usize, usize),
    lower: bool,
    largest: &Buffer,
    status: Option<&Status>,
) -> Result<()> {
    let faults = status.map_or(0, Status::faults);
    let mut args = LaunchArgs::new();
    args.pointer(session.address(slot)).u64(rows as u64).u64(columns as u64).u64(count(slot) as u64);
    args.i32(i32::from(lower)).pointer(largest.address()).pointer(faults);
    let kernel = kernel(session, "linalg_normalize", slot.dtype)?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, slot.layout.size()), THREADS, &args) }
}

/// Undoes [`normalize`] for `each` parts of every matrix's results; `dtype` is the matrices'.
pub(super) fn scale_back(
    session: &Session,
    dtype: DType,
    values: &Slot,
    each: usize,
    count: usize,
    largest: &Buffer,
) -> Result<()> {
    let mut args = LaunchArgs::new();
    args.pointer(session.address(values)).u64(each as u64).u64(count as u64).pointer(largest.address());
    let kernel = kernel(session, "linalg_scale_back", dtype)?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, each * count), THREADS, &args) }
}

/// Undoes [`normalize`] on and above the diagonal of matrices that lie by columns.
pub(super) fn triangle_back(
    session: &Session,
    slot: &Slot,
    (rows, columns): (usize, usize),
    largest: &Buffer,
) -> Result<()> {
    let mut args = LaunchArgs::new();
    args.pointer(session.address(slot)).u64(rows as u64).u64(columns as u64).u64(count(slot) as u64);
    args.pointer(largest.address());
    let kernel = kernel(session, "linalg_triangle_back", slot.dtype)?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, slot.layout.size()), THREADS, &args) }
}

/// Factors a stack that lies by columns by reflections, a block a matrix, and forms `columns` columns of Q in `q`.
pub(super) fn reflect(
    session: &Session,
    packed: &Slot,
    factors: &Slot,
    (rows, columns): (usize, usize),
    q: Option<(&Slot, usize)>,
) -> Result<()> {
    const ENTRY: &str = "linalg_reflect";
    let dtype = packed.dtype;
    let kernel = session.kernel(ENTRY, &[dtype as u32], || reflect_text(dtype))?;
    let (q, q_columns) = q.map_or((0, 0), |(q, columns)| (session.address(q), columns));
    let mut args = LaunchArgs::new();
    args.pointer(session.address(packed)).pointer(session.address(factors)).pointer(q);
    args.u32(rows as u32).u32(columns as u32).u32(q_columns as u32).u64(count(packed) as u64);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, count(packed).min(1 << 20) as u32, 128, &args) }
}

/// The order up to which a thread inverts a matrix.
pub(super) const SMALL_ORDER: usize = 4;

/// Inverts a dense stack of matrices of at most [`SMALL_ORDER`] rows; whether one of them is singular. Waits.
pub(super) fn small_inverse(session: &Session, slot: &Slot, out: &Slot) -> Result<bool> {
    const THREADS: u32 = 64;
    let ((n, _), count, dtype) = (lengths(slot), count(slot), slot.dtype);
    let failed = session.scratch(4)?;
    session.set_bytes(&failed, 0, 0, 4)?;
    let variant = [dtype as u32, n as u32];
    let kernel = session.kernel("linalg_small_inverse", &variant, || inverse_text(dtype, n))?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(slot)).pointer(session.address(out)).u64(count as u64);
    args.pointer(failed.address());
    let grid = count.div_ceil(THREADS as usize).min(1 << 20) as u32;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, grid, THREADS, &args) }?;
    let mut bytes = [0; 4];
    session.download_small(&failed, &mut bytes)?;
    Ok(bytes != [0; 4])
}

/// Pivots of `from` bytes to pivots of `to` bytes that count from another number.
///
/// # Safety
/// There are `size` pivots at `source`, and there is room for as many at `target`.
pub(super) unsafe fn pivots(
    session: &Session,
    (source, from): (usize, usize),
    (target, to): (usize, usize),
    size: usize,
    shift: i32,
) -> Result<()> {
    let mut args = LaunchArgs::new();
    args.pointer(source).pointer(target).u64(size as u64).i32(shift);
    let kernel = session.kernel("linalg_pivots", &[from as u32, to as u32], || pivots_text(from, to))?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, size), THREADS, &args) }
}

/// The order up to which [`exchanged`] has room to follow the exchanges.
pub(super) const PERMUTED_MAX_ORDER: usize = 6000;

/// A column-major stack with the rows of its matrices exchanged by pivots: 8 bytes each, counted from one.
pub(super) fn exchanged(session: &Session, stack: &Slot, pivots: &Buffer) -> Result<Slot> {
    let ((columns, n), count, size) = (lengths(stack), count(stack), stack.dtype.size());
    let order = session.scratch(4 * n * count)?;
    let kernel = |entry| session.kernel(entry, &[size as u32], || exchanges_text(size));
    let mut args = LaunchArgs::new();
    args.pointer(pivots.address()).pointer(order.address()).u32(n as u32).u64(count as u64);
    let grid = [count.min(1 << 20) as u32, 1, 1];
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch_shaped(kernel("linalg_order")?, grid, [THREADS, 1, 1], 8 * n as u32, &args) }?;
    let out = session.new_slot(&stack.layout.shape, stack.dtype)?;
    let elements = stack.layout.size();
    let mut args = LaunchArgs::new();
    args.pointer(session.address(stack)).pointer(session.address(&out)).pointer(order.address());
    args.u32(n as u32).u64(columns as u64).u64(elements as u64);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel("linalg_reorder")?, blocks(session, elements), THREADS, &args) }?;
    Ok(out)
}

/// Fills the factors of each matrix that holds a NaN, by what [`largest`] found, with NaNs. Its `pivots` (`k` for each
/// matrix, each of so many bytes) then exchange no rows, and its info is zero, where there are pivots and infos.
pub(super) fn fill_nan_factors(
    session: &Session,
    factors: &Slot,
    (pivots, pivot, k): (Option<&Buffer>, usize, usize),
    status: Option<&Status>,
    largest: &Buffer,
) -> Result<()> {
    let (pivots, info) = (pivots.map_or(0, Buffer::address), status.map_or(0, |status| status.info(0)));
    let ((m, n), count, dtype) = (lengths(factors), count(factors), factors.dtype);
    let mut args = LaunchArgs::new();
    args.pointer(session.address(factors)).pointer(pivots).pointer(info).pointer(largest.address());
    args.u64((m * n) as u64).u64(k as u64).u64(count as u64);
    let variant = [dtype as u32, pivot as u32];
    let kernel = session.kernel("linalg_fill_nan", &variant, || determinant_text(dtype, pivot))?;
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(session, factors.layout.size()), THREADS, &args) }
}

/// Which matrices hold a NaN, by what [`largest`] found; waits.
pub(super) fn matrices_with_nan(
    session: &Session,
    dtype: DType,
    count: usize,
    largest: &Buffer,
) -> Result<Vec<bool>> {
    let mut bytes = filled(8 * count, 0);
    session.download_small(largest, &mut bytes)?;
    let infinite = if dtype.size() == 4 || dtype == DType::C64 {
        u64::from(f32::INFINITY.to_bits())
    } else {
        f64::INFINITY.to_bits()
    };
    Ok(bytes.as_chunks::<8>().0.iter().map(|&word| u64::from_ne_bytes(word) > infinite).collect())
}

/// Launches a kernel of determinant.cu, a block a matrix.
///
/// # Safety
/// As for [`Session::launch`].
pub(super) unsafe fn determinant(
    session: &Session,
    entry: &'static str,
    dtype: DType,
    pivot: usize,
    count: usize,
    args: &LaunchArgs,
) -> Result<()> {
    let variant = [dtype as u32, pivot as u32];
    let kernel = session.kernel(entry, &variant, || determinant_text(dtype, pivot))?;
    // SAFETY: the caller's promise.
    unsafe { session.launch(kernel, count.min(1 << 20) as u32, THREADS, args) }
}

/// Launches one of the kernels that join real and imaginary parts; `dtype` is that of the real parts.
///
/// # Safety
/// As for [`Session::launch`].
pub(super) unsafe fn join(
    session: &Session,
    entry: &'static str,
    dtype: DType,
    size: usize,
    args: &LaunchArgs,
) -> Result<()> {
    let kernel = kernel(session, entry, dtype)?;
    // SAFETY: the caller's promise.
    unsafe { session.launch(kernel, blocks(session, size), THREADS, args) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::testing::compiles;

    #[test]
    #[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
    fn texts_compile() {
        for dtype in [DType::F32, DType::F64, DType::C64, DType::C128] {
            compiles("linalg", &text(dtype));
            compiles("reflect", &reflect_text(dtype));
            for order in 1..=SMALL_ORDER {
                compiles("inverse", &inverse_text(dtype, order));
            }
            for pivot in [4, 8] {
                compiles("determinant", &determinant_text(dtype, pivot));
            }
        }
        for size in [4, 8, 16] {
            compiles("exchanges", &exchanges_text(size));
        }
        for (from, to) in [(4, 4), (4, 8), (8, 4)] {
            compiles("pivots", &pivots_text(from, to));
        }
    }
}
