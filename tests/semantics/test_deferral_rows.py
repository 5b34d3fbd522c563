"""Reductions whose results go back to their rows, and sums of few elements: nobody can tell that they fuse.

Each program is also run in both modes by `test_deferral_modes.py`: the bits are those of every op alone.
"""

import numpy as np
import pytest
from deferral_programs import program
from twin import fresh_python, to_numpy

import cuprum as cp

# Rows of a few elements, of less than a block, of some blocks, and of more than threads keep.
SHAPES = [
    (400, 10),
    (64, 513),
    (90, 1024),
    (33, 3000),
    (17, 20_000),
    (3, 40_000),
    (5, 7, 300),
    (1, 5000),
    (1100, 300),
]


def noise(xp, shape, dtype="float64", seed=0):
    """Numbers whose sums are exact in any order, so that what cancels leaves NumPy's value."""
    return xp.array((np.random.default_rng(seed).integers(-256, 256, shape) / 64).astype(dtype))


def softmax(xp, x, axis=-1):
    e = xp.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def layer_norm(xp, x, gain):
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = xp.sqrt((centred * centred).mean(axis=-1, keepdims=True) + 1e-5)
    return centred / spread * gain


def total(xp, x):
    """Rows that sum to one, and the logarithm of what they were divided by."""
    top = x.max(axis=-1)
    return xp.log(xp.exp(x - top[..., None]).sum(axis=-1)) + top


@program(ulps=16)
def test_rows_of_every_length(xp):
    results = []
    for at, shape in enumerate(SHAPES):
        x = noise(xp, shape, seed=at)
        gain = noise(xp, shape[-1], seed=20)
        results += [softmax(xp, x), layer_norm(xp, x, gain), total(xp, x)]
        results.append((x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True))
    return results


@program(ulps=16)
def test_single_precision(xp):
    results = []
    for at, shape in enumerate(SHAPES):
        x = noise(xp, shape, "float32", at)
        # Elements near the mean have few digits in common with NumPy's: far from zero all have.
        scaled = (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True) + 8
        results += [softmax(xp, x), scaled]
    return results


@program(ulps=8)
def test_other_dtypes(xp):
    h, c = noise(xp, (50, 700), "float16"), noise(xp, (40, 300)) + 1j * noise(xp, (40, 300), seed=1)
    i = xp.array(np.random.default_rng(2).integers(-99, 99, (60, 900)).astype("int32"))
    half = h - h.max(-1, keepdims=True)
    parts = xp.abs(c) / xp.abs(c).max(-1, keepdims=True)
    counts = (i - i.min(1, keepdims=True)) % 7 == (i > 0).sum(1, keepdims=True) % 7
    where = xp.where(i == i.max(1)[:, None], i.argmax(1)[:, None], -1)
    wide = h.astype("float64")
    differences = xp.subtract.reduce(wide - wide.max(-1, keepdims=True), axis=1)
    return half, parts, counts, where, (i > i.mean(1, keepdims=True)).sum(1), differences


@program(ulps=64)
def test_views_transposes_and_several_axes(xp):
    x, y = noise(xp, (60, 2, 1600)), noise(xp, (400, 80), seed=1)
    strided = softmax(xp, x[:, 1, ::-2])
    turned = softmax(xp, y.T, axis=-1)
    columns = softmax(xp, y, axis=0)
    box = noise(xp, (20, 30, 40), seed=2)
    planes = (box - box.mean((1, 2), keepdims=True)) / box.std((1, 2), keepdims=True)
    middle = box - box.sum(1, keepdims=True)
    lower = xp.where(xp.tri(400, 80, dtype=bool), y, -1e9)
    wide = xp.broadcast_to(noise(xp, 600, seed=3), (50, 600))
    return strided, turned, columns, planes, middle, softmax(xp, lower), wide - wide.max(-1, keepdims=True)


@program(ulps=16)
def test_what_is_kept_is_stored(xp):
    x = noise(xp, (70, 1300))
    top = x.max(1, keepdims=True)
    e = xp.exp(x - top)
    s = e.sum(1, keepdims=True)
    y = e / s
    rows = xp.log(s[:, 0]) + xp.arange(70)
    z = y * rows[:, None] + x.sum(0)
    return z.sum(1), y, rows, e, s, top


@program(ulps=64)
def test_one_row_and_rows_in_a_row(xp):
    x = noise(xp, 6000)
    unit = x / xp.sqrt((x * x).sum())
    for _ in range(3):
        x = (x - x.mean()) / x.std()
    y = noise(xp, (80, 640), seed=1)
    for _ in range(3):
        y = y / xp.sqrt((y * y).sum(1, keepdims=True)) + y.max(1, keepdims=True)
    return unit, x, y


@program(ulps=16)
def test_numbers_and_arrays_of_each_run(xp):
    """Work of one structure again and again: numbers and arrays are those of the run."""
    results = []
    for shape in ((40, 700), (6000,), (300, 12)):
        for at, factor in enumerate((0.5, -2.0, 3.0)):
            x = noise(xp, shape, seed=at)
            scaled = factor * x + at
            e = xp.exp((scaled - scaled.max(-1, keepdims=True)) / (at + 2))
            kept = abs(factor) * e.sum(-1, keepdims=True) + 7
            results += [e / (e.sum(-1, keepdims=True) + factor + 3), kept]
    return results


@program()
def test_what_no_number_is(xp):
    x = np.random.default_rng(0).uniform(-1, 1, (40, 800))
    x[3, 5], x[4, 7], x[5, :], x[6, 2:4] = np.nan, np.inf, -np.inf, (np.inf, -np.inf)
    x = xp.array(x)
    zeros = xp.zeros((30, 700)) * -1.0
    return x - x.max(1, keepdims=True), x > x.mean(1, keepdims=True), zeros / zeros.sum(1, keepdims=True)


@program()
def test_nothing(xp):
    x, y = xp.zeros((0, 5)), xp.zeros((5, 0))
    return x - x.max(1, keepdims=True), y - y.sum(1, keepdims=True), softmax(xp, xp.ones((40, 1)))


@program(ulps=16)
def test_sums_of_few(xp):
    results = []
    for n in range(1, 10):
        for dtype in ("float64", "float32", "float16", "int32", "complex128"):
            p = noise(xp, (120, n), seed=n).astype(dtype)
            apart = p[:, None, :] - p[None]
            square = (apart * apart).sum(-1)
            results += [square, square.T + (apart + 1).sum(-1), (xp.abs(apart).T + 1).sum(0)]
    zeros = xp.zeros((3000, 3)) * -1.0
    return *results, (zeros * 2).sum(1)


@program(ulps=256)
def test_bodies_and_the_nearest(xp):
    place = noise(xp, (150, 3))
    apart = place[None, :, :] - place[:, None, :]
    weight = ((apart * apart).sum(-1) + 0.01) ** -1.5
    force = (apart * weight[:, :, None]).sum(1)
    nearest = ((place[:, None] - place[None, 10:30]) ** 2).sum(-1).argmin(1)
    return force, nearest


def programs_of(function):
    with cp.fusion_log() as log:
        to_numpy(function())
    return [str(entry) for entry in log]


@pytest.mark.fusion
@pytest.mark.parametrize("shape", [(400, 100), (64, 2000), (4, 5, 3000)])
def test_a_row_is_read_once(shape):
    x, gain = (cp.array(np.random.default_rng(0).uniform(-1, 1, n)) for n in (shape, shape[-1]))
    assert len(programs_of(lambda: softmax(cp, x))) == 1
    assert len(programs_of(lambda: layer_norm(cp, x, gain))) == 1
    assert len(programs_of(lambda: total(cp, x))) == 1


@pytest.mark.fusion
def test_pairs_are_not_stored():
    # More than caches hold: less is stored where the program still holds it while work begins, as on a GPU.
    n = 1700
    place = cp.array(np.random.default_rng(0).uniform(-1, 1, (n, 3)))

    def forces():
        apart = place[None, :, :] - place[:, None, :]
        weight = ((apart * apart).sum(-1) + 0.01) ** -1.5
        return (apart * weight[:, :, None]).sum(1)

    texts = programs_of(forces)
    assert len(texts) == 2
    assert not any(
        "store" in line and f"[{24 * n}, 24, 8]" in line for text in texts for line in text.splitlines()
    )
    points = programs_of(lambda: ((place[:, None] - place[None, :50]) ** 2).sum(-1).argmin(1))
    assert len(points) == 1


THREADS = """
import hashlib
import numpy as np
import cuprum as cp

x = cp.array(np.random.default_rng(0).normal(size=(300, 3000)).astype("float32"))
e = cp.exp(x - x.max(1, keepdims=True))
y = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
print(hashlib.sha256(cp.asnumpy(e / e.sum(1, keepdims=True)).tobytes() + cp.asnumpy(y).tobytes()).hexdigest())
"""


def test_threads_change_no_bit():
    digests = {fresh_python(THREADS, CUPRUM_THREADS=str(n)) for n in (1, 2, 7)}
    assert len(digests) == 1
