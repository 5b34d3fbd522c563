"""The text of one kernel: its prelude, its device functions, its constants, and the kernel itself."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import _errors
from ._conversions import written
from ._exceptions import ERRORS, RAISED, RaisedException
from ._function import FunctionText
from ._inner import InnerFunction
from ._part import Part
from ._prelude import with_needed
from ._reserved import is_reserved
from ._rules import Rules
from ._source import Source
from ._statements import NotYetBound
from ._types import NONE, Known, Scalar, Static, Type, is_in_bytes, scalar

__all__ = ["KernelText", "ModuleText", "compile_device_function", "kernel_text"]

_MAX_FUNCTIONS = 1000
_MAX_DEPTH = 60
_MAX_CONSTANT = 4 << 20
_CONSTANT_MEMORY = 60_000


class ModuleText:
    """Collects what a kernel needs.

    Parameters
    ----------
    gpu : bool
        Whether the text is for a GPU, where indices are not checked.
    debug : bool, optional
        Whether the host is told what a thread raises.
    fast_math : bool, optional
        Whether floats are divided by zero without a word even then.
    """

    def __init__(self, gpu: bool, debug: bool = False, fast_math: bool = False) -> None:
        self.gpu = gpu
        self.debug = debug
        self.fast_math = fast_math
        self.cooperative = False
        self._needed: set[str] = set()
        self._checks = False
        self._asserts = False
        self._structures: dict[tuple[str, ...], str] = {}
        self._constants: dict[int, tuple[Any, str, str]] = {}
        self._functions: dict[Any, tuple[str, Type, dict[str, str]]] = {}
        self._texts: list[str] = []
        self._writing: dict[Any, tuple[str, FunctionText]] = {}
        self._prototypes: list[str] = []
        self._made: dict[Any, Any] = {}
        self._linked: dict[Any, Any] = {}
        self._captured: dict[str, Any] = {}
        self._sources: dict[Callable[..., Any], Source] = {}
        self._names: set[str] = set()
        self._inner: dict[int, InnerFunction] = {}
        self._escaped: dict[tuple[Any, ...], InnerFunction] = {}
        self._exceptions: list[RaisedException] = []

    def need(self, piece: str) -> None:
        """Put a piece of the prelude before the kernel."""
        self._needed.add(piece)

    def need_operators(self, kind: Scalar) -> None:
        """Give numbers that are structs in CUDA C the operators that CUB and Thrust use."""
        if kind.kind == "c" or kind.narrow:
            self.need(f"{kind.c.removeprefix('cu_').split('<')[0]}_operators")

    def need_check(self) -> None:
        """Say that an index is checked."""
        self._checks = True

    def need_assert(self) -> None:
        """Say that something is asserted."""
        self._asserts = True

    def source(self, function: Callable[..., Any]) -> Source:
        """Return the source of a function, read once."""
        if function not in self._sources:
            self._sources[function] = Source(function)
        return self._sources[function]

    def inner(self, outer: Source, node: ast.FunctionDef | ast.Lambda) -> InnerFunction:
        """Return a function that another one defines: the same object at every walk."""
        if id(node) not in self._inner:
            self._inner[id(node)] = InnerFunction(outer, node)
        return self._inner[id(node)]

    def escaped(self, inner: InnerFunction, constants: dict[str, Any]) -> InnerFunction:
        """Return a function that leaves the one around it with these constants: the same object for the same
        ones.
        """
        key = (id(inner), *((name, type(value), repr(value)) for name, value in sorted(constants.items())))
        if key not in self._escaped:
            self._escaped[key] = InnerFunction(inner.outer, inner.source.tree, constants)
        return self._escaped[key]

    def exception(self, raised: RaisedException) -> int:
        """Return the code by which the kernel tells an exception from others."""
        if raised not in self._exceptions:
            self._exceptions.append(raised)
        return self._exceptions.index(raised) + 1

    def file_literal(self, source: Source) -> str:
        """Return a file's name as C writes it."""
        text = (
            source.filename.encode("ascii", "backslashreplace").decode().replace("\\", "/").replace('"', "'")
        )
        return f'"{text}"'

    def unique(self, name: str) -> str:
        """Return a name at file scope that nothing else has; only kernels go without `py_`."""
        base = "".join(c if c.isascii() and c.isalnum() else "_" for c in name) or "f"
        candidate, number = f"py_{base}", 1
        while candidate in self._names:
            number += 1
            candidate = f"py_{base}_{number}"
        self._names.add(candidate)
        return candidate

    def structure(self, kind: Type) -> str:
        """Return the struct that holds the parts of a type."""
        fields = tuple(c_type for c_type, _ in kind.parts())
        if fields not in self._structures:
            self._structures[fields] = f"cu_parts_{len(self._structures)}"
        return self._structures[fields]

    def constant(self, array: np.ndarray[Any, Any], c_type: str, node: ast.AST, text: Part) -> str:
        """Return the name of a constant that holds an array as it is now."""
        if id(array) not in self._constants:
            if array.nbytes > _MAX_CONSTANT:
                text.fail(
                    f"the constant array has {array.nbytes} bytes; pass it as an argument",
                    node,
                    _errors.KernelValueError,
                )
            name = f"cu_constant_{len(self._constants)}"
            records = is_in_bytes(array.dtype)
            # Records and texts are found by the places of their bytes.
            data = np.ascontiguousarray(array).reshape(-1).view(np.uint8) if records else array.ravel()
            kind = scalar(data.dtype)
            space = "__constant__" if array.nbytes <= _CONSTANT_MEMORY else "__device__"
            if kind.kind in "mM":
                data, kind = data.view(np.int64), scalar("int64")
            items = [_initial(item, kind.name) for item in data.tolist()] or ["0"]
            if kind.name == "float32":
                items = [written(item, kind) for item in data] or ["0"]
            lines = [", ".join(items[i : i + 16]) for i in range(0, len(items), 16)]
            body = ",\n    ".join(lines)
            const = "" if kind.kind == "c" or kind.narrow else "const "
            aligned = "__align__(16) " if records else ""
            size = max(data.size, 1)
            declared = f"{space} {aligned}{const}{c_type} {name}[{size}] = {{\n    {body}\n}};"
            self._constants[id(array)] = (array, name, declared)
        return self._constants[id(array)][1]

    def device_function(
        self,
        source: Source,
        kinds: tuple[Type, ...],
        rules: Rules,
        caller: Part,
        node: ast.AST,
        captured: tuple[str, ...] = (),
    ) -> tuple[str, Type, dict[str, str]]:
        """Return a device function for these types of arguments: its name, the result's type, and what it
        takes behind its arguments. The last types are those of the variables that it captures.
        """
        place = source.tree if source.outer is not None else source.function
        key = (place, captured, kinds, rules.name)
        found = self._functions.get(key)
        if found is not None:
            return found
        if key in self._writing:
            name, text = self._writing[key]
            text.recursive = True
            if text.result is None and not text.returns_fixed:
                raise NotYetBound(text)
            return name, text.known_result(), dict(text.hidden)
        if len(self._functions) >= _MAX_FUNCTIONS or len(self._writing) >= _MAX_DEPTH:
            caller.fail("the kernel calls too many device functions", node, _errors.LoweringError)
        if captured:
            source = copy.copy(source)
            source.captured = captured
        text = FunctionText(self, source, rules, kernel=False)
        self._writing[key] = (self.unique(source.name), text)
        try:
            self._functions[key] = self._write_device_function(source, kinds, *self._writing[key])
        finally:
            del self._writing[key]
        return self._functions[key]

    def _write_device_function(
        self, source: Source, kinds: tuple[Type, ...], name: str, text: FunctionText
    ) -> tuple[str, Type, dict[str, str]]:
        names = [*_parameters(source.tree), *source.captured]
        for kind in kinds:
            text.need_type(kind.kind if isinstance(kind, Known) else kind)
        params, lines = text.write(list(zip(names, kinds, strict=True)))
        result = text.result if text.result is not None else NONE
        parts = result.parts()
        if text.env is not None and parts:
            text.fail(
                f"{source.name!r} returns {result} on one way and nothing on another; return a value on "
                "every way",
                source.tree,
            )
        c_type = "void" if not parts else parts[0][0] if len(parts) == 1 else self.structure(result)
        params += [f"{c_type} {hidden}" for hidden, c_type in text.hidden.items()]
        head = f"static __device__ {c_type} {name}({', '.join(params)})"
        if text.recursive:
            self._prototypes.append(f"{head};\n")
        self._texts.append(_function(head, lines))
        return name, result, dict(text.hidden)

    def written_so_far(self) -> tuple[int, int, set[Any]]:
        """Return what has been written, for `forget_since`."""
        return len(self._texts), len(self._prototypes), set(self._functions)

    def forget_since(self, written: tuple[int, int, set[Any]]) -> None:
        """Forget the device functions written since: they may have used a type that has changed."""
        texts, prototypes, functions = written
        del self._texts[texts:]
        del self._prototypes[prototypes:]
        self._functions = {key: found for key, found in self._functions.items() if key in functions}

    def made_by(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Return what a function of the host gives for constants: the same object at every walk."""
        key = (function, tuple((type(argument), argument) for argument in arguments))
        if key not in self._made:
            self._made[key] = function(*arguments)
        return self._made[key]

    def check_parameters(self, source: Source, rules: Rules) -> None:
        """Raise where a function has parameters that kernels do not."""
        arguments = source.tree.args
        for found, what in (
            (arguments.kwarg, "**kwargs"),
            (arguments.kwonlyargs, "keyword-only parameters"),
            (arguments.posonlyargs, "positional-only parameters"),
        ):
            if found:
                where = found[0] if isinstance(found, list) else found
                owner = FunctionText(self, source, rules, False)
                owner.fail(f"{what} are not supported; name every parameter", where, _errors.UnsupportedError)

    def kernel(
        self, function: Callable[..., Any], kinds: tuple[Type, ...], rules: Rules, max_threads: int | None
    ) -> KernelText:
        """Return the text of a kernel for these types of arguments."""
        source = self.source(function)
        text = FunctionText(self, source, rules, kernel=True)
        self.check_parameters(source, rules)
        names = _parameters(source.tree)
        if len(names) != len(kinds):
            raise TypeError(
                f"{source.name} takes {len(names)} arguments ({', '.join(names)}), not {len(kinds)}"
            )
        for kind in kinds:
            text.need_type(kind.kind if isinstance(kind, Known) else kind)
        params, lines = text.write(list(zip(names, kinds, strict=True)))
        plain = source.name.isascii() and source.name.isidentifier() and not is_reserved(source.name)
        name = source.name if plain else self.unique(source.name)
        if text.hidden.pop(RAISED, None) is not None:
            lines = ["int cu_raised_here = 0;", f"int* {RAISED} = &cu_raised_here;", *lines]
        params += [f"{c_type} {hidden}" for hidden, c_type in text.hidden.items()]
        bounds = f" __launch_bounds__({max_threads})" if max_threads else ""
        head = f'extern "C" __global__ void{bounds} {name}({", ".join(params)})'
        return KernelText(
            self.text(_function(head, lines)),
            name,
            tuple(names),
            self.cooperative,
            tuple(ERRORS if hidden == ERRORS else self._captured.get(hidden) for hidden in text.hidden),
            frozenset(source.filename for source in self._sources.values()),
            tuple(dict.fromkeys(folder for source in self._linked.values() for folder in source.folders)),
            tuple(self._exceptions),
        )

    def captured(self, array: Any) -> str:
        """Return the name of the parameter by which a kernel is given an array from outside."""
        for name, other in self._captured.items():
            if other is array:
                return name
        name = f"cu_captured_{len(self._captured)}"
        self._captured[name] = array
        return name

    def link(self, source: Any) -> None:
        """Put a text of CUDA C before the kernel, once."""
        self._linked.setdefault(source.text, source)

    def text(self, last: str) -> str:
        """Return everything, in an order in which it compiles."""
        out = []
        for source in self._linked.values():
            name = source.name.replace("\\", "/").replace('"', "'")
            out.append(f'#line 1 "{name}"\n{source.text}\n')
        if self._checks and self.gpu:
            out.append("#define __cuprum_check_index(index, size, axis, name) (index)\n")
        if self._asserts:
            out.append(_ASSERT if self.gpu else "#define CU_ASSERT __cuprum_assert\n")
        out += with_needed(self._needed)
        for fields, name in self._structures.items():
            members = " ".join(f"{c_type} f{number};" for number, c_type in enumerate(fields))
            out.append(f"struct {name} {{ {members} }};\n")
        out += [declared + "\n" for _, _, declared in self._constants.values()]
        out += self._prototypes + self._texts
        out.append(last)
        return "\n".join(out)


_ASSERT = """\
#define CU_ASSERT(condition, message) \\
    do { if (!(condition)) { printf("%s\\n", message); __trap(); } } while (0)
"""


class KernelText:
    """A kernel as CUDA C.

    Attributes
    ----------
    text : str
        The whole text.
    name : str
        The kernel's name in it.
    params : tuple of str
        The names of the Python parameters.
    cooperative : bool
        Whether its blocks synchronise with each other.
    hidden : tuple
        What it takes behind the user's arguments: arrays from outside, None for the size of the dynamic
        shared memory, and `ERRORS` for the array that says what was raised.
    files : frozenset of str
        The files that its functions stand in.
    folders : tuple of str
        Where the CUDA C that it calls finds its headers.
    exceptions : tuple of RaisedException
        What it may raise, by codes that count from 1.
    """

    def __init__(
        self,
        text: str,
        name: str,
        params: tuple[str, ...],
        cooperative: bool,
        hidden: tuple[Any, ...],
        files: frozenset[str],
        folders: tuple[str, ...] = (),
        exceptions: tuple[RaisedException, ...] = (),
    ) -> None:
        self.exceptions = exceptions
        self.text = text
        self.name = name
        self.params = params
        self.cooperative = cooperative
        self.hidden = hidden
        self.files = files
        self.folders = folders


def _parameters(tree: ast.FunctionDef | ast.Lambda) -> list[str]:
    """Return the names of the parameters; what `*args` takes comes last, as a tuple."""
    names = [arg.arg for arg in tree.args.args]
    return names if tree.args.vararg is None else [*names, tree.args.vararg.arg]


def _placed(lines: list[str]) -> Iterator[str]:
    """Give each line the place of its statement, which may have become several lines."""
    place, behind = "", ""
    for line in lines:
        if line.startswith("#line"):
            place = line
        elif place and not behind.startswith("#") and line not in ("{", "}"):
            yield place
        yield line
        behind = line


def _function(head: str, lines: list[str]) -> str:
    body = "\n".join(line if line.startswith("#") else "    " + line for line in _placed(lines))
    return f"{head}\n{{\n{body}\n}}\n"


def _initial(item: Any, kind: str) -> str:
    if kind.startswith("complex"):
        part = scalar("float32" if kind == "complex64" else "float64")
        return f"{{{written(item.real, part)}, {written(item.imag, part)}}}"
    if kind == "float16":
        return f"{{{int(np.float16(item).view(np.uint16))}}}"
    if kind == "bfloat16":
        return f"{{{int(np.float32(item).view(np.uint32)) >> 16}}}"
    return written(item, scalar(kind))


def kernel_text(
    function: Callable[..., Any],
    kinds: tuple[Type, ...],
    rules: Rules,
    gpu: bool,
    max_threads: int | None = None,
    linked: tuple[Any, ...] = (),
    debug: bool = False,
    fast_math: bool = False,
) -> KernelText:
    """Return a kernel as CUDA C, for these types of arguments, behind the texts that it is linked with."""
    module = ModuleText(gpu, debug, fast_math)
    for source in linked:
        module.link(source)
    try:
        return module.kernel(function, kinds, rules, max_threads)
    except RecursionError:
        raise _errors.LoweringError(
            f"an expression of {function.__name__!r} is nested too deeply; use variables for its parts"
        ) from None


def compile_device_function(
    function: Callable[..., Any], kinds: tuple[Type, ...], rules: Rules, gpu: bool
) -> tuple[str, str, Type]:
    """Return a function as CUDA C for these types of arguments: the text, its name and the type of its
    result.
    """
    module = ModuleText(gpu)
    source = module.source(function)
    caller = FunctionText(module, source, rules, kernel=False)
    module.check_parameters(source, rules)
    name, result, hidden = module.device_function(source, kinds, rules, caller, source.tree)
    if set(hidden) - {RAISED}:
        caller.fail("dynamic shared memory and arrays from outside can be used in kernels only", source.tree)
    if isinstance(result, Static):
        caller.fail(f"a device function cannot return {result}", source.tree)
    return module.text(""), name, result
