"""ElementwiseKernel: types, broadcasting, raw arguments and what is refused."""

import pickle

import numpy as np
import pytest
from twin import fresh_python

import cuprum as cp

DTYPES = [
    "bool",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
]


def squared_difference():
    return cp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_difference")


@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_letters_take_every_dtype(dtype):
    x = np.array([1, 2, 3, 100], dtype)
    y = np.array([0, 1, 1, 95], dtype)
    got = squared_difference()(cp.asarray(x), cp.asarray(y))
    assert got.dtype == dtype
    np.testing.assert_array_equal(cp.asnumpy(got), ((x - y) * (x - y)).astype(dtype))


def test_booleans():
    flip = cp.ElementwiseKernel("bool x", "bool y", "y = !x", "flip")
    np.testing.assert_array_equal(cp.asnumpy(flip(cp.array([True, False]))), [False, True])


def test_halves_round_as_numpys_do():
    add = cp.ElementwiseKernel("T x, T y", "T z", "z = x + y", "add")
    rng = np.random.default_rng(1)
    x, y = (rng.standard_normal(3000) * 10.0 ** rng.integers(-8, 5, 3000)).reshape(2, -1).astype("float16")
    np.testing.assert_array_equal(cp.asnumpy(add(cp.asarray(x), cp.asarray(y))), x + y)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers(dtype):
    kernel = cp.ElementwiseKernel("T x, T y", "T z", "z = x * y + T(1, 2)", "product")
    x, y = np.array([1 + 2j, 3 - 1j], dtype), np.array([2 - 1j, 1j], dtype)
    np.testing.assert_allclose(cp.asnumpy(kernel(cp.asarray(x), cp.asarray(y))), x * y + (1 + 2j), rtol=1e-6)


def test_letters_of_several_kinds():
    kernel = cp.ElementwiseKernel("S x, T y", "T z, bool less", "z = y + (T)x; less = x < y", "mixed")
    z, less = kernel(cp.array([1, 5, 2], "int32"), cp.array([2.5, 2.5, 2.5]))
    assert z.dtype == "float64" and less.dtype == "bool"
    np.testing.assert_array_equal(cp.asnumpy(z), [3.5, 7.5, 4.5])
    np.testing.assert_array_equal(cp.asnumpy(less), [True, False, True])


def test_outputs_decide_letters_first():
    kernel = cp.ElementwiseKernel("", "T y", "y = (T)i", "positions")
    y = kernel(cp.empty((2, 3), "int16"))
    np.testing.assert_array_equal(cp.asnumpy(y), np.arange(6, dtype="int16").reshape(2, 3))


@pytest.mark.parametrize(
    "first, second",
    [
        ((3, 4), (3, 4)),
        ((3, 4), (4,)),
        ((3, 1), (1, 4)),
        ((), (5,)),
        ((2, 3, 4), (3, 1)),
        ((0, 3), (3,)),
        ((1,), (1,)),
    ],
)
def test_broadcasting(first, second):
    x = np.arange(np.prod(first), dtype=float).reshape(first)
    y = np.arange(np.prod(second), dtype=float).reshape(second) * 10
    got = squared_difference()(cp.asarray(x), cp.asarray(y))
    np.testing.assert_array_equal(cp.asnumpy(got), (x - y) ** 2)
    assert got.shape == np.broadcast_shapes(first, second)


@pytest.mark.parametrize("reduce_dims", [True, False])
@pytest.mark.parametrize(
    "view",
    [
        lambda a: a[::2],
        lambda a: a[::-1],
        lambda a: a.T,
        lambda a: a.transpose(1, 0, 2),
        lambda a: a[:, 1:3, ::-2],
        lambda a: a[:, None, :, :1],
        lambda a: a[1:2],
    ],
)
def test_any_strides(view, reduce_dims):
    kernel = cp.ElementwiseKernel("T x, T y", "T z", "z = x * 1000 + y", "join", reduce_dims=reduce_dims)
    host = np.arange(4 * 5 * 6, dtype=float).reshape(4, 5, 6)
    x, y = view(host), view(host[::-1])
    device = cp.asarray(host)
    got = kernel(view(device), view(device[::-1]))
    np.testing.assert_array_equal(cp.asnumpy(got), x * 1000 + y)
    out = cp.zeros((2, *x.shape))[0].T
    kernel(view(device).T, 7, out)
    np.testing.assert_array_equal(cp.asnumpy(out), (x * 1000 + 7).T)


def test_numbers_take_the_letters_dtype():
    kernel = cp.ElementwiseKernel("T x, T a, float64 b", "T y", "y = (T)(x * a + b)", "line")
    got = kernel(cp.arange(3, dtype="float32"), 2, np.int8(1))
    assert got.dtype == "float32"
    np.testing.assert_array_equal(cp.asnumpy(got), [1, 3, 5])


def test_raw_arguments():
    shift = cp.ElementwiseKernel("raw T x", "T y", "y = x[(i + 1) % n]", "shift")
    x = cp.arange(12).reshape(3, 4)
    y = shift(x, cp.empty(12, int))
    np.testing.assert_array_equal(cp.asnumpy(y), np.roll(np.arange(12), -1))
    y = shift(x.T, cp.empty(12, int))
    np.testing.assert_array_equal(cp.asnumpy(y), np.roll(np.arange(12).reshape(3, 4).T.ravel(), -1))


def test_raw_arguments_by_several_indices_and_their_shape():
    kernel = cp.ElementwiseKernel(
        "raw T x",
        "T y",
        """
        ptrdiff_t place[] = {i % x.shape()[0], i / x.shape()[0]};
        y = x[place] + (T)(x.size() * 100 + x.ndim);
        """,
        "transposed",
    )
    x = np.arange(6).reshape(2, 3)
    for array in (cp.asarray(x), cp.asarray(np.asfortranarray(x)), cp.asarray(np.repeat(x, 2, 0))[::2]):
        got = kernel(array, cp.empty(6, int))
        np.testing.assert_array_equal(cp.asnumpy(got), x.T.ravel() + 602)


def test_raw_outputs_and_size():
    kernel = cp.ElementwiseKernel("raw T x, int32 n", "raw T y", "y[n - 1 - i] = x[i]", "reverse")
    got = kernel(cp.arange(5.0), 5, size=5)
    np.testing.assert_array_equal(cp.asnumpy(got), np.arange(5.0)[::-1])
    y = cp.zeros(8)
    assert kernel(cp.arange(5.0), 5, y, size=5) is y
    np.testing.assert_array_equal(cp.asnumpy(y), [4, 3, 2, 1, 0, 0, 0, 0])


def test_atomics_on_raw_outputs():
    count = cp.ElementwiseKernel("int32 x", "raw int32 bins", "atomicAdd(&bins[x], 1)", "count")
    values = np.random.default_rng(0).integers(0, 10, 5000).astype("int32")
    bins = cp.zeros(10, "int32")
    count(cp.asarray(values), bins)
    np.testing.assert_array_equal(cp.asnumpy(bins), np.bincount(values))


def test_positions_along_axes():
    kernel = cp.ElementwiseKernel(
        "",
        "int32 y",
        "y = _ind.get()[0] * 100 + _ind.get()[1] + _ind.size() * 10000",
        "places",
        reduce_dims=False,
    )
    wanted = np.add.outer(np.arange(3) * 100, np.arange(4)) + 120000
    np.testing.assert_array_equal(cp.asnumpy(kernel(cp.empty((3, 4), "int32"))), wanted)
    np.testing.assert_array_equal(cp.asnumpy(kernel(cp.empty((4, 3), "int32").T)), wanted)


def test_texts_around_the_loop():
    kernel = cp.ElementwiseKernel(
        "raw T x",
        "T y, raw int32 ends",
        "y = kept + x[i]; if (i == 3) continue; y += more(1)",
        "around",
        preamble="__device__ int more(int k) { return k + STEP; }",
        loop_prep="T kept = x[0] * 10",
        after_loop="atomicAdd(&ends[0], 1)",
        options=("-DSTEP=4",),
    )
    y, ends = cp.zeros(5), cp.zeros(1, "int32")
    kernel(cp.arange(1.0, 6.0), y, ends, block_size=2)
    np.testing.assert_array_equal(cp.asnumpy(y), [16, 17, 18, 14, 20])
    assert int(ends[0]) == 6


def test_results():
    two = cp.ElementwiseKernel("T x", "T y, T z", "y = x; z = -x", "two")
    y, z = two(cp.arange(3))
    np.testing.assert_array_equal(cp.asnumpy(z), -np.arange(3))
    nothing = cp.ElementwiseKernel("T x", "T y", "y = x", "nothing", no_return=True)
    assert nothing(cp.arange(3), y) is None
    single = cp.ElementwiseKernel("T x", "T y", "y = x", "single", return_tuple=True)
    assert isinstance(single(cp.arange(3)), tuple)
    assert cp.ElementwiseKernel("T x", "T y", "y = x", "empty")(cp.zeros((0, 3))).shape == (0, 3)


def test_in_place():
    double = cp.ElementwiseKernel("T x", "T y", "y = x * 2", "twice")
    x = cp.arange(100_000.0)
    before = x + 1
    assert double(x, x) is x
    np.testing.assert_array_equal(cp.asnumpy(before), np.arange(100_000.0) + 1)
    np.testing.assert_array_equal(cp.asnumpy(x), np.arange(100_000.0) * 2)


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda k: k(cp.arange(3)), TypeError, "takes 2 arguments, or 3 with outputs, got 1"),
        (lambda k: k(cp.arange(3), cp.arange(3.0)), TypeError, "parameter 'y' is T, which is int64 here"),
        (lambda k: k(cp.arange(3), cp.arange(4)), ValueError, "could not be broadcast"),
        (lambda k: k(1, 2), ValueError, "give size="),
        (lambda k: k(cp.arange(3), 1, size=3), ValueError, "'size' can be given only"),
        (lambda k: k(cp.arange(3), 1, cp.empty(4, int)), ValueError, "could not be broadcast|has shape"),
        (lambda k: k(cp.arange(3), 1, 5), TypeError, "output 'z' must be an array"),
        (lambda k: k(np.arange(3), 1), TypeError, "cp.asarray"),
        (lambda k: k("text", cp.arange(3)), TypeError, "takes an array or a number"),
        (lambda k: k(cp.arange(3), 1j), TypeError, "complex"),
        (lambda k: k(cp.arange(3, dtype="int8"), 1000), OverflowError, "cannot hold 1000"),
        (lambda k: k(cp.arange(3), 1, block_size=0), ValueError, "block_size"),
        (lambda k: k(cp.arange(3), 1, other=2), TypeError, "other"),
    ],
)
def test_wrong_calls(call, error, text):
    kernel = squared_difference()
    with pytest.raises(error, match=text):
        call(kernel)


def test_wrong_kernels():
    with pytest.raises(ValueError, match="'i' is the element's position"):
        cp.ElementwiseKernel("T i", "T y", "y = i")
    with pytest.raises(ValueError, match="Invalid kernel name"):
        cp.ElementwiseKernel("T x", "T y", "y = x", "two words")
    with pytest.raises(ValueError, match="a type and a name"):
        cp.ElementwiseKernel("x", "T y", "y = x")
    with pytest.raises(ValueError, match="unknown keyword"):
        cp.ElementwiseKernel("const T x", "T y", "y = x")
    with pytest.raises(TypeError, match="no dtype"):
        cp.ElementwiseKernel("floatx x", "T y", "y = x")
    with pytest.raises(ValueError, match="same name"):
        cp.ElementwiseKernel("T x", "T x", "x = x")
    with pytest.raises(TypeError, match="the type T of parameter 'x' cannot be told"):
        cp.ElementwiseKernel("T x", "raw int32 y", "y[0] = x")(1, cp.zeros(1, "int32"), size=1)
    with pytest.raises(ValueError, match="raw output 'y' has no shape"):
        cp.ElementwiseKernel("T x", "raw T y", "y[i] = x")(cp.arange(3))


def test_compile_errors_name_the_operation():
    kernel = cp.ElementwiseKernel("T x", "T y", "y = x;\ny += unknown", "broken")
    with pytest.raises(cp.cuda.compiler.CompileException, match=r"broken\.operation[:(]2"):
        kernel(cp.arange(3))


def test_texts_are_shown_and_kernels_pickled():
    kernel = squared_difference()
    with pytest.warns(UserWarning, match="before the first call"):
        assert kernel.cached_codes == {}
    kernel(cp.arange(3), 1)
    assert "squared_difference" in kernel.cached_code
    assert len(kernel.cached_codes) == 1
    again = pickle.loads(pickle.dumps(kernel))
    np.testing.assert_array_equal(cp.asnumpy(again(cp.arange(3), 1)), [1, 0, 1])
    assert (kernel.nin, kernel.nout, kernel.nargs, kernel.name) == (2, 1, 3, "squared_difference")


def test_what_a_kernel_was_made_of_can_be_read():
    kernel = cp.ElementwiseKernel(
        "T x", "T y", "y = x + k", "shifted", loop_prep="int k = 2;", options=("-DN=1",), no_return=True
    )
    assert kernel.kwargs == {"options": ("-DN=1",), "loop_prep": "int k = 2;", "after_loop": ""}
    assert (kernel.nin, kernel.nout, kernel.nargs, kernel.no_return) == (1, 1, 2, True)
    assert cp.RawKernel('extern "C" __global__ void f() {}', "f").file_path is None


def test_a_looped_array_is_also_seen_as_a_whole():
    """`_raw_x` of a parameter that is not raw is the whole array, with its shape and strides."""
    kernel = cp.ElementwiseKernel(
        "raw T x, T z",
        "T y",
        """
        const long rows = _raw_y.shape()[0], columns = _raw_y.shape()[1];
        const long row = i / columns, column = i % columns;
        const long at[] = {rows - 1 - row, columns - 1 - column};
        y = x[at] + _raw_z[at] * 100 + _raw_y.size() + z;
        """,
        "turned",
        reduce_dims=False,
    )
    x = np.arange(12.0).reshape(3, 4)
    want = x[::-1, ::-1] + x[::-1, ::-1] * 100 + 12 + x
    np.testing.assert_array_equal(kernel(cp.asarray(x), cp.asarray(x)).get(), want)
    # Strided and broadcast operands have the loop's shape.
    np.testing.assert_array_equal(kernel(cp.asarray(x), cp.asarray(x.T.copy()).T).get(), want)
    row = cp.arange(4.0)
    got = kernel(cp.asarray(x), row, cp.empty((3, 4)))
    np.testing.assert_array_equal(got.get(), x[::-1, ::-1] + np.arange(4.0)[::-1] * 100 + 12 + np.arange(4.0))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_constants_and_atomics_of_floats_need_no_include(dtype):
    values = np.random.default_rng(4).normal(size=500).astype(dtype)
    extremes = cp.ElementwiseKernel(
        "T x",
        "raw T low, raw T high",
        "atomicMin(&low[0], x); atomicMax(&high[0], x)",
        "extremes",
        no_return=True,
    )
    low, high = cp.full(1, np.inf, dtype), cp.full(1, -np.inf, dtype)
    extremes(cp.asarray(values), low, high)
    assert low.item() == values.min() and high.item() == values.max()
    positive = cp.ElementwiseKernel("T x", "T y", "y = x > 0 ? x : (T)CUDART_NAN", "positive")
    np.testing.assert_array_equal(positive(cp.asarray(values)).get(), np.where(values > 0, values, np.nan))


def test_what_is_written_to_a_single_element_is_not_lost():
    """`a[i]` is a copy: as an output it is refused, and a view of the element is written."""
    double = cp.ElementwiseKernel("T x", "T y", "y = 2 * x", "double_it")
    total = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
    a = cp.zeros(3)
    for _ in range(2):
        double(cp.array(4.0), a[1, ...])
        with pytest.raises(ValueError, match=r"'y' is a single element"):
            double(cp.array(4.0), a[0])
        with pytest.raises(ValueError, match=r"'y' is a single element"):
            total(cp.arange(4.0), out=a[0])
    total(cp.arange(4.0), out=a[2, ...])
    assert a.tolist() == [0.0, 8.0, 6.0]


def test_single_elements_are_written_under_the_names_of_cupy():
    # In a process of its own: CuPy itself may have been imported into this one.
    fresh_python(
        """
        import pytest
        import cuprum.compat

        cuprum.compat.install()
        double = cp.ElementwiseKernel("T x", "T y", "y = 2 * x", "double_it")
        total = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
        a, b = cp.zeros(3), cp.zeros((2, 2))
        element, kept = a[0], a[1]
        double(cp.array(4.0), element)
        total(cp.arange(4.0), out=b[1, 0])
        last = a[2]
        assert cp.add(cp.array(1.0), 2.0, out=last) is last and last.item() == 3.0
        a[1] = 7.0
        assert a.tolist() == [8.0, 7.0, 3.0] and b.tolist() == [[0, 0], [6, 0]]
        # The element has what was written; another one stays the copy that it is.
        assert element.item() == 8.0 and kept.item() == 0.0
        code = 'extern "C" __global__ void store(double *p, double x) { *p = x; }'
        store = cp.RawKernel(code, "store")
        store((1,), (1,), (b[0, 1], a[2]))
        assert b.tolist() == [[0, 3], [6, 0]]
        cuprum.compat.uninstall()
        with pytest.raises(ValueError, match="single element"):
            double(cp.array(4.0), a[0])
        """
    )
