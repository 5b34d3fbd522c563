"""PTX of Python functions under Numba's names: `compile_ptx`, `compile`, and what `inspect_asm` shows.

Kernels are written as CUDA C here, and NVRTC makes PTX of it: it is needed for these functions, a GPU is not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from cuprum import _core
from cuprum.jit._errors import LoweringError
from cuprum.jit._module import KernelText, compile_device_function, kernel_text
from cuprum.jit._rules import NUMBA
from cuprum.jit._signatures import NAMES, number_type, parsed_result, parsed_signature
from cuprum.jit._types import NONE, Pointer, Scalar, Type

from ._errors import raised_as_numbas

__all__ = [
    "compile",
    "compile_all",
    "compile_for_current_device",
    "compile_ptx",
    "compile_ptx_for_current_device",
    "ptx_of",
]

_LOWEST = (7, 5)
"""The oldest GPUs that every NVRTC of today compiles for."""


def _capability(cc: Any) -> tuple[int, int]:
    """Return the compute capability to compile for: the one given, the GPU's, or the lowest."""
    if cc is not None:
        return int(cc[0]), int(cc[1])
    gpu = _core.current_gpu()
    if gpu is None:
        return _LOWEST
    from ._devices import get_current_device

    major, minor = get_current_device().compute_capability
    return major, minor


def ptx_of(text: KernelText, options: Sequence[str], cc: Any = None) -> str:
    """Return the PTX of a kernel's text."""
    folders = [f"-I{folder}" for folder in text.folders]
    return str(_core.kernel_ptx(text.text, [*options, *folders], _capability(cc)))


def _options(debug: Any, lineinfo: bool, fastmath: bool, opt: Any) -> list[str]:
    options = ["--use_fast_math"] if fastmath else []
    if debug:
        options.append("--device-debug")
    elif lineinfo:
        options.append("--generate-line-info")
    return options


def _public(result: Type) -> Any:
    """Return a type of results under Numba's name."""
    return number_type(result.dtype) if isinstance(result, Scalar) else NAMES["void"]


def _exported(name: str, inner: str, kinds: tuple[Type, ...], result: Type, numba_abi: bool) -> str:
    """Return the function by which other code calls a device function: CUDA C's own calls, or Numba's, which
    return a status and write the result through their first parameter.
    """
    for kind in (*kinds, *(() if result == NONE else (result,))):
        if not isinstance(kind, (Scalar, Pointer)):
            raise LoweringError(f"{name}: a device function of PTX takes and returns numbers, not {kind}")
    types = [kind.parts()[0][0] for kind in kinds]
    params = [f"{c_type} a{number}" for number, c_type in enumerate(types)]
    call = f"{inner}({', '.join(f'a{number}' for number in range(len(types)))})"
    value = None if result == NONE else result.parts()[0][0]
    if not numba_abi:
        head = f'extern "C" __device__ {value or "void"} {name}({", ".join(params)})'
        return f"{head} {{ {'return ' if value else ''}{call}; }}\n"
    params = [f"{value or 'void'}* out", *params]
    head = f'extern "C" __device__ int {name}({", ".join(params)})'
    return f"{head} {{ {'*out = ' if value else ''}{call}; return 0; }}\n"


def compile(  # noqa: A001
    pyfunc: Callable[..., Any],
    sig: Any,
    debug: Any = None,
    lineinfo: bool = False,
    device: bool = True,
    fastmath: bool = False,
    cc: Any = None,
    opt: Any = None,
    abi: str = "c",
    abi_info: dict[str, Any] | None = None,
    output: str = "ptx",
    forceinline: bool = False,
    launch_bounds: Any = None,
) -> tuple[str, Any]:
    """Return the PTX of a Python function, and the type of its result.

    Parameters
    ----------
    pyfunc : callable
        The function.
    sig : str, signature or tuple of types
        The types of its arguments, and of its result where they name one.
    device : bool, optional
        Whether it is a device function, which takes and returns numbers, or a kernel.
    cc : tuple of int, optional
        The compute capability; that of the GPU, or 7.5 without one.
    abi : {'c', 'numba'}, optional
        How a device function is called: as CUDA C does, or with a status as result and the result behind the
        first parameter.
    abi_info : dict, optional
        `abi_name`: the name of a device function with the ABI 'c'.
    debug, lineinfo, fastmath, opt : optional
        What the compiler adds to the code, and whether it may trade accuracy for speed.
    output : {'ptx'}, optional
        What is made.
    forceinline, launch_bounds : optional
        Hints; `launch_bounds` is the most threads of a kernel's block.

    Returns
    -------
    tuple of str and type

    Examples
    --------
    >>> from cuprum.compat.numba import cuda
    >>> def add(x, y):
    ...     return x + y
    >>> try:
    ...     ptx, result = cuda.compile(add, "float32(float32, float32)")
    ...     found = ".func" in ptx
    ... except RuntimeError:
    ...     found = True  # NVRTC is not installed
    >>> found
    True
    """
    if output != "ptx":
        raise NotImplementedError(f"compile: output must be 'ptx' here, got {output!r}")

    if abi not in ("c", "numba"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    if abi == "c" and not device:
        raise NotImplementedError("The C ABI is not supported for kernels")
    kinds, wanted = parsed_signature(sig), parsed_result(sig)
    options = _options(debug, lineinfo, fastmath, opt)
    if not device:
        bounds = launch_bounds[0] if isinstance(launch_bounds, (tuple, list)) else launch_bounds
        with raised_as_numbas():
            _check_kernel(pyfunc, kinds, wanted)
            kernel = kernel_text(pyfunc, kinds, NUMBA, True, bounds)
        return ptx_of(kernel, options, cc), NAMES["void"]
    with raised_as_numbas():
        text, inner, result = compile_device_function(pyfunc, kinds, NUMBA, True)
    if wanted is not None:
        result = wanted
    own = re.sub(r"\W", "_", pyfunc.__name__)
    name = (abi_info or {}).get("abi_name") or own
    whole = text + _exported(name, inner, kinds, result, abi == "numba")
    # A device function is kept only where other code may be linked with it.
    options.append("--relocatable-device-code=true")
    return str(_core.kernel_ptx(whole, options, _capability(cc))), _public(result)


def _check_kernel(pyfunc: Callable[..., Any], kinds: tuple[Type, ...], wanted: Type | None) -> None:
    if wanted is not None and wanted != NONE:
        raise TypeError("CUDA kernel must have void return type.")
    try:
        result = compile_device_function(pyfunc, kinds, NUMBA, True)[2]
    except LoweringError:
        # Kernels may do what device functions by themselves may not.
        return
    if result != NONE:
        raise TypeError("CUDA kernel must have void return type.")


def compile_ptx(
    pyfunc: Callable[..., Any], sig: Any, device: bool = False, abi: str = "numba", **options: Any
) -> tuple[str, Any]:
    """Return the PTX of a Python function, a kernel unless `device` is given: see `compile`."""
    return compile(pyfunc, sig, device=device, abi=abi, **options)


def compile_for_current_device(pyfunc: Callable[..., Any], sig: Any, **options: Any) -> tuple[str, Any]:
    """Return the PTX of a Python function for the present GPU: see `compile`."""
    return compile(pyfunc, sig, **{**options, "cc": None})


def compile_ptx_for_current_device(pyfunc: Callable[..., Any], sig: Any, **options: Any) -> tuple[str, Any]:
    """Return the PTX of a Python function for the present GPU: see `compile_ptx`."""
    return compile_ptx(pyfunc, sig, **{**options, "cc": None})


def compile_all(pyfunc: Callable[..., Any], sig: Any, **options: Any) -> tuple[list[str], Any]:
    """Return a list of one text, the PTX of a Python function with all that it calls: see `compile`."""
    ptx, result = compile(pyfunc, sig, **options)
    return [ptx], result
