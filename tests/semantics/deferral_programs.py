"""What the tests of deferral share: operands large enough that work really is deferred (tiny arrays run at
once), and the register of programs.
"""

import numpy as np
from twin import twin

N = 20_011  # prime, past the threshold of immediate execution and past one block
M = 151

PROGRAMS = {}


def program(**options):
    """Register a body for the two-mode battery and make a twin test of it."""

    def decorate(body):
        PROGRAMS[body.__name__] = body
        return twin(**options)(body)

    return decorate


def ramp(xp, n=N, dtype="float64"):
    return xp.array((np.arange(n) % 251).astype(dtype))


def noise(xp, shape=N, seed=0, dtype="float64"):
    return xp.array(np.random.default_rng(seed).uniform(-2, 2, shape).astype(dtype))


def square(xp, seed=0):
    return noise(xp, (M, M), seed)
