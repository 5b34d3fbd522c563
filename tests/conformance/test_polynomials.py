"""Polynomials against NumPy: sums of few products, exact for integers, a few ulps for floats."""

import numpy as np
import pytest
from twin import ALL_DTYPES, check, raising, twin

import cuprum as cp

NUMBERS = [d for d in ALL_DTYPES if d != "bool"]
A, B = [3, 0, -2, 5], [1, 2]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_arithmetic(dtype):
    def pair(xp):
        return xp.array([3, 0, 2, 5]).astype(dtype), xp.array([1, 2]).astype(dtype)

    check(lambda xp: xp.polyadd(*pair(xp)), label=dtype)
    check(lambda xp: xp.polysub(*pair(xp)), label=dtype)
    check(lambda xp: xp.polysub(*pair(xp)[::-1]), label=dtype)
    check(lambda xp: xp.polymul(*pair(xp)), label=dtype)
    check(lambda xp: xp.polydiv(*pair(xp)), label=dtype, ulps=2)
    check(lambda xp: xp.polyder(pair(xp)[0]), label=dtype)
    check(lambda xp: xp.polyint(pair(xp)[0]), label=dtype)
    check(lambda xp: xp.polyval(*pair(xp)), label=dtype)
    check(lambda xp: xp.poly(pair(xp)[0]), label=dtype)


@twin(ulps=4)
def test_forms(xp):
    return [
        xp.polyadd(3, [1, 2]),
        xp.polyadd([1.5], [1, 2, 3]),
        xp.polymul([0, 0, 1, 2], [0.5, 3]),
        xp.polymul([0, 0], [1, 2]),
        xp.polymul(2, 3),
        xp.polymul([1, 2j], [1, 2]),
        xp.polydiv([3.0, 5.0, 2.0], [2.0, 1.0]),
        xp.polydiv([1.0], [2.0, 1.0]),
        xp.polydiv(xp.array([1.0, 0, 0, -1]), xp.array([1.0, -1.0])),
        xp.polyder(A, 2),
        xp.polyder(A, 0),
        xp.polyder([5]),
        xp.polyint(A, 2),
        xp.polyint(A, 2, 7),
        xp.polyint(A, 2, [6, 5]),
        xp.polyint(A, 0),
        xp.polyint(xp.array(3.0), 0),
        xp.polyval(A, 3),
        xp.polyval(A, xp.array([[1, 2], [3, 4]]).T),
        xp.polyval([], xp.array([1.0, 2.0])),
        xp.polyval([0.5, 2], xp.array([1, 2], dtype="float32")),
        xp.poly([2, 3, -1]),
        xp.poly([1j, -1j]),
        xp.poly([1j, 2]),
        xp.poly([]),
    ]


@pytest.mark.parametrize("size", [2, 9, 40])
def test_products_of_floats(size):
    """Sums of at most `size` products, in another order: within `size` ulps of the largest coefficient."""
    rng = np.random.default_rng(size)
    a, b = rng.random(size) + 1, rng.random(size + 3) + 1
    check(lambda xp: xp.polymul(xp.array(a), xp.array(b)), ulps=size)


@pytest.mark.parametrize(
    "body",
    [
        raising(ValueError, lambda xp: xp.polyder(A, -1)),
        raising(ValueError, lambda xp: xp.polyint(A, -1)),
        raising(ValueError, lambda xp: xp.polyint(A, 3, [1, 2])),
        raising(ValueError, lambda xp: xp.poly(xp.ones((2, 3)))),
    ],
)
def test_errors(body):
    check(body)


def plain(p):
    """The coefficients of a polynomial object, which NumPy's and Cuprum's share no class."""
    return p.coeffs, p.order, p.variable, str(p)


@pytest.mark.parametrize(
    "body",
    [
        lambda xp: plain(xp.poly1d([1, 2, 3])),
        lambda xp: plain(xp.poly1d([0, 0, 2.5, 3], variable="z")),
        lambda xp: plain(xp.poly1d([2, 3], r=True)),
        lambda xp: plain(xp.poly1d([0, 0])),
        lambda xp: plain(xp.poly1d([1, 2]) + [3, 4, 5]),
        lambda xp: plain(7 - xp.poly1d([1, 2])),
        lambda xp: plain(xp.poly1d([1, 2]) * xp.poly1d([1, -2])),
        lambda xp: plain(2 * xp.poly1d([1, 2])),
        lambda xp: plain(xp.poly1d([1, 2]) ** 3),
        lambda xp: plain(xp.poly1d([1, 2]) ** 0),
        lambda xp: plain(-xp.poly1d([1, 2]) / 2),
        lambda xp: [plain(p) for p in xp.poly1d([1.0, 2, 3]) / xp.poly1d([1.0, 1])],
        lambda xp: plain(xp.poly1d([1, 2, 3]).deriv()),
        lambda xp: plain(xp.poly1d([1, 2, 3]).integ(2, k=[1, 2])),
        lambda xp: plain(xp.polyval([1, 2, 3], xp.poly1d([1, 1]))),
        lambda xp: xp.poly1d([1, 2, 3])(xp.array([1.0, 2.0])),
        lambda xp: [xp.poly1d([1, 2, 3])[power] for power in (-1, 0, 2, 3)],
        lambda xp: xp.poly1d([1, 2]) == xp.poly1d([0, 1, 2]),
        lambda xp: xp.poly1d([1, 2]) != xp.poly1d([1, 3]),
        lambda xp: len(xp.poly1d([1, 2, 3])),
        raising(ValueError, lambda xp: xp.poly1d([[1, 2]])),
        raising(ValueError, lambda xp: xp.poly1d([1, 2]) ** -1),
        raising(ValueError, lambda xp: xp.poly1d([1, 2]) ** 1.5),
    ],
)
def test_poly1d(body):
    check(body, ulps=2)


def test_poly1d_changes():
    def body(xp):
        p = xp.poly1d([1, 2, 3])
        p[1] = 7
        p[4] = 9
        p.coeffs *= 2
        return plain(p)

    check(body)


@pytest.mark.parametrize(
    "p", [[1.0, -3, 2], [2, 0, -8, 0, 0], [0, 0, 1, 2], [5], [0, 0], [], [1, 0, 1], [1, 2j, 3], [3.2, 2, 1]]
)
def test_roots(p):
    """Roots are the same set; simple ones are as good as the coefficients."""

    def body(xp):
        found = xp.roots(xp.array(p))
        return xp.sort(xp.round(found.astype(complex), 12) + 0.0)

    check(body)


@pytest.mark.parametrize("degree", [0, 1, 3])
def test_polyfit(degree):
    rng = np.random.default_rng(degree)
    x, y, w = rng.random(30), rng.normal(size=(30, 2)), rng.random(30) + 0.5

    def body(xp):
        a, b, c = xp.array(x), xp.array(y), xp.array(w)
        results = [
            xp.polyfit(a, b[:, 0], degree),
            xp.polyfit(a, b, degree),
            xp.polyfit(a, b, degree, w=c),
            xp.polyfit(a, b, degree, full=True)[1],
            *xp.polyfit(a, b[:, 0], degree, cov=True),
            *xp.polyfit(a, b, degree, cov="unscaled"),
        ]
        # Conditioned by some hundreds, covariances (up to some hundreds themselves) by the square of that.
        digits = [10, 10, 10, 10, 10, 8, 10, 8]
        return [xp.round(result, n) + 0.0 for result, n in zip(results, digits, strict=True)]

    check(body, layout=False)


@pytest.mark.parametrize(
    "body",
    [
        raising(ValueError, lambda xp: xp.polyfit([1.0], [1.0], -1)),
        raising(TypeError, lambda xp: xp.polyfit([[1.0]], [1.0], 1)),
        raising(TypeError, lambda xp: xp.polyfit([], [], 1)),
        raising(TypeError, lambda xp: xp.polyfit([1.0], 1.0, 1)),
        raising(TypeError, lambda xp: xp.polyfit([1.0, 2.0], [1.0], 1)),
        raising(TypeError, lambda xp: xp.polyfit([1.0, 2.0], [1.0, 2.0], 1, w=[1.0])),
        raising(ValueError, lambda xp: xp.polyfit([1.0, 2.0], [1.0, 2.0], 1, cov=True)),
        raising(ValueError, lambda xp: xp.roots([[1.0, 2.0]])),
    ],
)
def test_fit_errors(body):
    check(body)


@twin(ulps=8)
def test_characteristic_polynomial(xp):
    return xp.poly(xp.array([[2.0, 1.0], [1.0, 3.0]]))


MIXED = {
    "array times": lambda xp, p: xp.array([1, 2]) * p,
    "times array": lambda xp, p: (p * xp.array([1, 2])).coeffs,
    "array plus": lambda xp, p: xp.array([1, 2]) + p,
    "array minus": lambda xp, p: xp.array([1, 2]) - p,
    "array divided": lambda xp, p: xp.array([6.0, 8.0]) / p,
    "scalar times": lambda xp, p: np.float64(2) * p,
    "times scalar": lambda xp, p: (p * np.float64(2)).coeffs,
    "no dimension": lambda xp, p: xp.array(2) * p,
    "number times": lambda xp, p: (2 * p).coeffs,
    "add": lambda xp, p: xp.add(p, xp.array([1, 2])),
    "negative": lambda xp, p: xp.negative(p),
    "comparison": lambda xp, p: xp.array([3, 4]) == p,
    "asarray": lambda xp, p: xp.asarray(p),
    "numpy's ufunc": lambda xp, p: np.square(p),
}


@pytest.mark.parametrize("case", MIXED)
def test_polynomials_among_arrays(case):
    check(lambda xp: MIXED[case](xp, xp.poly1d([3, 4])), ulps=1, label=case)


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "F"])
@twin(ulps=2)
def test_a_polynomial_of_a_polynomial(xp, dtype):
    p, q = xp.poly1d(xp.array([1, 2, 3], dtype=dtype)), xp.poly1d(xp.array([2, 1], dtype=dtype))
    return xp.polyval(p, q).coeffs, p(q).coeffs, xp.polyval(xp.array([1, 2], dtype=dtype), q).coeffs


def test_polyfit_refuses_what_numpys_linalg_does_not_take():
    x, y = np.arange(5.0), np.arange(5.0) ** 2
    for xp in (np, cp):
        with pytest.raises(TypeError):
            xp.polyfit(xp.array(x), xp.array(y.astype("f2")), 2)
        with pytest.raises(TypeError):
            xp.polyfit(xp.array(x), xp.array(y), 2, w=xp.ones(5, complex))
        assert xp.polyfit(xp.array(x.astype("f2")), xp.array(y), 2).dtype == np.float64


def test_powers_of_polynomials_and_bool_indices():
    for xp in (np, cp):
        with pytest.raises(TypeError):
            xp.poly1d([1, 2]) ** 3.0
        with pytest.raises(TypeError):
            xp.indices((1, 2, 3), dtype=bool)
        with pytest.raises(ValueError, match="Since axis is `None`"):
            xp.lib.stride_tricks.sliding_window_view(xp.ones((2, 3, 4)), (2, 2))
        assert xp.indices((1, 2), dtype=bool).tolist() == [[[False, False]], [[False, True]]]
