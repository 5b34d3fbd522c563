"""Graphs: work of a GPU that was recorded in a stream, to be launched as a whole."""

from __future__ import annotations

import os
import tempfile
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

    _made: Any
    _recorded_in: Any

    def __init__(self, *_: Any) -> None:
        raise RuntimeError("a Graph is made by Stream.end_capture")

    @classmethod
    def _over(cls, made: Any, recorded_in: Any) -> Graph:
        graph = cls.__new__(cls)
        # The stream stays as long as the graph: arrays that the work writes count as used in it.
        graph._made, graph._recorded_in = made, recorded_in
        return graph

    @property
    def graph(self) -> int:
        """The driver's handle of what was recorded."""
        return int(self._made.handles[0])

    @property
    def graphExec(self) -> int:
        """The driver's handle of what can be launched."""
        return int(self._made.handles[1])

    def debug_dot_str(self, flags: int = 0) -> str:
        """Return the picture of the work in the language of dot, in CUDA's words; flags are CUDA's own.

        Examples
        --------
        >>> if cp.cuda.is_available():  # the CPU records no graphs
        ...     a, b = cp.arange(3.0), cp.zeros(3)
        ...     with cp.cuda.Stream(non_blocking=True) as stream:
        ...         stream.begin_capture()
        ...         b[...] = a * 2
        ...         graph = stream.end_capture()
        ...     assert graph.debug_dot_str().startswith("digraph")
        """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "graph.dot")
            self._made.print(path, int(flags))
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read()

    def launch(self, stream: Any = None) -> None:
        """Run the work in a stream, the current one by default; what is pending runs before."""
        from .. import _core
        from .stream import get_current_stream

        _core.run_pending()
        self._made.launch((get_current_stream() if stream is None else stream).ptr)

    def upload(self, stream: Any = None) -> None:
        """Bring the work onto the GPU ahead of its first launch.

        Examples
        --------
        >>> if cp.cuda.is_available():  # the CPU records no graphs
        ...     a, b = cp.arange(3.0), cp.zeros(3)
        ...     with cp.cuda.Stream(non_blocking=True) as stream:
        ...         stream.begin_capture()
        ...         b[...] = a * 2
        ...         graph = stream.end_capture()
        ...         graph.upload(stream)
        ...         graph.launch(stream)
        """
        from .stream import get_current_stream

        self._made.upload((get_current_stream() if stream is None else stream).ptr)
