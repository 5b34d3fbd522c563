"""Slopes, integrals, unwrapping and weighted means against NumPy."""

import numpy as np
import pytest
from twin import COMPLEX, FLOATS, INTEGERS, check, collect, raising, twin

RNG = np.random.default_rng(41)
CUBE = RNG.normal(size=(4, 5, 6))
UNEVEN = np.cumsum(RNG.random(6) + 0.1)


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS, *COMPLEX, "bool"])
@pytest.mark.parametrize("edge_order", [1, 2])
def test_gradient_dtypes(dtype, edge_order):
    a = (CUBE[0] * 5).astype(dtype)
    for spacing in ((), (2.0,), (0.5, UNEVEN)):
        check(
            lambda xp, s=spacing: xp.gradient(
                xp.array(a), *[xp.array(x) if np.ndim(x) else x for x in s], edge_order=edge_order
            ),
            ulps=2,
            label=f"{dtype} {len(spacing)}",
            may_raise=TypeError,
        )


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2), (1,)])
@pytest.mark.parametrize("edge_order", [1, 2])
@twin(ulps=1)
def test_gradient_axes(xp, axis, edge_order):
    return xp.gradient(xp.array(CUBE), axis=axis, edge_order=edge_order)


@pytest.mark.parametrize(
    "body",
    [
        raising(ValueError, lambda xp: xp.gradient([1.0])),
        raising(ValueError, lambda xp: xp.gradient([1.0, 2.0], edge_order=2)),
        raising(ValueError, lambda xp: xp.gradient([1.0, 2.0, 3.0], edge_order=3)),
        raising(TypeError, lambda xp: xp.gradient(xp.ones((3, 3)), 1.0, 2.0, 3.0)),
        raising(ValueError, lambda xp: xp.gradient([1.0, 2.0, 3.0], [1.0, 2.0])),
        raising(ValueError, lambda xp: xp.gradient([1.0, 2.0, 3.0], [[1.0, 2.0, 3.0]])),
        raising(np.exceptions.AxisError, lambda xp: xp.gradient([1.0, 2.0, 3.0], axis=1)),
        raising(ValueError, lambda xp: xp.diff([1, 2], n=-1)),
        raising(ValueError, lambda xp: xp.diff(3)),
        raising(ZeroDivisionError, lambda xp: xp.average([1.0, 2.0], weights=[0, 0])),
        raising(TypeError, lambda xp: xp.average([[1.0, 2.0]], weights=[1, 2])),
        raising(ValueError, lambda xp: xp.average([[1.0, 2.0]], weights=[1, 2, 3], axis=1)),
        raising(np.exceptions.AxisError, lambda xp: xp.average([1.0, 2.0], axis=3)),
    ],
)
def test_errors(body):
    check(body)


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS, *COMPLEX, "bool"])
def test_diff(dtype):
    a = (CUBE * 5).astype(dtype)
    with collect() as failures:
        for axis in (0, 1, -1):
            for n in (0, 1, 2, 7):
                with failures:
                    check(
                        lambda xp, n=n, axis=axis: xp.diff(xp.array(a), n, axis), label=f"{dtype} {n} {axis}"
                    )
        with failures:
            check(lambda xp: xp.diff(xp.array(a[0, 0]), prepend=1, append=[0, 1]), label=dtype)


@pytest.mark.parametrize("axis", [0, 1, -1])
@twin(ulps=4)
def test_trapezoid(xp, axis):
    # Positive numbers: sums in another order differ by few ulps.
    a = xp.array(np.abs(CUBE))
    length = CUBE.shape[axis]
    return [
        xp.trapezoid(a, axis=axis),
        xp.trapezoid(a, dx=0.25, axis=axis),
        xp.trapezoid(a, xp.array(UNEVEN[:length]) if length <= 6 else None, axis=axis),
        xp.trapezoid(a, xp.cumsum(a, axis=axis), axis=axis),
        xp.trapezoid([1, 2, 3]),
        xp.trapezoid(xp.array([1, 2, 3], dtype="float32")),
        xp.trapezoid([]),
    ]


@twin(ulps=2)
def test_unwrap(xp):
    angles = xp.array(np.linspace(0, 20, 40) % (2 * np.pi))
    return [
        xp.unwrap(angles),
        xp.unwrap(angles, discont=5.0),
        xp.unwrap(angles.astype("float32")),
        xp.unwrap([0, 1, 2, -1, 0], period=4),
        xp.unwrap([2, 3, 4, 5, 2, 3, 4, 5], period=4),
        xp.unwrap(xp.array([[0, 5, 10], [3, 0, 6]]), axis=0, period=6),
        xp.unwrap(xp.array([[0.0, 5.0, 10.0], [3.0, 0.0, 6.0]]), axis=1, period=6.0),
    ]


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
@twin(ulps=8)
def test_average(xp, axis, keepdims):
    # Positive numbers: sums in another order differ by few ulps.
    a = xp.array(np.abs(CUBE))
    w = xp.array(np.abs(CUBE[::-1]))
    return [
        xp.average(a, axis, keepdims=keepdims),
        xp.average(a, axis, w, keepdims=keepdims),
        xp.average(a, axis, w, returned=True, keepdims=keepdims),
        xp.average(a, axis, returned=True, keepdims=keepdims),
        xp.average((a * 9).astype("int32"), axis, (w * 9).astype("int16"), keepdims=keepdims),
        xp.average(a.astype("float32"), axis, w.astype("float32"), keepdims=keepdims),
        xp.average(a, 1, xp.array([1, 2, 3, 4, 5]), keepdims=keepdims),
    ]
