"""Results that are dropped unread: they run for whoever waits, and for loops that are timed; else never."""

import gc
import subprocess
import sys
import threading
import timeit

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.cupyx import profiler

SIZE = 100_000


@pytest.fixture
def a():
    array = cp.asarray(np.linspace(0, 1, SIZE))
    cp.cuda.Device().synchronize()
    return array


def work(a):
    return cp.sqrt(a * a + 1)


WAITS = {
    "device": lambda: cp.cuda.Device().synchronize(),
    "runtime": lambda: cp.cuda.runtime.deviceSynchronize(),
    "stream": lambda: cp.cuda.get_current_stream().synchronize(),
    "event": lambda: cp.cuda.Event().record(),
}


@pytest.mark.fusion
@pytest.mark.parametrize("wait", WAITS.values(), ids=list(WAITS))
def test_whoever_waits_has_dropped_work_done(a, wait):
    with cp.fusion_log() as programs:
        work(a)
        assert len(programs) == 0
        wait()
        assert len(programs) == 1
        wait()
    assert len(programs) == 1


@pytest.mark.fusion
@pytest.mark.parametrize("loops", [1, 2, 5, 40])
def test_a_loop_that_ends_with_a_wait_does_all_its_work(a, loops):
    with cp.fusion_log() as programs:
        for at in range(loops):
            work(a + at)
        cp.cuda.Device().synchronize()
    assert len(programs) == loops


@pytest.mark.fusion
def test_a_name_that_is_bound_again_drops_its_result(a):
    with cp.fusion_log() as programs:
        for _ in range(7):
            result = work(a)
        assert float(result[0]) == 1.0
        cp.cuda.Device().synchronize()
    assert sum("sqrt" in text for text in programs) == 7


@pytest.mark.fusion
def test_timeit_counts_the_work_without_a_wait(a):
    with cp.fusion_log() as programs:
        timeit.timeit(lambda: work(a), number=30)
        assert len(programs) in (28, 29)
        cp.cuda.Device().synchronize()
    assert len(programs) == 30


@pytest.mark.fusion
def test_reductions_that_are_timed_do_not_share_a_pass(a):
    with cp.fusion_log() as programs:
        for _ in range(6):
            a.sum()
        cp.cuda.Device().synchronize()
    assert len(programs) == 6
    assert all(text.count("sum float64") == 1 for text in programs)


@pytest.mark.fusion
def test_reductions_that_are_held_share_a_pass_beside_dropped_ones(a):
    with cp.fusion_log() as programs:
        a.sum()
        low, high = a.min(), a.max()
        assert (float(low), float(high)) == (0.0, 1.0)
    assert len(programs) == 1
    assert "sum" not in programs[0]


@pytest.mark.fusion
def test_a_view_holds_its_result(a):
    result = work(a)[::2]
    with cp.fusion_log() as programs:
        cp.cuda.Device().synchronize()
    assert len(programs) == 1
    assert float(result[0]) == 1.0


@pytest.mark.fusion
def test_benchmark_counts_every_call(a):
    def dropping():
        work(a)

    with cp.fusion_log() as programs:
        timings = profiler.benchmark(dropping, n_repeat=5, n_warmup=2)
    assert len(programs) == 7
    assert timings.gpu_times.shape == (1, 5)


@pytest.mark.fusion
def test_a_write_to_what_dropped_work_reads_runs_it_first(a):
    with cp.fusion_log() as programs:
        work(a)
        a[:] = 2
        cp.cuda.Device().synchronize()
    assert "multiply" in programs[0]
    assert "sqrt" in programs[-1]
    assert float(a[0]) == 2


@pytest.mark.fusion
def test_pools_count_as_if_nothing_were_kept(pool):
    before = pool.used_bytes()
    a = cp.ones(1_000_000)
    assert pool.used_bytes() - before >= 8_000_000
    work(a)
    del a
    gc.collect()
    assert pool.used_bytes() == before


@pytest.mark.fusion
def test_memory_that_dropped_work_keeps_is_given_up_for_arrays(pool):
    a = cp.ones(4_000_000)
    cp.cuda.Device().synchronize()
    pool.set_limit(size=pool.used_bytes() + (24 << 20))
    work(a)
    del a
    b = cp.zeros(6_000_000) + 1
    assert float(b.sum()) == 6_000_000


@pytest.mark.fusion
def test_dropped_work_that_fails_is_nobodys_error(pool):
    a = cp.ones(1_000_000)
    cp.cuda.Device().synchronize()
    pool.set_limit(size=pool.used_bytes() + (1 << 20))
    work(a)
    work(a)
    cp.cuda.Device().synchronize()
    pool.set_limit(size=0)
    assert float(work(a).sum()) == pytest.approx(1_000_000 * 2**0.5)


@pytest.mark.fusion
def test_work_that_another_thread_dropped_runs_too(a):
    def drop():
        work(a)

    thread = threading.Thread(target=drop)
    with cp.fusion_log() as programs:
        thread.start()
        thread.join()
        cp.cuda.Device().synchronize()
    assert len(programs) == 1


NEVER_WAITS = """
import cuprum as cp
a = cp.ones(100_000)
float(a[0])
with cp.fusion_log() as programs:
    for step in range(200):
        used, unused = a + step, cp.sqrt(a * step)
        a = used
    total = float(a.sum())
print(total, sum("sqrt" in text for text in programs))
"""


@pytest.mark.fusion
def test_a_program_that_never_waits_does_not_compute_what_it_drops():
    done = subprocess.run([sys.executable, "-c", NEVER_WAITS], capture_output=True, text=True, check=True)
    total, computed = done.stdout.split()
    assert float(total) == 100_000 * (1 + 199 * 200 / 2)
    assert int(computed) == 0


def test_waiting_without_any_work_is_fine():
    for wait in WAITS.values():
        wait()
