"""Dask arrays of Cuprum's chunks beside the same of NumPy's: values, dtypes, and where the chunks live."""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

import cuprum as cp  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::dask.array.core.PerformanceWarning")

PROJECT = pathlib.Path(__file__).resolve().parents[2] / "pyproject.toml"
RNG = np.random.default_rng(7)
MATRIX = RNG.standard_normal((12, 8))
CUBE = RNG.standard_normal((6, 5, 4))
SQUARE = RNG.standard_normal((8, 8)) + 8 * np.eye(8)
VECTOR = RNG.standard_normal(40)
HOLES = np.where(RNG.random((12, 8)) < 0.2, np.nan, MATRIX)
COUNTS = RNG.integers(0, 9, 50)


@pytest.fixture(autouse=True)
def one_thread():
    """Tasks run in this thread: their order is the same in every run."""
    with dask.config.set(scheduler="synchronous"):
        yield


def both(host, chunks):
    """The same array in NumPy's and in Cuprum's chunks."""
    return da.from_array(host, chunks=chunks), da.from_array(cp.asarray(host), chunks=chunks)


def check(want, got, rtol=1e-12, meta=True):
    """Both are Dask arrays with equal values; the second has Cuprum's chunks, and says so beforehand."""
    if isinstance(want, (tuple, list)):
        assert len(want) == len(got)
        for one, other in zip(want, got, strict=True):
            check(one, other, rtol, meta)
        return
    if meta:
        assert isinstance(got._meta, cp.ndarray), f"meta is {type(got._meta)}"
    assert got.dtype == want.dtype
    w, g = want.compute(), got.compute()
    assert isinstance(g, cp.ndarray), f"computed is {type(g)}"
    assert g.dtype == want.dtype
    assert g.shape == np.shape(w)
    np.testing.assert_allclose(cp.asnumpy(g), w, rtol=rtol, atol=1e-13)


OPERATIONS = {
    "elementwise": (MATRIX, (5, 3), lambda x: da.sqrt(x**2 + 1) * 2 - x),
    "comparison": (MATRIX, (5, 3), lambda x: (x > 0) & ~(x < -1)),
    "where": (MATRIX, (5, 3), lambda x: da.where(x > 0, x, 0.5)),
    "clip": (MATRIX, (5, 3), lambda x: da.clip(x, -0.5, 0.5)),
    "broadcast": (MATRIX, (5, 3), lambda x: x + x.mean(axis=0) - x[:, :1]),
    "astype": (MATRIX, (5, 3), lambda x: x.astype("float32") + x.astype("int16")),
    "sum": (MATRIX, (5, 3), lambda x: [x.sum(), x.sum(axis=1), x.sum(axis=(0, 1), keepdims=True)]),
    "mean": (MATRIX, (5, 3), lambda x: [x.mean(), x.mean(axis=0), x.mean(axis=1, keepdims=True)]),
    "std": (MATRIX, (5, 3), lambda x: [x.std(), x.var(axis=0, ddof=1), x.std(axis=1)]),
    "moment": (MATRIX, (5, 3), lambda x: [x.moment(3), x.moment(4, axis=0)]),
    "prod": (MATRIX, (5, 3), lambda x: [x.prod(axis=0), x.min(), x.max(axis=1), da.ptp(x, axis=0)]),
    "truth": (MATRIX, (5, 3), lambda x: [(x > 0).any(axis=0), (x > -9).all(), da.count_nonzero(x > 0)]),
    "arg": (MATRIX, (5, 3), lambda x: [x.argmin(axis=0), x.argmax(axis=1), da.argmax(x.ravel())]),
    "nan sums": (HOLES, (5, 3), lambda x: [da.nansum(x), da.nanprod(x, axis=0)]),
    "nan means": (HOLES, (5, 3), lambda x: [da.nanmean(x), da.nanmean(x, axis=1), da.nanstd(x, axis=0)]),
    "nan extremes": (HOLES, (5, 3), lambda x: [da.nanmin(x), da.nanmax(x, axis=0)]),
    "nan args": (HOLES, (5, 3), lambda x: [da.nanargmin(x, axis=0), da.nanargmax(x, axis=1)]),
    "cumsum": (MATRIX, (5, 3), lambda x: [x.cumsum(axis=0), x.cumprod(axis=1), da.nancumsum(x, axis=0)]),
    "blelloch": (MATRIX, (5, 3), lambda x: da.cumsum(x, axis=0, method="blelloch")),
    "median": (MATRIX, (5, 8), lambda x: da.median(x, axis=1)),
    "topk": (MATRIX, (5, 8), lambda x: [da.topk(x, 3, axis=1), da.argtopk(x, 2, axis=0)]),
    "slicing": (MATRIX, (5, 3), lambda x: [x[2:9:2, ::-1], x[3], x[..., None], x[[4, 0, 11]], x[:, [1, 6]]]),
    "mask": (VECTOR, 9, lambda x: x[x > 0].compute_chunk_sizes()),
    "vindex": (MATRIX, (5, 3), lambda x: x.vindex[[0, 11, 4], [7, 0, 3]]),
    "take": (MATRIX, (5, 3), lambda x: [da.take(x, [3, 1, 10], axis=0), da.take(x, 2, axis=1)]),
    "index by dask": (VECTOR, 9, lambda x: x[da.from_array(np.array([3, 0, 39]), chunks=2)]),
    "shapes": (CUBE, (2, 5, 3), lambda x: [x.reshape(30, 4), x.T, x.ravel(), da.moveaxis(x, 0, 2), x[None]]),
    "rechunk": (MATRIX, (5, 3), lambda x: x.rechunk((12, 2)).rechunk((4, 8))),
    "joining": (MATRIX, (5, 3), lambda x: [da.concatenate([x, x], axis=1), da.stack([x, -x])]),
    "rearranging": (MATRIX, (5, 3), lambda x: [da.flip(x, 0), da.roll(x, 3, axis=1), da.rot90(x)]),
    "tile": (MATRIX, (5, 3), lambda x: [da.tile(x, 2), da.block([[x], [x]])]),
    "repeat": (MATRIX, (5, 3), lambda x: [da.repeat(x, 2, axis=0), da.pad(x, 2, mode="reflect")]),
    "diff": (MATRIX, (5, 3), lambda x: [da.diff(x, axis=0), *da.gradient(x)]),
    "diagonals": (MATRIX, (5, 3), lambda x: [da.diag(x), da.diagonal(x, 2), da.diagonal(x, 20), da.tril(x)]),
    "dot": (MATRIX, (5, 3), lambda x: [x.T @ x, da.dot(x, x.T), da.matmul(x, x.T), da.vdot(x, x)]),
    "tensordot": (CUBE, (2, 3, 2), lambda x: [da.tensordot(x, x, axes=((0, 1), (0, 1))), da.outer(x, x)]),
    "einsum": (CUBE, (2, 3, 2), lambda x: [da.einsum("ijk,ilk->jl", x, x), da.einsum("ijk->k", x)]),
    "fft": (MATRIX, (12, 3), lambda x: [da.fft.fft(x, axis=0), da.fft.rfft(x, axis=0), da.fft.fftshift(x)]),
    "fft along two": (MATRIX, (12, 8), lambda x: [da.fft.fft2(x), da.fft.irfftn(da.fft.rfftn(x))]),
    "fft by wrap": (MATRIX, (12, 8), lambda x: da.fft.fft_wrap(np.fft.fftn)(x)),
    "histogram": (VECTOR, 9, lambda x: da.histogram(x, bins=8, range=(-3, 3))[0]),
    "weights": (VECTOR, 9, lambda x: da.histogram(x, bins=np.linspace(-3, 3, 7), weights=x**2)[0]),
    "histogram2d": (VECTOR, 9, lambda x: da.histogram2d(x, -x, bins=4, range=[(-3, 3), (-3, 3)])[0]),
    "digitize": (VECTOR, 9, lambda x: da.digitize(x, np.linspace(-2, 2, 5))),
    "searchsorted": (np.sort(VECTOR), 40, lambda x: da.searchsorted(x, da.asarray(x[:7]))),
    "bincount": (COUNTS, 11, lambda x: da.bincount(x, minlength=12)),
    "unique": (COUNTS, 11, lambda x: da.unique(x).compute_chunk_sizes()),
    "isin": (COUNTS, 11, lambda x: da.isin(x, [2, 5])),
    "percentile": (VECTOR, 40, lambda x: [da.percentile(x, [5, 50]), da.percentile(x, 30, method="lower")]),
    "percentile of chunks": (VECTOR, 9, lambda x: da.percentile(x, [10, 50])),
    "quantile": (MATRIX, (12, 3), lambda x: da.quantile(x, 0.3, axis=0)),
    "svd": (MATRIX, (5, 8), lambda x: da.linalg.svd(x)[1]),
    "qr": (MATRIX, (5, 8), lambda x: da.matmul(*da.linalg.qr(x))),
    "sfqr": (MATRIX.T.copy(), (8, 8), lambda x: abs(da.linalg.sfqr(x)[1])),
    "lu": (SQUARE, (4, 4), lambda x: list(da.linalg.lu(x))),
    "cholesky": (SQUARE @ SQUARE.T, (4, 4), lambda x: da.linalg.cholesky(x, lower=True)),
    "solve": (SQUARE, (4, 4), lambda x: [da.linalg.solve(x, x[:, 0]), da.linalg.inv(x)]),
    "triangular": (np.tril(SQUARE), (4, 4), lambda x: da.linalg.solve_triangular(x, x[:, 0], lower=True)),
    "lstsq": (MATRIX, (5, 8), lambda x: [da.linalg.lstsq(x, x[:, 0])[at] for at in (0, 3)]),
    "norm": (MATRIX, (5, 3), lambda x: [da.linalg.norm(x), da.linalg.norm(x, 1, axis=0)]),
    "cov": (MATRIX, (5, 3), lambda x: [da.cov(x), da.corrcoef(x)]),
    "map_blocks": (MATRIX, (5, 3), lambda x: x.map_blocks(lambda block: block * 2 + 1)),
    "map_overlap": (MATRIX, (5, 4), lambda x: x.map_overlap(lambda b: b + b.sum(), depth=1, boundary="none")),
    "blockwise": (MATRIX, (5, 3), lambda x: da.blockwise(np.add, "ij", x, "ij", x, "ij", dtype=x.dtype)),
    "apply_gufunc": (MATRIX, (5, 8), lambda x: da.apply_gufunc(lambda b: b.mean(axis=-1), "(i)->()", x)),
    "apply_along_axis": (MATRIX, (5, 8), lambda x: da.apply_along_axis(np.sum, 1, x, dtype=float, shape=())),
    "reduction": (MATRIX, (5, 3), lambda x: da.reduction(x, np.sum, np.sum, axis=0, dtype=float)),
    "coarsen": (MATRIX, (6, 4), lambda x: da.coarsen(np.sum, x, {0: 2, 1: 4})),
    "setitem": (MATRIX, (5, 3), lambda x: assigned(x)),
    "ufuncs": (MATRIX, (5, 3), lambda x: [da.frexp(x)[0], da.hypot(x, x), da.angle(x), np.exp(x)]),
    "like": (MATRIX, (5, 3), lambda x: [da.ones_like(x), da.full_like(x, 3), da.zeros_like(x, dtype="int8")]),
    "round": (MATRIX, (5, 3), lambda x: [x.round(2), da.around(x, 1), da.rint(x)]),
    "averages": (MATRIX, (5, 3), lambda x: [da.average(x, axis=0), da.average(x, axis=1, weights=x[0] ** 2)]),
}  # fmt: skip


def assigned(x):
    x = x.copy()
    x[x > 1] = 1
    x[2:4] = -x[:2]
    return x


# Sums in another order; factors that are unique up to what their algorithm chooses.
LOOSER = {
    "svd": 1e-10,
    "qr": 1e-10,
    "sfqr": 1e-9,
    "solve": 1e-10,
    "lu": 1e-10,
    "lstsq": 1e-9,
}


# Dask itself says that the chunks will be NumPy's, whatever they are.
WITHOUT_META = {
    "blelloch", "mask", "diff", "fft", "fft along two", "fft by wrap", "histogram", "weights", "histogram2d",
    "apply_along_axis", "coarsen",
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_stays_in_cuprum_and_agrees(name):
    host, chunks, operation = OPERATIONS[name]
    theirs, ours = both(host, chunks)
    check(operation(theirs), operation(ours), LOOSER.get(name, 1e-11), name not in WITHOUT_META)


@pytest.mark.cpu  # probabilities are SciPy's, on the host: Dask asks for them by name
def test_statistics_agree():
    stats = pytest.importorskip("dask.array.stats")
    theirs, ours = both(MATRIX, (5, 3))
    for function in (stats.skew, stats.kurtosis):
        np.testing.assert_allclose(
            cp.asnumpy(function(ours).compute()), function(theirs).compute(), rtol=1e-10
        )
    want = stats.ttest_1samp(theirs, 0.1).compute()
    got = stats.ttest_1samp(ours, 0.1).compute()
    np.testing.assert_allclose(cp.asnumpy(got.statistic), want.statistic, rtol=1e-10)


@pytest.mark.parametrize(
    "create",
    [
        lambda: da.ones((4, 6), chunks=3),
        lambda: da.zeros((4, 6), chunks=3, dtype="int32"),
        lambda: da.full((4, 6), 2.5, chunks=3),
        lambda: da.empty((4, 6), chunks=3) * 0,
        lambda: da.arange(2, 20, 3, chunks=4),
        lambda: da.arange(7.0, chunks=3),
        lambda: da.linspace(0, 1, 9, chunks=4),
        lambda: da.eye(6, chunks=3, k=1),
        lambda: da.tri(5, chunks=2),
        lambda: da.indices((3, 4), chunks=2),
        lambda: da.fromfunction(lambda i, j: i + j, shape=(4, 5), chunks=2, dtype=float),
        lambda: da.meshgrid(da.arange(3, chunks=2), da.arange(4, chunks=2))[0],
    ],
)
def test_creation_by_the_backend(create):
    want = create()
    with dask.config.set({"array.backend": "cuprum"}):
        got = create()
        check(want, got)


def test_the_step_of_linspace_is_a_number():
    with dask.config.set({"array.backend": "cuprum"}):
        values, step = da.linspace(0, 1, 5, retstep=True, chunks=2)
    assert step == 0.25
    assert isinstance(values.compute(), cp.ndarray)


DISTRIBUTIONS = {
    "beta": (1, 2), "binomial": (10, 0.5), "chisquare": (3,), "exponential": (2,), "f": (2, 40),
    "gamma": (2, 1), "geometric": (0.4,), "gumbel": (0, 1), "hypergeometric": (5, 6, 4), "laplace": (0, 1),
    "logistic": (0, 1), "lognormal": (0, 1), "logseries": (0.5,), "negative_binomial": (5, 0.5),
    "noncentral_chisquare": (3, 1), "noncentral_f": (3, 20, 1), "normal": (0, 1), "pareto": (3,),
    "poisson": (4,), "power": (2,), "rayleigh": (1,), "standard_cauchy": (), "standard_exponential": (),
    "standard_gamma": (2,), "standard_normal": (), "standard_t": (5,), "triangular": (-1, 0, 2),
    "uniform": (0, 1), "vonmises": (0, 1), "wald": (1, 1),
    "weibull": (2,), "zipf": (3,),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["default_rng", "RandomState"])
def test_every_distribution_is_drawn_by_cuprum(kind):
    with dask.config.set({"array.backend": "cuprum"}):
        for name, parameters in DISTRIBUTIONS.items():
            drawn = getattr(getattr(da.random, kind)(3), name)(*parameters, size=(6, 4), chunks=(4, 4))
            again = getattr(getattr(da.random, kind)(3), name)(*parameters, size=(6, 4), chunks=(4, 4))
            assert isinstance(drawn._meta, cp.ndarray), name
            values = drawn.compute()
            assert isinstance(values, cp.ndarray), name
            assert values.dtype == drawn.dtype, name
            assert values.shape == (6, 4)
            np.testing.assert_array_equal(cp.asnumpy(values), cp.asnumpy(again.compute()), err_msg=name)


def test_random_numbers_of_generators_that_are_given():
    for rng in (da.random.default_rng(cp.random.default_rng(5)), da.random.Generator(cp.random.Philox(5))):
        drawn = rng.random((1000, 10), chunks=(250, 10)).compute()
        assert isinstance(drawn, cp.ndarray)
        assert abs(float(drawn.mean()) - 0.5) < 0.02
    with dask.config.set({"array.backend": "cuprum"}):
        drawn = da.random.default_rng(cp.random.Philox(5)).integers(0, 10, 500, chunks=100).compute()
        assert isinstance(drawn, cp.ndarray)
        assert set(drawn.tolist()) == set(range(10))
        rng = da.random.default_rng(1)
        assert sorted(rng.permutation(da.arange(12, chunks=5)).compute().tolist()) == list(range(12))
        chosen = rng.choice(10, size=20, chunks=10).compute()
        assert isinstance(chosen, cp.ndarray)


def test_chunks_draw_different_numbers():
    with dask.config.set({"array.backend": "cuprum"}):
        drawn = cp.asnumpy(da.random.default_rng(3).random(1000, chunks=100).compute())
    assert len(set(drawn.tolist())) == 1000


def test_moves_between_backends():
    theirs, ours = both(MATRIX, (5, 3))
    moved = theirs.to_backend("cuprum")
    check(theirs, moved)
    assert moved.to_backend("cuprum") is moved
    back = ours.to_backend("numpy")
    assert type(back._meta) is np.ndarray
    assert type(back.compute()) is np.ndarray
    with dask.config.set({"array.backend": "cuprum"}):
        assert isinstance(theirs.to_backend()._meta, cp.ndarray)


def test_masked_arrays_are_refused_where_masks_would_be_lost():
    masked = da.from_array(np.ma.masked_greater(MATRIX, 1), chunks=(5, 3))
    _, ours = both(MATRIX, (5, 3))
    for operation in (
        lambda: da.concatenate([masked, ours]).compute(),
        lambda: masked.to_backend("cuprum").compute(),
        lambda: da.tensordot(masked, ours, axes=((0,), (0,))).compute(),
    ):
        # While it looks for the dtype of a result, Dask makes a ValueError of every error.
        with pytest.raises((TypeError, ValueError), match="a masked array cannot be joined with Cuprum's"):
            operation()


def test_masks_are_refused():
    theirs, ours = both(MATRIX, (5, 3))
    assert isinstance(da.ma.masked_greater(theirs, 1).compute(), np.ma.MaskedArray)
    for operation in (
        lambda: da.ma.masked_greater(ours, 1),
        lambda: da.ma.masked_where(theirs > 0, ours),
        lambda: da.ma.masked_array(ours, mask=theirs > 0),
        lambda: da.ma.fix_invalid(ours),
    ):
        with pytest.raises(TypeError, match="Cuprum has no masked arrays"):
            operation()


def test_operands_of_both_libraries_on_either_side():
    theirs, ours = both(MATRIX, (5, 3))
    host = cp.asarray(MATRIX)
    for operation in (
        lambda: ours + host,
        lambda: host + ours,
        lambda: np.add(ours, host),
        lambda: ours + MATRIX[0],
        lambda: ours @ host.T,
    ):
        result = operation()
        assert isinstance(result, da.Array)
        assert isinstance(result.compute(), cp.ndarray)
    check(theirs + MATRIX, host + ours)


def test_tokens_follow_the_elements():
    from dask.base import tokenize

    a = cp.arange(10.0)
    assert tokenize(a) == tokenize(a.copy()) == tokenize(cp.arange(20.0)[:10])
    assert tokenize(a) == tokenize(a + 0)
    assert tokenize(a) != tokenize(a + 1)
    assert tokenize(a) != tokenize(a.astype("float32"))
    assert tokenize(a) != tokenize(a.reshape(2, 5))
    assert tokenize(a) != tokenize(cp.asnumpy(a))
    b = cp.asarray([1.0, 2.0], dtype=cp.bfloat16) if hasattr(cp, "bfloat16") else a
    assert tokenize(b) == tokenize(b.copy())


def test_sizes():
    from dask.sizeof import sizeof

    assert sizeof(cp.zeros((3, 5), dtype="float32")) == 60
    assert sizeof(cp.zeros(1000) + 1) == 8000
    assert sizeof({"a": cp.zeros(1000)}) > 8000


@pytest.mark.parametrize("scheduler", ["threads", "synchronous"])
def test_persist_and_many_tasks_in_threads(scheduler):
    with dask.config.set(scheduler=scheduler):
        x = da.from_array(cp.asarray(RNG.standard_normal((64, 64))), chunks=8).persist()
        y = (da.sqrt(x**2 + 1).sum(axis=0) * x[:, 0]).persist()
        want = np.sqrt(cp.asnumpy(x.compute()) ** 2 + 1).sum(axis=0) * cp.asnumpy(x[:, 0].compute())
        np.testing.assert_allclose(cp.asnumpy(y.compute()), want, rtol=1e-12)


def test_stacks_of_npy_files(tmp_path):
    theirs, ours = both(MATRIX, (5, 8))
    da.to_npy_stack(str(tmp_path), ours)
    np.testing.assert_array_equal(da.from_npy_stack(str(tmp_path)).compute(), MATRIX)
    with dask.config.set({"array.backend": "cuprum"}):
        check(theirs, da.from_npy_stack(str(tmp_path)).to_backend())


def test_zarr(tmp_path):
    pytest.importorskip("zarr")
    theirs, ours = both(MATRIX, (6, 4))
    place = str(tmp_path / "a.zarr")
    ours.to_zarr(place)
    np.testing.assert_array_equal(da.from_zarr(place).compute(), MATRIX)
    check(theirs, da.from_zarr(place).to_backend("cuprum"))


def test_hdf5(tmp_path):
    h5py = pytest.importorskip("h5py")
    theirs, ours = both(MATRIX, (6, 4))
    place = str(tmp_path / "a.h5")
    ours.to_hdf5(place, "/x")
    with h5py.File(place) as file:
        np.testing.assert_array_equal(file["/x"][:], MATRIX)
        check(theirs, da.from_array(file["/x"], chunks=(6, 4)).to_backend("cuprum"))


def test_store_into_an_array_of_ours():
    _, ours = both(MATRIX, (5, 3))
    target = cp.zeros(MATRIX.shape)
    da.store(ours + 1, target)
    np.testing.assert_array_equal(cp.asnumpy(target), MATRIX + 1)


def test_sparse_chunks():
    from cuprum.scipy import sparse

    _, ours = both(np.where(MATRIX > 0.5, MATRIX, 0), (6, 4))
    matrices = ours.map_blocks(sparse.csr_matrix, meta=sparse.csr_matrix((0, 0)))
    joined = matrices.compute()
    assert sparse.issparse(joined)
    np.testing.assert_array_equal(cp.asnumpy(joined.toarray()), np.where(MATRIX > 0.5, MATRIX, 0))


def run(code, tmp_path, *words):
    """What a program prints in a process of its own, with the entry points of this source tree installed."""
    table = re.findall(
        r'^\[project\.entry-points\."([\w.]+)"\]\n((?:\w.*\n)*)', PROJECT.read_text(), re.MULTILINE
    )
    info = tmp_path / "cuprum_entries-0.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cuprum-entries\nVersion: 0.0\n")
    lines = [line for group, rows in table for line in (f"[{group}]", rows.replace('"', ""))]
    (info / "entry_points.txt").write_text("\n".join(lines))
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, *words, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_dask_finds_the_backend_by_itself(tmp_path):
    code = """
import sys, dask, dask.array as da
print("cuprum" in sys.modules)
with dask.config.set({"array.backend": "cuprum"}):
    x = da.ones((4, 4), chunks=2)
print(type(x._meta).__module__, type((x + 1).sum(axis=0).compute()).__module__)
"""
    assert run(code, tmp_path) == ["False", "cuprum", "cuprum"]


def test_cupys_name_means_cuprum_under_cuprum_run(tmp_path):
    code = """
import dask, dask.array as da
with dask.config.set({"array.backend": "cupy"}):
    x = da.random.default_rng(1).random((4, 4), chunks=2)
    print(type(x._meta).__module__, type(da.linalg.svd(x.rechunk((2, 4)))[1].compute()).__module__)
    import cupy
    print(type(x.compute()) is cupy.ndarray)
"""
    assert run(code, tmp_path, "-m", "cuprum", "run") == ["cupy", "cupy", "True"]


@pytest.mark.parametrize("first", ["cuprum", "dask.array"])
def test_the_order_of_imports_does_not_matter(first, tmp_path):
    second = "dask.array" if first == "cuprum" else "cuprum"
    code = f"""
import {first}, {second}, cuprum as cp, dask.array as da
from dask.array.dispatch import percentile_lookup
print(percentile_lookup.dispatch(cp.ndarray).__module__, da.linalg.__loader__.__class__.__name__)
"""
    assert run(code, tmp_path) == ["cuprum.dask._tables", "SourceFileLoader"]


METHODS = ["squeeze", "transpose", "sum", "prod", "mean", "var", "std", "max", "any", "argmax"]


@pytest.mark.parametrize("name", METHODS)
def test_functions_with_a_method_leave_an_array_of_dask_to_it(name):
    host, ours = both(CUBE[None], 3)
    lazy = getattr(cp, name)(ours)
    assert isinstance(lazy, da.Array)
    np.testing.assert_allclose(cp.asnumpy(lazy.compute()), getattr(np, name)(CUBE[None]), rtol=1e-15)
