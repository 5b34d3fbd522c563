"""Writes the type stubs and the reference pages from the package: names, signatures, the table of ops.

`generate` returns the files' text; `python scripts/stubs.py` writes them. The result depends on nothing but
the package, so that the check in `make check` can compare it byte for byte.
"""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import reference

import cuprum
from cuprum import _core

STUB = "python/cuprum/__init__.pyi"

_HEADER = """\
# Written by `make stubs` from the package's own signatures. Do not edit.

import builtins
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, SupportsIndex, TypeAlias

from numpy import (
{numpy_names}
)
from numpy.typing import NDArray

{submodules}

__version__: str
__all__: list[str]

_Array: TypeAlias = Any
_DType: TypeAlias = Any
_Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
_Axis: TypeAlias = SupportsIndex | tuple[SupportsIndex, ...] | None
_Order: TypeAlias = Literal["C", "F", "A", "K"] | None
_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
"""

_PARAMETERS = {
    "axis": "_Axis",
    "casting": "_Casting",
    "copy": "builtins.bool | None",
    "device": 'Literal["cpu"] | None',
    "dtype": "_DType | None",
    "endpoint": "builtins.bool",
    "equal_nan": "builtins.bool",
    "include_initial": "builtins.bool",
    "increasing": "builtins.bool",
    "keepdims": "builtins.bool",
    "ndmin": "SupportsIndex",
    "num": "SupportsIndex",
    "order": "_Order",
    "out": "ndarray | None",
    "retstep": "builtins.bool",
    "returned": "builtins.bool",
    "shape": "_Shape",
    "sparse": "builtins.bool",
    "subok": "builtins.bool",
    "verbose": "builtins.bool",
    "wrap": "builtins.bool",
}
"""Types of parameters that mean the same in every function; the others are Any."""

_OVERRIDES = {
    ("asnumpy", "out"): "NDArray[Any] | None",
    ("get", "out"): "NDArray[Any] | None",
    ("zeros_like", "shape"): "_Shape | None",
    ("ones_like", "shape"): "_Shape | None",
    ("full_like", "shape"): "_Shape | None",
    ("empty_like", "shape"): "_Shape | None",
    ("where", "x"): "_Array",
    ("where", "y"): "_Array",
    ("moveaxis", "source"): "_Shape",
    ("moveaxis", "destination"): "_Shape",
}

_RESULTS = {
    "fusion_log": "AbstractContextManager[Sequence[str]]",
    "unique_all": "Any",
    "unique_counts": "Any",
    "unique_inverse": "Any",
}
"""Results of functions whose signature shows what a decorator was given, or a class that is not public."""

_BUILTINS_SHADOWED = ("bool",)

_UFUNC = '''
class ufunc:
    """A function that works element by element, with NumPy's keywords and methods."""

    @property
    def __name__(self) -> str: ...
    @property
    def nin(self) -> int: ...
    @property
    def nout(self) -> int: ...
    @property
    def nargs(self) -> int: ...
    @property
    def ntypes(self) -> int: ...
    @property
    def types(self) -> list[str]: ...
    @property
    def identity(self) -> Any: ...
    @property
    def name(self) -> str: ...
    def resolve_dtypes(
        self,
        dtypes: tuple[Any, ...],
        *,
        signature: Any = ...,
        casting: _Casting | None = ...,
        reduction: builtins.bool = ...,
    ) -> tuple[dtype[Any], ...]: ...
    def __call__(
        self,
        *args: _Array,
        out: ndarray | tuple[ndarray | None, ...] | None = ...,
        where: _Array = ...,
        dtype: _DType | None = ...,
        casting: _Casting = ...,
        order: _Order = ...,
    ) -> Any: ...
    def reduce(
        self,
        array: _Array,
        axis: _Axis = ...,
        dtype: _DType | None = ...,
        out: ndarray | tuple[ndarray] | None = ...,
        keepdims: builtins.bool = ...,
        initial: Any = ...,
        where: _Array = ...,
    ) -> ndarray: ...
    def accumulate(
        self,
        array: _Array,
        axis: SupportsIndex = ...,
        dtype: _DType | None = ...,
        out: ndarray | tuple[ndarray] | None = ...,
    ) -> ndarray: ...
    def reduceat(
        self,
        array: _Array,
        indices: _Array,
        axis: SupportsIndex = ...,
        dtype: _DType | None = ...,
        out: ndarray | tuple[ndarray] | None = ...,
    ) -> ndarray: ...
    def outer(self, A: _Array, B: _Array, /, **kwargs: Any) -> Any: ...
    def at(self, a: ndarray, indices: Any, b: _Array = ..., /) -> None: ...
'''

_ATTRIBUTES = {
    "T": "ndarray",
    "mT": "ndarray",
    "base": "ndarray | None",
    "dtype": "Any",
    "flags": "Any",
    "flat": "flatiter",
    "imag": "ndarray",
    "itemsize": "int",
    "nbytes": "int",
    "ndim": "int",
    "real": "ndarray",
    "shape": "tuple[int, ...]",
    "size": "int",
    "strides": "tuple[int, ...]",
}

_METHOD_RESULTS = {
    "__array__": "NDArray[Any]",
    "__bool__": "builtins.bool",
    "__complex__": "complex",
    "__contains__": "builtins.bool",
    "__divmod__": "tuple[ndarray, ndarray]",
    "__dlpack_device__": "tuple[int, int]",
    "__float__": "float",
    "__format__": "str",
    "__hash__": "int",
    "__index__": "int",
    "__int__": "int",
    "__iter__": "Iterator[ndarray]",
    "__len__": "int",
    "__rdivmod__": "tuple[ndarray, ndarray]",
    "__setitem__": "None",
    "fill": "None",
    "get": "NDArray[Any]",
    "item": "Any",
    "nonzero": "tuple[ndarray, ...]",
    "put": "None",
    "resize": "None",
    "scatter_add": "None",
    "scatter_max": "None",
    "scatter_min": "None",
    "set": "None",
    "setfield": "None",
    "toDlpack": "Any",
    "tobytes": "bytes",
    "tolist": "Any",
}

_OPERATORS = (
    [
        "add",
        "and",
        "floordiv",
        "lshift",
        "matmul",
        "mod",
        "mul",
        "or",
        "pow",
        "rshift",
        "sub",
        "truediv",
        "xor",
    ],
    ["abs", "invert", "neg", "pos"],
    ["ge", "gt", "le", "lt"],
)


def _annotation(text: Any) -> str:
    """Return an annotation of the package as text that means the same inside the stub."""
    if text is inspect.Signature.empty:
        return "Any"
    text = text if isinstance(text, str) else getattr(text, "__name__", "Any")
    text = text.replace("np.ndarray", "NDArray[Any]").replace("np.dtype[Any]", "Any")
    text = text.replace("MemoryPointer", "cuda.MemoryPointer").replace("Function", "Any")
    for name in _BUILTINS_SHADOWED:
        if text == name:
            return f"builtins.{name}"
    return text


def _parameters(name: str, signature: inspect.Signature, skip_self: bool = False) -> list[str]:
    """Return a function's parameters as they stand in a stub, with types and without defaults' values."""
    parts: list[str] = []
    positional_only = False
    keyword_only = False
    for position, parameter in enumerate(signature.parameters.values()):
        kind = parameter.kind
        if skip_self and position == 0:
            parts.append("self")
            positional_only = kind is inspect.Parameter.POSITIONAL_ONLY
            continue
        if positional_only and kind is not inspect.Parameter.POSITIONAL_ONLY:
            parts.append("/")
            positional_only = False
        if kind is inspect.Parameter.POSITIONAL_ONLY:
            positional_only = True
        if kind is inspect.Parameter.KEYWORD_ONLY and not keyword_only:
            parts.append("*")
            keyword_only = True
        kind_of_type = _OVERRIDES.get((name, parameter.name), _PARAMETERS.get(parameter.name, "Any"))
        if kind is inspect.Parameter.VAR_POSITIONAL:
            parts.append(f"*{parameter.name}: Any")
            keyword_only = True
            continue
        if kind is inspect.Parameter.VAR_KEYWORD:
            parts.append(f"**{parameter.name}: Any")
            continue
        default = "" if parameter.default is inspect.Parameter.empty else " = ..."
        parts.append(f"{parameter.name}: {kind_of_type}{default}")
    if positional_only:
        parts.append("/")
    return parts


def _definition(name: str, parameters: list[str], result: str, indent: str = "", note: str = "") -> str:
    line = f"{indent}def {name}({', '.join(parameters)}) -> {result}: ...{note}"
    if len(line) <= 110:
        return line
    inner = "".join(f"{indent}    {parameter},\n" for parameter in parameters)
    return f"{indent}def {name}(\n{inner}{indent}) -> {result}: ...{note}"


def _function(name: str, function: Any) -> str:
    signature = inspect.signature(function)
    result = _RESULTS.get(name) or _annotation(signature.return_annotation)
    return _definition(name, _parameters(name, signature), result)


def _method(name: str) -> str | None:
    """Return one method or attribute of arrays; None where it is not to be shown."""
    value = inspect.getattr_static(_core.ndarray, name)
    if name in _ATTRIBUTES or not callable(getattr(_core.ndarray, name)):
        return f"    @property\n    def {name}(self) -> {_ATTRIBUTES.get(name, 'Any')}: ..."
    result = _METHOD_RESULTS.get(name, "ndarray")
    try:
        parameters = _parameters(name, inspect.signature(value), skip_self=True)
    except (TypeError, ValueError):
        parameters = ["self", "*args: Any", "**kwargs: Any"]
    return _definition(name, parameters, result, "    ")


def _operators() -> list[str]:
    binary, unary, order = _OPERATORS
    lines = []
    for name in binary:
        for prefix in ("", "r", "i"):
            lines.append(f"    def __{prefix}{name}__(self, other: Any, /) -> ndarray: ...")
    lines.extend(
        f"    def __{prefix}divmod__(self, other: Any, /) -> tuple[ndarray, ndarray]: ..."
        for prefix in ("", "r")
    )
    lines.extend(f"    def __{name}__(self) -> ndarray: ..." for name in unary)
    lines.extend(f"    def __{name}__(self, other: Any, /) -> ndarray: ..." for name in order)
    for name in ("eq", "ne"):
        lines.append(f"    def __{name}__(self, other: Any, /) -> ndarray: ...  # type: ignore[override]")
    lines.append("    __hash__: None  # type: ignore[assignment]")
    return lines


def _ndarray() -> str:
    members = [_method(name) for name in sorted(dir(_core.ndarray)) if not name.startswith("_")]
    protocols = """\
    def __new__(cls, shape: _Shape, dtype: _DType | None = ..., order: _Order = ...) -> ndarray: ...
    def __array__(self, dtype: _DType | None = ..., copy: builtins.bool | None = ...) -> NDArray[Any]: ...
    def __bool__(self) -> builtins.bool: ...
    def __complex__(self) -> complex: ...
    def __contains__(self, value: Any, /) -> builtins.bool: ...
    def __float__(self) -> float: ...
    def __getitem__(self, key: Any, /) -> ndarray: ...
    def __index__(self) -> int: ...
    def __int__(self) -> int: ...
    def __iter__(self) -> Iterator[ndarray]: ...
    def __len__(self) -> int: ...
    def __setitem__(self, key: Any, value: Any, /) -> None: ..."""
    shown = [member for member in members if member is not None]
    doc = (inspect.getdoc(_core.ndarray) or "An array.").splitlines()[0]
    return "\n".join(["class ndarray:", f'    """{doc}"""', "", protocols, *_operators(), *shown])


def _class(name: str, cls: type) -> str:
    """Return a class that the package defines in Python."""
    lines = [f"class {name}:"]
    members: dict[str, Any] = {}
    for base in cls.__mro__[:-1]:
        members = {**members, **{name: value for name, value in vars(base).items() if name not in members}}
    if cls.__module__ == _core.ndarray.__module__ and hasattr(_core, name):
        # The extension keeps its members in no order.
        members = dict(sorted(members.items()))
    for member, value in members.items():
        if member.startswith("_") and member not in ("__init__", "__call__", "__iter__", "__next__"):
            continue
        if isinstance(value, property):
            result = _annotation(inspect.signature(value.fget).return_annotation) if value.fget else "Any"
            lines.append(f"    @property\n    def {member}(self) -> {result}: ...")
        elif inspect.isgetsetdescriptor(value):
            lines.append(f"    @property\n    def {member}(self) -> Any: ...")
        elif callable(value):
            signature = inspect.signature(value)
            parameters = _parameters(member, signature, skip_self=True)
            lines.append(_definition(member, parameters, _annotation(signature.return_annotation), "    "))
    attributes = {"broadcast": ["index: int", "numiter: int"]}
    lines.extend(f"    {attribute}" for attribute in attributes.get(name, []))
    return "\n".join(lines)


def _is_numpys(name: str) -> bool:
    return hasattr(np, name) and getattr(np, name) is getattr(cuprum, name)


def _stub() -> str:
    numpys, ufuncs, values, functions, classes, aliases = [], [], [], [], [], []
    first_name: dict[int, str] = {}
    for name in cuprum.__all__:
        value = getattr(cuprum, name)
        if name in ("ndarray", "ufunc"):
            continue
        if _is_numpys(name):
            numpys.append(name)
        elif isinstance(value, _core.ufunc):
            ufuncs.append(name)
        elif inspect.isclass(value):
            classes.append(_class(name, value))
        elif callable(value):
            known = first_name.setdefault(id(value), getattr(value, "__name__", name))
            if known == name:
                functions.append(_function(name, value))
            else:
                aliases.append(f"{name} = {known}")
        else:
            values.append(f"{name}: Any")
    header = _HEADER.format(
        numpy_names="\n".join(f"    {name} as {name}," for name in sorted(numpys)),
        submodules="\n".join(f"from . import {name} as {name}" for name in sorted(cuprum._SUBMODULES)),
    )
    parts = [
        header.rstrip(),
        _ndarray(),
        textwrap.dedent(_UFUNC).strip(),
        "\n".join(f"{name}: ufunc" for name in ufuncs),
        "\n".join(values),
        "\n\n".join(classes),
        "\n".join(functions),
        "\n".join(aliases),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def generate() -> dict[str, str]:
    """Return the text of every generated file by its path from the repository's root."""
    return {STUB: _stub(), **reference.pages()}


def main() -> None:
    """Write the generated files into this checkout."""
    root = Path(__file__).resolve().parents[1]
    for path, text in generate().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
