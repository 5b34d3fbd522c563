"""Grids, single polynomials and radial functions against ``scipy.interpolate``."""

import numpy as np
import pytest
import scipy.sparse.linalg
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import interpolate

RNG = np.random.default_rng(5)
GRID = (np.sort(RNG.random(7)), np.linspace(-1, 1, 8), np.sort(RNG.random(6))[::-1].copy())
VALUES = RNG.standard_normal((7, 8, 6, 2))
INSIDE = np.stack([RNG.uniform(min(g), max(g), (4, 5)) for g in GRID], -1)
AROUND = np.stack([RNG.uniform(min(g) - 0.3, max(g) + 0.3, (4, 5)) for g in GRID], -1)


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


def at(name, *args, points=INSIDE, call=None, **kwargs):
    def body(xp, sp):
        made = getattr(sp, name)(*arrays(xp, args), **{k: arrays(xp, v) for k, v in kwargs.items()})
        return made(arrays(xp, points), **(call or {}))

    return body


RGI = "RegularGridInterpolator"


@pytest.mark.parametrize(
    "method", ["linear", "nearest", "pchip", "slinear", "cubic", "cubic_legacy", "quintic"]
)
def test_grids(method):
    options = {"method": method}
    if method in ("slinear", "cubic", "quintic"):
        # SciPy's own choice is an iteration that stops early.
        options["solver"] = scipy.sparse.linalg.spsolve
    nodes = np.stack([g[[0, 3, -1]] for g in GRID], -1)
    bodies = [at(RGI, GRID, VALUES, **options), at(RGI, GRID, VALUES[..., 0], points=nodes, **options)]
    bodies += [at(RGI, GRID, VALUES, points=tuple(INSIDE[..., i] for i in range(3)), **options)]
    bodies += [
        at(RGI, GRID, VALUES, points=INSIDE[0, 0], **options),
        at(RGI, GRID, VALUES, points=INSIDE[:0], **options),
    ]
    bodies += [at(RGI, (GRID[0],), VALUES[:, 0, 0], points=INSIDE[0, :, 0], **options)]
    holes = AROUND.copy()
    holes[1, 2, 0] = np.nan
    outside = {"bounds_error": False, **options}
    bodies += [
        at(RGI, GRID, VALUES, points=holes, fill_value=fill, **outside) for fill in (np.nan, -3.5, None)
    ]
    bodies += [
        at(RGI, GRID[:2], VALUES[..., 0, 0].astype(t), points=INSIDE[..., :2], **options)
        for t in ("f4", "i4")
    ]
    if method != "pchip":
        bodies.append(at(RGI, GRID, VALUES + 1j * VALUES[::-1], **options))
    checks(bodies, 1e5)
    bad = [at(RGI, GRID, VALUES, points=AROUND, **options), at(RGI, GRID, VALUES[:3], **options)]
    bad += [
        at(RGI, GRID[:2], VALUES, **options),
        at(RGI, (GRID[0][[0, 2, 1, 3, 4, 5, 6]],), VALUES, **options),
    ]
    bad += [
        at(RGI, (*GRID, GRID[0], GRID[0]), VALUES, **options),
        at(RGI, GRID, VALUES, fill_value=1j, **options),
    ]
    checks(bad, raises=ValueError)


def test_derivatives_and_methods_of_grids():
    checks(
        [
            at(RGI, GRID, VALUES, method="cubic", solver=scipy.sparse.linalg.spsolve, call={"nu": nu})
            for nu in ((1, 0, 0), (0, 1, 1))
        ]
        + [at(RGI, GRID, VALUES, call={"method": m}) for m in ("nearest", "cubic_legacy")]
        + [
            lambda xp, sp, m=m: sp.interpn(
                arrays(xp, GRID[:2]), xp.array(VALUES[..., 0, 0]), xp.array(INSIDE[..., :2]), m
            )
            for m in ("linear", "nearest", "pchip", "splinef2d")
        ],
        1e3,
    )
    checks(
        [
            at(RGI, GRID, VALUES, method="strange"),
            at(RGI, GRID, VALUES, call={"method": "strange"}),
            at(RGI, GRID, VALUES, call={"nu": (1, 0, 0)}),
            at(RGI, tuple(g[:3] for g in GRID), VALUES[:3, :3, :3], method="cubic"),
            lambda xp, sp: sp.interpn(arrays(xp, GRID), xp.array(VALUES), xp.array(INSIDE), "strange"),
            lambda xp, sp: sp.interpn(arrays(xp, GRID), xp.array(VALUES), xp.array(INSIDE), "splinef2d"),
        ],
        raises=ValueError,
    )


def test_grids_with_equal_steps_find_every_cell():
    for n in (2, 3, 50, 1001):
        x = np.linspace(-1.7, 2.9, n)
        points = np.concatenate([x, np.nextafter(x[1:], -9), np.nextafter(x[:-1], 9)])
        check(at(RGI, (x,), np.sin(9 * x), points=points), "interpolate", 64, label=f"{n}")
        check(at(RGI, (x,), np.sin(9 * x), points=points, method="nearest"), "interpolate", 0, label=f"{n}")


def test_grids_of_one_node():
    checks([at(RGI, (np.array([2.0]), GRID[1]), VALUES[:1, :, 0, 0], points=np.array([[2.0, 0.3]]))])


X = np.cumsum(RNG.random(9) + 0.2)
Y = RNG.standard_normal((3, 9, 2))
NEW = RNG.uniform(X[0], X[-1], (2, 6))
WIDE = np.concatenate([X, [X[0] - 1, X[-1] + 1, np.nan], NEW[0]])


@pytest.mark.parametrize(
    "kind",
    ["linear", "nearest", "nearest-up", "previous", "next", "zero", "slinear", "quadratic", "cubic", 5],
)
def test_interp1d(kind):
    def body(x=X, y=Y, points=NEW, **kwargs):
        return at("interp1d", x, y, points=points, kind=kind, **{"axis": 1, **kwargs})

    bodies = [body(), body(points=X), body(y=Y[0, :, 0], axis=0), body(y=Y[0].T, axis=-1), body(points=1.9)]
    by = RNG.permutation(9)
    bodies += [
        body(x=X[by], y=Y[:, by]),
        body(y=Y + 1j),
        body(y=np.arange(9), axis=0),
        body(points=NEW[:, :0]),
    ]
    bodies += [body(points=WIDE[:-7], **k) for k in ({"fill_value": "extrapolate"}, {"bounds_error": False})]
    bodies += [body(points=WIDE[:11], fill_value=(Y[:, 0], -1.0), bounds_error=False)]
    checks(bodies, 1e3)
    bad = [
        body(points=WIDE),
        body(y=Y[:, :4]),
        body(x=X[:, None]),
        body(fill_value="extrapolate", bounds_error=True),
    ]
    bad += [body(fill_value=np.ones(5), bounds_error=False)]
    if kind in ("cubic", 5):
        bad += [body(x=X[:2], y=Y[:, :2])]
    checks(bad, raises=ValueError)


def test_interp1d_of_other_kinds():
    checks([at("interp1d", X, Y, kind="strange", axis=1, points=NEW)], raises=NotImplementedError)


def test_single_polynomials():
    x, y = X[:6], Y[:, :6]
    repeated = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 2.0])

    def derivatives(name, *args, **kwargs):
        def body(xp, sp):
            p = getattr(sp, name)(*arrays(xp, args), **kwargs)
            points = xp.array(NEW)
            return (
                p(points),
                p.derivative(points),
                p.derivative(points, 3),
                p.derivatives(points),
                p.derivatives(1.3, 9),
            )

        return body

    checks(
        [
            derivatives("KroghInterpolator", x, y, axis=1),
            derivatives("KroghInterpolator", x, y[0, :, 0]),
            derivatives("KroghInterpolator", repeated, y[0]),
            derivatives("BarycentricInterpolator", x, y, axis=1),
            derivatives("BarycentricInterpolator", x, y[0] + 1j),
            lambda xp, sp: sp.krogh_interpolate(xp.array(x), xp.array(y), xp.array(NEW), axis=1),
            lambda xp, sp: sp.krogh_interpolate(xp.array(x), xp.array(y[0]), xp.array(NEW), der=[0, 2]),
            lambda xp, sp: sp.krogh_interpolate(xp.array(x), xp.array(y[0]), 1.5, der=2),
            lambda xp, sp: sp.barycentric_interpolate(xp.array(x), xp.array(y), xp.array(X[:6]), axis=1),
            lambda xp, sp: sp.barycentric_interpolate(xp.array(x), xp.array(y[0]), xp.array(NEW), der=1),
        ],
        1e5,
    )

    def grown(xp, sp):
        p = sp.BarycentricInterpolator(xp.array(x[:5]), xp.array(y[0, :5]))
        p.add_xi(xp.array(x[5:]), xp.array(y[0, 5:]))
        before = p(xp.array(NEW))
        p.set_yi(xp.array(y[1]))
        return before, p(xp.array(NEW))

    checks([grown], 1e5)
    bad = [
        lambda xp, sp: sp.BarycentricInterpolator(xp.array([0.0, 1.0, 0.0]), xp.ones(3)),
        lambda xp, sp: sp.BarycentricInterpolator(xp.arange(3.0), xp.ones(4)),
        lambda xp, sp: sp.KroghInterpolator(xp.array([0.0, 1.0, 0.0]), xp.ones(3)),
        lambda xp, sp: sp.BarycentricInterpolator(xp.arange(3.0)).add_xi(xp.array([9.0]), xp.ones(1)),
        lambda xp, sp: sp.BarycentricInterpolator(xp.arange(3.0), xp.ones(3)).add_xi(xp.array([9.0])),
    ]
    checks(bad, raises=ValueError)


P2, P3 = RNG.random((25, 2)), RNG.random((20, 3))
NEW2 = RNG.random((11, 2))
KERNELS = ["linear", "thin_plate_spline", "cubic", "quintic", "multiquadric", "inverse_multiquadric"]
KERNELS += ["inverse_quadratic", "gaussian"]


@pytest.mark.parametrize("kernel", KERNELS)
def test_radial_functions(kernel):
    d = RNG.standard_normal((25, 2, 5))
    needs = {} if kernel in KERNELS[:4] else {"epsilon": 3.0}
    options = {"kernel": kernel, **needs}
    bodies = [
        at("RBFInterpolator", P2, d, points=NEW2, **options),
        at("RBFInterpolator", P2, d[:, 0, 0], points=P2, **options),
    ]
    bodies += [at("RBFInterpolator", P2, d[:, 0] + 1j, points=NEW2, smoothing=0.3, **options)]
    bodies += [
        at(
            "RBFInterpolator",
            P3,
            d[:20, 0, 0],
            points=P3[:4] + 0.1,
            smoothing=np.linspace(0, 1, 20),
            **options,
        )
    ]
    bodies += [at("RBFInterpolator", P2, d[:, 0], points=NEW2, neighbors=k, **options) for k in (9, 100)]
    bodies += [at("RBFInterpolator", P2, d[:, 0, 0], points=NEW2, degree=3, **options)]
    bodies += [
        at("RBFInterpolator", P2[:, :1], d[:, 0, 0], points=NEW2[:, :1], degree=2, smoothing=0.1, **options)
    ]
    # Condition numbers reach 1e6 and more.
    checks(bodies, 1e7)


def test_bad_radial_functions():
    d = np.ones(25)
    bad = [
        at("RBFInterpolator", P2[:, 0], d, points=NEW2),
        at("RBFInterpolator", P2, d[:4], points=NEW2),
        at("RBFInterpolator", P2, d, points=NEW2, smoothing=np.ones(3)),
        at("RBFInterpolator", P2, d, points=NEW2, kernel="strange"),
        at("RBFInterpolator", P2, d, points=NEW2, kernel="gaussian"),
        at("RBFInterpolator", P2, d, points=NEW2, degree=-2),
        at("RBFInterpolator", P2, d, points=NEW2, degree=9),
        at("RBFInterpolator", P2, d, points=NEW2[:, :1]),
        at("RBFInterpolator", P2, d, points=NEW2[0]),
    ]
    checks(bad, raises=ValueError)
    checks([at("RBFInterpolator", np.zeros((4, 2)), d[:4], points=NEW2)], raises=np.linalg.LinAlgError)
    with pytest.warns(UserWarning, match="below"):
        interpolate.RBFInterpolator(cp.array(P2), cp.array(d), degree=0)
