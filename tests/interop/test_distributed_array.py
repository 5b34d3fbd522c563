"""Arrays in chunks on several devices, beside the whole in NumPy. Without GPUs all devices are the CPU."""

import itertools

import numpy as np
import pytest

import cuprum as cp
from cuprum.distributed import array as d
from cuprum.distributed.array import _indices

RNG = np.random.default_rng(5)
HOST = RNG.integers(-9, 9, (6, 8)).astype("float64")


@pytest.fixture(params=[4, 2, 1])
def devices(request, on_gpu):
    """Numbers of four devices, some of them the same: no more than there are GPUs."""
    count = min(request.param, cp.cuda.runtime.getDeviceCount()) if on_gpu else request.param
    return [at % count for at in range(4)]


def split(*places):
    """An index map from pairs of device and index; some devices may be the same."""
    made = {}
    for device, index in places:
        made.setdefault(device, []).append(index)
    return made


def maps(devices):
    """Ways to split a matrix of 6 by 8: whole, rows, overlaps, blocks, steps."""
    a, b, c, e = devices
    ways = [
        [(a, slice(None))],
        [(a, slice(0, 3)), (b, slice(3, 6))],
        [(a, slice(0, 4)), (b, slice(2, 6)), (c, (slice(1, 5), slice(2, 6)))],
        [(a, (slice(0, 3), slice(0, 5))), (b, (slice(0, 3), slice(5, 8))), (c, slice(3, 6)), (e, 5)],
        [(a, slice(0, None, 2)), (b, slice(1, None, 2)), (c, (slice(0, None, 3), slice(1, None, 2)))],
    ]
    for way in ways:
        yield split(*way)


MODES = [d.REPLICA, d.SUM, d.PROD, d.MIN, d.MAX]


def same(array, want):
    got = array.get()
    assert got.dtype == np.asarray(want).dtype
    np.testing.assert_allclose(got, want, rtol=1e-13)


def test_what_slices_share():
    slices = [
        slice(a, b, s) for a, b, s in itertools.product(range(0, 12, 3), (5, 9, 12), (1, 2, 3, 4, 6)) if a < b
    ]
    for one, other in itertools.product(slices, slices):
        want = sorted(
            set(range(one.start, one.stop, one.step)) & set(range(other.start, other.stop, other.step))
        )
        shared = _indices.intersection((one,), (other,))
        if shared is None:
            assert want == []
            continue
        assert list(range(shared[0].start, shared[0].stop, shared[0].step)) == want
        for whole in (one, other):
            (place,) = _indices.within((whole,), shared)
            assert list(range(whole.start, whole.stop, whole.step)[place]) == want


def test_the_whole_is_what_went_in(devices):
    for index_map, mode in itertools.product(maps(devices), MODES):
        for source in (HOST, cp.asarray(HOST), HOST.tolist()):
            made = d.distributed_array(source, index_map, mode)
            assert made.mode is mode
            assert made.shape == (6, 8)
            same(made, HOST)
            assert made.index_map == _indices.normal_map((6, 8), index_map)


def test_chunks_are_slices_in_the_replica_mode(devices):
    for index_map in maps(devices):
        made = d.distributed_array(HOST, index_map)
        for device, chunks in made.all_chunks().items():
            for chunk, index in zip(chunks, made.index_map[device], strict=True):
                np.testing.assert_array_equal(cp.asnumpy(chunk), HOST[index])


def test_modes_and_places_change_without_changing_the_values(devices):
    ways = list(maps(devices))
    for before, after in itertools.product(ways, ways):
        for first, second in [(d.SUM, d.REPLICA), (d.REPLICA, d.MAX), (d.PROD, d.MIN), (d.SUM, d.SUM)]:
            made = d.distributed_array(HOST, before, first)
            same(made.change_mode(second).reshard(after), HOST)
            same(made.reshard(after).change_mode(second), HOST)
            same(made, HOST)  # and the first one is as it was


def test_copies_of_an_element_have_the_same_bits(devices):
    a, b, c, _ = devices
    terms = d.distributed_array(RNG.standard_normal((6, 8)), {a: slice(None)}, d.SUM)
    parts = [d.distributed_array(RNG.standard_normal((6, 8)), {a: slice(None)}, d.SUM) for _ in range(2)]
    chunks = [next(iter(one._chunks.values()))[0] for one in (terms, *parts)]
    made = {}
    for device, chunk in zip((a, b, c), chunks, strict=True):
        made.setdefault(device, []).append(type(chunk)(chunk.array, chunk.index, device))
    whole = d.DistributedArray((6, 8), "float64", made, d.SUM).change_mode("replica")
    first, *others = [cp.asnumpy(one) for chunks in whole.all_chunks().values() for one in chunks]
    for other in others:
        assert first.tobytes() == other.tobytes()


def test_elementwise(devices):
    ways = list(maps(devices))
    for one, other in itertools.product(ways, ways):
        a = d.distributed_array(HOST, one)
        b = d.distributed_array(HOST + 0.5, other, d.SUM)
        same(a + b, HOST + (HOST + 0.5))
        same(np.maximum(b, a), np.maximum(HOST + 0.5, HOST))
    a = d.distributed_array(HOST, ways[2])
    same(2 - a * 3 / 2, 2 - HOST * 3 / 2)
    same(-abs(a), -abs(HOST))
    same((a > 0) & ~(a >= 5), (HOST > 0) & ~(HOST >= 5))
    same(a == a, HOST == HOST)
    same(a**2 % 5, HOST**2 % 5)
    same(np.exp(a), np.exp(HOST))
    kernel = cp.ElementwiseKernel("float64 x, float64 y", "float64 z", "z = x * y + 1", "both")
    same(kernel(a, a), HOST * HOST + 1)


def test_reductions(devices):
    small = HOST[:, :5] / 4 + 1
    names = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min}
    for index_map, mode in itertools.product(maps(devices), MODES):
        index_map = {k: [i if not isinstance(i, tuple) else i[0] for i in v] for k, v in index_map.items()}
        for (name, function), axis in itertools.product(names.items(), (0, 1, -1)):
            made = getattr(d.distributed_array(small, index_map, mode), name)(axis=axis)
            assert made.mode is getattr(d, name.upper())
            same(made, function(small, axis=axis))
    same(
        d.distributed_array(np.arange(6), split((0, slice(0, 4)), (devices[1], slice(2, 6)))).sum(axis=0),
        np.arange(6).sum(),
    )
    ints = d.distributed_array(np.arange(6, dtype="int8").reshape(2, 3), {0: slice(None)})
    same(ints.sum(axis=0), np.arange(6, dtype="int8").reshape(2, 3).sum(axis=0))
    same(
        ints.sum(axis=1, dtype="float32"),
        np.arange(6, dtype="int8").reshape(2, 3).sum(axis=1, dtype="float32"),
    )


def test_reductions_over_several_axes(devices):
    for index_map, mode in itertools.product(maps(devices), (d.REPLICA, d.SUM)):
        made = d.distributed_array(HOST, index_map, mode)
        same(made.sum(), HOST.sum())
        same(made.max(axis=(0, 1), keepdims=True), HOST.max(axis=(0, 1), keepdims=True))
        same(made.mean(axis=0), HOST.mean(axis=0))
        same(made.mean(), HOST.mean())
        same(made.ptp(axis=1), np.ptp(HOST, axis=1))
        same((made > 0).any(axis=0), (HOST > 0).any(axis=0))
        same((made > -9).all(), (HOST > -9).all())
    same(d.distributed_array(np.arange(6), {devices[0]: slice(None)}).mean(), np.arange(6).mean())


def test_methods_of_arrays(devices):
    for index_map, mode in itertools.product(maps(devices), (d.REPLICA, d.SUM)):
        made = d.distributed_array(HOST, index_map, mode)
        same(made.T, HOST.T)
        same(made.transpose(1, 0).mT, HOST)
        same(made.swapaxes(0, 1).T, HOST)
        same(made.astype("float32"), HOST.astype("float32"))
        same((made / 3).round(1), (HOST / 3).round(1))
        same(made.clip(-2, 3), HOST.clip(-2, 3))
        same((made * (1 + 2j)).conj().imag, (HOST * (1 + 2j)).conj().imag)
        same(made.copy().real, HOST)
        assert made.tolist() == HOST.tolist()
        assert made.tobytes() == HOST.tobytes()
        assert (len(made), made.nbytes, made.itemsize, made.size, made.ndim) == (6, 384, 8, 48, 2)
        assert made.sum().item() == HOST.sum()


def test_products(devices):
    a, b, c, e = devices
    left, right = RNG.integers(-5, 5, (6, 9)), RNG.integers(-5, 5, (9, 4))
    of_left = d.make_2d_index_map([0, 2, 6], [0, 4, 9], [[{a}, {b}], [{c, a}, {e, b}]])
    of_right = d.make_2d_index_map([0, 4, 9], [0, 1, 4], [[{a, c}, {a, c}], [{b, e}, {b, e}]])
    for mode in (d.REPLICA, d.SUM):
        x = d.distributed_array(left, of_left, mode)
        y = d.distributed_array(right, of_right, mode)
        product = x @ y
        assert product.mode is d.SUM
        same(product, left @ right)
        same(product + product, 2 * (left @ right))
    vector = d.distributed_array(
        right[:, 0], split((a, slice(0, 4)), (b, slice(4, 9)), (c, slice(0, 4)), (e, slice(4, 9)))
    )
    same(x @ vector, left @ right[:, 0])
    same(d.matmul(d.distributed_array(left[0], vector.index_map), vector), left[0] @ right[:, 0])
    same(np.matmul(d.distributed_array(left[0], vector.index_map), y), left[0] @ right)
    stack = RNG.standard_normal((4, 3, 3))
    halves = split((a, slice(0, 2)), (b, slice(2, 4)))
    np.testing.assert_allclose(
        (d.distributed_array(stack, halves) @ d.distributed_array(stack, halves)).get(),
        stack @ stack,
        rtol=1e-12,
    )


def test_bad_input(devices):
    a = devices[0]
    whole = d.distributed_array(HOST, {a: slice(None)})
    for call, error, message in (
        (lambda: d.distributed_array(HOST, {a: (0, 0, 0)}), IndexError, "array is 2-dimensional, but 3 were"),
        (
            lambda: d.distributed_array(HOST, {a: 6}),
            IndexError,
            "Index 6 is out of bounds for axis 0 with size 6",
        ),
        (lambda: d.distributed_array(HOST, {a: slice(3, 3)}), ValueError, "The index is empty on axis 0"),
        (lambda: d.distributed_array(HOST, {a: slice(None, None, -1)}), ValueError, "step must be positive"),
        (lambda: d.distributed_array(HOST, {a: "x"}), ValueError, "Invalid index on axis 0"),
        (lambda: d.distributed_array(HOST, {-1: slice(None)}), ValueError, "not negative"),
        (lambda: whole.change_mode("mean"), ValueError, "no mode 'mean'"),
        (lambda: whole + d.distributed_array(HOST[0], {a: slice(None)}), ValueError, "must have one shape"),
        (lambda: np.add(whole, HOST), RuntimeError, "Mixing a distributed array with a non-distributed"),
        (lambda: whole.sum(axis=0, out=whole), RuntimeError, "`out` is not supported"),
        (lambda: whole.transpose(0, 0), ValueError, "transpose: axes"),
        (lambda: whole.transpose(0, 2), np.exceptions.AxisError, "transpose: axes"),
        (lambda: whole.sum(axis=2), np.exceptions.AxisError, "sum: axis 2 is out of bounds"),
        (lambda: whole @ whole, ValueError, "matmul: Shapes are incompatible"),
        (lambda: d.matmul(whole, HOST.T), RuntimeError, "non-distributed"),
        (lambda: d.make_2d_index_map([1, 2], [0, 1], [[{0}]]), ValueError, "i_partitions must rise from 0"),
        (lambda: d.make_2d_index_map([0, 2], [0, 1], [[{0}, {1}]]), ValueError, "1 lists of 1 sets"),
        (lambda: (whole * 1j).change_mode(d.MAX), RuntimeError, "'max' is not defined for complex128"),
    ):
        with pytest.raises(error, match=message):
            call()
    if devices[0] != devices[1]:
        other = d.distributed_array(HOST.T, {devices[1]: slice(None)})
        with pytest.raises(RuntimeError, match="There is no device that can perform multiplication"):
            whole @ other


def test_the_whole_as_a_numpy_array(devices, on_gpu):
    a = d.distributed_array(HOST, list(maps(devices))[2])
    np.testing.assert_array_equal(cp.asnumpy(a), HOST)
    cp.testing.assert_allclose(a, HOST)
    cp.testing.assert_array_almost_equal(a, HOST)
    if on_gpu:
        with pytest.raises(TypeError, match="use get"):
            np.asarray(a)
        return
    assert np.asarray(a, dtype="float32").dtype == np.float32
    np.testing.assert_array_equal(np.asarray(a), HOST)
    with pytest.raises(ValueError, match="is a copy"):
        np.asarray(a, copy=False)


def test_functions_of_ours_take_distributed_arrays(devices):
    a, b = (
        d.distributed_array(HOST + at, way) for at, way in zip((0, 1), list(maps(devices))[1:3], strict=True)
    )
    for function in (cp.cos, cp.negative, cp.isfinite):
        got = function(a)
        assert isinstance(got, d.DistributedArray)
        np.testing.assert_allclose(got.get(), getattr(np, function.__name__)(HOST), rtol=1e-13)
    np.testing.assert_array_equal(cp.add(a, b).get(), HOST + HOST + 1)
    np.testing.assert_array_equal(cp.multiply(2, b).get(), 2 * (HOST + 1))
    with pytest.raises(RuntimeError, match="Keyword arguments are not supported"):
        cp.add(a, b, dtype="float32")
    for mix in (lambda: a * cp.asarray(HOST), lambda: cp.asarray(HOST) * a, lambda: cp.cos(a + HOST)):
        with pytest.raises(RuntimeError, match="Mixing a distributed array with a non-distributed one"):
            mix()
