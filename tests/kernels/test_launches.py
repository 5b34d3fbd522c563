"""Kernels that launch kernels: order, parameters, memory, depth, and what stops them."""

import numpy as np
import pytest
from corpus import ON_CPU, not_on_standin

import cuprum as cp

# The stand-in's compiler knows no launches.
pytestmark = not_on_standin
cpu_only = pytest.mark.skipif(not ON_CPU, reason="a GPU does not check, or promises no order")
I32 = np.int32

CODE = r"""
__device__ int counter;
struct Pair { float a; double b; short c; };
union Word { int i; float f; };
__device__ const int table[3] = {10, 20, 30};

template <class T> __global__ void add(T* x, T by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += by;
}
__global__ void pair(double* out, Pair p, Word w, const float& c) {
    out[threadIdx.x] = p.a + p.b * threadIdx.x + p.c + w.f + c;
}
__global__ void turned(float* out) {
    extern __shared__ float s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void note(int* log, int* at, int value) { log[atomicAdd(at, 1)] = value; }
__global__ void __launch_bounds__(64) bounded(int* x) { atomicAdd(x, 1); }
__device__ void launch_twice(int* x, int n) { add<<<1, n>>>(x, 3, n); add<<<1, n>>>(x, 4, n); }

extern "C" {
__global__ void parent(int* x, int n) {
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        add<<<(n + 31) / 32, 32>>>(x, 5, n);
        add<int><<<dim3((n + 31) / 32), dim3(32, 1, 1), 0, 0>>>(x, 2, n);
        if (cudaGetLastError() != cudaSuccess) x[0] = -1;
    }
}
__global__ void structs(double* out, const float* c) {
    Pair p = {1.5f, 2.25, 7};
    Word w;
    w.f = 0.5f;
    p.a += threadIdx.x;
    if (threadIdx.x == 1) pair<<<1, 4>>>(out, p, w, c[2]);
}
__global__ void shapes(float* out) {
    if (threadIdx.x == 0) turned<<<1, 64, 64 * sizeof(float)>>>(out);
}
__global__ void order(int* log, int* at) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, at, 1000 + blockIdx.x);
    for (int k = 0; k < 3; k++) note<<<1, 1, 0, k == 1 ? s : (cudaStream_t)0>>>(log, at, blockIdx.x * 10 + k);
    cudaStreamDestroy(s);
}
__global__ void in_order(int* x) {
    if (threadIdx.x == 0) for (int k = 0; k < 20; k++) add<<<1, 8>>>(x, 1, 8);
}
__global__ void doubling(int* x, int depth) {
    atomicAdd(x, 1);
    if (depth > 0 && threadIdx.x == 0) {
        doubling<<<1, 2>>>(x + 1, depth - 1);
        doubling<<<1, 2>>>(x + 1, depth - 1);
    }
}
__global__ void of_module(int* out) {
    counter = 7;
    add<<<1, 1>>>(&counter, 3, 1);
    launch_twice(out, table[0]);
}
__global__ void read_counter(int* out) { out[0] = counter; }
__global__ void beyond(int* x) { add<<<1, 32>>>(x, 1, 1000); }
__global__ void empty(int* x) { add<<<0, 32>>>(x, 1, 8); }
__global__ void large(int* x) { bounded<<<1, 128>>>(x); }
__global__ void forever(int* x) { forever<<<1, 1>>>(x); }
__global__ void many(int* x, int n) { for (int i = 0; i < n; i++) add<<<1, 1>>>(x, 1, 1); }
__global__ void own_memory(int* x) {
    __shared__ int s[32];
    s[threadIdx.x] = 0;
    add<<<1, 32>>>(s, 1, 32);
}
}
"""


@pytest.fixture(scope="module")
def module():
    return cp.RawModule(code=CODE)


def test_children_have_run_when_the_launch_has_ended(module):
    x = cp.zeros(100, I32)
    module.get_function("parent")((2,), (64,), (x, I32(100)))
    np.testing.assert_array_equal(cp.asnumpy(x), np.full(100, 7))


def test_structs_unions_and_references_are_passed(module):
    out, c = cp.zeros(4), cp.arange(4, dtype=np.float32)
    module.get_function("structs")((1,), (4,), (out, c))
    np.testing.assert_array_equal(cp.asnumpy(out), 2.5 + 2.25 * np.arange(4) + 7 + 0.5 + 2)


def test_dynamic_shared_memory_of_children(module):
    out = cp.zeros(64, np.float32)
    module.get_function("shapes")((1,), (32,), (out,))
    np.testing.assert_array_equal(cp.asnumpy(out), np.arange(64)[::-1])


@cpu_only
def test_the_cpu_runs_them_block_by_block_and_tails_last(module):
    log, at = cp.zeros(16, I32), cp.zeros(1, I32)
    module.get_function("order")((4,), (1,), (log, at))
    wanted = [10 * block + k for block in range(4) for k in range(3)] + [1000, 1001, 1002, 1003]
    assert log.tolist() == wanted


def test_what_one_thread_launches_runs_in_order(module):
    x = cp.zeros(8, I32)
    module.get_function("in_order")((1,), (32,), (x,))
    np.testing.assert_array_equal(cp.asnumpy(x), np.full(8, 20))


def test_children_launch_children(module):
    x = cp.zeros(8, I32)
    module.get_function("doubling")((1,), (2,), (x, I32(5)))
    np.testing.assert_array_equal(cp.asnumpy(x), [2, 4, 8, 16, 32, 64, 0, 0])


def test_variables_of_the_module_and_device_functions(module):
    x = cp.zeros(10, I32)
    module.get_function("of_module")((1,), (1,), (x,))
    np.testing.assert_array_equal(cp.asnumpy(x), np.full(10, 7))
    module.get_function("read_counter")((1,), (1,), (x,))
    assert int(x[0]) == 10


def test_name_expressions_launch_templates():
    code = """
    template <class T> __global__ void inner(T* x) { x[threadIdx.x] *= T(2); }
    template <class T> __global__ void outer(T* x) { inner<<<1, 4>>>(x); }
    """
    module = cp.RawModule(code=code, name_expressions=("outer<double>",))
    x = cp.arange(4.0)
    module.get_function("outer<double>")((1,), (1,), (x,))
    np.testing.assert_array_equal(cp.asnumpy(x), 2 * np.arange(4))


@cpu_only
@pytest.mark.parametrize(
    "name, text",
    [
        ("beyond", r"add<int>: out-of-bounds .* by thread \(8,0,0\)"),
        ("empty", r"add<int>: it cannot be launched: grid \(0, 1, 1\)"),
        ("large", r"bounded: it cannot be launched: .*__launch_bounds__ allows 64"),
        ("forever", "forever: launches are nested too deep.*24"),
        ("own_memory", "out-of-bounds"),
    ],
)
def test_faults_of_children_are_told(module, name, text):
    with pytest.raises(RuntimeError, match=text):
        module.get_function(name)((1,), (1,), (cp.zeros(8, I32),))


@cpu_only
def test_the_checking_mode_sees_children(module):
    x = cp.zeros(8, I32)
    with cp.cuda.check():
        module.get_function("in_order")((1,), (32,), (x,))
    np.testing.assert_array_equal(cp.asnumpy(x), np.full(8, 20))


@cpu_only
def test_many_launches(module):
    x = cp.zeros(1, I32)
    module.get_function("many")((1,), (1,), (x, I32(2000)))
    assert int(x[0]) == 2000
    with pytest.raises(RuntimeError, match="too many launches"):
        module.get_function("many")((1,), (1,), (x, I32(2**21)))


@cpu_only
def test_a_timeout_counts_for_children_too():
    code = """
    __global__ void spin(int* x) { while (true) atomicAdd(x, 1); }
    extern "C" __global__ void start(int* x) { spin<<<1, 1>>>(x); }
    """
    with pytest.raises(RuntimeError, match="spin: timeout"):
        cp.RawKernel(code, "start")((1,), (1,), (cp.zeros(1, I32),), timeout=0.2)


@cpu_only
@pytest.mark.parametrize(
    "launch, text",
    [
        ("child<<<1>>>(x)", "names its grid and its block"),
        ("child<<<1, 1, 0, 0, 0>>>(x)", "a grid, a block, bytes of shared memory and a stream"),
        ("helper<<<1, 1>>>(x)", "not marked __global__"),
        ("missing<<<1, 1>>>(x)", "missing"),
        ("child<<<1, 1>>>(x, 2)", "child"),
        ("child<<<1, 1>>>(x); cudaDeviceSynchronize()", "cudaStreamTailLaunch"),
        ("later<<<1, 1>>>(x)", "declared and not defined"),
    ],
)
def test_launches_that_cannot_be_are_refused(launch, text):
    code = f"""
    __global__ void child(int* x) {{ *x = 1; }}
    __global__ void later(int* x);
    __device__ void helper(int* x) {{ *x = 1; }}
    extern "C" __global__ void parent(int* x) {{ {launch}; }}
    """
    with pytest.raises(cp.cuda.compiler.CompileException, match=text):
        cp.RawKernel(code, "parent").compile()


@cpu_only
def test_a_kernel_whose_child_cannot_be_compiled_is_refused():
    code = """
    __global__ void child(int* x) { *x = unknown; }
    extern "C" __global__ void parent(int* x) { child<<<1, 1>>>(x); }
    extern "C" __global__ void other(int* x) { *x = 3; }
    """
    module, x = cp.RawModule(code=code), cp.zeros(1, I32)
    module.get_function("other")((1,), (1,), (x,))
    assert int(x[0]) == 3
    with pytest.raises(cp.cuda.compiler.CompileException, match="unknown"):
        module.get_function("parent")
