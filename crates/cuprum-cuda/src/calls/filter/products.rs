//! Sums of products in the arithmetic of the elements themselves: convolution as NumPy and `scipy.signal` have it.

use cuprum_core::{DType, Result, Scalar};
use cuprum_graph::{Boundary, Slot};

use super::window::{WindowGeometry, text};
use super::{ComputedIn, NOTHING, Opening, THREADS, blocks, fill_bytes, number_of};
use crate::launch::LaunchArgs;
use crate::session::Session;

/// What elements of a dtype are multiplied in, and the type that adds up the products.
fn arithmetic(dtype: DType) -> (DType, &'static str) {
    match dtype {
        DType::F16 | DType::BF16 | DType::F32 | DType::F64 => (DType::F64, "f64"),
        DType::Bool => (DType::Bool, "bool"),
        DType::I64 | DType::U64 => (dtype, "u64"),
        other => (other, "u32"),
    }
}

fn opening(dtype: DType, total: usize) -> Opening {
    Opening::new(dtype, dtype, ComputedIn::As(arithmetic(dtype).0), total)
}

/// The kernel's text for so many outputs and axes.
pub(super) fn text_of(dtype: DType, total: usize, axes: usize) -> String {
    let opening = opening(dtype, total);
    let definitions = format!("typedef {} Sum;\n", arithmetic(dtype).1);
    text(opening, axes, &definitions, include_str!("../../kernels/filter_products.cu"))
}

/// Runs sums of products; all operands are dense.
pub(super) fn run(
    session: &Session,
    input: &Slot,
    weights: &Slot,
    out: &Slot,
    starts: &[isize],
    boundary: Option<Boundary>,
) -> Result<()> {
    let total = out.layout.size();
    if total == 0 {
        return Ok(());
    }
    let geometry = WindowGeometry::new(&input.layout.shape, &out.layout.shape, &weights.layout.shape, starts);
    let opening = opening(input.dtype, total);
    let [in_type, out_type, held_type, long] = opening.variant();
    let axes = geometry.axes();
    let variant = [in_type, out_type, held_type, long, axes as u32];
    let kernel = session.kernel("filter_products", &variant, || text_of(input.dtype, total, axes))?;
    let mut factors = [0; 16];
    factors[..8].copy_from_slice(&session.address(weights).to_ne_bytes());
    factors[8..].copy_from_slice(&geometry.rows().to_ne_bytes());
    let mut args = LaunchArgs::new();
    args.pointer(session.address(input)).pointer(session.address(out)).bytes(&geometry.bytes());
    let (extension, fill) = match boundary {
        Some(boundary) => (number_of(boundary.extension), boundary.fill),
        None => (NOTHING, Scalar::zero(input.dtype)),
    };
    args.bytes(&factors).u32(extension).bytes(&fill_bytes(fill, opening.held));
    args.u64(total as u64);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(total), THREADS, &args) }
}
