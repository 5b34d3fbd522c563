"""Objects of other libraries: they hold an array of ours, compute ufuncs themselves, or have streams."""

import numpy as np
import pytest

import cuprum as cp


class Holder:
    """Gives its array by CuPy's protocol and by nothing else."""

    def __init__(self, array):
        self.array = array

    def __cupy_get_ndarray__(self):
        return self.array


class Own(np.lib.mixins.NDArrayOperatorsMixin):
    """Computes ufuncs itself."""

    __array__ = None

    def __array_ufunc__(self, function, method, *inputs, **keywords):
        return function.__name__, method, inputs


def test_an_object_that_holds_an_array():
    a = cp.arange(3)
    assert cp.asarray(Holder(a)).tolist() == [0, 1, 2]
    assert (cp.ones(3) + Holder(a)).tolist() == [1, 2, 3]
    assert cp.arange(10)[Holder(a)].tolist() == [0, 1, 2]
    b = cp.zeros(3)
    b[...] = Holder(a)
    assert b.tolist() == [0, 1, 2]
    b.fill(Holder(cp.array(7)))
    assert b.tolist() == [7, 7, 7]


def test_an_object_that_computes_ufuncs_is_asked():
    x, y = cp.arange(2), Own()
    for made, name, inputs in (
        (x + y, "add", (x, y)),
        (y - x, "subtract", (y, x)),
        (np.multiply(x, y), "multiply", (x, y)),
    ):
        assert made[:2] == (name, "__call__")
        assert all(given is wanted for given, wanted in zip(made[2], inputs, strict=True))


def test_arrays_of_numpy_are_still_converted():
    assert (cp.ones(2) + np.ones(2)).tolist() == [2, 2]
    assert np.add(cp.ones(2), np.ones(2)).tolist() == [2, 2]
    assert (cp.ones(2) * np.float32(3)).tolist() == [3, 3]


def test_a_capsule_is_taken_once():
    a = cp.arange(6).reshape(2, 3)
    stream = cp.cuda.Stream()
    for capsule in (a.__dlpack__(), a.__dlpack__(stream=1), a.__dlpack__(stream=stream.ptr)):
        made = cp.from_dlpack(capsule)
        assert made.tolist() == a.tolist()
        with pytest.raises(ValueError):
            cp.from_dlpack(capsule)


def test_streams_tell_their_handles():
    stream = cp.cuda.Stream()
    assert stream.__cuda_stream__() == (0, stream.ptr)
    assert cp.cuda.Stream.from_external(stream) == stream

    class Theirs:
        def __init__(self, answer):
            self.answer = answer

        def __cuda_stream__(self):
            return self.answer

    for answer, error in (((0,), TypeError), (5, TypeError), ((0, "x"), TypeError), ((1, 2), TypeError)):
        with pytest.raises(error):
            cp.cuda.Stream.from_external(Theirs(answer))
    with pytest.raises(TypeError):
        cp.cuda.Stream.from_external(object())


def test_constants_have_cudas_names():
    runtime = cp.cuda.runtime
    assert (runtime.cudaChannelFormatKindFloat, runtime.cudaAddressModeBorder) == (2, 3)
    assert (runtime.cudaResourceTypePitch2D, runtime.cudaFilterModeLinear) == (3, 1)
    assert (runtime.cudaMemAdviseSetAccessedBy, runtime.cudaCpuDeviceId, runtime.CUDA_C_64F) == (5, -1, 5)
    assert (runtime.cudaLimitMallocHeapSize, runtime.cudaMemPoolAttrUsedMemHigh) == (2, 8)


def test_blocking_is_taken():
    host = np.arange(3)
    for make in (cp.array, cp.asarray, cp.asanyarray):
        assert make(host, blocking=True).tolist() == [0, 1, 2]
