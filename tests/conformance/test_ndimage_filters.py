"""Filters of `cuprum.scipy.ndimage` against SciPy: the same body runs on both.

Sums of products are taken in SciPy's order and in float64, so results are equal to the bit: integers must
be, since they are truncated. Means are summed in another, more accurate order; their tolerance is stated
where they are tested.
"""

import math
import types

import numpy as np
import pytest
import scipy.ndimage
from twin import INTEGERS, UNSIGNED, collect, compare, fresh_python, raising, run

import cuprum as cp
import cuprum.scipy.ndimage

REAL = ["bool", *INTEGERS, "float32", "float64"]
MODES = ["reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap"]

SCIPY = types.SimpleNamespace(xp=np, ndi=scipy.ndimage)
CUPRUM = types.SimpleNamespace(xp=cp, ndi=cuprum.scipy.ndimage)


def check(body, *, raises=None, **options):
    """Run `body(xp, ndi)` on both libraries and compare, layouts included."""
    want = run(lambda side: body(side.xp, side.ndi), SCIPY)
    got = run(lambda side: body(side.xp, side.ndi), CUPRUM)
    compare(got, want, raises=raises or getattr(body, "raises", None), **options)


def data(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) > 0.5
    if kind in "iu":
        info = np.iinfo(dtype)
        # Small enough for sums of some of them to be exact in float64, and to be truncated inside the dtype.
        return rng.integers(max(info.min, -100), min(info.max, 100), shape).astype(dtype)
    if kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("mode", MODES)
def test_line_filters_by_mode_and_size(mode):
    """All boundary modes, windows longer than the line several times over, and every origin."""
    with collect() as failures:
        for length in (1, 2, 3, 7):
            a = data((2, length), "float64", length)
            for size in (1, 2, 3, 4, 7, 10, 23):
                w = data(size, "float64", size)
                for origin in range(-(size // 2), (size - 1) // 2 + 1, max(1, size // 3)):
                    label = f"{mode} length={length} size={size} origin={origin}"
                    keywords = dict(mode=mode, cval=1.5, origin=origin)
                    with failures:
                        check(
                            lambda xp, ndi, a=a, w=w, k=keywords: ndi.correlate1d(xp.array(a), w, **k),
                            label=f"correlate1d {label}",
                        )
                    with failures:
                        check(
                            lambda xp, ndi, a=a, w=w, k=keywords: ndi.convolve1d(xp.array(a), w, **k),
                            label=f"convolve1d {label}",
                        )
                    for name in ("minimum_filter1d", "maximum_filter1d"):
                        with failures:
                            check(
                                lambda xp, ndi, n=name, a=a, s=size, k=keywords: getattr(ndi, n)(
                                    xp.array(a), s, **k
                                ),
                                label=f"{name} {label}",
                            )
                    i = (a * 50).astype("int32")
                    with failures:
                        check(
                            lambda xp, ndi, i=i, s=size, k=keywords: ndi.uniform_filter1d(
                                xp.array(i), s, **{**k, "cval": 2}
                            ),
                            label=f"uniform_filter1d {label}",
                        )


@pytest.mark.parametrize("dtype", REAL)
def test_filters_of_every_dtype(dtype):
    a = data((9, 13, 4), dtype)
    bodies = {
        "correlate1d": lambda xp, ndi: ndi.correlate1d(xp.array(a), [0.3, -1.2, 2.5, 0.1], axis=1),
        "correlate1d symmetric": lambda xp, ndi: ndi.correlate1d(xp.array(a), [0.3, 1.2, 0.3], axis=0),
        "correlate1d antisymmetric": lambda xp, ndi: ndi.correlate1d(xp.array(a), [-1, 0, 1], axis=2),
        "gaussian_filter": lambda xp, ndi: ndi.gaussian_filter(xp.array(a), 1.3),
        "gaussian_filter to float32": lambda xp, ndi: ndi.gaussian_filter(
            xp.array(a), 1.3, output=np.float32
        ),
        "gaussian_filter to int16": lambda xp, ndi: ndi.gaussian_filter(
            xp.array(a), (1, 0, 2), output="int16"
        ),
        "correlate": lambda xp, ndi: ndi.correlate(xp.array(a), data((3, 2, 3), "float64", 5)),
        "convolve": lambda xp, ndi: ndi.convolve(xp.array(a), data((2, 3, 1), "float64", 6), mode="mirror"),
        "minimum_filter": lambda xp, ndi: ndi.minimum_filter(xp.array(a), 3),
        "maximum_filter": lambda xp, ndi: ndi.maximum_filter(xp.array(a), (2, 5, 1), mode="wrap"),
        "maximum_filter constant": lambda xp, ndi: ndi.maximum_filter(
            xp.array(a), 3, mode="constant", cval=1
        ),
        "minimum_filter footprint": lambda xp, ndi: ndi.minimum_filter(
            xp.array(a), footprint=data((3, 3, 3), "bool", 3)
        ),
        "median_filter": lambda xp, ndi: ndi.median_filter(xp.array(a), 3),
        "rank_filter": lambda xp, ndi: ndi.rank_filter(xp.array(a), -4, footprint=data((3, 4, 2), "bool", 4)),
        "percentile_filter": lambda xp, ndi: ndi.percentile_filter(xp.array(a), 20, size=(2, 3, 4)),
        "sobel": lambda xp, ndi: ndi.sobel(xp.array(a), 1),
        "prewitt": lambda xp, ndi: ndi.prewitt(xp.array(a)),
        "laplace": lambda xp, ndi: ndi.laplace(xp.array(a)),
    }
    if dtype == "bool":
        # SciPy leaves bytes other than 0 and 1 in a bool array where sums exceed one.
        bodies = {
            name: body
            for name, body in bodies.items()
            if name in ("minimum_filter", "maximum_filter", "median_filter", "percentile_filter")
            or name.startswith("gaussian_filter")
        }
    if dtype in UNSIGNED:
        # Negative sums wrap in C's own way: those are tested for signed dtypes only.
        for name in ("correlate1d", "correlate1d antisymmetric", "correlate", "convolve"):
            del bodies[name]
    with collect() as failures:
        for name, body in bodies.items():
            with failures:
                check(body, label=f"{name} {dtype}")


@pytest.mark.parametrize("dtype", [*INTEGERS, "float32", "float64"])
def test_uniform_filter(dtype):
    """Integers are exact. Floats differ by the rounding of SciPy's running sum: 16 ulps of the largest."""
    a = data((40, 33), dtype)
    for size, mode in ((3, "reflect"), ((5, 1), "constant"), ((4, 60), "wrap"), (2, "mirror")):
        want = scipy.ndimage.uniform_filter(a, size, mode=mode, cval=3)
        got = cuprum.scipy.ndimage.uniform_filter(cp.array(a), size, mode=mode, cval=3)
        if np.dtype(dtype).kind in "iu":
            compare(got, want, label=f"{size} {mode}")
        else:
            assert got.dtype == want.dtype
            bound = 16 * np.spacing(np.abs(a).max())
            assert np.abs(got.get() - want).max() <= bound, (size, mode)


@pytest.mark.parametrize("size", [5, 100, 1000, 1023, 1024, 1025, 3000, 50_000])
def test_means_are_accurate_however_long_the_window(size):
    """Against exact sums: a mean is off by its own rounding and that of a sum of its elements only."""
    rng = np.random.default_rng(size)
    a = rng.standard_normal(20_011) + 1e6
    got = cuprum.scipy.ndimage.uniform_filter1d(cp.array(a), size, mode="wrap").get()
    before = size // 2
    for i in (0, 1, 777, 10_000, 20_010):
        places = (np.arange(size) + i - before) % a.size
        exact = math.fsum(a[places]) / size
        # Pairwise up to 1024 elements, run by run beyond: far fewer roundings than elements.
        assert abs(got[i] - exact) <= 40 * np.spacing(exact), (size, i)


def test_long_lines_and_wide_arrays():
    """Arrays of several boxes along and across, so that boxes meet inside them."""
    with collect() as failures:
        for shape, axis in (((3, 30_000), 1), ((30_000, 3), 0), ((700, 700), 0), ((5, 300, 130), 1)):
            a = data(shape, "float32")
            for size in (2, 15, 1300):
                for name in ("minimum_filter1d", "maximum_filter1d"):
                    with failures:
                        check(
                            lambda xp, ndi, n=name, a=a, s=size, x=axis: getattr(ndi, n)(xp.array(a), s, x),
                            label=f"{name} {shape} {size}",
                        )
            w = data(31, "float64", 1)
            with failures:
                check(
                    lambda xp, ndi, a=a, w=w, x=axis: ndi.correlate1d(xp.array(a), w, x, mode="mirror"),
                    label=f"correlate1d {shape}",
                )
        a = data((300, 700), "float32")
        for size in (3, (5, 7), (31, 2)):
            w = data(np.broadcast_to(size, 2), "float64", 2)
            with failures:
                check(lambda xp, ndi, a=a, w=w: ndi.correlate(xp.array(a), w), label=f"correlate {size}")
        for size in (3, 5, (1, 9), (13, 11), (17, 13)):
            a = data((90, 300), "float32")
            with failures:
                check(lambda xp, ndi, a=a, s=size: ndi.median_filter(xp.array(a), s), label=f"median {size}")


def test_every_rank():
    a = data((7, 11), "int16")
    with collect() as failures:
        for shape in ((3, 3), (2, 3), (1, 4), (5, 5)):
            count = shape[0] * shape[1]
            for rank in range(-count - 1, count + 1):
                with failures:
                    check(
                        lambda xp, ndi, s=shape, r=rank: ndi.rank_filter(xp.array(a), r, size=s),
                        label=f"{shape} {rank}",
                        may_raise=RuntimeError,
                    )
        for percentile in (-1, 0, 10, 50, 99.9, 100, 101, -101):
            with failures:
                check(
                    lambda xp, ndi, p=percentile: ndi.percentile_filter(xp.array(a), p, size=3),
                    label=f"percentile {percentile}",
                    may_raise=RuntimeError,
                )


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex(dtype):
    a = data((6, 9), dtype)
    r = data((6, 9), "int32")
    w = data(3, "complex128", 1)
    w2 = data((2, 3), "complex128", 2)
    with collect() as failures:
        for label, body in {
            "correlate1d": lambda xp, ndi: ndi.correlate1d(xp.array(a), w, mode="constant", cval=1 - 2j),
            "correlate1d real weights": lambda xp, ndi: ndi.correlate1d(xp.array(a), w.real),
            "correlate1d real input": lambda xp, ndi: ndi.correlate1d(xp.array(r), w),
            "convolve1d": lambda xp, ndi: ndi.convolve1d(xp.array(a), w, axis=0),
            "correlate": lambda xp, ndi: ndi.correlate(xp.array(a), w2),
            "convolve": lambda xp, ndi: ndi.convolve(xp.array(a), w2, mode="wrap"),
            "gaussian_filter": lambda xp, ndi: ndi.gaussian_filter(xp.array(a), 1.5),
            "sobel": lambda xp, ndi: ndi.sobel(xp.array(a)),
            "cval": raising(
                ValueError, lambda xp, ndi: ndi.correlate1d(xp.array(r), w, mode="constant", cval=1j)
            ),
            "output": raising(
                RuntimeError, lambda xp, ndi: ndi.correlate1d(xp.array(a), w, output="float64")
            ),
        }.items():
            with failures:
                check(body, label=label, may_raise=(RuntimeError, ValueError))
    want = scipy.ndimage.uniform_filter(a, 3)
    got = cuprum.scipy.ndimage.uniform_filter(cp.array(a), 3)
    # As for real means: the rounding of SciPy's running sum, 16 ulps of the largest element.
    assert got.dtype == want.dtype
    assert np.abs(got.get() - want).max() <= 16 * np.spacing(np.abs(a).max())


def test_gaussians():
    a = data((12, 15), "float64")
    with collect() as failures:
        for keywords in (
            dict(sigma=0.4),
            dict(sigma=(1, 2), order=(0, 1)),
            dict(sigma=2, order=2, mode="nearest"),
            dict(sigma=1.5, order=3, mode=("wrap", "constant"), cval=2),
            dict(sigma=1, truncate=2.3),
            dict(sigma=1, radius=5),
            dict(sigma=1, radius=(0, 2)),
            dict(sigma=2, axes=1),
            dict(sigma=(2, 1), axes=(1, 0), mode=("mirror", "wrap")),
            dict(sigma=0),
            dict(sigma=1, order=-1),
            dict(sigma=1, radius=-1),
            dict(sigma=1, radius=1.5),
            dict(sigma=(1, 2, 3)),
            dict(sigma=1, axes=(0, 0)),
            dict(sigma=1, axes=2),
            dict(sigma=1, mode="none"),
        ):
            with failures:
                check(
                    lambda xp, ndi, k=keywords: ndi.gaussian_filter(xp.array(a), **k),
                    label=f"{keywords}",
                    may_raise=(np.exceptions.AxisError, RuntimeError, ValueError),
                )
        for keywords in (dict(sigma=2, order=1), dict(sigma=2, axis=0, order=4)):
            with failures:
                check(
                    lambda xp, ndi, k=keywords: ndi.gaussian_filter1d(xp.array(a), **k), label=f"{keywords}"
                )
        for name in ("gaussian_laplace", "gaussian_gradient_magnitude"):
            for keywords in (dict(sigma=1.2), dict(sigma=(1, 2), mode="constant"), dict(sigma=1, truncate=3)):
                with failures:
                    check(
                        lambda xp, ndi, n=name, k=keywords: getattr(ndi, n)(xp.array(a), **k),
                        ulps=2,
                        label=f"{name} {keywords}",
                    )
        with failures:
            check(lambda xp, ndi: ndi.gaussian_laplace(xp.array(a), 1, axes=1), label="laplace axes")


def test_generic_derivatives():
    a = data((5, 6), "float64")

    def bodies():
        yield lambda xp, ndi: ndi.generic_gradient_magnitude(xp.array(a), ndi.sobel)
        yield lambda xp, ndi: ndi.generic_gradient_magnitude(xp.array((a * 9).astype(int)), ndi.prewitt)
        yield lambda xp, ndi: ndi.generic_gradient_magnitude(xp.array(a), ndi.sobel, axes=(1,), mode=["wrap"])
        yield lambda xp, ndi: ndi.generic_gradient_magnitude(xp.array(a), ndi.sobel, axes=())

        def second(ndi):
            return lambda a, axis, output, mode, cval, w, s: ndi.correlate1d(
                a, [w, s, w], axis, output, mode, cval
            )

        yield lambda xp, ndi: ndi.generic_laplace(
            xp.array(a), second(ndi), extra_arguments=(1,), extra_keywords={"s": -2}, output=np.float32
        )
        yield lambda xp, ndi: ndi.laplace(xp.array(a), axes=0)

    with collect() as failures:
        for i, body in enumerate(bodies()):
            with failures:
                check(body, label=str(i))


def test_layouts_and_outputs():
    a = data((8, 10), "float64")
    views = {
        "transposed": lambda x: x.T,
        "reversed": lambda x: x[::-1, ::-2],
        "strided": lambda x: x[1::3, ::2],
        "fortran": lambda x: x.copy(order="F"),
    }
    with collect() as failures:
        for label, view in views.items():
            for name, arguments in {
                "gaussian_filter": (1,),
                "correlate": ([[1, 2], [3, 4]],),
                "median_filter": (3,),
                "maximum_filter": (3,),
            }.items():
                with failures:
                    check(
                        lambda xp, ndi, v=view, n=name, p=arguments: getattr(ndi, n)(v(xp.array(a)), *p),
                        label=f"{name} {label}",
                    )
        broadcast = np.broadcast_to(a[0], (8, 10))
        with failures:
            check(
                lambda xp, ndi: ndi.correlate1d(xp.broadcast_to(xp.array(a)[0], (8, 10)), [1, 2, 3], 0),
                label=f"broadcast {broadcast.strides}",
            )

    def into(name, make, *arguments):
        def body(xp, ndi):
            x = xp.array(a)
            out = make(xp, x)
            result = getattr(ndi, name)(x, *arguments, output=out)
            return result, out, result is out

        return body

    makes = {
        "new": lambda xp, x: xp.zeros(x.shape),
        "float32": lambda xp, x: xp.zeros(x.shape, xp.float32),
        "int": lambda xp, x: xp.zeros(x.shape, xp.int32),
        "itself": lambda xp, x: x,
        "transposed": lambda xp, x: xp.zeros(x.shape[::-1]).T,
        "wrong shape": lambda xp, x: xp.zeros(3),
        "dtype": lambda xp, x: np.dtype("float32"),
        "name": lambda xp, x: "f4",
        "bool name": lambda xp, x: "bool",
    }
    with collect() as failures:
        for label, make in makes.items():
            for name, arguments in {
                "gaussian_filter": (1,),
                "correlate": ([[1, 2], [3, 4]],),
                "median_filter": (3,),
                "maximum_filter": (3,),
                "sobel": (),
                "laplace": (),
            }.items():
                with failures:
                    check(into(name, make, *arguments), label=f"{name} into {label}", may_raise=RuntimeError)


def test_empty_and_single():
    with collect() as failures:
        for shape in ((0,), (3, 0), (0, 4), ()):
            a = np.ones(shape)
            for name, arguments in {
                "gaussian_filter": (1,),
                "uniform_filter": (3,),
                "maximum_filter": (3,),
                "sobel": (),
                "laplace": (),
                "correlate1d": ([1, 2],),
                "uniform_filter1d": (3,),
            }.items():
                with failures:
                    check(
                        lambda xp, ndi, a=a, n=name, p=arguments: getattr(ndi, n)(xp.array(a), *p),
                        label=f"{name} {shape}",
                        may_raise=np.exceptions.AxisError,
                    )
        for name in ("correlate", "convolve"):
            with failures:
                check(
                    lambda xp, ndi, n=name: getattr(ndi, n)(xp.array(2.0), np.array(3.0)), label=f"{name} 0-d"
                )
        with failures:
            check(lambda xp, ndi: ndi.median_filter(xp.ones((4, 0)), 3), label="median empty")


def test_axes():
    a = data((4, 5, 6), "float64")
    with collect() as failures:
        for axes in (0, 2, (-1,), (0, 2), (2, 0), (1,), (), (3,), (0, -3)):
            count = len(axes) if isinstance(axes, tuple) else 1
            for name, arguments in {
                "correlate": (data((2, 3, 2)[:count], "float64", 1),),
                "median_filter": ((3, 2, 3)[:count],),
                "maximum_filter": ((3, 2, 3)[:count],),
                "rank_filter": (1, 3),
            }.items():
                if name == "correlate" and count == 0:
                    continue
                with failures:
                    check(
                        lambda xp, ndi, n=name, p=arguments, x=axes: getattr(ndi, n)(xp.array(a), *p, axes=x),
                        label=f"{name} {axes}",
                        may_raise=(RuntimeError, ValueError),
                    )


def test_errors():
    a = np.arange(12.0).reshape(3, 4)
    bodies = {
        "mode": raising(RuntimeError, lambda xp, ndi: ndi.correlate1d(xp.array(a), [1, 2], mode="no")),
        "axis": raising(
            np.exceptions.AxisError, lambda xp, ndi: ndi.correlate1d(xp.array(a), [1, 2], axis=2)
        ),
        "no weights": raising(RuntimeError, lambda xp, ndi: ndi.correlate1d(xp.array(a), [])),
        "weights of two dimensions": raising(
            RuntimeError, lambda xp, ndi: ndi.correlate1d(xp.array(a), [[1]])
        ),
        "origin": raising(ValueError, lambda xp, ndi: ndi.correlate1d(xp.array(a), [1, 2, 3], origin=2)),
        "origin below": raising(ValueError, lambda xp, ndi: ndi.uniform_filter1d(xp.array(a), 3, origin=-2)),
        "size": raising(RuntimeError, lambda xp, ndi: ndi.uniform_filter1d(xp.array(a), 0)),
        "sizes": raising(RuntimeError, lambda xp, ndi: ndi.uniform_filter(xp.array(a), (1, 2, 3))),
        "modes": raising(RuntimeError, lambda xp, ndi: ndi.uniform_filter(xp.array(a), 3, mode=["wrap"])),
        "weights": raising(RuntimeError, lambda xp, ndi: ndi.correlate(xp.array(a), [1, 2])),
        "empty weights": raising(RuntimeError, lambda xp, ndi: ndi.correlate(xp.array(a), np.zeros((0, 2)))),
        "correlate origin": raising(
            ValueError, lambda xp, ndi: ndi.correlate(xp.array(a), [[1, 2]], origin=1)
        ),
        "correlate modes": raising(
            RuntimeError, lambda xp, ndi: ndi.correlate(xp.array(a), [[1, 2]], mode=["wrap", "wrap"])
        ),
        "no footprint": raising(RuntimeError, lambda xp, ndi: ndi.median_filter(xp.array(a))),
        "no size": raising(RuntimeError, lambda xp, ndi: ndi.maximum_filter(xp.array(a))),
        "nothing in the footprint": raising(
            ValueError, lambda xp, ndi: ndi.maximum_filter(xp.array(a), footprint=[[0, 0]])
        ),
        "footprint": raising(RuntimeError, lambda xp, ndi: ndi.rank_filter(xp.array(a), 0, footprint=[1, 1])),
        "rank": raising(RuntimeError, lambda xp, ndi: ndi.rank_filter(xp.array(a), 9, size=3)),
        "rank of a float": raising(TypeError, lambda xp, ndi: ndi.rank_filter(xp.array(a), 1.5, size=3)),
        "complex median": raising(TypeError, lambda xp, ndi: ndi.median_filter(xp.array(a + 1j), 3)),
        "complex maximum": raising(TypeError, lambda xp, ndi: ndi.maximum_filter(xp.array(a + 1j), 3)),
        "complex output": raising(
            RuntimeError, lambda xp, ndi: ndi.correlate1d(xp.array(a), [1, 2], output="complex128")
        ),
        "footprint of other axes": raising(
            RuntimeError, lambda xp, ndi: ndi.maximum_filter(xp.array(a), footprint=[[1, 0], [1, 1]], axes=1)
        ),
    }
    with collect() as failures:
        for label, body in bodies.items():
            with failures:
                check(body, label=label)


def test_fill_that_the_dtype_does_not_have():
    """Extrema along axes compare with the number itself, as in SciPy; it is cast with the result."""
    a = data((4, 5), "uint8")
    with collect() as failures:
        for cval in (-1, 0.5, 300):
            with failures:
                check(
                    lambda xp, ndi, c=cval: ndi.minimum_filter1d(
                        xp.array(a), 3, mode="constant", cval=c, output=np.float32
                    ),
                    label=f"{cval}",
                )


def test_nan_reaches_its_windows_only():
    """SciPy leaves extrema with NaN undefined and lets one spoil the rest of a line of means."""
    a = np.arange(12.0)
    a[5] = np.nan
    x = cp.array(a)
    ndi = cuprum.scipy.ndimage
    near = np.isin(np.arange(12), (4, 5, 6))
    for result in (ndi.uniform_filter1d(x, 3), ndi.minimum_filter1d(x, 3), ndi.maximum_filter(x, 3)):
        assert (np.isnan(result.get()) == near).all()
    assert (
        np.isnan(ndi.minimum_filter(x, footprint=[1, 0, 1]).get()).tolist()
        == np.isin(np.arange(12), (4, 6)).tolist()
    )
    # NaN is the largest in a rank.
    assert ndi.median_filter(x, 3).get()[4:7].tolist() == [4.0, 6.0, 7.0]


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_half_precision(name):
    """SciPy has none: the result is the float64 one, rounded."""
    dtype = getattr(cp, name)
    a = cp.array(data((5, 7), "float64")).astype(dtype)
    wide = a.astype(cp.float64)
    ndi = cuprum.scipy.ndimage
    for body in (
        lambda x: ndi.correlate1d(x, [1, 2, 0.5]),
        lambda x: ndi.correlate(x, [[1.0, 2.0], [0.5, -1.0]]),
        lambda x: ndi.median_filter(x, 3),
        lambda x: ndi.minimum_filter(x, 3),
        lambda x: ndi.uniform_filter1d(x, 3),
    ):
        got, want = body(a), body(wide).astype(dtype)
        assert got.dtype == dtype
        assert (got.astype(cp.float64) == want.astype(cp.float64)).all()


def test_integers_beyond_float64():
    """Extrema and ranks keep 64-bit integers, which SciPy takes through float64."""
    a = cp.array([2**62 + 1, 2**62 + 3, 2**62 + 2])
    ndi = cuprum.scipy.ndimage
    assert ndi.maximum_filter(a, 3).get().tolist() == [2**62 + 3] * 3
    assert ndi.median_filter(a, 3, mode="wrap").get().tolist() == [2**62 + 2] * 3


def test_threads_and_instruction_sets_do_not_show():
    """The same bits on any number of threads and at every SIMD level."""
    code = """
        import hashlib
        from cuprum.scipy import ndimage, signal
        rng = np.random.default_rng(0)
        a = cp.array(rng.standard_normal((300, 400)))
        line = cp.array(rng.standard_normal(100_000))
        w = cp.array(rng.standard_normal((5, 4)))
        results = [
            ndimage.gaussian_filter(a, 2.5),
            ndimage.uniform_filter(a, (7, 30)),
            ndimage.uniform_filter1d(line, 100),
            ndimage.uniform_filter1d(line, 3000),
            ndimage.median_filter(a, 5),
            ndimage.correlate(a, w),
            signal.convolve2d(a, w),
            cp.convolve(line, w.ravel()),
        ]
        print(hashlib.sha256(b"".join(r.get().tobytes() for r in results)).hexdigest())
    """
    settings = [
        {"CUPRUM_THREADS": "1"},
        {"CUPRUM_THREADS": "5"},
        {"CUPRUM_SIMD": "portable"},
        {"CUPRUM_SIMD": "avx2"},
    ]
    assert len({fresh_python(code, **setting) for setting in settings}) == 1


@pytest.mark.parametrize("dtype", ["float64", "float32", "int16", "uint8", "int64"])
@pytest.mark.parametrize(
    ("shape", "size"),
    [
        ((9, 70), (5, 5)),
        ((1, 130), (1, 7)),
        ((6, 5), (9, 9)),
        ((20, 66), (3, 4)),
        ((3, 7, 66), (1, 5, 3)),
        ((50,), (5,)),
        ((2, 3, 4, 9), (1, 1, 3, 3)),
        ((7, 7), (2, 11)),
        ((12, 12), (11, 11)),
    ],
)
def test_ranks_in_boxes(dtype, shape, size):
    """Boxes of rows and columns of one image, whose windows share what they sort, and others beside them."""
    rng = np.random.default_rng(5)
    x = (rng.random(shape) * 200 - 100).astype(dtype)
    if x.dtype.kind == "f":
        x.flat[3], x.flat[4] = np.inf, -np.inf
    count = int(np.prod(size))
    with collect() as failures:
        for mode in ("reflect", "constant", "wrap", "mirror", "nearest"):
            rank = int(rng.integers(1, count - 1))
            with failures:
                check(lambda xp, ndi, m=mode, r=rank: ndi.rank_filter(xp.asarray(x), r, size, mode=m, cval=3))
            with failures:
                check(lambda xp, ndi, m=mode: ndi.median_filter(xp.asarray(x), size, mode=m))
