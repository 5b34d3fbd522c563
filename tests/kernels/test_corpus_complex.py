"""Complex numbers as CuPy, cuComplex.h and PyCUDA have them."""

import numpy as np
import pytest
from corpus import Case, floats, rows, run

import cuprum as cp

C64, C128 = np.complex64, np.complex128


def numbers(n, dtype=C128, seed=0):
    return (
        floats(n, seed=seed, dtype=np.float64) + 1j * floats(n, seed=seed + 100, dtype=np.float64)
    ).astype(dtype)


FUNCTIONS = {
    "exp": np.exp, "log": np.log, "log10": np.log10, "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "conj": np.conj, "proj": lambda z: z,
    "log2": np.log2, "log1p": np.log1p, "expm1": np.expm1, "rint": np.rint,
}  # fmt: skip
REAL = {
    "abs": np.abs, "arg": np.angle, "norm": lambda z: z.real**2 + z.imag**2, "real": np.real, "imag": np.imag,
}  # fmt: skip
HEADERS = {
    "cupy": ("#include <cupy/complex.cuh>", "complex"),
    "thrust": ("#include <thrust/complex.h>", "thrust::complex"),
    "pycuda": ("#include <pycuda-complex.hpp>", "pycuda::complex"),
}


def launch(include, ctype, expression, z, result=None, rtype=None):
    code = f"""{include}
    typedef {ctype} C;
    extern "C" __global__ void f(const C* in, {rtype or "C"}* out) {{
        C z = in[threadIdx.x];
        out[threadIdx.x] = {expression};
    }}"""
    out = cp.zeros(len(z), dtype=result or z.dtype)
    cp.RawKernel(code, "f")((1,), (len(z),), (cp.array(z), out))
    return cp.asnumpy(out)


@pytest.mark.parametrize("dtype", [C64, C128], ids=["float", "double"])
@pytest.mark.parametrize("name", [*FUNCTIONS, *REAL])
def test_function(name, dtype):
    z = numbers(64, dtype) * dtype(3)
    part = "float" if dtype == C64 else "double"
    rtol = 5e-7 if dtype == C64 else 1e-14
    if name in REAL:
        got = launch(HEADERS["cupy"][0], f"complex<{part}>", f"{name}(z)", z, z.real.dtype, part)
        want = REAL[name](z)
    else:
        got = launch(HEADERS["cupy"][0], f"complex<{part}>", f"{name}(z)", z)
        want = FUNCTIONS[name](z.astype(C128))
    np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("kind", HEADERS)
def test_arithmetic(kind):
    include, template = HEADERS[kind]
    z = numbers(64)
    got = launch(
        include,
        f"{template}<double>",
        "(z * z + z / C(0.5, -2.0)) - 2.0 * z + z / 4.0 + C(1.0) - (-z) * conj(z)",
        z,
    )
    want = (z * z + z / (0.5 - 2j)) - 2 * z + z / 4 + 1 + z * z.conj()
    np.testing.assert_allclose(got, want, rtol=1e-14)


SPECIAL = np.array(
    [
        complex(a, b)
        for a in (0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan)
        for b in (0.0, -0.0, 3.0, -np.inf, np.nan)
    ]
)


@pytest.mark.parametrize("name", ["exp", "sqrt", "log", "sinh", "cosh", "tanh", "asinh", "acos", "atanh"])
def test_special_values(name):
    """Zeros, infinities and NaN as NumPy has them; the sign of a zero or an infinity that C leaves open is not asked."""
    got = launch(HEADERS["cupy"][0], "complex<double>", f"{name}(z)", SPECIAL)
    with np.errstate(all="ignore"):
        want = FUNCTIONS[name](SPECIAL)
    np.testing.assert_array_equal(np.isnan(got.real), np.isnan(want.real))
    np.testing.assert_array_equal(np.isnan(got.imag), np.isnan(want.imag))
    np.testing.assert_allclose(np.abs(got.real), np.abs(want.real), rtol=1e-14)
    np.testing.assert_allclose(np.abs(got.imag), np.abs(want.imag), rtol=1e-14)


def test_no_overflow_on_the_way():
    z = np.array([1e300 + 1e300j, 1e-300 + 1e-300j, 1e200 - 1e-200j, 3e-310j])
    got = launch(HEADERS["cupy"][0], "complex<double>", "z / z", z)
    np.testing.assert_allclose(got[:3], np.ones(3), rtol=1e-15)
    size = launch(HEADERS["cupy"][0], "complex<double>", "abs(z)", z, np.float64, "double")
    np.testing.assert_allclose(size, np.abs(z), rtol=1e-15)


CASES = [
    Case(
        """#include <cupy/complex.cuh>
        extern "C" __global__ void powers(const complex<double>* z, const complex<double>* w, complex<double>* out) {
            int i = threadIdx.x;
            out[5 * i] = pow(z[i], w[i]);
            out[5 * i + 1] = pow(z[i], 3.0);
            out[5 * i + 2] = pow(2.5, w[i]);
            out[5 * i + 3] = pow(z[i], 2);
            out[5 * i + 4] = pow(z[i], -0.5);
        }""",
        lambda: [numbers(32), numbers(32, seed=9), np.zeros((32, 5), C128)],
        lambda z, w, out: {2: np.stack([z**w, z**3, 2.5**w, z * z, z**-0.5], 1)},
        rtol=1e-13,
    ),
    Case(
        """#include <cuComplex.h>
        extern "C" __global__ void cu_complex(const cuDoubleComplex* a, const cuDoubleComplex* b, cuDoubleComplex* out,
                                              double* sizes) {
            int i = threadIdx.x;
            cuDoubleComplex x = a[i], y = b[i];
            out[4 * i] = cuCadd(x, cuCmul(x, y));
            out[4 * i + 1] = cuCdiv(x, y);
            out[4 * i + 2] = cuCsub(cuConj(x), make_cuDoubleComplex(cuCimag(y), 2.0));
            out[4 * i + 3] = cuCfma(x, y, x);
            sizes[i] = cuCabs(x) + cuCreal(y);
        }""",
        lambda: [numbers(32), numbers(32, seed=1), np.zeros((32, 4), C128), np.zeros(32)],
        lambda x, y, out, sizes: {
            2: np.stack([x + x * y, x / y, x.conj() - (y.imag + 2j), x * y + x], 1),
            3: np.abs(x) + y.real,
        },
        rtol=1e-13,
        atol=1e-15,
    ),
    Case(
        """#include <cuComplex.h>
        extern "C" __global__ void cu_complex_float(const cuComplex* a, cuFloatComplex* out) {
            cuFloatComplex x = a[threadIdx.x];
            x = cuCmulf(x, make_cuComplex(0.0f, 1.0f));
            out[threadIdx.x] = cuComplexDoubleToFloat(cuCmul(cuComplexFloatToDouble(x), make_cuDoubleComplex(2.0, 0.0)));
        }""",
        lambda: [numbers(32, C64), np.zeros(32, C64)],
        lambda x, out: {1: 2j * x},
        rtol=1e-6,
    ),
    Case(
        """#include <cupy/complex.cuh>
        template <typename T> __device__ complex<T> turn(T angle) { return complex<T>(cos(angle), sin(angle)); }
        extern "C" __global__ void mixed_precision(const complex<float>* in, complex<double>* out, float k) {
            int i = threadIdx.x;
            complex<double> wide(in[i]);
            complex<float> z = in[i];
            z *= k;
            z += complex<float>(1, -1);
            z.real(z.real() + 1.0f);
            wide = wide + complex<double>(z) * turn(0.5);
            out[i] = wide == complex<double>(0.0) ? complex<double>(7.0) : wide;
        }""",
        lambda: [numbers(32, C64), np.zeros(32, C128), np.float32(0.5)],
        lambda z, out, k: {1: z.astype(C128) + (z * k + np.complex64(2 - 1j)).astype(C128) * np.exp(0.5j)},
        rtol=1e-6,
    ),
    Case(
        """#include <cupy/complex.cuh>
        extern "C" __global__ void fft_in_shared(const complex<float>* in, complex<float>* out, int sign) {
            __shared__ complex<float> x[64];
            int t = threadIdx.x, b = blockIdx.x;
            int r = __brev((unsigned)t) >> 26;
            x[r] = in[b * 64 + t];
            __syncthreads();
            for (int size = 2; size <= 64; size *= 2) {
                int half = size / 2, k = t % size;
                if (k < half) {
                    float angle = sign * 6.28318530718f * k / size;
                    complex<float> w(cosf(angle), sinf(angle)), u = x[t], v = x[t + half] * w;
                    x[t] = u + v;
                    x[t + half] = u - v;
                }
                __syncthreads();
            }
            out[b * 64 + t] = x[t];
        }""",
        lambda: [numbers(128, C64), np.zeros(128, C64), np.int32(-1)],
        lambda z, out, sign: {1: np.fft.fft(z.reshape(2, 64)).ravel()},
        grid=(2,),
        block=(64,),
        rtol=1e-5,
        atol=1e-5,
    ),
]


@rows(CASES)
def test_kernel(case):
    run(case)
