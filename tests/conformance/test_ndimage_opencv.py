"""The boundary mode "opencv" of CuPy's interpolation: places, matrices and lengths as in OpenCV."""

import numpy as np
import pytest
import scipy.ndimage

import cuprum as cp
from cuprum.scipy import ndimage


def image(*shape):
    return np.random.default_rng(3).random(shape)


def sampled_within_an_edge(a, places, order, cval):
    """SciPy's samples of an array with an edge of constants around it."""
    edged = np.pad(a, 1, constant_values=cval)
    return scipy.ndimage.map_coordinates(edged, np.asarray(places) + 1, order=order, cval=cval)


@pytest.mark.parametrize("order", [0, 1, 3])
def test_places(order):
    a = image(8, 11)
    places = np.random.default_rng(4).uniform(-3, 12, (2, 200))
    got = ndimage.map_coordinates(cp.asarray(a), cp.asarray(places), order=order, mode="opencv", cval=0.5)
    np.testing.assert_allclose(got.get(), sampled_within_an_edge(a, places, order, 0.5), rtol=0, atol=1e-12)


def test_a_matrix_maps_points_of_the_input():
    # Points are (x, y): the last axis of an image comes first.
    a = image(9, 12)
    matrix = np.array([[1.1, 0.2, -2.0], [-0.15, 0.9, 3.0]])
    whole = np.vstack([matrix, [0, 0, 1]])
    y, x = np.indices(a.shape)
    from_x, from_y, _ = np.linalg.inv(whole) @ np.stack([x.ravel(), y.ravel(), np.ones(x.size)])
    want = sampled_within_an_edge(a, [from_y, from_x], 1, 0.25).reshape(a.shape)
    got = ndimage.affine_transform(cp.asarray(a), cp.asarray(matrix), order=1, mode="opencv", cval=0.25)
    np.testing.assert_allclose(got.get(), want, rtol=0, atol=1e-12)
    with pytest.raises(RuntimeError, match="needs a square matrix of two axes"):
        ndimage.affine_transform(cp.arange(4.0), [2.0], mode="opencv")


def test_shift_and_rotate():
    a = image(7, 10)
    y, x = np.indices(a.shape).astype(float)
    got = ndimage.shift(cp.asarray(a), (1.5, -2.25), order=1, mode="opencv", cval=0.2)
    want = sampled_within_an_edge(a, [y - 1.5, x + 2.25], 1, 0.2)
    np.testing.assert_allclose(got.get(), want, rtol=0, atol=1e-12)
    c, s = np.cos(np.radians(20)), np.sin(np.radians(20))
    places = [c * (y - 3) + s * (x - 4.5) + 3, -s * (y - 3) + c * (x - 4.5) + 4.5]
    want = sampled_within_an_edge(a, places, 1, 0.0)
    got = ndimage.rotate(cp.asarray(a), 20, reshape=False, order=1, mode="opencv")
    np.testing.assert_allclose(got.get(), want, rtol=0, atol=1e-12)
    planes = ndimage.rotate(cp.asarray(np.stack([a, a])), 20, (1, 2), reshape=False, order=1, mode="opencv")
    np.testing.assert_allclose(planes.get(), np.stack([want, want]), rtol=0, atol=1e-12)


@pytest.mark.parametrize("factors", [(2.5, 0.7), (1, 3), (0.3, 0.3), (1, 1)])
def test_zoom_keeps_the_borders_of_cells(factors):
    a = image(8, 10)
    got = ndimage.zoom(cp.asarray(a), factors, order=1, mode="opencv").get()
    at = [(np.arange(m) + 0.5) * n / m - 0.5 for n, m in zip(a.shape, got.shape, strict=True)]
    want = scipy.ndimage.map_coordinates(a, np.meshgrid(*at, indexing="ij"), order=1, mode="nearest")
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-12)


def test_other_modes_are_refused_as_before():
    with pytest.raises(RuntimeError, match="boundary mode 'cv' is not supported"):
        ndimage.zoom(cp.ones((3, 3)), 2, mode="cv")
