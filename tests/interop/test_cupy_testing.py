"""`cupy.testing`: decorators of tests that run with NumPy and with Cuprum, by tests that pass and fail."""

import random
import unittest
import warnings

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat import cupy
from cuprum.compat.cupy import testing

COMPARISONS = {
    "allclose": (testing.numpy_cupy_allclose(rtol=1e-3), 1e-4),
    "allclose by dtypes": (testing.numpy_cupy_allclose(rtol={"default": 0, np.float64: 1e-3}), 1e-4),
    "almost": (testing.numpy_cupy_array_almost_equal(decimal=3), 1e-4),
    "nulp": (testing.numpy_cupy_array_almost_equal_nulp(nulp=3), 2.0**-52),
    "max ulp": (testing.numpy_cupy_array_max_ulp(maxulp=3), 2.0**-52),
    "equal": (testing.numpy_cupy_array_equal(), 0),
}


@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_within_and_beyond_their_tolerance(name):
    decorate, step = COMPARISONS[name]
    decorate(lambda xp: xp.ones(3) + (xp is cupy) * step)()
    with pytest.raises(AssertionError):
        decorate(lambda xp: xp.ones(3) + (xp is cupy) * 0.1)()


WRONG = {
    "dtype": lambda xp: xp.zeros(3, np.float32 if xp is np else np.float64),
    "shape": lambda xp: xp.zeros(3 if xp is np else 4),
    "order": lambda xp: xp.zeros((3, 2), order="C" if xp is np else "F"),
    "number of results": lambda xp: (xp.zeros(1),) * (1 if xp is np else 2),
    "kind of result": lambda xp: np.zeros(3) if xp is np else "text",
    "nothing": lambda xp: None,
    "only numpy raises": lambda xp: xp.zeros(2) if xp is cupy else xp.zeros(2).reshape(3),
    "only cupy raises": lambda xp: xp.zeros(2) if xp is np else xp.zeros(2).reshape(3),
    "both raise": lambda xp: xp.zeros(2).reshape(3),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_must_agree(name):
    with pytest.raises(AssertionError):
        testing.numpy_cupy_allclose()(WRONG[name])()


def test_what_need_not_agree():
    testing.numpy_cupy_allclose(type_check=False)(WRONG["dtype"])()
    testing.numpy_cupy_allclose(contiguous_check=False)(WRONG["order"])()
    testing.numpy_cupy_allclose(accept_error=ValueError)(WRONG["both raise"])()
    testing.numpy_cupy_allclose(accept_error=True)(WRONG["both raise"])()
    with pytest.raises(AssertionError):
        testing.numpy_cupy_allclose(accept_error=TypeError)(WRONG["both raise"])()
    only_single = testing.numpy_cupy_allclose(rtol={np.float32: 1e-6})
    only_single(lambda xp: xp.ones(3, np.float32))()
    with pytest.raises(TypeError, match="default"):
        only_single(lambda xp: xp.ones(3, np.float64))()


@testing.parameterize({"a": 1}, {"a": 2}, _ids=False)
class TestWithoutNames:
    def test_one(self):
        assert self.a in (1, 2)


def test_lists_scalars_and_equality():
    testing.numpy_cupy_array_equal()(lambda xp: [xp.arange(3), 5, np.float32(2)])()
    testing.numpy_cupy_equal()(lambda xp: xp.zeros((2, 3)).shape)()
    with pytest.raises(AssertionError, match="not equal"):
        testing.numpy_cupy_equal()(lambda xp: xp is np)()
    testing.numpy_cupy_array_less()(lambda xp: xp.zeros(2) + (xp is np))()
    with pytest.raises(AssertionError):
        testing.numpy_cupy_array_less()(lambda xp: xp.zeros(2))()
    testing.assert_array_list_equal([cp.arange(2)], [np.arange(2)])
    with pytest.raises(AssertionError):
        testing.assert_array_list_equal([cp.arange(2)], [np.arange(2), np.arange(1)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        testing.numpy_cupy_raises()(WRONG["both raise"])()
        same = testing.numpy_cupy_array_list_equal()
        with pytest.raises(AssertionError):
            testing.numpy_cupy_raises()(lambda xp: None)()
    same(lambda xp: [xp.arange(2)])()


def test_modules_of_scipy():
    seen = []

    @testing.numpy_cupy_allclose(sp_name="sp", scipy_name="scp")
    def compared(xp, sp, scp):
        seen.append((sp.__name__, scp.__name__))
        return sp.csr_matrix(xp.eye(3))

    compared()
    assert seen == [("cuprum.scipy.sparse", "cuprum.scipy"), ("scipy.sparse", "scipy")]


def test_negative_numbers_as_unsigned_ones_are_not_compared():
    @testing.numpy_cupy_array_equal()
    def stored(xp, first, second):
        values = np.array([-1.5, 2], first)
        if np.dtype(second).kind == "u" and xp is cupy:
            return xp.array([77, 2], dtype=second)
        return xp.array([0 if np.dtype(second).kind == "u" else -1, 2], dtype=second) + 0 * int(values[1])

    stored(first=np.float32, second=np.uint8)
    with pytest.raises(AssertionError):
        stored(first=np.uint8, second=np.uint8)


def test_skips_of_both_sides_are_skips():
    def skipped(xp):
        raise unittest.SkipTest("not here")

    with pytest.raises(unittest.SkipTest, match="not here"):
        testing.numpy_cupy_allclose()(skipped)()


def kinds(decorate, *names):
    seen = []

    def test(**given):
        seen.append(tuple(given[name] for name in names))

    import inspect

    params = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names]
    test.__signature__ = inspect.Signature(params)
    made = decorate(test)
    assert not inspect.signature(made).parameters
    made()
    return seen


def test_repetitions():
    def chars(decorate):
        return "".join(np.dtype(kind).char for (kind,) in kinds(decorate, "dtype"))

    assert chars(testing.for_all_dtypes()) == "dfebhilqBHILQ?FD"
    assert chars(testing.for_all_dtypes(no_float16=True, no_bool=True, no_complex=True)) == "dfbhilqBHILQ"
    assert chars(testing.for_float_dtypes(no_float16=True)) == "df"
    assert chars(testing.for_int_dtypes(no_bool=True)) == "bhilqBHILQ"
    assert chars(testing.for_signed_dtypes()) == "bhilq" and chars(testing.for_unsigned_dtypes()) == "BHILQ"
    assert chars(testing.for_complex_dtypes()) == "FD"
    assert kinds(testing.for_CF_orders(), "order") == [(None,), ("C",), ("F",), ("c",), ("f",)]
    full = kinds(testing.for_int_dtypes_combination(("a", "b"), full=True), "a", "b")
    assert len(full) == len(set(full)) == 121
    some = kinds(testing.for_all_dtypes_combination(("a", "b"), full=False), "a", "b")
    assert {a for a, _ in some} == {b for _, b in some} == {a for a, _ in some} and len(some) <= 32
    assert len(kinds(testing.for_signed_dtypes_combination(("a",)), "a")) == 5


def test_a_case_that_fails_is_named():
    with pytest.raises(ZeroDivisionError) as raised:
        testing.for_dtypes("if")(lambda dtype: 1 / (dtype == np.int32))()
    if hasattr(raised.value, "__notes__"):
        assert "float32" in raised.value.__notes__[0]


@pytest.mark.parametrize("order", ["C", "F"])
def test_contiguous_axes(order):
    class Case:
        shape = (2, 3, 4)

        @testing.for_contiguous_axes()
        def run(self, axis):
            seen.append(axis)

    seen, case = [], Case()
    case.order = order
    case.run()
    assert seen == ([(2,), (1, 2), (0, 1, 2)] if order == "C" else [(0,), (0, 1), (0, 1, 2)])


@testing.parameterize(*testing.product({"a": [1, 2], "b": ["x", "y"]}))
class TestParameterized:
    seen: set[tuple[int, str]] = set()

    def test_attributes(self):
        self.seen.add((self.a, self.b))
        assert self.a in (1, 2) and self.b in "xy"

    @testing.numpy_cupy_allclose()
    def test_comparison(self, xp):
        return xp.arange(self.a)


@testing.parameterize({"a": 1, "f": lambda x: x + 1}, {"a": 2, "f": lambda x: x - 1})
@testing.parameterize({"c": 3}, {"c": 4})
class TestOfUnittest(unittest.TestCase):
    def test_attributes(self):
        assert self.f(self.a) in (2, 1) and self.c in (3, 4)


def test_classes_of_unittest_become_several():
    assert [(case.a, case.c) for case in TestOfUnittest.cases] == [(1, 3), (2, 3), (1, 4), (2, 4)]
    assert all(globals()[case.__name__] is case for case in TestOfUnittest.cases)


def test_fixed_random_numbers():
    @testing.fix_random()
    def draw():
        return random.random(), np.random.rand(), float(cp.random.rand()), testing.generate_seed()

    assert draw() == draw()
    with pytest.raises(AssertionError, match="fix_random"):
        testing.generate_seed()
    state = np.random.get_state()[1].tolist()
    draw()
    assert np.random.get_state()[1].tolist() == state

    @testing.fix_random()
    class Case(unittest.TestCase):
        def runTest(self):
            drawn.append(np.random.rand())

    drawn = []
    for _ in range(2):
        assert Case().run().wasSuccessful()
    assert drawn[0] == drawn[1]
    with pytest.raises(ValueError, match="fix_random"):
        testing.fix_random()(int)


@pytest.mark.parametrize("dtype", ["?", "i4", "u1", "f4", "c16"])
def test_arrays_for_tests(dtype):
    for make in (testing.shaped_arange, testing.shaped_reverse_arange, testing.shaped_random):
        ours, numpys = make((2, 3), cupy, dtype), make((2, 3), np, dtype)
        assert isinstance(ours, cp.ndarray) and ours.dtype == numpys.dtype == np.dtype(dtype)
        np.testing.assert_array_equal(cp.asnumpy(ours), numpys)
    assert testing.shaped_linspace(-1, 2, (2, 2), np, dtype).dtype == np.dtype(dtype)
    assert testing.shaped_arange((2, 3), dtype=dtype, order="F").flags.f_contiguous


def test_matrices_of_given_singular_values():
    a = testing.generate_matrix((2, 4, 3), cupy, "complex128", singular_values=[5, 2, 1])
    np.testing.assert_allclose(cp.asnumpy(cp.linalg.svd(a, compute_uv=False)), [[5, 2, 1]] * 2)
    for values, kind, error in (([-1.0], "f8", ValueError), ([1j], "f8", TypeError), ([1], "i8", TypeError)):
        with pytest.raises(error, match="generate_matrix"):
            testing.generate_matrix((2, 2), cupy, kind, singular_values=values)
    sparse = testing.shaped_sparse_random((20, 20), density=0.2, format="csr")
    assert sparse.format == "csr" and sparse.nnz == 80


def test_conditions():
    assert testing.installed("numpy") and not testing.installed("no_such_package")
    assert testing.numpy_satisfies(">=1.20") and not testing.numpy_satisfies("<1.20")
    with testing.AssertFunctionIsCalled("random.random", times_called=2):
        random.random()
        random.random()
    with (
        pytest.raises(AssertionError, match="called 0 times"),
        testing.AssertFunctionIsCalled("random.random"),
    ):
        pass
    with pytest.raises(ValueError, match="multi_gpu"):
        testing.multi_gpu(1)


@testing.with_requires("no_such_package>=3")
def test_that_needs_what_is_not_installed():
    raise AssertionError("must not run")


class TestAlias(testing.NumpyAliasValuesTestBase):
    func = "isscalar"
    args = (5,)


def test_fixed_numbers_by_the_names_of_older_helpers():
    before = np.random.get_state()[1].tolist()
    drawn = []
    for _ in range(2):
        testing._random.do_setup()
        drawn.append((np.random.rand(), cp.random.rand().item()))
        testing._random.do_teardown()
    assert drawn[0] == drawn[1]
    assert np.random.get_state()[1].tolist() == before
