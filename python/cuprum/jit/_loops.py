"""Loops while a kernel is compiled: what is known at their heads and behind them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ._values import Variable

__all__ = ["Loop"]


class Loop:
    """A loop that is being written or, while its types are sought, walked."""

    def __init__(self, head: Any = None, exit_: Any = None, unbroken: str | None = None) -> None:
        self.head = head
        self.exit = exit_
        self.unbroken = unbroken
        """The C variable that says that no break was met, where there is an `else`."""
        self.exit_after_test: Any = None
        """What is known where the loop's own test ended it."""
        self.runs = False
        """Whether its body is known to run at least once."""
        self.continues: list[Any] = []
        self.breaks: list[Any] = []

    def after_test(self) -> dict[str, Variable] | None:
        """Return what is known where the loop's own test ended it; what a body that ran binds is bound."""
        after: dict[str, Variable] | None = self.exit_after_test
        if after is None or not self.runs:
            return after
        if not self.continues:
            return None
        bound = {name for name in after if all(name in way and not way[name].maybe for way in self.continues)}
        return {
            name: replace(variable, maybe=False) if name in bound else variable
            for name, variable in after.items()
        }
