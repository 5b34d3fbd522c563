"""First steps: arrays are made, computed with, sliced, reduced and brought back, as in NumPy.

python examples/first_steps.py [--size small|medium|large|N]
"""

import numpy as np
from kit import parse

import cuprum as cp


def main() -> None:
    size = parse("Make arrays and compute with them.", {"small": 6, "medium": 1000, "large": 4000}).size

    print("From a list:      ", cp.array([1, 2, 3, 4, 5]))
    print("From NumPy:       ", cp.asarray(np.array([0.5, 1.5, 2.5])))
    print("By a rule:        ", cp.linspace(0, 1, 5), cp.arange(5), cp.zeros(3, dtype=cp.int32))
    array = cp.arange(12.0).reshape(3, 4)
    print("On the device:    ", array.device, array.dtype, array.shape)

    print("\nArithmetic works element by element, and numbers are spread over the array:")
    print(array * 2 + 1)
    print("A slice is a view; writing to it writes to the array:")
    array[1, 1:3] = -1
    print(array)
    print("A mask selects:   ", array[array < 0])
    print("Sums by column:   ", array.sum(axis=0), " largest of all:", float(array.max()))

    a = cp.random.default_rng(1).random((size, size))
    b = cp.eye(size) + a.T
    product = a @ b
    print(f"\n{size}x{size} matrix product: trace {float(cp.trace(product)):.6g}")
    x = cp.linalg.solve(b, a[0])
    print(f"Solved b x = a[0]: largest error {float(cp.abs(b @ x - a[0]).max()):.1e}")

    back = cp.asnumpy(product)
    print("Back in NumPy:    ", type(back).__name__, back.shape)
    np.testing.assert_allclose(back, cp.asnumpy(a) @ cp.asnumpy(b), rtol=1e-10)


if __name__ == "__main__":
    main()
