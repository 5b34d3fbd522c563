"""PyCUDA's driver and compiler: memory, launches and their rules for arguments, streams, events, errors."""

from __future__ import annotations

import numpy as np
import pytest

from cuprum.compat.pycuda import autoinit, compiler, driver, gpuarray, tools
from cuprum.compat.pycuda.characterize import sizeof
from cuprum.compat.pycuda.compiler import SourceModule
from cuprum.compat.pycuda.compiler import compile as compile_source

VECTOR_ADD = """
__global__ void vector_add(float *a, float *b, float *c, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        c[idx] = a[idx] + b[idx];
    }
}
"""

DOUBLIFY = """
__global__ void doublify(float *a)
{
    int idx = threadIdx.x + threadIdx.y * 4;
    a[idx] *= 2;
}
"""


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_vector_add_of_arrays(rng):
    n = 1000
    a, b = (rng.random(n).astype(np.float32) for _ in range(2))
    c = np.zeros_like(a)
    on_device = [gpuarray.to_gpu(x) for x in (a, b, c)]
    add = SourceModule(VECTOR_ADD).get_function("vector_add")
    add(*on_device, np.int32(n), block=(256, 1, 1), grid=((n + 255) // 256, 1))
    np.testing.assert_array_equal(on_device[2].get(), a + b)


def test_memory_is_allocated_copied_and_given_to_a_kernel(rng):
    a = rng.standard_normal((4, 4)).astype(np.float32)
    memory = driver.mem_alloc(a.nbytes)
    driver.memcpy_htod(memory, a)
    SourceModule(DOUBLIFY).get_function("doublify")(memory, block=(4, 4, 1))
    result = np.empty_like(a)
    driver.memcpy_dtoh(result, memory)
    np.testing.assert_array_equal(result, 2 * a)
    memory.free()
    with pytest.raises(driver.LogicError, match="freed"):
        int(memory)


def test_handlers_copy_around_the_launch(rng):
    a, b = rng.random((2, 400)).astype(np.float32)
    into = np.zeros_like(a)
    add = SourceModule(VECTOR_ADD).get_function("vector_add")
    add(driver.In(a), driver.In(b), driver.Out(into), np.int32(400), block=(400, 1, 1), grid=(1, 1))
    np.testing.assert_array_equal(into, a + b)
    both = rng.random(16).astype(np.float32)
    before = both.copy()
    SourceModule(DOUBLIFY).get_function("doublify")(driver.InOut(both), block=(4, 4, 1))
    np.testing.assert_array_equal(both, 2 * before)


@pytest.mark.parametrize("argument", [3, 2.5, "x", [1]])
def test_plain_python_values_are_refused(argument):
    add = SourceModule(VECTOR_ADD).get_function("vector_add")
    memory = driver.mem_alloc(16)
    with pytest.raises(TypeError, match=r"invalid type on parameter #3 \(0-based\)"):
        add(memory, memory, memory, argument, block=(1, 1, 1))


def test_a_block_must_be_given():
    add = SourceModule(VECTOR_ADD).get_function("vector_add")
    with pytest.raises(ValueError, match="must specify block size"):
        add(driver.mem_alloc(4))
    with pytest.raises(ValueError, match="extra keyword arguments: blok"):
        add(driver.mem_alloc(4), block=(1, 1, 1), blok=3)


def test_prepared_calls(rng):
    a, b = rng.random((2, 100)).astype(np.float32)
    on_device = [driver.to_device(x) for x in (a, b)] + [driver.mem_alloc(400)]
    add = SourceModule(VECTOR_ADD).get_function("vector_add")
    add.prepare("PPPi")
    add.prepared_call((1, 1), (128, 1, 1), *on_device, 100)
    np.testing.assert_array_equal(driver.from_device(on_device[2], 100, np.float32), a + b)
    driver.memset_d32(on_device[2], 0, 100)
    seconds = add.prepared_timed_call((1, 1), (128, 1, 1), *(int(x) for x in on_device), 100)()
    assert seconds >= 0
    np.testing.assert_array_equal(driver.from_device(on_device[2], 100, np.float32), a + b)
    stream = driver.Stream()
    add.prepare([np.intp, "P", "P", np.int32])
    add.prepared_async_call((1, 1), (128, 1, 1), stream, *(np.intp(int(on_device[0])), *on_device[1:]), 50)
    stream.synchronize()
    with pytest.raises(TypeError, match="prepared for 4 arguments, got 3"):
        add.prepared_call((1, 1), (128, 1, 1), *on_device)
    with pytest.raises(OverflowError):
        add.prepared_call((1, 1), (128, 1, 1), np.intp(int(on_device[0])), *on_device[1:], 2**40)


def test_structs_by_value_and_of_pointers(rng):
    text = """
    struct Piece { int length; float factor; float *values; };
    __global__ void scale(Piece *pieces, Piece by_value)
    {
        Piece p = pieces[blockIdx.x];
        for (int i = threadIdx.x; i < p.length; i += blockDim.x)
            p.values[i] = p.values[i] * p.factor + by_value.factor;
    }
    """
    kind = np.dtype([("length", np.int32), ("factor", np.float32), ("values", np.uint64)])
    host = [rng.random(n).astype(np.float32) for n in (8, 5)]
    arrays = [driver.to_device(x) for x in host]
    pieces = np.array([(8, 2.0, int(arrays[0])), (5, 3.0, int(arrays[1]))], kind)
    function = SourceModule(text, no_extern_c=False).get_function("scale")
    function(driver.In(pieces), np.array((0, 1.0, 0), kind), block=(32, 1, 1), grid=(2, 1))
    for array, before, factor in zip(arrays, host, (2, 3), strict=True):
        result = driver.from_device_like(array, before)
        np.testing.assert_array_equal(result, before * np.float32(factor) + np.float32(1))


def test_globals_are_reached_by_their_names(rng):
    text = """
    __constant__ float weights[4];
    __device__ int count = 5;
    __global__ void apply(float *out) { out[threadIdx.x] = weights[threadIdx.x] * count; }
    """
    module = SourceModule(text)
    address, nbytes = module.get_global("weights")
    assert nbytes == 16
    weights = rng.random(4).astype(np.float32)
    driver.memcpy_htod(address, weights)
    out = np.empty(4, np.float32)
    module.get_function("apply")(driver.Out(out), block=(4, 1, 1))
    np.testing.assert_array_equal(out, weights * 5)
    with pytest.raises(driver.LogicError, match="nothing"):
        module.get_global("nothing")
    with pytest.raises(driver.LogicError, match="nothing"):
        module.get_function("nothing")


def test_templates_need_no_extern_c():
    text = """
    #include <stdint.h>
    template <class T> __device__ T twice(T x) { return x + x; }
    extern "C" __global__ void run(float *x) { x[threadIdx.x] = twice(x[threadIdx.x]); }
    """
    x = np.arange(4, dtype=np.float32)
    SourceModule(text, no_extern_c=True).get_function("run")(driver.InOut(x), block=(4, 1, 1))
    np.testing.assert_array_equal(x, [0, 2, 4, 6])


def test_options_define_macros_and_compiled_modules_load():
    text = "__global__ void fill(int *x) { x[threadIdx.x] = VALUE; }"
    x = np.zeros(3, np.int32)
    flags = ["-DVALUE=7", "-O3", "-Xptxas", "-v", "--use_fast_math"]
    SourceModule(text, options=flags).get_function("fill")(driver.Out(x), block=(3, 1, 1))
    np.testing.assert_array_equal(x, 7)
    compiled = compile_source(text, options=["-DVALUE=9"])
    driver.module_from_buffer(compiled).get_function("fill")(driver.Out(x), block=(3, 1, 1))
    np.testing.assert_array_equal(x, 9)


def test_a_wrong_text_is_a_compile_error():
    with pytest.raises(driver.CompileError) as caught:
        SourceModule("__global__ void f(float *x) { x[0] = missing; }")
    assert "missing" in caught.value.stderr
    with pytest.raises(driver.Error):
        compile_source("__global__ void f(float *x) {")


def test_launch_shapes_are_checked():
    add = SourceModule(VECTOR_ADD).get_function("vector_add")
    memory = driver.mem_alloc(16)
    args = (memory, memory, memory, np.int32(0))
    with pytest.raises(driver.LogicError):
        add(*args, block=(2048, 1, 1))
    with pytest.raises(TypeError, match="integers"):
        add(*args, block=(16, 1, 1), grid=(1.5, 1))


def test_dynamic_shared_memory():
    text = """
    extern __shared__ int cells[];
    __global__ void reverse(int *x, int n)
    {
        cells[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = cells[n - 1 - threadIdx.x];
    }
    """
    x = np.arange(64, dtype=np.int32)
    SourceModule(text).get_function("reverse")(driver.InOut(x), np.int32(64), block=(64, 1, 1), shared=256)
    np.testing.assert_array_equal(x, np.arange(64)[::-1])


def test_events_streams_and_page_locked_memory(rng):
    start, end, stream = driver.Event(), driver.Event(), driver.Stream()
    host = driver.pagelocked_empty((100, 7), np.float32)
    host[...] = rng.random((100, 7))
    memory = driver.mem_alloc(host.nbytes)
    start.record(stream)
    driver.memcpy_htod_async(memory, host, stream)
    back = driver.pagelocked_zeros_like(host)
    driver.memcpy_dtoh_async(back, memory, stream)
    end.record(stream)
    end.synchronize()
    np.testing.assert_array_equal(back, host)
    assert start.time_till(end) >= 0 and end.time_since(start) >= 0 and end.query() and stream.is_done()


def test_kernels_work_in_page_locked_memory_of_the_host(rng):
    """PyCUDA's way without copies: the array's base has the address for kernels."""
    double = SourceModule(DOUBLIFY).get_function("doublify")
    flags = driver.host_alloc_flags.DEVICEMAP
    for x in (
        driver.pagelocked_empty((4, 4), np.float32, mem_flags=flags),
        driver.pagelocked_zeros((4, 4), np.float32, order="F", mem_flags=flags),
        driver.managed_empty((4, 4), np.float32),
    ):
        x[...] = rng.random((4, 4))
        before = x.copy()
        double(np.uintp(x.base.get_device_pointer()), block=(4, 4, 1))
        driver.Context.synchronize()
        np.testing.assert_array_equal(x, 2 * before)
    assert isinstance(x.base, driver.ManagedAllocation)
    x.base.attach(driver.mem_attach_flags.GLOBAL)
    assert driver.pagelocked_empty(3, "i4", mem_flags=flags).base.get_flags() == int(flags)
    assert driver.pagelocked_empty((0, 3), "i4").shape == (0, 3)
    kept = driver.pagelocked_zeros(1000, "u1")
    kept.base.free()
    assert not kept.any()


def test_registered_memory_is_the_same(rng):
    for host in (rng.random((3, 5)), np.asfortranarray(rng.random((3, 5)))):
        x = driver.register_host_memory(host, flags=driver.mem_host_register_flags.DEVICEMAP)
        assert type(x) is np.ndarray and x.flags.f_contiguous == host.flags.f_contiguous
        x[1, 2] = 7
        assert host[1, 2] == 7
        with pytest.raises(driver.LogicError, match="pagelocked_empty"):
            x.base.get_device_pointer()
        x.base.unregister()
    with pytest.raises(ValueError, match="contiguous"):
        driver.register_host_memory(rng.random((4, 6))[::2, ::2])


def test_managed_memory_is_read_and_written_by_kernels(rng):
    x = driver.managed_zeros((4, 4), np.float32)
    x[...] = rng.random((4, 4))
    before = x.copy()
    SourceModule(DOUBLIFY).get_function("doublify")(x, block=(4, 4, 1))
    driver.Context.synchronize()
    np.testing.assert_array_equal(x, 2 * before)


def test_memset_and_copies_on_the_device(rng):
    memory, other = driver.mem_alloc(64), driver.mem_alloc(64)
    driver.memset_d8(memory, 0x12, 64)
    np.testing.assert_array_equal(driver.from_device(memory, 64, np.uint8), 0x12)
    driver.memset_d16(memory, 0x1234, 32)
    np.testing.assert_array_equal(driver.from_device(memory, 32, np.uint16), 0x1234)
    driver.memset_d32(memory, 0xDEADBEEF, 16)
    driver.memcpy_dtod(other, memory, 64)
    np.testing.assert_array_equal(driver.from_device(other, 16, np.uint32), 0xDEADBEEF)
    driver.memset_d2d8(memory, 16, 7, 4, 4)
    rows = driver.from_device(memory, (4, 16), np.uint8)
    assert (rows[:, :4] == 7).all() and (rows[:, 4] == 0xEF).all()
    with pytest.raises(driver.LogicError):
        driver.memset_d8(memory, 300, 4)
    with pytest.raises(driver.LogicError):
        driver.memset_d32(memory, 1, 17)


def test_rectangles_are_copied(rng):
    host = rng.integers(0, 255, (10, 12)).astype(np.uint8)
    memory, pitch = driver.mem_alloc_pitch(12, 10, 4)
    copy = driver.Memcpy2D()
    copy.set_src_host(host)
    copy.set_dst_device(memory)
    copy.width_in_bytes = copy.src_pitch = 12
    copy.dst_pitch = pitch
    copy.height = 10
    copy(aligned=True)
    back = np.zeros((4, 5), np.uint8)
    copy = driver.Memcpy2D()
    copy.set_src_device(memory)
    copy.set_dst_host(back)
    copy.src_pitch, copy.dst_pitch = pitch, 5
    copy.src_x_in_bytes, copy.src_y = 3, 2
    copy.width_in_bytes, copy.height = 5, 4
    copy()
    np.testing.assert_array_equal(back, host[2:6, 3:8])


def test_devices_and_contexts():
    assert driver.Device.count() >= 1
    device = driver.Device(0)
    assert device.name() and device.total_memory() > 0 and len(device.compute_capability()) == 2
    assert device.max_threads_per_block == 1024
    assert device.get_attributes()[driver.device_attribute.WARP_SIZE] == 32
    by_name = {str(key): value for key, value in device.get_attributes().items()}
    assert by_name["WARP_SIZE"] == 32
    size = driver.device_attribute.WARP_SIZE
    assert f"{size} {size:d}" == "WARP_SIZE 10" and size == 10
    context = device.make_context()
    assert driver.Context.get_current() == context and driver.Context.get_device() == device
    context.pop()
    driver.Context.synchronize()
    assert autoinit.device == device and autoinit.context is not None
    assert driver.mem_get_info()[1] > 0 and driver.get_version() >= (12, 0, 0)


def test_attributes_of_a_function():
    function = SourceModule(VECTOR_ADD).get_function("vector_add")
    assert function.max_threads_per_block >= 32 and function.shared_size_bytes == 0
    assert function.get_attribute(driver.function_attribute.LOCAL_SIZE_BYTES) >= 0


def test_size_of_a_type():
    assert sizeof("float4") == 16
    assert sizeof("thing", "struct thing { char a; double b; };") == 16


def test_out_of_memory_is_pycudas_error():
    with pytest.raises(driver.MemoryError):
        driver.mem_alloc(1 << 60)


def test_a_module_of_several_texts():
    module = compiler.DynamicModule()
    module.add_source(
        "#define SHIFT 3\n__device__ int moved(int x) { return x + SHIFT; }", nvcc_options=["-rdc=true"]
    )
    module.add_source("__global__ void shift(int* x) { x[threadIdx.x] = moved(x[threadIdx.x]); }")
    with pytest.raises(ValueError, match="call link"):
        module.get_function("shift")
    module.add_stdlib("cudadevrt")
    module.link()
    x = np.arange(4, dtype=np.int32)
    module.get_function("shift")(driver.InOut(x), block=(4, 1, 1))
    assert x.tolist() == [3, 4, 5, 6]


def test_logarithms_of_bits():
    assert [tools.bitlog2(n) for n in (1, 17, 0xAFFE, 0x3AFFE)] == [0, 4, 15, 17]
    with pytest.raises(ValueError, match="positive"):
        tools.bitlog2(0)
