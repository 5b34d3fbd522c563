"""Reductions of NaN, infinities, ties and complex numbers, and how accurate sums are, against NumPy."""

# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import itertools
import math

import numpy as np
import pytest
from reduction_cases import (
    COUNTS,
    EXTREMES,
    LOGICAL,
    POSITIONS,
    call,
    each_reduction,
)
from samples import bf16_array, bf16_round, special_values
from twin import (
    ALL_DTYPES,
    COMPLEX,
    FLOATS,
    INTEGERS,
    check,
    collect,
    to_numpy,
    twin,
)

import cuprum as cp

# ---------------------------------------------------------------------------------------------------------
# NaN, infinities, ties, complex order


@pytest.mark.filterwarnings("ignore:Degrees of freedom")
@pytest.mark.parametrize("name", ["sum", "mean", "var", "std", "max", "min", "nansum", "nanvar"])
def test_what_is_not_finite_reaches_its_column_alone(name):
    """Columns side by side, of one row, of few, of more than are added up at a time."""
    generator = np.random.default_rng(5)
    with collect() as failures:
        for dtype, rows in itertools.product((*FLOATS, *COMPLEX), (1, 2, 5, 64, 65, 130)):
            if dtype in COMPLEX and name in ("max", "min"):
                continue
            host = generator.integers(-3, 4, (rows, 5000)).astype(dtype)
            for column, value in enumerate((np.nan, np.inf, -np.inf)):
                host[0, column] = host[-1, 10 + column] = host[rows // 2, 2000 + column] = value
            for shape in ((rows, 5000), (rows, 70)):
                part = host[:, : shape[1]]
                with failures, np.errstate(invalid="ignore"):
                    got = to_numpy(getattr(cp, name)(cp.array(part), axis=0))
                    want = getattr(np, name)(part, axis=0)
                    label = f"{name} {dtype} {shape}"
                    np.testing.assert_array_equal(np.isnan(got), np.isnan(want), label)
                    np.testing.assert_array_equal(np.isinf(got), np.isinf(want), label)


@each_reduction
def test_special_values(name):
    with collect() as failures:
        for dtype in FLOATS:
            special = special_values(dtype)
            tame = np.array([np.nan, 1, -np.inf, 3, np.inf, -0.0, 0.0, np.nan, 2], dtype)
            for label, host in {
                "all NaN": np.full(5, np.nan, dtype),
                "NaN first": tame,
                "NaN last": tame[::-1].copy(),
                "infinities": np.array([np.inf, 1, np.inf], dtype),
                "both infinities": np.array([np.inf, -np.inf], dtype),
                "NaN in the middle of many": np.where(np.arange(1000) == 613, np.nan, 1.0).astype(dtype),
                "rows": np.array([[1, np.nan, 3], [4, 5, 6], [np.nan, np.nan, np.nan]], dtype),
            }.items():
                for axis in (None, 0, -1):
                    with failures:
                        check(
                            lambda xp: call(xp, name, xp.array(host), axis=axis),
                            ulps=4,
                            signed_zero=False,
                            label=f"{name} {dtype} {label} axis={axis}",
                            may_raise=ValueError,
                        )
            if name in EXTREMES + POSITIONS + LOGICAL + COUNTS and name != "ptp":
                with failures:
                    check(
                        lambda xp: call(xp, name, xp.array(special)),
                        signed_zero=False,
                        label=f"{name} {dtype} specials",
                    )


@pytest.mark.parametrize("name", ["min", "max", "argmin", "argmax", "nanmin", "nanmax"])
def test_complex_order_is_lexicographic(name):
    values = np.array([1 + 2j, 1 - 3j, 2 + 0j, 2 - 1j, 0 + 9j, 2 + 0j])
    bad = np.array([1 + 2j, complex(np.nan, 1), complex(1, np.nan), 3j])
    with collect() as failures:
        for dtype in COMPLEX:
            for label, host in {"plain": values, "NaN": bad, "NaN reversed": bad[::-1].copy()}.items():
                with failures:
                    check(
                        lambda xp: call(xp, name, xp.array(host.astype(dtype))),
                        label=f"{name} {dtype} {label}",
                    )


@pytest.mark.parametrize("name", ["argmin", "argmax"])
def test_ties_go_to_the_first(name):
    with collect() as failures:
        for dtype in ALL_DTYPES:
            for n in (5, 64, 1000, 300_001):
                host = np.zeros(n, dtype)
                host[[n // 2, n // 2 + 1, n - 1]] = 1
                with failures:
                    check(
                        lambda xp: (call(xp, name, xp.array(host)), call(xp, name, xp.array(host)[::-1])),
                        label=f"{name} {dtype} n={n}",
                    )
                with failures:
                    check(
                        lambda xp: call(
                            xp, name, xp.array(1 - host.astype(dtype) if dtype != "bool" else ~host)
                        ),
                        label=f"{name} {dtype} n={n} inverted",
                    )
            with failures:
                check(
                    lambda xp: call(xp, name, xp.zeros((50, 60), dtype), axis=0),
                    label=f"{name} {dtype} all equal axis=0",
                )


@pytest.mark.parametrize("name", ["argmin", "argmax"])
def test_first_nan_wins_over_everything(name):
    for n in (3, 17, 1000, 300_001):
        host = np.random.default_rng(n).normal(size=n).astype(np.float32)
        host[n - 1] = np.nan
        host[n // 2] = np.nan
        host[0] = np.inf
        check(lambda xp: call(xp, name, xp.array(host)), label=f"{name} n={n}")


def test_all_nan_slices_raise():
    for name in ("nanargmin", "nanargmax"):
        check(lambda xp: call(xp, name, xp.full(3, np.nan)), label=name, raises=ValueError)
        check(
            lambda xp: call(xp, name, xp.array([[1.0, np.nan], [2.0, np.nan]]), axis=0),
            label=f"{name} axis=0",
            raises=ValueError,
        )


def test_integer_extremes():
    with collect() as failures:
        for dtype in INTEGERS:
            for name in (
                "min",
                "max",
                "argmin",
                "argmax",
                "ptp",
                "any",
                "all",
                "count_nonzero",
                "sum",
                "prod",
            ):
                with failures:
                    check(lambda xp: call(xp, name, xp.array(special_values(dtype))), label=f"{name} {dtype}")


@twin()
def test_any_and_all_see_nan_and_negative_zero(xp):
    return (
        xp.array([np.nan]).any(),
        xp.array([-0.0]).any(),
        xp.array([np.nan, 1.0]).all(),
        xp.array([0j, complex(0, np.nan)]).any(),
        xp.array([-0.0, 1.0]).all(),
        xp.count_nonzero(xp.array([np.nan, -0.0, 0.0, 1.0])),
    )


def test_nan_forms_on_integers_are_the_plain_forms():
    with collect() as failures:
        for name in ("nansum", "nanprod", "nanmin", "nanmax", "nanmean", "nanstd", "nanargmax"):
            for dtype in ["bool", *INTEGERS]:
                with failures:
                    check(
                        lambda xp: call(xp, name, xp.array([[1, 2], [3, 1]]).astype(dtype), axis=0),
                        ulps=4,
                        label=f"{name} {dtype}",
                    )


# ---------------------------------------------------------------------------------------------------------
# Accuracy and reproducibility


def rounding_error(result, exact):
    return abs(float(to_numpy(result)) - exact)


@pytest.mark.parametrize("case", ["1e7 times 0.1", "uniform", "cancelling", "offset view", "strided"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sum_is_at_least_as_accurate_as_numpys(dtype, case):
    rng = np.random.default_rng(0)
    if case == "1e7 times 0.1":
        host = np.full(10_000_000, 0.1, dtype)
        exact = math.fsum(itertools.repeat(float(host[0]), 1000)) * 10_000
    else:
        host = rng.uniform(-1 if case == "cancelling" else 0, 1, 400_003).astype(dtype)
        cut = {"offset view": slice(1, None), "strided": slice(None, None, 3)}.get(case, slice(None))
        host = host[cut]
        exact = math.fsum(host.tolist())
    want = rounding_error(host.sum(), exact)
    got = rounding_error(cp.array(host).sum(), exact)
    step = float(np.spacing(np.asarray(abs(exact), dtype)))
    scale = float(np.abs(host).sum(dtype=np.float64)) * float(np.finfo(dtype).eps)
    assert got <= want + max(2 * step, 2 * scale), f"error {got}, NumPy's is {want}; one ulp is {step}"


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(100_000, 11), (11, 100_000), (1500, 1500)])
def test_axis_sums_of_float32_are_at_least_as_accurate_as_numpys(shape, axis):
    host = np.random.default_rng(3).uniform(0, 1, shape).astype(np.float32)
    exact = host.sum(axis=axis, dtype=np.float64)
    want = np.abs(host.sum(axis=axis) - exact).max()
    got = np.abs(to_numpy(cp.array(host).sum(axis=axis)) - exact).max()
    step = float(np.spacing(np.float32(exact.max())))
    assert got <= max(want, 4 * step), f"error {got}, NumPy's is {want}; one ulp is {step}"


def test_mean_and_variance_of_large_offsets():
    """Two passes, as NumPy: a variance of 1 survives a mean of 1e6."""
    host = (1e6 + np.random.default_rng(0).normal(size=100_000)).astype(np.float64)
    for name in ("var", "std", "mean"):
        want, got = getattr(host, name)(), float(getattr(cp.array(host), name)())
        assert abs(got - want) <= 1e-9 * abs(want), f"{name}: {got}, NumPy has {want}"


def test_mean_of_float16_does_not_overflow():
    check(lambda xp: xp.full(100_000, 100, dtype=xp.float16).mean(), label="mean")
    check(lambda xp: xp.full((2, 70_000), 3, dtype=xp.float16).mean(axis=1), label="mean axis=1")
    check(lambda xp: xp.full(100_000, 100, dtype=xp.float16).sum(), label="sum overflows, as NumPy's")


def test_bfloat16_reductions_accumulate_in_float32():
    host = bf16_round(np.random.default_rng(0).uniform(0, 1, (64, 129)).astype(np.float32))
    x = bf16_array(host)
    for axis in (None, 0, 1):
        exact = host.astype(np.float64).sum(axis=axis)
        got = to_numpy(x.sum(axis=axis))
        assert np.all(np.abs(got - exact) <= np.abs(exact) * 2**-8), f"sum axis={axis}"
        got = to_numpy(x.mean(axis=axis))
        mean = host.astype(np.float64).mean(axis=axis)
        assert np.all(np.abs(got - mean) <= np.abs(mean) * 2**-8), f"mean axis={axis}"
        assert np.array_equal(to_numpy(x.max(axis=axis)), host.max(axis=axis))
        assert np.array_equal(to_numpy(x.argmin(axis=axis)), host.argmin(axis=axis))


# ---------------------------------------------------------------------------------------------------------
# Nothing to reduce, and values to begin with


@pytest.mark.parametrize(
    "shape, axis", [((0, 0), 1), ((0, 0, 2), -2), ((0, 3), 1), ((3, 0), 1), ((3, 0), 0), ((0,), None)]
)
@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin", "ptp"])
@twin(may_raise=ValueError)
def test_nothing_along_an_axis_has_no_extremum_even_for_no_result(xp, name, shape, axis):
    return getattr(xp, name)(xp.zeros(shape), axis=axis)


@pytest.mark.parametrize("initial", [-2.5, 3e9, 1e300, 10**40, -(10**40), 2.9], ids=repr)
@pytest.mark.parametrize("dtype", ["uint32", "int64", "float32", "float64"])
@twin(ulps=1, may_raise=OverflowError)
def test_initial_values_must_fit(xp, dtype, initial):
    return xp.max(xp.ones(2, dtype), initial=initial)


@pytest.mark.parametrize("dtype", ["int64", "float16", "float32", "float64", "complex128"])
def test_extrema_at_every_place_of_rows_of_any_length(dtype):
    """Ends of blocks, of lanes and of what is left over: the extremum or a NaN may be anywhere."""
    lengths = [*range(1, 70), 95, 96, 97, 127, 128, 129, 316, 1023, 1024, 1055, 4100, 33000, 65541, 81930]
    for n in lengths:
        host = np.random.default_rng(n).integers(-50, 50, n).astype(dtype)
        for place in sorted({0, n // 2, max(n - 33, 0), max(n - 2, 0), n - 1}):
            for value in (-99, 99) if dtype == "int64" else (-99, 99, np.nan):
                row = host.copy()
                row[place] = value
                ours = cp.array(row)
                for name in ("min", "max", "argmin", "argmax"):
                    np.testing.assert_array_equal(
                        cp.asnumpy(getattr(ours, name)()), getattr(row, name)(), err_msg=f"{name} {n} {place}"
                    )
        rows = np.random.default_rng(n).integers(-50, 50, (9, n)).astype(dtype)
        for name in ("min", "max", "argmin", "argmax"):
            np.testing.assert_array_equal(
                cp.asnumpy(getattr(cp.array(rows), name)(1)), getattr(rows, name)(1)
            )
