"""Methods that look at memory: byteswap, fields, resize, ctypes, flat; scattering; resolve_dtypes."""

import ctypes
import sys
import weakref

import numpy as np
import pytest
from twin import ALL_DTYPES, ON_GPU, check, collect, twin

import cuprum as cp

HOST_ONLY = pytest.mark.skipif(ON_GPU, reason="the address of memory of the host")


@pytest.mark.parametrize("dtype", ALL_DTYPES)
@twin()
def test_byteswap(xp, dtype):
    a = xp.arange(12).astype(dtype).reshape(3, 4)
    views = (a, a.T, a[:, ::2], a[::-1], a[0, 0], a[:0])
    swapped = tuple(view.byteswap() for view in views)
    same = a.byteswap(inplace=True) is a
    part = xp.arange(12).astype(dtype)
    part[::3].byteswap(True)
    return swapped, same, a, part


def test_byteswap_of_what_cannot_be_written():
    def body(xp):
        a = xp.arange(3)
        a.flags.writeable = False
        return a.byteswap(inplace=True)

    check(body, raises=ValueError)


@pytest.mark.parametrize("offset", [-1, 0, 1, 2, 4, 7, 8])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "int64", "complex64", "complex128"])
def test_getfield(dtype, offset):
    with collect() as failures:
        for whole in ("int16", "int64", "float64", "complex128"):
            with failures:
                check(
                    # A field across its alignment is a copy here, a view in NumPy.
                    lambda xp, w=whole: (
                        xp.arange(6).astype(w).reshape(2, 3)[:, ::-1].getfield(dtype, offset).copy()
                    ),
                    label=f"{whole} {dtype} {offset}",
                    may_raise=ValueError,
                )


def test_getfield_is_a_view():
    a = cp.array([1 + 2j, 3 + 4j])
    field = a.getfield(float, offset=8)
    assert field.base is a
    a[0] = 7j
    assert field.tolist() == [7.0, 4.0]


@pytest.mark.parametrize("offset", [0, 1, 3, 4, 6])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32"])
@twin(may_raise=ValueError)
def test_setfield(xp, dtype, offset):
    a = xp.zeros((2, 3), dtype="int64")
    a.setfield([1, 2, 3], dtype, offset)
    b = xp.zeros(3, dtype="complex64")
    b[::2].setfield(5, dtype, offset)
    return a, b


def test_setfield_errors():
    check(lambda xp: xp.zeros(2, "int16").setfield(1, "int64"), raises=ValueError)
    check(lambda xp: xp.zeros(2, "int64").setfield([1, 2, 3], "int16"), raises=ValueError)
    check(lambda xp: xp.zeros(2, "int64").setfield(1, "int16", 7), raises=ValueError)


RESIZES = [(4,), ((2, 3),), (2, 2), (0,), ((),), (3, 0, 2), (6,), (1, 6), (-1,), (2, -3), (None,), (), (1.5,)]


@pytest.mark.parametrize("shape", RESIZES, ids=repr)
def test_resize_in_place(shape):
    def body(xp, order):
        a = xp.array([[1, 2, 3], [4, 5, 6]], order=order)
        result = a.resize(*shape, refcheck=False)
        return a, result is None

    check(lambda xp: body(xp, "C"), may_raise=(TypeError, ValueError))
    check(lambda xp: body(xp, "F"), may_raise=(TypeError, ValueError))


def test_resize_checks_who_else_uses_the_array():
    def view(xp):
        a = xp.arange(6)
        return a[:].resize(3)

    def strided(xp):
        a = xp.arange(6)
        return a[::2].resize(3)

    def owner_of_a_view(xp):
        a = xp.arange(6)
        b = a[1:]
        a.resize(3)
        return a, b

    def second_name(xp):
        a = xp.arange(6)
        b = a
        a.resize(8)
        return a, b

    def second_name_unchecked(xp):
        a = xp.arange(6)
        b = a
        a.resize(8, refcheck=False)
        return a, b

    def watched(xp):
        a = xp.arange(6)
        reference = weakref.ref(a)
        a.resize(8, refcheck=False)
        return a, reference

    def alone(xp):
        a = xp.arange(6)
        a.resize(8)
        return a

    def same_size_of_a_view(xp):
        a = xp.arange(6)
        b = a[:]
        b.resize(2, 3)
        return b

    for body in (view, strided, owner_of_a_view, second_name, second_name_unchecked, watched, alone):
        if sys.version_info < (3, 14) or body not in (owner_of_a_view, second_name):
            check(body, label=body.__name__, may_raise=ValueError)
    check(same_size_of_a_view)


@HOST_ONLY
def test_resize_of_memory_that_is_known_outside():
    a = cp.arange(4)
    address = a.ctypes.data
    with pytest.raises(ValueError):
        a.resize(8, refcheck=False)
    assert a.ctypes.data == address


def test_resize_leaves_earlier_results_alone():
    a = cp.arange(100_000.0)
    b = a * 2
    a.resize(3, refcheck=False)
    assert float(b.sum()) == 2 * sum(range(100_000))
    assert a.tolist() == [0.0, 1.0, 2.0]


@HOST_ONLY
def test_ctypes():
    for xp in (np, cp):
        a = xp.arange(6, dtype="int32").reshape(2, 3)
        view = a.ctypes
        assert view.shape[:] == [2, 3]
        assert view.strides[:] == [12, 4]
        assert view.shape_as(ctypes.c_short)[:] == [2, 3]
        assert view.strides_as(ctypes.c_int)[:] == [12, 4]
        pointer = view.data_as(ctypes.POINTER(ctypes.c_int32))
        assert pointer[:6] == list(range(6))
        pointer[1] = 70
        assert a.tolist() == [[0, 70, 2], [3, 4, 5]]
        assert view.data == ctypes.cast(pointer, ctypes.c_void_p).value
        assert view._as_parameter_.value == view.data
        kept = xp.full(3, 7.5).ctypes.data_as(ctypes.POINTER(ctypes.c_double))
        assert kept[:3] == [7.5] * 3


@HOST_ONLY
@twin()
def test_ctypes_writes_are_seen(xp):
    a = xp.zeros(3)
    before = a + 1
    ctypes.memmove(a.ctypes.data, (ctypes.c_double * 2)(1.5, 2.5), 16)
    return before, a + 1


FLAT_KEYS = [0, -1, 5, 6, slice(1, 4), slice(None, None, -2), [0, 2], Ellipsis, None, (1,), (1, 2), True]


@pytest.mark.parametrize("key", FLAT_KEYS, ids=repr)
@pytest.mark.parametrize("layout", ["C", "F", "reversed"])
def test_flat_is_indexed(key, layout):
    def array(xp):
        a = xp.arange(6).reshape(2, 3)
        return {"C": a, "F": xp.asfortranarray(a), "reversed": a[::-1, ::-1]}[layout]

    def assigned(xp):
        a = array(xp)
        a.flat[key] = 9
        return a

    if not (key is True or key is None or key is Ellipsis or isinstance(key, tuple)):
        check(lambda xp: array(xp).flat[key], may_raise=IndexError)
        check(assigned, may_raise=IndexError)


@twin()
def test_flat_walks(xp):
    a = xp.arange(6).reshape(2, 3).T
    flat = a.flat
    steps = []
    for element in flat:
        steps.append((int(element), flat.index, flat.coords))
    other = a.flat
    next(other)
    first = other[3]
    return (
        steps,
        len(a.flat),
        flat.base is a,
        a.flat.copy(),
        a.flat == 2,
        a.flat < xp.arange(6),
        first,
        xp.array(5).flat.coords,
        list(map(int, xp.array(5).flat)),
        xp.zeros((0, 3)).flat.coords,
    )


def test_flat_is_a_flatiter():
    assert isinstance(cp.arange(3).flat, cp.flatiter)
    if not ON_GPU:
        assert np.asarray(cp.arange(3).flat).tolist() == [0, 1, 2]


@pytest.mark.parametrize(("name", "ufunc"), [("add", "add"), ("max", "maximum"), ("min", "minimum")])
def test_scatter_methods(name, ufunc):
    keys = [[0, 2, 2], slice(1, None), (slice(None), 1), ([0, 1], [2, 2]), Ellipsis]
    for key in keys:
        ours, theirs = cp.arange(12.0).reshape(3, 4), np.arange(12.0).reshape(3, 4)
        getattr(ours, f"scatter_{name}")(key, 5.5)
        getattr(np, ufunc).at(theirs, key, 5.5)
        np.testing.assert_array_equal(ours.get(), theirs)


def test_reduced_view():
    a = cp.zeros((2, 3, 4))
    assert a.reduced_view().shape == (24,)
    assert a[:, :, :2].reduced_view().shape == (6, 2)
    assert a[:, 1:].reduced_view().shape == (2, 8)
    assert a.transpose(2, 0, 1).reduced_view().shape == (4, 6)
    assert cp.zeros((1, 1)).reduced_view().shape == (1,)
    assert cp.zeros(()).reduced_view().shape == ()
    assert cp.zeros((2, 0)).reduced_view().shape == (0,)
    view = a.reduced_view()
    view[5] = 1
    assert a[0, 1, 1] == 1


def test_capsules():
    a = cp.arange(6).reshape(2, 3)
    shared = cp.fromDlpack(a.toDlpack())
    a[0, 0] = 9
    assert shared.tolist() == [[9, 1, 2], [3, 4, 5]]
    capsule = a.toDlpack()
    cp.fromDlpack(capsule)
    with pytest.raises(ValueError):
        cp.fromDlpack(capsule)
    with pytest.raises(TypeError):
        cp.fromDlpack(a)


def test_names_of_ufuncs():
    assert cp.add.name == cp.add.__name__ == "add"


RESOLVED = [
    ("add", ("i4", "f4", None), {}),
    ("add", ("i4", int, None), {}),
    ("add", (float, int, None), {}),
    ("add", ("i4", complex, None), {}),
    ("add", ("i4", "f4", "i4"), {}),
    ("add", ("i4", "f4", "i4"), {"casting": "unsafe"}),
    ("add", ("i4", "i4", None), {"signature": "ff->f"}),
    ("add", ("i4", "i4"), {}),
    ("add", ("i4", None, None), {}),
    ("add", ("i4", "foo", None), {}),
    ("add", (None, "i4", None), {"reduction": True}),
    ("add", (None, None, None), {"reduction": True}),
    ("add", ("f4", "i4", None), {"reduction": True}),
    ("add", ("f4", "i4", "f4"), {"reduction": True}),
    ("multiply", (None, "u1", None), {"reduction": True}),
    ("maximum", (None, "i2", None), {"reduction": True}),
    ("divide", (None, "i4", None), {"reduction": True}),
    ("logical_or", (None, "f4", None), {"reduction": True}),
    ("less", (None, "f4", None), {"reduction": True}),
    ("sqrt", (None, "f4"), {"reduction": True}),
    ("sqrt", (int, None), {}),
    ("sqrt", ("i1", None), {}),
    ("equal", ("i8", "u8", None), {}),
    ("less", ("u8", "i4", None), {}),
    ("less", ("i1", int, None), {}),
    ("ldexp", ("f4", "i8", None), {}),
    ("ldexp", ("f4", "i2", None), {}),
    ("ldexp", ("f4", int, None), {}),
    ("ldexp", ("f4", "f4", None), {}),
    ("frexp", ("f2", None, None), {}),
    ("divmod", ("i4", "f4", None, None), {}),
    ("power", ("i4", float, None), {}),
    ("logical_and", ("i4", "f4", None), {}),
    ("logical_and", ("f4", "f4", None), {}),
    ("logical_not", ("f4", None), {}),
    ("bitwise_and", ("f4", "f4", None), {}),
]


@pytest.mark.parametrize(("name", "dtypes", "keywords"), RESOLVED, ids=lambda v: str(v))
def test_resolve_dtypes(name, dtypes, keywords):
    given = tuple(np.dtype(d) if isinstance(d, str) and d != "foo" else d for d in dtypes)
    check(lambda xp: getattr(xp, name).resolve_dtypes(given, **keywords), may_raise=(TypeError, ValueError))
