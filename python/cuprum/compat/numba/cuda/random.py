"""Random numbers of kernels: the states of xoroshiro128+, and the functions that draw from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuprum.jit._names import RANDOM as _FUNCTIONS

from ._arrays import DeviceNDArray, device_array

globals().update(_FUNCTIONS)

__all__ = sorted(
    {*_FUNCTIONS, "create_xoroshiro128p_states", "init_xoroshiro128p_states", "xoroshiro128p_dtype"}
)

xoroshiro128p_dtype = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)

_JUMP = (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922)
_MASK = (1 << 64) - 1


def _seeded(seed: int) -> int:
    """Return the first word of a state: splitmix64 of the seed."""
    z = (seed + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def _jumped_basis() -> tuple[np.ndarray, np.ndarray]:
    """Return what the states of one bit become by a jump of 2**64 steps: the columns of its matrix over
    GF(2).
    """
    bits = np.uint64(1) << np.arange(64, dtype=np.uint64)
    zeros = np.zeros(64, np.uint64)
    s0, s1 = np.concatenate([bits, zeros]), np.concatenate([zeros, bits])
    out0, out1 = np.zeros(128, np.uint64), np.zeros(128, np.uint64)
    for word in _JUMP:
        for bit in range(64):
            if word >> bit & 1:
                out0 ^= s0
                out1 ^= s1
            s1 ^= s0
            s0 = _turned(s0, 55) ^ s1 ^ (s1 << np.uint64(14))
            s1 = _turned(s1, 36)
    return out0, out1


def _turned(x: np.ndarray, by: int) -> np.ndarray:
    turned: np.ndarray = (x << np.uint64(by)) | (x >> np.uint64(64 - by))
    return turned


def _applied(matrix: tuple[np.ndarray, np.ndarray], s0: np.ndarray, s1: np.ndarray) -> Any:
    """Return the product of a matrix over GF(2) and many states."""
    out0, out1 = np.zeros_like(s0), np.zeros_like(s1)
    one = np.uint64(1)
    for half, words in enumerate((s0, s1)):
        for bit in range(64):
            # All bits where the state has this one, none where it has not.
            mask = np.uint64(0) - ((words >> np.uint64(bit)) & one)
            out0 ^= mask & matrix[0][64 * half + bit]
            out1 ^= mask & matrix[1][64 * half + bit]
    return out0, out1


def _states(count: int, seed: int, start: int) -> np.ndarray:
    """Return states that are 2**64 steps apart; each half of the array is the half before it, jumped."""
    word = np.array([_seeded(seed & _MASK)], np.uint64)
    s0, s1 = word.copy(), word.copy()
    jump = _jumped_basis()
    first = jump
    remaining = start
    while remaining:
        if remaining & 1:
            s0, s1 = _applied(first, s0, s1)
        first = _applied(first, *first)
        remaining >>= 1
    while s0.size < count:
        more0, more1 = _applied(jump, s0, s1)
        s0, s1 = np.concatenate([s0, more0]), np.concatenate([s1, more1])
        jump = _applied(jump, *jump)
    states = np.empty(count, xoroshiro128p_dtype)
    states["s0"], states["s1"] = s0[:count], s1[:count]
    return states


def init_xoroshiro128p_states(states: Any, seed: int, subsequence_start: int = 0, stream: Any = 0) -> None:
    """Set states so that each has a sequence of its own, 2**64 numbers apart."""
    states.copy_to_device(_states(states.size, int(seed), int(subsequence_start)), stream=stream)


def create_xoroshiro128p_states(
    n: int, seed: int, subsequence_start: int = 0, stream: Any = 0
) -> DeviceNDArray:
    """Make the states of `n` generators, each with a sequence of its own, 2**64 numbers apart.

    Parameters
    ----------
    n : int
        How many generators: one for each thread that draws.
    seed : int
        The seed: the same one gives the same numbers, those of Numba.
    subsequence_start : int, optional
        Which sequence the first generator has.
    stream : Stream, optional
        The stream of the copy to the device.

    Returns
    -------
    DeviceNDArray

    Examples
    --------
    >>> from cuprum.compat.numba.cuda.random import create_xoroshiro128p_states
    >>> create_xoroshiro128p_states(4, seed=1).shape
    (4,)
    """
    states = device_array(n, xoroshiro128p_dtype)
    init_xoroshiro128p_states(states, seed, subsequence_start, stream)
    return states
