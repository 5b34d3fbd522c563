"""Interpolation of `cuprum.scipy.ndimage` against SciPy: orders, boundary modes, dtypes, places outside.

Sums of taps are taken in another order than SciPy's, and the filters of long lines in segments; results
differ by roundings, counted at the largest element.
"""

import math

import numpy as np
import pytest
import scipy
from ndimage_sides import both, close, same_error
from scipy_twin import check

import cuprum as cp
from cuprum.scipy import ndimage

# SciPy before 1.18 misses the coefficients of short lines that reflect at their ends.
EXACT = tuple(int(part) for part in scipy.__version__.split(".")[:2]) >= (1, 18)
MODES = ["reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap"]
ORDERS = range(6)


def is_comparable(mode, order, lengths):
    """Return whether SciPy's coefficients are right for lines of these lengths."""
    return EXACT or order < 2 or min(lengths) >= 40 or mode not in ("reflect", "grid-mirror", "nearest")


@pytest.mark.parametrize("mode", MODES)
def test_splines_go_through_the_elements(mode):
    for length in (1, 2, 3, 7, 40, 3000):
        a = data((length, 3), length)
        places = np.indices(a.shape).astype(float)
        for order in ORDERS:
            got = ndimage.map_coordinates(cp.asarray(a), cp.asarray(places), order=order, mode=mode).get()
            # The filter sees twelve elements beyond the ends in these modes, no more.
            tolerance = 1e-5 if mode in ("nearest", "grid-constant") else 1e-13
            np.testing.assert_allclose(got, a, rtol=0, atol=tolerance, err_msg=f"{mode} {order} {length}")


def data(shape, seed=0):
    return np.random.default_rng(seed).random(shape)


@pytest.mark.parametrize("mode", MODES)
def test_spline_filters(mode):
    for order in (2, 3, 4, 5):
        for length in (1, 2, 3, 7, 40, 3000):
            a = data((length, 2), length)
            if not is_comparable(mode, order, [length]):
                continue
            label = f"{mode} order={order} length={length}"
            close(
                lambda xp, ndi, a=a, o=order: ndi.spline_filter1d(xp.asarray(a), o, 0, mode=mode), label=label
            )
    a = data((46, 45, 44))
    close(lambda xp, ndi: ndi.spline_filter(xp.asarray(a), 4, mode=mode))
    close(lambda xp, ndi: ndi.spline_filter(xp.asarray(a), 3, np.float32, mode=mode))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("prefilter", [True, False])
def test_coordinates_in_and_outside(mode, prefilter):
    rng = np.random.default_rng(7)
    for shape in [(1,), (5,), (4, 6), (3, 4, 5)]:
        a = data(shape)
        places = rng.random((len(shape), 40)) * 20 - 8
        places[:, :8] = np.round(places[:, :8])
        for order in ORDERS:
            if prefilter and mode != "nearest" and not is_comparable(mode, order, shape):
                continue
            close(
                lambda xp, ndi, a=a, p=places, o=order: ndi.map_coordinates(
                    xp.asarray(a), xp.asarray(p), order=o, mode=mode, cval=1.5, prefilter=prefilter
                ),
                eps=2**14,
                label=f"{shape} order={order}",
            )


@pytest.mark.parametrize("mode", MODES)
def test_shift_zoom_affine(mode):
    for shape in [(5,), (4, 6), (3, 4, 5)]:
        a = data(shape)
        matrix = np.random.default_rng(3).random((len(shape), len(shape)))
        for order in ORDERS:
            if mode != "nearest" and not is_comparable(mode, order, shape):
                continue
            label = f"{shape} order={order}"
            for by in (1.3, -2):
                close(
                    lambda xp, ndi, a=a, o=order, by=by: ndi.shift(
                        xp.asarray(a), by, order=o, mode=mode, cval=0.5
                    ),
                    eps=2**14,
                    label=f"shift {by} {label}",
                )
            for factor in (1.7, 0.6):
                for grid in (False, True):
                    close(
                        lambda xp, ndi, a=a, o=order, f=factor, g=grid: ndi.zoom(
                            xp.asarray(a), f, order=o, mode=mode, grid_mode=g
                        ),
                        eps=2**14,
                        label=f"zoom {factor} {grid} {label}",
                    )
            close(
                lambda xp, ndi, a=a, o=order, m=matrix: ndi.affine_transform(
                    xp.asarray(a), m, 0.3, order=o, mode=mode
                ),
                eps=2**14,
                label=f"affine {label}",
            )


@pytest.mark.parametrize("angle", [0, 33, 90, -120.5, 270])
def test_rotations(angle):
    for shape, axes in [((7, 6), (1, 0)), ((4, 5, 6), (0, 2)), ((4, 5, 6), (-1, 1))]:
        a = data(shape)
        for reshape in (True, False):
            for order in (1, 3):
                close(
                    lambda xp, ndi, a=a, x=axes, r=reshape, o=order: ndi.rotate(
                        xp.asarray(a), angle, x, r, order=o, mode="mirror"
                    ),
                    eps=2**14,
                )


def test_forms_of_the_matrix():
    a = data((5, 6))
    full = np.array([[0.5, 0.1], [-0.2, 0.9]])
    homogeneous = np.array([[0.5, 0.1, 1.0], [-0.2, 0.9, 0.5], [0, 0, 1]])
    close(lambda xp, ndi: ndi.affine_transform(xp.asarray(a), [0.5, 2.0], [1.0, 0.5]))
    close(lambda xp, ndi: ndi.affine_transform(xp.asarray(a), homogeneous))
    close(lambda xp, ndi: ndi.affine_transform(xp.asarray(a), homogeneous[:2]))
    close(lambda xp, ndi: ndi.affine_transform(xp.asarray(a), full, output_shape=(3, 9)))
    close(lambda xp, ndi: ndi.affine_transform(xp.asarray(a), full[:, :1], output_shape=(4,)))
    close(lambda xp, ndi: ndi.affine_transform(xp.asarray(a), xp.asarray(full), xp.asarray([1.0, 2.0])))


@pytest.mark.parametrize(
    "dtype", ["uint8", "int8", "uint16", "int32", "int64", "uint64", "float32", "complex64", "complex128"]
)
def test_dtypes(dtype):
    a = (data((5, 6)) * 100).astype(dtype)
    places = data((2, 30)) * 7 - 1
    for order in (0, 1, 3):
        close(lambda xp, ndi, o=order: ndi.zoom(xp.asarray(a), 1.7, order=o))
        close(lambda xp, ndi, o=order: ndi.shift(xp.asarray(a), 0.3, order=o, cval=200))
        close(lambda xp, ndi, o=order: ndi.map_coordinates(xp.asarray(a), xp.asarray(places), order=o))
    if not dtype.startswith("complex"):
        close(lambda xp, ndi: ndi.shift(xp.asarray(a), 0.4, output=np.int8, order=1, cval=-300))
        close(lambda xp, ndi: ndi.shift(xp.asarray(a), 0.4, output=np.uint8, order=1, cval=-300))
        close(lambda xp, ndi: ndi.zoom(xp.asarray(a), 2, output=np.float32, order=1))


def test_integer_and_single_coordinates():
    a, places = data((5, 6)), np.array([[0, 4, 2, 9], [1, 5, -3, 0]])
    for dtype in ("int64", "uint8", "float32"):
        close(
            lambda xp, ndi, d=dtype: ndi.map_coordinates(xp.asarray(a), xp.asarray(places.astype(d)), order=1)
        )


def test_results_go_into_output_and_views_are_read():
    a = data((6, 8))

    def into(xp, ndi):
        out = xp.zeros((3, 8))
        ndi.affine_transform(xp.asarray(a)[::2], np.eye(2), 0.5, output=out)
        return out

    close(into)
    close(lambda xp, ndi: ndi.zoom(xp.asarray(a).T[1:, ::-1], 1.5))


@pytest.mark.parametrize("mode", MODES)
def test_places_that_are_no_numbers_harm_nothing(mode):
    a = data((4, 5))
    places = np.array([[np.nan, np.inf, -np.inf, 1e300, -1e300, 1.0], [1.0, 1, 1, 1, 1, 1]])
    _, got = both(
        lambda xp, ndi: (
            xp.asarray(0.0)
            if ndi.__name__.startswith("scipy")
            else ndi.map_coordinates(xp.asarray(a), xp.asarray(places), order=1, mode=mode, cval=7.0)
        )
    )
    assert got[0] == 7 and np.isclose(got[5], a[1, 1])


def test_errors():
    a = data((4, 5))
    same_error(lambda xp, ndi: ndi.zoom(xp.asarray(a), 2, order=6), RuntimeError)
    same_error(lambda xp, ndi: ndi.shift(xp.asarray(a), 2, order=-1), RuntimeError)
    same_error(lambda xp, ndi: ndi.shift(xp.asarray(a), 2, mode="unknown"), RuntimeError)
    same_error(lambda xp, ndi: ndi.shift(xp.asarray(a), [1, 2, 3]), RuntimeError)
    same_error(lambda xp, ndi: ndi.map_coordinates(xp.asarray(a), xp.zeros((3, 4))), RuntimeError)
    same_error(lambda xp, ndi: ndi.map_coordinates(xp.asarray(a), xp.zeros((2, 4), complex)), TypeError)
    same_error(lambda xp, ndi: ndi.map_coordinates(xp.asarray(a), xp.zeros(2)), RuntimeError)
    same_error(lambda xp, ndi: ndi.affine_transform(xp.asarray(a), np.eye(3, 2)), RuntimeError)
    same_error(lambda xp, ndi: ndi.affine_transform(xp.asarray(a), np.ones((3, 3))), ValueError)
    same_error(lambda xp, ndi: ndi.rotate(xp.asarray(a[0]), 30), ValueError)
    same_error(lambda xp, ndi: ndi.rotate(xp.asarray(a), 30, axes=(0, 5)), ValueError)
    same_error(lambda xp, ndi: ndi.zoom(xp.asarray(a), 2, output=xp.zeros((3, 3))), RuntimeError)
    same_error(lambda xp, ndi: ndi.spline_filter(xp.asarray(a), 1), RuntimeError)


@pytest.mark.parametrize("order", [0, 1, 3])
@pytest.mark.parametrize("mode", ["constant", "mirror", "grid-wrap"])
def test_geometric_transform(order, mode):
    a = np.random.default_rng(3).normal(size=(6, 7))

    def turned(at):
        return 0.8 * at[0] + 0.3 * at[1] - 0.7, -0.3 * at[0] + 0.8 * at[1] + 0.4

    def swapped(at, by, scale=1.0):
        return at[1] * scale, at[0] + by

    for body in (
        lambda xp, sp: sp.geometric_transform(xp.array(a), turned, order=order, mode=mode),
        lambda xp, sp: sp.geometric_transform(
            xp.array(a),
            swapped,
            (5, 9),
            order=order,
            mode=mode,
            extra_arguments=(0.25,),
            extra_keywords={"scale": 0.5},
        ),
        lambda xp, sp: sp.geometric_transform(
            xp.array(a), lambda at: (at[0], 2.5), (4,), order=order, mode=mode
        ),
    ):
        check(body, "ndimage", 200)


def test_geometric_transform_by_functions_of_numbers():
    image, volume = np.random.default_rng(4).normal(size=(6, 7)), np.arange(60.0).reshape(3, 4, 5)

    def bent(at, by):
        if at[0] < 3:
            return at[0] + math.sin(at[1]) * by, at[1] - 0.5
        return at[0] * 1.0, float(max(at[1], 2))

    def turned(at):
        return (at[0] if at[1] > 1 else 0, at[1] * 0.5, at[2] + math.sqrt(at[0]))

    for body in (
        lambda xp, sp: sp.geometric_transform(xp.array(image), bent, order=1, extra_arguments=(0.5,)),
        lambda xp, sp: sp.geometric_transform(xp.array(volume), turned, order=1, mode="nearest"),
        lambda xp, sp: sp.geometric_transform(
            xp.array(image[0]), lambda at: (math.cos(at[0]) + 2,), (9,), order=1
        ),
    ):
        check(body, "ndimage", 200)


def test_geometric_transform_says_what_it_takes():
    def named(at):
        return ({"x": 1.0 + math.sin(at[0])}["x"],)

    with pytest.raises(TypeError, match="arrays of indices, one for each axis, or be a function that"):
        ndimage.geometric_transform(cp.ones(4), named)
    with pytest.raises(TypeError, match="without keywords"):
        ndimage.geometric_transform(
            cp.ones(4), lambda at, k: (math.sin(at[0]) * k,), extra_keywords={"k": 2.0}
        )
    with pytest.raises(RuntimeError, match="2 coordinates for 1 axes"):
        ndimage.geometric_transform(cp.ones(4), lambda at: (at[0], at[0]))


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "complex128"])
@pytest.mark.parametrize("order", [0, 1, 3])
def test_nothing_between_no_elements(shape, dtype, order):
    rank = len(shape)
    for name, *args in (
        ("geometric_transform", lambda at: at),
        ("shift", 1),
        ("zoom", 2),
        ("affine_transform", np.eye(rank)),
        ("map_coordinates", np.zeros((rank, 0))),
        # What lies outside is constant.
        ("map_coordinates", np.zeros((rank, 2))),
    ):
        check(
            lambda xp, ndi, f=name, args=args: getattr(ndi, f)(
                xp.zeros(shape, dtype), *args, order=order, cval=3
            ),
            "ndimage",
            0,
        )
    # SciPy reads what it has no right to.
    with pytest.raises(RuntimeError, match="map_coordinates: input has no elements"):
        ndimage.map_coordinates(cp.zeros(shape), cp.zeros((rank, 2)), mode="nearest", order=1)
