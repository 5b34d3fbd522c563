"""Interpolation: arrays sampled at places between their elements."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._creation.from_data import ascontiguousarray
from ..._errors import names_itself
from ..._manipulation.rearrange import pad
from ._arguments import delivered, is_complex, is_several, on_host, target
from ._documentation import documented
from ._kernels import c_name, has_c_name, kernel
from ._splines import _check_order, boundary, filtered_along

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["affine_transform", "geometric_transform", "map_coordinates", "shift", "zoom"]

_MODES = {
    "reflect": "REFLECT",
    "grid-mirror": "REFLECT",
    "constant": "CONSTANT",
    "grid-constant": "GRID_CONSTANT",
    "nearest": "NEAREST",
    "mirror": "MIRROR",
    "wrap": "WRAP",
    "grid-wrap": "GRID_WRAP",
}
_THREADS = 128
# How far lines are extended before the filter, where it has no exact form for what lies beyond their ends.
_PADDING = 12


def _mode(op: str, mode: Any) -> str:
    if mode not in _MODES:
        raise RuntimeError(f"{op}: boundary mode {mode!r} is not supported, only {', '.join(_MODES)}, opencv")
    return _MODES[mode]


def with_edge(a: ndarray, mode: Any, cval: Any) -> tuple[ndarray, Any, int]:
    """Return the array, the mode and how far indices move: "opencv" has an edge of constants around it."""
    if mode != "opencv" or not a.ndim:
        return a, mode, 0
    return pad(a, 1, mode="constant", constant_values=cval), "constant", 1


class _Sampler:
    """Samples of one array: its coefficients, and what is the same for all ways of giving places."""

    def __init__(self, a: ndarray, order: int, mode: str, cval: Any, prefilter: bool) -> None:
        self.padding = 0
        if prefilter and order > 1:
            if mode in ("nearest", "grid-constant"):
                self.padding = _PADDING
                if mode == "nearest":
                    a = pad(a, _PADDING, mode="edge")
                else:
                    a = pad(a, _PADDING, mode="constant", constant_values=cval)
            ends = boundary("", mode)
            for axis in range(a.ndim):
                a = filtered_along(a, order, axis, ends)
        self.a = ascontiguousarray(a, None if has_c_name(a.dtype) else np.float32)
        self.order, self.mode, self.cval = order, _MODES[mode], float(cval)

    def places(self, shape: tuple[int, ...], matrix: np.ndarray, offset: np.ndarray) -> Any:
        """Return the struct that kernels take by value."""
        rank, out_rank = self.a.ndim, len(shape)
        dtype = np.dtype(
            [
                ("dims", "i8", (rank,)),
                ("out_dims", "i8", (out_rank,)),
                ("matrix", "f8", (rank * out_rank,)),
                ("offset", "f8", (rank,)),
                ("padding", "f8"),
                ("cval", "f8"),
            ]
        )
        found = np.zeros(1, dtype)[0]
        found["dims"], found["out_dims"] = self.a.shape, shape
        found["matrix"], found["offset"] = np.ravel(matrix), offset
        found["padding"], found["cval"] = self.padding, self.cval
        return found

    def launch(self, name: str, parameters: str, out: ndarray, *args: Any) -> ndarray:
        """Run a kernel over the elements of the result, in the dtype that it computes."""
        if out.size:
            types = f"{c_name(self.a.dtype)}, {c_name(out.dtype)}"
            instance = f"{name}<{types}, {parameters}>"
            _run(instance, out.size, (self.a, *args))
        return out


def sampled(
    op: str,
    a: ndarray,
    shape: tuple[int, ...],
    output: Any,
    order: Any,
    mode: Any,
    cval: Any,
    prefilter: bool,
    sample: Callable[[_Sampler, ndarray], ndarray],
) -> ndarray:
    """Return `sample(sampler, out)` of a real array, or of each part of a complex one."""
    order = _check_order(op, order, 0)
    _mode(op, mode)
    if a.ndim < 1 or len(shape) < 1:
        raise RuntimeError(f"{op}: input and output rank must be > 0")
    dtype, array = target(op, output, a, complex_output=is_complex(a), shape=shape)
    if math.prod(shape) == 0:
        return delivered(_core.empty(shape, dtype), array)
    if a.size == 0:
        if _MODES[mode] not in ("CONSTANT", "GRID_CONSTANT"):
            raise RuntimeError(f"{op}: input has no elements to interpolate between, and mode is {mode!r}")
        return delivered(_core.full(shape, cval, dtype), array)

    def part(values: ndarray, kind: Any, outside: Any) -> ndarray:
        computed = kind if has_c_name(kind) else np.dtype(np.float32)
        out = _core.empty(shape, computed)
        return sample(_Sampler(values, order, mode, outside, prefilter), out).astype(kind, copy=False)

    if not is_complex(a):
        return delivered(part(a, dtype, cval), array)
    result = _core.empty(shape, dtype)
    kind = result.real.dtype
    result.real = part(a.real, kind, np.real(cval))
    result.imag = part(a.imag, kind, np.imag(cval))
    return delivered(result, array)


def _for_axes(op: str, name: str, value: Any, ndim: int) -> list[float]:
    """Return one number for each axis."""
    if isinstance(value, ndarray):
        value = value.get()
    if not is_several(value):
        return [float(value)] * ndim
    items = [float(item) for item in value]
    if len(items) != ndim:
        raise RuntimeError(f"{op}: {name} has {len(items)} items for {ndim} axes")
    return items


@documented
@names_itself
def map_coordinates(
    input: Any,
    coordinates: ArrayLike,
    output: Any = None,
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    prefilter: bool = True,
) -> ndarray:
    """Return the values of an array at places between its elements.

    Parameters
    ----------
    {input}
    coordinates : array_like
        The places: along the first axis, one coordinate for each axis of the input. The other axes are those
        of the result.
    {output}
    {order}
    {sample_mode}
    {cval}
    {prefilter}

    Returns
    -------
    ndarray
        The values, of the coordinates' shape without the first axis.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> a = cp.arange(12.0).reshape(4, 3)
    >>> ndimage.map_coordinates(a, cp.array([[0.5, 2], [0.5, 1]]), order=1)
    array([2., 7.])
    """
    op = "map_coordinates"
    a, places = as_array(input), as_array(coordinates)
    if is_complex(places):
        raise TypeError(f"{op}: Complex type not supported for coordinates")
    if places.ndim and places.shape[0] != a.ndim:
        raise RuntimeError(
            f"{op}: invalid shape for coordinate array: {places.shape[0]} coordinates for {a.ndim} axes"
        )
    a, mode, edge = with_edge(a, mode, cval)
    if edge:
        places = places + edge

    def sample(sampler: _Sampler, out: ndarray) -> ndarray:
        x = ascontiguousarray(places, None if places.dtype == np.float32 else np.float64)
        rank = sampler.a.ndim
        struct = sampler.places((out.size,), np.zeros(rank), np.zeros(rank))
        parameters = f"{c_name(x.dtype)}, {rank}, {sampler.order}, {sampler.mode}"
        return sampler.launch("at_coordinates", parameters, out, x, out, out.size, struct)

    return sampled(op, a, places.shape[1:], output, order, mode, cval, prefilter, sample)


@documented
@names_itself
def geometric_transform(
    input: Any,
    mapping: Callable[..., Any],
    output_shape: Any = None,
    output: Any = None,
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    prefilter: bool = True,
    extra_arguments: Any = (),
    extra_keywords: Any = None,
) -> ndarray:
    """Return an array whose elements lie where a function says.

    Parameters
    ----------
    {input}
    mapping : callable
        Takes the indices in the result and returns the coordinates in the input, both as tuples. It is called
        once, with an array of indices for each axis. A function that takes numbers alone, since it branches
        or calls those of `math`, is compiled by `cuprum.jit`.
    output_shape : tuple of int, optional
        The shape of the result; that of the input by default.
    {output}
    {order}
    {sample_mode}
    {cval}
    {prefilter}
    extra_arguments : tuple, optional
        Further arguments of the function.
    extra_keywords : dict, optional
        Its keywords.

    Returns
    -------
    ndarray
        The values.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> a = cp.arange(12.0).reshape(4, 3)
    >>> ndimage.geometric_transform(a, lambda at: (at[0] - 0.5, at[1] - 0.5), order=1)
    array([[0., 0., 0.],
           [0., 2., 3.],
           [0., 5., 6.],
           [0., 8., 9.]])
    """
    op = "geometric_transform"
    a = as_array(input)
    shape = a.shape if output_shape is None else tuple(int(n) for n in np.atleast_1d(output_shape))
    if output_shape is None and isinstance(output, ndarray):
        shape = output.shape
    if not shape or not a.ndim:
        raise RuntimeError(f"{op}: input and output rank must be > 0")
    # The compiler of Python functions is loaded where it may be needed.
    from ._mapping import mapped_places

    x = mapped_places(op, mapping, shape, a.ndim, extra_arguments, extra_keywords)
    return map_coordinates(a, x, output, order, mode, cval, prefilter)


def affine(sampler: _Sampler, out: ndarray, matrix: np.ndarray, offset: np.ndarray) -> ndarray:
    struct = sampler.places(out.shape, matrix, offset)
    parameters = f"{sampler.a.ndim}, {out.ndim}, {sampler.order}, {sampler.mode}"
    return sampler.launch("at_affine", parameters, out, out, out.size, struct)


def _scaled(sampler: _Sampler, out: ndarray, scale: Any, offset: Any, cells: bool = False) -> ndarray:
    """Sample at the index in the result, moved and scaled along each axis: one axis after the other."""
    if out.size == 0:
        return out
    a, taps = sampler.a, sampler.order + 1
    tables = []
    for axis in range(a.ndim):
        n, places = a.shape[axis], out.shape[axis]
        at, weights = _core.empty((places, taps), np.int64), _core.empty((places, taps), np.float64)
        name = f"make_table<{sampler.order}, {sampler.mode}, {str(cells).lower()}>"
        numbers = (
            np.int64(n),
            np.int64(places),
            float(scale[axis]),
            float(offset[axis]),
            float(sampler.padding),
        )
        _run(name, places, (at, weights, *numbers))
        last = axis == a.ndim - 1
        shape = (*a.shape[:axis], places, *a.shape[axis + 1 :])
        result = out if last else _core.empty(shape, np.float64)
        outer, inner = math.prod(a.shape[:axis]), math.prod(a.shape[axis + 1 :])
        types = f"{c_name(a.dtype)}, {c_name(result.dtype)}, {sampler.order}"
        sizes = (np.int64(outer), np.int64(n), np.int64(places))
        if last:
            _run(f"along_last<{types}>", places, (a, result, at, weights, *sizes, sampler.cval), outer)
        else:
            given = (a, result, at, weights, *sizes, np.int64(inner), sampler.cval)
            _run(f"along_axis<{types}>", inner, given, outer * places)
        tables.append((at, places, math.prod(out.shape[axis + 1 :])))
        a = result
    if sampler.mode == "CONSTANT":
        for at, places, inner in tables[:-1]:
            name = f"put_constant<{c_name(out.dtype)}, {taps}>"
            _run(
                name, out.size, (out, at, np.int64(places), np.int64(inner), np.int64(out.size), sampler.cval)
            )
    return out


def _run(name: str, n: int, args: tuple[Any, ...], rows: int = 1) -> None:
    """Run a kernel over `n` threads, and rows that threads share where there are too many for a grid."""
    kernel("interpolation", name)((-(-n // _THREADS), min(rows, 65535)), (_THREADS,), args)


def _matrix_and_offset(op: str, matrix: Any, offset: Any, ndim: int, out_ndim: int) -> tuple[Any, Any]:
    """Return the matrix and the offset of a transformation that may be given as one homogeneous matrix."""
    matrix = np.asarray(on_host(matrix), np.float64)
    if matrix.ndim not in (1, 2) or matrix.shape[0] < 1:
        raise RuntimeError(f"{op}: no proper affine matrix provided: its shape is {matrix.shape}")
    if matrix.ndim == 2 and matrix.shape[1] == ndim + 1 and matrix.shape[0] in (ndim, ndim + 1):
        if matrix.shape[0] == ndim + 1:
            last = [0.0] * ndim + [1.0]
            if matrix[ndim].tolist() != last:
                raise ValueError(
                    f"{op}: the last row of a homogeneous matrix must be {last}, got {matrix[ndim].tolist()}"
                )
        offset, matrix = matrix[:ndim, ndim], matrix[:ndim, :ndim]
    if matrix.shape[0] != ndim:
        raise RuntimeError(
            f"{op}: affine matrix has wrong number of rows: {matrix.shape[0]} for {ndim} axes of the input"
        )
    if matrix.ndim == 2 and matrix.shape[1] != out_ndim:
        raise RuntimeError(
            f"{op}: affine matrix has wrong number of columns: "
            f"{matrix.shape[1]} for {out_ndim} axes of the result"
        )
    return matrix, np.array(_for_axes(op, "offset", offset, ndim))


def _inverse_of_points(op: str, matrix: np.ndarray, offset: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what OpenCV means: the matrix maps points (x, y, ...) of the input into the result."""
    whole = np.eye(matrix.shape[0] + 1)
    whole[:-1, :-1] = np.diag(matrix) if matrix.ndim == 1 else matrix
    whole[:-1, -1] = offset
    if matrix.shape[0] < 2 or whole.shape[0] != whole.shape[1]:
        raise RuntimeError(f"{op}: mode 'opencv' needs a square matrix of two axes or more")
    inverse = np.linalg.inv(whole)
    order = [1, 0, *range(2, matrix.shape[0])]
    return inverse[np.ix_(order, order)], inverse[order, -1]


@documented
@names_itself
def affine_transform(
    input: Any,
    matrix: ArrayLike,
    offset: Any = 0.0,
    output_shape: Any = None,
    output: Any = None,
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    prefilter: bool = True,
    *,
    texture_memory: bool = False,
    float64_coords: bool = False,
) -> ndarray:
    """Return an array transformed by a matrix.

    Element `o` of the result is the input's at ``matrix @ o + offset``.

    Parameters
    ----------
    {input}
    matrix : array_like
        The matrix; its diagonal alone, as a sequence; or a homogeneous matrix, which holds the offset in its
        last column.
    offset : float or sequence of float, optional
        The offset, for all axes or for each.
    output_shape : tuple of int, optional
        The shape of the result; that of `output` or of the input by default.
    {output}
    {order}
    {sample_mode}
    {cval}
    {prefilter}
    texture_memory : bool, optional
        Taken for compatibility: textures would round the places to 8 bits.
    float64_coords : bool, optional
        Taken for compatibility: coordinates are always of float64.

    Returns
    -------
    ndarray
        The transformed array.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.affine_transform(cp.arange(5.0), [[2.0]], output_shape=(3,), order=1)
    array([0., 2., 4.])
    """
    op = "affine_transform"
    a = as_array(input)
    if output_shape is None:
        output_shape = output.shape if isinstance(output, ndarray) else a.shape
    shape = tuple(int(n) for n in output_shape)
    found, moved = _matrix_and_offset(op, matrix, offset, a.ndim, len(shape))
    if mode == "opencv":
        found, moved = _inverse_of_points(op, found, moved)
    a, mode, edge = with_edge(a, mode, cval)
    moved = moved + edge

    def sample(sampler: _Sampler, out: ndarray) -> ndarray:
        if found.ndim == 1 and len(shape) == a.ndim:
            with np.errstate(divide="ignore", invalid="ignore"):
                return _scaled(sampler, out, found, moved / found)
        return affine(sampler, out, found, moved)

    return sampled(op, a, shape, output, order, mode, cval, prefilter, sample)


@documented
@names_itself
def shift(
    input: Any,
    shift: Any,
    output: Any = None,
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    prefilter: bool = True,
) -> ndarray:
    """Return an array moved along its axes.

    Parameters
    ----------
    {input}
    shift : float or sequence of float
        How far elements move towards higher indices, along all axes or along each.
    {output}
    {order}
    {sample_mode}
    {cval}
    {prefilter}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.shift(cp.arange(4.0), 1.5, order=1)
    array([0. , 0. , 0.5, 1.5])
    """
    op = "shift"
    a = as_array(input)
    shape = a.shape
    a, mode, edge = with_edge(a, mode, cval)
    moved = [edge - by for by in _for_axes(op, "shift", shift, a.ndim)]

    def sample(sampler: _Sampler, out: ndarray) -> ndarray:
        return _scaled(sampler, out, [1.0] * a.ndim, moved)

    return sampled(op, a, shape, output, order, mode, cval, prefilter, sample)


@documented
@names_itself
def zoom(
    input: Any,
    zoom: Any,
    output: Any = None,
    order: Any = 3,
    mode: Any = "constant",
    cval: Any = 0.0,
    prefilter: bool = True,
    *,
    grid_mode: bool = False,
) -> ndarray:
    """Return an array with more or fewer elements over the same extent.

    Parameters
    ----------
    {input}
    zoom : float or sequence of float
        By how much the lengths grow, along all axes or along each.
    {output}
    {order}
    {sample_mode}
    {cval}
    {prefilter}
    grid_mode : bool, optional
        Whether elements are cells, whose borders keep their places, instead of points, of which the first
        and the last do.

    Returns
    -------
    ndarray
        The array of the new lengths, rounded to integers.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.zoom(cp.array([0.0, 2.0, 4.0]), 5 / 3, order=1)
    array([0., 1., 2., 3., 4.])
    """
    op = "zoom"
    a = as_array(input)
    factors = _for_axes(op, "zoom", zoom, a.ndim)
    shape = tuple(int(round(n * factor)) for n, factor in zip(a.shape, factors, strict=True))
    if all(factor == 1 for factor in factors) and prefilter and a.ndim:
        dtype, array = target(op, output, a, complex_output=is_complex(a))
        return delivered(a.astype(dtype), array)
    if grid_mode and mode in ("constant", "wrap"):
        warnings.warn(
            f"zoom: mode 'grid-{mode}' is recommended instead of '{mode}' where grid_mode is true",
            stacklevel=4,
        )
    if mode == "opencv":
        # Elements are cells, and the outermost ones go on beyond the array.
        mode, grid_mode = "nearest", True
    less = 0 if grid_mode else 1
    scale = [(n - less) / (m - less) if m != less else 1.0 for n, m in zip(a.shape, shape, strict=True)]

    def sample(sampler: _Sampler, out: ndarray) -> ndarray:
        return _scaled(sampler, out, scale, [0.0] * a.ndim, bool(grid_mode))

    return sampled(op, a, shape, output, order, mode, cval, prefilter, sample)
