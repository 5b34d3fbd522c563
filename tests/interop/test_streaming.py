"""Arrays larger than memory: mapped files, blocks that are read ahead, batches that are prefetched."""

import io
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import cuprum as cp

HOST = np.random.default_rng(3).standard_normal((50, 6))


@pytest.fixture
def path(tmp_path):
    np.save(tmp_path / "x.npy", HOST)
    return tmp_path / "x.npy"


@pytest.mark.cpu
def test_a_mapped_file_is_not_copied(path):
    a = cp.load(path, mmap_mode="r")
    np.testing.assert_array_equal(cp.asnumpy(a), HOST)
    with pytest.raises(ValueError, match="read-only"):
        a[0, 0] = 1
    shared = cp.load(path, mmap_mode="r+")
    shared[1] = 7
    np.testing.assert_array_equal(np.load(path)[1], 7)
    np.testing.assert_array_equal(cp.asnumpy(a[1]), 7)
    private = cp.load(path, mmap_mode="c")
    private[2] = 9
    np.testing.assert_array_equal(np.load(path)[2], HOST[2])


@pytest.mark.cpu
def test_an_expression_over_a_file_is_one_pass(tmp_path):
    host = np.random.default_rng(4).random(100_000)
    np.save(tmp_path / "long.npy", host)
    sources = {
        "load": lambda: cp.load(tmp_path / "long.npy", mmap_mode="r"),
        "a slice": lambda: cp.load(tmp_path / "long.npy", mmap_mode="r")[1:],
        "blocks": lambda: next(iter(cp.blocks(tmp_path / "long.npy"))),
        "blocks of a map": lambda: next(iter(cp.blocks(cp.load(tmp_path / "long.npy", mmap_mode="r")))),
    }
    for name, source in sources.items():
        a = source()
        with cp.fusion_log() as programs:
            total = float(cp.sqrt(a**2 + 1).sum())
        assert len(programs) == 1, name
        np.testing.assert_allclose(total, np.sqrt(host[-a.size :] ** 2 + 1).sum(), rtol=1e-12)


@pytest.mark.cpu
def test_work_on_a_file_does_not_see_what_is_written_later(tmp_path):
    host = np.arange(100_000.0)
    np.save(tmp_path / "long.npy", host)
    a = cp.load(tmp_path / "long.npy", mmap_mode="r")
    before = a * 2
    target = cp.load(tmp_path / "long.npy", mmap_mode="r+")
    between = a * 3
    target[...] = 1.0
    after = cp.load(tmp_path / "long.npy", mmap_mode="r") * 4
    target[...] = 2.0
    np.testing.assert_array_equal(cp.asnumpy(before), host * 2)
    np.testing.assert_array_equal(cp.asnumpy(between), host * 3)
    np.testing.assert_array_equal(cp.asnumpy(after), np.full(100_000, 4.0))


def test_loading_by_a_map_gives_the_array(path):
    np.testing.assert_array_equal(cp.asnumpy(cp.load(path, mmap_mode="r") * 2), HOST * 2)
    np.testing.assert_array_equal(cp.asnumpy(cp.load(str(path), mmap_mode="r")[::7, 2]), HOST[::7, 2])


@pytest.mark.parametrize("size", [None, 1, 7, 25, 50, 80])
@pytest.mark.parametrize("read_ahead", [1, 2, 5])
def test_blocks_are_the_arrays_slices(path, size, read_ahead):
    for source in (path, HOST, np.asfortranarray(HOST), cp.asarray(HOST)):
        parts = cp.blocks(source, size, read_ahead=read_ahead)
        step = size or 50
        assert len(parts) == -(-50 // step)
        for _ in range(2):  # it can be gone through again
            got = [cp.asnumpy(block) for block in parts]
            want = [HOST[at : at + step] for at in range(0, 50, step)]
            assert len(got) == len(want)
            for one, other in zip(got, want, strict=True):
                np.testing.assert_array_equal(one, other)


def test_blocks_that_are_kept_keep_their_values(path):
    kept = list(cp.blocks(path, 3))
    np.testing.assert_array_equal(cp.asnumpy(cp.concatenate(kept)), HOST)


def test_blocks_along_another_axis(path):
    for source in (path, HOST):
        got = [cp.asnumpy(block) for block in cp.blocks(source, 4, axis=-1)]
        np.testing.assert_array_equal(np.concatenate(got, axis=1), HOST)
        assert [block.shape for block in got] == [(50, 4), (50, 2)]


def test_files_by_columns_and_in_other_byte_orders(tmp_path):
    for name, host in {
        "f": np.asfortranarray(HOST),
        "big": HOST.astype(">f8"),
        "half": HOST.astype("f2"),
    }.items():
        np.save(tmp_path / f"{name}.npy", host)
        parts = cp.blocks(tmp_path / f"{name}.npy", 11)
        np.testing.assert_array_equal(
            cp.asnumpy(cp.concatenate(list(parts))), host.astype(host.dtype.newbyteorder("="))
        )


def test_reductions_over_blocks(path):
    parts = cp.blocks(path, 8)
    np.testing.assert_allclose(
        float(parts.reduce(lambda x: cp.sqrt(x**2 + 1).sum())), np.sqrt(HOST**2 + 1).sum(), rtol=1e-13
    )
    assert float(parts.reduce(cp.max, cp.maximum)) == HOST.max()
    np.testing.assert_allclose(cp.asnumpy(parts.reduce(lambda x: x.T @ x)), HOST.T @ HOST, rtol=1e-12)
    with pytest.raises(ValueError, match="has no blocks"):
        cp.blocks(np.zeros((0, 3))).reduce(cp.sum)


@pytest.mark.cpu
def test_blocks_of_a_file_share_its_memory(path):
    (block,) = cp.blocks(path)
    with cp.cuda.count_transfers() as moved:
        total = block.sum()
        cp.testing.wait(total)
    assert moved.to_device_bytes == 0
    with pytest.raises(ValueError, match="read-only"):
        block[0] = 1


def test_datasets_of_other_libraries(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["x"] = HOST
        got = cp.concatenate(list(cp.blocks(file["x"], 9)))
    np.testing.assert_array_equal(cp.asnumpy(got), HOST)


def test_bad_input_is_told_at_the_call(path, tmp_path):
    whole = path.read_bytes()
    (tmp_path / "short.npy").write_bytes(whole[:-9])
    with pytest.raises(
        ValueError, match="is truncated: float64 of shape .* needs 2528 bytes, the file has 2519"
    ):
        cp.blocks(tmp_path / "short.npy")
    with pytest.raises(ValueError, match="mmap length is greater than file size"):
        cp.load(tmp_path / "short.npy", mmap_mode="r")
    (tmp_path / "none.npy").write_bytes(b"")
    with pytest.raises(ValueError, match="EOF"):
        cp.blocks(tmp_path / "none.npy")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        cp.blocks(tmp_path / "nowhere.npy")
    for arguments, message in (((0,), "at least 1"), ((-3,), "at least 1")):
        with pytest.raises(ValueError, match=message):
            cp.blocks(HOST, *arguments)
    with pytest.raises(np.exceptions.AxisError, match="blocks: axis 2"):
        cp.blocks(HOST, axis=2)
    with pytest.raises(ValueError, match="without axes"):
        cp.blocks(np.float64(3))
    with pytest.raises(ValueError, match="read_ahead"):
        cp.blocks(HOST, read_ahead=0)


def test_a_file_that_is_cut_while_it_is_read(tmp_path):
    path = tmp_path / "cut.npy"
    np.save(path, np.arange(100_000.0))
    whole = path.stat().st_size
    blocks = iter(cp.blocks(path, 1000))
    assert float(next(blocks).sum()) == sum(range(1000))
    os.truncate(path, whole - 8)
    with pytest.raises(ValueError, match=f"was truncated while it was read: it had {whole} bytes and has"):
        for _ in blocks:
            pass


STORED = {
    "dates": np.arange(60).astype("M8[s]").reshape(12, 5),
    "differences": np.arange(60).astype("m8[ns]").reshape(12, 5),
    "structures": np.array([(i, i / 2) for i in range(24)], [("n", "i4"), ("x", "f8")]).reshape(12, 2),
    "dates by columns": np.asfortranarray(np.arange(60).astype("M8[D]").reshape(12, 5)),
    "no dates": np.zeros((0, 3), "M8[s]"),
    "no structures": np.zeros((0, 3), [("n", "i4"), ("x", "f8")]),
    "bytes": np.arange(96, dtype="u1").view("V4").reshape(12, 2),
}
STORED["structures by columns"] = np.asfortranarray(STORED["structures"])


@pytest.mark.parametrize("name", STORED)
def test_dates_and_structures_are_mapped(tmp_path, name):
    host = STORED[name]
    path = tmp_path / "stored.npy"
    np.save(path, host)
    for mode in ("r", "c", "r+"):
        mapped = cp.load(path, mmap_mode=mode)
        assert mapped.dtype == host.dtype and mapped.shape == host.shape
        np.testing.assert_array_equal(mapped.get(), host)
    for source in (path, host, np.repeat(host, 2, 0)[::2]):
        parts = [block.get() for block in cp.blocks(source, 5)]
        np.testing.assert_array_equal(np.concatenate(parts) if parts else host, host)


@pytest.mark.cpu
@pytest.mark.parametrize("name", ["dates", "structures", "structures by columns"])
def test_dates_and_structures_are_written_to_their_file(tmp_path, name):
    host = STORED[name]
    path = tmp_path / "stored.npy"
    np.save(path, host)
    mapped = cp.load(path, mmap_mode="r+")
    mapped[2] = host[7]
    np.testing.assert_array_equal(np.load(path)[2], host[7])


@pytest.mark.cpu
@pytest.mark.parametrize("mode", ["r", "r+", "c"])
def test_a_map_whose_file_is_cut_raises_each_time(tmp_path, mode):
    path = tmp_path / "cut.npy"
    np.save(path, np.ones(300_000))
    a = cp.load(path, mmap_mode=mode)
    os.truncate(path, 4096)
    for _ in range(3):
        with pytest.raises(ValueError, match=r"cut\.npy.* was truncated while it was read"):
            float(a.sum())
    # What is left of the file can be read.
    assert float(a[:100].sum()) == 100
    assert float(cp.arange(10.0).sum()) == 45


@pytest.mark.cpu
def test_a_map_whose_file_is_cut_can_be_written_no_more(tmp_path):
    path = tmp_path / "cut.npy"
    np.save(path, np.ones(300_000))
    a = cp.load(path, mmap_mode="r+")
    os.truncate(path, 4096)
    for _ in range(3):
        with pytest.raises(ValueError, match="was truncated while it was read"):
            a[200_000:] = 2.0
    a[:100] = 3.0
    assert os.path.getsize(path) == 4096 and float(a[:100].sum()) == 300


@pytest.mark.cpu
def test_a_block_whose_file_is_cut_while_it_is_used(tmp_path):
    path = tmp_path / "cut.npy"
    np.save(path, np.ones(300_000))
    whole = iter(cp.blocks(path, 300_000))
    block = next(whole)
    os.truncate(path, 4096)
    with pytest.raises(ValueError, match="was truncated while it was read"):
        float(block.sum())


def with_a_map(code):
    """Run a program, in a process of its own, in which `a` is an array over a file at `path`."""
    begin = """
        import faulthandler, os, signal, sys, tempfile
        import numpy as np, cuprum as cp
        path = os.path.join(tempfile.mkdtemp(), "x.npy")
        np.save(path, np.ones(100_000))
        a = cp.load(path, mmap_mode="r")
    """
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(begin) + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "CUPRUM_DEVICE": "cpu"},
    )


@pytest.mark.cpu
def test_small_reads_of_a_map_whose_file_is_cut_raise_at_once():
    # In a process without exported arrays, where the shortest ways are taken.
    code = """
        reads = {
            "a sum": lambda a: a + 1.0,
            "a sum with a scalar": lambda a: np.float64(1.0) + a,
            "a sum of two": lambda a: a + a,
            "a negation": lambda a: -a,
            "a function": cp.sqrt,
            "a sum in place": lambda a: cp.zeros(100).__iadd__(a),
            "a function with a result": lambda a: cp.sqrt(a, out=cp.zeros(100)),
            "a product": lambda a: a @ a,
            "an element": lambda a: a[7],
            "elements at positions": lambda a: a[cp.array([3, 5])],
            "elements under a mask": lambda a: a[cp.arange(100) > 50],
            "a total": lambda a: a.sum(),
            "an assignment": lambda a: cp.zeros(100).__setitem__(..., a),
            "a list": lambda a: a.tolist(),
            "an array made of it": lambda a: cp.array([a[3], a[4]]),
        }
        a = a[90_000:90_100]
        os.truncate(path, 4096)
        for name, read in reads.items():
            for _ in range(2):
                try:
                    print(name, read(a))
                except ValueError as error:
                    assert path in str(error)
    """
    done = with_a_map(code)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


@pytest.mark.cpu
def test_pending_results_of_a_map_whose_file_is_cut_raise_each_time():
    code = """
        pending = {
            "a function": cp.sqrt(a),
            "a chain": (a * 2.0 + 1.0) ** 2,
            "a large total": (a * 3.0).sum(),
            "a row of pieces": cp.concatenate([a[:60_000] - 1.0, a[60_000:] + 1.0]),
            "a part": -a[90_000:],
        }
        shared = a + 1.0
        pending["a result of another"] = shared * 2.0
        os.truncate(path, 4096)
        for name, result in pending.items():
            for _ in range(3):
                try:
                    print(name, cp.asnumpy(result).ravel()[-1])
                except ValueError as error:
                    assert path in str(error)
        # What nobody can read any more raises nowhere.
        pending.clear()
        del result, shared
        for _ in range(20):
            cp.asnumpy(cp.arange(200_000.0) + 1.0)
            cp.cuda.Device().synchronize()
        print(float((a[:100] + 1.0).sum()))
    """
    done = with_a_map(code)
    assert (done.stdout, done.stderr, done.returncode) == ("200.0\n", "", 0)


@pytest.mark.cpu
def test_every_thread_that_reads_a_map_whose_file_is_cut_raises():
    code = """
        import threading
        os.truncate(path, 4096)
        silent = []
        def read(seed):
            for k in range(1500):
                try:
                    part = a[1000 + (k * 7919 + seed * 131) % 90_000:][:9000]
                    silent.append(float(part.sum()))
                except ValueError:
                    pass
        threads = [threading.Thread(target=read, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(len(silent), float(cp.arange(10.0).sum()))
    """
    done = with_a_map(code)
    assert (done.stdout, done.stderr, done.returncode) == ("0 45.0\n", "", 0)


OTHERS = {
    "nobody": "",
    "faulthandler before": "faulthandler.enable()\nb = cp.load(path, mmap_mode='r')",
    "faulthandler behind": "faulthandler.enable()",
}


@pytest.mark.cpu
@pytest.mark.parametrize("others", OTHERS)
def test_other_faults_of_maps_go_where_they_went(others):
    code = """
        theirs = np.load(path, mmap_mode="r")
        os.truncate(path, 0)
        try:
            float(a.sum())
        except ValueError:
            print("told", flush=True)
        theirs.sum()
    """
    done = with_a_map(OTHERS[others] + "\n" + textwrap.dedent(code))
    assert done.returncode == -signal.SIGBUS
    # A handler that stands before ours takes all faults.
    assert done.stdout == ("" if others.endswith("behind") else "told\n")
    assert done.stderr.count("Fatal Python error: Bus error") == (others != "nobody")


@pytest.mark.cpu
def test_signals_that_are_sent_go_where_they_went():
    code = """
        signal.signal(signal.SIGBUS, lambda *_: print("heard", flush=True))
        b = cp.load(path, mmap_mode="r")
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGBUS)
            signal.raise_signal(signal.SIGBUS)
        signal.signal(signal.SIGBUS, signal.SIG_IGN)
        c = cp.load(path, mmap_mode="r")
        os.kill(os.getpid(), signal.SIGBUS)
        print("ignored", flush=True)
        signal.signal(signal.SIGBUS, signal.SIG_DFL)
        d = cp.load(path, mmap_mode="r")
        os.kill(os.getpid(), signal.SIGBUS)
        print("never")
    """
    done = with_a_map(code)
    assert done.stdout.splitlines() == ["heard"] * 6 + ["ignored"] and done.returncode == -signal.SIGBUS


@pytest.mark.cpu
def test_a_handler_that_calls_the_one_before_it_is_asked_once():
    code = """
        import ctypes
        libc = ctypes.CDLL(None)
        libc.signal.restype = ctypes.c_void_p
        libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
        # The facts of a fault at address 0.
        facts = ctypes.create_string_buffer(128)
        ctypes.c_int.from_buffer(facts, 8).value = 2
        def chain(number):
            print("asked", flush=True)
            ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(ours)(
                number, ctypes.addressof(facts), None
            )
        handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(chain)
        ours = libc.signal(signal.SIGBUS, ctypes.cast(handler, ctypes.c_void_p))
        b = cp.load(path, mmap_mode="r")
        theirs = np.load(path, mmap_mode="r")
        os.truncate(path, 0)
        theirs[50_000]
        print("never")
    """
    done = with_a_map(code)
    assert (done.stdout, done.returncode) == ("asked\n", -signal.SIGBUS), done.stderr[-500:]


def test_prefetch_moves_what_is_in_tuples_and_dicts():
    def batches():
        for i in range(5):
            yield {"x": np.full(3, float(i)), "y": (np.arange(i), f"label {i}")}

    got = list(cp.prefetch(batches()))
    assert len(got) == 5
    for i, batch in enumerate(got):
        assert isinstance(batch["x"], cp.ndarray)
        np.testing.assert_array_equal(cp.asnumpy(batch["x"]), float(i))
        np.testing.assert_array_equal(cp.asnumpy(batch["y"][0]), np.arange(i))
        assert batch["y"][1] == f"label {i}"


def test_a_buffer_that_the_source_reuses_is_read_before_the_next_item():
    buffer = np.zeros(4)

    def batches():
        for i in range(20):
            buffer[:] = i
            yield buffer

    assert [float(batch.sum()) for batch in cp.prefetch(batches(), depth=4)] == [4.0 * i for i in range(20)]


def test_errors_of_the_source_come_in_their_turn():
    def batches():
        yield np.zeros(2)
        yield np.ones(2)
        raise OSError("the disk is gone")

    got = []
    with pytest.raises(OSError, match="the disk is gone"):
        for batch in cp.prefetch(batches()):
            got.append(float(batch.sum()))
    assert got == [0.0, 2.0]
    with pytest.raises(ValueError, match="depth must be at least 1"):
        cp.prefetch([], depth=0)


def test_a_loop_that_is_left_ends_its_thread():
    before = threading.active_count()
    for block in cp.blocks(HOST, 1, read_ahead=3):
        if float(block[0, 0]) == HOST[4, 0]:
            break
    import gc

    del block
    gc.collect()
    assert threading.active_count() == before


def test_no_more_items_are_taken_than_the_depth_allows():
    taken = []

    def batches():
        for i in range(10):
            taken.append(i)
            yield np.full(2, i)

    most = 0
    for used, _ in enumerate(cp.prefetch(batches(), depth=3)):
        most = max(most, len(taken) - used)
    assert most <= 4  # the one in use, two that wait, the one that the thread holds
    assert len(taken) == 10


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_told(path, monkeypatch):
    told = []
    for _ in cp.blocks(path, 20, progress=lambda blocks, moved: told.append((blocks, moved))):
        pass
    assert told == [(1, 960), (2, 1920), (3, 2400)]
    monkeypatch.setattr("cuprum._io.progress._SHOWN_AFTER_SECONDS", 0)
    monkeypatch.setattr("cuprum._io.progress._REFRESH_SECONDS", 0)
    monkeypatch.setattr("sys.stderr", Terminal())
    for _ in cp.blocks(path, 20, progress=True):
        pass
    assert re.search(r"blocks:  80% \|#{19} +\| 0/0 MB, ", sys.stderr.getvalue())
    for _ in cp.prefetch((np.ones(3) for _ in range(2)), progress=True):
        pass
    assert sys.stderr.getvalue().rstrip().endswith("prefetch: 2")
    monkeypatch.setattr("sys.stderr", io.StringIO())
    for _ in cp.blocks(path, 20, progress=True):
        pass
    assert sys.stderr.getvalue() == ""
