"""Quantiles and medians against NumPy, bit for bit: the same elements, the same interpolation."""

import numpy as np
import pytest
from twin import ALL_DTYPES, FLOATS, INTEGERS, check, collect, raising, twin

import cuprum as cp

METHODS = [
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]
RNG = np.random.default_rng(31)
CUBE = RNG.normal(size=(4, 5, 6))
HOLES = np.where(RNG.random(size=(4, 5, 6)) < 0.3, np.nan, CUBE)
HOLES[1, 2] = np.nan


def samples(dtype, size):
    if np.dtype(dtype).kind in "iu":
        return RNG.integers(0, 60, size).astype(dtype)
    return (RNG.normal(size=size) * 3).astype(dtype)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [1, 2, 3, 10, 51])
def test_methods(method, size):
    a = samples("float64", size)
    fractions = np.concatenate([np.linspace(0, 1, 21), [1 / 3, 0.1, 1 - 1e-16, 1e-300]])
    check(lambda xp: xp.quantile(xp.array(a), fractions, method=method), label=f"{method} {size}")
    check(lambda xp: [xp.quantile(xp.array(a), f, method=method) for f in fractions[:12].tolist()])
    check(lambda xp: xp.percentile(xp.array(a), [0, 12.5, 50, 99.9, 100], method=method))
    check(lambda xp: xp.nanquantile(xp.array(a), fractions, method=method))


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_dtypes(dtype):
    a = samples(dtype, (7, 8))
    with collect() as failures:
        for method in METHODS:
            for q in (
                0.3,
                [0.1, 0.5, 0.9],
                np.float32(0.7),
                np.array([0.25, 0.75], "f4"),
                1,
                np.array([0, 1]),
            ):
                with failures:

                    def body(xp, method=method, q=q):
                        q = xp.array(q) if isinstance(q, np.ndarray) else q
                        return xp.quantile(xp.array(a), q, axis=1, method=method)

                    check(body, label=f"{dtype} {method} {q!r}")


@pytest.mark.parametrize("axis", [None, 0, 1, 2, -1, (0, 1), (0, 2), (2, 1), (0, 1, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_axes(axis, keepdims):
    with collect() as failures:
        for q in (30, [20, 70], [[20, 30], [40, 50]]):
            for data in (CUBE, HOLES):
                with failures:
                    check(
                        lambda xp, q=q, data=data: [
                            xp.percentile(xp.array(data), q, axis=axis, keepdims=keepdims),
                            xp.percentile(xp.array(data), q, axis=axis, keepdims=keepdims, method="lower"),
                        ],
                        label=f"{axis} {q}",
                    )
                if np.ndim(q) == 2 and isinstance(axis, tuple):
                    continue  # NumPy puts the axes of q elsewhere than it says.
                with failures:
                    # The axes of several quantiles come to lie elsewhere in memory.
                    check(
                        lambda xp, q=q, data=data: [
                            xp.nanpercentile(xp.array(data), q, axis=axis, keepdims=keepdims),
                            xp.nanpercentile(
                                xp.array(data), q, axis=axis, keepdims=keepdims, method="nearest"
                            ),
                        ],
                        label=f"nan {axis} {q}",
                        layout=False,
                    )
        for data in (CUBE, HOLES):
            with failures:
                check(lambda xp, data=data: xp.median(xp.array(data), axis=axis, keepdims=keepdims))
                check(lambda xp, data=data: xp.nanmedian(xp.array(data), axis=axis, keepdims=keepdims))


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_median_dtypes(dtype):
    for size in (1, 2, 7, 8):
        a = RNG.integers(0, 2 if dtype == "bool" else 90, size).astype(dtype)
        check(lambda xp, a=a: xp.median(xp.array(a)), label=f"{dtype} {size}")
        check(lambda xp, a=a: xp.nanmedian(xp.array(a)), label=f"nan {dtype} {size}")
        check(lambda xp, a=a: xp.median(xp.array(a).reshape(1, -1), axis=1), label=f"{dtype} {size}")


@twin()
def test_layouts(xp):
    a = xp.array(CUBE)
    return [
        xp.percentile(a.T, 40, axis=0),
        xp.percentile(a[::-1, ::2, 1:], [40, 60], axis=1),
        xp.percentile(xp.broadcast_to(xp.array([3.0, 1.0, 2.0]), (4, 3)), 40, axis=1),
        xp.median(a.T, axis=0),
        xp.median(a[::-1, ::2, 1:], axis=1),
        xp.percentile(5, 50),
        xp.percentile([1, 2], []),
        xp.median(5),
        xp.median([3, 1]),
        xp.percentile(xp.zeros((0, 3)), 50, axis=1),
        xp.percentile(xp.zeros((0, 3)), 50, axis=1, method="lower"),
        xp.median([]),
        xp.median(xp.zeros((0, 3)), axis=0),
        xp.median(xp.zeros((0, 3)), axis=1),
        xp.nanmedian(xp.zeros((0, 3)), axis=0),
        xp.nanpercentile([], 50),
        xp.nanmedian([np.nan, np.nan]),
        xp.nanquantile([np.nan, np.nan], [0.1, 0.2]),
        xp.nanmedian([1.0, np.nan, 3.0]),
    ]


@twin()
def test_special_values(xp):
    inf, nan = np.inf, np.nan
    rows = xp.array([[inf, 1.0, 2.0], [-inf, inf, 0.0], [nan, 1.0, 2.0], [inf, inf, inf]])
    return [
        xp.percentile(rows, [0, 25, 50, 75, 100], axis=1),
        xp.nanpercentile(rows, [0, 25, 50, 75, 100], axis=1).copy(),
        xp.median(rows, axis=1),
        xp.median(rows, axis=0),
        xp.nanmedian(rows, axis=0),
        xp.median(xp.array([np.finfo("f4").max] * 2, dtype="float32")),
        xp.median(xp.array([60000, 60000], dtype="float16")),
    ]


@pytest.mark.parametrize("size", [100_001, 262_144])
@twin()
def test_large(xp, size):
    a = xp.array(np.random.default_rng(size).normal(size=size))
    b = xp.array(np.random.default_rng(size).integers(0, 5, size))
    return [
        xp.percentile(a, [0, 1, 25, 50, 75, 99.9, 100]),
        xp.median(a),
        xp.quantile(a, 0.9),
        xp.quantile(xp.sort(a), [0.3, 0.6]),
        xp.percentile(b, [10, 50, 90]),
        xp.median(b),
    ]


@twin()
def test_out(xp):
    a = xp.array(CUBE)
    out, single, kept = xp.zeros((2, 4, 6)), xp.zeros((4, 6)), xp.zeros((4, 1, 6))
    results = [
        xp.percentile(a, [20, 30], axis=1, out=out),
        xp.quantile(a, 0.4, axis=1, out=single),
        xp.median(a, axis=1, out=kept, keepdims=True),
        xp.median(xp.array([1, 2, 4, 9]), out=xp.zeros((), dtype="int64")),
        xp.nanmedian(a, axis=1, out=xp.zeros((4, 6))),
    ]
    return results, out, single, kept, a.shape


def test_fortran_order():
    check(lambda xp: xp.median(xp.asfortranarray(xp.array(CUBE)), axis=1), layout=False)
    check(lambda xp: xp.percentile(xp.asfortranarray(xp.array(CUBE)), 30, axis=1), layout=False)


def test_narrow_out():
    # NumPy interpolates in the dtype of `out` from one end: a few ulps of the gap.
    check(
        lambda xp: xp.quantile(xp.array(CUBE), 0.4, axis=1, out=xp.zeros((4, 6), dtype="float32")),
        ulps=16,
    )


def test_out_is_returned():
    out = cp.zeros(())
    assert cp.median(cp.array([1.0, 2.0]), out=out) is out
    assert cp.percentile(cp.array([1.0, 2.0]), 50, out=out) is out


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
def test_weights(axis):
    a, w = RNG.normal(size=(5, 7)), RNG.integers(0, 4, (5, 7))
    w[:, 0] = 1
    w[0] = 1
    holes = np.where(RNG.random(size=(5, 7)) < 0.3, np.nan, a)
    with collect() as failures:
        for q in (0.3, [0.0, 0.25, 0.5, 1.0], np.float32(0.4)):
            with failures:
                check(
                    lambda xp, q=q: xp.quantile(
                        xp.array(a), q, axis=axis, method="inverted_cdf", weights=xp.array(w)
                    ),
                    label=f"{axis} {q}",
                )
                check(
                    lambda xp, q=q: xp.quantile(
                        xp.array(holes), q, axis=axis, method="inverted_cdf", weights=xp.array(w)
                    ),
                    label=f"holes {axis} {q}",
                )
                check(
                    lambda xp, q=q: xp.nanquantile(
                        xp.array(holes), q, axis=axis, method="inverted_cdf", weights=xp.array(w + 1)
                    ),
                    label=f"nan {axis} {q}",
                    layout=False,
                )


@twin(layout=False)
def test_weights_forms(xp):
    a = xp.array(np.arange(12).reshape(3, 4)[:, ::-1].copy())
    nan = np.nan
    return [
        xp.quantile(a, 0.5, axis=1, method="inverted_cdf", weights=xp.array([0, 1, 1, 0])),
        xp.percentile(a, [50, 90], axis=0, method="inverted_cdf", weights=xp.array([1.5, 1, 1])),
        xp.nanquantile(
            [[1, nan, 3], [nan] * 3],
            [0.3, 0.9],
            axis=1,
            method="inverted_cdf",
            weights=[[1, 2, 1], [0, 0, 0]],
        ),
    ]


@pytest.mark.parametrize("function", ["percentile", "quantile", "nanpercentile", "nanquantile"])
def test_errors(function):
    call = lambda *args, **kw: (
        lambda xp: getattr(xp, function)(  # noqa: E731
            *[xp.array(a) if isinstance(a, list) else a for a in args], **kw
        )
    )
    bodies = [
        call([1, 2], -1),
        call([1, 2], 101),
        call([1, 2], [0.5, np.nan]),
        call([1, 2], 0.5, method="best"),
        call([1j, 2], 0.5),
        call([True, False], 0.5),
        call([1, 2], 0.5, axis=1),
        call([[1, 2]], 0.5, axis=(0, 0)),
        call([1, 2], 0.5, weights=[1, 1]),
        call([1, 2], 0.5, weights=[1, -1], method="inverted_cdf"),
        call([1, 2], 0.5, weights=[0, 0], method="inverted_cdf"),
        call([1, 2], 0.5, weights=[np.nan, 1], method="inverted_cdf"),
        call([[1, 2]], 0.5, weights=[1, 1], method="inverted_cdf"),
        call([[1, 2]], 0.5, weights=[1, 1, 1], axis=1, method="inverted_cdf"),
    ]
    with collect() as failures:
        for number, body in enumerate(bodies):
            with failures:
                check(
                    body,
                    label=f"{function} {number}",
                    raises=(np.exceptions.AxisError, TypeError, ValueError),
                )


@pytest.mark.parametrize(
    "body",
    [
        raising(IndexError, lambda xp: xp.percentile([], 50)),
        raising(IndexError, lambda xp: xp.percentile(xp.zeros((0, 3)), 50, axis=0)),
        raising(ValueError, lambda xp: xp.percentile([1, 2], [[[50]]])),
        raising(TypeError, lambda xp: xp.quantile([1, 2, 3], 0.3, out=xp.zeros((), dtype="int64"))),
        raising(ValueError, lambda xp: xp.percentile([1.0, 2.0], [50, 60], out=xp.zeros(3))),
        raising(np.exceptions.AxisError, lambda xp: xp.median([1, 2], axis=1)),
        raising(np.exceptions.AxisError, lambda xp: xp.nanmedian([1.0, 2.0], axis=2)),
    ],
)
def test_more_errors(body):
    check(body)


def test_bfloat16():
    values = cp.array([0.5, 4.0, 1.0, 2.0]).astype(cp.bfloat16)
    assert cp.median(values).item() == 1.5 and cp.median(values).dtype == cp.bfloat16
    assert cp.percentile(values, 50).item() == 1.5
    assert cp.percentile(values, [0, 100], method="lower").tolist() == [0.5, 4.0]
    assert cp.isnan(cp.median(cp.array([1.0, cp.nan]).astype(cp.bfloat16)))
    assert cp.nanmedian(cp.array([1.0, cp.nan]).astype(cp.bfloat16)).item() == 1.0


@pytest.mark.parametrize("shape", [(), (1,), (4,)])
@twin(may_raise=ValueError)
def test_the_out_of_a_median_has_its_shape(xp, shape):
    return xp.median(xp.arange(5.0), out=xp.zeros(shape))
