"""PyCUDA's interface on Cuprum: the same programs on a GPU, and on machines without one.

Modules are reached as `pycuda.*` under `cuprum run` or after `cuprum.compat.install()`. Memory, streams and
events are those of `cuprum.cuda`, kernels are compiled as `cuprum.RawModule` does it, and arrays compute
with Cuprum's own operations.
"""

VERSION = (2026, 1)
VERSION_STATUS = ""
VERSION_TEXT = ".".join(str(part) for part in VERSION) + VERSION_STATUS
