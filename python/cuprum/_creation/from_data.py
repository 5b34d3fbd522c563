"""Arrays from Python values, buffers, iterators and other arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._convert import is_plain, on_device
from .._core import ndarray
from .._dtypes import as_dtype, is_bfloat16
from .._errors import names_itself, naming, of_stored

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, Order


__all__ = [
    "array",
    "asanyarray",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "copy",
    "fromDlpack",
    "from_dlpack",
    "frombuffer",
    "fromiter",
    "require",
]


def array(
    object: ArrayLike,
    dtype: DTypeLike | None = None,
    *,
    copy: Any = True,
    order: Order = "K",
    subok: bool = False,
    ndmin: SupportsIndex = 0,
    blocking: bool = False,
) -> ndarray:
    """Make an array from numbers, nested sequences, buffers, NumPy arrays or other arrays.

    Parameters
    ----------
    object : array_like
        The values.
    dtype : dtype, optional
        The dtype of the result; found from the values when None.
    copy : bool or None, optional
        True copies always, None only when needed; False raises where a copy is needed.
    order : {"K", "A", "C", "F"}, optional
        The memory layout; "K" keeps the source's.
    subok : bool, optional
        Taken for compatibility: the result is a plain array.
    ndmin : int, optional
        The least number of dimensions; ones are put in front of the shape.
    blocking : bool, optional
        Taken for compatibility: memory of the host has been read when the call returns.

    Returns
    -------
    ndarray
        The new array.

    Examples
    --------
    >>> cp.array([[1, 2], [3, 4.5]])
    array([[1. , 2. ],
           [3. , 4.5]])
    """
    if is_plain(object) and not _core.is_current(object):
        object = _on_current_gpu("array", object, copy)
    try:
        return _core.array(object, dtype, copy, order, ndmin)
    except TypeError as error:
        return _stored(error, object, dtype, copy, order, ndmin)
    except ValueError as error:
        # NumPy, which is asked what a list holds, makes nothing of dates and structures without axes.
        if not isinstance(object, (list, tuple)) or not any(hasattr(item, "_is_stored") for item in object):
            raise
        return _stored(TypeError(str(error)), object, dtype, copy, order, ndmin)


def _stored(error: TypeError, *arguments: Any) -> ndarray:
    """Return an array of a dtype that is stored and not computed with, or raise what the engine raised."""
    from .. import _stored as stored

    made: ndarray = stored.instead(error, "array", *arguments)
    return made


def _on_current_gpu(op: str, a: ndarray, copy: Any) -> ndarray:
    """Return an array of another GPU on the current one, as CuPy moves them; those of the CPU stay."""
    here = _core.current_gpu()
    if here is None or a.device == "cpu":
        return a
    if copy is False:
        raise ValueError(
            f"{op}: an array on cuda:{a.device.id} is copied to cuda:{here}, which copy=False forbids"
        )
    return a.to_device(f"cuda:{here}")


def _fits(a: ndarray, dtype: Any, order: Any) -> bool:
    """Tell whether `a` already has the dtype and layout that are asked for."""
    if dtype is not None and a.dtype != as_dtype(dtype):
        return False
    if order is None or order == "K":
        return True
    if order == "C":
        return a.flags.c_contiguous
    if order == "F":
        return a.flags.f_contiguous
    return order == "A" and (a.flags.c_contiguous or a.flags.f_contiguous)


def asarray(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    order: Order | None = None,
    *,
    device: Any = None,
    copy: bool | None = None,
    blocking: bool = False,
) -> ndarray:
    """Return the argument as an array, itself where it already is one.

    Parameters
    ----------
    a : array_like
        The values.
    dtype : dtype, optional
        The dtype that the result must have.
    order : {"K", "A", "C", "F"}, optional
        The memory layout that the result must have.
    device : str or cuda.Device, optional
        The device; the current one when None, but for arrays of the CPU, which stay there.
    copy : bool, optional
        True copies always; False raises where a copy is needed.
    blocking : bool, optional
        Taken for compatibility: memory of the host has been read when the call returns.

    Returns
    -------
    ndarray
        `a`, or an array made from it.

    Examples
    --------
    >>> a = cp.arange(3)
    >>> cp.asarray(a) is a
    True
    >>> cp.asarray([1, 2], dtype=cp.float32)
    array([1., 2.], dtype=float32)
    """
    if device is not None:
        if is_plain(a):
            with naming("asarray"):
                a = a.to_device(device)
        else:
            with on_device("asarray", device):
                return asarray(a, dtype, order, copy=copy)
    elif is_plain(a) and not _core.is_current(a):
        a = _on_current_gpu("asarray", a, copy)
    if copy is not True and is_plain(a) and _fits(a, dtype, order):
        return a
    try:
        return _core.array(a, dtype, copy, "K" if order is None else order)
    except TypeError as error:
        return _stored(error, a, dtype, copy, order, 0)


@names_itself
def asanyarray(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    order: Order | None = None,
    *,
    device: Any = None,
    copy: bool | None = None,
    blocking: bool = False,
) -> ndarray:
    """Return the argument as an array; the same as `asarray`, which keeps derived classes too.

    Parameters
    ----------
    a : array_like
        The values.
    dtype : dtype, optional
        The dtype that the result must have.
    order : {"K", "A", "C", "F"}, optional
        The memory layout that the result must have.
    device : str or cuda.Device, optional
        The device; the current one when None.
    copy : bool, optional
        True copies always; False raises where a copy is needed.
    blocking : bool, optional
        Taken for compatibility: memory of the host has been read when the call returns.

    Returns
    -------
    ndarray
        `a`, or an array made from it.

    Examples
    --------
    >>> cp.asanyarray([1.5, 2])
    array([1.5, 2. ])
    """
    return asarray(a, dtype, order, device=device, copy=copy)


def ascontiguousarray(a: ArrayLike, dtype: DTypeLike | None = None) -> ndarray:
    """Return the argument as an array of at least one dimension in C order.

    Parameters
    ----------
    a : array_like
        The values.
    dtype : dtype, optional
        The dtype that the result must have.

    Returns
    -------
    ndarray
        `a` where it is C-contiguous already, a copy otherwise.

    Examples
    --------
    >>> cp.ascontiguousarray(cp.ones((2, 3)).T).flags.c_contiguous
    True
    """
    if is_plain(a) and a.ndim > 0 and _fits(a, dtype, "C"):
        return a
    try:
        return _core.array(a, dtype=dtype, copy=None, order="C", ndmin=1)
    except TypeError as error:
        made: Any = _stored(error, a, dtype, None, "C", 1)
        return made if made.flags.c_contiguous else made.copy()  # type: ignore[no-any-return]


def asfortranarray(a: ArrayLike, dtype: DTypeLike | None = None) -> ndarray:
    """Return the argument as an array of at least one dimension in Fortran order.

    Parameters
    ----------
    a : array_like
        The values.
    dtype : dtype, optional
        The dtype that the result must have.

    Returns
    -------
    ndarray
        `a` where it is Fortran-contiguous already, a copy otherwise.

    Examples
    --------
    >>> cp.asfortranarray(cp.ones((2, 3))).strides
    (8, 16)
    """
    try:
        if is_plain(a) and a.ndim > 0 and _fits(a, dtype, "F"):
            return a
        return _core.array(a, dtype=dtype, copy=None, order="F", ndmin=1)
    except TypeError as error:
        if dtype is not None:
            with naming("asfortranarray"):
                return asfortranarray(asarray(a, dtype))
        return of_stored(error, asfortranarray, a, dtype=dtype)


def asarray_chkfinite(a: ArrayLike, dtype: DTypeLike | None = None, order: Order | None = None) -> ndarray:
    """Return the argument as an array, refusing NaN and infinities.

    Parameters
    ----------
    a : array_like
        The values.
    dtype : dtype, optional
        The dtype that the result must have.
    order : {"K", "A", "C", "F"}, optional
        The memory layout that the result must have.

    Returns
    -------
    ndarray
        `a` as an array.

    Raises
    ------
    ValueError
        Where an element is not finite.

    Examples
    --------
    >>> cp.asarray_chkfinite([1.0, 2.0])
    array([1., 2.])
    """
    result = asarray(a, dtype, order)
    if result.dtype.kind not in "biu" and not _core.ufuncs()["isfinite"](result).all():
        raise ValueError("asarray_chkfinite: array must not contain infs or NaNs")
    return result


_REQUIREMENTS = {
    "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C",
    "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F",
    "A": "A", "ALIGNED": "A",
    "W": "W", "WRITEABLE": "W",
    "O": "O", "OWNDATA": "O",
    "E": "E", "ENSUREARRAY": "E",
}  # fmt: skip


def require(a: Any, dtype: Any = None, requirements: Any = None) -> ndarray:
    """Return an array that meets the stated requirements, copied where it does not yet.

    Parameters
    ----------
    a : array_like
        The values.
    dtype : dtype, optional
        The dtype that the result must have.
    requirements : str or sequence of str, optional
        Any of "C", "F" (contiguous), "A" (aligned), "W" (writeable), "O" (owns its data), "E".

    Returns
    -------
    ndarray
        An array with these properties.

    Examples
    --------
    >>> cp.require(cp.ones((2, 3)), requirements="F").flags.f_contiguous
    True
    """
    wanted = {_REQUIREMENTS[name.upper()] for name in requirements or ()}
    if {"C", "F"} <= wanted:
        raise ValueError("require: cannot specify both C and F order")
    order: Order = "F" if "F" in wanted else "C" if "C" in wanted else "A"
    result = asarray(a, dtype, order)
    lacking = ("O" in wanted and not result.flags.owndata) or ("W" in wanted and not result.flags.writeable)
    return result.copy(order) if lacking else result


def copy(a: ArrayLike, order: Order = "K", subok: bool = False) -> ndarray:
    """Return a copy of an array.

    Parameters
    ----------
    a : array_like
        What to copy.
    order : {"K", "A", "C", "F"}, optional
        The memory layout of the copy; "K" keeps the source's.
    subok : bool, optional
        Taken for compatibility: the result is a plain array.

    Returns
    -------
    ndarray
        The copy.

    Examples
    --------
    >>> a = cp.arange(3)
    >>> b = cp.copy(a)
    >>> b[0] = 9
    >>> a
    array([0, 1, 2])
    """
    try:
        return _core.array(a, copy=True, order=order)
    except TypeError as error:
        return _stored(error, a, None, True, order, 0)


def frombuffer(
    buffer: Any, dtype: DTypeLike | None = None, count: SupportsIndex = -1, offset: SupportsIndex = 0
) -> ndarray:
    """Make a one-dimensional array from the bytes of a buffer.

    Parameters
    ----------
    buffer : bytes-like
        An object with the buffer interface.
    dtype : dtype, optional
        What the bytes are read as; float64 when None.
    count : int, optional
        How many elements to read; all when -1.
    offset : int, optional
        Where to start, in bytes.

    Returns
    -------
    ndarray
        The elements.

    Examples
    --------
    >>> cp.frombuffer(bytes([1, 2, 3]), dtype=cp.uint8)
    array([1, 2, 3], dtype=uint8)
    """
    return _core.frombuffer(buffer, dtype, count, offset)


def fromiter(iter: Any, dtype: Any, count: Any = -1) -> ndarray:
    """Make a one-dimensional array from the items of an iterable.

    Parameters
    ----------
    iter : iterable
        Yields the elements.
    dtype : dtype
        The dtype of the result.
    count : int, optional
        How many items to take; all when -1.

    Returns
    -------
    ndarray
        The elements.

    Examples
    --------
    >>> cp.fromiter((n * n for n in range(4)), dtype=cp.int64)
    array([0, 1, 4, 9])
    """
    items = iter.tolist() if isinstance(iter, ndarray) else iter
    if is_bfloat16(dtype):
        return _core.array(np.fromiter(items, np.float32, count)).astype(dtype)
    return _core.array(np.fromiter(items, dtype, count))


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> ndarray:
    """Make an array over the memory of an object that exports DLPack.

    Parameters
    ----------
    x : object
        An array of another library, with `__dlpack__` and `__dlpack_device__`, or a capsule that one gave.
    device : str or cuda.Device, optional
        The device; the current one when None.
    copy : bool, optional
        True copies; otherwise the memory is shared, and writes by either side are seen by the other.

    Returns
    -------
    ndarray
        The array.

    Examples
    --------
    >>> host = np.arange(3)
    >>> a = cp.from_dlpack(host)
    >>> host[0] = 7
    >>> a
    array([7, 1, 2])
    """
    if type(x).__name__ == "PyCapsule":
        made = fromDlpack(x)
        return asarray(made, device=device, copy=copy) if device is not None or copy else made
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack: {type(x).__name__} has no __dlpack__")
    with naming("from_dlpack"):
        return _core.from_dlpack(x, device=device, copy=copy)


def fromDlpack(dltensor: Any) -> ndarray:  # noqa: N802 - CuPy's name
    """Make an array over the memory of a DLPack capsule, which can be used once. Programs use `from_dlpack`.

    Parameters
    ----------
    dltensor : capsule
        What `__dlpack__` or `toDlpack` of an array gave.

    Returns
    -------
    ndarray
        The array.

    Examples
    --------
    >>> cp.fromDlpack(cp.arange(3).toDlpack())
    array([0, 1, 2])
    """
    return _core.from_capsule(dltensor)
