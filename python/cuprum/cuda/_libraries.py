"""Which parts of CUDA are on the machine: the driver and the libraries, found without loading them."""

from __future__ import annotations

import functools
import glob
import os
import re
import subprocess
import sys
from typing import NamedTuple

__all__ = ["get_cuda_path"]


class Library(NamedTuple):
    """A part of CUDA: its name, its files, and what installs it."""

    title: str
    names: tuple[str, ...]
    install: str


DRIVER = Library(
    "driver", ("libcuda.so.1", "nvcuda.dll"), "install NVIDIA's driver: https://www.nvidia.com/drivers"
)
LIBRARIES = (
    DRIVER,
    Library("NVRTC", ("libnvrtc.so",), "pip install nvidia-cuda-nvrtc"),
    Library("cuBLAS", ("libcublas.so",), "pip install nvidia-cublas"),
    Library("cuFFT", ("libcufft.so",), "pip install nvidia-cufft"),
    Library("cuSOLVER", ("libcusolver.so",), "pip install nvidia-cusolver"),
    Library("cuRAND", ("libcurand.so",), "pip install nvidia-curand"),
    Library("cuSPARSE", ("libcusparse.so",), "pip install nvidia-cusparse"),
    Library("NCCL", ("libnccl.so",), "pip install nvidia-nccl-cu13"),
)

_SYSTEM_FOLDERS = (
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/lib/wsl/lib",
)


def find(library: Library) -> str | None:
    """Return the path of a library's file, None where it is not found."""
    for name in library.names:
        for folder in _folders():
            found = sorted(glob.glob(os.path.join(glob.escape(folder), f"{name}*")))
            if found:
                return found[0]
        if name in _loader_cache():
            return _loader_cache()[name]
        versions = [path for known, path in _loader_cache().items() if known.startswith(f"{name}.")]
        if versions:
            return versions[0]
    return None


def get_cuda_path() -> str | None:
    """Return the folder of the CUDA toolkit: CUDA_PATH, CUDA_HOME or the usual place, or None.

    Examples
    --------
    >>> path = cp.cuda.get_cuda_path()
    >>> path is None or isinstance(path, str)
    True
    """
    for folder in (os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda"):
        if folder and os.path.isdir(folder):
            return folder
    return None


def _folders() -> list[str]:
    """Return the folders that may hold CUDA's libraries: the loader's own, the toolkit's and the wheels'."""
    folders = [f for f in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if f]
    toolkit = get_cuda_path()
    if toolkit is not None:
        folders += [os.path.join(toolkit, part) for part in ("lib64", "lib", "targets/x86_64-linux/lib")]
    for entry in sys.path:
        folders += sorted(glob.glob(os.path.join(glob.escape(entry or "."), "nvidia", "*", "lib")))
    return folders + list(_SYSTEM_FOLDERS)


@functools.lru_cache(maxsize=1)
def _loader_cache() -> dict[str, str]:
    """Return the libraries that the loader knows, by file name; none where it cannot be asked."""
    try:
        done = subprocess.run(
            ["/sbin/ldconfig", "-p"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    return dict(re.findall(r"^\s*(\S+) \(.*?\) => (\S+)$", done.stdout, flags=re.MULTILINE))
