"""What Cuprum asks of the interpreter: its global lock.

A free-threaded interpreter switches the lock on when it loads the extension module, which says that it needs
it. One that was told never to (`PYTHON_GIL=0`, `-X gil=0`) does not, and arrays that two threads write would
not be safe there: Cuprum is refused.
"""

import sys

__all__: list[str] = []


def _demand_lock() -> None:
    """Raise ImportError where threads run Python without the global lock."""
    is_enabled = getattr(sys, "_is_gil_enabled", None)
    if is_enabled is not None and not is_enabled():
        raise ImportError(
            "cuprum needs Python's global lock, which this interpreter was told to leave off; start it "
            "without PYTHON_GIL=0 or -X gil=0, or use a build of Python that is not free-threaded"
        )


_demand_lock()
