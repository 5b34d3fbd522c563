"""Where an array's elements are, as `ctypes` takes it: what `ndarray.ctypes` is."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ._core import ndarray

__all__ = ["Addresses"]

_INTP = np.ctypeslib.as_ctypes_type(np.intp)


class Addresses:
    """Hand an array's address, shape and strides to C; the array lives as long as what was handed out.

    Parameters
    ----------
    array : ndarray
        The array, on the CPU.

    Examples
    --------
    >>> cp.zeros((2, 3), device="cpu").ctypes.shape[:]
    [2, 3]
    """

    def __init__(self, array: ndarray) -> None:
        self._array = array
        self._address: int = array.__array_interface__["data"][0]

    @property
    def data(self) -> int:
        """The address of the first element."""
        return self._address

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        address: ctypes.c_void_p = self.data_as(ctypes.c_void_p)
        return address

    @property
    def shape(self) -> Any:
        """The lengths of the axes, an array of C integers."""
        return self.shape_as(_INTP)

    @property
    def strides(self) -> Any:
        """The bytes from one element to the next along each axis, an array of C integers."""
        return self.strides_as(_INTP)

    def data_as(self, obj: Any) -> Any:
        """Return the address as a pointer type of `ctypes`.

        Parameters
        ----------
        obj : type
            The pointer type.

        Returns
        -------
        pointer
            The pointer, which keeps the array alive.

        Examples
        --------
        >>> import ctypes
        >>> cp.arange(3, dtype=cp.int32).ctypes.data_as(ctypes.POINTER(ctypes.c_int32))[2]
        2
        """
        pointer = ctypes.cast(self._address, obj)
        pointer._arr = self._array
        return pointer

    def shape_as(self, obj: Any) -> Any:
        """Return the lengths of the axes as an array of a C integer type.

        Parameters
        ----------
        obj : type
            The integer type.

        Returns
        -------
        array
            The lengths.

        Examples
        --------
        >>> import ctypes
        >>> cp.zeros((2, 3)).ctypes.shape_as(ctypes.c_longlong)[:]
        [2, 3]
        """
        return (obj * self._array.ndim)(*self._array.shape)

    def strides_as(self, obj: Any) -> Any:
        """Return the strides as an array of a C integer type.

        Parameters
        ----------
        obj : type
            The integer type.

        Returns
        -------
        array
            The strides in bytes.

        Examples
        --------
        >>> import ctypes
        >>> cp.zeros((2, 3)).ctypes.strides_as(ctypes.c_longlong)[:]
        [24, 8]
        """
        return (obj * self._array.ndim)(*self._array.strides)
