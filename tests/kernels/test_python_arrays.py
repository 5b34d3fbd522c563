"""Arrays in Python kernels: layouts, negative indices, slices, records, attributes, constant arrays."""

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.numba import cuda

WEIGHTS = np.array([0.25, 0.5, 0.25])
PRIMES = np.array([[2, 3, 5], [7, 11, 13]], np.int32)


@cuda.jit
def negative_indices(a, b, out):
    out[-1] = a[-1]
    out[-2] = b[-1, -2]
    i = -3
    out[i] = a[i]


def test_negative_indices_count_from_the_end():
    a, b, out = np.arange(5.0), np.arange(12.0).reshape(3, 4), np.zeros(4)
    negative_indices[1, 1](a, b, out)
    assert out.tolist() == [0, 2, 10, 4]


@cuda.jit
def transposed_copy(a, out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = a[i, j]


LAYOUTS = {
    "C": lambda a: a,
    "F": np.asfortranarray,
    "T": lambda a: a.T,
    "steps": lambda a: a[::2, ::-1],
    "rows": lambda a: a[1:3],
    "broadcast": lambda a: np.broadcast_to(a[0], a.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_of_host_arrays(layout):
    a = LAYOUTS[layout](np.arange(24.0).reshape(4, 6))
    out = np.zeros(a.shape)
    transposed_copy[(1, 1), (8, 8)](a, out)
    np.testing.assert_array_equal(out, a)


@pytest.mark.parametrize("layout", ["C", "T", "steps", "rows"])
def test_layouts_of_device_arrays(layout):
    views = {**LAYOUTS, "T": lambda a: a.T}
    a = cp.arange(24.0).reshape(4, 6)
    view = views[layout](a)
    out = cp.zeros(view.shape)
    transposed_copy[(1, 1), (8, 8)](view, out)
    np.testing.assert_array_equal(cp.asnumpy(out), cp.asnumpy(view))


@cuda.jit
def written_through(a):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        a[i, j] = i * 10 + j


def test_strided_views_are_written_through():
    host = np.full((4, 6), -1.0)
    written_through[(1, 1), (8, 8)](host[::2, 1::2])
    expected = np.full((4, 6), -1.0)
    expected[::2, 1::2] = [[0, 1, 2], [10, 11, 12]]
    np.testing.assert_array_equal(host, expected)
    device = cp.full((4, 6), -1.0)
    written_through[(1, 1), (8, 8)](device[::2, 1::2])
    np.testing.assert_array_equal(cp.asnumpy(device), expected)


@pytest.mark.parametrize("dtype", [np.float64, np.int16])
def test_one_kernel_takes_arrays_of_any_steps(dtype):
    """A kernel that is compiled already is found by the types: each launch brings its own steps."""
    views = [
        lambda a: a[::2, 1::2],
        lambda a: a[::-1],
        lambda a: a.T,
        lambda a: a[:, ::-3],
        lambda a: a[1:3, 2:5],
        lambda a: a,
        lambda a: a[:0, ::2],
    ]
    for view in [*views, *views]:
        host = np.full((6, 9), -1, dtype)
        device = cp.asarray(host)
        part = view(host)
        part[...] = np.add.outer(np.arange(part.shape[0]) * 10, np.arange(part.shape[1]))
        written_through[(1, 1), (10, 10)](view(device))
        np.testing.assert_array_equal(cp.asnumpy(device), host)


@cuda.jit
def slices(a, out):
    b = a[1:4]
    out[0] = b[0] + b.shape[0]
    c = a[::-1]
    out[1] = c[0] * 100 + c[1]
    d = a[-3:]
    out[2] = d[0] + d.size
    e = a[10:20]
    out[3] = e.shape[0]
    start = 2
    f = a[start : start + 2]
    out[4] = f[1]
    g = a[::3]
    out[5] = g[1] + g.shape[0]
    h = b[1:]
    out[6] = h[0]
    k = a[4:1:-1]
    out[7] = k[0] * 10 + k.shape[0]


def test_slices_are_views():
    a, out = np.arange(8.0), np.zeros(8)
    slices[1, 1](a, out)
    assert out.tolist() == [4, 706, 8, 0, 3, 6, 2, 43]


@cuda.jit
def planes(a, out):
    plane = a[1]
    out[0] = plane[2, 3]
    column = a[0, :, 1]
    out[1] = column[2]
    block = a[:, 1:3, ::2]
    out[2] = block[1, 1, 1]
    out[3] = block.shape[0] * 100 + block.shape[1] * 10 + block.shape[2]
    row = plane[0]
    row[0] = -1.0
    out[4] = a[1, 0, 0]
    t = plane.T
    out[5] = t[3, 2]
    out[6] = a.ndim * 10000 + a.size * 10 + len(a)
    out[7] = block.strides[2] + a.itemsize


def test_views_of_more_axes():
    a, out = np.arange(24.0).reshape(2, 3, 4), np.zeros(8)
    expected = [23, 9, a[:, 1:3, ::2][1, 1, 1], 222, -1, 23, 30242, 24]
    planes[1, 1](a, out)
    assert out.tolist() == expected


@cuda.jit
def filled(a, value):
    i = cuda.grid(1)
    if i < a.shape[0]:
        a[i, :] = value
        a[i, 1:3] = -1


def test_a_number_fills_a_slice():
    a = np.zeros((3, 4))
    filled[1, 4](a, 2.5)
    np.testing.assert_array_equal(a, [[2.5, -1, -1, 2.5]] * 3)


@cuda.jit
def zero_axes(a, out):
    out[()] = a[()] * 2


def test_arrays_without_axes():
    a, out = np.array(4.5), np.array(0.0)
    zero_axes[1, 1](a, out)
    assert out == 9


POINT = np.dtype([("x", np.float32), ("n", np.int32), ("y", np.float64)], align=True)


@cuda.jit
def records(a, out):
    i = cuda.grid(1)
    if i < a.size:
        p = a[i]
        out[i] = p.x + p["y"] * p.n
        a[i].n += 1
        p.y = -p.y
        a[i]["x"] = i


def test_records():
    a = np.zeros(5, POINT)
    a["x"], a["n"], a["y"] = np.arange(5) + 0.5, np.arange(5), 2.0
    out = np.zeros(5)
    records[1, 32](a, out)
    np.testing.assert_array_equal(out, np.arange(5) + 0.5 + 2.0 * np.arange(5))
    np.testing.assert_array_equal(a["n"], np.arange(5) + 1)
    np.testing.assert_array_equal(a["y"], np.full(5, -2.0))
    np.testing.assert_array_equal(a["x"], np.arange(5))


NESTED = np.dtype([("id", np.int64), ("v", np.float64, (3,)), ("p", POINT)], align=True)


@cuda.jit
def nested_records(a, b):
    i = cuda.grid(1)
    if i < a.size:
        r = a[i]
        b[i].id = r.id * 2
        b[i].v[2] = r.v[0] + r.v[1]
        b[i].p.x = r.p.y


def test_records_with_arrays_and_records():
    a, b = np.zeros(2, NESTED), np.zeros(2, NESTED)
    a["id"], a["v"] = [3, 4], [[1, 2, 0], [5, 6, 0]]
    a["p"]["y"] = [1.5, 2.5]
    nested_records[1, 2](a, b)
    assert b["id"].tolist() == [6, 8]
    assert b["v"][:, 2].tolist() == [3, 11]
    assert b["p"]["x"].tolist() == [1.5, 2.5]


@cuda.jit
def record_copied(a, b):
    i = cuda.grid(1)
    if i < a.size:
        b[i] = a[a.size - 1 - i]


def test_whole_records_are_copied():
    a, b = np.zeros(3, NESTED), np.zeros(3, NESTED)
    a["id"], a["v"] = [1, 2, 3], np.arange(9).reshape(3, 3)
    a["p"]["n"] = [4, 5, 6]
    record_copied[1, 3](a, b)
    np.testing.assert_array_equal(b, a[::-1])


@cuda.jit
def record_argument(r, out):
    out[0] = r.x + r.y
    r.n = 7


def test_a_record_is_an_argument():
    a, out = np.zeros(1, POINT), np.zeros(1)
    a["x"], a["y"] = 1.5, 2.0
    record = a[0]
    record_argument[1, 1](record, out)
    assert out[0] == 3.5 and record["n"] == 7


@cuda.jit
def smoothed(a, out):
    i = cuda.grid(1)
    weights = cuda.const.array_like(WEIGHTS)
    if 0 < i < a.size - 1:
        total = 0.0
        for k in range(3):
            total += weights[k] * a[i + k - 1]
        out[i] = total + PRIMES[1, 2] + PRIMES.shape[1]


def test_constant_arrays():
    a, out = np.arange(8.0) ** 2, np.zeros(8)
    smoothed[1, 32](a, out)
    expected = np.convolve(a, WEIGHTS, "valid") + 13 + 3
    np.testing.assert_allclose(out[1:-1], expected)


@cuda.jit
def local_arrays(a, out):
    i = cuda.grid(1)
    if i < a.shape[0]:
        own = cuda.local.array((2, 3), np.float64)
        own[:, :] = 0.0
        for j in range(a.shape[1]):
            own[j % 2, j % 3] += a[i, j]
        total = 0.0
        for r in range(2):
            for c in range(3):
                total += own[r, c] * (r + 1) * (c + 1)
        out[i] = total


def test_local_arrays():
    a = np.random.default_rng(1).random((6, 12))
    out = np.zeros(6)
    local_arrays[1, 32](a, out)
    j = np.arange(12)
    np.testing.assert_allclose(out, (a * ((j % 2 + 1) * (j % 3 + 1))).sum(axis=1))


@pytest.mark.no_gpu
def test_an_index_beyond_the_array_stops_the_kernel():
    @cuda.jit
    def beyond(a):
        i = cuda.grid(1)
        a[i] = 1.0

    with pytest.raises((IndexError, RuntimeError)) as raised:
        beyond[1, 8](np.zeros(5))
    text = str(raised.value)
    assert (
        text.startswith("beyond: ") and f"{__file__}:" in text and "thread (5,0,0) of block (0,0,0)" in text
    )
    assert "index 5 of axis 0 of a, which has size 5" in text


def test_read_only_arrays_cannot_be_written():
    a = np.arange(4.0)
    a.flags.writeable = False
    out = np.zeros(4)
    copy_of[1, 4](a, out)
    assert out.tolist() == [0, 1, 2, 3]
    with pytest.raises(TypeError, match="cannot be written"):
        copy_of[1, 4](out, a)


@cuda.jit
def copy_of(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i]


@cuda.jit
def empty_is_fine(a, out):
    out[0] = a.size + a.shape[1]


def test_empty_arrays():
    out = np.zeros(1)
    empty_is_fine[1, 1](np.zeros((0, 3)), out)
    assert out[0] == 3


@cuda.jit
def both_parts(points, out):
    i = cuda.grid(1)
    xs, ys = points
    if i < xs.size:
        out[i] = xs[i] - ys[i]


def test_tuples_of_arrays_are_arguments():
    out = np.zeros(3)
    both_parts[1, 3]((np.arange(3.0), np.ones(3)), out)
    assert out.tolist() == [-1, 0, 1]


def test_addresses_of_arrays():
    @cuda.jit
    def addresses(a, out):
        own = cuda.local.array(3, np.float64, alignment=64)
        own[0] = 1
        out[0] = a.ctypes.data
        out[1] = own.ctypes.data % 64
        out[2] = a[2:].ctypes.data - a.ctypes.data

    a, out = cp.zeros(5), cp.zeros(3, "uint64")
    addresses[1, 1](a, out)
    assert cp.asnumpy(out).tolist() == [a.data.ptr, 0, 16]


def test_a_single_element_is_a_number():
    @cuda.jit
    def plus(x, out):
        out[0] = x + 1

    a, out = cp.arange(4.0), cp.zeros(1)
    plus[1, 1](a[2], out)
    assert out.tolist() == [3]
    plus[1, 1](a.astype("int32")[3], out)
    assert out.tolist() == [4]
