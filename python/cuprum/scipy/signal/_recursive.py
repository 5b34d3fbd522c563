"""Rational filters along an axis, and the states that they begin and end with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array, normalize_axis
from ..._core import ndarray
from ..._errors import names_itself
from ..._math.convolution import sliding_products
from ._direct import convolve
from ._extensions import padded_edges
from ._histories import filtered, is_history

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "deconvolve",
    "filtfilt",
    "lfilter",
    "lfilter_zi",
    "lfiltic",
    "sosfilt",
    "sosfilt_zi",
    "sosfiltfilt",
]


def _coefficients(op: str, name: str, values: Any) -> ndarray:
    array = _core.array(values, copy=None, ndmin=1)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{op}: Parameter {name} is not a non-empty 1d array, got shape {array.shape}")
    return array


def _filter_dtype(op: str, *arrays: ndarray) -> np.dtype:
    dtype = np.dtype(cp.result_type(*arrays))
    if dtype.char not in "fdFD":
        raise NotImplementedError(f"{op}: input type '{dtype}' not supported")
    result: np.dtype[Any] = dtype
    return result


def _resized(values: ndarray, size: int) -> ndarray:
    """Return coefficients with zeros after them."""
    return (
        cp.concatenate((values, cp.zeros(size - values.size, values.dtype))) if values.size < size else values
    )


def _along(ndim: int, axis: int, part: slice) -> tuple[slice, ...]:
    return tuple(part if i == axis else slice(None) for i in range(ndim))


def _broadcast_state(op: str, zi: ndarray, x: ndarray, axis: int, order: int) -> ndarray:
    """Return a state for every line of `x`: an axis of length one stands for all."""
    expected = tuple(order if i == axis else n for i, n in enumerate(x.shape))
    fits = zi.ndim == x.ndim and all(
        n == want or (n == 1 and i != axis)
        for i, (n, want) in enumerate(zip(zi.shape, expected, strict=True))
    )
    if not fits:
        raise ValueError(f"{op}: Unexpected shape for zi: expected {expected}, found {zi.shape}.")
    return cp.broadcast_to(zi, expected)


def _without_poles(b: ndarray, x: ndarray, axis: int, zi: ndarray | None) -> tuple[ndarray, ndarray]:
    """Return the results of a filter whose denominator is one, and the state after them."""
    taps = b.size
    weights = b[::-1].reshape([taps if i == axis else 1 for i in range(x.ndim)])
    shape = [n + taps - 1 if i == axis else n for i, n in enumerate(x.shape)]
    starts = [1 - taps if i == axis else 0 for i in range(x.ndim)]
    if x.size == 0:
        full = cp.zeros(shape, x.dtype)
    else:
        full = sliding_products(x, weights, starts, shape)
    if zi is not None:
        full[_along(x.ndim, axis, slice(taps - 1))] += zi
    end = x.shape[axis]
    return full[_along(x.ndim, axis, slice(end))], full[_along(x.ndim, axis, slice(end, None))]


def _with_poles(b: ndarray, a: ndarray, x: ndarray, axis: int, zi: ndarray | None) -> tuple[ndarray, ndarray]:
    """Return the results of filters that follow each other, and the states after them.

    The rows of `b` and `a`, float64 or complex128, are the filters, the rows of `zi` their states.
    """
    sections, order = b.shape[0], b.shape[1] - 1
    others = tuple(n for i, n in enumerate(x.shape) if i != axis)
    if x.dtype.kind == "c" and b.dtype.kind != "c":
        # Real coefficients filter the parts of complex numbers each by itself.
        parts = cp.stack((x.real, x.imag), -1)
        states = None if zi is None else cp.stack((zi.real, zi.imag), -1)
        y, last = _with_poles(b, a, parts, axis, states)
        return _joined(y, x.dtype), _joined(last, x.dtype)
    lines = int(np.prod(others, dtype=np.int64))
    if zi is None:
        states = cp.zeros((sections, lines, order), b.dtype)
    else:
        states = cp.moveaxis(zi, axis + 1, -1).astype(b.dtype).reshape(sections, lines, order)
    y, last = _core.linear_filter(b, a, x, axis, states)
    last = cp.moveaxis(last.reshape((sections, *others, order)), -1, axis + 1)
    return y, last.astype(x.dtype, copy=False)


def _joined(parts: ndarray, dtype: np.dtype) -> ndarray:
    """Return complex numbers from an axis of parts."""
    result = cp.empty(parts.shape[:-1], dtype)
    result.real, result.imag = parts[..., 0], parts[..., 1]
    return result


def _filtered(
    op: str, b: ndarray, a: ndarray, x: ndarray, axis: int, zi: ndarray | None
) -> tuple[ndarray, ndarray]:
    dtype = _filter_dtype(op, b, a, x, *(() if zi is None else (zi,)))
    order = max(b.size, a.size) - 1
    if zi is not None:
        zi = _broadcast_state(op, zi, x, axis, order).astype(dtype, copy=False)
    if a.size == 1:
        return _without_poles((b / a[0]).astype(dtype, copy=False), x.astype(dtype, copy=False), axis, zi)
    if not a[0]:
        raise ValueError(f"{op}: the first coefficient of a must not be zero")
    wide = np.dtype("c16" if "c" in (b.dtype.kind, a.dtype.kind) else "f8")
    b, a = (_resized(values.astype(wide, copy=False), order + 1).reshape(1, -1) for values in (b, a))
    states = None if zi is None else zi[cp.newaxis]
    y, last = _with_poles(b / a[0, 0], a / a[0, 0], x.astype(dtype, copy=False), axis, states)
    return y, last[0]


def lfilter(
    b: ArrayLike, a: ArrayLike, x: ArrayLike, axis: SupportsIndex = -1, zi: ArrayLike | None = None
) -> Any:
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
        The state before the first sample, ``max(len(a), len(b)) - 1`` numbers along `axis`; axes of length
        one stand for all. Zero by default. Of ``len(b) + len(a) - 2`` numbers, which are more where the
        filter has zeros and poles, the first are its last inputs and the others its last outputs, the oldest
        first: CuPy's state.

    Returns
    -------
    ndarray or tuple of ndarray
        The filtered signal; with `zi` also the state after the last sample, in the form of `zi`.

    Notes
    -----
    Long signals are filtered in parallel along time too: blocks run side by side, and what one leaves to the
    next is carried over. Recursive filters are computed in float64 and rounded once to the dtype of the
    result.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.lfilter([0.5], [1.0, -0.5], cp.array([1.0, 1.0, 1.0, 1.0]))
    array([0.5   , 0.75  , 0.875 , 0.9375])
    """
    b, a = _coefficients("lfilter", "b", b), _coefficients("lfilter", "a", a)
    x = as_array(x)
    if x.ndim == 0:
        raise ValueError("lfilter: x must be at least 1-D")
    axis = normalize_axis("lfilter", axis, x.ndim)
    if zi is None:
        return _filtered("lfilter", b, a, x, axis, None)[0]
    given = as_array(zi)
    if is_history(given, x, axis, b, a):
        return filtered(lambda state: _filtered("lfilter", b, a, x, axis, state), b, a, x, axis, given)
    return _filtered("lfilter", b, a, x, axis, given)


def lfilter_zi(b: ArrayLike, a: ArrayLike) -> ndarray:
    """Return the state in which a filter answers a step with a constant.

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
    >>> from cuprum.scipy import signal
    >>> zi = signal.lfilter_zi([0.5], [1.0, -0.5])
    >>> signal.lfilter([0.5], [1.0, -0.5], cp.ones(3), zi=zi)[0]
    array([1., 1., 1.])
    """
    b, a = (_core.array(values, copy=None, ndmin=1) for values in (b, a))
    for name, values in (("Numerator b", b), ("Denominator a", a)):
        if values.ndim != 1:
            raise ValueError(f"lfilter_zi: {name} must be 1-D.")
    if a.size == 0 or not a[0]:
        raise ValueError("lfilter_zi: First coefficient of parameter `a` must be non-zero!")
    size = max(a.size, b.size)
    b, a = _resized(b / a[0], size), _resized(a / a[0], size)
    if size == 1:
        return cp.zeros(0, cp.result_type(b, a))
    # The state z solves z = A z + B, A having -a[1:] as its first column and ones above its diagonal.
    matrix = cp.eye(size - 1, dtype=a.dtype) - cp.eye(size - 1, k=1, dtype=a.dtype)
    matrix[:, 0] += a[1:]
    dtype = cp.result_type(b, a)
    return cp.linalg.solve(matrix.astype(dtype, copy=False), (b[1:] - a[1:] * b[0]).astype(dtype, copy=False))


def lfiltic(b: ArrayLike, a: ArrayLike, y: ArrayLike, x: ArrayLike | None = None) -> ndarray:
    """Return the state of a filter from its last inputs and outputs.

    Parameters
    ----------
    b, a : (N,) array_like
        The numerator and the denominator.
    y : array_like
        The last outputs, the latest first.
    x : array_like, optional
        The last inputs, the latest first; zero by default.

    Returns
    -------
    ndarray
        The state, for `lfilter`.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.lfiltic([1.0], [1.0, -0.5], [4.0])
    array([2.])
    """
    b, a = (_core.array(values, copy=None, ndmin=1) for values in (b, a))
    for name, values in (("a", a), ("b", b)):
        if values.ndim > 1:
            raise ValueError(f"lfiltic: Filter coefficients `{name}` must be 1-D.")
    if a.size == 0:
        raise ValueError("lfiltic: There must be at least one `a` coefficient.")
    if not a[0]:
        raise ValueError("lfiltic: First `a` filter coefficient must be non-zero.")
    y = as_array(y)
    x = None if x is None else as_array(x)
    dtype = cp.result_type(b, a, y, *(() if x is None else (x,)))
    if np.dtype(dtype).kind in "bui":
        dtype = np.dtype("f8")
    poles, zeros = a.size - 1, b.size - 1
    state = cp.zeros(max(poles, zeros), dtype)
    outputs = _resized(y.astype(dtype), poles)
    if x is not None:
        inputs = _resized(x.astype(dtype), zeros)
        for m in range(zeros):
            state[m] = (b[m + 1 :] * inputs[: zeros - m]).sum()
    for m in range(poles):
        state[m] -= (a[m + 1 :] * outputs[: poles - m]).sum()
    return state / a[0]


def _forth_and_back(x: ndarray, axis: int, run: Any) -> ndarray:
    """Return a signal filtered forwards and backwards; `run(x, x0)` begins in the state of `x0`."""
    back = _along(x.ndim, axis, slice(None, None, -1))
    y = run(x, x[_along(x.ndim, axis, slice(1))])
    y = run(y[back], y[_along(x.ndim, axis, slice(-1, None))])
    result: ndarray = y[back]
    return result


@names_itself
def filtfilt(
    b: ArrayLike,
    a: ArrayLike,
    x: ArrayLike,
    axis: SupportsIndex = -1,
    padtype: str | None = "odd",
    padlen: int | None = None,
    method: str = "pad",
    irlen: int | None = None,
) -> ndarray:
    """Filter forwards and backwards, so that no phase is shifted.

    Parameters
    ----------
    b, a : (N,) array_like
        The numerator and the denominator.
    x : array_like
        The signal.
    axis : int, optional
        The axis along which it runs.
    padtype : {"odd", "even", "constant", None}, optional
        How the signal is extended at both ends.
    padlen : int, optional
        By how much; ``3 * max(len(a), len(b))`` by default.
    method : {"pad", "gust"}, optional
        Extend the signal, or choose the states at both ends so that forwards and backwards agree
        (Gustafsson; for real coefficients: of complex ones it drops imaginary parts with a ComplexWarning, as
        SciPy does).
    irlen : int, optional
        The length of the impulse response, for "gust".

    Returns
    -------
    ndarray
        The filtered signal, C contiguous or a view of a longer one.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> b, a = signal.butter(2, 0.3)
    >>> signal.filtfilt(b, a, cp.ones(20)).round(6)[:3]
    array([1., 1., 1.])
    """
    b, a = _coefficients("filtfilt", "b", b), _coefficients("filtfilt", "a", a)
    x = as_array(x)
    if method not in ("pad", "gust"):
        raise ValueError("filtfilt: method must be 'pad' or 'gust'.")
    axis = normalize_axis("filtfilt", axis, x.ndim)
    if method == "gust":
        return _gustafsson(b, a, x, axis, irlen)
    edge, extended = padded_edges("filtfilt", padtype, padlen, x, axis, max(a.size, b.size))
    state = lfilter_zi(b, a).reshape([-1 if i == axis else 1 for i in range(x.ndim)])

    def run(samples: ndarray, first: ndarray) -> ndarray:
        result: ndarray = lfilter(b, a, samples, axis, zi=state * first)[0]
        return result

    y = _forth_and_back(extended, axis, run)
    return y[_along(x.ndim, axis, slice(edge, -edge))] if edge > 0 else y


def _gustafsson(b: ndarray, a: ndarray, x: ndarray, axis: int, irlen: int | None) -> ndarray:
    """Return a signal filtered both ways, from the states for which both orders give the same.

    F. Gustafsson, Determining the initial states in forward-backward filtering, IEEE Transactions on Signal
    Processing 44 (1996): the difference of the two orders is linear in the states, and made least.
    """
    order = max(b.size, a.size) - 1
    if order == 0:
        return (b[0] / a[0]) ** 2 * x
    x = cp.moveaxis(x, axis, -1)
    n = x.shape[-1]
    length = n if irlen is None or n <= 2 * irlen else irlen
    # What each number of a state adds to the output, and what filtering that backwards makes of it.
    unit = cp.zeros(order, cp.result_type(b, a, 1.0))
    unit[0] = 1
    answer = lfilter(b, a, cp.zeros(length), zi=unit)[0]
    # Real, as in SciPy: imaginary parts of a filter's answer are dropped, with NumPy's ComplexWarning.
    observed = cp.zeros((length, order), answer.real.dtype)
    for k in range(order):
        observed[k:, k] = answer[: length - k]
    filtered = lfilter(b, a, observed[::-1], axis=0)
    left, right = filtered[::-1], observed[::-1]
    forth = lfilter(b, a, lfilter(b, a, x)[..., ::-1])[..., ::-1]
    back = lfilter(b, a, lfilter(b, a, x[..., ::-1])[..., ::-1])
    apart = back - forth
    if length == n:
        matrix, effect = cp.hstack((left - observed, right - filtered)), cp.hstack((left, right))
        differences = apart
    else:
        matrix, effect = (cp.zeros((2 * length, 2 * order), observed.dtype) for _ in range(2))
        matrix[:length, :order], matrix[length:, order:] = left - observed, right - filtered
        effect[:length, :order], effect[length:, order:] = left, right
        differences = cp.concatenate((apart[..., :length], apart[..., -length:]), -1)
    rows = differences.reshape(-1, differences.shape[-1])
    states = cp.linalg.lstsq(matrix, rows.T, rcond=None)[0]
    change = (effect @ states).T.reshape(differences.shape)
    y = forth.copy()
    if length == n:
        y += change
    else:
        y[..., :length] += change[..., :length]
        y[..., -length:] += change[..., -length:]
    return cp.moveaxis(y, -1, axis)


def checked_sections(op: str, sos: Any) -> ndarray:
    """Return second-order sections whose leading denominator coefficients are one."""
    array = _core.array(sos, copy=None, ndmin=2)
    if array.ndim != 2:
        raise ValueError(f"{op}: sos array must be 2D")
    if array.shape[1] != 6:
        raise ValueError(f"{op}: sos array must be shape (n_sections, 6), got {array.shape}")
    if not (array[:, 3] == 1).all():
        raise ValueError(f"{op}: sos[:, 3] should be all ones")
    return array


def sosfilt(sos: ArrayLike, x: ArrayLike, axis: SupportsIndex = -1, zi: ArrayLike | None = None) -> Any:
    """Filter along an axis by second-order sections, one after the other.

    Parameters
    ----------
    sos : (n_sections, 6) array_like
        Numerators and denominators of the sections.
    x : array_like
        The signal.
    axis : int, optional
        The axis along which it runs.
    zi : array_like, optional
        The states before the first sample: shape ``(n_sections, ..., 2, ...)``, the 2 in place of `axis`; or
        4 in that place, each section's last two inputs and outputs, the oldest first: CuPy's states.

    Returns
    -------
    ndarray or tuple of ndarray
        The filtered signal; with `zi` also the states after the last sample.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> sos = signal.butter(2, 0.5, output="sos")
    >>> signal.sosfilt(sos, cp.ones(4)).round(6)
    array([0.292893, 0.87868 , 1.12132 , 1.020815])
    """
    x = as_array(x)
    if x.ndim == 0:
        raise ValueError("sosfilt: x must be at least 1-D")
    sos = checked_sections("sosfilt", sos)
    axis = normalize_axis("sosfilt", axis, x.ndim)
    states = None if zi is None else as_array(zi)
    dtype = _filter_dtype("sosfilt", sos, x, *(() if states is None else (states,)))
    sections = sos.shape[0]
    expected = (sections, *(2 if i == axis else n for i, n in enumerate(x.shape)))
    if states is not None and states.ndim == x.ndim + 1 and states.shape[axis + 1] == 4:
        return _sections_with_histories(sos, x, axis, states)
    if states is not None and states.shape != expected:
        raise ValueError(
            f"sosfilt: Invalid zi shape. With axis={axis!r}, an input with shape {x.shape!r}, and an "
            "sos array "
            f"with {sections} sections, zi must have shape {expected!r}, got {states.shape!r}."
        )
    sos = sos.astype(np.dtype("c16" if sos.dtype.kind == "c" else "f8"), copy=False)
    if states is not None:
        states = states.astype(dtype, copy=False)
    y, last = _with_poles(sos[:, :3], sos[:, 3:], x.astype(dtype, copy=False), axis, states)
    return y if zi is None else (y, last)


def _sections_with_histories(sos: ndarray, x: ndarray, axis: int, zi: ndarray) -> tuple[ndarray, ndarray]:
    """Filter by sections one after the other, each beginning with its last inputs and outputs."""
    if zi.shape[0] != sos.shape[0]:
        raise ValueError(f"sosfilt: Invalid zi shape: {zi.shape} for {sos.shape[0]} sections")
    ends = []
    for section, history in zip(sos, zi, strict=True):
        x, end = lfilter(section[:3], section[3:], x, axis, history)
        ends.append(end)
    return x, cp.stack(ends)


def sosfilt_zi(sos: ArrayLike) -> ndarray:
    """Return the states in which second-order sections answer a step with a constant.

    Parameters
    ----------
    sos : (n_sections, 6) array_like
        Numerators and denominators of the sections.

    Returns
    -------
    (n_sections, 2) ndarray
        The states for a step of one.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.sosfilt_zi([[1.0, 2.0, 1.0, 1.0, 0.5, 0.0]]).round(6)
    array([[1.666667, 1.      ]])
    """
    sos = as_array(sos)
    if sos.ndim != 2 or sos.shape[1] != 6:
        raise ValueError(f"sosfilt_zi: sos must be shape (n_sections, 6), got {sos.shape}")
    if sos.dtype.kind in "bui":
        sos = sos.astype(np.float64)
    gain: Any = 1.0
    states = []
    for section in range(sos.shape[0]):
        b, a = sos[section, :3], sos[section, 3:]
        states.append(gain * lfilter_zi(b, a))
        # The answer to a step becomes the sums' quotient, the input of the next section.
        gain = gain * (b.sum() / a.sum())
    return cp.stack(states) if states else cp.zeros((0, 2), sos.dtype)


@names_itself
def sosfiltfilt(
    sos: ArrayLike,
    x: ArrayLike,
    axis: SupportsIndex = -1,
    padtype: str | None = "odd",
    padlen: int | None = None,
) -> ndarray:
    """Filter forwards and backwards by second-order sections, so that no phase is shifted.

    Parameters
    ----------
    sos : (n_sections, 6) array_like
        Numerators and denominators of the sections.
    x : array_like
        The signal.
    axis : int, optional
        The axis along which it runs.
    padtype : {"odd", "even", "constant", None}, optional
        How the signal is extended at both ends.
    padlen : int, optional
        By how much; by default three times the number of coefficients.

    Returns
    -------
    ndarray
        The filtered signal.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> sos = signal.butter(2, 0.3, output="sos")
    >>> signal.sosfiltfilt(sos, cp.ones(20)).round(6)[:3]
    array([1., 1., 1.])
    """
    sos = checked_sections("sosfiltfilt", sos)
    x = as_array(x)
    if x.ndim == 0:
        raise ValueError("sosfiltfilt: x must be at least 1-D")
    axis = normalize_axis("sosfiltfilt", axis, x.ndim)
    absent = min(int((sos[:, 2] == 0).sum()), int((sos[:, 5] == 0).sum()))
    taps = 2 * sos.shape[0] + 1 - absent
    edge, extended = padded_edges("sosfiltfilt", padtype, padlen, x, axis, taps)
    state = sosfilt_zi(sos).reshape([-1, *(2 if i == axis else 1 for i in range(x.ndim))])

    def run(samples: ndarray, first: ndarray) -> ndarray:
        result: ndarray = sosfilt(sos, samples, axis, zi=state * first)[0]
        return result

    y = _forth_and_back(extended, axis, run)
    return y[_along(x.ndim, axis, slice(edge, -edge))] if edge > 0 else y


@names_itself
def deconvolve(signal: ArrayLike, divisor: ArrayLike) -> tuple[Any, ndarray]:
    """Divide one sequence by another: the quotient and the remainder of polynomials.

    Parameters
    ----------
    signal, divisor : (N,) array_like
        The sequences.

    Returns
    -------
    quotient, remainder : ndarray
        ``signal = convolve(divisor, quotient) + remainder``.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.deconvolve([2.0, 5.0, 3.0], [1.0, 1.0])
    (array([2., 3.]), array([0., 0., 0.]))
    """
    top, bottom = (_core.array(values, copy=None, ndmin=1) for values in (signal, divisor))
    for name, values in (("signal", top), ("divisor", bottom)):
        if values.ndim != 1 or values.size == 0:
            raise ValueError(
                f"deconvolve: Parameter {name} must be non-empty 1d array, got shape {values.shape}"
            )
    if bottom.size > top.size:
        return cp.zeros(0), top
    unit = cp.zeros(top.size - bottom.size + 1)
    unit[0] = 1
    quotient = lfilter(top, bottom, unit)
    return quotient, top - convolve(bottom, quotient, mode="full")
