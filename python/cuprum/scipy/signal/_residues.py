"""Partial fractions of transfer functions.

Which roots count as one is a decision for every root: coefficients are read once and worked out on the host.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import cuprum as cp

from ..._core import ndarray
from ..._errors import names_itself
from ._filter_forms import to_device

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["invres", "invresz", "residue", "residuez", "unique_roots"]

_KINDS = {"max": np.max, "maximum": np.max, "min": np.min, "minimum": np.min, "avg": np.mean, "mean": np.mean}


def _host(values: Any) -> np.ndarray:
    values = np.atleast_1d(cp.asnumpy(values) if isinstance(values, ndarray) else np.asarray(values))
    result: np.ndarray = values.astype(complex if values.dtype.kind == "c" else float)
    return result


def _kind(op: str, rtype: str) -> Any:
    if rtype not in _KINDS:
        raise ValueError(f"{op}: `rtype` must be one of {set(_KINDS)}")
    return _KINDS[rtype]


def _groups(roots: np.ndarray, tol: float, reduce: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return roots that are at least `tol` apart, and how many each stands for."""
    unique, counts, left = [], [], np.ones(len(roots), bool)
    for i in range(len(roots)):
        if left[i]:
            near = left & (abs(roots - roots[i]) <= tol)
            unique.append(reduce(roots[near]))
            counts.append(int(near.sum()))
            left &= ~near
    return np.array(unique), np.array(counts, int)


@names_itself
def unique_roots(p: ArrayLike, tol: float = 1e-3, rtype: str = "min") -> tuple[ndarray, ndarray]:
    """Return roots that differ, and how often each comes.

    Parameters
    ----------
    p : (N,) array_like
        The roots.
    tol : float, optional
        Roots up to so far apart count as one.
    rtype : {"max", "min", "avg"}, optional
        Which of them it is.

    Returns
    -------
    unique, multiplicity : ndarray
        The roots and how often they come.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.unique_roots([1.0, 1.0001, 2.0])
    (array([1., 2.]), array([2, 1]))
    """
    p = cp.asnumpy(p) if isinstance(p, ndarray) else np.asarray(p)
    return to_device(*_groups(p, tol, _kind("unique_roots", rtype)))


def _power(root: Any, count: int) -> np.ndarray:
    """Return the coefficients of ``(x - root) ** count``, of integers if the root is one."""
    result = np.ones(1, np.int64)
    for _ in range(count):
        result = np.polymul(result, np.array([1, -root]))
    return result


def _factors(roots: Any, counts: Any, powers: bool = False) -> tuple[list[np.ndarray], np.ndarray]:
    """Return, for each root, the product of all others' factors, and the product of all.

    With `powers` there is one for each power of a root's own factor, the highest power of a fraction last.
    """
    parts = [_power(root, count) for root, count in zip(roots, counts, strict=True)]
    whole = np.ones(1, np.int64)
    for part in parts:
        whole = np.polymul(whole, part)
    results = []
    for i, (root, count) in enumerate(zip(roots, counts, strict=True)):
        rest = np.ones(1, np.int64)
        for j, part in enumerate(parts):
            if j != i:
                rest = np.polymul(rest, part)
        if powers:
            results += [np.polymul(rest, _power(root, k)) for k in range(count - 1, -1, -1)]
        else:
            results.append(rest)
    return results, whole


def _residues(poles: np.ndarray, counts: np.ndarray, numerator: np.ndarray) -> np.ndarray:
    numerator = numerator.astype(np.result_type(poles.dtype, numerator.dtype))
    results = []
    for pole, count, factor in zip(poles, counts, _factors(poles, counts)[0], strict=True):
        if count == 1:
            results.append(np.polyval(numerator, pole) / np.polyval(factor, pole))
            continue
        # Each division by the pole's own factor leaves the residue of the next lower power.
        own, rest = np.array([1, -pole]), numerator.copy()
        factor, at_pole = np.polydiv(factor, own)
        found = []
        for _ in range(count):
            rest, left = np.polydiv(rest, own)
            found.append(left[0] / at_pole[0])
            rest = np.polysub(rest, found[-1] * factor)
        results += found[::-1]
    return np.asarray(results)


@names_itself
def residue(
    b: ArrayLike, a: ArrayLike, tol: float = 1e-3, rtype: str = "avg"
) -> tuple[ndarray, ndarray, ndarray]:
    """Return the partial fractions of a quotient of polynomials by falling powers.

    Parameters
    ----------
    b, a : (N,) array_like
        The numerator and the denominator.
    tol : float, optional
        Poles up to so far apart count as one.
    rtype : {"avg", "min", "max"}, optional
        Which of them it is.

    Returns
    -------
    r, p, k : ndarray
        The residues, the poles and the polynomial that is left.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.residue([1.0], [1.0, 3.0, 2.0])[0].round(6)
    array([ 1., -1.])
    """
    reduce = _kind("residue", rtype)
    b, a = np.trim_zeros(_host(b), "f"), np.trim_zeros(_host(a), "f")
    if a.size == 0:
        raise ValueError("residue: Denominator `a` is zero.")
    poles = np.roots(a)
    if b.size == 0:
        return to_device(np.zeros(poles.shape), poles[np.argsort(abs(poles))], np.zeros(0))
    k, rest = (np.zeros(0), b) if len(b) < len(a) else np.polydiv(b, a)
    unique, counts = _groups(poles, tol, reduce)
    order = np.argsort(abs(unique))
    unique, counts = unique[order], counts[order]
    return to_device(_residues(unique, counts, rest) / a[0], np.repeat(unique, counts), k)


@names_itself
def residuez(
    b: ArrayLike, a: ArrayLike, tol: float = 1e-3, rtype: str = "avg"
) -> tuple[ndarray, ndarray, ndarray]:
    """Return the partial fractions of a quotient of polynomials by rising powers of the delay.

    Parameters
    ----------
    b, a : (N,) array_like
        The numerator and the denominator.
    tol : float, optional
        Poles up to so far apart count as one.
    rtype : {"avg", "min", "max"}, optional
        Which of them it is.

    Returns
    -------
    r, p, k : ndarray
        The residues, the poles and the polynomial that is left.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.residuez([1.0], [1.0, -0.75, 0.125])[0].round(6)
    array([-1.,  2.])
    """
    reduce = _kind("residuez", rtype)
    b, a = np.trim_zeros(_host(b), "b"), np.trim_zeros(_host(a), "b")
    if a.size == 0:
        raise ValueError("residuez: Denominator `a` is zero.")
    if a[0] == 0:
        raise ValueError("residuez: First coefficient of determinant `a` must be non-zero.")
    poles = np.roots(a)
    if b.size == 0:
        return to_device(np.zeros(poles.shape), poles[np.argsort(abs(poles))], np.zeros(0))
    k, rest = (np.zeros(0), b[::-1]) if len(b) < len(a) else np.polydiv(b[::-1], a[::-1])
    unique, counts = _groups(poles, tol, reduce)
    order = np.argsort(abs(unique))
    unique, counts = unique[order], counts[order]
    repeated = np.repeat(unique, counts)
    powers = np.concatenate([1 + np.arange(count) for count in counts]) if len(counts) else np.zeros(0)
    found = _residues(1 / unique, counts, rest) * (-repeated) ** powers / a[-1]
    return to_device(found, repeated, k[::-1])


def _joined(op: str, r: Any, p: Any, k: Any, tol: float, rtype: str, side: Literal["f", "b"]) -> Any:
    reduce = _kind(op, rtype)
    r, p, k = (
        np.atleast_1d(cp.asnumpy(values) if isinstance(values, ndarray) else np.asarray(values))
        for values in (r, p, k)
    )
    k = np.trim_zeros(k, side)
    # Poles that follow each other and are near count as one.
    unique, counts, first = [], [], 0
    for i in range(1, len(p) + 1):
        if i == len(p) or abs(p[i] - p[first]) > tol:
            unique.append(reduce([p[first]] * (i - first)))
            counts.append(i - first)
            first = i
    factors, whole = _factors(unique, counts, powers=True)
    return r, k, factors, whole


@names_itself
def invres(r: Any, p: Any, k: Any, tol: float = 1e-3, rtype: str = "avg") -> tuple[ndarray, ndarray]:
    """Return the quotient of polynomials by falling powers that has given partial fractions.

    Parameters
    ----------
    r, p, k : (N,) array_like
        The residues, the poles and the polynomial.
    tol : float, optional
        Poles up to so far apart count as one.
    rtype : {"avg", "min", "max"}, optional
        Which of them it is.

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.invres([1.0, -1.0], [-1.0, -2.0], [])
    (array([0., 1.]), array([1., 3., 2.]))
    """
    r, k, factors, whole = _joined("invres", r, p, k, tol, rtype, "f")
    numerator = np.polymul(k, whole) if len(k) else np.zeros(1, np.int64)
    for one, factor in zip(r, factors, strict=True):
        numerator = np.polyadd(numerator, one * factor)
    return to_device(numerator, whole)


@names_itself
def invresz(r: Any, p: Any, k: Any, tol: float = 1e-3, rtype: str = "avg") -> tuple[ndarray, ndarray]:
    """Return the quotient of polynomials by rising powers of the delay that has given partial fractions.

    Parameters
    ----------
    r, p, k : (N,) array_like
        The residues, the poles and the polynomial.
    tol : float, optional
        Poles up to so far apart count as one.
    rtype : {"avg", "min", "max"}, optional
        Which of them it is.

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.invresz([2.0, -1.0], [0.5, 0.25], [])
    (array([1., 0.]), array([ 1.   , -0.75 ,  0.125]))
    """
    r, k, factors, whole = _joined("invresz", r, p, k, tol, rtype, "b")
    numerator = np.polymul(k[::-1], whole[::-1]) if len(k) else np.zeros(1, np.int64)
    for one, factor in zip(r, factors, strict=True):
        numerator = np.polyadd(numerator, one * factor[::-1])
    return to_device(numerator[::-1].copy(), whole)
