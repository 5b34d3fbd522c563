"""The objects under which kernels find their functions, and the names that CuPy, Numba and `cp.jit` give
them.

A row of the tables in `_device_*.py` says what each does; here each has its name, once.
"""

from __future__ import annotations

from typing import Any

from ._intrinsics import Dimensions, Intrinsic, Namespace, Quantity

__all__ = ["BLOCK_GROUP", "GRID_GROUP", "NUMBA_NAMES", "RAWKERNEL_NAMES"]

_PLAIN: dict[str, tuple[str, str, str]] = {
    # name: what it does, a line of an example of four threads, what that leaves in `out`
    "grid": (
        "Return the thread's number in the whole grid: along x, or a tuple for 2 or 3 axes.",
        "out[i] = cp.jit.grid(1)",
        "[0, 1, 2, 3]",
    ),
    "gridsize": (
        "Return the number of threads of the whole grid: along x, or a tuple for 2 or 3 axes.",
        "out[i] = cp.jit.gridsize(1)",
        "[4, 4, 4, 4]",
    ),
    "syncthreads": (
        "Wait until all threads of the block are here.",
        "out[i] = i; cp.jit.syncthreads()",
        "[0, 1, 2, 3]",
    ),
    "syncwarp": (
        "Wait until the threads of the warp that are in the mask are here.",
        "out[i] = i; cp.jit.syncwarp(15)",
        "[0, 1, 2, 3]",
    ),
    "shfl_sync": (
        "Return the value of a lane of the warp.",
        "out[i] = cp.jit.shfl_sync(15, i, 2)",
        "[2, 2, 2, 2]",
    ),
    "shfl_up_sync": (
        "Return the value of the lane so many below.",
        "out[i] = cp.jit.shfl_up_sync(15, i, 1)",
        "[0, 0, 1, 2]",
    ),
    "shfl_down_sync": (
        "Return the value of the lane so many above.",
        "out[i] = cp.jit.shfl_down_sync(15, i, 1, width=4)",
        "[1, 2, 3, 3]",
    ),
    "shfl_xor_sync": (
        "Return the value of the lane whose number differs in these bits.",
        "out[i] = cp.jit.shfl_xor_sync(15, i, 1)",
        "[1, 0, 3, 2]",
    ),
}
_NUMBA: dict[str, tuple[str, str, str]] = {
    "syncthreads_count": (
        "Wait for the block; return how many threads have a true predicate.",
        "out[i] = cp.jit.syncthreads_count(i > 0)",
        "[3, 3, 3, 3]",
    ),
    "syncthreads_and": (
        "Wait for the block; return whether all threads have a true predicate.",
        "out[i] = cp.jit.syncthreads_and(i > 0) != 0",
        "[0, 0, 0, 0]",
    ),
    "syncthreads_or": (
        "Wait for the block; return whether any thread has a true predicate.",
        "out[i] = cp.jit.syncthreads_or(i > 0) != 0",
        "[1, 1, 1, 1]",
    ),
    "threadfence": (
        "Order the thread's writes for the whole device.",
        "out[i] = i; cp.jit.threadfence()",
        "[0, 1, 2, 3]",
    ),
    "threadfence_block": (
        "Order the thread's writes for the block.",
        "out[i] = i; cp.jit.threadfence_block()",
        "[0, 1, 2, 3]",
    ),
    "threadfence_system": (
        "Order the thread's writes for the whole machine.",
        "out[i] = i; cp.jit.threadfence_system()",
        "[0, 1, 2, 3]",
    ),
    "all_sync": (
        "Return whether all lanes of the mask have a true predicate.",
        "out[i] = cp.jit.all_sync(15, i > 0)",
        "[0, 0, 0, 0]",
    ),
    "any_sync": (
        "Return whether any lane of the mask has a true predicate.",
        "out[i] = cp.jit.any_sync(15, i > 0)",
        "[1, 1, 1, 1]",
    ),
    "eq_sync": (
        "Return whether the predicates of all lanes of the mask are the same.",
        "out[i] = cp.jit.eq_sync(15, i > 5)",
        "[1, 1, 1, 1]",
    ),
    "ballot_sync": (
        "Return a bit for each lane of the mask with a true predicate.",
        "out[i] = cp.jit.ballot_sync(15, i > 1)",
        "[12, 12, 12, 12]",
    ),
    "match_any_sync": (
        "Return the lanes of the mask that have the same value.",
        "out[i] = cp.jit.match_any_sync(15, i // 2)",
        "[ 3,  3, 12, 12]",
    ),
    "match_all_sync": (
        "Return the mask where all lanes have one value, else 0; and whether they do.",
        "out[i] = cp.jit.match_all_sync(15, i // 4)[0]",
        "[15, 15, 15, 15]",
    ),
    "activemask": (
        "Return the lanes that are here.",
        "out[i] = cp.jit.activemask() >> i & 1",
        "[1, 1, 1, 1]",
    ),
    "lanemask_lt": (
        "Return the lanes below this one.",
        "out[i] = cp.jit.lanemask_lt()",
        "[0, 1, 3, 7]",
    ),
    "popc": ("Return the number of bits that are set.", "out[i] = cp.jit.popc(i)", "[0, 1, 1, 2]"),
    "brev": (
        "Return the bits turned round.",
        "out[i] = cp.jit.brev(cp.uint32(i)) >> 30",
        "[0, 2, 1, 3]",
    ),
    "clz": (
        "Return the number of zeros before the first bit.",
        "out[i] = cp.jit.clz(cp.int32(i))",
        "[32, 31, 30, 30]",
    ),
    "ffs": ("Return the place of the lowest bit, from 1; 0 for 0.", "out[i] = cp.jit.ffs(i)", "[0, 1, 2, 1]"),
    "fma": ("Return a * b + c, rounded once.", "out[i] = cp.jit.fma(i, 2.0, 1.0)", "[1, 3, 5, 7]"),
    "cbrt": ("Return the cube root.", "out[i] = cp.jit.cbrt(10.0 * i)", "[0, 2, 2, 3]"),
    "selp": ("Return one of two values, by a test.", "out[i] = cp.jit.selp(i > 1, i, 9)", "[9, 9, 2, 3]"),
    "nanosleep": (
        "Let other threads run for a while.",
        "out[i] = i; cp.jit.nanosleep(100)",
        "[0, 1, 2, 3]",
    ),
}


def _documented(summary: str, line: str, result: str, dtype: str = "int64") -> str:
    """Return a docstring with an example of four threads."""
    shown = result if dtype == "int64" else f"{result}, dtype={dtype}"
    return f"""{summary}

Examples
--------
>>> @cp.jit
... def example(out):
...     i = cp.jit.grid(1)
...     {line}
>>> out = cp.zeros(4, "{dtype}")
>>> example[1, 4](out)
>>> out
array({shown})
"""


_ATOMIC: tuple[str, ...] = (
    "add",
    "sub",
    "and_",
    "or_",
    "xor",
    "max",
    "min",
    "nanmax",
    "nanmin",
    "exch",
    "inc",
    "dec",
)
_ATOMIC += ("cas", "compare_and_swap")
_RANDOM = (
    "xoroshiro128p_next",
    "xoroshiro128p_jump",
    "xoroshiro128p_uniform_float32",
    "xoroshiro128p_uniform_float64",
    "xoroshiro128p_normal_float32",
    "xoroshiro128p_normal_float64",
)
# fmt: off
_HALF = (
    "hadd", "hsub", "hmul", "hdiv", "hfma", "hneg", "habs", "hmax", "hmin",
    "heq", "hne", "hlt", "hle", "hgt", "hge", "hsqrt", "hrsqrt", "hexp",
    "hexp2", "hexp10", "hrcp", "hlog", "hlog2", "hlog10", "hsin", "hcos", "htanh", "htanh_approx", "hfloor",
    "hceil", "htrunc", "hrint",
    "hadd_rn", "hsub_rn", "hmul_rn", "hadd_sat", "hsub_sat", "hmul_sat", "hfma_sat", "hfma_relu",
    "hmax_nan", "hmin_nan", "hisnan", "hisinf", "hequ", "hneu", "hltu", "hleu", "hgtu", "hgeu",
)
# fmt: on
_ROUNDED = ("rn", "rz", "rd", "ru")
_BFLOAT_NUMBERS = ("int16", "int32", "int64", "uint16", "uint32", "uint64")
_BFLOAT = (
    "bfloat16_to_float32",
    "float32_to_bfloat16",
    "float64_to_bfloat16",
    *(f"float32_to_bfloat16_{direction}" for direction in _ROUNDED),
    *(f"{name}_to_bfloat16_{direction}" for name in _BFLOAT_NUMBERS for direction in _ROUNDED),
    *(f"bfloat16_to_{name}_{direction}" for name in _BFLOAT_NUMBERS for direction in _ROUNDED),
    *(f"bfloat16_to_{name}_rz" for name in ("int8", "uint8")),
    *(f"bfloat16_as_{name}" for name in ("int16", "uint16")),
    *(f"{name}_as_bfloat16" for name in ("int16", "uint16")),
)

BF16_NAMES = {name: Intrinsic(f"bf16.{name}", name) for name in (*_HALF, *_BFLOAT)}
"""What `numba.cuda.bf16` has for kernels."""
_plain = {name: Intrinsic(name, doc=_documented(*row)) for name, row in _PLAIN.items()}
_numba = {name: Intrinsic(name, doc=_documented(*row)) for name, row in _NUMBA.items()}
_dimensions = {name: Dimensions(name) for name in ("threadIdx", "blockIdx", "blockDim", "gridDim")}
_atomic = {
    name: Intrinsic(f"atomic.{name}", doc=f"Atomic {name} on an element; the old value.") for name in _ATOMIC
}
RANDOM = {name: Intrinsic(f"random.{name}", name) for name in _RANDOM}

_GRID_METHODS = {
    # name: the row of the table
    **{name: name for name in ("sync", "is_valid", "thread_rank", "size", "block_rank", "num_blocks")},
    "num_threads": "size",
    "group_dim": "group_dim",
    "dim_blocks": "group_dim",
}
_BLOCK_METHODS = {
    **{name: name for name in ("thread_rank", "size", "group_index", "thread_index", "group_dim")},
    "num_threads": "size",
    "dim_threads": "group_dim",
}
GRID_GROUP = Namespace(
    "grid",
    **{name: Intrinsic(f"grid.{row}", name) for name, row in _GRID_METHODS.items()},
    block_index=Intrinsic("block.group_index", "block_index"),
)
"""What `cg.this_grid()` gives."""
BLOCK_GROUP = Namespace(
    "thread block",
    sync=Intrinsic("syncthreads", "sync"),
    **{name: Intrinsic(f"block.{row}", name) for name, row in _BLOCK_METHODS.items()},
)
"""What `cg.this_thread_block()` gives."""

_shared_array = Intrinsic("shared.array", "shared.array")
_local_array = Intrinsic("local.array", "local.array")

NUMBA_NAMES: dict[str, Any] = {
    **_plain,
    **_numba,
    **_dimensions,
    "laneid": Quantity("laneid"),
    "warpsize": Quantity("warpsize"),
    "shared": Namespace("shared", array=_shared_array),
    "local": Namespace("local", array=_local_array),
    "const": Namespace("const", array_like=Intrinsic("const.array_like", "const.array_like")),
    "atomic": Namespace("atomic", **_atomic),
    "cg": Namespace(
        "cg",
        this_grid=Intrinsic("cg.this_grid", "this_grid"),
        this_thread_block=Intrinsic("cg.this_thread_block", "this_thread_block"),
    ),
    "fp16": Namespace("fp16", **{name: Intrinsic(f"fp16.{name}", name) for name in _HALF}),
}
"""What `numba.cuda` has for kernels."""

_CUPY_ATOMICS: dict[str, tuple[str, str, str, str]] = {
    # name: the row of the table, the arguments of an example, what that leaves in `out`, its dtype
    "add": ("add", "out, 0, 1", "[4, 0, 0, 0]", "int64"),
    "sub": ("sub", "out, 0, 1", "[-4,  0,  0,  0]", "int64"),
    "exch": ("exch", "out, i, 7", "[7, 7, 7, 7]", "int64"),
    "min": ("min", "out, 0, -i", "[-3,  0,  0,  0]", "int64"),
    "max": ("max", "out, 0, i", "[3, 0, 0, 0]", "int64"),
    "inc": ("inc", "out, 0, 10", "[4, 0, 0, 0]", "uint64"),
    "dec": ("dec", "out, 0, 2", "[2, 0, 0, 0]", "uint64"),
    "cas": ("cas", "out, i, 0, 9", "[9, 9, 9, 9]", "int64"),
    "and": ("and_", "out, i, 1", "[0, 0, 0, 0]", "int64"),
    "or": ("or_", "out, 0, 1 << i", "[15,  0,  0,  0]", "int64"),
    "xor": ("xor", "out, i, 5", "[5, 5, 5, 5]", "int64"),
}


def _cupy_atomic(name: str, row: str, arguments: str, result: str, dtype: str) -> Intrinsic:
    summary = f"Do `{name}` on an element as one step that no other thread can divide; return the old value."
    doc = _documented(summary, f"cp.jit.atomic_{name}({arguments})", result, dtype)
    return Intrinsic(f"atomic.{row}", f"atomic_{name}", doc)


RAWKERNEL_NAMES: dict[str, Any] = {
    **_plain,
    **_dimensions,
    "warpsize": Quantity("warpsize"),
    "laneid": Intrinsic(
        "laneid",
        doc=_documented(
            "Return the thread's number in its warp.", "out[i] = cp.jit.laneid()", "[0, 1, 2, 3]"
        ),
    ),
    "range": Intrinsic(
        "range",
        doc=_documented(
            "Count as Python's range does; `unroll` is a hint.",
            "for k in cp.jit.range(3, unroll=True): out[i] += k",
            "[3, 3, 3, 3]",
        ),
    ),
    "shared_memory": Intrinsic(
        "shared_memory",
        doc=_documented(
            "Return shared memory of a dtype and a size; None for a size is the dynamic memory.",
            "own = cp.jit.shared_memory(cp.int64, 4); own[i] = i; cp.jit.syncthreads(); out[i] = own[3 - i]",
            "[3, 2, 1, 0]",
        ),
    ),
    **{f"atomic_{name}": _cupy_atomic(name, *row) for name, row in _CUPY_ATOMICS.items()},
}
"""What `cupyx.jit` has for kernels."""

CG_NAMES: dict[str, Any] = {
    "this_grid": Intrinsic("cg.this_grid", "this_grid"),
    "this_thread_block": Intrinsic("cg.this_thread_block", "this_thread_block"),
    "sync": Intrinsic("cg.sync", "sync"),
    "memcpy_async": Intrinsic("cg.memcpy_async", "memcpy_async"),
    "wait": Intrinsic("cg.wait", "wait"),
    "wait_prior": Intrinsic("cg.wait", "wait_prior"),
}
"""What `cupyx.jit.cg` has."""
