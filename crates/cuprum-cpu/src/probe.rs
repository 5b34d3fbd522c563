//! What the machine's memory can do: the yardstick that memory-bound work is measured against.

use std::time::Instant;

use crate::memory;
use cuprum_threads::{Shared, run_tasks};

/// Elements of each array: 256 MB. With 64 MB, what a third-level cache of 32 MB kept from one round to the next made the
/// memory look nearly twice as fast.
const LENGTH: usize = 32 << 20;
/// Elements of a task.
const TASK: usize = 1 << 15;
const ROUNDS: usize = 5;

/// Bytes per second of the triad `a = b + s * c` with stores past the caches on all threads, the best of five runs; 0
/// where there is no memory for it.
///
/// ```no_run
/// println!("{:.1} GB/s", cuprum_cpu::bandwidth() / 1e9);
/// ```
pub fn bandwidth() -> f64 {
    let bytes = LENGTH * size_of::<f64>();
    let (Ok(a), Ok(b), Ok(c)) = (memory::allocate(bytes), memory::allocate(bytes), memory::allocate(bytes))
    else {
        return 0.0;
    };
    let [a, b, c] = [&a, &b, &c].map(|buffer| Shared(buffer.address() as *mut u8));
    let tasks = LENGTH / TASK;
    for array in [a, b, c] {
        let filled = run_tasks(tasks, true, &|task| {
            // SAFETY: the array holds `LENGTH` numbers, `TASK` of them for each task.
            unsafe {
                std::slice::from_raw_parts_mut(array.get().cast::<f64>().add(task * TASK), TASK).fill(1.0)
            };
        });
        if filled.is_err() {
            return 0.0;
        }
    }
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        let ran = run_tasks(tasks, true, &|task| {
            let [a, b, c] = [a, b, c].map(|array| array.get().cast::<f64>().wrapping_add(task * TASK));
            // SAFETY: the arrays hold `LENGTH` numbers each, `TASK` of them for each task; `a` is cache-line aligned.
            unsafe { triad(a, b, c) };
        });
        if ran.is_err() {
            return 0.0;
        }
        best = best.min(begin.elapsed().as_secs_f64());
    }
    3.0 * bytes as f64 / best
}

/// # Safety
/// The pointers are aligned to 16 bytes and valid for `TASK` numbers; `a` overlaps no other.
#[cfg(target_arch = "x86_64")]
unsafe fn triad(a: *mut f64, b: *const f64, c: *const f64) {
    use std::arch::x86_64::{_mm_add_pd, _mm_load_pd, _mm_mul_pd, _mm_set1_pd, _mm_sfence, _mm_stream_pd};
    // SAFETY: SSE2 is part of x86-64; the caller's promise.
    unsafe {
        let s = _mm_set1_pd(3.0);
        for i in (0..TASK).step_by(2) {
            _mm_stream_pd(a.add(i), _mm_add_pd(_mm_load_pd(b.add(i)), _mm_mul_pd(s, _mm_load_pd(c.add(i)))));
        }
        _mm_sfence();
    }
}

/// # Safety
/// The pointers are valid for `TASK` numbers; `a` overlaps no other.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn triad(a: *mut f64, b: *const f64, c: *const f64) {
    // SAFETY: the caller's promise.
    unsafe {
        for i in 0..TASK {
            a.add(i).write(b.add(i).read() + 3.0 * c.add(i).read());
        }
    }
}
