"""The devices that arrays live on: GPUs by their numbers; without one, the CPU, as device 0."""

from __future__ import annotations

import threading
from typing import Any

from .. import _core
from . import runtime

__all__ = [
    "Device",
    "from_pointer",
    "get_compute_capability",
    "get_cublas_handle",
    "get_cusolver_handle",
    "get_cusolver_sp_handle",
    "get_cusparse_handle",
    "get_device_id",
]

_entered = threading.local()


class Device:
    """A device that holds arrays; the current one where no number is given.

    On a machine without a GPU there is one, the CPU, with the number 0. It compares equal to `'cpu'`, NumPy's
    name of the device; a GPU compares equal to its name too, as in `'cuda:0'`. Beside GPUs the CPU is
    `Device('cpu')`, with the number -1.

    Parameters
    ----------
    device : int, str or Device, optional
        The device's number or name.

    Examples
    --------
    >>> with cp.cuda.Device(0) as device:
    ...     a = cp.arange(3)
    >>> a.device == device
    True
    >>> cp.zeros(2, device="cpu").device == "cpu"
    True
    """

    __slots__ = ("_name", "id")

    id: int
    _name: str

    def __init__(self, device: int | str | Device | None = None) -> None:
        name, number = _identified(device)
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "id", number)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"attribute {name!r} of a Device cannot be set")

    @classmethod
    def from_pci_bus_id(cls, pci_bus_id: str) -> Device:
        """Return the device at a place on the PCI bus.

        Examples
        --------
        >>> device = cp.cuda.Device()
        >>> cp.cuda.Device.from_pci_bus_id(device.pci_bus_id) == device
        True
        """
        return cls(runtime.deviceGetByPCIBusId(pci_bus_id))

    def use(self) -> None:
        """Make this the current device of this thread.

        Examples
        --------
        >>> cp.cuda.Device().use()
        """
        self._check()
        _core.set_device(self)

    def _check(self) -> None:
        if self._name.startswith("cuda") or self.id != -1:
            runtime.check_device(self.id)

    @property
    def _gpu(self) -> int | None:
        """The GPU's number, None for the CPU."""
        return self.id if self._name != "cpu" else None

    def synchronize(self) -> None:
        """Run all pending work, and wait until it is done.

        Examples
        --------
        >>> cp.cuda.Device().synchronize()
        """
        self._check()
        _core.check_waits()
        _core.run_pending()
        if self._gpu is not None:
            _core.gpu_synchronize(self._gpu)

    @property
    def compute_capability(self) -> str:
        """The compute capability, two digits; the CPU passes for a recent GPU."""
        return _capability(self._gpu)

    @property
    def mem_info(self) -> tuple[int, int]:
        """The free and the total memory in bytes."""
        self._check()
        return runtime.memory_of(self._gpu)

    def _library_handle(self, library: str) -> int:
        if self._gpu is None:
            raise RuntimeError(f"{library}_handle: the CPU has none of NVIDIA's libraries")
        return int(_core.library_handle(self._gpu, library))

    @property
    def cublas_handle(self) -> int:
        """This thread's handle of cuBLAS, bound to its current stream; on the CPU, of `cuda.cublas`."""
        if self._gpu is None:
            from . import cublas

            return cublas._handle_without_gpu()
        return self._library_handle("cublas")

    @property
    def cusolver_handle(self) -> int:
        """This thread's handle of cuSOLVER for dense matrices, bound to its current stream."""
        return self._library_handle("cusolver")

    @property
    def cusolver_sp_handle(self) -> int:
        """This thread's handle of cuSOLVER for sparse matrices, bound to its current stream."""
        return self._library_handle("cusolver_sp")

    @property
    def cusparse_handle(self) -> int:
        """This thread's handle of cuSPARSE, bound to its current stream."""
        return self._library_handle("cusparse")

    @property
    def attributes(self) -> dict[str, int]:
        """The properties of the device that are numbers, under CUDA's names of attributes."""
        self._check()
        return runtime.device_attributes(self._gpu)

    @property
    def pci_bus_id(self) -> str:
        """The place on the PCI bus; the CPU has none, and says zeros."""
        return runtime.deviceGetPCIBusId(max(self.id, 0))

    def __enter__(self) -> Device:
        self._check()
        before = _core.set_device(self)
        stack = _entered.__dict__.setdefault("stack", [])
        stack.append(before)
        return self

    def __exit__(self, *_: object) -> None:
        _core.set_device(_entered.stack.pop())

    def __int__(self) -> int:
        return self.id

    def __index__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Device):
            return self._name == other._name and self.id == other.id
        if isinstance(other, str):
            return self._name == other and (self._name != "cpu" or self.id <= 0)
        return NotImplemented

    def __lt__(self, other: object) -> bool:
        return self.id < other.id if isinstance(other, Device) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.id <= other.id if isinstance(other, Device) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._name) if self._name != "cpu" or self.id <= 0 else hash(("device", self.id))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Device, (self._name if self.id < 0 else self.id,))

    def __repr__(self) -> str:
        return f"<CPU Device {self.id}>" if self._name == "cpu" else f"<CUDA Device {self.id}>"


def _identified(device: int | str | Device | None) -> tuple[str, int]:
    """Return the name and the number of a device."""
    if isinstance(device, Device):
        return device._name, device.id
    gpu = _core.current_gpu()
    if device is None:
        return ("cpu", 0) if gpu is None else (f"cuda:{gpu}", gpu)
    if isinstance(device, str):
        kind, _, digits = device.partition(":")
        if device == "cpu":
            return "cpu", 0 if not runtime.is_available() else -1
        if kind == "cuda" and (digits.isdigit() or device == "cuda"):
            return f"cuda:{int(digits or 0)}", int(digits or 0)
        raise ValueError(f"Device: {device!r} is no device: use cpu, cuda or cuda:1")
    number = int(device)
    if number < 0:
        raise ValueError(f"Device: the number of a device is not negative, got {number}")
    return (f"cuda:{number}" if runtime.is_available() else "cpu"), number


def _capability(gpu: int | None) -> str:
    major, minor = runtime.COMPUTE_CAPABILITY if gpu is None else _core.gpu_facts(gpu)["capability"]
    return f"{major}{minor}"


def get_device_id() -> int:
    """Return the number of the current device.

    Examples
    --------
    >>> cp.cuda.get_device_id()
    0
    """
    return runtime.getDevice()


def get_compute_capability() -> str:
    """Return the current device's compute capability, two digits; the CPU passes for a recent GPU.

    Examples
    --------
    >>> len(cp.cuda.get_compute_capability()) >= 2
    True
    """
    return _capability(_core.current_gpu())


def get_cublas_handle() -> int:
    """Return this thread's handle of cuBLAS on the current device, bound to the current stream.

    On the CPU it is one that the functions of `cuda.cublas` take.

    Examples
    --------
    >>> cp.cuda.device.get_cublas_handle() > 0
    True
    """
    return Device().cublas_handle


def get_cusolver_handle() -> int:
    """Return this thread's handle of cuSOLVER for dense matrices, bound to the current stream.

    Examples
    --------
    >>> try:
    ...     handle = cp.cuda.device.get_cusolver_handle()
    ... except RuntimeError:  # on the CPU, or where the library is not installed
    ...     handle = 0
    >>> handle >= 0
    True
    """
    return Device().cusolver_handle


def get_cusolver_sp_handle() -> int:
    """Return this thread's handle of cuSOLVER for sparse matrices, bound to the current stream.

    Examples
    --------
    >>> try:
    ...     handle = cp.cuda.device.get_cusolver_sp_handle()
    ... except RuntimeError:  # on the CPU, or where the library is not installed
    ...     handle = 0
    >>> handle >= 0
    True
    """
    return Device().cusolver_sp_handle


def get_cusparse_handle() -> int:
    """Return this thread's handle of cuSPARSE on the current device, bound to the current stream.

    Examples
    --------
    >>> try:
    ...     handle = cp.cuda.device.get_cusparse_handle()
    ... except RuntimeError:  # on the CPU, or where the library is not installed
    ...     handle = 0
    >>> handle >= 0
    True
    """
    return Device().cusparse_handle


def from_pointer(ptr: int) -> Device:
    """Return the device that the memory at an address is on.

    Examples
    --------
    >>> a = cp.ones(3)
    >>> cp.cuda.device.from_pointer(a.data.ptr) == cp.cuda.Device()
    True
    """
    number = runtime.pointerGetAttributes(ptr).device
    if number < 0:
        raise ValueError(f"from_pointer: {int(ptr):#x} is no address on a device")
    return Device(number)
