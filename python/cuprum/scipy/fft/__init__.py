"""Discrete Fourier, cosine and sine transforms, under SciPy's names: `cupyx.scipy.fft` in CuPy.

Unlike in `cuprum.fft`, results in half precision are single, axes may be named once only, and integers do for
`s` and `axes`. `overwrite_x`, `workers` and `plan` are taken for compatibility: nothing is overwritten, all
threads work, and plans are kept by themselves.
"""

from __future__ import annotations

from ...fft import fftfreq, fftshift, ifftshift, rfftfreq
from ._boxes import (
    fft2,
    fftn,
    hfft2,
    hfftn,
    ifft2,
    ifftn,
    ihfft2,
    ihfftn,
    irfft2,
    irfftn,
    rfft2,
    rfftn,
)
from ._cosine import dct, dctn, dst, dstn, idct, idctn, idst, idstn
from ._lengths import next_fast_len, prev_fast_len
from ._lines import fft, hfft, ifft, ihfft, irfft, rfft

__all__ = [
    "dct",
    "dctn",
    "dst",
    "dstn",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "hfft2",
    "hfftn",
    "idct",
    "idctn",
    "idst",
    "idstn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "next_fast_len",
    "prev_fast_len",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]
