"""Continuous distributions whose draws come from rejection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._core import ndarray
from ._documentation import documented
from ._draws import Draws, filled

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, ShapeLike


@documented
class Rejected(Draws):
    """Distributions whose draws come from rejection."""

    def gamma(
        self,
        shape: ArrayLike,
        scale: ArrayLike = 1.0,
        size: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> ndarray:
        """Draw gamma numbers.

        Parameters
        ----------
        shape : float or array_like of float
            The shape, not negative.
        scale : float or array_like of float
            The scale, not negative.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> x = cp.random.default_rng(1).gamma(9.0, 0.5, 10_000)
        >>> bool(abs(x.mean() - 4.5) < 0.1)
        True
        """
        return self._draw("gamma", (shape, scale), size, dtype)

    def standard_gamma(
        self,
        shape: ArrayLike,
        size: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
        out: ndarray | None = None,
    ) -> ndarray:
        """Draw gamma numbers of scale 1.

        Parameters
        ----------
        shape : float or array_like of float
            The shape, not negative.
        size : int or tuple of int, optional
            The shape of the result; that of the parameter when None.
        {float_dtype}
        out : ndarray, optional
            Where to put the result.

        {draws}

        Examples
        --------
        >>> cp.random.default_rng(1).standard_gamma(2.0, 4).shape
        (4,)
        """
        if out is None:
            return self._draw("standard_gamma", (shape,), size, dtype)
        dtype = "float64" if dtype is None else dtype
        name = "standard_gamma"
        return filled(name, out, size, dtype, lambda dims: self._draw(name, (shape,), dims, dtype))

    def beta(
        self, a: ArrayLike, b: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw beta numbers, between 0 and 1.

        Parameters
        ----------
        a : float or array_like of float
            The first shape, positive.
        b : float or array_like of float
            The second shape, positive.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> x = cp.random.default_rng(1).beta(2.0, 5.0, 100)
        >>> bool(((x > 0) & (x < 1)).all())
        True
        """
        return self._draw("beta", (a, b), size, dtype)

    def chisquare(
        self, df: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw chi-square numbers.

        Parameters
        ----------
        df : float or array_like of float
            The degrees of freedom, positive.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> cp.random.default_rng(1).chisquare(3, 4).shape
        (4,)
        """
        return self._draw("chisquare", (df,), size, dtype)

    def noncentral_chisquare(
        self, df: ArrayLike, nonc: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw noncentral chi-square numbers.

        Parameters
        ----------
        df : float or array_like of float
            The degrees of freedom, positive.
        nonc : float or array_like of float
            The noncentrality, not negative.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> cp.random.default_rng(1).noncentral_chisquare(3, 20, 4).shape
        (4,)
        """
        return self._draw("noncentral_chisquare", (df, nonc), size, dtype)

    def f(
        self,
        dfnum: ArrayLike,
        dfden: ArrayLike,
        size: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> ndarray:
        """Draw F numbers: ratios of two chi-squares, each over its degrees of freedom.

        Parameters
        ----------
        dfnum : float or array_like of float
            The degrees of freedom above, positive.
        dfden : float or array_like of float
            The degrees of freedom below, positive.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> cp.random.default_rng(1).f(1, 48, 4).shape
        (4,)
        """
        return self._draw("f", (dfnum, dfden), size, dtype)

    def noncentral_f(
        self,
        dfnum: ArrayLike,
        dfden: ArrayLike,
        nonc: ArrayLike,
        size: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> ndarray:
        """Draw noncentral F numbers.

        Parameters
        ----------
        dfnum : float or array_like of float
            The degrees of freedom above, positive.
        dfden : float or array_like of float
            The degrees of freedom below, positive.
        nonc : float or array_like of float
            The noncentrality of the numerator, not negative.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> cp.random.default_rng(1).noncentral_f(3, 20, 3.0, 4).shape
        (4,)
        """
        return self._draw("noncentral_f", (dfnum, dfden, nonc), size, dtype)

    def standard_t(
        self, df: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw Student's t numbers.

        Parameters
        ----------
        df : float or array_like of float
            The degrees of freedom, positive.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> cp.random.default_rng(1).standard_t(10, 4).shape
        (4,)
        """
        return self._draw("standard_t", (df,), size, dtype)

    def vonmises(
        self, mu: ArrayLike, kappa: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw angles between -pi and pi around a mean direction.

        Parameters
        ----------
        mu : float or array_like of float
            The mean direction.
        kappa : float or array_like of float
            The concentration, not negative.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> bool((abs(cp.random.default_rng(1).vonmises(0.0, 4.0, 100)) <= cp.pi).all())
        True
        """
        return self._draw("vonmises", (mu, kappa), size, dtype)

    def wald(
        self, mean: ArrayLike, scale: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike | None = None
    ) -> ndarray:
        """Draw Wald (inverse Gaussian) numbers.

        Parameters
        ----------
        mean : float or array_like of float
            The mean, positive.
        scale : float or array_like of float
            The scale, positive.
        {size}
        {float_dtype}

        {draws}

        Examples
        --------
        >>> bool((cp.random.default_rng(1).wald(3, 2, 9) > 0).all())
        True
        """
        return self._draw("wald", (mean, scale), size, dtype)
