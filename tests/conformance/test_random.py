"""The stream: raw words, uniform numbers, integers, bytes and state are NumPy's Philox, bit for bit."""

import copy
import pickle
import random
import threading

import numpy as np
import pytest
from twin import collect, fresh_python

import cuprum as cp

INTEGER_DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
SIZES = [None, 0, 1, 2, 3, 5, 7, 33, 1000, 1024, 1025, (3, 5), (2, 0, 3), 40_000]


def generators(seed):
    """NumPy's generator and ours on the same Philox."""
    return np.random.Generator(np.random.Philox(seed)), cp.random.Generator(cp.random.Philox(seed))


def limits(dtype):
    return (0, 1) if dtype == "bool" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))


def assert_same(got, want, label):
    got = cp.asnumpy(got) if isinstance(got, cp.ndarray) else got
    assert np.shape(got) == np.shape(want), label
    assert np.array_equal(got, want), label
    if isinstance(want, np.ndarray):
        assert got.dtype == want.dtype, label


def assert_same_state(ours, theirs, label):
    ours, theirs = ours.bit_generator.state, theirs.bit_generator.state
    assert np.array_equal(ours["state"]["counter"], theirs["state"]["counter"]), label
    assert np.array_equal(ours["state"]["key"], theirs["state"]["key"]), label
    for name in ("bit_generator", "buffer", "buffer_pos", "has_uint32", "uinteger"):
        assert np.array_equal(ours[name], theirs[name]), (label, name)


# ---------------------------------------------------------------------------------------------------------
# Bit for bit


def some_bounds(rng, dtype):
    low_limit, high_limit = limits(dtype)
    low = rng.randint(low_limit, high_limit)
    high = rng.randint(low, high_limit)
    case = rng.random()
    if case < 0.2:
        return low_limit, high_limit
    if case < 0.5:
        return low, min(high_limit, low + rng.randrange(300))
    return low, high


def one_step(rng, theirs, ours):
    """Draw the same from both: (label, NumPy's, ours)."""
    kind = rng.choice(["random", "single", "integers", "bounds", "bytes", "raw", "uniform", "choice"])
    size = rng.choice(SIZES)
    if kind == "random":
        return (kind, size), theirs.random(size), ours.random(size)
    if kind == "single":
        return (kind, size), theirs.random(size, dtype="f4"), ours.random(size, dtype="f4")
    if kind == "uniform":
        return (kind, size), theirs.uniform(-3, 7, size), ours.uniform(-3, 7, size)
    if kind == "choice":
        return (kind, size), theirs.choice(17, size), ours.choice(17, size)
    if kind == "raw":
        return (kind, size), theirs.bit_generator.random_raw(size), ours.bit_generator.random_raw(size)
    if kind == "bytes":
        length = rng.randrange(50)
        return (kind, length), theirs.bytes(length), ours.bytes(length)
    dtype = rng.choice(INTEGER_DTYPES)
    if kind == "integers":
        low, high = some_bounds(rng, dtype)
        arguments = {"dtype": dtype, "endpoint": True}
        label = (kind, dtype, low, high, size)
        return (
            label,
            theirs.integers(low, high, size, **arguments),
            ours.integers(low, high, size, **arguments),
        )
    bounds = [some_bounds(rng, dtype) for _ in range(rng.choice([1, 2, 37]))]
    held = "int64" if dtype == "bool" else dtype
    low, high = (np.array(side, held) for side in zip(*bounds, strict=True))
    got = ours.integers(cp.array(low), cp.array(high), dtype=dtype, endpoint=True)
    return (kind, dtype, bounds), theirs.integers(low, high, dtype=dtype, endpoint=True), got


@pytest.mark.parametrize("seed", range(40))
def test_calls_of_mixed_kinds_are_numpys_bit_for_bit(seed):
    rng = random.Random(seed)
    theirs, ours = generators(seed)
    for _ in range(25):
        label, want, got = one_step(rng, theirs, ours)
        assert_same(got, want, label)
        assert_same_state(ours, theirs, label)


@pytest.mark.parametrize("dtype", INTEGER_DTYPES)
def test_integers_over_every_kind_of_range(dtype):
    low_limit, high_limit = limits(dtype)
    middle = (low_limit + high_limit) // 2
    spans = [
        0,
        1,
        2,
        5,
        9,
        63,
        99,
        127,
        128,
        2**15,
        2**16 - 1,
        2**16,
        2**31,
        2**32 - 2,
        2**32 - 1,
        2**32,
        2**63 + 1,
    ]
    with collect() as failures:
        for span in [s for s in spans if low_limit + s <= high_limit] + [high_limit - low_limit]:
            for low in {low_limit, high_limit - span, min(middle, high_limit - span)}:
                for size in (1, 6, 5001):
                    with failures:
                        theirs, ours = generators(span % 1000)
                        ours.random(1, dtype="f4"), theirs.random(1, dtype="f4")
                        label = (dtype, low, span, size)
                        want = theirs.integers(low, low + span, size, dtype=dtype, endpoint=True)
                        got = ours.integers(low, low + span, size, dtype=dtype, endpoint=True)
                        assert_same(got, want, label)
                        assert_same_state(ours, theirs, label)


@pytest.mark.parametrize("span", [2**31 + 1, 2**63 + 2**62])
def test_rejection_over_many_tasks_keeps_the_order(span):
    theirs, ours = generators(5)
    want = theirs.integers(0, span, 200_001, dtype="uint64", endpoint=True)
    assert_same(ours.integers(0, span, 200_001, dtype="uint64", endpoint=True), want, span)
    assert_same_state(ours, theirs, span)


def test_streams_larger_than_the_cache():
    theirs, ours = generators(9)
    assert_same(ours.random(1_200_003), theirs.random(1_200_003), "random")
    assert_same(ours.integers(0, 1000, 1_200_001), theirs.integers(0, 1000, 1_200_001), "integers")
    assert_same(ours.random((1500, 1501), dtype="f4"), theirs.random((1500, 1501), dtype="f4"), "single")


def test_counters_carry():
    counter = [2**64 - 2, 2**64 - 1, 7, 0]
    theirs = np.random.Philox(counter=np.array(counter, np.uint64), key=np.array([3, 4], np.uint64))
    ours = cp.random.Philox(counter=counter, key=[3, 4])
    assert_same(ours.random_raw(50), theirs.random_raw(50), "carry")


def test_keys_and_counters_may_be_integers():
    for value in (0, 1, 2**64, 2**127 + 5):
        theirs, ours = np.random.Philox(key=value, counter=value), cp.random.Philox(key=value, counter=value)
        assert_same(ours.random_raw(9), theirs.random_raw(9), value)
    with pytest.raises(ValueError, match="key"):
        cp.random.Philox(key=2**128)
    with pytest.raises(ValueError, match="both"):
        cp.random.Philox(1, key=2)


# ---------------------------------------------------------------------------------------------------------
# Seeds and state


@pytest.mark.parametrize(
    "seed", [0, 1, 12345, 2**32, 2**64 + 3, 2**200 + 7, [1, 2, 3], [2**40, 0], (5,), np.arange(6)]
)
def test_seeds_are_numpys(seed):
    theirs, ours = np.random.SeedSequence(seed), cp.random.SeedSequence(seed)
    assert np.array_equal(ours.pool, theirs.pool)
    for dtype in ("uint32", "uint64"):
        for n in (0, 1, 4, 9):
            assert np.array_equal(ours.generate_state(n, dtype), theirs.generate_state(n, dtype))
    for a, b in zip(
        ours.spawn(3) + ours.spawn(1)[0].spawn(2), theirs.spawn(3) + theirs.spawn(1)[0].spawn(2), strict=True
    ):
        assert a.spawn_key == b.spawn_key
        assert np.array_equal(a.generate_state(4), b.generate_state(4))
    want = np.random.Generator(np.random.Philox(seed)).random(3)
    assert_same(cp.random.default_rng(seed).random(3), want, seed)
    assert_same(cp.random.default_rng(theirs).random(3), want, "a SeedSequence of NumPy's")


def test_wide_pools_are_numpys():
    theirs = np.random.SeedSequence(7, pool_size=8, spawn_key=(1, 2**33))
    ours = cp.random.SeedSequence(7, pool_size=8, spawn_key=(1, 2**33))
    assert np.array_equal(ours.generate_state(12), theirs.generate_state(12))


@pytest.mark.parametrize("bad", [-1, 1.5, [1, -2], object()])
def test_bad_seeds_are_refused(bad):
    with pytest.raises((ValueError, TypeError)) as error:
        np.random.SeedSequence(bad)
    with pytest.raises(error.type):
        cp.random.SeedSequence(bad)


def test_without_a_seed_streams_differ():
    assert cp.random.default_rng().random() != cp.random.default_rng().random()


def test_default_rng_hands_on():
    rng = cp.random.default_rng(1)
    assert cp.random.default_rng(rng) is rng
    bits = cp.random.Philox(1)
    assert cp.random.default_rng(bits).bit_generator is bits
    with pytest.raises(TypeError):
        cp.random.Generator(np.random.Philox(1))
    with pytest.raises(TypeError):
        cp.random.BitGenerator(1)


def test_advance_and_jumps_are_numpys():
    for delta in (0, 1, 5, 2**64, 2**130 + 1, -3):
        theirs, ours = np.random.Philox(3), cp.random.Philox(3)
        theirs.random_raw(5), ours.random_raw(5)
        assert ours.advance(delta) is ours
        theirs.advance(delta)
        assert_same(ours.random_raw(6), theirs.random_raw(6), delta)
    for jumps in (1, 2, 10):
        theirs, ours = np.random.Philox(3), cp.random.Philox(3)
        theirs.random_raw(5), ours.random_raw(5)
        assert_same(ours.jumped(jumps).random_raw(6), theirs.jumped(jumps).random_raw(6), jumps)
        assert_same(ours.random_raw(1), theirs.random_raw(1), "the origin stays")


def test_state_goes_both_ways():
    theirs, ours = generators(4)
    theirs.random(7), theirs.random(3, dtype="f4")
    ours.bit_generator.state = theirs.bit_generator.state
    assert_same(ours.random(5, dtype="f4"), theirs.random(5, dtype="f4"), "from NumPy")
    theirs.bit_generator.state = ours.bit_generator.state
    assert_same(ours.integers(9, size=5), theirs.integers(9, size=5), "to NumPy")
    with pytest.raises(TypeError):
        ours.bit_generator.state = 1
    with pytest.raises(ValueError, match="Philox"):
        ours.bit_generator.state = {"bit_generator": "PCG64"}


@pytest.mark.parametrize("make", [cp.random.default_rng, cp.random.RandomState, cp.random.Philox])
@pytest.mark.parametrize("dup", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_go_on_alike(make, dup):
    one = make(11)
    draw = one.random_raw if make is cp.random.Philox else one.standard_normal
    draw(5)
    other = dup(one)
    draw_other = other.random_raw if make is cp.random.Philox else other.standard_normal
    assert_same(draw_other(9), cp.asnumpy(draw(9)), "a copy")


@pytest.mark.parametrize("name", ["XORWOW", "MRG32k3a", "Philox4x3210"])
def test_cupys_bit_generators_stand_for_philox(name):
    rng = cp.random.Generator(getattr(cp.random, name)(7, size=100))
    assert_same(rng.random(3), np.random.Generator(np.random.Philox(7)).random(3), name)
    assert_same(pickle.loads(pickle.dumps(rng)).random(3), cp.asnumpy(rng.random(3)), name)


def test_children_are_independent_and_reproducible():
    first = [child.random(3).tolist() for child in cp.random.default_rng(5).spawn(3)]
    again = [child.random(3).tolist() for child in cp.random.default_rng(5).spawn(3)]
    assert first == again
    assert len({tuple(x) for x in first}) == 3


# ---------------------------------------------------------------------------------------------------------
# Threads


DIGEST = """
import hashlib
rng = cp.random.default_rng(42)
h = hashlib.sha256()
for name, args in [("random", ()), ("standard_normal", ()), ("standard_exponential", ())]:
    for dtype in ("f8", "f4"):
        h.update(cp.asnumpy(getattr(rng, name)(size=100_001, dtype=dtype)).tobytes())
h.update(cp.asnumpy(rng.integers(0, 3_000_000_000, 150_001)).tobytes())
for name, args in [("gamma", (0.5, 1.0)), ("poisson", (30.0,)), ("binomial", (100, 0.4)), ("zipf", (2.0,))]:
    h.update(cp.asnumpy(getattr(rng, name)(*args, size=50_001)).tobytes())
h.update(cp.asnumpy(rng.permutation(70_000)).tobytes())
h.update(cp.asnumpy(rng.choice(1000, 40_000, p=np.full(1000, 1e-3))).tobytes())
h.update(cp.asnumpy(rng.multinomial(100, [0.2, 0.3, 0.5], 5000)).tobytes())
print(h.hexdigest())
"""


def test_threads_and_instruction_sets_change_nothing():
    digests = {
        fresh_python(DIGEST, CUPRUM_THREADS=threads, CUPRUM_SIMD=simd)
        for threads, simd in [("1", ""), ("2", ""), ("3", "avx2"), ("2", "portable")]
    }
    assert len(digests) == 1


def test_threads_share_a_generator():
    rng = cp.random.default_rng(3)
    parts = []

    def work():
        for _ in range(20):
            parts.append(cp.asnumpy(rng.random(5000)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    got = np.sort(np.concatenate(parts))
    assert np.array_equal(got, np.sort(cp.asnumpy(cp.random.default_rng(3).random(400_000))))


# ---------------------------------------------------------------------------------------------------------
# Arguments and errors of random and integers


def test_out_receives_the_draws():
    theirs, ours = generators(2)
    for dtype in ("f8", "f4"):
        want, out = np.empty((4, 5), dtype), cp.empty((4, 5), dtype)
        theirs.random(out=want, dtype=dtype)
        assert ours.random(out=out, dtype=dtype) is out
        assert_same(out, want, dtype)
    for method in (ours.standard_normal, ours.standard_exponential):
        assert method(out=cp.zeros(3)).all()
    assert ours.standard_gamma(2.0, out=cp.zeros(3)).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda g, xp: g.random(3, out=xp.empty(4)),
        lambda g, xp: g.random(out=xp.empty((4, 4)).T[::2]),
        lambda g, xp: g.random(out=xp.empty(4, "f4")),
        lambda g, xp: g.random(3, dtype="i4"),
        lambda g, xp: g.random(-1),
        lambda g, xp: g.random((2, -1)),
        lambda g, xp: g.random("x"),
        lambda g, xp: g.random(2.5),
        lambda g, xp: g.standard_normal(3, dtype="i4"),
        lambda g, xp: g.integers(5, 5),
        lambda g, xp: g.integers(5, 4),
        lambda g, xp: g.integers(-5),
        lambda g, xp: g.integers(0, 300, dtype="int8"),
        lambda g, xp: g.integers(-1, 3, dtype="uint8"),
        lambda g, xp: g.integers(0, 3, dtype="bool"),
        lambda g, xp: g.integers(0, 2**64),
        lambda g, xp: g.integers(0, 2**300),
        lambda g, xp: g.integers(0, 5, dtype="float64"),
        lambda g, xp: g.integers(xp.array([1, 5]), xp.array([2, 5])),
        lambda g, xp: g.integers(xp.array([1, 5]), xp.array([2, 6]), size=3),
        lambda g, xp: g.integers(xp.array([1, 5]), xp.array([300, 6]), dtype="int8"),
    ],
)
def test_errors_are_of_numpys_class(call):
    theirs, ours = generators(1)
    with pytest.raises((ValueError, TypeError, OverflowError)) as error:
        call(theirs, np)
    with pytest.raises(error.type):
        call(ours, cp)


def test_a_refused_call_draws_nothing():
    theirs, ours = generators(1)
    with pytest.raises(ValueError, match="scale < 0"):
        ours.normal(0, -1, 10)
    with pytest.raises(ValueError, match="low >= high"):
        ours.integers(5, 5)
    assert_same(ours.random(4), theirs.random(4), "after errors")


def test_single_draws_have_no_dimensions():
    rng = cp.random.default_rng(1)
    for drawn in (
        rng.random(),
        rng.integers(5),
        rng.normal(),
        rng.poisson(3),
        rng.choice(4),
        rng.standard_cauchy(),
    ):
        assert isinstance(drawn, cp.ndarray)
        assert drawn.shape == ()


def test_golden_values():
    rng = cp.random.default_rng(0)
    assert rng.random(2).tolist() == np.random.Generator(np.random.Philox(0)).random(2).tolist()
    got = {
        "normal": cp.random.default_rng(0).standard_normal(3).tolist(),
        "single": cp.random.default_rng(0).standard_normal(3, dtype="f4").tolist(),
        "light": cp.random.RandomState(0).random(2).tolist(),
        "exponential": cp.random.default_rng(0).standard_exponential(2).tolist(),
        "gamma": cp.random.default_rng(0).gamma(2.5, 1.0, 2).tolist(),
        "poisson": cp.random.default_rng(0).poisson(20.0, 6).tolist(),
        "permutation": cp.random.default_rng(0).permutation(6).tolist(),
    }
    assert got == GOLDEN


# What this version draws: a change of these numbers is a change that users see.
GOLDEN = {
    "normal": [1.9617331552331267, 2.1632025465160774, 1.1989391532556168],
    "single": [-0.86002516746521, -2.093596935272217, -0.6366415023803711],
    "light": [0.961401535809056, 0.5927392910152677],
    "exponential": [4.26392111479728, 1.3556982499833976],
    "gamma": [6.527017722532202, 2.3786470678741867],
    "poisson": [20, 29, 8, 14, 23, 17],
    "permutation": [0, 3, 5, 1, 2, 4],
}
