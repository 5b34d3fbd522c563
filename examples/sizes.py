"""Where it pays: Cuprum beside NumPy over sizes, as a table and a chart.

python examples/sizes.py [--size small|medium|large|N] [--folder DIR]     N: the largest size
"""

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from kit import best_ms, parse, table
from kit.pictures import write_chart

import cuprum as cp


def magnitude(xp: ModuleType, a: Any, b: Any) -> Any:
    return xp.sqrt(a**2 + b**2)


def main() -> None:
    sizes = {"small": 10_000, "medium": 4_000_000, "large": 40_000_000}
    arguments = parse("Time an expression over sizes.", sizes, folder="where the chart goes (default: here)")
    rows = []
    size = 100
    while size <= arguments.size:
        a, b = np.random.default_rng(size).random((2, size))
        ours_a, ours_b = cp.asarray(a), cp.asarray(b)
        np.testing.assert_array_equal(cp.asnumpy(magnitude(cp, ours_a, ours_b)), magnitude(np, a, b))
        # Small arrays are done in a microsecond: many of them are timed together.
        loops = max(1, 20_000 // size)
        ours = best_ms(lambda: [magnitude(cp, ours_a, ours_b) for _ in range(loops)]) / loops  # noqa: B023
        theirs = best_ms(lambda: [magnitude(np, a, b) for _ in range(loops)]) / loops  # noqa: B023
        rows.append((f"{size:,}", theirs, ours, theirs / ours))
        size *= 10
    table(("elements", "NumPy ms", "Cuprum ms", "speed-up"), rows)
    folder = Path(arguments.folder or ".")
    folder.mkdir(parents=True, exist_ok=True)
    series = {"NumPy": [row[1] for row in rows], "Cuprum": [row[2] for row in rows]}
    elements = [float(row[0].replace(",", "")) for row in rows]
    print(write_chart(folder / "sizes.svg", "sqrt(a**2 + b**2)", elements, series, "milliseconds"))


if __name__ == "__main__":
    main()
