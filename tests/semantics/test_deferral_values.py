"""Deferral is invisible to values: scalars, rounding, casts, powers and reductions.

The number in a test's name is the case's. A case that is a program (`@program`) runs on NumPy and on Cuprum
in this session's mode, and in both modes in test_deferral_modes.py.
"""

import platform

import numpy as np
import pytest
from deferral_programs import N, noise, program, ramp
from samples import bf16_array, bf16_round
from twin import check, to_numpy

import cuprum as cp

# ---------------------------------------------------------------------------------------------------------
# Values


@program()
def test_case21_scalars_are_parameters_of_the_kernel(xp):
    x, i, u = noise(xp), ramp(xp, dtype="int32"), ramp(xp, dtype="uint8")
    results = [x * s + 1 for s in (2, 3, 2.5, float("nan"), -0.0, 0.0, True, float("inf"), 1e300)]
    results += [i + s for s in (2, 3, -1, True, 2**31 - 1)]
    results += [u - s for s in (1, 255, False)]
    results += [xp.where(x > s, s, x) for s in (0, 1, -0.5)]
    results += [x**s for s in (0, 1, 2)]
    return results


@program()
def test_case21_the_sign_of_a_zero_scalar_survives(xp):
    x = xp.zeros(N)
    return (
        xp.copysign(1.0, x * -0.0),
        xp.copysign(1.0, x * 0.0),
        xp.copysign(1.0, x + -0.0),
        xp.copysign(1.0, -x - 0.0),
    )


def test_case21_a_huge_integer_raises_at_the_call_and_others_still_work():
    x = cp.ones(N, dtype=cp.int32)
    good = x + 5
    with pytest.raises(OverflowError):
        x + 2**40
    check(lambda xp: xp.ones(N, dtype=xp.int32) + 2**40, label="int32 + 2**40", raises=OverflowError)
    check(lambda xp: xp.ones(N, dtype=xp.int32) < 2**40, label="int32 < 2**40")
    assert int(good.sum()) == 6 * N


@program()
def test_case22_python_scalars_are_weak(xp):
    return (
        noise(xp, dtype="float32") + 1.5,
        ramp(xp, dtype="uint8") - 1,
        ramp(xp, dtype="int8") * 2,
        ramp(xp, dtype="float16") / 3,
    )


def test_case22_integers_that_do_not_fit_raise():
    check(lambda xp: xp.zeros(N, dtype=xp.int8) + 300, raises=OverflowError)
    check(lambda xp: xp.zeros(N, dtype=xp.uint8) - (-1), raises=OverflowError)


@program()
def test_case23_half_precision_rounds_after_every_op(xp):
    x, y, z = (noise(xp, seed=s, dtype="float16") for s in range(3))
    f, g, h = (noise(xp, seed=s, dtype="float32") for s in range(3))
    return x * y + z, (x + y) * (y + z) - x, f * g + h, f * g - h * g


def test_case23_bfloat16_rounds_after_every_op():
    x, y, z = (bf16_round(np.random.default_rng(s).uniform(-2, 2, N).astype(np.float32)) for s in range(3))
    got = to_numpy(bf16_array(x) * bf16_array(y) + bf16_array(z))
    assert np.array_equal(got, bf16_round(bf16_round(x * y) + z))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_case23_no_fused_multiply_add(dtype):
    """Under fma x * x - round(x * x) is the rounding error of the product; without it, exactly zero."""
    host = np.random.default_rng(0).uniform(1, 2, N).astype(dtype)
    product = host * host
    assert not to_numpy(cp.array(host) * cp.array(host) - cp.array(product)).any()


@program()
def test_case24_casts_inside_an_expression(xp):
    x, i = noise(xp), ramp(xp, dtype="int16")
    return (
        (i - 3).astype(bool),
        (x * 100).astype(xp.int8),
        (x * 1000).astype(xp.int32).astype(xp.uint8),
        xp.array(np.where(np.arange(N) % 3, np.nan, 0.0)).astype(bool),
        (i + 1).astype(xp.float16).astype(xp.int64),
        x.astype(xp.complex64).real,
    )


@program()
def test_case24_integer_division_by_zero(xp):
    a = xp.array(np.resize(np.array([-128, -7, 0, 7, 127], np.int8), N))
    b = xp.array(np.resize(np.array([0, -1, 3], np.int8), N))
    return a // b, a % b, a / b, (a // b) * b + a % b


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="NumPy's result depends on the CPU")
@program()
def test_case24_nan_and_infinity_to_wide_integers(xp):
    x = xp.array(np.resize(np.array([np.nan, np.inf, -np.inf, 1e300, -1e300, 2.9, -2.9]), N))
    return (x + 0).astype(xp.int64), (x * 1).astype(xp.int32)


@program(ulps=2)
def test_case25_powers(xp):
    i, x = ramp(xp, dtype="int64"), abs(noise(xp)) + 0.5
    return i**2, i**0.5, i**3, x**2, x**0.5, x**-1, x**-2, i**0, (i + 1.0) ** -1


def test_case25_an_integer_to_a_negative_power_raises_at_the_call():
    check(lambda xp: ramp(xp, dtype="int64") ** -1, raises=ValueError)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_case26_fused_and_unfused_sums_have_the_same_bits(dtype):
    a, b = noise(cp, 300_007, 0, dtype), noise(cp, 300_007, 1, dtype)
    whole = a * a + b
    to_numpy(whole)
    want = to_numpy(whole.sum()).tobytes()
    runs = {to_numpy((a * a + b).sum()).tobytes() for _ in range(100)}
    assert runs == {want}
    m = noise(cp, (300, 500), 2, dtype)
    plain = m * 2 + 1
    to_numpy(plain)
    for axis in (0, 1):
        assert to_numpy((m * 2 + 1).sum(axis=axis)).tobytes() == to_numpy(plain.sum(axis=axis)).tobytes()


def test_case27_a_float32_sum_of_1e8_times_a_tenth():
    exact = 1e8 * float(np.float32(0.1))
    want = abs(float(np.broadcast_to(np.float32(0.1), (10**8,)).sum()) - exact)
    got = abs(float(cp.broadcast_to(cp.array(np.float32(0.1)), (10**8,)).sum()) - exact)
    assert got <= max(want, np.spacing(np.float32(exact))), f"error {got}, NumPy's is {want}"


@program(ulps=4, signed_zero=False)
def test_case28_sums_along_axes(xp):
    whole = xp.array(np.random.default_rng(0).integers(-4, 5, (7, 30, 200)) / 2)
    tall, wide = whole.reshape(-1, 2), whole.reshape(2, -1)
    e = whole * 2 + 1
    results = [e.sum(axis=a) for a in (0, 1, 2, (0, 1), (0, 2), (1, 2), None, ())]
    results += [(x + 1).sum(axis=a, keepdims=k) for x in (tall, wide) for a in (0, 1) for k in (False, True)]
    results += [
        (whole[:, :0] + 1).sum(axis=1),
        (whole[:0] * 2).sum(axis=0),
        e - e.mean(axis=1, keepdims=True),
    ]
    results += [(e - e.mean(0)) / e.std(0), e.sum() * 2 + e.max(axis=0)]
    return results


@program()
def test_case28_argmax_with_ties_and_nan(xp):
    host = np.zeros((40, 600))
    host[:, [100, 300]] = 5
    host[3, 77] = np.nan
    x = xp.array(host)
    return (
        (x * 2).argmax(axis=1),
        (x * 2).argmin(axis=0),
        (x + 1).argmax(),
        (x[5:] - 1).argmax(),
        (-x[5:]).argmax(axis=0),
    )
