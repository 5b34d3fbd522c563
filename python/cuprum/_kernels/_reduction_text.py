"""The CUDA C texts of a reduction: by blocks, by single threads, and of partial results."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._elementwise_text import Form
from ._parameters import Parameter, dtype_of, function_name, preface, typedefs

BLOCK = 256
"""Threads of a block that reduces together; fixed, so that the order of the sum is."""


@dataclass(frozen=True)
class Parts:
    """What the user wrote."""

    name: str
    map_expr: str
    reduce_expr: str
    post_map_expr: str
    identity: str
    reduce_type: str
    preamble: str


@dataclass(frozen=True)
class Plan:
    """How a reduction runs: `way` is 'block', 'partial', 'final' or 'thread'."""

    way: str
    out_ndim: int
    in_ndim: int
    """The axes of the outputs, and those that are reduced."""


def reduction_text(
    parts: Parts,
    ins: tuple[Parameter, ...],
    outs: tuple[Parameter, ...],
    forms: tuple[Form, ...],
    letters: dict[str, np.dtype[Any]],
    plan: Plan,
) -> str:
    """Return the text of one kernel.

    It takes the inputs (but for 'final'), the outputs (but for 'partial'), the partial results where there
    are such, the number of outputs, of elements reduced for each, and of parts of those; then raw arguments'
    sizes, shapes and strides, each other array's strides (outputs' axes, then reduced axes), the lengths of
    the axes.
    """
    reads, writes = plan.way != "final", plan.way != "partial"
    taken: list[str] = []
    extra: list[str] = []
    prepared: list[str] = []
    mapped: list[str] = []
    stored: list[str] = []
    in_names: list[str] = []
    strided: list[str] = []
    rows: list[str] = []
    out_names: list[str] = []
    for parameter, form in zip((*ins, *outs), forms, strict=True):
        name, ctype, const = parameter.name, parameter.type_name, "const " if parameter.constant else ""
        is_out = parameter in outs
        if form.kind == "number":
            taken.append(f"{const}{ctype} {name}")
            continue
        if not (writes if is_out else reads) and form.kind != "raw":
            continue
        taken.append(f"{const}{ctype}* _raw_{name}")
        if form.kind == "raw":
            lengths = [f"_{name}_n{axis}" for axis in range(form.ndim)]
            steps = [f"_{name}_s{axis}" for axis in range(form.ndim)]
            extra += [f"_{name}_size", *lengths, *steps]
            made = f"CArray<{ctype}, {form.ndim}, {'true' if form.contiguous else 'false'}>"
            prepared.append(f"{made} _own_{name}(({ctype}*)_raw_{name}, _{name}_size);")
            prepared += [
                f"_own_{name}.shape_[{axis}] = {lengths[axis]}; _own_{name}.strides_[{axis}] = {steps[axis]};"
                for axis in range(form.ndim)
            ]
            prepared.append(f"{const}{made}& {name} = _own_{name};")
        elif is_out:
            out_names.append(name)
            extra += [f"_{name}_s{axis}" for axis in range(plan.out_ndim)]
            stored.append(f"{ctype}& {name} = *({ctype}*)((char*)_raw_{name} + _{name}_at);")
        else:
            in_names.append(name)
            extra += [f"_{name}_s{axis}" for axis in range(plan.out_ndim + plan.in_ndim)]
            if form.kind == "linear":
                begin = f"({const}{ctype}*)(({const}char*)_raw_{name} + _{name}_at)"
                rows.append(f"{const}{ctype}* _row_{name} = {begin};")
                mapped.append(f"{const}{ctype}& {name} = _row_{name}[_J];")
            else:
                strided.append(name)
                place = f"({const}char*)_raw_{name} + _{name}_at + _{name}_on"
                mapped.append(f"{const}{ctype}& {name} = *({const}{ctype}*)({place});")
    if plan.way in ("partial", "final"):
        const = "const " if plan.way == "final" else ""
        taken.append(f"{const}void* _scratch")
        prepared.append(f"{const}_type_reduce* _partials = ({const}_type_reduce*)_scratch;")
    extra += [f"_d{axis}" for axis in range(plan.out_ndim + plan.in_ndim)]
    taken += ["const long _outputs", "const long _count", "const long _parts"]
    taken += [f"const long {name}" for name in extra]
    dtypes = [dtype_of(parameter, letters) for parameter in (*ins, *outs)]
    texts = (parts.map_expr, parts.reduce_expr, parts.post_map_expr, parts.preamble, parts.reduce_type)
    lines = [
        preface(texts, dtypes),
        typedefs(letters),
        *([f'#line 1 "{parts.name}.preamble"', parts.preamble] if parts.preamble else []),
        '#line 1 "reduction.cu"',
        f"typedef {parts.reduce_type} _type_reduce;",
        f"#define REDUCE(a, b) ({_one_line(parts.reduce_expr)})",
        f"#define POST_MAP(a) ({_one_line(parts.post_map_expr)})",
        f'extern "C" __global__ void {function_name(parts.name)}({", ".join(taken)}) {{',
        *prepared,
        *_indexers(parts),
        *_body(parts, plan, (in_names, strided, out_names), (rows, mapped, stored)),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _indexers(parts: Parts) -> list[str]:
    """Return `_in_ind` and `_out_ind` where the user's texts ask for their sizes."""
    texts = " ".join((parts.map_expr, parts.reduce_expr, parts.post_map_expr))
    sizes = {"_in_ind": "_outputs * _count", "_out_ind": "_outputs"}
    return [
        f"CIndexer<0> {name}({size});" for name, size in sizes.items() if re.search(rf"\b{name}\b", texts)
    ]


def _body(
    parts: Parts,
    plan: Plan,
    names: tuple[list[str], list[str], list[str]],
    lines: tuple[list[str], list[str], list[str]],
) -> list[str]:
    """Return the lines of a kernel.

    The names are those of inputs, of inputs whose reduced elements do not lie side by side, and of outputs;
    the lines say where inputs begin, what an element of them is, and where results go.
    """
    in_names, strided, out_names = names
    rows, mapped, stored = lines
    single = plan.way == "thread"
    store = [
        *_places(out_names, "_at", "_i", range(plan.out_ndim)),
        *stored,
        f"POST_MAP({'_s' if single else '_sums[0]'});",
    ]
    value = ["_type_reduce _a = (_type_reduce)_partials[_i * _parts + _J];"]
    if plan.way != "final":
        value = [
            *(["long _j = _J * _outputs + _i;"] if re.search(r"\b_j\b", parts.map_expr) else []),
            *_places(strided, "_on", "_J", range(plan.out_ndim, plan.out_ndim + plan.in_ndim)),
            *mapped,
            f"_type_reduce _a = (_type_reduce)({_one_line(parts.map_expr)});",
        ]
    start, join = _start(parts)
    outer = [*_places(in_names, "_at", "_i", range(plan.out_ndim)), *rows]
    if single:
        return [
            "long _i = (long)blockIdx.x * blockDim.x + threadIdx.x;",
            "if (_i < _outputs) {",
            *outer,
            start,
            "for (long _J = 0; _J < _count; _J++) {",
            *value,
            join,
            "}",
            *store,
            "}",
        ]
    end = ["_partials[_i * _parts + _part] = _sums[0];"] if plan.way == "partial" else store
    # Without an identity only the threads that have an element take part.
    takes_part = f"_tid + _step < {BLOCK}" if parts.identity else "_tid + _step < _last - _first"
    return [
        f"__shared__ __align__(16) char _bytes[{BLOCK} * sizeof(_type_reduce)];",
        "_type_reduce* _sums = (_type_reduce*)_bytes;",
        "long _tid = threadIdx.x;",
        "long _i = (long)blockIdx.x / _parts, _part = (long)blockIdx.x % _parts;"
        if plan.way == "partial"
        else "long _i = (long)blockIdx.x;",
        *_range(plan),
        *outer,
        start,
        # All threads go round the first loop equally often; what is left over is for some of them.
        f"const long _rounds = (_last - _first) / {BLOCK};",
        "for (long _k = 0; _k < _rounds; _k++) {",
        f"const long _J = _first + _k * {BLOCK} + _tid;",
        *value,
        join,
        "}",
        f"const long _J = _first + _rounds * {BLOCK} + _tid;",
        "if (_J < _last) {",
        *value,
        join,
        "}",
        "_sums[_tid] = _s;" if parts.identity else "if (_begun) _sums[_tid] = _s;",
        "__syncthreads();",
        f"for (long _step = {BLOCK // 2}; _step > 0; _step >>= 1) {{",
        f"if (_tid < _step && {takes_part}) _sums[_tid] = REDUCE(_sums[_tid], _sums[_tid + _step]);",
        "__syncthreads();",
        "}",
        "if (_tid == 0) {",
        *end,
        "}",
    ]


def _range(plan: Plan) -> list[str]:
    """Return the lines that say which elements a block reduces."""
    if plan.way == "partial":
        return [
            "long _length = (_count + _parts - 1) / _parts, _first = _part * _length;",
            "long _last = _first + _length < _count ? _first + _length : _count;",
        ]
    return ["long _first = 0, _last = _parts;" if plan.way == "final" else "long _first = 0, _last = _count;"]


def _start(parts: Parts) -> tuple[str, str]:
    """Return the line that a thread's sum begins with, and the one that adds an element."""
    if parts.identity:
        return f"_type_reduce _s = _type_reduce({parts.identity});", "_s = REDUCE(_s, _a);"
    start = "_type_reduce _s; bool _begun = false;"
    return start, "if (_begun) { _s = REDUCE(_s, _a); } else { _s = _a; _begun = true; }"


def _places(names: list[str], suffix: str, position: str, axes: range) -> list[str]:
    """Return the lines that find, for each array, the bytes that a position along some axes stands for."""
    if not names:
        return []
    lines = [f"long {', '.join(f'_{name}{suffix} = 0' for name in names)};"]
    if not axes:
        return lines
    lines.append(f"{{ long _rest = {position};")
    for axis in reversed(axes[1:]):
        lines.append(f"{{ long _next = _rest / _d{axis}, _k = _rest - _next * _d{axis};")
        lines += [f"_{name}{suffix} += _k * _{name}_s{axis};" for name in names]
        lines.append("_rest = _next; }")
    lines += [f"_{name}{suffix} += _rest * _{name}_s{axes[0]};" for name in names]
    lines.append("}")
    return lines
