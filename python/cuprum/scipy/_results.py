"""The dictionary with attributes that solvers and optimisers return."""

from __future__ import annotations

from typing import Any

from .._core import ndarray

__all__ = ["OptimizeResult"]


def _shown(value: Any, indent: int) -> str:
    if isinstance(value, dict):
        return "\n" + _table(value, indent)
    text = repr(value)
    return text.replace("\n", "\n" + " " * indent)


def _table(values: dict[str, Any], indent: int) -> str:
    width = max(map(len, values), default=0) + indent
    return "\n".join(f"{name:>{width}}: {_shown(value, width + 2)}" for name, value in values.items())


class OptimizeResult(dict[str, Any]):
    """What an optimiser found: a dictionary whose keys are attributes too.

    Attributes
    ----------
    x : ndarray
        The solution.
    success : bool
        Whether the optimiser ended as it should.
    status : int
        Why it ended, by the method's own code.
    message : str
        The same in words.
    fun, jac, hess, hess_inv : ndarray or float
        The function and its derivatives at `x`, where the method has them.
    nfev, njev, nhev : int
        How often they were evaluated.
    nit : int
        The number of iterations.

    Examples
    --------
    >>> from cuprum.scipy.optimize import OptimizeResult
    >>> OptimizeResult(x=1.5, success=True).x
    1.5
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__

    def __repr__(self) -> str:
        return _table(self, 0) if self else f"{type(self).__name__}()"

    def __dir__(self) -> list[str]:
        return list(self)


def plain(value: Any) -> float:
    """Return the number that a function of a user gave, be it an array of one element."""
    if isinstance(value, ndarray):
        if value.size != 1:
            raise ValueError(f"the function must return a scalar, it gave an array of shape {value.shape}")
        return float(value.reshape(())[()])
    return float(value)
