"""Time kernels that users write, on the CPU, beside the same loops in C and beside Numba if it is installed.

    python benches/kernels.py                   the whole table, its section of benches/RESULTS.md
    python benches/kernels.py --quick           fewer samples, printed only
    python benches/kernels.py --only mandelbrot

C is compiled here by `cc -O2 -fopenmp`, on as many threads. Every result is compared with NumPy's or C's
before it is timed; a difference ends the run with an error. Speed is reported, never asserted.
"""

from __future__ import annotations

import argparse
import ctypes
import datetime
import importlib.util
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SAMPLES = 9
QUICK_SAMPLES = 3
SHORTEST_SAMPLE_S = 5e-3


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time kernels on the CPU beside C and Numba.")
    parser.add_argument("--quick", action="store_true", help="fewer samples, printed only")
    parser.add_argument("--only", metavar="PATTERN", default="", help="only rows whose name contains this")
    parser.add_argument("--threads", type=int, help="threads for all (default: all that may be used)")
    parser.add_argument("--output", type=Path, help="the page (default for a whole run: RESULTS.md)")
    return parser.parse_args()


from results import PAGE, available_threads, write  # noqa: E402

ARGUMENTS = parse_arguments() if __name__ == "__main__" else argparse.Namespace(threads=None, quick=True)
THREADS = ARGUMENTS.threads or available_threads()
# All of them read these when they are imported, so this comes before the imports below.
for variable in ("CUPRUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = str(THREADS)
os.environ.setdefault("CUPRUM_DEVICE", "cpu")

import kernel_sources as sources  # noqa: E402
import mandelbrot as python_kernel  # noqa: E402
import numpy as np  # noqa: E402

import cuprum as cp  # noqa: E402
from cuprum.compat.numba import cuda  # noqa: E402


@dataclass(frozen=True)
class Row:
    """One line of the table; `most`, where there is a target, is how many times the peer it may take."""

    name: str
    peer: str
    peer_s: float
    cuprum_s: float
    most: float | None = None

    @property
    def ratio(self) -> float:
        return self.cuprum_s / self.peer_s

    def line(self) -> str:
        if self.most is None:
            met = bound = "–"
        else:
            met = "yes" if self.ratio <= self.most else "no"
            bound = f"≤ {self.most:g}×" if self.most >= 0.1 else f"≤ 1/{1 / self.most:.0f}"
        return (
            f"| {self.name} | {self.peer} | {self.peer_s * 1e3:.3g} | {self.cuprum_s * 1e3:.3g} "
            f"| {self.ratio:.3g} | {bound} | {met} |"
        )


def seconds(call: Callable[[], Any]) -> float:
    """The median time of a call; short ones are repeated within a sample."""
    call()
    begin = time.perf_counter()
    call()
    repeats = max(1, int(SHORTEST_SAMPLE_S / max(time.perf_counter() - begin, 1e-9)))
    samples = []
    for _ in range(QUICK_SAMPLES if ARGUMENTS.quick else SAMPLES):
        begin = time.perf_counter()
        for _ in range(repeats):
            call()
        samples.append((time.perf_counter() - begin) / repeats)
    return statistics.median(samples)


def compile_c() -> ctypes.CDLL | None:
    """The peers in C; None where there is no compiler."""
    compiler = next((c for c in ("cc", "gcc", "clang") if shutil.which(c)), None)
    if compiler is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="cuprum-bench-"))
    (folder / "peers.c").write_text(sources.C)
    target = folder / "peers.so"
    flags = ["-O2", "-fopenmp", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, "-o", str(target), str(folder / "peers.c"), "-lm"], check=True)
    return ctypes.CDLL(str(target))


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def host(array: Any) -> np.ndarray:
    return cp.asnumpy(array)


def check(name: str, got: np.ndarray, want: np.ndarray, rtol: float) -> None:
    np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol, err_msg=name)


def finished(launch: Callable[[], Any]) -> Callable[[], Any]:
    def call() -> None:
        launch()
        cp.cuda.Device().synchronize()

    return call


def matmul(c: ctypes.CDLL | None) -> list[Row]:
    n = sources.MATMUL_N
    rng = np.random.default_rng(1)
    a, b = rng.random((n, n), np.float32), rng.random((n, n), np.float32)
    da, db, dc = cp.asarray(a), cp.asarray(b), cp.zeros((n, n), np.float32)
    kernel = cp.RawKernel(sources.MATMUL, "matmul")
    launch = finished(lambda: kernel((n // 16, n // 16), (16, 16), (da, db, dc, np.int32(n))))
    launch()
    check("matmul", host(dc), a @ b, 1e-4)
    if c is None:
        return []
    out = np.empty_like(a)
    peer = lambda: c.matmul(pointer(a), pointer(b), pointer(out), n)  # noqa: E731
    peer()
    check("matmul in C", out, host(dc), 1e-5)
    return [Row("tiled matmul 512, float32, 256 threads a block", "C -O2", seconds(peer), seconds(launch), 5)]


def elementwise(c: ctypes.CDLL | None) -> list[Row]:
    n = 10_000_000
    rng = np.random.default_rng(2)
    x, y = rng.random(n, np.float32), rng.random(n, np.float32)
    dx, dy, dz = cp.asarray(x), cp.asarray(y), cp.zeros(n, np.float32)
    blocks = (n + 255) // 256
    kernel = cp.RawKernel(sources.ADD, "add")
    launch = finished(lambda: kernel((blocks,), (256,), (dx, dy, dz, np.int32(n))))
    launch()
    check("add", host(dz), x + y, 0)
    built_in = finished(lambda: cp.add(dx, dy, out=dz))
    rows = [Row("x + y, 1e7 float32", "cp.add", seconds(built_in), seconds(launch), 2)]
    own = cp.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = x + y", "bench_add")
    by_element = finished(lambda: own(dx, dy, dz))
    by_element()
    check("ElementwiseKernel", host(dz), x + y, 0)
    rows.append(Row("x + y, ElementwiseKernel", "cp.add", seconds(built_in), seconds(by_element), 2))
    if c is not None:
        out = np.empty_like(x)
        saxpy = cp.RawKernel(sources.SAXPY, "saxpy")
        args = (dx, dy, dz, np.float32(1.5), np.int32(n))
        launch = finished(lambda: saxpy((blocks,), (256,), args))
        launch()
        peer = lambda: c.saxpy(pointer(x), pointer(y), pointer(out), ctypes.c_float(1.5), n)  # noqa: E731
        peer()
        check("saxpy", host(dz), out, 0)
        rows.append(Row("saxpy, 1e7 float32", "C -O2", seconds(peer), seconds(launch)))
    return rows


def mandelbrot(c: ctypes.CDLL | None) -> list[Row]:
    width = height = 1000
    most = 200
    out = cp.zeros((height, width), np.int32)
    sizes = (np.int32(width), np.int32(height), np.int32(most))
    grid, block = ((width + 15) // 16, (height + 15) // 16), (16, 16)
    kernel = cp.RawKernel(sources.MANDELBROT, "mandelbrot")
    raw = finished(lambda: kernel(grid, block, (out, *sizes)))
    raw()
    want = host(out).copy()
    rows = []
    in_c = np.empty_like(want)
    if c is not None:
        peer = lambda: c.mandelbrot(pointer(in_c), width, height, most)  # noqa: E731
        peer()
        check("mandelbrot", want, in_c, 0)
        rows.append(Row("Mandelbrot 1000x1000, CUDA C", "C -O2", seconds(peer), seconds(raw)))
    jitted = python_kernel.jitted(cuda)
    by_python = finished(lambda: jitted[grid, block](out, width, height, most))
    out[...] = 0
    by_python()
    check("mandelbrot in Python", host(out), want, 0)
    ours = seconds(by_python)
    for name, peer_s, bound in numba_mandelbrot(width, height, most, want):
        rows.append(Row("Mandelbrot 1000x1000, @cuda.jit", name, peer_s, ours, bound))
    return rows


def numba_mandelbrot(width: int, height: int, most: int, want: np.ndarray) -> list[tuple[str, float, float]]:
    """Numba's compiled loops, and its simulator on a small image scaled up; nothing without Numba."""
    if importlib.util.find_spec("numba") is None:
        return []
    from numba import njit, prange

    @njit(parallel=True)
    def loops(out, width, height, most):
        for py in prange(height):
            for px in range(width):
                cx = -2.0 + 3.0 * px / width
                cy = -1.5 + 3.0 * py / height
                x = 0.0
                y = 0.0
                n = 0
                while n < most and x * x + y * y <= 4.0:
                    t = x * x - y * y + cx
                    y = 2.0 * x * y + cy
                    x = t
                    n += 1
                out[py, px] = n

    out = np.empty_like(want)
    loops(out, width, height, most)
    check("Numba's loops", out, want, 0)
    rows = [("Numba njit(parallel)", seconds(lambda: loops(out, width, height, most)), 2.0)]
    simulated = subprocess.run(
        [sys.executable, str(HERE / "numba_simulator.py"), str(width), str(most)],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        check=False,
    )
    if simulated.returncode == 0:
        rows.append(("Numba's simulator, scaled", float(simulated.stdout), 0.01))
    return rows


def reductions(c: ctypes.CDLL | None) -> list[Row]:
    n, blocks = 10_000_000, 64
    x = np.random.default_rng(3).random(n, np.float32)
    dx, sums = cp.asarray(x), cp.zeros(blocks, np.float32)
    kernel = cp.RawKernel(sources.REDUCE, "reduce")
    launch = finished(lambda: kernel((blocks,), (256,), (dx, sums, np.int32(n))))
    launch()
    check("reduce", host(sums).sum(dtype=np.float64), x.sum(dtype=np.float64), 1e-4)
    rows = []
    if c is not None:
        out = np.empty(blocks, np.float32)
        peer = lambda: c.reduce(pointer(x), pointer(out), n, blocks, 256)  # noqa: E731
        peer()
        check("reduce in C", out, host(sums), 1e-6)
        rows.append(Row("sum of 1e7 float32 in shared memory", "C -O2", seconds(peer), seconds(launch)))
    m = 1 << 22
    warps = cp.RawKernel(sources.WARPS, "warps")
    lanes = cp.zeros(m // 32, np.float32)
    launch = finished(lambda: warps((m // 256,), (256,), (dx, lanes, np.int32(m))))
    launch()
    check("warps", host(lanes), x[:m].reshape(-1, 32).sum(1), 1e-4)
    if c is not None:
        out = np.empty(m // 32, np.float32)
        peer = lambda: c.warps(pointer(x), pointer(out), m)  # noqa: E731
        peer()
        check("warps in C", out, host(lanes), 1e-6)
        rows.append(Row("sums of warps by shuffles, 4e6 floats", "C -O2", seconds(peer), seconds(launch)))
    return rows + reduction_kernels(dx)


def reduction_kernels(x: Any) -> list[Row]:
    """`ReductionKernel` beside the built-in sum of the same array."""
    squares = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = a", "0", "bench_squares")
    table = x.reshape(10_000, 1000)
    rows = []
    for name, array, axis in (
        ("all", x, None),
        ("along rows", table, 1),
        ("along columns", table, 0),
        ("every second", x[::2], None),
    ):
        given = host(array).astype(np.float64)
        check(f"squares, {name}", host(squares(array, axis=axis)), (given * given).sum(axis), 1e-4)
        ours = finished(lambda array=array, axis=axis: squares(array, axis=axis))
        built_in = lambda array=array, axis=axis: cp.testing.wait(cp.sum(array * array, axis=axis))  # noqa: E731
        row = f"sum of squares, ReductionKernel, {name}, of 1e7 float32"
        rows.append(Row(row, "cp.sum(x * x)", seconds(built_in), seconds(ours)))
    return rows


def counts(c: ctypes.CDLL | None) -> list[Row]:
    n, blocks = 10_000_000, 64
    x = np.random.default_rng(4).integers(0, 256, n, np.uint8)
    dx, out = cp.asarray(x), cp.zeros(256, np.uint32)
    kernel = cp.RawKernel(sources.HISTOGRAM, "histogram")
    launch = finished(lambda: kernel((blocks,), (256,), (dx, out, np.int32(n))))
    launch()
    check("histogram", host(out), np.bincount(x, minlength=256), 0)
    if c is None:
        return []
    in_c = np.zeros(256, np.uint32)
    peer = lambda: c.histogram(pointer(x), pointer(in_c), n, blocks)  # noqa: E731
    return [Row("histogram of 1e7 bytes by atomics", "C -O2", seconds(peer), seconds(launch))]


def bodies(c: ctypes.CDLL | None) -> list[Row]:
    n = 4096
    rng = np.random.default_rng(5)
    given = [rng.random(n, np.float32) for _ in range(4)]
    arrays, forces = [cp.asarray(a) for a in given], [cp.zeros(n, np.float32) for _ in range(3)]
    kernel = cp.RawKernel(sources.BODIES, "bodies")
    launch = finished(lambda: kernel((n // 256,), (256,), (*arrays, *forces, np.int32(n))))
    launch()
    if c is None:
        return []
    out = [np.empty(n, np.float32) for _ in range(3)]
    peer = lambda: c.bodies(*map(pointer, given), *map(pointer, out), n)  # noqa: E731
    peer()
    for ours, theirs in zip(forces, out, strict=True):
        check("bodies", host(ours), theirs, 1e-4)
    return [Row("forces of 4096 bodies", "C -O2", seconds(peer), seconds(launch))]


def compile_times() -> list[str]:
    """From text to a first launch, for kernels that no cache knows."""
    lines = []
    for name, text in (
        ("saxpy", sources.SAXPY),
        ("tiled matmul", sources.MATMUL),
        ("Mandelbrot", sources.MANDELBROT),
        ("sum in shared memory", sources.REDUCE),
    ):
        entry = text.split("void ")[1].split("(")[0]
        samples = []
        for number in range(QUICK_SAMPLES if ARGUMENTS.quick else SAMPLES):
            kernel = cp.RawKernel(f"// {os.getpid()} {number} {time.time_ns()}\n{text}", entry)
            begin = time.perf_counter()
            kernel.compile()
            samples.append(time.perf_counter() - begin)
        lines.append(f"| {name} | {statistics.median(samples) * 1e3:.3g} | ≤ 20 |")
    return lines


def main() -> int:
    c = compile_c()
    groups = {
        "matmul": matmul,
        "elementwise saxpy add": elementwise,
        "mandelbrot": mandelbrot,
        "reduce warps": reductions,
        "histogram": counts,
        "bodies": bodies,
    }
    lines = []
    for name, group in groups.items():
        if ARGUMENTS.only in name:
            print(name, file=sys.stderr)
            lines += [row.line() for row in group(c)]
    numba = importlib.util.find_spec("numba")
    text = "\n".join(
        [
            "## Kernels that users write, on the CPU",
            "",
            f"- {platform.system()}, {THREADS} threads; Python {platform.python_version()}",
            f"- Cuprum {cp.__version__}, NumPy {np.__version__}; medians; {datetime.date.today()}"
            + ("" if numba else "; Numba is not installed"),
            "",
            "| kernel | peer | peer ms | Cuprum ms | times the peer | target | met? |",
            "|---|---|--:|--:|--:|---|---|",
            *lines,
            "",
            "| compiled | ms | target |",
            "|---|--:|---|",
            *(compile_times() if not ARGUMENTS.only or ARGUMENTS.only == "compile" else []),
            "",
        ]
    )
    print(text)
    if ARGUMENTS.output or not (ARGUMENTS.quick or ARGUMENTS.only):
        write("kernels", text, ARGUMENTS.output or PAGE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
