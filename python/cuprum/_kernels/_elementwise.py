"""`ElementwiseKernel`: one line of CUDA C for every element."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._creation.fill import empty
from . import _layout
from ._elementwise_text import Form, Parts, elementwise_text, seen_wholly, uses_indexer
from ._parameters import argument, check_name, check_output, dtype_of, given_dtype, number, parse, resolve
from ._source import texts
from ._written import WrittenKernel

__all__ = ["ElementwiseKernel"]

_NUMBER, _LINEAR, _STRIDED = Form("number"), Form("linear"), Form("strided")
_INT32_ELEMENTS = 2**31


class ElementwiseKernel(WrittenKernel):
    """A kernel that does the same to every element of arrays, which are broadcast together.

    A type of one letter stands for whatever dtype the arguments have. `i` is the position of the element, `n`
    their number, `_ind` the position along each axis. A `raw` argument is not broadcast: it is indexed by the
    operation.

    Parameters
    ----------
    in_params, out_params : str
        The parameters: ``"T x, raw float32 y"``.
    operation : str
        What is done to an element, in CUDA C.
    name : str, optional
        The kernel's name.
    reduce_dims : bool, optional
        Whether axes are joined where that changes nothing but `_ind`.
    preamble : str, optional
        Text before the kernel: includes and functions.
    no_return : bool, optional
        Whether calls return None.
    return_tuple : bool, optional
        Whether calls return a tuple even of one array.
    options : tuple of str, optional
        The compiler's options.
    loop_prep, after_loop : str, optional
        Text that every thread runs before and after its element.

    Examples
    --------
    >>> squared_diff = cp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff")
    >>> squared_diff(cp.arange(4.0), 1)
    array([1., 0., 1., 4.])
    >>> shift = cp.ElementwiseKernel("raw T x", "T y", "y = x[(i + 1) % n]", "shift")
    >>> shift(cp.arange(4), cp.empty(4, int))
    array([1, 2, 3, 0])
    """

    __slots__ = ("no_return", "operation", "return_tuple")

    def __init__(
        self,
        in_params: str,
        out_params: str,
        operation: str,
        name: str = "kernel",
        reduce_dims: bool = True,
        preamble: str = "",
        no_return: bool = False,
        return_tuple: bool = False,
        *,
        options: Any = (),
        loop_prep: str = "",
        after_loop: str = "",
    ) -> None:
        check_name(name)
        self._written = (in_params, out_params)
        self.in_params, self.out_params = parse(in_params, True), parse(out_params, False)
        self.params = self.in_params + self.out_params
        self.nin, self.nout = len(self.in_params), len(self.out_params)
        self.nargs = self.nin + self.nout
        names = [parameter.name for parameter in self.params]
        if "i" in names:
            raise ValueError(f"{name}: 'i' is the element's position and cannot be a parameter's name")
        if len(set(names)) != len(names):
            raise ValueError(f"{name}: two parameters have the same name")
        self.name = self.__name__ = name
        self.operation, self.preamble = operation, preamble
        self.reduce_dims, self.no_return, self.return_tuple = reduce_dims, no_return, return_tuple
        self._options = texts(f"{name}: options", options)
        self._parts = Parts(name, operation, preamble, loop_prep, after_loop)
        self._indexed = uses_indexer(self._parts)
        self._seen = seen_wholly((operation, loop_prep, after_loop), self.params)
        special = self._indexed or self._seen or any(p.raw for p in self.params)
        self._plain = reduce_dims and not special
        self._known: dict[tuple[int, bytes], tuple[Any, list[Any]]] = {}
        super().__init__()

    def __call__(self, *args: Any, size: int | None = None, block_size: int = 128, stream: Any = None) -> Any:
        """Run the kernel.

        Parameters
        ----------
        *args : array_like
            The inputs, and the outputs where they are not to be made.
        size : int, optional
            The number of elements, where all arrays are raw.
        block_size : int, optional
            Threads of a block.
        stream : Stream, optional
            The stream on a GPU, the current one by default.

        Returns
        -------
        ndarray or tuple of ndarrays
            The outputs; None where the kernel was made with `no_return`.
        """
        if self._plain and size is None and (quick := self._quickly(args, block_size, stream)) is not None:
            return quick[0]
        for arg in args:
            if hasattr(arg, "__cupy_override_elementwise_kernel__"):
                return arg.__cupy_override_elementwise_kernel__(self, *args)
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(
                f"{self.name}: takes {self.nin} arguments, or {self.nargs} with outputs, got {len(args)}"
            )
        if block_size <= 0:
            raise ValueError(f"{self.name}: block_size must be positive, got {block_size}")
        given = [argument(self.name, p, value) for p, value in zip(self.params, args, strict=False)]
        ins, outs = given[: self.nin], given[self.nin :]
        for parameter, value in zip(self.out_params, outs, strict=False):
            if not isinstance(value, _core.ndarray):
                raise TypeError(f"{self.name}: output '{parameter.name}' must be an array, got {value!r}")
            check_output(self.name, parameter, value)
        shape = self._loop_shape(given, size)
        letters = resolve(
            self.name,
            self.in_params,
            self.out_params,
            tuple(map(given_dtype, ins, args)),
            tuple(value.dtype for value in outs),
        )
        outs = self._outputs(outs, letters, shape, size)
        result: Any = tuple(outs)
        if self.no_return:
            result = None
        elif self.nout == 1 and not self.return_tuple:
            result = outs[0]
        if 0 not in shape:
            self._launch([*ins, *outs], letters, shape, block_size, stream)
            if self._plain and (alike := _core.alike(args)) is not None and alike[1] < _INT32_ELEMENTS:
                forms = (_LINEAR,) * self.nargs
                made = [dtype_of(parameter, letters) for parameter in self.out_params]
                known = (self._function(forms, letters, 1, False), made)
                self._known[_core.device_key(), alike[2]] = known
        return result

    def _quickly(self, args: tuple[Any, ...], block_size: int, stream: Any) -> tuple[Any] | None:
        """Run on contiguous arrays of one shape whose dtypes an earlier call had; None for others."""
        found = _core.alike(args)
        if found is None:
            return None
        shape, count, codes = found
        known = self._known.get((_core.device_key(), codes))
        if known is None or not 0 < count < _INT32_ELEMENTS or block_size <= 0:
            return None
        if not shape and len(args) > self.nin:
            return None
        function, made = known
        outs = args[self.nin :] or tuple(empty(shape, dtype) for dtype in made)
        blocks = (count + block_size - 1) // block_size
        taken = (*args[: self.nin], *outs, count)
        function.launch(blocks, min(block_size, count), taken, 0, stream)
        if self.no_return:
            return (None,)
        return (outs[0],) if self.nout == 1 and not self.return_tuple else (outs,)

    def _loop_shape(self, given: list[Any], size: int | None) -> tuple[int, ...]:
        looped = [
            value.shape
            for parameter, value in zip(self.params, given, strict=False)
            if not parameter.raw and isinstance(value, _core.ndarray)
        ]
        if size is not None and size != -1:
            if looped:
                raise ValueError(
                    f"Specified 'size' can be given only where all arrays are raw: kernel {self.name!r}"
                )
            if size < 0:
                raise ValueError(f"{self.name}: size must not be negative, got {size}")
            return (int(size),)
        if not looped:
            raise ValueError(f"Loop size is undecided. {self.name}: no array says it, so give size=")
        if all(shape == looped[0] for shape in looped):
            return looped[0]  # type: ignore[no-any-return]
        return _layout.broadcast_shape(self.name, looped)

    def _outputs(
        self, outs: list[Any], letters: dict[str, Any], shape: tuple[int, ...], size: int | None
    ) -> list[Any]:
        if not outs:
            for parameter in self.out_params:
                if parameter.raw and size is None:
                    raise ValueError(
                        f"{self.name}: raw output '{parameter.name}' has no shape: pass the array"
                    )
            return [empty(shape, dtype_of(parameter, letters)) for parameter in self.out_params]
        for parameter, out in zip(self.out_params, outs, strict=True):
            if not parameter.raw and out.shape != shape:
                raise ValueError(
                    f"{self.name}: Out shape is mismatched: output '{parameter.name}' has shape {out.shape}, "
                    f"the elements {shape}"
                )
        return outs

    def _launch(
        self,
        values: list[Any],
        letters: dict[str, Any],
        shape: tuple[int, ...],
        block_size: int,
        stream: Any,
    ) -> None:
        looped = [
            position
            for position, (parameter, value) in enumerate(zip(self.params, values, strict=True))
            if not parameter.raw and isinstance(value, _core.ndarray)
        ]
        steps: dict[int, tuple[int, ...]] = {}
        linear = self.reduce_dims and all(
            values[position].shape == shape and values[position].flags.c_contiguous for position in looped
        )
        count = 1
        for length in shape:
            count *= length
        if linear:
            shape = (count,)
        else:
            found = [_layout.broadcast_steps(values[position], shape) for position in looped]
            if self.reduce_dims:
                shape, found = _layout.collapse(shape, found)
            steps = dict(zip(looped, found, strict=True))
        forms: list[Form] = []
        taken: list[Any] = []
        extra: list[int] = []
        strided = False
        for position, (parameter, value) in enumerate(zip(self.params, values, strict=True)):
            if not isinstance(value, _core.ndarray):
                forms.append(_NUMBER)
                taken.append(number(self.name, parameter, value, dtype_of(parameter, letters)))
                continue
            taken.append(value)
            if parameter.raw:
                forms.append(Form("raw", value.ndim, value.flags.c_contiguous))
                extra += [value.size, *value.shape, *value.strides]
            elif parameter.name in self._seen:
                own = _layout.contiguous_steps(shape, value.itemsize)
                found_steps = own if linear else steps[position]
                forms.append(Form("seen", len(shape), found_steps == own))
                extra += [count, *shape, *found_steps]
            elif linear or steps[position] == _layout.contiguous_steps(shape, value.itemsize):
                forms.append(_LINEAR)
            else:
                strided = True
                forms.append(_STRIDED)
                extra += steps[position]
        if strided or self._indexed:
            extra += shape
        function = self._function(tuple(forms), letters, len(shape), count >= _INT32_ELEMENTS)
        blocks = (count + block_size - 1) // block_size
        function.launch(blocks, min(block_size, count), (*taken, count, *extra), 0, stream, strided=True)

    def _function(self, forms: tuple[Form, ...], letters: dict[str, Any], ndim: int, wide: bool) -> Any:
        key = (_core.device_key(), forms, tuple(sorted(letters.items())), ndim, wide)
        found = self._functions.get(key)
        if found is None:
            text = elementwise_text(self._parts, self.params, forms, letters, ndim, wide)
            found = self._compiled(key, text, letters, self._options, "elementwise.cu")
        return found

    @property
    def kwargs(self) -> dict[str, Any]:
        """The texts around the operation, and the compiler's options."""
        parts = self._parts
        return {
            "options": self._options,
            "loop_prep": parts.loop_prep,
            "after_loop": parts.after_loop,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        parts = self._parts
        return (
            _unpickled,
            (
                self._written,
                (parts.operation, parts.name, self.reduce_dims, parts.preamble),
                (self.no_return, self.return_tuple),
                {
                    "options": self._options,
                    "loop_prep": parts.loop_prep,
                    "after_loop": parts.after_loop,
                },
            ),
        )

    def __repr__(self) -> str:
        return f"<ElementwiseKernel {self.name!r}>"


def _unpickled(written: Any, parts: Any, results: Any, rest: Any) -> ElementwiseKernel:
    return ElementwiseKernel(*written, *parts, *results, **rest)
