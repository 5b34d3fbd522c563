"""What tests of samples have in common: axes, NaNs and dtypes.

A test is written for samples along the last axis, without a thought of NaNs. `along_axis` moves the axis
there, broadcasts the other axes, does with NaNs what is asked, and puts results into their shape and dtype.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

import cuprum as cp

from ..._convert import normalize_axis
from ..._core import ndarray
from ._samples import POLICIES, as_sample

F = TypeVar("F", bound=Callable[..., Any])


def along_axis(
    *names: str, paired: bool = False, vectors: bool = False, narrow: bool = True
) -> Callable[[F], F]:
    """Make a test take `axis`, `nan_policy` and `keepdims`, which are parameters of it.

    Parameters
    ----------
    *names : str
        The parameters that are samples; one may be ``*samples``, and one may be None in a call.
    paired : bool, optional
        Whether samples are pairs: a NaN leaves out its whole pair.
    vectors : bool, optional
        Whether the test takes samples of one axis alone, and is called for each of several.
    narrow : bool, optional
        Whether results have the dtype of the samples; otherwise that of the test.
    """

    def decorate(function: F) -> F:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def along(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = bound.arguments
            axis, policy, keepdims = (given[name] for name in ("axis", "nan_policy", "keepdims"))
            if policy not in POLICIES:
                known = ", ".join(map(repr, POLICIES))
                raise ValueError(
                    f"{function.__name__}: nan_policy must be one of {{{known}}}, got {policy!r}"
                )
            many = signature.parameters[names[0]].kind is inspect.Parameter.VAR_POSITIONAL
            there = [name for name in names if given[name] is not None]
            raw = [as_sample(a) for a in (given[names[0]] if many else [given[name] for name in there])]
            is_typed = {name: not isinstance(given[name], (int, float, complex)) for name in there}
            samples, kept = _moved(function.__name__, raw, axis)
            given.update(axis=-1, nan_policy="propagate", keepdims=False)

            def test(*parts: ndarray) -> Any:
                given.update({names[0]: parts} if many else zip(there, parts, strict=True))
                return function(*bound.args, **bound.kwargs)

            result = _tested(function.__name__, test, samples, policy, paired, vectors)
            # A number of Python takes the dtype of its neighbours.
            typed = raw if many else [a for name, a in zip(there, raw, strict=True) if is_typed[name]]
            return _shaped(result, kept if keepdims else None, _float_of(typed or raw) if narrow else None)

        return along  # type: ignore[return-value]

    return decorate


def _float_of(samples: list[ndarray]) -> np.dtype[Any]:
    """Return the dtype of floats that samples have together; integers count as float64."""
    floats = [np.dtype(np.float64) if a.dtype.kind in "bui" else a.dtype for a in samples]
    return np.result_type(*floats) if floats else np.dtype(np.float64)


def _moved(op: str, samples: list[ndarray], axis: Any) -> tuple[list[ndarray], tuple[int, ...]]:
    """Return samples along the last axis, in float32 or wider, and the shape of results that keep axes."""
    widened = [
        a.astype(np.float64)
        if a.dtype.kind in "bui"
        else a.astype(np.float32)
        if a.dtype == np.float16
        else a
        for a in samples
    ]
    ndim = max((a.ndim for a in widened), default=1)
    if axis is None:
        return [a.ravel() for a in widened], (1,) * ndim
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    places = [normalize_axis(op, one, ndim) for one in axes]
    if len(set(places)) < len(places):
        raise np.exceptions.AxisError(f"{op}: `axis` must contain only distinct elements")
    rows = []
    for a in widened:
        a = cp.moveaxis(a.reshape((1,) * (ndim - a.ndim) + a.shape), places, range(-len(places), 0))
        split = ndim - len(places)
        rows.append(a.reshape(*a.shape[:split], math.prod(a.shape[split:])))
    try:
        stack = np.broadcast_shapes(*(a.shape[:-1] for a in rows))
    except ValueError:
        raise ValueError(f"{op}: Array shapes are incompatible for broadcasting.") from None
    sizes = iter(stack)
    kept = tuple(1 if i in places else next(sizes) for i in range(ndim))
    return [cp.broadcast_to(a, (*stack, a.shape[-1])) for a in rows], kept


def _tested(
    op: str, test: Callable[..., Any], samples: list[ndarray], policy: str, paired: bool, vectors: bool
) -> Any:
    """Return what a test gives for samples along the last axis."""
    stack = samples[0].shape[:-1] if samples else ()
    holes = [cp.isnan(a) for a in samples if a.dtype.kind in "fc" and a.size]
    if policy != "propagate" and any(bool(hole.any()) for hole in holes):
        if policy == "raise":
            raise ValueError(f"{op}: The input contains nan values")
        return _row_by_row(test, [_without_nans(row, paired) for row in _rows(samples)], stack, len(samples))
    if vectors and stack:
        result = _row_by_row(test, _rows(samples), stack, len(samples))
    else:
        result = test(*samples)
    if policy != "propagate" or not holes:
        return result
    lost = functools.reduce(cp.logical_or, (hole.any(axis=-1) for hole in holes))
    return _each(result, lambda part: cp.where(lost, cp.nan, part) if part.dtype.kind in "fc" else part)


def _rows(samples: list[ndarray]) -> list[list[ndarray]]:
    """Return the samples of each test."""
    count = math.prod(samples[0].shape[:-1])
    flat = [a.reshape(count, a.shape[-1]) for a in samples]
    return [[a[i] for a in flat] for i in range(count)]


def _without_nans(row: list[ndarray], paired: bool) -> list[ndarray]:
    """Return vectors without their NaNs, pairs without those where one is NaN."""
    if not paired or len({a.size for a in row}) > 1:
        return [a[~cp.isnan(a)] for a in row]
    kept = ~functools.reduce(cp.logical_or, (cp.isnan(a) for a in row))
    return [a[kept] for a in row]


def _row_by_row(
    test: Callable[..., Any], rows: list[list[ndarray]], stack: tuple[int, ...], count: int
) -> Any:
    if not rows:
        # No test is asked for: the results of an empty sample say how many there are.
        return _each(test(*(cp.empty(0) for _ in range(count))), lambda part: cp.empty(stack, part.dtype))
    results = [test(*row) for row in rows]
    if not stack:
        return results[0]
    if not isinstance(results[0], tuple):
        return cp.stack([cp.asarray(r) for r in results]).reshape(stack)
    parts = (cp.stack([cp.asarray(p) for p in part]).reshape(stack) for part in zip(*results, strict=True))
    return type(results[0])(*parts)


def _each(result: Any, change: Callable[[ndarray], ndarray]) -> Any:
    """Return a result whose arrays are changed."""
    if isinstance(result, tuple):
        return type(result)(*(change(part) for part in result))
    return change(result)


def _shaped(result: Any, kept: tuple[int, ...] | None, dtype: np.dtype[Any] | None) -> Any:
    """Return results with their axes, where these are kept, and in the dtype of samples.

    Chances of samples in half precision have single precision, as in SciPy.
    """
    if kept is not None:
        result = _each(result, lambda part: part.reshape(kept))
    if dtype is None or dtype.kind == "c":
        return result
    if not isinstance(result, tuple):
        return result.astype(dtype, copy=False)
    chance = np.result_type(dtype, np.float32)
    return type(result)(
        *(
            part.astype(dtype if i == 0 else chance, copy=False) if part.dtype.kind == "f" else part
            for i, part in enumerate(result)
        )
    )
