"""Devices and contexts. A thread is in its device's one context always; the calls keep PyCUDA's order."""

from __future__ import annotations

import threading
from typing import Any

from cuprum import cuda
from cuprum.cuda import runtime

from ._errors import LogicError, translated
from ._flags import device_attribute, func_cache, limit, shared_config

__all__ = ["Context", "Device", "get_driver_version", "get_version", "init"]

_thread = threading.local()


def init(flags: int = 0) -> None:
    """Do what the driver needs before anything else: nothing here."""


def get_version() -> tuple[int, int, int]:
    """Return the version of CUDA that programs may count on."""
    version = runtime.runtimeGetVersion()
    return version // 1000, version % 1000 // 10, 0


def get_driver_version() -> int:
    """Return the driver's version, 1000 for each major number."""
    return runtime.driverGetVersion()


class Device:
    """A device: a GPU by its number or its place on the PCI bus; without a GPU, the CPU as device 0."""

    def __init__(self, number: int | str = 0) -> None:
        with translated("cuDeviceGet"):
            device = cuda.Device.from_pci_bus_id(number) if isinstance(number, str) else cuda.Device(number)
            runtime.check_device(device.id)
        self._device = device

    @staticmethod
    def count() -> int:
        """Return how many devices there are."""
        return runtime.getDeviceCount()

    def name(self) -> str:
        """Return the device's name."""
        name = runtime.getDeviceProperties(self._device.id)["name"]
        return name.decode() if isinstance(name, bytes) else str(name)

    def pci_bus_id(self) -> str:
        """Return the device's place on the PCI bus."""
        return runtime.deviceGetPCIBusId(self._device.id)

    def compute_capability(self) -> tuple[int, int]:
        """Return the compute capability; the CPU passes for a recent GPU."""
        digits = self._device.compute_capability
        return int(digits[:-1]), int(digits[-1])

    def total_memory(self) -> int:
        """Return the bytes of memory."""
        return int(runtime.getDeviceProperties(self._device.id)["totalGlobalMem"])

    def get_attribute(self, attribute: device_attribute) -> int:
        """Return one attribute."""
        with translated("cuDeviceGetAttribute"):
            try:
                return runtime.deviceGetAttribute(int(attribute), self._device.id)
            except runtime.CUDARuntimeError as error:
                raise LogicError(f"cuDeviceGetAttribute failed: {attribute!r} is not known here") from error

    def get_attributes(self) -> dict[device_attribute, int]:
        """Return all attributes that are known of the device."""
        found = {}
        for attribute in device_attribute:
            try:
                found[attribute] = self.get_attribute(attribute)
            except LogicError:
                continue
        return found

    def __getattr__(self, name: str) -> int:
        known = device_attribute.__members__.get(name.upper())
        if known is None:
            raise AttributeError(f"Device has no attribute {name!r}")
        return self.get_attribute(known)

    def make_context(self, flags: int = 0) -> Context:
        """Enter a context of the device's and return it."""
        context = Context._of(self)
        context.push()
        return context

    def retain_primary_context(self) -> Context:
        """Return the device's own context, without entering it."""
        return Context._of(self)

    def can_access_peer(self, other: Device) -> bool:
        """Return whether the device can read another's memory."""
        return bool(runtime.deviceCanAccessPeer(self._device.id, other._device.id))

    def __eq__(self, other: object) -> bool:
        return self._device == other._device if isinstance(other, Device) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._device)

    def __repr__(self) -> str:
        return f"<pycuda Device {self._device.id} ({self.name()})>"


class _WithOrWithoutContext:
    """A method that can be called on a context or on the class: then it is of the current context."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __get__(self, instance: Context | None, owner: type[Context]) -> Any:
        def call(*args: Any) -> Any:
            return self._function(_current() if instance is None else instance, *args)

        return call


class Context:
    """A device as a thread's place of work. Contexts are stacked; all of one device are the same place."""

    _device: Device

    @classmethod
    def _of(cls, device: Device) -> Context:
        made = cls.__new__(cls)
        made._device = device
        return made

    def push(self) -> None:
        """Make this the current context of the thread."""
        _stack().append(self)
        self._device._device.use()

    @staticmethod
    def pop() -> None:
        """Leave the current context."""
        stack = _stack()
        if not stack:
            raise LogicError(
                "cuCtxPopCurrent failed: this thread has no context; make one or import pycuda.autoinit"
            )
        stack.pop()
        if stack:
            stack[-1]._device._device.use()

    def detach(self) -> None:
        """Let the context go."""
        stack = _stack()
        if self in stack:
            stack.remove(self)

    def attach(self, flags: int = 0) -> None:
        """Hold the context once more."""

    @staticmethod
    def get_current() -> Context | None:
        """Return the current context, None where the thread has none."""
        stack = _stack()
        return stack[-1] if stack else None

    @_WithOrWithoutContext
    def synchronize(self: Context) -> None:
        """Wait until all work on the device is done."""
        with translated("cuCtxSynchronize"):
            self._device._device.synchronize()

    @_WithOrWithoutContext
    def get_device(self: Context) -> Device:
        """Return the context's device."""
        return self._device

    @staticmethod
    def get_cache_config() -> func_cache:
        """Return the preference set before."""
        return getattr(_thread, "cache_config", func_cache.PREFER_NONE)

    @staticmethod
    def set_cache_config(preference: func_cache) -> None:
        """Note a preference; compilers choose by themselves today."""
        _thread.cache_config = func_cache(preference)

    @staticmethod
    def get_shared_config() -> shared_config:
        """Return the width of shared memory's banks."""
        return shared_config.FOUR_BYTE_BANK_SIZE

    @staticmethod
    def set_shared_config(config: shared_config) -> None:
        """Note a width; hardware has one alone today."""
        shared_config(config)

    @staticmethod
    def get_limit(what: limit) -> int:
        """Return a limit of the context."""
        known = {
            limit.STACK_SIZE: 1 << 16,
            limit.PRINTF_FIFO_SIZE: 1 << 20,
            limit.MALLOC_HEAP_SIZE: 0,
            limit.DEV_RUNTIME_SYNC_DEPTH: 2,
            limit.DEV_RUNTIME_PENDING_LAUNCH_COUNT: 2048,
        }
        value: int = getattr(_thread, "limits", {}).get(limit(what), known[limit(what)])
        return value

    @staticmethod
    def set_limit(what: limit, value: int) -> None:
        """Note a limit of the context."""
        _thread.__dict__.setdefault("limits", {})[limit(what)] = int(value)

    @staticmethod
    def get_api_version() -> int:
        """Return the driver's interface's version."""
        return 3020

    @staticmethod
    def enable_peer_access(peer: Context, flags: int = 0) -> None:
        """Let this device read another's memory: copies between devices go directly where they can."""

    @staticmethod
    def disable_peer_access(peer: Context) -> None:
        """Undo `enable_peer_access`."""

    @property
    def handle(self) -> int:
        """A number that stands for the context."""
        return self._device._device.id + 1

    def __enter__(self) -> Context:
        self.push()
        return self

    def __exit__(self, *_: object) -> None:
        self.pop()

    def __eq__(self, other: object) -> bool:
        return self._device == other._device if isinstance(other, Context) else NotImplemented

    def __hash__(self) -> int:
        return hash(("context", self._device))

    def __repr__(self) -> str:
        return f"<pycuda Context of device {self._device._device.id}>"


def _stack() -> list[Context]:
    stack: list[Context] = _thread.__dict__.setdefault("stack", [])
    return stack


def _current() -> Context:
    """Return the current context; without one, that of the current device."""
    return Context.get_current() or Context._of(Device(runtime.getDevice()))
