"""Small programs over every family of kernels, each checked against NumPy: what runs under compute-sanitizer
on a GPU, and in other orders of blocks and threads over the stand-in.

    python tests/cuda/cases.py                   every case
    python tests/cuda/cases.py reductions sorts  some of them
    python tests/cuda/cases.py --list
"""

from __future__ import annotations

import functools
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

# Within a warp, a block, a tile, several blocks; none a multiple of what kernels take at once.
SIZES = (1, 31, 257, 4099, 70_001)
DTYPES = ("bool", "int8", "int64", "uint32", "float16", "float32", "float64", "complex64")

Outcome = Iterator[tuple[str, Any]]
Case = Callable[[Any, np.random.Generator], Outcome]


def values(rng: np.random.Generator, size: int, dtype: str) -> np.ndarray:
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(size) < 0.5
    if kind in "iu":
        return rng.integers(0, 100, size).astype(dtype)
    if kind == "c":
        return (rng.random(size) + 1j * rng.random(size)).astype(dtype)
    return rng.random(size).astype(dtype)


def elementwise(xp: Any, rng: np.random.Generator) -> Outcome:
    for size in SIZES:
        for dtype in DTYPES:
            a, b = xp.asarray(values(rng, size, dtype)), xp.asarray(values(rng, size, dtype))
            yield f"add {dtype} {size}", a + b
            yield f"chain {dtype} {size}", (a * a + b) * 2
            yield f"reversed {dtype} {size}", a[::-1] + b
            yield f"every third {dtype} {size}", a[::3] * b[::3]
            yield f"cast {dtype} {size}", a.astype("float64")
    x = xp.asarray(values(rng, 4099, "float32"))
    yield "functions", xp.sin(x) * xp.exp(-x) + xp.sqrt(x)
    m = xp.asarray(values(rng, 67 * 129, "float32").reshape(67, 129))
    yield "transposed", m.T + xp.ones((129, 67), "float32")
    yield "rows and columns", m - m[:1] * m[:, :1]
    y = m.copy()
    y[3:50:2, ::-3] += 1
    yield "in place", y


def boxes(xp: Any, rng: np.random.Generator) -> Outcome:
    """Arrays put together from pieces: their readers are cut into boxes, which run as one launch."""
    for dtype in ("bool", "int16", "float32", "complex64"):
        for shape in ((4100,), (37, 67), (66, 132), (5, 9, 68)):
            a = xp.asarray(values(rng, int(np.prod(shape)), dtype).reshape(shape))
            moved = [xp.roll(a, by, axis) for axis in range(len(shape)) for by in (1, -2)]
            total = moved[0]
            for one in moved[1:]:
                total = xp.maximum(total, one)
            yield f"rolled {dtype} {shape}", xp.where(a == total, a, total)
            yield (
                f"joined {dtype} {shape}",
                xp.maximum(xp.concatenate([a, a[1:]], -1 if a.ndim == 1 else 0), a[:1]),
            )
            yield f"padded {dtype} {shape}", xp.minimum(xp.pad(a, 1), xp.pad(a[::-1], 1))
    y = xp.asarray(values(rng, 2 * 4099, "float64").reshape(2, 4099))
    yield "functions of rows", xp.stack([y[1], -xp.sin(y[0])]) * 0.5 + y
    t = xp.asarray(values(rng, 64 * 65, "float32").reshape(64, 65))
    yield "rolled and transposed", xp.roll(t, 1, 0) + xp.roll(t.T, 3, 1).T
    u = xp.asarray(values(rng, 40 * 50, "float64").reshape(40, 50))
    for _ in range(3):
        u[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] - 2 * u[1:-1, 1:-1])
    yield "written in place", u


def loops(xp: Any, rng: np.random.Generator) -> Outcome:
    """Steps that repeat, their path changed now and then."""
    cells = xp.asarray((rng.random((70, 131)) < 0.4).astype("uint8"))
    for step in range(9):
        near = sum(
            xp.roll(xp.roll(cells, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)
        )
        cells = ((near == 3) | ((cells == 1) & (near == 2))).astype("uint8")
        if step == 4:
            yield "life, looked at", int(cells.sum())
        if step == 6:
            cells = cells[:, :-2].copy()
    yield "life", cells
    u = xp.asarray(values(rng, 66 * 68, "float32").reshape(66, 68))
    v = xp.asarray(values(rng, 66 * 68, "float32").reshape(66, 68))
    kept = []
    for step in range(7):
        near = xp.roll(u, 1, 0) + xp.roll(u, -1, 0) + xp.roll(u, 1, 1) + xp.roll(u, -1, 1) - 4 * u
        reaction = u * v * v
        u, v = (
            u + np.float32(0.1) * near - reaction,
            v + reaction * np.float32(0.5) - v * np.float32(0.01 * step),
        )
        if step % 3 == 0:
            kept.append(u[1:-1])
    yield "substances", u + v
    yield "substances, kept", kept[0] + kept[1] + kept[2]
    place, speed = xp.asarray(rng.random((9, 3))), xp.asarray(rng.random((9, 3)))
    for _ in range(6):
        apart = place[None] - place[:, None]
        force = apart / (abs(apart).max(-1)[..., None] + 1)
        speed = speed + 0.125 * force.max(1)
        place = place + 0.25 * speed
    yield "planets", place


def reductions(xp: Any, rng: np.random.Generator) -> Outcome:
    for size in SIZES:
        for dtype in DTYPES:
            x = xp.asarray(values(rng, size, dtype))
            yield f"sum {dtype} {size}", x.sum()
            yield f"max {dtype} {size}", x.max()
            yield f"argmin {dtype} {size}", x.argmin()
    for shape in ((3, 5), (257, 33), (5, 4099), (4099, 5), (7, 65, 31)):
        x = xp.asarray(values(rng, int(np.prod(shape)), "float32").reshape(shape))
        for axis in (0, -1, None):
            yield f"sum {shape} {axis}", x.sum(axis)
            yield f"mean of squares {shape} {axis}", (x * x).mean(axis)
        yield f"std {shape}", x.std(0)
        yield f"normalised {shape}", (x - x.mean(0)) / (x.std(0) + 1)
        yield f"any {shape}", (x > 0.999).any(-1)
    # Operands of several widths, more than a thread takes in one run; sums of whole numbers are exact.
    mixtures = (("float32",) * 3, ("float32", "bool"), ("float32", "int16", "bool"), ("float32",) * 5)
    for rows, dtypes in itertools.product((60, 900), mixtures):
        columns = [xp.asarray(values(rng, rows * 47, "int64").reshape(rows, 47).astype(d)) for d in dtypes]
        yield f"columns of {dtypes} {rows}", functools.reduce(xp.add, columns).sum(0)
    for dtypes in mixtures:
        # One block a row.
        row = [xp.asarray((values(rng, 9000, "int64") % 4).astype(d)) for d in dtypes]
        yield f"long rows of {dtypes}", sum(xp.broadcast_to(x, (530, 9000)) for x in row).sum(1)


def scans(xp: Any, rng: np.random.Generator) -> Outcome:
    for size in SIZES:
        for dtype in ("int64", "float32", "float64", "complex64"):
            x = xp.asarray(values(rng, size, dtype))
            yield f"cumsum {dtype} {size}", xp.cumsum(x)
        x = xp.asarray(values(rng, size, "float64"))
        yield f"cumprod {size}", xp.cumprod(x + 0.5)
        yield f"nonzero {size}", xp.nonzero(x > 0.5)[0]
        yield f"compressed {size}", x[x > 0.5]
        yield f"counted {size}", xp.count_nonzero(x > 0.5)
    m = xp.asarray(values(rng, 67 * 129, "float32").reshape(67, 129))
    yield "cumsum rows", xp.cumsum(m, 1)
    yield "cumsum columns", xp.cumsum(m, 0)


def sorts(xp: Any, rng: np.random.Generator) -> Outcome:
    for size in SIZES:
        for dtype in ("bool", "int8", "int64", "uint32", "float16", "float32", "float64"):
            x = xp.asarray(values(rng, size, dtype))
            yield f"sort {dtype} {size}", xp.sort(x)
            yield f"argsort {dtype} {size}", xp.argsort(x, kind="stable")
        ids = xp.asarray(values(rng, size, "int64"))
        yield f"unique {size}", xp.unique(ids)
        yield f"bincount {size}", xp.bincount(ids)
        yield f"searchsorted {size}", xp.searchsorted(xp.sort(ids), ids)
        yield f"partition {size}", xp.partition(ids, size // 2)[size // 2]
    m = xp.asarray(values(rng, 67 * 129, "float32").reshape(67, 129))
    yield "sort rows", xp.sort(m, 1)
    yield "sort columns", xp.sort(m, 0)


def selections(xp: Any, rng: np.random.Generator) -> Outcome:
    # Long enough that places are found without a sort.
    size = 140_003
    for dtype in ("int16", "uint32", "float32", "float64"):
        x = xp.asarray(values(rng, 2 * size, dtype).reshape(2, size))
        for kth in (0, size // 3, (7, size // 2, size - 1)):
            part = xp.partition(x, kth, 1)
            order = xp.argpartition(x, kth, 1)
            at = np.atleast_1d(kth)
            for name, one in (("partition", part), ("argpartition", xp.take_along_axis(x, order, 1))):
                yield f"{name} {dtype} at {kth}", one[:, at]
                edges = [0, *at, size]
                for start, end in zip(edges, edges[1:], strict=False):
                    yield f"{name} {dtype} from {start}", xp.sort(one[:, start:end], 1)
        yield f"median {dtype}", xp.median(x, 1)
        yield f"percentile {dtype}", xp.percentile(x, [0, 12.5, 50, 99.9, 100])


def indexing(xp: Any, rng: np.random.Generator) -> Outcome:
    for size in SIZES:
        x = xp.asarray(values(rng, size, "float32"))
        where = xp.asarray(rng.integers(0, size, size))
        yield f"take {size}", x[where]
        yield f"taken twice {size}", x[where] * 2 + x[where - size]
        yield f"max of taken {size}", (x[where] + 1).max()
        y = xp.zeros(size, "float32")
        y[xp.asarray(rng.permutation(size))] = x
        yield f"put {size}", y
        yield f"where {size}", xp.where(x > 0.5, x, -x)
        yield f"roll {size}", xp.roll(x, 3)
        yield f"repeat {size}", xp.repeat(x, 3)
    m = xp.asarray(values(rng, 67 * 129, "float32").reshape(67, 129))
    yield "rows", m[xp.asarray([5, 5, 66, 0])]
    yield "joined", xp.concatenate([m, m[:3]], 0)
    yield "padded", xp.pad(m, 2)


def products(xp: Any, rng: np.random.Generator) -> Outcome:
    for rows, inner, columns in ((1, 1, 1), (7, 5, 3), (129, 67, 33)):
        a = xp.asarray(values(rng, rows * inner, "float64").reshape(rows, inner))
        b = xp.asarray(values(rng, inner * columns, "float64").reshape(inner, columns))
        yield f"matmul {rows}x{inner}x{columns}", a @ b
        yield f"matmul of transposes {rows}", b.T @ a.T
    x = xp.asarray(values(rng, 4099, "float64"))
    yield "dot", xp.dot(x, x)


def sparse_products(xp: Any, rng: np.random.Generator) -> Outcome:
    """Rows of no, few and many elements, with one column and with several."""
    import scipy.sparse

    for dtype in ("bool", "int8", "float32", "float64", "complex64"):
        for rows, columns, count in ((5, 7, 3), (300, 70, 900), (129, 257, 9000)):
            place = rng.integers(0, rows, count), rng.integers(0, columns, count)
            made = scipy.sparse.csr_array((values(rng, count, dtype), place), shape=(rows, columns))
            x, y = values(rng, columns, dtype), values(rng, columns * 5, dtype).reshape(columns, 5)
            if xp is not np:
                from cuprum.scipy import sparse

                made, x, y = sparse.csr_array(made), xp.asarray(x), xp.asarray(y)
            yield f"sparse {dtype} {rows}", made @ x
            yield f"sparse {dtype} {rows} matrix", made @ y
            columns_of = made.tocsc()
            yield f"sparse {dtype} {rows} columns", columns_of @ x
            for part in ("data", "indices", "indptr"):
                yield f"sparse {dtype} {rows} {part} of columns", getattr(columns_of, part)


def small_matrices(xp: Any, rng: np.random.Generator) -> Outcome:
    for dtype in ("float32", "float64", "complex64", "complex128"):
        for n in (1, 2, 3, 4):
            a = rng.standard_normal((300, n, n)) + 8 * np.eye(n)
            if dtype.startswith("complex"):
                a = a + 1j * rng.standard_normal((300, n, n))
            a = xp.asarray(a.astype(dtype))
            yield f"inv {dtype} {n}", xp.linalg.inv(a)
            yield f"inv transposed {dtype} {n}", xp.linalg.inv(a[::3].swapaxes(1, 2))
            b = xp.asarray(rng.standard_normal((n, 5)).astype(dtype))
            yield f"matmul stack {dtype} {n}", a @ b
            yield f"matmul between {dtype} {n}", (a @ a / 256 + b[:, :1]) @ b - b
            yield f"matmul vector {dtype} {n}", a @ b[:, 0]
            yield f"matmul row {dtype} {n}", b[:, 1] @ a.swapaxes(1, 2) + 1
            yield f"dot {dtype} {n}", xp.dot(b[:, 0], b[:, 1])
    with_nan = xp.asarray(np.array([[[1.0, 2.0], [np.nan, 4.0]], [[1.0, 2.0], [3.0, 5.0]]]))
    yield "inv of a NaN", xp.linalg.inv(with_nan)[1]
    yield "isnan of an inverse", xp.isnan(xp.linalg.inv(with_nan)[0])


def convolutions(xp: Any, rng: np.random.Generator) -> Outcome:
    """Small integers, whose sums are exact; NaN and infinity meet nothing beyond the ends."""
    for dtype in ("bool", "int8", "float16", "float32", "float64", "complex64"):
        long, short = (rng.integers(-6, 7, size).astype(dtype) for size in (300, 7))
        for value in (0, np.nan, np.inf) if short.dtype.kind in "fc" else (0,):
            weights = short.copy()
            weights[2] = value
            for mode in ("full", "same", "valid"):
                label = f"{mode} {dtype} {value}"
                yield f"convolve {label}", xp.convolve(xp.asarray(long), xp.asarray(weights), mode)
                yield f"correlate {label}", xp.correlate(xp.asarray(weights), xp.asarray(long), mode)


CASES: dict[str, Case] = {
    "elementwise": elementwise,
    "boxes": boxes,
    "loops": loops,
    "reductions": reductions,
    "scans": scans,
    "sorts": sorts,
    "selections": selections,
    "indexing": indexing,
    "products": products,
    "sparse_products": sparse_products,
    "small_matrices": small_matrices,
    "convolutions": convolutions,
}
NEED_LIBRARIES = {"products"}
"""Cases that need cuBLAS or its like, which the stand-in has not."""

# By the label's first word, in the result's eps: what NumPy's order of summing, or a function, differs by. In
# scans most of it is NumPy's own, which adds from left to right. All else is NumPy's, bit for bit, but for
# products of complex numbers: NumPy fuses them on some CPUs.
TOLERANCE = {
    "sum": 16,
    "mean": 16,
    "std": 16,
    "normalised": 64,
    "functions": 8,
    "cumsum": 2000,
    "cumprod": 40_000,
    "matmul": 32,
    "inv": 64,
    "dot": 32,
    "sparse": 64,
}
COMPLEX_PRODUCTS = {"chain": 4, "every": 4}


def compare(label: str, got: np.ndarray, want: np.ndarray) -> None:
    if (got.shape, got.dtype) != (want.shape, want.dtype):
        raise AssertionError(f"{label}: {got.dtype}{got.shape} instead of {want.dtype}{want.shape}")
    word = label.split()[0]
    allowed = TOLERANCE.get(word, COMPLEX_PRODUCTS.get(word, 0) if want.dtype.kind == "c" else 0)
    if not allowed or want.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, want, err_msg=label)
        return
    tolerance = allowed * np.finfo(want.dtype).eps
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance, err_msg=label)


def run(name: str) -> int:
    """Runs a case with both libraries and compares; how many results that were."""
    import cuprum as cp

    count = 0
    with np.errstate(all="ignore"):
        ours, theirs = CASES[name](cp, np.random.default_rng(7)), CASES[name](np, np.random.default_rng(7))
        for (label, got), (_, want) in zip(ours, theirs, strict=True):
            compare(label, cp.asnumpy(got), np.asarray(want))
            count += 1
    return count


def main() -> int:
    names = sys.argv[1:] or list(CASES)
    if names == ["--list"]:
        print("\n".join(CASES))
        return 0
    unknown = [name for name in names if name not in CASES]
    if unknown:
        raise SystemExit(f"unknown: {', '.join(unknown)}; there are {', '.join(CASES)}")
    for name in names:
        began = time.perf_counter()
        print(f"{name}: {run(name)} results agree, {time.perf_counter() - began:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
