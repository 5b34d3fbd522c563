"""Choosing elements among several arrays or functions, by conditions or numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from .. import _core
from .._convert import as_array
from .._core import ndarray
from .._creation.fill import zeros_like
from .._errors import names_itself

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = ["choose", "piecewise", "select"]


@names_itself
def select(condlist: Any, choicelist: Any, default: ArrayLike = 0) -> ndarray:
    """Choose each element from the first array whose condition holds there.

    Parameters
    ----------
    condlist : list of array_like of bool
        The conditions.
    choicelist : list of array_like
        What to take where they hold, one for each.
    default : array_like, optional
        What to take where none does.

    Returns
    -------
    ndarray
        The chosen elements.

    Examples
    --------
    >>> a = cp.arange(5)
    >>> cp.select([a < 2, a > 3], [a, a * 10], default=-1)
    array([ 0,  1, -1, -1, 40])
    """
    if len(condlist) != len(choicelist):
        raise ValueError(
            "select: list of cases must be same length as list of conditions, "
            f"got {len(choicelist)} and {len(condlist)}"
        )
    if len(condlist) == 0:
        raise ValueError("select: select with an empty condition list is not possible")
    choices = [c if type(c) in (int, float, complex) else as_array(c) for c in (*choicelist, default)]
    dtype = _core.result_type(*choices)
    conditions = [as_array(condition) for condition in condlist]
    for number, condition in enumerate(conditions):
        if condition.dtype.kind != "b":
            raise TypeError(f"select: entry {number} of condlist is {condition.dtype}, it must be boolean")
    arrays = [as_array(choice).astype(dtype, copy=False) for choice in choices]
    shape = _core.broadcast_shapes(*(a.shape for a in (*conditions, *arrays)))
    result = _core.broadcast_to(arrays.pop(), shape)
    for condition, choice in zip(reversed(conditions), reversed(arrays), strict=True):
        result = _core.where(condition, choice, result)
    return _core.array(result, copy=None, order="C")


@names_itself
def choose(
    a: ArrayLike,
    choices: ndarray | Sequence[ArrayLike],
    out: ndarray | None = None,
    mode: Literal["raise", "wrap", "clip"] = "raise",
) -> ndarray:
    """Build an array by choosing each element from one of several arrays, by number.

    Parameters
    ----------
    a : array_like of int
        The number of the array to choose from, for each element.
    choices : sequence of array_like
        The arrays, broadcast with `a`.
    out : ndarray, optional
        Where to put the result.
    mode : {"raise", "wrap", "clip"}, optional
        What to do with numbers out of range.

    Returns
    -------
    ndarray
        The chosen elements.

    Examples
    --------
    >>> cp.choose([0, 1, 0], [[1, 2, 3], [10, 20, 30]])
    array([ 1, 20,  3])
    """
    return as_array(a).choose(choices, out=out, mode=mode)


def _is_single(condlist: Any, ndim: int) -> bool:
    """Tell whether `condlist` is one condition, not a list of them, for arguments of `ndim` dimensions."""
    if isinstance(condlist, ndarray):
        return condlist.ndim == 0 or (condlist.ndim == 1 and ndim != 0)
    if not hasattr(condlist, "__len__"):
        return True
    first = condlist[0]
    return ndim != 0 and not isinstance(first, (list, tuple)) and not hasattr(first, "__array__")


def piecewise(x: ArrayLike, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> ndarray:
    """Evaluate a function that is defined by pieces.

    Parameters
    ----------
    x : array_like
        The arguments.
    condlist : list of array_like of bool, or array_like of bool
        Where each piece applies.
    funclist : list of callable or scalar
        The pieces; one more than there are conditions is used where none holds.
    *args, **kw
        Passed to the functions.

    Returns
    -------
    ndarray
        The values, of the shape and dtype of `x`.

    Examples
    --------
    >>> x = cp.array([-2.0, -1.0, 1.0, 2.0])
    >>> cp.piecewise(x, [x < 0, x >= 0], [lambda v: -v, 10])
    array([ 2.,  1., 10., 10.])
    """
    x = as_array(x)
    conditions = [
        as_array(c).astype(bool) for c in ([condlist] if _is_single(condlist, x.ndim) else condlist)
    ]
    pieces = list(funclist)
    if len(pieces) == len(conditions) + 1:
        covered = conditions[0]
        for condition in conditions[1:]:
            covered = covered | condition
        conditions.append(~covered)
    elif len(pieces) != len(conditions):
        raise ValueError(
            f"piecewise: with {len(conditions)} condition(s), either {len(conditions)} or "
            f"{len(conditions) + 1} functions are expected, got {len(pieces)}"
        )
    result = zeros_like(x)
    for condition, piece in zip(conditions, pieces, strict=True):
        if not callable(piece):
            result[condition] = piece
            continue
        values = x[condition]
        if values.size > 0:
            result[condition] = piece(values, *args, **kw)
    return result
