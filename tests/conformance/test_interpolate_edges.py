"""Interpolators at their edges: missing values beside a point, attributes, wrong orders and shapes."""

import numpy as np
import pytest
import scipy.interpolate
from scipy_twin import check

import cuprum as cp
from cuprum.scipy import interpolate


@pytest.mark.parametrize("dtype", ["f8", "i8", "f4"])
def test_a_point_has_its_own_value_beside_a_missing_one(dtype):
    x, y = np.arange(4).astype(dtype), np.array([np.nan, 0.0, 1.0, np.nan])
    at = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
    check(lambda xp, sp: sp.interp1d(xp.array(x), xp.array(y))(xp.array(at)), "interpolate")
    check(
        lambda xp, sp: sp.interp1d(xp.array(x), xp.array(y), fill_value="extrapolate")(xp.array(at)),
        "interpolate",
    )
    check(
        lambda xp, sp: sp.interp1d(xp.array(x), xp.array([y, y]), bounds_error=False)(
            xp.array([-1.0, 1.5, 9])
        ),
        "interpolate",
    )


def test_interp1d_says_whether_it_copied():
    for module, xp in ((scipy.interpolate, np), (interpolate, cp)):
        x = xp.arange(4.0)
        assert module.interp1d(x, x).copy and not module.interp1d(x, x, copy=False).copy


def test_wrong_orders_and_shapes():
    for module, xp in ((scipy.interpolate, np), (interpolate, cp)):
        grid = module.RegularGridInterpolator([xp.arange(5.0)] * 2, xp.ones((5, 5)), method="slinear")
        with pytest.raises(ValueError, match="derivative"):
            grid(xp.ones((3, 2)), nu=1)
        with pytest.raises(TypeError):
            module.BSpline([0, 1, 2, 3j], [1, 2], 1)
    points = cp.array(np.random.default_rng(0).random((30, 3)))
    with pytest.raises(ValueError, match="2-D"):
        interpolate.CloughTocher2DInterpolator(points, cp.ones(30))


@pytest.mark.parametrize("kind", ["linear", "nearest", "cubic"])
def test_points_of_interp1d_are_real(kind):
    line = interpolate.interp1d(cp.arange(8.0), cp.arange(8.0) ** 2, kind)
    with pytest.raises(TypeError, match="must be real"):
        line(cp.array([0.5 + 1j]))
    if kind == "linear":
        with pytest.raises(TypeError):
            scipy.interpolate.interp1d(np.arange(8.0), np.arange(8.0) ** 2)(np.array([0.5 + 1j]))


@pytest.mark.parametrize("method", ["akima", "makima"])
@pytest.mark.parametrize("extrapolate", [None, True, False, "periodic"])
def test_akima_outside_of_its_points(method, extrapolate):
    rng = np.random.default_rng(0)
    x, y, at = np.sort(rng.random(9)), rng.standard_normal((9, 2)), np.linspace(-2, 3, 31)

    def made(xp, sp):
        return sp.Akima1DInterpolator(xp.array(x), xp.array(y), method=method, extrapolate=extrapolate)

    check(lambda xp, sp: made(xp, sp)(xp.array(at)), "interpolate", units=1e6)
    check(lambda xp, sp: made(xp, sp).integrate(-1.5, 2.2), "interpolate", units=1e6)
