"""The GPU and the CPU give the same bits, for every ufunc in every dtype, over special and random values.

The texts of the GPU do what the lanes of the CPU do, operation by operation. Where they do not (complex
functions, the hyperbolic tangent of float32, angles beyond the reach of the short reduction) both are within
their row's ulps of the exact value, and so within a few of each other.
"""

import os

import numpy as np
import pytest
from twin import collect, to_numpy

import cuprum as cp

if not cp.cuda.is_available():
    pytest.skip("needs a GPU", allow_module_level=True)

POINTS = 4000
NAMES = {"?": "bool", "b": "int8", "B": "uint8", "h": "int16", "H": "uint16", "i": "int32", "I": "uint32"}
NAMES |= {"q": "int64", "Q": "uint64", "e": "float16", "E": "bfloat16", "f": "float32", "d": "float64"}
NAMES |= {"F": "complex64", "D": "complex128"}
# A driver that is named stands in for a GPU, compiles slowly, and shows nothing new in the other dtypes.
CODES = "qfD" if "CUPRUM_LIBCUDA" in os.environ else "".join(NAMES)
# The arguments of each function and the dtypes it computes in.
FUNCTIONS = {"sinc": (1, "eEfdFD"), "i0": (1, "eEfd"), "angle": (1, "eEfdFD"), "clip": (3, "".join(NAMES))}
for _name in dir(cp):
    _ufunc = getattr(cp, _name)
    if isinstance(_ufunc, cp.ufunc) and _ufunc.__name__ == _name:
        FUNCTIONS[_name] = (_ufunc.nin, "".join(dict.fromkeys(types[0] for types in _ufunc.types)))
REALS = [0.0, 1.0, 0.5, 1.5, 2.5, 3.0, 0.1, 7.0, 100.0, 65504.0, 1e-5, 1e-7, 1e10, 2.0**31, 2.0**63, 1e30]
REALS += [1.1754943508222875e-38, 1e-45, 3.4028234663852886e38, 1e160, 1e-160, 5e-324, 88.8, 710.0]
REALS += [np.pi, np.pi / 2, np.inf, np.nan]
# Functions that go a way of their own for some arguments, and the ulps that this may make.
ROUNDED = {"tanh": 2, "sin": 2, "cos": 2, "tan": 2, "sinc": 2, "arctan2": 2, "angle": 2}
# Functions whose complex loops stand on other real functions.
ANALYTIC = {"sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinc"}
ANALYTIC |= {"sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh"}


def parts(dtype, rng):
    """Return reals of `dtype`, special ones among them."""
    if dtype == np.bool_:
        return rng.integers(0, 2, POINTS).astype(bool)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        values = rng.integers(info.min, info.max, POINTS, dtype, endpoint=True)
        values[POINTS // 2 :] = rng.integers(0, 40, POINTS - POINTS // 2).astype(dtype)
        values[:4] = [info.min, info.max, 0, 1]
        return values
    bits = rng.integers(0, 256, (POINTS, dtype.itemsize), np.uint8).view(dtype).ravel()
    plain = rng.uniform(-1, 1, POINTS) * rng.choice([1, 4, 100, 1e4, 1e-3], POINTS)
    with np.errstate(all="ignore"):
        special = rng.choice([*REALS, *np.negative(REALS)], POINTS).astype(dtype)
        return np.choose(rng.integers(0, 3, POINTS), [bits, plain.astype(dtype), special])


def sample(name, rng):
    """Return an array of NumPy's that becomes one of dtype `name`."""
    dtype = np.dtype("float32" if name == "bfloat16" else name)
    if name == "bfloat16":
        # Conversions keep a NaN, but not its sign.
        values = parts(dtype, rng)
        return np.where(np.isnan(values), np.float32(np.nan), values)
    if dtype.kind != "c":
        return parts(dtype, rng)
    real = np.dtype(f"f{dtype.itemsize // 2}")
    values = np.empty(POINTS, dtype)
    values.real, values.imag = parts(real, rng), parts(real, rng)
    return values


def results(name, arrays, dtypes, device):
    """Return what a function gives on `device`, as arrays of NumPy's."""
    args = [cp.asarray(a, device=device).astype(getattr(cp, d)) for a, d in zip(arrays, dtypes, strict=True)]
    out = getattr(cp, name)(*args)
    out = out if isinstance(out, tuple) else (out,)
    # What bfloat16 holds, float32 holds too.
    return [to_numpy(o.astype(cp.float32) if o.dtype == cp.bfloat16 else o) for o in out]


def differ(got, want, ulps, digits=None):
    """Return where two arrays are not the same within `ulps` of the modulus."""
    if got.dtype.kind not in "fc":
        return got != want
    if got.dtype.kind == "c":
        real = np.dtype(f"f{got.dtype.itemsize // 2}")
        pairs = [a.view(real).reshape(-1, 2) for a in (got, want)]
    else:
        real, pairs = got.dtype, [a.reshape(-1, 1) for a in (got, want)]
    got, want = pairs
    same = (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)
    if ulps:
        with np.errstate(all="ignore"):
            modulus = np.abs(want.astype(np.longdouble)).max(axis=1, keepdims=True)
            place = np.maximum(modulus, np.finfo(real).tiny) * np.longdouble(2.0) ** -(
                digits or np.finfo(real).nmant
            )
            near = np.abs(got - want.astype(np.longdouble)) <= ulps * place
            same |= np.isfinite(got) & np.isfinite(want) & near
    return ~same.all(axis=1)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_bits(name):
    nin, codes = FUNCTIONS[name]
    with collect() as failures:
        for code in (c for c in codes if c in CODES):
            with failures:
                check(name, nin, NAMES[code])


def check(name, nin, dtype):
    """Compare one function in one dtype."""
    is_complex = dtype.startswith("complex")
    if is_complex and name in ("power", "float_power"):
        # The error of a complex power grows with its exponent: the row's ulps are for small ones.
        return
    rng = np.random.default_rng([*name.encode(), *dtype.encode()])
    arrays, dtypes = [sample(dtype, rng) for _ in range(nin)], [dtype] * nin
    if name == "ldexp":
        arrays[1], dtypes[1] = rng.integers(-200, 200, POINTS), "int64"
    if name == "power" and arrays[1].dtype.kind == "i":
        arrays[1] &= np.iinfo(dtype).max
    ulps = 8 if is_complex and name in ANALYTIC else ROUNDED.get(name, 0)
    want, got = results(name, arrays, dtypes, "cpu"), results(name, arrays, dtypes, "cuda")
    for g, w in zip(got, want, strict=True):
        assert g.dtype == w.dtype
        wrong = np.flatnonzero(differ(g, w, ulps, 7 if dtype == "bfloat16" else None))
        shown = [(*(a[i] for a in arrays), g[i], w[i]) for i in wrong[:3]]
        assert not wrong.size, f"{dtype}: {wrong.size} of {POINTS} differ, GPU and CPU of {shown}"
