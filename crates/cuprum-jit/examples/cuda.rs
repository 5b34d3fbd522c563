//! Compiles kernels of CUDA C and times them, all or one: `cargo run --release -p cuprum-jit --example cuda [name]`.

use std::time::Instant;

use cuprum_jit::{Extent, Launch, Memory, Program};
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

struct Nothing;

impl Memory for Nothing {
    fn find(&self, _: usize) -> Option<Extent> {
        None
    }
}

fn main() {
    let begun = Instant::now();
    let compiled = match cuda::compile(TEXT, &cuda::Options::default()) {
        Ok(compiled) => compiled,
        Err(errors) => {
            for diagnostic in &errors.diagnostics {
                eprintln!("{}", diagnostic.render(&errors.sources));
            }
            std::process::exit(1);
        }
    };
    println!("front end: {:.2} ms", begun.elapsed().as_secs_f64() * 1e3);
    let program = Program::new(compiled.module).expect("well formed");
    let mut a = vec![1f32; 10_000_000];
    let mut b = vec![2f32; 10_000_000];
    let mut c = vec![0f32; 10_000_000];
    for (i, a) in a.iter_mut().enumerate() {
        *a = (i % 13) as f32;
    }
    let rows: [(&str, [u32; 3], [u32; 3], i32); 5] = [
        ("add", [39063, 1, 1], [256, 1, 1], 10_000_000),
        ("matmul", [32, 32, 1], [16, 16, 1], 512),
        ("mandelbrot", [63, 63, 1], [16, 16, 1], 1000),
        ("reduce", [64, 1, 1], [256, 1, 1], 10_000_000),
        ("histogram", [64, 1, 1], [256, 1, 1], 10_000_000),
    ];
    let only = std::env::args().nth(1);
    for (name, grid, block, n) in rows {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let extents: Vec<Option<Extent>> = [&mut a, &mut b, &mut c]
            .into_iter()
            .map(|a| Some(Extent { start: a.as_mut_ptr() as usize, bytes: 4 * a.len(), writable: true }))
            .collect();
        let mut params = Vec::new();
        for extent in extents.iter().flatten() {
            params.extend((extent.start as u64).to_ne_bytes());
        }
        params.extend(n.to_ne_bytes());
        let launch = Launch {
            grid,
            block,
            dynamic_shared: 0,
            params: &params,
            extents: &extents,
            memory: &Nothing,
            cooperative: false,
            deterministic: None,
            timeout: None,
            check: None,
            alone: None,
            print: &|text| print!("{text}"),
        };
        let kernel = program.kernel(name).expect("the kernel");
        let begun = Instant::now();
        if let Err(error) = kernel.compile() {
            eprintln!("{}", error.render(program.sources()));
            continue;
        }
        let compiled = begun.elapsed();
        let mut best = f64::MAX;
        for _ in 0..10 {
            let begun = Instant::now();
            if let Err(fault) = kernel.launch(&launch) {
                eprintln!("{}", fault.render(program.sources()));
                break;
            }
            best = best.min(begun.elapsed().as_secs_f64());
        }
        let (compiled, best) = (compiled.as_secs_f64() * 1e3, best * 1e3);
        println!("{name:10} compiled in {compiled:.2} ms, runs in {best:.3} ms; c[77] = {}", c[77]);
    }
}
