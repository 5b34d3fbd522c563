"""``cp.fft`` against ``numpy.fft``: values, dtypes, shapes, layouts and exception classes.

Errors are counted in units of `eps * log2(n) * rms`, which is how those of an FFT grow: `eps` belongs to the
precision of the transform, `n` is the number of points, `rms` the root mean square of the result.
"""

import inspect

import numpy as np
import pytest
from twin import (
    ALL_DTYPES,
    COMPLEX,
    FLOATS,
    Failure,
    check,
    collect,
    compare,
    compare_layout,
    dtype_name,
    raising,
    run,
    to_numpy,
)

import cuprum as cp

# From the exact result: what the module's documentation says.
EXACT = 2.0
# From NumPy's, which errs too, by up to one unit.
UNITS = 3.0

LINES = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
BOXES = ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"]
ORDERS = {"C": lambda a: a, "F": lambda a: a.copy(order="F")}
REAL_INPUT = {"rfft", "ihfft", "rfft2", "rfftn"}
LENGTHS = [
    *range(1, 18),
    25,
    31,
    32,
    37,
    49,
    60,
    64,
    97,
    100,
    101,
    121,
    127,
    128,
    210,
    256,
    257,
    360,
    509,
    512,
    625,
]
LENGTHS += [997, 1000, 1001, 1024, 1155, 2048, 2310, 4096, 5040, 7919, 8192]
# Long enough to be cut into shorter ones: a square, odd, twice a prime, a prime, and real ones of half that.
LONG = [32768, 32805, 2 * 16411, 40009, 65536, 65550, 2 * 40009, 100003, 131072]


def data(shape, dtype="complex128", seed=0):
    """The same numbers on every run."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    if dtype.kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    return rng.integers(0, 100, shape).astype(dtype)


def distance(got, want, points, single):
    """The largest difference in units of `eps * log2(points) * rms`."""
    if want.size == 0:
        return 0.0
    eps = np.finfo(np.float32 if single else np.float64).eps
    if want.dtype == np.float16:
        eps = np.finfo(np.float16).eps
    wide = np.clongdouble if want.dtype.kind == "c" else np.longdouble
    got, want = got.astype(wide), want.astype(wide)
    rms = np.sqrt(np.mean(np.abs(want) ** 2))
    far = np.max(np.abs(got - want))
    return float(far / (eps * max(np.log2(max(points, 2)), 1) * rms)) if rms else float(far)


def close(body, points, label="", layout=True, units=UNITS, may_raise=()):
    """Run `body` on NumPy and Cuprum and compare as the module's first lines say."""
    want, got = run(body, np), run(body, cp)
    raises = getattr(body, "raises", None)
    if raises or isinstance(want, Failure) or isinstance(got, Failure):
        compare(got, want, label=label, raises=raises, may_raise=may_raise)
        return
    assert dtype_name(got.dtype) == want.dtype.name, f"[{label}] {got.dtype}, NumPy has {want.dtype}"
    assert tuple(got.shape) == want.shape, f"[{label}] {got.shape}, NumPy has {want.shape}"
    if layout:
        compare_layout(got, want, f"[{label}] ")
    single = want.dtype.name in ("complex64", "float32")
    far = distance(to_numpy(got), want, points, single)
    assert far <= units, f"[{label}] off by {far} units"


def dtype_for(name, dtype):
    real = {"complex128": "float64", "complex64": "float32"}
    return real.get(dtype, dtype) if name in REAL_INPUT else dtype


def call(name, host, view=lambda a: a, **keywords):
    """A body that transforms a view of `host`."""
    return lambda xp: getattr(xp.fft, name)(view(xp.array(host)), **keywords)


def test_the_module_has_all_of_numpys_names():
    missing = {name for name in dir(np.fft) if not name.startswith("_")} - set(cp.fft.__all__)
    assert missing <= {"helper", "test"}, missing


@pytest.mark.parametrize("name", [*LINES, *BOXES, "fftfreq", "rfftfreq", "fftshift", "ifftshift"])
def test_parameters_are_numpys(name):
    def parameters(module):
        return [(p.name, p.default) for p in inspect.signature(getattr(module, name)).parameters.values()]

    assert parameters(cp.fft) == parameters(np.fft)


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", LINES)
def test_lines_of_many_lengths(name, dtype):
    with collect() as failures:
        for n in LENGTHS:
            host = data((3, n), dtype_for(name, dtype), n)
            with failures:
                length = n if name in ("irfft", "hfft") else None
                close(call(name, host, n=length), n, f"{name} {n}")


@pytest.mark.parametrize("name", LINES)
def test_long_lines(name):
    with collect() as failures:
        for n in LONG:
            for dtype in COMPLEX:
                host = data(n // 2 + 1 if name in ("irfft", "hfft") else n, dtype_for(name, dtype), n)
                with failures:
                    close(call(name, host, n=n), n, f"{name} {n} {dtype}")


@pytest.mark.parametrize("n", [40000, 40009])
def test_long_lines_of_any_stride(n):
    host = data((n, 4))
    with collect() as failures:
        for name in ("fft", "ifft", "irfft", "hfft"):
            with failures:
                close(call(name, host, lambda a: a[::-1, ::2], n=n, axis=0), n, name)
        for name in ("fft", "rfft", "ihfft"):
            with failures:
                close(call(name, host, lambda a: a.real[:, 1::2], axis=0), n, name)
        with failures:
            close(lambda xp: xp.fft.rfft(xp.array(host).imag, n=n + 20000, axis=0), n, "filled up")


def test_single_precision_is_judged_by_double():
    with collect() as failures:
        for n in (*LENGTHS, *LONG):
            for name in ("fft", "ifft"):
                host = data(n, "complex64", n)
                want = getattr(np.fft, name)(host.astype("complex128"))
                with failures:
                    got = to_numpy(getattr(cp.fft, name)(cp.array(host)))
                    assert distance(got, want, n, True) <= EXACT, (name, n)


def test_double_precision_is_judged_by_long_double():
    with collect() as failures:
        for n in (*LENGTHS, *LONG):
            host = data(n, "complex128", n)
            want = np.fft.fft(host.astype(np.clongdouble))
            with failures:
                got = to_numpy(cp.fft.fft(cp.array(host)))
                assert distance(got, want, n, False) <= EXACT, n


@pytest.mark.parametrize("name", [*LINES, "fft2", "rfft2", "irfft2"])
def test_dtypes(name):
    with collect() as failures:
        for dtype in ALL_DTYPES:
            host = data((4, 8), dtype)
            for norm in (None, "forward"):
                with failures:
                    close(call(name, host, norm=norm), 32, f"{dtype} {norm}", may_raise=TypeError)


def test_bfloat16_is_transformed_in_single_precision():
    host = data(16, "float32")
    a = cp.array(host).astype("bfloat16")
    assert cp.fft.fft(a).dtype == np.complex64
    assert cp.fft.rfft(a).dtype == np.complex64
    assert dtype_name(cp.fft.irfft(a).dtype) == "bfloat16"
    assert bool(cp.all(cp.fft.fft(a) == cp.fft.fft(a.astype("float32"))))


@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
@pytest.mark.parametrize("name", LINES + BOXES)
def test_norms(name, norm):
    host = data((6, 10), dtype_for(name, "complex128"))
    close(call(name, host, norm=norm), 60, f"{name} {norm}")


@pytest.mark.parametrize("name", LINES)
def test_lengths_axes_and_layouts(name):
    host = data((4, 6, 5), dtype_for(name, "complex128"))
    views = {
        "C": lambda a: a,
        "F": lambda a: a.copy(order="F"),
        "transposed": lambda a: a.transpose(1, 2, 0),
        "reversed": lambda a: a[::-1, ::2, ::-1],
        "one": lambda a: a[:1, :, :1],
        "empty": lambda a: a[:0],
    }
    if name in ("irfft", "hfft"):
        # There NumPy reads what is not there; here it counts as zeros.
        del views["empty"]
        assert not bool(getattr(cp.fft, name)(cp.ones((3, 0)), n=4).any())
    with collect() as failures:
        for kind, view in views.items():
            for axis in (-3, -1, 0, 1, 2):
                for n in (None, 1, 2, 5, 9):
                    with failures:
                        label = f"{name} {kind} axis {axis} n {n}"
                        close(call(name, host, view, n=n, axis=axis), 9, label, may_raise=ValueError)
    close(lambda xp: getattr(xp.fft, name)(xp.broadcast_to(xp.array(host)[0], (3, 6, 5))), 9, "broadcast")


@pytest.mark.parametrize("name", BOXES)
def test_several_axes_and_shapes(name):
    host = data((3, 4, 5, 2), dtype_for(name, "complex128"))
    axes = [(-2, -1), (0, 1), (1, 0), (0, 2), (3, 0, 1), (2,), (0, 1, 2, 3), (0, 0), (1, 2, 1)]
    with collect() as failures:
        for axis in axes:
            shapes = [
                None,
                tuple(range(3, 3 + len(axis))),
                tuple(range(6, 6 - len(axis), -1)),
                (-1,) * len(axis),
            ]
            for s in shapes:
                for kind in "CF":
                    with failures:
                        body = call(name, host, ORDERS[kind], s=s, axes=axis)
                        close(body, 120, f"{name} axes {axis} s {s} {kind}")
        for s in (None, (4, 4), (2, 3, 4), [5]):
            with failures:
                close(call(name, host, s=s, axes=None), 120, f"{name} s {s}")
        for extra in ({"axes": ()}, {"s": (), "axes": ()}, {"s": (3, None), "axes": (0, 1)}):
            with failures:
                close(call(name, host, **extra), 120, f"{name} {extra}", may_raise=IndexError)


def test_real_arrays_over_several_axes_are_transformed_whole():
    host = data((5, 6, 8), "float64")
    with collect() as failures:
        for axes in ((0, 1), (0, 2), (1, 2), (2, 1), (0, 1, 2), (2, 0, 1)):
            for order in "CF":
                for n in (None, 7, 4):
                    s = None if n is None else (n,) * len(axes)
                    for name in ("fftn", "ifftn"):
                        with failures:
                            body = call(name, host, ORDERS[order], s=s, axes=axes)
                            close(body, 240, f"{name} {axes} {order} {s}")


def test_a_transform_and_its_inverse():
    for n in (8, 9, 997, 40000, 40009):
        host = data((2, n), "float64")
        a = cp.array(host)
        assert distance(to_numpy(cp.fft.ifft(cp.fft.fft(a)).real), host, n, False) <= UNITS
        assert distance(to_numpy(cp.fft.irfft(cp.fft.rfft(a), n=n)), host, n, False) <= UNITS
        assert distance(to_numpy(cp.fft.hfft(cp.fft.ihfft(a), n=n)), host, n, False) <= UNITS
        assert distance(to_numpy(cp.fft.irfft2(cp.fft.rfft2(a), s=a.shape)), host, 2 * n, False) <= UNITS


@pytest.mark.parametrize("n", [4, 64, 1024])
def test_results_that_are_exact(n):
    # A constant has one coefficient, an impulse has equal ones: nothing is rounded if n is a power of two.
    check(lambda xp: xp.fft.fft(xp.ones(n)), signed_zero=False)
    check(lambda xp: xp.fft.rfft(xp.eye(1, n)[0]), signed_zero=False)


def test_special_values_spread_as_they_must():
    for bad in (np.nan, np.inf):
        for n in (8, 9, 40009, 65536):
            host = data(n)
            host[3] = bad
            assert not bool(cp.isfinite(cp.fft.fft(cp.array(host))).any())


OUTS = {
    "fft": (3, 8),
    "ifft": (3, 8),
    "rfft": (3, 5),
    "irfft": (3, 14),
    "ihfft": (3, 5),
    "fft2": (3, 8),
    "fftn": (3, 8),
}


@pytest.mark.parametrize("name", OUTS)
def test_out_is_filled_and_returned(name):
    def filling(dtype, shape):
        def body(xp):
            target = xp.zeros(shape, dtype)
            a = xp.array(data((3, 8), dtype_for(name, "complex128")))
            assert getattr(xp.fft, name)(a, out=target) is target
            return target

        return body

    right = OUTS[name]
    with collect() as failures:
        for dtype in ("complex128", "complex64", "float64", "float32", "int64"):
            for shape in (right, (3, 7), (1, right[1]), (2, *right), right[1:]):
                with failures:
                    close(
                        filling(dtype, shape),
                        24,
                        f"{name} {dtype} {shape}",
                        may_raise=(TypeError, ValueError),
                    )


def test_out_may_be_the_input_or_a_view_of_it():
    def in_place(xp):
        a = xp.array(data((4, 8)))
        xp.fft.fft(a, axis=0, out=a)
        return a

    def shifted(xp):
        a = xp.array(data((5, 8)))
        xp.fft.fft(a[:4], out=a[1:])
        return a

    def strided(xp):
        a = xp.zeros((4, 16), "complex128")
        xp.fft.fft(xp.array(data((4, 8))), out=a[:, ::2])
        return a

    for body in (in_place, shifted, strided):
        close(body, 8, body.__name__)


def test_work_that_reads_out_runs_first():
    def body(xp):
        target = xp.array(data((2, 3000)))
        later = target + 1
        xp.fft.fft(xp.array(data((2, 3000), seed=1)), out=target)
        return xp.concatenate([later, target])

    close(body, 3000, layout=False)


def test_pending_input_runs_first():
    host = data(20000, "float64")
    close(lambda xp: xp.fft.rfft((xp.array(host) * 2 + 1)[::2]), 10000)


ERRORS = {
    "empty": raising(ValueError, lambda xp: xp.fft.fft(xp.array([]))),
    "empty axis": raising(ValueError, lambda xp: xp.fft.fft(xp.ones((3, 0)))),
    "empty axis, filled up": lambda xp: xp.fft.fft(xp.ones((3, 0)), n=4),
    "empty other axis": lambda xp: xp.fft.fft(xp.ones((0, 3))),
    "empty of several": raising(ValueError, lambda xp: xp.fft.fftn(xp.ones((3, 0)))),
    "no dimensions": raising(IndexError, lambda xp: xp.fft.fft(xp.array(1.0))),
    "no dimensions, n": raising(np.exceptions.AxisError, lambda xp: xp.fft.fft(xp.array(1.0), n=3)),
    "no dimensions, fftn": lambda xp: xp.fft.fftn(xp.array(1.0)),
    "no dimensions, rfftn": raising(IndexError, lambda xp: xp.fft.rfftn(xp.array(1.0))),
    "one dimension, fft2": raising(IndexError, lambda xp: xp.fft.fft2(xp.ones(3))),
    "n 0": raising(ValueError, lambda xp: xp.fft.fft(xp.ones(3), n=0)),
    "n negative": raising(ValueError, lambda xp: xp.fft.rfft(xp.ones(3), n=-4)),
    "n float": raising(TypeError, lambda xp: xp.fft.fft(xp.ones(3), n=2.5)),
    "n text": raising(TypeError, lambda xp: xp.fft.fft(xp.ones(3), n="3")),
    "n beyond memory": raising(MemoryError, lambda xp: xp.fft.fft(xp.ones(3), n=10**15)),
    "n beyond memory, rfft": raising(MemoryError, lambda xp: xp.fft.rfft(xp.ones(3), n=10**15)),
    "n beyond memory, irfft": raising(MemoryError, lambda xp: xp.fft.irfft(xp.ones(3), n=10**16)),
    "n beyond 64 bits": raising(ValueError, lambda xp: xp.fft.fft(xp.ones(3), n=10**30)),
    "s beyond memory": raising(
        MemoryError, lambda xp: xp.fft.fftn(xp.ones((3, 3)), s=(10**15, 3), axes=(0, 1))
    ),
    "irfft of one": raising(ValueError, lambda xp: xp.fft.irfft(xp.ones(1))),
    "irfft of none": raising(ValueError, lambda xp: xp.fft.irfft(xp.ones(0))),
    "hfft of one": raising(ValueError, lambda xp: xp.fft.hfft(xp.ones(1))),
    "rfft of none": raising(ValueError, lambda xp: xp.fft.rfft(xp.ones(0))),
    "irfft to one": lambda xp: xp.fft.irfft(xp.ones(1), n=1),
    "norm": raising(ValueError, lambda xp: xp.fft.fft(xp.ones(3), norm="half")),
    "norm number": raising(ValueError, lambda xp: xp.fft.fft(xp.ones(3), norm=3)),
    "norm inverse": raising(ValueError, lambda xp: xp.fft.ifft(xp.ones(3), norm="")),
    "norm of several": raising(ValueError, lambda xp: xp.fft.irfftn(xp.ones((3, 3)), norm="x")),
    "axis": raising(IndexError, lambda xp: xp.fft.fft(xp.ones(3), axis=1)),
    "axis, n": raising(np.exceptions.AxisError, lambda xp: xp.fft.fft(xp.ones(3), n=3, axis=-2)),
    "axis None": raising(TypeError, lambda xp: xp.fft.fft(xp.ones(3), axis=None)),
    "axis float": raising(TypeError, lambda xp: xp.fft.fft(xp.ones(3), axis=0.0)),
    "axes": raising(IndexError, lambda xp: xp.fft.fftn(xp.ones((2, 3)), axes=(0, 2))),
    "axes, s": raising(
        np.exceptions.AxisError, lambda xp: xp.fft.fftn(xp.ones((2, 3)), s=(2, 3), axes=(0, 2))
    ),
    "too many lengths": raising(
        np.exceptions.AxisError, lambda xp: xp.fft.fftn(xp.ones((2, 3)), s=(2, 3, 4))
    ),
    "lengths and axes": raising(ValueError, lambda xp: xp.fft.fftn(xp.ones((2, 3)), s=(2,), axes=(0, 1))),
    "s negative": raising(ValueError, lambda xp: xp.fft.fftn(xp.ones((2, 3)), s=(-2, 2), axes=(0, 1))),
    "s number": raising(TypeError, lambda xp: xp.fft.fftn(xp.ones((2, 3)), s=2)),
    "axes number": raising(TypeError, lambda xp: xp.fft.fftn(xp.ones((2, 3)), axes=0)),
    "rfft of complex": raising(TypeError, lambda xp: xp.fft.rfft(xp.ones(3, "complex64"))),
    "ihfft of complex": raising(TypeError, lambda xp: xp.fft.ihfft(xp.ones(3, "complex128"))),
    "rfftn of complex": raising(TypeError, lambda xp: xp.fft.rfftn(xp.ones((3, 3), "complex128"))),
    "out too long": raising(ValueError, lambda xp: xp.fft.rfft(xp.ones(3), out=xp.empty(3, "complex128"))),
    "out real": raising(TypeError, lambda xp: xp.fft.fft(xp.ones(3), out=xp.empty(3))),
    "out a list": raising(TypeError, lambda xp: xp.fft.fft(xp.ones(3), out=[0, 0, 0])),
    "fftshift of a number": raising(ValueError, lambda xp: xp.fft.fftshift(xp.array(1.0))),
    "fftshift axis": raising(IndexError, lambda xp: xp.fft.fftshift(xp.ones(3), axes=1)),
    "fftshift axes": raising(IndexError, lambda xp: xp.fft.ifftshift(xp.ones((3, 3)), axes=(0, 2))),
    "fftfreq 0": raising(ZeroDivisionError, lambda xp: xp.fft.fftfreq(0)),
    "fftfreq float": raising(ValueError, lambda xp: xp.fft.fftfreq(3.0)),
    "fftfreq negative": raising(ValueError, lambda xp: xp.fft.fftfreq(-3)),
    "fftfreq distance 0": raising(ZeroDivisionError, lambda xp: xp.fft.fftfreq(3, 0)),
    "rfftfreq float": raising(ValueError, lambda xp: xp.fft.rfftfreq(3.0)),
    "rfftfreq negative": lambda xp: xp.fft.rfftfreq(-3),
    "fftfreq device": raising(ValueError, lambda xp: xp.fft.fftfreq(3, device="moon")),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_are_numpys(case):
    close(ERRORS[case], 4, case)


def test_errors_name_the_transform():
    for name, call in {
        "fft": lambda: cp.fft.fft([]),
        "ifft2": lambda: cp.fft.ifft2([1.0]),
        "rfft": lambda: cp.fft.rfft([1j]),
        "irfftn": lambda: cp.fft.irfftn(cp.ones((2, 2)), norm="x"),
    }.items():
        with pytest.raises((ValueError, IndexError, TypeError), match=f"^{name}: "):
            call()


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 8, 101])
@pytest.mark.parametrize("d", [1.0, 0.1, 3, np.float32(0.5), 2j])
def test_frequencies(n, d):
    check(lambda xp: [xp.fft.fftfreq(n, d), xp.fft.rfftfreq(n, d=d)], label=f"{n} {d}")
    check(lambda xp: xp.fft.fftfreq(np.int32(n)))


def test_shifts():
    host = np.arange(60).reshape(3, 4, 5)
    with collect() as failures:
        for name in ("fftshift", "ifftshift"):
            for axes in (None, 0, -1, (0,), (0, 2), [1, 2], (0, 0), ()):
                for view in (lambda a: a, lambda a: a.T, lambda a: a[::2, ::-1], lambda a: a[:0]):
                    with failures:
                        check(call(name, host, view, axes=axes), label=f"{name} {axes}")
    check(lambda xp: xp.fft.fftshift([1, 2, 3, 4, 5]))


@pytest.mark.parametrize("dtype", FLOATS[1:])
def test_a_line_of_many_has_the_bits_of_one(dtype):
    for n in (12, 97, 1000, 40000):
        host = data((3, n), dtype)
        a = cp.array(host)
        for name in ("fft", "rfft"):
            lines = getattr(cp.fft, name)(a)
            assert bool(cp.all(lines[1] == getattr(cp.fft, name)(a[1]))), (name, n)
