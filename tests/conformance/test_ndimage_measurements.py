"""Labels and measurements of `cuprum.scipy.ndimage` against SciPy."""

import numpy as np
import pytest
import scipy.ndimage
from ndimage_sides import both, close, compare, equal, same_error

import cuprum as cp
from cuprum.scipy import ndimage
from cuprum.scipy.ndimage import _distance


@pytest.mark.parametrize("density", [0.0, 0.3, 0.6, 0.9, 1.0])
def test_components(density):
    rng = np.random.default_rng(5)
    for shape in [(7,), (300,), (8, 9), (30, 150), (150, 3), (5, 6, 7), (1, 9), (9, 1), (2, 3, 4, 5)]:
        a = rng.random(shape) < density
        for connectivity in range(1, len(shape) + 1):
            window = scipy.ndimage.generate_binary_structure(len(shape), connectivity)
            equal(lambda xp, ndi, a=a, w=window: ndi.label(xp.asarray(a), w), f"{shape} {connectivity}")


@pytest.mark.parametrize("shape", [(400, 301), (40, 31, 95), (4, 20_000), (2000, 33)])
def test_components_of_images_that_threads_share(shape):
    rng = np.random.default_rng(11)
    for density in (0.3, 0.6):
        a = rng.random(shape) < density
        for connectivity in {1, len(shape)}:
            window = scipy.ndimage.generate_binary_structure(len(shape), connectivity)
            equal(lambda xp, ndi, a=a, w=window: ndi.label(xp.asarray(a), w), f"{density} {connectivity}")


@pytest.mark.parametrize("length", [8, 25, 28, 32, 33, 64, 100])
def test_components_of_images_in_any_order_of_axes(length):
    a = np.random.default_rng(14).random((length, 9)) < 0.5
    for view in (lambda image: image.T, lambda image: image[::-1].T, lambda image: image.T[:, ::-1]):
        equal(lambda xp, ndi, view=view: ndi.label(view(xp.asarray(a))))


def test_bytes_of_booleans_that_are_neither_zero_nor_one():
    a = np.random.default_rng(12).choice(np.uint8([0, 1, 2, 128, 255]), (40, 70))
    equal(lambda xp, ndi: ndi.label(xp.asarray(a).view(bool)))


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "uint64"])
def test_objects_of_images_that_threads_share(dtype):
    rng = np.random.default_rng(13)
    for shape in ((400, 301), (40, 31, 95), (90_000,), (2000, 3, 4, 5)):
        labels = rng.integers(0, 120, shape).astype(dtype)
        labels[labels == 7] = 0
        equal(lambda xp, ndi, a=labels: ndi.find_objects(xp.asarray(a)), f"{shape}")
    far = np.array([3, 2**64 - 5, 2**63 + 1, 2], "uint64")
    equal(lambda xp, ndi: ndi.find_objects(xp.asarray(far), 4))


def test_structures_without_the_row():
    """Neighbours before and behind are not connected; only diagonals, or only columns, are."""
    a = np.random.default_rng(2).random((40, 50)) < 0.6
    for window in (
        np.eye(3),
        np.fliplr(np.eye(3)),
        [[0, 1, 0]] * 3,
        [[1, 0, 1], [0, 1, 0], [1, 0, 1]],
        np.zeros((3, 3)),
    ):
        equal(lambda xp, ndi, w=window: ndi.label(xp.asarray(a), np.asarray(w)))


def test_winding_components():
    """Long chains of unions: spirals, combs and a checkerboard."""
    n = 130
    spiral = np.zeros((n, n), bool)
    top, left, bottom, right = 0, 0, n - 1, n - 1
    while top <= bottom and left <= right:
        spiral[top, left : right + 1] = True
        spiral[top : bottom + 1, right] = True
        spiral[bottom, left : right + 1] = True
        spiral[top + 2 : bottom + 1, left] = True
        top, left, bottom, right = top + 2, left + 2, bottom - 2, right - 2
    comb = np.zeros((n, n), bool)
    comb[:, ::2] = True
    comb[-1] = True
    board = np.indices((n, n)).sum(0) % 2 == 0
    for a in (spiral, comb, board, comb.T.copy(), comb[::-1], comb[:, ::-1]):
        equal(lambda xp, ndi, a=a: ndi.label(xp.asarray(a)))
        equal(lambda xp, ndi, a=a: ndi.label(xp.asarray(a), np.ones((3, 3))))


def test_label_outputs_and_inputs():
    a = np.random.default_rng(3).integers(0, 3, (20, 30))
    equal(lambda xp, ndi: ndi.label(xp.asarray(a.astype(np.float32)), output=np.int64))
    equal(lambda xp, ndi: ndi.label(xp.asarray(a)[::2, ::-3]))
    equal(lambda xp, ndi: ndi.label(xp.asarray(np.float64(3.0))))
    equal(lambda xp, ndi: ndi.label(xp.zeros((0, 3))))

    def into(xp, ndi):
        out = xp.zeros((20, 30), np.int16)
        return ndi.label(xp.asarray(a), output=out), out

    equal(into)
    same_error(lambda xp, ndi: ndi.label(xp.asarray(a.astype(complex))), TypeError)
    same_error(lambda xp, ndi: ndi.label(xp.asarray(a), np.ones(3)), RuntimeError)
    same_error(lambda xp, ndi: ndi.label(xp.asarray(a), np.ones((3, 5))), ValueError)
    with pytest.raises(ValueError, match="not symmetric"):
        ndimage.label(cp.asarray(a), [[1, 0, 0], [0, 1, 0], [0, 0, 0]])
    many = np.indices((40, 40)).sum(0) % 2
    same_error(lambda xp, ndi: ndi.label(xp.asarray(many), output=np.uint8), RuntimeError)


def test_objects_and_values():
    labels = np.random.default_rng(4).integers(0, 6, (9, 11))
    labels[labels == 3] = 0
    equal(lambda xp, ndi: ndi.find_objects(xp.asarray(labels)))
    equal(lambda xp, ndi: ndi.find_objects(xp.asarray(labels), 8))
    equal(lambda xp, ndi: ndi.find_objects(xp.asarray(labels[0])))
    for ignored in (None, 0):
        want, got = both(lambda xp, ndi, i=ignored: ndi.value_indices(xp.asarray(labels), ignore_value=i))
        assert sorted(got) == sorted(want)
        for value, places in want.items():
            compare(tuple(place.get() for place in got[value]), places)
    for shape in ((0,), (0, 3)):
        want, got = both(lambda xp, ndi, n=shape: ndi.value_indices(xp.zeros(n, "int64")))
        assert got == want == {}


LABELS = np.random.default_rng(8).integers(0, 6, (20, 30))
LABELS[LABELS == 4] = 0
INDICES = [None, 2, [1, 2, 3], [5, 4, 1, 9, -1], np.array([[1, 2], [3, 5]]), []]


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "uint8", "bool"])
@pytest.mark.parametrize(
    "name", ["sum_labels", "mean", "variance", "standard_deviation", "minimum", "maximum"]
)
def test_statistics(name, dtype):
    a = (np.random.default_rng(9).random((20, 30)) * 100).astype(dtype)
    for index in INDICES:
        for labels in (None, LABELS, LABELS.astype(float), LABELS - 2, LABELS[0]):
            if labels is None and index is not None:
                continue

            def body(xp, ndi, i=index, m=labels):
                found = getattr(ndi, name)(xp.asarray(a), None if m is None else xp.asarray(m), i)
                return np.asarray(found) if xp is np else found

            if name in ("minimum", "maximum") and isinstance(index, int) and not np.any(labels == index):
                same_error(body, ValueError)
                continue
            want, got = both(body)
            assert np.shape(got) == np.shape(want)
            # Sums of some hundred elements, in another order.
            rtol = 1e-5 if dtype == "float32" else 1e-12
            np.testing.assert_allclose(got, want, rtol=rtol, err_msg=f"{index}")


@pytest.mark.parametrize("dtype", ["float64", "int32"])
def test_medians_extrema_and_places(dtype):
    # No value occurs twice in a part: of equal elements SciPy takes any.
    a = np.random.default_rng(1).permutation(600).reshape(20, 30).astype(dtype)
    for index in (None, 2, [1, 2, 3], [5, 1]):
        for name in ("median", "minimum_position", "maximum_position", "extrema"):

            def body(xp, ndi, i=index, n=name):
                return getattr(ndi, n)(xp.asarray(a), xp.asarray(LABELS), i)

            equal(body, f"{name} {index}")
    missing = ndimage.median(cp.asarray(a), cp.asarray(LABELS), [1, 99])
    assert np.isnan(missing.get()[1])


def test_centres_and_histograms():
    a = np.random.default_rng(1).random((20, 30))
    for index in (None, 2, [1, 2, 3]):
        want, got = both(lambda xp, ndi, i=index: ndi.center_of_mass(xp.asarray(a), xp.asarray(LABELS), i))
        np.testing.assert_allclose(got, want, rtol=1e-13)
        want, got = both(
            lambda xp, ndi, i=index: ndi.histogram(xp.asarray(a), 0, 1, 7, xp.asarray(LABELS), i)
        )
        np.testing.assert_array_equal(got, np.stack(want) if isinstance(index, list) else want)
    close(lambda xp, ndi: xp.asarray(ndi.sum(xp.asarray(a))))


def test_comprehensions():
    a = np.random.default_rng(1).random((20, 30))
    for index in (2, [1, 2, 9], [5, 1]):
        equal(
            lambda xp, ndi, i=index: ndi.labeled_comprehension(
                xp.asarray(a), xp.asarray(LABELS), i, xp.max, float, -1
            )
        )
        equal(
            lambda xp, ndi, i=index: ndi.labeled_comprehension(
                xp.asarray(a), xp.asarray(LABELS), i, lambda v, p: int(p.sum()), int, -1, True
            )
        )
    same_error(
        lambda xp, ndi: ndi.labeled_comprehension(xp.asarray(a), None, 1, xp.max, float, 0), ValueError
    )
    same_error(
        lambda xp, ndi: ndi.labeled_comprehension(xp.asarray(a), xp.asarray(LABELS), [1.5], xp.max, float, 0),
        ValueError,
    )


@pytest.mark.parametrize("density", [0.3, 0.9, 0.99, 1.0, 0.0])
def test_distances(density):
    rng = np.random.default_rng(6)
    for shape in [(7,), (20,), (8, 9), (30, 41), (5, 6, 7), (1, 9)]:
        a = rng.random(shape) < density
        label = f"{shape}"
        equal(lambda xp, ndi, a=a: ndi.distance_transform_edt(xp.asarray(a)), label)
        for metric in ("chessboard", "taxicab"):
            equal(lambda xp, ndi, a=a, m=metric: ndi.distance_transform_cdt(xp.asarray(a), m), label)
        if a.all():
            continue
        spacing = [0.5, 2, 3][: len(shape)]
        close(lambda xp, ndi, a=a, s=spacing: ndi.distance_transform_edt(xp.asarray(a), s), label=label)
        for metric in ("chessboard", "taxicab", "euclidean"):
            equal(lambda xp, ndi, a=a, m=metric: ndi.distance_transform_bf(xp.asarray(a), m), label)
        for metric in ("chessboard", "taxicab"):
            steps, places = ndimage.distance_transform_cdt(cp.asarray(a), metric, return_indices=True)
            away = np.abs(places.get() - np.indices(shape))
            np.testing.assert_array_equal(away.max(0) if metric == "chessboard" else away.sum(0), steps.get())
            assert not a[tuple(places.get())].any()
        places = ndimage.distance_transform_edt(
            cp.asarray(a), return_distances=False, return_indices=True
        ).get()
        assert not a[tuple(places)].any()


@pytest.mark.parametrize("longest", [0, 2048])
def test_distances_by_threads_side_by_side(longest, monkeypatch):
    """A GPU's ways over lines, by element and by line, give the bits of the CPU's."""
    monkeypatch.setattr(_distance, "_walks_along_lines", lambda a: False)
    monkeypatch.setattr(_distance, "_SEARCHED", longest)
    rng = np.random.default_rng(7)
    for shape in [(30, 41), (5, 16, 7), (1, 9)]:
        for density in (0.5, 0.97, 1.0):
            a = rng.random(shape) < density
            equal(lambda xp, ndi, a=a: ndi.distance_transform_edt(xp.asarray(a)), f"{shape} {density}")
            away, places = ndimage.distance_transform_edt(cp.asarray(a), return_indices=True)
            between = places.get() - np.indices(shape)
            np.testing.assert_array_equal(np.sqrt((between.astype(float) ** 2).sum(0)), away.get())


def test_distances_into_arrays():
    a = np.random.default_rng(1).random((9, 8)) < 0.8

    def into(xp, ndi):
        out = xp.zeros((9, 8))
        assert ndi.distance_transform_edt(xp.asarray(a), distances=out) is None
        return out

    equal(into)
    same_error(
        lambda xp, ndi: ndi.distance_transform_edt(xp.asarray(a), return_distances=False), RuntimeError
    )
    same_error(
        lambda xp, ndi: ndi.distance_transform_edt(xp.asarray(a), distances=xp.zeros((2, 2))), RuntimeError
    )
    same_error(lambda xp, ndi: ndi.distance_transform_cdt(xp.asarray(a), "unknown"), ValueError)


@pytest.mark.parametrize(
    "name", ["fourier_gaussian", "fourier_uniform", "fourier_shift", "fourier_ellipsoid"]
)
def test_fourier_filters(name):
    rng = np.random.default_rng(3)
    for shape in [(8,), (7,), (6, 5), (4, 5, 6)]:
        for dtype in ("float64", "complex128", "complex64", "float32", "int32"):
            a = (rng.random(shape) * 9).astype(dtype)
            for n in (-1, 2 * (shape[-1] - 1)):
                close(
                    lambda xp, ndi, a=a, n=n: getattr(ndi, name)(xp.asarray(a), 1.7, n),
                    label=f"{shape} {dtype} {n}",
                )
    same_error(lambda xp, ndi: getattr(ndi, name)(xp.ones(4), [1, 2]), RuntimeError)
    same_error(lambda xp, ndi: getattr(ndi, name)(xp.ones(4), 1, output=np.int32), RuntimeError)


def test_hit_or_miss_and_iterated_structures():
    a = np.random.default_rng(2).random((20, 25)) < 0.7
    corner, other = [[1, 0, 0], [0, 1, 0], [0, 0, 0]], [[0, 0, 1], [0, 0, 0], [0, 1, 0]]
    for one, two, origin in [
        (None, None, 0),
        ([[0, 1, 0], [1, 1, 1], [0, 0, 0]], None, 0),
        (corner, other, 1),
    ]:
        equal(
            lambda xp, ndi, one=one, two=two, o=origin: ndi.binary_hit_or_miss(
                xp.asarray(a), one, two, origin1=o
            )
        )
    for window in (
        np.ones((3, 3)),
        scipy.ndimage.generate_binary_structure(2, 1),
        np.array([1, 1, 0]),
        np.ones((3, 2)),
    ):
        for times in (1, 2, 4):
            equal(lambda xp, ndi, w=window, t=times: ndi.iterate_structure(xp.asarray(w), t))
    equal(lambda xp, ndi: ndi.iterate_structure(xp.ones((3, 3)), 3, [1, -1]))
