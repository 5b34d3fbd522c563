"""More programs for tests in which something fails: ufuncs, SciPy's modules, dates, structures, kernels."""

import inspect

import numpy as np
from programs import IMAGE, MATRIX, OTHER, PLACES, POSITIVE, REAL, SORTED

import cuprum as cp
import cuprum.scipy as sp
import cuprum.scipy.fft
import cuprum.scipy.integrate
import cuprum.scipy.interpolate
import cuprum.scipy.linalg
import cuprum.scipy.ndimage
import cuprum.scipy.optimize
import cuprum.scipy.signal
import cuprum.scipy.sparse
import cuprum.scipy.sparse.csgraph
import cuprum.scipy.sparse.linalg
import cuprum.scipy.spatial
import cuprum.scipy.special
import cuprum.scipy.stats

FEW = 5000
LABELS = (IMAGE > 0.7).astype("i4")
_rows, _columns = PLACES[:2000] % 120, PLACES[2000:4000] % 120
_data = REAL[:2000]


def csr():
    """Return a sparse matrix with more than a diagonal."""
    given = (cp.asarray(_data), (cp.asarray(_rows), cp.asarray(_columns)))
    return sp.sparse.csr_matrix(given, shape=(120, 120)) + 50 * sp.sparse.eye(120, format="csr")


def _a(host, count=FEW):
    return cp.asarray(host[:count])


SPARSE = {
    "coo to csr": csr,
    "csr to csc": lambda: csr().tocsc(),
    "csr to dense": lambda: csr().toarray(),
    "csr of dense": lambda: sp.sparse.csr_matrix(cp.asarray(MATRIX > 0.9)),
    "csr times vector": lambda: csr() @ cp.asarray(MATRIX[0]),
    "csr times matrix": lambda: csr() @ cp.asarray(MATRIX),
    "csc times vector": lambda: csr().tocsc() @ cp.asarray(MATRIX[0]),
    "csr times csr": lambda: csr() @ csr(),
    "sum of csr": lambda: csr() + csr().T,
    "multiply": lambda: csr().multiply(csr()),
    "maximum": lambda: csr().maximum(csr().T),
    "sums": lambda: [csr().sum(axis=0), csr().sum(axis=1), csr().max(axis=0).toarray()],
    "rows": lambda: csr()[cp.asarray(PLACES[:50] % 120)],
    "slices": lambda: csr()[5:90:3, 10:70],
    "kron": lambda: sp.sparse.kron(csr()[:9, :9], csr()[:8, :8]),
    "vstack": lambda: sp.sparse.vstack([csr(), csr()]),
    "tril": lambda: sp.sparse.tril(csr()),
    "spsolve": lambda: sp.sparse.linalg.spsolve(csr(), cp.asarray(MATRIX[0])),
    "splu": lambda: sp.sparse.linalg.splu(csr().tocsc()).solve(cp.asarray(MATRIX[0])),
    "cg": lambda: sp.sparse.linalg.cg(csr() + csr().T, cp.asarray(MATRIX[0]))[0],
    "gmres": lambda: sp.sparse.linalg.gmres(csr(), cp.asarray(MATRIX[0]))[0],
    "spsolve_triangular": lambda: sp.sparse.linalg.spsolve_triangular(
        sp.sparse.tril(csr(), format="csr"), cp.asarray(MATRIX[0])
    ),
    "connected components": lambda: sp.sparse.csgraph.connected_components(csr())[1],
}

SIGNAL = {
    "lfilter": lambda: sp.signal.lfilter([0.1, 0.2], [1.0, -0.6, 0.1], _a(REAL)),
    "sosfilt": lambda: sp.signal.sosfilt(sp.signal.butter(4, 0.2, output="sos"), _a(REAL)),
    "filtfilt": lambda: sp.signal.filtfilt([0.1, 0.2], [1.0, -0.6], _a(REAL)),
    "fftconvolve": lambda: sp.signal.fftconvolve(_a(REAL), _a(OTHER, 300)),
    "convolve2d": lambda: sp.signal.convolve2d(cp.asarray(IMAGE), cp.asarray(IMAGE[:5, :4])),
    "oaconvolve": lambda: sp.signal.oaconvolve(_a(REAL), _a(OTHER, 30)),
    "resample": lambda: sp.signal.resample(_a(REAL, 1000), 730),
    "resample_poly": lambda: sp.signal.resample_poly(_a(REAL, 1000), 3, 2),
    "medfilt": lambda: sp.signal.medfilt(_a(REAL), 5),
    "savgol": lambda: sp.signal.savgol_filter(_a(REAL), 11, 3),
    "spectrogram": lambda: sp.signal.spectrogram(_a(REAL))[2],
    "stft": lambda: sp.signal.stft(_a(REAL))[2],
    "welch": lambda: sp.signal.welch(_a(REAL))[1],
    "find_peaks": lambda: sp.signal.find_peaks(_a(REAL), height=0.9)[0],
    "hilbert": lambda: sp.signal.hilbert(_a(REAL, 1000)),
    "symiirorder1": lambda: sp.signal.symiirorder1(_a(REAL), 0.5, 0.3),
    "cspline1d": lambda: sp.signal.cspline1d(_a(REAL)),
    "firwin": lambda: sp.signal.firwin(65, 0.3),
}

NDIMAGE = {
    "uniform": lambda: sp.ndimage.uniform_filter(cp.asarray(IMAGE), 5),
    "minimum": lambda: sp.ndimage.minimum_filter(cp.asarray(IMAGE), 4),
    "rank": lambda: sp.ndimage.rank_filter(cp.asarray(IMAGE), 3, 5),
    "label": lambda: sp.ndimage.label(cp.asarray(LABELS))[0],
    "sum of labels": lambda: sp.ndimage.sum_labels(
        cp.asarray(IMAGE), sp.ndimage.label(cp.asarray(LABELS))[0], cp.arange(1, 20)
    ),
    "distance": lambda: sp.ndimage.distance_transform_edt(cp.asarray(LABELS)),
    "zoom": lambda: sp.ndimage.zoom(cp.asarray(IMAGE), 1.5),
    "rotate": lambda: sp.ndimage.rotate(cp.asarray(IMAGE), 20),
    "spline": lambda: sp.ndimage.spline_filter(cp.asarray(IMAGE)),
    "map_coordinates": lambda: sp.ndimage.map_coordinates(
        cp.asarray(IMAGE), cp.asarray(OTHER[:2000].reshape(2, 1000) * 99)
    ),
    "closing": lambda: sp.ndimage.binary_closing(cp.asarray(LABELS), iterations=3),
    "fill_holes": lambda: sp.ndimage.binary_fill_holes(cp.asarray(LABELS)),
    "grey": lambda: sp.ndimage.grey_opening(cp.asarray(IMAGE), 3),
    "sobel": lambda: sp.ndimage.sobel(cp.asarray(IMAGE)),
    "watershed": lambda: sp.ndimage.watershed_ift(
        cp.asarray((IMAGE * 255).astype("u1")), cp.asarray(LABELS * np.arange(130))
    ),
}

_DAYS = (PLACES % 20_000).astype("M8[D]")
_SPANS = PLACES.astype("m8[h]")
_PAIRS = np.zeros(FEW, [("n", "i8"), ("x", "f8")])
_PAIRS["x"] = REAL[:FEW]

STORED = {
    "dates and spans": lambda: cp.asarray(_DAYS) + cp.asarray(_SPANS),
    "spans of dates": lambda: (cp.asarray(_DAYS) - cp.asarray(_DAYS)[::-1]) // np.timedelta64(1, "W"),
    "calendar": lambda: cp.asarray(_DAYS).astype("M8[M]").astype("M8[s]"),
    "sort of dates": lambda: cp.sort(cp.asarray(_DAYS)),
    "unique dates": lambda: cp.unique(cp.asarray(_DAYS), return_counts=True),
    "median of spans": lambda: cp.nanmedian(cp.asarray(_SPANS).reshape(100, -1), axis=1),
    "sums of spans": lambda: [
        cp.asarray(_SPANS).sum(),
        cp.asarray(_SPANS).mean(),
        cp.cumsum(cp.asarray(_SPANS)),
    ],
    "where of dates": lambda: cp.where(
        cp.asarray(REAL) > 0.5, cp.asarray(_DAYS), np.datetime64("2000-01-01")
    ),
    "joined dates": lambda: cp.concatenate([cp.asarray(_DAYS), cp.asarray(_DAYS).astype("M8[s]")]),
    "fields": lambda: cp.asarray(_PAIRS)["x"] * 2,
    "structures": lambda: cp.roll(cp.asarray(_PAIRS), 3)[cp.asarray(PLACES[:100])],
    "triangles of structures": lambda: cp.tril(cp.asarray(_PAIRS).reshape(50, 100)),
}

OTHERS = {
    "dct": lambda: sp.fft.dct(_a(REAL)),
    "idstn": lambda: sp.fft.idstn(cp.asarray(IMAGE), type=3),
    "lu": lambda: sp.linalg.lu_factor(cp.asarray(MATRIX))[0],
    "lu in parts": lambda: sp.linalg.lu(cp.asarray(MATRIX)),
    "expm": lambda: sp.linalg.expm(cp.asarray(MATRIX[:30, :30])),
    "schur": lambda: sp.linalg.schur(cp.asarray(MATRIX[:30, :30]))[0],
    "solve_triangular": lambda: sp.linalg.solve_triangular(cp.asarray(POSITIVE), cp.asarray(MATRIX[0])),
    "cho_solve": lambda: sp.linalg.cho_solve(
        sp.linalg.cho_factor(cp.asarray(POSITIVE)), cp.asarray(MATRIX[0])
    ),
    "solve_banded": lambda: sp.linalg.solve_banded(
        (1, 1), cp.asarray(MATRIX[:3] + 5 * np.eye(3, 1, -1)), cp.asarray(MATRIX[3])
    ),
    "spline": lambda: sp.interpolate.CubicSpline(_a(SORTED, 500), _a(OTHER, 500))(_a(REAL)),
    "pchip": lambda: sp.interpolate.PchipInterpolator(_a(SORTED, 500), _a(OTHER, 500))(_a(REAL)),
    "grid": lambda: sp.interpolate.RegularGridInterpolator(
        (cp.arange(150.0), cp.arange(130.0)), cp.asarray(IMAGE)
    )(cp.asarray(OTHER[:2000].reshape(1000, 2) * 99)),
    "bspline": lambda: sp.interpolate.make_interp_spline(_a(SORTED, 200), _a(OTHER, 200))(_a(REAL)),
    "simpson": lambda: sp.integrate.simpson(cp.asarray(IMAGE)),
    "cumulative_trapezoid": lambda: sp.integrate.cumulative_trapezoid(cp.asarray(IMAGE)),
    "tree": lambda: sp.spatial.KDTree(cp.asarray(OTHER[:900].reshape(300, 3))).query(
        cp.asarray(REAL[:300].reshape(100, 3)), k=3
    ),
    "cdist": lambda: sp.spatial.distance.cdist(
        cp.asarray(SORTED[:300].reshape(100, 3)), cp.asarray(IMAGE[:50, :3])
    ),
    "zscore": lambda: sp.stats.zscore(cp.asarray(IMAGE)),
    "rankdata": lambda: sp.stats.rankdata(_a(REAL)),
    "gaussian_kde": lambda: sp.stats.gaussian_kde(_a(REAL, 300))(_a(OTHER, 300)),
    "pearsonr": lambda: sp.stats.pearsonr(_a(REAL), _a(OTHER))[0],
    "minimize_scalar": lambda: sp.optimize.minimize_scalar(lambda x: (x - 2) ** 2).x,
    "linear_sum_assignment": lambda: sp.optimize.linear_sum_assignment(cp.asarray(MATRIX[:20, :20])),
    "elementwise kernel": lambda: cp.ElementwiseKernel(
        "float64 x", "float64 y", "y = x * x + 1", "square_of_library_faults"
    )(_a(REAL)),
    "reduction kernel": lambda: cp.ReductionKernel(
        "float64 x", "float64 y", "x * x", "a + b", "y = a", "0", "norm_of_library_faults"
    )(cp.asarray(IMAGE), axis=1),
    "raw kernel": lambda: _raw_kernel(),
    "clip": lambda: cp.clip(_a(REAL), 0.2, _a(OTHER)),
    "angle": lambda: cp.angle(_a(REAL) + 1j * _a(OTHER)),
    "sinc": lambda: cp.sinc(_a(REAL)),
    "nan_to_num": lambda: cp.nan_to_num(_a(REAL) / (_a(REAL) > 0.5)),
    "vectorize": lambda: cp.vectorize(lambda x: x * x + 1)(_a(REAL)),
}


def _raw_kernel():
    text = r"""
    extern "C" __global__ void reversed(const double* x, double* y, int n) {
        __shared__ double part[64];
        int i = blockIdx.x * 64 + threadIdx.x;
        part[threadIdx.x] = i < n ? x[i] : 0;
        __syncthreads();
        if (i < n) y[i] = part[threadIdx.x];
    }
    """
    y = cp.zeros(FEW)
    cp.RawKernel(text, "reversed")((FEW // 64 + 1,), (64,), (_a(REAL), y, FEW))
    return y


def _operands(nin):
    """Yield operands that a ufunc may take: floats, integers, booleans."""
    given = [REAL[:FEW] + 0.1, OTHER[:FEW] + 0.1, REAL[:FEW] / 2 + 0.1, OTHER[:FEW] / 2 + 0.1]
    for dtype in ("f8", "i8", "?"):
        operands = [
            cp.asarray((one * 3).astype(dtype) if dtype == "i8" else one.astype(dtype)) for one in given
        ]
        yield operands[:nin]


def ufuncs():
    """Return for every ufunc, what calls it: the table's ops, but for those of `special_functions`."""
    found = {}
    for name in dir(cp):
        function = getattr(cp, name)
        if not isinstance(function, cp.ufunc):
            continue
        for operands in _operands(function.nin):
            try:
                function(*operands)
            except (TypeError, ValueError):
                continue
            found[name] = lambda function=function, operands=operands: function(*operands)
            break
    return found


def special_functions():
    """Return for every elementwise function of `scipy.special`, what calls it with numbers below one."""
    found = {}
    for name in dir(sp.special):
        function = getattr(sp.special, name)
        if name.startswith("_") or not callable(function) or inspect.isclass(function):
            continue
        for count in range(1, 5):
            given = [
                _a(REAL, 400) * 0.8 + 0.1,
                _a(OTHER, 400) * 0.8 + 0.1,
                _a(REAL, 400) / 2,
                _a(OTHER, 400) / 2,
            ]
            whole = [cp.asarray(PLACES[:400] % 4), *given[1:]]
            for operands in (given[:count], whole[:count]):
                try:
                    function(*operands)
                except (TypeError, ValueError):
                    continue
                found.setdefault(name, lambda function=function, operands=operands: function(*operands))
    return found
