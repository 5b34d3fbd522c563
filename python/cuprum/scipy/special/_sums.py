"""Sums of exponentials along axes, without overflow on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import where
from ..._convert import as_array
from ..._core import ndarray
from ..._ufuncs import absolute, exp, isfinite, log, logaddexp, multiply, sign, subtract
from ._documentation import documented

if TYPE_CHECKING:
    from ..._typing import ArrayLike, AxisLike


def _shift(a: ndarray, axis: Any) -> ndarray:
    """Return the largest element along `axis`, zero where that is not finite, as axes of length one."""
    largest = (a.real if a.dtype.kind == "c" else a).max(axis=axis, keepdims=True)
    return where(isfinite(largest), largest, largest.dtype.type(0))


def _inexact(a: Any) -> ndarray:
    array = as_array(a)
    return array.astype(np.float64) if array.dtype.kind in "biu" else array


def _exponents(a: Any) -> ndarray:
    """Return numbers in the dtype that their exponentials have: float16 for int8, float32 for int16."""
    array = as_array(a)
    if array.dtype.kind not in "iu":
        return _inexact(array)
    return array.astype(np.exp.resolve_dtypes((array.dtype, None))[0])


def logsumexp(
    a: ArrayLike,
    axis: AxisLike | None = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: bool = False,
) -> Any:
    """Compute the logarithm of the sum of exponentials along an axis.

    Parameters
    ----------
    a : array_like
        The exponents.
    axis : int or tuple of int, optional
        Along which to sum; by default over all.
    b : array_like, optional
        Factors of the exponentials.
    keepdims : bool, optional
        Keep the axes that were summed, with length one.
    return_sign : bool, optional
        Return the sign of the sum too; without it, sums below zero give ``nan``.

    Returns
    -------
    result : ndarray
        The logarithm.
    sign : ndarray
        The sign, where it was asked for.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.logsumexp(cp.array([1000.0, 1000.0]))
    array(1000.69314718)
    """
    a = _inexact(a)
    if b is not None:
        b = _inexact(b)
        a = where(b == 0, -np.inf, a + (0 * b if b.dtype.kind == "f" else 0))
    if a.size == 0:
        terms = exp(a) if b is None else multiply(b, exp(a))
        total = terms.sum(axis=axis, keepdims=keepdims)
        return (log(absolute(total)), sign(total)) if return_sign else log(total)
    shift = _shift(a, axis)
    terms = exp(subtract(a, shift))
    if b is not None:
        terms = multiply(b, terms)
    total = terms.sum(axis=axis, keepdims=keepdims)
    if not keepdims:
        shift = shift.reshape(total.shape)
    if return_sign:
        return log(absolute(total)) + shift, sign(total)
    return log(total) + shift


def softmax(x: ArrayLike, axis: AxisLike | None = None) -> ndarray:
    """Compute the exponentials along an axis, divided by their sum.

    Parameters
    ----------
    x : array_like
        The exponents.
    axis : int or tuple of int, optional
        Along which the results add up to one; by default over all.

    Returns
    -------
    result : ndarray
        As `x` in shape.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.softmax(cp.array([0.0, 0.0, 1000.0]))
    array([0., 0., 1.])
    """
    x = _exponents(x)
    # A single number beside an array is read once.
    kept = axis is not None
    terms = exp(x - x.max(axis=axis, keepdims=kept))
    return terms / terms.sum(axis=axis, keepdims=kept)


def log_softmax(x: ArrayLike, axis: AxisLike | None = None) -> ndarray:
    """Compute the logarithm of `softmax`.

    Parameters
    ----------
    x : array_like
        The exponents.
    axis : int or tuple of int, optional
        Along which the exponentials of the results add up to one; by default over all.

    Returns
    -------
    result : ndarray
        As `x` in shape.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.log_softmax(cp.array([0.0, 1000.0]))
    array([-1000.,     0.])
    """
    x = _exponents(x)
    keeps = axis is not None
    # The largest complex number is taken off as it is: the logarithm's branch is SciPy's then.
    largest = x.max(axis=axis, keepdims=keeps)
    shifted = x - where(isfinite(largest), largest, largest.dtype.type(0))
    return shifted - log(exp(shifted).sum(axis=axis, keepdims=keeps))


@documented
def softplus(x: ArrayLike, **kwargs: Any) -> ndarray:
    """Compute ``log(1 + exp(x))``.

    Parameters
    ----------
    {x}
    **kwargs
        As for ufuncs.

    Returns
    -------
    result : ndarray
        As `x` in shape.

    Examples
    --------
    >>> from cuprum.scipy import special
    >>> special.softplus(cp.array([0.0, 1000.0]))
    array([6.93147181e-01, 1.00000000e+03])
    """
    return logaddexp(0, _inexact(x), **kwargs)
