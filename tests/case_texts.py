"""Cases as source texts over a few named arrays, run with NumPy and with Cuprum.

A table has one case a line; a failure names the text that differs. A case that raises says which class, in a
comment at its end: `xp.take(v, 6)  # IndexError`. `arrays` are built anew for every case;
a file whose texts speak of other arrays hands its own function to `value_of` and `state_after`.
"""

import builtins
import functools
import math
import re

import numpy as np
import pytest
from twin import check, collect

RECENT = pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.3.0", reason="NumPy before 2.3 lacks this or answers otherwise"
)


def arrays(xp):
    """The arrays that most texts speak of."""
    return {
        "s": xp.array(2.5),
        "n": xp.array(7),
        "v": xp.arange(6),
        "i": xp.arange(6, dtype=xp.int32),
        "w": xp.array([3.5, -1.25, 2.0, 0.0, -7.75, 2.5]),
        "m": xp.arange(12.0).reshape(3, 4),
        "f": xp.asfortranarray(xp.arange(12.0).reshape(3, 4)),
        "a": xp.arange(24).reshape(2, 3, 4),
        "o": xp.arange(3).reshape(1, 3, 1),
        "b": xp.array([True, False, True]),
        "c": xp.array([1 + 2j, -3j]),
        "z": xp.zeros((0, 3)),
    }


def scope_of(named, xp):
    """All names that a text can use."""
    return {"xp": xp, "np": np, "math": math, **named(xp)}


def value_of(text, xp, named=arrays):
    """The value of an expression."""
    return eval(text, scope_of(named, xp))


def state_after(text, xp, named=arrays):
    """Run a statement; the arrays that it may have written are the result."""
    scope = scope_of(named, xp)
    names = list(scope)
    exec(text, scope)
    return [scope[name] for name in names if name not in ("xp", "np", "math")]


def lines(table):
    """The texts of a table, one a line."""
    return [text for text in map(str.strip, table.splitlines()) if text]


def expectation(case):
    """The text of a case, and the class of error that the comment at its end names, or None."""
    text, comment, name = re.fullmatch(r"(.*?)(\s+# (\w+))?", case, flags=re.DOTALL).groups()
    if comment is None:
        return text, None
    homes = (builtins, np.exceptions, np.linalg)
    return text, next(getattr(home, name) for home in homes if hasattr(home, name))


def check_all(cases, body=value_of, **options):
    """Compare what `body` makes of each text: those of a table, or of a list."""
    with collect() as failures:
        for case in lines(cases) if isinstance(cases, str) else cases:
            with failures:
                text, raised = expectation(case)
                expected = options if raised is None else {**options, "raises": raised}
                check(functools.partial(body, text), label=text, **expected)
