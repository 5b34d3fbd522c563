"""Costs that do not grow with the array: one small op, one recorded op, the import, a chain's memory.

Each measurement returns a `Cost`; the last two run in a process of their own.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import timeit
from dataclasses import dataclass

import numpy as np

import cuprum as cp
import cuprum.testing

SMALL = 100
SMALL_LOOPS = 20_000
SMALL_OPS = ("a + b", "xp.add(a, b)", "xp.add(a, b, out=out)", "xp.sqrt(a)")
RECORDED = 1_000_000
RECORDED_LOOPS = 2_000
RECORDED_LIMIT_US = 0.3
IMPORT_LIMIT_MS = 100.0
CHAIN_SLACK_MB = 64.0


@dataclass(frozen=True)
class Cost:
    """One measured cost; `limit` is in the same unit, `numpy` is None where NumPy has no counterpart."""

    name: str
    dtype: str
    unit: str
    numpy: float | None
    cuprum: float
    limit: float
    limit_text: str

    @property
    def met(self) -> bool:
        return self.cuprum <= self.limit


def small_op(statement: str, dtype: np.dtype, samples: int) -> Cost:
    """One op on 100 elements, the result computed: arrays this small are not deferred, which is checked."""
    a = np.linspace(0, 1, SMALL, dtype=dtype)
    b = np.linspace(1, 3, SMALL, dtype=dtype)
    theirs = {"xp": np, "a": a, "b": b, "out": np.empty_like(a)}
    ours = {"xp": cp, "a": cp.asarray(a), "b": cp.asarray(b), "out": cp.empty(SMALL, dtype)}
    with cp.fusion_log() as log:
        result = eval(statement, ours)
        cuprum.testing.wait(result)
    assert not len(log), f"{statement} of small arrays was left pending"
    np.testing.assert_array_max_ulp(cp.asnumpy(result), eval(statement, theirs), 4)
    numpy_us, cuprum_us = _interleaved(
        timeit.Timer(statement, globals=theirs),
        timeit.Timer(statement, globals=ours),
        SMALL_LOOPS,
        samples,
    )
    return Cost(
        f"{statement.replace('xp.', '')}, {SMALL} elements, result included",
        dtype.name,
        "µs",
        numpy_us,
        cuprum_us,
        numpy_us,
        "NumPy's",
    )


def recorded_op(dtype: np.dtype, samples: int) -> Cost:
    """`a + b` on arrays large enough to be deferred, dropped unread: the least that recording alone costs."""
    a = cp.asarray(np.ones(RECORDED, dtype=dtype))
    b = cp.asarray(np.full(RECORDED, 2, dtype=dtype))
    timer = timeit.Timer("a + b", globals={"a": a, "b": b})
    timer.timeit(RECORDED_LOOPS)
    seconds = min(timer.repeat(samples, RECORDED_LOOPS))
    microseconds = seconds / RECORDED_LOOPS * 1e6
    text = f"{RECORDED_LIMIT_US} µs"
    return Cost("one recorded op", dtype.name, "µs", None, microseconds, RECORDED_LIMIT_US, text)


def import_time(samples: int) -> Cost:
    """`import cuprum` in a fresh interpreter that has imported NumPy already: the best of several."""
    program = "import time, numpy; t = time.perf_counter(); import cuprum; print(time.perf_counter() - t)"
    best = min(float(_python(program)) for _ in range(samples))
    return Cost(
        "import, beyond NumPy's own", "", "ms", None, best * 1e3, IMPORT_LIMIT_MS, f"{IMPORT_LIMIT_MS:.0f} ms"
    )


CHAIN_PROGRAM = """
import sys
import numpy as np
import {library} as xp
if xp is np:
    wait = id
else:
    from cuprum.testing import wait

def peak_mb():
    # VmHWM begins anew with each process; getrusage's ru_maxrss would still hold the parent's peak.
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 / 1e6 for line in status if line.startswith("VmHWM"))
    except OSError:
        import resource
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6

def chain(x):
    y = (x + 1) * 2 - 3
    y = xp.sqrt(y * y + 1)
    return (y - 0.5) * 0.25 + y / 3

before = peak_mb()
x = xp.arange({elements}, dtype="float64")
wait(x)
y = chain(x)
wait(y)
peak = peak_mb()

probe = np.linspace(0, {elements} - 1, 1001).astype("int64")
found = np.array([float(y[i]) for i in probe.tolist()])
xp = np
np.testing.assert_allclose(found, chain(probe.astype("float64")), rtol=1e-14)
print(peak - before)
"""


def chain_memory(gigabytes: float) -> Cost:
    """The growth of a process's peak memory over a chain of ten ops on one float64 array."""
    elements = int(gigabytes * 1e9) // 8
    peaks = {
        library: float(_python(CHAIN_PROGRAM.format(library=library, elements=elements)))
        for library in ("numpy", "cuprum")
    }
    limit = 2 * elements * 8 / 1e6 + CHAIN_SLACK_MB
    return Cost(
        f"peak memory, ten ops on {gigabytes:g} GB",
        "float64",
        "MB",
        peaks["numpy"],
        peaks["cuprum"],
        limit,
        f"input + output + {CHAIN_SLACK_MB:.0f} MB",
    )


def _interleaved(first: timeit.Timer, second: timeit.Timer, loops: int, samples: int) -> tuple[float, float]:
    """Median microseconds a loop of two statements, sampled by turns after one warm-up each."""
    times: tuple[list[float], list[float]] = ([], [])
    for sample in range(samples + 1):
        for timer, kept in zip((first, second), times, strict=True):
            seconds = timer.timeit(loops)
            if sample > 0:
                kept.append(seconds / loops * 1e6)
    return statistics.median(times[0]), statistics.median(times[1])


def _python(program: str) -> str:
    # As an installed package has it, the byte code is kept between imports.
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env)
    if finished.returncode != 0:
        raise RuntimeError(f"a measuring process failed:\n{finished.stderr}")
    return finished.stdout


PRODUCT_PROGRAM = """
import statistics, sys, timeit
import numpy as np
import {library} as xp
if xp is np:
    wait = id
else:
    from cuprum.testing import wait
rng = np.random.default_rng({side})
a, b = (xp.asarray(rng.random(({side}, {side}), dtype="{dtype}")) for _ in range(2))
timer = timeit.Timer("wait(a @ b)", globals=globals())
loops = max(1, round(0.02 / min(timer.repeat(5, 1))))
print(statistics.median(timer.repeat({samples}, loops)) / loops * 1e3)
"""


def products(side: int, dtype: np.dtype, samples: int) -> tuple[float, float]:
    """Milliseconds of `a @ b` with NumPy and with Cuprum, each in a process of its own.

    OpenBLAS keeps its threads spinning after a product, and they would take a core from whoever comes next.
    """

    def milliseconds(library: str) -> float:
        program = PRODUCT_PROGRAM.format(library=library, side=side, dtype=dtype.name, samples=samples)
        return float(_python(program))

    return milliseconds("numpy"), milliseconds("cuprum")
