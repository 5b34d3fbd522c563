"""Dask's workers whose GPU runs full: results move to host and disk, or the task is named."""

import textwrap

import pytest
from test_host import HAS_GPU, on_gpu

pytest.importorskip("distributed")

# A card of 96 MB is the stand-in's; a real one is filled by the pool's limit.
MEMORY = {} if HAS_GPU else {"CUPRUM_STANDIN_MEMORY": str(96 << 20)}

CLUSTER = """
    import distributed, dask, dask.array as da

    def limit():
        '''Allow the arrays of a worker 96 MB.'''
        cp.get_default_memory_pool().set_limit(size=96 << 20)

    def make(number, megabytes=8):
        return cp.full((megabytes << 20) // 8, float(number))

    def first(a):
        assert a.device == "cuda:0", a.device
        return float(a[0])

    def kept(dask_worker):
        '''How many results are on the GPU, on the host, on disk.'''
        data = dask_worker.data
        return len(data.device.fast), len(data.host.fast), len(data.host.slow)

    def main(body, device_limit, host_limit):
        data = (cp.dask.DeviceSpillBuffer, {"device_limit": device_limit, "host_limit": host_limit})
        with (
            distributed.LocalCluster(
                n_workers=1, threads_per_worker=1, dashboard_address=None, memory_limit=0, data=data
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            client.run(limit)
            body(client)
"""


def run(body, device_limit, host_limit):
    text = textwrap.dedent(CLUSTER) + "\ndef body(client):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    text += f"\nif __name__ == '__main__':\n    main(body, {device_limit}, {host_limit})\n"
    on_gpu(text, **MEMORY)


def test_results_beyond_a_limit_move_to_host_and_disk():
    body = """
        futures = [client.submit(make, number, pure=False) for number in range(24)]
        distributed.wait(futures, timeout=60)
        (held,) = client.run(kept).values()
        assert held[0] <= 4 and 1 <= held[1] <= 8 and held[2] >= 12 and sum(held) == 24, held
        got = [client.submit(first, one, pure=False).result(timeout=60) for one in futures]
        assert got == [float(number) for number in range(24)], got
    """
    run(body, 32 << 20, 64 << 20)


def test_a_full_gpu_makes_room_and_goes_on():
    body = """
        # The buffer would keep all of them on the GPU, which holds twelve.
        futures = [client.submit(make, number, pure=False) for number in range(20)]
        distributed.wait(futures, timeout=60)
        assert [one.status for one in futures] == ["finished"] * 20
        (held,) = client.run(kept).values()
        assert held[0] <= 12 and sum(held) == 20, held
        large = client.submit(make, 7, 80, pure=False)
        assert client.submit(first, large, pure=False).result(timeout=60) == 7.0
        del large
        got = [client.submit(first, one, pure=False).result(timeout=60) for one in futures]
        assert got == [float(number) for number in range(20)], got
    """
    run(body, 1 << 30, 1 << 30)


def test_a_task_that_needs_more_than_the_gpu_has_is_named():
    body = """
        kept_one = client.submit(make, 3, pure=False)
        future = client.submit(make, 1, 120, pure=False)
        try:
            future.result(timeout=60)
        except cp.cuda.OutOfMemoryError as error:
            assert "task 'make-" in str(error) and "out of memory" in str(error).lower(), error
        else:
            raise AssertionError("120 MB on a card of 96")
        del future
        assert client.submit(first, kept_one, pure=False).result(timeout=60) == 3.0
    """
    run(body, 1 << 30, 1 << 30)


def test_a_task_that_changes_its_arguments_is_not_run_twice():
    body = """
        def changes(a):
            a += 1
            return float(a[0]), cp.fft.fft(cp.zeros(20_000_000, dtype="complex64"))  # 160 MB, at the call

        kept_one = client.submit(make, 3, pure=False)
        for arguments in ([kept_one], [cp.full(1000, 3.0)]):
            future = client.submit(changes, *arguments, pure=False)
            try:
                future.result(timeout=60)
            except cp.cuda.OutOfMemoryError as error:
                assert "task 'changes-" in str(error), error
            else:
                raise AssertionError("160 MB on a card of 96")
        assert client.submit(first, kept_one, pure=False).result(timeout=60) == 4.0
    """
    run(body, 1 << 30, 1 << 30)


def test_chunks_are_cut_anew_by_tasks():
    # So many pieces that Dask would otherwise put them into files.
    run(
        """
        host = np.arange(3600.0).reshape(60, 60)
        for method in (None, "tasks"):
            with dask.config.set({"array.rechunk.method": method}):
                cut = da.from_array(host, chunks=(1, 60)).to_backend("cuprum").rechunk((60, 1))
                got = cut.compute()
            assert got.device == "cuda:0" and (got.get() == host).all()
        """,
        "64 << 20",
        "1 << 30",
    )
