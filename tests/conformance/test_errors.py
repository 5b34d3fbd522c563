"""Bad input: NumPy's exception class, and nothing half-written.

The exception classes of each function's own bad input are compared beside its results, in the other files
of this folder, and messages in test_messages.py; here are the ufunc keywords, memory, and the state that an
error leaves behind.
"""

import functools
import gc
import weakref

import numpy as np
import pytest
from error_texts import MESSAGES, value_of
from twin import Failure, check, collect, run, settle

import cuprum as cp


def check_all(table):
    """One case a line; NumPy must raise in every one of them."""
    with collect() as failures:
        for text in filter(None, map(str.strip, table.splitlines())):
            with failures:
                assert isinstance(run(functools.partial(value_of, text), np), Failure), f"legal: {text}"
                check(functools.partial(value_of, text), label=text)


# ---------------------------------------------------------------------------- classes


def test_ufunc_keyword_errors():
    check_all("""
        xp.add()
        xp.add(1)
        xp.add(v, v, v, v)
        xp.add(v, v, bad=1)
        xp.add(v, v, out=5)
        xp.add(v, v, out=[1])
        xp.add(v, v, out=(xp.zeros(6), xp.zeros(6)))
        xp.add(v, v, out=xp.zeros(6, dtype=xp.int8), casting="safe")
        xp.add(v, v, out=xp.zeros((5, 5)))
        xp.add(v, v, where=m)
        xp.add(v, v, where=[True, False])
        xp.add(v, v, dtype="bad")
        xp.add(v, v, dtype=xp.int8, casting="no")
        xp.add(w, w, dtype=xp.int64)
        xp.add(v, v, casting="bad")
        xp.add(v, v, order="X")
        xp.add(v, v, axis=0)
        xp.sqrt(v, v, v)
        xp.sqrt("x")
        xp.sqrt(None)
        xp.sqrt(v, out=xp.zeros(6, dtype=xp.int64))
        xp.sqrt(v, dtype=xp.int64)
        xp.divmod(v, 2, out=xp.zeros(6))
        xp.modf(w, out=(xp.zeros(6), xp.zeros(5)))
        xp.add.reduce(m, axis=2)
        xp.add.reduce(m, axis=(0, 0))
        xp.add.reduce(m, bad=1)
        xp.add.reduce()
        xp.subtract.reduce(m, axis=(0, 1))
        xp.add.accumulate(m, axis=2)
        xp.add.accumulate(s)
        xp.add.reduceat(v, [0, 6])
        xp.add.reduceat(v, [-1])
        xp.add.outer(v)
        xp.add.outer(v, v, bad=1)
        xp.add.at(v, [6], 1)
        xp.add.at(v, [0], [1, 2])
        xp.add.at(frozen, [0], 1)
        xp.sqrt.reduce(v)
        xp.sqrt.outer(v, v)
        xp.divmod.reduce(v)
        xp.minimum.reduce(z)
        xp.logaddexp(c, c)
        xp.arctan2(c, 1)
        xp.floor(c)
        xp.bitwise_and(w, w)
        xp.left_shift(w, 1)
        xp.gcd(w, w)
        xp.gcd(b, b)
        xp.ldexp(w, w)
        xp.heaviside(c, 1)
        xp.isfinite("x")
        xp.nextafter(c, c)
        xp.spacing(c)
        xp.signbit(c)
        xp.copysign(c, 1)
        xp.fmod(c, 1)
        xp.cbrt(c)
        xp.degrees(c)
        xp.hypot(c, c)
        xp.sign("a")
        xp.invert(w)
        xp.negative(b)
        xp.subtract(b, b)
        xp.positive(b)
    """)


def test_bad_keywords_and_argument_counts():
    check_all("""
        xp.sum()
        xp.sum(m, bad=1)
        xp.sum(m, 0, axis=1)
        xp.mean(m, initial=1)
        xp.matmul(m)
        xp.dot(m)
        xp.where()
        xp.clip(w, 0, 1, 2, 3, 4)
        xp.reshape()
        xp.concatenate([v], 0, None, 5, 6, 7)
        xp.zeros(3, 4, 5, 6, 7)
        xp.arange(1, 2, 3, None, 5)
        xp.linspace(0, 1, steps=5)
        xp.take(v)
        xp.roll(v, shift=1, by=2)
        m.sum(keepdim=True)
        m.reshape(2, 6, bad=True)
        m.astype(dtypes=int)
        m.transpose(axis=(1, 0))
        m.min(bad=1)
        m.copy(deep=True)
        m.take([0], axes=0)
        m.T()
        m.shape()
        xp.ndarray()
    """)


def test_objects_and_strings_as_operands():
    check_all("""
        xp.add(v, "1")
        xp.multiply(v, None)
        xp.sqrt(["a", "b"])
        xp.maximum(v, object())
        v + b"x"
        v - [None] * 6
        v * {}
        v < {}
        v + (lambda: 0)
        xp.matmul(m, "x")
        xp.dot(m, None)
        v & "x"
        v + ...
        v + slice(1)
        v + Ellipsis
    """)


def test_sizes_beyond_memory():
    check_all("""
        xp.zeros((2**40, 2**18))
        xp.zeros(2**59, dtype=xp.int8)
        xp.ones(2**50)
        xp.empty(2**60, dtype=xp.uint8)
        xp.full(2**50, 1.5)
        xp.arange(10**17)
        xp.linspace(0, 1, 10**16)
        xp.eye(2**28)
        xp.identity(2**28)
        xp.tile(v, 2**55)
        xp.repeat(v, 2**55)
        xp.pad(v, 2**55)
        xp.broadcast_to(s, (2**50,)).copy()
        xp.broadcast_to(s, (2**50,)).astype(xp.float32)
        xp.zeros((2**32, 2**32))
        xp.zeros(2**63)
        xp.zeros(2**64)
        xp.broadcast_to(s, (2**33, 2**33))
        xp.zeros((0, 2**62, 2**62))
    """)


def test_broadcast_operands_whose_result_cannot_be_allocated():
    """The shapes are fine and the result is not: the error comes at the call or when it is looked at."""
    huge = cp.broadcast_to(cp.array(1.0), (2**50,))
    with pytest.raises(MemoryError):
        (huge + 1).get()
    with pytest.raises(MemoryError):
        cp.concatenate([huge, huge]).get()
    a = cp.arange(5)
    np.testing.assert_array_equal((a + 1).get(), np.arange(5) + 1)


# ---------------------------------------------------------------------------- what an error leaves behind


def test_a_failed_call_leaves_pending_work_unharmed():
    with collect() as failures:
        for text, _, _ in MESSAGES:
            with failures:
                a = cp.arange(1000.0)
                pending = cp.sqrt(a * 2 + 1)
                with pytest.raises(Exception):  # noqa: B017, PT011 - any class: it is tested above
                    value_of(text, cp)
                np.testing.assert_array_equal(pending.get(), np.sqrt(np.arange(1000.0) * 2 + 1), err_msg=text)


WRITES = [
    "target[[0, 1, 99]] = 7",
    "target[xp.array([5, 4, -99])] = [7, 8, 9]",
    "target[2:5] = [1, 2]",
    "target[target > 2] = [7, 8]",
    "target[...] = 'x'",
    "target[:2] = [1, 'x']",
    "target[:2] = [1, [2]]",
    "xp.add(target, xp.ones(5), out=target)",
    "xp.add(target, 1j, out=target)",
    "xp.put(target, [0, 1, 99], 7)",
    "xp.copyto(target, xp.ones(3))",
    "xp.copyto(target, 1j)",
    "xp.place(target, target > 2, [])",
    "xp.add.at(target, [0, 1, 99], 7)",
    "xp.put_along_axis(target, xp.array([0, 1, 99]), 7, 0)",
    "xp.concatenate([target, target], out=target)",
    "xp.take(target, [0, 1, 2, 3, 4, 99], out=target)",
    "target += xp.ones((2, 6))",
    "target -= 1j",
    "target.fill('x')",
    "target.shape = (4, 2)",
    "xp.sum(xp.ones((5, 6)), axis=1, out=target)",
    "xp.matmul(xp.ones((6, 5)), xp.ones(4), out=target)",
    "xp.fill_diagonal(target, 9)",
]


@pytest.mark.parametrize("text", WRITES)
def test_a_failed_write_writes_nothing(text):
    target = cp.arange(6.0)
    view = target[::-1]
    scope = {"xp": cp, "target": target}
    with pytest.raises(Exception):  # noqa: B017, PT011 - the class is compared with NumPy's below
        exec(text, scope)
        settle(cp)
    np.testing.assert_array_equal(target.get(), np.arange(6.0))
    np.testing.assert_array_equal(view.get(), np.arange(6.0)[::-1])

    def body(xp):
        exec(text, {"xp": xp, "target": xp.arange(6.0)})

    check(body, label=text)


def test_overlapping_out_gives_numpys_result():
    cases = {
        "shifted": lambda xp, a: xp.add(a[:-1], a[1:], out=a[1:]),
        "shifted back": lambda xp, a: xp.add(a[:-1], a[1:], out=a[:-1]),
        "reversed": lambda xp, a: xp.multiply(a, a[::-1], out=a),
        "into reversed": lambda xp, a: xp.add(a, 1, out=a[::-1]),
        "same": lambda xp, a: xp.subtract(a, a, out=a),
        "stride": lambda xp, a: xp.add(a[:3], a[3:6], out=a[::2][:3]),
        "sum": lambda xp, a: xp.cumsum(a, out=a),
        "negative": lambda xp, a: xp.negative(a[1:], out=a[:-1]),
        "reduce": lambda xp, a: xp.sum(a.reshape(2, 3), axis=0, out=a[:3]),
        "matmul": lambda xp, a: xp.matmul(a.reshape(2, 3)[:, :2], a[:2], out=a[:2]),
        "where": lambda xp, a: xp.add(a, a[::-1], out=a, where=a > 2),
        "take": lambda xp, a: xp.take(a, [5, 4, 3, 2, 1, 0], out=a, mode="clip"),
        "clip": lambda xp, a: xp.clip(a[::-1], 1, 4, out=a),
        "sqrt": lambda xp, a: xp.sqrt(a[::-1], out=a),
    }

    def body(xp, call):
        a = xp.arange(6.0)
        result = call(xp, a)
        return a, result

    with collect() as failures:
        for name, call in cases.items():
            with failures:
                check(functools.partial(body, call=call), layout=False, label=name)


def test_concatenate_reads_all_parts_before_it_writes_over_them():
    """NumPy reads elements here that it has just overwritten; what the parts were before is meant."""
    host, device = np.arange(6.0), cp.arange(6.0)
    cp.concatenate([device[3:], device[:3]], out=device)
    np.testing.assert_array_equal(device.get(), np.concatenate([host[3:], host[:3]]))


def test_exceptions_do_not_keep_arrays_alive():
    class Holder:
        pass

    holder = Holder()
    holder.array = cp.arange(10)
    alive = weakref.ref(holder)
    with pytest.raises(IndexError):
        holder.array[99]
    del holder
    gc.collect()
    assert alive() is None


def test_errors_from_user_callbacks_come_through():
    class Bad:
        def __array__(self, dtype=None, copy=None):
            raise KeyError("mine")

    class BadIndex:
        def __index__(self):
            raise KeyError("mine")

    class BadLength:
        def __len__(self):
            raise KeyError("mine")

        def __getitem__(self, position):
            raise KeyError("mine")

    with pytest.raises(KeyError):
        cp.asarray(Bad())
    with pytest.raises(KeyError):
        cp.zeros(BadIndex())
    with pytest.raises((KeyError, IndexError)):
        cp.arange(3)[BadIndex()]
    with pytest.raises(KeyError):
        cp.arange(3) + Bad()
    with pytest.raises((KeyError, TypeError, ValueError)):
        cp.array(BadLength())
