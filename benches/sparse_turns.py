"""Time the rows of sparse_rows.py by turns in one process: by the clock and CPU time, beside SciPy or CuPy.

    python benches/sparse_turns.py                  all rows beside SciPy, and their section of RESULTS.md
    python benches/sparse_turns.py --peer cupy      all rows beside CuPy, and theirs
    python benches/sparse_turns.py --only csc --threads 1

Where others use the machine too, turns in one process and CPU time can still be compared; library.py times
each library in processes of its own. Results are compared before they are timed: rows whose results differ
say so, as do rows that the peer lacks. Rows that share operands share them here.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# CuPy's sparse solver takes tens of seconds for these.
SLOW_FOR_CUPY = ("spsolve", "strong")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time sparse calls by turns in one process.")
    parser.add_argument("--only", metavar="PATTERN", default="", help="only the rows whose name contains it")
    parser.add_argument("--peer", choices=("numpy", "cupy"), default="numpy", help="whom to run beside")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="threads for all")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long a row goes on")
    parser.add_argument("--output", type=Path, help="the page (default for a whole run: RESULTS.md)")
    return parser.parse_args()


ARGUMENTS = parse_arguments()
# The libraries read these when they are imported, so this comes before the imports below.
for variable in ("CUPRUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = str(ARGUMENTS.threads)

import numpy as np  # noqa: E402
from library_core import LIBRARIES, Library, LibraryRow  # noqa: E402
from results import PAGE, cpu_model, gpu_name, significant, write  # noqa: E402
from sparse_rows import SPARSE_ROWS  # noqa: E402

ON_GPU = ARGUMENTS.peer == "cupy"
TITLE = "CuPy" if ON_GPU else "SciPy"


@dataclass
class Timed:
    """A row's least milliseconds, the peer's and Cuprum's, by the clock and of the processor."""

    row: LibraryRow
    clock: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    note: str = ""

    def ratio(self, times: list[float]) -> str:
        return f"{times[0] / times[1]:.2f}"

    def printed(self) -> str:
        if not self.clock:
            return f"{self.row.name:46s} {self.note}"
        clock, cpu = (
            f"{times[0]:10.3f}{times[1]:10.3f}{self.ratio(times):>7s}" for times in (self.clock, self.cpu)
        )
        return f"{self.row.name:46s}{clock}{cpu} {self.note}".rstrip()

    def written(self) -> str:
        if not self.clock:
            return f"| {self.row.name} | – | – | – |" + ("" if ON_GPU else " – | – | – |") + f" {self.note} |"
        parts = [self.clock] if ON_GPU else [self.clock, self.cpu]
        cells = [
            f"{significant(times[0])} | {significant(times[1])} | {self.ratio(times)}" for times in parts
        ]
        asked = 1.0 if ON_GPU else self.row.speedup
        return f"| {self.row.name} | {' | '.join(cells)} | {self.note or f'≥ {asked:g}×'} |"


def once(row: LibraryRow, library: Library, operands: Any) -> tuple[float, float]:
    """Return the wall and the CPU milliseconds of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = row.run(library, operands)
    library.finish(result)
    times = time.perf_counter() - wall, time.process_time() - cpu
    del result
    return times[0] * 1e3, times[1] * 1e3


def on_host(result: Any) -> Any:
    return result.get() if hasattr(result, "get") else result


def is_lacking(row: LibraryRow, peer: Library, operands: Any) -> str:
    """Return what the peer says where it has no such call, or lacks a package for it."""
    try:
        row.run(peer, operands)
    except (ImportError, AttributeError, NotImplementedError, RuntimeError, TypeError) as error:
        return str(error).partition("\n")[0] or type(error).__name__
    return ""


def are_same(row: LibraryRow, libraries: dict[str, Library], operands: dict[str, Any]) -> bool:
    want, got = (on_host(row.run(libraries[name], operands[name])) for name in (ARGUMENTS.peer, "cuprum"))
    try:
        row.check(want, got)
    except AssertionError:
        return False
    return True


def time_row(row: LibraryRow, libraries: dict[str, Library], operands: dict[str, Any]) -> Timed:
    peer = ARGUMENTS.peer
    if lacking := is_lacking(row, libraries[peer], operands[peer]):
        return Timed(row, note=f"{TITLE} lacks it: {lacking}")
    note = "" if are_same(row, libraries, operands) else "results differ"
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in libraries}
    ends = time.perf_counter() + ARGUMENTS.seconds
    while time.perf_counter() < ends or len(times["cuprum"]) < 3:
        for name, library in libraries.items():
            times[name].append(once(row, library, operands[name]))
    least = [[min(one[at] for one in times[name]) for name in (peer, "cuprum")] for at in (0, 1)]
    return Timed(row, least[0], least[1], note)


def section(measured: list[Timed], load: str) -> str:
    import scipy

    import cuprum as cp

    info = cp.info()
    machine = gpu_name() if ON_GPU else f"{cpu_model()}, {ARGUMENTS.threads} threads, {platform.system()}"
    peer = LIBRARIES["cupy"]().xp.__version__ if ON_GPU else scipy.__version__
    columns = [f"{TITLE} ms", "Cuprum ms", "ratio"]
    if not ON_GPU:
        columns += [f"{TITLE} CPU ms", "Cuprum CPU ms", "ratio"]
    return "\n".join(
        [
            f"## Sparse matrices, graphs and geometry beside {TITLE}",
            "",
            f"- Machine: {machine}",
            f"- Cuprum {cp.__version__} ({info['device']}), {TITLE} {peer}, "
            f"Python {platform.python_version()}",
            f"- The least of samples by turns in one process; the machine's load was {load}; "
            f"{datetime.date.today().isoformat()}",
            *(
                []
                if ON_GPU
                else ["- CPU time is that of all threads: under other load it is what can be compared"]
            ),
            "",
            f"| row | {' | '.join(columns)} | asked |",
            f"|---|{'--:|' * len(columns)}---|",
            *(timed.written() for timed in measured),
        ]
    )


def main() -> int:
    rows = [row for row in SPARSE_ROWS if ARGUMENTS.only.lower() in row.name.lower()]
    if ON_GPU:
        rows = [row for row in rows if ARGUMENTS.only or not row.name.startswith(SLOW_FOR_CUPY)]
    libraries = {name: LIBRARIES[name]() for name in (ARGUMENTS.peer, "cuprum")}
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    measured: dict[str, Timed] = {}
    made_by, operands = None, {}
    print(f"{'row':46s}{'by the clock, ms':>27s}{'CPU time, ms':>27s}")
    for row in sorted(rows, key=lambda row: id(row.operands)):
        if row.operands is not made_by:
            made_by, operands = row.operands, {}
            given = row.operands(np.random.default_rng(20240229))
            operands = {name: library.take(given) for name, library in libraries.items()}
        measured[row.name] = time_row(row, libraries, operands)
        print(measured[row.name].printed(), flush=True)
    output = ARGUMENTS.output or (None if ARGUMENTS.only else PAGE)
    if output is not None:
        text = section([measured[row.name] for row in rows], load)
        write("gpu-sparse" if ON_GPU else "sparse", text, output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
