//! The end of a program: GPUs finish what nobody has waited for, so that what kernels print is seen, and what they found
//! is told.

use std::time::{Duration, Instant};

use cuprum_core::{Error, Result};

use crate::check::is_ruin_known;
use crate::context::{Gpu, opened_gpus};
use crate::faults;
use crate::stream::{Event, mark_streams};
use crate::sys::is_forked;

/// How long a program that ends waits for a GPU.
const LONGEST: Duration = Duration::from_secs(60);
/// How long it sleeps between two looks.
const NAP: Duration = Duration::from_micros(200);

/// Waits for the work that is under way on every GPU that was used, and gives the errors that nobody has been told of: each
/// with its GPU's number, those of every thread. To be called before a process begins to end; `is_stopped` is asked now and
/// then whether to give up.
///
/// A GPU that a kernel has ruined is not waited for, nor one that needs a minute.
///
/// ```
/// assert!(cuprum_cuda::finish_work(&|| false).is_empty());
/// ```
pub fn finish_work(is_stopped: &dyn Fn() -> bool) -> Vec<(usize, Error)> {
    let mut untold = Vec::new();
    if is_forked() {
        return untold;
    }
    for gpu in opened_gpus() {
        let was_known = is_ruin_known();
        match wait(gpu, is_stopped) {
            Ok(true) => {}
            Ok(false) => {
                let message = format!(
                    "GPU {}: work is still under way {} s after the program's end, and is given up",
                    gpu.ordinal,
                    LONGEST.as_secs()
                );
                untold.push((gpu.ordinal, Error::device(message)));
            }
            // Other refusals (a graph is being recorded, the driver is shut down) leave nothing to be told.
            Err(error) if !was_known && is_ruin_known() => untold.push((gpu.ordinal, error)),
            Err(_) => {}
        }
        untold.extend(faults::all(gpu).into_iter().map(|error| (gpu.ordinal, error)));
    }
    untold
}

/// Waits for all work of a GPU; false where it takes too long.
fn wait(gpu: &'static Gpu, is_stopped: &dyn Fn() -> bool) -> Result<bool> {
    let begin = Instant::now();
    // The driver's own wait has no end where a kernel has none: first the points that streams have come to are looked at.
    for mark in marks(gpu)? {
        while !mark.is_done()? {
            if is_stopped() {
                return Ok(true);
            }
            if begin.elapsed() > LONGEST {
                return Ok(false);
            }
            std::thread::sleep(NAP);
        }
    }
    gpu.wait().map(|()| true)
}

/// The points that all streams of our own have come to.
fn marks(gpu: &'static Gpu) -> Result<Vec<Event>> {
    let mut marks = mark_streams(gpu)?;
    // The default stream's is behind those of all streams that wait for it.
    let last = Event::new(gpu, false, false)?;
    last.record(0)?;
    marks.push(last);
    Ok(marks)
}
