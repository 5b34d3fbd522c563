"""Programs of every family of functions, for tests in which something fails underneath them.

Each takes `xp` and gives arrays, lists or numbers; those of `TARGETS` change an array that they are given.
"""

import numpy as np

_random = np.random.default_rng(0)
N = 20_000
REAL = _random.random(N)
OTHER = _random.random(N)
SORTED = np.sort(_random.random(3000))
MASK = REAL > 0.5
PLACES = _random.integers(0, 500, N)
MATRIX = _random.random((120, 120))
POSITIVE = MATRIX @ MATRIX.T + 120 * np.eye(120)
SIDES = _random.random((120, 7))
IMAGE = _random.random((150, 130))

PROGRAMS = {
    # elementwise, fused and not
    "sqrt of sums": lambda xp: xp.sqrt(xp.asarray(REAL) ** 2 + xp.asarray(OTHER) ** 2),
    "small sum": lambda xp: xp.asarray(REAL[:10]) + xp.asarray(OTHER[:10]),
    "where": lambda xp: xp.where(xp.asarray(MASK), xp.asarray(REAL), -1.0),
    "cast": lambda xp: xp.asarray(REAL).astype("float32") * 2,
    "strided": lambda xp: xp.asarray(IMAGE).T[::2, ::-3] * 3 + 1,
    "divmod": lambda xp: xp.divmod(xp.asarray(PLACES), 7),
    # reductions and scans
    "sum": lambda xp: xp.asarray(REAL).sum(),
    "sum of columns": lambda xp: xp.asarray(IMAGE).sum(0),
    "several": lambda xp: [xp.asarray(IMAGE).mean(1), xp.asarray(IMAGE).std(1), xp.asarray(IMAGE).max(0)],
    "argmax": lambda xp: xp.asarray(IMAGE).argmax(1),
    "cumsum": lambda xp: xp.cumsum(xp.asarray(IMAGE), axis=0),
    "reduceat": lambda xp: xp.add.reduceat(xp.asarray(REAL), xp.asarray(np.arange(0, N, 7))),
    "nanmedian": lambda xp: xp.nanmedian(xp.asarray(IMAGE), axis=0),
    "quantile": lambda xp: xp.quantile(xp.asarray(IMAGE), [0.1, 0.5], axis=1),
    # creation
    "arange": lambda xp: xp.arange(N) + 0.5,
    "full": lambda xp: [xp.full(N, 7), xp.zeros((100, 90)), xp.eye(70), xp.linspace(0, 1, N)],
    "from lists": lambda xp: xp.array(REAL[:3000].tolist()),
    "meshgrid": lambda xp: xp.meshgrid(xp.arange(100), xp.arange(90)),
    # shapes and joining
    "concatenate": lambda xp: xp.concatenate([xp.asarray(REAL), xp.asarray(OTHER)]),
    "stack": lambda xp: xp.stack([xp.asarray(REAL), xp.asarray(OTHER)], axis=1),
    "pad": lambda xp: xp.pad(xp.asarray(IMAGE), 5, mode="reflect"),
    "roll": lambda xp: xp.roll(xp.asarray(IMAGE), 3, axis=1),
    "repeat": lambda xp: xp.repeat(xp.asarray(REAL), 3),
    "tril": lambda xp: xp.tril(xp.asarray(MATRIX)),
    "copy of a transpose": lambda xp: xp.ascontiguousarray(xp.asarray(IMAGE).T),
    # indexing
    "take": lambda xp: xp.asarray(REAL)[xp.asarray(PLACES)],
    "mask": lambda xp: xp.asarray(REAL)[xp.asarray(MASK)],
    "nonzero": lambda xp: xp.nonzero(xp.asarray(MASK)),
    "searchsorted": lambda xp: xp.searchsorted(xp.asarray(SORTED), xp.asarray(REAL)),
    # sorting and sets
    "sort": lambda xp: xp.sort(xp.asarray(REAL)),
    "sort of halves": lambda xp: xp.sort(xp.asarray(REAL.astype("float16"))),
    "sort of columns": lambda xp: xp.sort(xp.asarray(IMAGE), axis=0),
    "sort of complex": lambda xp: xp.sort(xp.asarray(REAL[:4000] + 1j * OTHER[:4000])),
    "argsort": lambda xp: xp.argsort(xp.asarray(REAL)),
    "lexsort": lambda xp: xp.lexsort((xp.asarray(OTHER), xp.asarray(PLACES))),
    "partition": lambda xp: xp.partition(xp.asarray(IMAGE), 20, axis=1)[:, 20],
    "unique": lambda xp: xp.unique(xp.asarray(PLACES), return_inverse=True, return_counts=True),
    "isin": lambda xp: xp.isin(xp.asarray(PLACES), xp.arange(40)),
    # counting and interpolation
    "bincount": lambda xp: xp.bincount(xp.asarray(PLACES)),
    "histogram": lambda xp: xp.histogram(xp.asarray(REAL), 50)[0],
    "histogram2d": lambda xp: xp.histogram2d(xp.asarray(REAL), xp.asarray(OTHER), bins=40)[0],
    "interp": lambda xp: xp.interp(xp.asarray(REAL), xp.asarray(SORTED), xp.asarray(OTHER[:3000])),
    "convolve": lambda xp: xp.convolve(xp.asarray(REAL), xp.asarray(OTHER[:50])),
    "polyfit": lambda xp: xp.polyfit(xp.asarray(REAL), xp.asarray(OTHER), 2),
    # products and linear algebra
    "matmul": lambda xp: xp.asarray(MATRIX) @ xp.asarray(MATRIX),
    "matmul of integers": lambda xp: xp.asarray(PLACES[:10_000].reshape(100, 100)) @ xp.arange(100),
    "dot": lambda xp: xp.dot(xp.asarray(REAL), xp.asarray(OTHER)),
    "einsum": lambda xp: xp.einsum("ij,kj->ik", xp.asarray(MATRIX), xp.asarray(MATRIX)),
    "kron": lambda xp: xp.kron(xp.asarray(MATRIX[:10, :10]), xp.asarray(MATRIX[:9, :9])),
    "inv": lambda xp: xp.linalg.inv(xp.asarray(MATRIX)),
    "inv of a stack": lambda xp: xp.linalg.inv(xp.asarray(REAL[: 30 * 400].reshape(30, 20, 20))),
    "solve": lambda xp: xp.linalg.solve(xp.asarray(MATRIX), xp.asarray(SIDES)),
    "det": lambda xp: xp.linalg.det(xp.asarray(MATRIX)),
    "cholesky": lambda xp: xp.linalg.cholesky(xp.asarray(POSITIVE)),
    "qr": lambda xp: xp.linalg.qr(xp.asarray(MATRIX)),
    "svd": lambda xp: xp.linalg.svd(xp.asarray(MATRIX))[1],
    "eigh": lambda xp: xp.linalg.eigh(xp.asarray(POSITIVE))[0],
    "eig": lambda xp: xp.linalg.eig(xp.asarray(MATRIX))[0],
    "lstsq": lambda xp: xp.linalg.lstsq(xp.asarray(SIDES), xp.asarray(SIDES), rcond=None)[0],
    # transforms
    "fft": lambda xp: xp.fft.fft(xp.asarray(REAL)),
    "fft of a prime": lambda xp: xp.fft.fft(xp.asarray(np.resize(REAL, 40_009))),
    "rfft2": lambda xp: xp.fft.rfft2(xp.asarray(IMAGE)),
    "irfft": lambda xp: xp.fft.irfft(xp.asarray(REAL)),
    # to the host
    "tolist": lambda xp: xp.asarray(REAL[:3000]).tolist(),
    "tobytes": lambda xp: xp.asarray(IMAGE).T.tobytes(),
    "str": lambda xp: str(xp.asarray(IMAGE)),
    "pickle": lambda xp: __import__("pickle").dumps(np.asarray(xp.asarray(REAL[:100]).tolist())),
}

RANDOM = {
    "normal": lambda xp: xp.random.default_rng(1).normal(size=N),
    "integers": lambda xp: xp.random.default_rng(1).integers(0, 1000, size=N),
    "permutation": lambda xp: xp.random.default_rng(1).permutation(N),
    "choice": lambda xp: xp.random.default_rng(1).choice(N, 500, replace=False),
    "weighted choice": lambda xp: xp.random.default_rng(1).choice(
        2000, 100, replace=False, p=xp.asarray(REAL[:2000] / REAL[:2000].sum())
    ),
    "multinomial": lambda xp: xp.random.default_rng(1).multinomial(100, [0.2, 0.3, 0.5], size=300),
}

IMAGES = {
    "gaussian": lambda ndimage, a: ndimage.gaussian_filter(a, 2),
    "median": lambda ndimage, a: ndimage.median_filter(a, 5),
    "convolve": lambda ndimage, a: ndimage.convolve(a, a[:5, :5]),
}


def _put(xp, a):
    xp.put(a, xp.asarray(PLACES), xp.asarray(REAL))


def _add_at(xp, a):
    xp.add.at(a, xp.asarray(PLACES), xp.asarray(REAL))


def _assign(xp, a):
    a[:] = xp.sqrt(xp.asarray(OTHER)) + a[::-1]


def _assign_mask(xp, a):
    a[xp.asarray(MASK)] = 0


def _in_place(xp, a):
    a *= xp.asarray(OTHER)


def _sort(xp, a):
    a.sort()


TARGETS = {
    "out of add": lambda xp, a: xp.add(xp.asarray(REAL), xp.asarray(OTHER), out=a),
    "out of sum": lambda xp, a: xp.sum(xp.asarray(REAL).reshape(100, -1), axis=1, out=a[:100]),
    "out of cumsum": lambda xp, a: xp.cumsum(xp.asarray(REAL), out=a),
    "out of take": lambda xp, a: xp.take(xp.asarray(REAL), xp.asarray(PLACES), out=a, mode="clip"),
    "put": _put,
    "add.at": _add_at,
    "assignment": _assign,
    "assignment by a mask": _assign_mask,
    "in place": _in_place,
    "sort": _sort,
}
