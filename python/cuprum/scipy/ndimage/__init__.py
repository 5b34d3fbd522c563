"""Filters of n-dimensional images, under the names of `scipy.ndimage`."""

from __future__ import annotations

from ._derivatives import (
    gaussian_gradient_magnitude,
    gaussian_laplace,
    generic_gradient_magnitude,
    generic_laplace,
    laplace,
    prewitt,
    sobel,
)
from ._lines import (
    convolve1d,
    correlate1d,
    gaussian_filter,
    gaussian_filter1d,
    maximum_filter1d,
    minimum_filter1d,
    uniform_filter,
    uniform_filter1d,
)
from ._windows import (
    convolve,
    correlate,
    maximum_filter,
    median_filter,
    minimum_filter,
    percentile_filter,
    rank_filter,
)

__all__ = [
    "convolve",
    "convolve1d",
    "correlate",
    "correlate1d",
    "gaussian_filter",
    "gaussian_filter1d",
    "gaussian_gradient_magnitude",
    "gaussian_laplace",
    "generic_gradient_magnitude",
    "generic_laplace",
    "laplace",
    "maximum_filter",
    "maximum_filter1d",
    "median_filter",
    "minimum_filter",
    "minimum_filter1d",
    "percentile_filter",
    "prewitt",
    "rank_filter",
    "sobel",
    "uniform_filter",
    "uniform_filter1d",
]
