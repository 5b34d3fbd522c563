"""Single elements that are updated in place, integers that do not fit, and which of two mistakes is told."""

import numpy as np
import pytest
from twin import check


def updated(op, value, dtype, key, shape=(3,)):
    def body(xp):
        a = xp.array(np.arange(1, 1 + np.prod(shape)).reshape(shape).astype(dtype))
        exec(f"a[key] {op} value", {"a": a, "key": key, "value": value})
        return a

    return body


# On a GPU a single element is a view, as in CuPy, and keeps its dtype.
@pytest.mark.cpu
@pytest.mark.parametrize("op", ["+=", "-=", "*=", "/=", "//=", "%=", "**="])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "float32", "complex64"])
@pytest.mark.parametrize("value", [1, 2, 2.5, True], ids=str)
def test_an_element_is_updated_as_a_scalar(op, dtype, value):
    label = f"{dtype} {op} {value}"
    ulps = 2 if op == "**=" and dtype == "complex64" else 0
    # Of complex numbers there is no remainder, of booleans no difference.
    check(updated(op, value, dtype, 2), ulps=ulps, label=label, may_raise=TypeError)
    check(updated(op, value, dtype, (1, 1), (2, 3)), ulps=ulps, label=label, may_raise=TypeError)


@pytest.mark.parametrize("key", [slice(1, None), Ellipsis, slice(None)], ids=str)
def test_views_keep_their_dtype(key):
    check(updated("/=", 2, "int32", key), raises=TypeError)
    check(updated("+=", 1, "bool", key), raises=TypeError)


def test_arrays_without_axes_keep_their_dtype():
    def body(xp):
        a = xp.array(5)
        a /= 2
        return a

    check(body, raises=TypeError)


def test_an_element_that_is_updated_leaves_the_array():
    def body(xp):
        a = xp.array([1, 2, 3])
        x = a[1]
        x += 0.5
        y = next(iter(a))
        y /= 4
        return a, x, y

    check(body)


def test_an_element_beside_an_array_becomes_one():
    def body(xp):
        a = xp.array([1, 2, 3])
        x = a[1]
        x += xp.ones(3)
        return x

    check(body)


@pytest.mark.parametrize("op", ["add", "divide", "arctan2", "bitwise_and"])
def test_dtypes_are_refused_before_shapes(op):
    def into(xp):
        return getattr(xp, op)(xp.ones(3), xp.ones(4, "c16"), out=xp.zeros(5, "i4"))

    def in_place(xp):
        a = xp.ones((2, 3), "i4")
        a /= xp.ones(7)
        return a

    check(into, raises=TypeError)
    check(in_place, raises=TypeError)


WRONG = {
    "a position and a value": lambda a: a.__setitem__(9, 1j),
    "a position and NaN": lambda a: a.__setitem__((Ellipsis, 9), float("nan")),
    "a flat position and a value": lambda a: a.flat.__setitem__(99, 1j),
    "a flat value": lambda a: a.flat.__setitem__(1, 1j),
    "a flat infinity": lambda a: a.flat.__setitem__(1, float("inf")),
    "a flat sequence": lambda a: a.flat.__setitem__(1, [1, 0]),
    "a flat integer": lambda a: a.flat.__setitem__(1, 1000),
}


@pytest.mark.parametrize("case", WRONG)
def test_the_first_thing_that_is_wrong_is_told(case):
    told = (IndexError, TypeError, ValueError, OverflowError)
    check(lambda xp: WRONG[case](xp.arange(3, dtype="i1")), raises=told)


@pytest.mark.parametrize("axis", [0, -1, 1, 2])
def test_folds_of_nothing_tell_a_bad_axis_first(axis):
    told = (TypeError, np.exceptions.AxisError)
    check(lambda xp: xp.add.accumulate(xp.array(1), axis=axis), raises=told)
    check(lambda xp: xp.add.reduceat(xp.array(1), [0], axis=axis), raises=told)


def test_place_refuses_integers_that_do_not_fit():
    def body(xp):
        a = xp.arange(3, dtype="u1")
        xp.place(a, xp.array([True, False, True]), [-4, 3])
        return a

    check(body, raises=OverflowError)


def test_putmask_refuses_integers_that_do_not_fit():
    def body(xp):
        a = xp.arange(3, dtype="u1")
        xp.putmask(a, xp.array([True, False, True]), -4)
        return a

    check(body, raises=OverflowError)


@pytest.mark.cpu
@pytest.mark.parametrize(
    "call",
    [
        lambda xp, x, out: xp.sum(x, out=out),
        lambda xp, x, out: xp.add(x[0, ...], 1, out=out),
        lambda xp, x, out: xp.add.reduce(x, out=out),
        lambda xp, x, out: x.max(out=out),
        lambda xp, x, out: xp.argmin(x, out=out),
    ],
    ids=["sum", "add", "reduce", "max", "argmin"],
)
def test_a_single_element_takes_no_result(call):
    """It is a copy: what is written into it would be lost."""

    def body(xp):
        a = xp.zeros(3)
        return call(xp, xp.arange(4.0), a[1])

    check(body, raises=TypeError)
