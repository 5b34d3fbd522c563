"""CUDA's compiler and libraries by the names that CuPy's programs import them by."""

import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import cuprum as cp
from cuprum.cuda import cufft, nvrtc

RNG = np.random.default_rng(5)
COMPLEX = RNG.standard_normal((5, 12)) + 1j * RNG.standard_normal((5, 12))
has_nvrtc = pytest.mark.skipif(not nvrtc.available, reason="NVRTC is not installed")


def test_cupy_backends_has_its_parts_without_their_own_imports():
    code = """
import cuprum.compat; cuprum.compat.install()
import cupy_backends
assert cupy_backends.cuda.api.runtime.is_hip is False
from cupy_backends.cuda.libs import cublas, cusolver, nvrtc
from cupy.cuda import nvrtc as public
assert nvrtc is public and nvrtc.getVersion() >= (12, 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_errors_of_nvrtc_are_pickled():
    error = pickle.loads(pickle.dumps(nvrtc.NVRTCError(4)))
    assert type(error) is nvrtc.NVRTCError and error.status == 4 and str(error).endswith("(4)")


@has_nvrtc
def test_a_program_is_compiled_by_its_handle():
    program = nvrtc.createProgram(
        '#include "two.h"\ntemplate<class T> __global__ void f(T *x) { *x = TWO; }',
        "f.cu",
        ["#define TWO 2"],
        [b"two.h"],
    )
    nvrtc.addNameExpression(program, "f<float>")
    with pytest.raises(nvrtc.NVRTCError, match=r"NVRTC_ERROR_INVALID_OPTION \(5\)"):
        nvrtc.compileProgram(program, ["-arch=sm_1"])
    assert "gpu-architecture" in nvrtc.getProgramLog(program)
    nvrtc.compileProgram(program, ["-arch=sm_90"])
    assert nvrtc.getLoweredName(program, "f<float>") == "_Z1fIfEvPT_"
    assert b".entry _Z1fIfEvPT_" in nvrtc.getPTX(program)
    assert nvrtc.getCUBIN(program).startswith(b"\x7fELF")
    with pytest.raises(RuntimeError, match="-dlto"):
        nvrtc.getLTOIR(program)
    nvrtc.destroyProgram(program)
    for call in (nvrtc.getPTX, nvrtc.getProgramLog, nvrtc.destroyProgram):
        with pytest.raises(nvrtc.NVRTCError, match="INVALID_PROGRAM"):
            call(program)


@has_nvrtc
def test_a_program_is_not_ended_while_another_thread_compiles_it():
    text = "template<int n> __global__ void f(float *x) { for (int i = 0; i < n; i++) x[i] = sinf(x[i]); }"
    program, outcomes = nvrtc.createProgram(text, "f.cu", (), ()), []
    for n in range(20):
        nvrtc.addNameExpression(program, f"f<{n}>")

    def compile_it():
        try:
            nvrtc.compileProgram(program, ("-arch=compute_90",))
            outcomes.append("compiled")
        except nvrtc.NVRTCError as error:
            outcomes.append(str(error))

    thread = threading.Thread(target=compile_it)
    thread.start()
    time.sleep(0.02)
    nvrtc.destroyProgram(program)
    thread.join()
    assert outcomes in (["compiled"], ["NVRTC_ERROR_INVALID_PROGRAM (4)"])
    with pytest.raises(nvrtc.NVRTCError, match="INVALID_PROGRAM"):
        nvrtc.destroyProgram(program)


@has_nvrtc
def test_code_for_a_virtual_gpu_is_no_machine_code():
    program = nvrtc.createProgram("__global__ void f() {}", "", (), ())
    nvrtc.compileProgram(program, ("-arch=compute_90",))
    with pytest.raises(RuntimeError, match="write -arch=sm_90"):
        nvrtc.getCUBIN(program)
    nvrtc.destroyProgram(program)
    with pytest.raises(TypeError, match="the text must be str or bytes, got int"):
        nvrtc.createProgram(5, "", (), ())
    with pytest.raises(ValueError, match="1 headers, but 0 names"):
        nvrtc.createProgram("", "", ["x"], [])


def test_lines_of_complex_numbers_are_not_normalised():
    a = cp.asarray(COMPLEX)
    plan = cufft.Plan1d(12, cufft.CUFFT_Z2Z, 5)
    out = plan.get_output_array(a)
    plan.fft(a, out, cufft.CUFFT_FORWARD)
    np.testing.assert_allclose(out.get(), np.fft.fft(COMPLEX), rtol=1e-13)
    plan.fft(out, out, cufft.CUFFT_INVERSE)
    np.testing.assert_allclose(out.get(), 12 * COMPLEX, rtol=1e-13)
    with pytest.raises(ValueError, match="direction must be CUFFT_FORWARD"):
        plan.fft(a, out, 2)


@pytest.mark.parametrize("n", [12, 13])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_lines_of_real_numbers_also_in_their_own_memory(n, dtype):
    x = RNG.standard_normal((5, n)).astype(dtype)
    half = "complex64" if dtype == "float32" else "complex128"
    forward, back = (
        (cufft.CUFFT_R2C, cufft.CUFFT_C2R) if dtype == "float32" else (cufft.CUFFT_D2Z, cufft.CUFFT_Z2D)
    )
    there, again = cufft.Plan1d(n, forward, 5), cufft.Plan1d(n, back, 5)
    a = cp.asarray(x)
    lines = there.get_output_array(a)
    assert (lines.shape, lines.dtype) == ((5, n // 2 + 1), half)
    there.fft(a, lines, cufft.CUFFT_FORWARD)
    tolerance = 64 * np.finfo(dtype).eps
    np.testing.assert_allclose(lines.get(), np.fft.rfft(x), rtol=tolerance, atol=tolerance)
    result = again.get_output_array(lines)
    again.fft(lines, result, cufft.CUFFT_INVERSE)
    np.testing.assert_allclose(result.get(), n * x, rtol=tolerance, atol=n * tolerance)
    # In place a line of real numbers has the room of its transform.
    room = cp.zeros((5, 2 * (n // 2 + 1)), dtype)
    room[:, :n] = a
    there.fft(room, room.view(half), cufft.CUFFT_FORWARD)
    np.testing.assert_array_equal(room.view(half).get(), lines.get())
    again.fft(room.view(half), room, cufft.CUFFT_INVERSE)
    np.testing.assert_array_equal(room[:, :n].get(), result.get())


def test_several_axes_at_given_distances():
    a = cp.asarray(RNG.standard_normal((6, 8, 10)) + 0j)
    plan = cufft.PlanNd((6, 8), (6, 8), 10, 1, (6, 8), 10, 1, cufft.CUFFT_Z2Z, 10, "C", None, None)
    out = plan.get_output_array(a)
    plan.check_output_array(a, out)
    plan.fft(a, out, cufft.CUFFT_FORWARD)
    np.testing.assert_allclose(out.get(), np.fft.fftn(a.get(), axes=(0, 1)), rtol=1e-12, atol=1e-13)
    real = cp.asarray(RNG.standard_normal((4, 6, 8)))
    plan = cufft.PlanNd((6, 8), None, 1, 1, None, 1, 1, cufft.CUFFT_D2Z, 4, "C", 2, 5)
    out = plan.get_output_array(real)
    assert out.shape == (4, 6, 5)
    plan.fft(real, out, cufft.CUFFT_FORWARD)
    np.testing.assert_allclose(out.get(), np.fft.rfft2(real.get()), rtol=1e-12, atol=1e-13)


def test_a_plan_is_what_transforms_are_compared_with():
    a = cp.ones((4, 6, 8))
    plan = cufft.PlanNd((6, 8), None, 1, 1, None, 1, 1, cufft.CUFFT_D2Z, 4, "C", 2, 5)
    assert cufft.get_current_plan() is None
    with plan:
        assert cufft.get_current_plan() is plan
        assert cp.fft.rfft2(a).shape == (4, 6, 5)
        with pytest.raises(ValueError, match="Target array size does not match the plan"):
            cp.fft.rfft2(a[:2])
    assert cp.scipy.fft.rfft2(a, plan=plan).shape == (4, 6, 5)
    with pytest.raises(ValueError, match=r"must have shape \(4, 6, 5\), got \(4, 6, 8\)"):
        plan.check_output_array(a, a)


def test_a_plan_transforms_while_another_is_entered():
    a = cp.asarray(COMPLEX)
    plan = cufft.Plan1d(12, cufft.CUFFT_Z2Z, 5)
    out = plan.get_output_array(a)
    with cufft.Plan1d(8, cufft.CUFFT_C2C, 1) as other:
        plan.fft(a, out, cufft.CUFFT_FORWARD)
        assert cufft.get_current_plan() is other
    np.testing.assert_allclose(out.get(), np.fft.fft(COMPLEX), rtol=1e-13)


def test_memory_that_is_too_small_is_refused():
    plan, out = cufft.Plan1d(12, cufft.CUFFT_Z2Z, 5), cp.zeros((5, 12), complex)
    with pytest.raises(ValueError, match="needs 960 bytes"):
        plan.fft(cp.zeros(59, complex), out, cufft.CUFFT_FORWARD)
    with pytest.raises(ValueError, match="needs 960 bytes"):
        plan.fft(out, cp.zeros(59, complex), cufft.CUFFT_FORWARD)
    with pytest.raises(ValueError, match="fft_type"):
        cufft.Plan1d(12, 7, 1)
    with pytest.raises(ValueError, match="nx must be at least 1"):
        cufft.Plan1d(0, cufft.CUFFT_C2C, 1)
    with pytest.raises(ValueError, match="inembed"):
        cufft.PlanNd((4, 4), (4,), 1, 16, None, 1, 16, cufft.CUFFT_C2C, 1, "C", None, None)
