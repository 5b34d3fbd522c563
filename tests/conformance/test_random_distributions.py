"""Distributions: Kolmogorov-Smirnov and chi-square tests against SciPy, moments, parameters and errors."""

import inspect

import numpy as np
import pytest
from scipy import stats

import cuprum as cp

DRAWS = 60_000
# A right distribution fails one test in 10,000; the seeds are fixed, so it fails always or never.
LEAST_P = 1e-4

CONTINUOUS = [
    ("uniform", (2, 5), stats.uniform(2, 3)),
    ("normal", (1, 2), stats.norm(1, 2)),
    ("standard_normal", (), stats.norm()),
    ("lognormal", (0.3, 0.7), stats.lognorm(0.7, scale=np.exp(0.3))),
    ("exponential", (2.0,), stats.expon(scale=2)),
    ("standard_exponential", (), stats.expon()),
    ("laplace", (1, 2), stats.laplace(1, 2)),
    ("gumbel", (1, 2), stats.gumbel_r(1, 2)),
    ("logistic", (1, 2), stats.logistic(1, 2)),
    ("rayleigh", (2,), stats.rayleigh(scale=2)),
    ("weibull", (1.5,), stats.weibull_min(1.5)),
    ("weibull", (0.3,), stats.weibull_min(0.3)),
    ("pareto", (3.0,), stats.lomax(3.0)),
    ("power", (5.0,), stats.powerlaw(5.0)),
    ("power", (0.2,), stats.powerlaw(0.2)),
    ("standard_cauchy", (), stats.cauchy()),
    ("triangular", (-1, 0, 8), stats.triang(1 / 9, -1, 9)),
    ("triangular", (0, 0, 1), stats.triang(0, 0, 1)),
    ("gamma", (0.3, 2), stats.gamma(0.3, scale=2)),
    ("gamma", (1, 2), stats.gamma(1, scale=2)),
    ("gamma", (9, 0.5), stats.gamma(9, scale=0.5)),
    ("gamma", (1e6, 1), stats.gamma(1e6)),
    ("standard_gamma", (3.5,), stats.gamma(3.5)),
    ("beta", (2, 5), stats.beta(2, 5)),
    ("beta", (0.4, 0.6), stats.beta(0.4, 0.6)),
    ("beta", (0.4, 3), stats.beta(0.4, 3)),
    ("beta", (1, 1), stats.beta(1, 1)),
    ("chisquare", (3,), stats.chi2(3)),
    ("noncentral_chisquare", (3, 20), stats.ncx2(3, 20)),
    ("noncentral_chisquare", (0.5, 5), stats.ncx2(0.5, 5)),
    ("noncentral_chisquare", (3, 0), stats.chi2(3)),
    ("f", (3, 48), stats.f(3, 48)),
    ("noncentral_f", (3, 20, 3), stats.ncf(3, 20, 3)),
    ("standard_t", (5,), stats.t(5)),
    ("standard_t", (0.7,), stats.t(0.7)),
    ("vonmises", (0.0, 4.0), stats.vonmises(4.0)),
    ("vonmises", (0.0, 1e-3), stats.vonmises(1e-3)),
    ("vonmises", (0.0, 1e-9), stats.uniform(-np.pi, 2 * np.pi)),
    ("vonmises", (0.0, 1e8), stats.norm(0, 1e-4)),
    ("wald", (3, 2), stats.invgauss(1.5, scale=2)),
    ("wald", (1, 1e-3), stats.invgauss(1e3, scale=1e-3)),
]

DISCRETE = [
    ("poisson", (0.5,), stats.poisson(0.5)),
    ("poisson", (9.9,), stats.poisson(9.9)),
    ("poisson", (10.1,), stats.poisson(10.1)),
    ("poisson", (100.0,), stats.poisson(100)),
    ("binomial", (10, 0.3), stats.binom(10, 0.3)),
    ("binomial", (100, 0.7), stats.binom(100, 0.7)),
    ("binomial", (1000, 0.02), stats.binom(1000, 0.02)),
    ("binomial", (50, 0.25), stats.binom(50, 0.25)),
    ("binomial", (10_000, 0.5), stats.binom(10_000, 0.5)),
    ("negative_binomial", (3.5, 0.4), stats.nbinom(3.5, 0.4)),
    ("geometric", (0.1,), stats.geom(0.1)),
    ("geometric", (0.9,), stats.geom(0.9)),
    ("hypergeometric", (15, 20, 8), stats.hypergeom(35, 15, 8)),
    ("hypergeometric", (150, 200, 80), stats.hypergeom(350, 150, 80)),
    ("hypergeometric", (200, 150, 300), stats.hypergeom(350, 200, 300)),
    ("hypergeometric", (20, 15, 30), stats.hypergeom(35, 20, 30)),
    ("logseries", (0.6,), stats.logser(0.6)),
    ("logseries", (0.97,), stats.logser(0.97)),
    ("zipf", (2.0,), stats.zipf(2.0)),
    ("zipf", (4.0,), stats.zipf(4.0)),
]


def label(value):
    """Short names of tests: SciPy's objects have none."""
    return "-" if hasattr(value, "cdf") else str(value)


def drawn(name, args, seed=7, **keywords):
    return getattr(cp.random.default_rng(seed), name)(*args, size=DRAWS, **keywords)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("name", "args", "exact"), CONTINUOUS, ids=label)
def test_continuous(name, args, exact, dtype):
    x = drawn(name, args, dtype=dtype)
    assert x.dtype == dtype
    assert x.shape == (DRAWS,)
    assert stats.kstest(cp.asnumpy(x).astype(float), exact.cdf).pvalue > LEAST_P


@pytest.mark.parametrize(("name", "args", "exact"), DISCRETE, ids=label)
def test_discrete(name, args, exact):
    x = drawn(name, args)
    assert x.dtype == np.int64
    x = cp.asnumpy(x)
    values = np.arange(int(exact.ppf(1e-9)), int(exact.ppf(1 - 1e-3)) + 1)
    seen = [
        (x < values[0]).sum(),
        *(np.bincount(x[(x >= values[0]) & (x <= values[-1])] - values[0], minlength=values.size)),
    ]
    seen.append((x > values[-1]).sum())
    chance = [exact.cdf(values[0] - 1), *exact.pmf(values), exact.sf(values[-1])]
    # Cells of at least 20 expected draws.
    cells, counts = [0.0], [0]
    for p, n in zip(chance, seen, strict=True):
        if cells[-1] * DRAWS >= 20:
            cells.append(0.0)
            counts.append(0)
        cells[-1] += p
        counts[-1] += n
    if cells[-1] * DRAWS < 20 and len(cells) > 1:
        last, rest = cells.pop(), counts.pop()
        cells[-1] += last
        counts[-1] += rest
    assert stats.chisquare(counts, np.array(cells) / sum(cells) * DRAWS).pvalue > LEAST_P


# SciPy takes seconds for the moments of von Mises.
@pytest.mark.parametrize(
    ("name", "args", "exact"), [d for d in [*CONTINUOUS, *DISCRETE] if d[0] != "vonmises"], ids=label
)
def test_moments(name, args, exact):
    mean, variance = exact.stats("mv")
    fourth = exact.stats("k")
    if not np.isfinite([mean, variance, fourth]).all():
        pytest.skip("the distribution has no fourth moment")
    x = cp.asnumpy(drawn(name, args, seed=3)).astype(float)
    assert abs(x.mean() - mean) < 5 * np.sqrt(variance / DRAWS)
    # The variance of a sample variance follows from the fourth moment.
    assert abs(x.var() - variance) < 6 * variance * np.sqrt((fourth + 2) / DRAWS)


def test_gammas_of_small_shapes_reach_zero():
    x = cp.asnumpy(drawn("gamma", (0.02,)))
    assert stats.kstest(x, stats.gamma(0.02).cdf).pvalue > LEAST_P
    # Single precision holds nothing between 0 and 1.4e-45.
    single = cp.asnumpy(drawn("gamma", (0.02,), dtype="f4"))
    assert np.array_equal(single, x.astype("f4"))


def test_normals_reach_far_and_are_independent():
    x = cp.asnumpy(cp.random.default_rng(1).standard_normal(2_000_000))
    for limit in (3, 4, 4.5):
        expected = 2 * stats.norm.sf(limit) * x.size
        assert abs((abs(x) > limit).sum() - expected) < 5 * np.sqrt(expected)
    pairs = x.reshape(-1, 2)
    assert abs(np.corrcoef(pairs.T)[0, 1]) < 5e-3
    assert abs(np.corrcoef((pairs**2).T)[0, 1]) < 5e-3
    assert abs(np.corrcoef(x[:-1], x[1:])[0, 1]) < 4e-3


def test_single_precision_normals_are_independent():
    x = cp.asnumpy(cp.random.default_rng(1).standard_normal(1_000_000, dtype="f4")).astype(float)
    assert abs(np.corrcoef(x[:-1], x[1:])[0, 1]) < 5e-3
    expected = 2 * stats.norm.sf(4) * x.size
    assert abs((abs(x) > 4).sum() - expected) < 5 * np.sqrt(expected)


def test_elements_of_a_call_do_not_depend_on_its_size():
    for name, args, _ in [*CONTINUOUS, *DISCRETE]:
        draw = lambda n, name=name, args=args: getattr(cp.random.default_rng(5), name)(*args, size=n)  # noqa: E731
        long = draw(3000)
        assert bool((long[:1000] == draw(1000)).all()), name


@pytest.mark.parametrize(("name", "args", "exact"), [*CONTINUOUS, *DISCRETE], ids=label)
def test_parameters_broadcast(name, args, exact):
    if not args:
        pytest.skip("no parameters")
    rng = cp.random.default_rng(2)
    kind = np.int64 if name in ("binomial", "hypergeometric") else np.float64
    first = cp.array(np.full((3, 1), args[0]), dtype=kind)
    method = getattr(rng, name)
    assert method(first, *args[1:]).shape == (3, 1)
    assert method(first, *args[1:], size=(2, 3, 4)).shape == (2, 3, 4)
    with pytest.raises(ValueError, match=name):
        method(first, *args[1:], size=(4,))
    # The same parameters, once as numbers and once as an array, give the same draws.
    by_number = getattr(cp.random.default_rng(4), name)(*args, size=(3, 5))
    by_array = getattr(cp.random.default_rng(4), name)(first, *args[1:], size=(3, 5))
    assert bool((by_number == by_array).all())


def test_each_element_has_its_own_parameters():
    rng = cp.random.default_rng(3)
    means = cp.array([[0.0], [10.0], [1000.0]])
    got = cp.asnumpy(rng.poisson(means, (3, 20_000)).mean(axis=1))
    assert np.allclose(got, [0, 10, 1000], atol=5 * np.sqrt(np.array([0, 10, 1000]) / 20_000))
    strided = cp.arange(1.0, 9.0).reshape(2, 4).T[::2]
    assert rng.gamma(strided).shape == (2, 2)
    assert rng.normal([0.0, 100.0], [1, 0])[1] == 100


BAD = [
    ("beta", [(-1, 1), (1, 0)]),
    ("exponential", [(-1,), (-0.0,)]),
    ("gamma", [(-1, 1), (1, -1)]),
    ("normal", [(0, -1)]),
    ("lognormal", [(0, -1)]),
    ("rayleigh", [(-1,)]),
    ("wald", [(0, 1), (1, 0)]),
    ("uniform", [(1, 0), (0, np.inf), (np.nan, 1)]),
    ("f", [(0, 1), (1, 0)]),
    ("noncentral_f", [(0, 1, 1), (1, 0, 1), (1, 1, -1)]),
    ("chisquare", [(0,)]),
    ("noncentral_chisquare", [(0, 1), (1, -1)]),
    ("standard_t", [(0,)]),
    ("vonmises", [(0, -1)]),
    ("pareto", [(0,)]),
    ("weibull", [(-1,)]),
    ("power", [(0,)]),
    ("laplace", [(0, -1)]),
    ("gumbel", [(0, -1)]),
    ("logistic", [(0, -1)]),
    ("triangular", [(1, 0, 2), (0, 3, 2), (1, 1, 1)]),
    ("binomial", [(-1, 0.5), (1, 2), (1, np.nan)]),
    ("negative_binomial", [(0, 0.5), (1, 0), (np.nan, 0.5), (1, 2), (1, 1e-300)]),
    ("poisson", [(-1,), (np.nan,), (1e30,)]),
    ("zipf", [(1,), (np.nan,)]),
    ("geometric", [(0,), (2,), (np.nan,)]),
    ("hypergeometric", [(-1, 1, 1), (1, -1, 1), (1, 1, -1), (1, 1, 5), (10**10, 1, 1)]),
    ("logseries", [(1,), (-1,), (np.nan,)]),
    ("standard_gamma", [(-1,)]),
    ("multinomial", [(-1, [0.5, 0.5]), (5, [-0.1, 1.1]), (5, [0.7, 0.7, 0.1])]),
    ("dirichlet", [([-1, 1],), ([[1, 1]],)]),
]


@pytest.mark.parametrize(("name", "args"), [(name, args) for name, rows in BAD for args in rows], ids=label)
def test_bad_parameters_are_refused_as_numpy_does(name, args):
    with pytest.raises((ValueError, TypeError, OverflowError)) as error:
        getattr(np.random.default_rng(1), name)(*args)
    for given in (args, tuple([a, a] if np.isscalar(a) else a for a in args)):
        with pytest.raises(error.type, match=name) as ours:
            getattr(cp.random.default_rng(1), name)(*given)
        # NumPy's message begins with the parameter's name.
        parameter = str(error.value).split()[0]
        if parameter in inspect.signature(getattr(cp.random.Generator, name)).parameters:
            assert parameter in str(ours.value)


def test_edges_of_parameters():
    rng = cp.random.default_rng(1)
    assert not rng.gamma(0.0, 5.0, 10).any()
    assert not rng.poisson(0.0, 10).any()
    assert not rng.binomial(0, 0.5, 10).any()
    assert not rng.binomial(10, 0.0, 10).any()
    assert (rng.binomial(10, 1.0, 10) == 10).all()
    assert (rng.geometric(1.0, 10) == 1).all()
    assert (rng.negative_binomial(5, 1.0, 10) == 0).all()
    assert (rng.logseries(0.0, 10) == 1).all()
    assert (rng.hypergeometric(5, 0, 3, 10) == 3).all()
    assert not rng.hypergeometric(0, 5, 3, 10).any()
    assert (rng.zipf(2000.0, 10) == 1).all()
    assert not rng.weibull(0.0, 10).any()
    assert (rng.normal(3.0, 0.0, 10) == 3).all()
    for name, args in [
        ("gamma", (np.nan,)),
        ("beta", (np.nan, 1)),
        ("chisquare", (np.nan,)),
        ("vonmises", (0, np.nan)),
    ]:
        assert cp.isnan(getattr(rng, name)(*args, size=3)).all()
    assert cp.isfinite(rng.standard_t(np.inf, 100)).all()
    assert (rng.poisson(1e18, 100) > 9e17).all()
    assert (rng.beta(1e-3, 1e-3, 1000) <= 1).all()
    assert not cp.isnan(rng.beta(1e-300, 1e-300, 1000)).any()
    assert (rng.zipf(1.0000001, 100) >= 1).all()


def test_empty_draws():
    rng = cp.random.default_rng(1)
    for name, args, _ in [*CONTINUOUS, *DISCRETE]:
        assert getattr(rng, name)(*args, size=(0, 3)).shape == (0, 3)
    assert rng.normal(cp.zeros((0,))).shape == (0,)


# ---------------------------------------------------------------------------------------------------------
# Vectors


def test_multinomial_counts():
    rng = cp.random.default_rng(1)
    chances = np.array([0.1, 0.2, 0.7])
    x = cp.asnumpy(rng.multinomial(50, chances, size=20_000))
    assert x.dtype == np.int64
    assert (x.sum(axis=1) == 50).all()
    for k, p in enumerate(chances):
        counts = np.bincount(x[:, k], minlength=51)
        exact = stats.binom(50, p).pmf(np.arange(51)) * 20_000
        keep = exact > 20
        assert (
            stats.chisquare([*counts[keep], counts[~keep].sum()], [*exact[keep], exact[~keep].sum()]).pvalue
            > LEAST_P
        )
    assert np.allclose(np.corrcoef(x.T)[0, 1], -np.sqrt(0.1 * 0.2 / (0.9 * 0.8)), atol=0.03)


def test_multinomial_shapes():
    rng, host = cp.random.default_rng(1), np.random.default_rng(1)
    for n, pvals, size in [
        (5, [0.5, 0.5], None),
        (5, [0.5, 0.5], 4),
        (5, [1.0], (2, 3)),
        ([5, 6], [0.5, 0.5], None),
        ([5, 6], [0.5, 0.5], (3, 2)),
        (5, [[0.5, 0.5], [0.1, 0.9]], None),
        ([[5], [6]], [[0.5, 0.5], [0.1, 0.9]], None),
        (0, [0.3, 0.7], 3),
    ]:
        got, want = rng.multinomial(n, pvals, size), host.multinomial(n, pvals, size)
        assert got.shape == want.shape
        assert np.array_equal(cp.asnumpy(got.sum(axis=-1)), want.sum(axis=-1))


def test_multivariate_hypergeometric_shares():
    rng = cp.random.default_rng(1)
    x = cp.asnumpy(rng.multivariate_hypergeometric([16, 8, 4], 6, size=20_000))
    assert (x.sum(axis=1) == 6).all()
    assert np.allclose(x.mean(axis=0), np.array([16, 8, 4]) * 6 / 28, atol=0.05)
    with pytest.raises(ValueError, match="nsample"):
        rng.multivariate_hypergeometric([1, 2], 4)


@pytest.mark.parametrize("alpha", [(10.0, 5.0, 3.0), (0.5, 1.0), (0.01, 0.02, 0.05)])
def test_dirichlet_margins(alpha):
    x = cp.asnumpy(cp.random.default_rng(2).dirichlet(alpha, 20_000))
    assert np.allclose(x.sum(axis=1), 1)
    for k, a in enumerate(alpha):
        if min(alpha) > 0.1:
            assert stats.kstest(x[:, k], stats.beta(a, sum(alpha) - a).cdf).pvalue > LEAST_P
        assert abs(x[:, k].mean() - a / sum(alpha)) < 0.02


@pytest.mark.parametrize("method", ["svd", "eigh", "cholesky"])
def test_multivariate_normal(method):
    mean, cov = np.array([1.0, -2.0, 3.0]), np.array([[2.0, 0.3, 0.5], [0.3, 1.0, -0.2], [0.5, -0.2, 3.0]])
    x = cp.asnumpy(cp.random.default_rng(3).multivariate_normal(mean, cov, 50_000, method=method))
    assert x.shape == (50_000, 3)
    for direction in np.array([[1, 0, 0], [0, 1, 0], [1, 1, 1], [1, -2, 0.5]]):
        exact = stats.norm(direction @ mean, np.sqrt(direction @ cov @ direction))
        assert stats.kstest(x @ direction, exact.cdf).pvalue > LEAST_P
    rng = cp.random.default_rng(3)
    assert rng.multivariate_normal(mean, cov, method=method).shape == (3,)
    assert rng.multivariate_normal(mean, cov, (2, 4), method=method, dtype="f4").dtype == np.float32


@pytest.mark.parametrize(
    ("args", "keywords"),
    [
        (([0, 0], [[1, 0], [0, 1], [0, 0]]), {}),
        (([[0, 0]], [[1, 0], [0, 1]]), {}),
        (([0, 0, 0], [[1, 0], [0, 1]]), {}),
        (([0, 0], [[1, 2], [2, 1]]), {"check_valid": "raise"}),
        (([0, 0], [[1, 2], [2, 1]]), {"check_valid": "raise", "method": "eigh"}),
        (([0, 0], [[1, 2], [2, 1]]), {"method": "cholesky"}),
        (([0, 0], [[1, 0], [0, 1]]), {"check_valid": "x"}),
        (([0, 0], [[1, 0], [0, 1]]), {"method": "x"}),
    ],
)
def test_bad_covariances_are_refused_as_numpy_does(args, keywords):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - NumPy says which class
        np.random.default_rng(1).multivariate_normal(*args, **keywords)
    with pytest.raises(error.type):
        cp.random.default_rng(1).multivariate_normal(*args, **keywords)


def test_an_indefinite_covariance_warns():
    with pytest.warns(RuntimeWarning, match="positive-semidefinite"):
        cp.random.default_rng(1).multivariate_normal([0, 0], [[1, 2], [2, 1]])
