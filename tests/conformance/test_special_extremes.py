"""Special functions of huge, tiny and exceptional arguments, against SciPy and mpmath."""

import numpy as np
import pytest
from twin import quiet, to_numpy

import cuprum as cp
from cuprum.scipy import special

scipy_special = pytest.importorskip("scipy.special")
mpmath = pytest.importorskip("mpmath")

PARTS = np.array([5e-324, 1e-310, 1e-300, 1e-20, 0.0, 0.5, 1.0, 3.0, 30.0, 1e3, 1e10, 1e155, 1e200, 1.7e308])
PARTS = np.concatenate([PARTS, -PARTS])
Z = np.array([complex(a, b) for a in PARTS for b in PARTS])


def is_close(got, want, tolerance):
    """Return where numbers are near SciPy's, or SciPy has none."""
    with quiet():
        known = np.isfinite(want)
        size = np.where(known, np.maximum(np.abs(want.real), np.abs(want.imag)), 1.0)
        near = np.isfinite(got) & (np.abs(got - np.where(known, want, 0)) <= tolerance * size + 1e-300)
    return near | ~known


@pytest.mark.parametrize(
    "name", ["erf", "erfc", "erfcx", "erfi", "dawsn", "wofz", "gamma", "rgamma", "psi", "spence", "ndtr"]
)
def test_complex_numbers_of_any_size(name):
    with quiet():
        want = getattr(scipy_special, name)(Z)
    got = to_numpy(getattr(special, name)(cp.array(Z)))
    near = is_close(got, want, 2e-9)
    assert near.all(), (Z[~near], got[~near], want[~near])


def test_subnormal_logarithms():
    mp = pytest.importorskip("mpmath")
    tiny = 5e-324 + 5e-324j
    assert abs(complex(special.loggamma(tiny)) - complex(mp.loggamma(tiny))) < 1e-12
    assert abs(complex(special.expi(tiny)) - complex(mp.ei(tiny))) < 1e-12
    huge = 1.7e308 + 1.7e308j
    assert abs(complex(special.lambertw(huge)) - complex(mp.lambertw(huge))) < 1e-10


def test_hyperbolic_cosine_integral_on_the_imaginary_axis():
    points = np.array([complex(-0.0, y) for y in (1.0, 3.0, 30.0, -1.0, -3.0)])
    np.testing.assert_allclose(to_numpy(special.shichi(cp.array(points))[1]), scipy_special.shichi(points)[1])


def test_airy_functions_of_subnormal_numbers():
    points = np.array([5e-324j, -5e-324j, 1e-310 + 5e-324j])
    for got, want in zip(special.airy(cp.array(points)), scipy_special.airy(points), strict=True):
        np.testing.assert_allclose(to_numpy(got), want, 1e-14)


ORDERS = np.array([-9, -8, -7.5, -3, -2.5, -1, 0, 0.5, 1, 2, 2.5, 7, 9])


@pytest.mark.parametrize("name", ["hankel1", "hankel2", "hankel1e", "hankel2e"])
def test_hankel_functions_of_negative_numbers(name):
    points = np.array([-9.0, -5.0, -3.0, -1.0, -0.5, complex(-2.0, -0.0), -2 + 1j, -2 - 1j])
    order, at = (one.ravel() for one in np.meshgrid(ORDERS, points))
    got, want = to_numpy(getattr(special, name)(order, cp.array(at))), getattr(scipy_special, name)(order, at)
    np.testing.assert_allclose(got, want, 1e-9, 1e-12)


@pytest.mark.parametrize("name", ["hankel1", "hankel2", "hankel1e", "hankel2e", "jv", "yv", "kve", "jve"])
def test_bessel_functions_of_huge_complex_numbers(name):
    mp = pytest.importorskip("mpmath")
    for z in (1e200 + 1j, 1e155 - 2j, 1e170 + 0j):
        at = mp.mpc(z.real, z.imag)
        functions = {
            "hankel1": lambda z: mp.hankel1(1.5, z),
            "hankel2": lambda z: mp.hankel2(1.5, z),
            "hankel1e": lambda z: mp.hankel1(1.5, z) * mp.exp(-1j * z),
            "hankel2e": lambda z: mp.hankel2(1.5, z) * mp.exp(1j * z),
            "jv": lambda z: mp.besselj(1.5, z),
            "yv": lambda z: mp.bessely(1.5, z),
            "kve": lambda z: mp.sqrt(mp.pi / (2 * z)) * (1 + 1 / z),
            "jve": lambda z: mp.besselj(1.5, z) * mp.exp(-abs(z.imag)),
        }
        with mp.workdps(400):
            want = complex(functions[name](at))
        got = complex(getattr(special, name)(1.5, z))
        assert abs(got - want) < 1e-9 * abs(want), (z, got, want)


@pytest.mark.parametrize("order", [1e6, 123456.5, 1e9])
@pytest.mark.parametrize("ratio", [0.3 + 0.2j, 2 + 1j, 0.01 + 3j, 3j, 5 - 4j, 0.5j, 1.5])
def test_complex_bessel_functions_of_huge_order(order, ratio):
    at = order * ratio
    for name in ("jve", "yve", "ive", "kve", "hankel1e", "hankel2e"):
        want = complex(getattr(scipy_special, name)(order, at))
        got = complex(getattr(special, name)(order, at))
        # Both lose the digits that the phase has before its point, beside the largest values nearby.
        if np.isfinite(want) and abs(want) > 1e-290:
            size = max(abs(want), order**-0.5) if abs(want) > 1e-3 * order**-0.5 else abs(want)
            assert abs(got - want) < max(1e-15 * order, 1e-10) * 30 * size, (name, got, want)


def test_bessel_functions_of_orders_beyond_all_arguments():
    for x in (1e9, 2e10):
        assert float(special.jv(1e300, x)) == 0
        assert float(special.iv(1e300, x)) == 0
        assert float(special.ive(1e300, x)) == 0
        assert float(special.kv(1e300, x)) == np.inf


def test_inverse_of_boxcox_beyond_the_range_of_products():
    y, power = (one.ravel() for one in np.meshgrid([1e300, 1.7e308, -1.7e308], [2.0, 5.0, 100.0, 1e10, -3.0]))
    for name in ("inv_boxcox", "inv_boxcox1p"):
        with quiet():
            want = getattr(scipy_special, name)(y, power)
        np.testing.assert_allclose(to_numpy(getattr(special, name)(cp.array(y), power)), want, 1e-12)


def test_hyp0f1_of_large_parameters():
    mp = pytest.importorskip("mpmath")
    for v in (180.0, 1000.5, 2.0**31, 1e10):
        for ratio in (-30.0, -3.0, -0.7, 0.9, 4.0, 120.0):
            want = float(mp.hyp0f1(v, v * ratio)) if v < 1e6 else _hyp0f1(mp, v, v * ratio)
            got = float(special.hyp0f1(v, v * ratio))
            assert abs(got - want) < 1e-9 * abs(want), (v, ratio, got, want)
    single = special.hyp0f1(cp.array([2.0**31, 1e10], "f4"), np.float32(1e10))
    np.testing.assert_allclose(to_numpy(single), [105.278884, 2.7182818], 1e-6)


def test_hyp0f1_far_below_zero():
    mp = pytest.importorskip("mpmath")
    for v in (-120.3, -170.5, -200.7, -999.25, -12345.67):
        for ratio in (-300.0, -30.0, -3.0, -0.7, 0.01, 0.9, 4.0, 30.0):
            want, got = _hyp0f1(mp, v, -v * ratio), float(special.hyp0f1(v, -v * ratio))
            assert abs(got - want) < 1e-9 * abs(want), (v, ratio, got, want)
            one = complex(special.hyp0f1(cp.array(v, "c16"), complex(-v * ratio))) if abs(ratio) < 1 else want
            assert abs(one - want) < 1e-9 * abs(want), (v, ratio, one, want)


def _hyp0f1(mp, v, x):
    """Return 0F1 by its series, with many digits."""
    with mp.workdps(400):
        term = total = mp.mpf(1)
        for k in range(2000):
            term *= mp.mpf(x) / ((mp.mpf(v) + k) * (k + 1))
            total += term
        return float(total)


def test_jacobi_polynomials_of_negative_whole_parameters():
    n, a, b = (one.ravel() for one in np.meshgrid([0, 1], [-3.0, -2.0, -1.0], [-3.0, -1.0, 1.5]))
    for x in (-11.0, -0.3, 0.5, 4.0):
        np.testing.assert_allclose(
            to_numpy(special.eval_jacobi(cp.array(n), a, b, x)), scipy_special.eval_jacobi(n, a, b, x), 1e-12
        )
    assert np.isclose(float(special.eval_sh_jacobi(1, 2, 4.0, -5)), -19 / 3)


@pytest.mark.parametrize("pair", [(6.0, -9.0), (-9.0, 6.0), (-1.0, -2.0), (2.5, -6.5), (-2.996, 0.25)])
def test_jacobi_polynomials_whose_parameters_add_up_to_less_than_minus_one(pair):
    """Where they add up to a whole number the recurrence would divide by nothing."""
    mp = pytest.importorskip("mpmath")

    def choices(top, count):
        found = mp.mpf(1)
        for i in range(count):
            found *= (top - i) / mp.mpf(i + 1)
        return found

    def terms(n, a, b, x):
        return [
            choices(n + a, n - k) * mp.rf(n + a + b + 1, k) / mp.factorial(k) * ((x - 1) / 2) ** k
            for k in range(n + 1)
        ]

    with mp.workdps(50):
        a, b = map(mp.mpf, pair)
        for n in (1, 2, 3, 5, 8, 12):
            for x in (-3.0, -1.0, -0.5, 0.0, 0.3, 0.75, 1.0, 2.5):
                ours = mp.mpf(x)
                want = mp.fsum(terms(n, a, b, ours))
                # The sum that is mirrored where that has the smaller powers.
                size = mp.fsum(map(abs, terms(n, a, b, ours) if x >= 0 else terms(n, b, a, -ours)))
                got = float(special.eval_jacobi(float(n), *pair, cp.array(x)))
                # Zeros have the digits of the sum above.
                assert abs(got - want) <= 2e-12 * size + 1e-9 * abs(want) + 1e-40, (n, x, got, want)


HYPERGEOMETRIC_BEYOND_ONE = [
    (1.5, 7.0, 0.5, 2.0),
    (3.0, 4.0, 1.0, 1.5),
    (2.0, 1.5, -2.5, 1e10),
    (0.5, 3.0, -2.5, 1.0001),
    (1.0, 4.0, 2.0, 1e10),
]


@pytest.mark.parametrize("case", HYPERGEOMETRIC_BEYOND_ONE)
def test_hyp2f1_beyond_one_where_it_is_rational(case):
    """A whole power of ``1 - x`` and a polynomial: the value is real."""
    want = scipy_special.hyp2f1(*case)
    assert np.isfinite(want)
    np.testing.assert_allclose(float(special.hyp2f1(*case[:3], cp.array(case[3]))), want, 1e-8)


def test_shifted_jacobi_polynomials_of_negative_whole_parameters():
    """Where `2 * n + p` is zero or less SciPy has no binomial coefficient, and NaN; the values are there."""
    mp = pytest.importorskip("mpmath")

    def wanted(n, p, q, x):
        # The polynomial's own sum, from the highest power down; None where it has no highest power.
        total = term = mp.mpf(1)
        for k in range(1, n + 1):
            if p + 2 * n - k == 0:
                return None
            term *= -mp.mpf((n - k + 1) * (q + n - k)) / (k * (p + 2 * n - k) * x)
            total += term
        return float(total * mp.mpf(x) ** n)

    for dtype in ("f8", "f4", "c16"):
        for n in range(6):
            for p in (-14.0, -11.0, -5.0, -2.0, -1.0):
                # Gauss's function, by which complex ones are computed, has poles at whole numbers.
                for q in (-2.5, 0.5) if dtype == "c16" else (-2.5, -1.0, 0.5, 3.0):
                    want = wanted(n, p, q, 0.75)
                    if want is not None:
                        got = special.eval_sh_jacobi(n, p, q, cp.array(0.75, dtype))
                        np.testing.assert_allclose(complex(got), want, 1e-5 if dtype == "f4" else 1e-10)
    assert np.isnan(float(special.eval_sh_jacobi(2, -6.0, 0.5, np.nan)))
    assert np.isnan(float(special.eval_sh_jacobi(2, np.nan, 0.5, 0.5)))


def test_digamma_beside_its_pole_at_zero():
    x = np.array([-5e-324, -1e-310, -1e-300, -1e-21, -1e-19])
    with quiet():
        np.testing.assert_allclose(to_numpy(special.psi(cp.array(x))), scipy_special.psi(x), 1e-14)


def test_hypergeometric_functions_of_equal_negative_whole_numbers():
    for a in (-4.0, -3.0, -2.0, -1.0):
        for x in (0.3, 0.9):
            assert np.isclose(float(special.hyp2f1(a, a, a, x)), (1 - x) ** -a, 1e-12)


def test_gamma_of_whole_numbers_is_exact():
    points = np.arange(1.0, 24.0)
    exact = np.cumprod([1.0, *points[:-1]])
    assert to_numpy(special.gamma(cp.array(points))).tolist() == exact.tolist()


def test_functions_at_the_joints_of_their_intervals():
    """Formulas of neighbouring intervals are equally good where they meet."""
    mp = pytest.importorskip("mpmath")
    cases = {
        "gamma": (mp.gamma, [1.0, 2.0, 3.0, 171.6]),
        "rgamma": (mp.rgamma, [1.0, 2.0, 3.0, 171.6]),
        "gammaln": (mp.loggamma, [0.75, 2.5, 3.5]),
        "digamma": (mp.digamma, [1.0, 2.5]),
        "erf": (mp.erf, [1.0, 6.0]),
        "log_ndtr": (lambda x: mp.log(mp.ncdf(x)), [-1.0, 0.0]),
        "zetac": (lambda x: mp.zeta(x) - 1, [2.0, 4.0, 7.0, 15.0, 35.0]),
        "logit": (lambda x: mp.log(x / (1 - x)), [0.3, 0.65]),
        "ellipk": (mp.ellipk, [0.5]),
        "ndtri": (lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1), [0.00048284, 0.99951716]),
    }
    for name, (exact, joints) in cases.items():
        points = np.array([*joints, *np.nextafter(joints, -np.inf), *np.nextafter(joints, np.inf)])
        for x, value in zip(points, to_numpy(getattr(special, name)(cp.array(points))), strict=True):
            with mp.workdps(40):
                true = exact(mp.mpf(float(x)))
                assert abs(mp.mpf(float(value)) - true) <= 3.3 * np.spacing(abs(float(true))), (
                    name,
                    x,
                    value,
                )


def test_students_t_of_subnormal_degrees_of_freedom():
    assert to_numpy(special.stdtr(cp.array([5e-324, 5e-324]), cp.array([2.0, -2.0]))).tolist() == [0.5, 0.5]


def test_distributions_of_huge_degrees_of_freedom():
    a, b, x = np.array([[3e18, 1e18, 7.3e18, 2e18], [4e18, 5e18, 1.7e18, 3e18], [9e18, 2e18, 5e18, 1e-18]])
    with quiet():
        want = scipy_special.fdtr(a, b, x), scipy_special.fdtrc(a, b, x)
    got = special.fdtr(*map(cp.array, (a, b, x))), special.fdtrc(*map(cp.array, (a, b, x)))
    assert [to_numpy(g).tolist() for g in got] == [w.tolist() for w in want]


def test_entropies_of_numbers_that_are_nearly_equal():
    mp = pytest.importorskip("mpmath")
    rng = np.random.default_rng(4)
    x = rng.uniform(0.1, 5, 60)
    y = x * (1 + np.repeat([1e-15, 1e-9, 1e-3], 20) * rng.uniform(-1, 1, 60))
    for a, b, value in zip(x, y, to_numpy(special.rel_entr(cp.array(x), cp.array(y))), strict=True):
        with mp.workdps(40):
            true = mp.mpf(float(a)) * mp.log(mp.mpf(float(a)) / mp.mpf(float(b)))
            assert abs(mp.mpf(float(value)) - true) <= 1.6 * np.spacing(abs(float(true))), (a, b, value)


def within(got, true, ulps):
    return abs(got - true) <= ulps * np.spacing(abs(float(true)))


def test_airy_functions_far_out():
    mp = pytest.importorskip("mpmath")
    points = np.array([9.75, 12.5, 60.25, 100.5, -9.25, -12.5, -333.25])
    with mp.workdps(40):
        for name, got in zip(["Ai", "Aip", "Bi", "Bip"], special.airy(cp.array(points)), strict=True):
            exact = mp.airyai if name.startswith("A") else mp.airybi
            for x, value in zip(points, to_numpy(got), strict=True):
                true = exact(mp.mpf(float(x)), derivative=name.endswith("p"))
                assert within(mp.mpf(float(value)), true, 20), (name, x, value)


def test_students_t_of_many_degrees_of_freedom():
    mp = pytest.importorskip("mpmath")
    got = to_numpy(special.stdtr(cp.array([1e5, 1e5, 1e7, 1e10]), cp.array([-2.0, -2.5, -1.5, -2.0])))
    with mp.workdps(40):
        for df, t, value in zip([1e5, 1e5, 1e7, 1e10], [2.0, 2.5, 1.5, 2.0], got, strict=True):
            n = mp.mpf(df)
            factor = mp.exp(mp.loggamma((n + 1) / 2) - mp.loggamma(n / 2)) / mp.sqrt(mp.pi * n)
            places = [t, t + 2, t + 5, t + 10, t + 20]
            true = factor * mp.quad(lambda x, n=n: mp.exp(-(n + 1) / 2 * mp.log1p(x * x / n)), places)
            assert within(mp.mpf(float(value)), true, 12), (df, t, value)


def test_inverses_of_distributions_where_one_parameter_is_huge():
    one, other = special.gammaincinv(20.5, 1e-10), special.gammainccinv(20.5, 1e-10)
    assert np.isclose(float(special.betaincinv(20.5, 1e300, 1e-10)), 1e-300 * float(one), 1e-12)
    assert np.isclose(float(special.betainccinv(20.5, 1e300, 1e-10)), 1e-300 * float(other), 1e-12)
    ratio = 10.25 / float(special.gammainccinv(10.25, 1e-10))
    assert np.isclose(float(special.fdtri(1e300, 20.5, 1e-10)), ratio, 1e-12)


def test_chances_of_parameters_next_to_zero():
    # All is at both ends.
    assert float(special.fdtrc(1e-300, 1e-300, 2.0)) == 0.5
    assert float(special.betaincinv(1e-10, 1e-10, 0.5)) == 0.5


@pytest.mark.parametrize("name", ["legendre", "chebyt", "chebyu", "hermite", "hermitenorm", "laguerre"])
def test_polynomials_of_many_degrees_at_once(name):
    rng = np.random.default_rng(5)
    n = rng.integers(0, 12, 700)
    n[::50], n[1::70] = 70, 64
    x = rng.uniform(-1, 1, 700)
    x[::90] = np.nan
    ours, theirs = getattr(special, f"eval_{name}"), getattr(scipy_special, f"eval_{name}")
    got = to_numpy(ours(cp.array(n), cp.array(x)))
    np.testing.assert_allclose(got, theirs(n, x), rtol=1e-9, atol=1e-12 * (1e30 if "herm" in name else 1))
    # One at a time they have the same bits.
    alone = [float(ours(int(k), cp.array([v]))[0]) for k, v in zip(n[:60], x[:60], strict=True)]
    np.testing.assert_array_equal(got[:60], alone)


def test_zeta_far_to_the_left():
    x = np.array([-1e5 - 0.55, -1e5, -1e6 - 0.5, -1e10 - 0.5, -3e15 - 0.5, -1e17, -300.7, -262.5])
    np.testing.assert_array_equal(to_numpy(special.zeta(cp.array(x))), scipy_special.zeta(x))
    mp = pytest.importorskip("mpmath")
    for at in (-20.5, -100.3, -170.3, -243.6, -250.2):
        assert within(float(special.zeta(cp.array(at))), mp.zeta(at), 12)


def test_zeta_of_infinite_terms_ends():
    x, q = np.array([1e20, 1e20 + 1, 1e3 + 1, 1e300]), np.array([-0.5, 0.5, -0.5, -1e-300])
    np.testing.assert_allclose(
        to_numpy(special.zeta(cp.array(x), cp.array(q))), scipy_special.zeta(x, q), rtol=1e-12
    )


def test_legendre_functions_beside_minus_one():
    mp = pytest.importorskip("mpmath")
    mp.mp.dps = 30
    for order, degree, x in [
        (0, 0.0014, -0.9995),
        (0, 2.5, -0.99999),
        (0, 17.3, -0.9999),
        (1, 2.5, -0.9995),
        (3, 7.25, -0.985),
    ]:
        true = mp.re(mp.legenp(degree, order, mp.mpf(x)))
        assert abs(float(special.lpmv(order, degree, cp.array(x))) / float(true) - 1) < 1e-12


def test_logarithm_of_gamma_beside_its_zeros():
    mp = pytest.importorskip("mpmath")
    mp.mp.dps = 50
    zeros = [
        -2.4570247382208006,
        -2.7476826467274127,
        -3.14358088834998,
        -3.955294284858598,
        -7.0001983334073247,
    ]
    places = np.array(
        [z * (1 + k * 2e-16) for z in [*zeros, -9.9999997244266297] for k in (-3, 0, 1, 1e9, 1e12)]
    )
    got = to_numpy(special.gammaln(cp.array(places)))
    for at, value in zip(places, got, strict=True):
        assert within(value, mp.log(abs(mp.gamma(mp.mpf(at)))), 8), at


def test_infinite_parameters():
    inf = np.inf
    for name, arguments in [
        ("gammaln", (-inf,)),
        ("jv", (inf, 1.0)),
        ("iv", (inf, 2.0)),
        ("betaln", (-inf, 1.0)),
        ("beta", (0.5, -inf)),
        ("fdtrc", (5e-324, 6.0, 5e-324)),
        ("eval_legendre", (3, inf)),
        ("eval_gegenbauer", (3, 0.5, inf)),
    ]:
        want = getattr(scipy_special, name)(*arguments)
        got = to_numpy(getattr(special, name)(*map(cp.array, arguments)))
        np.testing.assert_array_equal(got, want, err_msg=name)


@pytest.mark.parametrize("name", ["legendre", "chebyt", "chebyu", "hermite", "hermitenorm"])
def test_polynomials_grow_beyond_all_numbers(name):
    function = getattr(special, f"eval_{name}")
    for x in (np.inf, 1e200):
        assert to_numpy(function(cp.array([2, 3, 4, 9]), x)).tolist() == [np.inf] * 4
        assert to_numpy(function(cp.array([2, 3, 4, 9]), -x)).tolist() == [np.inf, -np.inf, np.inf, -np.inf]
    assert to_numpy(special.eval_laguerre(cp.array([2, 3]), np.inf)).tolist() == [np.inf, -np.inf]


def test_logarithm_of_complex_gamma_is_continuous():
    mp = pytest.importorskip("mpmath")
    for z in (3.1 - 2.78j, 0.8 + 1.9j, 0.83 - 1.88j, 0.2 + 9.5j, 1.06 + 0.01j, 2.1 - 0.05j, -3.5 + 0.2j):
        true = complex(mp.loggamma(z))
        assert abs(complex(special.loggamma(cp.array(z))) - true) < 2e-14 * abs(true)


@pytest.mark.parametrize(
    ("a", "b", "c", "x"),
    [
        (0.5, 0.4, -36.000001, 0.5),
        (-2.113, 0.422, -36.308, 0.5001685668629166),
        (0.3, 1.2, -60.5, 0.55),
        (0.5, 0.4, -36.000001, 0.25 + 0.1j),
        (0.5, 0.4, -36.000001, 0.5 + 0.1j),
    ],
)
def test_hyp2f1_of_a_third_parameter_far_below_zero(a, b, c, x):
    # Terms fall below all digits, and grow again where c + k passes zero.
    with mpmath.workdps(60):
        want = complex(mpmath.hyp2f1(a, b, c, x))
    got = complex(special.hyp2f1(a, b, c, cp.asarray(x)))
    assert abs(got - want) <= 1e-10 * abs(want)


@pytest.mark.parametrize("b", [-0.5, -3.5, -7.2, -20.3, -100.7, -1.0, -7.0, -30.0, 0.5, 3.0])
def test_tricomi_polynomials(b):
    """With a negative b the recurrence in the degree may lose every digit."""
    mp = pytest.importorskip("mpmath")
    with mp.workdps(200):
        for n in (1, 2, 5, 12, 20, 50):
            for x in (1e-7, 0.01, 0.5, 2.0, 20.0):
                at, first = mp.mpf(x), mp.mpf(b)
                terms = [mp.binomial(n, k) * mp.rf(first + k, n - k) * (-at) ** k for k in range(n + 1)]
                want = float((-1) ** n * mp.fsum(terms))
                np.testing.assert_allclose(float(special.hyperu(float(-n), b, cp.array(x))), want, 1e-9)


@pytest.mark.parametrize("b", [-40.0, -20.3, -7.0, -0.4, 2.0, 3.56, 12.0, 20.0, 37.0, 38.25])
def test_tricomi_functions_below_zero(b):
    """Of an `a` below zero that is not whole: the recurrence in `a` loses every digit where `b` is large."""
    with mpmath.workdps(50):
        for a in (0.5, -0.5, -3.25, -30.5, -50.5, -77.6):
            for x in (0.02, 0.76, 1.0, 2.0, 20.0, 90.0):
                want, beside = mpmath.hyperu(a, b, x), mpmath.hyperu(a, b, 1.05 * x)
                got = float(special.hyperu(a, b, cp.array(x)))
                # Beside a zero it is as far off as in its neighbourhood.
                size = max(abs(want), abs(beside) / 20)
                assert abs(got - want) <= 3e-12 * size, (a, x, got, want)


@pytest.mark.parametrize("c", [3e4, 1e5, 1e7])
def test_hyp2f1_of_a_large_parameter_below(c):
    mp = pytest.importorskip("mpmath")

    def wanted(a, b, x):
        # Pfaff's transformation, whose series converges.
        place = mp.mpf(x) / (mp.mpf(x) - 1)
        term = total = mp.mpf(1)
        k = 0
        while abs(term) > mp.mpf(10) ** -40 * abs(total):
            term *= (a + mp.mpf(k)) * (mp.mpf(c) - b + k) / ((mp.mpf(c) + k) * (k + 1)) * place
            total += term
            k += 1
        return float((1 - mp.mpf(x)) ** -mp.mpf(a) * total)

    with mp.workdps(50):
        for a in (1e-10, 0.3, 2.5, -6.5):
            for b in (0.25, 3.0, -0.3):
                for x in (-0.4, -1.5, -5.0):
                    got = float(special.hyp2f1(a, b, c, cp.array(x)))
                    np.testing.assert_allclose(got, wanted(a, b, x), 1e-10)


def test_hankel_functions_of_large_orders_and_arguments():
    """Where both are large and near each other, they are made of J and Y."""
    for v in (60000.0, 60000.3, 123456.7, 1e6):
        x = v * np.array([0.9999, 1.0, 1.0 + 1e-9, 1.0001, 1.001])
        for name in ("hankel1", "hankel2", "hankel1e", "hankel2e"):
            for order in (v, -v):
                want = getattr(scipy_special, name)(order, x)
                np.testing.assert_allclose(
                    to_numpy(getattr(special, name)(order, cp.array(x))),
                    want,
                    1e-9,
                    err_msg=f"{name} {order}",
                )


def test_beta_functions_of_nearly_nothing():
    tiny = np.array([5e-324, 1e-310, 1e-200])
    a, b = (one.ravel() for one in np.meshgrid([-0.3, -0.999, -1e-200, 1e-20, 0.5, 20.0], [*tiny, *-tiny]))
    with quiet():
        for pair in ((a, b), (b, a)):
            want = scipy_special.beta(*pair)
            np.testing.assert_allclose(to_numpy(special.beta(*map(cp.array, pair))), want, 1e-13)


def test_incomplete_beta_function_of_nearly_nothing():
    """All of the distribution is at one end but for less than a rounding."""
    for tiny in (5e-324, 1e-310, 1e-300):
        for other in (1e-90, 0.3, 0.9, 2.5, 1e4):
            for x in (1e-310, 1e-10, 0.3, 0.9):
                assert float(special.betainc(tiny, other, cp.array(x))) == 1.0
                assert float(special.betaincc(other, tiny, cp.array(x))) == 1.0


def test_incomplete_gamma_functions_of_the_largest_parameters():
    for a in (1e304, 1e306, 1.7e308):
        for x in (5e-324, 1e-200, 0.5, 3.0, 1e10, 1e300):
            assert float(special.gammainc(a, cp.array(x))) == 0.0
            assert float(special.gammaincc(a, cp.array(x))) == 1.0
    assert float(special.chdtr(1.7e308, cp.array(0.3))) == 0.0


def test_binomial_coefficients_of_nearly_nothing():
    for n in (5e-324, 1e-310, -1e-310, 1e-200, 1e-20):
        for k in (1e-310, 1e-200, 1e-20, 1e-10):
            assert np.isclose(float(special.binom(n, cp.array(k))), 1.0, 1e-9)


def test_quantiles_of_student_beyond_the_root_of_the_largest_number():
    """Where the square of the quantile is no number, SciPy's quantiles end."""
    mp = pytest.importorskip("mpmath")
    with mp.workdps(40):
        for df, p in ((1.0, 1e-300), (0.5, 1e-100), (0.0101809, 0.0101809), (0.0108, 0.001), (0.0108, 0.999)):
            half, tail = mp.mpf(df) / 2, 2 * min(mp.mpf(p), 1 - mp.mpf(p))
            # The first term of the incomplete beta function: the others are less by 300 digits.
            place = (tail * half * mp.beta(half, 0.5)) ** (1 / half)
            want = float(mp.sqrt(df / place)) * (-1 if p < 0.5 else 1)
            np.testing.assert_allclose(float(special.stdtrit(df, cp.array(p))), want, 1e-11)


def test_symmetric_integral_of_numbers_far_apart():
    mp = pytest.importorskip("mpmath")
    parts = [0.0, 1e-310, 1e-300, 1e-160, 1e-60, 0.3, 2.5, 1e60, 1e160, 1e300]
    with mp.workdps(40):
        for x in parts:
            for y in parts:
                for z in (0.0, 1e-310, 1.0, 1e200):
                    want = float(mp.elliprg(x, y, z))
                    np.testing.assert_allclose(float(special.elliprg(x, y, cp.array(z))), want, 1e-12)
