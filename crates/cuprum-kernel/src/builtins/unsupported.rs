//! Names that are not declared, and what to do about them: the header that has them, or what to use instead of what
//! CUDA has and a CPU has not.

/// What to say of a name that is not declared.
pub fn instead_of(name: &str) -> Option<&'static str> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    match name {
        "int8_t" | "int16_t" | "int32_t" | "int64_t" | "uint8_t" | "uint16_t" | "uint32_t" | "uint64_t"
        | "intptr_t" | "uintptr_t" => Some("write #include <stdint.h>"),
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
        "malloc" | "free" | "operator new" | "operator delete" | "alloca" => Some(
            "memory cannot be allocated in a kernel on the CPU: pass an array, or use a local array of fixed size",
        ),
        "__isGlobal" | "__isShared" | "__isConstant" | "__isLocal" | "__isGridConstant" => {
            Some("the address space of a pointer cannot be asked for on the CPU")
        }
        "__cvta_generic_to_shared" | "__cvta_generic_to_global" | "__cvta_shared_to_generic" => {
            Some("addresses are flat on the CPU: use the pointer itself")
        }
        "__prof_trigger" | "__pm0" => Some("profiler counters do not exist on the CPU: leave the call out"),
        "vprintf" | "fprintf" | "puts" | "sprintf" | "snprintf" => Some("use printf"),
        "cudaDeviceSynchronize" | "cudaMalloc" | "cudaMemcpy" | "cudaFree" | "cudaMemset" => {
            Some("the host's functions cannot be called in a kernel: call them from Python")
        }
        _ if starts(&[
            "tex1D",
            "tex2D",
            "tex3D",
            "texCube",
            "surf1D",
            "surf2D",
            "surf3D",
            "texture",
            "cudaTexture",
        ]) =>
        {
            Some("textures and surfaces are not supported on the CPU: read the array by its index")
        }
        _ if starts(&["wmma", "__mma", "mma_sync"]) => {
            Some("tensor core instructions are not supported on the CPU: write the product as loops")
        }
        _ if starts(&["__pipeline_", "__cp_async"]) => {
            Some("asynchronous copies are not supported on the CPU: copy with a loop and __syncthreads()")
        }
        _ if starts(&["cub", "thrust"]) => Some(
            "CUB and Thrust are not supported in kernels on the CPU: use the array functions, or write the loop",
        ),
        _ => None,
    }
}
