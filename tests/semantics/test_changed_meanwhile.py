"""Arrays that another thread changes while they are used: any result will do, but none that does harm.

Each case runs in a process of its own. The other thread writes to memory that Cuprum shares with NumPy, and
NumPy releases the interpreter's lock while it writes.
"""

import pytest
from twin import fresh_python

# Calls that count first and write then. `m`, `v` and `p` change; `x`, `y` and `rows` do not.
MASKS = {
    "nonzero": "cp.nonzero(m)",
    "argwhere": "cp.argwhere(m)",
    "flatnonzero": "cp.flatnonzero(m)",
    "where": "cp.where(m)",
    "compress": "cp.compress(m, x)",
    "extract": "cp.extract(m, x)",
    "place": "cp.place(x, m, [1.0, 2.0, 3.0])",
    "select": "x[m]",
    "select rows": "rows[m]",
    "select small": "x[:2000][m[:2000]]",
    "store": "store(x, m, y)",
    "count_nonzero": "cp.count_nonzero(m)",
    "delete": "cp.delete(x, m)",
    "bincount": "cp.bincount(m)",
    "unique": "cp.unique(m, return_index=True, return_inverse=True, return_counts=True)",
    "argsort": "cp.argsort(m)",
}
NUMBERS = {
    "sort": "cp.sort(v)",
    "sort in place": "v.sort()",
    "sort in place, small": "v[:2000].sort()",
    "sort rows in place": "v[:60_000].reshape(-1, 20).sort(axis=0)",
    "argsort": "cp.argsort(v)",
    "argsort small": "cp.argsort(v[:2000])",
    "partition": "cp.partition(v, v.size // 2)",
    "partition in place": "v.partition(v.size // 2)",
    "argpartition": "cp.argpartition(v, v.size // 2)",
    "lexsort": "cp.lexsort((v, x))",
    "median": "cp.median(v)",
    "unique": "cp.unique(v, return_index=True, return_inverse=True, return_counts=True)",
    "bincount": "cp.bincount(v[:5000].astype('i8') & 1023)",
    "histogram": "cp.histogram(v, bins=50)",
    "searchsorted": "cp.searchsorted(v, x)",
    "digitize": "cp.digitize(x, cp.sort(v[:1000]))",
    "interp": "cp.interp(x, v, x)",
}
POSITIONS = {
    "take": "cp.take(x, p)",
    "take small": "cp.take(x, p[:2000])",
    "index": "x[p]",
    "index rows": "rows[p]",
    "put": "cp.put(x, p, y)",
    "put small": "store(x, p[:2000], y[:2000])",
    "store": "store(x, p, y)",
    "add.at": "cp.add.at(x, p, 1.0)",
    "take_along_axis": "cp.take_along_axis(x, p, axis=0)",
    "put_along_axis": "cp.put_along_axis(x, p, 1.0, axis=0)",
    "bincount": "cp.bincount(cp.abs(p) & 0xfffff)",
    "repeat": "cp.repeat(x[:2000], cp.abs(p[:2000]) & 7)",
    "choose": "cp.choose(cp.abs(p) & 1, [x, y])",
}

SPARSE = {
    "vector": "sparse @ x[:3000]",
    "columns": "sparse @ columns",
    "transposed": "sparse.T @ x[:3000]",
    "transposed columns": "sparse.T @ columns",
    "tocsc": "sparse.tocsc()",
    "tocoo": "sparse.tocoo(copy=False).tocsr()",
    "add": "sparse + sparse.T",
    "multiply": "sparse.multiply(sparse)",
    "product": "sparse @ sparse",
    "rows": "sparse[100:2000]",
    "columns of it": "sparse[:, 100:2000]",
    "maximum": "sparse.maximum(sparse.T)",
}

CODE = """
import threading

def store(target, at, values):
    target[at] = values[:at.size] if at.dtype != bool else values[: int(cp.count_nonzero(at))]

n = 200_000
kind, call, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
rng = np.random.default_rng(0)
x, y = cp.arange(n, dtype="f8"), cp.ones(n)
rows = cp.zeros((n, 3), "f4")
if kind == "mask":
    states = [rng.random(n) < 0.1, rng.random(n) < 0.9]
elif kind == "numbers":
    # Between numbers far apart, those that differ in their last bits alone.
    close = [1 + rng.integers(0, 1000, n) * 2.0**-52 for _ in range(2)]
    states = [np.where(np.arange(n) % 50, near, rng.normal(size=n) * 1e300) for near in close]
    states.append(rng.integers(0, 5, n).astype("f8"))
elif kind == "sparse":
    rows_of, each = 3000, 8
    inside = [rng.integers(0, rows_of, rows_of * each).astype("i4") for _ in range(2)]
    states = [*inside, rng.integers(-(2**31), 2**31, rows_of * each).astype("i4")]
else:
    states = [rng.integers(0, n, n), rng.integers(-(2**62), 2**62, n)]
m = v = p = cp.array(states[0])
host = np.asarray(m)
if kind == "sparse":
    from cuprum.scipy.sparse import csr_matrix

    starts = cp.arange(rows_of + 1, dtype="i4") * each
    sparse = csr_matrix._made(cp.ones(m.size), m, starts, (rows_of, rows_of))
    columns = cp.ones((rows_of, 8))
done = threading.Event()

def change():
    while not done.is_set():
        for state in states:
            np.copyto(host, state)

other = threading.Thread(target=change)
other.start()
kept = []
try:
    for _ in range(rounds):
        try:
            result = eval(call)
            kept.append(str(result))
        except (IndexError, ValueError):
            pass
        del kept[:-3]
finally:
    done.set()
    other.join()
print("unharmed")
"""


IN_PLACE = [case for case in NUMBERS if "in place" in case]


def unharmed(kind, call, rounds, **env):
    assert fresh_python(CODE, kind, call, rounds, timeout=300, CUPRUM_DEVICE="cpu", **env) == "unharmed"


@pytest.mark.cpu
@pytest.mark.parametrize("case", MASKS)
def test_masks(case):
    unharmed("mask", MASKS[case], 150)


@pytest.mark.cpu
@pytest.mark.parametrize("case", NUMBERS)
def test_numbers(case):
    unharmed("numbers", NUMBERS[case], 40)


@pytest.mark.cpu
@pytest.mark.parametrize("case", POSITIONS)
def test_positions(case):
    unharmed("positions", POSITIONS[case], 40)


@pytest.mark.cpu
@pytest.mark.parametrize("case", SPARSE)
def test_sparse_matrices(case):
    unharmed("sparse", SPARSE[case], 150)


@pytest.mark.cpu
@pytest.mark.parametrize("case", IN_PLACE)
def test_numbers_without_vectors(case):
    unharmed("numbers", NUMBERS[case], 40, CUPRUM_SIMD="portable")
