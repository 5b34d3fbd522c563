"""Time the library calls beside NumPy and SciPy: sorting, transforms, decompositions, random numbers, images.

    python benches/library.py                   every row, its section of benches/RESULTS.md
    python benches/library.py --peer cupy       the same beside CuPy, on a GPU
    python benches/library.py --only 'fft'      the rows whose name contains the text, printed only
    python benches/library.py --child ROW LIB   one library at one row, in milliseconds (what the table calls)

Each library runs in a process of its own at each row, by turns: the threads of a linear algebra library go on
spinning after a call, and would take a core from whoever comes next. Cuprum's result is compared with the
peer's before it is timed; a difference ends the run with an error. Speed is reported, never asserted.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 3
SAMPLES = 5
SHORTEST_S = 0.6
"""A child goes on taking samples until it has this many seconds of them."""


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time Cuprum's library calls beside NumPy and SciPy.")
    parser.add_argument("--only", metavar="PATTERN", default="", help="only the rows whose name contains it")
    parser.add_argument("--child", nargs=2, metavar=("ROW", "LIBRARY"), help=argparse.SUPPRESS)
    parser.add_argument("--peer", choices=("numpy", "cupy"), default="numpy", help="whom to run beside")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"processes a library (default {ROUNDS})")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="threads for all")
    parser.add_argument("--output", type=Path, help="the page (default for a whole run: RESULTS.md)")
    return parser.parse_args()


ARGUMENTS = parse_arguments() if __name__ == "__main__" else argparse.Namespace(threads=1, peer="numpy")
# The libraries read these when they are imported, so this comes before the imports below.
for variable in ("CUPRUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = str(ARGUMENTS.threads)

import library_core  # noqa: E402
import library_rows  # noqa: E402
import numpy as np  # noqa: E402
from results import PAGE, cpu_model, significant, write, yes_no  # noqa: E402


def once(row: library_core.LibraryRow, library: library_core.Library, operands: object) -> float:
    began = time.perf_counter()
    result = row.run(library, operands)
    library.finish(result)
    elapsed = time.perf_counter() - began
    del result
    return elapsed


def child(name: str, library_name: str) -> None:
    """Print the median milliseconds of one library at one row."""
    row = next(row for row in library_rows.ROWS if row.name == name)
    operands = row.operands(np.random.default_rng(20240229))
    library = library_core.LIBRARIES[library_name]()
    if library_name == "cuprum":
        peer = library_core.LIBRARIES["numpy"]()
        want = row.run(peer, peer.take(operands))
        row.check(want, library_core.to_numpy(row.run(library, library.take(operands))))
        time.sleep(1.0)
    operands = library.take(operands)
    once(row, library, operands)
    times: list[float] = []
    while len(times) < SAMPLES or sum(times) < SHORTEST_S:
        times.append(once(row, library, operands))
    print(statistics.median(times) * 1e3)


def milliseconds(row: library_core.LibraryRow, library: str) -> float:
    command = [sys.executable, __file__, "--threads", str(ARGUMENTS.threads), "--child", row.name, library]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{row.name}, {library}:\n{done.stderr}")
    return float(done.stdout)


def peer_of(row: library_core.LibraryRow) -> str:
    return row.peer if ARGUMENTS.peer == "numpy" else "CuPy"


def asked(row: library_core.LibraryRow) -> float:
    """The least speed-up that is asked for: beside CuPy, to be ahead."""
    return row.speedup if ARGUMENTS.peer == "numpy" else 1.0


def table(measured: list[tuple[library_core.LibraryRow, float, float]]) -> list[str]:
    lines = [
        "| row | peer | peer ms | Cuprum ms | speed-up | target | met? |",
        "|---|---|--:|--:|--:|---|---|",
    ]
    for row, peer, ours in measured:
        lines.append(
            f"| {row.name} | {peer_of(row)} | {significant(peer)} | {significant(ours)} | {peer / ours:.2f} "
            f"| ≥ {asked(row):g}× | {yes_no(peer / ours >= asked(row))} |"
        )
    return lines


def main() -> int:
    import scipy

    import cuprum as cp

    if ARGUMENTS.child:
        child(*ARGUMENTS.child)
        return 0
    chosen = [row for row in library_rows.ROWS if ARGUMENTS.only.lower() in row.name.lower()]
    measured = []
    for at, row in enumerate(chosen):
        print(f"[{at + 1}/{len(chosen)}] {row.name}", file=sys.stderr, flush=True)
        times: dict[str, list[float]] = {ARGUMENTS.peer: [], "cuprum": []}
        for _ in range(ARGUMENTS.rounds):
            for library, found in times.items():
                found.append(milliseconds(row, library))
        measured.append((row, statistics.median(times[ARGUMENTS.peer]), statistics.median(times["cuprum"])))
    info = cp.info()
    met = sum(peer / ours >= asked(row) for row, peer, ours in measured)
    text = "\n".join(
        [
            f"## Library calls beside {'NumPy and SciPy' if ARGUMENTS.peer == 'numpy' else 'CuPy, on a GPU'}",
            "",
            f"- Machine: {cpu_model()}, {ARGUMENTS.threads} threads, {platform.system()}",
            f"- Cuprum {cp.__version__} ({info['device']}, {info['simd']}), NumPy {np.__version__}, "
            f"SciPy {scipy.__version__}, Python {platform.python_version()}",
            f"- Processes a library and row, by turns: {ARGUMENTS.rounds}; the median of their medians; "
            f"{datetime.date.today().isoformat()}",
            f"- Targets met: {met} of {len(measured)}",
            "",
            *table(measured),
            "",
        ]
    )
    print(text)
    output = ARGUMENTS.output or (None if ARGUMENTS.only else PAGE)
    if output is not None:
        write("library" if ARGUMENTS.peer == "numpy" else "gpu-library", text, output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
