"""Tests of samples with SciPy's `axis`, `nan_policy` and `keepdims`, and the dtypes of their results."""

import numpy as np
import pytest
from scipy_twin import SCIPY, check

import cuprum as cp
from cuprum.scipy import stats

# Tests, how many samples they take, and what else.
TESTS = [
    ("ttest_1samp", 1, (0.5,)),
    ("ttest_rel", 2, ()),
    ("ttest_ind", 2, ()),
    ("chisquare", 1, ()),
    ("power_divergence", 1, ()),
    ("skewtest", 1, ()),
    ("kurtosistest", 1, ()),
    ("normaltest", 1, ()),
    ("jarque_bera", 1, ()),
    ("shapiro", 1, ()),
    ("f_oneway", 3, ()),
    ("kruskal", 3, ()),
    ("friedmanchisquare", 3, ()),
    ("bartlett", 2, ()),
    ("levene", 2, ()),
    ("fligner", 2, ()),
    ("kendalltau", 2, ()),
    ("mannwhitneyu", 2, ()),
    ("wilcoxon", 2, ()),
    ("ranksums", 2, ()),
    ("ks_2samp", 2, ()),
    ("linregress", 2, ()),
    ("kstest", 1, ("norm",)),
]
# What has the dtype of float32 samples since SciPy 1.18; Shapiro's test of bytes wraps around there.
SINGLE_SINCE_18 = ("shapiro", "kendalltau", "ks_2samp", "linregress")
# Chances near one are 1 less a small one. SciPy's weights of Shapiro's test have nine digits, chances fewer:
# the statistic is compared with its exact value below.
# SciPy's own differences of bytes wrap around, its test of Bartlett refuses integers, and chances that are
# next to nothing have the dtype of its cdf.
TESTS_OF_DTYPES = [row for row in TESTS if row[0] not in ("bartlett", "ttest_rel", "kstest")]
UNITS = {"shapiro": 1 << 27}
OPTIONS = [
    {"axis": 0},
    {"axis": 1},
    {"axis": -1, "keepdims": True},
    {"axis": None},
    {"axis": None, "keepdims": True},
    {"axis": (0, 1)},
    {"axis": 0, "nan_policy": "omit"},
    {"axis": -1, "nan_policy": "omit", "keepdims": True},
    {"axis": 0, "nan_policy": "raise"},
    {"axis": 0, "nan_policy": "none"},
    {"axis": 3},
]


def _samples(count, with_nan, dtype=np.float64):
    rng = np.random.default_rng(count)
    samples = [(rng.random((12, 10)) * 4 + 1).astype(dtype) for _ in range(count)]
    if with_nan:
        for i, sample in enumerate(samples):
            sample[3 + i, 2] = sample[5, 4 + i] = np.nan
    return samples


def _found(result):
    return result.statistic, result.pvalue


@pytest.mark.parametrize("with_nan", [False, True])
@pytest.mark.parametrize("name, count, more", TESTS)
def test_axes_and_nans(name, count, more, with_nan):
    samples = _samples(count, with_nan)

    for options in OPTIONS:

        def body(xp, stats, options=options):
            arrays = [xp.asarray(sample) for sample in samples]
            result = getattr(stats, name)(*arrays, *more, **options)
            return tuple(result[:5]) if name == "linregress" else _found(result)

        raises = {"none": ValueError, "raise": ValueError if with_nan else None}.get(
            options.get("nan_policy")
        )
        raises = np.exceptions.AxisError if options["axis"] == 3 else raises
        check(body, "stats", UNITS.get(name, 1 << 14), False, f"{name} {options}", raises)


@pytest.mark.parametrize(
    "name, count, more, dtype",
    [
        (*row, dtype)
        for row in TESTS_OF_DTYPES
        for dtype in (np.float32, np.int32, np.uint8)
        if row[0] != "shapiro" or dtype != np.uint8
    ],
)
def test_dtypes(name, count, more, dtype):
    samples = [np.round(sample * 4).astype(dtype) for sample in _samples(count, False)]

    def body(xp, stats):
        result = getattr(stats, name)(*(xp.asarray(sample) for sample in samples), *more, axis=0)
        return tuple(result[:5]) if name == "linregress" else _found(result)

    # SciPy's means of float32 for lines have its digits.
    rough = name == "linregress" and dtype == np.float32
    units = 1 << 30 if rough else UNITS.get(name, 1 << 14)
    if name in SINGLE_SINCE_18 and dtype == np.float32:
        assert all(found.dtype == np.float32 for found in body(cp, stats))
        units = 1 << 30 if SCIPY < (1, 18) else units
    check(body, "stats", units, dtype=units < 1 << 30, label=name)


def test_differences_of_unsigned_numbers():
    a, b = np.array([3, 9, 4, 200, 7, 6], np.uint8), np.array([5, 4, 9, 190, 1, 8], np.uint8)
    for name in ("wilcoxon", "ttest_rel"):
        test = getattr(stats, name)
        got = test(cp.asarray(a), cp.asarray(b))
        want = test(cp.asarray(a.astype(float)), cp.asarray(b.astype(float)))
        assert float(got.statistic) == float(want.statistic) and float(got.pvalue) == float(want.pvalue)


@pytest.mark.parametrize("options", [{}, {"axis": 1}, {"axis": None}, {"alternative": "less"}])
@pytest.mark.parametrize(
    "shapes", [((12, 3), (12, 2)), ((12, 4), None), ((12,), (12,)), ((12,), (12, 2)), ((6,), None)]
)
def test_rank_correlations_of_variables(shapes, options):
    rng = np.random.default_rng(4)
    arrays = [None if shape is None else np.round(rng.random(shape) * 9) for shape in shapes]

    def body(xp, stats):
        return _found(stats.spearmanr(*(None if a is None else xp.asarray(a) for a in arrays), **options))

    check(body, "stats", units=1 << 10, label=f"{shapes} {options}", may_raise=(ValueError,))


@pytest.mark.parametrize("policy", ["propagate", "omit", "raise"])
@pytest.mark.parametrize("columns", [2, 3])
def test_rank_correlations_with_nans(policy, columns):
    values = np.random.default_rng(5).random((12, columns))
    values[2, 0] = values[4, 1] = np.nan

    def body(xp, stats):
        return _found(stats.spearmanr(xp.asarray(values), nan_policy=policy))

    check(body, "stats", units=1 << 12, dtype=False, raises=ValueError if policy == "raise" else None)


def test_perfect_rank_correlations():
    a = cp.asarray([3.0, 1.0, 2.0, 9.0, 7.0])
    for b, r in ((a**3, 1.0), (-a, -1.0)):
        result = stats.spearmanr(a, b)
        assert float(result.statistic) == r and float(result.pvalue) == 0.0


@pytest.mark.parametrize("policy", ["propagate", "omit", "raise"])
@pytest.mark.parametrize("axis", [0, 1, None])
def test_modes_with_nans(policy, axis):
    values = np.round(np.random.default_rng(6).random((8, 5)) * 3)
    values[1, 0] = values[2, 1] = values[3, 1] = values[4, 1] = np.nan
    values[:, 4] = np.nan

    def body(xp, stats):
        return tuple(stats.mode(xp.asarray(values), axis=axis, nan_policy=policy))

    check(body, "stats", dtype=False, raises=ValueError if policy == "raise" else None)


@pytest.mark.parametrize("policy", ["propagate", "omit"])
def test_entropy_leaves_out_pairs(policy):
    rng = np.random.default_rng(7)
    p, q = rng.random((9, 4)), rng.random((9, 4))
    p[2, 1] = q[5, 2] = np.nan

    def body(xp, stats):
        return [
            stats.entropy(xp.asarray(p), xp.asarray(q), axis=axis, nan_policy=policy, keepdims=True)
            for axis in (0, 1, None)
        ]

    check(body, "stats")


@pytest.mark.parametrize("name", ["skew", "kurtosis", "sem", "gstd", "gmean", "variation"])
def test_all_axes_are_kept(name):
    values = np.random.default_rng(8).random((3, 4, 5)) + 0.5
    check(lambda xp, stats: getattr(stats, name)(xp.asarray(values), axis=None, keepdims=True), "stats")


@pytest.mark.parametrize("n", [10, 12, 25])
def test_the_statistic_of_shapiro_is_that_of_exact_weights(n):
    """Royston's weights, from normal quantiles of forty digits."""
    mp = pytest.importorskip("mpmath")
    sample = np.sort(np.random.default_rng(n).random(n) * 4 + 1)
    with mp.workdps(40):
        places = [(mp.mpf(i) - mp.mpf(3) / 8) / (n + mp.mpf(1) / 4) for i in range(1, n + 1)]
        scores = [mp.sqrt(2) * mp.erfinv(2 * place - 1) for place in places]
        squares = mp.fsum(score**2 for score in scores)
        u = 1 / mp.sqrt(n)
        corrections = (
            ("0", "0.221157", "-0.147981", "-2.07119", "4.434685", "-2.706056"),
            ("0", "0.042981", "-0.293762", "-1.752461", "5.682633", "-3.582633"),
        )
        last, second = (
            scores[-k] / mp.sqrt(squares) + mp.fsum(mp.mpf(c) * u**i for i, c in enumerate(row))
            for k, row in enumerate(corrections, 1)
        )
        rest = squares - 2 * scores[-1] ** 2 - 2 * scores[-2] ** 2
        scale = mp.sqrt(rest / (1 - 2 * last**2 - 2 * second**2))
        weights = [-last, -second, *(score / scale for score in scores[2:-2]), second, last]
        values = [mp.mpf(float(x)) for x in sample]
        mean = mp.fsum(values) / n
        spread = mp.fsum((x - mean) ** 2 for x in values)
        want = mp.fsum(w * x for w, x in zip(weights, values, strict=True)) ** 2 / spread
        got = mp.mpf(float(stats.shapiro(cp.array(sample)).statistic))
        assert abs(got - want) <= 8 * mp.mpf(2) ** -53
