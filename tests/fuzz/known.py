"""Differences from NumPy and SciPy that are meant, or theirs: once each, with the reason."""

import re

import numpy as np


def _refuses_floats(got, want, read=()):
    return got is None and re.search("infinity|NaN", str(want)) is not None


def _has_64_bits(got, want, read=()):
    return isinstance(want, np.ndarray) and want.dtype.char in "lLqQ"


def _is_type_error(got, want, read=()):
    return isinstance(want, TypeError)


def _both_raise(got, want, read=()):
    return isinstance(got, Exception) and isinstance(want, Exception)


def _negative_powers(got, want, read=()):
    return got is None and "negative integer powers" in str(want)


def _is_single(got, want, read=()):
    return isinstance(want, np.ndarray) and want.dtype.char in "fF"


def _works(got, want, read=()):
    return got is None


def _refuses_integers(got, want, read=()):
    return isinstance(got, OverflowError) and want is None


def _is_read_only(got, want, read=()):
    return "read-only" in str(got) or "read-only" in str(want)


def _is_sequence(got, want, read=()):
    return "with a sequence" in str(got) and want is None


def _is_degree_error(got, want, read=()):
    return isinstance(got, ValueError) and "whole numbers" in str(got)


def _is_complex_error(got, want, read=()):
    return isinstance(got, ValueError) and "complex vectors" in str(got)


def _is_other_precision(got, want, read=()):
    if not isinstance(got, np.ndarray) or got.shape != want.shape:
        return False
    return got.dtype.kind in "fciu" and got.dtype.kind == want.dtype.kind and got.dtype != want.dtype


def _is_not_finite(got, want, read=()):
    return "did not converge" in str(got) + str(want) and (got is None or want is None)


def _is_of_one(got, want, read=()):
    return np.size(got) <= 1 and np.size(want) <= 1


def _is_empty_error(got, want, read=()):
    return "no elements" in str(got)


def _wants_matrices(got, want, read=()):
    return want is None and re.search("dimension|2D|square|two", str(got)) is not None


def _wants_other_axes(got, want, read=()):
    return want is None and re.search("ndim|dimension|2-D|empty", str(got)) is not None


def _wants_contiguous(got, want, read=()):
    return "must be contiguous" in str(got) and want is None


def _has_long_weights(got, want, read=()):
    lengths = [max(one.shape, default=1) for one in read]
    return len(read) > 1 and max(lengths) > 2 * min(min(one.shape, default=1) for one in read)


def _is_small_coefficient(got, want, read=()):
    """Whether coefficients differ by roundings of as high a power of what was read."""
    if not isinstance(got, np.ndarray) or got.ndim != 1 or got.shape != np.shape(want) or len(read) != 1:
        return False
    largest = float(np.max(np.abs(read[0].astype(complex)), initial=1.0)) * read[0].shape[0]
    return bool(np.all(np.abs(got - want) <= 1e-12 * largest ** np.arange(len(got), dtype=float)))


def _was_column(got, want, read=()):
    return got is None and "last axis must be contiguous" in str(want)


def _is_of_nothing(got, want, read=()):
    return 0 in np.shape(want) or not np.all(want)


def _is_of_truths(got, want, read=()):
    return isinstance(want, np.ndarray) and want.dtype.kind == "b"


def _is_empty_length(got, want, read=()):
    return "data points (0)" in str(got)


def _is_complex_result(got, want, read=()):
    return isinstance(want, np.ndarray | np.generic) and want.dtype.kind == "c"


def _is_narrow(got, want, read=()):
    return isinstance(want, np.ndarray) and want.dtype.char in "efF"


def _refuses_complex(got, want, read=()):
    return isinstance(got, TypeError) and "complex" in str(got)


def _refuses_numbers(got, want, read=()):
    return isinstance(want, TypeError | IndexError)


def _is_broadcast_error(got, want, read=()):
    return got is None and "operand with shape ()" in str(want)


def _is_of_equal_numbers(got, want, read=()):
    return isinstance(got, np.ndarray) and got.shape == () and not np.isclose(got, want, 1e-3)


def _is_overflow(got, want, read=()):
    """Whether all that differs is infinite or NaN on one side."""
    if not isinstance(got, np.ndarray) or got.dtype.kind not in "fc" or np.shape(got) != np.shape(want):
        return False
    both = np.isfinite(got) & np.isfinite(want)
    return not both.all() and bool(np.allclose(got[both], np.asarray(want)[both], 1e-3, 1e-3))


def _is_permutation(got, want, read=()):
    """Whether the same elements come in another order."""
    if not isinstance(got, np.ndarray) or got.shape != want.shape or got.dtype != want.dtype:
        return False
    return bool(np.allclose(np.sort(got, None), np.sort(want, None), 1e-9, equal_nan=True))


def _is_other_dtype(got, want, read=()):
    return np.shape(got) == np.shape(want) and bool(np.allclose(got, want, equal_nan=True))


def _is_power_error(got, want, read=()):
    return "negative integer powers" in str(got) + str(want) and (got is None or want is None)


def _wants_other_shape(got, want, read=()):
    return want is None and "output has shape" in str(got)


def _refuses_bounds(got, want, read=()):
    return isinstance(got, ValueError) and re.search("out of bounds|low >= high", str(got)) is not None


def _lacks_loop(got, want, read=()):
    return isinstance(got, TypeError) and "not supported for the input types" in str(got)


def _lacks_library(got, want, read=()):
    return isinstance(got, RuntimeError) and "was not found: pip install" in str(got)


def _is_nan_alone(got, want, read=()):
    """Whether all that differs is NaN here."""
    if not isinstance(got, np.ndarray) or got.dtype.kind not in "fc" or got.shape != want.shape:
        return False
    return bool(np.all(np.isnan(got) | np.isclose(got, want, 1e-9)))


def _is_nearly(got, want, read=()):
    return isinstance(got, np.ndarray) and got.shape == want.shape and bool(np.allclose(got, want, 1e-6))


def _differ(got, want, read=()):
    """Return where two arrays differ, or None if they cannot be compared."""
    if not isinstance(got, np.ndarray) or got.dtype.kind not in "iufc" or got.shape != np.shape(want):
        return None
    want = np.asarray(want)
    same = (got == want) | ((got != got) & (want != want))
    if got.dtype.kind in "fc":
        same |= np.isclose(got, want, {"e": 1e-2, "f": 1e-3, "F": 1e-3}.get(got.dtype.char, 2e-9), 0)
    return ~same


def _is_other_phase(got, want, read=()):
    """Whether complex numbers have the same sizes."""
    at = _differ(got, want)
    if at is None or got.dtype.kind != "c":
        return False
    ours, theirs = np.abs(got[at]), np.abs(np.asarray(want)[at])
    return bool(np.all((~np.isfinite(ours) & ~np.isfinite(theirs)) | np.isclose(ours, theirs, 1e-4, 0)))


def _wants_three(got, want, read=()):
    return got is None and "3-dimensional vectors" in str(want)


def _is_cast_of_much(got, want, read=()):
    """Whether integers differ only where ours are what a number out of range is cast to."""
    at = _differ(got, want)
    if at is None or got.dtype.kind not in "iu":
        return False
    limits = np.iinfo(got.dtype)
    return bool(np.isin(got[at], [0, limits.min, limits.max]).all())


def _is_empty_list(got, want, read=()):
    return isinstance(want, list) and len(got) == 0


def _has_no_edges(got, want, read=()):
    return want is None and "no negative elements" in str(got)


def _is_off_by_rounding(got, want, read=()):
    if not isinstance(got, np.ndarray) or got.dtype.char not in "fFdD" or got.shape != want.shape:
        return False
    scale = np.max(np.abs(want), initial=0.0, where=np.isfinite(want))
    return bool(np.allclose(got, want, 1e-3, 1e-3 * scale, equal_nan=True))


def _is_one_overflow(got, want, read=()):
    return _both_raise(got, want) and isinstance(got, OverflowError) != isinstance(want, OverflowError)


def _is_found_by_numpy(got, want, read=()):
    return isinstance(got, np.ndarray) and got.shape == np.shape(want) and bool(np.all(got <= want))


def _wants_real(got, want, read=()):
    return isinstance(got, TypeError) and "must be real" in str(got)


def _has_complex_range(got, want, read=()):
    return got is None and re.search(r"range of \[.*j.*\] is not finite", str(want)) is not None


def _is_singular(got, want, read=()):
    return "ingular" in str(got) + str(want) and (got is None or want is None)


def _has_large_phase(got, want, read=()):
    """Whether complex numbers have the same sizes, and what was read has large imaginary parts."""
    parts = [one.imag[np.isfinite(one)] for one in read if one.dtype.kind == "c"]
    return any(np.any(np.abs(one) > 1e6) for one in parts) and _is_other_phase(got, want)


def _is_cancelled(got, want, read=()):
    """Whether results near zero differ by roundings of what they are the difference of."""
    if not isinstance(got, np.ndarray) or (got.dtype, got.shape) != (want.dtype, want.shape):
        return False
    if got.dtype.kind != "f":
        return False
    steps = 8 * np.finfo(got.dtype).eps
    far = np.abs(got - want)
    at = ~((far <= steps * np.abs(want)) | (got == want) | (np.isnan(got) & np.isnan(want)))
    return bool(np.all(far[at] <= steps) and np.all(np.abs(want[at]) <= 64 * steps))


def _is_of_equal_elements(got, want, read=()):
    """Whether the arrays that were read have one value each along an axis, or all over."""
    return any(np.all(one == one[..., :1]) or np.all(one == one[:1]) for one in read if one.ndim)


def _is_half_rounded(got, want, read=()):
    """Whether float16 differs by a rounding for each element that was read."""
    if not isinstance(got, np.ndarray) or got.dtype != np.float16 or got.shape != want.shape:
        return False
    steps = max((one.size for one in read), default=1) * 2.0**-11
    return bool(np.allclose(got, want, 0, steps * np.max(np.abs(want), initial=0.0), equal_nan=True))


def _is_half_of_infinities(got, want, read=()):
    return "float16" in str(got) and "infs or NaNs" in str(want)


def _is_beyond_32_bits(got, want, read=()):
    """Whether NumPy has what its vectors make of numbers beyond uint32."""
    at = _differ(got, want)
    if at is None or got.dtype != np.uint32 or want.dtype != np.uint32:
        return False
    # A sum has any number of them.
    return bool((np.isin(want[at], [0, 2**31]) | ((got[at] ^ want[at]) == 2**31)).all())


def _refuses_complex_alone(got, want, read=()):
    return want is None and _refuses_complex(got, want)


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


def _is_of_equal_sample(got, want, read=()):
    return want is None and "lower-dimensional" in str(got)


def _subtracts_integers(got, want, read=()):
    return any(one.dtype.kind in "biu" for one in read)


def _is_not_square(got, want, read=()):
    return any(one.ndim != 2 or one.shape[0] != one.shape[1] for one in read)


def _is_turned(got, want, read=()):
    """Whether complex numbers differ by whole turns of their imaginary parts, or those read have no phase."""
    at = _differ(got, want)
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


def elements(*rules):
    """Return a predicate: whether each element that differs is one that some rule excuses."""

    def holds(got, want, read=()):
        at = _differ(got, want)
        if at is None or got.dtype.kind not in "fc":
            return False
        got, want = got[at], np.asarray(want)[at]
        return bool(np.all(np.any([rule(got, want, read) for rule in rules], axis=0)))

    return holds


def value_here(got, want, read):
    """SciPy has no number: ours is one, or no NaN where SciPy's is; or a complex number that neither has."""
    more = np.isfinite(got) | np.isnan(want) & ~np.isnan(got)
    return (more | (got.dtype.kind == "c") & ~np.isfinite(got)) & ~np.isfinite(want)


def digits_here(got, want, read):
    """SciPy's zeros and lost digits where orders or arguments are beyond 1e4, or orders nearly zero."""
    lost = np.zeros(got.shape, bool)
    if _reads_beyond(1e4, read):
        lost |= (want == 0) & (np.abs(got) < 1e-2)
    if _reads_beyond(1e8, read):
        lost |= np.isclose(got, want, 1e-5, 1e-9)
    if _reads_beyond(1e13, read):
        # Of its phase SciPy has no digit left.
        lost |= (np.abs(got) < 1e-6) & (np.abs(want) < 1e-6)
    if _reads_tiny(read):
        # SciPy divides by orders that have few bits.
        lost |= np.isclose(got, want, 0.5)
    return lost


def other_infinity(got, want, read):
    return np.isinf(got) & np.isinf(want)


def kept_nan(got, want, read):
    """NaN here, and among what was read."""
    return np.isnan(got) & any(np.isnan(one).any() for one in read if one.dtype.kind in "fc")


def no_order(got, want, read):
    """NaN here, and an infinity among what was read."""
    return np.isnan(got) & any(np.isinf(one).any() for one in read if one.dtype.kind in "fc")


def subnormal(got, want, read):
    return (want == 0) & (np.abs(got) < np.finfo(got.dtype).tiny)


def hypergeometric(got, want, read):
    """Numbers beyond 1e8 were read, or some that are whole but for their last digits."""
    near = [
        (one != np.rint(one)) & np.isclose(one, np.rint(one), 1e-9) for one in read if one.dtype.kind == "f"
    ]
    return np.full(got.shape, _reads_beyond(1e8, read) or any(one.any() for one in near))


def rounding(got, want, read):
    return np.abs(got - want) <= 4 * np.finfo(got.dtype).eps


def tends_to_nothing(got, want, read):
    """Less in SciPy than here, or both nearly nothing, of tiny or of large numbers."""
    tiny = any(np.any((one != 0) & (np.abs(one) < 1e-6)) for one in read if one.dtype.kind == "f")
    less = (tiny | _reads_beyond(1e8, read)) & (np.abs(want) < np.abs(got)) & np.isfinite(got)
    return less | _reads_beyond(1e8, read) & (np.abs(got) < 1e-30) & (np.abs(want) < 1e-30)


def few_digits(got, want, read):
    return np.isclose(got, want, 1e-7, 0)


def on_axis(got, want, read):
    return (got.dtype.kind == "c") & (got.real == 0)


def nothing_chosen(got, want, read):
    return (got == 0) & (np.abs(want) < 1e-50)


def no_product(got, want, read):
    """NaN here where NumPy has zero, and infinities or NaN among what was read."""
    odd = any(not np.isfinite(one).all() for one in read if one.dtype.kind in "fc")
    return np.isnan(got) & (want == 0) & odd


def lost_beside(got, want, read):
    """Less than a rounding of a huge number that was read."""
    sizes = [np.abs(one[np.isfinite(one)].astype(complex)) for one in read]
    largest = max((float(one.max(initial=0.0)) for one in sizes), default=0.0)
    return (largest > 1e20) & (np.abs(got - want) <= 1e-9 * largest)


def at_its_order(got, want, read):
    """Complex and NaN here, of a large order or argument."""
    return np.isnan(got) & (got.dtype.kind == "c") & _reads_beyond(1e4, read)


def single_digits(got, want, read):
    return (got.dtype == np.float32) & np.isclose(got, want, 0.1, 0)


def other_side(got, want, read):
    """Conjugates, and negative zeros among the imaginary parts that were read."""
    zeros = [np.any((one.imag == 0) & np.signbit(one.imag)) for one in read if one.dtype.kind == "c"]
    return any(zeros) & np.isclose(got.conj(), want, 1e-9)


def halved(got, want, read):
    """A half of the real part and a quarter of the imaginary one, at negative numbers."""
    less = np.isclose(got.real, 2 * want.real, 1e-3, 0) & np.isclose(got.imag, 4 * want.imag, 1e-3, 0)
    return less & any(np.any(one.real < 0) for one in read)


def scipy_zero(got, want, read):
    """Zero in SciPy, of an order and an argument that are negative."""
    return (want == 0) & any(np.any(one.real < -50) for one in read)


def beyond_cut(got, want, read):
    """No number here, or none that SciPy's is, of an argument beyond 1."""
    beyond = any(np.any(np.abs(one) > 1) for one in read if one.dtype.kind == "f")
    return beyond & (np.isnan(got) & np.isinf(want) | (np.abs(want) > 1e30))


def near_zero(got, want, read):
    """Digits of results of tiny numbers."""
    return np.isclose(got, want, 1e-3) & _reads_tiny(read)


def _reads_tiny(read):
    return any(np.any((one != 0) & (np.abs(one) < 1e-305)) for one in read if one.dtype.kind in "fc")


def _reads_beyond(limit, read):
    return any(np.any(np.abs(one.astype(complex)) > limit) for one in read)


KNOWN = [
    (
        r"sp\.special\.([jy][01n]|jve?|yv)\(",
        elements(value_here, digits_here, no_order, kept_nan),
        "SciPy's zeros at large orders, and digits that it loses; infinite orders and NaN have no value",
    ),
    (
        r"sp\.special\.(ive?|yve)\(",
        elements(value_here, digits_here, no_order, kept_nan, other_infinity, halved),
        "the same, and the sign of what overflows, or of a pole at zero; SciPy's halves at negative numbers",
    ),
    (
        r"sp\.special\.(kve?|eval_gegenbauer)\(",
        elements(value_here, kept_nan),
        "NaN stays NaN",
    ),
    (
        r"sp\.special\.eval_(sh_)?legendre\(",
        elements(value_here, kept_nan, no_order),
        "NaN stays NaN; of an infinity powers are subtracted",
    ),
    (
        r"sp\.special\.fdtr[ic]?\(",
        elements(value_here, no_order, subnormal, single_digits),
        "infinite degrees of freedom at infinity have no value; SciPy's zeros, and sums in single precision",
    ),
    (
        r"sp\.special\.ellip[ek]inc\(",
        elements(value_here, other_infinity),
        "SciPy loses the sign of an amplitude",
    ),
    (
        r"sp\.special\.hyp2f1\(",
        elements(value_here, beyond_cut),
        "beyond 1 there is no real value, or infinity",
    ),
    (r"sp\.special\.lpmv\(", elements(value_here, beyond_cut), "beyond 1 SciPy's has any value"),
    (
        r"sp\.special\.betaln\(",
        elements(value_here, kept_nan, no_order),
        "NaN stays NaN; towards a negative infinity there are poles without end",
    ),
    (
        r"sp\.special\.hankel[12]e?\(",
        elements(value_here, digits_here, at_its_order, scipy_zero),
        "SciPy's zeros and digits; complex arguments as large as their order have no value here",
    ),
    (
        r"sp\.special\.stdtrit\(",
        elements(value_here, other_infinity),
        "SciPy's quantile of nothing is not the least",
    ),
    (
        r"sp\.special\.hyp0f1\(",
        elements(value_here, hypergeometric),
        "SciPy has no digits of large numbers, and few beside whole orders",
    ),
    (r"sp\.special\.log_ndtr\(", elements(value_here, few_digits), "SciPy has seven digits of some"),
    (
        r"sp\.special\.hyperu\(",
        elements(value_here, few_digits, no_order, tends_to_nothing),
        "SciPy has seven digits of some, and none where its argument is nearly zero or its parameters large",
    ),
    (
        r"sp\.special\.fresnel\(",
        elements(value_here, few_digits, on_axis),
        "SciPy is wrong at some imaginary numbers, and has seven digits of large results",
    ),
    (
        r"sp\.special\.binom\(",
        elements(value_here, nothing_chosen),
        "SciPy's roundings where the result is zero",
    ),
    (
        r"sp\.special\.s[ih]",
        elements(value_here, other_side),
        "SciPy has one side of a cut, whatever zero's sign",
    ),
    (
        r"sp\.special\.(beta|poch)\(",
        elements(value_here, other_infinity, kept_nan, no_order, few_digits),
        "the sign of a pole; NaN stays NaN, infinite orders have no value, and SciPy seven digits of some",
    ),
    (
        r"sp\.special\.zetac\(",
        elements(value_here, subnormal),
        "SciPy's zeros where powers of two are subnormal",
    ),
    (r"sp\.special\.expit\(", elements(value_here, subnormal), "SciPy's zeros where the result is subnormal"),
    (r"sp\.special\.loggamma\(", elements(value_here, near_zero), "SciPy loses digits of numbers near zero"),
    (
        r"sp\.special\.",
        elements(value_here),
        "SciPy overflows on the way; which infinity or NaN a complex function has where it has no value",
    ),
    (
        r"sp\.ndimage\.(geometric|shift|zoom|rotate|affine|map|spline).*order=[2-5]",
        _is_of_truths,
        "SciPy cuts splines of booleans, which are one but for roundings",
    ),
    (r"xp\.logaddexp2?\(", _is_cancelled, "NumPy rounds a larger number before its logarithm's vanishes"),
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
    (r"dot\(", elements(no_product), "BLAS multiplies by a number that is zero without looking"),
    (
        r"(sum|mean|average|trace|add\.reduce|add\.reduceat)\(",
        elements(lost_beside),
        "what is left of sums of huge numbers is a matter of their order",
    ),
    (
        r"xp\.linalg\.(eigvalsh|eigh|svdvals|svd)\(",
        elements(lost_beside),
        "eigenvalues have the roundings of the largest one, which may overflow",
    ),
    (r"xp\.(linalg\.eig(vals)?|poly)\(", _is_half_of_infinities, "the order of two mistakes"),
    (
        r"round\(|dtype='u4'|astype\(.*'u4'",
        _is_beyond_32_bits,
        "NumPy casts vectors of numbers beyond uint32 in another way than single numbers",
    ),
    (r"gaussian_kde", _is_of_equal_sample, "whether equal numbers have a deviation is a matter of roundings"),
    (r"UnivariateSpline", _is_of_nothing, "what SciPy returns of no points has one axis"),
    (
        r"multiply\.accumulate|cum(ulative_)?prod",
        _is_half_beyond,
        "running products of float16 are rounded in each step, and may stay zero or infinite, or in the end",
    ),
    (r"union1d|unique", _is_half_unsorted, "NumPy's sort leaves many float16 unsorted"),
    (r"solve_(continuous_lyapunov|sylvester)", _is_of_singular, "equations without, or with many, solutions"),
    (r"sp\.stats\.variation", _refuses_complex_alone, "of NaN alone SciPy does not ask for a sign"),
    (r"", _lacks_library, "a library of CUDA that the machine does not have"),
    (r"", _is_read_only, "NumPy looks at flags before other mistakes, or not at all"),
    (r"^v\d+(\.T|\.flat)?\[.*\] = ", _both_raise, "the order of two mistakes"),
    (r"^v\d+(\.T)?\[.*\] = ", _is_sequence, "booleans take arrays of one element, others not"),
    (r"\.flat = ", _works, "complex numbers are cast"),
    (r"out=|put\(|\.sort\(|@|^v\d+\.", _both_raise, "the order of two mistakes"),
    (r"sp\.special\.", _lacks_loop, "some functions have real arguments alone"),
    (r"sp\.special\.eval_", _is_degree_error, "degrees are whole numbers"),
    (r"sp\.", _is_other_precision, "SciPy's choice between single and double precision"),
    (r"linalg\.", _is_not_finite, "infinities have no decomposition"),
    (r"linalg\.(lstsq|tensor)", _works, "half precision, and stacks of single numbers, are taken"),
    (r"ellipap", _is_of_one, "results of one element have no axis, or one"),
    (r"sp\.ndimage\.map_coordinates", _is_empty_error, "nothing lies between no elements"),
    (r"sp\.signal\.besselap", _is_permutation, "the order of a pair of poles"),
    (r"sp\.special\.round|sp\.stats\.describe", _is_other_dtype, "dtypes of counts"),
    (r"\.resize\(", _works, "arrays of memory that somebody else owns get their own"),
    (r"\.view\(", _wants_contiguous, "the order of axes in memory"),
    (r"\.view\(", _was_column, "the positions of nonzero are columns of one array in NumPy"),
    (r"sp\.signal\.minimum_phase", _is_nearly, "logarithms of nearly nothing"),
    (r"histogram(2d|dd)", _has_complex_range, "complex numbers have no bins"),
    (r"xp\.(matvec|vecmat)\(|xp\.fft\.", _both_raise, "the order of two mistakes"),
    (
        r"linalg\.(solve|inv|tensorsolve|tensorinv)",
        _is_singular,
        "whether a matrix is singular: its last bits",
    ),
    (
        r"sp\.stats\.(sem|median_abs_deviation)\(",
        _is_complex_result,
        "deviations of complex numbers are real, NaN too",
    ),
    (
        r"sp\.spatial\.distance\..*(correlation|cosine).*broadcast",
        _is_nan_alone,
        "vectors of equal elements have no correlation",
    ),
    (r"xp\.exp2\(", _has_large_phase, "the phase after many turns"),
    (r"xp\.cross\(", _wants_three, "vectors of two components"),
    (r"cross\(", _both_raise, "NumPy before 2.5 has an IndexError for numbers"),
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
    (r"sp\.ndimage\.find_objects", _is_empty_list, "an array without axes has no slices"),
    (r"xp\.linalg\.tensorinv", _both_raise, "the order of two mistakes"),
    (r"xp\.poly\(", _is_small_coefficient, "roundings of what the eigenvalues' products cancel"),
    (r"xp\.roots", _both_raise, "the order of two mistakes"),
    (r"xp\.histogramdd", _has_no_edges, "edges of float16 that overflow"),
    (r"xp\.poly\(", _is_off_by_rounding, "a product of 64 factors in single precision"),
    (r"sp\.ndimage\.(standard_deviation|variance)", _is_off_by_rounding, "SciPy sums in single precision"),
    (r"percentile|quantile", _works, "quantiles of nothing are empty, or NaN"),
    (r"\.put\(", _works, "complex numbers are cast"),
    (r"sp\.linalg\.(expm|lu|bandwidth)", _wants_matrices, "what has less than two axes is no matrix"),
    (r"sp\.(ndimage|signal)\.", _wants_other_axes, "SciPy takes what has too few axes by chance"),
    (
        r"sp\.special\..*(inv|tri|trit|trix|sinc)\(",
        _is_narrow,
        "SciPy computes in the precision of its arguments",
    ),
    (r"sp\.special\.(log_)?softmax", _subtracts_integers, "SciPy subtracts integers, which wrap around"),
    (
        r"sp\.linalg\.bandwidth",
        _is_not_square,
        "SciPy takes the bands of a matrix that is not square for none",
    ),
    (r"sp\.special\.log_softmax", elements(rounding), "logarithms of nearly one"),
    (r"sp\.special\.log_softmax", _is_turned, "a logarithm has many imaginary parts"),
    (r"xp\.arange", _works, "ranges of booleans are integers"),
    (r"histogram", _refuses_complex, "complex numbers have no bins"),
    (r"xp\.roots|random\.permutation", _refuses_numbers, "numbers where arrays are meant"),
    (r"^v\d+ = v\d+\[", _both_raise, "the order of two mistakes"),
    (r"prod", _is_overflow, "zero times what has overflowed on the way"),
    (r"@= ", _wants_other_shape, "NumPy takes a result of more axes than its place has"),
    (r"sp\.stats\.mode", _is_of_nothing, "the mode of nothing"),
    (r"linalg\.cholesky", _works, "whether a singular matrix is definite is a matter of its last bits"),
    (r"random\.randint", _refuses_bounds, "bounds are looked at also where nothing is drawn"),
    (r"\.strides", _is_of_nothing, "strides of arrays without elements"),
    (r"xp\.average", _works, "the mean of nothing is NaN"),
    (r"xp\.poly", _works, "polynomials of no, or of more than one, axis"),
    (r"sp\.signal\.symiirorder2", _ends_early, "sums that SciPy ends early in single precision"),
    (
        r"sp\.ndimage\.(generic_|prewitt|sobel)",
        _is_of_truths,
        "SciPy stores numbers other than 0 and 1 as booleans",
    ),
    (r"sp\.ndimage\.distance_transform_bf\(", _measures_nothing, "nothing to measure from, or no axis"),
    (r"sp\.ndimage\.median\(", _is_nan_alone, "a label that is nowhere has no median"),
    (r"unique_(inverse|all)", _is_permutation, "each NaN is an element of its own, in any order"),
    (r"xp\.where\(", _is_one_overflow, "the order of two mistakes"),
    (r"xp\.isin\(", _is_found_by_numpy, "NumPy finds what rounds to another element of the same array"),
    (r"sp\.special\.elliprj|interp1d", _wants_real, "some functions have real arguments alone"),
    (r"sp\.fft\.", _is_empty_length, "SciPy transforms no elements in some cases"),
    (r"sp\.spatial\.", _is_complex_result, "complex vectors have no distances"),
    (r"sp\.spatial\.", _is_complex_error, "complex vectors have no distances"),
    (
        r"where|\.real|\.imag|fill_diagonal|select",
        _refuses_integers,
        "NumPy before 2.5 wraps integers around",
    ),
    (r"^v\d+ .{1,2}= |^v\d+\[", _is_type_error, "single elements are updated as scalars are"),
    (r"^v\d+ .{1,2}= ", _is_broadcast_error, "single elements are updated as scalars are"),
    (
        r"sp\.stats\.(ttest|anderson|boxcox_llf|bartlett|f_oneway|fligner|levene).*broadcast",
        _is_of_equal_numbers,
        "the deviation of equal numbers is nearly nothing",
    ),
    (r"xp\.i?r?fft|xp\.fft\.", _is_single, "NumPy scales transforms of float16 by a factor in float16"),
    (r"fill_diagonal|putmask", _works, "values that are stored nowhere are not looked at"),
    (r"xp\.pow(er)?\(.*where=", _is_power_error, "exponents are looked at where nothing is chosen too"),
    (r"put_along_axis|ldexp|gradient|trapezoid|histogram|\.at\(", _both_raise, "the order of two mistakes"),
    (r"partition", _is_permutation, "the order of elements beside the one asked for is free"),
    (r"sp\.ndimage\.|sp\.signal\.", _has_64_bits, "SciPy computes integers of 64 bits in float64"),
    (r"", _refuses_floats, "NaN and infinity are cast to integers as arrays are, also alone"),
    (r"xp\.put\(", _works, "numbers are cast as arrays are"),
    (r"xp\.put\(|putmask", _is_type_error, "complex numbers are cast, and positions looked at first"),
    (r"xp\.take\(.*out=", _both_raise, "positions are looked at before the shape of out"),
    (r"pow(er)?\.(reduce|accumulate)", _negative_powers, "folds by power do not look for negative exponents"),
]


def is_known(line, got, want, read=()):
    """Return whether a difference at a line, which reads some arrays, is one of those above."""
    return any(
        re.search(pattern, line) and (holds is None or holds(got, want, read)) for pattern, holds, _ in KNOWN
    )
