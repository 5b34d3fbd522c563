"""CuPy's RandomState: NumPy's older interface, with `dtype` keywords, on a Philox stream or NumPy's own."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .._convert import as_array
from .._core import ndarray
from .._errors import names_itself
from .._indexing.indexing import where
from ._arrangements import Arrangements
from ._bit_generators import BitGenerator, Philox
from ._default import get_default
from ._multivariate import Multivariate
from ._sequential import MT19937, Sequential
from ._transformed import Transformed

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, ShapeLike


__all__ = ["RandomState"]


_NUMBERS = (int, float)


def _lengths(op: str, size: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return lengths that are arguments of their own, unless there is one, and it is a shape."""
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        raise TypeError(f"{op}: a shape is not one argument here: its lengths are, as in {op}(2, 3)")
    return size


class RandomState(Transformed, Multivariate, Arrangements):
    """Draw random arrays by NumPy's older interface, with the `dtype` keywords that CuPy adds.

    By default the numbers are not those of NumPy's Mersenne Twister. Uniform ones come from a lighter cipher
    than those of `default_rng`, at the same places of the stream; all others are `default_rng`'s for the same
    seed. With ``method="numpy"``, with a sequential bit generator as the seed, or after
    ``set_default("numpy")`` all numbers are those of `numpy.random.RandomState`, bit for bit, drawn by the
    host one after the other.

    Parameters
    ----------
    seed : int, sequence of int, SeedSequence or BitGenerator, optional
        The seed; the operating system's entropy when None. A bit generator is used as it is.
    method : {'philox', 'numpy'} or int, optional
        Whose numbers to draw; what `set_default` chose when None. An integer, which chooses a generator in
        CuPy, counts as None.

    Examples
    --------
    >>> rs = cp.random.RandomState(12345)
    >>> rs.rand(2)
    array([0.90163096, 0.55676645])
    """

    _light = True
    _casts = True

    def __init__(self, seed: Any = None, method: Any = None) -> None:
        if method not in (None, "philox", "numpy") and not isinstance(method, (int, np.integer)):
            raise ValueError(f"RandomState: method must be 'philox' or 'numpy', got {method!r}")
        if isinstance(seed, BitGenerator):
            self._use(seed)
        elif (method if isinstance(method, str) else get_default()) == "numpy":
            self._use(MT19937())
            self.seed(seed)
        else:
            self._use(Philox(seed))

    def _use(self, bit_generator: BitGenerator) -> None:
        """Draw from a bit generator from now on."""
        self._bit_generator = bit_generator
        self._is_legacy = isinstance(bit_generator, Sequential)
        self._legacy_stream = bit_generator._stream.legacy() if self._is_legacy else None

    @property
    def _stream(self) -> Any:
        return self._legacy_stream or self._bit_generator._stream

    def __repr__(self) -> str:
        return f"RandomState({type(self._bit_generator).__name__})"

    def __reduce__(self) -> Any:
        pending = self._stream.pending() if self._is_legacy else None
        return _restore, (type(self), self._bit_generator, pending)

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
        if not self._is_legacy:
            self._use(seed if isinstance(seed, Philox) else Philox(seed))
        elif isinstance(self._bit_generator, MT19937):
            self._bit_generator._legacy_seeding(seed)
            self._stream.set_pending(None)
        else:
            raise TypeError("seed: can only re-seed a MT19937 BitGenerator")

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

    def get_state(self, legacy: bool | None = None) -> Any:
        """Return the state of the stream.

        Parameters
        ----------
        legacy : bool, optional
            Whether the state of a Mersenne Twister is the tuple of NumPy's older versions; None means yes.

        Returns
        -------
        dict or tuple
            What `set_state` takes: the state in the form of NumPy's bit generator.

        Examples
        --------
        >>> cp.random.RandomState(1).get_state()["bit_generator"]
        'Philox'
        >>> cp.random.RandomState(1, method="numpy").get_state()[0]
        'MT19937'
        """
        state = self._bit_generator.state
        if not self._is_legacy:
            return state
        pending = self._stream.pending()
        state["has_gauss"], state["gauss"] = int(pending is not None), 0.0 if pending is None else pending
        is_twister = isinstance(self._bit_generator, MT19937)
        if legacy and not is_twister:
            text = "get_state: legacy can only be used with the MT19937 BitGenerator"
            warnings.warn(text, RuntimeWarning, stacklevel=2)
        if is_twister and legacy is not False:
            inner = state["state"]
            return "MT19937", inner["key"], inner["pos"], state["has_gauss"], state["gauss"]
        return state

    def set_state(self, state: Any) -> None:
        """Go back to a state.

        Parameters
        ----------
        state : dict or tuple
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
        if not isinstance(state, (dict, tuple, list)):
            raise TypeError(f"set_state: state must be a dict or a tuple, got {type(state).__name__}")
        if not isinstance(state, dict):
            if len(state) not in (3, 5) or state[0] != "MT19937":
                raise ValueError("set_state: a tuple must be the state of a MT19937")
            names = ("has_gauss", "gauss")
            state = {
                "bit_generator": state[0],
                "state": {"key": state[1], "pos": state[2]},
                **dict(zip(names, state[3:], strict=False)),
            }
        pending = float(state.get("gauss", 0.0)) if state.get("has_gauss") else None
        self._bit_generator.state = state
        if self._is_legacy:
            self._stream.set_pending(pending)

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
        drawn: ndarray = self._stream.random(() if size is None else size, dtype, True)
        return drawn

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
        drawn: ndarray = self._stream.random(_lengths("rand", size), dtype, True)
        return drawn

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
        return self._draw("normal", (0.0, 1.0), _lengths("randn", size), dtype)

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
        if self._is_legacy:
            words: ndarray = self._stream.integers(0, 2**64 - 1, () if size is None else size, np.uint64)
            return (words >> 1).astype(np.int64)
        return self._integers(0, np.iinfo(np.int64).max, size, np.int64, True)


def _restore(cls: type[RandomState], bit_generator: BitGenerator, pending: float | None) -> RandomState:
    """Return a RandomState on a bit generator: what unpickling calls."""
    made = cls(bit_generator)
    if made._is_legacy:
        made._stream.set_pending(pending)
    return made
