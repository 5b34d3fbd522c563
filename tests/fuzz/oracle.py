"""Runs a program on NumPy and on Cuprum, and compares what is left of it.

A variable's value is compared as exactly as its history allows. It is *exact* while only operations with one
right result made it (data moved, integers, correctly rounded arithmetic). An inexact operation on exact
operands is compared within its tolerance. What is computed from inexact values is compared by dtype and shape
alone, since comparing, sorting or rounding may turn a last bit into anything.
"""

import contextlib
import re
import warnings

import numpy as np
import scipy
import scipy.fft
import scipy.linalg
import scipy.ndimage
import scipy.signal
from catalogue import CLOSE, EXACT, ROUNDED, SHAPE, ULPS, ulps_of
from known import is_known
from samples import special_values
from twin import exception_class, ulp_distance

import cuprum as cp
import cuprum.scipy.fft
import cuprum.scipy.linalg
import cuprum.scipy.ndimage
import cuprum.scipy.signal

MOST_ELEMENTS = 5000
"""Larger arrays are cut: programs would grow out of all memory."""

_NAME = re.compile(r"\bv\d+\b")
_MOVES = (
    "copy|reshape|ravel|transpose|flip|fliplr|flipud|roll|tile|repeat|squeeze|expand_dims|swapaxes|moveaxis|take"
    "|concatenate|stack|vstack|hstack|dstack|asarray|ascontiguousarray|asfortranarray|rot90|broadcast_to"
)
_KEEPS_INEXACT = re.compile(rf"^(xp\.({_MOVES})\(|v\d+(\[|\.T|\.copy|\.ravel))")


_SHAPES_BY_VALUE = re.compile(
    r"nonzero|argwhere|unique|compress|extract|1d\(|where\(v|trim_zeros|histogram|bincount|roots|polydiv|tolist"
    r"|tobytes|item\(|bool\(|int\(|float\(|\[\(v|\[xp|isfinite\(v\d+\)\]|arange|linspace|resize|repeat|select|at\(|poly"
)


def make(xp, seed, shape, dtype, kind, order):
    """Return an array of small integers, of a dtype's special values, or of values from all of its range."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=int))
    if dtype.kind == "b":
        flat = rng.integers(0, 2, size).astype(bool)
    elif kind == "special":
        flat = rng.choice(np.asarray(special_values(dtype.name)), size)
    elif kind == "wide" and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        flat = rng.integers(limits.min, limits.max, size, dtype=dtype, endpoint=True)
    elif kind == "wide":
        flat = rng.normal(size=size) * 10.0 ** rng.integers(-3, 4, size)
    else:
        flat = rng.integers(0 if dtype.kind == "u" else -9, 10, size)
        if dtype.kind == "c":
            flat = flat + 1j * rng.integers(-9, 10, size)
    host = np.asarray(flat).astype(dtype).reshape(shape)
    if order == "F":
        host = np.asfortranarray(host)
    elif order == "K" and host.ndim:
        host = np.repeat(host, 2, axis=-1)
        return xp.array(host)[..., ::2]
    return xp.array(host)


def names(xp):
    """Return what a program sees."""
    sp = scipy if xp is np else cp.scipy
    return {
        "xp": xp,
        "sp": sp,
        "xl": sp.linalg,
        "np": np,
        "make": lambda *args: make(xp, *args),
    }


@contextlib.contextmanager
def quiet():
    """Silence warnings and floating-point errors."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def run(program, xp):
    """Run the lines; return the variables, and the class of what each line raised by its number."""
    space, raised = names(xp), {}
    with quiet():
        for number, line in enumerate(program.lines):
            try:
                exec(line, space)
            except Exception as error:
                raised[number] = error
            target = line.partition(" = ")[0]
            if _NAME.fullmatch(target):
                _settle(space, target, xp)
    return space, raised


def _settle(space, name, xp):
    """Make an array of what a later line will find under a name; the value itself is kept to be compared.

    NumPy's scalars are Cuprum's arrays without axes. A line that raised, or gave no array, leaves integers.
    """
    value = space.get(name)
    if isinstance(value, np.generic | bool | int | float | complex):
        space[name] = xp.asarray(value)
    elif isinstance(value, xp.ndarray) and value.size > MOST_ELEMENTS:
        space["result_" + name] = value[(0,) * (value.ndim - 1)][:MOST_ELEMENTS]
        space[name] = xp.arange(3)
    elif not isinstance(value, xp.ndarray):
        space["result_" + name] = value
        found = value if isinstance(value, tuple | list) else ()
        first = next((one for one in found if isinstance(one, xp.ndarray | np.generic)), None)
        space[name] = xp.arange(3) if first is None else xp.asarray(first)


class Found(Exception):
    """A difference: which line it shows at, and what differs."""

    def __init__(self, number, what):
        super().__init__(number, what)
        self.number, self.what = number, what


def check(program):
    """Run a program on both; return the first Found, or None. Lines that both refuse are skipped by both."""
    ours, mine = run(program, cp)
    theirs, other = run(program, np)
    levels, loose = _levels(program, theirs, other)
    try:
        _compare_errors(program, mine, other, loose)
        _compare_values(program, ours, theirs, levels)
    except Found as found:
        return found
    return None


def digest(program):
    """Return the bytes of all that a program leaves, to be compared between settings."""
    space, raised = run(program, cp)
    parts = [f"{number}:{type(error).__name__}".encode() for number, error in raised.items()]
    with quiet():
        for name in sorted(key for key in space if _NAME.fullmatch(key.removeprefix("result_"))):
            try:
                parts.append(repr(_plain(space[name])).encode())
                value = space[name]
                if isinstance(value, cp.ndarray):
                    parts.append(_bits(cp.asnumpy(value)))
            except Exception as error:
                parts.append(type(error).__name__.encode())
    return b"\0".join(parts)


def _bits(array):
    """Return the bytes of an array; those of every NaN are the same, since its sign means nothing."""
    if array.dtype.kind == "c":
        array = np.ascontiguousarray(array).view(array.real.dtype)
    return np.where(array != array, np.nan, array).astype(array.dtype).tobytes()


def _plain(value):
    return (str(value.dtype), value.shape) if isinstance(value, cp.ndarray) else value


def _compare_errors(program, mine, other, loose):
    for number, line in enumerate(program.lines):
        if number in loose:
            continue
        got, want = mine.get(number), other.get(number)
        if "sp." in line and want is not None:
            # SciPy refuses more dtypes, and in ways of its own.
            if got is None:
                raise Found(number, None)
            continue
        if isinstance(got, MemoryError) or isinstance(want, MemoryError):
            raise Found(number, None)
        if (got is None) != (want is None):
            if is_known(line, got, want):
                raise Found(number, None)
            raise Found(number, f"{_told(got)} where NumPy {_told(want)}")
        differs = got is not None and exception_class(got) is not exception_class(want)
        if differs and not is_known(line, got, want):
            raise Found(number, f"{_told(got)} where NumPy {_told(want)}")


def _told(error):
    return "works" if error is None else f"raises {type(error).__name__}: {str(error)[:150]}"


def _levels(program, theirs, other):
    """Return for each variable how it is compared, and the line and the ufunc that made it so; loose lines.

    A loose line uses what has a shape that inexact values decided: anything may come of it.
    """
    levels, loose, free = {}, set(), set()
    for number, (line, kind) in enumerate(zip(program.lines, program.kinds, strict=True)):
        used = set(_NAME.findall(line))
        target, _, expression = line.partition(" = ")
        is_new = _NAME.fullmatch(target) and target not in levels
        operands = used - {target} if is_new else used
        worst = max((levels[name][0] for name in operands if name in levels), default=EXACT)
        if operands & free or worst != EXACT and _SHAPES_BY_VALUE.search(line):
            loose.add(number)
            free.add(target if is_new else next(iter(operands)))
            levels = {name: level for name, level in levels.items() if name not in free}
            if not is_new:
                free |= set(levels)
                levels = {}
            continue
        if kind is None or number in other and is_new:
            levels[target] = (EXACT, number, "")
        elif number in other:
            # A write that was refused may be half done in NumPy.
            levels.update(dict.fromkeys(levels, (SHAPE, number, "")))
        elif is_new:
            name, how = kind
            if worst != EXACT:
                how = worst if worst in (ULPS, CLOSE) and _KEEPS_INEXACT.match(expression) else SHAPE
            elif how == ULPS:
                how = _of_ufunc(name, theirs.get(target))
            elif (
                (
                    how == EXACT
                    and _is_complex(theirs, operands)
                    and re.search(r"[*/]|\*\*|vander|round|around", expression)
                )
                or how == EXACT
                and "**" in expression
            ):
                how = CLOSE
            levels[target] = (how, number, name)
        else:
            # A write: whatever it touches, and its views, may hold what it read.
            how = worst if worst == EXACT and not _is_inexact_write(line, theirs, used) else SHAPE
            if how != EXACT:
                for name in levels:
                    levels[name] = (SHAPE, number, "")
    return levels, loose


def _is_complex(space, used):
    return any(getattr(space.get(name), "dtype", np.dtype("?")).kind == "c" for name in used)


def _is_inexact_write(line, space, used):
    if "cumsum" in line or "**" in line:
        return True
    return _is_complex(space, used) and ("*" in line or "/" in line or "multiply" in line)


def _of_ufunc(name, result):
    dtype = getattr(result, "dtype", None)
    if dtype is None or dtype.kind not in "fc":
        return EXACT
    if dtype.kind == "c":
        return CLOSE
    return EXACT if name in ROUNDED else ULPS


def _compare_values(program, ours, theirs, levels):
    results = {f"result_{name}": level for name, level in levels.items() if f"result_{name}" in theirs}
    for name, (how, number, ufunc) in {**levels, **results}.items():
        if name not in theirs or name not in ours:
            continue
        with quiet():
            try:
                got = _value(ours[name])
            except Exception as error:
                raise Found(number, f"{name} raises {type(error).__name__}: {str(error)[:150]}") from error
            _compare(got, theirs[name], how, number, ufunc, program.lines[number])


def _value(value):
    if isinstance(value, cp.ndarray):
        return cp.asnumpy(value)
    if isinstance(value, tuple | list):
        return (
            type(value)(_value(one) for one in value)
            if type(value) in (tuple, list)
            else [*map(_value, value)]
        )
    return value


def _compare(got, want, how, number, ufunc, line):
    if isinstance(want, tuple | list) and not isinstance(want, str):
        if len(got) != len(want):
            raise Found(number, f"{len(got)} values, {len(want)} of NumPy's")
        for one, other in zip(got, want, strict=True):
            _compare(one, other, how, number, ufunc, line)
        return
    if not isinstance(want, np.ndarray | np.generic | int | float | complex | bool):
        same = got == want or str(got) == str(want)
        if not same and how != SHAPE and not is_known(line, got, want):
            raise Found(number, f"{got!r}, {want!r} of NumPy's")
        return
    typed = isinstance(want, np.ndarray | np.generic)
    got, want = np.asarray(got), np.asarray(want)
    if typed and (got.dtype != want.dtype or got.shape != want.shape):
        if not is_known(line, got, want):
            raise Found(number, f"{got.dtype}{got.shape}, {want.dtype}{want.shape} of NumPy's")
        return
    if how == SHAPE or got.size == 0 or _is_equal(got, want):
        return
    if how == ULPS:
        real = ~(np.isnan(got) & np.isnan(want))
        far = ulp_distance(got[real], want[real])
        if np.all(far <= 2 * ulps_of(ufunc, want.dtype) + 4):
            return
    if how == CLOSE and _is_close(got, want):
        return
    if not is_known(line, got, want):
        at = np.flatnonzero(~((got == want) | ((got != got) & (want != want))).ravel())[:3]
        shown = f"{got.ravel()[at]!r}, {want.ravel()[at]!r} of NumPy's"
        raise Found(number, f"elements {at.tolist()} are {shown}")


def _is_equal(got, want):
    if got.dtype.kind not in "fc":
        return np.array_equal(got, want)
    return np.array_equal(got, want, equal_nan=True)


def _is_close(got, want):
    if got.dtype.kind not in "fc":
        return (
            bool(np.all(np.abs(got.astype(float) - want.astype(float)) <= 1))
            if got.dtype.kind in "iu"
            else False
        )
    epsilon = {"e": 1e-2, "f": 1e-4, "F": 1e-4, "d": 1e-9, "D": 1e-9}[got.dtype.char]
    both = np.isfinite(got) & np.isfinite(want)
    largest = np.max(np.abs(want[both]), initial=1.0)
    # Infinities and NaNs may come from the order of additions.
    if not np.array_equal(np.isfinite(got), np.isfinite(want)):
        return bool(largest > 1e30) or not np.isfinite(want).all()
    return bool(np.all(np.abs(got[both] - want[both]) <= epsilon * largest))
