"""Python's protocols on arrays: numbers, length, iteration, containment, hashing, copying.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
"""

import pytest
from case_texts import RECENT, check_all
from twin import twin

import cuprum as cp

# ---------------------------------------------------------------------------- Python protocols


def test_python_protocols():
    check_all("""
        len(v)
        len(m)
        len(z)
        [x.item() for x in v]
        [x.shape for x in m]
        [x.tolist() for x in a]
        list(z)
        [float(x) for x in m[0]]
        [tuple(map(int, row)) for row in a[0]]
        v.tolist() == list(range(6))
        bool(s)
        bool(xp.array(0))
        bool(xp.array([1]))
        bool(xp.array([[0]]))
        bool(xp.array(math.nan))
        bool(c[0])
        int(n)
        int(s)
        float(n)
        float(s)
        complex(c[0])
        complex(s)
        n.__index__()
        hex(n)
        3 in v
        30 in v
        2.5 in w
        m[1] in m
        all(v >= 0)
        any(v > 10)
        sum(v)
        max(v)
        min(w)
        sorted(w)
        list(reversed(v))
        list(zip(v, w))
        dict(enumerate(v[:2]))
        [*v[:3]]
        abs(w)
        int(m[1, 2])
        float(m.sum())
        range(10)[n]
        [10] * n
        str(n)
        math.floor(s)
        math.sqrt(s)
    """)


def test_python_protocol_errors():
    check_all("""
        len(s)  # TypeError
        iter(s)  # TypeError
        [x for x in s]  # TypeError
        list(n)  # TypeError
        bool(v)  # ValueError
        bool(m > 3)  # ValueError
        not v  # ValueError
        v and v  # ValueError
        v or v  # ValueError
        1 if m else 0  # ValueError
        int(v)  # TypeError
        float(m)  # TypeError
        complex(v)  # TypeError
        int(xp.array(math.nan))  # ValueError
        int(xp.array(math.inf))  # OverflowError
        int(z)  # TypeError
        v.__index__()  # TypeError
        s.__index__()  # TypeError
        range(s)  # TypeError
        hash(v)  # TypeError
        {v: 1}  # TypeError
        {v}  # TypeError
        v()  # TypeError
        v.__delitem__(0)  # ValueError
        "abc"[s]  # TypeError
        round(v, "x")  # TypeError
        0 < v < 3  # ValueError
        v.item()  # ValueError
        min(m)  # ValueError
    """)


def test_hash_is_refused():
    for array in [cp.arange(3), cp.array(1), cp.zeros((0,))]:
        with pytest.raises(TypeError, match="unhashable"):
            hash(array)
    # A single element stands for NumPy's scalar, which has one.
    assert hash(cp.arange(3)[2]) == hash(2)


@twin()
def test_iteration_gives_views(xp):
    m = xp.arange(12).reshape(3, 4)
    for row in m:
        row[0] = -1
    first, *rest = m
    rest[0][1] = 50
    x, y, zed = m.T[0]
    return m, first, x + y, zed


@twin()
def test_unpacking_and_starring(xp):
    a, b = xp.arange(2)
    (c, d), (e, f) = xp.arange(4).reshape(2, 2)
    return [a, b, c, d, e, f], (lambda *args: len(args))(*xp.arange(5))


@twin(raises=ValueError)
def test_unpacking_the_wrong_number(xp):
    a, b = xp.arange(3)
    return a, b


def test_full_reductions_and_elements_are_0d_arrays():
    a = cp.arange(6.0)
    for value in [
        a.sum(),
        a.max(),
        a.mean(),
        a[0],
        a.argmax(),
        (a > 2).all(),
        a[cp.array(2)],
        cp.dot(a, a),
        a.sum() + 1,
    ]:
        assert isinstance(value, cp.ndarray)
        assert value.shape == ()


@RECENT
def test_what_recent_numpy_settled():
    check_all("""
        bool(z)  # ValueError
    """)
