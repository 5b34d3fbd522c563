"""Shapes: reshaping, transposing, broadcasting, joining and splitting, over layouts; bad arguments too.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
"""

from case_texts import check_all

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
        xp.reshape(v, (4, 2))  # ValueError
        xp.reshape(v, 5)  # ValueError
        xp.reshape(v, (-1, -1))  # ValueError
        xp.reshape(v, (4, -1))  # ValueError
        xp.reshape(v, (-1, 0))  # ValueError
        xp.reshape(v, (2, 3.0))  # TypeError
        xp.reshape(v, "x")  # TypeError
        xp.reshape(v, (2, 3), order="X")  # ValueError
        xp.reshape(v, (2, 3), order="K")  # ValueError
        xp.reshape(z, (-1, 0))  # ValueError
        xp.reshape(z, (0, -1))  # ValueError
        xp.reshape(v, ())  # ValueError
        xp.reshape(v)  # TypeError
        xp.reshape(v, (2**62, 4))  # ValueError
        v.reshape()  # TypeError
        v.reshape(2, 4)  # ValueError
        v.reshape(2, 3, bad=1)  # TypeError
        v.reshape("x")  # TypeError
        v.reshape((2, 3), 4)  # TypeError
        m.ravel("X")  # ValueError
        m.flatten("X")  # ValueError
        m.flatten(1, 2)  # TypeError
        xp.squeeze(o, 1)  # ValueError
        xp.squeeze(o, 3)  # AxisError
        xp.squeeze(o, (0, 1))  # ValueError
        xp.squeeze(o, (0, 0))  # ValueError
        xp.squeeze(o, "x")  # TypeError
        xp.expand_dims(v, 2)  # AxisError
        xp.expand_dims(v, -3)  # AxisError
        xp.expand_dims(v, (0, 0))  # ValueError
        xp.expand_dims(v, 1.5)  # TypeError
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
        xp.transpose(a, (0, 1))  # ValueError
        xp.transpose(a, (0, 1, 1))  # ValueError
        xp.transpose(a, (0, 1, 3))  # AxisError
        xp.transpose(a, (0, 1, 2, 3))  # ValueError
        xp.transpose(a, "x")  # TypeError
        xp.transpose(a, (0, 1, 1.5))  # TypeError
        a.transpose(0, 1)  # ValueError
        a.transpose(0, 0, 0)  # ValueError
        v.mT  # ValueError
        s.mT  # ValueError
        xp.swapaxes(a, 0, 3)  # AxisError
        xp.swapaxes(a, -4, 0)  # AxisError
        xp.swapaxes(a, 0)  # TypeError
        xp.swapaxes(s, 0, 0)  # AxisError
        xp.moveaxis(a, 0, 3)  # AxisError
        xp.moveaxis(a, [0, 1], [2])  # ValueError
        xp.moveaxis(a, [0, 0], [1, 2])  # ValueError
        xp.moveaxis(a, [0, 1], [2, 2])  # ValueError
        xp.moveaxis(a, 4, 0)  # AxisError
        xp.rollaxis(a, 3)  # AxisError
        xp.rollaxis(a, 0, 4)  # AxisError
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
        xp.broadcast_to(v, (2, 5))  # ValueError
        xp.broadcast_to(v, (6, 2))  # ValueError
        xp.broadcast_to(m, (4,))  # ValueError
        xp.broadcast_to(m, ())  # ValueError
        xp.broadcast_to(v, (-1, 6))  # ValueError
        xp.broadcast_to(v, "x")  # TypeError
        xp.broadcast_to(v, (0,))  # ValueError
        xp.broadcast_arrays(v, m)  # ValueError
        xp.broadcast_shapes((2,), (3,))  # ValueError
        xp.broadcast_shapes((-1,), (3,))  # ValueError
        xp.broadcast(v, m)  # ValueError
        v + m  # ValueError
        m + xp.ones((2, 4))  # ValueError
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
        xp.concatenate([])  # ValueError
        xp.concatenate(5)  # TypeError
        xp.concatenate([5, 6])  # ValueError
        xp.concatenate([s, s])  # ValueError
        xp.concatenate([v, m])  # ValueError
        xp.concatenate([m, m.T])  # ValueError
        xp.concatenate([m, m[:, :2]])  # ValueError
        xp.concatenate([v, v], axis=1)  # AxisError
        xp.concatenate([v, v], axis=-2)  # AxisError
        xp.concatenate([v, v], axis="x")  # TypeError
        xp.concatenate([v, v], axis=1.5)  # TypeError
        xp.concatenate([v, v], out=xp.zeros(11))  # ValueError
        xp.concatenate([w, w], out=xp.zeros(12, dtype=xp.int64))  # TypeError
        xp.concatenate([v, v], out=xp.zeros(12), dtype=xp.float64)  # TypeError
        xp.concatenate([w, w], dtype=xp.int64)  # TypeError
        xp.concatenate([v, v], dtype=xp.float32, casting="safe")  # TypeError
        xp.concatenate([v, v], casting="bad")  # ValueError
        xp.concatenate([v, v], bad=1)  # TypeError
        xp.concatenate()  # TypeError
        xp.stack([])  # ValueError
        xp.stack([v, m])  # ValueError
        xp.stack([v, v[:3]])  # ValueError
        xp.stack([v, v], axis=2)  # AxisError
        xp.stack([v, v], axis=-3)  # AxisError
        xp.stack([v, v], out=xp.zeros((3, 6)))  # ValueError
        xp.stack([w, w], dtype=xp.int64)  # TypeError
        xp.vstack([v, v[:3]])  # ValueError
        xp.vstack([])  # ValueError
        xp.hstack([m, m[:2]])  # ValueError
        xp.hstack([])  # ValueError
        xp.dstack([m, m[:2]])  # ValueError
        xp.column_stack([v, v[:3]])  # ValueError
        xp.column_stack([])  # ValueError
        xp.block([[m, v]])  # ValueError
        xp.block([])  # ValueError
        xp.block([[m], m])  # ValueError
        xp.append(m, v, axis=0)  # ValueError
        xp.append(m, m, axis=2)  # AxisError
        xp.append(v)  # TypeError
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
        xp.split(v, 4)  # ValueError
        xp.split(v, 0)  # ZeroDivisionError
        xp.split(v, -1)  # ValueError
        xp.split(v, 2, axis=1)  # IndexError
        xp.split(m, 2)  # ValueError
        xp.split(s, 1)  # IndexError
        xp.array_split(v, 0)  # ValueError
        xp.array_split(v, -2)  # ValueError
        xp.array_split(m, 2, axis=5)  # IndexError
        xp.hsplit(s, 1)  # ValueError
        xp.hsplit(m, 3)  # ValueError
        xp.vsplit(v, 2)  # ValueError
        xp.dsplit(m, 2)  # ValueError
    """)
