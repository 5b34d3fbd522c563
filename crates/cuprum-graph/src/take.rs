//! Elements at positions, recorded: what is made of them then reads the positions itself (ADR 41).

use cuprum_core::{DType, Layout, Number, Result, Scalar};
use smallvec::SmallVec;

use crate::record::record;
use crate::{DeferredCheck, Node, NodeArg, NodeKind, View};

/// Records the elements of a table, an array of one dense axis, at positions in int64 or int32. The device checks positions
/// when it reads them; the error of one out of bounds is raised later, by `check`. `None` if the device cannot, or if table
/// or positions are other arrays.
pub fn take(table: &View, positions: &View, check: &DeferredCheck) -> Result<Option<View>> {
    let device = table.storage.device();
    let Some(record_address) = device.fault_record(check)? else { return Ok(None) };
    if !is_table(table) || !matches!(positions.dtype, DType::I64 | DType::I32) {
        return Ok(None);
    }
    table.storage.force()?;
    let number = |x: i128, dtype: DType| NodeArg::Scalar(Scalar::wrapping(Number::Int(x), dtype));
    let args = SmallVec::from_vec(vec![
        NodeArg::View(table.clone()),
        NodeArg::View(positions.clone()),
        number(table.layout.size() as i128, DType::I64),
        number(record_address.into(), DType::U64),
    ]);
    let layout = Layout::contiguous(&positions.layout.shape, table.dtype.size());
    record(device, NodeKind::Take { check: check.clone() }, args, layout, table.dtype).map(Some)
}

/// Whether elements can be taken of an array by their numbers.
fn is_table(view: &View) -> bool {
    view.layout.ndim() == 1 && view.layout.size() > 0 && view.layout.is_contiguous(view.dtype.size())
}

/// Whether the arguments of a take are those that [`take`] records.
pub(crate) fn check_take(node: &Node) -> bool {
    let NodeKind::Take { check } = &node.kind else { return false };
    let [NodeArg::View(table), NodeArg::View(positions), NodeArg::Scalar(length), NodeArg::Scalar(place)] =
        &node.args[..]
    else {
        return false;
    };
    let address = table.storage.device().fault_record(check).ok().flatten();
    let number = |x: i128, dtype: DType| Scalar::wrapping(Number::Int(x), dtype);
    is_table(table)
        && !table.storage.is_pending()
        && table.dtype == node.dtype
        && positions.layout.shape == node.layout.shape
        && matches!(positions.dtype, DType::I64 | DType::I32)
        && *length == number(table.layout.size() as i128, DType::I64)
        && address.is_some_and(|address| *place == number(address.into(), DType::U64))
}
