"""Text of arrays. NumPy prints a copy on the host, so that options and text are exactly NumPy's."""

from __future__ import annotations

import itertools
from contextlib import AbstractContextManager
from typing import Any, Literal

import numpy as np

from .._core import ndarray
from .._dtypes import is_bfloat16

__all__ = [
    "array2string",
    "array_repr",
    "array_str",
    "base_repr",
    "binary_repr",
    "format_float_positional",
    "format_float_scientific",
    "get_printoptions",
    "printoptions",
    "set_printoptions",
]


def array_html(a: ndarray) -> str:
    """Return an array as a notebook shows it: what `ndarray._repr_html_` calls."""
    from .._notebook import html

    return html.array_html(a)


_WHOLE_MAX_ELEMENTS = 1_000_000
"""Beyond this size an array is read where it lies: a summary needs only the elements at the edges."""

_CORNERS_MAX_AXES = 6
"""Arrays of more axes than this are copied whole: each axis doubles the number of corners."""


def _host(a: Any, threshold: int | None = None, edgeitems: int | None = None) -> Any:
    """Return what NumPy is to print: elements on the host, bfloat16 as float32, which holds it exactly."""
    if not isinstance(a, ndarray):
        return a
    if is_bfloat16(a.dtype):
        a = a.astype(np.float32)
    if a.size <= _WHOLE_MAX_ELEMENTS:
        return a.get()
    if a.device != "cpu":
        return _edges(a, threshold, edgeitems)
    try:
        return np.asarray(memoryview(a))
    except (BufferError, TypeError):
        # Not every interpreter lets the extension export buffers.
        return a.get()


def _edges(a: ndarray, threshold: int | None, edgeitems: int | None) -> np.ndarray:
    """Return a large array of a GPU with only those elements that a summary shows: they alone are moved."""
    options = np.get_printoptions()
    count = options["edgeitems"] if edgeitems is None else edgeitems
    if a.size <= (options["threshold"] if threshold is None else threshold) or a.ndim > _CORNERS_MAX_AXES:
        return a.get()
    ends = [
        (slice(None),) if length <= 2 * count else (slice(count), slice(length - count, length))
        for length in a.shape
    ]
    # The system gives pages of zeros only where something is written.
    host = np.zeros(a.shape, a.dtype)
    for corner in itertools.product(*ends):
        host[corner] = a[corner].get()
    return host


def array_repr(
    arr: ndarray,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return the text that `repr` gives for an array.

    Parameters
    ----------
    arr : ndarray
        The array.
    max_line_width : int, optional
        Where lines are broken.
    precision : int, optional
        The number of digits after the point.
    suppress_small : bool, optional
        Whether numbers close to zero are shown as zero.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> cp.array_repr(cp.array([1.0, 2.5]))
    'array([1. , 2.5])'
    """
    text = np.array_repr(_host(arr), max_line_width, precision, suppress_small)
    if isinstance(arr, ndarray) and is_bfloat16(arr.dtype):
        text = text.replace("dtype=float32", "dtype=bfloat16")
    return text


def array_str(
    a: ndarray,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return the text that `str` gives for an array.

    Parameters
    ----------
    a : ndarray
        The array.
    max_line_width : int, optional
        Where lines are broken.
    precision : int, optional
        The number of digits after the point.
    suppress_small : bool, optional
        Whether numbers close to zero are shown as zero.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> cp.array_str(cp.array([1.0, 2.5]))
    '[1.  2.5]'
    """
    return np.array_str(_host(a), max_line_width, precision, suppress_small)


def array2string(
    a: Any,
    max_line_width: Any = None,
    precision: Any = None,
    suppress_small: Any = None,
    separator: Any = " ",
    prefix: Any = "",
    *,
    formatter: Any = None,
    threshold: Any = None,
    edgeitems: Any = None,
    sign: Any = None,
    floatmode: Any = None,
    suffix: Any = "",
    legacy: Any = None,
) -> str:
    """Return an array as text, with options.

    Parameters
    ----------
    a : ndarray
        The array.
    max_line_width : int, optional
        Where lines are broken.
    precision : int, optional
        The number of digits after the point.
    suppress_small : bool, optional
        Whether numbers close to zero are shown as zero.
    separator : str, optional
        What stands between elements.
    prefix, suffix : str, optional
        Their lengths count when lines are broken; the text does not contain them.
    formatter : dict, optional
        Functions that give the text of elements, by kind of dtype.
    threshold : int, optional
        Beyond this number of elements the middle is left out.
    edgeitems : int, optional
        How many are then shown at each end.
    sign : {"-", "+", " "}, optional
        What stands before positive numbers.
    floatmode : str, optional
        How digits are chosen: "fixed", "unique", "maxprec" or "maxprec_equal".
    legacy : str or False, optional
        A version of NumPy whose text to imitate.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> cp.array2string(cp.array([1.0, 2.5]), separator=", ")
    '[1. , 2.5]'
    """
    return np.array2string(
        _host(a, threshold, edgeitems),
        max_line_width,
        precision,
        suppress_small,
        separator,
        prefix,
        formatter=formatter,
        threshold=threshold,
        edgeitems=edgeitems,
        sign=sign,
        floatmode=floatmode,
        suffix=suffix,
        legacy=legacy,
    )


def _scalar(x: Any) -> Any:
    """Return a 0-d array as a NumPy scalar, whose dtype decides how many digits are unique."""
    return _host(x)[()] if isinstance(x, ndarray) else x


def format_float_positional(
    x: Any,
    precision: int | None = None,
    unique: bool = True,
    fractional: bool = True,
    trim: Literal["k", ".", "0", "-"] = "k",
    sign: bool = False,
    pad_left: int | None = None,
    pad_right: int | None = None,
    min_digits: int | None = None,
) -> str:
    """Return a floating-point number as decimal text without an exponent.

    Parameters
    ----------
    x : float or 0-d ndarray
        The number.
    precision : int, optional
        The most digits to print.
    unique : bool, optional
        Whether to print the fewest digits that tell the number from its neighbours.
    fractional : bool, optional
        Whether digits are counted after the point.
    trim : {"k", ".", "0", "-"}, optional
        What happens to trailing zeros and the point.
    sign : bool, optional
        Whether positive numbers have a sign.
    pad_left, pad_right : int, optional
        The least number of characters on each side of the point.
    min_digits : int, optional
        The fewest digits to print.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> cp.format_float_positional(cp.array(0.1, dtype=cp.float32))
    '0.1'
    """
    return np.format_float_positional(
        _scalar(x), precision, unique, fractional, trim, sign, pad_left, pad_right, min_digits
    )


def format_float_scientific(
    x: Any,
    precision: int | None = None,
    unique: bool = True,
    trim: Literal["k", ".", "0", "-"] = "k",
    sign: bool = False,
    pad_left: int | None = None,
    exp_digits: int | None = None,
    min_digits: int | None = None,
) -> str:
    """Return a floating-point number as decimal text with an exponent.

    Parameters
    ----------
    x : float or 0-d ndarray
        The number.
    precision : int, optional
        The most digits to print.
    unique : bool, optional
        Whether to print the fewest digits that tell the number from its neighbours.
    trim : {"k", ".", "0", "-"}, optional
        What happens to trailing zeros and the point.
    sign : bool, optional
        Whether positive numbers have a sign.
    pad_left : int, optional
        The least number of characters on the left of the point.
    exp_digits : int, optional
        The least number of digits of the exponent.
    min_digits : int, optional
        The fewest digits to print.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> cp.format_float_scientific(cp.array(1234.5))
    '1.2345e+03'
    """
    return np.format_float_scientific(
        _scalar(x), precision, unique, trim, sign, pad_left, exp_digits, min_digits
    )


def base_repr(number: int, base: int = 2, padding: int = 0) -> str:
    """Return an integer as text in a base from 2 to 36.

    Parameters
    ----------
    number : int
        The number.
    base : int, optional
        The base.
    padding : int, optional
        How many zeros to put in front.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> cp.base_repr(255, 16)
    'FF'
    """
    return np.base_repr(_scalar(number), base, padding)


def binary_repr(num: int, width: int | None = None) -> str:
    """Return an integer as binary text.

    Parameters
    ----------
    num : int
        The number.
    width : int, optional
        The number of digits; negative numbers are then shown in two's complement.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> cp.binary_repr(-3, width=5)
    '11101'
    """
    return np.binary_repr(_scalar(num), width)


def get_printoptions() -> dict[str, Any]:
    """Return the options in force for printing arrays, NumPy's and Cuprum's alike.

    Returns
    -------
    dict
        The options by name.

    Examples
    --------
    >>> cp.get_printoptions()["precision"]
    8
    """
    return dict(np.get_printoptions())


def set_printoptions(
    precision: Any = None,
    threshold: Any = None,
    edgeitems: Any = None,
    linewidth: Any = None,
    suppress: Any = None,
    nanstr: Any = None,
    infstr: Any = None,
    formatter: Any = None,
    sign: Any = None,
    floatmode: Any = None,
    *,
    legacy: Any = None,
    override_repr: Any = None,
) -> None:
    """Set the options for printing arrays, NumPy's and Cuprum's alike.

    Parameters
    ----------
    precision : int, optional
        The number of digits after the point.
    threshold : int, optional
        Beyond this number of elements the middle is left out.
    edgeitems : int, optional
        How many are then shown at each end.
    linewidth : int, optional
        Where lines are broken.
    suppress : bool, optional
        Whether numbers close to zero are shown as zero.
    nanstr, infstr : str, optional
        The text of NaN and of infinity.
    formatter : dict, optional
        Functions that give the text of elements, by kind of dtype.
    sign : {"-", "+", " "}, optional
        What stands before positive numbers.
    floatmode : str, optional
        How digits are chosen: "fixed", "unique", "maxprec" or "maxprec_equal".
    legacy : str or False, optional
        A version of NumPy whose text to imitate.
    override_repr : callable, optional
        A function that replaces `repr` of NumPy's arrays.

    Examples
    --------
    >>> cp.set_printoptions(precision=3)
    >>> cp.array([1 / 3])
    array([0.333])
    >>> cp.set_printoptions(precision=8)
    """
    extra = {} if override_repr is None else {"override_repr": override_repr}
    np.set_printoptions(
        precision,
        threshold,
        edgeitems,
        linewidth,
        suppress,
        nanstr,
        infstr,
        formatter,
        sign,
        floatmode,
        legacy=legacy,
        **extra,
    )


def printoptions(*args: Any, **kwargs: Any) -> AbstractContextManager[Any]:
    """Return a context in which options for printing arrays are in force.

    Parameters
    ----------
    *args, **kwargs
        As `set_printoptions` takes them.

    Returns
    -------
    context manager
        Restores the options when it is left.

    Examples
    --------
    >>> with cp.printoptions(precision=2):
    ...     print(cp.array([1 / 3]))
    [0.33]
    """
    return np.printoptions(*args, **kwargs)
