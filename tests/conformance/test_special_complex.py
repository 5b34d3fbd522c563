"""Complex and four arguments of `cuprum.scipy.special`, tails and large orders, against SciPy and mpmath.

Complex results are compared by the distance from SciPy's relative to their modulus.
"""

import numpy as np
import pytest
from twin import collect, quiet, to_numpy

import cuprum as cp
from cuprum.scipy import special

scipy_special = pytest.importorskip("scipy.special")


def spread(rng, n, low=-2, high=1.3):
    return 10 ** rng.uniform(low, high, n) * np.exp(1j * rng.uniform(-np.pi, np.pi, n))


def arguments():
    """Return complex arguments and orders."""
    rng = np.random.default_rng(17)
    z = np.concatenate([spread(rng, 300), 1j * rng.uniform(-9, 9, 30), rng.uniform(-9, 9, 30) + 1e-9j])
    return z, np.concatenate(
        [rng.uniform(-5, 5, 200), np.round(rng.uniform(-9, 9, 100)), rng.uniform(5, 60, 60)]
    )


Z, ORDERS = arguments()


def apart(got, want):
    """Return the distances relative to the modulus, where SciPy has a number."""
    with quiet():
        known = np.isfinite(want) & (np.abs(want) > 1e-290)
        distance = np.abs(got - want) / np.abs(want)
    return np.where(known, distance, 0.0)


ONE = {
    "erf": 5e-13,
    "erfc": 5e-13,
    "erfcx": 5e-13,
    "erfi": 5e-13,
    "dawsn": 5e-13,
    "ndtr": 5e-13,
    "exp1": 2e-12,
    "expi": 5e-13,
    "spence": 1e-13,
}


@pytest.mark.parametrize("name", ONE)
def test_one_argument(name):
    got, want = to_numpy(getattr(special, name)(cp.array(Z))), getattr(scipy_special, name)(Z)
    assert got.dtype == np.complex128
    assert apart(got, want).max() < ONE[name]
    single = getattr(special, name)(cp.array(Z.astype(np.complex64)))
    assert single.dtype == np.complex64


def test_logarithm_of_the_normal_distribution():
    mp = pytest.importorskip("mpmath")
    mp.mp.dps = 40
    points = [-3 + 2j, 1 - 1j, 4.6 + 0.8j, 7.4 - 4.9j, 26 + 25.8j, -20 - 3j, 6 + 2j, 6 - 3j, 9 + 7j, 1.1 + 3j]
    got = to_numpy(special.log_ndtr(cp.array(points)))
    for value, z in zip(got, points, strict=True):
        true = complex(mp.log(mp.erfc(-mp.mpc(z) / mp.sqrt(2)) / 2))
        assert abs(value - true) < 1e-12 * abs(true), z


@pytest.mark.parametrize(("name", "parts"), [("sici", 2), ("shichi", 2), ("fresnel", 2), ("airy", 4)])
def test_several_results(name, parts):
    z = Z[np.abs(Z) < 8] if name == "fresnel" else Z
    got, want = getattr(special, name)(cp.array(z)), getattr(scipy_special, name)(z)
    assert len(got) == parts
    for g, w in zip(got, want, strict=True):
        assert apart(to_numpy(g), w).max() < 1e-11


@pytest.mark.parametrize("name", ["xlogy", "xlog1py"])
def test_products_with_logarithms(name):
    other = spread(np.random.default_rng(23), Z.size)
    got = to_numpy(getattr(special, name)(cp.array(Z), cp.array(other)))
    assert apart(got, getattr(scipy_special, name)(Z, other)).max() < 1e-14
    zero = to_numpy(getattr(special, name)(cp.zeros(2, complex), cp.array([0j, np.nan])))
    assert zero[0] == 0 and np.isnan(zero[1])


BESSEL = "jv yv iv kv jve yve ive kve hankel1 hankel1e hankel2 hankel2e".split()  # noqa: SIM905


@pytest.mark.parametrize("name", BESSEL)
def test_bessel_functions(name):
    got = to_numpy(getattr(special, name)(cp.array(ORDERS), cp.array(Z)))
    want = getattr(scipy_special, name)(ORDERS, Z)
    assert apart(got, want).max() < 1e-10


def test_bessel_functions_of_zero_and_whole_orders():
    with collect() as failures:
        for name in BESSEL[:8]:
            for order in (0.0, 1.0, 2.0):
                with failures, quiet():
                    got = to_numpy(getattr(special, name)(order, cp.array([0j])))
                    want = getattr(scipy_special, name)(order, np.array([0j]))
                    assert np.array_equal(got.real, want.real, equal_nan=True), (name, order, got, want)
    # Real orders alone.
    assert np.isnan(to_numpy(special.jv(cp.array([1 + 1j]), cp.array([1.0 + 0j])))).all()


def test_derivatives_of_hankel_functions():
    for name in ("h1vp", "h2vp"):
        got = to_numpy(getattr(special, name)(1.5, cp.array(Z), 2))
        assert apart(got, getattr(scipy_special, name)(1.5, Z, 2)).max() < 1e-10


# ---------------------------------------------------------------------------------------------------------
# Four arguments


def parameters(rng, n):
    a, b, c = (rng.uniform(-4, 4, n) for _ in range(3))
    a[: n // 5] = np.round(a[: n // 5])
    c[n // 5 : n // 3] = (a + b)[n // 5 : n // 3] + np.round(rng.uniform(-2, 2, n // 3 - n // 5))
    return a, b, c


def test_hyp2f1_of_real_arguments():
    rng = np.random.default_rng(31)
    n = 600
    a, b, c = parameters(rng, n)
    x = np.concatenate(
        [rng.uniform(-1, 1, 200), -(10 ** rng.uniform(-2, 6, 200)), 1 - 10 ** rng.uniform(-8, 0, 200)]
    )
    got = to_numpy(special.hyp2f1(*(cp.array(v) for v in (a, b, c, x))))
    assert got.dtype == np.float64
    bad = apart(got, scipy_special.hyp2f1(a, b, c, x)) > 1e-10
    mp = pytest.importorskip("mpmath")
    mp.mp.dps = 30
    for i in np.flatnonzero(bad):
        true = complex(mp.hyp2f1(a[i], b[i], c[i], x[i])).real
        assert abs(got[i] - true) < 1e-8 * abs(true), (a[i], b[i], c[i], x[i])


def test_hyp2f1_of_complex_arguments():
    rng = np.random.default_rng(32)
    n = 360
    a, b, c = parameters(rng, n)
    got = to_numpy(special.hyp2f1(*(cp.array(v) for v in (a, b, c, Z))))
    bad = apart(got, scipy_special.hyp2f1(a, b, c, Z)) > 1e-9
    mp = pytest.importorskip("mpmath")
    mp.mp.dps = 30
    for i in np.flatnonzero(bad):
        true = complex(mp.hyp2f1(a[i], b[i], c[i], mp.mpc(Z[i])))
        assert abs(got[i] - true) < 1e-6 * abs(true), (a[i], b[i], c[i], Z[i])


def test_edges_of_hyp2f1():
    cases = [
        (1, 1, -2, 0.3),
        (-1, 1, -2, 0.3),
        (-3, 1, -2, 0.3),
        (-2, 0.5, 1.5, 2.0),
        (1.5, 2, 2.5, 1),
        (0.5, 0.2, 2.5, 1),
        (0.5, 0.5, 1.5, 2.0),
        (1, 2, 2, 3.0),
        (0, 2, 3, 0.5),
        (1, 2, 3, 0.0),
        (1, 2, 3, np.nan),
        (0.5, 0.2, 2.5, -np.inf),
    ]
    for case in cases:
        with quiet():
            got, want = float(special.hyp2f1(*case)), scipy_special.hyp2f1(*case)
            assert got == want or np.isnan([got, want]).all() or abs(got - want) < 1e-14 * abs(want), case
    # On the cut the value is that from above.
    got, want = complex(special.hyp2f1(0.5, 0.5, 1.5, 2 + 0j)), scipy_special.hyp2f1(0.5, 0.5, 1.5, 2 + 0j)
    assert abs(got - want) < 1e-13
    assert special.hyp2f1(cp.float32(0.5), 1, 2, cp.array([0.5], "f")).dtype == np.float32
    with pytest.raises(TypeError, match="must be real"):
        special.hyp2f1(1j, 1, 2, 0.5)


def test_elliprj():
    rng = np.random.default_rng(33)
    x, y, z = (10 ** rng.uniform(-5, 5, 300) for _ in range(3))
    p = 10 ** rng.uniform(-4, 4, 300) * rng.choice([1, 1, -1], 300)
    got = to_numpy(special.elliprj(*(cp.array(v) for v in (x, y, z, p))))
    assert apart(got, scipy_special.elliprj(x, y, z, p)).max() < 1e-12
    with quiet():
        for case in [(0, 0, 1, 1), (-1, 1, 1, 1), (1, 2, np.inf, 1), (1, 2, 3, 0)]:
            got, want = float(special.elliprj(*case)), scipy_special.elliprj(*case)
            assert got == want or np.isnan([got, want]).all(), case


def test_hyperu():
    rng = np.random.default_rng(34)
    a, b, x = rng.uniform(-5, 8, 300), rng.uniform(-5, 5, 300), 10 ** rng.uniform(-2, 2.5, 300)
    got = to_numpy(special.hyperu(*(cp.array(v) for v in (a, b, x))))
    bad = apart(got, scipy_special.hyperu(a, b, x)) > 1e-11
    mp = pytest.importorskip("mpmath")
    mp.mp.dps = 30
    for i in np.flatnonzero(bad):
        true = float(mp.hyperu(a[i], b[i], x[i]))
        assert abs(got[i] - true) < 1e-9 * abs(true), (a[i], b[i], x[i])
    for case in [(1, 2, 0), (1, 0.5, 0), (1, 1, 0), (-2, 1, 0), (0, 3, 2), (-3, 2, 1.5), (2, 3, np.inf)]:
        assert float(special.hyperu(*case)) == pytest.approx(float(scipy_special.hyperu(*case)), rel=1e-14)
    assert np.isnan(float(special.hyperu(1, 1, -1)))


# ---------------------------------------------------------------------------------------------------------
# Tails and large orders


def test_tails_of_inverses():
    """The inverse and the function belong to each other, however small the chance is."""
    rng = np.random.default_rng(35)
    a, b = 10 ** rng.uniform(-1, 4, 300), 10 ** rng.uniform(-1, 4, 300)
    p = 10 ** rng.uniform(-300, 0, 300)
    for inverse, function in [
        ("gammaincinv", "gammainc"),
        ("gammainccinv", "gammaincc"),
    ]:
        x = getattr(special, inverse)(cp.array(a), cp.array(p))
        back, x = to_numpy(getattr(special, function)(cp.array(a), x)), to_numpy(x)
        # A rounding of x moves the logarithm of the chance by its derivative times x.
        slack = 1e-15 * np.maximum(1, a + x) * 8
        known = (x > 1e-300) & (back > 0)
        with quiet():
            assert (np.abs(np.log(back / p))[known] < (1e-12 + slack)[known]).all()
    x = to_numpy(special.chdtri(1, cp.array([1e-300, 1e-100, 0.5])))
    assert np.allclose(x, scipy_special.chdtri(1, [1e-300, 1e-100, 0.5]), rtol=1e-13, atol=0)
    x = to_numpy(
        special.bdtri(
            cp.array([11.0, 0, 319]), cp.array([118.0, 103, 1154]), cp.array([1e-57, 1e-118, 1e-160])
        )
    )
    want = scipy_special.bdtri([11, 0, 319], [118, 103, 1154], [1e-57, 1e-118, 1e-160])
    assert np.allclose(x, want, rtol=1e-12, atol=0)
    assert b.size == a.size


def f_distribution(mp, a, b, x):
    """Return the distribution function of F and its complement, each by itself."""
    a, b, x = (mp.mpf(float(v)) for v in (a, b, x))
    place = a * x / (b + a * x)
    lower, upper = (mp.betainc(a / 2, b / 2, *ends, regularized=True) for ends in ((0, place), (place, 1)))
    return lower, upper


def test_f_distribution():
    rng = np.random.default_rng(41)
    a, b = 10 ** rng.uniform(-1, 4, 2000), 10 ** rng.uniform(-1, 4, 2000)
    x = 10 ** rng.uniform(-10, 10, 2000)
    for name in ("fdtr", "fdtrc"):
        got = to_numpy(getattr(special, name)(cp.array(a), cp.array(b), cp.array(x)))
        want = getattr(scipy_special, name)(a, b, x)
        # Below 1e-200 SciPy has few digits, or none.
        assert apart(got, np.where(want > 1e-200, want, 0)).max() < 2e-12, name
        assert (got[want <= 1e-200] <= 1e-199).all()
    p = rng.uniform(0, 1, 2000)
    got = to_numpy(special.fdtri(cp.array(a), cp.array(b), cp.array(p)))
    assert apart(got, scipy_special.fdtri(a, b, p)).max() < 5e-12
    assert to_numpy(special.fdtri(3.0, 5.0, cp.array([0.0, 1.0]))).tolist() == [0.0, np.inf]


def test_f_distribution_where_one_degree_is_small():
    """Within the row's ulps: one parameter is below one, the other large, the place beside its mean."""
    mp = pytest.importorskip("mpmath")
    rng = np.random.default_rng(43)
    n = 150
    a, b = 10 ** rng.uniform(0, 4, n), 10 ** rng.uniform(-3, 0, n)
    x = b / 10 ** rng.uniform(-2, 1.5, n)
    a[:2], b[:2] = [3573.8498847989727, 2741.4], [0.10685322899145674, 0.1029]
    x[:2] = [0.05311022655664411, 0.0548]
    ulps = {row["name"]: row["ulps"]["d"] for row in cp.testing.op_table()}
    lower, upper = (to_numpy(f(cp.array(a), cp.array(b), cp.array(x))) for f in (special.fdtr, special.fdtrc))
    # The other tail is that of the inverse ratio.
    other = to_numpy(special.fdtrc(cp.array(b), cp.array(a), cp.array(1 / x)))
    with mp.workdps(50):
        for i in range(n):
            true_lower, true_upper = f_distribution(mp, a[i], b[i], x[i])
            inverse = f_distribution(mp, b[i], a[i], 1 / x[i])[1]
            for name, value, true in [
                ("fdtr", lower[i], true_lower),
                ("fdtrc", upper[i], true_upper),
                ("fdtrc", other[i], inverse),
            ]:
                error = abs(mp.mpf(float(value)) - true) / mp.mpf(float(np.spacing(float(true))))
                assert error <= ulps[name], (name, a[i], b[i], x[i], float(error))


def test_incomplete_beta_where_one_parameter_is_small():
    mp = pytest.importorskip("mpmath")
    rng = np.random.default_rng(47)
    n = 150
    a, b = 10 ** rng.uniform(-1, 4, n), 10 ** rng.uniform(-4, 0, n)
    x = 1 - np.minimum(10 ** rng.uniform(-2, 1, n) / (a + 1), 0.9)
    ulps = {row["name"]: row["ulps"]["d"] for row in cp.testing.op_table()}
    got = {
        "betainc": to_numpy(special.betainc(cp.array(a), cp.array(b), cp.array(x))),
        "betaincc": to_numpy(special.betaincc(cp.array(b), cp.array(a), cp.array(1 - x))),
    }
    with mp.workdps(50):
        for i in range(n):
            # 1 - x is exact here, or the rounding moves the result by less than what is asked for.
            for name, ends in (("betainc", (a[i], b[i], 0, x[i])), ("betaincc", (b[i], a[i], 1 - x[i], 1))):
                true = mp.betainc(*(mp.mpf(float(v)) for v in ends), regularized=True)
                error = abs(mp.mpf(float(got[name][i])) - true) / mp.mpf(float(np.spacing(float(true))))
                assert error <= ulps[name], (name, ends, float(error))


def test_complements_of_small_parameters():
    rng = np.random.default_rng(37)
    a = 10 ** rng.uniform(-60, -4, 200)
    b, x = 10 ** rng.uniform(-0.5, 2, 200), rng.uniform(0.001, 0.9, 200)
    got = to_numpy(special.betaincc(cp.array(a), cp.array(b), cp.array(x)))
    assert apart(got, scipy_special.betaincc(a, b, x)).max() < 1e-11


def test_large_orders():
    """Within what a rounding of the order or the argument does."""
    cases = {
        "jv": [
            (3e6, 3.1e6),
            (3e6, 3e6 + 1),
            (3e6, 3e6 - 300),
            (1e6, 9e5),
            (1000.25, 4.5e5),
            (-4772260000000.5, 15.0),
        ],
        "yv": [(3e6, 3e6 - 3000), (3e6, 3.1e6), (-3.87, 2.6e-279)],
        "ive": [(3e6, 3e6), (1e6, 2e6), (3e5, 3.0), (50000.5, 6e4)],
        "kve": [(2000.0, 4.1e6), (1e6, 5e6), (3e4, 2e5)],
    }
    with collect() as failures:
        for name, arguments in cases.items():
            for v, x in arguments:
                with failures, quiet():
                    got, want = float(getattr(special, name)(v, x)), float(getattr(scipy_special, name)(v, x))
                    same = got == want or np.isinf(got) and np.isinf(want)
                    assert same or abs(got - want) < 4e-9 * abs(want), (name, v, x, got, want)


def test_orders_that_lost_their_sign():
    for name, arguments in [
        ("eval_legendre", (-4.3e-124, 9.3e60)),
        ("eval_legendre", (-0.3, 2.0)),
        ("eval_hermite", (275, -3e-134)),
        ("eval_genlaguerre", (7.6e-296, 0, 139.5)),
        ("lpmv", (0, 5, 1.5)),
        ("lpmv", (0, 4, -3.0)),
        ("spherical_kn", (3, -2.5)),
        ("spherical_kn", (172, -15.0)),
        ("poch", (9.9e147, 8.9e-5)),
        ("beta", (-0.794, 1.3e292)),
        ("betaln", (6.3e28, -49.36)),
        ("hyp0f1", (19.0, 2.3e108)),
    ]:
        got, want = float(getattr(special, name)(*arguments)), float(getattr(scipy_special, name)(*arguments))
        assert got == pytest.approx(want, rel=1e-12), (name, arguments)
    # SciPy's series ends too early here.
    assert float(special.lpmv(0, 2.5, 3.0)) == pytest.approx(28.375987909592969, rel=1e-13)
    assert float(special.binom(-110664000.25, 0.0918431)) == pytest.approx(7.1362160908450527, rel=1e-12)


@pytest.mark.parametrize("name", ["log1p", "expm1", "exp2", "cbrt"])
def test_dtypes_of_elementary_functions(name):
    for dtype in ["bool", "int8", "uint8", "int16", "float16", "float32"]:
        assert getattr(special, name)(cp.ones(2, dtype)).dtype == np.float32
    for dtype in ["int32", "int64", "float64"]:
        assert getattr(special, name)(cp.ones(2, dtype)).dtype == np.float64


@pytest.mark.parametrize("name", ["yn", "kn", "expn"])
def test_dtypes_of_whole_orders(name):
    function, theirs = getattr(special, name), getattr(scipy_special, name)
    for order in ["int8", "int32", "int64", "float32", "float64"]:
        for dtype in ["float32", "float64", "int32"]:
            want = theirs(np.ones(1, order), np.ones(1, dtype)).dtype
            assert function(cp.ones(1, order), cp.ones(1, dtype)).dtype == want, (order, dtype)
    assert function(2, cp.ones(1, "f")).dtype == np.float64
    assert function(2.0, cp.ones(1, "f")).dtype == np.float32


@pytest.mark.parametrize("derivative", [False, True])
@pytest.mark.parametrize("name", ["spherical_jn", "spherical_yn", "spherical_in", "spherical_kn"])
def test_spherical_functions(name, derivative):
    rng = np.random.default_rng(23)
    n, z = rng.integers(0, 12, 400), spread(rng, 400)
    ours, theirs = getattr(special, name), getattr(scipy_special, name)
    got = to_numpy(ours(cp.array(n), cp.array(z), derivative))
    with quiet():
        assert apart(got, theirs(n, z, derivative)).max() < 5e-13
    for dtype in ("complex64", "complex128"):
        assert ours(2, cp.array([1 + 1j], dtype=dtype), derivative).dtype == dtype
    # Zero, the real line, infinities and NaN, where SciPy's rules are no formula's.
    inf, nan = np.inf, np.nan
    edges = [
        0,
        2.5,
        -2.5,
        inf,
        -inf,
        nan,
        1j,
        complex(inf, 1),
        complex(1, inf),
        complex(-inf, 2),
        complex(nan, 1),
    ]
    for order in (-1, 0, 1, 2, 3):
        got = to_numpy(ours(order, cp.array(edges, dtype=complex), derivative))
        with quiet():
            want = theirs(order, np.array(edges, complex), derivative)
        np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-15)
