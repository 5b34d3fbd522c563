"""Continuous distributions whose draws are formulas of uniform or normal numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._core import ndarray
from ._documentation import documented
from ._draws import Draws

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, ShapeLike


@documented
class Transformed(Draws):
    """Distributions whose draws are formulas of uniform or normal numbers."""

    def uniform(
        self,
        low: ArrayLike = 0.0,
        high: ArrayLike = 1.0,
        size: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> ndarray:
        """Draw uniform numbers from `low` up to, but without, `high`.

        A Generator's are NumPy's, bit for bit.

        Parameters
        ----------
        low : float or array_like of float
            The lower bound.
        high : float or array_like of float
            The upper bound.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> cp.random.default_rng(12345).uniform(-1, 1, 2)
        array([-0.15849128,  0.30634194])
        """
        return self._draw("uniform", (low, high), size, dtype, self._light)

    def normal(
        self,
        loc: ArrayLike = 0.0,
        scale: ArrayLike = 1.0,
        size: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> ndarray:
        """Draw normal (Gaussian) numbers.

        Parameters
        ----------
        loc : float or array_like of float
            The mean.
        scale : float or array_like of float
            The standard deviation, not negative.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> x = cp.random.default_rng(1).normal(10.0, 0.1, 1000)
        >>> bool(abs(x.mean() - 10) < 0.02)
        True
        """
        return self._draw("normal", (loc, scale), size, dtype)

    def lognormal(
        self,
        mean: ArrayLike = 0.0,
        sigma: ArrayLike = 1.0,
        size: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> ndarray:
        """Draw numbers whose logarithms are normal.

        Parameters
        ----------
        mean : float or array_like of float
            The mean of the logarithms.
        sigma : float or array_like of float
            The standard deviation of the logarithms, not negative.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> bool((cp.random.default_rng(1).lognormal(size=9) > 0).all())
        True
        """
        return self._draw("lognormal", (mean, sigma), size, dtype)

    def exponential(
        self, scale: ArrayLike = 1.0, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw exponential waiting times.

        Parameters
        ----------
        scale : float or array_like of float
            The mean, not negative.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> cp.random.default_rng(1).exponential(2.0, (2, 3)).shape
        (2, 3)
        """
        return self._draw("exponential", (scale,), size, dtype)

    def laplace(
        self,
        loc: ArrayLike = 0.0,
        scale: ArrayLike = 1.0,
        size: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> ndarray:
        """Draw double-exponential numbers.

        Parameters
        ----------
        loc : float or array_like of float
            The centre.
        scale : float or array_like of float
            The mean distance from it, not negative.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> cp.random.default_rng(1).laplace(size=4).shape
        (4,)
        """
        return self._draw("laplace", (loc, scale), size, dtype)

    def gumbel(
        self,
        loc: ArrayLike = 0.0,
        scale: ArrayLike = 1.0,
        size: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> ndarray:
        """Draw numbers of the Gumbel distribution of largest values.

        Parameters
        ----------
        loc : float or array_like of float
            The mode.
        scale : float or array_like of float
            The scale, not negative.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> cp.random.default_rng(1).gumbel(size=4).shape
        (4,)
        """
        return self._draw("gumbel", (loc, scale), size, dtype)

    def logistic(
        self,
        loc: ArrayLike = 0.0,
        scale: ArrayLike = 1.0,
        size: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> ndarray:
        """Draw logistic numbers.

        Parameters
        ----------
        loc : float or array_like of float
            The mean.
        scale : float or array_like of float
            The scale, not negative.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> cp.random.default_rng(1).logistic(size=4).shape
        (4,)
        """
        return self._draw("logistic", (loc, scale), size, dtype)

    def rayleigh(
        self, scale: ArrayLike = 1.0, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw lengths of vectors of two normal components.

        Parameters
        ----------
        scale : float or array_like of float
            The mode, not negative.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> bool((cp.random.default_rng(1).rayleigh(size=9) >= 0).all())
        True
        """
        return self._draw("rayleigh", (scale,), size, dtype)

    def weibull(self, a: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None) -> ndarray:
        """Draw Weibull lifetimes of scale 1.

        Parameters
        ----------
        a : float or array_like of float
            The shape, not negative.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> bool((cp.random.default_rng(1).weibull(1.5, 9) >= 0).all())
        True
        """
        return self._draw("weibull", (a,), size, dtype)

    def pareto(self, a: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None) -> ndarray:
        """Draw Pareto II (Lomax) numbers.

        Parameters
        ----------
        a : float or array_like of float
            The shape, positive.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> bool((cp.random.default_rng(1).pareto(3.0, 9) >= 0).all())
        True
        """
        return self._draw("pareto", (a,), size, dtype)

    def power(self, a: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None) -> ndarray:
        """Draw numbers in [0, 1] with a density in proportion to ``x ** (a - 1)``.

        Parameters
        ----------
        a : float or array_like of float
            The exponent, positive.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> bool((cp.random.default_rng(1).power(5.0, 9) <= 1).all())
        True
        """
        return self._draw("power", (a,), size, dtype)

    def standard_cauchy(self, size: ShapeLike | None = None, dtype: DTypeLike | None = None) -> ndarray:
        """Draw Cauchy numbers of centre 0 and scale 1.

        Parameters
        ----------
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> cp.random.default_rng(1).standard_cauchy(3).shape
        (3,)
        """
        return self._draw("standard_cauchy", (), size, dtype)

    def triangular(
        self,
        left: ArrayLike,
        mode: ArrayLike,
        right: ArrayLike,
        size: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> ndarray:
        """Draw numbers of a triangular density.

        Parameters
        ----------
        left : float or array_like of float
            The lower end.
        mode : float or array_like of float
            Where the density is highest.
        right : float or array_like of float
            The upper end.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> x = cp.random.default_rng(1).triangular(-1, 0, 8, 100)
        >>> bool(((x >= -1) & (x <= 8)).all())
        True
        """
        return self._draw("triangular", (left, mode, right), size, dtype)
