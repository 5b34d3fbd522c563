"""Streams and events over deferred work: what is pending runs when a stream is left or waited for and when an
event is recorded; what was dropped never does. Nothing here looks at how long anything took.
"""

import threading
import time

import numpy as np
import pytest

import cuprum as cp

N = 100_000


def pending():
    """An array that is left pending, where work is deferred."""
    return cp.ones(N) * 2 + 1


@pytest.fixture
def log(deferred):
    if not deferred:
        pytest.skip("CUPRUM_DEFER=0: nothing is pending")
    cp.cuda.Stream.null.synchronize()
    with cp.fusion_log() as programs:
        yield programs


def is_computed(array):
    """Whether an array was computed already: looking at it runs nothing."""
    with cp.fusion_log() as programs:
        cp.testing.wait(array)
    return len(programs) == 0


RUNS_PENDING = {
    "device": lambda: cp.cuda.Device().synchronize(),
    "runtime": lambda: cp.cuda.runtime.deviceSynchronize(),
    "null stream": lambda: cp.cuda.Stream.null.synchronize(),
    "current stream": lambda: cp.cuda.get_current_stream().synchronize(),
    "another stream": lambda: cp.cuda.Stream(non_blocking=True).synchronize(),
    "stream of the runtime": lambda: cp.cuda.runtime.streamSynchronize(0),
    "done": lambda: cp.cuda.Stream.null.done,
    "event": lambda: cp.cuda.Event().record(),
    "event on a stream": lambda: cp.cuda.Event().record(cp.cuda.Stream()),
    "stream.record": lambda: cp.cuda.Stream.null.record(),
    "host function": lambda: cp.cuda.Stream.null.launch_host_func(lambda _: None, None),
    "callback": lambda: cp.cuda.Stream.null.add_callback(lambda *_: None, None),
    "use": lambda: cp.cuda.Stream.null.use(),
    "counting memory": lambda: cp.get_default_memory_pool().used_bytes(),
    "profiler": lambda: cp.cuda.profiler.stop(),
}


@pytest.mark.parametrize("way", RUNS_PENDING)
def test_what_runs_pending_work(log, way):
    a = pending()
    assert len(log) == 0
    RUNS_PENDING[way]()
    assert len(log) == 1 and is_computed(a)


def test_leaving_a_stream_runs_what_was_recorded_under_it(log):
    with cp.cuda.Stream():
        a = pending()
        assert len(log) == 0
    assert len(log) == 1 and is_computed(a)


def test_entering_a_stream_runs_what_was_recorded_before_it(log):
    a = pending()
    with cp.cuda.Stream():
        assert len(log) == 1
        b = a + 1
    assert len(log) == 2
    assert float(b[5]) == 4.0


def test_dropped_results_run_for_whoever_waits(log):
    pending()
    a = pending()
    del a
    assert len(log) == 0
    cp.cuda.Device().synchronize()
    assert len(log) == 2


def test_an_interior_result_that_was_dropped_fuses_away(log):
    a = pending()
    b = a * 3
    del a
    cp.cuda.Event().record()
    assert len(log) == 1
    assert log[0].count("store") == 1
    assert float(b[0]) == 9.0


def test_an_interior_result_that_is_held_is_stored_in_the_same_pass(log):
    a = pending()
    b = a * 3
    cp.cuda.Event().record()
    assert len(log) == 1 and log[0].count("store") == 2
    assert (float(a[0]), float(b[0])) == (3.0, 9.0)


def test_a_chain_of_reductions_and_shapes_all_run(log):
    a = cp.arange(N, dtype=np.float64).reshape(100, -1)
    rows = (a * 2).sum(axis=1)
    total = rows.sum()
    other = a[::2] + 1
    cp.cuda.Device().synchronize()
    ran = len(log)
    assert ran >= 3
    assert is_computed(rows) and is_computed(total) and is_computed(other)
    assert float(total) == N * (N - 1)


def test_many_pending_results_all_run(log):
    arrays = [cp.full(5000, i) * 2 for i in range(300)]
    cp.cuda.Stream.null.synchronize()
    assert len(log) == 300
    assert [int(cp.asnumpy(a)[7]) for a in arrays] == [2 * i for i in range(300)]
    assert len(log) == 300


def test_synchronising_with_nothing_pending_runs_nothing(log):
    for way in RUNS_PENDING.values():
        way()
    assert len(log) == 0


def test_work_of_a_thread_that_has_ended_runs(log):
    made = []
    worker = threading.Thread(target=lambda: made.append(pending()))
    worker.start()
    worker.join()
    assert len(log) == 0
    # A thread is joined a moment before the system has ended it, and with that handed over its work.
    for _ in range(1000):
        cp.cuda.Device().synchronize()
        if len(log):
            break
        time.sleep(0.001)
    assert len(log) == 1 and is_computed(made[0])


def test_values_recorded_before_an_event_survive_a_later_write():
    x = cp.arange(N)
    y = x + 10
    event = cp.cuda.Stream().record()
    x[:1] = 9
    cp.cuda.Stream.null.wait_event(event)
    np.testing.assert_array_equal(cp.asnumpy(y), np.arange(N) + 10)
    assert int(x[0]) == 9


def test_use_and_mutation_under_another_stream():
    x = cp.arange(N)
    with cp.cuda.Stream(non_blocking=True) as first:
        y = x * 2
        done = first.record()
    with cp.cuda.Stream(non_blocking=True) as second:
        second.wait_event(done)
        z = y + 1
        y += 100
    expected = np.arange(N) * 2
    np.testing.assert_array_equal(cp.asnumpy(z), expected + 1)
    np.testing.assert_array_equal(cp.asnumpy(y), expected + 100)


def test_the_current_stream_is_the_threads_own():
    null = cp.cuda.Stream.null
    assert cp.cuda.get_current_stream() == null
    seen = []
    with cp.cuda.Stream() as outer:
        assert cp.cuda.get_current_stream() is outer
        with cp.cuda.Stream() as inner:
            assert cp.cuda.get_current_stream() is inner
        assert cp.cuda.get_current_stream() is outer
        worker = threading.Thread(target=lambda: seen.append(cp.cuda.get_current_stream()))
        worker.start()
        worker.join()
    assert seen == [null] and cp.cuda.get_current_stream() == null
    stream = cp.cuda.Stream()
    stream.use()
    assert cp.cuda.get_current_stream() is stream
    null.use()


def test_an_error_inside_a_stream_is_what_the_program_sees():
    with pytest.raises(ValueError, match="mine"), cp.cuda.Stream():
        raise ValueError("mine")
    assert cp.cuda.get_current_stream() == cp.cuda.Stream.null


def test_streams_compare_by_their_handles():
    a, b = cp.cuda.Stream(), cp.cuda.Stream()
    assert a != b and a == a and hash(a) != hash(b)
    assert cp.cuda.Stream(null=True) == cp.cuda.Stream.null == cp.cuda.ExternalStream(0)
    assert cp.cuda.Stream(ptds=True) == cp.cuda.Stream.ptds != cp.cuda.Stream.null
    assert cp.cuda.ExternalStream(a.ptr) == a
    assert cp.cuda.Stream.from_external(a.ptr) == a
    assert a != a.ptr
    assert cp.cuda.Stream(non_blocking=True).is_non_blocking and not a.is_non_blocking
    assert cp.cuda.Stream(priority=-1).priority == -1
    with pytest.raises(ValueError, match="both"):
        cp.cuda.Stream(null=True, ptds=True)
    with pytest.raises(TypeError, match="Event"):
        a.wait_event(3)


def test_host_functions_are_called_with_what_they_were_given():
    got = []
    stream = cp.cuda.Stream()
    stream.launch_host_func(got.append, 5)
    stream.add_callback(lambda *words: got.append(words), "x")
    stream.synchronize()
    assert got == [5, (stream, 0, "x")]


def test_events_keep_the_order_of_time():
    start, middle, end = (cp.cuda.Event() for _ in range(3))
    start.record()
    middle.record()
    a = pending().sum()
    end.record()
    end.synchronize()
    assert end.done and end.query()
    first = cp.cuda.get_elapsed_time(start, middle)
    whole = cp.cuda.get_elapsed_time(start, end)
    assert 0 <= first <= whole
    assert cp.cuda.get_elapsed_time(end, start) == -whole
    assert cp.cuda.runtime.eventElapsedTime(start.ptr, end.ptr) == whole
    assert float(a) == 3 * N


def test_the_time_between_events_holds_the_work_recorded_between_them(log):
    start, end = cp.cuda.Event(), cp.cuda.Event()
    start.record()
    a = pending().sum()
    assert len(log) == 0
    end.record()
    assert len(log) == 1 and is_computed(a)


@pytest.mark.parametrize("timed", [True, False])
def test_events_without_a_time_have_none_between_them(timed):
    a, b = cp.cuda.Event(disable_timing=not timed), cp.cuda.Event()
    b.record()
    if not timed:
        a.record()
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="cudaErrorInvalidResourceHandle"):
        cp.cuda.get_elapsed_time(a, b)


def test_handles_of_the_runtime():
    runtime = cp.cuda.runtime
    stream, event = runtime.streamCreate(), runtime.eventCreate()
    runtime.eventRecord(event, stream)
    runtime.eventSynchronize(event)
    runtime.streamWaitEvent(stream, event)
    assert runtime.eventQuery(event) == 0 and runtime.streamQuery(stream) == 0
    runtime.eventDestroy(event)
    runtime.streamDestroy(stream)
    for let_go, handle in ((runtime.eventDestroy, event), (runtime.streamDestroy, stream)):
        with pytest.raises(runtime.CUDARuntimeError):
            let_go(handle)
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.eventRecord(event, 0)


def test_benchmark_times_work_whose_result_the_function_drops(log):
    from cuprum.compat.cupyx import profiler

    timings = profiler.benchmark(pending, n_repeat=3, n_warmup=2)
    assert len(log) == 5
    assert timings.cpu_times.shape == (3,) and timings.gpu_times.shape == (1, 3)
    assert (timings.gpu_times[0] >= timings.cpu_times * 0).all()
    assert timings.to_str().startswith("pending")
