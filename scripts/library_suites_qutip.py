"""The pytest plugin for qutip-cupy's tests: the module of its version, which its build would write."""

from __future__ import annotations

import sys
from types import ModuleType

version = ModuleType("qutip_cupy.version")
version.version = "0.1.0.dev0"  # type: ignore[attr-defined]
sys.modules["qutip_cupy.version"] = version
