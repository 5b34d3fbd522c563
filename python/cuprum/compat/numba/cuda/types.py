"""Numba's names of types, where newer versions have them."""

from __future__ import annotations

from ..types import *  # noqa: F403
from ..types import __all__ as __all__
