"""`cupyx.allow_synchronize`: an error where the host waits for a device."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator

from cuprum import _core

__all__ = ["DeviceSynchronized", "allow_synchronize"]


class DeviceSynchronized(RuntimeError):
    """The host has waited for a device where `allow_synchronize` forbids it."""


@contextlib.contextmanager
def allow_synchronize(allow: bool) -> Iterator[None]:
    """Let this thread wait for devices inside a ``with`` block, or make it an error.

    Reading elements waits (``float(a)``, ``a.get()``, ``if a.any():``), and so does ``synchronize`` of
    streams, events and devices; on the CPU too, so that programs are checked without a GPU.

    Parameters
    ----------
    allow : bool
        Whether waiting is allowed; if not, it raises `DeviceSynchronized`.

    Examples
    --------
    >>> import warnings
    >>> from cuprum.compat import cupyx
    >>> warnings.simplefilter("ignore")
    >>> with cupyx.allow_synchronize(False):
    ...     a = cp.arange(3) + 1
    ...     try:
    ...         float(a.sum())
    ...     except cupyx.DeviceSynchronized as error:
    ...         print(error)
    the host waits for the device here
    """
    warnings.warn(
        "cupyx.allow_synchronize will be removed from CuPy; waiting outside of the library is not noticed",
        stacklevel=3,
    )
    before = _core.allow_waits(bool(allow))
    try:
        yield
    finally:
        _core.allow_waits(before)
