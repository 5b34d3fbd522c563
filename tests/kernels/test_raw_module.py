"""RawModule: several kernels of one text, templates, variables, files and machine code."""

import ctypes
import gc
import pickle

import numpy as np
import pytest
from raw_texts import ADD, add_kernel

import cuprum as cp


def test_modules():
    module = cp.RawModule(
        code="""
        template <typename T> __global__ void fill(T* x, T value) { x[threadIdx.x] = value; }
        extern "C" __global__ void plain(float* x) { x[0] = -1; }
        """,
        name_expressions=("fill<float>", "fill<long long>"),
    )
    x = cp.zeros(3, "float32")
    module.get_function("fill<float>")(1, 3, (x, np.float32(2.5)))
    np.testing.assert_array_equal(cp.asnumpy(x), [2.5, 2.5, 2.5])
    y = cp.zeros(3, "int64")
    module.get_function("fill<long long>")(1, 3, (y, np.int64(2**40)))
    np.testing.assert_array_equal(cp.asnumpy(y), np.full(3, 2**40))
    module.get_function("plain")(1, 1, (x,))
    assert float(x[0]) == -1
    with pytest.raises(ValueError, match="no kernel 'other'"):
        module.get_function("other")


def test_instances_of_templates_by_their_names():
    code = "template <int N> __global__ void put(int* x) { x[0] = N; }"
    x = cp.zeros(1, "int32")
    cp.RawKernel(code, "put<42>")(1, 1, (x,))
    assert int(x[0]) == 42


def test_variables():
    module = cp.RawModule(
        code="""extern "C" {
        __constant__ float factors[3];
        __device__ int count = 5;
        __global__ void scale(float* x) {
            x[threadIdx.x] *= factors[threadIdx.x];
            if (!threadIdx.x) count += 1;
        }
        }"""
    )
    factors = module.get_global("factors")
    assert factors.mem.size == 12
    on_device = cp.ndarray(3, "float32", factors)
    on_device[...] = cp.array([2, 3, 4], "float32")
    x = cp.ones(3, "float32")
    module.get_function("scale")(1, 3, (x,))
    np.testing.assert_array_equal(cp.asnumpy(x), [2, 3, 4])
    count = module.get_global("count")
    assert int(cp.ndarray(1, "int32", count)[0]) == 6
    with pytest.raises(ValueError, match="no __device__ or __constant__ variable 'other'"):
        module.get_global("other")


def test_modules_from_files(tmp_path):
    file = tmp_path / "kernels.cu"
    file.write_text(ADD)
    module = cp.RawModule(path=str(file))
    assert module.file_path == str(file) and module.code is None
    x, z = cp.ones(4, "float32"), cp.zeros(4, "float32")
    module.get_function("add")(1, 4, (x, x, z, 4))
    assert float(z.sum()) == 8
    for kind in (FileNotFoundError, cp.cuda.driver.CUDADriverError):
        with pytest.raises(kind, match="CUDA_ERROR_FILE_NOT_FOUND"):
            cp.RawModule(path=str(tmp_path / "none.cu"))
    with pytest.raises(TypeError, match="exactly one"):
        cp.RawModule(code=ADD, path=str(file))
    with pytest.raises(TypeError, match="exactly one"):
        cp.RawModule()


def test_headers_of_the_users(tmp_path):
    (tmp_path / "mine.h").write_text("#define MINE 7\n")
    code = '#include "mine.h"\nextern "C" __global__ void f(int* x) { x[0] = MINE; }'
    x = cp.zeros(1, "int32")
    cp.RawKernel(code, "f", (f"-I{tmp_path}",))(1, 1, (x,))
    assert int(x[0]) == 7


@pytest.mark.no_gpu
def test_machine_code_needs_a_gpu(tmp_path):
    file = tmp_path / "kernel.ptx"
    file.write_text("// made by hand\n.version 8.0\n.target sm_80\n")
    with pytest.raises(ValueError, match="GPU's machine code"):
        cp.RawModule(path=str(file)).get_function("f")


def test_functions_and_modules_of_the_driver(tmp_path):
    file = tmp_path / "kernels.cu"
    file.write_text(ADD)
    module = cp.cuda.Module()
    module.load_file(str(file))
    x, z = cp.ones(300, "float32"), cp.zeros(300, "float32")
    module.get_function("add").linear_launch(300, (x, x, z, 300))
    assert float(z.sum()) == 600
    add_kernel().kernel((3,), (128,), (z, x, z, 300))
    assert float(z.sum()) == 900


def test_many_modules_come_and_go():
    x = cp.zeros(1, "int32")
    for value in range(40):
        code = f'extern "C" __global__ void f(int* x) {{ x[0] += {value}; }}'
        cp.RawKernel(code, "f")(1, 1, (x,))
        if value % 10 == 9:
            cp.clear_memo()
            gc.collect()
    assert int(x[0]) == sum(range(40))


def machine_code(text):
    """Return a text as NVRTC's machine code for the current GPU."""
    major, minor = cp.cuda.Device().compute_capability[0], cp.cuda.Device().compute_capability[1:]
    paths = {name: found[1] for name, found, _ in cp._core.gpu_libraries() if found}
    nvrtc = ctypes.CDLL(next(path for path in paths.values() if "nvrtc" in path))
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None) == 0
    options = (ctypes.c_char_p * 1)(f"--gpu-architecture=sm_{major}{minor}".encode())
    assert nvrtc.nvrtcCompileProgram(program, 1, options) == 0
    assert nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size)) == 0
    code = ctypes.create_string_buffer(size.value)
    assert nvrtc.nvrtcGetCUBIN(program, code) == 0
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return code.raw


def test_machine_code(on_gpu):
    if not on_gpu:
        pytest.skip("machine code is a GPU's")
    module = cp.cuda.Module()
    module.load(machine_code(ADD))
    x, z = cp.ones(4, "float32"), cp.zeros(4, "float32")
    add = module.get_function("add")
    add((1,), (4,), (x, x, z, 4))
    assert float(z.sum()) == 8
    with pytest.raises(TypeError, match="add: takes 4 arguments, got 3"):
        add((1,), (4,), (x, x, z))
    with pytest.raises(TypeError, match="add: parameter 3 has 4 bytes, got float32 array of 8 bytes"):
        add((1,), (4,), (x, x, z, x))
    with pytest.raises(ValueError, match="add: parameter 3 cannot hold 4294967296"):
        add((1,), (4,), (x, x, z, 2**32))


def test_a_missing_name_is_the_drivers_error():
    module = cp.RawModule(code='__device__ int n; extern "C" __global__ void fill(int* a) { *a = n; }')
    for find in (module.get_function, module.get_global):
        with pytest.raises(cp.cuda.driver.CUDADriverError, match="named symbol not found") as raised:
            find("full")
        assert raised.value.status == 500 and isinstance(raised.value, ValueError)
        copy = pickle.loads(pickle.dumps(raised.value))
        assert type(copy) is type(raised.value) and str(copy) == str(raised.value)


def test_names_that_headers_alone_use(tmp_path):
    # Limits, sized integers and rounding functions need no header in the text that nvcc compiles.
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "limits_of.cuh").write_text(
        "#pragma once\n"
        "__device__ int32_t upper(float x) { return x > FLT_MAX / 2 ? INT_MAX : __float2int_rd(x); }\n"
    )
    (tmp_path / "outer.cuh").write_text(
        "#pragma once\n# include <inner/limits_of.cuh>\n__device__ unsigned none() { return UINT_MAX; }\n"
    )
    code = """#include "outer.cuh"
    extern "C" __global__ void f(const float* x, unsigned* out) {
        out[threadIdx.x] = x[threadIdx.x] < 0 ? none() : upper(x[threadIdx.x]);
    }"""
    kernel = cp.RawModule(code=code, options=("-I", str(tmp_path))).get_function("f")
    out = cp.zeros(3, "uint32")
    kernel((1,), (3,), (cp.array([-1.0, 2.5, 3e38], "float32"), out))
    assert out.tolist() == [2**32 - 1, 2, 2**31 - 1]
