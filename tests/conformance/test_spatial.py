"""``cuprum.scipy.spatial`` against ``scipy.spatial``: distances and neighbours."""

import numpy as np
import pytest
import scipy.spatial
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import spatial

RNG = np.random.default_rng(9)
A, B = RNG.standard_normal((13, 5)), RNG.standard_normal((7, 5))
TRUTH_A, TRUTH_B = RNG.random((13, 9)) < 0.5, RNG.random((7, 9)) < 0.5
W = RNG.random(5)
METRICS = [
    "braycurtis",
    "canberra",
    "chebyshev",
    "cityblock",
    "correlation",
    "cosine",
    "euclidean",
    "hamming",
]
METRICS += ["jaccard", "jensenshannon", "mahalanobis", "minkowski", "seuclidean", "sqeuclidean"]
BOOLEAN = ["dice", "hamming", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule"]


def arrays(xp, value):
    return xp.array(value) if isinstance(value, np.ndarray) else value


def checks(bodies, part="spatial.distance", units=1e3, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, part, units, label=f"case {i}", **options)


def pairs(metric, a=A, b=B, **kwargs):
    def body(xp, sp):
        given = {k: arrays(xp, v) for k, v in kwargs.items()}
        return sp.cdist(xp.array(a), xp.array(b), metric, **given), sp.pdist(xp.array(a), metric, **given)

    return body


@pytest.mark.parametrize("metric", METRICS)
def test_metrics(metric):
    a, b = (np.abs(A), np.abs(B)) if metric == "jensenshannon" else (A, B)
    bodies = [
        pairs(metric, a, b),
        pairs(metric, a.astype("f4"), b),
        pairs(metric, a[:0], b) if metric[0] not in "ms" else pairs(metric, a, b),
    ]
    counts = RNG.integers(0, 3, (9, 5)), RNG.integers(0, 3, (6, 5))
    if metric not in ("jensenshannon", "mahalanobis"):
        bodies.append(pairs(metric, *counts))
    if metric not in ("jensenshannon", "mahalanobis", "seuclidean", "jaccard"):
        bodies.append(pairs(metric, w=W))
    if metric == "minkowski":
        bodies += [pairs(metric, p=p) for p in (1, 1.5, 3, np.inf)] + [pairs(metric, p=3, w=W)]
    if metric == "seuclidean":
        bodies.append(pairs(metric, V=W))
    if metric == "mahalanobis":
        bodies.append(pairs(metric, VI=np.cov(A.T)))
    if metric == "jensenshannon":
        half = spatial.distance.cdist(cp.array(a), cp.array(b), metric, base=2.0)
        e = spatial.distance.cdist(cp.array(a), cp.array(b), metric)
        np.testing.assert_allclose(cp.asnumpy(half), cp.asnumpy(e) / np.sqrt(np.log(2)))
    one = getattr(spatial.distance, metric)
    if metric not in ("mahalanobis", "seuclidean"):
        bodies.append(lambda xp, sp: getattr(sp, metric)(xp.array(a[0]), xp.array(b[0])))
        assert one(cp.array(a[0]), cp.array(b[0])).shape == ()
    checks(bodies)


@pytest.mark.parametrize("metric", BOOLEAN)
def test_metrics_of_truth_values(metric):
    weights = RNG.random(9)
    bodies = [pairs(metric, TRUTH_A, TRUTH_B), pairs(metric, TRUTH_A, TRUTH_B, w=weights)]
    bodies.append(lambda xp, sp: getattr(sp, metric)(xp.array(TRUTH_A[0]), xp.array(TRUTH_B[1])))
    bodies.append(
        lambda xp, sp: getattr(sp, metric)(xp.array(TRUTH_A[0]), xp.array(TRUTH_B[1]), xp.array(weights))
    )
    checks(bodies)


def test_vectors_and_options():
    checks(
        [
            lambda xp, sp: sp.minkowski(xp.array(A[0]), xp.array(B[0]), 3, xp.array(W)),
            lambda xp, sp: sp.seuclidean(xp.array(A[0]), xp.array(B[0]), xp.array(W)),
            lambda xp, sp: sp.mahalanobis(xp.array(A[0]), xp.array(B[0]), xp.eye(5)),
            lambda xp, sp: sp.correlation(xp.array(A[0]), xp.array(B[0]), xp.array(W), centered=False),
            lambda xp, sp: sp.jensenshannon(
                xp.abs(xp.array(A)), xp.abs(xp.array(A[::-1].copy())), 2.0, axis=1
            ),
            lambda xp, sp: sp.cdist(xp.array(A), xp.array(B), lambda u, v: float(u[0] * v[1])),
            lambda xp, sp: sp.pdist(xp.array(A[:4]), lambda u, v: abs(u - v).max()),
            lambda xp, sp: sp.cdist(xp.array(A), xp.array(B), "cb", out=xp.empty((13, 7))),
            lambda xp, sp: sp.directed_hausdorff(xp.array(A), xp.array(B)),
            lambda xp, sp: sp.squareform(sp.pdist(xp.array(A))),
            lambda xp, sp: sp.squareform(sp.squareform(xp.arange(1, 7))),
            lambda xp, sp: sp.squareform(xp.empty(0)),
            lambda xp, sp: [sp.is_valid_dm(xp.array(m)) for m in (np.eye(2), np.zeros((2, 2)), A)],
            lambda xp, sp: [sp.is_valid_y(xp.ones(n)) for n in range(5)],
            lambda xp, sp: (sp.num_obs_y(xp.ones(10)), sp.num_obs_dm(xp.zeros((4, 4)))),
            lambda xp, sp: sp.cdist(xp.zeros((1, 3)), xp.array([[0.0, 0, 0], [1, 1, 1]]), "cosine"),
            lambda xp, sp: sp.cdist(xp.zeros((1, 3)), xp.array([[0.0, 0, 0], [1, 1, 1]]), "braycurtis"),
        ]
    )
    bad = [
        lambda xp, sp: sp.cdist(xp.array(A[0]), xp.array(B)),
        lambda xp, sp: sp.cdist(xp.array(A), xp.array(B[:, :3])),
        lambda xp, sp: sp.cdist(xp.array(A), xp.array(B), "strange"),
        lambda xp, sp: sp.cdist(xp.array(A), xp.array(B), out=xp.empty((2, 2))),
        lambda xp, sp: sp.cdist(xp.array(A), xp.array(B), "seuclidean", V=xp.ones(2)),
        lambda xp, sp: sp.cdist(xp.array(A), xp.array(B), w=-xp.ones(5)),
        lambda xp, sp: sp.pdist(xp.array(A[0])),
        lambda xp, sp: sp.euclidean(xp.array(A[0]), xp.array(B[0, :3])),
        lambda xp, sp: sp.squareform(xp.ones(4)),
        lambda xp, sp: sp.squareform(xp.ones((3, 3))),
        lambda xp, sp: sp.squareform(xp.ones((3, 2))),
        lambda xp, sp: sp.squareform(xp.ones((3, 2, 2))),
        lambda xp, sp: sp.num_obs_y(xp.ones(4)),
    ]
    checks(bad, raises=ValueError)
    checks([lambda xp, sp: sp.cdist(xp.array(A), xp.array(B), 3)], raises=TypeError)
    # SciPy returns complex distances, or drops a part.
    for given in ({"metric": "minkowski", "w": 1j}, {"metric": "seuclidean", "V": 1j}):
        given = {key: cp.full(5, one) if one == 1j else one for key, one in given.items()}
        with pytest.raises(ValueError, match="must be real"):
            spatial.distance.cdist(cp.array(A), cp.array(B), **given)
    with pytest.raises(ValueError, match="mahalanobis: VI must be real"):
        spatial.distance.mahalanobis(cp.array(A[0]), cp.array(B[0]), cp.eye(5) * 1j)
    checks(
        [lambda xp, sp, p=p: sp.distance_matrix(xp.array(A), xp.array(B), p=p) for p in (1, 2, 3, np.inf)],
        "spatial",
    )


POINTS, CLUSTERS = RNG.random((700, 3)), np.repeat(RNG.random((5, 2)), 60, axis=0)
FROM = RNG.uniform(-0.2, 1.2, (4, 9, 3))


def tree(then, data=POINTS, **kwargs):
    def body(xp, sp):
        return then(xp, sp, sp.KDTree(xp.array(data), **{k: arrays(xp, v) for k, v in kwargs.items()}))

    return body


@pytest.mark.parametrize("ndim", [1, 2, 3, 7])
def test_nearest_neighbours(ndim):
    data = RNG.standard_normal((500, ndim))
    x = RNG.standard_normal((3, 40, ndim))
    queries = [
        {},
        {"k": 3},
        {"k": 10, "p": 1},
        {"k": 40},
        {"k": 5, "p": np.inf},
        {"k": 2, "p": 3.5},
        {"k": [1, 4, 7]},
        {"k": [2]},
    ]
    queries += [{"k": 4, "distance_upper_bound": 0.2}, {"k": 501}]
    checks([tree(lambda xp, sp, t, q=q: t.query(xp.array(x), **q), data) for q in queries], "spatial")
    checks([tree(lambda xp, sp, t, k=k: t.query(xp.array(x[0, 0]), k=k), data) for k in (1, 2)], "spatial")
    small = [data[:n] for n in (1, 2, 8, 9, 17)]
    checks([tree(lambda xp, sp, t: t.query(xp.array(x[0]), k=3), d) for d in small], "spatial")


def test_neighbours_on_a_torus():
    x = RNG.uniform(-1, 2, (50, 3))
    bodies = [tree(lambda xp, sp, t, k=k: t.query(xp.array(x), k=k), boxsize=1.0) for k in (1, 4, 40)]
    bodies += [tree(lambda xp, sp, t: t.query(xp.array(x), k=3), boxsize=np.array([1.0, 0.0, 2.0]))]
    bodies += [tree(lambda xp, sp, t: t.query_ball_point(xp.array(x), 0.2, return_length=True), boxsize=1.0)]
    bodies += [tree(lambda xp, sp, t: len(t.query_pairs(0.1)), boxsize=1.0)]
    checks(bodies, "spatial")


def lists(found):
    return [sorted(one) for one in np.ravel(found)] if isinstance(found, np.ndarray) else sorted(found)


def test_points_within_a_distance():
    other = RNG.random((80, 3))

    def ball(xp, sp, t):
        many = t.query_ball_point(xp.array(FROM), 0.3)
        return many.shape, lists(many), lists(t.query_ball_point(xp.array(FROM[0, 0]), 0.5))

    def two(then):
        return tree(lambda xp, sp, t: then(xp, t, sp.KDTree(xp.array(other))))

    radii = np.array([0.0, 0.1, 0.25, 3.0])
    weights = RNG.random(700), RNG.random(80)
    bodies = [
        tree(ball),
        tree(ball, CLUSTERS[:, [0, 1, 0]]),
        tree(lambda xp, sp, t: t.query_ball_point(xp.array(FROM), 0.3, p=1, return_length=True)),
        tree(
            lambda xp, sp, t: t.query_ball_point(
                xp.array(FROM[0]), xp.linspace(0, 1, 9), p=np.inf, return_length=True
            )
        ),
        tree(lambda xp, sp, t: sorted(t.query_pairs(0.08))),
        tree(lambda xp, sp, t: t.query_pairs(0.08, output_type="ndarray").shape),
        two(lambda xp, t, u: lists(np.array([*t.query_ball_tree(u, 0.2), None], dtype=object)[:-1])),
        two(lambda xp, t, u: t.count_neighbors(u, xp.array(radii))),
        two(lambda xp, t, u: t.count_neighbors(u, 0.2, p=1)),
        two(lambda xp, t, u: t.count_neighbors(u, xp.array(radii), cumulative=False)),
        two(
            lambda xp, t, u: t.count_neighbors(
                u, xp.array(radii), weights=(xp.array(weights[0]), xp.array(weights[1]))
            )
        ),
        two(lambda xp, t, u: t.sparse_distance_matrix(u, 0.2, output_type="coo_matrix").toarray()),
        two(lambda xp, t, u: sorted(t.sparse_distance_matrix(u, 0.05, p=1, output_type="dict").items())),
    ]
    checks(bodies, "spatial")


def test_bad_trees():
    bad = [
        lambda xp, sp: sp.KDTree(xp.ones(3)),
        lambda xp, sp: sp.KDTree(xp.full((3, 2), np.nan)),
        lambda xp, sp: sp.KDTree(xp.ones((3, 2)), leafsize=0),
        lambda xp, sp: sp.KDTree(xp.ones((3, 2)), boxsize=0.5),
        tree(lambda xp, sp, t: t.query(xp.ones(2))),
        tree(lambda xp, sp, t: t.query(xp.ones(3), k=0)),
        tree(lambda xp, sp, t: t.query(xp.full(3, np.nan))),
        tree(lambda xp, sp, t: t.query(xp.ones(3), p=0.5)),
        tree(lambda xp, sp, t: t.query_pairs(0.1, output_type="strange")),
    ]
    checks(bad, "spatial", raises=ValueError)
    checks([lambda xp, sp: sp.KDTree(xp.ones((3, 2)) * 1j)], "spatial", raises=TypeError)


def test_many_queries_agree_with_all_distances():
    x = RNG.random((3000, 3))
    distance, index = spatial.KDTree(cp.array(x)).query(cp.array(x), k=6)
    every = np.sqrt(((x[:200, None] - x) ** 2).sum(-1))
    np.testing.assert_allclose(cp.asnumpy(distance)[:200], np.sort(every, axis=1)[:, :6], atol=1e-14)
    np.testing.assert_array_equal(cp.asnumpy(index)[:200], np.argsort(every, axis=1)[:, :6])


def test_pairs_in_an_array_are_in_order():
    points = np.random.default_rng(3).random((300, 3))
    found = cp.scipy.spatial.KDTree(cp.asarray(points)).query_pairs(0.1, output_type="ndarray")
    wanted = scipy.spatial.KDTree(points).query_pairs(0.1, output_type="ndarray")
    assert len(wanted) > 100 and found.tolist() == sorted(wanted.tolist())


@pytest.mark.parametrize("metric", ["dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"])
def test_truth_metrics_multiply_vectors_of_numbers(metric):
    whole = RNG.integers(0, 3, 5)
    for u, v in ((A[0], B[1]), (whole, B[2]), (TRUTH_A[0, :5], TRUTH_B[0, :5])):
        checks([lambda xp, sp, u=u, v=v: getattr(sp, metric)(xp.array(u), xp.array(v))], dtype=False)
        checks(
            [lambda xp, sp, u=u, v=v: getattr(sp, metric)(xp.array(u), xp.array(v), xp.array(W))], dtype=False
        )
    checks([lambda xp, sp: sp.cdist(xp.array(A), xp.array(B), metric)])


def test_missing_values_and_no_mass_in_distributions():
    a, b = np.abs(A[:4]), np.abs(B[:3]).copy()
    b[1, 2] = np.nan
    a[2] = 0
    got = spatial.distance.cdist(cp.array(a), cp.array(b), "jensenshannon").get()
    assert np.isnan(got[[0, 1, 3], 1]).all() and np.isinf(got[2, [0, 2]]).all()
    checks([lambda xp, sp: sp.cdist(xp.array(a), xp.array(b[[0, 2]]), "jensenshannon")])
