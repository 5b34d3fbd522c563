"""What the library offers, in the words of the array API standard."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._errors import naming

__all__ = ["__array_namespace_info__"]

_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "integral": ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
    "numeric": (
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float32", "float64", "complex64", "complex128"),
    ),
}


class __array_namespace_info__:  # noqa: N801 - the standard's name
    """Answer what the array API standard lets programs ask a library.

    Examples
    --------
    >>> info = cp.__array_namespace_info__()
    >>> info.default_dtypes()["integral"]
    dtype('int64')
    """

    def capabilities(self) -> dict[str, Any]:
        """Return which optional features there are.

        Returns
        -------
        dict
            Whether masks index and shapes may depend on data, and how many axes there may be.

        Examples
        --------
        >>> cp.__array_namespace_info__().capabilities()["boolean indexing"]
        True
        """
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """Return the device of new arrays.

        Returns
        -------
        str
            Its name.

        Examples
        --------
        >>> cp.__array_namespace_info__().default_device() == cp.info()["device"]
        True
        """
        device: str = _core.info()["device"]
        return device

    def devices(self) -> list[str]:
        """Return the devices that arrays can be on.

        Returns
        -------
        list of str
            Their names.

        Examples
        --------
        >>> "cpu" in cp.__array_namespace_info__().devices()
        True
        """
        from .. import cuda

        gpus = cuda.runtime.getDeviceCount() if cuda.is_available() else 0
        return ["cpu", *(f"cuda:{number}" for number in range(gpus))]

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """Return the dtypes that results have where none is asked for.

        Parameters
        ----------
        device : str or cuda.Device, optional
            The device; they are the same on all.

        Returns
        -------
        dict
            The dtypes by kind.

        Examples
        --------
        >>> cp.__array_namespace_info__().default_dtypes()["real floating"]
        dtype('float64')
        """
        _known(device)
        return {
            "real floating": np.dtype("float64"),
            "complex floating": np.dtype("complex128"),
            "integral": np.dtype("int64"),
            "indexing": np.dtype("int64"),
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """Return the standard's dtypes.

        Parameters
        ----------
        device : str or cuda.Device, optional
            The device; they are the same on all.
        kind : str or tuple of str, optional
            Their kinds, as "integral"; all when None.

        Returns
        -------
        dict
            The dtypes by name.

        Examples
        --------
        >>> sorted(cp.__array_namespace_info__().dtypes(kind="real floating"))
        ['float32', 'float64']
        """
        _known(device)
        kinds = ("bool", "numeric") if kind is None else kind if isinstance(kind, tuple) else (kind,)
        names: dict[str, np.dtype] = {}
        for one in kinds:
            if not isinstance(one, str) or one not in _KINDS:
                raise ValueError(f"dtypes: unsupported kind: {one!r}")
            names.update((name, np.dtype(name)) for name in _KINDS[one])
        return names


def _known(device: Any) -> None:
    """Raise unless there is such a device."""
    if device is not None:
        with naming("__array_namespace_info__"):
            _core.array(0).to_device(device)
