"""Distributions of vectors."""

from __future__ import annotations

import importlib
import math
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from .._convert import as_array
from .._core import ndarray
from .._creation.fill import zeros
from .._manipulation.join import stack
from .._manipulation.shape import broadcast_to
from ._arrangements import _shape
from ._counts import Counts
from ._draws import whole
from ._rejected import Rejected

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, ShapeLike


class Multivariate(Counts, Rejected):
    """Multinomial, Dirichlet and normal vectors."""

    def multinomial(self, n: ArrayLike, pvals: ArrayLike, size: ShapeLike | None = None) -> ndarray:
        """Draw how often each outcome comes up in `n` trials.

        Parameters
        ----------
        n : int or array_like of int
            The number of trials, not negative.
        pvals : array_like of float
            The chances of the outcomes along the last axis; the last one takes what is left of 1.
        size : int or tuple of int, optional
            The shape before the axis of outcomes; that of `n` and `pvals` broadcast together when None.

        Returns
        -------
        ndarray
            The counts, int64, the outcomes along the last axis.

        Examples
        --------
        >>> cp.random.default_rng(1).multinomial(20, [1 / 6] * 6, size=3).sum(axis=1)
        array([20, 20, 20])
        """
        chances = as_array(pvals).astype(np.float64)
        if chances.ndim == 0 or chances.shape[-1] == 0:
            raise ValueError(
                "multinomial: pvals must have at least 1 dimension and the last dimension must not be 0"
            )
        if not bool(((chances >= 0) & (chances <= 1)).all()):
            raise ValueError("multinomial: pvals < 0, pvals > 1 or pvals contains NaNs")
        if bool((chances[..., :-1].sum(axis=-1) > 1.0 + 1e-12).any()):
            raise ValueError("multinomial: sum(pvals[:-1]) > 1.0")
        trials = as_array(whole("multinomial", "n", n))
        if bool((trials < 0).any()):
            raise ValueError("multinomial: n < 0")
        common = np.broadcast_shapes(trials.shape, chances.shape[:-1])
        shape = common if size is None else _shape(size)
        if np.broadcast_shapes(common, shape) != shape:
            raise ValueError(f"multinomial: size {size} does not fit the parameters' shape {common}")
        outcomes = chances.shape[-1]
        if self._is_sequential:
            rows_of = broadcast_to(chances, (*shape, outcomes)) if chances.ndim > 1 else chances
            if chances.ndim > 1:
                rows_of = rows_of.reshape(-1, outcomes)
            counts: ndarray = self._stream.multinomial(broadcast_to(trials, shape).ravel(), rows_of)
            return counts.reshape((*shape, outcomes))
        if chances.ndim > 1:
            return self._multinomial_each(broadcast_to(trials, shape), chances, shape)
        rows = math.prod(shape)
        trials = trials.reshape(1) if trials.ndim == 0 else broadcast_to(trials, shape).ravel()
        drawn: ndarray = self._stream.multinomial(trials, chances, rows)
        return drawn.reshape((*shape, outcomes))

    def _multinomial_each(self, left: ndarray, chances: ndarray, shape: tuple[int, ...]) -> ndarray:
        """Return counts where chances differ from place to place: binomials of what is left."""
        counts = []
        remaining = zeros(chances.shape[:-1]) + 1.0
        for outcome in range(chances.shape[-1] - 1):
            share = (chances[..., outcome] / remaining).clip(0.0, 1.0)
            share = as_array(share)
            share[share != share] = 1.0
            counts.append(self.binomial(left, share, shape))
            left = left - counts[-1]
            remaining = remaining - chances[..., outcome]
        return stack([*counts, left], axis=-1)

    def multivariate_hypergeometric(
        self,
        colors: Sequence[SupportsIndex],
        nsample: int,
        size: ShapeLike | None = None,
        method: Literal["marginals", "count"] = "marginals",
    ) -> ndarray:
        """Draw how many of each colour a sample without replacement holds.

        Parameters
        ----------
        colors : sequence of int
            How many there are of each colour.
        nsample : int
            How many are drawn, at most all of them.
        size : int or tuple of int, optional
            The shape before the axis of colours.
        method : {'marginals', 'count'}, optional
            How NumPy's sequential generators draw; `Philox` draws the marginals in any case.

        Returns
        -------
        ndarray
            The counts, int64, the colours along the last axis.

        Examples
        --------
        >>> cp.random.default_rng(1).multivariate_hypergeometric([16, 8, 4], 6).sum()
        array(6)
        """
        if method not in ("marginals", "count"):
            raise ValueError(
                f"multivariate_hypergeometric: method must be 'count' or 'marginals', got {method!r}"
            )
        given = as_array(colors)
        if given.ndim != 1 or (given.size and given.dtype.kind not in "biu") or bool((given < 0).any()):
            raise ValueError(
                "multivariate_hypergeometric: colors must be one-dimensional, integers and not negative"
            )
        numbers = [int(c) for c in given.tolist()]
        if not 0 <= nsample <= sum(numbers):
            raise ValueError(
                f"multivariate_hypergeometric: nsample must lie in [0, {sum(numbers)}], got {nsample}"
            )
        shape = _shape(size)
        if not numbers:
            return zeros((*shape, 0), np.int64)
        if self._is_sequential:
            if method == "marginals" and sum(numbers) >= 10**9:
                raise ValueError(
                    "multivariate_hypergeometric: sum(colors) must be less than 10**9 with method "
                    f"'marginals', got {sum(numbers)}"
                )
            counting, rows = method == "count", math.prod(shape)
            drawn: ndarray = self._stream.multivariate_hypergeometric(numbers, int(nsample), rows, counting)
            return drawn.reshape((*shape, len(numbers)))
        left = zeros(shape, np.int64) + int(nsample)
        counts, others = [], sum(numbers)
        for colour in numbers[:-1]:
            others -= colour
            counts.append(self.hypergeometric(zeros(shape, np.int64) + colour, others, left, shape))
            left = left - counts[-1]
        return stack([*counts, left], axis=-1)

    def dirichlet(self, alpha: Any, size: Any = None, dtype: DTypeLike | None = None) -> ndarray:
        """Draw vectors of chances that add up to 1.

        Parameters
        ----------
        alpha : sequence of float
            The concentrations, not negative.
        size : int or tuple of int, optional
            The shape before the axis of components.
        dtype : dtype, optional
            float64 or float32.

        Returns
        -------
        ndarray
            The vectors, along the last axis.

        Examples
        --------
        >>> cp.random.default_rng(1).dirichlet([10, 5, 3], 2).shape
        (2, 3)
        """
        alpha = as_array(alpha).astype(np.float64)
        if alpha.ndim != 1:
            raise ValueError(f"dirichlet: alpha must be one-dimensional, got {alpha.ndim} dimensions")
        if bool((alpha < 0).any()) or bool((alpha != alpha).any()):
            raise ValueError("dirichlet: alpha < 0")
        shape = (*_shape(size), alpha.size)
        if self._is_sequential:
            if self._is_legacy and bool((alpha <= 0).any()):
                raise ValueError("dirichlet: alpha <= 0")
            drawn: ndarray = self._stream.dirichlet(alpha.tolist(), math.prod(shape[:-1])).reshape(shape)
            return drawn if dtype is None else drawn.astype(dtype)
        if alpha.size == 0 or not bool((alpha > 0).any()):
            return zeros(shape, np.float64 if dtype is None else dtype)
        if float(alpha.max()) < 0.1:
            vectors = self._broken_stick(alpha, shape)
        else:
            vectors = self.standard_gamma(alpha, shape)
            vectors = vectors / vectors.sum(axis=-1, keepdims=True)
        return vectors if dtype is None else vectors.astype(dtype)

    def _broken_stick(self, alpha: ndarray, shape: tuple[int, ...]) -> ndarray:
        """Return Dirichlet vectors of small concentrations, whose gammas could all be zero."""
        rest = alpha.sum()
        left = zeros(shape[:-1]) + 1.0
        parts = []
        for i in range(shape[-1] - 1):
            rest = rest - alpha[i]
            if float(alpha[i]) == 0.0:
                share = zeros(shape[:-1])
            elif float(rest) <= 0.0:
                share = zeros(shape[:-1]) + 1.0
            else:
                share = self.beta(alpha[i], rest, shape[:-1])
            parts.append(left * share)
            left = left - parts[-1]
        return stack([*parts, left], axis=-1)

    def multivariate_normal(
        self,
        mean: Any,
        cov: Any,
        size: Any = None,
        check_valid: Any = "warn",
        tol: float = 1e-8,
        method: Any = "svd",
        dtype: DTypeLike | None = None,
    ) -> ndarray:
        """Draw normal vectors of a mean and a covariance.

        Parameters
        ----------
        mean : sequence of float
            The mean vector.
        cov : array_like of float
            The covariance, symmetric and positive semidefinite.
        size : int or tuple of int, optional
            The shape before the axis of components; a single vector when None.
        check_valid : {'warn', 'raise', 'ignore'}, optional
            What to do where the covariance is not positive semidefinite.
        tol : float, optional
            How far the covariance may be from what its factors give.
        method : {'svd', 'eigh', 'cholesky'}, optional
            How the covariance is factored.
        dtype : dtype, optional
            float64 or float32.

        Returns
        -------
        ndarray
            The vectors, along the last axis.

        Examples
        --------
        >>> x = cp.random.default_rng(1).multivariate_normal([0, 5], [[2, 1], [1, 3]], 50_000)
        >>> cp.round(cp.cov(x.T))
        array([[2., 1.],
               [1., 3.]])
        """
        mean, cov = (as_array(a).astype(np.float64) for a in (mean, cov))
        if mean.ndim != 1:
            raise ValueError(f"multivariate_normal: mean must be 1 dimensional, got {mean.ndim} dimensions")
        if cov.ndim != 2 or cov.shape[0] != cov.shape[1]:
            raise ValueError(f"multivariate_normal: cov must be 2 dimensional and square, got {cov.shape}")
        if mean.shape[0] != cov.shape[0]:
            message = f"{mean.shape[0]} and {cov.shape[0]}"
            raise ValueError(f"multivariate_normal: mean and cov must have same length, got {message}")
        if check_valid not in ("warn", "raise", "ignore"):
            text = f"check_valid must equal 'warn', 'raise', or 'ignore', got {check_valid!r}"
            raise ValueError(f"multivariate_normal: {text}")
        factor, is_valid = _factor(cov, method, tol)
        if check_valid != "ignore" and not is_valid:
            text = "multivariate_normal: covariance is not symmetric positive-semidefinite"
            if check_valid == "raise":
                raise ValueError(text)
            warnings.warn(text, RuntimeWarning, stacklevel=2)
        standard = self._draw("normal", (0.0, 1.0), (*_shape(size), mean.shape[0]))
        vectors: ndarray = mean + standard @ factor.T
        return vectors if dtype is None else vectors.astype(dtype)


def _factor(cov: ndarray, method: str, tol: float) -> tuple[ndarray, bool]:
    """Return a matrix whose product with its transpose is the covariance, and whether that holds."""
    linalg = importlib.import_module("cuprum.linalg")
    if method == "cholesky":
        return linalg.cholesky(cov), True
    if method == "svd":
        left, values, right = linalg.svd(cov)
        product = (right.T * values) @ right
        is_valid = bool((abs(product - cov) <= tol + tol * abs(cov)).all())
    elif method == "eigh":
        values, left = linalg.eigh(cov)
        is_valid = bool((values >= -tol).all())
        values = abs(values)
    else:
        raise ValueError(
            f"multivariate_normal: method must be one of 'eigh', 'svd', 'cholesky', got {method!r}"
        )
    return left * values**0.5, is_valid
