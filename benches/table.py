"""Time Cuprum beside NumPy, in one run, with the memory floor of each row measured by turns with it.

    python benches/table.py                     the whole table, its section of benches/RESULTS.md
    python benches/table.py --quick             a tenth of the size and fewer samples, printed only
    python benches/table.py --only 'sum'        the rows whose name contains the text, printed only

Every result is compared with NumPy's before it is timed; a difference ends the run with an error. Speed is
reported, never asserted.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ELEMENTS = 10_000_000
QUICK_ELEMENTS = 1_000_000
SAMPLES = 15
QUICK_SAMPLES = 3
ROUNDS = 3
"""How often the whole table is gone through, for a part of the samples each time: what takes a core away for
some seconds, or half of the memory's speed, meets a part of a row's samples, and the median leaves it out."""
WARM_UPS = 2
SHORTEST_SAMPLE_S = 5e-4
"""Calls shorter than this are repeated; longer ones find their operands in memory every time."""
DTYPES = ("float32", "float64")
NEAR_FLOOR = 1.25
"""The multiple of the floor that counts as what memory allows."""
TOLERANCE = {"float32": 2e-6, "float64": 4e-15}
"""Relative difference from NumPy that is allowed: some 17 ulps, two elementary functions' worth."""
SUM_TOLERANCE = {"float32": 2e-5, "float64": 1e-12}
"""The same for results that sum up to ten million terms, relative to the largest of the result."""


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time Cuprum beside NumPy.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size and fewer samples")
    parser.add_argument(
        "--only", metavar="PATTERN", default="", help="only the rows whose name contains this"
    )
    parser.add_argument("--samples", type=int, help=f"samples of each timing (default {SAMPLES})")
    parser.add_argument(
        "--threads", type=int, help="threads for both libraries (default: all that may be used)"
    )
    parser.add_argument(
        "--output", type=Path, help="the page whose section to write (default for a whole run: RESULTS.md)"
    )
    return parser.parse_args()


from results import PAGE, available_threads, cpu_model, significant, write, yes_no  # noqa: E402

ARGUMENTS = parse_arguments() if __name__ == "__main__" else argparse.Namespace(threads=None)
THREADS = ARGUMENTS.threads or available_threads()
# Both libraries read these when they are imported, so this comes before the imports below.
for variable in ("CUPRUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = str(THREADS)

import floor  # noqa: E402
import numpy as np  # noqa: E402
import overheads  # noqa: E402
import rows  # noqa: E402

import cuprum as cp  # noqa: E402
import cuprum.testing  # noqa: E402


@dataclass
class Timings:
    """The samples of one row, in milliseconds; of the floor there are none where memory is not the limit."""

    numpy: list[float] = field(default_factory=list)
    cuprum: list[float] = field(default_factory=list)
    floor: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Measured:
    """One row, timed. Times are in milliseconds; the floor is None where memory is not the limit."""

    row: rows.Row
    dtype: str
    numpy_ms: float
    cuprum_ms: float
    traffic: rows.Traffic | None
    floor_ms: float | None

    @property
    def speedup(self) -> float:
        return self.numpy_ms / self.cuprum_ms

    def bandwidth(self) -> float | None:
        """Bytes a second of the pass that the floor stands for."""
        if self.traffic is None or self.floor_ms is None:
            return None
        return sum(self.traffic) / self.floor_ms * 1e3

    def wanted_speedup(self) -> float:
        """As much of the stretch target as a program near the floor reaches, and at least the plain one."""
        least = self.floor_ms
        stretch = self.row.stretch_speedup
        if stretch is None or least is None:
            return self.row.speedup
        return min(stretch, max(self.row.speedup, self.numpy_ms / (NEAR_FLOOR * least)))

    def met(self) -> bool:
        fast_enough = self.speedup >= self.wanted_speedup()
        least = self.floor_ms
        if self.row.floor_multiple is None or least is None:
            return fast_enough
        return fast_enough and self.cuprum_ms <= self.row.floor_multiple * least


class Progress:
    """One line on stderr that says what is being measured; one line each where that is not a terminal."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0

    def show(self, what: str) -> None:
        self.done += 1
        text = f"[{self.done}/{self.total}] {what}"
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)

    def close(self) -> None:
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def to_cuprum(operands: SimpleNamespace) -> SimpleNamespace:
    return SimpleNamespace(**{name: cp.asarray(array) for name, array in vars(operands).items()})


def to_double(operands: SimpleNamespace) -> SimpleNamespace:
    """The operands with their floats widened: NumPy's answer on these stands for the exact one."""
    return SimpleNamespace(
        **{
            name: array.astype("float64") if array.dtype.kind == "f" else array
            for name, array in vars(operands).items()
        }
    )


def check(row: rows.Row, dtype: str, theirs: SimpleNamespace, ours: SimpleNamespace) -> None:
    """Raise unless Cuprum's result is NumPy's: exactly for integers and bools, within rounding for floats.

    Long sums are held against the same sums in float64 instead, and may be as far off as NumPy's are.
    """
    want = np.asarray(row.run(np, theirs))
    got = cp.asnumpy(row.run(cp, ours))
    label = f"{row.name}, {dtype}"
    if (got.dtype, got.shape) != (want.dtype, want.shape):
        raise AssertionError(f"{label}: {got.dtype}{got.shape} instead of {want.dtype}{want.shape}")
    if want.dtype.kind != "f":
        np.testing.assert_array_equal(got, want, err_msg=label)
        return
    if not row.accumulates:
        rtol = TOLERANCE[dtype]
        np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol, err_msg=label)
        return
    exact = np.asarray(row.run(np, to_double(theirs)))
    scale = float(np.max(np.abs(exact)))
    allowed = max(SUM_TOLERANCE[dtype] * scale, 2 * float(np.max(np.abs(want - exact))))
    error = float(np.max(np.abs(got - exact)))
    if not error <= allowed:
        raise AssertionError(f"{label}: off by {error:.3g}, where {allowed:.3g} is allowed")


def seconds_of(run: Callable[[], Any], finish: Callable[[Any], Any], loops: int) -> float:
    """The time of one call. The result is released after the clock is read: for both libraries alike."""
    began = time.perf_counter()
    for _ in range(loops - 1):
        finish(run())
    result = run()
    finish(result)
    elapsed = time.perf_counter() - began
    del result
    return elapsed / loops


def nothing(result: Any) -> None:
    """NumPy's results are there when the call returns; this costs what a waiting call costs."""


class Contestant:
    """One library at one row: warmed up, with as many calls a sample as the clock needs."""

    def __init__(self, run: Callable[[], Any], finish: Callable[[Any], Any]) -> None:
        self.run = run
        self.finish = finish
        once = min(seconds_of(run, finish, 1) for _ in range(WARM_UPS))
        self.loops = max(1, round(SHORTEST_SAMPLE_S / once))
        self.times: list[float] = []

    def sample(self) -> None:
        self.times.append(seconds_of(self.run, self.finish, self.loops))


def time_row(
    row: rows.Row,
    theirs: SimpleNamespace,
    ours: SimpleNamespace,
    traffic: rows.Traffic | None,
    samples: int,
    timings: Timings,
) -> None:
    """Sample NumPy, Cuprum and the floor by turns: all meet the same disturbances."""

    def run_numpy() -> Any:
        return row.run(np, theirs)

    def run_cuprum() -> Any:
        return row.run(cp, ours)

    contestants = [Contestant(run_numpy, nothing), Contestant(run_cuprum, cuprum.testing.wait)]
    turn = list(contestants)
    for _ in range(samples):
        for contestant in turn:
            contestant.sample()
        turn.reverse()
        if traffic is not None:
            timings.floor.append(floor.seconds(traffic) * 1e3)
    for kept, contestant in zip((timings.numpy, timings.cuprum), contestants, strict=True):
        kept.extend(1e3 * seconds for seconds in contestant.times)


def traffic_of(row: rows.Row, elements: int, dtype: np.dtype) -> rows.Traffic | None:
    return None if row.traffic is None else row.traffic(elements, dtype.itemsize)


def measure_group(
    group: list[rows.Row],
    dtype: np.dtype,
    elements: int,
    samples: int,
    timings: dict[tuple[str, str], Timings],
    progress: Progress,
) -> None:
    """Time the rows of a group, over operands that are made for them and released after."""
    if not group:
        return
    theirs = rows.operands(elements, dtype)
    ours = to_cuprum(theirs)
    for row in group:
        progress.show(f"{row.name}, {dtype.name}")
        kept = timings.setdefault((row.name, dtype.name), Timings())
        if not kept.numpy:
            check(row, dtype.name, theirs, ours)
        time_row(row, theirs, ours, traffic_of(row, elements, dtype), samples, kept)


def measure_products(
    sides: list[tuple[int, rows.Row]],
    dtype: np.dtype,
    samples: int,
    timings: dict[tuple[str, str], Timings],
    progress: Progress,
) -> None:
    """Time products of matrices, each library in processes of its own."""
    for side, row in sides:
        progress.show(f"{row.name}, {dtype.name}")
        kept = timings.setdefault((row.name, dtype.name), Timings())
        if not kept.numpy:
            theirs = rows.matmul_operands(side, dtype)
            check(row, dtype.name, theirs, to_cuprum(theirs))
        for times, milliseconds in zip(
            (kept.numpy, kept.cuprum), overheads.products(side, dtype, samples), strict=True
        ):
            times.append(milliseconds)


def measured_row(row: rows.Row, dtype: np.dtype, elements: int, kept: Timings) -> Measured:
    """A row from its samples: the median of each."""
    least = statistics.median(kept.floor) if kept.floor else None
    theirs, ours = statistics.median(kept.numpy), statistics.median(kept.cuprum)
    return Measured(row, dtype.name, theirs, ours, traffic_of(row, elements, dtype), least)


def spread(measured: list[Measured]) -> str:
    """The range of bandwidths that the floors stand for."""
    rates = [rate / 1e9 for each in measured if (rate := each.bandwidth()) is not None]
    return f"{min(rates):.0f} to {max(rates):.0f} GB/s" if rates else "not measured"


def speed_table(measured: list[Measured]) -> Iterator[str]:
    yield "| row | dtype | NumPy ms | Cuprum ms | speed-up | floor ms | times floor | target | met? |"
    yield "|---|---|--:|--:|--:|--:|--:|---|---|"
    for each in measured:
        least = each.floor_ms
        floor_cells = "– | –" if least is None else f"{significant(least)} | {each.cuprum_ms / least:.2f}"
        target = f"≥ {each.wanted_speedup():.3g}× NumPy"
        if each.row.floor_multiple is not None:
            target += f", ≤ {each.row.floor_multiple:g}× floor"
        yield (
            f"| `{each.row.name}` | {each.dtype} "
            f"| {significant(each.numpy_ms)} | {significant(each.cuprum_ms)} | {each.speedup:.2f} "
            f"| {floor_cells} | {target} | {yes_no(each.met())} |"
        )


def cost_table(costs: list[overheads.Cost]) -> Iterator[str]:
    yield "| cost | dtype | NumPy | Cuprum | target | met? |"
    yield "|---|---|--:|--:|---|---|"
    for cost in costs:
        numpy_cell = "–" if cost.numpy is None else f"{significant(cost.numpy)} {cost.unit}"
        yield (
            f"| {cost.name} | {cost.dtype or '–'} | {numpy_cell} | {significant(cost.cuprum)} {cost.unit} "
            f"| ≤ {cost.limit_text} | {yes_no(cost.met)} |"
        )


def report(
    measured: list[Measured], costs: list[overheads.Cost], elements: int, samples: int, rounds: int
) -> str:
    info = cp.info()
    met = sum(each.met() for each in measured) + sum(cost.met for cost in costs)
    lines = [
        "## Cuprum beside NumPy",
        "",
        f"- Machine: {cpu_model()}, {THREADS} threads, {platform.system()} {platform.machine()}",
        f"- Cuprum {cp.__version__} ({info['device']}, {info['simd']}), NumPy {np.__version__}, "
        f"Python {platform.python_version()}",
        f"- Floor: the median of {samples} plain passes on all threads that read and write as many bytes "
        f"as the row must, by turns with it; {spread(measured)}",
        f"- {elements:,} elements; medians of {samples} samples taken by turns, in {rounds} rounds "
        f"over the table, after warm-up; "
        f"{datetime.date.today().isoformat()}",
        f"- Targets met: {met} of {len(measured) + len(costs)}",
        "",
    ]
    if measured:
        lines += [*speed_table(measured), ""]
    if costs:
        lines += [*cost_table(costs), ""]
    return "\n".join(lines)


def main() -> int:
    quick = ARGUMENTS.quick
    elements = QUICK_ELEMENTS if quick else ELEMENTS
    samples = ARGUMENTS.samples or (QUICK_SAMPLES if quick else SAMPLES)
    wanted = ARGUMENTS.only.lower()

    def chosen(name: str) -> bool:
        return wanted in name.lower()

    arrays = [row for row in rows.CHAINS + rows.SINGLES if chosen(row.name)]
    matmuls = [(side, row) for side in rows.MATMUL_SIDES if chosen((row := rows.matmul(side)).name)]
    dtypes = [np.dtype(name) for name in DTYPES]
    cost_steps: list[tuple[str, Callable[[], overheads.Cost]]] = [
        *(
            (f"small op, {op}, {d.name}", lambda op=op, d=d: overheads.small_op(op, d, samples))
            for op in overheads.SMALL_OPS
            for d in dtypes
        ),
        *((f"recorded op, {d.name}", lambda d=d: overheads.recorded_op(d, samples)) for d in dtypes),
        ("import", lambda: overheads.import_time(5)),
        ("memory of a chain", lambda: overheads.chain_memory(0.1 if quick else 1.0)),
    ]
    cost_steps = [step for step in cost_steps if chosen(step[0])]
    rounds = 1 if quick else ROUNDS
    progress = Progress(rounds * len(dtypes) * (len(arrays) + len(matmuls)) + len(cost_steps))

    # Costs first: their processes and small arrays want a machine whose memory is still free.
    costs = []
    for name, step in cost_steps:
        progress.show(name)
        costs.append(step())

    timings: dict[tuple[str, str], Timings] = {}
    for number in range(rounds):
        share = samples * (number + 1) // rounds - samples * number // rounds
        for dtype in dtypes:
            measure_group(arrays, dtype, elements, share, timings, progress)
            measure_products(matmuls, dtype, samples, timings, progress)
    progress.close()

    measured = [
        measured_row(row, dtype, elements, timings[row.name, dtype.name])
        for row in [*arrays, *(row for _, row in matmuls)]
        for dtype in dtypes
    ]
    text = report(measured, costs, elements, samples, rounds)
    print(text)
    output = ARGUMENTS.output or (PAGE if not quick and not wanted else None)
    if output is not None:
        write("cpu", text, output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
