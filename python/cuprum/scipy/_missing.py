"""What a module says about a name of SciPy's that it does not have."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import NoReturn


def explained(module: str, instead: Mapping[str, str]) -> Callable[[str], NoReturn]:
    """Return a module's `__getattr__`: its error names the alternative to what SciPy has.

    Parameters
    ----------
    module : str
        The name of the module.
    instead : mapping
        What to use for names of SciPy's that the module lacks.
    """

    def __getattr__(name: str) -> NoReturn:  # noqa: N807 - it becomes a module's
        said = f"module {module!r} has no attribute {name!r}"
        if name in instead:
            said += f"; {instead[name]}"
        elif not name.startswith("_"):
            names = ", ".join(importlib.import_module(module).__all__)
            said += f"; it has {names}"
        raise AttributeError(said)

    return __getattr__
