"""Kernels written in Python compile for a GPU, with all that they can put before them."""

import cmath

import numpy as np
import pytest
from nvrtc import compile_text

import cuprum as cp
from cuprum import _core
from cuprum.compat.cupyx import jit
from cuprum.compat.numba import cuda
from cuprum.compat.numba.cuda.bf16 import bfloat16, hfma, hsqrt
from cuprum.jit._module import kernel_text
from cuprum.jit._rawkernel import OURS
from cuprum.jit._rules import CUDA, NUMBA
from cuprum.jit._types import INT64, Array, scalar


class OwnError(Exception):
    """An exception of the user."""


@cuda.jit(device=True)
def checked(x, limit=2):
    if x > limit:
        raise ValueError("too large", 7)
    return x, 2 * x


def raises(a, n):
    i = cuda.grid(1)
    if i < n:
        pair = checked(a[i])
        a[i] = pair[1] // n + a.shape[n] / n
        assert a[i] >= 0, "negative"
        if a[i] == 3:
            raise OwnError


def defines(a, n):
    i = cuda.grid(1)
    own = cuda.shared.array(4, np.float64)

    def put(value, by=n):
        own[i] = value * by

    def factorial(k):
        return 1 if k <= 1 else k * factorial(k - 1)

    put(a[i])
    scaled = lambda x: x + own[0] + factorial(n)  # noqa: E731
    if i < n:
        late = scaled(a[i])
    x, y, z = a
    a[i] = late + x + y * z
    a[:2] = 1, 2


def narrow(a, n):
    own = cuda.local.array(2, bfloat16)
    own[0] = a[0] * a[1] - bfloat16(0.1)
    own[1] = hfma(a[0], a[1], hsqrt(a[2]))
    if own[0] < own[1]:
        a[n] = -own[0] + n
    a[0] = a[1]


SECOND = np.timedelta64(1, "s")


def dates(a, n):
    step = a[1] - a[0]
    if a[0] < a[1] and step != step * 2:
        a[2] = a[0] + step // 2 + n
    a[3] = a[0] + step % (step * 0.5)
    a[4] = a[0] - SECOND * int(step / step)


def reduces(a, n):
    Reduce = jit.cub.BlockReduce[np.complex64, 128]
    memory = jit.shared_memory(dtype=Reduce.TempStorage, size=2)
    total = Reduce(memory[0]).Sum(a[n])
    most = Reduce(memory[1]).Reduce(a[n], jit.cub.Max())
    a[0] = total + most


def algorithms(a, n):
    jit.thrust.sort(jit.thrust.seq, a.begin(), a.end())
    at = jit.thrust.find(jit.thrust.device, a.begin(), a.begin() + n, 3)
    first, last = jit.thrust.equal_range(jit.thrust.seq, a.begin(), a.end(), 2)
    counting = jit.thrust.make_counting_iterator(n)
    a[0] = (at - a.begin()) + (last - first) + counting[1]
    steps = a[::2]
    jit.thrust.inclusive_scan(jit.thrust.seq, steps.begin(), steps.end(), steps.begin())


WORDS = np.array(["one", "three"])


def words(a, n):
    if a[0] == "same" or a[1] != WORDS[1] or len(a[n]) > 2:
        a[n] = a[0]
    a[2] = "cut off"


def analytic(a, n):
    a[0] = cmath.tanh(a[n]) + cmath.acosh(a[n]) - cmath.asin(a[n]) * np.tan(a[n])


def assigned(a, n):
    a[n] = b"abcd"
    if a[0] == a[n]:
        a[1] = a[2]


BFLOAT = scalar(cp.bfloat16).dtype
CASES = {
    "raise": (raises, "f8", NUMBA, False),
    "raise, reported": (raises, "i8", NUMBA, True),
    "raise, stopping": (raises, "f4", OURS, False),
    "functions": (defines, "f8", NUMBA, False),
    "bfloat16": (narrow, BFLOAT, NUMBA, False),
    "dates": (dates, "M8[h]", NUMBA, False),
    "texts": (words, "<U4", NUMBA, False),
    "bytes": (assigned, "S3", NUMBA, False),
    "cmath": (analytic, "c8", NUMBA, False),
    "cub": (reduces, "c8", CUDA, False),
    "thrust": (algorithms, "f2", CUDA, False),
}


@pytest.mark.parametrize("name", CASES)
def test_texts_compile(name):
    function, dtype, rules, debug = CASES[name]
    kind = dtype if dtype is BFLOAT else np.dtype(dtype)
    text = kernel_text(function, (Array(kind, 1), INT64), rules, True, debug=debug)
    assert bool(text.exceptions) == debug
    compile_text(text.text, headers=_core.kernel_headers())
