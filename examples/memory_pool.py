"""The memory pool: what is in use, what is kept for later, how to give it back, and how to set a limit.

python examples/memory_pool.py [--size small|medium|large|N]     N: elements of an array
"""

from kit import parse, table

import cuprum as cp

ARRAYS = 4


def main() -> None:
    sizes = {"small": 200_000, "medium": 4_000_000, "large": 40_000_000}
    size = parse("Watch the memory pool at work.", sizes).size
    pool = cp.get_default_memory_pool()
    pool.free_all_blocks()
    rows = []

    def note(moment: str) -> None:
        rows.append((moment, pool.used_bytes() / 1e6, pool.free_bytes() / 1e6, pool.n_free_blocks()))

    note("at the start")
    arrays = [cp.zeros(size) + number for number in range(ARRAYS)]
    cp.cuda.Device().synchronize()
    note(f"{ARRAYS} arrays of {size * 8 / 1e6:.0f} MB")
    del arrays
    note("arrays dropped: the pool keeps the blocks")
    again = cp.ones(size)
    cp.cuda.Device().synchronize()
    note("a new array takes one of them")
    del again
    pool.free_all_blocks()
    note("free_all_blocks(): back to the system")
    table(("moment", "used MB", "kept MB", "free blocks"), rows)

    limit = pool.used_bytes() + size * 8 * 2
    before = pool.get_limit()
    pool.set_limit(size=limit)
    print(f"\nWith a limit of {limit / 1e6:.1f} MB:")
    kept = []
    try:
        for _ in range(ARRAYS):
            kept.append(cp.full(size, 1.0))
            cp.cuda.Device().synchronize()
    except cp.cuda.memory.OutOfMemoryError as error:
        print(f"  {len(kept)} arrays fitted, then OutOfMemoryError: {error}")
    finally:
        pool.set_limit(size=before)
    print(f"  what was there is intact: sums {[float(array.sum()) for array in kept]}")
    assert 1 <= len(kept) < ARRAYS


if __name__ == "__main__":
    main()
