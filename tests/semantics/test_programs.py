"""Whole programs, the benches' own, on small arrays: NumPy's results."""

import sys
from pathlib import Path

import numpy as np
import pytest

import cuprum as cp

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benches"))
from whole_programs import PROGRAMS  # noqa: E402


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_gives_numpys_results_and_leaves_its_operands(name):
    program = PROGRAMS[name]
    host = program.operands(1e-4)
    arrays = [cp.asarray(array) for array in host]
    found, wanted = (
        result if isinstance(result, tuple) else (result,)
        for result in (program.run(cp, *arrays), program.run(np, *host))
    )
    assert len(found) == len(wanted)
    for x, y in zip(found, wanted, strict=True):
        assert (x.dtype, x.shape) == (y.dtype, y.shape)
        rtol = 2e-5 if x.dtype == np.float32 else 1e-9
        np.testing.assert_allclose(cp.asnumpy(x), y, rtol, rtol * float(abs(y).max()))
    for array, before in zip(arrays, program.operands(1e-4), strict=True):
        np.testing.assert_array_equal(cp.asnumpy(array), before)


def test_the_edit_distance_is_that_of_the_table():
    a, b = (np.random.default_rng(seed).integers(0, 3, n, dtype="int32") for seed, n in ((1, 23), (2, 31)))
    table = np.add.outer(np.arange(24), np.arange(32))
    for i in range(1, 24):
        for j in range(1, 32):
            change = table[i - 1, j - 1] + (a[i - 1] != b[j - 1])
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, change)
    assert int(PROGRAMS["edit_distance"].run(cp, cp.asarray(a), cp.asarray(b))) == table[-1, -1]
