"""Negated integers that fuse with maxima, comparisons and conversions: assemblers have lost signs there."""

import numpy as np
import pytest
from twin import twin

DTYPES = ["int8", "int16", "int32", "int64"]


def operands(xp, dtype):
    rng = np.random.default_rng(5)
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    made = rng.integers(least, most, (3, 8192), dtype=dtype, endpoint=True)
    made[:, ::7] = rng.integers(-3, 4, made[:, ::7].shape)
    made[0, ::5] = least
    return [xp.asarray(row) for row in made]


@pytest.mark.parametrize("dtype", DTYPES)
@twin()
def test_extremes_of_three(xp, dtype):
    a, b, c = operands(xp, dtype)
    return [
        xp.maximum(xp.maximum(b, -a), c),
        xp.maximum(c, xp.maximum(-a, b)),
        xp.minimum(xp.minimum(b, -a), c),
        xp.minimum(xp.minimum(-b, -a), -c),
        xp.clip(-a, -9, 9),
        xp.maximum(b, xp.where(c > 0, -a, a)),
    ]


@pytest.mark.parametrize("dtype", DTYPES)
@twin()
def test_wider_and_compared(xp, dtype):
    a, b, _ = operands(xp, dtype)
    return [(-a).astype("int64"), (-a) * 2.0, -a < b, -a == a, abs(-a), -a // 3, (-a) >> 1]


@pytest.mark.parametrize("dtype", DTYPES)
@twin()
def test_reduced(xp, dtype):
    a, b, _ = operands(xp, dtype)
    rows = a.reshape(64, 128)
    return [(-a).max(), (-b).min(), (-rows).max(1), (-rows).min(0), (-a).sum(dtype="int64"), (-a).argmax()]
