"""Matrices of known forms against SciPy's."""

import warnings

import numpy as np
import pytest
import scipy.linalg

import cuprum as cp

RNG = np.random.default_rng(7)
VECTORS = [
    np.array([1.0, 2.0, 4.0, 8.0]),
    np.arange(1, 6),
    np.array([1 + 1j, 2, 3j]),
    np.array([3.0, 1.0]),
    np.array([2.0]),
]
CASES = {
    **{f"toeplitz {i}": ("toeplitz", (v,)) for i, v in enumerate(VECTORS)},
    "toeplitz of two": ("toeplitz", (np.arange(3), np.array([9, 7.5, 6, 5]))),
    **{f"hankel {i}": ("hankel", (v,)) for i, v in enumerate(VECTORS)},
    "hankel of two": ("hankel", (np.arange(3), np.array([9, 7.5, 6, 5]))),
    **{f"circulant {i}": ("circulant", (v,)) for i, v in enumerate(VECTORS)},
    **{f"companion {i}": ("companion", (v,)) for i, v in enumerate(VECTORS)},
    "companion of a zero": ("companion", (np.array([0.0, 1.0]),)),
    **{f"fiedler {i}": ("fiedler", (v,)) for i, v in enumerate(VECTORS[:2])},
    **{f"fiedler_companion {i}": ("fiedler_companion", (v,)) for i, v in enumerate(VECTORS[:-1])},
    **{f"fiedler_companion of {n}": ("fiedler_companion", (np.arange(1.0, n + 1),)) for n in range(2, 10)},
    **{f"hadamard {n}": ("hadamard", (n,)) for n in (1, 2, 8, 3, 0)},
    "hadamard of a dtype": ("hadamard", (4, "f4")),
    **{f"hilbert {n}": ("hilbert", (n,)) for n in (1, 5)},
    **{f"helmert {n} {full}": ("helmert", (n, full)) for n in (2, 5) for full in (False, True)},
    **{f"dft {n} {scale}": ("dft", (n, scale)) for n in (1, 6, 7) for scale in (None, "sqrtn", "n")},
    "dft of no scale": ("dft", (4, "m")),
    "leslie": ("leslie", (np.array([0.1, 2.0, 1.0]), np.array([0.2, 0.8]))),
    "leslie of wrong lengths": ("leslie", (np.ones(3), np.ones(3))),
    "block_diag": ("block_diag", (np.ones((2, 3), int), np.array([1.5, 2]), np.array(5), np.zeros((0, 2)))),
    "block_diag of nothing": ("block_diag", ()),
    "khatri_rao": ("khatri_rao", (RNG.random((2, 3)), RNG.random((4, 3)))),
    "khatri_rao that does not fit": ("khatri_rao", (RNG.random((2, 3)), RNG.random((4, 2)))),
    **{
        f"convolution_matrix {mode} {n} {length}": (
            "convolution_matrix",
            (np.arange(1.0, length + 1), n, mode),
        )
        for mode in ("full", "same", "valid", "other")
        for n in (1, 3, 6)
        for length in (1, 3, 4)
    },
}


@pytest.mark.parametrize("case", CASES)
def test_the_matrix_is_scipys(case):
    name, arguments = CASES[case]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = getattr(scipy.linalg, name)(*arguments)
        except ValueError:
            expected = None
    given = [cp.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    if expected is None:
        with pytest.raises(ValueError, match=name):
            getattr(cp.scipy.linalg, name)(*given)
        return
    made = getattr(cp.scipy.linalg, name)(*given)
    assert made.dtype == expected.dtype and made.shape == expected.shape
    # SciPy takes powers of roots of unity, whose errors grow with the power.
    np.testing.assert_allclose(made.get(), expected, rtol=4e-16, atol=1e-14 if name == "dft" else 2e-15)


def test_a_constant_has_a_companion_of_no_rows():
    """SciPy before 1.18 gives it no columns either, but only one axis."""
    made = cp.scipy.linalg.fiedler_companion(cp.array([2.0]))
    assert made.shape == (0, 0) and made.dtype == np.float64
