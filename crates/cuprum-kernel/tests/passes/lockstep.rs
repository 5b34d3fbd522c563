//! Where lanes of a warp are brought together unasked: where they meet in memory, and nowhere else.

use cuprum_kernel::cuda::{Options, compile};
use cuprum_kernel::ir::FunctionId;
use cuprum_kernel::passes;
use cuprum_kernel::passes::lockstep::{LaunchFacts, Lockstep};

/// How many places a kernel gets in a launch. Its parameters are pointers, which lie apart, and then these numbers.
fn places(text: &str, block: [u32; 3], grid: [u32; 3], numbers: &[i32]) -> usize {
    let compiled = compile(text, &Options::default()).unwrap_or_else(|errors| panic!("{errors}"));
    let module = &compiled.module;
    let kernel = module.functions.iter().position(|function| function.kernel.is_some()).expect("a kernel");
    let prepared = passes::prepare(module, FunctionId(kernel as u32)).expect("prepared");
    let Some(lockstep) = Lockstep::of(&prepared.kernel) else { return 0 };
    let kernel = prepared.kernel.kernel.as_ref().expect("a kernel");
    let mut params = vec![0u8; kernel.param_bytes as usize];
    let scalars = kernel.params.iter().filter(|param| param.bytes == 4);
    for (param, number) in scalars.zip(numbers) {
        params[param.offset as usize..][..4].copy_from_slice(&number.to_ne_bytes());
    }
    let launch = LaunchFacts {
        block,
        grid,
        dynamic_shared: 4096,
        params: &params,
        any_scalars: false,
        overlaps: false,
    };
    lockstep.places(&launch).len()
}

const ONE: [u32; 3] = [1, 1, 1];
const MANY: [u32; 3] = [100, 1, 1];

/// A kernel, the sizes of its launch, and its numbers.
type Case = (&'static str, [u32; 3], [u32; 3], &'static [i32]);

#[test]
fn ordinary_kernels_are_left_alone() {
    let kernels: &[Case] = &[
        (
            "__global__ void axpy(const float* x, float* y, float a, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) y[i] = a * x[i] + y[i];
            }",
            [256, 1, 1],
            MANY,
            &[0, 25_000],
        ),
        (
            "__global__ void scale(float* x, int n) {
                for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] *= 2;
            }",
            [128, 1, 1],
            MANY,
            &[1_000_000],
        ),
        (
            "__global__ void picture(float* x, int w, int h) {
                int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
                if (c < w && r < h) x[r * w + c] = 1 - x[r * w + c];
            }",
            [16, 16, 1],
            [4, 4, 1],
            &[64, 64],
        ),
        (
            "__global__ void blur(const float* x, float* y, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i] + x[i + 1];
            }",
            [256, 1, 1],
            MANY,
            &[25_000],
        ),
        (
            "__global__ void halo(const float* x, float* y, int n) {
                __shared__ float s[130];
                int t = threadIdx.x, i = blockIdx.x * 128 + t;
                s[t + 1] = x[i];
                if (t == 0) s[0] = x[i - 1];
                if (t == blockDim.x - 1) s[t + 2] = x[i + 1];
                __syncthreads();
                y[i] = s[t] + s[t + 1] + s[t + 2];
            }",
            [128, 1, 1],
            MANY,
            &[0],
        ),
        (
            "__global__ void sum(const float* x, float* y, int n) {
                __shared__ float s[256];
                int t = threadIdx.x;
                s[t] = t < n ? x[blockIdx.x * 256 + t] : 0;
                __syncthreads();
                for (int by = blockDim.x / 2; by > 0; by >>= 1) {
                    if (t < by) s[t] += s[t + by];
                    __syncthreads();
                }
                if (t == 0) y[blockIdx.x] = s[0];
            }",
            [256, 1, 1],
            MANY,
            &[256],
        ),
        (
            "__global__ void sum2(const float* x, float* y) {
                __shared__ float s[256];
                int t = threadIdx.x;
                s[t] = x[blockIdx.x * 256 + t];
                __syncthreads();
                for (unsigned by = 1; by < blockDim.x; by *= 2) {
                    unsigned at = 2 * by * t;
                    if (at < blockDim.x) s[at] += s[at + by];
                    __syncthreads();
                }
                if (t == 0) y[blockIdx.x] = s[0];
            }",
            [256, 1, 1],
            MANY,
            &[],
        ),
        (
            "__global__ void sort(int* x) {
                __shared__ int s[256];
                int t = threadIdx.x;
                s[t] = x[t];
                __syncthreads();
                for (int k = 2; k <= 256; k *= 2)
                    for (int j = k / 2; j > 0; j /= 2) {
                        int with = t ^ j;
                        if (with > t) {
                            int a = s[t], b = s[with];
                            if ((a > b) == ((t & k) == 0)) { s[t] = b; s[with] = a; }
                        }
                        __syncthreads();
                    }
                x[t] = s[t];
            }",
            [256, 1, 1],
            ONE,
            &[],
        ),
        (
            "__global__ void product(const float* a, const float* b, float* c, int n) {
                __shared__ float as[16][16], bs[16][16];
                int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * 16 + y, q = blockIdx.x * 16 + x;
                float sum = 0;
                for (int k = 0; k < n; k += 16) {
                    as[y][x] = a[r * n + k + x];
                    bs[y][x] = b[(k + y) * n + q];
                    __syncthreads();
                    for (int i = 0; i < 16; ++i) sum += as[y][i] * bs[i][x];
                    __syncthreads();
                }
                c[r * n + q] = sum;
            }",
            [16, 16, 1],
            [8, 8, 1],
            &[128],
        ),
        (
            "__global__ void histogram(const unsigned char* x, unsigned* counts, int n) {
                __shared__ unsigned s[256];
                s[threadIdx.x] = 0;
                __syncthreads();
                for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) atomicAdd(&s[x[i]], 1u);
                __syncthreads();
                atomicAdd(&counts[threadIdx.x], s[threadIdx.x]);
            }",
            [256, 1, 1],
            MANY,
            &[100_000],
        ),
    ];
    for (text, block, grid, numbers) in kernels {
        assert_eq!(places(text, *block, *grid, numbers), 0, "{text}");
    }
}

#[test]
fn lanes_that_meet_are_brought_together() {
    let step = "__global__ void step(float* x) { int t = threadIdx.x + 1; x[t] = x[t - 1]; }";
    assert_eq!(places(step, [32, 1, 1], ONE, &[]), 1);
    let one = "__global__ void step(float* x) { int t = threadIdx.x + 1; x[t] = x[t - 1]; }";
    assert_eq!(places(one, ONE, ONE, &[]), 0, "a warp of one lane");
    // Each lane reads before the lane that writes comes by.
    let ahead = "__global__ void ahead(float* x) { int t = threadIdx.x; x[t] = x[t + 1]; }";
    assert_eq!(places(ahead, [32, 1, 1], ONE, &[]), 0);
    let add = "__global__ void add(volatile float* s) {
        int t = threadIdx.x;
        if (t < 16) { s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1]; }
    }";
    assert_eq!(places(add, [32, 1, 1], ONE, &[]), 4, "one between two of the five sums");
    let far = "__global__ void far(int* x, int by) { int t = threadIdx.x; x[t + by] = 1; x[t] += x[t]; }";
    assert_eq!(places(far, [32, 1, 1], ONE, &[-4]), 1);
    assert_eq!(places(far, [32, 1, 1], ONE, &[-32]), 0, "no lane reaches so far");
    assert_eq!(places(far, [32, 1, 1], ONE, &[4]), 0, "threads come by in that order");
    let gather = "__global__ void gather(int* x, const int* at) { int t = threadIdx.x; x[at[t]] += 1; }";
    assert_eq!(places(gather, [32, 1, 1], ONE, &[]), 1, "nothing is known of the addresses");
}
