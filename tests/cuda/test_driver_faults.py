"""Calls of the driver that fail: the right result or an error that says so, and later work is right.

`make test-faults` lets every call of each program fail; the tests of every day let some of them.
"""

import os

import pytest
from test_host import HAS_GPU, on_gpu

EVERY = os.environ.get("CUPRUM_FAULTS") == "all"
pytestmark = pytest.mark.skipif(HAS_GPU, reason="a real driver does not fail when it is told to")

# 2: out of memory; 999: an unknown error, which a driver gives for anything.
CODES = {"out of memory": 2, "unknown": 999}
PROGRAMS = {
    "elementwise": "(cp.sqrt(cp.arange(5000.0)) * 2 + 1).get()",
    "reduction": "cp.arange(6000.0).reshape(60, 100).sum(0).get()",
    "upload": "cp.asarray(np.arange(3000.0)).get()",
    "sort": "cp.sort(cp.asarray(np.arange(4000)[::-1].copy())).get()",
    "indices": "cp.arange(100.0)[cp.asarray(np.arange(50) * 2)].get()",
    "streams": "(cp.arange(100.0) + side()).get()",
    "kernel": "kernel(cp.arange(50.0)).get()",
    "positions": "cp.nonzero(cp.asarray(np.arange(3000) % 3))[0].get()",
    "running sums": "cp.cumsum(cp.arange(5000.0)).get()",
    "random": "cp.random.Generator(cp.random.Philox(3)).random(1000).get()",
    "writes": "written().get()",
    "raw": "raw().get()",
    "transposed": "cp.asarray(np.arange(6000.0).reshape(60, 100)).T.copy().get()",
    "joined": "cp.concatenate([cp.arange(700.0), cp.arange(300.0)[::-1]]).get()",
    "masked": "masked().get()",
    "events": "timed().get()",
    "graph": "recorded().get()",
    "pinned": "pinned().get()",
    "dates": "(cp.asarray(np.arange(3000).astype('M8[D]')).astype('M8[M]') + 1).get()",
    "special": "special.gammaln(cp.arange(1.0, 500.0)).get()",
    "sparse": "(sparse.csr_matrix(cp.eye(40) * 3.0) @ cp.arange(40.0)).get()",
    "recursion": "signal.lfilter([0.5], [1.0, -0.5], cp.arange(400.0)).get()",
}
DRIVER = """
import ctypes, faulthandler
faulthandler.dump_traceback_later(250, exit=True)
driver = ctypes.CDLL(os.environ["CUPRUM_LIBCUDA"])
from cuprum.scipy import signal, sparse, special
kernel = cp.ElementwiseKernel("float64 x", "float64 y", "y = x * x + 1", "square_of_faults")

def side():
    with cp.cuda.Stream(non_blocking=True) as stream:
        a = cp.arange(100.0) * 3
        stream.synchronize()
    return a

def written():
    a = cp.arange(5000.0)
    a += 1
    a[::2] = 0
    a[cp.asarray(np.array([3, 5, 7]))] = -1.0
    return a

def masked():
    a = cp.asarray(np.arange(3000.0))
    a[a > 1000] *= 2
    return a[a % 3 == 0]

TEXT = 'extern "C" __global__ void fill(double *x) { x[threadIdx.x] = 2.0 * threadIdx.x; }'

def raw():
    a = cp.zeros(64)
    cp.RawModule(code=TEXT).get_function("fill")((1,), (64,), (a,))
    return a

def timed():
    begin, end = cp.cuda.Event(), cp.cuda.Event()
    begin.record()
    a = cp.arange(100.0) * 2 + 1
    a.sum()
    end.record()
    end.synchronize()
    assert cp.cuda.get_elapsed_time(begin, end) >= 0
    return a

def recorded():
    a = cp.asarray(np.arange(500.0))
    stream = cp.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        try:
            b = cp.sqrt(a) + 1
        finally:
            graph = stream.end_capture()
        graph.launch()
        stream.synchronize()
    return b

def pinned():
    memory = cp.cuda.alloc_pinned_memory(8 * 300)
    host = np.frombuffer(memory, np.float64, 300)
    host[...] = np.arange(300.0)
    return cp.asarray(host) + 1

code, every = int(sys.argv[1]), sys.argv[2] == "True"
program = sys.argv[3]
expected = eval(program)
errors, n = 0, 1
while True:
    driver.standinFailAfter(n, code)
    try:
        found = eval(program)
    except (MemoryError, RuntimeError) as error:
        assert str(error), "an error without a message"
        found = None
        errors += 1
    left = driver.standinFailAfter(0, 0)
    if found is not None:
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(eval(program), expected, f"after call {n} failed")
    if left:
        break
    n += 1 if every or n < 4 else n // 2
print(errors)
"""


CASES = [(name, code) for name in sorted(PROGRAMS) for code in sorted(CODES)]
SHORT = [("elementwise", "unknown"), ("indices", "out of memory"), ("upload", "out of memory")]


@pytest.mark.parametrize(("name", "code"), CASES if EVERY else SHORT)
def test_a_call_that_fails(name, code):
    done = on_gpu(f"import sys; sys.argv = ['-', '{CODES[code]}', '{EVERY}', {PROGRAMS[name]!r}]\n" + DRIVER)
    assert int(done.splitlines()[-1]) >= 0
