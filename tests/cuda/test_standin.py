"""The stand-in for the CUDA driver and NVRTC: kernels compiled by g++ and run on the CPU, with what a GPU, or
a sanitizer on one, would say of a wrong kernel.
"""

import ctypes
import shutil
from contextlib import contextmanager
from ctypes import byref, c_double, c_float, c_int, c_size_t, c_uint, c_void_p

import driver_api
import numpy as np
import pytest
from driver_api import CompileError, DriverError

INVALID_VALUE, OUT_OF_MEMORY = 1, 2
INVALID_CONTEXT, INVALID_HANDLE, NOT_FOUND = 201, 400, 500
ILLEGAL_ADDRESS, ASSERT, MISALIGNED, LAUNCH_FAILED = 700, 710, 716, 719

pytestmark = pytest.mark.skipif(driver_api.standin_build.compiler() is None, reason="there is no g++")


@pytest.fixture(scope="module")
def machine():
    return driver_api.Machine(driver_api.standin_build.build())


@contextmanager
def fails(code):
    with pytest.raises(DriverError) as failed:
        yield
    assert failed.value.code == code


# Elementwise kernels and their parameters

ADD = """
extern "C" __global__ void __launch_bounds__(256)
add(const float* __restrict__ a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""


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


# Wrong kernels


def wrong(machine, body, code, capfd, says, grid=1, block=64):
    kernel = machine.kernel('extern "C" __global__ void kernel(int* x, int n) {\n' + body + "\n}")
    x = machine.to_device(np.arange(64, dtype="i4"))
    capfd.readouterr()
    with fails(code):
        kernel(grid, block, x, c_int(64))
    said = capfd.readouterr().err
    assert "kernel kernel" in said
    for words in says:
        assert words in said
    machine.free(x)
    # The driver goes on.
    kernel = machine.kernel(ADD, "add")
    one, two, out = (machine.to_device(np.full(1, v, "f4")) for v in (1, 2, 0))
    kernel(1, 1, one, two, out, c_int(1))
    assert machine.to_host(out, np.empty(1, "f4"))[0] == 3
    machine.free(one, two, out)


def test_deadlocks_are_reported(machine, capfd):
    body = "if (threadIdx.x != 7) {\n__syncthreads(); } else __shfl_sync(~0u, n, 0);"
    says = ["deadlock", "63 at __syncthreads in line 3", "1 at __shfl_sync in line 3"]
    wrong(machine, body, LAUNCH_FAILED, capfd, says)
    wrong(machine, "while (atomicAdd(x, 0) != -1) {}", LAUNCH_FAILED, capfd, ["spin without end"])


def test_barriers_that_differ(machine, capfd):
    body = "if (threadIdx.x % 2)\n__syncthreads();\nelse\n__syncthreads();"
    wrong(machine, body, LAUNCH_FAILED, capfd, ["different barriers", "5 and 3"])


def test_a_mask_without_the_caller(machine, capfd):
    wrong(machine, "__syncwarp(1u);", LAUNCH_FAILED, capfd, ["0x00000001", "lane 1"])


def test_threads_that_have_ended_are_not_waited_for(machine):
    kernel = machine.kernel("""
        extern "C" __global__ void kernel(int* x) {
            if (threadIdx.x >= 40) return;
            __syncthreads();
            x[threadIdx.x] = __ballot_sync(~0u, 1);
        }
    """)
    x = machine.empty(64 * 4)
    kernel(1, 64, x)
    got = machine.to_host(x, np.empty(64, "i4"))
    assert (got[:32] == -1).all() and (got[32:40] == 0xFF).all()
    assert (got[40:].view("u4") == 0xA5A5A5A5).all()
    machine.free(x)


def test_writing_out_of_bounds(machine, capfd):
    says = ["wrote out of bounds, 0 bytes behind a block of 256 bytes"]
    wrong(machine, "x[threadIdx.x + 1] = 3;", LAUNCH_FAILED, capfd, says)
    wrong(machine, "x[-2] = 3;", LAUNCH_FAILED, capfd, ["8 bytes before"])


def test_memory_that_is_not_there(machine, capfd):
    wrong(machine, "x[threadIdx.x * 1ll << 40] = 3;", ILLEGAL_ADDRESS, capfd, ["thread (1, 0, 0)"])


def test_misaligned_access(machine, capfd):
    wrong(
        machine, "*reinterpret_cast<int4*>(x + 1) = make_int4(1, 2, 3, 4);", MISALIGNED, capfd, ["misaligned"]
    )


def test_index_beyond_a_shared_array(machine, capfd):
    wrong(machine, "__shared__ int s[32]; s[n - 32] = 1; x[0] = s[0];", MISALIGNED, capfd, ["bounds"])


def test_asserts_traps_and_divisions(machine, capfd):
    wrong(machine, "assert(n == 63);", ASSERT, capfd, ["assertion failed: n == 63, line 2 of kernel.cu"])
    wrong(machine, "if (n) __trap();", LAUNCH_FAILED, capfd, ["__trap"])
    wrong(machine, "x[0] = x[1] / (n - 64);", LAUNCH_FAILED, capfd, ["division by zero"])


def test_endless_kernels_end(machine, monkeypatch, capfd):
    monkeypatch.setenv("CUPRUM_STANDIN_TIMEOUT", "1")
    wrong(machine, "while (*(volatile int*)x == 0) {}", LAUNCH_FAILED, capfd, ["time limit"])


def test_memory_nobody_wrote_is_poison(machine):
    kernel = machine.kernel("""
        extern "C" __global__ void kernel(unsigned* x) {
            __shared__ unsigned s[4];
            if (blockIdx.x == 0) s[threadIdx.x] = 1;
            __syncthreads();
            x[blockIdx.x * 4 + threadIdx.x] = s[threadIdx.x];
        }
    """)
    x = machine.empty(32)
    assert (machine.to_host(x, np.empty(32, "u1")) == 0xA5).all()
    kernel(2, 4, x)
    assert machine.to_host(x, np.empty(8, "u4")).tolist() == [1] * 4 + [0xA5A5A5A5] * 4
    machine.free(x)


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


# Memory


def test_memory_runs_out(machine):
    free, total = c_size_t(), c_size_t()
    machine.cu("cuMemGetInfo_v2", byref(free), byref(total))
    with fails(OUT_OF_MEMORY):
        machine.empty(free.value + 1)
    block = machine.empty(1 << 20)
    left = c_size_t()
    machine.cu("cuMemGetInfo_v2", byref(left), byref(total))
    assert left.value == free.value - (1 << 20)
    machine.free(block)
    with fails(INVALID_VALUE):
        machine.free(block)
    with fails(INVALID_VALUE):
        machine.empty(0)


def test_copies_are_checked(machine):
    host = np.arange(16, dtype="u1")
    block = machine.to_device(host)
    assert block.value % 512 == 0
    with fails(INVALID_VALUE):
        machine.cu("cuMemcpyHtoD_v2", block, host.ctypes.data_as(c_void_p), c_size_t(17))
    with fails(INVALID_VALUE):
        machine.cu("cuMemcpyDtoH_v2", host.ctypes.data_as(c_void_p), c_void_p(block.value + 1), c_size_t(16))
    with fails(INVALID_VALUE):
        machine.cu("cuMemsetD8_v2", c_void_p(block.value - 1), 0, c_size_t(1))
    machine.cu("cuMemsetD16Async", c_void_p(block.value + 4), 0x0102, c_size_t(2), None)
    machine.cu("cuMemsetD32Async", c_void_p(block.value + 8), 0x03040506, c_size_t(1), None)
    expected = np.array([0, 1, 2, 3, 2, 1, 2, 1, 6, 5, 4, 3, 12, 13, 14, 15], "u1")
    np.testing.assert_array_equal(machine.to_host(block, host), expected)
    machine.free(block)


def test_pinned_and_registered_memory(machine):
    host, device, kind = c_void_p(), c_void_p(), c_uint()
    machine.cu("cuMemHostAlloc", byref(host), c_size_t(64), 0)
    machine.cu("cuMemHostGetDevicePointer_v2", byref(device), host, 0)
    machine.cu("cuPointerGetAttribute", byref(kind), 2, device)
    assert kind.value == 1
    machine.cu("cuMemFreeHost", host)
    with fails(INVALID_VALUE):
        machine.cu("cuPointerGetAttribute", byref(kind), 2, device)
    array = np.zeros(64)
    pointer = array.ctypes.data_as(c_void_p)
    machine.cu("cuMemHostRegister_v2", pointer, c_size_t(array.nbytes), 0)
    with fails(712):
        machine.cu("cuMemHostRegister_v2", pointer, c_size_t(array.nbytes), 0)
    machine.cu("cuMemHostUnregister", pointer)
    with fails(713):
        machine.cu("cuMemHostUnregister", pointer)


# Streams, events, graphs


def test_streams_and_events(machine):
    stream, begin, end = machine.stream(), machine.event(), machine.event()
    machine.cu("cuEventRecord", begin, stream)
    machine.cu("cuEventRecord", end, stream)
    machine.cu("cuStreamWaitEvent", None, end, 0)
    machine.cu("cuStreamSynchronize", stream)
    assert machine.elapsed(begin, end) >= 0
    machine.cu("cuStreamDestroy_v2", stream)
    machine.cu("cuEventDestroy_v2", begin)
    for function, arguments in {
        "cuStreamSynchronize": (stream,),
        "cuStreamDestroy_v2": (stream,),
        "cuEventRecord": (end, stream),
        "cuEventQuery": (begin,),
        "cuEventSynchronize": (begin,),
    }.items():
        assert machine.code(function, *arguments) == INVALID_HANDLE, function


def test_no_context_is_current(machine):
    machine.cu("cuCtxSetCurrent", None)
    try:
        with fails(INVALID_CONTEXT):
            machine.empty(8)
    finally:
        machine.cu("cuCtxSetCurrent", machine.contexts[0])


def test_graphs_run_again(machine):
    kernel = machine.kernel('extern "C" __global__ void kernel(float* x, float by) { x[threadIdx.x] *= by; }')
    x = machine.to_device(np.arange(1, 5, dtype="f4"))
    y = machine.to_device(np.zeros(4, "f4"))
    stream, other, fork, join = machine.stream(), machine.stream(), machine.event(2), machine.event(2)
    graph, exec_, count = c_void_p(), c_void_p(), c_size_t()
    machine.cu("cuStreamBeginCapture_v2", stream, 1)
    kernel.launch(1, 4, x, c_float(2), stream=stream)
    machine.cu("cuEventRecord", fork, stream)
    machine.cu("cuStreamWaitEvent", other, fork, 0)
    machine.cu("cuMemcpyDtoDAsync_v2", y, x, c_size_t(16), other)
    machine.cu("cuEventRecord", join, other)
    machine.cu("cuStreamWaitEvent", stream, join, 0)
    machine.cu("cuStreamEndCapture", stream, byref(graph))
    np.testing.assert_array_equal(machine.to_host(x, np.empty(4, "f4")), [1, 2, 3, 4])  # nothing has run
    machine.cu("cuGraphGetNodes", graph, None, byref(count))
    assert count.value == 2
    machine.cu("cuGraphInstantiateWithFlags", byref(exec_), graph, ctypes.c_ulonglong(0))
    machine.cu("cuGraphDestroy", graph)
    machine.cu("cuGraphUpload", exec_, stream)
    for _ in range(3):
        machine.cu("cuGraphLaunch", exec_, stream)
    machine.cu("cuStreamSynchronize", stream)
    np.testing.assert_array_equal(machine.to_host(y, np.empty(4, "f4")), [8, 16, 24, 32])
    machine.cu("cuGraphExecDestroy", exec_)
    with fails(INVALID_HANDLE):
        machine.cu("cuGraphLaunch", exec_, stream)
    machine.free(x, y)


def test_what_a_capture_forbids(machine):
    stream, other, event, graph, status = (
        machine.stream(),
        machine.stream(),
        machine.event(),
        c_void_p(),
        c_int(),
    )
    machine.cu("cuStreamBeginCapture_v2", stream, 0)
    machine.cu("cuStreamIsCapturing", stream, byref(status))
    assert status.value == 1
    with fails(900):
        machine.empty(8)
    machine.cu("cuStreamIsCapturing", stream, byref(status))
    assert status.value == 2
    with fails(901):
        machine.cu("cuStreamEndCapture", stream, byref(graph))
    machine.cu("cuStreamBeginCapture_v2", stream, 2)
    machine.cu("cuEventRecord", event, stream)
    machine.cu("cuStreamWaitEvent", other, event, 0)
    with fails(904):
        machine.cu("cuStreamEndCapture", stream, byref(graph))
    machine.free(machine.empty(8))


# Settings


@pytest.fixture
def machine_with(machine, monkeypatch, tmp_path):
    """A driver of its own with other settings: a copy of the library is another library to the loader."""

    def make(**settings):
        for name, value in settings.items():
            monkeypatch.setenv(f"CUPRUM_STANDIN_{name}", value)
        folder = driver_api.standin_build.build()
        copy = tmp_path / driver_api.standin_build.DRIVER
        shutil.copy(folder / driver_api.standin_build.DRIVER, copy)
        return driver_api.Machine(folder, copy)

    return make


def pinned(machine, count):
    address = c_void_p()
    machine.cu("cuMemHostAlloc", byref(address), c_size_t(4 * count), 0)
    return address, np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(c_int)), (count,))


FILL = 'extern "C" __global__ void kernel(int* x, int value) { x[threadIdx.x] = value; }'


def test_lazy_streams_show_what_was_not_waited_for(machine_with):
    machine = machine_with(LAZY="1")
    kernel, first, second = machine.kernel(FILL), machine.stream(), machine.stream()
    event = machine.event(2)
    x, (page, host) = machine.to_device(np.zeros(4, "i4")), pinned(machine, 4)
    host[:] = 0
    kernel.launch(1, 4, x, c_int(1), stream=first)
    machine.cu("cuMemcpyDtoHAsync_v2", page, x, c_size_t(16), first)
    assert host.tolist() == [0] * 4
    machine.cu("cuStreamSynchronize", first)
    assert host.tolist() == [1] * 4

    kernel.launch(1, 4, x, c_int(2), stream=first)
    machine.cu("cuMemcpyDtoHAsync_v2", page, x, c_size_t(16), second)
    machine.cu("cuStreamSynchronize", second)
    assert host.tolist() == [1] * 4  # nobody made the second stream wait

    machine.cu("cuEventRecord", event, first)
    kernel.launch(1, 4, x, c_int(3), stream=first)
    assert machine.code("cuEventQuery", event) == 600
    kernel.launch(1, 4, x, c_int(4), stream=first)
    machine.cu("cuEventRecord", event, first)
    kernel.launch(1, 4, x, c_int(5), stream=first)
    machine.cu("cuStreamWaitEvent", second, event, 0)
    machine.cu("cuMemcpyDtoHAsync_v2", page, x, c_size_t(16), second)
    machine.cu("cuStreamSynchronize", second)
    assert host.tolist() == [4] * 4  # the event, and nothing behind it
    machine.cu("cuCtxSynchronize")
    assert machine.to_host(x, host).tolist() == [5] * 4


def test_lazy_copies_of_ordinary_memory_happen_at_the_call(machine_with):
    machine = machine_with(LAZY="1")
    x, stream = machine.to_device(np.zeros(4, "i4")), machine.stream()
    host = np.arange(4, dtype="i4")
    machine.cu("cuMemcpyHtoDAsync_v2", x, host.ctypes.data_as(c_void_p), c_size_t(16), stream)
    host[:] = 9
    machine.cu("cuMemcpyDtoHAsync_v2", host.ctypes.data_as(c_void_p), x, c_size_t(16), stream)
    assert host.tolist() == [0, 1, 2, 3]


def test_the_legacy_stream_waits_for_blocking_streams(machine_with):
    machine = machine_with(LAZY="1")
    kernel, blocking, free = machine.kernel(FILL), machine.stream(0), machine.stream(1)
    x, (page, host) = machine.to_device(np.zeros(4, "i4")), pinned(machine, 4)
    for stream, expected in ((blocking, 7), (free, 0)):
        machine.cu("cuMemsetD8_v2", x, 0, c_size_t(16))
        kernel.launch(1, 4, x, c_int(7), stream=stream)
        machine.cu("cuMemcpyDtoHAsync_v2", page, x, c_size_t(16), None)
        machine.cu("cuStreamSynchronize", None)
        assert host.tolist() == [expected] * 4
        machine.cu("cuCtxSynchronize")


def test_two_devices(machine_with):
    machine = machine_with(DEVICES="2", MEMORY="4096")
    here, there = machine.contexts
    kernel = machine.kernel(FILL)
    x = machine.to_device(np.arange(4, dtype="i4"))
    can, device = c_int(), c_int()
    machine.cu("cuDeviceCanAccessPeer", byref(can), 0, 1)
    assert can.value == 1
    machine.cu("cuCtxEnablePeerAccess", there, 0)
    with fails(704):
        machine.cu("cuCtxEnablePeerAccess", there, 0)
    machine.cu("cuCtxSetCurrent", there)
    machine.cu("cuCtxGetDevice", byref(device))
    assert device.value == 1
    y, stream = machine.empty(4096), machine.stream()
    with fails(OUT_OF_MEMORY):
        machine.empty(1)
    with fails(INVALID_HANDLE):
        kernel.launch(1, 4, y, c_int(1), stream=stream)
    machine.cu("cuMemcpyPeerAsync", y, there, x, here, c_size_t(16), stream)
    machine.cu("cuStreamSynchronize", stream)
    assert machine.to_host(y, np.empty(4, "i4")).tolist() == [0, 1, 2, 3]
    with fails(INVALID_VALUE):
        machine.cu("cuMemcpyPeerAsync", y, here, x, there, c_size_t(16), stream)
    machine.cu("cuPointerGetAttribute", byref(device), 9, y)
    assert device.value == 1


def test_a_lost_context_stays_lost(machine_with):
    machine = machine_with(STICKY="1")
    kernel = machine.kernel('extern "C" __global__ void kernel(int n) { assert(n == 1); }')
    kernel(1, 1, c_int(1))
    with fails(ASSERT):
        kernel(1, 1, c_int(2))
    with fails(ASSERT):
        kernel(1, 1, c_int(1))
    with fails(ASSERT):
        machine.empty(8)


def test_missing_barriers_show_in_another_order(machine, monkeypatch):
    kernel = machine.kernel("""
        extern "C" __global__ void kernel(int* out) {
            __shared__ int s[64];
            s[threadIdx.x] = threadIdx.x;
            out[threadIdx.x] = s[threadIdx.x ? threadIdx.x - 1 : 0];
        }
    """)
    out, expected = machine.empty(256), [0, *range(63)]
    kernel(1, 64, out)
    assert machine.to_host(out, np.empty(64, "i4")).tolist() == expected
    monkeypatch.setenv("CUPRUM_STANDIN_THREADS", "descending")
    kernel(1, 64, out)
    assert machine.to_host(out, np.empty(64, "i4")).tolist() != expected
    machine.free(out)


def test_writing_after_free(machine, capfd):
    kernel, x = machine.kernel(FILL), machine.to_device(np.zeros(4, "i4"))
    machine.free(x)
    kernel(1, 4, x, c_int(1))
    codes = [machine.code("cuMemFree_v2", machine.empty(1 << 16)) for _ in range(1100)]
    assert set(codes) == {0, LAUNCH_FAILED}
    assert "written after it was freed: byte 0 of a block of 16" in capfd.readouterr().err


def test_functions_by_name(machine):
    address, status = c_void_p(), c_int()
    for name, found in (("cuMemAlloc", "cuMemAlloc_v2"), ("cuInit", "cuInit")):
        machine.cu(
            "cuGetProcAddress_v2", name.encode(), byref(address), 13000, ctypes.c_uint64(0), byref(status)
        )
        assert address.value == ctypes.cast(getattr(machine.driver, found), c_void_p).value
    assert (
        machine.code("cuGetProcAddress_v2", b"cuNothing", byref(address), 13000, ctypes.c_uint64(0), None)
        == NOT_FOUND
    )
    name = ctypes.c_char_p()
    machine.cu("cuGetErrorName", 719, byref(name))
    assert name.value == b"CUDA_ERROR_LAUNCH_FAILED"
