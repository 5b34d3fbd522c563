"""NumPy's Generator on a bit generator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._core import ndarray
from ._arrangements import Arrangements
from ._bit_generators import BitGenerator, Philox
from ._default import get_default
from ._draws import filled
from ._multivariate import Multivariate
from ._random_state import RandomState
from ._sequential import PCG64
from ._transformed import Transformed

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, ShapeLike


__all__ = ["Generator", "default_rng"]


class Generator(Transformed, Multivariate, Arrangements):
    """Draw random arrays from a bit generator, as NumPy's Generator does.

    On `PCG64`, `PCG64DXSM`, `MT19937` and `SFC64` all numbers are NumPy's, bit for bit; the host draws them
    one after the other. On `Philox`, the default, `random`, `uniform`, `integers`, `bytes` and unweighted
    choices with replacement are NumPy's numbers for the same Philox. Other distributions are then computed
    from counters: the same seed gives the same numbers with any number of threads and on any device.

    Parameters
    ----------
    bit_generator : BitGenerator
        Where words come from.

    Examples
    --------
    >>> rng = cp.random.Generator(cp.random.Philox(12345))
    >>> rng.random(2)
    array([0.42075436, 0.65317097])
    >>> rng.integers(1, 7, size=4)
    array([2, 3, 2, 4])
    """

    def __init__(self, bit_generator: Any) -> None:
        self.bit_generator = bit_generator

    def __repr__(self) -> str:
        return f"Generator({type(self._bit_generator).__name__})"

    def __reduce__(self) -> Any:
        return Generator, (self._bit_generator,)

    @property
    def bit_generator(self) -> Any:
        """The bit generator; another one may be set."""
        return self._bit_generator

    @bit_generator.setter
    def bit_generator(self, bit_generator: Any) -> None:
        if not isinstance(bit_generator, BitGenerator):
            raise TypeError(
                "Generator: needs a bit generator of cuprum.random, such as cuprum.random.PCG64(seed), "
                f"got {type(bit_generator).__module__}.{type(bit_generator).__name__}"
            )
        self._bit_generator = bit_generator

    def spawn(self, n_children: int) -> list[Generator]:
        """Return independent generators.

        Parameters
        ----------
        n_children : int
            How many.

        Returns
        -------
        list of Generator
            The children.

        Examples
        --------
        >>> len(cp.random.default_rng(1).spawn(3))
        3
        """
        return [type(self)(child) for child in self._bit_generator.spawn(n_children)]

    def random(
        self, size: ShapeLike | None = None, dtype: DTypeLike = np.float64, out: ndarray | None = None
    ) -> ndarray:
        """Draw uniform numbers from 0 up to, but without, 1: NumPy's, bit for bit.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape; a single number when None.
        dtype : dtype, optional
            float64 or float32.
        out : ndarray, optional
            Where to put the result.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> cp.random.default_rng(12345).random(2)
        array([0.42075436, 0.65317097])
        """
        return filled("random", out, size, dtype, lambda shape: self._stream.random(shape, dtype, False))

    def integers(
        self,
        low: ArrayLike,
        high: ArrayLike | None = None,
        size: ShapeLike | None = None,
        dtype: DTypeLike = np.int64,
        endpoint: bool = False,
    ) -> ndarray:
        """Draw integers from `low` up to, but without, `high`: NumPy's, bit for bit.

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
        endpoint : bool, optional
            Whether `high` can be drawn too.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> cp.random.default_rng(12345).integers(10, size=4)
        array([8, 4, 6, 6])
        """
        return self._integers(low, high, size, dtype, endpoint)

    def standard_normal(
        self, size: ShapeLike | None = None, dtype: DTypeLike = np.float64, out: ndarray | None = None
    ) -> ndarray:
        """Draw normal numbers of mean 0 and standard deviation 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape; a single number when None.
        dtype : dtype, optional
            float64 or float32.
        out : ndarray, optional
            Where to put the result.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> x = cp.random.default_rng(1).standard_normal(100_000)
        >>> bool(abs(x.std() - 1) < 0.01)
        True
        """
        return filled(
            "standard_normal", out, size, dtype, lambda shape: self._draw("normal", (0.0, 1.0), shape, dtype)
        )

    def standard_exponential(
        self,
        size: ShapeLike | None = None,
        dtype: DTypeLike = np.float64,
        method: Literal["zig", "inv"] = "zig",
        out: ndarray | None = None,
    ) -> ndarray:
        """Draw exponential numbers of mean 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape; a single number when None.
        dtype : dtype, optional
            float64 or float32.
        method : {'zig', 'inv'}, optional
            How NumPy's sequential generators draw; `Philox` draws by inversion in any case.
        out : ndarray, optional
            Where to put the result.

        Returns
        -------
        ndarray
            The draws.

        Examples
        --------
        >>> cp.random.default_rng(1).standard_exponential((2, 3)).shape
        (2, 3)
        """
        if method not in ("zig", "inv"):
            raise ValueError(f"standard_exponential: method must be 'zig' or 'inv', got {method!r}")
        if method == "inv" and self._is_sequential:
            inverse = self._stream.exponential_inverse
            return filled("standard_exponential", out, size, dtype, lambda shape: inverse(shape, dtype))
        return filled(
            "standard_exponential",
            out,
            size,
            dtype,
            lambda shape: self._draw("exponential", (1.0,), shape, dtype),
        )


def default_rng(seed: Any = None) -> Generator:
    """Return a generator on a new stream, of `Philox` or of what `set_default` chose.

    Parameters
    ----------
    seed : int, sequence of int, SeedSequence, BitGenerator, Generator or RandomState, optional
        The seed; the operating system's entropy when None. A bit generator is used as it is, that of a
        RandomState too, and a generator returned.

    Returns
    -------
    Generator
        The generator.

    Examples
    --------
    >>> cp.random.default_rng(12345).random()
    array(0.42075436)
    """
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, BitGenerator):
        return Generator(seed)
    if isinstance(seed, RandomState):
        return Generator(seed._bit_generator)
    return Generator(PCG64(seed) if get_default() == "numpy" else Philox(seed))
