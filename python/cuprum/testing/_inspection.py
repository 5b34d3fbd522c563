"""A look inside for tests and benchmarks: the tables of ops and the memory's speed."""

from __future__ import annotations

from typing import Any

from .. import _core

__all__ = ["bandwidth", "op_table", "reduction_table"]


def op_table() -> list[dict[str, Any]]:
    """Return the table of elementwise ops, one entry for each: names, loops, oracle, error bounds, domain.

    Returns
    -------
    list of dict
        The rows.

    Examples
    --------
    >>> [row["nin"] for row in cp.testing.op_table() if row["name"] == "add"]
    [2]
    """
    return [row for row in _core.op_table() if row["namespace"] != "part"]


def reduction_table() -> list[dict[str, Any]]:
    """Return the table of reductions, one entry for each: name, binary op, identity.

    Returns
    -------
    list of dict
        The rows.

    Examples
    --------
    >>> [row["op"] for row in cp.testing.reduction_table() if row["name"] == "sum"]
    ['add']
    """
    return _core.reduction_table()


def bandwidth(read: int = 512 << 20, written: int = 256 << 20) -> float:
    """Measure how fast this machine moves memory, by a pass on all threads that reads and writes so much.

    Parameters
    ----------
    read, written : int, optional
        The bytes that one pass reads and writes. Other memory is gone through before each pass, so that
        none of them is in a cache.

    Returns
    -------
    float
        Bytes in a second, read and written together: of the median of a few passes.

    Examples
    --------
    >>> cp.testing.bandwidth() > 1e8
    True
    """
    return _core.bandwidth(read, written)
