"""`cupy._core._scalar`: dtypes by their names in CUDA C."""

from __future__ import annotations

from typing import Any

from cuprum._kernels._parameters import type_name

__all__ = ["get_typename"]


def get_typename(dtype: Any, type_decls: Any = None) -> str:
    """Return the type of CUDA C that holds numbers of a dtype.

    Examples
    --------
    >>> from cuprum.compat.cupy._core._scalar import get_typename
    >>> get_typename("float32"), get_typename("complex128")
    ('float', 'complex<double>')
    """
    return type_name(dtype)
