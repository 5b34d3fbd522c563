"""Convolution by Fourier transforms: as a whole, or block by block."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from ... import _core, fft
from ..._convert import normalize_axis
from ..._core import ndarray
from ..._dtypes import kind_of
from ..._errors import names_itself
from ..._ufuncs import isfinite
from ._arguments import checked_mode, needs_exchange, operands

if TYPE_CHECKING:
    from ..._typing import ArrayLike, AxisLike


__all__ = ["fftconvolve", "hilbert", "oaconvolve"]

_LONG = 1 << 16
"""The elements of a transform that a CPU's caches hold."""


def _fast_length(n: int) -> int:
    """Return the smallest product of twos, threes and fives that is not below `n`."""
    best = 1 << max(n - 1, 1).bit_length()
    five = 1
    while five < best:
        three = five
        while three < best:
            two = three << max(-(-n // three) - 1, 0).bit_length()
            best = min(best, two) if two >= n else best
            three *= 3
        five *= 5
    return best


def _transformable(a: ndarray) -> ndarray:
    return a.astype(np.float64) if kind_of(a.dtype) in "biu" else a


def _product(a: ndarray, b: ndarray, lengths: Sequence[int], axes: Sequence[int]) -> ndarray:
    """Return the cyclic convolution of two arrays along axes, each of a length."""
    a, b = _transformable(a), _transformable(b)
    if "c" in kind_of(a.dtype) + kind_of(b.dtype):
        spectrum = fft.fftn(a, lengths, axes) * fft.fftn(b, lengths, axes)
        return fft.ifftn(spectrum, lengths, axes)
    return fft.irfftn(fft.rfftn(a, lengths, axes) * fft.rfftn(b, lengths, axes), lengths, axes)


def _prepared(
    op: str, in1: Any, in2: Any, mode: Any, axes: Any
) -> tuple[ndarray, ndarray, list[int], str] | ndarray:
    """Return the operands in order, the axes and the mode; or the result where nothing is to be done."""
    a, b = operands(op, in1, in2)
    if a.ndim == 0:
        return a * b
    if a.size == 0 or b.size == 0:
        return _core.empty(0, np.float64)
    mode = checked_mode(op, mode)
    if axes is None:
        chosen = list(range(a.ndim))
    else:
        given = [axes] if np.ndim(axes) == 0 else list(axes)
        if not given:
            raise ValueError(f"{op}: when provided, axes cannot be empty")
        try:
            chosen = [normalize_axis(op, operator.index(axis), a.ndim) for axis in given]
        except np.exceptions.AxisError as error:
            raise ValueError(f"{op}: axes exceeds dimensionality of input") from error
        if len(set(chosen)) != len(chosen):
            raise ValueError(f"{op}: all axes must be unique")
    chosen = [axis for axis in chosen if a.shape[axis] != 1 and b.shape[axis] != 1]
    for axis, (n, m) in enumerate(zip(a.shape, b.shape, strict=True)):
        if axis not in chosen and n != m and 1 not in (n, m):
            raise ValueError(f"{op}: incompatible shapes for in1 and in2: {a.shape} and {b.shape}")
    if needs_exchange(op, mode, a.shape, b.shape, chosen):
        a, b = b, a
    return a, b, chosen, mode


def _cut(full: ndarray, a: ndarray, b: ndarray, axes: Sequence[int], mode: str) -> ndarray:
    """Return the positions that a mode asks for."""
    if mode == "full":
        return full
    shape = list(a.shape)
    if mode == "valid":
        shape = [
            a.shape[axis] - b.shape[axis] + 1 if axis in axes else full.shape[axis]
            for axis in range(full.ndim)
        ]
    begin = [(have - want) // 2 for have, want in zip(full.shape, shape, strict=True)]
    return full[tuple(slice(start, start + n) for start, n in zip(begin, shape, strict=True))].copy()


def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: AxisLike | None = None) -> ndarray:
    """Return the convolution of two arrays by Fourier transforms.

    Parameters
    ----------
    in1, in2 : array_like
        The arrays, of as many dimensions.
    mode : {"full", "valid", "same"}, optional
        Which positions to return: all at which the arrays meet, those at which one lies wholly inside the
        other, or those of `in1`.
    axes : int or sequence of int, optional
        The axes to convolve along, all by default; along the others the arrays are broadcast.

    Returns
    -------
    ndarray
        The convolution: float32 or complex64 where both arrays have no more than that, else float64 or
        complex128.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.fftconvolve(cp.array([1.0, 2.0, 3.0]), cp.array([0.0, 1.0, 0.5])).round(6) + 0.0
    array([0. , 1. , 2.5, 4. , 1.5])
    """
    prepared = _prepared("fftconvolve", in1, in2, mode, axes)
    if isinstance(prepared, ndarray):
        return prepared
    a, b, chosen, mode = prepared
    if not chosen:
        return _cut(a * b, a, b, chosen, mode)
    if _suits_blocks(a, b):
        length = _block_length(max(a.size, b.size), min(a.size, b.size), True)
        if length is not None:
            long, short = (a, b) if a.size >= b.size else (b, a)
            return _cut(_added_blocks(long, short, chosen, 0, length), a, b, chosen, mode).copy()
    wanted = [a.shape[axis] + b.shape[axis] - 1 for axis in chosen]
    cyclic = _product(a, b, [_fast_length(n) for n in wanted], chosen)
    whole: list[slice] = [slice(None)] * a.ndim
    for axis, n in zip(chosen, wanted, strict=True):
        whole[axis] = slice(n)
    return _cut(cyclic[tuple(whole)], a, b, chosen, mode).copy()


def _suits_blocks(a: ndarray, b: ndarray) -> bool:
    """Return whether blocks of a long signal are transformed sooner than all of it.

    What is not finite makes NaN of everything where all is transformed, so that there must be nothing of it.
    """
    long, short = max(a.size, b.size), min(a.size, b.size)
    if a.ndim != 1 or a.device != "cpu" or long < _LONG or 16 * short > long:
        return False
    return all(kind_of(one.dtype) not in "fc" or bool(isfinite(one).all()) for one in (a, b))


def _block_length(n: int, m: int, is_host: bool) -> int | None:
    """Return how long the transforms of blocks should be, for `m` weights; None for one block."""
    if m >= n / 2 or m == 1:
        return None
    lengths = [_fast_length(factor * m) for factor in (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)]
    if is_host and lengths[1] <= _LONG:
        lengths = [length for length in lengths if length <= _LONG]
    best = min(lengths, key=lambda length: length * math.log2(length) / (length - m + 1))
    return None if best >= n else best


def oaconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: AxisLike | None = None) -> ndarray:
    """Return the convolution of two arrays by Fourier transforms of blocks whose results are added up.

    Parameters
    ----------
    in1, in2 : array_like
        The arrays, of as many dimensions.
    mode : {"full", "valid", "same"}, optional
        Which positions to return: all at which the arrays meet, those at which one lies wholly inside the
        other, or those of `in1`.
    axes : int or sequence of int, optional
        The axes to convolve along, all by default; along the others the arrays are broadcast.

    Returns
    -------
    ndarray
        The convolution. Faster than `fftconvolve` where one array is much longer than the other.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.oaconvolve(cp.ones(6), cp.array([1.0, 1.0])).round(6)
    array([1., 2., 2., 2., 2., 2., 1.])
    """
    prepared = _prepared("oaconvolve", in1, in2, mode, axes)
    if isinstance(prepared, ndarray):
        return prepared
    a, b, chosen, mode = prepared
    longest = max(chosen, key=lambda axis: max(a.shape[axis], b.shape[axis]), default=None)
    if longest is None:
        return fftconvolve(a, b, mode, axes)
    n, m = a.shape[longest], b.shape[longest]
    length = _block_length(max(n, m), min(n, m), a.device == "cpu")
    if length is None:
        return fftconvolve(a, b, mode, axes)
    long, short = (a, b) if n >= m else (b, a)
    return _cut(_added_blocks(long, short, chosen, longest, length), a, b, chosen, mode).copy()


def _added_blocks(long: ndarray, short: ndarray, axes: list[int], along: int, length: int) -> ndarray:
    """Return a full convolution, one axis of which is cut into blocks that are transformed side by side."""
    n, m = long.shape[along], short.shape[along]
    step = length - m + 1
    blocks = -(-n // step)
    padded = _core.zeros((*long.shape[:along], blocks * step, *long.shape[along + 1 :]), long.dtype)
    padded[(slice(None),) * along + (slice(n),)] = long
    # The blocks get an axis of their own before the one they are cut from.
    cut = padded.reshape((*long.shape[:along], blocks, step, *long.shape[along + 1 :]))
    other = short.reshape((*short.shape[:along], 1, *short.shape[along:]))
    wanted = {axis: long.shape[axis] + short.shape[axis] - 1 for axis in axes}
    lengths = [length if axis == along else _fast_length(wanted[axis]) for axis in axes]
    inner = [axis + (axis >= along) for axis in axes]
    parts = _product(cut, other, lengths, inner)
    before = (slice(None),) * along
    shape = (*parts.shape[:along], (blocks + 1) * step, *parts.shape[along + 2 :])
    result = _core.zeros(shape, parts.dtype)
    rows = result.reshape((*parts.shape[:along], blocks + 1, step, *parts.shape[along + 2 :]))
    rows[before + (slice(blocks),)] = parts[before + (slice(None), slice(step))]
    # What a block leaves over the next ones begins; weights are shorter than a block.
    rows[before + (slice(1, None), slice(m - 1))] += parts[before + (slice(None), slice(step, None))]
    whole: list[slice] = [slice(None)] * result.ndim
    for axis, count in wanted.items():
        whole[axis] = slice(count)
    return result[tuple(whole)]


@names_itself
def hilbert(x: ArrayLike, N: int | None = None, axis: SupportsIndex = -1) -> ndarray:  # noqa: N803 - SciPy's name
    """Return the analytic signal of a real one: its negative frequencies taken away.

    Parameters
    ----------
    x : array_like
        The signal, real.
    N : int, optional
        How many elements to transform; the length of the signal by default.
    axis : int, optional
        The axis along which the signal runs.

    Returns
    -------
    ndarray
        The analytic signal, complex, whose real part is `x`.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> t = cp.arange(8) / 8
    >>> cp.abs(signal.hilbert(cp.cos(2 * cp.pi * t))).round(6)
    array([1., 1., 1., 1., 1., 1., 1., 1.])
    """
    x = _core.array(x, copy=None)
    if kind_of(x.dtype) == "c":
        raise ValueError("hilbert: x must be real.")
    axis = normalize_axis("hilbert", axis, x.ndim)
    n = x.shape[axis] if N is None else N
    if n <= 0:
        raise ValueError(f"hilbert: N must be positive, got {n}")
    spectrum = fft.fft(x, n, axis)
    before = (slice(None),) * axis
    spectrum[before + (slice(1, (n + 1) // 2),)] *= 2.0
    spectrum[before + (slice(n // 2 + 1, n),)] = 0.0
    return fft.ifft(spectrum, axis=axis)
