"""Sparse matrices against SciPy's: formats, dtypes, arithmetic, indexing, reductions, construction, errors.

Results are compared as dense arrays, with their dtype and whether they are sparse arrays or matrices.
"""

import io
import operator
import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse

import cuprum as cp
from cuprum.scipy import sparse

RNG = np.random.default_rng(0)
A = RNG.integers(-3, 4, (6, 5)) * (RNG.random((6, 5)) < 0.4)
B = RNG.integers(-3, 4, (6, 5)) * (RNG.random((6, 5)) < 0.4)
DTYPES = ["float64", "float32", "complex128", "int64", "int32", "bool"]
FORMATS = ("csr", "csc", "coo", "dia", "bsr", "lil", "dok")
KINDS = [f"{form}_{kind}" for form in FORMATS for kind in ("matrix", "array")]
COMPRESSED = [kind for kind in KINDS if kind.startswith("cs")]


def plain(value):
    """Return results as NumPy's arrays, sparse ones in a tuple with their kind."""
    if isinstance(value, cp.ndarray):
        return value.get()
    if hasattr(value, "toarray"):
        return "sparse", type(value).__name__[4:], plain(value.toarray())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return np.asarray(value)


def same(got, want, label):
    if isinstance(want, (list, tuple)):
        assert len(got) == len(want), label
        for one, other in zip(got, want, strict=True):
            same(one, other, label)
    elif isinstance(want, str):
        assert got == want, label
    else:
        assert (np.shape(got), np.asarray(got).dtype) == (want.shape, want.dtype), (label, got, want)
        np.testing.assert_allclose(
            got, want, rtol=1e-6 if want.dtype.itemsize <= 4 else 1e-14, err_msg=str(label)
        )


def check(body, label="", raises=None):
    """Run `body(xp, sparse)` with SciPy and with ours; both raise what is expected, and nothing else."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if raises is not None:
            for side in ((np, scipy.sparse), (cp, sparse)):
                with pytest.raises(raises):
                    body(*side)
            return
        same(plain(body(cp, sparse)), plain(body(np, scipy.sparse)), label)


def maker(kind, dtype):
    return lambda xp, sp, values=A: getattr(sp, kind)(xp.asarray(values.astype(dtype)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_parts_and_reductions(kind, dtype):
    make = maker(kind, dtype)
    check(lambda xp, sp: make(xp, sp))
    for name in ("sum", "mean"):
        for axis in (None, 0, 1, -1):
            check(lambda xp, sp, n=name, x=axis: getattr(make(xp, sp), n)(axis=x), (name, axis))
    for name in ("T", "nnz", "real", "imag", "shape"):
        check(lambda xp, sp, n=name: getattr(make(xp, sp), n), name)
    for name in (
        "conj",
        "diagonal",
        "trace",
        "nonzero",
        "count_nonzero",
        "tocsr",
        "tocsc",
        "tocoo",
        "todia",
        "tobsr",
        "tolil",
        "todok",
        "copy",
    ):
        check(lambda xp, sp, n=name: getattr(make(xp, sp), n)(), name)
    for k in (-2, 1, 4):
        check(lambda xp, sp, k=k: make(xp, sp).diagonal(k), k)
    check(lambda xp, sp: make(xp, sp).reshape((10, 3)))
    check(lambda xp, sp: make(xp, sp).reshape((3, -1), order="F"))
    check(lambda xp, sp: make(xp, sp).astype("float32"))
    check(lambda xp, sp: make(xp, sp).power(2))
    assert getattr(sparse, kind)(cp.asarray(A)).format == kind[:3]


@pytest.mark.parametrize("dtype", DTYPES[:-1])
@pytest.mark.parametrize("kind", KINDS)
def test_operators(kind, dtype):
    make = maker(kind, dtype)
    other = B.astype(dtype)
    for name in ("add", "sub", "mul", "matmul", "truediv", "eq", "ne", "lt", "ge", "gt"):
        f = getattr(operator, name)
        is_product = name == "matmul" or name == "mul" and kind.endswith("matrix")
        scalar_error = {"add": NotImplementedError, "sub": NotImplementedError, "matmul": ValueError}.get(
            name
        )
        if name == "add" and kind.startswith("dok"):
            scalar_error = None
        if name == "truediv" and kind[:3] in ("lil", "dok") and dtype.startswith("int"):
            # SciPy cuts these quotients to integers; ours are those of all other formats.
            check(lambda xp, sp, f=f: f(make(xp, sp).tocsr() if xp is np else make(xp, sp), 2))
        else:
            check(lambda xp, sp, f=f: f(make(xp, sp), 2), (name, "scalar"), scalar_error)
        if name != "truediv":
            check(lambda xp, sp, f=f: f(2, make(xp, sp)), (name, "reflected"), scalar_error)
        second = (lambda m: m.T) if is_product else (lambda m: m)
        check(lambda xp, sp, f=f, s=second: f(make(xp, sp), s(make(xp, sp, other))), (name, "sparse"))
        if not (kind.startswith("dia") and name == "truediv"):
            check(lambda xp, sp, f=f, s=second: f(make(xp, sp), s(xp.asarray(other))), (name, "dense"))
        if name != "truediv":
            check(lambda xp, sp, f=f, s=second: f(s(xp.asarray(other)), make(xp, sp)), (name, "dense first"))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_products(kind, dtype):
    make = maker(kind, dtype)
    check(lambda xp, sp: make(xp, sp) @ xp.arange(5).astype(dtype))
    check(lambda xp, sp: xp.arange(6).astype(dtype) @ make(xp, sp))
    check(lambda xp, sp: make(xp, sp) @ xp.asarray(B.T.astype(dtype)))
    check(lambda xp, sp: make(xp, sp) @ make(xp, sp, B).T)
    check(lambda xp, sp: make(xp, sp).dot(xp.ones(5, dtype)))
    check(lambda xp, sp: make(xp, sp).multiply(xp.arange(5).astype(dtype)))
    check(lambda xp, sp: make(xp, sp).maximum(make(xp, sp, B)) if dtype != "complex128" else 0)
    check(lambda xp, sp: make(xp, sp) @ xp.ones(6), raises=ValueError)
    check(lambda xp, sp: make(xp, sp) + make(xp, sp, B[:, :4]), raises=ValueError)


@pytest.mark.parametrize("kind", COMPRESSED)
def test_indexing(kind):
    make = maker(kind, "float64")
    pairs = (np.array([[0], [1]]), np.array([[1, 2]]))
    for key in [
        (0, 1), (-1, -2), slice(1, 4), (slice(None), slice(0, 5, 2)), (slice(None, None, -1), slice(None)),
        ([0, 2, 2], slice(None)), (slice(None), [4, 0]), ([0, 1], [1, 2]), pairs,
        (slice(1, 3), [0, 1]), ([1, -1],), (Ellipsis, slice(1, 2)),
        (slice(None), np.array([True, False, True, False, True])),
    ]:  # fmt: skip
        check(lambda xp, sp, k=key: make(xp, sp)[k], key)
    check(lambda xp, sp: make(xp, sp)[xp.asarray(A != 0)])
    for key in [(0, 1), (slice(1, 3), slice(None)), ([0, 1], [1, 2]), (slice(None), 2), ([1, 1], [0, 0])]:

        def stored(xp, sp, k=key):
            matrix = make(xp, sp)
            matrix[k] = 7
            return matrix

        check(stored, key)
    for key in [(9, 0), (0, -6), ([7], [0])]:
        check(lambda xp, sp, k=key: make(xp, sp)[k], key, IndexError)


@pytest.mark.parametrize("dtype", ["float64", "int32"])
@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix"])
def test_extrema(kind, dtype):
    make = maker(kind, dtype)
    for name in ("max", "min", "argmax", "argmin"):
        for axis in (None, 0, 1):
            check(lambda xp, sp, n=name, x=axis: getattr(make(xp, sp), n)(axis=x), (name, axis))
    check(lambda xp, sp: sp.csr_matrix((0, 3)).max(), raises=ValueError)


def test_construction():
    def pair(xp, sp):
        return [sp.csr_matrix(xp.asarray(A)), sp.coo_matrix(xp.asarray(B))]

    bodies = [
        lambda xp, sp: sp.eye(3, 4, k=-1),
        lambda xp, sp: sp.eye_array(3, 4, k=1),
        lambda xp, sp: sp.identity(3, format="csr"),
        lambda xp, sp: sp.diags([xp.ones(3), xp.arange(2.0)], [0, 1]),
        lambda xp, sp: sp.diags([1, -2, 1], [-1, 0, 1], shape=(4, 4)),
        lambda xp, sp: sp.diags(xp.arange(3.0)),
        lambda xp, sp: sp.spdiags(xp.arange(6).reshape(2, 3), [0, 1], 3, 3),
        lambda xp, sp: sp.kron(*pair(xp, sp)),
        lambda xp, sp: sp.kronsum(xp.asarray(A[:4, :4]), xp.asarray(B[:3, :3])),
        lambda xp, sp: sp.hstack(pair(xp, sp)),
        lambda xp, sp: sp.vstack(pair(xp, sp)),
        lambda xp, sp: sp.block_diag(pair(xp, sp)),
        lambda xp, sp: sp.bmat([[pair(xp, sp)[0], None], [None, pair(xp, sp)[1]]]),
        lambda xp, sp: sp.block_array([[sp.csr_array(xp.asarray(A))], [sp.coo_array(xp.asarray(B))]]),
        lambda xp, sp: sp.tril(pair(xp, sp)[0], 1),
        lambda xp, sp: sp.triu(pair(xp, sp)[0], -1),
        lambda xp, sp: sp.find(pair(xp, sp)[0]),
        lambda xp, sp: sp.csr_matrix(xp.asarray(A[:5, :5])) ** 3,
        lambda xp, sp: sp.csr_matrix((0, 3)) @ xp.ones(3),
        lambda xp, sp: sp.csr_matrix((3, 0)).sum(axis=0),
        lambda xp, sp: abs(sp.csr_matrix(xp.asarray(A))),
        lambda xp, sp: -sp.dia_matrix(xp.asarray(A)),
    ]
    for number, body in enumerate(bodies):
        check(body, number)


def test_duplicates_and_order():
    parts = ([1.0, 2, 3, 4], ([0, 0, 1, 1], [1, 1, 2, 0]))

    def coo(xp, sp):
        return sp.coo_matrix((xp.asarray(parts[0]), tuple(xp.asarray(p) for p in parts[1])), shape=(2, 3))

    check(lambda xp, sp: coo(xp, sp).tocsr())
    check(lambda xp, sp: coo(xp, sp).toarray())
    check(lambda xp, sp: coo(xp, sp).tocsc() @ xp.ones(3))
    ours = coo(cp, sparse)
    ours.sum_duplicates()
    assert ours.nnz == 3 and ours.has_canonical_format
    unsorted = sparse.csr_matrix(
        (cp.asarray([1.0, 2, 3]), cp.asarray([2, 0, 0]), cp.asarray([0, 3])), shape=(1, 3)
    )
    assert not unsorted.has_sorted_indices and not unsorted.has_canonical_format
    assert unsorted[0, 0] == 5
    unsorted.sort_indices()
    assert unsorted.indices.tolist() == [0, 0, 2]
    zeros = sparse.csr_matrix((cp.asarray([0.0, 2]), cp.asarray([0, 1]), cp.asarray([0, 1, 2])), shape=(2, 2))
    zeros.eliminate_zeros()
    assert zeros.nnz == 1 and zeros.indptr.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    "parts",
    [
        ([1.0, 2], [0, 5], [0, 1, 2]),
        ([1.0, 2], [0, 1], [0, 2, 1]),
        ([1.0, 2], [0, 1], [0, 1]),
        ([1.0, 2], [0, -1], [0, 1, 2]),
        ([1.0], [0, 1], [0, 1, 2]),
        ([1.0, 2], [0, 1], [1, 1, 2]),
    ],
)
def test_bad_structure_is_refused(parts):
    def body(xp, sp):
        matrix = sp.csr_matrix(tuple(xp.asarray(part) for part in parts), shape=(2, 3))
        matrix.check_format(True)

    check(body, raises=ValueError)


def test_bad_coordinates_are_refused():
    for row, col in (([0, 5], [0, 0]), ([0, -1], [0, 0]), ([0], [0, 1])):

        def body(xp, sp, r=row, c=col):
            return sp.coo_matrix((xp.ones(2), (xp.asarray(r), xp.asarray(c))), shape=(2, 2))

        check(body, raises=ValueError)


@pytest.mark.parametrize("kind", KINDS)
def test_there_and_back(kind):
    theirs = getattr(scipy.sparse, kind)(A.astype(float))
    ours = getattr(sparse, kind)(theirs)
    assert type(ours).__name__ == kind and type(ours.get()) is type(theirs)
    np.testing.assert_array_equal(ours.get().toarray(), A)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(ours)).toarray().get(), A)
    if kind[:3] in ("lil", "dok"):
        for module, matrix in ((sparse, ours), (scipy.sparse, theirs)):
            with pytest.raises(NotImplementedError, match=kind[:3]):
                module.save_npz(io.BytesIO(), matrix)
        return
    stream = io.BytesIO()
    sparse.save_npz(stream, ours)
    stream.seek(0)
    np.testing.assert_array_equal(scipy.sparse.load_npz(stream).toarray(), A)
    stream = io.BytesIO()
    scipy.sparse.save_npz(stream, theirs)
    stream.seek(0)
    again = sparse.load_npz(stream)
    assert type(again) is type(ours)
    np.testing.assert_array_equal(again.toarray().get(), A)


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_large_products(dtype):
    theirs = scipy.sparse.random(700, 900, density=0.05, format="csr", random_state=1).astype(dtype)
    other = scipy.sparse.random(900, 500, density=0.03, format="csr", random_state=2).astype(dtype)
    x, dense = np.arange(900).astype(dtype), RNG.random((900, 40)).astype(dtype)
    ours, ours_other = sparse.csr_matrix(theirs), sparse.csr_matrix(other)
    tolerance = 1e-12 if dtype == "float64" else 1e-5
    for got, want in (
        (ours @ cp.asarray(x), theirs @ x),
        (ours @ cp.asarray(dense), theirs @ dense),
        ((ours @ ours_other).toarray(), (theirs @ other).toarray()),
        (ours.tocsc() @ cp.asarray(x), theirs @ x),
        (ours.sum(axis=0), theirs.sum(axis=0)),
    ):
        np.testing.assert_allclose(got.get(), want, rtol=tolerance, atol=tolerance * np.abs(want).max())


def test_random_matrices():
    made = sparse.random(40, 50, density=0.1, format="csr", random_state=3)
    assert made.nnz == 200 and made.has_canonical_format
    assert (made.data.get() >= 0).all() and (made.data.get() < 1).all()
    with pytest.raises(ValueError, match="density"):
        sparse.random(4, 4, density=2)
