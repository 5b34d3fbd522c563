"""Heat spreading over a plate: a five-point stencil of slices, with the plate updated in place.

    python examples/heat_equation.py [--side N] [--steps N]

`plate[1:-1, 1:-1] += ...` reads the cells that it writes. The result is as if the whole right-hand side
had been computed first, as in NumPy.
"""

import argparse
import time
from types import ModuleType
from typing import Any

import numpy as np

import cuprum as cp

RATE = 0.2
"""Share of the difference that flows to each neighbour in one step; stable up to 0.25."""


def make_plate(xp: ModuleType, side: int) -> Any:
    """A cold plate with a hot upper edge and a hot square in its middle."""
    plate = xp.zeros((side, side))
    plate[0, :] = 100.0
    third = side // 3
    plate[third : 2 * third, third : 2 * third] = 50.0
    return plate


def step(plate: Any) -> None:
    """One explicit Euler step; the edges keep their temperature."""
    inner = plate[1:-1, 1:-1]
    neighbours = plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
    inner += RATE * (neighbours - 4 * inner)


def simulate(xp: ModuleType, side: int, steps: int) -> tuple[Any, float]:
    """The plate after `steps` steps, and the seconds they took."""
    plate = make_plate(xp, side)
    began = time.perf_counter()
    for _ in range(steps):
        step(plate)
    float(plate[side // 2, side // 2])
    return plate, time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description="Simulate heat spreading over a plate.")
    parser.add_argument("--side", type=int, default=1000, help="cells along each edge (default 1000)")
    parser.add_argument("--steps", type=int, default=50, help="time steps (default 50)")
    arguments = parser.parse_args()
    if arguments.side < 3:
        parser.error("--side must be at least 3")

    ours, cuprum_seconds = simulate(cp, arguments.side, arguments.steps)
    theirs, numpy_seconds = simulate(np, arguments.side, arguments.steps)
    print(
        f"{arguments.steps} steps on {arguments.side} x {arguments.side} cells, device {cp.info()['device']}"
    )
    print(f"mean temperature {float(ours.mean()):.6f}, NumPy {float(theirs.mean()):.6f}")
    print(f"time {cuprum_seconds * 1e3:.1f} ms, NumPy {numpy_seconds * 1e3:.1f} ms")
    np.testing.assert_allclose(cp.asnumpy(ours), theirs, rtol=1e-12, atol=1e-12)
    print("Both agree.")


if __name__ == "__main__":
    main()
