"""Importing ``cuprum`` brings in NumPy and nothing heavy besides."""

import json
import subprocess
import sys
import sysconfig

import pytest

HEAVY = ["scipy", "torch", "matplotlib", "jax", "pandas", "numba", "cupy", "tensorflow"]


def run_python(source):
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_cuprum_imports_no_heavy_module():
    modules = json.loads(run_python("import cuprum, sys, json; print(json.dumps(sorted(sys.modules)))"))
    loaded = {name.split(".")[0] for name in modules}
    assert "numpy" in loaded
    assert not loaded & set(HEAVY)


def test_importing_cuprum_writes_nothing():
    assert run_python("import cuprum") == ""


def test_importing_cuprum_leaves_the_float_error_state_and_print_options_alone():
    source = (
        "import numpy as np\n"
        "before = np.geterr(), np.get_printoptions()\n"
        "import cuprum\n"
        "after = np.geterr(), np.get_printoptions()\n"
        "print(before == after)\n"
    )
    assert run_python(source).strip() == "True"


def test_cuprum_imports_before_and_after_numpy():
    assert run_python("import cuprum, numpy; print(float(cuprum.arange(4).sum()))").strip() == "6.0"
    assert run_python("import numpy, cuprum; print(float(cuprum.arange(4).sum()))").strip() == "6.0"


def imported_with(lock):
    """Import cuprum where the interpreter says, once the extension is loaded, whether it has its lock."""
    source = f"""
import sys
sys._is_gil_enabled = lambda: {lock} or "cuprum._core" not in sys.modules
try:
    import cuprum
    print(float(cuprum.arange(4).sum()))
except ImportError as error:
    print(error)
"""
    return run_python(source).strip()


def test_an_interpreter_without_its_global_lock_is_refused():
    assert imported_with(lock=True) == "6.0"
    said = imported_with(lock=False)
    assert "global lock" in said and "PYTHON_GIL=0" in said


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="needs a free-threaded Python")
def test_a_free_threaded_interpreter_switches_its_lock_on():
    assert run_python("import cuprum, sys; print(sys._is_gil_enabled())").strip() == "True"


def test_the_package_says_its_version():
    version = run_python("import cuprum; print(cuprum.__version__)").strip()
    assert version.split(".")[0].isdigit()


def test_interpreter_exit_with_pending_work_is_quiet():
    source = "import cuprum as cp\na = cp.arange(100000.0)\nb = cp.sqrt(a * 2 + 1)\nc = b - a\n"
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
