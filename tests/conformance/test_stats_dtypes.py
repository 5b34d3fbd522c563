"""Dtypes and edges of statistics and of functions that are made of special functions, against SciPy 1.18."""

import numpy as np
import pytest
import scipy
from scipy import special as their_special
from scipy import stats as theirs

import cuprum as cp
from cuprum.scipy import special, stats

NEWEST = tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 18)
TWO_SAMPLES = ["bartlett", "f_oneway", "fligner", "kruskal", "ks_2samp", "levene", "linregress"]
TWO_SAMPLES += ["mannwhitneyu", "ranksums", "spearmanr"]
REAL = ["int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"]


@pytest.mark.parametrize("dtype", REAL)
def test_entropy(dtype):
    p, q = np.array([1, 2, 3], dtype), np.array([3, 1, 2], dtype)
    for args in ((p,), (p, q)):
        want, got = theirs.entropy(*args), stats.entropy(*map(cp.array, args))
        if NEWEST or dtype != "float16":
            assert got.dtype == np.asarray(want).dtype
        else:
            # As in SciPy 1.18.
            assert got.dtype == np.float32
        np.testing.assert_allclose(float(got), want, rtol=3e-3 if dtype == "float16" else 2e-6)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_chances_are_refused(dtype):
    p = cp.ones(3, dtype)
    for args in ((p,), (p, p), (cp.ones(3), p)):
        with pytest.raises(TypeError, match="entropy: complex"):
            stats.entropy(*args)


@pytest.mark.parametrize("dtype", [*REAL, "complex64", "complex128"])
def test_scores_of_nothing(dtype):
    assert stats.zscore(cp.zeros(0, dtype)).dtype == theirs.zscore(np.zeros(0, dtype)).dtype


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "int32"])
@pytest.mark.parametrize("ddof", [0, 1])
def test_scores_without_nans(dtype, ddof):
    x = np.array([1, 2, 3, 7, 4]).astype(dtype)
    if dtype != "int32":
        x[3] = np.nan
    want = theirs.zscore(x, ddof=ddof, nan_policy="omit")
    got = stats.zscore(cp.array(x), ddof=ddof, nan_policy="omit")
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, rtol=1e-6)


@pytest.mark.parametrize("lmb", [0, 3, -1.5])
@pytest.mark.parametrize("dtype", ["float64", "complex128", "int32"])
def test_boxcox_llf(lmb, dtype):
    x = np.array([1.5, 2.0, 4.0, 7.0]).astype(dtype) + (0.5j if dtype == "complex128" else 0)
    np.testing.assert_allclose(
        stats.boxcox_llf(lmb, cp.array(x)).get(), theirs.boxcox_llf(lmb, x), rtol=1e-10
    )
    assert np.isnan(float(stats.boxcox_llf(lmb, cp.zeros(0))))


@pytest.mark.parametrize("dtype", [one for one in REAL if one[0] != "u"])
def test_softmax(dtype):
    x = np.array([[1, 2, 5], [3, 0, -4]], dtype)
    for name in ("softmax", "log_softmax"):
        want, got = getattr(their_special, name)(x, axis=1), getattr(special, name)(cp.array(x), axis=1)
        assert got.dtype == want.dtype
        rtol = 3e-3 if want.dtype == "float16" else 1e-5
        np.testing.assert_allclose(got.get(), want, rtol=rtol)


def test_softmax_of_small_unsigned_integers_does_not_wrap():
    got = special.softmax(cp.array([1, 2, 3], "uint8"))
    assert got.dtype == "float16"
    np.testing.assert_allclose(got.get(), their_special.softmax([1.0, 2.0, 3.0]), rtol=3e-3)


@pytest.mark.parametrize("dtype", REAL)
def test_gamma_functions_of_several_numbers(dtype):
    x = np.array([2, 3, 4], dtype)
    assert special.multigammaln(cp.array(x), 2).dtype == their_special.multigammaln(x, 2).dtype
    got, want = special.polygamma(cp.array(x), cp.array(x)), their_special.polygamma(x, x)
    if NEWEST or x.dtype.kind != "f":
        assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, rtol=1e-5)
    if NEWEST:
        assert special.i0(cp.array(x)).dtype == their_special.i0(x).dtype


def test_polygamma_of_complex_numbers_is_refused():
    with pytest.raises(TypeError, match="polygamma: not supported"):
        special.polygamma(1, cp.ones(2, "complex64"))


def test_lambertw_is_complex128():
    z = np.array([1 + 1j, -0.2], "complex64")
    got = special.lambertw(cp.array(z))
    assert got.dtype == their_special.lambertw(z).dtype
    np.testing.assert_allclose(got.get(), their_special.lambertw(z), rtol=1e-12)


def same(got, want, dtypes=True):
    """Compare results that may be tuples, by dtype, shape and value."""
    got, want = (tuple(one) if isinstance(one, tuple) else (one,) for one in (got, want))
    for ours, other in zip(got, want, strict=False):
        ours, other = ours.get(), np.asarray(other)
        assert ours.shape == other.shape
        assert ours.dtype == other.dtype or not dtypes
        np.testing.assert_allclose(ours, other, rtol=1e-12)


@pytest.mark.parametrize("name", ["iqr", "median_abs_deviation", "mode"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3)])
@pytest.mark.filterwarnings("ignore")
def test_spread_of_nothing(name, dtype, shape):
    for axis in (0, -1, None):
        for keepdims in (False, True):
            same(
                getattr(stats, name)(cp.zeros(shape, dtype), axis=axis, keepdims=keepdims),
                getattr(theirs, name)(np.zeros(shape, dtype), axis=axis, keepdims=keepdims),
                # The dtypes of modes of nothing are those of SciPy 1.18.
                dtypes=name != "mode",
            )


@pytest.mark.parametrize("dtype", REAL)
def test_distance_of_quartiles(dtype):
    x = np.array([[1, 2, 4], [3, 9, 5]], dtype)
    got, want = stats.iqr(cp.array(x), axis=1), theirs.iqr(x, axis=1)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, rtol=1e-3 if dtype == "float16" else 1e-6)


@pytest.mark.parametrize("name", ["mode", "median_abs_deviation", "shapiro", "wilcoxon"])
@pytest.mark.filterwarnings("ignore")
def test_a_number_is_a_sample(name):
    same(getattr(stats, name)(cp.array(3.0)), getattr(theirs, name)(np.array(3.0)))


@pytest.mark.parametrize("shape", [(), (0,), (1,), (2,)])
@pytest.mark.parametrize("name", TWO_SAMPLES)
@pytest.mark.filterwarnings("ignore")
def test_samples_of_few(name, shape):
    if name == "linregress" and shape == (2,) and not NEWEST:
        pytest.skip("SciPy before 1.18 judges by two points")
    if name == "mannwhitneyu" and shape in ((), (1,)) and not NEWEST:
        pytest.skip("SciPy before 1.18 corrects for continuity where both tails are as long")
    x = np.arange(1.0, 1 + np.prod(shape, dtype=int)).reshape(shape)
    for y in (x * x, x * 0 + 1):
        same(getattr(stats, name)(cp.array(x), cp.array(y)), getattr(theirs, name)(x, y))


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint64"])
def test_quartiles_as_far_apart_as_integers_can_be(dtype):
    """Their difference is no number of the dtype, which earlier releases of SciPy let wrap around."""
    limits = np.iinfo(dtype)
    numbers = [limits.min, limits.min, 8, limits.max - 1, limits.max - 1, limits.max]
    # The percentiles 25 and 75 of six numbers lie a quarter above the second and below the fifth.
    want = (numbers[3] + (numbers[4] - numbers[3]) * 0.75) - (numbers[1] + (8 - numbers[1]) * 0.25)
    got = stats.iqr(cp.array(numbers, dtype))
    assert got.dtype == np.float64
    np.testing.assert_allclose(float(got), want, rtol=1e-12)
