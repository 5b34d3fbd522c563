"""Covariances, correlations and interpolation against NumPy."""

import numpy as np
import pytest
from twin import ALL_DTYPES, check, collect, raising, twin

RNG = np.random.default_rng(21)
ROWS = RNG.normal(size=(4, 50))
POINTS = np.sort(RNG.normal(size=30))
VALUES = RNG.normal(size=30)


def near(body, label=""):
    """Products are summed in another order than BLAS's: 50 terms, some ulps of the largest element."""

    def scaled(xp):
        result = body(xp)
        return xp.round(result / xp.abs(result).max(), 13)

    check(scaled, ulps=4, label=label)
    check(lambda xp: (body(xp).shape, body(xp).dtype), label=label)


@pytest.mark.parametrize("dtype", [d for d in ALL_DTYPES if d != "bool"])
def test_cov_dtypes(dtype):
    a = (ROWS * 10).astype(dtype)
    near(lambda xp: xp.cov(xp.array(a)), label=dtype)
    near(lambda xp: xp.corrcoef(xp.array(a)), label=dtype)


@pytest.mark.parametrize("rowvar", [True, False])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("ddof", [None, 0, 2])
def test_cov_options(rowvar, bias, ddof):
    rng = np.random.default_rng(2)
    a = rng.normal(size=(6, 6))
    options = {"rowvar": rowvar, "bias": bias, "ddof": ddof}
    f, w = rng.integers(1, 5, 6), rng.random(6)
    with collect() as failures:
        for weights in ({}, {"fweights": f}, {"aweights": w}, {"fweights": f, "aweights": w}):
            with failures:

                def body(xp, weights=weights):
                    given = {name: xp.array(value) for name, value in weights.items()}
                    return xp.cov(xp.array(a), **given, **options)

                near(body, label=f"{options} {list(weights)}")


@twin(ulps=4)
def test_cov_forms(xp):
    x, y = xp.array([1.0, 2.0, 4.0, 3.0]), xp.array([2.0, 1.0, 0.0, 5.0])
    return [
        xp.cov(x),
        xp.cov(x, y),
        xp.cov(x[:, None], y[:, None], rowvar=False),
        xp.cov(xp.array([[1.0]])),
        xp.cov(xp.array(3.0)),
        xp.cov(xp.empty((0, 3))),
        xp.cov(xp.empty((0,))),
        xp.cov(x, ddof=4),
        xp.cov(x, dtype="float32"),
        xp.cov(xp.array([1j, 2, 3 + 1j])),
        xp.corrcoef(x),
        xp.corrcoef(x, y),
        xp.corrcoef(xp.array([[1.0, 1.0], [1.0, 2.0]])),
        xp.corrcoef(x, dtype="float32"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        raising(ValueError, lambda xp: xp.cov(xp.ones((2, 2, 2)))),
        raising(ValueError, lambda xp: xp.cov(xp.ones(2), xp.ones((2, 2, 2)))),
        raising(ValueError, lambda xp: xp.cov(xp.ones(3), ddof=1.5)),
        raising(TypeError, lambda xp: xp.cov(xp.ones(3), fweights=[1.5, 1, 1])),
        raising(ValueError, lambda xp: xp.cov(xp.ones(3), fweights=[-1, 1, 1])),
        raising(RuntimeError, lambda xp: xp.cov(xp.ones(3), fweights=[[1, 1, 1]])),
        raising(RuntimeError, lambda xp: xp.cov(xp.ones(3), fweights=[1, 1])),
        raising(ValueError, lambda xp: xp.cov(xp.ones(3), aweights=[-1, 1, 1])),
        raising(RuntimeError, lambda xp: xp.cov(xp.ones(3), aweights=[1, 1])),
        raising(RuntimeError, lambda xp: xp.cov(xp.ones(3), aweights=[[1, 1, 1]])),
        raising(ZeroDivisionError, lambda xp: xp.cov(xp.ones(3), aweights=[0, 0, 0])),
        raising(ValueError, lambda xp: xp.cov(xp.ones((2, 3)), xp.ones((2, 2)))),
        raising(TypeError, lambda xp: xp.cov(xp.array([[1.0, 2.0, 4.0]]), dtype="int32")),
        raising(TypeError, lambda xp: xp.corrcoef(xp.array([[1, 2, 4], [3, 1, 2]]), dtype="int8")),
    ],
)
def test_cov_errors(body):
    check(body)


@pytest.mark.parametrize("dtype", [d for d in ALL_DTYPES if not d.startswith("complex")])
@twin()
def test_interp_dtypes(xp, dtype):
    x = xp.array([0, 1, 2, 3, 1, 0]).astype(dtype)
    points = xp.array([0, 1]).astype(dtype)
    return xp.interp(x, points, xp.array([1, 0]).astype(dtype)), xp.interp(x, [0, 2, 4], [1j, 2, 3])


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 30])
@pytest.mark.parametrize("size", [1, 3, 2000, 70_000])
@pytest.mark.parametrize("values", ["real", "complex"])
@twin()
def test_interp(xp, count, size, values):
    rng = np.random.default_rng(count * size)
    points = xp.array(POINTS[:count])
    x = xp.array(np.concatenate([rng.normal(size=size) * 2, POINTS[:count]]))
    f = xp.array(VALUES[:count] if values == "real" else VALUES[:count] + 1j * VALUES[::-1][:count])
    return [
        xp.interp(x, points, f),
        xp.interp(x, points, f, left=-7, right=9.5),
        xp.interp(x, points, f, right=np.nan),
    ]


@twin()
def test_interp_special(xp):
    inf, nan = np.inf, np.nan
    x = xp.array([-inf, -1.0, -0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, inf, nan])
    return [
        xp.interp(x, [0, 1, 2], [inf, 5, 5]),
        xp.interp(x, [0, 1, 2], [-inf, inf, inf]),
        xp.interp(x, [0, 1, 2], [nan, 1, 2]),
        xp.interp(x, [-inf, 0, inf], [1, 2, 3]),
        xp.interp(x, [-inf, 0, inf], [1, 1, 3]),
        xp.interp(x, [0, 0, 1, 1, 2], [1, 2, 3, 4, 5]),
        xp.interp(x, [0, 1e-310, 2e-310, 2], [1, 2, 3, 4]),
        xp.interp(x, [-1e308, 0, 1e308], [1, 2, 3]),
        xp.interp(x, [0, 1, 2], [inf + 1j, 5, 5 - 2j]),
    ]


@twin()
def test_interp_shapes(xp):
    a = xp.array(RNG.normal(size=0))
    grid = xp.array(np.arange(24.0).reshape(2, 3, 4))
    points, f = xp.array([0.0, 9.0, 30.0]), xp.array([1.0, 5.0, -5.0])
    return [
        xp.interp(a, points, f),
        xp.interp(0.3, points, f),
        xp.interp(grid, points, f),
        xp.interp(grid.T, points, f),
        xp.interp(grid[::-1, ::2, 1], points, f),
        xp.interp(grid, points[::2], f[::2]),
        xp.interp(grid, xp.array([30.0, 9.0, 0.0])[::-1], f[::-1]),
        xp.interp(xp.broadcast_to(xp.array(3.0), (2, 2)), points, f),
    ]


@pytest.mark.parametrize("period", [360, -360.0, 2.5])
@twin()
def test_interp_period(xp, period):
    x = xp.array([-180.0, -170, -185, 185, -10, -5, 0, 365, 1e6, np.nan])
    points, f = xp.array([190, -190, 350, -350]), xp.array([5, 10, 3, 4])
    return [
        xp.interp(x, points, f, period=period),
        xp.interp(x, points, f * 1j, period=period, left=3, right=4),
        xp.interp(3, [1], [2.5], period=period),
    ]


@pytest.mark.parametrize(
    "body",
    [
        raising(ValueError, lambda xp: xp.interp(1.0, [], [])),
        raising(ValueError, lambda xp: xp.interp(1.0, [1, 2], [1])),
        raising(ValueError, lambda xp: xp.interp(1.0, [[1, 2]], [[1, 2]])),
        raising(ValueError, lambda xp: xp.interp(1.0, 1.0, 1.0)),
        raising(TypeError, lambda xp: xp.interp(1j, [1, 2], [3, 4])),
        raising(TypeError, lambda xp: xp.interp(1.0, [1, 2j], [3, 4])),
        raising(TypeError, lambda xp: xp.interp(1.0, [1, 2], [3, 4], left=1j)),
        raising(TypeError, lambda xp: xp.interp(1.0, [1, 2], [3, 4], left="a")),
        raising(ValueError, lambda xp: xp.interp(1.0, [1, 2], [3, 4], period=0)),
        raising(ValueError, lambda xp: xp.interp(1.0, [1, 2], [3], period=1)),
        raising(ValueError, lambda xp: xp.interp(1.0, [[1, 2]], [[3, 1]], period=1)),
    ],
)
def test_interp_errors(body):
    check(body)
