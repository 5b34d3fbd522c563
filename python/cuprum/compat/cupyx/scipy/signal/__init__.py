"""The module that `import cupyx.scipy.signal` gives: SciPy's functions, and CuPy's states of filters.

CuPy's state of a filter is its last inputs and then its last outputs, the oldest first. SciPy's is what the
filter carries from one sample to the next.
"""

from __future__ import annotations

from typing import Any as _Any

import cuprum as _cp
import cuprum.scipy.signal as _signal
from cuprum._convert import as_array as _as_array
from cuprum._convert import normalize_axis as _normalize_axis
from cuprum.scipy.signal import *  # noqa: F403
from cuprum.scipy.signal import _histories

__all__ = [*_signal.__all__]  # noqa: PLE0604


def lfilter(b: _Any, a: _Any, x: _Any, axis: int = -1, zi: _Any = None) -> _Any:
    """Filter along an axis by a rational transfer function.

    Parameters
    ----------
    b, a : (N,) array_like
        The numerator and the denominator, by rising powers of the delay.
    x : array_like
        The signal.
    axis : int, optional
        The axis along which it runs.
    zi : array_like, optional
        The last ``len(b) - 1`` inputs and then the last ``len(a) - 1`` outputs, the oldest first.

    Returns
    -------
    ndarray or tuple of ndarray
        The filtered signal; with `zi` also the inputs and outputs that a next part begins with.

    Examples
    --------
    >>> from cuprum.compat.cupyx.scipy import signal
    >>> b, a = cp.array([0.5]), cp.array([1.0, -0.5])
    >>> signal.lfilter(b, a, cp.array([1.0, 1.0]), zi=cp.array([0.75]))
    (array([0.875 , 0.9375]), array([0.9375]))
    """
    if zi is None:
        return _signal.lfilter(b, a, x, axis)
    b, a, x, zi = _cp.atleast_1d(b), _cp.atleast_1d(a), _as_array(x), _cp.atleast_1d(zi)
    along = _normalize_axis("lfilter", axis, x.ndim)
    if zi.ndim != x.ndim or zi.shape[along] != b.size + a.size - 2:
        return _signal.lfilter(b, a, x, axis, zi)
    return _histories.filtered(lambda state: _signal.lfilter(b, a, x, axis, state), b, a, x, along, zi)


def lfiltic(b: _Any, a: _Any, y: _Any, x: _Any = None) -> _Any:
    """Return the state of a filter from its last inputs and outputs: both, the oldest first.

    Parameters
    ----------
    b, a : (N,) array_like
        The numerator and the denominator.
    y : array_like
        The last outputs, the latest first; zeros follow where they are too few.
    x : array_like, optional
        The last inputs, the latest first.

    Returns
    -------
    ndarray
        The state, for `lfilter`; without `x` the outputs alone.

    Examples
    --------
    >>> from cuprum.compat.cupyx.scipy import signal
    >>> signal.lfiltic(cp.ones(2), cp.ones(3), cp.array([3.0, 2.0]), cp.array([9.0]))
    array([9., 2., 3.])
    """
    counts = [_cp.atleast_1d(x).size - 1 for x in (b, a)]
    parts = [
        _latest_first(values, count)
        for values, count in ((x, counts[0]), (y, counts[1]))
        if values is not None and count > 0
    ]
    if x is None and counts[0] > 0:
        parts.insert(0, _cp.zeros(counts[0], _as_array(y).dtype))
    return _cp.concatenate(parts) if parts else _cp.zeros(0, _as_array(y).dtype)


def _latest_first(values: _Any, count: int) -> _Any:
    values = _as_array(values)[:count]
    return _cp.concatenate((values, _cp.zeros(count - values.size, values.dtype)))[::-1]


def lfilter_zi(b: _Any, a: _Any) -> _Any:
    """Return the state in which a filter answers a step with a constant: inputs of one, outputs of that.

    Parameters
    ----------
    b, a : (N,) array_like
        The numerator and the denominator.

    Returns
    -------
    ndarray
        The state for a step of one.

    Examples
    --------
    >>> from cuprum.compat.cupyx.scipy import signal
    >>> signal.lfilter_zi(cp.array([0.5, 0.5]), cp.array([1.0, -0.5]))
    array([1., 2.])
    """
    b, a = _cp.atleast_1d(b), _cp.atleast_1d(a)
    dtype = _cp.result_type(b, a, _cp.float32)
    return _cp.concatenate((_cp.ones(b.size - 1, dtype), _cp.full(a.size - 1, b.sum() / a.sum(), dtype)))


def sosfilt_zi(sos: _Any) -> _Any:
    """Return the states in which second-order sections answer a step with a constant.

    Parameters
    ----------
    sos : (n_sections, 6) array_like
        Numerators and denominators of the sections.

    Returns
    -------
    (n_sections, 4) ndarray
        Two inputs and two outputs of each section, for a step of one.

    Examples
    --------
    >>> from cuprum.compat.cupyx.scipy import signal
    >>> signal.sosfilt_zi(cp.array([[1.0, 2.0, 1.0, 1.0, 1.0, 0.0]]))
    array([[1., 1., 2., 2.]])
    """
    sos = _as_array(sos)
    gains = _cp.cumprod(sos[:, :3].sum(axis=1) / sos[:, 3:].sum(axis=1))
    steps = _cp.concatenate((_cp.ones(1, gains.dtype), gains))
    return _cp.repeat(_cp.stack((steps[:-1], steps[1:]), axis=1), 2, axis=1)


def __getattr__(name: str) -> _Any:
    """Find what is not in the list of names: submodules."""
    # The path above all stays this package's: another would give second copies of modules.
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_signal, name)


def __dir__() -> list[str]:
    return sorted({*dir(_signal), *globals()})
