"""Time two builds of Cuprum beside each other: that of `make build` and an installed wheel, for instance.

    python benches/builds.py .venv/bin/python /tmp/wheel/bin/python
    python benches/builds.py ... --only 'sum' --slower 1.05

Each build runs in a process of its own, on one thread, and asked by turns for the CPU time of a call.
The rows are those of the speed table over few elements, and reductions, ufuncs and library calls of several
dtypes. Those that take longer with the second build are measured again, and printed if they still do.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SIZES = (1_000, 10_000, 100_000)
COLUMNS = (3, 64, 500)
DTYPES = ("float32", "float64", "int32", "complex128")
REDUCTIONS = ("sum", "prod", "max", "argmin", "any", "mean", "var", "cumsum")
SHORTEST_SAMPLE_S = 1e-3
ROUNDS = 3
AGAIN = 12
"""How often a row is measured once more that seems to be slower."""
MORE = 5e-8
"""Seconds of difference that the clock does not tell from none."""

Case = tuple[str, Callable[[], Any]]


def cases() -> Iterator[Case]:
    """The rows of the build that is imported here, each with its name."""
    import numpy as np
    import rows

    import cuprum as cp
    from cuprum.testing import wait

    def case(name: str, run: Callable[[], Any]) -> Case:
        return name, lambda: wait(run())

    for size in SIZES:
        for dtype in ("float32", "float64"):
            theirs = rows.operands(max(size, rows.COLUMNS), np.dtype(dtype))
            d = type(theirs)(**{name: cp.asarray(array) for name, array in vars(theirs).items()})
            for row in rows.CHAINS + rows.SINGLES:
                yield case(f"{row.name}, {size} {dtype}", lambda row=row, d=d: row.run(cp, d))
    for dtype in ("float32", "float64", "complex128"):
        for side in (4, 16, 64, 256):
            a = cp.asarray(np.random.default_rng(side).random((side, side)).astype(dtype))
            system = a + side * cp.eye(side, dtype=dtype)
            yield case(f"a @ a, {side} {dtype}", lambda a=a: a @ a)
            for function in (cp.linalg.solve, cp.linalg.inv, cp.linalg.svd, cp.linalg.eigvalsh, cp.linalg.qr):
                arguments = (system, a) if function is cp.linalg.solve else (system,)
                yield case(
                    f"{function.__name__}, {side} {dtype}",
                    lambda f=function, arguments=arguments: f(*arguments),
                )
    for dtype in DTYPES:
        values = np.random.default_rng(7).random(30_000) * 100
        for columns in COLUMNS:
            m = cp.asarray(values[: 30_000 // columns * columns].reshape(-1, columns).astype(dtype))
            for name in REDUCTIONS:
                for axis in (0, 1):
                    method = getattr(m, name)
                    yield case(
                        f"{name}(axis={axis}), {columns} columns {dtype}", lambda f=method, a=axis: f(axis=a)
                    )
        x = cp.asarray(values[:10_000].astype(dtype))
        for name in ("sort", "argsort", "unique", "flip", "diff", "nonzero", "ptp", "median"):
            function = getattr(cp, name)
            yield case(f"{name}, 10000 {dtype}", lambda f=function, x=x: f(x))
        if dtype != "int32":
            yield case(f"fft, 10000 {dtype}", lambda x=x: cp.fft.fft(x))
    yield from ufuncs(cp, values, case)


def ufuncs(cp: Any, values: Any, case: Callable[[str, Callable[[], Any]], Case]) -> Iterator[Case]:
    """Every ufunc of the top level and of `scipy.special` that takes one or two arrays of some dtype."""
    import cuprum.scipy.special as special

    for module in (cp, special):
        for name in sorted(dir(module)):
            ufunc = getattr(module, name)
            if not isinstance(ufunc, cp.ufunc) or ufunc.nin > 2:
                continue
            for dtype in DTYPES:
                x = cp.asarray((values[:5_000] / 50 + 0.1).astype(dtype))
                try:
                    ufunc(*[x] * ufunc.nin)
                except (TypeError, ValueError):
                    continue
                yield case(f"{name}, 5000 {dtype}", lambda u=ufunc, x=x: u(*[x] * u.nin))


def work(only: str) -> None:
    """The process of one build: says its rows' names, then the time of each that it is asked for."""
    chosen = [(name, run) for name, run in cases() if only in name]
    print("\t".join(name for name, _ in chosen), flush=True)
    loops: dict[int, int] = {}
    for line in sys.stdin:
        number = int(line)
        run = chosen[number][1]
        if number not in loops:
            run()
            loops[number] = max(1, round(SHORTEST_SAMPLE_S / max(seconds(run, 3), 1e-7)))
        print(min(seconds(run, loops[number]) for _ in range(3)), flush=True)


def seconds(run: Callable[[], Any], loops: int) -> float:
    began = time.process_time()
    for _ in range(loops):
        run()
    return (time.process_time() - began) / loops


class Build:
    """A process that times the rows of one interpreter's build."""

    def __init__(self, interpreter: str, only: str) -> None:
        environment = {
            **os.environ,
            "CUPRUM_THREADS": "1",
            "CUPRUM_DEVICE": "cpu",
            "OPENBLAS_NUM_THREADS": "1",
        }
        self.process = subprocess.Popen(
            [interpreter, str(Path(__file__).resolve()), "--worker", "--only", only],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.names = self._line().split("\t")
        self.times: dict[int, float] = {}

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args} ended with {self.process.wait()}")  # type: ignore[str-bytes-safe]
        return line.rstrip("\n")

    def sample(self, number: int) -> None:
        assert self.process.stdin is not None
        print(number, file=self.process.stdin, flush=True)
        self.times[number] = min(float(self._line()), self.times.get(number, float("inf")))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("interpreters", nargs="*", help="two interpreters, each with a build and NumPy")
    parser.add_argument("--only", default="", help="only the rows whose name contains this")
    parser.add_argument("--slower", type=float, default=1.1, help="the ratio that is told (default 1.1)")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return work(arguments.only)
    builds = [Build(interpreter, arguments.only) for interpreter in arguments.interpreters]
    if len(builds) != 2 or builds[0].names != builds[1].names:
        raise SystemExit("two builds with the same rows are compared")
    first, second = builds

    def ratio(number: int) -> float:
        return (second.times[number] - MORE) / first.times[number]

    def measure(number: int, rounds: int) -> None:
        for turn in range(rounds):
            for build in builds if turn % 2 else reversed(builds):
                build.sample(number)

    numbers = range(len(first.names))
    for number in numbers:
        measure(number, ROUNDS)
        if ratio(number) > arguments.slower:
            measure(number, AGAIN)
    ratios = sorted(ratio(number) for number in numbers)
    for number in sorted(numbers, key=ratio, reverse=True):
        if ratio(number) > arguments.slower:
            before, after = 1e6 * first.times[number], 1e6 * second.times[number]
            print(f"{first.names[number]:44} {before:9.2f} µs {after:9.2f} µs {after / before:6.2f}")
    share = [ratios[round(part * (len(ratios) - 1))] for part in (0.1, 0.5, 0.9)]
    print(
        f"{len(ratios)} rows; times of the second build by the first's: "
        + ", ".join(f"{r:.2f}" for r in share)
    )


if __name__ == "__main__":
    main()
