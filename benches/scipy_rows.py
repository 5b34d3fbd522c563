"""The rows of images, signals and special functions, beside SciPy or, on a GPU, CuPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from library_core import Library, LibraryRow, close, equal, uniform

MILLION = 1_000_000
MANY = 10_000_000


def _row(name: str, operands: Any, run: Any, check: Any, speedup: float = 3.0) -> LibraryRow:
    return LibraryRow(name, operands, run, check, speedup, "SciPy")


def _filters() -> list[LibraryRow]:
    def image(side: int, dtype: str = "float64") -> Callable[[np.random.Generator], dict]:
        return lambda rng: {
            "x": rng.random((side, side)).astype(dtype),
            "k": rng.random((3, 3)).astype(dtype),
        }

    def median(size: int) -> Callable[[Library, Any], Any]:
        return lambda lib, d: lib.ndimage.median_filter(d.x, size)

    def smoothed(lib: Library, d: Any) -> Any:
        return lib.ndimage.gaussian_filter(d.x, 2)

    return [
        _row("gaussian_filter sigma 2, 2048x2048 float64", image(2048), smoothed, close(1e-14)),
        _row("gaussian_filter sigma 2, 2048x2048 float32", image(2048, "float32"), smoothed, close(1e-6)),
        _row(
            "uniform_filter1d size 100, 1e6 float64",
            uniform(MILLION),
            lambda lib, d: lib.ndimage.uniform_filter1d(d.x, 100),
            close(1e-13),
        ),
        _row(
            "convolve2d 3x3, 1024x1024 float64",
            image(1024),
            lambda lib, d: lib.signal.convolve2d(d.x, d.k, mode="same"),
            close(1e-14),
        ),
        _row("median_filter 3x3, 1024x1024 float64", image(1024), median(3), equal),
        _row("median_filter 5x5, 2048x2048 float64", image(2048), median(5), equal),
        _row("median_filter 5x5, 2048x2048 float32", image(2048, "float32"), median(5), equal),
        _row("median_filter 9x9, 2048x2048 float64", image(2048), median(9), equal),
        _row("median_filter 9x9, 2048x2048 float32", image(2048, "float32"), median(9), equal),
        _row("sobel, 2048x2048 float64", image(2048), lambda lib, d: lib.ndimage.sobel(d.x), close(1e-14)),
    ]


def _images() -> list[LibraryRow]:
    def image(side: int) -> Callable[[np.random.Generator], dict]:
        return lambda rng: {
            "x": rng.random((side, side)),
            "c": rng.random((2, MILLION)) * (side - 1),
            "d": rng.random((side, side)) < 0.99,
        }

    def noise(rng: np.random.Generator) -> dict[str, np.ndarray]:
        return {"m": rng.random((4096, 4096)) < 0.6}

    def blobs(rng: np.random.Generator) -> dict[str, np.ndarray]:
        from scipy import ndimage

        return {"m": ndimage.gaussian_filter(rng.standard_normal((4096, 4096)), 8) > 0}

    def labelled(lib: Library, d: Any) -> Any:
        return lib.ndimage.label(d.m)[0]

    return [
        _row(
            "rotate 30 degrees, 2048x2048",
            image(2048),
            lambda lib, d: lib.ndimage.rotate(d.x, 30),
            close(1e-9),
        ),
        _row("zoom by 1.3, 2048x2048", image(2048), lambda lib, d: lib.ndimage.zoom(d.x, 1.3), close(1e-11)),
        _row(
            "map_coordinates of 1e6 places, 2048x2048",
            image(2048),
            lambda lib, d: lib.ndimage.map_coordinates(d.x, d.c),
            close(1e-11),
        ),
        _row("label of noise, 4096x4096", noise, labelled, equal, 1.0),
        _row("label of blobs, 4096x4096", blobs, labelled, equal, 1.0),
        _row(
            "distance_transform_edt, 1024x1024",
            image(1024),
            lambda lib, d: lib.ndimage.distance_transform_edt(d.d),
            close(1e-14),
            1.0,
        ),
    ]


def _signals() -> list[LibraryRow]:
    """Recursive filters and what is made of signals; coefficients come with the operands."""

    def lines(*shape: int) -> Callable[[np.random.Generator], dict[str, np.ndarray]]:
        from scipy import signal

        b, a = signal.butter(4, 0.2)
        sos = signal.butter(8, 0.2, output="sos")
        return lambda rng: {"x": rng.standard_normal(shape), "b": b, "a": a, "sos": sos}

    def pair(rng: np.random.Generator) -> dict[str, np.ndarray]:
        return {"x": rng.standard_normal(MILLION), "k": rng.standard_normal(10_001)}

    def filtered(lib: Library, d: Any) -> Any:
        return lib.signal.lfilter(d.b, d.a, d.x)

    def by_sections(lib: Library, d: Any) -> Any:
        return lib.signal.sosfilt(d.sos, d.x)

    def peaks(**asked: float) -> Callable[[Library, Any], Any]:
        return lambda lib, d: lib.signal.find_peaks(d.x, **asked)[0]

    return [
        _row("lfilter order 4, 1e6 float64", lines(MILLION), filtered, close(1e-12)),
        _row("lfilter order 4, 1000x1000 float64", lines(1000, 1000), filtered, close(1e-12)),
        _row("sosfilt 4 sections, 1e6 float64", lines(MILLION), by_sections, close(1e-12)),
        _row("sosfilt 4 sections, 1000x1000 float64", lines(1000, 1000), by_sections, close(1e-12)),
        _row(
            "fftconvolve of 1e6 and 1e4 float64",
            pair,
            lambda lib, d: lib.signal.fftconvolve(d.x, d.k),
            close(1e-12),
        ),
        _row(
            "resample_poly 3/2, 1e6 float64",
            lines(MILLION),
            lambda lib, d: lib.signal.resample_poly(d.x, 3, 2),
            close(1e-13),
        ),
        _row("stft, 1e7 float64", lines(MANY), lambda lib, d: lib.signal.stft(d.x)[2], close(1e-13), 1.0),
        _row("find_peaks height 1, 1e7 float64", lines(MANY), peaks(height=1), equal, 1.0),
        _row("find_peaks distance 10, 1e6 float64", lines(MILLION), peaks(distance=10), equal, 1.0),
        _row("find_peaks prominence 1, 1e6 float64", lines(MILLION), peaks(prominence=1), equal, 1.0),
    ]


def relatively_close(rtol: float) -> Callable[[Any, Any], None]:
    """Each element within a part of itself, or of a millionth of the largest one: functions have zeros."""

    def check(want: Any, got: Any) -> None:
        np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol * 1e-6 * float(np.max(np.abs(want))))

    return check


def _special() -> list[LibraryRow]:
    def places(low: float, high: float) -> Callable[[np.random.Generator], dict[str, np.ndarray]]:
        return lambda rng: {"x": low + (high - low) * rng.random(MANY)}

    def normal(rng: np.random.Generator) -> dict[str, np.ndarray]:
        return {"x": rng.standard_normal(MANY)}

    def row(name: str, operands: Any) -> LibraryRow:
        def run(lib: Library, d: Any) -> Any:
            return getattr(lib.part("special"), name)(d.x)

        return _row(f"{name}, 1e7 float64", operands, run, relatively_close(1e-9), 1.5)

    return [
        row("gammaln", places(0, 50)),
        row("erf", normal),
        row("ndtri", places(0, 1)),
        row("j0", places(0, 50)),
        _row(
            "jv of order 2.5, 1e6 float64",
            lambda rng: {"x": 50 * rng.random(MILLION)},
            lambda lib, d: lib.part("special").jv(2.5, d.x),
            relatively_close(1e-9),
            1.5,
        ),
        row("digamma", places(0, 50)),
        row("gamma", places(0, 50)),
        row("erfc", normal),
        row("ndtr", normal),
    ]


SCIPY_ROWS: list[LibraryRow] = [*_filters(), *_images(), *_signals(), *_special()]
