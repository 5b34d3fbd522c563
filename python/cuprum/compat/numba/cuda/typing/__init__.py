"""Numba's types of values, and signatures of functions."""

from __future__ import annotations

from typing import Any

from cuprum.jit._signatures import Signature

from . import typeof

__all__ = ["Signature", "signature", "typeof"]


def signature(return_type: Any, *args: Any) -> Signature:
    """Return the signature of a function.

    Examples
    --------
    >>> from cuprum.compat.numba import float32, int32
    >>> from cuprum.compat.numba.cuda.typing import signature
    >>> signature(float32, int32)
    (int32) -> float32
    """
    return Signature(return_type, args)
