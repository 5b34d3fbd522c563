"""What is done with an array of booleans: cases for masks whose true bytes are any number but zero.

A case is a function of the module, the mask and numbers of the same shape. Those in `ANY_SHAPE` take masks of
any shape and layout, those in `ONE_AXIS` of one axis.
"""

import numpy as np
from twin import collect, compare, run

import cuprum as cp


def _written(xp, x, write):
    """Return a copy of `x` that `write` has changed."""
    copy = x.copy()
    write(copy)
    return copy


def _parted(xp, m):
    """Return a partition by its middle with both sides in order, since they may be in any."""
    middle = m.shape[-1] // 2
    return [xp.sort(m[..., :middle]), m[..., middle], xp.sort(m[..., middle + 1 :])]


def _put_mask(xp, x, m):
    return _written(xp, x, lambda y: xp.putmask(y, m, x[::-1].copy()))


BINARY = [
    "add",
    "multiply",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "divide",
    "floor_divide",
    "remainder",
    "fmod",
    "power",
    "float_power",
    "left_shift",
    "right_shift",
    "gcd",
    "lcm",
    "hypot",
    "arctan2",
    "logaddexp",
    "copysign",
    "nextafter",
    "heaviside",
    "ldexp",
]
UNARY = [
    "logical_not",
    "invert",
    "absolute",
    "conjugate",
    "rint",
    "floor",
    "ceil",
    "trunc",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "spacing",
    "sqrt",
    "square",
    "cbrt",
    "exp",
    "expm1",
    "log1p",
    "sin",
    "cos",
    "tanh",
    "arcsin",
    "arctan",
    "sinh",
    "degrees",
    "deg2rad",
    "reciprocal",
]
FOLDS = [
    "add",
    "multiply",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
]
REDUCTIONS = [
    "sum",
    "prod",
    "any",
    "all",
    "min",
    "max",
    "mean",
    "var",
    "std",
    "argmin",
    "argmax",
    "count_nonzero",
    "nansum",
    "nanmax",
    "nanargmax",
    "nanargmin",
    "median",
    "average",
]
# NumPy adds squares up one after the other along an axis, which rounds more.
ALONG = [name for name in REDUCTIONS if name not in ("var", "std")]
DTYPES = [
    "bool",
    "int8",
    "uint8",
    "int32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]

ANY_SHAPE = {
    **{f"{name} of two": lambda xp, m, x, f=name: getattr(xp, f)(m, m[..., ::-1]) for name in BINARY},
    **{f"{name} of itself": lambda xp, m, x, f=name: getattr(xp, f)(m, m) for name in FOLDS},
    **{f"{name} with True": lambda xp, m, x, f=name: getattr(xp, f)(m, True) for name in BINARY},
    **{
        f"{name} with 2": lambda xp, m, x, f=name: getattr(xp, f)(m, 2)
        for name in ("add", "multiply", "power")
    },
    **{f"{name} with numbers": lambda xp, m, x, f=name: getattr(xp, f)(m, x) for name in BINARY[:8]},
    **{name: lambda xp, m, x, f=name: getattr(xp, f)(m) for name in UNARY},
    **{f"{name}.reduce": lambda xp, m, x, f=name: getattr(xp, f).reduce(m) for name in FOLDS},
    **{f"{name}.reduce all": lambda xp, m, x, f=name: getattr(xp, f).reduce(m, axis=None) for name in FOLDS},
    **{f"{name}.accumulate": lambda xp, m, x, f=name: getattr(xp, f).accumulate(m) for name in FOLDS},
    **{f"{name} all": lambda xp, m, x, f=name: getattr(xp, f)(m) for name in REDUCTIONS},
    **{f"{name} first axis": lambda xp, m, x, f=name: getattr(xp, f)(m, axis=0) for name in ALONG},
    **{f"{name} last axis": lambda xp, m, x, f=name: getattr(xp, f)(m, axis=-1) for name in ALONG},
    **{f"astype {d}": lambda xp, m, x, d=d: m.astype(d) for d in DTYPES},
    "where": lambda xp, m, x: xp.where(m, x, -x),
    "where of one": lambda xp, m, x: xp.where(m),
    "where of masks": lambda xp, m, x: xp.where(x > 0, m, ~m),
    "fused": lambda xp, m, x: xp.where(m & (x > 0), x * m + m, x - 1).sum(),
    "clip": lambda xp, m, x: xp.clip(m, False, True),
    "sum with where": lambda xp, m, x: x.sum(where=m),
    "mean with where": lambda xp, m, x: x.mean(where=m),
    "max with where": lambda xp, m, x: x.max(where=m, initial=-1e9),
    "any with where": lambda xp, m, x: m.any(where=m),
    "ufunc with where": lambda xp, m, x: xp.add(x, 1.0, out=x.copy(), where=m),
    "copyto": lambda xp, m, x: _written(xp, x, lambda y: xp.copyto(y, -x, where=m)),
    "put a mask": lambda xp, m, x: _put_mask(xp, x, m),
    "place": lambda xp, m, x: _written(xp, x, lambda y: xp.place(y, m, [7.0, 8.0, 9.0])),
    "store a number": lambda xp, m, x: _written(xp, x, lambda y: y.__setitem__(m, 5.0)),
    "store numbers": lambda xp, m, x: _written(xp, x, lambda y: y.__setitem__(m, x[m] * 2)),
    "choose": lambda xp, m, x: x[m],
    "choose from a mask": lambda xp, m, x: m[m],
    "nonzero": lambda xp, m, x: xp.nonzero(m),
    "argwhere": lambda xp, m, x: xp.argwhere(m),
    "flatnonzero": lambda xp, m, x: xp.flatnonzero(m),
    "extract": lambda xp, m, x: xp.extract(m, x),
    "compress": lambda xp, m, x: xp.compress(m.ravel(), x),
    "sort": lambda xp, m, x: xp.sort(m),
    "sort first axis": lambda xp, m, x: xp.sort(m, axis=0),
    "argsort": lambda xp, m, x: xp.argsort(m, kind="stable"),
    "argsort first axis": lambda xp, m, x: xp.argsort(m, axis=0, kind="stable"),
    "partition": lambda xp, m, x: _parted(xp, xp.partition(m, m.shape[-1] // 2)),
    "unique": lambda xp, m, x: xp.unique(m, return_index=True, return_inverse=True, return_counts=True),
    "isin": lambda xp, m, x: xp.isin(m, xp.array([True])),
    "cumsum": lambda xp, m, x: xp.cumsum(m),
    "cumprod": lambda xp, m, x: xp.cumprod(m, axis=0),
    "ediff1d": lambda xp, m, x: xp.ediff1d(m.astype("i8")),
    "diff": lambda xp, m, x: xp.diff(m),
    "packbits": lambda xp, m, x: xp.packbits(m),
    "packbits little": lambda xp, m, x: xp.packbits(m, axis=0, bitorder="little"),
    "roll": lambda xp, m, x: xp.roll(m, 3),
    "copies": lambda xp, m, x: [
        m.copy(),
        xp.ascontiguousarray(m),
        xp.concatenate([m, m]),
        m.T.copy(),
        m.ravel(),
    ],
    "take": lambda xp, m, x: xp.take(m, [0, 2, 1]),
    "repeat": lambda xp, m, x: xp.repeat(m, 2),
    "tolist": lambda xp, m, x: m.tolist(),
    "item": lambda xp, m, x: [m.item(i) for i in range(3)],
    "bool": lambda xp, m, x: [bool(m.ravel()[i]) for i in range(3)],
    "int": lambda xp, m, x: [int(m.ravel()[i]) for i in range(3)],
    "float": lambda xp, m, x: [float(m.ravel()[i]) for i in range(3)],
    "element of an array": lambda xp, m, x: [m.ravel()[i] + 1 for i in range(3)],
    "repr": lambda xp, m, x: str(m.ravel()[:5]),
    "array_equal": lambda xp, m, x: bool(xp.array_equal(m, m.astype("i4"))),
    "allclose": lambda xp, m, x: bool(xp.allclose(m, m.astype("i4"))),
    "histogram": lambda xp, m, x: xp.histogram(m.astype("f8"), bins=2),
    "digitize": lambda xp, m, x: xp.digitize(m.astype("f8"), [0.0, 0.5, 1.0]),
    "percentile": lambda xp, m, x: xp.percentile(m.astype("i4"), 50),
    "trapezoid": lambda xp, m, x: xp.trapezoid(m.astype("f8")),
    "put_along_axis": lambda xp, m, x: _written(
        xp, m, lambda y: xp.put_along_axis(y, xp.zeros(m.shape[:-1] + (1,), "i8"), True, axis=-1)
    ),
    "take_along_axis": lambda xp, m, x: xp.take_along_axis(x, m.astype("i8"), axis=-1),
    "select": lambda xp, m, x: xp.select([m, ~m], [x, -x]),
    "choose by masks": lambda xp, m, x: xp.choose(m, [x, -x]),
    "full_like": lambda xp, m, x: xp.full_like(x, m),
    "array of another dtype": lambda xp, m, x: xp.array(m, dtype="f4"),
    "maximum.at": lambda xp, m, x: _written(
        xp, m.ravel(), lambda y: xp.logical_xor.at(y, xp.arange(y.size) // 2, m.ravel())
    ),
    "in place": lambda xp, m, x: _written(xp, m, lambda y: y.__ixor__(m[..., ::-1])),
    "in-place sum": lambda xp, m, x: _written(xp, x, lambda y: y.__iadd__(m)),
    "fill_diagonal": lambda xp, m, x: xp.tril(m) if m.ndim > 1 else m.copy(),
    "cov": lambda xp, m, x: xp.outer(m.ravel()[:50], m.ravel()[:50]),
    "view of bytes": lambda xp, m, x: m.astype("u1").max(),
}
ONE_AXIS = {
    "bincount": lambda xp, m, x: xp.bincount(m),
    "bincount with weights": lambda xp, m, x: xp.bincount(m, weights=x),
    "dot": lambda xp, m, x: xp.dot(m, m),
    "dot with numbers": lambda xp, m, x: xp.dot(m, xp.ones(m.size, "i8")),
    "matmul": lambda xp, m, x: (
        m[:2500].reshape(-1, 1) @ m[:2500].reshape(1, -1)
        if m.size < 3000
        else m[:2500].reshape(50, 50) @ m[:2500].reshape(50, 50)
    ),
    "matmul of int8": lambda xp, m, x: m[:2500].reshape(-1, 1).astype("i1").T @ m[:2500].reshape(-1, 1),
    "convolve": lambda xp, m, x: xp.convolve(m.astype("i8"), [1, 2, 3]),
    "searchsorted": lambda xp, m, x: xp.searchsorted(xp.sort(m), [False, True]),
    "searchsorted right": lambda xp, m, x: xp.searchsorted(xp.array([False, True]), m, side="right"),
    "lexsort": lambda xp, m, x: xp.lexsort((x, m)),
    "argpartition": lambda xp, m, x: _parted(xp, m[xp.argpartition(m, m.size // 2)]),
    "add.reduceat": lambda xp, m, x: xp.add.reduceat(m.astype("i8"), [0, 1, m.size // 2]),
    "logical_xor.reduceat": lambda xp, m, x: xp.logical_xor.reduceat(m, [0, 1, m.size // 2]),
    "maximum.reduceat": lambda xp, m, x: xp.maximum.reduceat(m, [0, 1, m.size // 2]),
    "union1d": lambda xp, m, x: xp.union1d(m, m[:1]),
    "intersect1d": lambda xp, m, x: xp.intersect1d(m, m[::-1]),
    "setxor1d": lambda xp, m, x: xp.setxor1d(m, xp.array([True])),
    "trim_zeros": lambda xp, m, x: xp.trim_zeros(m),
    "delete": lambda xp, m, x: xp.delete(x, m),
    "interp": lambda xp, m, x: xp.interp(m, xp.array([0.0, 1.0, 2.0]), xp.array([0.0, 10.0, 20.0])),
    "fft": lambda xp, m, x: (xp.fft.fft(m).round(6) + 0.0).real,
    "vander": lambda xp, m, x: xp.vander(m[:50], 3),
    "gradient": lambda xp, m, x: xp.gradient(m.astype("f8")),
}


LAYOUTS = {
    "flat": lambda a: a,
    "reversed": lambda a: a[::-1],
    "every other": lambda a: a[: a.size // 6 * 6 : 2],
    "rows": lambda a: a[: a.size // 3 * 3].reshape(3, -1),
    "columns": lambda a: a[: a.size // 3 * 3].reshape(3, -1).T,
    "part of rows": lambda a: a[: a.size // 3 * 3].reshape(-1, 3)[:, 1:],
}


def bytes_of(n, seed=0):
    """Return `n` bytes, a third of them zero and the others any number, few of them 1."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(n) < 0.34, 0, rng.integers(1, 256, n)).astype("u1")


def mend(value):
    """Return a result on the host, the bytes of its booleans made 0 or 1."""
    if isinstance(value, (tuple, list)):
        return [mend(v) for v in value]
    if isinstance(value, cp.ndarray):
        value = cp.asnumpy(value)
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype == bool:
        return np.asarray(np.ascontiguousarray(value).view("u1") != 0).reshape(value.shape)
    return value


def applied(case, mask, x):
    """Return a case as a function of the module alone."""
    return lambda xp: mend(case(xp, mask, x))


def check_all(size, layouts=tuple(LAYOUTS), without=()):
    """Compare every case at one size, in these layouts, with NumPy's result for bytes that are 0 or 1."""
    allowed = (IndexError, TypeError, ValueError)
    numbers = np.random.default_rng(1).integers(-9, 10, size).astype("f8")
    with collect() as failures:
        for name in layouts:
            lay_out, data = LAYOUTS[name], bytes_of(size)
            want_mask, want_x = lay_out(data != 0), lay_out(numbers)
            mask, x = lay_out(cp.array(data)).view("bool"), lay_out(cp.array(numbers))
            cases = ANY_SHAPE | ONE_AXIS if want_mask.ndim == 1 else ANY_SHAPE
            for label in cases.keys() - set(without):
                want = run(applied(cases[label], want_mask, want_x), np)
                got = run(applied(cases[label], mask, x), cp)
                where = f"{label}, {name}, {size}"
                with failures:
                    compare(
                        got, want, ulps=4, layout=False, signed_zero=False, label=where, may_raise=allowed
                    )
            with failures:
                compare(mask.view("u1"), lay_out(data), layout=False, label=f"bytes, {name}, {size}")
