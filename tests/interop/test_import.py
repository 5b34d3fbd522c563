"""Importing ``cuprum`` brings in NumPy and nothing heavy besides."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig

import pytest

import cuprum as cp

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


def test_importing_cuprum_loads_few_modules():
    # What an import costs is the modules that it loads: all else waits until one of its names is used.
    source = (
        "import numpy, sys, json\n"
        "before = set(sys.modules)\n"
        "import cuprum\n"
        "print(json.dumps(sorted(set(sys.modules) - before)))\n"
    )
    loaded = json.loads(run_python(source))
    own = [name for name in loaded if name.split(".")[0] == "cuprum"]
    assert len(own) <= 12, own
    # What makes a NumPy dtype of bfloat16, where it is installed.
    others = [name for name in loaded if name.split(".")[0] not in ("cuprum", "ml_dtypes")]
    assert len(others) <= 8, others


def test_a_name_loads_its_module_and_stays():
    source = (
        "import sys, cuprum as cp\n"
        "print('cuprum._creation.fill' in sys.modules, 'zeros' in vars(cp), 'zeros' in dir(cp))\n"
        "made = cp.zeros(2)\n"
        "print('cuprum._creation.fill' in sys.modules, 'zeros' in vars(cp))\n"
    )
    assert run_python(source).split() == ["False", "False", "True", "True", "True"]


def test_every_name_of_the_package_is_there_once():
    names = cp.__all__
    assert len(names) == len(set(names))
    gathered: dict[str, object] = {}
    exec("from cuprum import *", gathered)
    assert set(names) <= set(gathered) and set(names) <= set(dir(cp))
    for name in names:
        assert getattr(cp, name) is gathered[name]
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        cp.no_such_name  # noqa: B018


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


@pytest.fixture(scope="module")
def free_threaded():
    """A free-threaded Python that has Cuprum: this one, `CUPRUM_FREE_THREADED_PYTHON`, or one on the path."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return sys.executable
    named = [os.environ.get("CUPRUM_FREE_THREADED_PYTHON")]
    for found in named + [shutil.which(f"python3.{minor}t") for minor in range(20, 12, -1)]:
        query = [found, "-c", "import sysconfig, cuprum; print(sysconfig.get_config_var('Py_GIL_DISABLED'))"]
        if found and subprocess.run(query, capture_output=True, text=True, check=False).stdout == "1\n":
            return found
    pytest.skip("needs a free-threaded Python with Cuprum built for it")


THREADS_THAT_WRITE = """
import sys, threading
import numpy, cuprum as cp
shared, wrong = cp.zeros(1000), []
def work(k):
    for i in range(300):
        own = cp.arange(200.0) * k + i
        shared[k] += 1
        shared[500:] = own[:500].sum()
        if float(own.sum()) != 19900.0 * k + 200 * i:
            wrong.append((k, i))
threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
[t.start() for t in threads], [t.join() for t in threads]
print(sys._is_gil_enabled(), wrong, shared[:8].tolist())
"""


def test_a_free_threaded_interpreter_switches_its_lock_on(free_threaded):
    command = [free_threaded, "-c", THREADS_THAT_WRITE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == f"True [] {[300.0] * 8}\n", done.stderr


@pytest.mark.parametrize("way", ["-Xgil=0", "PYTHON_GIL=0"])
def test_a_free_threaded_interpreter_that_has_no_lock_is_refused(free_threaded, way):
    option, variables = ([way], {}) if way.startswith("-") else ([], dict([way.split("=")]))
    command = [free_threaded, *option, "-c", "import cuprum"]
    environment = os.environ | variables
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1 and "ImportError: cuprum needs Python's global lock" in done.stderr


def test_names_are_there_without_importing_their_modules():
    source = """
import cuprum as cp
modules = [cp, cp.cuda, cp.linalg, cp.fft, cp.random, cp.polynomial, cp.testing, cp.lib]
modules += [getattr(cp.scipy, name) for name in cp.scipy.__all__]
print([f"{m.__name__}.{name}" for m in modules for name in getattr(m, "__all__", ()) if not hasattr(m, name)])
"""
    assert run_python(source).strip() == "[]"


def test_the_package_says_its_version():
    version = run_python("import cuprum; print(cuprum.__version__)").strip()
    assert version.split(".")[0].isdigit()


def test_interpreter_exit_with_pending_work_is_quiet():
    source = "import cuprum as cp\na = cp.arange(100000.0)\nb = cp.sqrt(a * 2 + 1)\nc = b - a\n"
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
