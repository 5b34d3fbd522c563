"""Every elementwise op of the table, over every loop, layout and special value, against its NumPy oracle.

The op table of `cuprum.testing.op_table()` drives these tests: a new row is tested without a line here. Exact
ops (arithmetic, comparison, bits, rounding) must equal NumPy to the bit. Others pass an element that lies
within the row's ulps of the exact value, taken from the oracle evaluated in the next wider float type, or
within the row's ulps plus one of NumPy's own result, which has an error of its own.
"""

# ruff: noqa: B023, SIM905 - a body runs at once, inside the loop that makes it; name lists read best as text

import contextlib
import functools
import itertools

import numpy as np
import pytest
from samples import (
    LAYOUTS,
    bf16_array,
    bf16_bits,
    bf16_from_bits,
    bf16_round,
    bf16_ulps,
    ordinary_values,
    pairs,
    permuted,
    special_values,
)
from twin import (
    ALL_DTYPES,
    DTYPES,
    Failure,
    check,
    collect,
    compare_layout,
    dtype_name,
    quiet,
    run,
    to_numpy,
    ulp_distance,
    ulp_error,
)

import cuprum as cp

# Special functions have tests of their own: test_special.py.
ROWS = [row for row in cp.testing.op_table() if row.get("oracle") and row["namespace"] != "special"]
IDS = [row["name"] for row in ROWS]
each_row = pytest.mark.parametrize("row", ROWS, ids=IDS)

# Bit-equal to NumPy on real dtypes whatever their row says: IEEE arithmetic and what only moves bits.
EXACT = set(
    """
    add subtract multiply divide true_divide floor_divide remainder mod fmod divmod negative
    positive fabs sign square sqrt reciprocal rint floor ceil trunc fix round conjugate
    conj real imag maximum minimum fmax fmin clip where copysign nextafter spacing frexp ldexp modf
    heaviside signbit isnan isinf isfinite isneginf isposinf isreal iscomplex equal not_equal less
    less_equal greater greater_equal logical_and logical_or logical_xor logical_not bitwise_and
    bitwise_or bitwise_xor invert bitwise_not left_shift right_shift bitwise_count gcd lcm
    nan_to_num
    """.split()
)
# Exact on complex numbers too. Products and quotients are not: on some CPUs NumPy fuses a multiply and an
# add there.
EXACT_COMPLEX = EXACT - {
    "multiply",
    "divide",
    "true_divide",
    "square",
    "reciprocal",
    "sign",
    "sqrt",
}
# NumPy's answer to max(+0, -0) depends on the CPU.
ZERO_SIGN_UNSPECIFIED = {"maximum", "minimum", "fmax", "fmin", "clip"}
# Results near zero that cancellation leaves over: only the absolute error, in eps, means anything there.
ABSOLUTE_TOLERANCE = {"sinc": 4, "logaddexp": 2, "logaddexp2": 2}
ABSOLUTE_TOLERANCE_COMPLEX = {"log1p": 4, "expm1": 4}
# exp(b * log(a)) multiplies the error of the logarithm by |b log a|: NumPy itself is this far from exact.
COMPLEX_ULPS = {"power": 64, "pow": 64, "float_power": 64, "exp2": 16}
# NumPy's complex power goes through several branches whose NaN and infinity patterns no standard fixes.
FINITE_ONLY = {"power", "pow", "float_power"}

WIDER = {"e": np.float64, "f": np.float64, "d": np.longdouble, "F": np.complex128, "D": np.clongdouble}


def oracle(row):
    """Resolve the row's oracle, a dotted path such as "numpy.add"."""
    parts = row["oracle"].split(".")
    return functools.reduce(getattr, parts[1:], np)


def ours(row):
    return getattr(cp, row["name"])


def loops(row, bfloat16=False):
    """Yield (loop text, input characters, output characters) of the row's loops, with or without bfloat16."""
    for text in row["loops"]:
        ins, outs = text.split("->")
        if ("E" in text) == bfloat16:
            yield text, ins, outs


def tuple_of(result):
    return result if isinstance(result, (tuple, list)) else (result,)


def allowed_ulps(row, char):
    """Return the row's ulps for a result of type `char`, 0 for ops that must be exact."""
    exact = EXACT_COMPLEX if char in "FD" else EXACT
    if row["name"] in exact:
        return 0.0
    declared = float((row.get("ulps") or {}).get(char, 0.0))
    return max(declared, COMPLEX_ULPS.get(row["name"], 2.0)) if char in "FD" else declared


# ---------------------------------------------------------------------------------------------------------
# Judging values


def expected(row, args):
    """Return NumPy's results on `args`, and the same in the wider type (None where NumPy has none)."""
    function = oracle(row)
    with quiet():
        same = [np.asarray(r) for r in tuple_of(function(*args))]
        wide = [None] * len(same)
        if any(allowed_ulps(row, r.dtype.char) for r in same if r.dtype.kind in "fc"):
            widened = [a.astype(WIDER.get(a.dtype.char, a.dtype)) for a in args]
            with contextlib.suppress(TypeError):
                wide = [np.asarray(r) for r in tuple_of(function(*widened))]
    return same, wide


def differs(row, got, same, wide):
    """Return the mask of elements of `got` that neither NumPy's result nor the wider one justifies."""
    with quiet():
        if same.dtype.kind not in "fc":
            return np.asarray(got != same)
        ulps = allowed_ulps(row, same.dtype.char)
        zeros = row["name"] not in ZERO_SIGN_UNSPECIFIED
        if same.dtype.kind == "f":
            bad = _real_differs(got, same, ulps and ulps + 1, zeros)
            if wide is not None:
                bad &= ~_near_wide(got, wide, ulps + 0.5)
            if row["name"] in ABSOLUTE_TOLERANCE:
                bad &= ~(np.abs(got - same) <= ABSOLUTE_TOLERANCE[row["name"]] * np.finfo(same.dtype).eps)
            return bad
        bad = _complex_differs(got, same, ulps and ulps + 1)
        if wide is not None and ulps:
            bad &= _complex_differs(got, wide.astype(same.dtype), ulps + 0.5)
        if row["name"] in ABSOLUTE_TOLERANCE_COMPLEX:
            bad &= ~(np.abs(got - same) <= ABSOLUTE_TOLERANCE_COMPLEX[row["name"]] * np.finfo(same.dtype).eps)
        if row["name"] in FINITE_ONLY:
            bad &= np.isfinite(same)
        return bad


def _real_differs(got, want, ulps, zeros):
    nan = np.isnan(want)
    bad = np.isnan(got) != nan
    distance = ulp_distance(np.where(nan, 0, got), np.where(nan, 0, want))
    bad |= ~nan & ~np.isnan(got) & (distance > ulps)
    if zeros:
        bad |= (want == 0) & (got == 0) & (np.signbit(want) != np.signbit(got))
    return bad


def _near_wide(got, wide, ulps):
    nearest = wide.astype(got.dtype)
    special = ~np.isfinite(nearest) | ~np.isfinite(got)
    same = (got == nearest) | (np.isnan(got) & np.isnan(nearest))
    near = np.where(special, same, ulp_error(got, wide) <= ulps)
    return near & ~((got == 0) & (nearest == 0) & (np.signbit(got) != np.signbit(nearest)))


def _complex_differs(got, want, ulps):
    """Finite values by distance in the plane; others by where NaN and the infinities stand.

    The sign of an infinity, or of a zero, beside a NaN is left open by C99, and so here.
    """
    finite = np.isfinite(got) & np.isfinite(want)
    if not ulps:
        bad = _real_differs(got.real, want.real, 0, False) | _real_differs(got.imag, want.imag, 0, False)
    else:
        step = np.spacing(np.maximum(np.abs(want.real), np.abs(want.imag)))
        apart = np.maximum(np.abs(got.real - want.real), np.abs(got.imag - want.imag))
        bad = finite & ~(apart <= ulps * step)
    lone = np.isnan(want.real) | np.isnan(want.imag)
    for g, w in ((got.real, want.real), (got.imag, want.imag)):
        bad |= np.isnan(g) != np.isnan(w)
        bad |= ~finite & (np.isinf(g) != np.isinf(w))
        bad |= ~finite & ~lone & np.isinf(w) & (g != w)
    return bad


def judge(row, results, args, label):
    """Assert that Cuprum's `results` on the host arrays `args` are right; name the first that is not."""
    same, wide = expected(row, args)
    if row["name"] == "nextafter":
        # C gives the second of two equal arguments; NumPy's float16 did not before 2.5, which shows at zero.
        same = [np.where(args[0] == args[1], args[1], w).astype(w.dtype) for w in same]
    results = tuple_of(results)
    assert len(results) == len(same), f"[{label}] {len(results)} results, NumPy has {len(same)}"
    for number, (got, want, exact) in enumerate(zip(results, same, wide, strict=True)):
        assert dtype_name(got.dtype) == want.dtype.name, (
            f"[{label}] dtype {got.dtype}, NumPy has {want.dtype}"
        )
        assert tuple(got.shape) == want.shape, f"[{label}] shape {got.shape}, NumPy has {want.shape}"
        host = to_numpy(got)
        bad = differs(row, host, want, exact)
        if np.any(bad):
            at = tuple(int(i) for i in np.argwhere(bad)[0]) if want.ndim else ()
            operands = ", ".join(repr(np.broadcast_to(a, want.shape)[at]) for a in args)
            true = "" if exact is None else f", exactly {exact[at]}"
            raise AssertionError(
                f"[{label}] result {number}: {np.count_nonzero(bad)} of {want.size} differ; first at {at}: "
                f"{row['name']}({operands}) gave {host[at]!r}, NumPy has {want[at]!r}{true} "
                f"(row: {allowed_ulps(row, want.dtype.char)} ulps)"
            )


# ---------------------------------------------------------------------------------------------------------
# Samples


def dense(char, row, seed):
    """Return values spread over a dtype: specials, a tame interval, every magnitude, random bit patterns."""
    dtype = np.dtype(DTYPES[char])
    rng = np.random.default_rng(seed)
    low, high = row.get("domain") or (-10.0, 10.0)
    parts = [special_values(dtype), ordinary_values(dtype, 4000, seed, low, high)]
    if row.get("domain"):
        return parts[1]
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        parts.append(rng.integers(info.min, info.max, 500, dtype=dtype, endpoint=True))
    elif dtype.kind == "f":
        parts.append(rng.integers(0, 256, 4000 * dtype.itemsize, dtype=np.uint8).view(dtype))
        parts.append((rng.uniform(0.5, 2.0, 1000) * rng.choice([-1, 1], 1000)).astype(dtype))
    elif dtype.kind == "c":
        parts[0] = complex_specials(dtype)
        scale = np.exp(rng.uniform(-3, 2, 300))
        parts.append((scale * np.exp(2j * np.pi * rng.random(300))).astype(dtype))
    return np.concatenate(parts)


def complex_specials(dtype):
    part = np.array([0.0, -0.0, 1.0, -1.5, 1e-3, np.inf, -np.inf, np.nan])
    real, imag = np.meshgrid(part, part)
    out = np.empty(real.shape, dtype)
    out.real, out.imag = real, imag
    return out.ravel()


def some_specials(char):
    dtype = np.dtype(DTYPES[char])
    return complex_specials(dtype) if dtype.kind == "c" else special_values(dtype)


def samples(row, ins):
    """Return host arguments for a loop: dense for one operand, pairs of specials for two, few for three."""
    seeds = range(1, 1 + len(ins))
    if len(ins) == 1:
        return [dense(ins, row, 1)]
    if len(ins) == 2:
        left, right = (dense(c, row, s) for c, s in zip(ins, seeds, strict=True))
        n = max(left.size, right.size)
        rng = np.random.default_rng(5)
        grid = pairs(some_specials(ins[0]), some_specials(ins[1]))
        spread = [rng.permutation(np.resize(v, n)) for v in (left, right)]
        args = [np.concatenate(both) for both in zip(grid, spread, strict=True)]
    else:
        few = [some_specials(c)[:: max(1, some_specials(c).size // 12)] for c in ins]
        args = [g.ravel() for g in np.meshgrid(*few, indexing="ij")]
    return list(legal(row, args))


def legal(row, args):
    """Drop what raises in NumPy: an integer to a negative integer power."""
    if row["name"] in ("power", "pow") and args[0].dtype.kind in "iu" and args[1].dtype.kind == "i":
        keep = args[1] >= 0
        return [a[keep] for a in args]
    return args


def tame(row, ins, shape, seed=0):
    low, high = row.get("domain") or (-10.0, 10.0)
    size = int(np.prod(shape))
    args = [ordinary_values(DTYPES[c], size, seed + i, low, high).reshape(shape) for i, c in enumerate(ins)]
    if row["name"] in ("power", "pow") and args[0].dtype.kind in "iu" and args[1].dtype.kind == "i":
        args[1] = np.abs(args[1])
    return args


# ---------------------------------------------------------------------------------------------------------
# The table itself


def test_table_names_are_public_and_unique():
    names = [name for row in cp.testing.op_table() for name in [row["name"], *row.get("aliases", ())]]
    assert len(names) == len(set(names)), (
        f"twice in the table: {sorted({n for n in names if names.count(n) > 1})}"
    )
    missing = [
        name for row in ROWS for name in [row["name"], *row.get("aliases", ())] if not hasattr(cp, name)
    ]
    assert not missing, f"in the table, not in cuprum: {missing}"


def test_every_numpy_ufunc_has_a_row():
    covered = {name for row in ROWS for name in [row["name"], *row.get("aliases", ())]}
    wanted = {
        name
        for name in dir(np)
        if isinstance(getattr(np, name), np.ufunc) and getattr(np, name).signature is None and name != "isnat"
    }
    assert wanted <= covered, f"without a row: {sorted(wanted - covered)}"


def test_rows_claim_no_more_than_four_ulps():
    """Complex ops aside, whose components may cancel."""
    greedy = {
        row["name"]: row["ulps"]
        for row in ROWS
        if any(v > 4 for c, v in (row.get("ulps") or {}).items() if c in "fd")
    }
    assert not greedy


@each_row
def test_aliases_are_the_same_op(row):
    for alias in row.get("aliases", ()):
        assert getattr(cp, alias) is ours(row), f"cuprum.{alias} is not cuprum.{row['name']}"


@each_row
def test_row_has_numpys_loops(row):
    function = oracle(row)
    if not isinstance(function, np.ufunc):
        pytest.skip("the oracle is not a ufunc")
    same = str.maketrans("lLpP", "qQqQ")
    wanted = {t.translate(same) for t in function.types if not set(t) & set("gGOmMSUVT")}
    have = {t for t in row["loops"] if "E" not in t}
    assert have >= wanted, f"{row['name']} lacks {sorted(wanted - have)}"


# ---------------------------------------------------------------------------------------------------------
# Values


@each_row
def test_values(row):
    with collect() as failures:
        for text, ins, _ in loops(row):
            with failures:
                args = samples(row, ins)
                label = f"{row['name']} {text} dense"
                got = run(lambda xp, args=args: ours(row)(*[xp.array(a) for a in args]), cp)
                assert not isinstance(got, Failure), f"[{label}] raised {got!r}"
                judge(row, got, args, label)


CUTS = (slice(1, None), slice(0, 1), slice(3, 20), slice(0, 67), slice(None, None, 3), slice(None, None, -1))


@each_row
def test_lanes_and_tails_give_the_same_bits(row):
    """An element's result does not depend on where it stands: SIMD body, tail, offset or stride."""
    with quiet(), collect() as failures:
        for text, ins, _ in loops(row):
            arrays = [cp.array(a) for a in tame(row, ins, (200,), seed=3)]
            whole = [to_numpy(r) for r in tuple_of(ours(row)(*arrays))]
            for cut in CUTS:
                with failures:
                    part = tuple_of(ours(row)(*[a[cut] for a in arrays]))
                    for g, w in zip(part, whole, strict=True):
                        g, w = np.ascontiguousarray(to_numpy(g)), np.ascontiguousarray(w[cut])
                        equal = np.array_equal(g, w, equal_nan=w.dtype.kind in "fc")
                        assert equal, (
                            f"[{row['name']} {text}] {cut} of the operands gives other bits than the whole"
                        )


BINARY_LAYOUTS = [(name, name) for name in LAYOUTS] + [
    ("C", "F"),
    ("F", "C"),
    ("C", "broadcast rows"),
    ("broadcast columns", "F"),
    ("broadcast rows", "broadcast columns"),
    ("strided", "negative"),
    ("negative strided", "F"),
    ("offset", "C"),
    ("C", "0-d"),
    ("0-d", "F"),
    ("strided", "0-d"),
    ("size 1", "C"),
    ("empty", "0-d"),
    ("0-d", "empty"),
]
MAIN_LAYOUTS = {"C", "F", "strided", "negative", "0-d", "empty"}


def layout_cases(row, ins, full):
    """Yield (label, build) where `build(xp)` returns the operands of a call in one combination of layouts."""
    shape = (4, 37)
    args = tame(row, ins, shape)
    if len(ins) == 1:
        combos = [(n,) for n in LAYOUTS]
    elif len(ins) == 2:
        combos = BINARY_LAYOUTS
    else:
        combos = [(n,) * len(ins) for n in LAYOUTS] + [("C", "F", "0-d"), ("broadcast rows", "strided", "C")]
    for combo in combos:
        if full or set(combo) <= MAIN_LAYOUTS:
            yield (
                "/".join(combo),
                lambda xp, c=combo: [LAYOUTS[n](xp, a) for n, a in zip(c, args, strict=True)],
            )
    if not full:
        return
    cube = tame(row, ins, (3, 4, 5), seed=7)
    for axes in [(2, 0, 1), (1, 2, 0), (0, 2, 1), (2, 1, 0)]:
        yield f"3-d memory order {axes}", lambda xp, x=axes: [permuted(xp, a, x) for a in cube]
        if len(ins) > 1:
            yield (
                f"3-d C with memory order {axes}",
                lambda xp, x=axes: [xp.array(cube[0])] + [permuted(xp, a, x) for a in cube[1:]],
            )
            yield (
                f"3-d memory order {axes} with a row",
                lambda xp, x=axes: [permuted(xp, cube[0], x)] + [xp.array(a[0, 0]) for a in cube[1:]],
            )
    if len(ins) == 2:
        yield "column with row", lambda xp: [xp.array(args[0][:, :1]), xp.array(args[1][:1])]
        yield "1-d with a transposed column", lambda xp: [xp.array(args[0][0]), xp.array(args[1][:, :1])]


@each_row
def test_layouts(row):
    ufunc = isinstance(oracle(row), np.ufunc)
    with collect() as failures:
        for position, (text, ins, _) in enumerate(loops(row)):
            full = set(ins) <= {"d"} or position == 0
            for name, build in layout_cases(row, ins, full):
                with failures:
                    label = f"{row['name']} {text} {name}"
                    host = build(np)
                    want = run(lambda _: oracle(row)(*host), np)
                    got = run(lambda _: ours(row)(*build(cp)), cp)
                    assert not isinstance(want, Failure), f"[{label}] NumPy raised {want!r}"
                    assert not isinstance(got, Failure), f"[{label}] raised {got!r}"
                    judge(row, got, host, label)
                    if ufunc:
                        for g, w in zip(tuple_of(got), tuple_of(want), strict=True):
                            if isinstance(w, np.ndarray):
                                compare_layout(g, w, f"[{label}] ")


@each_row
def test_result_dtypes(row):
    """Every combination of input dtypes: NumPy's result dtype, or its exception."""
    with collect() as failures:
        if row["nin"] < 3:
            combos = itertools.product(ALL_DTYPES, repeat=row["nin"])
        else:
            combos = [(d,) * row["nin"] for d in ALL_DTYPES]
        for combo in combos:

            def body(xp, combo=combo):
                function = oracle(row) if xp is np else ours(row)
                results = tuple_of(function(*[xp.ones(2, dtype=d) for d in combo]))
                return [r.dtype for r in results]

            with failures:
                check(body, label=f"{row['name']}({', '.join(combo)})", may_raise=TypeError)


# ---------------------------------------------------------------------------------------------------------
# bfloat16: computed in float32, rounded once


def bf16_specials():
    base = special_values(np.float32)
    rng = np.random.default_rng(2)
    patterns = bf16_from_bits(rng.integers(0, 2**16, 400).astype(np.uint16))
    return bf16_round(np.concatenate([base, ordinary_values(np.float32, 400, 4), patterns]))


def bf16_neighbour(x, towards):
    """Return nextafter on bfloat16 values: one step of the 16-bit pattern."""
    bits = bf16_bits(x).astype(np.int32)
    up = towards > x
    grows = np.where(x == 0, True, (x > 0) == up)
    stepped = np.where(x == 0, np.where(up, 1, 0x8001), bits + np.where(grows, 1, -1))
    stepped = np.where(x == towards, bf16_bits(towards), stepped)
    out = bf16_from_bits(stepped.astype(np.uint16))
    return np.where(np.isnan(x) | np.isnan(towards), np.float32(np.nan), out)


def bf16_expected(row, args):
    if row["name"] == "nextafter":
        return [bf16_neighbour(*args)]
    if row["name"] == "spacing":
        away = np.where(np.signbit(args[0]), np.float32(-np.inf), np.float32(np.inf))
        with quiet():
            gap = bf16_neighbour(args[0], away) - args[0]
        return [np.where(np.isfinite(args[0]), gap, np.float32(np.nan))]
    with quiet():
        results = [np.asarray(r) for r in tuple_of(oracle(row)(*args))]
    if row["name"] == "i0":
        # The function grows without bound; NumPy's formula has an infinity times zero there.
        results = [np.where(np.isinf(args[0]), np.float32(np.inf), results[0])]
    return results


@pytest.mark.parametrize(
    "row", [r for r in ROWS if any("E" in t for t in r["loops"])], ids=lambda r: r["name"]
)
def test_bfloat16(row):
    with collect() as failures:
        for text, ins, outs in loops(row, bfloat16=True):
            with failures:
                size = bf16_specials().size
                rng = np.random.default_rng(9)
                host = [
                    rng.permutation(bf16_specials()) if c == "E" else ordinary_values(DTYPES[c], size, 3)
                    for c in ins
                ]
                arrays = [bf16_array(a) if c == "E" else cp.array(a) for a, c in zip(host, ins, strict=True)]
                with quiet():
                    results = tuple_of(ours(row)(*arrays))
                for got, want, out in zip(results, bf16_expected(row, host), outs, strict=True):
                    name = "bfloat16" if out == "E" else DTYPES[out]
                    assert dtype_name(got.dtype) == name, (
                        f"[{row['name']} {text}] dtype {got.dtype}, expected {name}"
                    )
                    g = to_numpy(got)
                    if out != "E":
                        bad = g != want
                    else:
                        want = bf16_round(want)
                        slack = 0 if row["name"] in EXACT else 1
                        bad = np.isnan(g) != np.isnan(want)
                        bad |= ~np.isnan(g) & ~np.isnan(want) & (bf16_ulps(g, want) > slack)
                    if np.any(bad):
                        i = int(np.argmax(bad))
                        operands = ", ".join(repr(h[i]) for h in host)
                        raise AssertionError(
                            f"[{row['name']} {text}] {np.count_nonzero(bad)} differ; on ({operands}) it gave "
                            f"{g[i]!r}, expected {want[i]!r}"
                        )
