"""Elementwise ops with a rule of their own: powers, division, shifts, casts, rounding, bad operands."""

# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import itertools

import numpy as np
import pytest
from samples import bf16_array, bf16_round, ordinary_values, pairs, special_values
from twin import ALL_DTYPES, COMPLEX, FLOATS, INTEGERS, SIGNED, check, collect, quiet, to_numpy

# ---------------------------------------------------------------------------------------------------------
# Cases with a rule of their own


@pytest.mark.parametrize("dtype", SIGNED)
def test_negative_integer_powers_raise(dtype):
    check(
        lambda xp: xp.power(xp.array([2, 3], dtype=dtype), xp.array([1, -1], dtype=dtype)),
        label="array",
        raises=ValueError,
    )
    check(lambda xp: xp.array([2, 3], dtype=dtype) ** -1, label="Python integer", raises=ValueError)
    check(lambda xp: xp.array([2, 3], dtype=dtype) ** xp.array([2, 3], dtype=dtype), label="legal")


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 0.0, 0.5, 1.0, 2.0, -0.5, -1.0, -2.0, 1.5, -1, 0.25])
def test_power_by_a_scalar(exponent):
    """NumPy turns some scalar exponents into square, sqrt and reciprocal, which are exact."""
    exact = exponent in (0, 1, 2, 0.5, -1)
    with collect() as failures:
        for dtype in FLOATS:
            with failures:
                check(
                    lambda xp: xp.array(special_values(dtype)) ** exponent,
                    ulps=0 if exact else 4,
                    label=f"{dtype} ** {exponent!r}",
                )


@pytest.mark.parametrize("dtype", INTEGERS)
def test_division_by_zero_and_the_most_negative_integer(dtype):
    a, b = pairs(special_values(dtype), special_values(dtype))
    with collect() as failures:
        for name in ("floor_divide", "remainder", "fmod", "divmod", "true_divide", "gcd", "lcm"):
            with failures:
                check(lambda xp: getattr(xp, name)(xp.array(a), xp.array(b)), label=f"{name} {dtype}")
        for name in ("negative", "absolute", "sign", "square", "reciprocal", "invert", "bitwise_count"):
            with failures:
                check(lambda xp: getattr(xp, name)(xp.array(special_values(dtype))), label=f"{name} {dtype}")


@pytest.mark.parametrize("dtype", INTEGERS)
def test_shift_counts_out_of_range(dtype):
    a, b = pairs(special_values(dtype), special_values(dtype))
    check(lambda xp: xp.left_shift(xp.array(a), xp.array(b)), label=f"left_shift {dtype}")
    check(lambda xp: xp.right_shift(xp.array(a), xp.array(b)), label=f"right_shift {dtype}")


def test_float_floor_division_near_integers():
    """Quotients that round to an integer: floor_divide and remainder stay consistent, as NumPy's."""
    rng = np.random.default_rng(0)
    for dtype in FLOATS:
        b = (rng.integers(1, 100, 3000) / 10).astype(dtype) * rng.choice([-1, 1], 3000).astype(dtype)
        a = (b * rng.integers(-50, 50, 3000)).astype(dtype)
        for name in ("floor_divide", "remainder", "fmod", "divmod"):
            check(lambda xp: getattr(xp, name)(xp.array(a), xp.array(b)), label=f"{name} {dtype}")


def test_casts_of_special_values():
    """astype between all dtypes where C defines the result, and NaN or infinity to bool."""
    with collect() as failures:
        for source, target in itertools.product(ALL_DTYPES, repeat=2):
            host = special_values(source)
            if np.dtype(source).kind in "fc" and np.dtype(target).kind in "iu":
                info = np.iinfo(target)
                with quiet():
                    keep = (
                        (host.real > max(info.min, -(2.0**24)))
                        & (host.real < min(info.max, 2**24))
                        & np.isfinite(host)
                    )
                host = host[keep]
            with failures:
                check(lambda xp: xp.array(host).astype(target), label=f"{source} to {target}")


def test_half_precision_is_rounded_after_every_op():
    rng = np.random.default_rng(1)
    x, y, z = (rng.uniform(-4, 4, 5000).astype(np.float16) for _ in range(3))
    check(lambda xp: xp.array(x) * xp.array(y) + xp.array(z), label="float16 x * y + z")
    f = [v.astype(np.float32) for v in (x, y, z)]
    want = bf16_round(bf16_round(bf16_round(f[0]) * bf16_round(f[1])) + bf16_round(f[2]))
    got = to_numpy(bf16_array(f[0]) * bf16_array(f[1]) + bf16_array(f[2]))
    assert np.array_equal(got, want), "bfloat16 x * y + z was not rounded twice"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_no_fused_multiply_add(dtype):
    """x * x - round(x * x) is the rounding error under fma, and exactly 0 without."""
    x = np.random.default_rng(3).uniform(1, 2, 4096).astype(dtype)
    check(lambda xp: (lambda a, p: a * a - p)(xp.array(x), xp.array(x * x)), label=dtype)


@pytest.mark.parametrize("dtype", FLOATS + COMPLEX)
def test_division_and_square_root_are_correctly_rounded(dtype):
    a, b = ordinary_values(dtype, 5000, 1), ordinary_values(dtype, 5000, 2)
    real = dtype in FLOATS
    check(lambda xp: xp.divide(xp.array(a), xp.array(b)), ulps=0 if real else 4, label="divide")
    check(lambda xp: xp.sqrt(xp.array(np.abs(a))), label="sqrt")


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *FLOATS])
def test_absolute_of_real_numbers_is_exact(dtype):
    """The row's ulps are those of the modulus of complex numbers."""
    host = np.concatenate([special_values(dtype), ordinary_values(dtype, 1000, 1)])
    check(lambda xp: xp.absolute(xp.array(host)), label=dtype)


def test_non_native_inputs_raise_as_numpy_does():
    for name in ("sin", "add", "bitwise_and", "logical_not"):
        nin = getattr(np, name).nin
        if name != "add":  # NumPy joins strings
            check(lambda xp: getattr(xp, name)(*["text"] * nin), label=f"{name} of text", raises=TypeError)
        check(
            lambda xp: getattr(xp, name)(*[xp.ones(2)] * (nin + 3)),
            label=f"{name} with too many operands",
            raises=TypeError,
        )
        check(lambda xp: getattr(xp, name)(), label=f"{name} with no operand", raises=TypeError)


@pytest.mark.parametrize("name", ["add", "multiply", "less", "arctan2", "where", "maximum"])
def test_shapes_that_do_not_broadcast_raise(name):
    def body(xp):
        args = [xp.ones((2, 3)), xp.ones((2, 4))]
        return getattr(xp, name)(*([xp.ones(3, dtype=bool)] + args if name == "where" else args))

    check(body, label=name, raises=ValueError)
