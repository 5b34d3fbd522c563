"""Convolution and correlation by sums of products, and the choice between those and transforms."""

from __future__ import annotations

import math
import timeit
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._dtypes import kind_of
from ..._errors import names_itself
from ..._math.convolution import sliding_products
from ._arguments import MODES, checked_mode, needs_exchange, operands
from ._transforms import fftconvolve

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["choose_conv_method", "convolve", "convolve2d", "correlate", "correlate2d", "correlation_lags"]

_METHODS = ("auto", "direct", "fft")
_BOUNDARIES = {
    "fill": "constant",
    "pad": "constant",
    "wrap": "wrap",
    "circular": "wrap",
    "symm": "reflect",
    "symmetric": "reflect",
}


def _method(op: str, method: Any) -> str:
    if method not in _METHODS:
        raise ValueError(f"{op}: Acceptable method flags are 'auto', 'direct', or 'fft', not {method!r}")
    name: str = method
    return name


def _mirrored(a: ndarray) -> ndarray:
    return a[(slice(None, None, -1),) * a.ndim]


def _refuse(op: str, dtype: Any, instead: str) -> None:
    """Raise for the dtypes that SciPy has no sums of products of."""
    if kind_of(dtype) == "b" or dtype == np.float16:
        raise ValueError(f"{op}: not available for {dtype} arrays: {instead}")


def _direct(op: str, a: ndarray, weights: ndarray, mode: str) -> ndarray:
    """Return the sums of products of two arrays, `weights` as they are, without conjugation."""
    dtype = _core.result_type(a, weights)
    if a.ndim > 1:
        _refuse(op, dtype, "use method='fft', or convert them by astype")
    a, weights = a.astype(dtype, copy=False), weights.astype(dtype, copy=False)
    if a.size == 0 or weights.size == 0:
        raise ValueError("convolution of an empty array has no elements to sum")
    exchanged = mode != "same" and (
        needs_exchange("correlate", mode, a.shape, weights.shape, range(a.ndim))
        if mode == "valid"
        else weights.size > a.size
    )
    if exchanged:
        # The results of two arrays exchanged are each other's mirror images.
        a, weights = weights, a
    pairs = list(zip(a.shape, weights.shape, strict=True))
    if mode == "full":
        starts, shape = [1 - m for _, m in pairs], [n + m - 1 for n, m in pairs]
    elif mode == "same":
        starts, shape = [-(m // 2) for _, m in pairs], list(a.shape)
    else:
        starts, shape = [0 for _ in pairs], [n - m + 1 for n, m in pairs]
    result = sliding_products(a, weights, starts, shape)
    return _mirrored(result).copy() if exchanged else result


def convolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto") -> ndarray:
    """Return the convolution of two arrays.

    Parameters
    ----------
    in1, in2 : array_like
        The arrays, of as many dimensions.
    mode : {"full", "valid", "same"}, optional
        Which positions to return: all at which the arrays meet, those at which one lies wholly inside the
        other, or those of `in1`.
    method : {"auto", "direct", "fft"}, optional
        By sums of products, by Fourier transforms, or by what is estimated to be faster.

    Returns
    -------
    ndarray
        The convolution.

    Notes
    -----
    "auto" takes integers through transforms only where the rounded result is exact, and float16 of several
    dimensions always: there are no sums of its products.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.convolve(cp.array([1, 2, 3]), cp.array([0, 1, 5]))
    array([ 0,  1,  7, 13, 15])
    """
    a, b = operands("convolve", in1, in2)
    method = _method("convolve", method)
    if a.ndim == 0:
        return a * b
    mode = checked_mode("convolve", mode)
    if needs_exchange("convolve", mode, a.shape, b.shape, range(a.ndim)):
        a, b = b, a
    if method == "auto":
        is_half = a.ndim > 1 and _core.result_type(a, b) == np.float16
        method = "fft" if is_half and a.size and b.size else choose_conv_method(a, b, mode)
    if method == "direct":
        return _direct("convolve", a, _mirrored(b), mode)
    result = fftconvolve(a, b, mode)
    dtype = _core.result_type(a, b)
    if kind_of(dtype) in "biu":
        result = result.round()
    elif result.size and not math.isfinite(abs(result.ravel()[0].item())):
        warnings.warn(
            "Use of fft convolution on input with NAN or inf results in NAN or inf output. "
            "Consider using method='direct' instead.",
            RuntimeWarning,
            stacklevel=2,
        )
    return result.astype(dtype, copy=False)


def correlate(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto") -> ndarray:
    """Return the correlation of two arrays: sums of products with the conjugate of `in2`.

    Parameters
    ----------
    in1, in2 : array_like
        The arrays, of as many dimensions.
    mode : {"full", "valid", "same"}, optional
        Which positions to return: all at which the arrays meet, those at which one lies wholly inside the
        other, or those of `in1`.
    method : {"auto", "direct", "fft"}, optional
        By sums of products, by Fourier transforms, or by what is estimated to be faster.

    Returns
    -------
    ndarray
        The correlation.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.correlate(cp.array([1, 2, 3]), cp.array([0, 1, 5]))
    array([ 5, 11, 17,  3,  0])
    """
    a, b = operands("correlate", in1, in2)
    method = _method("correlate", method)
    if a.ndim == 0:
        return a * b.conj()
    mode = checked_mode("correlate", mode)
    if method == "direct":
        return _direct("correlate", a, b.conj(), mode)
    return convolve(a, _mirrored(b).conj(), mode, method)


def _times(a: ndarray, b: ndarray, mode: str) -> tuple[float, float]:
    """Return estimates, in nanoseconds, for transforms and for sums of products."""
    pairs = list(zip(a.shape, b.shape, strict=True))
    full = math.prod(n + m - 1 for n, m in pairs)
    results = {
        "full": full,
        "same": a.size,
        "valid": math.prod(abs(n - m) + 1 for n, m in pairs),
    }[mode]
    products = results * (min(a.size, b.size) if mode != "same" else b.size)
    parts = 4 if kind_of(_core.result_type(a, b)) == "c" else 1
    return parts**0.5 * full * math.log2(full + 1) + 20_000, 0.1 * parts * products


def choose_conv_method(in1: ArrayLike, in2: ArrayLike, mode: str = "full", measure: bool = False) -> Any:
    """Return whether a convolution is estimated to be faster by sums of products or by transforms.

    Parameters
    ----------
    in1, in2 : array_like
        The arrays, of as many dimensions.
    mode : {"full", "valid", "same"}, optional
        Which positions are wanted.
    measure : bool, optional
        Run both and measure, instead of estimating.

    Returns
    -------
    str or tuple of str and dict
        "direct" or "fft"; with `measure`, also the times of both in seconds.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.choose_conv_method(cp.ones(1000), cp.ones(3))
    'direct'
    """
    a, b = as_array(in1), as_array(in2)
    mode = checked_mode("choose_conv_method", mode)
    if measure:

        def time_of(method: str) -> float:
            return min(timeit.repeat(lambda: _core.wait(convolve(a, b, mode, method)), number=1, repeat=3))

        times = {method: time_of(method) for method in ("fft", "direct")}
        return ("fft" if times["fft"] < times["direct"] else "direct"), times
    kinds = kind_of(a.dtype) + kind_of(b.dtype)
    if kinds == "bb" or a.size == 0 or b.size == 0 or a.ndim != b.ndim:
        return "direct"
    by_transforms, by_products = _times(a, b, mode)
    if by_transforms >= by_products:
        return "direct"
    if set(kinds) <= set("iub"):
        # Transforms are off by a few roundings of the product of the norms; rounding must hide them all.
        largest = [float(abs(x.astype(np.float64)).max().item()) for x in (a, b)]
        error = largest[0] * largest[1] * math.sqrt(a.size * b.size) * 2.0**-48
        return "fft" if error < 0.25 else "direct"
    return "fft"


def _flat(op: str, in1: Any, in2: Any) -> tuple[ndarray, ndarray]:
    a, b = as_array(in1), as_array(in2)
    if not a.ndim == b.ndim == 2:
        raise ValueError(f"{op}: inputs must both be 2-D arrays, got {a.ndim} and {b.ndim} dimensions")
    return a, b


def _plane(
    op: str, a: ndarray, weights: ndarray, starts: list[int], mode: str, boundary: Any, fillvalue: Any
) -> ndarray:
    if boundary not in _BOUNDARIES:
        raise ValueError(f"{op}: Acceptable boundary flags are 'fill', 'wrap' and 'symm', not {boundary!r}")
    dtype = _core.result_type(a, weights)
    _refuse(op, dtype, "convert them by astype")
    if np.size(fillvalue) != 1:
        raise ValueError(f"{op}: fillvalue must be scalar, got shape {np.shape(fillvalue)}")
    if a.size == 0 or weights.size == 0:
        raise ValueError(f"{op}: inputs cannot be empty, got shapes {a.shape} and {weights.shape}")
    shape = [
        {"full": n + m - 1, "same": n, "valid": n - m + 1}[mode]
        for n, m in zip(a.shape, weights.shape, strict=True)
    ]
    a, weights = a.astype(dtype, copy=False), weights.astype(dtype, copy=False)
    fill = np.asarray(fillvalue).reshape(())[()]
    return sliding_products(a, weights, starts, shape, _BOUNDARIES[boundary], fill)


def convolve2d(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0
) -> ndarray:
    """Return the convolution of two arrays of two dimensions.

    Parameters
    ----------
    in1, in2 : array_like
        The arrays.
    mode : {"full", "valid", "same"}, optional
        Which positions to return: all at which the arrays meet, those at which one lies wholly inside the
        other, or those of `in1`.
    boundary : {"fill", "wrap", "symm"}, optional
        What lies beyond the ends of `in1`: `fillvalue`, the array again, or its mirror image.
    fillvalue : scalar, optional
        What lies there with "fill".

    Returns
    -------
    ndarray
        The convolution; products and sums are those of the dtype, integers wrap.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.convolve2d(cp.eye(3), cp.array([[1.0, 2.0], [3.0, 4.0]]), mode="same", boundary="symm")
    array([[10.,  6.,  0.],
           [ 7.,  5.,  2.],
           [ 0.,  3.,  5.]])
    """
    a, b = _flat("convolve2d", in1, in2)
    mode = checked_mode("convolve2d", mode)
    if needs_exchange("convolve2d", mode, a.shape, b.shape, (0, 1)):
        a, b = b, a
    starts = {"full": [1 - m for m in b.shape], "same": [-(m // 2) for m in b.shape], "valid": [0, 0]}[mode]
    return _plane("convolve2d", a, _mirrored(b), starts, mode, boundary, fillvalue)


def correlate2d(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0
) -> ndarray:
    """Return the correlation of two arrays of two dimensions: sums of products with the conjugate of `in2`.

    Parameters
    ----------
    in1, in2 : array_like
        The arrays.
    mode : {"full", "valid", "same"}, optional
        Which positions to return: all at which the arrays meet, those at which one lies wholly inside the
        other, or those of `in1`.
    boundary : {"fill", "wrap", "symm"}, optional
        What lies beyond the ends of `in1`: `fillvalue`, the array again, or its mirror image.
    fillvalue : scalar, optional
        What lies there with "fill".

    Returns
    -------
    ndarray
        The correlation; products and sums are those of the dtype, integers wrap.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.correlate2d(cp.eye(3), cp.array([[1.0, 2.0], [3.0, 4.0]]), mode="valid")
    array([[5., 3.],
           [2., 5.]])
    """
    a, b = _flat("correlate2d", in1, in2)
    mode = checked_mode("correlate2d", mode)
    exchanged = needs_exchange("correlate2d", mode, a.shape, b.shape, (0, 1))
    if exchanged:
        a, b = b, a
    starts = {
        "full": [1 - m for m in b.shape],
        "same": [-((m - 1) // 2) for m in b.shape],
        "valid": [0, 0],
    }[mode]
    result = _plane("correlate2d", a, b.conj(), starts, mode, boundary, fillvalue)
    return _mirrored(result) if exchanged else result


@names_itself
def correlation_lags(in1_len: int, in2_len: int, mode: str = "full") -> ndarray:
    """Return by how much signals are apart at each position of their correlation.

    Parameters
    ----------
    in1_len, in2_len : int
        The lengths of the signals.
    mode : {"full", "valid", "same"}, optional
        The mode of the correlation.

    Returns
    -------
    ndarray
        The lags, integers.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.correlation_lags(3, 2)
    array([-1,  0,  1,  2])
    """
    if mode not in MODES:
        raise ValueError(f"correlation_lags: Mode {mode} is invalid")
    if mode == "valid":
        bound = in1_len - in2_len
        return _core.arange(min(bound, 0), max(bound, 0) + 1, 1, np.int64)
    lags = _core.arange(1 - in2_len, in1_len, 1, np.int64)
    if mode == "full":
        return lags
    begin = lags.size // 2 - in1_len // 2
    return lags[begin : begin + in1_len]
