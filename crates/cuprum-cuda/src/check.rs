//! Codes of the driver as errors: named, explained, and with the kernels that ran last where one of them failed.

use std::ffi::{CStr, c_char};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use cuprum_core::{Error, Result};

use crate::queue;
use crate::sys::{Driver, driver, is_forked, loaded_driver};

/// What a context that a kernel has ruined answers with ever after.
const CONTEXT_RUINED: [i32; 9] = [700, 702, 710, 714, 715, 716, 717, 718, 719];
/// What the driver answers with where the context is gone by no kernel's fault: the driver was shut down, the device is not
/// there any more or was reset, its memory has an error.
const CONTEXT_LOST: [i32; 5] = [4, 46, 201, 214, 709];
/// How many launches are remembered.
const REMEMBERED_LAUNCHES: usize = 4;

static LAST: Mutex<[Option<&'static str>; REMEMBERED_LAUNCHES]> = Mutex::new([None; REMEMBERED_LAUNCHES]);
/// Where the name of the last launch is.
static NAME: AtomicUsize = AtomicUsize::new(0);

/// Whether an error said that a context is lost.
static CONTEXT_IS_LOST: AtomicBool = AtomicBool::new(false);

/// Whether an error has said that a kernel has made its context unusable.
pub(crate) fn is_context_lost() -> bool {
    CONTEXT_IS_LOST.load(Ordering::Relaxed)
}

/// Remembers a launch, for the error that may come of it later. A kernel that is launched many times over is remembered once.
#[inline]
pub(crate) fn remember(kernel: &'static str) {
    if NAME.load(Ordering::Relaxed) != kernel.as_ptr() as usize {
        remember_new(kernel);
    }
}

fn remember_new(kernel: &'static str) {
    // Under contention the name of one launch is lost, not time.
    if let Ok(mut last) = LAST.try_lock() {
        NAME.store(kernel.as_ptr() as usize, Ordering::Relaxed);
        last.rotate_right(1);
        last[0] = Some(kernel);
    }
}

/// The driver, or an error that says what is missing. Queued launches are submitted first: the call to the driver may
/// follow them, wait for them or free what they use.
#[inline]
pub(crate) fn cuda() -> Result<&'static Driver> {
    let driver = cuda_unordered()?;
    if queue::is_waiting() {
        queue::flush()?;
    }
    Ok(driver)
}

/// The driver, for calls whose order with queued launches does not matter: queries, contexts, handles that no work uses yet.
#[inline]
pub(crate) fn cuda_unordered() -> Result<&'static Driver> {
    match loaded_driver() {
        Some(driver) if !is_forked() => Ok(driver),
        _ => slow_cuda(),
    }
}

#[cold]
fn slow_cuda() -> Result<&'static Driver> {
    if is_forked() {
        return Err(Error::device(
            "CUDA cannot be used in a forked process, whose parent has used it: start the process with the spawn \
             method (multiprocessing.set_start_method(\"spawn\")), or fork before the first array is made",
        ));
    }
    driver().map_err(Error::device)
}

/// An error unless the driver's code is success.
#[inline]
pub(crate) fn check(code: i32, function: &'static str) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(failure(code, function)) }
}

#[cold]
fn failure(code: i32, function: &str) -> Error {
    let mut message = format!("{function}: {} ({code}): {}", text(code, true), text(code, false));
    if CONTEXT_RUINED.contains(&code) {
        CONTEXT_IS_LOST.store(true, Ordering::Relaxed);
        let last = LAST.lock().unwrap_or_else(|e| e.into_inner());
        let names: Vec<&str> = last.iter().flatten().copied().collect();
        message += &format!(
            "; a kernel failed, one of those launched last: {}; the GPU cannot be used by this process any more",
            names.join(", ")
        );
    }
    if CONTEXT_LOST.contains(&code) {
        message += "; the GPU's context is lost (another library reset the device, or the device failed): start the \
                    process anew";
    }
    Error::device(message)
}

fn text(code: i32, name: bool) -> String {
    let Ok(driver) = driver() else { return "no driver".into() };
    let mut text: *const c_char = std::ptr::null();
    // SAFETY: both functions write one pointer to a static string.
    let known = unsafe {
        if name {
            (driver.cuGetErrorName)(code, &mut text)
        } else {
            (driver.cuGetErrorString)(code, &mut text)
        }
    };
    if known != 0 || text.is_null() {
        return "unknown error".into();
    }
    // SAFETY: the driver's strings are C strings that live as long as it.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
