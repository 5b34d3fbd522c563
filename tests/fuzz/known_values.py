"""Known differences of values, dtypes and shapes.

A predicate takes two results and what the line has read: the arrays that it names, and as `operands` the
arguments of its call.
"""

import numpy as np


def seen(read):
    """Return all arrays that a line has read."""
    return [*read, *getattr(read, "operands", ())]


def differ(got, want, read=()):
    """Return where two arrays differ, or None if they cannot be compared."""
    if not isinstance(got, np.ndarray) or got.dtype.kind not in "iufc" or got.shape != np.shape(want):
        return None
    want = np.asarray(want)
    if want.dtype.kind not in "biufc":
        return None
    same = (got == want) | ((got != got) & (want != want))
    if got.dtype.kind in "fc":
        same |= np.isclose(got, want, {"e": 1e-2, "f": 1e-3, "F": 1e-3}.get(got.dtype.char, 2e-9), 0)
    return ~same


def _has_64_bits(got, want, read=()):
    """Whether integers are of 64 bits, and some that were read have more than a sum in float64 keeps."""
    large = any(
        np.any(np.abs(one.astype(complex)) > 2.0**40) for one in seen(read) if one.dtype.kind in "iufc"
    )
    return large and isinstance(want, np.ndarray) and want.dtype.char in "lLqQ" and got.shape == want.shape


def _is_of_half(got, want, read=()):
    """Whether float16 was read, and the result is of single precision."""
    half = any(one.dtype == np.float16 for one in seen(read))
    return half and isinstance(want, np.ndarray) and want.dtype.char in "fF" and got.shape == want.shape


def _is_other_precision(got, want, read=()):
    if not isinstance(got, np.ndarray) or got.shape != want.shape:
        return False
    return got.dtype.kind in "fciu" and got.dtype.kind == want.dtype.kind and got.dtype != want.dtype


def _is_of_one(got, want, read=()):
    return np.size(got) <= 1 and np.size(want) <= 1


def _has_long_weights(got, want, read=()):
    lengths = [max(one.shape, default=1) for one in read]
    return len(read) > 1 and max(lengths) > 2 * min(min(one.shape, default=1) for one in read)


def _is_small_coefficient(got, want, read=()):
    """Whether coefficients differ by roundings of as high a power of what was read."""
    if not isinstance(got, np.ndarray) or got.ndim != 1 or got.shape != np.shape(want) or len(read) != 1:
        return False
    largest = float(np.max(np.abs(read[0].astype(complex)), initial=1.0)) * read[0].shape[0]
    return bool(np.all(np.abs(got - want) <= 1e-12 * largest ** np.arange(len(got), dtype=float)))


def _is_of_nothing(got, want, read=()):
    return 0 in np.shape(want) or any(one.size == 0 for one in seen(read))


def _has_short_axes(got, want, read=()):
    return any(min(one.shape, default=1) < 2 for one in seen(read))


def _is_of_truths(got, want, read=()):
    return isinstance(want, np.ndarray) and want.dtype.kind == "b" and got.shape == want.shape


def _is_complex_result(got, want, read=()):
    return isinstance(want, np.ndarray | np.generic) and want.dtype.kind == "c" and got.dtype.kind != "c"


def _is_narrow(got, want, read=()):
    """Whether numbers of single precision differ by some percent."""
    if not isinstance(want, np.ndarray) or want.dtype.char not in "efF" or np.shape(got) != want.shape:
        return False
    both = np.isfinite(got) & np.isfinite(want)
    return bool(np.allclose(got[both], want[both], 0.05, 1e-6))


def _is_of_equal_numbers(got, want, read=()):
    return isinstance(got, np.ndarray) and got.shape == () and _is_of_equal_elements(got, want, read)


def _is_overflow(got, want, read=()):
    """Whether all that differs is infinite or NaN on one side."""
    if not isinstance(got, np.ndarray) or got.dtype.kind not in "fc" or np.shape(got) != np.shape(want):
        return False
    both = np.isfinite(got) & np.isfinite(want)
    return not both.all() and bool(np.allclose(got[both], np.asarray(want)[both], 1e-3, 1e-3))


def _is_complex_overflow(got, want, read=()):
    return _is_overflow(got, want) and got.dtype.kind == "c"


def _is_permutation(got, want, read=()):
    """Whether the same elements come in another order."""
    if not isinstance(got, np.ndarray) or got.shape != want.shape or got.dtype != want.dtype:
        return False
    return bool(np.allclose(np.sort(got, None), np.sort(want, None), 1e-9, equal_nan=True))


def _is_other_dtype(got, want, read=()):
    return np.shape(got) == np.shape(want) and bool(np.allclose(got, want, equal_nan=True))


def _is_nan_alone(got, want, read=()):
    """Whether all that differs is NaN here."""
    if not isinstance(got, np.ndarray) or got.dtype.kind not in "fc" or got.shape != want.shape:
        return False
    return bool(np.all(np.isnan(got) | np.isclose(got, want, 1e-9)))


def _is_of_equal_vectors(got, want, read=()):
    return _is_nan_alone(got, want) and _is_of_equal_elements(got, want, read)


def _is_nearly(got, want, read=()):
    return isinstance(got, np.ndarray) and got.shape == want.shape and bool(np.allclose(got, want, 1e-6))


def _is_cast_of_much(got, want, read=()):
    """Whether integers differ only where ours are what a number out of range is cast to."""
    at = differ(got, want)
    if at is None or got.dtype.kind not in "iu":
        return False
    limits = np.iinfo(got.dtype)
    return bool(np.isin(got[at], [0, limits.min, limits.max]).all())


def _is_empty_list(got, want, read=()):
    return isinstance(want, list) and len(got) == 0


def _is_off_by_rounding(got, want, read=()):
    """Whether numbers of single precision differ by a part in a thousand of the largest."""
    if not isinstance(got, np.ndarray) or got.dtype.char not in "fF" or got.shape != want.shape:
        return False
    scale = np.max(np.abs(want), initial=0.0, where=np.isfinite(want))
    return bool(np.allclose(got, want, 1e-3, 1e-3 * scale, equal_nan=True))


def _is_found_by_numpy(got, want, read=()):
    return isinstance(got, np.ndarray) and got.shape == np.shape(want) and bool(np.all(got <= want))


def _is_of_equal_elements(got, want, read=()):
    """Whether an array that was read has one value along an axis, or all over."""
    arrays = [one for one in seen(read) if one.ndim and one.size]
    return any(np.all(one == one[..., :1]) or np.all(one == one[:1]) for one in arrays)


def _is_half_rounded(got, want, read=()):
    """Whether float16 differs by a rounding for each element that was read."""
    if not isinstance(got, np.ndarray) or got.dtype != np.float16 or got.shape != want.shape:
        return False
    steps = max((one.size for one in read), default=1) * 2.0**-11
    return bool(np.allclose(got, want, 0, steps * np.max(np.abs(want), initial=0.0), equal_nan=True))


def _is_beyond_32_bits(got, want, read=()):
    """Whether NumPy has what its vectors make of numbers beyond uint32."""
    at = differ(got, want)
    if at is None or got.dtype != np.uint32 or want.dtype != np.uint32:
        return False
    # A sum has any number of them.
    return bool((np.isin(want[at], [0, 2**31]) | ((got[at] ^ want[at]) == 2**31)).all())


def _is_half_beyond(got, want, read=()):
    """Whether NumPy's float16 has come to zero, infinity or the subnormal numbers."""
    if not isinstance(want, np.ndarray) or want.dtype != np.float16 or np.shape(got) != want.shape:
        return False
    return bool(np.any(~np.isfinite(want) | (np.abs(want) < np.finfo(np.float16).tiny)))


def _is_half_unsorted(got, want, read=()):
    """Whether NumPy has elements of float16 more than once."""
    if not isinstance(want, np.ndarray) or want.dtype != np.float16:
        return False
    return np.unique(want.astype("f4")).size < want.size


def _is_of_singular(got, want, read=()):
    return all(isinstance(one, np.ndarray) and np.max(np.abs(one), initial=0.0) > 1e12 for one in (got, want))


def _subtracts_integers(got, want, read=()):
    return any(one.dtype.kind in "biu" for one in read)


def _is_not_square(got, want, read=()):
    return any(one.ndim != 2 or one.shape[0] != one.shape[1] for one in read)


def _is_turned(got, want, read=()):
    """Whether complex numbers differ by whole turns of their imaginary parts, or those read have no phase."""
    at = differ(got, want)
    if at is None or got.dtype.kind != "c":
        return False
    if any(np.any(np.abs(one.imag) > 1e15) for one in read):
        return True
    turns = (got - want)[at] / (2j * np.pi)
    return bool(np.allclose(turns, np.rint(turns.real), 0, 1e-3))


def _ends_early(got, want, read=()):
    if not isinstance(got, np.ndarray) or got.dtype != np.float32 or got.shape != want.shape:
        return False
    return bool(np.allclose(got, want, 0, 1e-2 * np.max(np.abs(want), initial=0.0)))


def _measures_nothing(got, want, read=()):
    return np.ndim(want) == 0 or bool(np.any(np.asarray(want) > 1e150))


def _is_no_product(got, want, read=()):
    """Whether all that differs is NaN here and zero in NumPy, and infinities or NaN were read."""
    at = differ(got, want)
    if at is None or got.dtype.kind not in "fc" or not at.any():
        return False
    odd = any(not np.isfinite(one).all() for one in seen(read) if one.dtype.kind in "fc")
    return odd and bool(np.all(np.isnan(got[at]) & (np.asarray(want)[at] == 0)))


def _is_of_nan(got, want, read=()):
    """Whether all that differs is NaN here, and NaN was read."""
    return _is_nan_alone(got, want) and any(
        np.isnan(one).any() for one in seen(read) if one.dtype.kind == "f"
    )


def _is_of_single(got, want, read=()):
    """Whether numbers of single precision above a hundred were read."""
    singles = [one for one in seen(read) if one.dtype.char in "ef"]
    return any(bool(np.any(np.abs(one[np.isfinite(one)]) > 100)) for one in singles)


def _is_lost_beside(got, want, read=()):
    """Whether all that differs is less than a rounding of a huge number that was read."""
    at = differ(got, want)
    if at is None or got.dtype.kind not in "fc" or not at.any():
        return False
    sizes = [np.abs(one[np.isfinite(one)].astype(complex)) for one in seen(read)]
    largest = max((float(one.max(initial=0.0)) for one in sizes), default=0.0)
    return largest > 1e20 and bool(np.all(np.abs(got - want)[at] <= 1e-9 * largest))


def _is_cancelled(got, want, read=()):
    """Whether results near zero differ by roundings of what they are the difference of."""
    if not isinstance(got, np.ndarray) or (got.dtype, got.shape) != (want.dtype, want.shape):
        return False
    if got.dtype.kind != "f":
        return False
    steps = 8 * np.finfo(got.dtype).eps
    far = np.abs(got - want)
    at = ~((far <= steps * np.abs(want)) | (got == want) | (np.isnan(got) & np.isnan(want)))
    return bool(np.all(far[at] <= steps) and np.all(np.abs(want[at]) <= 0.25))


def _has_padding(got, want, read=()):
    """Whether structures with unused bytes were read, which are nothing in particular."""
    return any(_leaves_room(one.dtype) for one in seen(read))


def _is_packed(got, want, read=()):
    """Whether structures that were read leave room for fields, and what came of them does so on one side."""
    if not isinstance(got, np.ndarray) or got.dtype.names is None or want.dtype.names != got.dtype.names:
        return False
    same = all(got.dtype[name] == want.dtype[name] for name in got.dtype.names)
    apart = any(_leaves_room(one.dtype) and not one.dtype.isalignedstruct for one in seen(read))
    return same and apart and _leaves_room(got.dtype) != _leaves_room(want.dtype) and got.shape == want.shape


def _is_of_structures(got, want, read=()):
    return bool(got) and any(one.dtype.names is not None and one.ndim > 1 for one in seen(read))


def _leaves_room(dtype):
    return dtype.names is not None and sum(dtype[name].itemsize for name in dtype.names) < dtype.itemsize


def _is_unsorted_as_times(got, want, read=()):
    """Whether the lowest integer was read: beside differences that is no time, and comes last."""
    lowest = np.iinfo(np.int64).min
    return any(one.dtype.kind == "i" and bool(np.any(one == lowest)) for one in seen(read))


def _is_beyond_float(got, want, read=()):
    """Whether all that differs are counts that float64 does not hold, by the rounding of it."""
    if not isinstance(got, np.ndarray) or got.dtype.kind != "m" or got.dtype != want.dtype:
        return False
    ours, theirs = got.astype(np.int64), np.asarray(want).astype(np.int64)
    if ours.shape != theirs.shape:
        return False
    at = ours != theirs
    return bool(np.all((np.abs(ours[at]) > 2**53) & np.isclose(ours[at], theirs[at], 1e-15, 0)))


def _is_ill_conditioned(got, want, read=()):
    """Whether a matrix was read whose inverse has no right digit."""
    with np.errstate(all="ignore"):
        matrices = [
            np.nan_to_num(one * 1.0) for one in seen(read) if one.ndim > 1 and one.dtype.kind in "biuf"
        ]
        return any(one.size and np.max(np.linalg.cond(one)) > 1e12 for one in matrices)


VALUES = [
    (r"pinv\(", _is_ill_conditioned, "singular values at the limit below which they count for nothing"),
    (r"\.tobytes\(|\.view\(", _has_padding, "bytes between fields are nothing in particular"),
    (r"", _is_packed, "whether a copy of some fields leaves room for the others"),
    (r"\.flags\.c_contiguous", _is_of_structures, "rolled structures are contiguous"),
    (r"searchsorted", _is_unsorted_as_times, "integers that are sorted may not be as differences"),
    (r"gradient|median", _is_beyond_float, "NumPy takes the mean of two counts in float64"),
    (r"xp\.logaddexp2?\(", _is_cancelled, "NumPy rounds a larger number before its logarithm's vanishes"),
    (
        r"sp\.ndimage\.(geometric|shift|zoom|rotate|affine|map|spline).*order=[2-5]",
        _is_of_truths,
        "SciPy cuts splines of booleans, which are one but for roundings",
    ),
    (
        r"xp\.(add|subtract)\.accumulate|cum(ulative_)?sum",
        _is_half_rounded,
        "running sums of float16 are rounded in each step, or in float32 and then",
    ),
    (
        r"xp\.corrcoef\(|sp\.stats\.(zmap|zscore)\(",
        _is_of_equal_elements,
        "the deviation of equal numbers is a matter of roundings",
    ),
    (r"sp\.linalg\.khatri_rao", _is_of_nothing, "products of nothing have the first matrix's dtype in SciPy"),
    (r"dot\(", _is_no_product, "BLAS multiplies by a number that is zero without looking"),
    (
        r"(sum|mean|average|trace|dot|inner|add\.reduce|add\.reduceat)\(",
        _is_lost_beside,
        "what is left of sums of huge numbers is a matter of their order",
    ),
    (
        r"xp\.linalg\.(eigvalsh|eigh|svdvals|svd)\(",
        _is_lost_beside,
        "eigenvalues have the roundings of the largest one, which may overflow",
    ),
    (
        r"round\(|dtype='u4'|astype\(.*'u4'",
        _is_beyond_32_bits,
        "NumPy casts vectors of numbers beyond uint32 in another way than single numbers",
    ),
    (r"UnivariateSpline", _is_of_nothing, "what SciPy returns of no points has one axis"),
    (
        r"multiply\.accumulate|cum(ulative_)?prod",
        _is_half_beyond,
        "running products of float16 are rounded in each step, and may stay zero or infinite, or in the end",
    ),
    (r"union1d|unique", _is_half_unsorted, "NumPy's sort leaves many float16 unsorted"),
    (r"solve_(continuous_lyapunov|sylvester)", _is_of_singular, "equations without, or with many, solutions"),
    (r"sp\.", _is_other_precision, "SciPy's choice between single and double precision"),
    (r"ellipap", _is_of_one, "results of one element have no axis, or one"),
    (r"sp\.signal\.besselap", _is_permutation, "the order of a pair of poles"),
    (r"sp\.special\.round|sp\.stats\.describe", _is_other_dtype, "dtypes of counts"),
    (r"sp\.signal\.minimum_phase", _is_nearly, "logarithms of nearly nothing"),
    (
        r"sp\.stats\.(sem|median_abs_deviation)\(",
        _is_complex_result,
        "deviations of complex numbers are real, NaN too",
    ),
    (
        r"sp\.spatial\.distance\..*(correlation|cosine)",
        _is_of_equal_vectors,
        "vectors of equal elements have no correlation",
    ),
    (
        r"sp\.stats\.rankdata",
        _is_other_dtype,
        "ranks are integers before SciPy 1.18, and complex if there are none",
    ),
    (
        r"sp\.ndimage\.(correlate|convolve)\(",
        _has_long_weights,
        "SciPy misplaces what lies beyond the ends where weights reach over the array more than once",
    ),
    (r"sp\.ndimage\.(correlate|convolve)\(", _is_cast_of_much, "sums beyond an integer dtype"),
    (
        r"sp\.ndimage\.(grey|m..imum_filter|morpho|white|black)",
        _is_of_nan,
        "NaN is the least and the greatest of its window; SciPy finds it as the order has it",
    ),
    (r"sp\.signal\.chirp\(", _is_of_single, "SciPy computes the phase in single precision"),
    (r"sp\.ndimage\.find_objects", _is_empty_list, "an array without axes has no slices"),
    (r"xp\.poly\(", _is_small_coefficient, "roundings of what the eigenvalues' products cancel"),
    (r"xp\.poly\(", _is_off_by_rounding, "a product of 64 factors in single precision"),
    (r"sp\.ndimage\.(standard_deviation|variance)", _is_off_by_rounding, "SciPy sums in single precision"),
    (
        r"sp\.special\..*(inv|tri|trit|trix)\(",
        _is_narrow,
        "SciPy computes in the precision of its arguments",
    ),
    (r"sp\.special\.(log_)?softmax", _subtracts_integers, "SciPy subtracts integers, which wrap around"),
    (
        r"sp\.linalg\.bandwidth",
        _is_not_square,
        "SciPy takes the bands of a matrix that is not square for none",
    ),
    (r"sp\.special\.log_softmax", _is_turned, "a logarithm has many imaginary parts"),
    (r"prod", _is_overflow, "zero times what has overflowed on the way"),
    (r"xp\.cross\(", _is_complex_overflow, "complex products overflow in NumPy as the array's length has it"),
    (r"sp\.stats\.mode", _is_of_nothing, "the mode of nothing"),
    (r"sp\.special\.factorial2?\(", _is_of_nothing, "factorials of no integers are integers in SciPy"),
    (r"\.strides", _has_short_axes, "strides of arrays without elements, or of axes of length one"),
    (r"sp\.signal\.symiirorder2", _ends_early, "sums that SciPy ends early in single precision"),
    (
        r"sp\.ndimage\.(generic_|prewitt|sobel)",
        _is_of_truths,
        "SciPy stores numbers other than 0 and 1 as booleans",
    ),
    (r"sp\.ndimage\.distance_transform_bf\(", _measures_nothing, "nothing to measure from, or no axis"),
    (r"sp\.ndimage\.median\(", _is_nan_alone, "a label that is nowhere has no median"),
    (r"unique_(inverse|all)", _is_permutation, "each NaN is an element of its own, in any order"),
    (r"xp\.isin\(", _is_found_by_numpy, "NumPy finds what rounds to another element of the same array"),
    (r"sp\.spatial\.", _is_complex_result, "complex vectors have no distances"),
    (
        r"sp\.stats\.(ttest|anderson|boxcox_llf|bartlett|f_oneway|fligner|levene)",
        _is_of_equal_numbers,
        "the deviation of equal numbers is nearly nothing",
    ),
    (r"xp\.i?r?fft|xp\.fft\.", _is_of_half, "NumPy scales transforms of float16 by a factor in float16"),
    (r"partition", _is_permutation, "the order of elements beside the one asked for is free"),
    (r"sp\.ndimage\.|sp\.signal\.", _has_64_bits, "SciPy computes integers of 64 bits in float64"),
]
