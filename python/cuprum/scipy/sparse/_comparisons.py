"""Comparisons of sparse matrices, element by element."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import cuprum as cp

from ._arithmetic import Arithmetic
from ._base import SparseEfficiencyWarning, as_dense, is_scalar, issparse

_SYMBOLS = {"equal": ("==", "!="), "less_equal": ("<=", ">"), "greater_equal": (">=", "<")}


def _warn_of_zeros(function: Any, number: Any = None) -> None:
    """Warn where a comparison holds for most of the zeros that are not stored."""
    symbol, instead = _SYMBOLS.get(function.__name__, (function.__name__, ""))
    what = "sparse matrices" if number is None else f"a sparse matrix with {number}"
    hint = f", try using {instead} instead" if instead and (number is None or number == 0) else ""
    text = f"Comparing {what} using {symbol} is inefficient{hint}."
    warnings.warn(text, SparseEfficiencyWarning, stacklevel=4)


class Comparisons(Arithmetic):
    """A sparse matrix of some format, with its comparisons."""

    def _compared(self, other: Any, function: Any) -> Any:
        form = "csc" if self.format == "csc" else "csr"
        if is_scalar(other):
            if other != other:
                return self._as(self.format)(function(self.toarray(), other))
            if not bool(function(np.zeros((), self.dtype), other)):
                lines = self._in_lines()._canonical()
                return lines._with_data(function(lines.data, other))._without_zeros()
            _warn_of_zeros(function, other)
            return self._as(form)(function(self.toarray(), other))
        if issparse(other):
            one, other = self._spread(other)
            if not bool(function(np.float64(0), np.float64(0))):
                return one._in_lines()._merged(other, function)
            _warn_of_zeros(function)
            return self._as(form)(function(one.toarray(), other.toarray()))
        other = as_dense(other)
        return NotImplemented if other is None else function(self.toarray(), other)

    def __eq__(self, other: Any) -> Any:
        return self._compared(other, cp.equal)

    def __ne__(self, other: Any) -> Any:
        return self._compared(other, cp.not_equal)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, cp.less)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, cp.less_equal)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, cp.greater)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, cp.greater_equal)
