"""Sparse matrices in files, as SciPy's `save_npz` writes them."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuprum as cp

from ._formats import CLASSES

__all__ = ["load_npz", "save_npz"]


def save_npz(file: Any, matrix: Any, compressed: bool = True) -> None:
    """Write a sparse matrix to a file that SciPy reads too.

    Parameters
    ----------
    file : str or file
        Where to.
    matrix : sparse matrix
        The matrix.
    compressed : bool, optional
        Whether to compress.

    Examples
    --------
    >>> import io
    >>> from cuprum.scipy import sparse
    >>> stream = io.BytesIO()
    >>> sparse.save_npz(stream, sparse.eye(3, format="csr"))
    >>> _ = stream.seek(0)
    >>> sparse.load_npz(stream).nnz
    3
    """
    if matrix.format in ("lil", "dok"):
        raise NotImplementedError(
            f"save_npz: Save is not implemented for sparse matrix of format {matrix.format}."
        )
    parts: dict[str, Any] = {
        "format": matrix.format.encode("ascii"),
        "shape": matrix.shape,
        "data": matrix.data.get(),
    }
    if matrix._is_array:
        parts["_is_array"] = True
    if matrix.format == "coo" and matrix.ndim == 1:
        parts.update(coords=(matrix.col.get(),))
    elif matrix.format == "coo":
        parts.update(row=matrix.row.get(), col=matrix.col.get())
    elif matrix.format == "dia":
        parts.update(offsets=matrix.offsets.get())
    else:
        parts.update(indices=matrix.indices.get(), indptr=matrix.indptr.get())
    (np.savez_compressed if compressed else np.savez)(file, **parts)


def load_npz(file: Any) -> Any:
    """Read a sparse matrix that `save_npz`, ours or SciPy's, has written.

    Parameters
    ----------
    file : str or file
        Where from.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> import io
    >>> from cuprum.scipy import sparse
    >>> stream = io.BytesIO()
    >>> sparse.save_npz(stream, sparse.coo_matrix(cp.eye(2)))
    >>> _ = stream.seek(0)
    >>> sparse.load_npz(stream).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    with np.load(file, allow_pickle=False) as parts:
        try:
            format = parts["format"].item()
        except KeyError:
            raise ValueError(f"load_npz: the file {file} does not contain a sparse array or matrix") from None
        format = format.decode("ascii") if isinstance(format, bytes) else format
        is_array = bool(parts["_is_array"]) if "_is_array" in parts else False
        if (format, is_array) not in CLASSES or format in ("lil", "dok"):
            raise NotImplementedError(
                f"load_npz: Load is not implemented for sparse matrix of format {format}."
            )
        cls, shape, data = (
            CLASSES[format, is_array],
            tuple(parts["shape"].tolist()),
            cp.asarray(parts["data"]),
        )
        if format == "coo" and "coords" in parts:
            return cls((data, tuple(cp.asarray(one) for one in parts["coords"])), shape=shape)
        if format == "coo":
            return cls((data, (cp.asarray(parts["row"]), cp.asarray(parts["col"]))), shape=shape)
        if format == "dia":
            return cls((data, cp.asarray(parts["offsets"])), shape=shape)
        return cls((data, cp.asarray(parts["indices"]), cp.asarray(parts["indptr"])), shape=shape)
