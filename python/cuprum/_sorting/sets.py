"""Arrays as sets: unique elements, membership, unions and differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex, overload

from .. import _core
from .._convert import as_array, normalize_axis
from .._core import ndarray
from .._creation.fill import empty, zeros
from .._creation.ranges import arange
from .._errors import names_itself
from .._indexing.indexing import flatnonzero, where
from .._manipulation.join import concatenate
from .._manipulation.shape import moveaxis
from .._math.calculus import diff
from .._math.cumulative import cumsum
from .._ufuncs import minimum
from .sort import argsort, lexsort, searchsorted, sort

if TYPE_CHECKING:
    from .._typing import ArrayLike


__all__ = [
    "in1d",
    "intersect1d",
    "isin",
    "setdiff1d",
    "setxor1d",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


class UniqueAllResult(NamedTuple):
    """What `unique_all` returns."""

    values: ndarray
    indices: ndarray
    inverse_indices: ndarray
    counts: ndarray


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` returns."""

    values: ndarray
    counts: ndarray


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` returns."""

    values: ndarray
    inverse_indices: ndarray


@overload
def unique(
    ar: ArrayLike,
    return_index: Literal[False] = ...,
    return_inverse: Literal[False] = ...,
    return_counts: Literal[False] = ...,
    axis: SupportsIndex | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> ndarray: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: bool = ...,
    return_inverse: bool = ...,
    return_counts: bool = ...,
    axis: SupportsIndex | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> Any: ...
@names_itself
def unique(
    ar: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: SupportsIndex | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """Return the unique elements of an array, in order.

    Parameters
    ----------
    ar : array_like
        The array.
    return_index : bool, optional
        Whether to return where each unique element first occurs.
    return_inverse : bool, optional
        Whether to return which unique element each element is.
    return_counts : bool, optional
        Whether to return how often each unique element occurs.
    axis : int, optional
        The axis whose slices are compared; single elements of the flattened array when None.
    equal_nan : bool, optional
        Whether NaNs count as equal; slices with a NaN never do.
    sorted : bool, optional
        Accepted for compatibility: the elements always are in order.

    Returns
    -------
    ndarray or tuple of ndarrays
        The unique elements; then, where they are asked for, the indices, the inverse and the counts.

    Examples
    --------
    >>> cp.unique([3, 1, 3, 2, 1])
    array([1, 2, 3])
    >>> values, counts = cp.unique([3, 1, 3, 2, 1], return_counts=True)
    >>> counts
    array([2, 1, 2])
    >>> cp.unique([[1, 0], [1, 0], [0, 2]], axis=0)
    array([[0, 2],
           [1, 0]])
    """
    if axis is not None:
        a = as_array(ar)
        axis = normalize_axis("unique", axis, a.ndim)
        if a.ndim > 1:
            return _unique_slices(a, axis, return_index, return_inverse, return_counts)
    asked = (bool(return_index), bool(return_inverse), bool(return_counts))
    result = _core.unique(ar, *asked, bool(equal_nan))
    return result if len(result) > 1 else result[0]


def _unique_slices(a: Any, axis: Any, return_index: Any, return_inverse: Any, return_counts: Any) -> Any:
    slices = moveaxis(a, axis, 0)
    count = slices.shape[0]
    rows = slices.reshape(count, -1 if slices.size else 0)
    is_new = zeros(count, dtype=bool)
    is_new[:1] = True
    if rows.shape[1]:
        order: Any = lexsort(list(rows.T[::-1]))
        rows = rows[order]
        is_new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
        chosen = rows[is_new]
    else:
        order = arange(count)
        chosen = rows[is_new]
    values: Any = moveaxis(chosen.reshape(len(chosen), *slices.shape[1:]), 0, axis)
    result: tuple[Any, ...] = (values,)
    if return_index:
        result += (order[is_new],)
    if return_inverse:
        inverse = empty(count, dtype="int64")
        inverse[order] = cumsum(is_new) - 1
        result += (inverse,)
    if return_counts:
        result += (diff(flatnonzero(is_new), append=count),)
    return result if len(result) > 1 else values


@names_itself
def unique_all(x: ArrayLike) -> UniqueAllResult:
    """Return the unique elements with their first places, the inverse and the counts; NaNs differ.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    namedtuple
        `values`, `indices`, `inverse_indices` and `counts`.

    Examples
    --------
    >>> cp.unique_all([3, 1, 3]).indices
    array([1, 0])
    """
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False))


@names_itself
def unique_counts(x: ArrayLike) -> UniqueCountsResult:
    """Return the unique elements and how often each occurs; NaNs differ.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    namedtuple
        `values` and `counts`.

    Examples
    --------
    >>> cp.unique_counts([3, 1, 3]).counts
    array([1, 2])
    """
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


@names_itself
def unique_inverse(x: ArrayLike) -> UniqueInverseResult:
    """Return the unique elements and which of them each element is; NaNs differ.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    namedtuple
        `values` and `inverse_indices`.

    Examples
    --------
    >>> cp.unique_inverse([3, 1, 3]).inverse_indices
    array([1, 0, 1])
    """
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


@names_itself
def unique_values(x: ArrayLike) -> ndarray:
    """Return the unique elements, in order; NaNs differ.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    ndarray
        The unique elements.

    Examples
    --------
    >>> cp.unique_values([3, 1, 3])
    array([1, 3])
    """
    return unique(x, equal_nan=False)


# So many elements are compared with at most, in one pass; a GPU compiles one for each number of them.
_COMPARED_MAX, _COMPARED_MAX_CPU = 8, 32


@names_itself
def isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: Literal["sort", "table"] | None = None,
) -> ndarray:
    """Return which elements are among others.

    Parameters
    ----------
    element : array_like
        The elements.
    test_elements : array_like
        The others.
    assume_unique : bool, optional
        Accepted for compatibility: it changes nothing.
    invert : bool, optional
        Whether to return which are not.
    kind : {None, "sort", "table"}, optional
        Accepted for compatibility; "table" is for integers and booleans alone.

    Returns
    -------
    ndarray
        Booleans of the shape of `element`.

    Examples
    --------
    >>> cp.isin([[1, 2], [3, 4]], [4, 1])
    array([[ True, False],
           [False,  True]])
    """
    a, others = as_array(element), as_array(test_elements).ravel()
    if kind not in (None, "sort", "table"):
        raise ValueError(f"isin: kind must be None, 'sort' or 'table', got {kind!r}")
    if kind == "table" and not (a.dtype.kind in "biu" and others.dtype.kind in "biu"):
        raise ValueError(
            f"isin: kind 'table' is for integers and booleans, got {a.dtype.name} and {others.dtype.name}"
        )
    if others.size == 0:
        found: Any = zeros(a.shape, dtype=bool)
    elif others.size <= (_COMPARED_MAX_CPU if a.device == "cpu" else _COMPARED_MAX):
        found = a == others[0]
        for other in others[1:]:
            found = found | (a == other)
    else:
        found = _found(a, others)
    return _core.array(~found if invert else found, copy=None, order="C")


def _found(a: Any, others: Any) -> Any:
    """Return which elements of `a` are among the others, of which there is at least one."""
    kinds = {a.dtype.kind, others.dtype.kind}
    if "i" in kinds and "uint64" in (a.dtype.name, others.dtype.name):
        # As float64, neighbours beyond 2**53 would be one number.
        if a.dtype.kind == "i":
            return (a >= 0) & _found(a.astype("uint64"), others)
        others = others[others >= 0].astype("uint64")
        return _found(a, others) if others.size else zeros(a.shape, dtype=bool)
    if kinds <= set("biu") and "uint64" not in (a.dtype.name, others.dtype.name):
        least, most = int(others.min()), int(others.max())
        # Integers that lie close together are marked in a table; a larger one would not pay.
        if most - least <= 6 * (a.size + others.size):
            table = zeros(most - least + 1, dtype=bool)
            table[others.astype("int64") - least] = True
            wide = a.astype("int64")
            inside = (wide >= least) & (wide <= most)
            return table[where(inside, wide - least, 0)] & inside
    ordered: Any = sort(others)
    places = minimum(searchsorted(ordered, a), ordered.size - 1)
    return ordered[places] == a


def in1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, invert: bool = False) -> ndarray:
    """Return which elements of a flattened array are among others.

    Parameters
    ----------
    ar1 : array_like
        The elements.
    ar2 : array_like
        The others.
    assume_unique : bool, optional
        Accepted for compatibility: it changes nothing.
    invert : bool, optional
        Whether to return which are not.

    Returns
    -------
    ndarray
        Booleans, one for each element.

    See Also
    --------
    isin : the same, keeping the shape.

    Examples
    --------
    >>> cp.in1d([1, 2, 3], [3, 1])
    array([ True, False,  True])
    """
    return isin(as_array(ar1).ravel(), ar2, assume_unique, invert)


@names_itself
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """Return the elements that two arrays share, in order.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays, flattened.
    assume_unique : bool, optional
        Whether the elements of each array are known to be unique.
    return_indices : bool, optional
        Whether to return where they first occur in each array.

    Returns
    -------
    ndarray or tuple of ndarrays
        The elements; then their places in both arrays where asked for.

    Examples
    --------
    >>> cp.intersect1d([1, 3, 4, 3], [3, 1, 2, 1])
    array([1, 3])
    """
    a, b = as_array(ar1).ravel(), as_array(ar2).ravel()
    first_a: Any = None
    first_b: Any = None
    if not assume_unique:
        if return_indices:
            a, first_a = unique(a, return_index=True)
            b, first_b = unique(b, return_index=True)
        else:
            a, b = unique(a), unique(b)
    both = concatenate((a, b))
    if not return_indices:
        ordered: Any = sort(both)
        return ordered[:-1][ordered[1:] == ordered[:-1]]
    order: Any = argsort(both)
    ordered = both[order]
    shared = ordered[1:] == ordered[:-1]
    places_a, places_b = order[:-1][shared], order[1:][shared] - a.size
    if not assume_unique:
        places_a, places_b = first_a[places_a], first_b[places_b]
    return ordered[:-1][shared], places_a, places_b


@names_itself
def union1d(ar1: ArrayLike, ar2: ArrayLike) -> ndarray:
    """Return the unique elements of two arrays together, in order.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays, flattened.

    Returns
    -------
    ndarray
        The elements.

    Examples
    --------
    >>> cp.union1d([3, 1], [2, 3])
    array([1, 2, 3])
    """
    return unique(concatenate((ar1, ar2), axis=None))


@names_itself
def setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> ndarray:
    """Return the unique elements of an array that are not in another one.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays, flattened.
    assume_unique : bool, optional
        Whether the elements are known to be unique; then they keep their order.

    Returns
    -------
    ndarray
        The elements.

    Examples
    --------
    >>> cp.setdiff1d([3, 1, 2, 1], [2, 4])
    array([1, 3])
    """
    a = as_array(ar1).ravel() if assume_unique else unique(ar1)
    return a[isin(a, ar2, assume_unique=True, invert=True)]


@names_itself
def setxor1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> ndarray:
    """Return the elements that are in one of two arrays only, in order.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays, flattened.
    assume_unique : bool, optional
        Whether the elements of each array are known to be unique.

    Returns
    -------
    ndarray
        The elements.

    Examples
    --------
    >>> cp.setxor1d([3, 1, 2], [2, 4])
    array([1, 3, 4])
    """
    a, b = as_array(ar1).ravel(), as_array(ar2).ravel()
    if not assume_unique:
        a, b = unique(a), unique(b)
    ordered = sort(concatenate((a, b)))
    differs = empty(ordered.size + 1, dtype=bool)
    differs[:1] = True
    differs[-1:] = True
    differs[1:-1] = ordered[1:] != ordered[:-1]
    return ordered[differs[1:] & differs[:-1]]
