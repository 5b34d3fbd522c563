//! A log of the Programs that ran, for tests and for users who want to see what fused.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Program, forget_unread};

static ON: AtomicBool = AtomicBool::new(false);
static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Starts or stops logging. Results that were dropped unread before are forgotten, so that they are not logged later.
pub fn log_programs(on: bool) {
    forget_unread();
    ON.store(on, Ordering::SeqCst);
}

/// The texts logged so far; the log is emptied.
pub fn take_programs() -> Vec<String> {
    std::mem::take(&mut *LOG.lock().unwrap_or_else(|e| e.into_inner()))
}

/// Whether Programs are logged.
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

pub(crate) fn log_run(program: &Program) {
    if is_on() {
        LOG.lock().unwrap_or_else(|e| e.into_inner()).push(program.to_string());
    }
}
