"""Arrays go to NumPy, buffers, DLPack and pickles, and come back, with values, dtype and shape intact."""

import array as stdlib_array
import copy
import operator
import pickle
import re
import threading

import numpy as np
import pytest

import cuprum as cp
from cuprum import _former_names

DTYPES = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
SHAPES = [(), (0,), (1,), (5,), (2, 3), (0, 4), (2, 3, 4), (1, 2, 1, 3)]


def sample(dtype, shape):
    size = int(np.prod(shape))
    values = np.arange(size).reshape(shape)
    return np.asarray(values % 2 if dtype == "bool" else values).astype(dtype)


def assert_same(device, host, case=""):
    assert isinstance(device, cp.ndarray), case
    assert device.dtype == host.dtype, case
    assert device.shape == host.shape, case
    np.testing.assert_array_equal(device.get(), host, err_msg=str(case))


def layouts(host):
    """Named views of ``host`` that are not plain C order."""
    yield "C", host
    yield "F", np.asfortranarray(host)
    yield "transposed", host.T
    if host.ndim:
        yield "reversed", host[::-1]
        yield "strided", host[::2]
    yield "broadcast", np.broadcast_to(host, (2, *host.shape))


# ---------------------------------------------------------------------------- to and from NumPy


@pytest.mark.cpu
def test_round_trip_of_every_dtype_and_shape():
    for dtype in DTYPES:
        for shape in SHAPES:
            host = sample(dtype, shape)
            device = cp.asarray(host)
            assert_same(device, host, (dtype, shape))
            for name, back in {
                "asnumpy": cp.asnumpy(device),
                "get": device.get(),
                "asarray": np.asarray(device),
                "array": np.array(device),
            }.items():
                assert type(back) is np.ndarray, (name, dtype, shape)
                assert (back.dtype, back.shape) == (host.dtype, host.shape), (name, dtype, shape)
                np.testing.assert_array_equal(back, host, err_msg=f"{name} {dtype} {shape}")


@pytest.mark.cpu
def test_round_trip_of_layouts():
    for shape in [(6,), (3, 4), (2, 3, 4)]:
        for name, host in layouts(sample("float64", shape)):
            assert_same(cp.asarray(host), host, name)
            assert_same(cp.array(host), host, name)
        for name, device in layouts_of_device(cp.asarray(sample("float64", shape))):
            expected = dict(layouts(sample("float64", shape)))[name]
            np.testing.assert_array_equal(device.get(), expected, err_msg=name)
            np.testing.assert_array_equal(np.asarray(device), expected, err_msg=name)


def layouts_of_device(device):
    yield "C", device
    yield "F", cp.asfortranarray(device)
    yield "transposed", device.T
    yield "reversed", device[::-1]
    yield "strided", device[::2]
    yield "broadcast", cp.broadcast_to(device, (2, *device.shape))


def test_fortran_order_survives_the_round_trip():
    host = np.asfortranarray(sample("float32", (3, 4)))
    assert cp.asarray(host).flags.f_contiguous
    assert cp.asnumpy(cp.asarray(host), order="F").flags.f_contiguous
    assert cp.asnumpy(cp.asarray(host), order="C").flags.c_contiguous
    assert cp.asarray(host).get(order="C").flags.c_contiguous


def test_misaligned_swapped_and_readonly_sources():
    packed = np.zeros(5, dtype=[("tag", "u1"), ("value", "<f8")])
    packed["value"] = np.arange(5) / 3
    assert_same(cp.asarray(packed["value"]), np.ascontiguousarray(packed["value"]), "misaligned")
    swapped = np.arange(5, dtype=">f4")
    native = cp.asarray(swapped)
    assert native.dtype == np.dtype("float32")
    np.testing.assert_array_equal(native.get(), np.arange(5, dtype="float32"))
    frozen = np.arange(4.0)
    frozen.flags.writeable = False
    thawed = cp.array(frozen)
    thawed[0] = 9
    assert float(thawed[0]) == 9


def test_no_memory_is_shared_by_conversion():
    host = np.arange(6.0)
    for convert in [cp.asarray, cp.array, cp.ascontiguousarray, cp.asanyarray]:
        device = convert(host)
        host[0] = 100
        assert float(device[0]) == 0, convert
        device[1] = 7
        assert host[1] == 1, convert
        host[0] = 0
    device = cp.arange(6.0)
    for back in [device.get(), cp.asnumpy(device)]:
        back[0] = 100
        assert float(device[0]) == 0


def test_source_may_change_before_pending_work_runs():
    host = np.arange(10000.0)
    pending = cp.asarray(host) * 2 + 1
    host[:] = -1
    np.testing.assert_array_equal(pending.get(), np.arange(10000.0) * 2 + 1)


def test_get_into_out_and_set():
    device = cp.arange(6, dtype=cp.float32).reshape(2, 3)
    out = np.empty((2, 3), np.float32)
    assert device.get(out=out) is out
    np.testing.assert_array_equal(out, np.arange(6, dtype=np.float32).reshape(2, 3))
    out[:] = 0
    assert cp.asnumpy(device, out=out) is out
    assert out[1, 2] == 5
    device.set(np.full((2, 3), 4, np.float32))
    np.testing.assert_array_equal(device.get(), np.full((2, 3), 4, np.float32))


def test_set_writes_through_views_and_keeps_pending_readers():
    base = cp.zeros((4, 4))
    reader = base + 1
    base[1:3, 1:3].set(np.ones((2, 2)))
    expected = np.zeros((4, 4))
    expected[1:3, 1:3] = 1
    np.testing.assert_array_equal(base.get(), expected)
    np.testing.assert_array_equal(reader.get(), np.ones((4, 4)))


def test_set_refuses_what_does_not_fit():
    device = cp.zeros((2, 3))
    with pytest.raises(ValueError):
        device.set(np.zeros((3, 2)))
    with pytest.raises(TypeError):
        device.set(np.zeros((2, 3), np.float32))
    with pytest.raises(TypeError):
        device.set([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    np.testing.assert_array_equal(device.get(), np.zeros((2, 3)))


@pytest.mark.cpu
def test_asnumpy_takes_anything_array_like():
    for value in [3, 2.5, [1, 2], np.arange(3), (1.5, 2), [[True], [False]]]:
        back = cp.asnumpy(value)
        assert type(back) is np.ndarray
        np.testing.assert_array_equal(back, np.asarray(value))
    np.testing.assert_array_equal(cp.asnumpy([cp.asarray(1), cp.asarray(2)]), [1, 2])


@pytest.mark.cpu
def test_array_protocol_takes_dtype_and_copy():
    device = cp.arange(4)
    assert np.asarray(device, dtype=np.float32).dtype == np.float32
    assert device.__array__().dtype == np.int64
    assert device.__array__(np.complex64).dtype == np.complex64
    copied = np.array(device, copy=True)
    copied[0] = 50
    assert int(device[0]) == 0
    np.testing.assert_array_equal(np.asarray(cp.arange(3.0) * 2 + 1), [1, 3, 5])


@pytest.mark.cpu
def test_numpy_takes_cuprum_arrays_in_lists_and_assignments():
    host = np.zeros(4)
    host[1:3] = cp.asarray([5.0, 6.0])
    np.testing.assert_array_equal(host, [0, 5, 6, 0])
    np.testing.assert_array_equal(np.array([cp.arange(2).get(), cp.arange(2).get()]), [[0, 1], [0, 1]])
    host[cp.asarray(0)] = 9
    assert host[0] == 9
    assert [10, 20, 30][cp.asarray(1)] == 20


def test_objects_with_array_interface_and_array_are_taken():
    host = np.arange(6, dtype=np.int16).reshape(2, 3)

    class Interface:
        __array_interface__ = host.__array_interface__

    class Method:
        def __array__(self, dtype=None, copy=None):
            return host if dtype is None else host.astype(dtype)

    for source in [Interface(), Method()]:
        assert_same(cp.asarray(source), host, type(source).__name__)
        assert_same(cp.array(source, dtype=cp.float32), host.astype(np.float32), type(source).__name__)


# ---------------------------------------------------------------------------- mixed operands


def test_operators_with_numpy_arrays_give_cuprum_arrays():
    device, host = cp.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3)
    other = np.array([1.0, 2.0, 3.0])
    for name, op in {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "//": lambda a, b: a // b,
        "%": lambda a, b: a % b,
        "**": lambda a, b: a**b,
        "<": lambda a, b: a < b,
        "==": lambda a, b: a == b,
        "@": lambda a, b: a @ np.ones((3, 2)) if a.shape == (2, 3) else np.ones((4, 3)) @ a,
    }.items():
        assert_same(op(device, other), op(host, other), name)
    assert_same(other + device, other + host, "reflected +")
    assert_same(other - device, other - host, "reflected -")
    assert_same(other / (device + 1), other / (host + 1), "reflected /")
    assert_same(other > device, other > host, "reflected >")
    assert_same(np.ones((4, 2)) @ device, np.ones((4, 2)) @ host, "reflected @")


def test_operators_with_numpy_scalars_promote_as_numpy():
    for dtype in ["int8", "uint8", "int64", "float16", "float32", "float64", "complex64", "bool"]:
        device, host = cp.asarray(sample(dtype, (3,))), sample(dtype, (3,))
        for scalar in [
            np.int8(1),
            np.uint16(2),
            np.float32(1.5),
            np.float64(1.5),
            np.complex64(1j),
            np.bool_(True),
        ]:
            case = f"{dtype} and {type(scalar).__name__}"
            assert_same(device + scalar, host + scalar, case)
            assert_same(scalar + device, scalar + host, case)
            assert_same(scalar * device, scalar * host, case)
            assert_same(device == scalar, host == scalar, case)


def test_in_place_with_numpy_on_the_right():
    device, host = cp.arange(6.0), np.arange(6.0)
    kept = device
    device += np.ones(6)
    host += np.ones(6)
    assert kept is device
    assert_same(device, host)
    device *= np.float64(2)
    assert_same(device, host * 2)


def test_numpy_ufuncs_dispatch_to_cuprum():
    device, host = cp.arange(1.0, 7.0).reshape(2, 3), np.arange(1.0, 7.0).reshape(2, 3)
    assert_same(np.sqrt(device), np.sqrt(host))
    assert_same(np.add(host, device), host + host)
    assert_same(np.add(device, 1), host + 1)
    assert_same(np.maximum(device, np.float32(3)), np.maximum(host, np.float32(3)))
    assert_same(np.add.reduce(device, axis=1), np.add.reduce(host, axis=1))
    assert_same(np.multiply.outer(device[0], device[1]), np.multiply.outer(host[0], host[1]))
    assert_same(np.add.accumulate(device, axis=1), np.add.accumulate(host, axis=1))
    assert_same(
        np.add(device, device, dtype=np.float32, casting="same_kind"), (host + host).astype(np.float32)
    )
    out = cp.empty((2, 3))
    assert np.add(device, 1, out=out) is out
    assert_same(out, host + 1)
    for part, expected in zip(np.divmod(device, 2), np.divmod(host, 2), strict=True):
        assert_same(part, expected)


def test_numpy_functions_reach_cuprum_arrays():
    device, host = cp.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3)
    for name, call in {
        "sum": lambda a: np.sum(a, axis=0),
        "concatenate": lambda a: np.concatenate([a, a]),
        "where": lambda a: np.where(a > 2, a, 0),
        "transpose": lambda a: np.transpose(a),
        "reshape": lambda a: np.reshape(a, (3, 2)),
        "mean": lambda a: np.mean(a),
        "dot": lambda a: np.dot(a, a.T),
    }.items():
        np.testing.assert_allclose(cp.asnumpy(call(device)), call(host), err_msg=name)


@pytest.mark.cpu
@pytest.mark.parametrize(
    "call",
    [
        lambda a, m: np.where(m, "yes", "no"),
        lambda a, m: np.where(m, a, None),
        lambda a, m: np.concatenate([a, ["x"]]),
        lambda a, m: np.concatenate([a, np.array(["x"])]),
        lambda a, m: np.isin(np.array(["x", "1.0"]), a),
        lambda a, m: np.isin(a, np.array([None, 1.0], object)),
        lambda a, m: np.broadcast_arrays(a, None, "x"),
        lambda a, m: np.isin(a, ["x", 1.0]),
        lambda a, m: np.select([m], ["x"], default=np.array("y")),
        lambda a, m: np.append(a, [None]),
        lambda a, m: np.is_busday(a.astype("M8[D]")),
        lambda a, m: np.datetime_as_string(a.astype("M8[D]")),
        lambda a, m: np.busday_offset(a.astype("M8[D]"), a.astype(int), roll="forward"),
    ],
)
def test_numpy_functions_without_counterpart_and_beside_strings_are_numpys_own(call):
    host = np.arange(4.0)
    got, want = call(cp.asarray(host), cp.asarray(host) > 1), call(host, host > 1)
    assert type(got) is type(want)
    for one, other in zip(*([x] if isinstance(x, np.ndarray) else x for x in (got, want)), strict=True):
        assert isinstance(one, np.ndarray) and one.dtype == other.dtype
        assert one.tolist() == other.tolist()


def test_numpy_functions_that_write_beside_strings_and_objects_raise():
    a = cp.arange(4.0)
    for call in (
        lambda: np.copyto(a, "x"),
        lambda: np.put(a, [0], ["x"]),
        lambda: np.concatenate([a, ["x"]], out=a),
        lambda: np.place(a, a > 1, ["x"]),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()
    assert a.tolist() == [0, 1, 2, 3]


@pytest.mark.cpu
def test_numpy_functions_write_to_numpy_arrays():
    positions, values = cp.asarray([2, 0]), cp.asarray([5.0, 7.0])
    host = np.zeros(3)
    np.put(host, positions, values)
    assert host.tolist() == [7, 0, 5]
    np.copyto(host, cp.arange(3.0))
    assert host.tolist() == [0, 1, 2]
    np.putmask(host, cp.arange(3) > 0, values)
    assert host.tolist() == [0, 7, 5]
    np.place(host, cp.arange(3) < 2, values)
    assert host.tolist() == [5, 7, 5]
    np.put_along_axis(host, positions[:1], values[1:], 0)
    assert host.tolist() == [5, 7, 7]
    np.put_along_axis(host, positions[:1], values[:1], 0)
    with pytest.raises(TypeError, match=r"add\.at: the first operand .* got ndarray: write cp\.asnumpy\(x\)"):
        np.add.at(host, positions, values)
    with cp.cuda.strict(), pytest.raises(TypeError, match=r"copyto: .* write cp\.asnumpy\(a\) for them"):
        np.copyto(host, cp.arange(3.0))
    assert host.tolist() == [5, 7, 5]


def test_arrays_on_a_gpu_beside_strings_say_what_to_write():
    mask = cp.arange(4.0) > 1
    with (
        cp.cuda.strict(),
        pytest.raises(TypeError, match=r"numpy\.where was called .* write cp\.asnumpy\(a\)"),
    ):
        np.where(mask, "yes", "no")


def test_names_that_numpy_alone_has_are_told():
    for name in ("ma", "char", "matrix"):
        with pytest.raises(
            AttributeError, match=f"no attribute '{name}': numpy.{name} has no counterpart here"
        ):
            getattr(cp, name)
    with pytest.raises(AttributeError, match="no attribute 'arrange'$"):
        cp.arrange  # noqa: B018


def test_names_that_numpy_gave_up_are_told_with_what_stands_for_them():
    for name, now in _former_names._INSTEAD.items():
        with pytest.raises(AttributeError, match=f"no attribute '{name}': an old name of NumPy's; write "):
            getattr(cp, name)
        for word in re.findall(r"cp\.([\w.]+)", now):
            assert operator.attrgetter(word)(cp) is not None


def test_numpy_testing_reads_cuprum_arrays():
    np.testing.assert_array_equal(cp.arange(3).get(), np.arange(3))
    cp.testing.assert_allclose(cp.arange(3.0), np.arange(3.0))
    cp.testing.assert_array_equal(np.arange(3), cp.arange(3))
    with pytest.raises(AssertionError):
        cp.testing.assert_allclose(cp.arange(3.0), np.arange(3.0) + 1e-3)
    with pytest.raises(AssertionError):
        cp.testing.assert_array_equal(cp.arange(3), np.arange(4))


def test_get_array_module():
    assert cp.get_array_module(cp.arange(3)) is cp
    assert cp.get_array_module(np.arange(3), cp.arange(3)) is cp
    assert cp.get_array_module(1, cp.asarray(1.0), [2]) is cp
    for arguments in [(), (1,), (np.arange(3),), ([1, 2], 3.0), (np.float64(1),), (None,)]:
        assert cp.get_array_module(*arguments) is np


def test_get_array_module_of_sparse_arrays():
    import scipy
    import scipy.sparse

    import cuprum.scipy as ours
    from cuprum.compat import cupyx
    from cuprum.scipy import sparse

    for stored in (sparse.eye(3), sparse.csr_array(cp.eye(3))):
        assert cp.get_array_module(stored) is cp
        assert ours.get_array_module(stored) is ours
        assert cupyx.scipy.get_array_module(stored).__name__ == "cuprum.compat.cupyx.scipy"
    assert ours.get_array_module(scipy.sparse.eye(3)) is scipy


def test_dtypes_are_numpys():
    assert cp.float32 is np.float32
    assert cp.dtype is np.dtype
    assert cp.arange(3, dtype="f4").dtype == np.float32
    assert isinstance(cp.zeros(2).dtype, np.dtype)
    assert cp.newaxis is None
    assert (cp.pi, cp.e, cp.inf) == (np.pi, np.e, np.inf)
    assert cp.nan != cp.nan


# ---------------------------------------------------------------------------- buffers and DLPack


@pytest.mark.cpu
def test_memoryview_shows_values_shape_and_format():
    for dtype in DTYPES:
        for shape in [(5,), (2, 3), (2, 3, 4), ()]:
            host = sample(dtype, shape)
            view = memoryview(cp.asarray(host))
            case = f"{dtype} {shape}"
            assert view.shape == shape, case
            assert view.itemsize == host.itemsize, case
            assert view.format == memoryview(host).format, case
            assert view.tobytes() == host.tobytes(), case
            view.release()


@pytest.mark.cpu
def test_memoryview_of_strided_arrays():
    device, host = cp.arange(24).reshape(2, 3, 4), np.arange(24).reshape(2, 3, 4)
    for name, look in {
        "transposed": lambda a: a.T,
        "reversed": lambda a: a[::-1],
        "strided": lambda a: a[:, ::2, 1::2],
    }.items():
        view = memoryview(look(device))
        assert view.strides == look(host).strides, name
        assert view.tolist() == look(host).tolist(), name


@pytest.mark.cpu
def test_memoryview_writes_reach_the_array():
    device = cp.zeros(4)
    view = memoryview(device)
    assert not view.readonly
    view[2] = 7.5
    view.release()
    np.testing.assert_array_equal(device.get(), [0, 0, 7.5, 0])


@pytest.mark.cpu
def test_memoryview_waits_for_pending_work_and_keeps_the_memory_alive():
    view = memoryview(cp.arange(1000.0) * 2)
    assert view[999] == 1998
    assert sum(view) == 999000


@pytest.mark.cpu
def test_bytes_and_tobytes():
    host = np.arange(6, dtype=np.int32).reshape(2, 3)
    device = cp.asarray(host)
    assert bytes(device) == bytes(host)
    assert device.tobytes() == host.tobytes()
    assert device.T.tobytes() == host.T.tobytes()
    assert device.tobytes(order="F") == host.tobytes(order="F")


def test_buffers_are_taken():
    for source in [
        bytearray(b"\x01\x02\x03"),
        memoryview(np.arange(6.0).reshape(2, 3)),
        memoryview(np.arange(12).reshape(3, 4).T),
        stdlib_array.array("d", [1.5, 2.5]),
        stdlib_array.array("i", [1, 2, 3]),
    ]:
        assert_same(cp.asarray(source), np.asarray(source), type(source).__name__)


def test_frombuffer_reads_like_numpy():
    data = bytes(range(24))
    for dtype in ["uint8", "int32", "float64", "complex64", "bool"]:
        assert_same(cp.frombuffer(data, dtype=dtype), np.frombuffer(data, dtype=dtype), dtype)
    assert_same(cp.frombuffer(data, "u2", 3, 4), np.frombuffer(data, "u2", 3, 4), "count and offset")
    assert_same(
        cp.frombuffer(data, dtype="u1", offset=20), np.frombuffer(data, dtype="u1", offset=20), "offset"
    )


@pytest.mark.cpu
def test_dlpack_both_ways():
    for dtype in DTYPES:
        for shape in [(5,), (2, 3), (), (0, 3)]:
            host = sample(dtype, shape)
            device = cp.asarray(host)
            back = np.from_dlpack(device)
            assert back.dtype == host.dtype
            np.testing.assert_array_equal(back, host, err_msg=f"{dtype} {shape}")
            assert_same(cp.from_dlpack(host), host, f"{dtype} {shape}")
    strided = cp.arange(24.0).reshape(4, 6)[::2, 1::2]
    np.testing.assert_array_equal(np.from_dlpack(strided), np.arange(24.0).reshape(4, 6)[::2, 1::2])
    np.testing.assert_array_equal(np.from_dlpack(cp.arange(5.0) * 3), np.arange(5.0) * 3)
    assert cp.arange(3).__dlpack_device__()[0] in (1, 2)


@pytest.mark.cpu
def test_dlpack_export_outlives_the_array():
    back = np.from_dlpack(cp.arange(100000.0) + 1)
    churn = [cp.zeros(100000) for _ in range(4)]
    del churn
    assert back.sum() == np.arange(100000.0).sum() + 100000


# ---------------------------------------------------------------------------- pickles and copies


def test_pickle_every_protocol():
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        for dtype in DTYPES:
            for shape in SHAPES:
                host = sample(dtype, shape)
                back = pickle.loads(pickle.dumps(cp.asarray(host), protocol))
                assert_same(back, host, (protocol, dtype, shape))
                assert back.flags.writeable


def test_pickle_of_views_and_pending_results():
    device, host = cp.arange(24.0).reshape(4, 6), np.arange(24.0).reshape(4, 6)
    for name, look in {
        "transposed": lambda a: a.T,
        "strided": lambda a: a[::-2, 1::2],
        "computed": lambda a: a * 2 + 1,
        "inside": lambda a: {"rows": [a[0], a[1]]},
    }.items():
        back = pickle.loads(pickle.dumps(look(device)))
        if name == "inside":
            assert_same(back["rows"][1], host[1], name)
        else:
            assert_same(back, look(host), name)
    assert pickle.loads(pickle.dumps(cp.asfortranarray(device))).flags.f_contiguous


def test_pickle_keeps_one_object_one():
    a = cp.arange(3)
    first, second = pickle.loads(pickle.dumps((a, a)))
    assert first is second


def test_copies_are_independent():
    for name, duplicate in {
        "copy.copy": copy.copy,
        "copy.deepcopy": copy.deepcopy,
        "method": lambda a: a.copy(),
        "function": cp.copy,
        "array": cp.array,
    }.items():
        source = cp.arange(6.0).reshape(2, 3)
        twin = duplicate(source)
        assert isinstance(twin, cp.ndarray), name
        twin[0, 0] = 50
        source[1, 2] = -1
        np.testing.assert_array_equal(source.get(), [[0, 1, 2], [3, 4, -1]], err_msg=name)
        np.testing.assert_array_equal(twin.get(), [[50, 1, 2], [3, 4, 5]], err_msg=name)


def test_deepcopy_keeps_identity_inside_containers():
    a = cp.arange(3)
    copied = copy.deepcopy({"x": a, "y": [a]})
    assert copied["x"] is copied["y"][0]
    assert copied["x"] is not a


# ---------------------------------------------------------------------------- Python protocols


def test_single_elements_become_python_numbers():
    for dtype in DTYPES:
        host = sample(dtype, (3,))
        device = cp.asarray(host)
        assert type(device[1].item()) is type(host[1].item()), dtype
        assert device[1].item() == host[1].item(), dtype
        assert device.tolist() == host.tolist(), dtype
        assert type(device.tolist()[0]) is type(host.tolist()[0]), dtype
        if "complex" not in dtype:
            assert float(device[1]) == float(host[1])
            assert int(device[1]) == int(host[1])
        assert complex(device[1]) == complex(host[1])
        assert bool(device[0]) is bool(host[0])


def test_index_protocol():
    assert list(range(cp.asarray(3))) == [0, 1, 2]
    assert "abc"[cp.asarray(2)] == "c"
    for bad in [cp.asarray(1.0), cp.arange(3)]:
        with pytest.raises(TypeError):
            range(bad)


def test_arrays_cross_threads():
    device = cp.arange(100000.0) * 2
    results = [None] * 4

    def work(position):
        results[position] = float((device + position).sum())

    threads = [threading.Thread(target=work, args=(position,)) for position in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    host = np.arange(100000.0) * 2
    assert results == [float((host + position).sum()) for position in range(4)]


@pytest.mark.cpu
def test_numpy_sees_that_its_view_shares_memory():
    """Libraries ask NumPy whether they must copy before they write."""
    a = cp.arange(12.0).reshape(3, 4)
    view, other = np.asarray(a), np.zeros((3, 4))
    for ask in (np.may_share_memory, np.shares_memory, cp.may_share_memory, cp.shares_memory):
        assert ask(view, a) is True
        assert ask(a[1:], view) is True
        assert ask(a, other) is False
        assert ask(view[:1], a[2:]) is False
    assert np.shares_memory(view[:, ::2], a[:, 1::2]) is False
    assert np.may_share_memory(view[:, ::2], a[:, 1::2]) is True
    with cp.cuda.strict():
        assert np.shares_memory(a.T, view) is True
