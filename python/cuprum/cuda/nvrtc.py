"""NVRTC, NVIDIA's compiler of CUDA C, by its own calls: found at run time like the rest of CUDA.

It needs no GPU. Kernels need none of this: `RawModule` compiles on every device, and on the CPU without
NVRTC. `available` says whether there is the library.
"""

from __future__ import annotations

import ctypes
import functools
import operator
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .. import _core
from . import runtime

__all__ = [
    "NVRTCError",
    "addNameExpression",
    "compileProgram",
    "createProgram",
    "destroyProgram",
    "getCUBIN",
    "getLTOIR",
    "getLoweredName",
    "getPTX",
    "getProgramLog",
    "getSupportedArchs",
    "getVersion",
]

_INVALID_PROGRAM = 4
_programs: dict[int, threading.Lock] = {}
"""The handles that are alive, since NVRTC reads whatever address it is given, and a lock for each: a thread
must not end a program that another one compiles."""


@functools.lru_cache(maxsize=1)
def _found() -> tuple[Any, str]:
    """Return the library and its error, one of them empty."""
    _, found, missing = next(row for row in _core.gpu_libraries() if row[0] == "NVRTC")
    if found is None:
        return None, str(missing)
    library = ctypes.CDLL(str(found[1]))
    number, address, text = ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p
    texts, size = ctypes.POINTER(text), ctypes.POINTER(ctypes.c_size_t)
    types: dict[str, list[Any]] = {
        "nvrtcVersion": [ctypes.POINTER(number), ctypes.POINTER(number)],
        "nvrtcGetNumSupportedArchs": [ctypes.POINTER(number)],
        "nvrtcGetSupportedArchs": [ctypes.POINTER(number)],
        "nvrtcCreateProgram": [ctypes.POINTER(address), text, text, number, texts, texts],
        "nvrtcDestroyProgram": [ctypes.POINTER(address)],
        "nvrtcCompileProgram": [address, number, texts],
        "nvrtcAddNameExpression": [address, text],
        "nvrtcGetLoweredName": [address, text, texts],
    }
    for output in ("PTX", "CUBIN", "LTOIR", "ProgramLog"):
        types[f"nvrtcGet{output}Size"] = [address, size]
        types[f"nvrtcGet{output}"] = [address, text]
    for name, arguments in types.items():
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, number
    library.nvrtcGetErrorString.argtypes = [number]
    library.nvrtcGetErrorString.restype = text
    return library, ""


def __getattr__(name: str) -> Any:
    if name == "available":
        return _found()[0] is not None
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _library() -> Any:
    library, missing = _found()
    if library is None:
        raise RuntimeError(f"nvrtc: {missing}")
    return library


class NVRTCError(RuntimeError):
    """An error that NVRTC reports, by its number.

    Parameters
    ----------
    status : int
        The number.

    Examples
    --------
    >>> error = cp.cuda.nvrtc.NVRTCError(4)
    >>> error.status
    4
    >>> not cp.cuda.nvrtc.available or "INVALID_PROGRAM" in str(error)
    True
    """

    def __init__(self, status: int) -> None:
        self.status = status
        library, _ = _found()
        # One that is unpickled where there is no NVRTC has no name.
        text = "NVRTC" if library is None else library.nvrtcGetErrorString(status).decode(errors="replace")
        super().__init__(f"{text} ({status})")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status,)


def _check(status: int) -> None:
    if status:
        raise NVRTCError(status)


@contextmanager
def _program(prog: int) -> Iterator[tuple[Any, int]]:
    """Give the library and a handle, which stays alive during the `with` block."""
    library, handle = _library(), operator.index(prog)
    lock = _programs.get(handle)
    if lock is None:
        raise NVRTCError(_INVALID_PROGRAM)
    with lock:
        # Another thread may have ended it meanwhile; a new program may have the same address.
        if _programs.get(handle) is not lock:
            raise NVRTCError(_INVALID_PROGRAM)
        yield library, handle


def _bytes(text: str | bytes, what: str) -> bytes:
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"nvrtc: the {what} must be str or bytes, got {type(text).__name__}")
    data = text.encode() if isinstance(text, str) else text
    if b"\0" in data:
        raise ValueError(f"nvrtc: the {what} holds a NUL")
    return data


def _strings(texts: Sequence[str | bytes], what: str) -> Any:
    return (ctypes.c_char_p * len(texts))(*[_bytes(text, what) for text in texts])


def getVersion() -> tuple[int, int]:  # noqa: N802 - CuPy's name
    """Return the compiler's version; where there is none, the one of CUDA whose names and constants are here.

    Examples
    --------
    >>> cp.cuda.nvrtc.getVersion() >= (12, 0)
    True
    """
    library, _ = _found()
    if library is None:
        version = runtime.runtimeGetVersion()
        return version // 1000, version % 1000 // 10
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
    return major.value, minor.value


def getSupportedArchs() -> tuple[int, ...]:  # noqa: N802 - CuPy's name
    """Return the compute capabilities that the compiler knows, as 90 for 9.0.

    Examples
    --------
    >>> not cp.cuda.nvrtc.available or 90 in cp.cuda.nvrtc.getSupportedArchs()
    True
    """
    library, count = _library(), ctypes.c_int()
    _check(library.nvrtcGetNumSupportedArchs(ctypes.byref(count)))
    numbers = (ctypes.c_int * count.value)()
    _check(library.nvrtcGetSupportedArchs(numbers))
    return tuple(numbers)


def createProgram(  # noqa: N802 - CuPy's name
    src: str, name: str, headers: Sequence[str | bytes], include_names: Sequence[str | bytes]
) -> int:
    """Return the handle of a new program; `destroyProgram` ends it.

    Parameters
    ----------
    src : str
        The text, CUDA C.
    name : str
        What messages call it; "" for NVRTC's own name.
    headers, include_names : sequence of str or bytes
        Texts of headers, and the names that include them.

    Examples
    --------
    >>> nvrtc = cp.cuda.nvrtc
    >>> text = "template<class T> __global__ void one(T* x) { *x = 1; }"
    >>> if nvrtc.available:
    ...     program = nvrtc.createProgram(text, "one.cu", (), ())
    ...     nvrtc.addNameExpression(program, "one<float>")
    ...     nvrtc.compileProgram(program, ("-arch=sm_90",))
    ...     assert nvrtc.getProgramLog(program) == ""
    ...     assert nvrtc.getLoweredName(program, "one<float>") == "_Z3oneIfEvPT_"
    ...     assert b".entry" in nvrtc.getPTX(program) and len(nvrtc.getCUBIN(program)) > 0
    ...     nvrtc.destroyProgram(program)
    """
    if len(headers) != len(include_names):
        raise ValueError(f"createProgram: {len(headers)} headers, but {len(include_names)} names of headers")
    library, program = _library(), ctypes.c_void_p()
    texts, names = _strings(headers, "header"), _strings(include_names, "header's name")
    source, called = _bytes(src, "text"), _bytes(name, "name") or None
    _check(library.nvrtcCreateProgram(ctypes.byref(program), source, called, len(headers), texts, names))
    made = int(program.value or 0)
    _programs[made] = threading.Lock()
    return made


def destroyProgram(prog: int) -> None:  # noqa: N802 - CuPy's name
    """End a program.

    Parameters
    ----------
    prog : int
        The program's handle.

    Examples
    --------
    >>> if cp.cuda.nvrtc.available:
    ...     nvrtc = cp.cuda.nvrtc
    ...     program = nvrtc.createProgram("__global__ void f() {}", "f.cu", (), ())
    ...     nvrtc.destroyProgram(program)
    """
    with _program(prog) as (library, handle):
        del _programs[handle]
        _check(library.nvrtcDestroyProgram(ctypes.byref(ctypes.c_void_p(handle))))


def compileProgram(prog: int, options: Sequence[str | bytes]) -> None:  # noqa: N802 - CuPy's name
    """Compile; `getProgramLog` has the messages.

    Parameters
    ----------
    prog : int
        The program's handle.
    options : sequence of str
        NVRTC's options.

    Raises
    ------
    NVRTCError
        Where the text or an option is refused.

    Examples
    --------
    >>> if cp.cuda.nvrtc.available:
    ...     nvrtc = cp.cuda.nvrtc
    ...     program = nvrtc.createProgram("__global__ void f() {}", "f.cu", (), ())
    ...     nvrtc.compileProgram(program, ("-arch=compute_90",))
    """
    with _program(prog) as (library, handle):
        _check(library.nvrtcCompileProgram(handle, len(options), _strings(options, "option")))


def _output(prog: int, name: str) -> bytes:
    """Return an output of a program as it is, with the NUL at the end of texts."""
    with _program(prog) as (library, handle):
        size = ctypes.c_size_t()
        _check(getattr(library, f"nvrtcGet{name}Size")(handle, ctypes.byref(size)))
        data = ctypes.create_string_buffer(size.value + 1)
        if size.value:
            _check(getattr(library, f"nvrtcGet{name}")(handle, data))
        return data.raw[: size.value]


def getPTX(prog: int) -> bytes:  # noqa: N802 - CuPy's name
    """Return what a program was compiled to, as PTX.

    Parameters
    ----------
    prog : int
        The program's handle.

    Examples
    --------
    >>> if cp.cuda.nvrtc.available:
    ...     nvrtc = cp.cuda.nvrtc
    ...     program = nvrtc.createProgram("__global__ void f() {}", "f.cu", (), ())
    ...     nvrtc.compileProgram(program, ("-arch=compute_90",))
    ...     assert b".entry" in nvrtc.getPTX(program)
    """
    return _output(prog, "PTX").removesuffix(b"\0")


def getCUBIN(prog: int) -> bytes:  # noqa: N802 - CuPy's name
    """Return the machine code of a program that was compiled for a GPU ("-arch=sm_90").

    Parameters
    ----------
    prog : int
        The program's handle.

    Examples
    --------
    >>> if cp.cuda.nvrtc.available:
    ...     nvrtc = cp.cuda.nvrtc
    ...     program = nvrtc.createProgram("__global__ void f() {}", "f.cu", (), ())
    ...     nvrtc.compileProgram(program, ("-arch=sm_90",))
    ...     assert nvrtc.getCUBIN(program)[1:4] == b"ELF"
    """
    code = _output(prog, "CUBIN")
    if len(code) <= 1:
        raise RuntimeError(
            "getCUBIN: the program is not compiled for a GPU: write -arch=sm_90, not compute_90"
        )
    return code


def getLTOIR(prog: int) -> bytes:  # noqa: N802 - CuPy's name
    """Return what the linker optimises, of a program that was compiled with "-dlto".

    Parameters
    ----------
    prog : int
        The program's handle.

    Examples
    --------
    >>> if cp.cuda.nvrtc.available:
    ...     nvrtc = cp.cuda.nvrtc
    ...     program = nvrtc.createProgram("__global__ void f() {}", "f.cu", (), ())
    ...     nvrtc.compileProgram(program, ("-arch=compute_90", "-dlto"))
    ...     assert len(nvrtc.getLTOIR(program)) > 0
    """
    code = _output(prog, "LTOIR")
    if not code:
        raise RuntimeError("getLTOIR: the program is compiled without the option -dlto")
    return code


def getProgramLog(prog: int) -> str:  # noqa: N802 - CuPy's name
    """Return the compiler's messages.

    Parameters
    ----------
    prog : int
        The program's handle.

    Examples
    --------
    >>> if cp.cuda.nvrtc.available:
    ...     nvrtc = cp.cuda.nvrtc
    ...     program = nvrtc.createProgram("__global__ void f() {}", "f.cu", (), ())
    ...     nvrtc.compileProgram(program, ("-arch=compute_90",))
    ...     assert nvrtc.getProgramLog(program) == ""
    """
    return _output(prog, "ProgramLog").removesuffix(b"\0").decode(errors="replace")


def addNameExpression(prog: int, name: str) -> None:  # noqa: N802 - CuPy's name
    """Ask for a kernel by a C++ expression, such as "scale<float>", before the program is compiled.

    Parameters
    ----------
    prog : int
        The program's handle.
    name : str
        The expression.

    Examples
    --------
    >>> if cp.cuda.nvrtc.available:
    ...     nvrtc = cp.cuda.nvrtc
    ...     program = nvrtc.createProgram("__global__ void f() {}", "f.cu", (), ())
    ...     nvrtc.addNameExpression(program, "f")
    """
    with _program(prog) as (library, handle):
        _check(library.nvrtcAddNameExpression(handle, _bytes(name, "name expression")))


def getLoweredName(prog: int, name: str) -> str:  # noqa: N802 - CuPy's name
    """Return the name in the compiled code of what `addNameExpression` asked for.

    Parameters
    ----------
    prog : int
        The program's handle.
    name : str
        The expression.

    Examples
    --------
    >>> if cp.cuda.nvrtc.available:
    ...     nvrtc = cp.cuda.nvrtc
    ...     program = nvrtc.createProgram("__global__ void f() {}", "f.cu", (), ())
    ...     nvrtc.addNameExpression(program, "f")
    ...     nvrtc.compileProgram(program, ("-arch=compute_90",))
    ...     assert nvrtc.getLoweredName(program, "f") == "_Z1fv"
    """
    with _program(prog) as (library, handle):
        lowered = ctypes.c_char_p()
        _check(library.nvrtcGetLoweredName(handle, _bytes(name, "name expression"), ctypes.byref(lowered)))
        return (lowered.value or b"").decode()
