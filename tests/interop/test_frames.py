"""Arrays in pandas and Polars: as keys, as columns, and through Arrow's interface."""

import subprocess
import sys

import numpy as np
import pytest
from twin import collect

import cuprum as cp

TRUTH = [True, False, True, False, True]

DTYPES = [
    "bool",
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    "float32",
    "float64",
]


@pytest.fixture
def pd():
    return pytest.importorskip("pandas")


@pytest.fixture
def pl():
    return pytest.importorskip("polars")


@pytest.mark.cpu
@pytest.mark.filterwarnings("error")
def test_masks_select_rows_of_pandas(pd):
    frame = pd.DataFrame({"a": np.arange(5.0), "b": np.arange(5)}, index=list("vwxyz"))
    host, mask = np.array(TRUTH), cp.asarray(TRUTH)
    for select in (
        lambda m: frame[m],
        lambda m: frame[~m],
        lambda m: frame.loc[m],
        lambda m: frame.loc[m, "b"].to_frame(),
        lambda m: frame.iloc[m],
        lambda m: frame["a"][m].to_frame(),
        lambda m: frame["a"].loc[m].to_frame(),
        lambda m: frame.where(frame["a"] > 1)[m],
    ):
        pd.testing.assert_frame_equal(select(mask), select(host))
    for assign in (
        lambda f, m: f.__setitem__(m, 7),
        lambda f, m: f.loc.__setitem__((m, "a"), -1.0),
        lambda f, m: f.loc.__setitem__((m, "b"), f.loc[m, "b"] * 2),
    ):
        want, got = frame.copy(), frame.copy()
        assign(want, host), assign(got, mask)
        pd.testing.assert_frame_equal(got, want)
    want, got = frame["b"].copy(), frame["b"].copy()
    want[host], got[mask] = 9, 9
    pd.testing.assert_series_equal(got, want)
    with pytest.raises(ValueError, match="Item wrong length 2 instead of 5"):
        frame[mask[:2]]
    pd.testing.assert_frame_equal(frame[cp.arange(5.0) > 2], frame[np.arange(5.0) > 2])


@pytest.mark.parametrize("first", ["cuprum", "pandas"])
def test_the_order_of_imports_does_not_matter(pd, first):
    second = "pandas" if first == "cuprum" else "cuprum"
    code = f"""
import {first}, {second}, pandas as pd, cuprum as cp
with cp.cuda.Device("cpu"):
    print(pd.DataFrame({{"a": [1, 2, 3]}})[cp.asarray([True, False, True])]["a"].tolist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[1, 3]", done.stderr


def test_a_mask_on_a_gpu_says_what_to_write(pd, on_gpu):
    if not on_gpu:
        pytest.skip("the CPU's masks are taken")
    with pytest.raises(TypeError, match=r"use `\.get\(\)` or `cp\.asnumpy\(a\)`"):
        pd.DataFrame({"a": [1, 2]})[cp.asarray([True, False])]


@pytest.mark.cpu
@pytest.mark.parametrize(
    "select",
    [
        lambda pd, f, i, v: f.groupby(i)["a"].sum(),
        lambda pd, f, i, v: f.groupby([i, "b"])["a"].mean(),
        lambda pd, f, i, v: f["a"].groupby(v > 1).max(),
        lambda pd, f, i, v: pd.Series(pd.unique(i)),
        lambda pd, f, i, v: pd.Series(pd.factorize(i)[0]),
        lambda pd, f, i, v: pd.Series(v).value_counts().sort_index(),
        lambda pd, f, i, v: pd.cut(f["a"], v),
        lambda pd, f, i, v: pd.crosstab(i, i),
        lambda pd, f, i, v: f.assign(c=v),
        lambda pd, f, i, v: f["a"] * v + (v - f["a"]),
        lambda pd, f, i, v: f["a"].where(v > 1, v),
        lambda pd, f, i, v: f.set_index(pd.Index(i))["a"].reindex(i),
        lambda pd, f, i, v: pd.DataFrame({"x": v, "y": i}, index=i),
    ],
)
def test_arrays_are_groups_values_and_columns_of_pandas(pd, select):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": list("xyx")})
    i, v = np.array([2, 0, 1]), np.array([0.5, 2.5, 4.0])
    got, want = select(pd, frame, cp.asarray(i), cp.asarray(v)), select(pd, frame, i, v)
    same = pd.testing.assert_series_equal if isinstance(want, pd.Series) else pd.testing.assert_frame_equal
    same(got, want)


@pytest.mark.cpu
def _written(series, positions):
    series[positions] = 7.0
    return series


@pytest.mark.parametrize(
    "select",
    [
        lambda pl, f, i, v: pl.Series("x", v),
        lambda pl, f, i, v: pl.DataFrame(v.reshape(3, 1) * v),
        lambda pl, f, i, v: pl.DataFrame(v.reshape(3, 1) * v, schema=["p", "q", "r"]),
        lambda pl, f, i, v: f.with_columns(b=v),
        lambda pl, f, i, v: f.with_columns(pl.Series("b", v)),
        lambda pl, f, i, v: f.filter(v > 1),
        lambda pl, f, i, v: f.lazy().filter(v > 1).collect(),
        lambda pl, f, i, v: f[i],
        lambda pl, f, i, v: f["a"][i],
        lambda pl, f, i, v: pl.select(pl.lit(v)),
        lambda pl, f, i, v: _written(pl.Series("x", [1.0, 2.0, 3.0]), i),
        lambda pl, f, i, v: f["a"] + v,
        lambda pl, f, i, v: v * f["a"],
        lambda pl, f, i, v: f["a"] > v,
        lambda pl, f, i, v: f["a"] * v[1],
    ],
)
def test_arrays_are_columns_masks_and_literals_of_polars(pl, select):
    frame = pl.DataFrame({"a": [1.0, 2.0, 3.0]})
    i, v = np.array([2, 0, 1]), np.array([0.5, 2.5, 4.0])
    got, want = select(pl, frame, cp.asarray(i), cp.asarray(v)), select(pl, frame, i, v)
    assert got.equals(want)
    if isinstance(want, pl.Series):
        assert got.name == want.name


def test_libraries_that_are_told_twice_are_changed_once(pd, pl):
    from cuprum import _libraries

    def changed():
        return pd.core.common.apply_if_callable, pl.Series.__init__, pl.LazyFrame.filter, pl.lit

    before = changed()
    _libraries.pandas_keys()
    _libraries.polars_columns()
    assert changed() == before and pl.functions.lit is pl.lit


@pytest.mark.cpu
def test_columns_of_polars_do_not_change_with_the_array(pl):
    a, m = cp.arange(3.0), cp.ones((2, 2))
    made = [pl.Series("a", a), pl.DataFrame({"a": a})["a"], pl.select(pl.lit(a)).to_series()]
    frame = pl.DataFrame(m)
    a[0], m[0] = 9, 9
    assert all(series[0] == 0 for series in made)
    assert frame.row(0) == (1, 1)


def test_a_column_on_a_gpu_says_what_to_write(pd, pl):
    a = cp.arange(3.0)
    with cp.cuda.strict():
        for make in (
            lambda: pd.Series(a).groupby(a),
            lambda: pd.unique(a),
            lambda: pl.Series("x", a),
            lambda: pl.DataFrame({"x": [1, 2, 3]}).filter(a > 1),
            lambda: pl.lit(a),
        ):
            with pytest.raises(TypeError, match=r"use `\.get\(\)` or `cp\.asnumpy\(a\)`"):
                make()


@pytest.mark.cpu
@pytest.mark.parametrize("dtype", DTYPES)
def test_columns_of_polars(pl, dtype):
    for size in (0, 1, 7, 8, 9, 64, 65, 1000):
        host = (np.arange(size) % 5 - (dtype[0] in "if")).astype(dtype)
        for make in (lambda x: x, lambda x: x[::-1], lambda x: x[1::3]):
            want = pl.Series("x", np.ascontiguousarray(make(host)))
            got = pl.Series("x", make(cp.asarray(host)))
            assert got.dtype == want.dtype and got.to_list() == want.to_list(), (size, dtype)
            assert got.name == "x"


@pytest.mark.cpu
def test_frames_of_polars(pl):
    x = cp.arange(5.0)
    frame = pl.DataFrame({"x": x, "y": x * 2 > 4})
    assert frame.equals(pl.DataFrame({"x": np.arange(5.0), "y": np.arange(5.0) * 2 > 4}))
    assert frame.filter(pl.Series(x > 2))["x"].to_list() == [3.0, 4.0]
    assert frame.filter(x > 2)["x"].to_list() == [3.0, 4.0]
    # Arrow's arrays do not change: neither do columns when an array does.
    x += 1
    assert frame["x"].to_list() == [0.0, 1.0, 2.0, 3.0, 4.0]
    table = cp.arange(12, dtype="int32").reshape(2, 3, 2)
    assert pl.Series(table).to_list() == cp.asnumpy(table).tolist()
    assert cp.asarray(frame["x"]).tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


@pytest.mark.cpu
def test_what_arrow_does_not_have():
    for array, message in (
        (cp.ones(3) * 1j, "Arrow has no complex128: convert the array"),
        (cp.ones(3).astype("bfloat16"), "Arrow has no bfloat16"),
        (cp.asarray(1.0), "an array without axes is no column"),
    ):
        with pytest.raises(TypeError, match=message):
            array.__arrow_c_array__()
    for _ in range(1000):  # capsules that nobody takes are freed
        cp.ones((10, 10)).__arrow_c_array__()


@pytest.mark.cpu
def test_arrays_of_pyarrow():
    pa = pytest.importorskip("pyarrow")
    for dtype in [*DTYPES, "float16"]:
        host = (np.arange(100) % 3).astype(dtype)
        assert pa.array(cp.asarray(host)).equals(pa.array(host)), dtype
    table = np.arange(12.0).reshape(4, 3)
    assert pa.array(cp.asarray(table)).to_pylist() == table.tolist()


def test_dates_of_pandas_are_dates(pd):
    days = pd.Series(pd.to_datetime(["2020-02-03", "2020-01-01", "2020-02-03"]))
    spans = pd.to_timedelta([3, 1, 2], unit="s")
    bodies = [
        lambda xp: xp.asarray(days),
        lambda xp: xp.asarray(pd.DatetimeIndex(days)),
        lambda xp: xp.asarray(spans),
        lambda xp: xp.asarray(pd.DataFrame({"a": days, "b": days})),
        lambda xp: xp.array(days, ndmin=2),
        lambda xp: xp.asarray(days, dtype="M8[D]"),
        lambda xp: xp.unique(days),
        lambda xp: xp.sort(days),
        lambda xp: xp.argsort(days),
        lambda xp: xp.diff(days),
        lambda xp: xp.searchsorted(xp.sort(days), days[:2]),
        lambda xp: xp.max(xp.asarray(spans)),
        lambda xp: xp.concatenate([days, days]),
        lambda xp: xp.where(xp.asarray([True, False, True]), days, days[::-1]),
        lambda xp: xp.isnat(pd.Series([pd.NaT, days[0]])),
        lambda xp: xp.asarray(days) - xp.asarray(days)[0],
    ]
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                want, got = np.asarray(body(np)), body(cp)
                assert got.dtype == want.dtype and got.shape == want.shape, f"case {i}"
                np.testing.assert_array_equal(got.get(), want, err_msg=f"case {i}")


def test_dates_with_time_zones_are_refused(pd):
    with pytest.raises(TypeError, match="DatetimeIndex: its elements have dtype object"):
        cp.asarray(pd.date_range("2020", periods=3, tz="UTC"))


def test_dates_of_polars_are_dates(pl):
    series = pl.Series("t", [1, 2]).cast(pl.Date)
    np.testing.assert_array_equal(cp.asarray(series).get(), series.to_numpy())
