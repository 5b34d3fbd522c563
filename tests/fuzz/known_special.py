"""Known differences of SciPy's special functions, element by element.

A rule takes the elements that differ, ours and SciPy's, and the operands of each; it returns which of them it
excuses. So a difference is known at the operands that it is known at, and nowhere else in the same array.
"""

import numpy as np
from known_values import differ


def elements(*rules):
    """Return a predicate: whether each element that differs is one that some rule excuses."""

    def holds(got, want, read=()):
        at = differ(got, want)
        if at is None or got.dtype.kind not in "fc" or got.dtype != want.dtype or not at.any():
            return False
        try:
            operands = [np.broadcast_to(one, got.shape)[at] for one in getattr(read, "operands", ())]
        except ValueError:
            return False
        got, want = got[at], np.asarray(want)[at]
        return bool(operands) and bool(np.all(np.any([rule(got, want, operands) for rule in rules], axis=0)))

    return holds


def _any(condition, operands, count):
    """Return for each element whether a condition holds for one of its operands."""
    return np.any([np.zeros(count, bool), *map(condition, operands)], axis=0)


def _beyond(limit, got, operands):
    return _any(lambda one: np.abs(one.astype(complex)) > limit, operands, got.shape)


def _below(limit, got, operands):
    return _any(lambda one: (one != 0) & (np.abs(one.astype(complex)) < limit), operands, got.shape)


def _infinite(got, operands):
    return _any(lambda one: np.isinf(one.astype(complex)), operands, got.shape)


def value_here(got, want, operands):
    """SciPy has no number: ours is one, or no NaN where SciPy's is; or a complex number that neither has."""
    more = np.isfinite(got) | np.isnan(want) & ~np.isnan(got)
    return (more | (got.dtype.kind == "c") & ~np.isfinite(got)) & ~np.isfinite(want)


def digits_here(got, want, operands):
    """SciPy's zeros and lost digits where orders or arguments are beyond 1e4, or orders nearly zero."""
    lost = _beyond(1e4, got, operands) & (want == 0) & (np.abs(got) < 1e-2)
    lost |= phase_lost(got, want, operands)
    # SciPy divides by orders that have few bits.
    return lost | _below(1e-305, got, operands) & ((want == 0) | np.isclose(got, want, 0.5))


def phase_lost(got, want, operands):
    """Waves that differ by some roundings of a large phase, the last operand."""
    size = np.abs(operands[-1].astype(complex))
    with np.errstate(all="ignore"):
        height = np.maximum(np.sqrt(2 / (np.pi * size)), np.abs(want))
        roundings = np.minimum(16 * np.finfo(got.dtype).eps * size, 4.0)
    return (size >= 1e8) & (np.abs(got - want) <= roundings * height)


def other_infinity(got, want, operands):
    return np.isinf(got) & np.isinf(want)


def far_sign(got, want, operands):
    """The other infinity, of an order far below zero, where SciPy takes the sign of Y of the order above."""
    return np.isinf(got) & np.isinf(want) & (operands[0].real < -50)


def kept_nan(got, want, operands):
    """NaN here, of an operand that is."""
    return np.isnan(got) & _any(lambda one: np.isnan(one.astype(complex)), operands, got.shape)


def no_order(got, want, operands):
    """NaN here and an infinity in SciPy, of an infinite order, the first of two operands, at zero."""
    if len(operands) != 2:
        return np.zeros(got.shape, bool)
    return np.isnan(got) & np.isinf(want) & _infinite(got, operands[:1]) & (operands[1] == 0)


def of_infinity(got, want, operands):
    """NaN here, of an operand that is infinite."""
    return np.isnan(got) & _infinite(got, operands)


def subnormal(got, want, operands):
    return (want == 0) & (np.abs(got) < np.finfo(got.dtype).tiny)


def hypergeometric(got, want, operands):
    """Operands beyond 1e8, or whole but for their last digits."""
    near = _any(
        lambda one: (one != np.rint(one.real)) & np.isclose(one, np.rint(one.real), 1e-9), operands, got.shape
    )
    return near | _beyond(1e8, got, operands)


def tends_to_nothing(got, want, operands):
    """Less in SciPy than here, of a tiny argument or large parameters, or both nearly nothing."""
    large = _beyond(1e8, got, operands)
    less = (large | _below(1e-6, got, operands[-1:])) & (np.abs(want) < np.abs(got)) & np.isfinite(got)
    return less | large & (np.abs(got) < 1e-30) & (np.abs(want) < 1e-30)


def few_digits(got, want, operands):
    return np.isclose(got, want, 1e-7, 0)


def nearly_one(got, want, operands):
    """Logarithms of nearly one."""
    return (np.abs(want) < 1e-6) & (np.abs(got - want) < 1e-14)


def below_zero(got, want, operands):
    """NaN here, of a negative number that is subnormal."""
    tiny = np.finfo(got.dtype).tiny
    return np.isnan(got) & _any(lambda one: (one.real < 0) & (one.real > -tiny), operands, got.shape)


def in_half(got, want, operands):
    """Numbers of float16 that differ by roundings of a sine."""
    return (got.dtype == np.float16) & np.isclose(got, want, 0, 1e-2)


def on_axis(got, want, operands):
    return (got.dtype.kind == "c") & (got.real == 0)


def nothing_chosen(got, want, operands):
    return (got == 0) & (np.abs(want) < 1e-50)


def rounding(got, want, operands):
    return np.abs(got - want) <= 4 * np.finfo(got.dtype).eps


def at_its_order(got, want, operands):
    """Complex and NaN here, of a large order or argument that is no positive number."""
    positive = (operands[-1].imag == 0) & (operands[-1].real > 0)
    return np.isnan(got) & (got.dtype.kind == "c") & _beyond(1e4, got, operands) & ~positive


def single_digits(got, want, operands):
    return (got.dtype == np.float32) & np.isclose(got, want, 0.1, 0)


def other_side(got, want, operands):
    """Conjugates, of a negative zero as imaginary part."""
    on_cut = _any(lambda one: (one.imag == 0) & np.signbit(one.imag), operands, got.shape)
    return on_cut & np.isclose(got.conj(), want, 1e-9)


def halved(got, want, operands):
    """A half of the real part and a quarter of the imaginary one, at negative numbers."""
    less = np.isclose(got.real, 2 * want.real, 1e-3, 0) & np.isclose(got.imag, 4 * want.imag, 1e-3, 0)
    return less & _any(lambda one: one.real < 0, operands, got.shape)


def scipy_zero(got, want, operands):
    """Zero in SciPy, of an order or an argument far below zero."""
    return (want == 0) & _any(lambda one: one.real < -50, operands, got.shape)


def vanishes(got, want, operands):
    """Zero in SciPy, where the result is far below the smallest number that matters beside one."""
    return (want == 0) & (np.abs(got) < 1e-100)


def beyond_cut(got, want, operands):
    """No number on either side, of an argument beyond 1, the last operand."""
    return ~np.isfinite(got) & ~np.isfinite(want) & (np.abs(operands[-1]) > 1)


def near_zero(got, want, operands):
    """Digits of results of tiny numbers."""
    return np.isclose(got, want, 1e-3) & _below(1e-305, got, operands)


def far_below(got, want, operands):
    """SciPy's NaN, zero or six digits, of a first parameter far below zero."""
    lost = (want == 0) | ~np.isfinite(want) | np.isclose(got, want, 1e-5, 0)
    return (operands[0].real < -100) & np.isfinite(got) & lost


def overflows(got, want, operands):
    """Infinite here, and zero in SciPy, of a large last argument."""
    return np.isinf(got) & (want == 0) & (operands[-1].real > 1e5)


def at_pole(got, want, operands):
    """NaN here, where SciPy has divided by zero: a parameter of a factor that has a pole."""
    return np.isnan(got) & np.isinf(want)


def of_no_degrees(got, want, operands):
    """NaN here and zero in SciPy, of a probability that is nearly zero and no degrees of freedom."""
    return np.isnan(got) & (want == 0) & (operands[0] == 0) & (np.abs(operands[-1]) < 1e-5)


def ends_at(got, want, operands):
    """Less in SciPy than here, where the square of the result is near the largest number or beyond it."""
    return (np.abs(want) > 1e151) & (np.abs(got) > np.abs(want)) & (np.sign(got) == np.sign(want))


def large_phase(got, want, operands):
    """Complex numbers of the same size, of one with a large imaginary part."""
    ours, theirs = np.abs(got), np.abs(want)
    same = (~np.isfinite(ours) & ~np.isfinite(theirs)) | np.isclose(ours, theirs, 1e-4, 0)
    turned = _any(lambda one: np.abs(one.imag) > 1e6, operands, got.shape)
    return same & turned & (got.dtype.kind == "c")


SPECIAL = [
    (
        r"sp\.special\.([jy][01n]|jve?|yv)\(",
        elements(value_here, digits_here, no_order, kept_nan, vanishes, far_sign),
        "SciPy's zeros and signs at large orders, and digits it loses; infinite orders and NaN have no value",
    ),
    (
        r"sp\.special\.(ive?|yve)\(",
        elements(value_here, digits_here, no_order, kept_nan, other_infinity, halved, vanishes),
        "the same, and the sign of what overflows, or of a pole at zero; SciPy's halves at negative numbers",
    ),
    (
        r"sp\.special\.(kve?|eval_gegenbauer|eval_(sh_)?(legendre|cheby.|jacobi))\(",
        elements(value_here, kept_nan),
        "NaN stays NaN",
    ),
    (
        r"sp\.special\.fdtr[ic]?\(",
        elements(value_here, of_infinity, subnormal, single_digits, vanishes),
        "infinite degrees of freedom at infinity have no value; SciPy's zeros, and sums in single precision",
    ),
    (
        r"sp\.special\.ellip[ek]inc\(",
        elements(value_here, other_infinity),
        "SciPy loses the sign of an amplitude",
    ),
    (
        r"sp\.special\.(hyp2f1|lpmv)\(",
        elements(value_here, beyond_cut),
        "beyond 1 there is no real value, or infinity; SciPy's is any",
    ),
    (
        r"sp\.special\.betaln\(",
        elements(value_here, kept_nan, of_infinity),
        "NaN stays NaN; towards a negative infinity there are poles without end",
    ),
    (
        r"sp\.special\.hankel[12]e?\(",
        elements(value_here, digits_here, at_its_order, scipy_zero),
        "SciPy's zeros and digits; complex arguments as large as their order have no value here",
    ),
    (
        r"sp\.special\.stdtrit\(",
        elements(value_here, other_infinity, ends_at),
        "SciPy's quantile of nothing is not the least, and no quantile's square is infinite",
    ),
    (
        r"sp\.special\.(chdtri|gammainccinv)\(",
        elements(value_here, of_no_degrees),
        "SciPy has zero of nearly zero alone; there are no degrees of freedom to have a value",
    ),
    (
        r"sp\.special\.eval_sh_jacobi\(",
        elements(value_here, kept_nan, of_infinity, at_pole, few_digits, rounding, nothing_chosen, vanishes),
        "NaN stays NaN, also of degree zero; SciPy's binomial factor has poles, seven digits and lost zeros",
    ),
    (
        r"sp\.special\.hyp0f1\(",
        elements(value_here, hypergeometric, far_below, overflows),
        "SciPy has no digits of large or very negative numbers, few beside whole orders, zeros for infinity",
    ),
    (
        r"sp\.special\.log_ndtr\(",
        elements(value_here, few_digits, nearly_one),
        "SciPy has seven digits of some, and roundings of one where that is what it takes the logarithm of",
    ),
    (
        r"sp\.special\.elliprj\(",
        elements(value_here, below_zero),
        "SciPy takes negative numbers that are subnormal for zero",
    ),
    (
        r"sp\.special\.hyperu\(",
        elements(value_here, few_digits, of_infinity, tends_to_nothing),
        "SciPy has seven digits of some, and none where its argument is nearly zero or its parameters large",
    ),
    (r"sp\.special\.wright_bessel\(", elements(vanishes), "SciPy drops results of a large first argument"),
    (r"sp\.special\.sinc\(", elements(value_here, in_half), "SciPy multiplies float16 by pi in float16"),
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
        elements(value_here, other_infinity, kept_nan, of_infinity, few_digits),
        "the sign of a pole; NaN stays NaN, infinite orders have no value, and SciPy seven digits of some",
    ),
    (
        r"sp\.special\.(zetac|expit)\(",
        elements(value_here, subnormal),
        "SciPy's zeros where the result, or a power of two, is subnormal",
    ),
    (
        r"sp\.special\.(loggamma|erfcinv)\(",
        elements(value_here, near_zero),
        "SciPy loses digits of numbers near zero",
    ),
    (r"sp\.special\.log_softmax", elements(rounding), "logarithms of nearly one"),
    (
        r"sp\.special\.",
        elements(value_here),
        "SciPy overflows on the way; which infinity or NaN a complex function has where it has no value",
    ),
    (r"xp\.exp2\(|\*\*", elements(large_phase), "the phase after many turns"),
]
