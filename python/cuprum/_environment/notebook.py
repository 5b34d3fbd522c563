"""IPython and Jupyter: `%load_ext cuprum`."""

from __future__ import annotations

from typing import Any

__all__ = ["load_ipython_extension"]


def load_ipython_extension(ipython: Any) -> None:
    """Register `%cptimeit` and `%%cptimeit`: what `%load_ext cuprum` calls.

    Parameters
    ----------
    ipython : IPython.InteractiveShell
        The shell.

    Examples
    --------
    >>> class Shell:
    ...     def register_magic_function(self, function, kind, name):
    ...         print(kind, name)
    >>> cp.load_ipython_extension(Shell())
    line_cell cptimeit
    """
    from .._notebook import timing

    timing.register(ipython)
