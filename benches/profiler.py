"""Time what `cp.profile()` costs: loops of one step each, with a profile around them and without, by turns.

    python benches/profiler.py                    every step and size, printed only
    python benches/profiler.py --only fft         steps whose name contains the text
    python benches/profiler.py --seconds 0.5      longer loops, and so more of them that is a sample

CPU time of one thread: other load on the machine adds to both sides. Each figure is the median of the turns'.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

# Before the import: both are read once.
os.environ.setdefault("CUPRUM_THREADS", "1")
os.environ.setdefault("CUPRUM_DEVICE", "cpu")

import numpy as np

import cuprum as cp
from cuprum.testing import wait

SIZES = (100, 10_000, 100_000, 1_000_000)
LIMIT = 1.05
"""What a loop may take with a profile, by what it takes without."""

STEPS: dict[str, Callable[[Any], Any]] = {
    "a + a": lambda a: a + a,
    "sqrt(a * a + 1) - a": lambda a: cp.sqrt(a * a + 1) - a,
    "a.sum()": lambda a: a.sum(),
    "float(a.max())": lambda a: float(a.max()),
    "a[::2] * 2": lambda a: a[::2] * 2,
    "sort(a)": cp.sort,
    "fft.rfft(a)": cp.fft.rfft,
    "a @ a": lambda a: a @ a,
}


def loop(step: Callable[[Any], Any], operand: Any, times: int) -> float:
    """The CPU time of one step in a loop of so many."""
    began = time.process_time()
    for _ in range(times):
        wait(step(operand))
    return (time.process_time() - began) / times


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="only the steps whose name contains this")
    parser.add_argument("--turns", type=int, default=9, help="loops of each kind (default 9)")
    parser.add_argument(
        "--seconds", type=float, default=0.1, help="about how long a loop takes (default 0.1)"
    )
    arguments = parser.parse_args()
    print(f"{'step':22} {'elements':>9} {'µs without':>11} {'µs with':>9} {'ratio':>7}")
    over, ratios = 0, []
    for name, step in STEPS.items():
        if arguments.only not in name:
            continue
        for size in SIZES:
            operand = cp.asarray(np.random.default_rng(size).random(size))
            loop(step, operand, 3)
            times = max(3, round(arguments.seconds / max(loop(step, operand, 20), 1e-7)))
            without, within = [], []
            for _ in range(arguments.turns):
                without.append(loop(step, operand, times))
                with cp.profile():
                    within.append(loop(step, operand, times))
            before, after = statistics.median(without), statistics.median(within)
            ratio = after / before
            ratios.append(ratio)
            over += ratio > LIMIT
            mark = "  over 5 percent" if ratio > LIMIT else ""
            print(
                f"{name:22} {size:9,} {before * 1e6:11.2f} {after * 1e6:9.2f} {ratio:7.3f}{mark}", flush=True
            )
    highest = f"median {statistics.median(ratios):.3f}, highest {max(ratios):.3f}"
    print(f"{len(ratios)} rows, {highest}, {over} over {LIMIT}")


if __name__ == "__main__":
    main()
