"""The contestants of the GPU table: how each takes operands, waits, and spells what is not NumPy's way."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any

import gpu_rows
import numpy as np


class Library(ABC):
    """One library in this process, at the sizes of this run."""

    name = ""

    def __init__(self, sizes: gpu_rows.Sizes) -> None:
        self.sizes = sizes
        self.xp: Any = None
        self.version = ""
        self._host: np.ndarray | None = None
        self._device: Any = None
        self._pinned: Any = None

    @abstractmethod
    def take(self, array: np.ndarray) -> Any:
        """The array on the device."""

    @abstractmethod
    def to_numpy(self, array: Any) -> np.ndarray: ...

    @abstractmethod
    def wait(self) -> None:
        """Until the device has done everything."""

    def finish(self, result: Any) -> None:
        self.wait()

    def launch(self, result: Any) -> Any:
        """Makes sure that the result's kernel is launched, without waiting for it."""
        return result

    def std(self, array: Any, axis: int) -> Any:
        return array.std(axis)

    @abstractmethod
    def random(self, count: int) -> Any: ...

    @abstractmethod
    def randn(self, count: int) -> Any: ...

    def compiled(self, row: gpu_rows.Row, operands: list[Any]) -> Callable[[], Any]:
        """The row as a call without arguments."""
        run = row.run
        return lambda: run(self, *operands)

    def host_block(self) -> np.ndarray:
        """What is sent to the device: written before, as a program's data is."""
        if self._host is None:
            self._host = np.ones(self.sizes.transfer, "f4")
        return self._host

    def device_block(self) -> Any:
        if self._device is None:
            self._device = self.take(self.host_block())
            self.wait()
        return self._device


class CuPyLike(Library):
    """What Cuprum and CuPy spell alike."""

    def take(self, array: np.ndarray) -> Any:
        return self.xp.asarray(array)

    def to_numpy(self, array: Any) -> np.ndarray:
        return self.xp.asnumpy(array)

    def random(self, count: int) -> Any:
        return self.xp.random.random(count, dtype="f4")

    def randn(self, count: int) -> Any:
        return self.xp.random.standard_normal(count, dtype="f4")

    @cached_property
    def step(self) -> Any:
        """A kernel in CUDA C."""
        return self.xp.RawKernel(gpu_rows.STEP, "step")

    def pinned_block(self) -> np.ndarray:
        """The host's block in memory that the device reads by itself."""
        if self._pinned is None:
            count = self.sizes.transfer
            memory = self.xp.cuda.alloc_pinned_memory(4 * count)
            self._pinned = np.frombuffer(memory, "f4", count)
            self._pinned[:] = 1
        return self._pinned


class Cuprum(CuPyLike):
    name = "cuprum"

    def __init__(self, sizes: gpu_rows.Sizes) -> None:
        super().__init__(sizes)
        import cuprum

        self.xp, self.version = cuprum, cuprum.__version__
        self._wait, self._null = cuprum.testing.wait, cuprum.cuda.Stream.null

    def wait(self) -> None:
        self._null.synchronize()

    def finish(self, result: Any) -> None:
        # What is pending runs only when somebody looks.
        arrays = result if isinstance(result, tuple) else (result,)
        for array in arrays:
            if isinstance(array, self.xp.ndarray):
                self._wait(array)
        self._null.synchronize()

    def launch(self, result: Any) -> Any:
        return self._wait(result)


class CuPy(CuPyLike):
    name = "cupy"

    def __init__(self, sizes: gpu_rows.Sizes) -> None:
        super().__init__(sizes)
        import cupy

        self.xp, self.version = cupy, cupy.__version__

    def wait(self) -> None:
        self.xp.cuda.Device().synchronize()


class Torch(Library):
    name = "torch"

    def __init__(self, sizes: gpu_rows.Sizes) -> None:
        super().__init__(sizes)
        import torch

        self.xp, self.version = torch, torch.__version__
        if not torch.cuda.is_available():
            raise RuntimeError("this PyTorch sees no GPU")

    def take(self, array: np.ndarray) -> Any:
        array = array if isinstance(array, self.xp.Tensor) else self.xp.from_numpy(array)
        return array.to("cuda")

    def pinned_block(self) -> Any:
        if self._pinned is None:
            self._pinned = self.xp.from_numpy(self.host_block()).pin_memory()
        return self._pinned

    def to_numpy(self, array: Any) -> np.ndarray:
        return array.cpu().numpy()

    def wait(self) -> None:
        self.xp.cuda.synchronize()

    def std(self, array: Any, axis: int) -> Any:
        return array.std(axis, correction=0)

    def random(self, count: int) -> Any:
        return self.xp.rand(count, device="cuda")

    def randn(self, count: int) -> Any:
        return self.xp.randn(count, device="cuda")


class TorchCompile(Torch):
    name = "torch.compile"

    def compiled(self, row: gpu_rows.Row, operands: list[Any]) -> Callable[[], Any]:
        call = self.xp.compile(lambda *arrays: row.run(self, *arrays))
        return lambda: call(*operands)


class Jax(Library):
    name = "jax"

    def __init__(self, sizes: gpu_rows.Sizes) -> None:
        super().__init__(sizes)
        import jax
        import jax.numpy

        jax.config.update("jax_enable_x64", True)
        if jax.default_backend() != "gpu":
            raise RuntimeError("this JAX sees no GPU")
        self.jax, self.xp, self.version = jax, jax.numpy, jax.__version__
        self._key = jax.random.key(1)
        self._uniform = jax.jit(lambda k: jax.random.uniform(k, (sizes.large,), dtype="float32"))
        self._normal = jax.jit(lambda k: jax.random.normal(k, (sizes.large,), dtype="float32"))

    def take(self, array: np.ndarray) -> Any:
        return self.jax.device_put(array)

    def to_numpy(self, array: Any) -> np.ndarray:
        # A copy on the host is kept once it was made: another array each time.
        return np.asarray(array + 0)

    def wait(self) -> None:
        (self.jax.device_put(0.0) + 0).block_until_ready()

    def finish(self, result: Any) -> None:
        self.jax.block_until_ready(result)

    def random(self, count: int) -> Any:
        return self._uniform(self._key)

    def randn(self, count: int) -> Any:
        return self._normal(self._key)

    def compiled(self, row: gpu_rows.Row, operands: list[Any]) -> Callable[[], Any]:
        if not row.traced:
            return super().compiled(row, operands)
        call = self.jax.jit(lambda *arrays: row.run(self, *arrays))
        return lambda: call(*operands)


LIBRARIES: dict[str, type[Library]] = {
    library.name: library for library in (Cuprum, CuPy, Torch, TorchCompile, Jax)
}
TITLES = {
    "cuprum": "Cuprum",
    "cupy": "CuPy",
    "torch": "PyTorch",
    "torch.compile": "torch.compile",
    "jax": "JAX",
}


def environment(name: str) -> dict[str, str]:
    """What a library's process needs in its environment."""
    more = {"XLA_PYTHON_CLIENT_PREALLOCATE": "false", "TF_CPP_MIN_LOG_LEVEL": "3"}
    if name == "cuprum":
        more["CUPRUM_DEVICE"] = "cuda"
    return {**os.environ, **more}


def applies(row: gpu_rows.Row, library: str) -> bool:
    if row.only is not None and library not in row.only:
        return False
    return library != "torch.compile" or row.traced
