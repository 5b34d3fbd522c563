"""The Mandelbrot set with masks: only the points still inside are iterated. Written as a PNG file.

python examples/mandelbrot.py [--size small|medium|large|N] [--folder DIR]     N: pixels a side
"""

import time
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from kit import parse
from kit.pictures import to_colour, write_png

import cuprum as cp

ITERATIONS = 100


def escape_times(xp: ModuleType, side: int, iterations: int) -> Any:
    """How soon each point of the plane escapes, smoothed between the whole steps; 0 where it never does."""
    across, down = xp.meshgrid(xp.linspace(-2.1, 0.6, side), xp.linspace(-1.35, 1.35, side))
    c = across + 1j * down
    z = xp.zeros_like(c)
    times = xp.zeros(c.shape)
    inside = xp.ones(c.shape, dtype=bool)
    for step in range(iterations):
        z[inside] = z[inside] ** 2 + c[inside]
        escaped = inside & (xp.abs(z) > 2.0)
        times[escaped] = step + 1 - xp.log2(xp.log(xp.abs(z[escaped])))
        inside &= ~escaped
        if not inside.any():
            break
    return times


def main() -> None:
    sizes = {"small": 64, "medium": 600, "large": 2000}
    arguments = parse("Draw the Mandelbrot set.", sizes, folder="where the PNG file goes (default: here)")
    side = arguments.size
    seconds = {}
    for name, xp in (("Cuprum", cp), ("NumPy", np)):
        began = time.perf_counter()
        times = escape_times(xp, side, ITERATIONS)
        total = float(times.sum())
        seconds[name] = time.perf_counter() - began
        print(f"{name:7} {seconds[name] * 1e3:10.1f} ms   mean escape time {total / side**2:.6f}")
    print(f"{seconds['NumPy'] / seconds['Cuprum']:.1f} times NumPy's speed")

    times = cp.maximum(escape_times(cp, side, ITERATIONS), 0)
    folder = Path(arguments.folder or ".")
    folder.mkdir(parents=True, exist_ok=True)
    print(write_png(folder / "mandelbrot.png", to_colour(cp.sqrt(times / ITERATIONS))))
    np.testing.assert_allclose(
        float(escape_times(cp, 64, 50).sum()),
        escape_times(np, 64, 50).sum(),
        rtol=1e-9,
        err_msg="beside NumPy",
    )


if __name__ == "__main__":
    main()
