"""Textures and surfaces in kernels of the user's, against NumPy and SciPy."""

import textwrap

from test_host import on_gpu

KERNELS = """
from scipy import ndimage
runtime, texture = cp.cuda.runtime, cp.cuda.texture
FLOAT = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.channelFormatKindFloat)
code = r'''
extern "C" __global__ void look1(cudaTextureObject_t t, const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1D<float>(t, x[i]);
}
extern "C" __global__ void look2(cudaTextureObject_t t, const float* x, const float* y, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex2D<float>(t, x[i], y[i]);
}
extern "C" __global__ void look3(
    cudaTextureObject_t t, const float* x, const float* y, const float* z, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex3D<float>(t, x[i], y[i], z[i]);
}
extern "C" __global__ void fetch4(cudaTextureObject_t t, float4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float4>(t, i);
}
extern "C" __global__ void fractions(cudaTextureObject_t t, float2* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float2>(t, i);
}
extern "C" __global__ void doubles(cudaSurfaceObject_t s, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    float value;
    surf2Dread(&value, s, x * 4, y);
    surf2Dwrite(value * 2 + y, s, x * 4, y);
}
'''
module = cp.RawModule(code=code)
rng = np.random.default_rng(5)

def array_of(host, flags=0):
    made = texture.CUDAarray(FLOAT, *host.shape[::-1], flags=flags)
    made.copy_from(cp.asarray(host))
    return made

def texture_of(array, **how):
    shown = texture.ResourceDescriptor(runtime.resourceTypeArray, cuArr=array)
    return texture.TextureObject(shown, texture.TextureDescriptor(**how))

def look(image, *places):
    places = [cp.asarray(p, "float32") for p in places]
    out = cp.zeros(len(places[0]), "float32")
    kernel = module.get_function(f"look{len(places)}")
    kernel((out.size // 64 + 1,), (64,), (image, *places, out, out.size))
    return out.get()

# Of the way between two elements, interpolation has eight bits along each axis.
near = lambda a, b, axes: np.testing.assert_allclose(a, b, rtol=0, atol=axes / 256)
"""


def gpu(code, **environment):
    return on_gpu(KERNELS + textwrap.dedent(code), **environment)


def test_elements_and_what_lies_beyond():
    gpu(
        """
        host = rng.random((6, 9), dtype="float32")
        x, y = (rng.integers(-4, 14, 200) for _ in range(2))
        modes = {runtime.addressModeClamp: "nearest", runtime.addressModeBorder: "constant"}
        for mode, theirs in modes.items():
            got = look(texture_of(array_of(host), addressModes=(mode, mode)), x + 0.5, y + 0.5)
            expected = ndimage.map_coordinates(host, [y, x], order=0, mode=theirs)
            np.testing.assert_array_equal(got, expected)
        for mode, theirs in ((runtime.addressModeWrap, "grid-wrap"), (runtime.addressModeMirror, "reflect")):
            image = texture_of(array_of(host), addressModes=(mode, mode), normalizedCoords=True)
            got = look(image, (x + 0.5) / 9, (y + 0.5) / 6)
            np.testing.assert_array_equal(got, ndimage.map_coordinates(host, [y, x], order=0, mode=theirs))
        """
    )


def test_interpolation_along_one_two_and_three_axes():
    gpu(
        """
        for shape in ((40,), (7, 12), (4, 5, 6)):
            host = rng.random(shape, dtype="float32")
            places = [rng.uniform(-2, n + 2, 300).astype("float32") for n in shape]
            modes = (runtime.addressModeClamp,) * len(shape)
            image = texture_of(array_of(host), addressModes=modes, filterMode=runtime.filterModeLinear)
            got = look(image, *[p + np.float32(0.5) for p in places[::-1]])
            near(got, ndimage.map_coordinates(host, places, order=1, mode="nearest"), len(shape))
        """
    )


def test_memory_in_place_and_channels():
    gpu(
        """
        data = cp.asarray(rng.random((50, 4), dtype="float32"))
        four = texture.ChannelFormatDescriptor(32, 32, 32, 32, runtime.channelFormatKindFloat)
        shown = texture.ResourceDescriptor(
            runtime.resourceTypeLinear, arr=data, chDesc=four, sizeInBytes=data.nbytes)
        out = cp.zeros((50, 4), "float32")
        image = texture.TextureObject(shown, texture.TextureDescriptor())
        module.get_function("fetch4")((1,), (64,), (image, out, 50))
        np.testing.assert_array_equal(out.get(), data.get())
        bytes_ = cp.asarray(rng.integers(0, 256, (30, 2)).astype("uint8"))
        two = texture.ChannelFormatDescriptor(8, 8, 0, 0, runtime.channelFormatKindUnsigned)
        shown = texture.ResourceDescriptor(
            runtime.resourceTypeLinear, arr=bytes_, chDesc=two, sizeInBytes=bytes_.nbytes)
        reading = texture.TextureDescriptor(readMode=runtime.readModeNormalizedFloat)
        out = cp.zeros((30, 2), "float32")
        module.get_function("fractions")((1,), (32,), (texture.TextureObject(shown, reading), out, 30))
        np.testing.assert_allclose(out.get(), bytes_.get() / 255, rtol=1e-6)
        rows = cp.asarray(rng.random((8, 64), dtype="float32"))
        shown = texture.ResourceDescriptor(
            runtime.resourceTypePitch2D, arr=rows, chDesc=FLOAT, width=60, height=8, pitchInBytes=256)
        image = texture.TextureObject(shown, texture.TextureDescriptor((runtime.addressModeClamp,) * 2))
        x, y = np.meshgrid(np.arange(60), np.arange(8))
        got = look(image, x.ravel() + 0.5, y.ravel() + 0.5).reshape(8, 60)
        np.testing.assert_array_equal(got, rows.get()[:, :60])
        """
    )


def test_surfaces_are_written_in_the_order_of_streams():
    gpu(
        """
        host = rng.random((5, 33), dtype="float32")
        array = array_of(host, runtime.arraySurfaceLoadStore)
        surface = texture.SurfaceObject(texture.ResourceDescriptor(runtime.resourceTypeArray, cuArr=array))
        stream = cp.cuda.Stream(non_blocking=True)
        back = cp.zeros((5, 33), "float32")
        for _ in range(2):
            module.get_function("doubles")((2, 5), (32,), (surface, 33, 5), stream=stream)
        array.copy_to(back, stream)
        stream.synchronize()
        row = np.arange(5, dtype="float32")[:, None]
        np.testing.assert_array_equal(back.get(), (host * 2 + row) * 2 + row)
        mine = np.zeros((5, 33), "float32")
        array.copy_to(mine)
        np.testing.assert_array_equal(mine, back.get())
        """,
        CUPRUM_STANDIN_LAZY="1",
    )


def test_copies_of_boxes_by_cudas_structs():
    gpu(
        """
        import ctypes
        from cuprum.cuda._runtime_arrays import Copy
        host = rng.random((3, 4, 6), dtype="float32")
        handle = runtime.malloc3DArray(FLOAT.ptr, 6, 4, 3)
        source, target = cp.asarray(host), cp.zeros((2, 3, 4), "float32")
        copy = Copy(dstArray=handle, kind=runtime.memcpyDeviceToDevice)
        copy.srcPtr.ptr, copy.srcPtr.pitch, copy.srcPtr.ysize = source.data.ptr, 24, 4
        copy.extent.width, copy.extent.height, copy.extent.depth = 6, 4, 3
        runtime.memcpy3D(ctypes.addressof(copy))
        back = Copy(srcArray=handle, kind=runtime.memcpyDeviceToDevice)
        back.srcPos.x, back.srcPos.y, back.srcPos.z = 2, 1, 1
        back.dstPtr.ptr, back.dstPtr.pitch, back.dstPtr.ysize = target.data.ptr, 16, 3
        back.extent.width, back.extent.height, back.extent.depth = 4, 3, 2
        runtime.memcpy3DAsync(ctypes.addressof(back), 0)
        np.testing.assert_array_equal(target.get(), host[1:, 1:, 2:])
        runtime.freeArray(handle)
        flat = runtime.mallocArray(FLOAT.ptr, 6, 4)
        kind = runtime.memcpyDeviceToDevice
        runtime.memcpy2DToArray(flat, 0, 0, source.data.ptr, 24, 24, 4, kind)
        part = cp.zeros((2, 3), "float32")
        runtime.memcpy2DFromArrayAsync(part.data.ptr, 12, flat, 12, 1, 12, 2, kind, 0)
        np.testing.assert_array_equal(part.get(), host[0, 1:3, 3:])
        runtime.freeArray(flat)
        """
    )


def test_what_does_not_fit_is_refused():
    gpu(
        """
        def refused(error, call, *args, **kwargs):
            try:
                call(*args, **kwargs)
            except error:
                return
            raise AssertionError(call)
        refused(runtime.CUDARuntimeError, texture.ChannelFormatDescriptor, 32, 16, 0, 0, 2)
        refused(runtime.CUDARuntimeError, texture.ChannelFormatDescriptor, 32, 32, 32, 0, 2)
        refused(ValueError, texture.CUDAarray, FLOAT, 4, 0, 3)
        array = texture.CUDAarray(FLOAT, 4, 3)
        refused(ValueError, array.copy_from, cp.zeros((3, 4)))
        refused(ValueError, array.copy_from, cp.zeros((4, 3), "float32"))
        refused(ValueError, array.copy_to, cp.zeros((4, 3), "float32").T)
        shown = texture.ResourceDescriptor(runtime.resourceTypeArray, cuArr=array)
        refused(ValueError, texture.SurfaceObject, shown)
        """
    )


def test_arrays_with_gaps_are_copied_in():
    gpu(
        """
        host = rng.random((6, 18), dtype="float32")
        form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.cudaChannelFormatKindFloat)
        for source in (host[:, ::2], cp.asarray(host)[:, ::2], np.asfortranarray(host[:, :9])):
            for stream in (None, cp.cuda.Stream()):
                image, back = texture.CUDAarray(form, 9, 6), cp.zeros((6, 9), "float32")
                image.copy_from(source, stream)
                image.copy_to(back, stream)
                if stream is not None:
                    stream.synchronize()
                np.testing.assert_array_equal(back.get(), cp.asnumpy(source))
        """
    )


def test_elementwise_kernels_take_textures():
    gpu(
        """
        host = rng.random((4, 5), dtype="float32")
        form = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.cudaChannelFormatKindFloat)
        image = texture.CUDAarray(form, 5, 4)
        image.copy_from(host)
        resource = texture.ResourceDescriptor(runtime.cudaResourceTypeArray, cuArr=image)
        modes = (runtime.cudaAddressModeClamp,) * 2
        how = texture.TextureDescriptor(modes, runtime.cudaFilterModePoint, runtime.cudaReadModeElementType)
        kernel = cp.ElementwiseKernel(
            "T x, U image, uint64 width", "T y",
            "y = x + tex2D<T>(image, (float)(i % width), (float)(i / width));", "shown",
        )
        made = kernel(cp.ones((4, 5), "float32"), texture.TextureObject(resource, how), 5)
        np.testing.assert_array_equal(made.get(), host + 1)
        """
    )
