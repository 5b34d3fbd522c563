"""Names that libraries take from CuPy's private modules, and what they ask an array's class for."""

import warnings

import numpy as np
import pytest
from twin import fresh_python

import cuprum as cp
from cuprum.compat import cupy
from cuprum.compat.cupy import _util
from cuprum.compat.cupy._core import _accelerator, create_ufunc, internal
from cuprum.compat.cupy._core._dtype import get_dtype, to_cuda_dtype
from cuprum.compat.cupy._core._scalar import get_typename

NAMES = [
    ("cupy", "_default_memory_pool _default_pinned_memory_pool"),
    ("cupy._util", "memoize clear_memo PerformanceWarning experimental _normalize_axis_index"),
    (
        "cupy._core",
        "ElementwiseKernel ReductionKernel ndarray ufunc create_ufunc fusion internal core add raw",
    ),
    ("cupy._core.core", "ndarray array compile_with_cache fromDlpack"),
    ("cupy._core.internal", "prod _normalize_axis_index _normalize_axis_indices get_size"),
    ("cupy._core._scalar", "get_typename"),
    ("cupy._core._kernel", "ElementwiseKernel create_ufunc ufunc"),
    ("cupy._core._reduction", "ReductionKernel"),
    ("cupy._core._routines_indexing", "_ndarray_argwhere"),
    ("cupy._core.raw", "RawKernel RawModule"),
    ("cupy.core", "ndarray ElementwiseKernel"),
    ("cupy.core.core", "ndarray"),
    ("cupy.core.dlpack", "fromDlpack toDlpack"),
    ("cupy_backends.cuda.api.runtime", "CUDARuntimeError getDeviceCount"),
    ("cupy_backends.cuda.api.driver", "get_build_version"),
    ("cupy_backends.cuda.api", "runtime driver"),
    ("cupy_backends.cuda.stream", "get_current_stream_ptr"),
]


NO_NAMES = ["cupy._kernels", "cupy._core._nothing", "cupyx._nothing"]


def test_private_modules_are_never_loaded_twice():
    code = """
    import sys
    import cuprum.compat
    cuprum.compat.install()
    from cupyx.distributed.array import SUM, _modes
    import cupyx.scipy.sparse._base
    import cuprum.distributed.array, cuprum.scipy.sparse._base
    assert _modes.SUM is SUM and _modes is cuprum.distributed.array._modes
    assert sys.modules["cupyx.scipy.sparse._base"] is cuprum.scipy.sparse._base
    """
    fresh_python(code)


def test_private_modules_are_found():
    """In a process of its own: another CuPy may have been imported here."""
    code = f"""
    import importlib
    import cuprum.compat
    cuprum.compat.install()
    for module, names in {NAMES!r}:
        found = importlib.import_module(module)
        for name in names.split():
            if not hasattr(found, name):
                print(module, "has no", name)
    for module in {NO_NAMES!r}:
        try:
            importlib.import_module(module)
            print(module, "was found")
        except ModuleNotFoundError:
            pass
    """
    assert fresh_python(code) == ""


def test_arrays_are_cupys_while_the_names_are_installed():
    code = """
    import pickle
    import cuprum.compat
    assert cp.ndarray.__module__ == "cuprum"
    cuprum.compat.install()
    assert type(cp.arange(3)).__module__ == "cupy"
    assert pickle.loads(pickle.dumps(cp.ndarray)) is cp.ndarray
    kept = pickle.dumps(cp.arange(3))
    cuprum.compat.uninstall()
    assert cp.ndarray.__module__ == "cuprum"
    print(pickle.loads(kept).tolist())
    """
    assert fresh_python(code) == "[0, 1, 2]"


def test_axes_and_shapes():
    assert internal._normalize_axis_index(-1, 3) == 2
    assert internal._normalize_axis_indices((2, -3), 3) == (0, 2)
    assert internal._normalize_axis_indices((2, -3), 3, sort_axes=False) == (2, 0)
    assert internal._normalize_axis_indices(None, 2) == (0, 1)
    for axis in (3, -4):
        with pytest.raises(np.exceptions.AxisError):
            internal._normalize_axis_index(axis, 3)
    with pytest.raises(ValueError, match="Duplicate"):
        internal._normalize_axis_indices((1, -2), 3)
    assert internal.prod((2, 3)) == 6 and internal.prod(()) == 1
    assert (
        internal.get_size(None) == () and internal.get_size(3) == (3,) and internal.get_size([2, 3]) == (2, 3)
    )
    assert [internal.clp2(x) for x in (0, 1, 3, 8, 9)] == [0, 1, 4, 8, 16]
    assert internal.infer_unknown_dimension((2, -1), 6) == [2, 3]
    with pytest.raises(ValueError, match="unknown"):
        internal.infer_unknown_dimension((-1, -1), 6)
    assert internal.complete_slice(slice(None, -1), 5) == slice(0, 4, 1)
    assert internal._broadcast_shapes([(2, 1), (3,)]) == (2, 3)


def test_dtypes():
    assert get_typename("int8") == "signed char" and get_typename(np.complex64) == "complex<float>"
    assert get_dtype("single") == np.float32 and to_cuda_dtype("F") == 4 and to_cuda_dtype("e", True) == 2
    for kind in ("e", "i8"):
        with pytest.raises(TypeError, match="not supported"):
            to_cuda_dtype(kind)


def test_accelerators_are_kept():
    before = _accelerator.get_routine_accelerators()
    _accelerator.set_routine_accelerators(["cub", "cutensor"])
    assert _accelerator.get_routine_accelerators() == [1, 2]
    _accelerator.set_routine_accelerators(before)
    with pytest.raises(ValueError, match="Unknown accelerator"):
        _accelerator.set_reduction_accelerators(["nothing"])


def test_experimental_features_warn(monkeypatch):
    with pytest.warns(FutureWarning, match="lib.feature"):
        _util.experimental("lib.feature")
    monkeypatch.setattr(cupy, "disable_experimental_feature_warning", True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _util.experimental("lib.feature")
    with pytest.raises(TypeError, match="x must be"):
        _util.check_array(np.zeros(2), arg_name="x")


def test_ufuncs_in_cuda_c():
    step = create_ufunc(
        "step", ("ff->f", "dd->d", ("ll->l", "out0 = in0 - in1")), "out0_type t = in0; out0 = t * in1"
    )
    x = cp.arange(3, dtype="f")
    np.testing.assert_array_equal(cp.asnumpy(step(x, 2)), [0, 2, 4])
    assert step(x, 2).dtype == np.float32 and step(x, cp.ones(3)).dtype == np.float64
    assert step(cp.arange(3), cp.ones((2, 1), int), dtype="l").tolist() == [[-1, 0, 1]] * 2
    out = cp.zeros(3, "f")
    assert step(x.astype("d"), 3.0, out=out) is out and out.tolist() == [0, 3, 6]
    with pytest.raises(TypeError, match="cannot be cast"):
        step(x, 2, out=cp.zeros(3, "i"))
    with pytest.raises(TypeError, match="wrong type of arguments"):
        step(x.astype("F"), 1)
    with pytest.raises(TypeError, match="takes 2 arrays"):
        step(x)
    assert (step.nin, step.nout, step.nargs, step.types[0]) == (2, 1, 3, "ff->f")
    both = create_ufunc("both", ("d->dd",), "out0 = in0; out1 = -in0", preamble="// nothing")
    assert [one.tolist() for one in both(cp.ones(2))] == [[1, 1], [-1, -1]]
    with pytest.raises(TypeError, match="no routine"):
        create_ufunc("empty", ("d->d",))


def test_aligned_dtypes():
    inner = np.dtype([("x", "i2"), ("y", "f4")])
    made = cupy.make_aligned_dtype([("a", "i1"), ("b", "c16"), ("c", inner, (2,)), ("d", "i1")])
    assert [made.fields[name][1] for name in "abcd"] == [0, 16, 32, 48] and made.itemsize == 64
    assert made["c"].base.fields["y"][1] == 4
    wide = cupy.make_aligned_dtype([("a", "f4"), ("b", "f4"), ("c", "f4")], alignment=16)
    assert wide.itemsize == 16 and wide.metadata["__cuda_alignment__"] == 16
    nested = cupy.make_aligned_dtype([("a", "i1"), ("v", wide)])
    assert nested.fields["v"][1] == 16 and nested.itemsize == 32
    for spec, alignment, text in (
        ("f8", -1, "structured"),
        ([("a", "f8")], 4, "smaller"),
        ([("a", "f8")], 12, "power of two"),
    ):
        with pytest.raises(ValueError, match=text):
            cupy.make_aligned_dtype(spec, alignment=alignment)
    overlapping = np.dtype({"names": ["a", "b"], "formats": ["f8", "f8"], "offsets": [8, 0]})
    with pytest.raises(ValueError, match="fields in the order of their offsets"):
        cupy.make_aligned_dtype(overlapping)


def test_names_that_numpy_gave_up(capsys):
    assert cupy.find_common_type(["f4"], ["f8"]) == np.float32
    assert (
        cupy.find_common_type(["i8"], ["f4"]) == np.float32 and cupy.find_common_type([], ["i4"]) == np.int32
    )
    with pytest.raises(ValueError, match="at least one"):
        cupy.find_common_type([], [])
    cupy.disp("shown", linefeed=False)
    assert capsys.readouterr().out == "shown"
    assert cupy.safe_eval("[1, 2]") == [1, 2] and cupy.get_array_wrap(1, 2) is None
    assert cupy.get_array_wrap(1, np.zeros(2)) is not None


def test_copies_into_another_dtype():
    from cuprum.compat.cupy import _core

    a = np.array([[1.5, -2.5], [3.0, 4.0]])
    out = cp.empty((2, 2), np.int32)
    assert _core.elementwise_copy(cp.asarray(a), out) is out
    np.testing.assert_array_equal(out.get(), a.astype(np.int32))
    np.testing.assert_array_equal(_core.elementwise_copy(cp.asarray(a)).get(), a)


def test_what_comes_from_the_host_is_copied_whatever_copy_says():
    host = np.arange(3.0)
    for given in (host, [0.0, 1.0, 2.0]):
        made = cupy.array(given, copy=False)
        assert made.get().tolist() == [0, 1, 2]
    assert cupy.array(made, copy=False) is made or cupy.shares_memory(cupy.array(made, copy=False), made)
    with pytest.raises(ValueError, match="unable to avoid a copy"):
        cupy.array(made, "float32", copy=False)


def test_layouts_by_private_names():
    a = cp.ones((3, 4))
    for view in (a, a.T, a[::2], a[:, :1], cp.ones(5), cp.ones(())):
        flags = view.flags
        assert (view._c_contiguous, view._f_contiguous) == (flags.c_contiguous, flags.f_contiguous)


def test_what_gives_an_array_is_an_index():
    class Wrapped:
        def __init__(self, array):
            self.array = array

        def __cupy_get_ndarray__(self):
            return self.array

    a = np.arange(12).reshape(3, 4)
    for index in (np.array([2, 0]), np.array([True, False, True]), np.array(1)):
        np.testing.assert_array_equal(cp.asarray(a)[Wrapped(cp.asarray(index))].get(), a[index])
    with pytest.raises(IndexError):
        cp.asarray(a)[Wrapped(cp.ones(2))]


def test_products_go_into_outputs_of_their_size():
    rng = np.random.default_rng(0)
    for first, second in (
        *(((5,), (5,)), ((3, 4), (4, 2)), ((4,), (4, 3)), ((3, 4), (4,)), ((2, 3, 4), (5, 4, 6))),
        *(((), (3,)), ((3,), ()), ((), ())),
    ):
        a, b = rng.random(first), rng.random(second)
        want = np.dot(a, b)
        for shape in (want.shape, (want.size,), (1, want.size), (want.size, 1, 1)):
            out = cp.empty(shape)
            assert cupy.dot(cp.asarray(a), cp.asarray(b), out=out) is out
            np.testing.assert_allclose(out.get(), want.reshape(shape), rtol=1e-13)
    for out in (cp.empty(2), cp.empty((2, 2)).T, cp.empty(1, "float32")):
        with pytest.raises(ValueError, match="dot: output"):
            cupy.dot(cp.ones(3), cp.ones(3), out=out)
    assert type(cupy.dot(np.ones(3), np.ones(3))) is np.float64
