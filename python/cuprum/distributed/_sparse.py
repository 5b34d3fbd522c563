"""Collectives of sparse matrices: ranks tell each other the sizes of their arrays, then move them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import cuprum

from .._core import ndarray
from ._checks import check_peer, check_rank

if TYPE_CHECKING:
    from ._backend import Backend

__all__ = ["is_sparse"]

_ARRAYS = {
    "coo": ("data", "row", "col"),
    "csr": ("data", "indptr", "indices"),
    "csc": ("data", "indptr", "indices"),
}
"""The arrays that make up a matrix, by its format."""


def is_sparse(value: Any) -> bool:
    """Return whether a value is a sparse matrix, or a list of them."""
    if isinstance(value, (list, tuple)) and value:
        return is_sparse(value[0])
    return not isinstance(value, ndarray) and hasattr(value, "format") and hasattr(value, "nnz")


def _arrays(op: str, matrix: Any) -> list[ndarray]:
    if not is_sparse(matrix) or matrix.format not in _ARRAYS:
        kind = getattr(matrix, "format", type(matrix).__name__)
        raise TypeError(f"{op}: sparse matrices are sent as coo, csr or csc, got {kind}")
    if matrix.format == "coo":
        matrix.sum_duplicates()
    return [cuprum.ascontiguousarray(getattr(matrix, name)) for name in _ARRAYS[matrix.format]]


def _facts(op: str, matrix: Any) -> dict[str, Any]:
    """Return what a rank must know to receive a matrix."""
    return {
        "format": matrix.format,
        "shape": list(matrix.shape),
        "arrays": [[a.dtype.name, a.size] for a in _arrays(op, matrix)],
    }


def _places(facts: dict[str, Any]) -> list[ndarray]:
    return [cuprum.empty(size, dtype=dtype) for dtype, size in facts["arrays"]]


def _check_kind(op: str, matrix: Any, facts: dict[str, Any]) -> None:
    dtype = facts["arrays"][0][0]
    if matrix.format != facts["format"] or matrix.dtype.name != dtype:
        raise ValueError(
            f"{op}: a {facts['format']} matrix of {dtype} comes, "
            f"the one that it goes into is {matrix.format} of {matrix.dtype.name}"
        )


def _assign(matrix: Any, arrays: list[ndarray], facts: dict[str, Any]) -> None:
    """Give a matrix the arrays that have come, and their shape."""
    made = _made(type(matrix), arrays, facts)
    matrix.__dict__.clear()
    matrix.__dict__.update(made.__dict__)


def _made(kind: type, arrays: list[ndarray], facts: dict[str, Any]) -> Any:
    data, first, second = arrays
    parts = (data, (first, second)) if facts["format"] == "coo" else (data, second, first)
    return kind(parts, shape=tuple(facts["shape"]))


def _exchange(
    group: Backend, op: str, sends: dict[int, Any], sources: list[int], stream: Any
) -> dict[int, tuple[list[ndarray], dict[str, Any]]]:
    """Send matrices to ranks, and return the arrays and the facts of those that come from others."""
    rank = group.rank
    told = {peer: {"op": op, **_facts(op, matrix)} for peer, matrix in sends.items()}
    own = told.pop(rank, None)
    facts = group._mesh.messages(op, told, [peer for peer in sources if peer != rank])
    for peer, theirs in facts.items():
        if not isinstance(theirs, dict) or theirs.get("op") != op:
            where = theirs.get("op") if isinstance(theirs, dict) else "another call"
            group._mesh.close(f"{op}: rank {peer} is in {where}")
            raise RuntimeError(f"{op}: rank {peer} is in {where}")
    if own is not None and rank in sources:
        facts[rank] = own
    places = {peer: _places(theirs) for peer, theirs in facts.items()}
    group._move(op, {peer: _arrays(op, matrix) for peer, matrix in sends.items()}, dict(places), stream)
    return {peer: (places[peer], facts[peer]) for peer in facts}


def _check_op(op: str, how: str) -> None:
    if how not in ("sum", "prod"):
        raise ValueError(f"{op}: sparse matrices are reduced by 'sum' or 'prod', got {how!r}")


def _gathered(group: Backend, op: str, matrix: Any, root: int, stream: Any) -> list[Any]:
    """Return the matrices of all ranks on `root`, nothing elsewhere."""
    facts = {"format": matrix.format, "dtype": matrix.dtype.name, "root": root}
    group._mesh.agree(op, {"matrix": facts}, always=True)
    ranks = list(range(group.n_devices))
    came = _exchange(group, op, {root: matrix}, ranks if group.rank == root else [], stream)
    return [_made(type(matrix), *came[peer]) for peer in ranks] if group.rank == root else []


def _combine(matrices: list[Any], how: str) -> Any:
    """Return the sum, or the product by `*`: that of matrices, or elementwise that of sparse arrays."""
    total = matrices[0]
    for one in matrices[1:]:
        total = total + one if how == "sum" else total * one
    return total


def reduce(
    group: Backend, matrix: Any, out: Any, root: int, how: str, stream: Any, op: str = "reduce"
) -> None:
    """Reduce matrices of one shape over the ranks, on one of them."""
    _check_op(op, how)
    group._mesh.agree(op, {"shape": list(matrix.shape), "reduction": how}, always=True)
    came = _gathered(group, op, matrix, root, stream)
    if group.rank == root:
        total = _combine(came, how).asformat(matrix.format)
        _check_kind(op, out, _facts(op, total))
        _assign(out, _arrays(op, total), _facts(op, total))


def all_reduce(group: Backend, matrix: Any, out: Any, how: str, stream: Any) -> None:
    """Reduce matrices of one shape over the ranks, on all of them."""
    _check_op("all_reduce", how)
    group._mesh.agree("all_reduce", {"shape": list(matrix.shape), "reduction": how}, always=True)
    reduce(group, matrix, out, 0, how, stream, "all_reduce")
    broadcast(group, out, 0, stream, "all_reduce")


def broadcast(group: Backend, matrix: Any, root: int, stream: Any, op: str = "broadcast") -> None:
    """Give one rank's matrix to all."""
    check_rank(op, "root", root, group.n_devices)
    if group.rank == root:
        _exchange(group, op, {peer: matrix for peer in range(group.n_devices) if peer != root}, [], stream)
        return
    arrays, facts = _exchange(group, op, {}, [root], stream)[root]
    _check_kind(op, matrix, facts)
    _assign(matrix, arrays, facts)


def _listed(group: Backend, op: str, matrices: Any) -> list[Any]:
    if not isinstance(matrices, (list, tuple)) or len(matrices) != group.n_devices:
        found = len(matrices) if isinstance(matrices, (list, tuple)) else type(matrices).__name__
        raise RuntimeError(f"{op} requires a list of {group.n_devices} sparse matrices, found {found}")
    return list(matrices)


def reduce_scatter(group: Backend, matrices: Any, out: Any, how: str, stream: Any) -> None:
    """Reduce lists of matrices over the ranks; each rank gets its own."""
    _check_op("reduce_scatter", how)
    rows = _listed(group, "reduce_scatter", matrices)
    came: list[Any] = []
    all_to_all(group, rows, came, stream, "reduce_scatter")
    total = _combine(came, how).asformat(out.format)
    _check_kind("reduce_scatter", out, _facts("reduce_scatter", total))
    _assign(out, _arrays("reduce_scatter", total), _facts("reduce_scatter", total))


def all_gather(group: Backend, matrix: Any, out: list[Any], stream: Any) -> None:
    """Append the matrices of all ranks to a list."""
    all_to_all(group, [matrix] * group.n_devices, out, stream, "all_gather")


def gather(group: Backend, matrix: Any, out: list[Any], root: int, stream: Any) -> None:
    """Append the matrices of all ranks to the list of one."""
    check_rank("gather", "root", root, group.n_devices)
    came = _gathered(group, "gather", matrix, root, stream)
    if group.rank == root:
        out.extend(came)


def scatter(group: Backend, matrices: Any, out: Any, root: int, stream: Any) -> None:
    """Give each rank its matrix of one rank's list."""
    check_rank("scatter", "root", root, group.n_devices)
    sends = dict(enumerate(_listed(group, "scatter", matrices))) if group.rank == root else {}
    arrays, facts = _exchange(group, "scatter", sends, [root], stream)[root]
    _check_kind("scatter", out, facts)
    _assign(out, arrays, facts)


def all_to_all(group: Backend, matrices: Any, out: list[Any], stream: Any, op: str = "all_to_all") -> None:
    """Append to a list the matrix that each rank has for this one."""
    rows = _listed(group, op, matrices)
    ranks = list(range(group.n_devices))
    came = _exchange(group, op, dict(enumerate(rows)), ranks, stream)
    module = importlib.import_module("cuprum.scipy.sparse")
    suffix = "_array" if isinstance(rows[0], module.sparray) else "_matrix"
    out.extend(_made(getattr(module, came[peer][1]["format"] + suffix), *came[peer]) for peer in ranks)


def send(group: Backend, matrix: Any, peer: int, stream: Any) -> None:
    """Send a matrix to a rank."""
    check_peer("send", peer, group.rank, group.n_devices)
    _exchange(group, "send or recv", {peer: matrix}, [], stream)


def recv(group: Backend, matrix: Any, peer: int, stream: Any) -> None:
    """Receive a matrix that a rank sends, whatever its shape."""
    check_peer("recv", peer, group.rank, group.n_devices)
    arrays, facts = _exchange(group, "send or recv", {}, [peer], stream)[peer]
    _check_kind("recv", matrix, facts)
    _assign(matrix, arrays, facts)


def send_recv(group: Backend, matrix: Any, out: Any, peer: int, stream: Any) -> None:
    """Send a matrix to a rank, and receive one that it sends at the same time."""
    check_rank("send_recv", "peer", peer, group.n_devices)
    arrays, facts = _exchange(group, "send or recv", {peer: matrix}, [peer], stream)[peer]
    _check_kind("send_recv", out, facts)
    _assign(out, arrays, facts)
