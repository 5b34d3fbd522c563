"""Deferral is invisible: the ways in which deferring array libraries went wrong, one test each.

The number in a test's name is the case's. A case that is a program (`@program`) runs on NumPy and on Cuprum
in this session's mode; `test_both_modes_give_the_same_bits` then runs all programs in two fresh interpreters,
with `CUPRUM_DEFER=1` and `=0`, and compares the bytes of every result. Sizes are such that work really is
deferred: tiny arrays run at once. Threads (29, 30) are in test_threads.py, memory (8, 37) also in
test_memory.py; streams and graphs (31, 32) belong to the tests of `cuprum.cuda`, a failing kernel compiler
(20) to those of the CUDA device.
"""

# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import contextlib
import gc
import hashlib
import os
import pathlib
import platform
import warnings

import numpy as np
import pytest
from twin import bf16_array, bf16_round, check, fresh_python, quiet, run, to_numpy, twin

import cuprum as cp

N = 20_011  # prime, past the threshold of immediate execution and past one block
M = 151

PROGRAMS = {}


def program(**options):
    """Register a body for the two-mode battery and make a twin test of it."""

    def decorate(body):
        PROGRAMS[body.__name__] = body
        return twin(**options)(body)

    return decorate


def ramp(xp, n=N, dtype="float64"):
    return xp.array((np.arange(n) % 251).astype(dtype))


def noise(xp, shape=N, seed=0, dtype="float64"):
    return xp.array(np.random.default_rng(seed).uniform(-2, 2, shape).astype(dtype))


def square(xp, seed=0):
    return noise(xp, (M, M), seed)


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


# ---------------------------------------------------------------------------------------------------------
# Values


@program()
def test_case21_scalars_are_parameters_of_the_kernel(xp):
    x, i, u = noise(xp), ramp(xp, dtype="int32"), ramp(xp, dtype="uint8")
    results = [x * s + 1 for s in (2, 3, 2.5, float("nan"), -0.0, 0.0, True, float("inf"), 1e300)]
    results += [i + s for s in (2, 3, -1, True, 2**31 - 1)]
    results += [u - s for s in (1, 255, False)]
    results += [xp.where(x > s, s, x) for s in (0, 1, -0.5)]
    results += [x**s for s in (0, 1, 2)]
    return results


@program()
def test_case21_the_sign_of_a_zero_scalar_survives(xp):
    x = xp.zeros(N)
    return (
        xp.copysign(1.0, x * -0.0),
        xp.copysign(1.0, x * 0.0),
        xp.copysign(1.0, x + -0.0),
        xp.copysign(1.0, -x - 0.0),
    )


def test_case21_a_huge_integer_raises_at_the_call_and_others_still_work():
    x = cp.ones(N, dtype=cp.int32)
    good = x + 5
    with pytest.raises(OverflowError):
        x + 2**40
    check(lambda xp: xp.ones(N, dtype=xp.int32) + 2**40, label="int32 + 2**40")
    check(lambda xp: xp.ones(N, dtype=xp.int32) < 2**40, label="int32 < 2**40")
    assert int(good.sum()) == 6 * N


@program()
def test_case22_python_scalars_are_weak(xp):
    return (
        noise(xp, dtype="float32") + 1.5,
        ramp(xp, dtype="uint8") - 1,
        ramp(xp, dtype="int8") * 2,
        ramp(xp, dtype="float16") / 3,
    )


def test_case22_integers_that_do_not_fit_raise():
    check(lambda xp: xp.zeros(N, dtype=xp.int8) + 300)
    check(lambda xp: xp.zeros(N, dtype=xp.uint8) - (-1))


@program()
def test_case23_half_precision_rounds_after_every_op(xp):
    x, y, z = (noise(xp, seed=s, dtype="float16") for s in range(3))
    f, g, h = (noise(xp, seed=s, dtype="float32") for s in range(3))
    return x * y + z, (x + y) * (y + z) - x, f * g + h, f * g - h * g


def test_case23_bfloat16_rounds_after_every_op():
    x, y, z = (bf16_round(np.random.default_rng(s).uniform(-2, 2, N).astype(np.float32)) for s in range(3))
    got = to_numpy(bf16_array(x) * bf16_array(y) + bf16_array(z))
    assert np.array_equal(got, bf16_round(bf16_round(x * y) + z))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_case23_no_fused_multiply_add(dtype):
    """Under fma x * x - round(x * x) is the rounding error of the product; without it, exactly zero."""
    host = np.random.default_rng(0).uniform(1, 2, N).astype(dtype)
    product = host * host
    assert not to_numpy(cp.array(host) * cp.array(host) - cp.array(product)).any()


@program()
def test_case24_casts_inside_an_expression(xp):
    x, i = noise(xp), ramp(xp, dtype="int16")
    return (
        (i - 3).astype(bool),
        (x * 100).astype(xp.int8),
        (x * 1000).astype(xp.int32).astype(xp.uint8),
        xp.array(np.where(np.arange(N) % 3, np.nan, 0.0)).astype(bool),
        (i + 1).astype(xp.float16).astype(xp.int64),
        x.astype(xp.complex64).real,
    )


@program()
def test_case24_integer_division_by_zero(xp):
    a = xp.array(np.resize(np.array([-128, -7, 0, 7, 127], np.int8), N))
    b = xp.array(np.resize(np.array([0, -1, 3], np.int8), N))
    return a // b, a % b, a / b, (a // b) * b + a % b


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="NumPy's result depends on the CPU")
@program()
def test_case24_nan_and_infinity_to_wide_integers(xp):
    x = xp.array(np.resize(np.array([np.nan, np.inf, -np.inf, 1e300, -1e300, 2.9, -2.9]), N))
    return (x + 0).astype(xp.int64), (x * 1).astype(xp.int32)


@program(ulps=2)
def test_case25_powers(xp):
    i, x = ramp(xp, dtype="int64"), abs(noise(xp)) + 0.5
    return i**2, i**0.5, i**3, x**2, x**0.5, x**-1, x**-2, i**0, (i + 1.0) ** -1


def test_case25_an_integer_to_a_negative_power_raises_at_the_call():
    check(lambda xp: ramp(xp, dtype="int64") ** -1)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_case26_fused_and_unfused_sums_have_the_same_bits(dtype):
    a, b = noise(cp, 300_007, 0, dtype), noise(cp, 300_007, 1, dtype)
    whole = a * a + b
    to_numpy(whole)
    want = to_numpy(whole.sum()).tobytes()
    runs = {to_numpy((a * a + b).sum()).tobytes() for _ in range(100)}
    assert runs == {want}
    m = noise(cp, (300, 500), 2, dtype)
    plain = m * 2 + 1
    to_numpy(plain)
    for axis in (0, 1):
        assert to_numpy((m * 2 + 1).sum(axis=axis)).tobytes() == to_numpy(plain.sum(axis=axis)).tobytes()


def test_case27_a_float32_sum_of_1e8_times_a_tenth():
    exact = 1e8 * float(np.float32(0.1))
    want = abs(float(np.broadcast_to(np.float32(0.1), (10**8,)).sum()) - exact)
    got = abs(float(cp.broadcast_to(cp.array(np.float32(0.1)), (10**8,)).sum()) - exact)
    assert got <= max(want, np.spacing(np.float32(exact))), f"error {got}, NumPy's is {want}"


@program(ulps=4, signed_zero=False)
def test_case28_sums_along_axes(xp):
    whole = xp.array(np.random.default_rng(0).integers(-4, 5, (7, 30, 200)) / 2)
    tall, wide = whole.reshape(-1, 2), whole.reshape(2, -1)
    e = whole * 2 + 1
    results = [e.sum(axis=a) for a in (0, 1, 2, (0, 1), (0, 2), (1, 2), None, ())]
    results += [(x + 1).sum(axis=a, keepdims=k) for x in (tall, wide) for a in (0, 1) for k in (False, True)]
    results += [
        (whole[:, :0] + 1).sum(axis=1),
        (whole[:0] * 2).sum(axis=0),
        e - e.mean(axis=1, keepdims=True),
    ]
    results += [(e - e.mean(0)) / e.std(0), e.sum() * 2 + e.max(axis=0)]
    return results


@program()
def test_case28_argmax_with_ties_and_nan(xp):
    host = np.zeros((40, 600))
    host[:, [100, 300]] = 5
    host[3, 77] = np.nan
    x = xp.array(host)
    return (
        (x * 2).argmax(axis=1),
        (x * 2).argmin(axis=0),
        (x + 1).argmax(),
        (x[5:] - 1).argmax(),
        (-x[5:]).argmax(axis=0),
    )


# ---------------------------------------------------------------------------------------------------------
# The world outside


@pytest.mark.cpu
def test_case33_dlpack_shares_memory_and_pending_readers_keep_their_values():
    x = ramp(cp) + 1
    before = x * 2
    shared = np.from_dlpack(x)
    expected = to_numpy(x).copy()
    with contextlib.suppress(ValueError):
        shared.flags.writeable = True
    if shared.flags.writeable:
        shared[:10] = -1
        expected[:10] = -1
    after = x * 2
    assert np.array_equal(to_numpy(before), (ramp(np) + 1) * 2)
    assert np.array_equal(to_numpy(after), expected * 2)
    x[5] = 42
    assert to_numpy(x)[5] == 42
    assert shared[5] == 42, "an exported array does not see later writes"


@pytest.mark.cpu
def test_case33_array_conversion_then_mutation_by_the_consumer():
    x = ramp(cp)
    pending = x + 1
    host = np.asarray(x)
    if not host.flags.writeable:
        host = host.copy()
    host[:] = 7
    assert np.array_equal(to_numpy(pending), ramp(np) + 1)
    y = ramp(cp) * 3
    assert np.array_equal(np.asarray(y), ramp(np) * 3)
    assert np.array_equal(np.array(y + 1, dtype=np.float32), (ramp(np) * 3 + 1).astype(np.float32))


def test_case33_the_result_of_asnumpy_is_the_callers_own():
    x = ramp(cp)
    host = cp.asnumpy(x)
    host[:] = -1
    assert np.array_equal(cp.asnumpy(x), ramp(np))


def test_case33_a_numpy_input_may_change_after_the_call():
    host = np.arange(float(N))
    x = cp.array(host)
    pending, mixed = x + 1, x * 0 + host
    host[:] = 0
    assert np.array_equal(to_numpy(pending), np.arange(float(N)) + 1)
    assert np.array_equal(to_numpy(mixed), np.arange(float(N)))


@program()
def test_case34_out_is_the_only_reference_to_a_pending_input(xp):
    a = ramp(xp) + 1
    xp.multiply(a, 2, out=a)
    b = noise(xp) * 3
    b = xp.add(b, b[::-1], out=b)
    c = ramp(xp) + 1
    xp.sqrt(c + 1, out=c)
    d = xp.negative(ramp(xp) * 2, out=ramp(xp) + 5)
    e = xp.add(xp.ones(N), 1)
    e += e * e
    return a, b, c, d, e


@program()
def test_case35_a_freed_inputs_address_is_reused(xp):
    results = []
    for i in range(30):
        x = xp.full(N, float(i))
        results.append(x * 2 + 1)
        del x
    return results


@program()
def test_case36_offsets_strides_and_types_of_every_width(xp):
    results = []
    for dtype in ("int8", "uint8", "int16", "float16", "int32", "float32", "float64", "complex128"):
        x = ramp(xp, dtype=dtype)
        results += [x[1:] + x[:-1], x[3::2] * 2, x[::-1] + 1, x[-1:0:-3] - 1, x[1:][1:][::-1][:-5] * x[2:-3]]
    m = square(xp)
    results += [m[1:, 1:] + m[:-1, :-1], m[::-1, ::2] * 2, m.T[1:, ::-1] + 1, m[:, 3] + m[3], m[1::2].T * 2]
    return results


@pytest.mark.large
@pytest.mark.memory
@pytest.mark.parametrize("n", [2**31 - 1, 2**31, 2**31 + 1, 2**31 + 17])
def test_case36_more_than_two_to_the_31_elements(n):
    x = cp.zeros(n, dtype=cp.int8)
    x[-1] = 3
    x[0] = 2
    y = x + 1
    assert int(y[-1]) == 4 and int(y[0]) == 3 and int(y[n // 2]) == 1
    assert int(x.argmax()) == n - 1
    assert int(x[::-1].argmax()) == 0
    assert int(x.sum()) == 5
    assert int(x[1:].sum(dtype=cp.int64)) == 3
    assert int(x[::-2][0]) == 3


def test_case36_a_broadcast_array_beyond_two_to_the_31_elements():
    """Strides of zero: the index must not wrap although no memory is used."""
    x = cp.broadcast_to(cp.arange(3, dtype=cp.int8), (2**30, 3))
    assert x.size == 3 * 2**30
    assert to_numpy(x[2**30 - 1]).tolist() == [0, 1, 2]
    assert to_numpy(x[-2:, ::-1] + 1).tolist() == [[3, 2, 1], [3, 2, 1]]


def test_case38_a_forked_process_is_told_that_it_cannot_use_cuda(on_gpu):
    if not on_gpu:
        pytest.skip("looks at a GPU")
    out = fresh_python(
        """
        x = cp.arange(2_000.0)
        pending = x + 1
        float(x.sum())
        pid = os.fork()
        if pid == 0:
            messages = set()
            ways = (lambda: float(pending[10]), lambda: x.get(), lambda: cp.zeros(3) + 1)
            for use in (*ways, cp.cuda.Device().synchronize):
                try:
                    use()
                    cp.cuda.Stream.null.synchronize()
                except RuntimeError as error:
                    messages.add("forked process" in str(error) and "spawn" in str(error))
                else:
                    messages.add(None)
            os._exit(0 if messages == {True} else 1)
        _, status = os.waitpid(pid, 0)
        print("child", os.waitstatus_to_exitcode(status), float(pending[-1]))
        """,
        timeout=60,
    )
    assert out == "child 0 2000.0"


@pytest.mark.no_gpu
def test_case38_fork():
    """A child made by fork computes, with pending work and worker threads of the parent behind it."""
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    out = fresh_python(
        """
        import warnings
        warnings.simplefilter("ignore")
        x = cp.arange(2_000_000.0)
        float((x * 2).sum())
        pending = x + 1
        pid = os.fork()
        if pid == 0:
            ok = float((x * 2 + 1).sum()) == float(np.arange(2_000_000.0).sum() * 2 + 2_000_000)
            ok = ok and float(pending[10]) == 11
            os._exit(0 if ok else 1)
        _, status = os.waitpid(pid, 0)
        print("child", os.waitstatus_to_exitcode(status), float(pending[-1]))
        """,
        timeout=60,
    )
    assert out == "child 0 2000000.0"


@pytest.mark.parametrize("keep", ["in a global", "in a cycle", "in a thread", "in a default argument"])
def test_case38_interpreter_exit_with_pending_work(keep):
    bodies = {
        "in a global": "y = cp.sqrt(x) + 1",
        "in a cycle": "box = []; box.append(box); box.append(cp.sqrt(x) + 1)",
        "in a thread": (
            "import threading\n"
            "t = threading.Thread(target=lambda: globals().update(y=cp.sqrt(x) + 1))\n"
            "t.start(); t.join()"
        ),
        "in a default argument": "def f(y=cp.sqrt(x) + 1): return y",
    }
    code = f"x = cp.arange(3_000_000.0)\n{bodies[keep]}\nprint('done')\n"
    done = fresh_python(code, check_exit=False, timeout=60)
    assert done.returncode == 0 and done.stdout.strip() == "done" and not done.stderr.strip(), done.stderr


def test_case38_exceptions_in_del_do_not_disturb_pending_work():
    out = fresh_python(
        """
        sys.unraisablehook = lambda args: None
        x = cp.arange(20000.0)
        class Loud:
            def __del__(self):
                cp.asnumpy(x + 1)
                raise RuntimeError("in __del__")
        y = x * 2
        for _ in range(100):
            Loud()
            y = y + 1
        print(float(y[1]))
        """
    )
    assert out == "102.0"


def test_case39_warnings_and_errstate_come_at_a_sensible_time():
    """A division by zero may warn or raise at its own call or read, as errstate says then; nowhere else."""
    x = cp.ones(N)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with np.errstate(all="ignore"):
            y = x / 0
            assert np.isinf(to_numpy(y)).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with np.errstate(all="ignore"):
            z = x / 0
            to_numpy(z)
        with np.errstate(all="raise"):
            assert float((x + 1).sum()) == 2 * N, "harmless work was blamed"
        assert np.isinf(to_numpy(z * 2)).all()


FUZZ_UNARY = ["negative", "absolute", "sqrt", "square", "floor", "sign", "isfinite", "logical_not"]
FUZZ_BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "less", "remainder"]


def random_program(xp, seed):
    """Build random values from views, scalars, casts, in-place writes and reductions; exact ops only."""
    rng = np.random.default_rng(seed)
    values = [noise(xp, (40, 60), seed + i) for i in range(3)]
    values += [
        xp.array(np.arange(40 * 60).reshape(40, 60) % 17),
        noise(xp, (40, 60), seed, "float32"),
        noise(xp, 60, seed),
    ]
    for _ in range(int(rng.integers(5, 40))):
        kind = int(rng.integers(0, 12))
        a, b = (values[int(i)] for i in rng.integers(0, len(values), 2))
        if kind < 3:
            values.append(getattr(xp, FUZZ_UNARY[int(rng.integers(len(FUZZ_UNARY)))])(a))
        elif kind < 7:
            values.append(getattr(xp, FUZZ_BINARY[int(rng.integers(len(FUZZ_BINARY)))])(a + 0, b))
        elif kind == 7:
            values.append(a[..., ::-1] * float(rng.integers(-3, 4)))
        elif kind == 8 and a.ndim == 2:
            values.append(a[::-1] + xp.max(b, axis=-1, keepdims=True))
        elif kind == 9:
            values.append(a.astype(["float32", "float64", "int64", "bool"][int(rng.integers(4))]))
        elif kind == 10:
            target = (a + 0.0).astype("float64")
            view = target[..., 5:50:3]
            view *= 2
            target[..., 0] = 1
            values.append(target)
        else:
            values.append(xp.where(a > 0, a, b))
        if rng.random() < 0.2 and len(values) > 6:
            values.pop(int(rng.integers(len(values))))
    return values


@pytest.mark.parametrize("block", range(10))
def test_case40_many_structures_each_compute_their_own(block):
    """Random programs: no two of these structures may be taken for one another."""
    for seed in range(block * 30, block * 30 + 30):
        check(
            lambda xp: random_program(xp, seed),
            layout=False,
            signed_zero=False,
            label=f"random program {seed}",
        )


# ---------------------------------------------------------------------------------------------------------
# Both modes


def digests():
    """Return "name sha256" lines of every program's results, in this process's mode."""
    bodies = dict(PROGRAMS)
    bodies.update({f"random {s}": lambda xp, s=s: random_program(xp, s) for s in range(60)})
    lines = []
    for name, body in bodies.items():
        sha = hashlib.sha256()
        feed(sha, run(body, cp))
        lines.append(f"{name.replace(' ', '_')} {sha.hexdigest()}")
    return "\n".join(lines)


def feed(sha, value):
    """Hash a nested result: dtype, shape, strides and bytes of arrays (NaN payloads unified), or text."""
    if isinstance(value, (tuple, list)):
        for item in value:
            feed(sha, item)
    elif hasattr(value, "dtype"):
        host = to_numpy(value)
        if host.dtype.kind in "fc":
            with quiet():
                host = np.where(np.isnan(host), np.asarray(np.nan, host.dtype), host)
        sha.update(f"{host.dtype}{value.shape}{tuple(value.strides)}".encode())
        sha.update(np.ascontiguousarray(host).tobytes())
    else:
        sha.update(repr(value).encode())


def test_both_modes_give_the_same_bits():
    here = str(pathlib.Path(__file__).resolve().parent)
    code = "sys.path.insert(0, sys.argv[1])\nimport test_deferral\nprint(test_deferral.digests())"
    deferred, eager = (
        dict(line.split() for line in fresh_python(code, here, CUPRUM_DEFER=mode).splitlines())
        for mode in ("1", "0")
    )
    assert deferred.keys() == eager.keys() and len(deferred) >= 80
    different = [name for name in deferred if deferred[name] != eager[name]]
    assert not different, f"deferred and immediate runs differ in {different}"


# ---------------------------------------------------------------------------------------------------------
# What was fused


@pytest.mark.fusion
def test_fusion_a_chain_with_its_sum_is_one_program():
    a, b = noise(cp, 1_000_000), noise(cp, 1_000_000, 1)
    with cp.testing.fusion_log() as log:
        result = cp.sqrt(a * a + b * b).sum()
        assert not log, "ran before anybody looked"
        value = float(result)
    assert len(log) == 1, "\n\n".join(log)
    assert value > 0


@pytest.mark.fusion
def test_fusion_a_kept_interior_result_is_written_in_the_same_pass():
    a, b = noise(cp, 1_000_000), noise(cp, 1_000_000, 1)
    with cp.testing.fusion_log() as log:
        inner = a * a + b * b
        outer = cp.sqrt(inner)
        first = to_numpy(outer)
        second = to_numpy(inner)
    assert len(log) == 1, "\n\n".join(log)
    assert np.array_equal(np.sqrt(second), first)


@pytest.mark.fusion
def test_fusion_common_subexpressions_are_computed_once():
    a = abs(noise(cp, 200_000))
    to_numpy(a)
    with cp.testing.fusion_log() as log:
        to_numpy(cp.sqrt(a) + cp.sqrt(a) * 2)
    assert len(log) == 1 and log[0].count("sqrt") == 1, "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_dropped_results_never_run():
    a = noise(cp, 200_000)
    with cp.testing.fusion_log() as log:
        b = cp.tanh(a) + 1
        del b
        to_numpy(a + 1)
    assert len(log) == 1 and "tanh" not in log[0], "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_a_result_is_computed_once():
    a = noise(cp, 200_000)
    with cp.testing.fusion_log() as log:
        b = cp.tanh(a)
        first, second, third = to_numpy(b), to_numpy(b), to_numpy(b + 1)
    assert np.array_equal(first, second) and np.array_equal(first + 1, third)
    assert sum(text.count("tanh") for text in log) == 1, "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_in_place_ops_on_an_unshared_array_stay_fused():
    a = noise(cp, 200_000)
    with cp.testing.fusion_log() as log:
        b = a * 2
        b += 1
        b *= a
        to_numpy(b)
    assert len(log) == 1, "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_what_follows_a_reduction_runs_on_the_reduced_shape():
    m = noise(cp, (1000, 800))
    with cp.testing.fusion_log() as log:
        to_numpy((m * 2 + 1).sum(axis=0) / 3 - 1)
    assert len(log) <= 2, "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_comparison_counts_in_one_pass():
    x, y = noise(cp, 1_000_000), noise(cp, 1_000_000, 1)
    with cp.testing.fusion_log() as log:
        count = int(cp.sum((x * x + y * y) <= 1))
    assert len(log) == 1, "\n\n".join(log)
    hx, hy = to_numpy(x), to_numpy(y)
    assert count == int(np.sum((hx * hx + hy * hy) <= 1))


@pytest.mark.fusion
def test_fusion_a_write_runs_only_the_pending_readers_of_its_target():
    a, b = noise(cp, 200_000), noise(cp, 200_000, 1)
    with cp.testing.fusion_log() as log:
        reads_a, reads_b = cp.tanh(a), cp.arctan(b)
        a[:10] = 0
        ran = "\n".join(log)
        assert "tanh" in ran and "arctan" not in ran, ran
    del reads_a, reads_b


@pytest.mark.fusion
def test_fusion_a_view_of_a_pending_array_does_not_run_it():
    a = noise(cp, 200_000)
    with cp.testing.fusion_log() as log:
        b = a * 2 + 1
        view = b[::2].reshape(400, 250).T
        assert view.shape == (250, 400) and not log, "\n\n".join(log)
    assert np.array_equal(to_numpy(view), (to_numpy(a) * 2 + 1)[::2].reshape(400, 250).T)
