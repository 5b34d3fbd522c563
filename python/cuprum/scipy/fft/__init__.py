"""Discrete Fourier, cosine and sine transforms, under SciPy's names: `cupyx.scipy.fft` in CuPy.

Unlike in `cuprum.fft`, results in half precision are single, axes may be named once only, and integers do for
`s` and `axes`. With `overwrite_x`, transforms of complex arrays to complex ones are written into the array
that they are given, as CuPy's are. `workers` and `plan` are taken for compatibility: all threads work, and
plans are kept by themselves. `scipy.fft.set_backend(cuprum.scipy.fft)` makes SciPy's own functions take
arrays of Cuprum.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...fft import fftfreq, fftshift, ifftshift, rfftfreq
from ._cosine import dct, dctn, dst, dstn, idct, idctn, idst, idstn
from ._hankel import fht, fhtoffset, ifht
from ._lengths import next_fast_len, prev_fast_len
from ._lines import fft, hfft, ifft, ihfft, irfft, rfft
from ._nd import (
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
from ._plans import get_fft_plan

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
    "fht",
    "fhtoffset",
    "get_fft_plan",
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
    "ifht",
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

__ua_domain__ = "numpy.scipy.fft"


def __ua_function__(method: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run the transform of the same name for SciPy, whose backend this module may be."""
    name = method.__name__
    return globals()[name](*args, **kwargs) if name in __all__ else NotImplemented
