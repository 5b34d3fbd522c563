"""Numba's names of errors."""

from __future__ import annotations

from cuprum.jit._errors import (
    ForbiddenConstruct,
    KernelError,
    KernelNameError,
    LoweringError,
    NumbaWarning,
    TypingError,
    UnsupportedError,
)

__all__ = [
    "ForbiddenConstruct",
    "LoweringError",
    "NumbaDebugInfoWarning",
    "NumbaDeprecationWarning",
    "NumbaError",
    "NumbaInvalidConfigWarning",
    "NumbaNotImplementedError",
    "NumbaPerformanceWarning",
    "NumbaTypeError",
    "NumbaValueError",
    "NumbaWarning",
    "TypingError",
    "UndeclaredFunctionError",
    "UnsupportedError",
]

NumbaError = KernelError
NumbaTypeError = TypingError
NumbaValueError = TypingError
UndeclaredFunctionError = KernelNameError
NumbaNotImplementedError = UnsupportedError


class NumbaDebugInfoWarning(NumbaWarning):
    """The class of warnings of missing debug information, which Cuprum does not give."""


class NumbaDeprecationWarning(NumbaWarning, DeprecationWarning):
    """The class of warnings of what goes away."""


class NumbaInvalidConfigWarning(NumbaWarning):
    """The class of warnings of options that contradict each other, which Cuprum does not give."""


class NumbaPerformanceWarning(NumbaWarning):
    """The class of warnings of slow launches; `numba.cuda.config` says which are given."""
