"""Numbers of 16 bits in Numba's kernels: `numba.cuda.bf16` and `cuda.fp16`, against exact numbers."""

import numpy as np
import pytest

from cuprum.compat.numba import cuda
from cuprum.compat.numba.cuda import bf16

F = np.float32


def as_bfloat(x, direction="rn"):
    """Round numbers to eight binary digits, by rules of their own: exact in float64 and in integers."""
    out = np.empty(len(x), F)
    for i, number in enumerate(x):
        exact = float(number) if isinstance(number, (float, np.floating)) else int(number)
        if isinstance(exact, float) and (np.isnan(exact) or np.isinf(exact)) or exact == 0:
            out[i] = exact
            continue
        if isinstance(exact, int):
            exponent = abs(exact).bit_length() - 8
        else:
            exponent = int(np.frexp(abs(exact))[1]) - 8
        unit = 2 ** max(exponent, -133) if exponent >= 0 else 2.0 ** max(exponent, -133)
        whole, rest = divmod(abs(exact), unit)
        away = {"rn": 2 * rest > unit or (2 * rest == unit and whole % 2), "rz": False}
        away["rd"], away["ru"] = rest > 0 and exact < 0, rest > 0 and exact > 0
        out[i] = np.sign(exact) * float(whole + bool(away[direction])) * float(unit)
    return out


FLOATS = np.array([0.0, -0.0, 1.0, 1.00390625, 1.001, -1.001, 3.14159, -2.5e-3, 65504, 3e38, -3e38, 1e-39], F)
INTEGERS = [0, 1, -1, 255, 256, 257, 511, 1000001, -1000001, 2**31 - 1, -(2**31), 65535]


@pytest.mark.parametrize("direction", ["rn", "rz", "rd", "ru"])
def test_floats_become_bfloat16(direction):
    convert = getattr(bf16, f"float32_to_bfloat16_{direction}")

    @cuda.jit
    def kernel(out, x):
        i = cuda.grid(1)
        out[i] = cuda.float32(convert(x[i]))

    out = np.zeros_like(FLOATS)
    kernel[1, FLOATS.size](out, FLOATS)
    np.testing.assert_array_equal(out, as_bfloat(FLOATS, direction))


@pytest.mark.parametrize("direction", ["rn", "rz", "rd", "ru"])
@pytest.mark.parametrize("name", ["int16", "int32", "int64", "uint16", "uint32", "uint64"])
def test_integers_become_bfloat16(name, direction):
    convert = getattr(bf16, f"{name}_to_bfloat16_{direction}")
    info = np.iinfo(name)
    given = [x for x in [*INTEGERS, info.max, info.min, info.max - 1] if info.min <= x <= info.max]
    x = np.array(given, name)

    @cuda.jit
    def kernel(out, x):
        i = cuda.grid(1)
        out[i] = cuda.float32(convert(x[i]))

    out = np.zeros(x.size, F)
    kernel[1, x.size](out, x)
    np.testing.assert_array_equal(out, as_bfloat(given, direction))


@pytest.mark.parametrize("direction", ["rn", "rz", "rd", "ru"])
@pytest.mark.parametrize("name", ["int16", "int32", "int64", "uint16", "uint32", "uint64"])
def test_bfloat16_becomes_integers(name, direction):
    convert = getattr(bf16, f"bfloat16_to_{name}_{direction}")
    x = as_bfloat(np.array([0, 1.5, 2.5, -1.5, -2.5, 0.25, -0.25, 1e5, -1e5, 3e9, 1e20, -1e20, np.nan], F))
    rounded = {"rn": np.rint, "rz": np.trunc, "rd": np.floor, "ru": np.ceil}[direction](x.astype(np.float64))
    info = np.iinfo(name)
    # As CUDA has it: NaN is 0, but of 64 bits the highest alone is set.
    nan = 0 if info.bits < 64 else info.min if info.min < 0 else 1 << 63
    wanted = [nan if np.isnan(v) else min(max(int(v), info.min), info.max) for v in rounded]

    @cuda.jit
    def kernel(out, x):
        i = cuda.grid(1)
        out[i] = convert(bf16.bfloat16(x[i]))

    out = np.zeros(x.size, name)
    kernel[1, x.size](out, x)
    np.testing.assert_array_equal(out, np.array(wanted, name))


def test_bytes_and_bits():
    @cuda.jit
    def kernel(out, x):
        i = cuda.grid(1)
        v = bf16.bfloat16(x[i])
        out[i, 0] = bf16.bfloat16_to_int8_rz(v)
        out[i, 1] = bf16.bfloat16_to_uint8_rz(v)
        out[i, 2] = bf16.bfloat16_as_int16(v)
        out[i, 3] = bf16.bfloat16_as_uint16(v)
        out[i, 4] = cuda.float32(bf16.uint16_as_bfloat16(bf16.bfloat16_as_uint16(v))) == cuda.float32(v)

    x = np.array([1.5, -2.75, 300, -300, 100], F)
    out = np.zeros((5, 5), np.int64)
    kernel[1, 5](out, x)
    bits = x.view(np.uint32) >> 16
    np.testing.assert_array_equal(out[:, 0], [1, -2, 127, -128, 100])
    np.testing.assert_array_equal(out[:, 1], [1, 0, 255, 0, 100])
    np.testing.assert_array_equal(out[:, 2], bits.astype(np.uint16).view(np.int16))
    np.testing.assert_array_equal(out[:, 3], bits)
    np.testing.assert_array_equal(out[:, 4], np.ones(5))


@pytest.mark.parametrize("space, kind", [("bf16", "bfloat16"), ("fp16", "float16")])
def test_ranges_extrema_and_classes(space, kind):
    library = bf16 if space == "bf16" else cuda.fp16
    number = getattr(cuda, kind) if kind == "float16" else bf16.bfloat16
    f32 = cuda.float32

    @cuda.jit
    def kernel(out, classes, x, y):
        i = cuda.grid(1)
        a, b = number(x[i]), number(y[i])
        out[i, 0] = f32(library.hadd_sat(a, b))
        out[i, 1] = f32(library.hsub_sat(a, b))
        out[i, 2] = f32(library.hfma_relu(a, b, a))
        out[i, 3] = f32(library.hmax(a, b))
        out[i, 4] = f32(library.hmin(a, b))
        out[i, 5] = f32(library.hmax_nan(a, b))
        out[i, 6] = f32(library.hmin_nan(a, b))
        out[i, 7] = f32(library.hmul_rn(a, b))
        classes[i, 0] = library.hisnan(a)
        classes[i, 1] = library.hisinf(a)
        classes[i, 2] = library.hltu(a, b)
        classes[i, 3] = library.heq(a, b)

    x = np.array([0.25, 0.75, -0.5, np.nan, 2, np.inf, -np.inf, 1], F)
    y = np.array([0.5, 0.5, 0.25, 2, np.nan, 1, 1, 1], F)
    out, classes = np.zeros((8, 8), F), np.zeros((8, 4), np.int32)
    kernel[1, 8](out, classes, x, y)
    saturated = lambda v: np.where(v > 0, np.minimum(v, 1), 0)  # noqa: E731
    with np.errstate(invalid="ignore"):
        fma = x * y + x
        wanted = [
            saturated(x + y),
            saturated(x - y),
            np.where(np.isnan(fma), fma, np.maximum(fma, 0)),
            np.fmax(x, y),
            np.fmin(x, y),
            np.maximum(x, y),
            np.minimum(x, y),
            x * y,
        ]
        less = ~(x >= y)
    np.testing.assert_array_equal(out, np.stack(wanted, 1).astype(F))
    infinite = np.where(np.isinf(x), np.sign(x), 0)
    np.testing.assert_array_equal(classes, np.stack([np.isnan(x), infinite, less, x == y], 1))
