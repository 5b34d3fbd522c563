"""Filters by functions of the caller's against SciPy."""

import numpy as np
import pytest
import scipy.ndimage
from ndimage_sides import close, equal, same_error

import cuprum as cp
from cuprum.scipy import ndimage

MODES = ["reflect", "constant", "nearest", "mirror", "wrap"]


def data(shape, seed=0):
    return np.random.default_rng(seed).random(shape)


@pytest.mark.parametrize("mode", MODES)
def test_windows(mode):
    cross = np.array([[0, 1, 0], [1, 1, 1]])
    for shape, keywords in [
        ((9,), dict(size=3)),
        ((9,), dict(size=4, origin=1)),
        ((5, 6), dict(size=(2, 3))),
        ((5, 6), dict(footprint=cross, origin=(0, -1))),
        ((4, 3, 5), dict(size=3, axes=(0, 2))),
        ((2, 1), dict(size=5)),
    ]:
        a = data(shape)
        equal(
            lambda xp, ndi, a=a, k=keywords: ndi.generic_filter(
                xp.asarray(a), lambda w: float(w.max() - w[0]), mode=mode, cval=0.25, **k
            ),
            f"{shape} {keywords}",
        )


def test_windows_of_integers_and_arguments():
    a = np.arange(20).reshape(4, 5) ** 2
    more = dict(extra_arguments=(2,), extra_keywords={"power": 2}, output=np.float64)

    def spread(window, by, power):
        return float(window.max() - by) ** power

    equal(lambda xp, ndi: ndi.generic_filter(xp.asarray(a), spread, 3, **more))
    equal(lambda xp, ndi: ndi.generic_filter(xp.asarray(a), lambda w: float(w.mean()), 3))
    same_error(lambda xp, ndi: ndi.generic_filter(xp.asarray(a), xp.max), RuntimeError)
    same_error(lambda xp, ndi: ndi.generic_filter(xp.asarray(a + 1j), xp.max, 3), TypeError)
    same_error(lambda xp, ndi: ndi.generic_filter(xp.asarray(a), xp.max, 3, origin=2), ValueError)


def test_kernels_reduce_all_windows():
    a = data((6, 7))
    kernel = cp.ReductionKernel("float64 x", "float64 y", "x * x", "a + b", "y = a", "0", "sum_of_squares")
    got = ndimage.generic_filter(cp.asarray(a), kernel, 3).get()
    want = ndimage.generic_filter(cp.asarray(a), lambda w: float((w * w).sum()), 3).get()
    np.testing.assert_allclose(got, want, rtol=1e-14)


def test_a_type_that_no_input_tells_is_the_results():
    a = (data((6, 7)) * 10).astype(np.uint8)
    kernel = cp.ReductionKernel("X x", "Y y", "x", "min(a, b)", "y = a", None, "least", reduce_type="X")
    got = ndimage.generic_filter(cp.asarray(a), kernel, 3, output=np.float32)
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got.get(), scipy.ndimage.minimum_filter(a, 3).astype(np.float32))


def test_a_reduction_sees_the_middle_of_its_window():
    a = data((6, 7))
    less = cp.ReductionKernel(
        "X x", "Y y", "_raw_x[_in_ind.size() / 2] > x", "a + b", "y = a", "0", "less", reduce_type="int"
    )
    got = ndimage.generic_filter(cp.asarray(a), less, 3)
    want = scipy.ndimage.generic_filter(a, lambda w: (w[len(w) // 2] > w).sum(), 3)
    np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("mode", MODES)
def test_raw_kernels_are_called_for_windows_and_lines(mode):
    a = data((5, 8))
    mean = cp.RawKernel(
        """extern "C" __global__ void mean(const double* x, int n, double* y) {
            double s = 0;
            for (int i = 0; i < n; ++i) s += x[i];
            y[0] = s / n;
        }""",
        "mean",
    )
    got = ndimage.generic_filter(cp.asarray(a), mean, (3, 2), mode=mode, cval=0.5)
    want = scipy.ndimage.generic_filter(a, np.mean, (3, 2), mode=mode, cval=0.5)
    np.testing.assert_allclose(got.get(), want, rtol=1e-14)
    sums = cp.RawKernel(
        """extern "C" __global__ void sums(const double* x, int length, double* y, int n) {
            for (int i = 0; i < n; ++i) y[i] = x[i] + 2 * x[i + 1] + x[i + 2];
        }""",
        "sums",
    )

    def same(line, out):
        out[...] = line[:-2] + 2 * line[1:-1] + line[2:]

    for axis in (0, 1):
        got = ndimage.generic_filter1d(cp.asarray(a), sums, 3, axis, mode=mode, cval=0.5)
        want = scipy.ndimage.generic_filter1d(a, same, 3, axis, mode=mode, cval=0.5)
        np.testing.assert_allclose(got.get(), want, rtol=1e-14)


@pytest.mark.parametrize("mode", MODES)
def test_lines(mode):
    a = data((4, 5))

    def sums(line, out):
        out[...] = line[:-2] + 2 * line[1:-1] + line[2:]

    for axis in (0, 1):
        for origin in (0, 1):
            equal(
                lambda xp, ndi, x=axis, o=origin: ndi.generic_filter1d(
                    xp.asarray(a), sums, 3, x, mode=mode, cval=0.5, origin=o
                )
            )
    same_error(lambda xp, ndi: ndi.generic_filter1d(xp.asarray(a), sums, 0), RuntimeError)


@pytest.mark.parametrize("mode", [*MODES, "valid"])
def test_all_windows_at_once(mode):
    a = data((5, 6, 4))
    for keywords in (dict(size=3), dict(size=(2, 3), axes=(0, 2)), dict(footprint=np.eye(3), axes=(1, 2))):
        close(
            lambda xp, ndi, k=keywords: ndi.vectorized_filter(xp.asarray(a), xp.mean, mode=mode, **k),
            label=f"{keywords}",
        )
    equal(
        lambda xp, ndi: ndi.vectorized_filter(xp.asarray(a), xp.max, size=3, mode=mode, batch_memory=20_000)
    )
    same_error(lambda xp, ndi: ndi.vectorized_filter(xp.asarray(a), xp.max), ValueError)
