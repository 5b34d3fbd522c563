"""`fuse` and `memoize`, the decorators."""

import gc

import numpy as np
import pytest

import cuprum as cp


def test_fuse_in_all_its_forms():
    def f(x, y):
        return (x - y) * (x - y)

    for fused in (cp.fuse(f), cp.fuse()(f), cp.fuse(kernel_name="other")(f), cp.fuse("third")(f)):
        np.testing.assert_array_equal(cp.asnumpy(fused(cp.arange(4.0), 1)), [1, 0, 1, 4])
        assert fused.__name__ == "f"
    assert cp.fuse(kernel_name="other")(f).name == "other"
    with pytest.raises(TypeError):
        cp.fuse(other=1)(f)


def test_fuse_of_methods():
    class Model:
        @cp.fuse()
        def double(self, x):
            return x * 2

    assert float(Model().double(cp.ones(3)).sum()) == 6


def test_memoize():
    calls = []

    @cp.memoize()
    def f(x, y=1):
        calls.append((x, y))
        return object()

    assert f(1) is f(1) and f(1, y=2) is f(1, y=2) and f(1) is not f(2)
    assert len(calls) == 3
    cp.clear_memo()
    f(1)
    assert len(calls) == 4
    del f
    gc.collect()
    cp.clear_memo()


def test_memoize_for_each_device():
    calls = []

    @cp.memoize(for_each_device=True)
    def f(x):
        calls.append(x)
        return x

    f(1)
    f(1)
    assert len(calls) == 1
