"""Booleans whose bytes are neither 0 nor 1 on the CUDA device, over the stand-in."""

import os
import pathlib
import subprocess
import sys

import driver_api
import pytest

TESTS = pathlib.Path(__file__).resolve().parent.parent
CODE = """
import sys
sys.path[:0] = sys.argv[1:3]
from truth_cases import BINARY, UNARY, check_all
# The stand-in has no cuFFT. What ops make of such bytes is seen by the tests of their texts, in less time.
without = ["fft", *UNARY, *(f"{name} of two" for name in BINARY), *(f"{name} with True" for name in BINARY)]
check_all(int(sys.argv[3]), [sys.argv[4]], without)
print("same")
"""


@pytest.mark.parametrize(("size", "layout"), [(300, "rows"), (40_000, "flat")])
def test_any_byte_but_zero_is_true(size, layout):
    standin = driver_api.standin_build.environment(driver_api.standin())
    arguments = [TESTS, TESTS / "conformance", size, layout]
    done = subprocess.run(
        [sys.executable, "-c", CODE, *map(str, arguments)],
        env={**os.environ, **standin, "CUPRUM_DEVICE": "cuda", "CUPRUM_MEMORY": "exact"},
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert done.stdout.strip() == "same", done.stdout[-1000:] + done.stderr[-5000:]
    assert "cuprum stand-in:" not in done.stderr, done.stderr[-3000:]
