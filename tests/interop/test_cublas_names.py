"""cuBLAS's functions on addresses, beside the same in NumPy and SciPy."""

import gc

import numpy as np
import pytest
import scipy.linalg

import cuprum as cp
from cuprum.cuda import cublas

RNG = np.random.default_rng(11)
DTYPES = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}
OPS = {0: lambda a: a, 1: lambda a: a.T, 2: lambda a: a.conj().T}


def numbers(dtype, *shape):
    made = RNG.standard_normal(shape)
    return (made + 1j * RNG.standard_normal(shape) if np.dtype(dtype).kind == "c" else made).astype(dtype)


def columns(a, lead):
    """A matrix in Fortran's order on the device, with room below each column, and what lies there now."""
    room = np.full((lead, a.shape[1]), 7, a.dtype, order="F")
    room[: len(a)] = a
    return cp.asarray(room)


@pytest.fixture(params=["host", "device"])
def pointers(request):
    """Give a number's address as the pointer mode wants it, and a handle of that mode."""
    handle, kept = cublas.create(), []
    cublas.setPointerMode(handle, int(request.param == "device"))

    def address(value, dtype):
        made = (cp if request.param == "device" else np).array(value, dtype)
        kept.append(made)
        return made.data.ptr if request.param == "device" else made.ctypes.data

    yield handle, address, kept
    cublas.destroy(handle)


def close(got, want):
    tolerance = 200 * np.finfo(np.asarray(want).dtype).eps
    np.testing.assert_allclose(cp.asnumpy(got), want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("letter", DTYPES)
@pytest.mark.parametrize("transa", OPS)
@pytest.mark.parametrize("transb", OPS)
def test_products(pointers, letter, transa, transb):
    handle, address, _ = pointers
    dtype = DTYPES[letter]
    m, n, k = 4, 3, 5
    a = numbers(dtype, *((m, k) if transa == 0 else (k, m)))
    b = numbers(dtype, *((k, n) if transb == 0 else (n, k)))
    c = numbers(dtype, m, n)
    x, y, z = columns(a, 6), columns(b, 7), columns(c, 6)
    getattr(cublas, f"{letter}gemm")(
        handle, transa, transb, m, n, k, address(2.5, dtype), x.data.ptr, 6, y.data.ptr, 7,
        address(-0.5, dtype), z.data.ptr, 6,
    )  # fmt: skip
    close(z[:m], dtype_of(2.5, dtype) * (OPS[transa](a) @ OPS[transb](b)) - dtype_of(0.5, dtype) * c)
    assert (z[m:] == 7).all()


def dtype_of(value, dtype):
    return np.array(value, dtype)[()]


def test_factors_of_zero_read_nothing(pointers):
    handle, address, _ = pointers
    ones, nan = cp.ones((2, 2)), cp.full((2, 2), cp.nan)
    whole, unknown = (ones.data.ptr, 2), (nan.data.ptr, 2)
    one, zero = address(1, float), address(0, float)

    def written(function, *arguments, to):
        function(handle, *arguments, *to)
        found = nan.get()
        nan[...] = cp.nan
        return found.tolist()

    assert written(cublas.dgemm, 0, 0, 2, 2, 2, one, *whole, *whole, zero, to=unknown) == [[2, 2], [2, 2]]
    assert written(cublas.dgemm, 0, 0, 2, 2, 2, zero, *unknown, *unknown, zero, to=unknown) == [
        [0, 0],
        [0, 0],
    ]
    assert written(cublas.dgeam, 0, 0, 2, 2, one, *whole, zero, *unknown, to=unknown) == [[1, 1], [1, 1]]
    assert written(cublas.dtrsm, 0, 0, 0, 0, 2, 2, zero, *unknown, to=unknown) == [[0, 0], [0, 0]]
    found = np.array(written(cublas.dsyrk, 0, 0, 2, 2, one, *whole, zero, to=unknown))
    np.testing.assert_array_equal(found, [[2, 2], [np.nan, 2]])
    vector = cp.full(2, cp.nan)
    cublas.dgemv(handle, 0, 2, 2, one, *whole, ones.data.ptr, 1, zero, vector.data.ptr, 1)
    assert vector.tolist() == [2, 2]
    cublas.daxpy(handle, 2, zero, nan.data.ptr, 1, vector.data.ptr, 1)
    cublas.dger(handle, 2, 2, zero, nan.data.ptr, 1, nan.data.ptr, 1, *whole)
    assert vector.tolist() == [2, 2] and bool((ones == 1).all())


def test_what_a_factor_of_the_hosts_leaves_out_need_not_be_there():
    a, c = cp.ones((2, 2)), cp.zeros((2, 2))
    one, zero = np.ones(1), np.zeros(1)
    factors = one.ctypes.data, zero.ctypes.data
    cublas.dgeam(cublas.create(), 0, 0, 2, 2, factors[0], a.data.ptr, 2, factors[1], 0, 2, c.data.ptr, 2)
    assert bool((c == 1).all())


@pytest.mark.parametrize("letter", DTYPES)
@pytest.mark.parametrize("size", [1e-30, 1e30, 1e300])
def test_norms_neither_overflow_nor_vanish(letter, size):
    dtype = DTYPES[letter]
    real = np.zeros(0, dtype).real.dtype
    if size > float(np.finfo(real).max):
        return
    x, length = cp.asarray(np.array([3 * size, 4 * size], dtype)), np.zeros(1, real)
    name = {"s": "snrm2", "d": "dnrm2", "c": "scnrm2", "z": "dznrm2"}[letter]
    getattr(cublas, name)(cublas.create(), 2, x.data.ptr, 1, length.ctypes.data)
    close(length / real.type(size), np.array([5], real))


@pytest.mark.parametrize("count, step", [(0, 1), (-1, 1), (3, -1), (3, 0)])
def test_functions_of_one_vector_have_none_without_elements_or_forward_steps(count, step):
    handle, x = cublas.create(), cp.array([3.0, 4.0, 5.0])
    for name, dtype in {"dasum": "f8", "dnrm2": "f8", "idamax": "i4", "idamin": "i4"}.items():
        found = np.full(1, 7, dtype)
        getattr(cublas, name)(handle, count, x.data.ptr, step, found.ctypes.data)
        assert found[0] == 0
    cublas.dscal(handle, count, np.array(2.0).ctypes.data, x.data.ptr, step)
    assert x.tolist() == [3, 4, 5]


@pytest.mark.parametrize("letter", DTYPES)
def test_batches(letter):
    dtype, handle = DTYPES[letter], cublas.create()
    a, b = numbers(dtype, 6, 3, 3), numbers(dtype, 6, 3, 3)
    one, zero = np.ones(1, dtype), np.zeros(1, dtype)
    x, y = cp.asarray(a), cp.asarray(b)
    # The matrices lie row by row: their transposes are multiplied, in the other order.
    want = a @ b
    result = cp.zeros_like(x)
    getattr(cublas, f"{letter}gemmStridedBatched")(
        handle, 0, 0, 3, 3, 3, one.ctypes.data, y.data.ptr, 3, 9, x.data.ptr, 3, 9, zero.ctypes.data,
        result.data.ptr, 3, 9, 6,
    )  # fmt: skip
    close(result, want)
    again = cp.zeros_like(x)
    at = [cp.asarray([part.data.ptr for part in whole], "uint64") for whole in (y, x, again)]
    getattr(cublas, f"{letter}gemmBatched")(
        handle, 0, 0, 3, 3, 3, one.ctypes.data, at[0].data.ptr, 3, at[1].data.ptr, 3, zero.ctypes.data,
        at[2].data.ptr, 3, 6,
    )  # fmt: skip
    close(again, want)


@pytest.mark.parametrize("letter", DTYPES)
@pytest.mark.parametrize("steps", [(1, 1), (2, 3), (-1, 2), (-2, -1)])
def test_vectors(pointers, letter, steps):
    handle, address, kept = pointers
    dtype, n = DTYPES[letter], 7
    real = np.zeros(0, dtype).real.dtype
    x, y = (numbers(dtype, n * abs(step)) for step in steps)
    along = [a[:: abs(step)][:: 1 if step > 0 else -1] for a, step in zip((x, y), steps, strict=True)]
    on = [cp.asarray(x), cp.asarray(y)]
    ways = on[0].data.ptr, steps[0], on[1].data.ptr, steps[1]
    first = x[:: abs(steps[0])]
    sizes = abs(first.real) + abs(first.imag)

    def result(name, *arguments, kind=dtype):
        at = address(0, kind)
        getattr(cublas, name)(handle, n, *arguments, at)
        return kept[-1]

    of_one = on[0].data.ptr, abs(steps[0])
    prefix = {"s": "s", "d": "d", "c": "sc", "z": "dz"}[letter]
    assert int(result(f"i{letter}amax", *of_one, kind="int32")) == np.argmax(sizes) + 1
    assert int(result(f"i{letter}amin", *of_one, kind="int32")) == np.argmin(sizes) + 1
    close(result(f"{prefix}asum", *of_one, kind=real), sizes.sum())
    close(result(f"{prefix}nrm2", *of_one, kind=real), np.linalg.norm(along[0]))
    dot = f"{letter}dot" if letter in "sd" else f"{letter}dotu"
    close(result(dot, *ways), along[0] @ along[1])
    if letter in "cz":
        close(result(f"{letter}dotc", *ways), along[0].conj() @ along[1])
    getattr(cublas, f"{letter}axpy")(handle, n, address(2, dtype), *ways)
    want = y.copy()
    want[:: abs(steps[1])][:: 1 if steps[1] > 0 else -1] += 2 * along[0]
    close(on[1], want)
    getattr(cublas, f"{letter}scal")(handle, n, address(3, dtype), *of_one)
    want = x.copy()
    want[:: abs(steps[0])] *= 3
    close(on[0], want)
    if letter in "cz":
        name = {"c": "csscal", "z": "zdscal"}[letter]
        getattr(cublas, name)(handle, n, address(2, real), *of_one)
        want[:: abs(steps[0])] *= 2
        close(on[0], want)


@pytest.mark.parametrize("letter", DTYPES)
def test_matrices_and_vectors(pointers, letter):
    handle, address, _ = pointers
    dtype, m, n = DTYPES[letter], 4, 3
    a, x, y = numbers(dtype, m, n), numbers(dtype, m), numbers(dtype, n)
    for trans, (into, of) in {0: (x, y), 1: (y, x), 2: (y, x)}.items():
        on, source, to = columns(a, 5), cp.asarray(of), cp.asarray(into)
        getattr(cublas, f"{letter}gemv")(
            handle, trans, m, n, address(2, dtype), on.data.ptr, 5, source.data.ptr, 1,
            address(-1, dtype), to.data.ptr, 1,
        )  # fmt: skip
        close(to, 2 * (OPS[trans](a) @ of) - into)
    names = {f"{letter}ger" if letter in "sd" else f"{letter}geru": y}
    if letter in "cz":
        names[f"{letter}gerc"] = y.conj()
    for name, other in names.items():
        on, left, right = columns(a, 5), cp.asarray(x), cp.asarray(y)
        ways = left.data.ptr, 1, right.data.ptr, 1
        getattr(cublas, name)(handle, m, n, address(2, dtype), *ways, on.data.ptr, 5)
        close(on[:m], a + 2 * np.outer(x, other))
        assert (on[m:] == 7).all()


@pytest.mark.parametrize("letter", DTYPES)
@pytest.mark.parametrize("trans", OPS)
@pytest.mark.parametrize("uplo", [0, 1])
@pytest.mark.parametrize("diag", [0, 1])
@pytest.mark.parametrize("side", [0, 1])
def test_triangular_systems(letter, trans, uplo, diag, side):
    dtype, m, n = DTYPES[letter], 4, 3
    size = m if side == 0 else n
    a = numbers(dtype, size, size) + 4 * np.eye(size, dtype=dtype)
    b = numbers(dtype, m, n)
    on, to, two = columns(a, 6), columns(b, 5), np.array(2, dtype)
    ways = on.data.ptr, 6, to.data.ptr, 5
    getattr(cublas, f"{letter}trsm")(cublas.create(), side, uplo, trans, diag, m, n, two.ctypes.data, *ways)
    triangle = np.tril(a) if uplo == 0 else np.triu(a)
    if diag:
        np.fill_diagonal(triangle, 1)
    turned = OPS[trans](triangle)
    want = scipy.linalg.solve(turned, 2 * b) if side == 0 else scipy.linalg.solve(turned.T, 2 * b.T).T
    np.testing.assert_allclose(
        to[:m].get(), want, rtol=500 * np.finfo(dtype).eps, atol=500 * np.finfo(dtype).eps
    )


@pytest.mark.parametrize("letter", DTYPES)
def test_sums_and_scaled_matrices(pointers, letter):
    handle, address, _ = pointers
    dtype, m, n = DTYPES[letter], 4, 3
    a, b, x = numbers(dtype, m, n), numbers(dtype, n, m), numbers(dtype, n)
    on, other, to = columns(a, 5), columns(b, 3), columns(np.zeros((m, n), dtype), 6)
    getattr(cublas, f"{letter}geam")(
        handle, 0, 2, m, n, address(2, dtype), on.data.ptr, 5, address(3, dtype), other.data.ptr, 3,
        to.data.ptr, 6,
    )  # fmt: skip
    close(to[:m], 2 * a + 3 * b.conj().T)
    scale = cp.asarray(x)
    ways = on.data.ptr, 5, scale.data.ptr, 1, to.data.ptr, 6
    getattr(cublas, f"{letter}dgmm")(handle, 1, m, n, *ways)
    close(to[:m], a * x)
    for uplo in (0, 1):
        square = numbers(dtype, m, m)
        into = columns(square, 5)
        getattr(cublas, f"{letter}syrk")(
            handle, uplo, 0, m, n, address(2, dtype), on.data.ptr, 5, address(-1, dtype), into.data.ptr, 5
        )
        inside = np.tri(m, dtype=bool) if uplo == 0 else np.tri(m, dtype=bool).T
        close(into[:m], np.where(inside, 2 * (a @ a.T) - square, square))


def test_the_devices_handle_and_what_is_refused():
    handle = cp.cuda.device.get_cublas_handle()
    assert handle == cp.cuda.Device().cublas_handle
    assert cublas.getPointerMode(handle) == cublas.CUBLAS_POINTER_MODE_HOST
    x, out = cp.arange(4.0), np.zeros(1)
    cublas.dasum(handle, 4, x.data.ptr, 1, out.ctypes.data)
    assert out[0] == 6
    with pytest.raises(cublas.CUBLASError, match="is no handle"):
        cublas.dasum(123456789, 4, x.data.ptr, 1, out.ctypes.data)
    with pytest.raises(cublas.CUBLASError, match="lengths must not be negative nor steps zero, got 2 and 0"):
        cublas.ddot(handle, 2, x.data.ptr, 0, x.data.ptr, 1, out.ctypes.data)
    number = np.ones(1)
    one = number.ctypes.data
    with pytest.raises(cublas.CUBLASError, match="uplo must be 0 or 1, got 2"):
        cublas.dsyrk(handle, 2, 0, 2, 2, one, x.data.ptr, 2, one, x.data.ptr, 2)
    with pytest.raises(cublas.CUBLASError, match="side must be 0 or 1, got -1"):
        cublas.dtrsm(handle, -1, 0, 0, 0, 2, 2, one, x.data.ptr, 2, x.data.ptr, 2)
    with pytest.raises(cublas.CUBLASError, match="mode must be 0 or 1, got 3"):
        cublas.ddgmm(handle, 3, 2, 2, x.data.ptr, 2, x.data.ptr, 1, x.data.ptr, 2)
    with pytest.raises(cublas.CUBLASError, match="CUBLAS_OP_N or CUBLAS_OP_T for complex"):
        cublas.csyrk(handle, 0, 2, 1, 1, one, x.data.ptr, 1, one, x.data.ptr, 1)
    with pytest.raises(cublas.CUBLASError, match="columns at least 2 apart, got 1"):
        cublas.dgemm(handle, 0, 0, 2, 2, 2, one, x.data.ptr, 1, x.data.ptr, 2, one, x.data.ptr, 2)
    with pytest.raises(TypeError, match="dasum: .*handle"):
        cublas.dasum()
    for count in (2.5, "2", None):
        with pytest.raises(TypeError, match=f"dasum: n must be an integer, got {type(count).__name__}"):
            cublas.dasum(handle, count, x.data.ptr, 1, out.ctypes.data)
    cublas.dasum(handle, np.int32(4), x.data, 1, out.ctypes.data)
    assert out[0] == 6
    made = cublas.create()
    cublas.destroy(made)
    with pytest.raises(cublas.CUBLASError):
        cublas.destroy(made)


@pytest.mark.skipif(cp.cuda.is_available(), reason="addresses of a GPU are the driver's to check")
def test_addresses_that_mean_nothing_raise():
    out = np.zeros(1)
    x, handle = cp.ones(4), cublas.create()
    # A stray address, more than there is, and memory of the host's, which a GPU does not see.
    for address, count in ((4096, 4), (0, 4), (x.data.ptr, 5), (x.data.ptr + 8, 4), (out.ctypes.data, 1)):
        with pytest.raises(cublas.CUBLASError, match="dasum: there are no .* bytes of the device's memory"):
            cublas.dasum(handle, count, address, 1, out.ctypes.data)
    one = np.ones(1)
    with pytest.raises(cublas.CUBLASError, match="dscal: there are no"):
        cublas.dscal(handle, 1, one.ctypes.data, out.ctypes.data, 1)
    with pytest.raises(ValueError, match="dasum: memory at .* is not aligned"):
        cublas.dasum(handle, 1, x.data.ptr + 1, 1, out.ctypes.data)
    with pytest.raises(RuntimeError, match="invalid argument"):
        cublas.dasum(handle, 4, x.data.ptr, 1, 4096)


def test_arrays_may_go_right_after_a_call():
    handle, two = cublas.create(), np.array(2.0)
    y = cp.zeros(1000)
    x = cp.arange(1000.0) + 1
    cublas.daxpy(handle, 1000, two.ctypes.data, x.data.ptr, 1, y.data.ptr, 1)
    want = 2 * (np.arange(1000.0) + 1)
    del x
    two[...] = 5
    gc.collect()
    other = cp.full(1000, -1.0)
    np.testing.assert_array_equal(y.get(), want)
    assert other[0] == -1
