"""Environment variables: an import tells of misspelt ones; all that are read are known and documented."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from cuprum._variables import VARIABLES, warn_of_unknown

ROOT = pathlib.Path(__file__).resolve().parents[2]


def warned(name, value, recwarn):
    warn_of_unknown({name: value, "OTHER_THREADS": "x"})
    return [str(warning.message) for warning in recwarn]


@pytest.mark.parametrize(
    "name, nearest",
    [
        ("CUPRUM_NUM_THREADS", "CUPRUM_THREADS"),
        ("CUPRUM_THREAD", "CUPRUM_THREADS"),
        ("CUPRUM_OMP_NUM_THREADS", "CUPRUM_THREADS"),
        ("CUPRUM_DEVICES", "CUPRUM_DEVICE"),
        ("CUPRUM_CACHE", "CUPRUM_CACHE_DIR"),
        ("CUPRUM_DEFERRED", "CUPRUM_DEFER"),
        ("CUPRUM_STRICT_GPU", "CUPRUM_STRICT"),
    ],
)
def test_a_misspelt_variable_is_told_with_the_nearest_name(name, nearest, recwarn):
    (message,) = warned(name, "4", recwarn)
    assert name in message and message.endswith(f"did you mean {nearest}?")


def test_a_variable_unlike_any_is_told_with_the_page_of_all(recwarn):
    (message,) = warned("CUPRUM_BACKEND", "4", recwarn)
    assert "CUPRUM_BACKEND" in message and "docs/guides/settings.md" in message


@pytest.mark.parametrize(
    "name, value",
    [
        ("CUPRUM_THREADS", "four"),
        ("CUPRUM_THREADS", "0"),
        ("CUPRUM_THREADS", "-2"),
        ("CUPRUM_DEFER", "no"),
        ("CUPRUM_CHECK", "false"),
        ("CUPRUM_SIMD", "avx"),
        ("CUPRUM_MEMORY", "4GB"),
        ("CUPRUM_CACHE_SIZE", "1e9"),
        ("CUPRUM_EXIT_WAIT", "long"),
    ],
)
def test_a_value_that_means_nothing_is_told(name, value, recwarn):
    (message,) = warned(name, value, recwarn)
    assert name in message and repr(value) in message and VARIABLES[name][1] in message


@pytest.mark.parametrize(
    "name, value",
    [
        ("CUPRUM_THREADS", "4"),
        ("CUPRUM_THREADS", ""),
        ("CUPRUM_DEFER", "0"),
        ("CUPRUM_DEFER", "1"),
        ("CUPRUM_DEVICE", "cuda:1"),
        ("CUPRUM_CACHE_SIZE", "1000000"),
        ("CUPRUM_EXIT_WAIT", "0.5"),
        ("CUPRUM_GRAPHS", "always"),
        ("CUPRUM_MEMORY", "exact"),
        ("CUPRUM_SIMD", "avx2"),
        ("CUPRUM_SVD_DRIVER", "gesvdj"),
        ("CUPRUM_LIBCUDA", "/opt/libcuda.so"),
        ("CUPRUM_TEST_LARGE", "1"),
        ("CUPRUM_STANDIN_DEVICES", "2"),
    ],
)
def test_what_means_something_is_not_told(name, value, recwarn):
    assert warned(name, value, recwarn) == []


def test_the_import_warns_in_the_line_that_imports(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("x = 1\nimport cuprum as cp\nprint(cp.arange(2).sum())\n")
    done = subprocess.run(
        [sys.executable, program],
        env={**os.environ, "CUPRUM_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "1\n"
    assert f"{program}:2: UserWarning: the environment variable CUPRUM_NUM_THREADS" in done.stderr
    assert done.stderr.count("CUPRUM_THREADS") == 1


def test_the_page_has_the_variables_that_are_known():
    page = (ROOT / "docs" / "guides" / "settings.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `CUPRUM_")]
    assert sorted(name for row in rows for name in re.findall(r"CUPRUM_\w+", row)) == sorted(VARIABLES)


def test_every_variable_that_is_read_is_known():
    read = re.compile(
        r"""(?:var|var_os|get|setdefault|getenv)\(\s*"(CUPRUM_\w+)"|environ\["(CUPRUM_\w+)"\]"""
    )
    sources = [*(ROOT / "python").rglob("*.py"), *(ROOT / "crates").glob("*/src/**/*.rs")]
    found = {
        name for path in sources for pair in read.findall(path.read_text(encoding="utf-8")) for name in pair
    }
    found -= {"", "CUPRUM_SHOW_CLIF"}
    assert {"CUPRUM_THREADS", "CUPRUM_DEVICE", "CUPRUM_TF32", "CUPRUM_DASK_IPC"} <= found
    assert found <= set(VARIABLES)
