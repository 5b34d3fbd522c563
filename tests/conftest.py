"""Shared by every test: the path to `twin`, the markers, and the fixtures that name the mode of a run.

The whole suite runs in two modes, `CUPRUM_DEFER=1` (the default) and `CUPRUM_DEFER=0`; tests that look at
fusion itself are skipped in the second. It runs on the CPU and, under `CUPRUM_DEVICE=cuda`, on a GPU; tests
of what only the CPU device has (threads, instruction sets, buffers that NumPy reads in place) are marked
`cpu`, those of what only a GPU has are marked `gpu`. Tests marked `memory` allocate hundreds of megabytes, in
a process of their own; `CUPRUM_TEST_LARGE=1` adds the ones that need several gigabytes.
"""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cuprum as cp  # noqa: E402

DEFERRED = os.environ.get("CUPRUM_DEFER", "1") != "0"
DEVICE = cp.info()["device"]


def pytest_configure(config):
    config.addinivalue_line("markers", "fusion: looks at what was fused; skipped under CUPRUM_DEFER=0")
    config.addinivalue_line("markers", "cpu: looks at the CPU device itself; skipped on a GPU")
    config.addinivalue_line("markers", "gpu: looks at a GPU itself; skipped on the CPU")
    config.addinivalue_line("markers", "memory: measures or needs hundreds of megabytes")
    config.addinivalue_line("markers", "large: needs several gigabytes; runs with CUPRUM_TEST_LARGE=1")


def pytest_collection_modifyitems(items):
    unfused = pytest.mark.skip(reason="CUPRUM_DEFER=0: nothing is fused")
    small = pytest.mark.skip(reason="set CUPRUM_TEST_LARGE=1 to run tests that need several gigabytes")
    elsewhere = pytest.mark.skip(reason=f"looks at another device than {DEVICE}")
    other = "gpu" if DEVICE == "cpu" else "cpu"
    large = os.environ.get("CUPRUM_TEST_LARGE") == "1"
    for item in items:
        if not DEFERRED and "fusion" in item.keywords:
            item.add_marker(unfused)
        if other in item.keywords:
            item.add_marker(elsewhere)
        if not large and "large" in item.keywords:
            item.add_marker(small)


def pytest_report_header():
    threads = os.environ.get("CUPRUM_THREADS", "default")
    return f"cuprum: device={DEVICE} defer={int(DEFERRED)} threads={threads}"


@pytest.fixture(scope="session")
def on_gpu():
    """Whether arrays are on a GPU."""
    return DEVICE != "cpu"


@pytest.fixture(scope="session")
def deferred():
    """Whether this session defers work (CUPRUM_DEFER is not 0)."""
    return DEFERRED
