"""A kernel's text and how it is compiled; modules of one text are compiled once for each device."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TextIO

from .. import _core
from ._cucomplex import with_complex_numbers

_MAX_MODULES = 1024
_modules: OrderedDict[tuple[Any, int], Any] = OrderedDict()
_lock = _core.ForkSafeLock()

_BINARY = (b"\x7fELF", b"\x50\xed\x55\xba")
"""How a cubin and a fatbin begin."""


@dataclass(frozen=True)
class Source:
    """A text, or a GPU's machine code, with all that its meaning depends on."""

    code: str | bytes
    options: tuple[str, ...] = ()
    name_expressions: tuple[str, ...] = ()
    file: str = "kernel.cu"
    cucomplex: bool = False
    """Whether the text's cuComplex numbers are those of `cupy/complex.cuh`."""

    def module(self) -> Any:
        """Return the module on the current device, compiled when it is first asked for."""
        key = (self, _core.device_key())
        with _lock:
            found = _modules.get(key)
            if found is not None:
                _modules.move_to_end(key)
                return found
        code = self.code
        if self.cucomplex and isinstance(code, str):
            code = with_complex_numbers(code, self.file)
        made = _core.KernelModule(
            code,
            list(self.options),
            list(self.name_expressions),
            None,
            self.file,
            {},
        )
        with _lock:
            _modules[key] = made
            while len(_modules) > _MAX_MODULES:
                _modules.popitem(last=False)
        return made

    def compile(self, log_stream: TextIO | None) -> None:
        """Compile for the current device; the compiler's messages go to a stream."""
        log = self.module().log
        if log_stream is not None:
            log_stream.write(log)


class OfSource:
    """What kernels and modules say of the text that they were made from."""

    _source: Source
    _backend: str
    _cooperative: bool

    @property
    def options(self) -> tuple[str, ...]:
        """The compiler's options."""
        return self._source.options

    @property
    def backend(self) -> str:
        """The compiler that was asked for."""
        return self._backend

    @property
    def enable_cooperative_groups(self) -> bool:
        """Whether whole grids may synchronise."""
        return self._cooperative


def forget_modules() -> None:
    """Let go of all compiled modules that nobody uses."""
    with _lock:
        _modules.clear()


def texts(what: str, given: Iterable[str] | None) -> tuple[str, ...]:
    """Return options or name expressions as a tuple of strings."""
    if given is None:
        return ()
    if isinstance(given, str):
        raise TypeError(f"{what} must be a tuple of strings, got a string")
    found = tuple(given)
    for text in found:
        if not isinstance(text, str):
            raise TypeError(f"{what} must be a tuple of strings, got {type(text).__name__} in it")
    return found


def read(path: Any) -> str | bytes:
    """Return a file's text, or its bytes where it is a cubin, a fatbin or PTX."""
    from ..cuda.driver import finding_files

    with finding_files(), open(os.fspath(path), "rb") as file:
        content = file.read()
    if content.startswith(_BINARY) or _is_ptx(content):
        return content
    return content.decode()


def _is_ptx(content: bytes) -> bool:
    lines = (line.strip() for line in content[:65536].splitlines())
    first = next((line for line in lines if line and not line.startswith(b"//")), b"")
    return first.startswith(b".version")
