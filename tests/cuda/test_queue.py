"""Launches of loops that are submitted together: the same bits as one by one, whatever lies between them, and
as few calls of the driver as promised.
"""

import os
import pathlib
import subprocess
import sys
import textwrap

import driver_api
import pytest
import queued_programs
from test_host import HAS_GPU, on_gpu

SEEDS = [str(seed) for seed in range(8)]
WAYS = {
    "in loops": {},
    "always": {"CUPRUM_GRAPHS": "always"},
    "always, with exact memory": {"CUPRUM_GRAPHS": "always", "CUPRUM_MEMORY": "exact"},
    "always, with lazy streams": {"CUPRUM_GRAPHS": "always", "CUPRUM_STANDIN_LAZY": "1"},
}
COUNTS = """
import ctypes, os

def launches():
    cp.cuda.Stream.null.synchronize()
    kernels, graphs = ctypes.c_uint(), ctypes.c_uint()
    ctypes.CDLL(os.environ["CUPRUM_LIBCUDA"]).standinLaunches(ctypes.byref(kernels), ctypes.byref(graphs))
    return kernels.value, graphs.value
"""
only_standin = pytest.mark.skipif(HAS_GPU, reason="asks the stand-in")


def digests(**environment):
    standin = {} if HAS_GPU else driver_api.standin_build.environment(driver_api.standin())
    done = subprocess.run(
        [sys.executable, str(pathlib.Path(queued_programs.__file__)), *SEEDS],
        env={**os.environ, **standin, "CUPRUM_DEVICE": "cuda", **environment},
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    assert "cuprum stand-in:" not in done.stderr, done.stderr[-3000:]
    return done.stdout.split()


def counted(code, **environment):
    return on_gpu(COUNTS + textwrap.dedent(code), **environment)


@pytest.fixture(scope="module")
def without():
    found = digests(CUPRUM_GRAPHS="0")
    assert len(found) == 2 * len(SEEDS)
    return found


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_random_programs_give_the_same_bits(without, way):
    assert digests(**way) == without


@only_standin
def test_a_loop_is_few_graphs():
    counted(
        """
        x = cp.asarray(np.linspace(0, 1, 1000))

        def run(steps):
            y = x
            for i in range(steps):
                y = cp.sort(y * 0.5 + i)
            return y

        want = cp.asnumpy(run(200))
        before = launches()
        got = run(200)
        kernels, graphs = (now - then for now, then in zip(launches(), before))
        np.testing.assert_array_equal(cp.asnumpy(got), want)
        assert kernels == 0 and graphs <= 60, (kernels, graphs)
        """,
        # A loop on the stand-in may well be too slow to be taken for a tight one.
        CUPRUM_GRAPHS="always",
    )


@only_standin
def test_no_graphs_where_they_are_switched_off():
    counted(
        """
        y = cp.ones(1000)
        for i in range(200):
            y = cp.sort(y * 0.5 + i)
        kernels, graphs = launches()
        assert graphs == 0 and kernels >= 400
        """,
        CUPRUM_GRAPHS="0",
    )


@only_standin
@pytest.mark.parametrize("graphs", ["1", "always"])
def test_code_outside_finds_what_was_computed(graphs):
    on_gpu(
        """
        import ctypes
        a, b = cp.zeros(1000), cp.ones(1000)
        seen = (ctypes.c_double * 1000).from_address(a.data.ptr)
        for i in range(1, 100):
            b = cp.sort(b + 1)
            a[...] = b
            # The stand-in's memory is the host's, and nothing of ours is asked here.
            assert seen[0] == seen[999] == i + 1, (i, seen[0])
        """,
        CUPRUM_GRAPHS=graphs,
    )


@only_standin
def test_a_launch_that_fails_is_named_and_made_again():
    on_gpu(
        """
        import ctypes, os
        driver = ctypes.CDLL(os.environ["CUPRUM_LIBCUDA"])
        def run():
            y = cp.asarray(np.linspace(0, 1, 1000))
            for i in range(10):
                y = cp.sort(y * 0.5 + i)
            return y
        want, failed = cp.asnumpy(run()), 0
        for calls in range(1, 60):
            y = run()
            driver.standinFailAfter(calls, 701)
            try:
                cp.cuda.Stream.null.synchronize()
            except RuntimeError as error:
                assert "701" in str(error), error
                failed += 1
            driver.standinFailAfter(0, 0)
            # What waited still does, and nothing was lost.
            np.testing.assert_array_equal(cp.asnumpy(y), want)
        assert failed
        """,
        CUPRUM_GRAPHS="always",
    )


def test_a_fork_and_the_end_of_a_process():
    on_gpu(
        """
        import os, warnings
        warnings.simplefilter("ignore")
        y = cp.ones(1000)
        for i in range(40):
            y = cp.sort(y * 0.5 + i)
        child = os.fork()
        if child == 0:
            try:
                y.get()
            except RuntimeError as error:
                os._exit(0 if "fork" in str(error) else 2)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        want = np.ones(1000)
        for i in range(40):
            want = np.sort(want * 0.5 + i)
        np.testing.assert_array_equal(y.get(), want)
        for i in range(40):
            y = cp.sort(y * 0.5 + i)
        """,
        CUPRUM_GRAPHS="always",
    )


def test_threads_share_the_queue():
    on_gpu(
        """
        import threading
        def work(number, found):
            y = cp.asarray(np.linspace(0, number, 500))
            for i in range(150):
                y = cp.sort(y * 0.5 + i)
                if i % 40 == number:
                    y = cp.asarray(cp.asnumpy(y))
            found[number] = cp.asnumpy(y)
        want, found = {}, {}
        for number in range(6):
            work(number, want)
        threads = [threading.Thread(target=work, args=(n, found)) for n in range(6)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        for number in range(6):
            np.testing.assert_array_equal(found[number], want[number])
        """,
        CUPRUM_GRAPHS="always",
    )
