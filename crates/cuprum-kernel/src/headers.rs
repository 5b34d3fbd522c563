//! The headers that kernels may include, written in CUDA C: what the language has beside scalars and builtins.
//!
//! They are compiled by our own front end, and NVRTC and g++ accept them too, so that a kernel means the same on every
//! device. One text a header; some serve under several names. [`prelude`] comes before every kernel.

use std::borrow::Cow;

use crate::preprocess;

/// The headers that come before every kernel: always the vector types, the rest where the text speaks of it.
///
/// ```
/// let parts = cuprum_kernel::headers::prelude("c[i] = __vadd4(a[i], b[i]);");
/// assert_eq!(parts, ["cuprum/prelude.h", "cuprum/simd.h"]);
/// ```
pub fn prelude(text: &str) -> Vec<&'static str> {
    let mut parts = vec!["cuprum/prelude.h"];
    for (name, triggers) in PARTS {
        if triggers.iter().any(|trigger| text.contains(trigger)) {
            parts.push(name);
        }
    }
    parts
}

/// Our headers, as the preprocessor asks for them.
pub struct Own;

impl preprocess::Headers for Own {
    fn text(&self, name: &str, _quoted: bool) -> Option<Cow<'_, str>> {
        text(name).map(Cow::Borrowed)
    }

    fn names(&self) -> Vec<String> {
        names().map(str::to_owned).collect()
    }
}

/// Parts of the prelude that few kernels need, and what they are known by.
const PARTS: &[(&str, &[&str])] = &[
    (
        "cuprum/constants.h",
        &[
            "INFINITY", "NAN", "HUGE_VAL", "M_", "FLT_", "DBL_", "INT_", "LONG_", "CHAR_", "SHRT_", "_MAX",
            "_MIN",
        ],
    ),
    ("cuprum/simd.h", &["__v"]),
    ("cuprum/rounding.h", &["_rz", "_ru", "_rd"]),
    (
        "cuprum/texture.h",
        &["cudaTexture", "cudaSurface", "surface<", "tex1D", "tex2D", "tex3D", "surf1D", "surf2D", "surf3D"],
    ),
    ("cuprum/tensor_ptx.h", &["cp.async", "ldmatrix", "mma.sync"]),
    (
        "cuprum/device_runtime.h",
        &["<<<", "cudaStream", "cudaError", "cudaGetLastError", "cudaPeekAtLastError", "cudaSuccess"],
    ),
    (
        "stdint.h",
        &[
            "int8_t", "int16_t", "int32_t", "int64_t", "intptr_t", "intmax_t", "INT8_", "INT16_", "INT32_",
            "INT64_", "INTPTR_", "SIZE_MAX",
        ],
    ),
];

/// Names under which headers are included, and their texts.
const HEADERS: &[(&str, &str)] = &[
    ("cuprum/prelude.h", include_str!("headers/prelude.h")),
    ("cuprum/constants.h", CONSTANTS),
    ("cuprum/device_runtime.h", include_str!("headers/device_runtime.h")),
    ("cuprum/tensor_ptx.h", include_str!("headers/tensor_ptx.h")),
    ("cuprum/texture.h", include_str!("headers/texture.h")),
    ("cuprum/short_names.h", include_str!("headers/short_names.h")),
    ("cuprum/tuple_body.h", include_str!("headers/tuple_body.h")),
    ("cuprum/algorithms.h", include_str!("headers/algorithms.h")),
    ("cuprum/sorting_body.h", include_str!("headers/sorting_body.h")),
    ("cuprum/thrust_algorithms.h", THRUST_ALGORITHMS),
    ("cuprum/simd.h", include_str!("headers/simd.h")),
    ("cuprum/rounding.h", include_str!("headers/rounding.h")),
    ("cupy/complex.cuh", COMPLEX),
    ("cupy/complex/complex.h", COMPLEX),
    ("thrust/complex.h", include_str!("headers/thrust/complex.h")),
    ("cupy/carray.cuh", include_str!("headers/cupy/carray.cuh")),
    ("cupy/float16.cuh", include_str!("headers/cupy/float16.cuh")),
    ("cupy/atomics.cuh", include_str!("headers/cupy/atomics.cuh")),
    ("cupy/swap.cuh", THRUST_EXTREMA),
    ("cupy/tuple.cuh", THRUST_PAIR),
    ("cupy/pair.cuh", THRUST_PAIR),
    ("cupy/cuda_workaround.h", TYPE_TRAITS),
    ("cuprum/complex_body.h", include_str!("headers/complex_body.h")),
    ("pycuda-complex.hpp", include_str!("headers/pycuda-complex.hpp")),
    ("pycuda-helpers.hpp", include_str!("headers/pycuda-helpers.hpp")),
    ("cuComplex.h", include_str!("headers/cuComplex.h")),
    ("mma.h", include_str!("headers/mma.h")),
    ("math_constants.h", MATH_CONSTANTS),
    ("cupy/math_constants.h", MATH_CONSTANTS),
    ("math.h", CONSTANTS),
    ("cmath", CMATH),
    ("cuda/std/cmath", CMATH),
    ("float.h", CONSTANTS),
    ("cfloat", CONSTANTS),
    ("cuda/std/cfloat", CONSTANTS),
    ("limits.h", CONSTANTS),
    ("climits", CONSTANTS),
    ("cuda/std/climits", CONSTANTS),
    ("stdint.h", STDINT),
    ("cstdint", STDINT),
    ("inttypes.h", STDINT),
    ("cuda/std/cstdint", STDINT),
    ("string.h", STRING),
    ("cstring", STRING),
    ("type_traits", TYPE_TRAITS),
    ("cuda/std/type_traits", TYPE_TRAITS),
    ("limits", LIMITS),
    ("cuda/std/limits", LIMITS),
    ("utility", UTILITY),
    ("array", UTILITY),
    ("cuda/std/utility", UTILITY),
    ("cuda/std/array", UTILITY),
    ("algorithm", ALGORITHM),
    ("numeric", ALGORITHM),
    ("functional", FUNCTIONAL),
    ("cuda/functional", FUNCTIONAL),
    ("cuda/std/functional", FUNCTIONAL),
    ("tuple", TUPLE),
    ("cuda/std/tuple", TUPLE),
    ("complex", STD_COMPLEX),
    ("cuda/std/complex", STD_COMPLEX),
    ("optional", OPTIONAL),
    ("cuda/std/optional", OPTIONAL),
    ("span", SPAN),
    ("cuda/std/span", SPAN),
    ("bit", BIT),
    ("cuda/std/bit", BIT),
    ("atomic", ATOMIC),
    ("cuda/std/atomic", ATOMIC),
    ("mdspan", MDSPAN),
    ("cuda/std/mdspan", MDSPAN),
    ("cuda/atomic", ATOMIC),
    ("cuda/barrier", BARRIER),
    ("cuda/std/barrier", BARRIER),
    ("cuda/pipeline", BARRIER),
    ("cuda_pipeline.h", PIPELINE_PRIMITIVES),
    ("cuda_pipeline_primitives.h", PIPELINE_PRIMITIVES),
    ("cuprum/dynamic_extent.h", include_str!("headers/cuda/dynamic_extent.h")),
    ("iterator", include_str!("headers/iterator.h")),
    ("nvfunctional", include_str!("headers/nvfunctional.h")),
    ("cuda_fp16.h", include_str!("headers/cuda_fp16.h")),
    ("cuda_bf16.h", include_str!("headers/cuda_bf16.h")),
    ("cuprum/sixteen_bits.h", include_str!("headers/sixteen_bits.h")),
    ("cuprum/sixteen_body.h", include_str!("headers/sixteen_body.h")),
    ("curand_kernel.h", include_str!("headers/curand_kernel.h")),
    ("cuprum/curand_states.h", include_str!("headers/curand_states.h")),
    ("cuprum/curand_distributions.h", include_str!("headers/curand_distributions.h")),
    ("cooperative_groups.h", COOPERATIVE_GROUPS),
    ("cooperative_groups/memcpy_async.h", COOPERATIVE_GROUPS),
    ("cooperative_groups/reduce.h", COOPERATIVE_REDUCE),
    ("cooperative_groups/scan.h", COOPERATIVE_REDUCE),
    ("cub/cub.cuh", include_str!("headers/cub/cub.cuh")),
    ("cub/util_type.cuh", CUB_UTIL),
    ("cub/util_ptx.cuh", CUB_UTIL),
    ("cub/util_macro.cuh", CUB_UTIL),
    ("cub/thread/thread_operators.cuh", CUB_UTIL),
    ("cub/thread/thread_reduce.cuh", CUB_UTIL),
    ("cub/config.cuh", CUB_UTIL),
    ("cub/warp/warp_reduce.cuh", CUB_WARP),
    ("cub/warp/warp_scan.cuh", CUB_WARP),
    ("cub/block/block_reduce.cuh", CUB_BLOCK_REDUCE),
    ("cub/block/block_scan.cuh", CUB_BLOCK_REDUCE),
    ("cub/block/block_load.cuh", CUB_BLOCK_LOAD),
    ("cub/block/block_store.cuh", CUB_BLOCK_LOAD),
    ("cub/block/block_exchange.cuh", CUB_BLOCK_LOAD),
    ("cub/block/block_radix_sort.cuh", CUB_BLOCK_SORT),
    ("cub/block/block_merge_sort.cuh", CUB_BLOCK_SORT),
    ("cub/block/block_discontinuity.cuh", CUB_BLOCK_NEIGHBOURS),
    ("cub/block/block_adjacent_difference.cuh", CUB_BLOCK_NEIGHBOURS),
    ("cub/block/block_shuffle.cuh", CUB_BLOCK_NEIGHBOURS),
    ("cub/block/block_histogram.cuh", CUB_BLOCK_NEIGHBOURS),
    ("thrust/adjacent_difference.h", THRUST_ALGORITHMS),
    ("thrust/binary_search.h", THRUST_ALGORITHMS),
    ("thrust/copy.h", THRUST_ALGORITHMS),
    ("thrust/count.h", THRUST_ALGORITHMS),
    ("thrust/equal.h", THRUST_ALGORITHMS),
    ("thrust/extrema.h", THRUST_EXTREMA),
    ("thrust/fill.h", THRUST_ALGORITHMS),
    ("thrust/find.h", THRUST_ALGORITHMS),
    ("thrust/for_each.h", THRUST_ALGORITHMS),
    ("thrust/gather.h", THRUST_ALGORITHMS),
    ("thrust/generate.h", THRUST_ALGORITHMS),
    ("thrust/inner_product.h", THRUST_ALGORITHMS),
    ("thrust/logical.h", THRUST_ALGORITHMS),
    ("thrust/merge.h", THRUST_ALGORITHMS),
    ("thrust/mismatch.h", THRUST_ALGORITHMS),
    ("thrust/reduce.h", THRUST_ALGORITHMS),
    ("thrust/remove.h", THRUST_ALGORITHMS),
    ("thrust/replace.h", THRUST_ALGORITHMS),
    ("thrust/reverse.h", THRUST_ALGORITHMS),
    ("thrust/scan.h", THRUST_ALGORITHMS),
    ("thrust/scatter.h", THRUST_ALGORITHMS),
    ("thrust/sequence.h", THRUST_ALGORITHMS),
    ("thrust/set_operations.h", THRUST_ALGORITHMS),
    ("thrust/sort.h", THRUST_ALGORITHMS),
    ("thrust/swap.h", THRUST_EXTREMA),
    ("thrust/tabulate.h", THRUST_ALGORITHMS),
    ("thrust/transform.h", THRUST_ALGORITHMS),
    ("thrust/transform_reduce.h", THRUST_ALGORITHMS),
    ("thrust/unique.h", THRUST_ALGORITHMS),
    ("thrust/pair.h", THRUST_PAIR),
    ("thrust/tuple.h", THRUST_PAIR),
    ("thrust/functional.h", include_str!("headers/thrust/functional.h")),
    ("thrust/execution_policy.h", include_str!("headers/thrust/execution_policy.h")),
    ("thrust/iterator/counting_iterator.h", THRUST_ITERATORS),
    ("thrust/iterator/constant_iterator.h", THRUST_ITERATORS),
    ("thrust/iterator/transform_iterator.h", THRUST_ITERATORS),
    ("thrust/iterator/permutation_iterator.h", THRUST_ITERATORS),
    ("thrust/iterator/iterator_traits.h", THRUST_ITERATORS),
    ("thrust/device_ptr.h", THRUST_ITERATORS),
    ("thrust/distance.h", THRUST_ITERATORS),
    ("thrust/advance.h", THRUST_ITERATORS),
    // What these declare is there without them.
    ("cuda.h", EMPTY),
    ("cuda_runtime.h", EMPTY),
    ("cuda_runtime_api.h", EMPTY),
    ("device_launch_parameters.h", EMPTY),
    ("cupy/hip_workaround.cuh", EMPTY),
    ("device_functions.h", EMPTY),
    ("device_atomic_functions.h", EMPTY),
    ("sm_20_atomic_functions.h", EMPTY),
    ("math_functions.h", EMPTY),
    ("vector_types.h", EMPTY),
    ("texture_types.h", EMPTY),
    ("texture_fetch_functions.h", EMPTY),
    ("texture_indirect_functions.h", EMPTY),
    ("surface_functions.h", EMPTY),
    ("surface_indirect_functions.h", EMPTY),
    ("driver_types.h", EMPTY),
    ("vector_functions.h", EMPTY),
    ("builtin_types.h", EMPTY),
    ("stdio.h", EMPTY),
    ("cstdio", EMPTY),
    ("assert.h", EMPTY),
    ("cassert", EMPTY),
    ("stddef.h", STDDEF),
    ("cstddef", STDDEF),
    ("cuda/std/cstddef", STDDEF),
    ("stdlib.h", EMPTY),
    ("cstdlib", EMPTY),
    ("stdbool.h", EMPTY),
    ("time.h", EMPTY),
];

const COMPLEX: &str = include_str!("headers/complex.cuh");
const MATH_CONSTANTS: &str = include_str!("headers/math_constants.h");
const CONSTANTS: &str = include_str!("headers/constants.h");
const STDINT: &str = include_str!("headers/stdint.h");
const STRING: &str = include_str!("headers/string.h");
const TYPE_TRAITS: &str = include_str!("headers/type_traits.h");
const LIMITS: &str = include_str!("headers/limits.h");
const UTILITY: &str = include_str!("headers/utility.h");
const COOPERATIVE_GROUPS: &str = include_str!("headers/cooperative_groups.h");
const COOPERATIVE_REDUCE: &str = include_str!("headers/cooperative_groups_reduce.h");
const CUB_UTIL: &str = include_str!("headers/cub/util.cuh");
const CUB_WARP: &str = include_str!("headers/cub/warp.cuh");
const CUB_BLOCK_REDUCE: &str = include_str!("headers/cub/block_reduce.cuh");
const CUB_BLOCK_LOAD: &str = include_str!("headers/cub/block_load.cuh");
const CUB_BLOCK_SORT: &str = include_str!("headers/cub/block_sort.cuh");
const CUB_BLOCK_NEIGHBOURS: &str = include_str!("headers/cub/block_neighbours.cuh");
const THRUST_ALGORITHMS: &str = include_str!("headers/thrust/algorithms.h");
const THRUST_EXTREMA: &str = include_str!("headers/thrust/extrema.h");
const THRUST_PAIR: &str = include_str!("headers/thrust/pair.h");
const THRUST_ITERATORS: &str = include_str!("headers/thrust/iterators.h");
const ALGORITHM: &str = include_str!("headers/algorithm.h");
const FUNCTIONAL: &str = include_str!("headers/functional.h");
const TUPLE: &str = include_str!("headers/tuple.h");
const CMATH: &str = include_str!("headers/cmath.h");
const STD_COMPLEX: &str = include_str!("headers/cuda/complex.h");
const OPTIONAL: &str = include_str!("headers/cuda/optional.h");
const SPAN: &str = include_str!("headers/cuda/span.h");
const BIT: &str = include_str!("headers/cuda/bit.h");
const ATOMIC: &str = include_str!("headers/cuda/atomic.h");
const BARRIER: &str = include_str!("headers/cuda/barrier.h");
const PIPELINE_PRIMITIVES: &str = include_str!("headers/cuda/pipeline_primitives.h");
const MDSPAN: &str = include_str!("headers/cuda/mdspan.h");
const STDDEF: &str = include_str!("headers/stddef.h");
const EMPTY: &str = "";

/// The text of a header, by the name that `#include` gives.
pub fn text(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The names of all headers.
pub fn names() -> impl Iterator<Item = &'static str> {
    HEADERS.iter().map(|(name, _)| *name)
}

/// What to do instead of including a header that is not supported on the CPU.
pub fn instead_of(name: &str) -> &'static str {
    match name.split('/').next().unwrap_or(name) {
        "cub" => {
            "of CUB there are the algorithms of blocks and warps; those of whole devices are launched by the host: call \
             the array functions from Python (sum, sort, cumsum)"
        }
        "thrust" => {
            "of Thrust there is what a thread of a kernel can do by itself; vectors belong to the host: pass arrays from \
             Python"
        }
        "cuda" => {
            "of libcu++ only atomic, barrier, pipeline and, of cuda/std, type_traits, limits, utility, functional, tuple, array, span, mdspan, \
             optional, bit, atomic, complex, cmath, cfloat, climits, cstdint and cstddef are supported on the CPU"
        }
        "cooperative_groups" => {
            "of cooperative_groups only reduce.h, scan.h and memcpy_async.h are supported on the CPU"
        }
        "iostream" | "ostream" | "sstream" => "streams do not exist in kernels: use printf from stdio.h",
        "vector" | "string" | "map" | "set" | "list" | "memory" => {
            "containers that allocate do not exist in kernels: use arrays of fixed size, or pass memory from Python"
        }
        "cudnn.h" | "cublas_v2.h" | "cufft.h" | "cusolverDn.h" | "curand.h" => {
            "the host's libraries cannot be called in a kernel"
        }
        _ => "pass its text in the source, or give its folder with the option -I",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_in_one_row() {
        let mut seen = std::collections::HashSet::new();
        assert!(names().all(|name| seen.insert(name)));
    }

    #[test]
    fn headers_can_be_read() {
        for name in names().filter(|name| !name.ends_with("_body.h")) {
            let mut sources = crate::SourceMap::default();
            let options =
                preprocess::Options { headers: &Own, preludes: &["cuprum/prelude.h"], ..Default::default() };
            let text = format!("#include <{name}>\n#include <{name}>\n");
            let (_, diagnostics) = crate::parse::parse(&mut sources, "kernel.cu", &text, &options);
            let texts: Vec<String> = diagnostics.iter().map(|d| d.render(&sources)).collect();
            assert!(texts.is_empty(), "{name}:\n{}", texts.join("\n"));
        }
    }

    #[test]
    fn headers_include_what_is_there() {
        for name in names() {
            let text = text(name).unwrap();
            for line in text.lines().filter_map(|line| line.strip_prefix("#include <")) {
                let included = line.trim_end_matches('>');
                assert!(super::text(included).is_some(), "{name} includes {included}");
            }
        }
    }
}
