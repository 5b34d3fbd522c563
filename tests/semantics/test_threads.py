"""Arrays used from several threads: no deadlock, no torn work, and the GIL is free while computing.

Cases 29 and 30 of the deferral list are here. A test that does not end within its limit has deadlocked.
"""

import queue
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from twin import fresh_python, to_numpy

import cuprum as cp

N = 100_003
LIMIT = 60


def host(seed=0, n=N):
    return np.random.default_rng(seed).uniform(0, 1, n)


def in_threads(*bodies):
    """Run the bodies at once, each in a thread; re-raise the first error; fail if any is not done in time."""
    errors = []
    gate = threading.Barrier(len(bodies))

    def guarded(body):
        try:
            gate.wait(LIMIT)
            body()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(body,), daemon=True) for body in bodies]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + LIMIT
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    if errors:
        raise errors[0]
    assert not any(t.is_alive() for t in threads), f"still running after {LIMIT} s: a deadlock"


@pytest.fixture(autouse=True)
def switch_often():
    """Make the interpreter change threads a hundred times more often than it would."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("readers", [2, 8])
def test_case29_threads_force_one_pending_array(readers):
    a = host()
    want = np.sqrt(a * a + 1)
    for _ in range(20):
        x = cp.array(a)
        pending = cp.sqrt(x * x + 1)
        seen = []
        in_threads(*[lambda p=pending, s=seen: s.append(to_numpy(p)) for _ in range(readers)])
        assert len(seen) == readers and all(np.array_equal(s, want) for s in seen)


def test_case29_threads_force_different_parts_of_one_graph():
    a = host()
    for _ in range(20):
        shared = cp.array(a) * 2
        parts = [shared + i for i in range(6)]
        seen = {}
        in_threads(*[lambda i=i, p=parts, s=seen: s.__setitem__(i, to_numpy(p[i])) for i in range(6)])
        assert all(np.array_equal(seen[i], a * 2 + i) for i in range(6))


def test_case29_two_threads_force_in_opposite_orders():
    """Locks taken in two orders would deadlock here."""
    a = host()
    for _ in range(30):
        x, y = cp.array(a) * 2, cp.array(a) + 1
        p, q = x + y, x - y
        seen = []
        in_threads(
            lambda p=p, q=q, s=seen: s.append((to_numpy(p), to_numpy(q))),
            lambda p=p, q=q, s=seen: s.append(tuple(reversed((to_numpy(q), to_numpy(p))))),
        )
        assert all(
            np.array_equal(s[0], a * 2 + (a + 1)) and np.array_equal(s[1], a * 2 - (a + 1)) for s in seen
        )


def test_case29_producer_and_consumer():
    """Pending arrays cross threads through a queue and are read where they arrive."""
    a = host()
    pipe = queue.Queue(maxsize=4)
    rounds = 60

    def produce():
        x = cp.array(a)
        for i in range(rounds):
            pipe.put((i, x * i + 1))
        pipe.put(None)

    def consume():
        count = 0
        while (item := pipe.get(timeout=LIMIT)) is not None:
            i, array = item
            assert np.array_equal(to_numpy(array + 1), a * i + 1 + 1), f"item {i}"
            count += 1
        assert count == rounds

    in_threads(produce, consume)


def test_case29_the_owner_thread_exits_before_the_read():
    a = host()
    kept = []
    for i in range(10):
        in_threads(lambda i=i: kept.append(cp.array(a) * i))
    for i, array in enumerate(kept):
        assert np.array_equal(to_numpy(array), a * i)


def test_case30_eight_readers_while_one_thread_swaps_arrays():
    """A reader sees one array or the other, never a mixture and never freed memory."""
    low, high = host(1), host(2)
    want = {0: low * 2 + 1, 1: high * 2 + 1}
    slot = [(0, cp.array(low) * 2)]
    stop = threading.Event()

    def swap():
        for i in range(300):
            slot[0] = (i % 2, cp.array((low, high)[i % 2]) * 2)
        stop.set()

    def read():
        while not stop.is_set():
            which, array = slot[0]
            assert np.array_equal(to_numpy(array + 1), want[which])

    in_threads(swap, *[read] * 8)


def test_a_pending_reader_keeps_the_old_values_while_another_thread_writes():
    """A reader recorded before a write keeps the old values, whichever thread computes it."""
    x = cp.zeros(N)
    for i in range(50):
        before = x + 0
        in_threads(lambda i=i: x.fill(i + 1), lambda b=before, i=i: _all_equal(to_numpy(b), i))
        assert float(x[0]) == i + 1 and float(x[-1]) == i + 1


def _all_equal(values, value):
    assert (values == value).all(), (
        f"a reader recorded before the write saw {np.unique(values)[:5]}, not {value}"
    )


def test_writers_of_disjoint_slices():
    x = cp.zeros(8 * 10_000)

    def writer(k):
        part = x[k * 10_000 : (k + 1) * 10_000]
        for _ in range(50):
            part += k + 1

    in_threads(*[lambda k=k: writer(k) for k in range(8)])
    assert np.array_equal(to_numpy(x), np.repeat(np.arange(1, 9) * 50.0, 10_000))


def test_threads_build_and_drop_long_chains():
    def chain(k):
        x = cp.ones(5000)
        for i in range(2000):
            x = x + k
            if i % 300 == 0:
                x + x
        assert float(x[7]) == 1 + 2000 * k

    in_threads(*[lambda k=k: chain(k) for k in range(1, 6)])


def test_threads_share_inputs_and_reduce():
    a = host(3, 500_000)
    x = cp.array(a)
    want = to_numpy((x * 2 + 1).sum()).tobytes()

    def reduce():
        for _ in range(20):
            assert to_numpy((x * 2 + 1).sum()).tobytes() == want

    in_threads(*[reduce] * 6)


def test_errors_in_one_thread_do_not_reach_another():
    x = cp.ones(N)

    def wrong():
        for _ in range(200):
            with pytest.raises(ValueError):
                x + cp.ones(N + 1)

    def right():
        for i in range(200):
            assert float((x * i).sum()) == i * N

    in_threads(wrong, right, right)


def test_the_gil_is_released_while_computing():
    """A Python thread counts on while another is inside one long computation."""
    x = cp.array(host(0, 4_000_000))
    ticks = []
    done = threading.Event()

    def count():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    span = []

    def compute():
        start = time.perf_counter()
        y = x
        for _ in range(30):
            y = cp.tanh(cp.sin(y) + 1)
        float(y.sum())
        span.extend((start, time.perf_counter()))
        done.set()

    in_threads(count, compute)
    inside = sum(span[0] < t < span[1] for t in ticks)
    milliseconds = (span[1] - span[0]) * 1000
    assert inside > milliseconds / 30, (
        f"{inside} ticks in {milliseconds:.0f} ms: the other thread was held up"
    )


def test_ctrl_c_stops_long_work():
    """KeyboardInterrupt arrives while work runs, and arrays stay usable."""
    if sys.platform == "win32":
        pytest.skip("signals work otherwise there")
    out = fresh_python(
        """
        import signal, threading, time
        signal.signal(signal.SIGINT, signal.default_int_handler)
        x = cp.array(np.random.default_rng(0).uniform(0, 1, 2_000_000))
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            while time.monotonic() - start < 30:
                y = x
                for _ in range(200):
                    y = cp.tanh(cp.sin(y) + 1)
                float(y.sum())
            print("never interrupted")
        except KeyboardInterrupt:
            late = time.monotonic() - start
            print("interrupted" if late < 15 else f"after {late} s", float((x * 0 + 1).sum()))
        """,
        timeout=90,
    )
    assert out == "interrupted 2000000.0"


@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_stops_a_product(threads):
    """A product of large matrices ends at the next block, long before it is whole."""
    if sys.platform == "win32":
        pytest.skip("signals work otherwise there")
    out = fresh_python(
        """
        import signal, threading, time
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def product(n):
            a = cp.ones((n, n), "i8")
            return cp.testing.wait(a @ a)
        product(600)
        start = time.monotonic()
        product(600)
        whole = (time.monotonic() - start) * (4200 / 600) ** 3
        threading.Timer(whole / 20, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            product(4200)
            print("never interrupted")
        except KeyboardInterrupt:
            late = time.monotonic() - start
            print("interrupted" if late < whole / 2 else f"after {late} of {whole} s")
        print(int((cp.ones((3, 3), "i8") @ cp.ones(3, "i8")).sum()))
        """,
        timeout=90,
        CUPRUM_THREADS=threads,
        CUPRUM_DEVICE="cpu",
    )
    assert out == "interrupted\n9"


def test_the_number_of_threads_is_a_setting():
    code = "x = cp.arange(3_000_000.0)\nprint(repr(float(cp.sqrt(x).sum())))"
    assert len({fresh_python(code, CUPRUM_THREADS=n) for n in ("1", "2", "7")}) == 1


def test_the_number_of_threads_changes_no_bit_of_a_factorisation():
    code = """
        import hashlib
        generator, digest = np.random.default_rng(3), hashlib.sha256()
        for dtype in ("float32", "float64", "complex128"):
            for m, n in ((60, 60), (96, 96), (130, 130), (300, 110), (110, 300)):
                a = cp.array(generator.standard_normal((m, n)).astype(dtype))
                product = a @ a.T.conj()
                found = [*cp.linalg.svd(a), cp.linalg.svd(a, compute_uv=False), *cp.linalg.qr(a), product]
                found.append(cp.linalg.lstsq(a, a[:, :2], rcond=None)[0])
                if m == n:
                    found += [*cp.linalg.eigh(a + a.T.conj()), *cp.linalg.eig(a), cp.linalg.inv(a)]
                    found += [cp.linalg.solve(a, a[:, :3]), cp.linalg.cholesky(product + m * cp.eye(m))]
                for array in found:
                    digest.update(cp.asnumpy(array).tobytes())
        print(digest.hexdigest())
        """
    digests = {fresh_python(code, CUPRUM_THREADS=n, CUPRUM_DEVICE="cpu") for n in ("1", "2", "5")}
    assert len(digests) == 1


FINALIZERS = """
import gc
import cuprum as cp

a, b, m, i = cp.arange(6.0), cp.arange(6.0) + 1, cp.ones((2, 3)), cp.array([0, 2])
seen = []


class Last:
    __slots__ = ("me",)

    def __init__(self):
        self.me = self

    def __del__(self):
        seen.append(float((a + b).sum()) + float(m.sum()) + int(i[1]))


for call in (
    "a + b", "a * 2", "2 - a", "-a", "a == b", "cp.sqrt(a)", "cp.add(a, b)", "cp.divmod(a, b)", "cp.add(a, b, out=b)",
    "a.sum()", "a.max()", "m.T", "a[1:]", "a[i]", "a[1]", "a.copy()", "a.astype('float32')", "m.reshape(3, 2)",
):
    scope = {"a": a, "b": b, "m": m, "i": i, "cp": cp, "Last": Last}
    exec(f"def run():\\n for _ in range(50):\\n  Last()\\n  {call}", scope)
    for threshold in (1, 2, 3, 5):
        gc.set_threshold(threshold)
        scope["run"]()
        gc.set_threshold(700)
gc.collect()
print(len(seen))
"""  # noqa: E501


def test_finalizers_may_use_the_arrays_of_the_call_that_collects_them():
    """A result is made with no lock held: to make an object may collect others."""
    done = subprocess.run([sys.executable, "-c", FINALIZERS], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == 18 * 4 * 50
