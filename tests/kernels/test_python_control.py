"""Statements of Python kernels: loops, branches, types that follow the flow, tuples, functions, closures."""

import collections
import enum
import math
import operator

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.numba import cuda

SIZE = 8
OFFSETS = ((-1, 0), (1, 0), (0, -1), (0, 1))
TABLE = np.array([[1.5, 2.5, -1.0], [0.0, 4.0, 8.0]])


def ran(kernel, *args, count=1):
    kernel[1, count](*args)


@cuda.jit
def ranges(out):
    n = 0
    for i in range(5):
        n += i
    out[0] = n
    n = 0
    for i in range(3, 8):
        n = n * 10 + i
    out[1] = n
    n = 0
    for i in range(9, 0, -3):
        n = n * 10 + i
    out[2] = n
    n = 7
    for i in range(5, 5):
        n = 0
    out[3] = n
    step = -2 if n > 0 else 2
    n = 0
    for i in range(10, 1, step):
        n += i
        i = 100
    out[4] = n
    out[5] = i


def test_ranges():
    out = np.zeros(6, np.int64)
    ran(ranges, out)
    assert out.tolist() == [10, 34567, 963, 7, 30, 100]


@cuda.jit
def loops_with_else(a, out):
    k = cuda.grid(1)
    if k < a.size:
        for i in range(10):
            if i == a[k]:
                out[k, 0] = i
                break
        else:
            out[k, 0] = -1
        n = a[k]
        steps = 0
        while n > 1:
            if n % 2:
                n = 3 * n + 1
            else:
                n //= 2
            steps += 1
            if steps > 20:
                break
        else:
            steps += 1000
        out[k, 1] = steps
        total = 0
        for i in range(20):
            if i % 3 == 0:
                continue
            for j in range(i):
                if j > 4:
                    break
                total += j
        out[k, 2] = total


def test_loops_with_break_continue_and_else():
    a = np.array([0, 3, 9, 10, 27, 1])
    out = np.zeros((a.size, 3), np.int64)
    ran(loops_with_else, a, out, count=32)
    total = sum(j for i in range(20) if i % 3 for j in range(min(i, 5)))

    def collatz(n):
        steps = 0
        while n > 1:
            n = 3 * n + 1 if n % 2 else n // 2
            steps += 1
            if steps > 20:
                return steps
        return steps + 1000

    expected = [[x if x < 10 else -1, collatz(x), total] for x in a.tolist()]
    assert out.tolist() == expected


@cuda.jit
def types_follow_the_flow(a, out):
    x = a[0] / 2
    out[0] = x
    x = int(x)
    out[1] = a[x]
    if a[0] > 100:
        y = 1
    else:
        y = 2.5
    out[2] = y
    n = 0
    for i in range(3):
        n = n + 0.5
    out[3] = n
    z = 0
    while z < 2:
        z += 1
        if z == 2:
            z = 7.5
            break
    out[4] = z
    b = a[1:3]
    b = b[0]
    out[5] = b


def test_a_variable_has_the_type_of_what_was_last_bound_to_it():
    a = np.array([5, 10, 20, 30], np.int32)
    out = np.zeros(6)
    ran(types_follow_the_flow, a, out)
    assert out.tolist() == [2.5, 20, 2.5, 1.5, 7.5, 10]


@cuda.jit
def tuples(out):
    a, b = 1, 2
    a, b = b, a
    t = (a, b, 2.5)
    out[0] = t[0] * 10 + t[1]
    out[1] = t[-1]
    x, (y, z) = 1, (2, 3)
    out[2] = x * 100 + y * 10 + z
    for i in range(4):
        dx, dy = OFFSETS[i]
        out[3] += dx * 10 + dy * (i + 1)
    n = 0
    for d in (2, 3, 5):
        n = n * 10 + d
    out[4] = n
    out[5] = len(t) + len(OFFSETS)
    u = (1, 2) + (3,)
    out[6] = u[0] + u[1] + u[2]
    v = u[1:]
    out[7] = v[0] * 10 + v[1]
    out[8] = (1, 2) == (1, 2)
    c = d = 4
    out[9] = c + d
    p = (out[0], out[1])
    for k in range(3):
        p = (p[1], p[0])
    out[10] = p[0] * 100 + p[1]


def test_tuples():
    out = np.zeros(11)
    ran(tuples, out)
    assert out.tolist() == [21, 2.5, 123, -3 + 4, 235, 7, 6, 23, 1, 8, 271]


@cuda.jit
def iterables(a, out):
    s = 0.0
    for x in a:
        s += x
    out[0] = s
    s = 0.0
    for i, x in enumerate(a):
        s += i * x
    out[1] = s
    s = 0.0
    for x, k in zip(a, range(10, 0, -1)):
        s += x * k
    out[2] = s


def test_loops_over_arrays_enumerate_and_zip():
    a, out = np.array([1.0, 2.5, 4.0]), np.zeros(3)
    ran(iterables, a, out)
    assert out.tolist() == [7.5, 10.5, 10 + 9 * 2.5 + 8 * 4]


@cuda.jit(device=True)
def clamp(x, low, high=1.0):
    if x < low:
        return low
    elif x > high:
        return high
    return x


@cuda.jit(device=True)
def polar(x, y):
    return math.hypot(x, y), math.atan2(y, x)


@cuda.jit
def plain_called(a, i):
    a[i] += 5.0


@cuda.jit(device=True)
def row_sum(row):
    total = 0.0
    for i in range(row.shape[0]):
        total += row[i]
    return total


@cuda.jit(device=True)
def apply(function, x):
    return function(x, -1.0)


@cuda.jit
def calls(a, out):
    out[0] = clamp(a[0, 0], 0.0)
    out[1] = clamp(5, -1, high=3)
    r, phi = polar(3.0, 4.0)
    out[2] = r + phi
    plain_called(out, 3)
    out[4] = row_sum(a[1])
    out[5] = row_sum(a[:, 1])
    out[6] = apply(clamp, -7.0)
    out[7] = row_sum(a[0][::-2])


def test_device_functions():
    a, out = np.array([[2.5, 1.0, 7.0], [1.0, 2.0, 3.0]]), np.zeros(8)
    ran(calls, a, out)
    expected = [1.0, 3, 5 + math.atan2(4, 3), 5, 6, 3, -1, 9.5]
    np.testing.assert_allclose(out, expected)


def make_scaler(factor, table):
    offset = table[1]

    @cuda.jit
    def scaled(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = a[i] * factor + offset + TABLE[1, 2] + table[i % 3]

    return scaled


def test_closures_and_globals_are_constants():
    for factor in (2, 0.5):
        a = np.arange(6.0)
        ran(make_scaler(factor, (1.0, 10.0, 100.0)), a, count=32)
        table = np.array([1.0, 10.0, 100.0])
        np.testing.assert_allclose(a, np.arange(6) * factor + 10 + 8 + table[np.arange(6) % 3])


class Colour(enum.IntEnum):
    RED = 3
    GREEN = 5


class Settings:
    LIMIT = 4


@cuda.jit
def constants(out):
    out[0] = Colour.RED + Colour.GREEN.value
    out[1] = Settings.LIMIT
    out[2] = math.inf
    out[3] = -np.inf
    out[4] = np.nan
    out[5] = 1e300 * 1e10
    out[6] = -9223372036854775808
    out[7] = 0x7FFFFFFF + 1
    out[8] = np.pi


def test_constants():
    out = np.zeros(9)
    ran(constants, out)
    expected = [8, 4, np.inf, -np.inf, np.nan, np.inf, -(2.0**63), 2.0**31, np.pi]
    np.testing.assert_array_equal(out, expected)


@cuda.jit
def conditional(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i] if a[i] > 0 else -a[i] if a[i] > -5 else 100
        pass


def test_conditional_expressions():
    a = np.array([-9, -3, 0, 4])
    out = np.zeros(4, np.int64)
    ran(conditional, a, out, count=4)
    assert out.tolist() == [100, 3, 0, 4]


@cuda.jit
def early_return(a):
    i = cuda.grid(1)
    if i >= a.size:
        return
    if a[i] < 0:
        a[i] = 0
        return
    a[i] += 1


def test_early_return():
    a = np.array([-1.0, 1.0, -2.0, 5.0])
    ran(early_return, a, count=32)
    assert a.tolist() == [0, 2, 0, 6]


@cuda.jit
def swapped_in_a_loop(a, b, out):
    source, target = a, b
    for k in range(3):
        for i in range(source.shape[0]):
            target[i] = source[i] * 2
        source, target = target, source
    out[0] = source[0]


def test_arrays_can_be_swapped():
    a, b, out = np.ones(3), np.zeros(3), np.zeros(1)
    ran(swapped_in_a_loop, a, b, out)
    assert out[0] == 8


@cuda.jit
def optional_argument(a, mask, out):
    i = cuda.grid(1)
    if i < a.size:
        if mask is None:
            out[i] = a[i]
        else:
            out[i] = a[i] * mask[i]


def test_none_is_an_argument():
    a, out = np.arange(4.0), np.zeros(4)
    ran(optional_argument, a, None, out, count=4)
    assert out.tolist() == [0, 1, 2, 3]
    ran(optional_argument, a, np.array([1, 0, 1, 0]), out, count=4)
    assert out.tolist() == [0, 0, 2, 0]


@cuda.jit
def bound_in_a_loop(a, out):
    for i in range(a.size):
        last = a[i]
    out[0] = last + i


def test_variables_of_a_loop_live_on():
    out = np.zeros(1)
    ran(bound_in_a_loop, np.array([1.0, 5.0]), out)
    assert out[0] == 6


def test_a_variable_that_no_way_has_bound_is_zero():
    out = np.ones(1)
    ran(bound_in_a_loop, np.zeros(0), out)
    assert out[0] == 0


@cuda.jit
def bound_by_some_threads(a, out):
    i = cuda.grid(1)
    if i < a.shape[0]:
        row, scale, pair = a[i], 2, (a[i, 0], True)
    if i < out.size:
        out[i] = scale
        if scale:
            out[i] += row[0] * pair[0]
        elif not pair[1]:
            out[i] = -1


def test_variables_that_some_threads_have_not_bound_are_zero_there():
    out = np.ones(4)
    ran(bound_by_some_threads, np.array([[1.0], [3.0]]), out, count=4)
    assert out.tolist() == [3, 11, -1, -1]


@cuda.jit
def asserted(a):
    i = cuda.grid(1)
    assert a[i] >= 0, "a negative number"


def test_assert(on_gpu):
    ran(asserted, np.ones(3), count=3)
    if not on_gpu:
        with pytest.raises(RuntimeError, match="a negative number"):
            ran(asserted, -np.ones(3), count=3)


@cuda.jit
def bound_further_down(a, out):
    for i in range(a.size):
        if i > 2:
            c += 1
            last += a[i] * c
        elif i == 2:
            last = 0.5
        else:
            c = i
    out[0] = c * 100 + last


def test_what_a_loop_reads_may_be_bound_further_down():
    a, out = np.arange(6.0), np.zeros(1)
    ran(bound_further_down, a, out)
    assert out[0] == 4 * 100 + 0.5 + 3 * 2 + 4 * 3 + 5 * 4


@cuda.jit
def reused(a, out):
    for k in range(2):
        t = 0
        for i in range(3):
            t = t + i
        out[k] = t
        t = a[k:]
        out[k] += t[0]


def test_a_name_may_be_used_again_for_something_else():
    a, out = np.array([1.0, 2.0]), np.zeros(2)
    ran(reused, a, out)
    assert out.tolist() == [4, 5]


Point = collections.namedtuple("Point", "x y")
ORIGIN = Point(1, 2.5)


@cuda.jit
def named_tuples(p, out):
    out[0] = p.x - ORIGIN.y
    out[1] = operator.mul(p.y, ORIGIN.x) + p[0]


def test_named_tuples_and_the_operator_module():
    out = np.zeros(2)
    ran(named_tuples, Point(3.0, 4), out)
    assert out.tolist() == [0.5, 7]


@cuda.jit
def deep(a):
    n = 0
    for i in range(2):
        for j in range(2):
            for k in range(2):
                for m in range(2):
                    for p in range(2):
                        for q in range(2):
                            n = n + (0.5 if q else 1)
    a[0] = n


def test_deeply_nested_loops_compile_quickly():
    a = np.zeros(1)
    ran(deep, a)
    assert a[0] == 48


@cuda.jit
def unusual_names(int, double, threadIdx, out):
    float = int + double
    __x = float * threadIdx
    größe = __x + 1
    out[0] = größe


def test_names_of_c_are_plain_names():
    out = np.zeros(1)
    ran(unusual_names, 1, 2, 3, out)
    assert out[0] == 10


def test_lambdas_are_kernels_too():
    fill = cp.jit(lambda a: a[0] if a.size > 100 else None, device=True)
    assert fill.py_func.__name__ == "<lambda>"
    square, cube = cuda.jit(lambda x: x * x, device=True), cuda.jit(lambda x: x**3, device=True)

    @cuda.jit
    def apply_it(a):
        a[0] = square(a[0]) + cube(a[0])

    a = np.array([3.0])
    ran(apply_it, a)
    assert a[0] == 36


def test_what_a_loop_that_runs_binds_is_bound_behind_it():
    @cp.vectorize
    def last(x):
        for i in range(3, 0, -1):
            y = x * i
        return y + i

    assert last(cp.arange(3)).get().tolist() == [1, 2, 3]

    @cp.vectorize
    def skips(x):
        for i in range(3):
            if x == i:
                continue
            y = i
        return y

    @cp.vectorize
    def may_be_empty(x):
        for _ in range(x):
            y = 1
        return y

    for function in (skips, may_be_empty):
        with pytest.raises(TypeError, match="'y' is not bound on every way"):
            function(cp.arange(3))
