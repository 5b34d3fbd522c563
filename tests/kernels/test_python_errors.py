"""What is wrong with a Python kernel is said before it runs, with the source line and a caret."""

import math

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.numba import cuda
from cuprum.compat.numba.core.errors import NumbaError, TypingError, UnsupportedError

A = np.zeros(4)


def message_of(kernel, *args, error=Exception):
    """Launch a kernel that cannot be compiled and return the message; it shows the line and a caret."""
    if not hasattr(kernel, "py_func"):
        kernel = cuda.jit(kernel)
    with pytest.raises(error) as raised:
        kernel[1, 1](*(args or (A,)))
    text = str(raised.value)
    head, line, caret = text.split("\n")
    assert head.startswith(f"{__file__}:") and ": error: " in head
    assert line.strip() and set(caret.strip()) == {"^"}
    marked = line[len(caret) - len(caret.lstrip()) : len(caret)]
    return head.partition(": error: ")[2], marked


def host_function(x):
    return x + 1


@cuda.jit(device=True)
def recursive(n):
    return n * recursive(n - 1)


def unbound(a):
    a[0] = undefined_name


def misspelt(a):
    total = 1.0
    a[0] = totl


def before_binding(a):
    a[0] = x
    x = 1


def unknown_intrinsic(a):
    a[0] = cuda.girdsize(1)


def unknown_math(a):
    a[0] = math.comb(5, 2)


def unknown_attribute(a):
    a[0] = a.cumsum()


def no_string_index(a):
    a["x"] = 1


def tries(a):
    try:
        a[0] = 1
    except ValueError:
        pass


def withs(a):
    with a:
        a[0] = 1


def raises_what_is_not_known(a):
    raise ValueError("element", a[0])


def raises_a_number(a):
    raise A


def raises_again(a):
    raise


def yields(a):
    yield a[0]


def comprehends(a):
    a[0] = [i for i in range(3)][0]


def decorates(a):
    @cuda.jit(device=True)
    def inner(x):
        return x

    a[0] = inner(1)


@cuda.jit(device=True)
def applied(f, x):
    return f(x)


def hands_on_what_captures(a):
    k = a[1]
    a[0] = applied(lambda x: x + k, 1)


def imports(a):
    import math

    a[0] = math.pi


def globals_(a):
    global A
    A = 1


def deletes(a):
    del a


def dictionary(a):
    a[0] = {1: 2}[1]


def f_string(a):
    print(f"{a[0]}")


def list_made(a):
    b = [1, 2, 3]
    a[0] = b[0]


def non_range(a):
    for x in 5:
        a[0] = x


def float_range(a):
    for i in range(2.5):
        a[i] = i


def zero_step(a):
    for i in range(0, 5, 0):
        a[i] = i


def variable_shape(a):
    n = a.shape[0]
    b = cuda.shared.array(n, np.float64)
    b[0] = a[0]


def variable_local_shape(a):
    b = cuda.local.array(a.size, np.float64)
    b[0] = a[0]


def too_many_indices(a):
    a[0, 1] = 1


def float_index(a):
    a[1.5] = 1


def float_division_index(a):
    a[a.size / 2] = 1


def array_to_slice(a):
    a[1:3] = a.reshape(1, 1, a.size)


def whole_array(a):
    b = a + 1
    a[0] = b[0]


def calls_host(a):
    a[0] = host_function(a[0])


def calls_kernel_recursively(a):
    a[0] = recursive(5)


def returns_value(a):
    return a[0]


def int_or_array(a):
    if a[0] > 0:
        x = a
    else:
        x = 1
    a[1] = x


def two_returns(a):
    a[0] = number_or_tuple(a[0])


@cuda.jit(device=True)
def number_or_tuple(x):
    if x > 0:
        return x
    return (x, x)


@cuda.jit(device=True)
def sometimes(x):
    if x > 0:
        return x


def falls_off(a):
    a[0] = sometimes(a[0])


def bad_unpack(a):
    x, y, z = 1, 2
    a[0] = x


def float_shift(a):
    a[0] = a[0] << 1


def wrong_atomic(a):
    cuda.atomic.and_(a, 0, 1)


def wrong_grid(a):
    a[0] = cuda.grid(4)


def wrong_count(a):
    a[0] = math.sqrt(1.0, 2.0)


def tuple_index(a):
    t = (1, 2)
    a[0] = t[5]


def static_bounds(a):
    b = cuda.local.array(3, np.float64)
    b[3] = 1
    a[0] = b[0]


def big_number(a):
    a[0] = 99999999999999999999999


def complex_order(a):
    a[0] = 1j < 2j


def truth_of_array(a):
    if a:
        a[0] = 1


def walrus(a):
    if (n := a.size) > 1:
        a[0] = n


def too_much_shared(a):
    b = cuda.shared.array(1_000_000, np.float64)
    b[0] = a[0]


def matmul(a):
    a[0] = a @ a


CASES = [
    (unbound, NameError, "'undefined_name' is not defined", "undefined_name"),
    (misspelt, NameError, "did you mean 'total'", "totl"),
    (before_binding, NameError, "before anything is bound", "x"),
    (unknown_intrinsic, AttributeError, "did you mean 'gridsize'", "cuda.girdsize"),
    (unknown_math, TypeError, "cannot be called in kernels", "math.comb(5, 2)"),
    (unknown_attribute, AttributeError, "not 'cumsum'", "a.cumsum"),
    (no_string_index, IndexError, "must be integers", 'a["x"]'),
    (tries, UnsupportedError, "try is not supported", None),
    (withs, UnsupportedError, "with is not supported", None),
    (raises_what_is_not_known, UnsupportedError, "must be known when the kernel is compiled", "a[0]"),
    (raises_a_number, TypeError, "raise takes an exception", "A"),
    (raises_again, UnsupportedError, "raise needs an exception", "raise"),
    (yields, UnsupportedError, "yield is not supported", "yield a[0]"),
    (comprehends, UnsupportedError, "comprehensions", None),
    (decorates, UnsupportedError, "take no decorators", "cuda.jit(device=True)"),
    (
        hands_on_what_captures,
        UnsupportedError,
        "reads variables of 'hands_on_what_captures' (k)",
        "applied(lambda x: x + k, 1)",
    ),
    (imports, UnsupportedError, "top of the file", "import math"),
    (globals_, UnsupportedError, "globals are constants", "global A"),
    (deletes, UnsupportedError, "del is not supported", "del a"),
    (dictionary, UnsupportedError, "use arrays", "{1: 2}"),
    (f_string, UnsupportedError, "as arguments", None),
    (list_made, UnsupportedError, "local.array", "[1, 2, 3]"),
    (non_range, UnsupportedError, "loop over range", "5"),
    (float_range, TypeError, "range takes integers", "2.5"),
    (zero_step, ValueError, "must not be 0", None),
    (variable_shape, ValueError, "module-level constant, a literal, or dynamic shared memory", None),
    (variable_local_shape, ValueError, "module-level constant", None),
    (too_many_indices, IndexError, "2 indices for the array 'a', which has 1 axis", "a[0, 1]"),
    (float_index, IndexError, "must be integers, not float64", "a[1.5]"),
    (float_division_index, IndexError, "use int(...) or //", "a[a.size / 2]"),
    (array_to_slice, ValueError, "an array of 3 axes cannot be assigned to one of 1", "a[1:3]"),
    (whole_array, TypeError, "index them", "a + 1"),
    (calls_host, TypeError, "function of the host", "host_function(a[0])"),
    (returns_value, TypeError, "cannot return a value", "return a[0]"),
    (int_or_array, TypeError, "variable 'x' is array(float64, 1d, C) (line", "x"),
    (bad_unpack, ValueError, "not enough values to unpack: 2 for 3 names", "x, y, z"),
    (float_shift, TypeError, "unsupported operand types for <<: float64 and int64", "a[0] << 1"),
    (wrong_atomic, TypeError, "works on arrays of int32", None),
    (wrong_grid, ValueError, "1, 2 or 3, not 4", "cuda.grid(4)"),
    (wrong_count, TypeError, "takes 1 arguments, not 2", None),
    (tuple_index, IndexError, "out of range for a tuple of 2", "t[5]"),
    (static_bounds, IndexError, "out of bounds for axis 0 with size 3", "b[3]"),
    (big_number, TypeError, "does not fit into 64 bits", None),
    (complex_order, TypeError, "complex numbers have no order", "1j < 2j"),
    (truth_of_array, TypeError, "neither true nor false", "a"),
    (walrus, UnsupportedError, "on a line of its own", None),
    (too_much_shared, ValueError, "bytes of shared memory", None),
    (matmul, UnsupportedError, "write the loops", "a @ a"),
]


@pytest.mark.parametrize(("function", "error", "part", "marked"), CASES, ids=[c[0].__name__ for c in CASES])
def test_errors_show_the_line(function, error, part, marked):
    text, shown = message_of(function, error=error)
    assert part in text
    if marked is not None:
        assert shown == marked


def test_all_errors_are_numbas_errors():
    for error in (NameError, TypeError, IndexError):
        with pytest.raises(NumbaError):
            cuda.jit(unbound)[1, 1](A)
        assert issubclass(TypingError, TypeError)
    with pytest.raises(TypingError):
        cuda.jit(unbound)[1, 1](A)


def test_errors_in_device_functions_show_their_own_line():
    text, _ = message_of(two_returns, error=TypeError)
    assert "returns float64 (line" in text and "Tuple" in text
    text, _ = message_of(falls_off, error=TypeError)
    assert "nothing on another" in text


def test_recursion_without_an_end_is_refused():
    text, _ = message_of(calls_kernel_recursively, error=ValueError)
    assert "calls itself on every way" in text


def keyword_only(a, *, b):
    pass


def star_star(**a):
    pass


@pytest.mark.parametrize("function", [keyword_only, star_star])
def test_unusual_parameters_are_refused(function):
    with pytest.raises(UnsupportedError, match="are not supported; name every parameter"):
        cuda.jit(function)[1, 1](*[A] * cuda.jit(function).py_func.__code__.co_argcount)


def test_variables_of_rawkernels_keep_their_type():
    @cp.jit.rawkernel()
    def changes(a):
        x = 1
        x = a[0]
        a[1] = x

    with pytest.raises(TypeError) as raised:
        changes((1,), (1,), (cp.zeros(4),))
    text = str(raised.value)
    assert "variable 'x' changes its type: int32 (line" in text and "now float64" in text

    @cp.jit.rawkernel()
    def narrows(a, b):
        b[0] = a[0]

    with pytest.raises(TypeError, match="float64 cannot be stored in an array of int32"):
        narrows((1,), (1,), (cp.zeros(1), cp.zeros(1, "int32")))


def test_variables_that_some_way_has_not_bound():
    @cp.jit
    def sometimes_bound(a):
        if a[0] > 0:
            x = 1
        a[1] = x

    with pytest.raises(NameError, match="not bound on every way"):
        sometimes_bound[1, 1](cp.zeros(4))


def good(a, n):
    i = cuda.grid(1)
    if i < n:
        a[i] = n


kernel = cuda.jit(good)


@pytest.mark.parametrize(
    ("configuration", "error", "part"),
    [
        ((1.5, 32), TypeError, "griddim must be a sequence of integers, got [1.5]"),
        ((10 / 2, 32), TypeError, "use //"),
        ((0, 32), ValueError, "grid has 0 along x"),
        ((-1, 32), ValueError, "grid has -1"),
        ((1, 0), ValueError, "block has 0"),
        ((1, 1025), ValueError, "1 to 1024"),
        ((1, (32, 33)), ValueError, "1056 threads; at most 1024"),
        (((1, 1, 1, 1), 32), ValueError, "1, 2 or 3 integers"),
        ((1, (1, 1, 65)), ValueError, "along z"),
        ((1,), ValueError, "griddim and blockdim"),
    ],
)
def test_launch_configurations(configuration, error, part):
    with pytest.raises(error) as raised:
        kernel[configuration](A, 1)
    assert part in str(raised.value)


def test_launch_without_a_configuration():
    with pytest.raises(ValueError, match="launch configuration was not specified"):
        kernel(A, 1)


def test_too_much_dynamic_shared_memory():
    with pytest.raises((ValueError, RuntimeError)):
        kernel[1, 32, 0, 10_000_000](A.copy(), 1)


def test_wrong_arguments_name_the_parameter():
    with pytest.raises(TypeError, match=r"good takes 2 arguments \(a, n\), got 1"):
        kernel[1, 32](A)
    with pytest.raises(TypeError, match="parameter 'n': an argument of type 'dict'"):
        kernel[1, 32](A, {"n": 5})
    with pytest.raises(TypeError, match="int64 and 'five' cannot be compared with <"):
        kernel[1, 32](A, "five")
    with pytest.raises(TypeError, match="parameter 'a': an argument of type 'list'"):
        kernel[1, 32]([1.0], 5)
    with pytest.raises(TypeError, match="parameter 'a': arrays of dtype object"):
        kernel[1, 32](np.array([None]), 5)
    with pytest.raises(TypeError, match="parameter 'a': a NumPy array of shape"):
        cp.jit(good)[1, 32](A, 5)


def test_source_that_is_nowhere():
    names = {}
    exec("def made(a):\n    a[0] = 1\n", names)
    with pytest.raises(OSError, match="the source of 'made' is not available"):
        cuda.jit(names["made"])[1, 1](A)


def test_source_of_notebooks_is_found():
    import linecache

    text = "def cell(a):\n    a[0] = 7\n"
    linecache.cache["<ipython-input-1>"] = (len(text), None, text.splitlines(True), "<ipython-input-1>")
    names = {}
    exec(compile(text, "<ipython-input-1>", "exec"), names)
    a = np.zeros(1)
    cuda.jit(names["cell"])[1, 1](a)
    assert a[0] == 7


def test_kernels_are_functions():
    with pytest.raises(TypeError, match="must be a Python function"):
        cp.jit.JitKernel(5, None)


def test_device_functions_are_not_launched():
    with pytest.raises(RuntimeError, match="device function"):
        recursive[1, 1](A)
    with pytest.raises(TypeError, match="device function"):
        recursive(3)


def test_functions_of_kernels_are_not_called_on_the_host():
    with pytest.raises(RuntimeError, match="in kernels only"):
        cuda.grid(1)
    with pytest.raises(RuntimeError, match="in kernels only"):
        cuda.threadIdx.x


def test_what_is_left_out_says_what_to_use():
    with pytest.raises(AttributeError, match="cupyx.jit has it"):
        cp.jit.thrust
    with pytest.raises(NotImplementedError, match="abi must be 'numba' or 'c'"):
        cuda.declare_device("f", "int32(int32)", abi="fortran")
    with pytest.raises(NotImplementedError, match="give the CUDA C"):
        cuda.jit(link=["f.ptx"])
