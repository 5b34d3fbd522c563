"""Members of enumerations in Python kernels: as arguments, compared, and chosen."""

import enum

import numpy as np
import pytest

from cuprum.compat.numba import cuda
from cuprum.compat.numba.cuda.core.errors import TypingError


def test_enumerations_as_arguments():
    class Colour(enum.Enum):
        RED = 1
        BLUE = 2

    @cuda.jit
    def kernel(out, colour):
        out[0] = colour == Colour.BLUE
        out[1] = colour is Colour.RED

    for colour in Colour:
        out = np.zeros(2, bool)
        kernel[1, 1](out, colour)
        assert out.tolist() == [colour is Colour.BLUE, colour is Colour.RED]


class Planet(enum.Enum):
    EARTH = 1
    MARS = 2.5
    VENUS = 7


def test_members_that_the_kernel_chooses():
    @cuda.jit(device=True)
    def chosen(near):
        if near:
            return Planet.EARTH
        return Planet.MARS

    @cuda.jit
    def kernel(out, x):
        i = cuda.grid(1)
        one = chosen(x[i] > 1)
        two = Planet.MARS if x[i] > 2 else Planet.VENUS
        if x[i] > 3:
            two = one
        out[i, 0] = one == Planet.EARTH
        out[i, 1] = one is two
        out[i, 2] = two is not Planet.VENUS
        out[i, 3] = two != one
        out[i, 4] = two.value
        out[i, 5] = one == 1

    x = np.arange(5)
    out = np.zeros((5, 6))
    kernel[1, 5](out, x)
    expected = []
    for number in x:
        one = Planet.EARTH if number > 1 else Planet.MARS
        two = one if number > 3 else Planet.MARS if number > 2 else Planet.VENUS
        row = (one == Planet.EARTH, one is two, two is not Planet.VENUS, two != one, two.value, one == 1)
        expected.append([float(item) for item in row])
    assert out.tolist() == expected

    @cuda.jit
    def ordered(out):
        out[0] = chosen(out[0] > 0) < Planet.MARS

    with pytest.raises(TypingError, match="cannot be compared with <"):
        ordered[1, 1](np.zeros(1))


class Shape(enum.IntEnum):
    CIRCLE = 1
    SQUARE = 2


class Number(enum.IntEnum):
    ONE = 1
    TWO = 2


@pytest.mark.parametrize(
    "pair", [(Shape.CIRCLE, Shape.CIRCLE), (Shape.CIRCLE, Shape.SQUARE), (Shape.SQUARE, Number.TWO)]
)
def test_members_of_two_enumerations_are_not_one_object(pair):
    def function(a, b, out):
        c = b
        out[0] = a == b
        out[1] = a is b
        out[2] = a is not c
        out[3] = a is Shape.SQUARE
        out[4] = b is Number.TWO
        out[5] = c is Shape.SQUARE
        out[6] = a + b == 4

    expected = np.zeros(7, bool)
    function(*pair, expected)
    out = np.zeros(7, bool)
    kernel = cuda.jit(function)
    for _ in range(3):
        kernel[1, 1](*pair, out)
    assert out.tolist() == expected.tolist()
