"""Texts in Python kernels: elements of arrays, fields of records, and arguments."""

import numpy as np
import pytest

from cuprum.compat.numba import cuda
from cuprum.compat.numba.cuda.core.errors import TypingError

WORDS = ["two", "x", "yyy", "", "abcde", "Öl\U0001f600"]


def of(kind, words, length):
    data = [word.encode("ascii", "replace") if kind == "S" else word for word in words]
    return np.array(data, dtype=f"{kind}{length}")


@cuda.jit
def assign(to, given):
    i = cuda.grid(1)
    if i < to.size:
        to[i] = given[i]


@pytest.mark.parametrize("kind", ["S", "U"])
@pytest.mark.parametrize("length", [1, 5, 9])
def test_texts_are_copied_as_by_numpy(kind, length):
    given = of(kind, WORDS, 6)
    to = of(kind, ["filled up"] * len(WORDS), length)
    want = to.copy()
    want[...] = given
    assign[1, 32](to, given)
    np.testing.assert_array_equal(to, want)


@cuda.jit
def literal(to):
    i, j = cuda.grid(2)
    if i < to.shape[0] and j < to.shape[1]:
        to[i, j] = "some words"


@pytest.mark.parametrize("dtype", ["<U4", "<U20", "S4", "S20"])
def test_literals_are_stored_in_views(dtype):
    whole = np.full((4, 6), "......", dtype=dtype)
    view = whole[::2, 1::2]
    want = whole.copy()
    want[::2, 1::2] = "some words"
    literal[(1, 1), (8, 8)](view)
    np.testing.assert_array_equal(whole, want)


@cuda.jit
def compare(a, b, same, other, lengths):
    i = cuda.grid(1)
    if i < a.size:
        same[i] = a[i] == b[i]
        other[i] = a[i] != b[i]
        lengths[i] = len(a[i])


@pytest.mark.parametrize("kind", ["S", "U"])
def test_comparisons_and_lengths(kind):
    a = of(kind, [*WORDS, "same", "longer than"], 12)
    b = of(kind, [*WORDS[::-1], "same", "longer"], 7)
    same, other = np.zeros((2, a.size), bool)
    lengths = np.zeros(a.size, np.int64)
    compare[1, 32](a, b, same, other, lengths)
    np.testing.assert_array_equal(same, a == b)
    np.testing.assert_array_equal(other, a != b)
    np.testing.assert_array_equal(lengths, [len(text) for text in a])


@cuda.jit
def choose(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = 1 if a[i] == "yyy" else 2 if a[i] in ("two", "x") else 3 if a[i] == "" else 0
        if a[i] == "much longer than any element":
            out[i] = -1


def test_texts_beside_literals():
    out = np.zeros(len(WORDS), np.int64)
    choose[1, 32](of("U", WORDS, 6), out)
    assert out.tolist() == [2, 2, 1, 3, 0, 0]


NAMES = np.array([b"one", b"three"])


@cuda.jit
def find(a, out):
    i = cuda.grid(1)
    if i < a.size:
        for k in range(NAMES.size):
            if a[i] == NAMES[k]:
                out[i] = k + 1


def test_arrays_of_texts_are_constants_too():
    out = np.zeros(3, np.int64)
    find[1, 4](np.array([b"three", b"on", b"one"], "S9"), out)
    assert out.tolist() == [2, 0, 1]


@cuda.jit
def by_mode(x, mode):
    i = cuda.grid(1)
    if i < x.size:
        if mode == "double":
            x[i] *= 2
        elif mode == "negate":
            x[i] = -x[i]
        x[i] += len(mode)


def test_texts_as_arguments():
    for mode, want in (("double", [6.0, 8.0]), ("negate", [6.0, 5.0]), ("", [0.0, 1.0])):
        x = np.arange(2.0)
        by_mode[1, 2](x, mode)
        assert x.tolist() == want


def test_fields_of_records():
    dtype = np.dtype([("name", "<U6"), ("code", "S3")], align=True)

    @cuda.jit
    def kernel(a, lengths):
        i = cuda.grid(1)
        if i < a.size:
            lengths[i] = 10 * len(a[i].name) + len(a[i].code)
            if a[i].name == "second":
                a[i].code = b"2nd"

    a = np.array([("first", b"a"), ("second", b"bc")], dtype=dtype)
    lengths = np.zeros(2, np.int64)
    kernel[1, 2](a, lengths)
    assert lengths.tolist() == [51, 62]
    assert a["code"].tolist() == [b"a", b"2nd"]


@pytest.mark.parametrize("kind", ["S5", "U5"])
def test_loops_and_negative_indices_end_with_the_last_character(kind):
    a = np.array(["abc", "x", "abcde", ""], kind)

    @cuda.jit
    def look(a, turns, total, last, second):
        i = cuda.grid(1)
        if i < a.size:
            for code in a[i]:
                turns[i] += 1
                total[i] += code
            if len(a[i]) > 0:
                last[i] = a[i][-1]
            back = -2
            if len(a[i]) > 1:
                second[i] = a[i][back]

    found = np.zeros((4, 4), np.int64)
    look[1, 32](a, *found)
    codes = [[ord(one) for one in text] for text in a.astype("U5").tolist()]
    want = [
        [len(one) for one in codes],
        [sum(one) for one in codes],
        [one[-1] if one else 0 for one in codes],
        [one[-2] if len(one) > 1 else 0 for one in codes],
    ]
    assert found.tolist() == want


@pytest.mark.parametrize("kind", ["S3", "U3"])
def test_texts_in_variables_are_values(kind):
    @cuda.jit
    def swap(a, r):
        kept = a[0]
        a[0] = a[1]
        a[1] = kept
        a[2], a[3] = a[3], a[2]
        name = r[0].name
        r[0].name, r[1].name = r[1].name, name

    @cuda.jit
    def shift(a, turns):
        before = a[0]
        for i in range(1, a.size):
            now = a[i]
            a[i] = before
            before = now if turns > 0 else before
        for i, text in enumerate(a):
            a[i] = "-"
            if text == "d":
                a[i] = text

    a = np.array(["abc", "d", "", "xy"], kind)
    rows = np.zeros(2, [("name", kind), ("x", "i4")])
    rows["name"] = ["abc", "d"]
    swap[1, 1](a, rows)
    assert a.astype("U3").tolist() == ["d", "abc", "xy", ""]
    assert rows["name"].astype("U3").tolist() == ["d", "abc"]
    shift[1, 1](a, 1)
    assert a.astype("U3").tolist() == ["d", "d", "-", "-"]


def test_what_texts_do_not_take():
    @cuda.jit
    def number(a):
        a[0] = 5

    @cuda.jit
    def order(a, out):
        out[0] = a[0] < a[1]

    @cuda.jit
    def other_kind(a, b):
        a[0] = b[0]

    with pytest.raises(TypingError, match="a str is expected"):
        number[1, 1](np.zeros(2, "U3"))
    with pytest.raises(TypingError, match="cannot be compared with <"):
        order[1, 1](np.zeros(2, "U3"), np.zeros(1))
    with pytest.raises(TypingError, match="a str is expected"):
        other_kind[1, 1](np.zeros(2, "U3"), np.zeros(2, "S3"))
    with pytest.raises(TypeError, match="foreign byte order"):
        number[1, 1](np.zeros(2, ">U3"))
