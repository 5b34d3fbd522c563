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
from case_texts import expectation, lines
from error_texts import MESSAGES, value_of
from twin import check, collect, settle

import cuprum as cp


def check_all(table):
    """One case a line, with the class that it raises."""
    with collect() as failures:
        for case in lines(table):
            with failures:
                text, raised = expectation(case)
                assert raised is not None, f"no class is named: {text}"
                check(functools.partial(value_of, text), label=text, raises=raised)


# ---------------------------------------------------------------------------- classes


def test_ufunc_keyword_errors():
    check_all("""
        xp.add()  # TypeError
        xp.add(1)  # TypeError
        xp.add(v, v, v, v)  # TypeError
        xp.add(v, v, bad=1)  # TypeError
        xp.add(v, v, out=5)  # TypeError
        xp.add(v, v, out=[1])  # TypeError
        xp.add(v, v, out=(xp.zeros(6), xp.zeros(6)))  # ValueError
        xp.add(v, v, out=xp.zeros(6, dtype=xp.int8), casting="safe")  # TypeError
        xp.add(v, v, out=xp.zeros((5, 5)))  # ValueError
        xp.add(v, v, where=m)  # TypeError
        xp.add(v, v, where=[True, False])  # ValueError
        xp.add(v, v, dtype="bad")  # TypeError
        xp.add(v, v, dtype=xp.int8, casting="no")  # TypeError
        xp.add(w, w, dtype=xp.int64)  # TypeError
        xp.add(v, v, casting="bad")  # ValueError
        xp.add(v, v, order="X")  # ValueError
        xp.add(v, v, axis=0)  # TypeError
        xp.sqrt(v, v, v)  # TypeError
        xp.sqrt("x")  # TypeError
        xp.sqrt(None)  # TypeError
        xp.sqrt(v, out=xp.zeros(6, dtype=xp.int64))  # TypeError
        xp.sqrt(v, dtype=xp.int64)  # TypeError
        xp.divmod(v, 2, out=xp.zeros(6))  # TypeError
        xp.modf(w, out=(xp.zeros(6), xp.zeros(5)))  # ValueError
        xp.add.reduce(m, axis=2)  # AxisError
        xp.add.reduce(m, axis=(0, 0))  # ValueError
        xp.add.reduce(m, bad=1)  # TypeError
        xp.add.reduce()  # TypeError
        xp.subtract.reduce(m, axis=(0, 1))  # ValueError
        xp.add.accumulate(m, axis=2)  # AxisError
        xp.add.accumulate(s)  # TypeError
        xp.add.reduceat(v, [0, 6])  # IndexError
        xp.add.reduceat(v, [-1])  # IndexError
        xp.add.outer(v)  # TypeError
        xp.add.outer(v, v, bad=1)  # TypeError
        xp.add.at(v, [6], 1)  # IndexError
        xp.add.at(v, [0], [1, 2])  # ValueError
        xp.add.at(frozen, [0], 1)  # ValueError
        xp.sqrt.reduce(v)  # ValueError
        xp.sqrt.outer(v, v)  # ValueError
        xp.divmod.reduce(v)  # ValueError
        xp.minimum.reduce(z)  # ValueError
        xp.logaddexp(c, c)  # TypeError
        xp.arctan2(c, 1)  # TypeError
        xp.floor(c)  # TypeError
        xp.bitwise_and(w, w)  # TypeError
        xp.left_shift(w, 1)  # TypeError
        xp.gcd(w, w)  # TypeError
        xp.gcd(b, b)  # TypeError
        xp.ldexp(w, w)  # TypeError
        xp.heaviside(c, 1)  # TypeError
        xp.isfinite("x")  # TypeError
        xp.nextafter(c, c)  # TypeError
        xp.spacing(c)  # TypeError
        xp.signbit(c)  # TypeError
        xp.copysign(c, 1)  # TypeError
        xp.fmod(c, 1)  # TypeError
        xp.cbrt(c)  # TypeError
        xp.degrees(c)  # TypeError
        xp.hypot(c, c)  # TypeError
        xp.sign("a")  # TypeError
        xp.invert(w)  # TypeError
        xp.negative(b)  # TypeError
        xp.subtract(b, b)  # TypeError
        xp.positive(b)  # TypeError
    """)


def test_bad_keywords_and_argument_counts():
    check_all("""
        xp.sum()  # TypeError
        xp.sum(m, bad=1)  # TypeError
        xp.sum(m, 0, axis=1)  # TypeError
        xp.mean(m, initial=1)  # TypeError
        xp.matmul(m)  # TypeError
        xp.dot(m)  # TypeError
        xp.where()  # TypeError
        xp.clip(w, 0, 1, 2, 3, 4)  # TypeError
        xp.reshape()  # TypeError
        xp.concatenate([v], 0, None, 5, 6, 7)  # TypeError
        xp.zeros(3, 4, 5, 6, 7)  # TypeError
        xp.arange(1, 2, 3, None, 5)  # TypeError
        xp.linspace(0, 1, steps=5)  # TypeError
        xp.take(v)  # TypeError
        xp.roll(v, shift=1, by=2)  # TypeError
        m.sum(keepdim=True)  # TypeError
        m.reshape(2, 6, bad=True)  # TypeError
        m.astype(dtypes=int)  # TypeError
        m.transpose(axis=(1, 0))  # TypeError
        m.min(bad=1)  # TypeError
        m.copy(deep=True)  # TypeError
        m.take([0], axes=0)  # TypeError
        m.T()  # TypeError
        m.shape()  # TypeError
        xp.ndarray()  # TypeError
    """)


def test_objects_and_strings_as_operands():
    check_all("""
        xp.add(v, "1")  # TypeError
        xp.multiply(v, None)  # TypeError
        xp.sqrt(["a", "b"])  # TypeError
        xp.maximum(v, object())  # TypeError
        v + b"x"  # TypeError
        v - [None] * 6  # TypeError
        v * {}  # TypeError
        v < {}  # TypeError
        v + (lambda: 0)  # TypeError
        xp.matmul(m, "x")  # TypeError
        xp.dot(m, None)  # TypeError
        v & "x"  # TypeError
        v + ...  # TypeError
        v + slice(1)  # TypeError
        v + Ellipsis  # TypeError
    """)


def test_sizes_beyond_memory():
    check_all("""
        xp.zeros((2**40, 2**18))  # MemoryError
        xp.zeros(2**59, dtype=xp.int8)  # MemoryError
        xp.ones(2**50)  # MemoryError
        xp.empty(2**60, dtype=xp.uint8)  # MemoryError
        xp.full(2**50, 1.5)  # MemoryError
        xp.arange(10**17)  # MemoryError
        xp.linspace(0, 1, 10**16)  # MemoryError
        xp.eye(2**28)  # MemoryError
        xp.identity(2**28)  # MemoryError
        xp.tile(v, 2**55)  # MemoryError
        xp.repeat(v, 2**55)  # MemoryError
        xp.pad(v, 2**55)  # MemoryError
        xp.broadcast_to(s, (2**50,)).copy()  # MemoryError
        xp.broadcast_to(s, (2**50,)).astype(xp.float32)  # MemoryError
        xp.zeros((2**32, 2**32))  # ValueError
        xp.zeros(2**63)  # ValueError
        xp.zeros(2**64)  # ValueError
        xp.broadcast_to(s, (2**33, 2**33))  # ValueError
        xp.zeros((0, 2**62, 2**62))  # ValueError
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
        for text, kind, _ in MESSAGES:
            with failures:
                a = cp.arange(1000.0)
                pending = cp.sqrt(a * 2 + 1)
                with pytest.raises(kind):
                    value_of(text, cp)
                np.testing.assert_array_equal(pending.get(), np.sqrt(np.arange(1000.0) * 2 + 1), err_msg=text)


WRITES = [
    ("target[[0, 1, 99]] = 7", IndexError),
    ("target[xp.array([5, 4, -99])] = [7, 8, 9]", IndexError),
    ("target[2:5] = [1, 2]", ValueError),
    ("target[target > 2] = [7, 8]", ValueError),
    ("target[...] = 'x'", ValueError),
    ("target[:2] = [1, 'x']", ValueError),
    ("target[:2] = [1, [2]]", ValueError),
    ("xp.add(target, xp.ones(5), out=target)", ValueError),
    ("xp.add(target, 1j, out=target)", TypeError),
    ("xp.put(target, [0, 1, 99], 7)", IndexError),
    ("xp.copyto(target, xp.ones(3))", ValueError),
    ("xp.copyto(target, 1j)", TypeError),
    ("xp.place(target, target > 2, [])", ValueError),
    ("xp.add.at(target, [0, 1, 99], 7)", IndexError),
    ("xp.put_along_axis(target, xp.array([0, 1, 99]), 7, 0)", IndexError),
    ("xp.concatenate([target, target], out=target)", ValueError),
    ("xp.take(target, [0, 1, 2, 3, 4, 99], out=target)", IndexError),
    ("target += xp.ones((2, 6))", ValueError),
    ("target -= 1j", TypeError),
    ("target.fill('x')", ValueError),
    ("target.shape = (4, 2)", ValueError),
    ("xp.sum(xp.ones((5, 6)), axis=1, out=target)", ValueError),
    ("xp.matmul(xp.ones((6, 5)), xp.ones(4), out=target)", ValueError),
    ("xp.fill_diagonal(target, 9)", ValueError),
]


@pytest.mark.parametrize(("text", "raised"), WRITES, ids=[text for text, _ in WRITES])
def test_a_failed_write_writes_nothing(text, raised):
    target = cp.arange(6.0)
    view = target[::-1]
    scope = {"xp": cp, "target": target}
    with pytest.raises(raised):
        exec(text, scope)
        settle(cp)
    np.testing.assert_array_equal(target.get(), np.arange(6.0))
    np.testing.assert_array_equal(view.get(), np.arange(6.0)[::-1])

    def body(xp):
        exec(text, {"xp": xp, "target": xp.arange(6.0)})

    check(body, label=text, raises=raised)


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
    with pytest.raises(KeyError, match="mine"):
        cp.arange(3)[BadIndex()]
    with pytest.raises(KeyError):
        cp.arange(3) + Bad()
    with pytest.raises(TypeError, match="elements have dtype object"):
        cp.array(BadLength())
