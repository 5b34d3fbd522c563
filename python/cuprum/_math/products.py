"""Products of vectors, matrices and tensors."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._convert import as_array, normalize_axis
from .._core import ndarray
from .._errors import names_itself, naming
from .._ufuncs import multiply

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, Order


__all__ = [
    "cross",
    "dot",
    "einsum",
    "einsum_path",
    "inner",
    "kron",
    "matmul",
    "matvec",
    "outer",
    "tensordot",
    "trace",
    "vdot",
    "vecdot",
    "vecmat",
]


def matmul(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    out: ndarray | None = None,
    *,
    casting: str = "same_kind",
    order: Order = "K",
    dtype: DTypeLike | None = None,
    subok: bool = True,
    axes: Any = None,
) -> ndarray:
    """Return the matrix product of two arrays, the same as `x1 @ x2`.

    Parameters
    ----------
    x1, x2 : array_like
        Matrices in the last two axes, the others broadcast; a vector is a row on the left and a column on
        the right.
    out : ndarray, optional
        Where to put the result.
    casting : str, optional
        Which casts of the arguments to `dtype` are allowed.
    order : {"C", "F", "A", "K"}, optional
        The memory layout of the result.
    dtype : dtype, optional
        The dtype to compute in.
    subok : bool, optional
        Taken for compatibility: the result is a plain array.
    axes : list of tuple, optional
        The axes of the matrices in `x1`, in `x2` and in the result.

    Returns
    -------
    ndarray
        The product.

    Examples
    --------
    >>> cp.matmul([[1, 2], [3, 4]], [[0, 1], [1, 0]])
    array([[2, 1],
           [4, 3]])
    """
    if out is None and dtype is None and axes is None and order == "K":
        return _core.matmul(x1, x2, None, None)
    x1, x2 = as_array(x1), as_array(x2)
    if dtype is not None:
        for x in (x1, x2):
            _check_cast("matmul", x.dtype, dtype, casting)
        x1, x2 = x1.astype(dtype, copy=False), x2.astype(dtype, copy=False)
    target: ndarray | None = _single(out)
    stores = True
    if target is not None:
        computed = _core.result_type(x1.dtype, x2.dtype)
        _check_cast("matmul", computed, target.dtype, casting)
        stores = _core.can_cast(computed, target.dtype, "same_kind")
    if axes is None:
        ndim = max(x1.ndim, x2.ndim, 2) - (x1.ndim == 1) - (x2.ndim == 1)
        if target is None or (stores and target.ndim <= ndim):
            product = _core.matmul(x1, x2, target, dtype)
            return product if target is not None or order in ("C", "A", "K") else product.copy(order)
        product = _core.matmul(x1, x2, None, dtype)
    else:
        first, second, *rest = [(place,) if isinstance(place, int) else tuple(place) for place in axes]
        for number, (x, place) in enumerate(((x1, first), (x2, second))):
            if len(place) != min(x.ndim, 2):
                raise np.exceptions.AxisError(
                    f"matmul: operand {number} has {min(x.ndim, 2)} core dimensions, but its axes are {place}"
                )
        with naming("matmul"):
            x1, x2 = (
                _core.moveaxis(x, place, (-2, -1)[-len(place) :]) for x, place in ((x1, first), (x2, second))
            )
            product = _core.matmul(x1, x2, None, dtype)
            if rest and rest[0]:
                product = _core.moveaxis(product, (-2, -1)[-len(rest[0]) :], rest[0])
    if target is None:
        return product
    _core.copyto(target, product, casting=casting)
    return target


def _single(out: Any) -> Any:
    """Return the array of an `out` keyword, which may come in a tuple."""
    return out[0] if isinstance(out, tuple) else out


def _check_cast(op: str, source: Any, target: Any, casting: str) -> None:
    if not _core.can_cast(source, target, casting):
        raise TypeError(f"{op}: cannot cast from {source} to {target} with casting rule {casting!r}")


def dot(a: ArrayLike, b: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Return the product of two arrays over the last axis of one and the second to last of the other.

    Parameters
    ----------
    a, b : array_like
        The arrays; vectors give their inner product, a scalar multiplies.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        The product.

    Examples
    --------
    >>> cp.dot([1, 2, 3], [4, 5, 6])
    array(32)
    """
    a, b = as_array(a), as_array(b)
    if out is not None:
        dtype = _core.result_type(a.dtype, b.dtype)
        if out.dtype != dtype or not out.flags.c_contiguous:
            raise ValueError(
                f"dot: output array is not acceptable: it must be C-contiguous and of dtype {dtype}"
            )
    return _core.dot(a, b, out)


def vdot(a: ArrayLike, b: ArrayLike, /) -> ndarray:
    """Return the inner product of two arrays, flattened, the first conjugated.

    Parameters
    ----------
    a, b : array_like
        The arrays, of equal size.

    Returns
    -------
    ndarray
        The product, of no dimension.

    Examples
    --------
    >>> cp.vdot([1j, 2], [1j, 3])
    array(7.+0.j)
    """
    return _core.vdot(as_array(a), as_array(b))


@names_itself
def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: SupportsIndex = -1) -> ndarray:
    """Return the inner products of the vectors in an axis of two arrays, the first conjugated.

    Parameters
    ----------
    x1, x2 : array_like
        The arrays, broadcast in the other axes.
    axis : int, optional
        The axis of the vectors.

    Returns
    -------
    ndarray
        The products.

    Examples
    --------
    >>> cp.vecdot([[1, 2], [3, 4]], [1, 10])
    array([21, 43])
    """
    a, b = as_array(x1), as_array(x2)
    if axis != -1 and a.ndim and b.ndim:
        return _core.vecdot(_core.moveaxis(a, axis, -1), _core.moveaxis(b, axis, -1))
    return _core.vecdot(x1, x2)


@names_itself
def matvec(x1: ArrayLike, x2: ArrayLike, /) -> ndarray:
    """Return the products of matrices and column vectors.

    Parameters
    ----------
    x1 : array_like
        The matrices, in the last two axes.
    x2 : array_like
        The vectors, in the last axis.

    Returns
    -------
    ndarray
        The vectors that result, in the last axis.

    Examples
    --------
    >>> cp.matvec([[1, 2], [3, 4]], [1, 10])
    array([21, 43])
    """
    x1, x2 = as_array(x1), as_array(x2)
    if x1.ndim < 2 or x2.ndim < 1:
        raise ValueError(f"matvec: a matrix and a vector are needed, got {x1.ndim} and {x2.ndim} dimensions")
    return _core.matmul(x1, x2[..., None])[..., 0]


@names_itself
def vecmat(x1: ArrayLike, x2: ArrayLike, /) -> ndarray:
    """Return the products of row vectors, conjugated, and matrices.

    Parameters
    ----------
    x1 : array_like
        The vectors, in the last axis.
    x2 : array_like
        The matrices, in the last two axes.

    Returns
    -------
    ndarray
        The vectors that result, in the last axis.

    Examples
    --------
    >>> cp.vecmat([1, 10], [[1, 2], [3, 4]])
    array([31, 42])
    """
    x1, x2 = as_array(x1), as_array(x2)
    if x1.ndim < 1 or x2.ndim < 2:
        raise ValueError(f"vecmat: a vector and a matrix are needed, got {x1.ndim} and {x2.ndim} dimensions")
    return _core.matmul(x1.conj()[..., None, :], x2)[..., 0, :]


def inner(a: ArrayLike, b: ArrayLike, /) -> ndarray:
    """Return the product of two arrays over the last axis of both.

    Parameters
    ----------
    a, b : array_like
        The arrays; a scalar multiplies.

    Returns
    -------
    ndarray
        The product.

    Examples
    --------
    >>> cp.inner([[1, 2], [3, 4]], [1, 10])
    array([21, 43])
    """
    return _core.inner(as_array(a), as_array(b))


def outer(a: ArrayLike, b: ArrayLike, out: ndarray | None = None) -> ndarray:
    """Return the products of every element of one array with every element of another.

    Parameters
    ----------
    a, b : array_like
        The arrays, flattened.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        A matrix with a row for each element of `a`.

    Examples
    --------
    >>> cp.outer([1, 2], [10, 20])
    array([[10, 20],
           [20, 40]])
    """
    return _core.outer(as_array(a), as_array(b), out)


def tensordot(a: ArrayLike, b: ArrayLike, axes: Any = 2) -> ndarray:
    """Return the product of two arrays summed over chosen axes.

    Parameters
    ----------
    a, b : array_like
        The arrays.
    axes : int or (axes of a, axes of b), optional
        The axes to sum over; a number means the last ones of `a` and the first ones of `b`.

    Returns
    -------
    ndarray
        The product, with the remaining axes of `a` and then those of `b`.

    Examples
    --------
    >>> cp.tensordot(cp.ones((2, 3)), cp.ones((3, 2)), axes=1)
    array([[3., 3.],
           [3., 3.]])
    """
    a, b = as_array(a), as_array(b)
    if hasattr(axes, "__iter__"):
        of_a, of_b = (list(one) if hasattr(one, "__iter__") else [one] for one in axes)
    else:
        of_a, of_b = list(range(-axes, 0)), list(range(axes))
    # One pair after the other: a mismatch is reported before an axis that is out of range further on.
    equal = (a.shape[i] == b.shape[j] for i, j in zip(of_a, of_b, strict=False))
    if len(of_a) != len(of_b) or not all(equal):
        raise ValueError(f"tensordot: shapes {a.shape}, {b.shape} do not match over axes {of_a} and {of_b}")
    return _core.tensordot(a, b, (of_a, of_b))


def kron(a: ArrayLike, b: ArrayLike) -> ndarray:
    """Return the Kronecker product: one array scaled by each element of another, as blocks.

    Parameters
    ----------
    a, b : array_like
        The arrays.

    Returns
    -------
    ndarray
        The product.

    Examples
    --------
    >>> cp.kron([1, 10], [1, 2, 3])
    array([ 1,  2,  3, 10, 20, 30])
    """
    return _core.kron(as_array(a), as_array(b))


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def einsum(
    *operands: Any, out: Any = None, dtype: Any = None, optimize: Any = False, **kwargs: Any
) -> ndarray:
    """Evaluate Einstein's summation convention.

    Parameters
    ----------
    *operands : str and array_like
        The subscripts, as in "ij,jk->ik", and the arrays; or arrays and lists of axis numbers by turns.
    out : ndarray, optional
        Where to put the result.
    dtype : dtype, optional
        The dtype to compute in; a view of one operand, nothing summed, keeps its own.
    optimize : bool or str, optional
        Taken for compatibility; the order of the products is always chosen.
    **kwargs
        `casting`, the casts to the dtype of computation, and from it to `out`, that are allowed, "safe" by
        default; `order`, the order of a new result, "K" by default.

    Returns
    -------
    ndarray
        The result.

    Examples
    --------
    >>> cp.einsum("ij,j->i", [[1, 2], [3, 4]], [1, 10])
    array([21, 43])
    >>> cp.einsum("ii", [[1, 2], [3, 4]])
    array(5)
    """
    unknown = set(kwargs) - {"casting", "order"}
    if unknown:
        raise TypeError(f"einsum: got an unexpected keyword argument {sorted(unknown)[0]!r}")
    if not operands:
        raise ValueError("einsum: the subscripts and at least one operand are needed")
    if isinstance(operands[0], str):
        subscripts, given = operands[0], operands[1:]
    else:
        subscripts, given = _subscripts(operands)
    arrays = [as_array(a) for a in given]
    casting = kwargs.get("casting", "safe")
    if len(arrays) == 1 and out is None and _sums_nothing(subscripts):
        # NumPy gives a view here, whatever the dtype and the casts that were asked for.
        dtype, casting = None, "safe"
    if dtype is None and isinstance(out, ndarray) and not optimize:
        dtype = _core.result_type(*arrays, out)
        _check_cast("einsum", dtype, out.dtype, casting)
    if dtype is not None or casting != "safe":
        common = _core.result_type(*arrays) if dtype is None else dtype
        for a in arrays:
            _check_cast("einsum", a.dtype, common, casting)
    result = _core.einsum(subscripts, *arrays, out=out, dtype=dtype)
    order = kwargs.get("order", "K")
    if order == "K" or out is not None or any(_core.may_share_memory(result, a) for a in arrays):
        return result
    if order == "A":
        order = "F" if all(a.flags.f_contiguous for a in arrays) else "C"
    return _core.array(result, copy=None, order=order)


def einsum_path(*operands: Any, optimize: Any = "greedy", einsum_call: Any = False) -> tuple[list[Any], Any]:
    """Return an order of products for `einsum` that costs little: NumPy's plan, made from shapes alone.

    Parameters
    ----------
    *operands : str and array_like
        What `einsum` takes.
    optimize : bool, str, list or tuple, optional
        How to search: "greedy", "optimal", one of them with a limit of memory, or a plan to describe.
    einsum_call : bool, optional
        Whether the second result is a list of contractions instead of text.

    Returns
    -------
    path : list
        "einsum_path" and the operands of each product.
    description : str
        The plan and its cost.

    Examples
    --------
    >>> a, b, c = cp.ones((2, 2)), cp.ones((2, 5)), cp.ones((5, 2))
    >>> cp.einsum_path("ij,jk,kl->il", a, b, c)[0]
    ['einsum_path', (1, 2), (0, 1)]
    """
    spelled = bool(operands) and isinstance(operands[0], str)

    def shape_of(place: int, operand: Any) -> Any:
        if place == 0 and spelled:
            return operand
        is_axes = not spelled and (place % 2 == 1 or (place == len(operands) - 1 and len(operands) % 2 == 1))
        if is_axes:
            return operand
        a = as_array(operand)
        return np.broadcast_to(np.zeros((), np.float64), a.shape)

    shapes = [shape_of(place, operand) for place, operand in enumerate(operands)]
    return np.einsum_path(*shapes, optimize=optimize, einsum_call=einsum_call)


def _sums_nothing(subscripts: str) -> bool:
    """Whether each label of a single operand stands in the result."""
    labels, arrow, result = subscripts.replace(" ", "").replace("...", "").partition("->")
    return set(labels) == set(result) if arrow else len(set(labels)) == len(labels)


def _subscripts(operands: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Turn operands and lists of axis numbers, given by turns, into subscripts and operands."""

    def letter(axis: Any) -> str:
        if axis is Ellipsis:
            return "..."
        number = operator.index(axis)
        if not 0 <= number < len(_LETTERS):
            raise ValueError(f"einsum: subscript {number} is not within the valid range [0, {len(_LETTERS)})")
        return _LETTERS[number]

    def spell(axes: Any) -> str:
        return "".join(map(letter, axes))

    pairs = len(operands) // 2
    arrays = operands[: 2 * pairs : 2]
    text = ",".join(spell(axes) for axes in operands[1 : 2 * pairs : 2])
    return (f"{text}->{spell(operands[-1])}" if len(operands) % 2 else text), arrays


@names_itself
def trace(
    a: ArrayLike,
    offset: SupportsIndex = 0,
    axis1: SupportsIndex = 0,
    axis2: SupportsIndex = 1,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Return the sum along a diagonal of a matrix, or of the matrices in two axes of an array.

    Parameters
    ----------
    a : array_like
        An array of at least two dimensions.
    offset : int, optional
        The diagonal: 0 is the main one, positive ones lie above it.
    axis1, axis2 : int, optional
        The axes of the matrices.
    dtype : dtype, optional
        The dtype to compute in and of the result.
    out : ndarray, optional
        Where to put the result.

    Returns
    -------
    ndarray
        The sums.

    Examples
    --------
    >>> cp.trace([[1, 2], [3, 4]])
    array(5)
    """
    return as_array(a).trace(offset, axis1, axis2, dtype, out)


def cross(
    a: ArrayLike,
    b: ArrayLike,
    axisa: SupportsIndex = -1,
    axisb: SupportsIndex = -1,
    axisc: SupportsIndex = -1,
    axis: SupportsIndex | None = None,
) -> ndarray:
    """Return the cross products of the vectors in two arrays.

    Parameters
    ----------
    a, b : array_like
        The arrays; their vectors have three components, or two, the third being zero.
    axisa, axisb, axisc : int, optional
        The axes of the vectors in `a`, in `b` and in the result.
    axis : int, optional
        The axis for all three.

    Returns
    -------
    ndarray
        The products; of vectors with two components, the third component alone.

    Examples
    --------
    >>> cp.cross([1, 0, 0], [0, 1, 0])
    array([0, 0, 1])
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = as_array(a), as_array(b)
    if a.ndim < 1 or b.ndim < 1:
        raise ValueError("cross: at least one array has zero dimension")
    a = _core.moveaxis(a, normalize_axis("cross", axisa, a.ndim, "axisa"), -1)
    b = _core.moveaxis(b, normalize_axis("cross", axisb, b.ndim, "axisb"), -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError(
            "cross: incompatible dimensions for cross product (must be 2 or 3), "
            f"got {a.shape[-1]} and {b.shape[-1]}"
        )
    a0, a1 = a[..., 0], a[..., 1]
    b0, b1 = b[..., 0], b[..., 1]
    last = multiply(a0, b1) - multiply(a1, b0)
    if a.shape[-1] == 2 and b.shape[-1] == 2:
        return _core.array(last, copy=None, order="C")
    ndim = last.ndim + 1
    axisc = normalize_axis("cross", axisc, ndim, "axisc")
    if a.shape[-1] == 2:
        first, second = multiply(a1, b[..., 2]), -multiply(a0, b[..., 2])
    elif b.shape[-1] == 2:
        first, second = -multiply(a[..., 2], b1), multiply(a[..., 2], b0)
    else:
        first = multiply(a1, b[..., 2]) - multiply(a[..., 2], b1)
        second = multiply(a[..., 2], b0) - multiply(a0, b[..., 2])
    products = _core.array(_core.stack((first, second, last), -1), copy=None, order="C")
    return _core.moveaxis(products, -1, axisc)
