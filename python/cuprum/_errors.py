"""Errors of functions that are made of others: they name what was called, not its parts."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ._core import ndarray

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")

_BEGINS = re.compile(r"([A-Za-z_]\w*): ")
_OF_PYTHON = re.compile(r"[\w.]+\(\) ")
# Errors about arguments. An IndexError may be an earlier call's, found only now on a GPU: it keeps its name.
_OF_ARGUMENTS = (ValueError, TypeError, OverflowError, ZeroDivisionError, np.linalg.LinAlgError)
_PARTS = (
    *("", ".linalg", ".fft", ".random"),
    *(".scipy.fft", ".scipy.linalg", ".scipy.ndimage", ".scipy.signal", ".scipy.stats"),
    *(".scipy.sparse", ".scipy.sparse.linalg", ".scipy.sparse.csgraph"),
    *(".scipy.integrate", ".scipy.interpolate", ".scipy.optimize"),
    *(".scipy.spatial", ".scipy.spatial.distance"),
)
# Names in messages that are no function's.
_OTHER_OPS = {"index", "integers"}


def _is_op(word: str) -> bool:
    return (
        word in _OTHER_OPS
        or hasattr(ndarray, word)
        or any(hasattr(sys.modules.get(f"cuprum{part}"), word) for part in _PARTS)
    )


def _without_op(error: Exception, text: str) -> str:
    """Return a message without the name of the op that it begins with."""
    op = getattr(error, "_op", None)
    if op is not None:
        return text.removeprefix(f"{op}: ")
    # Raised by Python code, which writes the name into the text.
    begins = _BEGINS.match(text)
    return text[begins.end() :] if begins and _is_op(begins[1]) else text


def _with_op(op: str, error: Exception) -> Exception:
    """Write down on an error the op that its message begins with, as errors of the core have it."""
    error._op = op  # type: ignore[attr-defined]
    return error


def renamed(op: str, error: Exception) -> Exception:
    """Return the error of a part of `op` as that of `op`; one that is not about arguments stays as it is."""
    if isinstance(error, np.exceptions.AxisError) and error.axis is not None and error.ndim is not None:
        before, _, _ = str(error).rpartition("axis ")
        where = f"{op}: {_without_op(error, before)}".removesuffix(": ")
        return _with_op(op, type(error)(error.axis, error.ndim, where).with_traceback(error.__traceback__))
    if isinstance(error, MemoryError) and hasattr(error, "_named"):
        made: Exception = error._named(op).with_traceback(error.__traceback__)
        return made
    text = error.args[0] if len(error.args) == 1 else None
    if isinstance(text, str) and not _OF_PYTHON.match(text):
        rest = _without_op(error, text)
        # SciPy's filters raise RuntimeError for arguments; one that names no op is the device's.
        if type(error) in _OF_ARGUMENTS or type(error) is RuntimeError and rest != text:
            error.args = (f"{op}: {rest}",)
            return _with_op(op, error)
    return error


@contextmanager
def naming(op: str) -> Iterator[None]:
    """Raise the errors of a `with` block under the name of `op`."""
    try:
        yield
    except Exception as error:
        raise renamed(op, error) from error.__cause__


def of_stored(
    error: TypeError | ValueError, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
) -> R:
    """Return what a function gives for dates or structures among its arguments, or raise what was raised.

    Short functions call it in a handler of the engine's TypeError, with themselves and the arguments as they
    were given: that costs nothing until it happens. Functions of several steps have it from `names_itself`.
    """
    from . import _stored
    from ._convert import given

    op = function.__name__
    try:
        found: R = _stored.call(error, op, args, given(**kwargs))
    except TypeError as refusal:
        if not str(refusal).startswith("array: "):
            raise
        # What could not be made an array is an argument of what was called.
        raise renamed(op, refusal) from refusal.__cause__
    return found


def names_itself(function: F) -> F:
    """Make a function that is written in terms of others raise their errors under its own name.

    What the engine refuses because arrays are dates or structures is asked of `_stored`, as by `of_stored`.
    """
    op = function.__name__

    @functools.wraps(function)
    def named(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            try:
                return of_stored(error, function, *args, **kwargs)
            except Exception as refusal:
                raise renamed(op, refusal) from refusal.__cause__
        except Exception as error:
            raise renamed(op, error) from error.__cause__

    return named  # type: ignore[return-value]
