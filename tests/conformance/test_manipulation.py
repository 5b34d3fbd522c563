"""Manipulation of every dtype, of pending results and of large arrays; what recent NumPy settled."""

from case_texts import RECENT, check_all
from twin import ALL_DTYPES, twin

# ---------------------------------------------------------------------------- every dtype


@twin()
def test_manipulation_keeps_every_dtype(xp):
    results = []
    for dtype in ALL_DTYPES:
        a = (xp.arange(12).reshape(3, 4) % 5).astype(dtype)
        results.append(
            (
                xp.concatenate([a, a.T.reshape(3, 4)]),
                xp.stack([a, a[::-1]]),
                xp.tile(a, (1, 2)),
                xp.repeat(a, [1, 2, 0], axis=0),
                xp.roll(a, 1, axis=1),
                xp.flip(a, 0),
                xp.pad(a, 1, "edge"),
                xp.delete(a, 1, axis=0),
                xp.insert(a, 1, a[0], axis=0),
                a.reshape(4, 3, order="F"),
                xp.resize(a, (2, 3)),
                xp.rot90(a),
                xp.triu(a),
            )
        )
    return results


@twin()
def test_manipulation_of_pending_results(xp):
    a = xp.arange(12.0).reshape(3, 4) * 2 + 1
    b = (a - 3).reshape(4, 3)
    c = xp.concatenate([a * 2, b.T - 1])
    return b.T, c, xp.roll(c + 1, 2), xp.split(c / 2, 2), (c[::-1] * 3).ravel(), xp.stack([a, a]).sum(0)


@twin()
def test_large_joins_and_rearrangements(xp):
    a = xp.arange(120_000.0).reshape(300, 400)
    return (
        xp.concatenate([a, a], axis=1)[::7, ::11],
        xp.roll(a, (5, 7), (0, 1))[::13],
        xp.flip(a)[::17],
        xp.repeat(a, 2, axis=1)[::19, ::5],
        a.T.reshape(400, 300)[::23],
        xp.pad(a, 3, "reflect")[::29],
        a.T.astype(xp.float32)[::31].copy(),
    )


@RECENT
def test_what_recent_numpy_settled():
    check_all("""
        xp.unstack(m)
        xp.unstack(m, axis=1)
        xp.insert(v, v > 3, 7)
        xp.pad(m, {0: (1, 2)})
        xp.pad(m, {-1: 2})
        xp.reshape(v, (2, 3), copy=True)
        xp.reshape(v, (2, 3), copy=False)
        xp.reshape(v, shape=(3, 2))
        xp.reshape(m.T, -1, copy=False)  # ValueError
        xp.clip(w, min=-1, max=1)
        w.clip()
        xp.clip(v.astype(xp.uint8), -1, 300)
        xp.clip(v.astype(xp.int8), 0, 1000)
        xp.clip(w, 0, 1, min=2)  # ValueError
    """)
