"""The stand-in for NVRTC and the running of kernels: what is compiled by g++ computes what a GPU would."""

import ctypes
from ctypes import byref, c_double, c_int, c_size_t, c_void_p

import numpy as np
import pytest
from driver_api import ADD, INVALID_VALUE, LAUNCH_FAILED, NOT_FOUND, CompileError, fails

# Elementwise kernels and their parameters


def test_elementwise(machine):
    n = 1000
    a, b = np.arange(n, dtype="f4"), np.linspace(-1, 1, n, dtype="f4")
    da, db, dc = machine.to_device(a), machine.to_device(b), machine.empty(4 * n)
    add = machine.kernel(ADD, "add")
    add(8, 128, da, db, dc, c_int(n))
    np.testing.assert_array_equal(machine.to_host(dc, a), a + b)
    assert add.attribute(0) == 256
    with fails(INVALID_VALUE):
        add(1, 257, da, db, dc, c_int(n))
    machine.free(da, db, dc)


class Layout(ctypes.Structure):
    _fields_ = [("shape", c_int * 3), ("scale", c_double), ("start", ctypes.c_byte)]


def test_struct_parameters_and_three_dimensions(machine):
    kernel = machine.kernel("""
        struct Layout { int shape[3]; double scale; signed char start; };
        extern "C" { __global__ void kernel(double* out, Layout l, const bool negate) {
            unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
            unsigned y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
            if (x >= l.shape[2] || y >= l.shape[1]) return;
            double v = l.start + l.scale * (x + 10 * y + 100 * z);
            out[(z * l.shape[1] + y) * l.shape[2] + x] = negate ? -v : v;
        } }
    """)
    z, y, x = np.ogrid[:2, :3, :5]
    expected = -(7 + 0.5 * (x + 10 * y + 100 * z))
    out = machine.empty(expected.nbytes)
    kernel((2, 2, 2), (4, 2), out, Layout((2, 3, 5), 0.5, 7), ctypes.c_bool(True))
    np.testing.assert_array_equal(machine.to_host(out, expected), expected)
    machine.free(out)


def test_arguments_may_lie_anywhere(machine):
    """The driver copies them byte by byte: the host need not align them as the device does."""
    kernel = machine.kernel("""
        struct alignas(16) Pair { double a, b; };
        extern "C" __global__ void kernel(double* out, Pair p) { out[0] = p.a + p.b; }
    """)
    out = machine.empty(8)
    block = ctypes.create_string_buffer(64)
    start = -ctypes.addressof(block) % 16 + 1
    np.frombuffer(block, "u1")[start : start + 16] = np.frombuffer(np.array([1.0, 2.0]).tobytes(), "u1")
    kernel(1, 1, out, (ctypes.c_char * 16).from_buffer(block, start))
    assert machine.to_host(out, np.empty(1))[0] == 3
    machine.free(out)


def test_macros_templates_and_name_expressions(machine):
    source = """
        #define KERNEL(name, T) extern "C" __global__ void name(T* x) { x[threadIdx.x] = cast(VALUE, T()); }
        template <class A, class T> T cast(A a, T) { return T(a); }
        KERNEL(as_float, float)
        KERNEL(as_int, int)
        template <class T, int N> __global__ void add(T* x) { x[threadIdx.x] += N; }
    """
    module = machine.load(source, options=("-DVALUE=2.75", "-D", "UNUSED"), expressions=["add<float, 3>"])
    x = machine.empty(8)
    module.function("as_float")(1, 2, x)
    module.function(module.lowered[0])(1, 2, x)
    np.testing.assert_array_equal(machine.to_host(x, np.empty(2, "f4")), [5.75, 5.75])
    module.function("as_int")(1, 2, x)
    np.testing.assert_array_equal(machine.to_host(x, np.empty(2, "i4")), [2, 2])
    with fails(NOT_FOUND):
        module.function("add")
    machine.free(x)


def test_constants_and_variables_of_a_module(machine):
    module = machine.load("""
        __constant__ float table[4];
        __device__ unsigned counter = 5;
        extern "C" __global__ void kernel(float* out) {
            out[threadIdx.x] = table[threadIdx.x];
            atomicAdd(&counter, 1u);
        }
    """)
    address, size = module.variable("table")
    assert size == 16
    table = np.array([1, 2, 3, 4], "f4")
    machine.cu("cuMemcpyHtoD_v2", address, table.ctypes.data_as(c_void_p), c_size_t(16))
    out = machine.empty(16)
    module.function("kernel")(1, 4, out)
    np.testing.assert_array_equal(machine.to_host(out, table), table)
    machine.free(out)


@pytest.mark.parametrize(
    "body",
    [
        "__shared__ alignas(16) unsigned char raw[64]; raw[1] = 3; x[0] = raw[1];",
        "__shared__ __align__(16) unsigned char raw[64]; raw[1] = 3; x[0] = raw[1];",
        "volatile __shared__ int a[2], b; a[0] = b = 3; x[0] = b;",
        "__shared__ union { int a; float b; } u; u.a = 3; x[0] = u.a;",
        "extern __shared__ alignas(16) char raw[]; raw[1] = 3; x[0] = raw[1];",
        "short s = 3; x[0] = __shfl_sync(~0u, s, 0);",
        "__builtin_assume(x != nullptr); x[0] = 3;",
        "static const int table[2] = {1, 3}; x[0] = table[1];",
        "uint3 t = threadIdx; dim3 b = blockDim; x[0] = t.x + b.x + 2;",
        "__stcs(x, 3); __stcg(x + 1, __ldcs(x)); x[0] = __ldg(x + 1);",
        "auto meet = [&](int i) { __syncthreads(); return i; }; x[0] = meet(3);",
    ],
)
def test_ways_of_writing(machine, body):
    x = machine.empty(8)
    machine.kernel('extern "C" __global__ void kernel(int* x) {' + body + "}")(1, 1, x, shared=64)
    assert machine.to_host(x, np.empty(2, "i4"))[0] == 3
    machine.free(x)


def test_modules_do_not_share_variables(machine):
    source = """
        template <class T> T* storage() { __shared__ T values[64]; return values; }
        extern "C" __global__ void kernel(int* out) {
            storage<int>()[threadIdx.x] = threadIdx.x + FIRST;
            __syncthreads();
            out[threadIdx.x] = storage<int>()[63 - threadIdx.x];
        }
    """
    kernels = [machine.kernel(source, options=(f"-DFIRST={first}",)) for first in (0, 100)]
    out = machine.empty(256)
    for first, kernel in zip((0, 100), kernels, strict=True):
        kernel(1, 64, out)
        np.testing.assert_array_equal(machine.to_host(out, np.empty(64, "i4")), np.arange(64)[::-1] + first)
    machine.free(out)


def test_math_is_overloaded_as_in_cuda(machine):
    kernel = machine.kernel("""
        template <class A, class B> constexpr bool same = false;
        template <class A> constexpr bool same<A, A> = true;
        static_assert(same<decltype(sin(1.0f)), float> && same<decltype(sin(1.0)), double>, "");
        static_assert(same<decltype(sin(1)), double>, "");
        static_assert(same<decltype(pow(1.0f, 2.0f)), float> && same<decltype(pow(1.0f, 2)), double>, "");
        static_assert(same<decltype(min(1, 2u)), unsigned> && same<decltype(max(1.0f, 2.0)), double>, "");
        static_assert(same<decltype(abs(-1ll)), long long> && same<decltype(abs(-1.0f)), float>, "");
        static_assert(alignof(float4) == 16 && sizeof(uchar3) == 3 && alignof(double2) == 16, "");
        extern "C" __global__ void kernel(double* out) {
            out[0] = rsqrt(4.0); out[1] = sinpi(1.5); out[2] = cospi(2.0); out[3] = erfinv(0.5);
            out[4] = exp10(2.0); out[5] = normcdfinv(0.975);
            out[6] = __float2int_rn(2.5f); out[7] = __double2uint_rz(-3.0);
            out[8] = __umul64hi(1ull << 40, 1ull << 40);
            out[9] = __brev(1u) == 0x80000000u; out[10] = __clz(0);
            out[11] = __fadd_ru(1.0f, 1e-20f) > 1.0f; out[12] = erfcinv(1e-10); out[13] = cyl_bessel_i0(2.0);
            out[14] = __byte_perm(0x33221100u, 0x77665544u, 0x7410u); out[15] = __ffsll(0x100000000ll);
        }
    """)
    out = machine.empty(16 * 8)
    kernel(1, 1, out)
    expected = [0.5, -1, 1, 0.4769362762044699, 100, 1.959963984540054, 2, 0, 65536, 1, 32, 1]
    expected += [4.572824967389486, 2.2795853023360673, 0x77441100, 33]
    np.testing.assert_allclose(machine.to_host(out, np.empty(16)), expected, rtol=1e-14)
    machine.free(out)


# Threads that meet

SUM = """
extern "C" __global__ void kernel(const double* x, double* out, int n) {
    __shared__ double parts[32];
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
    for (int delta = 16; delta; delta /= 2) sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0.0;
        for (int delta = 16; delta; delta /= 2) sum += __shfl_xor_sync(~0u, sum, delta);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}
"""


@pytest.mark.parametrize("threads", ["ascending", "descending", "random"])
@pytest.mark.parametrize("order", ["", "reverse", "random"])
def test_reduction(machine, monkeypatch, threads, order):
    monkeypatch.setenv("CUPRUM_STANDIN_THREADS", threads)
    monkeypatch.setenv("CUPRUM_STANDIN_ORDER", order)
    x = np.arange(10000, dtype="f8")
    dx, out = machine.to_device(x), machine.empty(3 * 8)
    machine.kernel(SUM)(3, 256, dx, out, c_int(x.size))
    assert machine.to_host(out, np.empty(3)).sum() == x.sum()
    machine.free(dx, out)


def test_warp_collectives(machine):
    kernel = machine.kernel("""
        extern "C" __global__ void kernel(int* out) {
            int t = threadIdx.x, lane = t % 32;
            out += t * 12;
            out[0] = __ballot_sync(~0u, lane % 3 == 0);
            out[1] = __any_sync(~0u, t == 40); out[2] = __all_sync(~0u, t < 40);
            out[3] = __match_any_sync(~0u, lane / 8);
            int same; out[4] = __match_all_sync(~0u, t / 32, &same); out[4] = out[4] == -1 && same;
            out[5] = __shfl_sync(~0u, t, 5, 8);
            out[6] = __shfl_up_sync(~0u, t, 2); out[7] = __shfl_down_sync(~0u, t, 3, 16);
            out[8] = __reduce_add_sync(~0u, lane); out[9] = __reduce_max_sync(~0u, -lane);
            if (lane < 4) { __syncwarp(0xf); out[10] = __shfl_xor_sync(0xf, t, 1); } else out[10] = 0;
            out[11] = __syncthreads_count(t % 2);
        }
    """)
    out = machine.empty(64 * 12 * 4)
    kernel(1, 64, out)
    got = machine.to_host(out, np.empty((64, 12), "i4"))
    t, lane = np.arange(64), np.arange(64) % 32
    ballot = sum(1 << i for i in range(0, 32, 3))
    expected = [
        np.full(64, ballot),
        t >= 32,
        t < 32,
        np.left_shift(0xFF, lane // 8 * 8).astype("u4").astype("i4"),
        np.ones(64),
        t // 8 * 8 + 5,
        np.where(lane < 2, t, t - 2),
        np.where(t % 16 + 3 < 16, t + 3, t),
        np.full(64, 496),
        np.zeros(64),
        np.where(lane < 4, t ^ 1, 0),
        np.full(64, 32),
    ]
    np.testing.assert_array_equal(got, np.stack([np.asarray(e).astype("i4") for e in expected], 1))
    machine.free(out)


def test_dynamic_shared_memory(machine):
    kernel = machine.kernel("""
        template <class T> struct Pair { T a, b; };
        extern "C" __global__ void kernel(int* out, int n) {
            extern __shared__ __align__(16) unsigned char raw[];
            int* all = reinterpret_cast<int*>(raw);
            for (int i = threadIdx.x; i < n; i += blockDim.x) all[i] = i * 3;
            __syncthreads();
            for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = all[n - 1 - i];
        }
    """)
    n = 20000
    out = machine.empty(4 * n)
    with fails(INVALID_VALUE):
        kernel(1, 128, out, c_int(n), shared=4 * n)
    kernel.set_attribute(8, 4 * n)
    kernel(1, 128, out, c_int(n), shared=4 * n)
    np.testing.assert_array_equal(machine.to_host(out, np.empty(n, "i4")), np.arange(n)[::-1] * 3)
    with fails(LAUNCH_FAILED):
        kernel(1, 128, out, c_int(n), shared=4 * n - 4)
    machine.free(out)


def test_threads_that_wait_for_each_other_in_loops(machine):
    kernel = machine.kernel("""
        extern "C" __global__ void kernel(unsigned* turn) {
            while (atomicAdd(turn, 0u) != blockDim.x - 1 - threadIdx.x) __nanosleep(10);
            atomicAdd(turn, 1u);
        }
    """)
    turn = machine.to_device(np.zeros(1, "u4"))
    kernel(1, 96, turn)
    assert machine.to_host(turn, np.empty(1, "u4"))[0] == 96
    machine.free(turn)


def test_blocks_by_ticket(machine, monkeypatch):
    """A scan in one pass, whose blocks wait for the ticket before theirs, whatever their order."""
    kernel = machine.kernel("""
        extern "C" __global__ void kernel(unsigned* ticket, unsigned* sums, unsigned* out) {
            __shared__ unsigned mine;
            if (threadIdx.x == 0) {
                unsigned t = atomicAdd(ticket, 1u), before;
                while (t && (before = atomicAdd(&sums[t - 1], 0u)) == 0) {}
                atomicExch(&sums[t], (t ? before : 0u) + 1u);
                mine = t;
            }
            __syncthreads();
            out[mine * blockDim.x + threadIdx.x] = sums[mine];
        }
    """)
    for order in ("", "reverse", "random"):
        monkeypatch.setenv("CUPRUM_STANDIN_ORDER", order)
        ticket, sums = machine.to_device(np.zeros(1, "u4")), machine.to_device(np.zeros(50, "u4"))
        out = machine.empty(50 * 64 * 4)
        kernel(50, 64, ticket, sums, out)
        np.testing.assert_array_equal(machine.to_host(out, np.empty((50, 64), "u4"))[:, 3], np.arange(1, 51))
        machine.free(ticket, sums, out)


# The compiler


def test_compile_errors(machine):
    with pytest.raises(CompileError) as failed:
        machine.compile('extern "C" __global__ void kernel(int* x) {\n    x[0] = undeclared;\n}')
    assert failed.value.code == 6
    assert "kernel.cu:2:" in failed.value.log and "undeclared" in failed.value.log
    with pytest.raises(CompileError) as failed:
        machine.compile(ADD, options=("--no-such-option",))
    assert failed.value.code == 5 and "--no-such-option" in failed.value.log
    with pytest.raises(CompileError):  # nothing beyond what NVRTC gives without an #include
        machine.compile('extern "C" __global__ void kernel(int* x) { x[0] = std::max(1, 2); }')


def test_version_and_architectures(machine):
    major, minor, count = c_int(), c_int(), c_int()
    assert machine.nvrtc.nvrtcVersion(byref(major), byref(minor)) == 0
    assert (major.value, minor.value) == (13, 0)
    assert machine.nvrtc.nvrtcGetNumSupportedArchs(byref(count)) == 0
    archs = (c_int * count.value)()
    assert machine.nvrtc.nvrtcGetSupportedArchs(archs) == 0
    assert 90 in archs


def test_an_image_that_is_none(machine):
    module = c_void_p()
    with fails(200):
        machine.cu("cuModuleLoadData", byref(module), b"\x7fELF" + bytes(100))
    image, _ = machine.compile(ADD)
    broken = image[:100] + bytes([image[100] ^ 1]) + image[101:]
    with fails(200):
        machine.cu("cuModuleLoadData", byref(module), broken)
