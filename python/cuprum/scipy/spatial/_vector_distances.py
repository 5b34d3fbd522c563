"""Distances between two vectors: one function for each metric."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import cuprum as cp
import cuprum.scipy.special

from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ..._typing import ArrayLike
from ._distances import pair_distances

# A ufunc, which the table of ops makes.
_special: Any = cuprum.scipy.special


def _vectors(op: str, *vectors: Any) -> list[ndarray]:
    found = []
    for vector in vectors:
        array = as_array(vector)
        if array.ndim != 1:
            raise ValueError(f"{op}: Input vector should be 1-D, got shape {array.shape}")
        found.append(array)
    if len({array.shape for array in found}) > 1:
        raise ValueError(f"{op}: vectors have the shapes {', '.join(str(array.shape) for array in found)}")
    return found


def _distance(op: str, u: Any, v: Any, metric: str, **kwargs: Any) -> ndarray:
    a, b = _vectors(op, u, v)
    given = {name: value for name, value in kwargs.items() if value is not None}
    return pair_distances(op, a[None], b[None], metric, given)[0, 0]


def _weighted(name: str, what: str, example: str) -> Callable[..., ndarray]:
    """Return the function of a metric whose only option is weights."""

    def function(u: ArrayLike, v: ArrayLike, w: ArrayLike | None = None) -> ndarray:
        return _distance(name, u, v, name, w=w)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Return {what}.

    Parameters
    ----------
    u, v : (N,) array_like
        The vectors.
    w : (N,) array_like, optional
        Weights.

    Returns
    -------
    ndarray
        The distance.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import {name}
    >>> {name}(cp.array([1, 0, 1]), cp.array([1, 1, 0])).round(4)
    array({example})
    """
    return names_itself(function)


braycurtis = _weighted("braycurtis", "the sum of differences over the sum of sums", "0.5")
canberra = _weighted("canberra", "the sum of differences, each over the sum of sizes", "2.")
chebyshev = _weighted("chebyshev", "the largest difference", "1.")
cityblock = _weighted("cityblock", "the sum of differences, also called Manhattan distance", "2.")
cosine = _weighted("cosine", "one minus the cosine of the angle between two vectors", "0.5")
dice = _weighted("dice", "Dice's dissimilarity of vectors of truth values", "0.5")
euclidean = _weighted("euclidean", "Euclid's distance", "1.4142")
hamming = _weighted("hamming", "the share of components that differ", "0.6667")
jaccard = _weighted(
    "jaccard", "the share of components that differ among those that are not both zero", "0.6667"
)
rogerstanimoto = _weighted("rogerstanimoto", "Rogers' and Tanimoto's dissimilarity of truth values", "0.8")
russellrao = _weighted("russellrao", "the share of components that are not both true", "0.6667")
sokalsneath = _weighted("sokalsneath", "Sokal's and Sneath's dissimilarity of truth values", "0.8")
sqeuclidean = _weighted("sqeuclidean", "the square of Euclid's distance", "2.")
yule = _weighted("yule", "Yule's dissimilarity of truth values", "2.")


@names_itself
def correlation(u: ArrayLike, v: ArrayLike, w: ArrayLike | None = None, centered: bool = True) -> ndarray:
    """Return one minus the correlation of two vectors.

    Parameters
    ----------
    u, v : (N,) array_like
        The vectors.
    w : (N,) array_like, optional
        Weights.
    centered : bool, optional
        Whether the means are taken away first.

    Returns
    -------
    ndarray
        The distance.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import correlation
    >>> correlation(cp.array([1, 0, 1]), cp.array([1, 1, 0])).round(4)
    array(1.5)
    """
    return _distance("correlation", u, v, "correlation", w=w, centered=bool(centered))


@names_itself
def minkowski(u: ArrayLike, v: ArrayLike, p: float = 2, w: ArrayLike | None = None) -> ndarray:
    """Return the p-norm of the difference of two vectors.

    Parameters
    ----------
    u, v : (N,) array_like
        The vectors.
    p : float, optional
        The norm.
    w : (N,) array_like, optional
        Weights.

    Returns
    -------
    ndarray
        The distance.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import minkowski
    >>> minkowski(cp.array([1, 0, 1]), cp.array([1, 1, 0]), 1)
    array(2.)
    """
    return _distance("minkowski", u, v, "minkowski", p=p, w=w)


@names_itself
def seuclidean(u: ArrayLike, v: ArrayLike, V: ArrayLike) -> ndarray:
    """Return Euclid's distance with each component over its deviation.

    Parameters
    ----------
    u, v : (N,) array_like
        The vectors.
    V : (N,) array_like
        The variances of the components.

    Returns
    -------
    ndarray
        The distance.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import seuclidean
    >>> seuclidean(cp.array([1, 0]), cp.array([1, 1]), cp.array([1.0, 4.0]))
    array(0.5)
    """
    return _distance("seuclidean", u, v, "seuclidean", V=V)


@names_itself
def mahalanobis(u: ArrayLike, v: ArrayLike, VI: ArrayLike) -> ndarray:
    """Return the distance that belongs to a covariance.

    Parameters
    ----------
    u, v : (N,) array_like
        The vectors.
    VI : (N, N) array_like
        The inverse of the covariance.

    Returns
    -------
    ndarray
        The distance.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import mahalanobis
    >>> mahalanobis(cp.array([1, 0]), cp.array([1, 2]), cp.eye(2))
    array(2.)
    """
    return _distance("mahalanobis", u, v, "mahalanobis", VI=VI)


@names_itself
def jensenshannon(
    p: ArrayLike, q: ArrayLike, base: float | None = None, *, axis: int = 0, keepdims: bool = False
) -> ndarray:
    """Return the distance of two distributions by Jensen and Shannon.

    Parameters
    ----------
    p, q : array_like
        The distributions along `axis`; each is divided by its sum.
    base : float, optional
        The base of the logarithm, e by default.
    axis : int, optional
        The axis.
    keepdims : bool, optional
        Whether the axis stays, with length one.

    Returns
    -------
    ndarray
        The distances.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import jensenshannon
    >>> jensenshannon(cp.array([1.0, 0.0]), cp.array([0.5, 0.5])).round(4)
    array(0.4645)
    """
    a, b = as_array(p), as_array(q)
    normalize_axis("jensenshannon", axis, a.ndim)
    a, b = (part / part.sum(axis=axis, keepdims=True) for part in (a, b))
    middle = (a + b) / 2.0
    total = _special.rel_entr(a, middle).sum(axis=axis, keepdims=keepdims)
    total = total + _special.rel_entr(b, middle).sum(axis=axis, keepdims=keepdims)
    if base is not None:
        total = total / math.log(base)
    return cp.sqrt(total / 2.0)


@names_itself
def hellinger(u: ArrayLike, v: ArrayLike) -> ndarray:
    """Return the distance of two distributions by Hellinger.

    Parameters
    ----------
    u, v : (N,) array_like
        The distributions.

    Returns
    -------
    ndarray
        The distance.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import hellinger
    >>> hellinger(cp.array([1.0, 0.0]), cp.array([0.0, 1.0])).round(6)
    array(1.)
    """
    return _distance("hellinger", u, v, "hellinger")


@names_itself
def kl_divergence(u: ArrayLike, v: ArrayLike) -> ndarray:
    """Return the divergence of two distributions by Kullback and Leibler.

    Parameters
    ----------
    u, v : (N,) array_like
        The distributions.

    Returns
    -------
    ndarray
        The divergence of `u` from `v`.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import kl_divergence
    >>> kl_divergence(cp.array([1.0, 0.0]), cp.array([0.5, 0.5])).round(4)
    array(0.6931)
    """
    return _distance("kl_divergence", u, v, "kl_divergence")
