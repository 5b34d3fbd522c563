//! Reading and writing at positions.

mod fold;
mod last_writer;
mod rows;
#[cfg(test)]
mod tests;

use cuprum_core::{Op, Result};
use cuprum_graph::{DeferredCheck, ReportTo, Slot};

pub(super) use rows::{
    CheckArgument, Keep, Places, element_unit, gather as gather_rows, scatter as scatter_rows, unit_type,
};

use crate::launch::LaunchArgs;
use crate::ops::FragmentSet;
use crate::session::Session;

pub(super) fn gather(
    session: &Session,
    source: &Slot,
    indices: &[Slot],
    unchecked: Option<(&DeferredCheck, usize)>,
    out: &Slot,
) -> Result<()> {
    if out.layout.size() == 0 {
        return Ok(());
    }
    let indices = dense_all(session, indices)?;
    let check = match unchecked {
        Some((mark, axis)) => Some(CheckArgument::new(session, mark, axis)?),
        None => None,
    };
    let places = match &check {
        Some(check) => Places::Unchecked(&indices[0], check),
        None => Places::Tuples(&indices),
    };
    session.with_dense_out(out, |out| rows::gather(session, source, &places, out))
}

pub(super) fn scatter(
    session: &Session,
    target: &Slot,
    indices: &[Slot],
    value: &Slot,
    op: Option<Op>,
    later: Option<&DeferredCheck>,
) -> Result<()> {
    if value.layout.size() == 0 {
        return Ok(());
    }
    let indices = dense_all(session, indices)?;
    let axes = indices.first().map_or(0, |index| index.layout.ndim());
    let values = ValueRows::new(session, value, axes)?;
    if let Some(op) = op {
        return fold::run(session, op, target, &indices, &values, later);
    }
    let keep = if values.step == 0 {
        Keep::All
    } else {
        last_writer::last_writes(session, &indices, &target.layout.shape[..indices.len()])?
    };
    rows::scatter(session, target, &Places::Tuples(&indices), &values.slot, values.step, &keep, later)
}

fn dense_all(session: &Session, slots: &[Slot]) -> Result<Vec<Slot>> {
    slots.iter().map(|slot| session.dense(slot)).collect()
}

/// The values as dense rows, one for each index tuple; one row alone where all are the same.
struct ValueRows {
    slot: Slot,
    /// Bytes from one row to the next.
    step: usize,
}

impl ValueRows {
    fn new(session: &Session, value: &Slot, index_axes: usize) -> Result<ValueRows> {
        let leading = value.layout.shape.iter().zip(&value.layout.strides).take(index_axes);
        if leading.clone().all(|(&length, &step)| length == 1 || step == 0) {
            let mut row = value.clone();
            row.layout.shape.drain(..index_axes);
            row.layout.strides.drain(..index_axes);
            return Ok(ValueRows { slot: session.dense(&row)?, step: 0 });
        }
        let length: usize = value.layout.shape[index_axes..].iter().product();
        Ok(ValueRows { slot: session.dense(value)?, step: length * value.dtype.size() })
    }
}

/// Makes positions non-negative in place, and reports the first one beyond the axis.
pub(super) fn check(session: &Session, indices: &Slot, size: usize, report: ReportTo<'_>) -> Result<()> {
    const THREADS: usize = 256;
    let count = indices.layout.size();
    let most = session.gpu().multiprocessors as usize * 8;
    let blocks = count.div_ceil(THREADS).min(most) as u32;
    let text = || {
        let own = include_str!("../../kernels/check_indices.cu");
        format!("{}{}{own}", FragmentSet::NONE.text(), rows::DEFERRED_CHECK)
    };
    let mut args = LaunchArgs::new();
    args.pointer(session.address(indices)).u64(count as u64).i64(size as i64);
    match report {
        ReportTo::Slot(fault) => {
            session.set_bytes(&fault.buffer, fault.layout.offset, 0xff, 8)?;
            args.pointer(session.address(fault));
            // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
            unsafe {
                session.launch(session.kernel("check_indices", &[], text)?, blocks, THREADS as u32, &args)
            }
        }
        ReportTo::Check(mark, axis) => {
            args.bytes(&CheckArgument::new(session, mark, axis)?.bytes());
            // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
            unsafe {
                session.launch(session.kernel("begin_check", &[], text)?, blocks, THREADS as u32, &args)
            }
        }
    }
}
