"""Promotion and casting against NumPy: every pair of dtypes, every casting kind, Python scalars."""

# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import itertools

import numpy as np
import pytest
from twin import ALL_DTYPES, FLOATS, INTEGERS, check, collect, dtype_name, twin

import cuprum as cp

CASTINGS = ["no", "equiv", "safe", "same_kind", "unsafe"]
PYTHON_SCALARS = [
    True,
    False,
    0,
    1,
    -1,
    127,
    128,
    -129,
    255,
    256,
    2**31,
    2**40,
    2**63,
    -(2**63),
    2**64,
    1.0,
    1e300,
    float("nan"),
    1j,
    1e300j,
]


def test_promote_types():
    with collect() as failures:
        for a, b in itertools.product(ALL_DTYPES, repeat=2):
            with failures:
                check(lambda xp: xp.promote_types(a, b), label=f"promote_types({a}, {b})")


def test_result_type_of_dtypes():
    with collect() as failures:
        for combo in itertools.product(ALL_DTYPES, repeat=2):
            with failures:
                check(lambda xp: xp.result_type(*[np.dtype(c) for c in combo]), label=f"result_type{combo}")


def test_result_type_of_three_dtypes_does_not_depend_on_their_order():
    """Promotion in pairs is not associative (int8, uint8, float16); NumPy promotes all at once."""
    with collect() as failures:
        for combo in itertools.product(
            ["bool", "int8", "uint8", "uint16", "uint64", "float16", "complex64"], repeat=3
        ):
            with failures:
                check(lambda xp: xp.result_type(*[np.dtype(c) for c in combo]), label=f"result_type{combo}")


def test_result_type_of_arrays():
    with collect() as failures:
        for a, b in itertools.product(ALL_DTYPES, repeat=2):
            with failures:
                check(
                    lambda xp: xp.result_type(xp.ones(2, a), xp.ones((), b)),
                    label=f"array {a}, 0-d array {b}",
                )
            with failures:
                check(lambda xp: xp.result_type(xp.ones(2, a), np.dtype(b)), label=f"array {a}, dtype {b}")
            with failures:
                check(
                    lambda xp: xp.result_type(xp.ones(2, a), np.dtype(b).type(1)),
                    label=f"array {a}, NumPy {b}",
                )


def test_result_type_with_python_scalars():
    """NEP 50: Python scalars are weak; only their kind counts, never their value."""
    with collect() as failures:
        for dtype, scalar in itertools.product(ALL_DTYPES, PYTHON_SCALARS):
            with failures:
                check(lambda xp: xp.result_type(np.dtype(dtype), scalar), label=f"{dtype}, {scalar!r}")
            with failures:
                check(
                    lambda xp: xp.result_type(scalar, xp.ones(3, dtype)), label=f"{scalar!r}, array {dtype}"
                )
        for a, b in itertools.product([True, 1, 1.0, 1j], repeat=2):
            with failures:
                check(lambda xp: xp.result_type(a, b), label=f"{a!r}, {b!r}")


@pytest.mark.parametrize("casting", CASTINGS)
def test_can_cast(casting):
    with collect() as failures:
        for a, b in itertools.product(ALL_DTYPES, repeat=2):
            with failures:
                check(
                    lambda xp: bool(xp.can_cast(a, b, casting=casting)),
                    label=f"can_cast({a}, {b}, {casting!r})",
                )


def test_can_cast_defaults_to_safe_and_refuses_python_scalars():
    check(lambda xp: (bool(xp.can_cast("int32", "int64")), bool(xp.can_cast("int64", "int32"))))
    check(lambda xp: xp.can_cast(1, "int8"), label="can_cast(1, int8)", raises=TypeError)
    check(lambda xp: xp.can_cast(1.0, "float32"), label="can_cast(1.0, float32)", raises=TypeError)
    check(
        lambda xp: xp.can_cast("int8", "int16", casting="perhaps"),
        label="an unknown casting",
        raises=ValueError,
    )


@pytest.mark.parametrize("casting", CASTINGS)
def test_astype_casting(casting):
    """astype refuses with TypeError exactly the casts that NumPy refuses."""
    with collect() as failures:
        for a, b in itertools.product(ALL_DTYPES, repeat=2):
            with failures:
                check(
                    lambda xp: xp.array([1, 0, 1]).astype(a).astype(b, casting=casting),
                    label=f"{a} to {b} {casting}",
                    may_raise=TypeError,
                )


def test_in_place_ops_cast_same_kind():
    with collect() as failures:
        for a, b in itertools.product(ALL_DTYPES, repeat=2):

            def body(xp, a=a, b=b):
                x = xp.ones(3, dtype=a)
                x += xp.ones(3, dtype=b)
                return x

            with failures:
                check(body, label=f"{a} += {b}", may_raise=TypeError)


def test_spellings_of_dtypes():
    """Names, characters, Python types and scalar types all mean a dtype, in creation and in astype."""
    spellings = [
        "bool",
        "?",
        "int8",
        "i1",
        "b",
        "int16",
        "i2",
        "int32",
        "i4",
        "int64",
        "i8",
        "q",
        "l",
        "uint8",
        "u1",
        "B",
        "uint16",
        "u2",
        "uint32",
        "u4",
        "uint64",
        "u8",
        "Q",
        "L",
        "float16",
        "f2",
        "e",
        "half",
        "float32",
        "f4",
        "f",
        "single",
        "float64",
        "f8",
        "d",
        "double",
        "float",
        "int",
        "complex64",
        "c8",
        "F",
        "complex128",
        "c16",
        "D",
        "complex",
        "<f4",
        "=i8",
        bool,
        int,
        float,
        complex,
        np.int8,
        np.uint64,
        np.float16,
        np.complex64,
        np.dtype("f4"),
        None,
    ]
    with collect() as failures:
        for spelling in spellings:
            with failures:
                check(lambda xp: xp.ones(2, dtype=spelling), label=f"ones(dtype={spelling!r})")
            with failures:
                check(lambda xp: xp.zeros(2).astype(spelling), label=f"astype({spelling!r})")


@pytest.mark.parametrize("spelling", ["float33", "i3", "no such type", 7, object()])
def test_what_is_no_dtype_raises_type_error(spelling):
    try:
        np.dtype(spelling)
    except TypeError:
        check(lambda xp: xp.ones(2, dtype=spelling), label=repr(spelling), raises=TypeError)
    else:
        with pytest.raises((TypeError, NotImplementedError)):
            cp.ones(2, dtype=spelling)


@pytest.mark.parametrize("spelling", ["O", "U5", "S3", object, str, bytes])
def test_dtypes_that_arrays_cannot_hold_raise_type_error(spelling):
    with pytest.raises(TypeError) as caught:
        cp.ones(2, dtype=spelling)
    assert str(caught.value)


def test_module_scalar_types():
    for name in [*ALL_DTYPES, "half", "single", "double"]:
        assert (
            dtype_name(np.dtype(getattr(cp, "bool_" if name == "bool" else name))) == np.dtype(name).name
        ), name


BF16_WITH = {
    "bool": "bfloat16",
    "int8": "bfloat16",
    "uint8": "bfloat16",
    "float32": "float32",
    "float64": "float64",
    "complex64": "complex64",
    "complex128": "complex128",
    "bfloat16": "bfloat16",
    "float16": "float32",
}


@pytest.mark.parametrize("other", BF16_WITH)
def test_bfloat16_promotes_to_the_smallest_type_that_holds_both(other):
    partner = cp.ones(2, dtype=cp.bfloat16 if other == "bfloat16" else other)
    for result in (cp.ones(2, dtype=cp.bfloat16) + partner, partner + cp.ones(2, dtype=cp.bfloat16)):
        assert dtype_name(result.dtype) == BF16_WITH[other]


def test_bfloat16_with_python_scalars_stays_bfloat16():
    x = cp.ones(2, dtype=cp.bfloat16)
    for result in (x + 1, 1 + x, x * 2.5, x / 3, x + True, -x, cp.sin(x), cp.sqrt(x), x.sum(), x.max()):
        assert dtype_name(result.dtype) == "bfloat16"
    assert dtype_name((x + 1j).dtype) == "complex64"
    assert dtype_name((x < 2).dtype) == "bool"


@pytest.mark.parametrize("dtype", INTEGERS)
def test_python_integers_that_do_not_fit_raise_overflow_error(dtype):
    info = np.iinfo(dtype)
    with collect() as failures:
        for value in (info.min - 1, info.max + 1, 2**70, -(2**70), info.min, info.max):
            for name in ("add", "multiply", "maximum", "bitwise_xor", "floor_divide"):
                with failures:
                    check(
                        lambda xp: getattr(xp, name)(xp.ones(3, dtype=dtype), value),
                        label=f"{name}({dtype}, {value})",
                        may_raise=OverflowError,
                    )
            with failures:
                check(
                    lambda xp: xp.full(3, value, dtype=dtype),
                    label=f"full({value}, {dtype})",
                    may_raise=OverflowError,
                )
            with failures:
                check(
                    lambda xp: xp.array([value], dtype=dtype),
                    label=f"array([{value}], {dtype})",
                    may_raise=OverflowError,
                )


@pytest.mark.parametrize("dtype", FLOATS)
def test_python_floats_that_do_not_fit_become_infinite(dtype):
    check(lambda xp: xp.ones(2, dtype=dtype) * 1e39, label="1e39")
    check(lambda xp: xp.ones(2, dtype=dtype) + 1e-310, label="1e-310")
    check(lambda xp: xp.ones(2, dtype=dtype) + 2**70, label="2**70")
    check(lambda xp: xp.ones(2, dtype=dtype) + 10**400, label="10**400", raises=OverflowError)


@twin()
def test_subtracting_from_unsigned_wraps(xp):
    return xp.array([0, 1, 2], dtype=xp.uint8) - 1, xp.array([0], dtype=xp.uint64) - 1


@twin()
def test_unsigned_plus_signed_is_the_wider_signed(xp):
    return xp.ones(1, xp.uint8) + xp.ones(1, xp.int8), xp.ones(1, xp.uint64) + xp.ones(1, xp.int64)


@twin()
def test_bool_arithmetic(xp):
    t, f = xp.array([True, True, False]), xp.array([True, False, False])
    return t + f, t * f, t & f, t | f, t ^ f, ~t, t / (f + 1), t**2, t < f, t + 1, t + 1.0, t // (f + 1)


@twin(raises=TypeError)
def test_bool_subtract_raises(xp):
    return xp.array([True]) - xp.array([False])


@twin(raises=TypeError)
def test_bool_negative_raises(xp):
    return -xp.array([True])


@twin()
def test_where_promotes_its_branches(xp):
    c = xp.array([True, False])
    return (
        xp.where(c, xp.ones(2, xp.int8), xp.ones(2, xp.uint8)),
        xp.where(c, xp.ones(2, xp.float32), 1.5),
        xp.where(c, xp.ones(2, xp.float32), xp.float64(1.5)),
        xp.where(c, 1, 0),
        xp.where(c, xp.ones(2, xp.int16), 1j),
    )


@twin()
def test_min_scalar_and_iinfo(xp):
    return (
        xp.iinfo("int16").max,
        xp.iinfo(xp.uint64).max,
        float(xp.finfo("float32").eps),
        float(xp.finfo(xp.float16).max),
    )
