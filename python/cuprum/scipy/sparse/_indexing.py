"""Reading and writing parts of sparse matrices in compressed lines."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ._base import SparseEfficiencyWarning
from ._formats import LINES
from ._structure import has_room


def _longer_axes(a: ndarray) -> list[int]:
    """Return the lengths of an array's axes but for those of one, which count for nothing in assignments."""
    return [n for n in a.shape if n != 1]


class Indexing:
    """What ``a[...]`` means: numbers, slices, arrays, masks, along either axis or as pairs of positions."""

    def __getitem__(self, key: Any) -> Any:
        if key is None or isinstance(key, tuple) and any(part is None for part in key):
            return self._with_new_axis(key if isinstance(key, tuple) else (key,))
        row, col = self._key_parts(key)
        if isinstance(row, ndarray) and isinstance(col, ndarray):
            return self._points(row, col)
        for part in (row, col):
            if isinstance(part, ndarray) and part.ndim > 1:
                raise IndexError(f"positions of shape {part.shape} beside a slice lead to more than two axes")
        if isinstance(row, int) and isinstance(col, int):
            return self._points(cp.asarray([row]), cp.asarray([col]), as_array_of_points=True)[0]
        one_row, one_col = isinstance(row, int), isinstance(col, int)
        rows = slice(row, row + 1) if one_row else row
        columns = slice(col, col + 1) if one_col else col
        result = self._along(0, rows)._along(1, columns)
        if (one_row or one_col) and self._is_array:  # type: ignore[attr-defined]
            return result._as_line()
        return result.copy() if result is self else result  # type: ignore[attr-defined]

    def _with_new_axis(self, key: tuple[Any, ...]) -> Any:
        """Return what a key with None in it names: one line, with an axis of one before or after its own."""
        rest = tuple(part for part in key if part is not None)
        numbers = [isinstance(part, (int, np.integer)) for part in rest]
        if len(rest) != len(key) - 1 or sum(numbers) != 1:
            raise IndexError(f"an index with None must name one line of a sparse matrix, got {key!r}")
        found, at = self[rest], key.index(None)
        # The axis that is left stands before None where a slice of its own does.
        is_column = at > 0 and not all(numbers[:at])
        if not self._is_array:  # type: ignore[attr-defined]
            n = max(found.shape)
            return found.reshape((n, 1) if is_column else (1, n)).asformat(self.format)  # type: ignore[attr-defined]
        return found.reshape((-1, 1) if is_column else (1, -1)).asformat(self.format)  # type: ignore[attr-defined]

    def _key_parts(self, key: Any) -> tuple[Any, Any]:
        shape = self.shape  # type: ignore[attr-defined]
        if hasattr(key, "tocoo") and hasattr(key, "format"):
            # By rows, as in SciPy, however the mask is stored.
            coo = key.tocsr().tocoo() if key.format == "csc" else key.tocoo()
            # A mask of SciPy's has its positions on the host.
            return cp.asarray(coo.row[coo.data != 0]), cp.asarray(coo.col[coo.data != 0])
        if not isinstance(key, tuple):
            mask = as_array(key) if isinstance(key, (list, np.ndarray, ndarray)) else None
            if mask is not None and mask.dtype == np.bool_ and mask.ndim == 2:
                if mask.shape != shape:
                    raise IndexError(f"boolean index shape {mask.shape} does not match the shape {shape}")
                return tuple(cp.nonzero(mask))  # type: ignore[return-value]
            key = (key, slice(None))
        # New axes change nothing where elements are written; where they are read, they are gone by now.
        key = tuple(part for part in key if part is not None)
        if any(part is Ellipsis for part in key):
            at = next(i for i, part in enumerate(key) if part is Ellipsis)
            fill = (slice(None),) * (3 - len(key))
            key = (*key[:at], *fill, *key[at + 1 :])
        if len(key) < 2:
            key = (*key, *(slice(None),) * (2 - len(key)))
        if len(key) != 2:
            raise IndexError(f"invalid index: {len(key)} positions for two axes")
        row, col = (self._one_part(part, axis) for axis, part in enumerate(key))
        if isinstance(row, ndarray) and isinstance(col, ndarray):
            row, col = cp.broadcast_arrays(row, col)
        return row, col

    def _one_part(self, part: Any, axis: int) -> Any:
        n = self.shape[axis]  # type: ignore[attr-defined]
        if isinstance(part, slice):
            return part
        if isinstance(part, (int, np.integer)) and not isinstance(part, (bool, np.bool_)):
            if not -n <= part < n:
                raise IndexError(f"index ({part}) out of range for axis {axis} with size {n}")
            return int(part) % n
        try:
            positions = as_array(part)
        except TypeError:
            raise IndexError(f"index must be integers, slices or masks, got {part!r}") from None
        if positions.dtype == np.bool_:
            if positions.ndim != 1 or positions.size != n:
                raise IndexError(f"boolean index of shape {positions.shape} for axis {axis} with size {n}")
            return cp.flatnonzero(positions)
        if positions.size == 0:
            return positions.astype(np.int64)
        if positions.dtype.kind not in "iu":
            raise IndexError(f"index must be integers, slices or masks, got {positions.dtype}")
        if positions.ndim == 0:
            return self._one_part(int(positions), axis)
        low, high = int(positions.min()), int(positions.max())
        if low < -n or high >= n:
            raise IndexError(
                f"index ({high if high >= n else low}) out of range for axis {axis} with size {n}"
            )
        return cp.where(positions < 0, positions + n, positions).astype(np.int64)

    def _along(self, axis: int, part: Any) -> Any:
        """Return the lines of one axis that a slice or positions name."""
        n = self.shape[axis]  # type: ignore[attr-defined]
        if isinstance(part, slice):
            begin, end, step = part.indices(n)
            if (begin, end, step) == (0, n, 1):
                return self
            if axis != self._major:  # type: ignore[attr-defined]
                return self._slice_across(begin, end, step)
            part = cp.arange(begin, end, step)
        if axis == self._major:  # type: ignore[attr-defined]
            return self._take_lines(part)
        if not has_room(n, self.indices.size):  # type: ignore[attr-defined]
            return self._take_few_across(part)
        other = self.asformat("csc" if self.format == "csr" else "csr")  # type: ignore[attr-defined]
        return other._take_lines(part).asformat(self.format)  # type: ignore[attr-defined]

    def _slice_across(self, begin: int, end: int, step: int) -> Any:
        """Return every `step`-th place of all lines from `begin` up to `end`; lines keep their order."""
        length = len(range(begin, end, step))
        place, rest = cp.divmod(self.indices.astype(np.int64) - begin, step)  # type: ignore[attr-defined]
        found = self._kept((rest == 0) & (place >= 0) & (place < length))  # type: ignore[attr-defined]
        place = (found.indices.astype(np.int64) - begin) // step
        shape = list(self.shape)  # type: ignore[attr-defined]
        shape[1 - self._major] = length  # type: ignore[attr-defined]
        known = self._canonical_known if step > 0 else None  # type: ignore[attr-defined]
        return self._made(found.data, place.astype(found.indices.dtype), found.indptr, tuple(shape), known)  # type: ignore[attr-defined]

    def _take_few_across(self, positions: ndarray) -> Any:
        """Return some places of all lines, from the stored elements alone: places are many more."""
        order = cp.argsort(positions, kind="stable")
        wanted = positions[order]
        first = cp.searchsorted(wanted, self.indices)  # type: ignore[attr-defined]
        counts = cp.searchsorted(wanted, self.indices, side="right") - first  # type: ignore[attr-defined]
        element = cp.repeat(cp.arange(counts.size), counts)
        ends = cp.cumsum(counts)
        rank = cp.arange(element.size) - (ends - counts)[element]
        line = self._lines()[element]  # type: ignore[attr-defined]
        place = order[first[element] + rank]
        pair = (line, place) if self._major == 0 else (place, line)  # type: ignore[attr-defined]
        shape = list(self.shape)  # type: ignore[attr-defined]
        shape[1 - self._major] = int(positions.size)  # type: ignore[attr-defined]
        made = self._as("coo")._made  # type: ignore[attr-defined]
        return made(self.data[element], *pair, tuple(shape)).asformat(self.format)  # type: ignore[attr-defined]

    def _take_lines(self, lines: ndarray) -> Any:
        indptr, major = self.indptr, self._major  # type: ignore[attr-defined]
        counts = cp.diff(indptr)[lines] if indptr.size > 1 else cp.zeros(lines.size, indptr.dtype)
        starts = cp.zeros(lines.size + 1, indptr.dtype)
        starts[1:] = cp.cumsum(counts)
        total = int(starts[-1])
        shape = list(self.shape)  # type: ignore[attr-defined]
        shape[major] = int(lines.size)
        # Element k of the result is the (k - start of its line)-th of the line that was asked for.
        shift = cp.repeat(indptr[lines] - starts[:-1], counts) if total else cp.zeros(0, indptr.dtype)
        at = cp.arange(total) + shift
        made = type(self)._made  # type: ignore[attr-defined]
        known = self._canonical_known  # type: ignore[attr-defined]
        return made(self.data[at], self.indices[at], starts, (shape[0], shape[1]), known)  # type: ignore[attr-defined]

    def _points(self, row: ndarray, col: ndarray, as_array_of_points: bool = False) -> Any:
        """Return the elements at pairs of positions: a matrix of one row, or of the positions' shape."""
        a = self._canonical()  # type: ignore[attr-defined]
        key = a._key()
        major, minor = (row, col) if self._major == 0 else (col, row)  # type: ignore[attr-defined]
        wanted = major.ravel().astype(np.int64) * max(self.shape[1 - self._major], 1) + minor.ravel()  # type: ignore[attr-defined]
        values = cp.zeros(wanted.size, a.dtype)
        if key.size and wanted.size:
            at = cp.minimum(cp.searchsorted(key, wanted), key.size - 1)
            values = cp.where(key[at] == wanted, a.data[at], a.dtype.type(0))
        if as_array_of_points:
            return values
        if row.size == 0 and not self._is_array:  # type: ignore[attr-defined]
            return type(self)((1, 0) if row.ndim < 2 else row.shape, dtype=a.dtype)  # type: ignore[call-arg]
        if row.size == 0 and row.ndim == 1:
            return LINES["coo"](values)
        if row.ndim == 2:
            return self._as(self.format)(values.reshape(row.shape))  # type: ignore[attr-defined]
        return values if self._is_array else values.reshape(1, -1)  # type: ignore[attr-defined]

    def __setitem__(self, key: Any, value: Any) -> None:
        stored = self.indices.size  # type: ignore[attr-defined]
        self._assign(key, value)
        if self.indices.size > stored:  # type: ignore[attr-defined]
            name = type(self).__name__
            text = (
                f"Changing the sparsity structure of a {name} is expensive. lil and dok are more efficient."
            )
            warnings.warn(text, SparseEfficiencyWarning, stacklevel=2)

    def _assign(self, key: Any, value: Any) -> None:
        row, col = self._key_parts(key)
        shape = self.shape  # type: ignore[attr-defined]
        if not isinstance(row, slice) and not isinstance(col, slice):
            # A number is broadcast against an array.
            row, col = cp.broadcast_arrays(cp.asarray(row), cp.asarray(col))
        else:

            def positions(part: Any, axis: int) -> ndarray:
                if isinstance(part, slice):
                    return cp.arange(*part.indices(shape[axis]))
                return cp.asarray(part).reshape(-1)

            row, col = cp.broadcast_arrays(positions(row, 0)[:, None], positions(col, 1)[None, :])
        is_sparse = hasattr(value, "toarray")
        values = cp.asarray(value.toarray()) if is_sparse else as_array(value)
        if is_sparse and row.ndim == 1:
            # Places in one dimension take a sparse value as a row.
            row, col = row[None, :], col[None, :]
        dtype = self.dtype  # type: ignore[attr-defined]
        if not (is_sparse and values.ndim == row.ndim == 2) and _longer_axes(values) == _longer_axes(row):
            values = values.reshape(row.shape)
        spread = cp.broadcast_to(values.astype(dtype), row.shape).ravel()
        major, minor = (row, col) if self._major == 0 else (col, row)  # type: ignore[attr-defined]
        width = max(shape[1 - self._major], 1)  # type: ignore[attr-defined]
        wanted = major.ravel().astype(np.int64) * width + minor.ravel()
        a = self._canonical()  # type: ignore[attr-defined]
        if is_sparse:
            # Zeros of a sparse value are stored only where something is stored already.
            kept = (spread != 0) | cp.isin(wanted, a._key())
            wanted, spread = wanted[kept], spread[kept]
        # Of values for one place the last one counts: they come in order, behind what is there.
        keys = cp.concatenate((a._key(), wanted))
        order = cp.argsort(keys, kind="stable")
        keys = keys[order]
        is_last = (
            cp.concatenate((keys[1:] != keys[:-1], cp.ones(1, bool))) if keys.size else cp.zeros(0, bool)
        )
        data = cp.concatenate((a.data, spread))[order][is_last]
        other = self._of_key(keys[is_last], data)  # type: ignore[attr-defined]
        self._set(other.data, other.indices, other.indptr, shape, True)  # type: ignore[attr-defined]
