"""Bin numbers and histograms in several dimensions against NumPy."""

import numpy as np
import pytest
from twin import FLOATS, INTEGERS, check, collect, raising, twin

import cuprum as cp

RNG = np.random.default_rng(12)
SAMPLES = RNG.normal(size=3000)
SHAPES = RNG.normal(size=(6, 7, 5))


def samples(dtype, size):
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return RNG.integers(max(info.min, -90), min(info.max, 90), size).astype(dtype)
    return (RNG.normal(size=size) * 3).astype(dtype)


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
@pytest.mark.parametrize("right", [False, True])
def test_digitize(dtype, right):
    x = samples(dtype, 500)
    with collect() as failures:
        for bins in ([-5, -1, 0, 2, 2, 40], [40, 2, 2, 0, -1, -5], [0.5], [], [1, 1]):
            with failures:
                check(lambda xp, b=bins: xp.digitize(xp.array(x), xp.array(b), right=right))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint64", "int32"])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("kind", ["even", "uneven", "equal", "special"])
@twin()
def test_many_needles(xp, dtype, side, kind):
    """Many needles in few elements are found by cells instead of halving."""
    rng = np.random.default_rng(7)
    edges = {
        "even": np.arange(100) * 3,
        "uneven": np.sort(np.exp(rng.random(300) * 20)),
        "equal": np.repeat(np.arange(10), 9) * 7,
        "special": np.concatenate([np.arange(40.0), [np.inf, np.nan, np.nan]]),
    }[kind]
    if kind == "special" and np.dtype(dtype).kind in "iu":
        edges = np.concatenate([np.arange(40), [2**31 - 2, 2**31 - 1]])
    edges = edges.astype(dtype)
    needles = np.concatenate([rng.random(3000) * 400, edges.astype("float64"), rng.random(50) * 1e9])
    if np.dtype(dtype).kind == "f":
        needles = np.concatenate([needles, [np.nan, np.inf, -np.inf, -1.0, -0.0]])
    else:
        needles = np.minimum(needles, 2.0**31 - 1)
    return xp.searchsorted(xp.array(edges), xp.array(needles.astype(dtype)), side=side)


@twin()
def test_many_large_integers(xp):
    top = 2**63 - 1
    edges = np.array([top - 40 + i for i in range(0, 40, 2)])
    return xp.searchsorted(xp.array(edges), xp.array(np.array([top - 45 + i % 46 for i in range(200)])))


@twin()
def test_digitize_shapes(xp):
    a = xp.array(SHAPES)
    bins = xp.array([-1.0, 0.0, 1.0])
    return [
        xp.digitize(a, bins),
        xp.digitize(a.T[::2], bins[::-1]),
        xp.digitize(1.5, bins),
        xp.digitize([np.nan, np.inf, -np.inf], bins),
        xp.digitize([np.nan, np.inf, -np.inf], bins[::-1], True),
    ]


@pytest.mark.parametrize(
    "body",
    [
        raising(ValueError, lambda xp: xp.digitize([1.0], [0, 2, 1])),
        raising(TypeError, lambda xp: xp.digitize(xp.array([1j]), [0, 1])),
        raising(ValueError, lambda xp: xp.digitize([1.0], [[0, 1]])),
        raising(ValueError, lambda xp: xp.digitize([1.0], 3.0)),
    ],
)
def test_digitize_errors(body):
    check(body)


@pytest.mark.parametrize("density", [None, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_histogramdd(density, weighted):
    points = RNG.normal(size=(400, 3))
    weights = RNG.integers(0, 9, 400) / 4 if weighted else None
    cases = {
        "number": (4, None),
        "numbers": ((2, 3, 4), None),
        "range": ((2, 3, 4), [(-1, 1), None, (-2, 0.5)]),
        "edges": (([-1, 0, 1], [0, 0.5, 2, 3], 3), None),
    }
    with collect() as failures:
        for bins, limits in cases.values():
            with failures:

                def body(xp, bins=bins, limits=limits):
                    w = None if weights is None else xp.array(weights)
                    return xp.histogramdd(xp.array(points), bins, limits, density, w)

                check(body, ulps=4 if density else 0)


@twin()
def test_histogramdd_forms(xp):
    x, y = xp.array(SAMPLES[:200]), xp.array(SAMPLES[200:400])
    return [
        xp.histogramdd([x, y], 3),
        xp.histogramdd((x, y), (3, 4)),
        xp.histogramdd(x, 3),
        xp.histogramdd(xp.empty((0, 2)), 3),
        xp.histogramdd(xp.array([[0, 1], [1, 1], [2, 5]]), 2),
        xp.histogram2d(x, y),
        xp.histogram2d(x, y, 5, [(-1, 1), (0, 1)]),
        xp.histogram2d(x, y, [3, 4]),
        xp.histogram2d(x, y, [-1, 0, 1, 2]),
        xp.histogram2d(x, y, [[-1, 0, 1], [0, 0.5, 2, 3]]),
        xp.histogram2d(x, y, xp.array([-1.0, 0.0, 2.0])),
        xp.histogram2d(x, y, [4, [0, 0.5, 2, 3]], weights=x > 0),
        xp.histogram2d([1, 2], [3, 4]),
        xp.histogram2d(x > 0, y > 0, 3),
    ]


@pytest.mark.parametrize(
    "body",
    [
        raising(ValueError, lambda xp: xp.histogramdd(xp.ones((5, 2)), (1, 2, 3))),
        raising(ValueError, lambda xp: xp.histogramdd(xp.ones((5, 2)), 3, range=[(0, 1)])),
        raising(ValueError, lambda xp: xp.histogramdd(xp.ones((5, 2)), 0)),
        raising(TypeError, lambda xp: xp.histogramdd(xp.ones((5, 2)), (2, 2.5))),
        raising(ValueError, lambda xp: xp.histogramdd(xp.ones((5, 2)), ([2, 1], 3))),
        raising(ValueError, lambda xp: xp.histogramdd(xp.ones((5, 2)), ([[2, 1]], 3))),
        raising(ValueError, lambda xp: xp.histogramdd(xp.array([[1.0, np.nan]]), 3)),
        raising(ValueError, lambda xp: xp.histogramdd(xp.ones((5, 2)), 3, weights=xp.ones(4))),
        raising(ValueError, lambda xp: xp.histogram2d([1, 2], [1])),
        raising(ValueError, lambda xp: xp.histogramdd(xp.array([[-1.5e308], [1.5e308]]), 3)),
    ],
)
def test_histogramdd_errors(body):
    check(body)


@pytest.mark.parametrize("dims", [32, 40, 65])
def test_histogramdd_refuses_grids_that_no_memory_holds(dims):
    with pytest.raises(ValueError, match=f"histogramdd: a grid of {4**dims} cells"):
        cp.histogramdd(cp.ones((3, dims)), 2)
