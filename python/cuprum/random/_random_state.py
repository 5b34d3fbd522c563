"""CuPy's RandomState: NumPy's older interface, with `dtype` keywords, on a Philox stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .._convert import as_array
from .._core import ndarray
from .._errors import names_itself
from .._indexing.indexing import where
from ._arrangements import Arrangements
from ._bit_generators import Philox
from ._multivariate import Multivariate
from ._transformed import Transformed

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, ShapeLike


__all__ = ["RandomState"]


_NUMBERS = (int, float)


class RandomState(Transformed, Multivariate, Arrangements):
    """Draw random arrays by NumPy's older interface, with the `dtype` keywords that CuPy adds.

    The numbers are not those of NumPy's Mersenne Twister. Uniform ones come from a lighter cipher than those
    of `default_rng`, at the same places of the stream; all others are `default_rng`'s for the same seed.

    Parameters
    ----------
    seed : int, sequence of int or SeedSequence, optional
        The seed; the operating system's entropy when None.
    method : int, optional
        Taken for compatibility with CuPy, where it chooses a generator; here it is always Philox.

    Examples
    --------
    >>> rs = cp.random.RandomState(12345)
    >>> rs.rand(2)
    array([0.90163096, 0.55676645])
    """

    _light = True
    _casts = True

    def __init__(self, seed: Any = None, method: Any = None) -> None:
        self.seed(seed)

    def __repr__(self) -> str:
        return "RandomState(Philox)"

    def __reduce__(self) -> Any:
        return _restore, (type(self), self._bit_generator)

    def seed(self, seed: Any = None) -> None:
        """Begin anew with a seed.

        Parameters
        ----------
        seed : int, sequence of int or SeedSequence, optional
            The seed; the operating system's entropy when None.

        Examples
        --------
        >>> rs = cp.random.RandomState()
        >>> rs.seed(12345)
        >>> rs.random_sample()
        array(0.90163096)
        """
        self._bit_generator = seed if isinstance(seed, Philox) else Philox(seed)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = None) -> ndarray:
        """Draw uniform numbers from `low` up to, but without, `high`, which may be the smaller one.

        Parameters
        ----------
        low : float or array_like of float
            The bound that may be drawn.
        high : float or array_like of float
            The bound that is not.
        size : int or tuple of int, optional
            The shape; that of the parameters broadcast together when None.
        dtype : dtype, optional
            float64 or float32.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> cp.random.RandomState(12345).uniform(-1, 1, 2)
        array([0.80326191, 0.1135329 ])
        """
        if type(low) in _NUMBERS and type(high) in _NUMBERS:
            if not high < low:
                return self._draw("uniform", (low, high), size, dtype, True)
            return -self._draw("uniform", (-low, -high), size, dtype, True)
        if isinstance(low, str) or isinstance(high, str):
            return super().uniform(low, high, size, dtype)
        low, high = as_array(low), as_array(high)
        falls = high < low
        if not bool(falls.any()):
            return super().uniform(low, high, size, dtype)
        signs = where(falls, -1.0, 1.0)
        drawn = super().uniform(signs * low, signs * high, size, dtype)
        return drawn * signs.astype(drawn.dtype)

    def get_state(self, legacy: bool = False) -> dict[str, Any]:
        """Return the state of the stream.

        Parameters
        ----------
        legacy : bool, optional
            Taken for compatibility with NumPy.

        Returns
        -------
        dict
            What `set_state` takes: the state in the form of NumPy's `Philox`.

        Examples
        --------
        >>> cp.random.RandomState(1).get_state()["bit_generator"]
        'Philox'
        """
        return self._bit_generator.state

    def set_state(self, state: dict[str, Any]) -> None:
        """Go back to a state.

        Parameters
        ----------
        state : dict
            What `get_state` returned.

        Examples
        --------
        >>> rs = cp.random.RandomState(1)
        >>> state = rs.get_state()
        >>> first = rs.rand(3)
        >>> rs.set_state(state)
        >>> bool((rs.rand(3) == first).all())
        True
        """
        self._bit_generator.state = state

    @names_itself
    def random_sample(self, size: ShapeLike | None = None, dtype: DTypeLike = float) -> ndarray:
        """Draw uniform numbers from 0 up to, but without, 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape; a single number when None.
        dtype : dtype, optional
            float64 or float32.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> cp.random.RandomState(12345).random_sample(2)
        array([0.90163096, 0.55676645])
        """
        return self._stream.random(() if size is None else size, dtype, True)

    random = random_sample
    ranf = random_sample
    sample = random_sample

    @names_itself
    def rand(self, *size: Any, dtype: DTypeLike = float) -> ndarray:
        """Draw uniform numbers from 0 up to, but without, 1; the shape is given as arguments.

        Parameters
        ----------
        *size : int
            The shape; a single number when there are none.
        dtype : dtype, optional
            float64 or float32.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> cp.random.RandomState(1).rand(2, 3).shape
        (2, 3)
        """
        return self._stream.random(size, dtype, True)

    @names_itself
    def randn(self, *size: Any, dtype: DTypeLike = float) -> ndarray:
        """Draw normal numbers of mean 0 and standard deviation 1; the shape is given as arguments.

        Parameters
        ----------
        *size : int
            The shape; a single number when there are none.
        dtype : dtype, optional
            float64 or float32.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> cp.random.RandomState(1).randn(2, 3, dtype=cp.float32).dtype
        dtype('float32')
        """
        return self._draw("normal", (0.0, 1.0), size, dtype)

    @names_itself
    def standard_normal(self, size: ShapeLike | None = None, dtype: DTypeLike = float) -> ndarray:
        """Draw normal numbers of mean 0 and standard deviation 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape; a single number when None.
        dtype : dtype, optional
            float64 or float32.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> cp.random.RandomState(1).standard_normal(5).shape
        (5,)
        """
        return self._draw("normal", (0.0, 1.0), () if size is None else size, dtype)

    @names_itself
    def standard_exponential(self, size: ShapeLike | None = None, dtype: DTypeLike = float) -> ndarray:
        """Draw exponential numbers of mean 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape; a single number when None.
        dtype : dtype, optional
            float64 or float32.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> cp.random.RandomState(1).standard_exponential(5).shape
        (5,)
        """
        return self._draw("exponential", (1.0,), () if size is None else size, dtype)

    @names_itself
    def randint(
        self,
        low: ArrayLike,
        high: ArrayLike | None = None,
        size: ShapeLike | None = None,
        dtype: DTypeLike = int,
    ) -> ndarray:
        """Draw integers from `low` up to, but without, `high`.

        Parameters
        ----------
        low : int or array_like of int
            The lowest integer; 0 when `high` is None, and this is then `high`.
        high : int or array_like of int, optional
            The integer after the highest.
        size : int or tuple of int, optional
            The shape; that of the bounds broadcast together when None.
        dtype : dtype, optional
            Any integer dtype, or bool.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> cp.random.RandomState(12345).randint(10, size=4)
        array([8, 4, 6, 6])
        """
        return self._integers(low, high, size, dtype, False)

    @names_itself
    def random_integers(
        self, low: SupportsIndex, high: SupportsIndex | None = None, size: ShapeLike | None = None
    ) -> ndarray:
        """Draw integers from `low` up to and with `high`.

        Parameters
        ----------
        low : int
            The lowest integer; 1 when `high` is None, and this is then `high`.
        high : int, optional
            The highest integer.
        size : int or tuple of int, optional
            The shape; a single integer when None.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> bool((cp.random.RandomState(1).random_integers(6, size=100) >= 1).all())
        True
        """
        if high is None:
            low, high = 1, low
        return self._integers(low, high, size, np.int64, True)

    @names_itself
    def tomaxint(self, size: ShapeLike | None = None) -> ndarray:
        """Draw integers from 0 to the largest int64.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape; a single integer when None.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> bool((cp.random.RandomState(1).tomaxint(9) >= 0).all())
        True
        """
        return self._integers(0, np.iinfo(np.int64).max, size, np.int64, True)


def _restore(cls: type[RandomState], bit_generator: Philox) -> RandomState:
    """Return a RandomState on a bit generator: what unpickling calls."""
    return cls(bit_generator)
