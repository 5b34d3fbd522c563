"""The objects under which kernels find their functions, and the names that CuPy, Numba and `cp.jit` give
them.

A row of the tables in `_device_*.py` says what each does; here each has its name, once.
"""

from __future__ import annotations

from typing import Any

from ._intrinsics import Dimensions, Intrinsic, Namespace, Quantity

__all__ = ["BLOCK_GROUP", "GRID_GROUP", "NUMBA_NAMES", "RAWKERNEL_NAMES"]

_PLAIN: dict[str, str] = {
    "grid": "The thread's number in the whole grid: along x, or a tuple for 2 or 3 axes.",
    "gridsize": "The number of threads of the whole grid: along x, or a tuple for 2 or 3 axes.",
    "syncthreads": "Wait until all threads of the block are here.",
    "syncwarp": "Wait until the threads of the warp that are in the mask are here.",
    "shfl_sync": "The value of a lane of the warp.",
    "shfl_up_sync": "The value of the lane so many below.",
    "shfl_down_sync": "The value of the lane so many above.",
    "shfl_xor_sync": "The value of the lane whose number differs in these bits.",
}
_NUMBA: dict[str, str] = {
    "syncthreads_count": "Wait for the block; how many threads have a true predicate.",
    "syncthreads_and": "Wait for the block; whether all threads have a true predicate.",
    "syncthreads_or": "Wait for the block; whether any thread has a true predicate.",
    "threadfence": "Order the thread's writes for the whole device.",
    "threadfence_block": "Order the thread's writes for the block.",
    "threadfence_system": "Order the thread's writes for the whole machine.",
    "all_sync": "Whether all lanes of the mask have a true predicate.",
    "any_sync": "Whether any lane of the mask has a true predicate.",
    "eq_sync": "Whether the predicates of all lanes of the mask are the same.",
    "ballot_sync": "A bit for each lane of the mask with a true predicate.",
    "match_any_sync": "The lanes of the mask that have the same value.",
    "match_all_sync": "The mask where all lanes have one value, else 0; and whether they do.",
    "activemask": "The lanes that are here.",
    "lanemask_lt": "The lanes below this one.",
    "popc": "The number of bits that are set.",
    "brev": "The bits turned round.",
    "clz": "The number of zeros before the first bit.",
    "ffs": "The place of the lowest bit, from 1; 0 for 0.",
    "fma": "a * b + c, rounded once.",
    "cbrt": "The cube root.",
    "selp": "One of two values, by a test.",
    "nanosleep": "Let other threads run for a while.",
}
_ATOMIC = ("add", "sub", "and_", "or_", "xor", "max", "min", "nanmax", "nanmin", "exch", "inc", "dec")
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
    "hexp2", "hlog", "hlog2", "hlog10", "hsin", "hcos", "hfloor", "hceil", "htrunc",
    "hrint",
)
# fmt: on

_plain = {name: Intrinsic(name, doc=doc) for name, doc in _PLAIN.items()}
_numba = {name: Intrinsic(name, doc=doc) for name, doc in _NUMBA.items()}
_dimensions = {name: Dimensions(name) for name in ("threadIdx", "blockIdx", "blockDim", "gridDim")}
_atomic = {
    name: Intrinsic(f"atomic.{name}", doc=f"Atomic {name} on an element; the old value.") for name in _ATOMIC
}
RANDOM = {name: Intrinsic(f"random.{name}", name) for name in _RANDOM}

GRID_GROUP = Namespace("grid", sync=Intrinsic("grid.sync", "sync"))
"""What `cg.this_grid()` gives."""
BLOCK_GROUP = Namespace(
    "thread block",
    sync=Intrinsic("syncthreads", "sync"),
    thread_rank=Intrinsic("group.thread_rank", "thread_rank"),
    size=Intrinsic("group.size", "size"),
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

_CUPY_ATOMICS = {
    "add": "add",
    "sub": "sub",
    "exch": "exch",
    "min": "min",
    "max": "max",
    "inc": "inc",
    "dec": "dec",
    "cas": "cas",
    "and": "and_",
    "or": "or_",
    "xor": "xor",
}

RAWKERNEL_NAMES: dict[str, Any] = {
    **_plain,
    **_dimensions,
    "warpsize": Quantity("warpsize"),
    "laneid": Intrinsic("laneid", doc="The thread's number in its warp."),
    "range": Intrinsic("range", doc="Python's range; `unroll` is a hint."),
    "shared_memory": Intrinsic(
        "shared_memory", doc="Shared memory of a dtype and a size; None: the dynamic memory."
    ),
    **{
        f"atomic_{name}": Intrinsic(
            f"atomic.{row}", f"atomic_{name}", "Atomic operation on an element; the old value."
        )
        for name, row in _CUPY_ATOMICS.items()
    },
}
"""What `cupyx.jit` has for kernels."""

CG_NAMES: dict[str, Any] = {
    "this_grid": Intrinsic("cg.this_grid", "this_grid"),
    "this_thread_block": Intrinsic("cg.this_thread_block", "this_thread_block"),
    "sync": Intrinsic("cg.sync", "sync"),
}
"""What `cupyx.jit.cg` has."""
