"""`frompyfunc`: a Python function of numbers as a function of arrays, with the attributes of a ufunc."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._vectorize import vectorize

__all__ = ["frompyfunc"]


class frompyfunc:  # noqa: N801
    """A function of numbers as a function of arrays, which are broadcast together.

    The function is compiled, as `vectorize` does it, and the results have the dtypes that it gives. NumPy's
    `frompyfunc` returns arrays of objects instead, which a device cannot hold: `np.frompyfunc` is there for
    functions that make such, or that cannot be compiled.

    Parameters
    ----------
    func : callable
        A function whose statements are those of `cuprum.jit`.
    nin, nout : int
        How many numbers it takes and returns.
    identity : object, optional
        The value with which a reduction by the function begins.

    Examples
    --------
    >>> added = cp.frompyfunc(lambda a, b: a + 2 * b, 2, 1)
    >>> added(cp.arange(3), 10)
    array([20, 21, 22])
    """

    def __init__(self, func: Callable[..., Any], /, nin: int, nout: int, *, identity: Any = None) -> None:
        if not callable(func):
            raise TypeError(f"frompyfunc: func must be callable, got {type(func).__name__}")
        for name, count in (("nin", nin), ("nout", nout)):
            if not isinstance(count, int):
                raise TypeError(f"frompyfunc: {name} must be an integer, got {type(count).__name__}")
        if nin < 1 or nout < 1:
            raise ValueError(f"frompyfunc: nin and nout must be at least 1, got {nin} and {nout}")
        self.nin, self.nout, self.nargs = nin, nout, nin + nout
        self.identity = identity
        self.__name__ = f"{getattr(func, '__name__', '?')} (vectorized)"
        self.__doc__ = func.__doc__
        self._mapped = vectorize(func)

    def __call__(self, *args: Any, out: Any = None) -> Any:
        """Return the function of every element.

        Parameters
        ----------
        *args : array_like
            The inputs, and the outputs where they are not to be made.
        out : ndarray or tuple of ndarrays, optional
            The outputs.
        """
        outs = tuple(args[self.nin :])
        if out is not None:
            if outs:
                raise TypeError("frompyfunc: 'out' is given both by position and by keyword")
            outs = out if isinstance(out, tuple) else (out,)
        given = args[: self.nin]
        if len(given) != self.nin or len(outs) not in (0, self.nout):
            raise TypeError(
                f"{self.__name__} takes {self.nin} arguments, or {self.nargs} with outputs, got {len(args)}"
            )
        made = self._mapped(*given)
        results = made if isinstance(made, tuple) else (made,)
        if len(results) != self.nout:
            raise ValueError(f"{self.__name__} returns {len(results)} values, nout is {self.nout}")
        for target, result in zip(outs, results, strict=False):
            target[...] = result
        shown = outs or results
        return shown[0] if self.nout == 1 else tuple(shown)

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}'>"
