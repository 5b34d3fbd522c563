//! Memory that is lost while work reads it: a file that is mapped became shorter, and zeros stand where it was.
//!
//! Whoever puts zeros there (`cuprum-python`'s `mapped.rs`) counts that here, and says when they are gone again. In between
//! nothing that work has made is sure to be made of what it was to read.

use std::sync::atomic::{AtomicUsize, Ordering};

/// One loss; the bits below count those that are being dealt with.
const ONE: usize = 1 << 16;

/// All losses.
static LOSSES: AtomicUsize = AtomicUsize::new(0);
/// Those whose zeros are gone.
static SETTLED: AtomicUsize = AtomicUsize::new(0);

/// What [`is_intact`] is asked with at the end of work that begins now.
///
/// ```
/// use cuprum_core::loss;
/// let before = loss::settled();
/// assert!(loss::is_intact(before));
/// loss::begin();
/// assert!(!loss::is_intact(before) && !loss::is_intact(loss::settled()));
/// loss::end();
/// assert!(!loss::is_intact(before) && !loss::is_intact(loss::settled()));
/// loss::settle(loss::count());
/// assert!(!loss::is_intact(before) && loss::is_intact(loss::settled()));
/// ```
#[inline]
pub fn settled() -> usize {
    SETTLED.load(Ordering::Acquire)
}

/// Whether all that work has read was there, from where [`settled`] said `before` until now.
#[inline]
pub fn is_intact(before: usize) -> bool {
    count() == before
}

/// All losses so far, for [`settle`].
#[inline]
pub fn count() -> usize {
    LOSSES.load(Ordering::Acquire)
}

/// Notes a loss, before there are zeros. A signal handler may call it.
pub fn begin() {
    LOSSES.fetch_add(1, Ordering::AcqRel);
}

/// Notes that the zeros of a loss are there, and known to whoever takes them away.
pub fn end() {
    LOSSES.fetch_add(ONE - 1, Ordering::AcqRel);
}

/// Notes that the zeros of these losses are gone, but for those that were being put there.
pub fn settle(losses: usize) {
    SETTLED.fetch_max(losses & !(ONE - 1), Ordering::AcqRel);
}
