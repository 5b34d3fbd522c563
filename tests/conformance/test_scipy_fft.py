"""``cuprum.scipy.fft`` against ``scipy.fft``: values, dtypes, shapes and exception classes.

Errors are counted as in ``test_fft.py``, in units of `eps * log2(n) * rms`. Cosine and sine transforms are
each a Fourier transform of up to twice the length between two products, and may be off by as much again.
"""

import inspect

import numpy as np
import pytest
import scipy.fft
import scipy.fftpack
from twin import ALL_DTYPES, Failure, collect, compare, dtype_name, raising, run, to_numpy

import cuprum as cp

UNITS = 3.0
LINES = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
BOXES = [name + end for name in LINES for end in "2n"]
COSINES = ["dct", "idct", "dst", "idst"]
REAL = ("rfft", "ihfft")


def data(shape, dtype="complex128", seed=0):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    if dtype.kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    return rng.integers(0, 100, shape).astype(dtype)


def close(body, points, label="", units=UNITS, may_raise=()):
    """Run `body(module, library)` on SciPy and on Cuprum and compare."""
    want = run(lambda xp: body(scipy.fft, xp), np)
    got = run(lambda xp: body(cp.scipy.fft, xp), cp)
    raises = getattr(body, "raises", None)
    if raises or isinstance(want, Failure) or isinstance(got, Failure):
        compare(got, want, label=label, raises=raises, may_raise=may_raise)
        return
    assert dtype_name(got.dtype) == want.dtype.name, f"[{label}] {got.dtype}, SciPy has {want.dtype}"
    assert tuple(got.shape) == want.shape, f"[{label}] {got.shape}, SciPy has {want.shape}"
    if want.size == 0:
        return
    eps = np.finfo(want.dtype).eps
    rms = np.sqrt(np.mean(np.abs(want) ** 2))
    far = np.max(np.abs(to_numpy(got) - want)) / (eps * np.log2(max(points, 2)) * (rms or 1.0))
    assert far <= units, f"[{label}] off by {far} units"


def call(name, host, view=lambda a: a, **keywords):
    return lambda module, xp: getattr(module, name)(view(xp.array(host)), **keywords)


def test_the_module_has_scipys_names():
    # Backends and thread settings are SciPy's own affair.
    apart = {
        "set_backend",
        "skip_backend",
        "set_global_backend",
        "register_backend",
    }
    apart |= {"get_workers", "set_workers"}
    assert set(scipy.fft.__all__) - apart == set(cp.scipy.fft.__all__) - {"get_fft_plan"}


@pytest.mark.parametrize("name", [*LINES, *BOXES, *COSINES, "dctn", "idctn", "dstn", "idstn"])
def test_parameters_are_scipys(name):
    def parameters(module):
        return [(p.name, p.default) for p in inspect.signature(getattr(module, name)).parameters.values()]

    assert parameters(cp.scipy.fft) == parameters(scipy.fft)


@pytest.mark.parametrize("name", LINES)
def test_lines(name):
    with collect() as failures:
        for dtype in ALL_DTYPES:
            host = data((3, 9), dtype)
            for n in (None, 8, 12):
                for norm in (None, "ortho", "forward"):
                    with failures:
                        label = f"{name} {dtype} {n} {norm}"
                        close(call(name, host, n=n, norm=norm), 12, label, may_raise=TypeError)
            with failures:
                close(
                    call(name, host, lambda a: a[::-1].T, axis=0, workers=2, overwrite_x=True),
                    12,
                    dtype,
                    may_raise=TypeError,
                )


@pytest.mark.parametrize("name", BOXES)
def test_boxes(name):
    host = data((3, 4, 5), "float64" if name.startswith(REAL) else "complex128")
    with collect() as failures:
        for axes in (None, (-2, -1), (1, 0), 2, (0, 1, 2), (0, 0), (0, 3), (), "ab"):
            count = 3 if axes is None else 1 if isinstance(axes, int) else len(axes)
            for s in (None, (6, 3, 4)[:count], 4, (2, -1), (0, 2), (2.5, 2)):
                for norm in (None, "ortho"):
                    with failures:
                        close(
                            call(name, host, s=s, axes=axes, norm=norm),
                            60,
                            f"{name} {axes} {s} {norm}",
                            may_raise=ValueError,
                        )


@pytest.mark.parametrize("name", COSINES)
@pytest.mark.parametrize("type", [1, 2, 3, 4])
def test_cosines_and_sines(name, type):
    with collect() as failures:
        for n in (1, 2, 3, 4, 5, 8, 15, 16, 97, 128, 1000):
            # SciPy raises RuntimeError where the type 1 transform has no period; here it is a ValueError.
            if n == 1 and type == 1 and name.endswith("dct"):
                with pytest.raises(ValueError, match="two points"):
                    getattr(cp.scipy.fft, name)([1.0], type=1)
                continue
            for dtype in ("float64", "float32", "complex128"):
                host = data((2, n), dtype, n)
                for norm in (None, "ortho", "forward"):
                    with failures:
                        close(call(name, host, type=type, norm=norm), 2 * n, f"{n} {dtype} {norm}", 2 * UNITS)
        host = data((6, 4), "float64")
        for keywords in (
            {"n": 4},
            {"n": 9},
            {"orthogonalize": True},
            {"norm": "ortho", "orthogonalize": False},
        ):
            with failures:
                close(call(name, host, type=type, axis=0, **keywords), 12, str(keywords), 2 * UNITS)


@pytest.mark.parametrize("name", ["dctn", "idctn", "dstn", "idstn"])
def test_cosines_and_sines_over_several_axes(name):
    host = data((3, 4, 5), "float64")
    with collect() as failures:
        for type in (1, 2, 3, 4):
            for axes, s in ((None, None), ((0, 2), None), ((1, 0), (5, 3)), (None, (4, 2)), ((), None)):
                for norm in (None, "ortho"):
                    with failures:
                        body = call(name, host, type=type, s=s, axes=axes, norm=norm)
                        close(body, 120, f"{name} {type} {axes} {s} {norm}", 3 * UNITS)


@pytest.mark.parametrize("name", COSINES)
def test_dtypes_of_cosines_and_sines(name):
    with collect() as failures:
        for dtype in ALL_DTYPES:
            with failures:
                close(call(name, data(8, dtype)), 16, dtype, 2 * UNITS)


@pytest.mark.parametrize("real", [False, True])
def test_fast_lengths(real):
    for target in [*range(1, 2000), 10**6 - 1, 2**31 + 1, 10**12 + 39]:
        assert cp.scipy.fft.next_fast_len(target, real) == scipy.fft.next_fast_len(target, real)
        assert cp.scipy.fft.prev_fast_len(target, real) == scipy.fft.prev_fast_len(target, real)
    assert cp.scipy.fft.next_fast_len(0, real) == cp.scipy.fft.prev_fast_len(0, real) == 0


ERRORS = {
    "empty": raising(ValueError, lambda module, xp: module.fft(xp.array([]))),
    "no dimensions": raising(IndexError, lambda module, xp: module.fft(xp.array(1.0))),
    "no dimensions, n": raising(IndexError, lambda module, xp: module.fft(xp.array(1.0), n=2)),
    "axis": raising(IndexError, lambda module, xp: module.fft(xp.ones(3), axis=1)),
    "axis, n": raising(IndexError, lambda module, xp: module.rfft(xp.ones(3), n=3, axis=1)),
    "n 0": raising(ValueError, lambda module, xp: module.fft(xp.ones(3), n=0)),
    "n negative": raising(ValueError, lambda module, xp: module.irfft(xp.ones(3), n=-2)),
    "irfft of one": raising(ValueError, lambda module, xp: module.irfft(xp.ones(1))),
    "norm": raising(ValueError, lambda module, xp: module.ifft(xp.ones(3), norm="x")),
    "rfft of complex": raising(TypeError, lambda module, xp: module.rfft(xp.ones(3, "complex64"))),
    "rfftn of complex": raising(TypeError, lambda module, xp: module.rfftn(xp.ones((3, 2), "complex64"))),
    "workers 0": raising(ValueError, lambda module, xp: module.fft(xp.ones(3), workers=0)),
    "workers far below": raising(ValueError, lambda module, xp: module.fft(xp.ones(3), workers=-(10**6))),
    "one dimension, fft2": raising(ValueError, lambda module, xp: module.fft2(xp.ones(3))),
    "dct type": raising(ValueError, lambda module, xp: module.dct(xp.ones(3), type=5)),
    "dct norm": raising(ValueError, lambda module, xp: module.dct(xp.ones(3), norm="x")),
    "dct empty": raising(ValueError, lambda module, xp: module.dct(xp.ones(0))),
    "dctn axes": raising(ValueError, lambda module, xp: module.dctn(xp.ones((3, 3)), axes=(0, 0))),
    "next_fast_len negative": raising(ValueError, lambda module, xp: module.next_fast_len(-1)),
    "next_fast_len float": raising(TypeError, lambda module, xp: module.next_fast_len(2.5)),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_are_scipys(case):
    close(ERRORS[case], 4, case)


def test_plans_are_refused():
    with pytest.raises(ValueError, match="plan must be None"):
        cp.scipy.fft.fft([1.0], plan=object())


@pytest.mark.parametrize("name", [*LINES, *BOXES, *COSINES, *(one + "n" for one in COSINES)])
def test_results_lie_in_rows(name):
    def strides(xp, module):
        a = xp.asarray(data((4, 6, 4), "float64"))
        given = [xp.asfortranarray(a), a.transpose(1, 0, 2), a[::-1, :, ::2], xp.broadcast_to(a[:1], a.shape)]
        return [getattr(module, name)(one).strides for one in given]

    assert strides(cp, cp.scipy.fft) == strides(np, scipy.fft)


@pytest.mark.parametrize("name", ["fft", "ifft", "fft2", "ifft2", "fftn", "ifftn"])
@pytest.mark.parametrize("module", ["fft", "fftpack"])
def test_complex_transforms_overwrite_the_array(name, module):
    # Programs for CuPy drop the result and read the array.
    host = data((2, 6, 5), "complex64")
    ours, theirs = getattr(getattr(cp.scipy, module), name), getattr(getattr(scipy, module), name)
    x = cp.asarray(host)
    assert ours(x, overwrite_x=True) is x
    np.testing.assert_allclose(x.get(), theirs(host), rtol=0, atol=1e-4)
    part = cp.asarray(host)
    view = part[:, ::2]
    ours(view, overwrite_x=True)
    np.testing.assert_allclose(part[:, ::2].get(), theirs(host[:, ::2]), rtol=0, atol=1e-4)
    np.testing.assert_array_equal(part[:, 1::2].get(), host[:, 1::2])


def test_arrays_that_cannot_hold_the_transform_stay():
    host = data((4, 6), "float64")
    for x, keywords in (
        (cp.asarray(host), {}),
        (cp.asarray(host + 1j), {"n": 5}),
    ):
        before = x.get()
        result = cp.scipy.fft.fft(x, overwrite_x=True, **keywords)
        assert result is not x
        np.testing.assert_array_equal(x.get(), before)
    frozen = cp.asarray(host + 1j)
    frozen.flags.writeable = False
    np.testing.assert_allclose(cp.scipy.fft.fft(frozen, overwrite_x=True).get(), scipy.fft.fft(host + 1j))
    np.testing.assert_array_equal(frozen.get(), host + 1j)
