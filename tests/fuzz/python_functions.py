"""Random Python functions, compiled for kernels and for `fuse`: Python itself is the oracle.

    python tests/fuzz/python_functions.py --functions 500 --seed 1 --jobs 2

A function has numbers for arguments, and statements over them: sums, products, divisions that round down,
bits, comparisons, branches, loops, tuples. It runs as Python with NumPy's numbers for every element, and as a
kernel of `cp.jit`, by Numba's types; a formula of one expression runs as `cp.fuse`. Operations are those that
round correctly, so the results are equal bit for bit.
"""

import argparse
import json
import os
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SIZE = 64


class Maker:
    """Draws the text of a function over int64 and float64 variables."""

    def __init__(self, rng):
        self.rng, self.count = rng, 0
        self.scope = [("a", "i"), ("b", "i"), ("x", "f"), ("y", "f")]

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, choices):
        return self.rng.choice(list(choices))

    def leaf(self, kind):
        known = [name for name, its in self.scope if its == kind]
        if known and self.chance(0.8):
            return self.pick(known)
        if kind == "i":
            return self.pick(
                ["0", "1", "2", "3", "7", "-1", "-5", "100", "1234567", str(self.rng.getrandbits(40))]
            )
        return self.pick(["0.0", "1.0", "0.5", "-2.5", "3.0", "1e10", "1e-3", "100.25"])

    def expression(self, kind, depth=3):
        """Return the text of an expression: `i` an integer, `f` a float."""
        if depth <= 0 or self.chance(0.15):
            return self.leaf(kind)
        a, b = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
        if self.chance(0.1):
            return f"({a} if {self.condition(depth - 1)} else {b})"
        if kind == "i":
            way = self.rng.randrange(13)
            if way < 4:
                return f"({a} {self.pick('+-*')} {b})"
            if way < 6:
                return f"({a} {self.pick(['//', '%'])} (({b} & 15) + 1))"
            if way == 6:
                return f"({a} // -(({b} & 7) + 2))" if self.chance(0.5) else f"({a} % -(({b} & 7) + 2))"
            if way == 7:
                return f"({a} {self.pick('&|^')} {b})"
            if way == 8:
                return f"(({a} & 0xFFFF) {self.pick(['<<', '>>'])} ({b} & 15))"
            if way == 9:
                return f"{self.pick(['min', 'max'])}({a}, {b})"
            if way == 10:
                return f"(~{a})" if self.chance(0.5) else f"(-{a})"
            if way == 11:
                return f"abs({a} >> 1)"
            return f"(({a} & 7) ** {self.rng.randint(0, 4)})"
        way = self.rng.randrange(12)
        if way < 4:
            return f"({a} {self.pick('+-*')} {b})"
        if way == 4:
            return f"({a} / (abs({b}) + 1.0))"
        if way == 5:
            return f"math.{self.pick(['floor', 'ceil', 'trunc'])}(min(max({a}, -1e9), 1e9)) * 1.0"
        if way == 6:
            return f"math.sqrt(abs({a}))"
        if way == 7:
            return f"abs({a})" if self.chance(0.5) else f"(-{a})"
        if way == 8:
            return f"(({self.expression('i', depth - 1)}) * 0.5)"
        if way == 9:
            p, q = self.expression("i", depth - 1), self.expression("i", depth - 1)
            return f"(({p} & 1023) / (({q} & 15) + 1))"
        if way == 10:
            return f"math.copysign(abs({a}), 1.0 if {b} < 0 else -1.0)"
        return f"float({self.expression('i', depth - 1)})"

    def condition(self, depth=2):
        if depth > 0 and self.chance(0.25):
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return self.pick([f"({a} and {b})", f"({a} or {b})", f"(not {a})"])
        kind = self.pick("if")
        a, b, c = (self.expression(kind, depth - 1) for _ in range(3))
        compared = self.pick(["<", "<=", ">", ">=", "==", "!="])
        return f"({a} {compared} {b})" if self.chance(0.8) else f"({a} <= {b} < {c})"

    def new(self, kind):
        self.count += 1
        name = f"v{self.count}"
        self.scope.append((name, kind))
        return name

    def inner(self, lines, indent):
        kept = len(self.scope)
        found = [line for _ in range(lines) for line in self.statement(indent)]
        del self.scope[kept:]
        return found or ["    " * indent + "pass"]

    def statement(self, indent=1):
        """Return the lines of a statement."""
        pad, way = "    " * indent, self.rng.randrange(13)
        changed = [(name, kind) for name, kind in self.scope if name[0] != "q"]
        name, kind = self.pick(changed)
        if way < 4:
            kind = self.pick("if")
            text = self.expression(kind)
            return [f"{pad}{self.new(kind)} = {text}"]
        if way < 6:
            return [f"{pad}{name} = {self.expression(kind)}"]
        if way == 6:
            return [f"{pad}{name} {self.pick(['+=', '-=', '*='])} {self.expression(kind, 2)}"]
        if way in (7, 8) and indent < 4:
            lines = [f"{pad}if {self.condition()}:", *self.inner(self.rng.randint(1, 2), indent + 1)]
            if self.chance(0.4):
                lines += [f"{pad}elif {self.condition()}:", *self.inner(1, indent + 1)]
            if self.chance(0.5):
                lines += [f"{pad}else:", *self.inner(1, indent + 1)]
            return lines
        if way == 9 and indent < 3:
            index = f"q{indent}_{self.count}"
            steps = self.pick(["3", "5", "(a & 7)", "1, 6, 2", "4, -1, -1"])
            self.scope.append((index, "i"))
            body = self.inner(self.rng.randint(1, 2), indent + 1)
            if self.chance(0.4):
                body.append(
                    f"{pad}    if {self.condition(1)}:\n{pad}        {self.pick(['break', 'continue'])}"
                )
            self.scope.remove((index, "i"))
            return [f"{pad}for {index} in range({steps}):", *body]
        if way == 10 and indent < 3:
            index = f"q{indent}_{self.count}"
            self.scope.append((index, "i"))
            body = self.inner(1, indent + 1)
            self.scope.remove((index, "i"))
            return [
                f"{pad}{index} = 0",
                f"{pad}while {index} < {self.rng.randint(1, 4)}:",
                f"{pad}    {index} += 1",
                *body,
            ]
        if way == 11:
            first, second = self.pick("if"), self.pick("if")
            texts = self.expression(first, 2), self.expression(second, 2)
            pair = self.new(first), self.new(second)
            return [f"{pad}{pair[0]}, {pair[1]} = {texts[0]}, {texts[1]}"]
        others = [one for one, its in changed if its == kind]
        other = self.pick(others)
        return [f"{pad}{name}, {other} = {other}, {name}"]


def function(seed, dropped=frozenset()):
    """Return the text of `f(a, b, x, y)`, which returns an integer and a float, and its statements."""
    maker = Maker(random.Random(seed))
    parts = [maker.statement() for _ in range(maker.rng.randint(1, 7))]
    results = maker.expression("i", 4), maker.expression("f", 4)
    lines = [line for at, part in enumerate(parts) if at not in dropped for line in part]
    # Variables of a statement that was dropped keep a value.
    bound = [
        f"    v{n} = {0 if kind == 'i' else 0.0}"
        for name, kind in maker.scope
        if name[0] == "v"
        for n in [name[1:]]
    ]
    text = [
        "def f(a, b, x, y):",
        *(bound if dropped else []),
        *lines,
        f"    return {results[0]}, {results[1]}",
    ]
    return "\n".join(text) + "\n", len(parts)


def formula(seed):
    """Return the text of `f(a, b, x, y)` of one expression, for `fuse`."""
    rng = random.Random(f"formula {seed}")

    def expression(depth):
        if depth == 0 or rng.random() < 0.2:
            return rng.choice(["a", "b", "x", "y", "2", "0.5", "3"])
        p, q = expression(depth - 1), expression(depth - 1)
        return rng.choice(
            [
                f"({p} + {q})",
                f"({p} - {q})",
                f"({p} * {q})",
                f"xp.maximum({p}, {q})",
                f"xp.minimum({p}, {q})",
                f"xp.where({p} > {q}, {p}, {q})",
                f"xp.sqrt(xp.abs({p}))",
                f"xp.floor({p} * 0.5)",
                f"(-{p})",
                f"({p} / (xp.abs({q}) + 1))",
                f"xp.square({p})",
            ]
        )

    return f"def f(a, b, x, y):\n    return {expression(4)}\n"


KERNEL = """
@cp.jit
def kernel(a, b, x, y, whole, real):
    i = cp.jit.grid(1)
    if i < a.size:
        p, q = inner(a[i], b[i], x[i], y[i])
        whole[i] = p
        real[i] = q
"""


def arguments(seed):
    import numpy as np

    rng = np.random.default_rng(seed)
    whole = [rng.integers(-20, 20, SIZE), rng.integers(-(2**62), 2**62, SIZE)]
    a, b = (np.where(rng.random(SIZE) < 0.8, *whole) for _ in range(2))
    special = np.array([0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, 1e300, 5e-324])
    x, y = (
        np.where(rng.random(SIZE) < 0.8, rng.normal(size=SIZE) * 10, rng.choice(special, SIZE))
        for _ in range(2)
    )
    return a, b, x, y


def oracle(text, given):
    """Return the function's results by Python, with NumPy's numbers; None where Python raises."""
    import math
    import warnings

    import numpy as np

    space = {"math": math, "np": np}
    exec(text, space)
    whole, real, valid = np.zeros(SIZE, np.int64), np.zeros(SIZE), np.ones(SIZE, bool)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(SIZE):
            try:
                p, q = space["f"](*(one[i] for one in given))
                whole[i], real[i] = p, q
            except (OverflowError, ValueError, ZeroDivisionError):
                # Python's own integers and `math` refuse what NumPy's numbers and kernels do not.
                valid[i] = False
    return whole, real, valid


def check(seed, dropped=frozenset()):
    """Return what differs, or None."""
    import linecache
    import math

    import numpy as np

    import cuprum as cp

    text, _ = function(seed, dropped)
    given = arguments(seed)
    whole, real, valid = oracle(text, given)
    code = text.replace("def f(", "def inner(")
    name = f"<function {seed}>"
    source = "@cp.jit(device=True)\n" + code + KERNEL
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    space = {"math": math, "np": np, "cp": cp}
    ours = [cp.asarray(one) for one in given]
    problems = []
    try:
        exec(compile(source, name, "exec"), space)
        # Products and sums stay apart, as in Python.
        space["kernel"]._options = ("--fmad=false",)
        got = cp.zeros(SIZE, "i8"), cp.zeros(SIZE, "f8")
        space["kernel"][2, 32](*ours, *got)
        problems.append(_differs("cp.jit", got, (whole, real), valid))
    except Exception as error:
        problems.append(f"cp.jit raises {type(error).__name__}: {str(error)[:300]}")
    problems.append(_fused(seed, given, ours))
    return next((one for one in problems if one), None)


def _fused(seed, given, ours):
    import numpy as np

    import cuprum as cp

    text = formula(seed)
    results = []
    for xp, values in ((np, given), (cp, ours)):
        space = {"xp": xp}
        exec(text, space)
        run = space["f"] if xp is np else cp.fuse(space["f"])
        try:
            with np.errstate(all="ignore"):
                results.append(run(*values))
        except Exception as error:
            results.append(error)
    want, got = results
    if isinstance(want, Exception) or isinstance(got, Exception):
        same = isinstance(want, Exception) and isinstance(got, Exception)
        return None if same else f"cp.fuse: {got!r}, {want!r} of NumPy's\n{text}"
    want, got = np.asarray(want), cp.asnumpy(got)
    if got.dtype != want.dtype or not np.array_equal(got, want, equal_nan=True):
        return f"cp.fuse: {got.dtype} {got[:4]}, {want.dtype} {want[:4]} of NumPy's\n{text}"
    return None


def _differs(what, got, want, valid):
    import numpy as np

    import cuprum as cp

    for one, other in zip(got, want, strict=True):
        one = cp.asnumpy(one)
        same = (one == other) | ((one != one) & (other != other)) | ~valid
        if not same.all():
            at = int(np.flatnonzero(~same)[0])
            return f"{what}: element {at} is {one[at]!r}, {other[at]!r} of Python's"
    return None


def worker(first, count):
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    for seed in range(first, first + count):
        print(json.dumps({"seed": seed}), flush=True)
        found = check(seed)
        dropped = frozenset()
        if found:
            for statement in reversed(range(function(seed)[1])):
                smaller = dropped | {statement}
                if (again := check(seed, smaller)) and again.split(":")[0] == found.split(":")[0]:
                    found, dropped = again, smaller
        print(
            json.dumps({"seed": seed, "done": True, "found": found, "dropped": sorted(dropped)}), flush=True
        )


TEST = '''"""Found by the fuzzer of Python functions: {what}."""

import pathlib
import sys

FUZZ = pathlib.Path(__file__).resolve().parents[1] / "tests" / "fuzz"
sys.path[:0] = [str(FUZZ), str(FUZZ.parent)]

import python_functions  # noqa: E402

TEXT = """
{text}"""


def test_function():
    assert python_functions.check({seed}, frozenset({dropped})) is None
'''


def main():
    """Compare functions; the exit status says whether anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--functions", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--failures", default="fuzz-failures")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(int(options.worker[0]), int(options.worker[1]))
        return 0
    sys.path[:0] = [str(HERE)]
    import pool

    first = options.seed * 1_000_000
    batch = max(1, min(100, options.functions // max(1, options.jobs)))
    tasks = (
        pool.Task(at, min(batch, first + options.functions - at))
        for at in range(first, first + options.functions, batch)
    )
    begun, done, last, found = time.monotonic(), 0, first, {}
    for _, said in pool.run(__file__, tasks, options.jobs, options.seconds):
        done, last = done + bool(said.get("done")), max(last, said["seed"])
        what = said.get("found") or said.get("ended")
        if what:
            seed, dropped = said["seed"], said.get("dropped", [])
            found[seed] = what
            text = function(seed, frozenset(dropped))[0]
            print(f"seed {seed}: {what}\n{text}", flush=True)
            folder = pathlib.Path(options.failures)
            folder.mkdir(parents=True, exist_ok=True)
            brief = what.splitlines()[0].replace('"', "'").replace("\\", "/")
            (folder / f"test_function_{seed}.py").write_text(
                TEST.format(what=brief, text=text, seed=seed, dropped=dropped)
            )
            if len(found) >= pool.ENOUGH:
                break
    print(
        f"Python functions: {done} functions, each as a kernel and a fused formula, over {SIZE} elements, "
        f"seeds {first} to {last}, {time.monotonic() - begun:.0f} s; "
        f"{len(found)} differences"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
