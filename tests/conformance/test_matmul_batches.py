"""Products of many small matrices with one matrix, with vectors and with each other, against NumPy.

Data are small integers, so that every product is exact and must equal NumPy's to the bit; on a CPU each
product of a batch must also have the bits that it has alone.
"""

import numpy as np
import pytest
from twin import ON_GPU, to_numpy

import cuprum as cp

DTYPES = ["bool", "int8", "int64", "float16", "float32", "float64", "complex128"]
ONE = {"rows": lambda x: x, "columns": lambda x: x.swapaxes(-1, -2).copy().swapaxes(-1, -2)}


def whole(dtype, shape, seed):
    values = np.random.default_rng(seed).integers(0, 3, shape)
    return values.astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "lengths", [(4, 4, 4), (2, 4, 4), (4, 4, 1), (1, 4, 4), (1, 12, 3), (5, 20, 7), (3, 1, 2)]
)
@pytest.mark.parametrize("batch", [(7,), (300,), (3, 5)])
def test_a_batch_beside_one_matrix(batch, lengths, dtype):
    m, k, n = lengths
    for name, lay_out in ONE.items():
        for left, right in (
            ((*batch, m, k), (k, n)),
            ((m, k), (*batch, k, n)),
            ((*batch, m, k), (*batch, k, n)),
        ):
            a, b = lay_out(whole(dtype, left, 1)), lay_out(whole(dtype, right, 2))
            want = a @ b
            got = to_numpy(cp.asarray(a) @ cp.asarray(b))
            assert got.dtype == want.dtype and got.shape == want.shape
            np.testing.assert_array_equal(got, want, err_msg=f"{name} {left} {right}")


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize(
    "lengths", [(4, 4, 4), (2, 8, 5), (4, 4, 1), (1, 8, 4), (6, 40, 9), (3, 600, 2), (1, 30, 4)]
)
@pytest.mark.skipif(ON_GPU, reason="cuBLAS chooses the order of its sums by the whole shape")
def test_each_product_of_a_batch_has_the_bits_that_it_has_alone(lengths, dtype):
    m, k, n = lengths
    rng = np.random.default_rng(5)
    a, b = rng.standard_normal((50, m, k)).astype(dtype), rng.standard_normal((50, k, n)).astype(dtype)
    a, b = cp.asarray(a), cp.asarray(b)
    for left, right in ((a, b[0]), (a[0], b), (a, b[0].T.copy().T), (a[0].T.copy().T, b), (a, b)):
        together = to_numpy(left @ right)
        for at in range(0, 50, 7):
            one = left[at] if left.ndim == 3 else left, right[at] if right.ndim == 3 else right
            alone = to_numpy(one[0] @ one[1])
            np.testing.assert_allclose(together[at], alone, rtol=0, atol=0)
