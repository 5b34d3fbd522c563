"""Timing done right: warm-up, a wait or events around the work, and what goes wrong without them.

    python examples/timing.py [--size small|medium|large|N]

Work is deferred, as it is on a GPU: a clock that is read right after a call measures the recording and not
the work.
"""

import time

from kit import parse, table

import cuprum as cp

REPEATS = 5


def work(a: cp.ndarray, b: cp.ndarray) -> cp.ndarray:
    return cp.sqrt(a**2 + b**2) + cp.sin(a) * cp.cos(b)


def naive_ms(a: cp.ndarray, b: cp.ndarray) -> float:
    """The wrong way: nothing waits for the result."""
    began = time.perf_counter()
    work(a, b)
    return (time.perf_counter() - began) * 1e3


def synchronised_ms(a: cp.ndarray, b: cp.ndarray) -> float:
    """A host clock, with everything finished before it is read."""
    cp.cuda.Device().synchronize()
    began = time.perf_counter()
    work(a, b)
    cp.cuda.Device().synchronize()
    return (time.perf_counter() - began) * 1e3


def event_ms(a: cp.ndarray, b: cp.ndarray) -> float:
    """Events on the stream: what is recorded between them runs between them."""
    start, stop = cp.cuda.Event(), cp.cuda.Event()
    start.record()
    work(a, b)
    stop.record()
    stop.synchronize()
    return cp.cuda.get_elapsed_time(start, stop)


def main() -> None:
    sizes = {"small": 20_000, "medium": 4_000_000, "large": 40_000_000}
    size = parse("Time work that is deferred.", sizes).size
    rng = cp.random.default_rng(2)
    a, b = rng.random(size), rng.random(size)
    first = event_ms(a, b)
    rows = []
    for name, measure in (("no waiting", naive_ms), ("synchronised", synchronised_ms), ("events", event_ms)):
        times = [measure(a, b) for _ in range(REPEATS)]
        rows.append((name, min(times), max(times)))
    print(f"sqrt(a**2 + b**2) + sin(a) * cos(b), {size:,} elements of float64")
    print(f"The first run, which warms up: {first:.3f} ms\n")
    table(("how", "best ms", "worst ms"), rows)
    print("\nThe first line is a recording, not a result.")


if __name__ == "__main__":
    main()
