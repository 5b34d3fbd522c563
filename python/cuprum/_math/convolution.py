"""Convolution and correlation of signals, as `numpy` has them: in the arithmetic of their dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._dtypes import is_bfloat16, kind_of

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = ["convolve", "correlate"]

_OVERLAPS = ("valid", "same", "full")


def sliding_products(
    a: ndarray,
    weights: ndarray,
    starts: Sequence[int],
    shape: Sequence[int],
    mode: str = "constant",
    fill: Any = None,
) -> ndarray:
    """Return sums of products of arrays of one dtype, `weights` beginning at `starts` and all places after.

    Complex numbers are multiplied by parts, in float64 and rounded once. Without a fill there is nothing
    beyond the ends of lines, as in NumPy. In several dimensions there are zeros, as in SciPy, which shows
    where weights are not finite.
    """
    if fill is None and max(weights.shape) != weights.size:
        fill = 0
    if kind_of(a.dtype) != "c":
        if fill is not None:
            fill = float(fill) if is_bfloat16(a.dtype) else np.asarray(fill).astype(a.dtype)[()]
        return _core.sliding_products(a, weights, starts, shape, mode, fill)
    wide = np.float64
    parts = a.real.astype(wide), a.imag.astype(wide)
    factors = weights.real.astype(wide), weights.imag.astype(wide)
    fills = (None, None) if fill is None else (np.float64(np.real(fill)), np.float64(np.imag(fill)))

    def product(i: int, j: int) -> ndarray:
        return _core.sliding_products(parts[i], factors[j], starts, shape, mode, fills[i])

    result = _core.empty(tuple(shape), a.dtype)
    result.real = product(0, 0) - product(1, 1)
    result.imag = product(0, 1) + product(1, 0)
    return result


def _signal(op: str, a: Any, name: str) -> ndarray:
    signal = as_array(a)
    if signal.ndim != 1:
        raise ValueError(f"{op}: {name} must have one dimension, got shape {signal.shape}")
    if signal.size == 0:
        raise ValueError(f"{op}: {name} cannot be empty")
    return signal


def _overlap(op: str, mode: Any) -> str:
    if isinstance(mode, int) and mode in (0, 1, 2):
        return _OVERLAPS[mode]
    if mode not in _OVERLAPS:
        raise ValueError(f"{op}: mode must be one of 'valid', 'same', or 'full' (got {mode!r})")
    overlap: str = mode
    return overlap


def _correlated(a: ndarray, v: ndarray, mode: str) -> ndarray:
    """Return the sums of products of two signals, without conjugation."""
    dtype = a.dtype
    if dtype is not v.dtype:
        dtype = _core.result_type(a, v)
        a, v = a.astype(dtype, copy=False), v.astype(dtype, copy=False)
    exchanged = a.size < v.size
    longer, shorter = (v, a) if exchanged else (a, v)
    if kind_of(dtype) != "c":
        return _core.correlate_lines(a, v, mode)
    n, m = longer.size, shorter.size
    before, count = {"full": (m - 1, n + m - 1), "same": (m // 2, n), "valid": (0, n - m + 1)}[mode]
    result = sliding_products(longer, shorter, [-before], [count])
    return result[::-1].copy() if exchanged else result


def convolve(a: ArrayLike, v: ArrayLike, mode: Literal["full", "valid", "same"] = "full") -> ndarray:
    """Return the convolution of two signals of one dimension.

    Parameters
    ----------
    a, v : array_like
        The signals.
    mode : {"full", "valid", "same"}, optional
        Which positions to return: all at which the signals meet, those at which one lies wholly inside the
        other, or as many as the longer one has.

    Returns
    -------
    ndarray
        The convolution; products and sums are those of the dtype, integers wrap.

    Examples
    --------
    >>> cp.convolve([1, 2, 3], [0, 1, 0.5])
    array([0. , 1. , 2.5, 4. , 1.5])
    >>> cp.convolve([1, 2, 3], [0, 1, 0.5], "same")
    array([1. , 2.5, 4. ])
    """
    a, v = (
        _signal("convolve", _core.array(x, None, None, None, 1), name) for x, name in ((a, "a"), (v, "v"))
    )
    if v.size > a.size:
        a, v = v, a
    return _correlated(a, v[::-1], _overlap("convolve", mode))


def correlate(a: ArrayLike, v: ArrayLike, mode: Literal["valid", "same", "full"] = "valid") -> ndarray:
    """Return the correlation of two signals of one dimension: ``c[k] = sum(a[n + k] * conj(v[n]))``.

    Parameters
    ----------
    a, v : array_like
        The signals.
    mode : {"valid", "same", "full"}, optional
        Which positions to return: those at which one signal lies wholly inside the other, as many as the
        longer one has, or all at which they meet.

    Returns
    -------
    ndarray
        The correlation; products and sums are those of the dtype, integers wrap.

    Examples
    --------
    >>> cp.correlate([1, 2, 3], [0, 1, 0.5])
    array([3.5])
    >>> cp.correlate([1, 2, 3], [0, 1, 0.5], "full")
    array([0.5, 2. , 3.5, 3. , 0. ])
    """
    a, v = _signal("correlate", a, "a"), _signal("correlate", v, "v")
    return _correlated(a, v.conj(), _overlap("correlate", mode))
