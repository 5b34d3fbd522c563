"""Linear systems that do not change with time: their forms, and what they do.

A continuous system is an `lti`, a discrete one a `dlti`. Both come as transfer functions, zeros and poles, or
state-space matrices, and convert into each other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._filter_forms import floating, normalize_, tf2zpk, zpk2tf
from ._state_space import abcd_normalize, cont2discrete, ss2tf, ss2zpk, tf2ss, zpk2ss

__all__ = ["StateSpace", "TransferFunction", "ZerosPolesGain", "dlti", "lti"]


def _form_of(op: str, cls: type, system: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return an instance of the form that so many arguments describe."""
    if len(system) == 1 and isinstance(system[0], _System):
        return system[0]
    forms = {2: TransferFunction, 3: ZerosPolesGain, 4: StateSpace}
    if len(system) not in forms:
        raise ValueError(f"{op}: `system` needs to be an instance of `{op}` or have 2, 3 or 4 arguments.")
    form = forms[len(system)]
    if cls is dlti:
        kwargs = {"dt": True, **kwargs}
    return form(*system, **kwargs)


class _System:
    """What all forms share."""

    _dt: Any = None

    @property
    def dt(self) -> Any:
        """The time between samples; None for a continuous system."""
        return self._dt

    @property
    def zeros(self) -> ndarray:
        """The zeros."""
        return self.to_zpk().zeros

    @property
    def poles(self) -> ndarray:
        """The poles."""
        return self.to_zpk().poles

    def _keywords(self) -> dict[str, Any]:
        return {} if self._dt is None else {"dt": self._dt}

    def to_tf(self, **kwargs: Any) -> TransferFunction:
        """Return the system as a transfer function.

        Examples
        --------
        >>> from cuprum.scipy.signal import ZerosPolesGain
        >>> ZerosPolesGain([], [-1], 2.0).to_tf().den
        array([1., 1.])
        """
        raise NotImplementedError

    def to_zpk(self, **kwargs: Any) -> ZerosPolesGain:
        """Return the system as zeros, poles and a gain.

        Examples
        --------
        >>> from cuprum.scipy.signal import TransferFunction
        >>> TransferFunction([2.0], [1.0, 1.0]).to_zpk().poles
        array([-1.])
        """
        raise NotImplementedError

    def to_ss(self) -> StateSpace:
        """Return the system as state-space matrices.

        Examples
        --------
        >>> from cuprum.scipy.signal import TransferFunction
        >>> TransferFunction([2.0], [1.0, 1.0]).to_ss().A
        array([[-1.]])
        """
        raise NotImplementedError


class lti(_System):  # noqa: N801 - SciPy's name
    """A continuous system.

    Parameters
    ----------
    *system : array_like
        The numerator and the denominator; the zeros, the poles and the gain; or four matrices.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.lti([1.0], [1.0, 1.0]).poles.real
    array([-1.])
    """

    def __new__(cls, *system: Any, **kwargs: Any) -> Any:
        if cls is lti:
            return _form_of("lti", cls, system, kwargs)
        return super().__new__(cls)

    def impulse(self, X0: Any = None, T: Any = None, N: Any = None) -> tuple[ndarray, ndarray]:
        """Return the answer to an impulse: see `impulse`.

        Examples
        --------
        >>> from cuprum.scipy.signal import lti
        >>> system = lti([1.0], [1.0, 1.0])
        >>> system.impulse(T=cp.asarray([0.0, 1.0]))[1].round(4)
        array([1.    , 0.3679])
        """
        from ._simulation import impulse

        return impulse(self, X0, T, N)

    def step(self, X0: Any = None, T: Any = None, N: Any = None) -> tuple[ndarray, ndarray]:
        """Return the answer to a step: see `step`.

        Examples
        --------
        >>> from cuprum.scipy.signal import lti
        >>> system = lti([1.0], [1.0, 1.0])
        >>> system.step(T=cp.asarray([0.0, 1.0]))[1].round(4)
        array([0.    , 0.6321])
        """
        from ._simulation import step

        return step(self, X0, T, N)

    def output(self, U: Any, T: Any, X0: Any = None) -> tuple[ndarray, ndarray, ndarray]:
        """Return the answer to an input: see `lsim`.

        Examples
        --------
        >>> from cuprum.scipy.signal import lti
        >>> system = lti([1.0], [1.0, 1.0])
        >>> system.output(cp.ones(2), cp.asarray([0.0, 1.0]))[1].round(4)
        array([0.    , 0.6321])
        """
        from ._simulation import lsim

        return lsim(self, U, T, X0)

    def bode(self, w: Any = None, n: Any = 100) -> tuple[ndarray, ndarray, ndarray]:
        """Return magnitudes and phases: see `bode`.

        Examples
        --------
        >>> from cuprum.scipy.signal import lti
        >>> system = lti([1.0], [1.0, 1.0])
        >>> system.bode(w=cp.asarray([1.0]))[2].round(6)
        array([-45.])
        """
        from ._simulation import bode

        return bode(self, w, n)

    def freqresp(self, w: Any = None, n: Any = 10000) -> tuple[ndarray, ndarray]:
        """Return the frequency response: see `freqresp`.

        Examples
        --------
        >>> from cuprum.scipy.signal import lti
        >>> system = lti([1.0], [1.0, 1.0])
        >>> system.freqresp(w=cp.asarray([0.0]))[1].real
        array([1.])
        """
        from ._simulation import freqresp

        return freqresp(self, w, n)

    def to_discrete(self, dt: Any, method: Any = "zoh", alpha: Any = None) -> Any:
        """Return the system at discrete times: see `cont2discrete`.

        Examples
        --------
        >>> from cuprum.scipy.signal import lti
        >>> system = lti([1.0], [1.0, 1.0])
        >>> system.to_discrete(0.1).dt
        0.1
        """
        raise NotImplementedError


class dlti(_System):  # noqa: N801 - SciPy's name
    """A discrete system.

    Parameters
    ----------
    *system : array_like
        The numerator and the denominator; the zeros, the poles and the gain; or four matrices.
    dt : float or bool, optional
        The time between samples; True where it does not matter.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.dlti([1.0], [1.0, -0.5], dt=0.1).poles.real
    array([0.5])
    """

    def __new__(cls, *system: Any, **kwargs: Any) -> Any:
        if cls is dlti:
            return _form_of("dlti", cls, system, kwargs)
        return super().__new__(cls)

    def impulse(self, x0: Any = None, t: Any = None, n: Any = None) -> Any:
        """Return the answer to an impulse: see `dimpulse`.

        Examples
        --------
        >>> from cuprum.scipy.signal import dlti
        >>> system = dlti([1.0], [1.0, -0.5])
        >>> system.impulse(n=4)[1][0].ravel()
        array([0.  , 1.  , 0.5 , 0.25])
        """
        from ._simulation import dimpulse

        return dimpulse(self, x0, t, n)

    def step(self, x0: Any = None, t: Any = None, n: Any = None) -> Any:
        """Return the answer to a step: see `dstep`.

        Examples
        --------
        >>> from cuprum.scipy.signal import dlti
        >>> system = dlti([1.0], [1.0, -0.5])
        >>> system.step(n=4)[1][0].ravel()
        array([0.  , 1.  , 1.5 , 1.75])
        """
        from ._simulation import dstep

        return dstep(self, x0, t, n)

    def output(self, u: Any, t: Any, x0: Any = None) -> Any:
        """Return the answer to an input: see `dlsim`.

        Examples
        --------
        >>> from cuprum.scipy.signal import dlti
        >>> system = dlti([1.0], [1.0, -0.5])
        >>> system.output(cp.ones(3), None)[1].ravel()
        array([0. , 1. , 1.5])
        """
        from ._simulation import dlsim

        return dlsim(self, u, t, x0)

    def bode(self, w: Any = None, n: Any = 100) -> tuple[ndarray, ndarray, ndarray]:
        """Return magnitudes and phases: see `dbode`.

        Examples
        --------
        >>> from cuprum.scipy.signal import dlti
        >>> system = dlti([1.0], [1.0, -0.5])
        >>> [part.shape for part in system.bode(n=5)]
        [(5,), (5,), (5,)]
        """
        from ._simulation import dbode

        return dbode(self, w, n)

    def freqresp(self, w: Any = None, n: Any = 10000, whole: bool = False) -> tuple[ndarray, ndarray]:
        """Return the frequency response: see `dfreqresp`.

        Examples
        --------
        >>> from cuprum.scipy.signal import dlti
        >>> system = dlti([1.0], [1.0, -0.5])
        >>> system.freqresp(w=cp.asarray([0.0]))[1].real.round(6)
        array([2.])
        """
        from ._simulation import dfreqresp

        return dfreqresp(self, w, n, whole)


def _timed(cls: type, form: type, kwargs: dict[str, Any]) -> Any:
    """Return an empty system of a form: a discrete one where `dt` is given."""
    dt = kwargs.pop("dt", None)
    kinds = _KINDS[form]
    if cls is form:
        cls = kinds[0] if dt is None else kinds[1]
    self: Any = object.__new__(cls)
    self._dt = dt
    return self


class TransferFunction(_System):
    """A system as the quotient of two polynomials.

    Parameters
    ----------
    *system : array_like or system
        The numerator, or rows of them, and the denominator, by falling powers; or a system of another form.
    dt : float or bool, optional
        The time between samples, for a discrete system.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> system = signal.TransferFunction([1.0, 3.0], [2.0, 4.0])
    >>> system.num, system.den
    (array([0.5, 1.5]), array([1., 2.]))
    """

    num: ndarray
    den: ndarray

    def __new__(cls, *system: Any, **kwargs: Any) -> Any:
        if len(system) == 1 and isinstance(system[0], _System):
            return system[0].to_tf()
        self = _timed(cls, TransferFunction, kwargs)
        if len(system) != 2:
            raise ValueError("TransferFunction: `system` needs 2 arguments, or another system")
        self.num, self.den = normalize_(cp, floating(system[0]), floating(system[1]))
        return self

    def __init__(self, *system: Any, **kwargs: Any) -> None:
        pass

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.num!r}, {self.den!r}, dt: {self._dt!r})"

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return 1

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return 1 if self.num.ndim == 1 else self.num.shape[0]

    def to_tf(self, **kwargs: Any) -> TransferFunction:
        """Return a copy of the system."""
        return TransferFunction(self.num.copy(), self.den.copy(), **self._keywords())

    def to_zpk(self, **kwargs: Any) -> ZerosPolesGain:
        """Return the system as zeros, poles and a gain."""
        return ZerosPolesGain(*tf2zpk(self.num, self.den), **self._keywords())

    def to_ss(self) -> StateSpace:
        """Return the system as state-space matrices."""
        return StateSpace(*tf2ss(self.num, self.den), **self._keywords())


class ZerosPolesGain(_System):
    """A system as its zeros, poles and gain.

    Parameters
    ----------
    *system : array_like or system
        The zeros, the poles and the gain; or a system of another form.
    dt : float or bool, optional
        The time between samples, for a discrete system.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.ZerosPolesGain([], [-1.0], 2.0).to_tf().den
    array([1., 1.])
    """

    def __new__(cls, *system: Any, **kwargs: Any) -> Any:
        if len(system) == 1 and isinstance(system[0], _System):
            return system[0].to_zpk()
        self = _timed(cls, ZerosPolesGain, kwargs)
        if len(system) != 3:
            raise ValueError("ZerosPolesGain: `system` needs 3 arguments, or another system")
        self._zeros, self._poles, self.gain = floating(system[0]), floating(system[1]), system[2]
        return self

    _zeros: ndarray
    _poles: ndarray
    gain: Any

    def __init__(self, *system: Any, **kwargs: Any) -> None:
        pass

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.zeros!r}, {self.poles!r}, {self.gain!r}, dt: {self._dt!r})"

    @property
    def zeros(self) -> ndarray:
        """The zeros."""
        return self._zeros

    @property
    def poles(self) -> ndarray:
        """The poles."""
        return self._poles

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return 1

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return 1 if self._zeros.ndim == 1 else self._zeros.shape[0]

    def to_tf(self, **kwargs: Any) -> TransferFunction:
        """Return the system as a transfer function."""
        return TransferFunction(*zpk2tf(self._zeros, self._poles, self.gain), **self._keywords())

    def to_zpk(self, **kwargs: Any) -> ZerosPolesGain:
        """Return a copy of the system."""
        return ZerosPolesGain(self._zeros.copy(), self._poles.copy(), self.gain, **self._keywords())

    def to_ss(self) -> StateSpace:
        """Return the system as state-space matrices."""
        return StateSpace(*zpk2ss(self._zeros, self._poles, self.gain), **self._keywords())


class StateSpace(_System):
    """A system as state-space matrices.

    Parameters
    ----------
    *system : array_like or system
        Four matrices; or a system of another form.
    dt : float or bool, optional
        The time between samples, for a discrete system.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.StateSpace([[-1.0]], [[1.0]], [[2.0]], [[0.0]]).to_tf().num
    array([2.])
    """

    A: ndarray
    B: ndarray
    C: ndarray
    D: ndarray

    def __new__(cls, *system: Any, **kwargs: Any) -> Any:
        if len(system) == 1 and isinstance(system[0], _System):
            return system[0].to_ss()
        self = _timed(cls, StateSpace, kwargs)
        if len(system) != 4:
            raise ValueError("StateSpace: `system` needs 4 arguments, or another system")
        self.A, self.B, self.C, self.D = abcd_normalize(*system)
        return self

    def __init__(self, *system: Any, **kwargs: Any) -> None:
        pass

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.A!r}, {self.B!r}, {self.C!r}, {self.D!r}, dt: {self._dt!r})"

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return self.D.shape[-1]

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return self.D.shape[0]

    def to_tf(self, **kwargs: Any) -> TransferFunction:
        """Return the system as a transfer function."""
        return TransferFunction(*ss2tf(self.A, self.B, self.C, self.D, **kwargs), **self._keywords())

    def to_zpk(self, **kwargs: Any) -> ZerosPolesGain:
        """Return the system as zeros, poles and a gain."""
        return ZerosPolesGain(*ss2zpk(self.A, self.B, self.C, self.D, **kwargs), **self._keywords())

    def to_ss(self) -> StateSpace:
        """Return a copy of the system."""
        return StateSpace(*(m.copy() for m in (self.A, self.B, self.C, self.D)), **self._keywords())

    def _joined(self, op: str, other: Any) -> Any:
        """Return the other operand as a system of the same kind of time."""
        if not isinstance(other, StateSpace):
            gain = as_array(other)
            gain = gain.reshape(1, 1) * cp.eye(self.outputs, self.inputs) if gain.ndim == 0 else gain
            empty = cp.zeros((0, 0)), cp.zeros((0, gain.shape[1])), cp.zeros((gain.shape[0], 0))
            result = object.__new__(type(self))
            result._dt, result.A, result.B, result.C, result.D = self._dt, *empty, gain
            return result
        if type(other) is not type(self):
            raise TypeError(f"StateSpace: cannot {op} {type(self).__name__} and {type(other).__name__}")
        if other.dt != self.dt:
            raise TypeError(f"StateSpace: cannot {op} systems with different `dt`.")
        return other

    def _like(self, A: ndarray, B: ndarray, C: ndarray, D: ndarray) -> StateSpace:
        return StateSpace(A, B, C, D, **self._keywords())

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, (int, float, complex, np.number)):
            return self._like(self.A, self.B * other, self.C, self.D * other)
        other = self._joined("multiply", other)
        n, m = self.A.shape[0], other.A.shape[0]
        A = cp.block([[self.A, self.B @ other.C], [cp.zeros((m, n)), other.A]])
        B = cp.concatenate((self.B @ other.D, other.B), 0)
        C = cp.concatenate((self.C, self.D @ other.C), 1)
        return self._like(A, B, C, self.D @ other.D)

    def __rmul__(self, other: Any) -> Any:
        if isinstance(other, (int, float, complex, np.number)):
            return self._like(self.A, self.B, self.C * other, self.D * other)
        return self._joined("multiply", other) * self

    def __add__(self, other: Any) -> Any:
        if isinstance(other, (int, float, complex, np.number)):
            return self._like(self.A, self.B, self.C, self.D + other)
        other = self._joined("add", other)
        n, m = self.A.shape[0], other.A.shape[0]
        A = cp.block([[self.A, cp.zeros((n, m))], [cp.zeros((m, n)), other.A]])
        B, C = cp.concatenate((self.B, other.B), 0), cp.concatenate((self.C, other.C), 1)
        return self._like(A, B, C, self.D + other.D)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self._like(self.A, self.B, -self.C, -self.D)

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __truediv__(self, other: Any) -> Any:
        if not isinstance(other, (int, float, complex, np.number)):
            return NotImplemented
        return self._like(self.A, self.B / other, self.C, self.D / other)


class TransferFunctionContinuous(TransferFunction, lti):
    """A continuous system as the quotient of two polynomials."""

    def to_discrete(self, dt: Any, method: Any = "zoh", alpha: Any = None) -> TransferFunction:
        """Return the system at discrete times."""
        parts = cont2discrete((self.num, self.den), dt, method=method, alpha=alpha)
        return TransferFunction(*parts[:-1], dt=dt)


class TransferFunctionDiscrete(TransferFunction, dlti):
    """A discrete system as the quotient of two polynomials."""


class ZerosPolesGainContinuous(ZerosPolesGain, lti):
    """A continuous system as its zeros, poles and gain."""

    def to_discrete(self, dt: Any, method: Any = "zoh", alpha: Any = None) -> ZerosPolesGain:
        """Return the system at discrete times."""
        parts = cont2discrete((self.zeros, self.poles, self.gain), dt, method=method, alpha=alpha)
        return ZerosPolesGain(*parts[:-1], dt=dt)


class ZerosPolesGainDiscrete(ZerosPolesGain, dlti):
    """A discrete system as its zeros, poles and gain."""


class StateSpaceContinuous(StateSpace, lti):
    """A continuous system as state-space matrices."""

    def to_discrete(self, dt: Any, method: Any = "zoh", alpha: Any = None) -> StateSpace:
        """Return the system at discrete times."""
        parts = cont2discrete((self.A, self.B, self.C, self.D), dt, method=method, alpha=alpha)
        return StateSpace(*parts[:-1], dt=dt)


class StateSpaceDiscrete(StateSpace, dlti):
    """A discrete system as state-space matrices."""


_KINDS: dict[type, tuple[type, type]] = {
    TransferFunction: (TransferFunctionContinuous, TransferFunctionDiscrete),
    ZerosPolesGain: (ZerosPolesGainContinuous, ZerosPolesGainDiscrete),
    StateSpace: (StateSpaceContinuous, StateSpaceDiscrete),
}
