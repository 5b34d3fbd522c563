"""Shapes, joins, splits, repeats, pads and rearrangements, over layouts; bad arguments too.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
"""

import functools
import math

import numpy as np
import pytest
from twin import ALL_DTYPES, check, collect, twin

RECENT = pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.3.0", reason="NumPy before 2.3 lacks this or answers otherwise"
)


def value_of(text, xp):
    scope = {
        "xp": xp,
        "np": np,
        "math": math,
        "s": xp.array(2.5),
        "v": xp.arange(6),
        "w": xp.array([3.5, -1.25, 2.0, 0.0, -7.75, 2.5]),
        "m": xp.arange(12.0).reshape(3, 4),
        "f": xp.asfortranarray(xp.arange(12.0).reshape(3, 4)),
        "a": xp.arange(24).reshape(2, 3, 4),
        "o": xp.arange(3).reshape(1, 3, 1),
        "z": xp.zeros((0, 3)),
    }
    return eval(text, scope)


def check_all(table, **options):
    """One case a line; the lines are indented source texts."""
    with collect() as failures:
        for text in filter(None, map(str.strip, table.splitlines())):
            with failures:
                check(functools.partial(value_of, text), label=text, **options)


# ---------------------------------------------------------------------------- shape


def test_reshape():
    check_all("""
        xp.reshape(v, (2, 3))
        xp.reshape(v, [3, 2])
        xp.reshape(v, 6)
        xp.reshape(v, -1)
        xp.reshape(m, -1)
        xp.reshape(m, (4, -1))
        xp.reshape(m, (-1, 2, 3))
        xp.reshape(m, (4, 3), order="F")
        xp.reshape(m, (4, 3), order="A")
        xp.reshape(f, (4, 3), order="A")
        xp.reshape(f, (4, 3))
        xp.reshape(f, (4, 3), order="F")
        xp.reshape(f, (2, 6), order="F")
        xp.reshape(m.T, (2, 6))
        xp.reshape(m.T, -1)
        xp.reshape(m[::-1], (2, 6))
        xp.reshape(m[:, ::2], (6,))
        xp.reshape(m[::2], (2, 2, 2))
        xp.reshape(m[::2, ::2], (2, 1, 2))
        xp.reshape(a, (6, 4))
        xp.reshape(a.T, (4, 6))
        xp.reshape(a.swapaxes(0, 1), (3, 8))
        xp.reshape(a[:, 1:], (2, 2, 2, 2))
        xp.reshape(a[:, :, 1], (6,))
        xp.reshape(xp.broadcast_to(v, (2, 6)), (3, 4))
        xp.reshape(xp.broadcast_to(v, (2, 6)), (2, 3, 2))
        xp.reshape(s, (1, 1))
        xp.reshape(s, ())
        xp.reshape(s, -1)
        xp.reshape(v[:1], ())
        xp.reshape(z, (3, 0))
        xp.reshape(z, (0, 7, 2))
        xp.reshape(z, -1)
        xp.reshape([[1, 2], [3, 4]], 4)
        v.reshape(2, 3)
        v.reshape((2, 3))
        v.reshape([2, 3])
        v.reshape(2, -1)
        v.reshape(-1)
        v.reshape(6, 1, 1)
        v.reshape(np.int64(2), np.int64(3))
        v.reshape(1, 6, order="F")
        m.reshape(2, 6, order="F")
        m.reshape(-1, order="F")
        m.reshape(m.shape)
        m.reshape(3, 2, 2)
        m.reshape((3, 2, 2), order="F")
        xp.ravel(m)
        xp.ravel(m, "F")
        xp.ravel(f)
        xp.ravel(f, order="K")
        xp.ravel(f, order="A")
        xp.ravel(m.T, order="K")
        xp.ravel(a.swapaxes(0, 1), order="K")
        xp.ravel(a[::-1], order="K")
        xp.ravel(m[::2])
        xp.ravel(s)
        xp.ravel(z)
        xp.ravel([[1, 2], [3, 4]])
        m.ravel()
        m.T.ravel()
        m.ravel("F")
        a.T.ravel("K")
        m.flatten()
        m.flatten("F")
        f.flatten("K")
        f.flatten("A")
        m[::-1].flatten()
        s.flatten()
        z.flatten()
        xp.squeeze(o)
        xp.squeeze(o, 0)
        xp.squeeze(o, axis=(0, 2))
        xp.squeeze(o, axis=-1)
        xp.squeeze(o, axis=())
        xp.squeeze(s)
        xp.squeeze(v[:1])
        xp.squeeze([[5]])
        o.squeeze()
        o.squeeze(2)
        o.squeeze(axis=(0, -1))
        xp.expand_dims(v, 0)
        xp.expand_dims(v, 1)
        xp.expand_dims(v, -1)
        xp.expand_dims(m, (0, 2))
        xp.expand_dims(m, axis=(-1, 0))
        xp.expand_dims(s, 0)
        xp.expand_dims(m.T, 1)
        xp.expand_dims([1, 2], 0)
        xp.atleast_1d(5)
        xp.atleast_1d(v)
        xp.atleast_1d(s, v, m)
        xp.atleast_2d(5)
        xp.atleast_2d(v)
        xp.atleast_2d(m, v)
        xp.atleast_3d(5)
        xp.atleast_3d(v)
        xp.atleast_3d(m)
        xp.atleast_3d(a, m)
        xp.atleast_1d([1, 2])
        xp.shape(m)
        xp.shape([[1, 2]])
        xp.shape(5)
        xp.ndim(m)
        xp.ndim(5)
        xp.size(m)
        xp.size(m, 1)
        xp.size(m, axis=-2)
        xp.size(3)
    """)


def test_reshape_errors():
    check_all("""
        xp.reshape(v, (4, 2))
        xp.reshape(v, 5)
        xp.reshape(v, (-1, -1))
        xp.reshape(v, (4, -1))
        xp.reshape(v, (-1, 0))
        xp.reshape(v, (2, 3.0))
        xp.reshape(v, "x")
        xp.reshape(v, (2, 3), order="X")
        xp.reshape(v, (2, 3), order="K")
        xp.reshape(z, (-1, 0))
        xp.reshape(z, (0, -1))
        xp.reshape(v, ())
        xp.reshape(v)
        xp.reshape(v, (2**62, 4))
        v.reshape()
        v.reshape(2, 4)
        v.reshape(2, 3, bad=1)
        v.reshape("x")
        v.reshape((2, 3), 4)
        m.ravel("X")
        m.flatten("X")
        m.flatten(1, 2)
        xp.squeeze(o, 1)
        xp.squeeze(o, 3)
        xp.squeeze(o, (0, 1))
        xp.squeeze(o, (0, 0))
        xp.squeeze(o, "x")
        xp.expand_dims(v, 2)
        xp.expand_dims(v, -3)
        xp.expand_dims(v, (0, 0))
        xp.expand_dims(v, 1.5)
    """)


def test_transpose():
    check_all("""
        xp.transpose(m)
        xp.transpose(v)
        xp.transpose(s)
        xp.transpose(a)
        xp.transpose(a, (1, 0, 2))
        xp.transpose(a, [2, 0, 1])
        xp.transpose(a, (-1, 0, 1))
        xp.transpose(a, axes=None)
        xp.transpose(z)
        xp.transpose([[1, 2], [3, 4]])
        a.transpose()
        a.transpose(1, 0, 2)
        a.transpose((1, 0, 2))
        a.transpose(None)
        a.T
        m.T
        v.T
        s.T
        f.T
        a.mT
        m.mT
        a[::-1, :, ::2].T
        xp.matrix_transpose(a)
        xp.permute_dims(a, (2, 1, 0))
        xp.swapaxes(a, 0, 2)
        xp.swapaxes(a, -1, 0)
        xp.swapaxes(a, 1, 1)
        xp.swapaxes(v, 0, 0)
        a.swapaxes(1, 2)
        xp.moveaxis(a, 0, 2)
        xp.moveaxis(a, 0, -1)
        xp.moveaxis(a, [0, 1], [2, 0])
        xp.moveaxis(a, (0, 1, 2), (2, 1, 0))
        xp.moveaxis(a, -1, 0)
        xp.moveaxis(a, [], [])
        xp.rollaxis(a, 2)
        xp.rollaxis(a, 0, 3)
        xp.rollaxis(a, 1, 0)
        xp.rollaxis(a, 2, 1)
        xp.rollaxis(a, -1, -2)
    """)


def test_transpose_errors():
    check_all("""
        xp.transpose(a, (0, 1))
        xp.transpose(a, (0, 1, 1))
        xp.transpose(a, (0, 1, 3))
        xp.transpose(a, (0, 1, 2, 3))
        xp.transpose(a, "x")
        xp.transpose(a, (0, 1, 1.5))
        a.transpose(0, 1)
        a.transpose(0, 0, 0)
        v.mT
        s.mT
        xp.swapaxes(a, 0, 3)
        xp.swapaxes(a, -4, 0)
        xp.swapaxes(a, 0)
        xp.swapaxes(s, 0, 0)
        xp.moveaxis(a, 0, 3)
        xp.moveaxis(a, [0, 1], [2])
        xp.moveaxis(a, [0, 0], [1, 2])
        xp.moveaxis(a, [0, 1], [2, 2])
        xp.moveaxis(a, 4, 0)
        xp.rollaxis(a, 3)
        xp.rollaxis(a, 0, 4)
    """)


def test_broadcasting():
    check_all("""
        xp.broadcast_to(v, (2, 6))
        xp.broadcast_to(v, 6)
        xp.broadcast_to(5, (2, 3))
        xp.broadcast_to(s, (3,))
        xp.broadcast_to(o, (2, 3, 4))
        xp.broadcast_to(m[:, :1], (2, 3, 4))
        xp.broadcast_to(z, (2, 0, 3))
        xp.broadcast_to(xp.zeros((1, 3)), (0, 3))
        xp.broadcast_to([1, 2, 3], (2, 3))
        xp.broadcast_to(v, (2, 6)).flags.writeable
        xp.broadcast_arrays(v, v[:, None])
        xp.broadcast_arrays(o, a, s)
        xp.broadcast_arrays([1, 2], [[1], [2]])
        xp.broadcast_arrays(v)
        xp.broadcast_shapes((2, 1), (3,))
        xp.broadcast_shapes((), (1,), (5, 1, 0))
        xp.broadcast_shapes(3, (2, 1))
        xp.broadcast_shapes()
        xp.broadcast(v, v[:, None]).shape
        xp.broadcast(v, v[:, None]).nd
        xp.broadcast(v, v[:, None]).size
    """)


def test_broadcasting_errors():
    check_all("""
        xp.broadcast_to(v, (2, 5))
        xp.broadcast_to(v, (6, 2))
        xp.broadcast_to(m, (4,))
        xp.broadcast_to(m, ())
        xp.broadcast_to(v, (-1, 6))
        xp.broadcast_to(v, "x")
        xp.broadcast_to(v, (0,))
        xp.broadcast_arrays(v, m)
        xp.broadcast_shapes((2,), (3,))
        xp.broadcast_shapes((-1,), (3,))
        xp.broadcast(v, m)
        v + m
        m + xp.ones((2, 4))
    """)


# ---------------------------------------------------------------------------- joining and splitting


def test_concatenate():
    check_all("""
        xp.concatenate([v, v])
        xp.concatenate((v, w))
        xp.concatenate([m, m])
        xp.concatenate([m, m], axis=1)
        xp.concatenate([m, m], -1)
        xp.concatenate([m, m], axis=None)
        xp.concatenate([m, v, s], axis=None)
        xp.concatenate([f, f])
        xp.concatenate([f, f], axis=1)
        xp.concatenate([m, f], axis=1)
        xp.concatenate([f.T, m.T])
        xp.concatenate([m[::-1], m[:, ::-1]])
        xp.concatenate([m[:, ::2], m[:, 1::2]], axis=1)
        xp.concatenate([a, a], axis=2)
        xp.concatenate([a.T, a.T], axis=1)
        xp.concatenate([v])
        xp.concatenate([v, v[:0]])
        xp.concatenate([z, z])
        xp.concatenate([z, xp.ones((2, 3))])
        xp.concatenate([v, [1, 2]])
        xp.concatenate([[1], [2.5]])
        xp.concatenate([[True], [2]])
        xp.concatenate([v.astype(xp.int8), v.astype(xp.uint8)])
        xp.concatenate([v.astype(xp.float32), v.astype(xp.int64)])
        xp.concatenate([v.astype(xp.float16), v.astype(xp.complex64)])
        xp.concatenate([v, v], dtype=xp.float32)
        xp.concatenate([w, w], dtype=xp.float32)
        xp.concatenate([w, w], dtype=xp.int64, casting="unsafe")
        xp.concatenate([v, v], out=xp.zeros(12))
        xp.concatenate([v, v], out=xp.zeros(12, dtype=xp.int64))
        xp.concatenate([m, m], axis=1, out=xp.zeros((3, 8), order="F"))
        xp.concatenate([m, m], axis=None, out=xp.zeros(24))
        xp.concatenate(m)
        xp.concatenate(a)
        xp.concatenate(a, axis=1)
        xp.concat([v, v])
        xp.concatenate([v] * 50)
        xp.concatenate([xp.broadcast_to(v, (2, 6)), xp.broadcast_to(v[:, None], (6, 6))])
        xp.stack([v, v])
        xp.stack([v, v], axis=1)
        xp.stack([v, w], axis=-1)
        xp.stack([m, m], axis=1)
        xp.stack([m, m], axis=2)
        xp.stack([f, f])
        xp.stack([s, s])
        xp.stack([1, 2.5])
        xp.stack(m)
        xp.stack([v, v], out=xp.zeros((2, 6)))
        xp.stack([v, v], dtype=xp.float32)
        xp.stack([w, w], dtype=xp.int8, casting="unsafe")
        xp.stack([z, z], axis=1)
        xp.vstack([v, v])
        xp.vstack([m, m])
        xp.vstack([v[:4], m])
        xp.vstack([1, 2])
        xp.vstack((v, w), dtype=xp.float32, casting="same_kind")
        xp.hstack([v, v])
        xp.hstack([m, m])
        xp.hstack([1, 2])
        xp.hstack([a, a])
        xp.hstack([v, w], dtype=xp.complex64, casting="unsafe")
        xp.dstack([v, v])
        xp.dstack([m, m])
        xp.dstack([a, a])
        xp.dstack([1, 2])
        xp.column_stack([v, v])
        xp.column_stack([m, [1, 2, 3]])
        xp.column_stack([m, m])
        xp.column_stack([v, w])
        xp.block([v, v])
        xp.block([[m, m], [m, m]])
        xp.block([[m, xp.ones((3, 1))], [xp.zeros((1, 5))]])
        xp.block(5)
        xp.block([1, 2])
        xp.append(v, 6)
        xp.append(v, [7, 8])
        xp.append(v, 1.5)
        xp.append(m, m)
        xp.append(m, m, axis=0)
        xp.append(m, [[1], [2], [3]], axis=1)
        xp.append([], [1])
        xp.append(v, [])
    """)


def test_concatenate_errors():
    check_all("""
        xp.concatenate([])
        xp.concatenate(5)
        xp.concatenate([5, 6])
        xp.concatenate([s, s])
        xp.concatenate([v, m])
        xp.concatenate([m, m.T])
        xp.concatenate([m, m[:, :2]])
        xp.concatenate([v, v], axis=1)
        xp.concatenate([v, v], axis=-2)
        xp.concatenate([v, v], axis="x")
        xp.concatenate([v, v], axis=1.5)
        xp.concatenate([v, v], out=xp.zeros(11))
        xp.concatenate([w, w], out=xp.zeros(12, dtype=xp.int64))
        xp.concatenate([v, v], out=xp.zeros(12), dtype=xp.float64)
        xp.concatenate([w, w], dtype=xp.int64)
        xp.concatenate([v, v], dtype=xp.float32, casting="safe")
        xp.concatenate([v, v], casting="bad")
        xp.concatenate([v, v], bad=1)
        xp.concatenate()
        xp.stack([])
        xp.stack([v, m])
        xp.stack([v, v[:3]])
        xp.stack([v, v], axis=2)
        xp.stack([v, v], axis=-3)
        xp.stack([v, v], out=xp.zeros((3, 6)))
        xp.stack([w, w], dtype=xp.int64)
        xp.vstack([v, v[:3]])
        xp.vstack([])
        xp.hstack([m, m[:2]])
        xp.hstack([])
        xp.dstack([m, m[:2]])
        xp.column_stack([v, v[:3]])
        xp.column_stack([])
        xp.block([[m, v]])
        xp.block([])
        xp.block([[m], m])
        xp.append(m, v, axis=0)
        xp.append(m, m, axis=2)
        xp.append(v)
    """)


def test_split():
    check_all("""
        xp.split(v, 3)
        xp.split(v, [2, 4])
        xp.split(v, [1])
        xp.split(v, [0, 6, 9])
        xp.split(v, [4, 2])
        xp.split(v, [-2])
        xp.split(v, [])
        xp.split(v, xp.array([2, 4])) if xp is np else xp.split(v, np.array([2, 4]))
        xp.split(m, 3)
        xp.split(m, 2, axis=1)
        xp.split(m, [1, 3], axis=-1)
        xp.split(m.T, 2)
        xp.split(v, 1)
        xp.array_split(v, 4)
        xp.array_split(v, 8)
        xp.array_split(m, 3, axis=1)
        xp.array_split(v, [2, 3])
        xp.array_split(z, 2)
        xp.hsplit(m, 2)
        xp.hsplit(v, 2)
        xp.hsplit(m, [1])
        xp.vsplit(m, 3)
        xp.vsplit(m, [1, 2])
        xp.dsplit(a, 2)
        xp.dsplit(a, [1, 3])
    """)


def test_split_errors():
    check_all("""
        xp.split(v, 4)
        xp.split(v, 0)
        xp.split(v, -1)
        xp.split(v, 2, axis=1)
        xp.split(m, 2)
        xp.split(s, 1)
        xp.array_split(v, 0)
        xp.array_split(v, -2)
        xp.array_split(m, 2, axis=5)
        xp.hsplit(s, 1)
        xp.hsplit(m, 3)
        xp.vsplit(v, 2)
        xp.dsplit(m, 2)
    """)


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
        xp.tile(v, -1)
        xp.tile(v, 1.5)
        xp.tile(v, "x")
        xp.repeat(v, -1)
        xp.repeat(v, [1, 2])
        xp.repeat(v, [1, 2, 3, 4, 5, -1])
        xp.repeat(m, 2, axis=2)
        xp.repeat(m, [1, 2], axis=0)
        xp.repeat(v, [[1], [2]])
        xp.repeat(v, "x")
        xp.flip(m, 2)
        xp.flip(m, (0, 0))
        xp.flip(m, "x")
        xp.fliplr(v)
        xp.flipud(s)
        xp.rot90(v)
        xp.rot90(m, axes=(0, 0))
        xp.rot90(m, axes=(0, 2))
        xp.rot90(m, axes=(0,))
        xp.repeat(v, xp.array([1.0]))
        xp.roll(v, xp.nan)
        xp.roll(m, 1, axis=2)
        xp.roll(m, (1, 2, 3), axis=(0, 1))
        xp.roll(v)
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
        xp.insert(v, 7, 1)
        xp.insert(v, -8, 1)
        xp.insert(v, [1, 9], 1)
        xp.insert(v, [1, 2], [1, 2, 3])
        xp.insert(m, 1, [1, 2], axis=1)
        xp.insert(m, 1, 5, axis=2)
        xp.insert(v, 1.5, 1)
        xp.insert(v, "x", 1)
        xp.insert(v, 1)
        xp.delete(v, 6)
        xp.delete(v, -7)
        xp.delete(v, [1, 9])
        xp.delete(m, 0, axis=2)
        xp.delete(v, 1.5)
        xp.delete(v, xp.array([True, False]))
        xp.resize(v, -1)
        xp.resize(v, (2, -2))
        xp.resize(v, "x")
        xp.diagonal(v)
        xp.diagonal(m, 0, 0, 0)
        xp.diagonal(m, 0, 0, 2)
        xp.diagonal(m, "x")
        xp.trace(v)
        xp.trace(m, 0, 1, 1)
        xp.trace(a, 0, 0, 3)
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
        xp.pad(v, -1)
        xp.pad(v, (1, -1))
        xp.pad(v, 1.5)
        xp.pad(v, "x")
        xp.pad(m, ((1, 2), (3, 4), (5, 6)))
        xp.pad(v, 1, "no such mode")
        xp.pad(v, 1, "edge", constant_values=3)
        xp.pad(v, 1, "constant", stat_length=3)
        xp.pad(v, 1, "mean", stat_length=-1)
        xp.pad(z, 1, "edge")
        xp.pad(z, 1, "reflect")
        xp.pad(v, 1, "maximum", stat_length=0)
        xp.pad(v)
    """)


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
        w.astype(xp.int64, casting="safe")
        w.astype(xp.int64, casting="same_kind")
        v.astype(xp.int8, casting="safe")
        v.astype(xp.float32, casting="equiv")
        v.astype(xp.float64, casting="no")
        (m * 1j).astype(xp.float64, casting="same_kind")
        m.astype("bad")
        m.astype(xp.float32, order="X")
        m.astype(xp.float32, casting="bad")
        m.astype()
        m.astype(xp.float32, bad=1)
        m.T.view(xp.float32)
        m.T.view(xp.complex128)
        m[:, ::2].view(xp.float32)
        xp.arange(3, dtype=xp.int8).view(xp.int16)
        s.view(xp.float32)
        s.view(xp.complex128)
        m.view("bad")
        xp.arange(5.0)[1:4].view(xp.complex128)
        xp.astype([1, 2], xp.float32)
    """)


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
        xp.round(w, 1.5)
        xp.round(w, "x")
        xp.round(w, out=xp.zeros(5))
        xp.round(w, out=xp.zeros(6, dtype=xp.int64))
        w.round(1, bad=2)
        xp.clip(w, xp.ones(4), 2)
        xp.clip(w, 0, 1, out=xp.zeros(5))
        xp.clip(w, 0, 1, out=xp.zeros(6, dtype=xp.int64))
        xp.clip()
        xp.diff(v, -1)
        xp.diff(s)
        xp.diff(m, axis=2)
        xp.diff(v, 1.5)
        xp.diff(m, prepend=[1, 2])
        xp.ediff1d(v, to_end=0.5)
    """)


# ---------------------------------------------------------------------------- every dtype


@twin()
def test_manipulation_keeps_every_dtype(xp):
    results = []
    for dtype in ALL_DTYPES:
        a = (xp.arange(12).reshape(3, 4) % 5).astype(dtype)
        results.append(
            (
                xp.concatenate([a, a.T.reshape(3, 4)]),
                xp.stack([a, a[::-1]]),
                xp.tile(a, (1, 2)),
                xp.repeat(a, [1, 2, 0], axis=0),
                xp.roll(a, 1, axis=1),
                xp.flip(a, 0),
                xp.pad(a, 1, "edge"),
                xp.delete(a, 1, axis=0),
                xp.insert(a, 1, a[0], axis=0),
                a.reshape(4, 3, order="F"),
                xp.resize(a, (2, 3)),
                xp.rot90(a),
                xp.triu(a),
            )
        )
    return results


@twin()
def test_manipulation_of_pending_results(xp):
    a = xp.arange(12.0).reshape(3, 4) * 2 + 1
    b = (a - 3).reshape(4, 3)
    c = xp.concatenate([a * 2, b.T - 1])
    return b.T, c, xp.roll(c + 1, 2), xp.split(c / 2, 2), (c[::-1] * 3).ravel(), xp.stack([a, a]).sum(0)


@twin()
def test_large_joins_and_rearrangements(xp):
    a = xp.arange(120_000.0).reshape(300, 400)
    return (
        xp.concatenate([a, a], axis=1)[::7, ::11],
        xp.roll(a, (5, 7), (0, 1))[::13],
        xp.flip(a)[::17],
        xp.repeat(a, 2, axis=1)[::19, ::5],
        a.T.reshape(400, 300)[::23],
        xp.pad(a, 3, "reflect")[::29],
        a.T.astype(xp.float32)[::31].copy(),
    )


@RECENT
def test_what_recent_numpy_settled():
    check_all("""
        xp.unstack(m)
        xp.unstack(m, axis=1)
        xp.insert(v, v > 3, 7)
        xp.pad(m, {0: (1, 2)})
        xp.pad(m, {-1: 2})
        xp.reshape(v, (2, 3), copy=True)
        xp.reshape(v, (2, 3), copy=False)
        xp.reshape(v, shape=(3, 2))
        xp.reshape(m.T, -1, copy=False)
        xp.clip(w, min=-1, max=1)
        w.clip()
        xp.clip(v.astype(xp.uint8), -1, 300)
        xp.clip(v.astype(xp.int8), 0, 1000)
        xp.clip(w, 0, 1, min=2)
    """)
