"""Filters, spectra and design of filters for signals, under the names of `scipy.signal`."""

from __future__ import annotations

from . import (
    _analytic,
    _band_transforms,
    _chirp_z,
    _direct,
    _dual_windows,
    _filter_forms,
    _fir_design,
    _iir_design,
    _iir_orders,
    _lti,
    _notch_filters,
    _peaks,
    _prototypes,
    _recursive,
    _remez,
    _resampling,
    _residues,
    _responses,
    _savgol,
    _short_time,
    _simulation,
    _smoothing,
    _spectral,
    _splines,
    _state_space,
    _time_frequency,
    _transforms,
    _wavelets,
    _waves,
    windows,
)
from ._analytic import *
from ._band_transforms import *
from ._chirp_z import *
from ._direct import *
from ._dual_windows import *
from ._filter_forms import *
from ._fir_design import *
from ._iir_design import *
from ._iir_orders import *
from ._lti import *
from ._notch_filters import *
from ._peaks import *
from ._prototypes import *
from ._recursive import *
from ._remez import *
from ._resampling import *
from ._residues import *
from ._responses import *
from ._savgol import *
from ._short_time import *
from ._simulation import *
from ._smoothing import *
from ._spectral import *
from ._splines import *
from ._state_space import *
from ._time_frequency import *
from ._transforms import *
from ._wavelets import *
from ._waves import *
from .windows import get_window as get_window

_PARTS = (
    _analytic,
    _band_transforms,
    _chirp_z,
    _direct,
    _dual_windows,
    _filter_forms,
    _fir_design,
    _iir_design,
    _iir_orders,
    _lti,
    _notch_filters,
    _peaks,
    _prototypes,
    _recursive,
    _remez,
    _resampling,
    _residues,
    _responses,
    _savgol,
    _short_time,
    _simulation,
    _smoothing,
    _spectral,
    _splines,
    _state_space,
    _time_frequency,
    _transforms,
    _waves,
    _wavelets,
)

_SUBMODULES = ("windows",)
__all__ = sorted({"get_window", "windows", *(name for part in _PARTS for name in part.__all__)})
