"""The types of results, by three sets of rules: Numba's, and the two modes of CuPy's `jit.rawkernel`.

Numba computes with integers of 64 bits and float64 literals. CuPy's mode 'cuda' follows C: literals have 32
bits, and the wider operand, in the order of `_ORDER`, gives the type. Its mode 'numpy' follows NumPy's
promotion.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._types import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    UINT64,
    Array,
    Member,
    Scalar,
    Tuple,
    Type,
    can_cast,
    promoted,
    scalar,
)

__all__ = ["CUDA", "NUMBA", "NUMPY", "Rules"]

_ORDER = "?bBhHiIlLqQefdFD"
_INTEGERS = "biu"


def _is_integer(t: Scalar) -> bool:
    return t.kind in _INTEGERS


class Rules:
    """The rules that the kinds of kernels share; Numba's where they differ."""

    name = "numba"
    unifies = True
    """Whether a variable may have several types, which are unified where ways join."""
    checks_unbound = False
    """Whether it is an error to read a variable that some way has not bound; else it is zero there."""
    raises = True
    """Whether `raise` ends the thread alone; else it stops the kernel, as `assert` does."""

    calls_host = False
    """Whether functions of the host are called when a kernel is compiled, with constants."""

    divided_truth = INT64
    """The type in which truth values are divided and shifted, which have no loop of their own for it."""

    def literal(self, value: Any) -> Scalar:
        """Return the type of a Python number, or of a NumPy one."""
        if isinstance(value, np.generic):
            return scalar(value.dtype)
        if isinstance(value, bool):
            return BOOL
        if isinstance(value, int):
            if -(2**63) <= value < 2**63:
                return INT64
            if value < 2**64 and value > 0:
                return UINT64
            raise OverflowError
        return FLOAT64 if isinstance(value, float) else scalar("complex128")

    def unify(self, left: Type, right: Type) -> Type | None:
        """Return the type of a variable that is `left` on one way and `right` on another; None if there is
        none.
        """
        if left == right:
            return left
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            try:
                return promoted(left, right)
            except TypeError:
                return None
        if isinstance(left, Tuple) and isinstance(right, Tuple) and len(left.items) == len(right.items):
            items = [self.unify(a, b) for a, b in zip(left.items, right.items, strict=True)]
            names = left.names if left.names == right.names else None
            return None if None in items else Tuple(tuple(item for item in items if item is not None), names)
        if isinstance(left, Array) and isinstance(right, Array):
            same = left.dtype == right.dtype and left.ndim == right.ndim
            if not same:
                return None
            shape = left.shape if left.shape == right.shape else None
            contiguous = left.contiguous and right.contiguous
            return Array(left.dtype, left.ndim, contiguous, left.writable and right.writable, shape)
        member = Member.of(left)
        return member if member is not None and member == Member.of(right) else None

    def assignable(self, value: Scalar, target: Scalar) -> bool:
        """Whether a number can be stored where another type is held."""
        if value.kind in "mM" or target.kind in "mM":
            return value.kind == target.kind or (target.kind == "m" and value.kind in "iu")
        return target.kind == "c" or value.kind != "c"

    def _arithmetic(self, left: Scalar, right: Scalar) -> Scalar:
        if _is_integer(left) and _is_integer(right):
            return UINT64 if left.kind == right.kind == "u" else INT64
        return promoted(left, right)

    def binary(self, op: str, left: Scalar, right: Scalar) -> tuple[Scalar, Scalar] | None:
        """Return the type that both operands are converted to and the result's; None if the op has none.

        For shifts and powers the second operand's conversion is the caller's.
        """
        both = self._arithmetic(left, right)
        if both == BOOL and op in ("//", "%", "<<", ">>"):
            return self.divided_truth, self.divided_truth
        integers = _is_integer(left) and _is_integer(right)
        if op == "/":
            return (FLOAT64, FLOAT64) if integers else (both, both)
        if op in ("<<", ">>"):
            if not integers:
                return None
            whole = self._shifted(left, both)
            return whole, whole
        if op in ("&", "|", "^"):
            if not integers:
                return None
            return (BOOL, BOOL) if left == right == BOOL else (both, both)
        if op in ("//", "%") and both.kind == "c":
            return None
        if op == "**" and left.kind == "f" and _is_integer(right):
            return left, left
        return both, both

    def _shifted(self, left: Scalar, both: Scalar) -> Scalar:
        return UINT64 if left.kind == "u" else INT64

    def negated(self, operand: Scalar) -> Scalar:
        """Return the type of `-x` and `+x`."""
        if operand.kind == "u":
            return UINT64
        return INT64 if _is_integer(operand) else operand

    def inverted(self, operand: Scalar) -> Scalar | None:
        """Return the type of `~x`."""
        if not _is_integer(operand):
            return None
        return BOOL if operand == BOOL else self.negated(operand)

    def compared(self, left: Scalar, right: Scalar) -> Scalar:
        """Return the type that two numbers are compared as."""
        if _is_integer(left) and _is_integer(right):
            return left if left == right else self._arithmetic(left, right)
        return promoted(left, right)

    def common(self, left: Scalar, right: Scalar) -> Scalar:
        """Return the type of `min`, `max` and of the two ways of a conditional expression."""
        return promoted(left, right)

    def joined(self, value: Scalar, literal: Any) -> Scalar:
        """Return the type of a conditional expression one of whose ways is a literal."""
        return self.common(value, self.literal(literal))

    def loop(self, start: Scalar, stop: Scalar, step: Scalar) -> Scalar:
        """Return the type of the counter of a `range`."""
        return INT64

    def grid(self) -> Scalar:
        """Return the type of `grid` and `gridsize`."""
        return INT64

    def thread(self) -> Scalar:
        """Return the type of `threadIdx.x` and its like."""
        return INT32

    def function_argument(self, operand: Scalar) -> Scalar:
        """Return the type that a function of `math` computes in."""
        return operand if operand.kind in "fc" else FLOAT64


class _CupyRules(Rules):
    unifies = False
    checks_unbound = True
    raises = False
    calls_host = True

    def assignable(self, value: Scalar, target: Scalar) -> bool:
        return can_cast(value, target, "same_kind")

    def thread(self) -> Scalar:
        return scalar("uint32")

    def grid(self) -> Scalar:
        return scalar("uint32")

    def negated(self, operand: Scalar) -> Scalar:
        return operand

    def _shifted(self, left: Scalar, both: Scalar) -> Scalar:
        return both


class _CudaRules(_CupyRules):
    name = "cuda"
    divided_truth = INT32

    def literal(self, value: Any) -> Scalar:
        if isinstance(value, (np.generic, bool)):
            return super().literal(value)
        if isinstance(value, int):
            return INT32 if -(2**31) <= value < 2**31 else super().literal(value)
        return FLOAT32 if isinstance(value, float) else scalar("complex64")

    def _arithmetic(self, left: Scalar, right: Scalar) -> Scalar:
        if "bfloat16" in (left.name, right.name):
            return promoted(left, right)
        return max(left, right, key=lambda t: _ORDER.index(t.dtype.char))

    def binary(self, op: str, left: Scalar, right: Scalar) -> tuple[Scalar, Scalar] | None:
        if op == "**":
            both = self._arithmetic(left, right)
            return both, both
        return super().binary(op, left, right)

    def compared(self, left: Scalar, right: Scalar) -> Scalar:
        return self._arithmetic(left, right)

    def common(self, left: Scalar, right: Scalar) -> Scalar:
        return self._arithmetic(left, right)

    def loop(self, start: Scalar, stop: Scalar, step: Scalar) -> Scalar:
        return stop

    def function_argument(self, operand: Scalar) -> Scalar:
        return operand if operand.kind in "fc" else FLOAT64


class _NumpyRules(_CupyRules):
    name = "numpy"
    divided_truth = scalar("int8")

    def joined(self, value: Scalar, literal: Any) -> Scalar:
        return scalar(np.result_type(value.dtype, literal))

    def _arithmetic(self, left: Scalar, right: Scalar) -> Scalar:
        return promoted(left, right)

    def compared(self, left: Scalar, right: Scalar) -> Scalar:
        return promoted(left, right)


NUMBA = Rules()
CUDA = _CudaRules()
NUMPY = _NumpyRules()
