"""Where a quantile lies among sorted elements, by each of NumPy's thirteen methods.

A method gives, for `n` elements and the fraction `q`, a *virtual index*: an integer, or a number between two
indices and the share of the second of them. `n` and `q` are NumPy numbers, or arrays of one dtype where `n`
differs from line to line; the functions that they need are named in `functions`, NumPy's or ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__: list[str] = []


class Method(NamedTuple):
    """How to find a quantile."""

    virtual_index: Callable[[Any, Any, Any], Any]
    # The share of the second neighbour, from the fraction and the virtual index; None where one is chosen.
    share: Callable[[Any, Any, Any], Any] | None


def _between(alpha: float, beta: float) -> Callable[[Any, Any, Any], Any]:
    return lambda functions, n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


def _same(functions: Any, share: Any, index: Any) -> Any:
    return share


def _chosen(functions: Any, index: Any, previous: Any, takes_previous: Any) -> Any:
    return functions.maximum(functions.where(takes_previous, previous, previous + 1), 0)


def _inverted_cdf(functions: Any, n: Any, q: Any) -> Any:
    index = n * q - 1
    previous = functions.floor(index)
    return _chosen(functions, index, previous, index - previous == 0)


def _closest_observation(functions: Any, n: Any, q: Any) -> Any:
    # Halfway, the even one of the order statistics, which are counted from one.
    index = n * q - 1 - 0.5
    previous = functions.floor(index)
    return _chosen(functions, index, previous, (index - previous == 0) & (previous % 2 == 1))


def _midpoint(functions: Any, n: Any, q: Any) -> Any:
    index = (n - 1) * q
    return 0.5 * (functions.floor(index) + functions.ceil(index))


METHODS: dict[str, Method] = {
    "inverted_cdf": Method(_inverted_cdf, None),
    "averaged_inverted_cdf": Method(
        lambda functions, n, q: n * q - 1,
        lambda functions, share, index: functions.where(share == 0, 0.5, 1.0),
    ),
    "closest_observation": Method(_closest_observation, None),
    "interpolated_inverted_cdf": Method(_between(0, 1), _same),
    "hazen": Method(_between(0.5, 0.5), _same),
    "weibull": Method(_between(0, 0), _same),
    "linear": Method(lambda functions, n, q: (n - 1) * q, _same),
    "median_unbiased": Method(_between(1 / 3.0, 1 / 3.0), _same),
    "normal_unbiased": Method(_between(3 / 8.0, 3 / 8.0), _same),
    "lower": Method(lambda functions, n, q: functions.floor((n - 1) * q), None),
    "higher": Method(lambda functions, n, q: functions.ceil((n - 1) * q), None),
    "midpoint": Method(_midpoint, lambda functions, share, index: functions.where(index % 1 == 0, 0.0, 0.5)),
    "nearest": Method(lambda functions, n, q: functions.rint((n - 1) * q), None),
}


def method_of(op: str, name: str) -> Method:
    """Return the method of that name."""
    if name not in METHODS:
        raise ValueError(f"{op}: {name!r} is not a valid method, use one of {', '.join(METHODS)}")
    return METHODS[name]
