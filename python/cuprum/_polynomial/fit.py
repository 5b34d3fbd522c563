"""Polynomials of least squares."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._convert import as_array
from .._creation.matrices import vander
from .._errors import names_itself
from .._ufuncs import sqrt

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = ["polyfit"]


@names_itself
def polyfit(
    x: ArrayLike,
    y: ArrayLike,
    deg: int,
    rcond: float | None = None,
    full: bool = False,
    w: ArrayLike | None = None,
    cov: Any = False,
) -> Any:
    """Fit a polynomial to points by least squares.

    Parameters
    ----------
    x : array_like
        Where, in one dimension.
    y : array_like
        The values there; of two dimensions, a set of them in each column.
    deg : int
        The highest power.
    rcond : float, optional
        Singular values below this share of the largest count as zero; `len(x)` times the machine epsilon when
        None.
    full : bool, optional
        Whether to return residuals, rank, singular values and `rcond` too.
    w : array_like, optional
        The weight of each point's residual before it is squared.
    cov : bool or "unscaled", optional
        Whether to return the covariances of the coefficients too.

    Returns
    -------
    ndarray or tuple
        The coefficients, the highest power first, and what was asked for.

    Examples
    --------
    >>> cp.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1).round(6)
    array([2., 1.])
    """
    from ..linalg import inv, lstsq

    count = int(deg) + 1
    x, y = as_array(x) + 0.0, as_array(y) + 0.0
    if deg < 0:
        raise ValueError(f"polyfit: expected deg >= 0, got {deg}")
    if x.ndim != 1 or x.size == 0:
        raise TypeError(f"polyfit: expected a non-empty 1D vector for x, got shape {x.shape}")
    if y.ndim not in (1, 2):
        raise TypeError(f"polyfit: expected 1D or 2D array for y, got shape {y.shape}")
    if len(x) != len(y):
        raise TypeError(f"polyfit: expected x and y to have same length, got {len(x)} and {len(y)}")
    if y.dtype == np.float16:
        raise TypeError("polyfit: y is float16, which is unsupported in linalg: convert it by astype")
    if rcond is None:
        rcond = len(x) * np.finfo(x.dtype).eps
    left, right = vander(x, count), y
    if w is not None:
        w = as_array(w) + 0.0
        if w.ndim != 1 or len(w) != len(y):
            raise TypeError(f"polyfit: expected a weight for each of {len(y)} points, got shape {w.shape}")
        if w.dtype.kind == "c" and right.dtype.kind != "c":
            raise TypeError(
                f"polyfit: weights are {w.dtype} and y is {right.dtype}: cannot weight it in place"
            )
        left = left * w[:, None]
        right = right * (w[:, None] if right.ndim == 2 else w)
    scale = sqrt((left * left).sum(axis=0))
    left = left / scale
    coefficients, residuals, rank, values = lstsq(left, right, rcond)
    coefficients = (coefficients.T / scale).T
    if full:
        return coefficients, residuals, rank, values, rcond
    if int(rank) != count:
        warnings.warn("Polyfit may be poorly conditioned", np.exceptions.RankWarning, stacklevel=2)
    if not cov:
        return coefficients
    covariances = inv(_core.matmul(left.T, left)) / (scale[:, None] * scale)
    if cov == "unscaled":
        factor: Any = 1
    elif len(x) <= count:
        raise ValueError(
            f"polyfit: the number of data points, {len(x)}, must exceed the number of coefficients, {count}, "
            "to scale the covariance matrix"
        )
    else:
        factor = residuals / (len(x) - count)
    return coefficients, (covariances if y.ndim == 1 else covariances[:, :, None]) * factor
