"""Ufunc methods: reduce, accumulate, reduceat, outer and at, against NumPy."""


# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import contextlib
import itertools

import numpy as np
import pytest
from samples import LAYOUTS
from twin import check, collect, settle, twin
from ufunc_cases import BINARY, LOGICAL, positive

REORDERABLE = [
    "add",
    "multiply",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    *LOGICAL,
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
]
ULPS = {name: 8 for name in ("divide", "hypot", "logaddexp", "logaddexp2", "arctan2", "power", "float_power")}
SOME_DTYPES = ["bool", "int8", "int64", "uint16", "float16", "float32", "float64", "complex64"]

# NumPy's vector loops of these fold wrongly along contiguous memory: power.reduce([2., 3., 2.]) is 4 there,
# (2**3)**2 is 64. The fold is done step by step for them.
MISFOLDED = {"power", "float_power", "arctan2"}

each_binary = pytest.mark.parametrize("name", BINARY)


def reduced(xp, name, a, **kwargs):
    """Reduce `a`; with NumPy, element by element for the functions that its loops fold wrongly."""
    ufunc = getattr(xp, name)
    result = ufunc.reduce(a, **kwargs)
    if xp is not np or name not in MISFOLDED or not isinstance(kwargs.get("axis", 0), int):
        return result
    result = np.array(result)
    result[...] = step_by_step(ufunc, a.astype(result.dtype), **kwargs)
    return result


def step_by_step(ufunc, a, axis=0, keepdims=False):
    first, *rest = np.moveaxis(a, axis, 0)
    for part in rest:
        first = ufunc(first, part)
    return np.expand_dims(first, axis) if keepdims else first


def reduced_at(xp, name, a, indices):
    """Reduce segments of `a`, with the same care."""
    ufunc = getattr(xp, name)
    result = ufunc.reduceat(a, xp.array(indices))
    if xp is np and name in MISFOLDED:
        for row, (start, stop) in enumerate(zip(indices, [*indices[1:], len(a)], strict=True)):
            result[row] = step_by_step(ufunc, a[start : max(stop, start + 1)].astype(result.dtype))
    return result


# ---------------------------------------------------------------------------------------------------------
# reduce


@each_binary
def test_reduce(name):
    with collect() as failures:
        for dtype in SOME_DTYPES:
            host = positive(dtype, (3, 4))
            for axis, keepdims in itertools.product([0, 1, -1, None, (0, 1), (), 2], [False, True]):
                with failures:
                    check(
                        lambda xp: reduced(xp, name, xp.array(host), axis=axis, keepdims=keepdims),
                        ulps=ULPS.get(name, 2 if dtype == "complex64" else 0),
                        signed_zero=False,
                        label=f"{name}.reduce {dtype} axis={axis} keepdims={keepdims}",
                        may_raise=(np.exceptions.AxisError, TypeError, ValueError),
                    )


@pytest.mark.parametrize("name", ["sin", "negative", "frexp", "divmod", "modf"])
def test_methods_need_two_inputs_and_one_output(name):
    for method in ("reduce", "accumulate"):
        check(
            lambda xp: getattr(getattr(xp, name), method)(xp.ones(3)),
            label=f"{name}.{method}",
            raises=ValueError,
        )
    check(
        lambda xp: getattr(xp, name).reduceat(xp.ones(3), [0, 1]), label=f"{name}.reduceat", raises=ValueError
    )
    if name != "divmod":
        check(
            lambda xp: getattr(xp, name).outer(xp.ones(3), xp.ones(3)),
            label=f"{name}.outer",
            raises=ValueError,
        )


@pytest.mark.parametrize("name", REORDERABLE)
def test_reduce_of_several_axes_where_and_initial(name):
    host = positive("int64", (3, 4, 5))
    mask = np.random.default_rng(2).random((3, 4, 5)) < 0.5
    with collect() as failures:
        for axis in (0, (0, 2), (1, 2), (0, 1, 2), None):
            with failures:
                check(
                    lambda xp: getattr(xp, name).reduce(xp.array(host), axis=axis),
                    label=f"{name} axis={axis}",
                )
            with failures:
                check(
                    lambda xp: getattr(xp, name).reduce(
                        xp.array(host), axis=axis, initial=2, where=xp.array(mask)
                    ),
                    label=f"{name} axis={axis} where initial",
                )
        for dtype in ("int8", "float32", "float64", "bool"):
            with failures:
                check(
                    lambda xp: getattr(xp, name).reduce(xp.array(host), axis=1, dtype=dtype),
                    label=f"{name} dtype={dtype}",
                    may_raise=TypeError,
                )

            if name == "bitwise_and" and dtype == "bool":
                continue  # NumPy passes the bits through the bool output between some of the steps

            def body(xp, dtype=dtype):
                out = xp.zeros((3, 5), dtype)
                result = getattr(xp, name).reduce(xp.array(host), axis=1, out=out)
                return out, result is out

            with failures:
                check(body, label=f"{name} out={dtype}", may_raise=TypeError)


@pytest.mark.parametrize("name", [*REORDERABLE, "subtract", "divide", "power", "hypot", "logaddexp"])
def test_reduce_of_nothing(name):
    """The identity, or ValueError for ops that have none."""
    dtype = "int64" if name.startswith("bitwise") else "float64"
    for shape, axis in [((0,), 0), ((0, 3), 0), ((0, 3), 1), ((3, 0), 1)]:
        check(
            lambda xp: getattr(xp, name).reduce(xp.zeros(shape, dtype), axis=axis),
            label=f"{name} {shape} axis={axis}",
            may_raise=ValueError,
        )
        check(
            lambda xp: getattr(xp, name).reduce(xp.zeros(shape, dtype), axis=axis, initial=3),
            label=f"{name} initial",
        )


@twin()
def test_reduce_of_subtract_goes_left_to_right(xp):
    a = xp.arange(1.0, 25.0).reshape(2, 3, 4)
    return (
        xp.subtract.reduce(a),
        xp.subtract.reduce(a, axis=-1),
        xp.divide.reduce(a, axis=1),
        reduced(xp, "power", xp.array([2.0, 3.0, 2.0])),
    )


@twin(raises=ValueError)
def test_reduce_of_several_axes_needs_a_reorderable_op(xp):
    return xp.subtract.reduce(xp.ones((2, 3)), axis=(0, 1))


@twin()
def test_reduce_of_zero_d(xp):
    return xp.add.reduce(xp.array(3.0))


# ---------------------------------------------------------------------------------------------------------
# accumulate


@each_binary
def test_accumulate(name):
    with collect() as failures:
        for dtype, axis in itertools.product(SOME_DTYPES, [0, 1, -1, 2, None]):
            host = positive(dtype, (3, 4))
            with failures:
                check(
                    lambda xp: getattr(xp, name).accumulate(xp.array(host), axis=axis),
                    ulps=ULPS.get(name, 2 if dtype == "complex64" else 0),
                    signed_zero=False,
                    label=f"{name}.accumulate {dtype} axis={axis}",
                    may_raise=(np.exceptions.AxisError, TypeError, ValueError),
                )


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "subtract", "logical_or"])
def test_accumulate_layouts_dtype_and_out(name):
    host = positive("int64", (4, 7))
    with collect() as failures:
        for layout in LAYOUTS:
            with failures:
                check(
                    lambda xp: getattr(xp, name).accumulate(LAYOUTS[layout](xp, host)),
                    label=f"{name} {layout}",
                    may_raise=TypeError,
                )
        for dtype in ("int8", "float32", "bool", "complex64"):
            with failures:
                check(
                    lambda xp: getattr(xp, name).accumulate(xp.array(host), dtype=dtype),
                    label=f"{name} dtype={dtype}",
                    may_raise=TypeError,
                )

        def body(xp):
            out = xp.zeros((4, 7))
            result = getattr(xp, name).accumulate(xp.array(host), axis=1, out=out)
            return out, result is out

        with failures:
            check(body, label=f"{name} out")


# ---------------------------------------------------------------------------------------------------------
# reduceat


@each_binary
def test_reduceat(name):
    with collect() as failures:
        for dtype in SOME_DTYPES:
            host = positive(dtype, (8, 3))
            for indices in ([0], [0, 4], [0, 4, 1, 5, 2, 6, 3, 7], [7, 0], [3, 3, 3], [0, 2, 4, 6]):
                with failures:
                    check(
                        lambda xp: reduced_at(xp, name, xp.array(host), indices),
                        ulps=ULPS.get(name, 2 if dtype == "complex64" else 0),
                        signed_zero=False,
                        label=f"{name}.reduceat {dtype} {indices}",
                        may_raise=TypeError,
                    )


@pytest.mark.parametrize("indices", [[0, 8], [-1], [0, -3], [0.5], [[0, 1]], [], "x"])
def test_reduceat_bad_indices(indices):
    def body(xp):
        return xp.add.reduceat(
            xp.arange(8.0), indices if isinstance(indices, str) else np.array(indices).tolist()
        )

    check(body, label=repr(indices), may_raise=(IndexError, ValueError))


@twin()
def test_reduceat_axes_dtype_and_out(xp):
    a = xp.arange(24.0).reshape(4, 6)
    out = xp.zeros((4, 3))
    xp.add.reduceat(a, [0, 2, 3], axis=1, out=out)
    return (
        out,
        xp.add.reduceat(a, [0, 2], axis=0, dtype=xp.complex64),
        xp.maximum.reduceat(a.T, [1, 0, 4], axis=0),
    )


# ---------------------------------------------------------------------------------------------------------
# outer


@each_binary
def test_outer(name):
    with collect() as failures:
        for left, right in itertools.product(SOME_DTYPES, repeat=2):
            a, b = positive(left, (2, 3)), positive(right, (4,), 1)
            with failures:
                check(
                    lambda xp: getattr(xp, name).outer(xp.array(a), xp.array(b)),
                    ulps=ULPS.get(name, 2 if "complex64" in (left, right) else 0),
                    label=f"{name}.outer({left}, {right})",
                    may_raise=TypeError,
                )


@twin()
def test_outer_keywords_scalars_and_layouts(xp):
    a = xp.arange(6.0).reshape(2, 3)
    out = xp.zeros((2, 3, 2))
    xp.multiply.outer(a, xp.array([1.0, 10.0]), out=out)
    return (
        out,
        xp.add.outer(a.T, a[:, ::2]),
        xp.add.outer(2, xp.arange(3)),
        xp.add.outer(xp.arange(3), 2.5),
        xp.add.outer(xp.zeros((0, 2)), xp.zeros(3)),
        xp.add.outer(a, a, dtype=xp.complex64),
    )


# ---------------------------------------------------------------------------------------------------------
# at


@each_binary
def test_at_with_duplicates(name):
    """Unlike fancy assignment, every occurrence of an index counts."""
    with collect() as failures:
        for dtype in SOME_DTYPES:

            def body(xp, dtype=dtype):
                a = xp.array(positive(dtype, 6))
                result = getattr(xp, name).at(
                    a, xp.array([0, 1, 1, 5, 1, -1, 0]), xp.array(positive(dtype, 7, 1))
                )
                return a, result is None

            with failures:
                check(
                    body,
                    ulps=ULPS.get(name, 2 if dtype == "complex64" else 0),
                    label=f"{name}.at {dtype}",
                    may_raise=TypeError,
                )


@twin()
def test_at_index_forms(xp):
    a = xp.zeros((4, 5))
    xp.add.at(a, (xp.array([0, 0, 3]), xp.array([1, 1, -1])), xp.array([1.0, 2.0, 3.0]))
    xp.add.at(a, xp.array([1, 1]), xp.arange(5.0))
    xp.add.at(a, (slice(None), xp.array([2, 2])), 1)
    xp.subtract.at(a, xp.array([True, False, True, False]), 10)
    b = xp.arange(6)
    xp.negative.at(b, [0, 1, 1])
    c = xp.arange(6.0)
    xp.multiply.at(c[::2], [0, 2, 2], 10)
    d = xp.arange(5)
    xp.add.at(d, 3, 7)
    xp.maximum.at(d, slice(1, 3), 9)
    e = xp.zeros(3)
    xp.add.at(e, [0, 1, 1, 2], [1, 2, 3, 4])
    xp.add.at(e, xp.zeros(0, dtype=int), 5)
    return a, b, c, d, e


@pytest.mark.parametrize(
    "case",
    ["out of range", "float index", "float into int", "shape", "missing operand", "unary with operand"],
)
def test_at_errors(case):
    def body(xp):
        a = xp.zeros(3)
        if case == "out of range":
            xp.add.at(a, [0, 3], 1)
        elif case == "float index":
            xp.add.at(a, [0.5], 1)
        elif case == "float into int":
            xp.add.at(xp.zeros(3, dtype=int), [0], 1.5)
        elif case == "shape":
            xp.add.at(a, [0, 1], xp.ones(3))
        elif case == "missing operand":
            xp.add.at(a, [0])
        else:
            xp.negative.at(a, [0], 1)
        return a

    check(body, label=case, may_raise=(IndexError, ValueError))


@twin()
def test_at_failure_leaves_the_array_unharmed(xp):
    a = xp.arange(5.0)
    with contextlib.suppress(IndexError):
        xp.add.at(a, xp.array([0, 1, 9]), 1.0)
        settle(xp)
    return a[2:]


@twin()
def test_at_large(xp):
    rng = np.random.default_rng(0)
    a = xp.zeros(1000, dtype=xp.int64)
    xp.add.at(a, xp.array(rng.integers(0, 1000, 100_000)), 1)
    b = xp.zeros(100)
    xp.add.at(b, xp.array(rng.integers(0, 100, 50_000)), xp.array(rng.integers(0, 8, 50_000) / 4))
    return a, b


@pytest.mark.parametrize("number", [1, 300, 2.5, 1j, True, 2**63], ids=repr)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16", "float32", "complex64"])
@twin()
def test_outer_gives_python_numbers_their_own_dtype(xp, dtype, number):
    return xp.multiply.outer(xp.ones(2, dtype), number), xp.add.outer(number, xp.ones(2, dtype))


@pytest.mark.parametrize("index", [[0, 0, 2], slice(0, 2), [True, False, True]], ids=str)
@twin(raises=ValueError)
def test_power_at_refuses_negative_exponents(xp, index):
    xp.power.at(xp.arange(3), index, xp.array(-2))
