"""`%cptimeit`: `%timeit` whose clock waits for the work."""

from __future__ import annotations

import timeit
from typing import Any

import numpy as np

from .. import cuda

__all__ = ["Timing", "leading_options", "measure", "register"]

_MIN_SECONDS = 0.2
"""Seconds that a run takes at least, where the number of loops is not given."""


def _waiting_clock() -> float:
    """Return the time after all work that was recorded before."""
    cuda.Device().synchronize()
    return timeit.default_timer()


class Timing:
    """The times of a statement, in seconds a loop, each with the work that the loop recorded.

    Parameters
    ----------
    seconds : list of float
        The time of a loop in each run.
    loops : int
        How often the statement was executed in each run.
    """

    def __init__(self, seconds: list[float], loops: int) -> None:
        self.seconds, self.loops = seconds, loops

    @property
    def best(self) -> float:
        """The shortest time of a loop."""
        return min(self.seconds)

    @property
    def average(self) -> float:
        """The mean time of a loop."""
        return float(np.mean(self.seconds))

    def __str__(self) -> str:
        runs = len(self.seconds)
        spread = float(np.std(self.seconds))
        return (
            f"{_readable(self.average)} ± {_readable(spread)} per loop (mean ± std. dev. of {runs} "
            f"run{'s' * (runs != 1)}, {self.loops:,} loop{'s' * (self.loops != 1)} each, with the work)"
        )

    def __repr__(self) -> str:
        return f"<Timing: {self}>"


def _readable(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def leading_options(line: str, valued: set[str], flags: set[str]) -> tuple[dict[str, str], str]:
    """Return the options at the beginning of a line, and the code after them as it was written."""
    found: dict[str, str] = {}
    rest = line.strip()
    while rest.startswith("-"):
        word, _, after = rest.partition(" ")
        name, given, value = word.partition("=")
        if name in flags:
            found[name] = ""
        elif name in valued:
            if not given:
                value, _, after = after.lstrip().partition(" ")
            found[name] = value
        elif name[:2] in valued and not name.startswith("--"):
            found[name[:2]] = word[2:]
        else:
            break  # Code may begin with a minus.
        rest = after.lstrip()
    return found, rest


def measure(statement: str, setup: str, names: dict[str, Any], loops: int = 0, runs: int = 7) -> Timing:
    """Time a statement in a namespace; the number of loops is found where it is 0."""
    timer = timeit.Timer(statement, setup or "pass", _waiting_clock, names)
    if loops <= 0:
        timer.timeit(1)  # Compiles, plans and takes memory, as later loops need not.
        loops = 1
        while timer.timeit(loops) < _MIN_SECONDS and loops < 10**7:
            loops *= 10 if timer.timeit(loops) * 10 < _MIN_SECONDS else 2
    return Timing([timer.timeit(loops) / loops for _ in range(max(runs, 1))], loops)


def register(ipython: Any) -> None:
    """Give a shell the magic."""

    def cptimeit(line: str, cell: str | None = None) -> Timing | None:
        """Time a statement with the work that it records: %cptimeit [-n loops] [-r runs] [-o]
        [-q] statement."""
        options, code = leading_options(line, {"-n", "-r"}, {"-o", "-q"})
        statement, setup = (code, "") if cell is None else (cell, code)
        timing = measure(
            statement, setup, ipython.user_ns, int(options.get("-n", 0)), int(options.get("-r", 7))
        )
        if "-q" not in options:
            print(timing)
        return timing if "-o" in options else None

    ipython.register_magic_function(cptimeit, "line_cell", "cptimeit")
