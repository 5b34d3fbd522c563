"""Bad input: NumPy's exception class, a message that names the op and what it got, and nothing half-written.

The exception classes of each function's own bad input are compared beside its results, in the other files
of this folder; here are the messages, the ufunc keywords, memory, and the state that an error leaves behind.
"""

import functools
import gc
import math
import weakref

import numpy as np
import pytest
from twin import check, collect

import cuprum as cp


def names(xp):
    return {
        "xp": xp,
        "np": np,
        "math": math,
        "s": xp.array(2.5),
        "v": xp.arange(6),
        "u": xp.arange(6, dtype=xp.uint8),
        "w": xp.arange(6.0),
        "b": xp.arange(6) > 2,
        "c": xp.arange(6) * 1j,
        "m": xp.arange(12.0).reshape(3, 4),
        "q": xp.arange(35.0).reshape(7, 5),
        "z": xp.zeros((0, 3)),
        "frozen": xp.broadcast_to(xp.arange(6.0), (2, 6)),
    }


def value_of(text, xp):
    scope = names(xp)
    try:
        return eval(text, scope)
    except SyntaxError:
        exec(text, scope)
        return None


def check_all(table):
    """One case a line; NumPy must raise in every one of them."""
    with collect() as failures:
        for text in filter(None, map(str.strip, table.splitlines())):
            with failures:
                check(functools.partial(value_of, text), label=text)


# ---------------------------------------------------------------------------- messages

MESSAGES = [
    # what is run, what it raises, what the message says
    ("xp.take(q, [0, 7], axis=1)", IndexError, r"take: index 7 is out of bounds for axis 1 with size 5"),
    ("xp.take(q, [0, -6], axis=1)", IndexError, r"take: index -6 is out of bounds for axis 1 with size 5"),
    ("xp.take(v, 6)", IndexError, r"take: index 6 is out of bounds .*size 6"),
    ("xp.put(v, [6], 1)", IndexError, r"put: index 6 is out of bounds .*size 6"),
    ("v[6]", IndexError, r"\w+: index 6 is out of bounds for axis 0 with size 6"),
    ("m[0, 4]", IndexError, r"\w+: index 4 is out of bounds for axis 1 with size 4"),
    ("m[-4]", IndexError, r"\w+: index -4 is out of bounds for axis 0 with size 3"),
    ("m[[0, 3]]", IndexError, r"\w+: index 3 is out of bounds for axis 0 with size 3"),
    ("m[:, [0, 9]]", IndexError, r"\w+: index 9 is out of bounds for axis 1 with size 4"),
    ("m[0, 0, 0]", IndexError, r"\w+: too many indices"),
    ("m[xp.ones(4, bool)]", IndexError, r"\w+: .*4.*3|\w+: .*3.*4"),
    ("m[[0, 1], [0, 1, 2]]", IndexError, r"\w+: .*\(2,\).*\(3,\)"),
    ("m[1.5]", IndexError, r"\w+: .*ind"),
    ("m['x']", IndexError, r"\w+: .*ind"),
    ("m[0] = [1, 2, 3]", ValueError, r"\w+: .*\(3,\).*\(4,\)"),
    ("v[6] = 1", IndexError, r"\w+: index 6 is out of bounds for axis 0 with size 6"),
    ("m @ m", ValueError, r"matmul: .*\(3, ?4\).*\(3, ?4\).*4 != 3"),
    (
        "xp.ones((3, 4)) @ xp.ones((5, 6))",
        ValueError,
        r"matmul: shapes \(3, 4\) and \(5, 6\) do not match: 4 != 5",
    ),
    ("xp.matmul(m, 2)", ValueError, r"matmul: "),
    ("xp.dot(m, m)", ValueError, r"dot: .*\(3, ?4\).*\(3, ?4\)"),
    ("v + m", ValueError, r"add: .*\(6,\).*\(3, ?4\)"),
    ("m - xp.ones(3)", ValueError, r"subtract: .*\(3, ?4\).*\(3,\)"),
    ("xp.hypot(v, m)", ValueError, r"hypot: .*\(6,\).*\(3, ?4\)"),
    ("m == xp.ones((2, 2))", ValueError, r"equal: .*\(3, ?4\).*\(2, ?2\)"),
    ("xp.where(v > 1, m, 0)", ValueError, r"where: "),
    ("v.reshape(4, 2)", ValueError, r"reshape: .*6.*\(4, ?2\)"),
    ("xp.reshape(v, (-1, -1))", ValueError, r"reshape: "),
    ("xp.broadcast_to(v, (2, 5))", ValueError, r"broadcast_to: .*\(6,\).*\(2, ?5\)"),
    ("xp.concatenate([m, m.T])", ValueError, r"concatenate: "),
    ("xp.concatenate([])", ValueError, r"concatenate: "),
    ("xp.stack([v, v[:2]])", ValueError, r"stack: .*\(6,\).*\(2,\)|stack: .*shape"),
    ("xp.split(v, 4)", ValueError, r"split: "),
    ("xp.transpose(m, (0, 0))", ValueError, r"transpose: "),
    ("xp.squeeze(m, 0)", ValueError, r"squeeze: .*3"),
    ("m.sum(axis=2)", np.exceptions.AxisError, r"sum: axis 2 is out of bounds for array of dimension 2"),
    (
        "m.max(axis=-3)",
        np.exceptions.AxisError,
        r"(max|amax|maximum): axis -3 is out of bounds for array of dimension 2",
    ),
    (
        "xp.mean(m, axis=5)",
        np.exceptions.AxisError,
        r"mean: axis 5 is out of bounds for array of dimension 2",
    ),
    (
        "xp.argmax(m, axis=2)",
        np.exceptions.AxisError,
        r"argmax: axis 2 is out of bounds for array of dimension 2",
    ),
    (
        "xp.cumsum(m, axis=2)",
        np.exceptions.AxisError,
        r"cumsum: axis 2 is out of bounds for array of dimension 2",
    ),
    ("xp.concatenate([v, v], axis=1)", np.exceptions.AxisError, r"concatenate: axis 1 is out of bounds"),
    ("xp.expand_dims(v, 5)", np.exceptions.AxisError, r"expand_dims: axis 5 is out of bounds"),
    ("xp.flip(m, 2)", np.exceptions.AxisError, r"flip: axis 2 is out of bounds"),
    ("xp.roll(m, 1, axis=2)", np.exceptions.AxisError, r"roll: axis 2 is out of bounds"),
    (
        "xp.swapaxes(m, 0, 2)",
        np.exceptions.AxisError,
        r"swapaxes: .*axis.* 2 .*out of bounds|swapaxes: .*axis2",
    ),
    ("m.sum((0, 0))", ValueError, r"sum: .*duplicate"),
    ("z.max()", ValueError, r"(max|maximum): .*(zero-size|empty)"),
    ("z.argmax()", ValueError, r"argmax: .*empty"),
    ("~w", TypeError, r"invert: .*float64"),
    ("w & 1", TypeError, r"bitwise_and: .*float64"),
    ("c // 2", TypeError, r"floor_divide: .*complex128"),
    ("b - b", TypeError, r"subtract: .*bool"),
    ("-b", TypeError, r"negative: .*bool"),
    ("v << 1.5", TypeError, r"left_shift: .*float"),
    ("v ** -1", ValueError, r"power: .*negative"),
    ("v.__iadd__(1.5)", TypeError, r"add: .*float64.*int64"),
    ("v.__itruediv__(2)", TypeError, r"(true_)?divide: .*float64.*int64"),
    ("xp.add(w, w, out=xp.zeros(6, dtype=xp.int64))", TypeError, r"add: .*float64.*int64"),
    ("xp.add(w, w, out=xp.zeros(5))", ValueError, r"add: .*\(5,\).*\(6,\)|add: .*\(6,\).*\(5,\)"),
    ("xp.add(v, v, dtype=xp.int8, casting='safe')", TypeError, r"add: .*int64.*int8"),
    ("w.astype(xp.int32, casting='safe')", TypeError, r"astype: .*float64.*int32"),
    ("u + 300", OverflowError, r"add: .*300.*uint8"),
    ("u - (-1)", OverflowError, r"subtract: .*-1.*uint8"),
    ("v + 2**70", OverflowError, r"add: .*int64|add: .*too large"),
    ("xp.array([300], dtype=xp.uint8)", OverflowError, r"array: .*300.*uint8"),
    ("xp.full(3, -1, dtype=xp.uint8)", OverflowError, r"full: .*-1.*uint8"),
    ("xp.array([[1, 2], [3]])", ValueError, r"array: .*(inhomogeneous|ragged)"),
    ("xp.array(['a'])", TypeError, r"array: .*str"),
    ("xp.array(object())", TypeError, r"array: .*object"),
    ("xp.array(None)", TypeError, r"array: .*None"),
    ("xp.zeros(-1)", ValueError, r"zeros: .*negative.*|zeros: .*-1"),
    ("xp.ones((2, -3))", ValueError, r"ones: .*negative.*|ones: .*-3"),
    ("xp.empty(1.5)", TypeError, r"empty: .*float"),
    ("xp.full((2, 3), [1, 2])", ValueError, r"full: .*\(2,\).*\(2, ?3\)"),
    ("xp.arange(0, 10, 0)", ZeroDivisionError, r"arange: "),
    ("xp.linspace(0, 1, -1)", ValueError, r"linspace: .*-1"),
    ("xp.geomspace(0, 1)", ValueError, r"geomspace: .*(0|zero)"),
    ("xp.eye(-1)", ValueError, r"eye: .*(negative|-1)"),
    ("xp.diag(s)", ValueError, r"diag: .*(1|2)"),
    ("xp.tile(v, -1)", ValueError, r"tile: "),
    ("xp.repeat(v, -1)", ValueError, r"repeat: .*negative|repeat: .*-1"),
    ("xp.repeat(v, [1, 2])", ValueError, r"repeat: .*2.*6|repeat: .*6.*2|repeat: .*broadcast"),
    ("xp.pad(v, -1)", ValueError, r"pad: .*negative|pad: .*-1"),
    ("xp.pad(v, 1, 'nonsense')", ValueError, r"pad: .*nonsense"),
    ("xp.insert(v, 9, 1)", IndexError, r"insert: index 9 is out of bounds"),
    ("xp.delete(v, 9)", IndexError, r"delete: index 9 is out of bounds"),
    ("xp.frombuffer(b'abc', dtype='i2')", ValueError, r"frombuffer: "),
    ("frozen[0, 0] = 1", ValueError, r"\w+: .*read-only"),
    ("frozen.__iadd__(1)", ValueError, r"add: .*read-only"),
    ("xp.add(1, 2, out=frozen)", ValueError, r"add: .*read-only"),
    ("frozen.fill(1)", ValueError, r"fill: .*read-only"),
    ("xp.copyto(frozen, 1)", ValueError, r"copyto: .*read-only"),
    ("xp.put(frozen, 0, 1)", ValueError, r"put: .*read-only"),
    ("xp.putmask(frozen, frozen > 0, 1)", ValueError, r"putmask: .*read-only"),
    ("xp.copyto(v, w)", TypeError, r"copyto: .*float64.*int64"),
    ("xp.einsum('ij,jk', m, m)", ValueError, r"einsum: "),
    ("xp.tensordot(m, m, axes=1)", ValueError, r"tensordot: "),
    ("xp.zeros((2**40, 2**18))", MemoryError, r"zeros: "),
    ("xp.empty(2**60, dtype=xp.uint8)", MemoryError, r"empty: "),
    ("xp.ones(2**50)", MemoryError, r"ones: "),
    ("xp.arange(10**17)", MemoryError, r"arange: "),
    ("xp.full((2**30, 2**30), 1, dtype=xp.int8)", MemoryError, r"full: "),
    ("xp.tile(v, 2**55)", MemoryError, r"tile: "),
    ("xp.repeat(v, 2**55)", MemoryError, r"repeat: "),
    ("bool(v)", ValueError, r".*ambiguous"),
    ("int(v)", TypeError, r".*"),
    ("len(s)", TypeError, r".*unsized"),
    ("hash(v)", TypeError, r".*unhashable.*ndarray"),
]


@pytest.mark.parametrize(("text", "kind", "pattern"), MESSAGES, ids=[text for text, _, _ in MESSAGES])
def test_message_names_the_op_and_what_it_got(text, kind, pattern):
    with pytest.raises(kind, match="^" + pattern):
        value_of(text, cp)


def test_axis_errors_carry_numpys_attributes():
    with pytest.raises(np.exceptions.AxisError) as caught:
        cp.sum(cp.ones((2, 3)), axis=7)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, IndexError)


def test_messages_are_one_line_of_plain_words():
    """No Rust debug output, no source paths: the message is for the user of the array."""
    for text, _, _ in MESSAGES:
        try:
            value_of(text, cp)
        except Exception as error:
            message = str(error)
            assert "\n" not in message.strip(), f"{text}: {message}"
            for leak in ("src/", ".rs", "panicked", "unwrap", "Some(", "Err("):
                assert leak not in message, f"{text}: {message}"


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
        xp.argmax(m, dtype=int)
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
