"""The rules of a GPU on the CPU, so that tests on machines without one find what a GPU would refuse."""

from __future__ import annotations

from .. import _core

__all__ = ["strict"]


class strict:
    """Refuse on the CPU what arrays on a GPU refuse, with the same messages.

    These are implicit conversions to NumPy (`np.asarray(a)`, NumPy's and SciPy's functions that have no
    counterpart here), the buffer protocol and `__array_interface__`. The rules hold from the call on, for all
    threads; in a `with` statement until its end. `CUPRUM_STRICT=gpu` sets them from the start.

    Parameters
    ----------
    on : bool, optional
        Whether the rules hold.

    Examples
    --------
    >>> a = cp.arange(3)
    >>> with cp.cuda.strict():
    ...     try:
    ...         np.asarray(a)
    ...     except TypeError as error:
    ...         print(str(error)[:52])
    Implicit conversion to a NumPy array is not allowed.
    """

    def __init__(self, on: bool = True) -> None:
        self._before = _core.set_strict(bool(on))

    def __enter__(self) -> strict:
        return self

    def __exit__(self, *_: object) -> None:
        _core.set_strict(self._before)
