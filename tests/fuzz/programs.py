"""Random programs: lines of text over the variables v0, v1, ..., the same for the same seed."""

import functools
import random
import re

import stored
from catalogue import CLOSE, EXACT, WRITES, _called, _texts, calls, text

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
    "(2, 3, 2, 3)",
    "(1, 1, 1)",
    "(257,)",
    "(2, 130)",
]
WEIGHTS = [4, 4, 6, 12, 8, 6, 12, 8, 6, 6, 10, 8, 2, 2, 2, 1, 4, 1, 0.5, 4, 2, 2, 2]
LARGE_SHAPES = {
    "(5000,)": 12,
    "(4100,)": 6,
    "(70, 71)": 16,
    "(71, 70)": 8,
    "(17, 17, 17)": 8,
    "(4, 1025)": 8,
    "(1025, 4)": 8,
    "(2, 3, 700)": 6,
    "(71,)": 6,
    "(70, 1)": 6,
    "(17, 1, 17)": 3,
    "()": 4,
    "(1,)": 3,
}
"""Shapes of arrays that are too large to be computed at the call, and of some that broadcast with them."""
VARIANTS = 10
"""Seeds that share one text: their arrays have other values, dtypes and layouts."""
SCIPY_SHARE = 0.1
"""The part of calls that are SciPy's: one takes the time of ten others."""
SLOW = {
    f"scipy.{name}"
    for name in (
        "interpolate.griddata",
        "linalg.expm",
        "linalg.fractional_matrix_power",
        "linalg.logm",
        "linalg.sqrtm",
        "linalg.tanhm",
        "linalg.tanm",
        "ndimage.map_coordinates",
        "sparse.linalg.spsolve",
        "stats.kendalltau",
        "signal.windows.dpss",
    )
}
"""Functions that take tens of milliseconds for a few elements, SciPy's or ours: called less often."""
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
LAYOUTS = [
    "F",
    "strided",
    "outer strided",
    "negative",
    "negative strided",
    "offset",
    "permuted",
    "broadcast rows",
    "broadcast columns",
    "unaligned",
    "empty",
    "size 1",
    "0-d",
]
"""Layouts of `samples.py`, and two of `oracle.make`."""
EVEN_LAYOUTS = [one for one in LAYOUTS if one not in ("empty", "size 1", "0-d")]
"""Layouts that keep the shape."""
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

KINDS = ["small", "small", "special", "wide"]
CALLS = [one for one in calls() if not one[0].startswith("scipy.")]
SCIPY_CALLS = [one for one in calls() if one[0].startswith("scipy.")]
STATEMENTS = [text(one) for one in _texts(WRITES)]


class Draw:
    """Draws the parts of one program's calls."""

    dtypes = DTYPES
    numbers = NUMBERS
    statements = STATEMENTS

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = []

    @staticmethod
    def of_program(program, seed):
        """Return the draw of a program: some are of dates, some of structures."""
        return {0: DrawDates, 1: DrawStructures}.get(program % stored.SHARE, Draw)(seed)

    def chance(self, p):
        return self.random.random() < p

    def pick(self, choices):
        return self.random.choice(choices)

    def integer(self, low, high):
        return self.random.randint(low, high)

    def number(self):
        return self.pick(self.numbers) if self.chance(0.5) else str(self.integer(-9, 9))

    def call(self):
        """Return the name of a call, how it is compared, and its drawer."""
        calls_of = SCIPY_CALLS if self.chance(SCIPY_SHARE) else CALLS
        found = self.pick(calls_of)
        while found[0] in SLOW and not self.chance(0.05):
            found = self.pick(calls_of)
        return found

    def variable(self):
        return self.pick(self.variables[-4:] if self.chance(0.7) else self.variables)

    def view(self, v):
        return v + (self.pick(VIEWS) if self.chance(0.35) else "")

    def array(self):
        return self.view(self.variable()) if self.chance(0.93) else self.number()

    def operand(self):
        """Return an array or a number whose methods can be called."""
        text = self.array()
        return text if text[0] == "v" else f"({text})"

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

    def values(self, shape, kind, dtypes):
        """Return the text of an array of a shape, of a kind of values and of one of some dtypes."""
        return self.made(shape, kind, dtypes, EVEN_LAYOUTS, 0.25)

    def made(self, shape, kind, dtypes, layouts=None, p=0.6):
        layout = self.pick(layouts or LAYOUTS) if self.chance(p) else "C"
        return f"make({self.integer(0, 9999)}, {shape}, '{self.pick(dtypes)}', {kind!r}, {layout!r})"

    def some_of(self, **options):
        return "".join(f", {key}={value}" for key, value in options.items() if self.chance(0.3))


def _stored_calls(block):
    sums = stored.SUMS
    return [(_called(one), CLOSE if sums.search(one) else EXACT, text(one)) for one in _texts(block)]


class DrawDates(Draw):
    """Draws programs of dates and differences, with some numbers."""

    dtypes = [*stored.TIMES, *stored.TIMES, *stored.NUMBERS]
    numbers = stored.DATE_NUMBERS
    statements = [text(one) for one in _texts(stored.WRITES + ";" + stored.DATE_WRITES)]
    calls = _stored_calls(stored.MOVES), _stored_calls(stored.DATES)

    def call(self):
        return self.pick(self.pick(self.calls))

    def mask_of(self, v):
        return self.pick([f"({v} == {v})", f"({v} != {v})", f"xp.isnat({v})", f"({v} == {v}[...])"])


class DrawStructures(Draw):
    """Draws programs of structures, with some numbers."""

    dtypes = [*stored.STRUCTURES, *stored.STRUCTURES, "i4", "f8"]
    statements = [text(one) for one in _texts(stored.WRITES + ";" + stored.STRUCTURED_WRITES)]
    calls = _stored_calls(stored.MOVES), _stored_calls(stored.STRUCTURED)

    def call(self):
        return self.pick(self.pick(self.calls))

    def mask_of(self, v):
        return self.pick([f"({v} == {v})", f"({v} == {v}[::-1])", f"({v} != {v})"])


def enlarge():
    """Draw large arrays from now on: their lines are recorded and fuse."""
    SHAPES[:], WEIGHTS[:] = LARGE_SHAPES, LARGE_SHAPES.values()
    # All pairs of so many elements are too many.
    VIEWS[:] = [one for one in VIEWS if one != "[:, None]"]


_MAKE = re.compile(r"(v\d+) = make\((\d+), \(([\d, ]*)\), '([\w\[\]]+)', '(\w+)', '([\w -]+)'\)")


_FIRST = re.compile(r"make\((\d+)")
_PAIRS = re.compile(
    r"roots\(|outer\(|kron\(|block_diag|circulant|companion|toeplitz|hankel|diagflat|'i,j'|meshgrid"
)
_LONG = re.compile(
    r"make\((\d+), \((?:1025|4100|5000|70, 71|71, 70|17, 17, 17|4, 1025|1025, 4|2, 3, 700),?\),"
)


@functools.lru_cache(4096)
def compiled(line):
    """Return the code of a line; many programs share lines."""
    return compile(line, "<program>", "exec")


class Program:
    """A program: its lines, and for each variable how it is compared and by which ufunc it was made."""

    def __init__(self, seed):
        self.seed = seed
        text, variant = divmod(seed, VARIANTS)
        draw = Draw.of_program(text, text)
        self.lines = []
        self.kinds = []
        # Most arrays have the shape of the others: what does not broadcast is an error.
        base = draw.random.choices(SHAPES, WEIGHTS)[0]
        for i in range(draw.integer(1, 3)):
            name = f"v{i}"
            shape = base if draw.chance(0.6) else draw.random.choices(SHAPES, WEIGHTS)[0]
            kind = draw.pick(KINDS)
            self._add(f"{name} = {draw.made(shape, kind, draw.dtypes)}", None)
            draw.variables.append(name)
        for _ in range(draw.integer(1, 30) if draw.chance(0.6) else draw.integer(1, 4)):
            if draw.chance(0.2):
                line = draw.pick(draw.statements)(draw)
                self._add(line, ("", None))
                continue
            variable = f"v{len(draw.variables)}"
            if draw.chance(0.15):
                # Exact values, for what was computed becomes less and less so.
                shape = base if draw.chance(0.6) else draw.random.choices(SHAPES, WEIGHTS)[0]
                self._add(f"{variable} = {draw.made(shape, draw.pick(KINDS), draw.dtypes)}", None)
                draw.variables.append(variable)
                continue
            name, kind, drawer = draw.call()
            self._add(f"{variable} = {drawer(draw)}", (name, kind))
            draw.variables.append(variable)
        if any(_PAIRS.search(line) for line in self.lines):
            # NumPy takes ten seconds for some functions of all pairs of 5000 elements.
            self.lines = [_LONG.sub("make(\\1, (300,),", line) for line in self.lines]
        if variant:
            self._vary(Draw.of_program(text, f"{text} {variant}"))

    def _vary(self, draw):
        """Draw the arrays anew, each of the shape that it has."""
        for number, kind in enumerate(self.kinds):
            if kind is None:
                name, _, shape, *_ = _MAKE.fullmatch(self.lines[number]).groups()
                self.lines[number] = f"{name} = {draw.made(f'({shape})', draw.pick(KINDS), draw.dtypes)}"

    def with_values(self, number):
        """Return the program with other values in its arrays; number 0 is the program itself."""
        if not number:
            return self
        made = Program.of(self.lines, self.kinds)
        made.seed = self.seed
        made.lines = [
            _FIRST.sub(lambda at: f"make({(int(at[1]) + 977) % 10_000}", line) for line in self.lines
        ]
        return made

    def _add(self, line, kind):
        self.lines.append(line)
        self.kinds.append(kind)

    @classmethod
    def of(cls, lines, kinds):
        """Return the program of some lines and their kinds."""
        made = cls.__new__(cls)
        made.seed, made.lines, made.kinds = 0, list(lines), [kind and tuple(kind) for kind in kinds]
        return made

    def steps(self):
        """Return for each line its code, or the variable and the arguments of an array that it makes."""
        for line in self.lines:
            made = _MAKE.fullmatch(line)
            if made is None:
                yield compiled(line), None
            else:
                name, seed, shape, *rest = made.groups()
                shape = tuple(int(length) for length in shape.split(",") if length.strip())
                yield name, (int(seed), shape, *rest)

    def without(self, dropped):
        """Return the program without some of its lines."""
        kept = [i for i in range(len(self.lines)) if i not in dropped]
        return Program.of([self.lines[i] for i in kept], [self.kinds[i] for i in kept])

    def __str__(self):
        return "\n".join(self.lines)
