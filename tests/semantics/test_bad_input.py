"""What cannot be: a clear error, and nothing lost."""

import pickle

import numpy as np
import pytest
from twin import fresh_python

import cuprum as cp
from cuprum.compat import cupyx
from cuprum.compat.numba import cuda

OBJECTS = [
    np.dtype([("a", "f8"), ("o", "O")]),
    np.dtype([("x", [("y", "O")])]),
    np.dtype([("x", "O", (2,))]),
]


@pytest.mark.parametrize("dtype", OBJECTS, ids=["field", "nested", "subarray"])
def test_structures_with_objects(dtype):
    """Memory that NumPy has not made holds no references."""
    calls = [
        lambda: cp.zeros(3, dtype),
        lambda: cp.empty(3, dtype),
        lambda: cp.asarray(np.zeros(3, dtype)),
        lambda: cp.zeros(3 * dtype.itemsize, "u1").view(dtype),
        lambda: cupyx.empty_pinned(3, dtype),
        lambda: cupyx.zeros_pinned(3, dtype),
        lambda: cupyx.empty_like_pinned(np.zeros(3, dtype)),
        lambda: cuda.pinned_array(3, dtype),
        lambda: cuda.mapped_array(3, dtype),
        lambda: cuda.managed_array(3, dtype),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="holds Python objects"):
            call()


class Refusing(cp.ndarray):
    """Refuses to become one while `is_refusing`."""

    is_refusing = False

    def __array_finalize__(self, source):
        if Refusing.is_refusing:
            raise RuntimeError("not now")


def test_subclasses_that_refuse():
    a = cp.arange(6.0).view(Refusing)
    kept = pickle.dumps(a)
    Refusing.is_refusing = True
    try:
        calls = [
            lambda: cp.arange(3.0).view(Refusing),
            lambda: a[1:3],
            lambda: a + 1,
            lambda: cp.sin(a),
            lambda: a.reshape(2, 3),
            lambda: a.copy(),
            lambda: a.T,
            lambda: pickle.loads(kept),
        ]
        for call in calls:
            with pytest.raises(RuntimeError, match="not now"):
                call()
        same = a
        same += 1
        assert same is a
        a[:2] = 7
    finally:
        Refusing.is_refusing = False
    assert a.tolist() == [7, 7, 3, 4, 5, 6] and a[1:3].tolist() == [7, 3]


def wrong_states(state):
    inner = state["state"]
    first = next(iter(inner))
    yield None, TypeError
    yield [1, 2], TypeError
    yield {}, ValueError
    yield {**state, "bit_generator": "other"}, ValueError
    yield {**state, "state": 3}, ValueError
    for name in inner:
        yield {**state, "state": {k: v for k, v in inner.items() if k != name}}, ValueError
    yield {**state, "state": {**inner, first: np.zeros(3, "u8")}}, (TypeError, ValueError)
    yield {**state, "state": {**inner, first: "abc"}}, (TypeError, ValueError)
    yield {**state, "state": {**inner, first: -1}}, (TypeError, ValueError)
    if "buffer" in state:
        yield {**state, "buffer": np.zeros(5, "u8")}, ValueError
        yield {**state, "buffer_pos": 9}, ValueError
        yield {**state, "buffer_pos": 1.5}, TypeError
    if "uinteger" in state:
        yield {**state, "uinteger": 1 << 40}, ValueError
        yield {**state, "uinteger": None}, TypeError


@pytest.mark.parametrize("name", ["Philox", "PCG64", "PCG64DXSM", "MT19937", "SFC64"])
def test_states_of_bit_generators(name):
    """A state that is none is refused by the generator's name, and leaves it as it was."""
    bits, twin = (getattr(cp.random, name)(7) for _ in range(2))
    bits.random_raw(3)
    twin.random_raw(3)
    for state, error in wrong_states(bits.state):
        with pytest.raises(error, match=name):
            bits.state = state
    assert bits.random_raw(5).tolist() == twin.random_raw(5).tolist()


def test_handles_of_a_process_that_is_gone():
    code = """
    a = cp.arange(8.0)
    try:
        print(cp.cuda.runtime.ipcGetMemHandle(a.data.ptr).hex())
    except cp.cuda.runtime.CUDARuntimeError:
        print(bytes(64).hex())  # A CPU has none.
    """
    handle = bytes.fromhex(fresh_python(code))
    a = cp.arange(5.0)
    for bad in (handle, bytes(64)):
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError):
            cp.cuda.runtime.ipcOpenMemHandle(bad)
    assert float(a.sum()) == 10


def test_errors_of_the_driver_are_pickled():
    error = cp.cuda.driver.CUDADriverError(1)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and again.status == 1 and str(again) == str(error)


LONG = {
    "zeros": "cp.zeros(long)",
    "shape": "a.reshape(long)",
    "axes": "a.transpose(long)",
    "moved axes": "cp.moveaxis(a, long, long)",
    "stack": "cp.stack(long)",
    "concatenate": "cp.concatenate(long)",
    "roll": "cp.roll(a, long, 0)",
    "flip": "cp.flip(a, long)",
    "expand_dims": "cp.expand_dims(a, long)",
    "broadcast_to": "cp.broadcast_to(a, long)",
    "size": "cp.random.default_rng(1).normal(size=long)",
    "choose": "a.astype('i8').choose(long)",
    "lexsort": "cp.lexsort(long)",
    "fftn": "cp.fft.fftn(a, long)",
    "pad": "cp.pad(a, long)",
    "strides": "cp.ndarray((2, 2), 'f8', None, long)",
    "grid": "kernel(long, (1,), (a,))",
}


@pytest.mark.cpu
def test_sequences_longer_than_all_memory():
    """What gives more items than there is memory for is refused, and ends no process."""
    found = fresh_python(
        f"""
        import resource
        limit = 8 << 30
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        long, a = range(10**12), cp.ones((3, 4))
        kernel = cp.RawKernel('extern "C" __global__ void k(double* a) {{}}', "k")
        for name, call in {LONG!r}.items():
            try:
                eval(call)
            except (ValueError, MemoryError, TypeError):
                continue
            except BaseException as error:
                print(name, type(error), error)
                continue
            print(name, "nothing")
        print(float(a.sum()))
        """,
        CUPRUM_DEVICE="cpu",
    )
    assert found == "12.0"
