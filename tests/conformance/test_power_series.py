"""`polynomial`: values, matrices and coefficients of power series, against NumPy's."""

import numpy as np
import pytest
from twin import check, collect

POINTS = [2.5, 3, [1, 2, 3], [[0.5, -1.5], [2.0, 4.0]], [1 + 2j, 3.0], [], np.float32([1, 2])]
SERIES = [
    [1, 2, 3],
    [1.5],
    7,
    [0, 0, 0],
    [1, 2, 0, 0],
    [[1, 2], [3, 4], [5, 6]],
    [1j, 2],
    np.float32([1, 2]),
    [],
    [True, False],
]


def over(xp, value):
    return xp.array(value) if isinstance(value, (list, np.ndarray)) else value


@pytest.mark.parametrize("name", ["polyval", "polyvalfromroots"])
def test_values(name):
    with collect() as failures:
        for x in POINTS:
            for c in SERIES:
                for tensor in (True, False):
                    if x is POINTS[5] and c is SERIES[8]:
                        continue
                    with failures:
                        check(
                            lambda xp, x=x, c=c, t=tensor: getattr(xp.polynomial.polynomial, name)(
                                over(xp, x), over(xp, c), tensor=t
                            ),
                            ulps=4,
                            label=f"{x} {c} {tensor}",
                            may_raise=(IndexError, ValueError),
                        )


@pytest.mark.parametrize("degree", [0, 1, 3, -1, 2.5])
def test_vandermonde_matrices(degree):
    with collect() as failures:
        for x in POINTS:
            with failures:
                check(
                    lambda xp, x=x: xp.polynomial.polynomial.polyvander(over(xp, x), degree),
                    ulps=2,
                    label=str(x),
                    may_raise=(TypeError, ValueError),
                )


def test_companion_matrices():
    with collect() as failures:
        for c in [*SERIES, [2, 4], [6, -5, 1], [1, 2, 3, 4, 5]]:
            with failures:
                check(
                    lambda xp, c=c: xp.polynomial.polynomial.polycompanion(over(xp, c)),
                    label=str(c),
                    may_raise=ValueError,
                )


def test_series():
    with collect() as failures:
        for c in SERIES:
            for trim in (True, False):
                with failures:
                    check(
                        lambda xp, c=c, t=trim: xp.polynomial.polyutils.as_series(
                            [over(xp, c), [1, 2.5, 0]], t
                        ),
                        label=f"{c} {trim}",
                        may_raise=ValueError,
                    )
            for tol in (0, 1.5, 100, -1):
                with failures:
                    check(
                        lambda xp, c=c, t=tol: xp.polynomial.polyutils.trimcoef(over(xp, c), t),
                        label=f"{c} {tol}",
                        may_raise=ValueError,
                    )
        for seq in ([1, 0, 2, 0, 0], [0, 0], [5], []):
            with failures:
                check(lambda xp, s=seq: xp.polynomial.polyutils.trimseq(xp.array(s)), label=str(seq))
