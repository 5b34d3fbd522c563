"""Elliptic integrals and functions of Python numbers, for the design of filters.

A parameter comes with its complement, `m` with `m1 = 1 - m`: where one is tiny the other has lost its digits.
"""

from __future__ import annotations

import math


def complete(m1: float) -> float:
    """Return the complete integral of the first kind, by the arithmetic-geometric mean."""
    if m1 == 0:
        return math.inf
    a, b = 1.0, math.sqrt(m1)
    while abs(a - b) > 1e-16 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
        if abs(a - b) <= 4e-16 * a:
            break
    return math.pi / (2 * a)


def incomplete(tangent: float, m1: float) -> float:
    """Return the incomplete integral of the first kind, given the tangent of the angle: by duplication."""
    cosine = 1 / math.hypot(1.0, tangent)
    sine = tangent * cosine
    x, y, z = cosine**2, cosine**2 + m1 * sine**2, 1.0
    for _ in range(40):
        mean = (x + y + z) / 3
        if max(abs(x - mean), abs(y - mean), abs(z - mean)) < 1e-3 * mean:
            break
        shift = math.sqrt(x * y) + math.sqrt(y * z) + math.sqrt(z * x)
        x, y, z = (x + shift) / 4, (y + shift) / 4, (z + shift) / 4
    mean = (x + y + z) / 3
    u, v = 1 - x / mean, 1 - y / mean
    w = -u - v
    e2, e3 = u * v - w * w, u * v * w
    series = 1 - e2 / 10 + e3 / 14 + e2**2 / 24 - 3 * e2 * e3 / 44 - 5 * e2**3 / 208 + 3 * e3**2 / 104
    return sine * series / math.sqrt(mean)


def jacobi(u: float, m: float, m1: float) -> tuple[float, float, float]:
    """Return sn, cn and dn, by descending Landen steps."""
    a, c, b = [1.0], [math.sqrt(m)], math.sqrt(m1)
    while abs(c[-1]) > 1e-16 * a[-1] and len(a) < 20:
        mean, half = (a[-1] + b) / 2, (a[-1] - b) / 2
        b = math.sqrt(a[-1] * b)
        a.append(mean)
        c.append(half)
    angle = 2.0 ** (len(a) - 1) * a[-1] * u
    for mean, half in zip(a[:0:-1], c[:0:-1], strict=True):
        angle = (angle + math.asin(half / mean * math.sin(angle))) / 2
    sn, cn = math.sin(angle), math.cos(angle)
    dn = math.sqrt(m1 + m * cn * cn)
    return sn, cn, dn
