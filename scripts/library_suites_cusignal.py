"""The pytest plugin for cuSignal's tests: its kernels stand where its build puts their machine code.

cuSignal's build compiles each file of `cpp/src` with nvcc into a fatbin in its package, and it loads that by
`RawModule(path=...)`. Cuprum takes a file of CUDA C there, on every device: no nvcc is needed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest


def pytest_configure(config: pytest.Config) -> None:
    # The folder that the tests run in is that of the unpacked source.
    for text in Path("cpp/src").glob("*/_*.cu"):
        shutil.copy(text, Path("python/cusignal", text.parent.name, f"{text.stem}.fatbin"))
