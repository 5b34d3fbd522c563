"""Functions of CUDA C that Python kernels call: their text is put before the kernel's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ._part import Part
from ._types import NONE, Array, Pointer, Scalar, Type
from ._values import Value

if TYPE_CHECKING:
    from ._calls import Call

__all__ = ["External", "ExternalCalls"]


class External:
    """A function that is written in CUDA C.

    Attributes
    ----------
    name : str
        Its name there, which must be `extern "C"`.
    kinds, result : tuple of Type, Type
        The types of its arguments and of its result.
    through_pointer : bool
        Whether it writes its result where its first parameter points to, and returns a status.
    sources : tuple
        The texts that it needs: objects with `text`, `name` and `folder`.
    sig : Signature
        Its types as they were declared.
    cooperative : bool
        Whether it waits for the whole grid: a GPU launches kernels that call it with all blocks resident.
    """

    def __init__(
        self,
        name: str,
        kinds: tuple[Type, ...],
        result: Type,
        through_pointer: bool,
        sources: tuple[Any, ...],
        sig: Any = None,
        cooperative: bool = False,
    ) -> None:
        self.name = self.__name__ = name
        self.kinds = kinds
        self.result = result
        self.through_pointer = through_pointer
        self.sources = sources
        self.sig = sig
        self.cooperative = cooperative

    def place(self, variable: str) -> str:
        """Return the address of a variable for its result, as the type that its first parameter has in the
        text: what is unsigned there may be declared as signed.
        """
        pattern = rf"\b{re.escape(self.name)}\s*\(\s*((?:const\s+)?[A-Za-z_][\w ]*?\*)"
        for source in self.sources:
            found = re.search(pattern, source.text)
            if found:
                return f"({found[1]})&{variable}"
        return f"&{variable}"

    def __call__(self, *args: Any) -> Any:
        raise TypeError(f"{self.name!r} is a function of the device: kernels call it, the host does not")

    def __repr__(self) -> str:
        return f"<CUDA C function {self.name!r}>"


class ExternalCalls(Part):
    """The part of `FunctionText` that calls functions of CUDA C."""

    def call_external(self, thing: External, call: Call) -> Value:
        """Return the result of a call of a function of CUDA C."""
        if call.keywords or len(call.args) != len(thing.kinds):
            self.fail(f"{thing.name} takes {len(thing.kinds)} arguments, by position", call.node)
        for source in thing.sources:
            self.module.link(source)
        if thing.cooperative:
            self.module.cooperative = True
        given = [self._handed(value, kind, call) for value, kind in zip(call.args, thing.kinds, strict=True)]
        result = thing.result
        if not thing.through_pointer:
            code = f"{thing.name}({', '.join(given)})"
            if result == NONE:
                self.emit(f"{code};")
                return Value(NONE, (), None)
            return Value(result, (self.temporary(result.parts()[0][0], code),))
        if result == NONE:
            self.emit(f"{thing.name}({', '.join(['0', *given])});")
            return Value(NONE, (), None)
        self.need_type(result)
        name = self.fresh()
        self.emit(f"{result.parts()[0][0]} {name};")
        self.emit(f"{thing.name}({', '.join([thing.place(name), *given])});")
        return Value(result, (name,))

    def _handed(self, value: Value, kind: Type, call: Call) -> str:
        if isinstance(kind, Pointer):
            if isinstance(value.type, Pointer):
                return f"(({kind.parts()[0][0]}){value.code})"
            if isinstance(value.type, Array) and (kind.dtype is None or value.type.dtype == kind.dtype):
                return f"(({kind.parts()[0][0]}){value.parts[0]})"
            self.fail(f"{call.name} takes {kind}, not {value.type}", call.node)
        if not isinstance(kind, Scalar):
            self.fail(f"{call.name} takes {kind}, which functions of CUDA C cannot be given here", call.node)
        self.scalar_argument(value, call)
        return self.converted(value, kind, call.node).code
