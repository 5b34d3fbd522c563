"""Structures beside NumPy's: functions that move elements, views, comparison with numbers."""

import numpy as np
import pytest
from twin import Failure, collect, compare, exception_class, run

import cuprum as cp


def test_structures_move():
    rows = np.array([(1, 1.5), (2, 2.5), (3, 3.5), (4, 4.5)], "i4,f4")
    for text in (
        "roll(a, 1)",
        "repeat(a, 2)",
        "tile(a, 2)",
        "take(a, [3, 0])",
        "delete(a, 1)",
        "rot90(a.reshape(2, 2))",
        "swapaxes(a.reshape(2, 2), 0, 1)",
        "expand_dims(a, 1)",
        "compress([True, False, True], a)",
        "array_split(a, 3)[1]",
        "resize(a, (2, 3))",
        "hstack([a, a])",
        "dstack([a, a])",
        "reshape(a, (2, 2), order='F')",
        "tril(a.reshape(2, 2))",
        "triu(a.reshape(2, 2), 1)",
        "diag(a, 2)",
        "diag(a.reshape(2, 2))",
        "diag(a[:0], -1)",
        "pad(a, 1)",
        "resize(a[:0], (2,))",
        "resize(a[['f1']], (2, 3))",
        "resize(a[['f1']], 0)",
        "resize(a[['f1']][:0], (2,))",
        "insert(a, 1, a[3])",
        "insert(a.reshape(2, 2), 0, a[2:], axis=1)",
    ):
        got = eval(f"cp.{text}", {"cp": cp, "a": cp.array(rows)})
        want = eval(f"np.{text}", {"np": np, "a": rows})
        assert got.dtype == want.dtype and got.shape == want.shape and got.tolist() == want.tolist(), text
    assert cp.array_equal(cp.array(rows), cp.array(rows)) and cp.shape(cp.array(rows)) == (4,)


@pytest.mark.parametrize(
    "text",
    [
        "moveaxis(a, 0, 2)",
        "swapaxes(a, 0, 1)",
        "rollaxis(a, 2)",
        "matrix_transpose(a)",
        "permute_dims(a, (2, 0, 1))",
        "expand_dims(a, 1)",
        "split(a, 3, axis=1)[1]",
        "array_split(a, [1, 3], axis=-1)[1]",
        "hsplit(a, 3)[2]",
        "vsplit(a, 2)[1]",
        "dsplit(a, 2)[1]",
        "unstack(a, axis=2)[1]",
        "fliplr(a)",
        "flipud(a)",
        "diagonal(a, 1, 2, 0)",
        "diagonal(a)",
        "asfortranarray(a[0, 0])",
        *(f"rot90(a, {k}, {axes})" for k in (0, 1, 2, 3, -1) for axes in ((0, 1), (2, 0))),
    ],
)
def test_views_of_structures(text):
    host_rows = np.zeros((2, 3, 4), [("n", "i4"), ("x", "f4")])
    host_rows["n"] = np.arange(24).reshape(2, 3, 4)
    left = {}
    for xp in (np, cp):
        a = xp.array(host_rows)
        view = eval(f"xp.{text}", {"xp": xp, "a": a})
        found = cp.asnumpy(view).copy()
        # NumPy's diagonals are read-only.
        if "diagonal" not in text:
            view["x"] = 7
        left[xp] = (found.shape, found.tolist(), cp.asnumpy(a).tolist())
    assert left[cp] == left[np]


def test_structures_are_not_compared_with_numbers():
    a = cp.zeros(3, "i4,f4")
    for number in (2, 2.5, True):
        with pytest.raises(TypeError, match="structured and non-structured"):
            a == number  # noqa: B015


ROWS = np.array(
    [(1, 2.5, (3, 4)), (-5, 6.0, (7, 8)), (9, -1.5, (0, 2))], np.dtype("i4,f8,(2,)i2", align=True)
)
WRITES = """
xp.put(a, [0, 2], a[1])
xp.put(a, [0, 4], a[::-1], mode='wrap')
xp.put(a, [2, 1, 0], [(1, 2, 3), (4, 5, 6)])
a.put([1], 7)
xp.place(a, [True, False, True], a[1:])
xp.putmask(a, [True, False, True], a[::-1])
xp.put_along_axis(a, xp.array([2, 0]), a[:2], 0)
xp.copyto(a, -7, casting='unsafe')
xp.copyto(a, 2 + 1j, casting='unsafe')
a = xp.full_like(a, -1)
a[[0, 2]] = b[1]
a[...] = b
a[:2] = b[1:]
b[...] = a
b[[1, 2]] = a[0]
a = b.astype(a.dtype)
a = xp.zeros(3, np.dtype('f8,f8,(3,)f4', align=True)); a[...] = b; a[1:] = xp.asarray(ROWS)[1:]
a = xp.zeros((2, 3), np.dtype('f8,f8,(2,2)f4', align=True)); a[...] = xp.asarray(ROWS)
a = b[['f1']].astype('f4')
a = xp.asfortranarray(a[0])
a = xp.take(a[['f2', 'f0']], [2, 0])
a = xp.tril(a[['f2', 'f0']].reshape(1, 3))
a = xp.insert(a[['f1', 'f0']], 1, a[['f1', 'f0']][2])
c = a.reshape(1, 3); d = xp.diag(c); c[0, 0] = a[2]; a = d.copy()
"""


@pytest.mark.parametrize("line", WRITES.strip().splitlines())
def test_structures_are_written(line):
    """Fields go by their order; what has axes and what has none fit as NumPy fits them."""
    left = []
    for xp in (np, cp):
        other = np.array([(2, -3.5, 4), (5, 6.25, 7), (8, 9.0, 1)], np.dtype("f4,i2,i8", align=True))
        space = {"xp": xp, "np": np, "ROWS": ROWS, "a": xp.asarray(ROWS.copy()), "b": xp.asarray(other)}
        exec(line, space)
        left.append([one if xp is np else one.get() for one in (space["a"], space["b"])])
    for want, got in zip(*left, strict=True):
        assert got.dtype == want.dtype and got.shape == want.shape and np.array_equal(got, want)


@pytest.mark.parametrize(
    "line",
    [
        "a.fill(a)",
        "xp.put(a, [3], a)",
        "xp.put(a[:0], [0], a)",
        "xp.full_like(a, a[['f0']])",
        "xp.array_equal(a, xp.zeros(3))",
        "xp.array_equal(a[0], 3)",
        "xp.array_equiv(a, a[['f0']])",
        "a[...] = xp.zeros(3, [('x', 'i4'), ('y', 'i4,i4'), ('z', 'i4')])",
    ],
)
def test_structures_are_refused(line):
    classes = []
    for xp in (np, cp):
        with pytest.raises((TypeError, ValueError, IndexError)) as caught:
            exec(line, {"xp": xp, "a": xp.asarray(ROWS.copy())})
        classes.append(exception_class(caught.value))
    assert classes[0] is classes[1]


def test_joined_structures_lie_as_their_parts():
    strides = [xp.stack([xp.broadcast_to(xp.asarray(ROWS), (2, 3))] * 2, axis=-1).strides for xp in (np, cp)]
    assert strides[0] == strides[1]


ORDERED = np.dtype([("a", "i8"), ("b", "f8"), ("c", "c16"), ("t", "M8[D]"), ("u", "u1")], align=True)


def records_to_sort(shape):
    rng = np.random.default_rng(3)
    made = np.zeros(shape, ORDERED)
    made["a"] = rng.integers(-2, 2, shape)
    made["b"] = rng.choice([0.5, -1.0, np.nan, np.inf], shape)
    made["c"] = rng.choice([1j, 1 + 2j, -1j], shape)
    made["t"] = rng.choice(np.array(["2020-01-02", "NaT", "1999-12-31"], "M8[D]"), shape)
    made["u"] = rng.integers(0, 3, shape)
    return made


def check_fields(got, want):
    """Compare field by field: structures with a NaN in them differ as a whole."""
    assert got.dtype == want.dtype and got.shape == want.shape
    for name in want.dtype.names or ():
        np.testing.assert_array_equal(got[name], want[name])
    if want.dtype.names is None:
        np.testing.assert_array_equal(got, want)


def test_structures_are_sorted_by_their_fields():
    flat, grid = records_to_sort(200), records_to_sort((12, 9))
    bodies = [
        lambda xp: xp.sort(xp.asarray(flat)),
        lambda xp: xp.sort(xp.asarray(flat), order="b"),
        lambda xp: xp.sort(xp.asarray(flat), order=["t", "c"]),
        lambda xp: xp.sort(flat, order=("u",)),
        lambda xp: xp.sort(xp.asarray(grid)),
        lambda xp: xp.sort(xp.asarray(grid), axis=0, order="u"),
        lambda xp: xp.sort(xp.asarray(grid), axis=None, order="b"),
        lambda xp: xp.sort(xp.asarray(grid).T, axis=-2),
        lambda xp: xp.argsort(xp.asarray(flat), kind="stable"),
        lambda xp: xp.argsort(xp.asarray(flat), order="c", kind="stable"),
        lambda xp: xp.argsort(xp.asarray(grid), axis=None, order=["b", "a"], kind="stable"),
        lambda xp: xp.asarray(grid).argsort(order="t", kind="stable"),
        lambda xp: xp.asarray(flat)[["u", "a"]].argsort(kind="stable"),
        lambda xp: xp.sort(xp.asarray(flat[:0])),
        lambda xp: xp.sort(xp.asarray(flat), axis=1),
        lambda xp: xp.sort(xp.asarray(flat), order="z"),
        lambda xp: xp.sort(xp.asarray(flat), order=["a", "a"]),
        lambda xp: xp.sort(xp.asarray(flat["t"]), order="a"),
        lambda xp: xp.argsort(xp.asarray(flat["a"]), order="a"),
    ]
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                want, got = run(body, np), run(body, cp)
                if isinstance(want, Failure):
                    compare(got, want, label=f"case {i}", may_raise=(ValueError, np.exceptions.AxisError))
                else:
                    check_fields(got.get(), want)


def test_structures_are_sorted_in_place():
    for options in ({}, {"order": "b"}, {"axis": 0, "order": ["u", "t"]}):
        host = records_to_sort((12, 9))
        array = cp.asarray(host)
        array.sort(**options)
        host.sort(**options)
        check_fields(array.get(), host)


def test_structures_without_an_order_say_so():
    nested = cp.zeros(3, np.dtype([("a", "i4"), ("v", "f4", (2,))]))
    with pytest.raises(
        TypeError, match=r"sort: field 'v' of dtype .* has no order: sort by others, .*\['a'\]"
    ):
        cp.sort(nested)
    with pytest.raises(TypeError, match="argsort: elements of dtype .*V4.* have no order"):
        cp.argsort(cp.zeros(3, "V4"))
    with pytest.raises(ValueError, match="sort: unknown field name: 'x'; there are a, v"):
        cp.sort(nested, order="x")
