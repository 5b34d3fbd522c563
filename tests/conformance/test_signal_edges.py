"""Signal functions at their edges: dtypes that SciPy refuses, complex coefficients, layouts, zeros."""

import numpy as np
import pytest
import scipy.signal
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import signal

RNG = np.random.default_rng(11)


def checks(bodies, units):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "signal", units, label=f"case {i}")


@pytest.mark.parametrize("irlen", [None, 8])
def test_gustafssons_method_drops_imaginary_parts_with_a_warning(irlen):
    b = RNG.standard_normal(3) + 1j * RNG.standard_normal(3)
    a = np.r_[1.0, 0.1 * RNG.standard_normal(2) + 0.1j]
    x = RNG.standard_normal(30)
    with pytest.warns(np.exceptions.ComplexWarning):
        want = scipy.signal.filtfilt(b, a, x, method="gust", irlen=irlen)
    with pytest.warns(np.exceptions.ComplexWarning):
        got = signal.filtfilt(cp.array(b), cp.array(a), cp.array(x), method="gust", irlen=irlen)
    np.testing.assert_allclose(got.get(), want, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.bool_, np.float16])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("convolve", {"method": "direct"}),
        ("correlate", {"method": "direct"}),
        ("convolve2d", {}),
        ("correlate2d", {}),
    ],
)
def test_sums_of_products_of_dtypes_that_scipy_refuses(name, arguments, dtype):
    a, b = np.ones((4, 5), dtype), np.ones((2, 3), dtype)
    for module, given in ((scipy.signal, (a, b)), (signal, (cp.array(a), cp.array(b)))):
        with pytest.raises(ValueError):
            getattr(module, name)(*given, **arguments)


def test_booleans_have_no_sums_of_products():
    a, b = np.ones((4, 5), bool), np.ones((2, 3), bool)
    for module, given in ((scipy.signal, (a, b)), (signal, (cp.array(a), cp.array(b)))):
        with pytest.raises(ValueError):
            module.convolve(*given)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("shapes", [((4, 5), (2, 3)), ((2, 130), (2, 130)), ((2, 3, 4), (2, 2, 2))])
def test_float16_of_several_dimensions_goes_through_transforms(shapes, mode):
    a, b = (RNG.integers(-4, 5, shape).astype(np.float16) for shape in shapes)
    for name in ("convolve", "correlate"):
        got = getattr(signal, name)(cp.array(a), cp.array(b), mode)
        want = getattr(scipy.signal, name)(a, b, mode, method="fft")
        assert got.dtype == want.dtype == np.float16
        # Sums of small integers: the transforms' roundings are far below float16's.
        np.testing.assert_array_equal(np.rint(got.get()), np.rint(want))


@pytest.mark.parametrize("dtype", [np.bool_, np.float16, np.complex64])
def test_ranks_of_dtypes_that_scipy_refuses(dtype):
    a = np.ones((4, 5), dtype)
    for module, xp in ((scipy.signal, np), (signal, cp)):
        for name, more in (("medfilt", (3,)), ("medfilt2d", (3,)), ("order_filter", (np.ones((3, 3)), 4))):
            with pytest.raises(ValueError):
                getattr(module, name)(xp.array(a), *(xp.array(m) if np.ndim(m) else m for m in more))


def test_separable_filters_by_dtype():
    x, h = RNG.standard_normal((8, 9)), RNG.standard_normal(5)
    z = h + 1j * RNG.standard_normal(5)
    checks(
        [
            lambda xp, sp: sp.sepfir2d(xp.array(x + 1j * x.T.T[::-1]), xp.array(z), xp.array(z[::-1].copy())),
            lambda xp, sp: sp.sepfir2d(xp.array(x), xp.array(h), xp.array(h)),
            *(
                lambda xp, sp, c=c: sp.sepfir2d(
                    xp.array((10 * x).astype(c)), xp.array(h.astype("f4")), xp.array(h.astype("f4"))
                )
                for c in ("i1", "i2", "f2", "f4", "i4")
            ),
        ],
        1e4,
    )
    with pytest.raises(TypeError, match="sepfir2d"):
        signal.sepfir2d(cp.array(x), cp.array(z), cp.array(z))


def test_leading_zeros_and_counts_of_frequencies():
    b, a = np.r_[0, 0.3], np.r_[0.0, 1.0, 0.5, 0.2]
    checks(
        [
            lambda xp, sp: sp.bilinear(xp.array(b), xp.array(a), 0.5)[0],
            lambda xp, sp: sp.bilinear(xp.array(b), xp.array(a), 0.5)[1],
            lambda xp, sp: sp.freqz(xp.array(b), worN=xp.array(8))[1],
            lambda xp, sp: sp.detrend(xp.arange(60.0).reshape(3, 4, 5) ** 2, axis=0),
        ],
        1e4,
    )
    assert signal.choose_conv_method(cp.ones((3, 3, 3)), cp.ones((3, 3))) == "direct"
    for module, one in ((scipy.signal, np.array(1)), (signal, cp.array(1))):
        with pytest.raises(ValueError, match="1-D"):
            module.find_peaks(one)
        with pytest.raises(AttributeError):
            module.dbode(module.lti([1], [1, 1]))


def test_systems_are_copied_into_their_own_form():
    for module in (scipy.signal, signal):
        space = module.StateSpace([[1.0]], [[2.0]], [[3.0]], [[4.0]], dt=0.05)
        poles = module.ZerosPolesGain([1.0], [2.0], 3, dt=0.05)
        ratio = module.TransferFunction([1.0, 0], [1.0, -1], dt=0.05)
        for system, same in ((space, space.to_ss()), (poles, poles.to_zpk()), (ratio, ratio.to_tf())):
            assert same is not system and type(same) is type(system)
    num = signal.ss2tf(cp.eye(3), cp.ones((3, 1)), cp.eye(3), cp.zeros((3, 1)))[0]
    assert num.flags.c_contiguous
