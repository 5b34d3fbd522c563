"""What kernels on the CPU do wrong, as exceptions: kind, text, kernel, line, thread and block."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import cuprum as cp

pytestmark = pytest.mark.cpu


def kernel(body, parameters="float* x", name="f", before=""):
    return cp.RawKernel(f'{before}\nextern "C" __global__ void {name}({parameters}) {{\n{body}\n}}\n', name)


def test_out_of_bounds():
    x = cp.zeros(10, "float32")
    with pytest.raises(cp.cuda.KernelMemoryError) as caught:
        kernel("x[0] = 7;\nx[threadIdx.x + 8] = 1;")(2, 4, (x,))
    error = caught.value
    assert isinstance(error, (cp.cuda.KernelError, IndexError)) and isinstance(error, RuntimeError)
    assert error.kernel == "f" and error.line == 4
    assert error.thread == (2, 0, 0) and error.block in ((0, 0, 0), (1, 0, 0))
    text = str(error)
    assert "x[threadIdx.x + 8] = 1;" in text and "^" in text and "thread (2,0,0)" in text
    assert float(x[0]) == 7


@pytest.mark.parametrize(
    "body, parameters",
    [
        ("x[-1] = 1;", "float* x"),
        ("x[0] = x[1000000];", "float* x"),
        ("((float*)0)[3] = x[0];", "float* x"),
        ("*(volatile float*)((char*)x + 1) = 2;", "float* x"),
        ("int a[4]; for (int k = 0; k < 4; k++) a[k] = k; x[0] = a[(int)x[1] + 4];", "float* x"),
        ("__shared__ float s[4]; s[threadIdx.x + 100] = 1; x[0] = s[0];", "float* x"),
        ("((float*)x)[0] = 1;", "const float* x"),
    ],
)
def test_memory_that_is_not_the_kernels(body, parameters):
    x = cp.zeros(10, "float32")
    with pytest.raises(cp.cuda.KernelMemoryError, match="f: "):
        kernel(body, parameters)(1, 1, (x,))
    kernel("x[0] = 3;")(1, 1, (x,))
    assert float(x[0]) == 3


def test_memory_that_is_gone():
    x = cp.zeros(1000, "float32")
    address = x.data.ptr
    touch = kernel("((float*)address)[0] = 1;", "long long address")
    touch(1, 1, (address,))
    assert float(x[0]) == 1
    del x
    with pytest.raises(cp.cuda.KernelMemoryError):
        touch(1, 1, (address,))


def test_assertions():
    with pytest.raises(cp.cuda.KernelAssertionError, match="x\\[0\\] > 0"):
        kernel("assert(x[0] > 0);")(1, 1, (cp.zeros(1, "float32"),))
    with pytest.raises(AssertionError):
        kernel("__trap();")(1, 1, (cp.zeros(1, "float32"),))


def test_time_limits():
    forever = kernel("while (x[0] == 0) { x[1] += 1; }", "volatile float* x")
    x = cp.zeros(2, "float32")
    began = time.perf_counter()
    with pytest.raises(cp.cuda.KernelTimeoutError):
        forever(1, 1, (x,), timeout=0.2)
    with cp.cuda.launch_settings(timeout=0.2), pytest.raises(TimeoutError):
        forever(1, 1, (x,))
    assert time.perf_counter() - began < 30
    with pytest.raises(ValueError, match="timeout"):
        forever(1, 1, (x,), timeout=-1)


def test_deadlocks():
    x = cp.zeros(64, "float32")
    with pytest.raises(cp.cuda.DeadlockError):
        kernel("if (threadIdx.x < 16) x[0] = __shfl_sync(0xffffffff, x[1], 0); else __syncthreads();")(
            1, 32, (x,)
        )


def test_recursion_that_does_not_end():
    deep = kernel(
        "x[0] = down(x, 1);",
        before="__device__ float down(float* x, int k) { return x[0] + down(x, k + 1) + k; }",
    )
    with pytest.raises((cp.cuda.KernelLaunchError, cp.cuda.compiler.CompileException)):
        deep(1, 1, (cp.zeros(1, "float32"),))


def test_races():
    x, total = cp.arange(64, dtype="float32"), cp.zeros(1, "float32")
    racy = kernel("total[0] += x[threadIdx.x];", "const float* x, float* total")
    with pytest.warns(RuntimeWarning, match="CUPRUM_CHECK=1"):
        racy(1, 64, (x, total))
    with cp.cuda.check(), pytest.raises(cp.cuda.RaceError) as caught:
        racy(1, 64, (x, total))
    error = caught.value
    assert error.line == 3 and error.other is not None and error.other[0] == 3
    assert error.thread != error.other[1]
    with pytest.raises(cp.cuda.RaceError):
        racy(1, 64, (x, total), check=True)
    with cp.cuda.check():
        racy(1, 64, (x, total), check=False)


def test_accesses_that_a_gpu_would_refuse():
    crooked = kernel("*(float*)((char*)x + 1) = 2;", "float* x")
    with pytest.raises(cp.cuda.KernelMemoryError, match="aligned") as caught:
        crooked(1, 1, (cp.zeros(4, "float32"),), check=True)
    assert caught.value.line == 3
    straight = kernel("*(float*)((char*)x + 4) = 2;", "float* x")
    x = cp.zeros(4, "float32")
    straight(1, 1, (x,), check=True)
    assert x.get().tolist() == [0, 2, 0, 0]


def test_uninitialised_memory():
    body = """__shared__ float s[8];
    if (threadIdx.x < 4) s[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x];"""
    x = cp.zeros(8, "float32")
    kernel(body)(1, 8, (x,))
    with cp.cuda.check(), pytest.raises(cp.cuda.UninitializedError):
        kernel(body)(1, 8, (x,))


def test_divergent_barriers():
    body = "if (threadIdx.x < 16) __syncthreads();\nelse __syncthreads();\nx[threadIdx.x] = 1;"
    with cp.cuda.check(), pytest.raises(cp.cuda.DeadlockError) as caught:
        kernel(body)(1, 32, (cp.zeros(32, "float32"),))
    assert {caught.value.line, caught.value.other[0]} == {3, 4}


def test_right_kernels_pass_the_check():
    body = """__shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[63 - threadIdx.x];"""
    for order in (None, 1, 2):
        x = cp.arange(64, dtype="float32")
        with cp.cuda.check(order=order):
            kernel(body)(1, 64, (x,))
        np.testing.assert_array_equal(cp.asnumpy(x), np.arange(64)[::-1])


def test_the_environment_switches_checking_on():
    code = """
import cuprum as cp
racy = cp.RawKernel('extern "C" __global__ void f(int* x) { *x += 1; }', "f")
try:
    racy(1, 8, (cp.zeros(1, "int32"),))
except cp.cuda.RaceError:
    print("race")
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "CUPRUM_CHECK": "1", "CUPRUM_DEVICE": "cpu"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "race\n", done.stderr


def test_settings_are_the_threads_own():
    seen = []
    with cp.cuda.check():
        thread = threading.Thread(target=lambda: seen.append(cp._core.kernel_settings()[0]))
        thread.start()
        thread.join()
        seen.append(cp._core.kernel_settings()[0])
    assert seen == [False, True] and not cp._core.kernel_settings()[0]
    with pytest.raises(TypeError, match="no setting 'speed'"), cp.cuda.launch_settings(speed=1):
        pass


def test_prints_go_to_standard_output(capsys):
    kernel('printf("%d of %d\\n", (int)threadIdx.x, (int)blockDim.x);', "")(1, 3, ())
    assert capsys.readouterr().out == "0 of 3\n1 of 3\n2 of 3\n"


def test_orders_of_blocks():
    body = "int i = blockIdx.x; float r = atomicAdd(&x[0], 1.0f); order[i] = (int)r;"
    for deterministic in (True, None):
        x, order = cp.zeros(1, "float32"), cp.zeros(500, "int32")
        kernel(body, "float* x, int* order")(500, 1, (x, order), deterministic=deterministic)
        np.testing.assert_array_equal(cp.asnumpy(order), np.arange(500))
    x, order = cp.zeros(1, "float32"), cp.zeros(500, "int32")
    kernel(body, "float* x, int* order")(500, 1, (x, order), deterministic=False)
    np.testing.assert_array_equal(np.sort(cp.asnumpy(order)), np.arange(500))


ENDLESS = {
    "loop": 'extern "C" __global__ void f(volatile float* x) { while (x[0] == 0) x[1] += 1; }',
    "recursion": """
        __device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        extern "C" __global__ void f(volatile float* x) { x[1] = fib(60 + (int)x[0]); }
    """,
}


@pytest.mark.parametrize("name", ENDLESS)
def test_interrupts(name):
    code = (
        f"text = {ENDLESS[name]!r}"
        + """
import signal
import cuprum as cp
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
forever = cp.RawKernel(text, "f")
x = cp.zeros(2, "float32")
forever.compile()
print("running", flush=True)
try:
    forever(4, 32, (x,))
except KeyboardInterrupt:
    print("stopped", flush=True)
x[0] = 5
print(float(x[0]))
"""
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "CUPRUM_DEVICE": "cpu"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "running\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert out == "stopped\n5.0\n", errors


def test_other_threads_of_python_run_meanwhile():
    spin = kernel("float s = 0; for (int k = 0; k < 200000000; k++) s = s * 0.5f + x[0]; x[1] = s;")
    x = cp.zeros(2, "float32")
    count = 0

    def work():
        with cp.cuda.Device("cpu"):
            spin(1, 1, (x,))

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        count += 1
        time.sleep(0.001)
    assert count > 3


def test_faults_are_pickled():
    with pytest.raises(cp.cuda.KernelMemoryError) as caught:
        kernel("x[100] = 1;")(1, 1, (cp.zeros(1, "float32"),))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.line, again.kernel) == (str(caught.value), 3, "f")


def test_faults_of_generated_kernels_name_the_users_text():
    reach = cp.ElementwiseKernel("raw T x", "T y", "T a = 1;\ny = x[i + 1] + a", "reach")
    with pytest.raises(IndexError, match=r"reach\.operation:2"):
        reach(cp.zeros(4), cp.zeros(4))


def test_waits_that_never_end():
    code = """
import cuprum as cp
text = '''extern "C" __global__ void f(volatile int* flag, int* x) {
    if (threadIdx.x == 3)
        while (flag[blockIdx.x] == 0) ;
    x[blockIdx.x * 8 + threadIdx.x] = 1;
}'''
wait = cp.RawKernel(text, "f")
flag, x = cp.array([1, 0], "int32"), cp.zeros(16, "int32")
try:
    wait(2, 8, (flag, x))
except cp.cuda.DeadlockError as error:
    print(error.kernel, error.line, error.thread, error.block)
wait(1, 8, (flag, x))
print(int(x[:8].sum()))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "CUPRUM_DEVICE": "cpu"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "f 3 (3, 0, 0) (1, 0, 0)\n8\n", done.stderr


def test_waits_for_other_threads_of_python():
    wait = kernel("while (flag[0] == 0) ;\nx[0] = 1;", "volatile int* flag, int* x")
    flag, x = cp.zeros(1, "int32"), cp.zeros(1, "int32")

    def work():
        with cp.cuda.Device("cpu"):
            wait(1, 1, (flag, x))

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.5)
    flag.fill(1)
    thread.join(60)
    assert not thread.is_alive() and int(x[0]) == 1


def test_crooked_addresses():
    whole = kernel("x[threadIdx.x] += 1;")
    memory = cp.cuda.alloc(64)
    for check in (False, True):
        cp.ndarray(16, "float32", memory).fill(0)
        whole(1, 4, (memory + 4,), check=check)
        with pytest.raises(cp.cuda.KernelMemoryError, match="misaligned read of 4 bytes") as caught:
            whole(1, 4, (memory + 2,), check=check)
        assert caught.value.line == 3 and caught.value.thread == (0, 0, 0)
    four = kernel("float4 v = x[threadIdx.x]; v.x += 1;\nx[threadIdx.x] = v;", "float4* x")
    x = cp.zeros(16, "float32")
    four(1, 2, (x[4:],))
    with pytest.raises(cp.cuda.KernelMemoryError, match="multiple of 16"):
        four(1, 2, (x[1:],))
