"""Whole programs, as users write them with an `xp` switch: Cuprum beside NumPy, on a GPU beside CuPy and JAX.

    python benches/programs.py                     beside NumPy, on the CPU: the section "programs"
    python benches/programs.py --device cuda       beside CuPy and JAX, where installed: "gpu-programs"
    python benches/programs.py --only life,net     programs with `life` or `net` in their names, printed only
    python benches/programs.py --scale 0.25        smaller arrays, for a trial, printed only

The programs are plain functions in benches/whole_programs/. Operands are made beforehand and lie on the
device; the time is that of the steps with the wait for the last one. Results are compared with NumPy's.
Each library has a process of its own, since the threads of a linear algebra library go on spinning after a
call; they run by turns, and the least time counts. JAX runs each step under `jax.jit`, in a version of its
own where a step writes in place.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import importlib.metadata
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TITLES = {"cuprum": "Cuprum", "numpy": "NumPy", "cupy": "CuPy", "jax": "`jax.jit`"}
Times = dict[str, float | None]
"""The least seconds of each library; none where it could not run a program."""
ROUNDS = 5
SAMPLES_S = 0.2
"""Each turn goes on taking samples for so long; the first run of a program is no sample."""
PAUSE_S = 0.15
"""Between two turns, until the threads of the last one sleep."""


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="where arrays are")
    parser.add_argument("--libraries", help="peers, by comma (default: numpy; on a GPU cupy and jax)")
    parser.add_argument("--only", default="", help="only programs whose name contains one of these, by comma")
    parser.add_argument("--scale", type=float, default=1.0, help="shrinks or enlarges the arrays")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"turns of each (default {ROUNDS})")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="threads for all")
    parser.add_argument("--out", type=Path, help="the page (default for a whole run: RESULTS.md)")
    parser.add_argument("--worker", metavar="LIBRARY", help=argparse.SUPPRESS)
    return parser.parse_args()


class Contestant:
    """A library: how it takes operands, waits, and gives its results to the host."""

    def __init__(self, name: str, device: str) -> None:
        self.name = name
        if name == "jax":
            os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
            import jax
            import jax.numpy

            jax.config.update("jax_enable_x64", True)
            # Products of float32 as the others compute them.
            jax.config.update("jax_default_matmul_precision", "highest")
            self.module, self.take, self.wait = jax, jax.device_put, jax.block_until_ready
            return
        self.module = importlib.import_module(name)
        self.take = self.module.asarray
        self.wait = {"numpy": lambda _: None, "cupy": self.wait_for_cupy}.get(name, self.wait_for_cuprum)
        self.on_gpu = device == "cuda"

    def wait_for_cupy(self, _: Any) -> None:
        self.module.cuda.Device().synchronize()

    def wait_for_cuprum(self, result: Any) -> None:
        for array in result if isinstance(result, tuple) else (result,):
            self.module.testing.wait(array)
        if self.on_gpu:
            self.module.cuda.Stream.null.synchronize()

    def program(self, name: str) -> Callable[..., Any] | None:
        """The program as a function of its operands."""
        program = PROGRAMS[name]
        if self.name == "jax":
            return program.jax(self.module) if program.jax else None
        return lambda *operands: program.run(self.module, *operands)

    def to_host(self, result: Any) -> list[np.ndarray]:
        arrays = result if isinstance(result, tuple) else (result,)
        to_numpy = getattr(self.module, "asnumpy", np.asarray)
        return [np.asarray(to_numpy(array)) for array in arrays]


def serve(name: str, device: str) -> None:
    """A library's process: reads a program, a scale and a file for results, answers with the least time."""
    contestant = Contestant(name, device)
    current, run, operands = None, None, ()
    for line in sys.stdin:
        title, scale, path = json.loads(line)
        if current != title:
            current, run = title, contestant.program(title)
            operands = ()
            try:
                if run:
                    operands = tuple(contestant.take(array) for array in PROGRAMS[title].operands(scale))
                    np.savez(path, *contestant.to_host(run(*operands)))
            except Exception as error:
                # A peer that cannot run a program has no figure there.
                if name in ("numpy", "cuprum"):
                    raise
                print(f"{title}, {name}: {error!r}", file=sys.stderr)
                run = None
        least, deadline = None, time.perf_counter() + SAMPLES_S
        while run and (least is None or time.perf_counter() < deadline):
            contestant.wait(operands)
            began = time.perf_counter()
            result = run(*operands)
            contestant.wait(result)
            took = time.perf_counter() - began
            least = took if least is None else min(least, took)
            del result
        print(json.dumps(least), flush=True)


class Worker:
    """A library's process, seen from here."""

    def __init__(self, name: str, arguments: argparse.Namespace) -> None:
        self.name = name
        threads = str(arguments.threads)
        environment = os.environ | {"CUPRUM_DEVICE": arguments.device}
        for variable in ("CUPRUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
            environment[variable] = threads
        command = [sys.executable, __file__, "--worker", name, "--device", arguments.device]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def seconds(self, title: str, scale: float, path: Path) -> float | None:
        print(json.dumps([title, scale, str(path)]), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{title}: {self.name} ended with status {self.process.wait()}")
        return json.loads(answer)


def compare(title: str, ours: Path, wanted: Path, library: str) -> None:
    """End the run where the results differ."""
    with np.load(ours) as found, np.load(wanted) as expected:
        assert len(found.files) == len(expected.files), title
        for name in expected.files:
            single = np.result_type(expected[name], "float32") == np.float32
            scale = float(np.max(np.abs(expected[name]), initial=0))
            np.testing.assert_allclose(
                found[name],
                expected[name],
                rtol=1e-3 if single else 1e-6,
                atol=scale * (1e-5 if single else 1e-9),
                err_msg=f"{title}: {library} beside NumPy",
            )


def peers_of(arguments: argparse.Namespace) -> list[str]:
    if arguments.libraries:
        return arguments.libraries.split(",")
    if arguments.device == "cpu":
        return ["numpy"]
    return [name for name in ("cupy", "jax") if importlib.util.find_spec(name)]


def time_programs(arguments: argparse.Namespace, names: list[str]) -> Iterator[tuple[str, Times]]:
    """Each program's name and the least time of each library, after their results were compared."""
    # NumPy's results are what others are compared with, also where its time is not asked for.
    workers = {name: Worker(name, arguments) for name in dict.fromkeys([*names, "numpy"])}
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / f"{name}.npz" for name in workers}
        for title, program in PROGRAMS.items():
            if not any(part in title for part in arguments.only.split(",")):
                continue
            scale = arguments.scale * (program.on_gpu if arguments.device == "cuda" else 1)
            best: Times = dict.fromkeys(names)
            if "numpy" not in names:
                workers["numpy"].seconds(title, scale, files["numpy"])
            for _ in range(arguments.rounds):
                for name in names:
                    time.sleep(PAUSE_S)
                    took = workers[name].seconds(title, scale, files[name])
                    if took is not None:
                        best[name] = min(took, best[name] or took)
            for name in names:
                if best[name] is not None and name != "numpy":
                    compare(title, files[name], files["numpy"], name)
            yield title.replace("_", " "), best
    for worker in workers.values():
        worker.process.stdin.close()
        worker.process.wait()


def row(title: str, times: Times, peers: list[str]) -> str:
    """A line of the table."""
    ours = times["cuprum"]
    figures = [significant(took * 1e3) if (took := times[name]) else "–" for name in ("cuprum", *peers)]
    figures += [f"{took / ours:.2f}" if (took := times[name]) else "–" for name in peers]
    return f"| {title} | " + " | ".join(figures) + " |"


def summary(times: dict[str, Times], peer: str) -> str:
    """The mean over a peer, and the programs that fall behind it."""
    ratios = {title: best[peer] / best["cuprum"] for title, best in times.items() if best[peer]}
    mean = np.exp(np.mean(np.log(list(ratios.values()))))
    behind = [f"{title} ({ratio:.2f})" for title, ratio in ratios.items() if ratio < 1]
    return (
        f"- Geometric mean of {TITLES[peer]}'s time over Cuprum's, {len(ratios)} programs: {mean:.2f}. "
        f"Behind {TITLES[peer]}: {', '.join(behind) or 'none'}"
    )


def machine(arguments: argparse.Namespace, peers: list[str]) -> str:
    """The line that says what was compared where."""
    versions = []
    for name in peers:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            package = {"cupy": "cupy-cuda13x"}.get(name, name)
            versions.append(f"{TITLES[name]} {importlib.metadata.version(package)}")
    where = gpu_name() if arguments.device == "cuda" else cpu_model()
    versions.append(f"Python {platform.python_version()}, {datetime.date.today().isoformat()}")
    return f"- Machine: {where}, {arguments.threads} threads; {', '.join(versions)}"


def main(arguments: argparse.Namespace) -> None:
    """Time the programs, print a table, and write it where all of them ran."""
    peers = peers_of(arguments)
    titles = [TITLES[name] for name in ("cuprum", *peers)]
    table = [
        "| program | " + " | ".join([f"{t} ms" for t in titles] + [f"over {t}" for t in titles[1:]]) + " |",
        "|---|" + "--:|" * (len(peers) * 2 + 1),
    ]
    print("\n".join(table))
    times: dict[str, Times] = {}
    for title, best in time_programs(arguments, [*peers, "cuprum"]):
        times[title] = best
        table.append(row(title, best, peers))
        print(table[-1], flush=True)
    notes = [summary(times, peer) for peer in peers if any(best[peer] for best in times.values())]
    print("", *notes, sep="\n")
    is_whole = not arguments.only and arguments.scale == 1 and not arguments.libraries
    if not arguments.out and not is_whole:
        return
    on_gpu = arguments.device == "cuda"
    scale = " at their GPU scale" if on_gpu else ""
    text = [
        f"## Whole programs on {'a GPU' if on_gpu else 'the CPU'}",
        "",
        machine(arguments, peers),
        f"- The programs of [whole_programs/](whole_programs/){scale}, with the wait for the result: "
        f"the least of {arguments.rounds} turns of {SAMPLES_S:g} s each, one process a library, by turns. "
        "Results are compared with NumPy's",
        *notes,
        "",
        *table,
    ]
    write("gpu-programs" if on_gpu else "programs", "\n".join(text), arguments.out or PAGE)


if __name__ == "__main__":
    ARGUMENTS = parse_arguments()
    import numpy as np
    from results import PAGE, cpu_model, gpu_name, significant, write

    # The package of this name, beside this file.
    from whole_programs import PROGRAMS

    if ARGUMENTS.worker:
        serve(ARGUMENTS.worker, ARGUMENTS.device)
    else:
        main(ARGUMENTS)
