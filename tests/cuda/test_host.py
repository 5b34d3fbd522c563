"""The CUDA device from Python: arrays on it and beside it, streams, graphs, memory and other libraries.

On a machine without a GPU each test runs in a process of its own, on the stand-in for the driver.
"""

import driver_api
import pytest
from driver_api import standin_build
from twin import fresh_python

import cuprum as cp

HAS_GPU = cp.is_available()


def on_gpu(code, **environment):
    """Run code in a new process with a GPU, or with what stands in for one; give what it prints."""
    variables = {} if HAS_GPU else standin_build.environment(driver_api.standin())
    return fresh_python(code, timeout=600, **{**variables, "CUPRUM_DEVICE": "cuda", **environment})


def test_arrays_are_on_the_gpu_and_come_back():
    out = on_gpu(
        """
        a = cp.arange(6.0).reshape(2, 3)
        assert a.device == "cuda:0" == cp.cuda.Device(0) and cp.is_available()
        assert cp.info()["device"] == "cuda:0"
        host = (a * 2 + 1).get()
        assert isinstance(host, np.ndarray)
        np.testing.assert_array_equal(host, np.arange(6.0).reshape(2, 3) * 2 + 1)
        assert a.T.get().flags.c_contiguous and a.sum().item() == 15.0 and float(a[1, 2]) == 5.0
        assert [x.item() for x in a[0]] == [0.0, 1.0, 2.0] and a.tolist() == [[0, 1, 2], [3, 4, 5]]
        print(a)
        """
    )
    assert out == "[[0. 1. 2.]\n [3. 4. 5.]]"


def test_numpy_gets_nothing_unasked():
    on_gpu(
        """
        a = cp.ones(3)
        for ask in (lambda: np.asarray(a), lambda: np.array([a, a]), lambda: np.sqrt(np.array(a))):
            try:
                ask()
            except TypeError as error:
                assert "get()" in str(error), error
            else:
                raise AssertionError("an array of the GPU became one of NumPy's")
        for ask in (lambda: memoryview(a), lambda: bytes(a)):
            try:
                ask()
            except (BufferError, TypeError):
                pass
            else:
                raise AssertionError("a buffer of the GPU's memory")
        assert not hasattr(a, "__array_interface__")
        assert type(np.sqrt(a)) is cp.ndarray and type(np.sum(a)) is cp.ndarray
        assert cp.array([a, a + 1]).shape == (2, 3)
        assert float((a + np.ones(3)).sum()) == 6.0
        """
    )


def test_two_devices_in_one_process():
    on_gpu(
        """
        gpu, cpu = cp.arange(5.0), cp.arange(5.0, device="cpu")
        assert cpu.device == "cpu" and gpu.device == "cuda:0" and cpu.device != gpu.device
        mixes = [
            lambda: gpu + cpu,
            lambda: cp.concatenate([gpu, cpu]),
            lambda: gpu @ cpu,
            lambda: gpu[cpu > 1],
            lambda: gpu.__setitem__(slice(None), cpu),
            lambda: cp.where(gpu > 1, cpu, gpu),
        ]
        for mix in mixes:
            try:
                mix()
            except ValueError as error:
                assert "cuda:0" in str(error) and "cpu" in str(error), error
            else:
                raise AssertionError("arrays of two devices were mixed")
        for a in (gpu, cpu):
            assert (a + 1).device == a.device == cp.zeros_like(a).device == a[[0, 2]].device == a.sum().device
            assert float((a[a > 1] * 2).sum()) == 18.0 and float(cp.sort(-a)[0]) == -4.0
        assert np.asarray(cpu).sum() == 10.0
        moved = cp.asarray(cpu, device="cuda")
        assert moved.device == gpu.device and float((moved + gpu).sum()) == 20.0
        back = moved.reshape(5, 1).to_device("cpu")
        assert back.device == "cpu" and back.shape == (5, 1)
        with cp.cuda.Device("cpu"):
            assert cp.ones(2).device == "cpu"
        assert cp.ones(2).device == gpu.device
        """
    )


def test_several_gpus():
    if HAS_GPU and cp.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("there is one GPU")
    on_gpu(
        """
        assert cp.cuda.runtime.getDeviceCount() >= 2
        a = cp.arange(1000.0)
        with cp.cuda.Device(1) as second:
            b = cp.arange(1000.0) * 2
            assert b.device == second == "cuda:1" and cp.cuda.get_device_id() == 1
        assert cp.cuda.get_device_id() == 0
        moved = b.to_device("cuda:0")
        assert float((moved - 2 * a).sum()) == 0.0 and (b + 1).device == second
        here = cp.asarray(b)
        assert here.device == a.device and float((here - 2 * a).sum()) == 0.0
        with second:
            there = cp.array(a)
            assert there.device == second and cp.asarray(there) is there
            assert float((there * 2 - b).sum()) == 0.0
            try:
                cp.asarray(a, copy=False)
            except ValueError as error:
                assert "cuda:0" in str(error) and "cuda:1" in str(error)
            else:
                raise AssertionError("an array of another GPU needs no copy")
        cp.cuda.runtime.deviceEnablePeerAccess(1)
        try:
            cp.cuda.runtime.deviceEnablePeerAccess(1)
        except cp.cuda.runtime.CUDARuntimeError as error:
            assert error.status == cp.cuda.runtime.errorPeerAccessAlreadyEnabled
        else:
            raise AssertionError("access was given twice")
        cp.cuda.runtime.deviceDisablePeerAccess(1)
        try:
            a + b
        except ValueError as error:
            assert "cuda:0" in str(error) and "cuda:1" in str(error)
        else:
            raise AssertionError("arrays of two GPUs were mixed")
        """,
        CUPRUM_STANDIN_DEVICES="2",
    )


def test_gpus_wait_for_each_other():
    if HAS_GPU and cp.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("there is one GPU")
    on_gpu(
        """
        second = cp.cuda.Device(1)
        expected = np.sort(np.arange(100_000.0)[::-1] * 2) + 1
        for turn in range(3):
            with second:
                a = cp.sort(cp.arange(100_000.0)[::-1] * 2) + 1
            b = a.to_device("cuda:0") if turn else cp.asarray(a)
            # The source's memory is used again before the copy has run.
            del a
            with second:
                cp.testing.wait(cp.full(100_000, -1.0) * 1)
            np.testing.assert_array_equal(b.get(), expected)
        with second:
            a = cp.sort(cp.arange(100_000.0)[::-1] * 2) + 1
        c = cp.zeros(100_000)
        cp.cuda.runtime.memcpyPeer(c.data.ptr, 0, a.data.ptr, 1, 800_000)
        np.testing.assert_array_equal(c.get(), expected)
        """,
        CUPRUM_STANDIN_DEVICES="2",
        CUPRUM_STANDIN_LAZY="1",
    )


def test_what_is_missing_is_said():
    done = fresh_python("cp.zeros(3)", check_exit=False, CUPRUM_DEVICE="cuda:77")
    assert done.returncode != 0 and "CUPRUM_DEVICE=cuda:77 cannot be had" in done.stderr
    done = fresh_python("cp.zeros(3)", check_exit=False, CUPRUM_DEVICE="abacus")
    assert "'abacus' is no device" in done.stderr


def test_streams_and_events():
    on_gpu(
        """
        a = cp.arange(100_000.0)
        first, second = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream()
        assert first.ptr not in (0, second.ptr) and cp.cuda.get_current_stream() == cp.cuda.Stream.null
        with first:
            assert cp.cuda.get_current_stream() == first
            b = a * 2
            done = first.record()
            with second:
                second.wait_event(done)
                c = b + 1
            assert cp.cuda.get_current_stream() == first
        assert cp.cuda.get_current_stream() == cp.cuda.Stream.null
        np.testing.assert_array_equal(c.get(), np.arange(100_000.0) * 2 + 1)
        second.synchronize()
        assert second.done and done.done and not first.is_capturing()
        start, end = cp.cuda.Event(), cp.cuda.Event()
        start.record()
        total = (a * 3).sum()
        end.record()
        end.synchronize()
        assert cp.cuda.get_elapsed_time(start, end) >= 0
        seen = []
        second.add_callback(lambda stream, status, arg: seen.append((stream == second, status, arg)), 7)
        second.launch_host_func(seen.append, 8)
        second.synchronize()
        assert seen == [(True, 0, 7), 8], seen
        outside = cp.cuda.ExternalStream(second.ptr)
        assert outside == second
        outside.synchronize()
        del first, second, outside
        assert float((b + c).sum()) == float((a * 4 + 1).sum())
        """
    )


def test_streams_wait_for_each_other():
    on_gpu(
        """
        streams = [cp.cuda.Stream(non_blocking=True) for _ in range(4)]
        total = cp.zeros(1000)
        for step in range(40):
            with streams[step % 4]:
                total = total + step
                scratch = cp.full(1000, -1.0) * step
                del scratch
        np.testing.assert_array_equal(total.get(), np.full(1000, float(sum(range(40)))))
        """,
        CUPRUM_STANDIN_LAZY="1",
    )


def test_graphs_are_captured_and_launched():
    on_gpu(
        """
        x = cp.arange(1000.0)
        y = cp.zeros(1000)
        stream = cp.cuda.Stream(non_blocking=True)
        with stream:
            (x * 2 + 1).sum()
            cp.testing.wait(x * 2 + 1)
            stream.begin_capture()
            assert stream.is_capturing()
            y[...] = x * 2 + 1
            z = y.sum()
            graph = stream.end_capture()
        assert not stream.is_capturing()
        graph.upload(stream)
        for start in (0.0, 5.0, -3.0):
            x[...] = cp.arange(1000.0) + start
            noise = [cp.full(1000, 77.0) * 2 for _ in range(8)]
            graph.launch(stream)
            expected = (np.arange(1000.0) + start) * 2 + 1
            np.testing.assert_array_equal(y.get(), expected)
            assert float(z) == expected.sum()
            assert all(float(n.sum()) == 154_000.0 for n in noise)
        """
    )


def test_pools_and_pinned_memory():
    on_gpu(
        """
        pool = cp.get_default_memory_pool()
        before = pool.used_bytes()
        a = cp.zeros(1 << 20)
        assert pool.used_bytes() - before == 8 << 20 and pool.total_bytes() >= pool.used_bytes()
        pool.set_limit(size=pool.used_bytes() + (1 << 20))
        try:
            cp.testing.wait(cp.ones(1 << 20))
        except cp.cuda.memory.OutOfMemoryError as error:
            assert error.limit == pool.get_limit()
        else:
            raise AssertionError("more than the limit was given")
        pool.set_limit()
        mine = cp.cuda.MemoryPool()
        with cp.cuda.using_allocator(mine.malloc):
            b = cp.ones(1 << 20)
        assert mine.used_bytes() == 8 << 20
        host = cp.cuda.alloc_pinned_memory(80)
        view = np.frombuffer(host, np.float64, 10)
        view[:] = np.arange(10)
        device = cp.asarray(view)
        assert device.device == "cuda:0" and float(device.sum()) == 45.0
        device.data.copy_to_host_async(host.ptr, 40)
        cp.cuda.get_current_stream().synchronize()
        free, total = cp.cuda.runtime.memGetInfo()
        assert 0 < free <= total == cp.cuda.Device().mem_info[1]
        facts = cp.cuda.runtime.getDeviceProperties(0)
        assert facts["totalGlobalMem"] == total and facts["warpSize"] == 32
        assert cp.cuda.Device().compute_capability == f"{facts['major']}{facts['minor']}"
        assert cp.cuda.runtime.driverGetVersion() >= 12000 <= cp.cuda.runtime.runtimeGetVersion()
        """
    )


def test_other_libraries_share_the_memory():
    on_gpu(
        """
        a = cp.arange(12.0).reshape(3, 4)
        interface = a[:, 1:].__cuda_array_interface__
        assert interface["version"] == 3 and interface["shape"] == (3, 3) and interface["strides"] == (32, 8)
        assert interface["data"] == (a.data.ptr + 8, False) and interface["stream"] == 1
        assert a.__cuda_array_interface__["strides"] is None and a.__dlpack_device__() == (2, 0)

        class Foreign:
            __cuda_array_interface__ = interface

        shared = cp.asarray(Foreign())
        assert shared.data.ptr == a.data.ptr + 8 and shared.strides == (32, 8)
        copied = cp.array(Foreign())
        a[0, 1] = 100.0
        assert float(shared[0, 0]) == 100.0 and float(copied[0, 0]) == 1.0
        twin = cp.from_dlpack(a)
        twin[2, 3] = -1.0
        assert float(a[2, 3]) == -1.0 and twin.data.ptr == a.data.ptr
        with cp.cuda.Stream(non_blocking=True) as stream:
            b = a * 2
            assert b.__cuda_array_interface__["stream"] == stream.ptr
            b.__dlpack__(stream=1)
        if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
            np.testing.assert_array_equal(np.from_dlpack(a, device="cpu", copy=True), a.get())
        try:
            a.__dlpack__(stream=0)
        except ValueError:
            pass
        else:
            raise AssertionError("stream 0 is ambiguous")
        """
    )


def test_info_names_the_gpu():
    out = on_gpu(
        """
        from cuprum.cli import _info
        facts = _info.facts()
        assert facts["default_device"] == "cuda:0" and facts["devices"]["cuda:0"]["memory_bytes"] > 0
        assert facts["cuda"]["available"] and "path" in facts["cuda"]["libraries"]["NVRTC"]
        print(_info.text())
        """
    )
    assert "device    cuda:0: " in out and "\ncuda:0    " in out
