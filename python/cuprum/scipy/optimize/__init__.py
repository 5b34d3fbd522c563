"""Roots, minima and fits of functions of arrays, under the names of `scipy.optimize`."""

from __future__ import annotations

from .._missing import explained as _explained
from .._results import OptimizeResult
from . import _assignment, _curve_fit, _least_squares, _minimize, _newton, _scalar_roots
from ._assignment import *
from ._curve_fit import *
from ._least_squares import *
from ._minimize import *
from ._newton import *
from ._scalar_roots import *

_PARTS = (_assignment, _curve_fit, _least_squares, _minimize, _newton, _scalar_roots)

__all__ = sorted({"OptimizeResult", *(name for part in _PARTS for name in part.__all__)})

_MINIMIZE = "use minimize with the method"

__getattr__ = _explained(
    __name__,
    {
        "fmin": f"{_MINIMIZE} 'Nelder-Mead'",
        "fmin_bfgs": f"{_MINIMIZE} 'BFGS'",
        "fmin_cg": f"{_MINIMIZE} 'CG'",
        "fmin_l_bfgs_b": f"{_MINIMIZE} 'L-BFGS-B'",
        "leastsq": "use least_squares with the method 'lm'",
        "fsolve": "use root",
        "root_scalar": "use brentq, bisect, ridder or newton",
        "toms748": "use brentq",
        "brent": "use minimize_scalar",
        "fminbound": "use minimize_scalar with bounds",
        "golden": "use minimize_scalar with the method 'golden'",
        "nnls": "use least_squares with bounds",
        "lsq_linear": "use least_squares with bounds",
    },
)
