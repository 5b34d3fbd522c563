"""Numba as a package: its name, its modules and errors, beside an installed Numba and in other processes."""

import os
import pickle
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest
from twin import fresh_python

from cuprum.compat.numba import cuda, float64, int32, typeof, types, void


def test_numba_under_its_own_name(tmp_path):
    program = """
import numpy as np
import numba
from numba import cuda, float32, vectorize
from numba.core.errors import TypingError
from numba.cuda.random import create_xoroshiro128p_states
import numba.cuda.random
assert cuda.is_available()

@cuda.jit('void(float32[:], float32)')
def scale(a, s):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= s

a = np.ones(10, np.float32)
scale[1, 32](a, 3)
print(a.sum(), numba.cuda is cuda, cuda.local.array)
try:
    from numba import njit
    print(True)
except ImportError as error:
    print('needs Numba itself' in str(error))
"""
    script = tmp_path / "program.py"
    script.write_text(program)
    done = subprocess.run(
        [sys.executable, "-m", "cuprum", "run", str(script)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["30.0", "True", "<kernel", "function", "local.array>", "True"]


def test_a_real_numba_keeps_all_but_cuda(tmp_path):
    package = tmp_path / "numba"
    package.mkdir()
    (package / "__init__.py").write_text("njit = 'the real one'\n")
    program = """
import cuprum.compat; cuprum.compat.install()
from numba import njit, cuda
print(njit, cuda.__name__)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"},
    )
    assert done.stdout.split() == ["the", "real", "one", "cuprum.compat.numba.cuda"], done.stderr


def test_install_is_undone():
    code = """
    import cuprum.compat
    from cuprum.compat.numba import cuda
    cuprum.compat.install()
    from numba import cuda as installed
    assert installed is cuda
    cuprum.compat.uninstall()
    assert sys.modules.get("numba.cuda") is not cuda
    print("undone")
    """
    # In a process of its own: another CuPy or Numba may have been imported here.
    assert fresh_python(code) == "undone"


def test_kernels_within_functions_are_taken_along_by_cloudpickle():
    cloudpickle = pytest.importorskip("cloudpickle")
    step = 3

    @cuda.jit(debug=True)
    def added(a):
        a[cuda.grid(1)] += step

    again = pickle.loads(cloudpickle.dumps(added))
    a = np.zeros(2)
    again[1, 2](a)
    assert a.tolist() == [3, 3] and again._debug
    with pytest.raises((AttributeError, pickle.PicklingError), match="added"):
        pickle.dumps(added)


def test_errors_are_the_real_numbas_too(monkeypatch):
    real = ModuleType("numba.core.errors")
    real.TypingError = type("TypingError", (Exception,), {})
    monkeypatch.setitem(sys.modules, "numba.core.errors", real)

    @cuda.jit
    def kernel(a):
        a[0] = no_such_name  # noqa: F821

    with pytest.raises(real.TypingError, match="no_such_name") as raised:
        kernel[1, 1](np.zeros(1))
    assert isinstance(raised.value, NameError)
    for device in (False, True):
        with pytest.raises(real.TypingError, match="no_such_name"):
            cuda.compile_ptx(kernel.py_func, (float64[:],), device=device)


def test_kernels_of_a_command():
    code = (
        "from numba import cuda\n@cuda.jit\ndef hello():\n    print(cuda.threadIdx, 'here')\n"
        "hello[1, 2]()\ncuda.synchronize()\n"
    )
    start = "import cuprum.compat; cuprum.compat.install()\n"
    done = subprocess.run([sys.executable, "-c", start + code], capture_output=True, text=True)
    assert done.stdout == "(0, 0, 0) here\n(1, 0, 0) here\n", done.stderr


def test_names_of_numbas_package_for_cuda():
    from cuprum.compat.numba.cuda.core import config, errors

    assert config is cuda.config and issubclass(errors.TypingError, Exception)
    assert types.signed_domain < types.integer_domain < types.number_domain


def test_modules_that_programs_import_from():
    from cuprum.compat.numba.cuda.compiler import CUDADispatcher, compile_ptx
    from cuprum.compat.numba.cuda.np.numpy_support import as_dtype, from_dtype
    from cuprum.compat.numba.cuda.typing import signature
    from cuprum.compat.numba.cuda.typing.typeof import typeof as of_module

    @cuda.jit
    def kernel(a):
        a[0] = 1

    assert isinstance(kernel, CUDADispatcher) and compile_ptx is cuda.compile_ptx
    assert as_dtype(int32) == np.int32 and from_dtype(np.dtype("float64")) == float64
    kind = np.dtype([("x", np.int32)])
    assert as_dtype(from_dtype(kind)) == kind
    assert signature(float64, int32).args == (int32,) and of_module(1.5) == typeof(1.5)
    with pytest.raises(NotImplementedError, match="cannot be represented"):
        as_dtype(void)
