"""`cuprum.scipy.special` against SciPy over edges and dtypes, and against mpmath within each row's ulps."""

import warnings

import numpy as np
import pytest
from scipy_twin import SCIPY
from twin import Failure, collect, quiet, run, to_numpy

import cuprum as cp
from cuprum import _core
from cuprum.scipy import special

scipy_special = pytest.importorskip("scipy.special")

ROWS = {row["name"]: row for row in cp.testing.op_table() if row["namespace"] == "special"}
REAL = {n: r for n, r in ROWS.items() if any("d" in t for t in r["loops"])}
EDGES = np.array(
    [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.0,
        -2.0,
        -3.5,
        1e-10,
        -1e-300,
        1e-300,
        20.5,
        1e5,
        np.inf,
        -np.inf,
        np.nan,
    ]
)

# Functions of two arguments whose value at an infinity or a NaN is a convention of SciPy: finite ones count.
FINITE = {"beta", "betaln", "binom", "elliprc", "hyp0f1", "iv", "ive", "jv", "jve", "kv", "kve"}
FINITE |= {"poch", "yn", "yv", "yve"}
# Polynomials of degrees that are no whole numbers, and of arguments far out, where SciPy has other functions.
OPEN = {n for n in ROWS if n.startswith("eval_")}


def theirs(name):
    return getattr(scipy_special, name)


def near(got, want, tolerance=2e-13):
    """Whether values agree: infinities and NaN in the same places, the rest to a relative tolerance."""
    with quiet():
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        return same | (np.abs(got - want) <= tolerance * np.abs(want))


@pytest.mark.parametrize("name", sorted(n for n, r in REAL.items() if r["nin"] == 1 and n != "gammasgn"))
def test_edges_of_one_argument(name):
    want = run(lambda _: theirs(name)(EDGES), np)
    got = to_numpy(ours(name)(cp.array(EDGES)))
    skipped = SKIPPED_EDGES.get(name, ())
    keep = np.array([not any(x == s or (np.isnan(s) and np.isnan(x)) for s in skipped) for x in EDGES])
    bad = ~near(got, want, 1e-12) & keep
    assert not bad.any(), [(x, g, w) for x, g, w in zip(EDGES[bad], got[bad], want[bad], strict=True)]


# Odd functions whose sign SciPy loses at -0.
LOSES_SIGN = {"erfinv", "i1", "i1e"}
# Those of degrees keep it from SciPy 1.18 on.
DEGREES = {"sindg", "cosdg", "tandg", "cotdg"}


@pytest.mark.parametrize("name", sorted(n for n, r in REAL.items() if r["nin"] == 1))
def test_signs_of_zeros(name):
    if SCIPY < (1, 18) and name in DEGREES - {"cosdg"}:
        at = EDGES[~np.signbit(EDGES)]
    else:
        at = EDGES[(EDGES != 0) | ~np.signbit(EDGES)] if name in LOSES_SIGN else EDGES
    at = at[np.isfinite(at)]
    if name in DEGREES:
        turns = np.array([90.0, 180, 270, 360, 450, 540, 630])
        at = np.concatenate([at, turns, -turns] if SCIPY >= (1, 18) or name == "cosdg" else [at, turns])
    want, got = run(lambda _: theirs(name)(at), np), to_numpy(ours(name)(cp.array(at)))
    zeros = (got == 0) & (want == 0)
    assert np.array_equal(np.signbit(got[zeros]), np.signbit(want[zeros])), at[zeros]
    if name in LOSES_SIGN:
        assert np.signbit(to_numpy(ours(name)(cp.array([-0.0]))))[0]


# Where SciPy stops: the Bessel functions, whose limit it does not take and whose far phases it rounds.
SKIPPED_EDGES = dict.fromkeys(["j0", "j1", "y0", "y1"], (1e5, np.inf, -np.inf)) | {
    "i1": (np.inf, -np.inf),
    "spence": (np.inf,),
    "cotdg": (1e-10,),
}


def ours(name):
    return getattr(special, name)


@pytest.mark.parametrize("name", sorted(n for n, r in REAL.items() if r["nin"] == 2 and n not in OPEN))
def test_edges_of_two_arguments(name):
    few = np.array(
        [0.0, 1.0, -1.0, 0.5, -0.5, 0.25, 2.0, -2.0, 2.5, -2.5, 3.0, 20.0, np.inf, -np.inf, np.nan]
    )
    if name in FINITE:
        few = few[np.isfinite(few)]
    a, b = (g.ravel() for g in np.meshgrid(few, few))
    if name == "ive":
        # Infinite at zero, of orders that are negative and not whole; SciPy has NaN.
        keep = ~((a < 0) & (a != np.floor(a)) & (b == 0))
        a, b = a[keep], b[keep]
    if name in ("jve", "yve"):
        # As jv and yv at zero; SciPy has NaN.
        a, b = a[b != 0], b[b != 0]
    want = run(lambda _: theirs(name)(a, b), np)
    got = to_numpy(ours(name)(cp.array(a), cp.array(b)))
    bad = ~near(got, want, 1e-12)
    assert not bad.any(), list(zip(a[bad], b[bad], got[bad], want[bad], strict=True))[:8]


@pytest.mark.parametrize("name", sorted(REAL))
def test_values_of_the_domain(name):
    """Values within the row's ulps and SciPy's own error: relative where the row is tight."""
    row = ROWS[name]
    low, high = row["domain"]
    rng = np.random.default_rng(11)
    args = [rng.uniform(low, high, 300) for _ in range(row["nin"])]
    if name in WHOLE_FIRST:
        args[0] = np.floor(rng.uniform(0, 8, 300))
    if name == "lpmv":
        args[1] = args[0] + np.floor(rng.uniform(0, 8, 300))
    with quiet():
        want = np.asarray(
            theirs(name)(*[a.astype(int) if name in TAKES_INT and i == 0 else a for i, a in enumerate(args)])
        )
    got = to_numpy(ours(name)(*[cp.array(a) for a in args]))
    finite = np.isfinite(want)
    assert (np.isfinite(got) == finite).all()
    scale = np.maximum(np.abs(want), max(ABSOLUTE.get(name, 0.0), 1e-300))
    worst = np.max(np.abs(got - want)[finite] / scale[finite])
    assert worst < TOLERANCE.get(name, 1e-12), f"{name}: {worst:g}"


WHOLE_FIRST = {
    "lpmv",
    "yn",
    "kn",
    "expn",
    "eval_hermite",
    "eval_hermitenorm",
    "eval_legendre",
    "eval_chebyt",
    "eval_chebyu",
}
TAKES_INT = {
    "yn",
    "kn",
    "expn",
    "eval_hermite",
    "eval_hermitenorm",
    "eval_legendre",
    "eval_chebyt",
    "eval_chebyu",
}
# Near their zeros these are known to an absolute error alone, in SciPy as here.
ABSOLUTE = dict.fromkeys(
    ["j0", "j1", "y0", "y1", "jv", "yv", "yn", "eval_legendre", "eval_chebyt", "eval_chebyu", "eval_hermite"],
    0.1,
) | dict.fromkeys(
    ["kl_div", "eval_hermitenorm", "eval_genlaguerre", "eval_gegenbauer", "lpmv", "binom", "cosm1"], 1.0
)
TOLERANCE = {
    "erfc": 1e-11,
    "ndtr": 1e-5,
    "jv": 1e-10,
    "yv": 1e-8,
    "cotdg": 1e-9,
    "cosdg": 1e-9,
    "sindg": 1e-9,
    "tandg": 1e-9,
    "rgamma": 1e-11,
    "gamma": 1e-11,
    # SciPy has nine digits here; test_special_complex.py asks mpmath.
    "hyperu": 1e-8,
}


@pytest.mark.parametrize("name", sorted(REAL))
def test_float32_is_float64_rounded(name):
    row = ROWS[name]
    if not any("f" in t for t in row["loops"]):
        pytest.skip("computed in float64 alone")
    low, high = row["domain"]
    rng = np.random.default_rng(5)
    args = [rng.uniform(low, high, 50).astype(np.float32) for _ in range(row["nin"])]
    got = ours(name)(*[cp.array(a) for a in args])
    assert got.dtype == np.float32
    wide = to_numpy(ours(name)(*[cp.array(a.astype(np.float64)) for a in args]))
    with quiet():
        assert np.array_equal(to_numpy(got), wide.astype(np.float32), equal_nan=True)


@pytest.mark.parametrize("name", sorted(n for n, r in REAL.items() if r["nin"] == 1))
def test_dtypes_of_results(name):
    with collect() as failures:
        for dtype in ["bool", "int8", "int32", "int64", "uint8", "float16", "float32", "float64"]:
            with failures:
                # SciPy 1.18 computes small integers and float16 in float32: its first loop there.
                is_small = SCIPY < (1, 18) and name != "logit" and np.can_cast(dtype, "float32")
                want = np.asarray(theirs(name)(np.ones(2, "float32" if is_small else dtype))).dtype
                got = ours(name)(cp.ones(2, dtype=dtype)).dtype
                assert got == want, f"{name}({dtype}) is {got}, SciPy has {want}"


# ---------------------------------------------------------------------------------------------------------
# Against mpmath


def exact_of(name):
    mp = pytest.importorskip("mpmath").mp
    mp.dps = 40
    table = {
        "gamma": mp.gamma,
        "rgamma": mp.rgamma,
        "gammaln": mp.loggamma,
        "loggamma": mp.loggamma,
        "digamma": mp.digamma,
        "beta": mp.beta,
        "erf": mp.erf,
        "erfc": mp.erfc,
        "erfcx": lambda x: mp.exp(x * x) * mp.erfc(x),
        "erfinv": mp.erfinv,
        "ndtr": mp.ncdf,
        "log_ndtr": lambda x: mp.log(mp.ncdf(x)) if x < 0 else mp.log1p(-mp.ncdf(-x)),
        "expit": lambda x: 1 / (1 + mp.exp(-x)),
        "logit": lambda x: mp.log(x / (1 - x)),
        "log_expit": lambda x: -mp.log1p(mp.exp(-x)),
        "exprel": lambda x: mp.expm1(x) / x,
        "cosm1": lambda x: mp.cos(x) - 1,
        "exp10": lambda x: mp.mpf(10) ** x,
        "exp1": mp.e1,
        "expi": mp.ei,
        "i0e": lambda x: mp.exp(-abs(x)) * mp.besseli(0, x),
        "i1e": lambda x: mp.exp(-abs(x)) * mp.besseli(1, x),
        "k0e": lambda x: mp.exp(x) * mp.besselk(0, x),
        "k1e": lambda x: mp.exp(x) * mp.besselk(1, x),
        "ellipk": mp.ellipk,
        "ellipe": mp.ellipe,
        "spence": lambda x: mp.polylog(2, 1 - x),
        "dawsn": lambda x: mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x),
        "erfi": mp.erfi,
        "i1": lambda x: mp.besseli(1, x),
        "zetac": lambda x: mp.zeta(x) - 1,
        "boxcox": lambda x, a: mp.expm1(a * mp.log(x)) / a,
        "boxcox1p": lambda x, a: mp.expm1(a * mp.log1p(x)) / a,
        "inv_boxcox": lambda y, a: mp.exp(mp.log1p(a * y) / a),
        "inv_boxcox1p": lambda y, a: mp.expm1(mp.log1p(a * y) / a),
        "kl_div": lambda x, y: x * mp.log(x / y) - x + y,
        "rel_entr": lambda x, y: x * mp.log(x / y),
        "xlogy": lambda x, y: x * mp.log(y),
        "xlog1py": lambda x, y: x * mp.log1p(y),
        "entr": lambda x: -x * mp.log(x),
        "sindg": lambda x: mp.sin(mp.radians(x)),
        "cosdg": lambda x: mp.cos(mp.radians(x)),
        "tandg": lambda x: mp.tan(mp.radians(x)),
        "cotdg": lambda x: mp.cot(mp.radians(x)),
    }
    return mp, table[name]


MEASURED = """gamma rgamma gammaln loggamma digamma beta erf erfc erfcx erfinv ndtr log_ndtr expit logit
    log_expit exprel cosm1 exp10 exp1 expi i0e i1 i1e k0e k1e ellipk ellipe spence dawsn erfi zetac
    boxcox boxcox1p inv_boxcox inv_boxcox1p kl_div rel_entr xlogy xlog1py entr sindg cosdg
    tandg cotdg""".split()  # noqa: SIM905


@pytest.mark.parametrize("name", MEASURED)
def test_ulps_against_mpmath(name):
    """The worst of some hundred points is within what the row states."""
    mp, exact = exact_of(name)
    row = ROWS[name]
    low, high = row["domain"]
    rng = np.random.default_rng(3)
    spread = [rng.uniform(low, high, 60), rng.uniform(max(low, -8), min(high, 8), 60)]
    args = [rng.permutation(np.concatenate(spread)) for _ in range(row["nin"])]
    got = to_numpy(ours(name)(*[cp.array(a) for a in args]))
    for i, value in enumerate(got):
        true = mp.re(exact(*[mp.mpf(float(a[i])) for a in args]))
        if not 1e-300 < abs(true) < 1e300:
            continue
        ulps = abs(mp.mpf(float(value)) - true) / mp.mpf(float(np.spacing(abs(float(true)))))
        assert ulps <= row["ulps"]["d"], f"{name}({[a[i] for a in args]}): {float(ulps):.2f} ulps"


# ---------------------------------------------------------------------------------------------------------
# Complex numbers

COMPLEX = ["gamma", "rgamma", "loggamma", "digamma", "wofz"]


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_values(name):
    rng = np.random.default_rng(8)
    z = rng.uniform(-8, 8, 200) + 1j * rng.uniform(-8, 8, 200)
    got, want = to_numpy(ours(name)(cp.array(z))), theirs(name)(z)
    assert got.dtype == np.complex128
    assert (np.abs(got - want) <= 2e-12 * np.abs(want)).all()
    single = ours(name)(cp.array(z.astype(np.complex64)))
    assert single.dtype == np.complex64


@pytest.mark.parametrize("k", [-2, -1, 0, 1, 2])
def test_lambertw(k):
    rng = np.random.default_rng(8)
    z = np.concatenate(
        [rng.uniform(-3, 3, 200) + 1j * rng.uniform(-3, 3, 200), [-0.36, -0.3, 0.5, 1e10, -1e-5]]
    )
    got, want = to_numpy(special.lambertw(cp.array(z), k)), scipy_special.lambertw(z, k)
    assert (np.abs(got - want) <= 1e-13 * np.abs(want)).all()
    with quiet():
        w = to_numpy(special.lambertw(cp.array([0.0, np.inf]), k))
        assert np.array_equal(w[:1], scipy_special.lambertw([0.0], k))


# ---------------------------------------------------------------------------------------------------------
# Functions that are made of ufuncs


def check_function(name, args, tolerance=1e-12):
    want = run(lambda _: theirs(name)(*args), np)
    got = run(
        lambda _: getattr(special, name)(*[cp.array(a) if isinstance(a, np.ndarray) else a for a in args]), cp
    )
    assert not isinstance(want, Failure), want
    assert not isinstance(got, Failure), got
    want, got = (r if isinstance(r, tuple) else (r,) for r in (want, got))
    for g, w in zip(got, want, strict=True):
        g, w = to_numpy(g), np.asarray(w)
        assert g.shape == w.shape
        assert near(g, w, tolerance).all(), (name, args, g, w)


X = np.array([0.25, 0.5, 1.0, 2.5, 7.0, 30.0])
P = np.array([0.01, 0.25, 0.5, 0.75, 0.999])
CALLS = [
    ("zeta", (X + 1.0,)),
    ("zeta", (X + 1.0, 2.5)),
    ("zeta", (np.array([-3.5, -1.0, 0.0, 0.5]),)),
    ("polygamma", (np.array([0, 1, 2, 5]), np.array([0.5, 1.0, 2.5, 9.0]))),
    ("multigammaln", (X + 3.0, 4)),
    ("comb", (np.array([5, 10, 3]), np.array([2, 10, 5]))),
    ("perm", (np.array([5, 10, 3]), np.array([2, 10, 5]))),
    ("factorial", (np.array([0, 1, 5, 20, -1]),)),
    ("factorial2", (np.array([0, 1, 5, 20, 33]),)),
    ("sici", (np.concatenate([X, -X, [0.0]]),)),
    ("shichi", (X,)),
    ("fresnel", (np.concatenate([X, -X, [0.0, np.inf]]),)),
    ("ellipj", (X[:, None], P)),
    ("airy", (np.array([-9.5, -1.0, 0.0, 0.5, 3.0, 10.0]),)),
    ("jvp", (2, X, 2)),
    ("yvp", (2, X, 1)),
    ("ivp", (2, X, 1)),
    ("kvp", (2, X, 1)),
    ("spherical_jn", (np.array([0, 1, 2, 5])[:, None], X)),
    ("spherical_yn", (np.array([0, 1, 2, 5])[:, None], X)),
    ("spherical_in", (np.array([0, 1, 2, 5])[:, None], X)),
    ("spherical_kn", (np.array([0, 1, 2, 5])[:, None], X)),
    ("spherical_jn", (np.array([0, 1, 2, 5])[:, None], X, True)),
    ("spherical_yn", (np.array([0, 1, 2, 5])[:, None], X, True)),
    ("spherical_in", (np.array([0, 1, 2, 5])[:, None], X, True)),
    ("spherical_kn", (np.array([0, 1, 2, 5])[:, None], X, True)),
    ("bdtr", (np.array([-1, 0, 2, 5]), 5, 0.3)),
    ("bdtrc", (np.array([-1, 0, 2, 5]), 5, 0.3)),
    ("bdtri", (np.array([0, 2, 4]), 5, 0.3)),
    ("nbdtr", (np.array([0, 2, 5]), 5, 0.3)),
    ("nbdtrc", (np.array([0, 2, 5]), 5, 0.3)),
    ("nbdtri", (np.array([0, 2, 5]), 5, 0.3)),
    ("pdtr", (np.array([0.0, 2.5, 5.0]), 2.5)),
    ("pdtrc", (np.array([0.0, 2.5, 5.0]), 2.5)),
    ("pdtri", (np.array([0, 2, 5]), 0.3)),
    ("chdtr", (3.0, X)),
    ("chdtrc", (3.0, np.append(X, -1.0))),
    ("chdtri", (3.0, P)),
    ("fdtr", (3.0, 5.0, X)),
    ("fdtrc", (3.0, 5.0, X)),
    ("fdtri", (3.0, 5.0, P)),
    ("gdtr", (2.0, 3.0, X)),
    ("gdtrc", (2.0, 3.0, X)),
    ("gdtrix", (2.0, 3.0, P)),
    ("eval_laguerre", (3, X)),
    ("eval_chebyc", (4, P)),
    ("eval_chebys", (4, P)),
    ("eval_sh_chebyt", (4, P)),
    ("eval_sh_chebyu", (4, P)),
    ("eval_sh_legendre", (4, P)),
    ("eval_jacobi", (np.array([0, 1, 4, 9])[:, None], 0.5, 1.5, P)),
    ("eval_sh_jacobi", (3, 2.5, 1.5, P)),
    ("sph_harm_y", (np.array([0, 2, 3, 7])[:, None], np.array([0, -1, 2, 5])[:, None], P, 0.7)),
    ("sph_legendre_p", (np.array([0, 2, 3, 7])[:, None], np.array([0, -1, 2, 5])[:, None], P)),
    ("logsumexp", (np.array([[1.0, 1000.0], [-1000.0, 2.0]]),)),
    ("logsumexp", (np.array([[1.0, 1000.0], [-1000.0, 2.0]]), 1)),
    ("logsumexp", (np.array([-np.inf, -np.inf]),)),
    ("logsumexp", (np.array([np.inf, 1.0]),)),
    ("logsumexp", (np.array([1.0, 2.0]), None, np.array([1.0, -0.25]))),
    ("softmax", (np.array([[1.0, 2.0], [1000.0, 1001.0]]), 1)),
    ("log_softmax", (np.array([[1.0, 2.0], [1000.0, 1001.0]]), 0)),
    ("softplus", (np.array([-1000.0, 0.0, 3.0, 1000.0]),)),
]


@pytest.mark.parametrize(("name", "args"), CALLS, ids=[f"{n}-{i}" for i, (n, _) in enumerate(CALLS)])
def test_made_of_ufuncs(name, args):
    check_function(name, args, 1e-10 if name in ("spherical_jn", "airy", "fdtri", "yvp", "jvp") else 1e-12)


@pytest.mark.parametrize(
    "name", ["bdtr", "bdtrc", "bdtri", "nbdtr", "nbdtrc", "nbdtri", "gdtr", "gdtrc", "pdtri"]
)
@pytest.mark.parametrize("whole", [False, True])
def test_distributions_of_any_arguments(name, whole):
    """Fractions of counts are cut off, and what lies outside a distribution's domain is NaN, as in SciPy."""
    rng = np.random.default_rng(5)
    count = getattr(scipy_special, name).nin
    if whole:
        args = [rng.integers(-4, 6, 200) for _ in range(count)]
    else:
        args = [rng.normal(1.0, 3.0, 200) for _ in range(count)]
        args[-1] = args[-1] if name.startswith("g") else rng.uniform(-0.2, 1.2, 200)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = getattr(scipy_special, name)(*args)
        got = getattr(special, name)(*(cp.asarray(a) for a in args))
    np.testing.assert_allclose(cp.asnumpy(got), want, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("name", ["iv", "ive", "kv", "kve"])
@pytest.mark.parametrize("ratio", [0.5, 1.0, 2.0, 10.0])
def test_modified_bessel_functions_of_large_order(name, ratio):
    """The scaled functions leave a double's range before the others do, and the other way round."""
    v = np.array([90.0, 100.5, 150.0, 300.0, 500.5, 800.0, 1000.0, 2000.0, 3000.0])
    want = getattr(scipy_special, name)(v, v * ratio)
    got = to_numpy(getattr(special, name)(cp.array(v), cp.array(v * ratio)))
    np.testing.assert_allclose(got, want, rtol=3e-12, atol=1e-300)


def test_confluent_functions_that_oscillate():
    """Terms of the series are larger than their sum by twenty digits."""
    a = np.array([-197.3, -1000.5, -42892.8, -50.0, -30.2, 200.5, 1693.86, -120.4])
    b = np.array([3.2, 3.2, 22.5, 0.5, 50.0, 3.2, 7.0, 5.5])
    x = np.array([10.0, 2.0, 1.0, 30.0, 20.0, -10.0, -3.0, 60.0])
    want = scipy_special.hyp1f1(a, b, x)
    got = to_numpy(special.hyp1f1(cp.array(a), cp.array(b), cp.array(x)))
    np.testing.assert_allclose(got, want, rtol=1e-10)


def test_legendre_functions_of_large_degree():
    m = np.array([5, 0, 0, 6, 40, 0, 2, 30, -3])
    v = np.array([57.7842, 300.3, 1081.2, 1079.9, 80.5, 100.3, 60.5, 33.3, 70.2])
    x = np.array([0.0507694, 0.9, 0.95312, 0.458, 0.9, -0.99, 0.999, 0.5, 0.2])
    want = scipy_special.lpmv(m, v, x)
    got = to_numpy(special.lpmv(cp.array(m), cp.array(v), cp.array(x)))
    np.testing.assert_allclose(got, want, rtol=1e-10)


def test_legendre_functions_of_orders_beyond_the_degree():
    m, v = (np.array(row, float)[:, None] for row in ([-1, -2, -5, 2, 3, -1, -2], [0, 1, 2, 1, 1, 1, 2]))
    x = np.array([-1.0, -0.5, 0.3, 1.0])
    want = scipy_special.lpmv(m, v, x)
    np.testing.assert_allclose(
        to_numpy(special.lpmv(cp.array(m), cp.array(v), cp.array(x))), want, rtol=1e-14
    )


def test_exact_counts():
    assert special.comb(100, 50, exact=True) == scipy_special.comb(100, 50, exact=True)
    assert special.factorial(30, exact=True) == scipy_special.factorial(30, exact=True)
    assert special.perm(30, 7, exact=True) == scipy_special.perm(30, 7, exact=True)


def test_errors():
    with pytest.raises(ValueError, match="multigammaln"):
        special.multigammaln(cp.array([0.5]), 4)
    with pytest.raises(ValueError, match="jvp"):
        special.jvp(1, cp.array([1.0]), -1)
    with pytest.raises(ValueError, match="sici"):
        special.sici(cp.array([1.0]), out=(cp.empty(1),))
    with pytest.raises(TypeError):
        special.gammainc(cp.array([1j]), 1.0)
    with pytest.raises(ValueError):
        special.gamma(cp.ones(3), out=cp.empty(4))


# ---------------------------------------------------------------------------------------------------------
# As ufuncs


def test_out_where_and_broadcasting():
    x = np.linspace(0.5, 5, 12).reshape(3, 4)
    out = cp.zeros((3, 4))
    mask = x > 2
    assert special.gammainc(cp.array(x), cp.array(x[0]), out=out, where=cp.array(mask)) is out
    want = np.zeros((3, 4))
    scipy_special.gammainc(x, x[0], out=want, where=mask)
    assert near(to_numpy(out), want, 1e-13).all()
    a, b = x[:, :1], x[:1]
    assert near(to_numpy(special.beta(cp.array(a), cp.array(b))), scipy_special.beta(a, b), 1e-13).all()
    part = special.erf(cp.array(x)[::2, ::-1].T)
    assert near(to_numpy(part), scipy_special.erf(x[::2, ::-1].T), 1e-14).all()
    assert special.bdtr(2, 5, cp.array([0.5]), out=(o := cp.empty(1))) is o


@pytest.mark.fusion
def test_they_fuse_with_other_work():
    x = cp.linspace(0.5, 5, 10000)
    with cp.fusion_log() as log:
        float((special.gammaln(x * 2) + special.erf(x)).sum())
    texts = [str(entry) for entry in log]
    assert any("gammaln" in t and "erf" in t and "sum" in t for t in texts), texts


def test_large_arrays_are_the_small_ones_in_pieces():
    x = np.random.default_rng(0).uniform(0.1, 40, 50000)
    for function in (special.gammaln, special.erf, special.j0, special.ndtr):
        whole = to_numpy(function(cp.array(x)))
        pieces = np.concatenate([to_numpy(function(cp.array(x[i : i + 777]))) for i in range(0, 50000, 777)])
        assert np.array_equal(whole, pieces)


def test_every_name_of_the_ufuncs_is_public():
    assert set(_core.ufuncs("special")) <= set(special.__all__)


def test_texts_for_gpus_are_up_to_date():
    """The CUDA C of the special functions is what the script writes from the Rust."""
    import importlib.util
    import pathlib

    script = pathlib.Path(__file__).parents[2] / "scripts/special_texts.py"
    spec = importlib.util.spec_from_file_location("special_texts", script)
    texts = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(texts)
    for family in texts.FAMILIES:
        assert (texts.TARGET / f"special_{family}.cuh").read_text() == texts.family(family), family


@pytest.mark.parametrize(
    "name", ["eval_chebyc", "eval_chebys", "eval_sh_chebyt", "eval_sh_chebyu", "eval_sh_legendre"]
)
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_polynomials_of_narrow_arguments(name, dtype):
    """The argument is moved in the precision of the result, which integers as degrees make double."""
    n, x = np.array([1, 2, 3, 5]), np.array([6.1e-5, 1e-4, 0.3, 0.9], dtype)
    want = getattr(scipy_special, name)(n, x)
    got = getattr(special, name)(cp.asarray(n), cp.asarray(x)).get()
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-13)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_jacobi_polynomials_of_narrow_arguments(dtype):
    n, x = np.array([1, 2, 3, 5]), np.array([6.1e-5, 1e-4, 0.3, 0.9], dtype)
    p, q = np.full(4, 2.5, dtype), np.full(4, 1.5, dtype)
    for name in ("eval_jacobi", "eval_sh_jacobi"):
        want = getattr(scipy_special, name)(n, p, q, x)
        got = getattr(special, name)(*map(cp.asarray, (n, p, q, x))).get()
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-12)


def test_jacobi_polynomials_of_any_degree_and_argument():
    mp = pytest.importorskip("mpmath")
    n, x = np.array([[0.0], [0.5], [1.5], [3.0], [7.25], [70.0]]), np.array([-0.9, -0.25, 0.0, 0.5, 0.99])
    want = [[float(mp.jacobi(float(k), 0.75, 1.5, float(at))) for at in x] for k in n[:, 0]]
    np.testing.assert_allclose(to_numpy(special.eval_jacobi(cp.array(n), 0.75, 1.5, x)), want, rtol=1e-11)
    z, degrees = x + 0.5j, np.array([[0], [1], [4], [9]])
    want = scipy_special.eval_jacobi(degrees, 0.75, 1.5, z)
    np.testing.assert_allclose(
        to_numpy(special.eval_jacobi(cp.array(degrees), 0.75, 1.5, cp.array(z))), want, rtol=1e-11
    )


def test_second_kind_at_zero():
    orders = np.array([-1.0, -2, -3, -4, -1001, -0.25, -0.75, -1.25, 0, 1, 2.5])
    want = scipy_special.yv(orders, 0.0)
    np.testing.assert_array_equal(special.yv(cp.array(orders), 0.0).get(), want)


def test_laguerre_of_degree_one_keeps_small_differences():
    x = 2.0**62
    assert (
        float(special.eval_genlaguerre(1, cp.array(x), x)) == scipy_special.eval_genlaguerre(1, x, x) == 1.0
    )


@pytest.mark.parametrize("name", ["chdtr", "chdtrc", "chdtri", "gdtr", "gdtrc", "gdtrix", "pdtr"])
@pytest.mark.parametrize("dtype", ["f2", "f4"])
def test_products_of_narrow_arguments_do_not_underflow(name, dtype):
    ends = np.finfo(dtype)
    x = np.array([ends.smallest_subnormal, ends.tiny, 1e-3, 0.1, 0.5, 1.5, 3.0, ends.max], dtype)
    args = np.meshgrid(*[x] * getattr(scipy_special, name).nin)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # SciPy computes some in single precision, and has few digits of those.
        want = getattr(scipy_special, name)(*(a.astype("f8") for a in args)).astype("f4")
        got = getattr(special, name)(*(cp.asarray(a) for a in args))
    assert got.dtype == np.float32
    np.testing.assert_allclose(cp.asnumpy(got), want, rtol=1e-5, atol=3e-45)
