"""Where CUDA's toolkit is; its libraries are found and named by the extension."""

from __future__ import annotations

import os
import shutil

__all__ = ["get_cuda_path", "get_local_runtime_version", "get_nvcc_path"]


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


def get_nvcc_path() -> str | None:
    """Return the path of nvcc: NVCC, that of the toolkit, or the one in PATH; None where there is none.

    No nvcc is needed here: kernels are compiled by NVRTC, and on the CPU by Cuprum itself.

    Examples
    --------
    >>> path = cp.cuda.get_nvcc_path()
    >>> path is None or isinstance(path, str)
    True
    """
    named = os.environ.get("NVCC")
    if named:
        return named
    toolkit = get_cuda_path()
    if toolkit is not None:
        nvcc = os.path.join(toolkit, "bin", "nvcc")
        if os.path.exists(nvcc):
            return nvcc
    return shutil.which("nvcc")


def get_local_runtime_version() -> int:
    """Return the version of the CUDA runtime that is used, as `runtime.runtimeGetVersion` does.

    Examples
    --------
    >>> cp.cuda.get_local_runtime_version() == cp.cuda.runtime.runtimeGetVersion()
    True
    """
    from . import runtime

    return runtime.runtimeGetVersion()
