"""``cuprum.scipy.stats`` against ``scipy.stats``: values, dtypes, axes, NaNs and errors."""

import numpy as np
import pytest
import scipy.stats
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import stats

RNG = np.random.default_rng(17)
A = RNG.standard_normal((6, 8))
POSITIVE = np.abs(A) + 0.1
HOLES = np.where(RNG.random((6, 8)) < 0.2, np.nan, A)
COUNTS = RNG.integers(0, 4, (5, 9))


# Lists of bodies have bad input among the good.
MISTAKES = (ValueError, TypeError, np.linalg.LinAlgError, np.exceptions.AxisError)


def checks(bodies, units=1e3, may_raise=MISTAKES, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "stats", units, label=f"case {i}", may_raise=may_raise, **options)


@pytest.mark.parametrize("name", ["zscore", "skew", "kurtosis", "sem", "variation", "moment"])
def test_moments_of_samples(name):
    def body(a, **kwargs):
        return lambda xp, sp: getattr(sp, name)(xp.array(a), **kwargs)

    bodies = [body(A), body(A, axis=1), body(A, axis=None), body(A[0]), body(COUNTS), body(HOLES)]
    bodies += [body(HOLES, nan_policy=p) for p in ("omit", "raise", "strange")]
    bodies += [body(HOLES, nan_policy="omit", axis=1), body(A, axis=5), body(A.astype("f4"))]
    if name in ("zscore", "sem", "variation"):
        bodies += [body(A, ddof=1), body(A, ddof=2, axis=1)]
    if name in ("skew", "kurtosis"):
        bodies += [body(A, bias=False), body(A[:3], bias=False), body(np.ones((4, 2)))]
    if name != "zscore":
        bodies.append(body(A, keepdims=True, axis=1))
    checks(bodies)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_samples(dtype):
    a = (A + 1j * A[::-1] ** 2).astype(dtype)
    names = ["zscore", "sem", "gstd", "moment", "describe", "variation", "gmean", "hmean"]
    checks([lambda xp, sp, f=name: getattr(sp, f)(xp.array(a)) for name in names])
    checks(
        [lambda xp, sp: sp.zscore(xp.array(a), axis=1, ddof=1), lambda xp, sp: sp.sem(xp.array(a), axis=None)]
    )
    checks(
        [
            lambda xp, sp: sp.zmap(xp.array(a), xp.array(a[:4])),
            lambda xp, sp: sp.ttest_1samp(xp.array(a), 0.5),
        ]
    )
    checks([lambda xp, sp: sp.ttest_ind(xp.array(a), xp.array(a[1:]))])


def test_other_scores_and_moments():
    checks(
        [
            lambda xp, sp: sp.zscore(xp.ones((3, 2))),
            lambda xp, sp: sp.zscore(xp.array([0.1, 0.1, 0.1])),
            lambda xp, sp: sp.zmap(xp.array(A), xp.array(A[:3]), axis=0),
            lambda xp, sp: sp.zmap(xp.array([1.0, 2.0]), xp.array(A), axis=None, ddof=1),
            lambda xp, sp: sp.gzscore(xp.array(POSITIVE)),
            lambda xp, sp: sp.moment(xp.array(A), [0, 1, 2, 3]),
            lambda xp, sp: sp.moment(xp.array(A), 3, center=0.5, axis=1),
            lambda xp, sp: sp.moment(xp.array(A), 1.5),
            lambda xp, sp: sp.kurtosis(xp.array(A), fisher=False),
        ]
    )


def test_means_of_other_kinds():
    w = POSITIVE[:, 0]
    checks(
        [
            *(
                lambda xp, sp, n=n, e=e, k=k: getattr(sp, n)(xp.array(POSITIVE), *e, **k)
                for n, e in (
                    ("gmean", ()),
                    ("hmean", ()),
                    ("pmean", (2.5,)),
                    ("pmean", (-1,)),
                    ("pmean", (0,)),
                )
                for k in ({}, {"axis": 1}, {"axis": None}, {"keepdims": True, "axis": 1})
            ),
            lambda xp, sp: sp.gmean(xp.array(POSITIVE), weights=xp.array(w[:, None] * np.ones(8))),
            lambda xp, sp: sp.hmean(xp.array(POSITIVE), axis=1, weights=xp.array(POSITIVE)),
            lambda xp, sp: sp.pmean(xp.array(POSITIVE), 2, axis=None, weights=xp.array(POSITIVE)),
            lambda xp, sp: sp.gmean(xp.array([1.0, 0.0, 3.0])),
            lambda xp, sp: sp.hmean(xp.array([1.0, 0.0, 3.0])),
            lambda xp, sp: sp.hmean(xp.array([1.0, -1.0, 3.0])),
            lambda xp, sp: sp.gmean(xp.array([[1, 2], [3, 4]])),
            lambda xp, sp: sp.gstd(xp.array(POSITIVE)),
            lambda xp, sp: sp.gstd(xp.array(POSITIVE), axis=None, ddof=0),
        ]
    )


def test_description():
    checks(
        [
            lambda xp, sp: tuple(sp.describe(xp.array(A))),
            lambda xp, sp: tuple(sp.describe(xp.array(A), axis=None, ddof=0, bias=False)),
            lambda xp, sp: tuple(sp.describe(xp.array(COUNTS), axis=1)),
            lambda xp, sp: sp.describe(xp.array([])),
        ]
    )


def test_trimmed_means():
    checks(
        [
            *(lambda xp, sp, p=p: sp.trim_mean(xp.array(A), p) for p in (0.0, 0.1, 0.2, 0.49)),
            lambda xp, sp: sp.trim_mean(xp.array(A), 0.2, axis=1),
            lambda xp, sp: sp.trim_mean(xp.array(A), 0.2, axis=None),
            lambda xp, sp: sp.trim_mean(xp.array(COUNTS), 0.2),
            lambda xp, sp: sp.trim_mean(xp.array(A), 0.6),
        ]
    )


def test_trimmed_means_of_nothing():
    shapes = [(3, 0), (0, 3), (0,), (2, 0, 4)]
    bodies = [lambda xp, sp, n=n: sp.trim_mean(xp.zeros(n), 0.2) for n in shapes]
    checks(bodies + [lambda xp, sp: sp.trim_mean(xp.zeros((2, 0)), 0.2, axis=1)])
    checks([lambda xp, sp: sp.trim_mean(xp.array(3.5), 0.2)])


def test_entropy():
    checks(
        [
            lambda xp, sp: sp.entropy(xp.array(POSITIVE)),
            lambda xp, sp: sp.entropy(xp.array(POSITIVE), base=2, axis=1),
            lambda xp, sp: sp.entropy(xp.array(POSITIVE), axis=None),
            lambda xp, sp: sp.entropy(xp.array(COUNTS)),
            lambda xp, sp: sp.entropy(xp.array([0.0, 1.0, 0.0])),
            lambda xp, sp: sp.entropy(xp.array(POSITIVE), xp.array(POSITIVE[::-1].copy())),
            lambda xp, sp: sp.entropy(xp.array([0.5, 0.5, 0.0]), xp.array([0.5, 0.0, 0.5])),
            lambda xp, sp: sp.entropy(xp.array([0.5, 0.5, 0.0]), xp.array([0.5, 0.3, 0.2])),
            lambda xp, sp: sp.entropy(xp.array(POSITIVE), xp.array([1.0, 2.0])),
            lambda xp, sp: sp.entropy(xp.array(POSITIVE), base=-1),
            lambda xp, sp: sp.entropy(xp.array(POSITIVE), keepdims=True),
        ]
    )


@pytest.mark.parametrize("power", [-1.0, 0, 0.5, 2.0, 300.0])
def test_power_transforms(power):
    checks(
        [
            lambda xp, sp: sp.boxcox_llf(power, xp.array(POSITIVE[0])),
            lambda xp, sp: sp.boxcox_llf(power, xp.array(POSITIVE)),
        ],
        1e5,
    )


@pytest.mark.parametrize("method", ["average", "min", "max", "dense", "ordinal", "strange"])
def test_ranks(method):
    checks(
        [
            lambda xp, sp: sp.rankdata(xp.array(COUNTS), method),
            lambda xp, sp: sp.rankdata(xp.array(COUNTS), method, axis=1),
            lambda xp, sp: sp.rankdata(xp.array(A), method, axis=0),
            lambda xp, sp: sp.rankdata(xp.array([]), method),
        ],
        dtype=False,
    )


def test_ranks_with_holes():
    checks(
        [
            lambda xp, sp: sp.rankdata(xp.array(HOLES)),
            lambda xp, sp: sp.rankdata(xp.array(HOLES), axis=1, nan_policy="omit"),
            lambda xp, sp: sp.rankdata(xp.array(HOLES), axis=1, nan_policy="propagate"),
            lambda xp, sp: sp.rankdata(xp.array(HOLES), nan_policy="raise"),
            lambda xp, sp: sp.tiecorrect(xp.array([1.0, 2.5, 2.5, 4.0, 7.0, 7.0, 7.0])),
        ]
    )


def test_modes():
    halves = np.round(A * 2) / 2
    omitted = stats.mode(cp.array(np.round(HOLES)), nan_policy="omit").count
    assert omitted.dtype == stats.mode(cp.zeros((0, 3))).count.dtype == np.int64

    def counted(found):
        return found.mode, found.count.astype(np.int64)

    checks(
        [
            lambda xp, sp: tuple(sp.mode(xp.array(COUNTS))),
            lambda xp, sp: tuple(sp.mode(xp.array(COUNTS), axis=1, keepdims=True)),
            lambda xp, sp: tuple(sp.mode(xp.array(halves), axis=None)),
            # Counts beside NaNs are integers from SciPy 1.18 on.
            lambda xp, sp: counted(sp.mode(xp.array(np.round(HOLES)), nan_policy="omit")),
            lambda xp, sp: counted(sp.mode(xp.zeros((0, 3)))),
            lambda xp, sp: tuple(sp.mode(xp.array([5]))),
        ]
    )


@pytest.mark.parametrize("method", [None, "scott", "silverman", 0.3])
def test_densities(method):
    line, plane = RNG.standard_normal(50), RNG.standard_normal((2, 60))
    at, flat = np.linspace(-3, 3, 21), RNG.standard_normal((2, 15))
    w = RNG.random(50)
    checks(
        [
            lambda xp, sp: sp.gaussian_kde(xp.array(line), method)(xp.array(at)),
            lambda xp, sp: sp.gaussian_kde(xp.array(line), method, xp.array(w)).logpdf(xp.array(at)),
            lambda xp, sp: sp.gaussian_kde(xp.array(plane), method).pdf(xp.array(flat)),
            lambda xp, sp: sp.gaussian_kde(xp.array(plane), method).covariance,
            lambda xp, sp: sp.gaussian_kde(xp.array(plane), method).integrate_gaussian([0.0, 0.1], np.eye(2)),
        ],
        1e4,
    )


def test_errors_and_samples_of_densities():
    checks(
        [
            lambda xp, sp: sp.gaussian_kde(xp.array([1.0])),
            lambda xp, sp: sp.gaussian_kde(xp.ones((4, 2))),
            lambda xp, sp: sp.gaussian_kde(xp.ones((2, 5))),
            lambda xp, sp: sp.gaussian_kde(xp.array(A), "strange"),
            lambda xp, sp: sp.gaussian_kde(xp.array(A[0]), weights=xp.ones(3)),
            lambda xp, sp: sp.gaussian_kde(xp.array(A[0]))(xp.ones((3, 2))),
        ]
    )
    density = stats.gaussian_kde(cp.array(A[:2]))
    drawn = cp.asnumpy(density.resample(20000, seed=1))
    assert drawn.shape == (2, 20000)
    assert np.allclose(drawn.mean(1), A[:2].mean(1), atol=0.05)
    assert scipy.stats is not stats
