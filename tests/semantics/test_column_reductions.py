"""Reductions down the columns of what is computed on the way have the bits of those of stored elements."""

from __future__ import annotations

import numpy as np
import pytest
from twin import ON_GPU

import cuprum as cp

SHAPES = [(5, 70), (64, 100), (129, 1000), (1000, 257), (300, 64), (77, 1025), (8, 4097)]
REDUCTIONS = ["max", "min", "argmax", "sum", "std", "any"]
PROGRAMS = {
    "minus a row": lambda x, y, row, column: x - row,
    "minus a column": lambda x, y, row, column: x - column,
    "of two matrices": lambda x, y, row, column: x * y,
    "of all": lambda x, y, row, column: (x - row) * y + column,
    "backwards": lambda x, y, row, column: x[:, ::-1] - row[::-1],
    "every second": lambda x, y, row, column: x[:, ::2] + y[:, ::2],
    "with a number": lambda x, y, row, column: 2 - x,
}


def _operands(shape, dtype, kind):
    random = np.random.default_rng(7)
    x, y = ((random.standard_normal(shape) * 40).astype(dtype) for _ in range(2))
    if kind == "zeros":
        x[random.random(shape) < 0.4] = 0
    if kind == "NaN":
        x[random.random(shape) < 0.02] = np.nan
    if kind == "NaN beside numbers":
        # It is among the first rows: those that are taken next must not replace it.
        x[: shape[0] // 2][random.random((shape[0] // 2, shape[1])) < 0.02] = complex(40, np.nan)
    return x, y, x[0].copy(), x[:, :1].copy()


FLOATS = ["float64", "float32", "float16", "complex64"]


@pytest.mark.parametrize(
    "dtype, kind",
    [(dtype, kind) for dtype in [*FLOATS, "int32", "uint8"] for kind in ("numbers", "zeros")]
    + [(dtype, "NaN") for dtype in FLOATS]
    + [("complex64", "NaN beside numbers")],
)
def test_as_of_the_same_elements_in_memory(dtype, kind):
    for shape in SHAPES:
        host = _operands(shape, dtype, kind)
        device = [cp.asarray(a) for a in host]
        for name, program in PROGRAMS.items():
            stored = cp.ascontiguousarray(program(*device)).copy()
            with np.errstate(all="ignore"):
                want = program(*host)
            for reduction in REDUCTIONS:
                got = getattr(program(*device), reduction)(axis=0).get()
                alone = getattr(stored, reduction)(axis=0).get()
                case = f"{reduction} of {shape}, {name}"
                assert got.tobytes() == alone.tobytes(), case
                with np.errstate(all="ignore"):
                    expected = getattr(want, reduction)(axis=0)
                if reduction in ("max", "min", "argmax", "any"):
                    np.testing.assert_array_equal(got, expected, case)
                elif dtype == "float64":
                    # Sums of 64 rows, and a tree over them.
                    exact = getattr(want.astype(np.longdouble), reduction)(axis=0)
                    scale = np.abs(np.nan_to_num(want)).max() * shape[0]
                    np.testing.assert_allclose(got, exact, rtol=0, atol=scale * 2.0**-45, err_msg=case)
                elif dtype == "int32" and reduction == "sum":
                    np.testing.assert_array_equal(got, expected, case)


@pytest.mark.skipif(ON_GPU, reason="a GPU's products have one NaN")
def test_the_first_of_several_nans():
    # Bits that tell where a NaN comes from.
    x = np.ones((200, 300))
    x[3::17, 5::7] = np.frombuffer(np.uint64(0x7FF8000000000001).tobytes(), "float64")[0]
    x[9::17, 5::7] = np.frombuffer(np.uint64(0x7FF8000000000002).tobytes(), "float64")[0]
    got = (cp.asarray(x) * 1.0).max(axis=0).get().view("uint64")
    assert set(got[5::7]) == {0x7FF8000000000001}
    assert set(np.delete(got, np.s_[5::7])) == {np.float64(1).view("uint64")}
