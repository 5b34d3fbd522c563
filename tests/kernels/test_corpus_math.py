"""libm under CUDA's names: every function in float and double, against mpmath."""

import mpmath
import numpy as np
import pytest
from corpus import STANDIN, Case, assert_ulps, run

import cuprum as cp

ON_CPU = cp.info()["device"] == "cpu"


@pytest.fixture(autouse=True)
def precision():
    """Other tests set the precision of mpmath, too."""
    with mpmath.workprec(200):
        yield


# name: (model, least, most, ulps of float and double that CUDA's manual allows on a GPU)
UNARY = {
    "sin": (mpmath.sin, -30, 30, 2, 2),
    "cos": (mpmath.cos, -30, 30, 2, 2),
    "tan": (mpmath.tan, -1.5, 1.5, 4, 2),
    "asin": (mpmath.asin, -1, 1, 4, 2),
    "acos": (mpmath.acos, -1, 1, 3, 2),
    "atan": (mpmath.atan, -50, 50, 2, 2),
    "sinh": (mpmath.sinh, -20, 20, 3, 2),
    "cosh": (mpmath.cosh, -20, 20, 2, 1),
    "tanh": (mpmath.tanh, -5, 5, 2, 1),
    "asinh": (mpmath.asinh, -50, 50, 3, 3),
    "acosh": (mpmath.acosh, 1, 50, 4, 3),
    "atanh": (mpmath.atanh, -0.99, 0.99, 3, 2),
    "sinpi": (mpmath.sinpi, -6, 6, 1, 2),
    "cospi": (mpmath.cospi, -6, 6, 1, 2),
    "exp": (mpmath.exp, -40, 40, 2, 1),
    "exp2": (lambda x: mpmath.power(2, x), -50, 50, 2, 1),
    "exp10": (lambda x: mpmath.power(10, x), -20, 20, 2, 1),
    "expm1": (mpmath.expm1, -3, 10, 1, 1),
    "log": (mpmath.log, 1e-6, 1e6, 1, 1),
    "log2": (lambda x: mpmath.log(x, 2), 1e-6, 1e6, 1, 1),
    "log10": (mpmath.log10, 1e-6, 1e6, 2, 1),
    "log1p": (mpmath.log1p, -0.99, 100, 1, 1),
    "sqrt": (mpmath.sqrt, 0, 1e6, 1, 0),
    "rsqrt": (lambda x: 1 / mpmath.sqrt(x), 1e-6, 1e6, 2, 1),
    "cbrt": (lambda x: mpmath.cbrt(x) if x >= 0 else -mpmath.cbrt(-x), -1e6, 1e6, 1, 1),
    "rcbrt": (lambda x: 1 / mpmath.cbrt(x), 1e-6, 1e6, 1, 1),
    "erf": (mpmath.erf, -4, 4, 2, 2),
    "erfc": (mpmath.erfc, -3, 8, 4, 5),
    "erfinv": (mpmath.erfinv, -0.99, 0.99, 2, 5),
    "erfcinv": (lambda x: mpmath.erfinv(1 - x), 0.01, 1.99, 4, 6),
    "erfcx": (lambda x: mpmath.exp(x * x) * mpmath.erfc(x), -3, 8, 4, 4),
    "normcdf": (mpmath.ncdf, -6, 6, 5, 5),
    "normcdfinv": (lambda p: mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1), 0.01, 0.99, 5, 8),
    "tgamma": (mpmath.gamma, 0.1, 20, 5, 10),
    "lgamma": (mpmath.loggamma, 3, 50, 6, 4),
    "ceil": (mpmath.ceil, -50, 50, 0, 0),
    "floor": (mpmath.floor, -50, 50, 0, 0),
    "trunc": (lambda x: mpmath.mpf(int(x)), -50, 50, 0, 0),
    "rint": (mpmath.nint, -50, 50, 0, 0),
    "round": (lambda x: mpmath.sign(x) * mpmath.floor(abs(x) + mpmath.mpf(1) / 2), -50, 50, 0, 0),
    "fabs": (abs, -50, 50, 0, 0),
    "logb": (lambda x: mpmath.floor(mpmath.log(x, 2)), 1.01, 1000, 0, 0),
}
# Bessel functions lose all digits near their zeros: to an absolute error.
BESSEL = {
    "j0": (lambda x: mpmath.besselj(0, x), -8, 8),
    "j1": (lambda x: mpmath.besselj(1, x), -8, 8),
    "y0": (lambda x: mpmath.bessely(0, x), 0.1, 8),
    "y1": (lambda x: mpmath.bessely(1, x), 0.1, 8),
    "cyl_bessel_i0": (lambda x: mpmath.besseli(0, x), -5, 5),
    "cyl_bessel_i1": (lambda x: mpmath.besseli(1, x), -5, 5),
}
BINARY = {
    "atan2": (mpmath.atan2, -5, 5, 3, 2),
    "pow": (mpmath.power, 0.1, 9, 4, 2),
    "hypot": (mpmath.hypot, -1e3, 1e3, 3, 2),
    "rhypot": (lambda x, y: 1 / mpmath.hypot(x, y), 1, 1e3, 2, 1),
    "fmod": (mpmath.fmod, 0.5, 100, 0, 0),
    "remainder": (lambda x, y: x - y * mpmath.nint(x / y), 0.5, 100, 0, 0),
    "fmin": (min, -5, 5, 0, 0),
    "fmax": (max, -5, 5, 0, 0),
    "fdim": (lambda x, y: max(x - y, mpmath.mpf(0)), -5, 5, 1, 1),
    "copysign": (lambda x, y: abs(x) if y >= 0 else -abs(x), -5, 5, 0, 0),
}
FAST = {
    "__sinf": (mpmath.sin, -3, 3),
    "__cosf": (mpmath.cos, -3, 3),
    "__tanf": (mpmath.tan, -1, 1),
    "__expf": (mpmath.exp, -5, 5),
    "__exp10f": (lambda x: mpmath.power(10, x), -3, 3),
    "__logf": (mpmath.log, 2, 100),
    "__log2f": (lambda x: mpmath.log(x, 2), 2, 100),
    "__log10f": (mpmath.log10, 2, 100),
    "__frcp_rn": (lambda x: 1 / x, 1, 100),
    "__fsqrt_rn": (mpmath.sqrt, 1, 100),
    "__frsqrt_rn": (lambda x: 1 / mpmath.sqrt(x), 1, 100),
    "__saturatef": (lambda x: min(max(x, mpmath.mpf(0)), mpmath.mpf(1)), -2, 2),
}


def points(low, high, dtype, seed=0):
    return np.random.default_rng(seed).uniform(low, high, 64).astype(dtype)


def exact(model, *arrays):
    """The model's values, rounded once."""
    values = [model(*(mpmath.mpf(x.item()) for x in row)) for row in zip(*arrays, strict=True)]
    if arrays[0].dtype == np.float64:
        return np.array([float(v) for v in values])
    with mpmath.workprec(24):
        return np.array([float(+mpmath.mpf(v)) for v in values], np.float32)


def launch(call, count, ctype, arrays):
    parameters = ", ".join(f"const {ctype}* x{i}" for i in range(count))
    code = f"""extern "C" __global__ void f({parameters}, {ctype}* out) {{
        int i = threadIdx.x;
        out[i] = {call};
    }}"""
    out = cp.zeros(len(arrays[0]), dtype=arrays[0].dtype)
    cp.RawKernel(code, "f")((1,), (len(arrays[0]),), (*map(cp.array, arrays), out))
    return cp.asnumpy(out)


def allowed(name, float_ulps, double_ulps, dtype):
    """CUDA's bound on a GPU; 2 ulps on the CPU, 6 of what the C library computes. The stand-in is no measure."""
    bound = 6 if name in ("tgamma", "lgamma") else 2
    gpu = float_ulps if dtype == np.float32 else double_ulps
    if STANDIN:
        return 32
    return min(gpu, bound) if ON_CPU else gpu


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=["float", "double"])
@pytest.mark.parametrize("name", UNARY)
def test_unary(name, dtype):
    model, low, high, *ulps = UNARY[name]
    x = points(low, high, dtype)
    want = exact(model, x)
    ctype = "float" if dtype == np.float32 else "double"
    assert_ulps(launch(f"{name}(x0[i])", 1, ctype, [x]), want, allowed(name, *ulps, dtype))
    if dtype == np.float32:
        assert_ulps(launch(f"{name}f(x0[i])", 1, ctype, [x]), want, allowed(name, *ulps, dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=["float", "double"])
@pytest.mark.parametrize("name", BESSEL)
def test_bessel(name, dtype):
    model, low, high = BESSEL[name]
    x = points(low, high, dtype)
    single = dtype == np.float32
    got = launch(f"{name}{'f' if single else ''}(x0[i])", 1, "float" if single else "double", [x])
    np.testing.assert_allclose(
        got, exact(model, x), rtol=1e-6 if single else 1e-14, atol=1e-6 if single else 1e-14
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=["float", "double"])
@pytest.mark.parametrize("name", BINARY)
def test_binary(name, dtype):
    model, low, high, *ulps = BINARY[name]
    x, y = points(low, high, dtype), points(low, high, dtype, seed=1)
    ctype = "float" if dtype == np.float32 else "double"
    assert_ulps(
        launch(f"{name}(x0[i], x1[i])", 2, ctype, [x, y]), exact(model, x, y), allowed(name, *ulps, dtype)
    )


@pytest.mark.parametrize("name", FAST)
def test_fast_forms(name):
    """Less exact on a GPU: to some digits."""
    model, low, high = FAST[name]
    x = points(low, high, np.float32)
    got = launch(f"{name}(x0[i])", 1, "float", [x])
    np.testing.assert_allclose(got, exact(model, x), rtol=2e-6, atol=1e-6)


OTHERS = [
    Case(
        """extern "C" __global__ void several_results(const float* in, float* out, int* whole) {
            int t = threadIdx.x, e, q;
            float x = in[t], s, c, i;
            sincosf(x, &s, &c);
            out[6 * t] = s * s + c * c;
            sincospi(x, &s, &c);
            out[6 * t + 1] = s - sinpif(x) + (c - cospif(x));
            out[6 * t + 2] = modff(x * 10, &i);
            out[6 * t + 3] = i;
            out[6 * t + 4] = frexpf(x, &e);
            out[6 * t + 5] = remquof(x * 10, 3.0f, &q);
            whole[2 * t] = e;
            whole[2 * t + 1] = q & 7;
        }""",
        lambda: [points(0.1, 3, np.float32), np.zeros((64, 6), np.float32), np.zeros((64, 2), np.int32)],
        lambda x, out, whole: _several(x),
        block=(64,),
        rtol=1e-6,
        atol=1e-6,
    ),
    Case(
        """extern "C" __global__ void to_whole_numbers(const double* in, long long* out) {
            double x = in[threadIdx.x];
            long long* o = out + 6 * threadIdx.x;
            o[0] = lrint(x); o[1] = llrint(x); o[2] = lround(x); o[3] = llround((float)x); o[4] = ilogb(x);
            o[5] = lrintf((float)x);
        }""",
        lambda: [
            np.array([0.5, 1.5, 2.5, -0.5, -1.5, 3.49, -7.51, 1e6, 0.25, 100.75]),
            np.zeros((10, 6), np.int64),
        ],
        lambda x, out: {
            1: np.stack(
                [np.rint(x), np.rint(x), _away(x), _away(x), np.floor(np.log2(np.abs(x))), np.rint(x)], 1
            ).astype(np.int64)
        },
        block=(10,),
    ),
    Case(
        """extern "C" __global__ void questions(const double* in, int* out) {
            double x = in[threadIdx.x];
            out[threadIdx.x] = (isnan(x) ? 1 : 0) + (isinf(x) ? 2 : 0) + (isfinite(x) ? 4 : 0) + (signbit(x) ? 8 : 0)
                             + (isnan((float)x) ? 16 : 0);
        }""",
        lambda: [np.array([1.0, -1.0, np.inf, -np.inf, np.nan, 0.0, -0.0, 1e-310]), np.zeros(8, np.int32)],
        lambda x, out: {1: [4, 12, 2, 10, 17, 4, 12, 4]},
        block=(8,),
    ),
    Case(
        """extern "C" __global__ void integers_count_as_double(double* out) {
            int three = 3;
            out[0] = pow(2.0, three);
            out[1] = pow(1.5f, 2);
            out[2] = ldexp(1.5, 4) + scalbn(1.0f, -2);
            out[3] = fma(2.0, 3.0, 4.0) + fmaf(1.0f, 2.0f, 3.0f);
            out[4] = abs(-3) + abs(-2.5f) + abs(-1.25);
            out[5] = fmax(1.0f, 2.0f) + max(3, 4) + min(2.5, 1.5);
            out[6] = norm3d(2.0, 3.0, 6.0) + nextafter(1.0, 2.0) - 1.0;
        }""",
        lambda: [np.zeros(7)],
        lambda out: {0: [8, 2.25, 24.25, 15, 6.75, 7.5, 7 + 2.0**-52]},
        block=(1,),
        rtol=1e-15,
    ),
    Case(
        """#include <math.h>
        #include <math_constants.h>
        #include <float.h>
        #include <limits.h>
        extern "C" __global__ void constants(double* out) {
            out[0] = M_PI; out[1] = CUDART_PI; out[2] = FLT_MAX; out[3] = DBL_EPSILON; out[4] = INFINITY;
            out[5] = INT_MAX; out[6] = CUDART_INF_F; out[7] = isnan(NAN) ? 1 : 0; out[8] = M_SQRT2; out[9] = CHAR_BIT;
        }""",
        lambda: [np.zeros(10)],
        lambda out: {
            0: [
                np.pi,
                np.pi,
                np.finfo(np.float32).max,
                np.finfo(float).eps,
                np.inf,
                2**31 - 1,
                np.inf,
                1,
                2**0.5,
                8,
            ]
        },
        block=(1,),
    ),
]


def _away(x):
    return np.sign(x) * np.floor(np.abs(x) + 0.5)


def _several(x):
    tenth = x * np.float32(10)
    mantissa, exponent = np.frexp(x)
    quotient = np.rint(tenth.astype(float) / 3)
    out = np.stack(
        [np.ones(64), np.zeros(64), np.modf(tenth)[0], np.modf(tenth)[1], mantissa, tenth - 3 * quotient], 1
    )
    return {1: out, 2: np.stack([exponent, quotient.astype(int) & 7], 1)}


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: case.name)
def test_other(case):
    run(case)
