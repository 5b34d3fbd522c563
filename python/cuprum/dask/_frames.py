"""Arrays on their way between Dask's processes, and to disk: a short header and one frame of bytes.

On the CPU the frame is the array's own memory, and the receiver's array lies in the frame that arrived:
nothing is copied on either side. A GPU's array is copied from GPU to GPU where the receiver is a worker of
the same machine (`_lending`), else it goes through page-locked memory. Where the communication itself moves
GPUs' memory (UCX), Dask asks for `cuda` frames.
"""

from __future__ import annotations

import importlib
from typing import Any, Literal

import numpy as np

import cuprum

from .. import _core
from .._core import ndarray
from .._host import host_view
from . import _lending

__all__ = ["register"]


def _dense(a: ndarray) -> ndarray:
    """Return an array without gaps, in its own order of axes where it has none."""
    return a if a.flags.c_contiguous or a.flags.f_contiguous else cuprum.array(a, order="C")


def _header(a: ndarray) -> dict[str, Any]:
    return {"dtype": a.dtype.name, "shape": a.shape, "order": "C" if a.flags.c_contiguous else "F"}


def _flat(dense: ndarray) -> ndarray:
    """Return the bytes of an array without gaps, where they are."""
    return dense.ravel(order="K").view(np.uint8)


def _shaped(header: dict[str, Any], flat: ndarray) -> ndarray:
    """Return the array of a header over its bytes."""
    # NumPy knows no bfloat16 by name.
    dtype = cuprum.bfloat16 if header["dtype"] == "bfloat16" else np.dtype(header["dtype"])
    return flat.view(dtype).reshape(header["shape"], order=header["order"])


def serialize(a: ndarray, context: dict[str, Any] | None = None) -> tuple[dict[str, Any], list[Any]]:
    """Return the header of an array, and its elements as one frame, or none where they are lent."""
    dense = _dense(a)
    header = {**_header(dense), "writeable": bool(a.flags.writeable), "device": a.device != "cpu"}
    if header["device"]:
        loan = _lending.lend(dense, context)
        if loan is not None:
            return {**header, "loan": loan}, []
        host = _to_pinned(dense)
    else:
        host = host_view(dense)
    return header, [host.ravel(order=header["order"]).view(np.uint8).data]


def _to_pinned(a: ndarray) -> np.ndarray[Any, Any]:
    """Copy a GPU's array into page-locked memory, at the bus's full speed."""
    bits = a.view(np.uint16) if a.dtype.name == "bfloat16" else a
    memory = cuprum.cuda.alloc_pinned_memory(max(bits.nbytes, 1))
    order: Literal["C", "F"] = "C" if a.flags.c_contiguous else "F"
    host: np.ndarray[Any, Any] = np.ndarray(bits.shape, bits.dtype, memory, order=order)
    bits.get(out=host, order=order)
    return host


def _in_frame(header: dict[str, Any], frame: Any) -> ndarray:
    """Return the array that lies in a frame of the host's memory; a frame that is read-only is copied."""
    name = header["dtype"]
    dtype = np.dtype(np.uint16 if name == "bfloat16" else name)
    shape, order = tuple(header["shape"]), header["order"]
    whole = np.prod(shape, dtype=np.int64) * dtype.itemsize
    if memoryview(frame).nbytes != whole:
        got = memoryview(frame).nbytes
        raise ValueError(f"deserialize: {name} of shape {shape} has {whole} bytes, the frame has {got}")
    host: Any = np.ndarray(shape, dtype, frame, order=order)
    made = _core.adopt(host) if host.flags.writeable else _core.array(host)
    return made.view(cuprum.bfloat16) if name == "bfloat16" else made


def deserialize(header: dict[str, Any], frames: list[Any]) -> ndarray:
    """Return an array from its header and its frame: on the CPU it lies in the frame's memory."""
    if "loan" in header:
        made = _shaped(header, _lending.borrow(header["loan"]))
    elif header["device"] and cuprum.cuda.is_available():
        made = cuprum.asarray(_in_frame(header, *frames), device="cuda")
    else:
        made = _in_frame(header, *frames)
    if not header["writeable"]:
        made.setflags(write=False)
    return made


def serialize_on_gpu(a: ndarray) -> tuple[dict[str, Any], list[ndarray]]:
    """Return the header of a GPU's array and its bytes where they are, for UCX to move."""
    if a.device == "cpu":
        # Dask then takes its next serialiser, the one for the host's memory.
        raise NotImplementedError("an array on the CPU has no frame on a GPU")
    dense = _dense(a)
    return _header(dense), [_flat(dense)]


def deserialize_on_gpu(header: dict[str, Any], frames: list[Any]) -> ndarray:
    """Return an array over the memory of a frame on a GPU."""
    (frame,) = frames
    return _shaped(header, cuprum.asarray(frame))


def register() -> None:
    """Tell `distributed.protocol`."""
    tables = importlib.import_module("distributed.protocol.serialize")
    tables.dask_serialize.register(ndarray, serialize)
    tables.dask_deserialize.register(ndarray, deserialize)
    cuda = importlib.import_module("distributed.protocol.cuda")
    cuda.cuda_serialize.register(ndarray, serialize_on_gpu)
    cuda.cuda_deserialize.register(ndarray, deserialize_on_gpu)
    for table in (tables.dask_serialize, tables.dask_deserialize, cuda.cuda_serialize, cuda.cuda_deserialize):
        table.register_lazy("cuprum", _register_sparse)
    _lending.register()


def _register_sparse() -> None:
    """Sparse matrices travel as their arrays do."""
    sparse = importlib.import_module("cuprum.scipy.sparse")
    tables = importlib.import_module("distributed.protocol.serialize")
    cuda = importlib.import_module("distributed.protocol.cuda")
    for kind in (sparse.spmatrix, sparse.sparray):
        tables.register_generic(kind, "dask", tables.dask_serialize, tables.dask_deserialize)
        tables.register_generic(kind, "cuda", cuda.cuda_serialize, cuda.cuda_deserialize)
