"""Polynomials that approximate functions over an interval, fitted with 50 digits."""

from mpmath import mp, mpf

mp.dps = 50


def chebyshev(f, low, high, tolerance, most=64, degree=None):
    """Return `f` over the interval in powers of t, good to `tolerance` of its largest value."""
    low, high = mpf(low), mpf(high)
    nodes = [mp.cos(mp.pi * (k + mpf(1) / 2) / most) for k in range(most)]
    values = [f((high + low) / 2 + (high - low) / 2 * t) for t in nodes]
    series = [
        2 * mp.fsum(v * mp.cos(j * mp.pi * (k + mpf(1) / 2) / most) for k, v in enumerate(values)) / most
        for j in range(most)
    ]
    series[0] /= 2
    size = max(abs(v) for v in values)
    if degree is None:
        degree = max(j for j, c in enumerate(series) if abs(c) > tolerance * size)
        assert degree < most - 3, "no convergence"
    powers, before, term = [mpf(0)] * (degree + 1), [mpf(1)], [mpf(0), mpf(1)]
    powers[0] += series[0]
    for j in range(1, degree + 1):
        for k, c in enumerate(term):
            powers[k] += series[j] * c
        after = [mpf(0)] + [2 * c for c in term]
        for k, c in enumerate(before):
            after[k] -= c
        before, term = term, after
    return powers


def pieces(f, low, count, width):
    """Return how to make the coefficients of `f` over so many intervals of length one, `width` of each."""

    def made():
        found = []
        for k in range(count):
            powers = chebyshev(f, low + k, low + k + 1, mpf(10) ** -40, most=48, degree=width - 1)
            found += powers + [mpf(0)] * (width - len(powers))
        return found

    return made


def weighted(f, low, high, degree, weight):
    """Return the polynomial in t that is nearest to `f`, differences counted by their weight.

    Each coefficient is rounded before those that follow are fitted, so that they make up for what it lost.
    """
    low, high, count = mpf(low), mpf(high), 3 * degree
    nodes = [mp.cos(mp.pi * (k + mpf(1) / 2) / count) for k in range(count)]
    places = [(high + low) / 2 + (high - low) / 2 * t for t in nodes]
    return fitted(f, places, nodes, degree, weight)


def fitted(f, places, nodes, degree, weight):
    """Return the coefficients of powers of `nodes` that are nearest to `f` at `places`."""
    values, weights, rounded = [f(x) for x in places], [weight(x) for x in places], []
    for first in range(degree + 1):
        terms = mp.matrix(
            [[w * t**j for j in range(first, degree + 1)] for t, w in zip(nodes, weights, strict=True)]
        )
        found = mp.qr_solve(terms, mp.matrix([w * v for w, v in zip(weights, values, strict=True)]))[0]
        rounded.append(mpf(float(found[0])))
        values = [v - rounded[-1] * t**first for v, t in zip(values, nodes, strict=True)]
    return rounded


def in_powers(f, low, high, degree, weight):
    """Return how to make the same in powers of x itself."""

    def made():
        middle, half = (mpf(high) + low) / 2, (mpf(high) - low) / 2
        count = 5 * degree
        places = [middle + half * mp.cos(mp.pi * (k + mpf(1) / 2) / count) for k in range(count)]
        return fitted(f, places, places, degree, weight)

    return made


def relative(f):
    return lambda x: 1 / f(x)
