"""Functions of which scripts/special_coefficients.py tabulates polynomials, computed by mpmath."""

# ruff: noqa: E501 - a formula is one line

import functools

from mpmath import mp, mpf
from polynomial_fits import chebyshev


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


def digamma_zeros():
    """Return, for the zeros of digamma from -0.5 to -20.7: each in two parts, and the powers of what the slope of the chord
    to it is more than that of the parts of the poles on either side."""
    found = []
    with mp.workdps(60):
        for n in range(21):
            zero = mp.findroot(mp.digamma, -n - mpf(1) / 2 - mp.atan(mp.log(n + mpf(3) / 2) / mp.pi) / mp.pi)
            assert -n - 1 < zero < -n

            def rest(d, zero=zero, n=n):
                d = d if abs(d) > mpf(10) ** -25 else mpf(10) ** -25
                poles = mp.fsum(1 / ((zero + d + p) * (zero + p)) for p in (n, n + 1))
                return mp.digamma(zero + d) / d - poles

            powers = chebyshev(rest, mpf(-1) / 4, mpf(1) / 4, 0, most=40, degree=16)
            found += [mpf(float(zero)), zero - mpf(float(zero)), *powers]
    return found


def cotangent_rest(square):
    """Return (1 / x - pi cot(pi x)) / x."""
    x = mp.sqrt(square) if square > mpf(10) ** -30 else mpf(10) ** -15
    return (1 / x - mp.pi * mp.cot(mp.pi * x)) / x


def tangent_over(square):
    """Return pi tan(pi x) / x."""
    x = mp.sqrt(square) if square > mpf(10) ** -30 else mpf(10) ** -15
    return mp.pi * mp.tan(mp.pi * x) / x


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


def zetac_smooth(x):
    """Return 2^x (zeta(x) - 1) less its pole at one."""
    if x == 1:
        return 2 * (mp.log(2) + mp.euler - 1)
    return 2**x * (mp.zeta(x) - 1) - 2 / (x - 1)


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
