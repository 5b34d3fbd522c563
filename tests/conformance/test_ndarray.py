"""The array object: attributes and methods.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
"""

from case_texts import check_all, state_after
from twin import ALL_DTYPES, twin

# ---------------------------------------------------------------------------- attributes


def test_attributes():
    check_all("""
        m.shape
        m.ndim
        m.size
        m.itemsize
        m.nbytes
        m.strides
        m.dtype
        f.strides
        m.T.strides
        m[::-1, ::2].strides
        a[:, 1].strides
        s.shape
        s.ndim
        s.size
        s.strides
        z.size
        z.nbytes
        z.shape
        (v > 2).dtype
        (v > 2).itemsize
        c.real
        c.imag
        w.real
        w.imag
        m.flags.c_contiguous
        m.flags.f_contiguous
        f.flags.c_contiguous
        f.flags.f_contiguous
        m.flags["C_CONTIGUOUS"]
        m.flags["F_CONTIGUOUS"]
        m.flags["WRITEABLE"]
        m.flags.writeable
        m.flags.owndata
        m[1:].flags.owndata
        m[:, ::2].flags.c_contiguous
        v.flags.f_contiguous
        s.flags.c_contiguous
        z.flags.c_contiguous
        m.flags.aligned
        m.flags.forc
        m.flags.fnc
        f.flags.fnc
        xp.broadcast_to(v, (2, 6)).flags.writeable
        isinstance(m, xp.ndarray)
        [x.item() for x in m.flat]
        len(list(m.flat))
        m.flat[5]
        m.T.flat[5]
        m.flat[2:8]
        m.flat[[1, 3]]
        m.base is None
        m.view().base is m
        callable(m.sum)
    """)


def test_setting_attributes():
    check_all(
        """
        v.shape = (2, 3)
        m.shape = (4, 3)
        m.shape = -1
        m.shape = (2, -1)
        c.real = 5
        c.imag = [7, 8]
        c.real = w[:2]
        w.real = 1
        m.flat = 3
        m.flat = [1, 2, 3]
        m.T.flat = xp.arange(12)
        m.flat[3] = 99
        m.flat[::2] = -1
        m.T.flat[[0, 1]] = 7
    """,
        state_after,
    )


def test_attribute_errors():
    check_all(
        """
        v.shape = (4, 2)  # ValueError
        m.T.shape = (12,)  # AttributeError
        v.size = 3  # AttributeError
        v.ndim = 2  # AttributeError
        v.T = v  # AttributeError
        v.nothing = 1  # AttributeError
        v.nothing  # AttributeError
        w.imag = 1  # TypeError
        v.nbytes = 5  # AttributeError
        v.itemsize = 1  # AttributeError
        m.flat[12]  # IndexError
        m.flat["x"]  # IndexError
    """,
        state_after,
    )


@twin()
def test_attributes_in_every_dtype(xp):
    return [
        (a.dtype, a.itemsize, a.nbytes, a.real, a.imag, a.T, a.strides)
        for a in (xp.ones((2, 3), dtype=d) for d in ALL_DTYPES)
    ]


def test_dtype_spellings():
    check_all("""
        xp.zeros(1, dtype=xp.float32).dtype == xp.float32
        xp.zeros(1, dtype="float32").dtype == "f4"
        xp.zeros(1, dtype=np.float32).dtype == np.dtype("f4")
        xp.zeros(1, dtype="d").dtype
        xp.zeros(1, dtype="int").dtype
        xp.zeros(1, dtype="uint").dtype
        xp.zeros(1, dtype="long").dtype
        xp.zeros(1, dtype="=i4").dtype
        xp.zeros(1, dtype="b1").dtype
        xp.zeros(1, dtype=np.intp).dtype
        xp.zeros(1, dtype=np.longlong).dtype.itemsize
        xp.zeros(1, dtype=xp.arange(3).dtype).dtype
        v.dtype.kind
        w.dtype.char
        w.dtype.name
        str(w.dtype)
        xp.result_type(v, w)
        xp.result_type(xp.int8, 3)
        xp.promote_types("i4", "f4")
        xp.can_cast("i4", "f4")
        xp.min_scalar_type(300)
        xp.finfo(xp.float32).eps
        xp.iinfo(xp.int8).max
        xp.issubdtype(v.dtype, xp.integer)
        xp.isdtype(v.dtype, "integral")
    """)


# ---------------------------------------------------------------------------- methods


def test_reduction_methods():
    check_all(
        """
        m.sum()
        m.sum(0)
        m.sum(axis=1)
        m.sum((0, 1))
        m.sum(axis=-1, keepdims=True)
        m.sum(dtype=xp.float32)
        m.sum(initial=10)
        m.sum(where=m > 3)
        m.sum(out=xp.zeros(()))
        m.sum(0, out=xp.zeros(4))
        a.sum((0, 2))
        a.prod(2)
        m.min()
        m.max(0)
        m.min(axis=1, keepdims=True)
        m.max(initial=100)
        m.mean()
        m.mean(0)
        m.mean((0, 1), keepdims=True)
        v.mean()
        m.var()
        m.std(0)
        m.std(ddof=1)
        m.var(axis=1, keepdims=True)
        b.all()
        b.any()
        m.all(1)
        m.any(axis=0, keepdims=True)
        w.argmin()
        w.argmax()
        m.argmax(0)
        m.argmin(axis=1, keepdims=True)
        m.cumsum()
        m.cumsum(0)
        m.cumsum(axis=1, dtype=xp.float32)
        v.cumprod()
        m.trace()
        c.conj()
        c.conjugate()
        v.conj()
        m.dot(m.T)
        v.dot(v)
        xp.ptp(m, 0)
        z.sum()
        z.sum(0)
        z.prod(1)
        z.all()
        z.any()
        z.sum(axis=())
        m.sum(axis=())
        m.mean(out=xp.zeros(()))
    """,
        ulps=2,
    )


def test_other_methods():
    check_all("""
        m.tolist()
        s.tolist()
        z.tolist()
        c.tolist()
        b.tolist()
        n.item()
        c[0].item()
        m.item(3)
        m.item(1, 2)
        m.tobytes()
        m.T.tobytes()
        m.tobytes("F")
        b.nonzero()
        m.take([1, 2], axis=1)
        v.choose([10, 20, 30, 40, 50, 60])
        m.compress([True, False, True], 0)
        v.repeat(2)
        m.ravel()
        m.flatten("F")
        m.squeeze()
        m.swapaxes(0, 1)
        m.transpose(1, 0)
        m.diagonal()
        m.reshape(2, 6)
        m.copy()
        w.round(1)
        w.clip(-1, 1)
        m.astype(int)
        v.view(xp.float64)
        m.max() - m.min()
        xp.array_equal(m, f)
        xp.array_equal(m, m.T)
        xp.array_equiv(v, xp.stack([v, v]))
        xp.allclose(m, f + 1e-9)
        xp.isclose(w, w + 1e-9)
        xp.isscalar(3)
        xp.isscalar(v)
        xp.iterable(v)
        xp.shares_memory(m, m[1:])
    """)


def test_mutating_methods():
    check_all(
        """
        m.fill(4)
        v.put([0, 1], [9, 8])
        m.T[...] = 5
        m.__setitem__(0, 7)
        m.__iadd__(1)
    """,
        state_after,
    )


def test_method_errors():
    check_all("""
        m.sum(2)  # AxisError
        m.sum(axis=-3)  # AxisError
        m.sum((0, 0))  # ValueError
        m.sum("x")  # TypeError
        m.sum(1.5)  # TypeError
        m.sum(bad=1)  # TypeError
        m.sum(0, 1, 2, 3, 4, 5, 6, 7)  # TypeError
        m.sum(dtype="bad")  # TypeError
        m.sum(0, out=xp.zeros(3))  # ValueError
        m.sum(0, out=5)  # TypeError
        z.min()  # ValueError
        z.max(0)  # ValueError
        z.argmax()  # ValueError
        z.argmax(0)  # ValueError
        m.mean(5)  # AxisError
        m.var(axis=2)  # AxisError
        m.std(bad=1)  # TypeError
        m.argmax(2)  # AxisError
        m.argmax((0, 1))  # TypeError
        m.cumsum(2)  # AxisError
        m.cumsum((0, 1))  # TypeError
        m.dot(m)  # ValueError
        m.all(3)  # AxisError
        m.min(initial="x")  # ValueError
        c.min(axis=1)  # AxisError
        m.tolist(1)  # TypeError
        m.tobytes("X")  # ValueError
        m.nothing()  # AttributeError
        m.conj(1, 2, 3)  # TypeError
        m.fill()  # TypeError
        m.take()  # TypeError
        m.astype()  # TypeError
        m.item("x")  # TypeError
    """)


@twin()
def test_views_of_nothing_that_begin_behind_their_memory(xp):
    a, b = xp.zeros((0, 4, 2), "uint16")[:, 1:], xp.zeros((3, 4, 0))[1:, 2:]
    return [a.tolist(), b.tolist(), a.tobytes(), b.copy(), a + 1, b.sum(axis=1), repr(b), a.size]
