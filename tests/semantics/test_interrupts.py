"""Ctrl-C stops long work on the host: KeyboardInterrupt, and all works afterwards."""

import pytest
from twin import ON_GPU, fresh_python

pytestmark = pytest.mark.skipif(ON_GPU, reason="a kernel that runs on a GPU is waited for")

# What takes long is stopped after a moment; what is not stopped is ended by the alarm, which fails the test.
STOPPED = """
import signal, threading, time

def interrupt():
    time.sleep(0.5)
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

# A shell's background job ignores interrupts, and so do the processes that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
random = np.random.default_rng(0)
{operands}
signal.alarm(40)
threading.Thread(target=interrupt, daemon=True).start()
try:
    {work}
except KeyboardInterrupt:
    print("stopped")
assert float((cp.arange(10_000.0) * 2).sum()) == 9999 * 10_000
assert abs(float(cp.linalg.det(cp.eye(600))) - 1) < 1e-9
print(round(float(cp.linalg.svd(cp.eye(520), compute_uv=False).sum())))
os._exit(0)
"""
SQUARE = "a = cp.asarray(random.random(({n}, {n})))"
WORK = {
    "svd": (SQUARE.format(n=3500), "cp.linalg.svd(a)"),
    "eigh": (SQUARE.format(n=5000), "cp.linalg.eigh(a + a.T)"),
    "eig": (SQUARE.format(n=2500), "cp.linalg.eig(a)"),
    "convolve": ("a = cp.asarray(random.random(900_000))", "cp.convolve(a, a).sum().item()"),
    "stack": ("a = cp.asarray(random.random((40, 900, 900)))", "cp.linalg.svd(a)"),
}


@pytest.mark.parametrize("name", sorted(WORK))
def test_an_interrupt_stops(name):
    operands, work = WORK[name]
    out = fresh_python(STOPPED.format(operands=operands, work=work), timeout=100)
    assert out.split() == ["stopped", "520"]
