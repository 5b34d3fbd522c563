"""What CuPy's programs use of CUDA's driver: its versions, and the error by which it reports."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from . import runtime

__all__ = ["CUDADriverError", "driverGetVersion", "get_build_version"]

_FILE_NOT_FOUND = 301
_NOT_FOUND = 500


class CUDADriverError(RuntimeError):
    """An error of CUDA's driver, by its number.

    Parameters
    ----------
    status : int
        CUDA's number of the error.
    message : str, optional
        What went wrong; by default the number alone.

    Examples
    --------
    >>> module = cp.RawModule(code='extern "C" __global__ void fill(int* a) { *a = 1; }')
    >>> try:
    ...     module.get_function("full")
    ... except cp.cuda.driver.CUDADriverError as error:
    ...     error.status
    500
    """

    def __init__(self, status: int, message: str | None = None) -> None:
        self.status = status
        super().__init__(f"CUDA's error {status}" if message is None else message)

    def __reduce__(self) -> tuple[type, tuple[int, str]]:
        return type(self), (self.status, str(self))


class _SymbolNotFoundError(CUDADriverError, ValueError):
    """No kernel or variable has that name: the driver's error, and one of a wrong value."""


class _ModuleFileNotFoundError(CUDADriverError, FileNotFoundError):
    """A module's file is not there: the driver's error, and Python's."""


@contextlib.contextmanager
def finding_files() -> Iterator[None]:
    """Raise the driver's error for missing files."""
    try:
        yield
    except FileNotFoundError as error:
        text = f"{error.filename}: no such file (CUDA_ERROR_FILE_NOT_FOUND: file not found)"
        raise _ModuleFileNotFoundError(_FILE_NOT_FOUND, text) from None


@contextlib.contextmanager
def finding_symbols() -> Iterator[None]:
    """Raise for names that a module does not have what the driver raises."""
    try:
        yield
    except ValueError as error:
        raise _SymbolNotFoundError(
            _NOT_FOUND, f"{error} (CUDA_ERROR_NOT_FOUND: named symbol not found)"
        ) from None


def get_build_version() -> int:
    """Return the version of CUDA whose interface this has.

    Examples
    --------
    >>> cp.cuda.driver.get_build_version() == cp.cuda.runtime.runtimeGetVersion()
    True
    """
    return runtime.runtimeGetVersion()


def driverGetVersion() -> int:
    """Return the version of CUDA that the driver knows.

    Examples
    --------
    >>> cp.cuda.driver.driverGetVersion() == cp.cuda.runtime.driverGetVersion()
    True
    """
    return runtime.driverGetVersion()
