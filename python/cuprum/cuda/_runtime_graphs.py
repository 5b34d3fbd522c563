"""The runtime's graphs by their handles: recording a stream's work and launching it."""

from __future__ import annotations

from typing import Any

from ._runtime_streams import stream_of
from ._status import CUDARuntimeError, errorInvalidResourceHandle, streamCaptureModeRelaxed

__all__ = [
    "graphDebugDotPrint",
    "graphDestroy",
    "graphExecDestroy",
    "graphInstantiate",
    "graphLaunch",
    "graphUpload",
    "streamBeginCapture",
    "streamEndCapture",
]

_graphs: dict[int, Any] = {}
_execs: dict[int, Any] = {}


def streamBeginCapture(stream: int, mode: int = streamCaptureModeRelaxed) -> None:
    """Record a stream's work into a graph instead of running it, until `streamEndCapture`.

    Examples
    --------
    >>> runtime = cp.cuda.runtime
    >>> if cp.cuda.is_available():
    ...     with cp.cuda.Stream(non_blocking=True) as stream:
    ...         runtime.streamBeginCapture(stream.ptr)
    ...         b = cp.arange(3.0) * 2
    ...         graph = runtime.streamEndCapture(stream.ptr)
    ...     executable = runtime.graphInstantiate(graph)
    ...     runtime.graphLaunch(executable, stream.ptr)
    ...     runtime.graphExecDestroy(executable)
    ...     runtime.graphDestroy(graph)
    """
    stream_of(stream).begin_capture(mode)


def streamEndCapture(stream: int) -> int:
    """Return the handle of the graph that was recorded, to be let go of with `graphDestroy`.

    Examples
    --------
    >>> cp.cuda.runtime.streamIsCapturing(0)
    False
    """
    graph = stream_of(stream).end_capture()
    _graphs[graph.graph] = graph
    return int(graph.graph)


def graphInstantiate(graph: int) -> int:
    """Return the handle of what can be launched of a graph, to be let go of with `graphExecDestroy`.

    Examples
    --------
    >>> try:
    ...     cp.cuda.runtime.graphInstantiate(5)
    ... except cp.cuda.runtime.CUDARuntimeError as error:
    ...     print(error.status)
    400
    """
    made = _known(_graphs, graph)
    _execs[made.graphExec] = made
    return int(made.graphExec)


def graphLaunch(graphExec: int, stream: int) -> None:
    """Run the work of a graph in a stream.

    Examples
    --------
    >>> try:
    ...     cp.cuda.runtime.graphLaunch(5, 0)
    ... except cp.cuda.runtime.CUDARuntimeError as error:
    ...     print(error.status)
    400
    """
    _known(_execs, graphExec).launch(stream_of(stream))


def graphUpload(graphExec: int, stream: int) -> None:
    """Bring a graph onto the GPU ahead of its first launch.

    Examples
    --------
    >>> try:
    ...     cp.cuda.runtime.graphUpload(5, 0)
    ... except cp.cuda.runtime.CUDARuntimeError as error:
    ...     print(error.status)
    400
    """
    _known(_execs, graphExec).upload(stream_of(stream))


def graphDestroy(graph: int) -> None:
    """Let go of a graph; what was made of it to be launched stays.

    Examples
    --------
    >>> try:
    ...     cp.cuda.runtime.graphDestroy(5)
    ... except cp.cuda.runtime.CUDARuntimeError as error:
    ...     print(error.status)
    400
    """
    _known(_graphs, graph)
    del _graphs[int(graph)]


def graphExecDestroy(graphExec: int) -> None:
    """Let go of what can be launched of a graph.

    Examples
    --------
    >>> try:
    ...     cp.cuda.runtime.graphExecDestroy(5)
    ... except cp.cuda.runtime.CUDARuntimeError as error:
    ...     print(error.status)
    400
    """
    _known(_execs, graphExec)
    del _execs[int(graphExec)]


def graphDebugDotPrint(graph: int, path: str, flags: int) -> None:
    """Write the picture of a graph in the language of dot to a file.

    Examples
    --------
    >>> try:
    ...     cp.cuda.runtime.graphDebugDotPrint(5, "graph.dot", 0)
    ... except cp.cuda.runtime.CUDARuntimeError as error:
    ...     print(error.status)
    400
    """
    _known(_graphs, graph)._made.print(str(path), int(flags))


def _known(handles: dict[int, Any], handle: int) -> Any:
    found = handles.get(int(handle))
    if found is None:
        raise CUDARuntimeError(errorInvalidResourceHandle)
    return found
