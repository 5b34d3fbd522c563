"""The package's types: a typical program passes mypy and pyright at their strictest, mistakes do not."""

import json
import pathlib
import re
import runpy
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM, WRONG = HERE / "program.py", HERE / "wrong.py"


def run(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    return done.stdout + done.stderr


def mypy(path):
    """The numbers of the lines that mypy finds fault with, and all that it says."""
    pytest.importorskip("mypy")
    text = run(sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", path)
    assert "checked 1 source file" in text or "no issues found in 1" in text, text
    return {int(n) for n in re.findall(rf"{path.name}:(\d+): error", text)}, text


def pyright(path, tmp_path):
    """The same by pyright's rules."""
    pytest.importorskip("basedpyright")
    settings = {
        "include": [str(path)],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.10",
        "extraPaths": [str(ROOT / "python")],
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable]
    text = run(*command, "-p", tmp_path / "pyrightconfig.json")
    said = json.loads(text[text.index("{") :])
    assert said["summary"]["filesAnalyzed"] == 1, text
    errors = [one for one in said["generalDiagnostics"] if one["severity"] == "error"]
    return {one["range"]["start"]["line"] + 1 for one in errors}, text


def marked(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# error")}


@pytest.mark.parametrize("path", [PROGRAM, WRONG], ids=["program", "wrong"])
def test_mypy(path):
    found, text = mypy(path)
    assert found == marked(path), text


@pytest.mark.parametrize("path", [PROGRAM, WRONG], ids=["program", "wrong"])
def test_pyright(path, tmp_path):
    found, text = pyright(path, tmp_path)
    assert found == marked(path), text


def test_the_program_runs():
    results = runpy.run_path(str(PROGRAM))["main"]()
    assert results["peak"] == 50.0
    assert results["slope"] == 4.0
