"""Explicit types: Numba's names of types (`float32`, `int32[:, ::1]`, `void(...)`), as objects and as
text.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from .._dtypes import bfloat16, is_bfloat16
from ._types import NONE, Array, Pointer, Record, Scalar, Tuple, Type, scalar

__all__ = [
    "CONSTRUCTORS",
    "NAMES",
    "ArrayType",
    "NumbaType",
    "Signature",
    "dtype_named",
    "is_signature",
    "is_type",
    "parsed_result",
    "parsed_signature",
    "record_type",
    "type_named",
    "typeof",
]

_SPELLINGS = {
    "bool": "bool",
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
_PLAIN: tuple[str, ...] = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_PLAIN += ("bfloat16", "float16", "float32", "float64", "complex64", "complex128")


class AnyType:
    """The class of all of Numba's types."""

    def __init__(self, name: str = "") -> None:
        self.name = name


class NumbaType(AnyType):
    """A type of numbers by Numba's name. Called, it converts a number; `[:]` gives the type of its arrays.

    Examples
    --------
    >>> from cuprum.jit._signatures import NAMES
    >>> NAMES["float32"][:, ::1]
    array(float32, 2d, C)
    """

    def __init__(self, name: str, dtype: Any) -> None:
        self.name = self.__name__ = name
        self.dtype: np.dtype[Any] = bfloat16 if is_bfloat16(dtype) else np.dtype(dtype)

    @property
    def bitwidth(self) -> int:
        """The bits of a number."""
        return self.dtype.itemsize * 8

    def __call__(self, *args: Any) -> Any:
        if any(isinstance(arg, (NumbaType, ArrayType, PointerType)) for arg in args):
            return Signature(self, args)
        return self.dtype.type(*args)

    def __getitem__(self, key: Any) -> ArrayType:
        axes = key if isinstance(key, tuple) else (key,)
        for axis in axes:
            if not isinstance(axis, slice) or axis.start is not None or axis.stop is not None:
                raise TypeError("an array type is written with slices, as in float32[:, ::1]")
        steps = [axis.step for axis in axes] or [1]
        return ArrayType(self, len(axes), "C" if steps[-1] == 1 else "F" if steps[0] == 1 else "A")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumbaType) and other.dtype == self.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)

    def __repr__(self) -> str:
        name: str = self.dtype.name
        return name


class Integer(NumbaType):
    """The types of integers."""

    @property
    def signed(self) -> bool:
        """Whether there are negative ones."""
        return self.dtype.kind == "i"


class Boolean(NumbaType):
    """The type of truth values."""


class Float(NumbaType):
    """The types of real numbers."""


class Complex(NumbaType):
    """The types of complex numbers."""

    @property
    def underlying_float(self) -> NumbaType:
        """The type of the real and the imaginary part."""
        return number_type("float32" if self.dtype.itemsize == 8 else "float64")


class RecordType(NumbaType):
    """The types of records."""


_CLASSES = {"b": Boolean, "i": Integer, "u": Integer, "f": Float, "c": Complex, "V": RecordType}


def number_type(dtype: Any, name: str | None = None) -> NumbaType:
    """Return the type of numbers or records of a dtype."""
    kind: Any = bfloat16 if is_bfloat16(dtype) else np.dtype(dtype)
    return _CLASSES.get(kind.kind, NumbaType)(name or kind.name, kind)


class VoidType(AnyType):
    """`void`: called with types, it gives a signature."""

    name = __name__ = "void"

    def __call__(self, *args: Any) -> Signature:
        return Signature(None, args)

    def __repr__(self) -> str:
        return "none"


class ArrayType(AnyType):
    """The type of arrays: `float32[:, :]` of any layout, `float32[:, ::1]` contiguous."""

    def __init__(
        self,
        dtype: Any,
        ndim: int,
        layout: str,
        readonly: bool = False,
        name: Any = None,
        aligned: bool = True,
    ) -> None:
        element = getattr(dtype, "dtype", dtype)
        self.dtype: Any = bfloat16 if is_bfloat16(element) else np.dtype(element)
        self.ndim = ndim
        self.layout = layout
        self.mutable = not readonly

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrayType) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"array({self.dtype.name}, {self.ndim}d, {self.layout})"


class PointerType(AnyType):
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


NAMES: dict[str, Any] = {name: number_type(name) for name in _PLAIN}
"""Numba's names of types."""
NAMES.update({name: number_type(dtype, name) for name, dtype in _SPELLINGS.items()})
NAMES["void"] = NAMES["none"] = VoidType()
NAMES["voidptr"] = PointerType(None)


def record_type(dtype: Any) -> NumbaType:
    """Return the type of numbers or records of a NumPy dtype."""
    return number_type(dtype)


def typeof(value: Any) -> Any:
    """Return Numba's type of a number, an array, a record or a tuple.

    Examples
    --------
    >>> from cuprum.compat.numba import typeof
    >>> typeof(1.5), typeof(np.zeros((2, 3), "int32"))
    (float64, array(int32, 2d, C))
    """
    held = getattr(value, "_numba_type_", None)
    if held is not None:
        return held
    if isinstance(value, tuple):
        return tuple(typeof(item) for item in value)
    if isinstance(value, (bool, int, float, complex)):
        return NAMES[{bool: "boolean", int: "int64", float: "float64", complex: "complex128"}[type(value)]]
    if isinstance(value, (np.generic, np.ndarray)) or hasattr(value, "flags"):
        if isinstance(value, np.generic):
            return number_type(value.dtype)
        flags = value.flags
        return ArrayType(
            value.dtype, value.ndim, "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        )
    raise ValueError(f"cannot determine Numba type of {type(value)}")


CONSTRUCTORS: dict[str, Any] = {
    "Array": ArrayType,
    "CPointer": PointerType,
    "Type": AnyType,
    "Boolean": Boolean,
    "Complex": Complex,
    "Float": Float,
    "Integer": Integer,
    "Record": RecordType,
    "Tuple": tuple,
    "UniTuple": lambda kind, count: (kind,) * count,
}
"""Numba's makers of types."""


def dtype_named(thing: Any) -> np.dtype[Any] | None:
    """Return the dtype that an object names: NumPy's, Numba's or Python's types and texts; None where it
    names none.
    """
    dtype: np.dtype[Any]
    if isinstance(thing, np.dtype):
        return thing
    if is_bfloat16(thing):
        dtype = bfloat16
        return dtype
    if isinstance(thing, NumbaType):
        return thing.dtype
    if thing in (bool, int, float, complex):
        dtype = np.dtype(thing)
        return dtype
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
    if is_foreign_type(thing) and not hasattr(thing, "ndim"):
        # Its text is its name; those of records carry their dtype.
        own = getattr(thing, "dtype", None)
        if isinstance(own, np.dtype):
            return own
        name = str(thing)
        return dtype_named(name) if name in NAMES or name.startswith(("datetime64", "timedelta64")) else None
    return None


def is_foreign_type(thing: Any) -> bool:
    """Whether an object is a type of the real Numba."""
    return type(thing).__module__.startswith(("numba.core.types", "numba.cuda.types"))


def is_signature(thing: Any) -> bool:
    """Whether an object gives the types of a function's arguments and of its result."""
    return isinstance(thing, Signature) or (hasattr(thing, "args") and hasattr(thing, "return_type"))


def is_type(thing: Any) -> bool:
    """Whether an object is one of Numba's types: ours, or the real Numba's."""
    return isinstance(thing, AnyType) or is_foreign_type(thing)


def type_named(thing: Any) -> Type:
    """Return the type that an object of a signature names."""
    if isinstance(thing, (Scalar, Array, Tuple, Record, Pointer)):
        return thing
    if thing is None or isinstance(thing, VoidType):
        return NONE
    if isinstance(thing, ArrayType):
        return Array(thing.dtype, thing.ndim, thing.layout == "C", thing.mutable)
    if isinstance(thing, PointerType):
        return Pointer(thing.dtype)
    if isinstance(thing, tuple):
        return Tuple(tuple(type_named(item) for item in thing))
    dtype = dtype_named(thing)
    if dtype is not None:
        return Record(dtype) if dtype.names else scalar(dtype)
    if is_foreign_type(thing):
        found = _foreign(thing)
        if found is not None:
            return found
    raise TypeError(f"{thing!r} is no type of a kernel's argument")


def _foreign(thing: Any) -> Type | None:
    """Return the type that one of the real Numba's stands for; None where kernels have none such."""
    if str(thing) == "none":
        return NONE
    if hasattr(thing, "ndim"):
        element = dtype_named(thing.dtype)
        return (
            None if element is None else Array(element, thing.ndim, thing.layout == "C", bool(thing.mutable))
        )
    if str(thing) in ("voidptr", "void*"):
        return Pointer(None)
    if str(thing).endswith("*"):
        return Pointer(dtype_named(thing.dtype))
    items = getattr(thing, "types", None)
    if isinstance(items, tuple):
        return Tuple(tuple(type_named(item) for item in items), getattr(thing, "fields", None))
    return None


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
    kind = NONE if result is None else type_named(result)
    return None if kind == NONE else kind


def declared(signature: Any) -> Any:
    """Return a signature as an object with `args` and `return_type`, where it was given as a text."""
    return _evaluated(signature) if isinstance(signature, str) else signature


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
