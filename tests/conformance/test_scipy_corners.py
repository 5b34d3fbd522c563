"""Corners of `cuprum.scipy`: stacks of matrices, numbers that are not finite, narrow dtypes."""

import numpy as np
import pytest
from scipy_twin import check


def _stack(rng, n=3):
    matrices = rng.normal(size=(3, n, n))
    matrices[0] *= 0.01
    matrices[2] *= 30
    return matrices


@pytest.mark.parametrize("name", ["pinv", "pinvh", "expm", "sinm", "cosm"])
def test_each_matrix_of_a_stack_is_its_own(name):
    matrices = _stack(np.random.default_rng(2))
    if name == "pinvh":
        matrices = matrices + matrices.transpose(0, 2, 1)

    def body(xp, linalg):
        function = getattr(linalg, name)
        if xp is np:
            return [function(matrix) for matrix in matrices]
        return list(function(xp.asarray(matrices)))

    # Exponentials of numbers near 90 have lost as many bits.
    check(body, "linalg", units=1 << 16)


def test_ranks_of_a_stack():
    matrices = _stack(np.random.default_rng(3))
    matrices[1, 2] = matrices[1, 0] + matrices[1, 1]

    def body(xp, linalg):
        results = [linalg.pinv(xp.asarray(matrix), return_rank=True) for matrix in matrices]
        ranks = [rank for _, rank in results]
        return ranks if xp is np else linalg.pinv(xp.asarray(matrices), return_rank=True)[1].tolist()

    check(body, "linalg")


@pytest.mark.parametrize("name", ["expm", "sinm", "cosm"])
@pytest.mark.parametrize("lost", [np.nan, np.inf])
def test_functions_of_matrices_that_are_not_finite(name, lost):
    import cuprum as cp
    from cuprum.scipy import linalg

    matrices = _stack(np.random.default_rng(4))
    whole = cp.asnumpy(getattr(linalg, name)(cp.asarray(matrices)))
    matrices[1, 0, 2] = lost
    got = cp.asnumpy(getattr(linalg, name)(cp.asarray(matrices)))
    assert np.isnan(got[1]).all()
    assert np.allclose(got[[0, 2]], whole[[0, 2]], rtol=1e-12)


@pytest.mark.parametrize("shape", [(3, 0), (0, 3)])
def test_inverses_of_nothing(shape):
    check(lambda xp, linalg: linalg.pinv(xp.zeros(shape)), "linalg")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("structure", ["her", "sym", "tridiagonal", "diagonal", "upper triangular"])
def test_parts_that_are_not_read(structure, dtype):
    rng = np.random.default_rng(5)
    a, b = (rng.normal(size=shape) + 3 * np.eye(4)[: shape[0], : shape[-1]] for shape in ((4, 4), (4, 2)))
    if dtype.startswith("complex"):
        a, b = a + 1j * rng.normal(size=a.shape), b + 1j * rng.normal(size=b.shape)

    def body(xp, linalg):
        return linalg.solve(xp.asarray(a.astype(dtype)), xp.asarray(b.astype(dtype)), assume_a=structure)

    check(body, "linalg", units=1 << 10)


def test_what_is_not_positive_definite_raises():
    check(
        lambda xp, linalg: linalg.solve(xp.asarray([[1.0, 2.0], [2.0, 1.0]]), xp.ones(2), assume_a="pos"),
        "linalg",
        raises=np.linalg.LinAlgError,
    )


def test_unknown_drivers_raise():
    check(lambda xp, linalg: linalg.eigh(xp.eye(2), driver="none"), "linalg", raises=ValueError)


@pytest.mark.parametrize(
    "shapes", [((4,), None), ((2, 3), None), ((2, 3), (4,)), ((1, 3), (2, 2)), ((0,), None)]
)
def test_stacks_of_toeplitz_matrices(shapes):
    from scipy_twin import SCIPY

    if SCIPY < (1, 17) and len(shapes[0]) > 1:
        pytest.skip("SciPy before 1.17 flattens")
    rng = np.random.default_rng(6)
    parts = [None if shape is None else rng.random(shape) for shape in shapes]
    check(lambda xp, linalg: linalg.toeplitz(*(p if p is None else xp.asarray(p) for p in parts)), "linalg")


@pytest.mark.parametrize("kind", ["symmetric", "lower", "upper"])
def test_triangles_of_nothing(kind):
    check(lambda xp, linalg: (linalg.pascal(0, kind), linalg.invpascal(0, kind)), "linalg")


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("lost", [np.nan, np.inf])
def test_there_is_nothing_beyond_the_ends(mode, lost, on_gpu):
    if on_gpu and mode != "valid":
        pytest.skip("a GPU takes weights to be finite: products with zeros beyond the ends are NaN")
    long, short = np.arange(1.0, 12.0), np.array([1.0, lost, -2.0])

    def body(xp, signal):
        a, b = xp.asarray(long), xp.asarray(short)
        plane = xp.asarray(np.outer(long[:6], long[:5]))
        weights = xp.asarray(np.outer([1.0, 2.0], short))
        return (
            [signal.convolve(x, y, mode, "direct") for x, y in ((a, b), (b, a))],
            [signal.correlate(x, y, mode, "direct") for x, y in ((a, b), (b, a))],
            [xp.convolve(a, b, mode), xp.correlate(a, b, mode)],
            signal.convolve(plane, weights, mode, "direct"),
        )

    check(body, "signal")


@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_truth_values_through_transforms(name):
    rng = np.random.default_rng(7)
    a, b = rng.random((5, 6)) < 0.3, rng.random((2, 3)) < 0.4

    def body(xp, signal):
        if xp is np:
            # SciPy has no sums of truth values, and its transforms leave roundings that count as true.
            return getattr(signal, name)(a.astype(np.int64), b.astype(np.int64)) > 0
        return getattr(signal, name)(xp.asarray(a), xp.asarray(b), method="fft")

    check(body, "signal")


def test_phases_of_narrow_times():
    times = np.linspace(0, 100, 4001, dtype=np.float32)
    short = np.linspace(0, 0.1, 4001, dtype=np.float32)

    def body(xp, signal):
        # SciPy's phases have the digits of the times: it is given wide ones.
        t, u = (part.astype(np.float64) if xp is np else xp.asarray(part) for part in (times, short))
        return signal.chirp(t, 1.0, 100.0, 400.0), signal.gausspulse(u, 700.0)

    check(body, "signal", units=1 << 16)


@pytest.mark.parametrize("name", ["sawtooth", "square"])
def test_waves_of_one_time(name):
    check(lambda xp, signal: getattr(signal, name)(xp.asarray(1.5), 0.25), "signal")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("up, down, taps", [(160, 147, 6401), (3, 20, 2001), (7, 11, 301), (13, 1, 40)])
def test_long_filters_at_other_rates(up, down, taps, dtype):
    rng = np.random.default_rng(8)
    x, h = rng.normal(size=60_000).astype(dtype), rng.normal(size=taps).astype(dtype)
    for axis, mode in ((0, "constant"), (-1, "reflect")):

        def body(xp, signal, axis=axis, mode=mode):
            two = xp.asarray(x if axis == 0 else x.reshape(6, 10_000))
            return signal.upfirdn(xp.asarray(h), two, up, down, axis, mode)

        check(body, "signal", units=512, label=mode)


CHANCES = {
    **{
        name: 3 for name in ("bdtr", "bdtrc", "bdtri", "nbdtr", "nbdtrc", "nbdtri", "gdtr", "gdtrc", "gdtrix")
    },
    **{name: 2 for name in ("pdtr", "pdtrc", "pdtri", "chdtr", "chdtrc", "chdtri")},
}


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint8", "int16", "uint16", "int32", "int64", "float16", "float32"]
)
@pytest.mark.parametrize("name", CHANCES)
def test_dtypes_of_chances(name, dtype):
    def body(xp, special):
        whole = xp.asarray(np.array([1, 0, 1]).astype(dtype))
        return getattr(special, name)(*(whole for _ in range(CHANCES[name])))

    check(body, "special")


@pytest.mark.parametrize("name", CHANCES)
def test_chances_of_narrow_numbers_beside_those_of_python(name):
    def body(xp, special):
        first = xp.asarray(np.array([2.0, 3.0], np.float32))
        return getattr(special, name)(first, *(0.5 if i else 5 for i in range(CHANCES[name] - 1)))

    check(body, "special", units=1 << 10)
