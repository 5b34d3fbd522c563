"""The parts of an image that labels name."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._arguments import is_complex


def is_one_label(index: Any) -> bool:
    """Return whether an index is one label, not an array of them."""
    return np.ndim(index) == 0 and not isinstance(index, (list, tuple))


def with_labels(input: Any, labels: Any) -> tuple[ndarray, ndarray]:
    a, marks = as_array(input), as_array(labels)
    if a.shape != marks.shape:
        a, marks = cp.broadcast_arrays(a, marks)
    return a, marks


def chosen(input: Any, labels: Any, index: Any) -> ndarray | None:
    """Return the elements of the one part that is measured; None where there are several."""
    if labels is None:
        return as_array(input)
    if index is not None and not is_one_label(index):
        return None
    a, marks = with_labels(input, labels)
    return a[marks > 0] if index is None else a[marks == index]


class Parts:
    """The parts of an array that the labels of an index mark."""

    def __init__(self, labels: ndarray, index: Any) -> None:
        index = as_array(index)
        self.shape = index.shape
        self.wanted, self.place = cp.unique(index, return_inverse=True)
        self.place = self.place.reshape(-1)
        self.count = self.wanted.size
        found = cp.searchsorted(self.wanted, labels.ravel())
        nearest = cp.minimum(found, max(self.count - 1, 0))
        is_wanted = self.wanted[nearest] == labels.ravel() if self.count else cp.zeros(labels.size, bool)
        # The part of each element by its position among the labels; what belongs to none comes last.
        self.of_element = cp.where(is_wanted, nearest, self.count)

    def sums(self, values: ndarray) -> ndarray:
        """Return the sum of each part, in float64 or complex128."""
        flat = values.ravel()
        if is_complex(flat):
            return self.sums(flat.real) + 1j * self.sums(flat.imag)
        return cp.bincount(self.of_element, weights=flat, minlength=self.count + 1)[: self.count]

    def sizes(self) -> ndarray:
        """Return how many elements each part has."""
        return cp.bincount(self.of_element, minlength=self.count + 1)[: self.count]

    def given(self, values: ndarray) -> ndarray:
        """Return results of parts in the order and the shape of the index."""
        return values[self.place].reshape(self.shape)
