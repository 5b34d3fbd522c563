"""Sorting, partitioning and searching, beside NumPy: dtypes, axes, layouts, ties, NaN, zeros, errors."""

import numpy as np
import pytest
from samples import LAYOUTS, bf16_array, bf16_round, ordinary_values, special_values
from twin import ALL_DTYPES, FLOATS, check, collect, fresh_python, raising, to_numpy, twin

import cuprum as cp

# Short lines, lines around the sizes of vectors and networks, lines that are counted, lines that are split.
LENGTHS = [0, 1, 2, 3, 7, 8, 9, 16, 17, 33, 64, 100, 129, 255, 256, 257, 400, 513, 1000, 2049, 5000, 70_001]
LONG = [(1 << 17) - 1, 1 << 17, 300_003]


def mixed(dtype, size, seed=0):
    """Return values of which many are equal, with every special one among them."""
    rng = np.random.default_rng(seed)
    special = special_values(dtype)
    values = np.concatenate([np.resize(ordinary_values(dtype, max(size // 2, 1), seed), size // 2), special])
    return rng.permutation(np.resize(values, size)) if size else values[:0]


def random_bits(dtype, size, seed=0):
    """Return any bit patterns of a dtype, without NaN so that every order is the only one."""
    dtype = np.dtype(dtype)
    rng = np.random.default_rng(seed)
    if dtype.kind == "b":
        return rng.random(size) < 0.5
    values = rng.integers(0, 256, size * dtype.itemsize, dtype=np.uint8).view(dtype)
    return np.where(np.isnan(values), dtype.type(1), values) if dtype.kind in "fc" else values


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_sort_and_argsort_over_lengths(dtype):
    with collect() as failures:
        for n in LENGTHS + LONG:
            for make in (mixed, random_bits):
                host = make(dtype, n, seed=n)
                label = f"{dtype} {n} {make.__name__}"
                with failures:
                    check(lambda xp, a=host: xp.sort(xp.array(a), kind="stable"), label=label)
                with failures:
                    check(lambda xp, a=host: xp.argsort(xp.array(a), kind="stable"), label=label)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["int8", "float32", "int64", "complex128"])
def test_layouts_and_axes(dtype, layout):
    host = mixed(dtype, 7 * 9 * 11).reshape(7, 9, 11)

    def body(xp, axis):
        a = LAYOUTS[layout](xp, host)
        return xp.sort(a, axis=axis, kind="stable"), xp.argsort(a, axis=axis, kind="stable")

    with collect() as failures:
        for axis in (None, 0, 1, 2, -1, -3, 3):
            with failures:
                check(
                    lambda xp, axis=axis: body(xp, axis),
                    label=f"axis {axis}",
                    may_raise=np.exceptions.AxisError,
                )


@pytest.mark.parametrize("axis", [0, 1])
@twin()
def test_tall_and_wide(xp, axis):
    a = xp.array(mixed("float64", 3 * 150_000).reshape(3, 150_000))
    return [xp.sort(v, axis=axis) for v in (a, a.T, a[:, ::-3])] + [
        xp.argsort(v, axis=axis, kind="stable") for v in (a, a.T, a[:, ::-3])
    ]


@pytest.mark.parametrize("dtype", ["uint8", "float16", "int32", "float64", "complex64"])
@twin()
def test_method_sorts_in_place(xp, dtype):
    host = mixed(dtype, 4 * 5 * 300).reshape(4, 5, 300)
    results = []
    for axis in (0, 1, -1):
        base = xp.array(host)
        for view in (base, base.transpose(2, 0, 1), base[::2, :, ::-3], base[1]):
            if axis < view.ndim:
                view.sort(axis=axis, kind="stable")
        results.append(base)
    long = xp.array(mixed(dtype, 200_000))
    long[::-1].sort(kind="stable")
    results.append(long)
    return results


@twin()
def test_sort_in_place_runs_pending_readers_first(xp):
    a = xp.array([3.0, 1.0, 2.0] * 3000)
    b = a * 2
    a.sort()
    return a, b


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_zeros_keep_their_order(dtype):
    rng = np.random.default_rng(1)
    for n in (5, 40, 600, 9000, 200_000):
        host = rng.choice(np.array([0.0, -0.0, 1.0, -1.0, np.nan], dtype), n)
        check(lambda xp, a=host: xp.sort(xp.array(a), kind="stable"), label=f"{dtype} {n}")


@pytest.mark.parametrize("dtype", FLOATS)
def test_nans_keep_their_bits(dtype):
    bits = np.dtype(f"u{np.dtype(dtype).itemsize}")
    for n in (10, 300, 5000, 200_000):
        host = np.random.default_rng(n).integers(0, 256, n * bits.itemsize, dtype=np.uint8).view(bits)
        host[::3] |= np.array(np.nan, dtype).view(bits)
        got = cp.asnumpy(cp.sort(cp.array(host.view(dtype)))).view(bits)
        assert np.array_equal(np.sort(got), np.sort(host)), f"{dtype} {n}: bit patterns came or went"


@pytest.mark.parametrize(
    "make",
    [
        lambda n: np.arange(n),
        lambda n: np.arange(n)[::-1],
        lambda n: np.zeros(n),
        lambda n: np.arange(n) % 2,
        lambda n: np.arange(n) % 1000,
        lambda n: np.concatenate([np.zeros(n - 1), [-1]]),
        lambda n: np.concatenate([np.arange(n // 2), np.arange(n - n // 2)[::-1]]),
        lambda n: 2.0 ** (np.arange(n) % 30) * np.random.default_rng(0).integers(-1, 2, n),
        lambda n: (np.arange(n) % 3 - 1) * (2**40) + np.arange(n) % 7,
    ],
)
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_patterns(dtype, make):
    for n in (100, 1000, 200_000):
        host = make(n).astype(dtype)
        check(lambda xp, a=host: xp.sort(xp.array(a)), label=f"sort {n}")
        check(lambda xp, a=host: xp.argsort(xp.array(a), kind="stable"), label=f"argsort {n}")


def test_bfloat16():
    rng = np.random.default_rng(0)
    for n in (20, 700, 30_000, 200_000):
        host = bf16_round(rng.permutation(np.resize(special_values("float32"), n)))
        order = np.argsort(host, kind="stable")
        assert np.array_equal(to_numpy(cp.argsort(bf16_array(host))), order)
        assert np.array_equal(to_numpy(cp.sort(bf16_array(host))), host[order], equal_nan=True)
        queries = bf16_round(rng.standard_normal(50).astype(np.float32))
        finite = np.sort(host)
        got = cp.searchsorted(bf16_array(finite), bf16_array(queries))
        assert np.array_equal(to_numpy(got), np.searchsorted(finite, queries))


# ---------------------------------------------------------------------------------------------------------
# Partitioning: the order on either side is nobody's promise, so the promise itself is checked


def check_partitioned(got, host, kth, axis, label):
    got, host = np.moveaxis(got, axis, -1), np.moveaxis(host, axis, -1)
    # NumPy 2.4's quicksort of float16 leaves long arrays out of order.
    ordered = np.sort(host, axis=-1, kind="stable")
    np.testing.assert_array_equal(np.sort(got, axis=-1, kind="stable"), ordered, err_msg=label)
    for k in kth:
        np.testing.assert_array_equal(got[..., k], ordered[..., k], err_msg=label)
    edges = sorted({k % got.shape[-1] for k in kth})
    for low, high in zip([0, *edges], [*edges, got.shape[-1]], strict=True):
        part = np.sort(got[..., low:high], axis=-1, kind="stable")
        np.testing.assert_array_equal(part, ordered[..., low:high], err_msg=label)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_partition_and_argpartition(dtype):
    for n in (1, 2, 9, 100, 300, 1000, 5000, 200_001):
        host = mixed(dtype, n, seed=n)
        for kth in ([0], [n - 1], [n // 2], [-1], sorted({0, n // 3, n // 2, n - 1}), [n // 2, 0]):
            kth = list(dict.fromkeys(kth))
            label = f"{dtype} {n} {kth}"
            a = cp.array(host)
            check_partitioned(cp.asnumpy(cp.partition(a, kth)), host, kth, 0, label)
            order = cp.asnumpy(cp.argpartition(a, kth))
            assert np.array_equal(np.sort(order), np.arange(n)), label
            check_partitioned(host[order], host, kth, 0, label)
            a.partition(kth)
            check_partitioned(cp.asnumpy(a), host, kth, 0, label)


@pytest.mark.parametrize("layout", ["C", "F", "strided", "negative", "broadcast rows"])
def test_partition_axes(layout):
    host = mixed("float64", 30 * 40).reshape(30, 40)
    if layout == "broadcast rows":
        host = np.broadcast_to(host[:1], host.shape)
    a = LAYOUTS[layout](cp, host)
    for axis in (0, 1, -1):
        check_partitioned(cp.asnumpy(cp.partition(a, 7, axis=axis)), host, [7], axis, f"{layout} {axis}")
        order = cp.asnumpy(cp.argpartition(a, 7, axis=axis))
        values = np.take_along_axis(host, order, axis)
        check_partitioned(values, host, [7], axis, f"{layout} {axis}")
    check_partitioned(cp.asnumpy(cp.partition(a, 7, axis=None)), host.ravel(), [7], 0, layout)


# ---------------------------------------------------------------------------------------------------------
# Searching


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_searchsorted(dtype, side):
    for n in (0, 1, 2, 5, 16, 100, 1000):
        host = np.sort(mixed(dtype, n))
        for needles in (mixed(dtype, 77, seed=5), host):
            check(
                lambda xp, a=host, v=needles: xp.searchsorted(xp.array(a), xp.array(v), side=side),
                label=f"{dtype} {n}",
            )


@pytest.mark.parametrize("side", ["left", "right"])
@twin()
def test_searchsorted_shapes_and_layouts(xp, side):
    a = xp.array(np.sort(mixed("float32", 5000)))
    v = xp.array(mixed("float32", 9 * 4000, seed=3).reshape(9, 4000))
    order = np.random.default_rng(0).permutation(5000)
    shuffled = xp.array(np.sort(mixed("float32", 5000)))[order]
    return (
        a.searchsorted(v, side),
        xp.searchsorted(a[::7], v.T, side),
        xp.searchsorted(a[::-1], v[:, ::-5], side, sorter=xp.arange(4999, -1, -1)),
        xp.searchsorted(shuffled, v, side, sorter=xp.argsort(shuffled, kind="stable")),
        xp.searchsorted(a, 0.5, side),
        xp.searchsorted(a, v[:0], side),
        xp.searchsorted(xp.array([1, 2, 3], dtype="int8"), xp.array([1.5, 300.0]), side),
        xp.searchsorted(xp.array([0.1, 0.2], dtype="float32"), 0.1, side),
        xp.searchsorted(xp.array([1, 2, 3], dtype="uint64"), xp.array([-1, 2]), side),
        xp.searchsorted([1, 2, 3], [[2], [4]], side),
    )


@twin()
def test_lexsort(xp):
    rng = np.random.default_rng(0)
    a, b, c = (xp.array(rng.integers(0, 4, (6, 50))) for _ in range(3))
    return (
        xp.lexsort((a, b, c)),
        xp.lexsort((a, b, c), axis=0),
        xp.lexsort((a,)),
        xp.lexsort(xp.array(rng.integers(0, 3, (3, 40)))),
        xp.lexsort((a[0].astype("float32"), b[0], c[0] > 1)),
        xp.lexsort((xp.array(5), xp.array(6))),
        xp.lexsort((xp.zeros((0,)), xp.zeros((0,)))),
    )


@pytest.mark.parametrize("dtype", ALL_DTYPES)
@twin()
def test_sort_complex(xp, dtype):
    return xp.sort_complex(xp.array(mixed(dtype, 60).reshape(6, 10)))


# ---------------------------------------------------------------------------------------------------------
# Arguments


CALLS = {
    "0-d": raising(np.exceptions.AxisError, lambda xp: xp.sort(xp.array(5))),
    "0-d flat": lambda xp: xp.sort(xp.array(5), axis=None),
    "0-d argsort": lambda xp: xp.argsort(xp.array(5)),
    "0-d argsort axis 1": raising(np.exceptions.AxisError, lambda xp: xp.argsort(xp.array(5), axis=1)),
    "0-d argpartition": lambda xp: xp.argpartition(xp.array(5), 0),
    "0-d partition": raising(np.exceptions.AxisError, lambda xp: xp.partition(xp.array(5), 0)),
    "0-d method": raising(np.exceptions.AxisError, lambda xp: xp.array(5).sort()),
    "0-d argsort method": lambda xp: xp.array(5).argsort(),
    "list": lambda xp: xp.sort([[3, 1], [2, 5]]),
    "empty axis": lambda xp: (xp.sort(xp.zeros((3, 0))), xp.argsort(xp.zeros((3, 0)), axis=0)),
    "axis": raising(np.exceptions.AxisError, lambda xp: xp.sort(xp.zeros((2, 3)), axis=5)),
    "axis float": raising(TypeError, lambda xp: xp.sort(xp.zeros((2, 3)), axis=1.0)),
    "method axis None": raising(TypeError, lambda xp: xp.zeros(3).sort(None)),
    "argsort method axis None": lambda xp: xp.array([[3, 1], [2, 0]]).argsort(None),
    "kind": raising(ValueError, lambda xp: xp.sort(xp.zeros(3), kind="bubble")),
    "kind int": raising(TypeError, lambda xp: xp.sort(xp.zeros(3), kind=3)),
    "kind letter": lambda xp: xp.sort(xp.array([2, 1]), kind="q"),
    "heapsort": lambda xp: xp.sort(xp.array([2, 1]), kind="heapsort"),
    "kind and stable": raising(ValueError, lambda xp: xp.sort(xp.zeros(3), kind="stable", stable=True)),
    "stable": lambda xp: xp.sort(xp.array([2, 1]), stable=True),
    "order": raising(ValueError, lambda xp: xp.sort(xp.zeros(3), order="f")),
    "argsort order": raising(ValueError, lambda xp: xp.argsort(xp.zeros(3), order="f")),
    "argsort kind": raising(ValueError, lambda xp: xp.argsort(xp.zeros(3), kind="bubble")),
    "kth beyond": raising(ValueError, lambda xp: xp.partition(xp.zeros(3), 3)),
    "kth before": raising(ValueError, lambda xp: xp.partition(xp.zeros(3), -4)),
    "kth of nothing": lambda xp: xp.partition(xp.zeros(0), 3),
    "kth of no lines": lambda xp: xp.argpartition(xp.zeros((3, 0)), 7, axis=0),
    "kth float": raising(TypeError, lambda xp: xp.partition(xp.zeros(3), 1.0)),
    "kth bool": raising(ValueError, lambda xp: xp.partition(xp.zeros(3), True)),
    "kth empty list": raising(TypeError, lambda xp: xp.partition(xp.zeros(3), [])),
    "kth empty ints": lambda xp: xp.partition(xp.array([3, 1]), np.array([], int)),
    "kth 2-d": raising(ValueError, lambda xp: xp.partition(xp.zeros(3), [[0, 1]])),
    "select kind": raising(ValueError, lambda xp: xp.partition(xp.zeros(3), 0, kind="quick")),
    "partition order": raising(ValueError, lambda xp: xp.partition(xp.zeros(3), 0, order="f")),
    "partition method axis None": raising(TypeError, lambda xp: xp.zeros(3).partition(0, axis=None)),
    "search 0-d": raising(ValueError, lambda xp: xp.searchsorted(xp.array(3), 1)),
    "search 2-d": raising(ValueError, lambda xp: xp.searchsorted(xp.zeros((2, 2)), 1)),
    "side": raising(ValueError, lambda xp: xp.searchsorted(xp.zeros(2), 1, side="middle")),
    "side None": raising(TypeError, lambda xp: xp.searchsorted(xp.zeros(2), 1, side=None)),
    "side letter": raising(ValueError, lambda xp: xp.searchsorted(xp.zeros(2), 1, side="l")),
    "sorter size": raising(ValueError, lambda xp: xp.searchsorted(xp.zeros(2), 1, sorter=[0])),
    "sorter beyond": raising(ValueError, lambda xp: xp.searchsorted(xp.zeros(2), 1, sorter=[0, 2])),
    "sorter negative": raising(ValueError, lambda xp: xp.searchsorted(xp.zeros(2), 1, sorter=[0, -1])),
    "sorter float": raising(TypeError, lambda xp: xp.searchsorted(xp.zeros(2), 1, sorter=[0.0, 1.0])),
    "sorter bool": raising(
        TypeError, lambda xp: xp.searchsorted(xp.zeros(2), 1, sorter=np.array([True, False]))
    ),
    "sorter 2-d": raising(TypeError, lambda xp: xp.searchsorted(xp.zeros(2), 1, sorter=[[0, 1]])),
    "lexsort of nothing": raising(TypeError, lambda xp: xp.lexsort([])),
    "lexsort shapes": raising(ValueError, lambda xp: xp.lexsort((xp.zeros(2), xp.zeros(3)))),
    "lexsort axis": raising(
        np.exceptions.AxisError, lambda xp: xp.lexsort((xp.zeros(2), xp.zeros(2)), axis=1)
    ),
    "lexsort 0-d": raising(TypeError, lambda xp: xp.lexsort(xp.array(5))),
    "sort_complex 0-d": raising(np.exceptions.AxisError, lambda xp: xp.sort_complex(xp.array(5))),
}


@pytest.mark.parametrize("case", CALLS)
def test_arguments(case):
    check(CALLS[case], label=case)


def test_read_only_arrays_are_not_sorted():
    a = cp.broadcast_to(cp.array([2, 1]), (3, 2))
    with pytest.raises(ValueError, match="sort: "):
        a.sort()
    with pytest.raises(ValueError, match="partition: "):
        a.partition(0)


@pytest.mark.parametrize("simd", ["portable", "avx2", "avx512"])
def test_every_instruction_set_and_one_thread(simd):
    code = """
    rng = np.random.default_rng(0)
    for dtype in ("u1", "i2", "f2", "i4", "u4", "f4", "i8", "u8", "f8", "c8", "c16"):
        for n in (1, 5, 30, 100, 257, 1000, 3333, 200_000):
            bits = rng.integers(0, 256, n * np.dtype(dtype).itemsize, dtype=np.uint8).view(dtype)
            for host in (bits, rng.integers(-5, 6, n).astype(dtype)):
                want = np.argsort(host, kind="stable")
                assert np.array_equal(cp.asnumpy(cp.argsort(cp.array(host))), want), (dtype, n)
                equal_nan = {"equal_nan": True} if np.dtype(dtype).kind in "fc" else {}
                got = cp.asnumpy(cp.sort(cp.array(host)))
                assert np.array_equal(got, host[want], **equal_nan), (dtype, n)
                middle = cp.asnumpy(cp.partition(cp.array(host), n // 2))[n // 2 : n // 2 + 1]
                assert np.array_equal(middle, host[want][n // 2 : n // 2 + 1], **equal_nan), (dtype, n)
    print("same")
    """
    assert fresh_python(code, CUPRUM_SIMD=simd, CUPRUM_THREADS=1) == "same"
