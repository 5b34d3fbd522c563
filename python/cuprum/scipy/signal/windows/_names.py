"""Windows by name."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from ...._core import ndarray
from . import _cosines, _shapes, _slepian

__all__ = ["get_window"]

# Each window: its names, and whether it needs a parameter (None where it may have some).
_ROWS: list[tuple[Callable[..., ndarray], tuple[str, ...], bool | None]] = [
    (_shapes.barthann, ("barthann", "brthan", "bth"), False),
    (_shapes.bartlett, ("bartlett", "bart", "brt"), False),
    (_cosines.blackman, ("blackman", "black", "blk"), False),
    (_cosines.blackmanharris, ("blackmanharris", "blackharr", "bkh"), False),
    (_shapes.bohman, ("bohman", "bman", "bmn"), False),
    (_shapes.boxcar, ("boxcar", "box", "ones", "rect", "rectangular"), False),
    (_shapes.chebwin, ("chebwin", "cheb"), True),
    (_shapes.cosine, ("cosine", "halfcosine"), False),
    (_shapes.exponential, ("exponential", "poisson"), None),
    (_cosines.flattop, ("flattop", "flat", "flt"), False),
    (_shapes.gaussian, ("gaussian", "gauss", "gss"), True),
    (_slepian.dpss, ("dpss",), True),
    (_cosines.general_cosine, ("general cosine", "general_cosine"), True),
    (
        _shapes.general_gaussian,
        ("general gaussian", "general_gaussian", "general gauss", "general_gauss", "ggs"),
        True,
    ),
    (_cosines.general_hamming, ("general hamming", "general_hamming"), True),
    (_cosines.hamming, ("hamming", "hamm", "ham"), False),
    (_cosines.hann, ("hann", "han"), False),
    (_shapes.kaiser, ("kaiser", "ksr"), True),
    (_shapes.kaiser_bessel_derived, ("kaiser bessel derived", "kaiser_bessel_derived", "kbd"), True),
    (_shapes.lanczos, ("lanczos", "sinc"), False),
    (_cosines.nuttall, ("nuttall", "nutl", "nut"), False),
    (_shapes.parzen, ("parzen", "parz", "par"), False),
    (_shapes.taylor, ("taylor", "taylorwin"), None),
    (_shapes.triang, ("triang", "triangle", "tri"), False),
    (_shapes.tukey, ("tukey", "tuk"), None),
]
_BY_NAME = {name: (function, needs) for function, names, needs in _ROWS for name in names}


def get_window(window: Any, Nx: int, fftbins: bool = True) -> ndarray:
    """Return a window by its name.

    Parameters
    ----------
    window : str, float or tuple
        The name; the name and its parameters; or the beta of a Kaiser window. A suffix "_periodic" or
        "_symmetric" overrules `fftbins`.
    Nx : int
        The number of points.
    fftbins : bool, optional
        Whether the window is one period, for spectra, or symmetric, for filters.

    Returns
    -------
    ndarray of float64
        The window.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.get_window("hann", 4)
    array([0. , 0.5, 1. , 0.5])
    >>> signal.get_window(("gaussian", 2.0), 3, fftbins=False).round(6)
    array([0.882497, 1.      , 0.882497])
    """
    sym = not fftbins
    parameters: tuple[Any, ...] = ()
    if isinstance(window, numbers.Real):
        return _shapes.kaiser(Nx, float(window), sym)
    if isinstance(window, tuple):
        name, *rest = window
        parameters = tuple(rest)
    elif isinstance(window, str):
        name = window
    else:
        raise ValueError(f"get_window: {type(window)} as window type is not supported.")
    if isinstance(name, str):
        for suffix, symmetric in (("_periodic", False), ("_symmetric", True)):
            if name.endswith(suffix):
                name, sym = name.removesuffix(suffix), symmetric
    if name not in _BY_NAME:
        raise ValueError(f"get_window: Unknown window type {name!r}.")
    function, needs = _BY_NAME[name]
    if needs and not parameters:
        raise ValueError(f"get_window: The {name!r} window needs one or more parameters -- pass a tuple.")
    if function is _cosines.general_cosine or needs is not False:
        return function(Nx, *parameters, sym=sym)
    return function(Nx, sym=sym)
