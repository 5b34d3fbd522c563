"""PyCUDA's arrays and the kernels made from expressions, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.pycuda import cumath, curandom, driver, gpuarray
from cuprum.compat.pycuda.compiler import SourceModule
from cuprum.compat.pycuda.elementwise import ElementwiseKernel
from cuprum.compat.pycuda.reduction import ReductionKernel
from cuprum.compat.pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel
from cuprum.compat.pycuda.tools import DeviceMemoryPool, dtype_to_ctype, parse_c_arg, register_dtype


@pytest.fixture
def rng():
    return np.random.default_rng(11)


def both(rng, shape=(20, 3), dtype=np.float32):
    host = (rng.random(shape) * 10 - 5).astype(dtype)
    return host, gpuarray.to_gpu(host)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.complex64])
def test_arithmetic(rng, dtype):
    a, x = both(rng, dtype=dtype)
    b, y = both(rng, dtype=dtype)
    b[b == 0] = 1
    y.set(b)
    pairs = [(a + b, x + y), (a - b, x - y), (a * b, x * y), (a / b, x / y), (-a, -x), (abs(a), abs(x))]
    pairs += [(a + dtype(2), x + dtype(2)), (dtype(2) - a, dtype(2) - x), (a * dtype(3), dtype(3) * x)]
    for expected, got in pairs:
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got.get(), expected, rtol=3e-7)


def test_arithmetic_in_place_keeps_the_memory(rng):
    a, x = both(rng)
    address = x.ptr
    x += gpuarray.to_gpu(a)
    x *= np.float32(2)
    x -= 1
    x /= 4
    assert x.ptr == address
    np.testing.assert_array_equal(x.get(), ((a + a) * np.float32(2) - 1) / 4)
    x **= 2
    x.fill(3)
    np.testing.assert_array_equal(x.get(), np.full_like(a, 3))


def test_comparisons_are_numbers_of_the_operands_type(rng):
    a, x = both(rng)
    b, y = both(rng)
    for operation in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"):
        got = getattr(x, operation)(y)
        assert got.dtype == np.float32
        np.testing.assert_array_equal(got.get(), getattr(a, operation)(b).astype(np.float32))
    np.testing.assert_array_equal((x > 1).get(), (a > 1).astype(np.float32))
    with pytest.raises(ValueError, match="ambiguous"):
        bool(x)


def test_views_share_memory(rng):
    a, x = both(rng, (6, 8))
    np.testing.assert_array_equal(x[1:5:2, ::-1].get(), a[1:5:2, ::-1])
    np.testing.assert_array_equal(x[-1].get(), a[-1])
    np.testing.assert_array_equal(x[..., 3].get(), a[..., 3])
    np.testing.assert_array_equal(x[None, 2:3].get(), a[None, 2:3])
    np.testing.assert_array_equal(x.T.get(), a.T)
    np.testing.assert_array_equal(x.reshape(4, -1).get(), a.reshape(4, -1))
    np.testing.assert_array_equal(x.view(np.int32).get(), a.view(np.int32))
    np.testing.assert_array_equal(x[2:3].squeeze().get(), a[2])
    x[2:4, 1] = 9
    x[0] = gpuarray.to_gpu(a[1])
    x[:, 7] = a[:, 6]
    a[2:4, 1], a[0] = 9, a[1].copy()
    a[:, 7] = [*a[:, 6]]
    assert x.get()[2, 1] == 9
    np.testing.assert_array_equal(x.get()[1:, :7], a[1:, :7])
    with pytest.raises(IndexError, match="out of bounds for axis 0 with size 6"):
        x[6]
    with pytest.raises(IndexError):
        x[0, 0, 0]


def test_orders_and_copies(rng):
    a = np.asfortranarray(rng.random((5, 4)))
    x = gpuarray.to_gpu(a)
    assert x.flags.f_contiguous and not x.flags.c_contiguous and x.strides == a.strides
    got = x.get()
    assert got.flags.f_contiguous
    np.testing.assert_array_equal(got, a)
    copy = x.copy()
    copy.fill(0)
    np.testing.assert_array_equal(x.get(), a)
    into = np.zeros((5, 4))
    assert x.get(into) is into
    np.testing.assert_array_equal(into, a)
    with pytest.raises(ValueError, match="same size"):
        x.set(np.zeros(3))
    with pytest.raises(ValueError, match="same dtype"):
        x.set(np.zeros((5, 4), np.float32))


def test_creation():
    np.testing.assert_array_equal(gpuarray.zeros((3, 2), np.float32).get(), np.zeros((3, 2), np.float32))
    np.testing.assert_array_equal(gpuarray.ones(4, np.int32).get(), np.ones(4, np.int32))
    x = gpuarray.empty((2, 3), np.float64)
    np.testing.assert_array_equal(gpuarray.ones_like(x).get(), np.ones((2, 3)))
    np.testing.assert_array_equal(gpuarray.zeros_like(x, np.int8).get(), np.zeros((2, 3), np.int8))
    np.testing.assert_array_equal(gpuarray.arange(3, 20, 4, dtype=np.int32).get(), np.arange(3, 20, 4))
    with pytest.warns(UserWarning, match="dtype"):
        gpuarray.arange(5)
    assert gpuarray.zeros(0, np.float32).get().shape == (0,)
    pool = DeviceMemoryPool()
    x = gpuarray.zeros(100_000, np.float32, allocator=pool.allocate)
    assert x.get().sum() == 0 and pool.active_bytes >= x.nbytes
    assert pool.managed_bytes >= pool.active_bytes


def test_reductions_and_selection(rng):
    a, x = both(rng, (1000,))
    b, y = both(rng, (1000,))
    # One rounding for each doubling of the length, and one of each product.
    tolerance = 12 * np.finfo(np.float32).eps * np.abs(a).sum()
    assert abs(float(gpuarray.sum(x).get()) - a.sum(dtype=np.float64)) < tolerance
    assert abs(float(gpuarray.dot(x, y).get()) - np.dot(a.astype(float), b)) < 5 * tolerance
    assert gpuarray.max(x).get() == a.max() and gpuarray.min(x).get() == a.min()
    indices = gpuarray.to_gpu(np.array([5, 1, 999, 5], np.int32))
    np.testing.assert_array_equal(gpuarray.take(x, indices).get(), a[[5, 1, 999, 5]])
    assert gpuarray.subset_max(indices, x).get() == a[[5, 1, 999]].max()
    np.testing.assert_array_equal(gpuarray.if_positive(x, x, y).get(), np.where(a > 0, a, b))
    np.testing.assert_array_equal(gpuarray.maximum(x, y).get(), np.maximum(a, b))
    np.testing.assert_array_equal(gpuarray.minimum(x, 0).get(), np.minimum(a, 0))
    np.testing.assert_array_equal(gpuarray.logical_and(x > 0, y > 0).get(), (a > 0) & (b > 0))
    np.testing.assert_array_equal(gpuarray.concatenate([x, y]).get(), np.concatenate([a, b]))
    np.testing.assert_array_equal(x.reverse().get(), a[::-1])
    np.testing.assert_array_equal(x.astype(np.int32).get(), a.astype(np.int32))


def test_complex_parts(rng):
    a = (rng.random(9) + 1j * rng.random(9)).astype(np.complex64)
    x = gpuarray.to_gpu(a)
    np.testing.assert_array_equal(x.real.get(), a.real)
    np.testing.assert_array_equal(x.imag.get(), a.imag)
    np.testing.assert_array_equal(x.conj().get(), a.conj())
    assert abs(x).dtype == np.float32


def test_functions_of_elements(rng):
    a = rng.random(100).astype(np.float32)
    x = gpuarray.to_gpu(a)
    for name in ("exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "floor", "ceil", "fabs", "log10"):
        np.testing.assert_allclose(getattr(cumath, name)(x).get(), getattr(np, name)(a), rtol=4e-7)
    np.testing.assert_allclose(cumath.acos(x).get(), np.arccos(a), rtol=4e-7)
    significands, exponents = cumath.frexp(x)
    np.testing.assert_array_equal(cumath.ldexp(significands, exponents).get(), a)
    out = gpuarray.empty_like(x)
    assert cumath.exp(x, out=out) is out


def test_random_arrays():
    x = curandom.rand((1000, 10), np.float32).get()
    assert x.dtype == np.float32 and 0 <= x.min() and x.max() < 1 and abs(x.mean() - 0.5) < 0.02
    generator = curandom.XORWOWRandomNumberGenerator(lambda n: gpuarray.to_gpu(np.full(n, 3, np.int32)))
    again = curandom.XORWOWRandomNumberGenerator(lambda n: gpuarray.to_gpu(np.full(n, 3, np.int32)))
    y = generator.gen_normal(20_000, np.float64).get()
    assert abs(y.mean()) < 0.05 and abs(y.std() - 1) < 0.05
    np.testing.assert_array_equal(y, again.gen_normal(20_000, np.float64).get())
    z = gpuarray.empty(10, np.uint32)
    generator.fill_uniform(z)
    assert len(set(z.get().tolist())) == 10


def test_elementwise_kernels(rng):
    a, x = both(rng, (500,))
    b, y = both(rng, (500,))
    z = gpuarray.empty_like(x)
    combine = ElementwiseKernel(
        "float a, float *x, float b, float *y, float *z", "z[i] = a*x[i] + b*y[i]", "lin"
    )
    combine(5, x, 6, y, z)
    np.testing.assert_allclose(z.get(), 5 * a.astype(float) + 6 * b, rtol=1e-6, atol=1e-5)
    z.fill(0)
    combine(1, x, 0, y, z, slice=slice(10, 400, 7))
    expected = np.zeros(500, np.float32)
    expected[10:400:7] = a[10:400:7]
    np.testing.assert_array_equal(z.get(), expected)
    combine(1, x, 0, y, z, range=slice(499, -1, -2))
    expected[499::-2] = a[499::-2]
    np.testing.assert_array_equal(z.get(), expected)
    with pytest.raises(TypeError, match="takes 5 arguments, got 4"):
        combine(5, x, 6, y)
    with pytest.raises(TypeError, match="'x' is of float32"):
        combine(5, gpuarray.zeros(5, np.float64), 6, y, z)


def test_elementwise_kernels_of_complex_numbers(rng):
    a = (rng.random(50) + 1j * rng.random(50)).astype(np.complex64)
    x = gpuarray.to_gpu(a)
    z = gpuarray.empty_like(x)
    kernel = ElementwiseKernel(
        "pycuda::complex<float> *x, pycuda::complex<float> *z",
        "z[i] = x[i] * x[i] + twice(x[i])",
        preamble="__device__ pycuda::complex<float> twice(pycuda::complex<float> v) { return v + v; }",
    )
    kernel(x, z)
    np.testing.assert_allclose(z.get(), a * a + a + a, rtol=1e-6)


@pytest.mark.parametrize("size", [1, 255, 5000, 3_000_000])
def test_reduction_kernels(rng, size):
    a, b = rng.integers(-100, 100, (2, size)).astype(np.int64)
    x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(b)
    dot = ReductionKernel(np.int64, "0", "a+b", "x[i]*y[i]", "long long *x, long long *y")
    result = dot(x, y)
    assert result.shape == () and result.get() == np.dot(a, b)
    largest = ReductionKernel(np.int64, "-9223372036854775807", "max(a, b)", arguments="long long *in")
    assert largest(x).get() == a.max()
    assert dot(gpuarray.zeros(0, np.int64), gpuarray.zeros(0, np.int64)).get() == 0


@pytest.mark.parametrize("size", [1, 7, 2048, 2049, 100_001])
def test_scans(rng, size):
    a = rng.integers(0, 50, size).astype(np.int32)
    inclusive = InclusiveScanKernel(np.int32, "a+b")
    np.testing.assert_array_equal(inclusive(gpuarray.to_gpu(a), "new").get(), np.cumsum(a))
    exclusive = ExclusiveScanKernel(np.int32, "a+b", 0)
    np.testing.assert_array_equal(exclusive(gpuarray.to_gpu(a)).get(), np.cumsum(a) - a)
    unsigned = np.arange(1, 9, dtype=np.uint32)
    sums = exclusive(gpuarray.to_gpu(unsigned))
    assert sums.dtype == np.uint32
    np.testing.assert_array_equal(sums.get(), unsigned.cumsum() - unsigned)
    with pytest.raises(TypeError, match="the scan is of int32, got float32"):
        inclusive(gpuarray.to_gpu(np.ones(4, np.float32)))
    running = InclusiveScanKernel(np.int32, "a > b ? a : b")
    np.testing.assert_array_equal(running(gpuarray.to_gpu(a)).get(), np.maximum.accumulate(a))


def test_an_associative_scan_that_does_not_commute(rng):
    # Maps x -> p*x + q modulo 2**32, one after the other.
    pair = np.dtype([("p", np.uint32), ("q", np.uint32)])
    register_dtype(pair, "affine_map")
    preamble = """
    struct affine_map { unsigned p, q; };
    __device__ affine_map then(affine_map a, affine_map b) {
        affine_map c; c.p = a.p * b.p; c.q = b.p * a.q + b.q; return c;
    }
    """
    maps = np.zeros(5000, pair)
    maps["p"], maps["q"] = rng.integers(0, 2**32, (2, 5000), dtype=np.uint32)
    result = InclusiveScanKernel(pair, "then(a, b)", preamble=preamble)(gpuarray.to_gpu(maps)).get()
    p, q = 1, 0
    for i, one in enumerate(maps):
        p, q = p * int(one["p"]) % 2**32, (int(one["p"]) * q + int(one["q"])) % 2**32
        assert (int(result["p"][i]), int(result["q"][i])) == (p, q)


def test_vector_types_are_structs():
    vec = gpuarray.vec
    assert vec.float4.itemsize == 16 and vec.make_int2(3, 4)["y"] == 4
    points = np.array([(1, 2, 3, 0), (4, 5, 6, 0)], vec.float4)
    text = (
        "__global__ void shift(float4 *p, float4 by) { p[threadIdx.x].x += by.x; p[threadIdx.x].w = by.w; }"
    )
    x = gpuarray.to_gpu(points)
    SourceModule(text).get_function("shift")(x, vec.make_float4(10, 0, 0, 7), block=(2, 1, 1))
    got = x.get()
    np.testing.assert_array_equal(got["x"], [11, 14])
    np.testing.assert_array_equal(got["w"], [7, 7])
    with pytest.raises(TypeError, match="use a kernel"):
        x + x


def test_types_and_arguments_of_c():
    assert dtype_to_ctype(np.float32) == "float" and dtype_to_ctype(np.uint8) == "unsigned char"
    assert parse_c_arg("const unsigned int *x").dtype == np.uint32
    assert parse_c_arg("pycuda::complex<double> z").struct_char == "D"
    with pytest.raises(ValueError, match="wobble"):
        parse_c_arg("wobble *x")


def test_cuda_array_interface_both_ways(rng):
    import cuprum as cp

    a, x = both(rng)
    np.testing.assert_array_equal(cp.asarray(x).get() if cp.cuda.is_available() else x.get(), a)
    y = cp.asarray(a)
    text = "__global__ void negate(float *x) { int i = threadIdx.x; x[i] = -x[i]; }"
    SourceModule(text).get_function("negate")(y, block=(60, 1, 1))
    driver.Context.synchronize()
    np.testing.assert_array_equal(y.get(), -a)


@pytest.mark.skipif(cp.cuda.is_available(), reason="NVRTC has no texture references any more")
@pytest.mark.parametrize(
    "dtype, name", [("f4", "float"), ("f8", "double"), ("c8", "cfloat"), ("c16", "cdouble")]
)
def test_texture_references_show_arrays(rng, dtype, name):
    number = {"cfloat": "pycuda::complex<float>", "cdouble": "pycuda::complex<double>"}.get(name, name)
    module = SourceModule(
        f"""
        #include <pycuda-helpers.hpp>
        texture<fp_tex_{name}, 1, cudaReadModeElementType> shown;
        __global__ void copied({number} *out) {{ out[threadIdx.x] = fp_tex1Dfetch(shown, threadIdx.x); }}"""
    )
    host = rng.random(64).astype(dtype) * (1 + 2j if name[0] == "c" else 1)
    host = host.astype(dtype)
    array, reference = gpuarray.to_gpu(host), module.get_texref("shown")
    hacks = {"allow_double_hack": True, "allow_complex_hack": True}
    assert array.bind_to_texref_ext(reference, **hacks) == 0
    out = np.zeros_like(host)
    module.get_function("copied")(driver.Out(out), block=(64, 1, 1), texrefs=[reference])
    np.testing.assert_array_equal(out, host)
    if name != "float":
        with pytest.raises(ValueError, match="have one channel, got 2"):
            array.bind_to_texref_ext(reference, 2, **hacks)


def test_to_gpu_copies_what_is_there():
    a = gpuarray.to_gpu(np.arange(300_000, dtype=np.float32))
    b = gpuarray.to_gpu(a)
    b += 1
    assert a.get()[:3].tolist() == [0, 1, 2] and b.get()[:3].tolist() == [1, 2, 3]
