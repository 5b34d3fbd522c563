"""PyCUDA's exceptions, and Cuprum's errors under their names."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from contextlib import contextmanager

import cuprum

__all__ = ["CompileError", "Error", "LaunchError", "LogicError", "MemoryError", "RuntimeError"]


class Error(Exception):
    """What all errors of PyCUDA's are."""


class LogicError(Error, ValueError):
    """A call that cannot be right: a launch shape, a name, an argument."""


class MemoryError(Error, builtins.MemoryError):  # noqa: A001
    """Memory that could not be had."""


class LaunchError(Error, builtins.RuntimeError):
    """A kernel that was stopped: it read or wrote where it may not, or waited for ever."""


class RuntimeError(Error, builtins.RuntimeError):  # noqa: A001
    """Another error of the device's."""


class CompileError(Error):
    """A kernel's text that does not compile.

    Attributes
    ----------
    msg : str
        What was tried.
    stdout, stderr : str
        What the compiler wrote.
    """

    def __init__(self, msg: str, command_line: object = (), stdout: str = "", stderr: str = "") -> None:
        super().__init__(msg, command_line, stdout, stderr)
        self.msg, self.command_line, self.stdout, self.stderr = msg, command_line, stdout, stderr

    def __str__(self) -> str:
        return "\n".join(part for part in (self.msg, self.stdout, self.stderr) if part)


@contextmanager
def translated(call: str) -> Iterator[None]:
    """Raise what goes wrong inside as PyCUDA's exceptions, with the name of the call."""
    try:
        yield
    except Error:
        raise
    except cuprum.cuda.compiler.CompileException as error:
        raise CompileError(f"{call} failed", stderr=str(error)) from error
    except builtins.MemoryError as error:
        raise MemoryError(f"{call} failed: {error}") from error
    except cuprum.cuda.KernelError as error:
        raise LaunchError(f"{call} failed: {error}") from error
    except ValueError as error:
        raise LogicError(f"{call} failed: {error}") from error
    except cuprum.cuda.runtime.CUDARuntimeError as error:
        # CUDA's "invalid value": an address or a size that cannot be right.
        kind = LogicError if error.status == cuprum.cuda.runtime.errorInvalidValue else RuntimeError
        raise kind(f"{call} failed: {error}") from error
    except builtins.RuntimeError as error:
        raise RuntimeError(f"{call} failed: {error}") from error
