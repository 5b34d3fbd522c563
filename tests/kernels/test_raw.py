"""RawKernel: launches, what arguments become, and what is refused before the launch."""

import ctypes
import io
import pickle
import threading

import numpy as np
import pytest
from raw_texts import ADD, add_kernel, knows_signature

import cuprum as cp

NUMBERS = """
extern "C" __global__ void numbers(double* out, bool b, signed char c, short s, int i, long long l,
                                   unsigned char uc, unsigned int u, unsigned long long ul,
                                   float f, double d) {
    out[0] = b; out[1] = c; out[2] = s; out[3] = i; out[4] = (double)l;
    out[5] = uc; out[6] = u; out[7] = (double)ul; out[8] = f; out[9] = d;
}
"""
ONE = 'extern "C" __global__ void one({type} value, double* out) {{ out[0] = (double)value; }}'


def test_vector_add():
    x, y = cp.arange(1000, dtype="float32"), cp.ones(1000, "float32")
    z = cp.zeros(1000, "float32")
    add_kernel()((8,), (128,), (x, y, z, 1000))
    np.testing.assert_array_equal(cp.asnumpy(z), np.arange(1000, dtype="float32") + 1)


def test_pending_work_runs_before_and_after():
    x = cp.arange(200_000, dtype="float32")
    y = x * 2
    z = cp.zeros(200_000, "float32")
    before = z + 5
    add_kernel()((1600,), (128,), (x, y, z, 200_000))
    after = z + 1
    host = np.arange(200_000, dtype="float32")
    np.testing.assert_array_equal(cp.asnumpy(before), np.full(200_000, 5, "float32"))
    np.testing.assert_array_equal(cp.asnumpy(after), host * 3 + 1)


@pytest.mark.parametrize(
    "grid, block", [(2, 4), ((2,), (4,)), ([2], [4]), ((2, 1), (2, 2)), ((1, 2, 1), (1, 1, 4))]
)
def test_grids_and_blocks(grid, block):
    code = """extern "C" __global__ void mark(int* seen) {
        int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
        seen[block * blockDim.x * blockDim.y * blockDim.z + thread] += 1;
    }"""
    seen = cp.zeros(8, "int32")
    cp.RawKernel(code, "mark")(grid, block, (seen,))
    np.testing.assert_array_equal(cp.asnumpy(seen), np.ones(8))


@pytest.mark.parametrize(
    "grid, block, error",
    [
        (0, 1, ValueError),
        (1, 0, ValueError),
        (-1, 1, ValueError),
        (1, 1025, ValueError),
        (1, (64, 32), ValueError),
        (1, (1, 1, 65), ValueError),
        ((1, 70000), 1, ValueError),
        ((1, 1, 1, 1), 1, ValueError),
        (1.5, 1, TypeError),
        ("a", 1, TypeError),
        ((2, 1.0), 1, TypeError),
        (None, 1, TypeError),
    ],
)
def test_bad_launch_shapes(grid, block, error):
    x = cp.zeros(4, "float32")
    with pytest.raises(error, match="add: (grid|block)"):
        add_kernel()(grid, block, (x, x, x, 4))


def test_numbers_become_the_parameters_types():
    kernel = cp.RawKernel(NUMBERS, "numbers")
    wanted = [1, -3, -1000, -70000, -(2**40), 250, 2**32 - 1, 2**63, 0.5, 0.1]
    out = cp.zeros(10)
    typed = [
        np.bool_(1),
        np.int8(-3),
        np.int16(-1000),
        np.int32(-70000),
        np.int64(-(2**40)),
        np.uint8(250),
        np.uint32(2**32 - 1),
        np.uint64(2**63),
        np.float32(0.5),
        np.float64(0.1),
    ]
    kernel(1, 1, (out, *typed))
    np.testing.assert_array_equal(cp.asnumpy(out), np.array(wanted, float))
    if knows_signature(kernel):
        out = cp.zeros(10)
        kernel(1, 1, (out, True, -3, -1000, -70000, -(2**40), 250, 2**32 - 1, 2**63, 0.5, 0.1))
        np.testing.assert_array_equal(cp.asnumpy(out), np.array(wanted, float))


@pytest.mark.parametrize(
    "type_, value, wanted",
    [
        ("int", np.int64(7), 7),
        ("long long", np.int32(-7), -7),
        ("double", np.float32(0.5), 0.5),
        ("float", np.float64(0.1), np.float32(0.1)),
        ("float", 3, 3),
        ("double", np.int8(-3), -3),
        ("unsigned short", 65535, 65535),
        ("int", True, 1),
        ("bool", 1, 1),
        ("float", float("inf"), np.inf),
    ],
)
def test_numbers_of_other_types_are_converted(type_, value, wanted):
    kernel = cp.RawKernel(ONE.format(type=type_), "one")
    if not knows_signature(kernel):
        pytest.skip("the signature is not known")
    out = cp.zeros(1)
    kernel(1, 1, (value, out))
    assert float(out[0]) == wanted


@pytest.mark.parametrize(
    "type_, value, error",
    [
        ("int", 2.0, TypeError),
        ("int", np.float32(2), TypeError),
        ("float", 1j, TypeError),
        ("int", None, TypeError),
        ("int", 2**31, ValueError),
        ("unsigned int", -1, ValueError),
        ("signed char", 128, ValueError),
        ("float", 1e300, ValueError),
        ("bool", 2, ValueError),
        ("float", b"abcdefgh", TypeError),
        ("double", "text", TypeError),
        ("double", object(), TypeError),
    ],
)
def test_numbers_that_do_not_fit_are_refused(type_, value, error):
    kernel = cp.RawKernel(ONE.format(type=type_), "one")
    if not knows_signature(kernel):
        pytest.skip("the signature is not known")
    with pytest.raises(error, match="one: "):
        kernel(1, 1, (value, cp.zeros(1)))


def test_messages_name_the_parameter():
    kernel = add_kernel()
    if not knows_signature(kernel):
        pytest.skip("the signature is not known")
    x, wide = cp.zeros(4, "float32"), cp.zeros(4)
    with pytest.raises(TypeError, match=r"add: parameter 0 'x' is const float\s*\*, got float64 array"):
        kernel(1, 4, (wide, x, x, 4))
    with pytest.raises(TypeError, match=r"add: parameter 3 'n' is int, got float32 array"):
        kernel(1, 4, (x, x, x, x))
    with pytest.raises(TypeError, match=r"add: takes 4 arguments .*float\s*\* z.*got 3"):
        kernel(1, 4, (x, x, x))
    with pytest.raises(ValueError, match=r"add: parameter 3 'n' is int, which cannot hold 4294967296"):
        kernel(1, 4, (x, x, x, 2**32))


def test_read_only_arrays_are_refused_for_pointers_that_may_be_written():
    kernel = add_kernel()
    if not knows_signature(kernel):
        pytest.skip("the signature is not known")
    x = cp.zeros(4, "float32")
    fixed = cp.ones(4, "float32")
    fixed.flags.writeable = False
    kernel(1, 4, (fixed, fixed, x, 4))
    assert float(x.sum()) == 8
    with pytest.raises(ValueError, match="parameter 2 'z' .*read-only"):
        kernel(1, 4, (x, x, fixed, 4))


@pytest.mark.parametrize("view", [np.s_[::2], np.s_[::-1]])
def test_arrays_with_gaps_are_refused(view):
    x, z = cp.zeros(8, "float32"), cp.zeros(8, "float32")
    with pytest.raises(ValueError, match="ascontiguousarray"):
        add_kernel()(1, 4, (x[view], z, z, 4))


def test_views_begin_where_they_begin():
    x = cp.arange(10, dtype="float32")
    z = cp.zeros(10, "float32")
    add_kernel()(1, 4, (x[3:7], x[:4], z[5:9], 4))
    np.testing.assert_array_equal(cp.asnumpy(z), [0, 0, 0, 0, 0, 3, 5, 7, 9, 0])


def test_columns_that_lie_together_are_taken_as_they_lie():
    x = cp.asarray(np.asfortranarray(np.arange(6, dtype="float32").reshape(2, 3)))
    z = cp.zeros(6, "float32")
    add_kernel()(1, 6, (x, z, z, 6))
    np.testing.assert_array_equal(cp.asnumpy(z), [0, 3, 1, 4, 2, 5])


def test_arrays_of_numpy_are_refused():
    z = cp.zeros(4, "float32")
    with pytest.raises(TypeError, match="cp.asarray"):
        add_kernel()(1, 4, (np.zeros(4, "float32"), z, z, 4))
    with pytest.raises(TypeError, match="args must be a tuple"):
        add_kernel()(1, 4, "z")
    with pytest.raises(TypeError, match="add: "):
        add_kernel()(1, 4, ([1.0], z, z, 4))


def test_one_array_may_stand_for_a_tuple_of_it():
    double = cp.RawKernel('extern "C" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }', "twice")
    x = cp.arange(4, dtype="float32")
    double(block=(4,), grid=(1,), args=(x))
    assert x.tolist() == [0, 2, 4, 6]
    with pytest.raises(TypeError, match="add: takes 4 arguments"):
        add_kernel()(1, 4, x)


def test_arguments_beyond_the_parameters_are_left_out_with_a_warning():
    kernel = add_kernel()
    if not knows_signature(kernel):
        pytest.skip("the signature is not known")
    x, z = cp.arange(4, dtype="float32"), cp.zeros(4, "float32")
    with pytest.warns(RuntimeWarning, match="add: takes 4 arguments, got 6"):
        kernel((1,), (4,), (x, x, z, 4, x, 7))
    assert z.tolist() == [0, 2, 4, 6]


def test_bytes_may_be_given_for_pointers_to_anything():
    code = """
    struct Pair { float a; int b; };
    extern "C" __global__ void sums(const Pair* pairs, const unsigned char* bytes, const void* any,
                                    float* out) {
        int i = threadIdx.x;
        out[i] = pairs[i].a + pairs[i].b + bytes[i] + ((const float*)any)[i];
    }"""
    pairs = np.zeros(3, [("a", "f4"), ("b", "i4")])
    pairs["a"], pairs["b"] = [0.5, 1.5, 2.5], [1, 2, 3]
    out = cp.zeros(3, "float32")
    raw = cp.asarray(np.frombuffer(pairs.tobytes(), "uint8"))
    cp.RawKernel(code, "sums")(1, 3, (raw, cp.arange(3, dtype="uint8"), cp.full(3, 10, "float32"), out))
    np.testing.assert_array_equal(cp.asnumpy(out), [11.5, 14.5, 17.5])


def test_structs_by_value():
    code = """
    struct Box { double low, high; int steps; };
    extern "C" __global__ void points(Box box, double* out) {
        int i = threadIdx.x;
        if (i < box.steps) out[i] = box.low + (box.high - box.low) * i / (box.steps - 1);
    }"""
    dtype = np.dtype([("low", "f8"), ("high", "f8"), ("steps", "i4")], align=True)
    kernel = cp.RawKernel(code, "points")
    wanted = np.linspace(1, 2, 5)
    box = np.array([(1.0, 2.0, 5)], dtype)

    class Box(ctypes.Structure):
        _fields_ = [("low", ctypes.c_double), ("high", ctypes.c_double), ("steps", ctypes.c_int)]

    for value in (box, box[0], box.reshape(()), Box(1.0, 2.0, 5), box.tobytes()):
        out = cp.zeros(5)
        kernel(1, 8, (value, out))
        np.testing.assert_allclose(cp.asnumpy(out), wanted, rtol=1e-15)
    if knows_signature(kernel):
        with pytest.raises(TypeError, match="parameter 0 'box' is Box, got bytes: 8 bytes, not 24"):
            kernel(1, 8, (b"12345678", cp.zeros(5)))
        with pytest.raises(TypeError, match="parameter 0 'box' is Box, got float"):
            kernel(1, 8, (1.0, cp.zeros(5)))


def test_null_and_addresses():
    code = """extern "C" __global__ void given(const int* x, int* out) { out[0] = x ? x[1] : -1; }"""
    kernel = cp.RawKernel(code, "given")
    x, out = cp.arange(5, dtype="int32"), cp.zeros(1, "int32")
    kernel(1, 1, (None, out))
    assert int(out[0]) == -1
    for pointer in (x.data, x.data.ptr, np.int64(x.data.ptr), np.uint64(x.data.ptr), x.data + 0):
        out[0] = 0
        kernel(1, 1, (pointer, out))
        assert int(out[0]) == 1
    kernel(1, 1, (x.data + 8, out))
    assert int(out[0]) == 3


def test_addresses_in_arrays():
    code = """extern "C" __global__ void gather(const long long* rows, float* out) {
        out[threadIdx.x] = ((const float*)rows[threadIdx.x])[1];
    }"""
    parts = [cp.arange(4, dtype="float32") + 10 * k for k in range(3)]
    rows = cp.asarray(np.array([part.data.ptr for part in parts], "int64"))
    out = cp.zeros(3, "float32")
    cp.RawKernel(code, "gather")(1, 3, (rows, out))
    np.testing.assert_array_equal(cp.asnumpy(out), [1, 11, 21])


def test_what_is_written_through_addresses_is_seen():
    code = """extern "C" __global__ void put(long long address) {
        ((float*)address)[threadIdx.x] = threadIdx.x;
    }"""
    x = cp.zeros(4, "float32")
    doubled = x * 2
    address = x.data.ptr
    cp.RawKernel(code, "put")(1, 4, (address,))
    np.testing.assert_array_equal(cp.asnumpy(doubled), np.zeros(4))
    np.testing.assert_array_equal(cp.asnumpy(x * 2), [0, 2, 4, 6])


def test_memory_by_pointers():
    code = """extern "C" __global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }"""
    memory = cp.cuda.alloc(16)
    cp.RawKernel(code, "fill")(1, 4, (memory,))
    np.testing.assert_array_equal(cp.asnumpy(cp.ndarray(4, "int32", memory)), [0, 1, 2, 3])


def test_dynamic_shared_memory():
    code = """extern "C" __global__ void reverse(float* x, int n) {
        extern __shared__ float kept[];
        kept[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = kept[n - 1 - threadIdx.x];
    }"""
    x = cp.arange(64, dtype="float32")
    kernel = cp.RawKernel(code, "reverse")
    kernel(1, 64, (x, 64), shared_mem=64 * 4)
    np.testing.assert_array_equal(cp.asnumpy(x), np.arange(64)[::-1])
    kernel(1, 64, (x, 64), shared_mem=100 * 1024)
    np.testing.assert_array_equal(cp.asnumpy(x), np.arange(64))


def test_streams():
    x = cp.zeros(4, "float32")
    ones = cp.ones(4, "float32")
    stream = cp.cuda.Stream(non_blocking=True)
    add_kernel()(1, 4, (ones, ones, x, 4), stream=stream)
    stream.synchronize()
    assert float(x.sum()) == 8
    with cp.cuda.Stream():
        add_kernel()(1, 4, (x, ones, x, 4))
    assert float(x.sum()) == 12


def test_attributes():
    code = """extern "C" __global__ void __launch_bounds__(128) f(float* x) {
        __shared__ float kept[100];
        kept[threadIdx.x % 100] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = kept[0];
    }"""
    kernel = cp.RawKernel(code, "f")
    assert kernel.max_threads_per_block == 128
    assert kernel.shared_size_bytes == 400
    assert kernel.attributes["shared_size_bytes"] == 400
    names = {
        "const_size_bytes",
        "local_size_bytes",
        "num_regs",
        "ptx_version",
        "binary_version",
        "cache_mode_ca",
    }
    assert names < set(kernel.attributes)
    for name in names:
        assert getattr(kernel, name) >= 0
    kernel.max_dynamic_shared_size_bytes = 60_000
    assert kernel.max_dynamic_shared_size_bytes == 60_000
    kernel.preferred_shared_memory_carveout = 50
    with pytest.raises((ValueError, RuntimeError, TypeError)):
        kernel(1, 256, (cp.zeros(256, "float32"),))


def test_names_and_texts():
    kernel = cp.RawKernel(ADD, "add", ("-DX=1",))
    assert (kernel.name, kernel.code, kernel.options, kernel.backend) == ("add", ADD, ("-DX=1",), "nvrtc")
    assert not kernel.enable_cooperative_groups
    with pytest.raises(TypeError, match="tuple of strings"):
        cp.RawKernel(ADD, "add", "-DX=1")
    with pytest.raises(TypeError):
        cp.RawKernel(ADD, 3)
    with pytest.raises(ValueError, match="backend"):
        cp.RawKernel(ADD, "add", backend="clang")
    with pytest.raises(ValueError, match="no kernel 'nothing'"):
        cp.RawKernel(ADD, "nothing").compile()


def test_kernels_are_pickled():
    kernel = pickle.loads(pickle.dumps(add_kernel()))
    x, z = cp.ones(4, "float32"), cp.zeros(4, "float32")
    kernel(1, 4, (x, x, z, 4))
    assert float(z.sum()) == 8
    module = pickle.loads(pickle.dumps(cp.RawModule(code=ADD)))
    pickle.loads(pickle.dumps(module.get_function("add")))(1, 4, (z, z, z, 4))
    assert float(z.sum()) == 16


def test_options_define_macros():
    code = """extern "C" __global__ void f(int* x) { x[0] = VALUE; }"""
    x = cp.zeros(1, "int32")
    for value in (3, 4):
        cp.RawKernel(code, "f", (f"-DVALUE={value}",))(1, 1, (x,))
        assert int(x[0]) == value
    cp.RawKernel(code, "f", ("--define-macro=VALUE=5",))(1, 1, (x,))
    assert int(x[0]) == 5


def test_wrong_texts_say_where():
    kernel = cp.RawKernel('extern "C" __global__ void f(int* x) {\n  x[0] = unknown;\n}', "f")
    with pytest.raises(cp.cuda.compiler.CompileException, match=r"2.*[\s\S]*unknown") as caught:
        kernel.compile()
    error = caught.value
    assert "unknown" in error.get_message()
    shown = io.StringIO()
    error.dump(shown)
    assert "x[0] = unknown;" in shown.getvalue()
    assert "unknown" in str(pickle.loads(pickle.dumps(error)))


@pytest.mark.cpu
def test_cooperative_groups():
    code = """
    #include <cooperative_groups.h>
    extern "C" __global__ void meet(int* x, int* out) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        x[i] = i;
        cooperative_groups::this_grid().sync();
        out[i] = x[gridDim.x * blockDim.x - 1 - i];
    }"""
    kernel = cp.RawKernel(code, "meet", enable_cooperative_groups=True)
    x, out = cp.zeros(64, "int32"), cp.zeros(64, "int32")
    kernel(2, 32, (x, out))
    np.testing.assert_array_equal(cp.asnumpy(out), np.arange(64)[::-1])


def test_halves_complex_numbers_pairs_and_enums():
    x = cp.ones(2, "float16")
    code = (
        "#include <cuda_fp16.h>\n"
        + """
    extern "C" __global__ void f(__half* x, const __half a) { x[threadIdx.x] = __hadd(x[threadIdx.x], a); }"""
    )
    kernel = cp.RawKernel(code, "f")
    kernel(1, 2, (x, np.float16(0.5)))
    np.testing.assert_array_equal(cp.asnumpy(x), [1.5, 1.5])
    code = (
        "#include <cupy/complex.cuh>\n"
        + """
    extern "C" __global__ void f(complex<float>* x, complex<float> a) { x[threadIdx.x] *= a; }"""
    )
    z = cp.ones(2, "complex64")
    kernel = cp.RawKernel(code, "f")
    kernel(1, 2, (z, np.complex64(2j)))
    np.testing.assert_array_equal(cp.asnumpy(z), [2j, 2j])
    if not knows_signature(kernel):
        return
    kernel(1, 2, (z, 2j))
    kernel(1, 2, (z, 0.5))
    np.testing.assert_array_equal(cp.asnumpy(z), [-2, -2])
    with pytest.raises(TypeError, match="parameter 0 'x' .* got complex128 array"):
        kernel(1, 2, (cp.ones(2, "complex128"), 1))
    with pytest.raises(TypeError, match="parameter 0 'x' .* got float32 array"):
        kernel(1, 2, (cp.ones(2, "float32"), 1))
    code = """
    enum Mode { PLAIN, DOUBLE = 5 };
    extern "C" __global__ void g(float2* z, float2 a, Mode mode) { z[0].x += a.x; z[0].y += a.y * mode; }"""
    cp.RawKernel(code, "g")(1, 1, (z, 1 + 1j, 5))
    assert complex(z[0]) == -1 + 5j


@pytest.mark.parametrize("bytes_", [10**6, 10**9, 2**40])
def test_more_shared_memory_than_there_is(bytes_):
    x = cp.zeros(4, "float32")
    with pytest.raises(ValueError, match="add: .*shared memory"):
        add_kernel()(1, 4, (x, x, x, 4), shared_mem=bytes_)


def test_threads_launch_at_once():
    count = cp.RawKernel('extern "C" __global__ void f(int* x) { atomicAdd(&x[threadIdx.x], 1); }', "f")
    arrays = [cp.zeros(64, "int32") for _ in range(4)]
    gpu = cp._core.device_key()

    def work(x):
        with cp.cuda.Device("cpu" if gpu < 0 else gpu):
            for _ in range(50):
                count(8, 64, (x,))

    threads = [threading.Thread(target=work, args=(x,)) for x in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for x in arrays:
        np.testing.assert_array_equal(cp.asnumpy(x), np.full(64, 400))


def test_arrays_of_cupys_header():
    code = """
    #include <cupy/carray.cuh>
    __device__ long total(const CArray<int, 1, true>& x) {
        long sum = 0;
        for (long i = 0; i < x.size(); i++) sum += x[i];
        return sum;
    }
    extern "C" __global__ void f(int* x, long n, long long* out) {
        CArray<int, 1, true> array(x, n);
        CUPY_FOR(i, 3) out[i] = total(array) + i;
    }"""
    out = cp.zeros(3, "int64")
    cp.RawKernel(code, "f")(1, 2, (cp.arange(5, dtype="int32"), np.int64(5), out))
    np.testing.assert_array_equal(cp.asnumpy(out), [10, 11, 12])


def test_a_single_element_is_a_value():
    """`a[i]` is a copy: a kernel reads it as a number or through a pointer to const, and cannot write it."""
    code = """extern "C" __global__ void set(double* x, double y, const double* z) { x[0] = y + z[0]; }"""
    kernel = cp.RawKernel(code, "set")
    a = cp.arange(4.0)
    with pytest.raises(ValueError, match="'x' may be written.*a\\[i, \\.\\.\\.\\]"):
        kernel((1,), (1,), (a[1], 2.0, a))
    assert a.tolist() == [0, 1, 2, 3]
    kernel((1,), (1,), (a[1, ...], a[2], a[3]))
    assert a.tolist() == [0, 5, 2, 3]
    with pytest.raises(TypeError, match="parameter 1 'y' is double"):
        kernel((1,), (1,), (a, a[:1], a))


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("layout", ["layout_stride", "layout_right", "layout_left"])
def test_arrays_as_mdspan(layout, index):
    code = """
    #include <cuda/std/mdspan>
    template <class T, class Index> __global__ void add(
        cuda::std::mdspan<const T, cuda::std::dextents<Index, 2>, cuda::std::LAYOUT> a,
        cuda::std::mdspan<T, cuda::std::dextents<Index, 2>, cuda::std::LAYOUT> out) {
        Index i = threadIdx.y, j = threadIdx.x;
        if (i < a.extent(0) && j < a.extent(1)) out(i, j) = a(i, j) + 10 * i + a.size();
    }""".replace("LAYOUT", layout)
    name = f"add<float, {'int' if index == 'int32' else 'long long'}>"
    kernel = cp.RawModule(code=code, options=("--std=c++17",), name_expressions=(name,)).get_function(name)
    order = "F" if layout == "layout_left" else "C"
    host = np.arange(12, dtype="f4").reshape(3, 4, order=order)
    a, out = cp.asarray(host, order=order), cp.zeros((3, 4), "f4", order=order)
    kernel((1,), (8, 8), (a.mdspan(index_type=index), out.mdspan(index_type=index)))
    want = host + 10 * np.arange(3)[:, None] + 12
    np.testing.assert_array_equal(cp.asnumpy(out), want)
    if layout == "layout_stride":
        out[...] = 0
        turned = out[:, ::-1].mdspan(index_type=index, allow_unsafe=True)
        kernel((1,), (8, 8), (a.T.T.mdspan(index_type=index), turned))
        np.testing.assert_array_equal(cp.asnumpy(out)[:, ::-1], want)


def test_what_is_no_mdspan_is_told():
    a = cp.zeros((3, 4), "f4")
    with pytest.raises(ValueError, match="int32 or int64, got float64"):
        a.mdspan(index_type="f8")
    for bad in (a[:, ::-1], a[:0], cp.broadcast_to(a[0], (3, 4))):
        with pytest.raises(RuntimeError, match="-th dimension has (size zero|non-positive stride)"):
            bad.mdspan(index_type="i8")
    kernel = cp.RawKernel(
        "struct wide { long long a[9]; };\n"
        'extern "C" __global__ void f(wide w, int n) { if (n) __syncthreads(); }',
        "f",
    )
    with pytest.raises(TypeError, match="24 bytes, not 72"):
        kernel((1,), (1,), (a.mdspan(index_type="i4"), 0))
