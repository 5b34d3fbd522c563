//! Stopping long work: the thread that called asks now and then whether the user wants to stop.

use std::cell::Cell;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long work runs between two questions.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

static POLL: Mutex<Option<fn() -> bool>> = Mutex::new(None);

/// Sets the question: it returns true to stop the work, which then ends with `Error::Interrupted`.
///
/// ```
/// cuprum_threads::interrupt::set_poll(Some(|| false));
/// cuprum_threads::interrupt::set_poll(None);
/// ```
pub fn set_poll(poll: Option<fn() -> bool>) {
    *POLL.lock().unwrap_or_else(|e| e.into_inner()) = poll;
}

/// Asks at most once every interval.
///
/// ```
/// let watch = cuprum_threads::interrupt::Watch::start();
/// assert!(!watch.wants_stop());
/// ```
pub struct Watch {
    last: Cell<Instant>,
}

impl Watch {
    /// Begins to count the first interval.
    pub fn start() -> Watch {
        Watch { last: Cell::new(Instant::now()) }
    }

    /// Whether the user wants to stop; false until an interval has passed since the last question.
    pub fn wants_stop(&self) -> bool {
        if self.last.get().elapsed() < POLL_INTERVAL {
            return false;
        }
        self.last.set(Instant::now());
        let poll = *POLL.lock().unwrap_or_else(|e| e.into_inner());
        poll.is_some_and(|ask| ask())
    }
}
