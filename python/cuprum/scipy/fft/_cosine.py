"""Discrete cosine and sine transforms of types 1 to 4, each by one Fourier transform."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

from ... import _core
from ..._core import ndarray
from ..._ufuncs import exp
from ...fft import fft, irfft, rfft
from ...fft._documentation import documented
from ._arguments import fitted, in_rows, line_axis, points, prepared, shape_and_axes

if TYPE_CHECKING:
    from ..._typing import ArrayLike, AxisLike, FFTNorm, ShapeLike


__all__ = ["dct", "dctn", "dst", "dstn", "idct", "idctn", "idst", "idstn"]

# Transforms of types 2 and 3 are each other's inverse; the others are their own.
_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}
# By how much half the period of type 1 differs from the length: cosines end on a point, sines beside it.
_PERIOD = {"dct": -1, "dst": 1}


def _turn(x: ndarray, count: int, step: float, start: float = 0.0) -> ndarray:
    """Return `exp(i * (start + step * k))` for `k` up to `count`, complex and of the precision of `x`."""
    angles = _core.arange(0, count, 1, "float64") * step + start
    turns = exp(angles * 1j)
    return turns.astype("complex64") if x.dtype.itemsize == 4 else turns


def _signs(x: ndarray) -> ndarray:
    """Return 1, -1, 1, ... as long as the last axis."""
    return 1 - 2 * (_core.arange(0, x.shape[-1], 1, "int64") % 2).astype(x.dtype)


def _cosine_1(x: ndarray) -> ndarray:
    if x.shape[-1] < 2:
        raise ValueError(f"dct: type 1 needs at least two points, got {x.shape[-1]}")
    return rfft(_core.concatenate((x, x[..., -2:0:-1]), -1)).real


def _cosine_2(x: ndarray) -> ndarray:
    n = x.shape[-1]
    folded = _core.concatenate((x[..., ::2], _core.flip(x[..., 1::2], -1)), -1)
    turned = rfft(folded) * (2 * _turn(x, n // 2 + 1, -math.pi / (2 * n)))
    return _core.concatenate((turned.real, -_core.flip(turned.imag[..., 1 : (n + 1) // 2], -1)), -1)


def _cosine_3(x: ndarray) -> ndarray:
    n = x.shape[-1]
    mirrored = _core.flip(x[..., n - n // 2 :], -1)
    zero = _core.full((*x.shape[:-1], 1), 0, x.dtype, "C")
    coefficients = x[..., : n // 2 + 1] - 1j * _core.concatenate((zero, mirrored), -1)
    folded = irfft(coefficients * _turn(x, n // 2 + 1, math.pi / (2 * n)), n, norm="forward")
    result = _core.empty(x.shape, x.dtype, "C")
    result[..., ::2] = folded[..., : (n + 1) // 2]
    result[..., 1::2] = _core.flip(folded[..., (n + 1) // 2 :], -1)
    return result


def _cosine_4(x: ndarray) -> ndarray:
    n = x.shape[-1]
    spectrum = fft(x * _turn(x, n, -math.pi / (2 * n)), 2 * n)[..., :n]
    return (spectrum * (2 * _turn(x, n, -math.pi / (2 * n), -math.pi / (4 * n)))).real


def _sine_1(x: ndarray) -> ndarray:
    n = x.shape[-1]
    zero = _core.full((*x.shape[:-1], 1), 0, x.dtype, "C")
    return -rfft(_core.concatenate((zero, x, zero, -_core.flip(x, -1)), -1)).imag[..., 1 : n + 1]


def _sine_2(x: ndarray) -> ndarray:
    return _core.flip(_cosine_2(x * _signs(x)), -1)


def _sine_3(x: ndarray) -> ndarray:
    return _cosine_3(_core.flip(x, -1)) * _signs(x)


def _sine_4(x: ndarray) -> ndarray:
    return _cosine_4(_core.flip(x, -1)) * _signs(x)


_TRANSFORMS = {
    ("dct", 1): _cosine_1,
    ("dct", 2): _cosine_2,
    ("dct", 3): _cosine_3,
    ("dct", 4): _cosine_4,
    ("dst", 1): _sine_1,
    ("dst", 2): _sine_2,
    ("dst", 3): _sine_3,
    ("dst", 4): _sine_4,
}


def _weighted(x: ndarray, place: int, weight: float) -> ndarray:
    """Return a copy with one element of the last axis multiplied."""
    x = x.copy()
    x[..., place] *= weight
    return x


def _orthogonal(name: str, type: int, x: ndarray) -> ndarray:
    """Transform by a matrix that is orthogonal but for a factor: where the constant is, it is weighted."""
    root = math.sqrt(2.0)
    constant = 0 if name == "dct" else -1
    if (name, type) == ("dct", 1):
        y = _cosine_1(_weighted(_weighted(x, 0, root), -1, root))
        return _weighted(_weighted(y, 0, 1 / root), -1, 1 / root)
    if type == 2:
        return _weighted(_TRANSFORMS[name, 2](x), constant, 1 / root)
    if type == 3:
        return _TRANSFORMS[name, 3](_weighted(x, constant, root))
    return _TRANSFORMS[name, type](x)


def _scale(name: str, type: int, lengths: list[int], norm: str | None, inverse: bool) -> float:
    period = math.prod(2 * (n + (_PERIOD[name] if type == 1 else 0)) for n in lengths)
    if norm == "ortho":
        return 1 / math.sqrt(period)
    return 1 / period if (norm == "forward") != inverse else 1.0


def _transform(
    op: str, x: Any, type: Any, axes: list[int], lengths: list[int], norm: Any, orthogonalize: Any
) -> ndarray:
    """Transform a prepared array along axes, one after the other."""
    name, inverse = op.removeprefix("i")[:3], op.startswith("i")
    if type not in _INVERSE:
        raise ValueError(f"{op}: type must be 1, 2, 3 or 4, got {type!r}")
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'{op}: Invalid norm value {norm!r}, should be "backward", "ortho" or "forward"')
    if x.dtype.kind not in "fc":
        x = x.astype("float64")
    if x.dtype.kind == "c":
        parts = (_transform(op, part, type, axes, lengths, norm, orthogonalize) for part in (x.real, x.imag))
        real, imaginary = parts
        return real + 1j * imaginary
    type = _INVERSE[type] if inverse else type
    orthogonal = norm == "ortho" if orthogonalize is None else orthogonalize
    # A type 1 cosine transform of one point has no period.
    if (name, type) == ("dct", 1) and min(lengths) < 2:
        raise ValueError(f"{op}: type 1 needs at least two points along each axis, got {lengths}")
    scale = _scale(name, type, lengths, norm, inverse)
    for axis, n in zip(axes, lengths, strict=True):
        lines = _core.moveaxis(fitted(x, n, axis), axis, -1)
        lines = _orthogonal(name, type, lines) if orthogonal else _TRANSFORMS[name, type](lines)
        x = _core.moveaxis(lines, -1, axis)
    result: ndarray = x if scale == 1.0 else x * scale
    return result


def _line(
    op: str, x: Any, type: Any, n: Any, axis: Any, norm: Any, workers: Any, orthogonalize: Any
) -> ndarray:
    x = prepared(op, x, workers)
    axis = line_axis(op, x, axis)
    n = points(op, x.shape[axis] if n is None else n)
    return in_rows(_transform(op, x, type, [axis], [n], norm, orthogonalize))


def _box(
    op: str, x: Any, type: Any, s: Any, axes: Any, norm: Any, workers: Any, orthogonalize: Any
) -> ndarray:
    x = prepared(op, x, workers)
    shape, axes = shape_and_axes(op, x, s, axes)
    return in_rows(_transform(op, x, type, axes, shape, norm, orthogonalize)) if axes else x


@documented
def dct(
    x: ArrayLike,
    type: Literal[1, 2, 3, 4] = 2,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    orthogonalize: bool | None = None,
) -> ndarray:
    """Return the discrete cosine transform along an axis.

    Parameters
    ----------
    {x_by_parts}
    {type}
    {n}
    {axis}
    {norm_of_cosines}
    {overwrite_x}
    {workers}
    {orthogonalize}

    Returns
    -------
    ndarray
        The coefficients.

    Examples
    --------
    >>> cp.scipy.fft.dct([1.0, 2.0, 4.0, 8.0]).round(6)
    array([ 30.      , -14.465047,   4.242641,  -1.66205 ])
    """
    return _line("dct", x, type, n, axis, norm, workers, orthogonalize)


@documented
def idct(
    x: ArrayLike,
    type: Literal[1, 2, 3, 4] = 2,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    orthogonalize: bool | None = None,
) -> ndarray:
    """Return the inverse discrete cosine transform along an axis.

    Parameters
    ----------
    {x_by_parts}
    {type}
    {n}
    {axis}
    {norm_of_cosines}
    {overwrite_x}
    {workers}
    {orthogonalize}

    Returns
    -------
    ndarray
        The array that has these coefficients.

    Examples
    --------
    >>> cp.scipy.fft.idct([4.0, 0.0])
    array([1., 1.])
    """
    return _line("idct", x, type, n, axis, norm, workers, orthogonalize)


@documented
def dst(
    x: ArrayLike,
    type: Literal[1, 2, 3, 4] = 2,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    orthogonalize: bool | None = None,
) -> ndarray:
    """Return the discrete sine transform along an axis.

    Parameters
    ----------
    {x_by_parts}
    {type}
    {n}
    {axis}
    {norm_of_cosines}
    {overwrite_x}
    {workers}
    {orthogonalize}

    Returns
    -------
    ndarray
        The coefficients.

    Examples
    --------
    >>> cp.scipy.fft.dst([1.0, 1.0], type=4).round(6)
    array([2.613126, 1.082392])
    """
    return _line("dst", x, type, n, axis, norm, workers, orthogonalize)


@documented
def idst(
    x: ArrayLike,
    type: Literal[1, 2, 3, 4] = 2,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    orthogonalize: bool | None = None,
) -> ndarray:
    """Return the inverse discrete sine transform along an axis.

    Parameters
    ----------
    {x_by_parts}
    {type}
    {n}
    {axis}
    {norm_of_cosines}
    {overwrite_x}
    {workers}
    {orthogonalize}

    Returns
    -------
    ndarray
        The array that has these coefficients.

    Examples
    --------
    >>> cp.scipy.fft.idst(cp.scipy.fft.dst([1.0, 2.0], type=1), type=1).round(6)
    array([1., 2.])
    """
    return _line("idst", x, type, n, axis, norm, workers, orthogonalize)


@documented
def dctn(
    x: ArrayLike,
    type: Literal[1, 2, 3, 4] = 2,
    s: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    *,
    orthogonalize: bool | None = None,
) -> ndarray:
    """Return the discrete cosine transform over several axes.

    Parameters
    ----------
    {x_by_parts}
    {type}
    {s}
    {axes_or_all}
    {norm_of_cosines}
    {overwrite_x}
    {workers}
    {orthogonalize}

    Returns
    -------
    ndarray
        The coefficients.

    Examples
    --------
    >>> cp.scipy.fft.dctn(cp.ones((2, 2)))[0, 0]
    array(16.)
    """
    return _box("dctn", x, type, s, axes, norm, workers, orthogonalize)


@documented
def idctn(
    x: ArrayLike,
    type: Literal[1, 2, 3, 4] = 2,
    s: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    orthogonalize: bool | None = None,
) -> ndarray:
    """Return the inverse discrete cosine transform over several axes.

    Parameters
    ----------
    {x_by_parts}
    {type}
    {s}
    {axes_or_all}
    {norm_of_cosines}
    {overwrite_x}
    {workers}
    {orthogonalize}

    Returns
    -------
    ndarray
        The array that has these coefficients.

    Examples
    --------
    >>> cp.scipy.fft.idctn([[16.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    return _box("idctn", x, type, s, axes, norm, workers, orthogonalize)


@documented
def dstn(
    x: ArrayLike,
    type: Literal[1, 2, 3, 4] = 2,
    s: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    orthogonalize: bool | None = None,
) -> ndarray:
    """Return the discrete sine transform over several axes.

    Parameters
    ----------
    {x_by_parts}
    {type}
    {s}
    {axes_or_all}
    {norm_of_cosines}
    {overwrite_x}
    {workers}
    {orthogonalize}

    Returns
    -------
    ndarray
        The coefficients.

    Examples
    --------
    >>> cp.scipy.fft.dstn(cp.ones((2, 2)), type=1)[0, 0].round(6)
    array(12.)
    """
    return _box("dstn", x, type, s, axes, norm, workers, orthogonalize)


@documented
def idstn(
    x: ArrayLike,
    type: Literal[1, 2, 3, 4] = 2,
    s: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: FFTNorm | None = None,
    overwrite_x: bool = False,
    workers: SupportsIndex | None = None,
    orthogonalize: bool | None = None,
) -> ndarray:
    """Return the inverse discrete sine transform over several axes.

    Parameters
    ----------
    {x_by_parts}
    {type}
    {s}
    {axes_or_all}
    {norm_of_cosines}
    {overwrite_x}
    {workers}
    {orthogonalize}

    Returns
    -------
    ndarray
        The array that has these coefficients.

    Examples
    --------
    >>> cp.scipy.fft.idstn([[12.0, 0.0], [0.0, 0.0]], type=1).round(6)
    array([[1., 1.],
           [1., 1.]])
    """
    return _box("idstn", x, type, s, axes, norm, workers, orthogonalize)
