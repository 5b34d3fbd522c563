"""Densities estimated from samples."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array
from ..._core import ndarray

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["gaussian_kde"]

_MAX_DISTANCES = 1 << 24
"""Distances that exist at a time."""


class gaussian_kde:  # noqa: N801 - SciPy's name
    """The density of a distribution, estimated by a Gaussian around each point of a sample.

    Parameters
    ----------
    dataset : (N,) or (D, N) array_like
        The points, one a column.
    bw_method : {"scott", "silverman"}, float or callable, optional
        The width of the Gaussians, as a factor of the spread of the points.
    weights : (N,) array_like, optional
        How much each point counts.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> density = stats.gaussian_kde(cp.array([0.0, 1.0, 2.0]))
    >>> density(cp.array([1.0])).round(6)
    array([0.318156])
    """

    def __init__(self, dataset: ArrayLike, bw_method: Any = None, weights: ArrayLike | None = None) -> None:
        self.dataset = _core.array(dataset, copy=None, ndmin=2)
        if self.dataset.dtype.kind in "bui":
            self.dataset = self.dataset.astype(np.float64)
        if self.dataset.size <= 1:
            raise ValueError("gaussian_kde: `dataset` input should have multiple elements.")
        self.d, self.n = self.dataset.shape
        if weights is None:
            self.weights = cp.full(self.n, 1.0 / self.n, self.dataset.dtype)
            self.neff: Any = float(self.n)
        else:
            w = as_array(weights).astype(np.float64)
            if w.ndim != 1:
                raise ValueError("gaussian_kde: `weights` input should be one-dimensional.")
            if w.size != self.n:
                raise ValueError("gaussian_kde: `weights` input should be of length n")
            self.weights = w / w.sum()
            self.neff = float(1 / (self.weights**2).sum())
        if self.d > self.n:
            raise ValueError(
                "gaussian_kde: Number of dimensions is greater than number of samples. This results in "
                "a singular "
                "data covariance matrix, which cannot be treated using the algorithms implemented in "
                "`gaussian_kde`. Note that `gaussian_kde` interprets each *column* of `dataset` to be "
                "a point; "
                "consider transposing the input to `dataset`."
            )
        self.set_bandwidth(bw_method)

    def scotts_factor(self) -> float:
        """Return Scott's factor.

        Examples
        --------
        >>> from cuprum.scipy.stats import gaussian_kde
        >>> density = gaussian_kde(cp.asarray([0.0, 1.0, 2.0]))
        >>> round(float(density.scotts_factor()), 4)
        0.8027
        """
        number: float = self.neff ** (-1.0 / (self.d + 4))
        return number

    def silverman_factor(self) -> float:
        """Return Silverman's factor.

        Examples
        --------
        >>> from cuprum.scipy.stats import gaussian_kde
        >>> density = gaussian_kde(cp.asarray([0.0, 1.0, 2.0]))
        >>> round(float(density.silverman_factor()), 4)
        0.8503
        """
        number: float = (self.neff * (self.d + 2.0) / 4.0) ** (-1.0 / (self.d + 4))
        return number

    def set_bandwidth(self, bw_method: Any = None) -> None:
        """Choose the width of the Gaussians.

        Examples
        --------
        >>> from cuprum.scipy.stats import gaussian_kde
        >>> density = gaussian_kde(cp.asarray([0.0, 1.0, 2.0]))
        >>> density.set_bandwidth(0.5)
        >>> float(density.factor)
        0.5
        """
        if bw_method is None or bw_method == "scott":
            self.factor = self.scotts_factor()
        elif bw_method == "silverman":
            self.factor = self.silverman_factor()
        elif callable(bw_method):
            self.factor = bw_method(self)
        elif np.isscalar(bw_method) and not isinstance(bw_method, str):
            factor: Any = bw_method
            self.factor = float(factor)
        else:
            raise ValueError(
                "gaussian_kde: `bw_method` should be 'scott', 'silverman', a scalar or a callable."
            )
        mean = (self.dataset * self.weights).sum(axis=1, keepdims=True)
        apart = self.dataset - mean
        covariance = (apart * self.weights) @ apart.T / (1 - (self.weights**2).sum())
        try:
            self._factors = cp.linalg.cholesky(covariance) * self.factor
        except np.linalg.LinAlgError:
            raise np.linalg.LinAlgError(
                "gaussian_kde: The data appears to lie in a lower-dimensional subspace of the space in "
                "which it is "
                "expressed. This has resulted in a singular data covariance matrix, which cannot be "
                "treated using "
                "the algorithms implemented in `gaussian_kde`."
            ) from None
        self.covariance = covariance * self.factor**2

    @property
    def inv_cov(self) -> ndarray:
        """The inverse of the covariance of the Gaussians."""
        return cp.linalg.inv(self.covariance)

    def _points(self, points: Any) -> ndarray:
        array = _core.array(points, copy=None, ndmin=2)
        if array.shape[0] != self.d:
            if array.shape[0] == 1 and array.shape[1] == self.d:
                result: ndarray = array.reshape(self.d, 1)
                return result
            raise ValueError(
                f"gaussian_kde: points have dimension {array.shape[0]}, dataset has dimension {self.d}"
            )
        return array

    def _log_terms(self, points: ndarray) -> tuple[ndarray, ndarray]:
        """Return points and the sample in units of the Gaussians' width."""
        factors = self._factors
        scaled, sample = (
            _core.linalg_solve_triangular(factors, p.astype(factors.dtype), 0, True, False)
            for p in (points, self.dataset)
        )
        return scaled, sample

    def evaluate(self, points: Any) -> ndarray:
        """Return the density at points.

        Examples
        --------
        >>> from cuprum.scipy.stats import gaussian_kde
        >>> density = gaussian_kde(cp.asarray([0.0, 1.0, 2.0]))
        >>> density.evaluate(cp.asarray([1.0])).round(4)
        array([0.3182])
        """
        return self._summed(points, logarithm=False)

    __call__ = pdf = evaluate

    def logpdf(self, x: Any) -> ndarray:
        """Return the logarithm of the density at points.

        Examples
        --------
        >>> from cuprum.scipy.stats import gaussian_kde
        >>> density = gaussian_kde(cp.asarray([0.0, 1.0, 2.0]))
        >>> density.logpdf(cp.asarray([1.0])).round(4)
        array([-1.1452])
        """
        return self._summed(x, logarithm=True)

    def _summed(self, points: Any, logarithm: bool) -> ndarray:
        white, sample = self._log_terms(self._points(points))
        norm = self.d / 2 * math.log(2 * math.pi) + cp.log(cp.diagonal(self._factors)).sum()
        results = []
        step = max(1, _MAX_DISTANCES // (self.n * self.d))
        for first in range(0, white.shape[1], step):
            part = white[:, first : first + step]
            square = ((part[:, :, cp.newaxis] - sample[:, cp.newaxis, :]) ** 2).sum(axis=0)
            exponent = -square / 2 - norm
            if logarithm:
                top = exponent.max(axis=1, keepdims=True)
                total = cp.log((cp.exp(exponent - top) * self.weights).sum(axis=1)) + top[:, 0]
            else:
                total = cp.exp(exponent) @ self.weights
            results.append(total)
        return cp.concatenate(results) if results else cp.zeros(0)

    def integrate_gaussian(self, mean: Any, cov: Any) -> ndarray:
        """Return the integral of the density times a Gaussian.

        Examples
        --------
        >>> from cuprum.scipy.stats import gaussian_kde
        >>> density = gaussian_kde(cp.asarray([0.0, 1.0, 2.0]))
        >>> round(float(density.integrate_gaussian(1.0, 1.0)), 4)
        0.2567
        """
        mean, cov = cp.atleast_1d(as_array(mean)), cp.atleast_2d(as_array(cov))
        if mean.shape != (self.d,):
            raise ValueError(f"gaussian_kde: mean does not have dimension {self.d}")
        if cov.shape != (self.d, self.d):
            raise ValueError(f"gaussian_kde: covariance does not have dimension {self.d}")
        both = self.covariance + cov
        apart = self.dataset - mean[:, cp.newaxis]
        square = (apart * cp.linalg.solve(both, apart)).sum(axis=0)
        scale = cp.sqrt(cp.linalg.det(2 * math.pi * both))
        return (cp.exp(-square / 2) * self.weights).sum() / scale

    def resample(self, size: Any = None, seed: Any = None) -> ndarray:
        """Return random points of the estimated density.

        Examples
        --------
        >>> from cuprum.scipy.stats import gaussian_kde
        >>> density = gaussian_kde(cp.asarray([0.0, 1.0, 2.0]))
        >>> density.resample(5, seed=1).shape
        (1, 5)
        """
        size = int(self.neff) if size is None else int(size)
        generator = seed if isinstance(seed, cp.random.Generator) else cp.random.default_rng(seed)
        noise = self._factors @ generator.standard_normal((self.d, size))
        edges = cp.cumsum(self.weights)
        chosen = cp.searchsorted(edges, generator.random(size) * edges[-1], side="right")
        return self.dataset[:, cp.minimum(chosen, self.n - 1)] + noise
