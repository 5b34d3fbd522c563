"""How the CPU walks memory changes no bit: pairs of steps, rows side by side, constants by long arrays."""

import numpy as np
import pytest

import cuprum as cp

DTYPES = ["float32", "float64"]
LENGTHS = [
    9001,
    700_001,
    2_500_000,
]  # blocks of one task, of several that look ahead, and written past the caches

FIRSTS = {
    "a + b": lambda a, b: a + b,
    "a - b": lambda a, b: a - b,
    "a * b": lambda a, b: a * b,
    "a ** 2": lambda a, b: a**2,
    "a * a": lambda a, b: a * a,
    "a ** 2 + b ** 2": lambda a, b: a**2 + b**2,
    "a * a + b * b": lambda a, b: a * a + b * b,
}
SECONDS = {
    "t + c": lambda xp, t, c: t + c,
    "c + t": lambda xp, t, c: c + t,
    "t - c": lambda xp, t, c: t - c,
    "c - t": lambda xp, t, c: c - t,
    "t * c": lambda xp, t, c: t * c,
    "t / c": lambda xp, t, c: t / c,
    "c / t": lambda xp, t, c: c / t,
    "sqrt(t)": lambda xp, t, c: xp.sqrt(t),
    "abs(t)": lambda xp, t, c: abs(t),
    "t ** 2": lambda xp, t, c: t**2,
    "maximum(t, c)": lambda xp, t, c: xp.maximum(t, c),
    "maximum(c, t)": lambda xp, t, c: xp.maximum(c, t),
    "minimum(t, c)": lambda xp, t, c: xp.minimum(t, c),
    "t < c": lambda xp, t, c: t < c,
    "c < t": lambda xp, t, c: c < t,
    "t <= c": lambda xp, t, c: t <= c,
    "c <= t": lambda xp, t, c: c <= t,
    "t > c": lambda xp, t, c: t > c,
    "t >= c": lambda xp, t, c: t >= c,
    "t == c": lambda xp, t, c: t == c,
    "t + c * c": lambda xp, t, c: t + c * c,
    "c ** 2 + t": lambda xp, t, c: c**2 + t,
    "t + 1": lambda xp, t, c: t + 1,
    "1 - t": lambda xp, t, c: 1 - t,
    "t <= 1": lambda xp, t, c: t <= 1,
    "t * t": lambda xp, t, c: t * t,
    "t - t": lambda xp, t, c: t - t,
}


def _values(length, dtype, seed=0):
    """Ordinary numbers with every kind of special value among them."""
    rng = np.random.default_rng(seed)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e30, 1e30, 1.0, -1.0], dtype)
    made = []
    for _ in range(3):
        x = rng.standard_normal(length).astype(dtype)
        places = rng.integers(0, length, length // 5)
        x[places] = rng.choice(special, len(places))
        made.append(x)
    return made


def _assert_same_bits(got, want, label):
    got = cp.asnumpy(got)
    assert got.dtype == want.dtype and got.shape == want.shape, label
    if got.dtype.kind == "f":
        assert np.array_equal(np.isnan(got), np.isnan(want)), label
        got, want = np.nan_to_num(got, nan=7.0), np.nan_to_num(want, nan=7.0)
    assert got.tobytes() == want.tobytes(), label


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("first", FIRSTS)
def test_every_pair_gives_numpys_bits(first, dtype):
    a, b, c = _values(LENGTHS[0], dtype)
    on_device = [cp.asarray(x) for x in (a, b, c)]
    with np.errstate(all="ignore"):
        for name, second in SECONDS.items():
            want = second(np, FIRSTS[first](a, b), c)
            x, y, z = on_device
            _assert_same_bits(second(cp, FIRSTS[first](x, y), z), want, f"t = {first}; {name}")


@pytest.mark.parametrize("length", LENGTHS[1:])
@pytest.mark.parametrize("dtype", DTYPES)
def test_long_chains_give_numpys_bits(dtype, length):
    a, b, c = _values(length, dtype)
    x, y, z = (cp.asarray(v) for v in (a, b, c))
    chains = [
        lambda xp, a, b, c: xp.sqrt(a**2 + b**2),
        lambda xp, a, b, c: a**2 + 2 * b,
        lambda xp, a, b, c: (a - b) / c,
        lambda xp, a, b, c: ((a * 2 + 1) * a + 3) * a - b,
        lambda xp, a, b, c: xp.maximum(a, 0.5) * b,
        lambda xp, a, b, c: xp.where(a > b, a * b + c, a - b * c),
        lambda xp, a, b, c: xp.sqrt(a * a + b * b + c * c),
        lambda xp, a, b, c: (a * b + c) <= (a - b),
        lambda xp, a, b, c: a + b,
    ]
    with np.errstate(all="ignore"):
        for number, chain in enumerate(chains):
            _assert_same_bits(chain(cp, x, y, z), chain(np, a, b, c), f"chain {number}")
        count = cp.sum((x * x + y * y) <= 1)
        assert int(count) == int(np.sum((a * a + b * b) <= 1))


@pytest.mark.parametrize("dtype", DTYPES)
def test_pairs_over_their_own_arguments(dtype):
    a, b, c = _values(LENGTHS[1], dtype)
    updates = {
        "a *= b; a += c": lambda a, b, c: a.__imul__(b).__iadd__(c),
        "a += a * b": lambda a, b, c: a.__iadd__(a * b),
        "b[:] = c - a * b": lambda a, b, c: b.__setitem__(slice(None), c - a * b),
        "c[:] = a * b + c": lambda a, b, c: c.__setitem__(slice(None), a * b + c),
        "c[:] = (a + b) / c": lambda a, b, c: c.__setitem__(slice(None), (a + b) / c),
        "a[1:] = a[:-1] * b[1:] + c[1:]": lambda a, b, c: a.__setitem__(
            slice(1, None), a[:-1] * b[1:] + c[1:]
        ),
    }
    with np.errstate(all="ignore"):
        for name, update in updates.items():
            host = [v.copy() for v in (a, b, c)]
            device = [cp.asarray(v) for v in (a, b, c)]
            update(*host)
            update(*device)
            for got, want in zip(device, host, strict=True):
                _assert_same_bits(got, want, name)


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_used_twice_is_there_twice(dtype):
    a, b, c = _values(LENGTHS[1], dtype)
    x, y, z = (cp.asarray(v) for v in (a, b, c))
    with np.errstate(all="ignore"):
        between = x * y
        result = between + z
        again = between - z
        _assert_same_bits(result, a * b + c, "the result")
        _assert_same_bits(again, a * b - c, "the other result")
        _assert_same_bits(between, a * b, "what lies between")


@pytest.mark.parametrize("dtype", DTYPES)
def test_pairs_of_rows_columns_and_views(dtype):
    a, b, c = (v[:8800].reshape(80, 110) for v in _values(LENGTHS[0], dtype))
    x, y, z = (cp.asarray(v) for v in (a, b, c))
    programs = [
        lambda a, b, c: (a - b[0]) / c[1],
        lambda a, b, c: (a - b[:, :1]) / c[:, 2:3],
        lambda a, b, c: a[::-1] * b[:, ::-1] + c,
        lambda a, b, c: a.T * b.T + c.T,
        lambda a, b, c: a[::2, ::3] ** 2 + b[::2, ::3] ** 2,
        lambda a, b, c: (a[:, :80].T - b[:, :80]) * c[:, :80],
    ]
    with np.errstate(all="ignore"):
        for number, program in enumerate(programs):
            _assert_same_bits(program(x, y, z), program(a, b, c), f"program {number}")


WIDE = (75, 2500)  # more columns than a block has, so that rows of a block lie apart
REDUCED = [
    "float16",
    "float32",
    "float64",
    "int8",
    "uint8",
    "int32",
    "int64",
    "bool",
    "complex64",
    "complex128",
]


@pytest.mark.parametrize("dtype", REDUCED)
def test_rows_side_by_side_give_the_bits_of_rows_in_turn(dtype):
    rng = np.random.default_rng(3)
    values = rng.standard_normal(WIDE) * 40
    m = cp.asarray((values + 1j * values[::-1] if dtype.startswith("complex") else values).astype(dtype))
    parts = [cp.ascontiguousarray(m[:, at : at + 1024]) for at in range(0, WIDE[1], 1024)]
    names = ["sum", "prod", "mean", "var", "any", "all"]
    if not dtype.startswith("complex"):
        names += ["max", "min"]
    with np.errstate(all="ignore"):
        for name in names:
            whole = cp.asnumpy(getattr(m, name)(axis=0))
            pieces = [cp.asnumpy(getattr(part, name)(axis=0)) for part in parts]
            assert whole.tobytes() == np.concatenate(pieces).tobytes(), name


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rows", [1, 7, 8, 9, 64, 65, 200])
def test_wide_columns_are_numpys(dtype, rows):
    m = np.random.default_rng(rows).integers(-1000, 1000, (rows, 3000)).astype(dtype)
    m[:, ::7] = -0.0
    x = cp.asarray(m)
    _assert_same_bits(x.sum(axis=0), m.sum(axis=0), "sum")
    _assert_same_bits(x.max(axis=0), m.max(axis=0), "max")
    _assert_same_bits(x[::-1].min(axis=0), m[::-1].min(axis=0), "min")
    m[rows // 2, 11] = np.nan
    x = cp.asarray(m)
    _assert_same_bits(x.sum(axis=0), m.sum(axis=0), "sum with NaN")
    _assert_same_bits(x.max(axis=0), m.max(axis=0), "max with NaN")


CONSTANTS = {
    "x == 5": lambda x: x == 5,
    "5 != x": lambda x: 5 != x,
    "x * 3 == 15": lambda x: x * 3 == 15,
    "isnan(x * 2 + 1)": lambda x: (x * 2 + 1) != (x * 2 + 1),
    "(x + 1) * 2": lambda x: (x + 1) * 2,
}


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "float16", "float32", "float64", "complex128"])
def test_long_arrays_beside_constants(dtype):
    """Results of every width that are written past the caches, beside constants of every width."""
    length = (17 << 20) + 12_345
    x = (np.arange(length, dtype=np.uint32) % 1000).astype(np.int16).astype(dtype)
    on_device = cp.asarray(x)
    for name, program in CONSTANTS.items():
        got, want = cp.asnumpy(program(on_device)), program(x)
        assert got.dtype == want.dtype
        assert np.array_equal(got, want), f"{name}: {np.count_nonzero(got != want)} of {length} differ"


AGAINST_CONSTANTS = {
    "x + 3": lambda xp, x: x + 3,
    "3 - x": lambda xp, x: 3 - x,
    "x * 2": lambda xp, x: x * 2,
    "x / 4": lambda xp, x: x / 4,
    "7 / x": lambda xp, x: 7 / x,
    "maximum(x, 1)": lambda xp, x: xp.maximum(x, 1),
    "minimum(1, x)": lambda xp, x: xp.minimum(1, x),
    "clip(x, 1, 5)": lambda xp, x: xp.clip(x, 1, 5),
    "x == 1": lambda xp, x: x == 1,
    "1 != x": lambda xp, x: 1 != x,
    "x < 2": lambda xp, x: x < 2,
    "2 < x": lambda xp, x: 2 < x,
    "x <= 2": lambda xp, x: x <= 2,
    "2 >= x": lambda xp, x: 2 >= x,
    "2 * x + 1": lambda xp, x: 2 * x + 1,
    "(1 - x) * 3": lambda xp, x: (1 - x) * 3,
    "x * x - 1": lambda xp, x: x * x - 1,
    "abs(x - 2)": lambda xp, x: abs(x - 2),
    "(x + 1) > 2": lambda xp, x: (x + 1) > 2,
}


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "int8", "uint8", "int16", "int32", "uint32", "int64"]
)
def test_constants_beside_an_array_give_numpys_bits(dtype, length):
    x = _values(length, dtype)[0] if dtype.startswith("float") else np.arange(length).astype(dtype)
    on_device = cp.asarray(x)
    with np.errstate(all="ignore"):
        for name, program in AGAINST_CONSTANTS.items():
            _assert_same_bits(program(cp, on_device), program(np, x), name)


@pytest.mark.parametrize("shape", [(4000, 130), (10, 3000), (130, 4000), (700, 64)])
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_a_mean_beside_a_deviation_is_the_mean_alone(dtype, axis, shape):
    m = cp.asarray((_values(shape[0] * shape[1], "float64")[0].reshape(shape)).astype(dtype))
    m[cp.isnan(m) | cp.isinf(m)] = 0.25
    mean, deviation, total = m.mean(axis), m.std(axis), m.sum(axis)
    alone = [cp.asnumpy(x) for x in (m.copy().mean(axis), m.copy().std(axis), m.copy().sum(axis))]
    for got, want, name in zip((mean, deviation, total), alone, ("mean", "std", "sum"), strict=True):
        assert cp.asnumpy(got).tobytes() == want.tobytes(), name
    quotient = cp.asnumpy(m.mean(axis) / m.std(axis))
    assert quotient.tobytes() == (cp.asarray(alone[0]) / cp.asarray(alone[1])).tobytes()


@pytest.mark.parametrize("axis", [0, 1, None])
def test_deviations_of_close_singles_are_as_exact_as_their_own_digits(axis):
    rng = np.random.default_rng(8)
    for offset, step in [(0, 1e-3), (1e3, 2.0**-13), (1e6, 2.0**-4), (-3e7, 2.0), (1e10, 2.0**10)]:
        m = (offset + step * rng.integers(0, 20, (5000, 200))).astype("float32")
        want = m.astype("float64").var(axis)
        got = cp.asnumpy(cp.asarray(m).var(axis))
        np.testing.assert_allclose(got, want, rtol=1.2e-7, err_msg=f"{offset} + {step} k")


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_deviations_of_what_is_not_finite_are_not_numbers(value):
    m = np.ones((300, 100), "float32")
    m[7, 5] = value
    m[0, 9] = value
    got = cp.asnumpy(cp.asarray(m).var(0))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(got, m.var(0))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_sine_beside_the_cosine_is_the_sine_alone(dtype, length):
    angles, b, _ = _values(length, dtype)
    angles[::97] = 1e20
    x, y = cp.asarray(angles), cp.asarray(b)
    sines, cosines = (cp.asnumpy(f(x.copy())) for f in (cp.sin, cp.cos))
    with np.errstate(all="ignore"):
        _assert_same_bits(cp.sin(x) * cp.cos(x), sines * cosines, "a product")
        _assert_same_bits(cp.cos(x) * y - cp.sin(x), cosines * b - sines, "cosine first")
        _assert_same_bits(cp.sin(x) ** 2 + cp.cos(x) ** 2, sines**2 + cosines**2, "squares")
        s, c = cp.sin(x), cp.cos(x)
        total = s + c
        _assert_same_bits(total, sines + cosines, "both, read once more")
        _assert_same_bits(s, sines, "the sine")
        _assert_same_bits(c, cosines, "the cosine")
        assert int((cp.sin(x) < cp.cos(x)).sum()) == int((sines < cosines).sum())
        x[:] = cp.sin(x) - cp.cos(x)
        _assert_same_bits(x, sines - cosines, "over the angles")


ROWS = {
    "a row for all": lambda xp, a, row, column: a + row,
    "a row and a column": lambda xp, a, row, column: (a * row + column) * a,
    "a choice": lambda xp, a, row, column: xp.where(a > row, a, column),
    "a column twice": lambda xp, a, row, column: xp.where(a == column, row, column),
    "a number from an array": lambda xp, a, row, column: xp.where(a * a == row, row[1], (a + row) * row[1]),
    "positions": lambda xp, a, row, column: a + xp.arange(row.size, dtype="int32") * column,
    "backwards": lambda xp, a, row, column: a[..., ::-1] * row[::-1] + column,
    "every other": lambda xp, a, row, column: a[..., ::2] + row[::2],
    "two steps": lambda xp, a, row, column: (a + row) - (column - row),
    "a sum of all": lambda xp, a, row, column: (a + row).astype("int64").sum(),
    "sums of rows": lambda xp, a, row, column: (a + row).astype("int64").sum(axis=-1),
    "sums of columns": lambda xp, a, row, column: (a * column + row).astype("int64").sum(axis=(0, 1)),
}


@pytest.mark.parametrize("length", [2, 5, 31, 32, 47, 48, 100, 127, 128, 129, 250, 500, 512, 513, 700])
@pytest.mark.parametrize("dtype", ["int16", "float32", "float64", "complex128"])
def test_rows_of_every_length_are_numpys(dtype, length):
    rows = 20_000 // length + 3
    frame = np.arange(2 * (rows + 2) * (length + 3)) % 61
    frame = frame.reshape(2, rows + 2, length + 3).astype(dtype)
    row, column = frame[0, 1, 2:-1].copy(), frame[1, 1:-1, :1].copy()
    on_device = [cp.asarray(x) for x in (frame, row, column)]
    for name, program in ROWS.items():
        if dtype == "complex128" and (name == "a choice" or "sum" in name):
            continue
        want = program(np, frame[:, 1:-1, 2:-1], row, column)
        _assert_same_bits(program(cp, on_device[0][:, 1:-1, 2:-1], *on_device[1:]), want, name)


@pytest.mark.parametrize("length", [31, 100, 126, 254, 500])
def test_rows_that_are_stored_twice_are_there_twice(length):
    rows = 20_000 // length
    frame = np.arange((rows + 2) * (length + 2), dtype="float64").reshape(rows + 2, length + 2)
    x = cp.asarray(frame)
    inner = np.s_[1:-1, 1:-1]
    want, got = frame.copy(), x.copy()
    want_inner, got_inner = frame[inner] + frame[1:-1, :-2], x[inner] + x[1:-1, :-2]
    want[inner], got[inner] = want_inner, got_inner
    _assert_same_bits(got, want, "the frame")
    _assert_same_bits(got_inner, want_inner, "what was stored into it")
    want[inner] += want[1:-1, 2:] * 0.5
    got[inner] += got[1:-1, 2:] * 0.5
    _assert_same_bits(got, want, "the frame in place")


def _few_columns(rows, dtype):
    rng = np.random.default_rng(rows)
    for columns in (2, 3, 7, 8, 9, 63):
        values = rng.integers(-9, 9, (rows, columns)) / 8
        yield columns, (values + 1j * values[::-1] if dtype.startswith("complex") else values).astype(dtype)


SHORT_AND_LONG = [1, 31, 33, 255, 257, 1024, 1300, 70_001]


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("rows", SHORT_AND_LONG)
def test_exact_sums_of_a_few_columns_are_numpys(rows, dtype):
    for columns, host in _few_columns(rows, dtype):
        # Sums of eighths are exact in float64, and rounded once to what is shorter.
        wide = "complex128" if dtype.startswith("complex") else "float64"
        want = host.astype(wide).sum(axis=0).astype(dtype)
        assert cp.asnumpy(cp.asarray(host).sum(axis=0)).tobytes() == want.tobytes(), columns


@pytest.mark.cpu
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("rows", SHORT_AND_LONG)
def test_sums_of_a_few_columns_are_those_of_each_column(rows, dtype):
    for columns, host in _few_columns(rows, dtype):
        m = cp.asarray(host)
        for array in (m, m / np.asarray(3, host.real.dtype)):
            sums = cp.asnumpy(array.sum(axis=0))
            each = [cp.asnumpy(cp.ascontiguousarray(array[:, at]).sum()) for at in range(columns)]
            assert sums.tobytes() == np.array(each).tobytes(), columns


@pytest.mark.parametrize("dtype", ["int8", "uint32", "int64", "float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("rows", [31, 257, 1024, 1300, 70_001])
def test_extrema_of_a_few_columns_are_numpys(rows, dtype):
    rng = np.random.default_rng(rows)
    for columns in (2, 3, 7, 33, 63):
        host = rng.integers(0, 50, (rows, columns)).astype(dtype)
        if host.dtype.kind in "fc":
            # Zeros of both signs are equal: the first is the result. So is the first NaN.
            host[rng.integers(0, rows, 5), 0] = -0.0
            host[rng.integers(0, rows, 3), columns - 1] = np.nan
        for name, x in {"whole": host, "apart": host[:, :-1], "backwards": host[::-1]}.items():
            m = cp.asarray(host)
            m = {"whole": m, "apart": m[:, :-1], "backwards": m[::-1]}[name]
            for op in ("max", "min", "argmax", "argmin"):
                if host.dtype.kind == "c" and op in ("max", "min"):
                    continue
                want, got = getattr(x, op)(axis=0), cp.asnumpy(getattr(m, op)(axis=0))
                assert got.dtype == want.dtype, op
                np.testing.assert_array_equal(got, want, err_msg=f"{op} {columns} {name}")
            if host.dtype.kind == "f":
                for op in ("max", "min"):
                    each = [
                        cp.asnumpy(getattr(cp.ascontiguousarray(m[:, at]), op)()) for at in range(m.shape[1])
                    ]
                    assert cp.asnumpy(getattr(m, op)(axis=0)).tobytes() == np.array(each).tobytes(), op
