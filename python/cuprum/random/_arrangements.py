"""Arrangements: permutations, shuffles and choices."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .._convert import as_array, normalize_axis
from .._core import ndarray
from .._creation.to_host import asnumpy
from .._indexing.indexing import take, take_along_axis
from .._manipulation.shape import moveaxis
from ._draws import Draws

if TYPE_CHECKING:
    from .._typing import ArrayLike


# Populations this many times the sample are drawn from by rejecting repetitions.
_REJECTION_MIN_RATIO = 20
# Samples beyond this are drawn by a permutation however large the population is.
_REJECTION_MAX_COUNT = 100_000


def _shape(size: Any) -> tuple[int, ...]:
    if size is None:
        return ()
    try:
        return (operator.index(size),)
    except TypeError:
        return tuple(operator.index(n) for n in size)


class Arrangements(Draws):
    """Random orders and choices."""

    def permutation(self, x: ArrayLike, axis: SupportsIndex = 0) -> ndarray:
        """Return a random order of integers, or an array with its slices in a random order.

        Parameters
        ----------
        x : int or array_like
            How many integers from 0 on, or the array, which is copied.
        axis : int, optional
            The axis whose slices are rearranged.

        Returns
        -------
        ndarray
            The permutation.

        Examples
        --------
        >>> sorted(cp.random.default_rng(1).permutation(4).tolist())
        [0, 1, 2, 3]
        """
        if isinstance(x, (int, np.integer)):
            return self._orders(1, max(int(x), 0))[0]
        array = as_array(x)
        axis = normalize_axis("permutation", axis, array.ndim)
        return take(array, self._orders(1, array.shape[axis])[0], axis=axis)

    def shuffle(self, x: Any, axis: SupportsIndex = 0) -> None:
        """Put the slices of an array, or the items of a list, into a random order in place.

        Parameters
        ----------
        x : ndarray or list
            What is shuffled; views are written through.
        axis : int, optional
            The axis whose slices are rearranged.

        Examples
        --------
        >>> a = cp.arange(5)
        >>> cp.random.default_rng(1).shuffle(a)
        >>> sorted(a.tolist())
        [0, 1, 2, 3, 4]
        """
        if isinstance(x, ndarray):
            if not x.flags.writeable:
                raise ValueError("shuffle: array is read-only")
            if x.ndim == 0:
                raise TypeError("shuffle: an array of no dimensions has no order")
            if x.size:
                x[...] = self.permutation(x, axis)
        elif isinstance(x, np.ndarray):
            if x.ndim == 0:
                raise TypeError("shuffle: an array of no dimensions has no order")
            axis = normalize_axis("shuffle", axis, x.ndim)
            x[...] = np.take(x, asnumpy(self._orders(1, x.shape[axis])[0]), axis=axis)
        elif hasattr(x, "__setitem__") and hasattr(x, "__len__"):
            if axis != 0:
                raise TypeError("shuffle: axis is only supported for arrays")
            items = list(x)
            for place, i in enumerate(self._orders(1, len(items))[0].tolist()):
                x[place] = items[i]
        else:
            raise TypeError(f"shuffle: x must be an array or a list, got {type(x).__name__}")

    def permuted(
        self, x: ArrayLike, *, axis: SupportsIndex | None = None, out: ndarray | None = None
    ) -> ndarray:
        """Return an array whose lines along an axis are each in a random order of its own.

        Parameters
        ----------
        x : array_like
            The array.
        axis : int, optional
            The axis of the lines; all elements are one line when None.
        out : ndarray, optional
            Where to put the result; may be `x` itself.

        Returns
        -------
        ndarray
            The permuted array.

        Examples
        --------
        >>> a = cp.arange(6).reshape(2, 3)
        >>> cp.random.default_rng(1).permuted(a, axis=1).sum(axis=1)
        array([ 3, 12])
        """
        array = as_array(x)
        if array.ndim == 0:
            raise TypeError("permuted: an array of no dimensions has no order")
        if axis is None:
            order = self._orders(1, array.size)[0]
            # NumPy's sequences go through the elements as they lie in memory.
            by_column = self._is_sequential and _lies_by_column(array)
            lines = array.T if by_column else array
            result = take(lines.ravel(), order).reshape(lines.shape)
            result = result.T if by_column else result
        else:
            axis = normalize_axis("permuted", axis, array.ndim)
            lines = moveaxis(array, axis, -1)
            rows = math.prod(lines.shape[:-1])
            orders = self._orders(rows, array.shape[axis]).reshape(lines.shape)
            result = moveaxis(take_along_axis(lines, orders, axis=-1), -1, axis)
        if out is None:
            return result
        if not isinstance(out, ndarray):
            raise TypeError(f"permuted: out must be an array, got {type(out).__name__}")
        if out.shape != array.shape:
            raise ValueError(f"permuted: out must have the shape of x, got {out.shape} and {array.shape}")
        out[...] = result
        return out

    def choice(
        self, a: Any, size: Any = None, replace: Any = True, p: Any = None, axis: Any = 0, shuffle: Any = True
    ) -> ndarray:
        """Draw from integers, or from the slices of an array.

        Parameters
        ----------
        a : int or array_like
            How many integers from 0 on, or the array.
        size : int or tuple of int, optional
            The shape of the sample; a single draw when None.
        replace : bool, optional
            Whether one thing can be drawn more than once.
        p : array_like of float, optional
            The chances, which add up to 1; all the same when None.
        axis : int, optional
            The axis of the slices.
        shuffle : bool, optional
            Whether the order of a sample without replacement has to be random; it is by `Philox` in any case.

        Returns
        -------
        ndarray
            The sample.

        Examples
        --------
        >>> cp.random.default_rng(12345).choice(5, 3)
        array([4, 2, 3])
        >>> sorted(cp.random.default_rng(1).choice([10, 20, 30], 3, replace=False).tolist())
        [10, 20, 30]
        """
        shape = _shape(size)
        count = math.prod(shape)
        array, population = _population(a, axis, count)
        chances = None if p is None else _chances(p, population)
        places: ndarray
        if replace and chances is None:
            places = (
                self._integers(0, population, shape, np.int64, False) if count else self._no_places(shape)
            )
        elif replace and chances is not None:
            if self._is_sequential:
                places = self._stream.choices(chances, shape)
            else:
                cumulative = chances.cumsum()
                places = self._stream.choices(cumulative / cumulative[-1], shape)
        else:
            if count > population:
                raise ValueError(
                    "choice: cannot take a larger sample than population when replace is False, "
                    f"got {count} of {population}"
                )
            if chances is not None and int((chances > 0).sum()) < count:
                raise ValueError("choice: fewer non-zero entries in p than size")
            places = self._distinct(population, count, chances, bool(shuffle)).reshape(shape)
        return places if array is None else take(array, places, axis=axis)

    def _no_places(self, shape: tuple[int, ...]) -> ndarray:
        places: ndarray = self._stream.integers(0, 0, shape, np.int64)
        return places

    def _distinct(self, population: int, count: int, chances: ndarray | None, shuffle: bool) -> ndarray:
        """Return distinct positions, in random order at least where `shuffle` asks for it."""
        if self._is_sequential:
            return self._numpy_distinct(population, count, chances, shuffle)
        if chances is not None or count > _REJECTION_MAX_COUNT or population < _REJECTION_MIN_RATIO * count:
            orders: ndarray = self._stream.orders(1, population, chances)
            return orders[0, :count]
        found: dict[int, None] = {}
        while len(found) < count:
            drawn = self._stream.integers(0, population - 1, (count - len(found),), np.int64)
            found.update(dict.fromkeys(drawn.tolist()))
        return as_array(np.array(list(found), dtype=np.int64))

    def _numpy_distinct(self, population: int, count: int, chances: ndarray | None, shuffle: bool) -> ndarray:
        """Return the distinct positions that NumPy's Generator or RandomState takes."""
        places: ndarray
        if chances is not None:
            places = self._stream.weighted_distinct(chances, count)
        elif self._is_legacy:
            places = self._orders(1, population)[0][:count]
        else:
            places = self._stream.distinct(population, count, shuffle)
        return places


def _lies_by_column(array: ndarray) -> bool:
    """Return whether the columns of an array lie together, and not its rows."""
    flags = array.copy(order="K").flags
    return bool(flags.f_contiguous and not flags.c_contiguous)


def _population(a: Any, axis: int, count: int) -> tuple[ndarray | None, int]:
    """Return the array to choose from, if it is one, and how many slices it has."""
    if not isinstance(a, (int, np.integer)):
        array = as_array(a)
        if array.ndim > 0:
            population = array.shape[normalize_axis("choice", axis, array.ndim)]
            if population == 0 and count:
                raise ValueError("choice: a cannot be empty unless no samples are taken")
            return array, population
        if array.dtype.kind not in "iu":
            raise ValueError(f"choice: a must be a sequence or an integer, got {a!r}")
        a = array.item()
    if a < 0 or (a == 0 and count):
        raise ValueError(f"choice: a must be a positive integer unless no samples are taken, got {a}")
    return None, int(a)


def _chances(p: Any, population: int) -> ndarray:
    """Return the chances of a choice as float64, checked as NumPy checks them."""
    chances = as_array(p)
    tolerance = 1e-8
    if chances.dtype.kind == "f":
        tolerance = max(tolerance, math.sqrt(float(np.finfo(chances.dtype).eps)))
    chances = chances.astype(np.float64)
    if chances.ndim != 1:
        raise ValueError(f"choice: p must be 1-dimensional, got {chances.ndim} dimensions")
    if chances.size != population:
        raise ValueError(f"choice: a and p must have same size, got {population} and {chances.size}")
    total = float(chances.sum())
    if math.isnan(total):
        raise ValueError("choice: probabilities contain NaN")
    if bool((chances < 0).any()):
        raise ValueError("choice: probabilities are not non-negative")
    if abs(total - 1.0) > tolerance:
        raise ValueError(f"choice: probabilities do not sum to 1, but to {total}")
    return chances
