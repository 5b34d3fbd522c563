"""The parameters of ElementwiseKernel and ReductionKernel, and the dtypes that a call gives them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from .. import _core

_NAME = re.compile(r"[A-Za-z_]\w*\Z")

C_NAMES = {
    "bool": "bool",
    "int8": "signed char",
    "uint8": "unsigned char",
    "int16": "short",
    "uint16": "unsigned short",
    "int32": "int",
    "uint32": "unsigned int",
    "int64": "long long",
    "uint64": "unsigned long long",
    "float32": "float",
    "float64": "double",
}
"""What C calls the dtypes that it has."""

_TYPE_NAMES = {
    **C_NAMES,
    "float16": "float16",
    "complex64": "complex<float>",
    "complex128": "complex<double>",
}


@dataclass(frozen=True)
class Parameter:
    """One parameter as it was written: a type, or a letter that stands for one, and a name."""

    name: str
    dtype: np.dtype[Any] | None
    type_name: str
    raw: bool
    constant: bool


def type_name(dtype: Any) -> str:
    """Return the C type of a dtype."""
    name = np.dtype(dtype).name
    if name not in _TYPE_NAMES:
        raise TypeError(f"kernels do not know dtype {name}")
    return _TYPE_NAMES[name]


@lru_cache(maxsize=1024)
def parse(text: str, constant: bool) -> tuple[Parameter, ...]:
    """Return the parameters of a list such as `"T x, raw T y"`."""
    if not text.strip():
        return ()
    return tuple(_parse_one(part, constant) for part in text.split(","))


def _parse_one(text: str, constant: bool) -> Parameter:
    words = text.split()
    if len(words) < 2:
        raise ValueError(f"a parameter is a type and a name, got {text.strip()!r}")
    *flags, written, name = words
    raw = False
    for flag in flags:
        if flag == "raw":
            raw = True
        elif flag == "_non_const":
            constant = False
        else:
            raise ValueError(f"unknown keyword {flag!r} in parameter {text.strip()!r}: use raw")
    if not _NAME.match(name):
        raise ValueError(f"{name!r} is no name for a parameter")
    if len(written) == 1:
        return Parameter(name, None, written, raw, constant)
    try:
        dtype = np.dtype(written)
    except TypeError:
        raise TypeError(f"parameter {name!r}: {written!r} is no dtype and no letter for one") from None
    return Parameter(name, dtype, type_name(dtype), raw, constant)


def check_name(name: str) -> None:
    """Raise unless a kernel can be called so."""
    if not isinstance(name, str) or not _NAME.match(name):
        raise ValueError(f"Invalid kernel name: {name!r}; it must be a name of C")


def function_name(name: str) -> str:
    """Return what a kernel is called in its text: names such as `norm` are functions of CUDA's own."""
    return name if name.endswith("kernel") else f"{name}_kernel"


def resolve(
    kernel: str,
    ins: tuple[Parameter, ...],
    outs: tuple[Parameter, ...],
    in_dtypes: tuple[Any, ...],
    out_dtypes: tuple[Any, ...],
) -> dict[str, np.dtype[Any]]:
    """Return what each letter stands for: the dtypes of outputs count first, then those of inputs.

    Numbers have no dtype here: they take that of the parameter.
    """
    letters: dict[str, np.dtype[Any]] = {}
    pairs = [*zip(outs, out_dtypes, strict=False), *zip(ins, in_dtypes, strict=True)]
    for parameter, dtype in pairs:
        if dtype is None:
            continue
        if parameter.dtype is not None:
            if parameter.dtype != dtype:
                raise TypeError(
                    f"{kernel}: parameter '{parameter.name}' is {parameter.dtype}, got {dtype} array"
                )
        elif letters.setdefault(parameter.type_name, dtype) != dtype:
            raise TypeError(
                f"{kernel}: parameter '{parameter.name}' is {parameter.type_name}, which is "
                f"{letters[parameter.type_name]} here, got {dtype} array"
            )
    for parameter in (*ins, *outs):
        if parameter.dtype is None and parameter.type_name not in letters:
            raise TypeError(
                f"{kernel}: the type {parameter.type_name} of parameter '{parameter.name}' cannot be told: "
                f"no array has it"
            )
    return letters


def dtype_of(parameter: Parameter, letters: dict[str, np.dtype[Any]]) -> np.dtype[Any]:
    """Return a parameter's dtype once letters are resolved."""
    return letters[parameter.type_name] if parameter.dtype is None else parameter.dtype


def element(parameter: Parameter, letters: dict[str, np.dtype[Any]], place: str) -> str:
    """Return the line that gives a parameter's name to its element, which lies at `place`.

    Arrays may hold booleans of any byte. One that is read as CUDA C's `bool` must be 0 or 1.
    """
    name, ctype = parameter.name, parameter.type_name
    if not parameter.constant:
        return f"{ctype}& {name} = {place};"
    if dtype_of(parameter, letters) == np.bool_:
        return f"const {ctype} {name} = *(const unsigned char*)&{place} != 0;"
    return f"const {ctype}& {name} = {place};"


def typedefs(letters: dict[str, np.dtype[Any]]) -> str:
    """Return the lines that give letters their types."""
    return "".join(f"typedef {type_name(dtype)} {letter};\n" for letter, dtype in sorted(letters.items()))


def is_texture(value: Any) -> bool:
    """Whether an argument is a texture or a surface, which kernels know by its handle."""
    from ..cuda.texture import SurfaceObject, TextureObject

    return isinstance(value, (SurfaceObject, TextureObject))


def given_dtype(value: Any, source: Any) -> np.dtype[Any] | None:
    """Return the dtype that an argument, made from `source`, has by itself; None for a number."""
    if isinstance(value, _core.ndarray):
        dtype: np.dtype[Any] = value.dtype
        return dtype
    return np.dtype(np.uint64) if is_texture(source) else None


def check_output(kernel: str, parameter: Parameter, out: Any) -> None:
    """Refuse `a[i]` of a single element for an output: it is a copy, and what is written would be lost.

    Under the names of CuPy the element knows its place in the array, and becomes a view of it.
    """
    if out._is_element and not out._write_through():
        raise ValueError(
            f"{kernel}: output '{parameter.name}' is a single element taken by an index, which is a copy: "
            "pass a view such as a[i, ...]"
        )


def argument(kernel: str, parameter: Parameter, value: Any) -> Any:
    """Return an argument as the kernels take it: an array of Cuprum, or a number."""
    if isinstance(value, (_core.ndarray, bool, int, float, complex, np.generic)):
        return value
    if is_texture(value):
        return np.uint64(value.ptr)
    if hasattr(value, "__cuda_array_interface__"):
        from .._creation.from_data import asarray

        return asarray(value)
    kind = "NumPy array: pass cp.asarray(x)" if isinstance(value, np.ndarray) else type(value).__name__
    raise TypeError(f"{kernel}: parameter '{parameter.name}' takes an array or a number, got {kind}")


def number(kernel: str, parameter: Parameter, value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a number as a scalar of the parameter's dtype, cast as NumPy casts an explicit conversion."""
    if isinstance(value, (complex, np.complexfloating)) and dtype.kind != "c":
        raise TypeError(f"{kernel}: parameter '{parameter.name}' is {dtype}, got a complex number")
    try:
        return dtype.type(value)
    except OverflowError:
        raise OverflowError(
            f"{kernel}: parameter '{parameter.name}' is {dtype}, which cannot hold {value}"
        ) from None


def preface(texts: tuple[str, ...], dtypes: list[np.dtype[Any]]) -> str:
    """Return the includes that a generated text begins with."""
    lines = ["#include <cupy/carray.cuh>"]
    if any(dtype.kind == "c" for dtype in dtypes) or any("complex" in text for text in texts):
        lines.append("#include <cupy/complex.cuh>")
    # CuPy's own header brings these to every kernel.
    if any("CUDART_" in text for text in texts):
        lines.append("#include <math_constants.h>")
    if any("atomic" in text for text in texts):
        lines.append("#include <cupy/atomics.cuh>")
    return "\n".join(lines) + "\n"
