//! The checking mode on CUDA C: what it finds, and what it leaves alone.

use cuprum_jit::{CheckMode, FaultKind};

use crate::harness::*;

const REVERSE: &str = r#"__global__ void reverse(int *x) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    BARRIER
    x[t] = s[63 - t];
}"#;

#[test]
fn a_missing_barrier() {
    let races = CheckMode { races: true, ..CheckMode::default() };
    let setup = Setup { check: Some(races), ..Setup::new(1, 64) };
    let mut x: Vec<i32> = (0..64).collect();
    let (fault, text) = setup.run(&REVERSE.replace("BARRIER", ""), &mut [bytes(&mut x)]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Race);
    assert_eq!(
        text,
        "reverse: data race: write of 4 bytes at kernel.cu:4:5 by thread (32,0,0) of block (0,0,0): byte 128 of s: \
         nothing orders the two accesses; a barrier (__syncthreads) between them would\n    s[t] = x[t];\n    ^^^^\n\
         with the read of 4 bytes at kernel.cu:6:12 by thread (31,0,0) of block (0,0,0)\n    x[t] = s[63 - t];\n           \
         ^^^^^^^^^"
    );
    let mut x: Vec<i32> = (0..64).collect();
    let with = REVERSE.replace("BARRIER", "__syncthreads();");
    Setup::checked(1, 64).run(&with, &mut [bytes(&mut x)]).unwrap();
    assert!((0..64).all(|i| x[i] == 63 - i as i32));
}

#[test]
fn warps_need_a_barrier_of_their_own() {
    let text = |barrier: &str| {
        format!(
            "__global__ void f(int *x) {{ __shared__ int s[32]; int t = threadIdx.x; s[t] = t; {barrier} x[t] = s[t ^ 1]; }}"
        )
    };
    let mut x = [0; 32];
    Setup::checked(1, 32).run(&text("__syncwarp();"), &mut [bytes(&mut x)]).unwrap();
    assert!((0..32).all(|i| x[i] == i as i32 ^ 1));
    let (fault, _) = Setup::checked(1, 32).run(&text(""), &mut [bytes(&mut x)]).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Race | FaultKind::Uninitialised));
}

#[test]
fn blocks_that_share_an_element() {
    let text = "__global__ void f(int *x) { x[threadIdx.x / 2] += 1; }";
    let (fault, text) = Setup::checked(1, 8).run(text, &mut [bytes(&mut [0; 8])]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Race);
    assert!(text.contains("byte 0 of x") && text.contains("thread (1,0,0)"), "{text}");
    let atomics = "__global__ void f(int *x) { atomicAdd(&x[threadIdx.x / 2], 1); }";
    let mut x = [0; 8];
    Setup::checked(3, 8).run(atomics, &mut [bytes(&mut x)]).unwrap();
    assert_eq!(x, [6, 6, 6, 6, 0, 0, 0, 0]);
}

/// The last block to finish sums what all blocks wrote: right with a fence, a race without.
#[test]
fn the_last_block_sums_up() {
    let text = |fence: &str| {
        format!(
            r#"__device__ unsigned int count = 0;
__global__ void sum(const int *x, int *parts, int *total) {{
    __shared__ bool last;
    if (threadIdx.x == 0) {{
        int part = 0;
        for (int i = 0; i < 32; ++i) part += x[blockIdx.x * 32 + i];
        parts[blockIdx.x] = part;
        {fence}
        last = atomicInc(&count, gridDim.x) == gridDim.x - 1;
    }}
    __syncthreads();
    if (last && threadIdx.x == 1) {{
        int all = 0;
        for (int i = 0; i < gridDim.x; ++i) all += parts[i];
        *total = all;
    }}
}}"#
        )
    };
    let (mut x, mut parts, mut total) = ([1; 128], [0; 4], [0; 1]);
    let args = &mut [bytes(&mut x), bytes(&mut parts), bytes(&mut total)];
    Setup::checked(4, 32).run(&text("__threadfence();"), args).unwrap();
    assert_eq!(total, [128]);
    let args = &mut [bytes(&mut x), bytes(&mut parts), bytes(&mut total)];
    let (fault, text) = Setup::checked(4, 32).run(&text(""), args).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Race, "{text}");
    assert!(text.contains("of parts") && text.contains("blocks are not ordered"), "{text}");
}

#[test]
fn memory_that_nobody_wrote() {
    let shared = "__global__ void f(int *x) { __shared__ int s[8]; if (threadIdx.x) s[threadIdx.x] = 1; \
                  __syncthreads(); x[threadIdx.x] = s[threadIdx.x]; }";
    let (fault, text) = Setup::checked(1, 8).run(shared, &mut [bytes(&mut [0; 8])]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Uninitialised);
    assert!(text.contains("byte 0 of s: nobody has written it"), "{text}");

    let local = "__global__ void f(int *x, int n) { int a[4]; a[n] = 1; x[0] = a[2]; }";
    Setup::checked(1, 1).run(local, &mut [bytes(&mut [0; 8]), Arg::Int(2)]).unwrap();
    let (fault, text) = Setup::checked(1, 1).run(local, &mut [bytes(&mut [0; 8]), Arg::Int(1)]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Uninitialised);
    assert!(text.contains("uninitialised read of 4 bytes"), "{text}");
}

#[test]
fn structs_are_copied_whole() {
    let text = "struct Pair { char a; double b; };\n\
                __device__ Pair make(double b) { Pair p; p.a = 1; p.b = b; return p; }\n\
                __global__ void f(double *x) { Pair p = make(threadIdx.x), q = p; Pair all[2]; all[0] = q; \
                x[threadIdx.x] = all[0].b + all[0].a; }";
    let mut x = [0f64; 4];
    Setup::checked(1, 4).run(text, &mut [bytes(&mut x)]).unwrap();
    assert_eq!(x, [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn barriers_in_branches() {
    let text = "__global__ void f(int *x) {\n    if (threadIdx.x < 4)\n        __syncthreads();\n    else\n        __syncthreads();\n}";
    Setup::new(1, 8).run(text, &mut [bytes(&mut [0; 8])]).unwrap();
    let (fault, text) = Setup::checked(1, 8).run(text, &mut [bytes(&mut [0; 8])]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::DivergentBarrier);
    assert!(
        text.contains("kernel.cu:3:9 by thread (0,0,0)") && text.contains("kernel.cu:5:9 by thread (4,0,0)"),
        "{text}"
    );
}

#[test]
fn threads_that_returned_are_not_waited_for() {
    let text = "__global__ void f(int *x, int n) { __shared__ int s[64]; int t = threadIdx.x; if (t >= n) return; \
                s[t] = x[t]; __syncthreads(); x[t] = s[n - 1 - t]; }";
    let mut x: Vec<i32> = (0..64).collect();
    Setup::checked(1, 64).run(text, &mut [bytes(&mut x), Arg::Int(50)]).unwrap();
    assert!((0..50).all(|i| x[i] == 49 - i as i32));
}

#[test]
fn loops_of_compare_and_swap_are_no_races() {
    let text = "__device__ double add(double *x, double by) { unsigned long long *bits = (unsigned long long *)x, \
                old = *bits, seen; do { seen = old; old = atomicCAS(bits, seen, __double_as_longlong(by + \
                __longlong_as_double(seen))); } while (seen != old); return __longlong_as_double(old); }\n\
                __global__ void f(double *total) { add(total, threadIdx.x); }";
    let mut total = [0f64];
    Setup::checked(4, 32).run(text, &mut [bytes(&mut total)]).unwrap();
    assert_eq!(total, [4.0 * 31.0 * 16.0]);
}
