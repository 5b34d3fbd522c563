"""Elements at positions, on a GPU: what is made of them reads the positions itself; NumPy's results."""

import pytest
from test_host import on_gpu

PRELUDE = """
def programs(run):
    with cp.testing.fusion_log() as log:
        found = run()
    return found, list(log)

def error_of(call):
    try:
        call()
    except IndexError as error:
        return str(error)
    return None

rng = np.random.default_rng(0)
"""


def test_a_mean_of_what_is_taken_is_one_program():
    on_gpu(
        PRELUDE
        + """
sample, choices = rng.random(1000), rng.integers(-1000, 1000, (37, 533))
x, at = cp.asarray(sample), cp.asarray(choices)
found, log = programs(lambda: cp.asnumpy(x[at].mean(axis=1)))
np.testing.assert_allclose(found, sample[choices].mean(axis=1), rtol=1e-14)
assert len(log) == 1 and "take" in log[0] and "sum" in log[0], log
alone = x[at]
cp.cuda.Device().synchronize()
np.testing.assert_array_equal(cp.asnumpy(alone), sample[choices])
np.testing.assert_array_equal(cp.asnumpy(alone.mean(axis=1)), found)
"""
    )


@pytest.mark.parametrize("defer", ["1", "0"])
def test_what_is_made_of_elements_at_positions_is_numpys(defer):
    on_gpu(
        PRELUDE
        + """
def formulas(xp, x, i, j):
    yield x[i] + 1
    yield x[i] * x[j] + x[i]
    yield xp.take(x, i)[1:, ::-1] * 2
    yield x[i].T + x[j].T
    yield x[i].sum(axis=0), x[i].sum(axis=1), x[i].sum(), x[i].max(axis=1)
    yield x[(i.astype("int64") * 3 + 1) % len(x)] + x[xp.minimum(i, j)]
    yield x[xp.arange(len(x))] + 1
    yield x[i][:, None] + x[j][:, :1, None]
    yield xp.concatenate([x[i], x[j] + 1], axis=1) * 2
    yield xp.where(i > j, x[i], x[j])
    yield x[xp.argmax(x[i], axis=1)] + 1
    yield x[(i.astype("int64") * 2).sum(axis=1) % len(x)] * 2
    yield xp.cumsum(x[i], axis=1)
    y = x[i]
    shown = y + 1
    yield y, shown
    e = xp.exp(x[i] * 0.25 - (x[i] * 0.25).max(axis=1, keepdims=True))
    yield e / e.sum(axis=1, keepdims=True)
    rows = x[i[:, :1]]
    yield (x[i] - rows) / (1 + abs(x[i]).sum(axis=1, keepdims=True))

def truths(xp, x, i, j):
    yield x[i] & x[j]
    yield x[i].sum(axis=1)

pairs = [("float64", "int64"), ("float32", "int32"), ("int16", "int8"), ("bool", "int64")]
for dtype, positions in [*pairs, ("complex64", "int32")]:
    for shape in ((5, 7), (33, 64)):
        host = (rng.random(97) * 40).astype(dtype)
        i, j = (rng.integers(-97, 97, shape).astype(positions) for _ in range(2))
        made = truths if dtype == "bool" else formulas
        results = [list(made(np, host, i, j)), list(made(cp, *map(cp.asarray, (host, i, j))))]
        for number, (want, got) in enumerate(zip(*results, strict=True)):
            want, got = (x if isinstance(x, tuple) else (x,) for x in (want, got))
            for a, b in zip(want, got, strict=True):
                b = cp.asnumpy(b)
                assert a.dtype == b.dtype and a.shape == b.shape, (dtype, number, a.dtype, b.dtype)
                tolerance = {"float32": 2e-5, "complex64": 2e-5}.get(dtype, 1e-12)
                np.testing.assert_allclose(b, a, rtol=tolerance, atol=tolerance, err_msg=f"{dtype} {number}")
cp.cuda.Device().synchronize()
""",
        CUPRUM_DEFER=defer,
    )


def test_a_table_that_changes_was_read_before():
    on_gpu(
        PRELUDE
        + """
host, at = rng.random(3000), rng.integers(0, 3000, 3000)
x, i = cp.asarray(host), cp.asarray(at)
taken = x[i] * 2
x += 1
np.testing.assert_array_equal(cp.asnumpy(taken), host[at] * 2)
taken = x[i]
i[...] = 0
np.testing.assert_array_equal(cp.asnumpy(taken), (host + 1)[at])
i[...] = cp.asarray(at)
x[...] = x[i] + x
np.testing.assert_array_equal(cp.asnumpy(x), (host + 1)[at] + (host + 1))
before = cp.asnumpy(x)
x[1:] = x[i][1:]
np.testing.assert_array_equal(cp.asnumpy(x)[1:], before[at][1:])
"""
    )


def test_a_position_beyond_the_table_is_an_error_at_the_next_wait():
    on_gpu(
        PRELUDE
        + """
x = cp.asarray(rng.random(50))
wait = lambda: cp.cuda.Device().synchronize()
for bad in (50, -51, 2**40):
    at = rng.integers(-50, 50, (9, 77))
    at[5, 76] = bad
    i = cp.asarray(at)
    for op, program in (
        ("index", lambda: x[i].sum(axis=1)),
        ("index", lambda: x[i] + 1),
        ("index", lambda: x[i]),
        ("index", lambda: x[i * 1]),
        ("take", lambda: cp.take(x, i).max()),
    ):
        result = program()
        later = error_of(wait)
        assert later == f"{op}: index {bad} is out of bounds for axis 0 with size 50", later
        assert error_of(wait) is None
# Positions past the last element are nobody's.
n = 50
for shape in ((50,), (7,), (3, 5), (1, 49)):
    count = int(np.prod(shape))
    late = cp.arange(n - count, n).reshape(shape)
    assert cp.asnumpy(x[late].sum()) > 0
    cp.asnumpy(x[cp.arange(count) + (n - count)] * 2)
assert error_of(lambda: cp.cuda.Device().synchronize()) is None
"""
    )
