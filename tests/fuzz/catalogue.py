"""What the array fuzzer calls: every public function that NumPy or SciPy has too, with arguments at random.

A call is a text with `xp` for the module, so that programs are texts too. A drawer takes the `Draw` of a
program and returns the text. How results are compared is one of

EXACT
    bit for bit: data is moved, compared or computed with correct rounding;
ULPS
    within the ulps of the op's row, on exact operands;
NEAR
    each element within a relative tolerance: special functions;
CLOSE
    within a tolerance of the largest magnitude: sums, products of matrices, transforms, decompositions;
SHAPE
    dtype and shape alone.
"""

import re

import library
import numpy as np

import cuprum as cp

EXACT, ULPS, NEAR, CLOSE, SHAPE = range(5)

ROWS = {row["name"]: row for row in cp._core.op_table()}
UFUNCS = sorted(name for name in dir(np) if isinstance(getattr(np, name), np.ufunc) and hasattr(cp, name))

ROUNDED = set(
    [
        "abs",
        "absolute",
        "add",
        "ceil",
        "conj",
        "conjugate",
        "copysign",
        "divide",
        "fabs",
        "floor",
        "fmax",
        "fmin",
        "frexp",
        "ldexp",
        "maximum",
        "minimum",
        "modf",
        "multiply",
        "negative",
        "nextafter",
        "positive",
        "reciprocal",
        "rint",
        "sign",
        "spacing",
        "sqrt",
        "square",
        "subtract",
        "true_divide",
        "trunc",
    ]
)
"""Ufuncs of real numbers that have one right result."""

NOT_CALLED = {
    "array2string": "tests/conformance/test_printing.py",
    "array_repr": "tests/conformance/test_printing.py",
    "array_str": "tests/conformance/test_printing.py",
    "base_repr": "NumPy's own function",
    "binary_repr": "NumPy's own function",
    "empty": "no values to compare",
    "empty_like": "no values to compare",
    "format_float_positional": "NumPy's own function",
    "format_float_scientific": "NumPy's own function",
    "from_dlpack": "hostile.py makes capsules",
    "fromfile": "hostile.py reads files",
    "fromfunction": "calls a function of the program's",
    "fromiter": "takes no arrays",
    "fromstring": "takes a text",
    "genfromtxt": "takes a text",
    "get_printoptions": "a setting",
    "geterr": "a setting",
    "info": "prints",
    "iterable": "takes anything",
    "load": "hostile.py reads files",
    "loadtxt": "takes a text",
    "mask_indices": "calls a function of the program's",
    "may_share_memory": "addresses differ from NumPy's",
    "printoptions": "a setting",
    "save": "hostile.py writes files",
    "savetxt": "writes a text",
    "savez": "hostile.py writes files",
    "savez_compressed": "hostile.py writes files",
    "set_printoptions": "a setting",
    "seterr": "a setting",
    "shares_memory": "addresses differ from NumPy's",
    "show_runtime": "prints",
    "einsum_path": "a plan, which differs",
    "typename": "takes a character",
    "mintypecode": "takes characters",
    "frompyfunc": "calls a function of the program's",
    "get_include": "a path",
    "getbufsize": "a setting",
    "setbufsize": "a setting",
    "geterrcall": "a setting",
    "seterrcall": "a setting",
    "test": "runs tests",
}
"""Public functions that random programs do not call, each with the reason."""


def ulps_of(name, dtype):
    """Return how many ulps a ufunc may be off by its row; NumPy may be off by as many."""
    row = ROWS.get(getattr(getattr(np, name, None), "__name__", name))
    return row["ulps"].get(np.dtype(dtype).char, 0.0) if row else 0.0


# Drawers: `d` is the Draw of the program.


def a_unary(name, **options):
    def drawer(d):
        extra = d.some_of(**{key: value(d) for key, value in options.items()})
        return f"{name}({d.array()}{extra})"

    return drawer


def over_axis(name, *choices, kwargs=(), **options):
    """Return a drawer of `name(a, axis=...)` with keywords that are drawn from lists of texts."""

    def drawer(d):
        v = d.variable()
        parts = [d.view(v)]
        if d.chance(0.7):
            parts.append(
                f"axis={d.axis(v, none='axes' in options or 'none' in options, many='axes' in options)}"
            )
        for key, values in kwargs:
            if d.chance(0.3):
                parts.append(f"{key}={d.pick(values)}")
        parts += [d.pick(values) for values in choices]
        return f"{name}({', '.join(parts)})"

    return drawer


KEEP = ("keepdims", ["True", "False"])
DTYPE = ("dtype", ["'f8'", "'i8'", "'f4'", "'c16'", "'i2'", "'u1'"])


class _Parts(dict):
    """The parts of one call, drawn as its text asks for them."""

    def __init__(self, draw):
        super().__init__()
        self.draw, self.variable = draw, draw.variable()

    def __missing__(self, name):
        # Arrays that a text names twice are the same; `{b}` and `{c}` are others.
        self[name] = value = PARTS[name](self.draw, self.variable)
        return value


PARTS = {
    "a": lambda d, v: d.view(v),
    "v": lambda d, v: v,
    "b": lambda d, v: d.operand(),
    "c": lambda d, v: d.operand(),
    "n": lambda d, v: d.integer(0, 6),
    "m": lambda d, v: d.integer(1, 5),
    "i": lambda d, v: d.integer(-4, 4),
    "k": lambda d, v: d.integer(1, 3),
    "k01": lambda d, v: d.integer(0, 1),
    "x": lambda d, v: d.axis(v, none=False),
    "dt": lambda d, v: d.pick(d.dtypes),
    "mask": lambda d, v: d.mask_of(v),
    "ints": lambda d, v: d.integers_below(v),
    "shape": lambda d, v: d.shape_like(v),
    "order": lambda d, v: d.pick(["'C'", "'F'", "'K'", "'A'"]),
    "num": lambda d, v: d.number(),
    "u": lambda d, v: d.values("(7,)" if d.chance(0.7) else f"{v}.shape", "unit", ["f8", "f8", "f4"]),
    "s": lambda d, v: d.values("(12,)", "wide", ["f8", "f8", "f4"]),
    "q": lambda d, v: d.values("(4, 4)", "small", ["f8", "f8", "f4", "c16", "i4"]),
    "w": lambda d, v: d.values(f"{v}.shape", "count", ["i4", "i8"]),
    "metric": lambda d, v: d.pick(METRICS),
}
"""What stands in a text in braces: `{a}` a view of a variable `{v}`, `{b}` and `{c}` any arrays or numbers,
`{n}`, `{m}`, `{i}`, `{k}` integers, `{x}` an axis, `{u}` floats between 0 and 1, `{s}` twelve floats, `{q}` a
matrix and so on."""


def text(template):
    """Return a drawer that fills in a text."""
    return lambda d: template.format_map(_Parts(d))


METRICS = [
    "'euclidean'",
    "'cityblock'",
    "'chebyshev'",
    "'canberra'",
    "'cosine'",
    "'correlation'",
    "'sqeuclidean'",
    "'hamming'",
    "'braycurtis'",
]

MOVES = """
append({a}, {b}); append({a}, {b}, axis={x}); array({a}); array({a}, dtype='{dt}'); asarray({a});
asanyarray({a}); array_split({a}, {m})[0]; array_split({a}, {m}, axis={x})[-1]; ascontiguousarray({a});
asfortranarray({a}); astype({a}, xp.dtype('{dt}')); atleast_1d({a}); atleast_2d({a}); atleast_3d({a});
argwhere({a}); around({a}, {i}); array_equal({a}, {b}); array_equiv({a}, {b}); block([{a}, {a}]);
broadcast_arrays({a}, {b})[0].copy(); broadcast_to({a}, {shape}); choose({ints}, [{a}, {b}], mode='clip');
clip({a}, {i}, {m}); clip({a}, {num}, None); column_stack([{a}, {a}]); compress({mask}, {a});
compress({mask}, {a}, axis={x}); concat([{a}, {b}]); concatenate([{a}, {a}], axis={x});
concatenate([{a}, {b}], axis=None); copy({a}); copy({a}, order={order}); count_nonzero({a});
count_nonzero({a}, axis={x}); delete({a}, {i}); delete({a}, {i}, axis={x}); diag({a}, {i});
diagflat({a}, {i}); diagonal({a}, {i}); diff({a}); diff({a}, {n}, axis={x});
digitize({a}, xp.arange({m})); dsplit({a}, {m})[0]; dstack([{a}, {a}]); ediff1d({a});
expand_dims({a}, {i}); extract({mask}, {a}); eye({n}, {m}, {i}); flatnonzero({a}); flip({a});
flip({a}, {x}); fliplr({a}); flipud({a}); full({shape}, {num}); full({shape}, {i}, dtype='{dt}');
full_like({a}, {i}); hsplit({a}, {m})[0]; hstack([{a}, {b}]); identity({n}); imag({a});
indices(({n}, {m})); insert({a}, {n}, {i}); insert({a}, {n}, {i}, axis={x}); intersect1d({a}, {b});
iscomplex({a}); iscomplexobj({a}); isfortran({a}); isin({a}, {b}); isneginf({a}); isposinf({a});
isreal({a}); isrealobj({a}); isscalar({a}); ix_(xp.arange({n}), xp.arange({m}))[0]; lexsort([{a}, {a}]);
lexsort({a}); matrix_transpose({a}); max({a}); min({a}); meshgrid({a}, {b})[0]; moveaxis({a}, {i}, {x});
nan_to_num({a}); ndim({a}); nonzero({a})[0]; ones({shape}, dtype='{dt}'); ones_like({a});
packbits({mask}); packbits({mask}, axis={x}); pad({a}, {n}); pad({a}, {n}, mode='edge');
pad({a}, {n}, mode='wrap'); pad({a}, {n}, mode='reflect'); partition({a}, {n})[..., {n}];
argpartition({a}, {n}).shape; permute_dims({a}); ptp({a}); ptp({a}, axis={x}); ravel({a}, {order});
ravel_multi_index(({n}, {n}), (7, 7)); real({a}); real_if_close({a}); repeat({a}, {n});
repeat({a}, {n}, axis={x}); require({a}, requirements='C'); reshape({a}, (-1,)); reshape({a}, {shape});
resize({a}, {shape}); roll({a}, {i}); roll({a}, {i}, axis={x}); rollaxis({a}, {i}); rot90({a}, {i});
round({a}); searchsorted(xp.sort({a}.ravel()), {b}); searchsorted(xp.arange({n}), {a}, side='right');
select([{mask}], [{a}], {i}); setdiff1d({a}, {b}); setxor1d({a}, {b}); shape({a}); size({a}); sort({a});
sort({a}, axis={x}); sort({a}, axis=None); sort_complex({a}); argsort({a}, axis={x}, kind='stable');
split({a}, {m})[0]; squeeze({a}); squeeze({a}, {x}); stack([{a}, {a}], axis={x}); swapaxes({a}, {i}, {x});
take({a}, {n}); take({a}, xp.arange({n})); take({a}, {ints}, mode='wrap'); take({a}, {n}, axis={x});
take({a}, {i}, mode='clip'); take_along_axis({a}, xp.argsort({a}, axis={x}, kind='stable'), axis={x});
tile({a}, {n}); tile({a}, ({n}, {m})); transpose({a}); tri({n}, {m}, {i}); tril({a}, {i}); triu({a}, {i});
tril_indices({n}, {i})[0]; triu_indices({n}, {i})[1]; tril_indices_from({a}, {i})[0];
triu_indices_from({a}, {i})[1]; trim_zeros({a}); union1d({a}, {b}); unique({a});
unique({a}, return_counts=True)[1]; unique({a}, return_inverse=True)[1]; unique({a}, axis={x});
unique_all({a})[3]; unique_counts({a})[1]; unique_inverse({a})[1]; sort(xp.unique_values({a}));
unpackbits(xp.asarray({a}, dtype='u1')); unravel_index({n}, ({m}, 7)); unstack({a}, axis={x});
vsplit({a}, {m})[0]; vstack([{a}, {a}]); where({mask}, {a}, {b}); where({mask}, {a}, {i});
where({mask}, {num}, {a}); where({a}); zeros({shape}, dtype='{dt}', order={order}); zeros_like({a});
bincount({ints}.ravel()); can_cast('{dt}', {a}.dtype); promote_types('{dt}', {a}.dtype);
result_type({a}, {b}); result_type({a}, {i}); min_scalar_type({i}); common_type({a});
issubdtype({a}.dtype, np.integer); isdtype({a}.dtype, 'integral'); broadcast_shapes({shape}, {shape});
diag_indices({n})[0]; diag_indices_from({a})[0]; arange({i}, {m}); arange({n}); arange({num}, {num}, {m});
fix({a}); frombuffer(bytes(16), dtype='{dt}').copy(); asarray_chkfinite({a}); argmax({a});
argmin({a}, axis={x}); nanargmax({a}); nanargmin({a}); isclose({a}, {b}); allclose({a}, {b});
vander({a}, {n}); histogram({a}, {m})[0]; bartlett({n}); cross({a}, {b}); cumsum({ints});
apply_along_axis(xp.sort, {x}, {a}); apply_over_axes(xp.sum, {ints}, [0]);
piecewise({a}, [{mask}], [1, 2]); amax({a}, axis={x}); amin({a}, axis={x}); {v}[{i}]; {v}[{i}:];
{v}[::-1]; {v}[..., {i}]; {v}[None]; {v}[{mask}]; {v}[{ints} * 0]; {v}[xp.arange({n})]; {v}.T; {v}.copy();
{v}.ravel(); {v}.flatten(order={order}); {v}.astype('{dt}'); {v}.view({v}.dtype); {v}.real; {v}.imag;
{v}.flat[{i}]; {v}.flat[{n}:]; {v}.tolist(); {v}.shape; {v}.strides; {v}.nbytes; {v}.squeeze();
{v}.swapaxes(0, -1); {v}.conj(); {v}.item(); {v}.diagonal(); {v}.repeat({n}); {v}.take([{i}]);
xp.sort({v}.ravel()).searchsorted({num}); {v}.any(); {v}.all(axis={x});
{v}.argsort(axis={x}, kind='stable'); {v}.clip({i}, {m}); {v}.round({n}); {v}.nonzero(); {v}.tobytes();
{v}.byteswap(); -{a}; +{a}; abs({a}); ~{a}; {a} + {b}; {a} - {b}; {a} * {b}; {a} / {b}; {a} == {b};
{a} < {b}; {a} & {b}; {a} | {b}; {a} ^ {b}; {a} << {n}; {a} >> {n}; {a} + {num}; {num} - {a}; {a} * {i};
{i} / {a}; {a} // {b}; {a} % {i}; divmod({a}, {b}); {a} != {num}; {a} ** {n}; bool({a}); float({a});
int({a}); len({a})
"""
"""Calls whose results are compared bit for bit, on exact operands."""

METHODS = """
{v}.argmin(); (lambda w: (w.partition({n}), w)[1][..., {n}])({v}.copy()); {v}.argmin(axis={x});
{v}.argmax(axis={x}); {v}.choose([{a}, {b}], mode='clip'); {v}.compress({mask});
{v}.compress({mask}, axis={x}); {v}.conjugate(); {v}.getfield({v}.dtype); {v}.itemsize; {v}.size;
{v}.ndim; {v}.mT; {v}.min(); {v}.min(axis={x}, keepdims=True); {v}.max(axis={x}); {v}.reshape({shape});
{v}.reshape(-1, order={order}); {v}.transpose(); {v}.argpartition({n}).shape;
{v}.searchsorted({num}).shape; {v}.squeeze({x}); {v}.swapaxes({i}, {x}); {v}.copy({order});
{v}.take({ints}, axis={x}, mode='clip'); {v}.view('u1'); {v}.view('{dt}');
{v}.astype('{dt}', order={order}); {v}.astype('{dt}', casting='safe');
{v}.astype('{dt}', casting='same_kind'); {v}.any(axis={x}, keepdims=True); {v}.all();
{v}.repeat({n}, axis={x}); complex({a}); {a}.__index__(); {num} in {v}; list({v}); [*{v}.flat][:3];
{v}[..., None]; {v}[{n}:{m}]; {v}[{i}, {n}]; {v}[::{i}]; {v}[{m}::-1]; {v}[xp.array({i})];
{v}[[{i}, {n}]]; {v}[..., [0, {i}]]; {v}[{ints}]; {v}[None, {i}]; {v}[True]; {v}[xp.array([True, False])];
{v}[()]; {v}[:, {i}]; {v}[1:, ::-1]; {v}[{i}:][{mask}[{i}:]]; {a} > {b}; {a} >= {num}; {a} <= {b};
{num} // {a}; {num} % {a}; {num} ** {a}; {n} << {a}; {n} >> {a}; {num} & {a}; {num} | {a}; {num} ^ {a};
divmod({num}, {a}); {num} / {a}; round({a}.item() if {a}.size == 1 else 2); {v}.dot({i}); str({v}.dtype);
{v}.flags.c_contiguous; {v}.flags.f_contiguous; {v}.flags.writeable; xp.shape({v}[{i}])
"""
"""Methods and operators whose results are compared bit for bit, on exact operands."""

CLOSE_METHODS = """
{v}.trace({i});
{v}.cumprod(axis={x}); {v}.cumsum(axis={x}); {v}.dot({b}); {v}.mean(); {v}.mean(axis={x}); {v}.prod();
{v}.sum(axis={x}); {v}.sum(dtype='{dt}'); {v}.std(); {v}.var(axis={x}); {v}.var(ddof=1); {a} @ {b};
{num} @ {a}
"""
"""Methods whose results are compared with a tolerance."""

WRITES = """
{v}[{i}] = {num}; {v}[...] = {i}; {v}[::2] = {num}; {v}[{mask}] = {i}; {v}[{i}:] = {b};
{v}[..., {i}] = {num}; {v} += {i}; {v} *= {b}; {v} -= {a}; {v}[{i}] += {i}; {v}[:{n}] += {num};
{v}[::-1] += {v}; {v}[1:] = {v}[:-1]; {v}.T[...] = {num}; {v}.flat[{i}] = {num}; {v}.flat[:{n}] = {num};
{v}.fill({i}); {v}.sort(axis={x}); {v}.real = {i}; {v}.imag = {i}; xp.copyto({v}, {b});
xp.copyto({v}, {i}, where={mask}); xp.put({v}, [{i}], {num}); xp.place({v}, {mask}, [{i}, {m}]);
xp.putmask({v}, {mask}, {num}); xp.fill_diagonal({v}, {i});
xp.put_along_axis({v}, xp.argmax({v}, axis={x}, keepdims=True), {i}, {x}); xp.add({v}, {i}, out={v});
xp.multiply({a}, {b}, out={v}); xp.negative({v}, out={v}); xp.add({a}, {b}, out={v}, where={mask});
xp.add.at({v}, [{i}, {i}], {m}); xp.maximum({v}[::-1], {v}, out={v}); xp.cumsum({v}, axis={x}, out={v});
xp.clip({v}, {i}, {m}, out={v}); {v} //= {b}; {v} %= {i}; {v} **= 2; {v} &= {b}; {v} |= {i}; {v} ^= {b};
{v} <<= 1; {v} >>= 1; {v}.resize({shape}, refcheck=is_viewed({v})); {v}.shape = (-1,);
xp.take({a}, [{i}], out={v}, mode='wrap'); xp.subtract.at({v}, {ints}, 1); {v} /= {b};
{v}.setfield({i}, {v}.dtype); {v}.setflags(write=False); {v}[...] = {b}; {v}[::-1] = {v};
{v}[{ints}] = {num}; {v}[[{i}, {n}]] = {b}; {v}[{mask}] = {b}; {v}[{i}, {n}] = {num};
{v}[..., ::2] -= {num}; {v}[None][0] = {i}; {v}.T[{i}] = {b}; {v}.ravel()[{i}:] = {num};
{v}.reshape(-1)[::2] = {i}; xp.sqrt(xp.abs({v}), out={v}); xp.square({v}[::-1], out={v});
xp.add({v}[1:], {v}[:-1], out={v}[1:]); xp.sum({a}, axis={x}, out={v}); xp.max({a}, axis={x}, out={v});
xp.copyto({v}, {v}[::-1]); xp.copyto({v}, {b}, casting='unsafe');
xp.subtract({v}, {b}, out={v}, casting='unsafe'); xp.floor({a}, out={v}); xp.maximum({a}, {b}, out={v});
xp.logical_not({a}, out={v}); xp.concatenate([{a}, {a}], out={v}); xp.stack([{v}, {v}], out={b});
xp.clip({a}, {i}, {m}, out={v}); xp.add.reduce({a}, axis={x}, out={v});
xp.maximum.accumulate({v}, axis={x}, out={v}); xp.argmax({a}, axis={x}, out={v});
xp.minimum.at({v}, {ints}, {num}); xp.maximum.at({v}, ([{i}], [{n}]), {num});
xp.bitwise_xor.at({v}, {ints}, {n}); xp.cumprod({v}, axis={x}, out={v}); {v}.byteswap(inplace=True);
{v}.clip({i}, {m}, out={v}); {v}.round({n}, out={v}); {v} @= {b}; {v}.put([{i}, {n}], {num}); {v}.sort();
{v}.shape = {shape}; xp.nan_to_num({v}, copy=False); {v}.flat = {num}; {v}.flat[[{i}, {n}]] = {num};
{v}.flat[{mask}.ravel()] = {num}
"""
"""Statements that change a variable."""

SUMS = {
    "sum": (DTYPE, KEEP),
    "prod": (DTYPE, KEEP),
    "mean": (DTYPE, KEEP),
    "std": (KEEP, ("ddof", ["0", "1"])),
    "var": (KEEP, ("ddof", ["0", "1"])),
    "nansum": (KEEP,),
    "nanprod": (KEEP,),
    "nanmean": (KEEP,),
    "nanstd": (KEEP,),
    "nanvar": (KEEP,),
    "median": (KEEP,),
    "nanmedian": (KEEP,),
    "average": (KEEP,),
}
FOLDS = {"all": (KEEP,), "any": (KEEP,), "nanmax": (KEEP,), "nanmin": (KEEP,), "max": (KEEP,), "min": (KEEP,)}
SCANS = ["cumsum", "cumprod", "nancumsum", "nancumprod", "cumulative_sum", "cumulative_prod"]

CLOSE_CALLS = """
trace({a}, {i});
angle({a}); blackman({n}); convolve({a}, {b}); correlate({a}, {b}, mode='same'); corrcoef({a}); cov({a});
dot({a}, {b}); einsum('...i,...i->...', {a}, {a}); einsum('i,j', {a}.ravel(), {b}.ravel());
geomspace(1, {m}, {n}); gradient({a}, axis={x}); hamming({n}); hanning({n});
histogram2d({a}.ravel(), {a}.ravel(), {m})[0]; histogram_bin_edges({a}, {m}); histogramdd({a}, {m})[0];
i0({a}); inner({a}, {b}); interp({a}, xp.arange(5.0), xp.arange(5.0) ** 2); kaiser({n}, 2.0);
kron({a}, {b}); linspace({i}, {m}, {n}); linspace({num}, {num}, {n}, endpoint=False);
logspace({i}, {m}, {n}); outer({a}, {b}); percentile({a}, 30); percentile({a}, [5, 50], axis={x});
quantile({a}, 0.3, axis={x}); nanquantile({a}, 0.3); nanpercentile({a}, 70, axis={x}); poly({a});
polyadd({a}, {b}); polyder({a}, {n}); polydiv({a}, {b})[0];
polyfit(xp.arange(7.0), xp.arange(7.0) ** 2, {n}); polyint({a}, {n}); polymul({a}, {b});
polysub({a}, {b}); polyval({a}, {b}); sinc({a}); tensordot({a}, {b}, {n}); trapezoid({a}, axis={x});
unwrap({a}); vdot({a}, {b}); {a} @ {b}; matmul({a}, {b}); vecdot({a}, {b}); logspace(0, {n}, {m});
linalg.norm({a}); linalg.norm({a}, axis={x}); linalg.matrix_power({a}, {n}); linalg.trace({a});
linalg.vector_norm({a}); linalg.matrix_norm({a}); linalg.multi_dot([{a}, {a}]); linalg.outer({a}, {b});
linalg.vecdot({a}, {b}); linalg.cross({a}, {b}); linalg.diagonal({a}); linalg.matmul({a}, {b});
linalg.matrix_transpose({a}); linalg.tensordot({a}, {b}, 1); fft.fft({a}); fft.fft({a}, {m}, axis={x});
fft.ifft({a}); fft.rfft({a}); fft.irfft({a}); fft.hfft({a}); fft.ihfft({a}); fft.fft2({a});
fft.ifft2({a}); fft.fftn({a}); fft.ifftn({a}); fft.rfft2({a}); fft.rfftn({a}); fft.irfft2({a});
fft.irfftn({a}); fft.fftfreq({m}); fft.rfftfreq({m}); fft.fftshift({a}); fft.ifftshift({a}, {x})
"""
"""Calls whose results are compared with a tolerance."""

MATRICES = """
xp.linalg.svdvals(tame({a})); xp.linalg.svd(tame({a}), compute_uv=False); xp.linalg.eigvalsh({a});
xp.linalg.eigh({a})[0]; (lambda q, r: q @ r)(*xp.linalg.qr(tame({a})));
(lambda q, r: adjoint(q) @ q)(*xp.linalg.qr(tame({a}))); xp.linalg.qr({a}, mode='complete')[0].shape;
xp.abs(xp.linalg.qr({q} * 0.1 + 9 * xp.eye(4), mode='r'));
(lambda q, r: q @ r)(*xp.linalg.qr({q}, mode='complete'));
(lambda u, s, v: (u * s[..., None, :]) @ v)(*xp.linalg.svd(tame({a}), full_matrices=False));
(lambda u, s, v: adjoint(u) @ u)(*xp.linalg.svd(tame({a})));
(lambda u, s, v: v @ adjoint(v))(*xp.linalg.svd(tame({a})));
(lambda w, v: (v * w[..., None, :]) @ adjoint(v))(*xp.linalg.eigh({a}));
(lambda w, v: (v * w[..., None, :]) @ adjoint(v))(*xp.linalg.eigh({q}, UPLO='U'));
(lambda w, v: holds({q} @ v - v * w, {q}))(*xp.linalg.eig({q}));
(lambda w, v: holds({a} @ v - v * w[..., None, :], {a}))(*xp.linalg.eig({a}));
xp.linalg.eigvals({q}).sum() + 0j; xp.linalg.eigvals({a}).shape;
(lambda m: (lambda l: l @ adjoint(l))(xp.linalg.cholesky(m @ adjoint(m)
+ 99 * xp.eye(m.shape[-2], dtype=m.dtype))))({a});
xp.linalg.cholesky({q} @ adjoint({q}) + 99 * xp.eye(4)); xp.linalg.cholesky(tame({a}));
(lambda m: holds(xp.linalg.inv(m) @ m - xp.eye(4), m, xp.linalg.inv(m)))({q} + 9 * xp.eye(4));
xp.linalg.inv({q} * 0.1 + 9 * xp.eye(4)); xp.linalg.inv({a}).shape;
xp.linalg.solve({q} * 0.1 + 9 * xp.eye(4), {q});
(lambda m, x: holds({q} @ x - m, {q}, x))({s}[:4], xp.linalg.solve({q}, {s}[:4]));
xp.linalg.solve({a}, {b}).shape; xp.linalg.det({q});
xp.linalg.det({a}) / xp.linalg.norm({a}, axis=(-2, -1)) ** {v}.shape[-1];
(lambda sign, log: sign * xp.exp(log))(*xp.linalg.slogdet({q})); xp.linalg.slogdet({a})[0].shape;
(lambda m: regained(m @ xp.linalg.pinv(m, rtol=None) @ m, m))(tame({a}) * 1.0);
xp.linalg.pinv({q} * 0.1 + 9 * xp.eye(4));
tame({a}) @ xp.linalg.lstsq(tame({a}), {b})[0]; xp.linalg.lstsq({q} * 0.1 + 9 * xp.eye(4), {q})[0];
xp.linalg.lstsq({q}, {s}[:4])[2]; xp.linalg.lstsq({q}, {s}[:4])[3]; xp.linalg.matrix_rank({q});
1 / xp.linalg.cond(tame({a})); xp.linalg.cond({q} * 0.1 + 9 * xp.eye(4), {m}); xp.linalg.norm({q}, 2);
xp.linalg.norm({q}, 'nuc'); xp.linalg.tensorinv({q} * 0.1 + 9 * xp.eye(4), ind=1);
xp.linalg.tensorsolve({q} * 0.1 + 9 * xp.eye(4), {s}[:4]); xp.linalg.tensorinv({a}, {m}).shape;
xp.linalg.tensorsolve({a}, {b}).shape;
(lambda p: holds(xp.poly(xp.roots(p)) * p[0] - p, p))({s}[:{m}] + 9.5); xp.roots({a}).shape; xp.poly({q});
(lambda p, l, u: p @ l @ u)(*sp.linalg.lu({a}));
(lambda pl, u: pl @ u)(*sp.linalg.lu({q}, permute_l=True)); (lambda u, p: u @ p)(*sp.linalg.polar({q}));
(lambda h, u: u @ h @ adjoint(u))(*sp.linalg.hessenberg({q}, calc_q=True));
(lambda a, b, q, z: q @ a @ adjoint(z))(*sp.linalg.qz({q}, {q} + 9 * xp.eye(4)));
(lambda l, d, p: l @ d @ adjoint(l))(*sp.linalg.ldl({q} + {q}.T));
(lambda o: o @ adjoint(o))(sp.linalg.orth({q} * 0.1 + 9 * xp.eye(4)))
"""
"""Decompositions: what they are made of is compared, or their product, or whether they hold (`holds`)."""


def _texts(block):
    return [one.strip() for one in block.replace("\n", " ").split(";") if one.strip()]


def _module_call(one):
    """Return a call's text with `xp.` before it, unless it is an expression of its own."""
    return (
        one
        if one[0] in "{-+~" or one.split("(")[0] in ("abs", "bool", "float", "int", "len", "divmod")
        else f"xp.{one}"
    )


def calls():
    """Return every call: (name, how it is compared, drawer)."""
    found = []
    for name in UFUNCS:
        ufunc = getattr(np, name)
        operands = ", ".join(["{a}", "{b}", "{c}"][: ufunc.nin])
        picks = "[0]" if ufunc.nout > 1 else ""
        kind = CLOSE if name in ("matmul", "vecdot", "matvec", "vecmat") else ULPS
        found.append((name, kind, text(f"xp.{name}({operands}){picks}")))
        if name in COMPARISONS:
            # NumPy ends the process at an integer that the other operand's dtype does not hold.
            operands = "{a}, xp.asarray({b})"
        found.append((name, kind, text(f"xp.{name}({operands}, where={{mask}}, out=xp.zeros_like({{a}}))")))
        if ufunc.nin == 2 and ufunc.nout == 1 and ufunc.signature is None:
            kind = (
                CLOSE
                if name in ("add", "multiply", "subtract")
                else SHAPE
                if kind == ULPS and name not in FOLDING
                else kind
            )
            for method in ("reduce({a}, axis={x})", "accumulate({a}, axis={x})", "outer({a}, {b})"):
                found.append((f"{name}.{method.split('(')[0]}", kind, text(f"xp.{name}.{method}")))
            found.append((f"{name}.reduceat", kind, text(f"xp.{name}.reduceat({{a}}, [0], axis={{x}})")))
    for one in _texts(MOVES):
        found.append((one.split("(")[0], EXACT, text(_module_call(one))))
    for one in _texts(METHODS):
        found.append((_called(one), EXACT, text(one)))
    for one in _texts(CLOSE_METHODS):
        found.append((_called(one), CLOSE, text(one)))
    for one in _texts(CLOSE_CALLS):
        found.append((one.split("(")[0], CLOSE, text(_module_call(one))))
    for name, kwargs in SUMS.items():
        found.append((name, CLOSE, over_axis(f"xp.{name}", kwargs=kwargs, none=True)))
    for name, kwargs in FOLDS.items():
        found.append((name, EXACT, over_axis(f"xp.{name}", kwargs=kwargs, axes=True)))
    for name in SCANS:
        found.append((name, CLOSE, over_axis(f"xp.{name}", kwargs=(DTYPE,), none=True)))
    for one in _texts(MATRICES):
        found.append((_called(one), CLOSE, text(one)))
    for one in _texts(library.NUMPY):
        found.append((one.split("(")[0], EXACT, text(f"xp.{one}")))
    for one in _texts(library.RANDOM):
        found.append((f"random.{one.split('(')[0]}", SHAPE, text(f"xp.random.{one}")))
    for module, block in library.SCIPY.items():
        kind = NEAR if module == "special" else CLOSE
        for one in _texts(block):
            found.append((f"scipy.{module}.{one.split('(')[0]}", kind, text(f"sp.{module}.{one}")))
    for name, operands in library.special_ufuncs():
        given = ", ".join("{u}" for _ in range(operands))
        found.append((f"scipy.special.{name}", NEAR, text(f"sp.special.{name}({given})")))
        if name == "hyp1f1":
            # SciPy's does not return from infinities, or ends the process.
            continue
        given = ["{w}" if name.startswith(STEPS) else "{a}", "{b}", "{c}", "{num}"]
        given = ", ".join(given[:operands])
        found.append((f"scipy.special.{name}", NEAR, text(f"sp.special.{name}({given})")))
    for one in _texts(library.SPARSE):
        made = "sp.sparse.csr_matrix({q})"
        call = one if one.startswith(("(", "csr", "abs", "-")) else f"sp.sparse.{one}"
        found.append((f"scipy.sparse.{_called(one)}", CLOSE, text(re.sub(r"\bcsr\b", made, call))))
    return found


FOLDING = set(
    [
        "maximum",
        "minimum",
        "fmax",
        "fmin",
        "logical_and",
        "logical_or",
        "logical_xor",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "gcd",
        "lcm",
    ]
)
"""Ufuncs whose reductions are exact."""


STEPS = ("eval_", "hyperu", "yn")
"""Functions of SciPy's that take a step for each unit of their first argument: it is a small integer."""

COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}


def _called(one):
    """Return the name of what a text calls first."""
    found = re.search(r"(\w+(\.\w+)*)\(", one)
    return found[1] if found else one


def missing():
    """Return the public functions that NumPy or SciPy has too and that are neither called nor listed."""
    every = WRITES + MOVES + CLOSE_CALLS + MATRICES
    named = {name.split(".")[0] for name, _, _ in calls()} | set(re.findall(r"xp\.(\w+)", every))
    public = [
        name
        for name in dir(cp)
        if not name.startswith("_")
        and callable(getattr(np, name, None))
        and not isinstance(getattr(np, name), type)
    ]
    found = sorted(name for name in public if name not in named and name not in NOT_CALLED)
    known = {name for name, _, _ in calls()}

    texts = every + library.SPARSE + "".join(library.SCIPY.values())

    def is_called(module, name):
        begins = any(one == f"{module}.{name}" or one.startswith(f"{module}.{name}.") for one in known)
        return begins or re.search(rf"\b{module.removeprefix('scipy.')}\.{name}\(", texts)

    return (
        found + library.missing(is_called) + library.missing_methods(MOVES + WRITES + METHODS + CLOSE_METHODS)
    )
