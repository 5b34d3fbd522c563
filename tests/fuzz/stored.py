"""What random programs do with dates, differences of dates and structures.

One program in `SHARE` is of dates, one of structures. Their calls are those below: the functions of the
catalogue are for numbers, and NumPy refuses nearly all of them here.
"""

import datetime
import re

import numpy as np

SHARE = 12

UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "7s", "2D"]
TIMES = [*(f"M8[{one}]" for one in UNITS), *(f"m8[{one}]" for one in UNITS)]
NUMBERS = ["i8", "i4", "u1", "f8", "f4", "bool"]
STRUCTURES = {
    "pair": np.dtype([("x", "f4"), ("n", "i4")]),
    "wide": np.dtype([("n", "i8"), ("x", "f8"), ("z", "c16")]),
    "padded": np.dtype([("n", "i1"), ("x", "f8"), ("k", "i2")], align=True),
    "nested": np.dtype([("x", "i4"), ("n", [("x", "f4"), ("k", "u4")])]),
    "rows": np.dtype([("x", "f4", (2,)), ("n", "i8")]),
    "dated": np.dtype([("n", "i8"), ("x", "M8[s]")]),
}

DATE_NUMBERS = [
    "np.datetime64('2000-02-29')",
    "np.datetime64('1969-12-31T23')",
    "np.datetime64('1970')",
    "np.datetime64('NaT', 'D')",
    "np.timedelta64(5, 'h')",
    "np.timedelta64(-3, 'D')",
    "np.timedelta64(2, 'M')",
    "np.timedelta64('NaT', 's')",
    "np.timedelta64(0, 'ms')",
    "datetime.timedelta(hours=-7)",
    "datetime.date(2001, 2, 3)",
    "3",
    "-2",
    "0",
    "0.5",
    "float('nan')",
    "True",
]

MOVES = """
xp.append({a}, {b}); xp.append({a}, {a}, axis={x}); xp.array({a}); xp.asarray({a}); xp.copy({a});
xp.array_split({a}, {m})[0]; xp.array_split({a}, {m}, axis={x})[-1]; xp.ascontiguousarray({a});
xp.asfortranarray({a}); xp.atleast_1d({a}); xp.atleast_2d({a}); xp.atleast_3d({a});
xp.broadcast_to({a}, {shape}); xp.compress({mask}.ravel(), {a}); xp.compress([True, False], {a}, axis={x});
xp.concatenate([{a}, {a}], axis={x}); xp.concatenate([{a}, {b}], axis=None); xp.column_stack([{a}, {a}]);
xp.delete({a}, {i}); xp.delete({a}, {i}, axis={x}); xp.diag({a}, {i}); xp.diagonal({a}, {i});
xp.dstack([{a}, {a}]); xp.expand_dims({a}, {i}); xp.extract({mask}, {v}); xp.flip({a}); xp.flip({a}, {x});
xp.fliplr({a}); xp.flipud({a}); xp.hstack([{a}, {a}]); xp.moveaxis({a}, {i}, {x}); xp.ravel({a});
xp.ravel({a}, order='F'); xp.repeat({a}, {n}); xp.repeat({a}, {n}, axis={x}); xp.reshape({a}, (-1,));
xp.reshape({a}, {shape}); xp.resize({a}, {shape}); xp.roll({a}, {i}); xp.roll({a}, {i}, axis={x});
xp.rot90({a}, {i}); xp.split({a}, {m})[0]; xp.squeeze({a}); xp.stack([{a}, {a}], axis={x});
xp.swapaxes({a}, {i}, {x}); xp.take({a}, {n}); xp.take({a}, [{n}, {i}], mode='wrap');
xp.take({a}, [{i}], axis={x}); xp.tile({a}, {n}); xp.tile({a}, ({n}, {m})); xp.transpose({a});
xp.unstack({a}, axis={x}); xp.vstack([{a}, {a}]); xp.where({mask}, {v}, {v}[::-1]); xp.zeros_like({a});
xp.empty_like({a}).shape; xp.full_like({a}, {b}); xp.shape({a}); xp.ndim({a}); xp.size({a});
{v}[{i}]; {v}[{i}:]; {v}[::-1]; {v}[..., {i}]; {v}[None]; {v}[{mask}]; {v}[xp.arange({n})]; {v}.T;
{v}.copy(); {v}.ravel(); {v}.flatten(); {v}.shape; {v}.nbytes; {v}.itemsize; {v}.size;
{v}.squeeze(); {v}.swapaxes(0, -1); {v}.diagonal(); {v}.repeat({n}); {v}.take([{i}]); {v}.tobytes();
{v}.reshape({shape}); {v}.transpose(); {v}[{n}:{m}]; {v}[{i}, {n}]; {v}[::{i}]; {v}[[{i}, {n}]];
{v}[..., [0, {i}]]; {v}[()]; {v}[:, {i}]; {v}[1:, ::-1]; {v}[True]; {v}[xp.array([True, False])]; len({a});
list({v})[:2]; str({v}.dtype); {v}.flags.c_contiguous; {v}.astype({v}.dtype); {v}.view({v}.dtype);
{v}.view('u1'); {v}.view('i8'); {a} == {a}; {a} != {b}; {a} == {b}; xp.array_equal({a}, {b});
xp.array([{v}, {v}]); xp.result_type({a}, {a}); xp.asarray({a}).dtype.str; xp.equal({a}, {a});
xp.array_equiv({a}, {a}); xp.pad({a}, {n}, mode='edge'); xp.tril({a}, {i});
xp.triu({a}); xp.insert({a}, {n}, {a}.ravel()[:1]); xp.take_along_axis({v}, xp.zeros({v}.shape, int), {x})
"""
"""What moves elements of any dtype."""

DATES = """
{a} + {b}; {a} - {b}; {b} - {a}; {a} * {b}; {b} * {a}; {a} / {b}; {a} // {b}; {a} % {b}; divmod({a}, {b});
-{a}; +{a}; abs({a}); {a} < {b}; {a} >= {b}; {a} > {num}; {num} + {a}; {a} - {num}; {num} / {a};
{a} * {num}; {a} / {num}; {a} // {num}; {num} % {a}; {a} == {num}; {num} != {a}; {a} & {b}; {a} ** 2; ~{a};
xp.add({a}, {b}); xp.subtract({a}, {b}); xp.multiply({a}, {b}); xp.divide({a}, {b});
xp.floor_divide({a}, {b}); xp.remainder({a}, {b}); xp.fmod({a}, {b}); xp.minimum({a}, {b});
xp.maximum({a}, {b}); xp.fmin({a}, {b}); xp.fmax({a}, {b}); xp.less({a}, {b}); xp.greater_equal({a}, {b});
xp.not_equal({a}, {b}); xp.logical_and({a}, {b}); xp.logical_or({a}, {b}); xp.logical_xor({a}, {b});
xp.logical_not({a}); xp.absolute({a}); xp.sign({a}); xp.negative({a}); xp.positive({a}); xp.isnat({a});
xp.isfinite({a}); xp.isinf({a}); xp.isnan({a}); xp.sqrt({a}); xp.sin({a}); xp.conjugate({a});
xp.add({a}, {b}, where={mask}, out=xp.zeros_like({v}));
xp.subtract({a}, {b}, out=xp.zeros({v}.shape, '{dt}'));
xp.add.reduce({a}, axis={x}); xp.maximum.reduce({a}, axis={x}); xp.minimum.reduce({a}, axis={x});
xp.fmax.reduce({a}, axis={x}); xp.fmin.reduce({a}, axis={x}); xp.add.accumulate({a}, axis={x});
xp.maximum.accumulate({a}, axis={x}); xp.minimum.accumulate({a}, axis={x}); xp.subtract.outer({a}, {b});
xp.add.outer({a}, {b}); xp.less.outer({a}, {b}); xp.logical_or.reduce({a}, axis={x});
xp.min({a}); xp.max({a}, axis={x}); xp.min({a}, axis={x}, keepdims=True); xp.nanmin({a}, axis={x});
xp.nanmax({a}, axis={x}); xp.argmin({a}); xp.argmax({a}, axis={x}); xp.argmin({a}, axis={x});
xp.nanargmin({a}, axis={x}); xp.nanargmax({a}); xp.sum({a}); xp.sum({a}, axis={x}); xp.mean({a});
xp.mean({a}, axis={x}); xp.mean({a}, axis={x}, keepdims=True); xp.median({a}); xp.median({a}, axis={x});
xp.std({a}); xp.var({a}); xp.ptp({a}); xp.ptp({a}, axis={x}); xp.cumsum({a}); xp.cumsum({a}, axis={x});
xp.cumprod({a}); xp.prod({a}); xp.any({a}, axis={x}); xp.all({a}, axis={x}); xp.count_nonzero({a});
xp.count_nonzero({a}, axis={x}); xp.nonzero({a}); xp.diff({a}); xp.diff({a}, {n}, axis={x}); xp.ediff1d({a});
xp.gradient({a}, axis={x}); xp.clip({a}, {num}, None); xp.clip({a}, {num}, {num}); xp.clip({a}, {b}, {c});
xp.sort({a}); xp.sort({a}, axis={x}); xp.sort({a}, axis=None); xp.argsort({a}, axis={x}, kind='stable');
xp.partition({a}, {n})[..., {n}]; xp.argpartition({a}, {n}).shape; xp.searchsorted(xp.sort({a}.ravel()), {b});
xp.searchsorted(xp.sort({a}.ravel()), {num}, side='right'); xp.lexsort([{a}, {a}]); xp.unique({a});
xp.unique({a}, return_counts=True); xp.unique({a}, return_inverse=True); xp.unique({a}, return_index=True)[1];
xp.isin({a}, {b}); xp.isin({a}, {a}.ravel()[:3], invert=True); xp.intersect1d({a}, {b}); xp.union1d({a}, {b});
xp.setdiff1d({a}, {b}); xp.setxor1d({a}, {b}); xp.where({mask}, {a}, {b}); xp.where({mask}, {num}, {v});
xp.choose([[0], [1]], [{a}, {b}], mode='clip'); xp.select([{mask}], [{v}], {num}); xp.pad({a}, {n});
xp.pad({a}, {n}, mode='wrap'); xp.pad({a}, {n}, mode='reflect'); xp.insert({a}, {n}, {num});
xp.insert({a}, {n}, {num}, axis={x}); xp.meshgrid({a}, {b})[0]; xp.block([{a}, {a}]);
xp.arange({num}, {num}); xp.arange({num}, {num}, {num}); xp.arange({num}); xp.zeros({shape}, '{dt}');
xp.ones({shape}, '{dt}'); xp.full({shape}, {num}); xp.full({shape}, {num}, '{dt}'); xp.ones_like({a});
xp.trim_zeros({a});
xp.quantile({a}, 0.3); xp.percentile({a}, 70, axis={x}); xp.nan_to_num({a}); xp.real({a}); xp.imag({a});
xp.cumulative_sum({a}, axis={x}); xp.nansum({a}, axis={x}); xp.nancumsum({a}); xp.nanmedian({a}, axis={x});
xp.array({a}, dtype='{dt}'); xp.astype({a}, '{dt}'); xp.flatnonzero({a}); xp.argwhere({a}); xp.trapezoid({a});
xp.result_type({a}, {b}); xp.can_cast({a}.dtype, '{dt}'); xp.promote_types({a}.dtype, '{dt}');
xp.histogram({a}, {m})[0]; xp.digitize({a}, xp.sort({b}.ravel())); xp.dot({a}, {b}); xp.isclose({a}, {b});
{v}.astype('{dt}'); {v}.astype('{dt}', casting='same_kind'); {v}.astype('{dt}', casting='safe'); {v}.min();
{v}.max(axis={x}); {v}.sum(axis={x}); {v}.mean(axis={x}); {v}.argmin(); {v}.argmax(axis={x});
{v}.cumsum(axis={x}); {v}.any(); {v}.all(axis={x}); {v}.clip({num}, {num});
{v}.argsort(axis={x}, kind='stable');
{v}.nonzero(); {v}.real; {v}.imag; {v}.view('{dt}'); xp.sort({v}).searchsorted({num}); bool({a}); int({a});
{num} in {v}; {v}.tolist(); {v}.item(); {v}.round(); {v}.conj(); {v}.std(); {v}.prod(axis={x})
"""
"""What is computed with dates."""

STRUCTURED = """
{v}['x']; {v}['n']; {v}['k']; {v}[['n', 'x']]; {v}[['x']]; {v}['x'] + 1; {v}['n'][{i}]; {v}[{i}]['x'] + 0;
{v}['n']['x']; {v}['x'][..., {i}]; {v}['x'].sum(); {v}.dtype.names; {v}[{mask}]['n']; {v}['n'].T;
{v}.astype('f8'); {v}.view('f4'); xp.zeros({shape}, {v}.dtype); xp.full({shape}, {i}, {v}.dtype);
xp.array({v}.tolist(), {v}.dtype); {a} + {b}; -{a}; {a} * {i}; {a} < {b}; xp.sum({a}, axis={x}); xp.max({a});
xp.mean({a}); abs({a}); xp.add({a}, {b}); xp.sqrt({a}); xp.asarray({a}, dtype='f8');
xp.where({mask}, {v}, {b}); {v}['missing']; {a} == {i}; {i} - {a}
"""
"""What is done with structures."""

WRITES = """
{v}[{i}] = {b}; {v}[...] = {b}; {v}[::2] = {v}[::2][::-1]; {v}[{mask}] = {v}[{i}].copy(); {v}[{i}:] = {b};
{v}[1:] = {v}[:-1]; {v}[::-1] = {v}; {v}.T[...] = {b}; {v}.fill({b}); xp.copyto({v}, {b});
xp.copyto({v}, {b}, where={mask}); {v}[[{i}, {n}]] = {b}; {v}[{i}, {n}] = {b}; {v}[None][0] = {b};
xp.put({v}, [{i}], {b}); xp.copyto({v}, {b}, casting='unsafe')
"""

DATE_WRITES = """
{v}[{i}] = {num}; {v}[...] = {num}; {v}[{mask}] = {num}; {v}[..., {i}] = {num}; {v} += {b}; {v} -= {b};
{v} += {num}; {v} *= {num}; {v} //= {num}; {v} /= {num}; {v} %= {b}; {v}[::-1] += {v}; {v}[:{n}] -= {num};
{v}.sort(); {v}.sort(axis={x}); xp.put({v}, [{i}], {num}); xp.place({v}, {mask}, {v}.ravel()[:2]);
xp.putmask({v}, {mask}, {num}); xp.add({v}, {num}, out={v}); xp.subtract({a}, {b}, out={v});
xp.add({a}, {b}, out={v}, where={mask}); xp.maximum({v}[::-1], {v}, out={v});
xp.cumsum({v}, axis={x}, out={v});
xp.clip({v}, {num}, {num}, out={v}); xp.sum({a}, axis={x}, out={v}); xp.max({a}, axis={x}, out={v});
xp.negative({v}, out={v}); {v}[...] = 'NaT'; {v}[{i}] = '2001-02-03'
"""

STRUCTURED_WRITES = """
{v}['x'] = {i}; {v}['n'] = {v}['n'][::-1]; {v}['x'] += 1; {v}[{i}] = (1, 2);
{v}[['n', 'x']] = {v}[['n', 'x']][::-1];
{v}['x'][{i}] = {n}; {v}[{i}]['n'] = {n}; {v}[...] = {i}; {v}[{mask}] = {i}; {v}[{i}]['x'] = {n}; {v} += {i};
{v}['n']['x'] = {i}
"""


def dtype_of(name):
    """Return the dtype that a program's text names."""
    return STRUCTURES.get(name) or np.dtype(name)


def values(dtype, kind, rng, size):
    """Return many values of a dtype: of dates those of some centuries, and what is no time."""
    if dtype.kind in "Mm":
        return _times(dtype, kind, rng, size)
    if dtype.names is None:
        flat = rng.integers(0 if dtype.kind == "u" else -9, 10, size)
        return (flat + 1j * flat[::-1] if dtype.kind == "c" else flat).astype(dtype)
    made = np.zeros(size, dtype)
    for name in dtype.names:
        field, inner = made[name], dtype[name]
        if inner.names is not None:
            field[...] = values(inner, kind, rng, size)
            continue
        element = inner if inner.subdtype is None else inner.subdtype[0]
        field[...] = values(element, kind, rng, field.size).reshape(field.shape)
    return made


def _times(dtype, kind, rng, size):
    name, count = np.datetime_data(dtype)
    # Two centuries about 1970: nanoseconds hold three.
    most = int(np.timedelta64(100 * 365, "D") / np.timedelta64(1, name)) if name not in "YM" else 1200
    most = (100 if name == "Y" else most) // count
    low = 12 if kind == "small" else most
    flat = rng.integers(-low, low, size).astype(dtype)
    if kind != "small":
        flat[rng.random(size) < (0.3 if kind == "special" else 0.03)] = "NaT"
    return flat


SUMS = re.compile(
    r"sum\(|mean|std|var|prod|add\.(reduce|acc)|gradient|trapezoid|quantile|percentile|median|dot|sin\("
)
"""Calls whose results are inexact if they are numbers; dates are compared exactly."""

NAMES = {"datetime": datetime}
"""What a program sees beside the modules."""
