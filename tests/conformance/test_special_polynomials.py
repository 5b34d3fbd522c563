"""Orthogonal polynomials of degrees and arguments of every dtype, against SciPy's."""

import numpy as np
import pytest
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import special

FAMILIES = {
    **dict.fromkeys(("eval_legendre", "eval_chebyt", "eval_chebyu", "eval_chebyc", "eval_chebys"), ()),
    **dict.fromkeys(("eval_sh_legendre", "eval_sh_chebyt", "eval_sh_chebyu", "eval_laguerre"), ()),
    **dict.fromkeys(("eval_hermite", "eval_hermitenorm"), ()),
    **dict.fromkeys(("eval_genlaguerre", "eval_gegenbauer"), (0.5,)),
    **dict.fromkeys(("eval_jacobi", "eval_sh_jacobi"), (1.5, 0.75)),
}
DTYPES = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128"


@pytest.mark.parametrize("name", FAMILIES)
def test_dtypes_are_those_of_scipy(name):
    parameters = FAMILIES[name]
    with collect() as failures:
        for degree in (*DTYPES.split(), 2, True):
            if "hermite" in name and str(degree) in ("uint64", "float16", "float32", "float64"):
                # SciPy takes degrees alone that are int64 without loss; ours take all that are whole numbers.
                continue
            for dtype in DTYPES.split():
                x = np.array([0, 1, 1, 0.5, 0.25]) + (0.25j if dtype[0] == "c" else 0)
                x = x.astype(dtype)

                def body(xp, sp, degree=degree, x=x):
                    n = xp.array([0, 1, 2, 3, 1]).astype(degree) if isinstance(degree, str) else degree
                    return getattr(sp, name)(n, *parameters, xp.array(x))

                with failures:
                    check(body, "special", label=f"{degree} {dtype}", may_raise=(TypeError,))


@pytest.mark.parametrize("name", [name for name in FAMILIES if "hermite" not in name])
def test_complex_arguments(name):
    rng = np.random.default_rng(4)
    z = rng.uniform(-2, 2, 40) + 1j * rng.uniform(-2, 2, 40)

    def body(xp, sp, n):
        return getattr(sp, name)(n, *FAMILIES[name], xp.array(z))

    with collect() as failures:
        for n in (0, 1, 2, 5, 9):
            with failures:
                # Series of terms that alternate lose digits on both sides.
                check(lambda xp, sp, n=n: body(xp, sp, n), "special", units=1e6, label=f"degree {n}")


COMPLEX = ["eval_legendre", "eval_chebyt", "eval_chebyu", "eval_chebyc", "eval_chebys"]
COMPLEX += ["eval_sh_legendre", "eval_sh_chebyt", "eval_sh_chebyu", "eval_jacobi", "eval_sh_jacobi"]


@pytest.mark.parametrize("name", COMPLEX)
def test_polynomials_of_degree_zero_at_infinity(name):
    z = np.array([complex(np.inf, 0), complex(-np.inf, 1), complex(9, -np.inf), 2 + 1j])

    def body(xp, sp):
        return getattr(sp, name)(0, *FAMILIES.get(name, ()), xp.array(z))

    check(body, "special", units=4)


def test_complex_jacobi_polynomials_of_negative_whole_parameters():
    """Gauss's function has poles there, and SciPy no value for most of them."""
    mp = pytest.importorskip("mpmath")

    def choices(top, count):
        found = mp.mpf(1)
        for i in range(count):
            found *= (top - i) / mp.mpf(i + 1)
        return found

    def polynomial(n, a, b, z):
        return mp.fsum(
            choices(n + a, n - k) * mp.rf(n + a + b + 1, k) / mp.factorial(k) * ((mp.mpc(z) - 1) / 2) ** k
            for k in range(n + 1)
        )

    for n in (1, 2, 3, 5):
        for a in (-9.0, -6.0, -4.0, -3.0, -2.0, -1.0):
            for b in (-9.0, -6.5, -2.0, -0.5, 0.0, 3.0):
                for z in (-3 + 1j, 0.25 - 0.5j, 1 + 0j, 2 + 1e-3j):
                    got = complex(special.eval_jacobi(n, a, b, cp.array(z)))
                    if a == b == -n - 1:
                        assert np.isnan(got)
                        continue
                    want = complex(polynomial(n, mp.mpf(a), mp.mpf(b), z))
                    assert abs(got - want) <= 1e-9 * abs(want) + 1e-11, (n, a, b, z, got, want)
