"""`cupy_backends.cuda.api`: the runtime and the driver."""

from __future__ import annotations

from cuprum.cuda import driver, runtime

__all__ = ["driver", "runtime"]
