"""Discrete Fourier transforms.

Names and arguments are NumPy's. Any length is fast, primes included, and all cores work on it. Single
precision stays single: float16, float32 and complex64 are transformed in complex64, everything else in
complex128. Results are within `2 * eps * log2(n)` times their root mean square of the exact ones.
"""

from __future__ import annotations

from . import config
from ._frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from ._lines import fft, hfft, ifft, ihfft, irfft, rfft
from ._nd import fft2, fftn, ifft2, ifftn, irfft2, irfftn, rfft2, rfftn

__all__ = [
    "config",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

_SUBMODULES = ("config",)


def __dir__() -> list[str]:
    return sorted(__all__)
