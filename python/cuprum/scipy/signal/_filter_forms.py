"""Forms of a filter: transfer function, zeros and poles, second-order sections.

The bodies, whose names end with an underscore, take the array module: coefficients that are designed from
Python numbers are worked out on the host by NumPy, arrays that a program passes stay where they are. Only the
pairing of roots reads them, once: it is a decision for every root.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._core import ndarray
from ..._errors import names_itself

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "BadCoefficients",
    "normalize",
    "sos2tf",
    "sos2zpk",
    "tf2sos",
    "tf2zpk",
    "zpk2sos",
    "zpk2tf",
]

_PAIRINGS = ("nearest", "keep_odd", "minimal")


class BadCoefficients(UserWarning):
    """The warning that coefficients of a filter are badly conditioned.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> issubclass(signal.BadCoefficients, UserWarning)
    True
    """


def floating(values: Any) -> ndarray:
    """Return an array of at least one axis, integers as float64."""
    array = _core.array(values, copy=None, ndmin=1)
    return array.astype(np.float64) if array.dtype.kind in "bui" else array


def host_spec(values: Any) -> np.ndarray:
    """Return the numbers of a specification on the host."""
    return np.asarray(values.get() if isinstance(values, ndarray) else values, np.float64)


def to_device(*results: Any) -> tuple[Any, ...]:
    """Return host arrays as arrays of the device; numbers stay numbers."""
    return tuple(cp.asarray(r) if isinstance(r, np.ndarray) else r for r in results)


def normalize_(xp: Any, b: Any, a: Any) -> tuple[Any, Any]:
    """Return numerators and a denominator whose first coefficient is one, leading zeros cut off."""
    if a.ndim != 1:
        raise ValueError("normalize: Denominator polynomial must be rank-1 array.")
    if b.ndim > 2:
        raise ValueError("normalize: Numerator polynomial must be rank-1 or rank-2 array.")
    if not xp.any(a != 0):
        raise ValueError("normalize: Denominator must have at least on nonzero element.")
    a = a[int(xp.argmax(a != 0)) :]
    rows = xp.atleast_2d(b) / a[0]
    a = a / a[0]
    there = xp.any(xp.abs(rows) > 1e-14, axis=0)
    zeros = int(xp.argmax(there)) if bool(xp.any(there)) else rows.shape[1]
    if zeros > 0:
        message = "Badly conditioned filter coefficients (numerator): the results may be meaningless"
        warnings.warn(message, BadCoefficients, stacklevel=3)
        rows = rows[:, min(zeros, rows.shape[1] - 1) :]
    return (rows[0] if rows.shape[0] == 1 else rows), a


def poly_(xp: Any, roots: Any) -> Any:
    """Return the coefficients of the polynomial with these roots, real where they come in conjugate pairs."""
    result = xp.ones(1, roots.dtype)
    for i in range(roots.shape[0]):
        shifted = xp.concatenate((xp.zeros(1, result.dtype), result * roots[i]))
        result = xp.concatenate((result, xp.zeros(1, result.dtype))) - shifted
    if result.dtype.kind == "c" and bool(xp.all(xp.sort(roots) == xp.sort(roots.conj()))):
        result = result.real
    return result


def zpk2tf_(xp: Any, z: Any, p: Any, k: Any) -> tuple[Any, Any]:
    """Return the transfer function of zeros, poles and a gain; rows of zeros give rows of numerators."""
    if z.ndim > 1:
        rows = [poly_(xp, row) for row in z]
        gains = xp.broadcast_to(xp.atleast_1d(xp.asarray(k)), (len(rows),))
        b = xp.stack([gain * row for gain, row in zip(gains, rows, strict=True)])
    else:
        b = k * poly_(xp, z)
    return b, poly_(xp, p)


def tf2zpk_(xp: Any, b: Any, a: Any) -> tuple[Any, Any, Any]:
    """Return the zeros, the poles and the gain of a transfer function."""
    b, a = normalize_(xp, b, a)
    gain = b[..., 0]
    return xp.roots(b / gain), xp.roots(a), gain


@names_itself
def normalize(b: ArrayLike, a: ArrayLike) -> tuple[ndarray, ndarray]:
    """Divide a transfer function by the first coefficient of its denominator.

    Parameters
    ----------
    b : array_like
        The numerator, or rows of numerators.
    a : (N,) array_like
        The denominator.

    Returns
    -------
    b, a : ndarray
        The coefficients, without leading zeros; ``a[0]`` is one.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.normalize([2.0, 4.0], [0.0, 2.0, 1.0])
    (array([1., 2.]), array([1. , 0.5]))
    """
    return normalize_(cp, floating(b), floating(a))


@names_itself
def tf2zpk(b: ArrayLike, a: ArrayLike) -> tuple[ndarray, ndarray, ndarray]:
    """Return the zeros, the poles and the gain of a transfer function.

    Parameters
    ----------
    b, a : (N,) array_like
        The numerator and the denominator.

    Returns
    -------
    z, p, k : ndarray
        The zeros, the poles and the gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> z, p, k = signal.tf2zpk([2.0, -2.0], [1.0, -0.5])
    >>> z.round(6), p.round(6), float(k)
    (array([1.]), array([0.5]), 2.0)
    """
    return tf2zpk_(cp, floating(b), floating(a))


@names_itself
def zpk2tf(z: ArrayLike, p: ArrayLike, k: Any) -> tuple[ndarray, ndarray]:
    """Return the transfer function of zeros, poles and a gain.

    Parameters
    ----------
    z : array_like
        The zeros; rows of them give rows of numerators.
    p : (N,) array_like
        The poles.
    k : float or (M,) array_like
        The gain, or one for each row.

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.zpk2tf([1.0], [0.5, -0.5], 2.0)
    (array([ 2., -2.]), array([ 1.  ,  0.  , -0.25]))
    """
    return zpk2tf_(cp, floating(z), floating(p), floating(k) if np.ndim(k) else k)


def conjugate_pairs(roots: np.ndarray) -> tuple[list[complex], list[complex]]:
    """Return the roots above the real axis, one of each conjugate pair, and the real ones; both sorted."""
    if roots.dtype.kind != "c":
        return [], [complex(r) for r in np.sort(roots)]
    tolerance = 100 * np.finfo(roots.dtype).eps
    roots = roots[np.lexsort((abs(roots.imag), roots.real))]
    is_real = abs(roots.imag) <= tolerance * abs(roots)
    real = [complex(r.real) for r in roots[is_real]]
    above, below = roots[~is_real & (roots.imag > 0)], roots[~is_real & (roots.imag < 0)]
    if len(above) != len(below):
        raise ValueError("zpk2sos: Array contains complex value with no matching conjugate.")
    pairs = []
    left = list(below.conj())
    for root in above:
        distances = [abs(other - root) for other in left]
        nearest = distances.index(min(distances))
        if abs(left[nearest] - root) > tolerance * abs(root):
            raise ValueError("zpk2sos: Array contains complex value with no matching conjugate.")
        pairs.append(complex((root + left.pop(nearest)) / 2))
    # Of roots with nearly one real part, those nearer the axis come first.
    runs: list[list[complex]] = []
    for root in pairs:
        if runs and root.real - runs[-1][-1].real <= tolerance * abs(runs[-1][-1]):
            runs[-1].append(root)
        else:
            runs.append([root])
    return [root for run in runs for root in sorted(run, key=lambda r: abs(r.imag))], real


def _section(zeros: list[complex], poles: list[complex]) -> list[float]:
    """Return a section's six coefficients."""

    def polynomial(roots: list[complex]) -> list[float]:
        coefficients = [1.0, *(0.0,) * len(roots)]
        if len(roots) == 1:
            coefficients = [1.0, -roots[0].real]
        elif len(roots) == 2:
            coefficients = [1.0, -(roots[0] + roots[1]).real, (roots[0] * roots[1]).real]
        return [0.0] * (3 - len(coefficients)) + coefficients

    return polynomial(zeros) + polynomial(poles)


def _take(roots: list[complex], distance: Callable[[complex], float], which: str = "any") -> complex:
    """Remove and return the root of least distance, among all, the real or the complex ones."""
    is_real = {"any": (False, True), "real": (True,), "complex": (False,)}[which]
    places = [i for i, root in enumerate(roots) if (root.imag == 0) in is_real]
    return roots.pop(min(places, key=lambda i: distance(roots[i])))


def _paired(
    zeros: list[complex], poles: list[complex], sections: int, minimal: bool, analog: bool
) -> list[Any]:
    """Return sections: the poles that ring longest come last, each with the zeros nearest to it."""

    def ringing(pole: complex) -> float:
        return abs(pole.real) if analog else abs(1 - abs(pole))

    def reals(roots: list[complex]) -> int:
        return sum(root.imag == 0 for root in roots)

    rows = []
    for _ in range(sections):
        first = _take(poles, ringing)

        def apart(root: complex, first: complex = first) -> float:
            return abs(root - first)

        if first.imag == 0 and reals(poles) == 0:
            # The last real pole, with a zero that is real too.
            own = [_take(zeros, apart, "real")] if zeros else []
            rows.append(_section(own, [first]) if minimal else _section([*own, 0j], [first, 0j]))
            continue
        if first.imag != 0 and len(poles) + 1 == len(zeros) and reals(poles) == 1 and reals(zeros) == 1:
            # One real pole and one real zero are left for each other.
            zero = _take(zeros, apart, "complex")
            rows.append(_section([zero, zero.conjugate()], [first, first.conjugate()]))
            continue
        second = _take(poles, ringing, "real") if first.imag == 0 else first.conjugate()
        own = []
        if zeros:
            own.append(_take(zeros, apart))
            if own[0].imag != 0:
                own.append(own[0].conjugate())
            elif zeros:
                own.append(_take(zeros, apart, "real"))
        rows.append(_section(own, [first, second]))
    return rows[::-1]


def zpk2sos_(z: np.ndarray, p: np.ndarray, k: float, pairing: str | None, analog: bool) -> np.ndarray:
    """Return second-order sections of host arrays of zeros and poles."""
    if pairing is None:
        pairing = "minimal" if analog else "nearest"
    if pairing not in _PAIRINGS:
        raise ValueError(f"zpk2sos: pairing must be one of {list(_PAIRINGS)}, not {pairing}")
    if analog and pairing != "minimal":
        raise ValueError('zpk2sos: for analog zpk2sos conversion, pairing must be "minimal"')
    if len(z) == len(p) == 0:
        return np.array([[0.0, 0.0, k, 0.0, 0.0, 1.0] if analog else [k, 0.0, 0.0, 1.0, 0.0, 0.0]])
    minimal = pairing == "minimal"
    if minimal and len(p) < len(z):
        raise ValueError("zpk2sos: for analog zpk2sos conversion, must have len(p)>=len(z)")
    sections = (max(len(p), len(z)) + 1) // 2
    if not minimal:
        size = max(len(p), len(z))
        size += pairing == "nearest" and size % 2
        z, p = (np.concatenate((roots, np.zeros(size - len(roots)))) for roots in (z, p))
    (upper_zeros, real_zeros), (upper_poles, real_poles) = conjugate_pairs(z), conjugate_pairs(p)
    zeros, poles = upper_zeros + real_zeros, upper_poles + real_poles
    if np.imag(k) != 0:
        raise ValueError("zpk2sos: k must be real")
    sos = np.array(_paired(zeros, poles, sections, minimal, analog))
    sos[0, :3] *= np.real(k)
    return sos


@names_itself
def zpk2sos(
    z: ArrayLike, p: ArrayLike, k: Any, pairing: str | None = None, *, analog: bool = False
) -> ndarray:
    """Return second-order sections of zeros, poles and a gain.

    Parameters
    ----------
    z, p : (N,) array_like
        The zeros and the poles, in conjugate pairs.
    k : float
        The gain, which goes into the first section.
    pairing : {None, "nearest", "keep_odd", "minimal"}, optional
        How poles are joined with zeros.
    analog : bool, optional
        Whether the filter is analog.

    Returns
    -------
    (n_sections, 6) ndarray
        The sections; poles nearest to the unit circle come last.

    Notes
    -----
    Which roots go together is decided on the host: the roots are read once.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.zpk2sos([-1.0, -1.0], [0.5, 0.25], 0.1).round(6)
    array([[ 0.1  ,  0.2  ,  0.1  ,  1.   , -0.75 ,  0.125]])
    """
    z, p, k = (
        cp.asnumpy(values) if isinstance(values, ndarray) else np.asarray(values) for values in (z, p, k)
    )
    return cp.asarray(zpk2sos_(np.atleast_1d(z), np.atleast_1d(p), k[()], pairing, analog))


@names_itself
def tf2sos(b: ArrayLike, a: ArrayLike, pairing: str | None = None, *, analog: bool = False) -> ndarray:
    """Return second-order sections of a transfer function.

    Parameters
    ----------
    b, a : (N,) array_like
        The numerator and the denominator.
    pairing : {None, "nearest", "keep_odd", "minimal"}, optional
        How poles are joined with zeros.
    analog : bool, optional
        Whether the filter is analog.

    Returns
    -------
    (n_sections, 6) ndarray
        The sections.

    Notes
    -----
    Roots of polynomials of high order are inaccurate: sections that are designed as such are better.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.tf2sos([1.0, 2.0, 1.0], [1.0, 0.0, 0.25]).round(6)
    array([[ 1.  ,  2.  ,  1.  ,  1.  , -0.  ,  0.25]])
    """
    return zpk2sos(*tf2zpk(b, a), pairing=pairing, analog=analog)


@names_itself
def sos2tf(sos: ArrayLike) -> tuple[ndarray, ndarray]:
    """Return the transfer function of second-order sections.

    Parameters
    ----------
    sos : (n_sections, 6) array_like
        Numerators and denominators of the sections.

    Returns
    -------
    b, a : ndarray
        The numerator and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.sos2tf([[1.0, 2.0, 1.0, 1.0, 0.0, 0.25]])
    (array([1., 2., 1.]), array([1.  , 0.  , 0.25]))
    """
    sos = floating(sos)
    b = a = cp.ones(1, sos.dtype)
    for row in sos:
        b, a = cp.convolve(b, row[:3]), cp.convolve(a, row[3:])
    return b, a


@names_itself
def sos2zpk(sos: ArrayLike) -> tuple[ndarray, ndarray, Any]:
    """Return the zeros, the poles and the gain of second-order sections.

    Parameters
    ----------
    sos : (n_sections, 6) array_like
        Numerators and denominators of the sections.

    Returns
    -------
    z, p : ndarray
        The zeros and the poles, two for each section; those at zero are kept.
    k : ndarray
        The gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> z, p, k = signal.sos2zpk([[2.0, 0.0, 0.0, 1.0, 0.5, 0.0]])
    >>> p.round(6), float(k)
    (array([-0.5+0.j,  0. +0.j]), 2.0)
    """
    sos = floating(sos)
    zeros, poles = (cp.zeros(2 * sos.shape[0], np.complex128) for _ in range(2))
    gain: Any = 1.0
    for i, row in enumerate(sos):
        z, p, k = tf2zpk_(cp, row[:3], row[3:])
        zeros[2 * i : 2 * i + z.size], poles[2 * i : 2 * i + p.size] = z, p
        gain = gain * k
    return zeros, poles, gain
