"""``cuprum.scipy.signal.windows`` against ``scipy.signal.windows``: values, lengths, symmetry and errors."""

import numpy as np
import pytest
from scipy_twin import check
from twin import collect

import cuprum as cp

PLAIN = [
    *("barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "cosine", "exponential"),
    *("flattop", "hamming", "hann", "lanczos", "nuttall", "parzen", "taylor", "triang", "tukey"),
]
WITH = {
    "chebwin": (100,),
    "gaussian": (2.5,),
    "general_cosine": ([0.4, 0.5, 0.1],),
    "general_gaussian": (1.5, 3.0),
    "general_hamming": (0.7,),
    "kaiser": (8.6,),
    "kaiser_bessel_derived": (4.0,),
    "taylor": (5, 40),
    "tukey": (0.3,),
}
LENGTHS = [0, 1, 2, 3, 4, 5, 8, 17, 64, 101]


@pytest.mark.parametrize("name", sorted({*PLAIN, *WITH}))
def test_windows_of_every_length(name):
    with collect() as failures:
        for arguments in ([()] if name in PLAIN else []) + ([WITH[name]] if name in WITH else []):
            for n in LENGTHS:
                for sym in (True, False):
                    if (name, n, sym) == ("lanczos", 2, True):
                        continue  # a sine of pi that is not quite zero
                    with failures:
                        check(
                            lambda xp, sp: getattr(sp, name)(n, *arguments, sym=sym),  # noqa: B023
                            "signal.windows",
                            may_raise=ValueError,
                            label=f"{name} {n} {arguments} sym={sym}",
                        )


@pytest.mark.parametrize("name", [*PLAIN, "kaiser", "gaussian"])
@pytest.mark.parametrize("length", [-1, 2.5, "4"])
def test_bad_lengths_raise(name, length):
    check(lambda xp, sp: getattr(sp, name)(length, *WITH.get(name, ())), "signal.windows", raises=ValueError)


def test_corners_of_parameters():
    with collect() as failures:
        for body in [
            lambda xp, sp: sp.tukey(9, 0),
            lambda xp, sp: sp.tukey(9, 1),
            lambda xp, sp: sp.tukey(9, 0.9, sym=False),
            lambda xp, sp: sp.chebwin(8, 40),
            lambda xp, sp: sp.chebwin(9, 30),
            lambda xp, sp: sp.exponential(7, 2.0, 3.0, False),
            lambda xp, sp: sp.exponential(7, 2.0, 3.0, True),
            lambda xp, sp: sp.taylor(16, norm=False),
            lambda xp, sp: sp.kaiser_bessel_derived(5, 2.0),
            lambda xp, sp: sp.kaiser_bessel_derived(6, 2.0, sym=False),
            lambda xp, sp: sp.kaiser(5, 0.0),
        ]:
            with failures:
                check(body, "signal.windows", may_raise=ValueError)


@pytest.mark.parametrize(
    "window",
    [
        "hann",
        "ksr",
        "boxcar",
        "tuk",
        "hann_symmetric",
        "hamming_periodic",
        4.0,
        "4.0",
        "nothing",
        3j,
        ("nothing", 1),
    ]
    + [
        ("kaiser", 4.0),
        ("tukey", 0.2),
        ("exponential", None, 3.0),
        ("general cosine", [0.5, 0.5]),
        ("chebwin", 50.0),
    ],
)
@pytest.mark.parametrize("fftbins", [True, False])
def test_windows_by_name(window, fftbins):
    if isinstance(window, tuple) and window[0] == "exponential" and fftbins:
        window = ("exponential", 3.0, 3.0)
    check(lambda xp, sp: sp.get_window(window, 12, fftbins), "signal.windows", may_raise=ValueError)


def test_windows_are_symmetric_to_the_last_bit():
    for name in ["lanczos", "triang", "chebwin", "kaiser_bessel_derived"]:
        for n in (8, 32):
            window = cp.asnumpy(getattr(cp.scipy.signal.windows, name)(n, *WITH.get(name, ())))
            assert np.array_equal(window, window[::-1]), name


@pytest.mark.parametrize("length", [3, 5, 8, 64, 301])
def test_slepian_windows(length):
    """Eigenvalues are M apart in a matrix of norm M^2 / 4: vectors are known to some M units."""
    cases = [{}, {"sym": False}, {"norm": "subsample"}, {"norm": 2}, {"return_ratios": True}]
    cases += [{"Kmax": k, "return_ratios": True} for k in (1, 2, min(5, length))]
    cases += [{"Kmax": 2, "norm": "approximate", "sym": False}]
    with collect() as failures:
        for case in cases:
            for width in (0.8, 2.5, 4.0):
                with failures:
                    check(
                        lambda xp, sp, w=width, c=case: sp.dpss(length, w, **c),
                        "signal.windows",
                        64 * length,
                        may_raise=ValueError,
                        label=f"{width} {case}",
                    )


def test_bad_slepian_windows():
    bad = [(8, 2.5, 0), (8, 2.5, 9), (8, 4.0), (8, -1.0), (-3, 1.0)]
    for arguments in bad:
        check(lambda xp, sp, a=arguments: sp.dpss(*a), "signal.windows", raises=ValueError)
    check(lambda xp, sp: sp.dpss(8, 2.0, norm="strange"), "signal.windows", raises=ValueError)
    check(lambda xp, sp: [sp.dpss(n, 2.0) for n in (0, 1)], "signal.windows")
    check(lambda xp, sp: sp.get_window(("dpss", 2.0), 16), "signal.windows", 1e3)
