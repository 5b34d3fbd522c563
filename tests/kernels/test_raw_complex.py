"""Complex numbers of RawKernel's texts: those of cuComplex.h with the operators of `cupy/complex.cuh`."""

import pickle

import numpy as np
import pytest

import cuprum as cp

CUCOMPLEX = """
#include <cuComplex.h>
extern "C" __global__ void mix(NUMBER* x, NUMBER* out, PART* size) {
    int i = threadIdx.x;
    NUMBER two = MAKE(2, -1);
    NUMBER sum = cuCadd(x[i], two), quotient = cuCdiv(sum, cuConj(two));
    out[i] = cuCfma(quotient, x[i], cuCsub(x[i], sum)) * two;
    size[i] = cuCabs(out[i]) + cuCreal(two) - cuCimag(two);
}
"""


@pytest.mark.parametrize(
    "dtype, name, part", [("c8", "cuFloatComplex", "float"), ("c16", "cuDoubleComplex", "double")]
)
def test_numbers_of_cucomplex_with_operators(dtype, name, part):
    options = (f"-DNUMBER={name}", f"-DPART={part}", f"-DMAKE=make_{name}")
    x = (np.arange(8) - 3 + 1j * np.arange(8)[::-1]).astype(dtype)
    out, size = cp.zeros(8, dtype), cp.zeros(8, "f4" if part == "float" else "f8")
    module = cp.RawModule(code=CUCOMPLEX, options=options, translate_cucomplex=True)
    module.get_function("mix")((1,), (8,), (cp.asarray(x), out, size))
    two = 2 - 1j
    expected = ((x + two) / np.conj(two) * x + (x - (x + two))) * two
    np.testing.assert_allclose(out.get(), expected, rtol=1e-5 if part == "float" else 1e-14)
    np.testing.assert_allclose(size.get(), abs(expected) + 3, rtol=1e-5 if part == "float" else 1e-14)
    assert module.code == CUCOMPLEX
    kernel = cp.RawKernel(CUCOMPLEX, "mix", options, translate_cucomplex=True)
    again = cp.zeros_like(out)
    pickle.loads(pickle.dumps(kernel))((1,), (8,), (cp.asarray(x), again, size))
    np.testing.assert_array_equal(again.get(), out.get())
