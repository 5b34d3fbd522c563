//! Names of CUDA that kernels on the CPU do not have, and what to use instead: for the message about a name that is
//! not declared.

/// What to say of a name that CUDA has and this language has not.
pub fn instead_of(name: &str) -> Option<&'static str> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    match name {
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
