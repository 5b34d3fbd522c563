"""Single nodes over a few thousand elements run without a Program, with the bits that it would give.

While Programs are logged there is one for every node: that is how both ways are taken here.
"""

import itertools
import warnings

import numpy as np
import pytest
from samples import IN_PLACE, ordinary_values
from twin import ALL_DTYPES, collect

import cuprum as cp

pytestmark = pytest.mark.cpu

DTYPES = [*ALL_DTYPES, "bfloat16"]
SIZES = [4099, 6000, 65536, 65537]
TABLE = cp._core.op_table()


def host(dtype, n, seed=0):
    if dtype == "bool":
        return np.random.default_rng(seed).random(n) < 0.5
    return ordinary_values("float32" if dtype == "bfloat16" else dtype, n, seed)


def made(dtype, n, seed=0, order="C"):
    """Return an array that is there, of one axis or, in another order, of two."""
    array = cp.array(host(dtype, n, seed)).astype(dtype)
    if order == "F":
        array = array.reshape(4, -1).T if n % 4 == 0 else array
    cp.testing.wait(array)
    return array


def bits(array):
    return cp.asnumpy(array.astype("float32") if str(array.dtype) == "bfloat16" else array).tobytes()


def same_both_ways(work, label):
    """Compare what `work` makes without a Program, if there is a short way, to what its Program makes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        short = work()
        cp.testing.wait(short)
        with cp.fusion_log() as log:
            long = work()
            cp.testing.wait(long)
    assert len(log) > 0, f"{label}: nothing was logged"
    assert (short.dtype, short.shape, short.strides) == (long.dtype, long.shape, long.strides), label
    assert bits(short) == bits(long), f"{label}: other bits than the Program's"


@pytest.mark.parametrize("order", ["C", "F"])
def test_functions_of_one_and_two_arrays(order):
    with collect() as failures:
        for name, dtype in itertools.product(sorted({row["name"] for row in TABLE}), DTYPES):
            ufunc = getattr(cp, name, None)
            if not isinstance(ufunc, cp.ufunc) or ufunc.nin > 2 or ufunc.nout > 1:
                continue
            n = 6000 if order == "F" else 4097
            args = [made(dtype, n, seed, order) for seed in range(ufunc.nin)]
            try:
                ufunc(*(a[:2] for a in args))
            except (TypeError, ValueError):
                continue
            with failures:
                same_both_ways(lambda ufunc=ufunc, args=args: ufunc(*args), f"{name} {dtype}")


@pytest.mark.parametrize("n", SIZES)
def test_sizes_around_the_limits(n):
    a, b = made("float64", n), made("float64", n, 1)
    for work in (
        lambda: a + b,
        lambda: a * 2,
        lambda: 2 - a,
        lambda: cp.clip(a, -0.5, 0.5),
        lambda: cp.where(a > b, 1.0, b),
        lambda: cp.sqrt(a),
        lambda: a.copy(),
        lambda: a.sum(),
        lambda: a[1:] + b[:-1],
        lambda: a[::-1] * b,
    ):
        same_both_ways(work, str(n))


def test_copies_and_conversions():
    with collect() as failures, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for source, target, order in itertools.product(DTYPES, DTYPES, "CF"):
            a = made(source, 6000, order=order)
            with failures:
                same_both_ways(lambda a=a, target=target: a.astype(target), f"{source} to {target}, {order}")


def test_arrays_of_one_value_and_of_positions():
    with collect() as failures:
        for dtype, value in itertools.product(DTYPES, [0, 1, -1, 0.1, 3 + 4j]):
            if isinstance(value, complex) and not dtype.startswith("complex"):
                continue
            if value == -1 and dtype.startswith("uint"):
                continue
            with failures:
                for shape in (6001, (75, 80)):
                    same_both_ways(
                        lambda s=shape, v=value, d=dtype: cp.full(s, v, d), f"full {dtype} {value}"
                    )
        with failures:
            same_both_ways(lambda: cp.arange(6001), "arange")
        with failures:
            np.testing.assert_array_equal(cp.asnumpy(cp.arange(6001)), np.arange(6001))


def test_reductions_to_one_value():
    names = ["sum", "prod", "min", "max", "mean", "var", "std", "any", "all", "argmin", "argmax"]
    with collect() as failures:
        for name, dtype, n in itertools.product(names, DTYPES, (4097, 30000, 65536)):
            a = made(dtype, n)
            try:
                getattr(a[:2], name)()
            except TypeError:
                continue
            with failures:
                same_both_ways(lambda a=a, name=name: getattr(a, name)(), f"{name} {dtype} {n}")


def test_writes():
    """Assignments and in-place operators of the same sizes, against NumPy's values."""
    values = {"C": lambda a: a, "turned": lambda a: a[::-1], "part": lambda a: a[:1]}
    with collect() as failures, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for dtype, kind in itertools.product(ALL_DTYPES, values):
            source = host(dtype, 5000, 1)

            def body(xp, dtype=dtype, kind=kind, source=source):
                a = xp.array(host(dtype, 6000))
                b = xp.array(source)
                a[:5000] = values[kind](b)
                a[5000:] = 1
                a[1:5001] = a[:5000]
                c = xp.zeros((60, 100), dtype, order="F")
                c[...] = a.reshape(60, 100)
                c[:] = c
                c.T[...] = c.reshape(100, 60)
                d = xp.zeros((60, 200), dtype)
                d[:, ::2] = c
                return a, c, d

            with failures:
                for ours, theirs in zip(body(cp), body(np), strict=True):
                    np.testing.assert_array_equal(cp.asnumpy(ours), theirs)
        for name, apply in IN_PLACE.items():
            with failures:
                a, b = host("float64", 6000) + 3, host("float64", 6000, 1) + 2
                ours, b_ours = cp.array(a), cp.array(b)
                try:
                    apply(a, b)
                except TypeError:
                    continue
                apply(ours, b_ours)
                np.testing.assert_allclose(cp.asnumpy(ours), a, rtol=1e-15, atol=0, err_msg=name)


@pytest.mark.parametrize("n", [4099, 16384, 16385])
def test_results_that_go_into_arrays(n):
    a, b = made("float64", n), made("float64", n, 1)

    def into(work):
        target = cp.zeros(n)
        cp.testing.wait(target)
        work(target)
        return target

    for label, work in {
        "log": lambda out: cp.log(a * a + 1, out=out),
        "sin": lambda out: cp.sin(a, out=out),
        "add": lambda out: cp.add(a, b, out=out),
        "power": lambda out: cp.power(2.5, a, out=out),
        "twice": lambda out: cp.hypot(cp.add(out, a, out=out), out, out=out),
        "special": lambda out: cp.scipy.special.gammaln(cp.add(a * a, 1, out=out), out=out),
    }.items():
        same_both_ways(lambda work=work: into(work), f"{label} {n}")
    # Elements that are read after they would have been written.
    host_a = cp.asnumpy(a)
    np.add(host_a[:-1], 1, out=host_a[1:])
    cp.add(a[:-1], 1, out=a[1:])
    np.testing.assert_array_equal(cp.asnumpy(a), host_a)
    host_a -= host_a[::-1]
    a -= a[::-1]
    np.testing.assert_array_equal(cp.asnumpy(a), host_a)


# ---------------------------------------------------------------------------------------------------------
# Many short rows


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128", "int32"])
def test_short_rows_are_summed_as_each_is_alone(dtype):
    special = np.array([-0.0, 0.0, np.inf, -np.inf, np.nan, 1e-300, 65504.0])
    rng = np.random.default_rng(0)
    for length in [*range(1, 36), 64]:
        for rows in (1, 7, 8, 9, 200):
            values = rng.standard_normal((rows, length))
            if dtype != "int32":
                values[rng.random(values.shape) < 0.05] = rng.choice(special)
                values[0] = -0.0
            matrix = cp.array(values.astype(dtype))
            for name in ("sum", "prod"):
                together = cp.asnumpy(getattr(matrix, name)(1))
                alone = [cp.asnumpy(getattr(row, name)()) for row in matrix]
                assert together.tobytes() == np.array(alone).tobytes(), (name, length, rows)


def test_elements_that_are_gathered_from_any_layout():
    rng = np.random.default_rng(0)
    with collect() as failures:
        for dtype in ("int8", "float16", "float32", "float64", "complex128"):
            flat = (100 * rng.standard_normal(40000)).astype(dtype)
            for _ in range(60):
                shape = tuple(rng.choice([1, 2, 3, 4, 5, 9, 17, 60], rng.integers(1, 5)))
                while np.prod(shape) < 5000:
                    shape = (*shape, int(rng.choice([2, 3, 10, 40])))
                if np.prod(shape) > 20000:
                    continue
                axes = rng.permutation(len(shape))
                step = tuple(slice(None, None, int(rng.choice([1, 1, 2, 3, -1, -2]))) for _ in shape)
                times = int(rng.choice([1, 2, 3, 5]))

                def body(xp, flat=flat, shape=shape, axes=axes, step=step, times=times):
                    view = xp.array(flat[: np.prod(shape)]).reshape(shape).transpose(axes)[step]
                    return view.copy(), view + view[..., :1], xp.repeat(view, times, axis=-1), view.ravel()

                with failures:
                    for ours, theirs in zip(body(cp), body(np), strict=True):
                        np.testing.assert_array_equal(cp.asnumpy(ours), theirs)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_matrix_by_its_own_transpose_has_the_bits_of_any_product(dtype):
    rng = np.random.default_rng(0)
    for n, k in [(383, 40), (384, 1), (385, 17000), (400, 7), (501, 300), (577, 40), (1601, 9)]:
        values = rng.standard_normal((n, k)).astype(dtype)
        for a in (
            cp.array(values),
            cp.array(np.asfortranarray(values)),
            cp.array(np.repeat(values, 2, 1))[:, ::2],
        ):
            product = a @ a.T
            np.testing.assert_array_equal(cp.asnumpy(product), cp.asnumpy(a @ a.T.copy()))
            np.testing.assert_array_equal(cp.asnumpy(product), cp.asnumpy(product.T))
            close = 4 * k**0.5 * np.finfo(dtype).eps * np.abs(values).max() ** 2
            np.testing.assert_allclose(cp.asnumpy(product), values @ values.T, rtol=4e-6, atol=k**0.5 * close)
            out = cp.zeros((n, n), dtype, order="F")
            cp.matmul(a, a.T, out=out)
            np.testing.assert_array_equal(cp.asnumpy(out), cp.asnumpy(product))
        gram = cp.array(values.T)
        np.testing.assert_array_equal(cp.asnumpy(gram.T @ gram), cp.asnumpy(gram.T.copy() @ gram))


# ---------------------------------------------------------------------------------------------------------
# What stays along a row


@pytest.mark.parametrize("dtype", ["int8", "int64", "float16", "float32", "float64"])
def test_columns_beside_matrices(dtype):
    """A column is one element along each row: steps read it where it is."""
    rows, cols = 40, 300
    host_m = host(dtype, rows * cols).reshape(rows, cols)
    host_v = host(dtype, rows, 1)
    raw = np.zeros(host_v.nbytes + 1, "uint8")
    raw[1:] = host_v.view("uint8")

    def body(xp):
        m, v = xp.array(host_m), xp.array(host_v)
        odd = xp.array(raw)[1:].view(v.dtype) if xp is np else xp.frombuffer(raw.tobytes(), v.dtype, offset=1)
        column, row = v[:, None], xp.array(host_m[0])
        scaled = m.copy()
        scaled *= column
        own = m.copy()
        own += own[:, 1:2]
        results = [
            m + column,
            column - m,
            m * column + 1,
            (m - column) * column,
            (column + 1) * m,
            column * v[:, None] + m,
            m * odd[:, None],
            (m + row) * column,
            (m.T + v).T,
            xp.where(m == column, m, column),
            xp.broadcast_to(column, m.shape) * 2,
            xp.broadcast_to(column, m.shape).copy(),
            m + v[3],
            scaled,
            own,
        ]
        clipped = [xp.clip(m, column, 5), xp.clip(m, -1, 2)]
        return [*results, m < column, column <= m, xp.maximum(column, m), *clipped]

    for at, (ours, theirs) in enumerate(zip(body(cp), body(np), strict=True)):
        np.testing.assert_array_equal(cp.asnumpy(ours), theirs, err_msg=f"result {at}")


def test_truths_that_one_element_settles():
    for n in (5000, 100_000, 1_000_001):
        for place in (0, n // 3, n - 1):
            some = np.zeros(n, bool)
            some[place] = True
            ours = cp.array(some)
            assert bool(ours.any()) and not bool((~ours).all()) and not bool(ours.all())
            assert bool((cp.array(some.astype("float64")) > 0.5).any())
        assert not bool(cp.zeros(n, bool).any()) and bool(cp.ones(n, bool).all())
