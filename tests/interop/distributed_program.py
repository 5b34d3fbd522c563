"""What the processes of `test_distributed.py` run: each rank writes a line of JSON about what it found."""

import functools
import json
import sys
import traceback

import numpy as np

import cuprum as cp
from cuprum import distributed
from cuprum.scipy import sparse

DTYPES = ["int8", "uint8", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64", "complex64"]


def values(rank, dtype, size=7):
    """A rank's values: small integers, so that every order of sums is exact."""
    base = np.arange(size) % 3 + 1 + rank
    return (base * (1 + 2j if np.dtype(dtype).kind == "c" else 1)).astype(dtype)


def same(got, want):
    np.testing.assert_array_equal(cp.asnumpy(got), want)


def collectives(group, n, rank):
    """Every collective, over dtypes, sizes, roots and layouts, beside NumPy."""
    dtypes = DTYPES if n < 8 else ["int8", "float64", "complex64"]  # many ranks take long on few cores
    reductions = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min}
    for dtype in dtypes:
        for op, function in reductions.items():
            if dtype == "complex64" and op != "sum":
                continue
            # Fewer elements than ranks: parts of some ranks are empty.
            for size in (0, 1, 7) if dtype == "float64" else (7,):
                everyone = np.stack([values(r, dtype, size) for r in range(n)])
                want = function(everyone, axis=0).astype(dtype)
                out = cp.zeros(size, dtype=dtype)
                group.all_reduce(cp.asarray(values(rank, dtype, size)), out, op)
                same(out, want)
                root = n - 1
                out = cp.zeros(size, dtype=dtype)
                group.reduce(cp.asarray(values(rank, dtype, size)), out, root, op)
                same(out, want if rank == root else np.zeros(size, dtype))
        rows = np.stack([values(r, dtype, 4 * n) for r in range(n)])
        out = cp.zeros(4, dtype=dtype)
        group.reduce_scatter(cp.asarray(rows[rank]), out, 4)
        same(out, rows.sum(axis=0).astype(dtype)[4 * rank : 4 * rank + 4])
    for dtype in [*dtypes, "bool", "int16"]:
        rows = np.stack([values(r, dtype, 6) for r in range(n)])
        for root in range(n):
            out = cp.asarray(rows[rank])
            group.broadcast(out, root)
            same(out, rows[root])
        out = cp.zeros((n, 6), dtype=dtype)
        group.all_gather(cp.asarray(rows[rank]), out, 6)
        same(out, rows)
        out = cp.zeros((n, 4), dtype=dtype)
        group.all_gather(cp.asarray(rows[rank]), out, 4)  # the first of them
        same(out, rows[:, :4])
        out = cp.zeros((n, 6), dtype=dtype)
        group.gather(cp.asarray(rows[rank]), out, 1 % n)
        same(out, rows if rank == 1 % n else np.zeros((n, 6), dtype))
        out = cp.zeros(6, dtype=dtype)
        group.scatter(cp.asarray(rows), out, 0)
        same(out, rows[rank])
        out = cp.zeros((n, 2), dtype=dtype)
        group.all_to_all(cp.asarray(np.stack([rows[rank][:2] + to for to in range(n)]).astype(dtype)), out)
        same(out, np.stack([rows[r][:2] + rank for r in range(n)]).astype(dtype))
    # Arrays in other orders, pending work, half the bits.
    table = cp.asfortranarray(cp.arange(12.0).reshape(3, 4)) + rank
    out = cp.asfortranarray(cp.zeros((3, 4)))
    group.all_reduce(table, out)
    same(out, n * np.arange(12.0).reshape(3, 4) + sum(range(n)))
    short = cp.asarray([1.5, 2.5]).astype("bfloat16")
    out = cp.zeros_like(short)
    group.all_reduce(short, out)
    same(out.astype("float64"), np.array([1.5, 2.5]) * n)
    large = cp.full(300_000, 1.0 + rank) * 2
    group.all_reduce(large, large)
    same(large, np.full(300_000, 2.0 * sum(range(1, n + 1))))
    # Around a ring, and to each other.
    out = cp.zeros(3)
    if rank % 2 == 0:
        if rank + 1 < n:
            group.send(cp.full(3, float(rank)), rank + 1)
            group.recv(out, rank + 1)
            same(out, np.full(3, rank + 10.0))
    else:
        group.recv(out, rank - 1)
        same(out, np.full(3, rank - 1.0))
        group.send(cp.full(3, rank - 1 + 10.0), rank - 1)
    out = cp.zeros(2)
    group.send_recv(cp.full(2, float(rank)), out, n - 1 - rank)
    same(out, np.full(2, n - 1.0 - rank))
    group.barrier()


def matrix(rank, kind="csr"):
    dense = np.diag(np.arange(1.0, 4) + rank)
    dense[0, rank % 3] += 5
    return dense, getattr(sparse, f"{kind}_matrix")(cp.asarray(dense))


def sparse_collectives(group, n, rank):
    """Every collective of sparse matrices."""
    for kind in ("csr", "csc", "coo"):
        denses = [matrix(r)[0] for r in range(n)]

        def empty(kind=kind):
            return getattr(sparse, f"{kind}_matrix")((1, 1), dtype="float64")

        mine = matrix(rank, kind)[1]
        out = empty()
        group.all_reduce(mine, out)
        same(out.toarray(), np.sum(denses, axis=0))
        out = empty()
        group.all_reduce(mine, out, "prod")
        same(out.toarray(), functools.reduce(np.matmul, denses))
        out = getattr(sparse, f"{kind}_array")((1, 1), dtype="float64")
        group.all_reduce(getattr(sparse, f"{kind}_array")(mine), out, "prod")
        same(out.toarray(), np.prod(denses, axis=0))
        out = empty()
        group.reduce(mine, out, 1 % n)
        if rank == 1 % n:
            same(out.toarray(), np.sum(denses, axis=0))
        out = mine if rank == 0 else empty()
        group.broadcast(out, 0)
        same(out.toarray(), denses[0])
        out = []
        group.all_gather(mine, out, 3)
        for one, dense in zip(out, denses, strict=True):
            same(one.toarray(), dense)
        out = []
        group.gather(mine, out, 0)
        assert len(out) == (n if rank == 0 else 0)
        out = empty()
        group.scatter([matrix(r, kind)[1] for r in range(n)], out, 0)
        same(out.toarray(), denses[rank])
        out = []
        group.all_to_all([mine * (to + 1) for to in range(n)], out)
        for one, dense in zip(out, denses, strict=True):
            same(one.toarray(), dense * (rank + 1))
        out = empty()
        group.reduce_scatter([mine * (to + 1) for to in range(n)], out, 3)
        same(out.toarray(), np.sum(denses, axis=0) * (rank + 1))
        out = empty()
        group.send_recv(mine, out, n - 1 - rank)
        same(out.toarray(), denses[n - 1 - rank])
    if rank == 0:
        group.send(matrix(0)[1], 1)
    elif rank == 1:
        out = sparse.csr_matrix((1, 1), dtype="float64")
        group.recv(out, 0)
        same(out.toarray(), matrix(0)[0])


def disagree(group, n, rank, how):
    """One rank calls with something else; the error of every rank."""
    odd = rank == n - 1
    if how == "shape":
        group.all_reduce(cp.zeros(4 if odd else 3), cp.zeros(4 if odd else 3))
    elif how == "dtype":
        group.broadcast(cp.zeros(3, dtype="float32" if odd else "float64"))
    elif how == "order":
        a = cp.zeros((2, 3), order="F" if odd else "C")
        group.all_reduce(a, a)
    elif how == "op":
        group.all_reduce(cp.zeros(3), cp.zeros(3), "max" if odd else "sum")
    elif how == "root":
        group.broadcast(cp.zeros(3), 0 if odd else 1)
    elif how == "call":
        group.barrier() if odd else group.all_reduce(cp.zeros(3), cp.zeros(3))
    elif how == "amount":
        if rank == 0:
            group.send(cp.zeros(3), 1)
        elif rank == 1:
            group.recv(cp.zeros(5), 0)
        else:
            group.barrier()
    elif how == "sparse":
        m = matrix(rank)[1] if not odd else sparse.csr_matrix((2, 2), dtype="float64")
        group.all_reduce(m, sparse.csr_matrix((1, 1), dtype="float64"))
    elif how == "exit":
        if odd:
            sys.exit(0)
        group.all_reduce(cp.zeros(3), cp.zeros(3))
    elif how == "sleep":
        if odd:
            import time

            time.sleep(2.5)
        else:
            group.all_reduce(cp.zeros(3), cp.zeros(3))


def main():
    program, n, rank, port, timeout = sys.argv[1], *map(int, sys.argv[2:5]), float(sys.argv[5])
    report = {"rank": rank}
    try:
        # NCCL wants a GPU for each rank.
        gpus = cp.cuda.runtime.getDeviceCount() if cp.cuda.is_available() else 0
        if gpus >= n:
            cp.cuda.Device(rank).use()
        backend = "sockets" if 0 < gpus < n else "nccl"
        group = distributed.init_process_group(n, rank, port=port, timeout=timeout, backend=backend)
        if program == "collectives":
            collectives(group, n, rank)
            sparse_collectives(group, n, rank)
            group.barrier()
        else:
            disagree(group, n, rank, program)
    except Exception as error:
        report.update(error=type(error).__name__, message=str(error), trace=traceback.format_exc())
    print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
