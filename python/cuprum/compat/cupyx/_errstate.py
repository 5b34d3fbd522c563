"""How errors are met: `errstate`, `seterr` and `geterr` as CuPy has them.

Division by zero, overflow and the like pass silently, as on a GPU. Errors of linear algebra, a singular
matrix for one, are always raised: where CuPy may be told to ignore them, its results mean nothing.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

__all__ = ["errstate", "geterr", "seterr"]

_thread = threading.local()


def geterr() -> dict[str, str | None]:
    """Return what was last said by `seterr`.

    Examples
    --------
    >>> import cuprum.compat.cupyx as cupyx
    >>> cupyx.geterr()["divide"] is None
    True
    """
    return {
        "divide": None,
        "over": None,
        "under": None,
        "invalid": None,
        "linalg": getattr(_thread, "linalg", "ignore"),
    }


def seterr(
    *,
    divide: str | None = None,
    over: str | None = None,
    under: str | None = None,
    invalid: str | None = None,
    linalg: str | None = None,
) -> dict[str, str | None]:
    """Say how errors are to be met; return what was said before.

    Parameters
    ----------
    divide, over, under, invalid : None, optional
        What arithmetic meets is never reported.
    linalg : {"ignore", "raise"}, optional
        Noted; errors of linear algebra are raised either way.

    Examples
    --------
    >>> import cuprum.compat.cupyx as cupyx
    >>> before = cupyx.seterr(linalg="raise")
    >>> cupyx.seterr(linalg=before["linalg"])["linalg"]
    'raise'
    """
    before = geterr()
    for name, value in {"divide": divide, "over": over, "under": under, "invalid": invalid}.items():
        if value is not None:
            raise NotImplementedError(f"seterr: {name} is never reported, got {value!r}")
    if linalg not in (None, "ignore", "raise"):
        raise NotImplementedError(f"seterr: linalg must be 'ignore' or 'raise', got {linalg!r}")
    if linalg is not None:
        _thread.linalg = linalg
    return before


@contextlib.contextmanager
def errstate(
    *,
    divide: str | None = None,
    over: str | None = None,
    under: str | None = None,
    invalid: str | None = None,
    linalg: str | None = None,
) -> Iterator[None]:
    """Say by `with` how errors are to be met in a block of code. See `seterr`.

    Examples
    --------
    >>> import cuprum.compat.cupyx as cupyx
    >>> with cupyx.errstate(linalg="raise"):
    ...     cupyx.geterr()["linalg"]
    'raise'
    """
    before = seterr(divide=divide, over=over, under=under, invalid=invalid, linalg=linalg)
    try:
        yield
    finally:
        seterr(linalg=before["linalg"])
