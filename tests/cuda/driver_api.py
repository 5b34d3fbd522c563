"""The driver's and NVRTC's C interfaces by ctypes, over the stand-ins: what the stand-in's own tests call.

Every call is checked; `DriverError.code` is what the driver returned.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import sys
from collections.abc import Iterator
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path

import numpy as np
import pytest

import cuprum as cp

sys.path.insert(0, str(Path(__file__).resolve().parent / "standin"))
import build as standin_build  # noqa: E402

# Results that the tests look for.
INVALID_VALUE, OUT_OF_MEMORY = 1, 2
INVALID_CONTEXT, INVALID_HANDLE, NOT_FOUND = 201, 400, 500
ILLEGAL_ADDRESS, ASSERT, MISALIGNED, LAUNCH_FAILED = 700, 710, 716, 719

OPTIONS = (
    "--std=c++17",
    "--fmad=false",
    "--device-as-default-execution-space",
    "--gpu-architecture=sm_90",
)


class DriverError(Exception):
    def __init__(self, function: str, code: int) -> None:
        super().__init__(f"{function} returned {code}")
        self.code = code


@contextlib.contextmanager
def fails(code: int) -> Iterator[None]:
    """Expects the driver to return `code` within."""
    with pytest.raises(DriverError) as failed:
        yield
    assert failed.value.code == code


# A GPU of this machine, and not the stand-in that the environment may name.
HAS_GPU = cp.is_available() and not os.environ.get("CUPRUM_LIBCUDA")


@functools.cache
def why_no_standin() -> str:
    """What the stand-in cannot be built for, or nothing: then it is built."""
    try:
        standin_build.build()
    except standin_build.CannotBuild as error:
        return f"the stand-in cannot be built: {error}"
    return ""


def standin() -> Path:
    """The stand-in's folder. Only a machine with a GPU of its own may do without: elsewhere nothing else
    would test the CUDA device.
    """
    if why := why_no_standin():
        if HAS_GPU:
            pytest.skip(why)
        pytest.fail(why)
    return standin_build.build()


class CompileError(Exception):
    def __init__(self, code: int, log: str) -> None:
        super().__init__(log)
        self.code, self.log = code, log


class Machine:
    """Both libraries, initialised, with the first device's context current in this thread."""

    def __init__(self, folder: Path, driver: Path | None = None) -> None:
        self.driver = ctypes.CDLL(str(driver or folder / standin_build.DRIVER))
        self.nvrtc = ctypes.CDLL(str(folder / standin_build.NVRTC))
        self.cu("cuInit", c_uint(0))
        self.contexts = []
        count = c_int()
        self.cu("cuDeviceGetCount", byref(count))
        for device in range(count.value):
            context = c_void_p()
            self.cu("cuDevicePrimaryCtxRetain", byref(context), c_int(device))
            self.contexts.append(context)
        self.cu("cuCtxSetCurrent", self.contexts[0])

    def cu(self, function: str, *arguments) -> None:
        code = getattr(self.driver, function)(*arguments)
        if code:
            raise DriverError(function, code)

    def code(self, function: str, *arguments) -> int:
        return getattr(self.driver, function)(*arguments)

    # Compiling

    def compile(self, source: str, options=OPTIONS, expressions=()) -> tuple[bytes, list[str]]:
        """The image of a kernel text, and the names its name expressions were given."""
        nvrtc, program = self.nvrtc, c_void_p()
        assert nvrtc.nvrtcCreateProgram(byref(program), source.encode(), b"kernel.cu", 0, None, None) == 0
        try:
            for expression in expressions:
                assert nvrtc.nvrtcAddNameExpression(program, expression.encode()) == 0
            words = (c_char_p * len(options))(*(option.encode() for option in options))
            code = nvrtc.nvrtcCompileProgram(program, len(options), words)
            size = c_size_t()
            if code:
                assert nvrtc.nvrtcGetProgramLogSize(program, byref(size)) == 0
                log = ctypes.create_string_buffer(size.value)
                assert nvrtc.nvrtcGetProgramLog(program, log) == 0
                raise CompileError(code, log.value.decode())
            lowered = []
            for expression in expressions:
                name = c_char_p()
                assert nvrtc.nvrtcGetLoweredName(program, expression.encode(), byref(name)) == 0
                lowered.append(name.value.decode())
            assert nvrtc.nvrtcGetCUBINSize(program, byref(size)) == 0
            image = ctypes.create_string_buffer(size.value)
            assert nvrtc.nvrtcGetCUBIN(program, image) == 0
            return image.raw, lowered
        finally:
            nvrtc.nvrtcDestroyProgram(byref(program))

    def load(self, source: str, **how) -> Module:
        image, lowered = self.compile(source, **how)
        module = c_void_p()
        self.cu("cuModuleLoadData", byref(module), image)
        return Module(self, module, lowered)

    def kernel(self, source: str, name: str = "kernel", **how) -> Kernel:
        return self.load(source, **how).function(name)

    # Memory

    def empty(self, size: int) -> c_void_p:
        address = c_void_p()
        self.cu("cuMemAlloc_v2", byref(address), c_size_t(size))
        return address

    def to_device(self, array: np.ndarray) -> c_void_p:
        address = self.empty(array.nbytes)
        self.cu("cuMemcpyHtoD_v2", address, array.ctypes.data_as(c_void_p), c_size_t(array.nbytes))
        return address

    def to_host(self, address: c_void_p, like: np.ndarray) -> np.ndarray:
        array = np.empty_like(like)
        self.cu("cuMemcpyDtoH_v2", array.ctypes.data_as(c_void_p), address, c_size_t(array.nbytes))
        return array

    def free(self, *addresses: c_void_p) -> None:
        for address in addresses:
            self.cu("cuMemFree_v2", address)

    # Streams and events

    def stream(self, flags: int = 1) -> c_void_p:
        stream = c_void_p()
        self.cu("cuStreamCreate", byref(stream), c_uint(flags))
        return stream

    def event(self, flags: int = 0) -> c_void_p:
        event = c_void_p()
        self.cu("cuEventCreate", byref(event), c_uint(flags))
        return event

    def elapsed(self, begin: c_void_p, end: c_void_p) -> float:
        milliseconds = c_float()
        self.cu("cuEventElapsedTime", byref(milliseconds), begin, end)
        return milliseconds.value


class Module:
    def __init__(self, machine: Machine, handle: c_void_p, lowered: list[str]) -> None:
        self.machine, self.handle, self.lowered = machine, handle, lowered

    def function(self, name: str) -> Kernel:
        function = c_void_p()
        self.machine.cu("cuModuleGetFunction", byref(function), self.handle, name.encode())
        return Kernel(self.machine, function)

    def variable(self, name: str) -> tuple[c_void_p, int]:
        address, size = c_void_p(), c_size_t()
        self.machine.cu("cuModuleGetGlobal_v2", byref(address), byref(size), self.handle, name.encode())
        return address, size.value


class Kernel:
    def __init__(self, machine: Machine, handle: c_void_p) -> None:
        self.machine, self.handle = machine, handle

    def __call__(self, grid, block, *arguments, shared: int = 0, stream: c_void_p | None = None) -> None:
        self.launch(grid, block, *arguments, shared=shared, stream=stream)
        self.machine.cu("cuStreamSynchronize", stream)

    def launch(self, grid, block, *arguments, shared: int = 0, stream: c_void_p | None = None) -> None:
        """Launches without waiting. The arguments are ctypes values."""
        gx, gy, gz = (*grid, 1, 1)[:3] if isinstance(grid, tuple) else (grid, 1, 1)
        bx, by, bz = (*block, 1, 1)[:3] if isinstance(block, tuple) else (block, 1, 1)
        pointers = (c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
        self.machine.cu("cuLaunchKernel", self.handle, gx, gy, gz, bx, by, bz, shared, stream, pointers, None)

    def attribute(self, which: int) -> int:
        value = c_int()
        self.machine.cu("cuFuncGetAttribute", byref(value), which, self.handle)
        return value.value

    def set_attribute(self, which: int, value: int) -> None:
        self.machine.cu("cuFuncSetAttribute", self.handle, which, value)


# The plainest kernel, for tests that need any.
ADD = """
extern "C" __global__ void __launch_bounds__(256)
add(const float* __restrict__ a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""
