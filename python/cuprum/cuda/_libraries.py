"""Where CUDA's toolkit is; its libraries are found and named by the extension."""

from __future__ import annotations

import os

__all__ = ["get_cuda_path"]


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
