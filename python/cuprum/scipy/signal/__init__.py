"""Filters, spectra and design of filters for signals, under the names of `scipy.signal`."""

from __future__ import annotations

from . import (
    _band_transforms,
    _direct,
    _filter_forms,
    _fir_design,
    _iir_design,
    _iir_orders,
    _notch_filters,
    _prototypes,
    _recursive,
    _responses,
    _smoothing,
    _transforms,
    windows,
)
from ._band_transforms import *
from ._direct import *
from ._filter_forms import *
from ._fir_design import *
from ._iir_design import *
from ._iir_orders import *
from ._notch_filters import *
from ._prototypes import *
from ._recursive import *
from ._responses import *
from ._smoothing import *
from ._transforms import *
from .windows import get_window

_PARTS = (
    *(_band_transforms, _direct, _filter_forms, _fir_design, _iir_design, _iir_orders, _notch_filters),
    *(_prototypes, _recursive, _responses, _smoothing, _transforms),
)

__all__ = sorted({"get_window", "windows", *(name for part in _PARTS for name in part.__all__)})
