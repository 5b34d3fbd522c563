"""The device that arrays live on: without a GPU, the CPU, as device 0."""

from __future__ import annotations

import threading
from typing import Any

from .. import _core
from . import runtime

__all__ = ["Device", "get_compute_capability", "get_device_id"]

_entered = threading.local()


class Device:
    """A device that holds arrays; the current one where no number is given.

    On a machine without a GPU there is one, the CPU, with the number 0. It compares equal to `'cpu'`, NumPy's
    name of the device.

    Parameters
    ----------
    device : int or Device, optional
        The device's number.

    Examples
    --------
    >>> with cp.cuda.Device(0) as device:
    ...     a = cp.arange(3)
    >>> device
    <CPU Device 0>
    >>> a.device == device
    True
    """

    __slots__ = ("id",)

    id: int

    def __init__(self, device: int | Device | None = None) -> None:
        number = runtime.getDevice() if device is None else int(device)
        if number < 0:
            raise ValueError(f"Device: the number of a device is not negative, got {number}")
        object.__setattr__(self, "id", number)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"attribute {name!r} of a Device cannot be set")

    @classmethod
    def from_pci_bus_id(cls, pci_bus_id: str) -> Device:
        """Return the device at a place on the PCI bus."""
        return cls(runtime.deviceGetByPCIBusId(pci_bus_id))

    def use(self) -> None:
        """Make this the current device."""
        runtime.setDevice(self.id)

    def synchronize(self) -> None:
        """Run all pending work, and wait until it is done."""
        runtime.check_device(self.id)
        _core.run_pending()

    @property
    def compute_capability(self) -> str:
        """The compute capability that programs are told: the CPU passes for a recent GPU."""
        return get_compute_capability()

    @property
    def mem_info(self) -> tuple[int, int]:
        """The free and the total memory in bytes."""
        runtime.check_device(self.id)
        return runtime.memGetInfo()

    @property
    def attributes(self) -> dict[str, int]:
        """The properties of the device that are numbers, under CUDA's names of attributes."""
        runtime.check_device(self.id)
        return runtime.device_attributes()

    @property
    def pci_bus_id(self) -> str:
        """The place on the PCI bus; the CPU has none, and says zeros."""
        return runtime.deviceGetPCIBusId(self.id)

    def __enter__(self) -> Device:
        before = runtime.getDevice()
        self.use()
        stack = _entered.__dict__.setdefault("stack", [])
        stack.append(before)
        return self

    def __exit__(self, *_: object) -> None:
        runtime.setDevice(_entered.stack.pop())

    def __int__(self) -> int:
        return self.id

    def __index__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Device):
            return self.id == other.id
        if isinstance(other, str):
            return self.id == 0 and other == "cpu"
        return NotImplemented

    def __lt__(self, other: object) -> bool:
        return self.id < other.id if isinstance(other, Device) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.id <= other.id if isinstance(other, Device) else NotImplemented

    def __hash__(self) -> int:
        return hash("cpu") if self.id == 0 else hash(("device", self.id))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Device, (self.id,))

    def __repr__(self) -> str:
        return f"<CPU Device {self.id}>"


def get_device_id() -> int:
    """Return the number of the current device.

    Examples
    --------
    >>> cp.cuda.get_device_id()
    0
    """
    return runtime.getDevice()


def get_compute_capability() -> str:
    """Return the compute capability that programs are told, two digits.

    Examples
    --------
    >>> cp.cuda.get_compute_capability()
    '90'
    """
    major, minor = runtime.COMPUTE_CAPABILITY
    return f"{major}{minor}"
