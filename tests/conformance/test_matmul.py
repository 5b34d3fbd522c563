"""Products: matmul, dot, inner, outer, vdot, kron and their kin, against NumPy.

Data are small integers, so that every product is exact in every dtype and must equal NumPy's to the bit; the
accuracy of real data is tested apart, against a wider product.
"""

# ruff: noqa: B023 - a body runs at once, inside the loop that makes it

import itertools

import numpy as np
import pytest
from samples import LAYOUTS, bf16_array, bf16_round, permuted, whole_numbers
from twin import ALL_DTYPES, check, collect, dtype_name, fresh_python, to_numpy, twin

import cuprum as cp

SOME_DTYPES = ["bool", "int8", "int64", "uint8", "float16", "float32", "float64", "complex64", "complex128"]


def test_matmul_of_every_pair_of_dtypes():
    with collect() as failures:
        for left, right in itertools.product(ALL_DTYPES, repeat=2):
            a, b = whole_numbers(left, (3, 4)), whole_numbers(right, (4, 5), 1)
            for name in ("matmul", "dot"):
                with failures:
                    check(
                        lambda xp: getattr(xp, name)(xp.array(a), xp.array(b)),
                        signed_zero=False,
                        label=f"{name}({left}, {right})",
                    )


SHAPES = [
    ((3,), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3,)),
    ((2, 3), (3, 4)),
    ((1, 1), (1, 1)),
    ((5, 3, 4), (4,)),
    ((3,), (5, 3, 4)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((6, 1, 2, 3), (5, 3, 4)),
    ((2, 1, 2, 3), (1, 5, 3, 1)),
    ((2, 0), (0, 3)),
    ((0, 2), (2, 3)),
    ((2, 3), (3, 0)),
    ((0,), (0,)),
    ((0, 2, 3), (3, 4)),
    ((2, 3), (4, 5)),
    ((3,), (4,)),
    ((2, 3), (4,)),
    ((5, 2, 3), (4, 3, 2)),
    ((), (3,)),
    ((2, 3), ()),
    ((), ()),
    ((1, 7), (7, 1)),
    ((7, 1), (1, 7)),
    ((2, 2, 3), (3, 3, 4)),
]


@pytest.mark.parametrize("name", ["matmul", "dot", "inner", "outer", "vdot", "kron", "tensordot"])
def test_shapes(name):
    """Every combination of dimensions, the ones that do not fit included."""
    with collect() as failures:
        for dtype, (left, right) in itertools.product(["float64", "int32", "complex64", "bool"], SHAPES):
            a, b = whole_numbers(dtype, left), whole_numbers(dtype, right, 1)
            with failures:
                check(
                    lambda xp: getattr(xp, name)(xp.array(a), xp.array(b)),
                    signed_zero=False,
                    layout=name != "kron",
                    label=f"{name} {dtype} {left} {right}",
                    may_raise=(IndexError, ValueError),
                )


@pytest.mark.parametrize("dtype", SOME_DTYPES)
def test_layouts(dtype):
    a, b = whole_numbers(dtype, (6, 9)), whole_numbers(dtype, (9, 6), 1)
    square = {k: v for k, v in LAYOUTS.items() if k not in ("0-d", "size 1", "empty")}
    with collect() as failures:
        for (left, f), (right, g) in itertools.product(square.items(), repeat=2):
            with failures:
                check(
                    lambda xp: f(xp, a) @ g(xp, b), signed_zero=False, label=f"matmul {dtype} {left} {right}"
                )
        for (left, f), name in itertools.product(square.items(), ["dot", "inner"]):
            with failures:
                check(
                    lambda xp: getattr(xp, name)(f(xp, a), xp.array(b if name == "dot" else a)),
                    signed_zero=False,
                    label=f"{name} {dtype} {left}",
                )
        for name, vector in {"C": b[:, 0].copy(), "strided": None, "reversed": None}.items():

            def column(xp, name=name, vector=vector):
                if name == "C":
                    return xp.array(vector)
                return xp.array(b)[:, 0] if name == "strided" else xp.array(b)[::-1, 0]

            with failures:
                check(
                    lambda xp: (
                        xp.array(a) @ column(xp),
                        column(xp) @ xp.array(b),
                        _f_order(xp, a) @ column(xp),
                    ),
                    signed_zero=False,
                    label=f"vector {dtype} {name}",
                )


def _f_order(xp, host):
    return LAYOUTS["F"](xp, host)


def test_transposes_of_batches():
    a, b = whole_numbers("float64", (4, 5, 6)), whole_numbers("float64", (4, 6, 5), 1)
    with collect() as failures:
        for order in itertools.permutations(range(3)):
            with failures:
                check(lambda xp: permuted(xp, a, order) @ xp.array(b), label=f"memory {order} @ C")
            with failures:
                check(lambda xp: xp.array(a) @ permuted(xp, b, order), label=f"C @ memory {order}")
        with failures:
            check(
                lambda xp: xp.broadcast_to(xp.array(a[0]), (3, 5, 6)) @ xp.array(b[0]),
                label="broadcast batch",
            )
        with failures:
            check(
                lambda xp: xp.array(a)[::-2, ::2] @ xp.array(b)[::-2, :, ::-1], label="negative batch strides"
            )


SIZES = [
    (1, 1, 1),
    (2, 2, 2),
    (3, 5, 7),
    (8, 8, 8),
    (15, 16, 17),
    (31, 33, 32),
    (64, 64, 64),
    (65, 63, 70),
    (100, 1, 100),
    (1, 200, 1),
    (129, 70, 131),
    (256, 50, 3),
    (3, 50, 256),
    (300, 64, 300),
]


@pytest.mark.parametrize("dtype", SOME_DTYPES)
def test_sizes_around_the_kernels_tiles(dtype):
    with collect() as failures:
        for m, k, n in SIZES:
            a, b = whole_numbers(dtype, (m, k)), whole_numbers(dtype, (k, n), 1)
            with failures:
                check(lambda xp: xp.array(a) @ xp.array(b), signed_zero=False, label=f"{dtype} {m}x{k}x{n}")
            with failures:
                check(
                    lambda xp: xp.array(a.T.copy()).T @ xp.array(b.T.copy()).T,
                    signed_zero=False,
                    label=f"{dtype} {m}x{k}x{n} transposed operands",
                )


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_accuracy_on_real_data(dtype):
    """Each element lies within k rounding errors of the wider product, and near NumPy's own error."""
    rng = np.random.default_rng(0)
    wide = (
        np.longdouble
        if dtype == "float64"
        else np.clongdouble
        if dtype == "complex128"
        else (np.complex128 if dtype == "complex64" else np.float64)
    )
    for m, k, n in [(40, 300, 30), (7, 1000, 5), (120, 120, 120)]:
        a = (rng.normal(size=(m, k)) + (1j * rng.normal(size=(m, k)) if "c" in dtype else 0)).astype(dtype)
        b = (rng.normal(size=(k, n)) + (1j * rng.normal(size=(k, n)) if "c" in dtype else 0)).astype(dtype)
        exact = a.astype(wide) @ b.astype(wide)
        bound = (np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64)) * np.finfo(dtype).eps
        error = np.abs(to_numpy(cp.array(a) @ cp.array(b)) - exact)
        worst = float((error / bound).max())
        assert worst <= 4 + np.sqrt(k), f"{dtype} {m}x{k}x{n}: {worst} eps of |a| @ |b|"
        theirs = float((np.abs((a @ b) - exact) / bound).max())
        assert worst <= 4 * theirs + 1, f"{dtype} {m}x{k}x{n}: {worst} eps, NumPy has {theirs}"


def test_integers_wrap_and_do_not_pass_through_floats():
    a = np.array([[2**62, 3], [2**53 + 1, 1]], np.int64)
    b = np.array([[4, 1], [1, 2**53 + 1]], np.int64)
    check(lambda xp: xp.array(a) @ xp.array(b), label="int64")
    check(lambda xp: xp.array(a.astype(np.uint64)) @ xp.array(b.astype(np.uint64)), label="uint64")
    small = np.full((3, 300), 100, np.int8)
    check(lambda xp: xp.array(small) @ xp.array(small.T.copy()), label="int8 wraps")


def test_nan_and_infinity_spread_as_in_numpy():
    a = np.array([[1, np.nan], [np.inf, 0], [2, 3]])
    b = np.array([[1, 0], [0, -np.inf]])
    for dtype in ("float16", "float32", "float64"):
        check(lambda xp: xp.array(a.astype(dtype)) @ xp.array(b.astype(dtype)), label=dtype)
    check(lambda xp: xp.zeros((3, 2)) @ xp.array(b), label="0 times infinity is NaN")


def test_bfloat16():
    host = bf16_round(np.random.default_rng(0).normal(size=(20, 30)).astype(np.float32))
    x = bf16_array(host)
    got = x @ x.T
    assert dtype_name(got.dtype) == "bfloat16"
    exact = host.astype(np.float64) @ host.T.astype(np.float64)
    scale = np.abs(host).astype(np.float64) @ np.abs(host.T).astype(np.float64)
    assert np.all(np.abs(to_numpy(got) - exact) <= np.abs(exact) * 2**-8 + scale * 2**-20)


@twin()
def test_operator_and_in_place(xp):
    a = xp.arange(9.0).reshape(3, 3)
    b = a
    a @= xp.eye(3)
    return a, a is b, [[1.0, 2.0, 3.0]] @ a, a @ [1.0, 2.0, 3.0]


@twin(raises=ValueError)
def test_scalar_operand_of_matmul_raises(xp):
    return xp.ones((2, 2)) @ 3


def test_matmul_keywords():
    a, b = whole_numbers("float32", (3, 4)), whole_numbers("float32", (4, 5), 1)
    with collect() as failures:
        for dtype, shape in itertools.product(
            ["float32", "float64", "int32", "complex64"], [(3, 5), (5, 3), (2, 3, 5)]
        ):

            def body(xp, dtype=dtype, shape=shape):
                out = xp.zeros(shape, dtype)
                result = xp.matmul(xp.array(a), xp.array(b), out=out)
                return out, result is out

            with failures:
                check(
                    body,
                    signed_zero=False,
                    label=f"matmul out={dtype}{shape}",
                    may_raise=(TypeError, ValueError),
                )

            def body_dot(xp, dtype=dtype, shape=shape):
                out = xp.zeros(shape, dtype)
                result = xp.dot(xp.array(a), xp.array(b), out=out)
                return out, result is out

            with failures:
                check(body_dot, signed_zero=False, label=f"dot out={dtype}{shape}", may_raise=ValueError)
        for dtype in ("float64", "complex64", "int64"):
            with failures:
                check(
                    lambda xp: xp.matmul(xp.array(a), xp.array(b), dtype=dtype),
                    signed_zero=False,
                    label=f"dtype={dtype}",
                    may_raise=TypeError,
                )
        with failures:
            check(
                lambda xp: xp.matmul(xp.array(a), xp.array(b), dtype="int64", casting="unsafe"),
                label="unsafe",
            )
        with failures:
            check(
                lambda xp: xp.matmul(xp.array(a), xp.array(b), axes=[(1, 0), (1, 0), (1, 0)]),
                label="axes that do not fit",
                raises=ValueError,
            )


@twin()
def test_out_may_be_strided_or_an_operand(xp):
    a = xp.arange(16.0).reshape(4, 4)
    strided = xp.zeros((4, 8))
    xp.matmul(a, a, out=strided[:, ::2])
    f_order = xp.zeros((4, 4), order="F")
    xp.matmul(a, a.T, out=f_order)
    itself = a.copy()
    xp.matmul(itself, a, out=itself)
    flipped = a.copy()
    xp.matmul(flipped, a, out=flipped[::-1])
    return strided, f_order, itself, flipped


@twin(signed_zero=False)
def test_pending_operands(xp):
    a, b = (
        xp.array(whole_numbers("float64", (5, 6))),
        xp.array(whole_numbers("float64", (6, 5), 1)),
    )
    return (a * 2 + 1) @ (b - 1), (a @ b) * 2 + 1, (a @ b).sum(axis=0), (a.T + b) @ (b.T * 2)


@twin()
def test_vdot_conjugates_and_dot_does_not(xp):
    a, b = xp.array([1 + 2j, 3 - 1j]), xp.array([2 - 1j, 1j])
    return xp.vdot(a, b), xp.dot(a, b), xp.inner(a, b), xp.vdot(a.reshape(2, 1), b.reshape(1, 2))


@pytest.mark.parametrize("name", ["vecdot", "matvec", "vecmat"])
def test_vector_gufuncs(name):
    if not hasattr(np, name):
        pytest.skip(f"this NumPy has no {name}")
    shapes = {
        "vecdot": [((3,), (3,)), ((2, 3), (3,)), ((5, 2, 3), (2, 3)), ((3,), (4,))],
        "matvec": [((2, 3), (3,)), ((5, 2, 3), (3,)), ((5, 2, 3), (5, 3)), ((2, 3), (4,))],
        "vecmat": [((2,), (2, 3)), ((2,), (5, 2, 3)), ((5, 2), (5, 2, 3)), ((3,), (4, 2))],
    }[name]
    with collect() as failures:
        for dtype, (left, right) in itertools.product(["int32", "float64", "complex128"], shapes):
            a, b = whole_numbers(dtype, left), whole_numbers(dtype, right, 1)
            with failures:
                check(
                    lambda xp: getattr(xp, name)(xp.array(a), xp.array(b)),
                    signed_zero=False,
                    label=f"{name} {dtype} {left} {right}",
                    may_raise=ValueError,
                )


@twin(signed_zero=False)
def test_trace_and_cross(xp):
    a = xp.array(whole_numbers("float64", (4, 5)))
    u, v = xp.array([1.0, 2.0, 3.0]), xp.array([4.0, 5.0, 6.0])
    return (
        xp.trace(a),
        a.trace(offset=1),
        xp.trace(xp.array(whole_numbers("int8", (3, 4, 5))), axis1=1, axis2=2),
        xp.cross(u, v),
        xp.cross(xp.array(whole_numbers("int64", (5, 3))), xp.array(whole_numbers("int64", (5, 3), 1))),
    )


@twin(signed_zero=False)
def test_outer_of_many_shapes_and_out(xp):
    out = xp.zeros((3, 2))
    xp.outer(xp.arange(3.0), xp.arange(2.0), out=out)
    return (
        out,
        xp.outer(xp.ones((2, 2)), [1, 2, 3]),
        xp.outer(2, xp.arange(3)),
        xp.dot(3, xp.arange(3)),
        xp.dot(xp.arange(3), 2.5),
    )


def test_non_commuting_large_product_matches_numpy():
    rng = np.random.default_rng(7)
    for dtype in ("float32", "float64"):
        a, b = (rng.integers(-8, 9, (513, 511)).astype(dtype), rng.integers(-8, 9, (511, 517)).astype(dtype))
        check(lambda xp: xp.array(a) @ xp.array(b), signed_zero=False, label=f"{dtype} 513x511x517")


@pytest.mark.parametrize("simd", ["portable", "avx2", "avx512"])
def test_every_instruction_set_multiplies_transforms_and_factors(simd):
    # Instruction sets that the processor lacks are run as the best one it has.
    code = """
    rng = np.random.default_rng(0)
    for dtype in ("?", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "c8", "c16"):
        for m, k, n in ((1, 300, 1), (70, 40, 1), (33, 17, 65), (130, 70, 90)):
            a, b = (rng.integers(0, 3, shape).astype(dtype) for shape in ((m, k), (k, n)))
            want = (a.astype("f8") @ b.astype("f8") > 0) if dtype == "?" else a @ b
            assert np.array_equal(cp.asnumpy(cp.array(a) @ cp.array(b)), want), (dtype, m, k, n)
    for n in (8, 30, 97, 1000, 40_000, 65_536):
        x = rng.normal(size=n)
        for name in ("fft", "rfft"):
            got, want = cp.asnumpy(getattr(cp.fft, name)(cp.array(x))), getattr(np.fft, name)(x)
            assert np.abs(got - want).max() <= 1e-14 * n, (name, n)
    a, b = rng.normal(size=(60, 60)), rng.normal(size=60)
    assert np.allclose(cp.asnumpy(cp.linalg.solve(cp.array(a), cp.array(b))), np.linalg.solve(a, b))
    assert np.allclose(cp.asnumpy(cp.linalg.svd(cp.array(a), compute_uv=False)), np.linalg.svd(a)[1])
    print("same")
    """
    assert fresh_python(code, CUPRUM_SIMD=simd, CUPRUM_THREADS=1) == "same"


SMALL_SHAPES = [((1, 1), (1, 1)), ((3, 4), (4, 5)), ((17, 9), (9, 33)), ((64, 64), (64, 64))]
SMALL_SHAPES += [((5,), (5,)), ((3000,), (3000,)), ((7,), (7, 3)), ((3, 7), (7,)), ((1, 300), (300, 1))]


def check_product(got, a, b):
    """Compare with NumPy: integers by value, floats by the bound of a sum of so many products."""
    want = a @ b
    if want.dtype.kind not in "fc":
        assert (got == want).all()
        return
    a, b = a.astype("clongdouble"), b.astype("clongdouble")
    bound = (a.shape[-1] + 2) * np.finfo(want.dtype).eps * (np.abs(a) @ np.abs(b))
    assert (np.abs(got - a @ b) <= bound).all()


@pytest.mark.cpu
@pytest.mark.parametrize("dtype", SOME_DTYPES)
def test_small_products_have_the_bits_of_products_in_a_stack(dtype):
    rng = np.random.default_rng(4)
    views = {
        "C": lambda x: x,
        "transposed": lambda x: cp.asfortranarray(x),
        "reversed": lambda x: cp.ascontiguousarray(x[::-1])[::-1],
        "strided": lambda x: cp.repeat(x, 2, axis=-1)[..., ::2],
    }
    with collect() as failures:
        for (left, right), (name, view) in itertools.product(SMALL_SHAPES, views.items()):
            a, b = (cp.asarray((rng.random(shape) * 9).astype(dtype)) for shape in (left, right))
            stacked = cp.matmul(
                (a if a.ndim == 2 else a[None])[None], (b if b.ndim == 2 else b[:, None])[None]
            )
            want = to_numpy(stacked).reshape((left[:-1] + right[1:]) if len(right) == 2 else left[:-1])
            with failures:
                check_product(want, to_numpy(a), to_numpy(b))
            a, b = view(a), view(b)
            out = cp.empty(want.shape, dtype)
            for how, product in (
                ("@", lambda: a @ b),
                ("matmul", lambda: cp.matmul(a, b)),
                ("dot", lambda: cp.dot(a, b)),
                ("out", lambda: cp.matmul(a, b, out=out)),
            ):
                with failures:
                    got = to_numpy(product())
                    assert got.dtype == want.dtype and got.shape == want.shape, (dtype, left, right, how)
                    assert got.tobytes() == want.tobytes(), (dtype, left, right, name, how)


@twin()
def test_small_products_into_arrays_that_are_read_elsewhere(xp):
    a = xp.arange(12.0).reshape(3, 4)
    square = xp.arange(9.0).reshape(3, 3)
    results = [xp.matmul(square, square, out=square)]
    out = xp.ones((3, 3))
    before = out + 1
    xp.matmul(a, a.T, out=out)
    results += [before, out.copy()]
    wide = xp.zeros((3, 6))
    xp.matmul(a, a.T, out=wide[:, ::2])
    whole_numbers = xp.arange(12).reshape(3, 4)
    xp.matmul(whole_numbers, whole_numbers.T, out=out)
    pending = (a * 2 + 1) @ (a.T - 1)
    return [*results, wide, out, pending, a[:, :0] @ a.T[:0], a[:0] @ a.T]


@twin(raises=ValueError)
def test_a_small_product_is_not_put_into_a_read_only_array(xp):
    out = xp.ones((2, 2))
    out.flags.writeable = False
    return xp.matmul(xp.ones((2, 2)), xp.ones((2, 2)), out=out)
