"""Deferral is invisible to writes, views and errors: the ways in which deferring array libraries went wrong.

The number in a test's name is the case's. A case that is a program (`@program`) runs on NumPy and on Cuprum
in this session's mode, and in both modes in test_deferral_modes.py.
A loop's memory (8, 37) is also measured in test_memory.py; a failing kernel compiler (20) is among the tests
of the CUDA device, in crates/cuprum-cuda/tests/refused.rs.
"""

import gc

import numpy as np
import pytest
from deferral_programs import M, N, noise, program, ramp, square
from twin import fresh_python

import cuprum as cp

# ---------------------------------------------------------------------------------------------------------
# Writes and views


@program()
def test_case01_a_write_after_a_pending_read(xp):
    x = ramp(xp)
    y = x + 10
    x[:1] = 9
    z = x * 2
    x += 1
    w = x - y
    x[...] = 0
    return y, z, w, x


@program()
def test_case02_the_write_goes_through_another_view(xp):
    x, m = ramp(xp), square(xp)
    y, n = x + 10, m * 3
    x[::-1][:5] = -1
    m.T[0] = 7
    m[1:, ::2].T[...] = 5
    return y, x, n, m


@program()
def test_case03_a_write_to_a_view_of_a_pending_array(xp):
    base = ramp(xp) + 1
    view = base[10:20]
    view[:] = -5
    half = base[::2]
    half *= 2
    flipped = base[::-1]
    flipped[0] = 77
    turned = (square(xp) + 1).T
    turned[2] = 3
    return base, view, half, turned, turned.base is not None


@program()
def test_case04_a_write_to_the_base_with_a_reader_on_a_view(xp):
    x = ramp(xp)
    y = x[5:500] * 2
    z = x[::-3] + y[0]
    x[:] = 0
    m = square(xp)
    t = m.T + 1
    m[0] = 9
    return y, z, x, t, m


@program()
def test_case05_in_place_add_of_the_transpose(xp):
    a = square(xp)
    a += a.T
    b = noise(xp, (700, 700), 3)
    b -= b.T
    c = square(xp, 1) * 2
    c += c.T
    return a, b, c


@program()
def test_case06_in_place_add_of_a_shifted_view(xp):
    a = ramp(xp)
    a[1:] += a[:-1]
    b = ramp(xp)
    b[:-1] += b[1:]
    c = ramp(xp) + 1
    c[3:] *= c[:-3]
    d = square(xp)
    d[1:, 1:] -= d[:-1, :-1]
    return a, b, c, d


@program()
def test_case07_out_is_a_reversed_view_of_an_operand(xp):
    a, b = ramp(xp), noise(xp)
    xp.add(a, b, out=a[::-1])
    c = ramp(xp)
    xp.multiply(c[::-1], c, out=c)
    m = square(xp)
    xp.subtract(m, m[::-1], out=m.T)
    return a, b, c, m


@program()
def test_case08_ten_thousand_in_place_adds(xp):
    a = xp.zeros(2000)
    for _ in range(10_000):
        a += 1
    b = xp.zeros(N, dtype=xp.float32)
    for i in range(300):
        b += i
        b *= 0.5
    return a, b


@program()
def test_case09_a_long_chain_dropped_unread(xp):
    x = xp.ones(5000)
    y = x
    for _ in range(10_000):
        y = y + 1
    del y
    gc.collect()
    return x + 1


@program()
def test_case10_a_long_chain_read_once(xp):
    y = ramp(xp, 5000)
    for i in range(10_000):
        y = y + 1 if i % 2 else y * 0.9999
    return y


@program()
def test_case11_doubling_forty_times(xp):
    x = xp.ones(N, dtype=xp.int64)
    for _ in range(40):
        x = x + x
    y = xp.full(N, 1.0000001)
    for _ in range(12):
        y = y * y
    return x, y


@program()
def test_case12_a_shared_subexpression_read_in_each_order(xp):
    a, b = noise(xp), noise(xp, seed=1)
    first = a * b
    p, q = first + 1, first - 1
    second = a - b
    r, s = second * 2, second * 3
    return p, q, s, r, first


@program()
def test_case13_a_shared_subexpression_kept_dropped_and_mutated(xp):
    a, b = noise(xp), noise(xp, seed=1)
    kept = a * b
    p = kept + 1
    dropped = a + b
    q = dropped * 2
    del dropped
    mutated = a - b
    r, s = mutated * 2, mutated + 5
    mutated[3:9] = 100
    t = mutated * 2
    mutated += 1
    return kept, p, q, r, s, t, mutated


@program()
def test_case14_results_of_different_broadcast_shapes(xp):
    row, column = noise(xp, M), noise(xp, (M, 1), 1)
    double = row * 2
    table = double + column
    cube = table + noise(xp, (3, 1, 1), 2)
    total = (table * row).max(axis=0)
    back = total + double
    return double, table, cube, total, back


@program()
def test_case15_reshape_of_a_pending_array(xp):
    x = ramp(xp, 20_000) + 1
    y = x.reshape(100, 200)
    y[0] = 5
    z = (square(xp) * 2).T.reshape(-1)
    w = (square(xp) * 2).reshape(-1)[::-1].reshape(M, M)
    u = (x.reshape(100, 200).T + 1).reshape(50, -1)
    v = (x * 2).reshape(2, -1).ravel()
    v[0] = -1
    return x, y, z, w, u, v


@program()
def test_case16_zero_size_zero_d_size_one_and_wholly_broadcast(xp):
    empty = xp.zeros((0, 5)) + 1
    scalar = xp.array(2.0) * 3
    one = xp.ones((1, 1)) + scalar
    flat = xp.broadcast_to(xp.array(1.5), (M, M)) * 2
    both = flat + xp.broadcast_to(xp.array([3.0]), (M, M))
    x = ramp(xp)
    return (
        empty,
        empty.sum(),
        scalar,
        one,
        flat,
        both,
        both.sum(),
        x[5:5] + 1,
        x + scalar,
        (x[:0] * 2).sum() + x,
        x + one[0],
    )


@program()
def test_case17_forty_distinct_inputs(xp):
    inputs = [noise(xp, seed=i) for i in range(40)]
    total = inputs[0]
    for x in inputs[1:]:
        total = total + x
    tree = [a * b for a, b in zip(inputs[::2], inputs[1::2], strict=True)]
    while len(tree) > 1:
        odd = tree[-1:] if len(tree) % 2 else []
        tree = [a - b for a, b in zip(tree[::2], tree[1::2], strict=False)] + odd
    return total, tree[0]


@program()
def test_case18_an_error_leaves_pending_work_unharmed(xp):
    a, b = noise(xp), noise(xp, seed=1)
    pending = a * b + 1
    seen = []
    for bad in (
        lambda: pending + xp.ones(N + 1),
        lambda: pending & pending,
        lambda: pending.sum(axis=3),
        lambda: pending.reshape(7, 7),
        lambda: xp.add(pending, 1, out=xp.zeros(N, dtype=xp.int8)),
        lambda: pending.__iadd__(1j),
        lambda: pending[N],
        lambda: pending.__setitem__(slice(0, 5), xp.ones(6)),
        lambda: xp.zeros(N, dtype=xp.int8) + 300,
        lambda: pending @ xp.ones(N + 1),
    ):
        try:
            bad()
        except Exception as error:
            seen.append(isinstance(error, (ValueError, TypeError, IndexError, OverflowError)))
        else:
            seen.append(None)
    return seen, pending, pending * 2, a, b


@pytest.mark.parametrize("op", ["add", "matmul", "sum", "reshape", "cast"])
def test_case18_errors_raise_at_the_call(op):
    """Not when somebody looks: the call that is wrong is the one in the traceback."""
    x = cp.ones(N) * 2
    calls = {
        "add": (ValueError, lambda: x + cp.ones(N - 1)),
        "matmul": (ValueError, lambda: x @ cp.ones(N - 1)),
        "sum": (np.exceptions.AxisError, lambda: x.sum(axis=1)),
        "reshape": (ValueError, lambda: x.reshape(3, 3)),
        "cast": (TypeError, lambda: cp.add(x, 1, out=cp.zeros(N, dtype=cp.int32))),
    }
    kind, call = calls[op]
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value)
    assert float(x.sum()) == 2 * N


def test_case19_out_of_memory_repeats_and_leaves_everything_usable():
    """The failing result raises MemoryError each time it is read; others are computed as ever."""
    pytest.importorskip("resource")
    out = fresh_python(
        """
        import resource
        small = cp.arange(20000.0)
        pending = small * 2
        size = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (size + 2**30, size + 2**30))
        huge = cp.broadcast_to(cp.ones(1), (2**33,))
        target = cp.zeros(1000)
        errors = 0
        failed = None
        for attempt in range(2):
            try:
                if failed is None:
                    failed = huge + 1
                cp.asnumpy(failed)
            except MemoryError as error:
                assert str(error), "a MemoryError without a message"
                errors += 1
        try:
            target[:] = (huge + 1)[:1000]
        except MemoryError:
            pass
        assert float(target.sum()) in (0, 2000), "half-written"
        assert float(pending.sum()) == 20000 * 19999
        assert float((small + 1)[5]) == 6
        print("errors", errors)
        """
    )
    assert out == "errors 2"
