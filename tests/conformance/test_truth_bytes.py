"""Booleans whose bytes are neither 0 nor 1: every byte but zero is true, whatever is done with it."""

import numpy as np
import pytest
from truth_cases import bytes_of, check_all
from twin import fresh_python

import cuprum as cp

SIZES = [3, 33, 300, 5000, 100_000]


@pytest.mark.parametrize("size", SIZES)
def test_any_byte_but_zero_is_true(size):
    check_all(size)


@pytest.mark.no_gpu
@pytest.mark.parametrize("simd", ["portable", "avx2", "avx512"])
def test_every_instruction_set(simd):
    code = """
    sys.path.insert(0, sys.argv[1])
    from truth_cases import check_all
    for size in (33, 300, 5000, 100_000):
        check_all(size)
    print("same")
    """
    assert fresh_python(code, __file__.rpartition("/")[0], CUPRUM_SIMD=simd, timeout=600) == "same"


@pytest.mark.parametrize("size", SIZES)
def test_masks_from_other_libraries(size):
    data = bytes_of(size)
    want = np.flatnonzero(data)
    masks = {
        "frombuffer": cp.frombuffer(data.tobytes(), dtype="bool"),
        "asarray": cp.asarray(data.view("bool")),
        "from_dlpack": cp.from_dlpack(data.view("bool")),
    }
    for name, mask in masks.items():
        assert np.array_equal(cp.asnumpy(cp.flatnonzero(mask)), want), name
        assert int(mask.sum()) == want.size, name
        assert np.array_equal(cp.asnumpy(mask.view("u1")), data), name


@pytest.mark.parametrize("step", [1, 2])
def test_kernels_see_0_or_1(step):
    data = bytes_of(999)
    mask, want = cp.array(data).view("bool")[::step], (data != 0)[::step]
    as_number = cp.ElementwiseKernel("T a", "int32 b", "b = a", "truth_as_number")
    assert np.array_equal(cp.asnumpy(as_number(mask)), want)
    differs = cp.ElementwiseKernel("bool a, bool b", "bool c", "c = a ^ b", "truth_differs")
    assert np.array_equal(cp.asnumpy(differs(mask, cp.ones(mask.size, "bool"))), ~want)
    count = cp.ReductionKernel("bool a", "int64 b", "a", "a + b", "b = a", "0", "truth_count")
    assert int(count(mask)) == want.sum()


@pytest.mark.cpu
def test_raw_kernels_see_0_or_1():
    data = bytes_of(64)
    text = """
    extern "C" __global__ void spread(const bool* a, int* b, float* c, bool* d) {
        int i = threadIdx.x;
        b[i] = a[i];
        c[i] = a[i] + 1;
        d[i] = a[i];
    }
    """
    b, c, d = cp.zeros(64, "i4"), cp.zeros(64, "f4"), cp.zeros(64, "bool")
    cp.RawKernel(text, "spread")((1,), (64,), (cp.array(data).view("bool"), b, c, d))
    want = data != 0
    assert np.array_equal(cp.asnumpy(b), want)
    assert np.array_equal(cp.asnumpy(c), want + 1.0)
    assert np.array_equal(cp.asnumpy(d.view("u1")), want)
