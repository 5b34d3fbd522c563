"""``cuprum.scipy.optimize`` against ``scipy.optimize``: roots, minima, fits and assignments."""

import numpy as np
import pytest
import scipy.optimize
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import optimize

RNG = np.random.default_rng(2)


def checks(bodies, units=1e4, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "optimize", units, label=f"case {i}", **options)


FUNCTIONS = [
    (lambda x: x**3 - 2 * x - 5, 1, 4),
    (np.cos, 0, 3),
    (lambda x: np.exp(x) - 2, -3, 5),
    (lambda x: x, -1, 2),
]


@pytest.mark.parametrize("name", ["bisect", "brentq", "brenth", "ridder"])
def test_roots_between_points(name):
    def found(sp, f, a, b, **kwargs):
        root, result = getattr(sp, name)(f, a, b, full_output=True, **kwargs)
        return root, result.iterations, result.function_calls, result.converged, result.flag

    bodies = [lambda xp, sp, c=c: found(sp, *c) for c in FUNCTIONS]
    bodies += [lambda xp, sp: found(sp, lambda x, a: x * x - a, 0, 9, args=(7.0,), xtol=1e-3)]
    bodies += [
        lambda xp, sp: getattr(sp, name)(lambda x: x - 1, 0, 1),
        lambda xp, sp: found(sp, *FUNCTIONS[0], maxiter=3, disp=False),
    ]
    bodies += [lambda xp, sp: getattr(sp, name)(lambda x: xp.array(x) ** 2 - 2, 0, 2)]
    checks(bodies, 64)
    bad = [
        ((lambda x: x * x + 1, 0, 1), {}),
        ((lambda x: x, -1, 2), {"xtol": -1.0}),
        ((lambda x: x, -1, 2), {"rtol": 1e-30}),
    ]
    bad += [((lambda x: np.nan, -1, 2), {})]
    checks([lambda xp, sp, c=c: getattr(sp, name)(*c[0], **c[1]) for c in bad], raises=ValueError)
    checks([lambda xp, sp: getattr(sp, name)(lambda x: x**3 - 7, 0, 9, maxiter=2)], raises=RuntimeError)


def test_roots_near_points():
    a = np.linspace(0.5, 4, 9).reshape(3, 3)

    def many(xp, sp, **kwargs):
        c = xp.array(a)
        functions = {"fprime": lambda x: 2 * x, "fprime2": lambda x: 2.0 + 0 * x}
        given = {k: functions[k] for k in kwargs.pop("use", ())}
        return sp.newton(lambda x: x * x - c, xp.array(a + 1), **given, **kwargs)

    def one(sp, f, x0, **kwargs):
        root, r = sp.newton(f, x0, full_output=True, **kwargs)
        return root, r.iterations, r.function_calls, r.converged, r.method

    cube = lambda x: x**3 - 2 * x - 5
    bodies = [
        lambda xp, sp: many(xp, sp),
        lambda xp, sp: many(xp, sp, use=("fprime",)),
        lambda xp, sp: many(xp, sp, use=("fprime", "fprime2")),
        lambda xp, sp: many(xp, sp, use=("fprime",), full_output=True),
        lambda xp, sp: one(sp, cube, 2.0),
        lambda xp, sp: one(sp, cube, 2.0, x1=3.0),
        lambda xp, sp: one(sp, cube, 2.0, fprime=lambda x: 3 * x * x - 2),
        lambda xp, sp: one(sp, cube, 2.0, fprime=lambda x: 3 * x * x - 2, fprime2=lambda x: 6 * x),
        lambda xp, sp: sp.newton(lambda x, k: x - k, 2.0, args=(5.0,)),
    ]
    checks(bodies, 1e6)
    checks(
        [lambda xp, sp: sp.newton(cube, 2.0, tol=-1), lambda xp, sp: sp.newton(cube, 2.0, x1=2.0)],
        raises=ValueError,
    )
    checks([lambda xp, sp: sp.newton(cube, 2.0, maxiter=1)], raises=RuntimeError)


def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def rosenbrock_gradient(xp):
    def gradient(x):
        g = xp.zeros(x.shape)
        rise = x[1:] - x[:-1] ** 2
        g[:-1] = -400 * x[:-1] * rise - 2 * (1 - x[:-1])
        g[1:] += 200 * rise
        return g

    return gradient


START = np.array([-1.2, 1.0, 0.8])


@pytest.mark.parametrize("method", ["BFGS", "CG", "L-BFGS-B", "Nelder-Mead"])
def test_minima(method):
    def solved(xp, sp, with_gradient=False, parts=("x", "success", "status"), x0=START, **kwargs):
        if with_gradient:
            kwargs["jac"] = rosenbrock_gradient(xp)
        found = sp.minimize(rosenbrock, xp.array(x0), method=method, **kwargs)
        return [found[part] for part in parts]

    # The minimum is flat: gradients of 1e-5 leave five digits.
    bodies = [
        lambda xp, sp: solved(
            xp, sp, with_gradient=method != "Nelder-Mead", tol=1e-10 if method[0] in "NL" else 1e-8
        )
    ]
    checks(bodies, 1e10)
    few = {"options": {"maxiter": 3}, "parts": ("success", "status", "message", "nit")}
    checks([lambda xp, sp: solved(xp, sp, with_gradient=method != "Nelder-Mead", **few)])
    # Far from the minimum both take the same steps.
    if method != "L-BFGS-B":
        some = {"options": {"maxiter": 8}, "parts": ("x", "fun", "nfev")}
        checks([lambda xp, sp: solved(xp, sp, with_gradient=method != "Nelder-Mead", **some)], 1e7)
    seen = []
    result = optimize.minimize(rosenbrock, cp.array(START), method=method, callback=lambda x: seen.append(x))
    assert isinstance(result.x, cp.ndarray) and len(seen) >= result.nit - 1
    assert result.message and abs(float(result.x[0]) - 1) < 1e-2

    def stop(intermediate_result):
        raise StopIteration

    stopped = optimize.minimize(rosenbrock, cp.array(START), method=method, callback=stop)
    assert stopped.nit <= 2


def test_minima_of_many_variables_and_differences():
    target = RNG.standard_normal(30)

    def solved(xp, sp, **kwargs):
        t = xp.array(target)
        found = sp.minimize(lambda x: ((x - t) ** 4).sum() + ((x - t) ** 2).sum(), xp.zeros(30), **kwargs)
        return found.x, found.success

    bodies = [lambda xp, sp, m=m: solved(xp, sp, method=m) for m in ("BFGS", "L-BFGS-B", "CG", None)]
    checks(bodies, 1e11)
    with_value = lambda x: ((x**2).sum(), 2 * x)
    checks([lambda xp, sp: sp.minimize(with_value, xp.array(START), jac=True).nit], 64)


def test_minima_within_bounds():
    bounds = [(-2.0, 0.5), (0.2, None), (None, 0.1)]

    def solved(xp, sp, method, **kwargs):
        found = sp.minimize(rosenbrock, xp.array([0.0, 1.0, 0.0]), method=method, bounds=bounds, **kwargs)
        return found.x, found.success

    checks(
        [
            lambda xp, sp: solved(xp, sp, "L-BFGS-B", tol=1e-12),
            lambda xp, sp: solved(xp, sp, None, tol=1e-12),
        ],
        1e10,
    )
    checks([lambda xp, sp: solved(xp, sp, "Nelder-Mead", tol=1e-9)], 1e9)
    checks([lambda xp, sp: sp.minimize(rosenbrock, xp.array(START), bounds=sp.Bounds(-1, 0.5)).x], 1e10)
    bad = [
        lambda xp, sp: sp.minimize(rosenbrock, xp.array(START), bounds=[(1, 0)] * 3),
        lambda xp, sp: sp.minimize(rosenbrock, xp.array(START), bounds=[(0, 1)] * 2),
        lambda xp, sp: sp.minimize(rosenbrock, xp.array(START), method="strange"),
        lambda xp, sp: sp.minimize(rosenbrock, xp.array([START])),
    ]
    checks(bad, raises=ValueError)
    with pytest.warns(optimize.OptimizeWarning, match="Unknown solver options"):
        optimize.minimize(rosenbrock, cp.array(START), options={"strange": 1})


def test_minima_of_one_variable():
    f = lambda x: (x - 2) * x * (x + 2) ** 2

    def solved(sp, **kwargs):
        found = sp.minimize_scalar(f, **kwargs)
        return found.x, found.fun, found.success

    cases = [{}, {"bracket": (0, 1)}, {"bracket": (0, 1, 3)}]
    cases += [
        {"bounds": (-3, -1)},
        {"method": "golden"},
        {"method": "bounded", "bounds": (0, 5)},
        {"tol": 1e-4},
    ]
    checks([lambda xp, sp, c=c: solved(sp, **c) for c in cases], 1e9)
    bad = [
        {"method": "strange"},
        {"method": "bounded"},
        {"bounds": (3, 1)},
        {"method": "brent", "bounds": (0, 1)},
    ]
    bad += [{"bracket": (0, 1, 2, 3)}, {"bracket": (0, 5, 3)}]
    checks([lambda xp, sp, c=c: solved(sp, **c) for c in bad], raises=ValueError)


T = np.linspace(0, 3, 40)
DATA = 2.5 * np.exp(-1.3 * T) + 0.5 + 0.01 * RNG.standard_normal(40)
OUTLIERS = DATA.copy()
OUTLIERS[::9] += 2


def residuals(xp, y):
    t, y = xp.array(T), xp.array(y)
    return lambda p: p[0] * xp.exp(-p[1] * t) + p[2] - y


@pytest.mark.parametrize("method", ["trf", "lm", "dogbox"])
def test_least_squares(method):
    def solved(xp, sp, y=DATA, parts=("x", "cost", "success", "active_mask"), **kwargs):
        found = sp.least_squares(
            residuals(xp, y), xp.ones(3), method=method, xtol=1e-12, ftol=1e-12, gtol=1e-12, **kwargs
        )
        return [found[part] for part in parts]

    bodies = [lambda xp, sp: solved(xp, sp), lambda xp, sp: solved(xp, sp, x_scale="jac")]
    bodies += [lambda xp, sp: solved(xp, sp, jac="3-point")]
    if method != "lm":
        bodies += [
            lambda xp, sp, loss=loss: solved(xp, sp, OUTLIERS, loss=loss, f_scale=0.1)
            for loss in ("huber", "soft_l1", "cauchy", "arctan")
        ]
        tight = ([0.0, 0.0, 0.6], [2.2, np.inf, 2.0])
        bodies += [lambda xp, sp: solved(xp, sp, bounds=tight, parts=("x", "cost", "success"))]
    # Differences leave eight digits of the minimum.
    checks(bodies, 1e10, dtype=False)
    bad = [
        {"method": "strange"},
        {"loss": "strange"},
        {"bounds": ([2, 0, 0], [1, 1, 1])},
        {"bounds": ([5, 5, 5], [6, 6, 6])},
    ]
    bad += [{"max_nfev": 0}, {"jac": "strange"}]
    checks(
        [lambda xp, sp, b=b: sp.least_squares(residuals(xp, DATA), xp.ones(3), **b) for b in bad],
        raises=ValueError,
    )
    few = lambda xp, sp: [
        sp.least_squares(residuals(xp, DATA), xp.ones(3), max_nfev=2)[k]
        for k in ("status", "success", "message")
    ]
    checks([few])


def test_fits():
    def model(xp):
        return lambda t, a, b, c: a * xp.exp(-b * t) + c

    sigma = np.linspace(0.01, 0.1, 40)
    full = np.diag(sigma**2) + 1e-5
    cases = [
        {},
        {"p0": [2.0, 1.0, 0.0]},
        {"sigma": sigma},
        {"sigma": sigma, "absolute_sigma": True},
        {"sigma": full},
    ]
    cases += [
        {"bounds": ([0, 0, 0], [2.2, 5, 5]), "ftol": 1e-14, "xtol": 1e-14, "gtol": 1e-14},
        {"bounds": (0, np.inf)},
        {"method": "trf"},
    ]

    def fitted(xp, sp, **kwargs):
        given = {k: xp.array(v) if isinstance(v, np.ndarray) else v for k, v in kwargs.items()}
        return sp.curve_fit(model(xp), xp.array(T), xp.array(DATA), **given)

    checks([lambda xp, sp, c=c: fitted(xp, sp, **c)[0] for c in cases], 1e10)
    # Covariances come from Jacobians by differences, which have half of the digits.
    checks([lambda xp, sp, c=c: fitted(xp, sp, **c)[1] for c in cases], 1e11)
    holes = np.where(np.arange(40) == 3, np.nan, DATA)
    checks(
        [
            lambda xp, sp: sp.curve_fit(
                model(xp), xp.array(T), xp.array(holes), check_finite=False, nan_policy="omit"
            )[0]
        ],
        1e9,
    )
    bad = [
        {"p0": [1.0], "bounds": ([0, 0], [1, 1])},
        {"sigma": sigma[:3]},
        {"method": "lm", "bounds": (0, 1)},
    ]
    checks([lambda xp, sp, c=c: fitted(xp, sp, **c) for c in bad], raises=ValueError)
    checks([lambda xp, sp: sp.curve_fit(model(xp), xp.array(T), xp.array(holes))], raises=ValueError)
    checks([lambda xp, sp: sp.curve_fit(model(xp), xp.array(T[:2]), xp.array(DATA[:2]))], raises=TypeError)


def test_systems_of_equations():
    def system(xp):
        return lambda x: xp.stack([x[0] + 0.5 * (x[0] - x[1]) ** 3 - 1.0, 0.5 * (x[1] - x[0]) ** 3 + x[1]])

    def solved(xp, sp, **kwargs):
        found = sp.root(system(xp), xp.zeros(2), **kwargs)
        return found.x, found.success

    checks([lambda xp, sp: solved(xp, sp)], 1e8)
    found = optimize.root(system(cp), cp.zeros(2), method="lm")
    assert float(abs(found.fun).max()) < 1e-12
    assert not optimize.root(lambda x: x**2 + 1, cp.array([1.0])).success
    checks([lambda xp, sp: solved(xp, sp, method="strange")], raises=ValueError)


def test_assignments():
    bodies = []
    for shape in ((1, 1), (4, 4), (3, 7), (9, 5), (30, 30), (0, 3), (3, 0)):
        cost = RNG.random(shape)
        bodies += [
            lambda xp, sp, c=cost, m=m: sp.linear_sum_assignment(xp.array(c), m) for m in (False, True)
        ]
    forbidden = np.where(RNG.random((8, 8)) < 0.3, np.inf, RNG.random((8, 8)))
    forbidden[np.arange(8), np.arange(8)] = 1.0
    bodies.append(lambda xp, sp: sp.linear_sum_assignment(xp.array(forbidden)))
    checks(bodies)
    whole = RNG.integers(0, 5, (12, 15))
    rows, columns = optimize.linear_sum_assignment(cp.array(whole))
    best = whole[scipy.optimize.linear_sum_assignment(whole)].sum()
    assert whole[cp.asnumpy(rows), cp.asnumpy(columns)].sum() == best
    bad = [np.ones(3), np.full((2, 2), np.nan), np.full((2, 2), np.inf), np.full((2, 2), -np.inf)]
    checks([lambda xp, sp, b=b: sp.linear_sum_assignment(xp.array(b)) for b in bad], raises=ValueError)


def test_results_and_missing_names():
    result = optimize.OptimizeResult(x=1, fun=2.5)
    assert result.x == result["x"] == 1 and "fun" in repr(result) and set(dir(result)) == {"x", "fun"}
    with pytest.raises(AttributeError):
        result.strange
    with pytest.raises(AttributeError, match="least_squares"):
        optimize.leastsq
    with pytest.raises(AttributeError, match="minimize"):
        optimize.strange
