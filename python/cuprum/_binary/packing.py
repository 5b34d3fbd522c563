"""Packing booleans into bytes and back."""

from __future__ import annotations

from operator import index
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


def _is_big(op: str, bitorder: str) -> bool:
    if bitorder not in ("big", "little"):
        raise ValueError(f"{op}: 'bitorder' must be 'little' or 'big', got {bitorder!r}")
    return bitorder == "big"


# Eight bytes are one number of 64 bits, the first byte its lowest. Multiplied by the first of these, ones in
# its bytes meet in the highest byte, each at a bit of its own; the second has that bit of each byte.
_GATHER = {True: 0x8040201008040201, False: 0x0102040810204080}
_OWN_BITS = {True: 0x0102040810204080, False: 0x8040201008040201}
_SHIFTS = {True: np.arange(7, -1, -1, dtype=np.uint8), False: np.arange(8, dtype=np.uint8)}
_ONES, _LOW_BITS = 0x0101010101010101, 0x7F7F7F7F7F7F7F7F


def _ones_of(eights: ndarray) -> ndarray:
    """Return a one for each byte that is not zero; bytes of booleans from elsewhere may be any number."""
    highest = ((eights & _LOW_BITS) + _LOW_BITS) | eights
    return (highest >> 7) & _ONES


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
    is_big = _is_big("packbits", bitorder)
    bits = _bit_axis("packbits", a, axis)
    if bits.dtype.itemsize > 1 or not bits.flags.c_contiguous:
        bits = bits != 0
    width = -bits.shape[-1] % 8
    if width:
        bits = _core.concatenate((bits, _core.zeros((*bits.shape[:-1], width), bits.dtype, "C")), -1)
    if bits.flags.c_contiguous:
        packed = ((_ones_of(bits.view(np.uint64)) * _GATHER[is_big]) >> 56).astype(np.uint8)
    else:
        grouped = bits.reshape((*bits.shape[:-1], bits.shape[-1] // 8, 8)).astype(np.uint8)
        packed = (grouped << _core.array(_SHIFTS[is_big])).sum(axis=-1, dtype=np.uint8)
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
    is_big = _is_big("unpackbits", bitorder)
    own = (_bit_axis("unpackbits", a, axis).astype(np.uint64) * _ONES) & _OWN_BITS[is_big]
    eights = _ones_of(own)
    bits = (eights if eights.flags.c_contiguous else eights.copy("C")).view(np.uint8)
    if count is not None:
        count = index(count)
        if count < -bits.shape[-1]:
            raise ValueError(f"unpackbits: -count larger than number of elements, got {count}")
        missing = count - bits.shape[-1]
        bits = bits[..., :count]
        if missing > 0:
            bits = _core.concatenate((bits, _core.zeros((*bits.shape[:-1], missing), np.uint8, "C")), -1)
    return bits if axis is None else _ordered(_core.moveaxis(bits, -1, axis), a)
