"""Shared by every test: the paths of `twin` and `scripts/`, the markers, the fixtures that name a run's mode.

The whole suite runs in two modes, `CUPRUM_DEFER=1` (the default) and `CUPRUM_DEFER=0`; tests that look at
fusion itself are skipped in the second. It runs on the CPU and, under `CUPRUM_DEVICE=cuda`, on a GPU: there
tests of what only the CPU device has (memory that NumPy shares) are marked `cpu`, and run on it, beside the
GPU; those of a process without a GPU (threads, instruction sets) are marked `no_gpu`. Tests marked `memory`
allocate hundreds of megabytes, in a process of their own; `CUPRUM_TEST_LARGE=1` adds the ones that need
several gigabytes.
"""

import os
import pathlib
import sys

import pytest

TESTS = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "scripts")]

import cuprum as cp  # noqa: E402

DEFERRED = os.environ.get("CUPRUM_DEFER", "1") != "0"
DEVICE = cp.info()["device"]


def pytest_configure(config):
    config.addinivalue_line("markers", "fusion: looks at what was fused; skipped under CUPRUM_DEFER=0")
    config.addinivalue_line("markers", "cpu: looks at the CPU device itself, and runs on it everywhere")
    config.addinivalue_line("markers", "no_gpu: looks at a process without a GPU; skipped on one")
    config.addinivalue_line("markers", "memory: measures or needs hundreds of megabytes")
    config.addinivalue_line("markers", "large: needs several gigabytes; runs with CUPRUM_TEST_LARGE=1")


def pytest_collection_modifyitems(items):
    unfused = pytest.mark.skip(reason="CUPRUM_DEFER=0: nothing is fused")
    small = pytest.mark.skip(reason="set CUPRUM_TEST_LARGE=1 to run tests that need several gigabytes")
    elsewhere = pytest.mark.skip(reason="looks at a process without a GPU")
    large = os.environ.get("CUPRUM_TEST_LARGE") == "1"
    for item in items:
        if not DEFERRED and "fusion" in item.keywords:
            item.add_marker(unfused)
        if DEVICE != "cpu" and "no_gpu" in item.keywords:
            item.add_marker(elsewhere)
        if not large and "large" in item.keywords:
            item.add_marker(small)


def pytest_report_header():
    threads = os.environ.get("CUPRUM_THREADS", "default")
    return f"cuprum: device={DEVICE} defer={int(DEFERRED)} threads={threads}"


@pytest.fixture(autouse=True)
def place(request):
    """Tests marked `cpu` make their arrays on the CPU, whatever the device of the others."""
    if DEVICE == "cpu" or "cpu" not in request.keywords:
        yield
        return
    with cp.cuda.Device("cpu"):
        yield


@pytest.fixture(scope="session")
def on_gpu():
    """Whether arrays are made on a GPU, but for tests marked `cpu`."""
    return DEVICE != "cpu"


@pytest.fixture(scope="session")
def deferred():
    """Whether this session defers work (CUPRUM_DEFER is not 0)."""
    return DEFERRED
