"""Functions within kernels: `def` and `lambda`, default values, functions that Numba compiles for the CPU."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.numba import cuda

OUTSIDE = 10.0


def ran(kernel, *args, threads=1):
    kernel[1, threads](*args)
    return args[0]


@cuda.jit
def with_functions(out, x, n):
    i = cuda.grid(1)
    scale = n * 2

    def scaled(value, by=scale):
        return value * by + OUTSIDE

    shifted = lambda value: scaled(value) - i  # noqa: E731
    if i < out.size:
        out[i] = shifted(x[i]) + scaled(1, by=0.5)


def test_inner_functions_read_what_is_around_them():
    x = np.arange(4.0)
    out = ran(with_functions, np.zeros(4), x, 3, threads=4)
    np.testing.assert_array_equal(out, x * 6 + 10 - np.arange(4) + 10.5)


@cuda.jit
def late(out):
    k = 1.0
    at_definition = lambda x, k=k: x + k  # noqa: E731
    at_call = lambda x: x + k  # noqa: E731
    k = 100.0
    out[0] = at_definition(0)
    out[1] = at_call(0)
    for j in range(3):
        k = k + j
        out[2 + j] = at_call(j)


def test_variables_are_read_at_the_call_and_defaults_at_the_definition():
    python, compiled = np.zeros(5), np.zeros(5)
    late.py_func(python)
    np.testing.assert_array_equal(ran(late, compiled), python)


@cuda.jit
def recursive(out, n):
    def factorial(k):
        if k <= 1:
            return 1
        return k * factorial(k - 1)

    def pair(a, b):
        def swapped():
            return b, a

        return swapped()

    out[0] = factorial(n)
    out[1], out[2] = pair(n, n + 1)


def test_inner_functions_call_themselves_and_define_others():
    assert ran(recursive, np.zeros(3), 5).tolist() == [120, 6, 5]


@cuda.jit(device=True)
def applied(function, x):
    return function(x)


@cuda.jit
def handed_on(out, x):
    i = cuda.grid(1)
    out[i] = applied(lambda value: value * value, x[i]) + applied(lambda value: -value, i)


def test_functions_are_arguments_of_device_functions():
    x = np.arange(3.0)
    assert ran(handed_on, np.zeros(3), x, threads=3).tolist() == [0, 0, 2]


@cuda.jit
def applied_to(function, *args):
    return function(*args)


@cuda.jit
def hands_on(out, x):
    y = 10
    inner = lambda z: y + z  # noqa: E731

    def shifted(a, b, by=100, more=y):
        return inner(a) + b * OUTSIDE + by + more

    out[0] = applied_to(inner, x)
    y = 20
    out[1] = applied_to(inner, x)
    out[2] = applied_to(shifted, x, 2)
    out[3] = applied_to(shifted, x, 2, 7)


def test_functions_take_constants_along_where_they_are_given_away():
    python, compiled = np.zeros(4), np.zeros(4)
    own = hands_on.py_func
    scope = {**own.__globals__, "applied_to": applied_to.py_func}
    type(own)(own.__code__, scope)(python, 6)
    np.testing.assert_array_equal(ran(hands_on, compiled, 6), python)


@cuda.jit
def names_of_parameters_are_their_own(out):
    first = lambda OUTSIDE: OUTSIDE + 1  # noqa: E731
    out[0] = first(1) + OUTSIDE


def test_a_parameter_hides_no_name_outside_its_function():
    assert ran(names_of_parameters_are_their_own, np.zeros(1))[0] == 12


@cuda.jit
def writes_shared(out):
    own = cuda.shared.array(4, np.int64)
    i = cuda.threadIdx.x

    def put(value):
        own[i] = value

    put(i * i)
    cuda.syncthreads()
    out[i] = own[3 - i]


def test_inner_functions_write_arrays_of_the_kernel():
    assert ran(writes_shared, np.zeros(4), threads=4).tolist() == [9, 4, 1, 0]


def test_lambdas_of_cuprums_own_kernels():
    @cp.jit
    def kernel(x):
        double = lambda value: value + value  # noqa: E731
        x[cp.jit.grid(1)] = double(x[cp.jit.grid(1)])

    x = cp.arange(3.0)
    kernel[1, 3](x)
    assert cp.asnumpy(x).tolist() == [0, 2, 4]


# Default values of parameters


@cuda.jit
def with_defaults(out, start=1.5, step=None, *rest):
    i = cuda.grid(1)
    out[i] = start + i * (2 if step is None else step) + len(rest)


def test_default_values_of_a_kernels_parameters():
    assert ran(with_defaults, np.zeros(2), threads=2).tolist() == [1.5, 3.5]
    assert ran(with_defaults, np.zeros(2), 1, threads=2).tolist() == [1, 3]
    assert ran(with_defaults, np.zeros(2), 1, 5, threads=2).tolist() == [1, 6]
    assert ran(with_defaults, np.zeros(2), 1, 5, 0, 0, threads=2).tolist() == [3, 8]

    @cp.jit
    def own(x, factor=3):
        x[0] *= factor

    x = cp.ones(1)
    own[1, 1](x)
    own((1,), (1,), (x, 2))
    assert float(x[0]) == 6


def test_parameters_without_defaults_are_needed():
    with pytest.raises(TypeError, match=r"takes 4 arguments \(out, start, step, rest\), got"):
        with_defaults[1, 1]()

    @cuda.jit
    def two(out, start, step=1):
        out[0] = start

    for args in ((np.zeros(1),), (np.zeros(1), 1, 2, 3)):
        with pytest.raises(TypeError, match="takes 3 arguments"):
            two[1, 1](*args)


# Arrays that are unpacked


@cuda.jit
def unpacks(out, points):
    i = cuda.grid(1)
    x, y, z = points[i]
    (a, b), (c, d) = points[:2, 1:]
    out[i] = x + 10 * y + 100 * z + a * d - b * c


def test_arrays_are_unpacked():
    points = np.arange(9.0).reshape(3, 3)
    out = ran(unpacks, np.zeros(3), points, threads=3)
    expected = points @ [1, 10, 100] + (points[0, 1] * points[1, 2] - points[0, 2] * points[1, 1])
    np.testing.assert_array_equal(out, expected)


@pytest.mark.no_gpu
def test_arrays_of_another_length_are_not_unpacked():
    with pytest.raises(RuntimeError, match="an array of another length is unpacked into 3 names"):
        ran(unpacks, np.zeros(3), np.zeros((3, 4)), threads=3)


# Functions that Numba compiles for the CPU


class Compiled:
    """What `numba.njit` gives, as far as kernels look at it."""

    def __init__(self, function):
        self.py_func = function


Compiled.__module__ = "numba.core.registry"


@Compiled
def halved(x, by=2):
    return x / by


def test_functions_that_numba_has_compiled_are_device_functions():
    made = cuda.jit(device=True)(halved)

    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        out[i] = halved(i) + 10 * made(i, 4)

    assert ran(kernel, np.zeros(3), threads=3).tolist() == [0, 3, 6]


def test_njit_without_numba(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import numpy as np
            from numba import cuda, jit, njit, prange

            @njit
            def squared(x):
                return x * x

            @njit("float64(float64)", cache=True, fastmath=True)
            def cubed(x):
                return x * squared(x)

            @jit(nopython=True, parallel=True)
            def summed(a):
                total = 0.0
                for i in prange(a.size):
                    total += cubed(a[i])
                return total

            @cuda.jit
            def kernel(a):
                a[cuda.grid(1)] = cubed(a[cuda.grid(1)])

            a = np.arange(3.0)
            kernel[1, 3](a)
            print(a.tolist(), summed(np.arange(3.0)), squared.py_func(3))
            """
        )
    )
    run = [sys.executable, "-W", "error::UserWarning", "-m", "cuprum", "run", str(program)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert done.stdout == "[0.0, 1.0, 8.0] 9.0 9\n", done.stderr


def test_functions_made_of_texts(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            from __future__ import annotations
            import numpy as np
            from numba import cuda, njit

            def made(operator):
                space = {}
                code = f"def helper(x):\\n    return x {operator} 3\\n"
                exec(code, space)
                text = "def kernel(a):\\n    a[cuda.grid(1)] = helper(a[cuda.grid(1)])\\n"
                own = {"helper": njit(space["helper"]), "cuda": cuda}
                exec(text, own)
                return cuda.jit(own["kernel"])

            for operator in "+*":
                a = np.arange(3.0)
                made(operator)[1, 3](a)
                print(a.tolist())
            code = "def wrong(a):\\n    a[0] = no_such_name\\n"
            exec(code)
            try:
                cuda.jit(wrong)[1, 1](np.zeros(1))
            except NameError as error:
                print(str(error).splitlines()[1].strip())
            """
        )
    )
    run = [sys.executable, "-m", "cuprum", "run", str(program)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert done.stdout == "[3.0, 4.0, 5.0]\n[0.0, 3.0, 6.0]\na[0] = no_such_name\n", done.stderr


def test_functions_made_of_syntax_trees(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import ast
            import inspect
            import numpy as np
            from numba import cuda

            def scaled(a):
                a[cuda.grid(1)] *= 2

            def made(function, factor):
                tree = ast.parse(inspect.getsource(function))
                for node in ast.walk(tree):
                    if isinstance(node, ast.Constant) and node.value == 2:
                        node.value = factor
                code = compile(tree, f"<{function.__name__}>", "exec")
                space = {"cuda": cuda}
                eval(code, space)
                tree.body.clear()
                return cuda.jit(space[function.__name__])

            kernels = [made(scaled, factor) for factor in (5, 7)]
            for kernel in kernels:
                a = np.arange(3.0)
                kernel[1, 3](a)
                print(a.tolist())
            """
        )
    )
    run = [sys.executable, "-m", "cuprum", "run", str(program)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert done.stdout == "[0.0, 5.0, 10.0]\n[0.0, 7.0, 14.0]\n", done.stderr
