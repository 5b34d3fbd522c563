"""Spectra, peaks, resampling and wave forms of ``cuprum.scipy.signal`` against ``scipy.signal``."""

import numpy as np
import pytest
import scipy.signal
from scipy_twin import check
from twin import collect, quiet

import cuprum as cp
from cuprum.scipy import signal

RNG = np.random.default_rng(11)
X = RNG.standard_normal((3, 400))
LINE = X[0]


# Lists of bodies have bad input among the good.
MISTAKES = (
    ValueError,
    TypeError,
    np.linalg.LinAlgError,
    IndexError,
    NotImplementedError,
    np.exceptions.AxisError,
)


def checks(bodies, units=256, may_raise=MISTAKES, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "signal", units, label=f"case {i}", may_raise=may_raise, **options)


def test_power_spectra():
    z = X + 1j * X[::-1]
    checks(
        [
            lambda xp, sp: sp.periodogram(xp.array(LINE)),
            lambda xp, sp: sp.periodogram(xp.array(X), 10.0, "hann", 512, "linear", axis=1),
            lambda xp, sp: sp.periodogram(xp.array(X), nfft=100, scaling="spectrum"),
            lambda xp, sp: sp.periodogram(xp.array(z), return_onesided=False),
            lambda xp, sp: sp.periodogram(xp.array(X[:, :0])),
            lambda xp, sp: sp.periodogram(xp.array(X), window=xp.ones(7)),
            lambda xp, sp: sp.welch(xp.array(LINE)),
            lambda xp, sp: sp.welch(xp.array(X.T), 5.0, nperseg=64, axis=0),
            lambda xp, sp: sp.welch(xp.array(X), nperseg=65, noverlap=20, nfft=128, average="median"),
            lambda xp, sp: sp.welch(xp.array(X), nperseg=64, detrend=False, scaling="spectrum"),
            lambda xp, sp: sp.welch(xp.array(X, "f4"), nperseg=64),
            lambda xp, sp: sp.welch(xp.array(LINE), nperseg=1000),
            lambda xp, sp: sp.welch(xp.array(LINE), nperseg=50, noverlap=50),
            lambda xp, sp: sp.welch(xp.array(LINE), nperseg=50, nfft=20),
            lambda xp, sp: sp.welch(xp.array(LINE), nperseg=-1),
            lambda xp, sp: sp.welch(xp.array(LINE), nperseg=50, average="strange"),
            lambda xp, sp: sp.welch(xp.array(LINE), nperseg=50, scaling="strange"),
            lambda xp, sp: sp.welch(xp.array(LINE), window=xp.ones(20)),
            lambda xp, sp: sp.csd(xp.array(X[0]), xp.array(X[1]), nperseg=64),
            lambda xp, sp: sp.csd(xp.array(X[0]), xp.array(X[1][:300]), nperseg=64, average="median"),
            lambda xp, sp: sp.csd(xp.array(X), xp.array(X[:1]), nperseg=64, detrend="linear"),
            lambda xp, sp: sp.csd(xp.array(X), xp.array(X[:2]), nperseg=64),
            lambda xp, sp: sp.csd(xp.array(z[0]), xp.array(X[1]), nperseg=64),
            lambda xp, sp: sp.coherence(xp.array(X[0]), xp.array(X[1]), nperseg=64),
        ]
    )


def test_short_time_transforms():
    z = X + 1j * X[::-1]
    checks(
        [
            lambda xp, sp: sp.spectrogram(xp.array(LINE)),
            *(
                lambda xp, sp, m=m: sp.spectrogram(xp.array(X), 3.0, "hann", 32, mode=m)
                for m in ("psd", "complex", "magnitude", "angle", "phase", "strange")
            ),
            lambda xp, sp: sp.spectrogram(xp.array(X.T), nperseg=64, noverlap=10, axis=0),
            lambda xp, sp: sp.stft(xp.array(LINE), nperseg=64),
            lambda xp, sp: sp.stft(xp.array(X.T), 2.0, nperseg=65, noverlap=40, axis=0, scaling="psd"),
            *(
                lambda xp, sp, b=b: sp.stft(xp.array(X), nperseg=33, boundary=b, padded=False)
                for b in ("even", "odd", "constant", "zeros", None, "strange")
            ),
            lambda xp, sp: sp.stft(xp.array(z), nperseg=32, return_onesided=False),
            lambda xp, sp: sp.stft(xp.array(X), nperseg=32, scaling="strange"),
            lambda xp, sp: sp.stft(xp.array(X), nperseg=32, detrend="constant"),
            lambda xp, sp: sp.istft(xp.array(scipy.signal.stft(X, nperseg=64)[2])),
            lambda xp, sp: sp.istft(
                xp.array(scipy.signal.stft(LINE, nperseg=65, noverlap=50)[2]), nperseg=65, noverlap=50
            ),
            lambda xp, sp: sp.istft(
                xp.array(scipy.signal.stft(z, nperseg=32, return_onesided=False)[2]), input_onesided=False
            ),
            lambda xp, sp: sp.istft(
                xp.moveaxis(xp.array(scipy.signal.stft(X, nperseg=64)[2]), 2, 0), time_axis=0, freq_axis=-1
            ),
            lambda xp, sp: sp.istft(xp.ones(3)),
            lambda xp, sp: sp.istft(xp.ones((3, 3)), time_axis=1, freq_axis=1),
            lambda xp, sp: sp.istft(xp.ones((3, 3)), nperseg=4, noverlap=4),
            lambda xp, sp: [
                bool(sp.check_COLA(w, 120, o)) for w in ("hann", "hamming", "boxcar") for o in (0, 60, 80)
            ],
            lambda xp, sp: [bool(sp.check_NOLA(w, 64, o)) for w in ("hann", "boxcar") for o in (0, 1, 32)],
            lambda xp, sp: sp.check_NOLA("hann", 64, -1),
            lambda xp, sp: sp.check_COLA(xp.ones(3), 4, 1),
        ]
    )


def test_periodograms_of_uneven_samples():
    t, w = np.sort(RNG.uniform(0, 30, 80)), np.linspace(0.1, 6, 40)
    y = np.cos(2 * t) + 0.3 * RNG.standard_normal(80) + 1
    checks(
        [
            lambda xp, sp: sp.lombscargle(xp.array(t), xp.array(y), xp.array(w)),
            lambda xp, sp: sp.lombscargle(xp.array(t), xp.array(y), xp.array(w), normalize=True),
            lambda xp, sp: sp.lombscargle(xp.array(t), xp.array(y), xp.array(w), floating_mean=True),
            lambda xp, sp: sp.lombscargle(
                *(xp.array(a) for a in (t, y, w)), weights=xp.array(abs(y)), normalize="amplitude"
            ),
            lambda xp, sp: sp.lombscargle(xp.array(t), xp.array(y[:3]), xp.array(w)),
            lambda xp, sp: sp.lombscargle(xp.array(t), xp.array(y), xp.array(w), normalize="strange"),
            lambda xp, sp: sp.vectorstrength(xp.array(t), 3.0),
            lambda xp, sp: sp.vectorstrength(xp.array(t), xp.array([1.0, 2.0])),
            lambda xp, sp: sp.vectorstrength(xp.array(t), -3.0),
            lambda xp, sp: sp.vectorstrength(xp.array(X), 3.0),
        ],
        1e4,
    )


STEPS = np.round(np.cumsum(RNG.standard_normal(500)), 0)


@pytest.mark.parametrize(
    "x", [LINE, STEPS, np.zeros(5), np.array([1.0]), np.array([]), np.array([0, np.nan, 0, 1, 0])]
)
def test_peaks(x):
    border = np.full(x.shape, 0.3)
    checks(
        [
            lambda xp, sp: sp.find_peaks(xp.array(x)),
            lambda xp, sp: sp.find_peaks(xp.array(x), height=0.5),
            lambda xp, sp: sp.find_peaks(xp.array(x), height=(None, 0.5), threshold=0.2),
            lambda xp, sp: sp.find_peaks(xp.array(x), height=xp.array(border), threshold=(0.1, 1)),
            lambda xp, sp: sp.find_peaks(xp.array(x), plateau_size=(1, 2)),
            lambda xp, sp: sp.find_peaks(xp.array(x), prominence=0.7),
            lambda xp, sp: sp.find_peaks(xp.array(x), prominence=(0.2, 3), width=1.5, wlen=31),
            lambda xp, sp: sp.find_peaks(
                xp.array(x), width=(None, 3), rel_height=0.8, distance=5 if x is LINE else None
            ),
            lambda xp, sp: sp.find_peaks(xp.array(x), distance=0.5),
            lambda xp, sp: sp.find_peaks(xp.array(X)),
            lambda xp, sp: sp.find_peaks(xp.array(x), width=1, wlen=1),
            lambda xp, sp: sp.find_peaks(xp.array(x), height=xp.array([1.0, 2.0, 3.0])),
        ]
    )


@pytest.mark.parametrize("distance", [1, 2, 3.5, 10, 1000])
def test_peaks_that_are_apart(distance):
    for x in (LINE, np.arange(300) % 2 * np.arange(300.0), np.arange(300) % 2 * np.arange(300.0)[::-1]):
        want = scipy.signal.find_peaks(x, distance=distance)[0]
        got = cp.asnumpy(signal.find_peaks(cp.array(x), distance=distance)[0])
        assert np.array_equal(got, want)


@pytest.mark.parametrize("kind", ["walk", "steps", "holes", "noise"])
def test_prominences_of_long_signals(kind):
    """Bases far away, beyond many blocks; of equal ones the nearest; NaNs end a walk."""
    x = RNG.standard_normal(5000)
    x = x if kind == "noise" else np.cumsum(x)
    if kind == "steps":
        x = np.round(x)
    if kind == "holes":
        x[RNG.integers(0, 5000, 5)] = np.nan
    peaks = scipy.signal.find_peaks(x)[0]
    checks(
        [
            lambda xp, sp, w=w: sp.peak_prominences(xp.array(x), xp.array(peaks), w)
            for w in (None, 63, 129, 1000)
        ],
        0,
    )


def test_prominences_and_widths():
    peaks = scipy.signal.find_peaks(LINE)[0]
    checks(
        [
            lambda xp, sp: sp.peak_prominences(xp.array(LINE), xp.array(peaks)),
            lambda xp, sp: sp.peak_prominences(xp.array(LINE), xp.array(peaks), wlen=20),
            lambda xp, sp: sp.peak_prominences(xp.array(LINE), xp.array([5, 6, 7])),
            lambda xp, sp: sp.peak_prominences(xp.array(LINE), xp.array([5, 1000])),
            lambda xp, sp: sp.peak_prominences(xp.array(LINE), xp.array([5.5])),
            lambda xp, sp: sp.peak_prominences(xp.array(LINE), []),
            lambda xp, sp: sp.peak_widths(xp.array(LINE), xp.array(peaks)),
            lambda xp, sp: sp.peak_widths(xp.array(LINE), xp.array(peaks), 1.0, wlen=50),
            lambda xp, sp: sp.peak_widths(xp.array(LINE), xp.array(peaks), -1.0),
            lambda xp, sp: sp.peak_widths(
                xp.array(LINE), xp.array([5]), 0.5, (xp.ones(1), xp.array([9]), xp.array([3]))
            ),
        ]
    )


def test_relative_extrema():
    checks(
        [
            lambda xp, sp: sp.argrelmax(xp.array(LINE)),
            lambda xp, sp: sp.argrelmin(xp.array(X), axis=1, order=3),
            lambda xp, sp: sp.argrelmax(xp.array(X), axis=0, mode="wrap"),
            lambda xp, sp: sp.argrelextrema(xp.array(STEPS), xp.greater_equal, order=2),
            lambda xp, sp: sp.argrelmax(xp.array(LINE), order=0),
            lambda xp, sp: sp.argrelmax(xp.array(LINE), order=1.5),
        ]
    )


def test_resampling():
    z = X + 1j * X[::-1]
    checks(
        [
            *(
                lambda xp, sp, n=n: sp.resample(xp.array(LINE), n)
                for n in (399, 400, 401, 100, 101, 800, 1, 3)
            ),
            *(lambda xp, sp, n=n: sp.resample(xp.array(z), n, axis=1) for n in (399, 100, 101, 800)),
            lambda xp, sp: sp.resample(xp.array(X[:, :99]), 40, axis=1, window="hann"),
            lambda xp, sp: sp.resample(xp.array(X[:, :99]), 40, axis=1, window=lambda f: xp.exp(-f * f)),
            lambda xp, sp: sp.resample(xp.array(LINE), 50, t=xp.arange(400) * 0.1),
            lambda xp, sp: sp.resample(xp.array(LINE), 50, domain="strange"),
            lambda xp, sp: sp.resample(xp.array(z), 50, axis=-1, domain="freq"),
            lambda xp, sp: sp.resample_poly(xp.array(LINE), 3, 2),
            lambda xp, sp: sp.resample_poly(xp.array(X), 2, 7, axis=1),
            lambda xp, sp: sp.resample_poly(xp.array(X.T), 4, 6, padtype="line"),
            *(
                lambda xp, sp, p=p: sp.resample_poly(xp.array(X), 5, 3, axis=1, padtype=p)
                for p in ("mean", "median", "minimum", "maximum", "edge", "reflect", "strange")
            ),
            lambda xp, sp: sp.resample_poly(xp.array(X), 1, 3, axis=1, window=xp.array([0.2, 0.5, 0.3])),
            lambda xp, sp: sp.resample_poly(xp.array(LINE), 2, 2),
            lambda xp, sp: sp.resample_poly(xp.array(LINE), 0, 2),
            lambda xp, sp: sp.resample_poly(xp.array(LINE), 1.5, 2),
            lambda xp, sp: sp.decimate(xp.array(LINE), 4),
            lambda xp, sp: sp.decimate(xp.array(X), 3, ftype="fir", axis=1),
            lambda xp, sp: sp.decimate(xp.array(X), 3, 20, "fir", zero_phase=False),
            lambda xp, sp: sp.decimate(xp.array(X), 3, zero_phase=False),
            lambda xp, sp: sp.decimate(xp.array(X), 3, ftype="strange"),
        ],
        1e4,
    )


@pytest.mark.parametrize(
    "mode",
    [
        "constant",
        "symmetric",
        "reflect",
        "wrap",
        "edge",
        "antisymmetric",
        "antireflect",
        "smooth",
        "line",
        "x",
    ],
)
def test_filters_between_rates(mode):
    h, x = RNG.standard_normal(13), RNG.standard_normal((4, 9))
    checks(
        [
            *(
                lambda xp, sp, u=u, d=d: sp.upfirdn(xp.array(h), xp.array(x), u, d, mode=mode)
                for u, d in [(1, 1), (3, 1), (1, 3), (5, 2), (2, 5)]
            ),
            lambda xp, sp: sp.upfirdn(xp.array(h), xp.array(x), 2, 3, axis=0, mode=mode),
            lambda xp, sp: sp.upfirdn(xp.array(h, "f4"), xp.array(x, "f4"), 2, 3, mode=mode),
            lambda xp, sp: sp.upfirdn(xp.array(h) * 1j, xp.array(x) * (1 + 2j), 2, 3, mode=mode),
            lambda xp, sp: sp.upfirdn(xp.array(h), xp.array([1, 2, 3]), 2, 3, mode=mode),
        ]
    )


RATES = [(3, 2), (2, 3), (1, 4), (5, 1), (6, 4), (8, 3), (7, 9), (160, 147), (3, 40), (1, 50)]


@pytest.mark.parametrize("up, down", RATES)
def test_long_signals_at_other_rates(up, down):
    x, h = RNG.standard_normal((2, 9000)), RNG.standard_normal(50)
    checks(
        [
            lambda xp, sp: sp.upfirdn(xp.array(h), xp.array(x), up, down),
            lambda xp, sp: sp.upfirdn(xp.array(h), xp.array(x), up, down, mode="reflect"),
            lambda xp, sp: sp.upfirdn(xp.array(h[:2]), xp.array(x.T), up, down, axis=0),
            lambda xp, sp: sp.resample_poly(xp.array(x), up, down, axis=1),
        ],
        64,
    )


def test_errors_of_filters_between_rates():
    checks(
        [
            lambda xp, sp: sp.upfirdn(xp.array([]), xp.array(X)),
            lambda xp, sp: sp.upfirdn(xp.array(X), xp.array(X)),
            lambda xp, sp: sp.upfirdn(xp.array(LINE), xp.array(X), 0),
            lambda xp, sp: sp.upfirdn(xp.array([1.0, 2.0]), xp.array(LINE), 2, 1, cval=3.0),
        ]
    )


def test_polynomials_of_windows():
    bodies = [
        lambda xp, sp, m=m, d=d: sp.savgol_filter(xp.array(X), 7, 3, d, 0.5, mode=m)
        for m in ("interp", "mirror", "constant", "nearest", "wrap", "strange")
        for d in (0, 1, 4)
    ]
    bodies += [
        lambda xp, sp: sp.savgol_filter(xp.array(X.T), 8, 2, axis=0),
        lambda xp, sp: sp.savgol_filter(xp.array([1, 2, 4, 1, 2]), 5, 4),
        lambda xp, sp: sp.savgol_filter(xp.array(X[:, :5]), 7, 2),
        lambda xp, sp: sp.savgol_filter(xp.array(X), 7, 7),
        lambda xp, sp: sp.savgol_coeffs(7, 3),
        lambda xp, sp: sp.savgol_coeffs(8, 3, pos=2, use="dot", deriv=1, delta=0.1),
        lambda xp, sp: sp.savgol_coeffs(7, 3, pos=9),
        lambda xp, sp: sp.savgol_coeffs(7, 3, use="strange"),
    ]
    checks(bodies, 1e4)
    x32 = cp.array(X, "f4")
    assert signal.savgol_filter(x32, 7, 3).dtype == np.float32


def test_wave_forms():
    t = np.linspace(-3, 12, 77)
    checks(
        [
            lambda xp, sp: sp.sawtooth(xp.array(t)),
            lambda xp, sp: sp.sawtooth(xp.array(t), 0.3),
            lambda xp, sp: sp.sawtooth(xp.array(t), xp.linspace(-0.2, 1.2, 77)),
            lambda xp, sp: sp.square(xp.array(t), xp.linspace(-0.2, 1.2, 77)),
            lambda xp, sp: sp.square(xp.array(t)),
            lambda xp, sp: sp.gausspulse(xp.array(t), 0.4, retquad=True, retenv=True),
            lambda xp, sp: sp.gausspulse("cutoff", 5.0),
            lambda xp, sp: sp.gausspulse("other", 5.0),
            lambda xp, sp: sp.gausspulse(xp.array(t), -1),
            *(
                lambda xp, sp, m=m: sp.chirp(xp.array(t), 1.0, 10.0, 3.0, m, 30)
                for m in ("linear", "quadratic", "logarithmic", "hyperbolic", "strange")
            ),
            lambda xp, sp: sp.chirp(xp.array(t), 1.0, 10.0, 3.0, "quadratic", vertex_zero=False),
            lambda xp, sp: sp.chirp(xp.array(t), 1.0, 10.0, 3.0, complex=True),
            lambda xp, sp: sp.chirp(xp.array(t), 1.0, 10.0, -3.0, "log"),
            lambda xp, sp: sp.sweep_poly(xp.array(t), [0.01, 0.2, 1.0], 45),
            lambda xp, sp: sp.unit_impulse(5),
            lambda xp, sp: sp.unit_impulse((3, 4), "mid", dtype="int32"),
            lambda xp, sp: sp.unit_impulse((3, 4), (1, 2)),
            lambda xp, sp: sp.unit_impulse((3, 4), 9),
        ],
        1e4,
    )


@pytest.mark.parametrize("nbits", [2, 3, 5, 8, 12])
def test_sequences_of_maximum_length(nbits):
    state = [1] + [0] * (nbits - 1)
    checks(
        [
            lambda xp, sp: sp.max_len_seq(nbits),
            lambda xp, sp: sp.max_len_seq(nbits, state=xp.array(state)),
            lambda xp, sp: sp.max_len_seq(nbits, length=3),
            lambda xp, sp: sp.max_len_seq(nbits, length=1000, taps=[1]),
            lambda xp, sp: sp.max_len_seq(nbits, length=0),
            lambda xp, sp: sp.max_len_seq(nbits, state=xp.zeros(nbits)),
            lambda xp, sp: sp.max_len_seq(nbits, state=xp.ones(nbits + 1)),
            lambda xp, sp: sp.max_len_seq(nbits, taps=[100]),
            lambda xp, sp: sp.max_len_seq(100),
            lambda xp, sp: sp.max_len_seq(nbits, length=-1),
        ]
    )


def test_chirp_z_transforms():
    checks(
        [
            lambda xp, sp: sp.czt(xp.array(LINE[:50])),
            lambda xp, sp: sp.czt(xp.array(X[:, :30]), 20, np.exp(-0.1j), 1.1 + 0.1j),
            lambda xp, sp: sp.czt(xp.array(X[:, :30].T), axis=0),
            lambda xp, sp: sp.czt(xp.array(LINE), m=-1),
            lambda xp, sp: sp.czt_points(7),
            lambda xp, sp: sp.czt_points(7, 0.9, 1.1),
            lambda xp, sp: sp.CZT(5)(xp.array(LINE[:6])),
            lambda xp, sp: sp.CZT(5, 3).points(),
            lambda xp, sp: sp.zoom_fft(xp.array(X[:, :30]), [0.1, 0.4], 12, fs=3),
            lambda xp, sp: sp.zoom_fft(xp.array(X[:, :30]), 0.4, endpoint=True),
            lambda xp, sp: sp.zoom_fft(xp.array(X[:, :30]), [1, 2, 3]),
        ],
        1e3,
        dtype=False,
    )


def test_warnings_name_what_is_wrong():
    with pytest.warns(RuntimeWarning, match="prominence of 0"):
        signal.peak_prominences(cp.array([1.0, 2.0, 3.0]), [0])
    with pytest.warns(UserWarning, match="nperseg = 1000"):
        signal.welch(cp.array(LINE), nperseg=1000)
    with quiet():
        assert signal.istft(cp.ones((5, 4)), window=cp.array([0.0] * 8))[1].shape == (12,)
