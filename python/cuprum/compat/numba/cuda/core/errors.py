"""Numba's names of errors, where its package for CUDA has them."""

from __future__ import annotations

from ...core.errors import *  # noqa: F403
from ...core.errors import __all__ as __all__
