"""Means with weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _core
from .._convert import as_array, normalize_axes
from .._core import ndarray
from .._dtypes import kind_of
from .._ufuncs import multiply
from ._documentation import documented

if TYPE_CHECKING:
    from .._typing import ArrayLike, AxisLike

__all__ = ["average"]


@documented
def average(
    a: ArrayLike,
    axis: AxisLike | None = None,
    weights: ArrayLike | None = None,
    returned: bool = False,
    *,
    keepdims: bool = False,
) -> Any:
    """Return the weighted mean of the elements over axes.

    Parameters
    ----------
    {a}
    {axes}
    weights : array_like, optional
        The weights, of the shape of `a`, or of its shape along `axis`; equal when None.
    returned : bool, optional
        Whether to return the sums of the weights too.
    {keepdims}

    Returns
    -------
    ndarray or (ndarray, ndarray)
        The means, and with `returned` the sums of the weights.

    Raises
    ------
    ZeroDivisionError
        Where weights sum to zero.

    Examples
    --------
    >>> cp.average([1.0, 2.0, 4.0], weights=[2, 1, 1])
    array(2.)
    """
    a = as_array(a)
    axes = None if axis is None else normalize_axes("average", axis, a.ndim)
    if weights is None:
        mean_of = a.mean(axis=axes, keepdims=keepdims)
        if not returned:
            return mean_of
        count = a.size / mean_of.size if mean_of.size else 0
        return mean_of, _core.full(mean_of.shape, count, mean_of.dtype, "C")
    weights = weights_like(as_array(weights), a, axes)
    floor = ("f8",) if kind_of(a.dtype) in "biu" else ()
    dtype = _core.result_type(a.dtype, weights.dtype, *floor)
    total = weights.sum(axis=axes, dtype=dtype, keepdims=keepdims)
    if (total == 0).any():
        raise ZeroDivisionError("average: weights sum to zero, can't be normalized")
    mean_of = multiply(a, weights, dtype=dtype).sum(axis=axes, keepdims=keepdims) / total
    if not returned:
        return mean_of
    return mean_of, _core.broadcast_to(total, mean_of.shape).copy()


def weights_like(weights: ndarray, a: ndarray, axes: tuple[int, ...] | None) -> ndarray:
    """Return weights in a shape that lines up with `a`: whole, or given along the reduced axes alone."""
    if weights.shape == a.shape:
        return weights
    if axes is None:
        raise TypeError(
            "average: axis must be specified when shapes of a and weights differ, "
            f"got {a.shape} and {weights.shape}"
        )
    if weights.shape != tuple(a.shape[axis] for axis in axes):
        raise ValueError(
            f"average: shape of weights {weights.shape} must be consistent with shape {a.shape} of a "
            f"along axes {axes}"
        )
    order = sorted(range(len(axes)), key=axes.__getitem__)
    shape = [length if axis in axes else 1 for axis, length in enumerate(a.shape)]
    return weights.transpose(order).reshape(shape)
