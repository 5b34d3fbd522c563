//! The end of a program: GPUs finish the work that no call has waited for, so that the output of kernels is printed and
//! their errors are reported.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cuprum_core::{Error, Result};

use crate::check::is_context_lost;
use crate::context::{Gpu, opened_gpus};
use crate::faults;
use crate::stream::{Event, mark_streams};
use crate::sys::is_forked;

/// How long a program that ends waits for its GPUs: so many seconds, or what `CUPRUM_EXIT_WAIT` says.
const DEFAULT_MAX_WAIT: f64 = 60.0;
/// How long it sleeps between two looks.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// Whether a GPU was not waited for: whatever else waits for its work would wait for ever.
static GIVEN_UP: AtomicBool = AtomicBool::new(false);

/// Whether the program ends without its GPUs' work: memory and streams are left to the end of the process then, since the
/// driver would wait for that work before it takes them back.
pub(crate) fn is_given_up() -> bool {
    GIVEN_UP.load(Ordering::Relaxed)
}

fn longest() -> Duration {
    let wish = std::env::var("CUPRUM_EXIT_WAIT").ok().and_then(|wish| wish.parse::<f64>().ok());
    Duration::try_from_secs_f64(wish.unwrap_or(DEFAULT_MAX_WAIT))
        .unwrap_or(Duration::from_secs_f64(DEFAULT_MAX_WAIT))
}

/// Checks the positions that pending takes read at, waits for the work of every GPU that was used, and returns the
/// errors of all threads that no call has raised, each with its GPU's ordinal. To be called before the process begins
/// to end; `is_stopped` is asked now and then whether to give up.
///
/// A GPU whose context a kernel's fault has broken is not waited for, nor any GPU for longer than a minute
/// (`CUPRUM_EXIT_WAIT`, in seconds).
///
/// ```
/// assert!(cuprum_cuda::finish_work(&|| false).is_empty());
/// ```
pub fn finish_work(is_stopped: &dyn Fn() -> bool) -> Vec<(usize, Error)> {
    let mut untold = Vec::new();
    if is_forked() {
        return untold;
    }
    // What fails to begin is no mistake of the program's; the positions of what began are looked at below.
    let _ = cuprum_graph::run_takes();
    for gpu in opened_gpus() {
        let was_lost = is_context_lost();
        match wait(gpu, is_stopped) {
            Ok(true) => {}
            Ok(false) => {
                let message = format!(
                    "GPU {}: work is still under way {} s after the program's end, and is given up \
                     (CUPRUM_EXIT_WAIT sets how many seconds to wait)",
                    gpu.ordinal,
                    longest().as_secs_f64()
                );
                untold.push((gpu.ordinal, Error::device(message)));
            }
            // Other refusals (a graph is being recorded, the driver is shut down) leave nothing to be told.
            Err(error) if !was_lost && is_context_lost() => untold.push((gpu.ordinal, error)),
            Err(_) => {}
        }
        untold.extend(faults::all(gpu).into_iter().map(|error| (gpu.ordinal, error)));
    }
    untold
}

/// Waits for all work of a GPU; false where it takes too long.
fn wait(gpu: &'static Gpu, is_stopped: &dyn Fn() -> bool) -> Result<bool> {
    let (begin, longest) = (Instant::now(), longest());
    // The driver's own wait has no end where a kernel has none: first the points that streams have come to are looked at.
    for mark in marks(gpu)? {
        while !mark.is_done()? {
            let is_over = begin.elapsed() > longest;
            if is_over || is_stopped() {
                GIVEN_UP.store(true, Ordering::Relaxed);
                return Ok(!is_over);
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }
    gpu.wait().map(|()| true)
}

/// The points that all streams of our own have come to.
fn marks(gpu: &'static Gpu) -> Result<Vec<Event>> {
    let mut marks = mark_streams(gpu)?;
    // The default stream's is behind those of all streams that wait for it.
    let last = Event::new(gpu, false, false)?;
    // SAFETY: the default stream is always there.
    unsafe { last.record(0)? };
    marks.push(last);
    Ok(marks)
}
