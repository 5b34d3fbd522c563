"""What linear systems answer to inputs and frequencies.

States follow each other by a matrix: all of them are found together, in as many steps as the number of
samples has binary digits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ..linalg import expm
from ._filter_forms import floating
from ._lti import StateSpace, TransferFunction, ZerosPolesGain, dlti, lti
from ._responses import freqs, freqs_zpk, freqz, freqz_zpk

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = [
    "bode",
    "dbode",
    "dfreqresp",
    "dimpulse",
    "dlsim",
    "dstep",
    "freqresp",
    "impulse",
    "lsim",
    "step",
]


def _continuous(op: str, system: Any) -> Any:
    if isinstance(system, lti):
        return system
    if isinstance(system, dlti):
        raise AttributeError(f"{op}: can only be used with continuous-time systems.")
    return lti(*system)


def _discrete(op: str, system: Any) -> Any:
    if isinstance(system, dlti):
        return system
    if isinstance(system, lti):
        raise AttributeError(f"{op}: can only be used with discrete-time dlti systems.")
    return dlti(*system[:-1], dt=system[-1])


def _states(matrix: ndarray, inputs: ndarray) -> ndarray:
    """Return the rows ``x[k] = x[k - 1] @ matrix + inputs[k]``, `x` being zero before.

    Each round adds what twice as many rows before have left over.
    """
    x, power, reach = inputs.copy(), matrix, 1
    while reach < x.shape[0]:
        x[reach:] += x[:-reach] @ power
        reach *= 2
        if reach < x.shape[0]:
            power = power @ power
    return x


@names_itself
def lsim(
    system: Any, U: ArrayLike | None, T: ArrayLike, X0: ArrayLike | None = None, interp: bool = True
) -> tuple[ndarray, ndarray, ndarray]:
    """Return the answer of a continuous system to an input.

    Parameters
    ----------
    system : lti or tuple of array_like
        The system.
    U : array_like or None
        The input at each time, a column for each of several; None or 0 for none.
    T : (N,) array_like
        The times, equally far apart.
    X0 : array_like, optional
        The state at time 0; zero by default.
    interp : bool, optional
        Whether the input runs straight between samples, or stays as it is.

    Returns
    -------
    T, yout, xout : ndarray
        The times, the outputs and the states.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> t, y, x = signal.lsim(([1.0], [1.0, 1.0]), cp.ones(3), cp.array([0.0, 1.0, 2.0]))
    >>> y.round(6)
    array([0.      , 0.632121, 0.864665])
    """
    system = _continuous("lsim", system).to_ss()
    T = _core.array(T, copy=None, ndmin=1)
    if T.ndim != 1:
        raise ValueError("lsim: T must be a rank-1 array.")
    A, B, C, D = (floating(matrix) for matrix in (system.A, system.B, system.C, system.D))
    n, m, steps = A.shape[0], B.shape[1], T.size
    start = cp.zeros(n, A.dtype) if X0 is None else as_array(X0).reshape(n)
    begin = float(T[0])
    if begin > 0:
        start = start @ expm(A.T * begin)
    elif begin < 0:
        raise ValueError("lsim: Initial time must be nonnegative")
    no_input = U is None or (isinstance(U, (int, float)) and U == 0.0) or not bool(as_array(U).any())
    dtype = cp.result_type(A, B, C, D, start)
    inputs = cp.zeros((steps, n), dtype)
    inputs[0] = start
    if steps == 1:
        y = cp.squeeze(inputs @ C.T)
        return T, y if no_input else y + cp.squeeze(as_array(U) @ D.T), cp.squeeze(inputs)
    dt = float(T[1] - T[0])
    if not bool(cp.allclose(cp.diff(T), dt)):
        raise ValueError("lsim: Time steps are not equally spaced.")
    if no_input:
        x = _states(expm(A.T * dt), inputs)
        return T, cp.squeeze(x @ C.T), cp.squeeze(x)
    U = _core.array(U, copy=None, ndmin=1)
    U = U[:, cp.newaxis] if U.ndim == 1 else U
    if U.shape[0] != steps:
        raise ValueError("lsim: U must have the same number of rows as elements in T.")
    if U.shape[1] != m:
        raise ValueError("lsim: System does not define that many inputs.")
    inputs = inputs.astype(cp.result_type(inputs, U), copy=False)
    # The state and the input, and its slope where there is one, follow one equation: its exponential.
    size = n + (2 * m if interp else m)
    block = cp.zeros((size, size), dtype)
    block[:n, :n], block[:n, n : n + m] = A * dt, B * dt
    if interp:
        block[n : n + m, n + m :] = cp.eye(m)
    power = expm(block.T)
    own, now = power[:n, :n], power[n : n + m, :n]
    if interp:
        later = power[n + m :, :n]
        inputs[1:] = U[:-1] @ (now - later) + U[1:] @ later
    else:
        inputs[1:] = U[:-1] @ now
    x = _states(own, inputs)
    return T, cp.squeeze(x @ C.T) + cp.squeeze(U @ D.T), cp.squeeze(x)


def _times(system: StateSpace, count: int) -> ndarray:
    """Return times over which the slowest part of a system fades."""
    slowest = float(cp.abs(cp.linalg.eigvals(floating(system.A)).real).min())
    return cp.linspace(0.0, 7 / (slowest if slowest != 0.0 else 1.0), count)


@names_itself
def impulse(
    system: Any, X0: ArrayLike | None = None, T: ArrayLike | None = None, N: int | None = None
) -> tuple[ndarray, ndarray]:
    """Return the answer of a continuous system to an impulse.

    Parameters
    ----------
    system : lti or tuple of array_like
        The system.
    X0 : array_like, optional
        The state at time 0; zero by default.
    T : array_like, optional
        The times; by default as long as the system takes.
    N : int, optional
        The number of times, 100 by default.

    Returns
    -------
    T, yout : ndarray
        The times and the outputs.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.impulse(([1.0], [1.0, 1.0]), T=cp.array([0.0, 1.0]))[1].round(6)
    array([1.      , 0.367879])
    """
    system = _continuous("impulse", system).to_ss()
    start = cp.squeeze(system.B if X0 is None else system.B + as_array(X0).reshape(system.B.shape))
    T = _times(system, 100 if N is None else N) if T is None else as_array(T)
    return T, lsim(system, 0.0, T, start, interp=False)[1]


@names_itself
def step(
    system: Any, X0: ArrayLike | None = None, T: ArrayLike | None = None, N: int | None = None
) -> tuple[ndarray, ndarray]:
    """Return the answer of a continuous system to a step.

    Parameters
    ----------
    system : lti or tuple of array_like
        The system.
    X0 : array_like, optional
        The state at time 0; zero by default.
    T : array_like, optional
        The times; by default as long as the system takes.
    N : int, optional
        The number of times, 100 by default.

    Returns
    -------
    T, yout : ndarray
        The times and the outputs.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.step(([1.0], [1.0, 1.0]), T=cp.array([0.0, 1.0]))[1].round(6)
    array([0.      , 0.632121])
    """
    system = _continuous("step", system).to_ss()
    T = _times(system, 100 if N is None else N) if T is None else as_array(T)
    return lsim(system, cp.ones(T.shape), T, X0, interp=False)[:2]


@names_itself
def freqresp(system: Any, w: ArrayLike | None = None, n: int = 10000) -> tuple[ndarray, ndarray]:
    """Return the frequency response of a continuous system.

    Parameters
    ----------
    system : lti or tuple of array_like
        The system, of one input and one output.
    w : array_like, optional
        The angular frequencies.
    n : int, optional
        Their number, where they are not given.

    Returns
    -------
    w, H : ndarray
        The angular frequencies and the response.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.freqresp(([1.0], [1.0, 1.0]), [0.0, 1.0])[1]
    array([1. +0.j , 0.5-0.5j])
    """
    system = _continuous("freqresp", system)
    if not isinstance(system, (TransferFunction, ZerosPolesGain)):
        system = system.to_zpk()
    if system.inputs != 1 or system.outputs != 1:
        raise ValueError("freqresp: requires a SISO (single input, single output) system.")
    wanted = n if w is None else w
    if isinstance(system, TransferFunction):
        made: tuple[ndarray, ndarray] = freqs(system.num.ravel(), system.den, worN=wanted)
        return made
    result: tuple[ndarray, ndarray] = freqs_zpk(system.zeros, system.poles, system.gain, worN=wanted)
    return result


@names_itself
def bode(system: Any, w: ArrayLike | None = None, n: int = 100) -> tuple[ndarray, ndarray, ndarray]:
    """Return the magnitudes and phases of a continuous system.

    Parameters
    ----------
    system : lti or tuple of array_like
        The system, of one input and one output.
    w : array_like, optional
        The angular frequencies.
    n : int, optional
        Their number, where they are not given.

    Returns
    -------
    w, mag, phase : ndarray
        The angular frequencies, the magnitudes in decibels and the phases in degrees.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.bode(([1.0], [1.0, 1.0]), [1.0])[2].round(6)
    array([-45.])
    """
    w, h = freqresp(system, w=w, n=n)
    return w, 20.0 * cp.log10(cp.abs(h)), cp.unwrap(cp.arctan2(h.imag, h.real)) * 180.0 / math.pi


@names_itself
def dlsim(
    system: Any, u: ArrayLike, t: ArrayLike | None = None, x0: ArrayLike | None = None
) -> tuple[ndarray, ...]:
    """Return the answer of a discrete system to an input.

    Parameters
    ----------
    system : dlti or tuple of array_like
        The system; a tuple ends with the time between samples.
    u : array_like
        The input, a column for each of several.
    t : array_like, optional
        The times of the input, which is interpolated.
    x0 : array_like, optional
        The state at the beginning; zero by default.

    Returns
    -------
    tout, yout : ndarray
        The times and the outputs; for state-space systems also the states.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.dlsim(([1.0], [1.0, -0.5], 1.0), cp.ones(3))[1].ravel()
    array([0. , 1. , 1.5])
    """
    system = _discrete("dlsim", system)
    with_states = isinstance(system, StateSpace)
    system = system.to_ss()
    u = _core.array(u, copy=None, ndmin=1)
    u = u[:, cp.newaxis] if u.ndim == 1 else u
    if t is None:
        samples = u.shape[0]
        stop = (samples - 1) * system.dt
    else:
        t = as_array(t)
        stop = float(t[-1])
        samples = math.floor(stop / system.dt) + 1
    times = cp.linspace(0.0, stop, samples)
    if t is not None:
        u = cp.stack([cp.interp(times, t, u[:, i]) for i in range(u.shape[1])], 1)
    A, B, C, D = (floating(matrix) for matrix in (system.A, system.B, system.C, system.D))
    inputs = cp.zeros((samples, A.shape[0]), cp.result_type(A, B, u, np.float64))
    if x0 is not None:
        inputs[0] = as_array(x0).reshape(-1)
    inputs[1:] = u[: samples - 1] @ B.T
    x = _states(A.T.astype(inputs.dtype), inputs)
    y = x @ C.T + u[:samples] @ D.T
    return (times, y, x) if with_states else (times, y)


def _answers(
    op: str, system: Any, x0: Any, t: Any, n: Any, whole: bool
) -> tuple[ndarray, tuple[ndarray, ...]]:
    system = _discrete(op, system).to_ss()
    n = 100 if n is None else n
    t = cp.linspace(0, n * system.dt, n, endpoint=False) if t is None else as_array(t)
    outputs = []
    for i in range(system.inputs):
        u = cp.zeros((t.shape[0], system.inputs))
        u[slice(None) if whole else 0, i] = 1.0
        result = dlsim(system, u, t=t, x0=x0)
        outputs.append(result[1])
    return result[0], tuple(outputs)


@names_itself
def dimpulse(
    system: Any, x0: ArrayLike | None = None, t: ArrayLike | None = None, n: int | None = None
) -> tuple[ndarray, tuple[ndarray, ...]]:
    """Return the answers of a discrete system to an impulse on each input.

    Parameters
    ----------
    system : dlti or tuple of array_like
        The system; a tuple ends with the time between samples.
    x0 : array_like, optional
        The state at the beginning; zero by default.
    t : array_like, optional
        The times.
    n : int, optional
        Their number, 100 by default.

    Returns
    -------
    tout : ndarray
        The times.
    yout : tuple of ndarray
        The outputs, an array for each input.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.dimpulse(([1.0], [1.0, -0.5], 1.0), n=3)[1][0].ravel()
    array([0. , 1. , 0.5])
    """
    return _answers("dimpulse", system, x0, t, n, False)


@names_itself
def dstep(
    system: Any, x0: ArrayLike | None = None, t: ArrayLike | None = None, n: int | None = None
) -> tuple[ndarray, tuple[ndarray, ...]]:
    """Return the answers of a discrete system to a step on each input.

    Parameters
    ----------
    system : dlti or tuple of array_like
        The system; a tuple ends with the time between samples.
    x0 : array_like, optional
        The state at the beginning; zero by default.
    t : array_like, optional
        The times.
    n : int, optional
        Their number, 100 by default.

    Returns
    -------
    tout : ndarray
        The times.
    yout : tuple of ndarray
        The outputs, an array for each input.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.dstep(([1.0], [1.0, -0.5], 1.0), n=3)[1][0].ravel()
    array([0. , 1. , 1.5])
    """
    return _answers("dstep", system, x0, t, n, True)


@names_itself
def dfreqresp(
    system: Any, w: ArrayLike | None = None, n: int = 10000, whole: bool = False
) -> tuple[ndarray, ndarray]:
    """Return the frequency response of a discrete system.

    Parameters
    ----------
    system : dlti or tuple of array_like
        The system, of one input and one output; a tuple ends with the time between samples.
    w : array_like, optional
        The frequencies, in radians for each sample.
    n : int, optional
        Their number, where they are not given.
    whole : bool, optional
        Go round the whole circle instead of its upper half.

    Returns
    -------
    w, H : ndarray
        The frequencies and the response.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.dfreqresp(([1.0], [1.0, -0.5], 1.0), [0.0])[1].round(6)
    array([2.+0.j])
    """
    system = _discrete("dfreqresp", system)
    if isinstance(system, StateSpace):
        system = system.to_tf()
    if system.inputs != 1 or system.outputs != 1:
        raise ValueError("dfreqresp: requires a SISO (single input, single output) system.")
    wanted = n if w is None else w
    if isinstance(system, ZerosPolesGain):
        made: tuple[ndarray, ndarray] = freqz_zpk(
            system.zeros, system.poles, system.gain, worN=wanted, whole=whole
        )
        return made
    # Powers of z become powers of the delay: both polynomials get as many coefficients.
    num, den = system.num.ravel(), system.den
    more = den.size - num.size
    if more > 0:
        num = cp.concatenate((cp.zeros(more, num.dtype), num))
    elif more < 0:
        den = cp.concatenate((cp.zeros(-more, den.dtype), den))
    result: tuple[ndarray, ndarray] = freqz(num, den, worN=wanted, whole=whole)
    return result


@names_itself
def dbode(system: Any, w: ArrayLike | None = None, n: int = 100) -> tuple[ndarray, ndarray, ndarray]:
    """Return the magnitudes and phases of a discrete system.

    Parameters
    ----------
    system : dlti or tuple of array_like
        The system, of one input and one output; a tuple ends with the time between samples.
    w : array_like, optional
        The frequencies, in radians for each sample.
    n : int, optional
        Their number, where they are not given.

    Returns
    -------
    w, mag, phase : ndarray
        The angular frequencies, the magnitudes in decibels and the phases in degrees.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.dbode(([1.0], [1.0, -0.5], 1.0), [0.0])[1].round(6)
    array([6.0206])
    """
    system = _discrete("dbode", system)
    dt = system.dt
    w, h = dfreqresp(system, w=w, n=n)
    return w / dt, 20.0 * cp.log10(cp.abs(h)), cp.rad2deg(cp.unwrap(cp.angle(h)))
