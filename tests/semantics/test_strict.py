"""The rules of a GPU on the CPU: what arrays there refuse, `cp.cuda.strict` and CUPRUM_STRICT=gpu
refuse here."""

import os
import subprocess
import sys

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat import cupyx

IMPLICIT = "Implicit conversion to a NumPy array is not allowed"


@pytest.fixture
def strict():
    with cp.cuda.strict():
        yield


REFUSED = {
    "asarray": (lambda a: np.asarray(a), TypeError, IMPLICIT),
    "array": (lambda a: np.array(a), TypeError, IMPLICIT),
    "in a list": (lambda a: np.array([a, a]), TypeError, IMPLICIT),
    "memoryview": (lambda a: memoryview(a), BufferError, r"the array is on cuda:\d: use \.get\(\)"),
    "bytes": (lambda a: np.frombuffer(a), BufferError, "use .get"),
    "interface": (lambda a: a.__array_interface__, AttributeError, r"an array on cuda:\d has no"),
    "store": (lambda a: np.zeros(3).__setitem__(slice(None), a), TypeError, IMPLICIT),
    "block": (lambda a: memoryview(a.data.mem._block), BufferError, "use .get"),
}


@pytest.mark.parametrize(("use", "error", "message"), REFUSED.values(), ids=list(REFUSED))
def test_the_host_does_not_read_arrays_unasked(strict, use, error, message):
    with pytest.raises(error, match=message):
        use(cp.arange(3.0))


def test_what_a_gpu_allows_is_allowed(strict):
    a = cp.arange(6.0).reshape(2, 3)
    host = np.ones((2, 3))
    np.testing.assert_array_equal(a.get(), np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(cp.asnumpy(a + host), np.arange(6.0).reshape(2, 3) + 1)
    np.testing.assert_array_equal(cp.asnumpy(np.add(a, a)), 2 * a.get())
    assert float(a.sum()) == 15
    assert a[0, 1].item() == 1
    assert str(a[0]) == "[0. 1. 2.]"
    assert "1999998, 1999999]" in repr(cp.arange(2_000_000))
    assert cp.array([a[0], a[1]]).shape == (2, 3)
    assert cp.from_dlpack(a).shape == (2, 3)
    assert a.tolist()[1] == [3, 4, 5]


def test_page_locked_memory_stays_the_hosts(strict):
    host = cupyx.empty_pinned((4,), dtype=np.float64)
    host[:] = 2
    assert float(cp.asarray(host).sum()) == 8


@pytest.mark.cpu
def test_the_rules_end_with_the_block():
    a = cp.arange(3)
    with cp.cuda.strict():
        with cp.cuda.strict(False):
            assert np.asarray(a).tolist() == [0, 1, 2]
        with pytest.raises(TypeError, match=IMPLICIT):
            np.asarray(a)
    assert np.asarray(a).tolist() == [0, 1, 2]


@pytest.mark.no_gpu
def test_a_call_alone_sets_the_rules():
    rules = cp.cuda.strict()
    try:
        with pytest.raises(TypeError, match=IMPLICIT):
            np.asarray(cp.arange(3))
    finally:
        rules.__exit__()


def test_the_setting_of_the_environment():
    code = "import numpy as np, cuprum as cp\nnp.asarray(cp.arange(3))"
    for value, expected in (("gpu", IMPLICIT), ("wrong", "CUPRUM_STRICT is 'gpu' or not set")):
        environment = {**os.environ, "CUPRUM_STRICT": value}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
        assert done.returncode == 1
        assert expected in done.stderr


@pytest.mark.parametrize("dtype", [np.float64, cp.bfloat16])
def test_the_library_reads_its_own_arrays(strict, dtype):
    from cuprum._host import host_view

    a = cp.arange(6).astype(dtype)[::2]
    seen = host_view(a)
    bits = a.view(np.uint16) if dtype is cp.bfloat16 else a
    np.testing.assert_array_equal(seen, bits.get())
    if a.device == "cpu":
        seen[1] = 3
        assert bits.get()[1] == 3
    with pytest.raises(BufferError, match="use .get"):
        memoryview(a)


def test_dask_names_arrays(strict):
    base = pytest.importorskip("dask.base")
    a = cp.arange(3.0)
    assert base.tokenize(a) == base.tokenize(a.copy()) != base.tokenize(a + 1)
