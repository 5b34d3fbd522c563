"""Compute the coefficients of the special functions: crates/cuprum-lanes/src/math/special/coefficients.rs.

    .venv/bin/python scripts/special_coefficients.py [NAME ...]

Each table is a polynomial in t from -1 to 1, t being the place in the interval that stands beside it: the Chebyshev
interpolant of the function at 40 digits, cut where it has converged, in powers of t. With names, only those tables are
computed anew.
"""

# ruff: noqa: E501 - a table entry or a template of code is one line

import pathlib
import re
import sys

from mpmath import mp, mpf
from polynomial_fits import chebyshev, in_powers, pieces, relative, weighted
from special_formulas import (
    AIRY,
    CI_ZEROS,
    EI_ZERO,
    J0_ZEROS,
    J1_ZEROS,
    Y0_ZEROS,
    Y1_ZEROS,
    airy_left,
    airy_right,
    airy_scaled,
    beside_logarithm,
    ci_near,
    cosine_part,
    cotangent_rest,
    dawson,
    digamma_near,
    digamma_tail,
    digamma_zeros,
    ellipe,
    ellipk,
    erf_over,
    erfcinv,
    erfcx_mapped,
    erfinv_of_logarithm,
    fresnel_part,
    hankel,
    i0_of_square,
    i1_of_square,
    lgamma_left,
    lgamma_near,
    lgamma_zeros,
    normal_tail_mapped,
    series,
    sine_part,
    sinpi_over,
    stirling,
    stirling_factor,
    tangent_over,
    temme,
    temme_gamma,
    y0_near,
    y1_near,
    zetac_smooth,
)

TARGET = pathlib.Path(__file__).parents[1] / "crates/cuprum-lanes/src/math/special/coefficients.rs"


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
    "DIGAMMA_ZEROS": (
        "zeros of digamma from -0.5 to -20.7, 19 numbers each: the zero in two parts, and 17 powers of four times the distance, of the chord's slope less that of the poles on either side",
        digamma_zeros,
    ),
    "COTPI": (
        "(1/x - pi cot(pi x)) / x in powers of x^2, x from 0 to 0.35",
        in_powers(cotangent_rest, 0, mpf("0.1225"), 11, relative(cotangent_rest)),
    ),
    "TANPI": (
        "pi tan(pi x) / x in powers of x^2, x from 0 to 0.15",
        in_powers(tangent_over, 0, mpf("0.0225"), 9, relative(tangent_over)),
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
    "ZETAC_NEAR": ("2^x (zeta(x) - 1) - 2/(x - 1), x from 1 to 12", zetac_smooth, 1, 12, 1e-17),
    "ZETAC_FAR": ("the same, x from 12 to 35", zetac_smooth, 12, 35, 1e-17),
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
