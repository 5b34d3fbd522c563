"""Forms of calls that programs use seldom: values that go round, corners of keywords, views by `einsum`."""

import warnings

import numpy as np
import pytest
from twin import DTYPES, check, collect, twin

import cuprum as cp

FLAT_KEYS = {
    "all": slice(None),
    "part": slice(1, 5),
    "backwards": slice(None, None, -2),
    "places": [0, 3, 4],
    "mask": np.array([True, False, True, False, True, True]),
    "dots": Ellipsis,
}


@pytest.mark.parametrize("key", FLAT_KEYS)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("values", [[7, 8], [[1, 2, 3], [4, 5, 6]], [], [9], list(range(20))])
@twin()
def test_flat_takes_values_that_go_round(xp, key, order, values):
    a = xp.array(np.zeros((2, 3)), order=order)
    index = FLAT_KEYS[key]
    a.flat[xp.array(index) if isinstance(index, np.ndarray) else index] = xp.array(values, dtype="f4")
    return a


@twin()
def test_flat_of_a_view_takes_values(xp):
    a = xp.array(np.zeros((4, 6)))
    a[::2, ::3].flat[1:] = xp.array([1, 2])
    return a


@twin(raises=ValueError)
def test_flat_refuses_a_sequence_for_one_element(xp):
    a = xp.array(np.zeros((2, 3)))
    a.flat[2] = xp.array([1, 2])
    return a


@pytest.mark.parametrize("trim", ["f", "b", "fb"])
@pytest.mark.parametrize("values", [[0, 0], [0, 1, 0], [], [[0, 0], [0, 0]], [[0, 0], [1, 0]]])
@twin()
def test_trim_zeros(xp, trim, values):
    return xp.trim_zeros(xp.array(values, dtype="i4"), trim)


@pytest.mark.parametrize("order", ["C", "F", None, "K"])
@twin(may_raise=ValueError)
def test_orders_of_flattened_indices(xp, order):
    pair = (xp.array([1, 2]), xp.array([3, 0]))
    places = xp.unravel_index(xp.array([5, 9]), (8, 4), order=order)
    return xp.ravel_multi_index(pair, (8, 4), order=order), [place.copy() for place in places]


@twin()
def test_truth_values_are_indices_to_flatten(xp):
    pair = (xp.array([True, False]), xp.array([True, True]))
    places = xp.unravel_index(xp.array([True, False]), (8, 4))
    return xp.ravel_multi_index(pair, (8, 4)), [place.copy() for place in places]


@twin(raises=ValueError)
def test_no_position_beyond_64_bits(xp):
    return xp.ravel_multi_index((xp.array([1]), xp.array([1])), (2**40, 2**40))


@pytest.mark.parametrize("where", [3.2, 0, 4, -4, True, False, 1 + 1j, 0.0])
@twin()
def test_copyto_takes_a_number_for_a_mask(xp, where):
    a = xp.array(np.zeros((2, 3)))
    xp.copyto(a, xp.array([1.0, 2.0, 3.0]), where=where)
    return a


@twin(raises=TypeError)
def test_copyto_refuses_integers_for_a_mask(xp):
    xp.copyto(xp.array(np.zeros(3)), 1, where=xp.array([1, 0, 2]))


def test_matmul_stores_what_casting_allows():
    with collect() as failures, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for source in DTYPES:
            for target in DTYPES:
                for casting in ("same_kind", "unsafe"):
                    with failures:
                        check(
                            lambda xp, s=source, t=target, c=casting: xp.matmul(
                                xp.array(np.ones((2, 3), s)),
                                xp.array(np.ones((3, 2), s)),
                                out=xp.array(np.zeros((2, 2), t)),
                                casting=c,
                            ),
                            label=f"{source} to {target}, {casting}",
                            may_raise=TypeError,
                        )


@pytest.mark.parametrize("axes", [[(0, 1), (1, 0), (1, 0)], [0, 0, ()], [(-1,), (-1,), ()]])
@twin(ulps=1, may_raise=np.exceptions.AxisError)
def test_axes_of_matrices(xp, axes):
    return xp.matmul(xp.array(np.arange(6.0).reshape(2, 3)), xp.array(np.ones((2, 3))), axes=axes)


@pytest.mark.parametrize("dtype", ["?", "b", "B", "i", "f", "F"])
@pytest.mark.parametrize("function", ["cumulative_sum", "cumulative_prod"])
@twin(ulps=1)
def test_initial_values_go_into_out(xp, function, dtype):
    x, out = xp.array(np.full((2, 3), 1, dtype)), xp.array(np.zeros((2, 4), dtype))
    return getattr(xp, function)(x, axis=1, out=out, include_initial=True)


@pytest.mark.parametrize("grid", ["mgrid", "ogrid"])
@twin(ulps=2)
def test_grids_between_arrays(xp, grid):
    low, high = xp.array(np.zeros(4))[:, None], xp.array(np.ones(4))[:, None]
    return getattr(xp, grid)[low:high:4j, low:high:4j]


@pytest.mark.parametrize("k", [2**63, -(2**63) - 5, 2, -2, 3, -3])
@twin()
def test_diagonals_beyond_the_corners(xp, k):
    return xp.eye(3, 4, k=k)


@pytest.mark.parametrize("subscripts", ["ii->i", "ij->ji", "ij", "ii", "ij->i"])
@twin(ulps=1)
def test_einsum_of_one_array_may_be_a_view(xp, subscripts):
    a = xp.array(np.arange(9.0).reshape(3, 3))
    made = xp.einsum(subscripts, a)
    return made, made.ndim == 0 or made.base is a


@twin()
def test_a_diagonal_is_written_through_einsum(xp):
    a = xp.array(np.zeros((3, 3)))
    xp.einsum("ii->i", a)[...] = xp.array([1, 2, 3])
    return a


@twin()
def test_rank_of_least_squares(xp):
    return xp.linalg.lstsq(xp.array(np.eye(3, 2)), xp.array(np.ones(3)), rcond=None)[2]


@pytest.mark.parametrize("thing", [None, "text", {1, 2}, 3, [[1, 2]]])
@twin()
def test_ndim_of_anything(xp, thing):
    return xp.ndim(thing)


@pytest.mark.parametrize("dtype", ["i4", "u1", "f8"])
def test_positions_in_another_dtype(dtype):
    a = cp.array([[3, 1], [2, 5]])
    for made in (cp.argmax(a, 1, dtype=dtype), a.argmax(1, dtype=dtype), a.argmin(1, dtype=dtype)):
        assert made.dtype == dtype
    np.testing.assert_array_equal(cp.argmin(a, 1, dtype=dtype).get(), [1, 0])


EDGES = {
    "all": [np.nan] * 4,
    "last": [0.0, 1.0, np.nan],
    "first": [np.nan, 1.0, 0.0],
    "first and up": [np.nan, 1.0, 2.0],
    "after one": [1.0, np.nan, np.nan],
    "level": [2.0, 2.0, 2.0],
    "level, then down": [2.0, 2.0, 1.0],
    "up and down": [0.0, 2.0, 1.0],
    "one": [1.0],
    "none": [],
}


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("right", [False, True])
@twin(may_raise=ValueError)
def test_digitize_between_odd_edges(xp, edges, right):
    return xp.digitize(xp.array([0.0, 1.0, 1.5, 2.0, np.nan, np.inf]), xp.array(EDGES[edges]), right)


@pytest.mark.parametrize("strides", [(24, 8), (8, 16), (8, 8), (0, 0), (48, 8), (-24, 8), (24,), None])
@twin(may_raise=ValueError)
def test_new_arrays_by_their_strides(xp, strides):
    a = xp.ndarray((2, 3), "f8", strides=strides)
    a[...] = 5
    return a.copy(), a.strides


@pytest.mark.parametrize("shape", [(0, 2, 3), (2, 0, 3), (0, 3), (0, 0)])
@pytest.mark.parametrize("dtype", ["i4", "f4", "D"])
@twin()
def test_pseudoinverses_of_nothing(xp, shape, dtype):
    return xp.linalg.pinv(xp.array(np.ones(shape, dtype)), 1e-15)


@pytest.mark.parametrize(
    "widths", [[1.0, 2], [(2, 3), (1.0, 2)], ((1, 2), (3, 4.0)), [(1, 2)], [(1, 2), (3, 4)]]
)
@twin(may_raise=(TypeError, ValueError))
def test_widths_are_whole(xp, widths):
    return xp.pad(xp.array([1, 2, 3]), widths)
