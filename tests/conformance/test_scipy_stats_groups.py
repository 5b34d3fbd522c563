"""Tests of groups, shapes and tables of ``cuprum.scipy.stats`` against ``scipy.stats``."""

import warnings

import numpy as np
import pytest
from scipy_twin import SCIPY, check
from twin import collect

import cuprum as cp
from cuprum.scipy import stats

RNG = np.random.default_rng(43)
# Samples of different sizes, without and with equal numbers.
SAMPLES = [
    (RNG.normal(size=n), RNG.normal(0.3, 1.3, m), RNG.normal(0.1, 2, n)) for n, m in ((9, 7), (40, 33))
]
SAMPLES += [tuple(np.round(3 * x) for x in sample) for sample in SAMPLES]


def checks(bodies, units=1e4, raises=None):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "stats", units, label=f"case {i}", dtype=False, raises=raises)


def pair(result):
    return result.statistic, result.pvalue


@pytest.mark.parametrize("name", ["f_oneway", "kruskal", "bartlett", "levene", "fligner"])
def test_several_samples(name):
    checks(
        [lambda xp, sp, s=s: pair(getattr(sp, name)(*(xp.array(x) for x in s))) for s in SAMPLES]
        + [
            lambda xp, sp: pair(getattr(sp, name)(*(xp.array(x[:8].reshape(4, 2)) for x in SAMPLES[1]))),
            lambda xp, sp: pair(
                getattr(sp, name)(*(xp.array(x[:8].reshape(2, 4)) for x in SAMPLES[1]), axis=1)
            ),
        ]
    )


def test_centres_and_welch():
    checks(
        [
            lambda xp, sp, f=f, c=c, s=s: pair(getattr(sp, f)(xp.array(s[0]), xp.array(s[1]), center=c))
            for f in ("levene", "fligner")
            for c in ("mean", "trimmed")
            for s in SAMPLES
        ]
        + [lambda xp, sp, s=s: pair(sp.f_oneway(*(xp.array(x) for x in s), equal_var=False)) for s in SAMPLES]
        + [
            lambda xp, sp, s=s: pair(
                sp.friedmanchisquare(xp.array(s[0]), xp.array(s[2]), xp.array(np.round(s[0] + s[2])))
            )
            for s in SAMPLES
        ]
    )


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_kolmogorov_and_smirnov(alternative):
    def parts(r):
        return r.statistic, r.pvalue, r.statistic_location

    k = {"alternative": alternative}
    checks(
        [
            lambda xp, sp, s=s, m=m: parts(sp.ks_2samp(xp.array(s[0]), xp.array(s[1]), method=m, **k))
            for s in SAMPLES
            for m in ("auto", "exact")
        ]
        + [
            lambda xp, sp, s=s, m=m: parts(sp.ks_1samp(xp.array(s[0]), sp.norm.cdf, method=m, **k))
            for s in SAMPLES
            for m in ("auto", "approx", "asymp")
        ]
        + [
            lambda xp, sp: pair(sp.kstest(xp.array(SAMPLES[0][0]), "norm", **k)),
            lambda xp, sp: pair(sp.kstest(xp.array(SAMPLES[0][0]), sp.norm.cdf, (0.2, 1.5), **k)),
            lambda xp, sp: pair(sp.kstest(xp.array(SAMPLES[0][0]), xp.array(SAMPLES[1][1]), **k)),
        ],
        # Sums of chances, of some hundred terms each.
        units=1e6,
    )


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
def test_signed_ranks(zero_method):
    checks(
        [
            lambda xp, sp, s=s, a=a, m=m, c=c: pair(
                sp.wilcoxon(xp.array(s[0]), zero_method=zero_method, correction=c, alternative=a, method=m)
            )
            for s in SAMPLES
            for a in ("two-sided", "less", "greater")
            for m, c in (("auto", False), ("exact", False), ("asymptotic", True))
        ]
        + [
            lambda xp, sp, s=s: pair(sp.wilcoxon(xp.array(s[0]), xp.array(s[2]), zero_method=zero_method))
            for s in SAMPLES
        ]
    )


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_shapes(alternative):
    k = {"alternative": alternative}
    checks(
        [
            lambda xp, sp, s=s, f=f: pair(getattr(sp, f)(xp.array(s[0]), **k))
            for s in SAMPLES
            for f in ("skewtest", "kurtosistest")
        ]
        + [lambda xp, sp, s=s: pair(sp.ranksums(xp.array(s[0]), xp.array(s[1]), **k)) for s in SAMPLES]
    )


def test_normality():
    checks(
        [
            lambda xp, sp, s=s, f=f: pair(getattr(sp, f)(xp.array(s[0])))
            for s in SAMPLES
            for f in ("normaltest", "jarque_bera")
        ]
    )
    # SciPy's quantiles of the normal distribution have eight digits here.
    checks(
        [
            lambda xp, sp, x=x: pair(sp.shapiro(xp.array(x)))
            for x in (np.array([1.0, 2, 5]), *(s[0] for s in SAMPLES))
        ],
        units=5e8,
    )
    # Equal numbers, whose mean is another number by a rounding; SciPy warns.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        equal = [[0.1] * n for n in (3, 5, 12, 300)]
        for numbers in equal:
            assert cp.isnan(cp.asarray(pair(stats.shapiro(cp.array(numbers))))).all()
        tiny = pair(stats.shapiro(cp.array([1e-30, 2e-30, 7e-30, 9e-30])))
        same = pair(stats.shapiro(cp.array([1.0, 2, 7, 9])))
        np.testing.assert_allclose([float(a) for a in tiny], [float(a) for a in same], rtol=1e-12)
        if SCIPY >= (1, 18):
            checks([lambda xp, sp, x=x: pair(sp.shapiro(xp.array(x))) for x in equal])
    checks(
        [
            # Of nine elements critical values are halves before they are rounded: releases of SciPy differ.
            lambda xp, sp, d=d, x=x: tuple(sp.anderson(xp.array(np.abs(x) + 0.1), d))[
                : 1 if x.size == 9 else 3
            ]
            for s in SAMPLES
            for x in s
            for d in ("norm", "expon")
        ]
    )


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning")
@pytest.mark.parametrize("dist", ["logistic", "gumbel", "gumbel_l", "gumbel_r", "extreme1", "weibull_min"])
def test_anderson_with_fitted_parameters(dist):
    rng = np.random.default_rng(5)
    samples = [rng.weibull(2.5, 100) * 3 + 1, rng.weibull(3, 700)]
    if dist != "weibull_min":
        samples += [rng.normal(3, 2, 60), rng.logistic(1, 2, 15)]
    whole = [lambda xp, sp, x=x: tuple(sp.anderson(xp.array(x), dist))[:3] for x in samples]
    chance = [
        lambda xp, sp, x=x: (lambda r: (r.statistic, r.pvalue))(
            sp.anderson(xp.array(x), dist, method="interpolate")
        )
        for x in samples
    ]
    # SciPy stops its search for the logistic distribution's parameters at five digits of them.
    units = 1e9 if dist == "logistic" else 1e8 if dist == "weibull_min" else 1e4
    checks(whole + (chance if SCIPY >= (1, 17) else []), units=units)


def test_anderson_refuses_what_it_does_not_know():
    checks([lambda xp, sp: sp.anderson(xp.arange(9.0), "cauchy")], raises=ValueError)
    # As likely as can be with the location at the least element: there is no table for that.
    steep = np.random.default_rng(2).exponential(size=60) ** 3
    checks([lambda xp, sp: sp.anderson(xp.array(steep), "weibull_min")], raises=ValueError)


def test_tables():
    tables = [RNG.integers(0, 20, (2, 2)) for _ in range(8)] + [np.array([[0, 3], [0, 5]])]
    wide = RNG.integers(1, 30, (3, 4))
    checks(
        [
            lambda xp, sp, t=t, a=a: pair(sp.fisher_exact(xp.array(t), alternative=a))
            for t in tables
            for a in ("two-sided", "less", "greater")
        ]
        + [
            lambda xp, sp, power=power: pair(sp.chi2_contingency(xp.array(wide), lambda_=power))
            for power in (None, "log-likelihood", "neyman", -1.5)
        ]
        + [
            lambda xp, sp: (lambda r: (*pair(r), r.dof, r.expected_freq))(
                sp.chi2_contingency(xp.array(wide))
            ),
            lambda xp, sp: pair(sp.chi2_contingency(xp.array(wide[:2, :2]))),
            lambda xp, sp: pair(sp.chi2_contingency(xp.array(wide[:2, :2]), correction=False)),
            lambda xp, sp: pair(sp.power_divergence(xp.array(wide), lambda_="cressie-read")),
            lambda xp, sp: pair(sp.power_divergence(xp.array(wide), lambda_="mod-log-likelihood", axis=1)),
        ]
    )


def test_spread():
    a = RNG.normal(size=(5, 7))
    holes = np.where(RNG.random((5, 7)) < 0.2, np.nan, a)
    checks(
        [
            lambda xp, sp: sp.iqr(xp.array(a)),
            lambda xp, sp: sp.iqr(xp.array(a), axis=1, rng=(10, 80), scale="normal"),
            lambda xp, sp: sp.iqr(xp.array(holes), axis=0, nan_policy="omit"),
            lambda xp, sp: sp.iqr(xp.array(a), axis=1, interpolation="lower", keepdims=True),
            lambda xp, sp: sp.median_abs_deviation(xp.array(a)),
            lambda xp, sp: sp.median_abs_deviation(xp.array(a), axis=None, scale="normal"),
            lambda xp, sp: sp.median_abs_deviation(xp.array(a), axis=1, center=xp.mean),
            lambda xp, sp: sp.median_abs_deviation(xp.array(holes), axis=1, nan_policy="omit"),
        ],
        units=16,
    )
