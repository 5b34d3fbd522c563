"""A task that panics on a worker thread: the caller gets an error, and later calls have all their threads."""

import numpy as np
import pytest
from programs import PROGRAMS
from test_allocations import EVERY, LIBRARIES, assert_same, on_host

import cuprum as cp
from cuprum import _core

EVERYTHING = {**{name: lambda name=name: PROGRAMS[name](cp) for name in PROGRAMS}, **LIBRARIES}
SHORT = (
    "sqrt of sums",
    "sum",
    "cumsum",
    "sort",
    "fft of a prime",
    "take",
    "nonzero",
    "inv of a stack",
    "matmul",
    "sparse csr times csr",
    "signal lfilter",
    "ndimage label",
    "stored unique dates",
)


@pytest.mark.parametrize("name", sorted(EVERYTHING) if EVERY else SHORT)
def test_a_task_that_fails_is_an_error_of_its_call(name):
    expected = on_host(EVERYTHING[name]())
    for n in range(1, 200 if EVERY else 4):
        _core._fail_task(n)
        try:
            found = on_host(EVERYTHING[name]())
        except RuntimeError as error:
            assert "made to fail" in str(error)
            found = None
        left = _core._fail_task(0)
        if found is not None:
            assert_same(found, expected)
        assert_same(on_host(EVERYTHING[name]()), expected)
        if left:
            break
    big = cp.arange(1 << 20, dtype="float64")
    np.testing.assert_array_equal((big * 2 + 1).get(), np.arange(1 << 20) * 2.0 + 1)


@pytest.mark.no_gpu
def test_no_threads_can_be_had():
    """Without new threads the caller does all the work."""
    from twin import fresh_python

    pytest.importorskip("resource")
    out = fresh_python(
        """
        import resource
        size = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        # A thread's stack is mapped whole: none fits.
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 30, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_AS, (size + (900 << 20), resource.RLIM_INFINITY))
        print(float(cp.ones(1 << 20).sum()), abs(cp.linalg.det(cp.eye(200)).item() - 1) < 1e-12)
        """,
        CUPRUM_THREADS="4",
        RUST_MIN_STACK=str(1 << 30),
    )
    assert out in ("1048576.0 True",)
