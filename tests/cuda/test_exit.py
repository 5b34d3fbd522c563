"""The end of a program that waited for nothing: what kernels print is seen, what they found is reported."""

import os
import signal
import subprocess
import sys

import driver_api
import pytest
from twin import fresh_python

import cuprum as cp

build = driver_api.standin_build
HAS_GPU = cp.is_available()

pytestmark = pytest.mark.skipif(
    not HAS_GPU and build.compiler() is None, reason="there is no GPU, and no g++"
)


def run(code, **environment):
    """Run a program in a new process, where the stand-in runs streams only when they are waited for."""
    variables = {} if HAS_GPU else {**build.environment(build.build()), "CUPRUM_STANDIN_LAZY": "1"}
    variables |= {"CUPRUM_DEVICE": "cuda", **environment}
    return fresh_python(code, timeout=600, check_exit=False, **variables)


PRINTS = """
kernel = cp.RawKernel(r'''
extern "C" __global__ void speak(int n) { printf("kernel %d of %d\\n", threadIdx.x, n); }
''', "speak")
"""


@pytest.mark.parametrize(
    "where", ["cp.cuda.Stream.null", "cp.cuda.Stream()", "cp.cuda.Stream(non_blocking=True)"]
)
def test_what_kernels_print_is_seen(where):
    done = run(PRINTS + f"stream = {where}\nkernel((1,), (2,), (2,), stream=stream)")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["kernel 0 of 2", "kernel 1 of 2"]
    assert "ignored" not in done.stderr


def test_an_index_that_nobody_waited_for_is_reported():
    done = run("a = cp.arange(5)\nb = a[cp.asarray([1, 30])]\nprint('end')\n")
    assert (done.returncode, done.stdout) == (0, "end\n")
    assert "Exception ignored in: 'work on GPU 0 that the program did not wait for'" in done.stderr
    assert "IndexError: index: index 30 is out of bounds for axis 0 with size 5" in done.stderr


def test_errors_of_all_threads_are_reported_in_their_order():
    done = run("""
import threading
a = cp.arange(5)
def take(index):
    a.take(cp.asarray([index]))
    threading.Event().wait(0.01)
for index in (7, 8):
    thread = threading.Thread(target=take, args=(index,))
    thread.start(), thread.join()
a[cp.asarray([9])]
""")
    lines = [line for line in done.stderr.splitlines() if line.startswith("IndexError")]
    assert lines == [
        "IndexError: take: index 7 is out of bounds for axis 0 with size 5",
        "IndexError: take: index 8 is out of bounds for axis 0 with size 5",
        "IndexError: index: index 9 is out of bounds for axis 0 with size 5",
    ]


@pytest.mark.parametrize(
    "program",
    [
        # Raised already.
        "a = cp.arange(5)\na[cp.asarray([9])]\ntry: cp.cuda.Device().synchronize()\nexcept IndexError: pass",
        # Recorded, and never run.
        "a = cp.arange(5.0)\nb = cp.sqrt(a) + 1",
        "pass",
        # A graph that is being recorded when the program ends.
        "s = cp.cuda.Stream()\na = cp.arange(5.0)\ns.use()\ns.begin_capture()\nb = a + 1",
    ],
)
def test_there_is_nothing_to_report(program):
    done = run(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


FAULTY = """
kernel = cp.RawKernel('extern "C" __global__ void trips() { __trap(); }', "trips")
kernel((1,), (1,), ())
"""


@pytest.mark.parametrize("told", [False, True])
def test_a_kernel_that_ruins_its_context_is_reported_once(told):
    wait = "\ntry: cp.cuda.Device().synchronize()\nexcept RuntimeError as error: print(error)" if told else ""
    done = run(FAULTY + wait, CUPRUM_STANDIN_STICKY="1")
    assert done.returncode == 0
    assert ("trips" in done.stdout, "RuntimeError" in done.stderr) == (told, not told)


def test_a_child_that_was_forked_waits_for_nothing():
    done = run("""
a = cp.arange(5)
a[cp.asarray([9])]
child = os.fork()
if child:
    assert os.waitpid(child, 0)[1] == 0
    print("parent")
""")
    assert (done.returncode, done.stdout) == (0, "parent\n")
    assert done.stderr.count("index 9 is out of bounds") == 1


ENDLESS = """
kernel = cp.RawKernel('extern "C" __global__ void waits() {{ for (;;) __nanosleep(100); }}', "waits")
stream = {where}
kernel((1,), (1,), (), stream=stream)
print("end", flush=True)
"""


@pytest.mark.skipif(HAS_GPU, reason="a GPU's kernel that never ends would be everybody's")
@pytest.mark.parametrize("where", ["cp.cuda.Stream.null", "cp.cuda.Stream(non_blocking=True)"])
def test_a_kernel_that_never_ends_is_given_up(where):
    done = run(ENDLESS.format(where=where), CUPRUM_STANDIN_ENDLESS="waits", CUPRUM_EXIT_WAIT="0.5")
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr
    assert "RuntimeError: GPU 0: work is still under way 0.5 s after the program's end" in done.stderr


@pytest.mark.skipif(HAS_GPU, reason="a GPU's kernel that never ends would be everybody's")
def test_ctrl_c_ends_the_wait_at_the_end_of_a_program():
    # A shell's background jobs ignore the signal, and so would the program.
    heard = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nimport cuprum as cp\n"
    program = heard + ENDLESS.format(where="cp.cuda.Stream(non_blocking=True)")
    variables = {**build.environment(build.build()), "CUPRUM_DEVICE": "cuda"}
    variables |= {"CUPRUM_STANDIN_ENDLESS": "waits", "CUPRUM_EXIT_WAIT": "500"}
    path = os.pathsep.join(p for p in sys.path if p)
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, **variables, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "end\n"
    # Where the program is when the signal comes is not known: it is sent until the wait has ended.
    for _ in range(60):
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=1)
            break
        except subprocess.TimeoutExpired:
            continue
    assert process.poll() is not None, "the wait did not end"
    process.communicate()
