"""Sparse arrays of one axis beside SciPy's: what they are made of, parts, products, comparisons, errors."""

import io
import pickle

import numpy as np
import pytest
import scipy.sparse
from test_sparse import FORMATS, check

import cuprum as cp
from cuprum.scipy import sparse

V = np.array([0.0, 1, 0, -2, 0, 3])
W = np.array([4.0, 0, 0, 5, 0, -3])
M = np.arange(18.0).reshape(3, 6) % 5
KINDS = ["coo_array", "csr_array"]
DTYPES = ["float64", "float32", "complex128", "int32"]


def described(found):
    """The result with its format and number of axes, which a comparison of elements does not see."""
    is_sparse = hasattr(found, "format") and hasattr(found, "toarray")
    return (found, FORMATS.index(found.format), found.ndim, found.shape) if is_sparse else found


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_operations(kind, dtype):
    expressions = """a[1]; a[-1]; a[1:]; a[::-2]; a[:0]; a[[1, 3]]; a[[0, -1, 1, 1]]; a[mask]; a[...]
        a[two]; a[()]
        a[None]; a[:, None]; a[None, 2:]; a.T; a.copy(); a.tocoo(); a.tocsr(); a.toarray(); a.todense()
        a.nnz; a.shape; a.reshape(2, 3); a.reshape(-1); a.reshape((3, -1)); a.reshape(2, 3, order='F')
        m.reshape(-1); m.reshape(18); a.nonzero(); a.conj(); a.real; a.astype('complex128'); a.sum()
        a.sum(axis=0); a.sum(axis=-1); a.mean(); a.max(); a.min(axis=0); a.argmax(); a.argmin()
        a.count_nonzero(); a + a; a + b; b - a; a - v; v + a; a * 2; 2 * a; a * b; a * v; a * m; m * a
        m.multiply(a); a.multiply(m); a / 2; a / a; -a; abs(a); a ** 2; a == b; a != b; a > 0.5; a < b
        a >= b; a.maximum(b); a.minimum(0.5); a.maximum(v); a @ v; a @ b; v @ a; a @ m.T
        a @ m.T.tocsc(); a @ m.T.toarray(); m @ a; m.tocoo() @ a; m.tocsc() @ a; m.toarray() @ a
        a.dot(v); a.dot(b); m.dot(a); m[0]; m[:, 1]; m[1, :2]; m[2, [0, 5]]; m[[0, 1], 1]; m.tocsc()[0]
        m.tocsc()[:, 1]; m.tocoo()[0]; m.tocoo()[:, 2]; m.tocoo()[1:]; m.tolil()[0]; m.todok()[:, 0]
        m[0:1]; m.max(axis=0); m.min(axis=1); next(iter(m)); next(iter(m.tocsc())); sp.kron(a, b)
        sp.find(a); sp.vstack([a, b]).toarray(); sp.hstack([a, b]).toarray(); sp.coo_array(a)
        sp.csr_array(a); sp.block_diag([a, b]).toarray(); list(a)[3]
        a.indices if a.format == 'csr' else a.coords; m @ a @ m; a.trunc()"""

    def body(text):
        def run(xp, sp):
            made = getattr(sp, kind)
            v, w, m = (xp.asarray(part.astype(dtype)) for part in (V, W, M))
            names = {"a": made(v), "b": made(w), "v": v, "m": sp.csr_array(m), "sp": sp}
            names |= {"mask": xp.asarray(V > 0), "two": xp.asarray([[1, 3], [0, -1]])}
            return described(eval(text, names))

        return run

    for text in (part.strip() for line in expressions.split("\n") for part in line.split(";")):
        try:
            body(text)(np, scipy.sparse)
        except (TypeError, ValueError, NotImplementedError) as error:
            check(body(text), text, raises=type(error))
        else:
            check(body(text), text)


@pytest.mark.parametrize("kind", KINDS)
def test_what_lines_are_made_of(kind):
    def made(*values, **options):
        def body(xp, sp):
            own = [
                tuple(xp.asarray(p) if not isinstance(p, tuple) else (xp.asarray(p[0]),) for p in value)
                if isinstance(value, tuple) and not isinstance(value[0], int)
                else value
                for value in values
            ]
            return described(getattr(sp, kind)(*own, **options))

        return body

    for case in [
        made([0, 1, 2]),
        made((5,)),
        made((0,)),
        made((5,), dtype="int32"),
        made([0.0, 1], dtype="float32"),
        made(([1.0, 2], ([0, 3],))),
        made(([1.0, 2, 4], ([3, 0, 3],)), shape=(6,)),
        made(([1.0, 2], [0, 3], [0, 2]), shape=(6,)) if kind == "csr_array" else made([1.0]),
        made(np.zeros(0)),
        made([True, False]),
    ]:
        check(case)
    for case in [
        made(([1.0, 2], ([0, 3],)), shape=(3,)),
        made(([1.0, 2], ([0, -1],)), shape=(3,)),
        made([0, 1, 2], shape=(4,)) if kind == "coo_array" else made((-2,)),
        made((-1,)),
    ]:
        check(case, raises=ValueError)
    for format in ("csc", "dia", "bsr", "lil"):
        check(lambda xp, sp, f=format: getattr(sp, f"{f}_array")(xp.asarray(V)), raises=ValueError)
        check(
            lambda xp, sp, f=format: getattr(getattr(sp, kind)(xp.asarray(V)), f"to{f}")(), raises=ValueError
        )
    for text in ("a[6]", "a[1, 1]", "a[[9]]", "a[mask]"):
        check(
            lambda xp, sp, t=text: eval(t, {"a": getattr(sp, kind)(xp.asarray(V)), "mask": np.array([True])}),
            raises=IndexError,
        )
    for text in ("a @ a[1:]", "a + a[1:]", "a.sum(axis=1)", "a.reshape(7)", "a.diagonal()", "m @ a[1:]"):
        check(
            lambda xp, sp, t=text: eval(
                t, {"a": getattr(sp, kind)(xp.asarray(V)), "m": sp.csr_array(xp.asarray(M))}
            ),
            raises=ValueError,
        )


def test_writing():
    def written(xp, sp, key, value):
        a = sp.csr_array(xp.asarray(V))
        a[key] = xp.asarray(value) if isinstance(value, list) else value
        return a

    for key, value in [
        (0, 5.0),
        (-1, 2.0),
        (slice(1, 3), 7.0),
        (slice(0, 6, 2), [1.0, 2, 3]),
        ([4, 1], [8.0, 9]),
    ]:
        check(lambda xp, sp, k=key, v=value: written(xp, sp, k, v), (key, value))

    def shorter(xp, sp, n):
        a = sp.csr_array(xp.asarray(V))
        a.resize(n)
        return a

    for n in (2, 9):
        check(lambda xp, sp, n=n: shorter(xp, sp, n))


def test_ways_in_and_out():
    for kind in KINDS:
        theirs = getattr(scipy.sparse, kind)(V)
        ours = getattr(sparse, kind)(theirs)
        assert isinstance(ours, getattr(sparse, kind)) and ours.ndim == 1
        back = ours.get()
        assert type(back) is type(theirs) and back.shape == theirs.shape
        np.testing.assert_array_equal(back.toarray(), V)
        again = pickle.loads(pickle.dumps(ours))
        assert again.shape == (6,)
        np.testing.assert_array_equal(again.toarray().get(), V)
        stream = io.BytesIO()
        sparse.save_npz(stream, ours)
        stream.seek(0)
        np.testing.assert_array_equal(scipy.sparse.load_npz(stream).toarray(), V)
        stream.seek(0)
        np.testing.assert_array_equal(sparse.load_npz(stream).toarray().get(), V)
        assert str(ours) == str(theirs).replace("np.float64", "")
        assert repr(ours) == repr(theirs)
    assert sparse.csr_matrix(sparse.csr_array(cp.asarray(V))).shape == (1, 6)
    assert sparse.random_array((8,), density=0.5, rng=1).nnz == 4
    assert float(sparse.linalg.norm(sparse.coo_array(cp.asarray(V)))) == pytest.approx(np.linalg.norm(V))
