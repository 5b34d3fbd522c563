"""Values while a kernel is compiled: a type, the C expressions of its parts, and what is known about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._types import Scalar, Static, Type

__all__ = ["LENGTH_BITS", "UNKNOWN", "WRAPS", "Value", "Variable", "static"]

WRAPS = 65
"""More bits than any type has: of what may have wrapped around."""
LENGTH_BITS = 60
"""The bits of an array's length, with room for a sum of some of them."""


class _Unknown:
    """The constant of a value that is no constant."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()


@dataclass(frozen=True)
class Value:
    """A value of a kernel.

    Attributes
    ----------
    type : Type
        Its type.
    parts : tuple of str
        A C expression for each part of the type.
    const : object
        The Python value, where the compiler knows it; else `UNKNOWN`.
    nonnegative : bool
        Whether it is an integer that is negative only where a sum or a product has wrapped around, so that as
        an index it needs no wrapping.
    stable : bool
        Whether its expressions mean the same after other code has run: they read no memory.
    name : str
        What messages call it: the variable's name.
    bits : int
        How many bits an integer that is not negative may have, before anything wraps; 0: those of its type.
    """

    type: Type
    parts: tuple[str, ...]
    const: Any = UNKNOWN
    nonnegative: bool = False
    stable: bool = True
    name: str = ""
    bits: int = 0

    @property
    def width(self) -> int:
        """How many bits an integer that is not negative may have."""
        if self.known and isinstance(self.const, (int, np.integer)):
            return int(self.const).bit_length()
        own = _own_bits(self.type)
        if isinstance(self.type, Scalar) and self.type.kind == "u":
            return min(self.bits or own, own)
        return self.bits or own

    @property
    def natural(self) -> bool:
        """Whether it is an integer that cannot be negative, whatever wraps around."""
        return self.nonnegative and self.width <= _own_bits(self.type)

    @property
    def code(self) -> str:
        """The expression of a value of one part."""
        (only,) = self.parts
        return only

    @property
    def known(self) -> bool:
        """Whether the compiler knows the value."""
        return self.const is not UNKNOWN


def _own_bits(kind: Type) -> int:
    """Return the bits of a type's numbers that are not negative."""
    if not isinstance(kind, Scalar) or kind.kind not in "iub":
        return 64
    return 8 * kind.dtype.itemsize - (kind.kind == "i")


def static(value: Any) -> Value:
    """Return the value of something that only the compiler knows."""
    return Value(Static(value), (), value)


@dataclass(frozen=True)
class Variable:
    """What is known of a variable at a place of the program.

    Attributes
    ----------
    type, const, nonnegative, bits
        As of the value that it holds.
    maybe : bool
        Whether some way here has not bound it.
    line : int
        Where it was bound, for messages.
    """

    type: Type
    const: Any = UNKNOWN
    nonnegative: bool = False
    maybe: bool = False
    line: int = 0
    bits: int = 0

    def key(self) -> tuple[Any, ...]:
        """Return what tells it from others, the line aside."""
        const = self.const
        if isinstance(const, (bool, int, float, complex, str, type(None), _Unknown)):
            # Zeros of both signs are equal, and so are 1, 1.0 and True.
            mark: Any = (type(const), repr(const))
        else:
            mark = id(const)
        return (self.type, mark, self.nonnegative, self.maybe, self.bits)
