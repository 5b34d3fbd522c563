"""Differences from NumPy and SciPy that are meant, or theirs: once each, with the reason."""

import re

import numpy as np


def _refuses_floats(got, want):
    return got is None and re.search("infinity|NaN", str(want)) is not None


def _has_64_bits(got, want):
    return isinstance(want, np.ndarray) and want.dtype.char in "lLqQ"


def _is_type_error(got, want):
    return isinstance(want, TypeError)


def _both_raise(got, want):
    return isinstance(got, Exception) and isinstance(want, Exception)


def _negative_powers(got, want):
    return got is None and "negative integer powers" in str(want)


def _is_single(got, want):
    return isinstance(want, np.ndarray) and want.dtype.char in "fF"


def _works(got, want):
    return got is None


def _refuses_integers(got, want):
    return isinstance(got, OverflowError) and want is None


KNOWN = [
    (
        r"where|\.real|\.imag|fill_diagonal|select",
        _refuses_integers,
        "NumPy before 2.5 wraps integers around",
    ),
    (r"^v\d+ .{1,2}= |^v\d+\[", _is_type_error, "single elements are updated as scalars are"),
    (r"choose_conv_method|irfft|hfft|ihfft", None, "lengths that SciPy makes up"),
    (r"xp\.poly", None, "polynomials of more than one dimension"),
    (r"histogram", None, "NumPy sorts complex numbers into bins"),
    (r"xp\.i?r?fft|xp\.fft\.", _is_single, "NumPy scales transforms of float16 by a factor in float16"),
    (r"\.resize\(", None, "NumPy looks at who owns the memory"),
    (r"frombuffer|broadcast_arrays|diag\(", None, "whether a result can be written"),
    (r"fill_diagonal|putmask", _works, "values that are stored nowhere are not looked at"),
    (r"xp\.pow(er)?\(.*where=", None, "exponents are looked at where nothing is chosen too"),
    (r"put_along_axis|ldexp|gradient|trapezoid|histogram|\.at\(", _both_raise, "the order of two mistakes"),
    ("partition", None, "the order of elements beside the one asked for is free"),
    (
        r"eig|roots|poly\(|svd|lstsq|qr\(|cholesky|pinv|cond\(|rank|det\(|\.lu|inv\(|solve",
        None,
        "matrices of any condition",
    ),
    (r"sp\.linalg\.", None, "SciPy takes stacks where one matrix is meant"),
    (r"sp\.ndimage\.|sp\.signal\.", _has_64_bits, "SciPy computes integers of 64 bits in float64"),
    (r"medfilt|wiener", None, "SciPy takes what has other than two axes by chance"),
    (r"", _refuses_floats, "NaN and infinity are cast to integers as arrays are, also alone"),
    (r"xp\.put\(", _works, "numbers are cast as arrays are"),
    (r"xp\.put\(|putmask", _is_type_error, "complex numbers are cast, and positions looked at first"),
    (r"xp\.take\(.*out=", _both_raise, "positions are looked at before the shape of out"),
    (r"pow(er)?\.(reduce|accumulate)", _negative_powers, "folds by power do not look for negative exponents"),
]


def is_known(line, got, want):
    """Return whether a difference at a line is one of those above."""
    return any(
        re.search(pattern, line) and (holds is None or holds(got, want)) for pattern, holds, _ in KNOWN
    )
