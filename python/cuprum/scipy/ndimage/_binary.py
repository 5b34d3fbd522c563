"""Morphology of sets: erosion and dilation of boolean arrays, and what is made of them."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ..._ufuncs import logical_and, logical_not
from ._arguments import delivered, filtered_axes, for_axes, is_complex, on_host, spread, target, widened
from ._documentation import documented

if TYPE_CHECKING:
    from ..._typing import ArrayLike, ShapeLike


__all__ = [
    "binary_closing",
    "binary_dilation",
    "binary_erosion",
    "binary_fill_holes",
    "binary_hit_or_miss",
    "binary_opening",
    "binary_propagation",
    "generate_binary_structure",
    "iterate_structure",
]


def generate_binary_structure(rank: int, connectivity: int) -> ndarray:
    """Return the neighbours of an element: those that differ from it along no more than some axes.

    Parameters
    ----------
    rank : int
        The number of axes.
    connectivity : int
        Along how many axes a neighbour may differ, by one.

    Returns
    -------
    ndarray
        A boolean array of length 3 along each axis.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.generate_binary_structure(2, 1).astype(int)
    array([[0, 1, 0],
           [1, 1, 1],
           [0, 1, 0]])
    """
    return _core.array(_neighbours(rank, connectivity))


def _neighbours(rank: int, connectivity: int) -> np.ndarray:
    if rank < 1:
        return np.array(True)
    away = np.abs(np.indices([3] * rank) - 1).sum(0)
    result: np.ndarray = away <= max(connectivity, 1)
    return result


def _window(structure: Any, rank: int) -> np.ndarray:
    """Return which neighbours count; lengths instead of truth values are those of a window of all."""
    if isinstance(structure, (int, np.integer)) and not isinstance(structure, bool):
        return np.ones((int(structure),) * rank, bool)
    if (
        isinstance(structure, tuple)
        and len(structure) == rank > 1
        and all(isinstance(n, int) for n in structure)
    ):
        return np.ones(structure, bool)
    return on_host(structure).astype(bool)


def _morphed(
    op: str,
    larger: bool,
    input: Any,
    structure: Any,
    iterations: Any,
    mask: Any,
    output: Any,
    border_value: Any,
    origin: Any,
    axes: Any,
) -> ndarray:
    """Return a set eroded, or dilated, as often as asked or until nothing changes."""
    try:
        iterations = operator.index(iterations)
    except TypeError as error:
        raise TypeError(f"{op}: iterations parameter should be an integer") from error
    a = as_array(input)
    if is_complex(a):
        raise TypeError(f"{op}: Complex type not supported")
    if isinstance(output, ndarray) and is_complex(output):
        raise TypeError(f"{op}: Complex output type not supported")
    chosen = filtered_axes(op, axes, a.ndim)
    window = _neighbours(len(chosen), 1) if structure is None else _window(structure, len(chosen))
    origins = for_axes(op, "origin", origin, len(chosen))
    if larger:
        origins = [-one - (size % 2 == 0) for one, size in zip(origins, window.shape, strict=False)]
        window = np.flip(window)
    window = widened(op, window, chosen, a.ndim, "structure")
    origins = spread(origins, chosen, a.ndim, 0)
    if mask is not None:
        mask = as_array(mask)
        if mask.shape != a.shape:
            raise RuntimeError(f"{op}: mask has shape {mask.shape}, the input {a.shape}")
        mask = mask.astype(bool)
    dtype, array = target(op, output if isinstance(output, ndarray) else np.bool_, a)
    fill = float(bool(border_value))
    result = _until(op, larger, a.astype(bool), window, iterations, mask, fill, origins)
    return delivered(result.astype(dtype, copy=False), array)


def _until(
    op: str,
    larger: bool,
    a: ndarray,
    window: np.ndarray,
    iterations: int,
    mask: ndarray | None,
    fill: float,
    origins: list[int],
) -> ndarray:
    if a.size == 0 or not window.any():
        # Of no elements, all are set and none is.
        return a if a.size == 0 else _core.full(a.shape, not larger, np.bool_)
    done = 0
    while True:
        result = _core.extremum_filter(larger, a, window, None, np.bool_, "constant", fill, origins)
        if mask is not None:
            result = _core.where(mask, result, a)
        done += 1
        if done == iterations or (iterations < 1 and not (result != a).any().item()):
            return result
        a = result


@documented
@names_itself
def binary_erosion(
    input: Any,
    structure: Any = None,
    iterations: Any = 1,
    mask: Any = None,
    output: Any = None,
    border_value: Any = 0,
    origin: Any = 0,
    brute_force: bool = False,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the elements of a set whose neighbours all belong to it.

    Parameters
    ----------
    {input}
    {structure}
    {iterations}
    {mask}
    {set_output}
    {border_value}
    {origins}
    {brute_force}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.binary_erosion(cp.array([0, 1, 1, 1, 0])).astype(int)
    array([0, 0, 1, 0, 0])
    """
    return _morphed(
        "binary_erosion", False, input, structure, iterations, mask, output, border_value, origin, axes
    )


@documented
@names_itself
def binary_dilation(
    input: Any,
    structure: Any = None,
    iterations: Any = 1,
    mask: Any = None,
    output: Any = None,
    border_value: Any = 0,
    origin: Any = 0,
    brute_force: bool = False,
    *,
    axes: Any = None,
) -> ndarray:
    """Return a set with all neighbours of its elements.

    Parameters
    ----------
    {input}
    {structure}
    {iterations}
    {mask}
    {set_output}
    {border_value}
    {origins}
    {brute_force}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.binary_dilation(cp.array([0, 0, 1, 0, 0])).astype(int)
    array([0, 1, 1, 1, 0])
    """
    return _morphed(
        "binary_dilation", True, input, structure, iterations, mask, output, border_value, origin, axes
    )


@documented
@names_itself
def binary_opening(
    input: Any,
    structure: Any = None,
    iterations: Any = 1,
    output: Any = None,
    origin: Any = 0,
    mask: Any = None,
    border_value: Any = 0,
    brute_force: bool = False,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the dilation of the erosion: parts smaller than the structure vanish.

    Parameters
    ----------
    {input}
    {structure}
    {iterations}
    {set_output}
    {origins}
    {mask}
    {border_value}
    {brute_force}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.binary_opening(cp.array([0, 1, 0, 1, 1, 1, 0])).astype(int)
    array([0, 0, 0, 1, 1, 1, 0])
    """
    between = binary_erosion(input, structure, iterations, mask, None, border_value, origin, axes=axes)
    return binary_dilation(between, structure, iterations, mask, output, border_value, origin, axes=axes)


@documented
@names_itself
def binary_closing(
    input: Any,
    structure: Any = None,
    iterations: Any = 1,
    output: Any = None,
    origin: Any = 0,
    mask: Any = None,
    border_value: Any = 0,
    brute_force: bool = False,
    *,
    axes: Any = None,
) -> ndarray:
    """Return the erosion of the dilation: gaps smaller than the structure vanish.

    Parameters
    ----------
    {input}
    {structure}
    {iterations}
    {set_output}
    {origins}
    {mask}
    {border_value}
    {brute_force}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.binary_closing(cp.array([0, 1, 1, 0, 1, 1, 0])).astype(int)
    array([0, 1, 1, 1, 1, 1, 0])
    """
    between = binary_dilation(input, structure, iterations, mask, None, border_value, origin, axes=axes)
    return binary_erosion(between, structure, iterations, mask, output, border_value, origin, axes=axes)


@documented
@names_itself
def binary_propagation(
    input: Any,
    structure: Any = None,
    mask: Any = None,
    output: Any = None,
    border_value: Any = 0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> ndarray:
    """Return a set with everything in a mask that is connected to it.

    Parameters
    ----------
    {input}
    {structure}
    {mask}
    {set_output}
    {border_value}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.binary_propagation(cp.array([0, 1, 0, 0, 0]), mask=cp.array([1, 1, 1, 0, 1])).astype(int)
    array([1, 1, 1, 0, 0])
    """
    return binary_dilation(input, structure, -1, mask, output, border_value, origin, axes=axes)


@documented
@names_itself
def binary_fill_holes(
    input: Any, structure: Any = None, output: Any = None, origin: Any = 0, *, axes: Any = None
) -> ndarray:
    """Return a set with what it encloses.

    Parameters
    ----------
    {input}
    {structure}
    {set_output}
    {origins}
    {axes}

    {result}

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ring = cp.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> ndimage.binary_fill_holes(ring).all()
    array(True)
    """
    outside = logical_not(as_array(input))
    start = _core.zeros(outside.shape, np.bool_)
    reached = binary_dilation(start, structure, -1, outside, None, 1, origin, axes=axes)
    result = logical_not(reached)
    return delivered(result, output) if isinstance(output, ndarray) else result


@documented
@names_itself
def binary_hit_or_miss(
    input: Any,
    structure1: ArrayLike | None = None,
    structure2: ArrayLike | None = None,
    output: Any = None,
    origin1: ShapeLike = 0,
    origin2: ShapeLike | None = None,
    *,
    axes: Any = None,
) -> ndarray | None:
    """Return where a pattern occurs in a set: neighbours that belong to it, and others that do not.

    Parameters
    ----------
    {input}
    structure1 : array_like, optional
        The neighbours that must belong to the set; by default those that differ along one axis.
    structure2 : array_like, optional
        The neighbours that must not; by default all others of `structure1`.
    {set_output}
    origin1, origin2 : int or sequence of int, optional
        How far the structures are moved, for all axes or for each; `origin2` is `origin1` by default.
    {axes}

    Returns
    -------
    ndarray
        A boolean array; None where `output` is given.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.binary_hit_or_miss(cp.array([0, 1, 1, 0, 1]), [1, 1, 0]).astype(int)
    array([0, 0, 1, 0, 0])
    """
    a = as_array(input)
    chosen = filtered_axes("binary_hit_or_miss", axes, a.ndim)
    inner = _neighbours(len(chosen), 1) if structure1 is None else on_host(structure1).astype(bool)
    outer = ~inner if structure2 is None else on_host(structure2).astype(bool)
    hit = binary_erosion(a, inner, origin=origin1, axes=axes)
    missed = binary_erosion(
        logical_not(a), outer, border_value=1, origin=origin1 if origin2 is None else origin2, axes=axes
    )
    result = logical_and(hit, missed)
    if isinstance(output, ndarray):
        output[...] = result
        return None
    return result


@names_itself
def iterate_structure(structure: ArrayLike, iterations: int, origin: ShapeLike | None = None) -> Any:
    """Return the structure whose use once is that of another several times.

    Parameters
    ----------
    structure : array_like
        The structure.
    iterations : int
        How often it is used.
    origin : int or sequence of int, optional
        Its origin.

    Returns
    -------
    ndarray, or tuple of it and a list of int
        The larger structure, and its origin where one is given.

    Examples
    --------
    >>> from cuprum.scipy import ndimage
    >>> ndimage.iterate_structure(cp.array([1, 1, 1]), 2).astype(int)
    array([1, 1, 1, 1, 1])
    """
    window = on_host(structure)
    if iterations < 2:
        return _core.array(window)
    more = iterations - 1
    result = np.zeros([n + more * (n - 1) for n in window.shape], bool)
    result[tuple(slice(more * (n // 2), more * (n // 2) + n) for n in window.shape)] = window != 0
    larger = binary_dilation(_core.array(result), window, iterations=more)
    if origin is None:
        return larger
    return larger, [iterations * one for one in for_axes("iterate_structure", "origin", origin, window.ndim)]
