"""Convolutions and correlations against NumPy and `scipy.signal`."""

import itertools
import types

import numpy as np
import pytest
import scipy.signal
from twin import ALL_DTYPES, INTEGERS, collect, compare, quiet, raising, run
from twin import check as check_numpy

import cuprum as cp
import cuprum.scipy.signal

SCIPY = types.SimpleNamespace(xp=np, sig=scipy.signal)
CUPRUM = types.SimpleNamespace(xp=cp, sig=cuprum.scipy.signal)
MODES = ["full", "same", "valid"]


def check(body, *, layout=False, raises=None, **options):
    """Run `body(xp, signal)` on both libraries and compare."""
    want = run(lambda side: body(side.xp, side.sig), SCIPY)
    got = run(lambda side: body(side.xp, side.sig), CUPRUM)
    compare(got, want, layout=layout, raises=raises or getattr(body, "raises", None), **options)


def near(got, want, a, b, label=""):
    """Allow for the error of sums of products: four roundings of the largest sum of absolute values."""
    assert got.dtype == want.dtype, f"{label}: {got.dtype}, SciPy has {want.dtype}"
    assert got.shape == want.shape, f"{label}: {got.shape}, SciPy has {want.shape}"
    if want.size == 0:
        return
    bound = np.abs(a).max() * np.abs(b).max() * min(a.size, b.size)
    eps = np.finfo(want.dtype).eps
    assert np.abs(got.get() - want).max() <= 4 * eps * bound, label


def data(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) > 0.6
    if kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    if kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    # Small integers: their sums of products are exact in every float dtype, whatever the order.
    return rng.integers(-6, 7, shape).astype(dtype)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
@pytest.mark.parametrize("function", ["convolve", "correlate"])
def test_numpy_lines(function, dtype):
    """Integers wrap, truth is any of both, floats of small integers are exact."""
    with collect() as failures:
        for n, m in ((1, 1), (7, 3), (3, 7), (8, 4), (4, 9), (5, 5), (600, 33), (2, 300)):
            a, v = data(n, dtype, n), data(m, dtype, m + 50)
            if np.dtype(dtype).kind == "c":
                a, v = np.round(a), np.round(v)
            for mode in MODES:
                with failures:
                    check_numpy(
                        lambda xp, a=a, v=v, k=mode: getattr(xp, function)(xp.array(a), xp.array(v), k),
                        signed_zero=False,
                        layout=False,
                        label=f"{function} {dtype} {n} {m} {mode}",
                    )


def test_numpy_arguments():
    a = np.arange(5.0)
    bodies = {
        "mixed": lambda xp: xp.convolve(
            xp.array([1, 2, 3], dtype="int8"), xp.array([1.5, 2], dtype="float32")
        ),
        "lists": lambda xp: xp.convolve([1, 2], [3, 4, 5]),
        "scalar": lambda xp: xp.convolve(xp.array(a), 2.0),
        "scalar correlate": raising(ValueError, lambda xp: xp.correlate(xp.array(a), 2.0)),
        "empty": raising(ValueError, lambda xp: xp.convolve(xp.array(a), xp.array([]))),
        "empty first": raising(ValueError, lambda xp: xp.correlate(xp.array([]), xp.array(a))),
        "two dimensions": raising(ValueError, lambda xp: xp.convolve(xp.ones((2, 2)), xp.array(a))),
        "two dimensions correlate": raising(
            ValueError, lambda xp: xp.correlate(xp.ones((2, 2)), xp.array(a))
        ),
        "mode": raising(ValueError, lambda xp: xp.convolve(xp.array(a), xp.array(a), "all")),
        "strided": lambda xp: xp.convolve(xp.array(a)[::-2], xp.array(a)[1::2]),
        "default": lambda xp: xp.correlate(xp.array(a), xp.array(a)),
    }
    with collect() as failures:
        for label, body in bodies.items():
            with failures:
                check_numpy(body, layout=False, label=label)


def test_long_lines_are_accurate():
    rng = np.random.default_rng(3)
    for dtype in ("float32", "float64", "complex64", "complex128"):
        a, v = (rng.standard_normal(n).astype(dtype) for n in (5000, 700))
        if np.dtype(dtype).kind == "c":
            a, v = a * (1 + 2j), v * (2 - 1j)
        a, v = a.astype(dtype), v.astype(dtype)
        near(cp.convolve(cp.array(a), cp.array(v)), np.convolve(a, v), a, v, dtype)
        near(cp.correlate(cp.array(a), cp.array(v), "same"), np.correlate(a, v, "same"), a, v, dtype)


@pytest.mark.parametrize("dtype", [*INTEGERS, "float32", "float64"])
@pytest.mark.parametrize("function", ["convolve2d", "correlate2d"])
def test_planes(function, dtype):
    with collect() as failures:
        for shape, window in (
            ((6, 7), (3, 3)),
            ((5, 4), (2, 4)),
            ((2, 3), (5, 4)),
            ((1, 9), (1, 2)),
            ((3, 2), (9, 7)),
        ):
            a, b = data(shape, dtype, 1), data(window, dtype, 2)
            for mode in MODES:
                for boundary in ("fill", "wrap", "symm"):
                    with failures:
                        check(
                            lambda xp, sig, a=a, b=b, m=mode, y=boundary: getattr(sig, function)(
                                xp.array(a), xp.array(b), m, y, 3
                            ),
                            label=f"{function} {dtype} {shape} {window} {mode} {boundary}",
                        )


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_planes(dtype):
    a, b = np.round(3 * data((6, 7), dtype, 1)), np.round(3 * data((3, 2), dtype, 2))
    with collect() as failures:
        for function in ("convolve2d", "correlate2d"):
            for mode in MODES:
                with failures:
                    check(
                        lambda xp, sig, f=function, m=mode: (
                            getattr(sig, f)(xp.array(a), xp.array(b), m, "fill", 1 - 2j) + 0
                        ),
                        ulps=1,
                        label=f"{function} {mode}",
                    )


def test_plane_arguments():
    a, b = data((4, 5), "float64", 1), data((2, 2), "float64", 2)
    bodies = {
        "mode": raising(ValueError, lambda xp, sig: sig.convolve2d(xp.array(a), xp.array(b), "all")),
        "boundary": raising(
            ValueError, lambda xp, sig: sig.convolve2d(xp.array(a), xp.array(b), boundary="no")
        ),
        "dimensions": raising(ValueError, lambda xp, sig: sig.convolve2d(xp.array(a), xp.ones(3))),
        "valid": raising(
            ValueError, lambda xp, sig: sig.convolve2d(xp.ones((4, 2)), xp.ones((2, 3)), "valid")
        ),
        "bool": raising(ValueError, lambda xp, sig: sig.convolve2d(xp.array(a) > 0, xp.array(b) > 0)),
        "fill": raising(
            ValueError, lambda xp, sig: sig.convolve2d(xp.array(a), xp.array(b), fillvalue=[1, 2])
        ),
        "fill of one": lambda xp, sig: sig.convolve2d(xp.array(a), xp.array(b), fillvalue=[1]),
        "mixed": lambda xp, sig: sig.correlate2d(xp.array(a.astype("int32")), xp.array(b.astype("float32"))),
        "fill truncated": lambda xp, sig: sig.convolve2d(
            xp.array(a.astype(int)), xp.array(b.astype(int)), fillvalue=2.7
        ),
        "transposed": lambda xp, sig: sig.convolve2d(xp.array(a).T, xp.array(b)[::-1]),
    }
    with collect() as failures:
        for label, body in bodies.items():
            with failures:
                check(body, label=label, may_raise=ValueError)


@pytest.mark.parametrize("dtype", [*INTEGERS, "float32", "float64", "complex128"])
@pytest.mark.parametrize("function", ["convolve", "correlate"])
def test_direct(function, dtype):
    with collect() as failures:
        for shape, window in (
            ((9,), (4,)),
            ((4,), (9,)),
            ((6, 7), (3, 2)),
            ((2, 3), (5, 4)),
            ((4, 5, 6), (2, 3, 2)),
            ((5, 2), (2, 5)),
        ):
            a, b = data(shape, dtype, 1), data(window, dtype, 2)
            if np.dtype(dtype).kind == "c":
                a, b = np.round(3 * a), np.round(3 * b)
            for mode in MODES:
                with failures:
                    check(
                        lambda xp, sig, a=a, b=b, m=mode: (
                            getattr(sig, function)(xp.array(a), xp.array(b), m, "direct") + 0
                        ),
                        label=f"{function} {dtype} {shape} {window} {mode}",
                        may_raise=ValueError,
                    )


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int32"])
@pytest.mark.parametrize("function", ["fftconvolve", "oaconvolve"])
def test_transforms(function, dtype):
    with collect() as failures:
        for shape, window in (
            ((9,), (4,)),
            ((4,), (9,)),
            ((1000,), (7,)),
            ((9,), (2000,)),
            ((6, 7), (3, 2)),
            ((300, 5), (4, 3)),
            ((5, 400, 3), (2, 9, 3)),
            ((1, 8), (3, 2)),
            # By blocks that stay in a CPU's caches.
            ((70_000,), (11,)),
            ((300,), (80_000,)),
            ((400_000,), (20_001,)),
        ):
            a, b = data(shape, dtype, 1), data(window, dtype, 2)
            if dtype == "int32":
                a, b = a >> 16, b >> 16
            for mode in MODES:
                want = run(lambda f, a=a, b=b, m=mode: f(a, b, m), getattr(scipy.signal, function))
                got = run(
                    lambda f, a=a, b=b, m=mode: f(cp.array(a), cp.array(b), m),
                    getattr(cuprum.scipy.signal, function),
                )
                with failures:
                    if isinstance(want, np.ndarray):
                        near(
                            got,
                            want,
                            a.astype(want.dtype),
                            b.astype(want.dtype),
                            f"{function} {shape} {mode}",
                        )
                    else:
                        compare(got, want, label=f"{shape} {window} {mode}")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_meets_elements_alone(value, dtype):
    """Beyond the ends there is nothing to multiply NaN and infinity with, in either operand."""
    a, v = data(40, dtype, 1), data(5, dtype, 2)
    is_complex = a.dtype.kind == "c"
    a, v = (np.round(a), np.round(v)) if is_complex else (a, v)

    def seen(result):
        # Which part of a complex number is NaN, and which infinite, NumPy leaves to its library.
        return result if not is_complex else where_finite(result)

    with collect() as failures:
        for place, mode in itertools.product(range(5), MODES):
            one, many = v.copy(), a.copy()
            one[place] = value
            many[place * 9] = value
            for x, y in ((a, one), (one, a), (many, v), (many, one)):
                for function in ("convolve", "correlate"):

                    def body(xp, f=function, x=x, y=y, m=mode):
                        return seen(getattr(xp, f)(xp.array(x), xp.array(y), m))

                    with failures, quiet():
                        check_numpy(body, signed_zero=False, layout=False, label=f"{function} {place} {mode}")

                    def direct(xp, sig, f=function, x=x, y=y, m=mode):
                        return seen(getattr(sig, f)(xp.array(x), xp.array(y), m, "direct"))

                    # SciPy has no sums of products of float16 where the first operand is the shorter one.
                    if dtype != "float16":
                        with failures, quiet():
                            check(direct, signed_zero=False, label=f"signal.{function} {place} {mode}")


def where_finite(result):
    """Return a result with NaN for whatever is not finite."""
    xp = cp if isinstance(result, cp.ndarray) else np
    return xp.where(xp.isfinite(result), result, xp.asarray(complex(np.nan, np.nan)).astype(result.dtype))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_spreads_over_a_whole_transform(value):
    for size in (100, 70_000):
        a, b = np.ones(size), np.arange(9.0)
        a[5] = value
        want = scipy.signal.fftconvolve(a, b)
        got = cuprum.scipy.signal.fftconvolve(cp.array(a), cp.array(b)).get()
        np.testing.assert_array_equal(np.isnan(got), np.isnan(want))


def test_transform_axes():
    a, b = data((4, 30, 3), "float64", 1), data((4, 5, 1), "float64", 2)
    with collect() as failures:
        for function in ("fftconvolve", "oaconvolve"):
            for axes in (1, [1], (0, 1), -2, (), (1, 1), 5, None):
                for mode in MODES:
                    want = run(lambda f, m=mode, x=axes: f(a, b, m, x), getattr(scipy.signal, function))
                    got = run(
                        lambda f, m=mode, x=axes: f(cp.array(a), cp.array(b), m, x),
                        getattr(cuprum.scipy.signal, function),
                    )
                    with failures:
                        if isinstance(want, np.ndarray):
                            near(got, want, a, b, f"{function} {axes} {mode}")
                        else:
                            compare(got, want, label=f"{function} {axes} {mode}", raises=ValueError)


def test_the_method_does_not_show():
    rng = np.random.default_rng(0)
    whole = rng.integers(-1000, 1000, (90, 80)), rng.integers(-1000, 1000, (40, 30))
    a, b = (cp.array(x) for x in whole)
    sig = cuprum.scipy.signal
    for function in ("convolve", "correlate"):
        direct = getattr(sig, function)(a, b, method="direct")
        for method in ("auto", "fft"):
            assert (getattr(sig, function)(a, b, method=method) == direct).all()
        compare(direct, getattr(scipy.signal, function)(*whole, method="direct"), layout=False)
    assert sig.choose_conv_method(cp.ones(30), cp.ones(3)) == "direct"
    assert sig.choose_conv_method(cp.ones(100_000), cp.ones(50_000)) == "fft"
    # Products too large for float64 are summed as integers.
    large = cp.full(100_000, 2**40)
    assert sig.choose_conv_method(large, large) == "direct"
    chosen, times = sig.choose_conv_method(cp.ones(300), cp.ones(30), measure=True)
    assert chosen in times and set(times) == {"fft", "direct"}


def test_arguments():
    a = np.arange(5.0)
    bodies = {
        "0-d": lambda xp, sig: sig.convolve(xp.array(3.0), xp.array(2.0)),
        "0-d correlate": lambda xp, sig: sig.correlate(xp.array(3.0), xp.array(2.0 - 1j)),
        "dimensions": raising(ValueError, lambda xp, sig: sig.convolve(xp.ones(3), xp.ones((2, 2)))),
        "mode": raising(ValueError, lambda xp, sig: sig.convolve(xp.array(a), xp.array(a), "all")),
        "method": raising(ValueError, lambda xp, sig: sig.convolve(xp.array(a), xp.array(a), method="all")),
        "correlate mode": raising(ValueError, lambda xp, sig: sig.correlate(xp.array(a), xp.array(a), "all")),
        "correlate method": raising(
            ValueError, lambda xp, sig: sig.correlate(xp.array(a), xp.array(a), method="all")
        ),
        "valid": raising(
            ValueError, lambda xp, sig: sig.correlate(xp.ones((4, 2)), xp.ones((2, 3)), "valid")
        ),
        "fft dimensions": raising(ValueError, lambda xp, sig: sig.fftconvolve(xp.ones(3), xp.ones((2, 2)))),
        "fft empty": lambda xp, sig: sig.fftconvolve(xp.ones(3), xp.ones(0)),
        "fft 0-d": lambda xp, sig: sig.fftconvolve(xp.array(2.0), xp.array(4.0)),
        "fft shapes": raising(
            ValueError, lambda xp, sig: sig.fftconvolve(xp.ones((3, 4)), xp.ones((2, 2)), axes=0)
        ),
        "lags": lambda xp, sig: [
            sig.correlation_lags(n, m, k) for n in (1, 4, 5) for m in (2, 7) for k in MODES
        ],
        "lags mode": raising(ValueError, lambda xp, sig: sig.correlation_lags(3, 4, "all")),
    }
    with collect() as failures:
        for label, body in bodies.items():
            with failures:
                check(body, label=label, may_raise=ValueError)


def test_hilbert():
    """Two transforms: eight roundings of the largest element."""
    with collect() as failures:
        for shape, axis, n in (((8,), -1, None), ((3, 9), 1, None), ((5, 4), 0, 12), ((7,), 0, 4)):
            for dtype in ("float32", "float64"):
                x = np.random.default_rng(1).standard_normal(shape).astype(dtype)
                want = scipy.signal.hilbert(x, n, axis)
                got = cuprum.scipy.signal.hilbert(cp.array(x), n, axis)
                with failures:
                    assert got.dtype == want.dtype and got.shape == want.shape
                    bound = 8 * np.finfo(dtype).eps * np.abs(want).max()
                    assert np.abs(got.get() - want).max() <= bound, (shape, axis, n, dtype)
        for body in (
            raising(ValueError, lambda xp, sig: sig.hilbert(xp.array([1j]))),
            raising(ValueError, lambda xp, sig: sig.hilbert(xp.ones(3), 0)),
        ):
            with failures:
                check(body, raises=ValueError)


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "float64"])
def test_medians(dtype):
    a = data((9, 11), dtype, 4)
    bodies = {
        "medfilt": lambda xp, sig: sig.medfilt(xp.array(a)),
        "medfilt sizes": lambda xp, sig: sig.medfilt(xp.array(a), (1, 5)),
        "medfilt line": lambda xp, sig: sig.medfilt(xp.array(a)[0], 15),
        "medfilt2d": lambda xp, sig: sig.medfilt2d(xp.array(a), [5, 3]),
        "order_filter": lambda xp, sig: sig.order_filter(
            xp.array(a), np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1]]), 2
        ),
        "even": raising(ValueError, lambda xp, sig: sig.medfilt(xp.array(a), 4)),
        "even 2d": raising(ValueError, lambda xp, sig: sig.medfilt2d(xp.array(a), [3, 2])),
        "even domain": raising(ValueError, lambda xp, sig: sig.order_filter(xp.array(a), np.ones((2, 3)), 1)),
        "complex": raising(ValueError, lambda xp, sig: sig.medfilt(xp.array(a) * 1j)),
    }
    with collect() as failures:
        for label, body in bodies.items():
            with failures:
                check(body, label=label, may_raise=ValueError)


def test_wiener_and_trends():
    """Made of sums of products and of sums: sixteen roundings of the largest element."""
    rng = np.random.default_rng(8)
    a = rng.standard_normal((12, 13)).cumsum(0)
    pairs = {
        "wiener": lambda xp, sig: sig.wiener(xp.array(a)),
        "wiener noise": lambda xp, sig: sig.wiener(xp.array(a), (5, 3), noise=0.7),
        "wiener line": lambda xp, sig: sig.wiener(xp.array(a)[3], 5),
        "detrend": lambda xp, sig: sig.detrend(xp.array(a)),
        "detrend axis": lambda xp, sig: sig.detrend(xp.array(a), 0),
        "detrend constant": lambda xp, sig: sig.detrend(xp.array(a), 0, "constant"),
        "detrend breaks": lambda xp, sig: sig.detrend(xp.array(a), bp=[4, 9]),
        "detrend int": lambda xp, sig: sig.detrend(xp.array((a * 10).astype(int))),
        "detrend complex": lambda xp, sig: sig.detrend(xp.array(a) * (1 + 2j)),
    }
    with collect() as failures:
        for label, body in pairs.items():
            want, got = body(np, scipy.signal), body(cp, cuprum.scipy.signal)
            with failures:
                assert got.dtype == want.dtype and got.shape == want.shape, label
                bound = 16 * np.finfo(want.dtype).eps * 25 * np.abs(a).max()
                assert np.abs(got.get() - want).max() <= bound, label
        with failures:
            check(lambda xp, sig: sig.detrend(xp.array(a), type="square"), label="type", raises=ValueError)
        with failures:
            check(lambda xp, sig: sig.detrend(xp.array(a), bp=99), label="break", raises=ValueError)
