"""NVRTC by its C interface: compiles a text for a GPU that need not be there."""

import ctypes
import functools
import pathlib
import sysconfig

import pytest


@functools.cache
def library():
    """Return NVIDIA's compiler from its wheel; tests that need it are skipped where it is not installed."""
    found = sorted(pathlib.Path(sysconfig.get_path("purelib")).glob("nvidia/*/lib/libnvrtc.so.1*"))
    if not found:
        pytest.skip("NVRTC's wheel is not installed")
    return ctypes.CDLL(str(found[-1]))


def compile_text(
    text, names=(), options=("--gpu-architecture=sm_90", "--std=c++17", "--fmad=false"), headers=()
):
    """Compile a text with the instances of templates in `names`; the log is the assertion's message.

    `headers` are pairs of the name that a header is included by and its text.
    """
    nvrtc, program = library(), ctypes.c_void_p()
    strings = ctypes.c_char_p * len(headers)
    included = strings(*[name.encode() for name, _ in headers])
    texts = strings(*[header.encode() for _, header in headers])
    status = nvrtc.nvrtcCreateProgram(
        ctypes.byref(program), text.encode(), b"text.cu", len(headers), texts, included
    )
    assert status == 0, status
    try:
        for name in names:
            assert nvrtc.nvrtcAddNameExpression(program, name.encode()) == 0, name
        given = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
        status = nvrtc.nvrtcCompileProgram(program, len(options), given)
        size = ctypes.c_size_t()
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        assert status == 0, log.value.decode()
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
