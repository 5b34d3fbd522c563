"""Fourier transforms of short stretches of time, and back."""

from __future__ import annotations

import functools
import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import fft
from ..._convert import as_array
from ..._core import ndarray
from ._dual_windows import dual_window
from ._smoothing import detrend
from ._spectral import segments
from ._time_frequency import overlap_add
from .windows import get_window

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["ShortTimeFFT"]

_MODES = ("twosided", "centered", "onesided", "onesided2X")
_PADDINGS: dict[str, dict[str, Any]] = {
    "zeros": {"mode": "constant"},
    "edge": {"mode": "edge"},
    "even": {"mode": "reflect", "reflect_type": "even"},
    "odd": {"mode": "reflect", "reflect_type": "odd"},
}


class ShortTimeFFT:
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

    def __init__(
        self,
        win: ArrayLike,
        hop: int,
        fs: float,
        *,
        fft_mode: str = "onesided",
        mfft: int | None = None,
        dual_win: ArrayLike | None = None,
        scale_to: str | None = None,
        phase_shift: int | None = 0,
    ) -> None:
        win = as_array(win)
        if not (win.ndim == 1 and win.size > 0):
            raise ValueError(f"ShortTimeFFT: Parameter win must be 1d, but win.shape={win.shape}!")
        if not bool(cp.isfinite(win).all()):
            raise ValueError("ShortTimeFFT: Parameter win must have finite entries!")
        if not (isinstance(hop, (int, np.integer)) and hop >= 1):
            raise ValueError(f"ShortTimeFFT: Parameter hop={hop} is not an integer >= 1!")
        self._win, self._hop, self.fs = win, operator.index(hop), fs
        self._scaling: str | None = None
        self.mfft = win.size if mfft is None else mfft
        if dual_win is not None:
            dual_win = as_array(dual_win)
            if dual_win.shape != win.shape:
                raise ValueError(
                    f"ShortTimeFFT: dual_win.shape={dual_win.shape} must equal win.shape={win.shape}!"
                )
            if not bool(cp.isfinite(dual_win).all()):
                raise ValueError("ShortTimeFFT: Parameter dual_win must be a finite array!")
        self._dual_win = dual_win
        places = cp.flatnonzero(win)
        # The first and the last sample that is not zero: all that the slices' number depends on.
        self._ends = (int(places[0]), int(places[-1])) if places.size else (win.size, -1)
        if scale_to is not None:
            self.scale_to(scale_to)
        self.fft_mode, self.phase_shift = fft_mode, phase_shift

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

    @property
    def win(self) -> ndarray:
        """The window."""
        return self._win

    @property
    def hop(self) -> int:
        """By how many samples the window moves."""
        return self._hop

    @property
    def fs(self) -> float:
        """The sampling frequency."""
        return self._fs

    @fs.setter
    def fs(self, value: float) -> None:
        if not value > 0:
            raise ValueError(f"ShortTimeFFT: Sampling frequency fs={value} must be positive!")
        self._fs = value

    @property
    def T(self) -> float:
        """The time between samples."""
        return 1 / self._fs

    @T.setter
    def T(self, value: float) -> None:
        if not value > 0:
            raise ValueError(f"ShortTimeFFT: Sampling interval T={value} must be positive!")
        self._fs = 1 / value

    @property
    def fft_mode(self) -> str:
        """Which frequencies there are, and in which order."""
        return self._fft_mode

    @fft_mode.setter
    def fft_mode(self, value: str) -> None:
        if value not in _MODES:
            raise ValueError(f"ShortTimeFFT: fft_mode='{value}' not in {_MODES}!")
        if value in ("onesided", "onesided2X") and self._win.dtype.kind == "c":
            raise ValueError(
                f"ShortTimeFFT: One-sided spectra, i.e., fft_mode='{value}', are not allowed for "
                "complex-valued "
                "windows!"
            )
        if value == "onesided2X" and self._scaling is None:
            raise ValueError(
                f"ShortTimeFFT: For scaling is None, fft_mode='{value}' is invalid! Do scale_to('psd') or "
                "scale_to('magnitude')!"
            )
        self._fft_mode = value

    @property
    def mfft(self) -> int:
        """The length of the transforms."""
        return self._mfft

    @mfft.setter
    def mfft(self, value: int) -> None:
        if not value >= self.m_num:
            raise ValueError(
                f"ShortTimeFFT: Attribute mfft={value} needs to be at least the window length "
                f"m_num={self.m_num}!"
            )
        self._mfft = operator.index(value)

    @property
    def phase_shift(self) -> int | None:
        """By how many samples from the middle of the window phases are counted."""
        return self._phase_shift

    @phase_shift.setter
    def phase_shift(self, value: int | None) -> None:
        if value is not None:
            if not isinstance(value, (int, np.integer)):
                raise ValueError(f"ShortTimeFFT: phase_shift={value} needs to be an int or it may be None!")
            if not -self.mfft < value < self.mfft:
                raise ValueError(
                    "ShortTimeFFT: -mfft < phase_shift < mfft does not hold "
                    f"for mfft={self.mfft}, phase_shift={value}!"
                )
        self._phase_shift = value

    @property
    def scaling(self) -> str | None:
        """What the squares of the transforms are."""
        return self._scaling

    def scale_to(self, scaling: Any) -> None:
        """Scale the window: squares of transforms become power, or power for each frequency unit.

        Examples
        --------
        >>> from cuprum.scipy.signal import ShortTimeFFT
        >>> transform = ShortTimeFFT(cp.ones(4), hop=2, fs=1.0)
        >>> transform.scale_to("magnitude")
        >>> transform.scaling
        'magnitude'
        """
        if scaling not in ("magnitude", "psd"):
            raise ValueError(f"ShortTimeFFT: scaling={scaling!r} not in {{'magnitude', 'psd'}}!")
        if self._scaling == scaling:
            return
        factor = self.fac_psd if scaling == "psd" else self.fac_magnitude
        self._win = self._win * factor
        if self._dual_win is not None:
            self._dual_win = self._dual_win / factor
        self._scaling = scaling

    @property
    def fac_magnitude(self) -> float:
        """The factor that scales transforms to power."""
        return 1 if self._scaling == "magnitude" else 1 / abs(self._win.sum().item())

    @property
    def fac_psd(self) -> float:
        """The factor that scales transforms to power for each frequency unit."""
        if self._scaling == "psd":
            return 1
        return 1 / math.sqrt(float((self._win.real**2 + self._win.imag**2).sum()) / self.T)

    @property
    def dual_win(self) -> ndarray:
        """The window of the inverse."""
        if self._dual_win is None:
            self._dual_win = dual_window(self._win, self._hop)
        return self._dual_win

    @property
    def invertible(self) -> bool:
        """Whether there is an inverse."""
        try:
            return self.dual_win.size > 0
        except ValueError:
            return False

    @property
    def m_num(self) -> int:
        """The length of the window."""
        return self._win.size

    @property
    def m_num_mid(self) -> int:
        """The middle of the window."""
        return self.m_num // 2

    @property
    def _least(self) -> int:
        """The least length of a signal: the longer half of a window."""
        return self.m_num - self.m_num_mid

    @functools.cached_property
    def _first(self) -> tuple[int, int]:
        for p, k in enumerate(range(-self.m_num_mid, -self.m_num_mid - self.m_num - 1, -self._hop)):
            before = k - self._hop
            start = before if before >= 0 else max(self.m_num + before, 0)
            if before + self.m_num <= 0 or self._ends[1] < start:
                return k, -p
        raise AssertionError("a window that has been moved by its length no longer meets the signal")

    @property
    def k_min(self) -> int:
        """The first sample that the first slice reaches."""
        return self._first[0]

    @property
    def p_min(self) -> int:
        """The first slice."""
        return self._first[1]

    def _last(self, n: int) -> tuple[int, int]:
        if not n >= self._least:
            raise ValueError(f"ShortTimeFFT: Parameter n must be >= ceil(m_num/2) = {self._least}!")
        q = n // self._hop
        for p, k in enumerate(range(q * self._hop - self.m_num_mid, n + self.m_num, self._hop), start=q):
            after = k + self._hop
            if after >= n or self._ends[0] >= n - after:
                return k + self.m_num, p + 1
        raise AssertionError("a window that has been moved by its length no longer meets the signal")

    def k_max(self, n: Any) -> int:
        """Return the first sample behind the last slice of a signal of `n` samples.

        Examples
        --------
        >>> from cuprum.scipy.signal import ShortTimeFFT
        >>> transform = ShortTimeFFT(cp.ones(4), hop=2, fs=1.0)
        >>> transform.k_max(16)
        18
        """
        return self._last(n)[0]

    def p_max(self, n: Any) -> int:
        """Return the slice behind the last one of a signal of `n` samples.

        Examples
        --------
        >>> from cuprum.scipy.signal import ShortTimeFFT
        >>> transform = ShortTimeFFT(cp.ones(4), hop=2, fs=1.0)
        >>> transform.p_max(16)
        9
        """
        return self._last(n)[1]

    def p_num(self, n: Any) -> int:
        """Return the number of slices of a signal of `n` samples.

        Examples
        --------
        >>> from cuprum.scipy.signal import ShortTimeFFT
        >>> transform = ShortTimeFFT(cp.ones(4), hop=2, fs=1.0)
        >>> transform.p_num(16)
        9
        """
        return self.p_max(n) - self.p_min

    def p_range(self, n: Any, p0: Any = None, p1: Any = None) -> tuple[int, int]:
        """Return the first slice and the one behind the last of those that are asked for.

        Examples
        --------
        >>> from cuprum.scipy.signal import ShortTimeFFT
        >>> transform = ShortTimeFFT(cp.ones(4), hop=2, fs=1.0)
        >>> transform.p_range(16)
        (0, 9)
        """
        largest = self.p_max(n)
        first, last = self.p_min if p0 is None else p0, largest if p1 is None else p1
        if not self.p_min <= first < last <= largest:
            raise ValueError(
                f"ShortTimeFFT: Invalid Parameter p0={p0}, p1={p1}, i.e., self.p_min={self.p_min} <= "
                "p0 < p1 <= "
                f"p_max={largest} does not hold for signal length n={n}!"
            )
        return first, last

    @property
    def lower_border_end(self) -> tuple[int, int]:
        """The first sample and the first slice that what lies before the signal does not change."""
        for q, k in enumerate(range(self._ends[0] - self.m_num_mid, self._hop + 1, self._hop)):
            if k + self._hop >= 0:
                return k + self.m_num, q + 1
        return 0, max(self.p_min, 0)

    def upper_border_begin(self, n: Any) -> tuple[int, int]:
        """Return the first sample and slice that what lies behind a signal of `n` samples changes.

        Examples
        --------
        >>> from cuprum.scipy.signal import ShortTimeFFT
        >>> transform = ShortTimeFFT(cp.ones(4), hop=2, fs=1.0)
        >>> transform.upper_border_begin(16)
        (14, 8)
        """
        if not n >= self._least:
            raise ValueError(f"ShortTimeFFT: Parameter n must be >= ceil(m_num/2) = {self._least}!")
        for q in range(n // self._hop + 1, max((n - self.m_num) // self._hop - 1, -1), -1):
            k = q * self._hop + self._least
            start = n - k if n - k >= 0 else max(self.m_num + n - k, 0)
            if k <= n or self._ends[1] < start:
                return (q + 1) * self._hop - self.m_num_mid, q + 1
        return 0, 0

    @property
    def delta_t(self) -> float:
        """The time between slices."""
        return self.T * self._hop

    @property
    def delta_f(self) -> float:
        """The distance of frequencies."""
        return 1 / (self.mfft * self.T)

    @property
    def onesided_fft(self) -> bool:
        """Whether only positive frequencies are there."""
        return self._fft_mode in ("onesided", "onesided2X")

    @property
    def f_pts(self) -> int:
        """The number of frequencies."""
        return self.mfft // 2 + 1 if self.onesided_fft else self.mfft

    @property
    def f(self) -> ndarray:
        """The frequencies."""
        if self.onesided_fft:
            return fft.rfftfreq(self.mfft, self.T)
        values = fft.fftfreq(self.mfft, self.T)
        return values if self._fft_mode == "twosided" else fft.fftshift(values)

    def t(self, n: Any, p0: Any = None, p1: Any = None, k_offset: Any = 0) -> ndarray:
        """Return the times of the slices of a signal of `n` samples.

        Examples
        --------
        >>> from cuprum.scipy.signal import ShortTimeFFT
        >>> transform = ShortTimeFFT(cp.ones(4), hop=2, fs=1.0)
        >>> transform.t(16)[:3]
        array([0., 2., 4.])
        """
        if not (isinstance(n, (int, np.integer)) and n > 0):
            raise ValueError(f"ShortTimeFFT: Parameter n={n} is not a positive integer!")
        p0, p1 = self.p_range(n, p0, p1)
        result: ndarray = cp.arange(p0, p1) * self.delta_t + k_offset * self.T
        return result

    def nearest_k_p(self, k: Any, left: bool = True) -> int:
        """Return the nearest sample before or behind another at which a slice lies.

        Examples
        --------
        >>> from cuprum.scipy.signal import ShortTimeFFT
        >>> transform = ShortTimeFFT(cp.ones(4), hop=2, fs=1.0)
        >>> transform.nearest_k_p(7)
        6
        """
        slices, rest = divmod(k, self._hop)
        number: int = k if rest == 0 else (slices if left else slices + 1) * self._hop
        return number

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

    def extent(
        self, n: Any, axes_seq: Any = "tf", center_bins: bool = False
    ) -> tuple[float, float, float, float]:
        """Return the borders of the plane of times and frequencies of a signal of `n` samples.

        Examples
        --------
        >>> from cuprum.scipy.signal import ShortTimeFFT
        >>> transform = ShortTimeFFT(cp.ones(4), hop=2, fs=1.0)
        >>> transform.extent(16)
        (0.0, 18.0, 0.0, 0.75)
        """
        if axes_seq not in ("tf", "ft"):
            raise ValueError(f"ShortTimeFFT: Parameter axes_seq={axes_seq!r} not in ['tf', 'ft']!")
        if self._fft_mode == "twosided":
            raise ValueError(
                "ShortTimeFFT: Attribute fft_mode=twosided must be in ['centered', 'onesided', 'onesided2X']"
            )
        low = 0 if self.onesided_fft else -(self.mfft // 2)
        half = 0.5 if center_bins else 0.0
        times = [self.delta_t * (p - half) for p in (self.p_min, self.p_max(n))]
        frequencies = [self.delta_f * (q - half) for q in (low, low + self.f_pts)]
        first, second = (times, frequencies) if axes_seq == "tf" else (frequencies, times)
        return first[0], first[1], second[0], second[1]
