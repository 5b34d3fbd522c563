"""Where the elements of an array lie: chunks on devices, what overlaps mean, and how both are changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core import ndarray
from ._chunk import Chunk, all_of
from ._indices import Index, normal_map
from ._modes import REPLICA, Mode, OpMode, mode_of

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["ChunkedArray"]


class ChunkedArray:
    """The chunks of an array, without operations on its elements: `DistributedArray` has those."""

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: Any,
        chunks_map: dict[int, list[Chunk]],
        mode: Mode = REPLICA,
    ) -> None:
        self._shape = tuple(shape)
        self._dtype: np.dtype[Any] = np.dtype(dtype)
        self._chunks = chunks_map
        self._mode = mode

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole."""
        return self._shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype."""
        return self._dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements of the whole."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def mode(self) -> Mode:
        """What elements mean that several chunks hold: None (REPLICA) for copies, else the operation."""
        return self._mode

    @property
    def devices(self) -> Iterable[int]:
        """The numbers of the devices that hold chunks."""
        return self._chunks.keys()

    @property
    def index_map(self) -> dict[int, list[Index]]:
        """The indices of the chunks by device."""
        return {device: [chunk.index for chunk in chunks] for device, chunks in self._chunks.items()}

    def all_chunks(self) -> dict[int, list[ndarray]]:
        """Return the chunks' arrays by device."""
        return {device: [chunk.array for chunk in chunks] for device, chunks in self._chunks.items()}

    def _replica(self) -> Self:
        """Return the array in the replica mode: each chunk gets the terms of all, in the order of the chunks.

        The same order everywhere gives all copies of an element the same bits.
        """
        mode = self._mode
        if mode is None:
            return self
        made: dict[int, list[Chunk]] = {}
        for device, chunks in self._chunks.items():
            made[device] = []
            for chunk in chunks:
                whole = Chunk.filled(mode.identity_of(self.dtype), self.dtype, chunk.index, device)
                for other in all_of(self._chunks):
                    whole.take(other, mode)
                made[device].append(whole)
        return type(self)(self.shape, self.dtype, made, REPLICA)

    def _in_op_mode(self, mode: OpMode) -> Self:
        """Return the array in an operation's mode: the last chunk that holds an element keeps it."""
        made = {
            device: [chunk.copy() for chunk in chunks] for device, chunks in self._replica()._chunks.items()
        }
        ordered = list(all_of(made))
        identity = mode.identity_of(self.dtype)
        for at, chunk in enumerate(ordered):
            for later in ordered[at + 1 :]:
                chunk.erase(later.index, identity)
        return type(self)(self.shape, self.dtype, made, mode)

    def change_mode(self, mode: Any) -> Self:
        """Return the array in another mode: itself where it has it.

        Parameters
        ----------
        mode : mode or str
            REPLICA, SUM, PROD, MIN or MAX, or its name.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.change_mode("sum").mode
        sum
        """
        wanted = mode_of(mode)
        if wanted is self._mode:
            return self
        return self._replica() if wanted is None else self._in_op_mode(wanted)

    def reshard(self, index_map: Mapping[int, Any]) -> Self:
        """Return the array with its elements in other chunks: itself where it has those.

        Parameters
        ----------
        index_map : dict
            An index, or a list of them, for each device.

        Examples
        --------
        >>> from cuprum.distributed.array import distributed_array
        >>> a = distributed_array(cp.arange(4.0).reshape(2, 2), {0: slice(None)})
        >>> a.reshard({0: slice(0, 2)}).get()
        array([[0., 1.],
               [2., 3.]])
        """
        return self._placed(normal_map(self.shape, index_map))

    def _placed(self, wanted: dict[int, list[Index]]) -> Self:
        """Return the array with its chunks at these indices, in this order."""
        if wanted == self.index_map:
            return self
        mode = self._mode
        fill = 0 if mode is None else mode.identity_of(self.dtype)
        made = {
            device: [Chunk.filled(fill, self.dtype, index, device) for index in indices]
            for device, indices in wanted.items()
        }
        for chunk in all_of(self._chunks):
            rest = chunk if mode is None else chunk.copy()
            for place in all_of(made):
                place.take(rest, mode)
                if mode is not None:
                    rest.erase(place.index, fill)  # a term is counted once
        return type(self)(self.shape, self.dtype, made, mode)
