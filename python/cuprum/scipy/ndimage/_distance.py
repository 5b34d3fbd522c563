"""Distance transforms: how far each element is from the background."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._arguments import for_axes, on_host
from ._binary import _neighbours
from ._documentation import documented
from ._kernels import kernel

__all__ = ["distance_transform_bf", "distance_transform_cdt", "distance_transform_edt"]

_THREADS = 128
# Lines up to this length are searched by a thread of a GPU for each element, longer ones by one a line.
_SEARCHED = 2048
# No distance of the integer metrics; twice of it is still an int32.
_FAR = 2**30


def _checked(op: str, distances: Any, indices: Any, return_distances: bool, return_indices: bool) -> None:
    """Check which results are asked for, and where they go."""
    if not (return_distances or return_indices):
        raise RuntimeError(f"{op}: at least one of return_distances and return_indices must be true")
    if distances is not None and not return_distances:
        raise RuntimeError(f"{op}: return_distances must be true where distances is given")
    if indices is not None and not return_indices:
        raise RuntimeError(f"{op}: return_indices must be true where indices is given")


def _delivered(op: str, found: list[tuple[ndarray, ndarray | None, str, type[Exception]]]) -> Any:
    """Return the results that have no array of the caller's to go to."""
    left = []
    for result, array, name, error in found:
        if array is None:
            left.append(result)
            continue
        if array.shape != result.shape:
            raise error(f"{op}: {name} array has wrong shape: {array.shape} instead of {result.shape}")
        if array.dtype != result.dtype:
            raise error(f"{op}: {name} array must be {result.dtype}, not {array.dtype}")
        array[...] = result
    return None if not left else left[0] if len(left) == 1 else tuple(left)


def _lines(a: ndarray, axis: int) -> ndarray:
    return cp.ascontiguousarray(cp.moveaxis(a, axis, 0))


def _spread(places: ndarray, shape: tuple[int, ...]) -> ndarray:
    """Return places in the flattened array as indices along each axis; SciPy's -1 where there is none."""
    # Without any background SciPy measures from the element before the first of all.
    found = cp.unravel_index(cp.maximum(places, 0), shape)
    none = places < 0
    parts = [cp.where(none, -1 if axis == 0 else 0, part) for axis, part in enumerate(found)]
    return cp.stack(parts).astype(np.int32)


@documented
@names_itself
def distance_transform_edt(
    input: Any,
    sampling: Any = None,
    return_distances: bool = True,
    return_indices: bool = False,
    distances: ndarray | None = None,
    indices: ndarray | None = None,
    *,
    block_params: Any = None,
    float64_distances: bool = True,
) -> ndarray:
    """Return how far each element is from the nearest zero, by Euclid's distance.

    Parameters
    ----------
    {input}
    sampling : float or sequence of float, optional
        The spacing of the elements, along all axes or along each; 1 by default.
    {return_distances}
    {return_indices}
    distances : ndarray of float64, optional
        Where to put the distances.
    indices : ndarray of int32, optional
        Where to put the indices.
    block_params : tuple, optional
        Taken for compatibility.
    float64_distances : bool, optional
        Whether distances are float64, instead of float32.

    Returns
    -------
    ndarray or tuple of ndarray
        The distances, the indices or both, those that no array was given for.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.distance_transform_edt(cp.array([[1, 1], [1, 0]])).round(4)
    array([[1.4142, 1.    ],
           [1.    , 0.    ]])
    """
    op = "distance_transform_edt"
    _checked(op, distances, indices, return_distances, return_indices)
    a = cp.atleast_1d(as_array(input)).astype(bool)
    spacing = [1.0] * a.ndim
    if sampling is not None:
        spacing = [float(one) for one in for_axes(op, "sampling", sampling, a.ndim)]
    squares, places = _nearest(a, spacing, return_indices)
    found: list[tuple[ndarray, ndarray | None, str, type[Exception]]] = []
    if return_distances:
        # Without any background SciPy measures from the element before the first of all.
        nowhere = _core.zeros(a.shape, np.float64)
        for axis, by in enumerate(spacing):
            away = ((-1 if axis == 0 else 0) - _along(a.shape, axis)).astype(np.float64) * by
            nowhere = nowhere + away * away
        distance = cp.sqrt(cp.where(cp.isinf(squares), nowhere, squares))
        found.append(
            (
                distance.astype(np.float64 if float64_distances else np.float32),
                distances,
                "distances",
                RuntimeError,
            )
        )
    if return_indices:
        found.append((_spread(places, a.shape), indices, "indices", RuntimeError))
    result: ndarray = _delivered(op, found)
    return result


def _along(shape: tuple[int, ...], axis: int) -> ndarray:
    """Return the positions along an axis, with the other axes of length one."""
    return cp.arange(shape[axis]).reshape([-1 if k == axis else 1 for k in range(len(shape))])


def _first_axis(a: ndarray, spacing: float, with_places: bool) -> tuple[ndarray, ndarray]:
    """Return squared distances from the nearest zeros along the first axis, and their places."""
    n, here = a.shape[0], _along(a.shape, 0)
    before = cp.maximum.accumulate(cp.where(a, -1, here), axis=0)
    after = cp.minimum.accumulate(cp.where(a, n, here)[::-1], axis=0)[::-1]
    is_after = (before < 0) | (after < n) & (after - here < here - before)
    row = cp.where(is_after, after, before)
    away = (row - here).astype(np.float64) * spacing
    squares = cp.where(row == n, np.inf, away * away)
    if not with_places:
        return squares, cp.zeros(1, np.int64)
    rest = cp.arange(a.size // n).reshape((1, *a.shape[1:])) if a.ndim > 1 else 0
    return squares, cp.where(row == n, -1, row * (a.size // n) + rest)


def _walks_along_lines(a: ndarray) -> bool:
    """Return whether a line is one core's work; threads of a GPU walk side by side."""
    return bool(a.device == "cpu")


def _nearest(a: ndarray, spacing: list[float], with_places: bool) -> tuple[ndarray, ndarray]:
    """Return the squared distance of the zero that is nearest to each element, infinity where there is none.

    The second array holds its place, -1 where there is none, if places are asked for.
    """
    if a.size == 0:
        return cp.zeros(a.shape), cp.zeros(a.shape, np.int64)
    squares, nearest = _first_axis(a, spacing[0], with_places)
    flag = str(with_places).lower()
    for axis in range(1, a.ndim):
        n, lines = a.shape[axis], a.size // a.shape[axis]
        is_cpu = _walks_along_lines(a)
        place = a.ndim - 1 if is_cpu else 0
        squares = cp.ascontiguousarray(cp.moveaxis(squares, axis, place))
        if with_places:
            nearest = cp.ascontiguousarray(cp.moveaxis(nearest, axis, place))
        outs = _core.empty(squares.shape, np.float64), _core.empty(nearest.shape, np.int64)
        given = (squares, nearest, *outs)
        sizes = (np.int64(n), np.int64(lines))
        if is_cpu or n > _SEARCHED:
            scratch = _core.empty(squares.shape, np.int32), _core.empty(squares.shape, np.float64)
            apart = (np.int64(1), np.int64(n)) if is_cpu else (np.int64(lines), np.int64(1))
            threads = 1 if is_cpu else _THREADS
            arguments: tuple[Any, ...] = (*given, *scratch, *sizes, *apart, spacing[axis])
            kernel("distance", f"lower_envelope<{flag}>")((-(-lines // threads),), (threads,), arguments)
        else:
            arguments = (*given, *sizes, spacing[axis])
            kernel("distance", f"search_line<{flag}>")((-(-a.size // _THREADS),), (_THREADS,), arguments)
        squares = cp.moveaxis(outs[0], place, axis)
        nearest = cp.moveaxis(outs[1], place, axis) if with_places else nearest
    return squares, nearest


def _integer_distances(a: ndarray, taxicab: bool) -> tuple[ndarray, ndarray]:
    """Return the distances from the nearest zeros, and the zeros' places."""
    distance = cp.where(a, np.int32(_FAR), np.int32(0))
    nearest = cp.where(a, -1, cp.arange(a.size).reshape(a.shape))
    for axis in range(a.ndim if a.size else 0):
        n, lines = a.shape[axis], a.size // a.shape[axis]
        distance, nearest = _lines(distance, axis), _lines(nearest, axis)
        outs = _core.empty(distance.shape, np.int32), _core.empty(distance.shape, np.int64)
        arguments = (distance, nearest, *outs, np.int64(n), np.int64(lines), np.int32(_FAR))
        name = f"nearest_along<{str(taxicab).lower()}>"
        kernel("distance", name)((-(-a.size // _THREADS),), (_THREADS,), arguments)
        distance, nearest = (cp.moveaxis(out, 0, axis) for out in outs)
    return cp.where(nearest < 0, -1, distance), nearest


def _is_taxicab(op: str, metric: Any, ndim: int) -> bool:
    """Return whether a metric takes steps along one axis at a time, instead of all at once."""
    if isinstance(metric, str):
        if metric in ("chessboard", "taxicab", "cityblock", "manhattan"):
            return metric != "chessboard"
        raise ValueError(f"{op}: invalid metric provided: {metric!r}, only 'chessboard' and 'taxicab'")
    window = on_host(metric).astype(bool)
    if any(length != 3 for length in window.shape):
        raise ValueError(f"{op}: metric sizes must be equal to 3, got {window.shape}")
    for connectivity in (1, ndim):
        if np.array_equal(window, _neighbours(ndim, connectivity)):
            return connectivity == 1
    raise ValueError(f"{op}: steps to some neighbours only are no metric; use 'chessboard' or 'taxicab'")


@documented
@names_itself
def distance_transform_cdt(
    input: Any,
    metric: Any = "chessboard",
    return_distances: bool = True,
    return_indices: bool = False,
    distances: ndarray | None = None,
    indices: ndarray | None = None,
) -> ndarray:
    """Return how far each element is from the nearest zero, in steps between neighbours.

    Parameters
    ----------
    {input}
    metric : {"chessboard", "taxicab"} or array_like, optional
        Which neighbours one step leads to: all around, or those along one axis. The structures of the two, as
        `generate_binary_structure` makes them, mean the same.
    {return_distances}
    {return_indices}
    distances : ndarray of int32, optional
        Where to put the distances.
    indices : ndarray of int32, optional
        Where to put the indices.

    Returns
    -------
    ndarray or tuple of ndarray
        The distances, the indices or both, those that no array was given for. Without any zero distances are
        -1.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.distance_transform_cdt(cp.array([[1, 1], [1, 0]]), "taxicab")
    array([[2, 1],
           [1, 0]], dtype=int32)
    """
    op = "distance_transform_cdt"
    _checked(op, distances, indices, return_distances, return_indices)
    a = as_array(input).astype(bool)
    taxicab = _is_taxicab(op, metric, a.ndim)
    steps, places = _integer_distances(a, taxicab)
    found: list[tuple[ndarray, ndarray | None, str, type[Exception]]] = []
    if return_distances:
        found.append((steps.astype(np.int32), distances, "distances", ValueError))
    if return_indices:
        found.append((_spread(places, a.shape), indices, "indices", ValueError))
    result: ndarray = _delivered(op, found)
    return result


@documented
@names_itself
def distance_transform_bf(
    input: Any,
    metric: str = "euclidean",
    sampling: Any = None,
    return_distances: bool = True,
    return_indices: bool = False,
    distances: ndarray | None = None,
    indices: ndarray | None = None,
) -> ndarray:
    """Return how far each element is from the nearest zero, by a metric.

    Parameters
    ----------
    {input}
    metric : {"euclidean", "taxicab", "chessboard"}, optional
        The metric.
    sampling : float or sequence of float, optional
        The spacing of the elements for the metric "euclidean".
    {return_distances}
    {return_indices}
    distances : ndarray, optional
        Where to put the distances: float64, or uint32 for the other metrics.
    indices : ndarray of int32, optional
        Where to put the indices.

    Returns
    -------
    ndarray or tuple of ndarray
        The distances, the indices or both, those that no array was given for.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.distance_transform_bf(cp.array([1, 1, 0]), "taxicab")
    array([2, 1, 0], dtype=uint32)
    """
    op = "distance_transform_bf"
    _checked(op, distances, indices, return_distances, return_indices)
    if metric == "euclidean":
        return distance_transform_edt(input, sampling, return_distances, return_indices, distances, indices)
    if metric not in ("taxicab", "cityblock", "manhattan", "chessboard"):
        raise RuntimeError(f"{op}: distance metric {metric!r} is not supported")
    steps, places = _integer_distances(as_array(input).astype(bool), metric != "chessboard")
    found: list[tuple[ndarray, ndarray | None, str, type[Exception]]] = []
    if return_distances:
        found.append((steps.astype(np.uint32), distances, "distances", RuntimeError))
    if return_indices:
        found.append((_spread(places, steps.shape), indices, "indices", RuntimeError))
    result: ndarray = _delivered(op, found)
    return result
