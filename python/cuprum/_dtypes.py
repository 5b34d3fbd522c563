"""Dtypes, constants and promotion. The dtypes are NumPy's own objects, and bfloat16."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import (
    False_,
    True_,
    bool_,
    byte,
    cdouble,
    complex64,
    complex128,
    complexfloating,
    csingle,
    datetime64,
    double,
    dtype,
    e,
    errstate,
    euler_gamma,
    finfo,
    float16,
    float32,
    float64,
    floating,
    generic,
    geterr,
    half,
    iinfo,
    inexact,
    inf,
    int8,
    int16,
    int32,
    int64,
    int_,
    intc,
    integer,
    intp,
    long,
    longlong,
    mintypecode,
    nan,
    newaxis,
    number,
    pi,
    seterr,
    short,
    signedinteger,
    single,
    timedelta64,
    typename,
    ubyte,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uintc,
    uintp,
    ulong,
    ulonglong,
    unsignedinteger,
    ushort,
)

from . import _core
from ._bfloat16 import bfloat16
from ._convert import as_array
from ._core import ndarray
from ._errors import naming, of_stored

if TYPE_CHECKING:
    from ._typing import ArrayLike, Casting, DTypeLike


__all__ = [
    "False_",
    "True_",
    "astype",
    "bfloat16",
    "bool_",
    "byte",
    "can_cast",
    "cdouble",
    "common_type",
    "complex64",
    "complex128",
    "complexfloating",
    "csingle",
    "datetime64",
    "double",
    "dtype",
    "e",
    "errstate",
    "euler_gamma",
    "finfo",
    "float16",
    "float32",
    "float64",
    "floating",
    "generic",
    "geterr",
    "half",
    "iinfo",
    "inexact",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "integer",
    "intp",
    "isdtype",
    "issubdtype",
    "little_endian",
    "long",
    "longlong",
    "min_scalar_type",
    "mintypecode",
    "nan",
    "newaxis",
    "number",
    "pi",
    "promote_types",
    "result_type",
    "sctypeDict",
    "seterr",
    "short",
    "signedinteger",
    "single",
    "timedelta64",
    "typecodes",
    "typename",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "unsignedinteger",
    "ushort",
]

_core.set_bfloat16(bfloat16)


def as_dtype(spec: Any) -> Any:
    """Return the dtype that `spec` names: NumPy's, or the object that stands for bfloat16."""
    if is_bfloat16(spec):
        return bfloat16
    return np.dtype(spec)


# The kinds of NumPy's own numbers, by the classes of their dtypes: a dtype takes its time to say its name.
_KINDS = {type(dtype): dtype.kind for dtype in map(np.dtype, "?bBhHiIlLqQefdgFDG")}


def is_bfloat16(spec: Any) -> bool:
    """Tell whether `spec` is the bfloat16 dtype, its scalar type or its name."""
    return type(spec) not in _KINDS and (
        spec is bfloat16
        or getattr(spec, "name", spec if isinstance(spec, str) else "") == "bfloat16"
        or (isinstance(spec, type) and spec.__name__ == "bfloat16")
    )


def kind_of(spec: Any) -> str:
    """Return NumPy's kind letter of a dtype, "f" for bfloat16."""
    kind = _KINDS.get(type(spec))
    if kind is not None:
        return kind
    return "f" if is_bfloat16(spec) else np.dtype(spec).kind


def result_type(*arrays_and_dtypes: Any) -> Any:
    """Return the dtype that an operation on these arrays, scalars and dtypes would give.

    Parameters
    ----------
    *arrays_and_dtypes : array_like or dtype
        The operands. Python numbers adapt to the others, as in NumPy 2.

    Returns
    -------
    dtype
        The common dtype.

    Examples
    --------
    >>> cp.result_type(cp.int8, cp.float32)
    dtype('float32')
    >>> cp.result_type(cp.ones(3, dtype=cp.float32), 1.5)
    dtype('float32')
    """
    try:
        return _core.result_type(*arrays_and_dtypes)
    except TypeError as error:
        return of_stored(error, result_type, *arrays_and_dtypes)


def promote_types(type1: DTypeLike, type2: DTypeLike, /) -> Any:
    """Return the smallest dtype that both dtypes can be cast to safely.

    Parameters
    ----------
    type1, type2 : dtype
        The dtypes to promote.

    Returns
    -------
    dtype
        The promoted dtype.

    Examples
    --------
    >>> cp.promote_types("int8", "uint8")
    dtype('int16')
    """
    try:
        return _core.promote_types(type1, type2)
    except TypeError as error:
        return of_stored(error, promote_types, type1, type2)


def can_cast(from_: Any, to: DTypeLike, casting: Casting = "safe") -> bool:
    """Tell whether a cast between dtypes is allowed under a casting rule.

    Parameters
    ----------
    from_ : dtype or array
        What is cast.
    to : dtype
        The dtype to cast to.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        The rule.

    Returns
    -------
    bool
        True where the cast is allowed.

    Examples
    --------
    >>> cp.can_cast(cp.int32, cp.float64)
    True
    >>> cp.can_cast(cp.float64, cp.float32)
    False
    """
    try:
        return _core.can_cast(from_, to, casting)
    except TypeError as error:
        return bool(of_stored(error, can_cast, from_, to, casting=casting))


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Tell whether a dtype lies at or below another in the hierarchy of types.

    Parameters
    ----------
    arg1, arg2 : dtype or type
        The dtype in question, and the dtype or abstract type that may include it.

    Returns
    -------
    bool
        True where `arg1` is `arg2` or one of its kinds.

    Examples
    --------
    >>> cp.issubdtype(cp.float32, cp.floating)
    True
    >>> cp.issubdtype(cp.bfloat16, cp.floating)
    True
    """
    if is_bfloat16(arg2):
        return is_bfloat16(arg1)
    if is_bfloat16(arg1):
        return isinstance(arg2, type) and issubclass(floating, arg2)
    return np.issubdtype(arg1, arg2)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Tell whether a dtype is of a kind, in the words of the array API standard.

    Parameters
    ----------
    dtype : dtype
        The dtype in question.
    kind : dtype, str or tuple of these
        A dtype, or "bool", "signed integer", "unsigned integer", "integral", "real floating",
        "complex floating" or "numeric".

    Returns
    -------
    bool
        True where it is of that kind, or of one of them.

    Examples
    --------
    >>> cp.isdtype(cp.dtype("float32"), "real floating")
    True
    >>> cp.isdtype(cp.dtype("int8"), ("bool", "integral"))
    True
    """
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if is_bfloat16(dtype):
        return any(
            one in ("real floating", "numeric") if isinstance(one, str) else is_bfloat16(one) for one in kinds
        )
    others = tuple(one for one in kinds if not is_bfloat16(one))
    return np.isdtype(dtype, others) if others else False


def min_scalar_type(a: ArrayLike, /) -> Any:
    """Return the smallest dtype that holds a scalar's value; an array's own dtype otherwise.

    Parameters
    ----------
    a : scalar or array_like
        The value.

    Returns
    -------
    dtype
        The smallest dtype.

    Examples
    --------
    >>> cp.min_scalar_type(300)
    dtype('uint16')
    >>> cp.min_scalar_type(cp.ones(3))
    dtype('float64')
    """
    if isinstance(a, ndarray):
        whole = a.ndim or is_bfloat16(a.dtype) or a.dtype.kind in "MmV"
        return a.dtype if whole else np.min_scalar_type(a.item())
    return np.min_scalar_type(a)


_CODES = {
    "Integer": "bhilqnp",
    "UnsignedInteger": "BHILQNP",
    "Float": "efd",
    "Complex": "FD",
}

typecodes: dict[str, str] = {
    **_CODES,
    "AllInteger": "bBhHiIlLqQnNpP",
    "AllFloat": _CODES["Float"] + _CODES["Complex"],
    "All": "?bhilqnpBHILQNPefdFD",
}
"""The letters of the dtypes that arrays have, by kind."""

sctypeDict: dict[Any, type] = {  # noqa: N816 - NumPy's name
    name: kind
    for name, kind in np.sctypeDict.items()
    # Other libraries add types of their own.
    if np.dtype(kind).isbuiltin == 1 and np.dtype(kind).char in typecodes["All"]
}
"""The scalar types that arrays have, by their names."""

little_endian: bool = np.little_endian
"""Whether the lowest byte of a number comes first in memory."""


def common_type(*arrays: Any) -> Any:
    """Return the floating type that all the arrays can be computed in.

    Parameters
    ----------
    *arrays : ndarray
        The arrays; integers count as float64.

    Returns
    -------
    type
        A floating or complex scalar type, at least float16.

    Examples
    --------
    >>> cp.common_type(cp.ones(2, dtype=cp.float32), cp.arange(3)).__name__
    'float64'
    """
    common: Any = np.dtype(float16)
    for a in map(as_array, arrays):
        if kind_of(a.dtype) == "b":
            raise TypeError("common_type: can't get common type for non-numeric array of dtype bool")
        one = np.dtype(float64) if kind_of(a.dtype) in "iu" else a.dtype
        common = _core.promote_types(common, one)
    return common.type


def astype(x: ndarray, dtype: DTypeLike, /, *, copy: bool = True, device: Any = None) -> ndarray:
    """Return an array cast to a dtype.

    Parameters
    ----------
    x : ndarray
        The array.
    dtype : dtype
        What to cast to.
    copy : bool, optional
        False allows `x` itself to be returned where the dtype is the same.
    device : str or cuda.Device, optional
        The device; the current one when None.

    Returns
    -------
    ndarray
        The cast array.

    Examples
    --------
    >>> cp.astype(cp.array([1.7, -1.7]), cp.int32)
    array([ 1, -1], dtype=int32)
    """
    if not isinstance(x, ndarray):
        raise TypeError(f"astype: an array is needed, got {type(x).__name__}")
    if device is not None:
        with naming("astype"):
            x = x.to_device(device)
    return x.astype(dtype, copy=copy)
