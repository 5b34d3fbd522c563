"""Raw words and uniform numbers of the PCGs, made by many threads that jump ahead: how a GPU draws them."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from .. import _core
from .._core import ndarray
from .._creation.fill import empty
from .._kernels import RawKernel

_WORD = (1 << 64) - 1
_NUMBER = (1 << 128) - 1

_MULTIPLIERS = {
    "PCG64": 2549297995355413924 << 64 | 4865540595714422341,
    "PCG64DXSM": 0xDA942042E4DD58B5,
}

# Fewer draws than these are made by the host: a launch and the jumps of its threads cost more.
AHEAD_MIN = 1 << 14
# Threads of a launch; each draws every so many-th element.
_THREADS = 1 << 16
_BLOCK = 256

# Thread t jumps to its first word in as many steps as t has bits, then from one of its words to the next by
# one multiplication. DXSM permutes the state before a step, XSL-RR after it.
TEXT = """
typedef unsigned long long Word;

struct Wide { Word high, low; };

__device__ inline Wide times(Wide a, Wide b) {
    Wide r;
    r.low = a.low * b.low;
    r.high = __umul64hi(a.low, b.low) + a.high * b.low + a.low * b.high;
    return r;
}

__device__ inline Wide plus(Wide a, Wide b) {
    Wide r;
    r.low = a.low + b.low;
    r.high = a.high + b.high + (r.low < a.low ? 1 : 0);
    return r;
}

__device__ inline Wide ahead(Wide state, Word steps, Wide multiplier, Wide increment) {
    Wide by = {0, 1}, sum = {0, 0}, one = {0, 1};
    for (; steps > 0; steps >>= 1) {
        if (steps & 1) {
            by = times(by, multiplier);
            sum = plus(times(sum, multiplier), increment);
        }
        increment = times(plus(multiplier, one), increment);
        multiplier = times(multiplier, multiplier);
    }
    return plus(times(by, state), sum);
}

__device__ inline Word permuted(Wide state, bool dxsm) {
    if (dxsm) {
        Word high = state.high;
        high ^= high >> 32;
        high *= 0xda942042e4dd58b5ULL;
        high ^= high >> 48;
        return high * (state.low | 1);
    }
    Word word = state.high ^ state.low;
    unsigned int turn = (unsigned int)(state.high >> 58);
    return (word >> turn) | (word << ((64 - turn) & 63));
}

template <typename T> __device__ inline T number(Word word);
template <> __device__ inline Word number<Word>(Word word) { return word; }
template <> __device__ inline double number<double>(Word word) {
    return (double)(word >> 11) * (1.0 / 9007199254740992.0);
}

template <typename T>
__global__ void draw(T *out, long long n, int dxsm, Word state_high, Word state_low, Word increment_high,
                     Word increment_low, Word multiplier_high, Word multiplier_low, Word leap_high,
                     Word leap_low, Word shift_high, Word shift_low) {
    long long threads = (long long)gridDim.x * blockDim.x;
    long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (first >= n) return;
    Wide multiplier = {multiplier_high, multiplier_low}, increment = {increment_high, increment_low};
    Wide leap = {leap_high, leap_low}, shift = {shift_high, shift_low};
    Wide state = {state_high, state_low};
    state = ahead(state, (Word)first + (dxsm ? 0 : 1), multiplier, increment);
    for (long long i = first; i < n; i += threads) {
        out[i] = number<T>(permuted(state, dxsm != 0));
        state = plus(times(state, leap), shift);
    }
}
"""

_TYPES = {"float64": "double", "uint64": "unsigned long long"}


@functools.cache
def _kernel(dtype: str) -> RawKernel:
    return RawKernel(TEXT, f"draw<{_TYPES[dtype]}>", options=("--std=c++17", "--fmad=false"))


def _leap(multiplier: int, increment: int, steps: int) -> tuple[int, int]:
    """Return the factor and the summand of many steps at once."""
    factor, summand = 1, 0
    while steps:
        if steps & 1:
            factor = factor * multiplier & _NUMBER
            summand = (summand * multiplier + increment) & _NUMBER
        increment = (multiplier + 1) * increment & _NUMBER
        multiplier = multiplier * multiplier & _NUMBER
        steps >>= 1
    return factor, summand


def fill(kind: str, words: list[int], out: ndarray) -> None:
    """Draw what a PCG draws next into a dense array: raw words of uint64, or uniform numbers of float64.

    `words` are its state and its increment, upper words first. Who calls moves the generator on.
    """
    multiplier, count, dtype = _MULTIPLIERS[kind], out.size, out.dtype.name
    blocks = min((count + _BLOCK - 1) // _BLOCK, _THREADS // _BLOCK)
    leap = _leap(multiplier, words[2] << 64 | words[3], blocks * _BLOCK)
    wide = [part for number in (multiplier, *leap) for part in (number >> 64, number & _WORD)]
    arguments = [np.uint64(word) for word in (*words, *wide)]
    _kernel(dtype)((blocks,), (_BLOCK,), (out, np.int64(count), np.int32(kind == "PCG64DXSM"), *arguments))


class AheadStream:
    """A stream of a PCG whose raw words and uniform numbers a GPU draws; all else is the host's stream."""

    def __init__(self, stream: Any, kind: str) -> None:
        self._host = stream
        self._kind = kind

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host, name)

    def _ahead(self, shape: Any, dtype: str) -> ndarray | None:
        dims = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
        count = math.prod(dims)
        if count < AHEAD_MIN or _core.current_gpu() is None:
            return None
        made = empty(dims, dtype)
        fill(self._kind, self._host.take(count), made)
        return made

    def raw(self, shape: Any) -> ndarray:
        """Return raw words."""
        made = self._ahead(shape, "uint64")
        return self._host.raw(shape) if made is None else made

    def random(self, shape: Any, dtype: Any, light: bool = False) -> ndarray:
        """Return uniform numbers."""
        made = self._ahead(shape, "float64") if np.dtype(dtype) == np.float64 else None
        return self._host.random(shape, dtype, light) if made is None else made

    def draw(self, name: str, parameters: list[Any], shape: Any, dtype: Any, light: bool = False) -> ndarray:
        """Return draws of a distribution."""
        plain = name == "uniform" and dtype is None and shape is not None
        if plain and all(type(parameter) in (int, float) for parameter in parameters):
            low, high = (float(parameter) for parameter in parameters)
            if low <= high and math.isfinite(high - low):
                made = self._ahead(shape, "float64")
                if made is not None:
                    return made * (high - low) + low
        drawn: ndarray = self._host.draw(name, parameters, shape, dtype, light)
        return drawn
