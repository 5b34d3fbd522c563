"""Packing booleans into bytes and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from .. import _core
from .._convert import as_array, normalize_axis
from .._core import ndarray
from .._dtypes import kind_of

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = [
    "packbits",
    "unpackbits",
]


def _bit_axis(op: str, a: ndarray, axis: Any) -> ndarray:
    """Return the array with the axis of its bits last; flattened when no axis is given."""
    return (
        a.ravel()
        if axis is None or (a.ndim == 0 and axis in (0, -1))
        else _core.moveaxis(a, normalize_axis(op, axis, a.ndim), -1)
    )


def _bit_shifts(op: str, bitorder: str) -> ndarray:
    if bitorder not in ("big", "little"):
        raise ValueError(f"{op}: 'bitorder' must be 'little' or 'big', got {bitorder!r}")
    return _core.array(range(7, -1, -1) if bitorder == "big" else range(8), dtype=np.uint8)


def _ordered(result: ndarray, a: ndarray) -> ndarray:
    """Return a result in Fortran's order where the argument is in it alone, in C order else."""
    return _core.array(result, copy=None, order="F" if a.flags.fnc else "C")


def packbits(
    a: ArrayLike, /, axis: SupportsIndex | None = None, bitorder: Literal["big", "little"] = "big"
) -> ndarray:
    """Pack booleans into bytes, eight in each.

    Parameters
    ----------
    a : array_like of bool or int
        Nonzero elements become ones.
    axis : int, optional
        The axis along which to pack; the flattened array when None.
    bitorder : {"big", "little"}, optional
        Whether the first element is the highest or the lowest bit.

    Returns
    -------
    ndarray of uint8
        The bytes; the last is filled with zeros.

    Examples
    --------
    >>> cp.packbits([1, 0, 1, 0, 0, 0, 0, 1, 1])
    array([161, 128], dtype=uint8)
    """
    a = as_array(a)
    if kind_of(a.dtype) not in "biu":
        raise TypeError(f"packbits: expected an input array of integer or boolean data type, got {a.dtype}")
    shifts = _bit_shifts("packbits", bitorder)
    bits = _bit_axis("packbits", a, axis) != 0
    width = -bits.shape[-1] % 8
    if width:
        bits = _core.concatenate((bits, _core.zeros((*bits.shape[:-1], width), bool, "C")), -1)
    grouped = bits.reshape((*bits.shape[:-1], bits.shape[-1] // 8, 8)).astype(np.uint8)
    packed = (grouped << shifts).sum(axis=-1, dtype=np.uint8)
    return packed if axis is None else _ordered(_core.moveaxis(packed, -1, axis), a)


def unpackbits(
    a: ArrayLike,
    /,
    axis: SupportsIndex | None = None,
    count: SupportsIndex | None = None,
    bitorder: Literal["big", "little"] = "big",
) -> ndarray:
    """Unpack bytes into their bits, eight from each.

    Parameters
    ----------
    a : array_like of uint8
        The bytes.
    axis : int, optional
        The axis along which to unpack; the flattened array when None.
    count : int, optional
        How many bits to return; all when None. A negative number leaves out as many at the end.
    bitorder : {"big", "little"}, optional
        Whether the highest or the lowest bit comes first.

    Returns
    -------
    ndarray of uint8
        Zeros and ones.

    Examples
    --------
    >>> cp.unpackbits(cp.array([161], dtype=cp.uint8))
    array([1, 0, 1, 0, 0, 0, 0, 1], dtype=uint8)
    """
    a = as_array(a)
    if a.dtype != np.uint8:
        raise TypeError(f"unpackbits: expected an input array of unsigned byte data type, got {a.dtype}")
    shifts = _bit_shifts("unpackbits", bitorder)
    grouped = _bit_axis("unpackbits", a, axis)[..., None]
    bits = (grouped >> shifts) & np.uint8(1)
    bits = bits.reshape((*bits.shape[:-2], bits.shape[-2] * 8))
    if count is not None:
        if count < -bits.shape[-1]:
            raise ValueError(f"unpackbits: -count larger than number of elements, got {count}")
        missing = count - bits.shape[-1]
        bits = bits[..., :count]
        if missing > 0:
            bits = _core.concatenate((bits, _core.zeros((*bits.shape[:-1], missing), np.uint8, "C")), -1)
    return bits if axis is None else _ordered(_core.moveaxis(bits, -1, axis), a)
