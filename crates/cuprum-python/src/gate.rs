//! The one gate between Python and the library: it releases the GIL around long work, turns errors into NumPy's
//! exception classes, keeps panics from crossing, and lets Ctrl-C stop what runs.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cuprum::{Array, Error, Result, default_device};
use cuprum_core::loss;
use cuprum_core::memory::failed_request;
use cuprum_graph::{buffer_if_idle, eager};
use cuprum_threads::fork;
use pyo3::exceptions::{
    PyIndexError, PyKeyboardInterrupt, PyMemoryError, PyOverflowError, PyRuntimeError, PyTypeError,
    PyValueError, PyZeroDivisionError,
};
use pyo3::intern;
use pyo3::prelude::*;

use crate::{exports, mapped, numpy, profile, reserve};

thread_local! {
    /// The exception that a signal handler raised while this thread's work was running; the gate raises it again.
    static SIGNAL: Cell<Option<PyErr>> = const { Cell::new(None) };
}

/// Tells the CPU device how to ask whether the user wants to stop.
pub fn install_interrupt() {
    cuprum_cpu::interrupt::set_poll(Some(signal_pending));
}

/// Runs Python's signal handlers; true if one of them raised.
fn signal_pending() -> bool {
    let raised = Python::try_attach(|py| py.check_signals().err()).flatten();
    let stop = raised.is_some();
    if let Some(error) = raised {
        SIGNAL.set(Some(error));
    }
    stop
}

/// Runs work that reads these arrays and gives a new one.
///
/// The GIL stays held where all that is read is small and ready: releasing it would cost more than the work. Where
/// code outside can write one of the arrays unseen, the result is computed before that can happen.
pub fn compute(
    py: Python<'_>,
    reads: &[&Array],
    work: impl FnOnce() -> Result<Array> + Send,
) -> PyResult<Array> {
    let settle = exports::any() && reads.iter().any(|a| exports::is_exported(a));
    let work = move || {
        let result = work()?;
        if settle {
            result.force()?;
        }
        Ok(result)
    };
    run(py, is_eager(reads), work)
}

/// Runs work that makes an array of so many elements on the current device and reads none.
pub fn make<T: Send>(
    py: Python<'_>,
    elements: usize,
    work: impl FnOnce() -> Result<T> + Send,
) -> PyResult<T> {
    run(py, default_device().is_ok_and(|device| eager(device, elements).is_some()), work)
}

/// Runs work that writes an array and reads others; the GIL stays held where all are small and nothing runs before.
pub fn change(
    py: Python<'_>,
    target: &Array,
    reads: &[&Array],
    work: impl FnOnce() -> Result<()> + Send,
) -> PyResult<()> {
    let at_once = is_eager(&[target])
        && buffer_if_idle(target.view()).is_some()
        && reads.iter().all(|array| is_eager(&[array]));
    run(py, at_once, work)
}

/// Runs work with the GIL held if it is done `at_once`, otherwise with the GIL released.
fn run<T: Send>(py: Python<'_>, at_once: bool, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    let outcome =
        called_once(|| caught(|| fork::check().and_then(|()| work())), |work| enter(py, at_once, work));
    finish(py, outcome)
}

/// Not inlined: the compiler would see what it calls, and make a copy of it here.
#[inline(never)]
fn enter(py: Python<'_>, at_once: bool, work: &mut (dyn FnMut() + Send)) {
    if at_once { work() } else { release(py, work) }
}

/// Hands `work` to `run` by its address, so that there is one copy of it however many places it is called in; `run` calls it once.
#[inline(always)]
fn called_once<T: Send>(work: impl FnOnce() -> T + Send, run: impl FnOnce(&mut (dyn FnMut() + Send))) -> T {
    let (mut work, mut outcome) = (Some(work), None);
    run(&mut || outcome = work.take().map(|work| work()));
    outcome.expect("the work was called")
}

/// Whether work on these runs at once and is soon done: nothing is pending, and the result of broadcasting them is
/// small enough that nothing will be recorded, which could run pending work of others.
pub fn is_eager(reads: &[&Array]) -> bool {
    let Some((first, rest)) = reads.split_first() else { return true };
    let elements = if rest.iter().all(|a| a.shape() == first.shape()) {
        first.size()
    } else {
        reads.iter().fold(1, |product: usize, a| product.saturating_mul(a.size().max(1)))
    };
    eager(first.device(), elements).is_some() && reads.iter().all(|a| is_ready(a))
}

/// Whether nothing has to run before an array can be read.
pub fn is_ready(array: &Array) -> bool {
    !array.view().storage().is_pending()
}

/// Runs work with the GIL held. It must not wait for pending work, which another thread may be running while it
/// asks for the GIL.
pub fn attached<T>(py: Python<'_>, work: impl FnOnce() -> Result<T>) -> PyResult<T> {
    finish(py, caught(|| fork::check().and_then(|()| work())))
}

/// The same for whoever holds a lock: what Python objects come of it are made by [`finish`], once the lock is let go. Making an
/// object may collect others, whose finalizers may want the array.
#[inline]
pub fn caught<T>(work: impl FnOnce() -> Result<T>) -> std::thread::Result<Result<T>> {
    let before = loss::settled();
    let outcome = catch_unwind(AssertUnwindSafe(work));
    mapped::check(before).map_or_else(|lost| Ok(Err(lost)), |()| outcome)
}

/// Runs work with the GIL released.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    let outcome = released(py, || caught(|| fork::check().and_then(|()| work())));
    finish(py, outcome)
}

/// Runs what cannot fail with the GIL released. This is the one way to release it: forks wait for it to end, and it for them.
pub fn released<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    called_once(work, |work| release(py, work))
}

fn release(py: Python<'_>, work: &mut (dyn FnMut() + Send)) {
    profile::in_line(py, || {
        py.detach(|| {
            let _call = fork::enter();
            work()
        })
    })
}

/// Calls back into Python from inside the library, where locks may be held: a fork by another thread waits for its end.
pub fn call_back<T>(call: impl FnOnce(Python<'_>) -> T) -> T {
    Python::attach(|py| {
        let _call = fork::hold();
        call(py)
    })
}

/// What work gave, or its error as an exception.
pub fn finish<T>(py: Python<'_>, outcome: std::thread::Result<Result<T>>) -> PyResult<T> {
    reserve::keep();
    match outcome {
        // Work that stays pending when it is stopped may leave the call without an error; the user still wants to stop.
        Ok(Ok(value)) => SIGNAL.take().map_or(Ok(value), Err),
        Ok(Err(error)) => Err(exception(py, &error)),
        Err(panic) => Err(match failed_request(&*panic) {
            Some(error) => exception(py, &error),
            None => internal_error(&*panic),
        }),
    }
}

/// The exception for what should never be.
#[cold]
pub fn internal_error(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic
        .downcast_ref::<&str>()
        .map(|s| s.to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    PyRuntimeError::new_err(format!("internal error in Cuprum, please report it: {text}"))
}

/// Puts the op's name before a message that does not begin with it.
pub fn named<T>(py: Python<'_>, op: &str, outcome: PyResult<T>) -> PyResult<T> {
    outcome.map_err(|error| {
        let text = error.value(py).to_string();
        if text.starts_with(op) && text[op.len()..].starts_with(':') {
            return error;
        }
        let text = format!("{op}: {text}");
        let class = error.get_type(py);
        let made = if class.is(py.get_type::<PyValueError>()) {
            PyValueError::new_err(text)
        } else if class.is(py.get_type::<PyTypeError>()) {
            PyTypeError::new_err(text)
        } else if class.is(py.get_type::<PyOverflowError>()) {
            PyOverflowError::new_err(text)
        } else if class.is(py.get_type::<PyIndexError>()) {
            PyIndexError::new_err(text)
        } else if error.is_instance_of::<PyMemoryError>(py) {
            return error.value(py).call_method1("_named", (op,)).map_or(error, PyErr::from_value);
        } else {
            return error;
        };
        with_op(py, made, op)
    })
}

/// Names `op` in the place of "array" where an argument of it could not be made an array.
pub fn named_argument<T>(py: Python<'_>, op: &str, outcome: PyResult<T>) -> PyResult<T> {
    outcome.map_err(|error| {
        let text = error.value(py).to_string();
        let Some(rest) = text.strip_prefix("array: ") else { return error };
        let renamed = error.value(py).setattr(intern!(py, "args"), (format!("{op}: {rest}"),));
        renamed.map_or_else(|failed| failed, |()| with_op(py, error, op))
    })
}

/// The Python exception of an error. It knows the op that its message begins with: `_errors.py` puts another in its place
/// where the function called is made of others.
pub fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let made = match error {
        Error::Axis { op, axis, ndim } => numpy::axis_error(py, op, *axis, *ndim),
        Error::Broadcast { .. } | Error::Value { .. } => PyValueError::new_err(error.to_string()),
        Error::Index { .. } | Error::BadIndex { .. } => PyIndexError::new_err(error.to_string()),
        Error::Cast { .. } | Error::NoLoop { .. } | Error::Type { .. } => {
            PyTypeError::new_err(error.to_string())
        }
        Error::Linalg { .. } => numpy::linalg_error(py, error.to_string()),
        Error::ZeroDivision { .. } => PyZeroDivisionError::new_err(error.to_string()),
        Error::Overflow { .. } => PyOverflowError::new_err(error.to_string()),
        Error::Memory { asked, used, limit } => out_of_memory(py, *asked, *used, *limit),
        Error::Device { .. } | Error::Recording { .. } => PyRuntimeError::new_err(error.to_string()),
        Error::Interrupted => SIGNAL.take().unwrap_or_else(|| PyKeyboardInterrupt::new_err(())),
    };
    match error.op() {
        Some(op) => with_op(py, made, op),
        None => made,
    }
}

/// Writes down on an exception the op that its message begins with.
fn with_op(py: Python<'_>, error: PyErr, op: &str) -> PyErr {
    // An exception that takes no attributes is found by its text.
    let _ = error.value(py).setattr(intern!(py, "_op"), op);
    error
}

/// An error of Python's own, with the bytes that were asked for where it is a `MemoryError`, which says nothing.
pub fn sized(py: Python<'_>, error: PyErr, asked: usize) -> PyErr {
    if !error.get_type(py).is(py.get_type::<PyMemoryError>()) {
        return error;
    }
    out_of_memory(py, asked, 0, None)
}

/// `cuprum.cuda.memory.OutOfMemoryError`, a `MemoryError` that knows its numbers.
fn out_of_memory(py: Python<'_>, asked: usize, used: usize, limit: Option<usize>) -> PyErr {
    // Requests that no pool was asked for do not know what the pools hold.
    let used = if limit.is_none() { default_device().map_or(used, |d| d.memory_used()) } else { used };
    let made = py
        .import("cuprum.cuda.memory")
        .and_then(|memory| memory.getattr("OutOfMemoryError"))
        .and_then(|class| class.call1((asked, used, limit.unwrap_or(0))));
    made.map_or_else(
        |_| PyMemoryError::new_err(format!("out of memory: {asked} bytes asked for")),
        PyErr::from_value,
    )
}
