"""One test body, run on SciPy with NumPy and on `cuprum.scipy` with Cuprum, the outcomes compared.

A body is a function of `xp` and `sp`, the array module and the part of SciPy under test. Values are compared
by their distance relative to the largest finite one of the result: sums and transforms of both sides round
in another order, and an element near zero has lost bits in either. Dtypes, shapes, structure and exception
classes are compared as in twin.py.
"""

import importlib

import numpy as np
import scipy
from twin import Failure, compare, dtype_name, is_array, run, to_numpy

import cuprum as cp

# The release of SciPy that answers, as (1, 17): where releases differ, Cuprum does what the newest does.
SCIPY = tuple(int(part) for part in scipy.__version__.split(".")[:2])
EPS = {"e": 2.0**-10, "f": 2.0**-23, "d": 2.0**-52, "F": 2.0**-23, "D": 2.0**-52}


def check(body, part, units=64, dtype=True, label="", raises=None, may_raise=()):
    """Compare `body(np, scipy.part)` with `body(cp, cuprum.scipy.part)`.

    `units` is the allowed distance, in units of the dtype's epsilon times the largest value; `raises` and
    `may_raise` name exception classes as in twin.py.
    """
    ours, theirs = importlib.import_module(f"cuprum.scipy.{part}"), importlib.import_module(f"scipy.{part}")
    want = run(lambda xp: body(xp, theirs), np)
    got = run(lambda xp: body(xp, ours), cp)
    if isinstance(want, Failure) or isinstance(got, Failure) or raises is not None:
        compare(got, want, label=label, raises=raises, may_raise=may_raise)
        return
    _compare(got, want, units, dtype, label)


def _compare(got, want, units, dtype, label):
    where = f"[{label}] "
    if isinstance(want, (tuple, list)):
        assert isinstance(got, (tuple, list)) and len(got) == len(want), f"{where}{got!r}, SciPy has {want!r}"
        for i, (g, w) in enumerate(zip(got, want, strict=True)):
            _compare(g, w, units, dtype, f"{label}[{i}]")
        return
    if isinstance(want, dict):
        assert sorted(got) == sorted(want), f"{where}keys {sorted(got)}, SciPy has {sorted(want)}"
        for key in want:
            _compare(got[key], want[key], units, dtype, f"{label}[{key}]")
        return
    if want is None or isinstance(want, (str, bool)):
        got = got.item() if is_array(got) else got
        assert got == want, f"{where}got {got!r}, SciPy has {want!r}"
        return
    if isinstance(want, np.ndarray):
        assert isinstance(got, cp.ndarray), f"{where}got {type(got).__name__}, not an array of Cuprum"
    got_dtype = dtype_name(got.dtype) if is_array(got) else None
    got, want = to_numpy(got), np.asarray(want)
    assert got.shape == want.shape, f"{where}shape {got.shape}, SciPy has {want.shape}"
    if dtype and got_dtype is not None:
        assert got_dtype == want.dtype.name, f"{where}dtype {got_dtype}, SciPy has {want.dtype.name}"
    if want.dtype.kind not in "fc":
        assert np.array_equal(got, want), f"{where}got {got!r}, SciPy has {want!r}"
        return
    finite = np.isfinite(want)
    assert np.array_equal(np.isnan(got), np.isnan(want)), f"{where}NaN elsewhere: {got!r}, SciPy has {want!r}"
    same = got[~finite & ~np.isnan(want)] == want[~finite & ~np.isnan(want)]
    assert np.all(same), f"{where}infinities elsewhere: {got!r}, SciPy has {want!r}"
    if not finite.any():
        return
    scale = np.abs(want[finite]).max()
    if scale == 0:
        assert not np.any(got[finite]), f"{where}got {got!r}, SciPy has zeros"
        return
    apart = np.abs(got[finite] - want[finite]).max() / scale / EPS.get(want.dtype.char, EPS["d"])
    assert apart <= units, f"{where}{apart:.3g} units apart, {units} allowed: {got!r}, SciPy has {want!r}"
