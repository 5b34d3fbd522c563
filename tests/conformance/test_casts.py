"""Casts, views of other dtypes, rounding, clipping and differences; bad arguments too.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
"""

from case_texts import check_all
from twin import check

# ---------------------------------------------------------------------------- casts, rounding, differences


def test_astype_and_view():
    check_all("""
        m.astype(xp.float32)
        m.astype("i4")
        m.astype(int)
        m.astype(bool)
        m.astype(xp.complex64)
        f.astype(xp.float32)
        f.astype(xp.float32, order="C")
        m.astype(xp.float32, order="F")
        m.T.astype(xp.float32)
        m.T.astype(xp.float32, "C")
        m[::-1].astype(xp.int8)
        a.swapaxes(0, 1).astype(xp.float32)
        m.astype(m.dtype, copy=False) is m
        m.astype(xp.float32, copy=False) is m
        m.astype(m.dtype) is m
        m.astype(m.dtype, copy=False, order="F") is m
        v.astype(xp.float64, casting="safe")
        v.astype(xp.int8, casting="same_kind")
        w.astype(xp.int64, casting="unsafe")
        w.astype(xp.int8)
        (v * 100).astype(xp.int8)
        (v - 3).astype(xp.uint16)
        xp.array([0.0, -0.0, math.nan, 0.5]).astype(bool)
        xp.array([1e300, 1e-300]).astype(xp.float32)
        xp.array([65519.0, 65520.0, 1e-8]).astype(xp.float16)
        xp.array([1 + 2j, 3]).astype(xp.complex64)
        xp.array([1 + 2j, 3]).astype(xp.float64)
        xp.array([1 + 2j, 0j, 1j]).astype(bool)
        s.astype(xp.int32)
        z.astype(xp.int8)
        xp.astype(v, xp.float32)
        m.view(xp.int64)
        m.view("u8")
        m.view(xp.float32)
        m.view(xp.uint8)
        m.view(xp.complex128)
        v.view(xp.float64)
        v.view(xp.int32)
        v.view(xp.int8)[:8]
        v[::2].view(xp.float64)
        m[1:].view(xp.int32)
        m[:, ::-1].view(xp.int64)
        m.T.view(xp.int64)
        s.view(xp.int64)
        z.view(xp.int64)
        m.view()
        (m > 3).view(xp.uint8)
        (m > 3).view(xp.int8)
        xp.arange(4, dtype=xp.float16).view(xp.uint16)
        xp.arange(4, dtype=xp.int16).view(xp.int32)
        m.astype(xp.complex64).view(xp.float32)
        m.astype(xp.complex64).real
        (m + 1j * m).imag
        (m + 1j * m).real
        m.real
        m.imag
        xp.real(m + 2j)
        xp.imag(m + 2j)
    """)


def test_cast_errors():
    check_all("""
        w.astype(xp.int64, casting="safe")  # TypeError
        w.astype(xp.int64, casting="same_kind")  # TypeError
        v.astype(xp.int8, casting="safe")  # TypeError
        v.astype(xp.float32, casting="equiv")  # TypeError
        v.astype(xp.float64, casting="no")  # TypeError
        (m * 1j).astype(xp.float64, casting="same_kind")  # TypeError
        m.astype("bad")  # TypeError
        m.astype(xp.float32, order="X")  # ValueError
        m.astype(xp.float32, casting="bad")  # ValueError
        m.astype()  # TypeError
        m.astype(xp.float32, bad=1)  # TypeError
        m.T.view(xp.float32)  # ValueError
        m.T.view(xp.complex128)  # ValueError
        m[:, ::2].view(xp.float32)  # ValueError
        xp.arange(3, dtype=xp.int8).view(xp.int16)  # ValueError
        s.view(xp.float32)  # ValueError
        s.view(xp.complex128)  # ValueError
        m.view("bad")  # TypeError
        xp.arange(5.0)[1:4].view(xp.complex128)  # ValueError
        xp.astype([1, 2], xp.float32)  # TypeError
    """)


def test_bounds_that_an_integer_dtype_does_not_hold():
    """One beyond the range on its own side bounds nothing; on the other side it is an error."""
    for low, high in [(-5, 3), (None, 300), (-5, 300), (-5, None), (-5, -5), (0, -5), (300, 5), (300, None)]:
        for body in (
            lambda xp, low=low, high=high: xp.arange(5, dtype="u1").clip(low, high),
            lambda xp, low=low, high=high: xp.clip(xp.arange(5, dtype="u1"), low, high),
            lambda xp, low=low, high=high: xp.clip(xp.arange(5, dtype="i1"), low, high and -high * 3),
        ):
            check(body, may_raise=(OverflowError,))


def test_round_clip_diff():
    check_all("""
        xp.round(w)
        xp.round(w, 1)
        xp.round(w, -1)
        xp.around(w, decimals=1)
        xp.round(v, 2)
        xp.round(v * 7, -1)
        xp.round(xp.array([0.5, 1.5, 2.5, -0.5, -1.5]))
        xp.round(xp.array([1.25, 1.35, 2.675]), 2)
        xp.round(w * (1 + 1j), 1)
        xp.round(w.astype(xp.float32), 1)
        xp.round(w.astype(xp.float16), 1)
        xp.round(2.567, 1)
        xp.round(s)
        xp.round(w, out=xp.zeros(6))
        w.round()
        w.round(1)
        w.round(decimals=-1)
        xp.clip(w, -1, 2)
        xp.clip(w, None, 2)
        xp.clip(w, -1, None)
        xp.clip(w, 2, -1)
        xp.clip(w, xp.zeros(6), xp.ones(6))
        xp.clip(m, 2, [5, 6, 7, 8])
        xp.clip(v, 1, 3)
        xp.clip(v, 1.5, 3)
        xp.clip(v.astype(xp.int8), 1, 3)
        xp.clip(v.astype(xp.uint8), 1, 3)
        xp.clip(v.astype(xp.float32), 1.5, 3)
        xp.clip(xp.array([math.nan, 1.0, 5.0]), 2, 3)
        xp.clip(w, math.nan, 3)
        xp.clip(w, a_min=-1, a_max=1)
        xp.clip(w, -1, 2, out=xp.zeros(6))
        xp.clip(f, 2, 5)
        xp.clip([1, 2, 3], 2, 2)
        w.clip(-1, 2)
        w.clip(min=0)
        w.clip(max=0)
        w.clip(0, out=xp.zeros(6))
        xp.diff(v ** 2)
        xp.diff(w)
        xp.diff(v ** 2, 2)
        xp.diff(v, 0)
        xp.diff(v, 10)
        xp.diff(m)
        xp.diff(m, axis=0)
        xp.diff(m, n=2, axis=-1)
        xp.diff(v, prepend=0)
        xp.diff(v, append=[10, 20])
        xp.diff(m, prepend=0, append=100, axis=0)
        xp.diff(m, prepend=[[1], [2], [3]])
        xp.diff(xp.array([True, False, False, True]))
        xp.diff(v.astype(xp.uint8)[::-1])
        xp.diff(w * 1j)
        xp.diff(z)
        xp.diff(m.T)
        xp.diff([1, 4, 9])
        xp.ediff1d(v ** 2)
        xp.ediff1d(m)
        xp.ediff1d(v, to_end=99)
        xp.ediff1d(v, to_begin=-1)
        xp.ediff1d(v, to_end=[8, 9], to_begin=[1, 2])
        xp.ediff1d([1, 4, 9])
        xp.ediff1d(v[:1])
        xp.ediff1d(v[:0])
    """)


def test_round_clip_diff_errors():
    check_all("""
        xp.round(w, 1.5)  # TypeError
        xp.round(w, "x")  # TypeError
        xp.round(w, out=xp.zeros(5))  # ValueError
        xp.round(w, out=xp.zeros(6, dtype=xp.int64))  # TypeError
        w.round(1, bad=2)  # TypeError
        xp.clip(w, xp.ones(4), 2)  # ValueError
        xp.clip(w, 0, 1, out=xp.zeros(5))  # ValueError
        xp.clip(w, 0, 1, out=xp.zeros(6, dtype=xp.int64))  # TypeError
        xp.clip()  # TypeError
        xp.diff(v, -1)  # ValueError
        xp.diff(s)  # ValueError
        xp.diff(m, axis=2)  # AxisError
        xp.diff(v, 1.5)  # TypeError
        xp.diff(m, prepend=[1, 2])  # AxisError
        xp.ediff1d(v, to_end=0.5)  # TypeError
    """)
