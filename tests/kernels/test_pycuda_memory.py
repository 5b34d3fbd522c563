"""PyCUDA's arrays for textures and their copies, handles and peers, modules of several texts, occupancy."""

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.pycuda import curandom, driver, gpuarray, tools
from cuprum.compat.pycuda.compiler import DynamicSourceModule


@pytest.fixture(autouse=True)
def context():
    made = tools.make_default_context()
    yield made
    made.pop()


DTYPES = ["uint8", "uint16", "uint32", "int8", "int16", "int32", "float16", "float32"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_hold_what_they_are_made_of(dtype, order):
    host = np.arange(12).astype(dtype).reshape(3, 4)
    array = driver.matrix_to_array(host, order)
    described = array.get_descriptor()
    rows = host if order == "C" else host.T
    assert (described.height, described.width, described.num_channels) == (*rows.shape, 1)
    assert described.format == driver.dtype_to_array_format(dtype)
    back = np.zeros(rows.shape, dtype)
    driver.memcpy_atoh(back, array, 0)
    np.testing.assert_array_equal(back, rows)
    device = gpuarray.to_gpu(np.asarray(host, order=order))
    other = driver.gpuarray_to_array(device, order)
    driver.memcpy_atoh(back, other, 0)
    np.testing.assert_array_equal(back, rows)


def test_channels_and_axes():
    host = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    many = driver.make_multichannel_2d_array(host, "C")
    described = many.get_descriptor()
    assert (described.width, described.height, described.num_channels) == (3, 2, 4)
    deep = driver.np_to_array(host, "C").get_descriptor()
    assert (deep.width, deep.height, deep.depth) == (4, 3, 2)
    line = driver.np_to_array(host[0, 0], "C").get_descriptor()
    assert (line.width, line.height, line.depth) == (4, 0, 0)
    double = driver.matrix_to_array(np.ones((2, 2)), "C", allow_double_hack=True).get_descriptor()
    assert double.num_channels == 2 and double.format == driver.array_format.SIGNED_INT32
    with pytest.raises(TypeError, match="float64"):
        driver.matrix_to_array(np.ones((2, 2)), "C")
    for bad in (lambda: driver.matrix_to_array(host, "C"), lambda: driver.np_to_array(host, "K")):
        with pytest.raises(driver.LogicError):
            bad()


def test_copies_between_arrays_and_memory():
    first = driver.np_to_array(np.arange(8, dtype=np.float32), "C")
    second = driver.np_to_array(np.zeros(8, np.float32), "C")
    driver.memcpy_atoa(second, 4, first, 8, 12)
    driver.memcpy_htoa(second, 20, np.array([9, 9], np.float32))
    device = driver.mem_alloc(32)
    driver.memcpy_atod(device, second, 0, 32)
    out = np.zeros(8, np.float32)
    driver.memcpy_dtoh(out, device)
    assert out.tolist() == [0, 2, 3, 4, 0, 9, 9, 0]
    driver.memcpy_dtoa(first, 16, device, 16)
    driver.memcpy_atoh(out, first, 0)
    assert out.tolist() == [0, 1, 2, 3, 0, 2, 3, 4]
    for wrong in (
        lambda: driver.memcpy_atoh(out, first, 4),
        lambda: driver.memcpy_htoa(first, -4, out),
        lambda: driver.memcpy_atoa(first, 0, second, 0, 33),
    ):
        with pytest.raises(driver.LogicError, match="32 bytes"):
            wrong()
    first.free()
    with pytest.raises(driver.LogicError, match="freed"):
        driver.memcpy_atoh(out, first, 0)


def test_rectangles_of_arrays():
    host = np.arange(12, dtype=np.float32).reshape(3, 4)
    array = driver.np_to_array(host, "C")
    copy = driver.Memcpy2D()
    copy.set_src_array(array)
    copy.src_x_in_bytes, copy.src_y = 4, 1
    out = np.zeros((2, 2), np.float32)
    copy.set_dst_host(out)
    copy.width_in_bytes, copy.height, copy.dst_pitch = 8, 2, 8
    copy(aligned=True)
    np.testing.assert_array_equal(out, host[1:, 1:3])
    into = driver.Memcpy2D()
    into.set_src_host(np.full((2, 2), -1, np.float32))
    into.set_dst_array(array)
    into.width_in_bytes, into.height, into.src_pitch = 8, 2, 8
    into()
    back = np.zeros_like(host)
    driver.memcpy_atoh(back, array, 0)
    host[:2, :2] = -1
    np.testing.assert_array_equal(back, host)


@pytest.mark.parametrize(("width", "channels"), [(0, 1), (4, 3), (-1, 1)])
def test_arrays_of_no_size(width, channels):
    described = driver.ArrayDescriptor()
    described.width, described.num_channels = width, channels
    with pytest.raises(driver.LogicError, match="cuArrayCreate"):
        driver.Array(described)


def test_copies_between_peers():
    a, b = driver.to_device(np.arange(4.0)), driver.mem_alloc(32)
    driver.memcpy_peer(b, a, 32)
    np.testing.assert_array_equal(driver.from_device(b, 4, np.float64), np.arange(4.0))
    stream = driver.Stream()
    driver.memcpy_peer_async(a, b, 16, stream=stream)
    stream.synchronize()


def test_handles_for_other_processes(on_gpu):
    memory = driver.mem_alloc(64)
    if on_gpu:
        assert len(driver.mem_get_ipc_handle(memory)) == 64
    else:
        with pytest.raises(driver.Error, match="(?i)not.?supported"):
            driver.mem_get_ipc_handle(memory)
    with pytest.raises(driver.Error):
        driver.IPCMemoryHandle(bytes(64))
    with pytest.raises(driver.LogicError, match="nsys"):
        driver.initialize_profiler("a", "b", driver.profiler_output_mode.CSV)


def test_modules_of_one_text():
    module = DynamicSourceModule(
        "__device__ int twice(int x) { return 2 * x; }\n"
        "__global__ void f(int* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }"
    )
    x = gpuarray.to_gpu(np.arange(3, dtype=np.int32))
    module.get_function("f")(x, block=(3, 1, 1))
    assert x.get().tolist() == [0, 2, 4]


def test_occupancy():
    data = tools.DeviceData()
    assert data.align(65) == 128 and data.align_dtype(3, 8) == 16 and data.coalesce(17) == 32
    assert [data.make_valid_tex_channel_count(n) for n in (1, 2, 3, 4)] == [1, 2, 4, 4]
    with pytest.raises(ValueError, match="channel count"):
        data.make_valid_tex_channel_count(5)
    with pytest.raises(ValueError, match="fetches of size 3"):
        data.align_bytes(3)
    record = tools.OccupancyRecord(data, 256)
    assert (record.tb_per_mp, record.limited_by, record.occupancy) == (8, "warps", 1)
    assert tools.OccupancyRecord(data, 32).limited_by == "device"
    assert tools.OccupancyRecord(data, 256, shared_mem=data.shared_memory).limited_by == "smem"
    with pytest.raises(ValueError, match="threads"):
        tools.OccupancyRecord(data, data.max_threads + 1)
    with pytest.raises(ValueError, match="smem"):
        tools.OccupancyRecord(data, 32, shared_mem=data.shared_memory + 1)
    with pytest.raises(ValueError, match="registers"):
        tools.OccupancyRecord(data, 1024, registers=data.registers)


def test_tests_in_contexts(context):
    before = driver.Context.get_current()
    seen = tools.mark_cuda_test(lambda value: (value, driver.Context.get_current() is not None))(5)
    assert seen == (5, True) and driver.Context.get_current() == before
    fixture = tools.init_cuda_context_fixture()
    next(fixture)
    with pytest.raises(StopIteration):
        next(fixture)
    assert curandom.get_curand_version() is None and cp.cuda.runtime.getDeviceCount() >= 1
