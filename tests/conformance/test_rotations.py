"""Rotations of ``cuprum.scipy.spatial.transform`` against SciPy's."""

import itertools

import numpy as np
import pytest
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy.spatial import transform

RNG = np.random.default_rng(4)
QUATS = RNG.standard_normal((9, 4))
VECTORS = np.concatenate([RNG.standard_normal((8, 3)), np.full((1, 3), 1e-5)])
ANGLES = RNG.uniform(-180, 180, (9, 3))


def checks(bodies, units=1e4, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "spatial.transform", units, label=f"case {i}", **options)


def of(then, quats=QUATS):
    return lambda xp, sp: then(xp, sp, sp.Rotation.from_quat(xp.array(quats)))


def test_forms():
    checks(
        [
            of(lambda xp, sp, r: r.as_quat()),
            of(lambda xp, sp, r: (r.as_quat(canonical=True), r.as_quat(scalar_first=True))),
            of(lambda xp, sp, r: (r.as_matrix(), r.as_rotvec(), r.as_rotvec(degrees=True), r.as_mrp())),
            of(lambda xp, sp, r: (r.as_matrix(), r.as_rotvec()), QUATS[0]),
            lambda xp, sp: sp.Rotation.from_quat(xp.array(QUATS), scalar_first=True).as_quat(),
            lambda xp, sp: sp.Rotation.from_rotvec(xp.array(VECTORS)).as_quat(),
            lambda xp, sp: sp.Rotation.from_rotvec(xp.array(VECTORS[0] * 90), degrees=True).as_quat(),
            lambda xp, sp: sp.Rotation.from_mrp(xp.array(VECTORS)).as_quat(),
            lambda xp, sp: sp.Rotation.from_matrix(
                sp.Rotation.from_quat(xp.array(QUATS)).as_matrix()
            ).as_matrix(),
            lambda xp, sp: sp.Rotation.from_matrix(xp.array(np.eye(3) + 0.1 * VECTORS[:3])).as_matrix(),
            lambda xp, sp: (sp.Rotation.identity().as_quat(), sp.Rotation.identity(3).as_matrix()),
        ]
    )


@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_angles(case):
    sequences = ["".join(s) for s in itertools.product("xyz", repeat=3) if s[0] != s[1] and s[1] != s[2]]
    bodies = []
    for seq in map(case, sequences):
        bodies.append(of(lambda xp, sp, r, s=seq: r.as_euler(s, degrees=True)))
        bodies.append(
            lambda xp, sp, s=seq: sp.Rotation.from_euler(s, xp.array(ANGLES), degrees=True).as_matrix()
        )
    for seq in map(case, ("x", "yz", "z")):
        a = ANGLES[:, : len(seq)]
        bodies.append(lambda xp, sp, s=seq, a=a: sp.Rotation.from_euler(s, xp.array(a)).as_matrix())
    locked = np.array([[10.0, 90.0, 30.0], [20.0, -90.0, 40.0]])
    bodies.append(
        lambda xp, sp: sp.Rotation.from_euler(case("xyz"), xp.array(locked), degrees=True).as_euler(
            case("xyz"), degrees=True
        )
    )
    checks(bodies, 1e6)
    checks([of(lambda xp, sp, r, s=s: r.as_euler(s)) for s in ("xx", "xxy", "xYz", "abc")], raises=ValueError)


def test_uses():
    other = RNG.standard_normal((9, 4))
    checks(
        [
            of(lambda xp, sp, r: (r.apply(xp.array(VECTORS)), r.apply(xp.array(VECTORS[0]), inverse=True))),
            of(lambda xp, sp, r: r.apply(xp.array(VECTORS)), QUATS[1]),
            of(
                lambda xp, sp, r: (
                    r.inv().as_matrix(),
                    r.magnitude(),
                    (r**2.5).as_matrix(),
                    (r**-1).as_matrix(),
                )
            ),
            of(lambda xp, sp, r: (r * sp.Rotation.from_quat(xp.array(other))).as_matrix()),
            of(lambda xp, sp, r: (r * sp.Rotation.from_quat(xp.array(other[0]))).as_matrix()),
            of(lambda xp, sp, r: (r.mean().as_matrix(), r.mean(xp.arange(9)).as_matrix())),
            of(lambda xp, sp, r: (len(r), r.single, r[2].as_matrix(), r[3:5].as_matrix())),
            of(lambda xp, sp, r: sp.Rotation.concatenate([r, r[:2]]).as_matrix()),
            of(lambda xp, sp, r: r.approx_equal(r[0], atol=0.1)),
            lambda xp, sp: [
                p.as_matrix() if i == 0 else p
                for i, p in enumerate(
                    sp.Rotation.align_vectors(xp.array(VECTORS), xp.array(VECTORS[::-1].copy()))
                )
            ],
            of(
                lambda xp, sp, r: sp.Slerp(xp.arange(9.0), r)(xp.array([0.0, 0.3, 4.0, 7.9, 8.0])).as_matrix()
            ),
            of(lambda xp, sp, r: sp.Slerp(xp.arange(9.0), r)(2.5).as_matrix()),
        ],
        1e6,
    )
    bad = [
        lambda xp, sp: sp.Rotation.from_quat(xp.zeros(4)),
        lambda xp, sp: sp.Rotation.from_quat(xp.ones(3)),
        lambda xp, sp: sp.Rotation.from_matrix(-xp.eye(3)),
        lambda xp, sp: sp.Rotation.from_rotvec(xp.ones(4)),
        lambda xp, sp: sp.Rotation.from_euler("xyz", xp.ones(2)),
        of(lambda xp, sp, r: r.apply(xp.ones((4, 3)))),
        of(lambda xp, sp, r: r * r[:4]),
        of(lambda xp, sp, r: r.mean(-xp.ones(9))),
        of(lambda xp, sp, r: sp.Slerp(xp.zeros(9), r)),
        of(lambda xp, sp, r: sp.Slerp(xp.arange(9.0), r)(11.0)),
    ]
    checks(bad, raises=ValueError)
    checks([of(lambda xp, sp, r: len(r), QUATS[0]), of(lambda xp, sp, r: r[0], QUATS[0])], raises=TypeError)


def test_random_rotations_are_rotations():
    m = cp.asnumpy(transform.Rotation.random(200, rng=1).as_matrix())
    np.testing.assert_allclose(m @ np.swapaxes(m, 1, 2), np.broadcast_to(np.eye(3), m.shape), atol=1e-12)
    assert abs(m.mean(0)).max() < 0.2
    with pytest.raises(AttributeError, match="Slerp"):
        transform.RotationSpline
