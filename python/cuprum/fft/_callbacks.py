"""Functions of CUDA C that transforms read or write their elements through: cuFFT's callbacks.

Each is called once for an element, with its place in the transform's own memory. Here they run as kernels
before and after the transform, on every device. cuFFT calls them from its own kernels, which saves a pass
over memory, and links them with a static library, or compiles its kernels anew.
"""

from __future__ import annotations

import contextvars
import re
import warnings
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from .. import _core

__all__ = ["Callbacks", "active", "set_cufft_callbacks"]

_active: contextvars.ContextVar[Callbacks | None] = contextvars.ContextVar("callbacks", default=None)

_TYPES = {
    "complex64": ("cufftComplex", "C"),
    "complex128": ("cufftDoubleComplex", "Z"),
    "float32": ("cufftReal", "R"),
    "float64": ("cufftDoubleReal", "D"),
}
"""cuFFT's names of dtypes, and the letters of their callbacks."""

_PRELUDE = """#include <cuComplex.h>
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
""" + "".join(
    f"typedef {name} (*cufft{jit}CallbackLoad{letter})(void*, {offset}, void*, void*);\n"
    f"typedef void (*cufft{jit}CallbackStore{letter})(void*, {offset}, {name}, void*, void*);\n"
    for name, letter in _TYPES.values()
    for jit, offset in (("", "size_t"), ("JIT", "unsigned long long"))
)
_LOAD = """
extern "C" __global__ void cuprum_load(void* from, {type}* to, void* data, long long count) {{
    long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        to[i] = {name}(from, i, data, 0);
}}
"""
_STORE = """
extern "C" __global__ void cuprum_store(void* to, const {type}* from, void* data, long long count) {{
    long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        {name}(to, i, from[i], data, 0);
}}
"""
_THREADS = 256
_MAX_BLOCKS = 1 << 16
_HEADER = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]cufft\w*\.h[>\"].*$", re.MULTILINE)
_INVERSE = ("ifft", "irfft")
_TURNED = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}
_ND_MAX = 3


def active() -> Callbacks | None:
    """Return the callbacks that transforms of this context have."""
    return _active.get()


class _Callback:
    """One function: its text, its name, and the memory that it is given."""

    def __init__(self, what: str, code: str, name: str | None, data: Any, options: tuple[str, ...]) -> None:
        if not isinstance(code, str):
            raise TypeError(f"set_cufft_callbacks: cb_{what} must be a text, got {type(code).__name__}")
        # The line that gives cuFFT the function's address, in one of its two ways.
        pointer = re.compile(rf"__device__\s+\w+\s+d_{what}CallbackPtr\s*=\s*&?\s*(\w+)\s*;")
        named = pointer.search(code)
        if name is None:
            found = named or re.search(r"\b(\w+)\s*\(\s*void\s*\*", code)
            if found is None:
                raise ValueError(
                    f"set_cufft_callbacks: no function is found in cb_{what}; name it by cb_{what}_name, or "
                    f"define d_{what}CallbackPtr"
                )
            name = found[1]
        self.text = _PRELUDE + pointer.sub("", _HEADER.sub("", code))
        self.name = name
        self.data = data
        self._what = what
        self._options = options
        self._kernels: dict[str, Any] = {}

    def __call__(self, first: Any, second: Any, dtype: np.dtype[Any], count: int) -> None:
        """Run it for all elements, which have this dtype."""
        kernel = self._kernels.get(dtype.name)
        if kernel is None:
            from .. import RawKernel

            template = _LOAD if self._what == "load" else _STORE
            code = self.text + template.format(type=_TYPES[dtype.name][0], name=self.name)
            kernel = RawKernel(code, f"cuprum_{self._what}", self._options)
            self._kernels[dtype.name] = kernel
        blocks = min(-(-count // _THREADS), _MAX_BLOCKS)
        data = np.uintp(0) if self.data is None else self.data
        kernel((blocks,), (_THREADS,), (first, second, data, np.int64(count)))


class Callbacks:
    """What transforms are read and written through."""

    def __init__(self, load: _Callback | None, store: _Callback | None) -> None:
        self._load, self._store = load, store

    def along(self, op: str, a: Any, n: Any, axis: Any, norm: Any, out: Any = None) -> Any:
        """Return a transform along an axis: NumPy's `op`."""
        from .. import asarray, empty

        a = asarray(a)
        # Whatever is wrong with the arguments is told as without callbacks, by a transform of no lines.
        axis = normalize_axis_index(axis, a.ndim) - a.ndim
        shape = _core.fft_along(op, empty((0, *a.shape), a.dtype), n, axis, norm, None).shape
        if op in ("hfft", "ihfft"):
            # As NumPy defines them, by the transforms that have callbacks.
            if op == "hfft":
                return self.along("irfft", a.conj(), n, axis, _TURNED[norm], out)
            return _into(out, self.along("rfft", a, n, axis, _TURNED[norm]).conj())
        points = shape[axis] if op != "rfft" else a.shape[axis] if n is None else int(n)
        length = points // 2 + 1 if op == "irfft" else points
        moved = _sized(_converted(op, a), axis, length).swapaxes(axis, -1)
        raw = self._run(moved, lambda x: _core.fft_along(op, x, points, -1, _unscaled(op), None))
        return _into(out, _scaled(op, raw, points, norm).swapaxes(axis, -1))

    def over(self, op: str, a: Any, s: Any, axes: Any, norm: Any, out: Any = None) -> Any:
        """Return a transform over several axes: NumPy's `op`."""
        from .. import empty

        op = op.replace("fft2", "fftn")
        places = range(a.ndim if s is None else len(s)) if axes is None else axes
        if axes is None:
            places = [axis - len(places) for axis in places]
        places = tuple(normalize_axis_index(axis, a.ndim) - a.ndim for axis in places)
        shape = _core.fft_over(op, empty((0, *a.shape), a.dtype), s, places, norm, None).shape
        if op == "hfftn":
            return self.over("irfftn", a.conj(), s, places, _TURNED[norm], out)
        if op == "ihfftn":
            return _into(out, self.over("rfftn", a, s, places, _TURNED[norm]).conj())
        sizes = [shape[axis] for axis in places]
        if op == "rfftn":
            last = -1 if s is None else int(s[-1])
            sizes[-1] = a.shape[places[-1]] if last == -1 else last
        places = tuple(axis + a.ndim for axis in places)
        if not _is_one_plan(places, a.ndim):
            return _into(out, self._one_by_one(op[:-1], a, sizes, places, norm))
        a = _converted(op[:-1], a)
        if op in ("fftn", "ifftn") and a.flags.f_contiguous and not a.flags.c_contiguous:
            # Elements are counted as they lie in memory.
            turned = tuple(a.ndim - 1 - axis for axis in places)
            return _into(out, self.over(op, a.T, sizes, turned, norm).T)
        for axis, size in zip(places, sizes, strict=True):
            halved = op == "irfftn" and axis == places[-1]
            a = _sized(a, axis, size // 2 + 1 if halved else size)
        raw = self._run(a, lambda x: _core.fft_over(op, x, sizes, places, _unscaled(op[:-1]), None))
        return _into(out, _scaled(op[:-1], raw, int(np.prod(sizes)), norm))

    def _one_by_one(self, op: str, a: Any, sizes: list[int], axes: tuple[int, ...], norm: Any) -> Any:
        """Return a transform over axes that no plan of cuFFT has together: each has the callbacks."""
        steps = list(zip(axes, sizes, strict=True))
        whole = op.replace("rfft", "fft")
        order = steps[:-1] if op == "irfft" else steps[::-1]
        for number, (axis, size) in enumerate(order):
            a = self.along("rfft" if op == "rfft" and number == 0 else whole, a, size, axis, norm)
        return self.along(op, a, steps[-1][1], steps[-1][0], norm) if op == "irfft" else a

    def _run(self, a: Any, transform: Any) -> Any:
        from .. import ascontiguousarray, empty

        a = ascontiguousarray(a)
        if self._load is not None and a.size:
            loaded = empty(a.shape, a.dtype)
            self._load(a, loaded, a.dtype, a.size)
            a = loaded
        raw = ascontiguousarray(transform(a))
        if self._store is None or not raw.size:
            return raw
        stored = empty(raw.shape, raw.dtype)
        self._store(stored, raw, raw.dtype, raw.size)
        return stored


def _converted(op: str, a: Any) -> Any:
    """Return an array in the dtype that a transform reads."""
    single = a.dtype.name in ("float16", "float32", "complex64")
    kind = "float" if op == "rfft" else "complex"
    size = (32 if single else 64) * (1 if op == "rfft" else 2)
    return a.astype(f"{kind}{size}", copy=False)


def _sized(a: Any, axis: int, size: int) -> Any:
    """Return an array cut off, or filled up with zeros, along an axis."""
    from .. import pad

    more = size - a.shape[axis]
    if more > 0:
        widths = [(0, 0)] * a.ndim
        widths[axis] = (0, more)
        return pad(a, widths)
    if more < 0:
        return a[(slice(None),) * (axis % a.ndim) + (slice(size),)]
    return a


def _is_one_plan(axes: tuple[int, ...], ndim: int) -> bool:
    """Return whether one plan of cuFFT has these axes: up to three, side by side, with the first or last."""
    ordered = sorted(axes)
    together = ordered == list(range(ordered[0], ordered[0] + len(ordered))) if ordered else False
    return together and len(ordered) <= _ND_MAX and (ordered[0] == 0 or ordered[-1] == ndim - 1)


def _unscaled(op: str) -> str:
    return "forward" if op in _INVERSE else "backward"


def _scaled(op: str, raw: Any, points: int, norm: Any) -> Any:
    """Return the result divided as `norm` says: behind the callbacks, as CuPy does it."""
    if norm == "ortho":
        return raw / raw.real.dtype.type(np.sqrt(points))
    divides = (norm in (None, "backward")) == (op in _INVERSE)
    return raw / raw.real.dtype.type(points) if divides else raw


def _into(out: Any, result: Any) -> Any:
    if out is None:
        return result
    out[...] = result
    return out


class set_cufft_callbacks:
    """Read and write transforms through functions of CUDA C: a context manager.

    Parameters
    ----------
    cb_load : str, optional
        A function that returns an element: ``cufftComplex f(void* data, size_t offset, void* own, void*)``,
        or one of the other types of cuFFT.
    cb_store : str, optional
        A function that takes one: ``void f(void* data, size_t offset, cufftComplex x, void* own, void*)``.
    cb_load_aux_arr, cb_store_aux_arr : ndarray, optional
        What the functions get as ``own``.
    cb_load_name, cb_store_name : str, optional
        The functions' names; without them, those that ``d_loadCallbackPtr`` and ``d_storeCallbackPtr`` are
        set to, or the first functions of the texts.
    cb_load_data, cb_store_data : MemoryPointer, optional
        What the functions get as ``own``.
    cb_ver : {"legacy", "jit"}, optional
        Which of cuFFT's two ways the texts are written for: both are taken, and run alike.
    nvrtc_options : tuple of str, optional
        The compiler's options.

    Notes
    -----
    Offsets count elements of the contiguous array that a transform reads or writes: along an axis other than
    the last, that of the array with these axes swapped. They run as kernels before and after the transform.
    Most of what they are used for needs none: operations around a transform fuse with what is around them.

    Examples
    --------
    >>> code = '''
    ... __device__ cufftDoubleComplex doubled(void* data, size_t offset, void*, void*) {
    ...     cufftDoubleComplex x = ((cufftDoubleComplex*)data)[offset];
    ...     x.x *= 2;
    ...     return x;
    ... }
    ... '''
    >>> with cp.fft.config.set_cufft_callbacks(cb_load=code, cb_ver="jit"):
    ...     cp.fft.fft([1.0, 2.0])
    array([ 6.+0.j, -2.+0.j])
    """

    def __init__(
        self,
        cb_load: str | None = None,
        cb_store: str | None = None,
        *,
        cb_load_aux_arr: Any = None,
        cb_store_aux_arr: Any = None,
        cb_load_name: str | None = None,
        cb_store_name: str | None = None,
        cb_load_data: Any = None,
        cb_store_data: Any = None,
        cb_ver: str = "legacy",
        nvrtc_options: tuple[str, ...] = (),
    ) -> None:
        if cb_ver not in ("legacy", "jit"):
            raise ValueError(f"set_cufft_callbacks: cb_ver must be 'legacy' or 'jit', got {cb_ver!r}")
        if not cb_load and not cb_store:
            raise ValueError("set_cufft_callbacks: give cb_load, cb_store or both")
        for what, array, data in (
            ("load", cb_load_aux_arr, cb_load_data),
            ("store", cb_store_aux_arr, cb_store_data),
        ):
            if array is not None and data is not None:
                raise ValueError(f"set_cufft_callbacks: only use cb_{what}_data and not cb_{what}_aux_arr")
        if cb_load_aux_arr is not None or cb_store_aux_arr is not None:
            message = "passing an ndarray to cb_load_aux_arr or cb_store_aux_arr is deprecated, as in CuPy"
            warnings.warn(message + ": give arr.data as cb_load_data", DeprecationWarning, stacklevel=2)
        if cb_ver == "legacy":
            message = "the legacy callback is considered deprecated, as in CuPy; give cb_ver='jit'"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
        loads = cb_load_data if cb_load_aux_arr is None else cb_load_aux_arr
        stores = cb_store_data if cb_store_aux_arr is None else cb_store_aux_arr
        options = tuple(nvrtc_options)
        self._callbacks = Callbacks(
            _Callback("load", cb_load, cb_load_name, loads, options) if cb_load else None,
            _Callback("store", cb_store, cb_store_name, stores, options) if cb_store else None,
        )
        self._before: list[contextvars.Token[Callbacks | None]] = []

    def __enter__(self) -> set_cufft_callbacks:
        self._before.append(_active.set(self._callbacks))
        return self

    def __exit__(self, *_: object) -> None:
        _active.reset(self._before.pop())
