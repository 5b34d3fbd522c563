"""Splines, partial fractions and wavelets of ``cuprum.scipy.signal`` against ``scipy.signal``."""

import numpy as np
import pytest
import scipy.signal
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import signal

RNG = np.random.default_rng(31)
X = RNG.standard_normal(60)
IMAGE = RNG.standard_normal((20, 25))


# Lists of bodies have bad input among the good.
MISTAKES = (ValueError, TypeError, np.linalg.LinAlgError)


def checks(bodies, units=1e3, may_raise=MISTAKES, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "signal", units, label=f"case {i}", may_raise=may_raise, **options)


def test_splines_of_lines():
    places = np.linspace(-70, 150, 101)
    checks(
        [
            lambda xp, sp: sp.cspline1d(xp.array(X)),
            lambda xp, sp: sp.cspline1d(xp.array(X), 0.7),
            lambda xp, sp: sp.qspline1d(xp.array(X)),
            lambda xp, sp: sp.qspline1d(xp.array(X), 1.0),
            lambda xp, sp: sp.cspline1d_eval(sp.cspline1d(xp.array(X)), xp.array(places)),
            lambda xp, sp: sp.cspline1d_eval(sp.cspline1d(xp.array(X)), xp.array(places), 0.5, 1.0),
            lambda xp, sp: sp.qspline1d_eval(sp.qspline1d(xp.array(X)), xp.array(places)),
            lambda xp, sp: sp.cspline1d_eval(xp.array([]), xp.array(places)),
            lambda xp, sp: sp.gauss_spline(xp.array(X), 3),
        ],
        1e4,
    )


def test_filters_both_ways():
    # SciPy ends the sums at the ends of a signal at a precision: so far it is exact.
    checks(
        [
            lambda xp, sp: sp.symiirorder1(xp.array(X), 0.7, 0.4, 1e-12),
            lambda xp, sp: sp.symiirorder1(xp.array(IMAGE), 0.7, -0.3, 1e-9),
            lambda xp, sp: sp.symiirorder2(xp.array(X), 0.3, 0.8, 1e-12),
            lambda xp, sp: sp.symiirorder2(xp.array(IMAGE), 0.3, 2.0, 1e-9),
            lambda xp, sp: sp.symiirorder1(xp.array(X), 0.7, 1.4),
            lambda xp, sp: sp.symiirorder2(xp.array(X), 1.7, 1.4),
            lambda xp, sp: sp.symiirorder1(xp.ones((2, 2, 2)), 0.7, 0.4),
            lambda xp, sp: sp.cspline2d(xp.array(IMAGE), precision=1e-9),
            lambda xp, sp: sp.cspline2d(xp.array(IMAGE), 0.02),
            lambda xp, sp: sp.qspline2d(xp.array(IMAGE), precision=1e-9),
            lambda xp, sp: sp.qspline2d(xp.array(IMAGE), 1.0),
            lambda xp, sp: sp.sepfir2d(
                xp.array(IMAGE), xp.array([1.0, 2.0, 3.0]), xp.array([0.5, 1, 2, 1, 4])
            ),
            lambda xp, sp: sp.sepfir2d(xp.array(IMAGE) * 1j, xp.array([1.0, 2.0, 3.0]), xp.array([1.0])),
            lambda xp, sp: sp.spline_filter(xp.ones((3, 3), "int32")),
        ],
        1e11,
    )


def test_smooth_images():
    """Against lines that are mirrored ten times: SciPy ends the sums at the edges where they still count."""
    image = RNG.standard_normal((60, 70))
    r, omega = 0.6232331346411539, 0.47284159969978046  # the poles for 5.0
    gain, a = 1 - 2 * r * np.cos(omega) + r * r, [1, -2 * r * np.cos(omega), r * r]

    def smoothed(rows):
        n = rows.shape[1]
        long = np.pad(rows, ((0, 0), (10 * n, 10 * n)), mode="symmetric")
        both = scipy.signal.lfilter([gain], a, scipy.signal.lfilter([gain], a, long)[:, ::-1])[:, ::-1]
        spline = np.apply_along_axis(np.convolve, 1, both, [1 / 6, 4 / 6, 1 / 6], "same")
        return spline[:, 10 * n : 11 * n]

    want = smoothed(smoothed(image).T).T
    got = cp.asnumpy(signal.spline_filter(cp.array(image), 5.0))
    assert np.abs(got - want).max() < 1e-14


def test_partial_fractions():
    a = np.poly([0.5, 0.5, -0.3, 0.9])
    checks(
        [
            lambda xp, sp: sp.unique_roots(xp.array([1.0, 1.0005, 2.0, 3.0, 2.0])),
            lambda xp, sp: sp.unique_roots(xp.array([1.0, 1.0005, 2.0 + 1j]), 0.1, "avg"),
            lambda xp, sp: sp.unique_roots(xp.array([1.0]), rtype="strange"),
            lambda xp, sp: sp.residue(xp.array([1.0, 2.0, 3.0]), xp.array([1.0, 6.0, 11.0, 6.0])),
            lambda xp, sp: sp.residue(xp.array([1.0, 2, 3, 4, 5]), xp.array([2.0, 6.0, 11.0])),
            lambda xp, sp: sp.residuez(xp.array([1.0, 2.0, 3.0]), xp.array([1.0, -0.9, 0.2])),
            lambda xp, sp: sp.residuez(xp.array([1.0]), xp.array([0.0, 0.9, 0.2])),
            lambda xp, sp: sp.residue(xp.array([1.0]), xp.array([0.0])),
            lambda xp, sp: sp.residue(xp.array([0.0]), xp.array([1.0, 2.0])),
            lambda xp, sp: sp.invres(xp.array([1.0, 2.0]), xp.array([-1.0, -3.0]), xp.array([2.0, 1.0])),
            lambda xp, sp: sp.invres(xp.array([1.0, 2.0, 3.0]), xp.array([-1.0, -1.0, -3.0]), []),
            lambda xp, sp: sp.invresz(xp.array([1.0, 2.0]), xp.array([0.5, 0.3]), xp.array([2.0])),
        ],
        1e4,
        dtype=False,
    )
    r, p, k = signal.residue(np.array([1.0, 2.0]), a)
    b, whole = signal.invres(r, p, k)
    assert np.allclose(cp.asnumpy(whole), a, atol=1e-6) and np.allclose(
        cp.asnumpy(b)[-2:], [1.0, 2.0], atol=1e-5
    )


def test_wavelets():
    from scipy.signal import _wavelets

    assert np.allclose(cp.asnumpy(signal.ricker(21, 3.0)), _wavelets._ricker(21, 3.0), rtol=1e-14)
    want = _wavelets._cwt(X, _wavelets._ricker, np.arange(1, 6))
    got = signal.cwt(cp.array(X), signal.ricker, np.arange(1, 6))
    assert np.allclose(cp.asnumpy(got), want, rtol=1e-12, atol=1e-13)
    t = np.linspace(-4 * np.pi, 4 * np.pi, 50)
    wave = (np.exp(5j * t) - np.exp(-12.5)) * np.exp(-0.5 * t * t) * np.pi**-0.25
    assert np.allclose(cp.asnumpy(signal.morlet(50, 5.0, 2.0)), wave, rtol=1e-12, atol=1e-16)
    assert signal.cwt(cp.array(X), signal.morlet2, [1.0, 2.0]).dtype == np.complex128


def test_a_complex_signal_has_no_second_order():
    with pytest.raises(TypeError, match="complex"):
        signal.symiirorder2(cp.ones(8) * 1j, 0.5, 0.1)
