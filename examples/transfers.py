"""What copies to and from the device cost: the same sum with and without needless round trips.

    python examples/transfers.py [--size small|medium|large|N]

Every copy is counted, so a program can be checked for round trips on a machine that has no GPU, where a copy
is cheap and would go unnoticed.
"""

import numpy as np
from kit import best_ms, parse, table

import cuprum as cp

STEPS = 10


def with_round_trips(data: np.ndarray) -> float:
    """Every step fetches its result and sends it again."""
    current = data
    for _ in range(STEPS):
        on_device = cp.asarray(current)
        current = cp.asnumpy(cp.sqrt(on_device * on_device + 1.0))
    return float(current.sum())


def on_the_device(data: np.ndarray) -> float:
    """The data goes over once, one number comes back."""
    current = cp.asarray(data)
    for _ in range(STEPS):
        current = cp.sqrt(current * current + 1.0)
    return float(current.sum())


def made_there(size: int) -> float:
    """Nothing goes over at all: the data is made where it is needed."""
    current = cp.random.default_rng(3).random(size)
    for _ in range(STEPS):
        current = cp.sqrt(current * current + 1.0)
    return float(current.sum())


def main() -> None:
    sizes = {"small": 10_000, "medium": 4_000_000, "large": 40_000_000}
    size = parse("Count and time copies to and from the device.", sizes).size
    data = np.random.default_rng(3).random(size)
    ways = {
        "a round trip a step": lambda: with_round_trips(data),
        "over once": lambda: on_the_device(data),
        "made there": lambda: made_there(size),
    }
    rows = []
    for name, way in ways.items():
        with cp.cuda.count_transfers() as counted:
            way()
        to_device = f"{counted.to_device_calls} / {counted.to_device_bytes / 1e6:.2f} MB"
        to_host = f"{counted.to_host_calls} / {counted.to_host_bytes / 1e6:.2f} MB"
        rows.append((name, to_device, to_host, best_ms(way)))
    print(f"{STEPS} steps over {size:,} numbers ({data.nbytes / 1e6:.1f} MB)\n")
    table(("way", "to the device", "back", "ms"), rows)
    np.testing.assert_allclose(with_round_trips(data), on_the_device(data), rtol=1e-12)
    print("\nThe rule: send once, compute there, fetch the small result.")


if __name__ == "__main__":
    main()
