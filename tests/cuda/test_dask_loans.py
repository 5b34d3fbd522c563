"""Chunks that go from one worker's GPU to another's, over the stand-in where there is no GPU."""

import textwrap

import pytest
from test_host import on_gpu

pytest.importorskip("distributed")


def test_a_chunk_skips_the_host():
    code = """
        import distributed, dask
        from cuprum.dask import _lending

        def count():
            '''Count what a worker opens of others, and what it is sent because it cannot open it.'''
            plain = _lending._copied
            _lending.seen = []
            def copied(loan):
                made = plain(loan)
                _lending.seen.append((loan["bytes"], made is not None))
                return made
            _lending._copied = copied

        def refuse():
            def closed(*args):
                raise cp.cuda.runtime.CUDARuntimeError(201)
            cp.cuda.runtime.ipcOpenMemHandle = closed

        def make(shape, order):
            return cp.asarray(cp.arange(shape[0] * shape[1], dtype="float32").reshape(shape) + 1, order=order)

        def check(a, order):
            want = np.arange(a.size, dtype="float32").reshape(a.shape) + 1
            assert a.device == "cuda:0" and a.flags[f"{order}_CONTIGUOUS"], (a.device, a.flags)
            np.testing.assert_array_equal(a.get(), want)
            a += 1  # a copy of one's own
            return float(a[0, 0])

        def lender(key, dask_worker):
            return float(dask_worker.data[key][0, 0])

        def main():
            with (
                # Both copies of a chunk stay.
                dask.config.set({"distributed.scheduler.active-memory-manager.start": False}),
                distributed.LocalCluster(
                    n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=0
                ) as cluster,
                distributed.Client(cluster) as client,
            ):
                client.run(__import__, "cuprum")
                client.run(count)
                one, other = client.scheduler_info()["workers"]
                for order in "CF":
                    a = client.submit(make, (700, 500), order, workers=[one], pure=False)
                    b = client.submit(check, a, order, workers=[other], pure=False)
                    assert b.result(timeout=60) == 2.0
                    # The receiver has changed its own: the lender's stays as it was.
                    kept = client.run(lender, a.key, workers=[one])
                    assert kept == {one: 1.0}, kept
                small = client.submit(make, (10, 10), "C", workers=[one], pure=False)
                assert client.submit(check, small, "C", workers=[other], pure=False).result(timeout=60) == 2.0
                seen = client.run(lambda: _lending.seen)
                assert seen == {one: [], other: [(1_400_000, True)] * 2}, seen
                # Nothing is kept once it was fetched.
                held = client.run(lambda: len(_lending._loans_of(_lending.os.getpid())._held))
                assert set(held.values()) == {0}, held
                client.run(refuse, workers=[one])
                a = client.submit(make, (700, 500), "F", workers=[other], pure=False)
                assert client.submit(check, a, "F", workers=[one], pure=False).result(timeout=60) == 2.0
                assert client.run(lambda: _lending.seen, workers=[one]) == {one: [(1_400_000, False)]}

        if __name__ == "__main__":
            main()
    """
    on_gpu(textwrap.dedent(code))


def test_frames_on_the_gpu_for_transports_that_move_them():
    code = """
        from distributed.protocol import deserialize, serialize
        from cuprum.scipy import sparse
        arrays = [
            cp.arange(24.0).reshape(4, 6), cp.asfortranarray(cp.arange(24.0).reshape(4, 6)),
            cp.arange(48.0).reshape(8, 6)[::2, ::-1], cp.arange(5) > 2, cp.arange(5).astype("bfloat16"),
            cp.zeros((0, 3)), cp.arange(10_000.0) * 2 + 1,
        ]
        for a in arrays:
            header, frames = serialize(a, serializers=["cuda"])
            assert header["serializer"] == "cuda", header
            assert all(frame.device == "cuda:0" for frame in frames)
            # What UCX does: the bytes arrive in other memory of a GPU.
            arrived = [frame.copy() for frame in frames]
            b = deserialize(header, arrived)
            assert (b.device, b.dtype, b.shape) == ("cuda:0", a.dtype, a.shape)
            np.testing.assert_array_equal(b.astype("float64").get(), a.astype("float64").get())
        m = sparse.csr_matrix(cp.asarray([[0.0, 1, 0], [2, 0, 3]]))
        header, frames = serialize(m, serializers=["cuda"])
        assert all(frame.device == "cuda:0" for frame in frames)
        np.testing.assert_array_equal(deserialize(header, frames).toarray().get(), m.toarray().get())
        # An array of the CPU has none, and takes the next serialiser.
        with cp.cuda.Device("cpu"):
            a = cp.arange(3.0)
        assert serialize(a, serializers=["cuda", "dask"])[0]["serializer"] == "dask"
    """
    on_gpu(textwrap.dedent(code))


def test_a_loan_that_is_gone_is_an_error_of_the_connection():
    code = """
        import os
        from cuprum.dask import _lending
        _lending._facts = lambda: {"machine": "m", "process": 1}
        a = cp.ones(1 << 18)
        loan = _lending.lend(a, {"recipient": {"cuprum": {"machine": "m", "process": 2}}})
        assert loan["bytes"] == a.nbytes and len(loan["handle"]) == 64
        for facts in (None, {"machine": "m", "process": 1}, {"machine": "n", "process": 2}):
            assert _lending.lend(a, {"recipient": {"cuprum": facts}}) is None
        assert _lending.lend(a, None) is None and _lending.lend(a[:100], {"recipient": {}}) is None
        # A process does not open its own handles: the bytes come over the socket.
        got = _lending.borrow(loan)
        np.testing.assert_array_equal(got.view("float64").get(), np.ones(1 << 18))
        for other, message in ((loan, "keeps it no more"), ({**loan, "socket": "x"}, "has ended")):
            try:
                _lending.borrow(other)
            except ConnectionError as error:
                assert message in str(error), error
            else:
                raise AssertionError("a chunk came from nowhere")
        # A receiver that never comes does not keep the memory for ever.
        loans = _lending._loans_of(os.getpid())
        loan = _lending.lend(a, {"recipient": {"cuprum": {"machine": "m", "process": 2}}})
        assert len(loans._held) == 1
        _lending.KEPT_SECONDS = -1.0
        loans._forget_old()
        assert not loans._held
    """
    on_gpu(textwrap.dedent(code))


def test_a_chunk_on_the_wrong_device_is_named():
    code = """
        import dask.array as da
        from dask.base import tokenize
        a = cp.arange(6.0)
        with cp.cuda.Device("cpu"):
            b = cp.arange(6.0)
        assert tokenize(a) != tokenize(b) and tokenize(a) == tokenize(a.copy())
        x, y = da.from_array(a, chunks=3), da.from_array(b, chunks=3)
        for call in (lambda: x + y, lambda: da.concatenate([x, y]), lambda: da.dot(x, y)):
            try:
                call().compute(scheduler="threads")
            except ValueError as error:
                assert "arrays on cuda:0 and cpu: move one of them" in str(error), error
            else:
                raise AssertionError("chunks of two devices were joined")
        assert (x + y.map_blocks(cp.asarray, device="cuda")).compute().device == "cuda:0"
    """
    on_gpu(textwrap.dedent(code))
