"""NumPy's dtypes as Numba's types, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuprum.jit._signatures import dtype_named
from cuprum.jit._signatures import record_type as from_dtype

__all__ = ["as_dtype", "from_dtype"]


def as_dtype(nbtype: Any) -> np.dtype[Any]:
    """Return the dtype of one of Numba's types.

    Examples
    --------
    >>> from cuprum.compat.numba import int32
    >>> from cuprum.compat.numba.cuda.np.numpy_support import as_dtype
    >>> as_dtype(int32)
    dtype('int32')
    """
    found = dtype_named(nbtype)
    if found is None:
        raise NotImplementedError(f"as_dtype: {nbtype!r} cannot be represented as a NumPy dtype")
    return found
