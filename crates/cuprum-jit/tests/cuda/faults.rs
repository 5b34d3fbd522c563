//! Every kind of fault, with its text.

use std::time::{Duration, Instant};

use cuprum_jit::{Extent, FaultKind};

use crate::harness::*;

/// Launches a kernel that fails; its kind and its text.
#[track_caller]
fn fails(setup: &Setup, text: &str, args: &mut [Arg<'_>]) -> (FaultKind, String) {
    let (fault, text) = setup.run(text, args).expect_err("the launch fails");
    (fault.kind, text)
}

#[test]
fn a_read_beside_an_array() {
    let text = r#"extern "C" __global__ void add(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1.0f;
}"#;
    let (mut x, mut y) = (vec![0f32; 25], vec![0f32; 128]);
    let (kind, text) = fails(&Setup::new(8, 16), text, &mut [bytes(&mut x), bytes(&mut y), Arg::Int(0)]);
    assert_eq!(kind, FaultKind::OutOfBounds);
    assert_eq!(
        text,
        "add: out-of-bounds read of 4 bytes at kernel.cu:3:12 by thread (9,0,0) of block (1,0,0): x is an array of \
         100 bytes, the access is at byte 100\n    y[i] = x[i] + 1.0f;\n           ^^^^"
    );
    // What came before stays written, up to threads that ran together with the one that failed.
    assert!(y[..24].iter().all(|y| *y == 1.0) && y[25..].iter().all(|y| *y == 0.0));
}

#[test]
fn a_write_before_an_array() {
    let text = r#"__global__ void shift(int *x) {
    x[(int)threadIdx.x - 2] = 7;
}"#;
    let mut x = [0; 8];
    let (kind, text) = fails(&Setup::new(1, 8), text, &mut [bytes(&mut x)]);
    assert_eq!(kind, FaultKind::OutOfBounds);
    assert!(
        text.starts_with(
            "shift: out-of-bounds write of 4 bytes at kernel.cu:2:5 by thread (0,0,0) of block (0,0,0): x is an array \
             of 32 bytes, the access is at byte -8\n"
        ),
        "{text}"
    );
}

#[test]
fn shared_and_local_arrays_have_ends() {
    let shared = "__global__ void f(int *x) { __shared__ int s[32]; s[threadIdx.x * 3] = 1; x[0] = s[0]; }";
    let (kind, text) = fails(&Setup::new(1, 32), shared, &mut [bytes(&mut [0; 4])]);
    assert_eq!(kind, FaultKind::OutOfBounds);
    assert!(text.contains("s is a shared variable of 128 bytes, the access is at byte 132"), "{text}");
    assert!(text.contains("thread (11,0,0)"), "{text}");

    let local = "__global__ void f(int *x, int n) { int a[4]; for (int i = 0; i <= n; ++i) a[i] = i; x[0] = a[n & 3]; }";
    let (kind, text) = fails(&Setup::new(1, 1), local, &mut [bytes(&mut [0; 4]), Arg::Int(4)]);
    assert_eq!(kind, FaultKind::OutOfBounds);
    assert!(text.contains("a is a local variable of 16 bytes, the access is at byte 16"), "{text}");

    let dynamic = "__global__ void f(int *x) { extern __shared__ int s[]; s[threadIdx.x] = 1; x[0] = s[0]; }";
    let setup = Setup { dynamic_shared: 64, ..Setup::new(1, 32) };
    let (kind, text) = fails(&setup, dynamic, &mut [bytes(&mut [0; 4])]);
    assert_eq!(kind, FaultKind::OutOfBounds);
    assert!(text.contains("64 bytes of dynamic shared memory, the access is at byte 64"), "{text}");
}

#[test]
fn variables_of_the_module_have_ends() {
    let text = "__device__ float table[4];\n__global__ void f(float *x, int i) { x[0] = table[i]; }";
    let (kind, text) = fails(&Setup::new(1, 1), text, &mut [bytes(&mut [0f32; 1]), Arg::Int(5)]);
    assert_eq!(kind, FaultKind::OutOfBounds);
    assert!(text.contains("table is a variable of 16 bytes, the access is at byte 20"), "{text}");
}

#[test]
fn a_null_pointer() {
    let text = "__global__ void f(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x]; }";
    let (kind, text) = fails(&Setup::new(1, 4), text, &mut [Arg::Pointer(0), bytes(&mut [0; 4])]);
    assert_eq!(kind, FaultKind::OutOfBounds);
    assert!(text.contains("x is a null pointer"), "{text}");
}

#[test]
fn pointers_within_arrays_are_looked_up() {
    let text =
        "__global__ void f(float **rows, float *y, int n) { int i = threadIdx.x; y[i] = rows[i & 1][i]; }";
    let (row, mut y) = ([1.5f32; 8], [0f32; 8]);
    let mut rows = [row.as_ptr() as usize, row.as_ptr() as usize];
    let extent = Extent { start: row.as_ptr() as usize, bytes: 32, writable: false };
    let setup = Setup { memory: Known(vec![extent]), ..Setup::new(1, 8) };
    setup.run(text, &mut [bytes(&mut rows), bytes(&mut y), Arg::Int(0)]).unwrap();
    assert_eq!(y, row);
    let mut rows = [row.as_ptr() as usize, 0x1234_5678];
    let (kind, text) = fails(&setup, text, &mut [bytes(&mut rows), bytes(&mut y), Arg::Int(0)]);
    assert_eq!(kind, FaultKind::OutOfBounds);
    assert!(text.contains("no array that the kernel may use holds the address 0x1234567c"), "{text}");
}

#[test]
fn what_is_constant_is_not_written() {
    let text = "__global__ void f(int *x) { x[threadIdx.x] = 1; }";
    let values = [0u8; 16];
    let (kind, text) = fails(&Setup::new(1, 4), text, &mut [Arg::Constant(&values)]);
    assert_eq!(kind, FaultKind::ReadOnly);
    assert!(text.starts_with("f: write of 4 bytes to read-only memory at kernel.cu:1:29"), "{text}");
    assert!(text.contains("x may not be written"), "{text}");
}

#[test]
fn misaligned_atomics() {
    let text = "__global__ void f(char *x) { atomicAdd((int *)(x + 1), 1); }";
    let (kind, text) = fails(&Setup::new(1, 1), text, &mut [bytes(&mut [0i64; 2])]);
    assert_eq!(kind, FaultKind::Misaligned);
    assert!(text.contains("is not a multiple of 4"), "{text}");
}

#[test]
fn assertions_and_traps() {
    let text = "#include <assert.h>\n__global__ void f(int *x) {\n    assert(x[threadIdx.x] < 3);\n}";
    let mut x = [0, 1, 2, 3, 4];
    let (kind, text) = fails(&Setup::new(1, 5), text, &mut [bytes(&mut x)]);
    assert_eq!(kind, FaultKind::Assertion);
    assert!(text.contains("x[threadIdx.x] < 3") && text.contains("thread (3,0,0)"), "{text}");
    assert!(text.contains("kernel.cu:3:"), "{text}");
    let (kind, _) = fails(&Setup::new(1, 1), "__global__ void f(int *x) { __trap(); }", &mut [bytes(&mut x)]);
    assert_eq!(kind, FaultKind::Assertion);
}

#[test]
fn recursion_without_end() {
    let text = "__device__ int down(int n) { return n == -1 ? 0 : 1 + down(n + 1); }\n\
                __global__ void f(int *x) { x[0] = down(0); }";
    let (kind, text) = fails(&Setup::new(1, 1), text, &mut [bytes(&mut [0; 1])]);
    assert_eq!(kind, FaultKind::Stack);
    assert!(text.contains("stack overflow") && text.contains("bound the recursion"), "{text}");
}

#[test]
fn a_lane_that_is_not_in_its_mask() {
    let text = "__global__ void f(int *x) { x[threadIdx.x] = __shfl_sync(0x0000ffff, threadIdx.x, 0); }";
    let (kind, text) = fails(&Setup::new(1, 32), text, &mut [bytes(&mut [0; 32])]);
    assert_eq!(kind, FaultKind::WarpMask);
    assert!(text.contains("0x0000ffff") && text.contains("lane 16"), "{text}");
}

#[test]
fn threads_that_wait_for_ever() {
    let text = "__global__ void f(int *x) {\n    if (threadIdx.x < 16) __syncwarp(0xffffffff);\n    else __syncthreads();\n}";
    let (kind, text) = fails(&Setup::new(1, 32), text, &mut [bytes(&mut [0; 32])]);
    assert_eq!(kind, FaultKind::Deadlock);
    assert!(text.contains("__syncwarp()") && text.contains("__syncthreads()"), "{text}");
    assert!(text.contains("kernel.cu:2:") && text.contains("kernel.cu:3:"), "{text}");
}

#[test]
fn a_loop_without_end_is_stopped() {
    let text = "__global__ void f(volatile int *x) { while (x[0] == 0) {} }";
    let setup = Setup { timeout: Duration::from_millis(100), is_sole_writer: None, ..Setup::new(2, 32) };
    let begun = Instant::now();
    let (kind, text) = fails(&setup, text, &mut [bytes(&mut [0; 1])]);
    assert_eq!(kind, FaultKind::Timeout);
    assert!(text.contains("0.1 s"), "{text}");
    assert!(begun.elapsed() < Duration::from_secs(30));
    let (kind, _) =
        fails(&setup, "__global__ void f(int *x) { for (;;) ++x[0]; }", &mut [bytes(&mut [0; 1])]);
    assert_eq!(kind, FaultKind::Timeout);
}

#[test]
fn launches_that_cannot_be() {
    let text = "__global__ void __launch_bounds__(64) f(int *x) { x[0] = 1; }";
    for (block, expected) in [([2048, 1, 1], "1024"), ([128, 1, 1], "64"), ([0, 1, 1], "at least 1")] {
        let setup = Setup { block, ..Setup::new(1, 1) };
        let (kind, text) = fails(&setup, text, &mut [bytes(&mut [0; 1])]);
        assert_eq!(kind, FaultKind::Launch);
        assert!(text.starts_with("f: ") && text.contains(expected), "{text}");
    }
    let setup = Setup { dynamic_shared: 1 << 20, ..Setup::new(1, 1) };
    let (kind, _) = fails(&setup, "__global__ void f(int *x) { x[0] = 1; }", &mut [bytes(&mut [0; 1])]);
    assert_eq!(kind, FaultKind::Launch);
    let grid = "#include <cooperative_groups.h>\n\
                __global__ void f(int *x) { cooperative_groups::this_grid().sync(); x[0] = 1; }";
    let (kind, text) = fails(&Setup::new(2, 32), grid, &mut [bytes(&mut [0; 1])]);
    assert_eq!(kind, FaultKind::Launch);
    assert!(text.contains("cooperative"), "{text}");
}

#[test]
fn the_process_goes_on_after_every_fault() {
    let program = program(
        "extern \"C\" __global__ void f(int *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x + n] = 1; }",
    );
    let mut x = vec![0; 1000];
    for _ in 0..20 {
        let fault = Setup::new(10, 100).launch(&program, "f", &mut [bytes(&mut x), Arg::Int(1)]);
        assert_eq!(fault.unwrap_err().kind, FaultKind::OutOfBounds);
        Setup::new(10, 100).launch(&program, "f", &mut [bytes(&mut x), Arg::Int(0)]).unwrap();
    }
    assert!(x.iter().all(|x| *x == 1));
}

/// Runs a kernel of `char *x` and others on an array that begins some bytes behind a multiple of 64.
fn on_shifted(text: &str, by: usize, check: bool) -> Result<Vec<u8>, (FaultKind, String)> {
    let setup = if check { Setup::checked(1, 8) } else { Setup::new(1, 8) };
    let mut memory = vec![0u64; 48];
    let begin = memory.as_ptr() as usize;
    let at = begin.next_multiple_of(64) - begin + by;
    // SAFETY: the vector's own bytes.
    let all = unsafe { std::slice::from_raw_parts_mut(memory.as_mut_ptr().cast::<u8>(), 8 * memory.len()) };
    let x = &mut all[at..at + 256];
    setup.run(text, &mut [Arg::Array(x)]).map_err(|(fault, text)| (fault.kind, text))?;
    Ok(x.to_vec())
}

#[test]
fn unaligned_addresses() {
    // By the launch's pointer, by the index, by a vector's own alignment.
    let whole = "__global__ void f(float *x) {\n    x[threadIdx.x] += 1.0f;\n}";
    let bytes = "__global__ void f(char *x) {\n    *(int *)(x + 6 * threadIdx.x) = 1;\n}";
    let pairs = "__global__ void f(float *x) {\n    float2 v = *(float2 *)(x + threadIdx.x); *x = v.x;\n}";
    let four =
        "__global__ void f(float4 *x) {\n    float4 v = x[threadIdx.x]; v.x += 1; x[threadIdx.x] = v;\n}";
    let shared = "__global__ void f(int *x) {\n    __shared__ char s[64];\n    *(short *)(s + 2 * threadIdx.x + 1) = x[0];\n}";
    for check in [false, true] {
        for by in [0, 4, 8, 12] {
            on_shifted(whole, by, check).unwrap();
        }
        for (text, by, line, thread) in [
            (whole, 2, 2, 0),
            (whole, 1, 2, 0),
            (bytes, 0, 2, 1),
            (bytes, 2, 2, 0),
            (pairs, 0, 2, 1),
            (four, 8, 2, 0),
            (shared, 0, 3, 0),
        ] {
            let (kind, message) = on_shifted(text, by, check).expect_err(text);
            assert_eq!(kind, FaultKind::Misaligned, "{message}");
            let place = format!("at kernel.cu:{line}:");
            let who = format!("by thread ({thread},0,0) of block (0,0,0)");
            assert!(message.contains(&place) && message.contains(&who), "{message}");
        }
        on_shifted(four, 16, check).unwrap();
        let even = "__global__ void f(char *x) {\n    *(int *)(x + 8 * threadIdx.x) = 1;\n}";
        on_shifted(even, 4, check).unwrap();
        // What a struct's parts ask for is enough.
        let parts = "struct P { float a, b; };\n__global__ void f(P *x) { P p = x[threadIdx.x]; p.a = 1; x[threadIdx.x] = p; }";
        on_shifted(parts, 4, check).unwrap();
    }
}

#[test]
fn calls_of_what_is_no_function() {
    let text = "__device__ int one(int v) { return v + 1; }\n__global__ void f(int *x, int n) {\n    int (*p)(int) = 0;\n    \
                if (n) p = one;\n    x[threadIdx.x] = p(n);\n}";
    let mut x = [0; 4];
    Setup::new(1, 4).run(text, &mut [bytes(&mut x), Arg::Int(7)]).unwrap();
    assert_eq!(x, [8; 4]);
    let (kind, text) = fails(&Setup::new(1, 4), text, &mut [bytes(&mut x), Arg::Int(0)]);
    assert_eq!(kind, FaultKind::Assertion);
    assert!(
        text.contains("a pointer to a function that is none") && text.contains("thread (0,0,0)"),
        "{text}"
    );
}
