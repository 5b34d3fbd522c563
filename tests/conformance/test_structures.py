"""Structures beside NumPy's: functions that move elements, views, comparison with numbers."""

import numpy as np
import pytest

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
