//! Errors that come later: what a device finds out while it works, and raises at a later call that waits for it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The mark of checks whose errors come later; while it is held, the device knows the checks by its number.
#[derive(Clone)]
pub struct DeferredCheck {
    number: usize,
    _keeper: Arc<dyn Any + Send + Sync>,
}

impl DeferredCheck {
    /// A mark with the device's number for the checks, which is theirs until `keeper` is dropped.
    pub fn new(number: usize, keeper: Arc<dyn Any + Send + Sync>) -> DeferredCheck {
        DeferredCheck { number, _keeper: keeper }
    }

    /// The device's number for the checks.
    pub fn number(&self) -> usize {
        self.number
    }
}

/// The same number of one device.
impl PartialEq for DeferredCheck {
    fn eq(&self, other: &DeferredCheck) -> bool {
        self.number == other.number && Arc::ptr_eq(&self._keeper, &other._keeper)
    }
}

impl fmt::Debug for DeferredCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeferredCheck({})", self.number)
    }
}

/// Where a check's fault goes.
#[derive(Clone, Copy, Debug)]
pub enum ReportTo<'a> {
    /// One int64 receives the number, in C order, of the first bad position, or -1. Bad positions stay as they were.
    Slot(&'a crate::Slot),
    /// The device raises an IndexError that names this axis, at a later call that waits. Bad positions become 0, and what is
    /// written under this mark is not written.
    Check(&'a DeferredCheck, usize),
}
