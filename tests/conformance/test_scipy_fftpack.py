"""Transforms in the forms of SciPy's older module, plans, and SciPy's own dispatch."""

import numpy as np
import pytest
import scipy.fft
import scipy.fftpack

import cuprum as cp

ours = cp.scipy.fftpack


@pytest.mark.parametrize("function", ["rfft", "irfft", "fft", "ifft"])
@pytest.mark.parametrize("n", [None, 1, 4, 5, 9])
@pytest.mark.parametrize("length", [1, 2, 5, 6])
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_lines(function, n, length, dtype):
    x = np.random.default_rng(length).random((3, length)).astype(dtype)
    for axis in (0, 1):
        expected = getattr(scipy.fftpack, function)(x, n, axis)
        made = getattr(ours, function)(cp.array(x), n, axis)
        assert made.dtype == expected.dtype
        scale = 32 * np.finfo(dtype).eps
        np.testing.assert_allclose(made.get(), expected, rtol=scale, atol=scale)


@pytest.mark.parametrize("function", ["fft2", "ifft2", "fftn", "ifftn"])
@pytest.mark.parametrize("shape", [None, (4, 3)])
def test_boxes(function, shape):
    x = np.random.default_rng(1).random((3, 5))
    expected = getattr(scipy.fftpack, function)(x, shape)
    np.testing.assert_allclose(
        getattr(ours, function)(cp.array(x), shape).get(), expected, rtol=1e-13, atol=1e-14
    )


@pytest.mark.parametrize("function", ["rfft", "irfft"])
def test_complex_input_is_refused(function):
    with pytest.raises(TypeError):
        getattr(scipy.fftpack, function)(np.ones(3, complex))
    with pytest.raises(TypeError):
        getattr(ours, function)(cp.ones(3, complex))


@pytest.mark.parametrize("shape", [(0, 3), (0, 4), (3, 1)])
@pytest.mark.parametrize("function", ["rfft", "irfft"])
def test_lines_of_nothing(function, shape):
    a = np.ones(shape)
    for n in (None, 2, 5):
        want = getattr(scipy.fftpack, function)(a, n)
        got = getattr(cp.scipy.fftpack, function)(cp.array(a), n)
        assert got.shape == want.shape
        np.testing.assert_allclose(got.get(), want, atol=1e-14)


def test_a_plan_fits_what_it_was_made_for():
    x = np.random.default_rng(2).random((4, 6)) + 0j
    a = cp.array(x)
    plan = cp.scipy.fft.get_fft_plan(a, axes=1)
    np.testing.assert_allclose(cp.scipy.fft.fft(a, plan=plan).get(), np.fft.fft(x), rtol=1e-13, atol=1e-14)
    with plan:
        np.testing.assert_allclose(cp.fft.fft(a).get(), np.fft.fft(x), rtol=1e-13, atol=1e-14)
    for wrong in (lambda: cp.scipy.fft.fft(a[:2], plan=plan), lambda: cp.scipy.fft.rfft(a.real, plan=plan)):
        with pytest.raises(ValueError, match="plan"):
            wrong()
    with pytest.raises(ValueError, match="value_type"):
        cp.scipy.fft.get_fft_plan(a, value_type="R2R")
    with pytest.raises(TypeError):
        cp.scipy.fft.get_fft_plan(a, value_type="R2C")
    whole = cp.arange(6).reshape(2, 3)
    plan = cp.scipy.fft.get_fft_plan(whole, value_type="R2C")
    np.testing.assert_allclose(
        cp.scipy.fft.rfftn(whole, plan=plan).get(), np.fft.rfftn(whole.get()), rtol=1e-13, atol=1e-14
    )
    with pytest.raises(ValueError):
        cp.scipy.fft.fft(a, plan="a plan")


@pytest.mark.parametrize("function", ["fft", "ifft", "rfft", "fft2", "dct", "next_fast_len"])
def test_scipy_hands_its_transforms_over(function):
    x = 7 if function == "next_fast_len" else np.random.default_rng(3).random((4, 6))
    given = x if isinstance(x, int) else cp.array(x)
    expected = getattr(scipy.fft, function)(x)
    with scipy.fft.set_backend(cp.scipy.fft):
        made = getattr(scipy.fft, function)(given)
    assert isinstance(x, int) or isinstance(made, cp.ndarray)
    np.testing.assert_allclose(cp.asnumpy(made), expected, rtol=1e-13, atol=1e-14)


def test_entered_plans_are_compared_with_arrays():
    a, other = cp.ones((3, 4), complex), cp.ones((6, 8), complex)
    plan = cp.scipy.fft.get_fft_plan(a)
    with plan:
        assert float(abs(cp.fft.fftn(a)[0, 0])) == 12 and cp.scipy.fft.ifftn(a).shape == (3, 4)
        for transform in (cp.fft.fftn, cp.fft.fft, cp.scipy.fft.fft2, cp.scipy.fftpack.fftn):
            with pytest.raises(ValueError, match="cuFFT plan and a.shape do not match"):
                transform(other)
        with pytest.raises(RuntimeError, match="either as a context manager or as an argument"):
            cp.scipy.fft.fftn(a, plan=plan)
        with cp.scipy.fft.get_fft_plan(other):
            assert cp.fft.fftn(other).shape == (6, 8)
        with pytest.raises(ValueError):
            cp.fft.fftn(other)
    assert cp.fft.fftn(other).shape == (6, 8)
