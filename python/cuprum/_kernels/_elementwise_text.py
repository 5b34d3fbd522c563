"""The CUDA C text of an elementwise kernel."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._parameters import Parameter, dtype_of, element, function_name, preface, typedefs


@dataclass(frozen=True)
class Form:
    """What one argument is to the text: its kind; for a raw array, its axes and whether it is contiguous; for
    one that is reduced, whether neighbouring outputs have neighbouring elements, and whether the text speaks
    of it as a whole."""

    kind: str
    """'number', 'linear' (element i at position i), 'strided', 'raw', or 'seen': the loop goes over the array
    and the text speaks of it as a whole, by `_raw_x`."""
    ndim: int = 0
    contiguous: bool = True
    side_by_side: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Parts:
    """What the user wrote."""

    name: str
    operation: str
    preamble: str
    loop_prep: str
    after_loop: str


def uses_indexer(parts: Parts) -> bool:
    """Return whether the text speaks of `_ind`."""
    return any(re.search(r"\b_ind\b", text) for text in (parts.operation, parts.loop_prep, parts.after_loop))


def seen_wholly(texts: tuple[str, ...], parameters: tuple[Parameter, ...]) -> frozenset[str]:
    """Return the names of looped arrays that the texts also speak of as a whole: `_raw_x.shape()[0]`."""
    named = set(re.findall(r"\b_raw_(\w+)", "\n".join(texts)))
    return frozenset(p.name for p in parameters if not p.raw and p.name in named)


def elementwise_text(
    parts: Parts,
    parameters: tuple[Parameter, ...],
    forms: tuple[Form, ...],
    letters: dict[str, np.dtype[Any]],
    ndim: int,
    wide: bool,
) -> str:
    """Return the text for arguments of these forms, in a loop over so many axes.

    The kernel takes the arguments, the number of elements, then for each array that is not linear its strides
    (before them the shape of one that is raw or seen as a whole) and, where any array is strided or `_ind` is
    used, the loop's shape.
    """
    index = "unsigned long" if wide else "unsigned int"
    names = {parameter.name for parameter in parameters}
    size = "_size" if "n" in names else "n"
    taken: list[str] = []
    extra: list[str] = []
    prepared: list[str] = []
    elements: list[str] = []
    offsets: list[str] = []
    for parameter, form in zip(parameters, forms, strict=True):
        name, ctype, const = parameter.name, parameter.type_name, "const " if parameter.constant else ""
        if form.kind == "number":
            taken.append(f"{const}{ctype} {name}")
            continue
        pointer = f"_{name}_data" if form.kind == "seen" else f"_raw_{name}"
        taken.append(f"{const}{ctype}* {pointer}")
        if form.kind in ("raw", "seen"):
            lengths = [f"_{name}_n{axis}" for axis in range(form.ndim)]
            steps = [f"_{name}_s{axis}" for axis in range(form.ndim)]
            extra += [f"_{name}_size", *lengths, *steps]
            contiguous = "true" if form.contiguous else "false"
            made = f"CArray<{ctype}, {form.ndim}, {contiguous}>"
            prepared.append(f"{made} _own_{name}(({ctype}*){pointer}, _{name}_size);")
            prepared += [
                f"_own_{name}.shape_[{axis}] = {lengths[axis]}; _own_{name}.strides_[{axis}] = {steps[axis]};"
                for axis in range(form.ndim)
            ]
            if form.kind == "raw":
                prepared.append(f"{const}{made}& {name} = _own_{name};")
            else:
                prepared.append(f"{const}{made}& _raw_{name} = _own_{name};")
                elements.append(element(parameter, letters, f"_raw_{name}[i]"))
        elif form.kind == "linear":
            elements.append(element(parameter, letters, f"_raw_{name}[i]"))
        else:
            extra += [f"_{name}_s{axis}" for axis in range(ndim)]
            offsets.append(name)
            place = f"*({const}{ctype}*)(({const}char*)_raw_{name} + _{name}_at)"
            elements.append(element(parameter, letters, place))
    indexed = uses_indexer(parts)
    if offsets or indexed:
        extra += [f"_d{axis}" for axis in range(ndim)]
    if indexed:
        prepared.append(f"CIndexer<{ndim}> _ind({size});")
        prepared += [f"_ind.shape_[{axis}] = _d{axis};" for axis in range(ndim)]
        elements.insert(0, "_ind.set(i);")
    taken += [f"const long {size}", *(f"const long {name}" for name in extra)]
    dtypes = [dtype_of(parameter, letters) for parameter in parameters]
    texts = (parts.operation, parts.preamble, parts.loop_prep, parts.after_loop)
    lines = [
        preface(texts, dtypes),
        typedefs(letters),
        *_numbered(parts, "preamble"),
        '#line 1 "elementwise.cu"',
        f'extern "C" __global__ void {function_name(parts.name)}({", ".join(taken)}) {{',
        *prepared,
        "{",
        *_numbered(parts, "loop_prep", ";"),
        "{",
        "long i = (long)blockIdx.x * blockDim.x + threadIdx.x;",
        f"if (i < {size}) do {{",
        *_places(offsets, ndim, index),
        *elements,
        *_numbered(parts, "operation", ";"),
        "} while (0);",
        "}",
        *_numbered(parts, "after_loop", ";"),
        "}",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _numbered(parts: Parts, part: str, end: str = "") -> list[str]:
    """Return a part of the user's with its own line numbers in the compiler's messages."""
    text = getattr(parts, part)
    return [f'#line 1 "{parts.name}.{part}"', f"{text}{end}"] if text else []


def _places(names: list[str], ndim: int, index: str) -> list[str]:
    """Return the lines that find, for each strided array, the bytes from its first element to that at `i`."""
    if not names:
        return []
    lines = [f"long {', '.join(f'_{name}_at = 0' for name in names)};"]
    if ndim == 0:
        return lines
    lines.append(f"{index} _rest = ({index})i;")
    for axis in range(ndim - 1, 0, -1):
        lines.append(f"{{ {index} _next = _rest / ({index})_d{axis};")
        lines.append(f"long _k = (long)(_rest - _next * ({index})_d{axis});")
        lines += [f"_{name}_at += _k * _{name}_s{axis};" for name in names]
        lines.append("_rest = _next; }")
    lines += [f"_{name}_at += (long)_rest * _{name}_s0;" for name in names]
    return lines
