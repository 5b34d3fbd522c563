"""Signals of radar and sound, under the names of `cupyx.signal`."""

from __future__ import annotations

from ._cepstrum import complex_cepstrum, inverse_complex_cepstrum, minimum_phase, real_cepstrum
from ._filtering import (
    channelize_poly,
    convolve1d2o,
    convolve1d3o,
    firfilter,
    firfilter2,
    firfilter_zi,
    freq_shift,
)
from ._radar import ca_cfar, cfar_alpha, mvdr, pulse_compression, pulse_doppler

__all__ = [
    "ca_cfar",
    "cfar_alpha",
    "channelize_poly",
    "complex_cepstrum",
    "convolve1d2o",
    "convolve1d3o",
    "firfilter",
    "firfilter2",
    "firfilter_zi",
    "freq_shift",
    "inverse_complex_cepstrum",
    "minimum_phase",
    "mvdr",
    "pulse_compression",
    "pulse_doppler",
    "real_cepstrum",
]
