"""Triangulations, hulls and interpolation between scattered points against SciPy."""

import numpy as np
import pytest
import scipy.spatial
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import interpolate, spatial
from cuprum.scipy.spatial import _delaunay

RNG = np.random.default_rng(21)
GRID = np.stack(np.meshgrid(np.arange(6.0), np.arange(7.0)), -1).reshape(-1, 2)
POINTS = RNG.random((60, 2))
VALUES = RNG.standard_normal((60, 2))
AT = RNG.uniform(-0.1, 1.1, (5, 7, 2))


def checks(bodies, part="interpolate", units=1e4, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, part, units, label=f"case {i}", **options)


def triples(simplices):
    return sorted(map(tuple, np.sort(simplices, axis=1).tolist()))


@pytest.mark.parametrize("count", [3, 4, 10, 400])
def test_triangulations_of_points_in_general_position(count):
    for points in (RNG.random((count, 2)), RNG.standard_normal((count, 2)) * [1e3, 1e-3]):
        theirs, ours = scipy.spatial.Delaunay(points), spatial.Delaunay(cp.array(points))
        assert triples(cp.asnumpy(ours.simplices)) == triples(theirs.simplices)
        assert triples(cp.asnumpy(ours.convex_hull)) == triples(theirs.convex_hull)
        at = RNG.uniform(-0.2, 1.2, (50, 2))
        found = cp.asnumpy(ours.find_simplex(cp.array(at)))
        expected = theirs.find_simplex(at)
        assert np.array_equal(found < 0, expected < 0)
        inside = found >= 0
        a, b = cp.asnumpy(ours.simplices)[found[inside]], theirs.simplices[expected[inside]]
        assert np.array_equal(np.sort(a, axis=1), np.sort(b, axis=1))
        # Neighbours share the edge opposite to a vertex.
        simplices, neighbors = cp.asnumpy(ours.simplices), cp.asnumpy(ours.neighbors)
        for t, k in zip(*np.nonzero(neighbors >= 0), strict=True):
            edge = set(simplices[t]) - {simplices[t][k]}
            assert edge <= set(simplices[neighbors[t][k]])


def test_triangulations_of_degenerate_points():
    cases = [GRID, np.concatenate([GRID, GRID[:5]]), GRID * 0.1, GRID + 1e6]
    cases += [RNG.integers(0, 8, (n, 2)).astype(float) for n in (12, 30, 70)]
    angle = np.linspace(0, 2 * np.pi, 33)[:-1]
    cases += [
        np.stack([np.cos(angle), np.sin(angle)], 1),
        np.array([[0, 0], [1, 0], [2, 0], [3, 0], [1, 5.0]]),
    ]
    for points in cases:
        made = spatial.Delaunay(cp.array(points))
        corner = points[cp.asnumpy(made.simplices)]
        u, v = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
        area = (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / 2
        hull = scipy.spatial.ConvexHull(points)
        assert area.min() > 0
        np.testing.assert_allclose(area.sum(), hull.volume, rtol=1e-9)
        distinct = np.unique(points, axis=0)
        used = np.unique(points[np.unique(cp.asnumpy(made.simplices))], axis=0)
        assert np.array_equal(used, distinct)
        assert len(made.coplanar) == len(points) - len(distinct)
        ours = spatial.ConvexHull(cp.array(points))
        np.testing.assert_allclose([ours.volume, ours.area], [hull.volume, hull.area], rtol=1e-9)


def test_hulls():
    points = RNG.standard_normal((200, 2))
    theirs, ours = scipy.spatial.ConvexHull(points), spatial.ConvexHull(cp.array(points))
    assert sorted(cp.asnumpy(ours.vertices)) == sorted(theirs.vertices)
    assert triples(cp.asnumpy(ours.simplices)) == triples(theirs.simplices)
    key = lambda rows: rows[np.lexsort(rows.T)]
    np.testing.assert_allclose(key(cp.asnumpy(ours.equations)), key(theirs.equations), atol=1e-12)


def test_points_that_span_nothing():
    for name in ("Delaunay", "ConvexHull"):
        for points in (np.zeros((5, 2)), np.stack([np.arange(5.0)] * 2, 1), np.ones((2, 2))):
            with pytest.raises(spatial.QhullError):
                getattr(spatial, name)(cp.array(points))
        with pytest.raises(NotImplementedError, match="plane"):
            getattr(spatial, name)(cp.ones((9, 3)))
        with pytest.raises(ValueError, match="NaN"):
            getattr(spatial, name)(cp.full((9, 2), np.nan))


def made(name, *args, points=AT, **kwargs):
    def body(xp, sp):
        arrays = [xp.array(a) if isinstance(a, np.ndarray) else a for a in args]
        return getattr(sp, name)(*arrays, **kwargs)(xp.array(points))

    return body


@pytest.mark.parametrize(
    "name", ["LinearNDInterpolator", "NearestNDInterpolator", "CloughTocher2DInterpolator"]
)
def test_scattered_values(name):
    bodies = [
        made(name, POINTS, VALUES),
        made(name, POINTS, VALUES[:, 0] + 1j),
        made(name, POINTS, np.arange(60)),
    ]
    bodies += [made(name, POINTS * [1e4, 1], VALUES, points=AT * [1e4, 1], rescale=True)]
    if name != "NearestNDInterpolator":
        bodies += [made(name, POINTS, VALUES, fill_value=-2.0)]
    bodies += [
        lambda xp, sp: getattr(sp, name)(xp.array(POINTS), xp.array(VALUES))(
            xp.array(AT[..., 0]), xp.array(AT[..., 1])
        )
    ]
    if name[0] == "C":
        # Gradients are found by rounds that end at a change of `tol`: values agree to the default of 1e-6.
        bodies = [made(name, POINTS, VALUES, tol=1e-13), made(name, POINTS, VALUES[:, 0] + 1j, tol=1e-13)]
        checks(bodies, units=1e4)
        bodies = [made(name, POINTS * [1e4, 1], VALUES, points=AT * [1e4, 1], rescale=True, tol=1e-13)]
        checks([*bodies, made(name, POINTS, VALUES, fill_value=-2.0, tol=1e-13)], units=1e4)
        checks([made(name, POINTS, VALUES), made(name, POINTS, np.arange(60))], units=1e-6 / 2**-52)
    else:
        checks(bodies)
    bad = [made(name, POINTS, VALUES[:5]), made(name, POINTS, VALUES, points=AT[..., :1])]
    checks(bad, raises=ValueError)


def test_gradients_are_exact_for_planes():
    plane = 2 * POINTS[:, 0] - 3 * POINTS[:, 1]
    f = interpolate.CloughTocher2DInterpolator(cp.array(POINTS), cp.array(plane), tol=1e-10)
    at = RNG.uniform(0.3, 0.7, (40, 2))
    np.testing.assert_allclose(cp.asnumpy(f(cp.array(at))), 2 * at[:, 0] - 3 * at[:, 1], atol=1e-8)


def test_griddata():
    x, y = np.sort(RNG.random(12)), RNG.standard_normal(12)
    bodies = [
        lambda xp, sp, m=m: sp.griddata(xp.array(POINTS), xp.array(VALUES), xp.array(AT), m)
        for m in ("linear", "nearest")
    ]
    bodies += [
        lambda xp, sp, m=m: sp.griddata(xp.array(x), xp.array(y), xp.linspace(-0.1, 1.1, 9), m)
        for m in ("linear", "nearest", "cubic")
    ]
    bodies += [
        lambda xp, sp: sp.griddata(
            xp.array(POINTS), xp.array(VALUES), (xp.array(AT[..., 0]), xp.array(AT[..., 1]))
        )
    ]
    checks(bodies)
    checks(
        [lambda xp, sp: sp.griddata(xp.array(POINTS), xp.array(VALUES), xp.array(AT), "cubic")],
        units=1e-6 / 2**-52,
    )
    checks(
        [lambda xp, sp: sp.griddata(xp.array(POINTS), xp.array(VALUES), xp.array(AT), "strange")],
        raises=ValueError,
    )
    checks(
        [
            lambda xp, sp: (
                sp.NearestNDInterpolator(xp.array(RNG.random((9, 3))), xp.arange(9))(xp.zeros((2, 3))).shape
            )
        ]
    )


def test_points_one_by_one_and_many_at_once():
    """The way of a CPU and that of a GPU, which a CPU can go, too, find SciPy's triangles."""
    rng = np.random.default_rng(8)
    sets = [rng.random((2000, 2)), rng.standard_normal((700, 2)) ** 3, rng.random((300, 2)) * [1.0, 1e-7]]
    sets += [sets[0] * 1e-150, sets[0] * 1e150, np.array([[0.0, 0], [1, 0], [0, 1]])]
    for points in sets:
        theirs = scipy.spatial.Delaunay(points / np.abs(points).max()).simplices
        want = np.unique(np.sort(theirs, 1), axis=0)
        made = _delaunay._Triangulation("Delaunay", cp.array(points))
        for insert in (made._insert_all, made._insert_many):
            insert(_delaunay._first_triangle("Delaunay", made.xy))
            simplices, neighbors = (part.get() for part in made.finite())
            np.testing.assert_array_equal(np.unique(np.sort(simplices, 1), axis=0), want)
            for k in range(3):
                inner = np.flatnonzero(neighbors[:, k] >= 0)
                shared = np.sort(simplices[inner][:, [(k + 1) % 3, (k + 2) % 3]], 1)
                beyond = simplices[neighbors[inner, k]]
                assert all(np.isin(edge, other).all() for edge, other in zip(shared, beyond, strict=True))
