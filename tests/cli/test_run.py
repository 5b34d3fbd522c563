"""``cuprum run`` treats a program as ``python`` does: names, arguments, paths, tracebacks and exit status.

Programs that need no ``cupy`` are run by both, and must print the same.
"""

import os
import signal
import subprocess
import sys
import zipfile

import pytest

LOOK = """
import os, sys
main = sys.modules["__main__"]
print(__name__, __package__, __spec__ and __spec__.name)
print(globals().get("__file__"), globals().get("__cached__"))
print(sys.argv, sys.path[0], main.__dict__ is globals(), type(__builtins__).__name__)
print(sorted(name for name in globals() if name.startswith("__")), type(__loader__).__name__, __doc__)
"""

FAILING = """
import sys

def outer(x):
    return inner(x)

def inner(x):
    try:
        {}[x]
    except KeyError as error:
        raise ValueError("no such thing") from error

print("before", flush=True)
outer(3)
"""


def ours(*words, **options):
    return run([sys.executable, "-m", "cuprum", "run", *words], **options)


def pythons(*words, **options):
    return run([sys.executable, *words], **options)


def run(command, cwd, text=""):
    done = subprocess.run(
        command, cwd=cwd, input=text, capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout, done.stderr


def same(*words, cwd, text=""):
    expected = pythons(*words, cwd=cwd, text=text)
    found = ours(*words, cwd=cwd, text=text)
    assert found == expected
    return expected


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "look.py").write_text(LOOK)
    (tmp_path / "fails.py").write_text(FAILING)
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text(LOOK)
    (package / "part.py").write_text(LOOK)
    return tmp_path


def test_a_script_sees_what_python_shows_it(folder):
    code, out, err = same("look.py", "a", "--device", "-m", "b c", cwd=folder)
    assert (code, err) == (0, "")
    assert "['look.py', 'a', '--device', '-m', 'b c']" in out


def test_a_script_in_another_folder(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    same(str(folder / "look.py"), "x", cwd=elsewhere)
    (elsewhere / "link.py").symlink_to(folder / "look.py")
    same("link.py", cwd=elsewhere)


@pytest.mark.parametrize("words", [["-m", "look", "a"], ["-mpack", "b"], ["-m", "pack.part"]])
def test_modules(folder, words):
    assert same(*words, cwd=folder)[0] == 0


def test_code_and_standard_input(folder):
    same("-c", LOOK, "a", "-c", cwd=folder)
    same("-", "a", cwd=folder, text=LOOK)


def test_folders_and_archives_with_a_main(folder):
    same("pack", "a", cwd=folder)
    with zipfile.ZipFile(folder / "app.zip", "w") as archive:
        archive.writestr("__main__.py", LOOK)
    same("app.zip", "a", cwd=folder)


def test_an_uncaught_error_has_pythons_traceback_and_status_1(folder):
    code, out, err = same("fails.py", cwd=folder)
    assert (code, out) == (1, "before\n")
    assert err.startswith("Traceback (most recent call last):\n") and "cuprum" not in err
    same("-m", "fails", cwd=folder)
    same("-c", "def f():\n    1 / 0\nf()", cwd=folder)


def test_syntax_errors_and_missing_imports(folder):
    (folder / "bad.py").write_text("x = 1\nif x\n    pass\n")
    (folder / "missing.py").write_text("import no_such_module_anywhere\n")
    assert same("bad.py", cwd=folder)[0] == 1
    assert same("missing.py", cwd=folder)[0] == 1
    (folder / "inner.py").write_text("import bad\n")
    assert same("inner.py", cwd=folder)[0] == 1


@pytest.mark.parametrize(
    "ending",
    ["sys.exit()", "sys.exit(0)", "sys.exit(7)", "sys.exit('gone')", "raise SystemExit(3)", "exit(True)"],
)
def test_exit_statuses(folder, ending):
    same("-c", f"import sys\nprint('x')\n{ending}", cwd=folder)


def test_a_program_that_exits_in_the_middle_still_runs_its_exit_functions(folder):
    text = "import atexit, sys\natexit.register(print, 'bye')\nimport __main__\nx = 5\n"
    text += "atexit.register(lambda: print(__main__.x))\nsys.exit(4)\n"
    assert same("-c", text, cwd=folder)[:2] == (4, "5\nbye\n")


def test_an_excepthook_of_the_programs_own_is_called(folder):
    text = (
        "import sys\nsys.excepthook = lambda kind, error, trace: print(kind, error, trace.tb_lineno)\n1 / 0\n"
    )
    assert same("-c", text, cwd=folder)[0] == 1


@pytest.mark.skipif(os.name != "posix", reason="looks at signals")
def test_an_interrupt_ends_the_process_as_it_ends_pythons(folder):
    (folder / "stopped.py").write_text("print('x', flush=True)\nraise KeyboardInterrupt\n")
    code, _, err = same("stopped.py", cwd=folder)
    assert code == -signal.SIGINT
    assert err.rstrip().endswith("KeyboardInterrupt")


def test_classes_of_the_main_program_can_be_pickled(folder):
    text = "import pickle\nclass A:\n    pass\nprint(type(pickle.loads(pickle.dumps(A()))).__module__)\n"
    (folder / "pickles.py").write_text(text)
    assert same("pickles.py", cwd=folder)[:2] == (0, "__main__\n")


def test_what_cannot_be_opened(folder):
    code, out, err = ours("nothing.py", cwd=folder)
    assert (code, out) == (2, "")
    assert "nothing.py" in err and "No such file" in err
    assert same("-m", "no_such_module_anywhere", cwd=folder)[0] == 1


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], "nothing to run"),
        (["--wrong", "x.py"], "--wrong"),
        (["--device"], "--device"),
        (["--device", "tpu", "look.py"], "tpu"),
        (["-m"], "module"),
    ],
)
def test_wrong_command_lines(folder, words, text):
    code, out, err = ours(*words, cwd=folder)
    assert (code, out) == (2, "")
    assert text in err and "usage: cuprum run" in err


def test_help(folder):
    code, out, _ = ours("--help", cwd=folder)
    assert code == 0
    assert out.startswith("usage: cuprum run")


def test_a_cuda_device_that_is_not_there_is_refused_with_a_way_out(folder):
    code, out, err = ours("--device", "cuda:77", "look.py", cwd=folder)
    assert (code, out) == (3, "")
    assert "no device cuda:77" in err and "--device cpu" in err and "cuprum info" in err
    assert ours("--device=cuda:78", "-c", "0", cwd=folder)[0] == 3


def test_the_device_is_told_to_children(folder):
    code, out, _ = ours("--device", "cpu", "-c", "import os; print(os.environ['CUPRUM_DEVICE'])", cwd=folder)
    assert (code, out) == (0, "cpu\n")


def test_a_program_for_cupy_runs(folder):
    text = """
    import sys
    import numpy as np
    import cupy as cp
    from cupyx import scatter_add

    a = cp.asarray(np.arange(float(sys.argv[1])))
    scatter_add(a, cp.array([0, 0]), 1.0)
    print(float(a.sum()), isinstance(cp.asnumpy(a), np.ndarray))
    """
    (folder / "program.py").write_text("if True:" + text)
    assert ours("program.py", "4", cwd=folder) == (0, "8.0 True\n", "")


def test_an_error_inside_the_library_shows_no_frame_of_the_command(folder):
    code, _, err = ours("-c", "import cupy as cp\ncp.ones(3) + cp.ones(4)", cwd=folder)
    assert code == 1
    assert err.splitlines()[0] == "Traceback (most recent call last):"
    assert "_run.py" not in err and err.splitlines()[-1].startswith("ValueError: add: ")


SPAWNED = """
import multiprocessing as mp

def work(n):
    import cupy as cp
    return float(cp.arange(n).sum())

if __name__ == "__main__":
    with mp.get_context("spawn").Pool(1) as pool:
        print(pool.map(work, [3, 4]))
"""


def test_worker_processes_find_cupy_too(folder):
    (folder / "spawned.py").write_text(SPAWNED)
    assert ours("spawned.py", cwd=folder) == (0, "[3.0, 6.0]\n", "")
