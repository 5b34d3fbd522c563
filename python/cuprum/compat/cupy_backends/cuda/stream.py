"""`cupy_backends.cuda.stream`: the current stream by its address."""

from __future__ import annotations

from cuprum.cuda import get_current_stream

__all__ = ["get_current_stream_ptr", "get_default_stream_ptr", "is_ptds_enabled"]


def get_current_stream_ptr() -> int:
    """Return the address of the current stream."""
    return int(get_current_stream().ptr)


def get_default_stream_ptr() -> int:
    """Return what stands for the default stream: CUDA's name of the legacy one, not its address 0."""
    return 1


def is_ptds_enabled() -> bool:
    """Return whether each thread has a default stream of its own."""
    return False
