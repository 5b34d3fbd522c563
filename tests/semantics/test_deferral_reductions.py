"""Reductions that share a pass, and what follows from them: nobody can tell that they run together.

Each program is also run in both modes by `test_deferral_modes.py`: the bits do not depend on what else was
reduced in the same pass. NumPy's own sums of thousands of elements round in the last places, hence the ulps.
"""

import gc

import numpy as np
import pytest
from deferral_programs import N, program, ramp, square
from twin import to_numpy

import cuprum as cp

# At least eight numbers to an axis: of fewer, some are so close that NumPy's own variance has few digits.
SHAPES = [(N,), (151, 151), (2000, 70), (70, 2000), (9, 5000), (5000, 8), (12, 40, 50)]


def noise(xp, shape=N, seed=0, dtype="float64"):
    """Numbers of both signs whose sums are exact in any order, so that what cancels leaves NumPy's value."""
    return xp.array((np.random.default_rng(seed).integers(-128, 128, shape) / 64).astype(dtype))


def far(xp, shape, dtype="float64", seed=0):
    """Numbers away from zero, whose sums round differently in every order."""
    return xp.array((np.random.default_rng(seed).uniform(0.1, 3, shape) + 1).astype(dtype))


@program(ulps=64)
def test_mean_and_deviation_of_every_shape(xp):
    results = []
    for at, shape in enumerate(SHAPES):
        for dtype in ("float32", "float64"):
            x = far(xp, shape, dtype, at)
            for axis in [None, *range(len(shape))]:
                results += [x.mean(axis), x.std(axis), x.var(axis, ddof=1)]
    return results


@program(ulps=64)
def test_normalised_columns_rows_and_planes(xp):
    m, c = noise(xp, (700, 90)), noise(xp, (12, 40, 50), 1, "float32")
    columns = (m - m.mean(0)) / m.std(0)
    rows = (m - m.mean(1, keepdims=True)) / m.std(1, keepdims=True)
    planes = (c - c.mean((0, 2), keepdims=True)) / c.std((0, 2), keepdims=True)
    return columns, rows, planes


@program(ulps=4)
def test_extremes_sums_and_positions_together(xp):
    x = noise(xp, (300, 80))
    y = x * 2 - 1
    results = []
    for axis in (None, 0, 1):
        results += [x.min(axis), x.max(axis), x.sum(axis), (x * x).sum(axis), x.argmax(axis)]
        results += [y.max(axis) - y.min(axis), (y > 0).sum(axis), (y > 0).any(axis), xp.ptp(y, axis)]
    return results


@program(ulps=16)
def test_epilogues_of_scalars_arrays_and_positions(xp):
    m, v = noise(xp, (200, 75)), noise(xp, 75, 3)
    n = xp.sqrt((m * m).sum())
    scaled = m.sum(0) * 2 + 1
    mixed = xp.abs(m).sum(0) / (v * v + 1) - v[::-1]
    counted = m.max(0) + xp.arange(75)
    kept = m.sum(1)
    follows = kept / 75
    both = xp.sqrt(m.var(0) + m.mean(0) ** 2)
    return n, scaled, mixed, counted, kept, follows, both, xp.linalg.norm(m), xp.linalg.norm(m, axis=0)


@program(ulps=16)
def test_dtypes_of_the_epilogue(xp):
    i = (ramp(xp) - 100).astype("int16")
    h = noise(xp).astype("float16")
    z = noise(xp) + 1j * noise(xp, seed=1)
    results = [i.mean(), i.std(), i.sum() / 2, i.max() - i.min(), (i > 0).mean(), h.mean(), h.std()]
    return [*results, z.mean(), z.std(), z.sum() * 2, abs(z.sum()), xp.sqrt(z.var())]


@program(ulps=4)
def test_a_result_kept_dropped_and_mutated(xp):
    x = noise(xp, (120, 90))
    total = x.sum(0)
    mean = total / 120
    dropped = x.max(0)
    del dropped
    gc.collect()
    low = x.min(0)
    total[3:9] = 0
    low += 1
    x[5] = 7
    again = x.sum(0)
    return total, mean, low, again, x


@program(ulps=16)
def test_a_reduction_written_into_what_it_reads(xp):
    m = noise(xp, (150, 60))
    m[0] += m.sum(0)
    m[:, 3] = m.max(1)
    m[2:4] -= m.mean(0) / 2
    s = ramp(xp)
    s[:1] = s.sum() / 2
    t = noise(xp, (90, 90))
    t -= t.mean(0)
    t /= t.std(0)
    u = noise(xp, (60, 60))
    u[...] = u.sum(0) + u.T
    return m, s, t, u


@program(ulps=4)
def test_the_target_of_an_epilogue_is_read_by_it(xp):
    m, v, w = noise(xp, (150, 60)), noise(xp, 60, 1), noise(xp, 60, 2)
    v += m.sum(0)
    xp.add(m.max(0), w, out=w)
    w[::-1] *= m.min(0)
    reused = m.sum(0)
    reused *= 2
    return v, w, reused


@program(ulps=16)
def test_reductions_of_reductions(xp):
    m = noise(xp, (80, 90))
    spread = m.std(0).max() - m.std(0).min()
    softmax = xp.exp(m - m.max(1, keepdims=True))
    softmax = softmax / softmax.sum(1, keepdims=True)
    nested = (m.sum(0) * 2).sum() + m.sum()
    return spread, softmax, nested, (m / m.sum()).sum()


@program()
def test_layouts_and_broadcasts(xp):
    m = square(xp)
    results = []
    for x in (m, m.T, m[::-1, ::2], m[3:, 5:].T, xp.broadcast_to(m[0], (40, 151))):
        results += [x.min(0), x.max(0), x.min(1), x.max(), x.argmin(1), (x > 0).sum(0)]
    return results


@program()
def test_one_pending_array_read_whole_and_turned(xp):
    a, b = square(xp), square(xp, 1)
    p = a + b
    q = p * p.T
    r = a - b
    s = r.T * r
    return q, s, (a * b) - (a * b)[::-1]


# ---------------------------------------------------------------------------------------------------------
# What was fused


@pytest.mark.fusion
def test_fusion_normalising_is_two_programs():
    m = noise(cp, (600, 500))
    with cp.testing.fusion_log() as log:
        to_numpy((m - m.mean(0)) / m.std(0))
    assert len(log) == 2, "\n\n".join(log)
    assert "sum" in log[0] and "var" in log[0]


@pytest.mark.fusion
def test_fusion_a_result_that_is_pending_runs_with_the_one_asked_for():
    x = noise(cp, 200_000)
    with cp.testing.fusion_log() as log:
        mean, deviation, low = x.mean(), x.std(), (x * 2).min()
        values = float(deviation), float(mean), float(low)
    assert len(log) == 1, "\n\n".join(log)
    host = to_numpy(x)
    np.testing.assert_allclose(values, (host.std(), host.mean(), (host * 2).min()), rtol=1e-12)


@pytest.mark.fusion
def test_fusion_what_follows_a_reduction_is_one_program():
    x = noise(cp, 200_000)
    with cp.testing.fusion_log() as log:
        float(cp.sqrt((x * x).sum()) / 3 + 1)
    assert len(log) == 1, "\n\n".join(log)
