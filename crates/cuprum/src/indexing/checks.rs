//! Positions checked against the axes that they index: at the call, or by kernels whose error is raised by a later call
//! that waits.

use std::cell::Cell;

use cuprum_core::{DType, Error, Index, Layout, Order, Result};
use cuprum_graph::{Call, DeferredCheck, DeviceRef, ReportTo, Slot, defer_enabled, same_device};

use crate::Array;
use crate::call::run_call;

thread_local! {
    static AT_ONCE: Cell<bool> = const { Cell::new(false) };
}

/// Runs work; with `at_once`, a position out of bounds raises its error at the call, even on a device that reports such
/// errors later.
///
/// ```
/// use cuprum::Array;
/// use cuprum::indexing::{TakeMode, checked, take};
/// let (a, far) = (Array::from_slice(&[1, 2, 3]), Array::from_slice(&[7i64]));
/// assert!(checked(true, || take(&a, &far, None, TakeMode::Raise, None)).is_err());
/// ```
pub fn checked<T>(at_once: bool, work: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            AT_ONCE.set(self.0);
        }
    }
    let _restore = Restore(AT_ONCE.replace(at_once || AT_ONCE.get()));
    work()
}

/// The checks of one call.
pub(crate) struct Checks {
    op: &'static str,
    /// The mark of checks whose errors come later, and the device that gave it.
    later: Option<(DeviceRef, DeferredCheck)>,
    /// Whether errors may come later, where the device has such.
    may_wait: bool,
    /// The axis whose positions the gather checks, and its length.
    in_gather: Option<(usize, usize)>,
    /// Where a gather notes a bad position whose error is raised at the call.
    fault: Option<Slot>,
}

impl Checks {
    /// No checks yet; errors name `op`.
    pub(crate) fn new(op: &'static str) -> Checks {
        Checks { op, later: None, may_wait: !AT_ONCE.get(), in_gather: None, fault: None }
    }

    /// The same, with every error raised by the check itself.
    pub(crate) fn at_once(op: &'static str) -> Checks {
        Checks { may_wait: false, ..Checks::new(op) }
    }

    /// The mark under which results are written, where errors come later.
    pub(crate) fn mark(&self) -> Option<&DeferredCheck> {
        self.later.as_ref().map(|(_, mark)| mark)
    }

    /// How a gather reports bad positions, if it has to check them itself.
    pub(crate) fn unchecked(&self) -> Option<ReportTo<'_>> {
        let (axis, _) = self.in_gather?;
        let later = self.mark().map(|mark| ReportTo::Check(mark, axis));
        later.or_else(|| self.fault.as_ref().map(ReportTo::Slot))
    }

    /// The mark of positions that their reader checks and whose error comes later.
    pub(crate) fn mark_of_reader(&self) -> Option<&DeferredCheck> {
        self.mark().filter(|_| self.in_gather.is_some())
    }

    /// The error of positions that a gather has checked, where it comes at the call.
    pub(crate) fn settle(&self, positions: &[Array]) -> Result<()> {
        let (Some((axis, size)), Some(fault), [positions]) = (self.in_gather, &self.fault, positions) else {
            return Ok(());
        };
        let mut number = [0; 8];
        positions.device().download(&fault.buffer, 0, &mut number)?;
        self.raise_at(i64::from_ne_bytes(number), positions, axis, size)
    }

    /// The error of a bad position of some number; none where it is negative.
    fn raise_at(&self, number: i64, indices: &Array, axis: usize, size: usize) -> Result<()> {
        if number < 0 {
            return Ok(());
        }
        let flat = crate::manipulation::ravel(indices, Order::C)?.astype(DType::I64)?;
        let index = flat.index(&[Index::Int(number)])?.item::<i64>()?;
        Err(Error::Index { op: self.op.into(), index, axis, size })
    }

    /// The positions of a gather by one index array, which reads at least one element: as int64 in C order, or, on a device
    /// that reports errors later, as int64 or int32. The gather itself checks them on a device that reports errors later,
    /// and on one that works at the call; otherwise they are checked here.
    pub(crate) fn check_in_gather(&mut self, indices: &Array, axis: usize, size: usize) -> Result<Array> {
        let device = indices.device();
        let comes_later = size > 0 && self.comes_later(device)?;
        if size == 0 || !(comes_later || device.shortcuts().is_some()) {
            return self.check(indices, axis, size);
        }
        self.in_gather = Some((axis, size));
        if !comes_later {
            self.fault = Some(fault_on(device)?.view().slot()?);
        }
        match indices.dtype() {
            DType::I64 => indices.contiguous(),
            DType::I32 if comes_later => indices.contiguous(),
            _ => indices.astype_ordered(DType::I64, Order::C),
        }
    }

    /// A copy of integer indices as int64 in C order, checked against an axis and counted from its front.
    pub(crate) fn check(&mut self, indices: &Array, axis: usize, size: usize) -> Result<Array> {
        let positions = indices.astype_ordered(DType::I64, Order::C)?;
        if positions.size() == 0 {
            return Ok(positions);
        }
        let device = positions.device();
        let slot = positions.view().slot()?;
        // An axis without elements has none that could be read in a bad position's place.
        if size > 0 && self.comes_later(device)? {
            let (_, mark) = self.later.as_ref().expect("a mark was just found");
            let report = ReportTo::Check(mark, axis);
            run_call(device, &Call::CheckIndices { indices: &slot, size, report })?;
            return Ok(positions);
        }
        let fault = fault_on(device)?;
        let flag = fault.view().slot()?;
        run_call(device, &Call::CheckIndices { indices: &slot, size, report: ReportTo::Slot(&flag) })?;
        self.raise_at(fault.item::<i64>()?, indices, axis, size)?;
        Ok(positions)
    }

    /// Whether the device raises errors later; the call's first check asks it for a mark.
    fn comes_later(&mut self, device: DeviceRef) -> Result<bool> {
        if let Some((known, _)) = &self.later {
            return Ok(same_device(*known, device));
        }
        if self.may_wait && defer_enabled() {
            self.later = device.begin_check(self.op)?.map(|mark| (device, mark));
        }
        Ok(self.later.is_some())
    }
}

/// Memory for the number of a bad position.
fn fault_on(device: DeviceRef) -> Result<Array> {
    Array::uninitialized(device, Layout::contiguous(&[], 8), DType::I64)
}
