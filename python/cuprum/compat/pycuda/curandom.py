"""Random arrays. The numbers are Cuprum's, the same on every device for a seed; they are not cuRAND's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import cuprum

from ._arrays import GPUArray
from ._streams import Stream, cuda_stream

__all__ = [
    "MRG32k3aRandomNumberGenerator",
    "XORWOWRandomNumberGenerator",
    "get_curand_version",
    "rand",
    "seed_getter_uniform",
    "seed_getter_unique",
]


def get_curand_version() -> tuple[int, int, int] | None:
    """Return None, as where cuRAND is not installed: the numbers are Cuprum's own."""
    return None


def _uniform(generator: Any, shape: Any, dtype: Any) -> Any:
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return generator.random(shape, dtype=dtype)
    if dtype.kind == "c":
        part = np.float32 if dtype == np.complex64 else np.float64
        return generator.random(shape, dtype=part) + 1j * generator.random(shape, dtype=part)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return generator.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    raise NotImplementedError(f"random numbers of {dtype}: use float32, float64, complex or integers")


def rand(shape: Any, dtype: Any = np.float32, stream: Stream | None = None) -> GPUArray:
    """Return uniform random numbers in [0, 1); of integer types, all numbers of the type."""
    with cuda_stream(stream):
        return GPUArray._over(_uniform(cuprum.random.default_rng(), shape, dtype))


def seed_getter_uniform(n: int) -> GPUArray:
    """Return the same seed `n` times."""
    seed = np.random.default_rng().integers(0, 2**31 - 1)
    return GPUArray._over(cuprum.full(n, seed, dtype=np.int32))


def seed_getter_unique(n: int) -> GPUArray:
    """Return `n` seeds."""
    seeds = np.random.default_rng().integers(0, 2**31 - 1, n, dtype=np.int32)
    return GPUArray._over(cuprum.asarray(seeds))


class _Generator:
    """Random numbers one after the other, from seeds that a function gives."""

    generators_per_block = 256

    def __init__(self, seed_getter: Callable[[int], Any] | None = None, offset: int = 0) -> None:
        if seed_getter is None:
            self._generator = cuprum.random.default_rng()
            return
        seeds = seed_getter(1)
        host = seeds.get() if isinstance(seeds, GPUArray) else np.asarray(seeds)
        self._generator = cuprum.random.default_rng(
            [int(seed) & 0xFFFFFFFF for seed in host.ravel()] + [offset]
        )

    def _fill(self, data: GPUArray, values: Any, stream: Stream | None) -> None:
        with cuda_stream(stream):
            data._store(values)

    def fill_uniform(self, data: GPUArray, stream: Stream | None = None) -> None:
        """Set an array to uniform random numbers in [0, 1); of integer types, to all numbers of the type."""
        self._fill(data, _uniform(self._generator, data.shape, data.dtype), stream)

    def fill_normal(self, data: GPUArray, stream: Stream | None = None) -> None:
        """Set an array to normal random numbers."""
        self._fill(data, self._generator.standard_normal(data.shape, dtype=data.dtype), stream)

    def fill_log_normal(
        self, data: GPUArray, mean: float, stddev: float, stream: Stream | None = None
    ) -> None:
        """Set an array to numbers whose logarithms are normal."""
        values = self._generator.standard_normal(data.shape, dtype=data.dtype)
        self._fill(data, cuprum.exp(values * stddev + mean), stream)

    def fill_poisson(
        self, data: GPUArray, lambda_value: float | None = None, stream: Stream | None = None
    ) -> None:
        """Set an array to Poisson random numbers; without a mean, each element is its own number's."""
        mean = data._array.astype(np.float64) if lambda_value is None else lambda_value
        self._fill(data, self._generator.poisson(mean, data.shape).astype(data.dtype), stream)

    def gen_uniform(self, shape: Any, dtype: Any, stream: Stream | None = None) -> GPUArray:
        """Return uniform random numbers."""
        data = GPUArray(shape, dtype)
        self.fill_uniform(data, stream)
        return data

    def gen_normal(self, shape: Any, dtype: Any, stream: Stream | None = None) -> GPUArray:
        """Return normal random numbers."""
        data = GPUArray(shape, dtype)
        self.fill_normal(data, stream)
        return data

    def gen_log_normal(
        self, shape: Any, dtype: Any, mean: float, stddev: float, stream: Stream | None = None
    ) -> GPUArray:
        """Return numbers whose logarithms are normal."""
        data = GPUArray(shape, dtype)
        self.fill_log_normal(data, mean, stddev, stream)
        return data

    def gen_poisson(
        self, shape: Any, dtype: Any, lambda_value: float, stream: Stream | None = None
    ) -> GPUArray:
        """Return Poisson random numbers."""
        data = GPUArray(shape, dtype)
        self.fill_poisson(data, lambda_value, stream)
        return data

    def call_skip_ahead(self, i: int, stream: Stream | None = None) -> None:
        """Leave out `i` numbers."""
        self._generator.integers(0, 2**32, int(i), dtype=np.uint32)


class XORWOWRandomNumberGenerator(_Generator):
    """Random numbers by the interface of cuRAND's XORWOW generator."""


class MRG32k3aRandomNumberGenerator(_Generator):
    """Random numbers by the interface of cuRAND's MRG32k3a generator."""
