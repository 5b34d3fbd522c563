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
    checks(bodies, 1e3)
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

    tol = 1e-10 if method[0] in "NL" else 1e-8
    with_gradient = method != "Nelder-Mead"
    checks([lambda xp, sp: solved(xp, sp, with_gradient, ("success", "status"), tol=tol)])
    x = cp.asnumpy(solved(cp, optimize, with_gradient, tol=tol)[0])
    # BFGS and CG stop by the gradient, whose inverse Hessian has norm 2.5 here; the others by the value.
    if method in ("BFGS", "CG"):
        assert abs(rosenbrock_gradient(np)(x)).max() <= tol and abs(x - 1).max() <= 2.5 * np.sqrt(3) * tol
    assert rosenbrock(x) <= tol and abs(x - 1).max() <= np.sqrt(2 * 2.5 * tol)
    few = {"options": {"maxiter": 3}, "parts": ("success", "status", "message", "nit")}
    checks([lambda xp, sp: solved(xp, sp, with_gradient=method != "Nelder-Mead", **few)])
    # Far from the minimum both take the same steps.
    if method != "L-BFGS-B":
        some = {"options": {"maxiter": 8}, "parts": ("x", "fun", "nfev")}
        checks([lambda xp, sp: solved(xp, sp, with_gradient=method != "Nelder-Mead", **some)], 1e4)
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

    methods = ("BFGS", "L-BFGS-B", "CG", None)
    checks([lambda xp, sp, m=m: solved(xp, sp, method=m)[1] for m in methods])
    for method in methods:
        off = abs(cp.asnumpy(solved(cp, optimize, method=method)[0]) - target).max()
        # The Hessian is at least 2: half of the gradient, 1e-5 and what differences add, or the root of a
        # value's 2.2e-9.
        assert off <= (4.7e-5 if method == "L-BFGS-B" else 0.51e-5), method
    with_value = lambda x: ((x**2).sum(), 2 * x)
    checks([lambda xp, sp: sp.minimize(with_value, xp.array(START), jac=True).nit], 64)


def test_minima_within_bounds():
    bounds = [(-2.0, 0.5), (0.2, None), (None, 0.1)]

    def solved(xp, sp, method, **kwargs):
        found = sp.minimize(rosenbrock, xp.array([0.0, 1.0, 0.0]), method=method, bounds=bounds, **kwargs)
        return found.x, found.success

    def downhill(x, low, high):
        """The gradient, without what leads out of the bounds."""
        g = rosenbrock_gradient(np)(x)
        return abs(np.clip(x - g, low, high) - x).max()

    low, high = [
        np.array([b if b is not None else e for b in side])
        for side, e in zip(zip(*bounds, strict=True), (-np.inf, np.inf), strict=True)
    ]
    # Values within ftol of the least leave a gradient of sqrt(2 L ftol), L < 2000 being the Hessian's norm.
    tol, best = 1e-12, rosenbrock(solved(np, scipy.optimize, "L-BFGS-B", tol=1e-14)[0])
    for method in ("L-BFGS-B", None):
        checks([lambda xp, sp, m=method: solved(xp, sp, m, tol=tol)[1]])
        x = cp.asnumpy(solved(cp, optimize, method, tol=tol)[0])
        assert (x >= low).all() and (x <= high).all() and downhill(x, low, high) <= np.sqrt(4000 * tol)
        assert rosenbrock(x) - best <= tol * max(best, 1)
    # A simplex at a bound is flat and stops short of the minimum: at the same point in both.
    checks([lambda xp, sp: solved(xp, sp, "Nelder-Mead", tol=1e-9)], 64)
    x = cp.asnumpy(optimize.minimize(rosenbrock, cp.array(START), bounds=optimize.Bounds(-1, 0.5)).x)
    assert downhill(x, -1, 0.5) <= np.sqrt(4000 * 2.3e-9)
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
    checks([lambda xp, sp, c=c: solved(sp, **c)[2] for c in cases])
    for case in cases:
        # Where the curve is flat within rounding, points within the search's own tolerance are equally good.
        tol = 1e-4 if "tol" in case else 1e-5 if "bounds" in case else 1.5e-8
        ours, theirs = [[float(v) for v in solved(sp, **case)[:2]] for sp in (optimize, scipy.optimize)]
        assert abs(ours[0] - theirs[0]) <= 4 * tol * abs(theirs[0]), case
        # Half of the second derivative is below 20 at both minima.
        assert abs(ours[1] - theirs[1]) <= 20 * (4 * tol) ** 2 + 1e-14 * abs(theirs[1]), case
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
    # The cost is flat at its minimum: errors of Jacobians by differences, 1e-8, leave it all its digits. Of
    # the parameters they leave what the condition of the Jacobian does not take, which is below 100.
    checks([lambda xp, sp, b=b: b(xp, sp)[1:3] for b in bodies], 1e4, dtype=False)
    checks([lambda xp, sp, b=b: b(xp, sp)[3:] for b in bodies], dtype=False)
    for i, body in enumerate(bodies):
        ours, theirs = cp.asnumpy(body(cp, optimize)[0]), body(np, scipy.optimize)[0]
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, err_msg=f"case {i}")
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

    for i, case in enumerate(cases):
        popt, pcov = [cp.asnumpy(part) for part in fitted(cp, optimize, **case)]
        want, want_cov = fitted(np, scipy.optimize, **case)
        # Both stop where a step is below 1.5e-8 of the parameters, by Jacobians by differences.
        np.testing.assert_allclose(popt, want, rtol=1e-6, err_msg=f"case {i}")
        # The covariance by the model's own derivatives: differences have half of the digits, of which the
        # condition of the matrix takes up to two. SciPy's is that of the step before the last one.
        given = case.get("sigma", np.ones(40))
        root = np.linalg.cholesky(given) if given.ndim == 2 else np.diag(given)
        a, b, c = popt
        slope = np.stack([np.exp(-b * T), -a * T * np.exp(-b * T), np.ones(40)], axis=1)
        slope, off = np.linalg.solve(root, slope), np.linalg.solve(root, model(np)(T, a, b, c) - DATA)
        scale = 1.0 if case.get("absolute_sigma") else off @ off / (40 - 3)
        exact = np.linalg.inv(slope.T @ slope) * scale
        np.testing.assert_allclose(pcov, exact, rtol=2e-6, err_msg=f"case {i}")
        np.testing.assert_allclose(pcov, want_cov, rtol=1e-4, err_msg=f"case {i}")
    holes = np.where(np.arange(40) == 3, np.nan, DATA)
    options = {"check_finite": False, "nan_policy": "omit"}
    popt = cp.asnumpy(optimize.curve_fit(model(cp), cp.array(T), cp.array(holes), **options)[0])
    want = scipy.optimize.curve_fit(model(np), T, holes, **options)[0]
    np.testing.assert_allclose(popt, want, rtol=1e-6)
    # What is left of Newton's step at the solution, by the model's own derivatives.
    kept = np.isfinite(holes)
    a, b, c = popt
    slope = np.stack([np.exp(-b * T), -a * T * np.exp(-b * T), np.ones(40)], axis=1)[kept]
    left = np.linalg.lstsq(slope, (model(np)(T, a, b, c) - DATA)[kept], rcond=None)[0]
    assert np.max(np.abs(left / popt)) < 1e-6
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

    checks([lambda xp, sp: solved(xp, sp)], 64)
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


def _banana(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


@pytest.mark.parametrize("method", ["BFGS", "CG", "L-BFGS-B", "Nelder-Mead"])
def test_callbacks_stop_minimisation(method):
    def body(xp, sp):
        def stop(intermediate_result):
            if intermediate_result.fun < 0.5:
                raise StopIteration

        found = sp.minimize(_banana, xp.array([0.1, 0.1, 0.3]), method=method, callback=stop)
        return int(found.status), str(found.message), bool(found.success)

    checks([body])


@pytest.mark.parametrize("method", ["BFGS", "CG", "L-BFGS-B"])
def test_gradients_by_imaginary_steps(method):
    x = optimize.minimize(_banana, cp.array([-1.2, 1.0, 0.5]), method=method, jac="cs").x
    np.testing.assert_allclose(x.get(), 1, rtol=1e-4)
    at = np.linspace(0, 2, 9)

    def body(xp, sp):
        def residuals(p):
            return p[0] * xp.exp(-p[1] * xp.array(at)) - xp.array(3 * np.exp(-at))

        return sp.least_squares(residuals, xp.array([1.0, 0.5]), jac="cs").jac

    checks([body], units=1e8)


def test_inverse_hessian_of_limited_memory():
    found = optimize.minimize(
        lambda x: ((x - 2) ** 2 * cp.array([1.0, 3.0])).sum(), cp.zeros(2), method="L-BFGS-B"
    )
    pairs = scipy.optimize.LbfgsInvHessProduct(found.hess_inv.sk.get(), found.hess_inv.yk.get())
    np.testing.assert_allclose(found.hess_inv.todense().get(), pairs.todense(), rtol=1e-10)
    np.testing.assert_allclose((found.hess_inv @ cp.ones(2)).get(), pairs @ np.ones(2), rtol=1e-10)
    assert found.hess_inv.n_corrs == pairs.n_corrs


def test_values_with_gradients_that_are_not_used():
    def body(xp, sp):
        return sp.minimize(
            lambda x: (_banana(x), x), xp.array([0.1, 0.1, 0.3]), method="Nelder-Mead", jac=True
        ).x

    checks([body], units=1e12)


def test_least_squares_refuses_scales_and_tolerances():
    for more in ({"x_scale": -1.0}, {"x_scale": "jack"}, {"ftol": None, "xtol": None, "gtol": None}):
        checks(
            [lambda xp, sp, m=more: sp.least_squares(lambda x: x - 1, xp.zeros(2), **m)], raises=ValueError
        )
