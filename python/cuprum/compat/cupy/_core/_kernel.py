"""`cupy._core._kernel`: elementwise kernels, and ufuncs that libraries write in CUDA C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import cuprum
from cuprum import ElementwiseKernel, ufunc

from ._scalar import get_typename

__all__ = ["ElementwiseKernel", "WrittenUfunc", "create_ufunc", "ufunc"]


class WrittenUfunc:
    """A function of elements with a loop in CUDA C for each combination of types.

    Attributes
    ----------
    name : str
        Its name.
    nin, nout, nargs : int
        How many arrays it takes and gives.
    types : list of str
        Its loops, as NumPy writes them: ``'ff->f'``.
    """

    def __init__(
        self,
        name: str,
        loops: Sequence[tuple[str, str]],
        preamble: str,
        doc: str,
        default_casting: str | None,
    ) -> None:
        self.name = self.__name__ = name
        self.__doc__ = doc
        self._loops = loops
        self._preamble = preamble
        self._casting = default_casting or "same_kind"
        ins, _, outs = loops[0][0].partition("->")
        self.nin, self.nout = len(ins), len(outs)
        self.nargs = self.nin + self.nout
        self.types = [types for types, _ in loops]
        self._kernels: dict[str, ElementwiseKernel] = {}

    def __call__(
        self, *args: Any, out: Any = None, dtype: Any = None, casting: str | None = None, **kwargs: Any
    ) -> Any:
        """Return the function's values for the elements of arrays, which are broadcast together."""
        if kwargs:
            raise TypeError(f"{self.name}: unexpected keyword {next(iter(kwargs))!r}")
        outs: tuple[Any, ...] = tuple(args[self.nin :])
        if out is not None:
            if outs:
                raise TypeError(
                    f"{self.name}: cannot specify 'out' as both a positional and keyword argument"
                )
            outs = out if isinstance(out, tuple) else (out,)
        given = args[: self.nin]
        if len(given) != self.nin or len(outs) not in (0, self.nout):
            raise TypeError(
                f"{self.name}: takes {self.nin} arrays, or {self.nargs} with outputs, got {len(args)}"
            )
        types, routine = self._chosen(given, dtype)
        kernel = self._kernels.get(types)
        if kernel is None:
            kernel = self._kernels[types] = self._kernel(types, routine)
        ins, _, results = types.partition("->")
        arrays = [
            cuprum.asarray(value).astype(char, copy=False) for value, char in zip(given, ins, strict=True)
        ]
        if not outs:
            return kernel(*arrays)
        rule = casting or self._casting
        for target, char in zip(outs, results, strict=True):
            if not np.can_cast(np.dtype(char), target.dtype, rule):  # type: ignore[arg-type]
                raise TypeError(f"{self.name}: output cannot be cast from {np.dtype(char)} to {target.dtype}")
        made = kernel(*arrays)
        for target, result in zip(outs, made if isinstance(made, tuple) else (made,), strict=True):
            target[...] = result
        return outs[0] if len(outs) == 1 else outs

    def _chosen(self, args: Sequence[Any], dtype: Any) -> tuple[str, str]:
        """Return the first loop that takes the arguments: Python's numbers take the others' types."""
        if dtype is not None:
            wanted = np.dtype(dtype).char
            for types, routine in self._loops:
                if set(types.partition("->")[2]) == {wanted}:
                    return types, routine
            raise TypeError(f"{self.name}: no loop gives {np.dtype(dtype)}")
        kinds = [value if isinstance(value, (bool, int, float, complex)) else value.dtype for value in args]
        for types, routine in self._loops:
            fits = (
                np.can_cast(np.result_type(np.dtype(char), kind), np.dtype(char))
                for char, kind in zip(types, kinds, strict=False)
            )
            if all(fits):
                return types, routine
        shown = ", ".join(str(kind) for kind in kinds)
        raise TypeError(f"{self.name}: wrong type of arguments ({shown}); there are {', '.join(self.types)}")

    def _kernel(self, types: str, routine: str) -> ElementwiseKernel:
        ins, _, outs = types.partition("->")
        named = [(f"in{n}", char) for n, char in enumerate(ins)], [(f"out{n}", c) for n, c in enumerate(outs)]
        params = [", ".join(f"{np.dtype(char)} {name}" for name, char in side) for side in named]
        declared = "".join(f"typedef {get_typename(char)} {name}_type;\n" for name, char in sum(named, []))
        return ElementwiseKernel(
            params[0], params[1], declared + routine, f"cupy_{self.name}", preamble=self._preamble
        )

    def __repr__(self) -> str:
        return f"<ufunc '{self.name}'>"


def create_ufunc(
    name: str,
    ops: Sequence[Any],
    routine: Any = None,
    preamble: str = "",
    doc: str = "",
    default_casting: str | None = None,
    loop_prep: str = "",
    out_ops: Any = None,
    cutensor_op: Any = None,
    scatter_op: Any = None,
) -> WrittenUfunc:
    """Make a function of elements of loops in CUDA C.

    Parameters
    ----------
    name : str
        Its name.
    ops : sequence of str or of (str, str)
        The types of its loops, such as ``'ff->f'``, each with a routine of its own where it has one.
    routine : str, optional
        What is done to an element: ``'out0 = in0 * in1'``.
    preamble, loop_prep : str, optional
        Text before the kernel, and before the routine.
    doc : str, optional
        The documentation.

    Examples
    --------
    >>> from cuprum.compat.cupy._core import create_ufunc
    >>> product = create_ufunc("product", ("ll->l", "dd->d"), "out0 = in0 * in1")
    >>> product(cp.arange(3), 2.5)
    array([0. , 2.5, 5. ])
    """
    loops = []
    for op in ops:
        types, own = (op, routine) if isinstance(op, str) else op[:2]
        if "->" not in types:
            types = f"{types}->{types}"
        if not isinstance(own, str):
            raise TypeError(f"create_ufunc: {name}: the loop {types} has no routine")
        loops.append((types, f"{loop_prep}{own}"))
    if not loops:
        raise ValueError(f"create_ufunc: {name} has no loops")
    return WrittenUfunc(name, loops, preamble, doc, default_casting)
