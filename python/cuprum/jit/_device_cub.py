"""CUB's reductions of warps and blocks in kernels: `cupyx.jit.cub`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from . import _errors
from ._intrinsics import Namespace
from ._native import Native
from ._types import Scalar, scalar
from ._values import Value, static

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["CUB_NAMES", "ClassTemplate", "StorageType"]


class StorageType:
    """The shared memory that a reduction works in: a dtype for `shared_memory`."""

    def __init__(self, owner: Reduction) -> None:
        self.owner = owner
        self.__name__ = f"{owner.__name__}.TempStorage"
        self._made: dict[tuple[str, int], Storage] = {}

    def declared(self, text: FunctionText, node: ast.AST, count: int) -> Value:
        """Return shared memory for so many of them."""
        text.module.need("cub")
        self.owner.need(text)
        name = text.own_array(node, "__shared__ ", f"{self.owner.c}::TempStorage", count, 0)
        if (name, count) not in self._made:
            self._made[name, count] = Storage(self, name, count)
        return static(self._made[name, count])

    def __repr__(self) -> str:
        return f"<{self.__name__}>"


class Storage:
    """Shared memory of several reductions, of which a warp or a block takes one."""

    def __init__(self, kind: StorageType, name: str, count: int) -> None:
        self.kind, self._name, self._count = kind, name, count
        self._items = {str(i): StorageItem(kind, f"{name}[{i}]") for i in range(count)}

    def __getitem__(self, i: int) -> StorageItem:
        return self._items[str(range(self._count)[i])]

    def item_at(self, text: FunctionText, index: Value) -> StorageItem:
        """Return the item at an index that the running kernel knows."""
        text.module.need("wrap")
        place = text.temporary("long long", f"cu_wrap({index.code}, {self._count})")
        text.module.need_check()
        text.emit(f'(void)__cuprum_check_index({place}, {self._count}LL, 0, "shared_memory");')
        # A second walk over the kernel must find the same object.
        if place not in self._items:
            self._items[place] = StorageItem(self.kind, f"{self._name}[{place}]")
        return self._items[place]


class StorageItem:
    """The shared memory of one reduction."""

    def __init__(self, kind: StorageType, code: str) -> None:
        self.kind, self.code = kind, code
        self.reducer = Reducer(kind.owner, code)


class Reducer(Namespace):
    """A reduction with its shared memory: `Sum` and `Reduce`."""

    def __init__(self, owner: Reduction, code: str) -> None:
        methods: dict[str, Any] = {name: ReducerMethod(name, owner, code) for name in ("Sum", "Reduce")}
        super().__init__(owner.__name__, **methods)


class ReducerMethod(Native):
    """`Sum` or `Reduce` of a reduction: all threads give a value, the first one gets the result."""

    def __init__(self, name: str, owner: Reduction, storage: str) -> None:
        super().__init__(name)
        self._owner, self._storage = owner, storage

    def write(self, text: FunctionText, call: Call) -> Value:
        kind = self._owner.element
        if self.__name__ == "Sum":
            (value,) = text.required(call, "input")
            operator = ""
        else:
            value, given = text.required(call, "input", "reduction_op")
            if not isinstance(given.const, FunctorObject):
                text.fail("Reduce takes cub.Sum(), cub.Max() or cub.Min()", call.node)
            operator = f", {given.const.c}"
        if value.type != kind:
            text.fail(f"{self._owner.__name__} reduces {kind}, not {value.type}", call.node)
        self._owner.need(text)
        code = f"{self._owner.c}({self._storage}).{self.__name__}({value.code}{operator})"
        return Value(kind, (text.temporary(kind.c, code),))


class Reduction(Namespace, Native):
    """`WarpReduce` or `BlockReduce` for a dtype: called with its shared memory, it gives a reducer."""

    def __init__(self, name: str, element: Scalar, threads: tuple[int, ...]) -> None:
        self.element = element
        self.c = f"cub::{name}<{', '.join([element.c, *map(str, threads)])}>"
        super().__init__(f"{name}[{', '.join([element.name, *map(str, threads)])}]")
        self.TempStorage = StorageType(self)

    def need(self, text: FunctionText) -> None:
        """Put what it stands on before the kernel."""
        text.need_type(self.element)
        text.module.need("cub")
        text.module.need_operators(self.element)

    def write(self, text: FunctionText, call: Call) -> Value:
        (storage,) = text.required(call, "temp_storage")
        item = storage.const
        if not isinstance(item, StorageItem) or item.kind is not self.TempStorage:
            text.fail(
                f"{self.__name__} takes an item of shared_memory(dtype={self.__name__}.TempStorage, ...)",
                call.node,
            )
        return static(item.reducer)


class ClassTemplate(Native):
    """`WarpReduce[dtype]`, `BlockReduce[dtype, threads]`."""

    def __init__(self, name: str, doc: str) -> None:
        super().__init__(name, doc)
        self._made: dict[Any, Reduction] = {}

    def __getitem__(self, arguments: Any) -> Reduction:
        given = arguments if isinstance(arguments, tuple) else (arguments,)
        threads = tuple(given[1:])
        wanted = 1 if self.__name__ == "BlockReduce" else 0
        if len(threads) != wanted or not all(isinstance(n, int) and 0 < n <= 1024 for n in threads):
            form = "[dtype, threads]" if wanted else "[dtype]"
            raise TypeError(f"{self.__name__} is written {self.__name__}{form}")
        try:
            element = scalar(given[0])
        except KeyError as error:
            raise TypeError(f"{self.__name__}: kernels have no numbers of dtype {given[0]}") from error
        key = (element, threads)
        if key not in self._made:
            self._made[key] = Reduction(self.__name__, element, threads)
        return self._made[key]

    def write(self, text: FunctionText, call: Call) -> Value:
        text.fail(f"write {self.__name__}[dtype] first", call.node, _errors.KernelValueError)


class FunctorObject:
    """What `Sum()`, `Max()` and `Min()` give."""

    def __init__(self, c: str) -> None:
        self.c = c


class Functor(Native):
    """`cub.Sum`, `cub.Max`, `cub.Min`: called without arguments, they give an operator for `Reduce`."""

    def __init__(self, name: str, doc: str) -> None:
        super().__init__(name, doc)
        self._object = FunctorObject(f"cub::{name}()")

    def write(self, text: FunctionText, call: Call) -> Value:
        text.required(call)
        text.module.need("cub")
        return static(self._object)


CUB_NAMES: dict[str, Any] = {
    "WarpReduce": ClassTemplate("WarpReduce", "A reduction of the values of a warp: ``WarpReduce[dtype]``."),
    "BlockReduce": ClassTemplate(
        "BlockReduce", "A reduction of the values of a block of so many threads: ``BlockReduce[dtype, 256]``."
    ),
    "Sum": Functor("Sum", "The sum, for `Reduce`."),
    "Max": Functor("Max", "The larger one, for `Reduce`."),
    "Min": Functor("Min", "The smaller one, for `Reduce`."),
}
"""What `cupyx.jit.cub` has."""
