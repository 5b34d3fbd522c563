"""Numba's host interface: kernels and their signatures, `forall`, `reduce`, `vectorize`, PTX."""

import cmath
import contextlib
import itertools
import math
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.numba import cuda, float64, guvectorize, int32, typeof, types, vectorize, void
from cuprum.compat.numba.cuda.core.errors import UnsupportedError


@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2


def test_forall():
    a = np.ones(1000)
    double.forall(a.size)(a)
    double.forall(a.size, tpb=64)(a)
    assert (a == 4).all()
    double.forall(0)(a)
    with pytest.raises(ValueError, match="negative"):
        double.forall(-1)


SIGNATURES = [
    "void(float64[:], int32)",
    "(float64[:], int32)",
    void(float64[:], int32),
    (float64[:], int32),
    "void(f8[::1], i4)",
    [void(float64[:], int32)],
    types.void(types.float64[:], types.int32),
]


@pytest.mark.parametrize("signature", SIGNATURES, ids=range(len(SIGNATURES)))
def test_signatures(signature):
    @cuda.jit(signature)
    def fill(a, n):
        i = cuda.grid(1)
        if i < n:
            a[i] = n / 2

    a = np.zeros(4)
    fill[1, 32](a, 3)
    fill[1, 32](cuda.to_device(a), np.int64(3))
    assert a.tolist() == [1.5, 1.5, 1.5, 0]
    with pytest.raises(TypeError, match="parameter 'a' is array"):
        fill[1, 32](np.zeros(4, np.float32), 3)
    with pytest.raises(TypeError, match="parameter 'n' is int32"):
        fill[1, 32](a, 3j)


@cuda.jit("float32(float32)", device=True)
def third_of(x):
    return x / 3.0


def test_signatures_of_device_functions():
    @cuda.jit
    def thirds(a):
        i = cuda.grid(1)
        a[i] = third_of(a[i] + 0.1)

    a = np.arange(4.0)
    thirds[1, 4](a)
    expected = (np.float32(np.arange(4.0) + 0.1) / np.float64(3)).astype(np.float32).astype(np.float64)
    np.testing.assert_array_equal(a, expected)


def test_several_signatures():
    @cuda.jit(["void(int32[:])", "void(float32[:])"])
    def halved(a):
        a[0] = a[0] / 2

    ints, floats = np.array([5], np.int32), np.array([5], np.float32)
    halved[1, 1](ints)
    halved[1, 1](floats)
    assert ints[0] == 2 and floats[0] == 2.5
    with pytest.raises(TypeError, match="No matching definition"):
        halved[1, 1](np.array([5.0]))


def test_strided_arrays_for_signatures():
    @cuda.jit("void(float64[:, :])")
    def first(a):
        a[0, 1] = 5

    a = np.zeros((2, 3))
    first[1, 1](a)
    first[1, 1](a.T)
    assert a.tolist() == [[0, 5, 0], [5, 0, 0]]


@pytest.mark.parametrize("text", ["void(float32[:]", "void(strange)", "void(float32[3])", "5"])
def test_signatures_that_cannot_be_read(text):
    with pytest.raises(TypeError, match="signature"):
        cuda.jit(text)(double.py_func)


def test_what_a_kernel_knows_about_itself():
    @cuda.jit
    def fresh(a):
        a[0] = 1

    assert fresh.signatures == [] and not fresh.specialized
    fresh[1, 1](np.zeros(1))
    fresh[1, 1](np.zeros(1, np.float32))
    assert len(fresh.overloads) == 2 and fresh.py_func(np.zeros(1)) is None
    assert fresh.__name__ == "fresh"
    special = fresh.specialize(np.zeros(1))
    special[1, 1](np.zeros(1))
    assert special.specialized
    assert all(count >= 0 for count in fresh.get_regs_per_thread().values())
    with pytest.raises(AttributeError, match=r"inspect_types\(\).*inspect_asm"):
        fresh.inspect_llvm()
    blocks = next(iter(fresh.overloads.values())).max_cooperative_grid_blocks
    assert blocks(256) == blocks((16, 16)) >= 1


def has_nvrtc():
    try:
        cuda.compile_ptx(lambda x: x, "int32(int32)", device=True)
    except RuntimeError:
        return False
    return True


needs_nvrtc = pytest.mark.skipif(not has_nvrtc(), reason="NVRTC makes PTX")


@needs_nvrtc
def test_ptx_of_kernels_and_device_functions():
    def add(x, y):
        return x + y

    def fill(a, x):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = x

    ptx, result = cuda.compile_ptx(fill, (cuda.float32[:], cuda.float32))
    assert ".visible .entry fill" in ptx and str(result) == "none" and ".target sm_" in ptx
    ptx, result = cuda.compile(add, "int16(int16, int16)", abi_info={"abi_name": "plus"}, cc=(9, 0))
    assert ".func" in ptx and "plus" in ptx and ".entry" not in ptx and ".target sm_90" in ptx
    assert result == cuda.int16
    ptx, result = cuda.compile_ptx(add, (cuda.float32, cuda.float32), device=True)
    assert "func_retval" in ptx and result == cuda.float32
    exact, quick = (
        cuda.compile_ptx(lambda x, y: x / y, (cuda.float32, cuda.float32), device=True, fastmath=fast)[0]
        for fast in (False, True)
    )
    assert "div.rn.f32" in exact and "div.approx" in quick
    texts, _ = cuda.compile_all(add, (cuda.float64, cuda.float64))
    assert len(texts) == 1
    with pytest.raises(TypeError, match="must have void return type"):
        cuda.compile_ptx(add, (cuda.int32, cuda.int32))
    with pytest.raises(NotImplementedError, match="C ABI"):
        cuda.compile(fill, (cuda.float32[:], cuda.float32), device=False)
    with pytest.raises(NotImplementedError, match="ptx"):
        cuda.compile(add, (cuda.int32, cuda.int32), output="ltoir")


@needs_nvrtc
def test_inspect_asm():
    @cuda.jit
    def scaled(a, by):
        a[cuda.grid(1)] *= by

    scaled[1, 4](np.ones(4), 2.0)
    scaled[1, 4](np.ones(4, np.float32), np.float32(2))
    texts = scaled.inspect_asm()
    assert len(texts) == 2 and all(".visible .entry scaled" in ptx for ptx in texts.values())
    kinds = next(iter(scaled.overloads))
    assert scaled.inspect_asm(kinds) == texts[kinds]


@needs_nvrtc
def test_hints_for_caches_are_in_the_code():
    @cuda.jit
    def copied(x, y):
        i = cuda.grid(1)
        cuda.stcs(y, i, cuda.ldcv(x, i) + 1)

    x, y = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
    copied[1, 4](x, y)
    np.testing.assert_array_equal(y, x + 1)
    (ptx,) = copied.inspect_asm().values()
    assert "ld.global.cv" in ptx and "st.global.cs" in ptx
    ptx, _ = cuda.compile_ptx(
        lambda p, q, i: cuda.stwt(p, i, cuda.ldcg(q, i)),
        (types.CPointer(types.float32), types.CPointer(types.float32), types.int32),
    )
    assert ".cg" in ptx and ".wt" in ptx


def test_inspect_types(capsys):
    double[1, 32](np.zeros(1))
    double.inspect_types()
    assert "__global__" in capsys.readouterr().out


def test_options():
    @cuda.jit(
        fastmath=True, lineinfo=True, cache=True, opt=True, debug=False, launch_bounds=256, inline="always"
    )
    def fast(a):
        a[0] = a[0] * 2

    a = np.ones(1)
    fast[1, 1](a)
    assert a[0] == 2
    with pytest.raises(NotImplementedError, match="boundscheck"):
        cuda.jit(boundscheck=True)


add = cuda.reduce(lambda a, b: a + b)
largest = cuda.Reduce(lambda a, b: a if a > b else b)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("count", [1, 5, 127, 128, 129, 1000, 40000])
def test_reduce(dtype, count):
    a = np.random.default_rng(count).integers(0, 100, count).astype(dtype)
    assert add(a) == a.sum() and largest(cuda.to_device(a), init=-1) == a.max()
    assert add(a, init=10) == a.sum() + 10
    assert add(a, size=count // 2) == a[: count // 2].sum()
    result = cuda.device_array(1, dtype)
    assert add(a, res=result) is None and result[0] == a.sum()


def test_reduce_of_nothing():
    assert cuda.reduce(lambda a, b: a + b)(np.zeros(0), init=3) == 3
    with pytest.raises(TypeError, match="1D"):
        cuda.reduce(lambda a, b: a + b)(np.zeros((2, 2)))


def test_vectorize():
    @vectorize(["float32(float32, float32)", "float64(float64, float64)"], target="cuda")
    def hypotenuse(a, b):
        return (a * a + b * b) ** 0.5

    a, b = np.arange(6.0).reshape(2, 3), np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(hypotenuse(a, b), np.hypot(a, b))
    assert hypotenuse(a.astype(np.float32), b.astype(np.float32)).dtype == np.float32
    device = hypotenuse(cuda.to_device(a), 4.0)
    np.testing.assert_allclose(device.copy_to_host(), np.hypot(a, 4.0))
    out = np.zeros((2, 3))
    assert hypotenuse(a, b, out=out) is out
    np.testing.assert_allclose(out, np.hypot(a, b))
    with pytest.raises(TypeError, match="takes 2 arguments"):
        hypotenuse(a)

    @vectorize(target="cuda")
    def plus(a, b):
        return a + b

    assert plus(np.arange(3), np.arange(3)).tolist() == [0, 2, 4]
    assert plus.reduce(np.arange(100)) == 4950
    with pytest.raises(ImportError, match="Numba itself"):
        vectorize(target="parallel")


def test_numbers_beside_arrays_take_the_signatures_dtype():
    @vectorize(["float32(float32, float32, float32)"], target="cuda")
    def pulses(i, period, amplitude):
        return max(i / period - 0.25, 0.0) * amplitude

    t = np.arange(8, dtype=np.float32)
    got = pulses(t, 8 / 2, np.float64(100.0))
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, np.maximum(t / 4 - 0.25, 0) * 100, rtol=1e-6)
    with pytest.raises(TypeError, match="no signature takes float64, float64, float64"):
        pulses(t.astype(np.float64), 4.0, 100.0)
    assert pulses(3.0, 4.0, 100.0) == 50

    @vectorize(["float32(float32, float32)", "float64(float64, float64)"], target="cuda")
    def times(a, b):
        return a * b

    # Without an array there is none whose precision would do.
    assert times(0.1, 3) == 0.1 * 3 and times(np.float64(0.1), np.float32(3)).dtype == np.float64
    assert times(t, 0.1).dtype == np.float32

    @vectorize(["uint8(uint8, uint8)", "int64(int64, int64)", "float64(float64, float64)"], target="cuda")
    def plus(a, b):
        return a + b

    assert plus(np.arange(3, dtype=np.uint8), 2).dtype == np.uint8
    assert plus(np.arange(3, dtype=np.uint8), 300).tolist() == [300, 301, 302]
    assert plus(np.arange(3), 0.5).tolist() == [0.5, 1.5, 2.5]
    assert plus(2, 3).dtype == np.int64 and plus(True, 2.5) == 3.5


def test_guvectorize_narrows_arrays_of_the_host():
    @guvectorize(["(float32[:], float32[:])"], "(i)->()", target="cuda")
    def norm(x, out):
        total = 0.0
        for value in x:
            total += value**2
        out[0] = math.sqrt(total)

    x = np.random.default_rng(0).normal(size=(10, 2))
    got = norm(x)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, np.linalg.norm(x.astype(np.float32), axis=1), rtol=1e-6)
    with pytest.raises(TypeError, match="no signature takes float64"):
        norm(cuda.to_device(x))


def test_guvectorize():
    @guvectorize(["void(float64[:, :], float64[:], float64[:])"], "(m,n),(n)->(m)", target="cuda")
    def product(a, x, out):
        for i in range(a.shape[0]):
            total = 0.0
            for j in range(a.shape[1]):
                total += a[i, j] * x[j]
            out[i] = total

    rng = np.random.default_rng(0)
    a, x = rng.random((5, 3, 4)), rng.random((5, 4))
    np.testing.assert_allclose(product(a, x), np.einsum("kmn,kn->km", a, x))
    np.testing.assert_allclose(product(a, x[0]), np.einsum("kmn,n->km", a, x[0]))

    @guvectorize(["void(float64[:], float64, float64[:])"], "(n),()->()", target="cuda")
    def above(x, limit, out):
        n = 0
        for i in range(x.shape[0]):
            if x[i] > limit:
                n += 1
        out[0] = n

    assert above(x, 0.5).tolist() == (x > 0.5).sum(axis=1).tolist()


def test_types_of_values():
    assert typeof(np.zeros((2, 3), "i4", order="F")) == int32[::1, :]
    assert typeof(cuda.to_device(np.zeros(3))) == float64[::1] and typeof((1, 2.0)) == (types.int64, float64)
    assert isinstance(int32, types.Integer) and int32.bitwidth == 32 and int32.signed
    assert types.complex64.underlying_float == types.float32 and isinstance(float64[:], types.Array)


def test_kernels_for_the_types_of_arguments_alone():
    @cuda.jit
    def fill(a, x):
        a[cuda.grid(1)] = x

    own = fill.specialize(float64[::1], float64)
    assert own.specialized and fill.specialize(np.zeros(2), 1.0) is own
    a = np.zeros(2)
    own[1, 2](a, 3)
    assert a.tolist() == [3, 3] and own.overloads[float64[::1], float64].kinds == own.signatures[0]
    with pytest.raises(RuntimeError, match="already specialized"):
        own.specialize(a, 1)


def test_kernels_are_pickled_as_functions_are():
    assert pickle.loads(pickle.dumps(double)) is double


def test_tuples_are_stored_in_views():
    @cuda.jit
    def kernel(a):
        a[0, :3] = 1, 2, 3
        a[1:, :2] = (4, 5), (6, 7)
        a[:, 3] = (9,)

    a = np.zeros((3, 4))
    kernel[1, 1](a)
    assert a.tolist() == [[1, 2, 3, 9], [4, 5, 0, 9], [6, 7, 0, 9]]


def test_integers_of_one_size_are_what_the_signature_says():
    @cuda.jit("void(uint32[:], int32[:])")
    def halves(x, y):
        i = cuda.grid(1)
        y[i] = x[i] >> 1

    x, y = np.array([-2, -1, 4], np.int32), np.zeros(3, np.uint32)
    halves[1, 3](x, y)
    np.testing.assert_array_equal(y.view(np.int32), x.view(np.uint32) >> 1)
    with pytest.raises(TypeError, match="parameter 'x' is"):
        halves[1, 3](x.astype(np.int64), y)


def test_warnings_of_slow_launches_are_given_where_they_are_asked_for(monkeypatch):
    from cuprum.compat.numba.core.errors import NumbaPerformanceWarning

    @cuda.jit
    def kernel(x):
        x[0] = 1

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernel[1, 1](np.zeros(1))
    monkeypatch.setattr(cuda.config, "CUDA_LOW_OCCUPANCY_WARNINGS", 1)
    with pytest.warns(NumbaPerformanceWarning, match="Grid size 1 .* low occupancy"):
        launch = kernel[1, 1]
    monkeypatch.setattr(cuda.config, "CUDA_WARN_ON_IMPLICIT_COPY", 1)
    with pytest.warns(NumbaPerformanceWarning, match="Host array"):
        launch(np.zeros(1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        launch(cuda.device_array(1))
        launch(cuda.mapped_array(1))


def test_arrays_of_the_host_that_kernels_reach_have_an_interface(tmp_path):
    program = """
import numpy as np
from numba import cuda

stream = cuda.stream()
for make in (cuda.mapped_array, cuda.managed_array):
    array = make(4)
    array[...] = np.arange(4)
    shown = array.__cuda_array_interface__
    assert shown["shape"] == (4,) and shown["stream"] is None
    assert (cuda.as_cuda_array(array).copy_to_host() == np.arange(4)).all()
    assert make(4, stream=stream).__cuda_array_interface__["stream"] == int(stream)
found = cuda.from_cuda_array_interface(cuda.device_array(4, stream=stream).__cuda_array_interface__)
assert found.stream.external and int(found.stream.handle) == int(stream.handle)
"""
    file = tmp_path / "program.py"
    file.write_text(program)
    subprocess.run([sys.executable, "-m", "cuprum", "run", str(file)], check=True)
    if cp.info()["device"] == "cpu":
        # Other libraries would take it for memory of a GPU.
        assert not hasattr(cuda.mapped_array(4), "__cuda_array_interface__")


def test_arrays_of_a_known_shape_are_copied_in_kernels():
    values = np.array([1, 2, 3])[::-1]

    @cuda.jit
    def kernel(out):
        own = values.copy()
        own[0] += 10
        for i in range(3):
            out[i] = own[i] + values[i]

    out = np.zeros(3)
    kernel[1, 1](out)
    np.testing.assert_array_equal(out, [16, 4, 2])

    @cuda.jit
    def unknown(x):
        x.copy()[0] = 1

    with pytest.raises(UnsupportedError, match="shape is known"):
        unknown[1, 1](np.zeros(3))


def test_division_of_floats_by_zero_is_no_error_with_fastmath():
    def divide(out, x):
        out[0] = 1 / x

    out = np.zeros(1)
    with pytest.raises(ZeroDivisionError):
        cuda.jit(debug=True)(divide)[1, 1](out, 0.0)
    cuda.jit(debug=True, fastmath=True)(divide)[1, 1](out, 0.0)
    assert out[0] == np.inf


def test_vectorize_needs_no_nopython():
    with pytest.warns(RuntimeWarning, match="nopython=True says nothing"):
        twice = vectorize(["float32(float32)"], target="cuda", nopython=True)(lambda x: x * 2)
    assert twice(np.float32([1, 2])).tolist() == [2, 4]


def test_votes_take_integers():
    @cuda.jit
    def vote(out, x):
        out[0] = cuda.any_sync(0xFFFFFFFF, x)

    with pytest.raises(TypeError, match="any_sync: Predicate must be an integer or boolean, not float64"):
        vote[1, 32](np.zeros(1), 0.5)


def test_what_no_gpu_prints_is_said(capfd):
    @cuda.jit
    def many(x):
        print(
            x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
        )

    with pytest.warns(UserWarning, match="at most 32 items"):
        many[1, 1](7)
    cuda.synchronize()
    assert capfd.readouterr().out.split() == ["%lld"] * 33


def test_declared_functions_have_their_types():
    text = 'extern "C" __device__ int top(unsigned int *out, int x) { *out = 0x80000000u + x; return 0; }'
    top = cuda.declare_device("top", "int32(int32)", link=cuda.CUSource(text))
    assert top.sig.args == (cuda.types.int32,) and top.sig.return_type == cuda.types.int32

    @cuda.jit
    def kernel(out):
        out[0] = top(5)

    out = np.zeros(1, np.uint32)
    kernel[1, 1](out)
    assert out[0] == 0x80000005


def test_unknown_options_of_vectorize_are_errors():
    with pytest.raises(KeyError, match="Unrecognized options 'parallel'"):
        cuda.vectorize(["float64(float64)"], target="cuda", parallel=True)


def test_texts_in_records():
    kind = np.dtype([("x", np.int32), ("name", "<U5"), ("code", "S4"), ("both", "S2", (2,))], align=True)

    @cuda.jit
    def fill(a, copied):
        a[0]["name"] = "äBC"
        a[0].code = b"XYZ"
        a[1]["name"] = "too long"
        a[1]["code"] = "ok"
        for i in range(2):
            a[i].x = a[i].name[0] + a[i].code[1]
            copied[i] = a[i]

    a, copied, expected = (np.zeros(2, kind) for _ in range(3))
    a["code"] = b"----"
    a["both"] = expected["both"] = [b"a", b"bc"]
    fill[1, 1](a, copied)
    expected["name"] = ["äBC", "too l"]
    expected["code"] = [b"XYZ", b"ok"]
    expected["x"] = [ord("ä") + ord("Y"), ord("t") + ord("k")]
    np.testing.assert_array_equal(a, expected)
    np.testing.assert_array_equal(copied, expected)

    @cuda.jit
    def wrong(a):
        a[0]["name"] = b"bytes"

    with pytest.raises(TypeError, match="b'bytes' cannot be stored here; a str is expected"):
        wrong[1, 1](a)


def test_rect_of_lengths_and_angles_that_are_not_finite():
    @cuda.jit
    def kernel(size, angle, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = cmath.rect(size[i], angle[i])

    special = [0.0, -0.0, 1.0, -2.0, math.inf, -math.inf, math.nan]
    given, expected = [], []
    for size, angle in itertools.product(special, repeat=2):
        with contextlib.suppress(ValueError):
            expected.append(cmath.rect(size, angle))
            given.append((size, angle))
    sizes, angles = np.array(given).T.copy()
    out = np.zeros(len(expected), complex)
    kernel[1, 64](sizes, angles, out)
    assert [repr(complex(value)) for value in out] == [repr(value) for value in expected]


def test_ptx_of_a_device_function():
    if not has_nvrtc():
        pytest.skip("NVRTC makes PTX")
    function = cuda.jit("float32(float32, float32)", device=True)(lambda x, y: x * y)
    signature = (types.float32, types.float32)
    assert "mul.f32" in function.inspect_asm(signature)
    assert list(function.inspect_asm().values()) == [function.inspect_asm(signature)]


def test_device_functions_take_what_their_signatures_take():
    @cuda.jit(["(int64, int64)", "(float64, float64)"], device=True)
    def total(a, b):
        return a + b

    @cuda.jit
    def kernel(out, x, y):
        out[0] = total(x, y)

    for x, y in ((1, 2), (1.5, 2.5), (np.float32(0.5), 3)):
        out = np.zeros(1)
        kernel[1, 1](out, x, y)
        assert out[0] == x + y
    with pytest.raises(TypeError, match=r"no signature of total takes \(complex128, complex128\)"):
        kernel[1, 1](np.zeros(1, complex), 1j, 2j)
