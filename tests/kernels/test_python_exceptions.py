"""What threads raise: with `debug=True` the host raises it, without it the thread ends."""

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.numba import cuda
from cuprum.compat.numba.cuda.core.errors import NumbaWarning


class OwnError(Exception):
    """An exception of the user."""


@cuda.jit(device=True)
def checked(x):
    if x > 2:
        raise ValueError("too large", 7)
    return x, 2 * x


@cuda.jit(device=True)
def checked_twice(x):
    pair = checked(x)
    return pair[1]


def steps(a, divisor):
    i = cuda.grid(1)
    a[i] = checked_twice(a[i])
    a[i] = (a[i] + 8) // divisor
    if a[i] == 4:
        raise OwnError
    a[i] += 100


plain, reported = cuda.jit(steps), cuda.jit(debug=True)(steps)


def test_a_thread_that_raises_ends_and_others_go_on():
    a = np.array([0, 1, 2, 3, -2])
    plain[1, 5](a, 1)
    assert a.tolist() == [108, 110, 112, 3, 4]


def test_raised_exceptions_reach_the_host():
    with pytest.raises(ValueError, match=r"function 'checked'.*tid=\[1, 0, 0\] ctaid=\[1, 0, 0\]: too large"):
        try:
            reported[2, 2](np.array([0, 0, 0, 3]), 1)
        except ValueError as error:
            assert error.args[1:] == (7,)
            raise
    with pytest.raises(OwnError, match=r"function 'steps'.*tid=\[0, 0, 0\] ctaid=\[0, 0, 0\]$"):
        reported[1, 1](np.array([-2]), 1)
    a = np.arange(2)
    reported[1, 2](a, 1)
    assert a.tolist() == [108, 110]


def test_division_by_zero():
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        reported[1, 1](np.array([0]), 0)
    a = np.array([0])
    plain[1, 1](a, 0)
    assert a.tolist() == [100]

    def divided(out, x, y):
        out[0] = x[0] / y[0]
        out[1] = x[0] % y[0]

    for divisor, error in ((2.0, None), (0.0, ZeroDivisionError)):
        out = np.zeros(2)
        args = out, np.array([5.0]), np.array([divisor])
        if error is None:
            cuda.jit(divided, debug=True)[1, 1](*args)
            assert out.tolist() == [2.5, 1]
        else:
            with pytest.raises(error):
                cuda.jit(divided, debug=True)[1, 1](*args)
            cuda.jit(divided)[1, 1](*args)
            assert np.isinf(out[0])


def test_assertions_and_indices_of_tuples():
    def positive(a, i):
        assert a[0] > 0, "not positive"
        a[0] = a.shape[i]

    kernel = cuda.jit(positive, debug=True)
    a = np.ones((1, 3))
    kernel[1, 1](a[0], 0)
    assert a[0, 0] == 3
    with pytest.raises(AssertionError, match="not positive"):
        kernel[1, 1](np.zeros(1), 0)
    with pytest.raises(IndexError, match="tuple index out of range"):
        kernel[1, 1](np.ones(1), 1)


def test_threads_behind_a_barrier():
    @cuda.jit(debug=True)
    def kernel(a):
        own = cuda.shared.array(4, np.int64)
        i = cuda.threadIdx.x
        own[i] = a[i]
        cuda.syncthreads()
        if own[0] < 0:
            raise RuntimeError("negative")
        a[i] = own[3 - i]

    a = np.arange(4)
    kernel[1, 4](a)
    assert a.tolist() == [3, 2, 1, 0]
    with pytest.raises(RuntimeError, match="negative"):
        kernel[1, 4](-np.arange(1, 5))


@pytest.mark.no_gpu
def test_cuprums_own_kernels_stop():
    @cp.jit
    def kernel(x):
        if x[0] > 1:
            raise ValueError("larger than one")
        x[0] = 7

    x = cp.zeros(1)
    kernel[1, 1](x)
    assert float(x[0]) == 7
    with pytest.raises(RuntimeError, match="kernel: ValueError: larger than one"):
        kernel[1, 1](x)


def test_a_variable_that_no_way_has_bound_stops_the_kernel_where_it_is_read():
    """Threads that do not come there compute: the kernel compiles, with a warning, as Numba's does."""

    @cuda.jit
    def counted(out, n):
        if n > 0:
            total = 0
            for i in range(n):
                total += i
            out[0] = total
        else:
            total += 1
            out[0] = total

    out = np.zeros(1, np.int64)
    with pytest.warns(NumbaWarning, match="Detected uninitialized variable total"):
        counted[1, 1](out, 5)
    assert out[0] == 10
    with pytest.raises(RuntimeError, match="UnboundLocalError: total"):
        counted[1, 1](out, 0)
        cuda.synchronize()
    with pytest.raises(UnboundLocalError):
        counted.py_func(out, 0)


def test_a_variable_that_is_never_bound_where_all_threads_read_it_is_an_error():
    @cuda.jit
    def late(out):
        out[0] = value
        value = 1

    with pytest.raises(NameError, match="'value' is read before anything is bound to it"):
        late[1, 1](np.zeros(1))


def test_a_way_of_an_expression_that_reads_an_unbound_variable_is_an_error():
    """The statement cannot be left: its other way may be taken."""

    @cuda.jit
    def chosen(out, n):
        if n > 1:
            out[0] = value if n > 5 else 7
        value = 1
        out[1] = value

    with pytest.raises(NameError, match="'value' is read before anything is bound to it"):
        chosen[1, 1](np.zeros(2), 3)
