//! How fast kernels of CUDA C compile and run, all or one: `cargo run --release -p cuprum-jit --example speed [name]`.

use std::time::Instant;

use cuprum_jit::{CompiledModule, Extent, Launch};
use cuprum_kernel::cuda;

const TEXT: &str = r#"
extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float as[16][16];
    __shared__ float bs[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n / 16; t++) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t * 16 + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t * 16 + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

extern "C" __global__ void mandelbrot(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n) return;
    double re = -2.0 + 3.0 * i / n, im = -1.5 + 3.0 * j / n, x = 0, y = 0;
    int k = 0;
    while (k < 50 && x * x + y * y < 4.0) {
        double t = x * x - y * y + re;
        y = 2 * x * y + im;
        x = t;
        k++;
    }
    c[j * n + i] = k;
}

extern "C" __global__ void reduce(const float* a, const float* b, float* c, int n) {
    __shared__ float s[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += a[i];
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0;
        for (int w = 0; w < blockDim.x / 32; w++) total += s[w];
        c[blockIdx.x] = total;
    }
}

extern "C" __global__ void histogram(const float* a, const float* b, int* c, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&c[((int)a[i]) & 255], 1);
}
"#;

/// A kernel, its grid and block, `n`, how often it runs, and whether an element of `c` is what it should be.
struct Row {
    name: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    n: i32,
    repeats: usize,
    holds: fn(&[f32], &[f32], &[f32]) -> bool,
}

const ROWS: [Row; 6] = [
    Row { name: "add", grid: [1, 1, 1], block: [256, 1, 1], n: 10, repeats: 10_000, holds: sums },
    Row { name: "add", grid: [39063, 1, 1], block: [256, 1, 1], n: 10_000_000, repeats: 20, holds: sums },
    Row { name: "matmul", grid: [32, 32, 1], block: [16, 16, 1], n: 512, repeats: 20, holds: product },
    Row { name: "mandelbrot", grid: [63, 63, 1], block: [16, 16, 1], n: 1000, repeats: 10, holds: inside },
    Row { name: "reduce", grid: [64, 1, 1], block: [256, 1, 1], n: 10_000_000, repeats: 10, holds: total },
    Row { name: "histogram", grid: [64, 1, 1], block: [256, 1, 1], n: 10_000_000, repeats: 1, holds: counts },
];

fn sums(a: &[f32], b: &[f32], c: &[f32]) -> bool {
    (0..10).all(|i| c[i] == a[i] + b[i])
}

fn product(a: &[f32], b: &[f32], c: &[f32]) -> bool {
    [(0, 0), (17, 300), (511, 511)].into_iter().all(|(row, col)| {
        c[row * 512 + col] == (0..512).map(|k| a[row * 512 + k] * b[k * 512 + col]).sum::<f32>()
    })
}

/// The origin never leaves.
fn inside(_: &[f32], _: &[f32], c: &[f32]) -> bool {
    c[500 * 1000 + 667] == 50.0
}

fn total(a: &[f32], _: &[f32], c: &[f32]) -> bool {
    let (got, want): (f64, f64) =
        (c[..64].iter().map(|&x| f64::from(x)).sum(), a.iter().map(|&x| f64::from(x)).sum());
    (got - want).abs() < 1e-5 * want
}

fn counts(a: &[f32], _: &[f32], c: &[f32]) -> bool {
    c[5].to_bits() as usize == a.iter().filter(|&&x| x == 5.0).count()
}

fn main() {
    let begun = Instant::now();
    let compiled = cuda::compile(TEXT, &cuda::Options::default()).expect("the texts are well formed");
    println!("front end: {:.2} ms", begun.elapsed().as_secs_f64() * 1e3);
    let program = CompiledModule::new(compiled.module).expect("well formed");
    let mut a: Vec<f32> = (0..10_000_000).map(|i| (i % 13) as f32).collect();
    let mut b: Vec<f32> = (0..10_000_000).map(|i| (i % 7) as f32).collect();
    let only = std::env::args().nth(1);
    for row in ROWS.iter().filter(|row| only.as_ref().is_none_or(|only| only == row.name)) {
        let mut c = vec![0f32; 10_000_000];
        let extents: Vec<Option<Extent>> = [&mut a, &mut b, &mut c]
            .into_iter()
            .map(|a| Some(Extent { start: a.as_mut_ptr() as usize, bytes: 4 * a.len(), writable: true }))
            .collect();
        let mut params = Vec::new();
        for extent in extents.iter().flatten() {
            params.extend((extent.start as u64).to_ne_bytes());
        }
        params.extend(row.n.to_ne_bytes());
        let launch =
            Launch { print: &|text| print!("{text}"), ..Launch::new(row.grid, row.block, &params, &extents) };
        let kernel = program.kernel(row.name).expect("the kernel");
        let begun = Instant::now();
        kernel.compile().unwrap_or_else(|error| panic!("{}", error.render(program.sources())));
        let compiled = begun.elapsed();
        let mut best = f64::MAX;
        for _ in 0..row.repeats {
            let begun = Instant::now();
            // SAFETY: the extents are those of the arrays, which outlive the launch.
            unsafe { kernel.launch(&launch) }
                .unwrap_or_else(|fault| panic!("{}", fault.render(program.sources())));
            best = best.min(begun.elapsed().as_secs_f64());
        }
        assert!((row.holds)(&a, &b, &c), "{}: a wrong result", row.name);
        let (compiled, best) = (compiled.as_secs_f64() * 1e3, best * 1e3);
        println!("{:10} n = {:9}: compiled in {compiled:.2} ms, runs in {best:.4} ms", row.name, row.n);
    }
}
