"""The memory-bandwidth floor: how fast this machine can move bytes, measured in the run it is used in.

No array library can finish an operation sooner than its inputs can be read and its output written once.
`measure` finds the rate, the rows of `table.py` know the bytes, and the quotient is the floor in the table.
"""

import sys

import cuprum.testing


def measure() -> float:
    """Bytes per second of a triad with non-temporal stores on all threads: the best of five rounds.

    The best, because other work on the machine can only make it slower, and a floor that is too high
    would flatter the table. Arrays of 256 MB, because a cache must not take part.
    """
    return cuprum.testing.bandwidth()


def seconds(bytes_moved: int, bandwidth: float) -> float:
    """The least time in which `bytes_moved` bytes can cross the memory bus."""
    return bytes_moved / bandwidth


if __name__ == "__main__":
    sys.stdout.write(f"{measure() / 1e9:.1f} GB/s\n")
