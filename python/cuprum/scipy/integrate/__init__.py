"""Integrals of samples and functions, and initial value problems, under the names of `scipy.integrate`."""

from __future__ import annotations

from .._missing import explained as _explained
from . import _bdf, _ode, _quad_vec, _radau, _runge_kutta, _samples, _solve_ivp
from ._bdf import *
from ._ode import *
from ._quad_vec import *
from ._radau import *
from ._runge_kutta import *
from ._samples import *
from ._solve_ivp import *

_PARTS = (_bdf, _ode, _quad_vec, _radau, _runge_kutta, _samples, _solve_ivp)

__all__ = sorted({name for part in _PARTS for name in part.__all__})

_SCALAR = "use quad_vec, which integrates functions with array values, one number included"

__getattr__ = _explained(
    __name__,
    {
        **dict.fromkeys(("quad", "fixed_quad", "dblquad", "tplquad", "nquad"), _SCALAR),
        "odeint": "use solve_ivp",
        "ode": "use solve_ivp, or a solver class step by step",
        "complex_ode": "use solve_ivp, which takes complex states",
        "LSODA": "use BDF or Radau",
    },
)
