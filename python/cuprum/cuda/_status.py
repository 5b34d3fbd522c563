"""CUDA's constants and the error of its runtime."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

__all__ = [
    "CUDARuntimeError",
    "check_status",
    "errorInvalidDevice",
    "errorInvalidResourceHandle",
    "errorInvalidValue",
    "errorMemoryAllocation",
    "errorNotReady",
    "errorNotSupported",
    "errorPeerAccessAlreadyEnabled",
    "eventBlockingSync",
    "eventDefault",
    "eventDisableTiming",
    "eventInterprocess",
    "hostAllocDefault",
    "hostAllocMapped",
    "hostAllocPortable",
    "hostAllocWriteCombined",
    "memAllocationTypePinned",
    "memAttachGlobal",
    "memAttachHost",
    "memHandleTypeNone",
    "memHandleTypePosixFileDescriptor",
    "memLocationTypeDevice",
    "memPoolAttrReleaseThreshold",
    "memPoolAttrReservedMemCurrent",
    "memPoolAttrReservedMemHigh",
    "memPoolAttrUsedMemCurrent",
    "memPoolAttrUsedMemHigh",
    "memPoolReuseAllowInternalDependencies",
    "memPoolReuseAllowOpportunistic",
    "memPoolReuseFollowEventDependencies",
    "memcpyDefault",
    "memcpyDeviceToDevice",
    "memcpyDeviceToHost",
    "memcpyHostToDevice",
    "memcpyHostToHost",
    "memoryTypeDevice",
    "memoryTypeHost",
    "memoryTypeManaged",
    "memoryTypeUnregistered",
    "streamCaptureModeGlobal",
    "streamCaptureModeRelaxed",
    "streamCaptureModeThreadLocal",
    "streamDefault",
    "streamLegacy",
    "streamNonBlocking",
    "streamPerThread",
]

memcpyHostToHost = 0
memcpyHostToDevice = 1
memcpyDeviceToHost = 2
memcpyDeviceToDevice = 3
memcpyDefault = 4

streamLegacy = 1
streamPerThread = 2
streamDefault = 0
streamNonBlocking = 1

streamCaptureModeGlobal = 0
streamCaptureModeThreadLocal = 1
streamCaptureModeRelaxed = 2

memoryTypeUnregistered = 0
memoryTypeHost = 1
memoryTypeDevice = 2
memoryTypeManaged = 3

eventDefault = 0
eventBlockingSync = 1
eventDisableTiming = 2
eventInterprocess = 4

hostAllocDefault = 0
hostAllocPortable = 1
hostAllocMapped = 2
hostAllocWriteCombined = 4

memAttachGlobal = 1
memAttachHost = 2

memAllocationTypePinned = 1
memHandleTypeNone = 0
memHandleTypePosixFileDescriptor = 1
memLocationTypeDevice = 1

memPoolReuseFollowEventDependencies = 1
memPoolReuseAllowOpportunistic = 2
memPoolReuseAllowInternalDependencies = 3
memPoolAttrReleaseThreshold = 4
memPoolAttrReservedMemCurrent = 5
memPoolAttrReservedMemHigh = 6
memPoolAttrUsedMemCurrent = 7
memPoolAttrUsedMemHigh = 8

errorInvalidValue = 1
errorMemoryAllocation = 2
errorInvalidDevice = 101
errorInvalidResourceHandle = 400
errorNotReady = 600
errorPeerAccessAlreadyEnabled = 704
errorNotSupported = 801

_ERRORS = {
    0: ("cudaSuccess", "no error"),
    errorInvalidValue: ("cudaErrorInvalidValue", "invalid argument"),
    errorMemoryAllocation: ("cudaErrorMemoryAllocation", "out of memory"),
    errorInvalidDevice: ("cudaErrorInvalidDevice", "invalid device ordinal"),
    errorInvalidResourceHandle: ("cudaErrorInvalidResourceHandle", "invalid resource handle"),
    215: ("cudaErrorUnsupportedLimit", "limit is not supported on this architecture"),
    217: ("cudaErrorPeerAccessUnsupported", "peer access is not supported between these two devices"),
    errorNotReady: ("cudaErrorNotReady", "device not ready"),
    errorPeerAccessAlreadyEnabled: ("cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"),
    705: ("cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"),
    712: ("cudaErrorHostMemoryAlreadyRegistered", "part or all of the memory is registered already"),
    713: ("cudaErrorHostMemoryNotRegistered", "the memory is not registered"),
    errorNotSupported: ("cudaErrorNotSupported", "operation not supported"),
    900: ("cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"),
    201: ("cudaErrorDeviceUninitialized", "invalid device context"),
}


class CUDARuntimeError(RuntimeError):
    """An error of CUDA's runtime, by its number.

    Parameters
    ----------
    status : int
        CUDA's number of the error.
    """

    def __init__(self, status: int) -> None:
        self.status = status
        name, text = _ERRORS.get(status, ("cudaErrorUnknown", "unknown error"))
        super().__init__(f"{name}: {text}")

    def __reduce__(self) -> tuple[Any, ...]:
        return (CUDARuntimeError, (self.status,))


@contextlib.contextmanager
def errors_by_number() -> Iterator[None]:
    """Raise the driver's errors as those of the runtime, which have the same numbers."""
    try:
        yield
    except CUDARuntimeError:
        raise
    except RuntimeError as error:
        found = re.search(r"\((\d+)\)", str(error))
        if found is None:
            raise
        raise CUDARuntimeError(int(found[1])) from error


def check_status(status: int) -> None:
    """Raise the error that a status stands for, if any.

    Examples
    --------
    >>> cp.cuda.runtime.check_status(0)
    """
    if status != 0:
        raise CUDARuntimeError(status)
