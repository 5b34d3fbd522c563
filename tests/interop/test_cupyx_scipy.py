"""`cupyx.scipy` where CuPy and SciPy differ: stacked right sides, states of filters, lists of neighbours."""

import numpy as np
import pytest
import scipy.linalg
import scipy.signal
import scipy.spatial
from twin import fresh_python

import cuprum as cp
import cuprum.scipy.linalg
from cuprum.compat.cupyx import scipy as cupyx_scipy

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("trans", [0, "T", "C"])
@pytest.mark.parametrize("shape", [(4, 4), (4, 3), (2, 4, 3)])
def test_one_axis_less_is_a_stack_of_vectors(shape, trans, lower):
    n = shape[-1]
    a = RNG.standard_normal((*shape, n)) + 4 * np.eye(n)
    b = RNG.standard_normal(shape)
    got = cupyx_scipy.linalg.solve_triangular(cp.array(a), cp.array(b), trans, lower)
    want = np.empty(shape)
    for place in np.ndindex(shape[:-1]):
        want[place] = scipy.linalg.solve_triangular(a[place], b[place], trans, lower)
    np.testing.assert_allclose(got.get(), want, rtol=1e-12)


def test_stacks_of_matrices_and_single_systems_are_scipys():
    a, b = RNG.standard_normal((3, 4, 4)) + 4 * np.eye(4), RNG.standard_normal((3, 4, 2))
    for x, y in ((a, b), (a[0], b[0]), (a[0], b[0, :, 0])):
        got = cupyx_scipy.linalg.solve_triangular(cp.array(x), cp.array(y), lower=True)
        want = cuprum.scipy.linalg.solve_triangular(cp.array(x), cp.array(y), lower=True)
        np.testing.assert_array_equal(got.get(), want.get())


@pytest.mark.parametrize(("zeros", "poles"), [(0, 1), (2, 0), (1, 1), (2, 3), (0, 0)])
def test_a_filter_goes_on_with_its_last_inputs_and_outputs(zeros, poles):
    b, a = RNG.standard_normal(zeros + 1), np.r_[1.0, 0.2 * RNG.standard_normal(poles)]
    x = RNG.standard_normal((2, 30))
    want = scipy.signal.lfilter(b, a, x)
    lfilter = cupyx_scipy.signal.lfilter
    coefficients = cp.array(b), cp.array(a)
    state = cp.zeros((2, zeros + poles))
    parts = []
    for part in np.split(x, [1, 12], axis=1):
        y, state = lfilter(*coefficients, cp.array(part), zi=state)
        parts.append(y.get())
    np.testing.assert_allclose(np.concatenate(parts, 1), want, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(state.get()[:, :zeros], x[:, 30 - zeros :])
    np.testing.assert_allclose(state.get()[:, zeros:], want[:, 30 - poles :], rtol=1e-10, atol=1e-12)


def test_states_of_the_past_and_of_steps():
    b, a = np.array([0.1, 0.4, 0.2]), np.array([1.0, -0.6, 0.3])
    past_y, past_x, x = np.array([3.0, 2.0]), np.array([0.5, -0.5]), RNG.standard_normal(9)
    want, _ = scipy.signal.lfilter(b, a, x, zi=scipy.signal.lfiltic(b, a, past_y, past_x))
    ours = cupyx_scipy.signal
    zi = ours.lfiltic(*map(cp.array, (b, a, past_y, past_x)))
    assert zi.tolist() == [-0.5, 0.5, 2.0, 3.0]
    got, _ = ours.lfilter(cp.array(b), cp.array(a), cp.array(x), zi=zi)
    np.testing.assert_allclose(got.get(), want, rtol=1e-12, atol=1e-13)

    step = ours.lfilter_zi(cp.array(b), cp.array(a))
    constant, end = ours.lfilter(cp.array(b), cp.array(a), cp.ones(6), zi=step)
    np.testing.assert_allclose(constant.get(), np.full(6, 1.0), rtol=1e-12)
    np.testing.assert_allclose(end.get(), step.get(), rtol=1e-12)

    sos = scipy.signal.butter(5, 0.3, output="sos")
    zi = ours.sosfilt_zi(cp.array(sos))
    assert zi.shape == (3, 4)
    y, end = ours.sosfilt(cp.array(sos), cp.ones(8), zi=zi)
    np.testing.assert_allclose(
        y.get(), scipy.signal.sosfilt(sos, np.ones(8), zi=scipy.signal.sosfilt_zi(sos))[0]
    )
    np.testing.assert_allclose(end.get(), zi.get(), rtol=1e-9)


def test_vectors_where_matrices_are_needed_raise_what_both_libraries_raise():
    vector = cp.array([1.0, 2.0])
    for kind in (np.linalg.LinAlgError, ValueError):
        with pytest.raises(kind):
            cupyx_scipy.linalg.khatri_rao(vector, vector)
        with pytest.raises(kind):
            cupyx_scipy.linalg.bandwidth(vector)


def test_trees_list_neighbours_as_arrays():
    points = RNG.random((60, 3))
    queries = RNG.random((7, 3))
    tree, theirs = cupyx_scipy.spatial.KDTree(cp.array(points)), scipy.spatial.KDTree(points)
    for got, want in [
        (tree.query_ball_point(cp.array(queries), 0.4), theirs.query_ball_point(queries, 0.4)),
        (tree.query_ball_point(cp.array(queries[0]), 0.4), [theirs.query_ball_point(queries[0], 0.4)]),
        (tree.query_ball_tree(tree, 0.2), theirs.query_ball_tree(theirs, 0.2)),
    ]:
        assert isinstance(got, list) and all(isinstance(near, cp.ndarray) for near in got)
        assert [near.tolist() for near in got] == [sorted(near) for near in want]
    lengths = tree.query_ball_point(cp.array(queries), 0.4, return_length=True)
    assert lengths.tolist() == theirs.query_ball_point(queries, 0.4, return_length=True).tolist()
    distances, _ = tree.query(cp.array(queries), [1, 3])
    assert distances.flags.c_contiguous


def test_modules_are_found_once_under_cupys_names():
    code = """
    import cuprum.compat
    cuprum.compat.install()
    import cupyx.scipy.signal.windows as windows
    import cupyx.scipy.linalg, cupyx.scipy.special, cupy
    import cuprum.scipy as ours
    from cupyx.scipy import signal
    print(windows is ours.signal.windows, cupyx.scipy.signal is signal, signal.butter is ours.signal.butter)
    print(cupyx.scipy.special is ours.special, cupyx.scipy.get_array_module(cupy.ones(1)) is cupyx.scipy)
    """
    assert fresh_python(code).split() == ["True"] * 5
