"""The edges of histograms: outer edges, and rules that choose a number of bins from the samples.

Rules work with a few numbers of the samples (extremes, deviations, quartiles), as NumPy scalars, so that
they round as NumPy's do.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._creation.ranges import linspace
from .._dtypes import kind_of
from .._ufuncs import logical_and

__all__: list[str] = []

_int = int


def host_scalar(a: ndarray) -> Any:
    """Return the only element as a NumPy scalar; of bfloat16, which NumPy lacks, as float32."""
    value = a.item()
    dtype = a.dtype
    return dtype.type(value) if isinstance(dtype, np.dtype) else np.float32(value)


def difference(high: Any, low: Any) -> Any:
    """Return `high - low`, which for signed integers need not fit their dtype."""
    dtype = np.result_type(high, low)
    if dtype.kind != "i":
        return np.subtract(high, low, dtype=dtype)
    return np.dtype(f"u{dtype.itemsize}").type(_int(high) - _int(low))


def _spread(x: ndarray) -> Any:
    return difference(host_scalar(x.max()), host_scalar(x.min()))


def _sqrt(x: ndarray, limits: tuple[Any, Any]) -> Any:
    return _spread(x) / np.sqrt(x.size)


def _sturges(x: ndarray, limits: tuple[Any, Any]) -> Any:
    return _spread(x) / (np.log2(x.size) + 1.0)


def _rice(x: ndarray, limits: tuple[Any, Any]) -> Any:
    return _spread(x) / (2.0 * x.size ** (1.0 / 3))


def _scott(x: ndarray, limits: tuple[Any, Any]) -> Any:
    return (24.0 * np.pi**0.5 / x.size) ** (1.0 / 3.0) * host_scalar(x.std())


def _stone(x: ndarray, limits: tuple[Any, Any]) -> Any:
    """Minimise the cross-validated estimate of the integrated squared error."""
    spread = _spread(x)
    if x.size <= 1 or spread == 0:
        return 0

    def error(bins: int) -> Any:
        edges = uniform_edges(x, limits, bins)
        shares = _core.histogram_counts(x, edges) / x.size
        return (2 - (x.size + 1) * shares.dot(shares).item()) / (spread / bins)

    most = max(100, _int(np.sqrt(x.size)))
    bins = min(range(1, most + 1), key=error)
    if bins == most:
        warnings.warn("The number of bins estimated may be suboptimal.", RuntimeWarning, stacklevel=4)
    return spread / bins


def _doane(x: ndarray, limits: tuple[Any, Any]) -> Any:
    if x.size <= 2:
        return 0.0
    error = np.sqrt(6.0 * (x.size - 2) / ((x.size + 1.0) * (x.size + 3)))
    deviation = x.std()
    if not deviation.item() > 0.0:
        return 0.0
    skewness = host_scalar((((x - x.mean()) / deviation) ** 3).mean())
    return _spread(x) / (1.0 + np.log2(x.size) + np.log2(1.0 + np.absolute(skewness) / error))


def _freedman_diaconis(x: ndarray, limits: tuple[Any, Any]) -> Any:
    from .quantiles import percentile

    high, low = (host_scalar(q) for q in percentile(x, [75, 25]))
    return 2.0 * np.subtract(high, low) * x.size ** (-1.0 / 3.0)


def _auto(x: ndarray, limits: tuple[Any, Any]) -> Any:
    relaxed = max(_freedman_diaconis(x, limits), _sqrt(x, limits) / 2)
    return min(relaxed, _sturges(x, limits))


_RULES: dict[str, Callable[[ndarray, tuple[Any, Any]], Any]] = {
    "auto": _auto,
    "doane": _doane,
    "fd": _freedman_diaconis,
    "rice": _rice,
    "scott": _scott,
    "sqrt": _sqrt,
    "stone": _stone,
    "sturges": _sturges,
}


def outer_edges(op: str, a: ndarray, range: Any) -> tuple[Any, Any]:
    """Return the first and the last edge, from `range` or else from the samples."""
    if range is not None:
        first, last = (host_scalar(one) if isinstance(one, ndarray) else one for one in range)
        if first > last:
            raise ValueError(f"{op}: max must be larger than min in range parameter, got {first} and {last}")
        origin = "supplied"
    elif a.size == 0:
        return 0, 1
    else:
        first, last = host_scalar(a.min()), host_scalar(a.max())
        origin = "autodetected"
    if not (math.isfinite(first) and math.isfinite(last)):
        raise ValueError(f"{op}: {origin} range of [{first}, {last}] is not finite")
    if first == last:
        first, last = first - 0.5, last + 0.5
    return first, last


def uniform_edges(a: ndarray, limits: tuple[Any, Any], bins: int) -> ndarray:
    """Return the edges of `bins` equal bins, in a floating dtype that holds the samples."""
    first, last = limits
    dtype = _core.result_type(first, last, a)
    if kind_of(dtype) in "iu":
        dtype = _core.result_type(dtype, "f8")
    edges = linspace(first, last, bins + 1, dtype=dtype)
    if (edges[:-1] >= edges[1:]).any():
        raise ValueError(
            f"histogram: too many bins for data range, cannot create {bins} finite-sized bins "
            f"between {first} and {last}"
        )
    return edges


def _number_by_rule(op: str, a: ndarray, name: str, limits: tuple[Any, Any], range: Any) -> int:
    first, last = limits
    if range is not None:
        a = a[logical_and(a >= first, a <= last)]
    if a.size == 0:
        return 1
    width = _RULES[name](a, limits)
    if not width:
        return 1
    if kind_of(a.dtype) in "iu" and width < 1:
        width = 1
    return _int(np.ceil(difference(last, first) / width))


def bin_edges(op: str, a: ndarray, bins: Any, range: Any, weighted: bool) -> tuple[ndarray, bool]:
    """Return the edges for flat samples, and whether they are those of equal bins."""
    if isinstance(bins, str):
        if bins not in _RULES:
            raise ValueError(
                f"{op}: {bins!r} is not a valid estimator for `bins`, use one of {sorted(_RULES)}"
            )
        if weighted:
            raise TypeError(
                f"{op}: automated estimation of the number of bins is not supported for weighted data"
            )
        limits = outer_edges(op, a, range)
        return uniform_edges(a, limits, _number_by_rule(op, a, bins, limits, range)), True
    if np.ndim(bins) == 0 if not isinstance(bins, ndarray) else bins.ndim == 0:
        try:
            count = operator.index(bins)
        except TypeError as error:
            raise TypeError(
                f"{op}: `bins` must be an integer, a string, or an array, got {bins!r}"
            ) from error
        if count < 1:
            raise ValueError(f"{op}: `bins` must be positive, when an integer, got {count}")
        return uniform_edges(a, outer_edges(op, a, range), count), True
    edges = as_array(bins)
    if edges.ndim != 1:
        raise ValueError(f"{op}: `bins` must be 1d, when an array, got shape {edges.shape}")
    if (edges[:-1] > edges[1:]).any():
        raise ValueError(f"{op}: `bins` must increase monotonically, when an array")
    return edges, False
