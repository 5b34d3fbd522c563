"""Ufunc objects: attributes, and the keywords of a call, against NumPy."""

# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import contextlib
import functools
import inspect
import itertools
import sys

import numpy as np
import pytest
from samples import LAYOUTS, permuted
from twin import ALL_DTYPES, check, collect, raising, twin
from ufunc_cases import BINARY, positive

import cuprum as cp

# ---------------------------------------------------------------------------------------------------------
# The object


def test_attributes():
    with collect() as failures:
        for name in [
            *BINARY,
            "sin",
            "negative",
            "frexp",
            "modf",
            "divmod",
            "isnan",
            "invert",
            "sqrt",
            "ldexp",
        ]:
            for attribute in ("nin", "nout", "nargs", "__name__", "identity", "signature"):
                with failures:
                    check(lambda xp: getattr(getattr(xp, name), attribute), label=f"{name}.{attribute}")
            with failures:
                assert isinstance(getattr(cp, name), cp.ufunc), f"cuprum.{name} is not a cuprum.ufunc"
                assert getattr(cp, name).__doc__, f"cuprum.{name} has no docstring"


def test_signatures():
    keywords = "where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None"
    assert str(inspect.signature(cp.add)) == f"(x1, x2, /, out=None, *, {keywords})"
    assert str(inspect.signature(cp.frexp)) == f"(x, /, out=(None, None), *, {keywords})"
    inspect.signature(cp.add).bind(1, 2, None, where=True, subok=True, signature=None)
    with collect() as failures:
        for name, function in vars(np).items():
            # NumPy's own have signatures from 2.4 on.
            if isinstance(getattr(cp, name, None), cp.ufunc) and hasattr(function, "__signature__"):
                with failures:
                    assert inspect.signature(getattr(cp, name)) == inspect.signature(function), name


@twin()
def test_repr_and_immutability(xp):
    return repr(xp.add), repr(xp.frexp)


@twin()
def test_types_name_the_loops(xp):
    same = str.maketrans("lLpP", "qQqQ")
    skip = set("gGOmMSUVTE")
    return sorted({t.translate(same) for t in xp.add.types if not set(t) & skip})


def test_ufuncs_pickle_and_hash():
    import pickle

    assert pickle.loads(pickle.dumps(cp.add)) is cp.add
    assert len({cp.add, cp.multiply, cp.add}) == 2


# ---------------------------------------------------------------------------------------------------------
# Ways to call


@twin()
def test_ways_to_call(xp):
    a, b, out = xp.arange(5.0), xp.arange(5.0) + 2, xp.zeros(5)
    args, pair = (a, b), {"out": out}
    by_parts = functools.partial(xp.add, a)
    return (
        xp.add(*args),
        xp.add.__call__(a, b),
        type(xp.add).__call__(xp.add, a, b),
        by_parts(b),
        list(map(xp.add, [a, b], [b, a])),
        xp.add(a, *[b], **{"dtype": "float32"}),
        xp.add(a, b, **pair) is out,
        xp.add(a, b, **{"".join(["o", "ut"]): out}) is out,
        xp.add(a, b, out) is out,
        xp.add(a, b, out=(out,)) is out,
        xp.add(a, b, out=None),
        xp.add(a, b, None),
        xp.add(a, b, where=True),
        xp.add(a, 2),
        xp.add(2, a),
        xp.add(a, [1, 2, 3, 4, 5]),
        xp.add([1, 2], [3, 4]),
        xp.divmod(a, b),
        xp.divmod(a, 2),
        xp.divmod(*args, out=(None, out))[1] is out,
        xp.modf(a / 4),
        xp.frexp(xp.arange(5)),
        out,
    )


@pytest.mark.parametrize(
    "call",
    [
        raising(TypeError, lambda xp, a: xp.add()),
        raising(TypeError, lambda xp, a: xp.add(a)),
        raising(TypeError, lambda xp, a: xp.add(a, a, a, a)),
        raising(TypeError, lambda xp, a: xp.sqrt()),
        raising(TypeError, lambda xp, a: xp.sqrt(a, a, a)),
        raising(TypeError, lambda xp, a: xp.divmod(a)),
        raising(TypeError, lambda xp, a: xp.add(a, out=a)),
        raising(TypeError, lambda xp, a: xp.add(out=a)),
        raising(TypeError, lambda xp, a: xp.add(a, a, a, out=a)),
        raising(TypeError, lambda xp, a: xp.add(a, a, wrong=1)),
        raising(TypeError, lambda xp, a: xp.add(a, a, out=a, wrong=1)),
        raising(TypeError, lambda xp, a: xp.add(a, a, **{"\u00f6ut": a})),
        raising(TypeError, lambda xp, a: xp.add(a, x2=a)),
        raising(ValueError, lambda xp, a: xp.add(a, xp.ones(4))),
        raising(ValueError, lambda xp, a: xp.add(a, a, out=xp.ones(4))),
        raising(TypeError, lambda xp, a: xp.add(a, a, out=xp.ones(3, "int8"))),
        raising(ValueError, lambda xp, a: xp.divmod(a, xp.ones(4))),
        raising(TypeError, lambda xp, a: xp.bitwise_and(a, a)),
        raising(TypeError, lambda xp, a: xp.invert(a)),
        raising(TypeError, lambda xp, a: xp.add(a, "text")),
    ],
)
def test_wrong_calls_raise_what_numpy_raises(call):
    check(lambda xp: call(xp, xp.ones(3)), raises=call.raises)


def test_a_failed_call_names_the_function_that_was_called():
    a = cp.ones(3)
    with pytest.raises(ValueError, match=r"^divmod"):
        cp.divmod(a, cp.ones(4))
    with pytest.raises(TypeError, match=r"add\(\) takes from 2 to 3 positional arguments but 0 were given"):
        cp.add()


def test_arguments_of_calls_are_let_go():
    a, b = cp.ones(3), cp.ones(3)
    counts = [sys.getrefcount(x) for x in (a, b, cp.add)]
    for _ in range(10):
        cp.add(a, b)
        cp.add(a, b, out=b)
        cp.add(a, b, dtype="float32", out=cp.ones(3, "float32"))
        cp.divmod(a, b)
        for bad in ({"wrong": a}, {"out": a, "where": "text"}, {"out": (a, b)}):
            with contextlib.suppress(TypeError, ValueError):
                cp.add(a, b, **bad)
    del bad
    assert counts == [sys.getrefcount(x) for x in (a, b, cp.add)]


# ---------------------------------------------------------------------------------------------------------
# Keywords of the call


def test_out():
    a, b = positive("float64", (3, 4)), positive("float64", (3, 4), 1)
    with collect() as failures:
        for dtype, shape in itertools.product(ALL_DTYPES, [(3, 4), (2, 3, 4), (4,), (1, 4)]):

            def body(xp, dtype=dtype, shape=shape):
                out = xp.zeros(shape, dtype)
                result = xp.add(xp.array(a), xp.array(b), out=out)
                return out, result is out

            with failures:
                check(body, label=f"add(f64, f64, out={dtype}{shape})", may_raise=(TypeError, ValueError))


@twin()
def test_out_positional_and_tuple(xp):
    a = xp.arange(5.0)
    first, second, third = (xp.zeros(5) for _ in range(3))
    xp.multiply(a, 2, first)
    xp.multiply(a, 2, out=(second,))
    xp.negative(a, third)
    fraction, whole = xp.zeros(5), xp.zeros(5)
    xp.modf(a / 2, fraction, whole)
    part, rest = xp.modf(a / 2, out=(None, fraction))
    return first, second, third, fraction, whole, part, rest


@pytest.mark.parametrize(
    "case", ["list", "wrong length", "not an array", "twice", "number", "None in a tuple"]
)
def test_bad_out(case):
    def body(xp):
        a = xp.ones(3)
        if case == "list":
            return xp.add(a, a, out=[xp.ones(3)])
        if case == "wrong length":
            return xp.add(a, a, out=(xp.ones(3), xp.ones(3)))
        if case == "not an array":
            return xp.add(a, a, out="text")
        if case == "number":
            return xp.add(a, a, out=3.0)
        if case == "None in a tuple":
            return xp.add(a, a, out=(None,))
        return xp.add(a, a, xp.ones(3), out=xp.ones(3))

    check(body, label=case, may_raise=(TypeError, ValueError))


@twin()
def test_out_views_and_overlaps(xp):
    a = xp.arange(10.0)
    xp.add(a[:-1], a[1:], out=a[1:])
    b = xp.arange(10.0)
    xp.add(b, b[::-1], out=b)
    c = xp.arange(16.0).reshape(4, 4)
    xp.subtract(c, c.T, out=c)
    d = xp.zeros((4, 8))
    xp.add(xp.arange(4.0), 1, out=d[:, ::2])
    e = xp.zeros((3, 4), order="F")
    xp.add(xp.ones((3, 4)), 1, out=e)
    f = xp.arange(8.0)
    xp.multiply(f[:4], f[4:], out=f[2:6])
    return a, b, c, d, e, f


@pytest.mark.parametrize("name", ["add", "sqrt", "less", "divmod", "frexp", "logical_not", "power"])
def test_where(name):
    """Where the mask is False the output keeps what it held."""
    host = [positive("float64", (4, 5), i) for i in range(getattr(np, name).nin)]
    mask = np.random.default_rng(0).random((4, 5)) < 0.5
    with collect() as failures:
        for where in (mask, mask[0], mask[:, :1], True, False, mask.T.copy().T):

            def body(xp, where=where):
                ufunc = getattr(xp, name)
                w = xp.array(where) if isinstance(where, np.ndarray) else where
                outs = tuple(
                    xp.full((4, 5), 9, dtype=t) for t in [r.dtype for r in tuple_of(ufunc(*host_arrays(xp)))]
                )
                ufunc(*host_arrays(xp), out=outs, where=w)
                return outs

            def host_arrays(xp):
                return [xp.array(h) for h in host]

            with failures:
                check(body, ulps=2 if name == "power" else 0, label=f"{name} where={np.shape(where)}")


def tuple_of(result):
    return result if isinstance(result, tuple) else (result,)


@twin()
def test_where_broadcasts_the_result(xp):
    out = xp.zeros((2, 3))
    return xp.add(xp.arange(3.0), 1, out=out, where=xp.array([[True, False, True], [False, True, False]]))


@pytest.mark.parametrize("mask", [[1, 0, 1], [1.0, 0.0, 1.0], [True, False]])
def test_where_must_be_boolean_and_broadcast(mask):
    check(
        lambda xp: xp.add(xp.ones(3), 1, out=xp.zeros(3), where=xp.array(mask)),
        label=str(mask),
        raises=(TypeError, ValueError),
    )


CALL_DTYPES = [
    ("add", "float32"),
    ("add", "int8"),
    ("sin", "float64"),
    ("sin", "float16"),
    ("sin", "int32"),
    ("divide", "int64"),
    ("less", "float32"),
    ("less", "bool"),
    ("multiply", "complex64"),
    ("bitwise_and", "float32"),
    ("sqrt", "complex128"),
    ("isnan", "bool"),
    ("power", "float32"),
    ("add", "object"),
    ("add", "no such"),
]


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe", "wrong"])
def test_dtype_and_casting(casting):
    with collect() as failures:
        for (name, dtype), source in itertools.product(
            CALL_DTYPES, ["bool", "int8", "int64", "float32", "float64", "complex64"]
        ):
            if dtype == "object":
                continue

            def body(xp, name=name, dtype=dtype, source=source):
                ufunc = getattr(xp, name)
                return ufunc(*[xp.ones(3, dtype=source)] * ufunc.nin, dtype=dtype, casting=casting)

            with failures:
                check(
                    body,
                    ulps=4,
                    label=f"{name}({source}, dtype={dtype!r}, casting={casting!r})",
                    may_raise=(TypeError, ValueError),
                )


@pytest.mark.parametrize(
    "signature", ["ff->f", "dd->d", ("f", "f", "f"), (None, None, "f"), "d", "ii->d", "zz->z", ("f", "f")]
)
def test_signature(signature):
    if signature == "d" and np.lib.NumpyVersion(np.__version__) < "2.3.0":
        pytest.skip("NumPy before 2.3 takes a lone letter as the dtype")
    check(
        lambda xp: xp.add(xp.ones(3, "f4"), xp.ones(3, "f4"), signature=signature),
        label=repr(signature),
        may_raise=(TypeError, ValueError),
    )


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
def test_order(order):
    host = positive("float64", (3, 4, 5))
    with collect() as failures:
        for axes in itertools.permutations(range(3)):
            with failures:
                check(
                    lambda xp: xp.negative(permuted(xp, host, axes), order=order),
                    label=f"negative memory {axes}",
                )
            with failures:
                check(
                    lambda xp: xp.add(permuted(xp, host, axes), xp.array(host), order=order),
                    label=f"add memory {axes}, C",
                )
        for layout in LAYOUTS:
            with failures:
                check(lambda xp: xp.sqrt(LAYOUTS[layout](xp, host[0]), order=order), label=f"sqrt {layout}")


@twin(raises=ValueError)
def test_bad_order(xp):
    return xp.add(xp.ones(2), 1, order="Z")


@twin(raises=TypeError)
def test_unknown_keyword(xp):
    return xp.add(xp.ones(2), 1, elsewhere=3)


@twin(raises=TypeError)
def test_too_few_operands(xp):
    return xp.add(xp.ones(2))


@twin()
def test_lists_and_tuples_as_operands(xp):
    return xp.add([1, 2, 3], (4.0, 5.0, 6.0)), xp.sin([0.0]), xp.maximum(3, [1, 5])


@twin()
def test_scalar_operands_only(xp):
    return xp.add(1, 2), xp.sqrt(4), xp.less(1, 2.5), xp.multiply(True, 3), xp.add(1j, 2)
