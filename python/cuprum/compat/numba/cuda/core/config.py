"""Numba's settings, where its package for CUDA has them: one module under two names."""

from __future__ import annotations

import sys

from .. import config

sys.modules[__name__] = config
