"""Differences from NumPy and SciPy that are meant, or theirs: once each, with the reason.

They are listed by topic: special functions, other values with dtypes and shapes, and errors. A row has a
pattern of lines, a predicate of the two results and of what the line has read, and the reason.
"""

import re

from known_errors import ERRORS
from known_special import SPECIAL
from known_values import VALUES

KNOWN = [*SPECIAL, *VALUES, *ERRORS]


def is_known(line, got, want, read=()):
    """Return whether a difference at a line is one of those above."""
    return any(re.search(pattern, line) and holds(got, want, read) for pattern, holds, _ in KNOWN)
