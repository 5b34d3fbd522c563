"""Groups of processes: collectives beside NumPy, ranks that disagree or end, a store that is not there."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import threading

import numpy as np
import pytest

import cuprum as cp
from cuprum import distributed
from cuprum.distributed import _store

PROGRAM = pathlib.Path(__file__).with_name("distributed_program.py")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def run(program, ranks, timeout=60.0):
    """What each rank reports."""
    port = free_port()
    environment = {**os.environ, "CUPRUM_THREADS": "1"}
    processes = [
        subprocess.Popen(
            [sys.executable, str(PROGRAM), program, str(ranks), str(rank), str(port), str(timeout)],
            env=environment, stdout=subprocess.PIPE, text=True,
        )
        for rank in range(ranks)
    ]  # fmt: skip
    try:
        outputs = [process.communicate(timeout=100)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()
    return [json.loads(output) if output else None for output in outputs]


@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_collectives_agree_with_numpy(ranks):
    for report in run("collectives", ranks):
        assert "error" not in report, report["trace"]


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ("shape", "ValueError", "all_reduce: the ranks disagree: shape is "),
        ("dtype", "ValueError", "broadcast: the ranks disagree: dtype is float"),
        ("order", "ValueError", "all_reduce: the ranks disagree: order is "),
        ("op", "ValueError", "all_reduce: the ranks disagree: reduction is "),
        ("root", "ValueError", "broadcast: the ranks disagree: root is "),
        ("call", "RuntimeError", ": rank "),
        ("amount", "ValueError", "the ranks disagree: "),
        ("sparse", "ValueError", "all_reduce: the ranks disagree: shape is "),
    ],
)
def test_ranks_that_disagree_all_raise(how, error, message):
    for report in run(how, 2):
        assert report["error"] == error, report
        assert message in report["message"], report


def test_a_rank_that_leaves_is_an_error_on_the_others():
    first, second, last = run("exit", 3)
    assert last is None
    for report in (first, second):
        assert report["error"] == "RuntimeError"
        assert "has left" in report["message"] or "rank 2" in report["message"]


def test_a_rank_that_does_nothing_ends_in_a_timeout():
    first, _ = run("sleep", 2, timeout=1.0)
    assert first["error"] == "TimeoutError"
    assert "all_reduce: ranks [1] did nothing for 1 s" in first["message"]


def test_a_store_that_is_not_there():
    with pytest.raises(RuntimeError, match=r"TCPStore is not available at 127\.0\.0\.1:\d+ within 0\.3 s"):
        distributed.init_process_group(2, 1, port=free_port(), timeout=0.3)
    with pytest.raises(RuntimeError, match="there is no host"):
        distributed.init_process_group(2, 1, host="no-such-host.invalid", timeout=1)


def test_ranks_that_do_not_come():
    with pytest.raises(TimeoutError, match=r"ranks \[1\] did not come within 0\.5 s"):
        distributed.init_process_group(2, 0, port=0, timeout=0.5)


def test_an_address_that_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"store: cannot listen at 127.0.0.1:{port}"):
            distributed.init_process_group(1, 0, port=port)


def test_arguments_of_groups():
    for ranks, rank in ((0, 0), (-1, 0), (2, 2), (2, -1)):
        with pytest.raises(ValueError, match="Invalid number"):
            distributed.init_process_group(ranks, rank)
    with pytest.raises(ValueError, match="'mpi' is not supported: it is nccl or sockets"):
        distributed.init_process_group(1, 0, backend="mpi")
    with pytest.raises(ValueError, match="needs no MPI"):
        distributed.init_process_group(1, 0, use_mpi=True)
    with pytest.raises(ValueError, match="timeout must be positive"):
        distributed.init_process_group(1, 0, timeout=0)


@pytest.fixture
def group():
    with distributed.SocketBackend(1, 0, port=0) as one:
        yield one


def test_arguments_of_collectives(group):
    x = cp.arange(6.0)
    for call, error, message in (
        (lambda: group.all_reduce(x[::2], cp.zeros(3)), RuntimeError, "c- or f-contiguous"),
        (lambda: group.all_reduce(x, cp.zeros(5)), ValueError, "out_array must hold 6 elements of float64"),
        (lambda: group.all_reduce(x, cp.zeros(6, dtype="float32")), ValueError, "it has 6 of float32"),
        (lambda: group.all_reduce(x, x, "mean"), RuntimeError, "unknown op 'mean'"),
        (lambda: group.all_reduce(x * 1j, x * 1j, "max"), ValueError, "only 'sum' is supported for complex"),
        (lambda: group.all_reduce(x > 2, x > 2), TypeError, "arrays of bool cannot be reduced"),
        (lambda: group.all_reduce(np.zeros(3), x), TypeError, "got ndarray"),
        (lambda: group.reduce(x, x, root=3), ValueError, "root must be a rank below 1, got 3"),
        (lambda: group.broadcast(x, -1), ValueError, "root must be a rank below 1, got -1"),
        (lambda: group.send(x, 0), ValueError, "rank 0 is this process itself"),
        (lambda: group.reduce_scatter(x, x, 8), ValueError, "in_array must have 8 elements, it has 6"),
        (lambda: group.all_gather(x, x, 8), ValueError, "in_array must have 8 elements, it has 6"),
        (
            lambda: group.all_gather(x, x, 3),
            ValueError,
            "out_array must hold 3 elements of float64, it has 6",
        ),
        (
            lambda: group.scatter(cp.zeros((2, 3)), x),
            RuntimeError,
            "to have 1 elements in its first dimension",
        ),
        (lambda: group.all_to_all(x, x), RuntimeError, "to have 1 elements in its first dimension"),
    ):
        with pytest.raises(error, match=message):
            call()
    locked = cp.zeros(6)
    locked.setflags(write=False)
    with pytest.raises(ValueError, match="out_array is read-only"):
        group.all_reduce(x, locked)
    group.barrier()  # errors of one's own arguments leave the group as it is


def test_one_rank_alone(group):
    x, out = cp.arange(6.0), cp.zeros(6)
    group.all_reduce(x, out)
    np.testing.assert_array_equal(cp.asnumpy(out), np.arange(6.0))
    out[...] = 0
    group.send_recv(x, out, 0)
    np.testing.assert_array_equal(cp.asnumpy(out), np.arange(6.0))
    group.stop()
    with pytest.raises(RuntimeError, match="barrier: this group has ended: it was stopped"):
        group._mesh.exchange("barrier", {}, {})


def test_the_store():
    store = _store.TCPStore(2)
    port = store.run(port=0)
    one, other = (_store.TCPStoreProxy(port=port, timeout=5) for _ in range(2))
    one["text"], one["number"] = b"\x00bytes", -7
    assert (other["text"], other["number"]) == (b"\x00bytes", -7)
    threading.Timer(0.1, lambda: one.__setitem__("late", 1)).start()
    assert other["late"] == 1
    thread = threading.Thread(target=one.barrier)
    thread.start()
    other.barrier()
    thread.join()
    hasty = _store.TCPStoreProxy(port=port, timeout=0.2)
    with pytest.raises(TimeoutError, match="nobody has set 'never' within 0.2 s"):
        hasty["never"]
    with pytest.raises(TimeoutError, match="barrier: 1 of 2 ranks came within 0.2 s"):
        hasty.barrier()
    with pytest.raises(ValueError, match="a value is bytes or an integer, got str"):
        one["x"] = "text"
    store.stop()
    with pytest.raises(RuntimeError, match="TCPStore is not available"):
        hasty["text"]


def test_bytes_that_are_no_request_do_no_harm():
    store = _store.TCPStore(1)
    port = store.run(port=0)
    for words in (b"GET / HTTP/1.1\r\n\r\n" * 4, b"s" + b"\xff" * 16, b""):
        with socket.create_connection(("127.0.0.1", port)) as stranger:
            stranger.sendall(words)
    proxy = _store.TCPStoreProxy(port=port, timeout=5)
    proxy["key"] = 3
    assert proxy["key"] == 3
    store.stop()


def test_cupyx_names_it():
    code = "import cupyx; from cupyx.distributed import NCCLBackend; print(cupyx.distributed.__name__)"
    done = subprocess.run([sys.executable, "-m", "cuprum", "run", "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "cuprum.distributed", done.stderr
