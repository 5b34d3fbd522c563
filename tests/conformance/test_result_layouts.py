"""Where results lie in memory: those of permuted, reversed and Fortran-ordered ones have NumPy's strides."""

import itertools

import numpy as np
import pytest
from twin import check, collect

NUMPY = tuple(int(part) for part in np.__version__.split(".")[:2])
ORDERS = list(itertools.permutations(range(3)))


def permuted(xp, shape, order, dtype="float64"):
    """An array whose axes lie in memory in an order, outermost first."""
    base = xp.arange(int(np.prod(shape)), dtype=dtype).reshape([shape[axis] for axis in order])
    return base.transpose([order.index(axis) for axis in range(len(shape))])


ONE = {
    "choose": lambda xp, a: xp.choose(a.astype(int) % 2, [a, a + 1]),
    "select": lambda xp, a: xp.select([a > 3, a > 1], [a, a + 1]),
    "piecewise": lambda xp, a: xp.piecewise(a, [a > 3], [1, 2]),
    "isin": lambda xp, a: xp.isin(a, [1, 2]),
    "isin of many": lambda xp, a: xp.isin(a, range(0, 40, 2), invert=True),
    "round": lambda xp, a: a.round(1),
    "round of integers": lambda xp, a: a.astype(int).round(-1),
    "gradient": lambda xp, a: xp.gradient(a),
    "packbits": lambda xp, a: xp.packbits(a.astype("uint8"), axis=1),
    "unpackbits": lambda xp, a: xp.unpackbits(a.astype("uint8"), axis=2),
    "reduceat": lambda xp, a: [xp.add.reduceat(a, [0, 1], axis=k) for k in range(3)],
    "reduceat of one segment": lambda xp, a: [xp.maximum.reduceat(a, [0], axis=k) for k in range(3)],
    "stack": lambda xp, a: [xp.stack([a, a], axis=k) for k in range(4)],
    "concatenate": lambda xp, a: xp.concatenate([a, a], axis=1),
    "where": lambda xp, a: xp.where(a > 3, a, 1.0),
    "cumsum": lambda xp, a: a.cumsum(1),
    "sort": lambda xp, a: xp.sort(a, 1),
    "take": lambda xp, a: a.take([0, 2], 1),
    "quantile": lambda xp, a: xp.quantile(a, 0.3, axis=1),
    "nanquantile": lambda xp, a: xp.nanquantile(a, 0.3, axis=1),
    "nanmedian": lambda xp, a: xp.nanmedian(a, axis=1),
    "pad": lambda xp, a: xp.pad(a, 1),
    "delete": lambda xp, a: xp.delete(a, 1, axis=1),
    "roll": lambda xp, a: xp.roll(a, 1, 1),
    "tile": lambda xp, a: xp.tile(a, (2, 1, 2)),
    "fft": lambda xp, a: xp.fft.fft(a, axis=1) * 0,
    "index by arrays": lambda xp, a: (a[[0, 1], [1, 2]], a[:, [0, 1]], a[[0, 1], :, [1, 2]], a[..., [0, 1]]),
    "index by a mask": lambda xp, a: (a[a > 3], a[:, xp.array([True, False, True])]),
    "matmul by a matrix": lambda xp, a: (xp.matmul(a, xp.ones((4, 2))), xp.matmul(xp.ones((2, 3)), a)),
    "matmul by a vector": lambda xp, a: (xp.matmul(a, xp.ones(4)), xp.matmul(xp.ones(3), a)),
    "sum": lambda xp, a: (a.sum(0), a.sum(1), a.sum(2), a.var(1), a.argmax(1), a.mean(0, keepdims=True)),
}


@pytest.mark.parametrize("name", ONE)
def test_one_permuted_argument(name):
    with collect() as failures:
        for order in ORDERS:
            with failures:
                check(lambda xp, o=order: ONE[name](xp, permuted(xp, (2, 3, 4), o)), ulps=4, label=str(order))


@pytest.mark.skipif(NUMPY >= (2, 5), reason="NumPy 2.5 has another layout for them")
def test_several_quantiles_of_permuted_arrays():
    for order in ORDERS:
        check(
            lambda xp, o=order: xp.quantile(permuted(xp, (2, 3, 4), o), [0.2, 0.3], axis=1),
            ulps=4,
            label=str(order),
        )


@pytest.mark.parametrize("name", ["stack", "concatenate", "choose", "where"])
def test_reversed_and_fortran_arguments(name):
    def arrays(xp):
        a = xp.arange(24.0).reshape(2, 3, 4)
        return a[::-1, :, ::-1], xp.asfortranarray(a), a[:, :, :1], xp.broadcast_to(a[:, :1], (2, 3, 4))

    for number in range(4):
        check(lambda xp, n=number: ONE[name](xp, arrays(xp)[n]), label=f"{name} {number}")


TWO = {
    "matmul": lambda xp, o, p: xp.matmul(permuted(xp, (2, 3, 4), o), permuted(xp, (2, 4, 5), p)),
    "take_along_axis": lambda xp, o, p: xp.take_along_axis(
        permuted(xp, (2, 3, 4), o), permuted(xp, (2, 3, 4), p, int) % 2, axis=0
    ),
    "take_along_axis broadcast": lambda xp, o, p: xp.take_along_axis(
        permuted(xp, (2, 3, 4), o), permuted(xp, (2, 1, 5), p, int) % 3, axis=2
    ),
    "cross": lambda xp, o, p: xp.cross(permuted(xp, (2, 4, 3), o), permuted(xp, (2, 4, 3), p)),
    "concatenate": lambda xp, o, p: xp.concatenate(
        [permuted(xp, (2, 3, 4), o), permuted(xp, (2, 3, 4), p)], axis=2
    ),
    "stack": lambda xp, o, p: xp.stack([permuted(xp, (2, 3, 4), o), permuted(xp, (2, 3, 4), p)], axis=1),
    "add": lambda xp, o, p: permuted(xp, (2, 3, 4), o) + permuted(xp, (2, 3, 4), p),
    "choose": lambda xp, o, p: xp.choose(
        permuted(xp, (2, 3, 4), o, int) % 2, [permuted(xp, (2, 3, 4), p), permuted(xp, (2, 3, 4), o)]
    ),
}


@pytest.mark.parametrize("name", TWO)
def test_two_permuted_arguments(name):
    with collect() as failures:
        for first, second in itertools.product(ORDERS, ORDERS):
            with failures:
                check(lambda xp, o=first, p=second: TWO[name](xp, o, p), ulps=4, label=f"{first} {second}")


@pytest.mark.parametrize("dtype", "bhlefdFD")
def test_products_with_a_number(dtype):
    def body(xp):
        matrix = xp.arange(12).reshape(4, 3).astype(dtype)
        matrices = [matrix.T, matrix[::-1].T, matrix[:, ::2].T, matrix, matrix[:1].T]
        cube = permuted(xp, (2, 3, 4), (2, 0, 1), dtype)
        found = [f(one, n) for one in (*matrices, cube) for n in (3, 2.5) for f in (xp.dot, xp.inner)]
        return found + [f(xp.array(3, "i1"), one) for one in (*matrices, cube) for f in (xp.dot, xp.inner)]

    check(body)
