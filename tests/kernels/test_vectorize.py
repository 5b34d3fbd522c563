"""`vectorize`: Python functions over arrays."""

import math

import numpy as np
import pytest

import cuprum as cp

OFFSET = 3


def clipped(x, low):
    """Return x, but no less than low."""
    if x < low:
        return low
    return x


def test_a_function_of_two_numbers():
    f = cp.vectorize(clipped)
    assert f.__name__ == "clipped" and f.__doc__.startswith("Return x")
    x = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(cp.asnumpy(f(cp.asarray(x), 4.5)), np.maximum(x, 4.5))
    low = np.array([[1.0], [6.0], [20.0]])
    np.testing.assert_array_equal(cp.asnumpy(f(cp.asarray(x), cp.asarray(low))), np.maximum(x, low))
    assert f(cp.arange(3, dtype="int32"), cp.int32(1)).dtype == "int32"


def test_math_and_globals():
    def f(x):
        total = 0.0
        for k in range(3):
            total += math.sin(x) * k
        return total + OFFSET

    x = np.linspace(-2, 2, 101)
    np.testing.assert_allclose(cp.asnumpy(cp.vectorize(f)(cp.asarray(x))), 3 * np.sin(x) + 3, rtol=1e-14)


def test_several_results_and_their_dtypes():
    def halves(x):
        return x // 2, x % 2

    low, high = cp.vectorize(halves)(cp.arange(7))
    np.testing.assert_array_equal(cp.asnumpy(low), np.arange(7) // 2)
    np.testing.assert_array_equal(cp.asnumpy(high), np.arange(7) % 2)
    low, high = cp.vectorize(halves, otypes="fh")(cp.arange(7))
    assert (low.dtype, high.dtype) == ("float32", "int16")
    with pytest.raises(ValueError, match="returns 2 values, otypes has 1"):
        cp.vectorize(halves, otypes="f")(cp.arange(7))


@pytest.mark.parametrize("dtype", ["float16", "complex64", "complex128"])
def test_halves_and_complex_numbers(dtype):
    def f(x, y):
        return x * y + x

    x, y = np.array([1, 2.5, -3], dtype), np.array([2, 0.5, 4], dtype)
    got = cp.vectorize(f)(cp.asarray(x), cp.asarray(y))
    assert got.dtype == dtype
    np.testing.assert_allclose(cp.asnumpy(got), x * y + x)


def test_numbers_alone():
    assert float(cp.vectorize(clipped)(1.0, 2.5)) == 2.5


def test_what_is_refused():
    with pytest.raises(ValueError, match="is no signature"):
        cp.vectorize(clipped, signature="()")(cp.arange(3), 1)
    with pytest.raises(TypeError, match="arrays and numbers"):
        cp.vectorize(clipped)("a", 1)


def _polynomial(p, x):
    result = 0.0
    for c in p:
        result = result * x + c
    return result


def _power(x, n=2):
    result = x * 0 + 1
    for _ in range(n):
        result = result * x
    return result


def test_excluded_arguments_are_whole():
    p, x = np.array([1.0, 2.0, 3.0]), np.arange(6.0).reshape(2, 3)
    by_name, theirs = (m.vectorize(_polynomial, excluded=["p"]) for m in (cp, np))
    want = theirs(p=p, x=x)
    for given in (p, p.tolist(), cp.array(p), cp.array(np.repeat(p, 2))[::2]):
        np.testing.assert_array_equal(cp.asnumpy(by_name(p=given, x=cp.array(x))), want)
    by_place = cp.vectorize(_polynomial)
    by_place.excluded.add(0)
    np.testing.assert_array_equal(cp.asnumpy(by_place(p, x=x)), want)
    np.testing.assert_array_equal(cp.asnumpy(by_place(p[:2].astype("f"), x=x)), theirs(p=p[:2], x=x))
    assert float(by_place(p, 2.0)) == theirs(p=p, x=2.0)
    assert float(cp.vectorize(lambda p: p[0] + p[2], excluded={0})(p)) == 4.0


def test_arguments_by_name_and_defaults():
    x = np.arange(4.0)
    for keywords in ({}, {"n": 3}):
        want = np.vectorize(_power, excluded={"n"})(x, **keywords)
        np.testing.assert_array_equal(cp.asnumpy(cp.vectorize(_power, excluded={"n"})(x, **keywords)), want)
    np.testing.assert_array_equal(cp.asnumpy(cp.vectorize(_power)(x=cp.array(x))), x**2)
    with pytest.raises(TypeError, match="unexpected keyword"):
        cp.vectorize(_power)(x, m=3)


@pytest.mark.parametrize("shapes", [((4, 5), (3,)), ((2, 1, 4), (3, 2)), ((4,), (3,))])
def test_signatures_are_functions_of_arrays(shapes):
    rng = np.random.default_rng(1)
    a, b = (rng.random(shape) for shape in shapes)
    got = cp.vectorize(cp.convolve, signature="(n),(m)->(k)")(cp.array(a), b)
    np.testing.assert_allclose(cp.asnumpy(got), np.vectorize(np.convolve, signature="(n),(m)->(k)")(a, b))


def test_signatures_with_excluded_arguments_and_dtypes():
    def scaled(a, by, shift=0):
        return a.sum() * by, a.max() + shift

    a = np.arange(12.0).reshape(4, 3)
    made, want = (
        m.vectorize(scaled, otypes="fi", signature="(n)->(),()", excluded={1, "shift"})(a, 2.0, shift=5)
        for m in (cp, np)
    )
    for one, other in zip(made, want, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(cp.asnumpy(one), other)
    with pytest.raises(ValueError, match="nothing to call"):
        cp.vectorize(cp.sum, signature="(n)->()")(cp.zeros((0, 3)))


def test_it_decorates():
    @cp.vectorize(otypes="f")
    def twice(x):
        """Two times."""
        return 2 * x

    assert (twice.__name__, twice.__doc__) == ("twice", "Two times.")
    got = twice(cp.arange(3))
    assert got.dtype == "float32" and got.tolist() == [0, 2, 4]


def _quotient(a, b):
    return a // b


def _remainder(a, b):
    return a % b


def _positive(a):
    return a if a > 0 else 0.0


class _Settings:
    step = 3


settings = _Settings()


def test_truth_values_are_divided_as_small_integers():
    t, o = np.array([True, False]), np.array([True, True])
    for function in (_quotient, _remainder):
        made, expected = cp.vectorize(function)(cp.array(t), cp.array(o)), np.vectorize(function)(t, o)
        assert made.dtype == expected.dtype
        np.testing.assert_array_equal(made.get(), expected)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_literal_takes_the_other_ways_precision(dtype):
    x = np.array([1.5, -2.0], dtype)
    made = cp.vectorize(_positive)(cp.array(x))
    assert made.dtype == dtype
    np.testing.assert_array_equal(made.get(), np.vectorize(_positive)(x))


def test_numbers_of_an_object_are_constants():
    def shifted(a):
        return a + settings.step

    np.testing.assert_array_equal(cp.vectorize(shifted)(cp.arange(3)).get(), [3, 4, 5])


@pytest.mark.parametrize(
    "dtype",
    ["bool", "int8", "uint8", "int32", "uint64", "float16", "float32", "float64", "complex64", "complex128"],
)
def test_reciprocals_keep_numpys_dtypes(dtype):
    x = np.array([1, 2, 3, 1]).astype(dtype)
    if x.dtype.kind in "if":
        x[2] = -1
    wanted = np.reciprocal(x)
    got = cp.vectorize(lambda x: np.reciprocal(x))(cp.asarray(x))
    assert got.dtype == wanted.dtype
    assert got.get().tolist() == wanted.tolist()


@pytest.mark.parametrize("dtype", ["int16", "float32", "float64", "complex64", "bool", "uint8"])
@pytest.mark.parametrize("name", ["add", "true_divide", "less", "maximum"])
def test_ufuncs_compute_in_the_dtype_asked_for(name, dtype):
    x = np.array([[1, 2, 300], [4, 5, 6]], np.int32)
    y = x[::-1].copy()
    try:
        wanted = getattr(np, name)(x, y, dtype=dtype)
    except TypeError as refused:
        wanted = type(refused)
    compute = cp.vectorize(lambda a, b: getattr(np, name)(a, b, dtype=dtype))
    if isinstance(wanted, type):
        with pytest.raises(TypeError, match=f"dtype {dtype}"):
            compute(cp.asarray(x), cp.asarray(y))
        return
    got = compute(cp.asarray(x), cp.asarray(y))
    assert got.dtype == wanted.dtype
    np.testing.assert_array_equal(got.get(), wanted)
