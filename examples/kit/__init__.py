"""What the examples share: sizes by name, a stopwatch that waits for deferred work, pictures."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import cuprum as cp

__all__ = ["best_ms", "parse", "table"]


def parse(description: str, sizes: dict[str, int], **extra: Any) -> argparse.Namespace:
    """Read `--size` (a name out of `sizes`, or a number) and whatever else an example takes.

    `extra` maps a flag's name to its help text, or to a pair of its type and help text.
    """

    def size(text: str) -> int:
        if text in sizes:
            return sizes[text]
        if not text.isdecimal() or int(text) < 1:
            raise argparse.ArgumentTypeError(f"{text!r} is neither a number nor one of {', '.join(sizes)}")
        return int(text)

    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--size", type=size, default="medium", help=f"{', '.join(sizes)} or a number")
    for name, about in extra.items():
        parser.add_argument(f"--{name}", default=None, help=about)
    return parser.parse_args()


def best_ms(work: Callable[[], Any], repeats: int = 5) -> float:
    """The shortest of a few runs in milliseconds, with a first one to warm up; all work is waited
    for, dropped or not."""
    times = []
    for _ in range(repeats + 1):
        began = time.perf_counter()
        work()
        cp.cuda.Device().synchronize()
        times.append(time.perf_counter() - began)
    return min(times[1:]) * 1e3


def table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    """Print rows under their heads, numbers to the right."""
    cells = [head, *(tuple(f"{v:,.3f}" if isinstance(v, float) else str(v) for v in row) for row in rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(head))]
    for row in cells:
        first, *rest = row
        numbers = (text.rjust(width) for text, width in zip(rest, widths[1:], strict=True))
        print("  ".join([first.ljust(widths[0]), *numbers]))
