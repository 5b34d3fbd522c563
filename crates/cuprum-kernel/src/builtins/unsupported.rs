//! Names that are not declared, and what to do: include the header that has them, or use another function where the CPU has
//! no counterpart of CUDA's.

/// What to say of a name that is not declared.
pub fn instead_of(name: &str) -> Option<&'static str> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    match name {
        "half" | "__half" | "half2" | "__half2" | "__float2half" | "__half2float" => {
            Some("write #include <cuda_fp16.h>")
        }
        "__nv_bfloat16" | "nv_bfloat16" | "__nv_bfloat162" | "__float2bfloat16" => {
            Some("write #include <cuda_bf16.h>")
        }
        "complex" => Some("write #include <cupy/complex.cuh>"),
        "cuComplex"
        | "cuFloatComplex"
        | "cuDoubleComplex"
        | "make_cuComplex"
        | "make_cuFloatComplex"
        | "make_cuDoubleComplex" => Some("write #include <cuComplex.h>"),
        "cooperative_groups" => Some("write #include <cooperative_groups.h>"),
        _ if starts(&["curand"]) => Some("write #include <curand_kernel.h>"),
        _ if starts(&["CUDART_"]) => Some("write #include <math_constants.h>"),
        "alloca" => Some("use malloc, or a local array of fixed size"),
        "__isGlobal" | "__isShared" | "__isConstant" | "__isLocal" | "__isGridConstant" => {
            Some("the address space of a pointer cannot be asked for on the CPU")
        }
        "__prof_trigger" | "__pm0" => Some("profiler counters do not exist on the CPU: leave the call out"),
        "vprintf" | "fprintf" | "puts" | "sprintf" | "snprintf" => Some("use printf"),
        "cudaDeviceSynchronize" => Some(
            "kernels do not wait for those that they launch, in CUDA 12 either: launch what comes after them into \
             cudaStreamTailLaunch, or from Python",
        ),
        "cudaMalloc" | "cudaMemcpy" | "cudaFree" | "cudaMemset" => {
            Some("the host's functions cannot be called in a kernel: call them from Python")
        }
        "texCubemap" | "texCubemapLod" | "texCubemapLayered" | "surfCubemapread" | "surfCubemapwrite" => {
            Some("cubemaps are not supported on the CPU: use a layered texture of six layers")
        }
        "tex2Dgather" | "tex1DGrad" | "tex2DGrad" | "tex3DGrad" => {
            Some("gathers and gradients of textures are not supported on the CPU: read single elements")
        }
        "wmma" | "nvcuda" | "mma_sync" => Some("write #include <mma.h>"),
        _ if starts(&["__mma"]) => {
            Some("tensor core instructions are not supported on the CPU: use nvcuda::wmma of <mma.h>")
        }
        _ if starts(&["__pipeline_", "__cp_async"]) => {
            Some("asynchronous copies are not supported on the CPU: copy with a loop and __syncthreads()")
        }
        "cub" => Some("write #include <cub/cub.cuh>"),
        "thrust" => Some("write the #include of what is used, such as <thrust/complex.h> or <thrust/sort.h>"),
        "nvstd" => Some("write #include <nvfunctional>"),
        _ => None,
    }
}
