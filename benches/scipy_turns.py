"""Time images, signals and special functions beside SciPy or CuPy by turns in one process, within a minute.

    python benches/scipy_turns.py                   beside SciPy: CPU time, one thread
    python benches/scipy_turns.py --peer cupy       beside CuPy, on a GPU: the clock, the device waited for
    python benches/scipy_turns.py --only label      the rows whose name contains the text

The rows are those of library.py, whose table is taken on a quiet machine with a process for each figure. This
is the quick look: the least of a few samples, results compared first. A row that cannot run or differs is
printed as such, and the others go on. What falls short of its target, or of CuPy, is marked.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

SAMPLES = 5
ROW_S = 0.5
"""Samples of a row are taken until it has had this many seconds, five at least."""


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Time Cuprum's images, signals and special functions quickly."
    )
    parser.add_argument("--only", metavar="TEXT", default="", help="only the rows whose name contains it")
    parser.add_argument("--peer", choices=("numpy", "cupy"), default="numpy", help="whom to run beside")
    parser.add_argument("--limit", type=float, default=55.0, help="seconds for everything (default 55)")
    return parser.parse_args()


def timed(clock: Any, row: Any, library: Any, operands: Any) -> float:
    began = clock()
    result = row.run(library, operands)
    library.finish(result)
    elapsed = float(clock() - began)
    del result
    return elapsed


def compare(
    row: Any, libraries: list[Any], names: list[str], host: dict[str, Any], clock: Any
) -> list[float]:
    """Return the least time of each library at a row, once their results agree."""
    import library_core

    operands = [library.take(host) for library in libraries]
    results = [row.run(library, own) for library, own in zip(libraries, operands, strict=True)]
    peer = results[0]
    if names[0] == "cupy":
        import cupy

        peer = tuple(map(cupy.asnumpy, peer)) if isinstance(peer, tuple) else cupy.asnumpy(peer)
    row.check(peer, library_core.to_numpy(results[1]))
    del results, peer
    least = [float("inf")] * 2
    began, count = time.perf_counter(), 0
    while count < SAMPLES or time.perf_counter() - began < ROW_S:
        for i, library in enumerate(libraries):
            least[i] = min(least[i], timed(clock, row, library, operands[i]))
        count += 1
        if time.perf_counter() - began > 4 * ROW_S and count >= 2:
            break
    return least


def main() -> None:
    arguments = parse_arguments()
    on_gpu = arguments.peer == "cupy"
    if not on_gpu:
        # Read when the libraries are imported: CPU time is that of one thread.
        for variable in ("CUPRUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
            os.environ[variable] = "1"
    import library_core
    import numpy as np
    import scipy_rows

    names = [arguments.peer, "cuprum"]
    libraries = [library_core.LIBRARIES[name]() for name in names]
    clock = time.perf_counter if on_gpu else time.process_time
    began = time.perf_counter()
    print(f"{'row':48} {arguments.peer:>10} {'cuprum':>10}  times (ms)")
    for row in scipy_rows.SCIPY_ROWS:
        if arguments.only not in row.name:
            continue
        if time.perf_counter() - began > arguments.limit:
            print(f"{row.name:48} not begun: the time is over")
            continue
        try:
            host = row.operands(np.random.default_rng(1))
            peer, own = compare(row, libraries, names, host, clock)
        except Exception as error:
            print(f"{row.name:48} {type(error).__name__}: {str(error).strip()[:120]!r}", flush=True)
            continue
        asked = 1.0 if on_gpu else row.speedup
        mark = "" if peer / own >= asked else f"  below {asked:g}"
        print(f"{row.name:48} {peer * 1e3:10.3f} {own * 1e3:10.3f}  {peer / own:.2f}{mark}", flush=True)


if __name__ == "__main__":
    main()
