"""`cuprum bench` and `cuprum run --profile`: what they print and write. No time is asserted."""

import json
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np
import pytest

import cuprum as cp
from cuprum import _core
from cuprum.cli import _bench, main


def test_the_table_and_the_picture(tmp_path, capsys):
    target = tmp_path / "out.svg"
    words = ["bench", "--plot", str(target), "--largest", "1000", "--seconds", "0.001"]
    assert main([*words, "--only", "sum", "--only", "matmul"]) == 0
    out = capsys.readouterr().out
    assert out.count("elements  ") == 2
    assert "NumPy ms" in out
    assert "Cuprum CPU ms" in out
    assert out.count(" faster than NumPy ") >= 2
    picture = xml.etree.ElementTree.parse(target).getroot()
    space = "{http://www.w3.org/2000/svg}"
    assert len(picture.findall(f"{space}g")) == 2
    lines = picture.findall(f"{space}g/{space}polyline")
    assert len(lines) == 2 * (3 if _core.gpu_count() else 2)


@pytest.mark.parametrize("work", _bench.WORK, ids=[work.name for work in _bench.WORK])
def test_work_gives_numpys_results(work):
    data = work.make(400, np.random.default_rng(3))
    ours = work.run(cp, *(cp.asarray(a) for a in data))
    # Differences from a mean cancel: what they lose is of the size of the data, which is 1.
    np.testing.assert_allclose(cp.asnumpy(ours), work.run(np, *data), rtol=1e-12, atol=1e-14)


def test_crossovers_are_where_lines_cross():
    slow, fast = _bench.Curve("NumPy", [1.0, 10.0, 100.0]), _bench.Curve("Cuprum CPU", [10.0, 10.0, 10.0])
    assert _bench.crossover([100, 1000, 10_000], slow, fast) == pytest.approx(1000)
    assert _bench.crossover([100, 1000, 10_000], fast, slow) is None
    assert _bench.crossover([100, 1000], _bench.Curve("a", [2, 2]), _bench.Curve("b", [1, 1])) == 100
    later = _bench.Curve("b", [100.0, 1000.0, 1.0])
    assert 1000 < _bench.crossover([100, 1000, 10_000], slow, later) < 10_000


def test_wrong_arguments():
    with pytest.raises(SystemExit, match="no work 'nothing': it is one of sqrt"):
        main(["bench", "--only", "nothing"])
    with pytest.raises(SystemExit, match="--largest is at least 100"):
        main(["bench", "--largest", "5"])


PROGRAM = """\
import cupy as cp
a = cp.ones(200_000)
print(float(cp.sqrt(a * 4).sum()))
"""


def profiled(folder, *words):
    command = [sys.executable, "-m", "cuprum", "run", "--profile", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "failing.py").write_text(PROGRAM + "raise SystemExit(3)\n")
    return tmp_path


def test_a_table_goes_to_standard_error(folder):
    done = profiled(folder, "program.py")
    assert (done.returncode, done.stdout) == (0, "400000.0\n")
    assert done.stderr.startswith("profile of ")
    assert "program.py:3  print(float(cp.sqrt(a * 4).sum()))" in done.stderr


def test_a_page_and_a_trace(folder):
    assert profiled(folder, "out.html", "program.py").returncode == 0
    assert "program.py:3" in (folder / "out.html").read_text()
    assert profiled(folder, "trace.json", "program.py").stderr.endswith("profile: trace.json\n")
    assert json.loads((folder / "trace.json").read_text())["traceEvents"]


def test_the_programs_end_is_its_own(folder):
    done = profiled(folder, "failing.py")
    assert done.returncode == 3
    assert "profile of" in done.stderr
    done = profiled(folder, "-c", "1 / 0")
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    assert "_run.py" not in done.stderr
