"""Reductions of distributed arrays: of each chunk on its device, in a mode that joins them when asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum

from ._chunk import Chunk, on
from ._chunked import ChunkedArray
from ._elementwise import elementwise
from ._modes import MAX, MIN, PROD, SUM, OpMode

__all__ = ["ReducibleArray"]


class ReducibleArray(ChunkedArray):
    """Chunks and their reductions over axes."""

    def _reduced(
        self, mode: OpMode, axis: Any, out: Any, keepdims: bool, dtype: Any = None, name: str | None = None
    ) -> Any:
        name = name or mode.name
        if out is not None:
            raise RuntimeError(f"{name}: Argument `out` is not supported")
        given = range(self.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        axes = set()
        for one in given:
            if not -self.ndim <= one < self.ndim:
                raise np.exceptions.AxisError(one, self.ndim, name)
            axes.add(one % self.ndim)
        # An element that several chunks hold must be counted once.
        source = self.change_mode(mode)
        options: dict[str, Any] = {"axis": tuple(sorted(axes)), "keepdims": keepdims}
        if dtype is not None:
            options["dtype"] = dtype
        kept = [at for at in range(self.ndim) if keepdims or at not in axes]
        made: dict[int, list[Chunk]] = {}
        kind = self.dtype
        for device, chunks in source._chunks.items():
            made[device] = []
            for chunk in chunks:
                with on(device):
                    array = getattr(cuprum, name)(chunk.array, **options)
                kind = array.dtype
                index = tuple(slice(0, 1, 1) if at in axes else chunk.index[at] for at in kept)
                made[device].append(Chunk(array, index, device))
        shape = tuple(1 if at in axes else self.shape[at] for at in kept)
        return type(self)(shape, kind, made, mode)

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the sum over axes, in the mode SUM.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.sum(axis=0).get()
        array([2., 4.])
        """
        return self._reduced(SUM, axis, out, keepdims, dtype)

    def prod(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the product over axes, in the mode PROD.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.prod(axis=0).get()
        array([0., 3.])
        """
        return self._reduced(PROD, axis, out, keepdims, dtype)

    def max(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the maximum over axes, in the mode MAX.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.max(axis=0).get()
        array([2., 3.])
        """
        return self._reduced(MAX, axis, out, keepdims)

    def min(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the minimum over axes, in the mode MIN.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.min(axis=0).get()
        array([0., 1.])
        """
        return self._reduced(MIN, axis, out, keepdims)

    def any(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return whether any element is true over axes, in the mode MAX.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> bool(a.any().get())
        True
        """
        return elementwise(cuprum.not_equal, (self, 0), {})._reduced(MAX, axis, out, keepdims, name="any")

    def all(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return whether all elements are true over axes, in the mode MIN.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> bool(a.all().get())
        False
        """
        return elementwise(cuprum.not_equal, (self, 0), {})._reduced(MIN, axis, out, keepdims, name="all")

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the mean over axes.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.mean(axis=0).get()
        array([1., 2.])
        """
        exact = self.dtype.kind in "biu" and dtype is None
        total = self._reduced(SUM, axis, out, keepdims, np.float64 if exact else dtype)
        return elementwise(cuprum.divide, (total, self.size // max(total.size, 1)), {})

    def ptp(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Return the range of the elements over axes.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.ptp(axis=0).get()
        array([2., 2.])
        """
        return elementwise(
            cuprum.subtract, (self.max(axis, out, keepdims), self.min(axis, out, keepdims)), {}
        )
