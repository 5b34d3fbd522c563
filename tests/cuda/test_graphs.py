"""Graphs: what recorded work reads lives as long as the graph, and each launch computes everything anew."""

import textwrap

import pytest
from test_host import HAS_GPU, on_gpu

RECORD = """
import gc

def record(body, stream=None, mode=None):
    stream = cp.cuda.Stream(non_blocking=True) if stream is None else stream
    with stream:
        stream.begin_capture(mode)
        result = body()
        graph = stream.end_capture()
    # What the body made on the host is gone by now, and its memory is somebody else's.
    gc.collect()
    noise = [np.full(n, 255, np.uint8) for n in (8, 40, 64, 512, 4096, 20_000, 65_536) for _ in range(30)]
    return graph, result, noise

def launched(body, mode=None):
    graph, result, noise = record(body, mode=mode)
    for _ in range(2):
        graph.launch()
    return cp.asnumpy(result)

"""


def graphs(code, **environment):
    return on_gpu(RECORD + textwrap.dedent(code), **environment)


def test_what_comes_from_the_host_is_kept():
    graphs(
        """
        from cuprum.scipy import ndimage
        from scipy import ndimage as theirs
        same = np.testing.assert_array_equal
        known = cp.arange(4.0)
        same(launched(lambda: cp.interp(cp.array([0.5, 2.5]), known, known * 2)), [1.0, 5.0])
        large = np.arange(200_000.0)
        same(launched(lambda: cp.sort(cp.asarray(np.arange(200_000.0)[::-1].copy()))), large)
        weights = np.sin(np.arange(3000.0))
        x = cp.asarray(np.cos(np.arange(5000.0)))
        got = launched(lambda: ndimage.correlate1d(x, np.sin(np.arange(3000.0))))
        np.testing.assert_allclose(got, theirs.correlate1d(x.get(), weights), rtol=1e-9, atol=1e-9)
        """
    )


def test_positions_are_checked_at_every_launch():
    graphs(
        """
        a, where, out = cp.arange(10.0), cp.array([1, -3, 5]), cp.zeros(10)

        def body():
            out[where] = a[where] + 1
            return cp.take(a, where)

        stream = cp.cuda.Stream(non_blocking=True)
        graph, taken, noise = record(body, stream)
        for positions in ([1, -3, 5], [9, 0, -10], [2, 2, 2]):
            where[...] = cp.array(positions)
            out[...] = 0
            graph.launch(stream)
            expected = np.zeros(10)
            expected[positions] = np.arange(10.0)[positions] + 1
            np.testing.assert_array_equal(out.get(), expected)
            np.testing.assert_array_equal(taken.get(), np.arange(10.0)[positions])
        where[...] = cp.array([1, 10, 2])
        out[...] = 0
        graph.launch(stream)
        try:
            stream.synchronize()
        except IndexError as error:
            assert "10" in str(error), error
        else:
            raise AssertionError("a position beyond the axis was not seen")
        assert float(out.sum()) == 0.0
        where[...] = cp.array([0, 3, 4])
        graph.launch(stream)
        np.testing.assert_array_equal(out.get(), [1, 0, 0, 4, 5, 0, 0, 0, 0, 0])
        del graph
        for _ in range(5000):
            cp.take(a, where)
        assert float(cp.take(a, where).sum()) == 7.0
        """,
        CUPRUM_STANDIN_LAZY="1",
    )


def test_memory_by_its_address_is_used_in_the_order_of_the_recording_stream():
    """Nobody knows who uses what was given by an address: the stream comes before and after a launch."""
    graphs(
        """
        runtime = cp.cuda.runtime
        code = '''extern "C" __global__ void add(const double* x, double* y) {
            y[threadIdx.x] = x[threadIdx.x] + 1;
        }'''
        kernel = cp.RawKernel(code, "add")
        x, y = (runtime.malloc(80) for _ in range(2))
        stream, other = (cp.cuda.Stream(non_blocking=True) for _ in range(2))
        def body():
            kernel((1,), (10,), (x, y))
        graph, _, noise = record(body, stream)
        for start in (0.0, 5.0):
            host = np.frombuffer(cp.cuda.alloc_pinned_memory(80), np.float64, 10)
            host[...] = np.arange(10.0) + start
            # Written in the stream that it was recorded in, used in another one, read in the first again.
            runtime.memcpyAsync(x, host.ctypes.data, 80, runtime.memcpyHostToDevice, stream.ptr)
            graph.launch(other)
            back = np.frombuffer(cp.cuda.alloc_pinned_memory(80), np.float64, 10)
            runtime.memcpyAsync(back.ctypes.data, y, 80, runtime.memcpyDeviceToHost, stream.ptr)
            stream.synchronize()
            np.testing.assert_array_equal(back, np.arange(10.0) + start + 1)
        """,
        CUPRUM_STANDIN_LAZY="1",
    )


def test_functions_of_the_host_run_at_every_launch():
    graphs(
        """
        seen = []
        stream = cp.cuda.Stream(non_blocking=True)
        def body():
            stream.launch_host_func(seen.append, 1)
            stream.add_callback(lambda stream, status, arg: seen.append(arg), 2)
        graph, _, noise = record(body, stream)
        assert seen == []
        for _ in range(3):
            graph.launch(stream)
        stream.synchronize()
        assert seen == [1, 2] * 3, seen
        """
    )


def test_copies_to_the_host_run_at_every_launch():
    graphs(
        """
        x = cp.arange(100.0)
        stream = cp.cuda.Stream(non_blocking=True)
        graph, host, noise = record(lambda: (x * 2).get(blocking=False), stream)
        pinned = np.frombuffer(cp.cuda.alloc_pinned_memory(800), np.float64, 100)
        second, _, more = record(lambda: (x + 1).get(out=pinned, blocking=False), stream)
        for start in (0.0, 4.0):
            x[...] = cp.arange(100.0) + start
            graph.launch(stream)
            second.launch(stream)
            stream.synchronize()
            np.testing.assert_array_equal(host, (np.arange(100.0) + start) * 2)
            np.testing.assert_array_equal(pinned, np.arange(100.0) + start + 1)
        """
    )


def test_every_mode_lets_arrays_have_memory():
    graphs(
        """
        x = cp.arange(1000.0)
        for mode in (0, 1, 2):
            got = launched(lambda: cp.cumsum(cp.sqrt(x) + np.arange(1000.0)), mode)
            np.testing.assert_allclose(got, np.cumsum(np.sqrt(np.arange(1000.0)) + np.arange(1000.0)))
        """
    )


def test_streams_fork_and_join_while_they_record():
    graphs(
        """
        x = cp.arange(1000.0)
        main, side = (cp.cuda.Stream(non_blocking=True) for _ in range(2))
        with main:
            main.begin_capture()
            y = x * 2
            fork = main.record(cp.cuda.Event(disable_timing=True))
            side.wait_event(fork)
            with side:
                z = cp.cumsum(y + 1)
            total = (z + y).sum()
            main.wait_event(side.record(cp.cuda.Event(disable_timing=True)))
            graph = main.end_capture()
        for start in (0.0, 3.0):
            x[...] = cp.arange(1000.0) + start
            graph.launch(main)
            host = (np.arange(1000.0) + start) * 2
            assert float(total) == (np.cumsum(host + 1) + host).sum()
        # The stream that joined counts on in its own counters.
        with side:
            assert float(cp.arange(1e5).sum()) == np.arange(1e5).sum()
        """
    )


def test_work_outside_is_not_drawn_into_a_recording():
    graphs(
        """
        import threading
        x = cp.arange(1000.0)
        stream, other = (cp.cuda.Stream(non_blocking=True) for _ in range(2))
        outside = []
        def work():
            with other:
                outside.append(float((x * 3).sum()))
        with stream:
            stream.begin_capture()
            y = x + 1
            z = cp.sort(y)
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            graph = stream.end_capture()
        assert outside == [3 * np.arange(1000.0).sum()], outside
        graph.launch(stream)
        assert float(z[-1]) == 1000.0
        """
    )


WAITING = {
    "x[x > 3]": "index",
    "cp.nonzero(x)": "nonzero",
    "cp.argwhere(x)": "argwhere",
    "cp.flatnonzero(x)": "flatnonzero",
    "cp.where(x > 3)": "where",
    "cp.compress(x > 3, x)": "compress",
    "cp.extract(x > 3, x)": "extract",
    "cp.unique(x)": "unique",
    "cp.intersect1d(x, x)": "intersect1d",
    "cp.setdiff1d(x, x[:3])": "setdiff1d",
    "cp.histogram(x)": "histogram",
    "cp.bincount(n)": "bincount",
    "cp.repeat(x, n)": "repeat",
    "cp.delete(x, n)": "delete",
    "cp.trim_zeros(x)": "trim_zeros",
    "cp.array_equal(x, x)": "array_equal",
    "cp.allclose(x, x)": "allclose",
    "cp.quantile(x, cp.array([0.1, 0.5]))": "quantile",
    "float(x.sum())": "item",
    "bool(x[0])": "item",
    "x.tolist()": "get",
    "x.get()": "get",
    "cp.asnumpy(x)": "get",
    "str(x)": "get",
    "stream.synchronize()": "synchronize",
}


def test_what_the_host_must_know_at_once_is_refused_by_name():
    """The recording goes on after it: the graph holds what came before and after."""
    graphs(
        f"WAITING = {WAITING!r}\n"
        + textwrap.dedent(
            """
            x, n = cp.arange(1.0, 11.0), cp.arange(10) % 3
            stream, failures = cp.cuda.Stream(non_blocking=True), []
            for text, op in WAITING.items():
                # Kernels are loaded and plans made.
                if text != "stream.synchronize()":
                    eval(text)
                with stream:
                    stream.begin_capture()
                    y = x + 1
                    try:
                        eval(text)
                    except RuntimeError as error:
                        if not str(error).startswith(f"{op}: the host must know a result at once"):
                            failures.append((text, str(error)))
                    else:
                        failures.append((text, "was recorded"))
                    z = y * 2
                    graph = stream.end_capture()
                assert not stream.is_capturing()
                graph.launch(stream)
                np.testing.assert_array_equal(z.get(), (np.arange(1.0, 11.0) + 1) * 2)
            assert not failures, failures
            """
        )
    )


def test_a_recording_that_fails_leaves_the_thread_as_it_was():
    graphs(
        """
        x = cp.arange(10.0)
        pool = cp.get_default_memory_pool()
        stream = cp.cuda.Stream(non_blocking=True)
        with stream:
            stream.begin_capture()
        del stream
        gc.collect()
        before = pool.used_bytes()
        z = cp.ones(1000)
        assert float(z.sum()) == 1000.0 and pool.used_bytes() > before
        """
    )


@pytest.mark.skipif(HAS_GPU, reason="asks the stand-in for memory that it has too little of")
def test_memory_of_a_graph_is_not_given_back_to_make_room():
    graphs(
        """
        x = cp.arange(1 << 20, dtype=np.float64)
        stream = cp.cuda.Stream(non_blocking=True)
        def body():
            first = cp.sort(x[::-1])
            total = first.sum()
            del first
            # Larger than what is left beside the block that `first` had.
            second = cp.zeros(7 << 20, dtype=np.float64)
            return total + second[0]
        graph, result, noise = record(body, stream)
        graph.launch(stream)
        assert float(result) == np.arange(1 << 20, dtype=np.float64).sum()
        """,
        CUPRUM_STANDIN_MEMORY=str(160 << 20),
    )


def test_each_thread_has_a_default_stream_of_its_own():
    graphs(
        """
        import threading
        ptds = cp.cuda.Stream.ptds
        assert ptds.ptr == 2
        totals, shared = {}, cp.arange(100_000.0)
        def work(number):
            with ptds:
                mine = shared * number
                for _ in range(5):
                    mine = mine + mine.sum() * 0
                totals[number] = mine
            ptds.synchronize()
        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for number, total in totals.items():
            np.testing.assert_array_equal(total.get(), np.arange(100_000.0) * number)
        """,
        CUPRUM_STANDIN_LAZY="1",
    )
