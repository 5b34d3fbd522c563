"""Values while a kernel is compiled: a type, the C expressions of its parts, and what is known about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._types import Static, Type

__all__ = ["UNKNOWN", "Value", "Variable", "static"]


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
        Whether it is an integer that cannot be negative, so that as an index it needs no wrapping.
    stable : bool
        Whether its expressions mean the same after other code has run: they read no memory.
    name : str
        What messages call it: the variable's name.
    """

    type: Type
    parts: tuple[str, ...]
    const: Any = UNKNOWN
    nonnegative: bool = False
    stable: bool = True
    name: str = ""

    @property
    def code(self) -> str:
        """The expression of a value of one part."""
        (only,) = self.parts
        return only

    @property
    def known(self) -> bool:
        """Whether the compiler knows the value."""
        return self.const is not UNKNOWN


def static(value: Any) -> Value:
    """Return the value of something that only the compiler knows."""
    return Value(Static(value), (), value)


@dataclass(frozen=True)
class Variable:
    """What is known of a variable at a place of the program.

    Attributes
    ----------
    type, const, nonnegative
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

    def key(self) -> tuple[Any, ...]:
        """Return what tells it from others, the line aside."""
        const = self.const
        if isinstance(const, (bool, int, float, complex, str, type(None), _Unknown)):
            # Zeros of both signs are equal, and so are 1, 1.0 and True.
            mark: Any = (type(const), repr(const))
        else:
            mark = id(const)
        return (self.type, mark, self.nonnegative, self.maybe)
