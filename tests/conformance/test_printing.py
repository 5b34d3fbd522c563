"""``str``, ``repr`` and the formatting functions give NumPy's text for the same values."""

import numpy as np
import pytest

import cuprum as cp

FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
SHAPES = [(), (0,), (1,), (7,), (30,), (0, 3), (3, 0), (2, 3), (4, 1), (2, 3, 4), (2, 0, 3), (1, 1, 1, 2)]


def assert_prints_alike(host, case):
    device = cp.asarray(host)
    assert repr(device) == repr(host), case
    assert str(device) == str(host), case
    assert f"{device!r:>3}" == f"{host!r:>3}", case


def test_every_dtype_and_shape():
    for dtype in ["bool", *INTEGERS, *FLOATS, *COMPLEX]:
        for shape in SHAPES:
            size = int(np.prod(shape))
            host = (np.arange(size) * 1.25 - (0 if dtype[0] == "u" else 2)).reshape(shape)
            assert_prints_alike(host.astype(dtype), f"{dtype} {shape}")


@pytest.mark.parametrize("dtype", FLOATS)
def test_float_values(dtype):
    groups = [
        [0.0, -0.0, 1.0],
        [1.5, -2.25, 3.0],
        [np.nan, 1.0, 2.5],
        [np.inf, -np.inf, np.nan],
        [1e-4, 1.0, 1000.0],
        [1e-5, 1.0],
        [0.1, 0.2, 0.3],
        [1 / 3, 2 / 3],
        [6e4, -6e4],
        [1e-7],
        [123.456789],
        [1e4, 12345.678],
        [5e-8, 60000.0],
    ]
    for values in groups:
        assert_prints_alike(np.array(values, dtype), f"{dtype} {values}")
        assert_prints_alike(np.array(values[0], dtype), f"{dtype} 0-d {values[0]}")


def test_wide_exponents():
    for dtype, values in [
        ("float32", [1e38, 1e-38]),
        ("float32", [1e16, 1.0]),
        ("float64", [1e300, 1e-300, 1.0]),
        ("float64", [1e16, 1e15, 1.5]),
        ("float64", [5e-324]),
        ("float64", [1.7976931348623157e308]),
        ("float64", [123456789.123456789, 1e-3]),
    ]:
        assert_prints_alike(np.array(values, dtype), f"{dtype} {values}")


@pytest.mark.parametrize("dtype", COMPLEX)
def test_complex_values(dtype):
    groups = [
        [0, 1j, -1j],
        [1.5 - 2.5j, 3],
        [complex(np.nan, 1), complex(1, np.inf), complex(-np.inf, np.nan)],
        [complex(-0.0, -0.0)],
        [1e-9 + 1e9j, 2],
        [1 / 3 + 2j / 3],
    ]
    for values in groups:
        assert_prints_alike(np.array(values, dtype), f"{dtype} {values}")
        assert_prints_alike(np.array(values[0], dtype), f"{dtype} 0-d {values[0]}")


def test_integer_extremes():
    for dtype in INTEGERS:
        info = np.iinfo(dtype)
        assert_prints_alike(np.array([info.min, 0, info.max], dtype), dtype)
        assert_prints_alike(np.array(info.max, dtype), dtype)


def test_large_arrays_are_summarised():
    for host in [
        np.arange(1001),
        np.arange(1000),
        np.arange(100000) / 7,
        np.arange(40000).reshape(200, 200),
        np.arange(20000.0).reshape(2, 100, 100),
        np.arange(4000).reshape(4, 1000) % 2 == 0,
        np.arange(5000, dtype=np.int16),
        np.arange(3000, dtype=np.float32) * np.float32(0.1),
        (np.arange(2000) * (1 - 2j)).astype(np.complex64),
        np.zeros((0, 5000)),
        np.zeros((5000, 0)),
        np.ones((1, 5000)),
        np.ones((5000, 1)),
        np.arange(3**7).reshape((3,) * 7),
    ]:
        assert_prints_alike(host, f"{host.dtype} {host.shape}")


def test_extremes_in_the_middle_do_not_widen_a_summary():
    host = np.ones(5000)
    host[2500] = 1e200
    assert_prints_alike(host, "hidden extreme")


def test_long_lines_wrap():
    for host in [
        np.arange(200),
        np.arange(120) * 1.5,
        np.arange(60).reshape(2, 30) * 123457,
        np.ones(90, bool),
    ]:
        assert_prints_alike(host, f"{host.dtype} {host.shape}")


def test_layouts_print_their_elements():
    host = np.arange(24.0).reshape(2, 3, 4)
    device = cp.asarray(host)
    for name, look in {
        "transposed": lambda a: a.T,
        "reversed": lambda a: a[::-1, :, ::-1],
        "strided": lambda a: a[:, ::2, 1::2],
        "indexed": lambda a: a[1, 2],
        "element": lambda a: a[1, 2, 3:4],
        "new axis": lambda a: a[:, None, 0],
    }.items():
        assert repr(look(device)) == repr(look(host)), name
        assert str(look(device)) == str(look(host)), name
    assert repr(cp.broadcast_to(cp.arange(3), (2, 3))) == repr(np.broadcast_to(np.arange(3), (2, 3)))


def test_pending_results_print():
    a, x = cp.arange(5.0), np.arange(5.0)
    assert repr(cp.sqrt(a * 2 + 1)) == repr(np.sqrt(x * 2 + 1))
    assert str(a.sum()) == str(x.sum())
    assert repr(a.sum()) == repr(np.array(x.sum()))
    assert repr(a[2]) == repr(np.array(x[2]))


@pytest.mark.parametrize(
    "options",
    [
        {"precision": 3},
        {"precision": 0},
        {"precision": 12},
        {"suppress": True},
        {"threshold": 5},
        {"threshold": 5, "edgeitems": 1},
        {"threshold": 10**6},
        {"linewidth": 40},
        {"linewidth": 200},
        {"nanstr": "missing", "infstr": "huge"},
        {"sign": "+"},
        {"sign": " "},
        {"floatmode": "fixed"},
        {"floatmode": "unique"},
        {"floatmode": "maxprec_equal"},
        {"formatter": {"float_kind": lambda value: f"<{value:.1f}>"}},
        {"formatter": {"int": hex}},
        {"formatter": {"bool": lambda value: "T" if value else "F"}},
        {"legacy": "1.13"},
        {"legacy": "1.25"},
    ],
    ids=lambda options: "-".join(options),
)
def test_print_options(options):
    """NumPy's options are in force for Cuprum, whichever library set them."""
    hosts = [
        np.linspace(-1, 1, 7),
        np.array([np.nan, np.inf, -1.5]),
        np.array([1e-10, 1.0]),
        np.arange(30),
        np.arange(2000.0),
        np.array([1 + 2j, 0.5 - 1j / 3]),
        np.array([True, False]),
        np.array(1 / 3),
    ]
    with np.printoptions(**options):
        for host in hosts:
            assert_prints_alike(host, f"np.printoptions {options} {host.dtype} {host.shape}")
    with cp.printoptions(**options):
        for host in hosts:
            assert_prints_alike(host, f"cp.printoptions {options} {host.dtype} {host.shape}")


def test_set_and_get_print_options():
    before = cp.get_printoptions()
    assert before == np.get_printoptions()
    try:
        cp.set_printoptions(precision=2)
        assert cp.get_printoptions()["precision"] == 2
        assert str(cp.asarray([1 / 3])) == "[0.33]"
    finally:
        cp.set_printoptions(precision=before["precision"])
    assert cp.get_printoptions() == before


def test_formatting_functions():
    for host in [np.arange(6.0).reshape(2, 3) / 7, np.arange(4), np.array(2.5), np.array([1j])]:
        device = cp.asarray(host)
        assert cp.array_repr(device) == np.array_repr(host)
        assert cp.array_str(device) == np.array_str(host)
        assert cp.array2string(device) == np.array2string(host)
        assert cp.array_repr(device, precision=2) == np.array_repr(host, precision=2)
        assert cp.array_str(device, precision=2) == np.array_str(host, precision=2)
        assert cp.array2string(device, separator=", ", prefix="x = ") == np.array2string(
            host, separator=", ", prefix="x = "
        )
    assert cp.format_float_positional(1 / 3, precision=4) == np.format_float_positional(1 / 3, precision=4)
    assert cp.format_float_scientific(1 / 3, precision=4) == np.format_float_scientific(1 / 3, precision=4)


def test_format_of_single_elements():
    """A 0-d array formats as the Python number it holds; others refuse a format, as NumPy's do."""
    assert f"{cp.asarray(1.5):8.3f}" == "   1.500"
    assert f"{cp.arange(10).sum():05d}" == "00045"
    assert f"{cp.asarray(2.5)}" == "2.5"
    assert f"{cp.arange(3)}" == "[0 1 2]"
    with pytest.raises(TypeError):
        f"{cp.arange(3):.2f}"


def test_printing_changes_nothing():
    device = cp.arange(12.0).reshape(3, 4)[:, ::-1]
    before = device.get().copy()
    repr(device)
    str(device)
    np.testing.assert_array_equal(device.get(), before)
    assert device.strides == (32, -8)
