"""What kernels call that compiles to objects of CUDA C: the base of CUB's classes and Thrust's algorithms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText
    from ._values import Value

__all__ = ["Native"]


class Native:
    """Something that writes its own call.

    Parameters
    ----------
    label : str
        What users call it.
    doc : str, optional
        What it does, for `help`.
    """

    def __init__(self, label: str, doc: str = "") -> None:
        self.__name__ = label
        self.__doc__ = doc

    def write(self, text: FunctionText, call: Call) -> Value:
        """Return the result of a call."""
        raise NotImplementedError

    def __call__(self, *args: object, **kwargs: object) -> NoReturn:
        raise RuntimeError(f"{self.__name__} can be called in kernels only")

    def __repr__(self) -> str:
        return f"<{self.__name__} of kernels>"
