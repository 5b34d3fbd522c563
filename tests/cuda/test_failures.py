"""Work that fails on the GPU after its call: the next wait raises, names the kernel, and nothing hangs."""

import pytest
from test_host import HAS_GPU, on_gpu

WILD = """
wild = cp.RawKernel('extern "C" __global__ void wild(int *x) { *(int *)(x[0] + 16) = 1; }', "wild")

def message(call):
    try:
        call()
    except RuntimeError as error:
        return str(error)
    raise AssertionError("nothing was raised")
"""


def test_a_kernel_that_fails_is_named():
    on_gpu(
        WILD
        + """
a, zero = cp.arange(10.0), cp.zeros(1, dtype="int32")
cp.cuda.Device().synchronize()
wild((1,), (1,), (zero,))
assert "wild" in message(cp.cuda.Device().synchronize)
# The context is lost for good: every later use says so, and the process ends.
for use in (lambda: a.get(), lambda: float((a + 1).sum()), cp.cuda.Stream, cp.cuda.Device().synchronize):
    said = message(use)
    assert "cannot be used by this process any more" in said and "wild" in said, said
""",
        CUPRUM_STANDIN_STICKY="1",
    )


def test_a_kernel_that_fails_in_another_stream_is_named():
    on_gpu(
        WILD
        + """
zero = cp.zeros(1, dtype="int32")
stream = cp.cuda.Stream(non_blocking=True)
with stream:
    wild((1,), (1,), (zero,))
assert "wild" in message(stream.synchronize)
""",
        CUPRUM_STANDIN_STICKY="1",
        CUPRUM_STANDIN_LAZY="1",
    )


@pytest.mark.skipif(HAS_GPU, reason="resets the device behind the library's back")
def test_a_context_that_another_library_took_away():
    on_gpu(
        WILD
        + """
import ctypes
a = cp.arange(10.0)
float(a.sum())
driver = ctypes.CDLL(os.environ["CUPRUM_LIBCUDA"])
assert driver.cuDevicePrimaryCtxRelease_v2(0) == 0
for use in (lambda: a.get(), lambda: float((a + 1).sum()), cp.cuda.Device().synchronize):
    said = message(use)
    assert "the GPU's context is lost" in said, said
os._exit(0)
"""
    )
