"""Design of recursive filters: by order and cutoff, or by what the bands have to do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import _core
from . import _prototypes
from ._band_transforms import bilinear_zpk_, lp2bp_zpk_, lp2bs_zpk_, lp2hp_zpk_, lp2lp_zpk_, optional_fs
from ._documentation import documented
from ._filter_forms import host_spec, to_device, zpk2sos_, zpk2tf_
from ._iir_orders import band_of, buttord_, cheb1ord_, cheb2ord_, checked_gains, ellipord_

__all__ = ["bessel", "butter", "cheby1", "cheby2", "ellip", "iirdesign", "iirfilter"]

_BANDS = {
    **dict.fromkeys(("band", "bandpass", "pass", "bp"), "bandpass"),
    **dict.fromkeys(("bs", "bandstop", "bands", "stop"), "bandstop"),
    **dict.fromkeys(("l", "low", "lowpass", "lp"), "lowpass"),
    **dict.fromkeys(("high", "highpass", "h", "hp"), "highpass"),
}
_FAMILIES = {
    **dict.fromkeys(("butter", "butterworth"), "butter"),
    **dict.fromkeys(("cauer", "elliptic", "ellip"), "ellip"),
    **dict.fromkeys(("bessel", "bessel_phase"), "bessel_phase"),
    **dict.fromkeys(("bessel_delay", "bessel_mag"), ""),
    **dict.fromkeys(("cheby1", "chebyshev1", "chebyshevi"), "cheby1"),
    **dict.fromkeys(("cheby2", "chebyshev2", "chebyshevii"), "cheby2"),
}
_FAMILIES.update({"bessel_delay": "bessel_delay", "bessel_mag": "bessel_mag"})
_ORDERS = {"butter": buttord_, "cheby1": cheb1ord_, "cheby2": cheb2ord_, "ellip": ellipord_}


def _prototype(op: str, family: str, N: Any, rp: Any, rs: Any) -> _prototypes.Zpk:
    if family == "butter":
        return _prototypes.buttap_(N)
    if family.startswith("bessel"):
        return _prototypes.besselap_(N, family.partition("_")[2])
    if family == "cheby1":
        if rp is None:
            raise ValueError(f"{op}: passband ripple (rp) must be provided to design a Chebyshev I filter.")
        return _prototypes.cheb1ap_(N, rp)
    if family == "cheby2":
        if rs is None:
            raise ValueError(
                f"{op}: stopband attenuation (rs) must be provided to design an Chebyshev II filter."
            )
        return _prototypes.cheb2ap_(N, rs)
    if rs is None or rp is None:
        raise ValueError(f"{op}: Both rp and rs must be provided to design an elliptic filter.")
    return _prototypes.ellipap_(N, rp, rs)


def _designed(
    op: str, N: Any, Wn: Any, rp: Any, rs: Any, btype: str, analog: bool, ftype: str, output: str, fs: Any
) -> Any:
    fs = optional_fs(op, fs)
    ftype, btype, output = ftype.lower(), btype.lower(), output.lower()
    edges = host_spec(Wn)
    half = 1.0
    if fs is not None:
        if analog:
            raise ValueError(f"{op}: fs cannot be specified for an analog filter")
        half = fs / 2
        edges = edges / half
    if np.any(edges <= 0):
        raise ValueError(f"{op}: filter critical frequencies must be greater than 0")
    if edges.size > 1 and not edges[0] < edges[1]:
        raise ValueError(f"{op}: Wn[0] must be less than Wn[1]")
    if btype not in _BANDS:
        raise ValueError(f"{op}: '{btype}' is an invalid bandtype for filter.")
    if ftype not in _FAMILIES:
        raise ValueError(f"{op}: '{ftype}' is not a valid basic IIR filter.")
    if output not in ("ba", "zpk", "sos"):
        raise ValueError(f"{op}: '{output}' is not a valid output form.")
    if rp is not None and rp < 0:
        raise ValueError(f"{op}: passband ripple (rp) must be positive")
    if rs is not None and rs < 0:
        raise ValueError(f"{op}: stopband attenuation (rs) must be positive")
    z, p, k = _prototype(op, _FAMILIES[ftype], N, rp, rs)
    if not analog:
        if np.any(edges >= 1):
            raise ValueError(f"{op}: Digital filter critical frequencies must be 0 < Wn < {half:g}")
        edges = 4.0 * np.tan(np.pi * edges / 2.0)
    band = _BANDS[btype]
    if band in ("lowpass", "highpass"):
        if edges.size != 1:
            raise ValueError(
                f"{op}: Must specify a single critical frequency Wn for lowpass or highpass filter"
            )
        turned = lp2lp_zpk_ if band == "lowpass" else lp2hp_zpk_
        z, p, k = turned(np, z, p, k, float(edges.ravel()[0]))
    else:
        if edges.size < 2:
            raise ValueError(
                f"{op}: Wn must specify start and stop frequencies for bandpass or bandstop filter"
            )
        turned_band = lp2bp_zpk_ if band == "bandpass" else lp2bs_zpk_
        middle, width = math.sqrt(edges[0] * edges[1]), float(edges[1] - edges[0])
        z, p, k = turned_band(np, z, p, k, middle, width)
    if not analog:
        z, p, k = bilinear_zpk_(np, z, p, k, 2.0)
    if output == "zpk":
        return to_device(z, p, float(k))
    if output == "ba":
        return to_device(*zpk2tf_(np, z, p, k))
    return _core.array(zpk2sos_(z, p, float(k), None, analog))


@documented
def iirfilter(
    N: int,
    Wn: Any,
    rp: float | None = None,
    rs: float | None = None,
    btype: str = "band",
    analog: bool = False,
    ftype: str = "butter",
    output: str = "ba",
    fs: float | None = None,
) -> Any:
    """Design a recursive filter by its order and cutoff.

    Parameters
    ----------
    {order}
    rp, rs : float, optional
        The ripples of the passband and the attenuation of the stopband, in decibels, for families that have
        them.
    ftype : {"butter", "cheby1", "cheby2", "ellip", "bessel"}, optional
        The family.
    {cutoff}
    {btype}
    {analog}
    {output}
    {fs}

    Returns
    -------
    tuple or ndarray
        ``(b, a)``, ``(z, p, k)`` or `sos`, as `output` says.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> [c.round(6) for c in signal.iirfilter(2, 0.3, btype="low")]
    [array([0.131106, 0.262213, 0.131106]), array([ 1.      , -0.747789,  0.272215])]
    """
    return _designed("iirfilter", N, Wn, rp, rs, btype, analog, ftype, output, fs)


@documented
def butter(
    N: int, Wn: Any, btype: str = "low", analog: bool = False, output: str = "ba", fs: float | None = None
) -> Any:
    """Design a Butterworth filter: flat in its passband.

    Parameters
    ----------
    {order}
    {cutoff}
    {btype}
    {analog}
    {output}
    {fs}

    Returns
    -------
    tuple or ndarray
        ``(b, a)``, ``(z, p, k)`` or `sos`, as `output` says.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> [c.round(6) for c in signal.butter(2, 0.3)]
    [array([0.131106, 0.262213, 0.131106]), array([ 1.      , -0.747789,  0.272215])]
    """
    return _designed("butter", N, Wn, None, None, btype, analog, "butter", output, fs)


@documented
def cheby1(
    N: int,
    rp: float,
    Wn: Any,
    btype: str = "low",
    analog: bool = False,
    output: str = "ba",
    fs: float | None = None,
) -> Any:
    """Design a Chebyshev filter with ripples in its passband.

    Parameters
    ----------
    {order}
    rp : float
        The ripples, in decibels.
    {cutoff}
    {btype}
    {analog}
    {output}
    {fs}

    Returns
    -------
    tuple or ndarray
        ``(b, a)``, ``(z, p, k)`` or `sos`, as `output` says.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> [c.round(6) for c in signal.cheby1(2, 1, 0.3)]
    [array([0.138225, 0.276451, 0.138225]), array([ 1.      , -0.773503,  0.393869])]
    """
    return _designed("cheby1", N, Wn, rp, None, btype, analog, "cheby1", output, fs)


@documented
def cheby2(
    N: int,
    rs: float,
    Wn: Any,
    btype: str = "low",
    analog: bool = False,
    output: str = "ba",
    fs: float | None = None,
) -> Any:
    """Design a Chebyshev filter with ripples in its stopband.

    Parameters
    ----------
    {order}
    rs : float
        The attenuation of the stopband, in decibels.
    {cutoff}
    {btype}
    {analog}
    {output}
    {fs}

    Returns
    -------
    tuple or ndarray
        ``(b, a)``, ``(z, p, k)`` or `sos`, as `output` says.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> [c.round(6) for c in signal.cheby2(2, 40, 0.3)]
    [array([ 0.013729, -0.008689,  0.013729]), array([ 1.      , -1.797975,  0.816744])]
    """
    return _designed("cheby2", N, Wn, None, rs, btype, analog, "cheby2", output, fs)


@documented
def ellip(
    N: int,
    rp: float,
    rs: float,
    Wn: Any,
    btype: str = "low",
    analog: bool = False,
    output: str = "ba",
    fs: float | None = None,
) -> Any:
    """Design an elliptic filter, with ripples in both bands.

    Parameters
    ----------
    {order}
    rp, rs : float
        The ripples of the passband and the attenuation of the stopband, in decibels.
    {cutoff}
    {btype}
    {analog}
    {output}
    {fs}

    Returns
    -------
    tuple or ndarray
        ``(b, a)``, ``(z, p, k)`` or `sos`, as `output` says.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> [c.round(6) for c in signal.ellip(2, 1, 40, 0.3)]
    [array([0.144476, 0.267257, 0.144476]), array([ 1.      , -0.772664,  0.396741])]
    """
    return _designed("ellip", N, Wn, rp, rs, btype, analog, "ellip", output, fs)


@documented
def bessel(
    N: int,
    Wn: Any,
    btype: str = "low",
    analog: bool = False,
    output: str = "ba",
    norm: str = "phase",
    fs: float | None = None,
) -> Any:
    """Design a Bessel filter: its group delay is flat.

    Parameters
    ----------
    {order}
    norm : {"phase", "delay", "mag"}, optional
        What is one at the cutoff: see `besselap`.
    {cutoff}
    {btype}
    {analog}
    {output}
    {fs}

    Returns
    -------
    tuple or ndarray
        ``(b, a)``, ``(z, p, k)`` or `sos`, as `output` says.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> [c.round(6) for c in signal.bessel(2, 0.3)]
    [array([0.121195, 0.24239 , 0.121195]), array([ 1.      , -0.691256,  0.176035])]
    """
    return _designed("bessel", N, Wn, None, None, btype, analog, f"bessel_{norm}", output, fs)


@documented
def iirdesign(
    wp: Any,
    ws: Any,
    gpass: float,
    gstop: float,
    analog: bool = False,
    ftype: str = "ellip",
    output: str = "ba",
    fs: float | None = None,
) -> Any:
    """Design a recursive filter by the edges of its bands: the least order that does it.

    Parameters
    ----------
    wp, ws : float or (2,) array_like
        The edges of the passband and of the stopband.
    gpass, gstop : float
        The most loss in the passband and the least in the stopband, in decibels.
    analog : bool, optional
        Design an analog filter; edges are angular frequencies then.
    ftype : {"butter", "cheby1", "cheby2", "ellip"}, optional
        The family.
    {output}
    fs : float, optional
        The sampling frequency; without it edges are fractions of half of it.

    Returns
    -------
    tuple or ndarray
        ``(b, a)``, ``(z, p, k)`` or `sos`, as `output` says.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> [c.round(6) for c in signal.iirdesign(0.2, 0.5, 1, 20, ftype="butter")]
    [array([0.030467, 0.0914  , 0.0914  , 0.030467]), array([ 1.      , -1.482585,  0.929644, -0.203325])]
    """
    if ftype not in _FAMILIES:
        raise ValueError(f"iirdesign: Invalid IIR filter type: {ftype}")
    if _FAMILIES[ftype] not in _ORDERS:
        raise ValueError(f"iirdesign: {ftype} does not have order selection. Use iirfilter function.")
    checked_gains("iirdesign", gpass, gstop)
    passing, stopping = np.atleast_1d(host_spec(wp)), np.atleast_1d(host_spec(ws))
    fs = optional_fs("iirdesign", fs)
    if passing.shape != stopping.shape or passing.shape not in ((1,), (2,)):
        raise ValueError(
            "iirdesign: wp and ws must have one or two elements each, and the same shape, "
            f"got {passing.shape} and {stopping.shape}"
        )
    if np.any(passing <= 0) or np.any(stopping <= 0):
        raise ValueError("iirdesign: Values for wp, ws must be greater than 0")
    most = 1.0 if fs is None else fs / 2
    if not analog and (np.any(passing >= most) or np.any(stopping >= most)):
        raise ValueError(f"iirdesign: Values for wp, ws must be less than {most:g}")
    if passing.size == 2:
        inside = stopping[0] < passing[0] and passing[1] < stopping[1]
        if not inside and not (passing[0] < stopping[0] and stopping[1] < passing[1]):
            raise ValueError("iirdesign: Passband must lie strictly inside stopband or vice versa")
    band = band_of(passing, stopping)
    N, Wn = _ORDERS[_FAMILIES[ftype]]("iirdesign", passing, stopping, gpass, gstop, analog, fs)
    return _designed("iirdesign", N, Wn, gpass, gstop, band, analog, ftype, output, fs)
