"""``cuprum.scipy.integrate`` against ``scipy.integrate``: sums over samples, adaptive integrals, solvers."""

import numpy as np
import pytest
import scipy.integrate
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import integrate

RNG = np.random.default_rng(3)
Y = RNG.standard_normal((4, 9, 3))
X = np.cumsum(RNG.random(9) + 0.1)
XS = np.cumsum(RNG.random((4, 9, 3)) + 0.1, axis=1)
EVEN = Y[:, :8]
COMPLEX = Y + 1j * Y[::-1]
COUNTS = RNG.integers(0, 9, (3, 5))


def checks(bodies, units=64, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "integrate", units, label=f"case {i}", **options)


@pytest.mark.parametrize("name", ["trapezoid", "cumulative_trapezoid", "simpson", "cumulative_simpson"])
def test_sums_over_samples(name):
    def body(y, **kwargs):
        return lambda xp, sp: getattr(sp, name)(
            xp.array(y), **{k: xp.array(v) if isinstance(v, np.ndarray) else v for k, v in kwargs.items()}
        )

    bodies = [body(Y), body(Y, axis=1), body(Y, x=X, axis=1), body(Y, x=XS, axis=1), body(Y, axis=0, dx=0.3)]
    bodies += [body(EVEN, axis=1), body(EVEN, x=X[:8], axis=1), body(EVEN, x=XS[:, :8], axis=-2)]
    bodies += [body(COMPLEX, axis=1), body(COMPLEX, x=X, axis=1), body(COUNTS), body(COUNTS, dx=2)]
    bodies += [body(Y[0, :2], axis=0), body(Y[0, :2], x=X[:2], axis=0)]
    bodies += [body(Y.astype("f4"), axis=1), body(Y.astype("f4"), x=X, axis=1), body(COUNTS.astype("u1"))]
    bodies += [body(EVEN.astype(dtype), axis=1) for dtype in ("f2", "f4", "c8")]
    if name.startswith("cumulative"):
        bodies += [body(Y, axis=1, initial=0), body(Y[0, :2], axis=0, initial=0)]
    checks(bodies)
    if name == "cumulative_simpson":
        checks(
            [
                body(Y, axis=1, initial=Y[:, :1]),
                body(Y, axis=1, dx=np.abs(Y[:, :1]) + 0.1),
                body(Y, axis=1, initial=1.5),
            ]
        )
    bad = [body(Y, x=X[:5], axis=1)]
    if name != "trapezoid":
        bad += [body(Y, x=XS[0], axis=1)]
    if name == "cumulative_trapezoid":
        bad += [body(Y, initial=2), body(Y[:0], axis=0)]
    if name == "cumulative_simpson":
        bad += [body(Y, axis=5), body(Y, x=X[::-1], axis=1), body(Y, dx=X), body(Y, initial=X)]
    checks(bad, raises=ValueError)


def test_points_that_coincide():
    x = np.array([0.0, 0.5, 0.5, 1.0, 1.5, 1.5, 1.5])
    y = np.arange(7.0)
    checks([lambda xp, sp, n=n: sp.simpson(xp.array(y[:n]), x=xp.array(x[:n])) for n in (3, 5, 6, 7)])


def test_romberg(capsys):
    y = RNG.standard_normal((9, 17))
    checks(
        [
            lambda xp, sp: sp.romb(xp.array(y)),
            lambda xp, sp: sp.romb(xp.array(y), dx=0.25, axis=0),
            lambda xp, sp: sp.romb(xp.array(y[0, :2])),
            lambda xp, sp: sp.romb(xp.arange(5)),
            lambda xp, sp: sp.romb(xp.array(y[0] + 1j * y[1])),
        ]
    )
    checks([lambda xp, sp, n=n: sp.romb(xp.ones(n)) for n in (1, 4, 10)], raises=ValueError)
    integrate.romb(cp.arange(5.0), show=True)
    ours = capsys.readouterr().out
    scipy.integrate.romb(np.arange(5.0), show=True)
    assert ours.split() == capsys.readouterr().out.split()


def test_adaptive_integrals():
    shape = np.linspace(0.5, 3, 6).reshape(2, 3)

    def found(xp, sp, f, a, b, **kwargs):
        p = xp.array(shape)
        value, error, info = sp.quad_vec(lambda x: f(xp, x, p), a, b, full_output=True, **kwargs)
        return value, info.neval, info.success, info.status, info.message, info.intervals, info.errors.shape

    def smooth(xp, x, p):
        return xp.exp(-p * x * x) * (1 + x)

    def sharp(xp, x, p):
        return xp.sqrt(abs(x - 0.3)) * p

    cases = [
        (smooth, 0, 1, {}),
        (smooth, 1, -1, {}),
        (smooth, 0, np.inf, {}),
        (smooth, -np.inf, 0.5, {}),
        (smooth, -np.inf, np.inf, {"epsrel": 1e-6}),
        (smooth, np.inf, -np.inf, {}),
        (sharp, 0, 1, {"epsabs": 1e-6}),
        (sharp, 0, 1, {"points": [0.3]}),
        (sharp, 0, 1, {"quadrature": "gk15", "norm": "max"}),
        (sharp, 0, 1, {"quadrature": "trapezoid", "epsrel": 1e-4}),
        (sharp, 0, 1, {"limit": 3}),
    ]
    checks([lambda xp, sp, c=c: found(xp, sp, *c[:3], **c[3]) for c in cases])
    checks(
        [
            lambda xp, sp: sp.quad_vec(lambda x, a, b: xp.array([a, b]) * x, 0, 2, args=(1.0, 3.0)),
            lambda xp, sp: sp.quad_vec(lambda x: x**2, 0, 2),
            lambda xp, sp: sp.quad_vec(lambda x: xp.array([x, np.nan]), 0, 2)[1],
        ]
    )
    checks(
        [
            lambda xp, sp: sp.quad_vec(lambda x: x, 0, np.nan),
            lambda xp, sp: sp.quad_vec(lambda x: x, 0, 1, quadrature="strange"),
        ],
        raises=ValueError,
    )


METHODS = ["RK23", "RK45", "DOP853", "Radau", "BDF"]
SPRING = np.array([[0.0, 1.0, 0.0], [-1.0, -0.3, 0.2], [0.1, 0.0, -0.5]])


def spring(xp):
    matrix = xp.array(SPRING)
    return lambda t, y: matrix @ y + xp.cos(xp.asarray(t)) * 0.1


def van_der_pol(t, y, mu=20.0):
    return [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]]


def summary(found):
    """What both libraries say of a solution."""
    counts = found.nfev, found.njev, found.nlu, found.status, found.message, found.success
    return (found.t, found.y, *counts, found.t_events, found.y_events)


def both(body):
    """Run a body with SciPy and with ours; results of ours as NumPy's."""
    want = body(np, scipy.integrate)
    got = body(cp, integrate)
    for name in ("t", "y"):
        setattr(got, name, cp.asnumpy(getattr(got, name)))
    for name in ("t_events", "y_events"):
        if getattr(got, name) is not None:
            setattr(got, name, [cp.asnumpy(part) for part in getattr(got, name)])
    return got, want


def same_course(got, want):
    """Both took as many steps and evaluations, for the same reasons."""
    for name in ("nfev", "njev", "nlu", "status", "message", "success"):
        assert getattr(got, name) == getattr(want, name), name
    assert got.t.shape == want.t.shape and got.y.shape == want.y.shape and got.y.dtype == want.y.dtype


def no_worse(got, want, exact, rtol, atol):
    """The error in units of what the tolerances allow is SciPy's, but for a hundredth of a unit."""
    allowed = atol + rtol * np.abs(exact)
    ours, theirs = (np.max(np.abs(part - exact) / allowed, initial=0.0) for part in (got, want))
    assert abs(ours - theirs) <= 0.01 * max(1.0, theirs), (ours, theirs)


def accurate(fun, span, start, **options):
    """A solution whose error is far below those of the tests."""
    return scipy.integrate.solve_ivp(
        fun, span, start, "DOP853", rtol=1e-12, atol=1e-14, dense_output=True, **options
    )


@pytest.mark.parametrize("method", METHODS)
def test_initial_value_problems(method):
    """Lengths of steps follow errors that are differences of nearly equal numbers: where they are free, what
    can be compared are counts and errors beside an accurate solution."""
    start = np.array([1.0, 0.0, 0.5])

    def solved(xp, sp, span, **kwargs):
        given = {k: xp.array(v) if isinstance(v, np.ndarray) else v for k, v in kwargs.items()}
        return sp.solve_ivp(spring(xp), span, xp.array(start), method=method, **given)

    times = np.linspace(0.5, 3.9, 7)
    cases = [
        ((0, 4), {}),
        ((4, 1), {"rtol": 1e-5, "atol": 1e-8}),
        ((0, 4), {"t_eval": times}),
        ((4, 0), {"t_eval": times[::-1].copy()}),
        ((0, 4), {"max_step": 0.3, "first_step": 0.1, "atol": np.array([1e-6, 1e-5, 1e-4])}),
        ((2, 2), {}),
    ]
    for span, options in cases:
        got, want = both(lambda xp, sp, s=span, o=options: solved(xp, sp, s, **o))
        same_course(got, want)
        exact = accurate(spring(np), span, start).sol if span[0] != span[1] else lambda t: start[:, None]
        rtol, atol = options.get("rtol", 1e-3), options.get("atol", 1e-6)
        atol = atol[:, None] if isinstance(atol, np.ndarray) else atol
        # Each beside the exact solution at its own times.
        allowed = atol + rtol * np.abs(exact(want.t))
        no_worse((got.y - exact(got.t)) / allowed, (want.y - exact(want.t)) / allowed, 0.0, 0.0, 1.0)
        if "t_eval" in options:
            np.testing.assert_array_equal(got.t, want.t)
    for span, at in (((0, 4), np.array([3.3, 0.0, 1.7, 4.0])), ((4, 0), np.array([1.25]))):
        got, want = both(lambda xp, sp, s=span: solved(xp, sp, s, dense_output=True))
        exact = accurate(spring(np), span, start).sol(at)
        no_worse(cp.asnumpy(got.sol(cp.array(at))), want.sol(at), exact, 1e-3, 1e-6)
        one = cp.asnumpy(got.sol(float(at[0])))
        np.testing.assert_allclose(one, cp.asnumpy(got.sol(cp.array(at)))[:, 0], rtol=1e-13)
    rates = np.array([1.0, 2.0, 3.0])
    got, want = both(
        lambda xp, sp: sp.solve_ivp(
            lambda t, y, a: -a * y, (0, 1), xp.arange(3.0), method, args=(xp.array(rates),)
        )
    )
    same_course(got, want)
    no_worse(got.y[:, -1], want.y[:, -1], np.arange(3.0) * np.exp(-rates), 1e-3, 1e-6)
    checks([lambda xp, sp: sp.solve_ivp(lambda t, y: y, (0, 1), [], method).y])


@pytest.mark.parametrize("method", METHODS)
def test_steps_of_fixed_length(method):
    """Where no error decides about lengths, every step is that of SciPy but for rounding."""

    def solved(xp, sp):
        steps = {"first_step": 0.0625, "max_step": 0.0625, "rtol": 0.1, "atol": 0.1}
        found = sp.solve_ivp(
            spring(xp), (0, 1), xp.array([1.0, 0.0, 0.5]), method, jac=None, dense_output=True, **steps
        )
        return (*summary(found)[:8], found.sol(xp.array([0.03, 0.5, 0.97])))

    checks([solved], 1e3)


@pytest.mark.parametrize("method", METHODS)
def test_errors_follow_tolerances(method):
    """The error beside an exact solution is what the tolerances ask for, and no more than SciPy's."""
    rates = np.array([0.5, 1.0, 3.0])
    start = np.array([1.0, 2.0, -0.5])

    def worst(xp, sp, rtol):
        found = sp.solve_ivp(
            lambda t, y: -xp.array(rates) * y, (0, 2), xp.array(start), method, rtol=rtol, atol=rtol * 1e-3
        )
        end = found.y[:, -1]
        end = end.get() if xp is cp else end
        exact = start * np.exp(-2 * rates)
        return np.max(np.abs(end - exact) / (rtol * np.abs(exact) + rtol * 1e-3))

    for rtol in (1e-3, 1e-6):
        ours, theirs = worst(cp, integrate, rtol), worst(np, scipy.integrate, rtol)
        assert ours < 50 and ours <= 1.001 * theirs + 1e-3, (rtol, ours, theirs)


@pytest.mark.parametrize("method", METHODS)
def test_stiff_problems_and_events(method):
    def high(t, y):
        return y[0] - 1.0

    high.direction = -1

    def crossing(t, y):
        return y[1]

    # Order 8 takes long steps by errors near rounding: after few of them they differ.
    end = 7.0 if method == "DOP853" else 20.0
    crossing.terminal = 2 if method == "DOP853" else 3

    def rates(xp):
        return lambda t, y: xp.stack([y[1], 3 * (1 - y[0] ** 2) * y[1] - y[0]])

    def solved(xp, sp, **kwargs):
        return sp.solve_ivp(rates(xp), (0, end), xp.array([2.0, 0.0]), method, **kwargs)

    events = [high, crossing]
    for options in ({"events": events, "dense_output": True}, {"events": high, "t_eval": 5}):

        def body(xp, sp, o=options):
            given = o | ({"t_eval": xp.linspace(0, end, 5)} if "t_eval" in o else {})
            return solved(xp, sp, **given)

        got, want = both(body)
        same_course(got, want)
        exact = accurate(rates(np), (0, end), np.array([2.0, 0.0]), events=options["events"])
        # Solutions run away from each other where the rates are steep: the error grows with time for both.
        for ours, theirs, true in zip(got.t_events, want.t_events, exact.t_events, strict=True):
            assert ours.shape == theirs.shape == true.shape
            no_worse(ours, theirs, true, 1e-3, 1e-6)
        for at, found in zip(got.t_events, got.y_events, strict=True):
            if at.size and options.get("dense_output"):
                # A crossing is where its function is zero, to the digits that its time has.
                beside = np.stack([cp.asnumpy(got.sol(float(t))) for t in at])
                np.testing.assert_allclose(found, beside, rtol=1e-12, atol=1e-12)
        if options.get("dense_output"):
            assert np.max(np.abs(got.y_events[0][:, 0] - 1.0)) < 1e-12
            assert np.max(np.abs(got.y_events[1][:, 1])) < 1e-12


@pytest.mark.parametrize("method", ["Radau", "BDF"])
def test_jacobians(method):
    n = 8
    band = np.eye(n) + np.eye(n, k=1) + np.eye(n, k=-1)

    def solved(xp, sp, **kwargs):
        stiff = xp.array((band - 4 * np.eye(n)) * 30)

        def fun(t, y):
            return stiff @ y - y**3

        if kwargs.pop("with_jac", False):
            kwargs["jac"] = lambda t, y: stiff - xp.diag(3 * y**2)
        if kwargs.pop("constant", False):
            kwargs["jac"] = stiff
        found = sp.solve_ivp(fun, (0, 0.1), xp.linspace(0, 2, n), method, **kwargs)
        return summary(found)

    checks([lambda xp, sp, k=k: solved(xp, sp, **{k: True}) for k in ("with_jac", "constant")], 1e5)
    # Jacobians by differences have half of the digits, and the lengths of steps follow them.
    by_differences = ({}, {"vectorized": True}, {"jac_sparsity": band})
    checks([lambda xp, sp, k=k: solved(xp, sp, rtol=1e-7, atol=1e-9, **k)[2:8] for k in by_differences])
    checks(
        [lambda xp, sp, k=k: solved(xp, sp, rtol=1e-7, atol=1e-9, **k)[1][:, -1] for k in by_differences], 1e4
    )
    checks(
        [
            lambda xp, sp: sp.solve_ivp(lambda t, y: -y, (0, 1), xp.ones(2), method, jac=xp.ones((3, 3))),
            lambda xp, sp: sp.solve_ivp(lambda t, y: -y, (0, 1), xp.ones(2), method, first_step=-1),
            lambda xp, sp: sp.solve_ivp(lambda t, y: -y, (0, 1), xp.ones(2), method, first_step=5),
        ],
        raises=ValueError,
    )


@pytest.mark.parametrize("method", ["RK23", "RK45", "DOP853", "BDF"])
def test_complex_states(method):
    checks(
        [
            lambda xp, sp: summary(
                sp.solve_ivp(
                    lambda t, y: 1j * y * xp.array([1.0, 2.0]), (0, 3), xp.array([1.0 + 0j, 1j]), method
                )
            )
        ],
        1e4,
    )


def test_bad_problems():
    def solved(xp, sp, **kwargs):
        y0 = kwargs.pop("y0", [1.0, 2.0])
        return sp.solve_ivp(lambda t, y: -y, kwargs.pop("span", (0, 1)), xp.array(y0), **kwargs).y

    never = lambda t, y: y[0]
    never.terminal = -2
    bad = [
        {"method": "strange"},
        {"method": int},
        {"t_eval": [0.5, 0.2]},
        {"t_eval": [-1.0]},
        {"t_eval": [[0.1]]},
        {"max_step": 0},
        {"atol": [1e-3, 1e-3, 1e-3]},
        {"atol": -1.0},
        {"y0": [[1.0]]},
        {"y0": [np.inf, 1.0]},
        {"y0": [1j, 1.0], "method": "Radau"},
        {"events": never},
    ]
    checks([lambda xp, sp, k=k: solved(xp, sp, **k) for k in bad], raises=ValueError)
    checks([lambda xp, sp: solved(xp, sp, args=3)], raises=TypeError)
    with pytest.warns(UserWarning, match="no effect"):
        integrate.solve_ivp(lambda t, y: -y, (0, 1), cp.ones(1), jac=None)
    with pytest.warns(UserWarning, match="too small"):
        integrate.solve_ivp(lambda t, y: -y, (0, 1e-3), cp.ones(1), rtol=1e-20)
    with pytest.raises(RuntimeError, match="finished"):
        solver = integrate.RK45(lambda t, y: -y, 0, cp.ones(1), 0)
        solver.step()
        solver.step()


def test_values_that_are_no_numbers_end_the_integration():
    def solved(xp, sp, method):
        found = sp.solve_ivp(lambda t, y: y / (t < 0.5), (0, 1), xp.ones(1), method)
        return found.status, found.message, found.success

    checks([lambda xp, sp, m=m: solved(xp, sp, m) for m in ("RK45", "Radau")])


def test_systems_of_many_unknowns_stay_on_the_device():
    y0 = cp.linspace(0, 1, 20000)
    found = integrate.solve_ivp(lambda t, y: -2 * y, (0, 1), y0, rtol=1e-8, atol=1e-10)
    assert isinstance(found.y, cp.ndarray) and isinstance(found.t, cp.ndarray)
    np.testing.assert_allclose(cp.asnumpy(found.y[:, -1]), np.exp(-2) * np.linspace(0, 1, 20000), rtol=1e-7)


def test_missing_names_say_what_to_use():
    with pytest.raises(AttributeError, match="quad_vec"):
        integrate.quad
    with pytest.raises(AttributeError, match="solve_ivp"):
        integrate.odeint
    with pytest.raises(ValueError, match="Radau"):
        integrate.solve_ivp(lambda t, y: y, (0, 1), cp.ones(1), "LSODA")
