"""Programs that go on: without a GPU, without CUDA's libraries, and when memory runs out.

python examples/missing_parts.py [--size small|medium|large|N]     N: elements that are asked for at once
"""

from typing import Any

from kit import parse

import cuprum as cp


def describe_device() -> None:
    """Say what the program runs on. Nothing here needs a GPU; `is_available` says whether there is one."""
    if cp.cuda.is_available():
        print(f"CUDA is there, with {cp.cuda.runtime.getDeviceCount()} devices")
    else:
        print("No CUDA device: the CPU stands in, and the program below needs no other branch")
    properties = cp.cuda.runtime.getDeviceProperties(0)
    print(f"Device 0: {properties['name'].decode()}, {properties['multiProcessorCount']} processors")
    free, total = cp.cuda.runtime.memGetInfo()
    print(f"Memory: {free / 1e9:.1f} of {total / 1e9:.1f} GB free")


def total_of_squares(size: int) -> tuple[float, int]:
    """Sum the squares below `size`, in as many pieces as the memory asks for."""
    pieces = 1
    while True:
        try:
            step = -(-size // pieces)
            total = 0.0
            for start in range(0, size, step):
                part = cp.arange(start, min(start + step, size), dtype=cp.float64)
                total += float((part * part).sum())
            return total, pieces
        except cp.cuda.memory.OutOfMemoryError as error:
            print(f"  {pieces} pieces: {error}")
            cp.get_default_memory_pool().free_all_blocks()
            pieces *= 2


def main() -> None:
    size = parse(
        "Handle what may be missing.", {"small": 100_000, "medium": 4_000_000, "large": 40_000_000}
    ).size
    describe_device()

    pool: Any = cp.get_default_memory_pool()
    before = pool.get_limit()
    pool.free_all_blocks()
    pool.set_limit(size=pool.used_bytes() + 4 * size)
    print(f"\nThe squares below {size:,} need {8 * size / 1e6:.1f} MB; {4 * size / 1e6:.1f} MB are allowed:")
    try:
        total, pieces = total_of_squares(size)
    finally:
        pool.set_limit(size=before)
    exact = (size - 1) * size * (2 * size - 1) // 6
    print(f"  done in {pieces} pieces: {total:.6e}, exactly {exact:.6e}")
    assert pieces > 1
    assert abs(total - exact) <= 1e-12 * exact


if __name__ == "__main__":
    main()
