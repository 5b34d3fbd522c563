"""Prints the seconds that Numba's CUDA simulator would take for a Mandelbrot image: a small one's, scaled.

Run by `kernels.py` in a process of its own, since NUMBA_ENABLE_CUDASIM is read on import.
"""

import sys
import time

import numpy as np
from numba import cuda

SIDE = 24


@cuda.jit
def mandelbrot(out, width, height, most):
    px, py = cuda.grid(2)
    if px < width and py < height:
        cx = -2.0 + 3.0 * px / width
        cy = -1.5 + 3.0 * py / height
        x = 0.0
        y = 0.0
        n = 0
        while n < most and x * x + y * y <= 4.0:
            t = x * x - y * y + cx
            y = 2.0 * x * y + cy
            x = t
            n += 1
        out[py, px] = n


def main() -> None:
    side, most = int(sys.argv[1]), int(sys.argv[2])
    out = np.zeros((SIDE, SIDE), np.int32)
    begin = time.perf_counter()
    mandelbrot[(SIDE // 8, SIDE // 8), (8, 8)](out, SIDE, SIDE, most)
    elapsed = time.perf_counter() - begin
    sys.stdout.write(str(elapsed * (side / SIDE) ** 2))


if __name__ == "__main__":
    main()
