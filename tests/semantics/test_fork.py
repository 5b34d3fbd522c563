"""Forks while other threads compute: the child has every lock free, computes, and gets NumPy's results."""

import os
import subprocess
import sys
import textwrap

import pytest

pytestmark = [
    pytest.mark.no_gpu,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here"),
]

LIMIT = 90
"""Seconds after which a script and its children are killed; each takes a few."""

COMMON = """
import os, signal, sys, threading, time, warnings
import numpy as np
import cuprum as cp
warnings.simplefilter("ignore")
os.setpgid(0, 0)

KERNEL = '''
extern "C" __global__ void twice(double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 2 * x[i];
}
'''
shared = cp.arange(200_000.0)
pending = shared * 2 + 1
small = cp.arange(64.0)
matrix = cp.asarray(np.random.default_rng(1).random((96, 96)))
generator = cp.random.default_rng(5)
kernel = cp.RawKernel(KERNEL, "twice")

def elementwise():
    assert float((cp.sqrt(shared * shared) + 1).sum()) == float((np.sqrt(np.arange(200_000.0)**2) + 1).sum())
    assert float(pending[-1]) == 399_999
    assert float((small + 1).sum()) == 64 * 65 / 2

def matmul():
    a = np.arange(90_000.0).reshape(300, 300) % 7
    assert np.array_equal(cp.asnumpy(cp.asarray(a) @ cp.asarray(a)), a @ a)

def sort():
    a = np.random.default_rng(3).random(100_000)
    assert np.array_equal(cp.asnumpy(cp.sort(cp.asarray(a))), np.sort(a))

def random():
    one, same = cp.random.default_rng(11), cp.random.default_rng(11)
    assert np.array_equal(cp.asnumpy(one.random(50_000)), cp.asnumpy(same.random(50_000)))
    drawn = cp.asnumpy(generator.random(1000))
    assert drawn.min() >= 0 and drawn.max() < 1 and np.unique(drawn).size > 990
    cp.random.random(10)

def kernels():
    x = cp.arange(10_000.0)
    kernel((40,), (256,), (x, np.int32(10_000)))
    assert np.array_equal(cp.asnumpy(x), 2 * np.arange(10_000.0))
    made = cp.ElementwiseKernel("float64 x", "float64 y", f"y = x + {os.getpid()}", f"plus{os.getpid()}")
    assert float(made(small)[3]) == 3 + os.getpid()

def linalg():
    a = cp.asnumpy(matrix)
    b = np.ones(96)
    assert np.allclose(cp.asnumpy(cp.linalg.solve(matrix, cp.asarray(b))), np.linalg.solve(a, b))
    assert np.allclose(cp.asnumpy(cp.linalg.svd(matrix)[1]), np.linalg.svd(a)[1])
    assert np.allclose(cp.asnumpy(cp.fft.fft(shared)), np.fft.fft(np.arange(200_000.0)))

WORK = {work.__name__: work for work in (elementwise, matmul, sort, random, kernels, linalg)}

def wait_for(pid, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "hangs"

def forked(work):
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException as error:
            sys.stderr.write(f"{type(error).__name__}: {error}\\n")
        finally:
            os._exit(code)
    return wait_for(pid, 60)

def threads_of(*bodies):
    stop = threading.Event()
    def loop(body):
        while not stop.is_set():
            body()
    made = [threading.Thread(target=loop, args=(body,), daemon=True) for body in bodies]
    for thread in made:
        thread.start()
    time.sleep(0.05)
    return stop, made
"""


def run(body):
    """Run a script in a process group of its own, which is killed as a whole if it hangs."""
    code = COMMON + textwrap.dedent(body)
    done = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        out, err = done.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(done.pid, 9)
        done.communicate()
        pytest.fail("the script hangs")
    assert done.returncode == 0, err
    return out.strip(), err


BUSY = {
    "elementwise": "lambda: float((shared * 3 + 1).sum())",
    "small arrays": "lambda: float((small * 3 + 1).sum())",
    "random": "lambda: generator.random(20_000).sum()",
    "module random": "lambda: float(cp.random.random(20_000).sum())",
    "matmul": "lambda: float((matrix @ matrix)[0, 0])",
    "sort": "lambda: float(cp.sort(shared[::-1])[0])",
    "kernels": "lambda: kernel((40,), (256,), (cp.arange(10_000.0), np.int32(10_000)))",
    "linalg": "lambda: float(cp.linalg.svd(matrix)[1][0])",
    "compiling": "lambda: cp.RawKernel(KERNEL + f'// {time.monotonic_ns()}', 'twice').compile()",
}


@pytest.mark.parametrize("busy", BUSY)
def test_a_child_computes_while_threads_of_its_parent_do(busy):
    out, err = run(
        f"""
        busy = {BUSY[busy]}
        stop, threads = threads_of(busy, busy)
        codes = [forked(WORK[list(WORK)[i % len(WORK)]]) for i in range(20)]
        stop.set()
        for thread in threads:
            thread.join(30)
        for work in WORK.values():
            work()
        print(codes)
        """
    )
    assert out == str([0] * 20), err


def test_children_of_several_threads_that_fork_at_a_time():
    out, err = run(
        """
        codes = []
        def forks():
            for work in WORK.values():
                codes.append(forked(work))
        stop, threads = threads_of(lambda: float((shared * 3 + 1).sum()))
        forking = [threading.Thread(target=forks) for _ in range(3)]
        for thread in forking:
            thread.start()
        for thread in forking:
            thread.join()
        stop.set()
        print(codes)
        """
    )
    assert out == str([0] * 18), err


def test_a_grandchild_computes():
    out, err = run(
        """
        def child():
            stop, threads = threads_of(lambda: float((shared * 3 + 1).sum()))
            for work in WORK.values():
                assert forked(work) == 0
        stop, threads = threads_of(lambda: float((shared * 3 + 1).sum()))
        print(forked(child))
        """
    )
    assert out == "0", err


def test_multiprocessing_by_fork():
    out, err = run(
        """
        import multiprocessing
        def job(i):
            return float((shared[: 1000 * (i + 1)] * 2).sum()) + float(cp.sort(shared[::-1])[i])
        stop, threads = threads_of(
            lambda: float((shared * 3 + 1).sum()), lambda: generator.random(20_000).sum()
        )
        with multiprocessing.get_context("fork").Pool(3) as pool:
            found = pool.map_async(job, range(12)).get(60)
        stop.set()
        print(found == [sum(range(1000 * (i + 1))) * 2.0 + i for i in range(12)])
        """
    )
    assert out == "True", err


def test_a_fork_in_an_allocator_of_the_program():
    """The thread that forks is inside a call itself; it goes on in the child."""
    out, err = run(
        """
        codes = []
        pool = cp.cuda.MemoryPool()
        def allocate(size):
            if not codes:
                codes.append(None)
                pid = os.fork()
                if pid == 0:
                    codes[0] = "child"
                else:
                    codes[0] = wait_for(pid, 60)
            return pool.malloc(size)
        with cp.cuda.using_allocator(allocate):
            total = float((cp.arange(100_000.0) + 1).sum())
        if codes == ["child"]:
            os._exit(0 if total == 5000050000.0 else 1)
        print(codes, total)
        """
    )
    assert out == "[0] 5000050000.0", err


def test_a_child_of_a_fork_that_waited_in_vain_is_told():
    """The fork goes ahead after a while, and the child refuses to compute."""
    out, err = run(
        """
        within, done, codes = threading.Event(), threading.Event(), []
        class Slow(cp.cuda.MemoryHook):
            name = "slow"
            def malloc_preprocess(self, **facts):
                within.set()
                done.wait(30)
        def slow():
            with Slow():
                cp.empty(1_000_000)
        class Forks(cp.cuda.MemoryHook):
            name = "forks"
            def malloc_preprocess(self, **facts):
                pid = os.fork()
                if pid == 0:
                    try:
                        cp.arange(10) + 1
                    except RuntimeError as error:
                        os._exit(0 if "forked" in str(error) and "spawn" in str(error) else 2)
                    os._exit(1)
                codes.append(wait_for(pid, 60))
        thread = threading.Thread(target=slow)
        thread.start()
        within.wait()
        with Forks():
            cp.empty(10)
        done.set()
        thread.join()
        print(codes, float((cp.arange(100_000.0) + 1).sum()))
        """
    )
    assert out == "[0] 5000050000.0", err


@pytest.mark.parametrize("line", ["cp.fft.fft", "cp.scipy.special", "cp.median"])
def test_a_child_loads_what_another_thread_was_loading(line):
    """Modules are loaded when their names are first used; a child has nobody to unlock them."""
    out, err = run(
        f"""
        import importlib.abc
        begun = threading.Event()

        class Slow(importlib.abc.MetaPathFinder):
            def find_spec(self, name, path, target=None):
                if name.startswith("cuprum."):
                    begun.set()
                    time.sleep(0.3)

        sys.meta_path.insert(0, Slow())
        other = threading.Thread(target=lambda: {line})
        other.start()
        begun.wait()
        pid = os.fork()
        if pid == 0:
            sys.meta_path.pop(0)
            {line}
            os._exit(0 if float(cp.arange(10_000.0).sum()) == 49995000.0 else 1)
        print(wait_for(pid, 30))
        other.join()
        """
    )
    assert out == "0", err


def test_a_fork_leaves_marks_of_others_that_are_about_to_fork():
    out, err = run(
        """
        from cuprum import _forks
        _forks._forking.append(-1)
        pid = os.fork()
        if pid == 0:
            os._exit(len(_forks._forking))
        print(wait_for(pid, 30), _forks._forking)
        """
    )
    assert out == "0 [-1]", err
