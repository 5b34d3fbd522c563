"""`cupyx.jit.cub` and `cupyx.jit.thrust`: reductions of warps and blocks, and algorithms of one thread."""

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.cupyx import jit

DTYPES = ["int8", "uint16", "int32", "uint64", "float16", "float32", "float64", "complex64", "complex128"]


def numbers(shape, dtype, seed=0):
    """Return numbers whose sums of a block are exact."""
    parts = np.random.default_rng(seed).integers(0, 4, (2, *shape))
    return (parts[0] + 1j * parts[1] if np.dtype(dtype).kind == "c" else parts[0]).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_warps(dtype):
    @jit.rawkernel()
    def reduce_rows(x, sums, most, least):
        Reduce = jit.cub.WarpReduce[dtype]
        memory = jit.shared_memory(dtype=Reduce.TempStorage, size=3)
        i, j = jit.blockIdx.x, jit.threadIdx.x
        total = Reduce(memory[0]).Sum(x[i, j])
        largest = Reduce(memory[1]).Reduce(x[i, j], jit.cub.Max())
        smallest = Reduce(memory[2]).Reduce(x[i, j], jit.cub.Min())
        if j == 0:
            sums[i], most[i], least[i] = total, largest, smallest

    x = numbers((5, 32), dtype)
    out = [cp.zeros(5, dtype) for _ in range(3)]
    reduce_rows[5, 32](cp.asarray(x), *out)
    for got, want in zip(out, (x.sum(1, dtype=dtype), x.max(1), x.min(1)), strict=True):
        np.testing.assert_array_equal(cp.asnumpy(got), want)


def test_each_warp_has_memory_of_its_own():
    @jit.rawkernel()
    def reduce_warps(x, sums):
        Reduce = jit.cub.WarpReduce[np.int32]
        memory = jit.shared_memory(dtype=Reduce.TempStorage, size=4)
        i = jit.threadIdx.x
        total = Reduce(memory[i // 32]).Sum(x[i])
        if i % 32 == 0:
            sums[i // 32] = total

    x = numbers((4, 32), np.int32)
    sums = cp.zeros(4, np.int32)
    reduce_warps[1, 128](cp.asarray(x.ravel()), sums)
    np.testing.assert_array_equal(cp.asnumpy(sums), x.sum(1))


@pytest.mark.parametrize("dtype", ["int64", "float32", "complex64"])
def test_blocks(dtype):
    @jit.rawkernel()
    def reduce_rows(x, sums, least):
        Reduce = jit.cub.BlockReduce[dtype, 192]
        memory = jit.shared_memory(dtype=Reduce.TempStorage, size=1)
        i, j = jit.blockIdx.x, jit.threadIdx.x
        reducer = Reduce(memory[0])
        total = reducer.Reduce(x[i, j], jit.cub.Sum())
        jit.syncthreads()
        smallest = reducer.Reduce(x[i, j], jit.cub.Min())
        if j == 0:
            sums[i], least[i] = total, smallest

    x = numbers((3, 192), dtype, 1)
    sums, least = cp.zeros(3, dtype), cp.zeros(3, dtype)
    reduce_rows[3, 192](cp.asarray(x), sums, least)
    np.testing.assert_array_equal(cp.asnumpy(sums), x.sum(1))
    np.testing.assert_array_equal(cp.asnumpy(least), x.min(1))


@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_by_one_thread_each(order):
    @jit.rawkernel()
    def work(x, y, sums, places, counts):
        i = jit.threadIdx.x
        row, other = x[i], y[i]
        jit.thrust.sort(jit.thrust.seq, row.begin(), row.end())
        jit.thrust.inclusive_scan(jit.thrust.device, row.begin(), row.end(), other.begin())
        sums[i] = jit.thrust.reduce(jit.thrust.device, row.begin(), row.end(), 10)
        at = jit.thrust.lower_bound(jit.thrust.device, row.begin(), row.end(), 5)
        places[i] = at - row.begin()
        counts[i, 0] = jit.thrust.count(jit.thrust.device, row.begin(), row.end(), 7)
        first, last = jit.thrust.equal_range(jit.thrust.device, row.begin(), row.end(), 7)
        counts[i, 1] = last - first
        if at != row.end():
            counts[i, 2] = at[0]

    x = np.random.default_rng(2).integers(0, 10, (6, 100))
    given, y = cp.array(x, order=order), cp.zeros((6, 100), "int64", order=order)
    sums, places, counts = cp.zeros(6, "int64"), cp.zeros(6, "int64"), cp.zeros((6, 3), "int64")
    work[1, 6](given, y, sums, places, counts)
    x.sort(axis=1)
    np.testing.assert_array_equal(cp.asnumpy(given), x)
    np.testing.assert_array_equal(cp.asnumpy(y), x.cumsum(axis=1))
    np.testing.assert_array_equal(cp.asnumpy(sums), x.sum(1) + 10)
    np.testing.assert_array_equal(cp.asnumpy(places), (x < 5).sum(1))
    sevens = (x == 7).sum(1)
    fives = [row[row >= 5][0] for row in x]
    np.testing.assert_array_equal(cp.asnumpy(counts), np.stack([sevens, sevens, fives], 1))


def test_sets():
    @jit.rawkernel()
    def sets(x, y, out, ends):
        policy = jit.thrust.device
        ends[0] = jit.thrust.set_union(policy, x.begin(), x.end(), y.begin(), y.end(), out[0].begin()) - (
            out[0].begin()
        )
        ends[1] = jit.thrust.set_intersection(
            policy, x.begin(), x.end(), y.begin(), y.end(), out[1].begin()
        ) - (out[1].begin())
        ends[2] = jit.thrust.set_difference(
            policy, x.begin(), x.end(), y.begin(), y.end(), out[2].begin()
        ) - (out[2].begin())
        ends[3] = jit.thrust.set_symmetric_difference(
            policy, x.begin(), x.end(), y.begin(), y.end(), out[3].begin()
        ) - (out[3].begin())

    rng = np.random.default_rng(3)
    x, y = (np.unique(rng.integers(0, 30, 20)) for _ in range(2))
    out, ends = cp.zeros((4, 60), "int64"), cp.zeros(4, "int64")
    sets[1, 1](cp.asarray(x), cp.asarray(y), out, ends)
    wanted = [np.union1d(x, y), np.intersect1d(x, y), np.setdiff1d(x, y), np.setxor1d(x, y)]
    for row, end, want in zip(cp.asnumpy(out), cp.asnumpy(ends), wanted, strict=True):
        np.testing.assert_array_equal(row[:end], want)


def test_keys_and_values():
    @jit.rawkernel()
    def by_key(keys, values, scanned, before, kept, sums, ends):
        policy = jit.thrust.seq
        jit.thrust.stable_sort_by_key(policy, keys.begin(), keys.end(), values.begin())
        jit.thrust.inclusive_scan_by_key(policy, keys.begin(), keys.end(), values.begin(), scanned.begin())
        jit.thrust.exclusive_scan_by_key(policy, keys.begin(), keys.end(), values.begin(), before.begin(), 5)
        a, b = jit.thrust.reduce_by_key(
            policy, keys.begin(), keys.end(), values.begin(), kept.begin(), sums.begin()
        )
        ends[0], ends[1] = a - kept.begin(), b - sums.begin()

    rng = np.random.default_rng(4)
    keys, values = rng.integers(0, 6, 40), rng.integers(-9, 9, 40)
    arrays = [cp.asarray(keys), cp.asarray(values), *(cp.zeros(40, "int64") for _ in range(4))]
    ends = cp.zeros(2, "int64")
    by_key[1, 1](*arrays, ends)
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    groups = [values[keys == k] for k in np.unique(keys)]
    want = [
        keys,
        values,
        np.concatenate([g.cumsum() for g in groups]),
        np.concatenate([g.cumsum() - g + 5 for g in groups]),
    ]
    for got, expected in zip(arrays, want, strict=False):
        np.testing.assert_array_equal(cp.asnumpy(got), expected)
    n = len(groups)
    assert cp.asnumpy(ends).tolist() == [n, n]
    np.testing.assert_array_equal(cp.asnumpy(arrays[4])[:n], np.unique(keys))
    np.testing.assert_array_equal(cp.asnumpy(arrays[5])[:n], [g.sum() for g in groups])


def test_sequences_that_are_computed():
    @jit.rawkernel()
    def fill(x, y):
        i = jit.threadIdx.x
        constant = jit.thrust.make_constant_iterator(i * 3)
        counting = jit.thrust.make_counting_iterator(i)
        x[i] = constant[7]
        y[i] = jit.thrust.reduce(jit.thrust.seq, counting, counting + 4)

    x, y = cp.zeros(8, "int32"), cp.zeros(8, "int32")
    fill[1, 8](x, y)
    np.testing.assert_array_equal(cp.asnumpy(x), np.arange(8) * 3)
    np.testing.assert_array_equal(cp.asnumpy(y), 4 * np.arange(8) + 6)


def test_misuse_is_told():
    def refused(message, body):
        kernel = jit.rawkernel()(body)
        with pytest.raises(Exception, match=message):
            kernel[1, 32](cp.zeros((4, 32), "float32"))

    def other_type(x):
        Reduce = jit.cub.WarpReduce[np.float64]
        memory = jit.shared_memory(dtype=Reduce.TempStorage, size=1)
        x[0, 0] = Reduce(memory[0]).Sum(x[0, 0])

    def no_memory(x):
        x[0, 0] = jit.cub.WarpReduce[np.float32](x)

    def no_policy(x):
        jit.thrust.sort(x[0].begin(), x[0].end())

    def two_axes(x):
        jit.thrust.sort(jit.thrust.seq, x.begin(), x.end())

    def no_such_form(x):
        jit.thrust.sort(jit.thrust.seq, x[0].begin())

    refused("reduces float64, not float32", other_type)
    refused("TempStorage", no_memory)
    refused("thrust.device or thrust.seq first", no_policy)
    refused("arrays of numbers with one axis", two_axes)
    refused(r"takes a policy, then \(iterator, iterator\)", no_such_form)
