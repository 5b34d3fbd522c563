"""``cuprum.scipy.signal.ShortTimeFFT`` against SciPy's."""

import numpy as np
import pytest
from scipy_twin import check
from twin import collect

RNG = np.random.default_rng(41)
X = RNG.standard_normal((2, 70))
WINDOWS = [np.hanning(17), np.hamming(16), np.r_[0.0, 0.0, np.ones(9), 0.0]]


# Lists of bodies have bad input among the good.
MISTAKES = (ValueError, TypeError, np.linalg.LinAlgError)


def checks(bodies, units=256, may_raise=MISTAKES, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "signal", units, label=f"case {i}", may_raise=may_raise, **options)


@pytest.mark.parametrize("win", WINDOWS)
@pytest.mark.parametrize("hop", [1, 4, 7])
def test_slices(win, hop):
    def facts(xp, sp):
        s = sp.ShortTimeFFT(xp.array(win), hop, 10.0, mfft=20)
        numbers = [s.k_min, s.p_min, s.k_max(70), s.p_max(70), s.p_num(70), s.f_pts, s.delta_t, s.delta_f]
        borders = [*s.lower_border_end, *s.upper_border_begin(70), *s.extent(70), *s.extent(70, "ft", True)]
        return [float(x) for x in numbers + borders], s.f, s.t(70), bool(s.invertible), float(s.fac_psd)

    checks([facts])


@pytest.mark.parametrize("mode", ["onesided", "onesided2X", "twosided", "centered"])
@pytest.mark.parametrize("scaling", ["magnitude", "psd", None])
def test_transforms_and_back(mode, scaling):
    def body(win, hop, shift, axis, padding, detr):
        def run(xp, sp):
            s = sp.ShortTimeFFT(
                xp.array(win), hop, 3.0, fft_mode=mode, mfft=20, scale_to=scaling, phase_shift=shift
            )
            x = xp.array(X if axis != 0 else X.T)
            x = x if "onesided" in mode else x * (1 + 0.5j)
            values = s.stft_detrend(x, detr, padding=padding, axis=axis)
            if axis == 0:
                return values, s.spectrogram(x, axis=axis)
            return values, s.spectrogram(x, padding=padding), s.istft(values, k1=70), s.istft(values, 5, 60)

        return run

    checks(
        [
            body(WINDOWS[0], 4, 0, -1, "zeros", None),
            body(WINDOWS[1], 3, None, -1, "even", None),
            body(WINDOWS[1], 5, 2, 1, "odd", "constant"),
            body(WINDOWS[0], 4, -3, 0, "edge", "linear"),
        ],
        1e3,
    )


def test_nearest_windows_of_inverses():
    w = WINDOWS[1]
    checks(
        [
            lambda xp, sp: sp.closest_STFT_dual_window(xp.array(w), 5),
            lambda xp, sp: sp.closest_STFT_dual_window(xp.array(w), 4, xp.array(w**2), scaled=False),
            lambda xp, sp: sp.closest_STFT_dual_window(xp.array(w * (1 + 1j)), 3, xp.array(w)),
            lambda xp, sp: sp.closest_STFT_dual_window(xp.array(w), 40),
            lambda xp, sp: sp.closest_STFT_dual_window(xp.array(w), 4, xp.array(w[1:])),
        ]
    )


def test_parts_products_and_errors():
    def made(xp, sp, **options):
        return sp.ShortTimeFFT(xp.array(WINDOWS[1]), 4, 3.0, **options)

    checks(
        [
            lambda xp, sp: made(xp, sp).stft(xp.array(X), 1, 5, k_offset=3),
            lambda xp, sp: made(xp, sp).spectrogram(xp.array(X), xp.array(X[::-1].copy())),
            lambda xp, sp: made(xp, sp).istft(
                xp.moveaxis(made(xp, sp).stft(xp.array(X)), 2, 0), f_axis=2, t_axis=0
            ),
            lambda xp, sp: sp.ShortTimeFFT.from_window("hann", 5.0, 16, 8).stft(xp.array(X)),
            lambda xp, sp: sp.ShortTimeFFT.from_dual(xp.array(WINDOWS[1]), 4, 5.0).win,
            lambda xp, sp: made(xp, sp).dual_win,
            lambda xp, sp: made(xp, sp).stft(xp.array(X) * 1j),
            lambda xp, sp: made(xp, sp).stft(xp.array(X), padding="x"),
            lambda xp, sp: made(xp, sp).stft(xp.array(X), 3, 2),
            lambda xp, sp: made(xp, sp).stft(xp.array(X[:, :3])),
            lambda xp, sp: made(xp, sp).istft(xp.ones((3, 3))),
            lambda xp, sp: made(xp, sp).istft(xp.ones((9, 30)), 10, 12),
            lambda xp, sp: made(xp, sp, mfft=3),
            lambda xp, sp: made(xp, sp, fft_mode="x"),
            lambda xp, sp: made(xp, sp, fft_mode="onesided2X"),
            lambda xp, sp: made(xp, sp, phase_shift=100),
            lambda xp, sp: made(xp, sp, scale_to="x"),
            lambda xp, sp: sp.ShortTimeFFT(xp.ones((2, 2)), 1, 1.0),
            lambda xp, sp: sp.ShortTimeFFT(xp.ones(4), 0, 1.0),
            lambda xp, sp: sp.ShortTimeFFT(xp.ones(4), 1, -1.0),
            lambda xp, sp: sp.ShortTimeFFT(xp.ones(4), 5, 1.0).dual_win,
        ],
        1e3,
    )
