"""`cupyx.optimizing`: CuPy searches there for the best sizes of launches; Cuprum has none to search for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["optimize"]

_SETTINGS = {
    "max_trials",
    "timeout",
    "expected_total_time_per_trial",
    "max_total_time_per_trial",
    "optimize_impl",
}


@contextmanager
def optimize(
    *, key: Any = None, path: Any = None, readonly: bool = False, **config_dict: Any
) -> Iterator[None]:
    """Run a block of a program that CuPy would tune.

    How many threads a reduction has follows from the shapes alone, so that the same program gives the same
    bits each time: nothing is searched for, and `path` is neither read nor written.

    Parameters
    ----------
    key, path, readonly
        Of what CuPy finds: taken for compatibility.
    **config_dict
        The settings of CuPy's search.

    Examples
    --------
    >>> from cuprum.compat.cupyx.optimizing import optimize
    >>> with optimize():
    ...     cp.arange(4).sum()
    array(6)
    """
    unknown = sorted(set(config_dict) - _SETTINGS)
    if unknown:
        raise TypeError(f"optimize: unknown settings {', '.join(unknown)}")
    yield
