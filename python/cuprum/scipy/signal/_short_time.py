"""Fourier transforms of short stretches of time, and back."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

import cuprum as cp

from ... import fft
from ..._convert import as_array
from ..._core import ndarray
from ._dual_windows import dual_window
from ._smoothing import detrend
from ._spectral import segments
from ._time_frequency import overlap_add
from ._time_slices import TimeSlices
from .windows import get_window

__all__ = ["ShortTimeFFT"]

_PADDINGS: dict[str, dict[str, Any]] = {
    "zeros": {"mode": "constant"},
    "edge": {"mode": "edge"},
    "even": {"mode": "reflect", "reflect_type": "even"},
    "odd": {"mode": "reflect", "reflect_type": "odd"},
}


class ShortTimeFFT(TimeSlices):
    """The Fourier transform of windows of a signal, a hop apart, and its inverse.

    Slice `p` lies around sample ``p * hop``; the first and the last one still reach samples of the signal.

    Parameters
    ----------
    win : (m,) array_like
        The window.
    hop : int
        By how many samples it moves.
    fs : float
        The sampling frequency.
    fft_mode : {"onesided", "onesided2X", "twosided", "centered"}, optional
        Which frequencies there are, and in which order.
    mfft : int, optional
        The length of the transforms; that of the window by default.
    dual_win : (m,) array_like, optional
        The window of the inverse.
    scale_to : {"magnitude", "psd"}, optional
        What the squares of the transforms are: power, or power for each frequency unit.
    phase_shift : int or None, optional
        By how many samples from the middle of the window phases are counted; None for its beginning.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> transform = signal.ShortTimeFFT.from_window("hann", fs=10.0, nperseg=8, noverlap=4)
    >>> x = cp.cos(cp.arange(32.0))
    >>> bool(cp.allclose(transform.istft(transform.stft(x), k1=32), x))
    True
    """

    @classmethod
    def from_dual(
        cls,
        dual_win: Any,
        hop: Any,
        fs: Any,
        *,
        fft_mode: Any = "onesided",
        mfft: Any = None,
        scale_to: Any = None,
        phase_shift: Any = 0,
    ) -> ShortTimeFFT:
        """Return the transform whose inverse has a given window.

        Examples
        --------
        >>> from cuprum.scipy.signal import ShortTimeFFT
        >>> ShortTimeFFT.from_dual(cp.ones(4), 2, 1.0).hop
        2
        """
        dual_win = as_array(dual_win)
        options = {"fft_mode": fft_mode, "mfft": mfft, "scale_to": scale_to, "phase_shift": phase_shift}
        return cls(dual_window(dual_win, hop), hop, fs, dual_win=dual_win, **options)

    @classmethod
    def from_window(
        cls,
        win_param: Any,
        fs: Any,
        nperseg: Any,
        noverlap: Any,
        *,
        symmetric_win: bool = False,
        fft_mode: Any = "onesided",
        mfft: Any = None,
        scale_to: Any = None,
        phase_shift: Any = 0,
    ) -> ShortTimeFFT:
        """Return the transform with a window by name, and an overlap instead of a hop."""
        win = get_window(win_param, nperseg, fftbins=not symmetric_win)
        options = {"fft_mode": fft_mode, "mfft": mfft, "scale_to": scale_to, "phase_shift": phase_shift}
        return cls(win, nperseg - noverlap, fs, **options)

    def _double(self) -> float:
        return math.sqrt(2) if self._scaling == "psd" else 2.0

    def _forward(self, x: ndarray) -> ndarray:
        if self._phase_shift is not None:
            if x.shape[-1] < self.mfft:
                more = cp.zeros((*x.shape[:-1], self.mfft - x.shape[-1]), x.dtype)
                x = cp.concatenate((x, more), -1)
            x = cp.roll(x, -((self._phase_shift + self.m_num_mid) % self.m_num), axis=-1)
        if not self.onesided_fft:
            values = fft.fft(x, self.mfft)
            return values if self._fft_mode == "twosided" else fft.fftshift(values, axes=-1)
        values = fft.rfft(x, self.mfft)
        if self._fft_mode == "onesided2X":
            values[..., 1 : -1 if self.mfft % 2 == 0 else None] *= self._double()
        return values

    def _backward(self, values: ndarray) -> ndarray:
        if self._fft_mode == "twosided":
            x = fft.ifft(values, self.mfft)
        elif self._fft_mode == "centered":
            x = fft.ifft(fft.ifftshift(values, axes=-1), self.mfft)
        else:
            if self._fft_mode == "onesided2X":
                values = values.copy()
                values[..., 1 : -1 if self.mfft % 2 == 0 else None] /= self._double()
            x = fft.irfft(values, self.mfft)
        if self._phase_shift is not None:
            x = cp.roll(x, (self._phase_shift + self.m_num_mid) % self.m_num, axis=-1)
        return x[..., : self.m_num]

    def stft(
        self,
        x: Any,
        p0: Any = None,
        p1: Any = None,
        *,
        k_offset: Any = 0,
        padding: Any = "zeros",
        axis: Any = -1,
    ) -> ndarray:
        """Return the transforms of a signal, frequencies in place of `axis` and slices along the last one."""
        return self.stft_detrend(x, None, p0, p1, k_offset=k_offset, padding=padding, axis=axis)

    def stft_detrend(
        self,
        x: Any,
        detr: Any,
        p0: Any = None,
        p1: Any = None,
        *,
        k_offset: Any = 0,
        padding: Any = "zeros",
        axis: Any = -1,
    ) -> ndarray:
        """Return the transforms of a signal, a trend taken from each slice before.

        Examples
        --------
        >>> from cuprum.scipy.signal import ShortTimeFFT
        >>> transform = ShortTimeFFT(cp.ones(4), hop=2, fs=1.0)
        >>> transform.stft_detrend(cp.ones(16), "constant").shape
        (3, 9)
        """
        x = as_array(x)
        if self.onesided_fft and x.dtype.kind == "c":
            raise ValueError(
                f"ShortTimeFFT: Complex-valued `x` not allowed for self.fft_mode={self._fft_mode!r}! "
                "Set property "
                "`fft_mode` to 'twosided' or 'centered'."
            )
        if isinstance(detr, str):
            detr = functools.partial(detrend, type=detr)
        elif detr is not None and not callable(detr):
            raise ValueError(f"ShortTimeFFT: Parameter detr={detr!r} is not a str, function or None!")
        n = x.shape[axis]
        if not n >= self._least:
            raise ValueError(
                f"ShortTimeFFT: the signal's length {n} must be >= ceil(m_num/2) = {self._least}!"
            )
        if padding not in _PADDINGS:
            raise ValueError(f"ShortTimeFFT: Parameter padding={padding!r} not in {tuple(_PADDINGS)}!")
        x = cp.moveaxis(x, axis, -1)
        p0, p1 = self.p_range(n, p0, p1)
        begin = p0 * self._hop - self.m_num_mid + k_offset
        end = begin + (p1 - p0) * self._hop + self.m_num
        widths = [(0, 0)] * (x.ndim - 1) + [(-min(begin, 0), max(end - n, 0))]
        x = cp.pad(x[..., max(begin, 0) : min(end, n)], widths, **_PADDINGS[padding])
        parts = segments(x, self.m_num, self._hop)[..., : p1 - p0, :]
        if detr is not None:
            parts = detr(parts)
        values = self._forward(parts * self._win.conj()).astype(np.complex128, copy=False)
        values = cp.swapaxes(values, -1, -2)
        return values if x.ndim == 1 else cp.moveaxis(values, -2, axis if axis >= 0 else axis - 1)

    def spectrogram(
        self,
        x: Any,
        y: Any = None,
        detr: Any = None,
        *,
        p0: Any = None,
        p1: Any = None,
        k_offset: Any = 0,
        padding: Any = "zeros",
        axis: Any = -1,
    ) -> ndarray:
        """Return the squares of the transforms of a signal, or their products with those of another.

        Examples
        --------
        >>> from cuprum.scipy.signal import ShortTimeFFT
        >>> transform = ShortTimeFFT(cp.ones(4), hop=2, fs=1.0)
        >>> transform.spectrogram(cp.ones(16)).shape
        (3, 9)
        """
        options = {"k_offset": k_offset, "padding": padding, "axis": axis}
        first = self.stft_detrend(x, detr, p0, p1, **options)
        if y is None or y is x:
            return first.real**2 + first.imag**2
        return first * self.stft_detrend(y, detr, p0, p1, **options).conj()

    def istft(self, S: Any, k0: Any = 0, k1: Any = None, *, f_axis: Any = -2, t_axis: Any = -1) -> ndarray:
        """Return the signal, from sample `k0` up to `k1`, that has given transforms."""
        S = as_array(S)
        if f_axis == t_axis:
            raise ValueError(f"ShortTimeFFT: f_axis={f_axis} may not be equal to t_axis={t_axis}!")
        if S.shape[f_axis] != self.f_pts:
            raise ValueError(
                f"ShortTimeFFT: S.shape[f_axis]={S.shape[f_axis]} must be equal to self.f_pts={self.f_pts}!"
            )
        slices = self.p_num(self._least)
        if not S.shape[t_axis] >= slices:
            raise ValueError(
                f"ShortTimeFFT: S.shape[t_axis]={S.shape[t_axis]} needs to have at least {slices} slices!"
            )
        place = f_axis % S.ndim
        place = place if place < S.ndim - 1 else t_axis % S.ndim
        S = cp.moveaxis(S, (t_axis, f_axis), (-2, -1))
        end = (S.shape[-2] + self.p_min - 1) * self._hop + self._least
        k1 = end if k1 is None else k1
        if not self.k_min <= k0 < k1 <= end:
            raise ValueError(
                f"ShortTimeFFT: (k_min={self.k_min}) <= ({k0=}) < ({k1=}) <= (k_max={end}) is false!"
            )
        if not k1 - k0 >= self._least:
            raise ValueError(
                f"ShortTimeFFT: ({k1=}) - ({k0=}) has to be at least the half the window length "
                f"{self._least}!"
            )
        # All slices are added up, from the one that begins first on.
        whole = overlap_add(self._backward(S) * self.dual_win, self._hop)
        origin = self.p_min * self._hop - self.m_num_mid
        x = whole[..., k0 - origin : k1 - origin]
        return x if x.ndim == 1 else cp.moveaxis(x, -1, place)
