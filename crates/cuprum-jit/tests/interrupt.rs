//! The user's Ctrl-C ends a kernel that would not end.

use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_jit::{Extent, FaultKind, Launch, Program};
use cuprum_kernel::cuda;

const TEXT: &str = r#"
extern "C" __global__ void loops(volatile int* x) { for (int i = 1; i != 0; i |= 1) x[0] = i; }
extern "C" __global__ void spins(volatile int* x) { while (x[0] == 0) {} }
extern "C" __global__ void other(volatile int* x) { for (int i = blockIdx.x & 1; i != 0; i |= 1) x[0] = i; }
extern "C" __global__ void waits(volatile int* x) { for (;;) { __syncthreads(); if (x[0]) return; } }
"#;

static WANTED: AtomicBool = AtomicBool::new(false);

#[test]
fn interrupts_end_all_kinds_of_loops() {
    let Ok(compiled) = cuda::compile(TEXT, &cuda::Options::default()) else { panic!("it compiles") };
    let program = Program::new(compiled.module).expect("it is well formed");
    cuprum_threads::interrupt::set_poll(Some(|| WANTED.load(Ordering::Relaxed)));
    WANTED.store(true, Ordering::Relaxed);
    for name in ["loops", "spins", "waits", "other"] {
        let mut x = [0i32; 4];
        let extents = [Some(Extent { start: x.as_mut_ptr() as usize, bytes: 16, writable: true })];
        let params = (x.as_mut_ptr() as usize).to_ne_bytes();
        for grid in [2, 3, 16] {
            let launch = Launch::new([grid, 1, 1], [40, 1, 1], &params, &extents);
            let kernel = program.kernel(name).expect("it is there");
            // SAFETY: the extent is the array's, which outlives the launch.
            let fault = unsafe { kernel.launch(&launch) }.expect_err("it is stopped");
            assert_eq!(fault.kind, FaultKind::Interrupted, "{name}");
        }
    }
    cuprum_threads::interrupt::set_poll(None);
}
