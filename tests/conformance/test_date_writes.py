"""Dates and differences that are written beside NumPy's, and those that are stored in arrays of numbers."""

import datetime

import numpy as np
import pytest
from test_dates import DAYS, SPANS, assert_same, both, host, outcome
from twin import exception_class

import cuprum as cp

WRITES = {
    "put": lambda xp, a: xp.put(a, [0, 2], np.datetime64("2000-01-01")),
    "place": lambda xp, a: xp.place(a, xp.isnat(a), xp.array(DAYS[:1])),
    "putmask": lambda xp, a: xp.putmask(a, xp.isnat(a), xp.array(DAYS[::-1])),
    "put_along_axis": lambda xp, a: xp.put_along_axis(a, xp.array([1]), np.datetime64("2000-01-01"), 0),
    "copyto": lambda xp, a: xp.copyto(a, np.datetime64("2000-01-01"), where=xp.isnat(a)),
    "in place": lambda xp, a: a.__iadd__(xp.array(SPANS)),
    "in place, other units": lambda xp, a: a.__isub__(np.timedelta64(30, "h")),
    "in place, numbers": lambda xp, a: a.__iadd__(3),
    "sort": lambda xp, a: a.sort(),
    "a view": lambda xp, a: xp.moveaxis(a.reshape(2, 2), 0, 1).fill(np.datetime64("2000-01-01")),
    "halves": lambda xp, a: xp.split(a, 2)[1].fill(np.datetime64("2000-01-01")),
}


@pytest.mark.parametrize("name", WRITES)
def test_writes(name):
    def body(xp):
        a = xp.array(DAYS)
        WRITES[name](xp, a)
        return a

    both(body)


def test_in_place_keeps_the_array():
    a = cp.array(SPANS)
    b = a
    a += np.timedelta64(1, "D")
    a *= 2
    assert a is b and a.dtype == SPANS.dtype
    assert_same(b.get(), (SPANS + np.timedelta64(1, "D")) * 2)
    for wrong in (lambda: a.__imul__(cp.array(SPANS)), lambda: a.__iadd__(cp.array(DAYS))):
        with pytest.raises(TypeError):
            wrong()


def test_what_is_stored_is_of_the_dtype():
    for dtype, value in (
        ("m8[M]", np.timedelta64(-3, "D")),
        ("m8[D]", 4.5),
        ("M8[D]", 5.5),
        ("M8[D]", np.timedelta64(3, "D")),
        ("m8[h]", np.datetime64("2001-01-01")),
        ("M8[D]", np.float64(4)),
    ):

        def stored(xp, dtype=dtype, value=value):
            a = xp.zeros(3, dtype)
            a[1] = value
            return a

        both(stored)
    both(lambda xp: xp.zeros(3, "M8[s]").fill(xp.zeros(2, "M8[s]")))

    def through_a_copy(xp):
        a = xp.array(SPANS)[::-1]
        a.ravel()[...] = 0
        return a

    both(through_a_copy)


INTO_NUMBERS = """
a[...] = xp.array(SPANS)
a[1:] = xp.array(DAYS[1:])
a[::-1] = SPANS
a[[0, 2]] = xp.array(DAYS[:2])
a[a == a] = np.timedelta64(3, 'ns')
a[1] = np.timedelta64(3, 'ns')
a.fill(np.timedelta64(7, 'ns'))
xp.put(a, [0, 2], xp.array(SPANS[:2]))
xp.putmask(a, a == a, np.timedelta64(5, 's'))
xp.place(a, a == a, np.timedelta64(5, 's'))
xp.copyto(a, xp.array(SPANS), casting='unsafe')
xp.copyto(a, np.datetime64('2001-02-03'), casting='unsafe', where=xp.array([True, False, True, False]))
a = xp.insert(a, 1, np.datetime64('2001-02-03'))
a = xp.full(4, np.datetime64('2001-02-03'), 'f4')
a = xp.full_like(a, np.timedelta64(9, 'Y'))
xp.put_along_axis(a, xp.array([1, 2]), np.timedelta64(5, 's'), 0)
"""


@pytest.mark.parametrize("dtype", ["i8", "f4", "i2", "bool", "c8"])
@pytest.mark.parametrize("line", INTO_NUMBERS.strip().splitlines())
def test_dates_in_numbers(line, dtype):
    def body(xp):
        space = {"xp": xp, "np": np, "SPANS": SPANS, "DAYS": DAYS, "a": xp.arange(4).astype(dtype)}
        exec(line, space)
        return space["a"]

    assert_same(outcome(body, cp), outcome(body, np))


def test_numbers_do_not_hold_every_date():
    a = cp.zeros(3, "i2")
    with pytest.raises(OverflowError):
        a[0] = np.datetime64("2001-01-01", "ns")
    with pytest.raises(TypeError):
        cp.copyto(a, cp.array(DAYS[:3]))
    assert a.tolist() == [0, 0, 0]


REFUSED = """
a[0] = a[:1]
a[0] = xp.array([5])
a.fill(a[:1])
a.prod()
a.prod(axis=3)
a.std()
a.var(axis=0)
a.round()
a.conj()
xp.putmask(xp.arange(4), a == a, xp.array(SPANS))
xp.place(xp.arange(4), a == a, a)
xp.select([a == a], [xp.array(SPANS)], a[0])
xp.copyto(xp.zeros(4), a)
xp.array_equal(xp.zeros(2, 'm8[Y]'), xp.zeros(2, 'm8[s]'))
xp.concatenate([a, -9], axis=None)
xp.put(a[:0], [0], a[:0])
int(a[0])
float(a[0])
"""


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_refusals(line):
    classes = []
    for xp in (np, cp):
        with pytest.raises((TypeError, ValueError, IndexError)) as caught:
            exec(line, {"xp": xp, "np": np, "SPANS": SPANS, "a": xp.array(DAYS)})
        classes.append(exception_class(caught.value))
    assert classes[0] is classes[1]


TAKEN = """
int(xp.array(5, 'm8[ns]'))
int(xp.array(5, 'm8[Y]'))
float(xp.array(7, 'M8[ns]'))
xp.where(xp.array([True, False]), np.timedelta64(2, 'M'), xp.ones(2, bool))
xp.select([xp.array([True, False])], [xp.array(DAYS[:2])], np.timedelta64(3, 's'))
xp.concatenate([xp.array(SPANS), -9], axis=None)
xp.concatenate([xp.arange(3), np.timedelta64(2, 's')], axis=None)
xp.nanmedian(xp.array(['NaT', 'NaT'], 'M8[D]'))
xp.digitize(xp.array([1, 5, 'NaT', -2], 'm8[s]'), xp.array([0, 3]))
xp.digitize(xp.array([1, 5, 'NaT', -2], 'm8[s]'), xp.array([3, 0], 'u1'), right=True)
xp.subtract(xp.arange(3), 1, out=xp.zeros(3, 'm8[M]'))
np.datetime64('1970') != xp.zeros(3, 'f4')
xp.zeros(3, 'f4') == np.zeros(3, 'M8[s]')
np.timedelta64(0, 's') == xp.arange(3)
np.datetime64('1970') in xp.zeros(3)
np.timedelta64(2, 's') in xp.arange(3)
'text' in xp.arange(3)
xp.full_like(xp.zeros(2, 'M8[s]'), 2 + 1j)
xp.array(SPANS).reshape(2, 2).trace()
xp.isin(xp.zeros(2, 'm8[Y]'), xp.zeros(0, 'm8[s]'))
"""


@pytest.mark.parametrize("text", TAKEN.strip().splitlines())
def test_taken(text):
    def body(xp):
        return eval(text, {"xp": xp, "np": np, "SPANS": SPANS, "DAYS": DAYS})

    assert_same(outcome(body, cp), outcome(body, np))


def test_dates_of_python():
    """Python's dates are dates here, where NumPy makes objects of them."""
    day, span = datetime.date(2001, 2, 3), datetime.timedelta(hours=3)
    assert_same(host(cp.full(2, day)), np.full(2, np.datetime64(day)))
    assert_same(
        host(cp.where(cp.array([True, False]), span, cp.arange(2))), np.array([3 * 3600 * 10**6, 1], "m8[us]")
    )
    assert_same(host(cp.arange(day, day + 2 * span * 8)), np.arange(day, day + 2 * span * 8))
    assert_same(host(cp.arange(0 * span, 7 * span, 3 * span)), np.arange(0 * span, 7 * span, 3 * span))
    for refused in (
        lambda: cp.partition(day, 0),
        lambda: cp.unique([day]),
        lambda: cp.meshgrid([day]),
        lambda: cp.compress([True], cp.arange(3), span),
        lambda: cp.nanmedian(day),
    ):
        with pytest.raises(TypeError):
            refused()
