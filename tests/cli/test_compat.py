"""``cupy`` and ``cupyx`` resolve to Cuprum's modules once installed, and to nothing before and after."""

import importlib
import subprocess
import sys

import numpy as np
import pytest
import reference

import cuprum
import cuprum.compat
from cuprum.compat.cupy._host import METHODS


@pytest.fixture
def installed():
    cuprum.compat.install()
    yield
    cuprum.compat.uninstall()


def names(prefix):
    return [name for name in sys.modules if name == prefix or name.startswith(f"{prefix}.")]


def test_import_forms(installed):
    import cupy
    import cupy as cp
    import cupy.cuda.runtime
    import cupyx.profiler as profiler
    from cupy.cuda import Device, memory
    from cupy.cuda.stream import Stream
    from cupyx import scatter_add

    assert cp is cupy
    assert cupy.ndarray is cuprum.ndarray
    assert cupy.cuda is cuprum.cuda and cupy.cuda.runtime is cuprum.cuda.runtime
    assert memory is cuprum.cuda.memory and Device is cuprum.cuda.Device and Stream is cuprum.cuda.Stream
    assert profiler is cuprum.compat.cupyx.profiler
    assert scatter_add is cuprum.compat.cupyx.scatter_add


@pytest.mark.parametrize(
    "name",
    ["cupy.cuda.device", "cupy.cuda.pinned_memory", "cupy.cuda.nvtx", "cupy.testing", "cupyx.time"],
)
def test_submodules(installed, name):
    module = importlib.import_module(name)
    assert module.__name__.startswith("cuprum.")
    parent, _, last = name.rpartition(".")
    assert getattr(importlib.import_module(parent), last) is module
    assert module.__spec__.name == module.__name__


def test_every_public_module_of_the_package_is_found(installed):
    for name, module in reference.public_submodules().items():
        first = name.partition(".")[0]
        if first in ("compat", "dask") or name == "testing":
            # CuPy's testing has names that are its own.
            continue
        if name in ("scipy", "scipy.linalg", "scipy.signal", "scipy.spatial"):
            # Where CuPy and SciPy differ, these follow CuPy.
            module = importlib.import_module(f"cuprum.compat.cupyx.{name}")
        other = f"cupyx.{name}" if first in ("distributed", "scipy") else f"cupy.{name}"
        assert importlib.import_module(other) is module


@pytest.mark.parametrize(
    "name",
    [
        "cupy.nothing",
        "cupyx.nothing",
        "cupy._core._nothing",
        "cupy._kernels",
        "cupy.cli",
        "cupy.compat",
        "cupy.dask",
        "cupy.scipy",
    ],
)
def test_what_cupy_does_not_have_is_not_found(installed, name):
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module(name)
    assert caught.value.name == name


def test_unknown_attributes_name_the_module_the_program_knows(installed):
    import cupy
    import cupyx

    with pytest.raises(AttributeError, match="module 'cupy' has no attribute 'nothing'"):
        cupy.nothing
    with pytest.raises(AttributeError, match="module 'cupyx' has no attribute 'nothing'"):
        cupyx.nothing
    with pytest.raises(ImportError):
        from cupy import nothing  # noqa: F401


@pytest.mark.parametrize("name", ["cusignal", "cudf.core"])
def test_other_libraries_are_left_alone(installed, name):
    root = name.partition(".")[0]
    if importlib.util.find_spec(root) is not None:
        pytest.skip(f"{root} is installed")
    with pytest.raises(ImportError):
        importlib.import_module(name)


def test_the_version_is_one_that_programs_can_compare(installed):
    import cupy

    assert int(cupy.__version__.split(".")[0]) >= 13
    assert cuprum.__version__ in cupy.__version__


def test_the_same_names_as_the_package(installed):
    import cupy

    assert set(cuprum.__all__) <= set(dir(cupy))
    own = {name for name in cuprum.__all__ if getattr(cupy, name) is not getattr(cuprum, name)}
    assert own == {"array", "asarray", "asanyarray", "get_array_module", *METHODS}


def test_methods_of_numpy_arrays_give_numpys_results(installed):
    import cupy

    x = np.arange(6.0).reshape(2, 3)
    calls = {"argpartition": (1,), "choose": ([x, x],), "clip": (1, 2), "dot": (x.T,), "repeat": (2,)}
    calls |= {"reshape": ((3, 2),), "swapaxes": (0, 1), "take": ([0],)}
    for name in METHODS:
        host = np.zeros((2, 3), int) if name == "choose" else x
        got = getattr(cupy, name)(host, *calls.get(name, ()))
        want = getattr(np, name)(host, *calls.get(name, ()))
        assert type(got) is type(want) and np.array_equal(got, want), name
        ours = getattr(cupy, name)(cupy.asarray(host), *calls.get(name, ()))
        assert isinstance(ours, cupy.ndarray) and np.array_equal(ours.get(), want), name
    fused = cupy.fuse(lambda a: cupy.sum(a * 2, axis=0))
    assert type(fused(x)) is np.ndarray and isinstance(fused(cupy.asarray(x)), cupy.ndarray)


def test_arrays_of_one_element_are_assigned_to_one_element():
    a = cuprum.zeros(3)
    cuprum.compat.install()
    try:
        a[0], a[1], a[2] = cuprum.array([5.0]), cuprum.ones((1, 1)), 7
        assert a.tolist() == [5, 1, 7]
        with pytest.raises(ValueError):
            a[0] = cuprum.ones(2)
    finally:
        cuprum.compat.uninstall()
    with pytest.raises(ValueError):
        a[0] = cuprum.ones(1)


def test_older_names_of_numpys_that_cupy_keeps(installed):
    import cupy
    import cupy.typing

    assert cupy.float_ is cupy.float64 and cupy.Inf == cupy.inf and cupy.NINF == -cupy.inf
    assert cupy.round_ is cuprum.around and cupy.product is cuprum.prod
    assert cupy.msort(cupy.array([[2, 1], [0, 3]])).tolist() == [[0, 1], [2, 3]]
    assert cupy.asfarray([1, 2]).dtype == cupy.float64
    assert cupy.asfarray([1, 2], dtype="float32").dtype == cupy.float32
    with pytest.warns(DeprecationWarning, match="vstack"):
        assert cupy.row_stack([cupy.ones(2), cupy.zeros(2)]).shape == (2, 2)
    assert cupy.AxisError is cupy.exceptions.AxisError
    assert cupy.typing.NDArray[cupy.float32].__origin__ is cuprum.ndarray
    assert not hasattr(cuprum, "float_")


def test_programs_ask_whether_an_array_is_cupys(installed):
    import cupy
    import numpy

    assert cupy.get_array_module(cupy.arange(3), 2) is cupy
    assert cupy.get_array_module(numpy.arange(3)) is numpy


def test_libraries_tell_the_module_by_its_name_and_wrap_it_by_a_star(installed):
    import cupy

    assert cupy.__name__ == "cupy"
    assert cupy.get_array_module(cupy.ones(1)).__name__ == "cupy"
    assert importlib.import_module("cupy").__spec__.name == "cuprum.compat.cupy"
    space = {}
    exec("from cupy import *", space)
    for name in dir(cupy):
        assert name.startswith("_") or space[name] is getattr(cupy, name), name
    assert not {"cli", "compat", "dask"} & set(dir(cupy))


@pytest.mark.skipif("CPU" not in str(cuprum.arange(1).device), reason="a GPU's arrays always have it")
def test_arrays_on_the_cpu_show_the_interface_that_programs_probe_for():
    import numpy

    a = cuprum.arange(6.0).reshape(2, 3)
    assert not hasattr(a, "__cuda_array_interface__")
    cuprum.compat.install()
    try:
        shown = a[:, 1:].__cuda_array_interface__
        assert shown["shape"] == (2, 2) and shown["strides"] == (24, 8) and shown["typestr"] == "<f8"
        assert shown["data"] == (a.data.ptr + 8, False) and shown["version"] == 3
        assert a.__cuda_array_interface__["strides"] is None
        assert (cuprum.asarray(a) + numpy.float32(1)).tolist() == (a + 1).tolist()
    finally:
        cuprum.compat.uninstall()
    assert not hasattr(a, "__cuda_array_interface__")


def test_installing_twice_and_uninstalling():
    cuprum.compat.install()
    cuprum.compat.install()
    import cupy

    assert names("cupy")
    cuprum.compat.uninstall()
    assert not names("cupy") and not names("cupyx")
    assert cupy.ndarray is cuprum.ndarray
    if importlib.util.find_spec("cupy") is None:
        with pytest.raises(ImportError):
            import cupy.cuda  # noqa: F401
    cuprum.compat.uninstall()
    assert sys.modules["cuprum"] is cuprum


def test_a_cupy_that_was_imported_before_is_not_replaced(tmp_path):
    (tmp_path / "cupy.py").write_text("who = 'another'\n")
    text = (
        "import cupy, cuprum.compat\n"
        "try:\n    cuprum.compat.install()\nexcept RuntimeError as error:\n    print(error)\n"
        "import cupy\nprint(cupy.who)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert "imported already" in done.stdout and done.stdout.endswith("another\n")


def test_an_installed_cupy_is_hidden_by_run(tmp_path):
    (tmp_path / "cupy.py").write_text("who = 'another'\n")
    done = subprocess.run(
        [sys.executable, "-m", "cuprum", "run", "-c", "import cupy; print(cupy.get_array_module.__module__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "cuprum.compat.cupy\n"


def test_names_that_numpy_gave_up(installed, capsys):
    import cupy
    import numpy as np

    a, host = cupy.zeros((4, 5)), np.zeros((4, 5))
    low, high = cupy.byte_bounds(a[::-2, 1:3])
    first, last = np.lib.array_utils.byte_bounds(host[::-2, 1:3])
    assert (low - a.data.ptr, high - a.data.ptr) == (first - host.ctypes.data, last - host.ctypes.data)
    cupy.who({"a": a, "view": a[1:], "other": 5})
    lines = capsys.readouterr().out.split("\n")
    assert [line.split() for line in lines[2:4]] == [
        ["a", "4", "x", "5", "160", "float64"],
        ["view", "3", "x", "5", "120", "float64"],
    ]


def test_how_errors_are_met(installed):
    import cupy
    import cupyx

    before = cupyx.geterr()
    with cupyx.errstate(linalg="raise"):
        assert cupyx.geterr()["linalg"] == "raise"
        with pytest.raises(cupy.linalg.LinAlgError):
            cupy.linalg.inv(cupy.zeros((2, 2)))
    assert cupyx.geterr() == before
    with pytest.raises(NotImplementedError), cupyx.errstate(divide="raise"):
        pass


def test_distributions_in_any_dtype(installed):
    import cupy

    for dtype in ("float16", "float32", "int8", "uint32"):
        for draw in (cupy.random.gamma, cupy.random.beta, cupy.random.noncentral_chisquare):
            assert draw(3.0, 2.0, (2, 5), dtype=dtype).dtype == dtype
    with pytest.raises(TypeError):
        cupy.random.default_rng(0).standard_gamma(3.0, 2, dtype="float16")


def test_names_of_types(installed):
    import cupy
    import numpy as np

    assert cupy.obj2sctype(cupy.ones(2, "f4")) is cupy.obj2sctype("f4") is np.float32
    assert cupy.obj2sctype("no type", default=5) == 5
    assert cupy.issctype(np.int32) and cupy.issctype(np.dtype("i4")) and not cupy.issctype("i4")
    assert cupy.issubsctype(np.float32, np.floating) and not cupy.issubsctype("i4", np.floating)
    assert cupy.issubclass_(int, object) and not cupy.issubclass_(1, object)
    assert cupy.sctype2char(np.float64) == "d" and cupy.sctype2char(cupy.ones(1, "i2")) == "h"


@pytest.mark.parametrize("order", ["K", "A", "C", "F", "c", "f", None])
@pytest.mark.parametrize("shape", [None, 6, (3, 2, 4), (6,)])
def test_pinned_arrays_lie_as_numpys(installed, order, shape):
    import cupy
    import cupyx
    import numpy as np

    for axes in ((0, 1, 2), (1, 0, 2), (2, 1, 0)):
        host = np.zeros((2, 4, 3)).transpose(axes)
        like = cupy.zeros((2, 4, 3)).transpose(axes)
        made = cupyx.empty_like_pinned(like, "f4", order, shape=shape)
        expected = np.empty_like(host, "f4", "K" if order is None else order, shape=shape)
        assert made.strides == expected.strides and made.shape == expected.shape
        assert isinstance(made.base, cupy.cuda.PinnedMemoryPointer)
    zeros = cupyx.zeros_pinned((2, 3), order=None)
    assert zeros.flags.c_contiguous and not zeros.any()


@pytest.mark.parametrize("order", [None, "K", "A", "C", "F"])
@pytest.mark.parametrize("axes", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (0, 2, 1)])
def test_what_comes_from_the_host_lies_in_one_of_two_orders(installed, order, axes):
    import cupy
    import numpy as np

    host = np.arange(24.0).reshape(2, 4, 3).transpose(axes)
    is_fortran = order == "F" or (order != "C" and host.flags.f_contiguous and not host.flags.c_contiguous)
    for make in (cupy.array, cupy.asarray, cupy.asanyarray):
        made = make(host, order=order) if order else make(host)
        assert made.flags.f_contiguous == is_fortran and made.flags.c_contiguous != is_fortran
        np.testing.assert_array_equal(made.get(), host)
