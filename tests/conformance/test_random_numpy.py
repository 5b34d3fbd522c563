"""NumPy's bit generators by name: every distribution, state and arrangement is NumPy's, bit for bit."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from twin import collect

import cuprum as cp
from cuprum.random._ahead import fill

BITS = ["PCG64", "PCG64DXSM", "MT19937", "SFC64"]
SEEDS = [0, 12345, [1, 2, 3], 2**70 + 5]

# What both NumPy's Generator and RandomState have, with parameters that reach every branch.
SHARED = [
    ("uniform", (-3.0, 7.5)),
    ("uniform", ([0.0, 5.0, -2.0], [1.0, 5.5, 1e3])),
    ("normal", (1.5, 0.25)),
    ("normal", ([[0.0], [1.0]], [1.0, 2.0, 3.0])),
    ("lognormal", (0.1, 0.5)),
    ("exponential", (2.5,)),
    ("laplace", (1.0, 2.0)),
    ("gumbel", (1.0, 2.0)),
    ("logistic", (1.0, 2.0)),
    ("rayleigh", (2.0,)),
    ("weibull", (1.7,)),
    ("weibull", (0.0,)),
    ("pareto", (3.0,)),
    ("power", (2.5,)),
    ("standard_cauchy", ()),
    ("triangular", (-1.0, 2.0, 8.0)),
    ("gamma", (0.3, 2.0)),
    ("gamma", (1.0, 2.0)),
    ("gamma", ([0.0, 0.5, 1.0, 7.0], 2.0)),
    ("standard_gamma", (5.5,)),
    ("beta", (0.5, 0.7)),
    ("beta", (2.0, 5.0)),
    ("beta", (1e-3, 1e-3)),
    ("chisquare", (3.0,)),
    ("noncentral_chisquare", (3.0, 1.5)),
    ("noncentral_chisquare", (0.5, 12.0)),
    ("noncentral_chisquare", (0.5, 0.0)),
    ("f", (3.0, 5.0)),
    ("noncentral_f", (3.0, 5.0, 1.5)),
    ("standard_t", (4.0,)),
    ("vonmises", (0.5, 4.0)),
    ("vonmises", ([0.0, 3.0, -3.0], [1e-9, 5e-6, 1.0])),
    ("wald", (2.0, 3.0)),
    ("poisson", (0.0,)),
    ("poisson", (3.5,)),
    ("poisson", ([12.0, 100.0, 1e6],)),
    ("binomial", (20, 0.3)),
    ("binomial", (20, 0.8)),
    ("binomial", (1000, 0.4)),
    ("binomial", (100_000, 0.7)),
    ("binomial", ([0, 1, 10, 5000], [0.5, 1.0, 0.0, 0.5])),
    ("negative_binomial", (3.5, 0.2)),
    ("hypergeometric", (15, 25, 8)),
    ("hypergeometric", (15, 25, 20)),
    ("hypergeometric", (1500, 700, 900)),
    ("hypergeometric", ([5, 500, 3], [7, 100, 0], [12, 590, 2])),
    ("geometric", (0.5,)),
    ("geometric", (0.01,)),
    ("logseries", (0.9,)),
    ("zipf", (1.3,)),
    ("zipf", (4.0,)),
]


def host(x):
    return cp.asnumpy(x) if isinstance(x, cp.ndarray) else x


def assert_same(got, want, label):
    got, want = np.asarray(host(got)), np.asarray(want)
    assert got.shape == want.shape and got.dtype == want.dtype, (label, got.shape, got.dtype)
    assert got.tobytes() == np.ascontiguousarray(want).tobytes(), (label, got.ravel()[:3], want.ravel()[:3])


def assert_same_state(ours, theirs, label):
    assert ours.keys() == theirs.keys(), label
    for name, value in theirs.items():
        if isinstance(value, dict):
            assert_same_state(ours[name], value, label)
        else:
            assert np.array_equal(ours[name], value), (label, name)


def pair(name, seed=0):
    """NumPy's generator and ours."""
    theirs = np.random.Generator(getattr(np.random, name)(seed))
    return theirs, cp.random.Generator(getattr(cp.random, name)(seed))


@pytest.mark.parametrize("name", BITS)
def test_seeds_states_and_raw_words(name):
    for seed in SEEDS:
        theirs, ours = (getattr(module, name)(seed) for module in (np.random, cp.random))
        assert_same_state(ours.state, theirs.state, (name, seed))
        for size in (None, 0, 5, (2, 3), 1300):
            got, want = ours.random_raw(size), theirs.random_raw(size)
            assert_same(got, np.uint64(want), (name, seed, size)) if size is not None else None
            assert size is not None or got == want
        assert ours.random_raw(3, output=False) is None is theirs.random_raw(3, output=False)
        assert_same_state(ours.state, theirs.state, (name, seed))


@pytest.mark.parametrize("name", BITS)
def test_generator_distributions(name):
    theirs, ours = pair(name, 77)
    with collect() as failures:
        for method, parameters in SHARED:
            for size in (None, 4000 if np.ndim(parameters and parameters[0]) == 0 else None, 0):
                if size == 0 and np.ndim(parameters and parameters[0]):
                    continue
                with failures:
                    want = getattr(theirs, method)(*parameters, size=size)
                    got = getattr(ours, method)(*parameters, size=size)
                    assert_same(got, want, (name, method, parameters))
                    assert_same_state(ours.bit_generator.state, theirs.bit_generator.state, method)
    assert_same(ours.vonmises(0.5, 1e7, 50), theirs.vonmises(0.5, 1e7, 50), "wrapped normal")
    assert_same(ours.zipf(2000.0, 5), theirs.zipf(2000.0, 5), "a zipf of ones")


@pytest.mark.parametrize("name", ["MT19937", "PCG64"])
def test_random_state_distributions(name):
    if name == "MT19937":
        theirs, ours = np.random.RandomState(99), cp.random.RandomState(99, method="numpy")
    else:
        theirs, ours = (module.RandomState(getattr(module, name)(99)) for module in (np.random, cp.random))
    with collect() as failures:
        for method, parameters in SHARED:
            is_array = np.ndim(parameters and parameters[0])
            for size in (None, 3001) if not is_array else (None,):
                with failures:
                    want = getattr(theirs, method)(*parameters, size=size)
                    got = getattr(ours, method)(*parameters, size=size)
                    assert_same(got, want, (name, method, parameters))
    assert_same(ours.uniform(5.0, -3.0, 9), theirs.uniform(5.0, -3.0, 9), "falling bounds")
    assert_same(ours.vonmises(0.5, 1e7, 50), theirs.vonmises(0.5, 1e7, 50), "rejection in any case")
    assert_same(ours.tomaxint(7), theirs.tomaxint(7), "tomaxint")
    assert_same(ours.randn(2, 3), theirs.randn(2, 3), "randn")
    assert_same(ours.rand(2, 3), theirs.rand(2, 3), "rand")
    assert_same(ours.standard_exponential(5), theirs.standard_exponential(5), "standard_exponential")
    assert ours.bytes(11) == theirs.bytes(11)
    assert_same_state(ours.get_state(legacy=False), theirs.get_state(legacy=False), name)


@pytest.mark.parametrize("name", BITS)
def test_single_precision_and_outputs(name):
    theirs, ours = pair(name, 5)
    for method, parameters in [
        ("random", ()),
        ("standard_normal", ()),
        ("standard_exponential", ()),
        ("standard_gamma", (0.4,)),
        ("standard_gamma", (1.0,)),
        ("standard_gamma", (6.5,)),
    ]:
        want = getattr(theirs, method)(*parameters, size=5000, dtype="f4")
        assert_same(getattr(ours, method)(*parameters, size=5000, dtype="f4"), want, (name, method))
    for dtype in ("f4", "f8"):
        want = theirs.standard_exponential(500, dtype=dtype, method="inv")
        assert_same(ours.standard_exponential(500, dtype=dtype, method="inv"), want, (name, dtype))
    target, room = np.empty((3, 4)), cp.empty((3, 4))
    theirs.standard_normal(out=target)
    assert ours.standard_normal(out=room) is room
    assert_same(room, target, name)
    assert_same_state(ours.bit_generator.state, theirs.bit_generator.state, name)


@pytest.mark.parametrize("name", ["PCG64", "MT19937"])
def test_integers(name):
    theirs, ours = pair(name, 3)
    old_theirs, old_ours = np.random.RandomState(3), cp.random.RandomState(3, method="numpy")
    for dtype in ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]:
        top = 1 if dtype == "bool" else int(np.iinfo(dtype).max)
        low_end = 0 if dtype == "bool" else int(np.iinfo(dtype).min)
        for low, high in {(0, 1), (0, min(top, 100)), (low_end, top), (low_end, top - 1), (0, top)}:
            if low > high:
                continue
            for size in (None, 67, (2, 5)):
                label = (name, dtype, low, high, size)
                want = theirs.integers(low, high, size, dtype=dtype, endpoint=True)
                assert_same(
                    ours.integers(low, high, size, dtype=dtype, endpoint=True), np.asarray(want, dtype), label
                )
                want = old_theirs.randint(low, high + 1, size, dtype=dtype)
                assert_same(
                    old_ours.randint(low, high + 1, size, dtype=dtype), np.asarray(want, dtype), label
                )
        some, kind = (1, "int64") if dtype == "bool" else (5, "uint64" if dtype == "uint64" else "int64")
        bounds = np.array([0, some], kind), np.array([[some], [top]], kind)
        assert_same(
            ours.integers(*bounds, dtype=dtype, endpoint=True),
            theirs.integers(*bounds, dtype=dtype, endpoint=True),
            (name, dtype, "bounds for each"),
        )
    assert_same(ours.integers(0, 2**40, 100), theirs.integers(0, 2**40, 100), "wide")
    assert_same(old_ours.randint(0, 2**40, 100), old_theirs.randint(0, 2**40, 100), "wide, masked")
    assert ours.bytes(0) == theirs.bytes(0) and ours.bytes(9) == theirs.bytes(9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same(old_ours.random_integers(6, size=9), old_theirs.random_integers(6, size=9), "closed")
    assert_same_state(ours.bit_generator.state, theirs.bit_generator.state, name)


CHANCES = np.array([0.1, 0.0, 0.4, 0.2, 0.3])


@pytest.mark.parametrize("name", ["PCG64", "MT19937"])
def test_arrangements(name):
    theirs, ours = pair(name, 11)
    table = np.arange(24).reshape(4, 6)
    bodies = [
        lambda g, xp: g.permutation(10),
        lambda g, xp: g.permutation(xp.array(table)),
        lambda g, xp: g.permutation(xp.array(table), axis=1),
        lambda g, xp: g.permutation(0),
        lambda g, xp: g.permuted(xp.array(table)),
        lambda g, xp: g.permuted(xp.array(table).T),
        lambda g, xp: g.permuted(xp.array(table), axis=1),
        lambda g, xp: g.permuted(xp.array(table), axis=0),
        lambda g, xp: g.choice(10, 5),
        lambda g, xp: g.choice(5, 20, p=CHANCES),
        lambda g, xp: g.choice(xp.array(table), 2, axis=1),
        lambda g, xp: g.choice(10, 4, replace=False),
        lambda g, xp: g.choice(10, 4, replace=False, shuffle=False),
        lambda g, xp: g.choice(20_000, 3000, replace=False),
        lambda g, xp: g.choice(20_000, 100, replace=False),
        lambda g, xp: g.choice(20_000, 1500, replace=False, shuffle=False),
        lambda g, xp: g.choice(5, (2, 2), replace=False, p=CHANCES),
        lambda g, xp: g.multinomial(50, CHANCES, 7),
        lambda g, xp: g.multinomial([5, 1000], CHANCES),
        lambda g, xp: g.multinomial(10, np.array([[0.5, 0.5], [0.1, 0.9]])),
        lambda g, xp: g.multivariate_hypergeometric([16, 8, 4], 20, 5),
        lambda g, xp: g.multivariate_hypergeometric([16, 8, 4], 6, (2, 2), method="count"),
        lambda g, xp: g.dirichlet([10.0, 5.0, 0.2], 6),
        lambda g, xp: g.dirichlet([0.05, 0.01, 0.0], (2, 3)),
        lambda g, xp: g.dirichlet([0.0, 0.0], 2),
    ]
    for number, body in enumerate(bodies):
        assert_same(body(ours, cp), body(theirs, np), (name, number))
        assert_same_state(ours.bit_generator.state, theirs.bit_generator.state, (name, number))
    ours_list, their_list = list("abcdefg"), list("abcdefg")
    ours.shuffle(ours_list)
    theirs.shuffle(their_list)
    assert ours_list == their_list
    ours_table, their_table = cp.array(table), table.copy()
    ours.shuffle(ours_table, axis=1)
    theirs.shuffle(their_table, axis=1)
    assert_same(ours_table, their_table, "shuffle")


def test_arrangements_of_random_state():
    theirs, ours = np.random.RandomState(11), cp.random.RandomState(11, method="numpy")
    for number, body in enumerate(
        [
            lambda g: g.permutation(10),
            lambda g: g.choice(10, 5),
            lambda g: g.choice(10, 4, replace=False),
            lambda g: g.choice(5, 20, p=CHANCES),
            lambda g: g.choice(5, 3, replace=False, p=CHANCES),
            lambda g: g.multinomial(50, CHANCES, 7),
            lambda g: g.dirichlet([10.0, 5.0, 0.2], 6),
        ]
    ):
        assert_same(body(ours), body(theirs), number)
    with pytest.raises(ValueError, match="alpha <= 0"):
        ours.dirichlet([1.0, 0.0])


def test_normal_vectors_by_a_factor_that_is_unique():
    theirs, ours = pair("PCG64", 2)
    mean, cov = [1.0, -2.0, 0.5], np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 0.7]])
    want = theirs.multivariate_normal(mean, cov, 50, method="cholesky")
    got = cp.asnumpy(ours.multivariate_normal(mean, cov, 50, method="cholesky"))
    np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-14)


# ---------------------------------------------------------------------------------------------------------
# States, jumps, seeds


@pytest.mark.parametrize("name", ["PCG64", "PCG64DXSM"])
def test_advancing(name):
    for delta in (0, 1, 1000, 2**64 + 3, 2**127, -1, -(10**20)):
        theirs, ours = (getattr(module, name)(4) for module in (np.random, cp.random))
        theirs, ours = theirs.advance(delta), ours.advance(delta)
        assert_same_state(ours.state, theirs.state, (name, delta))
        assert ours.random_raw() == theirs.random_raw()


@pytest.mark.parametrize("name", ["PCG64", "PCG64DXSM", "MT19937"])
def test_jumping(name):
    theirs, ours = (getattr(module, name)(4) for module in (np.random, cp.random))
    for jumps in (1, 3):
        assert_same_state(ours.jumped(jumps).state, theirs.jumped(jumps).state, (name, jumps))
    assert_same_state(ours.state, theirs.state, name)


@pytest.mark.parametrize("name", BITS)
def test_states_are_set_and_carried_along(name):
    theirs, ours = pair(name, 8)
    theirs.integers(0, 100, 3)
    ours.bit_generator.state = theirs.bit_generator.state
    assert_same(ours.integers(0, 100, 5), theirs.integers(0, 100, 5), name)
    for twin in (copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert_same_state(twin.bit_generator.state, ours.bit_generator.state, name)
    children = [child.random(3) for child in ours.spawn(2)]
    for child, other in zip(children, theirs.spawn(2), strict=True):
        assert_same(child, other.random(3), name)
    assert ours.bit_generator._seed_seq is ours.bit_generator.seed_seq


@pytest.mark.parametrize("name", BITS)
def test_states_that_are_none_change_nothing(name):
    bits = getattr(cp.random, name)(1)
    before = copy.deepcopy(bits.state)
    inner = before["state"]
    key = "key" if name == "MT19937" else "state"
    short = {key: inner[key][:-1]} if name in ("MT19937", "SFC64") else {key: 2**128}
    bad = [
        ({**before, "state": {**inner, **short}}, ValueError),
        ({**before, "state": {}}, ValueError),
        ({**before, "bit_generator": "Philox"}, ValueError),
        ({"bit_generator": name}, ValueError),
        (17, TypeError),
    ]
    if name == "MT19937":
        bad.append(({**before, "state": {**inner, "pos": 625}}, ValueError))
        bad.append((("MT19937", inner["key"]), ValueError))
    else:
        bad.append(({**before, "uinteger": 2**32}, ValueError))
    for state, error in bad:
        with pytest.raises(error, match=name):
            bits.state = state
        assert_same_state(bits.state, before, name)


def test_random_states_are_seeded_as_numpy_seeds_them():
    for seed in (0, 1, 2**32 - 1, [1], [1, 2, 3], np.arange(700), np.array([5])):
        theirs, ours = np.random.RandomState(seed), cp.random.RandomState(seed, method="numpy")
        assert_same(ours.rand(3), theirs.rand(3), seed)
    for seed, error in ((-1, ValueError), (2**32, ValueError), ([], ValueError), (1.5, TypeError)):
        for make in (np.random.RandomState, lambda s: cp.random.RandomState(s, method="numpy")):
            with pytest.raises(error):
                make(seed)
    ours = cp.random.RandomState(3, method="numpy")
    ours.randn()
    theirs = np.random.RandomState(3)
    theirs.randn()
    ours.set_state(theirs.get_state())
    assert_same(ours.randn(3), theirs.randn(3), "a pending normal")
    again = pickle.loads(pickle.dumps(ours))
    assert_same(again.randn(3), theirs.randn(3), "a pending normal, pickled")
    ours.seed(3)
    assert_same(ours.randn(1), np.random.RandomState(3).randn(1), "seeding forgets it")
    with pytest.raises(TypeError, match="MT19937"):
        cp.random.RandomState(cp.random.PCG64(1)).seed(1)


def test_the_default_is_chosen_for_the_program():
    assert cp.random.get_default() == "philox"
    try:
        cp.random.set_default("numpy")
        assert_same(cp.random.default_rng(42).normal(size=3), np.random.default_rng(42).normal(size=3), "rng")
        cp.random.seed(0)
        assert_same(cp.random.randn(3), np.random.RandomState(0).randn(3), "module")
        assert_same(
            cp.random.RandomState(7).randint(9, size=5), np.random.RandomState(7).randint(9, size=5), 0
        )
        assert repr(cp.random.RandomState(7, method="philox")) == "RandomState(Philox)"
    finally:
        cp.random.set_default("philox")
    assert repr(cp.random.default_rng(1)) == "Generator(Philox)"
    with pytest.raises(ValueError, match="set_default"):
        cp.random.set_default("mt19937")


def test_a_bit_generator_may_be_set():
    rng = cp.random.default_rng(1)
    rng.bit_generator = cp.random.PCG64(42)
    assert_same(rng.random(3), np.random.default_rng(42).random(3), "set")
    with pytest.raises(TypeError, match="PCG64"):
        rng.bit_generator = np.random.PCG64(1)
    rs = cp.random.RandomState(5, method="numpy")
    assert cp.random.default_rng(rs).bit_generator is rs._bit_generator


def test_a_draw_that_fails_moves_nothing():
    rng = cp.random.Generator(cp.random.PCG64(1))
    before = rng.bit_generator.state
    for body in (lambda: rng.normal(0.0, -1.0, 5), lambda: rng.binomial(5, 2.0), lambda: rng.poisson(-1.0)):
        with pytest.raises(ValueError):
            body()
    with pytest.raises(TypeError):
        rng.random(3, dtype="f2")
    assert rng.bit_generator.state == before


@pytest.mark.parametrize("name", ["PCG64", "PCG64DXSM"])
def test_threads_of_a_kernel_jump_ahead(name):
    for count in (1, 7, 300, 70_003):
        theirs, ours = (getattr(module, name)(5) for module in (np.random, cp.random))
        ours.random_raw(2)
        theirs.random_raw(2)
        for dtype, want in (("uint64", theirs.random_raw), ("float64", np.random.Generator(theirs).random)):
            room = cp.empty(count, dtype)
            fill(name, ours._stream.take(count), room)
            assert_same(room, want(count), (name, count, dtype))
        assert_same_state(ours.state, theirs.state, (name, count))


def test_many_uniform_numbers_are_those_of_one_thread():
    for name in ("PCG64", "PCG64DXSM"):
        theirs, ours = pair(name, 6)
        assert_same(ours.random(600_001), theirs.random(600_001), name)
        assert_same(ours.uniform(2.0, 3.0, 600_001), theirs.uniform(2.0, 3.0, 600_001), name)
        assert_same_state(ours.bit_generator.state, theirs.bit_generator.state, name)
