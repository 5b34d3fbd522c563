"""Little address space (`ulimit -v`): a result or MemoryError, never an abort, and all works afterwards."""

import json
import shutil
import subprocess

import pytest
from twin import ON_GPU, fresh_python

pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(ON_GPU, reason="a GPU's driver maps more than any limit")

OPS = {
    "inv": "cp.linalg.inv(a)",
    "inv_of_a_stack": "cp.linalg.inv(stack)",
    "solve": "cp.linalg.solve(a, b)",
    "det": "cp.linalg.det(a)",
    "lu": "cp.linalg.slogdet(a)",
    "qr": "cp.linalg.qr(a)",
    "svd": "cp.linalg.svd(a)",
    "pinv": "cp.linalg.pinv(a)",
    "eigh": "cp.linalg.eigh(s)",
    "eig": "cp.linalg.eig(a)",
    "cholesky": "cp.linalg.cholesky(s)",
    "lstsq": "cp.linalg.lstsq(a, b, rcond=None)",
    "polyfit": "cp.polyfit(x, x, 3)",
    "fft": "cp.fft.fft(prime)",
    "rfft": "cp.fft.rfft(x)",
    "histogram2d": "cp.histogram2d(x, x, bins=700)",
    "interp": "cp.interp(x, points, points)",
    "tolist": "x.tolist()",
    "tobytes": "x.tobytes()",
    "tobytes_beyond": "cp.broadcast_to(cp.ones(1), (10**13,)).tobytes()",
    "tolist_beyond": "cp.broadcast_to(cp.ones(1), (10**13,)).tolist()",
    "permutation": "cp.random.permutation(400_000)",
    "choice": "cp.random.default_rng(1).choice(400_000, 200_000, replace=False)",
    "argsort": "cp.argsort(z)",
    "convolve": "cp.convolve(x[:5000], x[:500])",
    "array_of_lists": "cp.array(numbers)",
    "matmul": "a @ a",
}
# The last is enough for all: faer's products map twice the last-level cache for each thread, which is
# hundreds of megabytes on large servers.
HEADROOM = [0, 1, 4, 12, 30, 60, 120, 250, 4000]

# Each op and each limit has a process of its own, forked from one that has made the operands.
DRIVER = """
import json, resource, signal

random = np.random.default_rng(0)
host = random.random((300, 300))
a, b, s = cp.asarray(host), cp.asarray(host[:, :40]), cp.asarray(host @ host.T + 300 * np.eye(300))
stack = cp.asarray(random.random((100, 40, 40)))
x, prime = cp.asarray(random.random(400_000)), cp.asarray(random.random(400_009))
z = cp.asarray(random.random(100_000) + 1j)
points = cp.asarray(np.sort(random.random(100_000)))
numbers = random.random(100_000).tolist()
cp.random.seed(1)
ops, limits = json.loads(sys.argv[1])

def run(op, headroom):
    size = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    unlimited = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_AS, (size + (headroom << 20), unlimited))
    try:
        eval(op)
        outcome = "result"
    except Exception as error:
        outcome = type(error).__name__ if not isinstance(error, MemoryError) else "MemoryError"
    resource.setrlimit(resource.RLIMIT_AS, (unlimited, unlimited))
    assert float((cp.arange(10_000.0) * 2).sum()) == 9999 * 10_000
    assert abs(float(cp.linalg.det(cp.eye(100))) - 1) < 1e-9
    assert cp.arange(5).tolist() == [0, 1, 2, 3, 4]
    return outcome

found = {}
for name, op in ops.items():
    found[name] = []
    for headroom in limits:
        receive, send = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            outcome = "failed afterwards"
            try:
                outcome = run(op, headroom)
            except BaseException as error:
                outcome = f"afterwards {type(error).__name__}: {error}"
            finally:
                os.write(send, outcome.encode())
                os._exit(0)
        os.close(send)
        said = os.read(receive, 4096).decode()
        os.close(receive)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        found[name].append(said if status == 0 else f"exit status {status}")
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def outcomes():
    return json.loads(fresh_python(DRIVER, json.dumps([OPS, HEADROOM]), timeout=600).splitlines()[-1])


@pytest.mark.parametrize("name", sorted(OPS))
def test_a_result_or_memory_error(name, outcomes):
    found = outcomes[name]
    assert set(found) <= {"result", "MemoryError"}, list(zip(HEADROOM, found, strict=True))
    if "beyond" not in name:
        assert found[-1] == "result", list(zip(HEADROOM, found, strict=True))
    else:
        assert set(found) == {"MemoryError"}


@pytest.mark.parametrize("call", ["tobytes", "tolist"])
def test_more_than_any_memory_names_its_bytes(call):
    out = fresh_python(
        f"""
        try:
            cp.broadcast_to(cp.ones(1), (10**13,)).{call}()
        except MemoryError as error:
            print(error)
        """
    )
    assert "80,000,000,000,000 bytes asked for" in out


REGISTERS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
static int count;
int __cxa_thread_atexit_impl(void (*drop)(void *), void *object, void *library) {
    int (*real)(void (*)(void *), void *, void *) = dlsym(RTLD_NEXT, "__cxa_thread_atexit_impl");
    char name[16] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    if (!strncmp(name, "cuprum-", 7)) __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    return real(drop, object, library);
}
int registered(void) { return count; }
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_workers_register_what_they_drop_when_they_begin(tmp_path):
    """Later there may be no memory for it, and the C library ends the process."""
    source, library = tmp_path / "registers.c", tmp_path / "registers.so"
    source.write_text(REGISTERS)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    out = fresh_python(
        f"""
        import ctypes
        import cuprum.scipy.ndimage as ndimage

        registered = ctypes.CDLL({str(library)!r}).registered
        x = cp.random.random(1_000_000)
        float((x * 2).sum())
        begun = registered()
        m, z = x.reshape(1000, 1000), x.reshape(100, 100, 100) + 1j
        kernel = cp.RawKernel(
            'extern "C" __global__ void f(double *x) {{ x[blockIdx.x * 256 + threadIdx.x] += 1; }}', "f"
        )
        for _ in range(3):
            kernel((3906,), (256,), (x,))
            work = cp.cumsum(x), cp.cumprod(m, 1), m @ m, m @ m[0], cp.fft.fftn(z), m.sum(0), m.argmax(1)
            more = cp.sort(x), cp.argsort(m, 0), x[x > 0.5], cp.bincount((x * 9).astype(int)), cp.unique(x)
            last = ndimage.gaussian_filter(m, 3), ndimage.median_filter(m, 5), cp.convolve(x, x[:99])
            for one in (*work, *more, *last):
                float(abs(one.ravel()[-1]))
        print(begun > 0, registered() - begun)
        """,
        CUPRUM_THREADS="4",
        CUPRUM_DEVICE="cpu",
        LD_PRELOAD=str(library),
    )
    assert out == "True 0"


def test_threads_begin_where_little_memory_is_left():
    """A thread finds room for its thread-local data, or is not begun: without room the process would end."""
    out = fresh_python(
        """
        import resource

        big = cp.ones(3_000_000)
        ended = set()
        for megabytes in [*range(1, 24), 40, 80]:
            child = os.fork()
            if child == 0:
                size = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
                limit = size + (megabytes << 20), resource.RLIM_INFINITY
                resource.setrlimit(resource.RLIMIT_AS, limit)
                try:
                    os._exit(0 if float((big * 2).sum()) == 6e6 else 1)
                except MemoryError:
                    os._exit(3)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if status not in (0, 3):
                ended.add((megabytes, status))
        print(sorted(ended))
        """,
        CUPRUM_THREADS="16",
    )
    assert out == "[]"
