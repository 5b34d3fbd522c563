"""Prints the seconds that Numba's CUDA simulator would take for a Mandelbrot image: a small one's, scaled.

Run by `kernels.py` in a process of its own, since NUMBA_ENABLE_CUDASIM is read on import.
"""

import sys
import time

import mandelbrot
import numpy as np
from numba import cuda

SIDE = 24


def main() -> None:
    side, most = int(sys.argv[1]), int(sys.argv[2])
    out = np.zeros((SIDE, SIDE), np.int32)
    kernel = mandelbrot.jitted(cuda)
    begin = time.perf_counter()
    kernel[(SIDE // 8, SIDE // 8), (8, 8)](out, SIDE, SIDE, most)
    elapsed = time.perf_counter() - begin
    sys.stdout.write(str(elapsed * (side / SIDE) ** 2))


if __name__ == "__main__":
    main()
