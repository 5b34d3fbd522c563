"""New arrays filled with a value, or with nothing yet."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._convert import as_array, as_shape, is_plain, on_device
from .._core import ndarray
from .._errors import naming, renamed
from .._indexing.indexing import copyto

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, Order, OrderCF, ShapeLike


__all__ = [
    "empty",
    "empty_like",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]


def empty(
    shape: ShapeLike, dtype: DTypeLike | None = None, order: OrderCF = "C", *, device: Any = None
) -> ndarray:
    """Return a new array without setting its elements.

    Parameters
    ----------
    shape : int or tuple of int
        Its shape.
    dtype : dtype, optional
        Its dtype; float64 when None.
    order : {"C", "F"}, optional
        Its memory layout.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The array, of arbitrary values.

    Examples
    --------
    >>> cp.empty((2, 3)).shape
    (2, 3)
    """
    try:
        if device is not None:
            with on_device("empty", device):
                return _core.empty(shape, dtype, order)
        return _core.empty(shape, dtype, order)
    except TypeError as error:
        return _stored(error, "empty", device, shape, None, dtype, order)


def zeros(
    shape: ShapeLike, dtype: DTypeLike | None = None, order: OrderCF = "C", *, device: Any = None
) -> ndarray:
    """Return a new array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        Its shape.
    dtype : dtype, optional
        Its dtype; float64 when None.
    order : {"C", "F"}, optional
        Its memory layout.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The array of zeros.

    Examples
    --------
    >>> cp.zeros((2, 2), dtype=cp.int8)
    array([[0, 0],
           [0, 0]], dtype=int8)
    """
    try:
        if device is not None:
            with on_device("zeros", device):
                return _core.zeros(shape, dtype, order)
        return _core.zeros(shape, dtype, order)
    except TypeError as error:
        return _stored(error, "zeros", device, shape, None, dtype, order)


def ones(
    shape: ShapeLike, dtype: DTypeLike | None = None, order: OrderCF = "C", *, device: Any = None
) -> ndarray:
    """Return a new array of ones.

    Parameters
    ----------
    shape : int or tuple of int
        Its shape.
    dtype : dtype, optional
        Its dtype; float64 when None.
    order : {"C", "F"}, optional
        Its memory layout.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The array of ones.

    Examples
    --------
    >>> cp.ones(3)
    array([1., 1., 1.])
    """
    try:
        if device is not None:
            with on_device("ones", device):
                return _core.ones(shape, dtype, order)
        return _core.ones(shape, dtype, order)
    except TypeError as error:
        return _stored(error, "ones", device, shape, 1, dtype, order)


def full(
    shape: ShapeLike,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    order: OrderCF = "C",
    *,
    device: Any = None,
) -> ndarray:
    """Return a new array filled with a value.

    Parameters
    ----------
    shape : int or tuple of int
        Its shape.
    fill_value : array_like
        The value, broadcast to the shape.
    dtype : dtype, optional
        Its dtype; that of the value when None.
    order : {"C", "F"}, optional
        Its memory layout.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The filled array.

    Examples
    --------
    >>> cp.full((2, 2), 7)
    array([[7, 7],
           [7, 7]])
    """
    try:
        if device is not None:
            with on_device("full", device):
                return _core.full(shape, fill_value, dtype, order)
        return _core.full(shape, fill_value, dtype, order)
    except TypeError as error:
        return _stored(error, "full", device, shape, fill_value, dtype, order)


def _stored(error: TypeError, op: str, device: Any, *arguments: Any) -> ndarray:
    """Return an array of a dtype that is stored and not computed with, or raise what the engine raised."""
    from .. import _stored as stored

    *_, dtype, _ = arguments
    if isinstance(dtype, (int, np.integer)):
        raise TypeError(
            f"{op}: Cannot interpret '{dtype}' as a data type; a shape of several axes is one tuple, "
            f"as in {op}((2, 3))"
        )
    with naming(op), nullcontext() if device is None else on_device(op, device):
        made: ndarray = stored.instead(error, op, *arguments)
        return made


def _make_like(
    op: str, make: Callable[..., ndarray], prototype: Any, dtype: Any, order: Any, shape: Any, device: Any
) -> ndarray:
    """Make an array by `make(shape, dtype, order)`, by default as the prototype is and where it is."""
    try:
        if getattr(type(prototype), "_is_stored", False):
            dims = prototype.shape if shape is None else as_shape(shape)
            return make(dims, prototype.dtype if dtype is None else dtype, "F" if order == "F" else "C")
        source = as_array(prototype)
        if device is not None or not _core.is_current(source):
            with on_device(op, source.device if device is None else device):
                return _made_like(make, source, dtype, order, shape)
        return _made_like(make, source, dtype, order, shape)
    except Exception as error:
        raise renamed(op, error) from error.__cause__


def _is_alike(prototype: Any, order: Any, shape: Any, device: Any) -> bool:
    """Tell whether nothing is asked for but an array beside `prototype`, laid out as that is."""
    return is_plain(prototype) and order == "K" and shape is None and device is None


def _made_like(make: Callable[..., ndarray], source: ndarray, dtype: Any, order: Any, shape: Any) -> ndarray:
    dims = source.shape if shape is None else as_shape(shape)
    dtype = source.dtype if dtype is None else dtype
    if isinstance(dtype, (list, np.dtype)) and np.dtype(dtype).fields is not None:
        # Dask, for one, asks for fields this way and has another way for arrays without.
        raise TypeError(f"an array like one of {source.dtype} has no fields: write cp.empty(shape, dtype)")
    flags = source.flags
    if order in ("C", "F"):
        return make(dims, dtype, order)
    if order not in ("A", "K"):
        # The extension raises for what no layout is called.
        return make(dims, dtype, order)
    if order == "A" or len(dims) != source.ndim or flags.c_contiguous or flags.f_contiguous:
        fortran = flags.f_contiguous and not flags.c_contiguous and len(dims) > 1
        return make(dims, dtype, "F" if fortran and (order == "A" or len(dims) == source.ndim) else "C")
    # Axes from the outermost in memory to the innermost; equal strides stay in C order.
    memory = sorted(range(source.ndim), key=lambda axis: -abs(source.strides[axis]))
    back = [memory.index(axis) for axis in range(source.ndim)]
    return make(tuple(dims[axis] for axis in memory), dtype, "C").transpose(back)


def empty_like(
    prototype: ArrayLike,
    /,
    dtype: DTypeLike | None = None,
    order: Order = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
    *,
    device: Any = None,
) -> ndarray:
    """Return a new array shaped and laid out like another, without setting its elements.

    Parameters
    ----------
    prototype : array_like
        What it is to be like.
    dtype : dtype, optional
        Its dtype; the prototype's when None.
    order : {"K", "A", "C", "F"}, optional
        Its memory layout; "K" is as close to the prototype's as can be.
    subok : bool, optional
        Taken for compatibility: the result is a plain array.
    shape : int or tuple of int, optional
        Its shape; the prototype's when None.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The array, of arbitrary values.

    Examples
    --------
    >>> cp.empty_like(cp.ones((2, 3), dtype=cp.int8)).shape
    (2, 3)
    """
    if _is_alike(prototype, order, shape, device):
        return _core.empty_like(prototype, dtype)
    return _make_like("empty_like", empty, prototype, dtype, order, shape, device)


def zeros_like(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    order: Order = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
    *,
    device: Any = None,
) -> ndarray:
    """Return zeros shaped and laid out like another array.

    Parameters
    ----------
    a : array_like
        What it is to be like.
    dtype : dtype, optional
        Its dtype; that of `a` when None.
    order : {"K", "A", "C", "F"}, optional
        Its memory layout; "K" is as close to that of `a` as can be.
    subok : bool, optional
        Taken for compatibility: the result is a plain array.
    shape : int or tuple of int, optional
        Its shape; that of `a` when None.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The array of zeros.

    Examples
    --------
    >>> cp.zeros_like(cp.array([1, 2, 3]))
    array([0, 0, 0])
    """
    if _is_alike(a, order, shape, device):
        return _core.zeros_like(a, dtype)
    return _make_like("zeros_like", zeros, a, dtype, order, shape, device)


def ones_like(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    order: Order = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
    *,
    device: Any = None,
) -> ndarray:
    """Return ones shaped and laid out like another array.

    Parameters
    ----------
    a : array_like
        What it is to be like.
    dtype : dtype, optional
        Its dtype; that of `a` when None.
    order : {"K", "A", "C", "F"}, optional
        Its memory layout; "K" is as close to that of `a` as can be.
    subok : bool, optional
        Taken for compatibility: the result is a plain array.
    shape : int or tuple of int, optional
        Its shape; that of `a` when None.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The array of ones.

    Examples
    --------
    >>> cp.ones_like(cp.array([1.5, 2.5]))
    array([1., 1.])
    """
    if _is_alike(a, order, shape, device):
        return _core.ones_like(a, dtype)
    return _make_like("ones_like", ones, a, dtype, order, shape, device)


def full_like(
    a: ArrayLike,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    order: Order = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
    *,
    device: Any = None,
) -> ndarray:
    """Return an array filled with a value, shaped and laid out like another.

    Parameters
    ----------
    a : array_like
        What it is to be like.
    fill_value : array_like
        The value, broadcast to the shape and cast to the dtype.
    dtype : dtype, optional
        Its dtype; that of `a` when None.
    order : {"K", "A", "C", "F"}, optional
        Its memory layout; "K" is as close to that of `a` as can be.
    subok : bool, optional
        Taken for compatibility: the result is a plain array.
    shape : int or tuple of int, optional
        Its shape; that of `a` when None.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The filled array.

    Examples
    --------
    >>> cp.full_like(cp.array([1, 2, 3]), 7)
    array([7, 7, 7])
    """
    try:
        if _is_alike(a, order, shape, device):
            result = _core.empty_like(a, dtype)
        else:
            result = _make_like("full_like", empty, a, dtype, order, shape, device)
        if not is_plain(result):
            stored: Any = result
            return stored._filled_with(fill_value)  # type: ignore[no-any-return]
        copyto(result, fill_value, casting="unsafe")
    except Exception as error:
        raise renamed("full_like", error) from error.__cause__
    return result
