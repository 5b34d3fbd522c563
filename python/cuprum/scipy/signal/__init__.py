"""Convolution, correlation and filters of signals, under the names of `scipy.signal`."""

from __future__ import annotations

from ._direct import (
    choose_conv_method,
    convolve,
    convolve2d,
    correlate,
    correlate2d,
    correlation_lags,
)
from ._smoothing import detrend, medfilt, medfilt2d, order_filter, wiener
from ._transforms import fftconvolve, hilbert, oaconvolve

__all__ = [
    "choose_conv_method",
    "convolve",
    "convolve2d",
    "correlate",
    "correlate2d",
    "correlation_lags",
    "detrend",
    "fftconvolve",
    "hilbert",
    "medfilt",
    "medfilt2d",
    "oaconvolve",
    "order_filter",
    "wiener",
]
