"""Splines and piecewise polynomials of ``cuprum.scipy.interpolate`` against ``scipy.interpolate``."""

import numpy as np
import pytest
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import interpolate

RNG = np.random.default_rng(11)
X = np.cumsum(RNG.random(9) + 0.2)
Y = RNG.standard_normal((9, 2, 3))
AT = np.concatenate([[np.nan, X[0], X[-1], X[3], X[0] - 1, X[-1] + 0.7], RNG.uniform(X[0], X[-1], 12)])
COMPLEX = Y + 1j * Y[::-1]


def arrays(xp, value):
    if isinstance(value, np.ndarray):
        return xp.array(value)
    if isinstance(value, (tuple, list)):
        return type(value)(arrays(xp, one) for one in value)
    return value


def checks(bodies, units=1e4, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "interpolate", units, label=f"case {i}", **options)


def made(name, *args, then=None, **kwargs):
    """A body that makes an object and looks at it: by default, at its values and two derivatives."""

    def body(xp, sp):
        made = getattr(sp, name)(*arrays(xp, args), **{k: arrays(xp, v) for k, v in kwargs.items()})
        if then is not None:
            return then(xp, sp, made)
        at = xp.array(AT)
        return made(at), made(at.reshape(3, 6), 1), made(float(AT[7])), made(at, 2)

    return body


def cubic(name, x, y, **kwargs):
    """As `made`; second derivatives round by the values over the squared steps, where they are zero, too."""
    steps = np.abs(np.diff(x)).min() ** 2
    scale = np.abs(y).max() / steps if y.size else 0.0

    def values(xp, sp, made):
        at = xp.array(AT)
        curved = made(at, 2)
        return made(at), made(at.reshape(3, 6), 1), made(float(AT[7])), curved + curved.dtype.type(scale)

    return made(name, x, y, then=values, **kwargs)


C = RNG.standard_normal((4, 8, 2))
FALLING = X[::-1].copy()


@pytest.mark.parametrize("name", ["PPoly", "BPoly"])
def test_piecewise_polynomials(name):
    bodies = [
        made(name, c, x, **k)
        for c in (C, C[:, :, 0])
        for x in (X, FALLING)
        for k in ({}, {"extrapolate": False})
    ]
    bodies += [made(name, C, X, extrapolate="periodic"), made(name, C + 1j * C[::-1], X)]
    bodies += [made(name, C[:1], X, then=lambda xp, sp, p: p(xp.array(AT)))]
    bodies += [made(name, np.moveaxis(C, 2, 0), X, axis=1), made(name, C[:, :1], X[:2])]
    for then in (
        lambda xp, sp, p: [q(xp.array(AT)) for q in (p.derivative(), p.derivative(2), p.derivative(7))],
        lambda xp, sp, p: [q(xp.array(AT)) for q in (p.antiderivative(), p.antiderivative(2))],
        lambda xp, sp, p: (p.derivative(-1).c, p.antiderivative(-1).c, p.antiderivative().x),
        lambda xp, sp, p: [p.integrate(*ends) for ends in ((X[1], X[5]), (X[5] + 0.1, X[2]), (X[0], X[-1]))],
        lambda xp, sp, p: [p.integrate(X[0] - 2, X[-1] + 1), p.integrate(X[-1] + 1, X[-1] + 2)],
        lambda xp, sp, p: [
            p.integrate(a, b, extrapolate="periodic")
            for a, b in ((X[0] - 3, X[-1] + 9), (X[3], X[2]), (X[-1] - 0.1, X[-1] + 0.2))
        ],
    ):
        bodies += [made(name, C, X, then=then), made(name, C[:, :, 0] + 1j, X, then=then)]
    bodies.append(made(name, C, X, extrapolate=False, then=lambda xp, sp, p: p.integrate(X[0] - 1, X[3])))
    bodies.append(made(name, C, FALLING, then=lambda xp, sp, p: p.antiderivative()(xp.array(AT))))

    def extended(xp, sp, p):
        p.extend(xp.array(C[:, :3]), xp.array(X[-1] + np.arange(1.0, 4.0)))
        p.extend(xp.array(C[:, :2]), xp.array([X[0] - 2, X[0] - 1]))
        return p.c, p.x

    bodies.append(made(name, C[:3], X, then=extended))
    checks(bodies)
    bad = [
        made(name, *args)
        for args in ((C[0, 0], X), (C, X[:3]), (C, X[:, None]), (C, X[[0, 2, 1, 3, 4, 5, 6, 7, 8]]))
    ]
    bad += [made(name, C[:0], X), made(name, C[:, :0], X[:1]), made(name, C, X, axis=2)]
    bad += [
        made(name, C, X, then=lambda xp, sp, p, c=c, x=x: p.extend(xp.array(c), xp.array(x)))
        for c, x in ((C[:, :2], X[2:4]), (C[:, :2], X[:3]), (C[:, :2, 0], X[:2]), (C[:, :2], X[[1, 0]]))
    ]
    checks(bad, raises=ValueError)


def test_bases_of_polynomials():
    checks(
        [
            made("PPoly", C, X, then=lambda xp, sp, p: sp.BPoly.from_power_basis(p).c),
            made("BPoly", C, X, then=lambda xp, sp, p: sp.PPoly.from_bernstein_basis(p).c),
            lambda xp, sp: sp.BPoly.from_derivatives(arrays(xp, X[:3]), [[1, 2], [3, 4, 5], [6]])(
                xp.array(AT)
            ),
            lambda xp, sp: sp.BPoly.from_derivatives(arrays(xp, X[:3]), xp.array(Y[:3]), orders=3).c,
            lambda xp, sp: sp.PPoly.from_spline(sp.make_interp_spline(xp.array(X), xp.array(Y[:, 0, 0])))(
                xp.array(AT)
            ),
        ]
    )
    checks(
        [
            lambda xp, sp: sp.BPoly.from_derivatives(arrays(xp, X[:3]), [[1], [2]]),
            lambda xp, sp: sp.BPoly.from_derivatives(arrays(xp, X[[0, 2, 1]]), [[1], [2], [3]]),
            lambda xp, sp: sp.BPoly.from_derivatives(arrays(xp, X[:2]), [[1], [2]], orders=5),
            lambda xp, sp: sp.BPoly.from_derivatives(arrays(xp, X[:2]), [[1], [2]], orders=-1),
        ],
        raises=ValueError,
    )
    checks([made("PPoly", C, X, then=lambda xp, sp, p: sp.PPoly.from_bernstein_basis(p))], raises=TypeError)


def test_real_roots():
    wave = np.array([1.0, -1.0, 2.0, -3.0, 1.0, 0.5, -0.5, 2.0, -1.0])

    def roots(*args, **kwargs):
        return lambda xp, sp, p: p.solve(*args, **kwargs)

    bodies = [
        made("CubicSpline", X, wave, then=roots()),
        made("CubicSpline", X, wave, then=roots(0.7)),
        made("CubicSpline", X, wave, then=roots(extrapolate=False)),
        made("PchipInterpolator", X, wave, then=roots()),
        made("PPoly", np.array([[1.0, 1.0, -1.0], [-0.5, 0.5, 0.2]]), np.arange(4.0), then=roots()),
        made(
            "PPoly",
            np.array([[1.0, 1.0, -1.0], [-0.5, 0.5, 0.2]]),
            np.arange(4.0),
            then=roots(discontinuity=False),
        ),
        made("PPoly", np.array([[0.0, 0.0], [0.0, 1.0], [0.0, -0.5]]), np.arange(3.0), then=roots()),
        made("PPoly", np.array([[1.0], [-3.0], [2.0]]), np.array([0.0, 5.0]), then=roots()),
        made(
            "PPoly",
            np.array([[1.0], [-15.0], [85.0], [-225.0], [274.0], [-120.0]]),
            np.array([0.0, 9.0]),
            then=roots(),
        ),
        made("PPoly", np.array([[1.0], [0.0], [1.0]]), np.array([0.0, 5.0]), then=roots()),
    ]
    checks(bodies, 1e6)
    several = interpolate.CubicSpline(cp.array(X), cp.array(np.stack([wave, -wave], 1))).roots()
    assert several.shape == (2,)
    np.testing.assert_allclose(cp.asnumpy(several[0]), cp.asnumpy(several[1]))
    with pytest.raises(ValueError, match="real-valued"):
        interpolate.PPoly(cp.ones((2, 2)) * 1j, cp.arange(3.0)).roots()


def test_polynomials_of_several_axes():
    c = RNG.standard_normal((3, 2, 4, 5, 2))
    x = (np.sort(RNG.random(5)), np.sort(RNG.random(6)))
    at = RNG.uniform(-0.2, 1.2, (3, 4, 2))

    def body(then, **kwargs):
        return made("NdPPoly", c, x, then=then, **kwargs)

    checks(
        [
            body(lambda xp, sp, p: (p(xp.array(at)), p(xp.array(at), nu=(1, 0)), p(xp.array(at), nu=(2, 1)))),
            body(lambda xp, sp, p: p(xp.array(at)), extrapolate=False),
            body(lambda xp, sp, p: p((xp.array(at[..., 0]), xp.array(at[..., 1])))),
            body(lambda xp, sp, p: (p.derivative((1, 1)).c, p.derivative((0, 2)).c)),
            body(lambda xp, sp, p: p.antiderivative((1, 2))(xp.array(at))),
            body(lambda xp, sp, p: (p.integrate([(0.2, 0.9), (0.1, 0.8)]), p.integrate_1d(0.2, 0.9, 1).c)),
            made("NdPPoly", c + 1j, x, then=lambda xp, sp, p: p(xp.array(at))),
        ]
    )
    checks(
        [
            made("NdPPoly", c[..., 0, 0], x),
            made("NdPPoly", c, x[::-1]),
            made("NdPPoly", c, (x[0][::-1].copy(), x[1])),
            body(lambda xp, sp, p: p(xp.array(at), nu=(1,))),
            body(lambda xp, sp, p: p.integrate([(0, 1)])),
        ],
        raises=ValueError,
    )


@pytest.mark.parametrize("name", ["CubicSpline", "PchipInterpolator", "Akima1DInterpolator"])
def test_cubic_interpolation(name):
    bodies = [cubic(name, X, Y), cubic(name, X, Y[:, 0, 0]), cubic(name, X, Y, extrapolate=False)]
    bodies += [
        cubic(name, X, np.moveaxis(Y, 0, 1), axis=1),
        cubic(name, X[:2], Y[:2]),
        cubic(name, X[:3], Y[:3]),
    ]
    bodies += [
        cubic(name, X[:4], Y[:4], extrapolate=True),
        cubic(name, X, np.arange(9)),
        cubic(name, X, Y.astype("f4")),
    ]
    flat = np.array([0.0, 0, 0, 1, 1, 1, 2, 0, 0])
    bodies += [cubic(name, X, flat), made(name, X, Y[:, :, :0], then=lambda xp, sp, p: p.c)]
    if name == "CubicSpline":
        closed = Y.copy()
        closed[-1] = closed[0]
        ends = [((1, Y[0]), (2, Y[1])), ("natural", "not-a-knot"), ((2, Y[0]), "clamped")]
        for bc in ("natural", "clamped", "not-a-knot", *ends):
            bodies += [
                cubic(name, X, Y, bc_type=bc),
                cubic(name, X[:3], Y[:3], bc_type=bc),
                cubic(name, X[:2], Y[:2], bc_type=bc),
            ]
        bodies += [cubic(name, X, closed, bc_type="periodic"), cubic(name, X, COMPLEX)]
        bodies.append(cubic(name, X[:3], closed[[0, 1, 0]], bc_type="periodic"))
        bodies.append(cubic(name, X[:2], closed[[0, 0]], bc_type="periodic"))
    if name == "Akima1DInterpolator":
        bodies += [
            cubic(name, X, Y, method="makima", extrapolate=True),
            cubic(name, X, flat, method="makima"),
        ]
    checks(bodies)
    holes = Y.copy()
    holes[2] = np.nan
    bad = [
        made(name, X[::-1].copy(), Y),
        made(name, X, Y[:4]),
        made(name, X, holes),
        made(name, X[:1], Y[:1]),
    ]
    bad += [made(name, X[:, None], Y), made(name, X + 1j, Y)]
    if name == "CubicSpline":
        bad += [
            made(name, X, Y, bc_type=bc)
            for bc in ("periodic", "strange", ("natural",), ((3, Y[0]), "natural"), ((1, 0.0), "natural"))
        ]
    else:
        bad.append(made(name, X, COMPLEX))
    checks(bad, raises=ValueError)


def test_given_slopes():
    checks([made("CubicHermiteSpline", X, Y, Y[::-1].copy()), made("CubicHermiteSpline", X, COMPLEX, Y)])
    checks(
        [
            lambda xp, sp: sp.pchip_interpolate(xp.array(X), xp.array(Y[:, 0]), xp.array(AT)),
            lambda xp, sp: sp.pchip_interpolate(xp.array(X), xp.array(Y[:, 0]), xp.array(AT), der=1),
            lambda xp, sp: sp.pchip_interpolate(xp.array(X), xp.array(Y[:, 0]), xp.array(AT), der=[0, 2]),
        ]
    )
    checks([made("CubicHermiteSpline", X, Y, Y[:3])], raises=ValueError)


@pytest.mark.parametrize("k", [0, 1, 2, 3, 5])
def test_b_splines(k):
    t = np.sort(RNG.random(14))
    t[5:7] = t[5]
    at = np.concatenate([[np.nan], RNG.uniform(-0.1, 1.1, 20), t])
    c = RNG.standard_normal((14 - k - 1, 2))

    def values(xp, sp, s):
        return [s(xp.array(at), nu) for nu in range(k + 2)] + [s(xp.array(at), extrapolate=False)]

    bodies = [made("BSpline", t, c, k, then=values), made("BSpline", t, c[:, 0] + 1j, k, then=values)]
    bodies.append(made("BSpline", t, c, k, extrapolate="periodic", then=lambda xp, sp, s: s(xp.array(at))))
    bodies.append(
        made("BSpline", t, c.T.copy(), k, axis=1, then=lambda xp, sp, s: s(xp.array(at[:4]).reshape(2, 2)))
    )
    bodies.append(made("BSpline", t, c, k, then=lambda xp, sp, s: s.antiderivative()(xp.array(at))))
    bodies.append(
        made(
            "BSpline",
            t,
            c,
            k,
            then=lambda xp, sp, s: [s.integrate(a, b) for a, b in ((0.3, 0.6), (0.7, 0.2))],
        )
    )
    bodies.append(
        made("BSpline", t, c[:, 0], k, extrapolate=False, then=lambda xp, sp, s: s.integrate(-1, 2))
    )
    bodies.append(made("BSpline", t, c, k, then=lambda xp, sp, s: s.integrate(-1, 2, extrapolate="periodic")))
    bodies.append(lambda xp, sp: sp.BSpline.design_matrix(xp.array(t[k : 14 - k]), xp.array(t), k).toarray())
    bodies.append(lambda xp, sp: sp.BSpline.basis_element(xp.array(t[: k + 2]))(xp.array(at)))
    # Where knots coincide a derivative has no value, and what stands there differs.
    plain = np.delete(t, 6)
    middle = (plain[k] + plain[12 - k]) / 2
    if k:
        bodies.append(made("BSpline", plain, c[1:], k, then=lambda xp, sp, s: s.derivative()(xp.array(at))))
        bodies.append(made("BSpline", plain, c[1:], k, then=lambda xp, sp, s: s.insert_knot(middle, 1).tck))
        bodies.append(
            made("BSpline", plain, c[1:], k, then=lambda xp, sp, s: s.insert_knot(middle, k)(xp.array(at)))
        )
    checks(bodies, 1e6)


def test_bad_b_splines():
    t, c = np.arange(9.0), np.ones(5)
    bad = [
        (t[::-1].copy(), c, 3),
        (t[:6], c, 3),
        (t, c[:2], 3),
        (t[:, None], c, 3),
        (np.ones(9), c, 3),
        (t, c, -1),
    ]
    bad.append((np.array([0, 1, 2, 3, 4, 5, 6, 7, np.inf]), c, 3))
    checks([made("BSpline", *args) for args in bad], raises=ValueError)
    checks([made("BSpline", t, c, 3, axis=2), made("BSpline", t, c[0], 3)], raises=np.exceptions.AxisError)
    checks([made("BSpline", t, c, 2.5)], raises=TypeError)
    checks([lambda xp, sp: sp.splder((xp.array(t), xp.ones(9), 3), 4)], raises=ValueError)


@pytest.mark.parametrize("k", [0, 1, 2, 3, 4, 5])
def test_splines_through_points(k):
    x, y = np.cumsum(RNG.random(12) + 0.2), RNG.standard_normal((12, 3))
    closed = y.copy()
    closed[-1] = closed[0]
    spline = lambda xp, sp, s: (s.t, s.c, s(xp.linspace(x[0], x[-1], 9)))
    bodies = [
        made("make_interp_spline", x, y, k, then=spline),
        made("make_interp_spline", x, y[:, 0] * 1j, k, then=spline),
    ]
    bodies.append(
        made("make_interp_spline", x, y.T.copy(), k, axis=1, then=lambda xp, sp, s: s(xp.array(x[:2])))
    )
    if k > 1:
        bodies.append(made("make_interp_spline", x, closed, k, bc_type="periodic", then=spline))
        long = np.cumsum(RNG.random(99) + 0.2)
        wave = np.cos(2 * np.pi * (long - long[0]) / (long[-1] - long[0]))
        wave[-1] = wave[0]
        bodies.append(made("make_interp_spline", long, wave, k, bc_type="periodic", then=spline))
    if k == 3:
        for bc in ("natural", "clamped", ([(1, y[0])], [(2, y[1])]), ([(1, y[0]), (2, y[2])], None)):
            bodies.append(made("make_interp_spline", x, y, k, bc_type=bc, then=spline))
    checks(bodies, 1e7)


def test_least_squares_splines():
    x = np.sort(RNG.random(60))
    y, w = RNG.standard_normal((60, 2)), RNG.random(60) + 0.1
    spline = lambda xp, sp, s: s.c
    bodies = []
    for k in (0, 1, 3, 4):
        t = np.concatenate([[0.0] * (k + 1), [0.2, 0.5, 0.55, 0.8], [1.0] * (k + 1)])
        bodies += [
            made("make_lsq_spline", x, y, t, k, then=spline),
            made("make_lsq_spline", x, y, t, k, w, then=spline),
        ]
    t = np.concatenate([[0.0] * 4, [0.5], [1.0] * 4])
    bodies += [
        made("make_lsq_spline", x, y.T.copy(), t, axis=1, then=spline),
        made("make_lsq_spline", x, y[:, 0] * 1j, t, then=spline),
    ]
    bodies.append(made("make_lsq_spline", x, y, t, method="norm-eq", then=spline))
    checks(bodies, 1e6)
    bad = [(x[::-1].copy(), y, t), (x, y[:5], t), (x, y, t[::-1].copy()), (x + 1, y, t), (x[:3], y[:3], t)]
    checks([made("make_lsq_spline", *args) for args in bad], raises=ValueError)


def test_bad_points_of_splines():
    x, y = np.arange(8.0), np.ones(8)
    twice = np.array([0, 1, 1, 2, 3, 4, 5, 6.0])
    bad = [(x[::-1].copy(), y), (twice, y), (x, y[:5]), (x, np.full(8, np.nan))]
    bodies = [made("make_interp_spline", *args) for args in bad]
    bodies += [
        made("make_interp_spline", x, y, bc_type=bc)
        for bc in ("strange", 3, ([(1, 0.0)], [(9, 0.0)]), ([(1, 0.0)], None))
    ]
    bodies += [
        made("make_interp_spline", x, np.arange(8.0), bc_type="periodic"),
        made("make_interp_spline", x, y, 0, bc_type="natural"),
    ]
    bodies += [made("make_interp_spline", x, y, -2), made("make_interp_spline", x, y, t=x)]
    checks(bodies, raises=ValueError)
    t = np.array([0.0] * 4 + [6.1, 6.2, 6.3, 6.4] + [7.0] * 4)
    checks([made("make_interp_spline", x, y, t=t)], raises=np.linalg.LinAlgError)


def test_splines_of_several_axes():
    t = (np.sort(RNG.random(11)), np.sort(RNG.random(10)))
    c = RNG.standard_normal((7, 7, 2))
    at = RNG.uniform(0, 1, (3, 5, 2))
    values = lambda xp, sp, s: (
        s(xp.array(at)),
        s(xp.array(at), nu=(1, 1)),
        s(xp.array(at), extrapolate=False),
    )
    checks(
        [
            made("NdBSpline", t, c, (3, 2), then=values),
            made("NdBSpline", t, c[..., 0] + 1j, (3, 2), then=values),
            made("NdBSpline", (t[0], t[0]), c[..., 0], 3, extrapolate=False, then=values),
            lambda xp, sp: sp.NdBSpline.design_matrix(
                xp.array(np.vstack([at[0], [[t[0][7], t[1][7]]]])), (xp.array(t[0]), xp.array(t[1])), (3, 2)
            ).toarray(),
        ],
        1e6,
    )
    bad = [((t[0],), c, (3, 2)), (t, c[:5], (3, 2)), (t, c, (3, -2)), (t, c[0, 0], (3, 2))]
    checks([made("NdBSpline", *args) for args in bad], raises=ValueError)


def test_cubic_splines_become_b_splines():
    for bc in ("not-a-knot", "natural", "clamped"):
        spline = interpolate.CubicSpline(cp.array(X), cp.array(Y[:, 0, 0]), bc_type=bc)
        same = interpolate.BSpline.from_power_basis(spline, bc)
        at = cp.linspace(X[0], X[-1], 40)
        np.testing.assert_allclose(cp.asnumpy(same(at)), cp.asnumpy(spline(at)), atol=1e-12)
