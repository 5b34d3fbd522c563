"""Deferral is invisible to the world outside: exports, reuse of memory, huge arrays, processes, warnings.

The number in a test's name is the case's. A case that is a program (`@program`) runs on NumPy and on Cuprum
in this session's mode, and in both modes in test_deferral_modes.py.
Threads (29, 30) are in test_threads.py; streams and graphs (31, 32) belong to the tests of `cuprum.cuda`.
"""

import os
import warnings

import numpy as np
import pytest
from deferral_programs import N, noise, program, ramp, square
from twin import fresh_python, quiet, to_numpy

import cuprum as cp

# ---------------------------------------------------------------------------------------------------------
# The world outside


@pytest.mark.cpu
def test_case33_dlpack_shares_memory_and_pending_readers_keep_their_values():
    x = ramp(cp) + 1
    before = x * 2
    shared = np.from_dlpack(x)
    expected = to_numpy(x).copy()
    shared[:10] = -1
    expected[:10] = -1
    after = x * 2
    assert np.array_equal(to_numpy(before), (ramp(np) + 1) * 2)
    assert np.array_equal(to_numpy(after), expected * 2)
    x[5] = 42
    assert to_numpy(x)[5] == 42
    assert shared[5] == 42, "an exported array does not see later writes"


@pytest.mark.cpu
def test_case33_array_conversion_then_mutation_by_the_consumer():
    x = ramp(cp)
    pending = x + 1
    host = np.asarray(x)
    host[:] = 7
    assert np.array_equal(to_numpy(pending), ramp(np) + 1)
    assert np.array_equal(to_numpy(x), np.full(N, 7.0)), "NumPy's array is a copy"
    y = ramp(cp) * 3
    assert np.array_equal(np.asarray(y), ramp(np) * 3)
    assert np.array_equal(np.array(y + 1, dtype=np.float32), (ramp(np) * 3 + 1).astype(np.float32))


def test_case33_the_result_of_asnumpy_is_the_callers_own():
    x = ramp(cp)
    host = cp.asnumpy(x)
    host[:] = -1
    assert np.array_equal(cp.asnumpy(x), ramp(np))


def test_case33_a_numpy_input_may_change_after_the_call():
    host = np.arange(float(N))
    x = cp.array(host)
    pending, mixed = x + 1, x * 0 + host
    host[:] = 0
    assert np.array_equal(to_numpy(pending), np.arange(float(N)) + 1)
    assert np.array_equal(to_numpy(mixed), np.arange(float(N)))


@program()
def test_case34_out_is_the_only_reference_to_a_pending_input(xp):
    a = ramp(xp) + 1
    xp.multiply(a, 2, out=a)
    b = noise(xp) * 3
    b = xp.add(b, b[::-1], out=b)
    c = ramp(xp) + 1
    xp.sqrt(c + 1, out=c)
    d = xp.negative(ramp(xp) * 2, out=ramp(xp) + 5)
    e = xp.add(xp.ones(N), 1)
    e += e * e
    return a, b, c, d, e


@program()
def test_case35_a_freed_inputs_address_is_reused(xp):
    results = []
    for i in range(30):
        x = xp.full(N, float(i))
        results.append(x * 2 + 1)
        del x
    return results


@program()
def test_case36_offsets_strides_and_types_of_every_width(xp):
    results = []
    for dtype in ("int8", "uint8", "int16", "float16", "int32", "float32", "float64", "complex128"):
        x = ramp(xp, dtype=dtype)
        results += [x[1:] + x[:-1], x[3::2] * 2, x[::-1] + 1, x[-1:0:-3] - 1, x[1:][1:][::-1][:-5] * x[2:-5]]
    m = square(xp)
    results += [m[1:, 1:] + m[:-1, :-1], m[::-1, ::2] * 2, m.T[1:, ::-1] + 1, m[:, 3] + m[3], m[1::2].T * 2]
    return results


@pytest.mark.large
@pytest.mark.memory
@pytest.mark.parametrize("n", [2**31 - 1, 2**31, 2**31 + 1, 2**31 + 17])
def test_case36_more_than_two_to_the_31_elements(n):
    x = cp.zeros(n, dtype=cp.int8)
    x[-1] = 3
    x[0] = 2
    y = x + 1
    assert int(y[-1]) == 4 and int(y[0]) == 3 and int(y[n // 2]) == 1
    assert int(x.argmax()) == n - 1
    assert int(x[::-1].argmax()) == 0
    assert int(x.sum()) == 5
    assert int(x[1:].sum(dtype=cp.int64)) == 3
    assert int(x[::-2][0]) == 3


def test_case36_a_broadcast_array_beyond_two_to_the_31_elements():
    """Strides of zero: the index must not wrap although no memory is used."""
    x = cp.broadcast_to(cp.arange(3, dtype=cp.int8), (2**30, 3))
    assert x.size == 3 * 2**30
    assert to_numpy(x[2**30 - 1]).tolist() == [0, 1, 2]
    assert to_numpy(x[-2:, ::-1] + 1).tolist() == [[3, 2, 1], [3, 2, 1]]


def test_case38_a_forked_process_is_told_that_it_cannot_use_cuda(on_gpu):
    if not on_gpu:
        pytest.skip("looks at a GPU")
    out = fresh_python(
        """
        x = cp.arange(2_000.0)
        pending = x + 1
        float(x.sum())
        pid = os.fork()
        if pid == 0:
            messages = set()
            ways = (lambda: float(pending[10]), lambda: x.get(), lambda: cp.zeros(3) + 1)
            for use in (*ways, cp.cuda.Device().synchronize):
                try:
                    use()
                    cp.cuda.Stream.null.synchronize()
                except RuntimeError as error:
                    messages.add("forked process" in str(error) and "spawn" in str(error))
                else:
                    messages.add(None)
            os._exit(0 if messages == {True} else 1)
        _, status = os.waitpid(pid, 0)
        print("child", os.waitstatus_to_exitcode(status), float(pending[-1]))
        """,
        timeout=60,
    )
    assert out == "child 0 2000.0"


@pytest.mark.no_gpu
def test_case38_fork():
    """A child made by fork computes, with pending work and worker threads of the parent behind it."""
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    out = fresh_python(
        """
        import warnings
        warnings.simplefilter("ignore")
        x = cp.arange(2_000_000.0)
        float((x * 2).sum())
        pending = x + 1
        pid = os.fork()
        if pid == 0:
            ok = float((x * 2 + 1).sum()) == float(np.arange(2_000_000.0).sum() * 2 + 2_000_000)
            ok = ok and float(pending[10]) == 11
            os._exit(0 if ok else 1)
        _, status = os.waitpid(pid, 0)
        print("child", os.waitstatus_to_exitcode(status), float(pending[-1]))
        """,
        timeout=60,
    )
    assert out == "child 0 2000000.0"


@pytest.mark.parametrize("keep", ["in a global", "in a cycle", "in a thread", "in a default argument"])
def test_case38_interpreter_exit_with_pending_work(keep):
    bodies = {
        "in a global": "y = cp.sqrt(x) + 1",
        "in a cycle": "box = []; box.append(box); box.append(cp.sqrt(x) + 1)",
        "in a thread": (
            "import threading\n"
            "t = threading.Thread(target=lambda: globals().update(y=cp.sqrt(x) + 1))\n"
            "t.start(); t.join()"
        ),
        "in a default argument": "def f(y=cp.sqrt(x) + 1): return y",
    }
    code = f"x = cp.arange(3_000_000.0)\n{bodies[keep]}\nprint('done')\n"
    done = fresh_python(code, check_exit=False, timeout=60)
    assert done.returncode == 0 and done.stdout.strip() == "done" and not done.stderr.strip(), done.stderr


def test_case38_exceptions_in_del_do_not_disturb_pending_work():
    out = fresh_python(
        """
        sys.unraisablehook = lambda args: None
        x = cp.arange(20000.0)
        class Loud:
            def __del__(self):
                cp.asnumpy(x + 1)
                raise RuntimeError("in __del__")
        y = x * 2
        for _ in range(100):
            Loud()
            y = y + 1
        print(float(y[1]))
        """
    )
    assert out == "102.0"


def test_case39_no_warning_and_no_error_at_the_call_or_at_the_read():
    """Work runs when somebody looks: a warning there would blame the wrong line."""

    def bodies(xp):
        x, i = ramp(xp), ramp(xp, dtype="int64")
        return (
            x / 0,
            xp.log(x - 3),
            xp.exp(x * 100),
            (x - x) / 0,
            i // 0,
            i % 0,
            (x * 1e300).astype(xp.float32),
        )

    with quiet():
        want = bodies(np)
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        made = bodies(cp)
        got = [to_numpy(result) for result in made]
        assert float((ramp(cp) + 1).sum()) == float((ramp(np) + 1).sum()), "harmless work was blamed"
    for number, (ours, numpys) in enumerate(zip(got, want, strict=True)):
        np.testing.assert_allclose(ours, numpys, rtol=1e-15, err_msg=str(number))
