"""Corners of reductions and ufuncs that NumPy answers in ways of its own.

Axes of single values, `initial=None`, integer dtypes of moments, loops that `dtype` may name, numbers in
`at`, and what `ldexp` makes of integers.
"""

import numpy as np
import pytest
from twin import ALL_DTYPES, INTEGERS, check, collect, twin

SINGLE = ["sum", "prod", "max", "min", "any", "all", "ptp", "mean", "var", "std", "median", "count_nonzero"]
NAN_FORMS = ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd", "nanmedian"]


@pytest.mark.parametrize("axis", [0, -1, 1, (), (0,), (-1,), (1,), None], ids=repr)
@pytest.mark.parametrize("name", SINGLE + NAN_FORMS)
def test_axes_of_a_single_value(name, axis):
    check(lambda xp: getattr(xp, name)(xp.array(3.0), axis=axis), may_raise=np.exceptions.AxisError)


@pytest.mark.parametrize("axis", [0, (0,), (-1,), ()], ids=repr)
@pytest.mark.parametrize("name", ["add", "maximum", "logical_or", "bitwise_and"])
def test_axes_of_a_single_value_reduced_by_a_ufunc(name, axis):
    check(lambda xp: getattr(xp, name).reduce(xp.array(3), axis=axis), may_raise=np.exceptions.AxisError)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "nansum", "nanprod", "nanmax", "nanmin"])
def test_initial_none_leaves_the_identity_out(name):
    def each(data, raises=None, **keywords):
        check(lambda xp: getattr(xp, name)(xp.array(data), initial=None, **keywords), raises=raises)
        if not name.startswith("nan"):
            check(lambda xp: getattr(xp.array(data), name)(initial=None, **keywords), raises=raises)

    each([1.0, 2.0, 3.0])
    each([], raises=ValueError)
    each([[1.0, 2.0], [3.0, 4.0]], axis=0)
    each(np.zeros((0, 3)), axis=1)
    each(np.zeros((0, 3)), axis=0, raises=ValueError)
    check(
        lambda xp: getattr(xp, name)(xp.array([1.0, 2.0]), initial=None, where=xp.array([True, False])),
        raises=ValueError,
    )


@pytest.mark.parametrize("name", ["add", "multiply", "logical_and", "logical_or", "bitwise_or", "maximum"])
def test_initial_none_of_ufuncs(name):
    for data in ([3, 5], [], [[1, 2], [3, 4]]):
        check(
            lambda xp, d=data: getattr(xp, name).reduce(xp.array(d, dtype=int), initial=None),
            may_raise=ValueError,
        )


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "uint8"])
@pytest.mark.parametrize("name", ["mean", "var", "std"])
def test_moments_in_integer_dtypes(name, dtype):
    whole = [[1, 2, 5], [3, 4, 4], [7, 0, 3]]
    with collect() as failures:
        for data in (whole, [[1.9, 2.2, 5.7], [0.9, 4.0, 4.5]], [[1 + 2j, 3j]]):
            for keywords in ({}, {"axis": 0}, {"axis": 1, "keepdims": True}):
                with failures:
                    check(
                        lambda xp, d=data, k=keywords: getattr(xp, name)(xp.array(d), dtype=dtype, **k),
                        label=f"{data} {keywords}",
                        may_raise=TypeError,
                    )
    check(lambda xp: getattr(xp, name)(xp.array(whole), dtype=dtype, axis=0, out=xp.zeros(3)))
    check(
        lambda xp: getattr(xp, name)(xp.array(whole), dtype=dtype, axis=0, out=xp.zeros(3, int)),
        may_raise=TypeError,
    )
    check(lambda xp: getattr(xp, name)(xp.array(whole), dtype=dtype, where=xp.array([True, False, True])))


DTYPE_TEXTS = [
    "xp.frexp(xp.ones(2), dtype='float32')",
    "xp.frexp(xp.ones(2), dtype='float64')",
    "xp.frexp(xp.ones(2), signature='d->di')",
    "xp.modf(xp.ones(2), dtype='float64')",
    "xp.divmod(xp.ones(2), 2, dtype='float64')",
    "xp.absolute(xp.ones(2, 'complex128'), dtype='complex128')",
    "xp.absolute(xp.ones(2, 'complex128'), dtype='float64')",
    "xp.absolute(xp.ones(2, 'complex128'), dtype='float32')",
    "xp.absolute(xp.ones(2, 'complex128'), dtype='int64')",
    "xp.absolute(xp.ones(2, 'complex64'), dtype='float64')",
    "xp.absolute(xp.ones(2, 'complex64'), dtype='float32')",
    "xp.absolute(xp.ones(2), dtype='complex128')",
    "xp.absolute(xp.ones(2, 'complex128'), signature='d->d')",
    "xp.absolute(1j, dtype='float32')",
    "xp.bitwise_count(xp.array([3, 7]), dtype='uint8')",
    "xp.bitwise_count(xp.array([3, 7]), dtype='int32')",
    "xp.bitwise_count(xp.array([3, 7]), signature='B->B')",
    "xp.equal(xp.ones(2, 'int8'), 1, casting='equiv')",
    "xp.equal(xp.ones(2, 'float32'), 1, casting='equiv')",
    "xp.less(xp.ones(2, 'int8'), 300, casting='equiv')",
    "xp.less(xp.ones(2, 'int8'), xp.ones(2, 'uint64'), casting='equiv')",
    "xp.less(xp.ones(2, 'int64'), xp.ones(2, 'uint64'), casting='equiv')",
    "xp.less(xp.ones(2, bool), 2, casting='equiv')",
    "xp.add(xp.ones(2, 'int8'), 1, casting='equiv')",
]


@pytest.mark.parametrize("text", DTYPE_TEXTS)
def test_loops_that_a_keyword_names(text):
    check(lambda xp: eval(text, {"xp": xp}), may_raise=TypeError)


AT_NAMES = ["add", "subtract", "multiply", "divide", "maximum", "fmin", "power", "arctan2", "hypot", "less"]


@pytest.mark.parametrize("number", [1, 3, 300, -1, 0.1, 2.5, 1e300, 1j, True], ids=repr)
@pytest.mark.parametrize("name", [*AT_NAMES, "bitwise_or", "floor_divide", "logical_and"])
def test_numbers_in_at_have_dtypes_of_their_own(name, number):
    def body(xp, dtype):
        a = xp.array([1, 2, 3], dtype=dtype)
        getattr(xp, name).at(a, [0, 0, 2], number)
        return a

    ulps = 1 if name in ("power", "arctan2", "hypot") else 0
    with collect() as failures:
        for dtype in ALL_DTYPES:
            with failures:
                check(
                    lambda xp, d=dtype: body(xp, d),
                    ulps=ulps,
                    label=f"{name} {dtype}",
                    may_raise=(TypeError, ValueError),
                )


def test_ldexp_of_python_integers():
    with collect() as failures:
        for text in [
            "xp.ldexp(1, 2)",
            "xp.ldexp(1.5, 2)",
            "xp.ldexp(1, xp.array([2]))",
            "xp.ldexp(70000, xp.array([2]))",
            "xp.ldexp(1.5, xp.array([2]))",
            "xp.ldexp(True, xp.array([2]))",
            "xp.ldexp(xp.ones(1, 'float32'), 2**31 - 1)",
            "xp.ldexp(xp.ones(1, 'float32'), 2**31)",
            "xp.ldexp(xp.ones(1), -(2**31) - 1)",
            "xp.ldexp(xp.ones(1), xp.array([2**40]))",
            "xp.ldexp(xp.ones(1), 2, dtype='float32')",
            "xp.ldexp(xp.ones(1, 'float32'), 2, dtype='float64')",
            "xp.ldexp(xp.ones(1, 'int32'), xp.array([2]), dtype='float32')",
            "xp.ldexp(1, 2, dtype='float32')",
            "xp.ldexp(xp.ones(1), xp.ones(1, 'int32'), casting='equiv')",
            "xp.ldexp(xp.ones(1), xp.ones(1, 'int8'), casting='equiv')",
            "xp.ldexp(xp.ones(1), 2, casting='equiv')",
        ]:
            with failures:
                check(
                    lambda xp, t=text: eval(t, {"xp": xp}), label=text, may_raise=(OverflowError, TypeError)
                )


def test_ldexp_folds_integers():
    table = [[3, 1, 2], [1, 2, 3]]
    check(lambda xp: xp.ldexp.reduce(xp.array([3, 1, 2])))
    check(lambda xp: xp.ldexp.reduce(xp.array([3, 1, 2], dtype="int8")))
    check(lambda xp: xp.ldexp.reduce(xp.array([3, 1, 2]), initial=5))
    check(lambda xp: xp.ldexp.reduce(xp.array([3, 1, 2]), keepdims=True))
    check(lambda xp: xp.ldexp.reduce(xp.array([3, 1, 2]), dtype="float32"))
    check(lambda xp: xp.ldexp.reduce(xp.array([3, 1, 2]), out=xp.array(0.0)))
    check(lambda xp: xp.ldexp.reduce(xp.array([], dtype=int)), raises=ValueError)
    check(lambda xp: xp.ldexp.reduce(xp.array([], dtype=int), initial=2))
    check(lambda xp: xp.ldexp.reduce(xp.array([1.0, 2.0])), raises=TypeError)
    for axis in (0, 1, -1, None):
        check(lambda xp, x=axis: xp.ldexp.reduce(xp.array(table), axis=x), may_raise=ValueError)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", *INTEGERS])
@twin()
def test_ldexp_at(xp, dtype):
    a = xp.array([1, 2, 3], dtype=dtype)
    xp.ldexp.at(a, [0, 0, 2], [1, 2, 3])
    b = xp.ones((3, 2), dtype=dtype)
    xp.ldexp.at(b, xp.array([2, 0, 2, 2]), xp.array([[1, 2], [3, 1], [0, 1], [1, 1]]))
    c = xp.array([1, 2, 3], dtype=dtype)
    xp.ldexp.at(c, [True, False, True], 1)
    xp.ldexp.at(c, slice(1, None), 1)
    return a, b, c


@twin()
def test_ldexp_at_overflows_in_turn(xp):
    a = xp.ones(1)
    xp.ldexp.at(a, [0, 0], [2000, -2000])
    return a


MASKS = [(3,), (1, 3), (2, 3), (1,), (), (2, 1), (3, 1, 1)]


REDUCED = ["sum", "prod", "max", "any", "all", "mean", "var", "nansum", "nanmean", "nanmax"]


@pytest.mark.parametrize("shape", [(3,), (1, 3), (2, 3), (1,), ()], ids=repr)
@pytest.mark.parametrize("name", REDUCED)
def test_masks_are_stretched_to_the_elements_and_never_they_to_the_mask(name, shape):
    first = {"initial": -1} if name in ("max", "nanmax") else {}
    with collect() as failures:
        for mask in MASKS:
            # The moments of a single value have no axis; with a mask NumPy overlooks that.
            for axis in (None, 0, -1) if shape or name not in ("mean", "var") else (None,):
                with failures:
                    check(
                        lambda xp, m=mask, x=axis: getattr(xp, name)(
                            xp.ones(shape), axis=x, where=xp.ones(m, dtype=bool), **first
                        ),
                        label=f"{mask} {axis}",
                        may_raise=ValueError,
                    )


SINGLE_UFUNCS = [
    "add",
    "multiply",
    "hypot",
    "gcd",
    "lcm",
    "logaddexp",
    "maximum",
    "bitwise_and",
    "logical_or",
    "logical_xor",
]


@pytest.mark.parametrize("name", SINGLE_UFUNCS)
def test_a_single_element_meets_the_identity(name):
    values = [-4, 6, 0] if name in ("gcd", "lcm", "bitwise_and") else [-4.0, 2.5, 0.0, np.nan]
    with collect() as failures:
        for value in values:
            for shape, keywords in [
                ((), {}),
                ((1,), {}),
                ((1,), {"axis": ()}),
                ((3,), {"axis": ()}),
                ((1, 3), {}),
                ((3, 1), {"axis": 1, "keepdims": True}),
                ((1,), {"initial": None}),
                ((1,), {"initial": 3}),
            ]:
                with failures:
                    check(
                        lambda xp, v=value, s=shape, k=keywords: getattr(xp, name).reduce(xp.full(s, v), **k),
                        label=f"{value} {shape} {keywords}",
                    )


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "nansum", "cumsum"])
def test_negative_zeros_that_are_summed(name):
    for shape in [(), (1,), (2,), (1, 2), (2, 1)]:
        check(lambda xp, s=shape: getattr(xp, name)(xp.full(s, -0.0)), label=str(shape))
        if shape:
            check(lambda xp, s=shape: getattr(xp, name)(xp.full(s, -0.0), axis=0), label=f"{shape} axis 0")
