"""What twin tests run over: layouts, special and ordinary values of every dtype, and bfloat16.

bfloat16 has no NumPy twin: `bf16_round` and friends compute its oracle in float32.
"""

import numpy as np

import cuprum as cp

# ---------------------------------------------------------------------------------------------------------
# Layouts: each takes `xp` and a host array and returns an array of `xp` whose values come from it


def _c(xp, host):
    return xp.array(np.ascontiguousarray(host))


def _f(xp, host):
    return xp.array(np.ascontiguousarray(host.T)).T


def _strided(xp, host):
    wide = np.repeat(host, 2, axis=-1) if host.ndim else host
    return xp.array(wide)[..., ::2]


def _outer_strided(xp, host):
    wide = np.repeat(host, 3, axis=0) if host.ndim else host
    return xp.array(wide)[::3] if host.ndim else xp.array(wide)


def _negative(xp, host):
    flip = (slice(None, None, -1),) * host.ndim
    return xp.array(np.ascontiguousarray(host[flip]))[flip]


def _negative_strided(xp, host):
    wide = np.repeat(host[..., ::-1], 2, axis=-1) if host.ndim else host
    return xp.array(np.ascontiguousarray(wide))[..., ::-2] if host.ndim else xp.array(wide)


def _offset(xp, host):
    flat = np.concatenate([host.ravel()[:1], host.ravel()])
    return xp.array(flat)[1:].reshape(host.shape)


def _broadcast_rows(xp, host):
    return xp.broadcast_to(xp.array(host[:1].copy()), host.shape) if host.ndim else xp.array(host)


def _broadcast_columns(xp, host):
    return xp.broadcast_to(xp.array(host[..., :1].copy()), host.shape) if host.ndim else xp.array(host)


def _zero_d(xp, host):
    # NumPy's array of a single structure shares the structure's memory.
    return xp.array(host.ravel()[0].copy())


def _one(xp, host):
    return xp.array(host.ravel()[:1])


def _empty(xp, host):
    return xp.array(host)[:0] if host.ndim else xp.array(host)


LAYOUTS = {
    "C": _c,
    "F": _f,
    "strided": _strided,
    "outer strided": _outer_strided,
    "negative": _negative,
    "negative strided": _negative_strided,
    "offset": _offset,
    "broadcast rows": _broadcast_rows,
    "broadcast columns": _broadcast_columns,
    "0-d": _zero_d,
    "size 1": _one,
    "empty": _empty,
}


def permuted(xp, host, axes):
    """Return an array equal to `host` whose memory lies in the order of `axes` (a transposed n-d array)."""
    inverse = np.argsort(axes)
    return xp.array(np.ascontiguousarray(host.transpose(axes))).transpose(tuple(int(i) for i in inverse))


# ---------------------------------------------------------------------------------------------------------
# Data


def special_values(dtype):
    """Return a 1-d host array of values where ops go wrong: NaN, infinities, zeros, subnormals, extremes."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True], dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        values = [
            0,
            1,
            2,
            3,
            7,
            8,
            info.bits - 1,
            info.bits,
            info.bits + 1,
            100,
            info.max,
            info.max - 1,
            info.min,
            info.min + 1,
            info.max // 2,
        ]
        if dtype.kind == "i":
            values += [-1, -2, -3, -7, -8, -100]
        return np.array(sorted(set(values)), dtype)
    if dtype.kind == "f":
        return _special_floats(dtype)
    part = _special_floats(np.dtype(f"f{dtype.itemsize // 2}"))
    real, imag = np.meshgrid(part, part)
    out = np.empty(real.shape, dtype)
    out.real, out.imag = real, imag
    return out.ravel()


def _special_floats(dtype):
    info = np.finfo(dtype)
    big = [info.max, info.max / 2, info.tiny, info.smallest_subnormal, info.smallest_subnormal * 3, info.eps]
    some = [0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 10.0, 100.25]
    positive = np.array([float(v) for v in big] + some + [np.inf], dtype)
    near_one = np.array(
        [np.nextafter(dtype.type(1), dtype.type(2)), np.nextafter(dtype.type(1), dtype.type(0))], dtype
    )
    return np.concatenate([positive, -positive, near_one, -near_one, np.array([np.nan], dtype)])


def ordinary_values(dtype, size, seed=0, low=None, high=None):
    """Return `size` reproducible host values of `dtype`, spread over [low, high] or a tame default range."""
    dtype = np.dtype(dtype)
    rng = np.random.default_rng(seed)
    if dtype.kind == "b":
        return rng.random(size) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        low = max(info.min, -100 if low is None else int(np.ceil(low)))
        high = min(info.max, 100 if high is None else int(np.floor(high)))
        return rng.integers(low, high, size=size, endpoint=True).astype(dtype)
    low, high = (-10.0 if low is None else low), (10.0 if high is None else high)
    if dtype.kind == "f":
        return rng.uniform(low, high, size).astype(dtype)
    return (rng.uniform(low, high, size) + 1j * rng.uniform(low, high, size)).astype(dtype)


def whole_numbers(dtype, shape, seed=0):
    """Return small whole numbers of `dtype`: sums of a few hundred products are exact even in float16."""
    dtype = np.dtype(dtype)
    rng = np.random.default_rng(seed)
    if dtype.kind == "b":
        return rng.random(shape) < 0.4
    low = 0 if dtype.kind == "u" else -2
    values = rng.integers(low, 3, shape)
    return (
        (values + 1j * rng.integers(-2, 3, shape)).astype(dtype)
        if dtype.kind == "c"
        else values.astype(dtype)
    )


def pairs(a, b):
    """Return every combination of the 1-d arrays `a` and `b` as two equally long 1-d arrays."""
    left, right = np.meshgrid(a, b, indexing="ij")
    return left.ravel(), right.ravel()


# ---------------------------------------------------------------------------------------------------------
# bfloat16: the upper half of a float32


def bf16_bits(x):
    """Round float32 values to bfloat16, to nearest even; return the 16-bit patterns as uint16."""
    bits = np.ascontiguousarray(np.asarray(x, np.float32)).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    nan = (bits & 0x7FFFFFFF) > 0x7F800000
    quiet_nan = (bits >> 16) | 0x40
    return np.where(nan, quiet_nan, rounded).astype(np.uint16).reshape(np.shape(x))


def bf16_from_bits(bits):
    """Return the float32 values of bfloat16 bit patterns (uint16)."""
    return (np.asarray(bits).astype(np.uint32) << 16).view(np.float32)


def bf16_round(x):
    """Round float32 values to the nearest bfloat16 (ties to even), as float32: the oracle of every bf16 op.

    Examples
    --------
    >>> float(bf16_round(np.float32(1.00390625)))   # 1 + 2^-8 is a tie; even is 1.0
    1.0
    """
    return bf16_from_bits(bf16_bits(x))


def bf16_array(x):
    """Return a Cuprum bfloat16 array holding `x` rounded to bfloat16."""
    return cp.array(bf16_round(x)).astype(cp.bfloat16)


def bf16_ulps(got, want):
    """Return the distance in bfloat16 ulps of two float32 arrays that hold bfloat16 values (no NaN)."""
    a, b = (bf16_bits(v).view(np.int16).astype(np.int64) for v in (got, want))
    a, b = (np.where(v < 0, -(2**15) - v, v) for v in (a, b))
    return np.abs(a - b)


# The operators that write their left operand, by name.
IN_PLACE = {
    "+=": lambda a, b: a.__iadd__(b),
    "-=": lambda a, b: a.__isub__(b),
    "*=": lambda a, b: a.__imul__(b),
    "/=": lambda a, b: a.__itruediv__(b),
    "//=": lambda a, b: a.__ifloordiv__(b),
    "%=": lambda a, b: a.__imod__(b),
    "**=": lambda a, b: a.__ipow__(b),
    "<<=": lambda a, b: a.__ilshift__(b),
    ">>=": lambda a, b: a.__irshift__(b),
    "&=": lambda a, b: a.__iand__(b),
    "|=": lambda a, b: a.__ior__(b),
    "^=": lambda a, b: a.__ixor__(b),
}
