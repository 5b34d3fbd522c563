"""Runs a program on NumPy and on Cuprum, and compares what is left of it.

A variable's value is compared as exactly as its history allows. It is *exact* while only operations with one
right result made it (data moved, integers, correctly rounded arithmetic). An inexact operation on exact
operands is compared within its tolerance. What is computed from inexact values is compared by dtype and shape
alone, since comparing, sorting or rounding may turn a last bit into anything.
"""

import ast
import contextlib
import functools
import importlib
import itertools
import math
import re
import resource
import warnings
from typing import NamedTuple

import library
import numpy as np
import scipy
import stored
from catalogue import CLOSE, EXACT, ROUNDED, SHAPE, ULPS
from compare import Found, compare, host_value
from known import is_known
from programs import VARIANTS
from samples import LAYOUTS, permuted, special_values
from twin import exception_class, settle

import cuprum as cp

for _module in [*library.SCIPY, "sparse", "sparse.linalg"]:
    importlib.import_module(f"scipy.{_module}")
    importlib.import_module(f"cuprum.scipy.{_module}")

DEVICE = cp.info()["device"]
ON_GPU = DEVICE != "cpu"
MOST_ELEMENTS = 5000
"""Larger arrays are cut: programs would grow out of all memory."""
MOST_ERRORS = 100
"""More errors than the work of one line finds late."""
counts = {"raised": 0, "values": 0}
"""What the last `check` has counted: lines that both refused, and results compared by value."""


def bound_memory(most):
    """Limit the process's memory; one with a GPU maps more than it uses."""
    if not ON_GPU:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


_NAME = re.compile(r"\bv\d+\b")
_NUMBERS = np.generic | bool | int | float | complex
_MOVES = (
    "copy|reshape|ravel|transpose|flip|fliplr|flipud|roll|tile|repeat|squeeze|expand_dims|swapaxes|moveaxis|take"
    "|concatenate|stack|vstack|hstack|dstack|asarray|ascontiguousarray|asfortranarray|rot90|broadcast_to"
)
_KEEPS_INEXACT = re.compile(rf"^(xp\.({_MOVES})\(|v\d+(\[|\.T|\.copy|\.ravel))")


_POSITIONS = re.compile(
    r"\[|take|put|choose|at\(|select|insert|delete|index|sp\.|bincount|searchsorted|linalg"
)
"""Lines whose mistakes a GPU finds late, in positions or in a decomposition: it is waited for."""

_SHOWS_PADDING = re.compile(r"'padded'(.|\n)*(tobytes|\.view\()")

_SHAPES_BY_VALUE = re.compile(
    r"nonzero|argwhere|unique|compress|extract|1d\(|where\(v|trim_zeros|histogram|bincount|roots|polydiv|tolist"
    r"|tobytes|item\(|bool\(|int\(|float\(|\[\(v|\[xp|isfinite\(v\d+\)\]|arange|linspace|resize|repeat|select|at\(|poly"
)


@functools.cache
def _values(dtype, kind):
    """Return many values of a kind (small integers, special values, ...), from which arrays take theirs."""
    dtype, size = stored.dtype_of(dtype), 2 * MOST_ELEMENTS + 7
    rng = np.random.default_rng(size)
    if dtype.kind in "MmV":
        return stored.values(dtype, kind, rng, size)
    if dtype.kind == "b":
        flat = rng.integers(0, 2, size).astype(bool)
    elif kind == "unit":
        flat = rng.uniform(0.01, 0.99, size)
    elif kind == "count":
        flat = rng.integers(0, 4, size)
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
    with quiet():
        return np.asarray(flat).astype(dtype)


def make(xp, seed, shape, dtype, kind, layout):
    """Return an array of a kind of values in one of the layouts."""
    values, size = _values(dtype, kind), math.prod(shape)
    start = seed % max(len(values) - size, 1)
    host = values[start : start + size] if start + size <= len(values) else np.resize(values, size)
    host = host.reshape(shape)
    if layout == "unaligned":
        memory = np.zeros(host.nbytes + 1, np.uint8)
        view = memory[1:].view(host.dtype).reshape(shape)
        view[...] = host
        return view if xp is np else xp.asarray(view)
    if layout == "permuted":
        orders = [*itertools.permutations(range(host.ndim))]
        return permuted(xp, host, orders[seed % len(orders)])
    if layout in ("0-d", "size 1") and not host.size:
        layout = "C"
    return LAYOUTS[layout](xp, host)


def adjoint(a):
    """Return the conjugate transposes of a stack of matrices."""
    return a.conj().swapaxes(-1, -2)


def holds(residual, *factors):
    """Return whether a residual is small beside the product of its factors' norms."""
    parts = [cp.asnumpy(one) if isinstance(one, cp.ndarray) else one for one in (residual, *factors)]
    parts = [np.asarray(one) for one in parts]
    if not all(np.isfinite(one).all() for one in parts[1:]):
        return True
    scale = np.prod([max(float(np.linalg.norm(one)), 1e-300) for one in parts[1:]])
    single = any(one.dtype.char in "eEfF" for one in parts)
    return bool(np.linalg.norm(parts[0]) <= (1e-4 if single else 1e-11) * max(scale, 1.0))


def tame(xp, a):
    """Return an array without infinities, NaN and huge numbers: LAPACK may never return from those."""
    return xp.where(xp.abs(a) < 1e15, a, xp.ones_like(a)) if a.dtype.kind in "fc" else a


def regained(result, wanted):
    """Return what a product should have given, as the oracle: NumPy's own may be far off."""
    return result if isinstance(result, cp.ndarray) else np.asarray(wanted).astype(result.dtype)


class _Copying:
    """A module whose functions get copies of arrays that repeat one element.

    SciPy's filters take the offset 0 between those for the border's, and miss elements.
    """

    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        function = getattr(self._module, name)

        @functools.wraps(function)
        def call(*args, **kwargs):
            return function(*map(_without_repeats, args), **kwargs)

        return call


class _SciPy:
    """SciPy, but for `ndimage` and its copies."""

    ndimage = _Copying(scipy.ndimage)

    def __getattr__(self, name):
        return getattr(scipy, name)


def _without_repeats(value):
    repeats = isinstance(value, np.ndarray) and value.size > 1 and not any(value.strides)
    return value.copy() if repeats else value


_SCIPY = _SciPy()


def names(xp):
    """Return what a program sees."""
    sp = _SCIPY if xp is np else cp.scipy
    space = {
        "xp": xp,
        "sp": sp,
        "xl": sp.linalg,
        "np": np,
        "adjoint": adjoint,
        "holds": holds,
        "tame": functools.partial(tame, xp),
        "regained": regained,
        "make": lambda *args: make(xp, *args),
        **stored.NAMES,
    }
    # NumPy frees the memory that views still show, and what is written there later ends the process.
    space["is_viewed"] = lambda a: xp is np and _has_views(a, space)
    return space


@contextlib.contextmanager
def quiet():
    """Silence warnings and floating-point errors."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def run(program, xp, waits=False):
    """Run the lines; return the variables, and by number what lines raised, and what they made.

    A GPU that is waited for after every line fuses nothing, so half of the programs wait only where positions
    and matrices are looked at, and in the end. A mistake that is found there may be an earlier line's.
    """
    space, raised, made = names(xp), {}, {}
    if any("random." in line for line in program.lines):
        xp.random.seed(1)
    waits = waits or not _fuses(program)
    last = len(program.lines) - 1
    with quiet():
        for number, (code, arguments) in enumerate(program.steps()):
            target = _facts(program.lines[number]).variable
            try:
                if arguments is not None:
                    space[code] = make(xp, *arguments)
                else:
                    exec(code, space)
                if waits or number == last or _POSITIONS.search(program.lines[number]):
                    settle(xp)
                if target:
                    _settle(space, target, xp)
            except Exception as error:
                raised[number] = error
                _drain(xp)
                # A GPU has made something before it found the mistake.
                space.pop(target, None)
                if target:
                    _settle(space, target, xp)
            if target:
                made[number] = (space[target].dtype, space[target].shape)
    return space, raised, made


def _fuses(program):
    """Return whether lines of a program may fuse on a GPU."""
    return ON_GPU and program.seed // VARIANTS % 2 == 1


def _drain(xp):
    """Wait until the GPU has no error left: a line that raised may have begun other work, which fails too."""
    for _ in range(MOST_ERRORS):
        try:
            settle(xp)
        except Exception:
            continue
        return


class Facts(NamedTuple):
    """What a line's text says: the variable that it sets, if it does nothing else; its right side; names."""

    variable: str
    expression: str
    names: tuple
    shapes_by_value: bool


@functools.lru_cache(4096)
def _facts(line):
    target, _, expression = line.partition(" = ")
    variable = target if _NAME.fullmatch(target) else ""
    shapes = _SHAPES_BY_VALUE.search(line) is not None
    return Facts(variable, expression, tuple(_NAME.findall(line)), shapes)


def _settle(space, name, xp):
    """Make an array of what a later line will find under a name; the value itself is kept to be compared.

    NumPy's scalars are Cuprum's arrays without axes. A line that raised, or gave no array, leaves integers.
    """
    value = space.get(name)
    if isinstance(value, np.matrix):
        space[name] = value = np.asarray(value)
    is_element = isinstance(value, xp.ndarray) and value.ndim == 0 and value.base is None
    if is_element and any(value is other for key, other in space.items() if key != name):
        # NumPy may return its operand where Cuprum returns a view of it.
        space[name] = value[...]
        return
    is_huge = isinstance(value, int) and value.bit_length() > 63
    if isinstance(value, _NUMBERS) and not is_huge or is_element:
        space[name] = xp.array(value)
    elif isinstance(value, xp.ndarray) and value.size > MOST_ELEMENTS:
        space["result_" + name] = value[(0,) * (value.ndim - 1)][:MOST_ELEMENTS]
        space[name] = xp.arange(3)
    elif not isinstance(value, xp.ndarray):
        space["result_" + name] = value
        found = value if isinstance(value, tuple | list) else ()
        first = next((one for one in found if isinstance(one, xp.ndarray | _NUMBERS)), None)
        # What is written later must not show in the value that was kept: NumPy's structures share memory.
        space[name] = xp.arange(3) if first is None else xp.array(first).copy()


def check(program):
    """Run a program on both; return the first Found, or None. Lines that both refuse are skipped by both."""
    ours, mine, made = run(program, cp)
    theirs, other, wanted = run(program, np)
    if mine.keys() != other.keys() and _fuses(program):
        ours, mine, made = run(program, cp, waits=True)
    counts.update(raised=len(mine.keys() & other.keys()), values=0)
    with quiet():
        free = _other_kinds(program, made, wanted, mine.keys() | other.keys())
        try:
            refused = _refused_by_one(program, mine, other)
            by_value = _refused_by_value(mine, other)
            levels, loose = _levels(program, theirs, other, free, refused, by_value)
            _compare_errors(program, mine, other, loose)
            _compare_values(program, ours, theirs, levels, free)
        except Found as found:
            return found
    return None


def _other_kinds(program, made, wanted, raised):
    """Return the variables whose dtype or shape differs in a known way: what comes of them may differ too."""
    free = set()
    for number, kind in wanted.items():
        line = program.lines[number]
        if made[number] != kind and number not in raised:
            parts = [np.zeros(shape, dtype) for dtype, shape in (made[number], kind)]
            if is_known(line, *parts, _read_by(program, number)):
                free.add(line.partition(" = ")[0])
    return free


def digest(program):
    """Return the bytes of all that a program leaves, to be compared between settings."""
    if _SHOWS_PADDING.search("\n".join(program.lines)):
        # NumPy leaves whatever was there between the fields of the arrays that a program begins with.
        return b""
    space, raised, _ = run(program, cp)
    if raised and _fuses(program):
        # Under another setting a mistake may be found at another line.
        space, raised, _ = run(program, cp, waits=True)
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
    if array.dtype.names is not None:
        # What lies between fields is no value.
        return b"".join(_bits(np.asarray(array[name])) for name in array.dtype.names)
    if array.dtype.kind in "Mm":
        return array.tobytes()
    if array.dtype.kind == "c":
        array = np.ascontiguousarray(array).view(array.real.dtype)
    return np.where(array != array, np.nan, array).astype(array.dtype).tobytes()


def _plain(value):
    return (str(value.dtype), value.shape) if isinstance(value, cp.ndarray) else value


def _refused_by_one(program, mine, other):
    """Return the lines that one of both refuses in a known way: nothing is known of what they leave."""
    found = set()
    for number in mine.keys() ^ other.keys():
        line, got, want = program.lines[number], mine.get(number), other.get(number)
        # SciPy refuses more dtypes, and in ways of its own.
        by_scipy = want is not None and "sp." in line
        if by_scipy or isinstance(got or want, MemoryError) or is_known(line, got, want):
            found.add(number)
    return found


def _refused_by_value(mine, other):
    """Return the lines whose matrix one of both refuses: that is for its values to say."""
    return {
        number
        for number in mine.keys() ^ other.keys()
        if isinstance(mine.get(number) or other.get(number), np.linalg.LinAlgError)
    }


def _compare_errors(program, mine, other, loose):
    for number in sorted(mine.keys() | other.keys()):
        got, want, line = mine.get(number), other.get(number), program.lines[number]
        if number in loose or want is not None and "sp." in line:
            continue
        same = got is not None and want is not None and exception_class(got) is exception_class(want)
        if not same and not is_known(line, got, want):
            raise Found(number, f"{_told(got)} where NumPy {_told(want)}")


def _told(error):
    return "works" if error is None else f"raises {type(error).__name__}: {str(error)[:150]}"


def _levels(program, theirs, other, differ, refused, by_value):
    """Return for each variable how it is compared, and the line and the ufunc that made it so; loose lines.

    A loose line uses what has a shape that inexact values decided, or is refused by one of both: anything may
    come of it.
    """
    levels, loose, free = {}, set(), set(differ)
    for number, (line, kind) in enumerate(zip(program.lines, program.kinds, strict=True)):
        target, expression, used, shapes_by_value = _facts(line)
        used = set(used)
        is_new = target and target not in levels
        operands = used - {target} if is_new else used
        worst = max((levels[name][0] for name in operands if name in levels), default=EXACT)
        depends = shapes_by_value or number in by_value
        if number in refused or operands & free or worst != EXACT and depends:
            loose.add(number)
            free |= {target} if is_new else operands | set(levels)
            levels = {name: level for name, level in levels.items() if name not in free}
            continue
        if kind is None or number in other and is_new:
            levels[target] = (EXACT, number, "")
        elif number in other:
            # A write that was refused may be half done in NumPy.
            levels.update(dict.fromkeys(levels, (SHAPE, number, "")))
        elif is_new:
            name, how = kind
            if worst in (ULPS, CLOSE) and _KEEPS_INEXACT.match(expression):
                # What was moved is as inexact as it was, unless it is of two kinds.
                moved = {levels[one] for one in operands if levels.get(one, (EXACT,))[0] != EXACT}
                levels[target] = moved.pop() if len(moved) == 1 else (SHAPE, number, name)
                continue
            if worst != EXACT:
                how = SHAPE
            elif how == ULPS:
                how = _of_ufunc(name, theirs.get(target), _is_complex(theirs, operands))
            elif (
                (
                    how == EXACT
                    and _is_complex(theirs, operands)
                    and re.search(r"[*/]|\*\*|abs\(|vander|round|around", expression)
                )
                or how == EXACT
                and "**" in expression
            ):
                how = CLOSE
            levels[target] = (how, number, name)
        else:
            # A write: whatever it touches, and its views, may hold what it read.
            is_exact = worst == EXACT and not _is_inexact_write(line, theirs, used)
            how = EXACT if is_exact and not _reads_what_it_writes(line, theirs) else SHAPE
            if how != EXACT:
                for name in levels:
                    levels[name] = (SHAPE, number, "")
    return levels, loose


def _is_complex(space, used):
    return any(getattr(space.get(name), "dtype", np.dtype("?")).kind == "c" for name in used)


def _is_inexact_write(line, space, used):
    if ".resize(" in line and not all(_is_writable(space.get(name)) for name in used):
        # NumPy leaves what it adds to a read-only array as it was in memory.
        return True
    if ".resize(" in line and _has_views(space.get(line.partition(".resize(")[0]), space):
        # NumPy frees the memory that views still show.
        return True
    if "accumulate(" in line and _shows_nan(line, space):
        return True
    # Numbers beyond an integer dtype are cast in ways of their own.
    if re.search(r"cumsum|cumprod|\*\*|@|sum\(|add\.reduce|casting='unsafe'", line):
        return True
    if "abs(" in line and _is_complex(space, used):
        return True
    return _is_complex(space, used) and bool(re.search(r"[*/]|multiply|square", line))


def _has_views(value, space):
    parts = [one for held in space.values() for one in (held if isinstance(held, tuple | list) else [held])]
    return any(getattr(one, "base", None) is value for one in parts if one is not value)


def _is_writable(value):
    return not isinstance(value, np.ndarray) or value.flags.writeable


def _shows_nan(line, space):
    """Return whether what a line writes has NaN, whose bits show in an array of another dtype."""
    written = space.get(line.rpartition("out=")[2].rstrip(")"))
    if not isinstance(written, np.ndarray) or written.dtype.kind not in "fc" or not np.isnan(written).any():
        return False
    others = [one for one in space.values() if isinstance(one, np.ndarray) and one.dtype != written.dtype]
    return any(np.may_share_memory(written, one) for one in others)


_MASKED = re.compile(
    r"(v\d+)\[(?:\(v|xp\.isfinite).*\] .?.?= (v\d+)|xp\.(?:concatenate|stack)\(\[(v\d+).*out=(v\d+)"
    r"|xp\.place\((v\d+), .*, (v\d+)"
)


def _reads_what_it_writes(line, space):
    """Return whether NumPy stores by a mask, or joins, what it may have written before."""
    found = _MASKED.match(line)
    if found is None:
        return False
    return np.may_share_memory(*(np.asarray(space.get(name)) for name in found.groups() if name))


def _of_ufunc(name, result, of_complex):
    dtype = getattr(result, "dtype", None)
    if dtype is None or dtype.kind not in "fc":
        return EXACT
    if dtype.kind == "c":
        return CLOSE
    return EXACT if name in ROUNDED and not of_complex else ULPS


def _compare_values(program, ours, theirs, levels, free):
    born = {line.partition(" = ")[0]: number for number, line in reversed([*enumerate(program.lines)])}
    results = {
        f"result_{name}": (level[0], born[name], level[2])
        for name, level in levels.items()
        if f"result_{name}" in theirs
    }
    differs = set()
    for name, (how, number, ufunc) in {**levels, **results}.items():
        if name not in theirs or name not in ours:
            continue
        line = program.lines[number]
        if differs & {one for one in _facts(line).names if one != name.removeprefix("result_")}:
            # It comes of what differs in a known way.
            differs.add(name.removeprefix("result_"))
            continue
        if name.removeprefix("result_") in free and not program.lines[number].startswith(f"{name} = "):
            continue
        try:
            got = host_value(ours[name])
        except Exception as error:
            raise Found(number, f"{name} raises {type(error).__name__}: {str(error)[:150]}") from error
        scale = _scale(line, theirs) if how == CLOSE else 1.0
        read = functools.partial(_read_by, program, number)
        # SciPy transforms float16 in single precision.
        single = "efF" if "convolve(" in line else "fF"
        is_single = any(theirs[one].dtype.char in single for one in _facts(line).names[1:] if one in theirs)
        if compare(got, theirs[name], how, number, ufunc, line, scale, read, is_single):
            differs.add(name.removeprefix("result_"))
        counts["values"] += how != SHAPE


def _read_by(program, number):
    """Return what a line reads, as NumPy has it then: later lines may write into it."""
    space, _, _ = run(program.without(set(range(number, len(program.lines)))), np)
    line = program.lines[number]
    named = [np.asarray(space[name]) for name in _facts(line).names[1:] if name in space]
    return Read(named, _operands(line, space))


class Read(list):
    """The arrays that a line names, and as `operands` the numbers that its call is given."""

    def __init__(self, named, operands):
        super().__init__(named)
        self.operands = operands


def _operands(line, space):
    statement = ast.parse(line).body[0]
    call = statement.value if isinstance(statement, ast.Assign | ast.Expr) else None
    while isinstance(call, ast.Subscript | ast.Attribute | ast.UnaryOp):
        call = call.operand if isinstance(call, ast.UnaryOp) else call.value
    parts = [call.left, call.right] if isinstance(call, ast.BinOp) else getattr(call, "args", [])
    with quiet(), contextlib.suppress(Exception):
        given = [eval(compile(ast.Expression(one), "<operand>", "eval"), dict(space)) for one in parts]
        arrays = [np.asarray(one) for one in given if isinstance(one, _NUMBERS | np.ndarray | list)]
        return [one for one in arrays if one.dtype.kind in "biufc"]
    return []


def _scale(line, space):
    """Return the largest number that a line reads: differences of such are as inexact.

    Those of the extremes of float64 are no measure, but for SciPy's, which overflow on the way.
    """
    arrays = [np.asarray(space[name]) for name in _NAME.findall(line)[1:] if name in space]
    arrays = [np.abs(one[np.isfinite(one)].astype(complex)) for one in arrays if one.dtype.kind in "biufc"]
    found = max([1.0, *(float(one.max(initial=1.0)) for one in arrays)])
    return found if found < 1e20 or "sp." in line or "fft." in line else 1.0
