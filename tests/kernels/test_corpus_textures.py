"""Textures and surfaces in kernels: every mode against rules of CUDA's manual, worked out in NumPy."""

import ctypes
import itertools

import numpy as np
import pytest
from corpus import ON_CPU

import cuprum as cp
from cuprum.cuda import runtime, texture

F = np.float32
WRAP, CLAMP, MIRROR, BORDER = range(4)
CODE = r"""
#define LOOK(type, name) \
    extern "C" __global__ void name##1(cudaTextureObject_t t, const float* x, type* out, int n) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) out[i] = tex1D<type>(t, x[i]); \
    } \
    extern "C" __global__ void name##2( \
        cudaTextureObject_t t, const float* x, const float* y, type* out, int n) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) out[i] = tex2D<type>(t, x[i], y[i]); \
    } \
    extern "C" __global__ void name##3( \
        cudaTextureObject_t t, const float* x, const float* y, const float* z, type* out, int n) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) out[i] = tex3D<type>(t, x[i], y[i], z[i]); \
    } \
    extern "C" __global__ void name##_fetch(cudaTextureObject_t t, const int* at, type* out, int n) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) out[i] = tex1Dfetch<type>(t, at[i]); \
    }
LOOK(float, look)
LOOK(float2, look_two)
LOOK(float4, look_four)
LOOK(int, look_int)
LOOK(uchar4, look_bytes)
extern "C" __global__ void layers2(
    cudaTextureObject_t t, const float* x, const float* y, const int* layer, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex2DLayered<float>(t, x[i], y[i], layer[i]);
}
extern "C" __global__ void layers1(
    cudaTextureObject_t t, const float* x, const int* layer, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1DLayered<float>(t, x[i], layer[i]);
}
extern "C" __global__ void doubles(cudaSurfaceObject_t s, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    float value;
    surf2Dread(&value, s, x * 4, y);
    surf2Dwrite(value * 2 + y, s, x * 4, y);
}
extern "C" __global__ void edges(cudaSurfaceObject_t s, float* out) {
    out[0] = surf2Dread<float>(s, -4, 0, cudaBoundaryModeZero);
    out[1] = surf2Dread<float>(s, -4, 1, cudaBoundaryModeClamp);
    out[2] = surf2Dread<float>(s, 400, 90, cudaBoundaryModeClamp);
    surf2Dwrite(99.0f, s, 400, 0, cudaBoundaryModeZero);
}
extern "C" __global__ void beyond(cudaSurfaceObject_t s) { surf2Dwrite(99.0f, s, 400, 0); }
extern "C" __global__ void boxes(cudaSurfaceObject_t s) {
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    int2 value = surf3Dread<int2>(s, x * 8, y, z);
    surf3Dwrite(make_int2(value.y, value.x), s, x * 8, y, z);
}
"""
MODULE = cp.RawModule(code=CODE)
# Of the sums that a GPU makes of weighted elements, CUDA promises eight bits of the weights.
CLOSE = {"rtol": 2e-6, "atol": 2e-6} if ON_CPU else {"rtol": 0, "atol": 1 / 256}


def form(dtype, channels=1):
    bits, kind = np.dtype(dtype).itemsize * 8, "iuf".index(np.dtype(dtype).kind)
    return texture.ChannelFormatDescriptor(*([bits] * channels + [0] * (4 - channels)), kind)


def array_of(host, channels=1, flags=0):
    shape = host.shape if channels == 1 else host.shape[:-1]
    sizes = [*shape[::-1], 0, 0][:3]
    if flags & runtime.arrayLayered and len(shape) == 2:
        sizes = [shape[1], 0, shape[0]]
    made = texture.CUDAarray(form(host.dtype, channels), *sizes, flags=flags)
    made.copy_from(cp.asarray(host))
    return made


def texture_of(array, **how):
    shown = texture.ResourceDescriptor(runtime.resourceTypeArray, cuArr=array)
    return texture.TextureObject(shown, texture.TextureDescriptor(**how))


def launch(name, *args):
    n = args[-1]
    MODULE.get_function(name)((n // 64 + 1,), (64,), args)


def look(image, places, name="look", dtype=F, channels=1):
    """Return what a kernel reads at places, the last axis of the array first."""
    places = [cp.asarray(place, F) for place in places]
    n = places[0].size
    out = cp.zeros((n, channels) if channels > 1 else n, dtype)
    launch(f"{name}{len(places)}", image, *places, out, n)
    return cp.asnumpy(out)


def folded(i, n, mode):
    """Return where element `i` lies along an axis of `n`, and whether it is there at all."""
    if mode == CLAMP:
        return np.clip(i, 0, n - 1), np.ones(i.shape, bool)
    if mode == BORDER:
        return np.clip(i, 0, n - 1), (i >= 0) & (i < n)
    if mode == WRAP:
        return i % n, np.ones(i.shape, bool)
    rest = i % (2 * n)
    return np.where(rest < n, rest, 2 * n - 1 - rest), np.ones(i.shape, bool)


def element(host, indices, modes, border):
    inside, places = True, []
    for axis, i in enumerate(indices):
        place, there = folded(i, host.shape[axis], modes[axis])
        places.append(place)
        inside = inside & there
    return np.where(inside, host[tuple(places)], border)


def oracle(host, places, modes, linear, border=0.0):
    """Return the texture's values at places in elements, axes in the array's order."""
    places = [np.asarray(place, np.float64) for place in places]
    if not linear:
        return element(host, [np.floor(place).astype(int) for place in places], modes, border)
    first = [np.floor(place - 0.5).astype(int) for place in places]
    weights = [np.rint((place - 0.5 - i) * 256) / 256 for place, i in zip(places, first, strict=True)]
    total = 0.0
    for corner in itertools.product((0, 1), repeat=len(places)):
        weight = 1.0
        for step, part in zip(corner, weights, strict=True):
            weight = weight * (part if step else 1 - part)
        indices = [i + step for i, step in zip(first, corner, strict=True)]
        total = total + weight * element(host, indices, modes, border)
    return total


def sixteenths(n, low, high, seed):
    """Return coordinates that floats hold exactly, so that both sides have the same weights."""
    return (np.random.default_rng(seed).integers(low * 16, high * 16, n) / 16 + 1 / 64).astype(F)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("shape", [(40,), (7, 12), (4, 5, 6), (1, 1)])
def test_clamp_and_border(shape, linear):
    host = np.random.default_rng(1).random(shape, dtype=F)
    array = array_of(host)
    places = [sixteenths(300, -3, n + 3, axis) for axis, n in enumerate(shape)]
    for mode in (CLAMP, BORDER):
        modes = (mode,) * len(shape)
        border = (0.25, 0, 0, 0) if mode == BORDER else None
        image = texture_of(array, addressModes=modes, filterMode=int(linear), borderColors=border)
        expected = oracle(host, places, modes, linear, 0.25)
        np.testing.assert_allclose(look(image, places[::-1]), expected, **CLOSE)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("mode", [WRAP, CLAMP, MIRROR, BORDER])
def test_normalised_coordinates(mode, linear):
    host = np.random.default_rng(2).random((8, 16), dtype=F)
    places = [sixteenths(300, -20, 30, axis) for axis in (5, 6)]
    modes = (mode, mode)
    image = texture_of(array_of(host), addressModes=modes, filterMode=int(linear), normalizedCoords=True)
    expected = oracle(host, places, modes, linear)
    # Sizes are powers of two: the products are exact.
    got = look(image, [places[1] / F(16), places[0] / F(8)])
    np.testing.assert_allclose(got, expected, **CLOSE)


def test_wrap_and_mirror_need_normalised_coordinates():
    host = np.arange(10, dtype=F)
    places = sixteenths(100, -5, 15, 0)
    for mode in (WRAP, MIRROR):
        got = look(texture_of(array_of(host), addressModes=(mode,)), [places])
        np.testing.assert_array_equal(got, oracle(host, [places], (CLAMP,), False))


def test_channels_and_integers():
    rng = np.random.default_rng(3)
    x, y = (np.repeat(np.arange(5), 4) + F(0.5), np.tile(np.arange(4), 5) + F(0.5))
    at = (y.astype(int), x.astype(int))
    two = rng.random((4, 5, 2), dtype=F)
    got = look(texture_of(array_of(two, 2), addressModes=(1, 1)), [x, y], "look_two", F, 2)
    np.testing.assert_array_equal(got, two[at])
    for dtype in (np.int32, np.int16, np.int8, np.uint8, np.uint16):
        host = rng.integers(
            max(np.iinfo(dtype).min, -(2**20)), min(np.iinfo(dtype).max, 2**20), (4, 5)
        ).astype(dtype)
        got = look(texture_of(array_of(host), addressModes=(1, 1)), [x, y], "look_int", np.int32)
        np.testing.assert_array_equal(got, host[at])
    four = rng.integers(0, 256, (4, 5, 4)).astype(np.uint8)
    got = look(texture_of(array_of(four, 4), addressModes=(1, 1)), [x, y], "look_bytes", np.uint8, 4)
    np.testing.assert_array_equal(got, four[at])
    half = rng.random((4, 5)).astype(np.float16)
    got = look(texture_of(array_of(half), addressModes=(1, 1)), [x, y])
    np.testing.assert_array_equal(got, half.astype(F)[at])


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16])
def test_integers_as_fractions(dtype):
    most = np.iinfo(dtype).max
    host = np.array([np.iinfo(dtype).min, 0, 1, most // 3, most], dtype)
    as_fractions = host.astype(F) / F(most)
    how = {"addressModes": (CLAMP,), "readMode": runtime.readModeNormalizedFloat}
    got = look(texture_of(array_of(host), **how), [np.arange(5) + 0.5])
    np.testing.assert_allclose(got, np.maximum(as_fractions, -1), rtol=1e-6)
    places = sixteenths(50, 0, 5, 1)
    got = look(texture_of(array_of(host), filterMode=1, **how), [places])
    # The least integer is below -1: the hardware cuts what the filter gives.
    expected = np.maximum(oracle(as_fractions, [places], (CLAMP,), True), -1)
    np.testing.assert_allclose(got, expected, **CLOSE)


def test_memory_in_place():
    data = cp.asarray(np.random.default_rng(4).random((50, 4), dtype=F))
    shown = texture.ResourceDescriptor(
        runtime.resourceTypeLinear, arr=data, chDesc=form(F, 4), sizeInBytes=data.nbytes
    )
    image = texture.TextureObject(shown, texture.TextureDescriptor())
    at, out = np.array([0, 49, 7, 50, -1], np.int32), cp.zeros((5, 4), F)
    launch("look_four_fetch", image, cp.asarray(at), out, 5)
    expected = np.zeros((5, 4), F)
    expected[:3] = cp.asnumpy(data)[at[:3]]
    np.testing.assert_array_equal(cp.asnumpy(out), expected)
    # What is written to the array later shows.
    data += 1
    launch("look_four_fetch", image, cp.asarray(at), out, 5)
    np.testing.assert_array_equal(cp.asnumpy(out)[:3], cp.asnumpy(data)[at[:3]])
    rows = cp.asarray(np.random.default_rng(5).random((8, 64), dtype=F))
    shown = texture.ResourceDescriptor(
        runtime.resourceTypePitch2D, arr=rows, chDesc=form(F), width=60, height=8, pitchInBytes=256
    )
    places = [sixteenths(200, -2, n + 2, n) for n in (8, 60)]
    image = texture.TextureObject(shown, texture.TextureDescriptor((CLAMP, CLAMP), 1))
    expected = oracle(cp.asnumpy(rows)[:, :60], places, (CLAMP, CLAMP), True)
    np.testing.assert_allclose(look(image, places[::-1]), expected, **CLOSE)


@pytest.mark.parametrize("linear", [False, True])
def test_layers(linear):
    host = np.random.default_rng(6).random((3, 5, 8), dtype=F)
    layer = np.random.default_rng(7).integers(-1, 5, 200).astype(np.int32)
    # A layer below 0 is beyond the last: the hardware's numbers have no sign.
    taken = np.where(layer < 0, 2, np.minimum(layer, 2))
    x, y = sixteenths(200, -2, 10, 0), sixteenths(200, -2, 7, 1)
    places, out = [cp.asarray(place) for place in (x, y, layer)], cp.zeros(200, F)
    image = texture_of(
        array_of(host, flags=runtime.arrayLayered), addressModes=(1, 1), filterMode=int(linear)
    )
    launch("layers2", image, *places, out, 200)
    each = np.stack([oracle(plane, [y, x], (CLAMP, CLAMP), linear) for plane in host])
    np.testing.assert_allclose(cp.asnumpy(out), each[taken, np.arange(200)], **CLOSE)
    lines = host[:, 0].copy()
    image = texture_of(array_of(lines, flags=runtime.arrayLayered), addressModes=(1,), filterMode=int(linear))
    launch("layers1", image, places[0], places[2], out, 200)
    each = np.stack([oracle(line, [x], (CLAMP,), linear) for line in lines])
    np.testing.assert_allclose(cp.asnumpy(out), each[taken, np.arange(200)], **CLOSE)


def surface_of(array):
    return texture.SurfaceObject(texture.ResourceDescriptor(runtime.resourceTypeArray, cuArr=array))


def test_surfaces():
    host = np.random.default_rng(8).random((5, 33), dtype=F)
    array, back = array_of(host, flags=runtime.arraySurfaceLoadStore), np.zeros((5, 33), F)
    surface = surface_of(array)
    MODULE.get_function("doubles")((2, 5), (32,), (surface, 33))
    array.copy_to(back)
    expected = host * 2 + np.arange(5, dtype=F)[:, None]
    np.testing.assert_array_equal(back, expected)
    out = cp.zeros(3, F)
    MODULE.get_function("edges")((1,), (1,), (surface, out))
    np.testing.assert_array_equal(cp.asnumpy(out), [0, expected[1, 0], expected[4, 32]])
    array.copy_to(back)
    np.testing.assert_array_equal(back, expected)
    pairs = np.random.default_rng(9).integers(-9, 9, (2, 3, 4, 2)).astype(np.int32)
    array, back = array_of(pairs, 2, runtime.arraySurfaceLoadStore), np.zeros((2, 3, 4, 2), np.int32)
    MODULE.get_function("boxes")((3, 2), (4,), (surface_of(array),))
    array.copy_to(back)
    np.testing.assert_array_equal(back, pairs[..., ::-1])


LINES = r"""
extern "C" __global__ void lines(cudaSurfaceObject_t s, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n) surf1Dwrite((short)(surf1Dread<short>(s, x * 2) + 100 * x), s, x * 2);
}
extern "C" __global__ void line_edges(cudaSurfaceObject_t s, int* out) {
    out[0] = surf1Dread<short>(s, -2, cudaBoundaryModeClamp);
    out[1] = surf1Dread<short>(s, 2000, cudaBoundaryModeClamp);
    out[2] = surf1Dread<short>(s, 2000, cudaBoundaryModeZero);
    surf1Dwrite((short)5, s, 2000, cudaBoundaryModeZero);
}
extern "C" __global__ void layers(cudaSurfaceObject_t lines, cudaSurfaceObject_t images) {
    int x = threadIdx.x, y = blockIdx.x, layer = blockIdx.y;
    float value = surf2DLayeredread<float>(images, x * 4, y, layer);
    surf2DLayeredwrite(value + 10 * layer, images, x * 4, y, layer);
    if (y == 0) surf1DLayeredwrite(surf1DLayeredread<float>(lines, x * 4, layer) - layer, lines, x * 4, layer);
}
"""


def test_surfaces_of_lines_and_layers():
    module = cp.RawModule(code=LINES)
    host, back = np.arange(50, dtype=np.int16), np.zeros(50, np.int16)
    array = array_of(host, flags=runtime.arraySurfaceLoadStore)
    surface = surface_of(array)
    module.get_function("lines")((2,), (32,), (surface, np.int32(50)))
    expected = host + 100 * np.arange(50, dtype=np.int16)
    out = cp.zeros(3, np.int32)
    module.get_function("line_edges")((1,), (1,), (surface, out))
    np.testing.assert_array_equal(cp.asnumpy(out), [expected[0], expected[-1], 0])
    array.copy_to(back)
    np.testing.assert_array_equal(back, expected)

    flags = runtime.arraySurfaceLoadStore | runtime.arrayLayered
    images = np.random.default_rng(10).random((3, 4, 8), dtype=F)
    lines = images[:, 0].copy()
    held, rows = array_of(images, flags=flags), array_of(lines, flags=flags)
    module.get_function("layers")((4, 3), (8,), (surface_of(rows), surface_of(held)))
    layer = np.arange(3, dtype=F)
    back, back_lines = np.zeros_like(images), np.zeros_like(lines)
    held.copy_to(back)
    rows.copy_to(back_lines)
    np.testing.assert_array_equal(back, images + 10 * layer[:, None, None])
    np.testing.assert_array_equal(back_lines, lines - layer[:, None])


cpu_only = pytest.mark.skipif(not ON_CPU, reason="a GPU does not check, or has no such thing")


@cpu_only
def test_texture_references():
    module = cp.RawModule(
        code="""
        texture<float, cudaTextureType2D, cudaReadModeElementType> image;
        texture<unsigned char, 1, cudaReadModeNormalizedFloat> line;
        extern "C" __global__ void both(const float* x, const float* y, float* out, float* parts) {
            out[threadIdx.x] = tex2D(image, x[threadIdx.x], y[threadIdx.x]);
            if (threadIdx.x < 4) parts[threadIdx.x] = tex1Dfetch(line, threadIdx.x);
        }"""
    )
    host, bytes_ = np.random.default_rng(3).random((6, 9), dtype=F), cp.asarray([0, 51, 255, 1], "uint8")
    places = [sixteenths(32, 0, 6, 1), sixteenths(32, 0, 9, 2)]
    x, y, out, parts = cp.asarray(places[1]), cp.asarray(places[0]), cp.zeros(32, F), cp.zeros(4, F)
    with pytest.raises(cp.cuda.KernelError, match="bound to the texture reference"):
        module.get_function("both")((1,), (32,), (x, y, out, parts))
    shown = texture.ResourceDescriptor(runtime.resourceTypeArray, cuArr=array_of(host))
    how = texture.TextureDescriptor((CLAMP, CLAMP), runtime.filterModeLinear)
    first = texture.TextureReference(module.get_texref("image"), shown, how)
    shown = texture.ResourceDescriptor(
        runtime.resourceTypeLinear, arr=bytes_, chDesc=form(np.uint8), sizeInBytes=4
    )
    how = texture.TextureDescriptor(readMode=runtime.readModeNormalizedFloat)
    second = texture.TextureReference(module.get_texref("line"), shown, how)
    module.get_function("both")((1,), (32,), (x, y, out, parts))
    expected = oracle(host, places, (CLAMP, CLAMP), True)
    np.testing.assert_allclose(cp.asnumpy(out), expected, **CLOSE)
    np.testing.assert_allclose(cp.asnumpy(parts), np.array([0, 51, 255, 1]) / 255, rtol=1e-6)
    del first, second
    with pytest.raises(cp.cuda.KernelError, match="bound to the texture reference"):
        module.get_function("both")((1,), (32,), (x, y, out, parts))


@cpu_only
def test_misuse_is_told():
    host = np.zeros((4, 5), F)
    array = array_of(host, flags=runtime.arraySurfaceLoadStore)
    image, surface = texture_of(array, addressModes=(1, 1)), surface_of(array)
    one, out = cp.zeros(1, F), cp.zeros(1, F)
    kernel = MODULE.get_function

    def refused(match, name, *args):
        with pytest.raises(cp.cuda.KernelError, match=match):
            kernel(name)((1,), (1,), args)

    refused("a texture, not a surface", "look2", surface, one, one, out, 1)
    refused("a surface, not a texture", "doubles", image, 5)
    refused("has the axes", "look3", image, one, one, one, out, 1)
    refused("tex1Dfetch reads memory without rows", "look_fetch", image, cp.zeros(1, "int32"), out, 1)
    refused(
        "type is one that the texture can be read as", "look_int2", image, one, one, cp.zeros(1, "int32"), 1
    )
    refused("as many channels", "look_four2", image, one, one, cp.zeros(4, F), 1)
    refused("the place lies on the surface", "beyond", surface)
    handle = image.ptr
    del image
    refused("no array that the kernel may use|has not been destroyed", "look2", handle, one, one, out, 1)


@cpu_only
def test_freed_memory_is_told():
    memory = cp.cuda.alloc(64)
    resource = texture.arrays.Resource()
    resource.resType = runtime.resourceTypeLinear
    shown = resource.res.linear
    shown.devPtr, shown.desc, shown.sizeInBytes = memory.ptr, form(F)._form, 64
    how = texture.TextureDescriptor()
    handle = runtime.createTextureObject(ctypes.addressof(resource), how.ptr)
    at, out = cp.zeros(4, "int32"), cp.zeros(4, F)
    launch("look_fetch", handle, at, out, 4)
    del memory
    cp.get_default_memory_pool().free_all_blocks()
    with pytest.raises(cp.cuda.KernelMemoryError, match="no array that the kernel may use"):
        launch("look_fetch", handle, at, out, 4)
    runtime.destroyTextureObject(handle)


@cpu_only
def test_integers_are_not_interpolated():
    """What a driver makes of it is its own: some take such a texture."""
    integers = array_of(np.zeros((3, 4), np.int32))
    with pytest.raises(runtime.CUDARuntimeError):
        texture_of(integers, addressModes=(1, 1), filterMode=1)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="is no size of an array"):
        texture.CUDAarray(form(F), 4, 0, 3)
    with pytest.raises(ValueError, match="arraySurfaceLoadStore"):
        surface_of(array_of(np.zeros((3, 4), F)))
