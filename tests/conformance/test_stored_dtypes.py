"""Structures, plain bytes, dates and other orders of bytes: stored as NumPy stores them."""

import copy
import operator
import pickle

import numpy as np
import pytest

import cuprum as cp

PAIR = np.dtype("i4,f4")
NESTED = np.dtype([("a", "f8"), ("b", PAIR)])
ROWS = [(1, 1.5), (2, 2.5), (3, 3.5), (4, 4.5)]


def host(x):
    if isinstance(x, (cp.ndarray, np.ndarray)):
        return cp.asnumpy(x)
    return x.get() if hasattr(x, "get") else x


def assert_same(got, want, label=None):
    got, want = np.asarray(host(got)), np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape, (label, got.dtype, want.dtype, got.shape)
    assert got.tolist() == want.tolist(), (label, got, want)


def both(body, label=None):
    assert_same(body(cp), body(np), label)


def copied_where(xp, target, source):
    xp.copyto(target, source, where=xp.array([True, False, True, False]))
    return target


def refused(error, body):
    """A body that both libraries refuse, with an error of that class."""
    for xp in (np, cp):
        with pytest.raises(error):
            body(xp)


# ---------------------------------------------------------------------------------------------------------
# Structures


STRUCTURED = {
    "zeros": lambda xp: xp.zeros((2, 3), "i4,f4"),
    "ones": lambda xp: xp.ones(3, "i4,f4"),
    "full": lambda xp: xp.full(3, 7, "i4,f4"),
    "full of a structure": lambda xp: xp.full(3, np.void((1, 2.0), dtype=PAIR)[()], PAIR),
    "array": lambda xp: xp.array(ROWS, PAIR),
    "of NumPy's": lambda xp: xp.array(np.array(ROWS, PAIR)),
    "asarray": lambda xp: xp.asarray(np.array(ROWS, PAIR).reshape(2, 2)),
    "zeros_like": lambda xp: xp.zeros_like(xp.array(ROWS, PAIR)),
    "full_like": lambda xp: xp.full_like(xp.array(ROWS, PAIR), 3),
    "field": lambda xp: xp.array(ROWS, PAIR)["f1"],
    "field of a slice": lambda xp: xp.array(ROWS, PAIR)[1::2]["f0"],
    "slice of a field": lambda xp: xp.array(ROWS, PAIR)["f0"][::-1],
    "several fields": lambda xp: xp.array(ROWS, PAIR)[["f1", "f0"]],
    "rows": lambda xp: xp.array(ROWS, PAIR)[1:3],
    "positions": lambda xp: xp.array(ROWS, PAIR)[xp.array([3, 0])],
    "a list of positions": lambda xp: xp.array(ROWS, PAIR)[[3, 0]],
    "mask": lambda xp: xp.array(ROWS, PAIR)[xp.array([True, False, True, False])],
    "new axis": lambda xp: xp.array(ROWS, PAIR)[None, :, None],
    "ellipsis": lambda xp: xp.array(ROWS, PAIR).reshape(2, 2)[..., 1],
    "reshape": lambda xp: xp.array(ROWS, PAIR).reshape(2, -1),
    "transpose": lambda xp: xp.array(ROWS, PAIR).reshape(2, 2).T,
    "ravel": lambda xp: xp.array(ROWS, PAIR).reshape(2, 2).T.ravel(),
    "squeeze": lambda xp: xp.array(ROWS, PAIR).reshape(1, 4).squeeze(),
    "copy": lambda xp: xp.array(ROWS, PAIR)[::2].copy(),
    "empty": lambda xp: xp.array(ROWS, PAIR)[:0],
    "field of nothing": lambda xp: xp.array(ROWS, PAIR)[:0]["f1"],
    "no dimensions": lambda xp: xp.array((1, 2.5), PAIR),
    "astype": lambda xp: xp.array(ROWS, PAIR).astype("f8,i8"),
    "astype of nested": lambda xp: xp.array([(1, (2, 3.0))], NESTED).astype([("x", "f4"), ("y", "f4,i4")]),
    "nested field": lambda xp: xp.array([(1, (2, 3.0)), (4, (5, 6.0))], NESTED)["b"]["f1"],
    "a structure in one": lambda xp: xp.array([(1, (2, 3.0)), (4, (5, 6.0))], NESTED)["b"],
    "view as numbers": lambda xp: xp.array(ROWS, PAIR).view("i4"),
    "view of numbers": lambda xp: xp.arange(8, dtype="i4").view("i4,i4"),
    "view in two axes": lambda xp: xp.arange(8, dtype="i4").reshape(2, 4).view("i4,i4"),
    "joined": lambda xp: xp.concatenate([xp.array(ROWS, PAIR), xp.array(ROWS[:2], PAIR)]),
    "joined along an axis": lambda xp: xp.concatenate([xp.ones((2, 1), PAIR), xp.zeros((2, 3), PAIR)], -1),
    "joined flat": lambda xp: xp.concatenate([xp.ones((2, 1), PAIR), xp.zeros(2, PAIR)], axis=None),
    "stacked": lambda xp: xp.stack([xp.array(ROWS, PAIR), xp.zeros(4, PAIR)], axis=-1),
    "stacked as rows": lambda xp: xp.vstack([xp.array(ROWS, PAIR), xp.zeros(4, PAIR)]),
    "copied where": lambda xp: copied_where(xp, xp.zeros(4, PAIR), xp.array(ROWS, PAIR)),
    "equal": lambda xp: xp.array(ROWS, PAIR) == xp.array(ROWS[::-1], PAIR),
    "differ": lambda xp: xp.array(ROWS, PAIR) != xp.array(ROWS[0], PAIR),
    "equal after a cast": lambda xp: xp.array([(1, 2)], "i8,f8") == xp.array([(1, 2.0), (1, 3)], "f8,i8"),
    "equal nested": lambda xp: (
        xp.array([(1, (2, 3))], NESTED) == xp.array([(1, (2, 3)), (1, (2, 4))], NESTED)
    ),
    "an aligned one": lambda xp: xp.zeros(3, np.dtype("?,f8", align=True))["f1"],
    "bytes": lambda xp: xp.zeros(3, "V10"),
    "bytes compared": lambda xp: (
        xp.array([b"87654321", b"1234"], "V8") == xp.array([b"87654321", b"12"], "V8")
    ),
    "numbers as bytes": lambda xp: xp.arange(3).view("V8"),
    "bytes as numbers": lambda xp: xp.arange(3).view("V8").view("i8"),
    "bytes of another size": lambda xp: xp.arange(4, dtype="i4").view("V8"),
}


@pytest.mark.parametrize("name", STRUCTURED)
def test_structures(name):
    both(STRUCTURED[name], name)


def writes(body):
    def run(xp):
        a = xp.array(ROWS, PAIR)
        body(xp, a)
        return a

    return run


WRITES = {
    "a field": lambda xp, a: operator.setitem(a, "f0", -1),
    "a field from an array": lambda xp, a: operator.setitem(a, "f1", xp.arange(4.0)),
    "a field in place": lambda xp, a: operator.iadd(a["f0"], 10),
    "a part of a field": lambda xp, a: operator.setitem(a["f1"], slice(1, 3), 0.5),
    "a field of a part": lambda xp, a: operator.setitem(a[1:3]["f1"], slice(None), 0.25),
    "a structure": lambda xp, a: operator.setitem(a, 2, (9, 9.5)),
    "structures": lambda xp, a: operator.setitem(a, slice(0, 2), [(7, 0.5), (8, 0.5)]),
    "a number into all fields": lambda xp, a: operator.setitem(a, slice(1, 3), 5),
    "numbers into all fields": lambda xp, a: operator.setitem(a, Ellipsis, xp.arange(4)),
    "another array": lambda xp, a: operator.setitem(a, slice(None), xp.array(ROWS[::-1], PAIR)),
    "a cast": lambda xp, a: operator.setitem(a, slice(None), xp.array(ROWS[::-1], "f8,i8")),
    "one into many": lambda xp, a: operator.setitem(a, slice(None), xp.array((6, 6.5), PAIR)),
    "positions": lambda xp, a: operator.setitem(a, [0, 3], np.array([(1, 0), (2, 0)], PAIR)),
    "a mask": lambda xp, a: operator.setitem(a, xp.array([True, False, False, True]), (0, 0.0)),
    "several fields": lambda xp, a: operator.setitem(a, ["f1", "f0"], a[["f0", "f1"]].copy()),
    "fill": lambda xp, a: a.fill((1, 2.0)),
}


@pytest.mark.parametrize("name", WRITES)
def test_writing_structures(name):
    both(writes(WRITES[name]), name)


def test_fields_are_views():
    a = cp.array(ROWS, PAIR)
    a["f0"][1] = 77
    assert a.get()["f0"].tolist() == [1, 77, 3, 4]
    part = a[2:]
    part[...] = (0, 0.0)
    assert a.tolist()[2:] == [(0, 0.0), (0, 0.0)]
    assert part.base is a and a.base is None
    assert (a.shape, a.ndim, a.size, a.itemsize, a.nbytes, a.strides) == ((4,), 1, 4, 8, 32, (8,))
    assert a.flags.c_contiguous and not a[::2].flags.c_contiguous and len(a) == 4


def test_fields_that_are_arrays():
    dtype = np.dtype([("pos", "f4", (2, 3)), ("id", "i4"), ("at", "M8[s]", (2,))], align=True)

    def body(xp):
        a = xp.zeros((2, 4), dtype)
        a["pos"][..., 1, :] = xp.arange(3)
        a["pos"][1, ::2] += 1
        a["id"] = 5
        b = a[:, ::2]
        b["pos"][0] = 9
        return a

    got, want = body(cp).get(), body(np)
    for name in dtype.names:
        assert_same(got[name], want[name], name)
    both(lambda xp: body(xp)["pos"][:, 1:], "a slice")
    both(lambda xp: body(xp)[1:]["at"], "dates")
    both(lambda xp: body(xp)[:0]["pos"], "nothing")
    assert body(cp)["pos"].shape == (2, 4, 2, 3)


def test_refusals_of_structures():
    with pytest.raises(ValueError, match="Python objects"):
        cp.array(np.array([(1, None)], "q,O"))
    with pytest.raises(ValueError, match="Python objects"):
        cp.zeros(3, "q,O")
    packed = cp.array([(True, 2.0)], "?,f8")
    for body in (lambda: packed["f1"], lambda: operator.setitem(packed, "f1", 1)):
        with pytest.raises(ValueError, match="result array with.* sufficiently aligned for GPU"):
            body()
    buffer = cp.zeros(65, "u1")
    assert buffer[:64].view("i4,f4")["f1"].shape == (8,)
    for unaligned in (
        lambda: buffer[1:].view("i4,f4")["f1"],
        lambda: cp.zeros(3, "f8,?")[1]["f0"],
        lambda: cp.zeros(3, "i4,M8[s]")["f1"],
    ):
        with pytest.raises(ValueError, match="sufficiently aligned"):
            unaligned()
    with pytest.raises(TypeError, match="not supported"):
        cp.zeros(3, "O")
    with pytest.raises(TypeError, match="numbers"):
        cp.array(["text"])
    for error, body in (
        (ValueError, lambda xp: xp.array(ROWS, PAIR)["x"]),
        (IndexError, lambda xp: xp.array(ROWS, PAIR)[0, 0]),
        (ValueError, lambda xp: xp.array(ROWS, PAIR).reshape(3, 3)),
        (TypeError, lambda xp: xp.array([(1, 2)], "i8,f8")[["f1", "f0"]] == xp.array([(1, 2.0)], "f8,i8")),
        (TypeError, lambda xp: xp.zeros(3, PAIR) + 1),
        (ValueError, lambda xp: xp.arange(3, dtype="i4").view("V8")),
    ):
        refused(error, body)
    for function in (cp.sin, cp.sum, cp.cumsum):
        with pytest.raises(TypeError):
            function(cp.zeros(3, PAIR))


def test_copies_and_pickles():
    a = cp.array(ROWS, PAIR)
    for twin in (copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a)), cp.array(a)):
        assert_same(twin, a.get())
        twin["f0"] = 0
    assert a.get()["f0"].tolist() == [1, 2, 3, 4]
    assert cp.asarray(a) is a
    assert cp.get_array_module(a) is cp
    assert repr(a) == repr(a.get()) and str(a) == str(a.get())


@pytest.mark.parametrize(
    ("dtype", "itemsize"),
    [
        ("?,c8", 16),
        ("c8,?", 16),
        ("?,(3,)c8", 32),
        ("(3,)c8,?", 32),
        (np.dtype([("a", "c8,?"), ("b", "?")]), 24),
        (np.dtype([("a", "?"), ("b", "c8,?")]), 24),
        ("?,(4,)V3", 13),
        ("f8,c16", 32),
    ],
)
def test_aligned_structures(dtype, itemsize):
    assert cp.make_aligned_dtype(dtype).itemsize == itemsize


def test_aligned_structures_that_are_none():
    for dtype in ("c16", "V3"):
        with pytest.raises(ValueError, match="only supports structured dtypes"):
            cp.make_aligned_dtype(dtype)
    with pytest.raises(ValueError, match="smaller"):
        cp.make_aligned_dtype("?,c16", alignment=4)
    assert cp.make_aligned_dtype("?,f4", alignment=16).itemsize == 16
    made = cp.zeros(3, cp.make_aligned_dtype("?,f8"))
    made["f1"] = 2.5
    assert made["f1"].tolist() == [2.5, 2.5, 2.5]


CODE = """
struct Particle { float x, y; int id; };
extern "C" __global__ void move(Particle *p, int n, float dx) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { p[i].x += dx; p[i].y = 2 * p[i].x; p[i].id = i; }
}
"""


def test_kernels_are_given_structures():
    dtype = np.dtype([("x", "f4"), ("y", "f4"), ("id", "i4")])
    particles = cp.zeros(100, dtype)
    particles["x"] = cp.arange(100)
    cp.RawKernel(CODE, "move")((4,), (32,), (particles, np.int32(100), np.float32(0.5)))
    got = particles.get()
    assert got["x"].tolist() == (np.arange(100) + 0.5).tolist()
    assert got["y"].tolist() == (2 * np.arange(100) + 1.0).tolist()
    assert particles["id"].tolist() == list(range(100))


# ---------------------------------------------------------------------------------------------------------
# Dates


DAYS = np.array(["2020-02-29", "NaT", "1969-12-31", "2021-01-01"], "M8[D]")
HOURS = np.array(["2020-02-29T12", "2020-01-01T01", "NaT", "1969-12-30T23"], "M8[h]")
SPANS = np.array([5, -3, "NaT", 0], "m8[D]")
MINUTES = np.array([90, "NaT", 7, 60], "m8[m]")

TIMES = {
    "stored": lambda xp: xp.array(DAYS),
    "zeros": lambda xp: xp.zeros(3, "m8[s]"),
    "full": lambda xp: xp.full(2, np.datetime64("2020-01-01"), "M8[s]"),
    "of a list": lambda xp: xp.array([np.datetime64("2020-01-01"), np.datetime64("2021-01-01")]),
    "of texts": lambda xp: xp.array(["2020-01-01", "NaT"], "M8[D]"),
    "view": lambda xp: xp.arange(3).view("M8[s]"),
    "view back": lambda xp: xp.array(DAYS).view("i8"),
    "slice": lambda xp: xp.array(DAYS)[::2],
    "joined": lambda xp: xp.concatenate([xp.array(DAYS), xp.array(HOURS)]),
    "appended": lambda xp: xp.append(xp.array(DAYS), xp.array(DAYS)),
    "in order": lambda xp: xp.sort(xp.array(DAYS)),
    "in order, flat": lambda xp: xp.sort(xp.array(DAYS).reshape(2, 2), axis=None),
    "in order along an axis": lambda xp: xp.sort(xp.array(DAYS).reshape(2, 2), axis=0),
    "places in order": lambda xp: xp.argsort(xp.array(DAYS)),
    "the latest": lambda xp: xp.max(xp.array(DAYS)),
    "the earliest": lambda xp: xp.min(xp.array(SPANS).reshape(2, 2), axis=1, keepdims=True),
    "place of the latest": lambda xp: xp.argmax(xp.array(SPANS)),
    "summed": lambda xp: xp.sum(xp.array(SPANS)),
    "copied": lambda xp: xp.copy(xp.array(DAYS)),
    "taken": lambda xp: xp.take(xp.array(DAYS), xp.array([2, 0])),
    "flipped": lambda xp: xp.flip(xp.array(DAYS).reshape(2, 2), 0),
    "flipped along all axes": lambda xp: xp.flip(xp.array(DAYS).reshape(2, 2)),
    "differences of neighbours": lambda xp: xp.diff(xp.array(DAYS)),
    "differences, prepended": lambda xp: xp.diff(xp.array(DAYS), prepend=xp.array(DAYS)[:1]),
    "chosen": lambda xp: xp.where(xp.array([[True], [False]]), xp.array(DAYS), xp.array(HOURS)[::-1]),
    "mask": lambda xp: xp.array(DAYS)[xp.array([True, False, True, True])],
    "difference": lambda xp: xp.array(DAYS) - xp.array(HOURS),
    "difference with one": lambda xp: xp.array(DAYS) - np.datetime64("2020-01-01"),
    "one before": lambda xp: np.datetime64("2020-01-01") - xp.array(DAYS),
    "later": lambda xp: xp.array(DAYS) + xp.array(SPANS),
    "later, spans first": lambda xp: xp.array(SPANS) + xp.array(DAYS),
    "later by minutes": lambda xp: xp.array(DAYS) + xp.array(MINUTES),
    "earlier by one span": lambda xp: xp.array(DAYS) - np.timedelta64(36, "h"),
    "later by a number": lambda xp: xp.array(DAYS) + 3,
    "sum of spans": lambda xp: xp.array(SPANS) + xp.array(MINUTES),
    "spans apart": lambda xp: xp.array(SPANS) - xp.array(MINUTES),
    "negative": lambda xp: -xp.array(SPANS),
    "absolute": lambda xp: abs(xp.array(SPANS)),
    "times a number": lambda xp: xp.array(SPANS) * 3,
    "times a fraction": lambda xp: xp.array(MINUTES) * 0.5,
    "number first": lambda xp: 3 * xp.array(SPANS),
    "over a number": lambda xp: xp.array(MINUTES) / 7,
    "over whole numbers": lambda xp: xp.array(SPANS) // 2,
    "over a negative": lambda xp: xp.array(SPANS) // -2,
    "spans over spans": lambda xp: xp.array(SPANS)[:2] // xp.array(SPANS)[:2][::-1],
    "less": lambda xp: xp.array(DAYS) < xp.array(HOURS),
    "less or equal": lambda xp: xp.array(DAYS) <= xp.array(DAYS),
    "greater": lambda xp: xp.array(DAYS) > np.datetime64("2020-01-01"),
    "greater, one first": lambda xp: np.datetime64("2020-01-01") > xp.array(DAYS),
    "equal": lambda xp: xp.array(DAYS) == xp.array(DAYS),
    "not equal": lambda xp: xp.array(DAYS) != xp.array(DAYS),
    "spans compared": lambda xp: xp.array(SPANS) >= xp.array(MINUTES),
    "argsort": lambda xp: xp.array(DAYS).argsort(),
    "min": lambda xp: xp.array(HOURS)[:2].min(),
    "max with NaT": lambda xp: xp.array(HOURS).max(),
    "sum": lambda xp: xp.array(MINUTES)[2:].sum(),
    "argmin": lambda xp: xp.array(DAYS).argmin(),
    "argmax": lambda xp: xp.array(DAYS)[2:].argmax(),
    "in seconds": lambda xp: xp.array(DAYS).astype("M8[s]"),
    "in days": lambda xp: xp.array(HOURS).astype("M8[D]"),
    "in weeks": lambda xp: xp.array(SPANS).astype("m8[W]"),
    "as counts": lambda xp: xp.array(DAYS).astype("i8"),
    "several of a unit": lambda xp: xp.array(SPANS).astype("m8[3h]"),
    "reshaped": lambda xp: xp.array(DAYS).reshape(2, 2).T,
}


@pytest.mark.parametrize("name", TIMES)
def test_times(name):
    both(TIMES[name], name)


def test_ratios_of_times():
    got = cp.asnumpy(cp.array(SPANS) / cp.array(MINUTES))
    np.testing.assert_array_equal(got, SPANS / MINUTES)
    assert_same(cp.array(DAYS).isnat(), np.isnat(DAYS))


def test_times_are_sorted_and_written():
    for data in (DAYS, HOURS, SPANS):
        ours, theirs = cp.array(data), data.copy()
        ours.sort()
        theirs.sort()
        assert_same(ours, theirs)
    a, b = cp.array(DAYS), DAYS.copy()
    for x in (a, b):
        x[0] = np.datetime64("1999-09-09")
        x[1] = "2000-01-01"
        x[2:] = np.datetime64("NaT")
    assert_same(a, b)
    for bad in (
        lambda xp: xp.array(DAYS) + xp.array(DAYS),
        lambda xp: xp.array(SPANS) - xp.array(DAYS),
        lambda xp: -xp.array(DAYS),
        lambda xp: xp.array(DAYS) * 2,
        lambda xp: xp.array(SPANS) * xp.array(SPANS),
    ):
        refused(TypeError, bad)
    with pytest.raises(TypeError, match="no fixed length"):
        cp.array(DAYS) + np.timedelta64(1, "M")
    with pytest.raises(TypeError):
        cp.sin(cp.array(DAYS))
    with pytest.raises(TypeError):
        cp.array(DAYS) < 5  # noqa: B015 - the comparison raises


# ---------------------------------------------------------------------------------------------------------
# Other orders of bytes


@pytest.mark.parametrize("dtype", [">i2", ">u4", ">i8", ">f4", ">f8", ">c8"])
def test_other_orders_of_bytes(dtype):
    data = np.array([1, 2, 300, 70], dtype)
    raw = cp.array(np.frombuffer(data.tobytes(), "u1"))
    a = raw.view(dtype)
    assert a.dtype == np.dtype(dtype)
    assert_same(a, data)
    assert_same(a + 1, (data + 1).astype(np.dtype(dtype).newbyteorder("=")))
    assert_same(1 - a, (1 - data).astype(np.dtype(dtype).newbyteorder("=")))
    assert_same(a == 300, data == 300)
    assert_same(
        a.astype("f8") if "c" not in dtype else a.astype("c16"),
        data.astype("f8" if "c" not in dtype else "c16"),
    )
    assert_same(a[1:3], data[1:3])
    assert_same(a.byteswap(), data.byteswap())
    assert_same(cp.sqrt(a), np.sqrt(data))
    assert complex(a.sum()) == complex(data.sum())
    a[1] = 7
    data[1] = 7
    a[2:] = cp.array([5, 6])
    data[2:] = [5, 6]
    assert_same(a, data)
    assert cp.asnumpy(raw).tobytes() == data.tobytes()
    assert cp.array(data).dtype == np.dtype(dtype).newbyteorder("=")


def test_structures_and_dates_are_arrays_for_programs():
    rows, days = cp.array(ROWS, PAIR), cp.array(DAYS)
    for a in (rows, days):
        assert isinstance(a, cp.ndarray) and cp.get_array_module(a) is cp
        assert cp.asarray(a) is a and cp.array(a) is not a
        assert cp.may_share_memory(a, a[1:]) and not cp.shares_memory(a[:1], a[1:])
        for function in (cp.sin, cp.linalg.norm, cp.fft.fft):
            with pytest.raises(TypeError):
                function(a)
    padded = cp.zeros((2, 3), cp.make_aligned_dtype("?,q"))
    assert padded.flags.c_contiguous and not padded.T.flags.c_contiguous
    for error, body in (
        (ValueError, lambda xp: xp.concatenate([xp.zeros((2, 2), PAIR), xp.zeros(2, PAIR)])),
        (np.exceptions.AxisError, lambda xp: xp.concatenate([xp.zeros(2, PAIR)], axis=1)),
        (TypeError, lambda xp: xp.concatenate([xp.zeros(2, PAIR), xp.zeros(2)])),
        (TypeError, lambda xp: xp.copyto(xp.zeros(2, PAIR), 1.5)),
        (TypeError, lambda xp: xp.sum(xp.zeros(2, PAIR))),
        (np.exceptions.AxisError, lambda xp: xp.flip(xp.array(DAYS), 1)),
    ):
        refused(error, body)


def test_functions_of_shape_take_stored_arrays():
    host = np.zeros((3, 1, 2), dtype=[("x", "i2"), ("y", "i2")])
    host["x"] = np.arange(6).reshape(3, 1, 2)
    a = cp.asarray(host)
    for body in (
        lambda xp, a: xp.squeeze(a),
        lambda xp, a: xp.reshape(a, (2, 3)),
        lambda xp, a: xp.ravel(a),
        lambda xp, a: xp.transpose(a),
        lambda xp, a: xp.transpose(a, (1, 0, 2)),
        lambda xp, a: xp.broadcast_to(a, (4, 3, 5, 2)),
        lambda xp, a: xp.ascontiguousarray(a.T),
    ):
        np.testing.assert_array_equal(body(cp, a).get(), body(np, host))
