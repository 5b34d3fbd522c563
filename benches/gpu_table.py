"""Time Cuprum on a GPU beside CuPy, PyTorch, torch.compile and JAX, where they are installed, with the floor.

    python benches/gpu_table.py                     every row, its section of benches/RESULTS.md
    python benches/gpu_table.py --only sort         the rows whose name contains the text, printed only
    python benches/gpu_table.py --libraries cuprum,cupy --scale 0.01

A library is timed in a process of its own, so that no memory pool stands in another's way. Times are medians
of runs that are waited for. A row that fails says why and the next one follows; a process that dies is
started again behind the row it died in. Cuprum's results are compared with NumPy's before they are timed.
Speed is reported, never asserted.
"""

from __future__ import annotations

import argparse
import datetime
import gc
import importlib.util
import json
import math
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gpu_libraries
import gpu_rows
import numpy as np
from gpu_libraries import TITLES, Library
from results import PAGE, gpu_name, significant, write

FEWEST, MOST = 9, 200
ENOUGH_S = 0.25
"""A row is sampled until it has FEWEST samples and this many seconds of them, or MOST samples."""
HOST_CALLS, HOST_MOST, HOST_ENOUGH_S = 500, 5000, 1.0
"""Host costs: calls a sample, and as above. A processor's other work lasts for tenths of a second."""


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time Cuprum on a GPU beside other libraries.")
    parser.add_argument("--only", metavar="TEXT", default="", help="only the rows whose name contains this")
    parser.add_argument("--libraries", default=",".join(TITLES), help="which, by comma (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="shrinks the arrays, for a trial")
    parser.add_argument("--bandwidth", type=float, help="bytes a second for the floor (default: measured)")
    parser.add_argument("--limit", type=float, default=420, help="seconds for everything (default 420)")
    parser.add_argument("--no-check", action="store_true", help="do not compare with NumPy")
    parser.add_argument("--out", type=Path, help="the page to write to (default for a whole run: RESULTS.md)")
    parser.add_argument("--child", metavar="LIBRARY", help=argparse.SUPPRESS)
    parser.add_argument("--after", type=int, default=-1, help=argparse.SUPPRESS)
    return parser.parse_args()


# In the library's process


def seconds_of(call: Callable[[], Any], library: Library) -> float:
    """One run, from an idle device to an idle device. The result is released after the clock is read."""
    library.wait()
    began = time.perf_counter()
    result = call()
    library.finish(result)
    elapsed = time.perf_counter() - began
    del result
    return elapsed


def sampled(
    once: Callable[[], float],
    of: Callable[[list[float]], float] = statistics.median,
    most: int = MOST,
    enough_s: float = ENOUGH_S,
) -> float:
    for _ in range(3):
        once()
    time.sleep(0.2)  # a kernel that is compiled in the background is there by now
    for _ in range(2):
        once()
    times: list[float] = []
    while len(times) < most and (len(times) < FEWEST or sum(times) < enough_s):
        times.append(once())
    return of(times)


def host_seconds(call: Callable[[], Any], library: Library, holds: bool) -> float:
    """The host's time for a call, while the device follows behind.

    A result that is dropped unread runs, since the program waits at the end: where only recording is asked
    for, the program holds its results.
    """
    library.wait()
    held: list[Any] = [None] * HOST_CALLS
    began = time.perf_counter()
    for at in range(HOST_CALLS):
        result = call()
        held[at] = result if holds else None
    elapsed = time.perf_counter() - began
    library.wait()
    return elapsed / HOST_CALLS


def host_cost(call: Callable[[], Any], library: Library, holds: bool) -> float:
    """The least of the samples, as `timeit` takes it: other work makes them longer by up to a half."""
    return sampled(lambda: host_seconds(call, library, holds), min, HOST_MOST, HOST_ENOUGH_S / HOST_CALLS)


def nothing(library: Library, *operands: Any) -> None:
    """A row without work."""


def compare(row: gpu_rows.Row, library: Library, hosts: dict[str, np.ndarray], got: Any) -> None:
    assert row.check is not None
    host = SimpleNamespace(xp=np, sizes=library.sizes, std=lambda array, axis: array.std(axis))
    if row.check:
        # Rounding is judged against double precision: NumPy's own single precision drifts in long sums.
        hosts = {name: array.astype("f8") if array.dtype == "f4" else array for name, array in hosts.items()}
    want = row.run(host, *hosts.values())
    np.testing.assert_allclose(library.to_numpy(got), want, rtol=row.check, atol=row.check)


def measure(row: gpu_rows.Row, library: Library, hosts: dict[str, np.ndarray], check: bool) -> float:
    """The row's time in its unit."""
    operands = [library.take(array) for array in hosts.values()]
    library.wait()
    call = library.compiled(row, operands)
    if check and row.check is not None and library.name == "cuprum":
        compare(row, library, hosts, call())
    if row.kind in ("host", "recorded"):
        holds = row.kind == "recorded"
        # What a call of this table costs without the library is not the library's.
        idle = host_cost(lambda: nothing(library, *operands), library, holds)
        return (host_cost(call, library, holds) - idle) * 1e6
    return sampled(lambda: seconds_of(call, library)) * 1e3


def copy_bandwidth(library: Library) -> float:
    """Bytes a second, read and written, of a copy on the device: large, and the best of its samples.

    A floor that is too high would flatter the table: the launch and the wait must not show in it.
    """
    count = 4 * library.sizes.large
    array = library.take(np.zeros(count, "f4"))
    copy = (lambda: array.copy()) if hasattr(array, "copy") else (lambda: array.clone())
    if library.name in ("cuprum", "jax"):
        copy = lambda: array + 1  # noqa: E731  (a copy may be a view, or wait until it is written to)
    return 2 * 4 * count / sampled(lambda: seconds_of(copy, library), min)


def say(**what: Any) -> None:
    print(json.dumps(what), flush=True)


def child(arguments: argparse.Namespace) -> None:
    """Times one library and prints a line of JSON for each row as it is done."""
    sizes = gpu_rows.Sizes(arguments.scale)
    library = gpu_libraries.LIBRARIES[arguments.child](sizes)
    say(version=library.version, bandwidth=copy_bandwidth(library))
    hosts: dict[str, np.ndarray] = {}
    for at, row in enumerate(gpu_rows.ROWS):
        wanted = arguments.only.lower() in row.name.lower() and gpu_libraries.applies(row, library.name)
        wanted = wanted and (row.needs is None or hasattr(library.xp, row.needs))
        if at <= arguments.after or row.kind == "first" or not wanted:
            continue
        say(begins=at)
        try:
            # Rows that follow each other share operands; the others are let go.
            hosts = {name: hosts[name] for name in row.operands if name in hosts}
            for name in row.operands:
                if name not in hosts:
                    hosts[name] = gpu_rows.OPERANDS[name](sizes)
            hosts = {name: hosts[name] for name in row.operands}
            say(row=at, time=measure(row, library, hosts, not arguments.no_check))
        except Exception as error:  # a row that fails must not hide the others
            say(row=at, error=f"{type(error).__name__}: {error}")
        gc.collect()


# In the table's process


class Results:
    """What the libraries' processes have said: times and errors by row, versions, bandwidths."""

    def __init__(self) -> None:
        self.times: dict[tuple[int, str], float] = {}
        self.errors: dict[tuple[int, str], str] = {}
        self.versions: dict[str, str] = {}
        self.bandwidths: dict[str, float] = {}

    def cell(self, at: int, library: str) -> str:
        if (at, library) in self.times:
            return significant(self.times[at, library])
        return "failed" if (at, library) in self.errors else "–"


def last_line(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1][:300] if lines else "nothing was said"


def run_child(name: str, arguments: argparse.Namespace, after: int, deadline: float, results: Results) -> int:
    """Reads one process until it ends. The row it died in, or the last one where it came to the end."""
    command = [
        sys.executable,
        __file__,
        "--child",
        name,
        "--after",
        str(after),
        "--scale",
        str(arguments.scale),
    ]
    command += ["--only", arguments.only, *(["--no-check"] if arguments.no_check else [])]
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=gpu_libraries.environment(name)
        )
        timer = threading.Timer(max(0.0, deadline - time.monotonic()), process.kill)
        timer.start()
        current = None
        assert process.stdout is not None
        for line in process.stdout:
            if not line.startswith("{"):
                continue
            said = json.loads(line)
            if "version" in said:
                results.versions[name] = said["version"]
                results.bandwidths[name] = said["bandwidth"]
            elif "begins" in said:
                current = said["begins"]
                print(f"{TITLES[name]}: {gpu_rows.ROWS[current].title}", file=sys.stderr, flush=True)
            elif "time" in said:
                results.times[said["row"], name], current = said["time"], None
            else:
                results.errors[said["row"], name], current = said["error"], None
        code = process.wait()
        timer.cancel()
        errors.seek(0)
        message = last_line(errors.read())
    end = len(gpu_rows.ROWS)
    if time.monotonic() >= deadline:
        if current is not None:
            results.errors[current, name] = "not reached within the time limit"
        return end
    if code == 0:
        return end
    if current is None:
        results.errors[-1, name] = message
        return end
    results.errors[current, name] = f"the process ended with status {code}: {message}"
    return current


def first_results(name: str, results: Results) -> None:
    """Seconds to the first result of a new process: with an empty cache, then with what that has left."""
    if name not in gpu_rows.FIRST_RESULT:
        return
    program = gpu_rows.FIRST_PROGRAM.format(imports=gpu_rows.FIRST_RESULT[name])
    rows = [at for at, row in enumerate(gpu_rows.ROWS) if row.kind == "first"]
    with tempfile.TemporaryDirectory() as folder:
        caches = ("CUPRUM_CACHE_DIR", "CUPY_CACHE_DIR", "JAX_COMPILATION_CACHE_DIR", "CUDA_CACHE_PATH")
        environment = {**gpu_libraries.environment(name), **dict.fromkeys(caches, folder)}
        for at, repeats in zip(rows, (1, 3), strict=True):
            print(f"{TITLES[name]}: {gpu_rows.ROWS[at].title}", file=sys.stderr, flush=True)
            times = []
            for _ in range(repeats):
                try:
                    done = subprocess.run(
                        [sys.executable, "-c", program],
                        env=environment,
                        capture_output=True,
                        text=True,
                        timeout=60,
                        check=False,
                    )
                except subprocess.TimeoutExpired:
                    results.errors[at, name] = "no result within 60 s"
                    return
                if done.returncode:
                    results.errors[at, name] = last_line(done.stderr)
                    return
                times.append(float(done.stdout))
            results.times[at, name] = statistics.median(times)


def run_library(name: str, arguments: argparse.Namespace, deadline: float, results: Results) -> None:
    module = {"torch.compile": "torch"}.get(name, name)
    if importlib.util.find_spec(module) is None:
        return
    after = -1
    while after < len(gpu_rows.ROWS) and time.monotonic() < deadline:
        after = run_child(name, arguments, after, deadline, results)
    if arguments.only.lower() in "first result" and time.monotonic() < deadline:
        first_results(name, results)


def verdict(at: int, row: gpu_rows.Row, results: Results, floor: float | None) -> tuple[str, str]:
    """What is asked of the row, and whether it was reached."""
    asked, met = [], []
    ours, theirs = results.times.get((at, "cuprum")), results.times.get((at, "cupy"))
    if theirs is not None:
        asked.append(f"≥ {row.speedup:g}× CuPy")
        met.append(ours is not None and theirs / ours >= row.speedup)
    if row.floor_multiple is not None and floor is not None:
        asked.append(f"≤ {row.floor_multiple:g}× floor")
        met.append(ours is not None and ours <= row.floor_multiple * floor)
    if row.limit is not None:
        asked.append(f"≤ {row.limit:g} {row.unit}")
        met.append(ours is not None and ours <= row.limit)
    if not asked:
        return "–", "–"
    return ", ".join(asked), "yes" if all(met) else "no"


def table(
    chosen: list[int], libraries: list[str], results: Results, bandwidth: float, scale: float
) -> Iterator[str]:
    heads = "".join(f" {TITLES[name]} |" for name in libraries)
    yield f"| row | size | |{heads} floor | times floor | CuPy / Cuprum | asked | met? |"
    yield "|---|---|---|" + "--:|" * (len(libraries) + 3) + "---|---|"
    for at in chosen:
        row = gpu_rows.ROWS[at]
        floor = None
        if row.bytes_moved is not None and bandwidth:
            floor = row.bytes_moved * scale / bandwidth * 1e3
        ours, theirs = results.times.get((at, "cuprum")), results.times.get((at, "cupy"))
        cells = [row.name, row.size, row.unit, *(results.cell(at, name) for name in libraries)]
        cells.append("–" if floor is None else significant(floor))
        cells.append("–" if floor is None or ours is None else f"{ours / floor:.2f}")
        cells.append("–" if ours is None or theirs is None else f"{theirs / ours:.2f}")
        cells += verdict(at, row, results, floor)
        yield "| " + " | ".join(cells) + " |"


def report(chosen: list[int], libraries: list[str], results: Results, arguments: argparse.Namespace) -> str:
    bandwidth = arguments.bandwidth or max(results.bandwidths.values(), default=0.0)
    how = "given" if arguments.bandwidth else "measured in this run: the fastest library's copy"
    present = [name for name in libraries if name in results.versions]
    lines = list(table(chosen, present, results, bandwidth, arguments.scale))
    met, asked = (
        sum(line.endswith("| yes |") for line in lines),
        sum(not line.endswith("| – |") for line in lines[2:]),
    )
    versions = ", ".join(
        f"{TITLES[name]} {results.versions[name]}" for name in present if name != "torch.compile"
    )
    text = [
        "## Cuprum on a GPU",
        "",
        f"- Machine: {gpu_name()}",
        f"- {versions or 'no library could be used'}, Python {platform.python_version()}",
        f"- Bandwidth for the floor: {bandwidth / 1e12:.2f} TB/s, {how}",
        "- Medians of runs from an idle device to an idle device; host costs are the least of many samples "
        f"of {HOST_CALLS} calls, less those of empty ones; {datetime.date.today().isoformat()}",
    ]
    if not math.isclose(arguments.scale, 1.0):
        text.append(f"- A trial: arrays of {arguments.scale:g} times the size that is named")
    text += [f"- Met: {met} of {asked}", "", *lines, ""]
    failures = [
        f"- {TITLES[name]}, {gpu_rows.ROWS[at].title if at >= 0 else 'start'}: {error}"
        for (at, name), error in sorted(results.errors.items())
    ]
    if failures:
        text += ["Failed:", "", *failures, ""]
    return "\n".join(text)


def main() -> int:
    arguments = parse_arguments()
    if arguments.child:
        child(arguments)
        return 0
    libraries = [name for name in arguments.libraries.split(",") if name]
    unknown = [name for name in libraries if name not in TITLES]
    if unknown:
        raise SystemExit(f"unknown: {', '.join(unknown)}; there are {', '.join(TITLES)}")
    chosen = [at for at, row in enumerate(gpu_rows.ROWS) if arguments.only.lower() in row.name.lower()]
    results, began = Results(), time.monotonic()
    for at, name in enumerate(libraries):
        # What one library leaves of the time is the others'.
        left = arguments.limit - (time.monotonic() - began)
        share = left if at + 1 == len(libraries) else left / (len(libraries) - at) * 1.5
        run_library(name, arguments, time.monotonic() + min(left, share), results)
    text = report(chosen, libraries, results, arguments)
    print(text, flush=True)
    whole = not arguments.only and math.isclose(arguments.scale, 1.0) and libraries == list(TITLES)
    output = arguments.out or (PAGE if whole else None)
    if output is not None:
        write("gpu", text, output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
