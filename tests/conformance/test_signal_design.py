"""Design and conversion of filters in ``cuprum.scipy.signal`` against ``scipy.signal``."""

import numpy as np
import pytest
import scipy.signal
from scipy_twin import SCIPY, check
from twin import collect

import cuprum as cp
from cuprum.scipy import signal

RNG = np.random.default_rng(7)
POLES = np.array([0.5, -0.3, 0.4 + 0.3j, 0.4 - 0.3j, 0.1 + 0.7j, 0.1 - 0.7j])
ZEROS = np.array([-1.0, -0.8, 0.2 + 0.9j, 0.2 - 0.9j])


# Lists of bodies have bad input among the good.
MISTAKES = (ValueError, TypeError, np.linalg.LinAlgError)


def checks(bodies, units=64, may_raise=MISTAKES, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "signal", units, label=f"case {i}", may_raise=may_raise, **options)


def ordered(xp, roots):
    """Roots in an order that does not depend on who found them."""
    roots = roots[xp.argsort(roots.imag.round(7), stable=True)]
    return roots[xp.argsort(roots.real.round(7), stable=True)]


BANDS = [("low", 0.3), ("high", 0.4), ("bandpass", [0.2, 0.5]), ("bandstop", [0.3, 0.6])]


@pytest.mark.parametrize("output", ["ba", "zpk", "sos"])
@pytest.mark.parametrize("analog", [False, True])
def test_families_of_recursive_filters(output, analog):
    def body(name, n, band, edges, *ripples):
        def run(xp, sp):
            result = getattr(sp, name)(n, *ripples, edges, band, analog=analog, output=output)
            if output == "zpk":
                return ordered(xp, result[0]), ordered(xp, result[1]), float(result[2])
            return result

        return run

    bodies = []
    for n in (1, 2, 5, 8):
        for band, edges in BANDS:
            bodies.append(body("butter", n, band, edges))
            bodies.append(body("cheby1", n, band, edges, 1.0))
            bodies.append(body("cheby2", n, band, edges, 40.0))
            bodies.append(body("ellip", n, band, edges, 0.5, 50.0))
            bodies.append(body("bessel", n, band, edges))
    # Roots of elliptic filters come from series; the widest of them differ in the last digits.
    checks(bodies, units=1e6, dtype=output != "zpk")


def test_recursive_design_with_a_sampling_frequency_and_errors():
    checks(
        [
            lambda xp, sp: sp.butter(3, 100, fs=1000),
            lambda xp, sp: sp.butter(3, [100, 200], "band", fs=1000),
            lambda xp, sp: sp.butter(3, 1.5),
            lambda xp, sp: sp.butter(3, 0),
            lambda xp, sp: sp.butter(3, 0.3, "strange"),
            lambda xp, sp: sp.butter(3, 0.3, output="strange"),
            lambda xp, sp: sp.butter(3, 0.3, "band"),
            lambda xp, sp: sp.butter(3, [0.3, 0.5], "low"),
            lambda xp, sp: sp.butter(3, [0.5, 0.3], "band"),
            lambda xp, sp: sp.butter(3, 10, analog=True, fs=3),
            lambda xp, sp: sp.butter(2.5, 0.3),
            lambda xp, sp: sp.iirfilter(3, 0.3, btype="low", ftype="cheby1"),
            lambda xp, sp: sp.iirfilter(3, 0.3, btype="low", ftype="nothing"),
            lambda xp, sp: sp.iirfilter(3, 0.3, rp=-1, btype="low", ftype="cheby1"),
            lambda xp, sp: sp.bessel(4, 0.3, norm="delay"),
            lambda xp, sp: sp.bessel(12, 0.3, norm="mag"),
            lambda xp, sp: sp.besselap(3, "strange"),
            lambda xp, sp: sp.butter(0, 0.3),
        ],
        1e4,
    )


@pytest.mark.parametrize("name", ["buttord", "cheb1ord", "cheb2ord", "ellipord"])
def test_orders(name):
    def body(*args, **kwargs):
        return lambda xp, sp: getattr(sp, name)(*args, **kwargs)

    checks(
        [
            body(0.2, 0.3, 3, 40),
            body(0.3, 0.2, 1, 60),
            body([0.2, 0.5], [0.1, 0.6], 3, 40),
            body(20, 30, 3, 40, analog=True),
            body(200, 300, 3, 40, fs=2000),
            body(0.2, 0.3, 40, 3),
            body(0.2, 0.3, -1, 3),
            body(0.2, 0.3, 1, 3, fs=[1, 2]),
        ],
        1e4,
        dtype=False,
    )
    # The edges of a stopband are found by a search that ends at about five digits.
    checks([body([0.1, 0.6], [0.2, 0.5], 3, 40)], 1e9, dtype=False)


@pytest.mark.parametrize("ftype", ["butter", "cheby1", "cheby2", "ellip"])
def test_design_by_bands(ftype):
    checks(
        [
            lambda xp, sp: sp.iirdesign(0.2, 0.3, 1, 40, ftype=ftype, output="sos"),
            lambda xp, sp: sp.iirdesign(0.3, 0.2, 1, 40, ftype=ftype),
            lambda xp, sp: sp.iirdesign([0.2, 0.5], [0.1, 0.6], 1, 40, ftype=ftype, output="sos"),
            lambda xp, sp: sp.iirdesign([0.2, 0.5], [0.3, 0.6], 1, 40, ftype=ftype),
            lambda xp, sp: sp.iirdesign(0.2, [0.3, 0.6], 1, 40, ftype=ftype),
            lambda xp, sp: sp.iirdesign(0.2, 1.3, 1, 40, ftype=ftype),
            lambda xp, sp: sp.iirdesign(0.2, 0.3, 1, 40, ftype="bessel"),
        ],
        1e7,
    )


def test_transfer_functions_roots_and_sections():
    b, a = np.poly(ZEROS).real, np.poly(POLES).real
    checks(
        [
            lambda xp, sp: sp.zpk2tf(xp.array(ZEROS), xp.array(POLES), 2.0),
            lambda xp, sp: sp.zpk2tf(
                xp.array([ZEROS.real, ZEROS.imag]), xp.array([0.5, 0.2]), xp.array([1.0, 2.0])
            ),
            lambda xp, sp: [ordered(xp, r) for r in sp.tf2zpk(xp.array(b), xp.array(a))[:2]],
            lambda xp, sp: sp.tf2zpk(xp.array(b), xp.array(a))[2],
            lambda xp, sp: sp.normalize(xp.array([0.0, 2.0, 3.0]), xp.array([0.0, 2.0, 4.0])),
            lambda xp, sp: sp.normalize(xp.array([[0.0, 2.0, 3.0], [1.0, 2.0, 3.0]]), xp.array([2.0, 4.0])),
            lambda xp, sp: sp.normalize(xp.array([1.0]), xp.array([0.0, 0.0])),
            lambda xp, sp: sp.normalize(xp.array([1.0]), xp.ones((2, 2))),
            lambda xp, sp: sp.sos2tf(sp.zpk2sos(xp.array(ZEROS), xp.array(POLES), 2.0)),
            lambda xp, sp: sp.sos2tf(xp.array([[1, 2, 3, 1, 4, 5]])),
            lambda xp, sp: sp.zpk2sos(xp.array([1j]), xp.array([0.1]), 1.0),
            lambda xp, sp: sp.zpk2sos(xp.array([0.1]), xp.array([0.1]), 1.0, pairing="strange"),
            lambda xp, sp: sp.zpk2sos(xp.array([0.1]), xp.array([0.1]), 1.0, pairing="nearest", analog=True),
            lambda xp, sp: sp.zpk2sos(xp.array([]), xp.array([]), 3.0),
            lambda xp, sp: sp.tf2sos(xp.array(b), xp.array(a)),
            lambda xp, sp: float(sp.sos2zpk(sp.zpk2sos(xp.array(ZEROS), xp.array(POLES), 2.0))[2]),
        ],
        1e4,
    )


@pytest.mark.parametrize("pairing", [None, "nearest", "keep_odd", "minimal"])
def test_pairing_of_roots(pairing):
    cases = [
        (ZEROS, POLES),
        (ZEROS[:3].real, POLES[:3].real),
        (ZEROS[2:], POLES[2:]),
        (ZEROS[:1], POLES[:5].real),
        (np.array([-1.0, -1, -1]), np.array([0.5, 0.3 + 0.2j, 0.3 - 0.2j])),
        (np.array([1j, -1j, -1.0]), np.array([0.5, 0.3 + 0.2j, 0.3 - 0.2j])),
    ]
    checks(
        [
            lambda xp, sp, z=z, p=p: sp.zpk2sos(xp.array(z), xp.array(p), 0.7, pairing=pairing)
            for z, p in cases
            if pairing != "minimal" or len(z) <= len(p)
        ]
    )


def test_band_transforms():
    b, a = np.array([1.0, 2.0]), np.array([1.0, 3.0, 4.0, 2.0])
    z, p = np.array([-1.5, -2.0]), np.array([-1.0, -2 + 1j, -2 - 1j])
    bodies = []
    for name, extra in [("lp2lp", (2.5,)), ("lp2hp", (2.5,)), ("lp2bp", (2.5, 0.7)), ("lp2bs", (2.5, 0.7))]:
        bodies.append(lambda xp, sp, n=name, e=extra: getattr(sp, n)(xp.array(b), xp.array(a), *e))
        bodies.append(
            lambda xp, sp, n=name, e=extra: getattr(sp, n + "_zpk")(xp.array(z), xp.array(p), 3.0, *e)
        )
        bodies.append(lambda xp, sp, n=name: getattr(sp, n + "_zpk")(xp.array(p), xp.array(z), 3.0))
    bodies += [
        lambda xp, sp: sp.bilinear(xp.array(b), xp.array(a), 4.0),
        lambda xp, sp: sp.bilinear(xp.array(b), xp.array(a), None),
        lambda xp, sp: sp.bilinear_zpk(xp.array(z), xp.array(p), 3.0, 4.0),
        lambda xp, sp: sp.bilinear_zpk(xp.array(p), xp.array(z), 3.0, 4.0),
    ]
    checks(bodies, 1e3, dtype=False)


def test_notches_and_the_ear():
    checks(
        [
            lambda xp, sp: sp.iirnotch(60, 30, 200),
            lambda xp, sp: sp.iirpeak(0.3, 20),
            lambda xp, sp: sp.iirpeak(3, 20),
            lambda xp, sp: sp.iircomb(50, 30, fs=400),
            lambda xp, sp: sp.iircomb(50, 30, "peak", fs=400, pass_zero=True),
            lambda xp, sp: sp.iircomb(50, 30, "strange", fs=400),
            lambda xp, sp: sp.iircomb(50, 30, fs=410),
            lambda xp, sp: sp.gammatone(440, "iir", fs=16000),
            lambda xp, sp: sp.gammatone(440, "fir", 3, 50, fs=16000),
            lambda xp, sp: sp.gammatone(440, "fir", fs=100),
        ],
        1e3,
    )


def test_finite_responses():
    checks(
        [
            lambda xp, sp: sp.firwin(31, 0.3),
            lambda xp, sp: sp.firwin(31, 0.3, pass_zero=False),
            lambda xp, sp: sp.firwin(30, [0.2, 0.5], pass_zero="bandpass", window=("kaiser", 5.0)),
            lambda xp, sp: sp.firwin(31, [0.2, 0.5, 0.7], width=0.1, scale=False),
            lambda xp, sp: sp.firwin(31, [200, 500], pass_zero="bandstop", fs=2000),
            lambda xp, sp: sp.firwin(30, 0.3, pass_zero="highpass"),
            lambda xp, sp: sp.firwin(31, 1.3),
            lambda xp, sp: sp.firwin(31, [0.5, 0.3]),
            lambda xp, sp: sp.firwin(31, [0.3, 0.5], pass_zero="lowpass"),
            lambda xp, sp: sp.firwin(31, 0.5, pass_zero="strange"),
            lambda xp, sp: sp.firwin2(50, [0.0, 0.5, 1.0], [1.0, 1.0, 0.0]),
            lambda xp, sp: sp.firwin2(
                51, [0.0, 0.5, 0.5, 1.0], [1.0, 1.0, 0.0, 0.0], nfreqs=100, window=None
            ),
            lambda xp, sp: sp.firwin2(51, [0.0, 0.5, 1.0], [0.0, 1.0, 0.0], antisymmetric=True),
            lambda xp, sp: sp.firwin2(50, [0.0, 0.5, 1.0], [1.0, 1.0, 1.0]),
            lambda xp, sp: sp.firwin2(50, [0.1, 0.5, 1.0], [1.0, 1.0, 0.0]),
            lambda xp, sp: sp.firls(21, [0, 0.3, 0.4, 1], [1, 1, 0, 0]),
            lambda xp, sp: sp.firls(21, [0, 0.3, 0.4, 1], [1, 0.5, 0, 0], weight=[1, 3]),
            lambda xp, sp: sp.firls(20, [0, 0.3, 0.4, 1], [1, 0.5, 0, 0]),
            lambda xp, sp: sp.firls(21, [0, 0.5, 0.4, 1], [1, 0.5, 0, 0]),
            lambda xp, sp: sp.firwin_2d((5, 7), ("hamming", "hann"), fc=0.4),
            lambda xp, sp: sp.firwin_2d((5, 7), "hamming", fc=0.4, circular=True),
            lambda xp, sp: sp.firwin_2d((5, 7), "hamming", circular=True),
            lambda xp, sp: sp.firwin_2d((5,), "hamming", fc=0.4),
            lambda xp, sp: sp.kaiserord(65, 0.1),
            lambda xp, sp: sp.kaiserord(5, 0.1),
            lambda xp, sp: [sp.kaiser_beta(a) for a in (10, 30, 60)],
            lambda xp, sp: sp.minimum_phase(sp.firwin(31, 0.3), n_fft=10),
            lambda xp, sp: sp.minimum_phase(sp.firwin(31, 0.3), "strange"),
        ],
        1e5,
    )


@pytest.mark.parametrize("n_fft", [512, 513])
def test_minimum_phases_fold_the_whole_cepstrum(n_fft):
    """SciPy 1.18 counts the highest frequency, once of an even number; before it was left out."""
    h = scipy.signal.firwin(31, 0.3)
    size = np.abs(np.fft.fft(h, n_fft))
    fold = np.full(n_fft, 2.0)
    fold[0], fold[n_fft // 2 + 1 :] = 1, 0
    if n_fft % 2 == 0:
        fold[n_fft // 2] = 1
    for half, length in ((True, 16), (False, 31)):
        cepstrum = np.fft.ifft(np.log(size + 1e-7 * size.min()) * (0.5 if half else 1.0)).real
        want = np.fft.ifft(np.exp(np.fft.fft(cepstrum * fold))).real[:length]
        got = signal.minimum_phase(cp.array(h), n_fft=n_fft, half=half)
        np.testing.assert_allclose(cp.asnumpy(got), want, atol=1e-12)
        if SCIPY >= (1, 18):
            theirs = scipy.signal.minimum_phase(h, n_fft=n_fft, half=half)
            np.testing.assert_allclose(cp.asnumpy(got), theirs, atol=1e-12)


def test_frequency_responses():
    b, a = np.array([1.0, 0.5, 0.2]), np.array([1.0, -0.6, 0.3])
    sos = np.array([[1.0, 0.5, 0.2, 1.0, -0.6, 0.3], [0.3, 0.2, 0.0, 1.0, 0.1, 0.0]])
    checks(
        [
            lambda xp, sp: sp.freqz(xp.array(b), xp.array(a), 64),
            lambda xp, sp: sp.freqz(xp.array(b), xp.array(a), 65, whole=True, fs=100.0),
            lambda xp, sp: sp.freqz(xp.array(b), 1, 33, include_nyquist=True),
            lambda xp, sp: sp.freqz(xp.array(b), 1, 33, whole=True),
            lambda xp, sp: sp.freqz(xp.array(b), xp.array(a), xp.array([0.1, 0.5])),
            lambda xp, sp: sp.freqz(xp.array(b), xp.array(a), -3),
            lambda xp, sp: sp.freqz(xp.array(b), xp.array(a), fs=None),
            lambda xp, sp: sp.freqz_zpk(xp.array(ZEROS), xp.array(POLES), 0.5, 40),
            lambda xp, sp: sp.freqz_sos(xp.array(sos), 40, fs=3.0),
            lambda xp, sp: sp.sosfreqz(xp.array(sos), 40, whole=True),
            lambda xp, sp: sp.freqz_sos(xp.array(sos)[:, :5]),
            lambda xp, sp: sp.freqs(xp.array(b), xp.array(a), 50),
            lambda xp, sp: sp.freqs(xp.array(b), xp.array(a), xp.array([0.1, 10.0])),
            lambda xp, sp: sp.freqs_zpk(xp.array([-1.0]), xp.array([-2.0, -3.0]), 2.0, 50),
            lambda xp, sp: sp.findfreqs(xp.array(b), xp.array(a), 5, "strange"),
            lambda xp, sp: sp.group_delay((xp.array(b), xp.array(a)), 40),
            lambda xp, sp: sp.group_delay((xp.array([1.0, 1.0]), 1), 16, whole=True),
        ],
        1e3,
    )


def test_least_largest_errors():
    checks(
        [
            lambda xp, sp: sp.remez(31, [0, 0.1, 0.2, 0.5], [1, 0]),
            lambda xp, sp: sp.remez(30, [0, 0.1, 0.2, 0.5], [1, 0]),
            lambda xp, sp: sp.remez(40, [0, 0.1, 0.15, 0.3, 0.35, 0.5], [0, 1, 0], weight=[10, 1, 10]),
            lambda xp, sp: sp.remez(31, [0.05, 0.45], [1], type="hilbert"),
            lambda xp, sp: sp.remez(30, [0.05, 0.5], [1], type="hilbert"),
            lambda xp, sp: sp.remez(31, [0, 0.45], [1], type="differentiator"),
            lambda xp, sp: sp.remez(30, [0, 0.5], [1], type="differentiator"),
            lambda xp, sp: sp.remez(72, [0, 100, 150, 500], [1, 0], fs=1000),
            lambda xp, sp: sp.remez(101, [0, 0.2, 0.22, 0.5], [1, 0], grid_density=32),
            lambda xp, sp: sp.remez(31, [0, 0.2, 0.1, 0.5], [1, 0]),
            lambda xp, sp: sp.remez(31, [0, 0.1, 0.2, 0.5], [1]),
            lambda xp, sp: sp.remez(31, [0, 0.1, 0.2, 0.5], [1, 0], type="strange"),
        ],
        1e3,
    )


def test_roots_keep_their_own_dtypes():
    poles = [-0.6 + 0.8j, -0.6 - 0.8j]
    checks(
        [
            lambda xp, sp, f=f: getattr(sp, f)([], poles, 1.0, 3.0)
            for f in ("lp2lp_zpk", "lp2hp_zpk", "lp2bp_zpk", "lp2bs_zpk", "bilinear_zpk")
        ]
    )
