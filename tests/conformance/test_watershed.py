"""`watershed_ift` against lists in Python, and against SciPy where rows end for it."""

import itertools
from collections import deque

import numpy as np
import pytest
import scipy.ndimage as theirs

import cuprum as cp
from cuprum.scipy import ndimage


def spread(image, markers, structure):
    """Return what lists of waiting elements give, a deque for each cost."""
    labels, cost = markers.copy(), {at: 0 for at in map(tuple, np.argwhere(markers))}
    waiting = [deque() for _ in range(2**16)]
    steps = [s - 1 for s in np.argwhere(structure) if (s != 1).any()]

    def put(cost, at, label):
        (waiting[cost].append if label < 0 else waiting[cost].appendleft)(at)

    for at in np.ndindex(image.shape):
        if markers[at]:
            put(0, at, markers[at])
    done = set()
    for level, queue in enumerate(waiting):
        while queue:
            at = queue.popleft()
            done.add(at)
            for step in steps:
                to = tuple(int(c) for c in np.add(at, step))
                if to in done or any(not 0 <= c < n for c, n in zip(to, image.shape, strict=True)):
                    continue
                reached = max(level, abs(int(image[to]) - int(image[at])))
                if reached < cost.get(to, 2**16):
                    if to in cost:
                        waiting[cost[to]].remove(to)
                    cost[to], labels[to] = reached, labels[at]
                    put(reached, to, labels[at])
    return labels


def sample(shape, high, dtype, kind, seed):
    rng = np.random.default_rng(seed)
    image, markers = rng.integers(0, high, shape).astype(dtype), np.zeros(shape, kind)
    for number in range(1, 5):
        markers[tuple(rng.integers(0, n) for n in shape)] = number
    return image, markers


@pytest.mark.parametrize("shape", [(40,), (9, 11), (4, 5, 6), (1, 7), (7, 1)])
@pytest.mark.parametrize("high", [3, 256])
def test_every_element_goes_to_its_cheapest_marker(shape, high):
    for seed, (dtype, kind) in enumerate(itertools.product(("uint8", "uint16"), ("int8", "int32", "int64"))):
        image, markers = sample(shape, high, dtype, kind, seed)
        if seed % 2:
            markers[markers == 2] = -2
        for structure in (None, np.ones((3,) * len(shape), bool)):
            got = ndimage.watershed_ift(cp.asarray(image), cp.asarray(markers), structure)
            window = theirs.generate_binary_structure(len(shape), 1) if structure is None else structure
            np.testing.assert_array_equal(got.get(), spread(image, markers, window))
            assert got.dtype == np.dtype(kind)


@pytest.mark.parametrize("seed", range(6))
def test_scipy_finds_the_same(seed):
    # One row has no next one; where the first and last columns are markers nothing comes from another row.
    image, markers = sample((60,), 200, "uint8", "int16", seed)
    got = ndimage.watershed_ift(cp.asarray(image), cp.asarray(markers))
    np.testing.assert_array_equal(got.get(), theirs.watershed_ift(image, markers))
    image, markers = sample((14, 13), 60, "uint16", "int32", seed)
    markers[:, [0, -1]] = 9
    got = ndimage.watershed_ift(cp.asarray(image), cp.asarray(markers))
    np.testing.assert_array_equal(got.get(), theirs.watershed_ift(image, markers))


def test_rows_end_at_their_ends():
    image = np.array([[0, 200, 0, 5], [5, 200, 0, 0]], "uint8")
    markers = np.array([[0, 0, 0, 1], [0, 0, 0, 0]])
    markers[0, 0] = 2
    # SciPy steps from the end of the first row to the beginning of the second one.
    assert theirs.watershed_ift(image, markers)[1, 0] == 1
    assert ndimage.watershed_ift(cp.asarray(image), cp.asarray(markers)).get()[1, 0] == 2


def test_outputs_and_errors():
    image, markers = cp.zeros((3, 3), "uint8"), cp.eye(3, dtype="int32")
    out = cp.empty((3, 3), "int64")
    assert ndimage.watershed_ift(image, markers, output=out) is out
    np.testing.assert_array_equal(out.get(), np.ones((3, 3)))
    assert ndimage.watershed_ift(cp.empty((0, 3), "uint8"), cp.empty((0, 3), "int8")).shape == (0, 3)
    wrong = [
        (TypeError, "only 8 and 16", (image.astype("int32"), markers), {}),
        (RuntimeError, "equal shape", (image, markers[:2]), {}),
        (RuntimeError, "equal rank", (image, markers, np.ones(3)), {}),
        (RuntimeError, "equal to 3", (image, markers, np.ones((5, 5))), {}),
        (RuntimeError, "integer type", (image, markers.astype("float64")), {}),
        (RuntimeError, "integer type", (image, markers), {"output": cp.empty((3, 3))}),
    ]
    for error, text, arguments, named in wrong:
        with pytest.raises(error, match=text):
            ndimage.watershed_ift(*arguments, **named)
        with pytest.raises(error):
            theirs.watershed_ift(
                *(x.get() if isinstance(x, cp.ndarray) else x for x in arguments),
                **{k: v.get() for k, v in named.items()},
            )
