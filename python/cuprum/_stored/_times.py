"""Dates and differences of dates: 64-bit counts of a unit, the lowest of which is no time (NaT)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._core import ndarray
from .._indexing.indexing import where
from ._array import AnswersAsNdarray, StoredArray, checked_dtype, names_element, upload
from ._time_ufuncs import call, operand_of, shown
from ._units import NAT, counts_in, of_kind

__all__ = ["TimeArray"]

_LATEST = np.iinfo(np.int64).max


class TimeArray(AnswersAsNdarray, StoredArray):
    """An array of datetime64 or timedelta64."""

    __slots__ = ()

    # Cuprum's ufuncs ask this class for what they give.
    _computes_ufuncs = True

    # -- counts -------------------------------------------------------------------------------------------

    @property
    def _ticks(self) -> ndarray:
        """The counts: a view of int64."""
        return self._bytes.view(np.int64)[..., 0]

    @staticmethod
    def of_ticks(ticks: ndarray, dtype: np.dtype[Any], base: Any = None) -> TimeArray:
        """Return counts as dates or differences, a view of them."""
        if ticks.size == 0:
            return TimeArray(_core.zeros((*ticks.shape, 8), np.uint8, "C"), dtype, base)
        return TimeArray(ticks[..., None].view(np.uint8), dtype, base)

    @staticmethod
    def uploaded(host: np.ndarray) -> TimeArray:
        """Return NumPy's dates on the current device."""
        native = host.astype(host.dtype.newbyteorder("="), copy=False)
        return TimeArray(upload(native), native.dtype)

    @property
    def _ordered(self) -> ndarray:
        """Counts less one: NaT wraps around, and comes last."""
        return self._ticks - 1

    def _of_numbers(self, numbers: ndarray) -> StoredArray:
        if numbers.dtype.kind == "f":
            lost = ~_core.ufuncs()["isfinite"](numbers)
            ticks = where(lost, NAT, where(lost, 0, numbers).astype(np.int64))
        elif numbers.dtype.kind == "c":
            return self._of_numbers(numbers.real)
        else:
            ticks = numbers.astype(np.int64)
        return TimeArray.of_ticks(ticks, self._dtype)

    def _converted(self, value: Any) -> StoredArray:
        if not isinstance(value, (StoredArray, ndarray, np.ndarray)):
            # Fractions are no times, one by one or in a list; an array of them is cut off.
            value = np.array(value, self._dtype)
        return super()._converted(value)

    def isnat(self) -> ndarray:
        """Return where there is no time."""
        return self._ticks == NAT

    # -- conversions --------------------------------------------------------------------------------------

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: Any = True, copy: bool = True
    ) -> Any:
        """Return the elements in another dtype; without a unit it takes that of this array."""
        target = np.dtype(dtype)
        if target.kind in "Mm" and target.isnative and np.datetime_data(target)[0] == "generic":
            target = of_kind(target.kind, self._dtype)
        return super().astype(target, order, casting, subok, copy)

    def _cast(self, target: np.dtype[Any]) -> Any:
        if target.isnative and target.kind in "biufc":
            return self._ticks.astype(target)
        if target.fields is not None:
            from ._making import stored_of

            # Each field gets all elements, as in NumPy.
            made = stored_of(_core.zeros((*self.shape, target.itemsize), np.uint8, "C"), target)
            made[...] = self
            return made
        if target.kind not in "Mm":
            return super()._cast(target)
        checked_dtype("astype", target)
        if target.kind != self._dtype.kind:
            # Dates and differences convert count by count, whatever their units: as NumPy does it.
            return TimeArray.of_ticks(self._ticks.copy(), target)
        ticks = counts_in(self._ticks, self._dtype, target)
        return TimeArray.of_ticks(ticks.copy() if ticks is self._ticks else ticks, target)

    def _taken_as(self, dtype: np.dtype[Any]) -> ndarray:
        """Return the counts in the unit of another dtype."""
        return counts_in(self._ticks, self._dtype, dtype)

    # -- arithmetic and comparison ------------------------------------------------------------------------

    def _stored_into(self, out: Any, result: Any, op: str, mask: Any, casting: Any) -> Any:
        """Store a result in `out`, where a mask says so."""
        if isinstance(out, TimeArray) and isinstance(result, ndarray) and not isinstance(result, StoredArray):
            if not np.can_cast(result.dtype, out.dtype, casting):
                raise TypeError(f"{op}: cannot cast from {result.dtype} to {out.dtype}")
            result = out._of_numbers(result)
        if isinstance(out, StoredArray) or isinstance(result, StoredArray):
            if isinstance(result, TimeArray) and _holds_counts(out, result.dtype, casting):
                _core.copyto(out, result._ticks, casting="unsafe", where=True if mask is None else mask)
                return out
            if not isinstance(out, StoredArray) or not isinstance(result, StoredArray):
                raise TypeError(f"{op}: cannot cast from {result.dtype} to {out.dtype}: give out= that dtype")
            if np.broadcast_shapes(result.shape, out.shape) != out.shape:
                raise ValueError(f"{op}: the result has shape {result.shape}, out has {out.shape}")
            out._copy_from(result, casting, True if mask is None else mask)
            return out
        _core.copyto(out, result, casting=casting, where=True if mask is None else mask)
        return out

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        from . import _time_reductions as reductions

        op = {"true_divide": "divide", "abs": "absolute"}.get(ufunc.__name__, ufunc.__name__)
        if method in ("reduce", "accumulate", "outer", "reduceat", "at"):
            return getattr(reductions, method)(op, *inputs, **keywords)
        if method != "__call__":
            return NotImplemented
        out, mask = keywords.pop("out", None), keywords.pop("where", None)
        casting, dtype = keywords.pop("casting", "same_kind"), keywords.pop("dtype", None)
        keywords.pop("order", None)
        if keywords:
            return NotImplemented
        if len(inputs) == ufunc.nin + 1:
            *inputs_, out = inputs
            inputs = tuple(inputs_)
        out = out[0] if isinstance(out, tuple) and len(out) == 1 else out
        if inputs and all(_is_number(value) for value in inputs):
            # Only the output is of dates or differences.
            return self._stored_into(out, _core.ufuncs()[op](*inputs), op, mask, casting)
        result = call(op, inputs)
        if result is NotImplemented and op in ("equal", "not_equal") and isinstance(ufunc, np.ufunc):
            # NumPy's own arrays and scalars come here for `==`, which never raises.
            other = inputs[1] if inputs[0] is self else inputs[0]
            return self._compared(other, op == "not_equal")
        if result is NotImplemented:
            raise TypeError(f"{op}: no loop for operands of dtypes {shown(inputs)}")
        if dtype is not None and not _is_kind(np.dtype(dtype), result.dtype.kind):
            raise TypeError(f"{op}: dtype= selects dates or differences as such, without a unit")
        if out is None and mask is not None and mask is not True:
            raise TypeError(f"{op}: where= needs out=, whose other elements stay as they are")
        if out is None:
            return result
        return self._stored_into(out, result, op, mask, casting)

    def _operated(self, op: str, *operands: Any) -> Any:
        result = call(op, operands)
        if result is NotImplemented and all(operand_of(value) is not None for value in operands):
            raise TypeError(f"{op}: no loop for operands of dtypes {shown(operands)}")
        return result

    def _in_place(self, op: str, other: Any) -> Any:
        result = self._operated(op, self, other)
        if result is NotImplemented:
            return NotImplemented
        return self._stored_into(self, result, op, None, "same_kind")

    def _compared(self, other: Any, differ: bool) -> Any:
        found = operand_of(other)
        if found is None and getattr(type(other), "__array_ufunc__", None) is not None:
            return NotImplemented
        result = NotImplemented if found is None else call("not_equal" if differ else "equal", (self, other))
        if result is NotImplemented:
            # What cannot be compared is not equal, as in NumPy.
            shape = np.broadcast_shapes(self.shape, getattr(other, "shape", ()))
            return _core.full(shape, differ, np.bool_, "C")
        return result

    def __contains__(self, value: Any) -> bool:
        return bool((self == value).any())

    # -- order --------------------------------------------------------------------------------------------

    def sort(self, axis: int = -1, kind: Any = None, order: Any = None) -> None:
        """Sort in place; what is no time comes last."""
        ticks = self._ordered
        ticks.sort(axis=axis)
        self._ticks[...] = ticks + 1

    def argsort(self, axis: Any = -1, kind: Any = None, order: Any = None) -> ndarray:
        """Return the positions that sort the elements; what is no time comes last."""
        return self._ordered.argsort(axis=axis, kind="stable")

    def argmin(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
        """Return the position of the earliest, or of the first that is no time."""
        return self._ticks.argmin(axis=axis, dtype=dtype, out=out, keepdims=keepdims)

    def argmax(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
        """Return the position of the latest, or of the first that is no time."""
        ticks = self._ticks
        return where(ticks == NAT, _LATEST, ticks).argmax(axis=axis, dtype=dtype, out=out, keepdims=keepdims)

    def nonzero(self) -> tuple[ndarray, ...]:
        """Return the positions of elements that are not zero."""
        return self._ticks.nonzero()

    def __bool__(self) -> bool:
        return bool(self._ticks)

    def _element(self) -> Any:
        """Return the only element as Python has it: a date, a difference, or a count of units it lacks."""
        int(self._ticks)
        return self.item()

    def __int__(self) -> int:
        return int(self._element())

    def __float__(self) -> float:
        return float(self._element())

    def __complex__(self) -> complex:
        return complex(self._element())

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.ndim and names_element(key, self.ndim):
            self._check_single("index", value)
        super().__setitem__(key, value)

    def _check_single(self, op: str, value: Any) -> None:
        if isinstance(value, (StoredArray, ndarray, np.ndarray)) and value.ndim:
            raise ValueError(f"{op}: one element is wanted, got an array of shape {tuple(value.shape)}")

    @property
    def real(self) -> TimeArray:
        """The elements themselves."""
        return self

    @property
    def imag(self) -> TimeArray:
        """Zeros."""
        return TimeArray.of_ticks(_core.zeros(self.shape, np.int64, "C"), self._dtype)


def _is_number(value: Any) -> bool:
    found = operand_of(value)
    return found is not None and found.kind not in "Mm"


def _holds_counts(out: Any, dtype: np.dtype[Any], casting: Any) -> bool:
    """Return whether a plain array takes counts of dates or differences by a rule of casting."""
    return issubclass(type(out), ndarray) and np.can_cast(dtype, out.dtype, casting)


def _is_kind(dtype: np.dtype[Any], kind: str) -> bool:
    """Return whether a dtype stands for all dates, or all differences: without a unit."""
    return dtype.kind == kind and (kind not in "Mm" or np.datetime_data(dtype)[0] == "generic")


def _with(function: Callable[..., Any], op: str, kind: str) -> Callable[..., Any]:
    def method(self: TimeArray, *others: Any) -> Any:
        return function(self, op, *others)

    method.__name__ = kind
    return method


_ARITHMETIC = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "divmod": "divmod",
}
for _name, _op in _ARITHMETIC.items():
    setattr(TimeArray, f"__{_name}__", _with(lambda a, op, b: a._operated(op, a, b), _op, _name))
    setattr(TimeArray, f"__r{_name}__", _with(lambda a, op, b: a._operated(op, b, a), _op, _name))
    if _name != "divmod":
        setattr(TimeArray, f"__i{_name}__", _with(lambda a, op, b: a._in_place(op, b), _op, _name))
for _name, _op in {
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}.items():
    setattr(TimeArray, f"__{_name}__", _with(lambda a, op, b: a._operated(op, a, b), _op, _name))
for _name, _op in {"neg": "negative", "pos": "positive", "abs": "absolute"}.items():
    setattr(TimeArray, f"__{_name}__", _with(lambda a, op: a._operated(op, a), _op, _name))
