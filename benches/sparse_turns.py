"""Time the rows of sparse_rows.py by turns in one process: wall and CPU time beside SciPy, or CuPy on a GPU.

    python benches/sparse_turns.py                        all rows beside SciPy
    python benches/sparse_turns.py --peer cupy            those of sparse matrices beside CuPy
    python benches/sparse_turns.py --only csc --threads 1

Where others use the machine too, turns in one process and CPU time can still be compared; library.py makes
the table. Results are compared before they are timed, and rows whose results differ say so, as do rows that
the peer lacks. Rows that share operands share them here. Columns: the peer, Cuprum, and how many times faster
Cuprum is.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from typing import Any

ON_A_GPU = ("csr", "csc", "coo", "cg,", "connected")
"""What names of rows begin with that are run beside CuPy."""


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time sparse calls by turns in one process.")
    parser.add_argument("--only", metavar="PATTERN", default="", help="only the rows whose name contains it")
    parser.add_argument("--peer", choices=("numpy", "cupy"), default="numpy", help="whom to run beside")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="threads for all")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long a row goes on")
    return parser.parse_args()


ARGUMENTS = parse_arguments()
# The libraries read these when they are imported, so this comes before the imports below.
for variable in ("CUPRUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = str(ARGUMENTS.threads)

import numpy as np  # noqa: E402
from library_core import LIBRARIES, Library, LibraryRow  # noqa: E402
from sparse_rows import SPARSE_ROWS  # noqa: E402


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
    except (ImportError, AttributeError, NotImplementedError, RuntimeError) as error:
        return str(error).partition("\n")[0] or type(error).__name__
    return ""


def are_same(row: LibraryRow, libraries: dict[str, Library], operands: dict[str, Any]) -> bool:
    want, got = (on_host(row.run(libraries[name], operands[name])) for name in (ARGUMENTS.peer, "cuprum"))
    try:
        row.check(want, got)
    except AssertionError:
        return False
    return True


def main() -> int:
    rows = [row for row in SPARSE_ROWS if ARGUMENTS.only.lower() in row.name.lower()]
    if ARGUMENTS.peer == "cupy":
        rows = [row for row in rows if row.name.startswith(ON_A_GPU)]
    rows.sort(key=lambda row: id(row.operands))
    libraries = {name: LIBRARIES[name]() for name in (ARGUMENTS.peer, "cuprum")}
    made_by, operands = None, {}
    print(f"{'row':46s} {'least ms':>23s} {'median ms':>23s} {'CPU ms':>23s}")
    for row in rows:
        if row.operands is not made_by:
            made_by, operands = row.operands, {}
            given = row.operands(np.random.default_rng(20240229))
            operands = {name: library.take(given) for name, library in libraries.items()}
        if lacking := is_lacking(row, libraries[ARGUMENTS.peer], operands[ARGUMENTS.peer]):
            print(f"{row.name:46s}  the peer lacks it: {lacking}", flush=True)
            continue
        same = are_same(row, libraries, operands)
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in libraries}
        ends = time.perf_counter() + ARGUMENTS.seconds
        while time.perf_counter() < ends or len(times["cuprum"]) < 3:
            for name, library in libraries.items():
                times[name].append(once(row, library, operands[name]))
        peer, ours = times[ARGUMENTS.peer], times["cuprum"]
        text = f"{row.name:46s}"
        for found in (
            [min(wall for wall, _ in side) for side in (peer, ours)],
            [statistics.median(wall for wall, _ in side) for side in (peer, ours)],
            [min(cpu for _, cpu in side) for side in (peer, ours)],
        ):
            text += f" {found[0]:9.3f}{found[1]:9.3f}{found[0] / found[1]:5.2f}"
        print(text if same else f"{text}  RESULTS DIFFER", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
