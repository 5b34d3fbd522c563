"""A Mandelbrot image as a kernel in Python, for the `cuda` module of Cuprum or of Numba."""

from typing import Any

cuda: Any = None


def jitted(module: Any) -> Any:
    """The kernel, made by `module.jit`. Numba's simulator puts its own module in place of a global `cuda`."""
    global cuda
    cuda = module
    return module.jit(kernel)


def kernel(out, width, height, most):
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
