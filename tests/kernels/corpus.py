"""One row a kernel: its text, its launch, its arguments, and what NumPy says it computes.

Rows run on whatever device the suite runs on. Integers are compared exactly; floats to the number of ulps
that a row states, or within its `rtol` and `atol`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import cuprum as cp

ON_CPU = cp.info()["device"] == "cpu"
STANDIN = "standin" in os.environ.get("CUPRUM_LIBCUDA", "")
"""Whether the GPU is the stand-in of `tests/cuda/standin`, which lacks some of what a GPU has."""

not_on_standin = pytest.mark.skipif(STANDIN, reason="the stand-in does not have it")

_NAME = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s+)?(\w+)\s*\(")


@dataclass
class Case:
    """A kernel and what it must do. `expect` gets copies of the arguments and returns {index: array}.

    On the CPU the checking mode must find nothing wrong with it, unless `checked` is false.
    """

    code: str
    args: Callable[[], Sequence[Any]]
    expect: Callable[..., Any]
    grid: tuple[int, ...] = (1,)
    block: tuple[int, ...] = (32,)
    shared: int = 0
    name: str = ""
    ulps: int = 0
    rtol: float = 0.0
    atol: float = 0.0
    options: tuple[str, ...] = ()
    module: bool = False
    checked: bool = True
    marks: Sequence[Any] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        if not self.name:
            self.name = _NAME.findall(self.code)[-1]


def rows(cases: Sequence[Case]) -> Any:
    """Parametrize a test with `case` by rows."""
    names = [case.name for case in cases]
    twice = {name for name in names if names.count(name) > 1}
    assert not twice, f"names of two rows: {twice}"
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case.name, marks=case.marks) for case in cases]
    )


def run(case: Case) -> None:
    """Launch a row's kernel and compare what the oracle speaks of; on the CPU in checking mode too."""
    values = list(case.args())
    expected = case.expect(*[value.copy() if isinstance(value, np.ndarray) else value for value in values])
    if not isinstance(expected, dict):
        last = max(i for i, value in enumerate(values) if isinstance(value, np.ndarray))
        expected = {last: expected}
    kernel = find(case)
    launch(case, kernel, values, expected)
    if case.checked and ON_CPU:
        with cp.cuda.check():
            launch(case, find(case), values, expected)


def launch(case: Case, kernel: Any, values: Sequence[Any], expected: dict[int, Any]) -> None:
    """Launch a kernel with arrays of its own. Those that the oracle does not speak of must stay."""
    given = [cp.array(value) if isinstance(value, np.ndarray) else value for value in values]
    kernel(case.grid, case.block, tuple(given), shared_mem=case.shared)
    for index, want in expected.items():
        compare(cp.asnumpy(given[index]), np.asarray(want), case)
    for index, value in enumerate(values):
        if isinstance(value, np.ndarray) and index not in expected:
            np.testing.assert_array_equal(
                cp.asnumpy(given[index]), value, err_msg=f"argument {index} was written"
            )


def find(case: Case) -> Any:
    """Return the kernel, compiled alone or as one of a module."""
    if case.module:
        expression = case.name if "<" in case.name else None
        module = cp.RawModule(
            code=case.code, options=case.options, name_expressions=(expression,) if expression else None
        )
        return module.get_function(case.name)
    return cp.RawKernel(case.code, case.name, options=case.options)


def compare(got: np.ndarray, want: np.ndarray, case: Case) -> None:
    """Compare a result: its shape, and its numbers as the row asks."""
    assert got.shape == want.shape, f"shape {got.shape}, expected {want.shape}"
    if case.rtol or case.atol:
        np.testing.assert_allclose(got, want, rtol=case.rtol, atol=case.atol)
    elif case.ulps and got.dtype.kind == "c":
        part = got.real.dtype
        assert_ulps(got.view(part), np.asarray(want, got.dtype).view(part), case.ulps)
    elif case.ulps and got.dtype.kind == "f":
        assert_ulps(got, want.astype(got.dtype), case.ulps)
    else:
        np.testing.assert_array_equal(got, want)


def assert_ulps(got: np.ndarray, want: np.ndarray, most: int) -> None:
    """Assert that numbers are at most so many ulps apart; NaN and infinities must agree."""
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    finite = np.isfinite(want)
    np.testing.assert_array_equal(got[~finite & ~np.isnan(want)], want[~finite & ~np.isnan(want)])
    got, want = got[finite].astype(np.float64), want[finite]
    distance = np.abs(got - want.astype(np.float64)) / np.spacing(np.abs(want)).astype(np.float64)
    worst = int(np.argmax(distance)) if distance.size else 0
    assert not distance.size or distance[worst] <= most, (
        f"{distance[worst]:.1f} ulps at {worst}: {got[worst]!r}, expected {want[worst]!r}"
    )


def floats(*shape: int, seed: int = 0, dtype: Any = np.float32) -> np.ndarray:
    """Return numbers from -1 to 1."""
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(dtype)


def integers(*shape: int, low: int = 0, high: int = 1000, seed: int = 0, dtype: Any = np.int32) -> np.ndarray:
    """Return integers from low up to high."""
    return np.random.default_rng(seed).integers(low, high, shape, dtype=dtype)


def words(*shape: int, seed: int = 0, dtype: Any = np.uint32) -> np.ndarray:
    """Return random bits, the smallest and the largest among them."""
    bits = np.iinfo(np.dtype(dtype))
    result = np.random.default_rng(seed).integers(bits.min, bits.max, shape, dtype=dtype, endpoint=True)
    special = np.array([0, 1, bits.max, bits.min, bits.max // 2, bits.max // 2 + 1], dtype)
    result.flat[: special.size] = special
    return result
