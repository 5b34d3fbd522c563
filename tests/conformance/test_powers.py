"""Powers with exponents that have a short way: three, and three halves either way."""

import numpy as np
import pytest

import cuprum as cp

pytestmark = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant <= 52, reason="needs numbers with more digits than float64"
)


SHORT_EXPONENTS = [3, 1.5, -1.5]


def power_arguments(dtype):
    """Ordinary numbers, all sizes, and the corners."""
    rng = np.random.default_rng(5)
    most = 300 if dtype == "float64" else 37
    corners = [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        1.0,
        -1.0,
        np.finfo(dtype).max,
        np.finfo(dtype).smallest_subnormal,
    ]
    x = np.concatenate(
        [rng.random(700) * 9, 10.0 ** rng.uniform(-most, most, 700), -9 * rng.random(99), corners]
    )
    return x.astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("exponent", SHORT_EXPONENTS)
def test_powers_by_products_and_roots(dtype, exponent):
    x = power_arguments(dtype)
    with np.errstate(all="ignore"):
        # Rounded once, from numbers with more digits.
        wanted = np.power(x.astype(np.longdouble), np.longdouble(exponent)).astype(dtype)
    found = cp.asnumpy(cp.asarray(x) ** exponent)
    assert found.dtype == wanted.dtype
    finite = np.isfinite(wanted) & (wanted != 0)
    assert np.array_equal(found[~finite], wanted[~finite], equal_nan=True)
    assert np.array_equal(np.signbit(found[wanted == 0]), np.signbit(wanted[wanted == 0]))
    apart = abs(found[finite].astype(np.longdouble) - np.power(x[finite].astype(np.longdouble), exponent))
    ulps = apart / np.spacing(abs(wanted[finite])).astype(np.longdouble)
    # Bases near the ends of the exponent range go the long way, which is less exact there.
    most = 1e100 if dtype == "float64" else 1e12
    is_moderate = (abs(x[finite]) < most) & (abs(x[finite]) > 1 / most)
    assert float(ulps[is_moderate].max()) <= 0.51
    assert float(ulps.max()) <= 1
    # One exponent for all, and one for each.
    each = cp.asnumpy(cp.power(cp.asarray(x), cp.full(x.shape, exponent, dtype)))
    assert found.tobytes() == each.tobytes()
