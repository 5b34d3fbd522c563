"""Tests of hypotheses and distributions of ``cuprum.scipy.stats`` against ``scipy.stats``."""

import numpy as np
import pytest
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import stats

RNG = np.random.default_rng(29)
A, B = RNG.standard_normal((9, 4)), RNG.standard_normal((9, 4)) + 0.4
HOLES = np.where(RNG.random((9, 4)) < 0.2, np.nan, A)


# Lists of bodies have bad input among the good.
MISTAKES = (ValueError, TypeError, np.linalg.LinAlgError)


def checks(bodies, units=1e5, may_raise=MISTAKES, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "stats", units, label=f"case {i}", may_raise=may_raise, **options)


def pair(result):
    return result.statistic, result.pvalue


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_means(alternative):
    k = {"alternative": alternative}
    checks(
        [
            lambda xp, sp: pair(sp.ttest_1samp(xp.array(A), 0.3, **k)),
            lambda xp, sp: pair(sp.ttest_1samp(xp.array(A), 0.3, axis=1, **k)),
            lambda xp, sp: pair(sp.ttest_1samp(xp.array(HOLES), 0.3, nan_policy="omit", **k)),
            lambda xp, sp: pair(sp.ttest_rel(xp.array(A), xp.array(B), **k)),
            lambda xp, sp: pair(sp.ttest_ind(xp.array(A), xp.array(B), **k)),
            lambda xp, sp: pair(sp.ttest_ind_from_stats(xp.array(A), 2.0, 9, xp.array(1.5), 1.0, 12, **k)),
            lambda xp, sp: pair(sp.ttest_ind_from_stats(1.0, xp.array(A), 9, 1.5, 1.0, 12, False, **k)),
            lambda xp, sp: pair(sp.ttest_ind(xp.array(A), xp.array(B[:5]), equal_var=False, **k)),
            lambda xp, sp: pair(sp.pearsonr(xp.array(A[:, 0]), xp.array(B[:, 0]), **k)),
            lambda xp, sp: pair(sp.spearmanr(xp.array(A[:, 0]), xp.array(B[:, 0]), **k)),
        ]
    )


@pytest.mark.filterwarnings("ignore:An input array is constant")
@pytest.mark.parametrize("n", [2, 3, 25])
def test_equal_numbers_have_no_correlation(n):
    # Their mean is another number by a rounding.
    flat, rising = np.full(n, 0.1), np.arange(n) ** 2.0
    checks(
        [
            lambda xp, sp, a=a, b=b, f=f: pair(getattr(sp, f)(xp.array(a), xp.array(b)))
            for f in ("pearsonr", "spearmanr")
            for a, b in ((flat, rising), (rising, flat), (flat, flat))
        ],
        may_raise=(),
    )


def test_lines_and_counts():
    def line(xp, sp, x, y):
        r = sp.linregress(xp.array(x), xp.array(y))
        return r.slope, r.intercept, r.rvalue, r.pvalue, r.stderr, r.intercept_stderr

    counts = RNG.integers(5, 20, (6, 3)).astype(float)
    checks(
        [
            lambda xp, sp: line(xp, sp, A[:, 0], B[:, 0]),
            lambda xp, sp: line(xp, sp, A[:, 0], A[:, 0] * 2 + 0.5 * B[:, 0]),
            lambda xp, sp: line(xp, sp, np.arange(4.0), np.ones(4)),
            lambda xp, sp: pair(sp.chisquare(xp.array(counts))),
            lambda xp, sp: pair(sp.chisquare(xp.array(counts), xp.array(counts[::-1].copy()), ddof=1)),
            lambda xp, sp: pair(sp.chisquare(xp.array(counts), xp.array(counts + 1))),
            lambda xp, sp: sp.ttest_rel(xp.array(A), xp.array(B[:3])),
            lambda xp, sp: sp.ttest_1samp(xp.array(A), 0.0, alternative="strange"),
        ]
    )
    # As SciPy 1.18: no error for one x, and no certainty from two points.
    found = line(cp, stats, np.ones(4), np.arange(4.0))
    assert all(np.isnan(float(value)) for value in found)
    found = [float(value) for value in line(cp, stats, np.array([1.0, 2.0]), np.array([3.0, 5.0]))]
    assert found[:3] == [2.0, 1.0, 1.0] and np.isnan(found[3:]).all()


FAMILIES = {
    "norm": [()],
    "uniform": [()],
    "expon": [()],
    "gamma": [(0.5,), (3.0,)],
    "beta": [(0.5, 2.0), (3.0, 4.0)],
    "t": [(1.0,), (5.0,)],
    "chi2": [(1.0,), (4.0,)],
    "f": [(3.0, 7.0)],
    "poisson": [(3.5,)],
    "binom": [(12, 0.3)],
}


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_distributions(name):
    discrete = name in ("poisson", "binom")
    x = np.arange(-1.0, 14.0) if discrete else np.linspace(-3.1, 6.3, 40)
    q = np.array([-0.1, 0.0, 0.01, 0.3, 0.5, 0.9, 0.999, 1.0, 1.1])
    density = ("pmf", "logpmf") if discrete else ("pdf", "logpdf")
    bodies = []
    for shapes in FAMILIES[name]:
        place = (*shapes, 1.0) if discrete else (*shapes, 0.3, 2.0)
        for parameters in (shapes, place):
            for method in (*density, "cdf", "sf"):
                bodies.append(
                    lambda xp, sp, m=method, p=parameters: getattr(getattr(sp, name), m)(xp.array(x), *p)
                )
            for method in ("ppf", "isf"):
                bodies.append(
                    lambda xp, sp, m=method, p=parameters: getattr(getattr(sp, name), m)(xp.array(q), *p)
                )
            for method in ("mean", "var", "std", "median"):
                bodies.append(lambda xp, sp, m=method, p=parameters: float(getattr(getattr(sp, name), m)(*p)))
    checks(bodies)
    drawn = cp.asnumpy(getattr(stats, name).rvs(*FAMILIES[name][-1], size=4000, random_state=3))
    assert drawn.shape == (4000,)


def test_frozen_distributions():
    frozen = stats.norm(loc=cp.array([0.0, 1.0]), scale=2.0)
    assert np.allclose(cp.asnumpy(frozen.cdf(1.0)), [0.6914624612740131, 0.5])
    assert np.allclose(cp.asnumpy(frozen.mean()), [0.0, 1.0])
    with pytest.raises(TypeError, match="missing"):
        stats.gamma.pdf(1.0)
    with pytest.raises(ValueError, match="Domain"):
        stats.expon.rvs(scale=-1.0)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_rank_correlations(alternative):
    many = RNG.standard_normal((2, 500))
    whole = RNG.integers(0, 9, (2, 300))
    few = RNG.standard_normal((2, 9))
    holes = np.where(RNG.random((2, 60)) < 0.1, np.nan, RNG.standard_normal((2, 60)))

    def tau(x, y, **options):
        options["alternative"] = alternative
        return lambda xp, sp: pair(sp.kendalltau(xp.array(x), xp.array(y), **options))

    checks(
        [
            tau(many[0], many[1]),
            tau(many[0], many[0] + many[1]),
            tau(*whole),
            tau(*whole, variant="c"),
            tau(whole[0], many[0][:300]),
            tau(*few),
            tau(few[0], few[0]),
            tau(few[0], -few[0]),
            tau(few[0][:2], few[1][:2]),
            tau(few[0][:3], few[1][:3]),
            tau(np.arange(200), np.arange(200)),
            tau(*few, method="asymptotic"),
            tau(*many[:, :60], method="exact"),
            tau(*many[:, :180], method="exact"),
            tau(*holes),
            tau(*holes, nan_policy="omit"),
            tau(np.ones(5), np.arange(5)),
            tau(np.ones(1), np.ones(1)),
        ],
        1e4,
    )
    checks(
        [
            tau(*whole, method="exact"),
            tau(few[0], few[1][:3]),
            tau(*few, method="strange"),
            tau(*few, variant="d"),
            tau(*holes, nan_policy="raise"),
        ],
        raises=ValueError,
    )


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_rank_sums(alternative):
    a, b = RNG.standard_normal((7, 4)), RNG.standard_normal((12, 4)) + 0.4
    long = RNG.standard_normal((30, 4))
    whole = RNG.integers(0, 6, (2, 40))

    def found(x, y, **options):
        options["alternative"] = alternative
        return lambda xp, sp: pair(sp.mannwhitneyu(xp.array(x), xp.array(y), **options))

    checks(
        [
            found(a, b),
            found(b, a),
            found(long, b),
            found(long, b, method="exact"),
            found(a, b, method="asymptotic"),
            found(a, b, use_continuity=False, method="asymptotic"),
            found(*whole),
            found(whole, whole[:, :9], axis=1),
            found(a, b, axis=None),
            found(a[:1], b[:1]),
            found(a[:, :1], b),
            found(np.where(np.arange(28).reshape(7, 4) == 5, np.nan, a), b),
            found(a[:0], b),
        ],
        1e3,
    )
    checks([found(a, b, method="strange")], raises=ValueError)
