"""Names that say something about the library: einsum_path, typecodes, namespace info, poly1d."""

import numpy as np
import pytest
from twin import check

import cuprum as cp

PLANS = [True, False, "greedy", "optimal", ("greedy", 10), ["einsum_path", (0, 1), (0, 1)]]


@pytest.mark.parametrize("optimize", PLANS, ids=repr)
def test_einsum_path(optimize):
    def body(xp):
        a, b, c = xp.ones((2, 3)), xp.ones((3, 7)), xp.ones((7, 2))
        return (
            xp.einsum_path("ij,jk,kl->il", a, b, c, optimize=optimize),
            xp.einsum_path(a, [0, 1], b, [1, 2], c, [2, 3], [0, 3], optimize=optimize)[0],
            xp.einsum_path(a, [0, 1], b, [1, 2], c, [2, 3], optimize=optimize)[0],
        )

    check(body)


def test_einsum_path_errors():
    check(lambda xp: xp.einsum_path("ij,jk", xp.ones((2, 3)), xp.ones((4, 5))), raises=ValueError)
    check(lambda xp: xp.einsum_path("ij,jk->il", xp.ones((2, 3)), xp.ones((3, 5))), raises=ValueError)
    check(lambda xp: xp.einsum_path("ij", xp.ones((2, 3)), optimize="nothing"))


def test_letters_and_names_of_dtypes():
    for kind, letters in cp.typecodes.items():
        assert set(letters) <= set(np.typecodes[kind])
        for letter in letters:
            cp.zeros(1, dtype=letter)
    for name, kind in cp.sctypeDict.items():
        assert np.sctypeDict[name] is kind
        cp.zeros(1, dtype=kind)
    assert cp.little_endian == np.little_endian


def test_namespace_info():
    ours, theirs = cp.__array_namespace_info__(), np.__array_namespace_info__()
    assert ours.capabilities() == theirs.capabilities()
    assert ours.default_dtypes() == theirs.default_dtypes()
    for kind in [None, "bool", "integral", "numeric", "complex floating", ("bool", "real floating"), ()]:
        assert ours.dtypes(kind=kind) == theirs.dtypes(kind=kind)
    assert ours.default_device() in ours.devices()
    with pytest.raises(ValueError):
        ours.dtypes(kind="no such kind")
    with pytest.raises(ValueError):
        ours.dtypes(device="no such device")


def test_polynomials_to_and_from_numpy():
    p = cp.poly1d([1.0, 2.0, 3.0], variable="z")
    host = p.get()
    assert isinstance(host, np.poly1d) and host.variable == "z" and host.coeffs.tolist() == [1, 2, 3]
    into = np.poly1d([7.0, 7.0, 7.0])
    assert p.get(out=into) is into and into.coeffs.tolist() == [1, 2, 3]
    p.set(np.poly1d([4, 5], variable="y"))
    assert p.coeffs.tolist() == [4, 5] and p.variable == "y"
    with pytest.raises(TypeError):
        p.set([1, 2])


def test_broadcast_has_the_values():
    b = cp.broadcast(cp.arange(3), cp.arange(2)[:, None])
    assert [v.tolist() for v in b.values] == [[[0, 1, 2]] * 2, [[0] * 3, [1] * 3]]
    assert (b.nd, b.ndim, b.shape) == (2, 2, (2, 3))


def test_show_runtime(capsys):
    cp.show_runtime()
    assert cp.info()["device"] in capsys.readouterr().out


def test_buffer_size():
    def body(xp):
        before = xp.getbufsize()
        given = xp.setbufsize(4096), xp.getbufsize(), xp.setbufsize(before), xp.getbufsize()
        return before, *given

    check(body)
    check(lambda xp: xp.setbufsize(1), raises=ValueError)
    check(lambda xp: xp.setbufsize(1.5), raises=TypeError)


def test_error_callbacks():
    def noted(kind, flag):
        seen.append(kind)

    seen, before = [], cp.seterrcall(None)
    assert cp.seterrcall(noted) is None and cp.geterrcall() is np.geterrcall() is noted
    with np.errstate(divide="call"):
        np.ones(1) / 0
    assert seen == ["divide by zero"] and cp.seterrcall(before) is noted
    with pytest.raises(TypeError, match="callable"):
        cp.seterrcall(5)


def test_frompyfunc():
    def body(xp):
        both = xp.frompyfunc(lambda a, b: (a + b, a * b), 2, 2)
        total, product = both(xp.arange(3), xp.array([[1], [10]]))
        numbers = both.nin, both.nout, both.nargs, both.identity
        return [total.astype(int), product.astype(int), numbers]

    check(body)
    check(lambda xp: xp.frompyfunc(5, 1, 1), raises=TypeError)
    check(lambda xp: xp.frompyfunc(lambda a: a, 1, 1)(xp.arange(2), 1, 2), raises=TypeError)
    half = cp.frompyfunc(lambda a: a * 0.5, 1, 1)
    out = cp.zeros(3)
    assert half(cp.arange(3), out=out) is out and out.tolist() == [0, 0.5, 1]
    assert half(cp.arange(3)).dtype == np.float64
    for nin, nout in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match="at least 1"):
            cp.frompyfunc(lambda a: a, nin, nout)


def test_examples_are_run_by_test(capsys):
    assert cp.test(tests=["cuprum.fft"]) is True
    assert "0 failed" in capsys.readouterr().out
    with pytest.raises(ValueError, match="label"):
        cp.test("nothing")
