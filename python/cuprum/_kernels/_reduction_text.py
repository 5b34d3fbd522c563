"""The CUDA C texts of a reduction: by blocks, by single threads, and of partial results.

Every way joins elements in an order that the shape alone decides, the same on all devices. A block's
elements go to 256 sums, those at a distance of 256 to the same one, and the sums are joined by halves. On a
GPU each sum is a thread's; on the CPU four threads, which run at once, go through the elements in order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._elementwise_text import Form
from ._parameters import Parameter, dtype_of, element, function_name, preface, typedefs

BLOCK = 256
"""Sums of a block that reduces together; fixed, so that the order of the sum is."""
STRIP = 4
"""Threads of such a block on the CPU: as many as run at once."""
_ROUNDS = 4
"""Elements of each sum that are joined while the sum is in a register."""


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
    """How a reduction runs.

    `way` is 'block' (one for each output), 'thread' (likewise), 'partial' (some blocks for each output) with
    'final', or 'columns' (some threads for each output) with 'gather'.
    """

    way: str
    out_ndim: int
    in_ndim: int
    """The axes of the outputs, and those that are reduced."""
    on_cpu: bool

    @property
    def reads(self) -> bool:
        """Whether the inputs are read."""
        return self.way not in ("final", "gather")

    @property
    def writes(self) -> bool:
        """Whether the outputs are written."""
        return self.way not in ("partial", "columns")

    @property
    def has_partials(self) -> bool:
        """Whether there are partial results."""
        return not (self.reads and self.writes)


def reduction_text(
    parts: Parts,
    ins: tuple[Parameter, ...],
    outs: tuple[Parameter, ...],
    forms: tuple[Form, ...],
    letters: dict[str, np.dtype[Any]],
    plan: Plan,
) -> str:
    """Return the text of one kernel.

    It takes the inputs and the outputs where it reads or writes them, the partial results where there are
    such, the number of outputs, of elements reduced for each, and of parts of those; then raw arguments'
    sizes, shapes and strides, each other array's strides (outputs' axes, then reduced axes), the lengths of
    the axes.
    """
    reads, writes = plan.reads, plan.writes
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
        pointer = f"_{name}_data" if form.whole else f"_raw_{name}"
        taken.append(f"{const}{ctype}* {pointer}")
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
            continue
        steps = [f"_{name}_s{axis}" for axis in range(plan.out_ndim + (0 if is_out else plan.in_ndim))]
        if form.side_by_side:
            # A number in the text: neighbouring threads are then known to reach neighbouring elements.
            prepared.append(f"const long {steps[plan.out_ndim - 1]} = sizeof({ctype});")
            steps[plan.out_ndim - 1] = f"_{name}_step"
        extra += steps
        if form.whole:
            prepared += _whole(parameter, plan, is_out)
        if is_out:
            out_names.append(name)
            stored.append(f"{ctype}& {name} = *({ctype}*)((char*){pointer} + _{name}_at);")
        else:
            in_names.append(name)
            if form.kind == "linear":
                begin = f"({const}{ctype}*)(({const}char*){pointer} + _{name}_at)"
                rows.append(f"{const}{ctype}* _row_{name} = {begin};")
                mapped.append(element(parameter, letters, f"_row_{name}[_J]"))
            else:
                strided.append(name)
                place = f"({const}char*){pointer} + _{name}_at + _{name}_on"
                mapped.append(element(parameter, letters, f"*({const}{ctype}*)({place})"))
    if plan.has_partials:
        const = "const " if writes else ""
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


def _whole(parameter: Parameter, plan: Plan, is_out: bool) -> list[str]:
    """Return the lines that make `_raw_x`: the array with the reduced axes first, as CuPy has it."""
    name, ctype, const = parameter.name, parameter.type_name, "const " if parameter.constant else ""
    reduced = () if is_out else range(plan.out_ndim, plan.out_ndim + plan.in_ndim)
    axes = (*reduced, *range(plan.out_ndim))
    made = f"CArray<{ctype}, {len(axes)}, false>"
    size = "_outputs" if is_out else "_outputs * _count"
    lines = [f"{made} _own_{name}(({ctype}*)_{name}_data, {size});"]
    for place, axis in enumerate(axes):
        lines.append(f"_own_{name}.shape_[{place}] = _d{axis};")
        lines.append(f"_own_{name}.strides_[{place}] = _{name}_s{axis};")
    return [*lines, f"{const}{made}& _raw_{name} = _own_{name};"]


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
    single = plan.way in ("thread", "columns", "gather")
    store = [
        *_places(out_names, "_at", "_i", range(plan.out_ndim)),
        *stored,
        f"POST_MAP({'_s' if single else '_sums[0]'});",
    ]
    # Partial results of an output lie side by side, or those of one part of all outputs do.
    place = "_J * _outputs + _i" if single else "_i * _parts + _J"
    value = [f"_type_reduce _a = (_type_reduce)_partials[{place}];"]
    if plan.reads:
        value = [
            *(["long _j = _J * _outputs + _i;"] if re.search(r"\b_j\b", parts.map_expr) else []),
            *_places(strided, "_on", "_J", range(plan.out_ndim, plan.out_ndim + plan.in_ndim)),
            *mapped,
            f"_type_reduce _a = (_type_reduce)({_one_line(parts.map_expr)});",
        ]
    outer = [*_places(in_names, "_at", "_i", range(plan.out_ndim)), *rows]
    if single:
        start, join = _start(parts)
        return [
            "long _i = (long)blockIdx.x * blockDim.x + threadIdx.x;",
            "if (_i < _outputs) {",
            *(["long _part = blockIdx.y;"] if plan.way == "columns" else []),
            *_range(plan),
            *outer,
            start,
            "for (long _J = _first; _J < _last; _J++) {",
            *value,
            join,
            "}",
            *(store if plan.writes else ["_partials[_part * _outputs + _i] = _s;"]),
            "}",
        ]
    end = store if plan.writes else ["_partials[_i * _parts + _part] = _sums[0];"]
    return [
        f"__shared__ __align__(16) char _bytes[{BLOCK} * sizeof(_type_reduce)];",
        "_type_reduce* _sums = (_type_reduce*)_bytes;",
        "const long _tid = threadIdx.x;",
        "long _i = (long)blockIdx.x / _parts, _part = (long)blockIdx.x % _parts;"
        if plan.way == "partial"
        else "long _i = (long)blockIdx.x;",
        *_range(plan),
        *outer,
        f"const long _rounds = (_last - _first) / {BLOCK};",
        *(_by_four(parts, value) if plan.on_cpu else _by_all(parts, value)),
        "if (_tid == 0) {",
        *end,
        "}",
    ]


def _by_all(parts: Parts, value: list[str]) -> list[str]:
    """Return the lines by which a thread for each sum reduces a block's elements."""
    start, join = _start(parts)
    return [
        start,
        # All threads go round the first loop equally often; what is left over is for some of them.
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
        f"if (_tid < _step{_and_there(parts, '_tid')})",
        "_sums[_tid] = REDUCE(_sums[_tid], _sums[_tid + _step]);",
        "__syncthreads();",
        "}",
    ]


def _by_four(parts: Parts, value: list[str]) -> list[str]:
    """Return the lines by which four threads reduce a block's elements.

    Every sum gets its elements one after another, as it does on a GPU; a few of them at a time, so that the
    sum is not read and written for each.
    """
    joined = "_sums[_m + _tid] = REDUCE(_sums[_m + _tid], _a);"
    several = [
        line
        for k in range(_ROUNDS)
        for line in ("{", f"const long _J = _begin + {k * BLOCK};", *value, "_s = REDUCE(_s, _a);", "}")
    ]
    each_sum = f"for (long _m = 0; _m < {BLOCK}; _m += {STRIP}) {{"
    join_sums = "_sums[_e] = REDUCE(_sums[_e], _sums[_e + _step]);"
    if parts.identity:
        begin = [each_sum, f"_sums[_m + _tid] = _type_reduce({parts.identity});", "}"]
        singles = f"_rounds % {_ROUNDS}"
    else:
        begin = []
        singles = f"_rounds > 0 ? (_rounds - 1) % {_ROUNDS} + 1 : 0"
    return [
        *begin,
        f"const long _singles = {singles};",
        "for (long _k = 0; _k < _singles; _k++) {",
        each_sum,
        f"const long _J = _first + _k * {BLOCK} + _m + _tid;",
        *value,
        joined if parts.identity else f"if (_k > 0) {{ {joined} }} else {{ _sums[_m + _tid] = _a; }}",
        "}",
        "}",
        f"for (long _k = _singles; _k < _rounds; _k += {_ROUNDS}) {{",
        each_sum,
        f"const long _begin = _first + _k * {BLOCK} + _m + _tid;",
        "_type_reduce _s = _sums[_m + _tid];",
        *several,
        "_sums[_m + _tid] = _s;",
        "}",
        "}",
        # What is left over is for some of the sums.
        f"const long _whole = _first + _rounds * {BLOCK};",
        f"for (long _m = 0; _whole + _m + _tid < _last; _m += {STRIP}) {{",
        "const long _J = _whole + _m + _tid;",
        *value,
        joined if parts.identity else f"if (_rounds > 0) {{ {joined} }} else {{ _sums[_m + _tid] = _a; }}",
        "}",
        # Down to four sums every thread joins its own.
        f"for (long _step = {BLOCK // 2}; _step >= {STRIP}; _step >>= 1) {{",
        f"for (long _m = 0; _m < _step; _m += {STRIP}) {{",
        "const long _e = _m + _tid;",
        join_sums if parts.identity else f"if (_e + _step < _last - _first) {join_sums}",
        "}",
        "}",
        "__syncthreads();",
        f"for (long _step = {STRIP // 2}; _step > 0 && _tid == 0; _step >>= 1) {{",
        f"for (long _e = 0; _e < _step{_and_there(parts, '_e')}; _e++) {join_sums}",
        "}",
    ]


def _and_there(parts: Parts, number: str) -> str:
    """Return the rest of a condition: without an identity only sums that have an element are joined."""
    return "" if parts.identity else f" && {number} + _step < _last - _first"


def _range(plan: Plan) -> list[str]:
    """Return the lines that say which elements, or partial results, are reduced."""
    if plan.way in ("partial", "columns"):
        return [
            "long _length = (_count + _parts - 1) / _parts, _first = _part * _length;",
            "long _last = _first + _length < _count ? _first + _length : _count;",
        ]
    return [f"const long _first = 0, _last = {'_count' if plan.reads else '_parts'};"]


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
