"""Single elements of dates, structures and other byte orders beside NumPy's: values, or views."""

import numpy as np
import pytest

import cuprum as cp

DAYS = np.array(["2001-02-03", "NaT", "1969-12-31", "2020-02-29"], "M8[D]")
ARRAYS = {
    "dates": DAYS,
    "differences": DAYS - DAYS[::-1],
    "swapped": np.arange(4).astype(">i4"),
    "bytes": np.arange(4).view("V8"),
}


def both(body):
    got, want = body(cp), body(np)
    assert [str(one) for one in got] == [str(one) for one in want]


@pytest.mark.parametrize("name", ARRAYS)
def test_elements_are_values(name):
    def body(xp):
        a = xp.array(ARRAYS[name])
        a[0], a[3] = a[3], a[0]
        first, *others = list(a)
        alone = a[1:2].reshape(())
        value = alone[()]
        a[:2] = a[2:]
        return [*cp.asnumpy(a), first, *others, value, alone[...]]

    both(body)


def test_elements_of_a_matrix_are_values():
    def body(xp):
        a = xp.array(DAYS.reshape(2, 2))
        one, row, view = a[0, 0], a[1], a[1, 1, ...]
        a[...] = np.datetime64("1999-09-09")
        return [one, *row, view]

    both(body)


def test_structures_are_views_and_their_numbers_values():
    fields = [("n", "i4"), ("x", "f4", (2,)), ("at", "M8[s]"), ("in", [("k", "i8")])]
    dtype = np.dtype(fields, align=True)

    def body(xp):
        a = xp.zeros(3, dtype)
        a["n"] = np.arange(3)
        a["at"] = np.arange(3).astype("M8[s]")
        record, n, at = a[1], a[1]["n"], a[1]["at"]
        inner, k, x = a[1]["in"], a[1]["in"]["k"], a[1]["x"]
        record["n"] = 70
        record["at"] = np.datetime64(80, "s")
        inner["k"] = 90
        x[0] = 5
        a[0]["n"], a[2]["n"] = a[2]["n"], a[0]["n"]
        return [n, at, k, x, *cp.asnumpy(a["n"]), *cp.asnumpy(a["at"]), *cp.asnumpy(a["in"]["k"]), a[1]["x"]]

    both(body)


def test_an_element_is_no_output():
    with pytest.raises(AttributeError, match=r"pass a view such as a\[i, ...\]"):
        cp.array(DAYS)[0].__cuda_array_interface__  # noqa: B018 - it is a property


@pytest.mark.parametrize("dtype", ["u1", "i2", "i4", "i8", "f4", "bool", "c8"])
@pytest.mark.parametrize(
    "value",
    [
        np.datetime64("2000-02-29"),
        np.datetime64("NaT", "D"),
        np.timedelta64(2**40 + 5, "s"),
        np.timedelta64("NaT", "s"),
        DAYS[:1],
        np.array([(4.5,)], [("x", "f8")]),
        np.array([(DAYS[0],)], [("x", "M8[D]")]),
    ],
)
def test_put_casts(value, dtype):
    def body(xp):
        a = xp.zeros(3, dtype)
        xp.put(a, [1], value if value.ndim == 0 else xp.array(value))
        return [a]

    both(body)


WRITES = """
a[...] = one
a[1:] = one[1:]
xp.copyto(a, one, casting='unsafe')
xp.copyto(a, one, casting='unsafe', where=xp.array([True, False, True]))
xp.putmask(two, xp.array([True, False, True]), dates)
xp.put(two, [-1], dates)
two[...] = dates.astype(two.dtype)
two[:] = dates
"""


@pytest.mark.parametrize("line", WRITES.strip().splitlines())
@pytest.mark.parametrize("inner", ["f8", "i2", ("f4", (2,)), "M8[s]"])
def test_structures_beside_numbers_and_dates(line, inner):
    def body(xp):
        one = np.zeros(3, [("x", inner)] if isinstance(inner, str) else [("x", *inner)])
        one["x"] = np.arange(1, 1 + one["x"].size).reshape(one["x"].shape)
        space = {
            "xp": xp,
            "a": xp.zeros(3),
            "one": xp.array(one),
            "two": xp.zeros(3, [("n", "i8"), ("x", "M8[s]"), ("r", "f4", (2,))]),
            "dates": xp.array(np.array([5, 7, 9], "M8[s]")),
        }
        try:
            exec(line, space)
        except TypeError:
            return ["TypeError"]
        return [cp.asnumpy(space["a"]).tolist(), cp.asnumpy(space["two"]).tolist()]

    both(body)


ROWS = np.array([[(1, 2.0), (3, 4.0)], [(5, 6.0), (7, 8.0)]], [("a", "f8"), ("b", "f8")])


@pytest.mark.parametrize(
    "values, dtype",
    [
        (DAYS.reshape(2, 2), "M8[s]"),
        (DAYS.reshape(2, 2), DAYS.dtype),
        ([[1, 2], [3, 4]], "m8[s]"),
        (ROWS, [("a", "i4"), ("b", "i4")]),
        (ROWS, ROWS.dtype),
        (ROWS[0, 0], ROWS.dtype),
    ],
)
def test_arrays_in_fortrans_order_have_the_dtype_that_is_asked_for(values, dtype):
    want = np.asfortranarray(values, dtype)
    for given in (values, values if isinstance(values, list) else cp.asarray(values)):
        got = cp.asfortranarray(given, dtype)
        assert got.dtype == want.dtype and got.shape == want.shape and got.flags.f_contiguous
        assert got.tolist() == want.tolist()
