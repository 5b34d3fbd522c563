"""The bits of reductions: the same in every run, on any threads, fused or not; NumPy's signs of zeros."""

# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import itertools

import numpy as np
import pytest
from twin import ON_GPU, check, collect, fresh_python, quiet, to_numpy

import cuprum as cp

BATTERY = """
    import hashlib
    rng = np.random.default_rng(0)
    digest = hashlib.sha256()
    for dtype in ("float32", "float64", "complex64", "float16"):
        for shape in ((1000003,), (700, 1500), (3, 200001), (200001, 3), (60, 70, 80)):
            x = cp.array(rng.normal(size=shape).astype(dtype))
            for axis in (None, *range(len(shape))):
                for name in ("sum", "prod", "mean", "std", "max", "argmax"):
                    digest.update(cp.asnumpy(getattr(x, name)(axis=axis)).tobytes())
                    digest.update(cp.asnumpy(getattr(x * 0.9, name)(axis=axis)).tobytes())
            digest.update(cp.asnumpy(cp.cumsum(x, axis=0)).tobytes())
    print(digest.hexdigest())
"""


def test_results_do_not_depend_on_the_number_of_threads():
    """The order of summation is fixed by the shape, never by the machine."""
    assert len({fresh_python(BATTERY, CUPRUM_THREADS=threads) for threads in ("1", "2", "16")}) == 1


def test_twenty_runs_have_the_same_bits():
    rng = np.random.default_rng(0)
    x = cp.array(rng.normal(size=1_000_003).astype(np.float32))
    m = cp.array(rng.normal(size=(700, 1500)))
    with quiet():
        runs = {
            b"".join(
                to_numpy(r).tobytes()
                for r in (x.sum(), (x * x).sum(), x.std(), m.sum(0), m.sum(1), m.mean(), x.prod())
            )
            for _ in range(20)
        }
    assert len(runs) == 1


@pytest.mark.skipif(ON_GPU, reason="how a GPU groups elements follows from the whole shape")
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "complex64", "complex128"])
def test_short_rows_have_the_bits_of_each_alone(dtype):
    rng = np.random.default_rng(3)
    for n in [*range(1, 41), 63, 64, 65, 100, 255, 256, 257, 300]:
        host = (rng.normal(size=(19, n)) * 10.0 ** rng.integers(-3, 4, (19, n))).astype(dtype)
        host[3, n // 2], host[5] = np.nan, -0.0
        rows = cp.asarray(host)
        for name in ("sum", "prod", "std", "var", "mean", "max", "any"):
            with quiet():
                together = cp.asnumpy(getattr(rows, name)(axis=1))
                alone = [cp.asnumpy(getattr(row.copy(), name)()) for row in rows]
            assert together.tobytes() == np.stack(alone).tobytes(), f"{name} of {n}"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_middle_axis_has_the_bits_of_each_matrix_alone(dtype):
    """Columns are added up in an order that follows from their own length."""
    rng = np.random.default_rng(2)
    for shape in [(64, 128, 64), (33, 65, 130), (200, 300, 64), (2, 64, 1000)]:
        x = cp.array(rng.normal(size=shape).astype(dtype))
        for name in ("sum", "max", "argmin", "std"):
            for y in (x, x * 0.9):
                whole = to_numpy(getattr(y, name)(axis=1))
                alone = np.stack([to_numpy(getattr(y[i], name)(axis=0)) for i in range(shape[0])])
                assert whole.tobytes() == alone.tobytes(), f"{name} {shape}"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_fused_and_unfused_sums_have_the_same_bits(dtype):
    """A sum over an expression equals the sum over the same expression computed first."""
    rng = np.random.default_rng(1)
    for shape, axis in [((1_000_003,), None), ((500, 900), 0), ((500, 900), 1), ((500, 900), None)]:
        a, b = (cp.array(rng.normal(size=shape).astype(dtype)) for _ in range(2))
        fused = to_numpy(cp.sqrt(a * a + b * b).sum(axis=axis))
        first = cp.sqrt(a * a + b * b)
        to_numpy(first)
        assert fused.tobytes() == to_numpy(first.sum(axis=axis)).tobytes(), f"{shape} axis={axis}"


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("name", ["sum", "prod"])
def test_signs_of_zeros(name, dtype):
    """A sum of negative zeros is a zero; a product of few complex numbers has the signs of NumPy's order."""
    if ON_GPU and name == "prod" and dtype[0] == "c":
        pytest.skip("which complex zero a product is depends on its order, and a GPU has its own")
    zeros = [0.0, -0.0, 2.0, -2.0]
    numbers = [complex(a, b) for a in zeros for b in zeros] if dtype[0] == "c" else zeros
    with collect() as failures:
        for count in (1, 2, 3):
            for chosen in itertools.product(numbers, repeat=count) if count < 3 else [numbers[-5:]]:
                for host, axis in (
                    (np.array(chosen, dtype), None),
                    (np.array(chosen, dtype)[:, None].repeat(70, 1), 0),
                    (np.array(chosen, dtype)[None].repeat(70, 0), 1),
                ):
                    with failures:
                        check(
                            lambda xp: getattr(xp, name)(xp.array(host), axis=axis),
                            label=f"{name} of {chosen} along {axis}",
                        )
