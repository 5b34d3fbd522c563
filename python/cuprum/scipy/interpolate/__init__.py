"""Interpolation and splines, under the names of `scipy.interpolate`."""

from __future__ import annotations

from .._missing import explained as _explained
from . import (
    _bernstein,
    _bivariate,
    _bsplines,
    _cubic,
    _fitpack,
    _grids,
    _interp1d,
    _make_splines,
    _nd_bsplines,
    _nd_piecewise,
    _piecewise,
    _polynomials,
    _rbf,
    _scattered,
)
from ._bernstein import *
from ._bivariate import *
from ._bsplines import *
from ._cubic import *
from ._fitpack import *
from ._grids import *
from ._interp1d import *
from ._make_splines import *
from ._nd_bsplines import *
from ._nd_piecewise import *
from ._piecewise import *
from ._polynomials import *
from ._rbf import *
from ._scattered import *

_PARTS = (
    _bernstein,
    _bivariate,
    _bsplines,
    _cubic,
    _fitpack,
    _grids,
    _interp1d,
    _make_splines,
    _nd_bsplines,
    _nd_piecewise,
    _piecewise,
    _polynomials,
    _rbf,
    _scattered,
)

__all__ = sorted({name for part in _PARTS for name in part.__all__})

__getattr__ = _explained(
    __name__,
    {
        "Rbf": "use RBFInterpolator",
        "interp2d": "use RegularGridInterpolator or RectBivariateSpline",
        "SmoothBivariateSpline": "use RBFInterpolator with smoothing",
        "LSQBivariateSpline": "use RBFInterpolator with smoothing",
        "bisplrep": "use RBFInterpolator with smoothing",
        "make_smoothing_spline": "use UnivariateSpline",
        "make_splrep": "use splrep",
        "lagrange": "use BarycentricInterpolator",
    },
)
