"""A noisy signal is smoothed, thresholded and summarised, on Cuprum and on NumPy, by the same function.

    python examples/pipeline.py [--size small|medium|large|N] [--programs]

Shows the device, the time beside NumPy's, and what Cuprum fused: some two dozen array operations
become a few passes over memory.
"""

import argparse
import time
from types import ModuleType
from typing import Any

import numpy as np

import cuprum as cp

WEIGHTS = (1, 2, 3, 4, 3, 2, 1)
"""The smoothing window, a triangle."""
REPEATS = 3
SIZES = {"small": 20_000, "medium": 4_000_000, "large": 40_000_000}


def make_signal(size: int) -> np.ndarray:
    """Bursts of a sine wave, buried in noise of their own strength."""
    rng = np.random.default_rng(7)
    t = np.arange(size) * (200 / size)
    bursts = np.sin(2 * np.pi * 5 * t) * (np.sin(2 * np.pi * 0.05 * t) > 0.6)
    return bursts + rng.normal(0.0, 0.5, size)


def smooth(signal: Any) -> Any:
    """A weighted moving average, written as a sum of shifted slices."""
    kept = signal.size - len(WEIGHTS) + 1
    total = WEIGHTS[0] * signal[:kept]
    for shift, weight in enumerate(WEIGHTS[1:], start=1):
        total = total + weight * signal[shift : shift + kept]
    return total / sum(WEIGHTS)


def analyse(xp: ModuleType, signal: Any) -> dict[str, float]:
    """Smooth, threshold at one standard deviation, and summarise. `xp` is NumPy or Cuprum."""
    smoothed = smooth(signal)
    level = smoothed.std()
    loud = xp.abs(smoothed - smoothed.mean()) > level
    energy = xp.where(loud, smoothed * smoothed, 0.0)
    return {
        "threshold": float(level),
        "share above it": float(loud.mean()),
        "crossings": int((loud[1:] != loud[:-1]).sum()),
        "energy above it": float(energy.sum()),
        "peak": float(xp.abs(smoothed).max()),
    }


def best_time(xp: ModuleType, signal: Any) -> tuple[float, dict[str, float]]:
    """The shortest of a few runs, and their result. The first run warms caches and pools up."""
    result = analyse(xp, signal)
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        result = analyse(xp, signal)
        times.append(time.perf_counter() - began)
    return min(times), result


def parse_size(text: str) -> int:
    """A size by name or in digits."""
    if text not in SIZES and not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number nor one of {', '.join(SIZES)}")
    size = SIZES[text] if text in SIZES else int(text)
    if size <= len(WEIGHTS):
        raise argparse.ArgumentTypeError(f"at least {len(WEIGHTS) + 1} samples are needed, not {size}")
    return size


def shorten(text: str, width: int = 96) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def print_programs(programs: list[str], in_full: bool) -> None:
    print(f"\nWhat was fused: {len(programs)} programs")
    for number, program in enumerate(programs, start=1):
        lines = [line for line in str(program).splitlines() if line.strip()]
        if in_full:
            print(f"\nprogram {number}", *lines, sep="\n  ")
        elif lines:
            print(f"  {number}. {len(lines):3} lines: {shorten(lines[0].strip())}")
    if not in_full:
        print("  (--programs prints them whole)")


def main() -> None:
    parser = argparse.ArgumentParser(description="Smooth, threshold and summarise a noisy signal.")
    parser.add_argument(
        "--size", type=parse_size, default="medium", help=f"{', '.join(SIZES)} or a number of samples"
    )
    parser.add_argument("--programs", action="store_true", help="print the fused programs whole")
    arguments = parser.parse_args()

    on_host = make_signal(arguments.size)
    on_device = cp.asarray(on_host)
    with cp.fusion_log() as programs:
        analyse(cp, on_device)
    cuprum_seconds, ours = best_time(cp, on_device)
    numpy_seconds, theirs = best_time(np, on_host)

    info = cp.info()
    print(f"Device: {info['device']}, {info['threads']} threads, {info['simd']}")
    print(f"Signal: {arguments.size:,} samples of float64\n")
    print(f"{'':16} {'Cuprum':>14} {'NumPy':>14}")
    for name, value in ours.items():
        print(f"{name:16} {value:14.6g} {theirs[name]:14.6g}")
    print(f"{'time':16} {cuprum_seconds * 1e3:11.2f} ms {numpy_seconds * 1e3:11.2f} ms")
    print(f"{'':16} {numpy_seconds / cuprum_seconds:10.1f} times NumPy's speed")
    print_programs(list(programs), arguments.programs)

    for name, value in ours.items():
        np.testing.assert_allclose(value, theirs[name], rtol=1e-9, err_msg=name)


if __name__ == "__main__":
    main()
