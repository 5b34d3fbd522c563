//! Names of C's and C++'s libraries, and the header of ours that declares each. Messages about unknown names speak of
//! them, and a text for a GPU that NVRTC refuses for lack of one gets its header.

/// Headers, and names that they declare: those of the global namespace.
const GLOBAL: &[(&str, &[&str])] = &[
    ("cuprum/short_names.h", &["uint", "ushort", "ulong", "uchar", "u_int", "u_short", "u_long", "u_char"]),
    (
        "stdint.h",
        &[
            "int8_t",
            "int16_t",
            "int32_t",
            "int64_t",
            "uint8_t",
            "uint16_t",
            "uint32_t",
            "uint64_t",
            "intptr_t",
            "uintptr_t",
            "intmax_t",
            "uintmax_t",
            "int_least8_t",
            "int_least16_t",
            "int_least32_t",
            "int_least64_t",
            "uint_least8_t",
            "uint_least16_t",
            "uint_least32_t",
            "uint_least64_t",
            "int_fast8_t",
            "int_fast16_t",
            "int_fast32_t",
            "int_fast64_t",
            "uint_fast8_t",
            "uint_fast16_t",
            "uint_fast32_t",
            "uint_fast64_t",
            "INT8_MIN",
            "INT8_MAX",
            "UINT8_MAX",
            "INT16_MIN",
            "INT16_MAX",
            "UINT16_MAX",
            "INT32_MIN",
            "INT32_MAX",
            "UINT32_MAX",
            "INT64_MIN",
            "INT64_MAX",
            "UINT64_MAX",
            "INTPTR_MIN",
            "INTPTR_MAX",
            "UINTPTR_MAX",
            "SIZE_MAX",
            "INT8_C",
            "INT16_C",
            "INT32_C",
            "INT64_C",
            "UINT8_C",
            "UINT16_C",
            "UINT32_C",
            "UINT64_C",
        ],
    ),
    (
        "cuprum/constants.h",
        &[
            "INFINITY",
            "NAN",
            "HUGE_VAL",
            "HUGE_VALF",
            "M_E",
            "M_LOG2E",
            "M_LOG10E",
            "M_LN2",
            "M_LN10",
            "M_PI",
            "M_PI_2",
            "M_PI_4",
            "M_1_PI",
            "M_2_PI",
            "M_2_SQRTPI",
            "M_SQRT2",
            "M_SQRT1_2",
            "FLT_RADIX",
            "FLT_MANT_DIG",
            "FLT_DIG",
            "FLT_MIN_EXP",
            "FLT_MAX_EXP",
            "FLT_MIN_10_EXP",
            "FLT_MAX_10_EXP",
            "FLT_EPSILON",
            "FLT_MIN",
            "FLT_MAX",
            "FLT_TRUE_MIN",
            "DBL_MANT_DIG",
            "DBL_DIG",
            "DBL_MIN_EXP",
            "DBL_MAX_EXP",
            "DBL_MIN_10_EXP",
            "DBL_MAX_10_EXP",
            "DBL_EPSILON",
            "DBL_MIN",
            "DBL_MAX",
            "DBL_TRUE_MIN",
            "CHAR_BIT",
            "SCHAR_MIN",
            "SCHAR_MAX",
            "UCHAR_MAX",
            "CHAR_MIN",
            "CHAR_MAX",
            "SHRT_MIN",
            "SHRT_MAX",
            "USHRT_MAX",
            "INT_MIN",
            "INT_MAX",
            "UINT_MAX",
            "LONG_MIN",
            "LONG_MAX",
            "ULONG_MAX",
            "LLONG_MIN",
            "LLONG_MAX",
            "ULLONG_MAX",
            "RAND_MAX",
        ],
    ),
    ("stddef.h", &["offsetof", "nullptr_t"]),
];

/// The same for names of `std`.
const STANDARD: &[(&str, &[&str])] = &[
    (
        "type_traits",
        &[
            "integral_constant",
            "true_type",
            "false_type",
            "bool_constant",
            "is_same",
            "is_same_v",
            "conditional",
            "conditional_t",
            "enable_if",
            "enable_if_t",
            "remove_const",
            "remove_volatile",
            "remove_cv",
            "remove_reference",
            "remove_pointer",
            "add_const",
            "add_pointer",
            "remove_cv_t",
            "remove_const_t",
            "remove_reference_t",
            "remove_pointer_t",
            "remove_cvref",
            "remove_cvref_t",
            "decay",
            "decay_t",
            "make_signed",
            "make_unsigned",
            "make_signed_t",
            "make_unsigned_t",
            "is_integral",
            "is_floating_point",
            "is_arithmetic",
            "is_signed",
            "is_unsigned",
            "is_void",
            "is_const",
            "is_volatile",
            "is_pointer",
            "is_reference",
            "is_integral_v",
            "is_floating_point_v",
            "is_arithmetic_v",
            "is_signed_v",
            "is_unsigned_v",
            "is_pointer_v",
        ],
    ),
    ("limits", &["numeric_limits"]),
    (
        "utility",
        &["pair", "make_pair", "swap", "move", "forward", "exchange", "integer_sequence", "index_sequence"],
    ),
    (
        "algorithm",
        &[
            "min",
            "max",
            "clamp",
            "fill",
            "fill_n",
            "copy",
            "sort",
            "lower_bound",
            "upper_bound",
            "reverse",
            "find",
            "count",
            "min_element",
            "max_element",
        ],
    ),
    ("numeric", &["accumulate", "iota", "inner_product"]),
    (
        "functional",
        &[
            "plus",
            "minus",
            "multiplies",
            "divides",
            "modulus",
            "negate",
            "less",
            "greater",
            "less_equal",
            "greater_equal",
            "equal_to",
            "not_equal_to",
            "bit_and",
            "bit_or",
            "bit_xor",
            "logical_and",
            "logical_or",
        ],
    ),
    ("array", &["array"]),
    ("tuple", &["tuple", "make_tuple", "tie", "get", "tuple_size", "tuple_element", "tuple_element_t"]),
    (
        "cstdint",
        &[
            "int8_t",
            "int16_t",
            "int32_t",
            "int64_t",
            "uint8_t",
            "uint16_t",
            "uint32_t",
            "uint64_t",
            "intptr_t",
            "uintptr_t",
        ],
    ),
    (
        "cmath",
        &[
            "abs",
            "fabs",
            "sqrt",
            "cbrt",
            "exp",
            "exp2",
            "expm1",
            "log",
            "log2",
            "log10",
            "log1p",
            "pow",
            "sin",
            "cos",
            "tan",
            "asin",
            "acos",
            "atan",
            "atan2",
            "sinh",
            "cosh",
            "tanh",
            "asinh",
            "acosh",
            "atanh",
            "erf",
            "erfc",
            "tgamma",
            "lgamma",
            "ceil",
            "floor",
            "trunc",
            "round",
            "rint",
            "nearbyint",
            "lround",
            "llround",
            "lrint",
            "llrint",
            "fmod",
            "remainder",
            "fmin",
            "fmax",
            "fdim",
            "fma",
            "hypot",
            "copysign",
            "nextafter",
            "ldexp",
            "frexp",
            "modf",
            "scalbn",
            "ilogb",
            "logb",
            "isnan",
            "isinf",
            "isfinite",
            "signbit",
        ],
    ),
    ("cstddef", &["size_t", "ptrdiff_t", "nullptr_t", "byte"]),
];

fn find(table: &[(&'static str, &[&str])], name: &str) -> Option<&'static str> {
    table.iter().find(|(_, names)| names.contains(&name)).map(|(header, _)| *header)
}

/// The header that declares a name of the global namespace.
///
/// ```
/// assert_eq!(cuprum_kernel::builtins::header_of("uint32_t"), Some("stdint.h"));
/// assert_eq!(cuprum_kernel::builtins::header_of("x"), None);
/// ```
pub fn header_of(name: &str) -> Option<&'static str> {
    find(GLOBAL, name)
}

/// The header that declares a name of the namespace `std`.
///
/// ```
/// assert_eq!(cuprum_kernel::builtins::standard_header_of("numeric_limits"), Some("limits"));
/// ```
pub fn standard_header_of(name: &str) -> Option<&'static str> {
    find(STANDARD, name)
}

/// What to say of a name of a namespace of a library that is not declared: the header that has it, or what to use.
pub fn library_hint(namespace: &str, name: &str) -> Option<String> {
    let text = match (namespace, name) {
        ("thrust", "complex" | "conj" | "polar" | "norm" | "arg") => "write #include <thrust/complex.h>",
        ("thrust", "tuple" | "make_tuple" | "tie" | "get") => "write #include <thrust/tuple.h>",
        ("thrust", "pair" | "make_pair") => "write #include <thrust/pair.h>",
        ("thrust", "plus" | "minus" | "multiplies" | "less" | "greater" | "maximum" | "minimum") => {
            "write #include <thrust/functional.h>"
        }
        ("thrust", "seq" | "device") => "write #include <thrust/execution_policy.h>",
        ("thrust", "device_vector" | "host_vector") => {
            "vectors belong to the host: pass an array from Python to the kernel"
        }
        ("thrust", _) => {
            let plain =
                name.trim_start_matches("stable_").trim_end_matches("_by_key").trim_end_matches("_if");
            let header = match plain {
                "inclusive_scan" | "exclusive_scan" => "scan",
                "lower_bound" | "upper_bound" | "equal_range" => "binary_search",
                "min_element" | "max_element" | "minmax_element" | "min" | "max" => "extrema",
                "all_of" | "any_of" | "none_of" => "logical",
                "make_counting_iterator" => "iterator/counting_iterator",
                "make_transform_iterator" => "iterator/transform_iterator",
                plain => plain,
            };
            crate::headers::text(&format!("thrust/{header}.h"))?;
            return Some(format!("write #include <thrust/{header}.h>"));
        }
        ("cub", "BlockReduce" | "BlockScan" | "BlockLoad" | "BlockStore" | "BlockExchange") => {
            "write #include <cub/cub.cuh>"
        }
        ("cub", "BlockRadixSort" | "BlockMergeSort" | "BlockDiscontinuity" | "BlockHistogram") => {
            "write #include <cub/cub.cuh>"
        }
        ("cub", "WarpReduce" | "WarpScan") => "write #include <cub/cub.cuh>",
        ("cub", _) if name.starts_with("Device") => {
            "CUB's device-wide algorithms are launched by the host: call the array functions from Python (sum, sort, \
             cumsum)"
        }
        ("nvstd", _) => "write #include <nvfunctional>",
        (
            "std",
            "vector" | "string" | "map" | "unordered_map" | "set" | "unordered_set" | "list" | "deque"
            | "queue" | "stack" | "unique_ptr" | "shared_ptr" | "make_unique" | "make_shared",
        ) => {
            "containers and pointers that allocate do not exist in kernels: use an array of fixed size (std::array of \
             <array>), or pass memory from Python"
        }
        ("std", "function" | "bind") => {
            "use a lambda, a template parameter, or nvstd::function of <nvfunctional>"
        }
        ("std", "complex" | "conj" | "real" | "imag" | "polar" | "norm" | "arg") => {
            "write #include <cuda/std/complex>, or use complex of <cupy/complex.cuh>"
        }
        ("std", "atomic" | "atomic_ref" | "mutex" | "lock_guard" | "thread") => {
            "use CUDA's atomics (atomicAdd, atomicCAS, ...) and __syncthreads()"
        }
        ("std", "cout" | "cerr" | "clog" | "endl" | "ostream" | "stringstream" | "to_string") => {
            "streams do not exist in kernels: use printf"
        }
        ("std", "exception" | "runtime_error" | "invalid_argument" | "logic_error") => {
            "exceptions do not exist in kernels: use assert, or write a status to an array"
        }
        (
            "std",
            "mt19937"
            | "minstd_rand"
            | "random_device"
            | "uniform_real_distribution"
            | "normal_distribution"
            | "uniform_int_distribution",
        ) => "use the generators of <curand_kernel.h>",
        ("std", "chrono") => "use clock64()",
        ("std", "stable_sort" | "transform" | "reduce" | "inclusive_scan" | "exclusive_scan" | "unique") => {
            return Some(format!(
                "use thrust::{name}(thrust::seq, ...) of the header of that name, or write the loop"
            ));
        }
        ("std", _) => return standard_header_of(name).map(|header| format!("write #include <{header}>")),
        _ => return None,
    };
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_declare_the_names_that_they_are_given_for() {
        let words = |text: &str, name: &str| {
            text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
        };
        for (header, names) in GLOBAL.iter().chain(STANDARD) {
            let text = crate::headers::text(header).unwrap_or_else(|| panic!("there is no header {header}"));
            let mut with_included = String::new();
            let mut seen = std::collections::HashSet::new();
            let mut open = vec![text];
            while let Some(text) = open.pop() {
                with_included.push_str(text);
                let included = text.lines().filter_map(|line| line.strip_prefix("#include <"));
                let new = included.filter(|name| seen.insert(*name));
                open.extend(new.filter_map(|name| crate::headers::text(name.trim_end_matches('>'))));
            }
            for name in *names {
                assert!(words(&with_included, name), "{header} has no {name}");
            }
        }
    }
}
