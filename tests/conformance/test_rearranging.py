"""Repeats, flips, rolls, insertions, deletions and pads; bad arguments too.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
"""

import functools

import numpy as np
import pytest
from case_texts import check_all
from twin import check, collect

# ---------------------------------------------------------------------------- repeating and rearranging


def test_tile_and_repeat():
    check_all("""
        xp.tile(v, 2)
        xp.tile(v, (2, 2))
        xp.tile(m, 2)
        xp.tile(m, (2, 1))
        xp.tile(m, (2, 1, 3))
        xp.tile(m, ())
        xp.tile(m, 1)
        xp.tile(m, 0)
        xp.tile(m, (0, 2))
        xp.tile(s, 3)
        xp.tile(5, (2, 2))
        xp.tile(z, (2, 2))
        xp.tile(m.T, (1, 2))
        xp.tile([1, 2], [2, 1])
        xp.tile(f, 1)
        xp.repeat(v, 2)
        xp.repeat(v, 1.5)
        xp.repeat(v, [2.0])
        xp.repeat(s, 2, axis=0)
        xp.repeat(s, [3], axis=-1)
        xp.compress([True, False], s, axis=0)
        xp.compress([True], s, axis=0)
        xp.squeeze(s, 0)
        xp.squeeze(s, -1)
        xp.flip(s)
        xp.repeat(m, 2)
        xp.repeat(m, 2, axis=0)
        xp.repeat(m, 3, axis=1)
        xp.repeat(m, 2, axis=-1)
        xp.repeat(m, [1, 0, 2], axis=0)
        xp.repeat(m, [1, 2, 0, 3], axis=1)
        xp.repeat(m, xp.array([1, 0, 2]), axis=0)
        xp.repeat(v, [1, 2, 3, 0, 0, 1])
        xp.repeat(v, 0)
        xp.repeat(v, [2])
        xp.repeat(s, 3)
        xp.repeat(5, 3)
        xp.repeat(m.T, 2, axis=0)
        xp.repeat(m[::-1], 2, axis=1)
        xp.repeat(z, 2, axis=0)
        xp.repeat(z, 2, axis=1)
        v.repeat(2)
        m.repeat(2, axis=1)
        m.repeat([1, 2, 1], 0)
    """)


def test_flip_rot_roll():
    check_all("""
        xp.flip(v)
        xp.flip(m)
        xp.flip(m, 0)
        xp.flip(m, axis=1)
        xp.flip(m, -1)
        xp.flip(a, (0, 2))
        xp.flip(a, ())
        xp.flip(s)
        xp.flip([1, 2, 3])
        xp.flip(m.T, 0)
        xp.fliplr(m)
        xp.flipud(m)
        xp.fliplr(a)
        xp.flipud(v)
        xp.rot90(m)
        xp.rot90(m, 2)
        xp.rot90(m, 3)
        xp.rot90(m, 4)
        xp.rot90(m, -1)
        xp.rot90(m, k=5)
        xp.rot90(a, 1, (1, 2))
        xp.rot90(a, axes=(2, 0))
        xp.rot90(a, 2, axes=(0, -1))
        xp.roll(v, 2)
        xp.roll(v, -1.5)
        xp.roll(m, (1.5, 2), axis=(0, 1))
        xp.roll(v, -2)
        xp.roll(v, 0)
        xp.roll(v, 13)
        xp.roll(v, -13)
        xp.roll(m, 5)
        xp.roll(m, 1, axis=0)
        xp.roll(m, -1, axis=1)
        xp.roll(m, (1, 2), axis=(0, 1))
        xp.roll(m, (1, 2), axis=0)
        xp.roll(m, 1, axis=(0, 1))
        xp.roll(m, (1, 1), axis=(0, 0))
        xp.roll(a, (1, -1, 2), axis=(0, 1, 2))
        xp.roll(a, 1, axis=-1)
        xp.roll(f, 1, axis=1)
        xp.roll(f, 1)
        xp.roll(m.T, 1, axis=0)
        xp.roll(s, 1)
        xp.roll(z, 1, axis=0)
        xp.roll(z, 1)
        xp.roll([1, 2, 3], 1)
        xp.roll(v, 10**12)
    """)


def test_repeat_flip_roll_errors():
    check_all("""
        xp.tile(v, -1)  # ValueError
        xp.tile(v, 1.5)  # TypeError
        xp.tile(v, "x")  # ValueError
        xp.repeat(v, -1)  # ValueError
        xp.repeat(v, [1, 2])  # ValueError
        xp.repeat(v, [1, 2, 3, 4, 5, -1])  # ValueError
        xp.repeat(m, 2, axis=2)  # AxisError
        xp.repeat(m, [1, 2], axis=0)  # ValueError
        xp.repeat(v, [[1], [2]])  # ValueError
        xp.repeat(v, "x")  # ValueError
        xp.flip(m, 2)  # AxisError
        xp.flip(m, (0, 0))  # ValueError
        xp.flip(m, "x")  # TypeError
        xp.fliplr(v)  # ValueError
        xp.flipud(s)  # ValueError
        xp.rot90(v)  # ValueError
        xp.rot90(m, axes=(0, 0))  # ValueError
        xp.rot90(m, axes=(0, 2))  # ValueError
        xp.rot90(m, axes=(0,))  # ValueError
        xp.repeat(v, xp.array([1.0]))  # TypeError
        xp.roll(v, xp.nan)  # ValueError
        xp.roll(m, 1, axis=2)  # AxisError
        xp.roll(m, (1, 2, 3), axis=(0, 1))  # ValueError
        xp.roll(v)  # TypeError
    """)


def test_insert_delete_resize_trim():
    check_all("""
        xp.insert(v, 1, 99)
        xp.insert(v, -1, 99)
        xp.insert(v, 6, 99)
        xp.insert(v, [1, 3], 99)
        xp.insert(v, [1, 3], [98, 99])
        xp.insert(v, [3, 1], [98, 99])
        xp.insert(v, [1, 1], [98, 99])
        xp.insert(v, 1, [97, 98, 99])
        xp.insert(v, slice(1, 4), 99)
        xp.insert(v, slice(None, None, 2), [1, 2, 3])
        xp.insert(v, 1, 2.9)
        xp.insert(m, 1, 99)
        xp.insert(m, 1, 99, axis=0)
        xp.insert(m, 1, 99, axis=1)
        xp.insert(m, 1, [1, 2, 3], axis=1)
        xp.insert(m, [1], [[1], [2], [3]], axis=1)
        xp.insert(m, [0, 2], 5, axis=1)
        xp.insert(m, [0, 2], [[5, 6]], axis=1)
        xp.insert(m, -1, [1, 2, 3, 4], axis=0)
        xp.insert(v, [], 5)
        xp.insert(v, [], [])
        xp.insert(v, xp.array([1, 2]), 5)
        xp.insert([1, 2], 1, 5)
        xp.insert(f, 1, 5, axis=0)
        xp.delete(v, 1)
        xp.delete(v, -1)
        xp.delete(v, [1, 3])
        xp.delete(v, [1, 1, -1])
        xp.delete(v, slice(1, 4))
        xp.delete(v, slice(None, None, 2))
        xp.delete(v, slice(4, 1, -1))
        xp.delete(v, [])
        xp.delete(v, v > 3)
        xp.delete(v, xp.array([0, 2]))
        xp.delete(m, 1)
        xp.delete(m, 1, axis=0)
        xp.delete(m, [0, 2], axis=1)
        xp.delete(m, slice(None, 2), axis=1)
        xp.delete(m, slice(0, 0), axis=1)
        xp.delete(f, 1, axis=0)
        xp.delete(a, 1, axis=2)
        xp.resize(v, 4)
        xp.resize(v, 10)
        xp.resize(v, (3, 5))
        xp.resize(m, (2, 2))
        xp.resize(m, (5, 5))
        xp.resize(m, 0)
        xp.resize(z, (2, 2))
        xp.resize(5, (2, 2))
        xp.resize(m.T, (2, 5))
        xp.trim_zeros([0, 0, 1, 2, 0])
        xp.trim_zeros([0, 0, 1, 2, 0], "f")
        xp.trim_zeros([0, 0, 1, 2, 0], "b")
        xp.trim_zeros(xp.array([0, 0, 1, 0, 2, 0, 0]))
        xp.trim_zeros(xp.array([0.0, 0.0]))
        xp.trim_zeros(xp.array([1, 2]))
        xp.trim_zeros(xp.array([False, True, False]), trim="fb")
        xp.diagonal(m)
        xp.diagonal(m, 1)
        xp.diagonal(m, -1)
        xp.diagonal(m, 10)
        xp.diagonal(a)
        xp.diagonal(a, 0, 1, 2)
        xp.diagonal(a, 1, 2, 0)
        xp.diagonal(a, axis1=-1, axis2=-2)
        m.diagonal()
        m.T.diagonal(1)
        m[::-1].diagonal()
        m.diagonal().flags.writeable
        xp.trace(m)
        xp.trace(m, 1)
        xp.trace(a)
        xp.trace(a, 1, 1, 2)
        xp.trace(a, offset=0, axis1=0, axis2=2)
        xp.trace(m, dtype=xp.float32)
        xp.trace(v.reshape(2, 3).astype(xp.int8))
        xp.trace(m > 3)
        m.trace()
        m.trace(-2)
        xp.trace(a, out=xp.zeros(4, dtype=xp.int64))
    """)


def test_insert_delete_errors():
    check_all("""
        xp.insert(v, 7, 1)  # IndexError
        xp.insert(v, -8, 1)  # IndexError
        xp.insert(v, [1, 9], 1)  # IndexError
        xp.insert(v, [1, 2], [1, 2, 3])  # ValueError
        xp.insert(m, 1, [1, 2], axis=1)  # ValueError
        xp.insert(m, 1, 5, axis=2)  # AxisError
        xp.insert(v, 1.5, 1)  # TypeError
        xp.insert(v, "x", 1)  # TypeError
        xp.insert(v, 1)  # TypeError
        xp.delete(v, 6)  # IndexError
        xp.delete(v, -7)  # IndexError
        xp.delete(v, [1, 9])  # IndexError
        xp.delete(m, 0, axis=2)  # AxisError
        xp.delete(v, 1.5)  # IndexError
        xp.delete(v, xp.array([True, False]))  # ValueError
        xp.resize(v, -1)  # ValueError
        xp.resize(v, (2, -2))  # ValueError
        xp.resize(v, "x")  # TypeError
        xp.diagonal(v)  # ValueError
        xp.diagonal(m, 0, 0, 0)  # ValueError
        xp.diagonal(m, 0, 0, 2)  # AxisError
        xp.diagonal(m, "x")  # TypeError
        xp.trace(v)  # ValueError
        xp.trace(m, 0, 1, 1)  # ValueError
        xp.trace(a, 0, 0, 3)  # AxisError
    """)


# ---------------------------------------------------------------------------- pad

PAD_MODES = ["edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap"]


PAD_WIDTHS = [0, 1, 2, (1, 2), (0, 3), [(2, 1)], 7]


@pytest.mark.parametrize("mode", ["constant", "empty", *PAD_MODES])
def test_pad_modes(mode):
    def body(xp, dtype, shape, width, view):
        host = (np.arange(int(np.prod(shape))).reshape(shape) * 3 % 11).astype(dtype)
        array = xp.array(host)
        array = array.T if view == "T" else array[::-1] if view == "reversed" else array
        padded = xp.pad(array, width, mode=mode)
        if mode == "empty":
            low = width[0][0] if isinstance(width, list) else width[0] if isinstance(width, tuple) else width
            return padded.shape, padded[tuple(slice(low, low + n) for n in array.shape)].copy()
        return padded

    with collect() as failures:
        for dtype in ["int64", "float64", "float32", "uint8", "int16", "bool", "complex64"]:
            if dtype in ("bool", "complex64") and mode not in (
                "constant",
                "edge",
                "reflect",
                "symmetric",
                "wrap",
            ):
                continue
            for shape in [(5,), (3, 4), (1, 3), (2, 2, 3)]:
                for width in PAD_WIDTHS:
                    for view in ["C", "T", "reversed"]:
                        with failures:
                            check(
                                functools.partial(body, dtype=dtype, shape=shape, width=width, view=view),
                                ulps=2 if mode in ("mean", "linear_ramp") else 0,
                                label=f"{mode} {dtype} {shape} {width} {view}",
                            )


def test_pad_options():
    check_all(
        """
        xp.pad(v, 2)
        xp.pad(v, (1, 2), "constant", constant_values=9)
        xp.pad(v, (1, 2), constant_values=(8, 9))
        xp.pad(m, ((1, 2), (3, 4)))
        xp.pad(m, ((1, 2), (3, 4)), constant_values=((1, 2), (3, 4)))
        xp.pad(m, ((1,), (2,)), "edge")
        xp.pad(m, 1, constant_values=math.nan)
        xp.pad(v, 1, constant_values=2.9)
        xp.pad(m, ((0, 0), (1, 1)), mode="wrap")
        xp.pad(v, 3, "linear_ramp", end_values=(5, -4))
        xp.pad(w, 3, "linear_ramp", end_values=10)
        xp.pad(v, 2, "maximum", stat_length=2)
        xp.pad(v, 2, "minimum", stat_length=(1, 3))
        xp.pad(v, 2, "mean", stat_length=3)
        xp.pad(v, 2, "median", stat_length=(2, 3))
        xp.pad(m, 2, "maximum", stat_length=((1, 2), (2, 1)))
        xp.pad(v, 3, "reflect", reflect_type="odd")
        xp.pad(v, 3, "symmetric", reflect_type="odd")
        xp.pad(v, 20, "reflect")
        xp.pad(v, 20, "symmetric")
        xp.pad(v, 20, "wrap")
        xp.pad(v, 20, "reflect", reflect_type="odd")
        xp.pad(v[:1], 3, "reflect")
        xp.pad(z, 1)
        xp.pad(z, ((1, 1), (0, 0)), constant_values=5)
        xp.pad(z, ((0, 0), (1, 2)), "edge")
        xp.pad([1, 2], 1)
        xp.pad(f, 1)
        xp.pad(f, 1, "edge")
        xp.pad(v, np.array([1, 2]))
        xp.pad(a, 1, "wrap")
        xp.pad(a, ((0, 0), (1, 1), (2, 2)), "reflect")
        xp.pad(v, 2, lambda vector, width, axis, kwargs: vector.__setitem__(slice(0, width[0]), 7))
    """,
        ulps=2,
    )


def test_pad_errors():
    check_all("""
        xp.pad(v, -1)  # ValueError
        xp.pad(v, (1, -1))  # ValueError
        xp.pad(v, 1.5)  # TypeError
        xp.pad(v, "x")  # TypeError
        xp.pad(m, ((1, 2), (3, 4), (5, 6)))  # ValueError
        xp.pad(v, 1, "no such mode")  # ValueError
        xp.pad(v, 1, "edge", constant_values=3)  # ValueError
        xp.pad(v, 1, "constant", stat_length=3)  # ValueError
        xp.pad(v, 1, "mean", stat_length=-1)  # ValueError
        xp.pad(z, 1, "edge")  # ValueError
        xp.pad(z, 1, "reflect")  # ValueError
        xp.pad(v, 1, "maximum", stat_length=0)  # ValueError
        xp.pad(v)  # TypeError
    """)
