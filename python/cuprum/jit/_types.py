"""The types that values of a Python kernel have, and how each is spelt in CUDA C.

A value is held in zero or more parts, each a C expression: a number in one, an array in a pointer and its
sizes, a tuple in the parts of its items. What only the compiler knows (functions, dtypes, modules, texts)
has no part at all.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from .._dtypes import bfloat16, is_bfloat16
from .._kernels._parameters import C_NAMES

__all__ = [
    "BOOL",
    "FLOAT32",
    "FLOAT64",
    "INT32",
    "INT64",
    "NONE",
    "UINT32",
    "UINT64",
    "Array",
    "Conflict",
    "Iterator",
    "Known",
    "Member",
    "NoneOf",
    "Pointer",
    "Record",
    "Scalar",
    "Static",
    "Text",
    "Tuple",
    "Type",
    "can_cast",
    "promoted",
    "scalar",
]

_C_NAMES = {
    **C_NAMES,
    "float16": "cu_half",
    "complex64": "cu_complex<float>",
    "complex128": "cu_complex<double>",
}


class Type:
    """What all types have: the C types of their parts, each with the suffix of its name."""

    def parts(self) -> tuple[tuple[str, str], ...]:
        """Return the C type and the name's suffix of each part."""
        raise NotImplementedError


@dataclass(frozen=True)
class Scalar(Type):
    """A number of a NumPy dtype."""

    name: str
    dtype: np.dtype[Any] = field(compare=False, repr=False)
    kind: str = field(compare=False, repr=False)
    c: str = field(compare=False, repr=False)

    @property
    def narrow(self) -> bool:
        """Whether it is computed with in float32: float16 and bfloat16."""
        return self.name in ("float16", "bfloat16")

    @classmethod
    def timed(cls, dtype: np.dtype[Any]) -> Scalar:
        """Return the type of dates, or of their differences."""
        return _SCALARS.setdefault(dtype.name, cls(dtype.name, dtype, dtype.kind, "long long"))

    def parts(self) -> tuple[tuple[str, str], ...]:
        return ((self.c, ""),)

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


_SCALARS = {
    name: Scalar(name, np.dtype(name), np.dtype(name).kind, c_name) for name, c_name in _C_NAMES.items()
}
_SCALARS["bfloat16"] = Scalar("bfloat16", bfloat16, "f", "cu_bfloat")

BOOL, INT32, INT64 = _SCALARS["bool"], _SCALARS["int32"], _SCALARS["int64"]
UINT32, UINT64 = _SCALARS["uint32"], _SCALARS["uint64"]
FLOAT32, FLOAT64 = _SCALARS["float32"], _SCALARS["float64"]


def scalar(dtype: Any) -> Scalar:
    """Return the type of numbers of a dtype; KeyError where kernels have none such."""
    if is_bfloat16(dtype):
        return _SCALARS["bfloat16"]
    kind = np.dtype(dtype)
    return Scalar.timed(kind) if kind.kind in "mM" else _SCALARS[kind.name]


def promoted(left: Scalar, right: Scalar) -> Scalar:
    """Return the type that NumPy gives two numbers in common; bfloat16 as Cuprum's arrays have it."""
    if "bfloat16" in (left.name, right.name):
        from .. import promote_types

        return scalar(promote_types(left.dtype, right.dtype))
    return scalar(np.promote_types(left.dtype, right.dtype))


def can_cast(source: Scalar, target: Scalar, casting: Literal["safe", "same_kind"] = "safe") -> bool:
    """Return whether NumPy converts numbers of one type to another under a rule."""
    if "bfloat16" in (source.name, target.name):
        from .. import can_cast as of_arrays

        return bool(of_arrays(source.dtype, target.dtype, casting))
    return bool(np.can_cast(source.dtype, target.dtype, casting))


@dataclass(frozen=True)
class Array(Type):
    """An array: a pointer, its sizes unless they are fixed, and strides (in elements) unless it is
    contiguous.
    """

    dtype: np.dtype[Any]
    ndim: int
    contiguous: bool = True
    writable: bool = True
    shape: tuple[int, ...] | None = None
    """The sizes where the compiler knows them: shared, local and constant arrays."""

    @property
    def in_bytes(self) -> bool:
        """Whether its elements are known by the address of their bytes: records and texts."""
        return is_in_bytes(self.dtype)

    @property
    def element(self) -> Scalar | Record | Text:
        """The type of its elements."""
        if self.dtype.kind in "SU":
            unit = text_unit(self.dtype)
            return Text(unit, 1, True, self.writable, (self.dtype.itemsize // unit.itemsize,))
        return Record(self.dtype, self.writable) if self.dtype.names else scalar(self.dtype)

    @property
    def pointee(self) -> str:
        """The C type that the pointer points to."""
        return "unsigned char" if self.in_bytes else scalar(self.dtype).c

    def parts(self) -> tuple[tuple[str, str], ...]:
        const = "" if self.writable else "const "
        out = [(f"{const}{self.pointee}*", "p")]
        if self.shape is None:
            out += [("long long", f"n{axis}") for axis in range(self.ndim)]
        if not self.contiguous:
            out += [("long long", f"s{axis}") for axis in range(self.ndim)]
        return tuple(out)

    def __str__(self) -> str:
        name = "record" if self.dtype.names else self.dtype.name
        layout = "C" if self.contiguous else "A"
        return f"array({name}, {self.ndim}d, {layout})"

    def __repr__(self) -> str:
        """Return the type as Numba shows those of a signature."""
        layout = "C" if self.contiguous else "A"
        aligned = self.dtype.names is None or self.dtype.isalignedstruct
        return f"Array({self.element!r}, {self.ndim}, '{layout}', {not self.writable}, aligned={aligned})"


@dataclass(frozen=True)
class Text(Array):
    """A text in a record or an array: the codes of its characters, and zeros behind them."""


def is_in_bytes(dtype: np.dtype[Any]) -> bool:
    """Whether kernels know an element of the dtype by the address of its bytes."""
    return dtype.names is not None or dtype.kind in "SU"


def text_unit(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of the codes that a text is made of."""
    return np.dtype(np.uint8 if dtype.kind == "S" else np.uint32)


MAX_TUPLE = 1024
"""The most values that a tuple holds, those of tuples in it included: each is a variable of the kernel."""


def check_tuple(size: int) -> None:
    """Raise where a tuple is too large."""
    if size > MAX_TUPLE:
        raise TypeError(f"a tuple of more than {MAX_TUPLE} values is too large for a kernel")


@dataclass(frozen=True)
class Tuple(Type):
    """A tuple, with the names of its items where it is a named one."""

    items: tuple[Type, ...]
    names: tuple[str, ...] | None = None
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        size = sum(item.size if isinstance(item, Tuple) else 1 for item in self.items)
        check_tuple(size)
        object.__setattr__(self, "size", size)

    def parts(self) -> tuple[tuple[str, str], ...]:
        return tuple(
            (c_name, f"{number}{suffix}")
            for number, item in enumerate(self.items)
            for c_name, suffix in item.parts()
        )

    def __str__(self) -> str:
        return f"Tuple({', '.join(map(str, self.items))})"


@dataclass(frozen=True)
class Record(Type):
    """An element of a structured array, by its address."""

    dtype: np.dtype[Any]
    writable: bool = True

    def parts(self) -> tuple[tuple[str, str], ...]:
        return (("unsigned char*" if self.writable else "const unsigned char*", "r"),)

    def __str__(self) -> str:
        return f"Record({', '.join(self.dtype.names or ())})"


@dataclass(frozen=True)
class Pointer(Type):
    """An address, as functions of CUDA C take it; of anything where there is no dtype."""

    dtype: np.dtype[Any] | None

    def parts(self) -> tuple[tuple[str, str], ...]:
        if self.dtype is None:
            return (("void*", "p"),)
        return (("unsigned char*" if self.dtype.names else f"{scalar(self.dtype).c}*", "p"),)

    def __str__(self) -> str:
        return "voidptr" if self.dtype is None else f"{self.dtype.name}*"


@dataclass(frozen=True)
class Iterator(Type):
    """A position in a sequence, as Thrust's algorithms take it: a pointer, or an object of CUDA C."""

    c: str
    element: Scalar

    def parts(self) -> tuple[tuple[str, str], ...]:
        return ((self.c, "it"),)

    def __str__(self) -> str:
        return f"iterator({self.element})"


@dataclass(frozen=True)
class NoneOf(Type):
    """`None`."""

    def parts(self) -> tuple[tuple[str, str], ...]:
        return ()

    def __str__(self) -> str:
        return "none"


NONE = NoneOf()


@dataclass(frozen=True)
class Conflict(Type):
    """The type of a variable that ways have bound to what has no type in common: who reads it fails."""

    left: str
    right: str

    def parts(self) -> tuple[tuple[str, str], ...]:
        return ()

    def __str__(self) -> str:
        return f"{self.left} on one way and {self.right} on another"


@dataclass(frozen=True)
class Known(Type):
    """The type of an argument whose value a device function knows when it is compiled."""

    kind: Type
    mark: str
    value: Any = field(compare=False)

    def parts(self) -> tuple[tuple[str, str], ...]:
        return self.kind.parts()

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"


@dataclass(frozen=True)
class Member(Type):
    """A member of an enumeration that is chosen when the kernel runs: by its place among them."""

    owner: type[enum.Enum]

    @classmethod
    def of(cls, kind: Type) -> Member | None:
        """Return the type that members of one enumeration have in common; None for other types."""
        if isinstance(kind, Member):
            return kind
        value = kind.value if isinstance(kind, Static) else None
        return cls(type(value)) if isinstance(value, enum.Enum) and value in list(type(value)) else None

    def place(self, member: enum.Enum) -> int:
        """Return the place of a member."""
        return list(self.owner).index(member)

    def parts(self) -> tuple[tuple[str, str], ...]:
        return (("int", "e"),)

    def __str__(self) -> str:
        return self.owner.__name__


class Static(Type):
    """Something that only the compiler knows: a function, a module, a dtype, a text. Equal where the object
    is.
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    def parts(self) -> tuple[tuple[str, str], ...]:
        return ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Static):
            return NotImplemented
        if isinstance(self.value, str) and isinstance(other.value, str):
            return self.value == other.value
        return self.value is other.value

    def __hash__(self) -> int:
        return hash(self.value) if isinstance(self.value, str) else id(self.value)

    def __str__(self) -> str:
        name = getattr(self.value, "__name__", None)
        return name if isinstance(name, str) else repr(self.value)
