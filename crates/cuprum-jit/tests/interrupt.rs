//! The user's Ctrl-C ends a kernel that would not end, and so does its timeout.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cuprum_jit::{CompiledModule, Extent, FaultKind, Launch};
use cuprum_kernel::cuda;

const TEXT: &str = r#"
extern "C" __global__ void loops(volatile int* x) { for (int i = 1; i != 0; i |= 1) x[0] = i; }
extern "C" __global__ void spins(volatile int* x) { while (x[0] == 0) {} }
extern "C" __global__ void other(volatile int* x) { for (int i = blockIdx.x & 1; i != 0; i |= 1) x[0] = i; }
extern "C" __global__ void waits(volatile int* x) { for (;;) { __syncthreads(); if (x[0]) return; } }
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
extern "C" __global__ void calls(volatile int* x) { x[0] = fib(90 + x[0]); }
__device__ int count(int n, int m) {
    int s = 0;
    for (int i = 0; i < m; ++i) s += i * n;
    return n < 2 ? s : s + count(n - 1, m);
}
extern "C" __global__ void calls_loops(volatile int* x) { for (int i = 0; i < 1 << 30; ++i) x[0] += count(100, 3000); }
extern "C" __global__ void nests(int* x) {
    int s = 0;
    for (int a = 0; a < 60; ++a) for (int b = 0; b < 60; ++b) for (int c = 0; c < 60; ++c) for (int d = 0; d < 60; ++d)
    for (int e = 0; e < 60; ++e) for (int f = 0; f < 60; ++f) for (int g = 0; g < 60; ++g) s = s * 3 + x[s & 3] + g;
    x[0] = s;
}
"#;

const NAMES: [&str; 7] = ["loops", "spins", "waits", "other", "calls", "calls_loops", "nests"];

static WANTED: AtomicBool = AtomicBool::new(false);

#[test]
fn interrupts_and_timeouts_end_all_kinds_of_loops() {
    let Ok(compiled) = cuda::compile(TEXT, &cuda::Options::default()) else { panic!("it compiles") };
    let program = CompiledModule::new(compiled.module).expect("it is well formed");
    cuprum_threads::interrupt::set_poll(Some(|| WANTED.load(Ordering::Relaxed)));
    let launched = |name: &str, grid: u32, timeout: Option<Duration>| {
        let mut x = [0i32; 4];
        let extents = [Some(Extent { start: x.as_mut_ptr() as usize, bytes: 16, writable: true })];
        let params = (x.as_mut_ptr() as usize).to_ne_bytes();
        let launch = Launch { timeout, ..Launch::new([grid, 1, 1], [40, 1, 1], &params, &extents) };
        let kernel = program.kernel(name).expect("it is there");
        // SAFETY: the extent is the array's, which outlives the launch.
        unsafe { kernel.launch(&launch) }.expect_err("it is stopped").kind
    };
    for name in NAMES {
        assert_eq!(launched(name, 3, Some(Duration::from_millis(20))), FaultKind::Timeout, "{name}");
    }
    WANTED.store(true, Ordering::Relaxed);
    for name in NAMES {
        for grid in [2, 3, 16] {
            assert_eq!(launched(name, grid, None), FaultKind::Interrupted, "{name}");
        }
        // On a thread whose stack is too small for a kernel.
        let small = || assert_eq!(launched(name, 3, None), FaultKind::Interrupted, "{name}");
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(64 << 10);
            builder.spawn_scoped(scope, small).expect("a thread").join().expect("it is stopped");
        });
    }
    cuprum_threads::interrupt::set_poll(None);
}
