"""Copies from a GPU to the host: those that are not waited for, and the memory that large results get."""

import driver_api
import pytest
from twin import fresh_python

import cuprum as cp

build = driver_api.standin_build
HAS_GPU = cp.is_available()

pytestmark = pytest.mark.skipif(
    not HAS_GPU and build.compiler() is None, reason="there is no GPU, and no g++"
)


def on_gpu(code, **environment):
    variables = {} if HAS_GPU else build.environment(build.build())
    return fresh_python(code, timeout=600, **{**variables, "CUPRUM_DEVICE": "cuda", **environment})


def test_a_copy_that_is_not_waited_for_is_there_when_the_stream_is():
    on_gpu(
        """
        stream = cp.cuda.Stream(non_blocking=True)
        want = np.arange(300_000.0).reshape(500, 600) * 2
        a = cp.arange(300_000.0).reshape(500, 600) * 2
        for order, flag in (("C", "C_CONTIGUOUS"), ("F", "F_CONTIGUOUS")):
            host = a.get(stream=stream, order=order, blocking=False)
            again = cp.asnumpy(a[::2, 3], blocking=False)
            stream.synchronize(), cp.cuda.Stream.null.synchronize()
            assert isinstance(host, np.ndarray) and host.flags[flag] and host.flags.writeable
            np.testing.assert_array_equal(host, want)
            np.testing.assert_array_equal(again, want[::2, 3])
        empty = cp.empty((0, 3)).get(blocking=False)
        assert empty.shape == (0, 3)
        number = cp.arange(7).sum().get(blocking=False)
        cp.cuda.Stream.null.synchronize()
        assert number.shape == () and number == 21
        """
    )


def test_it_goes_into_pinned_memory_of_the_caller_or_is_waited_for():
    on_gpu(
        """
        a = cp.arange(100_000)
        pinned = np.frombuffer(cp.cuda.alloc_pinned_memory(a.nbytes), a.dtype, a.size)
        assert a.get(out=pinned, blocking=False) is pinned
        pageable = np.zeros(a.size, a.dtype)
        assert a.get(out=pageable, blocking=False) is pageable
        np.testing.assert_array_equal(pageable, np.arange(100_000))
        cp.cuda.Stream.null.synchronize()
        np.testing.assert_array_equal(pinned, np.arange(100_000))
        stream = cp.cuda.Stream()
        np.testing.assert_array_equal(cp.asnumpy(a + 1, stream=stream), np.arange(1, 100_001))
        np.testing.assert_array_equal((a * 3).get(stream, out=pageable), 3 * np.arange(100_000))
        assert cp.cuda.get_current_stream().ptr == cp.cuda.Stream.null.ptr
        """
    )


def test_results_that_go_before_their_copy_is_done_leave_no_trace():
    on_gpu(
        """
        a = cp.arange(500_000)
        for turn in range(20):
            a.get(blocking=False)
            host = (a + turn).get(blocking=False)
            cp.cuda.Stream.null.synchronize()
            np.testing.assert_array_equal(host, np.arange(turn, 500_000 + turn))
        """
    )


def test_large_results_own_their_memory_and_do_not_share_it():
    on_gpu(
        """
        n = 700_001
        kept = []
        for turn in range(12):
            a = cp.arange(n) + turn
            host = a.get()
            assert host.flags.owndata and host.base is None
            if turn % 3 == 0:
                kept.append((turn, host))
            host[0] = -1
            del host
        for turn, host in kept:
            assert host[0] == -1
            np.testing.assert_array_equal(host[1:], np.arange(turn + 1, n + turn))
        host = kept.pop()[1]
        last = int(host[-1])
        host.resize(2 * n, refcheck=False)
        assert host[n - 1] == last and not host[n:].any()
        host.resize(5, refcheck=False)
        assert host.tolist()[1:] == list(range(10, 14))
        matrix = cp.arange(1_000_000.0).reshape(1000, 1000).T
        np.testing.assert_array_equal(matrix.get(), np.arange(1e6).reshape(1000, 1000).T)
        # Other arrays of NumPy's get their memory as ever.
        assert np.zeros(n).flags.owndata and "cuprum" not in np._core.multiarray.get_handler_name()
        """
    )


@pytest.mark.parametrize("threads", ["1", "3"])
def test_pieces_come_together_with_any_number_of_threads(threads):
    # Sizes around the pieces that pageable memory is copied in, and through all blocks more than once.
    on_gpu(
        """
        rng = np.random.default_rng(5)
        for size in (1, 4097, 65_537, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, (6 << 20) + 12_345, 36_000_001):
            data = rng.integers(0, 256, size, dtype=np.uint8)
            there = cp.asarray(data)
            out = np.zeros_like(data)
            there.get(out=out)
            assert np.array_equal(out, data), size
            assert np.array_equal(there.get(), data), size
            assert np.array_equal(cp.asarray(data[3:]).get(), data[3:]), size
        """,
        CUPRUM_THREADS=threads,
    )
