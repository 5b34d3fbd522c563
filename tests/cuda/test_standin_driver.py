"""The stand-in for the driver: memory, streams, events, graphs, and its settings."""

import ctypes
import shutil
from ctypes import byref, c_float, c_int, c_size_t, c_uint, c_void_p

import driver_api
import numpy as np
import pytest
from driver_api import (
    ASSERT,
    INVALID_CONTEXT,
    INVALID_HANDLE,
    INVALID_VALUE,
    LAUNCH_FAILED,
    NOT_FOUND,
    OUT_OF_MEMORY,
    fails,
)

# Memory


def test_memory_runs_out(machine):
    free, total = c_size_t(), c_size_t()
    machine.cu("cuMemGetInfo_v2", byref(free), byref(total))
    with fails(OUT_OF_MEMORY):
        machine.empty(free.value + 1)
    block = machine.empty(1 << 20)
    left = c_size_t()
    machine.cu("cuMemGetInfo_v2", byref(left), byref(total))
    assert left.value == free.value - (1 << 20)
    machine.free(block)
    with fails(INVALID_VALUE):
        machine.free(block)
    with fails(INVALID_VALUE):
        machine.empty(0)


def test_copies_are_checked(machine):
    host = np.arange(16, dtype="u1")
    block = machine.to_device(host)
    assert block.value % 512 == 0
    with fails(INVALID_VALUE):
        machine.cu("cuMemcpyHtoD_v2", block, host.ctypes.data_as(c_void_p), c_size_t(17))
    with fails(INVALID_VALUE):
        machine.cu("cuMemcpyDtoH_v2", host.ctypes.data_as(c_void_p), c_void_p(block.value + 1), c_size_t(16))
    with fails(INVALID_VALUE):
        machine.cu("cuMemsetD8_v2", c_void_p(block.value - 1), 0, c_size_t(1))
    machine.cu("cuMemsetD16Async", c_void_p(block.value + 4), 0x0102, c_size_t(2), None)
    machine.cu("cuMemsetD32Async", c_void_p(block.value + 8), 0x03040506, c_size_t(1), None)
    expected = np.array([0, 1, 2, 3, 2, 1, 2, 1, 6, 5, 4, 3, 12, 13, 14, 15], "u1")
    np.testing.assert_array_equal(machine.to_host(block, host), expected)
    machine.free(block)


def test_pinned_and_registered_memory(machine):
    host, device, kind = c_void_p(), c_void_p(), c_uint()
    machine.cu("cuMemHostAlloc", byref(host), c_size_t(64), 0)
    machine.cu("cuMemHostGetDevicePointer_v2", byref(device), host, 0)
    machine.cu("cuPointerGetAttribute", byref(kind), 2, device)
    assert kind.value == 1
    machine.cu("cuMemFreeHost", host)
    with fails(INVALID_VALUE):
        machine.cu("cuPointerGetAttribute", byref(kind), 2, device)
    array = np.zeros(64)
    pointer = array.ctypes.data_as(c_void_p)
    machine.cu("cuMemHostRegister_v2", pointer, c_size_t(array.nbytes), 0)
    with fails(712):
        machine.cu("cuMemHostRegister_v2", pointer, c_size_t(array.nbytes), 0)
    machine.cu("cuMemHostUnregister", pointer)
    with fails(713):
        machine.cu("cuMemHostUnregister", pointer)


# Streams, events, graphs


def test_streams_and_events(machine):
    stream, begin, end = machine.stream(), machine.event(), machine.event()
    machine.cu("cuEventRecord", begin, stream)
    machine.cu("cuEventRecord", end, stream)
    machine.cu("cuStreamWaitEvent", None, end, 0)
    machine.cu("cuStreamSynchronize", stream)
    assert machine.elapsed(begin, end) >= 0
    machine.cu("cuStreamDestroy_v2", stream)
    machine.cu("cuEventDestroy_v2", begin)
    for function, arguments in {
        "cuStreamSynchronize": (stream,),
        "cuStreamDestroy_v2": (stream,),
        "cuEventRecord": (end, stream),
        "cuEventQuery": (begin,),
        "cuEventSynchronize": (begin,),
    }.items():
        assert machine.code(function, *arguments) == INVALID_HANDLE, function


def test_no_context_is_current(machine):
    machine.cu("cuCtxSetCurrent", None)
    try:
        with fails(INVALID_CONTEXT):
            machine.empty(8)
    finally:
        machine.cu("cuCtxSetCurrent", machine.contexts[0])


def test_graphs_run_again(machine):
    kernel = machine.kernel('extern "C" __global__ void kernel(float* x, float by) { x[threadIdx.x] *= by; }')
    x = machine.to_device(np.arange(1, 5, dtype="f4"))
    y = machine.to_device(np.zeros(4, "f4"))
    stream, other, fork, join = machine.stream(), machine.stream(), machine.event(2), machine.event(2)
    graph, exec_, count = c_void_p(), c_void_p(), c_size_t()
    machine.cu("cuStreamBeginCapture_v2", stream, 1)
    kernel.launch(1, 4, x, c_float(2), stream=stream)
    machine.cu("cuEventRecord", fork, stream)
    machine.cu("cuStreamWaitEvent", other, fork, 0)
    machine.cu("cuMemcpyDtoDAsync_v2", y, x, c_size_t(16), other)
    machine.cu("cuEventRecord", join, other)
    machine.cu("cuStreamWaitEvent", stream, join, 0)
    machine.cu("cuStreamEndCapture", stream, byref(graph))
    np.testing.assert_array_equal(machine.to_host(x, np.empty(4, "f4")), [1, 2, 3, 4])  # nothing has run
    machine.cu("cuGraphGetNodes", graph, None, byref(count))
    assert count.value == 2
    machine.cu("cuGraphInstantiateWithFlags", byref(exec_), graph, ctypes.c_ulonglong(0))
    machine.cu("cuGraphDestroy", graph)
    machine.cu("cuGraphUpload", exec_, stream)
    for _ in range(3):
        machine.cu("cuGraphLaunch", exec_, stream)
    machine.cu("cuStreamSynchronize", stream)
    np.testing.assert_array_equal(machine.to_host(y, np.empty(4, "f4")), [8, 16, 24, 32])
    machine.cu("cuGraphExecDestroy", exec_)
    with fails(INVALID_HANDLE):
        machine.cu("cuGraphLaunch", exec_, stream)
    machine.free(x, y)


def test_what_a_capture_forbids(machine):
    stream, other, event, graph, status = (
        machine.stream(),
        machine.stream(),
        machine.event(),
        c_void_p(),
        c_int(),
    )
    machine.cu("cuStreamBeginCapture_v2", stream, 0)
    machine.cu("cuStreamIsCapturing", stream, byref(status))
    assert status.value == 1
    with fails(900):
        machine.empty(8)
    machine.cu("cuStreamIsCapturing", stream, byref(status))
    assert status.value == 2
    with fails(901):
        machine.cu("cuStreamEndCapture", stream, byref(graph))
    machine.cu("cuStreamBeginCapture_v2", stream, 2)
    machine.cu("cuEventRecord", event, stream)
    machine.cu("cuStreamWaitEvent", other, event, 0)
    with fails(904):
        machine.cu("cuStreamEndCapture", stream, byref(graph))
    machine.free(machine.empty(8))


# Settings


@pytest.fixture
def machine_with(machine, monkeypatch, tmp_path):
    """A driver of its own with other settings: a copy of the library is another library to the loader."""

    def make(**settings):
        for name, value in settings.items():
            monkeypatch.setenv(f"CUPRUM_STANDIN_{name}", value)
        folder = driver_api.standin()
        copy = tmp_path / driver_api.standin_build.DRIVER
        shutil.copy(folder / driver_api.standin_build.DRIVER, copy)
        return driver_api.Machine(folder, copy)

    return make


def pinned(machine, count):
    address = c_void_p()
    machine.cu("cuMemHostAlloc", byref(address), c_size_t(4 * count), 0)
    return address, np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(c_int)), (count,))


FILL = 'extern "C" __global__ void kernel(int* x, int value) { x[threadIdx.x] = value; }'


def test_lazy_streams_show_what_was_not_waited_for(machine_with):
    machine = machine_with(LAZY="1")
    kernel, first, second = machine.kernel(FILL), machine.stream(), machine.stream()
    event = machine.event(2)
    x, (page, host) = machine.to_device(np.zeros(4, "i4")), pinned(machine, 4)
    host[:] = 0
    kernel.launch(1, 4, x, c_int(1), stream=first)
    machine.cu("cuMemcpyDtoHAsync_v2", page, x, c_size_t(16), first)
    assert host.tolist() == [0] * 4
    machine.cu("cuStreamSynchronize", first)
    assert host.tolist() == [1] * 4

    kernel.launch(1, 4, x, c_int(2), stream=first)
    machine.cu("cuMemcpyDtoHAsync_v2", page, x, c_size_t(16), second)
    machine.cu("cuStreamSynchronize", second)
    assert host.tolist() == [1] * 4  # nobody made the second stream wait

    machine.cu("cuEventRecord", event, first)
    kernel.launch(1, 4, x, c_int(3), stream=first)
    assert machine.code("cuEventQuery", event) == 600
    kernel.launch(1, 4, x, c_int(4), stream=first)
    machine.cu("cuEventRecord", event, first)
    kernel.launch(1, 4, x, c_int(5), stream=first)
    machine.cu("cuStreamWaitEvent", second, event, 0)
    machine.cu("cuMemcpyDtoHAsync_v2", page, x, c_size_t(16), second)
    machine.cu("cuStreamSynchronize", second)
    assert host.tolist() == [4] * 4  # the event, and nothing behind it
    machine.cu("cuCtxSynchronize")
    assert machine.to_host(x, host).tolist() == [5] * 4


def test_lazy_copies_of_ordinary_memory_happen_at_the_call(machine_with):
    machine = machine_with(LAZY="1")
    x, stream = machine.to_device(np.zeros(4, "i4")), machine.stream()
    host = np.arange(4, dtype="i4")
    machine.cu("cuMemcpyHtoDAsync_v2", x, host.ctypes.data_as(c_void_p), c_size_t(16), stream)
    host[:] = 9
    machine.cu("cuMemcpyDtoHAsync_v2", host.ctypes.data_as(c_void_p), x, c_size_t(16), stream)
    assert host.tolist() == [0, 1, 2, 3]


def test_the_legacy_stream_waits_for_blocking_streams(machine_with):
    machine = machine_with(LAZY="1")
    kernel, blocking, free = machine.kernel(FILL), machine.stream(0), machine.stream(1)
    x, (page, host) = machine.to_device(np.zeros(4, "i4")), pinned(machine, 4)
    for stream, expected in ((blocking, 7), (free, 0)):
        machine.cu("cuMemsetD8_v2", x, 0, c_size_t(16))
        kernel.launch(1, 4, x, c_int(7), stream=stream)
        machine.cu("cuMemcpyDtoHAsync_v2", page, x, c_size_t(16), None)
        machine.cu("cuStreamSynchronize", None)
        assert host.tolist() == [expected] * 4
        machine.cu("cuCtxSynchronize")


def test_two_devices(machine_with):
    machine = machine_with(DEVICES="2", MEMORY="4096")
    here, there = machine.contexts
    kernel = machine.kernel(FILL)
    x = machine.to_device(np.arange(4, dtype="i4"))
    can, device = c_int(), c_int()
    machine.cu("cuDeviceCanAccessPeer", byref(can), 0, 1)
    assert can.value == 1
    machine.cu("cuCtxEnablePeerAccess", there, 0)
    with fails(704):
        machine.cu("cuCtxEnablePeerAccess", there, 0)
    machine.cu("cuCtxSetCurrent", there)
    machine.cu("cuCtxGetDevice", byref(device))
    assert device.value == 1
    y, stream = machine.empty(4096), machine.stream()
    with fails(OUT_OF_MEMORY):
        machine.empty(1)
    with fails(INVALID_HANDLE):
        kernel.launch(1, 4, y, c_int(1), stream=stream)
    machine.cu("cuMemcpyPeerAsync", y, there, x, here, c_size_t(16), stream)
    machine.cu("cuStreamSynchronize", stream)
    assert machine.to_host(y, np.empty(4, "i4")).tolist() == [0, 1, 2, 3]
    with fails(INVALID_VALUE):
        machine.cu("cuMemcpyPeerAsync", y, here, x, there, c_size_t(16), stream)
    machine.cu("cuPointerGetAttribute", byref(device), 9, y)
    assert device.value == 1


def test_a_lost_context_stays_lost(machine_with):
    machine = machine_with(STICKY="1")
    kernel = machine.kernel('extern "C" __global__ void kernel(int n) { assert(n == 1); }')
    kernel(1, 1, c_int(1))
    with fails(ASSERT):
        kernel(1, 1, c_int(2))
    with fails(ASSERT):
        kernel(1, 1, c_int(1))
    with fails(ASSERT):
        machine.empty(8)


def test_missing_barriers_show_in_another_order(machine, monkeypatch):
    kernel = machine.kernel("""
        extern "C" __global__ void kernel(int* out) {
            __shared__ int s[64];
            s[threadIdx.x] = threadIdx.x;
            out[threadIdx.x] = s[threadIdx.x ? threadIdx.x - 1 : 0];
        }
    """)
    out, expected = machine.empty(256), [0, *range(63)]
    kernel(1, 64, out)
    assert machine.to_host(out, np.empty(64, "i4")).tolist() == expected
    monkeypatch.setenv("CUPRUM_STANDIN_THREADS", "descending")
    kernel(1, 64, out)
    assert machine.to_host(out, np.empty(64, "i4")).tolist() != expected
    machine.free(out)


def test_writing_after_free(machine, capfd):
    kernel, x = machine.kernel(FILL), machine.to_device(np.zeros(4, "i4"))
    machine.free(x)
    kernel(1, 4, x, c_int(1))
    codes = [machine.code("cuMemFree_v2", machine.empty(1 << 16)) for _ in range(1100)]
    assert set(codes) == {0, LAUNCH_FAILED}
    assert "written after it was freed: byte 0 of a block of 16" in capfd.readouterr().err


def test_functions_by_name(machine):
    address, status = c_void_p(), c_int()
    for name, found in (("cuMemAlloc", "cuMemAlloc_v2"), ("cuInit", "cuInit")):
        machine.cu(
            "cuGetProcAddress_v2", name.encode(), byref(address), 13000, ctypes.c_uint64(0), byref(status)
        )
        assert address.value == ctypes.cast(getattr(machine.driver, found), c_void_p).value
    assert (
        machine.code("cuGetProcAddress_v2", b"cuNothing", byref(address), 13000, ctypes.c_uint64(0), None)
        == NOT_FOUND
    )
    name = ctypes.c_char_p()
    machine.cu("cuGetErrorName", 719, byref(name))
    assert name.value == b"CUDA_ERROR_LAUNCH_FAILED"
