"""Structures and plain bytes: fields as views, comparison, conversion field by field."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _core
from .._core import ndarray
from ._array import AnswersAsNdarray, StoredArray, _names, is_stored, names_element

__all__ = ["RecordArray"]


class RecordArray(AnswersAsNdarray, StoredArray):
    """An array of structures, or of elements that are nothing but bytes."""

    __slots__ = ("_is_single",)

    @property
    def _shares_elements(self) -> bool:  # type: ignore[override]
        return self._dtype.fields is not None

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            field = self._field(key)
            # A number of a single structure is a value of its own, as all single elements are.
            return field[()] if field.ndim == 0 and getattr(self, "_is_single", False) else field
        if _names(key):
            return self._fields(key)
        found = super().__getitem__(key)
        found._is_single = names_element(key, self.ndim)
        return found

    def _field(self, name: str) -> Any:
        """Return a field as a view."""
        fields = self._dtype.fields
        if fields is None or name not in fields:
            raise ValueError(f"index: no field of name {name!r} in dtype {self._dtype}")
        dtype, offset = fields[name][:2]
        base = self if self.base is None else self.base
        element, inner = (dtype, ()) if dtype.subdtype is None else dtype.subdtype
        data = self._bytes[..., offset : offset + dtype.itemsize]
        if inner:
            # The bytes of an element lie together, so that this splits one axis and copies nothing.
            data = data.reshape((*self.shape, *inner, element.itemsize), copy=False)
        if self.size and (not is_stored(element) or element.kind in "Mm"):
            self._check_aligned(name, element, offset, data)
        if is_stored(element):
            from ._making import stored_of

            return stored_of(data, element, base, self._pitch and math.gcd(self._pitch, offset))
        if self.size == 0:
            return _core.empty((*self.shape, *inner), element, "C")
        return data.view(element)[..., 0]

    def sort(self, axis: int = -1, kind: Any = None, order: Any = None) -> None:
        """Sort in place, by the named fields and then by all others."""
        from ._record_order import sort_records

        self[...] = sort_records("sort", self, axis, order)

    def argsort(self, axis: int = -1, kind: Any = None, order: Any = None) -> ndarray:
        """Return the positions that sort the elements, by the named fields and then by all others."""
        from ._record_order import argsort_records

        return argsort_records("argsort", self, axis, order)

    def _check_aligned(self, name: str, element: np.dtype[Any], offset: int, data: ndarray) -> None:
        """Raise where a field does not lie at multiples of its size."""
        step = element.itemsize if element.kind != "c" else element.itemsize // 2
        # The address is asked for only where nothing else can tell: who knows it can write at any time.
        start = self._pitch or self.ptr
        if any(stride % step for stride in data.strides[:-1]) or offset % step or start % step:
            raise ValueError(
                f"index: result array with dtype {element} would not be sufficiently aligned for GPU "
                f"operations: field {name!r} lies at byte {offset} of {self.itemsize}; lay the structure out "
                "by cuprum.make_aligned_dtype, or by np.dtype(..., align=True)"
            )

    def _fields(self, names: list[str]) -> Any:
        """Return some fields, in the order of their names, as a view."""
        fields: Any = self._dtype.fields or {}
        missing = [name for name in names if name not in fields]
        if missing:
            raise KeyError(f"index: no field of name {missing[0]!r} in dtype {self._dtype}")
        dtype = np.empty(0, self._dtype)[names].dtype
        return self._view(self._bytes, dtype)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str) or _names(key):
            field = self._field(key) if isinstance(key, str) else self._fields(key)
            field[...] = value
            return
        if self._dtype.fields is None:
            super().__setitem__(key, value)
            return
        target = self if key is Ellipsis else StoredArray.__getitem__(self, key)
        is_view = key is Ellipsis or _is_basic(key)
        if not is_view:
            # Positions and masks have no view: the new elements are put together first.
            new = StoredArray.__getitem__(self, key).copy()
            new[...] = value
            self._bytes[self._key(key)] = new._bytes
            return
        if isinstance(value, RecordArray) and value._dtype == self._dtype and _is_full(self._dtype):
            target._bytes[...] = value._bytes
            return
        if not isinstance(value, (StoredArray, _core.ndarray)):
            value = self._converted(value)
        target._assign(value)

    def _converted(self, value: Any) -> StoredArray:
        if self._dtype.fields is not None and not isinstance(value, (StoredArray, ndarray)):
            made: StoredArray = self._like(_uploaded(_as_host(value, self._dtype)))
            return made
        return super()._converted(value)

    def _assign(self, value: Any) -> None:
        """Store structures field by field, by their order; numbers into every field."""
        names = self._dtype.names or ()
        if isinstance(value, RecordArray) and value._dtype.fields is not None:
            theirs = value._dtype.names or ()
            if len(theirs) != len(names):
                raise ValueError(
                    f"setitem: structures of {len(names)} and {len(theirs)} fields cannot be assigned"
                )
            if value._dtype == self._dtype:
                fields: Any = self._dtype.fields
                for name in names:
                    dtype, offset = fields[name][:2]
                    part = slice(offset, offset + dtype.itemsize)
                    self._bytes[..., part] = value._bytes[..., part]
                return
            for mine, other in zip(names, theirs, strict=True):
                self._assign_field(self._field(mine), value[other], value.ndim)
            return
        for name in names:
            self._assign_field(self._field(name), value, value.ndim)

    def _assign_field(self, field: Any, value: Any, ndim: int) -> None:
        """Store values in a field of this array: the first `ndim` axes of values are those of structures."""
        if isinstance(value, RecordArray) and not isinstance(field, RecordArray):
            # NumPy takes a structure of one field for what it holds.
            names = value._dtype.names or ()
            if len(names) != 1:
                raise TypeError(f"setitem: structures of dtype {value.dtype} do not go into {field.dtype}")
            self._assign_field(field, value[names[0]], ndim)
            return
        wanted = tuple(field.shape[self.ndim :])
        if tuple(value.shape[ndim:]) == wanted:
            field[...] = value
            return
        value, common = _fitted(value, ndim, wanted)
        if common == wanted:
            field[...] = value
            return
        # Elements that the values do not have are zeros.
        field[...] = 0
        inner = (..., *(slice(length) for length in common))
        field[inner] = value

    def _of_numbers(self, numbers: ndarray) -> StoredArray:
        if self._dtype.fields is not None:
            made: RecordArray = self._like(_core.zeros((*numbers.shape, self.itemsize), np.uint8, "C"))
            made._assign(numbers)
            return made
        size = numbers.dtype.itemsize
        dense = numbers if numbers.flags.c_contiguous else numbers.copy()
        data = dense.reshape((*numbers.shape, 1)).view(np.uint8)
        resized: RecordArray = self._like(_resized(data, size, self.itemsize))
        return resized

    def _cast(self, target: np.dtype[Any]) -> Any:
        if target.fields is not None and self._dtype.fields is not None:
            made = self._like(_core.zeros((*self.shape, target.itemsize), np.uint8, "C"), target)
            made._assign(self)
            return made
        names = self._dtype.names or ()
        if len(names) == 1 and target.kind != "V":
            return self.single_field().astype(target)
        if target.kind == "V" and target.fields is None:
            return self._like(_resized(self._bytes, self.itemsize, target.itemsize), target)
        return super()._cast(target)

    def single_field(self) -> Any:
        """Return what structures of one field hold, which NumPy takes for the structures themselves."""
        (name,) = self._dtype.names or ()
        return _fitted(self[name], self.ndim, ())[0]

    def _compared(self, other: Any, differ: bool) -> Any:
        fields = self._dtype.fields
        if isinstance(other, (np.ndarray, np.void)) and other.dtype.kind == "V":
            from ._making import made_of

            other = made_of(np.asarray(other))
        if fields is None or not isinstance(other, RecordArray):
            plain = (StoredArray, np.ndarray, np.generic, _core.ndarray, bool, int, float, complex)
            if fields is not None and isinstance(other, plain):
                raise TypeError("equal: cannot compare structured and non-structured dtypes")
            return super()._compared(other, differ)
        if other._dtype.fields is None:
            raise TypeError("equal: cannot compare structured and non-structured dtypes")
        try:
            np.result_type(self._dtype, other._dtype)
        except TypeError as error:
            raise TypeError(f"equal: structures have no common dtype: {error}") from None
        same: Any = True
        for mine, theirs in zip(self._dtype.names or (), other._dtype.names or (), strict=True):
            left, right = self[mine], other[theirs]
            equal = left == right
            inner = equal.ndim - max(self.ndim, other.ndim)
            same = same & (equal.all(axis=tuple(range(-inner, 0))) if inner else equal)
        return ~same if differ else same


def _fitted(value: Any, ndim: int, wanted: tuple[int, ...]) -> tuple[Any, tuple[int, ...]]:
    """Return elements with the axes that a field's have, and which lengths of the field's they fill.

    As in NumPy, axes that are too many are left out, axes of length one are broadcast, and longer ones cut.
    """
    outer, inner = tuple(value.shape[:ndim]), tuple(value.shape[ndim:])
    first = (*(slice(None),) * ndim, 0)
    for _ in range(len(inner) - len(wanted)):
        value = value[first]
    inner = (1,) * (len(wanted) - len(inner)) + inner[max(len(inner) - len(wanted), 0) :]
    value = value.reshape((*outer, *inner))
    common = tuple(
        length if given == 1 else min(given, length) for given, length in zip(inner, wanted, strict=True)
    )
    kept = (..., *(slice(length) for length in common))
    return value[kept], common


def _is_basic(key: Any) -> bool:
    items = key if isinstance(key, tuple) else (key,)
    return all(
        item is None or item is Ellipsis or isinstance(item, (int, np.integer, slice)) for item in items
    )


def _is_full(dtype: np.dtype[Any]) -> bool:
    """Return whether fields leave no byte out."""
    return sum(field[0].itemsize for field in (dtype.fields or {}).values()) == dtype.itemsize


def _as_host(value: Any, dtype: np.dtype[Any]) -> np.ndarray:
    """Return values of the host as structures: a tuple is one, an array or a number fills all fields."""
    if isinstance(value, (np.ndarray, np.generic)):
        source = np.asarray(value)
        made = np.empty(source.shape, dtype)
        made[...] = source
        return made
    if isinstance(value, (int, float, complex, bool)):
        made = np.empty((), dtype)
        made[...] = value
        return made
    return np.array(value, dtype)


def _uploaded(host: np.ndarray) -> ndarray:
    from ._array import upload

    return upload(host)


def _resized(data: ndarray, size: int, wanted: int) -> ndarray:
    """Return elements with bytes cut off, or zeros added."""
    if size == wanted:
        return data.copy()
    made = _core.zeros((*data.shape[:-1], wanted), np.uint8, "C")
    common = min(size, wanted)
    made[..., :common] = data[..., :common]
    return made
