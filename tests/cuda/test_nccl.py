"""Collectives by NCCL with one rank: the library's on a GPU, else a stand-in's that checks its arguments."""

import pathlib
import subprocess
import textwrap

import driver_api
import pytest
from test_host import HAS_GPU, on_gpu

import cuprum as cp

SOURCE = pathlib.Path(__file__).with_name("standin_nccl.c")

pytestmark = pytest.mark.skipif(HAS_GPU and not cp.cuda.nccl.available, reason="there is a GPU, and no NCCL")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """What the product must find in its environment to use NCCL."""
    if HAS_GPU:
        return {}
    compiler = driver_api.standin_build.compiler()
    if compiler is None:
        pytest.skip("there is no GPU, and no g++")
    made = tmp_path_factory.mktemp("nccl") / "libnccl.so.2"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(made), str(SOURCE)], check=True)
    return {"CUPRUM_LIBNCCL": str(made)}


def test_the_library_by_addresses(library):
    code = """
        from cuprum.cuda import nccl
        assert nccl.available
        assert nccl.get_version() > 20000 and len(nccl.get_unique_id()) == 128
        comm = nccl.NcclCommunicator(1, nccl.get_unique_id(), 0)
        assert (comm.size(), comm.rank_id(), comm.device_id()) == (1, 0, 0)
        assert comm.comm
        comm.check_async_error()
        stream = cp.cuda.Stream.null
        a, b = cp.arange(5.0) + 1, cp.zeros(5)
        comm.allReduce(a.data.ptr, b.data.ptr, 5, nccl.NCCL_FLOAT64, nccl.NCCL_SUM, stream.ptr)
        stream.synchronize()
        np.testing.assert_array_equal(b.get(), np.arange(5.0) + 1)
        c = cp.zeros(5)
        nccl.groupStart()
        comm.send(a.data.ptr, 5, nccl.NCCL_FLOAT64, 0, stream.ptr)
        comm.recv(c.data.ptr, 5, nccl.NCCL_FLOAT64, 0, stream.ptr)
        nccl.groupEnd()
        stream.synchronize()
        np.testing.assert_array_equal(c.get(), np.arange(5.0) + 1)
        try:
            comm.allReduce(a.data.ptr, b.data.ptr, 5, 99, nccl.NCCL_SUM, stream.ptr)
        except nccl.NcclError as error:
            assert error.status == 4 and "NCCL_ERROR_INVALID_ARGUMENT" in str(error)
        else:
            raise AssertionError("a type that is not there was taken")
        comm.destroy()
        comm.destroy()
        assert comm.comm == 0
        try:
            nccl.NcclCommunicator(1, b"short", 0)
        except ValueError as error:
            assert "commId has 128 bytes, got 5" in str(error)
        else:
            raise AssertionError("a short id was taken")
    """
    on_gpu(textwrap.dedent(code), **library)


@pytest.mark.parametrize("backend", ["nccl", "sockets"])
def test_collectives_of_a_group(backend, library):
    code = f"""
        from cuprum import distributed
        from cuprum.scipy import sparse
        group = distributed.init_process_group(1, 0, port=0, backend={backend!r})
        assert type(group._carrier).__name__.lower() == {backend.removesuffix("s") + "collectives"!r}
        for stream in (None, cp.cuda.Stream(non_blocking=True)):
            for dtype in ("int8", "uint32", "int64", "float16", "float32", "complex64", "bool", "int16"):
                # Pending work, and memory that the pool hands out again.
                x = (cp.arange(6) % 3 + 1).astype(dtype)
                want = x.get()
                def fresh():
                    return cp.zeros(6, dtype=dtype)
                out = fresh()
                if dtype not in ("bool", "int16"):
                    group.all_reduce(x, out, stream=stream)
                    np.testing.assert_array_equal(out.get(), want)
                    out = fresh()
                    group.reduce(x, out, 0, "sum", stream=stream)
                    np.testing.assert_array_equal(out.get(), want)
                    out = fresh()
                    group.reduce_scatter(x, out, 6, stream=stream)
                    np.testing.assert_array_equal(out.get(), want)
                y = x.copy()
                group.broadcast(y, 0, stream=stream)
                np.testing.assert_array_equal(y.get(), want)
                for name in ("all_gather", "gather", "scatter", "all_to_all", "send_recv"):
                    out = fresh()
                    row, rows = out.reshape(1, 6), x.reshape(1, 6)
                    if name == "all_gather":
                        group.all_gather(x, out, 6, stream=stream)
                    elif name == "gather":
                        group.gather(x, row, 0, stream=stream)
                    elif name == "scatter":
                        group.scatter(rows, out, 0, stream=stream)
                    elif name == "all_to_all":
                        group.all_to_all(rows, row, stream=stream)
                    else:
                        group.send_recv(x, out, 0, stream=stream)
                    np.testing.assert_array_equal(out.get(), want, err_msg=f"{{name}} {{dtype}}")
        # What follows in the current stream sees the result.
        a = cp.arange(1000.0)
        group.all_reduce(a, a, stream=cp.cuda.Stream(non_blocking=True))
        assert float((a * 2).sum()) == 999000.0
        m, out = sparse.csr_matrix(cp.eye(3)), sparse.csr_matrix((1, 1), dtype="float64")
        group.all_reduce(m, out)
        np.testing.assert_array_equal(out.toarray().get(), np.eye(3))
        group.barrier()
        group.stop()
    """
    on_gpu(textwrap.dedent(code), **library)


def test_arrays_of_the_cpu_are_refused(library):
    code = """
        from cuprum import distributed
        group = distributed.init_process_group(1, 0, port=0)
        with cp.cuda.Device("cpu"):
            a = cp.zeros(3)
        try:
            group.all_reduce(a, a)
        except ValueError as error:
            assert "this one is on the CPU; use backend='sockets'" in str(error), error
        else:
            raise AssertionError("NCCL was given an address of the host's")
    """
    on_gpu(textwrap.dedent(code), **library)


def test_ranks_that_share_a_gpu_are_told(library):
    code = """
        import socket, subprocess
        from cuprum import distributed
        if len(sys.argv) > 1:
            rank, port = map(int, sys.argv[1:])
        else:
            with socket.socket() as one:
                one.bind(("127.0.0.1", 0))
                rank, port = 0, one.getsockname()[1]
            import pathlib
            code = pathlib.Path("/proc/self/cmdline").read_text().split(chr(0))[2]
            other = subprocess.Popen([sys.executable, "-c", code, "1", str(port)])
        try:
            distributed.init_process_group(2, rank, port=port, timeout=60)
        except ValueError as error:
            text = str(error)
            assert "ranks 0, 1 have the same GPU" in text and "backend='sockets'" in text, text
        else:
            raise AssertionError("two ranks share a GPU")
        if rank == 0:
            assert other.wait(60) == 0
    """
    on_gpu(textwrap.dedent(code), **library)


@pytest.mark.skipif(HAS_GPU, reason="hides the library of a machine without a GPU")
def test_a_gpu_without_the_library():
    code = """
        from cuprum import distributed
        assert not cp.cuda.nccl.available
        try:
            distributed.init_process_group(1, 0, port=0)
        except RuntimeError as error:
            assert "NCCL was not found: pip install nvidia-nccl-cu" in str(error), error
        else:
            raise AssertionError("a group was made without NCCL")
    """
    on_gpu(textwrap.dedent(code), CUPRUM_LIBNCCL="/nowhere/libnccl.so.2")
