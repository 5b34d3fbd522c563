//! What the machine's memory can do: the yardstick that memory-bound work is measured against.

use std::hint::black_box;
use std::time::Instant;

use crate::memory;
use crate::streams::{stream, stream_fence};
use cuprum_threads::{Shared, run_spread, thread_count};

/// Bytes of a cache line.
const CACHE_LINE: usize = 64;
/// Lines that a task reads and writes, about: long ways through memory, since threads that take turns on short ones
/// halve its speed.
const LINES_PER_TASK: usize = 1 << 14;
/// Turns in which a task reads some of its lines and writes some.
const TURNS_PER_TASK: usize = 128;
/// Passes with stores past the caches, and as many with stores through them.
const PASSES: usize = 3;
/// Bytes of other memory for each thread that are read before a pass, more than its caches hold.
const EVICTION_BYTES: usize = 64 << 20;
/// What is written.
static PATTERN: [u8; 4096] = [1; 4096];

/// Bytes per second of a pass that reads `read` bytes and writes `written` on all threads, none of which a cache holds
/// before: of the median of a few passes, with stores past the caches or through them, whichever is faster. 0 where
/// there is no memory for it.
///
/// ```no_run
/// println!("{:.1} GB/s", cuprum_cpu::bandwidth(512 << 20, 256 << 20) / 1e9);
/// ```
pub fn bandwidth(read: usize, written: usize) -> f64 {
    match median_pass(read.div_ceil(CACHE_LINE), written.div_ceil(CACHE_LINE)) {
        Some(seconds) => (read + written) as f64 / seconds,
        None => 0.0,
    }
}

fn median_pass(from_lines: usize, to_lines: usize) -> Option<f64> {
    let other_lines = EVICTION_BYTES * thread_count() / CACHE_LINE;
    let buffers = [from_lines, to_lines, other_lines].map(|lines| memory::allocate(lines * CACHE_LINE).ok());
    let [Some(from), Some(to), Some(other)] = &buffers else { return None };
    let [from, to, other] = [from, to, other].map(|buffer| Shared(buffer.address() as *mut u8));
    let part = |lines: usize, at: usize, of: usize| {
        CACHE_LINE * (lines * at / of)..CACHE_LINE * (lines * (at + 1) / of)
    };
    let tasks_of = |lines: usize| lines.div_ceil(LINES_PER_TASK).max(1);
    // Memory that was never written is one page of zeros, which a cache would hold.
    for (array, lines) in [(from, from_lines), (to, to_lines), (other, other_lines)] {
        let tasks = tasks_of(lines);
        let fill = |task: usize| {
            let range = part(lines, task, tasks);
            // SAFETY: the array holds that many lines, and each task has its own part of them.
            unsafe { array.get().add(range.start).write_bytes(1, range.len()) };
        };
        run_spread(tasks, true, &fill).ok()?;
    }
    let tasks = tasks_of(from_lines + to_lines);
    let mut times = [[0.0; PASSES]; 2];
    for round in 0..2 * PASSES {
        let streams = round % 2 == 0;
        // On this thread alone: others are idle when a row begins, and so are they here.
        // SAFETY: the array holds that many aligned lines.
        unsafe { black_box(read_lines(other.get(), other_lines)) };
        let begin = Instant::now();
        run_spread(tasks, true, &|task| {
            for turn in 0..TURNS_PER_TASK {
                let reads = part(from_lines, task * TURNS_PER_TASK + turn, tasks * TURNS_PER_TASK);
                let writes = part(to_lines, task * TURNS_PER_TASK + turn, tasks * TURNS_PER_TASK);
                // SAFETY: both arrays hold that many aligned lines, and each task and turn has its own part of them.
                unsafe {
                    black_box(read_lines(from.get().add(reads.start), reads.len() / CACHE_LINE));
                    write_lines(to.get().add(writes.start), writes.len(), streams);
                }
            }
            stream_fence();
        })
        .ok()?;
        times[usize::from(streams)][round / 2] = begin.elapsed().as_secs_f64();
    }
    let medians = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[PASSES / 2]
    });
    Some(medians[0].min(medians[1]))
}

/// All words of the lines, so that none can be left out.
///
/// # Safety
/// `from` is aligned and holds `lines` lines.
unsafe fn read_lines(from: *const u8, lines: usize) -> [u64; 8] {
    let mut all = [0; 8];
    for line in 0..lines {
        // SAFETY: the caller's promise.
        let words = unsafe { *from.add(line * CACHE_LINE).cast::<[u64; 8]>() };
        for (all, word) in all.iter_mut().zip(words) {
            *all ^= word;
        }
    }
    all
}

/// Writes bytes, past the caches or through them.
///
/// # Safety
/// `to` holds `bytes` bytes.
unsafe fn write_lines(to: *mut u8, bytes: usize, streams: bool) {
    if !streams {
        // SAFETY: the caller's promise.
        return unsafe { to.write_bytes(1, bytes) };
    }
    for at in (0..bytes).step_by(PATTERN.len()) {
        // SAFETY: the caller's promise, and a part of the pattern.
        unsafe { stream(PATTERN.as_ptr(), to.add(at), PATTERN.len().min(bytes - at)) };
    }
}
