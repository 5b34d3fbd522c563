"""Where the slices of a short-time Fourier transform lie in time, and which frequencies they have."""

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

if TYPE_CHECKING:
    from ..._typing import ArrayLike

_MODES = ("twosided", "centered", "onesided", "onesided2X")


class TimeSlices:
    """The window, its hops and the transforms' frequencies: all of a `ShortTimeFFT` but the transforms."""

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
