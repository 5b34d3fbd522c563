"""Polynomials fitted to windows: the filters of Savitzky and Golay."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

import cuprum as cp

from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ..ndimage import convolve1d

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["savgol_coeffs", "savgol_filter"]


def _coefficients(
    op: str, window_length: int, polyorder: int, deriv: int, delta: float, pos: float | None, use: str
) -> np.ndarray:
    if polyorder >= window_length:
        raise ValueError(f"{op}: polyorder must be less than window_length.")
    half, odd = divmod(window_length, 2)
    if pos is None:
        pos = half if odd else half - 0.5
    if not 0 <= pos < window_length:
        raise ValueError(f"{op}: pos must be nonnegative and less than window_length.")
    if use not in ("conv", "dot"):
        raise ValueError(f"{op}: `use` must be 'conv' or 'dot'")
    if deriv > polyorder:
        return np.zeros(window_length)
    x = np.arange(-pos, window_length - pos, dtype=float)
    if use == "conv":
        x = x[::-1]
    matrix = x ** np.arange(polyorder + 1.0)[:, np.newaxis]
    wanted = np.zeros(polyorder + 1)
    wanted[deriv] = math.factorial(deriv) / delta**deriv
    return np.linalg.lstsq(matrix, wanted, rcond=None)[0]


def savgol_coeffs(
    window_length: int,
    polyorder: int,
    deriv: int = 0,
    delta: float = 1.0,
    pos: float | None = None,
    use: str = "conv",
) -> ndarray:
    """Return the weights that fit a polynomial to a window and evaluate it.

    Parameters
    ----------
    window_length : int
        The length of the window.
    polyorder : int
        The order of the polynomial, below the length.
    deriv : int, optional
        Which derivative is evaluated.
    delta : float, optional
        The distance between samples.
    pos : float, optional
        Where in the window it is evaluated; in the middle by default.
    use : {"conv", "dot"}, optional
        Whether the weights are for a convolution or a product.

    Returns
    -------
    ndarray
        The weights.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.savgol_coeffs(5, 2).round(6)
    array([-0.085714,  0.342857,  0.485714,  0.342857, -0.085714])
    """
    return cp.asarray(_coefficients("savgol_coeffs", window_length, polyorder, deriv, delta, pos, use))


@names_itself
def savgol_filter(
    x: ArrayLike,
    window_length: int,
    polyorder: int,
    deriv: int = 0,
    delta: float = 1.0,
    axis: SupportsIndex = -1,
    mode: str = "interp",
    cval: float = 0.0,
) -> ndarray:
    """Smooth a signal by polynomials fitted to windows, or differentiate it.

    Parameters
    ----------
    x : array_like
        The signal.
    window_length : int
        The length of the window.
    polyorder : int
        The order of the polynomial, below the length.
    deriv : int, optional
        Which derivative to return.
    delta : float, optional
        The distance between samples.
    axis : int, optional
        The axis along which the signal runs.
    mode : {"interp", "mirror", "constant", "nearest", "wrap"}, optional
        How the signal goes on; "interp" evaluates the polynomials of the first and the last window there.
    cval : float, optional
        What lies beyond the ends with "constant".

    Returns
    -------
    ndarray
        The smooth signal.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.savgol_filter(cp.array([2.0, 2.0, 5.0, 2.0, 1.0, 0.0]), 5, 2).round(6)
    array([ 1.657143,  3.171429,  3.542857,  2.857143,  1.628571, -0.457143])
    """
    if mode not in ("mirror", "constant", "nearest", "interp", "wrap"):
        raise ValueError("savgol_filter: mode must be 'mirror', 'constant', 'nearest' 'wrap' or 'interp'.")
    x = as_array(x)
    if x.dtype not in (np.float32, np.float64):
        x = x.astype(np.float64)
    axis = normalize_axis("savgol_filter", axis, x.ndim)
    weights = _coefficients("savgol_filter", window_length, polyorder, deriv, delta, None, "conv")
    if mode != "interp":
        return convolve1d(x, weights, axis=axis, mode=mode, cval=cval)
    if window_length > x.shape[axis]:
        raise ValueError(
            "savgol_filter: If mode is 'interp', window_length must be less than or equal to the size of x."
        )
    y = cp.moveaxis(convolve1d(x, weights, axis=axis, mode="constant"), axis, -1)
    samples = cp.moveaxis(x, axis, -1)
    half = window_length // 2
    # Each place near an end has weights of its own, over the first or the last window.
    rows = np.array(
        [
            _coefficients("savgol_filter", window_length, polyorder, deriv, delta, i, "dot")
            for i in range(half)
        ]
    ).reshape(half, window_length)
    last = np.array(
        [
            _coefficients(
                "savgol_filter", window_length, polyorder, deriv, delta, window_length - half + i, "dot"
            )
            for i in range(half)
        ]
    ).reshape(half, window_length)
    if half:
        y[..., :half] = samples[..., :window_length] @ cp.asarray(rows.T.astype(x.dtype))
        y[..., -half:] = samples[..., -window_length:] @ cp.asarray(last.T.astype(x.dtype))
    return cp.moveaxis(y, -1, axis)
