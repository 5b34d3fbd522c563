"""`ReductionKernel`: map, reduce and map again, in CUDA C."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _core
from .._creation.fill import empty
from . import _layout
from ._elementwise_text import Form, seen_wholly
from ._parameters import argument, check_name, check_output, dtype_of, number, parse, resolve
from ._reduction_text import BLOCK, STRIP, Parts, Plan, reduction_text
from ._source import texts
from ._written import WrittenKernel

__all__ = ["ReductionKernel"]

_NUMBER = Form("number")
_THREAD_MAX_ELEMENTS = 64
"""Reductions of so few elements are one thread's work."""
_THREAD_MIN_OUTPUTS = 4096
"""So many outputs keep a device busy with one thread each."""
_PART_ELEMENTS = 8192
"""Elements that a block reduces where there are more blocks to be had."""
_MAX_PARTS = 1024
_COLUMNS_MIN_OUTPUTS = 32
"""So many outputs side by side are worth a thread each, some of them for the same output."""
_COLUMN_MIN_ELEMENTS = 64
"""Elements that such a thread reduces at least."""


class ReductionKernel(WrittenKernel):
    """A kernel that maps elements, reduces them along axes, and maps what comes out.

    The order in which elements are joined depends on the shape alone: results are the same every time.

    Parameters
    ----------
    in_params, out_params : str
        The parameters: ``"T x, T y"``.
    map_expr : str
        What is reduced, of an element of each input.
    reduce_expr : str
        What joins two values `a` and `b`.
    post_map_expr : str
        What is done with the result `a`: ``"z = sqrt(a)"``.
    identity : str or None
        What the reduction begins with; None where there is no such value.
    name : str, optional
        The kernel's name.
    reduce_type : str, optional
        The C type of `a` and `b`; the first output's by default.
    reduce_dims : bool, optional
        Whether axes are joined where that changes nothing.
    preamble : str, optional
        Text before the kernel: includes, structs and functions.
    options : tuple of str, optional
        The compiler's options.

    Examples
    --------
    >>> norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
    >>> x = cp.array([[3.0, 4.0], [5.0, 12.0]])
    >>> norm(x, axis=1)
    array([ 5., 13.])
    """

    __slots__ = ("identity", "map_expr", "options", "post_map_expr", "reduce_expr", "reduce_type")

    def __init__(
        self,
        in_params: str,
        out_params: str,
        map_expr: str,
        reduce_expr: str,
        post_map_expr: str,
        identity: Any,
        name: str = "reduce_kernel",
        reduce_type: str | None = None,
        reduce_dims: bool = True,
        preamble: str = "",
        options: Any = (),
    ) -> None:
        check_name(name)
        self.in_params, self.out_params = parse(in_params, True), parse(out_params, False)
        if not self.out_params:
            raise ValueError(f"{name}: there must be an output")
        self.params = self.in_params + self.out_params
        self.nin, self.nout = len(self.in_params), len(self.out_params)
        self.nargs = self.nin + self.nout
        self.name = self.__name__ = name
        self.map_expr, self.reduce_expr, self.post_map_expr = map_expr, reduce_expr, post_map_expr
        self.identity = "" if identity is None else str(identity)
        self.reduce_type = reduce_type or self.out_params[0].type_name
        self.reduce_dims, self.preamble = reduce_dims, preamble
        self.options = texts(f"{name}: options", options)
        self._given = (in_params, out_params, identity, reduce_type)
        self._parts = Parts(
            name, map_expr, reduce_expr, post_map_expr, self.identity, self.reduce_type, preamble
        )
        self._whole = seen_wholly((map_expr, reduce_expr, post_map_expr), self.params)
        super().__init__()

    def __call__(
        self, *args: Any, out: Any = None, axis: Any = None, keepdims: bool = False, stream: Any = None
    ) -> Any:
        """Run the kernel.

        Parameters
        ----------
        *args : array_like
            The inputs, and the outputs where they are not to be made.
        out : ndarray, optional
            The output.
        axis : int or tuple of ints, optional
            The axes to reduce, all of them by default.
        keepdims : bool, optional
            Whether the axes stay, with length one.
        stream : Stream, optional
            The stream on a GPU, the current one by default.

        Returns
        -------
        ndarray or tuple of ndarrays
            The outputs.
        """
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(
                f"{self.name}: takes {self.nin} arguments, or {self.nargs} with outputs, got {len(args)}"
            )
        values = list(args)
        if out is not None:
            if len(args) > self.nin:
                raise ValueError(f"{self.name}: out is given as an argument and as a keyword")
            values += [out] if self.nout == 1 else list(out)
        given = [argument(self.name, p, value) for p, value in zip(self.params, values, strict=False)]
        ins, outs = given[: self.nin], given[self.nin :]
        for parameter, value in zip(self.out_params, outs, strict=False):
            if isinstance(value, _core.ndarray):
                check_output(self.name, parameter, value)
        letters = resolve(
            self.name,
            self.in_params,
            self.out_params,
            tuple(value.dtype if isinstance(value, _core.ndarray) else None for value in ins),
            tuple(value.dtype for value in outs),
        )
        looped = [
            value
            for parameter, value in zip(self.in_params, ins, strict=True)
            if not parameter.raw and isinstance(value, _core.ndarray)
        ]
        if not looped:
            raise ValueError(f"{self.name}: no array says how many elements there are")
        shape = _layout.broadcast_shape(self.name, [value.shape for value in looped])
        axes = _axes(self.name, axis, len(shape))
        kept = [k for k in range(len(shape)) if k not in axes]
        shown = tuple(1 if k in axes else shape[k] for k in range(len(shape)))
        out_shape = shown if keepdims else tuple(shape[k] for k in kept)
        count = math.prod(shape[k] for k in axes)
        if count == 0 and not self.identity:
            raise ValueError(f"{self.name}: zero-size array to a reduction that has no identity")
        if not outs:
            outs = [empty(out_shape, dtype_of(parameter, letters)) for parameter in self.out_params]
        for parameter, value in zip(self.out_params, outs, strict=True):
            if not isinstance(value, _core.ndarray):
                raise TypeError(f"{self.name}: output '{parameter.name}' must be an array, got {value!r}")
            if not parameter.raw and value.shape != out_shape:
                raise ValueError(
                    f"{self.name}: output '{parameter.name}' has shape {value.shape}, the result {out_shape}"
                )
        if 0 not in out_shape:
            self._run([*ins, *outs], letters, shape, axes, keepdims, stream)
        return outs[0] if self.nout == 1 else tuple(outs)

    def _run(
        self,
        values: list[Any],
        letters: dict[str, Any],
        shape: tuple[int, ...],
        axes: tuple[int, ...],
        keepdims: bool,
        stream: Any,
    ) -> None:
        kept = [k for k in range(len(shape)) if k not in axes]
        out_steps: list[tuple[int, ...]] = []
        in_steps: list[tuple[int, ...]] = []
        for position, (parameter, value) in enumerate(zip(self.params, values, strict=True)):
            if parameter.raw or not isinstance(value, _core.ndarray):
                continue
            if position < self.nin:
                steps = _layout.broadcast_steps(value, shape)
                out_steps.append(tuple(steps[k] for k in kept))
                in_steps.append(tuple(steps[k] for k in axes))
            else:
                steps = value.strides
                out_steps.append(tuple(steps[k] for k in kept) if keepdims else steps)
        out_axes, in_axes = tuple(shape[k] for k in kept), tuple(shape[k] for k in axes)
        if self.reduce_dims and not self._whole:
            out_axes, out_steps = _layout.collapse(out_axes, out_steps)
            in_axes, in_steps = _layout.collapse(in_axes, in_steps)
        outputs, count = math.prod(out_axes), math.prod(in_axes)
        way, parts = self._way(outputs, count, out_steps, in_steps, letters)
        numbers = [outputs, count, parts]
        where = (values, letters, (out_axes, in_axes), (out_steps, in_steps), stream)
        rest = {"partial": "final", "columns": "gather"}.get(way)
        if rest is None:
            self._launch(way, numbers, None, *where)
        else:
            partials = empty(outputs * parts * self._reduce_size(letters), np.uint8)
            self._launch(way, numbers, partials, *where)
            self._launch(rest, numbers, partials, *where)

    def _reduce_size(self, letters: dict[str, Any]) -> int:
        """Return the bytes of a value that is reduced; 0 where its type is the user's own."""
        if self.reduce_type in letters:
            return int(letters[self.reduce_type].itemsize)
        if self.reduce_type == self.out_params[0].type_name:
            return int(dtype_of(self.out_params[0], letters).itemsize)
        sizes = {"float": 4, "double": 8, "int": 4, "long long": 8, "unsigned long long": 8}
        return sizes.get(self.reduce_type, 0)

    def _way(
        self,
        outputs: int,
        count: int,
        out_steps: list[tuple[int, ...]],
        in_steps: list[tuple[int, ...]],
        letters: dict[str, Any],
    ) -> tuple[str, int]:
        """Return how to run, and in how many parts each output's elements are reduced."""
        if count <= _THREAD_MAX_ELEMENTS:
            return "thread", 1
        if self._whole:
            # One kernel has all arrays.
            return "block", 1
        along_outputs = any(
            steps and inner and 0 < abs(steps[-1]) < abs(inner[-1])
            for steps, inner in zip(out_steps, in_steps, strict=False)
        )
        has_partials = self._reduce_size(letters) > 0
        if along_outputs and outputs >= _COLUMNS_MIN_OUTPUTS:
            parts = min(count // _COLUMN_MIN_ELEMENTS, _MAX_PARTS)
            if parts > 1 and has_partials:
                return "columns", _without_empty(count, parts)
            if parts == 1 or outputs >= _THREAD_MIN_OUTPUTS:
                return "thread", 1
        parts = min(count // _PART_ELEMENTS, _MAX_PARTS // outputs if outputs < _MAX_PARTS else 0)
        return ("partial", _without_empty(count, parts)) if parts > 1 and has_partials else ("block", 1)

    def _launch(
        self,
        way: str,
        numbers: list[int],
        partials: Any,
        values: list[Any],
        letters: dict[str, Any],
        axes: tuple[tuple[int, ...], tuple[int, ...]],
        steps: tuple[list[tuple[int, ...]], list[tuple[int, ...]]],
        stream: Any,
    ) -> None:
        forms: list[Form] = []
        taken: list[Any] = []
        extra: list[int] = []
        device = _core.device_key()
        plan = Plan(way, len(axes[0]), len(axes[1]), device < 0)
        out_steps, in_steps = iter(steps[0]), iter(steps[1])
        for position, (parameter, value) in enumerate(zip(self.params, values, strict=True)):
            is_out = position >= self.nin
            wanted = plan.writes if is_out else plan.reads
            if not isinstance(value, _core.ndarray):
                forms.append(_NUMBER)
                taken.append(number(self.name, parameter, value, dtype_of(parameter, letters)))
            elif parameter.raw:
                forms.append(Form("raw", value.ndim, value.flags.c_contiguous))
                taken.append(value)
                extra += [value.size, *value.shape, *value.strides]
            else:
                inner = () if is_out else next(in_steps)
                linear = not is_out and inner in ((), (value.itemsize,))
                outer = next(out_steps)
                side_by_side = outer[-1:] == (value.itemsize,)
                whole = parameter.name in self._whole
                forms.append(Form("linear" if linear else "strided", side_by_side=side_by_side, whole=whole))
                own = outer + inner
                if wanted:
                    taken.append(value)
                    extra += own
        if partials is not None:
            taken.append(partials)
        extra += [*axes[0], *axes[1]]
        function = self._function(device, plan, tuple(forms), letters)
        outputs, _, parts = numbers
        block = STRIP if plan.on_cpu else BLOCK
        grid: Any = outputs * parts if way == "partial" else outputs
        if way in ("thread", "columns", "gather"):
            block = min(128, outputs)
            blocks = (outputs + block - 1) // block
            grid = (blocks, parts) if way == "columns" else blocks
        function.launch(grid, block, (*taken, *numbers, *extra), 0, stream, strided=True)

    def _function(self, device: int, plan: Plan, forms: tuple[Form, ...], letters: dict[str, Any]) -> Any:
        key = (device, plan, forms, tuple(sorted(letters.items())))
        found = self._functions.get(key)
        if found is None:
            text = reduction_text(self._parts, self.in_params, self.out_params, forms, letters, plan)
            found = self._compiled(key, text, letters, self.options, "reduction.cu")
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        in_params, out_params, identity, reduce_type = self._given
        return (
            ReductionKernel,
            (
                in_params,
                out_params,
                self.map_expr,
                self.reduce_expr,
                self.post_map_expr,
                identity,
                self.name,
                reduce_type,
                self.reduce_dims,
                self.preamble,
                self.options,
            ),
        )

    def __repr__(self) -> str:
        return f"<ReductionKernel {self.name!r}>"


def _without_empty(count: int, parts: int) -> int:
    """Return how many parts of equal length, but for the last, there are: none of them without an element."""
    length = -(-count // max(parts, 1))
    return -(-count // length)


def _axes(kernel: str, axis: Any, ndim: int) -> tuple[int, ...]:
    """Return the axes to reduce, in order."""
    if axis is None:
        return tuple(range(ndim))
    given = (axis,) if isinstance(axis, (int, np.integer)) else tuple(axis)
    found = []
    for one in given:
        if not -ndim <= one < ndim:
            raise np.exceptions.AxisError(one, ndim, kernel)
        found.append(int(one) % ndim)
    if len(set(found)) != len(found):
        raise ValueError(f"{kernel}: an axis is given twice")
    return tuple(sorted(found))
