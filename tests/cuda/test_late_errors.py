"""Positions beyond their axis on a GPU: the call raises where the host knows them, the next call that waits
where they are the GPU's own; the op is named, and nothing is written.

NumPy says what is an error, and with which words.
"""

import pathlib

import driver_api
import pytest
from twin import fresh_python

import cuprum as cp

FUZZ = pathlib.Path(__file__).resolve().parents[1] / "fuzz"
build = driver_api.standin_build
HAS_GPU = cp.is_available()

pytestmark = pytest.mark.skipif(
    not HAS_GPU and build.compiler() is None, reason="there is no GPU, and no g++"
)

PRELUDE = """
def error_of(call):
    try:
        call()
    except IndexError as error:
        return str(error)
    return None

def both(program):
    # NumPy's words, what is raised at the call, and at the next wait; nothing is written.
    host, device = np.arange(12.0).reshape(3, 4), cp.arange(12.0).reshape(3, 4)
    wanted = error_of(lambda: program(np, host))
    at_call = error_of(lambda: program(cp, device))
    later = error_of(lambda: cp.cuda.Device().synchronize())
    assert error_of(lambda: cp.cuda.Device().synchronize()) is None
    np.testing.assert_array_equal(device.get(), np.arange(12.0).reshape(3, 4))
    return wanted, at_call, later

PROGRAMS = {
    "index": [
        lambda xp, a: a[xp.asarray([0, 7])],
        lambda xp, a: a[xp.asarray([0, 1]), xp.asarray([0, -5])],
        lambda xp, a: a[:, xp.asarray([[1, 4], [9, 0]])],
        lambda xp, a: a.__setitem__(xp.asarray([0, 3]), 99.0),
        lambda xp, a: a.__setitem__((xp.asarray([0, 1]), xp.asarray([-5, 0])), xp.asarray([1.0, 2.0])),
    ],
    "take": [lambda xp, a: xp.take(a, xp.asarray([1, 9, -40]), axis=1)],
    "put": [lambda xp, a: xp.put(a, xp.asarray([0, 12]), xp.asarray([5.0, 6.0]))],
    "take_along_axis": [lambda xp, a: xp.take_along_axis(a, xp.asarray([[0], [4], [1]]), 1)],
    "add": [lambda xp, a: xp.add.at(a, xp.asarray([0, 0, 3]), 1.0)],
}
"""


def on_gpu(code, **environment):
    variables = {} if HAS_GPU else build.environment(build.build())
    return fresh_python(PRELUDE + code, timeout=600, **{**variables, "CUPRUM_DEVICE": "cuda", **environment})


def test_an_error_comes_at_the_next_wait_and_names_its_op():
    on_gpu(
        """
for op, programs in PROGRAMS.items():
    for program in programs:
        wanted, at_call, later = both(program)
        assert wanted and at_call is None, (op, wanted, at_call)
        assert later == f"{op}: {wanted}", (op, wanted, later)
"""
    )


def test_without_deferral_it_comes_at_the_call():
    on_gpu(
        """
for op, programs in PROGRAMS.items():
    for program in programs:
        wanted, at_call, later = both(program)
        assert at_call == f"{op}: {wanted}" and later is None, (op, wanted, at_call, later)
""",
        CUPRUM_DEFER="0",
    )


def test_what_the_host_knows_is_raised_at_the_call():
    on_gpu(
        """
given = {
    "index": [
        lambda xp, a: a[[0, 7]],
        lambda xp, a: a[np.array([3])],
        lambda xp, a: a[[0, 1], [0, -5]],
        lambda xp, a: a[xp.asarray([0, 1]), 4],
        lambda xp, a: a[:, [[1, 4], [9, 0]]],
        lambda xp, a: a.__setitem__([0, 3], 99.0),
        lambda xp, a: a.__setitem__(np.array([0, -4]), 99.0),
    ],
    "take": [
        lambda xp, a: xp.take(a, [1, 9, -40], axis=1),
        lambda xp, a: xp.take(a, 12),
        lambda xp, a: a.take(np.array([[-13]])),
    ],
    "put": [lambda xp, a: xp.put(a, [0, 12], 5.0), lambda xp, a: a.put(np.array([-13]), 5.0)],
    "take_along_axis": [lambda xp, a: xp.take_along_axis(a, np.array([[0], [4], [1]]), 1)],
    "put_along_axis": [lambda xp, a: xp.put_along_axis(a, np.array([[0], [4], [1]]), 1.0, 1)],
    "add": [lambda xp, a: xp.add.at(a, [0, 0, 3], 1.0)],
}
for op, programs in given.items():
    for number, program in enumerate(programs):
        wanted, at_call, later = both(program)
        assert wanted and at_call == f"{op}: {wanted}" and later is None, (op, number, wanted, at_call, later)
host, device = np.arange(12.0).reshape(3, 4), cp.arange(12.0).reshape(3, 4)
keys = [2, -3], np.array([0, 1], "u1"), ([0, 2], [3, -4]), (slice(None), [3, 0]), ([True, False, True],), []
for key in keys:
    np.testing.assert_array_equal(device[key].get(), host[key])
"""
    )


@pytest.mark.parametrize(
    "wait",
    [
        "float(b.sum())",
        "b.get()",
        "b[0].item()",
        "cp.cuda.Stream.null.synchronize()",
        "event.synchronize()",
        "cp.cuda.Device().synchronize()",
        "repr(b)",
        "len(cp.nonzero(b)[0])",
    ],
)
def test_every_wait_raises_once(wait):
    on_gpu(
        f"""
a, b = cp.arange(5), cp.arange(3)
event = cp.cuda.Event()
picked = a[cp.asarray([1, 2, 30])]
event.record()
assert error_of(lambda: {wait}) == "index: index 30 is out of bounds for axis 0 with size 5"
assert error_of(lambda: {wait}) is None
"""
    )


def test_the_first_of_several_is_raised():
    on_gpu(
        """
a = cp.arange(5)
a[cp.asarray([0, 4])], a[cp.asarray([6, 70])], a.take(cp.asarray([8]))
assert error_of(cp.cuda.Device().synchronize) == "index: index 6 is out of bounds for axis 0 with size 5"
assert error_of(cp.cuda.Device().synchronize) is None
"""
    )


def test_another_thread_is_not_told():
    on_gpu(
        """
import threading, time
a = cp.arange(5)
a[cp.asarray([9])]
told = []
thread = threading.Thread(target=lambda: told.append(error_of(cp.cuda.Device().synchronize)))
thread.start(), thread.join()
assert told == [None], told
assert error_of(cp.cuda.Device().synchronize) == "index: index 9 is out of bounds for axis 0 with size 5"
thread = threading.Thread(target=lambda: a[cp.asarray([8])])
thread.start(), thread.join()
# What the system keeps of a thread goes a moment after it was joined.
error, turns = None, 0
while error is None and turns < 500:
    error, turns = error_of(cp.cuda.Device().synchronize), turns + 1
    time.sleep(0.01)
assert error == "index: index 8 is out of bounds for axis 0 with size 5"
"""
    )


def test_numbers_of_checks_are_used_again():
    # More checks than there are numbers for them, with errors among them: none is lost, none comes twice.
    on_gpu(
        """
a = cp.zeros(4, dtype="int64")
good, bad = cp.asarray([0, 3]), cp.asarray([1, 4])
raised = 0
for turn in range(9000):
    raised += error_of(lambda: a.__setitem__(bad if turn % 3000 == 1500 else good, turn)) is not None
    if turn % 3000 == 2999:
        raised += error_of(cp.cuda.Device().synchronize) is not None
assert raised == 3, raised
assert a.tolist() == [8999, 0, 0, 8999]
"""
    )


def test_a_call_that_raises_leaves_no_error_behind():
    on_gpu(
        """
far = cp.array([0, 9])
for mistake in (
    lambda: cp.zeros(3, cp.uint16).__setitem__(far, -6),
    lambda: cp.zeros(3).__setitem__(far, cp.zeros(7)),
    lambda: cp.bitwise_xor.at(cp.zeros(3), far, 1),
    lambda: cp.add.at(cp.zeros(3), far, cp.zeros(7)),
    lambda: cp.put_along_axis(cp.zeros((3, 1)), far[:, None], cp.zeros((5, 5)), 0),
):
    try:
        mistake()
    except (OverflowError, TypeError, ValueError):
        pass
    else:
        raise AssertionError("no error")
    assert error_of(lambda: cp.cuda.Device().synchronize()) is None
"""
    )


def test_the_array_fuzzer_gives_an_error_to_the_line_that_made_it():
    # What such a line has left is no array of a shape that NumPy would not know; lines behind it run.
    on_gpu(
        f"""
sys.path[:0] = [{str(FUZZ)!r}, {str(FUZZ.parent)!r}]
import oracle
from programs import VARIANTS, Program

lines = [
    "v0 = make(5, (2, 3), 'u2', 'small', 'C')",
    "v1 = v0[xp.arange(4)]",
    "v2 = xp.take(v0, xp.arange(9))",
    "xp.bitwise_xor.at(v0, xp.arange(4), 1)",
    "v0[xp.arange(4)] = -6",
    "v3 = v1 + v0[:, :1]",
]
kinds = [None, ("index", oracle.EXACT), ("take", oracle.EXACT), ("", None), ("", None), ("add", oracle.EXACT)]
for seed in (0, VARIANTS):
    program = Program.of(lines, kinds)
    program.seed = seed
    found = oracle.check(program)
    assert found is None, found.what
    assert oracle.counts["raised"] == 4, oracle.counts
assert oracle._fuses(program)
"""
    )
