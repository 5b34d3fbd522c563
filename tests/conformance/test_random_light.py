"""The light cipher: uniform numbers of RandomState and single-precision normals, against Philox4x32-7."""

import copy

import numpy as np
import pytest
from scipy import stats

import cuprum as cp

# A right distribution fails one test in 10,000; the seeds are fixed, so it fails always or never.
LEAST_P = 1e-4
UNIFORM = ["rand", "random", "random_sample", "ranf", "sample"]
# The highest word of the counters that light keys are made at.
FAR = 0x6C69_6768_7421_0000


def philox_block(key, counter):
    """The block of Philox4x64-10 at a counter, which is the one after NumPy's."""
    before = (sum(word << 64 * i for i, word in enumerate(counter)) - 1) % 2**256
    words = np.array([before >> 64 * i & (2**64 - 1) for i in range(4)], np.uint64)
    return [int(word) for word in np.random.Philox(key=key, counter=words).random_raw(4)]


def light_words(bit_generator, from_block, blocks):
    """The halves of the light words of a stream of Cuprum's, from a block of its counter on."""
    state = bit_generator.state["state"]
    start = sum(int(word) << 64 * i for i, word in enumerate(state["counter"])) + from_block
    halves = np.empty((blocks, 2, 4), np.uint32)
    for i in range(blocks):
        counter = [(start + i) % 2**256 >> 64 * word & (2**64 - 1) for word in range(4)]
        key, upper, *_ = philox_block(state["key"], [*counter[1:], FAR])
        for half in range(2):
            a, b = counter[0] & 0xFFFFFFFF, counter[0] >> 32
            c, d = upper & 0xFFFFFFFE | half, upper >> 32
            k0, k1 = key & 0xFFFFFFFF, key >> 32
            for _ in range(7):
                low, high = a * 0xD2511F53, c * 0xCD9E8D57
                a, b, c, d = high >> 32 ^ b ^ k0, high & 0xFFFFFFFF, low >> 32 ^ d ^ k1, low & 0xFFFFFFFF
                k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
            halves[i, half] = a, b, c, d
    return halves.ravel()


def singles(halves):
    return (halves >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)


def doubles(halves):
    words = halves[::2].astype(np.uint64) | halves[1::2].astype(np.uint64) << np.uint64(32)
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def positions():
    """Streams at every place of a block, with half a word that waits, and before the counter carries."""
    for words in range(5):
        for halves in (0, 1):
            rs = cp.random.RandomState(8)
            rs._bit_generator.random_raw(words)
            if halves:
                cp.random.Generator(rs._bit_generator).random(1, dtype="f4")
            yield rs
    yield cp.random.RandomState(cp.random.Philox(key=[3, 4], counter=[2**64 - 2, 5, 0, 0]))
    yield cp.random.RandomState(cp.random.Philox(key=[3, 4], counter=[2**32 - 2, 2**64 - 1, 7, 0]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_uniform_numbers_are_of_light_words(dtype):
    for place, rs in enumerate(positions()):
        state = rs._bit_generator.state
        halves = light_words(rs._bit_generator, 0, 60)
        skipped = 2 * state["buffer_pos"]
        want = (
            singles(halves[skipped - state["has_uint32"] :])
            if dtype == "float32"
            else doubles(halves[skipped:])
        )
        for n in (1, 37, 150):
            drawn = copy.deepcopy(rs).random_sample(n, dtype=dtype)
            assert np.array_equal(cp.asnumpy(drawn), want[:n]), (place, n)


def test_every_uniform_function_draws_the_same():
    for dtype in ("f4", "f8"):
        want = cp.asnumpy(cp.random.RandomState(5).random_sample(999, dtype=dtype))
        for name in UNIFORM:
            got = getattr(cp.random.RandomState(5), name)(999, dtype=dtype)
            assert np.array_equal(cp.asnumpy(got), want), name
    want = cp.asnumpy(cp.random.RandomState(5).rand(999))
    drawn = cp.asnumpy(cp.random.RandomState(5).uniform(-2, 6, 999))
    assert np.array_equal(drawn, -2 + 8 * want)
    # Single ones are those of single numbers, in single precision from 24 bits each.
    single = cp.asnumpy(cp.random.RandomState(5).random_sample(999, dtype="f4")).astype("f8")
    for low in (-2, cp.full(999, -2.0)):
        drawn = cp.random.RandomState(5).uniform(low, 6, 999, dtype="f4")
        assert np.array_equal(cp.asnumpy(drawn), (-2 + 8 * single).astype("f4"))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_stream_moves_as_a_generators_does(dtype):
    rs, rng = cp.random.RandomState(3), cp.random.default_rng(3)
    for n in (1, 2, 5, 64, 1001):
        rs.random_sample(n, dtype=dtype), rng.random(n, dtype=dtype)
        rs.uniform(0, 2, n, dtype=dtype), rng.uniform(0, 2, n, dtype=dtype)
        ours, theirs = rs.get_state(), rng.bit_generator.state
        assert ours["buffer_pos"] == theirs["buffer_pos"], n
        assert ours["has_uint32"] == theirs["has_uint32"], n
        assert np.array_equal(ours["state"]["counter"], theirs["state"]["counter"]), n
        assert rs.randint(0, 1000, 5).tolist() == rng.integers(0, 1000, 5).tolist()


def test_short_draws_join_to_a_long_one():
    for dtype in ("f4", "f8"):
        long = cp.asnumpy(cp.random.RandomState(1).random_sample(5000, dtype=dtype))
        rs = cp.random.RandomState(1)
        parts = [cp.asnumpy(rs.random_sample(n, dtype=dtype)) for n in (1, 2, 3, 7, 994, 1, 3992)]
        assert np.array_equal(np.concatenate(parts), long), dtype


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_uniform_numbers_are_uniform(dtype):
    x = cp.asnumpy(cp.random.RandomState(11).random_sample(1_000_000, dtype=dtype))
    assert x.dtype == dtype
    assert x.min() >= 0
    assert x.max() < 1
    assert stats.kstest(x.astype(float), "uniform").pvalue > LEAST_P
    # Neighbours, in a square and in a cube.
    for dimensions, cells in ((2, 50), (3, 12)):
        rows = x[: x.size // dimensions * dimensions].reshape(-1, dimensions)
        cell = (rows.astype(float) * cells).astype(int) @ cells ** np.arange(dimensions)
        assert stats.chisquare(np.bincount(cell, minlength=cells**dimensions)).pvalue > LEAST_P
    # The last bits that a number has.
    bits = 24 if dtype == "float32" else 53
    last = (x.astype(float) * 2.0**bits).astype(np.int64) & 255
    assert stats.chisquare(np.bincount(last, minlength=256)).pvalue > LEAST_P
    for lag in (1, 2, 3, 4, 7, 8):
        assert abs(np.corrcoef(x[:-lag], x[lag:])[0, 1]) < 5e-3, lag


def test_single_normals_are_points_by_radius_and_angle():
    rng = cp.random.default_rng(6)
    halves = light_words(rng.bit_generator, 1, 400).view(np.int32).astype(float)
    angle, place = halves[::2] * np.pi * 2.0**-32, halves[1::2]
    square = -2 * np.log(abs(place) * 2.0**-31 + 2.0**-33)
    radius = np.sqrt(square)
    points = np.where(place < 0, -1, 1) * radius * np.cos(angle), radius * np.sin(angle)
    drawn = cp.asnumpy(rng.standard_normal((halves.size // 2, 2), dtype="f4")).astype(float)
    # The uniform number is rounded, and kept off one: that moves the square by as much.
    allowed = 5e-7 * radius + 1.5 * 2.0**-23 / radius
    for got, want in zip(drawn.T, points, strict=True):
        assert (abs(got - want) <= allowed).all()


def test_single_normals_are_normal():
    x = cp.asnumpy(cp.random.default_rng(4).standard_normal(4_000_000, dtype="f4")).astype(float)
    assert stats.kstest(x[:1_000_000], "norm").pvalue > LEAST_P
    # Cells of equal chance over the whole line, then the tails by themselves.
    cells = np.searchsorted(stats.norm.ppf(np.arange(1, 500) / 500), x)
    assert stats.chisquare(np.bincount(cells, minlength=500)).pvalue > LEAST_P
    for limit in (3, 3.5, 4, 4.5, 5):
        for side in (x, -x):
            expected = stats.norm.sf(limit) * x.size
            assert abs((side > limit).sum() - expected) < 5 * np.sqrt(expected) + 1, limit
    # A moment's spread is the square root of what the moment of twice its order has over its square.
    exact = {1: (0, 1), 2: (1, 2), 3: (0, 15), 4: (3, 96), 5: (0, 945), 6: (15, 10170)}
    for order, (moment, variance) in exact.items():
        assert abs((x**order).mean() - moment) < 5 * np.sqrt(variance / x.size), order


def test_single_normals_have_directions_and_radii_of_their_own():
    x, y = cp.asnumpy(cp.random.default_rng(9).standard_normal((1_000_000, 2), dtype="f4")).astype(float).T
    turn = np.arctan2(y, x) / (2 * np.pi) % 1
    chance = np.exp(-(x * x + y * y) / 2)
    assert stats.kstest(turn, "uniform").pvalue > LEAST_P
    assert stats.kstest(chance, "uniform").pvalue > LEAST_P
    cell = (turn * 40).astype(int) * 40 + (np.minimum(chance, 1 - 1e-9) * 40).astype(int)
    assert stats.chisquare(np.bincount(cell, minlength=1600)).pvalue > LEAST_P
