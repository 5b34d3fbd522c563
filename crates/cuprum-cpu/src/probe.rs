//! What the machine's memory can do: the yardstick that memory-bound work is measured against.

use std::hint::black_box;
use std::time::Instant;

use crate::access::stream_fence;
use crate::memory;
use cuprum_threads::{Shared, run_tasks};

/// Bytes of a cache line.
const LINE: usize = 64;
/// Lines that a task reads and writes, about: long ways through memory, since threads that take turns on short ones
/// halve its speed.
const TASK: usize = 1 << 14;
/// Turns in which a task reads some of its lines and writes some.
const TURNS: usize = 128;
/// Passes with stores past the caches, and as many with stores through them.
const ROUNDS: usize = 3;

/// Bytes per second of a pass that reads `read` bytes and writes `written` on all threads: of the best of a few. 0 where
/// there is no memory for it.
///
/// ```no_run
/// println!("{:.1} GB/s", cuprum_cpu::bandwidth(512 << 20, 256 << 20) / 1e9);
/// ```
pub fn bandwidth(read: usize, written: usize) -> f64 {
    let (from_lines, to_lines) = (read.div_ceil(LINE), written.div_ceil(LINE));
    let (Ok(from), Ok(to)) = (memory::allocate(from_lines * LINE), memory::allocate(to_lines * LINE)) else {
        return 0.0;
    };
    let [from, to] = [&from, &to].map(|buffer| Shared(buffer.address() as *mut u8));
    let tasks = (from_lines + to_lines).div_ceil(TASK).max(1);
    let part = |lines: usize, at: usize, of: usize| LINE * (lines * at / of)..LINE * (lines * (at + 1) / of);
    let fill = |task: usize| {
        for (array, lines) in [(from, from_lines), (to, to_lines)] {
            let range = part(lines, task, tasks);
            // SAFETY: the array holds that many lines, and each task has its own part of them.
            unsafe { array.get().add(range.start).write_bytes(1, range.len()) };
        }
    };
    // Memory that nobody has written is one page of zeros, which a cache would hold.
    if run_tasks(tasks, true, &fill).is_err() {
        return 0.0;
    }
    let mut best = f64::INFINITY;
    for round in 0..2 * ROUNDS {
        let streams = round % 2 == 0;
        let begin = Instant::now();
        let ran = run_tasks(tasks, true, &|task| {
            for turn in 0..TURNS {
                let reads = part(from_lines, task * TURNS + turn, tasks * TURNS);
                let writes = part(to_lines, task * TURNS + turn, tasks * TURNS);
                // SAFETY: both arrays hold that many aligned lines, and each task and turn has its own part of them.
                unsafe {
                    black_box(read_lines(from.get().add(reads.start), reads.len() / LINE));
                    write_lines(to.get().add(writes.start), writes.len() / LINE, streams);
                }
            }
            stream_fence();
        });
        if ran.is_err() {
            return 0.0;
        }
        best = best.min(begin.elapsed().as_secs_f64());
    }
    (read + written) as f64 / best
}

/// All words of the lines, so that none can be left out.
///
/// # Safety
/// `from` is aligned and holds `lines` lines.
unsafe fn read_lines(from: *const u8, lines: usize) -> [u64; 8] {
    let mut all = [0; 8];
    for line in 0..lines {
        // SAFETY: the caller's promise.
        let words = unsafe { *from.add(line * LINE).cast::<[u64; 8]>() };
        for (all, word) in all.iter_mut().zip(words) {
            *all ^= word;
        }
    }
    all
}

/// Writes lines, past the caches where that is asked for and there is a way.
///
/// # Safety
/// `to` is aligned and holds `lines` lines.
unsafe fn write_lines(to: *mut u8, lines: usize, streams: bool) {
    #[cfg(target_arch = "x86_64")]
    if streams {
        use std::arch::x86_64::{_mm_set1_epi8, _mm_stream_si128};
        for at in (0..lines * LINE).step_by(16) {
            // SAFETY: SSE2 is part of x86-64; the caller's promise.
            unsafe { _mm_stream_si128(to.add(at).cast(), _mm_set1_epi8(1)) };
        }
        return;
    }
    let _ = streams;
    // SAFETY: the caller's promise.
    unsafe { to.write_bytes(1, lines * LINE) };
}
