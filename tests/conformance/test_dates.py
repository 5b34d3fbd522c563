"""Dates and differences of dates beside NumPy's: elementwise functions, reductions, order, sets, places."""

import itertools

import numpy as np
import pytest
from twin import exception_class, quiet

import cuprum as cp

DAYS = np.array(["2020-02-29", "NaT", "1969-12-31", "2021-01-01"], "M8[D]")
HOURS = np.array(["2020-02-29T12", "2020-01-01T01", "NaT", "1969-12-30T23"], "M8[h]")
SPANS = np.array([5, -3, "NaT", 0], "m8[D]")
MINUTES = np.array([90, "NaT", 7, 60], "m8[m]")
FULL = np.array([[3, 1, 2], [9, 1, 4]], "m8[s]")
DATES = np.array(
    [["2020-01-05", "2020-01-01", "2021-03-04"], ["2019-12-31", "2020-01-01", "1950-06-07"]], "M8[D]"
)
OPERANDS = {
    "days": DAYS,
    "hours": HOURS,
    "spans": SPANS,
    "minutes": MINUTES,
    "ints": np.array([2, -3, 0, 7]),
    "floats": np.array([0.5, 2.0, np.nan, -1.5]),
    "three": 3,
    "zero": 0,
    "half": 0.5,
    "day": np.datetime64("2020-01-01"),
    "span": np.timedelta64(7, "h"),
}
BINARY = [
    *("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "fmod"),
    *("minimum", "maximum", "fmin", "fmax", "logical_and"),
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
]
UNARY = [
    *("absolute", "sign", "negative", "positive", "isnat", "isfinite", "isinf", "isnan"),
    *("sqrt", "sin", "logical_not", "invert"),
]


def host(x):
    if isinstance(x, (tuple, list)):
        return tuple(host(y) for y in x)
    return x.get() if isinstance(x, cp.ndarray) else x


def outcome(body, xp):
    """Return what a body gives."""
    with quiet():
        return host(body(xp))


def outcome_or_refusal(body, xp):
    """Return what a body gives, or the class of the error that it is refused with."""
    try:
        return outcome(body, xp)
    except (TypeError, ValueError) as error:
        return exception_class(error)


def assert_same(got, want):
    if isinstance(got, type) or isinstance(want, type):
        assert got is want, (got, want)
        return
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for one, other in zip(got, want, strict=True):
            assert_same(one, other)
        return
    if isinstance(want, np.dtype):
        assert got == want
        return
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape, (got.dtype, want.dtype, got.shape, want.shape)
    np.testing.assert_array_equal(got, want)


def both(body):
    """Both libraries give the same, or refuse in the same way: for sweeps over operands."""
    assert_same(outcome_or_refusal(body, cp), outcome_or_refusal(body, np))


def of(xp, value):
    return xp.array(value) if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("op", BINARY)
def test_functions_of_two(op):
    for a, b in itertools.product(OPERANDS.values(), OPERANDS.values()):
        if any(isinstance(x, np.ndarray) and x.dtype.kind in "Mm" for x in (a, b)):
            both(lambda xp, a=a, b=b: getattr(xp, op)(of(xp, a), of(xp, b)))


@pytest.mark.parametrize("op", UNARY)
def test_functions_of_one(op):
    for a in (DAYS, SPANS, MINUTES):
        both(lambda xp, a=a: getattr(xp, op)(xp.array(a)))


TEXTS = """
xp.divmod(S3, xp.array(FULL)[:, ::-1])
xp.mod(SS, MM)
xp.add(DD, SS, out=xp.zeros(4, 'M8[s]'))
xp.subtract(DD, DD[::-1], out=xp.zeros(4, 'm8[h]'))
xp.less(DD, HH, out=xp.zeros(4, bool))
xp.add(DD, SS, where=xp.array([True, False, True, True]), out=xp.zeros(4, 'M8[D]'))
xp.add.reduce(S3)
xp.add.reduce(S3, axis=1, keepdims=True)
xp.add.reduce(S3, axis=None)
xp.maximum.reduce(D3, axis=0)
xp.minimum.reduce(D3, axis=1)
xp.fmax.reduce(DD)
xp.fmin.reduce(DD)
xp.add.accumulate(S3, axis=1)
xp.maximum.accumulate(D3, axis=1)
xp.minimum.accumulate(DD)
xp.subtract.outer(DD, DD)
xp.add.outer(DD, SS)
xp.less.outer(DD, HH)
xp.min(D3)
xp.max(D3, axis=0)
xp.amin(DD)
xp.amax(SS)
xp.min(D3, axis=(0, 1))
xp.max(D3, axis=1, keepdims=True)
xp.min(S3, axis=1, out=xp.zeros(2, 'm8[s]'))
xp.nanmin(DD)
xp.nanmax(DD)
xp.nanmax(xp.array(DAYS).reshape(2, 2), axis=0)
xp.nanmin(SS)
xp.argmin(DD)
xp.argmax(DD)
xp.argmin(D3, axis=1)
xp.argmax(D3, axis=0)
xp.nanargmin(D3)
xp.sum(S3)
xp.sum(S3, axis=0)
xp.sum(SS)
xp.mean(S3)
xp.mean(S3, axis=1)
xp.mean(S3, axis=0, keepdims=True)
xp.mean(SS)
xp.median(S3)
xp.median(S3, axis=1)
xp.median(S3, axis=0)
xp.median(SS)
xp.ptp(D3)
xp.ptp(D3, axis=1)
xp.ptp(S3)
xp.cumsum(S3)
xp.cumsum(S3, axis=1)
xp.cumsum(SS)
xp.any(SS)
xp.all(SS)
xp.count_nonzero(S3)
xp.count_nonzero(DD)
xp.nonzero(SS)[0]
xp.where(DD)[0]
xp.where(S3)[1]
xp.where(DD[:0])[0]
xp.diff(D3)
xp.diff(D3, axis=0)
xp.diff(D3, n=2)
xp.diff(S3)
xp.ediff1d(DD)
xp.ediff1d(S3)
xp.gradient(S3, axis=1)
xp.gradient(DD)
xp.clip(D3, np.datetime64('2020-01-01'), np.datetime64('2020-12-31'))
xp.clip(S3, np.timedelta64(2, 's'), None)
xp.clip(DD, DD[0], DD[3])
xp.sort(D3)
xp.sort(D3, axis=0)
xp.sort(DD, kind='stable')
xp.argsort(D3, axis=0)
xp.argsort(DD, kind='stable')
xp.partition(D3, 1)[..., 1]
xp.argpartition(D3, 0)[..., 0]
xp.searchsorted(xp.sort(DD), DD)
xp.searchsorted(xp.sort(D3.ravel()), np.datetime64('2020-01-01'))
xp.searchsorted(xp.sort(D3.ravel()), D3, side='right')
xp.searchsorted(xp.sort(D3.ravel()), HH)
xp.lexsort((DD, HH))
xp.unique(DD)
xp.unique(D3)
xp.unique(S3, return_counts=True)[1]
xp.unique(D3, return_inverse=True)[1]
xp.unique(D3, return_index=True)[1]
xp.unique(xp.concatenate([DD, DD]))
xp.unique(xp.concatenate([DD, DD]), equal_nan=False)
xp.isin(DD, DD[:2])
xp.isin(D3, xp.array(DATES)[0, 1:])
xp.isin(D3, [np.datetime64('2020-01-01')])
xp.isin(D3, D3[0], invert=True)
xp.intersect1d(D3[0], D3[1])
xp.union1d(D3[0], DD)
xp.setdiff1d(D3[0], D3[1])
xp.setxor1d(D3[0], D3[1])
xp.arange(np.datetime64('2020-01-01'), np.datetime64('2020-01-05'))
xp.arange('2020-01', '2020-05', dtype='M8[M]')
xp.arange('2020-01-01', '2020-02-01', np.timedelta64(1, 'W'), dtype='M8[D]')
xp.arange(np.datetime64('2020-01-01'), 5)
xp.arange(np.timedelta64(5, 's'))
xp.arange(0, 10, 3, dtype='m8[s]')
xp.arange(np.timedelta64(0, 'h'), np.timedelta64(90, 'm'), np.timedelta64(25, 'm'))
xp.arange(np.datetime64('2020-01-01T00'), np.datetime64('2020-01-02'), np.timedelta64(6, 'h'))
xp.zeros((2, 2), 'M8[D]')
xp.ones(3, 'm8[s]')
xp.full((2, 2), np.datetime64('2020-01-01'))
xp.full(3, np.timedelta64(5, 's'))
xp.full(3, np.datetime64('NaT'), 'M8[s]')
xp.full_like(DD, np.datetime64('2000-01-01'))
xp.zeros_like(D3)
xp.ones_like(S3)
xp.where(xp.isnat(DD), np.datetime64('2000-01-01'), DD)
xp.where(xp.array([True, False, True, False]), SS, MM)
xp.where(xp.array([True, False, True, False]), SS, 0)
xp.where(xp.array([True, False, True, False]), DD, SS)
xp.roll(DD, 1)
xp.roll(D3, (1, -1), axis=(0, 1))
xp.repeat(DD, 2)
xp.repeat(D3, [1, 0, 2], axis=1)
xp.tile(DD, 2)
xp.tile(D3, (2, 2))
xp.concatenate([DD, HH])
xp.concatenate([D3, D3], axis=1)
xp.concatenate([D3, D3], np.array(0))
xp.concatenate([D3, D3], xp.array(0))
xp.stack([DD, HH])
xp.vstack([DD, DD])
xp.hstack([DD, HH])
xp.dstack([DD, DD])
xp.column_stack([DD, DD])
xp.append(DD, np.datetime64('2020-01-01'))
xp.block([[DD, DD], [DD, DD]])
xp.take(D3, [1, 2])
xp.take(D3, [[0], [1]], axis=1)
xp.take(D3, [4, 7], mode='wrap')
xp.take_along_axis(D3, xp.argsort(D3, axis=1), axis=1)
xp.choose([0, 1, 0, 1], [DD, DD[::-1]])
xp.select([xp.isnat(DD)], [DD[::-1]], np.datetime64('2000-01-01'))
xp.compress([True, False, True], D3, axis=1)
xp.extract(xp.array([True, False, True, True]), DD)
xp.delete(DD, 1)
xp.delete(D3, [0, 2], axis=1)
xp.insert(DD, 1, np.datetime64('2000-01-01'))
xp.insert(D3, 1, D3[0, 0], axis=1)
xp.pad(DD, 1)
xp.pad(DD, 1, mode='edge')
xp.pad(D3, ((1, 0), (0, 2)), mode='wrap')
xp.pad(S3, 1, constant_values=np.timedelta64(7, 's'))
xp.pad(S3, 1, mode='reflect')
xp.resize(DD, (2, 3))
xp.rot90(D3)
xp.fliplr(D3)
xp.flipud(D3)
xp.flip(D3, (0, 1))
xp.moveaxis(D3, 0, 1)
xp.swapaxes(D3, 0, 1)
xp.rollaxis(D3, 1)
xp.expand_dims(D3, 1)
xp.squeeze(xp.expand_dims(DD, 0))
xp.transpose(D3)
xp.permute_dims(D3, (1, 0))
xp.matrix_transpose(D3)
xp.ravel(D3)
xp.reshape(D3, (3, 2))
xp.reshape(D3, (3, 2), order='F')
xp.ravel(D3, order='F')
xp.atleast_1d(DD[0])
xp.atleast_2d(DD)
xp.atleast_3d(DD)
xp.broadcast_to(DD, (2, 4))
xp.broadcast_arrays(DD, D3[:, :1])[0]
xp.split(DD, 2)[1]
xp.array_split(DD, 3)[0]
xp.hsplit(DD, 2)[0]
xp.unstack(D3)[1]
xp.diag(DD)
xp.diag(D3)
xp.diagonal(D3)
xp.tril(D3)
xp.triu(S3)
xp.trim_zeros(xp.array(FULL)[0] - np.timedelta64(3, 's'))
xp.meshgrid(DD, SS)[0]
xp.copy(DD)
xp.array_equal(DD, DD)
xp.array_equal(D3, D3)
xp.array_equiv(D3, D3)
xp.ascontiguousarray(D3.T)
xp.asfortranarray(D3)
xp.require(D3, requirements='C')
xp.can_cast('M8[D]', 'M8[s]')
xp.result_type(DD, HH)
xp.promote_types('M8[D]', 'M8[s]')
xp.astype(DD, 'M8[s]')
xp.nan_to_num(SS)
xp.size(D3)
xp.ndim(D3)
xp.shape(D3)[1]
xp.quantile(S3, 0.5)
xp.percentile(S3, 25, axis=0)
xp.fmax(DD, DD[::-1])
xp.trapezoid(S3)
xp.real(S3)
xp.imag(S3)
xp.iscomplexobj(S3)
xp.nansum(S3)
xp.nancumsum(S3)
xp.nanmean(S3)
xp.nanmedian(S3)
xp.cumulative_sum(S3[0])
xp.logical_and(SS, SS)
xp.argwhere(S3 > np.timedelta64(2, 's'))
xp.flatnonzero(S3)
D3.min()
D3.max(axis=1)
D3.argmin(axis=0)
D3.argmax()
S3.sum(axis=1)
S3.mean()
S3.cumsum(axis=1)
S3.clip(np.timedelta64(2, 's'))
D3.repeat(2, axis=1)
D3.swapaxes(0, 1)
D3.diagonal()
D3.take([0, 1], axis=1)
D3.compress([True, False], axis=0)
D3.reshape(3, 2, order='F')
D3.ravel('F')
D3.flatten('F')
D3.nonzero()[0]
S3.nonzero()[1]
D3.astype('i8')
D3.astype('f8')
S3.astype('f4')
S3.astype('i4')
SS.astype('f8')
S3.astype(bool)
D3.astype('M8[M]')
D3.astype('M8[Y]')
D3.astype('M8[M]').astype('M8[D]')
D3.astype('M8[Y]').astype('i8') + 1970
D3.astype('M8[W]')
D3.astype('M8[ns]')
D3.astype('M8[M]').astype('i8') % 12 + 1
(D3 - D3.astype('M8[M]')).astype('i8') + 1
D3 - D3.astype('M8[Y]')
HH.astype('M8[M]')
HH.astype('M8[Y]')
DD.astype('M8[M]').astype('M8[s]')
S3.astype('M8[s]')
D3.astype('m8[D]')
xp.array([1, 2]).astype('m8[s]')
xp.array([1, 2]).astype('M8[D]')
xp.array([1.7, np.nan]).astype('m8[s]')
xp.array(DAYS)[xp.array([0, -1])]
xp.array(DATES)[xp.array(DATES) > np.datetime64('2020-01-01')]
xp.array(DATES).T.copy()
DD - np.datetime64('2020-01-01', 'M')
DD.astype('M8[M]') + np.timedelta64(1, 'M')
DD.astype('M8[M]') + 1
(DD.astype('M8[M]') + 1).astype('M8[D]') - 1
DD == 5
DD != 5
SS == 5
SS < 5
DD == 'NaT'
DD == '2020-02-29'
DD > np.datetime64('2020-01-01T05')
DD == [np.datetime64('2020-02-29')] * 4
DD == SS
SS % np.timedelta64(2, 'D')
divmod(SS, np.timedelta64(2, 'D'))[0]
divmod(SS, np.timedelta64(2, 'D'))[1]
SS // np.timedelta64(36, 'h')
SS / np.timedelta64(36, 'h')
np.timedelta64(36, 'h') / SS
np.timedelta64(36, 'h') // SS
np.timedelta64(36, 'h') % SS
2.5 * SS
xp.array([1, 2, 3, 4]) * SS
SS * xp.array([1.5, 2, 3, 4])
SS / xp.array([0, 2, 3, 0])
SS // xp.array([0, 2, 3, 0])
SS // 2.5
+SS
bool(xp.array(FULL)[0, 0] > np.timedelta64(0, 's'))
DD[0].item()
DD.astype('M8[us]').tolist()
DD[[2, 0]].searchsorted(DD[:1])
xp.sort(xp.unique_values(D3))
xp.percentile(S3, 75, axis=1, keepdims=True)
xp.quantile(SS, 0.3)
xp.zeros((0, 3), 'M8[s]').astype('M8[M]')
xp.zeros((0,), 'm8[s]').sum()
xp.array([2**62, 7], 'm8[ns]') / 3
xp.array([10**18 + 1, 10**18 + 4], 'm8[ns]').mean()
xp.array(['0001-01-01', '1900-02-28', '2400-12-31', '9999-12-31', '-0044-03-15'], 'M8[D]').astype('M8[M]')
xp.arange(-800000, 800000, 12345).astype('M8[D]').astype('M8[M]').astype('M8[D]')
xp.arange(-30000, 30000, 77).astype('M8[M]').astype('M8[D]')
xp.arange(-3000, 3000, 7).astype('M8[Y]').astype('M8[h]')
xp.array([1, 13, -5], 'm8[M]').astype('m8[D]')
xp.array([1, 13, -5], 'm8[Y]').astype('m8[s]')
xp.array([400, -31], 'm8[D]').astype('m8[M]')
xp.array(['2020-05'], 'M8[M]') - xp.array(['2020-05-07'], 'M8[D]')
DD.astype('M8[3M]')
HH.astype('M8[2D]')
xp.maximum.accumulate(D3)
xp.fmin(SS, MM)
D3.astype('m8[h]')
S3.astype('M8[D]')
xp.array(SS, dtype='M8[us]')
xp.nanmedian(SS)
xp.nanmedian(xp.array([[5, 'NaT', 7], ['NaT', 'NaT', 1], [2, 'NaT', 1]], 'm8[s]'), axis=0)
xp.nanmedian(xp.array([[5, 'NaT', 7], ['NaT', 'NaT', 1]], 'm8[s]'), axis=1)
xp.intersect1d(DD, DD)
xp.intersect1d(DD, DD[:2])
xp.setdiff1d(DD, DD[1:3])
xp.setxor1d(DD, DD)
xp.setxor1d(DD, DD[2:])
xp.result_type(SS, xp.arange(3))
xp.argwhere(SS)
xp.append(xp.arange(3), SS)
xp.append(SS, 5)
xp.concatenate([xp.array([True]), SS])
xp.array([SS[0], SS[1]])
xp.meshgrid(SS, np.timedelta64(2, 'M'))[1]
xp.floor_divide(SS, SS, out=xp.zeros(4, 'm8[D]'))
xp.cumsum(SS[0], axis=0)
xp.pad(xp.append(xp.broadcast_to(D3[:, :1], (2, 3)), D3, axis=-1), 1, mode='reflect')
SS * True
np.timedelta64(-3, 'D') in SS
5 in SS
xp.array([5, 7], 'i4').view('m8[s]')
xp.arange(4) * np.timedelta64(6, 'h')
np.timedelta64(6, 'h') * xp.arange(4)
np.datetime64('2020-01-01') + xp.arange(4)
xp.arange(4) + np.datetime64('2020-01-01')
xp.arange(4) * np.array([5, -3, 2, 0], 'm8[D]')
np.array([5, -3, 2, 0], 'm8[D]') + xp.arange(4)
xp.multiply(xp.arange(4), np.timedelta64(6, 'h'))
xp.add.outer(xp.arange(2), np.array([5, -3], 'm8[D]'))
xp.less(xp.arange(4), np.timedelta64(2, 's'))
xp.arange(4) > np.timedelta64(2, 's')
"""
REFUSED = {
    TypeError: """
xp.add(DD, SS, dtype='M8[s]')
xp.sum(DD)
xp.mean(DD)
xp.std(S3)
xp.var(S3)
xp.cumsum(DD)
xp.cumprod(S3)
xp.prod(S3)
xp.digitize(D3, xp.sort(D3.ravel()))
xp.linspace(np.timedelta64(0, 's'), np.timedelta64(10, 's'), 5)
xp.where(xp.array([True, False, True, False]), SS, 0.5)
xp.where(xp.array([True, False, True, False]), DD, 3)
xp.allclose(S3, S3)
xp.isclose(S3, S3)
xp.cross(S3, S3)
xp.round(S3)
xp.float_power(S3, 2)
xp.isneginf(S3)
DD + np.timedelta64(1, 'M')
DD > '2020-01-01'
DD < SS
DD % 2
2 / SS
SS ** 2
SS @ SS
SS & SS
~SS
+DD
xp.union1d(DD, SS)
xp.searchsorted(xp.sort(DD), SS)
xp.result_type(DD, xp.arange(3))
xp.append(DD, 5)
xp.concatenate([xp.array([1.5]), SS])
xp.insert(xp.zeros(2, 'm8[M]'), 0, np.timedelta64(-3, 'D'))
xp.divide(SS, SS, out=xp.zeros(4, 'm8[D]'))
xp.minimum.accumulate(SS[0])
SS // True
SS / xp.array(True)
xp.subtract(xp.arange(4), np.datetime64('2020-01-01'))
""",
    ValueError: """
xp.reshape(DD, 3)
xp.add(D3, SS)
xp.concatenate([D3, DD])
xp.append(DD[0], DD[0], axis=0)
xp.max(D3, axis=0, out=xp.zeros((2, 3), 'M8[D]'))
xp.add.reduce(S3, axis=0, out=xp.zeros((2, 3), 'm8[s]'))
""",
}
# NumPy's arrays and lists of dates as arguments.
OF_HOST = """
xp.min(DATES)
xp.max(DATES, axis=0)
xp.sum(FULL, axis=1)
xp.mean(FULL, axis=0)
xp.cumsum(FULL)
xp.ptp(DATES, axis=0)
xp.argmin(DATES, 1)
xp.sort(DATES, axis=0)
xp.argsort(DATES, axis=None)
xp.partition(DATES, 1)
xp.argpartition(DATES, 1)
xp.searchsorted(np.sort(DAYS), DAYS)
xp.flip(DATES, 0)
xp.where([True, False, True, False], DAYS, DAYS[::-1])
xp.nonzero(FULL)
xp.swapaxes(DATES, 0, 1)
xp.diagonal(DATES)
xp.max(list(DAYS))
xp.sort(list(DAYS))
xp.take(list(DAYS), [3, 0])
xp.roll(list(DAYS), 1)
xp.lexsort([DAYS, DAYS[::-1]])
xp.broadcast_to(DAYS, (2, 4))
xp.broadcast_arrays(DATES, DAYS[:3], xp.arange(2)[:, None])
"""
# What a text's short names stand for.
NAMES = {"D3": DATES, "S3": FULL, "DD": DAYS, "SS": SPANS, "HH": HOURS, "MM": MINUTES}


def of_text(text):
    code = compile(text, "text", "eval")

    def body(xp):
        arrays = {name: xp.array(value) for name, value in NAMES.items() if name in text}
        return eval(code, {"np": np, "xp": xp, "DAYS": DAYS, "DATES": DATES, "FULL": FULL, **arrays})

    return body


@pytest.mark.parametrize("text", [*TEXTS.strip().splitlines(), *OF_HOST.strip().splitlines()])
def test_functions(text):
    assert_same(outcome(of_text(text), cp), outcome(of_text(text), np))


@pytest.mark.parametrize(
    ("error", "text"),
    [(error, text) for error, texts in REFUSED.items() for text in texts.strip().splitlines()],
)
def test_refusals(error, text):
    for xp in (np, cp):
        with pytest.raises(error):
            outcome(of_text(text), xp)


def test_functions_of_numpy_run_on_the_device():
    a = cp.array(DAYS)
    for body in (
        lambda a: np.roll(a, 1),
        lambda a: np.sort(a),
        lambda a: np.concatenate([a, a]),
        lambda a: np.diff(a),
        lambda a: np.unique(a),
        lambda a: np.subtract(a, a[0]),
        lambda a: np.maximum.reduce(a),
        lambda a: np.isnat(a),
    ):
        assert isinstance(body(a), cp.ndarray)
        assert_same(body(a).get(), body(DAYS))
    # What has no counterpart is NumPy's own, of an array on the CPU.
    with cp.cuda.strict(), pytest.raises(TypeError, match="no implementation found for 'numpy.is_busday'"):
        np.is_busday(a)


def test_messages_say_what_is_asked():
    with pytest.raises(TypeError, match=r"add: no loop for .* datetime64\[D\], datetime64\[D\]"):
        cp.add(cp.array(DAYS), cp.array(DAYS))
    with pytest.raises(TypeError, match="mean: dates cannot be added"):
        cp.mean(cp.array(DAYS))
    with pytest.raises(TypeError, match="months and years have no fixed length"):
        cp.array(DAYS) + np.timedelta64(1, "M")
    with pytest.raises(TypeError, match=r"isnat: only dates"):
        cp.isnat(cp.arange(3))
    with pytest.raises(TypeError, match=r"sin: no loop for operands of dtypes timedelta64\[D\]"):
        cp.sin(cp.array(SPANS))
