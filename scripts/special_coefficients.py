"""Compute the coefficients of the special functions: crates/cuprum-lanes/src/math/special/coefficients.rs.

    .venv/bin/python scripts/special_coefficients.py [NAME ...]

Each table is a polynomial in t from -1 to 1, t being the place in the interval that stands beside it: the Chebyshev
interpolant of the function at 40 digits, cut where it has converged, in powers of t. With names, only those tables are
computed anew.
"""

# ruff: noqa: E501 - a table entry or a template of code is one line

import functools
import pathlib
import re
import sys

from mpmath import mp, mpf

mp.dps = 50
TARGET = pathlib.Path(__file__).parents[1] / "crates/cuprum-lanes/src/math/special/coefficients.rs"


def chebyshev(f, low, high, tolerance, most=64, degree=None):
    """Return the monomial coefficients in t of `f` over the interval, good to `tolerance` of its largest value."""
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
    """Return the monomial coefficients in t of the polynomial nearest to `f`, differences counted by their weight.

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


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x) if x < 30 else mp.hyperu(mpf(1) / 2, mpf(1) / 2, x * x) / mp.sqrt(mp.pi)


def erf_over(z):
    return mp.erf(mp.sqrt(z)) / mp.sqrt(z)


def erfcx_mapped(t):
    x = 4 * (1 + t) / (1 - t)
    return (x + 4) * erfcx(x)


def normal_tail_mapped(t):
    x = 6 * (1 + t) / (1 - t)
    return (x + 6) * erfcx(x / mp.sqrt(2)) / 2


def stirling_factor(sign):
    """Return gamma(x) over x^(x - 1/2) exp(-x), or its inverse, as a function of 1/x."""

    def f(w):
        if w == 0:
            return mp.sqrt(2 * mp.pi) ** sign
        x = 1 / w
        return mp.exp(sign * (mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x))

    return f


def erfcinv(q):
    if q > mpf("1e-10"):
        return mp.erfinv(1 - q)
    x = mp.sqrt(-mp.log(q * mp.sqrt(-mp.pi * mp.log(q))))
    for _ in range(8):
        x += (mp.erfc(x) - q) * mp.sqrt(mp.pi) / 2 * mp.exp(x * x)
    return x


def erfinv_of_logarithm(w):
    x = mp.sqrt(-mp.expm1(-w))
    return (mp.erfinv(x) / x - mp.sqrt(mp.pi) / 2) / w


def stirling(w):
    x = 1 / mp.sqrt(w)
    return (mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x


def lgamma_near(x):
    if abs(x) < mpf("1e-30"):
        return mp.euler
    return mp.loggamma(1 + x) / (x * (x - 1)) if abs(x - 1) > mpf("1e-30") else 1 - mp.euler


def lgamma_zero(n, side):
    """Return where gamma is one in size, beside its pole at -n on the right or on the left."""

    def f(x):
        return mp.log(abs(mp.gamma(x)))

    x = {(2, -1): mpf("-2.457"), (3, 1): mpf("-2.748"), (3, -1): mpf("-3.1436"), (4, 1): mpf("-3.955")}.get(
        (n, side), -n + side / mp.factorial(n)
    )
    for _ in range(40):
        x -= f(x) / mp.digamma(x)
    return x


def lgamma_zeros():
    """Return, for each zero from -3.14 to -16: itself in two parts, how far from the pole it is, and the powers of what the
    logarithm of the gamma function is more than that of the pole's own part, from one on."""
    found = []
    with mp.workdps(80):
        for n, side in [(3, -1)] + [(n, side) for n in range(4, 17) for side in (1, -1)]:
            zero = lgamma_zero(n, side)
            place = zero + n

            def rest(e, n=n):
                return mp.loggamma(1 + e) - mp.fsum(mp.log(1 - e / mpf(k)) for k in range(1, n + 1))

            found += [mpf(float(zero)), zero - mpf(float(zero)), place, *mp.taylor(rest, place, 10)[1:]]
    return found


def lgamma_left(x):
    zeros = [lgamma_zero(2, -1), lgamma_zero(3, 1)]
    if min(abs(x - z) for z in zeros) < mpf("1e-20"):
        x += mpf("1e-18")
    return mp.log(abs(mp.gamma(x))) / ((x - zeros[0]) * (x - zeros[1]))


def digamma_near(x):
    return mp.digamma(ROOT + x) / x if abs(x) > mpf("1e-30") else mp.psi(1, ROOT)


def ellipk(p):
    return mp.ellipk(1 - p)


def ellipe(p):
    return mp.ellipe(1 - p)


@functools.cache
def fitted_beside_logarithm(f, first):
    """Return polynomials P and Q of degree 10 for `f` = P(p) - p^first Q(p) log(p), p from zero to one."""
    count, degree = 150, 10
    places = [((1 + mp.cos(mp.pi * (k + mpf(1) / 2) / count)) / 2) ** 3 for k in range(count)]
    rows = [
        [p**j / f(p) for j in range(degree + 1)]
        + [-mp.log(p) * p**j / f(p) for j in range(first, degree + 1)]
        for p in places
    ]
    found = list(mp.qr_solve(mp.matrix(rows), mp.matrix([1] * count))[0])
    return found[: degree + 1], found[degree + 1 :]


def beside_logarithm(f, first, which):
    return (lambda: fitted_beside_logarithm(f, first)[which],)


def digamma_tail(w):
    x = 1 / mp.sqrt(w)
    return (mp.log(x) - 1 / (2 * x) - mp.digamma(x)) * x * x


def temme():
    """Return the coefficients of eta^n in the terms C_k of Temme's expansion of the incomplete gamma function, k-th row by row.

    eta^2/2 = mu - log(1 + mu); C_0 = 1/mu - 1/eta, C_k = C_(k-1)'/eta + g_k/mu, g_k being Stirling's coefficients with signs.
    """
    rows, columns = 8, 20
    size = columns + 2 * rows + 4
    # mu as a series in eta: mu' mu = eta (1 + mu).
    mu = [mpf(0), mpf(1)]
    for n in range(2, size + 2):
        # Coefficient of eta^n in mu mu': sum_j j mu_j mu_(n+1-j) = mu_(n-1) for n >= 1.
        rest = mp.fsum(j * mu[j] * mu[n + 1 - j] for j in range(2, n))
        mu.append((mu[n - 1] - rest) / (n + 1))
    # 1/mu = (1/eta) v, v = 1 / (mu/eta).
    u = mu[1:]
    v = [mpf(1)]
    for n in range(1, size):
        v.append(-mp.fsum(u[j] * v[n - j] for j in range(1, n + 1)))
    # exp of the Stirling series of log(gamma*(a)): g_k by the recurrence of exponentials.
    logs = [mpf(0)] + [mp.bernoulli(k + 1) / (k * (k + 1)) if k % 2 else mpf(0) for k in range(1, rows + 1)]
    g = [mpf(1)]
    for k in range(1, rows + 1):
        g.append(mp.fsum(j * logs[j] * g[k - j] for j in range(1, k + 1)) / k)
    # Laurent series of C_k from eta^-1 on; the term in 1/eta cancels.
    c = [v[n + 1] for n in range(size - 1)]
    table = [c[:columns]]
    for k in range(1, rows):
        gamma_k = (-1) ** k * g[k]
        derivative = [(n + 2) * c[n + 2] for n in range(len(c) - 2)]
        c = [derivative[n] + gamma_k * v[n + 1] for n in range(len(derivative))]
        table.append(c[:columns])
    return [x for row in table for x in row]


ROOT = mp.findroot(mp.digamma, mpf("1.4616321449683623"))


def zero_of(f, near):
    return mp.findroot(f, mpf(near))


J0_ZEROS = [mp.besseljzero(0, k) for k in range(1, 6)]
J1_ZEROS = [mp.besseljzero(1, k) for k in (1, 2)]
Y0_ZEROS = [mp.besselyzero(0, k) for k in (1, 2, 3)]
Y1_ZEROS = [mp.besselyzero(1, k) for k in (1, 2)]


def y0_near(z):
    x = mp.sqrt(z)
    return (mp.bessely(0, x) - 2 / mp.pi * mp.log(x / Y0_ZEROS[0]) * mp.besselj(0, x)) / (
        z - Y0_ZEROS[0] ** 2
    )


def y1_near(z):
    x = mp.sqrt(z)
    return (
        x
        * (mp.bessely(1, x) - 2 / mp.pi * mp.log(x / Y1_ZEROS[0]) * mp.besselj(1, x))
        / (z - Y1_ZEROS[0] ** 2)
    )


def hankel(order, part):
    """Return the function of 1/x^2 that stands beside the cosine (0) or x times that beside the sine (1)."""

    def f(w):
        x = 1 / mp.sqrt(w)
        angle = x - (mpf(order) / 2 + mpf(1) / 4) * mp.pi
        j, y, c, s = mp.besselj(order, x), mp.bessely(order, x), mp.cos(angle), mp.sin(angle)
        value = j * c + y * s if part == 0 else (y * c - j * s) * x
        return value * mp.sqrt(mp.pi * x / 2)

    return f


def i0_of_square(z):
    return mp.besseli(0, 2 * mp.sqrt(z))


def i1_of_square(z):
    return mp.besseli(1, 2 * mp.sqrt(z)) / mp.sqrt(z)


def sinpi_over(z):
    return mp.sinpi(mp.sqrt(z)) / mp.sqrt(z)


def series(f, count):
    return lambda: [f(k) for k in range(count)]


def temme_gamma(sign):
    def f(z):
        m = mp.sqrt(z)
        if sign > 0:
            return (mp.rgamma(1 - m) + mp.rgamma(1 + m)) / 2
        return (mp.rgamma(1 - m) - mp.rgamma(1 + m)) / (2 * m)

    return f


EI_ZERO = zero_of(mp.ei, "0.3725")
CI_ZEROS = [zero_of(mp.ci, "0.6165"), zero_of(mp.ci, "3.384")]


def ci_near(z):
    x = mp.sqrt(z)
    return (mp.ci(x) - mp.log(x / CI_ZEROS[0])) / (z - CI_ZEROS[0] ** 2)


def sine_part(u):
    x = 1 / u - 4
    return (mp.ci(x) * mp.sin(x) + (mp.pi / 2 - mp.si(x)) * mp.cos(x)) * x


def cosine_part(u):
    x = 1 / u - 4
    return ((mp.pi / 2 - mp.si(x)) * mp.sin(x) - mp.ci(x) * mp.cos(x)) * x * x


def dawson(x):
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def fresnel_part(which):
    def f(u):
        x = mp.sqrt(1 / u - mpf(5) / 2)
        a, b = mpf(1) / 2 - mp.fresnels(x), mpf(1) / 2 - mp.fresnelc(x)
        s, c = mp.sin(mp.pi * x * x / 2), mp.cos(mp.pi * x * x / 2)
        return (a * c - b * s) * mp.pi * x if which == 0 else (a * s + b * c) * mp.pi**2 * x**3

    return f


AIRY = {
    "AI": (mp.airyai, 0, -1),
    "AIP": (mp.airyai, 1, -1),
    "BI": (mp.airybi, 0, 1),
    "BIP": (mp.airybi, 1, 1),
}


def airy_right(name):
    """Return Airy's function beside its exponential and the fourth root of x, as a function of 3/2 x^(-3/2)."""
    function, derivative, sign = AIRY[name]

    def f(w):
        zeta = 1 / w
        x = (3 * zeta / 2) ** (mpf(2) / 3)
        root = x ** (mpf(1) / 4)
        return function(x, derivative=derivative) * mp.exp(-sign * zeta) * (1 / root if derivative else root)

    return f


def airy_left(derivative, part):
    """Return P (0) or zeta Q (1) of Airy's functions at -x, for zeta = 2/3 x^(3/2), as a function of 1/zeta^2.

    With c and s for the cosine and the sine of zeta, Ai is P (c + s) + Q (s - c) and Bi is P (c - s) + Q (c + s), over the
    fourth root of x. Bi' is likewise made of the first pair, and -Ai' of the second one, times that root.
    """

    def f(w):
        zeta = 1 / mp.sqrt(w)
        x = (3 * zeta / 2) ** (mpf(2) / 3)
        ai, bi = mp.airyai(-x, derivative=derivative), mp.airybi(-x, derivative=derivative)
        root = x ** (mpf(1) / 4)
        scale = 1 / root if derivative else root
        c, s = mp.cos(zeta), mp.sin(zeta)
        if derivative:
            ai, bi = bi, -ai
        u = (ai * (c + s) + bi * (c - s)) / 2
        v = (ai * (s - c) + bi * (c + s)) / 2
        return (u if part == 0 else v * zeta) * scale

    return f


def airy_scaled(name):
    """Return Airy's function, from one on beside its exponential."""
    function, derivative, sign = AIRY[name]

    def f(x):
        return function(x, derivative=derivative) * (mp.exp(-sign * 2 * x ** mpf("1.5") / 3) if x > 1 else 1)

    return f


def airy_tables():
    made = {}
    for name, (_, derivative, _) in AIRY.items():
        shown = f"{name[0]}i{chr(39) * derivative}(x)"
        made[f"AIRY_{name}"] = (
            f"{shown} from -10 to 10 in steps of one, 18 coefficients each, from one on beside its exponential",
            pieces(airy_scaled(name), -10, 20, 18),
        )
        made[f"AIRY_{name}_FAR"] = (
            f"{shown} beside its exponential and the fourth root of x, 1/zeta from 0 to 1/21",
            airy_right(name),
            0,
            mpf(1) / 21,
            1e-18,
        )
    for derivative, name in ((0, "AIRY"), (1, "AIRYP")):
        mark = "'" * derivative
        for part, letter in enumerate("PQ"):
            made[f"{name}_{letter}"] = (
                f"{letter} of Ai{mark}(-x) and Bi{mark}(-x), x from 10 on, 1/zeta^2 from 0 to 1/441",
                airy_left(derivative, part),
                0,
                mpf(1) / 441,
                1e-18,
            )
    return made


# name: (what it is, function, low, high, tolerance), or (.., degree, weight), or (what it is, all coefficients)
TABLES = {
    "GAMMA": ("gamma(x), x from 2 to 3", mp.gamma, 2, 3, 1e-18),
    "RGAMMA_NEAR": ("1 / gamma(1 + x), x from 0 to 1", lambda x: mp.rgamma(1 + x), 0, 1, 4e-18),
    "GAMMA_FAR": (
        "gamma(x) over x^(x - 1/2) exp(-x), 1/x from 0 to 1/3",
        stirling_factor(1),
        0,
        mpf(1) / 3,
        1e-17,
    ),
    "RGAMMA_FAR": (
        "x^(x - 1/2) exp(-x) over gamma(x), 1/x from 0 to 1/3",
        stirling_factor(-1),
        0,
        mpf(1) / 3,
        1e-17,
    ),
    "LGAMMA_NEAR": (
        "log(gamma(1 + x)) / (x (x - 1)), x from -1/4 to 3/2",
        lgamma_near,
        -0.25,
        1.5,
        29,
        relative(lgamma_near),
    ),
    "LGAMMA_LEFT": (
        "log|gamma(x)| over the distances from its zeros there, x from -2.84 to -2.34",
        lgamma_left,
        mpf("-2.84"),
        mpf("-2.34"),
        2e-17,
    ),
    "LGAMMA_ZEROS": (
        "zeros of log|gamma(x)| from -3.14 to -16, the nearest pole first and the right one before the left one, 13 numbers each: the zero in two parts, its distance from the pole, and ten powers of what is left beside the pole's logarithm",
        lgamma_zeros,
    ),
    "LGAMMA_FAR": (
        "x (log(gamma(x)) less Stirling's formula), 1/x^2 from 0 to 4/49",
        stirling,
        0,
        mpf(4) / 49,
        2e-16,
    ),
    "STIRLING": (
        "x (log(gamma(x)) less Stirling's formula), 1/x^2 from 0 to 1/64",
        stirling,
        0,
        mpf(1) / 64,
        1e-18,
    ),
    "SINPI": (
        "sin(pi x) / x in powers of x^2, x from 0 to 1/2",
        in_powers(sinpi_over, 0, mpf(1) / 4, 9, relative(sinpi_over)),
    ),
    "DIGAMMA_NEAR": (
        "digamma(root + x) / x with its root, x from -1/2 to 1.1",
        digamma_near,
        -0.5,
        1.1,
        27,
        relative(digamma_near),
    ),
    "DIGAMMA_FAR": (
        "x^2 (log(x) - 1/(2 x) - digamma(x)), 1/x^2 from 0 to 0.16",
        digamma_tail,
        0,
        0.16,
        1e-15,
    ),
    "ERF": (
        "erf(x) / x in powers of x^2, x from 0 to 5/4",
        in_powers(erf_over, 0, mpf(25) / 16, 12, relative(erf_over)),
    ),
    "ERFCX": (
        "(x + 4) exp(x^2) erfc(x), x = 4 (1 + t) / (1 - t)",
        erfcx_mapped,
        -1,
        1,
        22,
        relative(erfcx_mapped),
    ),
    "NORMAL_TAIL": (
        "(x + 6) exp(x^2/2) times the chance of more than x, x = 6 (1 + t) / (1 - t)",
        normal_tail_mapped,
        -1,
        1,
        22,
        relative(normal_tail_mapped),
    ),
    "ERFC_LOG": (
        "-log(erfc(x)) in powers of x, x from 5/4 to 5.93, beside one, which the exponential of this is taken from",
        in_powers(lambda x: -mp.log(mp.erfc(x)), mpf(5) / 4, mpf("5.93"), 14, mp.erfc),
    ),
    "ERFINV": (
        "(erfinv(x) / x - sqrt(pi)/2) / w, w = -log(1 - x^2) from 0 to 6.25",
        erfinv_of_logarithm,
        0,
        6.25,
        5e-17,
    ),
    "ERFCINV_2": (
        "erfcinv(exp(-r^2)) / r, r from 2.125 to 5",
        lambda r: erfcinv(mp.exp(-r * r)) / r,
        2.125,
        5,
        2e-18,
    ),
    "ERFCINV_3": ("the same, r from 5 to 12", lambda r: erfcinv(mp.exp(-r * r)) / r, 5, 12, 2e-18),
    "ERFCINV_4": ("the same, r from 12 to 28", lambda r: erfcinv(mp.exp(-r * r)) / r, 12, 28, 2e-18),
    "ELLIPK_FREE": (
        "powers of p in the integral K of 1 - p, beside the logarithm",
        *beside_logarithm(ellipk, 0, 0),
    ),
    "ELLIPK_LOG": ("powers of p beside -log(p) in it", *beside_logarithm(ellipk, 0, 1)),
    "ELLIPE_FREE": (
        "powers of p in the integral E of 1 - p, beside the logarithm",
        *beside_logarithm(ellipe, 1, 0),
    ),
    "ELLIPE_LOG": ("powers of p beside -p log(p) in it", *beside_logarithm(ellipe, 1, 1)),
    "ZETA_1": ("zeta(x) - 1/(x - 1), x from -1 to 7", lambda x: mp.zeta(x) - 1 / (x - 1), -1, 7, 1e-18),
    "ZETA_LESS_1": ("2^x (zeta(x) - 1), x from 2 to 4", lambda x: 2**x * (mp.zeta(x) - 1), 2, 4, 1e-17),
    "ZETA_LESS_2": ("the same, x from 4 to 7", lambda x: 2**x * (mp.zeta(x) - 1), 4, 7, 1e-17),
    "ZETA_2": ("2^x (zeta(x) - 1), x from 7 to 15", lambda x: 2**x * (mp.zeta(x) - 1), 7, 15, 1e-17),
    "ZETA_3": ("the same, x from 15 to 35", lambda x: 2**x * (mp.zeta(x) - 1), 15, 35, 1e-17),
    "J0": (
        "J0(x) / (x^2 - its zero^2) of five zeros, x^2 from 0 to 10.25^2",
        lambda z: mp.besselj(0, mp.sqrt(z)) / mp.fprod(z - zero**2 for zero in J0_ZEROS),
        0,
        10.25**2,
        3e-18,
    ),
    "J1_1": (
        "J1(x) / (x (x^2 - its first zero^2)), x^2 from 0 to 16",
        lambda z: mp.besselj(1, mp.sqrt(z)) / mp.sqrt(z) / (z - J1_ZEROS[0] ** 2),
        0,
        16,
        1e-18,
    ),
    "J1_2": (
        "J1(x) / (x - its second zero), x from 4 to 8",
        lambda x: mp.besselj(1, x) / (x - J1_ZEROS[1]),
        4,
        8,
        1e-18,
    ),
    "Y0_1": (
        "(Y0(x) - 2/pi log(x / r) J0(x)) / (x^2 - r^2) with its first zero r, x^2 from 0 to 4",
        y0_near,
        0,
        4,
        1e-18,
    ),
    "Y0_2": (
        "Y0(x) / (x - its second zero), x from 2 to 5",
        lambda x: mp.bessely(0, x) / (x - Y0_ZEROS[1]),
        2,
        5,
        1e-18,
    ),
    "Y0_3": (
        "Y0(x) / (x - its third zero), x from 5 to 8",
        lambda x: mp.bessely(0, x) / (x - Y0_ZEROS[2]),
        5,
        8,
        1e-18,
    ),
    "Y1_1": (
        "x (Y1(x) - 2/pi log(x / r) J1(x)) / (x^2 - r^2) with its first zero r, x^2 from 0 to 9",
        y1_near,
        0,
        9,
        1e-18,
    ),
    "Y1_2": (
        "Y1(x) / (x - its second zero), x from 3 to 8",
        lambda x: mp.bessely(1, x) / (x - Y1_ZEROS[1]),
        3,
        8,
        1e-18,
    ),
    "HANKEL_P0": ("Hankel's P of order 0, 1/x^2 from 0 to 1/64", hankel(0, 0), 0, mpf(1) / 64, 1e-18),
    "HANKEL_Q0": ("x times Hankel's Q of order 0", hankel(0, 1), 0, mpf(1) / 64, 1e-18),
    "HANKEL_P1": ("Hankel's P of order 1", hankel(1, 0), 0, mpf(1) / 64, 1e-18),
    "HANKEL_Q1": ("x times Hankel's Q of order 1", hankel(1, 1), 0, mpf(1) / 64, 1e-18),
    "I0_SERIES": ("(x^2/4)^k of I0(x), x up to one", series(lambda k: 1 / mp.factorial(k) ** 2, 11)),
    "I1_SERIES": (
        "(x^2/4)^k of 2 I1(x) / x, x up to one",
        series(lambda k: 1 / mp.factorial(k) / mp.factorial(k + 1), 11),
    ),
    "I0_NEAR": (
        "I0(x) in powers of x^2/4, x from 0 to 12",
        in_powers(i0_of_square, 0, 36, 18, relative(i0_of_square)),
    ),
    "I1_NEAR": (
        "2 I1(x) / x in powers of x^2/4, x from 0 to 12",
        in_powers(i1_of_square, 0, 36, 18, relative(i1_of_square)),
    ),
    "I0_FAR": (
        "sqrt(x) exp(-x) I0(x), 1/x from 0 to 1/12",
        lambda w: mp.exp(-1 / w) * mp.besseli(0, 1 / w) / mp.sqrt(w),
        0,
        mpf(1) / 12,
        1e-18,
    ),
    "I1_FAR": (
        "sqrt(x) exp(-x) I1(x), 1/x from 0 to 1/12",
        lambda w: mp.exp(-1 / w) * mp.besseli(1, 1 / w) / mp.sqrt(w),
        0,
        mpf(1) / 12,
        1e-18,
    ),
    "K0_SERIES": (
        "(x^2/4)^k of K0(x) + (log(x/2) + gamma) I0(x)",
        series(lambda k: mp.harmonic(k) / mp.factorial(k) ** 2, 12),
    ),
    "K1_SERIES": (
        "(x^2/4)^k of (log(x/2) I1(x) + 1/x - K1(x)) 4/x",
        series(lambda k: (mp.digamma(k + 1) + mp.digamma(k + 2)) / mp.factorial(k) / mp.factorial(k + 1), 12),
    ),
    "K0_1": (
        "sqrt(x) exp(x) K0(x), 1/x from 0 to 1/8",
        lambda w: mp.exp(1 / w) * mp.besselk(0, 1 / w) / mp.sqrt(w),
        0,
        0.125,
        1e-18,
    ),
    "K0_2": (
        "the same, 1/x from 1/8 to 1/2",
        lambda w: mp.exp(1 / w) * mp.besselk(0, 1 / w) / mp.sqrt(w),
        0.125,
        0.5,
        1e-18,
    ),
    "K0_3": (
        "the same, 1/x from 1/2 to 1",
        lambda w: mp.exp(1 / w) * mp.besselk(0, 1 / w) / mp.sqrt(w),
        0.5,
        1,
        1e-18,
    ),
    "K1_1": (
        "sqrt(x) exp(x) K1(x), 1/x from 0 to 1/8",
        lambda w: mp.exp(1 / w) * mp.besselk(1, 1 / w) / mp.sqrt(w),
        0,
        0.125,
        1e-18,
    ),
    "K1_2": (
        "the same, 1/x from 1/8 to 1/2",
        lambda w: mp.exp(1 / w) * mp.besselk(1, 1 / w) / mp.sqrt(w),
        0.125,
        0.5,
        1e-18,
    ),
    "K1_3": (
        "the same, 1/x from 1/2 to 1",
        lambda w: mp.exp(1 / w) * mp.besselk(1, 1 / w) / mp.sqrt(w),
        0.5,
        1,
        1e-18,
    ),
    "TEMME_ODD": (
        "(1/gamma(1 - m) - 1/gamma(1 + m)) / (2 m), m^2 from 0 to 1/4",
        temme_gamma(-1),
        0,
        0.25,
        1e-19,
    ),
    "TEMME_EVEN": (
        "(1/gamma(1 - m) + 1/gamma(1 + m)) / 2, m^2 from 0 to 1/4",
        temme_gamma(1),
        0,
        0.25,
        1e-19,
    ),
    "E1_1": ("x exp(x) E1(x), x from 1/2 to 1", lambda x: x * mp.exp(x) * mp.e1(x), 0.5, 1, 1e-18),
    "E1_2": ("the same, x from 1 to 2", lambda x: x * mp.exp(x) * mp.e1(x), 1, 2, 1e-18),
    "E1_3": ("the same, x from 2 to 5", lambda x: x * mp.exp(x) * mp.e1(x), 2, 5, 1e-18),
    "E1_4": ("the same, 1/x from 0 to 1/5", lambda w: mp.exp(1 / w) * mp.e1(1 / w) / w, 0, 0.2, 1e-18),
    "EI_1": (
        "(Ei(x) - log(x / r)) / (x - r) with its zero r, x from 0 to 2",
        lambda x: (mp.ei(x) - mp.log(x / EI_ZERO)) / (x - EI_ZERO),
        0,
        2,
        1e-18,
    ),
    "EI_2": ("x exp(-x) Ei(x), x from 2 to 5", lambda x: x * mp.exp(-x) * mp.ei(x), 2, 5, 1e-18),
    "EI_3": ("the same, x from 5 to 10", lambda x: x * mp.exp(-x) * mp.ei(x), 5, 10, 1e-18),
    "EI_4": ("the same, x from 10 to 20", lambda x: x * mp.exp(-x) * mp.ei(x), 10, 20, 1e-18),
    "EI_5": ("the same, x from 20 to 50", lambda x: x * mp.exp(-x) * mp.ei(x), 20, 50, 1e-18),
    "SI": ("Si(x) / x, x^2 from 0 to 16", lambda z: mp.si(mp.sqrt(z)) / mp.sqrt(z), 0, 16, 1e-18),
    "CI_1": (
        "(Ci(x) - log(x / r)) / (x^2 - r^2) with its first zero r, x^2 from 0 to 6.25",
        ci_near,
        0,
        6.25,
        1e-18,
    ),
    "CI_2": (
        "Ci(x) / (x - its second zero), x from 2.5 to 4",
        lambda x: mp.ci(x) / (x - CI_ZEROS[1]),
        2.5,
        4,
        1e-18,
    ),
    "SICI_F": (
        "x (Ci(x) sin(x) + (pi/2 - Si(x)) cos(x)), 1/(x + 4) from 0 to 1/8",
        sine_part,
        0,
        mpf(1) / 8,
        2e-17,
    ),
    "SICI_G": (
        "x^2 ((pi/2 - Si(x)) sin(x) - Ci(x) cos(x)), 1/(x + 4) from 0 to 1/8",
        cosine_part,
        0,
        mpf(1) / 8,
        3e-16,
    ),
    "DAWSON_1": (
        "Dawson's integral over x, x^2 from 0 to 1",
        lambda z: dawson(mp.sqrt(z)) / mp.sqrt(z),
        0,
        1,
        1e-18,
    ),
    "DAWSON_2": ("Dawson's integral times x, x from 1 to 2", lambda x: dawson(x) * x, 1, 2, 1e-18),
    "DAWSON_3": ("the same, x from 2 to 4", lambda x: dawson(x) * x, 2, 4, 1e-18),
    "DAWSON_4": ("the same, x from 4 to 7", lambda x: dawson(x) * x, 4, 7, 1e-18),
    "DAWSON_5": (
        "the same, 1/x^2 from 0 to 1/49",
        lambda w: dawson(1 / mp.sqrt(w)) / mp.sqrt(w),
        0,
        mpf(1) / 49,
        1e-18,
    ),
    "FRESNEL_S": (
        "S(x) / x^3, x^4 from 0 to 6.5536",
        lambda w: mp.fresnels(w ** (mpf(1) / 4)) / w ** (mpf(3) / 4),
        0,
        6.5536,
        1e-18,
    ),
    "FRESNEL_C": (
        "C(x) / x, x^4 from 0 to 6.5536",
        lambda w: mp.fresnelc(w ** (mpf(1) / 4)) / w ** (mpf(1) / 4),
        0,
        6.5536,
        1e-18,
    ),
    "FRESNEL_F": (
        "pi x times the f of Fresnel's integrals, 1/(x^2 + 5/2) from 0 to 50/253",
        fresnel_part(0),
        0,
        mpf(50) / 253,
        5e-17,
    ),
    "FRESNEL_G": (
        "pi^2 x^3 times their g, 1/(x^2 + 5/2) from 0 to 50/253",
        fresnel_part(1),
        0,
        mpf(50) / 253,
        2e-16,
    ),
    "SPENCE": (
        "u^(2k) of the dilogarithm of 1 - exp(-u), (it - u + u^2/4) / u^3",
        series(lambda k: mp.bernoulli(2 * k + 2) / mp.factorial(2 * k + 3), 12),
    ),
    "TEMME": (
        "eta^n of the k-th term of Temme's expansion of the incomplete gamma function, 20 a term",
        temme,
    ),
    **airy_tables(),
}


def written(name):
    what, f, *rest = TABLES[name]
    if len(rest) == 4:
        powers = weighted(f, *rest)
    else:
        powers = chebyshev(f, *rest[:2], mpf(rest[2])) if rest else f()
    rows = "".join(f"    {mp.nstr(c, 17, min_fixed=-5, max_fixed=5) if c else '0.0'},\n" for c in powers)
    return f"/// {what[0].upper() + what[1:]}.\npub const {name}: [f64; {len(powers)}] = [\n{rows}];\n"


def main():
    head = (
        "//! Polynomials of the special functions, in t from -1 to 1 across the interval that each one names.\n"
        "//! Written by scripts/special_coefficients.py.\n\n"
        "#![allow(clippy::approx_constant, clippy::excessive_precision)]\n\n"
    )
    old = {}
    if TARGET.exists():
        for text in re.findall(r"/// .*\npub const \w+: \[f64; \d+\] = \[[^\]]*\];\n", TARGET.read_text()):
            old[re.search(r"const (\w+)", text)[1]] = text
    chosen = sys.argv[1:] or list(TABLES)
    made = {n: written(n) if n in chosen or n not in old else old[n] for n in TABLES}
    TARGET.write_text(head + "\n".join(made[n] for n in TABLES))


main()
