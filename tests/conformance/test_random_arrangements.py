"""Permutations, shuffles and choices, and the module's functions and RandomState."""

import numpy as np
import pytest
from scipy import stats

import cuprum as cp

# ---------------------------------------------------------------------------------------------------------
# Permutations


@pytest.mark.parametrize("n", [0, 1, 2, 5, 1000, 5000, 100_000])
def test_permutations_hold_each_integer_once(n):
    x = cp.random.default_rng(1).permutation(n)
    assert x.dtype == np.int64
    assert np.array_equal(np.sort(cp.asnumpy(x)), np.arange(n))


def test_all_orders_are_equally_likely():
    rng = cp.random.default_rng(2)
    x = cp.asnumpy(rng.permuted(cp.broadcast_to(cp.arange(4), (24_000, 4)), axis=1))
    codes = np.unique(x @ np.array([64, 16, 4, 1]), return_counts=True)
    assert codes[0].size == 24
    assert stats.chisquare(codes[1]).pvalue > 1e-4


def test_long_permutations_mix():
    x = cp.asnumpy(cp.random.default_rng(3).permutation(100_000))
    assert abs(np.corrcoef(x, np.arange(x.size))[0, 1]) < 0.02
    assert abs(np.corrcoef(x[:-1], x[1:])[0, 1]) < 0.02


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_permutation_rearranges_slices(axis):
    a = np.arange(24).reshape(4, 6)
    x = cp.asnumpy(cp.random.default_rng(1).permutation(cp.array(a), axis=axis))
    assert x.shape == a.shape
    assert not np.array_equal(x, a)
    assert np.array_equal(np.sort(x, axis=axis), a)
    # Whole slices moved: what differs along the other axis differs as before.
    assert (np.diff(x, axis=1 - axis % 2) == np.diff(a, axis=1 - axis % 2).flat[0]).all()


def test_shuffle_writes_through_views():
    base = cp.arange(20)
    view = base[::-2]
    cp.random.default_rng(1).shuffle(view)
    host = cp.asnumpy(base)
    assert np.array_equal(host[::2], np.arange(0, 20, 2))
    assert np.array_equal(np.sort(host[1::2]), np.arange(1, 20, 2))
    assert not np.array_equal(host[1::2], np.arange(1, 20, 2))


@pytest.mark.parametrize("make", [list, lambda r: np.array(r), lambda r: cp.array(list(r))])
def test_shuffle_takes_lists_and_arrays(make):
    x = make(range(30))
    assert cp.random.default_rng(4).shuffle(x) is None
    values = [int(v) for v in x]
    assert values != list(range(30))
    assert sorted(values) == list(range(30))


def test_shuffle_along_an_axis():
    a = cp.arange(12).reshape(3, 4)
    cp.random.default_rng(4).shuffle(a, axis=1)
    assert np.array_equal(np.sort(cp.asnumpy(a), axis=1), np.arange(12).reshape(3, 4))
    assert (cp.diff(a, axis=0) == 4).all()


@pytest.mark.parametrize("axis", [None, 0, 1, 2])
def test_permuted_lines_are_independent(axis):
    a = np.arange(60).reshape(3, 4, 5)
    rng = cp.random.default_rng(5)
    x = cp.asnumpy(rng.permuted(cp.array(a), axis=axis))
    assert x.shape == a.shape
    if axis is None:
        assert np.array_equal(np.sort(x.ravel()), a.ravel())
        return
    assert np.array_equal(np.sort(x, axis=axis), a)
    orders = np.moveaxis(x - a, axis, -1).reshape(-1, a.shape[axis])
    assert len({tuple(row) for row in orders}) > 2


def test_permuted_into_out():
    a = cp.arange(10)
    rng = cp.random.default_rng(5)
    assert rng.permuted(a, out=a) is a
    assert np.array_equal(np.sort(cp.asnumpy(a)), np.arange(10))
    with pytest.raises(ValueError, match="permuted"):
        rng.permuted(a, out=cp.empty(9))
    with pytest.raises(TypeError, match="permuted"):
        rng.permuted(a, out=[1])


@pytest.mark.parametrize(
    "call",
    [
        lambda g, xp: g.permutation(xp.arange(6).reshape(2, 3), axis=2),
        lambda g, xp: g.permutation(xp.array(5.0)),
        lambda g, xp: g.shuffle(5),
        lambda g, xp: g.permuted(xp.arange(6), axis=1),
        lambda g, xp: g.choice(0),
        lambda g, xp: g.choice(-1),
        lambda g, xp: g.choice([]),
        lambda g, xp: g.choice(2.5),
        lambda g, xp: g.choice(5, 6, replace=False),
        lambda g, xp: g.choice(5, 3, p=[1, 2]),
        lambda g, xp: g.choice(5, 3, p=[0.1] * 5),
        lambda g, xp: g.choice(5, 3, p=[-0.2, 0.6, 0.2, 0.2, 0.2]),
        lambda g, xp: g.choice(3, 3, p=[np.nan, 0.5, 0.5]),
        lambda g, xp: g.choice(2, 3, p=[[0.5, 0.5]]),
        lambda g, xp: g.choice(3, 2, replace=False, p=[1.0, 0, 0]),
        lambda g, xp: g.choice(xp.arange(6).reshape(2, 3), 2, axis=2),
    ],
)
def test_errors_are_of_numpys_class(call):
    with pytest.raises(Exception) as error:  # noqa: PT011 - NumPy says which class
        call(np.random.default_rng(1), np)
    with pytest.raises(error.type):
        call(cp.random.default_rng(1), cp)


# ---------------------------------------------------------------------------------------------------------
# Choices


def test_choices_with_replacement_are_numpys():
    theirs = np.random.Generator(np.random.Philox(8))
    ours = cp.random.Generator(cp.random.Philox(8))
    a = np.arange(40).reshape(8, 5)
    for what, size, axis in [(10, 7, 0), (a, (2, 3), 0), (a, 4, 1), (a, None, 0), (10, None, 0), (10, 0, 0)]:
        ours_a = cp.array(what) if isinstance(what, np.ndarray) else what
        want, got = theirs.choice(what, size, axis=axis), ours.choice(ours_a, size, axis=axis)
        assert np.shape(want) == got.shape
        assert np.array_equal(cp.asnumpy(got), want)


def test_weighted_choices_follow_their_chances():
    p = np.array([0.1, 0.0, 0.4, 0.5])
    theirs = np.random.Generator(np.random.Philox(8)).choice(4, 1000, p=p)
    x = cp.asnumpy(cp.random.default_rng(8).choice(4, 50_000, p=p))
    assert np.array_equal(x[:1000], theirs)
    counts = np.bincount(x, minlength=4)
    assert counts[1] == 0
    assert stats.chisquare(counts[[0, 2, 3]], p[[0, 2, 3]] * x.size).pvalue > 1e-4
    single = cp.random.default_rng(8).choice(4, 5, p=cp.array(p, dtype=cp.float32))
    assert single.shape == (5,)


@pytest.mark.parametrize(("population", "count"), [(10, 10), (10, 3), (1000, 1), (10**12, 50), (5000, 4000)])
def test_choices_without_replacement_are_distinct(population, count):
    x = cp.asnumpy(cp.random.default_rng(3).choice(population, count, replace=False))
    assert x.shape == (count,)
    assert np.unique(x).size == count
    assert ((x >= 0) & (x < population)).all()


def test_weighted_choices_without_replacement():
    p = [0.5, 0.3, 0.2]
    rng = cp.random.default_rng(6)
    first = np.array([cp.asnumpy(rng.choice(3, 2, replace=False, p=p)) for _ in range(3000)])
    assert (first[:, 0] != first[:, 1]).all()
    assert stats.chisquare(np.bincount(first[:, 0]), np.array(p) * 3000).pvalue > 1e-4
    # The second one, given the first: 0.3 and 0.2 of what 0.5 leaves.
    after_zero = np.bincount(first[first[:, 0] == 0, 1], minlength=3)[1:]
    assert stats.chisquare(after_zero, np.array([0.6, 0.4]) * after_zero.sum()).pvalue > 1e-4
    with pytest.raises(ValueError, match="non-zero"):
        rng.choice(3, 3, replace=False, p=[0.5, 0.5, 0.0])


# ---------------------------------------------------------------------------------------------------------
# RandomState and the module


@pytest.fixture(autouse=True)
def _keep_the_state():
    state = cp.random.get_random_state()
    yield
    cp.random.set_random_state(state)


def test_module_functions_draw_from_one_state():
    cp.random.seed(12345)
    assert cp.random.rand(2).tolist() == cp.random.RandomState(12345).rand(2).tolist()
    cp.random.seed(7)
    first = (cp.random.randn(3).tolist(), cp.random.randint(0, 9, 4).tolist())
    cp.random.seed(7)
    assert (cp.random.randn(3).tolist(), cp.random.randint(0, 9, 4).tolist()) == first
    state = cp.random.get_state()
    a = cp.random.gamma(2.0, size=3).tolist()
    cp.random.set_state(state)
    assert cp.random.gamma(2.0, size=3).tolist() == a
    other = cp.random.RandomState(7)
    cp.random.set_random_state(other)
    assert cp.random.get_random_state() is other
    assert cp.random.randn(3).tolist() == first[0]
    with pytest.raises(TypeError):
        cp.random.set_random_state(1)


@pytest.mark.parametrize(
    "name", ["rand", "random", "random_sample", "ranf", "sample", "randn", "standard_normal"]
)
def test_dtypes_and_shapes_of_the_plain_functions(name):
    function = getattr(cp.random, name)
    assert isinstance(function(), cp.ndarray)
    assert function().shape == ()
    for dtype in (cp.float32, cp.float64, "f4", float):
        assert function(3, dtype=dtype).dtype == np.dtype(dtype)
    shaped = function(2, 3) if name in ("rand", "randn") else function((2, 3))
    assert shaped.shape == (2, 3)
    assert shaped.dtype == np.float64
    with pytest.raises(TypeError):
        function(3, dtype=cp.int32)


DISTRIBUTIONS = {
    "beta": (2, 3),
    "chisquare": (3,),
    "dirichlet": ([1.0, 2.0],),
    "exponential": (2,),
    "f": (3, 4),
    "gamma": (2,),
    "gumbel": (),
    "laplace": (),
    "logistic": (),
    "lognormal": (),
    "noncentral_chisquare": (3, 1),
    "noncentral_f": (3, 4, 1),
    "normal": (),
    "pareto": (3,),
    "power": (3,),
    "rayleigh": (),
    "standard_cauchy": (),
    "standard_exponential": (),
    "standard_gamma": (2,),
    "standard_t": (3,),
    "triangular": (0, 1, 2),
    "uniform": (),
    "vonmises": (0, 1),
    "wald": (1, 1),
    "weibull": (2,),
}
COUNTS = {
    "binomial": (5, 0.5),
    "geometric": (0.5,),
    "hypergeometric": (5, 5, 5),
    "logseries": (0.5,),
    "negative_binomial": (5, 0.5),
    "poisson": (3,),
    "zipf": (2,),
}


@pytest.mark.parametrize("name", [*DISTRIBUTIONS, *COUNTS])
def test_module_distributions_take_dtypes(name):
    args = (DISTRIBUTIONS | COUNTS)[name]
    dtypes = ["float32", "float64"] if name in DISTRIBUTIONS else ["int32", "int64", "uint8"]
    for dtype in dtypes:
        drawn = getattr(cp.random, name)(*args, size=(2, 3), dtype=dtype)
        assert drawn.dtype == dtype
        assert drawn.shape[:2] == (2, 3)
    assert getattr(cp.random, name)(*args).dtype == dtypes[1]
    assert getattr(cp.random, name).__doc__
    assert getattr(cp.random, name).__name__ == name


def test_integers_of_the_module():
    cp.random.seed(1)
    x = cp.random.randint(3, 8, size=(50, 2), dtype=cp.int16)
    assert x.dtype == np.int16
    assert ((x >= 3) & (x < 8)).all()
    assert cp.random.randint(5).shape == ()
    assert (cp.random.random_integers(2, 3, 100) <= 3).all()
    assert len(cp.random.bytes(5)) == 5
    assert sorted(cp.random.permutation(4).tolist()) == [0, 1, 2, 3]
    a = cp.arange(4)
    cp.random.shuffle(a)
    assert sorted(a.tolist()) == [0, 1, 2, 3]
    assert cp.random.choice(cp.array([3, 4]), 5).shape == (5,)


def test_arrays_of_random_numbers_fuse_with_what_follows():
    cp.random.seed(3)
    x, y = cp.random.rand(100_000), cp.random.rand(100_000)
    assert abs(float(4 * ((x * x + y * y) < 1).mean()) - np.pi) < 0.03
