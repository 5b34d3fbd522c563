"""Known differences in what is refused, and with which class of error.

A predicate takes what Cuprum and what NumPy or SciPy has raised, or None where it works.
"""

import re

import numpy as np


def _refuses_floats(got, want, read=()):
    return got is None and re.search("infinity|NaN", str(want)) is not None


def _is_type_error(got, want, read=()):
    return not isinstance(got, TypeError) and isinstance(want, TypeError)


def _both_raise(got, want, read=()):
    return isinstance(got, Exception) and isinstance(want, Exception)


def _negative_powers(got, want, read=()):
    return got is None and "negative integer powers" in str(want)


def _works(told):
    """Return a predicate: whether Cuprum takes what is refused with some words."""

    def holds(got, want, read=()):
        return got is None and re.search(told, str(want)) is not None

    return holds


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


def _is_not_finite(got, want, read=()):
    return "did not converge" in str(got) + str(want) and (got is None or want is None)


def _is_empty_error(got, want, read=()):
    return "no elements" in str(got)


def _wants_matrices(got, want, read=()):
    return want is None and re.search("dimension|2D|square|two", str(got)) is not None


def _wants_other_axes(got, want, read=()):
    return want is None and re.search("ndim|dimension|2-D|empty", str(got)) is not None


def _wants_contiguous(got, want, read=()):
    return "must be contiguous" in str(got) and want is None


def _was_column(got, want, read=()):
    return got is None and "last axis must be contiguous" in str(want)


def _is_empty_length(got, want, read=()):
    return "data points (0)" in str(got)


def _refuses_complex(got, want, read=()):
    return isinstance(got, TypeError) and "complex" in str(got)


def _takes_numbers(got, want, read=()):
    return got is None and isinstance(want, TypeError | IndexError)


def _is_axis_error(got, want, read=()):
    return isinstance(got, np.exceptions.AxisError) and isinstance(want, IndexError)


def _is_broadcast_error(got, want, read=()):
    return got is None and "operand with shape ()" in str(want)


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


def _wants_three(got, want, read=()):
    return got is None and "3-dimensional vectors" in str(want)


def _has_no_edges(got, want, read=()):
    return want is None and "finite-sized bins" in str(got)


def _is_one_overflow(got, want, read=()):
    return _both_raise(got, want) and isinstance(got, OverflowError) != isinstance(want, OverflowError)


def _wants_real(got, want, read=()):
    return isinstance(got, TypeError) and "must be real" in str(got)


def _has_complex_range(got, want, read=()):
    return got is None and re.search(r"range of \[.*j.*\] is not finite", str(want)) is not None


def _is_singular(got, want, read=()):
    return "ingular" in str(got) + str(want) and (got is None or want is None)


def _is_half_of_infinities(got, want, read=()):
    return "float16" in str(got) and "infs or NaNs" in str(want)


def _refuses_complex_alone(got, want, read=()):
    return want is None and _refuses_complex(got, want)


def _is_of_equal_sample(got, want, read=()):
    return want is None and "lower-dimensional" in str(got)


_OF_DTYPES = (
    r"no loop for|cannot be added|compared exactly|no dtype in common"
    r"|from this (TimeArray|RecordArray|date|timedelta)"
    r"|Could not convert object to NumPy|Cannot cast .* from metadata|metadata divisor|no count of"
)
"""What is told of dtypes that a function has nothing for."""


def _refuses_dtype_first(got, want, read=()):
    """Whether dates or structures are refused where NumPy has found an axis, a shape or a position wrong."""
    found = isinstance(want, ValueError | IndexError | OverflowError)
    return found and isinstance(got, TypeError | ValueError) and re.search(_OF_DTYPES, str(got)) is not None


def _refuses_shape_first(got, want, read=()):
    """Whether shapes are refused where NumPy has found that it has no loop for dates, or no common unit."""
    words = r"datetime64|timedelta64|<[Mm]8|DateTime64|TimeDelta64|Numpy datetime metadata"
    told = re.search(words, str(want)) is not None
    return isinstance(got, ValueError) and "broadcast" in str(got) and isinstance(want, TypeError) and told


def _multiplies_no_dates(got, want, read=()):
    told = re.search(r"from this TimeArray|64.*not supported", str(got)) is not None
    return want is None and isinstance(got, TypeError) and told


def _has_no_bins(got, want, read=()):
    return want is None and isinstance(got, TypeError) and "bins are counts" in str(got)


def _is_text(got, want, read=()):
    return want is None and isinstance(got, ValueError) and "literal for int" in str(got)


def _bounds_numbers(got, want, read=()):
    return want is None and isinstance(got, TypeError) and "64" in str(got) and "not supported" in str(got)


def _is_beyond(got, want, read=()):
    return want is None and isinstance(got, OverflowError) and "out of bounds" in str(got)


def _is_array_of_one(got, want, read=()):
    return want is None and isinstance(got, ValueError) and "must be a single number" in str(got)


def _is_structure(got, want, read=()):
    return want is None and isinstance(got, TypeError) and "from this RecordArray" in str(got)


def _works_of_dates(got, want, read=()):
    told = "no dtype in common|common metadata divisor"
    return want is None and isinstance(got, TypeError) and re.search(told, str(got)) is not None


_OF_OBJECTS = (
    r"dtype\('O'\)|between instances|unsupported operand|can't compare|argument must be|datetime\.\w+ object"
)
"""What is told of objects that NumPy has made of Python's dates, and could not compute with."""


def _makes_objects(got, want, read=()):
    """Whether NumPy has made objects of Python's dates, and has computed with those, or could not."""
    if isinstance(want, TypeError | AttributeError | ArithmeticError) or want is None:
        if not isinstance(want, TypeError):
            lacks = isinstance(want, AttributeError) and "object has no attribute" in str(want)
            return isinstance(got, TypeError | ValueError) or isinstance(want, ZeroDivisionError) or lacks
        return got is None and re.search(_OF_OBJECTS, str(want)) is not None
    # A single object is no array, and the programs go on with three integers.
    is_left = isinstance(want, np.ndarray) and np.array_equal(want, np.arange(3))
    return str(getattr(want, "dtype", "")) == "object" or is_left and np.shape(got) == ()


_CASTS = "out of bounds for|argument must be|cannot convert"
"""What is told of numbers that a dtype does not have, where arrays of them would be cast."""

ERRORS = [
    (r"", _refuses_dtype_first, "the order of two mistakes: the dtype, and an axis, a shape or a position"),
    (r"clip|divmod", _refuses_shape_first, "the order of two mistakes: shapes, and the dtype"),
    (r"datetime\.(date|timedelta)\(", _makes_objects, "Python's dates are NumPy's, in every unit"),
    (
        r"xp\.(isin|setdiff1d)\(",
        _works("promoted by|Cannot cast|common metadata"),
        "dates are in no list of numbers",
    ),
    (r"searchsorted", _works_of_dates, "NumPy compares objects where units have nothing in common"),
    (r"\.fill\(", _is_array_of_one, "booleans take arrays of one element, others not"),
    (r"\.fill\(", _is_structure, "structures have no truth"),
    (r"\.shape = ", _works("Incompatible shape"), "a csc matrix lies by rows as a dense array"),
    (r"xp\.dot\(", _multiplies_no_dates, "NumPy's products of differences have no unit, or are objects"),
    (
        r"^v\d+(\.T|\[None\])?(\[.*\] = |\.fill\()|put\(",
        _works("argument must be"),
        "a single date is stored in numbers as its count, of whatever unit",
    ),
    (r"^v\d+\[.*\] = |\.fill\(", _is_beyond, "a count that an integer dtype does not hold"),
    (r"^v\d+(\[.*\])? = '", _is_text, "texts are numbers in an array of booleans too"),
    (r"clip\(|\.searchsorted\(", _bounds_numbers, "methods of numbers take no differences"),
    (r"digitize\(", _has_no_bins, "dates have no bins, even where there are no dates"),
    (r"xp\.(linalg\.eig(vals)?|poly)\(", _is_half_of_infinities, "the order of two mistakes"),
    (r"gaussian_kde", _is_of_equal_sample, "whether equal numbers have a deviation is a matter of roundings"),
    (r"sp\.stats\.variation", _refuses_complex_alone, "of NaN alone SciPy does not ask for a sign"),
    (r"", _lacks_library, "a library of CUDA that the machine does not have"),
    (r"", _is_read_only, "NumPy looks at flags before other mistakes, or not at all"),
    (r"^v\d+(\.T|\.flat)?\[.*\] = ", _both_raise, "the order of two mistakes"),
    (r"^v\d+(\.T)?\[.*\] = ", _is_sequence, "booleans take arrays of one element, others not"),
    (r"\.flat = ", _works(_CASTS), "complex numbers are cast"),
    (r"out=|put\(|\.sort\(|@|^v\d+\.", _both_raise, "the order of two mistakes"),
    (r"sp\.special\.", _lacks_loop, "some functions have real arguments alone"),
    (r"sp\.special\.eval_", _is_degree_error, "degrees are whole numbers"),
    (r"linalg\.", _is_not_finite, "infinities have no decomposition"),
    (
        r"linalg\.(lstsq|tensor)",
        _works(r"float16|reshape\(\)"),
        "half precision, and stacks of single numbers, are taken",
    ),
    (r"sp\.ndimage\.map_coordinates", _is_empty_error, "nothing lies between no elements"),
    (
        r"\.resize\(",
        _works("does not own|another (array|object)"),
        "arrays of memory that somebody else owns get their own",
    ),
    (r"\.view\(", _wants_contiguous, "the order of axes in memory"),
    (r"\.view\(", _was_column, "the positions of nonzero are columns of one array in NumPy"),
    (r"histogram(2d|dd)", _has_complex_range, "complex numbers have no bins"),
    (r"xp\.(matvec|vecmat)\(|xp\.fft\.", _both_raise, "the order of two mistakes"),
    (
        r"linalg\.(solve|inv|tensorsolve|tensorinv)",
        _is_singular,
        "whether a matrix is singular: its last bits",
    ),
    (r"xp\.cross\(", _wants_three, "vectors of two components"),
    (r"cross\(", _both_raise, "NumPy before 2.5 has an IndexError for numbers"),
    (r"xp\.linalg\.tensorinv", _both_raise, "the order of two mistakes"),
    (r"random\.permutation", _is_axis_error, "an AxisError is an IndexError"),
    (r"xp\.roots", _both_raise, "the order of two mistakes"),
    (r"xp\.histogram(2d|dd)", _has_no_edges, "a range that overflows has NaN among its edges in NumPy"),
    (
        r"percentile|quantile",
        _works("size 0|zero-size|empty|boolean subtract"),
        "quantiles of nothing are empty, or NaN",
    ),
    (r"\bput\(", _works(_CASTS), "numbers are cast as arrays are"),
    (r"sp\.linalg\.(expm|lu|bandwidth)", _wants_matrices, "what has less than two axes is no matrix"),
    (r"sp\.(ndimage|signal)\.", _wants_other_axes, "SciPy takes what has too few axes by chance"),
    (r"xp\.arange", _works("[Bb]ool"), "ranges of booleans are integers"),
    (r"histogram", _refuses_complex, "complex numbers have no bins"),
    (r"xp\.roots|random\.permutation", _takes_numbers, "numbers where arrays are meant"),
    (r"^v\d+ = v\d+\[", _both_raise, "the order of two mistakes"),
    (r"@= ", _wants_other_shape, "NumPy takes a result of more axes than its place has"),
    (
        r"linalg\.cholesky",
        _works("not positive definite"),
        "whether a singular matrix is definite is a matter of its last bits",
    ),
    (r"random\.randint", _refuses_bounds, "bounds are looked at also where nothing is drawn"),
    (r"xp\.average", _works("division by zero|sum to zero"), "the mean of nothing is NaN"),
    (
        r"xp\.poly",
        _works("unsized|out of bounds|not return an iterable|1d only|1-d|dimension|broadcast"),
        "polynomials of no, or of more than one, axis",
    ),
    (r"xp\.where\(", _is_one_overflow, "the order of two mistakes"),
    (r"sp\.special\.elliprj|interp1d", _wants_real, "some functions have real arguments alone"),
    (r"sp\.fft\.", _is_empty_length, "SciPy transforms no elements in some cases"),
    (r"sp\.spatial\.", _is_complex_error, "complex vectors have no distances"),
    (
        r"where|\.real|\.imag|fill_diagonal|select|full\(",
        _refuses_integers,
        "NumPy before 2.5 wraps integers around",
    ),
    (r"^v\d+ .{1,2}= |^v\d+\[", _is_type_error, "single elements are updated as scalars are"),
    (r"^v\d+ .{1,2}= ", _is_broadcast_error, "single elements are updated as scalars are"),
    (r"fill_diagonal|putmask", _works(_CASTS), "values that are stored nowhere are not looked at"),
    (r"xp\.pow(er)?\(.*where=", _is_power_error, "exponents are looked at where nothing is chosen too"),
    (r"put_along_axis|ldexp|gradient|trapezoid|histogram|\.at\(", _both_raise, "the order of two mistakes"),
    (r"", _refuses_floats, "NaN and infinity are cast to integers as arrays are, also alone"),
    (r"xp\.put\(|putmask", _is_type_error, "complex numbers are cast, and positions looked at first"),
    (r"xp\.take\(.*out=", _both_raise, "positions are looked at before the shape of out"),
    (r"pow(er)?\.(reduce|accumulate)", _negative_powers, "folds by power do not look for negative exponents"),
]
