"""Assertions for arrays of Cuprum and NumPy, and a look inside for tests and benchmarks."""

from __future__ import annotations

from .._core import wait
from .._environment.info import fusion_log
from ._assertions import (
    assert_allclose,
    assert_almost_equal,
    assert_approx_equal,
    assert_array_almost_equal,
    assert_array_almost_equal_nulp,
    assert_array_equal,
    assert_array_less,
    assert_array_max_ulp,
    assert_equal,
    assert_raises,
    assert_raises_regex,
    assert_warns,
)
from ._inspection import bandwidth, op_table, reduction_table

__all__ = [
    "assert_allclose",
    "assert_almost_equal",
    "assert_approx_equal",
    "assert_array_almost_equal",
    "assert_array_almost_equal_nulp",
    "assert_array_equal",
    "assert_array_less",
    "assert_array_max_ulp",
    "assert_equal",
    "assert_raises",
    "assert_raises_regex",
    "assert_warns",
    "bandwidth",
    "fusion_log",
    "op_table",
    "reduction_table",
    "wait",
]
