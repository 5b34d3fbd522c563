"""Splines under FITPACK's interface against ``scipy.interpolate``."""

import numpy as np
import pytest
import scipy.interpolate
from scipy_twin import SCIPY, check
from twin import collect

import cuprum as cp
from cuprum.scipy import interpolate

RNG = np.random.default_rng(8)
X = np.sort(RNG.uniform(0, 10, 60))
Y = np.sin(X) + 0.1 * RNG.standard_normal(60)
W = RNG.uniform(5, 15, 60)
AT = np.linspace(-1, 11, 37)
SHORT = X[::6].copy()


def checks(bodies, units=1e3, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "interpolate", units, label=f"case {i}", **options)


def made(name, *args, then=None, **kwargs):
    def body(xp, sp):
        given = {k: xp.array(v) if isinstance(v, np.ndarray) else v for k, v in kwargs.items()}
        spline = getattr(sp, name)(*(xp.array(a) if isinstance(a, np.ndarray) else a for a in args), **given)
        if then is not None:
            return then(xp, spline)
        at = xp.array(AT)
        return spline.get_knots(), spline.get_coeffs(), spline.get_residual(), spline(at), spline(at, 1)

    return body


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_smoothing_splines(k):
    # The search for the smoothing stops at a thousandth of s, after the same steps.
    bodies = [made("UnivariateSpline", X, Y, k=k, s=s) for s in (1.0, 10.0, 1e3)]
    bodies += [made("UnivariateSpline", X, Y, W, k=k), made("UnivariateSpline", X, Y, W, bbox=[-1, 12], k=k)]
    bodies += [
        made("LSQUnivariateSpline", X, Y, [2.0, 5.0, 7.5], k=k),
        made("LSQUnivariateSpline", X, Y, [4.0], W, k=k),
    ]
    # Normal equations of high degrees have conditions of some thousands.
    checks(bodies, 1e4)
    line = np.cumsum(RNG.random(14) + 0.2)
    values = RNG.standard_normal(14)
    bodies = [
        made("InterpolatedUnivariateSpline", line, values, k=k),
        made("UnivariateSpline", line, values, k=k, s=0),
    ]
    checks(bodies)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_splines_with_many_knots(k):
    """A search whose knots are too many for its memory begins again: with SciPy 1.18, and with splrep."""
    ours = interpolate.UnivariateSpline(cp.array(X), cp.array(Y), k=k, s=0.3)
    knots, at = cp.asnumpy(ours.get_knots()), np.linspace(X[0], X[-1], 50)
    values = cp.asnumpy(ours(cp.array(at)))
    if len(knots) + 2 * k > 30:
        t, c, _ = scipy.interpolate.splrep(X, Y, k=k, s=0.3)
        np.testing.assert_array_equal(knots, t[k : len(t) - k])
        np.testing.assert_allclose(values, scipy.interpolate.splev(at, (t, c, k)), atol=1e-6)
    if SCIPY >= (1, 18) or len(knots) + 2 * k <= 30:
        theirs = scipy.interpolate.UnivariateSpline(X, Y, k=k, s=0.3)
        np.testing.assert_array_equal(knots, theirs.get_knots())
        np.testing.assert_allclose(values, theirs(at), atol=1e-6)
    assert abs(float(ours.get_residual()) - 0.3) < 1e-3 * 0.3


def test_other_smoothing_begins_with_the_knots_there_are():
    """What SciPy documents; 1.18 forgets them."""
    made = interpolate.UnivariateSpline(cp.array(X), cp.array(Y), s=0.5)
    before = cp.asnumpy(made.get_knots())
    for s in (3.0, 0.45):
        made.set_smoothing_factor(s)
        after = cp.asnumpy(made.get_knots())
        assert set(before) <= set(after) and abs(float(made.get_residual()) - s) < 1e-3 * s
    if SCIPY < (1, 18):
        theirs = scipy.interpolate.UnivariateSpline(X, Y, s=0.5)
        theirs.set_smoothing_factor(3.0)
        np.testing.assert_array_equal(before, theirs.get_knots())


def test_uses_of_splines():
    def then(use):
        return made("UnivariateSpline", X, Y, s=0.5, then=use)

    bodies = [
        then(lambda xp, f: [f(xp.array(AT), ext=e) for e in (0, 1, 3, "zeros", "const")]),
        then(lambda xp, f: (f.integral(1, 8), f.integral(-5, 20), f.integral(8, 1))),
        then(lambda xp, f: f.derivatives(3.3)),
        then(lambda xp, f: f.roots()),
        then(lambda xp, f: f.derivative()(xp.array(AT))),
        then(lambda xp, f: f.antiderivative()(xp.array(AT[5:30]))),
        made("UnivariateSpline", X, Y, ext="zeros", s=0.5, then=lambda xp, f: f(xp.array(AT))),
    ]
    checks(bodies, 1e4)
    bad = [
        made("UnivariateSpline", X[::-1].copy(), Y),
        made("UnivariateSpline", X, Y[:4]),
        made("UnivariateSpline", X, Y, k=6),
        made("UnivariateSpline", X, Y, s=-1.0),
        made("UnivariateSpline", X, Y, ext="strange"),
        made("UnivariateSpline", X, Y, bbox=[1]),
        made("UnivariateSpline", X, np.full(60, np.nan), check_finite=True),
        made("LSQUnivariateSpline", X, Y, [20.0]),
        made("UnivariateSpline", X, Y, s=0.5, then=lambda xp, f: f(xp.array(AT), ext=2)),
    ]
    checks(bad, raises=ValueError)


def test_functions_of_splines():
    def used(use, **kwargs):
        def body(xp, sp):
            given = {k: xp.array(v) if isinstance(v, np.ndarray) else v for k, v in kwargs.items()}
            return use(xp, sp, sp.splrep(xp.array(X), xp.array(Y), **given))

        return body

    values = lambda xp, sp, tck: (tck, sp.splev(xp.array(AT[3:34]), tck), sp.splev(xp.array(AT), tck, der=2))
    bodies = [
        used(values, s=1.0),
        used(values, w=W),
        used(values, k=4, s=2.0),
        used(values, t=np.array([3.0, 6.0])),
    ]
    bodies += [used(lambda xp, sp, tck: [sp.splev(xp.array(AT), tck, ext=e) for e in (1, 3)], s=1.0)]
    bodies += [used(lambda xp, sp, tck: [sp.splint(1, 7, tck), sp.splint(-3, 20, tck)], s=1.0)]
    bodies += [
        used(lambda xp, sp, tck: sp.sproot(tck), s=1.0),
        used(lambda xp, sp, tck: sp.splder(tck), s=1.0),
    ]
    bodies += [lambda xp, sp: sp.splrep(xp.array(X[::5]), xp.array(Y[::5]), full_output=1)[1]]
    checks(bodies)
    checks([used(values, k=7), lambda xp, sp: sp.splrep(xp.array(X), xp.array(Y[:3]))], raises=TypeError)
    checks(
        [
            used(lambda xp, sp, tck: sp.splev(xp.array(AT), tck, der=9), s=1.0),
            used(lambda xp, sp, tck: sp.splev(xp.array(AT), tck, ext=2), s=1.0),
        ],
        raises=ValueError,
    )


def test_splines_on_grids():
    x, y = np.sort(RNG.random(9)), np.sort(RNG.random(8))
    z = RNG.standard_normal((9, 8))
    at = RNG.uniform(-0.2, 1.2, (5, 2))

    def body(then, **kwargs):
        return made("RectBivariateSpline", x, y, z, then=then, **kwargs)

    line = np.linspace(-0.1, 1.1, 7)
    bodies = [
        body(lambda xp, f: f(xp.array(line), xp.array(line[::2].copy()))),
        body(lambda xp, f: f(xp.array(line[1:-1]), xp.array(line[1:-1]), dx=1, dy=1), kx=2, ky=4),
        body(lambda xp, f: f.ev(xp.array(at[:, 0]), xp.array(at[:, 1]))),
        body(lambda xp, f: f(xp.array(at[:, 0]), xp.array(at[:, 1]), grid=False), kx=1, ky=1),
        body(lambda xp, f: (*f.get_knots(), f.get_coeffs())),
        body(lambda xp, f: f.integral(0.2, 0.8, 0.1, 0.9)),
    ]
    checks(bodies)
    bad = [
        made("RectBivariateSpline", *args)
        for args in ((x[::-1].copy(), y, z), (x, y[::-1].copy(), z), (x[:5], y, z), (x, y[:5], z))
    ]
    checks(bad, raises=ValueError)


@pytest.mark.parametrize("kx, ky", [(3, 3), (1, 5), (4, 2), (5, 3)])
def test_smoothing_splines_on_grids(kx, ky):
    x, y = ((np.arange(n) + 0.4 * RNG.random(n)) / n for n in (23, 19))
    smooth = np.sin(5 * x)[:, None] * np.cos(4 * y)
    z = smooth + 0.1 * RNG.standard_normal((23, 19))
    line, off = np.linspace(0, 1, 9), [x[0] - 0.01, None, y[0] - 0.02, y[-1] + 0.03]

    def parts(xp, f):
        found = f(xp.array(line), xp.array(line[::2].copy()))
        return (*f.get_knots(), f.get_coeffs(), f.get_residual(), found, f.integral(0.2, 0.8, 0.1, 0.9))

    def body(values, **kwargs):
        return made("RectBivariateSpline", x, y, values, then=parts, kx=kx, ky=ky, **kwargs)

    # Of a polynomial, of a few knots, of many.
    bodies = [body(z, s=s) for s in (1e3, 20.0, 4.3, 3.0)] + [body(z, s=4.0, bbox=off)]
    bodies += [body(smooth, s=1e-3), body(z, bbox=off)]
    # The weight is found from differences of sums of squares, which magnify rounding: eight digits agree.
    checks(bodies, units=5e7)
    bad = [
        body(z, s=-1.0),
        body(z, s=1.0, maxit=1),
        body(z, bbox=[0.5, None, None, None]),
        body(z, bbox=[0.0]),
    ]
    checks(bad, raises=ValueError)


def test_a_full_axis_has_knots_at_its_points():
    """FITPACK overwrites the knots of the second axis when the first is full; ours stay as they are."""
    x, y = np.sort(RNG.random(8)), np.sort(RNG.random(24))
    z = RNG.standard_normal((8, 24))
    spline = interpolate.RectBivariateSpline(cp.array(x), cp.array(y), cp.array(z), s=20.0)
    knots = [part.get() for part in spline.get_knots()]
    assert all((np.diff(part) >= 0).all() for part in knots)
    apart = spline(cp.array(x), cp.array(y)).get() - z
    assert abs((apart**2).sum() - 20.0) <= 0.021 and abs(spline.get_residual() - (apart**2).sum()) <= 1e-9


def test_missing_names_say_what_to_use():
    with pytest.raises(AttributeError, match="RBFInterpolator"):
        interpolate.Rbf
    with pytest.raises(NotImplementedError, match="make_interp_spline"):
        interpolate.splrep(cp.array(X), cp.array(Y), per=True)
