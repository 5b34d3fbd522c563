"""Every reduction over dtypes, axes, keywords, layouts and awkward data, against NumPy.

Most data here sums and multiplies exactly (small integers and halves), so that results must equal NumPy's
to the bit whatever the order of summation; the accuracy of real sums is measured apart, against math.fsum.
"""


# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import itertools

import numpy as np
import pytest
from reduction_cases import (
    MOMENTS,
    POSITIONS,
    REDUCTIONS,
    call,
    each_reduction,
)
from samples import LAYOUTS, permuted
from twin import (
    ALL_DTYPES,
    INTEGERS,
    check,
    collect,
    twin,
)

import cuprum as cp

ULPS = {name: 4 for name in MOMENTS}

AXES = [
    None,
    0,
    1,
    2,
    -1,
    -3,
    (0,),
    (0, 1),
    (0, 2),
    (2, 0),
    (-1, 0),
    (0, 1, 2),
    (),
    3,
    -4,
    (0, 0),
    (0, 3),
    1.0,
    "x",
    (1, -2),
]


def exact_data(dtype, shape, seed=0, factors=False):
    """Return data whose sums (or products, with `factors`) are exact in `dtype` in any order."""
    dtype = np.dtype(dtype)
    rng = np.random.default_rng(seed)
    if dtype.kind == "b":
        return rng.random(shape) < 0.7
    if factors:
        pool = [1, 1, 1, 2, 1] if dtype.kind in "iu" else [1, 1, 1, 1, -1, 2, 0.5]
        return rng.choice(pool, shape).astype(dtype)
    low = 0 if dtype.kind == "u" else -5
    values = rng.integers(low, 6, shape)
    if dtype.kind == "c":
        return (values + 1j * rng.integers(-5, 6, shape)).astype(dtype) / 2
    return values.astype(dtype) / 2 if dtype.kind == "f" else values.astype(dtype)


def data_for(name, dtype, shape, seed=0):
    return exact_data(dtype, shape, seed, factors="prod" in name).astype(dtype)


def spread(xp, name, x, **kwargs):
    """Call a reduction; NumPy's variances and deviations are computed as exactly as it can.

    NumPy sums one row after the other in the dtype itself, and keeps the deviations of the NaN-ignoring forms
    in the dtype of the elements whatever `dtype` asks for: its rounding is no measure of ours.
    """
    result = call(xp, name, x, **kwargs)
    if xp is not np or name not in ("var", "std", "nanvar", "nanstd"):
        return result
    longest = {"c": np.clongdouble}
    if kwargs.get("dtype"):
        # A real dtype for complex elements is that of the mean.
        kwargs = {**kwargs, "dtype": longest.get(np.dtype(kwargs["dtype"]).kind, np.longdouble)}
    exact = call(np, name, x.astype(longest.get(x.dtype.kind, np.longdouble)), **kwargs)
    rounded = np.array(result)
    rounded[...] = exact
    return rounded


def test_every_reduction_of_the_table_is_tested_here():
    """Rows without an oracle are internal; the scans have a file of their own."""
    scans = {"cumsum", "cumprod", "nancumsum", "nancumprod"}
    names = {row["name"] for row in cp.testing.reduction_table() if row.get("oracle")} - scans
    assert names <= set(REDUCTIONS), f"not tested: {sorted(names - set(REDUCTIONS))}"


@each_reduction
def test_axes_and_keepdims(name):
    with collect() as failures:
        for dtype, axis, keepdims in itertools.product(ALL_DTYPES, AXES, [False, True]):
            host = data_for(name, dtype, (3, 4, 5))
            with failures:
                check(
                    lambda xp: call(xp, name, xp.array(host), axis=axis, keepdims=keepdims),
                    ulps=ULPS.get(name, 0),
                    signed_zero=False,
                    label=f"{name} {dtype} axis={axis!r} keepdims={keepdims}",
                    may_raise=(np.exceptions.AxisError, TypeError, ValueError),
                )


@each_reduction
def test_layouts(name):
    with collect() as failures:
        for dtype in ["bool", "int8", "int64", "float16", "float32", "float64", "complex64", "complex128"]:
            host = data_for(name, dtype, (4, 37))
            for layout, axis in itertools.product(LAYOUTS, [None, 0, 1]):
                with failures:
                    check(
                        lambda xp: spread(xp, name, LAYOUTS[layout](xp, host), axis=axis),
                        ulps=ULPS.get(name, 0),
                        signed_zero=False,
                        label=f"{name} {dtype} {layout} axis={axis}",
                        may_raise=(np.exceptions.AxisError, TypeError, ValueError),
                    )
            cube = data_for(name, dtype, (3, 4, 5))
            axes = [None, 0, 1, 2] if name in POSITIONS else [None, 0, 1, 2, (0, 1), (0, 2), (1, 2)]
            for order, axis in itertools.product(itertools.permutations(range(3)), axes):
                with failures:
                    check(
                        lambda xp: call(xp, name, permuted(xp, cube, order), axis=axis),
                        ulps=ULPS.get(name, 0),
                        signed_zero=False,
                        label=f"{name} {dtype} memory order {order} axis={axis}",
                        may_raise=TypeError,
                    )


@each_reduction
def test_sizes_around_blocks_and_lanes(name):
    with collect() as failures:
        for dtype, n in itertools.product(
            ["int32", "float32", "float64"], [1, 2, 7, 8, 9, 31, 64, 65, 127, 129, 1023, 1025, 4097]
        ):
            host = data_for(name, dtype, n)
            for label, cut in {
                "all": slice(None),
                "offset": slice(1, None),
                "stride": slice(None, None, 2),
                "reversed": slice(None, None, -1),
            }.items():
                with failures:
                    check(
                        lambda xp: call(xp, name, xp.array(host)[cut]),
                        ulps=ULPS.get(name, 0),
                        signed_zero=False,
                        label=f"{name} {dtype} n={n} {label}",
                        may_raise=ValueError,
                    )


BIG_SHAPES = [
    (1_000_003,),
    (3, 200_003),
    (200_003, 3),
    (999, 1001),
    (2, 3, 50_001),
    (50_001, 3, 2),
    (1, 300_000),
    (300_000, 1),
]


@pytest.mark.parametrize("name", ["sum", "max", "argmax", "argmin", "any", "all", "count_nonzero", "mean"])
def test_large_arrays_both_ways(name):
    """Sizes past the blocks and the threads' threshold, reduced along inner and outer axes."""
    with collect() as failures:
        for dtype, shape in itertools.product(["int32", "float32", "float64"], BIG_SHAPES):
            host = data_for(name, dtype, shape)
            for axis in (None, *range(len(shape))):
                with failures:
                    check(
                        lambda xp: call(xp, name, xp.array(host), axis=axis),
                        ulps=ULPS.get(name, 0),
                        signed_zero=False,
                        label=f"{name} {dtype} {shape} axis={axis}",
                    )
            if len(shape) == 2:
                with failures:
                    check(
                        lambda xp: call(xp, name, xp.array(host).T, axis=0),
                        ulps=ULPS.get(name, 0),
                        signed_zero=False,
                        label=f"{name} {dtype} {shape} transposed axis=0",
                    )


METHODS = ["sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "argmin", "argmax"]


@pytest.mark.parametrize("name", METHODS)
def test_methods_are_the_functions(name):
    with collect() as failures:
        for dtype in ALL_DTYPES:
            host = data_for(name, dtype, (3, 4))
            for args in [(), (0,), (-1,)]:
                with failures:
                    check(
                        lambda xp: getattr(xp.array(host), name)(*args),
                        ulps=ULPS.get(name, 0),
                        signed_zero=False,
                        label=f"{dtype}.{name}{args}",
                    )


# ---------------------------------------------------------------------------------------------------------
# Empty arrays


@each_reduction
def test_empty(name):
    """The identity where there is one, ValueError where there is none, NaN for a mean."""
    with collect() as failures:
        for dtype in ("bool", "int32", "float32", "complex128"):
            for shape, axis in [
                ((0,), None),
                ((0,), 0),
                ((0, 3), 0),
                ((0, 3), 1),
                ((3, 0), 1),
                ((3, 0), 0),
                ((2, 0, 3), (0, 2)),
                ((2, 0, 3), (1, 2)),
                ((0, 0), None),
                ((0, 3), ()),
            ]:
                if isinstance(axis, tuple) and name in POSITIONS:
                    continue
                with failures:
                    check(
                        lambda xp: call(xp, name, xp.zeros(shape, dtype=dtype), axis=axis),
                        label=f"{name} {dtype} {shape} axis={axis}",
                        may_raise=(TypeError, ValueError),
                    )


@each_reduction
def test_zero_d_and_size_one(name):
    with collect() as failures:
        for dtype in ALL_DTYPES:
            for axis in (None, 0, -1, (), 1):
                if axis == () and name in POSITIONS:
                    continue
                with failures:
                    check(
                        lambda xp: call(xp, name, xp.array(np.array(1, dtype)), axis=axis),
                        ulps=1,
                        label=f"{name} 0-d {dtype} axis={axis}",
                        may_raise=(np.exceptions.AxisError, TypeError),
                    )
                with failures:
                    check(
                        lambda xp: call(xp, name, xp.ones((1, 1), dtype), axis=axis),
                        ulps=1,
                        label=f"{name} (1, 1) {dtype} axis={axis}",
                        may_raise=TypeError,
                    )


# ---------------------------------------------------------------------------------------------------------
# Keywords


@pytest.mark.parametrize(
    "name", ["sum", "prod", "mean", "var", "std", "nansum", "nanprod", "nanmean", "nanvar"]
)
def test_dtype_keyword(name):
    with collect() as failures:
        for source, target in itertools.product(ALL_DTYPES, ALL_DTYPES):
            if name in MOMENTS and np.dtype(target).kind not in "fc":
                continue  # NumPy's integer moments truncate at steps that are its own affair
            host = data_for(name, source, (3, 4))
            measured = spread if name == "nanvar" else call
            with failures:
                check(
                    lambda xp: measured(xp, name, xp.array(host), axis=0, dtype=target),
                    ulps=ULPS.get(name, 0),
                    signed_zero=False,
                    label=f"{name} {source} dtype={target}",
                )


def test_integer_sums_widen():
    with collect() as failures:
        for dtype in ["bool", *INTEGERS]:
            top = 1 if dtype == "bool" else np.iinfo(dtype).max
            with failures:
                check(lambda xp: xp.full(1000, top, dtype=dtype).sum(), label=f"sum {dtype}")
            with failures:
                check(
                    lambda xp: xp.full(70, 3 if dtype != "bool" else 1, dtype=dtype).prod(),
                    label=f"prod wraps {dtype}",
                )
            with failures:
                check(
                    lambda xp: xp.full(1000, top, dtype=dtype).sum(dtype=dtype),
                    label=f"sum {dtype} in {dtype}",
                )


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "any", "all", "std", "argmax", "ptp"])
def test_out(name):
    host = data_for(name, "float64", (3, 4))
    with collect() as failures:
        for dtype, shape, axis in itertools.product(
            ["float64", "float32", "int64", "complex128", "bool"], [(4,), (3,), (1, 4), ()], [0, 1, None]
        ):

            def body(xp, dtype=dtype, shape=shape, axis=axis):
                out = xp.zeros(shape, dtype=dtype)
                result = call(xp, name, xp.array(host), axis=axis, out=out)
                return out, result is out

            with failures:
                check(
                    body,
                    ulps=ULPS.get(name, 0),
                    signed_zero=False,
                    label=f"{name} out={dtype}{shape} axis={axis}",
                    may_raise=(TypeError, ValueError),
                )


@twin()
def test_out_may_be_a_strided_view_or_the_input(xp):
    base = xp.zeros((4, 6))
    xp.sum(xp.arange(12.0).reshape(3, 4), axis=0, out=base[:, 3])
    a = xp.arange(9.0).reshape(3, 3)
    a.sum(axis=0, out=a[0])
    b = xp.arange(9.0).reshape(3, 3)
    b.max(axis=1, out=b[:, 1])
    return base, a, b


@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "nansum"])
def test_where(name):
    host = data_for(name, "float64", (3, 4, 5))
    mask = np.random.default_rng(1).random((3, 4, 5)) < 0.6
    with collect() as failures:
        for axis in (None, 0, 2, (0, 1)):
            for where in (mask, mask[0], mask[:, :1], True, False):
                options = {"initial": 7.0} if name in ("min", "max") else {}

                def body(xp, axis=axis, where=where, options=options):
                    w = xp.array(where) if isinstance(where, np.ndarray) else where
                    return call(xp, name, xp.array(host), axis=axis, where=w, **options)

                with failures:
                    shape = np.shape(where)
                    check(
                        body,
                        ulps=ULPS.get(name, 0),
                        signed_zero=False,
                        label=f"{name} axis={axis} where={shape}",
                    )


@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "nansum", "nanmax"])
def test_initial(name):
    with collect() as failures:
        for dtype, initial in itertools.product(
            ["int8", "int64", "uint8", "float32", "complex64"], [0, 3, -2, 2.5, 300, 1j]
        ):
            for shape in [(3, 4), (0, 4)]:
                host = data_for(name, dtype, shape)
                with failures:
                    check(
                        lambda xp: call(xp, name, xp.array(host), axis=0, initial=initial),
                        signed_zero=False,
                        label=f"{name} {dtype} {shape} initial={initial!r}",
                        may_raise=(OverflowError, TypeError),
                    )


def test_min_with_where_but_no_initial_raises():
    check(lambda xp: xp.array([1.0, 2.0]).min(where=xp.array([True, False])), raises=ValueError)


@pytest.mark.parametrize("ddof", [0, 1, 2, 4, 5, 0.5])
@pytest.mark.parametrize("name", ["var", "std", "nanvar", "nanstd"])
def test_ddof(name, ddof):
    with collect() as failures:
        for dtype, axis in itertools.product(
            ["bool", "int32", "float16", "float32", "float64", "complex64"], [None, 0, (0, 1)]
        ):
            host = data_for(name, dtype, (4, 5))
            with failures:
                check(
                    lambda xp: call(xp, name, xp.array(host), axis=axis, ddof=ddof),
                    ulps=4,
                    label=f"{name} {dtype} axis={axis} ddof={ddof}",
                )


@twin(ulps=4)
def test_correction_is_ddof(xp):
    return xp.var(xp.arange(5.0), correction=1), xp.std(xp.arange(5.0), correction=1)


@twin()
def test_keepdims_of_a_full_reduction(xp):
    return (
        xp.ones((2, 3, 4)).sum(keepdims=True),
        xp.ones((2, 3)).argmax(keepdims=True),
        xp.ones((2, 3)).mean(keepdims=True),
    )


@twin(raises=TypeError)
def test_unknown_keyword_raises(xp):
    return xp.ones(3).sum(axes=0)


@pytest.mark.parametrize("name", ["nanmean", "nanvar", "nanstd"])
@pytest.mark.parametrize("options", [{"dtype": "int64"}, {"out": "int64"}, {"dtype": "float32"}], ids=str)
@pytest.mark.parametrize("dtype", ["float64", "complex64"])
@twin(ulps=2, may_raise=TypeError)
def test_moments_without_nan_are_inexact(xp, name, options, dtype):
    given = {key: xp.zeros((), value) if key == "out" else value for key, value in options.items()}
    return getattr(xp, name)(xp.arange(5).astype(dtype), **given)


@pytest.mark.parametrize("name", ["var", "std", "nanvar", "nanstd"])
@pytest.mark.parametrize("mean", ["float16", "float32", "float64"])
@pytest.mark.parametrize("dtype", ["bool", "uint16", "int64", "float64"])
@twin(ulps=4)
def test_spread_about_a_given_mean(xp, name, dtype, mean):
    a = xp.array(np.arange(12).reshape(3, 4) % 5).astype(dtype)
    return getattr(xp, name)(a, axis=1, mean=xp.mean(a, axis=1, keepdims=True).astype(mean))


@pytest.mark.parametrize("name", ["var", "std", "nanvar", "nanstd", "nanmean"])
@pytest.mark.parametrize("shape", [(), (1,), (4,), (2, 2)])
@twin(may_raise=ValueError)
def test_the_out_of_moments_has_their_shape(xp, name, shape):
    return getattr(xp, name)(xp.ones((2, 4)), axis=0, out=xp.zeros(shape))
