"""Random programs do in a kernel what they do in Python: branches, loops, swaps, changes of type."""

import linecache
import random

import numpy as np
import pytest

from cuprum.compat.numba import cuda

NAMES = ["x", "y", "z", "n"]
RANGES = ["3", "0", "2, 5", "5, 0, -2", "int(abs(y)) % 4"]


class Program:
    """A random function of an array and its results. Values are kept small, so that nothing overflows."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines = ["def program(a, out):"]
        self.depth, self.loops, self.counters = 1, 0, 0
        self.budget = self.rng.randint(6, 22)
        for line in ("x = 1", "y = 2.5", "z = a[0]", "n = 3"):
            self.emit(line)
        self.statements(12)
        for number, name in enumerate(NAMES):
            self.emit(f"out[{number + 4}] = {name}")
        self.text = "\n".join(self.lines) + "\n"

    def emit(self, line):
        self.lines.append("    " * self.depth + line)

    def block(self, head, count):
        self.emit(head)
        self.depth += 1
        self.statements(count)
        self.emit("pass")
        self.depth -= 1

    def small(self, level=0):
        return f"min(max({self.expression(level)}, -1000), 1000)"

    def expression(self, level=0):
        rng, more = self.rng, level + 1
        kind = rng.random()
        if level > 2 or kind < 0.35:
            element = f"a[{rng.randint(-3, 3)}]"
            return rng.choice([*NAMES, element, str(rng.randint(-4, 6)), rng.choice(["0.5", "-2.25", "3.0"])])
        if kind < 0.65:
            return f"({self.expression(more)} {rng.choice('+-*')} {self.expression(more)})"
        if kind < 0.79:
            return f"({self.expression(more)} {rng.choice(['//', '%'])} {rng.choice([2, 3, -2, -5])})"
        if kind < 0.85:
            return f"({self.expression(more)} if {self.condition(more)} else {self.expression(more)})"
        if kind < 0.9:
            return f"{rng.choice(['min', 'max'])}({self.expression(more)}, {self.expression(more)})"
        if kind < 0.97:
            return f"{rng.choice(['int', 'abs'])}({self.expression(more)})"
        return f"({self.expression(more)} / 2)"

    def condition(self, level=0):
        rng, more = self.rng, level + 1
        kind = rng.random()
        if level > 2 or kind < 0.6:
            symbol = rng.choice(["<", "<=", ">", ">=", "==", "!="])
            return f"{self.expression(more)} {symbol} {self.expression(more)}"
        if kind < 0.9:
            return f"({self.condition(more)} {rng.choice(['and', 'or'])} {self.condition(more)})"
        if kind < 0.95:
            return f"(not {self.condition(more)})"
        return f"{self.expression(more)} < {self.expression(more)} < {self.expression(more)}"

    def statements(self, count):
        for _ in range(count):
            if self.budget <= 0:
                return
            self.budget -= 1
            self.statement()

    def statement(self):
        rng = self.rng
        kind = rng.random()
        first, second = rng.sample(NAMES, 2)
        if kind < 0.4:
            self.emit(f"{first} = {self.small()}")
        elif kind < 0.5:
            self.emit(f"{first} {rng.choice(['+=', '-=', '*='])} {self.expression(1)}")
            self.emit(f"{first} = min(max({first}, -1000), 1000)")
        elif kind < 0.57:
            values = f"{second}, {first}" if rng.random() < 0.5 else f"{self.small(1)}, {self.small(1)}"
            self.emit(f"{first}, {second} = {values}")
        elif kind < 0.72:
            self.block(f"if {self.condition()}:", rng.randint(1, 3))
            if rng.random() < 0.5:
                self.block("else:", rng.randint(1, 3))
        elif kind < 0.92 and self.loops < 3:
            self.loop(kind < 0.82, first)
        elif self.loops:
            self.emit(f"if {self.condition(1)}:")
            self.emit(f"    {rng.choice(['break', 'continue'])}")
        else:
            self.emit(f"out[{rng.randint(0, 3)}] = {self.expression(1)}")

    def loop(self, counted, name):
        rng = self.rng
        self.counters += 1
        counter = f"i{self.counters}"
        self.loops += 1
        if counted:
            self.emit(f"for {counter} in range({rng.choice(RANGES)}):")
            self.emit(f"    {name} += {counter}")
        else:
            self.emit(f"{counter} = 0")
            self.emit(f"while {counter} < {rng.randint(1, 5)} and {self.condition(1)}:")
            self.emit(f"    {counter} += 1")
        self.depth += 1
        self.statements(rng.randint(1, 4))
        self.emit("pass")
        self.depth -= 1
        self.loops -= 1
        if rng.random() < 0.3:
            self.block("else:", 2)


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed):
    text, filename = Program(seed).text, f"<random program {seed}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names = {}
    exec(compile(text, filename, "exec"), names)
    a, expected, out = np.array([2.5, -1.0, 3.0, 0.5]), np.zeros(8), np.zeros(8)
    names["program"](a.tolist(), expected)
    cuda.jit(names["program"])[1, 1](a, out)
    np.testing.assert_allclose(out, expected, rtol=1e-9, atol=1e-9, err_msg=text)
