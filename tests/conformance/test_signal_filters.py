"""Recursive filters of ``cuprum.scipy.signal`` against ``scipy.signal``.

Short signals give SciPy's bits. Long ones are filtered in blocks: their error, against a recursion in
extended precision, is at most twice that of SciPy's recursion in float64.
"""

import numpy as np
import pytest
import scipy.signal
from scipy_twin import check
from twin import collect, fresh_python

import cuprum as cp
from cuprum.scipy import signal

RNG = np.random.default_rng(3)
FILTERS = {
    "one pole": ([0.5], [1.0, -0.5]),
    "resonance": ([0.1, 0.2, 0.1], [1.0, -1.6, 0.8]),
    "not normalized": ([0.3, 0.2], [2.0, -0.4, 0.2]),
    "more zeros": (list(RNG.standard_normal(7)), [1.0, -0.9]),
    "order 5": scipy.signal.butter(5, 0.2),
    "order 8": scipy.signal.cheby1(8, 1, 0.3),
    "order 11": scipy.signal.butter(11, 0.5),
    "no poles": ([0.3, 0.2, 0.1], [2.0]),
    "gain": ([3.0], [2.0]),
}


# Lists of bodies have bad input among the good.
MISTAKES = (
    ValueError,
    TypeError,
    np.linalg.LinAlgError,
    NotImplementedError,
    IndexError,
    np.exceptions.AxisError,
)


def checks(bodies, units=64, may_raise=MISTAKES, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "signal", units, label=f"case {i}", may_raise=may_raise, **options)


def signal_of(shape, dtype="float64"):
    x = RNG.standard_normal(shape)
    return (
        (x + 1j * RNG.standard_normal(shape)).astype(dtype)
        if np.dtype(dtype).kind == "c"
        else x.astype(dtype)
    )


@pytest.mark.parametrize("name", sorted(FILTERS))
def test_lines_of_every_shape_axis_and_dtype(name):
    b, a = (np.asarray(c) for c in FILTERS[name])
    bodies = []
    for shape, axis in [((50,), 0), ((3, 40), 1), ((40, 9), 0), ((2, 30, 3), 1), ((7, 1), 1), ((20, 64), -1)]:
        for dtype in ["float64", "float32", "complex128", "complex64"]:
            x = signal_of(shape, dtype)

            def body(xp, sp, x=x, axis=axis):
                # Single precision is computed in double on our side: the twin is, too, and rounded.
                wide = x.astype("c16" if x.dtype.kind == "c" else "f8")
                x = wide if xp is np else xp.array(x)
                return sp.lfilter(xp.array(b), xp.array(a), x, axis=axis).astype(wide.dtype)

            bodies.append(body)
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                # Rounded once to single precision, else the same operations.
                check(body, "signal", 2**30 if i % 2 else 8, label=f"case {i}")


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_dtypes_of_results_and_states(dtype):
    x, real = signal_of((3, 20), dtype), np.dtype(dtype).type(0).real.dtype
    b, a = (np.asarray(c, real) for c in FILTERS["resonance"])
    checks(
        [
            lambda xp, sp: sp.lfilter(xp.array(b), xp.array(a), xp.array(x)),
            lambda xp, sp: sp.lfilter(xp.array(b), xp.array(a), xp.array(x), zi=xp.ones((3, 2), dtype)),
            lambda xp, sp: sp.lfilter(xp.array(b), xp.array(a), xp.array(x), zi=xp.ones((1, 2), dtype)),
            lambda xp, sp: sp.lfilter(xp.array(b).astype("c16"), xp.array(a) + 0.1j, xp.array(x)),
            lambda xp, sp: sp.lfilter(
                xp.array(b), xp.array([2.0], real), xp.array(x), zi=xp.ones((3, 2), dtype)
            ),
            lambda xp, sp: sp.sosfilt(xp.array([[*b, *a]]), xp.array(x), zi=xp.ones((1, 3, 2), dtype)),
        ],
        512,
    )


def test_states_continue_a_signal(on_gpu):
    x = RNG.standard_normal((2, 300))
    b, a = (cp.array(c) for c in FILTERS["order 5"])
    first, state = signal.lfilter(b, a, cp.array(x[:, :111]), zi=cp.zeros((2, 5)))
    second, _ = signal.lfilter(b, a, cp.array(x[:, 111:]), zi=state)
    parts = cp.asnumpy(cp.concatenate((first, second), 1))
    if on_gpu:  # a GPU filters blocks of samples at once, which begin elsewhere in a part than in the whole
        b, a = (np.asarray(c) for c in FILTERS["order 5"])
        exact = scipy.signal.lfilter(*(c.astype(np.longdouble) for c in (b, a, x)))
        theirs = scipy.signal.lfilter(b, a, x)
        limit = 2 * np.abs(theirs - exact).max() + 4 * np.finfo(float).eps * np.abs(exact).max()
        assert np.abs(parts - exact).max() <= limit
    else:
        assert np.array_equal(parts, cp.asnumpy(signal.lfilter(b, a, cp.array(x))))


@pytest.mark.parametrize("name", ["one pole", "resonance", "order 5", "order 8"])
@pytest.mark.parametrize("shape, axis", [((40000,), 0), ((3, 20001), 1), ((20001, 3), 0)])
def test_long_signals_are_as_accurate_as_one_sample_after_the_other(name, shape, axis):
    b, a = (np.asarray(c) for c in FILTERS[name])
    x = RNG.standard_normal(shape)
    exact = scipy.signal.lfilter(*(c.astype(np.longdouble) for c in (b, a, x)), axis=axis)
    theirs = scipy.signal.lfilter(b, a, x, axis=axis)
    rest = cp.zeros([len(a) - 1 if i == axis else n for i, n in enumerate(shape)])
    y, last = signal.lfilter(b, a, cp.array(x), axis, zi=rest)
    ours = cp.asnumpy(y)
    scale = np.abs(exact).max()
    limit = 2 * np.abs(theirs - exact).max() + 4 * np.finfo(float).eps * scale
    assert np.abs(ours - exact).max() <= limit
    state = scipy.signal.lfilter(b, a, x, axis=axis, zi=np.zeros(last.shape))[1]
    assert np.allclose(cp.asnumpy(last), state, rtol=0, atol=1e-9 * np.abs(state).max())


def test_long_signals_with_complex_coefficients():
    a = np.poly([0.9 * np.exp(0.7j), 0.8 * np.exp(-1j), 0.5])
    b, x = np.array([1, 0.3j, 0.2]), signal_of(40000, "complex128")
    want = scipy.signal.lfilter(b, a, x)
    got = cp.asnumpy(signal.lfilter(b, a, cp.array(x)))
    assert np.abs(got - want).max() <= 1e-14 * np.abs(want).max()
    parts = cp.asnumpy(signal.lfilter([0.5], [1.0, -0.5], cp.array(x)))
    assert np.array_equal(parts.imag, cp.asnumpy(signal.lfilter([0.5], [1.0, -0.5], cp.array(x.imag))))


def test_sections_of_long_signals():
    sos = scipy.signal.butter(8, 0.1, output="sos")
    x = RNG.standard_normal(50000)
    exact = x.astype(np.longdouble)
    for row in sos.astype(np.longdouble):
        exact = scipy.signal.lfilter(row[:3], row[3:], exact)
    theirs, ours = scipy.signal.sosfilt(sos, x), cp.asnumpy(signal.sosfilt(cp.array(sos), cp.array(x)))
    assert np.abs(ours - exact).max() <= 2 * np.abs(theirs - exact).max()


def test_results_do_not_depend_on_the_number_of_threads():
    code = """
    from cuprum.scipy import signal
    x = np.random.default_rng(0).standard_normal((2, 60000))
    y = signal.lfilter([0.1, 0.2, 0.1], [1.0, -1.6, 0.8], cp.array(x))
    print(cp.asnumpy(y).view(np.uint64).sum())
    """
    assert fresh_python(code, CUPRUM_THREADS="1") == fresh_python(code, CUPRUM_THREADS="2")


@pytest.mark.parametrize("what", ["nan", "inf", "unstable", "unstable zero"])
def test_numbers_that_are_not_finite_spread_as_in_turn(what):
    x = RNG.standard_normal(40000)
    b, a = [1.0, 0.3], [1.0, -0.9]
    if what == "nan":
        x[30000] = np.nan
    elif what == "inf":
        x[20000] = np.inf
    else:
        a = [1.0, -2.0]
        x[:] = 0
        x[39900] = 1e-300 if what == "unstable" else 0
    with np.errstate(all="ignore"):
        want = scipy.signal.lfilter(b, a, x)
    got = cp.asnumpy(signal.lfilter(b, a, cp.array(x)))
    assert np.array_equal(np.isnan(got), np.isnan(want))
    assert np.array_equal(np.isinf(got), np.isinf(want))
    finite = np.isfinite(want)
    assert np.allclose(got[finite], want[finite], rtol=1e-13)


def test_errors():
    x, b, a = np.ones(10), [0.5], [1.0, -0.5]
    checks(
        [
            lambda xp, sp: sp.lfilter(b, a, xp.array(1.0)),
            lambda xp, sp: sp.lfilter(xp.ones((2, 2)), a, xp.array(x)),
            lambda xp, sp: sp.lfilter(b, [], xp.array(x)),
            lambda xp, sp: sp.lfilter(b, [0.0, 1.0], xp.array(x)),
            lambda xp, sp: sp.lfilter([1], [1, 1], xp.ones(3, "int64")),
            lambda xp, sp: sp.lfilter([1], [1], xp.ones(3, "int64")),
            lambda xp, sp: sp.lfilter(b, a, xp.array(x), zi=xp.ones(2)),
            lambda xp, sp: sp.lfilter(b, a, xp.array(x), zi=xp.ones((1, 1))),
            lambda xp, sp: sp.sosfilt(xp.ones((1, 5)), xp.array(x)),
            lambda xp, sp: sp.sosfilt(xp.ones((1, 6)) * 2, xp.array(x)),
            lambda xp, sp: sp.sosfilt(xp.ones((1, 6)), xp.array(x), zi=xp.ones((1, 3))),
            lambda xp, sp: sp.sosfilt(xp.ones((1, 6)), xp.array(1.0)),
            lambda xp, sp: sp.filtfilt(b, a, xp.array(x), padlen=10),
            lambda xp, sp: sp.filtfilt(b, a, xp.array(x), padtype="strange"),
            lambda xp, sp: sp.filtfilt(b, a, xp.array(x), method="strange"),
            lambda xp, sp: sp.lfilter_zi(xp.ones((2, 2)), a),
            lambda xp, sp: sp.sosfilt_zi(xp.ones((2, 5))),
            lambda xp, sp: sp.deconvolve(xp.ones((2, 2)), a),
            lambda xp, sp: sp.lfiltic(b, [0.0, 1.0], [1.0]),
        ]
    )


def test_both_ways():
    b, a = (np.asarray(c) for c in FILTERS["resonance"])
    sos = scipy.signal.butter(5, 0.3, output="sos")
    x = RNG.standard_normal((3, 60))
    bodies = [
        lambda xp, sp, p=p, n=n: sp.filtfilt(b, a, xp.array(x), padtype=p, padlen=n)
        for p in ("odd", "even", "constant", None)
        for n in (None, 0, 20)
    ]
    bodies += [
        lambda xp, sp: sp.filtfilt(b, a, xp.array(x.T), axis=0),
        lambda xp, sp: sp.filtfilt([0.5, 0.5], 1.0, xp.array(x)),
        lambda xp, sp: sp.filtfilt(b, a, xp.array(x), method="gust"),
        lambda xp, sp: sp.filtfilt(b, a, xp.array(x.T), axis=0, method="gust", irlen=20),
        lambda xp, sp: sp.filtfilt([2.0], [4.0], xp.array(x), method="gust"),
        lambda xp, sp: sp.sosfiltfilt(sos, xp.array(x)),
        lambda xp, sp: sp.sosfiltfilt(sos, xp.array(x.T), axis=0, padtype="even", padlen=5),
        lambda xp, sp: sp.sosfiltfilt(sos, xp.array(x + 1j * x)),
    ]
    checks(bodies, 1e4)


def test_states_of_steps_and_of_the_past():
    checks(
        [
            lambda xp, sp: sp.lfilter_zi(xp.array([0.1, 0.2]), xp.array([1.0, -1.6, 0.8])),
            lambda xp, sp: sp.lfilter_zi(xp.array([0.1, 0.2, 0.3]), xp.array([2.0, -0.8])),
            lambda xp, sp: sp.lfilter_zi([1], [1, 0.5]),
            lambda xp, sp: sp.sosfilt_zi(scipy.signal.butter(5, 0.3, output="sos")),
            lambda xp, sp: sp.sosfilt_zi(xp.array([[1, 2, 1, 1, 0, 0]])),
            lambda xp, sp: sp.lfiltic([1.0, 0.5, 0.2], [2.0, 0.3], xp.array([1.0, 2.0]), xp.array([3.0])),
            lambda xp, sp: sp.lfiltic([1], [1, 2, 3], xp.array([1, 2])),
        ]
    )
    # SciPy 1.18 refuses what earlier ones shifted.
    with pytest.raises(ValueError, match="non-zero"):
        signal.lfilter_zi(cp.array([0.1, 0.2, 0.3]), cp.array([0.0, 2.0, -0.8]))


def test_division_of_sequences():
    checks(
        [
            lambda xp, sp: sp.deconvolve(xp.array([1.0, 3.0, 5.0, 2.0]), xp.array([2.0, 1.0])),
            lambda xp, sp: sp.deconvolve(xp.array([1.0, 3.0, 5.0, 2.0]), xp.array([4.0])),
            lambda xp, sp: sp.deconvolve(xp.array([1, 3, 5, 2]), xp.array([1, 1, 2])),
        ]
    )
    quotient, remainder = signal.deconvolve(cp.array([1.0]), cp.array([1.0, 2.0]))
    assert quotient.shape == (0,) and cp.asnumpy(remainder).tolist() == [1.0]


def test_empty_signals():
    y, state = signal.lfilter([0.5], [1.0, -0.5], cp.zeros((3, 0)), zi=cp.ones((3, 1)))
    assert y.shape == (3, 0) and cp.asnumpy(state).tolist() == [[1.0]] * 3
    assert signal.sosfilt([[1.0, 0, 0, 1.0, 0.5, 0]], cp.zeros((0, 4))).shape == (0, 4)
