"""Dates beside NumPy's where arguments are seldom: masks, first values, units of out=, NaT among sets."""

import datetime

import numpy as np
import pytest
from test_dates import DATES, DAYS, FULL, HOURS, SPANS, assert_same, both, host

import cuprum as cp

GAPS = np.array([[3, "NaT", 2], [9, 1, "NaT"]], "m8[s]")
HOLES = np.array([["2020-01-05", "NaT", "2021-03-04"], ["2019-12-31", "2020-01-01", "NaT"]], "M8[D]")
BIG = np.array([np.iinfo(np.int64).max, np.iinfo(np.int64).min + 1, 2**53 + 1, "NaT", 5], "m8[ns]")

TEXTS = """
xp.min(D3, initial=np.datetime64('2000-01-01'))
xp.max(D3, axis=0, initial=np.datetime64('2020-06-01'), where=M)
xp.min(D3, where=M)
xp.min(D3[:0], axis=0, initial=np.datetime64('2000-01-01'))
xp.nanmin(H3, axis=0, initial=np.datetime64('2000-01-01'), where=M)
xp.nanmax(H3, initial=np.datetime64('NaT'))
xp.max(D3, initial=np.datetime64('NaT'))
xp.sum(G3, where=M)
xp.sum(G3, axis=1, where=M, initial=np.timedelta64(1, 'm'))
xp.sum(S3, axis=0, keepdims=True, where=M[0])
xp.sum(S3, dtype='m8')
xp.sum(S3, dtype='m8[ms]')
xp.sum(S3, initial=2.5)
xp.mean(S3, where=M)
xp.mean(G3, axis=0, where=M)
xp.mean(S3, axis=0, where=False)
xp.mean(S3, axis=0, out=xp.zeros(3, 'm8[ms]'))
xp.mean(S3, axis=0, out=xp.zeros(3, 'm8[m]'))
xp.mean(S3, axis=0, out=xp.zeros((3, 3), 'm8[s]'))
xp.min(D3, axis=0, out=xp.zeros((3, 3), 'M8[D]'))
xp.median(S3, axis=0, out=xp.zeros(3, 'm8[ms]'))
xp.median(xp.array(BIG[:3]))
xp.nanmedian(G3)
xp.nanmedian(G3, axis=0)
xp.nanmedian(G3, axis=1, keepdims=True)
xp.any(D3, where=M)
xp.all(G3, axis=0, where=M)
xp.fmin.accumulate(H3, axis=1)
xp.fmax.accumulate(H3[0])
xp.logical_or.accumulate(xp.array(SPANS))
xp.logical_and.reduce(xp.array(SPANS), where=xp.array([True, True, True, False]))
xp.minimum.reduceat(D3[0], [0, 2])
xp.fmax.reduceat(H3, [0, 1], axis=1)
xp.add.reduceat(G3, [0, 1], axis=1)
xp.logical_and.reduceat(G3, [0, 1], axis=1)
xp.quantile(D3, 0.3)
xp.quantile(D3, [0.1, 0.5, 1.0], axis=1)
xp.quantile(S3, [[0.2, 0.9]], axis=0, keepdims=True)
xp.quantile(H3, 0.5, axis=1)
xp.quantile(S3, 0.25, out=xp.zeros((), 'm8[s]'))
xp.quantile(D3, 1.5)
xp.percentile(D3, [10, 75], axis=(0, 1))
xp.nanquantile(H3, 0.4, axis=1)
xp.nanpercentile(G3, 40)
xp.unique_counts(xp.array(HOLES))
xp.unique_inverse(xp.array(HOLES))
xp.unique_all(xp.array(GAPS))
xp.unique(xp.array(HOLES), return_counts=True, equal_nan=False)
xp.unique(xp.array(HOLES)[[0, 0, 1]], axis=0)
xp.unique(xp.array(DATES)[[0, 0, 1]], axis=0, return_inverse=True)
xp.intersect1d(DD, DD)
xp.intersect1d(DD, DD[1:], return_indices=True)
xp.setxor1d(DD, DD[1:])
xp.setdiff1d(DD, DD[1:])
xp.setdiff1d(DD, SS)
xp.union1d(DD, DD)
xp.union1d(DD, SS)
xp.intersect1d(DD, SS)
xp.isin(DD, SS)
xp.block([DD, SS])
xp.choose([0, 1, 0, 1], [DD, SS])
xp.searchsorted(DD, SS)
xp.setxor1d(DD[[1, 1, 0]], DD, assume_unique=True)
xp.setdiff1d(D3, DD, assume_unique=True)
xp.isin(SS, np.timedelta64(3, 'M'))
xp.where([True, False], xp.zeros(2, 'M8[h]'), xp.ones(2, 'm8[D]'))
xp.select([M[0]], [DD[:3]], np.timedelta64(3, 'h'))
xp.pad(DD, 1, constant_values=np.timedelta64(3, 's'))
xp.pad(SS, 1, constant_values='NaT')
xp.pad(SS, (1, 2), constant_values=(np.timedelta64(1, 'h'), np.timedelta64(2, 'h')))
xp.insert(DD, 0, datetime.timedelta(1))
xp.insert(SS, 0, datetime.timedelta(1))
xp.ediff1d(DD, to_end=np.timedelta64(1, 'D'))
xp.ediff1d(SS, to_end=3, to_begin=np.timedelta64(1, 'D'))
xp.ediff1d(SS, to_end=2.5)
xp.clip(DD, None, None)
xp.clip(SS, None, None)
xp.isclose(DD, 3)
xp.full_like(SS, np.timedelta64(3, 'M'))
xp.min_scalar_type(DD[0])
xp.mean(SS[0], axis=0)
xp.min(DD, initial=[np.datetime64('2000-01-01')])
xp.cumsum(SS, dtype='m8[ms]')
xp.add.accumulate(SS, dtype='m8[ms]')
xp.minimum.accumulate(SS[0], axis=1)
xp.where([True, False, True, False], DD, SS)
xp.pad(DD, 1, mode='maximum')
xp.pad(DD, 1, mode='minimum')
xp.pad(DD, 1, mode='mean')
xp.pad(SS, 1, mode='median')
xp.pad(DD, 2, mode='linear_ramp')
xp.ediff1d(DD, to_begin=DD[:1])
xp.append(SS, 3)
xp.append(DD, np.datetime64('2000-01-01'))
xp.concatenate([SS, xp.arange(2)])
xp.stack([xp.arange(4), SS])
xp.concatenate([SS, xp.ones(2)])
xp.diff(DD, prepend=np.datetime64('2020-01-01'))
xp.diff(D3, axis=0, append=DD[:1])
xp.argwhere(SS)
xp.trace(S3)
xp.extract(SS, DD)
xp.compress(SS, DD)
xp.lexsort((SS, np.datetime64('2000-01-01')))
xp.meshgrid(DD, np.datetime64('2000-01-01'))
xp.squeeze(DD, axis=1)
xp.squeeze(DD[:1], axis=(0,))
xp.arange(np.datetime64('2000-01'), '2000-01-05')
DD.astype('m8[s]')
SS.astype('M8[ms]')
DD.astype('M8')
SS.astype('M8')
DD.astype('m8')
DD.astype('M8', casting='no')
DD == 1j
DD != 1j
SS == xp.array([1, 2, 3, 4], 'u8')
xp.equal(SS, xp.array([1, 2, 3, 4], 'u8'))
xp.minimum(SS, np.uint64(3))
SS / True
SS / xp.array([True, False, True, True])
SS / xp.array([2**63, 2**64 - 1, 2, 1], 'u8')
xp.logical_or(DD, xp.array([0, 1j, 0, 0]))
xp.logical_and(SS, 2j)
np.float32(1) == DD
np.timedelta64(1, 'D') != DD
np.datetime64('2020-02-29') == DD
""".strip().splitlines()


def values(xp):
    arrays = {"DD": DAYS, "SS": SPANS, "HH": HOURS, "D3": DATES, "S3": FULL, "G3": GAPS, "H3": HOLES}
    names = {name: xp.array(value) for name, value in arrays.items()}
    mask = xp.array([[True, False, True], [True, True, False]])
    return {**names, "M": mask, "xp": xp, "np": np, **{k: globals()[k] for k in ("HOLES", "GAPS")}}


@pytest.mark.parametrize("text", TEXTS)
def test_functions(text):
    scope = {"datetime": datetime, "DATES": DATES, "SPANS": SPANS, "BIG": BIG}
    both(lambda xp: eval(text, {**scope, **values(xp)}))


@pytest.mark.parametrize(
    "method",
    [
        *("lower", "higher", "nearest", "midpoint", "hazen", "weibull", "median_unbiased", "normal_unbiased"),
        *("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf"),
    ],
)
def test_methods_of_quantiles(method):
    for a in (DATES, FULL, BIG[4:]):
        for q in (0.0, 0.25, 0.5, 0.9, 1.0):
            both(lambda xp, a=a, q=q: xp.quantile(xp.array(a), q, method=method))


@pytest.mark.parametrize("op", ["add", "subtract", "minimum", "maximum", "fmin", "fmax"])
def test_changes_in_place(op):
    steps = np.array([4, "NaT", -9, 2], "m8[D]")

    def body(xp, a, b):
        changed = xp.array(a)
        getattr(xp, op).at(changed, [0, 0, 1, 2], xp.array(b))
        return changed

    both(lambda xp: body(xp, SPANS, steps))
    both(lambda xp: body(xp, SPANS, steps[[0, 2, 3, 0]]))
    both(lambda xp: body(xp, DAYS, steps if op in ("add", "subtract") else DAYS[[3, 1, 0, 2]]))


@pytest.mark.parametrize("name", ["put", "place", "putmask"])
def test_values_written(name):
    for a in (DAYS, SPANS):
        for value in (
            *(np.array(7, "m8[s]"), np.timedelta64(7, "s"), datetime.timedelta(1), datetime.date(2000, 1, 1)),
            *([np.datetime64("2000-01-01")], [1, 2], np.array([1, 2]), DAYS[:2], SPANS[:2]),
        ):

            def body(xp, a=a, value=value):
                changed = xp.array(a)
                places = [0, 2] if name == "put" else xp.array([True, False, True, False])
                getattr(xp, name)(
                    changed, places, xp.array(value) if isinstance(value, np.ndarray) else value
                )
                return changed

            both(body)


def test_assigned_values():
    for dtype in ("M8[D]", "m8[s]"):
        for value in (
            *(2.5, float("nan"), 1j, [2.5], 1, True, None, "NaT", [1], b"NaT", 2**70),
            *(np.float64(2.5), np.array([2.5]), np.timedelta64(90, "m"), np.timedelta64(90, "M")),
            *(datetime.date(2000, 1, 1), datetime.timedelta(1), np.datetime64("2001", "Y")),
        ):

            def body(xp, dtype=dtype, value=value):
                a = xp.zeros(1, dtype)
                a[:] = value
                return a

            def raised(xp, body=body):
                try:
                    return body(xp)
                except OverflowError:
                    return "too large"

            got, want = (outcome(raised, xp) for xp in (cp, np))
            assert_same(got, want)


def outcome(body, xp):
    try:
        return host(body(xp))
    except (TypeError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize(
    "units", [("Y", "ps"), ("as", "s"), ("h", "fs"), ("D", "ns"), ("W", "5us"), ("3M", "25s")]
)
@pytest.mark.parametrize("kind", "Mm")
def test_units_too_far_apart(kind, units):
    counts = np.array([3, -7, 0, np.iinfo(np.int64).min])

    def body(xp):
        try:
            return xp.array(counts.view(f"{kind}8[{units[0]}]")).astype(f"{kind}8[{units[1]}]")
        except OverflowError:
            return "too far apart"

    both(body)


def test_another_order_of_bytes_is_refused():
    for make in (
        lambda: cp.array(DAYS).astype(">M8[D]"),
        lambda: cp.array(DAYS).view(">M8[D]"),
        lambda: cp.array(DAYS.astype(">M8[D]")),
    ):
        with pytest.raises(TypeError, match="another order of bytes"):
            make()


def test_structures_among_zeros():
    rows = np.array([(1, 1.5), (2, 2.5), (3, 3.5), (4, 4.5)], "i4,f4")
    for text in (
        "pad(a, 1)",
        "pad(a, (2, 0), mode='edge')",
        "pad(a, 2, mode='wrap')",
        "diag(a)",
        "diag(a, k=1)",
        "diag(a.reshape(2, 2))",
        "diagflat(a)",
        "insert(a, 0, a[1])",
        "triu(a.reshape(2, 2))",
        "tril(a.reshape(2, 2), k=-1)",
    ):
        got = eval(f"cp.{text}", {"cp": cp, "a": cp.array(rows)})
        want = eval(f"np.{text}", {"np": np, "a": rows})
        assert got.shape == want.shape and got.tolist() == want.tolist(), text
    a = cp.array(rows)
    for body in (
        lambda: cp.pad(a, 1, mode="mean"),
        lambda: cp.pad(a, 1, constant_values=3),
        lambda: cp.unique(a),
        lambda: cp.isin(a, a),
        lambda: cp.count_nonzero(a),
        lambda: cp.trim_zeros(a),
        lambda: cp.median(a),
    ):
        with pytest.raises(TypeError, match="structures|RecordArray"):
            body()
