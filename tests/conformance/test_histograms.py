"""Counting and histograms against NumPy: counts exactly, sums of weights in NumPy's blocks."""

import math

import numpy as np
import pytest
from twin import ALL_DTYPES, INTEGERS, check, collect, fresh_python, raising, twin

import cuprum as cp

RNG = np.random.default_rng(11)
SAMPLES = RNG.normal(size=3000)
SHAPES = RNG.normal(size=(6, 7, 5))


def samples(dtype, size=2000):
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return RNG.integers(max(info.min, -90), min(info.max, 90), size).astype(dtype)
    return (RNG.normal(size=size) * 3).astype(dtype)


@pytest.mark.parametrize("dtype", [*INTEGERS, "bool"])
def test_bincount_dtypes(dtype):
    values = RNG.integers(0, 2 if dtype == "bool" else 60, 5000).astype(dtype)
    weights = RNG.normal(size=values.size)
    with collect() as failures:
        for name, options in {
            "plain": {},
            "minlength": {"minlength": 100},
            "short": {"minlength": 3},
        }.items():
            with failures:
                check(lambda xp, o=options: xp.bincount(xp.array(values), **o), label=f"{dtype} {name}")
                check(
                    lambda xp, o=options: xp.bincount(xp.array(values), weights=xp.array(weights), **o),
                    label=f"{dtype} {name} weighted",
                )


@pytest.mark.parametrize("dtype", [d for d in ALL_DTYPES if not d.startswith("complex")])
@twin()
def test_bincount_weights(xp, dtype):
    return xp.bincount(xp.array([0, 3, 3, 1]), weights=xp.array([1, 0, 1, 1]).astype(dtype))


@pytest.mark.parametrize("size", [65535, 65536, 200_001])
@pytest.mark.parametrize("bins", [1, 7, 5000, 300_000])
@twin()
def test_bincount_large(xp, size, bins):
    values = np.random.default_rng(size + bins).integers(0, bins, size)
    # Multiples of a power of two add up without rounding, whatever the order.
    weights = np.random.default_rng(1).integers(-1000, 1000, size) / 8
    return xp.bincount(xp.array(values)), xp.bincount(xp.array(values), xp.array(weights))


def test_bincount_sums_are_near():
    """Rounded sums differ from NumPy's by their order alone: at most n ulps of the sum of magnitudes."""
    values = RNG.integers(0, 10, 300_000)
    weights = RNG.normal(size=values.size)
    got = cp.asnumpy(cp.bincount(cp.array(values), cp.array(weights)))
    exact = np.array([math.fsum(weights[values == value]) for value in range(10)])
    bound = np.bincount(values, np.abs(weights)) * 2.0**-53 * 65536
    assert (np.abs(got - exact) <= bound).all()


@twin()
def test_bincount_layouts(xp):
    a = xp.array(np.arange(24).reshape(4, 6) % 5)
    return [
        xp.bincount(a[::-1, 2]),
        xp.bincount(a[1, ::2], weights=a[0, ::-2]),
        xp.bincount(a.T[3]),
        xp.bincount(xp.broadcast_to(xp.array(3), (4,))),
        xp.bincount([]),
        xp.bincount([], minlength=3),
        xp.bincount([], weights=[], minlength=2),
        xp.bincount([True, False, True]),
    ]


@pytest.mark.parametrize(
    "body",
    [
        raising(TypeError, lambda xp: xp.bincount(xp.array([1.0, 2.0]))),
        raising(TypeError, lambda xp: xp.bincount(xp.array([]))),
        raising(ValueError, lambda xp: xp.bincount(xp.array([[1, 2]]))),
        raising(ValueError, lambda xp: xp.bincount(5)),
        raising(ValueError, lambda xp: xp.bincount([1, -1])),
        raising(ValueError, lambda xp: xp.bincount(xp.array([1, -1], dtype="int8"))),
        raising(ValueError, lambda xp: xp.bincount([1], minlength=-1)),
        raising(TypeError, lambda xp: xp.bincount([1], minlength=None)),
        raising(TypeError, lambda xp: xp.bincount([1], minlength=1.5)),
        raising(ValueError, lambda xp: xp.bincount([1, 1], weights=[1])),
        raising(TypeError, lambda xp: xp.bincount([1, 1], weights=[1j, 2])),
    ],
)
def test_bincount_errors(body):
    check(body)


@pytest.mark.parametrize("dtype", [d for d in ALL_DTYPES if not d.startswith("complex")])
def test_histogram_dtypes(dtype):
    a = samples(dtype) if dtype != "bool" else np.arange(50) % 3 == 0
    with collect() as failures:
        for bins in (1, 10, 37, [-5, -1, 0, 0.5, 2], [-80, -3, 0, 7, 50], np.array([-1.5, 0, 2.5], "f4")):
            with failures:
                check(
                    lambda xp, b=bins: xp.histogram(
                        xp.array(a), xp.array(b) if isinstance(b, np.ndarray) else b
                    )
                )
                check(lambda xp, b=bins: xp.histogram(xp.array(a), b, density=True), ulps=2)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16"])
@pytest.mark.parametrize("bins", [10, 300, [-5, 0, 3, 7.5], [0, 1, 2]])
@twin()
def test_histogram_many_small_integers(xp, dtype, bins):
    info = np.iinfo(dtype)
    a = np.random.default_rng(3).integers(info.min, info.max, 70_000, endpoint=True).astype(dtype)
    return xp.histogram(xp.array(a), bins), xp.histogram(xp.array(a)[::-1], bins, (-3, 90))


@pytest.mark.parametrize("weights", [d for d in ALL_DTYPES if d != "bool"])
@pytest.mark.parametrize("bins", [10, [-3.0, -1.0, 0.0, 0.5, 3.0]])
def test_histogram_weights(weights, bins):
    w = (RNG.integers(0, 5, SAMPLES.size)).astype(weights)
    if np.dtype(weights).kind == "c":
        w = w + 1j * w[::-1]
    # Few small whole numbers: no order of adding them up rounds, not even in float16.
    few = 400 if weights == "float16" else None
    check(lambda xp: xp.histogram(xp.array(SAMPLES[:few]), bins, weights=xp.array(w[:few])))
    # Densities of narrow weights are divided in their precision.
    check(
        lambda xp: xp.histogram(xp.array(SAMPLES[:few]), bins, weights=xp.array(w[:few]), density=True),
        ulps={"F": 2**30, "D": 4, "d": 4},
    )


@pytest.mark.parametrize("size", [10, 70_000])
@twin()
def test_histogram_weights_in_blocks(xp, size):
    rng = np.random.default_rng(size)
    return xp.histogram(xp.array(rng.random(size)), 20, (0, 1), weights=xp.array(rng.normal(size=size)))


@twin()
def test_histogram_boolean_weights(xp):
    return xp.histogram(xp.array([1.0, 2.0, 3.0]), weights=xp.array([True, True, False]))


@pytest.mark.parametrize("bins", [1, 100, 2001])
@pytest.mark.parametrize(
    "limits", [None, (-1, 1), (0.1, 0.9), (-1e-3, 1e3), (0.30000000000000004, 0.3000000001)]
)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@twin(may_raise=ValueError)
def test_histogram_range(xp, bins, limits, dtype):
    rng = np.random.default_rng(5)
    grid = np.linspace(-1, 1, 2002)
    values = np.concatenate([grid, np.nextafter(grid, -9), np.nextafter(grid, 9), rng.normal(size=1000)])
    return xp.histogram(xp.array(values.astype(dtype)), bins, limits)


@twin()
def test_histogram_shapes(xp):
    a = xp.array(SHAPES)
    return [
        xp.histogram(a),
        xp.histogram(a.T, 5),
        xp.histogram(a[::-1, ::2, 1], 5),
        xp.histogram(a, 4, weights=a * a),
        xp.histogram(xp.array(1.5), 3),
        xp.histogram(xp.array([2.0, 2.0])),
        xp.histogram([], 3),
        xp.histogram(xp.array([], dtype="float32"), [0, 1]),
        xp.histogram([1, 2, 3], []),
        xp.histogram([1, 2, 3], [1]),
        xp.histogram([1, 2, 3], [1, 2, 2, 3, 3]),
        xp.histogram([1.0, np.nan, 2.0], [0.0, 1.5, 3.0]),
        xp.histogram([1.0, np.nan, 2.0], 4, (0, 2)),
        xp.histogram([-np.inf, 1.0, np.inf], [0.0, 1.5, 3.0]),
        xp.histogram([-np.inf, 1.0, np.inf], [-np.inf, 1.5, np.inf]),
        xp.histogram([-np.inf, 1.0, 2.0, 7.0, np.inf], [-np.inf, 1.5, 3.0, 4.0, 5.0, 6.0, np.inf]),
    ]


@twin()
def test_histogram_integers_beyond_floats(xp):
    top = 2**63 - 1
    a = xp.array([top - 4, top - 3, top - 1, top])
    return xp.histogram(a, xp.array([top - 4, top - 3, top - 2, top])), xp.histogram(
        xp.array([2**64 - 1, 2**64 - 3], dtype="uint64"),
        xp.array([2**64 - 3, 2**64 - 2, 2**64 - 1], dtype="uint64"),
    )


RULES = ["auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"]


@pytest.mark.parametrize("rule", RULES)
def test_rules(rule):
    rng = np.random.default_rng(3)
    cases = {
        "normal": rng.normal(size=500),
        "gamma": rng.gamma(2.0, size=1000),
        "float32": rng.normal(size=300).astype("f4"),
        "integers": rng.integers(0, 20, 400),
        "int8": rng.integers(-100, 100, 400).astype("i1"),
        "constant": np.full(10, 3.0),
        "one": np.array([2.0]),
        "two": np.array([2.0, 3.0]),
        "empty": np.array([]),
    }
    with collect() as failures:
        for data in cases.values():
            for limits in (None, (0.5, 2.0)):
                with failures:
                    check(lambda xp, d=data, r=limits: xp.histogram(xp.array(d), rule, range=r))
                    check(lambda xp, d=data, r=limits: xp.histogram_bin_edges(xp.array(d), rule, range=r))


@pytest.mark.parametrize(
    "body",
    [
        raising(ValueError, lambda xp: xp.histogram([1, 2], "best")),
        raising(TypeError, lambda xp: xp.histogram([1, 2], "auto", weights=[1, 2])),
        raising(ValueError, lambda xp: xp.histogram([1, 2], 0)),
        raising(ValueError, lambda xp: xp.histogram([1, 2], -3)),
        raising(TypeError, lambda xp: xp.histogram([1, 2], 2.5)),
        raising(ValueError, lambda xp: xp.histogram([1, 2], [[1, 2]])),
        raising(ValueError, lambda xp: xp.histogram([1, 2], [2, 1])),
        raising(ValueError, lambda xp: xp.histogram([1, 2], range=(2, 1))),
        raising(ValueError, lambda xp: xp.histogram([1, 2], range=(0, np.inf))),
        raising(ValueError, lambda xp: xp.histogram([1, np.nan])),
        raising(ValueError, lambda xp: xp.histogram([1, 2], weights=[1])),
        raising(ValueError, lambda xp: xp.histogram(xp.array([1.0, 1.0 + 2**-52]), 10)),
        raising(TypeError, lambda xp: xp.histogram([1.0, 2.0], [0, 1, 2], weights=xp.array([True, False]))),
        raising(ValueError, lambda xp: xp.histogram_bin_edges([1, 2], "best")),
    ],
)
def test_histogram_errors(body):
    check(body)


def test_sums_do_not_depend_on_threads():
    code = """
        import cuprum as cp, numpy as np
        rng = np.random.default_rng(1)
        x, w = cp.array(rng.random(400_000)), cp.array(rng.normal(size=400_000))
        sums = [
            cp.bincount((x * 50).astype(int), w),
            cp.histogram(x, 30, weights=w)[0],
            cp.histogram(x, cp.array([0.0, 0.1, 0.7, 1.0]), weights=w)[0],
            cp.interp(x, cp.linspace(0, 1, 9), cp.arange(9) ** 0.5),
        ]
        print([hash(s.tobytes()) for s in sums])
    """
    one, three = (fresh_python(code, CUPRUM_THREADS=n, PYTHONHASHSEED="0") for n in ("1", "3"))
    assert one == three


def test_bfloat16():
    values = cp.array([0.5, 1.0, 1.5, 2.0, 7.0]).astype(cp.bfloat16)
    counts, edges = cp.histogram(values, 4, (0, 2))
    assert counts.tolist() == [0, 1, 1, 2] and edges.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert cp.histogram(values, [0, 1, 10])[0].tolist() == [1, 4]
