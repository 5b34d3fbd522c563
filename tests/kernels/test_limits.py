"""What kernels may ask of a machine: stacks, recursion, time, and sizes that grow beyond all bounds."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest
from corpus import ON_CPU

import cuprum as cp

pytestmark = pytest.mark.skipif(not ON_CPU, reason="limits of the CPU's compiler")

RECURSION = """
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
extern "C" __global__ void slow(int* x) { x[threadIdx.x] = fibonacci(90 + x[0]); }
extern "C" __global__ void deep(int* x) { x[threadIdx.x] = depth(x[threadIdx.x]); }
"""


def in_process(program: str, timeout: int = 120) -> subprocess.CompletedProcess:
    """Run a program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=timeout
    )


def test_a_timeout_ends_recursion():
    x = cp.zeros(4, np.int32)
    kernel = cp.RawModule(code=RECURSION).get_function("slow")
    for grid in (1, 7):
        with pytest.raises(cp.cuda.KernelTimeoutError, match="slow: timeout"):
            kernel((grid,), (4,), (x,), timeout=0.05)


def test_a_timeout_ends_loops_in_loops():
    loops = "".join(f"for (int i{k} = 0; i{k} < 60; ++i{k}) " for k in range(8))
    code = f'extern "C" __global__ void f(int* x) {{ int s = 0; {loops} s = 3 * s + x[i7 & 3]; x[0] = s; }}'
    with pytest.raises(cp.cuda.KernelTimeoutError):
        cp.RawKernel(code, "f")((1,), (4,), (cp.zeros(4, np.int32),), timeout=0.05)


def test_recursion_that_is_too_deep_is_an_error():
    kernel = cp.RawModule(code=RECURSION).get_function("deep")
    x = cp.arange(4, dtype=np.int32) * 1000
    kernel((1,), (4,), (x,))
    np.testing.assert_array_equal(cp.asnumpy(x), [0, 1000, 2000, 3000])
    with pytest.raises(cp.cuda.KernelLaunchError, match="deep: stack overflow"):
        kernel((1,), (4,), (cp.full(4, 1 << 30, dtype=np.int32),))


def test_kernels_run_on_threads_with_small_stacks():
    program = """
        import threading
        import numpy as np
        import cuprum as cp

        CODE = '''
        __device__ int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
        extern "C" __global__ void twice(double* x, int n) {
            __shared__ double s[256];
            double kept[64];
            for (int i = 0; i < 64; ++i) kept[i] = x[(i + threadIdx.x) % n] * i;
            s[threadIdx.x] = x[threadIdx.x];
            __syncthreads();
            x[threadIdx.x] = 2 * s[threadIdx.x] + kept[n & 63] * 0 + depth(0);
        }
        extern "C" __global__ void deep(double* x, int n) { x[0] = depth(n); }
        '''
        errors = []

        def launch():
            try:
                module = cp.RawModule(code=CODE)
                x = cp.arange(256.0)
                module.get_function("twice")((1,), (256,), (x, np.int32(256)))
                assert (cp.asnumpy(x) == 2 * np.arange(256.0)).all()
                try:
                    module.get_function("deep")((1,), (1,), (x, np.int32(1 << 30)))
                except cp.cuda.KernelLaunchError as error:
                    assert "stack overflow" in str(error)
                else:
                    raise AssertionError("no overflow")
                square = cp.ElementwiseKernel("T x", "T y", "y = x * x", "square")
                assert (square(cp.arange(3.0)).tolist() == [0.0, 1.0, 4.0])
            except BaseException as error:
                errors.append(error)

        threading.stack_size(65536)
        for _ in range(2):
            thread = threading.Thread(target=launch)
            thread.start()
            thread.join()
        assert not errors, errors
        print("ended")
    """
    done = in_process(program)
    assert (done.returncode, done.stdout) == (0, "ended\n"), done.stderr
