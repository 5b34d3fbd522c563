"""Covariances and correlations."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._errors import names_itself
from .._ufuncs import conjugate, maximum, minimum, multiply, rint, sqrt
from .averages import average

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike


__all__ = ["corrcoef", "cov"]


def _weights(op: str, name: str, weights: Any, count: int) -> ndarray:
    """Return one weight for each sample, checked."""
    checked = as_array(weights).astype(float)
    if name == "fweights" and not (checked == rint(checked)).all():
        raise TypeError(f"{op}: fweights must be integer")
    if checked.ndim > 1:
        raise RuntimeError(f"{op}: cannot handle multidimensional {name}, got shape {checked.shape}")
    if checked.shape[0] != count:
        raise RuntimeError(
            f"{op}: incompatible numbers of samples and {name}, {count} and {checked.shape[0]}"
        )
    if (checked < 0).any():
        raise ValueError(f"{op}: {name} cannot be negative")
    return checked


@names_itself
def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: SupportsIndex | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    *,
    dtype: DTypeLike | None = None,
) -> ndarray:
    """Return the covariances of variables.

    Parameters
    ----------
    m : array_like
        Samples of variables, in one or two dimensions.
    y : array_like, optional
        More variables.
    rowvar : bool, optional
        Whether each row is a variable; otherwise each column is.
    bias : bool, optional
        Whether to divide by the number of samples, instead of one less.
    ddof : int, optional
        What to subtract from the number of samples instead.
    fweights : array_like of int, optional
        How often each sample was seen.
    aweights : array_like, optional
        The weight of each sample.
    dtype : dtype, optional
        The dtype of the result; at least float64 when None.

    Returns
    -------
    ndarray
        The matrix of covariances, or for one variable its variance.

    Examples
    --------
    >>> cp.cov([[0, 1, 2], [2, 1, 0]])
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    if ddof is not None and ddof != int(ddof):
        raise ValueError(f"cov: ddof must be integer, got {ddof!r}")
    m = as_array(m)
    if m.ndim > 2:
        raise ValueError(f"cov: m has more than 2 dimensions, its shape is {m.shape}")
    samples = [m]
    if y is not None:
        y = as_array(y)
        if y.ndim > 2:
            raise ValueError(f"cov: y has more than 2 dimensions, its shape is {y.shape}")
        samples.append(y)
    if dtype is None:
        dtype = _core.result_type(*samples, "f8")
    x = m.astype(dtype, copy=False)
    x = x.reshape(1, -1) if m.ndim < 2 else x
    if not rowvar and m.ndim != 1:
        x = x.T
    if x.shape[0] == 0:
        return _core.empty((0, 0), "f8", "C")
    if y is not None:
        more = y.astype(dtype, copy=False)
        more = more.reshape(1, -1) if y.ndim < 2 else more
        if not rowvar and more.shape[0] != 1:
            more = more.T
        x = _core.concatenate([x, more], 0)
    if ddof is None:
        ddof = 0 if bias else 1

    count = x.shape[1]
    weights = None if fweights is None else _weights("cov", "fweights", fweights, count)
    if aweights is not None:
        aweights = _weights("cov", "aweights", aweights, count)
        weights = aweights if weights is None else weights * aweights
    means, total = average(x, axis=1, weights=weights, returned=True)
    centred = x.copy()
    # In place, as NumPy does it: the dtype stays, and one that cannot hold the differences is refused.
    centred -= means[:, None]
    if weights is None:
        divisor: Any = count - int(ddof)
        other = centred
    else:
        total = total[0].item()
        if ddof == 0:
            divisor = total
        elif aweights is None:
            divisor = total - ddof
        else:
            divisor = total - ddof * (weights * aweights).sum().item() / total
        other = centred * weights
    if isinstance(divisor, complex):
        divisor = divisor.real
    if divisor <= 0:
        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=2)
        divisor = 0.0
    # A matrix by its own transpose is half the work.
    covariances = _core.matmul(centred, conjugate(other.T) if other.dtype.kind == "c" else other.T)
    with np.errstate(divide="ignore"):
        scale = np.true_divide(1, divisor).item()
    return multiply(covariances, scale).squeeze()


@names_itself
def corrcoef(
    x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, *, dtype: DTypeLike | None = None
) -> ndarray:
    """Return the correlation coefficients of variables.

    Parameters
    ----------
    x : array_like
        Samples of variables, in one or two dimensions.
    y : array_like, optional
        More variables.
    rowvar : bool, optional
        Whether each row is a variable; otherwise each column is.
    dtype : dtype, optional
        The dtype of the result; at least float64 when None.

    Returns
    -------
    ndarray
        The matrix of coefficients, each between -1 and 1.

    Examples
    --------
    >>> cp.corrcoef([[0, 1, 2], [2, 1, 0]])
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviations = sqrt(c.diagonal().real)
    c = c / deviations[:, None]
    c = c / deviations[None, :]
    for part in (c.real, c.imag) if c.dtype.kind == "c" else (c,):
        part[...] = minimum(maximum(part, -1), 1)
    return c
