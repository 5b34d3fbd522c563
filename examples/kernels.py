"""Kernels of your own: an expression, CUDA C with shared memory, Python, and a mistake that is found.

    python examples/kernels.py [--size small|large]

The same kernels run on a GPU and on a machine without one.
"""

from __future__ import annotations

import argparse

import numpy as np

import cuprum as cp

BLUR = r"""
extern "C" __global__ void blur(const float* x, float* y, int n) {
    __shared__ float tile[256 + 2];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = threadIdx.x + 1;
    tile[t] = i < n ? x[i] : 0.0f;
    if (threadIdx.x == 0) tile[0] = i > 0 ? x[i - 1] : 0.0f;
    if (threadIdx.x == blockDim.x - 1) tile[t + 1] = i + 1 < n ? x[i + 1] : 0.0f;
    __syncthreads();
    if (i < n) y[i] = (tile[t - 1] + tile[t] + tile[t + 1]) / 3.0f;
}
"""

TOO_FAR = r"""
extern "C" __global__ void shift(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i + 1];
}
"""


def expression(x: cp.ndarray) -> None:
    """One expression for every element, for any dtype."""
    damped = cp.ElementwiseKernel("T x, T rate", "T y", "y = x * exp(-rate * abs(x))", "damped")
    y = damped(x, 0.5)
    expected = x.get() * np.exp(-0.5 * np.abs(x.get()))
    print(f"ElementwiseKernel: largest difference to NumPy {np.abs(y.get() - expected).max():.1e}")


def cuda_c(x: cp.ndarray) -> None:
    """A kernel in CUDA C whose threads share what they have read."""
    blur = cp.RawKernel(BLUR, "blur")
    y = cp.empty_like(x)
    blur(((x.size + 255) // 256,), (256,), (x, y, x.size))
    padded = np.pad(x.get(), 1)
    expected = (padded[:-2] + padded[1:-1] + padded[2:]) / np.float32(3)
    print(f"RawKernel: {np.count_nonzero(y.get() != expected)} of {x.size} elements differ from NumPy")


@cp.jit
def mandelbrot(image, limit):
    """Count the steps until a point escapes: Python, compiled for the arrays that it gets."""
    i, j = cp.jit.grid(2)
    if i < image.shape[0] and j < image.shape[1]:
        c = complex(-2.0 + 3.0 * j / image.shape[1], -1.25 + 2.5 * i / image.shape[0])
        z = 0j
        steps = 0
        while steps < limit and z.real * z.real + z.imag * z.imag <= 4.0:
            z = z * z + c
            steps += 1
        image[i, j] = steps


def python(size: int) -> None:
    """A kernel in Python."""
    image = cp.zeros((size, size), dtype=cp.int32)
    mandelbrot[(-(-size // 16), -(-size // 16)), (16, 16)](image, 100)
    print(f"jit: {int((image == 100).sum())} of {image.size} points stay")


def mistake(x: cp.ndarray) -> None:
    """On the CPU, an access beside an array is an error; on a GPU, compute-sanitizer finds it."""
    if cp.cuda.is_available():
        print("A kernel's mistakes are found on the CPU: cuprum run --device cpu examples/kernels.py")
        return
    y = cp.empty_like(x)
    try:
        cp.RawKernel(TOO_FAR, "shift")((-(-x.size // 32),), (32,), (x, y))
    except cp.cuda.KernelError as error:
        print(str(error))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", choices=("small", "large"), default="large")
    small = parser.parse_args().size == "small"
    x = cp.random.default_rng(0).standard_normal(1024 if small else 1_000_000, dtype=cp.float32)
    expression(x)
    cuda_c(x)
    python(64 if small else 1000)
    mistake(cp.arange(1024, dtype=cp.float32))


if __name__ == "__main__":
    main()
