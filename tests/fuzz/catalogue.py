"""What the array fuzzer calls: every public function that NumPy or SciPy has too, with arguments at random.

A call is a text with `xp` for the module, so that programs are texts too. A drawer takes the `Draw` of a
program and returns the text. How results are compared is one of

EXACT
    bit for bit: data is moved, compared or computed with correct rounding;
ULPS
    within the ulps of the op's row, on exact operands;
CLOSE
    within a tolerance of the largest magnitude: sums, products of matrices, transforms, decompositions;
SHAPE
    dtype and shape alone.
"""

import re

import numpy as np

import cuprum as cp

EXACT, ULPS, CLOSE, SHAPE = range(4)

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
    "multi_dot": "called below as a function of linalg",
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


def text(template):
    """Return a drawer that fills in arrays (`{a}`), integers (`{n}`, `{i}`), an axis (`{x}`) and so on."""

    def drawer(d):
        v = d.variable()
        return template.format(
            a=d.view(v),
            v=v,
            b=d.array(),
            c=d.array(),
            n=d.integer(0, 6),
            m=d.integer(1, 5),
            i=d.integer(-4, 4),
            x=d.axis(v, none=False),
            dt=d.pick(d.dtypes),
            mask=d.mask_of(v),
            ints=d.integers_below(v),
            shape=d.shape_like(v),
            order=d.pick(["'C'", "'F'", "'K'", "'A'"]),
            num=d.number(),
        )

    return drawer


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
diagflat({a}, {i}); diagonal({a}, {i}); diff({a}); diff({a}, {n}, axis={x}); digitize({a}, xp.arange({m}));
dsplit({a}, {m})[0]; dstack([{a}, {a}]); ediff1d({a}); expand_dims({a}, {i}); extract({mask}, {a});
eye({n}, {m}, {i}); flatnonzero({a}); flip({a}); flip({a}, {x}); fliplr({a}); flipud({a});
full({shape}, {num}); full({shape}, {i}, dtype='{dt}'); full_like({a}, {i}); hsplit({a}, {m})[0];
hstack([{a}, {b}]); identity({n}); imag({a}); indices(({n}, {m})); insert({a}, {n}, {i});
insert({a}, {n}, {i}, axis={x}); intersect1d({a}, {b}); iscomplex({a}); iscomplexobj({a}); isfortran({a});
isin({a}, {b}); isneginf({a}); isposinf({a}); isreal({a}); isrealobj({a}); isscalar({a});
ix_(xp.arange({n}), xp.arange({m}))[0]; lexsort([{a}, {a}]); lexsort({a}); matrix_transpose({a}); max({a});
min({a}); meshgrid({a}, {b})[0]; moveaxis({a}, {i}, {x}); nan_to_num({a}); ndim({a}); nonzero({a})[0];
ones({shape}, dtype='{dt}'); ones_like({a}); packbits({mask}); packbits({mask}, axis={x}); pad({a}, {n});
pad({a}, {n}, mode='edge'); pad({a}, {n}, mode='wrap'); pad({a}, {n}, mode='reflect');
partition({a}, {n})[..., 0]; argpartition({a}, {n}).shape; permute_dims({a}); ptp({a}); ptp({a}, axis={x});
ravel({a}, {order}); ravel_multi_index(({n}, {n}), (7, 7)); real({a}); real_if_close({a});
repeat({a}, {n}); repeat({a}, {n}, axis={x}); require({a}, requirements='C'); reshape({a}, (-1,));
reshape({a}, {shape}); resize({a}, {shape}); roll({a}, {i}); roll({a}, {i}, axis={x}); rollaxis({a}, {i});
rot90({a}, {i}); round({a}); searchsorted(xp.sort({a}.ravel()), {b});
searchsorted(xp.arange({n}), {a}, side='right'); select([{mask}], [{a}], {i}); setdiff1d({a}, {b});
setxor1d({a}, {b}); shape({a}); size({a}); sort({a}); sort({a}, axis={x}); sort({a}, axis=None);
sort_complex({a}); argsort({a}, axis={x}, kind='stable'); split({a}, {m})[0]; squeeze({a});
squeeze({a}, {x}); stack([{a}, {a}], axis={x}); swapaxes({a}, {i}, {x}); take({a}, {n});
take({a}, xp.arange({n})); take({a}, {ints}, mode='wrap'); take({a}, {n}, axis={x});
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
argmin({a}, axis={x});
nanargmax({a}); nanargmin({a}); isclose({a}, {b}); allclose({a}, {b}); vander({a}, {n});
histogram({a}, {m})[0]; bartlett({n}); cross({a}, {b}); trace({a}, {i}); cumsum({ints});
apply_along_axis(xp.sort, {x}, {a}); apply_over_axes(xp.sum, {ints}, [0]);
piecewise({a}, [{mask}], [1, 2]); amax({a}, axis={x}); amin({a}, axis={x}); {v}[{i}]; {v}[{i}:]; {v}[::-1];
{v}[..., {i}]; {v}[None]; {v}[{mask}]; {v}[{ints} * 0]; {v}[xp.arange({n})]; {v}.T; {v}.copy();
{v}.ravel(); {v}.flatten(order={order}); {v}.astype('{dt}'); {v}.view({v}.dtype); {v}.real; {v}.imag;
{v}.flat[{i}]; {v}.flat[{n}:]; {v}.tolist(); {v}.shape; {v}.strides; {v}.nbytes; {v}.squeeze();
{v}.swapaxes(0, -1); {v}.conj(); {v}.item(); {v}.diagonal(); {v}.repeat({n}); {v}.take([{i}]);
xp.sort({v}.ravel()).searchsorted({num}); {v}.any(); {v}.all(axis={x}); {v}.argsort(axis={x}, kind='stable');
{v}.clip({i}, {m}); {v}.round({n}); {v}.nonzero(); {v}.tobytes(); {v}.byteswap(); -{a}; +{a}; abs({a});
~{a}; {a} + {b}; {a} - {b}; {a} * {b}; {a} / {b}; {a} == {b}; {a} < {b}; {a} & {b}; {a} | {b}; {a} ^ {b};
{a} << {n}; {a} >> {n}; {a} + {num}; {num} - {a}; {a} * {i}; {i} / {a}; {a} // {b}; {a} % {i};
divmod({a}, {b}); {a} != {num}; {a} ** {n}; bool({a}); float({a}); int({a}); len({a})
"""
"""Calls whose results are compared bit for bit, on exact operands."""

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
{v} <<= 1; {v} >>= 1; {v}.resize({shape}, refcheck=False); {v}.shape = (-1,);
xp.take({a}, [{i}], out={v}, mode='wrap'); xp.subtract.at({v}, {ints}, 1); {v} /= {b}
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
angle({a}); blackman({n}); convolve({a}, {b}); correlate({a}, {b}, mode='same'); corrcoef({a}); cov({a});
dot({a}, {b}); einsum('...i,...i->...', {a}, {a}); einsum('i,j', {a}.ravel(), {b}.ravel());
geomspace(1, {m}, {n}); gradient({a}, axis={x}); hamming({n}); hanning({n});
histogram2d({a}.ravel(), {a}.ravel(), {m})[0]; histogram_bin_edges({a}, {m}); histogramdd({a}, {m})[0];
i0({a}); inner({a}, {b}); interp({a}, xp.arange(5.0), xp.arange(5.0) ** 2); kaiser({n}, 2.0);
kron({a}, {b}); linspace({i}, {m}, {n}); linspace({num}, {num}, {n}, endpoint=False);
logspace({i}, {m}, {n}); outer({a}, {b}); percentile({a}, 30); percentile({a}, [5, 50], axis={x});
quantile({a}, 0.3, axis={x}); nanquantile({a}, 0.3); nanpercentile({a}, 70, axis={x}); poly({a});
polyadd({a}, {b}); polyder({a}, {n}); polydiv({a}, {b})[0];
polyfit(xp.arange(7.0), xp.arange(7.0) ** 2, {n}); polyint({a}, {n}); polymul({a}, {b}); polysub({a}, {b});
polyval({a}, {b}); roots({a}); sinc({a}); tensordot({a}, {b}, {n}); trapezoid({a}, axis={x}); unwrap({a});
vdot({a}, {b}); {a} @ {b}; matmul({a}, {b}); vecdot({a}, {b}); logspace(0, {n}, {m}); linalg.norm({a});
linalg.norm({a}, axis={x}); linalg.matrix_power({a}, {n}); linalg.det({a}); linalg.slogdet({a})[1];
linalg.trace({a}); linalg.vector_norm({a}); linalg.matrix_norm({a}); linalg.multi_dot([{a}, {a}]);
linalg.outer({a}, {b}); linalg.vecdot({a}, {b}); linalg.cross({a}, {b}); linalg.diagonal({a});
linalg.matmul({a}, {b}); linalg.matrix_transpose({a}); linalg.tensordot({a}, {b}, 1);
linalg.inv({a} + 9 * xp.eye({m})); linalg.solve({a} + 9 * xp.eye({m}), xp.ones({m})); linalg.svdvals({a});
linalg.svd({a})[1]; linalg.eigvalsh({a}); linalg.eigh({a})[0];
linalg.cholesky({a} @ {v}.T + 99 * xp.eye({m})); linalg.qr({a})[1].shape; linalg.pinv({a});
linalg.lstsq({a}, {b})[0].shape; linalg.matrix_rank({a}); linalg.cond({a}); linalg.eig({a})[0].shape;
linalg.eigvals({a}).shape; linalg.tensorinv({a}, {m}).shape; linalg.tensorsolve({a}, {b}).shape;
fft.fft({a}); fft.fft({a}, {m}, axis={x}); fft.ifft({a}); fft.rfft({a}); fft.irfft({a}); fft.hfft({a});
fft.ihfft({a}); fft.fft2({a}); fft.ifft2({a}); fft.fftn({a}); fft.ifftn({a}); fft.rfft2({a});
fft.rfftn({a}); fft.irfft2({a}); fft.irfftn({a}); fft.fftfreq({m}); fft.rfftfreq({m}); fft.fftshift({a});
fft.ifftshift({a}, {x})
"""
"""Calls whose results are compared with a tolerance."""

SCIPY_CALLS = """
fft.dct({a}); fft.idct({a}, type=3); fft.dst({a}); fft.idst({a}); fft.dctn({a}); fft.dstn({a});
fft.idctn({a}); fft.idstn({a}); fft.fft({a}); fft.ifft({a}, axis={x}); fft.rfft({a}); fft.irfft({a});
fft.hfft({a}); fft.ihfft({a}); fft.fft2({a}); fft.ifft2({a}); fft.fftn({a}); fft.ifftn({a});
fft.rfft2({a}); fft.rfftn({a}); fft.irfft2({a}); fft.irfftn({a}); fft.hfft2({a}); fft.hfftn({a});
fft.ihfft2({a}); fft.ihfftn({a}); fft.fftshift({a}); fft.ifftshift({a}); fft.fftfreq({m});
fft.rfftfreq({m}); fft.next_fast_len({m}); fft.prev_fast_len({m}); linalg.block_diag({a}, {b});
linalg.circulant({a}.ravel()); linalg.companion({a}.ravel()); linalg.convolution_matrix({a}.ravel(), {m});
linalg.dft({n});
linalg.fiedler(xp.append({a}, [1, 2])); linalg.fiedler_companion(xp.append({a}, [1, 2]));
linalg.hadamard({m});
linalg.hankel({a}.ravel(), {c}.ravel()); linalg.helmert({m}); linalg.hilbert({m});
linalg.khatri_rao({a}, {b}); linalg.leslie({a}.ravel(), {a}.ravel()[1:]); linalg.toeplitz({a}.ravel());
linalg.lu({a})[2]; linalg.lu_factor({a})[0];
linalg.lu_solve(xl.lu_factor({a} + 9 * xp.eye({m})), xp.ones({m}));
linalg.solve_triangular({a} + 9 * xp.eye({m}), xp.ones({m})); ndimage.binary_closing({mask});
ndimage.binary_dilation({mask}); ndimage.binary_erosion({mask}); ndimage.binary_fill_holes({mask});
ndimage.binary_opening({mask}); ndimage.binary_propagation({mask}); ndimage.black_tophat({a}, {m});
ndimage.convolve({a}, {b}); ndimage.convolve1d({a}, [1, 2, 1], axis={x});
ndimage.correlate({a}, {b}, mode='wrap'); ndimage.correlate1d({a}, [1, 0, -1], mode='nearest');
ndimage.gaussian_filter({a}, 1.0); ndimage.gaussian_filter1d({a}, 0.7, axis={x});
ndimage.gaussian_gradient_magnitude({a}, 1.0); ndimage.gaussian_laplace({a}, 1.0);
ndimage.generate_binary_structure({m}, {n}); ndimage.grey_closing({a}, {m});
ndimage.grey_dilation({a}, {m}); ndimage.grey_erosion({a}, {m}); ndimage.grey_opening({a}, {m});
ndimage.laplace({a}); ndimage.maximum_filter({a}, {m}); ndimage.maximum_filter1d({a}, {m});
ndimage.median_filter({a}, {m}); ndimage.minimum_filter({a}, {m}, mode='constant', cval={i});
ndimage.minimum_filter1d({a}, {m}, axis={x}); ndimage.morphological_gradient({a}, {m});
ndimage.morphological_laplace({a}, {m}); ndimage.percentile_filter({a}, 40, {m}); ndimage.prewitt({a});
ndimage.rank_filter({a}, {i}, {m}); ndimage.sobel({a}, axis={x}); ndimage.uniform_filter({a}, {m});
ndimage.uniform_filter1d({a}, {m}); ndimage.white_tophat({a}, {m}); signal.choose_conv_method({a}, {b});
signal.convolve({a}, {b}); signal.convolve2d({a}, {b}, mode='same'); signal.correlate({a}, {b});
signal.correlate2d({a}, {b}); signal.correlation_lags({n}, {m}); signal.detrend({a});
signal.fftconvolve({a}, {b}); signal.hilbert({a}); signal.medfilt({a}); signal.medfilt2d({a});
signal.oaconvolve({a}, {b}); signal.order_filter({a}, xp.ones({m}), 0); signal.wiener({a})
"""
"""Calls of `cuprum.scipy`, whose oracle is SciPy; `xl` is the linalg module."""


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
    for one in _texts(CLOSE_CALLS):
        found.append((one.split("(")[0], CLOSE, text(_module_call(one))))
    for name, kwargs in SUMS.items():
        found.append((name, CLOSE, over_axis(f"xp.{name}", kwargs=kwargs, none=True)))
    for name, kwargs in FOLDS.items():
        found.append((name, EXACT, over_axis(f"xp.{name}", kwargs=kwargs, axes=True)))
    for name in SCANS:
        found.append((name, CLOSE, over_axis(f"xp.{name}", kwargs=(DTYPE,), none=True)))
    for one in _texts(SCIPY_CALLS):
        found.append((f"scipy.{one.split('(')[0]}", CLOSE, text(f"sp.{one}")))
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


def missing():
    """Return the public functions that NumPy has too and that are neither called nor listed as not called."""
    named = {name.split(".")[0] for name, _, _ in calls()} | set(re.findall(r"xp\.(\w+)", WRITES + MOVES))
    public = [
        name
        for name in dir(cp)
        if not name.startswith("_")
        and callable(getattr(np, name, None))
        and not isinstance(getattr(np, name), type)
    ]
    return sorted(name for name in public if name not in named and name not in NOT_CALLED)
