"""`cupyx.GeneralizedUFunc`: a function of small arrays over the leading axes of larger ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import cuprum

__all__ = ["GeneralizedUFunc"]

_GROUP = re.compile(r"\(([^()]*)\)")


class GeneralizedUFunc:
    """A function of small arrays as one of larger arrays, whose leading axes are broadcast together.

    Parameters
    ----------
    func : callable
        The function: it takes arrays and returns an array, or a tuple of them.
    signature : str
        The axes of its arguments and results, such as ``'(m,n),(n)->(m)'``.
    name, doc : str, optional
        Its name and documentation.
    supports_batched : bool, optional
        Whether the function takes leading axes itself; else it is called for each place of them.
    supports_out : bool, optional
        Accepted: results are copied into `out` in any case.
    signatures : sequence, optional
        Types such as ``'dd->d'`` that arguments are converted to, the first that fits, each with a function
        of its own where it is a pair.

    Examples
    --------
    >>> from cuprum.compat import cupyx
    >>> product = cupyx.GeneralizedUFunc(lambda a, x: a @ x, "(m,n),(n)->(m)")
    >>> product(cp.ones((2, 2, 3)), cp.arange(3.0))
    array([[3., 3.],
           [3., 3.]])
    """

    def __init__(
        self,
        func: Callable[..., Any],
        signature: str,
        *,
        name: str | None = None,
        doc: str | None = None,
        supports_batched: bool = False,
        supports_out: bool = False,
        signatures: Sequence[Any] | None = None,
    ) -> None:
        self.__name__ = name or getattr(func, "__name__", "gufunc")
        self.__doc__ = doc if doc is not None else func.__doc__
        self.signature = signature
        self._func = func
        self._batched = supports_batched
        left, arrow, right = signature.replace(" ", "").partition("->")
        self._ins, self._outs = _axes(left), _axes(right)
        if not arrow or not self._ins or not self._outs:
            raise ValueError(f"GeneralizedUFunc: {signature!r} is no signature; write '(m,n),(n)->(m)'")
        self.nin, self.nout = len(self._ins), len(self._outs)
        self._loops = [one if isinstance(one, tuple) else (one, func) for one in signatures or ()]

    def __call__(
        self,
        *args: Any,
        out: Any = None,
        axes: Any = None,
        axis: int | None = None,
        keepdims: bool = False,
        casting: str = "same_kind",
        dtype: Any = None,
    ) -> Any:
        """Return the function's results for every place of the leading axes.

        Parameters
        ----------
        *args : array_like
            The arguments, and the outputs where they are not to be made.
        out : ndarray or tuple of ndarrays, optional
            The outputs.
        axes : list of tuples, optional
            The axes of each argument and result that the function takes and gives; the last by default.
        axis : int, optional
            The same for functions of one axis.
        keepdims : bool, optional
            Whether the axes that results lack stay, with length one.
        casting, dtype : optional
            How results are converted to `out`, and the dtype of results.
        """
        outs = tuple(args[self.nin :])
        if out is not None:
            outs = out if isinstance(out, tuple) else (out,)
        if len(args) < self.nin or len(outs) not in (0, self.nout):
            raise TypeError(
                f"{self.__name__} takes {self.nin} arrays, or {self.nin + self.nout} with outputs"
            )
        arrays = [cuprum.asarray(value) for value in args[: self.nin]]
        places = self._places(axes, axis, keepdims)
        func, arrays = self._typed(arrays)
        arrays = [_moved_last(array, place) for array, place in zip(arrays, places, strict=False)]
        lead = self._leading(arrays)
        results = self._applied(func, arrays, lead)
        results = [self._placed(one, places[self.nin + k], k, keepdims) for k, one in enumerate(results)]
        if dtype is not None:
            results = [one.astype(dtype) for one in results]
        for target, result in zip(outs, results, strict=False):
            if not np.can_cast(result.dtype, target.dtype, casting):  # type: ignore[arg-type]
                raise TypeError(
                    f"{self.__name__}: output cannot be cast from {result.dtype} to {target.dtype}"
                )
            if target.shape != result.shape:
                raise ValueError(f"{self.__name__}: out has shape {target.shape}, the result {result.shape}")
            target[...] = result
        given = outs or tuple(results)
        return given[0] if self.nout == 1 else given

    def _typed(self, arrays: list[Any]) -> tuple[Callable[..., Any], list[Any]]:
        """Return the function for the arguments' types, and the arguments converted for it."""
        if not self._loops:
            return self._func, arrays
        for types, func in self._loops:
            ins = types.partition("->")[0]
            if all(np.can_cast(a.dtype, np.dtype(char)) for a, char in zip(arrays, ins, strict=True)):
                return func, [a.astype(char, copy=False) for a, char in zip(arrays, ins, strict=True)]
        shown = ", ".join(str(array.dtype) for array in arrays)
        raise TypeError(f"{self.__name__}: no loop takes {shown}")

    def _places(self, axes: Any, axis: int | None, keepdims: bool) -> list[Any]:
        """Return the axes of each argument and result; None for the last ones."""
        every = [*self._ins, *self._outs]
        if keepdims and (any(self._outs) or len({len(names) for names in self._ins}) != 1):
            raise ValueError(
                f"{self.__name__}: keepdims needs results without axes, of arguments that have as many"
            )
        if axes is not None and axis is not None:
            raise ValueError(f"{self.__name__}: only one of axis and axes can be given")
        if axis is not None:
            if len({name for names in every for name in names}) != 1:
                raise ValueError(f"{self.__name__}: axis needs a signature of one axis, not {self.signature}")
            return [(axis,) if names or (keepdims and k >= self.nin) else () for k, names in enumerate(every)]
        if axes is None:
            return [None] * len(every)
        places = [(one,) if isinstance(one, int) else tuple(one) for one in axes]
        if len(places) == self.nin and not any(self._outs):
            places += [places[0] if keepdims else ()] * self.nout
        if len(places) != len(every):
            raise ValueError(f"{self.__name__}: axes has {len(places)} entries for {len(every)} arrays")
        return places

    def _leading(self, arrays: list[Any]) -> tuple[int, ...]:
        """Return the shape of the leading axes; raise where the others do not fit the signature."""
        lengths: dict[str, int] = {}
        leads = []
        for number, (array, names) in enumerate(zip(arrays, self._ins, strict=True)):
            if array.ndim < len(names):
                raise ValueError(
                    f"{self.__name__}: argument {number} has {array.ndim} axes, needs {len(names)}"
                )
            leads.append(array.shape[: array.ndim - len(names)])
            for name, length in zip(names, array.shape[array.ndim - len(names) :], strict=True):
                if lengths.setdefault(name, length) != length:
                    raise ValueError(
                        f"{self.__name__}: argument {number} has length {length} along {name!r}, which is "
                        f"{lengths[name]} elsewhere"
                    )
        return np.broadcast_shapes(*leads)

    def _applied(self, func: Callable[..., Any], arrays: list[Any], lead: tuple[int, ...]) -> list[Any]:
        whole = [
            cuprum.broadcast_to(array, lead + array.shape[array.ndim - len(names) :])
            for array, names in zip(arrays, self._ins, strict=True)
        ]
        if self._batched or not lead:
            return self._results(func(*whole))
        flat = [a.reshape((-1, *a.shape[len(lead) :])) for a in whole]
        count = int(np.prod(lead, dtype=np.int64))
        if count == 0:
            raise ValueError(
                f"{self.__name__}: nothing to call the function with: the leading shape is {lead}"
            )
        rows = [self._results(func(*(array[place] for array in flat))) for place in range(count)]
        stacked = [cuprum.stack([row[k] for row in rows]) for k in range(self.nout)]
        return [one.reshape(lead + one.shape[1:]) for one in stacked]

    def _results(self, made: Any) -> list[Any]:
        results = [cuprum.asarray(one) for one in (made if isinstance(made, tuple) else (made,))]
        if len(results) != self.nout:
            raise ValueError(f"{self.__name__} returns {len(results)} arrays, the signature has {self.nout}")
        return results

    def _placed(self, result: Any, place: Any, number: int, keepdims: bool) -> Any:
        """Return a result with its own axes where they are asked for."""
        names = self._outs[number]
        if keepdims:
            count = len(self._ins[0])
            result = result.reshape(result.shape + (1,) * count)
        else:
            count = len(names)
        if not place or not count:
            return result
        return cuprum.moveaxis(result, tuple(range(result.ndim - count, result.ndim)), place)

    def __repr__(self) -> str:
        return f"<GeneralizedUFunc {self.__name__!r} {self.signature}>"


def _axes(text: str) -> list[tuple[str, ...]]:
    found = [tuple(name for name in group.split(",") if name) for group in _GROUP.findall(text)]
    for names in found:
        for name in names:
            if not name.isidentifier():
                raise ValueError(f"GeneralizedUFunc: {name!r} is no name of an axis")
    return found


def _moved_last(array: Any, place: Any) -> Any:
    if not place:
        return array
    return cuprum.moveaxis(array, place, tuple(range(array.ndim - len(place), array.ndim)))
