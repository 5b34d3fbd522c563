"""What a module says about a name of SciPy's that it does not have."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping
from typing import NoReturn

_LISTED = 40
"""How many names a module has at most whose error lists them all."""


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
            names = importlib.import_module(module).__all__
            if len(names) > _LISTED:
                names = difflib.get_close_matches(name, names)
                said += "; did you mean " + " or ".join(names) + "?" if names else ""
            else:
                said += f"; it has {', '.join(names)}"
        raise AttributeError(said)

    return __getattr__
