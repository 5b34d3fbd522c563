"""Casts that drop imaginary parts warn where NumPy's do, and nowhere else."""

import warnings

import numpy as np
import pytest

import cuprum as cp

CASES = {
    "astype": lambda xp, z: z.astype("f4"),
    "astype to integers": lambda xp, z: z.astype("i4"),
    "astype to truth": lambda xp, z: z.astype("?"),
    "astype to complex": lambda xp, z: z.astype("F"),
    "array": lambda xp, z: xp.array(z, dtype="f8"),
    "asarray": lambda xp, z: xp.asarray(z, dtype="f8"),
    "full": lambda xp, z: xp.full(3, 1j, dtype="f8"),
    "slice": lambda xp, z: xp.zeros(2).__setitem__(slice(None), z),
    "places": lambda xp, z: xp.zeros(2).__setitem__([0, 1], z),
    "mask": lambda xp, z: xp.zeros(2).__setitem__(xp.array([True, True]), z),
    "element": lambda xp, z: xp.zeros(2).__setitem__(0, z[0]),
    "scalar": lambda xp, z: xp.zeros(2).__setitem__(0, np.complex128(1j)),
    "flat": lambda xp, z: xp.zeros(2).flat.__setitem__(slice(None), z),
    "truth": lambda xp, z: xp.zeros(2, "?").__setitem__(slice(None), z),
    "fill": lambda xp, z: xp.zeros(2).fill(z[0]),
    "put": lambda xp, z: xp.zeros(2).put([0, 1], z),
    "copyto": lambda xp, z: xp.copyto(xp.zeros(2), z, casting="unsafe"),
    "out": lambda xp, z: xp.add(z, 1, out=xp.zeros(2), casting="unsafe"),
    "dtype": lambda xp, z: xp.add(z, 1, dtype="f8", casting="unsafe"),
    "modulus": lambda xp, z: xp.absolute(z, out=xp.zeros(2), casting="unsafe"),
    "comparison": lambda xp, z: xp.equal(z, 1, out=xp.zeros(2), casting="unsafe"),
    "sum": lambda xp, z: z.sum(dtype="f8"),
    "mean": lambda xp, z: z.mean(dtype="f8"),
    "cumsum": lambda xp, z: z.cumsum(dtype="f8"),
    "real": lambda xp, z: z.real.astype("f4"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_same_casts_warn(case):
    def warned(xp):
        z = xp.array(np.array([1 + 2j, 3]))
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            CASES[case](xp, z)
        return [w.category for w in seen]

    assert warned(cp) == warned(np)


def test_a_warning_that_is_an_error_leaves_the_array_alone():
    a = cp.ones(2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(cp.exceptions.ComplexWarning):
            a[:] = cp.array([5j, 6])
    np.testing.assert_array_equal(a.get(), [1, 1])
