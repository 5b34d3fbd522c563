"""Analytic signals of two dimensions, and envelopes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import _core, fft
from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from ._resampling import resample

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["envelope", "hilbert2"]


@names_itself
def hilbert2(x: ArrayLike, N: Any = None, axes: Any = (-2, -1)) -> ndarray:
    """Return the analytic signal of two dimensions.

    Parameters
    ----------
    x : array_like
        The signal, real.
    N : int or (int, int), optional
        How many elements to transform along both axes.
    axes : (int, int), optional
        The axes.

    Returns
    -------
    ndarray
        The analytic signal, complex.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.hilbert2(cp.ones((2, 2))).round(6)
    array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]])
    """
    x = _core.array(x, copy=None, ndmin=2)
    if x.dtype.kind == "c":
        raise ValueError("hilbert2: x must be real.")
    if len(axes) != 2:
        raise ValueError("hilbert2: axes must be a tuple of length 2")
    if axes[0] == axes[1]:
        raise ValueError("hilbert2: axes must contain 2 distinct axes")
    if N is None:
        N = (x.shape[axes[0]], x.shape[axes[1]])
    elif isinstance(N, int):
        if N <= 0:
            raise ValueError("hilbert2: N must be positive.")
        N = (N, N)
    elif len(N) != 2 or any(n <= 0 for n in N):
        raise ValueError("hilbert2: When given as a tuple, N must hold exactly two positive integers")
    spectrum = cp.moveaxis(fft.fft2(x, tuple(N), axes=axes), axes, (-2, -1))
    half = (N[0] + 1) // 2, (N[1] + 1) // 2
    rows, columns = (
        cp.where(cp.arange(n) < h, cp.where(cp.arange(n) == 0, 1.0, 2.0), 0.0)
        for n, h in zip(N, half, strict=True)
    )
    dtype = spectrum.real.dtype
    spectrum = spectrum * rows[:, cp.newaxis].astype(dtype, copy=False) * columns.astype(dtype, copy=False)
    return fft.ifft2(cp.moveaxis(spectrum, (-2, -1), axes), axes=axes)


@names_itself
def envelope(
    z: ArrayLike,
    bp_in: Any = (1, None),
    *,
    n_out: int | None = None,
    squared: bool = False,
    residual: str | None = "lowpass",
    axis: int = -1,
) -> ndarray:
    """Return the envelope of a signal within a band of frequencies.

    Parameters
    ----------
    z : array_like
        The signal.
    bp_in : (int or None, int or None), optional
        The band, in bins of the Fourier transform.
    n_out : int, optional
        The number of samples of the result.
    squared : bool, optional
        Return the square of the envelope.
    residual : {"lowpass", "all", None}, optional
        What of the signal to return too: what lies below the band, all that lies outside it, or nothing.
    axis : int, optional
        The axis along which the signal runs.

    Returns
    -------
    ndarray
        The envelope; with a residual both, along a new first axis.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> t = cp.arange(16) / 16
    >>> signal.envelope(3 * cp.cos(2 * cp.pi * 4 * t), residual=None).round(6)[:4]
    array([3., 3., 3., 3.])
    """
    z = as_array(z)
    if not -z.ndim <= axis < z.ndim:
        raise ValueError(f"envelope: Invalid parameter axis={axis} for z.shape={z.shape}!")
    n = z.shape[axis]
    if n == 0:
        raise ValueError(f"envelope: z.shape[axis] not > 0 for z.shape={z.shape}, axis={axis}!")
    if len(bp_in) != 2 or not all(isinstance(edge, int) or edge is None for edge in bp_in):
        raise ValueError(f"envelope: bp_in={bp_in} isn't a 2-tuple of type (int | None, int | None)!")
    if n_out is not None and not (isinstance(n_out, int) and n_out > 0):
        raise ValueError(f"envelope: n_out={n_out!r} is not a positive integer or None!")
    if residual not in ("lowpass", "all", None):
        raise ValueError(f"envelope: residual={residual!r} not in ['lowpass', 'all', None]!")
    n_out = n if n_out is None else n_out
    start = -(n // 2) if bp_in[0] is None else bp_in[0]
    stop = (n + 1) // 2 if bp_in[1] is None else bp_in[1]
    if not -n // 2 <= start < stop <= (n + 1) // 2:
        raise ValueError(
            f"envelope: `-n//2 <= bp_in[0] < bp_in[1] <= (n+1)//2` does not hold for n={n} and bp_in={bp_in}!"
        )
    z = cp.moveaxis(z, axis, -1)
    real = z.dtype.kind != "c"
    spectrum: Any = fft.fft(z)
    # Bins by their frequency, negative ones too; those of a real signal that are negative are not used.
    bins = cp.arange(n)
    bins = cp.where(bins < (n + 1) // 2, bins, bins - n)
    inside = (bins >= start) & (bins < stop)
    if real:
        upper = (bins > 0) | ((bins == -(n // 2)) & (n % 2 == 0))
        spectrum = spectrum * ((bins == 0) | upper)
        doubled = cp.where(inside & (bins > 0), 2.0, 1.0)
    else:
        doubled = cp.ones(n)
    # The band is moved to zero: the envelope does not change by that.
    order = cp.arange(start, stop) % n
    band = (spectrum * doubled)[..., order]
    base = fft.ifft(band, n_out) * (n_out / n)
    result = base.real**2 + base.imag**2 if squared else cp.abs(base)
    result = cp.moveaxis(result, -1, axis)
    if residual is None:
        return result
    rest = cp.where(inside, 0.0, spectrum)
    if residual == "lowpass":
        rest = cp.where(bins >= stop, 0.0, rest) if stop > 0 else cp.where((bins >= start), 0.0, rest)
    if real:
        rest = rest[..., : n // 2 + 1]
        common = min(n, n_out)
        if n_out != n and common % 2 == 0 and common // 2 < rest.shape[-1]:
            rest[..., common // 2] *= 2 if n_out < n else 0.5
        rest = (n_out / n) * fft.irfft(rest, n_out)
    else:
        rest = resample(rest, n_out, axis=-1, domain="freq")
    return cp.stack((result, cp.moveaxis(rest, -1, axis)), axis=0).astype(
        np.result_type(np.float32, rest.dtype) if real else rest.dtype, copy=False
    )
