"""Distributions of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._core import ndarray
from ._documentation import documented
from ._draws import Draws, whole

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, ShapeLike


@documented
class Counts(Draws):
    """Distributions of counts."""

    def poisson(
        self, lam: ArrayLike = 1.0, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw Poisson counts.

        Parameters
        ----------
        lam : float or array_like of float
            The mean, not negative.
        {size}
        {int_dtype}

        {counts}

        Examples
        --------
        >>> x = cp.random.default_rng(1).poisson(5, 10_000)
        >>> bool(abs(x.mean() - 5) < 0.1)
        True
        """
        return self._count("poisson", (lam,), size, dtype)

    def binomial(
        self, n: ArrayLike, p: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw how many of `n` trials succeed.

        Parameters
        ----------
        n : int or array_like of int
            The number of trials, not negative.
        p : float or array_like of float
            The chance of success, from 0 to 1.
        {size}
        {int_dtype}

        {counts}

        Examples
        --------
        >>> bool((cp.random.default_rng(1).binomial(10, 0.5, 100) <= 10).all())
        True
        """
        return self._count("binomial", (whole("binomial", "n", n), p), size, dtype)

    def negative_binomial(
        self, n: ArrayLike, p: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw how many trials fail before `n` succeed.

        Parameters
        ----------
        n : float or array_like of float
            The number of successes, positive.
        p : float or array_like of float
            The chance of success, above 0 and at most 1.
        {size}
        {int_dtype}

        {counts}

        Examples
        --------
        >>> cp.random.default_rng(1).negative_binomial(1, 0.1, 4).shape
        (4,)
        """
        return self._count("negative_binomial", (n, p), size, dtype)

    def geometric(
        self, p: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw how many trials it takes to succeed once.

        Parameters
        ----------
        p : float or array_like of float
            The chance of success, above 0 and at most 1.
        {size}
        {int_dtype}

        Returns
        -------
        ndarray
            The counts, at least 1.

        Examples
        --------
        >>> bool((cp.random.default_rng(1).geometric(0.35, 100) >= 1).all())
        True
        """
        return self._count("geometric", (p,), size, dtype)

    def hypergeometric(
        self,
        ngood: ArrayLike,
        nbad: ArrayLike,
        nsample: ArrayLike,
        size: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> ndarray:
        """Draw how many of a sample without replacement are good.

        Parameters
        ----------
        ngood : int or array_like of int
            How many good ones there are.
        nbad : int or array_like of int
            How many bad ones there are.
        nsample : int or array_like of int
            How many are drawn, at most all of them.
        {size}
        {int_dtype}

        {counts}

        Examples
        --------
        >>> bool((cp.random.default_rng(1).hypergeometric(15, 15, 15, 100) <= 15).all())
        True
        """
        names = {"ngood": ngood, "nbad": nbad, "nsample": nsample}
        numbers = tuple(whole("hypergeometric", name, value) for name, value in names.items())
        return self._count("hypergeometric", numbers, size, dtype)

    def logseries(
        self, p: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw numbers of the logarithmic series distribution.

        Parameters
        ----------
        p : float or array_like of float
            The shape, from 0 and below 1.
        {size}
        {int_dtype}

        Returns
        -------
        ndarray
            The numbers, at least 1.

        Examples
        --------
        >>> bool((cp.random.default_rng(1).logseries(0.6, 100) >= 1).all())
        True
        """
        return self._count("logseries", (p,), size, dtype)

    def zipf(self, a: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None) -> ndarray:
        """Draw Zipf (zeta) numbers.

        Parameters
        ----------
        a : float or array_like of float
            The exponent, above 1.
        {size}
        {int_dtype}

        Returns
        -------
        ndarray
            The numbers, at least 1.

        Examples
        --------
        >>> bool((cp.random.default_rng(1).zipf(2.0, 100) >= 1).all())
        True
        """
        return self._count("zipf", (a,), size, dtype)
