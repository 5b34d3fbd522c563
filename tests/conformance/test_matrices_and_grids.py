"""Matrices by rule and grids; bad arguments too.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
"""

import numpy as np
import pytest
from case_texts import check_all
from samples import permuted
from twin import twin

# ---------------------------------------------------------------------------- matrices


def test_matrices():
    check_all("""
        xp.eye(3)
        xp.eye(3, 4)
        xp.eye(4, 3)
        xp.eye(3, k=1)
        xp.eye(3, k=-1)
        xp.eye(3, 5, 2)
        xp.eye(3, k=10)
        xp.eye(3, k=-10)
        xp.eye(0)
        xp.eye(2, 0)
        xp.eye(3, dtype=xp.int8)
        xp.eye(3, dtype=bool)
        xp.eye(3, order="F")
        xp.eye(3, M=4, k=1, dtype=xp.complex64, order="F")
        xp.eye(np.int64(2), np.int64(3), np.int64(1))
        xp.identity(3)
        xp.identity(0)
        xp.identity(2, dtype=xp.int32)
        xp.diag([1, 2, 3])
        xp.diag([1, 2], k=1)
        xp.diag([1, 2], k=-2)
        xp.diag([])
        xp.diag(m)
        xp.diag(m, 1)
        xp.diag(m, -2)
        xp.diag(m, 4)
        xp.diag(m, -3)
        xp.diag(m.T)
        xp.diag(f)
        xp.diag(i > 2)
        xp.diag(i[::-2])
        xp.diagflat([1, 2])
        xp.diagflat([[1, 2], [3, 4]])
        xp.diagflat([1, 2], 1)
        xp.diagflat([1, 2], -1)
        xp.diagflat(5)
        xp.diagflat(m.T)
        xp.tri(3)
        xp.tri(3, 4)
        xp.tri(3, 4, 1)
        xp.tri(3, k=-1)
        xp.tri(3, dtype=bool)
        xp.tri(0)
        xp.tri(4, 2, -1, dtype=xp.int8)
        xp.tril(m)
        xp.tril(m, 1)
        xp.tril(m, -1)
        xp.tril(m, 10)
        xp.tril(m, -10)
        xp.tril(m.T)
        xp.tril(xp.arange(24).reshape(2, 3, 4))
        xp.tril([1, 2, 3])
        xp.tril(m > 3)
        xp.triu(m)
        xp.triu(m, 1)
        xp.triu(m, -1)
        xp.triu(m, 10)
        xp.triu(m.T, -1)
        xp.triu(xp.arange(24).reshape(2, 3, 4), 1)
        xp.triu([1, 2, 3])
        xp.triu(m[:, ::-1])
        xp.triu(xp.zeros((0, 3)))
        xp.vander([1, 2, 3])
        xp.vander([1, 2, 3], 2)
        xp.vander([1, 2, 3], 4)
        xp.vander([1, 2, 3], increasing=True)
        xp.vander([1.5, 2.5], 3, True)
        xp.vander(i, 3)
        xp.vander([1, 2], 0)
        xp.vander(xp.array([1, 2], dtype=xp.int8), 3)
        xp.vander([], 2)
        xp.vander([1j, 2], 3)
    """)


def test_matrix_errors():
    check_all("""
        xp.eye(-1)  # ValueError
        xp.eye(2.5)  # TypeError
        xp.eye("x")  # TypeError
        xp.eye()  # TypeError
        xp.eye(3, 2.5)  # TypeError
        xp.eye(3, k=1.5)  # TypeError
        xp.eye(3, order="X")  # ValueError
        xp.eye(3, -1)  # ValueError
        xp.identity(-1)  # ValueError
        xp.identity(2.5)  # TypeError
        xp.diag(5)  # ValueError
        xp.diag(xp.zeros((2, 2, 2)))  # ValueError
        xp.diag([1, 2], k="x")  # TypeError
        xp.tri("x")  # TypeError
        xp.tril(5)  # TypeError
        xp.triu(5)  # TypeError
        xp.tril(m, "x")  # TypeError
        xp.vander(m)  # ValueError
        xp.vander(5)  # ValueError
        xp.vander([1, 2], -1)  # ValueError
    """)


# ---------------------------------------------------------------------------- grids


def test_grids():
    check_all("""
        xp.meshgrid([1, 2, 3])
        xp.meshgrid([1, 2, 3], [4, 5])
        xp.meshgrid([1, 2, 3], [4.5, 5], indexing="ij")
        xp.meshgrid([1, 2, 3], [4, 5], sparse=True)
        xp.meshgrid([1, 2, 3], [4, 5], sparse=True, indexing="ij")
        xp.meshgrid([1, 2, 3], [4, 5], [6, 7], indexing="xy")
        xp.meshgrid([1, 2, 3], [4, 5], [6, 7], indexing="ij")
        xp.meshgrid([1, 2, 3], [4, 5], copy=False)
        xp.meshgrid([1, 2, 3], [4, 5], copy=False, sparse=True)
        xp.meshgrid(5, [1, 2])
        xp.meshgrid(i, i[::-1])
        xp.meshgrid([], [1, 2])
        xp.meshgrid()
        xp.meshgrid(m, [1, 2])
        xp.mgrid[0:3]
        xp.mgrid[0:3, 0:2]
        xp.mgrid[[slice(0, 3), slice(0, 2)]]
        xp.mgrid[1:7:2, 0:2]
        xp.mgrid[0:1:5j]
        xp.mgrid[0:1:3j, 0:2]
        xp.mgrid[-1:1:0.5]
        xp.mgrid[:3, :2]
        xp.mgrid[0:3, 0:2, 0:2]
        xp.mgrid[0:1:0.25, 0:3]
        xp.mgrid[3:0:-1]
        xp.mgrid[0:0]
        xp.ogrid[0:3]
        xp.ogrid[0:3, 0:2]
        xp.ogrid[0:1:5j, 0:2]
        xp.ogrid[1:7:2, 0:2, 0:1:2j]
        xp.indices((2, 3))
        xp.indices((2, 3), dtype=xp.int8)
        xp.indices((2, 3), sparse=True)
        xp.indices((2,))
        xp.indices(())
        xp.indices((2, 0))
        xp.indices((2, 3, 4), dtype=float)
        xp.fromfunction(lambda x, y: x + y, (2, 3))
        xp.fromfunction(lambda x, y: x * y, (2, 3), dtype=xp.int32)
        xp.fromfunction(lambda x: x ** 2, (4,), dtype=int)
        xp.fromfunction(lambda x, y: x == y, (3, 3))
        xp.fromfunction(lambda x, k=1: x + k, (3,), k=10)
        xp.s_[1:2, ..., None]
        xp.index_exp[1:2]
    """)


def test_r_and_c():
    check_all("""
        xp.r_[1, 2, 3]
        xp.r_[1:5]
        xp.r_[1:5:2]
        xp.r_[0:1:5j]
        xp.r_[1:3, 5, 7:9]
        xp.r_[i, 0, i]
        xp.r_[i, 0.5]
        xp.r_[-1:1:6j, [0] * 3, 5, 6]
        xp.r_[[1, 2], [3, 4]]
        xp.r_[m, m]
        xp.r_["-1", m, m]
        xp.r_["0,2", [1, 2], [3, 4]]
        xp.r_["1,2,0", [1, 2], [3, 4]]
        xp.r_["0,2,0", [1, 2], [3, 4]]
        xp.r_[True, False]
        xp.r_[i[:0], 1]
        xp.r_[xp.array(5), i]
        xp.c_[[1, 2], [3, 4]]
        xp.c_[i, i]
        xp.c_[i, i * 0.5]
        xp.c_[m, m]
        xp.c_[m, [1, 2, 3]]
        xp.c_[1:4, 5:8]
    """)


def test_grid_errors():
    check_all("""
        xp.meshgrid([1, 2], [3], indexing="no")  # ValueError
        xp.meshgrid([1, 2], [3], bad=1)  # TypeError
        xp.indices((-1, 2))  # ValueError
        xp.indices(3)  # TypeError
        xp.indices((2.5,))  # TypeError
        xp.fromfunction(lambda x: x, (2, 3))  # TypeError
        xp.fromfunction(3, (2,))  # TypeError
        xp.r_[m, [1, 2]]  # ValueError
        xp.r_["x", [1, 2]]  # ValueError
        xp.c_[[1, 2], [3]]  # ValueError
        xp.mgrid["x"]  # AttributeError
        xp.mgrid[0:3:0]  # ZeroDivisionError
    """)


@pytest.mark.parametrize("name", ["tril", "triu"])
@pytest.mark.parametrize("axes", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)])
@twin()
def test_triangles_keep_the_order_of_axes(xp, name, axes):
    return getattr(xp, name)(permuted(xp, np.arange(24).reshape(2, 3, 4), axes), 1)
