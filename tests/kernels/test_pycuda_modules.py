"""PyCUDA's modules that launch kernels from kernels, and surface references."""

import numpy as np
import pytest
from corpus import ON_CPU, not_on_standin

from cuprum.compat.pycuda import autoinit, driver, gpuarray
from cuprum.compat.pycuda.compiler import DynamicModule, DynamicSourceModule, SourceModule

assert autoinit.context is not None
cpu_only = pytest.mark.skipif(not ON_CPU, reason="CUDA 12 has none")

SURFACE = """
#include <pycuda-helpers.hpp>
surface<void, cudaSurfaceType2DLayered> image;
__global__ void turned(TYPE* dest, int rw) {
    int row = threadIdx.x, col = threadIdx.y, at = row + col * blockDim.x;
    if (rw == 0) {
        fp_surf2DLayeredwrite(dest[at], image, row, col, 1, cudaBoundaryModeClamp);
    } else {
        TYPE value = 0;
        fp_surf2DLayeredread(&value, image, col, row, 1, cudaBoundaryModeClamp);
        dest[at] = value;
    }
}
"""


@not_on_standin
def test_a_dynamic_module_launches_kernels():
    module = DynamicSourceModule("""
    __global__ void sub(long* p, const long* q, long* d) {
        int t = threadIdx.x;
        p[t] = 2 * p[t];
        d[t] = p[t] - q[t];
    }
    __global__ void math(long* a, long* b, long* d) {
        dim3 grid(1, 1, 1), block(100, 1, 1);
        if (threadIdx.x == 0) sub<<<grid, block>>>(a, b, d);
    }
    """)
    a, b, d = (gpuarray.to_gpu(x) for x in (np.arange(100), np.ones(100, int), np.zeros(100, int)))
    module.get_function("math")(a, b, d, block=(100, 1, 1))
    np.testing.assert_array_equal(d.get(), 2 * np.arange(100) - 1)


@not_on_standin
def test_texts_of_a_dynamic_module_launch_each_other():
    module = DynamicModule()
    module.add_source("""__global__ void outer(int* x) {
        extern __global__ void inner(int*);
        inner<<<2, 1>>>(x);
    }""")
    module.add_source("__global__ void inner(int* x) { atomicAdd(x, 1); }", nvcc_options=["-rdc=true"])
    module.add_stdlib("cudadevrt")
    module.link()
    x = gpuarray.zeros(1, np.int32)
    module.get_function("outer")(x, grid=(2, 1), block=(1, 1, 1))
    assert x.get()[0] == 4


@cpu_only
@pytest.mark.parametrize(
    "dtype, name",
    [
        (np.int16, "short"),
        (np.float32, "float"),
        (np.float64, "double"),
        (np.complex64, "pycuda::complex<float>"),
        (np.complex128, "pycuda::complex<double>"),
    ],
)
def test_surface_references_are_read_and_written(dtype, name):
    host = (100 * np.random.default_rng(1).random((16, 16))).astype(dtype)
    module, values = SourceModule(SURFACE.replace("TYPE", name)), gpuarray.to_gpu(host)
    surface, turned = module.get_surfref("image"), module.get_function("turned")
    surface.set_array(driver.gpuarray_to_array(gpuarray.zeros_like(values), "C", allowSurfaceBind=True))
    for way in (0, 1):
        turned(values, np.int32(way), block=(16, 16, 1))
    np.testing.assert_array_equal(values.get(), host.T)


@cpu_only
def test_surface_references_that_cannot_be():
    module = SourceModule(SURFACE.replace("TYPE", "float"))
    surface, values = module.get_surfref("image"), gpuarray.zeros((16, 16), np.float32)
    with pytest.raises(driver.LogicError, match="allowSurfaceBind"):
        surface.set_array(driver.gpuarray_to_array(values, "C"))
    with pytest.raises(driver.LogicError, match="no array is bound"):
        surface.get_array()
    with pytest.raises(driver.LogicError, match="no_such"):
        module.get_surfref("no_such")
    with pytest.raises(driver.Error, match="bound to the surface reference"):
        module.get_function("turned")(values, np.int32(0), block=(16, 16, 1))
