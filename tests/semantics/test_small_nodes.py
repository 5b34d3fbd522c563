"""Small work runs at once, without a Program: it gives the bits of the block machine, and NumPy's values.

Views of an array that is still pending are never small work: what is made of them goes through a Program.
"""

import itertools
import warnings

import numpy as np
import pytest
from samples import ordinary_values
from twin import ALL_DTYPES, collect

import cuprum as cp

ROOM = 9000  # more elements than are computed at once
DTYPES = [*ALL_DTYPES, "bfloat16"]

# Views of a long array, by the shape that they are to have.
VIEWS = {
    "C": lambda x, shape: x[: np.prod(shape)].reshape(shape),
    "F": lambda x, shape: x[: np.prod(shape)].reshape(shape[::-1]).T,
    "offset": lambda x, shape: x[3 : 3 + np.prod(shape)].reshape(shape),
    "strided": lambda x, shape: x[: 2 * np.prod(shape)].reshape(*shape[:-1], 2 * shape[-1])[..., ::2],
    "gaps": lambda x, shape: x[: np.prod(shape) // shape[-1] * (shape[-1] + 1)].reshape(
        *shape[:-1], shape[-1] + 1
    )[..., 1:],
    "negative": lambda x, shape: x[: np.prod(shape)].reshape(shape)[(slice(None, None, -1),) * len(shape)],
    "F negative": lambda x, shape: x[: np.prod(shape)].reshape(shape[::-1]).T[::-1],
    "rotated": lambda x, shape: (
        x[: np.prod(shape)].reshape(shape[-1:] + shape[:-1]).transpose(*range(1, len(shape)), 0)
    ),
    "broadcast rows": lambda x, shape: _stretched(x[: shape[-1]], shape),
    "broadcast columns": lambda x, shape: _stretched(
        x[: np.prod(shape[:-1], dtype=int)].reshape(*shape[:-1], 1), shape
    ),
    "one value": lambda x, shape: _stretched(x[5], shape),
}
SHAPES = [(10, 10), (3, 70), (70, 3), (4, 5, 6), (1, 7), (1500,), (2, 1100), (64, 63), (1, 1)]
SMALL_SHAPES = [(10, 10), (4, 5, 6), (300,), (2, 150), (1, 1)]


def _stretched(x, shape):
    return (cp if isinstance(x, cp.ndarray) else np).broadcast_to(x, shape)


def host(dtype, seed=0):
    """Return a long NumPy array; bfloat16 comes as float32."""
    if dtype == "bool":
        return np.random.default_rng(seed).random(ROOM) < 0.5
    return ordinary_values("float32" if dtype == "bfloat16" else dtype, ROOM, seed)


def both(dtype, seed=0):
    """Return a long array that is there, and an equal one that is pending."""
    ready = cp.array(host(dtype, seed)).astype(dtype)
    cp.testing.wait(ready)
    return ready, ready.copy()


def bits(x):
    assert isinstance(x, cp.ndarray)
    shown = x.view("uint16") if x.dtype == "bfloat16" and x.ndim else x
    shown = x.astype("float32") if x.dtype == "bfloat16" and not x.ndim else shown
    values = cp.asnumpy(shown)
    return x.dtype, x.shape, values.strides, values.tobytes(order="A")


def compare(label, work, ready, pending):
    """Run the same work on what is there and on what is pending."""
    assert bits(work(ready)) == bits(work(pending)), label


REDUCTIONS = {
    "sum": lambda x, axis: x.sum(axis),
    "prod": lambda x, axis: x.prod(axis),
    "max": lambda x, axis: x.max(axis),
    "min": lambda x, axis: x.min(axis),
    "any": lambda x, axis: x.any(axis),
    "all": lambda x, axis: x.all(axis),
    "mean": lambda x, axis: x.mean(axis),
    "var": lambda x, axis: x.var(axis),
    "argmax": lambda x, axis: x.argmax(axis),
    "argmin": lambda x, axis: x.argmin(axis),
    "fmax": lambda x, axis: cp.fmax.reduce(x, axis),
    "subtract": lambda x, axis: cp.subtract.reduce(x, axis),
    "float sum": lambda x, axis: x.sum(axis, dtype="complex128" if x.dtype.kind == "c" else "float32"),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_have_the_bits_of_a_program(name, dtype):
    if name == "subtract" and dtype == "bool":
        pytest.skip("truth values are not subtracted")
    ready, pending = both(dtype)
    reduce = REDUCTIONS[name]
    with collect() as failures:
        for shape, (view_name, view) in itertools.product(SHAPES, VIEWS.items()):
            axes = [*range(len(shape)), None]
            if len(shape) == 3 and not name.startswith(("arg", "subtract")):
                axes += [(0, 1), (0, 2), (1, 2)]
            for axis in axes:
                if name == "subtract" and axis is None:
                    continue
                with failures:
                    compare(
                        (name, dtype, shape, view_name, axis),
                        lambda x: reduce(view(x, shape), axis),  # noqa: B023 - runs at once
                        ready,
                        pending,
                    )


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin", "fmax", "any", "all"])
def test_zeros_and_nans_keep_their_order(name, dtype):
    """Of zeros that differ in sign, and of NaNs, the first is the result, however elements are joined."""
    rng = np.random.default_rng(3)
    parts = rng.choice(np.array([0.0, -0.0, 0.0, -0.0, np.nan, -1.0], "float32"), (2, ROOM))
    parts[:, ROOM // 2 :] = rng.choice(np.array([0.0, -0.0], "float32"), (2, ROOM - ROOM // 2))
    values = parts[0] + 1j * parts[1] if dtype.startswith("complex") else parts[0]
    ready = cp.array(values).astype(dtype)
    cp.testing.wait(ready)
    pending = ready.copy()
    oracle = values.astype("float32" if dtype == "bfloat16" else dtype)
    for shape, (view_name, view) in itertools.product(SHAPES, VIEWS.items()):
        for axis, start in itertools.product(range(len(shape)), (0, ROOM // 2)):
            if start + 2 * np.prod(shape) > ROOM:
                continue
            work = lambda x: REDUCTIONS[name](view(x[start:], shape), axis)  # noqa: B023, E731
            compare((name, dtype, shape, view_name, axis), work, ready, pending)
            if name.startswith("arg"):
                at = getattr(np, name)(view(oracle[start:], shape), axis)
                np.testing.assert_array_equal(
                    cp.asnumpy(work(ready)), at, err_msg=f"{shape} {view_name} {axis}"
                )


MAPS = {
    "add": lambda x, y: x + y,
    "multiply": lambda x, y: x * y,
    "less": lambda x, y: x < y,
    "where": lambda x, y: (cp if isinstance(x, cp.ndarray) else np).where(y != 0, x, y),
    "maximum": lambda x, y: (cp if isinstance(x, cp.ndarray) else np).maximum(x, y),
}


def test_pairs_of_layouts_have_numpys_values():
    for name, shape in itertools.product(MAPS, SMALL_SHAPES):
        a, b = host("float64"), host("float64", 1)
        (ready, pending), (other, _) = both("float64"), both("float64", 1)
        for (first, view), (second, another) in itertools.product(VIEWS.items(), repeat=2):
            label = (name, shape, first, second)
            expected = MAPS[name](view(a, shape), another(b, shape))
            result = MAPS[name](view(ready, shape), another(other, shape))
            values = cp.asnumpy(result)
            assert values.dtype == expected.dtype and values.tobytes() == expected.tobytes(), label
            compare(label, lambda x: MAPS[name](view(x, shape), another(other, shape)), ready, pending)  # noqa: B023


@pytest.mark.parametrize("first", ALL_DTYPES)
def test_pairs_of_dtypes_have_numpys_values(first):
    shape = (6, 50)
    for second, name in itertools.product(ALL_DTYPES, ("add", "maximum", "where")):
        a, b = host(first), host(second, 1)
        ready, other = cp.array(a), cp.array(b)
        for view, another in (("C", "F"), ("strided", "broadcast rows"), ("negative", "C"), ("C", "C")):
            with np.errstate(all="ignore"):
                expected = MAPS[name](VIEWS[view](a, shape), VIEWS[another](b, shape))
            result = cp.asnumpy(MAPS[name](VIEWS[view](ready, shape), VIEWS[another](other, shape)))
            np.testing.assert_array_equal(result, expected, err_msg=f"{name} {first} {second} {view}")
            assert result.dtype == expected.dtype


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_conversions_and_copies_have_numpys_values(dtype):
    for shape, (name, view) in itertools.product(SMALL_SHAPES, VIEWS.items()):
        x = view(host(dtype), shape)
        y = view(cp.array(host(dtype)), shape)
        for to in ALL_DTYPES:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = np.abs(x).astype(to) if to.startswith("u") and dtype != "bool" else x.astype(to)
                result = cp.abs(y).astype(to) if to.startswith("u") and dtype != "bool" else y.astype(to)
            if to.startswith("u") and dtype.startswith("complex"):
                continue  # moduli are not exact
            np.testing.assert_array_equal(
                cp.asnumpy(result), expected, err_msg=f"{dtype} {to} {shape} {name}"
            )
        np.testing.assert_array_equal(cp.asnumpy(y.copy()), x.copy(), err_msg=f"{dtype} {shape} {name}")


TARGETS = ("C", "F", "offset", "strided", "gaps", "negative", "F negative", "rotated")


@pytest.mark.parametrize("dtype", ["int16", "float32", "float64", "complex128"])
def test_writes_into_any_layout(dtype):
    for shape, name, source in itertools.product(SMALL_SHAPES, TARGETS, VIEWS):
        label = f"{dtype} {shape} {name} {source}"
        results = []
        for xp in (np, cp):
            target, values = xp.array(host(dtype)), xp.array(host("int16", 1))
            view, value = VIEWS[name](target, shape), VIEWS[source](values, shape)
            view[...] = value
            view += value
            xp.multiply(value, xp.array(host("int8", 2))[: shape[-1]], out=view, casting="unsafe")
            view[value > 3] = 7
            results.append(np.array(xp.asnumpy(target) if xp is cp else target))
        np.testing.assert_array_equal(results[1], results[0], err_msg=label)


def test_writes_over_their_own_operands():
    """Elements that lie over others are read before any of them is written."""
    for n, step in itertools.product((7, 100, 600), (1, 2)):
        results = []
        for xp in (np, cp):
            x = xp.arange(2.0 * n)
            x[step::step] += x[:-step:step]
            x[:n:step] = x[n - 1 :: -step][: len(range(0, n, step))]
            x[:n] *= x[:n]
            x[:n] = xp.sqrt(x[n:])
            results.append(np.array(cp.asnumpy(x) if xp is cp else x))
        np.testing.assert_array_equal(results[1], results[0], err_msg=f"{n} {step}")


def test_scalars_beside_any_layout():
    for shape, (name, view) in itertools.product(SMALL_SHAPES, VIEWS.items()):
        x, y = view(host("float64"), shape), view(cp.array(host("float64")), shape)
        for work in (
            lambda xp, v: xp.clip(v, 0.25, 0.75),
            lambda xp, v: 1.5 - v,
            lambda xp, v: v * np.float32(3),
            lambda xp, v: xp.where(v > 0, v, 2),
            lambda xp, v: xp.where(v > 0, 1.0, 2.0),
        ):
            np.testing.assert_array_equal(cp.asnumpy(work(cp, y)), work(np, x), err_msg=f"{shape} {name}")


def test_many_axes_and_addresses_that_are_not_aligned():
    x = np.arange(2**9 * 3, dtype="float64").reshape((2,) * 9 + (3,))
    y = cp.array(x)
    turned = (9, 3, 1, 8, 0, 2, 4, 5, 6, 7)
    np.testing.assert_array_equal(
        cp.asnumpy(y.transpose(turned) + y.transpose(turned)[::-1]),
        x.transpose(turned) + x.transpose(turned)[::-1],
    )
    np.testing.assert_array_equal(cp.asnumpy(y.sum((1, 4))), x.sum((1, 4)))
    raw = np.frombuffer(bytes(range(256)) * 4, "uint8")
    fields = np.dtype({"names": ["a", "b"], "formats": ["i1", "i4"], "offsets": [0, 1], "itemsize": 5})
    odd = raw[:1000].view(fields)["b"]
    shifted = cp.array(raw)[1:1001].view("int8")
    np.testing.assert_array_equal(
        cp.asnumpy(shifted + shifted[::-1]), raw[1:1001].view("i1") + raw[1:1001].view("i1")[::-1]
    )
    np.testing.assert_array_equal(cp.asnumpy(cp.array(odd) + cp.array(odd)[::-1]), odd + odd[::-1])


@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "float16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("shape", [(7, 15), (9, 16), (5, 17), (3, 300), (120, 130), (4, 9, 70), (50, 1100)])
def test_rows_that_lie_apart_are_taken_where_they_are(shape, dtype):
    wider = (*shape[:-2], shape[-2] + 2, shape[-1] + 2)
    x = np.random.default_rng(3).integers(0, 5, wider).astype(dtype)
    column, row = x[..., :1].copy(), x[(0,) * (len(shape) - 1)].copy()
    for name, work in {
        "neighbours": lambda v, c, r: v[..., 1:] + v[..., :-1],
        "diagonal": lambda v, c, r: v[..., 2:, 1:-1] * v[..., :-2, 1:-1],
        "column": lambda v, c, r: v[..., 1:-1] * c,
        "column first": lambda v, c, r: c + v[..., 1:-1],
        "row": lambda v, c, r: v[..., 1:] * r[1:],
        "column and row": lambda v, c, r: c == r,
        "smaller": lambda v, c, r: v[..., 1:] != v[..., :-1],
        "converted": lambda v, c, r: v[..., 1:-1].astype("complex64"),
        "copied": lambda v, c, r: v[..., 1:-1].copy(),
        "reversed": lambda v, c, r: v[..., ::-1][..., 1:] + c,
    }.items():
        want, got = work(x, column, row), work(*map(cp.asarray, (x, column, row)))
        assert got.dtype == want.dtype and cp.asnumpy(got).tobytes() == want.tobytes(), name
    want, got = x.copy(), cp.asarray(x)
    for v, other in ((want, x), (got, cp.asarray(x))):
        v[..., 1:-1] = other[..., 2:]
        v[..., 1:, :-1] = other[..., :1, 1:]
        v[..., :1] = 3
    assert cp.asnumpy(got).tobytes() == want.tobytes()
