"""The base: an array of bytes, shown with another dtype."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import _core, _on_host
from .._convert import normalize_axes, normalize_axis
from .._core import ndarray

__all__ = ["AnswersAsNdarray", "StoredArray", "checked_dtype", "is_stored", "names_element", "upload"]


# Sizes of numbers that the engine has, by kind.
_SIZES = {"i": (2, 4, 8), "u": (2, 4, 8), "f": (2, 4, 8), "c": (8, 16)}


def is_stored(dtype: Any) -> bool:
    """Return whether arrays of a `numpy.dtype` are stored: no numbers of the machine's order of bytes."""
    if not isinstance(dtype, np.dtype):
        return False
    swapped = not dtype.isnative and dtype.itemsize in _SIZES.get(dtype.kind, ())
    return swapped or dtype.kind in "VMm"


def refuse_objects(op: str, dtype: np.dtype[Any]) -> None:
    """Raise for a dtype that holds Python objects: memory that NumPy has not made holds no references."""
    if dtype.hasobject:
        raise ValueError(
            f"{op}: dtype {dtype} holds Python objects, which have no place on a device; "
            "keep such a field in a NumPy array"
        )


def checked_dtype(op: str, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return a dtype of which arrays can be stored."""
    refuse_objects(op, dtype)
    if dtype.subdtype is not None or dtype.kind not in "VMmiufc":
        raise TypeError(f"{op}: dtype {dtype} is not supported")
    if dtype.itemsize == 0:
        raise TypeError(f"{op}: elements of dtype {dtype} have no bytes: not supported")
    if dtype.kind in "Mm" and not dtype.isnative:
        raise TypeError(f"{op}: dates of another order of bytes are not supported, got {dtype}; use astype")
    return dtype


def upload(host: np.ndarray) -> ndarray:
    """Return the bytes of a NumPy array on the current device, those of an element along the last axis."""
    dense = np.ascontiguousarray(host).reshape(-1)
    return _core.array(dense.view(np.uint8).reshape(*host.shape, host.dtype.itemsize), None, True, "C", 0)


class AnswersAsNdarray:
    """`isinstance(a, cp.ndarray)` holds for an array of this kind, though the engine takes it for none.

    Programs ask that of every array. The class itself is apart, so that no function of the engine computes
    with the bytes. It stands alone because a class body that sets `__class__` has no `super()`.
    """

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> type[ndarray]:  # type: ignore[override]
        return ndarray


class StoredArray:
    """An array whose elements are kept and not computed with; `cp.array`, `cp.zeros` and `a.view` make them.

    Indexing, fields, assignments, copies, shapes and conversions work as NumPy's do, on the device. `view`
    with a dtype of numbers gives a plain array of the same memory.

    Examples
    --------
    >>> a = cp.zeros(3, dtype=[("x", "f4"), ("n", "i4")])
    >>> a["x"] += 1.5
    >>> a["x"]
    array([1.5, 1.5, 1.5], dtype=float32)
    """

    __slots__ = ("__weakref__", "_bytes", "_dtype", "_is_element", "_pitch", "base")

    # What functions that take plain arrays too look for.
    _is_stored = True
    # Whether `a[i]` of a single element is a view, as NumPy's structures are, and not a value of its own.
    _shares_elements = False

    def __init__(
        self, data: ndarray, dtype: np.dtype[Any], base: Any = None, pitch: int | None = None
    ) -> None:
        # A function of bytes may lay out its result by other axes: elements are whole.
        apart = data.size > 0 and data.shape[-1] > 1 and data.strides[-1] != 1
        self._bytes = data.copy() if apart else data
        self._dtype = dtype
        self.base = base
        # What the offset of every element in its memory is a multiple of; 0 where only the address can tell.
        self._pitch = dtype.itemsize if pitch is None else pitch
        self._is_element = False

    def _like(self, data: ndarray, dtype: np.dtype[Any] | None = None) -> Any:
        """Return new bytes as an array of the same kind."""
        return type(self)(data, self._dtype if dtype is None else dtype)

    def _view(self, data: ndarray, dtype: np.dtype[Any] | None = None) -> Any:
        """Return bytes of this array as one of the same kind."""
        base = self if self.base is None else self.base
        return type(self)(data, self._dtype if dtype is None else dtype, base, self._pitch)

    # -- attributes ---------------------------------------------------------------------------------------

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype, NumPy's own object."""
        return self._dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return tuple(self._bytes.shape[:-1])

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._bytes.ndim - 1

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self._dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """The bytes from one element to the next along each axis."""
        return tuple(self._bytes.strides[:-1])

    @property
    def flags(self) -> Any:
        """How the elements lie in memory."""
        # Plain bytes: NumPy makes no strided view of a structure with padding.
        element = np.empty(1, f"V{self.itemsize}")
        writeable = bool(self._bytes.flags.writeable)
        stand_in = np.lib.stride_tricks.as_strided(element, self.shape, self.strides, writeable=writeable)
        return stand_in.flags

    @property
    def device(self) -> Any:
        """The device that the elements are on."""
        return self._bytes.device

    @property
    def data(self) -> Any:
        """A pointer to the first element."""
        return self._bytes.data

    @property
    def ptr(self) -> int:
        """The address of the first element, by which kernels are given the array."""
        return int(self._bytes.data.ptr)

    @property
    def mem(self) -> Any:
        """The memory that the elements lie in."""
        return self._bytes.data.mem

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self._is_element:
            raise AttributeError(
                "__cuda_array_interface__: a single element taken by an index is a copy, and what is written "
                "there would be lost: pass a view such as a[i, ...]"
            )
        interface = dict(self._bytes.__cuda_array_interface__)
        interface["shape"] = self.shape
        interface["typestr"] = self._dtype.str
        try:
            interface["descr"] = self._dtype.descr
        except ValueError as error:
            # The interface cannot describe fields that are not in the order of their offsets.
            raise AttributeError(f"__cuda_array_interface__: {error}") from None
        strides = interface.get("strides")
        interface["strides"] = None if strides is None else tuple(strides[:-1])
        return interface

    @property
    def T(self) -> Any:  # noqa: N802 - NumPy's name
        """A view with the axes reversed."""
        return self.transpose()

    # -- to the host and back -----------------------------------------------------------------------------

    def get(self, stream: Any = None, order: Any = "C", out: Any = None, blocking: bool = True) -> Any:
        """Return a copy on the host, as a NumPy array."""
        dense = self._bytes if self._bytes.flags.c_contiguous else self._bytes.copy()
        host = dense.get(stream, "C", None, True).reshape(-1).view(self._dtype).reshape(self.shape)
        if out is not None:
            np.copyto(out, host)
            return out
        return np.asfortranarray(host) if order == "F" else host

    def set(self, arr: Any, stream: Any = None) -> None:
        """Copy a NumPy array of the same shape into this one."""
        if np.shape(arr) != self.shape:
            raise ValueError(f"set: shapes differ, got {np.shape(arr)} and {self.shape}")
        self[...] = arr

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        host = np.asarray(self._bytes)
        host = np.ascontiguousarray(host).reshape(-1).view(self._dtype).reshape(self.shape)
        return host if dtype is None else host.astype(dtype)

    def __array_function__(self, function: Any, types: Any, args: Any, keywords: Any) -> Any:
        """Run Cuprum's function of the same name in place of NumPy's, or NumPy's own where there is none."""
        path = function.__module__.replace("numpy", "cuprum", 1)
        found = getattr(sys.modules.get(path), function.__name__, None)
        if found is None:
            return _on_host.call(function, args, keywords, (ndarray, StoredArray))
        return found(*args, **keywords)

    def tolist(self) -> Any:
        """Return the elements as Python's objects, in lists."""
        return self.get().tolist()

    def item(self, *args: Any) -> Any:
        """Return one element as an object of Python's."""
        return self.get().item(*args)

    def tobytes(self, order: Any = "C") -> bytes:
        """Return the bytes of all elements."""
        return bytes(self.get().tobytes(order))

    def __reduce__(self) -> Any:
        return _restore, (self.get(),)

    def __repr__(self) -> str:
        return repr(self.get())

    def __str__(self) -> str:
        return str(self.get())

    # -- indexing -----------------------------------------------------------------------------------------

    def _key(self, key: Any) -> Any:
        """Return an index that leaves the bytes of an element alone."""
        items = key if isinstance(key, tuple) else (key,)
        if any(item is Ellipsis for item in items):
            return (*items, slice(None))
        taken = sum(_axes_of(item) for item in items)
        if taken > self.ndim:
            raise IndexError(
                f"index: too many indices for array: it has {self.ndim} dimensions, but {taken} were indexed"
            )
        return (*items, Ellipsis, slice(None))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str) or _names(key):
            raise IndexError(f"index: dtype {self._dtype} has no fields")
        found = self._bytes[self._key(key)]
        if self._shares_elements or not names_element(key, self.ndim):
            return self._view(found)
        element = self._like(found.copy())
        element._is_element = True
        return element

    def _write_through(self) -> bool:
        """Return whether a single element taken by an index can become a view of its place: never."""
        return False

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str) or _names(key):
            self[key][...] = value
            return
        self._bytes[self._key(key)] = self._converted(value)._bytes

    def _converted(self, value: Any) -> StoredArray:
        """Return something as elements of this dtype, to be stored or compared."""
        if isinstance(value, StoredArray):
            return value if value._dtype == self._dtype else value.astype(self._dtype)
        if isinstance(value, ndarray):
            return self._of_numbers(value)
        host = np.asarray(value)
        if host.dtype != self._dtype:
            host = host.astype(self._dtype) if host.dtype.kind != "O" else np.array(value, self._dtype)
        made: StoredArray = self._like(upload(host))
        return made

    def _copy_from(self, source: Any, casting: Any, where: Any) -> None:
        """Store elements for `copyto`, if the casting allows it, and only where a mask says so."""
        if not isinstance(source, (StoredArray, ndarray, np.ndarray)):
            # A number is cast as an array of it is: fractions are cut off, and integers wrap around.
            host = np.asarray(source)
            source = source if host.dtype.kind == "O" else host
        given = getattr(source, "dtype", None) or np.asarray(source).dtype
        if not np.can_cast(given, self._dtype, casting):
            raise TypeError(
                f"copyto: cannot cast from {given!r} to {self._dtype!r} according to the rule {casting!r}"
            )
        if where is True:
            self[...] = source
            return
        mask = _core.broadcast_to(_core.array(where, np.bool_, None, "K"), self.shape)
        new = self.copy()
        new[...] = source
        self._bytes[mask] = new._bytes[mask]

    def _of_numbers(self, numbers: ndarray) -> StoredArray:
        """Return a plain array as elements of this dtype."""
        raise TypeError(f"numbers of dtype {numbers.dtype} cannot be stored as {self._dtype}")

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def fill(self, value: Any) -> None:
        """Set all elements to a value."""
        self._check_single("fill", value)
        self[...] = value

    def _check_single(self, op: str, value: Any) -> None:
        """Raise where several values are given for one element."""
        is_list = isinstance(value, list)
        if (
            is_list
            or isinstance(value, (StoredArray, ndarray, np.ndarray))
            and value.ndim
            and value.size != 1
        ):
            shape = np.shape(value) if is_list else tuple(value.shape)
            raise ValueError(f"{op}: one element is wanted, got a sequence of shape {shape}")

    def _filled_with(self, value: Any) -> Any:
        """Set all elements to a value as `full` does, which casts it."""
        self._copy_from(value, "unsafe", True)
        return self

    def take(self, indices: Any, axis: Any = None) -> Any:
        """Return the elements at positions along an axis."""
        source = self.ravel() if axis is None else self
        place = 0 if axis is None else normalize_axis("take", axis, self.ndim)
        before = (slice(None),) * place
        return source[before + (indices,)]  # noqa: RUF005 - Python 3.10 has no stars in an index

    # -- shapes, copies, conversions ----------------------------------------------------------------------

    def copy(self, order: Any = "C") -> Any:
        """Return a copy."""
        if order == "F":
            axes = (*range(self.ndim)[::-1], self.ndim)
            return self._like(self._bytes.transpose(axes).copy().transpose(axes))
        return self._like(self._bytes.copy())

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def reshape(self, *shape: Any, order: Any = "C", copy: Any = None) -> Any:
        """Return the elements under another shape: a view where that is possible."""
        dims = shape[0] if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)) else shape
        if order not in ("C", "F", "A"):
            raise ValueError(f"reshape: order must be one of 'C', 'F', or 'A' (got {order!r})")
        dims = _resolved(tuple(operator.index(d) for d in dims), self.size)
        flags = self.flags if order == "A" else None
        if order == "F" or (flags is not None and flags.f_contiguous and not flags.c_contiguous):
            return self.transpose().reshape(dims[::-1], copy=copy).transpose()
        return self._view(self._bytes.reshape((*dims, self.itemsize), copy=copy))

    def ravel(self, order: Any = "C") -> Any:
        """Return the elements in one dimension, next to each other: a view where they are."""
        flat = self.reshape(-1, order="A" if order == "K" else order)
        return flat if flat.size < 2 or flat.strides[0] == self.itemsize else flat.copy()

    def flatten(self, order: Any = "C") -> Any:
        """Return a copy of the elements in one dimension."""
        return self.ravel(order).copy()

    def transpose(self, *axes: Any) -> Any:
        """Return a view with the axes in another order."""
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], (int, np.integer)) else axes
        order = tuple(range(self.ndim)[::-1]) if not axes or order is None else tuple(order)
        if len(order) != self.ndim:
            raise ValueError(f"transpose: axes don't match array: got {len(order)} axes for {self.ndim}")
        order = normalize_axes("transpose", order, self.ndim)
        return self._view(self._bytes.transpose((*order, self.ndim)))

    def squeeze(self, axis: Any = None) -> Any:
        """Return a view without axes of length one."""
        if axis is None:
            axes = tuple(i for i, n in enumerate(self.shape) if n == 1)
        else:
            alone = not self.ndim and axis in (0, -1)
            axes = () if alone else normalize_axes("squeeze", axis, self.ndim)
            if any(self.shape[i] != 1 for i in axes):
                raise ValueError("squeeze: cannot select an axis whose length is not one")
        dims = tuple(n for i, n in enumerate(self.shape) if i not in axes)
        return self.reshape(dims)

    def _spread(self, shape: tuple[int, ...]) -> Any:
        """Return a view in a shape that this one's broadcasts to."""
        return self._view(_core.broadcast_to(self._bytes, (*shape, self.itemsize)))

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        """Return the same bytes as elements of another dtype."""
        if type is not None:
            raise TypeError(f"view: an array of dtype {self._dtype} cannot be of another class")
        if dtype is None:
            return self._view(self._bytes)
        from ._making import viewed

        return viewed(self._bytes, np.dtype(dtype), last=True)

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: Any = True, copy: bool = True
    ) -> Any:
        """Return the elements in another dtype."""
        target = np.dtype(dtype)
        if not np.can_cast(self._dtype, target, casting):
            raise TypeError(
                f"astype: cannot cast from {self._dtype!r} to {target!r} according to the rule {casting!r}"
            )
        if target == self._dtype:
            return self.copy() if copy else self
        return self._cast(target)

    def _cast(self, target: np.dtype[Any]) -> Any:
        raise TypeError(
            f"astype: arrays of dtype {self._dtype} do not convert to {target}; use view, or NumPy on a.get()"
        )

    # -- comparison ---------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> Any:
        return self._compared(other, False)

    def __ne__(self, other: object) -> Any:
        return self._compared(other, True)

    __hash__ = None  # type: ignore[assignment]

    def _compared(self, other: Any, differ: bool) -> Any:
        """Return where elements are equal, or differ."""
        if not isinstance(other, (StoredArray, np.ndarray, np.void, bytes)):
            return NotImplemented
        if isinstance(other, (StoredArray, np.ndarray)) and other.dtype.itemsize != self.itemsize:
            raise TypeError(
                f"equal: cannot compare dtype {self._dtype} with {other.dtype}, which has another size"
            )
        same = (self._bytes == self._converted(other)._bytes).all(axis=-1)
        return ~same if differ else same

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous.")
        return bool(self.get().reshape(-1)[0])

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        operators = {"equal": operator.eq, "not_equal": operator.ne}
        if method == "__call__" and ufunc.__name__ in operators and not keywords:
            return operators[ufunc.__name__](*inputs)
        return NotImplemented


def _names(key: Any) -> bool:
    return isinstance(key, list) and bool(key) and all(isinstance(item, str) for item in key)


def names_element(key: Any, ndim: int) -> bool:
    """Return whether an index is a position along every axis; `()` is one of an array without axes."""
    items = key if isinstance(key, tuple) else (key,)
    return len(items) == ndim and all(
        isinstance(item, (int, np.integer)) and not isinstance(item, bool) for item in items
    )


def _axes_of(item: Any) -> int:
    """Return how many axes an item of an index takes."""
    if item is None:
        return 0
    dtype = getattr(item, "dtype", None)
    if isinstance(item, (bool, np.bool_)):
        return 0
    if dtype is not None and dtype == np.bool_:
        return int(item.ndim)
    if isinstance(item, list):
        array = np.asarray(item)
        return array.ndim if array.dtype == np.bool_ else 1
    return 1


def _resolved(dims: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Return a shape with the length that stands as -1."""
    if -1 not in dims:
        if math.prod(dims) != size:
            raise ValueError(f"reshape: cannot reshape array of size {size} into shape {dims}")
        return dims
    known = math.prod(n for n in dims if n != -1)
    if dims.count(-1) > 1 or known == 0 or size % known:
        raise ValueError(f"reshape: cannot reshape array of size {size} into shape {dims}")
    return tuple(size // known if n == -1 else n for n in dims)


def _restore(host: np.ndarray) -> Any:
    """Return an array from its elements on the host: what unpickling calls."""
    from ._making import made_of

    return made_of(host)
