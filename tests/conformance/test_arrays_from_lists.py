"""Arrays of lists, tuples, single elements and NumPy's arrays: what NumPy makes of them."""

import numpy as np
import pytest
from twin import DTYPES, check, twin

import cuprum as cp

# ---------------------------------------------------------------------------- lists and tuples

LISTS = [
    [1.5, 2.5],
    [1, 2, 3],
    (1, 2.5),
    [1.5, 2],
    [2**53 + 1, 0.5],
    [-(2**63), 2**63 - 1],
    [2**63],
    [2**63, -1],
    [2**64],
    [True, False],
    [True, 2],
    [True, 2.5],
    [2, True],
    [2.5, True],
    [1, 2j],
    [0.0, -0.0, float("nan"), float("inf")],
    [[1, 2], [3, 4]],
    [[1, 2], (3, 4.5)],
    ([1.0], (2.0,)),
    [[[1], [2]], [[3], [4]]],
    [[True], [False]],
    [],
    [[]],
    [[], []],
    [[1, 2], [3]],
    [[1], 2],
    [1, [2]],
    [[1, 2], None],
    [1, "2"],
    ["1"],
    [None],
    [np.float32(1), 2],
    [np.int8(1), 2],
    [1e300, 1.0],
    [1e-310],
    [16777217, 1],
    [16777217.0, 0.1],
    [-1, 255],
]


@pytest.mark.parametrize("values", LISTS, ids=repr)
@pytest.mark.parametrize("dtype", [None, "?", "i", "q", "Q", "e", "f", "d", "D"])
def test_lists_become_what_numpy_makes_of_them(values, dtype):
    supported = np.dtype(dtype or "d")
    try:
        made = np.array(values, dtype)
        supported = made.dtype
    except Exception:  # compared below
        pass
    if supported.kind not in "biufc" or supported.kind == "O":
        with pytest.raises(TypeError):
            cp.array(values)
        return
    check(
        lambda xp: xp.array(values, dtype),
        label=f"{values} {dtype}",
        may_raise=(OverflowError, TypeError, ValueError),
    )


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@twin()
def test_lists_in_an_order(xp, order):
    return [xp.array(values, order=order) for values in ([1, 2], [[1, 2], [3, 4]], [[1.5, 2]], [[1], [2]])]


@twin()
def test_ndmin_of_a_list(xp):
    return xp.array([1, 2], ndmin=3), xp.array(5, ndmin=2), xp.array([[1.5]], ndmin=1)


@twin()
def test_a_deep_list(xp):
    deep = 1.5
    for _ in range(20):
        deep = [deep, deep] if _ < 3 else [deep]
    return xp.array(deep)


@twin()
def test_lists_as_indices(xp):
    m = xp.arange(12.0).reshape(3, 4)
    return m[[2, 0]], m[[-1, 1], [0, -4]], m[[True, False, True]], m[:, [1, 1]], m[[]], m[[[0, 1], [2, 0]]]


@pytest.mark.parametrize("index", [[3], [-4], [0.5], ["a"], [[0], [1, 2]], [0, True, 2.0]])
@twin(raises=(IndexError, ValueError))
def test_lists_that_are_no_indices(xp, index):
    return xp.arange(12.0).reshape(3, 4)[index]


@twin()
def test_lists_of_single_elements(xp):
    a, i, k = xp.arange(4.0), xp.arange(4), xp.arange(4) > 1
    lists = (
        [a[1], a[2]],
        [a[1], 5],
        [i[1], 2],
        [i[1], 2.5],
        [i[1], a[2]],
        [k[0], k[3]],
        [k[3], i[2]],
        [[a[0], 1], (2, i[3])],
        [a.astype("f")[1], a[0]],
        [i.astype("i1")[1], 300],
        [a[1] + 1j, a[2]],
        [a.sum(), a.max() - 1, a.mean()],
    )
    return (
        [xp.array(values) for values in lists],
        xp.array([a[1], a[2]], dtype="f"),
        xp.array([i[3]], dtype=float),
    )


@twin()
def test_a_single_element_beside_an_array(xp):
    a, i = xp.arange(1.0, 5.0), xp.arange(1, 5)
    big = xp.arange(10000.0)
    one, two = a[1], i[1]
    results = [
        a + one,
        one + a,
        a - one,
        one - a,
        one / a,
        a / one,
        i // two,
        two**i,
        i % two,
        a < one,
        one < a,
    ]
    results += [
        xp.maximum(a, one),
        xp.copysign(one, a),
        i + one,
        one + i,
        a + i[2],
        i << two,
        a.astype("f") * one,
    ]
    results += [
        one + one,
        a.reshape(2, 2) * one,
        a[::2] * one,
        xp.logical_and(a, a[0] - 1),
        (big - one)[:3],
        one - big[:4],
    ]
    a[1] = 9.0
    return results, (one + big)[-2:]


@twin()
def test_a_single_element_stored_in_another_place(xp):
    a, i = xp.arange(4.0), xp.arange(4)
    a[0] = a[3]
    a[1] = i[2]
    i[0] = a[2]
    i[-1] = i[1]
    m = xp.zeros((2, 2), dtype="f")
    m[1, 0] = a[0]
    m[0, 1] = m[1, 0]
    return a, i, m


def test_an_array_does_not_follow_its_list():
    values = [1.0, 2.0]
    a = cp.array(values)
    values[0] = 9.0
    assert a.tolist() == [1.0, 2.0]


# ---------------------------------------------------------------------------- NumPy's arrays


@pytest.mark.parametrize("code", "?bBhHiIlLqQefdFD")
def test_every_number_of_numpys_comes_over(code):
    host = np.array([0, 1, 2, 3, 100], dtype=code)
    for variant in (host, host[::2], host[::-1], host.reshape(5, 1).T, host[:0], host[2]):
        made = cp.array(variant)
        assert made.dtype == variant.dtype and made.shape == variant.shape
        assert made.tolist() == variant.tolist()
        assert cp.asnumpy(made).tolist() == variant.tolist()


@pytest.mark.parametrize("code", "hHiIqQefdFD")
def test_other_orders_of_bytes_and_unaligned_memory(code):
    host = np.array([0, 1, 2, 300 % 120, 100], dtype=code)
    swapped = host.astype(host.dtype.newbyteorder())
    packed = np.zeros(5, dtype=np.dtype([("pad", "i1"), ("x", code)]))
    packed["x"] = host
    for variant in (swapped, packed["x"], host.view(np.recarray)):
        made = cp.array(variant)
        assert made.dtype == host.dtype and made.tolist() == host.tolist()


@pytest.mark.parametrize(
    "host",
    [
        np.array(["a"]),
        np.array([None]),
        np.zeros(1, np.longdouble),
    ],
    ids=lambda a: str(a.dtype),
)
def test_other_dtypes_are_refused(host):
    with pytest.raises(TypeError):
        cp.array(host)


@twin()
def test_subclasses_of_numpys_array(xp):
    return xp.array(np.ma.masked_array([1.0, 2.0], [True, False]).data), xp.asarray(np.asmatrix([[1, 2]]).A)


def test_numpys_array_may_change_afterwards():
    host = np.arange(5.0)
    a = cp.array(host)
    host[:] = 7
    assert a.tolist() == [0, 1, 2, 3, 4]
    back = cp.asnumpy(a)
    back[:] = 8
    assert a.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
def test_back_to_numpy_in_an_order(order):
    host = np.arange(6.0).reshape(2, 3)
    for variant in (host, host.T, host[:, ::2], host[::-1], host[:1], host[:, :1]):
        got, wanted = cp.asnumpy(cp.array(variant), order=order), np.array(variant, order=order)
        assert got.flags.c_contiguous == wanted.flags.c_contiguous
        assert got.flags.f_contiguous == wanted.flags.f_contiguous
        assert got.tolist() == wanted.tolist()


@pytest.mark.parametrize("code", DTYPES)
@twin()
def test_lists_of_elements(xp, code):
    a = xp.array(np.array([[0, 1, 2], [3, 4, 100]], dtype=code))
    lists = a.tolist(), a.T.tolist(), a[0].tolist(), a[:, :0].tolist(), a[1, 2].tolist(), a[None].tolist()
    return repr(lists)
