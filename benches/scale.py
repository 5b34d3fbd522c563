"""Time what goes past one process or past memory: Dask's clusters, serialisation, files that are streamed.

    python benches/scale.py                  every row, its section of benches/RESULTS.md
    python benches/scale.py --only stream    the rows whose name contains the text, printed only
    python benches/scale.py --gigabytes 1    a shorter file

Dask runs the same program on a cluster of two processes, with NumPy's chunks and with Cuprum's, by turns;
both give the same value before they are timed. A file is read from the system's cache, beside `readinto`.
On a GPU the loader's copies and kernels are timed alone and together, and chunks go from worker to worker.
Speed is reported, never asserted.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from results import PAGE, available_threads, cpu_model, significant, write, yes_no

import cuprum as cp

SAMPLES = 7


class Row(NamedTuple):
    """A row of the table: what was measured, beside whom, and what is asked for."""

    name: str
    peer: str
    theirs: float
    ours: float
    unit: str
    target: str
    met: bool


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time Dask's clusters, serialisation and streamed files.")
    parser.add_argument("--only", metavar="PATTERN", default="", help="only the rows whose name contains it")
    parser.add_argument("--gigabytes", type=float, default=4.0, help="the length of the file (default 4)")
    parser.add_argument(
        "--folder", type=Path, default=None, help="where the file goes (default: a temporary one)"
    )
    parser.add_argument("--output", type=Path, help="the page (default for a whole run: RESULTS.md)")
    return parser.parse_args()


def seconds(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def by_turns(*calls: Callable[[], Any], samples: int = SAMPLES) -> list[float]:
    """The least seconds of each call, sampled alternately after one call of each."""
    for call in calls:
        call()
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(samples):
        for call, found in zip(calls, times, strict=True):
            found.append(seconds(call))
    return [min(found) for found in times]


def pipelines(da: Any) -> dict[str, Callable[[Any], Any]]:
    """Programs over a matrix, each with a small result."""
    return {
        "sqrt(x**2 + 1).sum()": lambda x: da.sqrt(x**2 + 1).sum(),
        "exp(-x * x / 2).mean(axis=0)": lambda x: da.exp(-x * x / 2).mean(axis=0),
        "((x - m) / s).max(axis=0)": lambda x: ((x - x.mean(axis=0)) / x.std(axis=0)).max(axis=0),
        "where(x > 0, x, 0.1 * x).sum(axis=1)": lambda x: da.where(x > 0, x, 0.1 * x).sum(axis=1),
        "x.T @ x": lambda x: x.T @ x,
    }


def dask_rows(pattern: str) -> list[Row]:
    """Dask on a cluster of two processes of one thread, 400 MB in chunks of 40 MB."""
    names = {f"Dask, 2 processes: {name}": name for name in pipelines(np)}
    chosen = {title: name for title, name in names.items() if pattern in title.lower()}
    if not chosen:
        return []
    import dask
    import dask.array as da
    import distributed

    rows = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit="4GB", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.run(__import__, "cuprum")
        # Each process has one half of the rows, of both kinds of chunks: else the scheduler decides who wins.
        halves = [
            da.random.default_rng(seed).standard_normal((25_000, 1000), chunks=(5000, 1000))
            for seed in (1, 2)
        ]
        workers = list(client.scheduler_info()["workers"])
        theirs, ours = (
            da.concatenate(
                [
                    client.persist(half.to_backend(kind), workers=[worker])
                    for half, worker in zip(halves, workers, strict=True)
                ]
            )
            for kind in ("numpy", "cuprum")
        )
        distributed.wait([theirs, ours])
        for title, name in chosen.items():
            program = pipelines(da)[name]
            want, got = dask.compute(program(theirs), program(ours))
            np.testing.assert_allclose(cp.asnumpy(got), want, rtol=1e-9, atol=1e-9)
            peer, own = by_turns(lambda p=program: p(theirs).compute(), lambda p=program: p(ours).compute())
            asked = 1.0 if "@" in name else 2.0
            speed = peer / own
            rows.append(
                Row(title, "NumPy chunks", peer * 1e3, own * 1e3, "ms", f"≥ {asked:g}×", speed >= asked)
            )
    return rows


def serialisation_rows(pattern: str) -> list[Row]:
    """A message of 100 MB: to frames and back, beside one copy of the bytes."""
    title = "serialise and rebuild 100 MB"
    if pattern not in title:
        return []
    from distributed.protocol import deserialize, serialize

    a = cp.arange(12_500_000.0)
    source, target = np.arange(12_500_000.0), np.zeros(12_500_000)

    def there_and_back() -> None:
        header, frames = serialize(a)
        # What a connection does: the bytes arrive in memory of the receiver's.
        target[:] = np.frombuffer(frames[0], "float64")
        deserialize(header, [target.view("uint8").data])

    copy, own = by_turns(lambda: np.copyto(target, source), there_and_back, samples=15)
    met = own <= 1.25 * copy
    return [Row(title, "one copy of it", copy * 1e3, own * 1e3, "ms", "≤ 1.25 copies", met)]


def stream_rows(pattern: str, gigabytes: float, folder: Path | None) -> list[Row]:
    """A file gone through in blocks, beside reading it."""
    title = f"stream {gigabytes:g} GB through sqrt(x**2 + 1).sum()"
    if pattern not in title:
        return []
    with tempfile.TemporaryDirectory(dir=folder) as place:
        path = os.path.join(place, "x.npy")
        length = int(gigabytes * 1e9) // 8
        want = 0.0
        with open(path, "wb") as file:
            np.lib.format.write_array_header_1_0(
                file, {"descr": "<f8", "fortran_order": False, "shape": (length,)}
            )
            # Written as `np.save` does, piece by piece: what a map has written is kept in small pages.
            for at in range(0, length, 1 << 23):
                piece = np.linspace(0, 1, min(1 << 23, length - at))
                file.write(piece.data)
                want += float(np.sqrt(piece**2 + 1).sum())
        buffer = bytearray(8 << 20)

        def read() -> None:
            with open(path, "rb", buffering=0) as raw:
                while raw.readinto(buffer):
                    pass

        def ours() -> None:
            got = float(cp.blocks(path).reduce(lambda x: cp.sqrt(x**2 + 1).sum()))
            np.testing.assert_allclose(got, want, rtol=1e-12)

        theirs, own = by_turns(read, ours, samples=5)
    rates = [length * 8 / t / 1e9 for t in (theirs, own)]
    return [Row(title, "readinto", *rates, "GB/s", "≥ 0.9 of it", rates[1] >= 0.9 * rates[0])]


def loader_rows(pattern: str) -> list[Row]:
    """On a GPU: how much of the shorter of copy and compute the loader hides."""
    title = "loader: the part of the shorter of copy and compute that is hidden"
    if pattern not in title or not cp.cuda.is_available():
        return []
    batches = [np.random.default_rng(i).random((2048, 4096), dtype="float32") for i in range(24)]
    weights = cp.random.random((4096, 4096), dtype="float32")
    resident = [cp.asarray(batch) for batch in batches]

    def work(x: Any) -> Any:
        for _ in range(4):
            x = cp.tanh(x @ weights)
        return x.sum()

    def compute() -> None:
        for x in resident:
            total = work(x)
        float(total)

    def copy() -> None:
        for _ in cp.prefetch(batches):
            pass
        cp.cuda.Device().synchronize()

    def both() -> None:
        for x in cp.prefetch(batches):
            total = work(x)
        float(total)

    alone, copies, together = by_turns(compute, copy, both)
    hidden = 100 * (alone + copies - together) / min(alone, copies)
    return [Row(title, "all of it", 100.0, hidden, "%", "≥ 80 %", hidden >= 80)]


def transfer_rows(pattern: str) -> list[Row]:
    """On a GPU: a chunk of 100 MB from one worker to another, GPU to GPU beside page-locked frames."""
    title = "a chunk of 100 MB from worker to worker on one GPU"
    if pattern not in title.lower() or not cp.cuda.is_available():
        return []
    import distributed

    def make(number: int) -> Any:
        chunk = cp.full(12_500_000, float(number))
        cp.cuda.Device().synchronize()
        return chunk

    def last(chunk: Any) -> float:
        return float(chunk[-1])

    def switch(on: bool) -> None:
        os.environ["CUPRUM_DASK_IPC"] = "1" if on else "0"

    times: dict[bool, list[float]] = {False: [], True: []}
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit=0, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.run(__import__, "cuprum")
        one, other = client.scheduler_info()["workers"]
        for number in range(2 * SAMPLES + 2):
            # Workers tell each other where they run when they connect, so the first chunk is lent.
            lent = number % 2 == 0
            client.run(switch, lent)
            chunk = client.submit(make, number, workers=[one], pure=False)
            distributed.wait(chunk)
            began = time.perf_counter()
            got = client.submit(last, chunk, workers=[other], pure=False).result()
            if number >= 2:
                times[lent].append(time.perf_counter() - began)
            assert got == number
    theirs, ours = (min(times[lent]) * 1e3 for lent in (False, True))
    return [Row(title, "page-locked frames", theirs, ours, "ms", "≥ 2×", theirs >= 2 * ours)]


def table(rows: list[Row]) -> list[str]:
    lines = ["| row | peer | peer | Cuprum | unit | target | met? |", "|---|---|--:|--:|---|---|---|"]
    for row in rows:
        lines.append(
            f"| `{row.name}` | {row.peer} | {significant(row.theirs)} | {significant(row.ours)} | {row.unit} "
            f"| {row.target} | {yes_no(row.met)} |"
        )
    return lines


def main() -> int:
    arguments = parse_arguments()
    pattern = arguments.only.lower()
    rows = [
        *serialisation_rows(pattern),
        *stream_rows(pattern, arguments.gigabytes, arguments.folder),
        *dask_rows(pattern),
        *loader_rows(pattern),
        *transfer_rows(pattern),
    ]
    import dask

    info = cp.info()
    text = "\n".join(
        [
            "## Past one machine: Dask, serialisation, streaming",
            "",
            f"- Machine: {cpu_model()}, {available_threads()} threads, {platform.system()}",
            f"- Cuprum {cp.__version__} ({info['device']}, {info['simd']}), NumPy {np.__version__}, "
            f"Dask {dask.__version__}, Python {platform.python_version()}",
            f"- The least of samples taken by turns; {datetime.date.today().isoformat()}",
            f"- Targets met: {sum(row.met for row in rows)} of {len(rows)}",
            "",
            *table(rows),
            "",
        ]
    )
    print(text)
    output = arguments.output or (None if arguments.only or arguments.gigabytes != 4 else PAGE)
    if output is not None:
        write("scale", text, output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
