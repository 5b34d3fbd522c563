"""Explicit types: Numba's names of types (`float32`, `int32[:, ::1]`, `void(...)`), as objects and as
text.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ._types import NONE, Array, Pointer, Record, Scalar, Tuple, Type, scalar

__all__ = [
    "CONSTRUCTORS",
    "NAMES",
    "ArrayType",
    "NumbaType",
    "Signature",
    "dtype_named",
    "parsed_result",
    "parsed_signature",
    "record_type",
    "type_named",
]

_SPELLINGS = {
    "boolean": "bool",
    "bool_": "bool",
    "b1": "bool",
    "byte": "uint8",
    "char": "int8",
    "uchar": "uint8",
    "short": "int16",
    "ushort": "uint16",
    "int_": "int64",
    "uint": "uint64",
    "intc": "int32",
    "uintc": "uint32",
    "intp": "int64",
    "uintp": "uint64",
    "size_t": "uint64",
    "ssize_t": "int64",
    "long_": "int64",
    "ulong": "uint64",
    "longlong": "int64",
    "ulonglong": "uint64",
    "i1": "int8",
    "i2": "int16",
    "i4": "int32",
    "i8": "int64",
    "u1": "uint8",
    "u2": "uint16",
    "u4": "uint32",
    "u8": "uint64",
    "f2": "float16",
    "f4": "float32",
    "f8": "float64",
    "c8": "complex64",
    "c16": "complex128",
    "float_": "float32",
    "double": "float64",
}
_PLAIN = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_PLAIN += ("float16", "float32", "float64", "complex64", "complex128")


class NumbaType:
    """A type of numbers by Numba's name. Called, it converts a number; `[:]` gives the type of its arrays.

    Examples
    --------
    >>> from cuprum.jit._signatures import NAMES
    >>> NAMES["float32"][:, ::1]
    array(float32, 2d, C)
    """

    def __init__(self, name: str, dtype: Any) -> None:
        self.name = self.__name__ = name
        self.dtype = np.dtype(dtype)

    def __call__(self, *args: Any) -> Any:
        if any(isinstance(arg, (NumbaType, ArrayType)) for arg in args):
            return Signature(self, args)
        return self.dtype.type(*args)

    def __getitem__(self, key: Any) -> ArrayType:
        return ArrayType(self.dtype, key if isinstance(key, tuple) else (key,))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumbaType) and other.dtype == self.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)

    def __repr__(self) -> str:
        return self.dtype.name


class VoidType:
    """`void`: called with types, it gives a signature."""

    name = __name__ = "void"

    def __call__(self, *args: Any) -> Signature:
        return Signature(None, args)

    def __repr__(self) -> str:
        return "none"


class ArrayType:
    """The type of arrays: `float32[:, :]` of any layout, `float32[:, ::1]` contiguous."""

    def __init__(self, dtype: Any, axes: tuple[Any, ...]) -> None:
        for axis in axes:
            if not isinstance(axis, slice) or axis.start is not None or axis.stop is not None:
                raise TypeError("an array type is written with slices, as in float32[:, ::1]")
        self.dtype = np.dtype(dtype)
        self.ndim = len(axes)
        steps = [axis.step for axis in axes] or [1]
        self.layout = "C" if steps[-1] == 1 else "F" if steps[0] == 1 else "A"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrayType) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"array({self.dtype.name}, {self.ndim}d, {self.layout})"


class PointerType:
    """The type of an address of numbers: `CPointer(float32)`."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = (
            None if dtype is None or isinstance(dtype, VoidType) else np.dtype(getattr(dtype, "dtype", dtype))
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PointerType) and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash(("pointer", self.dtype))

    def __repr__(self) -> str:
        return "voidptr" if self.dtype is None else f"{self.dtype.name}*"


class Signature:
    """The types of a function's arguments and of its result."""

    def __init__(self, result: Any, args: tuple[Any, ...]) -> None:
        self.return_type = result
        self.args = args

    def __repr__(self) -> str:
        return f"({', '.join(map(str, self.args))}) -> {self.return_type}"


NAMES: dict[str, Any] = {name: NumbaType(name, name) for name in _PLAIN}
"""Numba's names of types."""
NAMES.update({name: NumbaType(name, dtype) for name, dtype in _SPELLINGS.items()})
NAMES["void"] = NAMES["none"] = VoidType()
NAMES["voidptr"] = PointerType(None)


def array_type(dtype: Any, ndim: int, layout: str) -> ArrayType:
    """Return the type of arrays of a dtype, a number of axes and a layout: 'C', 'F' or 'A'."""
    made = ArrayType(getattr(dtype, "dtype", dtype), (slice(None),) * ndim)
    made.layout = layout
    return made


def record_type(dtype: Any) -> NumbaType:
    """Return the type of numbers or records of a NumPy dtype."""
    kind = np.dtype(dtype)
    return NumbaType(kind.name, kind)


CONSTRUCTORS: dict[str, Any] = {
    "Array": array_type,
    "CPointer": PointerType,
    "Tuple": tuple,
    "UniTuple": lambda kind, count: (kind,) * count,
}
"""Numba's makers of types."""


def dtype_named(thing: Any) -> np.dtype[Any] | None:
    """Return the dtype that an object names: NumPy's, Numba's or Python's types and texts; None where it
    names none.
    """
    if isinstance(thing, np.dtype):
        return thing
    if isinstance(thing, NumbaType):
        return thing.dtype
    if thing in (bool, int, float, complex):
        return np.dtype(thing)
    if isinstance(thing, type) and issubclass(thing, np.generic):
        try:
            return np.dtype(thing)
        except TypeError:
            return None
    if isinstance(thing, str):
        if thing in NAMES:
            return getattr(NAMES[thing], "dtype", None)
        try:
            return np.dtype(thing)
        except TypeError:
            return None
    # A type object of the real Numba: its text is its name; those of records carry their dtype.
    if type(thing).__module__.startswith(("numba.core.types", "numba.cuda.types")):
        dtype = getattr(thing, "dtype", None)
        if isinstance(dtype, np.dtype):
            return dtype
        return dtype_named(str(thing)) if str(thing) in NAMES else None
    return None


def type_named(thing: Any) -> Type:
    """Return the type that an object of a signature names."""
    if isinstance(thing, (Scalar, Array, Tuple, Record, Pointer)):
        return thing
    if thing is None or isinstance(thing, VoidType):
        return NONE
    if isinstance(thing, ArrayType):
        return Array(thing.dtype, thing.ndim, thing.layout == "C")
    if isinstance(thing, PointerType):
        return Pointer(thing.dtype)
    if isinstance(thing, tuple):
        return Tuple(tuple(type_named(item) for item in thing))
    dtype = dtype_named(thing)
    if dtype is not None:
        return Record(dtype) if dtype.names else scalar(dtype)
    if type(thing).__module__.startswith(("numba.core.types", "numba.cuda.types")) and hasattr(thing, "ndim"):
        element = dtype_named(thing.dtype)
        if element is not None:
            return Array(element, thing.ndim, thing.layout == "C")
    raise TypeError(f"{thing!r} is no type of a kernel's argument")


def parsed_signature(signature: Any) -> tuple[Type, ...]:
    """Return the types of the arguments of `'void(float32[:], int32)'`, of a call of a type, or of a tuple
    of types.

    Examples
    --------
    >>> from cuprum.jit._signatures import parsed_signature
    >>> [str(t) for t in parsed_signature("void(float32[:], int32)")]
    ['array(float32, 1d, A)', 'int32']
    """
    if isinstance(signature, str):
        signature = _evaluated(signature)
    if isinstance(signature, (tuple, list)):
        return tuple(type_named(item) for item in signature)
    args = getattr(signature, "args", None)
    if args is None:
        raise TypeError(
            f"{signature!r} is no signature; write 'void(float32[:], int32)' or (float32[:], int32)"
        )
    return tuple(type_named(item) for item in args)


def parsed_result(signature: Any) -> Type | None:
    """Return the type of the result that a signature says; None where it says none."""
    if isinstance(signature, str):
        signature = _evaluated(signature)
    result = getattr(signature, "return_type", None)
    return None if result is None or isinstance(result, VoidType) else type_named(result)


def _evaluated(text: str) -> Any:
    """Return what a signature's text says; only names of types, calls, brackets and tuples are read."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise TypeError(
            f"the signature {text!r} cannot be read; write it as 'void(float32[:], int32)'"
        ) from None
    return _node(tree, text)


def _node(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Name) and node.id in NAMES:
        return NAMES[node.id]
    if isinstance(node, ast.Attribute) and node.attr in NAMES:
        return NAMES[node.attr]
    if isinstance(node, ast.Tuple | ast.List):
        return tuple(_node(item, text) for item in node.elts)
    if isinstance(node, ast.Call) and not node.keywords:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        args = tuple(_node(item, text) for item in node.args)
        if name == "Tuple" and len(args) == 1:
            return args[0]
        if name == "UniTuple" and len(node.args) == 2:
            count = getattr(node.args[1], "value", 0)
            return (args[0],) * int(count)
        if name == "CPointer" and len(args) == 1:
            return PointerType(args[0])
        return Signature(_node(node.func, text), args)
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Subscript):
        element = _node(node.value, text)
        axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        slices = []
        for axis in axes:
            if not isinstance(axis, ast.Slice) or axis.lower is not None or axis.upper is not None:
                raise TypeError(
                    f"the signature {text!r} cannot be read; arrays are written as float32[:, ::1]"
                )
            step = getattr(axis.step, "value", None) if axis.step is not None else None
            slices.append(slice(None, None, step))
        if isinstance(element, NumbaType):
            return element[tuple(slices)]
    raise TypeError(
        f"the signature {text!r} cannot be read: {ast.unparse(node)!r} is no type of a kernel's argument"
    )
