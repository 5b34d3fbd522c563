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


def test_templates_that_double_are_refused():
    levels = "".join(f"typedef P<T{i}, T{i}> T{i + 1};\n" for i in range(60))
    code = f"""template <class A, class B> struct P {{ static const int value = 1; }};
    typedef P<int, float> T0;
    {levels}
    extern "C" __global__ void f(int* x) {{ x[0] = T60::value; }}"""
    with pytest.raises(
        cp.cuda.compiler.CompileException, match=r"nested too deep: `P<P<.*\.\.\.` has \d+ char"
    ):
        cp.RawKernel(code, "f")((1,), (1,), (cp.zeros(1, np.int32),))
    few = code.replace("T60::value", "T8::value").replace("".join(levels.splitlines(True)[8:]), "")
    x = cp.zeros(1, np.int32)
    cp.RawKernel(few, "f")((1,), (1,), (x,))
    assert int(x[0]) == 1


def test_variable_templates_that_double_are_refused():
    levels = "".join(f"typedef P<T{i}, T{i}> T{i + 1};\n" for i in range(11))
    code = f"""template <class A, class B> struct P {{}};
    template <class... T> constexpr int count = sizeof...(T);
    typedef P<int, float> T0;
    {levels}
    extern "C" __global__ void f(int* x) {{ x[0] = count<{", ".join(["T11"] * 40)}>; }}"""
    with pytest.raises(cp.cuda.compiler.CompileException, match="nested too deep"):
        cp.RawKernel(code, "f")((1,), (1,), (cp.zeros(1, np.int32),))


def test_a_switch_of_many_cases_is_compiled_in_bounded_memory():
    program = """
        import resource
        import numpy as np
        import cuprum as cp

        cases = "".join(f"case {3 * i}: x[1] = {i} * x[2]; break;" for i in range(2_500))
        code = 'extern "C" __global__ void f(int* x) { switch (x[0]) { ' + cases + " } }"
        x = cp.asarray(np.array([300, 0, 7, 0], np.int32))
        limit = 100 << 20
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        cp.RawKernel(code, "f")((1,), (1,), (x,))
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert int(x[1]) == 700
        assert (after - before) << 10 < limit, f"{after - before} KiB"
        print("ended")
    """
    done = in_process(program)
    assert (done.returncode, done.stdout) == (0, "ended\n"), done.stderr


def test_kernels_of_too_many_branches_are_refused():
    cases = "".join(f"case {i}: x[1] = {i} * x[2]; break;\n" for i in range(20_000))
    code = f'extern "C" __global__ void f(int* x) {{ switch (x[0]) {{ {cases} }} }}'
    with pytest.raises(cp.cuda.compiler.CompileException, match=r"`f` has \d+ branches"):
        cp.RawKernel(code, "f")((1,), (1,), (cp.zeros(4, np.int32),))


def test_tuples_that_double_are_refused():
    inside = """
    t0 = (1, 2)
    {}
    x[0] = len(t24)
    """
    names = {"jit": cp.jit}
    lines = "\n    ".join(f"t{i + 1} = (t{i}, t{i})" for i in range(24))
    text = f"def f(x):\n    {inside.format(lines).strip()}\n"
    outside = (1, 2)
    for _ in range(24):
        outside = (outside, outside)
    x = cp.zeros(1, np.int32)
    with pytest.raises(TypeError, match="a tuple of more than 1024 values is too large for a kernel"):
        compiled(text, names)((1,), (1,), (x,))
    with pytest.raises(TypeError, match="a tuple of more than 1024 values is too large for a kernel"):
        compiled("def f(x):\n    x[0] = len(outside)\n", {**names, "outside": outside})((1,), (1,), (x,))
    with pytest.raises(TypeError, match="a tuple of more than 1024 values is too large for a kernel"):
        compiled("def f(x, t):\n    x[0] = len(t)\n", names)((1,), (1,), (x, outside))
    compiled("def f(x, t):\n    x[0] = len(t)\n", names)((1,), (1,), (x, (1,) * 1000))
    assert int(x[0]) == 1000


def compiled(text: str, names: dict) -> cp.jit.rawkernel:
    """Make a kernel of a text that has no file."""
    import linecache

    file = f"<kernel {abs(hash(text))}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = dict(names)
    exec(compile(text, file, "exec"), space)  # noqa: S102
    return cp.jit.rawkernel()(space["f"])


STATEMENTS = [
    "a, s[i + n] = 1, 2",
    "s[i + n], a = 1, 2",
    "s[i + n] = cp.jit.shfl_sync(0xffffffff, x[i], 0)",
    "a = cp.jit.shfl_sync(0xffffffff, s[i + n], 0)",
    "s[i], s[i + n], s[i + 2 * n] = 1, 2, 3",
    "a, b = s[i + n], s[i]",
    "a = max(x[i], s[i + n], s[i + 2 * n])",
    "s[i + n] += s[i] if x[i] else s[i + n]",
    "cp.jit.atomic_add(s, i + n, 1)",
]


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("holder", ["cp.jit.shared_memory(cp.float32, 32)", "x"])
def test_an_index_out_of_range_names_its_line(statement, holder):
    head = f"def f(x, n):\n    s = {holder}\n    i = cp.jit.threadIdx.x\n    s[i] = 0\n"
    text = f"{head}    {statement}\n    x[i] = 1\n"
    kernel = compiled(text, {"cp": cp})
    with pytest.raises(cp.cuda.KernelMemoryError, match=r">:5 by thread[^\n]*\n[^\n]*>:5: ") as caught:
        kernel((1,), (32,), (cp.zeros(32, np.float32), np.int32(1000)))
    assert statement in str(caught.value)


def test_compiling_without_memory_is_a_memory_error():
    program = """
        import resource
        import numpy as np
        import cuprum as cp

        CODE = '''
        __device__ int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
        __device__ float big[1 << 20];
        extern "C" __global__ void add(int* x, int n) {
            __shared__ int s[256];
            int kept[256];
            for (int i = 0; i < 256; ++i) kept[i] = x[i];
            s[threadIdx.x] = x[threadIdx.x];
            __syncthreads();
            x[threadIdx.x] = s[255 - threadIdx.x] + NUMBER + kept[n] * 0 + depth(0);
        }
        '''

        def size():
            with open("/proc/self/status") as status:
                return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmSize"))

        def launch(number):
            x = cp.zeros(256, np.int32)
            kernel = cp.RawModule(code=CODE.replace("NUMBER", str(number))).get_function("add")
            kernel((2,), (256,), (x, np.int32(0)))
            return cp.asnumpy(x)

        unlimited = resource.getrlimit(resource.RLIMIT_AS)
        launch(0)
        errors = 0
        for number, megabytes in enumerate([0, 1, 16, 64, 128, 250, 257, 270, 281, 290, 300, 320, 400, 800]):
            resource.setrlimit(resource.RLIMIT_AS, (size() + (megabytes << 20), unlimited[1]))
            try:
                got = launch(number)
            except MemoryError as error:
                errors += 1
            else:
                assert got[0] in (number, 2 * number), got
            resource.setrlimit(resource.RLIMIT_AS, unlimited)
            assert launch(1000 + number)[0] in (1000 + number, 2 * (1000 + number))
        assert 0 < errors < 14, errors
        print("ended")
    """
    done = in_process(program)
    assert (done.returncode, done.stdout) == (0, "ended\n"), done.stderr
