"""Keywords of ufunc calls: `casting` of inputs, `order="A"`, `where` with two results; and huge integers."""

import numpy as np
import pytest
from twin import ALL_DTYPES, check, collect, twin

CASTINGS = ["no", "equiv", "safe", "same_kind", "unsafe"]
UNARY = ["sqrt", "negative", "absolute", "exp", "floor", "isnan", "invert", "reciprocal"]
BINARY = ["add", "divide", "maximum", "power", "bitwise_and", "hypot", "less", "logical_and"]


@pytest.mark.parametrize("name", UNARY)
def test_casting_of_one_input(name):
    with collect() as failures:
        for dtype in ALL_DTYPES:
            for casting in CASTINGS:
                with failures:
                    check(
                        lambda xp, d=dtype, c=casting: getattr(xp, name)(xp.ones(2, d), casting=c).dtype,
                        label=f"{name} {dtype} {casting}",
                        may_raise=TypeError,
                    )


@pytest.mark.parametrize("name", BINARY)
def test_casting_of_two_inputs(name):
    some = ["bool", "int8", "uint8", "int64", "float16", "float32", "float64", "complex64"]
    with collect() as failures:
        for left in some:
            for right in some:
                for casting in CASTINGS:
                    with failures:
                        check(
                            lambda xp, a=left, b=right, c=casting: (
                                getattr(xp, name)(xp.ones(2, a), xp.ones(2, b), casting=c).dtype
                            ),
                            label=f"{name} {left} {right} {casting}",
                            may_raise=TypeError,
                        )


@pytest.mark.parametrize("number", [1, 2.5, 1j, True], ids=repr)
@pytest.mark.parametrize("casting", CASTINGS)
def test_casting_of_python_numbers(number, casting):
    with collect() as failures:
        for dtype in ALL_DTYPES:
            with failures:
                check(
                    lambda xp, d=dtype: xp.multiply(xp.ones(2, d), number, casting=casting).dtype,
                    label=f"{dtype} {number} {casting}",
                    may_raise=TypeError,
                )


@pytest.mark.parametrize("number", [7, 2.5, 1j, True], ids=repr)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float16", "float64", "complex64"])
def test_numbers_become_the_dtype_that_is_asked_for(number, dtype):
    check(lambda xp: xp.multiply(xp.ones(2, "bool"), number, dtype=dtype), may_raise=TypeError)
    check(lambda xp: xp.add(number, number, dtype=dtype), may_raise=TypeError)


@pytest.mark.parametrize("name", ["add", "divide", "power", "maximum"])
@pytest.mark.parametrize("number", [10**40, -(10**40), 2**127, -(2**127) - 1, 2**64, 10**400], ids=hex)
def test_integers_beyond_any_integer_dtype(name, number):
    """Beside floats they are floats of their value; beside integers they do not fit."""
    if name == "power" and abs(number) > 10**300:
        return
    with collect() as failures:
        for dtype in ["int16", "uint64", "float16", "float32", "float64", "complex64", "complex128"]:
            with failures:
                check(
                    lambda xp, d=dtype: getattr(xp, name)(xp.array([1, 2, 3], d), number),
                    ulps=2,
                    label=f"{name} {dtype} {number}",
                    may_raise=OverflowError,
                )


@twin()
def test_comparisons_with_huge_integers(xp):
    a = xp.arange(3)
    return a < 10**40, a == 10**400, a >= -(10**40), a != -(10**400), xp.greater(10**40, a)


@twin()
def test_huge_integers_in_place(xp):
    a = xp.ones(3)
    a -= 10**40
    b = xp.ones(3, "float32")
    b *= 10**40
    return a, b, xp.arange(3) / 10**40, xp.clip(xp.arange(3), -(10**40), 10**40)


@twin()
def test_python_integers_alone_have_their_own_dtype(xp):
    return xp.absolute(2**63), xp.invert(2**64 - 1), xp.bitwise_count(2**63), xp.sign(2**63)


@pytest.mark.parametrize("name", ["sqrt", "arctan", "frexp", "isnan"])
@twin(raises=TypeError)
def test_python_integers_alone_beyond_64_bits(xp, name):
    return getattr(xp, name)(2**64)


@pytest.mark.parametrize("layout", ["C", "F", "column", "strided", "row", "1-d"])
@pytest.mark.parametrize("other", ["C", "F", "scalar", "1-d"])
@twin()
def test_order_a_is_fortrans_where_every_operand_is(xp, layout, other):
    host = np.arange(12.0).reshape(3, 4)
    arrays = {
        "C": lambda: xp.array(host),
        "F": lambda: xp.array(host, order="F"),
        "column": lambda: xp.array(host[:, :1]),
        "strided": lambda: xp.array(np.repeat(host, 2, 1))[:, ::2].T.copy().T[:, ::1],
        "row": lambda: xp.array(host[:1]),
        "1-d": lambda: xp.array(host[0]),
        "scalar": lambda: 2.0,
    }
    return xp.add(arrays[layout](), arrays[other](), order="A"), xp.ceil(arrays[layout](), order="A")


@pytest.mark.parametrize("name", ["modf", "frexp"])
@pytest.mark.parametrize("shape", [(), (4,), (3, 1)])
@twin()
def test_where_broadcasts_with_several_results(xp, name, shape):
    where = xp.array(np.arange(12).reshape(3, 4) % 2 == 0)
    results = getattr(xp, name)(xp.full(shape, 6.25), where=where)
    return [xp.where(where, result, xp.zeros((), result.dtype)) for result in results]


@twin()
def test_divmod_with_where(xp):
    where = xp.array([True, False, True])
    quotient, rest = xp.divmod(xp.array(7), xp.array(2), where=where)
    return quotient[where], rest[where], quotient.shape


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 2)])
@twin()
def test_no_powers_no_negative_powers(xp, shape):
    return xp.power(xp.zeros(shape, "int32"), xp.array(-1)), xp.zeros(shape, "int64") ** xp.array([-1])


@twin(raises=ValueError)
def test_negative_powers_are_refused_after_the_casting_of_out(xp):
    return xp.power(xp.ones(2, "int32"), xp.array([-1, 1]), out=xp.zeros(2, "int8"))
