"""What fixes random numbers, by the names that Chainer's test helpers call."""

from __future__ import annotations

from ._cases import fix_seeds, give_back_states

__all__ = ["do_setup", "do_teardown"]


def do_setup(deterministic: bool = True) -> None:
    """Fix the random numbers of Python, NumPy and Cuprum, until `do_teardown`."""
    fix_seeds(varied=not deterministic)


def do_teardown() -> None:
    """Go on with the random numbers from before `do_setup`."""
    give_back_states()
