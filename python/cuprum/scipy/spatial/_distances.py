"""Distances between all pairs of vectors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ..._typing import ArrayLike
from .._kernels import texts

kernel = texts(__file__)

_THREADS = 128
# Each block makes a few thousand elements, so that starting it costs little.
_ROWS = 64

_ALIASES = {
    "canberra": ("canberra",),
    "chebyshev": ("chebychev", "chebyshev", "cheby", "cheb", "ch"),
    "cityblock": ("cityblock", "cblock", "cb", "c", "manhattan"),
    "correlation": ("correlation", "co"),
    "cosine": ("cosine", "cos"),
    "dice": ("dice",),
    "euclidean": ("euclidean", "euclid", "eu", "e"),
    "hamming": ("matching", "hamming", "hamm", "ha", "h"),
    "hellinger": ("hellinger",),
    "jaccard": ("jaccard", "jacc", "ja", "j"),
    "jensenshannon": ("jensenshannon", "js"),
    "kl_divergence": ("kl_divergence",),
    "mahalanobis": ("mahalanobis", "mahal", "mah"),
    "minkowski": ("minkowski", "mi", "m", "pnorm"),
    "braycurtis": ("braycurtis",),
    "rogerstanimoto": ("rogerstanimoto",),
    "russellrao": ("russellrao",),
    "seuclidean": ("seuclidean", "se", "s"),
    "sokalsneath": ("sokalsneath",),
    "sqeuclidean": ("sqeuclidean", "sqe", "sqeuclid"),
    "yule": ("yule",),
}
_METRICS = {alias: name for name, aliases in _ALIASES.items() for alias in aliases}
_BOOLEAN = ("dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
_PRODUCTS = tuple(name for name in _BOOLEAN if name != "jaccard")
_UNWEIGHTED = ("seuclidean", "mahalanobis", "jensenshannon", "kl_divergence", "hellinger")


class Prepared:
    """A metric as a kernel computes it: rows as they go in, weights and an exponent."""

    def __init__(self, op: str, metric: str, rows: list[ndarray], kwargs: dict[str, Any]) -> None:
        self.weights: ndarray | None = None
        self.p, self.factor = 2.0, 1.0
        dim = rows[0].shape[1]
        self.name = metric.upper()
        w = kwargs.pop("w", None)
        # As in SciPy, single vectors that are not of truth values are multiplied as they are, and so are
        # rows for Dice's metric without weights; other rows are taken as true or false.
        are_products = metric in _PRODUCTS and (op == metric or metric == "dice" and w is None)
        is_truth = metric in _BOOLEAN and not are_products
        self.rows = [_converted(op, part, is_truth) for part in rows]
        if w is not None:
            if metric in _UNWEIGHTED:
                raise TypeError(f"{op}: metric {metric!r} takes no weights")
            self._take_weights(op, w, dim)
        getattr(self, f"_{metric}", self._nothing)(op, dim, kwargs)
        if kwargs:
            raise TypeError(
                f"{op}: metric {metric!r} got an unexpected keyword argument {next(iter(kwargs))!r}"
            )

    def _take_weights(self, op: str, w: Any, dim: int) -> None:
        weights = _real(op, "weights", w)
        if weights.ndim != 1:
            raise ValueError(f"{op}: weights must be 1-D, got shape {weights.shape}")
        if bool((weights < 0).any()):
            raise ValueError(f"{op}: Input weights should be all non-negative")
        if weights.size != dim:
            raise ValueError(f"{op}: weights must have same size as the vectors: {weights.size} is not {dim}")
        self.weights = cp.ascontiguousarray(weights)

    def _nothing(self, op: str, dim: int, kwargs: dict[str, Any]) -> None:
        """Most metrics take the rows as they are."""

    def _minkowski(self, op: str, dim: int, kwargs: dict[str, Any]) -> None:
        p = float(kwargs.pop("p", 2.0))
        if not p > 0:
            raise ValueError(f"{op}: p must be greater than 0, got {p}")
        if p == math.inf:
            self.name = "CHEBYSHEV"
        elif p in (1.0, 2.0):
            self.name = "CITYBLOCK" if p == 1 else "EUCLIDEAN"
        self.p = p

    def _seuclidean(self, op: str, dim: int, kwargs: dict[str, Any]) -> None:
        variance = kwargs.pop("V", None)
        if variance is None:
            variance = cp.var(cp.concatenate(self.rows), axis=0, ddof=1)
        variance = _real(op, "V", variance)
        if variance.ndim != 1:
            raise ValueError(f"{op}: Variance vector V must be one-dimensional.")
        if variance.shape[0] != dim:
            raise ValueError(
                f"{op}: Variance vector V must be of the same dimension as the vectors on which "
                "the distances are "
                "computed."
            )
        self.name, self.weights = "EUCLIDEAN", 1.0 / variance

    def _mahalanobis(self, op: str, dim: int, kwargs: dict[str, Any]) -> None:
        inverse = kwargs.pop("VI", None)
        if inverse is None:
            rows = cp.concatenate(self.rows)
            if rows.shape[0] <= dim:
                raise ValueError(
                    f"{op}: The number of observations ({rows.shape[0]}) is too small; the "
                    "covariance matrix is "
                    f"singular. For observations with {dim} dimensions, at least {dim + 1} "
                    "observations are required."
                )
            inverse = cp.linalg.inv(cp.atleast_2d(cp.cov(rows.T))).T
        inverse = _real(op, "VI", inverse)
        if inverse.shape != (dim, dim):
            raise ValueError(f"{op}: VI must have shape {(dim, dim)}, got {inverse.shape}")
        self.weights = cp.ascontiguousarray(inverse)

    def _correlation(self, op: str, dim: int, kwargs: dict[str, Any]) -> None:
        # Correlation is the cosine of what is left without the mean.
        self.name = "COSINE"
        if kwargs.pop("centered", True):
            if self.weights is None:
                self.rows = [part - part.mean(axis=1, keepdims=True) for part in self.rows]
            else:
                share = self.weights / self.weights.sum()
                self.rows = [part - (part @ share)[:, None] for part in self.rows]

    def _jensenshannon(self, op: str, dim: int, kwargs: dict[str, Any]) -> None:
        # What sums up to nothing is infinitely far from everything, as is a negative share.
        sums = [part.sum(axis=1, keepdims=True) for part in self.rows]
        self.rows = [
            cp.where(total == 0, -1.0, part / total) for part, total in zip(self.rows, sums, strict=True)
        ]
        base = kwargs.pop("base", None)
        if base is not None:
            self.factor = 1 / math.sqrt(math.log(base))

    def _hellinger(self, op: str, dim: int, kwargs: dict[str, Any]) -> None:
        self.name, self.factor = "EUCLIDEAN", 1 / math.sqrt(2)
        self.rows = [cp.sqrt(part) for part in self.rows]

    def instance(self) -> str:
        """The template parameters of the kernel."""
        weighted = self.weights is not None and self.name != "MAHALANOBIS"
        return f"{self.name}, {str(weighted).lower()}"


def _real(op: str, name: str, values: Any) -> ndarray:
    array = as_array(values)
    if array.dtype.kind == "c":
        raise ValueError(f"{op}: {name} must be real: complex vectors have no distances here")
    return array.astype(np.float64)


def _converted(op: str, rows: ndarray, is_truth: bool) -> ndarray:
    if rows.dtype.kind == "c":
        raise ValueError(f"{op}: complex vectors have no distances here; use their real and imaginary parts")
    if is_truth:
        return (rows != 0).astype(np.float64)
    return cp.ascontiguousarray(rows, dtype=np.float64)


def _metric_name(op: str, metric: Any) -> str:
    if not isinstance(metric, str):
        raise TypeError(f"{op}: 2nd argument metric must be a string identifier or a function.")
    name = _METRICS.get(metric.lower())
    if name is None:
        raise ValueError(f"{op}: Unknown Distance Metric: {metric}")
    return name


def _output(op: str, out: ndarray | None, shape: tuple[int, ...]) -> ndarray:
    if out is None:
        return cp.empty(shape)
    if out.shape != shape:
        raise ValueError(f"{op}: Output array has incorrect shape: {out.shape} instead of {shape}.")
    if not out.flags.c_contiguous:
        raise ValueError(f"{op}: Output array must be C-contiguous.")
    if out.dtype != np.float64:
        raise ValueError(f"{op}: Output array must be double type.")
    return out


def _launch(name: str, rows: int, count: int, arguments: tuple[Any, ...]) -> None:
    if rows and count:
        grid = (-(-count // _THREADS), min(-(-rows // _ROWS), 65535))
        kernel("distances", name)(grid, (_THREADS,), arguments)


def pair_distances(op: str, a: ndarray, b: ndarray, metric: str, kwargs: dict[str, Any]) -> ndarray:
    """Return the distances between rows of two arrays, by the name of a metric."""
    return _all_pairs(Prepared(op, metric, [a, b], kwargs), cp.empty((a.shape[0], b.shape[0])))


def _all_pairs(metric: Prepared, out: ndarray) -> ndarray:
    a, b = metric.rows
    m, n, dim = a.shape[0], b.shape[0], a.shape[1]
    weights = cp.zeros(1) if metric.weights is None else metric.weights
    sizes = np.int64(m), np.int64(n), np.int64(dim), np.float64(metric.p)
    arguments = (cp.ascontiguousarray(a), cp.ascontiguousarray(b.T), weights, out, *sizes)
    _launch(f"all_pairs<{metric.instance()}>", m, n, arguments)
    if metric.factor != 1.0:
        out *= metric.factor
    return out


@names_itself
def cdist(
    XA: ArrayLike,
    XB: ArrayLike,
    metric: str | Callable[..., Any] = "euclidean",
    *,
    out: ndarray | None = None,
    **kwargs: Any,
) -> ndarray:
    """Return the distances between each row of one array and each of another.

    Parameters
    ----------
    XA, XB : (M, K) and (N, K) array_like
        The vectors.
    metric : str or callable, optional
        The metric: "braycurtis", "canberra", "chebyshev", "cityblock", "correlation", "cosine", "dice",
        "euclidean", "hamming", "hellinger", "jaccard", "jensenshannon", "kl_divergence", "mahalanobis",
        "minkowski", "rogerstanimoto", "russellrao", "seuclidean", "sokalsneath", "sqeuclidean" or "yule". A
        callable is called with each pair of rows.
    out : (M, N) ndarray of float64, optional
        Where to put the distances.
    **kwargs
        Of the metric: weights `w`, `p` of "minkowski", `V` of "seuclidean", `VI` of "mahalanobis", `base` of
        "jensenshannon".

    Returns
    -------
    (M, N) ndarray
        The distances.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import cdist
    >>> cdist(cp.array([[0.0, 0.0], [3.0, 4.0]]), cp.array([[0.0, 0.0]]))
    array([[0.],
           [5.]])
    """
    op = "cdist"
    a, b = as_array(XA), as_array(XB)
    for name, part in (("XA", a), ("XB", b)):
        if part.ndim != 2:
            raise ValueError(f"{op}: {name} must be a 2-dimensional array, got shape {part.shape}")
    if a.shape[1] != b.shape[1]:
        raise ValueError(
            f"{op}: XA and XB must have the same number of columns (i.e. feature dimension), got "
            f"{a.shape[1]} and "
            f"{b.shape[1]}"
        )
    shape = (a.shape[0], b.shape[0])
    if callable(metric):
        result = _output(op, out, shape)
        for i in range(shape[0]):
            for j in range(shape[1]):
                result[i, j] = metric(a[i], b[j], **kwargs)
        return result
    prepared = Prepared(op, _metric_name(op, metric), [a, b], kwargs)
    return _all_pairs(prepared, _output(op, out, shape))


@names_itself
def pdist(
    X: ArrayLike,
    metric: str | Callable[..., Any] = "euclidean",
    *,
    out: ndarray | None = None,
    **kwargs: Any,
) -> ndarray:
    """Return the distances between the rows of an array, each pair once.

    Parameters
    ----------
    X : (M, K) array_like
        The vectors.
    metric : str or callable, optional
        The metric, as for `cdist`.
    out : (M * (M - 1) // 2,) ndarray of float64, optional
        Where to put the distances.
    **kwargs
        Of the metric, as for `cdist`.

    Returns
    -------
    (M * (M - 1) // 2,) ndarray
        The distances of rows i < j, row by row; `squareform` makes a matrix of them.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import pdist
    >>> pdist(cp.array([[0.0, 0.0], [3.0, 4.0], [0.0, 4.0]]))
    array([5., 4., 3.])
    """
    op = "pdist"
    x = as_array(X)
    if x.ndim != 2:
        raise ValueError(f"{op}: A 2-dimensional array must be passed. (Shape was {x.shape}).")
    n, dim = x.shape
    shape = (n * (n - 1) // 2,)
    if callable(metric):
        result = _output(op, out, shape)
        place = 0
        for i in range(n):
            for j in range(i + 1, n):
                result[place] = metric(x[i], x[j], **kwargs)
                place += 1
        return result
    prepared = Prepared(op, _metric_name(op, metric), [x], kwargs)
    result = _output(op, out, shape)
    rows = prepared.rows[0]
    weights = cp.zeros(1) if prepared.weights is None else prepared.weights
    arguments = (
        cp.ascontiguousarray(rows),
        cp.ascontiguousarray(rows.T),
        weights,
        result,
        *(np.int64(n), np.int64(dim), np.float64(prepared.p)),
    )
    _launch(f"own_pairs<{prepared.instance()}>", n if shape[0] else 0, n, arguments)
    if prepared.factor != 1.0:
        result *= prepared.factor
    return result


@names_itself
def distance_matrix(x: ArrayLike, y: ArrayLike, p: float = 2.0, threshold: int = 1000000) -> ndarray:
    """Return the Minkowski distances between each row of one array and each of another.

    Parameters
    ----------
    x, y : (M, K) and (N, K) array_like
        The vectors.
    p : float, optional
        The norm, from 1 to infinity.
    threshold : int, optional
        Taken for compatibility.

    Returns
    -------
    (M, N) ndarray
        The distances.

    Examples
    --------
    >>> from cuprum.scipy.spatial import distance_matrix
    >>> distance_matrix(cp.array([[0.0, 0.0]]), cp.array([[3.0, 4.0]]), p=1)
    array([[7.]])
    """
    a, b = as_array(x), as_array(y)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1]:
        raise ValueError(
            f"distance_matrix: x contains vectors of shape {a.shape} and y of shape {b.shape}: not alike"
        )
    return pair_distances("distance_matrix", a, b, "minkowski", {"p": p})


@names_itself
def directed_hausdorff(
    u: ArrayLike, v: ArrayLike, rng: Any = 0, *, seed: Any = None
) -> tuple[float, int, int]:
    """Return how far the points of one set can be from another set.

    Parameters
    ----------
    u, v : (M, K) and (N, K) array_like
        The points.
    rng, seed : optional
        Taken for compatibility: all distances are computed, in any order.

    Returns
    -------
    d : float
        The largest distance of a point of `u` from its nearest one of `v`.
    index_1, index_2 : int
        The two points.

    Examples
    --------
    >>> from cuprum.scipy.spatial.distance import directed_hausdorff
    >>> directed_hausdorff(cp.array([[0.0, 0.0], [3.0, 4.0]]), cp.array([[0.0, 0.0]]))
    (5.0, 1, 0)
    """
    a, b = as_array(u), as_array(v)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1]:
        raise ValueError("directed_hausdorff: u and v need to have the same number of columns")
    # Blocks of rows keep the matrix of distances small.
    block = max(1, (1 << 24) // max(b.shape[0], 1))
    best = (-1.0, 0, 0)
    for start in range(0, a.shape[0], block):
        squares = pair_distances("directed_hausdorff", a[start : start + block], b, "sqeuclidean", {})
        nearest = squares.min(1)
        row = int(cp.argmax(nearest))
        if float(nearest[row]) > best[0]:
            best = (float(nearest[row]), start + row, int(cp.argmin(squares[row])))
    return math.sqrt(max(best[0], 0.0)), best[1], best[2]
