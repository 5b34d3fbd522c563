"""Pi by throwing points at a square: made, tested and counted on the device, beside NumPy.

python examples/monte_carlo_pi.py [--size small|medium|large|N]     N: points
"""

import math
from types import ModuleType

import numpy as np
from kit import best_ms, parse, table

import cuprum as cp

BATCH = 5_000_000
"""Points at a time: the memory needed does not grow with the number of points."""


def estimate(xp: ModuleType, points: int, seed: int) -> float:
    """Four times the share of random points that fall inside the quarter circle."""
    rng = xp.random.default_rng(seed)
    inside = 0
    for start in range(0, points, BATCH):
        count = min(BATCH, points - start)
        x, y = rng.random(count, dtype=np.float32), rng.random(count, dtype=np.float32)
        inside = inside + xp.count_nonzero(x * x + y * y <= 1.0)
    return 4 * float(inside) / points


def main() -> None:
    sizes = {"small": 50_000, "medium": 10_000_000, "large": 200_000_000}
    points = parse("Estimate pi from random points.", sizes).size
    rows = []
    for name, xp in (("Cuprum", cp), ("NumPy", np)):
        value = estimate(xp, points, seed=5)
        milliseconds = best_ms(lambda xp=xp: estimate(xp, points, seed=5), repeats=3)
        rows.append((name, f"{value:.6f}", f"{abs(value - math.pi):.6f}", milliseconds))
    expected = 4 * math.sqrt(math.pi / 4 * (1 - math.pi / 4) / points)
    print(f"{points:,} points; an error of about {expected:.6f} is to be expected\n")
    table(("library", "estimate", "error", "ms"), rows)
    assert abs(float(rows[0][1]) - math.pi) < 6 * expected
    assert estimate(cp, points, seed=5) == estimate(cp, points, seed=5), "the same seed, the same points"


if __name__ == "__main__":
    main()
