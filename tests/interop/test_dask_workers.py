"""Cuprum's arrays between Dask's processes: frames, workers' settings, memory, a worker that dies."""

import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

distributed = pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")

import dask  # noqa: E402
from distributed.protocol import deserialize, serialize  # noqa: E402
from twin import ON_GPU  # noqa: E402

import cuprum as cp  # noqa: E402

ARRAYS = {
    "float64": lambda: cp.arange(24.0).reshape(4, 6),
    "by columns": lambda: cp.asfortranarray(cp.arange(24.0).reshape(4, 6)),
    "strided": lambda: cp.arange(48.0).reshape(8, 6)[::2, ::-1],
    "transposed cube": lambda: cp.arange(24).reshape(2, 3, 4).transpose(1, 0, 2),
    "broadcast": lambda: cp.broadcast_to(cp.arange(3), (4, 3)),
    "complex": lambda: cp.arange(5) * 1j,
    "bool": lambda: cp.arange(5) > 2,
    "half": lambda: cp.arange(5, dtype="float16"),
    "bfloat16": lambda: cp.arange(5).astype("bfloat16"),
    "one": lambda: cp.asarray(3.5),
    "none": lambda: cp.zeros((0, 3)),
    "pending": lambda: cp.arange(10_000.0) * 2 + 1,
}


def same(a, b):
    assert isinstance(b, cp.ndarray)
    assert (a.dtype, a.shape) == (b.dtype, b.shape)
    np.testing.assert_array_equal(cp.asnumpy(b.astype("complex128")), cp.asnumpy(a.astype("complex128")))


@pytest.mark.parametrize("name", ARRAYS)
def test_frames_and_pickles_give_the_array_back(name):
    a = ARRAYS[name]()
    header, frames = serialize(a)
    assert header["serializer"] == "dask"
    same(a, deserialize(header, [bytearray(frame) for frame in frames]))
    same(a, deserialize(header, [bytes(frame) for frame in frames]))
    buffers = []
    data = pickle.dumps(a, protocol=5, buffer_callback=buffers.append)
    assert sum(memoryview(one).nbytes for one in buffers) == a.nbytes  # out of band, all of it
    same(a, pickle.loads(data, buffers=buffers))
    same(a, pickle.loads(pickle.dumps(a, protocol=4)))


@pytest.mark.cpu
def test_frames_share_memory_on_both_sides():
    a = cp.arange(1000.0)
    header, (frame,) = serialize(a)
    a[0] = 7
    assert np.frombuffer(frame, "float64")[0] == 7
    arrived = bytearray(frame)
    b = deserialize(header, [arrived])
    b[1] = 9
    assert np.frombuffer(arrived, "float64")[1] == 9


@pytest.mark.cpu
def test_arrays_that_have_arrived_fuse():
    header, (frame,) = serialize(cp.arange(100_000.0))
    a = deserialize(header, [bytearray(frame)])
    with cp.fusion_log() as programs:
        total = float(cp.sqrt(a**2 + 1).sum())
    assert len(programs) == 1
    np.testing.assert_allclose(total, np.sqrt(np.arange(100_000.0) ** 2 + 1).sum(), rtol=1e-12)


def test_read_only_arrays_stay_so():
    a = cp.arange(4.0)
    a.setflags(write=False)
    header, frames = serialize(a)
    b = deserialize(header, [bytearray(frame) for frame in frames])
    with pytest.raises(ValueError, match="read-only"):
        b[0] = 1


def test_a_truncated_frame_is_an_error():
    header, (frame,) = serialize(cp.arange(100.0))
    with pytest.raises(ValueError, match="has 800 bytes, the frame has 400"):
        deserialize(header, [bytearray(frame)[:400]])


def test_sparse_matrices_travel():
    from cuprum.scipy import sparse

    m = sparse.csr_matrix(cp.asarray([[0.0, 1, 0], [2, 0, 3]]))
    header, frames = serialize(m)
    back = deserialize(header, [bytearray(frame) for frame in frames])
    np.testing.assert_array_equal(cp.asnumpy(back.toarray()), cp.asnumpy(m.toarray()))


def test_results_move_from_device_to_host_to_disk_and_back(tmp_path):
    def everything(value):
        return value.nbytes if isinstance(value, cp.ndarray) else 0

    data = cp.dask.DeviceSpillBuffer(str(tmp_path), 24_000, 24_000, bytes_on_device=everything)
    kept = {f"x{i}": cp.full(1000, float(i)) for i in range(12)}
    for key, value in kept.items():
        data[key] = value
    data["text"] = "plain"
    assert len(data) == 13
    assert set(data) == {*kept, "text"}
    assert len(data.device.fast) <= 3
    assert len(list((tmp_path / "storage").iterdir())) >= 5
    for key in kept:
        same(cp.full(1000, float(key[1:])), data[key])
    assert data["text"] == "plain"
    assert data.evict_device() == 8000
    del data["x3"], data["text"]
    assert "x3" not in data
    assert len(data) == 11
    with pytest.raises(KeyError):
        data["x3"]


@pytest.fixture(scope="module")
def client():
    """Two processes of one thread and a memory limit each."""
    # A process that uses a GPU holds some hundred megabytes of host memory for the driver alone.
    limit = "3GB" if cp.cuda.is_available() else "400MB"
    options = {
        "distributed.worker.memory.terminate": 0.98,
        "distributed.comm.timeouts.connect": "10s",
        "distributed.scheduler.allowed-failures": 5,
    }
    with (
        dask.config.set(options),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit=limit, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster, timeout=20) as client,
    ):
        client.run(__import__, "cuprum")
        yield client


@pytest.mark.no_gpu
def test_workers_take_their_share_of_threads_and_memory(client):
    facts = client.run(lambda: (cp.info()["threads"], cp.get_default_memory_pool().get_limit()))
    for threads, limit in facts.values():
        assert threads == 1
        assert limit == 400_000_000


def test_transforms_and_factors(client):
    host = np.random.default_rng(2).standard_normal((2000, 20))
    x = da.from_array(cp.asarray(host), chunks=(500, 20))
    u, s, v = da.linalg.svd(x)
    u, s, v = dask.compute(u, s, v)
    np.testing.assert_allclose(cp.asnumpy((u * s) @ v), host, rtol=1e-10, atol=1e-10)
    spectrum = da.fft.fft(x.rechunk((2000, 5)), axis=0).compute()
    np.testing.assert_allclose(cp.asnumpy(spectrum), np.fft.fft(host, axis=0), rtol=1e-10, atol=1e-10)


# Files of chunks are read as memory of the host's.
@pytest.mark.parametrize("method", [None, "tasks", *([] if ON_GPU else ["p2p"])])
def test_chunks_are_cut_anew_between_workers(client, method):
    host = np.arange(1200.0).reshape(40, 30)
    cut = da.from_array(host, chunks=(10, 30)).to_backend("cuprum").rechunk((40, 10), method=method)
    got = cut.compute()
    assert isinstance(got, cp.ndarray)
    np.testing.assert_array_equal(cp.asnumpy(got), host)


def too_much():
    return cp.ones((100, 1)) * cp.zeros(2_000_000)


def too_much_later():
    kept = cp.ones(30_000_000)
    float(kept[0])
    return [kept, kept * 2]


@pytest.mark.no_gpu
@pytest.mark.parametrize("task", [too_much, too_much_later])
def test_a_task_that_runs_out_of_memory_is_named(client, task):
    future = client.submit(task, pure=False)
    with pytest.raises(cp.cuda.OutOfMemoryError, match=f"task '{task.__name__}-.*out of memory"):
        future.result(timeout=60)
    del future
    assert client.submit(lambda: float(cp.ones(10).sum()), pure=False).result(timeout=60) == 10.0


def programs_of_reading(dask_worker, key):
    """What a worker computes when a result is looked at."""
    if key not in dask_worker.data:
        return None
    with cp.fusion_log() as programs:
        assert float(dask_worker.data[key][-1]) == 1_999_998
        return list(programs)


def test_results_are_computed_before_their_task_ends(client):
    future = client.submit(lambda: cp.arange(1_000_000.0) * 2, pure=False)
    distributed.wait(future, timeout=60)
    answers = [one for one in client.run(programs_of_reading, key=future.key).values() if one is not None]
    assert answers
    assert not any("multiply" in program for program in answers[0])


def slow_block(number):
    """A block, after a while."""
    time.sleep(0.1)
    return cp.full((1000, 500), float(number[0]))


def test_a_worker_that_is_killed_in_the_middle_loses_nothing(client):
    numbers = da.arange(40, chunks=1)
    options = {"chunks": ((1000,) * 40, (500,)), "new_axis": 1, "dtype": float, "meta": cp.empty((0, 0))}
    x = numbers.map_blocks(slow_block, **options).persist()
    total = client.compute((x * 2).sum(axis=0))
    done = distributed.as_completed(distributed.futures_of(x), timeout=60)
    for _ in range(6):
        next(done)
    assert total.status == "pending"  # some blocks are there, others are not
    pids = client.run(os.getpid)
    killed = next(iter(pids.values()))
    os.kill(killed, signal.SIGKILL)
    np.testing.assert_array_equal(
        cp.asnumpy(total.result(timeout=100)), np.full(500, 2000.0 * sum(range(40)))
    )
    client.wait_for_workers(2, timeout=60)
    assert killed not in client.run(os.getpid).values()
    # What is held still is whole.
    assert float(x.sum().compute()) == 500_000.0 * sum(range(40))


def ends_its_process():
    os.kill(os.getpid(), signal.SIGKILL)


def allow(failures, dask_scheduler):
    before, dask_scheduler.allowed_failures = dask_scheduler.allowed_failures, failures
    return before


def test_a_task_that_ends_its_workers_is_named(client):
    before = client.run_on_scheduler(allow, 0)
    try:
        future = client.submit(ends_its_process, pure=False)
        with pytest.raises(distributed.scheduler.KilledWorker, match="ends_its_process"):
            future.result(timeout=100)
    finally:
        client.run_on_scheduler(allow, before)
    client.wait_for_workers(2, timeout=60)
    assert client.submit(lambda: float(cp.ones(10).sum()), pure=False).result(timeout=60) == 10.0


CUPYS_NAMES = """
import dask, dask.array as da, distributed, cupy

if __name__ == "__main__":
    options = dict(n_workers=1, threads_per_worker=1, dashboard_address=None)
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster, timeout=20):
        with dask.config.set({"array.backend": "cupy"}):
            x = da.ones((40, 10), chunks=(10, 10)).map_blocks(cupy.exp)
        print(type(x.sum().compute()) is cupy.ndarray, float(x.sum().compute()))
"""


def test_workers_of_cuprum_run_know_cupys_names(tmp_path):
    (tmp_path / "program.py").write_text(CUPYS_NAMES)
    command = [sys.executable, "-m", "cuprum", "run", str(tmp_path / "program.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    truth, total = done.stdout.split()
    assert truth == "True"
    np.testing.assert_allclose(float(total), 400 * np.e, rtol=1e-12)


ROWS, COLUMNS, BLOCKS = 62_500, 20, 120
"""Blocks of 10 MB, 1.2 GB in all: three times what a worker may hold."""


def block_of(number):
    """One of three blocks, by its number; each comes as often as the others."""
    return np.random.default_rng(7).standard_normal((ROWS, COLUMNS)) * (1 + number % 3)


def distinct_blocks():
    return [block_of(number) for number in range(3)]


@pytest.fixture(scope="module")
def large(client):
    """An array of 1.2 GB that the workers hold: in memory and, for the most part, on disk."""
    numbers = da.arange(BLOCKS, chunks=1)

    def make(number):
        return cp.asarray(block_of(int(number[0])))

    options = {
        "chunks": ((ROWS,) * BLOCKS, (COLUMNS,)),
        "new_axis": 1,
        "dtype": float,
        "meta": cp.empty((0, 0)),
    }
    x = numbers.map_blocks(make, **options).persist()
    distributed.wait(x, timeout=120)
    return x


def spilled(dask_worker):
    return dask_worker.data.spilled_total.disk


@pytest.mark.no_gpu  # results on a GPU spill under limits of their own
def test_more_than_the_workers_hold_is_on_disk(client, large):
    assert sum(client.run(spilled).values()) > 400_000_000


def test_moments_over_more_than_the_workers_hold(large):
    blocks = distinct_blocks()
    mean, std, counts = dask.compute(
        large.mean(axis=0), large.std(axis=0), da.histogram(large, bins=10, range=(-6, 6))[0]
    )
    for value in (mean, std, counts):
        assert isinstance(value, cp.ndarray)
    np.testing.assert_allclose(cp.asnumpy(mean), np.mean(blocks, axis=(0, 1)), rtol=1e-10)
    np.testing.assert_allclose(cp.asnumpy(std), np.std(blocks, axis=(0, 1)), rtol=1e-10)
    want = np.histogram(blocks, bins=10, range=(-6, 6))[0] * (BLOCKS // 3)
    np.testing.assert_array_equal(cp.asnumpy(counts), want)


def test_products_and_factors_over_more_than_the_workers_hold(large):
    gram = sum(block.T @ block for block in distinct_blocks()) * (BLOCKS // 3)
    product, values = dask.compute(large.T @ large, da.linalg.svd(large)[1])
    np.testing.assert_allclose(cp.asnumpy(product), gram, rtol=1e-10, atol=1e-10 * abs(gram).max())
    np.testing.assert_allclose(cp.asnumpy(values) ** 2, np.linalg.eigvalsh(gram)[::-1], rtol=1e-10)


def test_transforms_over_more_than_the_workers_hold(large):
    power = (abs(da.fft.fft(large, axis=1)) ** 2).sum(axis=0).compute()
    want = sum((abs(np.fft.fft(block, axis=1)) ** 2).sum(axis=0) for block in distinct_blocks())
    np.testing.assert_allclose(cp.asnumpy(power), want * (BLOCKS // 3), rtol=1e-10)


def sums_of(x, guess, xp):
    """The sums and counts of the points that are nearest to each centre, as rows."""
    label = ((x[:, None, :] - guess) ** 2).sum(axis=2).argmin(axis=1)
    rows = [xp.append(xp.where(label[:, None] == k, x, 0).sum(axis=0), (label == k).sum()) for k in range(3)]
    return xp.stack(rows)


def test_k_means_over_more_than_the_workers_hold(large):
    start = np.random.default_rng(8).standard_normal((3, COLUMNS))
    ours, theirs = cp.asarray(start), start
    for _ in range(2):
        parts = large.map_blocks(sums_of, ours, cp, chunks=(3, COLUMNS + 1), meta=cp.empty((0, 0)))
        total = parts.reshape(BLOCKS, 3, COLUMNS + 1).sum(axis=0).compute()
        assert isinstance(total, cp.ndarray)
        ours = total[:, :-1] / total[:, -1:]
        total = sum(sums_of(block, theirs, np) for block in distinct_blocks())
        theirs = total[:, :-1] / total[:, -1:]
    np.testing.assert_allclose(cp.asnumpy(ours), theirs, rtol=1e-9)
