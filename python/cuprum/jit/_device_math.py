"""Functions of `math`, `cmath` and NumPy on numbers in kernels."""

from __future__ import annotations

import ast
import cmath
import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._types import BOOL, FLOAT32, FLOAT64, INT32, INT64, Scalar, scalar
from ._values import UNKNOWN, Value

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["INTRINSIC_ROWS", "ROWS"]

Row = Callable[["FunctionText", "Call"], Value]
ROWS: dict[Any, Row] = {}
INTRINSIC_ROWS: dict[str, Row] = {}

# A name of CUDA's library for each function: of `math`, of NumPy, and of complex numbers.
_UNARY = [
    # C name, math, NumPy, complex
    ("sin", "sin", "sin", "cu_csin"),
    ("cos", "cos", "cos", "cu_ccos"),
    ("tan", "tan", "tan", "cu_ctan"),
    ("asin", "asin", "arcsin", "cu_casin"),
    ("acos", "acos", "arccos", "cu_cacos"),
    ("atan", "atan", "arctan", "cu_catan"),
    ("sinh", "sinh", "sinh", "cu_csinh"),
    ("cosh", "cosh", "cosh", "cu_ccosh"),
    ("tanh", "tanh", "tanh", "cu_ctanh"),
    ("asinh", "asinh", "arcsinh", "cu_casinh"),
    ("acosh", "acosh", "arccosh", "cu_cacosh"),
    ("atanh", "atanh", "arctanh", "cu_catanh"),
    ("exp", "exp", "exp", "cu_cexp"),
    ("exp2", "exp2", "exp2", None),
    ("expm1", "expm1", "expm1", "cu_cexpm1"),
    ("log", None, "log", "cu_clog"),
    ("log2", "log2", "log2", "cu_clog2"),
    ("log10", "log10", "log10", "cu_clog10"),
    ("log1p", "log1p", "log1p", "cu_clog1p"),
    ("sqrt", "sqrt", "sqrt", "cu_csqrt"),
    ("cbrt", "cbrt", "cbrt", None),
    ("erf", "erf", None, None),
    ("erfc", "erfc", None, None),
    ("tgamma", "gamma", None, None),
    ("lgamma", "lgamma", None, None),
    ("fabs", "fabs", "fabs", None),
    ("floor", None, "floor", None),
    ("ceil", None, "ceil", None),
    ("trunc", None, "trunc", None),
    ("rint", None, "rint", None),
]
_PYTHON_COMPLEX = {name: f"cu_py_{name}" for name in ("sin", "tan", "tanh", "asin", "acos", "acosh")}
"""Functions of `cmath` that differ from C's, which NumPy's follow, where a part is NaN."""
_BINARY = [
    ("atan2", "atan2", "arctan2"),
    ("hypot", "hypot", "hypot"),
    ("copysign", "copysign", "copysign"),
    ("fmod", "fmod", "fmod"),
    ("remainder", "remainder", None),
    ("nextafter", "nextafter", "nextafter"),
    ("fmax", None, "fmax"),
    ("fmin", None, "fmin"),
]


def _named(kind: Scalar, name: str) -> str:
    return f"{name}f" if kind.name == "float32" else name


def _computed(text: FunctionText, kind: Scalar) -> Scalar:
    """Return the type that a function computes in: halves in float32."""
    kind = text.rules.function_argument(kind)
    return FLOAT32 if kind.narrow else kind


def _applied(text: FunctionText, call: Call, value: Value, name: str, complex_name: str | None) -> Value:
    given = text.scalar_argument(value, call)
    kind = _computed(text, given)
    operand = text.converted(value, kind, call.node)
    if kind.kind == "c":
        if complex_name is None:
            text.fail(f"{call.name} takes no complex numbers in kernels", call.node)
        text.module.need("cmath")
        return Value(kind, (f"{complex_name}({operand.code})",), stable=value.stable)
    result = Value(kind, (f"{_named(kind, name)}({operand.code})",), stable=value.stable)
    return text.converted(result, given, call.node) if given.narrow else result


def _unary(name: str, complex_name: str | None) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        return _applied(text, call, value, name, complex_name)

    return row


def _common(text: FunctionText, call: Call, values: list[Value]) -> Scalar:
    kind = text.scalar_argument(values[0], call)
    for value in values[1:]:
        kind = text.rules.common(kind, text.scalar_argument(value, call))
    return kind


def _several(name: str, count: int, *params: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        values = text.required(call, *(params or ("x", "y", "z")[:count]))
        kind = _computed(text, _common(text, call, values))
        if kind.kind == "c":
            text.fail(f"{call.name} takes no complex numbers", call.node)
        codes = [text.converted(value, kind, call.node).code for value in values]
        return Value(
            kind, (f"{_named(kind, name)}({', '.join(codes)})",), stable=all(v.stable for v in values)
        )

    return row


for _c, _math, _np, _complex in _UNARY:
    _row = _unary(_c, _complex)
    if _math is not None and hasattr(math, _math):
        ROWS[getattr(math, _math)] = _row
    if _np is not None:
        ROWS[getattr(np, _np)] = _row
    if _complex is not None and hasattr(cmath, _c):
        ROWS[getattr(cmath, _c)] = _unary(_c, _PYTHON_COMPLEX.get(_c, _complex))
for _c, _math, _np in _BINARY:
    if _math is not None:
        ROWS[getattr(math, _math)] = _several(_c, 2)
    if _np is not None:
        ROWS[getattr(np, _np)] = _several(_c, 2)


def _cmath_only(function: Any) -> None:
    """`cmath`'s functions give complex numbers for real ones too."""
    plain = ROWS[function]

    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        kind = text.scalar_argument(value, call)
        if kind.kind != "c":
            wide = scalar("complex64" if kind.name == "float32" else "complex128")
            call.args = [text.converted(value, wide, call.node)]
        return plain(text, call)

    ROWS[function] = row


for _c, _, _, _complex in _UNARY:
    if _complex is not None and hasattr(cmath, _c) and _c != "log":
        _cmath_only(getattr(cmath, _c))


def _complex_log(text: FunctionText, call: Call) -> Value:
    wide = []
    for value in call.args:
        kind = text.scalar_argument(value, call)
        target = kind if kind.kind == "c" else scalar("complex64" if kind.name == "float32" else "complex128")
        wide.append(text.converted(value, target, call.node))
    call.args = wide
    return _log(text, call)


ROWS[cmath.log] = _complex_log


def _log(text: FunctionText, call: Call) -> Value:
    value, base = text.bound(call, "x", "base?")
    assert value is not None
    top = _applied(text, call, value, "log", "cu_clog")
    if base is None:
        return top
    below = _applied(text, call, base, "log", "cu_clog")
    return text.binary(ast.Div(), top, below, call.node)


ROWS[math.log] = _log


def _whole(name: str) -> Row:
    """`math.floor` and its like give integers."""

    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        kind = text.scalar_argument(value, call)
        if kind.kind in "iub":
            return text.converted(value, INT64, call.node) if kind.kind == "b" else value
        return text.converted(_applied(text, call, value, name, None), INT64, call.node)

    return row


ROWS[math.floor] = _whole("floor")
ROWS[math.ceil] = _whole("ceil")
ROWS[math.trunc] = _whole("trunc")


def _tested(name: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        kind = text.scalar_argument(value, call)
        if kind.kind in "iub":
            return text.number(name == "isfinite")
        if kind.kind == "c":
            text.module.need("complex_tests")
            return Value(BOOL, (f"cu_c{name}({value.code})",), stable=value.stable)
        operand = text.converted(value, _computed(text, kind), call.node)
        return Value(BOOL, (f"({name}({operand.code}) != 0)",), stable=value.stable)

    return row


for _name in ("isnan", "isinf", "isfinite"):
    ROWS[getattr(math, _name)] = ROWS[getattr(np, _name)] = ROWS[getattr(cmath, _name)] = _tested(_name)


def _pow(text: FunctionText, call: Call) -> Value:
    left, right = text.required(call, "x", "y")
    if call.name == "pow" and text.scalar_argument(left, call).kind in "iub":
        left = text.converted(left, FLOAT64, call.node)
    return text.binary(ast.Pow(), left, right, call.node)


ROWS[math.pow] = _pow
ROWS[np.power] = _pow


def _scaled(factor: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        kind = _computed(text, text.scalar_argument(value, call))
        operand = text.converted(value, kind, call.node)
        return Value(kind, (f"({operand.code} * ({kind.c}){factor})",), stable=value.stable)

    return row


_function: Any
for _function in (math.radians, np.radians, np.deg2rad):
    ROWS[_function] = _scaled("0.017453292519943295")
for _function in (math.degrees, np.degrees, np.rad2deg):
    ROWS[_function] = _scaled("57.29577951308232")


def _ldexp(text: FunctionText, call: Call) -> Value:
    value, exponent = text.required(call, "x", "i")
    kind = _computed(text, text.scalar_argument(value, call))
    operand, by = text.converted(value, kind, call.node), text.converted(exponent, INT32, call.node)
    return Value(kind, (f"{_named(kind, 'ldexp')}({operand.code}, {by.code})",), stable=value.stable)


def _frexp(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "x")
    kind = _computed(text, text.scalar_argument(value, call))
    operand = text.converted(value, kind, call.node)
    exponent = text.fresh()
    text.emit(f"int {exponent} = 0;")
    mantissa = text.temporary(kind.c, f"{_named(kind, 'frexp')}({operand.code}, &{exponent})")
    return text.tuple_of([Value(kind, (mantissa,)), Value(INT32, (exponent,))])


def _modf(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "x")
    kind = _computed(text, text.scalar_argument(value, call))
    operand = text.held(text.converted(value, kind, call.node))
    whole = text.temporary(kind.c, f"{_named(kind, 'trunc')}({operand.code})")
    rest = f"(isinf({operand.code}) ? ({kind.c})0 : {operand.code} - {whole})"
    part = f"{_named(kind, 'copysign')}({rest}, {operand.code})"
    return text.tuple_of([Value(kind, (text.temporary(kind.c, part),)), Value(kind, (whole,))])


ROWS[math.ldexp] = ROWS[np.ldexp] = _ldexp
ROWS[math.frexp] = ROWS[np.frexp] = _frexp
ROWS[math.modf] = ROWS[np.modf] = _modf


def _gcd(text: FunctionText, call: Call) -> Value:
    a, b = text.required(call, "a", "b")
    kind = text.rules.common(text.scalar_argument(a, call), text.scalar_argument(b, call))
    if kind.kind not in "iu":
        text.fail("gcd takes integers", call.node)
    text.module.need("gcd")
    codes = [text.converted(value, kind, call.node).code for value in (a, b)]
    return Value(kind, (f"cu_gcd<{kind.c}>({codes[0]}, {codes[1]})",), UNKNOWN, True, a.stable and b.stable)


ROWS[math.gcd] = ROWS[np.gcd] = _gcd


def _extreme(name: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        a, b = text.required(call, "x", "y")
        kind = _common(text, call, [a, b])
        if kind.kind == "c":
            text.fail("complex numbers have no order", call.node)
        work = FLOAT32 if kind.narrow else kind
        text.module.need("npminmax")
        codes = [text.converted(value, work, call.node).code for value in (a, b)]
        out = Value(work, (f"{name}<{work.c}>({codes[0]}, {codes[1]})",), stable=a.stable and b.stable)
        return text.converted(out, kind, call.node)

    return row


ROWS[np.minimum] = _extreme("cu_minimum")
ROWS[np.maximum] = _extreme("cu_maximum")


def _square(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "x")
    held = text.held(value)
    return text.binary(ast.Mult(), held, held, call.node)


def _sign(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "x")
    kind = text.scalar_argument(value, call)
    if kind.kind not in "iuf" or kind.narrow:
        text.fail(f"sign takes no {kind}", call.node)
    text.module.need("sign")
    return Value(kind, (f"cu_sign<{kind.c}>({value.code})",), stable=value.stable)


def _reciprocal(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "x")
    given = text.scalar_argument(value, call)
    kind = _computed(text, given)
    if kind.kind == "c":
        return text.binary(
            ast.Div(), text.number_of(1, kind), text.converted(value, kind, call.node), call.node
        )
    if given.kind in "biu":
        # NumPy's own, of integers: all but 1 and -1 have the reciprocal 0.
        whole = scalar("int8") if given.kind == "b" else given
        held = text.held(text.converted(value, whole, call.node))
        least = "0" if whole.dtype.itemsize < 4 or whole.kind == "u" else str(np.iinfo(whole.dtype).min)
        none = text.number_of(int(least), whole).code
        code = f"({held.code} == 0 ? {none} : ({whole.c})(1 / {held.code}))"
        return Value(whole, (code,))
    if given.narrow:
        single = scalar("float32")
        code = f"(1.0f / {text.converted(value, single, call.node).code})"
        return text.converted(Value(single, (code,), stable=value.stable), given, call.node)
    return Value(
        kind, (f"(({kind.c})1 / {text.converted(value, kind, call.node).code})",), stable=value.stable
    )


ROWS[np.square] = _square
ROWS[np.sign] = _sign
ROWS[np.reciprocal] = _reciprocal


def _operator(op: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        left, right = text.required(call, "x", "y")
        return text.binary(getattr(ast, op)(), left, right, call.node)

    return row


for _function, _op in (
    (operator.add, "Add"),
    (operator.sub, "Sub"),
    (operator.mul, "Mult"),
    (operator.truediv, "Div"),
    (operator.floordiv, "FloorDiv"),
    (operator.mod, "Mod"),
    (operator.pow, "Pow"),
    (operator.and_, "BitAnd"),
    (operator.or_, "BitOr"),
    (operator.xor, "BitXor"),
    (operator.lshift, "LShift"),
    (operator.rshift, "RShift"),
    (np.add, "Add"),
    (np.subtract, "Sub"),
    (np.multiply, "Mult"),
    (np.true_divide, "Div"),
    (np.floor_divide, "FloorDiv"),
    (np.remainder, "Mod"),
    (np.bitwise_and, "BitAnd"),
    (np.bitwise_or, "BitOr"),
    (np.bitwise_xor, "BitXor"),
    (np.left_shift, "LShift"),
    (np.right_shift, "RShift"),
):
    ROWS[_function] = _operator(_op)


def _comparison(op: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        left, right = text.required(call, "x", "y")
        return text.compared(getattr(ast, op)(), left, right, call.node)

    return row


for _function, _op in (
    (operator.eq, "Eq"),
    (operator.ne, "NotEq"),
    (operator.lt, "Lt"),
    (operator.le, "LtE"),
    (operator.gt, "Gt"),
    (operator.ge, "GtE"),
    (np.equal, "Eq"),
    (np.not_equal, "NotEq"),
    (np.less, "Lt"),
    (np.less_equal, "LtE"),
    (np.greater, "Gt"),
    (np.greater_equal, "GtE"),
):
    ROWS[_function] = _comparison(_op)


def _where(text: FunctionText, call: Call) -> Value:
    test, yes, no = text.required(call, "condition|test", "x|a", "y|b")
    kind = text.joined_type(yes.type, no.type, call.node)
    condition = text.truth(test, call.node)
    a, b = text.converted(yes, kind, call.node), text.converted(no, kind, call.node)
    parts = tuple(f"({condition} ? {x} : {y})" for x, y in zip(a.parts, b.parts, strict=True))
    return Value(kind, parts, stable=test.stable and a.stable and b.stable)


ROWS[np.where] = _where


def _phase(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "z")
    kind = text.scalar_argument(value, call)
    wide = kind if kind.kind == "c" else scalar("complex128")
    part = FLOAT32 if wide.name == "complex64" else FLOAT64
    return Value(part, (f"cu_phase({text.converted(value, wide, call.node).code})",), stable=value.stable)


def _polar(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "z")
    kind = text.scalar_argument(value, call)
    wide = text.held(text.converted(value, kind if kind.kind == "c" else scalar("complex128"), call.node))
    part = FLOAT32 if wide.type == scalar("complex64") else FLOAT64
    return text.tuple_of([Value(part, (f"cu_cabs({wide.code})",)), Value(part, (f"cu_phase({wide.code})",))])


def _rect(text: FunctionText, call: Call) -> Value:
    size, angle = text.required(call, "r", "phi")
    kinds = {text.scalar_argument(size, call).name, text.scalar_argument(angle, call).name}
    part = FLOAT32 if kinds == {"float32"} else FLOAT64
    text.module.need("cmath")
    a, b = text.converted(size, part, call.node), text.converted(angle, part, call.node)
    result = scalar("complex64" if part == FLOAT32 else "complex128")
    return Value(result, (f"cu_rect<{part.c}>({a.code}, {b.code})",), stable=size.stable and angle.stable)


ROWS[cmath.polar], ROWS[cmath.rect] = _polar, _rect


def _conjugate(text: FunctionText, call: Call) -> Value:
    (value,) = text.required(call, "z")
    if text.scalar_argument(value, call).kind != "c":
        return value
    return Value(value.type, (f"cu_conj({value.code})",), stable=value.stable)


ROWS[cmath.phase] = ROWS[np.angle] = _phase
ROWS[np.conjugate] = _conjugate


def _part(name: str) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "z")
        return text.attribute(value, name, call.node)

    return row


ROWS[np.real] = _part("real")
ROWS[np.imag] = _part("imag")

# Functions of kernels that compute


def _selp(text: FunctionText, call: Call) -> Value:
    return _where(text, call)


INTRINSIC_ROWS["fma"] = _several("fma", 3, "a", "b", "c")
INTRINSIC_ROWS["cbrt"] = _unary("cbrt", None)
INTRINSIC_ROWS["selp"] = _selp
INTRINSIC_ROWS["rsqrt"] = _unary("rsqrt", None)
INTRINSIC_ROWS["sinpi"] = _unary("sinpi", None)
INTRINSIC_ROWS["cospi"] = _unary("cospi", None)


def _half_operator(op: str, half: Scalar) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        left, right = (text.converted(value, half, call.node) for value in text.required(call, "x", "y"))
        if op in ("Eq", "NotEq", "Lt", "LtE", "Gt", "GtE"):
            return text.compared(getattr(ast, op)(), left, right, call.node)
        return text.binary(getattr(ast, op)(), left, right, call.node)

    return row


def _half_unary(name: str, half: Scalar) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        value = text.converted(value, half, call.node)
        if name == "neg":
            return text.negative(value, half)
        return _applied(text, call, value, name, None)

    return row


def _half_fma(half: Scalar) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        given = text.required(call, "a", "b", "c")
        values = [text.converted(text.converted(value, half), FLOAT64) for value in given]
        code = f"fma({', '.join(value.code for value in values)})"
        return text.converted(Value(FLOAT64, (code,)), half, call.node)

    return row


def _half_reciprocal(half: Scalar) -> Row:
    def row(text: FunctionText, call: Call) -> Value:
        (value,) = text.required(call, "x")
        one = text.number_of(1, half)
        return text.binary(ast.Div(), one, text.converted(value, half, call.node), call.node)

    return row


_HALF_OPERATORS = {
    "hadd": "Add",
    "hsub": "Sub",
    "hmul": "Mult",
    "hdiv": "Div",
    "heq": "Eq",
    "hne": "NotEq",
    "hlt": "Lt",
    "hle": "LtE",
    "hgt": "Gt",
    "hge": "GtE",
}
_HALF_UNARY = {
    "hneg": "neg",
    "habs": "fabs",
    "hsqrt": "sqrt",
    "hexp": "exp",
    "hexp2": "exp2",
    "hexp10": "exp10",
    "hlog": "log",
    "hlog2": "log2",
    "hlog10": "log10",
    "hsin": "sin",
    "hcos": "cos",
    "htanh": "tanh",
    "htanh_approx": "tanh",
    "hfloor": "floor",
    "hceil": "ceil",
    "htrunc": "trunc",
    "hrint": "rint",
    "hrsqrt": "rsqrt",
}
for _space, _half in (("fp16", scalar("float16")), ("bf16", scalar("bfloat16"))):
    for _name, _op in _HALF_OPERATORS.items():
        INTRINSIC_ROWS[f"{_space}.{_name}"] = _half_operator(_op, _half)
    for _name, _c in _HALF_UNARY.items():
        INTRINSIC_ROWS[f"{_space}.{_name}"] = _half_unary(_c, _half)
    INTRINSIC_ROWS[f"{_space}.hfma"] = _half_fma(_half)
    INTRINSIC_ROWS[f"{_space}.hrcp"] = _half_reciprocal(_half)
