"""`tensordot` and `einsum`, against NumPy.

Data are small integers, so that every product is exact in every dtype and must equal NumPy's to the bit.
"""

# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import itertools

import numpy as np
import pytest
from samples import whole_numbers
from twin import check, collect, twin

import cuprum as cp

TENSORDOT = [
    ((3, 4, 5), (4, 3, 2), ([1, 0], [0, 1])),
    ((3, 4, 5), (5, 2), 1),
    ((3, 4), (3, 4), 2),
    ((3, 4), (5, 6), 0),
    ((3, 4), (3, 4), ([0], [0])),
    ((3, 4), (4, 3), ((-1,), (0,))),
    ((3, 4, 5), (5, 4, 3), ([0, 1, 2], [2, 1, 0])),
    ((3, 4), (4, 3), (1, 0)),
    ((3, 4), (5, 6), 1),
    ((3, 4), (4, 3), ([0, 1], [0])),
    ((3, 4), (4, 3), 3),
    ((0, 4), (4, 3), 1),
    ((3, 0), (0, 3), 1),
    ((3,), (3,), 1),
]


@pytest.mark.parametrize("dtype", ["int64", "float32", "float64", "complex64"])
def test_tensordot(dtype):
    with collect() as failures:
        for left, right, axes in TENSORDOT:
            a, b = whole_numbers(dtype, left), whole_numbers(dtype, right, 1)
            with failures:
                check(
                    lambda xp: xp.tensordot(xp.array(a), xp.array(b), axes=axes),
                    signed_zero=False,
                    layout=False,
                    label=f"tensordot {dtype} {left} {right} {axes}",
                    may_raise=(IndexError, ValueError),
                )


EINSUM = [
    ("ij,jk->ik", (3, 4), (4, 5)),
    ("ij,jk", (3, 4), (4, 5)),
    ("ij,kj->ik", (3, 4), (5, 4)),
    ("ij,ij->", (3, 4), (3, 4)),
    ("ij->ji", (3, 4)),
    ("ij->", (3, 4)),
    ("ij->i", (3, 4)),
    ("ij->j", (3, 4)),
    ("ii->i", (4, 4)),
    ("ii", (4, 4)),
    ("ii->", (4, 4)),
    ("i,i", (4,), (4,)),
    ("i,j->ij", (3,), (4,)),
    ("i,i->i", (4,), (4,)),
    ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)),
    ("...ij,...jk->...ik", (2, 3, 4), (2, 4, 5)),
    ("...ij,...jk->...ik", (6, 2, 3, 4), (4, 5)),
    ("ij...,jk...->ik...", (3, 4, 2), (4, 5, 2)),
    ("i...->...", (3, 4)),
    ("...->...", (3, 4)),
    ("ijk,ikl,lm->ijm", (2, 3, 4), (2, 4, 5), (5, 3)),
    ("i,j,k->ijk", (2,), (3,), (4,)),
    ("ijij->ij", (2, 3, 2, 3)),
    ("ij,j", (3, 4), (4,)),
    ("ba", (3, 4)),
    ("ijk->kij", (2, 3, 4)),
    ("iij->j", (3, 3, 4)),
    (" i j , j k -> i k ", (3, 4), (4, 5)),
    ("ij,ij->ij", (3, 4), (1, 4)),
    ("a,ab,abc->abc", (2,), (2, 3), (2, 3, 4)),
    ("ij,jk->ki", (3, 4), (4, 5)),
    ("ii,ij->j", (3, 3), (3, 4)),
    ("ij,jk->ik", (0, 4), (4, 5)),
    ("ij,jk->ik", (3, 0), (0, 5)),
    ("ij,jk->ik", (3, 4), (5, 6)),
    ("ij->ijk", (3, 4)),
    ("ij,jk->ik", (3, 4)),
    ("ijk->ij", (3, 4)),
    ("i-j", (3, 4)),
    ("ij->ii", (3, 4)),
    ("i1->i", (3, 4)),
    ("ij,", (3, 4)),
    ("", ()),
    ("i->", (0,)),
    ("..i->i", (3, 4)),
    ("Ab,bA->A", (3, 4), (4, 3)),
    (",ij->ij", (), (3, 4)),
]


@pytest.mark.parametrize("optimize", [False, True])
def test_einsum(optimize):
    with collect() as failures:
        for dtype, (subscripts, *shapes) in itertools.product(
            ["int64", "float64", "complex64", "bool"], EINSUM
        ):
            host = [whole_numbers(dtype, s, i) for i, s in enumerate(shapes)]
            if dtype == "bool" and optimize:
                continue  # a pairwise path may leave booleans through BLAS in NumPy
            with failures:
                check(
                    lambda xp: xp.einsum(subscripts, *[xp.array(h) for h in host], optimize=optimize),
                    signed_zero=False,
                    layout=False,
                    label=f"einsum({subscripts!r}) {dtype} {shapes}",
                    may_raise=ValueError,
                )


@twin(signed_zero=False, layout=False)
def test_einsum_forms(xp):
    a, b = (
        xp.array(whole_numbers("float64", (3, 4))),
        xp.array(whole_numbers("float64", (4, 5), 1)),
    )
    out = xp.zeros((3, 5))
    result = xp.einsum("ij,jk->ik", a, b, out=out)
    return (
        out,
        result is out,
        xp.einsum(a, [0, 1], b, [1, 2], [0, 2]),
        xp.einsum(a, [0, 1], b, [1, 2]),
        xp.einsum("ij,jk->ik", a, b, dtype="complex128"),
        xp.einsum("ij,jk->ik", a.T.copy().T, b[:, ::-1]),
        xp.einsum("ij,jk->ik", a * 2, b + 1),
    )


@twin()
def test_einsum_view_keeps_its_dtype(xp):
    a = xp.arange(9).reshape(3, 3)
    return [
        xp.einsum("ij->ji", a, dtype="float64"),
        xp.einsum("ii->i", a, dtype="float32"),
        xp.einsum("...", a, dtype="int8"),
        xp.einsum(a, [0, 1], dtype="complex64"),
        xp.einsum("ij->j", a, dtype="float64"),
        xp.einsum("ii", a, dtype="float64"),
    ]


@twin()
def test_einsum_diagonal_is_a_writable_view(xp):
    a = xp.zeros((3, 3))
    xp.einsum("ii->i", a)[:] = xp.array([1.0, 2.0, 3.0])
    return a


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@pytest.mark.parametrize("text", ["ij,jk->ik", "ij,jk->ki", "ij->ji", "i,j->ij"])
@pytest.mark.parametrize("layout", ["C", "F"])
@twin()
def test_einsum_gives_the_order_that_is_asked_for(xp, text, order, layout):
    operands = [
        xp.array(np.arange(9.0).reshape((3,) * len(axes)) if len(axes) == 2 else np.arange(3.0), order=layout)
        for axes in text.split("->")[0].split(",")
    ]
    result = xp.einsum(text, *operands, order=order)
    return result if order != "K" else result.shape


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
@pytest.mark.parametrize("pair", [("int64", "uint8"), ("float32", "float32"), ("float32", "float64")])
@twin(may_raise=TypeError)
def test_einsum_casts_its_operands_as_it_may(xp, pair, casting):
    return xp.einsum("i,i", xp.ones(3, pair[0]), xp.ones(3, pair[1]), casting=casting)


@pytest.mark.parametrize("out", ["int16", "int64", "float32", "float64", "complex64"])
@pytest.mark.parametrize("dtype", ["uint16", "float32", "float64", "bool"])
@twin(may_raise=TypeError)
def test_einsum_computes_in_what_operands_and_out_have_in_common(xp, dtype, out):
    return xp.einsum(
        "ij,j->i",
        xp.ones((2, 3), dtype) / xp.array(3, dtype) if dtype[0] == "f" else xp.ones((2, 3), dtype),
        xp.ones(3, dtype),
        out=xp.zeros(2, out),
    )


@pytest.mark.parametrize("text", ["ii", "ii->i", "iij->j", "ij,ii->j"])
@pytest.mark.parametrize("shape", [(2, 1), (1, 2)])
@twin(raises=ValueError)
def test_einsum_takes_no_diagonal_of_unequal_axes(xp, text, shape):
    operands = [xp.ones(shape if len(axes) == 2 else (*shape, 3)) for axes in text.split("->")[0].split(",")]
    return xp.einsum(text, *operands)


@pytest.mark.parametrize("axes", [[-1, 0], [0, 52], [0, 10**6], [0, -(2**40)]])
def test_einsum_refuses_numbers_that_name_no_axis(axes):
    a = np.ones((2, 3))
    with pytest.raises(ValueError):
        np.einsum(a, axes)
    with pytest.raises(ValueError, match=r"einsum: subscript .* is not within the valid range \[0, 52\)"):
        cp.einsum(cp.array(a), axes)
