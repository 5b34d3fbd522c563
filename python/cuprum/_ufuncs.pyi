# Written by `make stubs` from the extension's own signatures. Do not edit.

from ._core import _Binary, _BinaryPair, _Unary, _UnaryPair

__all__ = [
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "conj",
    "conjugate",
    "copysign",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "divide",
    "divmod",
    "equal",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "float_power",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "hypot",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "lcm",
    "ldexp",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "modf",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "power",
    "rad2deg",
    "radians",
    "reciprocal",
    "remainder",
    "right_shift",
    "rint",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "spacing",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "trunc",
]

abs: _Unary
absolute: _Unary
acos: _Unary
acosh: _Unary
add: _Binary
arccos: _Unary
arccosh: _Unary
arcsin: _Unary
arcsinh: _Unary
arctan: _Unary
arctan2: _Binary
arctanh: _Unary
asin: _Unary
asinh: _Unary
atan: _Unary
atan2: _Binary
atanh: _Unary
bitwise_and: _Binary
bitwise_count: _Unary
bitwise_invert: _Unary
bitwise_left_shift: _Binary
bitwise_not: _Unary
bitwise_or: _Binary
bitwise_right_shift: _Binary
bitwise_xor: _Binary
cbrt: _Unary
ceil: _Unary
conj: _Unary
conjugate: _Unary
copysign: _Binary
cos: _Unary
cosh: _Unary
deg2rad: _Unary
degrees: _Unary
divide: _Binary
divmod: _BinaryPair
equal: _Binary
exp: _Unary
exp2: _Unary
expm1: _Unary
fabs: _Unary
float_power: _Binary
floor: _Unary
floor_divide: _Binary
fmax: _Binary
fmin: _Binary
fmod: _Binary
frexp: _UnaryPair
gcd: _Binary
greater: _Binary
greater_equal: _Binary
heaviside: _Binary
hypot: _Binary
invert: _Unary
isfinite: _Unary
isinf: _Unary
isnan: _Unary
lcm: _Binary
ldexp: _Binary
left_shift: _Binary
less: _Binary
less_equal: _Binary
log: _Unary
log10: _Unary
log1p: _Unary
log2: _Unary
logaddexp: _Binary
logaddexp2: _Binary
logical_and: _Binary
logical_not: _Unary
logical_or: _Binary
logical_xor: _Binary
maximum: _Binary
minimum: _Binary
mod: _Binary
modf: _UnaryPair
multiply: _Binary
negative: _Unary
nextafter: _Binary
not_equal: _Binary
positive: _Unary
pow: _Binary
power: _Binary
rad2deg: _Unary
radians: _Unary
reciprocal: _Unary
remainder: _Binary
right_shift: _Binary
rint: _Unary
sign: _Unary
signbit: _Unary
sin: _Unary
sinh: _Unary
spacing: _Unary
sqrt: _Unary
square: _Unary
subtract: _Binary
tan: _Unary
tanh: _Unary
true_divide: _Binary
trunc: _Unary
