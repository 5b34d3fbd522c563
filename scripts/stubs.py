"""Writes the type stubs of the compiled module and of the ufuncs, the list of names, and the reference pages.

`generate` returns the files' text; `python scripts/stubs.py` writes them. Names and parameters come from the
package, results from the Rust signatures in `crates/cuprum-python/src`; both together decide every byte, so
that the check in `make check` can compare. All else of the package is typed where it is written.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import names
import reference

from cuprum import _core

ROOT = Path(__file__).resolve().parents[1]
CORE_STUB = "python/cuprum/_core.pyi"
UFUNC_STUB = "python/cuprum/_ufuncs.pyi"
SPECIAL_STUB = "python/cuprum/scipy/special/_ufuncs.pyi"
RUST = ROOT / "crates" / "cuprum-python" / "src"

_NOTE = "# Written by `make stubs` from the extension's own signatures. Do not edit."

_HEADER = """\
import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, Literal, SupportsIndex, TypeAlias, type_check_only

import numpy as np
from numpy.typing import NDArray as _HostArray
from typing_extensions import Self, TypeVar

from .typing import ArrayLike, DTypeLike

__version__: str

_ShapeT_co = TypeVar("_ShapeT_co", bound=tuple[int, ...], default=tuple[int, ...], covariant=True)
_DTypeT_co = TypeVar("_DTypeT_co", bound=np.dtype[Any], default=np.dtype[Any], covariant=True)

_Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
_Axis: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | None
_Order: TypeAlias = Literal["C", "F", "A", "K"] | None
_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
"""

_PARAMETERS = {
    "axis": "_Axis",
    "casting": "_Casting",
    "copy": "builtins.bool | None",
    "dtype": "DTypeLike | None",
    "keepdims": "builtins.bool",
    "order": "_Order",
    "out": "ndarray | None",
}
"""Types of parameters of array methods that mean the same in each; the others are Any."""

_OVERRIDES = {
    ("get", "out"): "_HostArray[Any] | None",
    ("get", "order"): "Any",
}

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
    ) -> tuple[np.dtype[Any], ...]: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def reduce(
        self,
        array: ArrayLike,
        axis: _Axis = ...,
        dtype: DTypeLike | None = ...,
        out: ndarray | tuple[ndarray] | None = ...,
        keepdims: builtins.bool = ...,
        initial: Any = ...,
        where: ArrayLike = ...,
    ) -> ndarray: ...
    def accumulate(
        self,
        array: ArrayLike,
        axis: SupportsIndex = ...,
        dtype: DTypeLike | None = ...,
        out: ndarray | tuple[ndarray] | None = ...,
    ) -> ndarray: ...
    def reduceat(
        self,
        array: ArrayLike,
        indices: ArrayLike,
        axis: SupportsIndex = ...,
        dtype: DTypeLike | None = ...,
        out: ndarray | tuple[ndarray] | None = ...,
    ) -> ndarray: ...
    def outer(self, A: ArrayLike, B: ArrayLike, /, **kwargs: Any) -> Any: ...
    def at(self, a: ndarray, indices: Any, b: ArrayLike = ..., /) -> None: ...
'''

_UFUNC_KINDS = {
    (1, 1): "_Unary",
    (2, 1): "_Binary",
    (3, 1): "_Ternary",
    (1, 2): "_UnaryPair",
    (2, 2): "_BinaryPair",
}
"""The classes of ufuncs in the stub, by the numbers of arguments and results."""

_ATTRIBUTES = {
    "T": "ndarray",
    "mT": "ndarray",
    "base": "ndarray | None",
    "dtype": "_DTypeT_co",
    "flags": "flagsobj",
    "flat": "flatiter",
    "imag": "ndarray",
    "itemsize": "int",
    "nbytes": "int",
    "ndim": "int",
    "real": "ndarray",
    "shape": "_ShapeT_co",
    "size": "int",
    "strides": "tuple[int, ...]",
}

_METHOD_RESULTS = {
    "fill": "None",
    "get": "_HostArray[Any]",
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
    "mdspan": "mdspan",
    "tolist": "Any",
}
"""Results of array methods where Rust's signature does not tell; where neither does, it is an array."""

_OPERATORS = (
    ["add", "and", "floordiv", "lshift", "matmul", "mod", "mul"]
    + ["or", "pow", "rshift", "sub", "truediv", "xor"],
    ["abs", "invert", "neg", "pos"],
    ["ge", "gt", "le", "lt"],
)

_SETTABLE = {"shape", "dtype", "strides", "real", "imag", "flat"}

# Results in Rust, and what Python gets of them.
_RUST_TYPES = {
    "": "None",
    "()": "None",
    "ArrayResult": "ndarray",
    "NdArray": "ndarray",
    "TupleResult": "tuple[ndarray, ...]",
    "bool": "builtins.bool",
    "f64": "float",
    "String": "str",
    "&str": "str",
    "PyDict": "dict[str, Any]",
    "PyList": "list[Any]",
    "PyBytes": "bytes",
    "PyString": "str",
    "PyTuple": "tuple[Any, ...]",
    "PyType": "type[Any]",
    "Vec<u8>": "bytes",
    **dict.fromkeys(["i8", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"], "int"),
}


def _arguments(text: str) -> list[str]:
    """Split what stands between brackets at the commas of the outermost level."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += char in "<(["
        depth -= char in ">)]"
        if char == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [part for part in (*parts, text[start:].strip()) if part and not part.startswith("'")]


def python_type(rust: str) -> str:
    """Return the Python type of a result in Rust; Any where it does not show.

    Examples
    --------
    >>> python_type("PyResult<Option<(i32, String)>>")
    'tuple[int, str] | None'
    >>> python_type("ArrayResult<'py>")
    'ndarray'
    """
    rust = rust.strip()
    if rust in _RUST_TYPES:
        return _RUST_TYPES[rust]
    if rust.startswith("(") and rust.endswith(")"):
        return f"tuple[{', '.join(map(python_type, _arguments(rust[1:-1])))}]"
    found = re.fullmatch(r"(\w+)<(.*)>", rust)
    if not found:
        return rust if hasattr(_core, rust) else "Any"
    outer, inner = found[1], _arguments(found[2])
    if outer in ("PyResult", "Bound", "Py", "PyRef") and inner:
        return python_type(inner[-1] if outer != "PyResult" else inner[0])
    if outer == "Option":
        held = python_type(inner[0])
        return held if held == "Any" else f"{held} | None"
    if outer == "Vec":
        return f"list[{python_type(inner[0])}]"
    return _RUST_TYPES.get(outer, "Any")


def _rust_functions(text: str) -> dict[str, str]:
    """Return the results of all functions of a text in Rust that Python sees, by their names there."""
    found: dict[str, str] = {}
    for start in re.finditer(
        r"((?:^[ ]*#\[.*\]\n)*)^[ ]*(?:pub(?:\([a-z]+\))? )?fn (\w+)", text, re.MULTILINE
    ):
        end = text.index("(", start.end())
        depth = 1
        while depth:
            end += 1
            depth += (text[end] == "(") - (text[end] == ")")
        result = re.match(r"\)\s*(?:->\s*(.*?))?\s*(?:\{|where)", text[end:], re.DOTALL)
        named = re.search(r'name\s*=\s*"(\w+)"', start[1])
        if result:
            found[named[1] if named else start[2]] = " ".join((result[1] or "").split())
    return found


def _rust_results() -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Return the results of functions by name, and of methods by class and name, as Python types."""
    functions: dict[str, str] = {}
    methods: dict[str, dict[str, str]] = {}
    names: dict[str, str] = {}
    texts = [path.read_text(encoding="utf-8") for path in sorted(RUST.rglob("*.rs"))]
    for text in texts:
        for attributes, struct in re.findall(
            r"#\[pyclass(.*?)\]\s*(?:#\[.*?\]\s*)*pub(?:\([a-z]+\))? struct (\w+)", text, re.DOTALL
        ):
            named = re.search(r'name\s*=\s*"(\w+)"', attributes)
            names[struct] = named[1] if named else struct
    for text in texts:
        for block in re.split(r"^(?=#\[pyfunction)", text, flags=re.MULTILINE)[1:]:
            for name, result in list(_rust_functions(block).items())[:1]:
                functions[name] = python_type(result)
        for block in re.split(r"^#\[pymethods\]\n", text, flags=re.MULTILINE)[1:]:
            struct = re.match(r"impl (\w+)", block)
            body = block[: block.index("\n}\n")]
            if struct:
                held = methods.setdefault(names.get(struct[1], struct[1]), {})
                held.update({name: python_type(result) for name, result in _rust_functions(body).items()})
    return functions, methods


def _parameters(name: str, signature: inspect.Signature, is_method: bool, types: dict[str, str]) -> list[str]:
    """Return a function's parameters as they stand in a stub, with types and without defaults' values."""
    parts: list[str] = []
    positional_only = False
    keyword_only = False
    for position, parameter in enumerate(signature.parameters.values()):
        kind = parameter.kind
        if is_method and position == 0:
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
        wanted = _OVERRIDES.get((name, parameter.name), types.get(parameter.name, "Any"))
        if kind is inspect.Parameter.VAR_POSITIONAL:
            parts.append(f"*{parameter.name}: Any")
            keyword_only = True
            continue
        if kind is inspect.Parameter.VAR_KEYWORD:
            parts.append(f"**{parameter.name}: Any")
            continue
        default = "" if parameter.default is inspect.Parameter.empty else " = ..."
        parts.append(f"{parameter.name}: {wanted}{default}")
    if positional_only:
        parts.append("/")
    return parts


def _definition(name: str, parameters: list[str], result: str, indent: str = "") -> str:
    line = f"{indent}def {name}({', '.join(parameters)}) -> {result}: ..."
    if len(line) <= 110:
        return line
    inner = "".join(f"{indent}    {parameter},\n" for parameter in parameters)
    return f"{indent}def {name}(\n{inner}{indent}) -> {result}: ..."


def _signature(name: str, function: Any, is_method: bool, types: dict[str, str]) -> list[str]:
    try:
        return _parameters(name, inspect.signature(function), is_method, types)
    except (TypeError, ValueError):
        return [*(["self"] if is_method else []), "*args: Any", "**kwargs: Any"]


def _property(name: str, result: str, settable: bool) -> str:
    text = f"    @property\n    def {name}(self) -> {result}: ..."
    if settable:
        text += f"\n    @{name}.setter\n    def {name}(self, value: Any) -> None: ..."
    return text


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


def _ndarray(rust: dict[str, str]) -> str:
    protocols = """\
    def __new__(
        cls,
        shape: _Shape,
        dtype: DTypeLike | None = ...,
        memptr: Any = ...,
        strides: Sequence[SupportsIndex] | None = ...,
        order: _Order = ...,
    ) -> ndarray: ...
    def __array__(self, dtype: Any = ..., copy: builtins.bool | None = ...) -> _HostArray[Any]: ...
    def __bool__(self) -> builtins.bool: ...
    def __complex__(self) -> complex: ...
    def __contains__(self, value: Any, /) -> builtins.bool: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any: ...
    def __arrow_c_array__(self, requested_schema: Any = ...) -> tuple[Any, Any]: ...
    def __dlpack__(self, **kwargs: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __float__(self) -> float: ...
    def __getitem__(self, key: Any, /) -> ndarray: ...
    def __index__(self) -> int: ...
    def __int__(self) -> int: ...
    def __iter__(self) -> Iterator[ndarray]: ...
    def __len__(self) -> int: ...
    def __setitem__(self, key: Any, value: Any, /) -> None: ..."""
    members = []
    for name in sorted(dir(_core.ndarray)):
        if name.startswith("_"):
            continue
        if name in _ATTRIBUTES or not callable(getattr(_core.ndarray, name)):
            result = _ATTRIBUTES.get(name) or rust.get(name, "Any")
            members.append(_property(name, result, name in _SETTABLE))
            continue
        value = inspect.getattr_static(_core.ndarray, name)
        parameters = _signature(name, value, True, _PARAMETERS)
        told = rust.get(name, "Any")
        result = _METHOD_RESULTS.get(name, "ndarray" if told == "Any" else told)
        members.append(_definition(name, parameters, result, "    "))
    doc = (inspect.getdoc(_core.ndarray) or "An array.").splitlines()[0]
    head = ["class ndarray(Generic[_ShapeT_co, _DTypeT_co]):", f'    """{doc}"""', "", protocols]
    return "\n".join([*head, *_operators(), *members])


def _class(name: str, rust: dict[str, str]) -> str:
    """Return a class of the extension other than arrays and ufuncs."""
    cls = getattr(_core, name)
    lines = [f"class {name}:"]
    for member, value in sorted(vars(cls).items()):
        result = rust.get(member, "Any")
        if member == "__new__":
            lines.append("    def __new__(cls, *args: Any, **kwargs: Any) -> Self: ...")
        elif member in ("__doc__", "__module__", "__hash__", "__match_args__"):
            continue
        elif member in ("__eq__", "__ne__"):
            lines.append(f"    def {member}(self, other: object, /) -> builtins.bool: ...")
        elif inspect.isgetsetdescriptor(value):
            lines.append(_property(member, result, True))
        elif isinstance(value, staticmethod):
            parameters = _signature(member, getattr(cls, member), False, {})
            lines += ["    @staticmethod", _definition(member, parameters, result, "    ")]
        elif isinstance(value, classmethod):
            parameters = _signature(member, getattr(cls, member), False, {})
            lines += ["    @classmethod", _definition(member, ["cls", *parameters], result, "    ")]
        elif callable(value):
            result = {"__bool__": "builtins.bool", "__len__": "int", "__repr__": "str", "__iter__": name}.get(
                member, result
            )
            lines.append(_definition(member, _signature(member, value, True, {}), result, "    "))
    return "\n".join(lines if len(lines) > 1 else [*lines, "    ..."])


def _ufunc_kinds() -> str:
    """Return the classes that say what a ufunc of so many arguments and results takes and gives."""
    texts = []
    for (nin, nout), name in _UFUNC_KINDS.items():
        arguments = ["x"] if nin == 1 else [f"x{i + 1}" for i in range(nin)]
        shown = ", ".join(f"{argument}: ArrayLike" for argument in arguments)
        one = "ndarray | tuple[ndarray | None, ...] | None"
        outs = f"out: {one} = ..." if nout == 1 else f"out1: {one} = ..., out2: {one} = ..."
        result = "ndarray" if nout == 1 else f"tuple[{', '.join(['ndarray'] * nout)}]"
        keyword = "" if nout == 1 else f"        out: {one} = ...,\n"
        slash = ", /" if nout == 1 else ""
        last = "" if nout == 1 else ", /"
        texts.append(
            f"@type_check_only\nclass {name}(ufunc):\n"
            f"    def __call__(\n        self,\n        {shown}{slash},\n        {outs}{last},\n"
            f"        *,\n{keyword}"
            f"        where: ArrayLike = ...,\n        dtype: DTypeLike | None = ...,\n"
            f"        casting: _Casting = ...,\n        order: _Order = ...,\n"
            f"        **kwargs: Any,\n    ) -> {result}: ..."
        )
    return "\n\n".join(texts)


def _core_stub() -> str:
    functions, methods = _rust_results()
    parts = [_NOTE, _HEADER.rstrip(), _ndarray(methods.get("ndarray", {})), _UFUNC.strip(), _ufunc_kinds()]
    classes = [name for name in sorted(dir(_core)) if inspect.isclass(getattr(_core, name))]
    parts += [_class(name, methods.get(name, {})) for name in classes if name not in ("ndarray", "ufunc")]
    lines = []
    for name in sorted(dir(_core)):
        value = getattr(_core, name)
        if inspect.isbuiltin(value):
            result = functions.get(name, "Any")
            result = "dict[str, ufunc]" if name == "ufuncs" else result
            lines.append(_definition(name, _signature(name, value, False, {}), result))
    return "\n\n".join([*parts, "\n".join(lines)]) + "\n"


def _ufunc_stub(namespace: str, package: str) -> str:
    """Return the stub of the rows of a namespace; `package` is the way to the extension module."""
    ufuncs = _core.ufuncs(namespace)
    kinds = {name: _UFUNC_KINDS[value.nin, value.nout] for name, value in ufuncs.items()}
    imported = ", ".join(sorted(set(kinds.values())))
    lines = [f"{name}: {kind}" for name, kind in sorted(kinds.items())]
    listed = "".join(f'    "{name}",\n' for name in sorted(kinds))
    return (
        "\n\n".join(
            [_NOTE, f"from {package}_core import {imported}", f"__all__ = [\n{listed}]", "\n".join(lines)]
        )
        + "\n"
    )


def generate() -> dict[str, str]:
    """Return the text of every generated file by its path from the repository's root."""
    return {
        CORE_STUB: _core_stub(),
        UFUNC_STUB: _ufunc_stub("ufunc", "."),
        SPECIAL_STUB: _ufunc_stub("special", "..."),
        names.NAMES: names.text(),
        **reference.pages(),
    }


def main() -> None:
    """Write the generated files into this checkout."""
    for path, text in generate().items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(text, encoding="utf-8")
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
