"""Devices and contexts under Numba's names; without a GPU the CPU is device 0."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

from cuprum import cuda

from ._memory import manager_for
from ._streams import Event, Stream, default_stream, event, stream

__all__ = [
    "close",
    "cuda_error",
    "current_context",
    "defer_cleanup",
    "detect",
    "get_current_device",
    "gpus",
    "is_available",
    "is_bfloat16_supported",
    "is_float16_supported",
    "is_supported_version",
    "list_devices",
    "profile_start",
    "profile_stop",
    "profiling",
    "require_context",
    "runtime",
    "select_device",
    "synchronize",
]


class Device:
    """A device. Its attributes are CUDA's, in capitals: `MULTIPROCESSOR_COUNT`, `WARP_SIZE`, ..."""

    def __init__(self, number: int) -> None:
        self.id = number
        self._own = cuda.Device(number)

    @property
    def _device(self) -> Device:
        """The device: Numba's list has a manager around each, and programs ask that for it."""
        return self

    @property
    def name(self) -> bytes:
        """The device's name, as bytes."""
        name = cuda.runtime.getDeviceProperties(self.id)["name"]
        return name if isinstance(name, bytes) else str(name).encode()

    @property
    def compute_capability(self) -> tuple[int, int]:
        """The compute capability."""
        digits = self._own.compute_capability
        return int(digits[:-1]), int(digits[-1])

    @property
    def supports_float16(self) -> bool:
        """Whether kernels have float16."""
        return True

    @property
    def supports_bfloat16(self) -> bool:
        """Whether kernels in Python have bfloat16."""
        return True

    def reset(self) -> None:
        """Wait for the device's work."""
        self._own.synchronize()

    def get_primary_context(self) -> Context:
        """Return the device's context."""
        return context_of(self)

    def __getattr__(self, name: str) -> Any:
        if name.isupper():
            wanted = name.replace("_", "")
            for key, value in self._own.attributes.items():
                if key.upper() == wanted:
                    return value
        raise AttributeError(f"the device has no attribute {name!r}")

    def __enter__(self) -> Context:
        self._own.__enter__()
        return context_of(self)

    def __exit__(self, *args: Any) -> None:
        self._own.__exit__(*args)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<CUDA device {self.id} {self.name!r}>"


class Context:
    """A device's context: its memory, and waiting for its work.

    Attributes
    ----------
    device : Device
        The device.
    memory_manager : BaseCUDAMemoryManager
        What gives it memory.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self.memory_manager = manager_for(self)

    @property
    def deallocations(self) -> Any:
        """The memory that waits to be given back."""
        return self.memory_manager.deallocations  # type: ignore[attr-defined]

    def get_memory_info(self) -> Any:
        """Return the free and the total memory in bytes."""
        return self.memory_manager.get_memory_info()

    def memalloc(self, bytesize: int) -> Any:
        """Return memory of the device."""
        return self.memory_manager.memalloc(bytesize)

    def memallocmanaged(self, bytesize: int, attach_global: bool = True) -> Any:
        """Return memory that the host and the device share."""
        return self.memory_manager.memallocmanaged(bytesize, attach_global)  # type: ignore[attr-defined]

    def memhostalloc(
        self, bytesize: int, mapped: bool = False, portable: bool = False, wc: bool = False
    ) -> Any:
        """Return pinned memory of the host."""
        return self.memory_manager.memhostalloc(bytesize, mapped, portable, wc)

    def mempin(self, owner: Any, pointer: int, size: int, mapped: bool = False) -> Any:
        """Pin memory of the host."""
        return self.memory_manager.mempin(owner, pointer, size, mapped)

    def get_ipc_handle(self, memory: Any) -> Any:
        """Return a handle by which other processes open memory."""
        return self.memory_manager.get_ipc_handle(memory)

    def create_stream(self) -> Stream:
        """Make a stream."""
        return stream()

    def get_default_stream(self) -> Stream:
        """Return the default stream."""
        return default_stream()

    def create_event(self, timing: bool = True) -> Event:
        """Make an event."""
        return event(timing)

    def can_access_peer(self, peer_context: int) -> bool:
        """Return whether kernels reach the memory of another device."""
        return bool(cuda.runtime.deviceCanAccessPeer(self.device.id, int(peer_context)))

    def synchronize(self) -> None:
        """Wait for all work."""
        self.device._own.synchronize()

    def reset(self) -> None:
        """Give back memory that nobody uses."""
        self.memory_manager.reset()

    def defer_cleanup(self) -> Any:
        """Return a context manager within which no memory is given back to the driver."""
        return self.memory_manager.defer_cleanup()

    def push(self) -> None:
        """Make the context's device the current one."""
        self.device._own.use()

    def pop(self) -> None:
        """Do nothing: each device has one context."""

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *args: Any) -> None:
        return None


_contexts: dict[int, Context] = {}


def context_of(device: Device) -> Context:
    """Return the context of a device, the same one until `close`."""
    if device.id not in _contexts:
        _contexts[device.id] = Context(device)
    return _contexts[device.id]


class _Devices:
    """The list of devices."""

    @property
    def lst(self) -> list[Device]:
        """The devices as a list."""
        return [Device(number) for number in range(len(self))]

    @property
    def current(self) -> Device:
        """The current device."""
        return get_current_device()

    def __len__(self) -> int:
        return int(cuda.runtime.getDeviceCount())

    def __getitem__(self, number: int) -> Device:
        if not 0 <= number < len(self):
            raise IndexError(f"there is no device {number}")
        return Device(number)

    def __iter__(self) -> Iterator[Device]:
        return iter(self.lst)

    def __repr__(self) -> str:
        return repr(self.lst)


gpus = _Devices()


def list_devices() -> _Devices:
    """Return the devices."""
    return gpus


def select_device(device_id: int) -> Context:
    """Make a device the current one."""
    device = gpus[device_id]
    device._own.use()
    return context_of(device)


def get_current_device() -> Device:
    """Return the current device."""
    return Device(cuda.runtime.getDevice())


def current_context(devnum: int | None = None) -> Context:
    """Return the context of the current device, or of another one."""
    return context_of(get_current_device() if devnum is None else gpus[devnum])


def require_context(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function: there is always a context."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return called


def synchronize() -> None:
    """Wait until all work of the current device is done."""
    cuda.Device().synchronize()


def is_available() -> bool:
    """Return whether kernels can run: always, on the CPU where there is no GPU.

    Examples
    --------
    >>> from cuprum.compat.numba import cuda
    >>> cuda.is_available()
    True
    """
    return True


def is_supported_version() -> bool:
    """Return whether CUDA's version is one that is known to work."""
    return True


def is_float16_supported() -> bool:
    """Return whether kernels have float16."""
    return True


def is_bfloat16_supported() -> bool:
    """Return whether kernels have bfloat16."""
    return True


def cuda_error() -> str | None:
    """Return what is wrong with the driver; None, since kernels run without one too."""
    return None


def detect() -> bool:
    """Print the devices that kernels run on."""
    if not cuda.is_available():
        print("Found 0 CUDA devices; kernels run on the CPU")
        return True
    print(f"Found {len(gpus)} CUDA devices")
    for device in gpus:
        major, minor = device.compute_capability
        print(f"id {device.id}    {device.name!r}    compute capability: {major}.{minor}")
    return True


def close() -> None:
    """Wait for all work and give back memory that nobody uses; arrays stay valid."""
    synchronize()
    _contexts.clear()
    cuda.get_default_memory_pool().free_all_blocks()


@contextlib.contextmanager
def defer_cleanup() -> Iterator[None]:
    """Put off giving memory back to the driver within a block."""
    with current_context().defer_cleanup():
        yield


def profile_start() -> None:
    """Start the profiler that watches the process."""
    cuda.runtime.profilerStart()


def profile_stop() -> None:
    """Stop the profiler that watches the process."""
    cuda.runtime.profilerStop()


@contextlib.contextmanager
def profiling() -> Iterator[None]:
    """Run the profiler within a block."""
    profile_start()
    try:
        yield
    finally:
        profile_stop()


class _Runtime:
    """The CUDA runtime: its version."""

    def get_version(self) -> tuple[int, int]:
        """Return the version."""
        number = int(cuda.runtime.runtimeGetVersion())
        return number // 1000, number % 1000 // 10

    def is_supported_version(self) -> bool:
        """Return whether the version is one that is known to work."""
        return True


runtime = _Runtime()
