"""What Cuprum runs on, as CuPy's function tells it."""

from __future__ import annotations

__all__ = ["get_runtime_info"]


class _RuntimeInfo:
    """Prints as `cuprum info` does, after the version that `cupy` shows."""

    @property
    def cupy_version(self) -> str:
        """What `cupy.__version__` says."""
        from .. import cupy

        return str(cupy.__version__)

    def __str__(self) -> str:
        from cuprum.cli import _info

        return f"cupy      {self.cupy_version}\n{_info.text()}"

    def __repr__(self) -> str:
        return str(self)


def get_runtime_info(*, full: bool = True) -> _RuntimeInfo:
    """Return what Cuprum runs on, to be printed.

    Parameters
    ----------
    full : bool, optional
        CuPy's: the text is always whole.

    Returns
    -------
    object

    Examples
    --------
    >>> from cuprum.compat import cupyx
    >>> "NVRTC" in str(cupyx.get_runtime_info())
    True
    """
    return _RuntimeInfo()
