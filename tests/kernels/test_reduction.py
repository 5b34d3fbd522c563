"""ReductionKernel: shapes and axes, types, identities and what is refused."""

import pickle

import numpy as np
import pytest

import cuprum as cp

SHAPES = [
    ((7,), None),
    ((100_000,), None),
    ((3, 3), None),
    ((300, 700), 0),
    ((300, 700), 1),
    ((300, 700), (0, 1)),
    ((5, 200, 3), (0, 2)),
    ((5, 200, 3), 1),
    ((5, 5000), -1),
    ((20, 2000, 10), 1),
    ((6000, 70), 0),
    ((70, 6000), 0),
    ((6000, 70), 1),
    ((1, 1), 0),
    ((), None),
    ((4, 5), ()),
]


def norm():
    return cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("shape, axis", SHAPES)
def test_shapes_and_axes(shape, axis, keepdims):
    x = np.random.default_rng(0).standard_normal(shape)
    got = norm()(cp.asarray(x), axis=axis, keepdims=keepdims)
    wanted = np.sqrt((x * x).sum(axis=axis, keepdims=keepdims))
    assert got.shape == wanted.shape
    np.testing.assert_allclose(cp.asnumpy(got), wanted, rtol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 255, 256, 257, 1000, 16384, 70_001])
def test_without_an_identity(n):
    largest = cp.ReductionKernel("T x", "T y", "x", "a > b ? a : b", "y = a", None, "largest")
    x = -np.random.default_rng(n).random(n) - 1
    assert float(largest(cp.asarray(x))) == x.max()
    rows = np.stack([x, x * 2, x - 3])
    np.testing.assert_array_equal(cp.asnumpy(largest(cp.asarray(rows), axis=1)), rows.max(1))
    np.testing.assert_array_equal(cp.asnumpy(largest(cp.asarray(rows), axis=0)), rows.max(0))


@pytest.mark.parametrize(
    "view", [lambda a: a.T, lambda a: a[::2, ::-1], lambda a: a[:, 1:2], lambda a: a[None]]
)
def test_any_strides(view):
    host = np.random.default_rng(3).standard_normal((40, 90))
    x = view(host)
    for axis in (None, 0, 1):
        got = norm()(view(cp.asarray(host)), axis=axis)
        np.testing.assert_allclose(cp.asnumpy(got), np.sqrt((x * x).sum(axis=axis)), rtol=1e-12)


def test_several_inputs_are_broadcast():
    dot = cp.ReductionKernel(
        "T x, T y, float64 scale", "float64 z", "x * y", "a + b", "z = a * scale", "0", "dot"
    )
    x, y = np.arange(12.0).reshape(3, 4), np.arange(4.0)
    got = dot(cp.asarray(x), cp.asarray(y), 2, axis=1)
    np.testing.assert_allclose(cp.asnumpy(got), (x * y).sum(1) * 2)
    got = dot(cp.asarray(x[:, :1]), cp.asarray(y), 1)
    np.testing.assert_allclose(cp.asnumpy(got), (x[:, :1] * y).sum())
    long = np.arange(50_000.0)
    np.testing.assert_allclose(float(dot(cp.asarray(long), cp.asarray(long), 3)), (long * long).sum() * 3)


def test_types_of_the_sum():
    total = cp.ReductionKernel(
        "T x", "T y", "x", "a + b", "y = (T)(a / 1000)", "0", "total", reduce_type="double"
    )
    x = np.full(100_000, 1000, "int16")
    assert int(total(cp.asarray(x[:30]))) == 30
    mean = cp.ReductionKernel(
        "T x", "float64 y", "(double)x", "a + b", "y = a / (_in_ind.size() / _out_ind.size())", "0", "mean"
    )
    np.testing.assert_allclose(cp.asnumpy(mean(cp.asarray(x.reshape(100, -1)), axis=1)), np.full(100, 1000.0))
    assert (
        int(
            cp.ReductionKernel("bool x", "int64 y", "x ? 1 : 0", "a + b", "y = a", "0", "count")(
                cp.asarray(np.arange(100_000) % 3 == 0)
            )
        )
        == 33334
    )


def test_structs_are_reduced():
    spread = cp.ReductionKernel(
        "T x",
        "T low, T high",
        "Range(x)",
        "joined(a, b)",
        "low = a.low, high = a.high",
        None,
        "spread",
        reduce_type="Range",
        preamble="""
        struct Range {
            float low, high;
            __device__ Range() {}
            __device__ Range(float x) : low(x), high(x) {}
        };
        __device__ Range joined(Range a, Range b) {
            Range c;
            c.low = a.low < b.low ? a.low : b.low;
            c.high = a.high > b.high ? a.high : b.high;
            return c;
        }
        """,
    )
    x = np.random.default_rng(5).standard_normal((20, 3000)).astype("float32")
    low, high = spread(cp.asarray(x), axis=1)
    np.testing.assert_array_equal(cp.asnumpy(low), x.min(1))
    np.testing.assert_array_equal(cp.asnumpy(high), x.max(1))
    low, high = spread(cp.asarray(x))
    assert (float(low), float(high)) == (x.min(), x.max())


def test_raw_arguments():
    weighted = cp.ReductionKernel("T x, raw T w", "T y", "x * w[_J]", "a + b", "y = a", "0", "weighted")
    x, w = np.arange(12.0).reshape(3, 4), np.array([1.0, 10.0, 100.0, 1000.0])
    np.testing.assert_array_equal(cp.asnumpy(weighted(cp.asarray(x), cp.asarray(w), axis=1)), x @ w)


@pytest.mark.parametrize("shape", [(3, 4), (300, 50)])
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("view", ["C", "F", "stepped", "backwards"])
def test_whole_arrays_of_other_layouts(shape, axis, view):
    """`_raw_x` is the array with the reduced axes first, whatever its strides."""
    low = cp.ReductionKernel(
        "T x, T w",
        "T y",
        "x * w + (_raw_x[0] - _raw_x[_raw_x.size() - 1]) + _raw_x[_j] * 0.5 + _raw_x.shape()[0]",
        "a + b",
        "y = a + _raw_y.size()",
        "0",
        "low",
    )
    host = np.arange(2.0 * shape[0] * 2 * shape[1]).reshape(2 * shape[0], 2 * shape[1]) % 17
    cut = {"stepped": np.s_[::2, 1::2], "backwards": np.s_[: shape[0], shape[1] - 1 :: -1]}
    x = np.array(host, order="F" if view == "F" else "C")[cut.get(view, np.s_[: shape[0], : shape[1]])]
    given = cp.array(host, order="F" if view == "F" else "C")[cut.get(view, np.s_[: shape[0], : shape[1]])]
    assert x.shape == given.shape == shape
    w = np.arange(float(shape[1]))
    got = cp.asnumpy(low(given, cp.asarray(w), axis=axis))
    moved = x if axis in (None, 0) else x.T
    flat = moved.ravel()
    extra = flat[0] - flat[-1] + moved.shape[0]
    want = (x * w + extra + x * 0.5).sum(axis) + got.size
    np.testing.assert_allclose(got, want, rtol=1e-13)


def test_outputs_that_are_given():
    x = np.arange(12.0).reshape(3, 4)
    out = cp.zeros((3, 2))[:, 0]
    assert norm()(cp.asarray(x), out, axis=1) is out
    np.testing.assert_allclose(cp.asnumpy(out), np.sqrt((x * x).sum(1)))
    out = cp.zeros((1, 4))
    assert norm()(cp.asarray(x), out=out, axis=0, keepdims=True) is out
    np.testing.assert_allclose(cp.asnumpy(out), np.sqrt((x * x).sum(0, keepdims=True)))


def test_results_are_the_same_every_time():
    x = cp.asarray(np.random.default_rng(7).standard_normal(300_000).astype("float32"))
    total = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
    first = cp.asnumpy(total(x)).tobytes()
    assert all(cp.asnumpy(total(x)).tobytes() == first for _ in range(5))


def test_nothing_to_reduce():
    assert float(norm()(cp.zeros(0))) == 0
    np.testing.assert_array_equal(cp.asnumpy(norm()(cp.zeros((3, 0)), axis=1)), np.zeros(3))
    assert norm()(cp.zeros((0, 3)), axis=1).shape == (0,)
    largest = cp.ReductionKernel("T x", "T y", "x", "a > b ? a : b", "y = a", None, "largest")
    with pytest.raises(ValueError, match="no identity"):
        largest(cp.zeros(0))


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda k: k(), TypeError, "takes 1 arguments, or 2 with outputs, got 0"),
        (lambda k: k(3.0), (ValueError, TypeError), "norm"),
        (lambda k: k(cp.zeros((2, 3)), axis=2), np.exceptions.AxisError, "norm"),
        (lambda k: k(cp.zeros((2, 3)), axis=(0, 0)), ValueError, "twice"),
        (lambda k: k(cp.zeros((2, 3)), cp.zeros(3), axis=1), ValueError, "output 'y' has shape"),
        (lambda k: k(cp.zeros((2, 3)), cp.zeros(2), out=cp.zeros(2), axis=1), ValueError, "out is given"),
        (lambda k: k(cp.zeros(3), out=cp.zeros((), "float32")), TypeError, "which is float32 here"),
        (lambda k: k(np.zeros(3)), TypeError, "cp.asarray"),
    ],
)
def test_wrong_calls(call, error, text):
    with pytest.raises(error, match=text):
        call(norm())


def test_kernels_are_pickled():
    kernel = pickle.loads(pickle.dumps(norm()))
    assert float(kernel(cp.array([3.0, 4.0]))) == 5
    assert "norm" in kernel.cached_code


@pytest.mark.parametrize("shape", [(64, 32), (65, 33), (129, 40), (5000, 100), (700, 4100), (3, 400, 50)])
@pytest.mark.parametrize("identity", ["-1e300", None])
def test_columns_are_reduced_in_parts(shape, identity):
    """Outputs whose elements lie side by side: whole and partial columns, with and without an identity."""
    largest = cp.ReductionKernel("T x", "T y", "x", "a > b ? a : b", "y = a", identity, "largest_of_column")
    x = np.random.default_rng(7).standard_normal(shape)
    axis = len(shape) - 2
    np.testing.assert_array_equal(cp.asnumpy(largest(cp.asarray(x), axis=axis)), x.max(axis))
    np.testing.assert_array_equal(
        cp.asnumpy(largest(cp.asarray(x)[..., ::2], axis=axis)), x[..., ::2].max(axis)
    )
    np.testing.assert_array_equal(cp.asnumpy(largest(cp.asarray(x), axis=-1)), x.max(-1))


def test_the_order_of_a_sum_is_that_of_256_sums():
    """Elements at a distance of 256 are added in order, then the sums by halves: NumPy's bits for that."""
    total = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total_in_order")
    for n in (65, 256, 300, 1000, 2048, 5000):
        x = np.random.default_rng(n).standard_normal(n).astype(np.float32)
        sums = np.zeros(256, np.float32)
        for first in range(0, n, 256):
            part = x[first : first + 256]
            sums[: len(part)] += part
        while len(sums) > 1:
            sums = sums[: len(sums) // 2] + sums[len(sums) // 2 :]
        assert float(total(cp.asarray(x))) == float(sums[0])
