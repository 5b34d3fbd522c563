"""Stand-ins for private modules that other libraries' tests import; for the plugins of `library_suites.py`.

Test files import private modules at their top, though most of their tests use public names alone. Such a
module is a stand-in, and a test that makes use of it raises `PrivateName`: it is counted as one of internals.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

collecting = True


class PrivateName(BaseException):
    """A test makes use of a private name. No test catches it by `except Exception`."""


class Derived:
    """The base of classes that tests derive from private ones."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take what the private class would."""


class StandIn(ModuleType):
    """Stands for a private module and all that is in it; using it while a test runs raises `PrivateName`.

    What the public package has by the same name is found there.
    """

    def __getattr__(self, name: str) -> Any:
        # A test that a stand-in decorates is one: pytest asks it for marks.
        if name.startswith("__") or name == "pytestmark":
            raise AttributeError(name)
        public = sys.modules.get(self.__name__.partition("._")[0])
        if not name.startswith("_") and "._" in self.__name__ and hasattr(public, name):
            return getattr(public, name)
        if name == "available":
            return False
        if name == "check_availability":
            return lambda *_: True
        if not collecting:
            raise PrivateName(f"{self.__name__}.{name}")
        inner = StandIn(f"{self.__name__}.{name}")
        setattr(self, name, inner)
        return inner

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not collecting:
            raise PrivateName(self.__name__)
        # It may be a decorator, or make one; as a condition it holds.
        return self

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        """A class that a test derives from a private one has a base that takes anything."""
        return (Derived,)

    def __iter__(self) -> Any:
        """A table of names that parametrises tests: there is nothing to go through."""
        return iter(())


def end_of_collection() -> None:
    """From here on tests run, and what they use of a stand-in counts."""
    global collecting
    collecting = False
