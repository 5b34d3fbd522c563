"""Arguments that are seldom seen: single values, truth values, texts and empty lists in places of arrays."""

import numpy as np
import pytest
from twin import check, collect, twin

import cuprum as cp

TEXTS = [
    "xp.pad(b, (1, 2), mode='linear_ramp')",
    "xp.pad(b, 3, mode='linear_ramp')",
    "xp.pad(b, 2, mode='reflect', reflect_type='odd')",
    "xp.pad(b, 2, mode='symmetric', reflect_type='odd')",
    "xp.pad(i, 3, mode='linear_ramp', end_values=(5, -4))",
    "xp.round(b, 1)",
    "xp.round(b, -1)",
    "xp.round(b)",
    "(u > 1).astype(int).choose([u, 5])",
    "(h > 0).astype(int).choose([h, 5.5])",
    "(h > 0).astype(int).choose([1, 2])",
    "xp.choose((u > 1).astype(int), [u, 5])",
    "xp.choose((u > 1).astype(int), [u, 5.5])",
    "xp.choose((h > 0).astype(int), (h, 5))",
    "(u > 1).astype(int).choose([u, 5])",
    "(h > 0).astype(int).choose((h, 5))",
    "xp.choose(u.astype('u8'), [u, 5], mode='clip')",
    "xp.choose([0, 1], [1, 2])",
    "xp.choose([0, 1], [1, 2.5])",
    "xp.choose((u > 1).astype(int), [u, -9])",
    "xp.choose((u > 1).astype(int), [u, 300])",
    "xp.choose((h > 0).astype(int), [h, 1e10])",
    "xp.take(xp.zeros((2, 0, 4)), 5, axis=2)",
    "xp.take(xp.zeros((0, 3)), [-9, 7], axis=1)",
    "xp.take(xp.zeros((4, 0)), 9, axis=0)",
    "xp.take(xp.zeros((2, 0)), 5, axis=1)",
    "u.squeeze() is u",
    "xp.squeeze(u) is u",
    "u[None].squeeze() is u",
    "xp.linalg.tensorsolve(xp.ones((1, 1, 1)), xp.ones((1, 1, 1, 1)))",
    "xp.linalg.tensorsolve(2 * xp.ones((1, 1)), xp.ones((1, 1)))",
    "xp.linalg.tensorsolve(2 * xp.ones((1, 1)), xp.ones(1))",
    "xp.gradient(xp.array(True))",
    "xp.gradient(b)",
    "xp.unwrap(xp.array(2.5))",
    "xp.vecdot(xp.array(2.5), xp.array(2.5))",
    "xp.vecdot(xp.ones(2), xp.array(2.5))",
    "xp.polyval(xp.array(2.5), 2)",
    "xp.polyval([2.5], 2)",
    "xp.polyval([], 2)",
    "xp.trapezoid(xp.arange(3.0), xp.array([[0.0, 1, 3], [0, 2, 3]]))",
    "xp.trapezoid(xp.arange(3.0), xp.array([[0.0], [1], [3]]))",
    "xp.trapezoid(xp.arange(6.0).reshape(2, 3), [0, 1, 3])",
    "xp.trapezoid(xp.arange(6.0).reshape(2, 3), [0, 2], axis=0)",
    "xp.round(xp.ones(3), out=xp.zeros((2, 3)))",
    "xp.round(xp.ones(3), 1, out=xp.zeros(3))",
    "xp.concatenate((u, 5), axis=None)",
    "xp.concatenate((u, 300), axis=None)",
    "xp.concatenate((5.5, u), axis=None)",
    "xp.concatenate((h, 5.5, 7), axis=None)",
    "xp.concatenate((5, 5.5), axis=None)",
    "xp.concatenate((u, [5]), axis=None)",
    "xp.concatenate((u, np.int64(5)), axis=None)",
    "xp.union1d(u, 5)",
    "xp.union1d(5, h)",
    "xp.append(u, 5)",
    "xp.hstack((u, 5))",
    "xp.r_[u, 5]",
    "xp.setxor1d(u, 5)",
    "xp.setdiff1d(u, 5)",
    "xp.intersect1d(u, 3)",
    "xp.logical_and(u, -1)",
    "xp.logical_or(256, u - u)",
    "xp.logical_xor(u, 300)",
    "xp.logical_and(h, 1e-10)",
    "xp.logical_and(b, 2)",
    "xp.zeros(True)",
    "xp.full(False, 7)",
    "xp.arange(xp.array([3]))",
    "xp.arange([3])",
    "xp.arange(0, xp.array(3))",
    "xp.roll(i, 1, axis=())",
    "xp.roll(i, (), axis=0)",
    "xp.roll(i, (1, 2), axis=())",
    "xp.maximum.accumulate(i, axis=(0, 1))",
    "xp.maximum.accumulate(i, axis=(0, 0))",
    "xp.add.reduceat(i, [0], axis=(0, 1))",
]


@pytest.mark.parametrize("text", TEXTS)
def test_seldom_arguments(text):
    def body(xp):
        names = {
            "b": xp.array([True, False, True, True]),
            "i": xp.array([3, -1, 2]),
            "u": xp.array([3, 1, 2, 250], dtype="uint8"),
            "h": xp.array([1.5, -2.25], dtype="float16"),
        }
        return eval(text, {"xp": xp, "np": np, **names})

    check(body, may_raise=(np.exceptions.AxisError, IndexError, TypeError, ValueError))


@pytest.mark.parametrize("number", [-1, 300, 7, -1.5])
@pytest.mark.parametrize(
    "text",
    ["xp.matmul(u, n)", "xp.matmul(n, u)", "xp.vecdot(u, n)", "xp.linalg.vecdot(n, u)", "u @ n", "n @ u"],
)
def test_numbers_in_products_are_looked_at_before_shapes(text, number):
    def body(xp):
        return eval(text, {"xp": xp, "u": xp.arange(12, dtype="uint8").reshape(3, 4), "n": number})

    check(body, may_raise=(OverflowError, ValueError))


def test_cross_products_of_numbers_are_refused():
    with pytest.raises(ValueError, match="zero dimension"):
        cp.linalg.cross(cp.array(1), cp.arange(3))


@pytest.mark.parametrize("code", [">i2", ">u4", ">i8", ">f4", ">f8", ">c8", "<i2", "=f4", "u1", "?"])
def test_bytes_in_another_order_are_read_as_they_are_meant(code):
    raw = bytes(range(1, 33))
    theirs = np.frombuffer(raw, code)
    np.testing.assert_array_equal(cp.frombuffer(raw, code).get(), theirs)
    np.testing.assert_array_equal(
        cp.frombuffer(raw, np.dtype(code), 1, 8).get(), np.frombuffer(raw, code, 1, 8)
    )
    np.testing.assert_array_equal(cp.array(theirs).get(), theirs)
    np.testing.assert_array_equal(cp.array([1, 2], dtype=code).get(), np.array([1, 2], dtype=code))


@pytest.mark.parametrize("name", ["normal", "uniform", "gamma", "beta", "laplace", "vonmises"])
@pytest.mark.parametrize("maker", ["default_rng", "RandomState"])
def test_texts_are_no_parameters(maker, name):
    check(lambda xp: getattr(getattr(xp.random, maker)(1), name)("a", 0.5), raises=ValueError)
    check(lambda xp: np.shape(getattr(getattr(xp.random, maker)(1), name)("0.25", 0.5)), raises=TypeError)


BOUNDS = [(2, 0.5), (0, -1), ([1, -1], 0.5), ([[1], [2]], [0.5, 3]), (3, 3)]


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_uniform_numbers_between_falling_bounds(bounds):
    low, high = (np.asarray(bound, dtype=float) for bound in bounds)
    drawn = cp.random.RandomState(1).uniform(*bounds, size=(500, *np.broadcast(low, high).shape)).get()
    least, most = np.minimum(low, high), np.maximum(low, high)
    assert ((least <= drawn) & (drawn <= most)).all()
    spread = most - least
    assert (np.abs(drawn.mean(0) - (least + most) / 2) <= 0.1 * spread).all()
    check(lambda xp: np.shape(xp.random.default_rng(1).uniform(*bounds)), may_raise=ValueError)


@twin()
def test_numbers_go_into_fortran_arrays_as_they_lie(xp):
    # Both draw from the same stream of words.
    results = []
    for name in ("random", "standard_exponential", "standard_normal"):
        out = xp.zeros((2, 3), order="F")
        plain = xp.zeros((3, 2))
        rng, again = (xp.random.Generator(xp.random.Philox(5)) for _ in range(2))
        getattr(rng, name)(out=out)
        getattr(again, name)(out=plain)
        results.append((bool((out.T == plain).all()), out.flags.f_contiguous))
    return results


def test_draws_of_nothing_and_of_what_is_no_array():
    with collect() as failures:
        for text in [
            "rng.binomial([], 0.5)",
            "rng.binomial([], 2)",
            "rng.multivariate_hypergeometric([], 0).shape",
            "rng.multivariate_hypergeometric([], 0, size=3).shape",
            "rng.multivariate_hypergeometric([3.5, 4], 2)",
            "rng.multivariate_hypergeometric([[3, 4]], 2)",
            "rng.multivariate_hypergeometric([-3, 4], 2)",
            "rng.permuted(5)",
            "rng.shuffle(xp.array(5))",
            "len(rng.spawn(2))",
        ]:
            with failures:
                check(
                    lambda xp, t=text: eval(t, {"xp": xp, "rng": xp.random.default_rng(1)}),
                    label=text,
                    may_raise=(TypeError, ValueError),
                )


@pytest.mark.parametrize("name", ["Philox", "PCG64", "PCG64DXSM", "MT19937", "SFC64"])
def test_bit_generators_are_numpys(name):
    """A generator by NumPy's name draws NumPy's numbers."""
    ours, theirs = (xp.random.Generator(getattr(xp.random, name)(7)) for xp in (cp, np))
    assert isinstance(ours.bit_generator, cp.random.BitGenerator)
    assert ours.random(5).tolist() == theirs.random(5).tolist()


def test_negative_numbers_of_children_are_refused():
    # NumPy 2.5 raises ValueError as well; before, an OverflowError came from its C code.
    with pytest.raises(ValueError, match="spawn: the number of children must not be negative, got -1"):
        cp.random.default_rng(1).spawn(-1)


def test_the_module_begins_anew():
    before = cp.random.get_random_state()
    cp.random.reset_states()
    assert cp.random.get_random_state() is not before
    cp.random.set_random_state(before)


@pytest.mark.parametrize("shape", [(0, 0), (2, 0, 0), (0, 3, 3), (3, 0), (0, 3)], ids=str)
def test_ranks_of_matrices_without_elements(shape):
    check(lambda xp: xp.linalg.matrix_rank(xp.zeros(shape)))


@pytest.mark.parametrize("kind", ["float64", "complex128"])
def test_least_squares_are_as_precise_as_their_result(kind):
    rng = np.random.default_rng(3)
    a = rng.standard_normal((8, 4)).astype("float32")
    b = rng.standard_normal(8).astype(kind)
    ours = cp.linalg.lstsq(cp.array(a), cp.array(b))
    theirs = np.linalg.lstsq(a, b)
    for got, want in zip(ours, theirs, strict=True):
        got, want = np.asarray(cp.asnumpy(got)), np.asarray(want)
        if want.ndim:
            assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-13)
