"""Looking at what is recorded and at what ran: `pending` and `profile`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _core
from .._core import ndarray

if TYPE_CHECKING:
    from .._profiler import Profile

__all__ = ["pending", "profile"]


class Pending:
    """What is still to be computed of an array; false where nothing is. Asking computes nothing."""

    __slots__ = ("_device", "_dtype", "_shape", "operations")

    operations: tuple[str, ...]
    """The names of the recorded operations, the first one first."""

    def __init__(self, a: ndarray) -> None:
        self.operations = tuple(_core.pending_operations(a) or ())
        self._shape, self._dtype, self._device = a.shape, str(a.dtype), str(a.device)

    def __bool__(self) -> bool:
        return bool(self.operations)

    def __len__(self) -> int:
        return len(self.operations)

    def __repr__(self) -> str:
        about = f"array of shape {self._shape}, {self._dtype}"
        if not self.operations:
            return f"<computed {about}>"
        return f"<pending {about}: {', '.join(self.operations)}>"


def pending(a: ndarray) -> Pending:
    """Return what is still to be computed of an array, without computing it.

    Parameters
    ----------
    a : ndarray
        The array.

    Returns
    -------
    Pending
        False where the elements are there; its `operations` are the names of what is recorded.

    Examples
    --------
    >>> a = cp.ones(100_000)
    >>> b = cp.sqrt(a * 4) + 1
    >>> cp.pending(b)  # doctest: +SKIP
    <pending array of shape (100000,), float64: copy, multiply, sqrt, add>
    >>> float(b[0])
    3.0
    >>> bool(cp.pending(b))
    False
    """
    if not isinstance(a, ndarray):
        raise TypeError(f"pending: {type(a).__name__} is no array of Cuprum's")
    return Pending(a)


def profile() -> Profile:
    """Record what runs inside a `with` block: fused Programs with their source lines, copies, waits, memory.

    `print` shows a table; `report` writes a page for a browser, `save` a trace for Perfetto. The block's end
    waits for all work that was recorded in it.

    Returns
    -------
    Profile
        To be used in a `with` statement.

    Examples
    --------
    >>> a = cp.ones(200_000)
    >>> with cp.profile() as p:
    ...     b = cp.sqrt(a * a + 3)
    ...     total = float(b.sum())
    >>> p.count("program") >= 1
    True
    >>> p.advice
    []
    """
    from .._profiler import Profile

    return Profile()
