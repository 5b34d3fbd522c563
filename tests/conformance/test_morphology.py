"""Morphology of `cuprum.scipy.ndimage` against SciPy: the same body runs on both, results are equal."""

import itertools
import types

import numpy as np
import pytest
import scipy.ndimage
from scipy_twin import check as check_part
from twin import collect, compare, run

import cuprum as cp
import cuprum.scipy.ndimage

SCIPY = types.SimpleNamespace(xp=np, ndi=scipy.ndimage)
CUPRUM = types.SimpleNamespace(xp=cp, ndi=cuprum.scipy.ndimage)

RNG = np.random.default_rng(5)
IMAGE = RNG.integers(0, 100, (9, 12))
SET = RNG.random((11, 13)) > 0.45
RAGGED = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 1]], bool)


def check(body, **options):
    """Run `body(xp, ndi)` on both libraries and compare."""
    want = run(lambda side: body(side.xp, side.ndi), SCIPY)
    got = run(lambda side: body(side.xp, side.ndi), CUPRUM)
    compare(got, want, layout=False, **options)


GREY = [
    "grey_erosion",
    "grey_dilation",
    "grey_opening",
    "grey_closing",
    "morphological_gradient",
    "morphological_laplace",
    "white_tophat",
    "black_tophat",
]


@pytest.mark.parametrize("name", GREY)
def test_images(name):
    windows = {
        "size": dict(size=3),
        "sizes": dict(size=(2, 3)),
        "footprint": dict(footprint=RAGGED),
        "structure": dict(structure=np.array([[0, 3, 1], [2, 0, 5], [1, 1, 0]])),
        "both": dict(footprint=RAGGED, structure=np.arange(9).reshape(3, 3)),
        "even": dict(footprint=np.array([[1, 1], [0, 1]])),
        "origin": dict(size=3, origin=1),
        "origins": dict(footprint=RAGGED, origin=(1, -1)),
        "mode": dict(size=3, mode="wrap"),
        "constant": dict(footprint=RAGGED, mode="constant", cval=50),
        "axes": dict(size=3, axes=1),
        "nothing": dict(),
        "output": dict(size=3, output=np.float64),
    }
    if name not in ("grey_erosion", "grey_dilation", "grey_opening", "grey_closing"):
        del windows["output"]
    with collect() as failures:
        for dtype in ("int32", "float64", "float32", "uint8"):
            for label, keywords in windows.items():
                if dtype == "uint8" and ("structure" in keywords or name == "morphological_laplace"):
                    continue  # SciPy wraps below zero in the middle of its sums.
                with failures:
                    check(
                        lambda xp, ndi, d=dtype, k=keywords: getattr(ndi, name)(
                            xp.array(IMAGE.astype(d)), **k
                        ),
                        label=f"{name} {dtype} {label}",
                        may_raise=ValueError,
                    )

        def into(xp, ndi):
            a, out = xp.array(IMAGE), xp.zeros(IMAGE.shape, int)
            getattr(ndi, name)(a, 3, output=out)
            return out

        with failures:
            check(into, label="output")
        with failures:
            check(
                lambda xp, ndi: getattr(ndi, name)(xp.array(IMAGE * 1j), 3), label="complex", raises=TypeError
            )


@pytest.mark.parametrize("name", ["binary_erosion", "binary_dilation", "binary_opening", "binary_closing"])
def test_sets(name):
    keywords = {
        "plain": dict(),
        "twice": dict(iterations=2),
        "three times": dict(iterations=3, structure=np.ones((3, 3))),
        "until": dict(iterations=-1),
        "ragged": dict(structure=RAGGED),
        "ragged twice": dict(structure=RAGGED, iterations=2, brute_force=True),
        "without centre": dict(structure=[[1, 0, 1]], iterations=2),
        "even": dict(structure=np.ones((2, 2))),
        "even twice": dict(structure=np.ones((2, 2)), iterations=2),
        "border": dict(border_value=1),
        "border twice": dict(border_value=1, iterations=2),
        "mask": dict(mask=SET.T[:11, ::-1][:, :11].repeat(2, 1)[:, :13]),
        "origin": dict(origin=1),
        "origins": dict(structure=RAGGED, origin=(-1, 1)),
        "axes": dict(axes=0),
        "axes with a structure": dict(axes=(1,), structure=[1, 1, 1]),
        "empty structure": dict(structure=np.zeros((0, 3))),
        "mask of another shape": dict(mask=np.ones(3)),
        "iterations": dict(iterations=1.5),
    }
    with collect() as failures:
        for label, k in keywords.items():
            with failures:
                check(
                    lambda xp, ndi, k=k: getattr(ndi, name)(xp.array(SET), **k),
                    label=f"{name} {label}",
                    may_raise=(RuntimeError, TypeError),
                )
        if name in ("binary_erosion", "binary_opening"):
            with failures:
                check(
                    lambda xp, ndi: getattr(ndi, name)(xp.array(SET), [1, 1]),
                    label="dimensions",
                    raises=RuntimeError,
                )
        with failures:
            check(lambda xp, ndi: getattr(ndi, name)(xp.array(SET * 3.5)), label="numbers")
        with failures:
            check(lambda xp, ndi: getattr(ndi, name)(xp.array(SET * 1j)), label="complex", raises=TypeError)
        with failures:
            check(lambda xp, ndi: getattr(ndi, name)(xp.array(SET)[::2, ::-1]), label="strided")
        with failures:
            check(lambda xp, ndi: getattr(ndi, name)(xp.zeros((3, 0), bool)), label="empty")

        def into(xp, ndi):
            out = xp.zeros(SET.shape, xp.uint8)
            getattr(ndi, name)(xp.array(SET), output=out)
            return out

        with failures:
            check(into, label="output")


def test_connected_sets():
    seed = np.zeros_like(SET)
    seed[np.nonzero(SET)[0][0], np.nonzero(SET)[1][0]] = True
    with collect() as failures:
        for label, body in {
            "propagation": lambda xp, ndi: ndi.binary_propagation(xp.array(seed), mask=xp.array(SET)),
            "propagation, all neighbours": lambda xp, ndi: ndi.binary_propagation(
                xp.array(seed), np.ones((3, 3)), xp.array(SET)
            ),
            "holes": lambda xp, ndi: ndi.binary_fill_holes(xp.array(SET)),
            "holes, all neighbours": lambda xp, ndi: ndi.binary_fill_holes(xp.array(SET), np.ones((3, 3))),
            "structures": lambda xp, ndi: [
                ndi.generate_binary_structure(r, c) for r in (0, 1, 2, 3) for c in (0, 1, 2, 3)
            ],
        }.items():
            with failures:
                check(body, label=label)


@pytest.mark.parametrize(
    "function", ["binary_erosion", "binary_dilation", "binary_opening", "binary_closing"]
)
@pytest.mark.parametrize("size", [2, 3, (2, 3)])
def test_a_window_by_its_lengths(function, size):
    image = np.random.default_rng(5).random((8, 9)) < 0.6
    window = np.ones(size if isinstance(size, tuple) else (size,) * 2, bool)
    expected = getattr(scipy.ndimage, function)(image, window)
    made = getattr(cp.scipy.ndimage, function)(cp.array(image), size)
    np.testing.assert_array_equal(made.get(), expected)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"])
@pytest.mark.parametrize("mode", ["reflect", "constant", "mirror", "nearest", "wrap"])
def test_structures_whose_sums_leave_the_dtype(dtype, mode):
    limits, rng = np.iinfo(dtype), np.random.default_rng(3)
    low, high = max(limits.min, -(2**40)), min(limits.max, 2**40)
    a = rng.integers(low, high, (9, 11), endpoint=True).astype(dtype)
    structures = [rng.integers(-100, 100, (3, 3)), rng.random((3, 2)) * 300, np.array([[2, 1, 0], [0, 0, 1]])]
    names = ("grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "white_tophat")
    with collect() as failures:
        for name, given in itertools.product(names, structures):

            def body(xp, sp, name=name, given=given):
                return getattr(sp, name)(xp.array(a), structure=xp.array(given), mode=mode, cval=3)

            with failures:
                check_part(body, "ndimage", label=f"{name} {given.dtype}")
