"""CUDA's own library of device functions, by the names of libdevice: `sinf`, `dadd_rz`, ...

Each row is a function of CUDA C with the types of its arguments; results that C writes through pointers come
as a tuple.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ._intrinsics import Intrinsic
from ._types import FLOAT32, FLOAT64, INT32, INT64, UINT32, UINT64, Scalar, scalar
from ._values import UNKNOWN, Value

if TYPE_CHECKING:
    from ._calls import Call
    from ._function import FunctionText

__all__ = ["LIBRARY", "ROWS"]

Row = Callable[["FunctionText", "Call"], Value]
ROWS: dict[str, Row] = {}
LIBRARY: dict[str, Intrinsic] = {}
"""What kernels call, by the names of libdevice."""

_TYPES = {"d": FLOAT64, "f": FLOAT32, "i": INT32, "u": UINT32, "l": INT64, "U": UINT64, "h": scalar("int16")}


def _codes(text: FunctionText, call: Call, kinds: list[Scalar]) -> list[str]:
    values = text.required(call, *("x", "y", "z", "w")[: len(kinds)])
    for value in values:
        text.scalar_argument(value, call)
    return [text.converted(value, kind, call.node).code for value, kind in zip(values, kinds, strict=True)]


def _function(name: str, c_name: str, kinds: str) -> None:
    """Add a function; the last letter of `kinds` is the type of its result."""
    *given, result = (_TYPES[letter] for letter in kinds)

    def row(text: FunctionText, call: Call) -> Value:
        code = f"(({result.c}){c_name}({', '.join(_codes(text, call, given))}))"
        return Value(result, (code,), UNKNOWN, result.kind == "u")

    _add(name, row)


def _add(name: str, row: Row) -> None:
    ROWS[f"libdevice.{name}"] = row
    LIBRARY[name] = Intrinsic(f"libdevice.{name}", name)


def _both(name: str, kinds: str) -> None:
    """Add a function of doubles, and that of floats, whose name ends in f."""
    _function(name, name, kinds)
    _function(f"{name}f", f"{name}f", kinds.replace("d", "f"))


_UNARY = """
    acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi erf erfc erfcinv erfcx erfinv exp exp10 exp2
    expm1 fabs floor j0 j1 lgamma log log10 log1p log2 logb nearbyint normcdf normcdfinv rcbrt rint round
    rsqrt sin sinh sinpi sqrt tan tanh tgamma trunc y0 y1
"""
_BINARY = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder"
for _name in _UNARY.split():
    _both(_name, "dd")
for _name in _BINARY.split():
    _both(_name, "ddd")
for _name, _kinds in {
    "fma": "dddd",
    "ilogb": "di",
    "jn": "idd",
    "ldexp": "did",
    "llrint": "dl",
    "llround": "dl",
    "scalbn": "did",
    "yn": "idd",
}.items():
    _both(_name, _kinds)
_function("powi", "pow", "did")
_function("powif", "powf", "fif")

# Names that differ between the two, and functions of integers.
_NAMED = {
    "abs": ("abs", "ii"),
    "llabs": ("llabs", "ll"),
    "max": ("max", "iii"),
    "min": ("min", "iii"),
    "umax": ("umax", "uuu"),
    "umin": ("umin", "uuu"),
    "llmax": ("llmax", "lll"),
    "llmin": ("llmin", "lll"),
    "ullmax": ("ullmax", "UUU"),
    "ullmin": ("ullmin", "UUU"),
    "brev": ("__brev", "ui"),
    "brevll": ("__brevll", "Ul"),
    "byte_perm": ("__byte_perm", "uuui"),
    "clz": ("__clz", "ii"),
    "clzll": ("__clzll", "li"),
    "ffs": ("__ffs", "ii"),
    "ffsll": ("__ffsll", "li"),
    "popc": ("__popc", "ui"),
    "popcll": ("__popcll", "Ui"),
    "hadd": ("__hadd", "iii"),
    "rhadd": ("__rhadd", "iii"),
    "uhadd": ("__uhadd", "uuu"),
    "urhadd": ("__urhadd", "uuu"),
    "mul24": ("__mul24", "iii"),
    "umul24": ("__umul24", "uuu"),
    "mulhi": ("__mulhi", "iii"),
    "umulhi": ("__umulhi", "uuu"),
    "mul64hi": ("__mul64hi", "lll"),
    "umul64hi": ("__umul64hi", "UUU"),
    "sad": ("__sad", "iiui"),
    "usad": ("__usad", "uuuu"),
    "saturatef": ("__saturatef", "ff"),
    "double2hiint": ("__double2hiint", "di"),
    "double2loint": ("__double2loint", "di"),
    "double_as_longlong": ("__double_as_longlong", "dl"),
    "longlong_as_double": ("__longlong_as_double", "ld"),
    "float_as_int": ("__float_as_int", "fi"),
    "int_as_float": ("__int_as_float", "if"),
    "hiloint2double": ("__hiloint2double", "iid"),
    "isfinited": ("isfinite", "di"),
    "finitef": ("isfinite", "fi"),
    "isinfd": ("isinf", "di"),
    "isinff": ("isinf", "fi"),
    "isnand": ("isnan", "di"),
    "isnanf": ("isnan", "fi"),
    "signbitd": ("signbit", "di"),
    "signbitf": ("signbit", "fi"),
    "fast_cosf": ("__cosf", "ff"),
    "fast_exp10f": ("__exp10f", "ff"),
    "fast_expf": ("__expf", "ff"),
    "fast_fdividef": ("__fdividef", "fff"),
    "fast_log10f": ("__log10f", "ff"),
    "fast_log2f": ("__log2f", "ff"),
    "fast_logf": ("__logf", "ff"),
    "fast_powf": ("__powf", "fff"),
    "fast_sinf": ("__sinf", "ff"),
    "fast_tanf": ("__tanf", "ff"),
    "frsqrt_rn": ("__frsqrt_rn", "ff"),
    "int2double_rn": ("__int2double_rn", "id"),
    "uint2double_rn": ("__uint2double_rn", "ud"),
}
for _name, (_c, _kinds) in _NAMED.items():
    _function(_name, _c, _kinds)

# One function for each way to round.
_ROUNDED = {
    "dadd": "ddd",
    "dmul": "ddd",
    "ddiv": "ddd",
    "drcp": "dd",
    "dsqrt": "dd",
    "fadd": "fff",
    "fsub": "fff",
    "fmul": "fff",
    "fdiv": "fff",
    "frcp": "ff",
    "fsqrt": "ff",
    "fma": "dddd",
    "fmaf": "ffff",
    "double2float": "df",
    "double2int": "di",
    "double2uint": "du",
    "double2ll": "dl",
    "double2ull": "dU",
    "float2int": "fi",
    "float2uint": "fu",
    "float2ll": "fl",
    "float2ull": "fU",
    "int2float": "if",
    "uint2float": "uf",
    "ll2float": "lf",
    "ull2float": "Uf",
    "ll2double": "ld",
    "ull2double": "Ud",
}
for _name, _kinds in _ROUNDED.items():
    for _way in ("rd", "rn", "ru", "rz"):
        _function(f"{_name}_{_way}", f"__{_name}_{_way}", _kinds)


def _half(text: FunctionText, call: Call) -> Value:
    """`float2half_rn` gives the bits of a half number."""
    text.module.need("half")
    (code,) = _codes(text, call, [FLOAT32])
    return Value(_TYPES["h"], (f"((short)cu_half_from_double((double){code}).bits)",))


def _half2float(text: FunctionText, call: Call) -> Value:
    text.module.need("half")
    (code,) = _codes(text, call, [_TYPES["h"]])
    name = text.fresh()
    text.emit(f"cu_half {name};")
    text.emit(f"{name}.bits = (unsigned short){code};")
    return Value(FLOAT32, (f"cu_half_to_float({name})",))


_add("float2half_rn", _half)
_add("half2float", _half2float)


def _two(name: str, c_name: str, kinds: str, outs: str, returned: bool) -> None:
    """Add a function that writes results through pointers, and may return one as well."""
    given, written = [_TYPES[letter] for letter in kinds], [_TYPES[letter] for letter in outs]

    def row(text: FunctionText, call: Call) -> Value:
        codes = _codes(text, call, given)
        names = [text.fresh() for _ in written]
        for kind, out in zip(written, names, strict=True):
            text.emit(f"{kind.c} {out};")
        code = f"{c_name}({', '.join([*codes, *(f'&{out}' for out in names)])})"
        values = [Value(kind, (out,)) for kind, out in zip(written, names, strict=True)]
        if returned:
            values.insert(0, Value(given[0], (text.temporary(given[0].c, code),)))
        else:
            text.emit(f"{code};")
        return text.tuple_of(values)

    _add(name, row)


for _suffix, _kind in (("", "d"), ("f", "f")):
    _two(f"frexp{_suffix}", f"frexp{_suffix}", _kind, "i", True)
    _two(f"modf{_suffix}", f"modf{_suffix}", _kind, _kind, True)
    _two(f"remquo{_suffix}", f"remquo{_suffix}", _kind * 2, "i", True)
    _two(f"sincos{_suffix}", f"sincos{_suffix}", _kind, _kind * 2, False)
    _two(f"sincospi{_suffix}", f"sincospi{_suffix}", _kind, _kind * 2, False)
_two("fast_sincosf", "__sincosf", "f", "ff", False)
