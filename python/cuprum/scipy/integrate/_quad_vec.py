"""Adaptive integration of functions whose values are arrays."""

from __future__ import annotations

import functools
import heapq
import math
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray

__all__ = ["quad_vec"]

Function = Callable[[float], Any]
Norm = Callable[[Any], Any]
Rule = Callable[[float, float, Function, Norm], tuple[Any, float, float]]

# Nodes of Kronrod's rules from the upper end to the middle, their weights, and the weights of the Gauss rule
# at every second node.
_GK21 = (
    (
        *(0.9956571630258081, 0.9739065285171717, 0.9301574913557082, 0.8650633666889845),
        *(0.7808177265864169, 0.6794095682990244, 0.5627571346686047, 0.4333953941292472),
        *(0.2943928627014602, 0.14887433898163122, 0.0),
    ),
    (
        *(0.011694638867371874, 0.032558162307964725, 0.054755896574351995, 0.07503967481091996),
        *(0.0931254545836976, 0.10938715880229764, 0.12349197626206584, 0.13470921731147334),
        *(0.14277593857706009, 0.14773910490133849, 0.1494455540029169),
    ),
    (
        *(0.06667134430868814, 0.1494513491505806, 0.21908636251598204, 0.26926671930999635),
        0.29552422471475287,
    ),
)
_GK15 = (
    (
        *(0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945),
        *(0.5860872354676911, 0.4058451513773972, 0.20778495500789848, 0.0),
    ),
    (
        *(0.022935322010529224, 0.06309209262997856, 0.10479001032225019, 0.14065325971552592),
        *(0.1690047266392679, 0.19035057806478542, 0.20443294007529889, 0.20948214108472782),
    ),
    (0.1294849661688697, 0.27970539148927664, 0.3818300505051189, 0.4179591836734694),
)


def _kronrod(table: tuple[tuple[float, ...], ...]) -> Rule:
    half, weights, gauss = table
    nodes = (*half, *(-x for x in half[-2::-1]))
    kronrod = (*weights, *weights[-2::-1])
    # The middle is a node of the Gauss rule where Kronrod's half has an even number of nodes.
    inner = (*gauss, *(gauss[-2::-1] if len(half) % 2 == 0 else gauss[::-1]))

    def rule(a: float, b: float, f: Function, norm: Norm) -> tuple[Any, float, float]:
        center, h = 0.5 * (a + b), 0.5 * (b - a)
        values = [f(center + h * x) for x in nodes]
        total, size = 0.0, 0.0
        for weight, value in zip(kronrod, values, strict=True):
            total, size = total + weight * value, size + weight * abs(value)
        low: Any = 0.0
        for weight, value in zip(inner, values[1::2], strict=True):
            low = low + weight * value
        mean, spread = total / 2.0, 0.0
        for weight, value in zip(kronrod, values, strict=True):
            spread = spread + weight * abs(value - mean)
        error, around = float(norm((total - low) * h)), float(norm(spread * h))
        if around != 0 and error != 0:
            error = around * min(1.0, (200 * error / around) ** 1.5)
        rounding = float(norm(50 * sys.float_info.epsilon * h * size))
        if rounding > sys.float_info.min:
            error = max(error, rounding)
        return h * total, error, rounding

    return rule


def _two_trapezoids(a: float, b: float, f: Function, norm: Norm) -> tuple[Any, float, float]:
    first, last, middle = f(a), f(b), f(0.5 * (a + b))
    fine = 0.25 * (b - a) * (first + 2 * middle + last)
    size = float(norm(first)) + 2 * float(norm(middle)) + float(norm(last))
    error = 1 / 3 * float(norm(0.5 * (b - a) * (first + last) - fine))
    return fine, error, 0.25 * abs(b - a) * size * 2e-16


_RULES: dict[str | None, tuple[Rule, int]] = {
    None: (_kronrod(_GK21), 21),
    "gk21": (_kronrod(_GK21), 21),
    "gk15": (_kronrod(_GK15), 15),
    "trapezoid": (_two_trapezoids, 3),
}
_MESSAGES = (
    "Target precision reached.",
    "Target precision not reached.",
    "Target precision could not be reached due to rounding error.",
    "Non-finite values encountered.",
)
_TINY = sys.float_info.min**0.5
# How many intervals are halved before the tolerance is looked at again.
_INTERVALS_AT_A_TIME = 128


class _FullOutput:
    """What `quad_vec` knows beside the integral."""

    neval: int
    success: bool
    status: int
    message: str
    intervals: ndarray
    integrals: ndarray
    errors: ndarray

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __repr__(self) -> str:
        return f"_FullOutput({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


def _max_norm(x: Any) -> Any:
    return abs(x).max() if isinstance(x, ndarray) else abs(x)


def _two_norm(x: Any) -> Any:
    return cp.linalg.norm(x.ravel()) if isinstance(x, ndarray) else abs(x)


def _from_half_line(f: Function, start: float, sign: int) -> tuple[Function, Function]:
    """Return a function on (0, 1) with the integral of `f` from `start` to an infinity, and the map to it."""

    def on_unit(t: float) -> Any:
        if t < _TINY:
            return 0.0
        return sign * (f(start + sign * (1 - t) / t) / t) / t

    def place(x: float) -> float:
        z = sign * (x - start) + 1
        return np.inf if z == 0 else 1 / z

    return on_unit, place


def _from_line(f: Function) -> tuple[Function, Function]:
    """Return a function on (-1, 1) with the integral of `f` over all numbers, and the map to it."""

    def on_unit(t: float) -> Any:
        return 0.0 if abs(t) < _TINY else f((1 - abs(t)) / t) / t / t

    return on_unit, lambda x: (-1 if x < 0 else 1) / (abs(x) + 1)


def quad_vec(
    f: Callable[..., Any],
    a: float,
    b: float,
    epsabs: float = 1e-200,
    epsrel: float = 1e-8,
    norm: str | Norm | None = "2",
    cache_size: float = 100e6,
    limit: float = 10000,
    workers: Any = 1,
    points: Iterable[float] | None = None,
    quadrature: str | None = None,
    full_output: bool = False,
    *,
    args: Any = (),
) -> tuple[Any, ...]:
    """Integrate a function of one number whose values are arrays, adaptively.

    Parameters
    ----------
    f : callable
        ``f(x, *args)``, with an array of any shape, or a number, as its value.
    a, b : float
        The ends; both may be infinite.
    epsabs, epsrel : float, optional
        The error to reach, absolute and relative to the norm of the integral.
    norm : {"2", "max"} or callable, optional
        The norm of the error.
    cache_size : float, optional
        How many bytes of integrals over intervals are kept.
    limit : int, optional
        The largest number of intervals.
    workers : int or map-like callable, optional
        A callable is given the intervals as ``workers(function, items)``. Numbers are taken for
        compatibility: the values of `f` are computed by all threads of the device.
    points : sequence of float, optional
        Where the first intervals end.
    quadrature : {"gk21", "gk15", "trapezoid"}, optional
        The rule on an interval; "gk21", or "gk15" where an end is infinite.
    full_output : bool, optional
        Return a third value, with what is known beside the integral.
    args : tuple, optional
        Further arguments of `f`.

    Returns
    -------
    result : ndarray or float
        The integral.
    error : float
        An estimate of its error, in the norm.
    info : object
        With `full_output`: the attributes neval, success, status, message, intervals, integrals and errors.

    Examples
    --------
    >>> from cuprum.scipy.integrate import quad_vec
    >>> powers = cp.array([1.0, 2.0, 3.0])
    >>> value, error = quad_vec(lambda x: x**powers, 0, 1)
    >>> value.round(6)
    array([0.5     , 0.333333, 0.25    ])
    """
    a, b = float(a), float(b)
    if args or isinstance(args, ndarray):
        extra, function = args if isinstance(args, tuple) else (args,), f
        f = lambda x: function(x, *extra)  # noqa: E731
    if quadrature not in _RULES:
        raise ValueError(f"quad_vec: unknown quadrature {quadrature!r}")
    if not callable(norm) and norm not in (None, "max", "2"):
        raise KeyError(f"quad_vec: unknown norm {norm!r}")
    distance: Norm = norm if callable(norm) else _two_norm if norm == "2" else _max_norm
    options = (epsabs, epsrel, distance, cache_size, limit, workers)
    infinite = quadrature or "gk15"
    if math.isfinite(a) and math.isfinite(b):
        return _adaptive(f, a, b, *options, points, quadrature, full_output)
    if math.isfinite(a) and math.isinf(b) or math.isfinite(b) and math.isinf(a):
        start, sign = (a, -1 if b < 0 else 1) if math.isfinite(a) else (b, -1 if a < 0 else 1)
        on_unit, place = _from_half_line(f, start, sign)
        where = None if points is None else [place(x) for x in points]
        found = _adaptive(on_unit, 0.0, 1.0, *options, where, infinite, full_output)
        return found if math.isfinite(a) else (-found[0], *found[1:])
    if math.isinf(a) and math.isinf(b):
        on_unit, place = _from_line(f)
        where = [0.0, *(place(x) for x in points or ())]
        found = _adaptive(on_unit, -1.0 if a != b else 1.0, 1.0, *options, where, infinite, full_output)
        return (found[0] * (-1 if b < a else 1), *found[1:])
    raise ValueError(f"quad_vec: invalid integration bounds a={a}, b={b}")


def _starting_intervals(a: float, b: float, points: Iterable[float] | None) -> list[tuple[float, float]]:
    ends = [a]
    for point in sorted(points or ()):
        if a < point < b and point != ends[-1]:
            ends.append(float(point))
    ends.append(b)
    return list(zip(ends, ends[1:], strict=False))


def _halved(
    f: Function, norm: Norm, quadrature: str | None, item: tuple[float, float, float, Any]
) -> tuple[Any, ...]:
    """Halve an interval; return how integral, error and rounding change, the halves, and the calls."""
    rule, evaluations = _RULES[quadrature]
    before, low, high, whole = item
    middle = 0.5 * (low + high)
    used: dict[float, Any] = {}

    def counted(x: float) -> Any:
        if x not in used:
            used[x] = f(x)
        return used[x]

    # The trapezoids of the halves share their ends.
    g = counted if quadrature == "trapezoid" else f
    left, right = rule(low, middle, g, norm), rule(middle, high, g, norm)
    calls = 2 * evaluations
    if whole is None:
        whole, calls = rule(low, high, g, norm)[0], calls + evaluations
    if quadrature == "trapezoid":
        calls = len(used)
    parts = ((low, middle, *left), (middle, high, *right))
    return left[0] + right[0] - whole, left[1] + right[1] - before, left[2] + right[2], parts, calls


def _adaptive(
    f: Function,
    a: float,
    b: float,
    epsabs: float,
    epsrel: float,
    norm: Norm,
    cache_size: float,
    limit: float,
    workers: Any,
    points: Iterable[float] | None,
    quadrature: str | None,
    full_output: bool,
) -> tuple[Any, ...]:
    """Return the integral over a finite interval: the parts with the largest errors are halved."""
    rule, evaluations = _RULES[quadrature]
    kept: OrderedDict[tuple[float, float], Any] = OrderedDict()
    heap: list[tuple[float, float, float]] = []
    total: Any = None
    error = rounding = 0.0
    count, room = 0, 1.0
    halved = functools.partial(_halved, f, norm, quadrature)

    def keep(ends: tuple[float, float], integral: Any) -> None:
        kept[ends] = integral
        if len(kept) > room:
            kept.popitem(last=False)

    for low, high in _starting_intervals(a, b, points):
        part, part_error, part_rounding = rule(low, high, f, norm)
        count += evaluations
        if total is None:
            total, room = part, cache_size // max(getattr(part, "nbytes", 0) + 112, 1)
        else:
            total = total + part
        error, rounding = error + part_error, rounding + part_rounding
        keep((low, high), part)
        heap.append((-part_error, low, high))
    heapq.heapify(heap)

    status = 1
    while heap and len(heap) < limit:
        tolerance = max(epsabs, epsrel * float(norm(total)))
        batch: list[tuple[float, float, float, Any]] = []
        covered = 0.0
        while heap and len(batch) < _INTERVALS_AT_A_TIME and not (batch and covered > error - tolerance / 8):
            before, low, high = heapq.heappop(heap)
            batch.append((-before, low, high, kept.pop((low, high), None)))
            covered -= before
        results = workers(halved, batch) if callable(workers) else map(halved, batch)
        for change, error_change, rounding_change, parts, calls in results:
            count += calls
            total = total + change
            error, rounding = error + error_change, rounding + rounding_change
            for low, high, part, part_error, _ in parts:
                keep((low, high), part)
                heapq.heappush(heap, (-part_error, low, high))
        if len(heap) >= 2:
            tolerance = max(epsabs, epsrel * float(norm(total)))
            if error < tolerance / 8:
                status = 0
                break
            if error < rounding:
                status = 2
                break
        if not (math.isfinite(error) and math.isfinite(rounding)):
            status = 3
            break
    if not full_output:
        return total, error + rounding
    shape = as_array(total)
    nothing = cp.full(shape.shape, np.nan, shape.dtype)
    parts = [as_array(kept.get((low, high), nothing)).astype(shape.dtype) for _, low, high in heap]
    info = _FullOutput(
        neval=count,
        success=status == 0,
        status=status,
        message=_MESSAGES[status],
        intervals=cp.array([[low, high] for _, low, high in heap]),
        integrals=cp.stack(parts),
        errors=cp.array([-before for before, _, _ in heap]),
    )
    return total, error + rounding, info
