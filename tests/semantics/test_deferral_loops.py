"""Loops whose steps read parts of what the last step made: each step runs by the plan of the one before, and
nobody can tell, whatever interrupts it. Beside NumPy, and in both modes (test_deferral_modes.py).
"""

import numpy as np
import pytest
from deferral_programs import noise, program
from twin import check, to_numpy

import cuprum as cp

ROWS, COLUMNS = 131, 270  # large enough to be recorded on the CPU too


def field(xp, seed=0, dtype="float64"):
    return noise(xp, (ROWS, COLUMNS), seed, dtype)


def near(xp, a):
    return xp.roll(a, 1, 0) + xp.roll(a, -1, 0) + xp.roll(a, 1, 1) + xp.roll(a, -1, 1) - 4 * a


@program()
def test_steps_of_rolls(xp):
    u, v = field(xp, dtype="float32"), field(xp, 1, "float32")
    for _ in range(6):
        reaction = u * v * v
        u, v = u + np.float32(0.1) * near(xp, u) - reaction, v + np.float32(0.05) * near(xp, v) + reaction
    return u, v


@program()
def test_cells_of_one_byte(xp):
    cells = xp.array((np.random.default_rng(0).random((ROWS, COLUMNS)) < 0.4).astype("uint8"))
    for _ in range(5):
        around = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
        count = sum(xp.roll(xp.roll(cells, i, 0), j, 1) for i, j in around)
        cells = ((count == 3) | ((cells == 1) & (count == 2))).astype("uint8")
    return cells


@program()
def test_steps_in_place(xp):
    u = field(xp)
    for _ in range(4):
        u[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] - 2 * u[1:-1, 1:-1])
        u[0] += u[1] * 0.5
    return u


@program()
def test_a_reader_of_what_is_written_keeps_its_values(xp):
    u = field(xp)
    before = u[1:] * 2
    kept = before + 1
    u[1:] = (before + u[:-1]) * 0.5
    u[:-1] = u[1:] - kept
    return u, before, kept


@program()
def test_a_changed_path(xp):
    u = field(xp)
    kept = []
    for step in range(9):
        u = (u + xp.roll(u, step % 3, 1)) * 0.5 + xp.roll(u, -1, 0) * 0.25
        if step == 3:
            u = u[:, 1:].copy()
        if step % 4 == 1:
            kept.append(u[2:-2])
        if step == 6 and float(u[3, 4]) > 1e9:
            break
    return u, *kept


@program()
def test_shapes_and_scalars_change_from_step_to_step(xp):
    u = field(xp)
    for step in range(5):
        u = xp.roll(u, 1, 0)[:-1] * (1 + step) + u[1:, ::-1] / (2 + step) - xp.roll(u, step, 1)[1:]
    return u


@program()
def test_pieces_of_different_work(xp):
    y = noise(xp, (2, 9001))
    for _ in range(5):
        middle = xp.stack([y[1], -y[0] * y[0]])
        y = y + 0.01 * xp.stack([(y + 0.5 * middle)[1], -(y + 0.5 * middle)[0]])
    return xp.concatenate([y, y[:1], xp.pad(y[1:], ((0, 0), (1, 0)))[:, :-1]])


def test_an_exception_between_steps_leaves_the_state():
    def body(xp):
        u = field(xp)
        for step in range(6):
            try:
                u = u * 0.5 + near(xp, u) * 0.1
                if step % 2:
                    u = u + xp.ones((3, 7))
            except ValueError:
                u = u - 1
        return u

    check(body)


@pytest.mark.parametrize("steps", [1, 2, 7])
def test_the_number_of_steps_changes_no_bit(steps):
    """One step at a time, each looked at, and all of them at once."""
    at_once = one_by_one = field(cp)
    for _ in range(steps):
        at_once = at_once + 0.1 * near(cp, at_once)
    for _ in range(steps):
        one_by_one = one_by_one + 0.1 * near(cp, one_by_one)
        cp.testing.wait(one_by_one)
    assert to_numpy(at_once).tobytes() == to_numpy(one_by_one).tobytes()


# ---------------------------------------------------------------------------------------------------------
# What runs


def launches(body):
    """How many Programs a device was given one by one, boxes that it runs as one counted once."""
    with cp.profile() as heard:
        cp.testing.wait(body())
    return sum(event.kind == "program" for event in heard.events)


@pytest.mark.fusion
def test_fusion_boxes_are_one_launch_on_a_gpu():
    a = field(cp)
    cp.testing.wait(a)
    assert launches(lambda: near(cp, a)) == (9 if a.device == "cpu" else 1)


@pytest.mark.fusion
def test_fusion_a_write_in_place_computes_its_right_hand_side_as_one():
    u = field(cp)

    def step():
        u[1:-1] = u[1:-1] + 0.25 * (u[:-2] + u[2:] - 2 * u[1:-1])
        return u

    cp.testing.wait(u)
    assert launches(step) == 2


@pytest.mark.fusion
def test_fusion_steps_of_a_loop_run_by_the_same_programs():
    u = field(cp)

    def steps(count):
        now = u
        for _ in range(count):
            now = now * 0.5 + 0.125 * near(cp, now) - cp.minimum(now, 0.5) * 0.0625 + 0.25 * abs(now)
        return now

    cp.testing.wait(u)
    each = launches(lambda: steps(1))
    found = [launches(lambda n=n: steps(n)) for n in (2, 5)]
    if u.device == "cpu":
        # What a step's result costs to store is little there: work is cut by its length alone.
        assert all(several > each for several in found)
    else:
        assert found == [2 * each, 5 * each]
