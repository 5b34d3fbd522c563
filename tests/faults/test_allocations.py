"""Every request for memory of every family of functions fails once: a right result, or MemoryError.

`make test-faults` lets each request fail; the tests of every day let the first ones and some later ones fail.
"""

import itertools
import os

import numpy as np
import pytest
from library_programs import NDIMAGE, OTHERS, SIGNAL, SPARSE, STORED, special_functions, ufuncs
from programs import IMAGE as picture
from programs import IMAGES, PROGRAMS, RANDOM, TARGETS, N

import cuprum as cp
import cuprum.scipy.ndimage as ndimage
from cuprum import _core

EVERY = os.environ.get("CUPRUM_FAULTS") == "all"
# No program makes as many requests.
MAX_NUMBER = 20_000


def numbers():
    """Return which request fails, one after the other."""
    if EVERY:
        return range(1, MAX_NUMBER)
    return itertools.chain(range(1, 4), (2**k for k in range(2, 15)))


def on_host(value):
    if hasattr(value, "tocoo"):
        value = value.tocoo()
        return [on_host(part) for part in (value.row, value.col, value.data)]
    if isinstance(value, (tuple, list)) and any(isinstance(item, (cp.ndarray, tuple)) for item in value):
        return [on_host(item) for item in value]
    return value.get() if isinstance(value, cp.ndarray) else value


def assert_same(found, expected):
    if isinstance(expected, list) and expected and isinstance(expected[0], np.ndarray):
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_array_equal(a, b)
    else:
        np.testing.assert_array_equal(found, expected)


def fails_once(n, work):
    """Run work whose n-th request fails; return what it gave or None, and whether a request failed."""
    _core._fail_request(n)
    try:
        return work(), _core._fail_request(0) == 0
    except MemoryError as error:
        assert _core._fail_request(0) == 0, f"no request failed: {error}"
        assert "bytes asked for" in str(error), repr(error)
        return None, True
    finally:
        _core._fail_request(0)


def check(work):
    expected = work()
    for n in numbers():
        found, struck = fails_once(n, work)
        if found is not None:
            assert_same(found, expected)
        assert float((cp.arange(9000.0) * 2).sum()) == 9000 * 8999
        if not struck:
            break
    else:
        assert not EVERY
    assert_same(work(), expected)


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_programs(name):
    check(lambda: on_host(PROGRAMS[name](cp)))


@pytest.mark.parametrize("name", sorted(RANDOM))
def test_random_numbers(name):
    check(lambda: on_host(RANDOM[name](cp)))


@pytest.mark.parametrize("name", sorted(IMAGES))
def test_images(name):
    check(lambda: on_host(IMAGES[name](ndimage, cp.asarray(picture))))


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_targets_are_written_whole_or_not_at_all(name):
    before = np.random.default_rng(5).random(N)
    expected = cp.array(before)
    TARGETS[name](cp, expected)
    expected = expected.get()
    for n in numbers():
        target = cp.array(before)

        def work(target=target):
            TARGETS[name](cp, target)
            return target.get()

        found, struck = fails_once(n, work)
        if found is not None:
            np.testing.assert_array_equal(found, expected)
        else:
            # A write that is still pending may come to its end now.
            left = target.get()
            assert any(np.array_equal(left, whole) for whole in (before, expected)), n
        if not struck:
            break


@pytest.mark.parametrize("name", sorted(UFUNCS := ufuncs()))
def test_ufuncs(name):
    check(lambda: on_host(UFUNCS[name]()))


@pytest.mark.parametrize("name", sorted(FUNCTIONS := special_functions()))
def test_special_functions(name):
    check(lambda: on_host(FUNCTIONS[name]()))


LIBRARIES = {
    f"{family} {name}": work
    for family, programs in {
        "sparse": SPARSE,
        "signal": SIGNAL,
        "ndimage": NDIMAGE,
        "stored": STORED,
        "other": OTHERS,
    }.items()
    for name, work in programs.items()
}


@pytest.mark.parametrize("name", sorted(LIBRARIES))
def test_libraries(name):
    check(lambda: on_host(LIBRARIES[name]()))


def test_kernels():
    square = cp.ElementwiseKernel("float64 x", "float64 y", "y = x * x + 1", "square_of_faults")
    check(lambda: on_host(square(cp.arange(5000.0))))


def test_what_reads_an_array_runs_before_a_write_that_is_tried_again():
    for n in range(1, 12):
        a = cp.arange(100_000.0)
        a.sum().item()
        pending, other = a * 2, a + 7
        _core._fail_request(n)
        try:
            a[:] = 0
        except MemoryError:
            assert float(a[5]) == 5
        finally:
            _core._fail_request(0)
        a[:] = 0
        assert float(pending[5]) == 10 and float(other[5]) == 12 and float(a.max()) == 0
