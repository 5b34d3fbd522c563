"""Integer intrinsics, conversions and directed rounding, to the bit, against models in Python's integers."""

from fractions import Fraction

import numpy as np
import pytest
from corpus import Case, floats, not_on_standin, rows, run, words

M32, M64 = 2**32 - 1, 2**64 - 1
TYPES = {
    "int": np.int32,
    "unsigned": np.uint32,
    "long long": np.int64,
    "unsigned long long": np.uint64,
    "float": np.float32,
    "double": np.float64,
}


def s32(x):
    return ((x & M32) ^ 2**31) - 2**31


def s64(x):
    return ((x & M64) ^ 2**63) - 2**63


def lanes(x, bits, signed):
    """The lanes of a word, lowest first."""
    result = [x >> at & (1 << bits) - 1 for at in range(0, 32, bits)]
    return [v - (1 << bits) if signed and v >> (bits - 1) else v for v in result]


def packed(values, bits):
    return sum((v & (1 << bits) - 1) << (bits * i) for i, v in enumerate(values))


def byte_perm(x, y, s):
    source = list((y << 32 | x).to_bytes(8, "little"))
    out = [source[s >> (4 * i) & 7] for i in range(4)]
    return int.from_bytes(bytes(out), "little")


def dot(bits, signed, first):
    """Lanes of `bits` bits of the first word with bytes of the second, from byte `first` on."""
    return lambda x, y, c: (
        c
        + sum(
            a * b
            for a, b in zip(lanes(x & M32, bits, signed), lanes(y & M32, 8, signed)[first:], strict=False)
        )
    )


# function, types of the arguments, type of the result, model
INTEGERS = [
    ("__clz", ["int"], "int", lambda x: 32 - (x & M32).bit_length()),
    ("__clzll", ["long long"], "int", lambda x: 64 - (x & M64).bit_length()),
    ("__popc", ["unsigned"], "int", lambda x: bin(x).count("1")),
    ("__popcll", ["unsigned long long"], "int", lambda x: bin(x).count("1")),
    ("__ffs", ["int"], "int", lambda x: (x & -x & M32).bit_length()),
    ("__ffsll", ["long long"], "int", lambda x: (x & -x & M64).bit_length()),
    ("__brev", ["unsigned"], "unsigned", lambda x: int(f"{x:032b}"[::-1], 2)),
    ("__brevll", ["unsigned long long"], "unsigned long long", lambda x: int(f"{x:064b}"[::-1], 2)),
    ("__byte_perm", ["unsigned"] * 3, "unsigned", byte_perm),
    ("__mulhi", ["int"] * 2, "int", lambda a, b: a * b >> 32),
    ("__umulhi", ["unsigned"] * 2, "unsigned", lambda a, b: a * b >> 32),
    ("__mul64hi", ["long long"] * 2, "long long", lambda a, b: a * b >> 64),
    ("__umul64hi", ["unsigned long long"] * 2, "unsigned long long", lambda a, b: a * b >> 64),
    ("__mul24", ["int"] * 2, "int", lambda a, b: s32((s32(a << 8) >> 8) * (s32(b << 8) >> 8))),
    ("__umul24", ["unsigned"] * 2, "unsigned", lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF) & M32),
    ("__sad", ["int", "int", "unsigned"], "unsigned", lambda a, b, c: abs(a - b) + c & M32),
    ("__usad", ["unsigned"] * 3, "unsigned", lambda a, b, c: abs(a - b) + c & M32),
    ("__hadd", ["int"] * 2, "int", lambda a, b: a + b >> 1),
    ("__rhadd", ["int"] * 2, "int", lambda a, b: a + b + 1 >> 1),
    ("__uhadd", ["unsigned"] * 2, "unsigned", lambda a, b: a + b >> 1),
    ("__urhadd", ["unsigned"] * 2, "unsigned", lambda a, b: a + b + 1 >> 1),
    (
        "__funnelshift_l",
        ["unsigned"] * 3,
        "unsigned",
        lambda a, b, n: ((b << 32 | a) << (n & 31)) >> 32 & M32,
    ),
    ("__funnelshift_r", ["unsigned"] * 3, "unsigned", lambda a, b, n: (b << 32 | a) >> (n & 31) & M32),
    (
        "__funnelshift_lc",
        ["unsigned"] * 3,
        "unsigned",
        lambda a, b, n: ((b << 32 | a) << min(n, 32)) >> 32 & M32,
    ),
    ("__funnelshift_rc", ["unsigned"] * 3, "unsigned", lambda a, b, n: (b << 32 | a) >> min(n, 32) & M32),
    ("__dp4a", ["int"] * 3, "int", lambda a, b, c: s32(dot(8, True, 0)(a, b, c))),
    ("__dp4a ", ["unsigned"] * 3, "unsigned", lambda a, b, c: dot(8, False, 0)(a, b, c) & M32),
    ("__dp2a_lo", ["int"] * 3, "int", lambda a, b, c: s32(dot(16, True, 0)(a, b, c))),
    ("__dp2a_hi", ["unsigned"] * 3, "unsigned", lambda a, b, c: dot(16, False, 2)(a, b, c) & M32),
    ("max", ["int"] * 2, "int", max),
    ("min", ["unsigned"] * 2, "unsigned", min),
    ("max ", ["int", "unsigned"], "unsigned", lambda a, b: max(a & M32, b)),
    ("min ", ["long long"] * 2, "long long", min),
    ("umax", ["unsigned"] * 2, "unsigned", max),
    ("llmin", ["long long"] * 2, "long long", min),
    ("ullmax", ["unsigned long long"] * 2, "unsigned long long", max),
    ("abs", ["int"], "int", lambda a: s32(abs(a))),
    ("llabs", ["long long"], "long long", lambda a: s64(abs(a))),
    ("__double2hiint", ["double"], "int", lambda x: s32(int(np.float64(x).view(np.int64)) >> 32)),
    ("__double2loint", ["double"], "int", lambda x: s32(int(np.float64(x).view(np.int64)))),
    ("__float_as_int", ["float"], "int", lambda x: int(np.float32(x).view(np.int32))),
    ("__float_as_uint", ["float"], "unsigned", lambda x: int(np.float32(x).view(np.uint32))),
    ("__double_as_longlong", ["double"], "long long", lambda x: int(np.float64(x).view(np.int64))),
]

SIMD = {
    "add": (True, lambda x, y, m: x + y),
    "sub": (True, lambda x, y, m: x - y),
    "addss": (True, lambda x, y, m: max(-m - 1, min(m, x + y))),
    "subss": (True, lambda x, y, m: max(-m - 1, min(m, x - y))),
    "addus": (False, lambda x, y, m: min(2 * m + 1, x + y)),
    "subus": (False, lambda x, y, m: max(0, x - y)),
    "absdiffs": (True, lambda x, y, m: abs(x - y)),
    "absdiffu": (False, lambda x, y, m: abs(x - y)),
    "avgs": (True, lambda x, y, m: x + y + (x + y >= 0) >> 1),
    "avgu": (False, lambda x, y, m: x + y + 1 >> 1),
    "haddu": (False, lambda x, y, m: x + y >> 1),
    "maxs": (True, lambda x, y, m: max(x, y)),
    "maxu": (False, lambda x, y, m: max(x, y)),
    "mins": (True, lambda x, y, m: min(x, y)),
    "minu": (False, lambda x, y, m: min(x, y)),
    "cmpeq": (True, lambda x, y, m: -(x == y)),
    "cmpne": (True, lambda x, y, m: -(x != y)),
    "cmpgts": (True, lambda x, y, m: -(x > y)),
    "cmpgeu": (False, lambda x, y, m: -(x >= y)),
    "cmpges": (True, lambda x, y, m: -(x >= y)),
    "cmpgtu": (False, lambda x, y, m: -(x > y)),
    "cmples": (True, lambda x, y, m: -(x <= y)),
    "cmpltu": (False, lambda x, y, m: -(x < y)),
    "cmplts": (True, lambda x, y, m: -(x < y)),
    "cmpleu": (False, lambda x, y, m: -(x <= y)),
    "seteq": (True, lambda x, y, m: int(x == y)),
    "setgtu": (False, lambda x, y, m: int(x > y)),
    "setles": (True, lambda x, y, m: int(x <= y)),
}


def simd(function, bits):
    signed, model = SIMD[function]
    most = (1 << (bits - 1)) - 1
    return lambda a, b: packed(
        [model(x, y, most) for x, y in zip(lanes(a, bits, signed), lanes(b, bits, signed), strict=True)], bits
    )


WORDS = [
    (f"__v{function}{32 // bits}", ["unsigned"] * 2, "unsigned", simd(function, bits))
    for function in SIMD
    for bits in (16, 8)
] + [
    ("__vabs4", ["unsigned"], "unsigned", lambda a: packed([abs(x) for x in lanes(a, 8, True)], 8)),
    ("__vabsss2", ["unsigned"], "unsigned", lambda a: packed([min(abs(x), 32767) for x in lanes(a, 16, True)], 16)),
    ("__vneg2", ["unsigned"], "unsigned", lambda a: packed([-x for x in lanes(a, 16, True)], 16)),
    ("__vnegss4", ["unsigned"], "unsigned", lambda a: packed([min(-x, 127) for x in lanes(a, 8, True)], 8)),
    ("__vsadu4", ["unsigned"] * 2, "unsigned",
     lambda a, b: sum(abs(x - y) for x, y in zip(lanes(a, 8, False), lanes(b, 8, False), strict=True))),
    ("__vsads2", ["unsigned"] * 2, "unsigned",
     lambda a, b: sum(abs(x - y) for x, y in zip(lanes(a, 16, True), lanes(b, 16, True), strict=True))),
]  # fmt: skip


def case(function, types, result, model):
    """A kernel that calls one function for every element. Trailing blanks tell rows of one function apart."""
    name = f"of_{function.strip().strip('_')}_{result.replace(' ', '_')}"
    parameters = ", ".join(f"const {t}* x{i}" for i, t in enumerate(types))
    call = f"{function.strip()}({', '.join(f'x{i}[i]' for i in range(len(types)))})"
    code = f"""extern "C" __global__ void {name}({parameters}, {result}* out, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) out[i] = {call};
    }}"""

    def args():
        given = []
        for seed, ctype in enumerate(types):
            dtype = np.dtype(TYPES[ctype])
            given.append(numbers(dtype) if dtype.kind == "f" else words(128, seed=seed, dtype=dtype))
        if "funnel" in function:
            given[2] %= np.uint32(40)
        return [*given, np.zeros(128, TYPES[result]), np.int32(128)]

    def expect(*given):
        return {
            len(types): [model(*(x.item() for x in row)) for row in zip(*given[: len(types)], strict=True)]
        }

    marks = (not_on_standin,) if function.startswith(("__v", "__dp")) else ()
    return Case(code, args, expect, grid=(2,), block=(64,), marks=marks)


def numbers(dtype):
    """Floats of all sizes, ties and whole numbers among them."""
    rng = np.random.default_rng(5)
    x = (rng.uniform(-1, 1, 128) * 10.0 ** rng.integers(-3, 8, 128)).astype(dtype)
    x[:12] = [0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3, 1e20, -1e20, 2147483647, 4294967295]
    return x


CASES = [case(*row) for row in INTEGERS + WORDS]


@rows(CASES)
def test_intrinsic(case):
    run(case)


ROUND = {
    "rn": round,
    "rz": lambda x: int(x),
    "ru": lambda x: -((-x).__floor__()),
    "rd": lambda x: x.__floor__(),
}
TO_INTEGER = {"int": ("int", -(2**31), 2**31 - 1), "uint": ("unsigned", 0, M32),
              "ll": ("long long", -(2**63), 2**63 - 1), "ull": ("unsigned long long", 0, M64)}  # fmt: skip


def to_integer(source, target, mode):
    result, low, high = TO_INTEGER[target]
    row = case(
        f"__{source}2{target}_{mode}",
        [source],
        result,
        lambda x: max(low, min(high, ROUND[mode](Fraction(x)))),
    )
    return row


TO_INTEGERS = [to_integer(s, t, m) for s in ("float", "double") for t in TO_INTEGER for m in ROUND]


@rows(TO_INTEGERS)
def test_float_to_integer(case):
    run(case)


def directed(exact, dtype, mode):
    """The number of a type that a rounding makes of an exact one."""
    nearest = dtype(float(exact)) if dtype is np.float64 else np.float32(nearest_float(exact))
    if not np.isfinite(nearest):
        return nearest
    error = exact - Fraction(float(nearest))
    up = error > 0 and (mode == "ru" or (mode == "rz" and exact < 0))
    down = error < 0 and (mode == "rd" or (mode == "rz" and exact > 0))
    return np.nextafter(nearest, dtype(np.inf if up else -np.inf)) if up or down else nearest


def nearest_float(exact):
    """A float next to an exact number: which one does not matter to `directed`."""
    return np.float32(float(exact))


ARITHMETIC = {
    "add": ("a, b", lambda a, b, c: a + b),
    "sub": ("a, b", lambda a, b, c: a - b),
    "mul": ("a, b", lambda a, b, c: a * b),
    "div": ("a, b", lambda a, b, c: a / b),
    "rcp": ("a", lambda a, b, c: 1 / a),
    "fma": ("a, b, c", lambda a, b, c: a * b + c),
}


@pytest.mark.parametrize("mode", ["rz", "ru", "rd"])
@pytest.mark.parametrize("operation", ARITHMETIC)
@pytest.mark.parametrize("ctype", ["float", "double"])
def test_directed_rounding(ctype, operation, mode):
    """Against exact fractions."""
    dtype = TYPES[ctype]
    arguments, exact = ARITHMETIC[operation]
    letter = "f" if ctype == "float" else "d"
    if operation == "fma":
        function = f"__fma{'f' if ctype == 'float' else ''}_{mode}"
    else:
        function = f"__{letter}{operation}_{mode}"
    given = [floats(100, seed=k, dtype=dtype) * dtype(10.0 ** (3 * k)) for k in range(3)]
    run(
        Case(
            f"""extern "C" __global__ void k(const {ctype}* x, const {ctype}* y, const {ctype}* z, {ctype}* out) {{
                {ctype} a = x[threadIdx.x], b = y[threadIdx.x], c = z[threadIdx.x];
                out[threadIdx.x] = {function}({arguments});
            }}""",
            lambda: [*given, np.zeros(100, dtype)],
            lambda x, y, z, out: {
                3: [
                    directed(exact(*(Fraction(v.item()) for v in row)), dtype, mode)
                    for row in zip(x, y, z, strict=True)
                ]
            },
            block=(100,),
        )
    )
