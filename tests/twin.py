"""The twin runner: one test body, run on NumPy and on Cuprum, the outcomes compared.

A body is a function of `xp`, the array module. It builds its inputs *inside* from host (NumPy) data, so
that views, in-place writes and aliasing happen on both sides, and returns anything built of arrays,
scalars, dtypes, strings, tuples, lists and dicts. The two outcomes must agree in

* value: integers and booleans exactly, floats within `ulps` units in the last place of the result's dtype,
  NaN in the same places; signed zeros too when `ulps == 0`;
* dtype and shape;
* layout: the C and F contiguity flags, and the strides of every axis longer than one;
* failure: where NumPy raises, Cuprum raises the same class, with a message, and the test has said that it
  expects this class. An error that a test does not announce fails it, on both sides too: it may be a typo.

Three ways to use it::

    from twin import check, twin

    @twin()                                    # a whole test; `xp` is filled in by the runner
    def test_add(xp):
        return xp.arange(6).reshape(2, 3) + 1

    @pytest.mark.parametrize("axis", [0, 1])   # parametrize and fixtures work as usual
    @twin(ulps=2)
    def test_mean(xp, axis):
        return xp.array(DATA).mean(axis)

    check(lambda xp: xp.sin(xp.array(DATA)), ulps=2, label="sin f32 C")   # inside a loop

Errors are announced in one of three ways::

    @twin(raises=IndexError)                   # the body raises, on both sides
    check(body, may_raise=(TypeError,))        # in a sweep over dtypes or axes, where some combinations do
    [raising(ValueError, lambda xp: ...)]      # in a table of bodies

NumPy scalars count as 0-d arrays, since Cuprum returns 0-d arrays where NumPy returns scalars. Warnings are
silenced on both sides. A panic that crosses the boundary (any BaseException that is not an Exception) fails.

`collect()` gathers the failures of a loop and raises them together, so that one bad dtype hides no other.
Layouts, special values and bfloat16, which has no NumPy twin, are in samples.py.
"""

import contextlib
import functools
import inspect
import os
import pathlib
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest

import cuprum as cp

ON_GPU = cp.info()["device"] != "cpu"

# Every dtype of Cuprum that NumPy has, by NumPy's type character; "q" and "Q" are the 64-bit integers.
DTYPES = {
    "?": "bool",
    "b": "int8",
    "h": "int16",
    "i": "int32",
    "q": "int64",
    "B": "uint8",
    "H": "uint16",
    "I": "uint32",
    "Q": "uint64",
    "e": "float16",
    "f": "float32",
    "d": "float64",
    "F": "complex64",
    "D": "complex128",
}
BOOL = ["bool"]
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
ALL_DTYPES = BOOL + INTEGERS + FLOATS + COMPLEX

# NumPy's exception classes that a program can tell apart, most derived first.
_CLASSES = (
    np.exceptions.AxisError,
    np.exceptions.DTypePromotionError,
    np.linalg.LinAlgError,
    np.exceptions.TooHardError,
    IndexError,
    KeyError,
    ZeroDivisionError,
    OverflowError,
    FloatingPointError,
    BufferError,
    MemoryError,
    AttributeError,
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
    AssertionError,
)


class Failure:
    """What a body that raised leaves behind: the exception and the class that callers would catch."""

    def __init__(self, error):
        self.error = error
        self.cls = exception_class(error)

    def __repr__(self):
        return f"{type(self.error).__name__}: {self.error}"


def exception_class(error):
    """Return the public class of `error`: TypeError for NumPy's private UFuncTypeError, and so on."""
    for cls in _CLASSES:
        if isinstance(error, cls):
            # A promotion error is a TypeError to every caller; NumPy alone gives it a name of its own.
            return TypeError if cls is np.exceptions.DTypePromotionError else cls
    return type(error)


@contextlib.contextmanager
def quiet():
    """Silence floating-point errors and every warning (RuntimeWarning, ComplexWarning, ...)."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def settle(xp):
    """Wait for the GPU if `xp` has one: a position beyond its axis is an error of the next wait there."""
    if xp is cp and ON_GPU:
        cp.cuda.Device().synchronize()


def run(body, xp, *args, **kwargs):
    """Run `body(xp)` quietly; return its value, or a `Failure` when it raised."""
    with quiet():
        try:
            value = body(xp, *args, **kwargs)
            settle(xp)
            return value
        except (KeyboardInterrupt, SystemExit, pytest.skip.Exception, pytest.fail.Exception):
            raise
        except BaseException as error:
            return Failure(error)


def check(
    body,
    *,
    ulps=0,
    layout=True,
    dtype=True,
    signed_zero=None,
    special=True,
    label="",
    raises=None,
    may_raise=(),
):
    """Run `body` on NumPy and on Cuprum and compare.

    Parameters
    ----------
    body : callable
        `body(xp)`; builds its inputs with `xp` and returns the results to compare.
    ulps : float or dict
        Allowed distance in units in the last place; a dict maps type characters ("f", "d", "F", ...)
        to distances. 0 means bit-equal but for NaN payloads.
    layout : bool
        Compare contiguity flags and strides.
    dtype : bool
        Compare dtypes.
    signed_zero : bool, optional
        Tell +0 from -0. By default only when `ulps` is 0.
    special : bool
        For complex results with `ulps > 0`: compare elements that are not finite too.
    label : str
        Named first in failure messages: op, dtype, layout.
    raises : class or tuple of classes, optional
        What the body raises; it fails where nothing is raised. By default what `raising` says of the body.
    may_raise : class or tuple of classes, optional
        What the body may raise. Any other error fails, even if both sides raise it.

    Examples
    --------
    >>> check(lambda xp: xp.add(xp.arange(3), 1), label="add i64")
    """
    want = run(body, np)
    got = run(body, cp)
    compare(
        got,
        want,
        ulps=ulps,
        layout=layout,
        dtype=dtype,
        signed_zero=signed_zero,
        special=special,
        label=label,
        raises=getattr(body, "raises", None) if raises is None else raises,
        may_raise=may_raise,
    )


def raising(classes, body):
    """Return a body of a table with the class of error that it raises, or several, for `check`.

    Examples
    --------
    >>> check(raising(ValueError, lambda xp: xp.ones(3).reshape(2)))
    """
    body.raises = classes
    return body


def twin(**options):
    """Decorate a test that takes `xp`: it runs on both modules and `check` compares what it returns.

    Options are those of `check`. Other parameters of the test come from pytest (parametrize, fixtures).
    """

    def decorate(test):
        signature = inspect.signature(test)
        rest = [p for p in signature.parameters.values() if p.name != "xp"]

        @functools.wraps(test)
        def runner(**kwargs):
            label = ", ".join(f"{k}={v!r}" for k, v in kwargs.items())
            check(lambda xp: test(xp=xp, **kwargs), label=label, **options)

        runner.__signature__ = signature.replace(parameters=rest)
        del runner.__wrapped__
        return runner

    return decorate


class collect:  # noqa: N801 - reads as a verb at the call: `with collect() as failures`
    """Gather the failures of many checks and raise one AssertionError naming the first few.

    Examples
    --------
    >>> with collect() as failures:
    ...     for name in ALL_DTYPES:
    ...         with failures:
    ...             check(lambda xp: xp.ones(3, dtype=name), label=name)
    """

    def __init__(self, limit=12):
        self.limit = limit
        self.failures = []
        self.checks = 0
        self._depth = 0

    def __enter__(self):
        self._depth += 1
        if self._depth > 1:
            self.checks += 1
        return self

    def __exit__(self, kind, error, traceback):
        self._depth -= 1
        if self._depth > 0:
            if kind is not None and issubclass(kind, AssertionError):
                self.failures.append(str(error))
                return True
            return False
        if kind is None and self.failures:
            shown = "\n\n".join(self.failures[: self.limit])
            raise AssertionError(f"{len(self.failures)} of {self.checks} checks failed; the first:\n{shown}")
        return False


def compare(
    got,
    want,
    *,
    ulps=0,
    layout=True,
    dtype=True,
    signed_zero=None,
    special=True,
    label="",
    raises=None,
    may_raise=(),
):
    """Compare two outcomes of `run`, Cuprum's with NumPy's; raise AssertionError if they differ."""
    options = dict(ulps=ulps, layout=layout, dtype=dtype, signed_zero=signed_zero, special=special)
    where = f"[{label}] " if label else ""
    if isinstance(want, Failure) or isinstance(got, Failure):
        _compare_failures(got, want, where, _classes(may_raise) if raises is None else _classes(raises))
        return
    assert raises is None, f"{where}nothing was raised, where the test expects {_names(_classes(raises))}"
    if isinstance(want, (tuple, list)) and not hasattr(want, "dtype"):
        assert isinstance(got, (tuple, list)), (
            f"{where}got {type(got).__name__}, NumPy has {type(want).__name__}"
        )
        assert len(got) == len(want), f"{where}got {len(got)} results, NumPy has {len(want)}"
        for i, (g, w) in enumerate(zip(got, want, strict=True)):
            compare(g, w, label=f"{label}[{i}]" if label else f"result {i}", **options)
        return
    if isinstance(want, dict):
        assert isinstance(got, dict) and list(got) == list(want), f"{where}keys {got!r}, NumPy has {want!r}"
        for key in want:
            compare(got[key], want[key], label=f"{label} {key}", **options)
        return
    if isinstance(want, (np.ndarray, np.generic)):
        _compare_arrays(got, want, where, options)
        return
    if is_dtype(want):
        assert dtype_name(got) == dtype_name(want), f"{where}dtype {got!r}, NumPy has {want!r}"
        return
    if is_array(got):
        # A Python scalar from NumPy (np.allclose) may be a 0-d array here.
        assert got.shape == (), f"{where}got an array of shape {got.shape}, NumPy has {want!r}"
        got = got.item()
    if isinstance(want, float):
        _compare_arrays(
            np.float64(got), np.float64(want), where, {**options, "layout": False, "dtype": False}
        )
        return
    assert type(got) is type(want) or isinstance(got, type(want)), (
        f"{where}got {got!r} of type {type(got).__name__}, NumPy has {want!r} of type {type(want).__name__}"
    )
    assert got == want, f"{where}got {got!r}, NumPy has {want!r}"


def _classes(given):
    return given if isinstance(given, tuple) else (given,)


def _names(classes):
    return " or ".join(cls.__name__ for cls in classes) or "no error"


def _compare_failures(got, want, where, expected):
    if isinstance(got, Failure) and not isinstance(got.error, Exception):
        raise AssertionError(f"{where}a panic crossed into Python: {got!r}") from got.error
    if not isinstance(got, Failure):
        raise AssertionError(f"{where}NumPy raised {want!r}; Cuprum returned {brief(got)}")
    if not isinstance(want, Failure):
        raise AssertionError(f"{where}Cuprum raised {got!r}; NumPy returned {brief(want)}") from got.error
    if got.cls is not want.cls:
        raise AssertionError(f"{where}Cuprum raised {got!r}; NumPy raised {want!r}") from got.error
    assert str(got.error).strip(), f"{where}Cuprum raised {type(got.error).__name__} without a message"
    if got.cls not in expected:
        raise AssertionError(
            f"{where}both raised {want!r}, where the test expects {_names(expected)}"
        ) from want.error


def _compare_arrays(got, want, where, options):
    want_shape, want_dtype = np.shape(want), want.dtype
    if not is_array(got):
        got = np.asarray(got)
    if options["dtype"]:
        assert dtype_name(got.dtype) == want_dtype.name, (
            f"{where}dtype {dtype_name(got.dtype)}, NumPy has {want_dtype.name}"
        )
    assert tuple(got.shape) == want_shape, f"{where}shape {tuple(got.shape)}, NumPy has {want_shape}"
    if options["layout"] and isinstance(want, np.ndarray):
        compare_layout(got, want, where)
    assert_values(
        to_numpy(got),
        np.asarray(want),
        where=where,
        **{k: options[k] for k in ("ulps", "signed_zero", "special")},
    )


def compare_layout(got, want, where=""):
    """Compare contiguity flags and the strides of axes longer than one; size 0 or 1 always agrees."""
    if want.size <= 1:
        return
    for flag in ("C_CONTIGUOUS", "F_CONTIGUOUS"):
        g, w = contiguous(got, flag), want.flags[flag]
        assert g == w, (
            f"{where}{flag} is {g}, NumPy has {w} (strides {tuple(got.strides)} and {want.strides})"
        )
    gs = tuple(s for s, n in zip(got.strides, want.shape, strict=True) if n > 1)
    ws = tuple(s for s, n in zip(want.strides, want.shape, strict=True) if n > 1)
    assert gs == ws, f"{where}strides {tuple(got.strides)}, NumPy has {want.strides} for shape {want.shape}"


def contiguous(array, flag):
    """Return a contiguity flag as a bool, by either spelling: `flags[flag]` or `flags.c_contiguous`."""
    try:
        return bool(array.flags[flag])
    except TypeError:
        return bool(getattr(array.flags, flag.lower()))


def assert_values(got, want, *, ulps=0, signed_zero=None, special=True, where=""):
    """Compare two host arrays of one shape; the failure names the first differing element."""
    if isinstance(ulps, dict):
        ulps = ulps.get(want.dtype.char, 0)
    if signed_zero is None:
        signed_zero = ulps == 0
    if want.dtype.kind == "O":
        bad = np.vectorize(lambda g, w: g != w, otypes=[bool])(got, want)
    elif want.dtype.kind == "c":
        bad = _complex_differs(got.astype(want.dtype), want, ulps, signed_zero, special)
    elif want.dtype.kind == "f":
        bad = _float_differs(got.astype(want.dtype), want, ulps, signed_zero)
    else:
        bad = np.asarray(got != want)
    if not np.any(bad):
        return
    count = int(np.count_nonzero(bad))
    index = tuple(int(i) for i in np.argwhere(bad)[0]) if want.ndim else ()
    g, w = got[index], want[index]
    far = ""
    if want.dtype.kind == "f" and np.isfinite(g) and np.isfinite(w):
        far = f", {int(ulp_distance(g.astype(want.dtype), w))} ulps apart ({ulps} allowed)"
    raise AssertionError(
        f"{where}{count} of {want.size} elements differ; first at {index}: got {g!r}, NumPy has {w!r}{far}"
    )


def _float_differs(got, want, ulps, signed_zero):
    nan_g, nan_w = np.isnan(got), np.isnan(want)
    bad = nan_g != nan_w
    both = ~(nan_g | nan_w)
    if ulps == 0:
        bad |= both & (got != want)
    else:
        # An infinity counts as one step past the largest finite value, which is how overflow rounds.
        bad |= both & (ulp_distance(got, want) > ulps)
    if signed_zero:
        bad |= both & (got == 0) & (want == 0) & (np.signbit(got) != np.signbit(want))
    return bad


def _complex_differs(got, want, ulps, signed_zero, special):
    bad = _float_differs(got.real, want.real, ulps, signed_zero) | _float_differs(
        got.imag, want.imag, ulps, signed_zero
    )
    if ulps == 0:
        return bad
    # Cancellation makes one component lose bits in any implementation: judge finite values by their distance
    # in the plane, in ulps of the modulus.
    finite = np.isfinite(got) & np.isfinite(want)
    with quiet():
        modulus = np.maximum(np.abs(want.real), np.abs(want.imag))
        step = np.spacing(modulus)
        apart = np.maximum(np.abs(got.real - want.real), np.abs(got.imag - want.imag))
        near = finite & (apart <= ulps * step)
    bad &= ~near
    if not special:
        bad &= np.isfinite(want)
    return bad


def ulp_distance(a, b):
    """Return how many representable values lie between `a` and `b` (float arrays of one dtype, no NaN).

    Examples
    --------
    >>> int(ulp_distance(np.float32(1), np.nextafter(np.float32(1), np.float32(2))))
    1
    """
    with quiet():
        return np.abs(_ordered(a) - _ordered(b))


def _ordered(x):
    """Map floats to integers (held in float64 or exact int64) that count along the number line."""
    x = np.asarray(x)
    bits = {2: np.int16, 4: np.int32, 8: np.int64}[x.dtype.itemsize]
    i = np.ascontiguousarray(x).view(bits).reshape(x.shape)
    low = np.iinfo(bits).min
    folded = np.where(i < 0, low - i, i)
    # Distances between far values overflow int64; float64 keeps small ones exact after the fold is split.
    if bits is np.int64:
        return folded.astype(np.longdouble)
    return folded.astype(np.int64)


def ulp_error(got, exact):
    """Return |got - exact| in ulps of `got`'s dtype; `exact` is of a wider dtype."""
    got = np.asarray(got)
    with quiet():
        nearest = np.asarray(exact).astype(got.dtype)
        step = np.spacing(np.abs(nearest)).astype(exact.dtype)
        error = np.abs(got.astype(exact.dtype) - exact) / step
    same = (got == nearest) | (np.isnan(got) & np.isnan(nearest))
    return np.where(same & ~np.isfinite(nearest), 0.0, error)


# ---------------------------------------------------------------------------------------------------------
# Arrays and dtypes of either module


def is_array(x):
    """Tell whether `x` is an array or a NumPy scalar of either module."""
    return isinstance(x, (np.ndarray, np.generic, cp.ndarray))


def is_dtype(x):
    """Tell whether `x` is a dtype or a NumPy scalar type."""
    return isinstance(x, np.dtype) or (isinstance(x, type) and issubclass(x, np.generic))


def dtype_name(dtype):
    """Return NumPy's name of a dtype of either module; "bfloat16" for the one that NumPy lacks."""
    name = getattr(dtype, "name", None)
    return name if isinstance(name, str) else np.dtype(dtype).name


def to_numpy(x):
    """Return `x` as a host array; bfloat16 comes back as float32, which holds every bfloat16 exactly."""
    if isinstance(x, cp.ndarray) and cp is not np:
        if dtype_name(x.dtype) == "bfloat16":
            x = x.astype(cp.float32)
        return cp.asnumpy(x)
    return np.asarray(x)


def brief(x):
    """Describe a result in one line, for messages."""
    if is_array(x):
        return f"{dtype_name(x.dtype)} array of shape {tuple(x.shape)}: {str(to_numpy(x))[:120]}"
    return repr(x)[:160]


# ---------------------------------------------------------------------------------------------------------
# Fresh interpreters


def fresh_python(code, *args, timeout=120, check_exit=True, **env):
    """Run `code` in a new interpreter and return its standard output, stripped.

    Environment variables are given as keywords: `fresh_python(code, CUPRUM_THREADS="1")`. The code sees
    `np`, `cp`, `sys`, `os`, everything in this module's directory, and `args` as `sys.argv[1:]`. With
    `check_exit=False` the CompletedProcess is returned instead, whatever its exit status.
    """
    prelude = "import os, sys\nimport numpy as np\nimport cuprum as cp\n"
    here = str(pathlib.Path(__file__).resolve().parent)
    environment = dict(os.environ, **{k: str(v) for k, v in env.items()})
    environment["PYTHONPATH"] = os.pathsep.join([here] + [p for p in sys.path if p])
    done = subprocess.run(
        [sys.executable, "-c", prelude + textwrap.dedent(code), *map(str, args)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    if not check_exit:
        return done
    assert done.returncode == 0, (
        f"exit status {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    )
    return done.stdout.strip()
