"""Real roots of the polynomials between breakpoints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import cuprum as cp

from ..._core import ndarray


def _polynomial_roots(c: ndarray) -> ndarray:
    """Return the real roots of polynomials in columns whose first coefficient is not zero; NaN for others."""
    degree = c.shape[0] - 1
    if degree == 0:
        return cp.empty((0, c.shape[1]))
    monic = c[1:] / c[0]
    if degree == 1:
        return -monic
    if degree == 2:
        half = -monic[0] / 2
        square = half * half - monic[1]
        root = cp.sqrt(cp.where(square < 0, np.nan, square))
        # The root of larger size first: the other is a quotient, which cancels nothing.
        large = cp.where(half >= 0, half + root, half - root)
        small = cp.where(large == 0, 0.0, monic[1] / cp.where(large == 0, 1.0, large))
        return cp.sort(cp.stack((large, cp.where(square < 0, np.nan, small))), axis=0)
    companion = cp.zeros((c.shape[1], degree, degree))
    companion[:, 1:, :-1] = cp.eye(degree - 1)
    companion[:, :, -1] = -monic[::-1].T
    found = cp.linalg.eigvals(companion).T.astype(np.complex128)
    # A double root has an imaginary part of the size of the root of rounding.
    value = found.real
    scale = abs(found)
    nearly = abs(found.imag) <= 1e-10 * scale
    derivative: Any = cp.zeros_like(value)
    polynomial: Any = cp.zeros_like(value)
    for row in range(degree + 1):
        derivative = derivative * value + polynomial
        polynomial = polynomial * value + c[row]
    # One step of Newton's method gives back the digits that the eigenvalues have lost.
    moved = value - cp.where(derivative == 0, 0.0, polynomial / cp.where(derivative == 0, 1.0, derivative))
    close = abs(moved - value) <= 1e-6 * (1 + scale)
    return cp.sort(cp.where(nearly, cp.where(close, moved, value), np.nan), axis=0)


def _degrees(c: ndarray) -> ndarray:
    """Return how many leading coefficients of the columns are zero."""
    return cp.cumprod(c == 0, axis=0).sum(0)


def roots_between(c: ndarray, x: ndarray, y: float, discontinuity: bool, extrapolate: bool) -> ndarray:
    """Return where polynomials between breakpoints have the value `y`, by intervals."""
    order, count = c.shape
    shifted = c.copy()
    shifted[-1] = c[-1] - y
    zeros = _degrees(shifted)
    table = cp.full((count, order + 1), np.nan)
    taken = cp.zeros((count, order + 1), bool)
    constant = cp.flatnonzero(zeros == order)
    for lead in range(order - 1):
        chosen = cp.flatnonzero(zeros == lead)
        if not chosen.size:
            continue
        roots = _polynomial_roots(shifted[lead:, chosen]).T + x[chosen][:, None]
        start, end = x[chosen][:, None], x[chosen + 1][:, None]
        low, high = cp.minimum(start, end), cp.maximum(start, end)
        rising = bool(x[-1] >= x[0])
        if extrapolate:
            first, last = (chosen == 0)[:, None], (chosen == count - 1)[:, None]
            below, above = (first, last) if rising else (last, first)
            low, high = cp.where(below, -math.inf, low), cp.where(above, math.inf, high)
        inside = (roots >= low) & (roots <= high)
        table[chosen[:, None], 1 + cp.arange(roots.shape[1])] = roots
        taken[chosen[:, None], 1 + cp.arange(roots.shape[1])] = inside
    if constant.size:
        table[constant, 1] = x[constant]
        taken[constant, 1] = True
        if order + 1 > 2:
            taken[constant, 2] = True
    if discontinuity and count > 1:
        step: Any = x[1:-1] - x[:-2]
        before: Any = 0.0
        for row in range(order):
            before = before * step + shifted[row, :-1]
        after = shifted[-1, 1:]
        jumps = ((before < 0) & (after > 0)) | ((before > 0) & (after < 0))
        table[1:, 0] = x[1:-1]
        taken[1:, 0] = jumps
    found = table[taken]
    if found.size > 1:
        # A breakpoint that is a root of both its intervals counts once.
        again = cp.concatenate((cp.array([False]), found[1:] == found[:-1]))
        found = found[~again]
    return found
