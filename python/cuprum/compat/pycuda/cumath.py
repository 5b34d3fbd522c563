"""Functions of every element of an array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cuprum

from ._arrays import GPUArray
from ._streams import Stream, cuda_stream

__all__ = [
    "acos",
    "asin",
    "atan",
    "ceil",
    "cos",
    "cosh",
    "exp",
    "fabs",
    "floor",
    "fmod",
    "frexp",
    "ldexp",
    "log",
    "log10",
    "modf",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]


def _function(name: str, operation: Any) -> Callable[..., GPUArray]:
    def apply(
        array: GPUArray,
        stream_or_out: GPUArray | Stream | None = None,
        /,
        *,
        out: GPUArray | None = None,
        stream: Stream | None = None,
    ) -> GPUArray:
        if isinstance(stream_or_out, Stream):
            stream = stream_or_out
        elif stream_or_out is not None:
            out = stream_or_out
        if out is not None and (out.dtype != array.dtype or out.shape != array.shape):
            raise ValueError(f"{name}: out must have the array's dtype and shape")
        with cuda_stream(stream):
            values = operation(array._array).astype(array.dtype)
            return GPUArray._over(values, array.allocator) if out is None else out._store(values)

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"Return {name} of every element, in the array's own type."
    return apply


fabs = _function("fabs", cuprum.absolute)
ceil = _function("ceil", cuprum.ceil)
floor = _function("floor", cuprum.floor)
exp = _function("exp", cuprum.exp)
log = _function("log", cuprum.log)
log10 = _function("log10", cuprum.log10)
sqrt = _function("sqrt", cuprum.sqrt)
sin = _function("sin", cuprum.sin)
cos = _function("cos", cuprum.cos)
tan = _function("tan", cuprum.tan)
asin = _function("asin", cuprum.arcsin)
acos = _function("acos", cuprum.arccos)
atan = _function("atan", cuprum.arctan)
sinh = _function("sinh", cuprum.sinh)
cosh = _function("cosh", cuprum.cosh)
tanh = _function("tanh", cuprum.tanh)


def fmod(arg: GPUArray, mod: GPUArray, stream: Stream | None = None) -> GPUArray:
    """Return the remainders of `arg / mod`, with the signs of `arg`."""
    with cuda_stream(stream):
        return GPUArray._over(cuprum.fmod(arg._array, mod._array).astype(arg.dtype))


def frexp(arg: GPUArray, stream: Stream | None = None) -> tuple[GPUArray, GPUArray]:
    """Return significands and exponents, both in the array's own type."""
    with cuda_stream(stream):
        significands, exponents = cuprum.frexp(arg._array)
        return GPUArray._over(significands), GPUArray._over(exponents.astype(arg.dtype))


def ldexp(significand: GPUArray, exponent: GPUArray, stream: Stream | None = None) -> GPUArray:
    """Return `significand * 2**exponent`."""
    with cuda_stream(stream):
        return GPUArray._over(cuprum.ldexp(significand._array, exponent._array.astype("int32")))


def modf(arg: GPUArray, stream: Stream | None = None) -> tuple[GPUArray, GPUArray]:
    """Return fractional and integral parts."""
    with cuda_stream(stream):
        fractions, integers = cuprum.modf(arg._array)
        return GPUArray._over(fractions), GPUArray._over(integers)
