"""Extrema of complex numbers of which some are NaN in one part, at sizes around those of blocks."""

import numpy as np
import pytest
from twin import check

SIZES = [1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 65, 255, 256, 257, 300, 1023, 1024, 1025, 2500, 4097, 70_001]
NAN = float("nan")
NANS = [complex(-9, NAN), complex(NAN, -9), complex(NAN, NAN), complex(9, NAN), complex(NAN, 9)]
NAMES = ["nanmin", "nanmax", "min", "max", "argmin", "argmax", "nanargmin", "nanargmax"]


def numbers(size, dtype, share):
    """Return complex numbers, a share of them with one part or both NaN, extreme in the other."""
    rng = np.random.default_rng(size)
    z = (rng.integers(-5, 6, size) + 1j * rng.integers(-5, 6, size)).astype(dtype)
    places = rng.random(size) < share
    z[places] = np.array(NANS, dtype)[rng.integers(0, len(NANS), int(places.sum()))]
    return z


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0.02, 0.5, 0.97, 1.0])
def test_flat(dtype, size, share):
    z = numbers(size, dtype, share)
    for ufunc in ("fmin", "fmax", "minimum", "maximum"):
        check(lambda xp, f=ufunc: getattr(xp, f).reduce(xp.array(z)), label=f"{ufunc}.reduce")
        check(lambda xp, f=ufunc: getattr(xp, f).accumulate(xp.array(z)), label=f"{ufunc}.accumulate")
    for name in NAMES:
        check(lambda xp, f=name: getattr(xp, f)(xp.array(z)), label=name, may_raise=ValueError)


@pytest.mark.parametrize("shape", [(33, 40), (40, 33), (300, 3), (3, 300), (2, 65, 7)], ids=str)
@pytest.mark.parametrize("order", ["C", "F"])
def test_axes(shape, order):
    z = numbers(int(np.prod(shape)), "complex128", 0.5).reshape(shape)
    for axis in range(len(shape)):
        for name in ("fmin", "fmax", "minimum", "maximum"):
            check(
                lambda xp, f=name, axis=axis: getattr(xp, f).reduce(xp.array(z, order=order), axis=axis),
                layout=False,
                label=f"{name} {axis}",
            )
        for name in ("nanmin", "nanmax", "argmin", "argmax"):
            check(
                lambda xp, f=name, axis=axis: getattr(xp, f)(xp.array(z, order=order), axis=axis),
                layout=False,
                label=f"{name} {axis}",
            )
