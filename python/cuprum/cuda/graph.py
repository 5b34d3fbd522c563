"""Graphs: work of a GPU that was recorded in a stream, to be launched as a whole."""

from __future__ import annotations

from typing import Any

__all__ = ["Graph"]


class Graph:
    """Recorded work, made by `Stream.end_capture`.

    The memory that the work uses stays its own as long as the graph lives: each launch computes the same
    arrays anew, from whatever its inputs hold by then. The CPU records no graphs.

    Examples
    --------
    >>> a, b = cp.arange(3.0), cp.zeros(3)
    >>> if cp.cuda.is_available():
    ...     with cp.cuda.Stream(non_blocking=True) as stream:
    ...         stream.begin_capture()
    ...         b[...] = a * 2
    ...         graph = stream.end_capture()
    ...     graph.launch(stream)
    ... else:
    ...     b[...] = a * 2
    >>> b
    array([0., 2., 4.])
    """

    def __init__(self, *_: Any) -> None:
        raise RuntimeError("a Graph is made by Stream.end_capture")

    @classmethod
    def _over(cls, made: Any, recorded_in: Any) -> Graph:
        graph = cls.__new__(cls)
        # The stream stays as long as the graph: arrays that the work writes count as used in it.
        graph._made, graph._recorded_in = made, recorded_in
        return graph

    def launch(self, stream: Any = None) -> None:
        """Run the work in a stream, the current one by default; what is pending runs before."""
        from .. import _core
        from .stream import get_current_stream

        _core.run_pending()
        self._made.launch((get_current_stream() if stream is None else stream).ptr)

    def upload(self, stream: Any = None) -> None:
        """Bring the work onto the GPU ahead of its first launch."""
        from .stream import get_current_stream

        self._made.upload((get_current_stream() if stream is None else stream).ptr)
