"""Unique elements and set functions, beside NumPy."""

import numpy as np
import pytest
from samples import LAYOUTS, bf16_array, ordinary_values, special_values
from twin import ALL_DTYPES, check, collect, to_numpy

import cuprum as cp

OPTIONS = [
    {},
    {"return_index": True},
    {"return_inverse": True},
    {"return_counts": True},
    {"return_index": True, "return_inverse": True, "return_counts": True},
]


def values(dtype, size, seed=0):
    """Return values of which many are equal; both zeros would leave it open which of them is kept."""
    rng = np.random.default_rng(seed)
    made = np.resize(np.concatenate([ordinary_values(dtype, 40, seed), special_values(dtype)]), size)
    made = np.where(made == 0, np.zeros((), dtype), made)
    return rng.permutation(made)


@pytest.mark.parametrize("equal_nan", [True, False])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_unique(dtype, equal_nan):
    with collect() as failures:
        for n in (0, 1, 2, 100, 3000, 200_000):
            if dtype == "float16" and n > 3000:
                # NumPy 2.4's quicksort of float16 leaves long arrays out of order.
                continue
            host = values(dtype, n)
            if host.dtype.kind == "c":
                # Which of different NaNs is kept is nobody's promise.
                host = np.where(np.isnan(host), np.full((), np.nan, dtype), host)
            for options in OPTIONS:
                if not equal_nan and options == {"return_inverse": True}:
                    # NumPy numbers NaNs that differ in no particular order.
                    host = host[host == host]
                with failures:
                    check(
                        lambda xp, a=host, o=options: xp.unique(xp.array(a), equal_nan=equal_nan, **o),
                        signed_zero=False,
                        label=f"{dtype} {n} {options}",
                    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_unique_layouts_and_axes(layout):
    host = np.random.default_rng(0).integers(0, 2, (6, 4, 3))
    with collect() as failures:
        for axis in (None, 0, 1, -1, 3):
            for options in OPTIONS:
                with failures:
                    check(
                        lambda xp, axis=axis, o=options: xp.unique(LAYOUTS[layout](xp, host), axis=axis, **o),
                        layout=False,
                        label=f"axis {axis} {options}",
                        may_raise=np.exceptions.AxisError,
                    )


def test_unique_slices():
    cases = [
        np.array([[1.0, np.nan], [1.0, np.nan], [0.5, 2.0], [-0.0, 1.0], [0.0, 1.0]]),
        np.zeros((3, 0)),
        np.zeros((0, 3)),
        np.zeros((2, 3, 0)),
        np.random.default_rng(0).integers(0, 3, (500, 3)).astype("float32"),
        np.random.default_rng(0).integers(0, 2, (50, 2, 2)).astype(bool),
        np.random.default_rng(0).integers(0, 2, (50, 2)) * 1j,
    ]
    with collect() as failures:
        for host in cases:
            for axis in range(host.ndim):
                for options in OPTIONS:
                    with failures:
                        check(
                            lambda xp, a=host, x=axis, o=options: xp.unique(xp.array(a), axis=x, **o),
                            signed_zero=False,
                            layout=False,
                            label=f"{host.shape} {host.dtype} axis {axis} {options}",
                        )


def test_unique_inverse_and_index_give_the_array_back():
    host = values("float64", 50_000)
    a = cp.array(host)
    found, index, inverse = cp.unique(a, return_index=True, return_inverse=True)
    assert np.array_equal(cp.asnumpy(a[index]), cp.asnumpy(found), equal_nan=True)
    assert np.array_equal(cp.asnumpy(found[inverse]), host, equal_nan=True)


def test_bfloat16():
    got = cp.unique(bf16_array(np.array([2.0, np.nan, 1.0, np.nan, 2.0], np.float32)), return_counts=True)
    assert np.array_equal(to_numpy(got[0]), [1.0, 2.0, np.nan], equal_nan=True)
    assert to_numpy(got[1]).tolist() == [1, 2, 2]


def test_named_results():
    host = np.array([3.0, np.nan, 1.0, 3.0, np.nan])
    check(lambda xp: tuple(xp.unique_all(xp.array(host))))
    check(lambda xp: tuple(xp.unique_counts(xp.array(host))))
    check(lambda xp: tuple(xp.unique_inverse(xp.array(host.reshape(5, 1)))))
    check(lambda xp: xp.sort(xp.unique_values(xp.array(host))))
    assert cp.unique_all([1])._fields == np.unique_all([1])._fields
    assert cp.unique_counts([1])._fields == np.unique_counts([1])._fields
    assert cp.unique_inverse([1])._fields == np.unique_inverse([1])._fields


SETS = {
    "ints": ([5, 3, 3, 1, 9, 2], [3, 9, 9, 7]),
    "empty left": ([], [1.0, 2.0]),
    "empty right": ([2, 1, 1], []),
    "both empty": ([], []),
    "2-d": ([[1, 2], [3, 4]], [[4, 5], [2, 2]]),
    "floats": ([1.5, np.nan, 2.5, np.nan, -0.0], [0.0, 2.5, np.nan]),
    "mixed": (np.arange(20, dtype="int8"), np.arange(0, 30, 3) / 2),
    "bool": ([True, False, True], [True]),
    "complex": ([1 + 1j, 1, 2j], [1, 2j, 3]),
    "many": (np.random.default_rng(0).integers(0, 500, 900), np.random.default_rng(1).integers(0, 500, 300)),
    "many floats": (np.random.default_rng(0).integers(0, 500, 900) / 4, np.arange(300) / 2),
}


@pytest.mark.parametrize("name", SETS)
def test_set_functions(name):
    a, b = (np.asarray(x) for x in SETS[name])
    ua, ub = np.unique(a), np.unique(b)
    calls = {
        "intersect1d": lambda xp: xp.intersect1d(xp.array(a), xp.array(b)),
        "intersect1d indices": lambda xp: xp.intersect1d(xp.array(a), xp.array(b), return_indices=True),
        "intersect1d unique": lambda xp: xp.intersect1d(
            xp.array(ua), xp.array(ub), assume_unique=True, return_indices=True
        ),
        "union1d": lambda xp: xp.union1d(xp.array(a), xp.array(b)),
        "setdiff1d": lambda xp: xp.setdiff1d(xp.array(a), xp.array(b)),
        "setdiff1d unique": lambda xp: xp.setdiff1d(xp.array(ua[::-1]), xp.array(ub), assume_unique=True),
        "setxor1d": lambda xp: xp.setxor1d(xp.array(a), xp.array(b)),
        "setxor1d unique": lambda xp: xp.setxor1d(xp.array(ua), xp.array(ub), assume_unique=True),
        "isin": lambda xp: xp.isin(xp.array(a), xp.array(b)),
        "isin inverted": lambda xp: xp.isin(xp.array(a), xp.array(b), invert=True),
        "isin lists": lambda xp: xp.isin(a.tolist(), b.tolist()),
        "isin scalar": lambda xp: xp.isin(3, xp.array(b)),
    }
    with collect() as failures:
        for label, call in calls.items():
            with failures:
                check(call, signed_zero=False, label=f"{name} {label}")


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_isin_dtypes(dtype):
    a, b = values(dtype, 300).reshape(3, 100), values(dtype, 40, seed=1)[:20]
    check(lambda xp: xp.isin(xp.array(a), xp.array(b)), label=dtype)
    check(lambda xp: xp.isin(xp.array(a).T, xp.array(b), invert=True), layout=False, label=dtype)


def test_isin_ranges():
    near, far = np.arange(-20, 20), np.array([-(2**62), 0, 5, 7, 2**62, 9, 11, 13, 15, 17])
    small, unsigned = np.arange(-120, 120, 3).astype("int8"), np.array([0, 5, 2**63 + 1, 2**64 - 1], "uint64")
    with collect() as failures:
        for i, a in enumerate((near, far, small, unsigned)):
            for j, b in enumerate((near, far, small)):
                with failures:
                    check(lambda xp, a=a, b=b: xp.isin(xp.array(a), xp.array(b)), label=f"{i} in {j}")


def test_isin_kinds():
    check(lambda xp: xp.isin(xp.arange(9), xp.array([3, 4]), kind="table"))
    check(lambda xp: xp.isin(xp.arange(9), xp.array([3, 4]), kind="sort"))
    check(lambda xp: xp.isin(xp.arange(9), xp.array([3, 4]), kind="guess"), raises=ValueError)
    check(lambda xp: xp.isin(xp.arange(9.0), xp.array([3, 4]), kind="table"), raises=ValueError)
    got = cp.in1d(cp.arange(6).reshape(2, 3), [1, 4], invert=True)
    assert cp.asnumpy(got).tolist() == [True, False, True, True, False, True]


@pytest.mark.parametrize("first, second", [("int64", "uint64"), ("uint64", "int64"), ("uint64", "int8")])
def test_large_integers_of_both_signs_are_found_exactly(first, second):
    a = np.array(
        [2**53 + 1, 2**53, 2**63 - 1, 2**63 - 2, 5, 0, *([-1] if first == "int64" else [2**64 - 1])], first
    )
    others = [-1, -5, 0, 7, 9, 11, 13, 15, 2**53, 2**53 + 1, 2**63 - 1]
    limits = np.iinfo(second)
    others = np.array([one for one in others if limits.min <= one <= limits.max] * 2, second)
    # NumPy compares them as float64.
    want = [int(one) in {*map(int, others)} for one in a]
    assert cp.isin(cp.array(a), cp.array(others)).tolist() == want
    if second != "uint64":
        assert not cp.isin(cp.array(a), cp.array(np.full(9, -1, second))).any()
