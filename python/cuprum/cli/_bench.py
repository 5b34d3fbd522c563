"""`cuprum bench`: typical work over sizes, NumPy beside Cuprum on the CPU and on the GPU, with
the crossovers."""

from __future__ import annotations

import html
import math
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import cuprum
from cuprum import _core
from cuprum._io.progress import Progress

__all__ = ["WORK", "Curve", "Work", "crossover", "measured", "plot", "show"]


class Work(NamedTuple):
    """A kind of work: its data for so many elements, and what is done with it by a module `xp`."""

    name: str
    make: Callable[[int, np.random.Generator], tuple[np.ndarray, ...]]
    run: Callable[..., Any]
    largest: int = 1 << 62


def _square(n: int, rng: np.random.Generator) -> np.ndarray:
    side = max(2, math.isqrt(n))
    return rng.random((side, side))


def _heat(xp: Any, u: Any) -> Any:
    inner = u[1:-1, 1:-1]
    around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    return inner + 0.2 * (around - 4 * inner)


def _inside(xp: Any, x: Any, y: Any) -> Any:
    return (x * x + y * y <= 1).mean()


def _normalised(xp: Any, a: Any) -> Any:
    return (a - a.mean(axis=0)) / a.std(axis=0)


WORK = (
    Work(
        "sqrt(a**2 + b**2)", lambda n, rng: tuple(rng.random((2, n))), lambda xp, a, b: xp.sqrt(a**2 + b**2)
    ),
    Work("sum", lambda n, rng: (rng.random(n),), lambda xp, a: a.sum()),
    Work("monte carlo pi", lambda n, rng: tuple(rng.random((2, n))), _inside),
    Work("heat equation", lambda n, rng: (_square(n, rng),), _heat),
    Work("standardise columns", lambda n, rng: (_square(n, rng),), _normalised),
    Work("matmul", lambda n, rng: (_square(n, rng), _square(n, rng)), lambda xp, a, b: a @ b, 4_000_000),
    Work("fft", lambda n, rng: (rng.random(n),), lambda xp, a: xp.fft.fft(a)),
    Work("sort", lambda n, rng: (rng.random(n),), lambda xp, a: xp.sort(a)),
)
"""The work that is timed."""


class Curve(NamedTuple):
    """The milliseconds of one library over sizes."""

    label: str
    milliseconds: list[float]


def sizes_to(largest: int) -> list[int]:
    """Return 100, 1000 and so on, up to the largest."""
    return [10**power for power in range(2, max(3, int(math.log10(largest)) + 1))]


def _milliseconds(run: Callable[[], Any], wait: Callable[[], None], seconds: float) -> float:
    """Return the best time of a call with its work; short ones are timed many at a time."""
    run()
    wait()
    began = time.perf_counter()
    run()
    wait()
    once = max(time.perf_counter() - began, 1e-7)
    loops = max(1, min(10_000, int(seconds / 5 / once)))
    best, until = math.inf, time.perf_counter() + seconds
    while best is math.inf or time.perf_counter() < until:
        began = time.perf_counter()
        for _ in range(loops):
            run()
        wait()
        best = min(best, (time.perf_counter() - began) / loops)
    return best * 1e3


def measured(work: Work, sizes: Sequence[int], seconds: float, step: Callable[[str], None]) -> list[Curve]:
    """Time one kind of work over sizes: NumPy, the CPU, and the GPU where there is one."""
    rng = np.random.default_rng(7)
    devices = ["cpu", *(["cuda"] if _core.gpu_count() else [])]
    curves = [
        Curve("NumPy", []),
        *(Curve("Cuprum CPU" if name == "cpu" else "Cuprum GPU", []) for name in devices),
    ]
    for size in sizes:
        step(f"{work.name}, {size:,}")
        data = work.make(size, rng)
        curves[0].milliseconds.append(
            _milliseconds(lambda: work.run(np, *data), lambda: None, seconds)  # noqa: B023
        )
        for name, curve in zip(devices, curves[1:], strict=True):
            with cuprum.cuda.Device(name):
                ours = tuple(cuprum.asarray(a) for a in data)
                wait = cuprum.cuda.Device().synchronize
                curve.milliseconds.append(
                    _milliseconds(lambda: work.run(cuprum, *ours), wait, seconds)  # noqa: B023
                )
    return curves


def crossover(sizes: Sequence[int], slow: Curve, fast: Curve) -> float | None:
    """Return the size from which on `fast` is the faster one, between two sizes where the lines
    cross; None if never."""
    faster = [f < s for f, s in zip(fast.milliseconds, slow.milliseconds, strict=True)]
    if not faster[-1]:
        return None
    last = max((at for at, is_faster in enumerate(faster) if not is_faster), default=None)
    if last is None:
        return float(sizes[0])
    before, after = (math.log(slow.milliseconds[at] / fast.milliseconds[at]) for at in (last, last + 1))
    part = before / (before - after)
    return math.exp(math.log(sizes[last]) + part * math.log(sizes[last + 1] / sizes[last]))


def _chosen(only: Sequence[str] | None) -> list[Work]:
    if not only:
        return list(WORK)
    names = {work.name: work for work in WORK}
    missing = [name for name in only if name not in names]
    if missing:
        raise SystemExit(f"cuprum bench: no work {missing[0]!r}: it is one of {', '.join(names)}")
    return [names[name] for name in only]


def show(target: str | None, largest: int, only: Sequence[str] | None, seconds: float) -> int:
    """Time the work, print a table and write the picture; return the exit status."""
    if largest < 100:
        raise SystemExit("cuprum bench: --largest is at least 100")
    chosen = _chosen(only)
    results = []
    total = sum(len(sizes_to(min(largest, work.largest))) for work in chosen)
    with Progress("bench", total, in_bytes=False) as progress:
        for work in chosen:
            sizes = sizes_to(min(largest, work.largest))
            results.append(
                (work, sizes, measured(work, sizes, seconds, lambda note: progress.advance(1, note)))
            )
    for work, sizes, curves in results:
        print(_table(work, sizes, curves), end="\n\n")
    if target:
        with open(target, "w", encoding="utf-8") as file:
            file.write(plot([(work.name, sizes, curves) for work, sizes, curves in results]))
        print(f"plot: {target}", file=sys.stderr)
    return 0


def _table(work: Work, sizes: Sequence[int], curves: Sequence[Curve]) -> str:
    heads = "".join(f"{curve.label + ' ms':>15}" for curve in curves)
    out = [f"{work.name}", f"{'elements':>12}{heads}{'speed-up':>10}"]
    for at, size in enumerate(sizes):
        times = [curve.milliseconds[at] for curve in curves]
        cells = "".join(f"{time:>15.4f}" for time in times)
        out.append(f"{size:>12,}{cells}{times[0] / min(times[1:]):>10.2f}")
    out += [f"  {line}" for line in _crossings(sizes, curves)]
    return "\n".join(out)


def _crossings(sizes: Sequence[int], curves: Sequence[Curve]) -> list[str]:
    lines = []
    pairs = [(curves[0], curve) for curve in curves[1:]] + [(curves[1], curve) for curve in curves[2:]]
    for slow, fast in pairs:
        at = crossover(sizes, slow, fast)
        if at is None:
            lines.append(f"{fast.label} is not faster than {slow.label} at {sizes[-1]:,} elements")
        elif at <= sizes[0]:
            lines.append(f"{fast.label} is faster than {slow.label} from {sizes[0]:,} elements on")
        else:
            lines.append(
                f"{fast.label} is faster than {slow.label} from about {float(f'{at:.2g}'):,.0f} elements on"
            )
    return lines


_COLOURS = {"NumPy": "#6d675f", "Cuprum CPU": "#b4561f", "Cuprum GPU": "#3b6ea5"}
_WIDE, _HIGH, _COLUMNS = 360, 260, 2


def plot(results: Sequence[tuple[str, Sequence[int], Sequence[Curve]]]) -> str:
    """Return the curves as an SVG picture, a panel for each kind of work, with circles where lines cross."""
    rows = -(-len(results) // _COLUMNS)
    width, height = _WIDE * min(_COLUMNS, len(results)), _HIGH * rows + 40
    panels = [
        _panel(*result, _WIDE * (at % _COLUMNS), _HIGH * (at // _COLUMNS))
        for at, result in enumerate(results)
    ]
    labels = [curve.label for curve in results[0][2]]
    legend = "".join(
        f'<line x1="{20 + 140 * at}" x2="{44 + 140 * at}" y1="{height - 18}" y2="{height - 18}" '
        f'stroke="{_COLOURS[label]}" stroke-width="2.5"/>'
        f'<text x="{50 + 140 * at}" y="{height - 14}">{html.escape(label)}</text>'
        for at, label in enumerate(labels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" '
        'font-family="system-ui, sans-serif" font-size="11" fill="#22201d">'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(panels)}{legend}</svg>\n'
    )


def _panel(name: str, sizes: Sequence[int], curves: Sequence[Curve], left: float, top: float) -> str:
    inner_left, inner_top, inner_width, inner_height = left + 72, top + 34, _WIDE - 90, _HIGH - 74
    times = [time for curve in curves for time in curve.milliseconds]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    high = max(high, low + 1)
    first, last = math.log10(sizes[0]), math.log10(max(sizes[-1], sizes[0] * 10))

    def x(size: float) -> float:
        return inner_left + inner_width * (math.log10(size) - first) / (last - first)

    def y(time: float) -> float:
        return inner_top + inner_height * (1 - (math.log10(time) - low) / (high - low))

    parts = [
        f'<text x="{inner_left}" y="{top + 20}" font-size="13" font-weight="600">{html.escape(name)}</text>'
    ]
    for power in range(low, high + 1):
        parts.append(
            f'<line x1="{inner_left}" x2="{inner_left + inner_width}" y1="{y(10.0**power):.1f}" '
            f'y2="{y(10.0**power):.1f}" '
            f'stroke="#e2ddd5"/><text x="{inner_left - 6}" y="{y(10.0**power) + 4:.1f}" '
            f'text-anchor="end">{10.0**power:g} ms</text>'
        )
    for size in sizes:
        parts.append(
            f'<text x="{x(size):.1f}" y="{inner_top + inner_height + 16}" '
            f'text-anchor="middle">1e{round(math.log10(size))}</text>'
        )
    for curve in curves:
        pairs = zip(sizes, curve.milliseconds, strict=True)
        points = " ".join(f"{x(size):.1f},{y(time):.1f}" for size, time in pairs)
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{_COLOURS[curve.label]}" stroke-width="2"/>'
        )
    for slow, fast in [(curves[0], curve) for curve in curves[1:]] + [(curves[1], c) for c in curves[2:]]:
        at = crossover(sizes, slow, fast)
        if at is not None and at > sizes[0]:
            time = _interpolated(sizes, fast.milliseconds, at)
            parts.append(
                f'<circle class="crossover" cx="{x(at):.1f}" cy="{y(time):.1f}" r="5" fill="none" '
                f'stroke="{_COLOURS[fast.label]}" stroke-width="2"><title>{html.escape(fast.label)} beats '
                f"{html.escape(slow.label)} from {at:,.0f} elements on</title></circle>"
            )
    return f'<g class="panel">{"".join(parts)}</g>'


def _interpolated(sizes: Sequence[int], times: Sequence[float], at: float) -> float:
    return float(10 ** np.interp(math.log10(at), np.log10(sizes), np.log10(times)))
