"""The CUDA device over the stand-in: the same results whatever the order of blocks, threads and streams, and
nothing written beyond an array.
"""

import os
import pathlib
import subprocess
import sys

import cases
import driver_api
import pytest

SETTINGS = {
    "exact memory": {"CUPRUM_MEMORY": "exact"},
    "backwards": {"CUPRUM_STANDIN_ORDER": "reverse", "CUPRUM_STANDIN_THREADS": "descending"},
    "at random": {"CUPRUM_STANDIN_ORDER": "random", "CUPRUM_STANDIN_THREADS": "random"},
    "lazy streams": {"CUPRUM_STANDIN_LAZY": "1"},
    "queued launches": {"CUPRUM_GRAPHS": "always"},
}
NAMES = [name for name in cases.CASES if name not in cases.NEED_LIBRARIES]


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_cases(settings):
    standin = driver_api.standin_build.environment(driver_api.standin())
    done = subprocess.run(
        [sys.executable, str(pathlib.Path(cases.__file__)), *NAMES],
        env={**os.environ, **standin, **settings, "CUPRUM_DEVICE": "cuda"},
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    assert "cuprum stand-in:" not in done.stderr, done.stderr[-3000:]
    assert done.stdout.count("results agree") == len(NAMES)
