"""`fft.config.set_cufft_callbacks`: transforms whose elements are read and written through CUDA C."""

import contextvars
import warnings

import numpy as np
import pytest

import cuprum as cp

TYPES = {
    "complex64": "cufftComplex",
    "complex128": "cufftDoubleComplex",
    "float32": "cufftReal",
    "float64": "cufftDoubleReal",
}
ONE_AXIS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL = ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"]


def load(dtype, factor="0.5 * (offset % 7)"):
    """Every element times a number that depends on its place."""
    scaled = "x.x *= f; x.y *= f;" if "complex" in dtype else "x *= f;"
    return f"""
    #include <cufftXt.h>
    __device__ {TYPES[dtype]} own_load(void* data, unsigned long long offset, void* own, void*) {{
        {TYPES[dtype]} x = (({TYPES[dtype]}*)data)[offset];
        double f = {factor};
        {scaled}
        return x;
    }}
    """


def store(dtype, factor="1 + 0.25 * (offset % 5)"):
    scaled = "x.x *= f; x.y *= f;" if "complex" in dtype else "x *= f;"
    return f"""
    __device__ void own_store(void *data, unsigned long long offset, {TYPES[dtype]} x, void *own, void*) {{
        double f = {factor};
        {scaled}
        (({TYPES[dtype]}*)data)[offset] = x;
    }}
    """


def weights(array, step, period, shift=0.0):
    return shift + step * (np.arange(array.size).reshape(array.shape) % period)


def read(op, single):
    real = op.startswith(("rfft", "ihfft"))
    return f"{'float' if real else 'complex'}{(32 if single else 64) * (1 if real else 2)}"


def written(op, single):
    real = op.startswith(("irfft", "hfft"))
    return f"{'float' if real else 'complex'}{(32 if single else 64) * (1 if real else 2)}"


def given(op, single, shape):
    rng = np.random.default_rng(len(op) + len(shape))
    values = rng.standard_normal(shape)
    if "complex" in read(op, single):
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(read(op, single))


def close(got, expected, single):
    assert got.dtype == expected.dtype
    # Units in the last place of the largest element.
    scale = np.abs(expected).max()
    tolerance = 32 * np.finfo(np.float32 if single else np.float64).eps * scale
    np.testing.assert_allclose(got.get(), expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("op", ONE_AXIS)
@pytest.mark.parametrize(
    ("shape", "n", "axis"), [((12,), None, -1), ((4, 6), 9, 1), ((4, 6), None, 0), ((6, 3), 4, 0)]
)
def test_lines(op, shape, n, axis, norm, single):
    a = given(op, single, shape)
    with cp.fft.config.set_cufft_callbacks(load(read(op, single)), store(written(op, single)), cb_ver="jit"):
        got = getattr(cp.fft, op)(cp.asarray(a), n, axis, norm)
        again = getattr(cp.scipy.fft, op)(cp.asarray(a), n, axis, norm)
    # What the transform reads is the array cut or filled up, with the axis last.
    length = None if n is None else n // 2 + 1 if op in ("irfft", "hfft") else n
    cooked = np.zeros([length if i == axis % a.ndim and length else s for i, s in enumerate(shape)], a.dtype)
    common = tuple(slice(min(x, y)) for x, y in zip(shape, cooked.shape, strict=True))
    cooked[common] = a[common]
    cooked = np.ascontiguousarray(cooked.swapaxes(axis, -1))
    # hfft and ihfft conjugate before and behind the callbacks: factors that are real do not see it.
    points = n if n is not None else 2 * (cooked.shape[-1] - 1) if op in ("irfft", "hfft") else None
    raw = getattr(np.fft, op)(cooked * weights(cooked, 0.5, 7), points, -1, norm)
    expected = (raw * weights(raw, 0.25, 5, 1.0)).swapaxes(axis, -1)
    close(got, expected.astype(written(op, single)), single)
    close(again, expected.astype(written(op, single)), single)


@pytest.mark.parametrize("op", SEVERAL)
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_boxes(op, norm, order):
    a = np.array(given(op, False, (4, 6, 5)), order=order)
    axes = (1, 2)
    with cp.fft.config.set_cufft_callbacks(load(read(op, False)), store(written(op, False)), cb_ver="jit"):
        got = getattr(cp.fft, op)(cp.asarray(a, order=order), axes=axes, norm=norm)
    # Elements are counted as they lie in memory, of complex arrays in either order.
    turned = order == "F" and op in ("fft2", "ifft2", "fftn", "ifftn")
    of = (lambda x: weights(x.T, 0.5, 7).T) if turned else (lambda x: weights(x, 0.5, 7))
    behind = (lambda x: weights(x.T, 0.25, 5, 1.0).T) if turned else (lambda x: weights(x, 0.25, 5, 1.0))
    raw = getattr(np.fft, op)(a * of(a), axes=axes, norm=norm)
    close(got, raw * behind(raw), False)


def test_axes_that_no_plan_has_are_transformed_one_by_one():
    a = given("fft", False, (3, 4, 5))
    code = load("complex128", "2")
    with cp.fft.config.set_cufft_callbacks(code, cb_ver="jit"):
        got = cp.fft.fftn(cp.asarray(a), axes=(0, 2))
        half = cp.fft.irfftn(cp.asarray(a), axes=(0, 2))
    close(got, np.fft.fftn(a, axes=(0, 2)) * 4, False)
    close(half, np.fft.irfftn(a, axes=(0, 2)) * 4, False)


def test_memory_for_the_functions():
    a = cp.asarray(given("fft", False, (3, 8)))
    w = cp.linspace(0, 1, 24)
    reads, writes = load("complex128", "((double*)own)[offset]"), store("complex128", "*(double*)own")
    expected = np.fft.fft(a.get() * w.get().reshape(3, 8)) * w.get()[7]
    with cp.fft.config.set_cufft_callbacks(
        reads, writes, cb_load_data=w.data, cb_store_data=(w.data + 56), cb_ver="jit"
    ):
        close(cp.fft.fft(a), expected, False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        with cp.fft.config.set_cufft_callbacks(reads, cb_load_aux_arr=w, cb_ver="jit"):
            close(cp.fft.fft(a), expected / w.get()[7], False)


def test_both_ways_of_naming_the_function():
    legacy = (
        load("complex128", "3").replace("unsigned long long", "size_t").replace("#include <cufftXt.h>", "")
    )
    legacy = "__device__ double other(void* p) { return 0; }\n" + legacy
    a = given("fft", False, (8,))
    with pytest.warns(DeprecationWarning, match="legacy callback is considered deprecated"):
        context = cp.fft.config.set_cufft_callbacks(
            legacy + "__device__ cufftCallbackLoadZ d_loadCallbackPtr = own_load;"
        )
    named = cp.fft.config.set_cufft_callbacks(legacy, cb_load_name="own_load", cb_ver="jit")
    for one in (context, named):
        with one:
            close(cp.fft.fft(cp.asarray(a)), 3 * np.fft.fft(a), False)


def test_they_end_with_their_block_and_their_context():
    a = cp.asarray(given("fft", False, (8,)))
    plain = cp.fft.fft(a).get()
    outer = cp.fft.config.set_cufft_callbacks(load("complex128", "2"), cb_ver="jit")
    inner = cp.fft.config.set_cufft_callbacks(load("complex128", "5"), cb_ver="jit")
    assert cp.fft.config.get_current_callback_manager() is None
    with outer:
        with inner:
            np.testing.assert_allclose(cp.fft.fft(a).get(), 5 * plain)
        np.testing.assert_allclose(cp.fft.fft(a).get(), 2 * plain)
        assert cp.fft.config.get_current_callback_manager() is not None
        np.testing.assert_array_equal(contextvars.Context().run(cp.fft.fft, a).get(), plain)
    with pytest.raises(KeyError), outer:
        raise KeyError
    np.testing.assert_array_equal(cp.fft.fft(a).get(), plain)


def test_results_go_into_out_and_empty_arrays_pass():
    out = cp.zeros(4, "complex128")
    with cp.fft.config.set_cufft_callbacks(load("complex128", "2"), cb_ver="jit"):
        assert cp.fft.fft(cp.ones(4), out=out) is out
        assert cp.fft.fft(cp.ones((0, 4))).shape == (0, 4)
    np.testing.assert_array_equal(out.get(), [8, 0, 0, 0])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, ValueError, "give cb_load, cb_store or both"),
        ({"cb_load": "int x;", "cb_ver": "jit"}, ValueError, "no function is found in cb_load"),
        ({"cb_load": load("complex64"), "cb_ver": "new"}, ValueError, "must be 'legacy' or 'jit', got 'new'"),
        ({"cb_load": 5, "cb_ver": "jit"}, TypeError, "cb_load must be a text, got int"),
        (
            {"cb_load": "f", "cb_load_data": 1, "cb_load_aux_arr": 2},
            ValueError,
            "only use cb_load_data and not cb_load_aux_arr",
        ),
    ],
)
def test_arguments_that_cannot_be(arguments, error, message):
    with pytest.raises(error, match=f"set_cufft_callbacks: .*{message}"):
        cp.fft.config.set_cufft_callbacks(**arguments)


def test_what_is_wrong_is_told_as_without_them():
    with cp.fft.config.set_cufft_callbacks(load("complex128"), cb_ver="jit"):
        with pytest.raises(np.exceptions.AxisError):
            cp.fft.fft(cp.ones(4), axis=2)
        with pytest.raises(ValueError, match="0"):
            cp.fft.fft(cp.ones(4), n=0)
        with pytest.raises(ValueError, match="norm"):
            cp.fft.fft(cp.ones(4), norm="none")
        with pytest.raises(ValueError, match="axes"):
            cp.fft.fftn(cp.ones((4, 4)), s=(2, 2, 2), axes=(0, 1))
    # A function of another type does not compile.
    with (
        cp.fft.config.set_cufft_callbacks(load("complex64"), cb_ver="jit"),
        pytest.raises(cp.cuda.compiler.CompileException),
    ):
        cp.fft.fft(cp.ones(4))
