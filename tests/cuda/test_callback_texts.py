"""The kernels of callbacks of transforms on a GPU. The stand-in has no cuFFT: another step stands for it."""

import importlib.util
import pathlib
import sys

from nvrtc import compile_text
from test_host import on_gpu

PROGRAM = '''
from cuprum.fft._callbacks import active

load = """
__device__ cufftDoubleComplex doubled(void* data, unsigned long long offset, void* own, void*) {
    cufftDoubleComplex x = ((cufftDoubleComplex*)data)[offset];
    return make_cuDoubleComplex(2 * x.x + ((double*)own)[offset], x.y);
}
"""
store = """
__device__ void shifted(void* data, size_t offset, cufftDoubleComplex x, void*, void*) {
    ((cufftDoubleComplex*)data)[offset + (offset % 2 ? -1 : 1)] = x;
}
__device__ cufftCallbackStoreZ d_storeCallbackPtr = shifted;
"""
own = cp.arange(6.0)
a = cp.asarray(np.arange(6.0).reshape(2, 3) + 1j)
with cp.fft.config.set_cufft_callbacks(load, store, cb_load_data=own.data, cb_ver="jit"):
    got = active()._run(a, lambda x: x * 10)
expected = (3 * np.arange(6.0) + 1j)[[1, 0, 3, 2, 5, 4]].reshape(2, 3) * 10
np.testing.assert_array_equal(got.get(), expected)
print("done")
'''


def test_the_kernels_run():
    assert on_gpu(PROGRAM).split() == ["done"]


def test_the_texts_compile_for_a_gpu():
    place = pathlib.Path(__file__).parents[1] / "conformance" / "test_fft_callbacks.py"
    spec = importlib.util.spec_from_file_location("texts_of_callbacks", place)
    texts = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = texts
    spec.loader.exec_module(texts)
    from cuprum.fft import _callbacks

    header = pathlib.Path(__file__).parents[2] / "crates/cuprum-kernel/src/headers/cuComplex.h"
    for dtype, name in texts.TYPES.items():
        for what, code, template in (
            ("load", texts.load(dtype), _callbacks._LOAD),
            ("store", texts.store(dtype), _callbacks._STORE),
        ):
            callback = _callbacks._Callback(what, code, None, None, ())
            text = callback.text + template.format(type=name, name=callback.name)
            compile_text(text, headers=[("cuComplex.h", header.read_text())])
