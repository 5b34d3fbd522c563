"""Random programs: lines of text over the variables v0, v1, ..., the same for the same seed."""

import random

from catalogue import SHAPE, WRITES, _texts, calls, text

DTYPES = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
SHAPES = [
    "()",
    "(1,)",
    "(2,)",
    "(5,)",
    "(7,)",
    "(64,)",
    "(3, 4)",
    "(4, 3)",
    "(1, 4)",
    "(3, 1)",
    "(5, 5)",
    "(2, 3, 4)",
    "(0,)",
    "(0, 3)",
    "(3, 0)",
    "(1025,)",
    "(2, 1, 3)",
    "(33, 31)",
    "(5000,)",
]
WEIGHTS = [2, 2, 3, 6, 4, 4, 6, 4, 3, 3, 5, 4, 1, 1, 1, 2, 2, 2, 1]
VIEWS = [
    "",
    "",
    "",
    "",
    "[::-1]",
    ".T",
    "[::2]",
    "[...]",
    "[None]",
    "[1:]",
    ".ravel()",
    "[..., ::-1]",
    "[:, None]",
]
NUMBERS = [
    "0",
    "1",
    "-1",
    "2",
    "3.0",
    "0.5",
    "-2.5",
    "1e10",
    "float('nan')",
    "float('inf')",
    "True",
    "False",
    "1j",
    "127",
    "255",
    "2**31",
    "-0.0",
    "np.float32(1.5)",
    "np.int8(-3)",
    "np.uint64(7)",
    "np.bool_(True)",
]

CALLS = calls()
STATEMENTS = [text(one) for one in _texts(WRITES)]


class Draw:
    """Draws the parts of one program's calls."""

    dtypes = DTYPES

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = []

    def chance(self, p):
        return self.random.random() < p

    def pick(self, choices):
        return self.random.choice(choices)

    def integer(self, low, high):
        return self.random.randint(low, high)

    def number(self):
        return self.pick(NUMBERS) if self.chance(0.5) else str(self.integer(-9, 9))

    def variable(self):
        return self.pick(self.variables[-4:] if self.chance(0.7) else self.variables)

    def view(self, v):
        return v + (self.pick(VIEWS) if self.chance(0.35) else "")

    def array(self):
        return self.view(self.variable()) if self.chance(0.93) else self.number()

    def axis(self, v, none=True, many=False):
        if none and self.chance(0.2):
            return "None"
        if many and self.chance(0.15):
            return "(0, -1)"
        return self.pick(["0", "-1", "0", "-1", "1", "2"])

    def shape_like(self, v):
        return self.pick(SHAPES) if self.chance(0.5) else f"{v}.shape"

    def mask_of(self, v):
        return self.pick([f"({v} == {v})", f"({v} != 0)", f"({v} > 1)", f"xp.isfinite({v})", f"({v} == 0)"])

    def integers_below(self, v):
        return self.pick(
            [
                f"xp.argsort({v}, kind='stable')",
                "xp.arange(4)",
                f"({v} != 0).astype('i8')",
                "xp.array([0, 1, 1])",
            ]
        )

    def some_of(self, **options):
        return "".join(f", {key}={value}" for key, value in options.items() if self.chance(0.3))


class Program:
    """A program: its lines, and for each variable how it is compared and by which ufunc it was made."""

    def __init__(self, seed):
        self.seed = seed
        draw = Draw(seed)
        self.lines = []
        self.kinds = []
        for i in range(draw.integer(1, 3)):
            name = f"v{i}"
            shape = draw.random.choices(SHAPES, WEIGHTS)[0]
            kind = draw.pick(["small", "small", "special", "wide"])
            order = draw.pick(["C", "F", "K"])
            made = f"make({seed + i}, {shape}, '{draw.pick(DTYPES)}', {kind!r}, {order!r})"
            self._add(f"{name} = {made}", None)
            draw.variables.append(name)
        for _ in range(draw.integer(1, 30) if draw.chance(0.6) else draw.integer(1, 4)):
            if draw.chance(0.2):
                line = draw.pick(STATEMENTS)(draw)
                self._add(line, ("", None))
                continue
            name, kind, drawer = draw.pick(CALLS)
            variable = f"v{len(draw.variables)}"
            self._add(f"{variable} = {drawer(draw)}", (name, kind))
            draw.variables.append(variable)

    def _add(self, line, kind):
        self.lines.append(line)
        self.kinds.append(kind)

    def without(self, dropped):
        """Return the program without some of its lines."""
        made = Program.__new__(Program)
        made.seed = self.seed
        kept = [i for i in range(len(self.lines)) if i not in dropped]
        made.lines = [self.lines[i] for i in kept]
        made.kinds = [self.kinds[i] for i in kept]
        return made

    def __str__(self):
        return "\n".join(self.lines)


__all__ = ["Draw", "Program", "SHAPE"]
