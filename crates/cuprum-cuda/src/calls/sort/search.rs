//! `searchsorted`: where elements belong in a sorted array.

use cuprum_core::{DType, Result};
use cuprum_graph::{Side, Slot};

use super::ordered;
use crate::launch::LaunchArgs;
use crate::session::Session;

const THREADS: usize = 256;

pub(super) fn run(
    session: &Session,
    sorted: &Slot,
    order: Option<&Slot>,
    needles: &Slot,
    out: &Slot,
    side: Side,
) -> Result<()> {
    let count = out.layout.size();
    if count == 0 {
        return Ok(());
    }
    let (sorted, needles) = (session.dense(sorted)?, session.dense(needles)?);
    let order = order.map(|slot| session.dense(slot)).transpose()?;
    let is_ordered = order.is_some();
    let kernel = session.kernel(
        "search_sorted",
        &[sorted.dtype as u32, side as u32, u32::from(is_ordered)],
        || text(sorted.dtype, side, is_ordered),
    )?;
    session.with_dense_out(out, |out| {
        let mut args = LaunchArgs::new();
        args.pointer(session.address(&sorted));
        args.pointer(order.as_ref().map_or(0, |slot| session.address(slot)));
        args.u64(sorted.layout.size() as u64).pointer(session.address(&needles));
        args.pointer(session.address(out)).u64(count as u64);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(kernel, count.div_ceil(THREADS) as u32, THREADS as u32, &args) }
    })
}

pub(super) fn text(dtype: DType, side: Side, is_ordered: bool) -> String {
    format!(
        "{}#define RIGHT {}\n#define ORDERED {}\n{}",
        ordered(dtype),
        u8::from(side == Side::Right),
        u8::from(is_ordered),
        include_str!("../../kernels/searchsorted.cu")
    )
}
