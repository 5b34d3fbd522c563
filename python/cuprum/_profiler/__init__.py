"""The profiler: what a program computed, copied and waited for, by lines of its source, with advice."""

from ._profile import Profile

__all__ = ["Profile"]
