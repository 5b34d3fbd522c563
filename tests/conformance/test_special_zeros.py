"""Special functions where little is left of large terms: beside zeros, and where recurrences stop."""

from fractions import Fraction

import numpy as np
import pytest
from twin import to_numpy

import cuprum as cp
from cuprum.scipy import special


def ulps_of(got, exact):
    """Return by how many units in the last place a number is off one of mpmath's."""
    return float(abs(got - exact)) / np.spacing(abs(float(exact)))


@pytest.mark.parametrize("name", ["gammaln", "digamma"])
def test_functions_of_gamma_beside_their_negative_zeros(name):
    mp = pytest.importorskip("mpmath")
    exact = {"gammaln": lambda x: mp.log(abs(mp.gamma(x))), "digamma": mp.digamma}[name]
    rng = np.random.default_rng(1)
    zeros = [-0.504083008264455, -1.573498473162391, -2.610720868444145, -3.635293366436901, -15.7299, -20.74]
    zeros += [-2.457024738220801, -2.747682646727413, -3.143580888349980, -3.955294284858598, -5.008218]
    steps = [0.0, 1e-15, -1e-12, 1e-9, -1e-6, 1e-4, -1e-3, 0.01, -0.03, 0.044, 0.1, -0.2]
    anywhere = [rng.uniform(-21, 0, 400), rng.uniform(-4, -2, 400)]
    points = np.concatenate([np.add.outer(zeros, steps).ravel(), *anywhere])
    points = points[(np.floor(points) != points) & (points > -21)]
    with mp.workdps(50):
        for x, got in zip(points, to_numpy(getattr(special, name)(cp.array(points))), strict=True):
            assert ulps_of(got, exact(mp.mpf(float(x)))) <= 4, (x, got)


def test_kl_div_of_numbers_beside_each_other():
    mp = pytest.importorskip("mpmath")
    steps = np.array([1e-15, 1e-9, 1e-4, 0.01, 0.28, 0.3, 0.4, 0.42, 0.9])
    x = np.repeat([0.3, 1.0, 7.5], 2 * len(steps))
    y = x * np.tile(1 + np.concatenate([steps, -steps]), 3)
    with mp.workdps(60):
        for a, b, got in zip(x, y, to_numpy(special.kl_div(cp.array(x), cp.array(y))), strict=True):
            exact = mp.mpf(a) * mp.log(mp.mpf(a) / mp.mpf(b)) - mp.mpf(a) + mp.mpf(b)
            assert ulps_of(got, exact) <= 6, (a, b, got)


def test_gauss_function_beside_one():
    mp = pytest.importorskip("mpmath")
    rng = np.random.default_rng(4)
    a, b, c = (rng.uniform(0.1, 5, 60) for _ in range(3))
    # Where c - a - b is whole or nearly so, too: the two solutions about one are the same there.
    c[:12] = a[:12] + b[:12] + np.tile([1, -1, 1e-9, 0.05], 3)
    c[c <= 0] += 5
    x = np.concatenate([rng.uniform(0.88, 0.97, 30), 1 - 10.0 ** rng.uniform(-9, -1.5, 30)])
    got = to_numpy(special.hyp2f1(*map(cp.array, (a, b, c, x))))
    with mp.workdps(40):
        for i in range(60):
            exact = mp.hyp2f1(*(mp.mpf(float(v[i])) for v in (a, b, c, x)))
            assert ulps_of(got[i], exact) <= 4000, (a[i], b[i], c[i], x[i], got[i])


@pytest.mark.parametrize("name", ["j0", "j1", "y0", "y1"])
def test_bessel_functions_of_large_numbers_beside_their_zeros(name):
    mp = pytest.importorskip("mpmath")
    function = mp.besselj if name[0] == "j" else mp.bessely
    points = [501331.0, 1e5, 123456.789, 1e8 + 0.5, 1e9 + 0.25, 1e15]
    with mp.workdps(60):
        # The numbers nearest to zeros of cos(x - pi/4) and sin(x - pi/4), and the first steps from there.
        for k in (301, 4001, 159577, 3183098):
            zero = mp.pi * (k + mp.mpf(1) / 4 + mp.mpf(1) / 2 * (name in ("j0", "y1")))
            points += [float(zero), float(zero) * (1 + 1e-15), float(zero) + 1e-6]
        for x, got in zip(points, to_numpy(getattr(special, name)(cp.array(points))), strict=True):
            exact = function(int(name[1]), mp.mpf(x))
            # Beside a zero the error is 1 / (8 x) of that of the largest values there.
            slack = 1e-16 / x * np.sqrt(2 / (np.pi * x)) / np.spacing(abs(float(exact)))
            assert ulps_of(got, exact) <= 5 + slack, (x, got)


def choose(n, k):
    """Return the binomial coefficient of a fraction and a whole number."""
    value = Fraction(1)
    for j in range(k):
        value *= (n - j) / (j + 1)
    return value


def test_jacobi_polynomials_whose_recurrence_stops():
    # Where a + b is whole and negative, some degree is divided by zero on the way.
    cases = [(3, 6, -9, -3.0), (3, 6, -9, 0.5), (2, 1, -4, -3.0), (3, -1, -2, 0.5), (4, 6, -9, -3.0)]
    cases += [(7, 2.5, -8.5, 0.25), (5, -2, -3, -0.75), (6, 3.5, -7.5, 1.5), (9, -0.5, -1.5, -1.0)]
    cases += [(1, -3, 1, 0.5), (0, -3, 1, 0.5)]
    for n, a, b, x in cases:
        below, above = (Fraction(x) - 1) / 2, (Fraction(x) + 1) / 2
        top, bottom = n + Fraction(a), n + Fraction(b)
        terms = [choose(top, n - k) * choose(bottom, k) * below**k * above ** (n - k) for k in range(n + 1)]
        want = float(sum(terms))
        got = to_numpy(special.eval_jacobi(float(n), float(a), float(b), cp.array([x])))[0]
        assert abs(got - want) <= 1e-14 * max(abs(want), 1e-3), (n, a, b, x, got, want)
