"""Scans (cumsum, cumprod and their nan- forms) over dtypes, axes, keywords and layouts, against NumPy."""

# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import itertools

import numpy as np
import pytest
from samples import LAYOUTS, bf16_array, bf16_round, permuted
from twin import ALL_DTYPES, FLOATS, check, collect, quiet, to_numpy, twin

import cuprum as cp

SCANS = ["cumsum", "cumprod", "nancumsum", "nancumprod"]
each_scan = pytest.mark.parametrize("name", SCANS)


def exact_data(name, dtype, shape, seed=0):
    """Return data whose partial sums or products are exact, so that any order gives NumPy's bits."""
    dtype = np.dtype(dtype)
    rng = np.random.default_rng(seed)
    if dtype.kind == "b":
        return rng.random(shape) < 0.7
    if "prod" in name:
        if np.prod(shape) > 1000:
            return rng.choice([1, -1] if dtype.kind != "u" else [1, 3], shape).astype(dtype)
        if dtype == np.float16:
            # Products that leave its range are rounded at every step by NumPy, only at the end here.
            return rng.choice([1, 1, -1], shape).astype(dtype)
        return rng.choice([1, 1, 1, 2] if dtype.kind in "iu" else [1, 1, 1, -1, 2, 0.5], shape).astype(dtype)
    values = rng.integers(0 if dtype.kind == "u" else -5, 6, shape)
    return values.astype(dtype)


def zeros_have_signs(name, dtype, on_gpu):
    """Whether zeros have NumPy's signs: in products of complex numbers they depend on the grouping."""
    return not (on_gpu and "prod" in name and np.dtype(dtype).kind == "c")


@each_scan
def test_axes(name, on_gpu):
    with collect() as failures:
        for dtype, axis in itertools.product(ALL_DTYPES, [None, 0, 1, 2, -1, -3, 3, -4, (0, 1), 1.0]):
            host = exact_data(name, dtype, (3, 4, 5))
            with failures:
                check(
                    lambda xp: getattr(xp, name)(xp.array(host), axis=axis),
                    signed_zero=zeros_have_signs(name, dtype, on_gpu),
                    label=f"{name} {dtype} axis={axis!r}",
                    may_raise=(np.exceptions.AxisError, TypeError),
                )


@each_scan
def test_layouts(name, on_gpu):
    with collect() as failures:
        for dtype in ("bool", "int8", "int64", "float16", "float32", "float64", "complex64"):
            host = exact_data(name, dtype, (4, 37))
            for layout, axis in itertools.product(LAYOUTS, [None, 0, 1]):
                with failures:
                    check(
                        lambda xp: getattr(xp, name)(LAYOUTS[layout](xp, host), axis=axis),
                        signed_zero=zeros_have_signs(name, dtype, on_gpu),
                        label=f"{name} {dtype} {layout} axis={axis}",
                        may_raise=np.exceptions.AxisError,
                    )
            cube = exact_data(name, dtype, (3, 4, 5))
            for order, axis in itertools.product(itertools.permutations(range(3)), [None, 0, 1, 2]):
                with failures:
                    check(
                        lambda xp: getattr(xp, name)(permuted(xp, cube, order), axis=axis),
                        signed_zero=zeros_have_signs(name, dtype, on_gpu),
                        label=f"{name} {dtype} memory order {order} axis={axis}",
                    )


@each_scan
def test_sizes(name):
    with collect() as failures:
        for dtype, n in itertools.product(
            ["int32", "float32", "float64"], [0, 1, 2, 7, 8, 9, 64, 65, 1023, 4097, 300_001]
        ):
            host = exact_data(name, dtype, n)
            with failures:
                check(lambda xp: getattr(xp, name)(xp.array(host)), label=f"{name} {dtype} n={n}")
        for shape, axis in itertools.product([(3, 100_001), (100_001, 3), (700, 900)], [0, 1]):
            host = exact_data(name, "float64", shape)
            with failures:
                check(
                    lambda xp: getattr(xp, name)(xp.array(host), axis=axis),
                    label=f"{name} {shape} axis={axis}",
                )


@each_scan
def test_dtype_keyword(name):
    with collect() as failures:
        for source, target in itertools.product(ALL_DTYPES, repeat=2):
            host = exact_data(name, source, 9)
            with failures:
                check(
                    lambda xp: getattr(xp, name)(xp.array(host), dtype=target),
                    label=f"{name} {source} dtype={target}",
                )


@each_scan
def test_out(name):
    with collect() as failures:
        for dtype, shape in itertools.product(
            ["int64", "float32", "float64", "complex64", "bool"], [(3, 4), (4, 3), (12,), ()]
        ):

            def body(xp, dtype=dtype, shape=shape):
                out = xp.zeros(shape, dtype)
                result = getattr(xp, name)(xp.array(exact_data(name, "float32", (3, 4))), axis=1, out=out)
                return out, result is out

            with failures:
                check(body, label=f"{name} out={dtype}{shape}", may_raise=ValueError)


@each_scan
def test_nan_and_infinity(name):
    with collect() as failures:
        for dtype in FLOATS:
            host = np.array(
                [[1, np.nan, 2, np.inf], [np.nan, -0.0, 3, -np.inf], [np.nan, np.nan, np.nan, 0]], dtype
            )
            for axis in (None, 0, 1):
                with failures:
                    check(
                        lambda xp: getattr(xp, name)(xp.array(host), axis=axis),
                        label=f"{name} {dtype} axis={axis}",
                    )


@each_scan
def test_empty_and_zero_d(name):
    check(lambda xp: getattr(xp, name)(xp.zeros((0, 3)), axis=0), label="(0, 3) axis=0")
    check(lambda xp: getattr(xp, name)(xp.zeros((0, 3)), axis=1), label="(0, 3) axis=1")
    check(lambda xp: getattr(xp, name)(xp.zeros((3, 0))), label="(3, 0)")
    check(lambda xp: getattr(xp, name)(xp.array(5.0)), label="0-d")
    check(lambda xp: getattr(xp, name)(xp.array(5.0), axis=0), label="0-d axis=0")
    check(
        lambda xp: getattr(xp, name)(xp.array(5.0), axis=1),
        label="0-d axis=1",
        raises=np.exceptions.AxisError,
    )


@twin()
def test_methods_and_in_place(xp):
    a = xp.arange(12.0).reshape(3, 4)
    b = a.cumsum(axis=0), a.cumprod(axis=1), a.T.cumsum(), a[::-1, ::2].cumsum(axis=1)
    xp.cumsum(a, axis=1, out=a)
    c = xp.arange(6.0)
    xp.cumsum(c[::-1], out=c)
    return a, b, c


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cumsum_is_at_least_as_accurate_as_numpys(dtype):
    host = np.random.default_rng(0).uniform(-1, 1, 200_001).astype(dtype)
    exact = np.cumsum(host.astype(np.longdouble))
    want = np.abs(np.cumsum(host) - exact).max()
    got = np.abs(to_numpy(cp.cumsum(cp.array(host))) - exact).max()
    assert got <= 1.5 * want, f"error {got}, NumPy's is {want}"


def test_cumsum_ends_in_the_same_bits_every_time():
    x = cp.array(np.random.default_rng(0).normal(size=500_003).astype(np.float32))
    assert len({to_numpy(cp.cumsum(x)).tobytes() for _ in range(10)}) == 1


def test_bfloat16_cumsum_stays_close():
    host = bf16_round(np.random.default_rng(0).uniform(0, 1, 100).astype(np.float32))
    got = to_numpy(cp.cumsum(bf16_array(host)))
    exact = np.cumsum(host.astype(np.float64))
    with quiet():
        assert np.all(np.abs(got - exact) <= exact * 2**-8 * np.sqrt(np.arange(1, 101)))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_products_begin_with_their_first_element(dtype):
    """No one is multiplied in, which would lose the signs of zeros and make NaNs of infinities."""
    first = np.array(
        [complex(0.5, -0.0), complex(-0.0, -0.0), complex(np.inf, 0.0), complex(np.nan, 1.0)], dtype
    )
    for n in (1, 2, 40, 5000):
        lines = np.ones((len(first), n), dtype)
        lines[:, 0] = first
        for host, axis in ((lines, 1), (np.ascontiguousarray(lines.T), 0)):
            got = to_numpy(cp.cumprod(cp.array(host), axis=axis))
            assert np.moveaxis(got, axis, 0)[0].tobytes() == first.tobytes(), (n, axis)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum", "nancumprod"])
@twin(raises=TypeError)
def test_an_axis_is_no_tuple(xp, name):
    return getattr(xp, name)(xp.ones((2, 3)), axis=(0,))
