"""What is fused into one Program, and when it runs."""

import numpy as np
import pytest
from deferral_programs import noise
from twin import to_numpy

import cuprum as cp

# ---------------------------------------------------------------------------------------------------------
# What was fused


@pytest.mark.fusion
def test_fusion_a_chain_with_its_sum_is_one_program():
    a, b = noise(cp, 1_000_000), noise(cp, 1_000_000, 1)
    with cp.testing.fusion_log() as log:
        result = cp.sqrt(a * a + b * b).sum()
        assert not log, "ran before anybody looked"
        value = float(result)
    assert len(log) == 1, "\n\n".join(log)
    assert value > 0


@pytest.mark.fusion
def test_fusion_a_kept_interior_result_is_written_in_the_same_pass():
    a, b = noise(cp, 1_000_000), noise(cp, 1_000_000, 1)
    with cp.testing.fusion_log() as log:
        inner = a * a + b * b
        outer = cp.sqrt(inner)
        first = to_numpy(outer)
        second = to_numpy(inner)
    assert len(log) == 1, "\n\n".join(log)
    assert np.array_equal(np.sqrt(second), first)


@pytest.mark.fusion
def test_fusion_a_result_made_of_the_one_that_is_read_is_written_in_the_same_pass():
    a, b = noise(cp, 1_000_000), noise(cp, 1_000_000, 1)
    with cp.testing.fusion_log() as log:
        scale = cp.exp(-b)
        call = a * scale - b
        put = call - a + scale
        first, second = to_numpy(call), to_numpy(put)
    assert len(log) == 1, "\n\n".join(log)
    host = to_numpy(a), to_numpy(b)
    np.testing.assert_allclose(first, host[0] * np.exp(-host[1]) - host[1], rtol=1e-12, atol=1e-14)
    assert np.array_equal(second, first - host[0] + to_numpy(cp.exp(-b)))


@pytest.mark.fusion
def test_fusion_a_costly_result_of_the_one_that_is_read_waits():
    a = noise(cp, 1_000_000)
    with cp.testing.fusion_log() as log:
        small = a * a + 1
        costly = cp.sin(small)
        to_numpy(small)
        assert len(log) == 1
        assert "sin" not in log[0]
        to_numpy(costly)
    assert len(log) == 2


@pytest.mark.fusion
def test_fusion_common_subexpressions_are_computed_once():
    a = abs(noise(cp, 200_000))
    to_numpy(a)
    with cp.testing.fusion_log() as log:
        to_numpy(cp.sqrt(a) + cp.sqrt(a) * 2)
    assert len(log) == 1 and log[0].count("sqrt") == 1, "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_dropped_results_never_run():
    a = noise(cp, 200_000)
    with cp.testing.fusion_log() as log:
        b = cp.tanh(a) + 1
        del b
        to_numpy(a + 1)
    assert len(log) == 1 and "tanh" not in log[0], "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_a_result_is_computed_once():
    a = noise(cp, 200_000)
    with cp.testing.fusion_log() as log:
        b = cp.tanh(a)
        first, second, third = to_numpy(b), to_numpy(b), to_numpy(b + 1)
    assert np.array_equal(first, second) and np.array_equal(first + 1, third)
    assert sum(text.count("tanh") for text in log) == 1, "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_in_place_ops_on_an_unshared_array_stay_fused():
    a = noise(cp, 200_000)
    with cp.testing.fusion_log() as log:
        b = a * 2
        b += 1
        b *= a
        to_numpy(b)
    assert len(log) == 1, "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_what_follows_a_reduction_runs_on_the_reduced_shape():
    m = noise(cp, (1000, 800))
    with cp.testing.fusion_log() as log:
        to_numpy((m * 2 + 1).sum(axis=0) / 3 - 1)
    assert len(log) <= 2, "\n\n".join(log)


@pytest.mark.fusion
def test_fusion_comparison_counts_in_one_pass():
    x, y = noise(cp, 1_000_000), noise(cp, 1_000_000, 1)
    with cp.testing.fusion_log() as log:
        count = int(cp.sum((x * x + y * y) <= 1))
    assert len(log) == 1, "\n\n".join(log)
    hx, hy = to_numpy(x), to_numpy(y)
    assert count == int(np.sum((hx * hx + hy * hy) <= 1))


@pytest.mark.fusion
def test_fusion_a_write_runs_only_the_pending_readers_of_its_target():
    a, b = noise(cp, 200_000), noise(cp, 200_000, 1)
    with cp.testing.fusion_log() as log:
        reads_a, reads_b = cp.tanh(a), cp.arctan(b)
        a[:10] = 0
        ran = "\n".join(log)
        assert "tanh" in ran and "arctan" not in ran, ran
    del reads_a, reads_b


@pytest.mark.fusion
def test_fusion_a_view_of_a_pending_array_does_not_run_it():
    a = noise(cp, 200_000)
    with cp.testing.fusion_log() as log:
        b = a * 2 + 1
        view = b[::2].reshape(400, 250).T
        assert view.shape == (250, 400) and not log, "\n\n".join(log)
    assert np.array_equal(to_numpy(view), (to_numpy(a) * 2 + 1)[::2].reshape(400, 250).T)


# ---------------------------------------------------------------------------------------------------------
# What is stored with a result, and what is not


@pytest.mark.fusion
def test_fusion_a_large_difference_that_costs_little_is_not_stored():
    place = noise(cp, 3000 * 2).reshape(3000, 2)
    to_numpy(place)
    with cp.testing.fusion_log() as log:
        apart = place[None] - place[:, None]
        square = cp.hypot(apart[..., 0], apart[..., 1])
        found = to_numpy(square)
    assert len(log) == 1, "\n\n".join(log)
    p = to_numpy(place)
    differences = p[None] - p[:, None]
    np.testing.assert_allclose(found, np.hypot(differences[..., 0], differences[..., 1]), rtol=1e-15)
    assert np.array_equal(to_numpy(apart), differences)
