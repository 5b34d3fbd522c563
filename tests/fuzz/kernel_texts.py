"""Texts of random CUDA C modules: some device functions and kernels, of defined behaviour alone."""

import random

KERNELS = 4
BLOCK, GRID = 64, 3
SIZE = BLOCK * GRID

INTEGERS = {
    "signed char": ("unsigned char", 8),
    "unsigned char": ("unsigned char", 8),
    "short": ("unsigned short", 16),
    "unsigned short": ("unsigned short", 16),
    "int": ("unsigned", 32),
    "unsigned": ("unsigned", 32),
    "long long": ("unsigned long long", 64),
    "unsigned long long": ("unsigned long long", 64),
}
"""Integer types: the unsigned one of their width, and their bits."""
SIGNED = {"signed char", "short", "int", "long long"}
FLOATS = {"float": "f", "double": ""}
TYPES = [*INTEGERS, *FLOATS, "int", "int", "unsigned", "long long", "float", "double", "bool"]
COMPOUND = ["+=", "-=", "*=", "&=", "|=", "^="]
OUTPUTS = {"int": "oi", "unsigned long long": "ou", "float": "of", "double": "od"}
INPUTS = {
    "int": "ai",
    "unsigned": "au",
    "long long": "al",
    "unsigned char": "ab",
    "short": "as",
    "float": "af",
    "double": "ad",
}

PRELUDE = """
struct P { int a; float b; unsigned char c; long long d; short e[3]; };
__device__ int whole(float x) { return x > -1e9f && x < 1e9f ? (int)x : 7; }
__device__ int whole(double x) { return x > -1e9 && x < 1e9 ? (int)x : 7; }
__device__ long long wide(double x) { return x > -1e18 && x < 1e18 ? (long long)x : -7; }
__device__ int bits(float x) { return x == x ? __float_as_int(x) : 3; }
__device__ long long bits(double x) { return x == x ? __double_as_longlong(x) : 3; }
template <typename T> __device__ T pick(T a, T b, bool c) { return c ? a : b; }
template <typename T, int N> __device__ T total(const T (&t)[N]) {
    T s = 0;
    for (int q = 0; q < N; ++q) s = (T)(s ^ t[q]);
    return s;
}
template <typename T> __device__ void swapped(T &a, T &b) { T c = a; a = b; b = c; }
"""


class Maker:
    """Draws the text of one function: statements over typed variables."""

    def __init__(self, rng, functions=()):
        self.rng, self.functions, self.scopes, self.count, self.loops = rng, list(functions), [], 0, 0

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, choices):
        return self.rng.choice(list(choices))

    def name(self):
        self.count += 1
        return f"x{self.count}"

    def variables(self, kind):
        return [name for scope in self.scopes for name, its in scope if its == kind]

    # Expressions

    def literal(self, kind):
        if kind == "bool":
            return self.pick(["true", "false"])
        if kind in FLOATS:
            value = self.pick(
                ["0.0", "1.0", "-1.0", "0.5", "2.5", "-3.25", "1e10", "1e-10", "3.14159", "100.0"]
            )
            return value + FLOATS[kind]
        bits = INTEGERS[kind][1]
        value = self.pick(
            [0, 1, 2, 3, 5, 7, 10, 31, 100, 127, 2 ** (bits - 1) - 1, self.rng.getrandbits(bits - 1)]
        )
        suffix = {32: "", 64: "LL"}.get(bits, "")
        return f"({kind}){value}{suffix}"

    def expression(self, kind, depth):
        """Return the text of an expression of a type."""
        known = self.variables(kind)
        if depth <= 0 or self.chance(0.12):
            return self.pick(known) if known and self.chance(0.85) else self.literal(kind)
        if self.chance(0.08):
            a, b = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
            return self.pick(
                [
                    f"pick<{kind}>({a}, {b}, {self.condition(depth - 1)})",
                    f"({self.condition(depth - 1)} ? {a} : {b})",
                ]
            )
        if self.chance(0.08):
            found = [one for one in self.functions if one[1] == kind]
            if found:
                name, _, kinds = self.pick(found)
                return f"{name}({', '.join(self.expression(one, depth - 2) for one in kinds)})"
        if kind == "bool":
            return self.condition(depth)
        if self.chance(0.15):
            return self.cast(kind, depth)
        return self.floating(kind, depth) if kind in FLOATS else self.integer(kind, depth)

    def condition(self, depth):
        if depth <= 0:
            known = self.variables("bool")
            return self.pick(known) if known else "true"
        if self.chance(0.25):
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return self.pick([f"({a} && {b})", f"({a} || {b})", f"(!{a})", f"({a} != {b})"])
        kind = self.pick(TYPES)
        if kind == "bool":
            kind = "int"
        compared = self.pick(["<", "<=", ">", ">=", "==", "!="])
        # Comparing a signed with an unsigned number converts it: also defined.
        other = self.pick([*INTEGERS]) if kind in INTEGERS and self.chance(0.3) else kind
        return f"({self.expression(kind, depth - 1)} {compared} {self.expression(other, depth - 1)})"

    def cast(self, kind, depth):
        source = self.pick(TYPES)
        inner = self.expression(source, depth - 1)
        if source in FLOATS and kind not in FLOATS:
            whole = (
                self.pick(["whole", "bits"]) if source == "float" else self.pick(["whole", "bits", "wide"])
            )
            inner = f"{whole}({inner})"
        return f"(({kind})({inner}))"

    def integer(self, kind, depth):
        unsigned, bits = INTEGERS[kind]
        a = self.expression(kind, depth - 1)
        b = self.expression(kind, depth - 1)
        way = self.rng.randrange(14)
        if way < 4:
            op = self.pick(["+", "-", "*"])
            # Narrow unsigned numbers are multiplied as ints, which could overflow: as unsigned.
            wide = "unsigned" if bits < 32 else unsigned
            return f"(({kind})(({wide})({a}) {op} ({wide})({b})))"
        if way == 4:
            small = [f"(({a}) & 0x7f)", f"(({b}) & 0x3f)"]
            return f"(({kind})({small[0]} {self.pick(['+', '-', '*'])} {small[1]}))"
        if way < 7:
            return f"(({kind})(({a}) {self.pick(['&', '|', '^'])} ({b})))"
        if way == 7:
            by = self.pick([str(self.rng.randrange(bits)), f"(({b}) & {bits - 1})"])
            return (
                f"(({kind})(({unsigned})({a}) << {by}))"
                if bits >= 32
                else f"(({kind})((unsigned)({a}) << {by}))"
            )
        if way == 8:
            return f"(({kind})(({a}) >> (({b}) & {bits - 1})))"
        if way == 9:
            divisor = f"((({b}) & 0x3f) | 1)"
            if kind in SIGNED and self.chance(0.3):
                divisor = f"(-((({b}) & 0x3f) + 2))"
            return f"(({kind})(({a}) {self.pick(['/', '%'])} {divisor}))"
        if way == 10:
            return f"(({kind})(~({a})))"
        if way == 11 and bits >= 32:
            return f"(({kind}){self.pick(['min', 'max'])}(({kind})({a}), ({kind})({b})))"
        if way == 12:
            call = {
                32: [
                    "__popc((unsigned)({a}))",
                    "__clz((int)({a}))",
                    "__ffs((int)({a}))",
                    "(int)__brev((unsigned)({a}))",
                    "(int)__umulhi((unsigned)({a}), (unsigned)({b}))",
                    "__mulhi((int)({a}), (int)({b}))",
                    "(int)__byte_perm((unsigned)({a}), (unsigned)({b}), 0x2537u)",
                ],
                64: [
                    "__popcll((unsigned long long)({a}))",
                    "__clzll((long long)({a}))",
                    "__ffsll((long long)({a}))",
                    "(long long)__brevll((unsigned long long)({a}))",
                    "(long long)__umul64hi((unsigned long long)({a}), (unsigned long long)({b}))",
                ],
            }[64 if bits == 64 else 32]
            return f"(({kind})({self.pick(call).format(a=a, b=b)}))"
        return f"(({kind})(-({unsigned if bits >= 32 else 'unsigned'})({a})))"

    def floating(self, kind, depth):
        a = self.expression(kind, depth - 1)
        b = self.expression(kind, depth - 1)
        f = FLOATS[kind]
        way = self.rng.randrange(12)
        if way < 6:
            return f"(({a}) {self.pick(['+', '-', '*', '/', '*'])} ({b}))"
        if way == 6:
            return f"{self.pick(['floor', 'ceil', 'trunc', 'rint', 'fabs'])}{f}({a})"
        if way == 7:
            return f"sqrt{f}(fabs{f}({a}))"
        if way == 8:
            return f"(({a}) == ({b}) ? ({kind})2 : {self.pick(['fmin', 'fmax'])}{f}({a}, {b}))"
        if way == 9:
            return f"fma{f}({a}, {b}, {self.expression(kind, depth - 2)})"
        if way == 10:
            return f"copysign{f}(fabs{f}({a}), ({b}) < 0 ? ({kind})-1 : ({kind})1)"
        return f"(-({a}))"

    # Statements

    def block(self, statements, indent):
        self.scopes.append([])
        lines = [line for _ in range(statements) for line in self.statement(indent)]
        self.scopes.pop()
        return lines

    def target(self):
        scope = [one for scope in self.scopes for one in scope if not one[0].startswith("q")]
        return self.pick(scope) if scope else None

    def statement(self, indent=1):
        """Return the lines of one statement."""
        pad = "    " * indent
        way = self.rng.randrange(17)
        target = self.target()
        if way < 4 or target is None:
            kind = self.pick(TYPES)
            text = self.expression(kind, 4)
            name = self.name()
            self.scopes[-1].append((name, kind))
            return [f"{pad}{kind} {name} = {text};"]
        name, kind = target
        if way < 8:
            return [f"{pad}{name} = {self.expression(kind, 4)};"]
        if way == 8 and kind in INTEGERS:
            if INTEGERS[kind][1] >= 32 and kind not in SIGNED:
                return [f"{pad}{name} {self.pick(COMPOUND)} {self.expression(kind, 3)};"]
            return [f"{pad}{name} {self.pick(['&=', '|=', '^='])} {self.expression(kind, 3)};"]
        if way == 8 and kind in FLOATS:
            return [f"{pad}{name} {self.pick(['+=', '-=', '*=', '/='])} {self.expression(kind, 3)};"]
        if way == 9 and kind in INTEGERS and kind not in SIGNED:
            return [f"{pad}{self.pick(['++{0}', '{0}++', '--{0}', '{0}--']).format(name)};"]
        if indent < 4 and way in (10, 11):
            lines = [
                f"{pad}if ({self.condition(3)}) {{",
                *self.block(self.rng.randint(1, 3), indent + 1),
                f"{pad}}}",
            ]
            if self.chance(0.5):
                lines[-1] += " else {"
                lines += [*self.block(self.rng.randint(1, 2), indent + 1), f"{pad}}}"]
            return lines
        if indent < 3 and way in (12, 13):
            index = f"q{self.count}_{indent}"
            end = self.pick(["3", "5", f"(int)({self.expression('unsigned', 1)} & 7)"])
            self.scopes.append([(index, "int")])
            self.loops += 1
            body = self.block(self.rng.randint(1, 3), indent + 1)
            if self.chance(0.3):
                body.insert(
                    self.rng.randrange(len(body) + 1) if indent > 9 else 0,
                    f"{pad}    if ({self.condition(2)}) {self.pick(['break', 'continue'])};",
                )
            self.loops -= 1
            self.scopes.pop()
            return [f"{pad}for (int {index} = 0; {index} < {end}; ++{index}) {{", *body, f"{pad}}}"]
        if indent < 3 and way == 14:
            lines = [f"{pad}switch ({self.expression('unsigned', 2)} & 3) {{"]
            for number in range(3):
                lines += [f"{pad}case {number}: {{", *self.block(1, indent + 1), f"{pad}}}"]
                lines += [f"{pad}    break;"] if self.chance(0.7) else []
            return [*lines, f"{pad}default: {{", *self.block(1, indent + 1), f"{pad}}}", f"{pad}}}"]
        if way == 15:
            return self.array(pad)
        return self.struct(pad)

    def array(self, pad):
        """Lines that fill a local array and read it by a computed position."""
        kind, name, copy = self.pick(INTEGERS), self.name(), self.name()
        fill, value = self.expression(kind, 2), self.expression(kind, 2)
        at, to = self.expression("unsigned", 2), self.expression("unsigned", 2)
        self.scopes[-1].append((copy, kind))
        return [
            f"{pad}{kind} {name}[8];",
            f"{pad}for (int q = 0; q < 8; ++q) {name}[q] = ({kind})(({fill}) ^ ({kind})q);",
            f"{pad}{name}[{to} & 7] = {value};",
            f"{pad}{kind} {copy} = ({kind})({name}[{at} & 7] ^ total({name}));",
        ]

    def struct(self, pad):
        """Lines that fill a struct, copy it and swap variables by reference."""
        name, copy, result = self.name(), self.name(), self.name()
        parts = [self.expression(kind, 2) for kind in ("int", "float", "unsigned char", "long long", "short")]
        at = self.expression("unsigned", 1)
        mixed = f"(unsigned long long){copy}.d ^ {copy}.e[0] ^ {copy}.e[2] ^ {name}.a ^ bits({copy}.b)"
        lines = [
            f"{pad}P {name} = {{{', '.join(parts[:4])}, {{{parts[4]}, 2, 3}}}};",
            f"{pad}P {copy} = {name};",
            f"{pad}{copy}.e[{at} % 3u] = (short){name}.c;",
            f"{pad}swapped({copy}.a, {name}.a);",
            f"{pad}long long {result} = (long long)({mixed});",
        ]
        self.scopes[-1].append((result, "long long"))
        return lines


def function(rng, number, known):
    """Return a device function: its text, and (name, type, types of its parameters)."""
    maker = Maker(rng, known)
    kind = maker.pick(TYPES)
    kinds = [maker.pick(TYPES) for _ in range(rng.randint(1, 3))]
    names = [f"p{i}" for i in range(len(kinds))]
    maker.scopes.append(list(zip(names, kinds, strict=True)))
    lines = [line for _ in range(rng.randint(1, 3)) for line in maker.statement()]
    early = f"    if ({maker.condition(2)}) return {maker.expression(kind, 2)};" if maker.chance(0.4) else ""
    lines += [early, f"    return {maker.expression(kind, 4)};"]
    given = ", ".join(f"{k} {n}" for k, n in zip(kinds, names, strict=True))
    return f"__device__ {kind} f{number}({given}) {{\n" + "\n".join(lines) + "\n}\n", (
        f"f{number}",
        kind,
        kinds,
    )


def exchanges(maker):
    """Lines that exchange values between the threads of a block or a warp, or add them up."""
    known, result = maker.variables("int"), maker.name()
    value = maker.pick(known) if known else "i"
    maker.scopes[-1].append((result, "int"))
    way = maker.rng.randrange(4)
    if way == 0:
        by = maker.pick([1, 3, 5, 17, 63])
        return [
            "    __syncthreads();",
            f"    meeting[threadIdx.x] = {value};",
            "    __syncthreads();",
            f"    int {result} = meeting[(threadIdx.x + {by}) % {BLOCK}];",
        ]
    if way == 1:
        lane = maker.pick([1, 2, 4, 16, 31])
        return [f"    int {result} = __shfl_xor_sync(0xffffffffu, {value}, {lane});"]
    if way == 2:
        return [f"    int {result} = (int)__ballot_sync(0xffffffffu, {value} > 3);"]
    op, place = maker.pick([("atomicAdd", 0), ("atomicXor", 1), ("atomicMax", 2), ("atomicOr", 3)])
    return [f"    {op}(sums + {place}, {value});", f"    int {result} = {value};"]


def kernel(rng, number, known, kept=None):
    """Return a kernel's text and how many statements it has; `kept` names those that stay."""
    maker = Maker(rng, known)
    maker.scopes.append([("i", "int")] + [(f"r{name}", kind) for kind, name in INPUTS.items()])
    statements = [
        exchanges(maker) if maker.chance(0.12) else maker.statement() for _ in range(rng.randint(3, 12))
    ]
    stores = []
    for kind, output in OUTPUTS.items():
        stores.append([f"    {output}[at] = {maker.expression(kind, 5)};"])
    parts = statements + stores
    count = len(parts)
    lines = [line for at, part in enumerate(parts) if kept is None or at in kept for line in part]
    inputs = ", ".join(f"const {kind} *{name}" for kind, name in INPUTS.items())
    outputs = ", ".join(f"{kind} *{name}" for kind, name in OUTPUTS.items())
    loads = "".join(f"    {kind} r{name} = {name}[at];\n" for kind, name in INPUTS.items())
    return (
        f'extern "C" __global__ void k{number}({inputs}, {outputs}, int *sums) {{\n'
        f"    __shared__ int meeting[{BLOCK}];\n"
        f"    const int at = blockIdx.x * blockDim.x + threadIdx.x;\n    int i = at;\n{loads}"
        + "\n".join(lines)
        + "\n}\n"
    ), count


def module(seed, only=None, kept=None):
    """Return a module's text, the names of its kernels and their counts of statements."""
    rng = random.Random(seed)
    texts, known, counts, names = [PRELUDE], [], [], []
    for number in range(rng.randint(0, 4)):
        text, signature = function(rng, number, known)
        texts.append(text)
        known.append(signature)
    for number in range(KERNELS):
        own = random.Random(f"{seed}/{number}")
        text, count = kernel(own, number, known, kept if number == only else None)
        counts.append(count)
        if only is None or number == only:
            texts.append(text)
            names.append(f"k{number}")
    return "\n".join(texts), names, counts
