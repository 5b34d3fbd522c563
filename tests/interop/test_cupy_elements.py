"""Single elements under CuPy's names: what is written to one reaches the array that it was taken from."""

import subprocess
import sys

import numpy as np
import pytest

import cuprum as cp

BEGIN = """
import numpy as np, cuprum.compat
cuprum.compat.install()
import cupy as cp
a, b = cp.arange(6.0).reshape(2, 3), cp.arange(4.0)
store = cp.RawKernel('extern "C" __global__ void store(double *p, double v) { *p = v; }', "store")
def put(place, value=9.0):
    store((1,), (1,), (place, value))
"""
CASES = {
    "put(b[2])": [0, 1, 9, 3],
    "put(b[-1])": [0, 1, 2, 9],
    "put(b[np.int64(2)])": [0, 1, 9, 3],
    "put(b[np.uint8(0)])": [9, 1, 2, 3],
    "put(b[np.array([1, 2])[1]])": [0, 1, 9, 3],
    "put(b[::-1][0])": [0, 1, 2, 9],
    "put(b[1:][np.int32(1)])": [0, 1, 9, 3],
    "put(b.reshape(2, 2)[np.int64(1), 0])": [0, 1, 9, 3],
    "put(b.reshape(2, 2)[1][1])": [0, 1, 2, 9],
    "[put(x, i + 5) for i, x in enumerate(b)]": [5, 6, 7, 8],
    "put(list(b)[1])": [0, 9, 2, 3],
    "put(b.flat[1])": [0, 9, 2, 3],
    "put(b.reshape(2, 2).T.flat[1])": [0, 1, 9, 3],
    "put(list(b.reshape(2, 2).flat)[3])": [0, 1, 2, 9],
    "cp.copyto(b[1], 5)": [0, 5, 2, 3],
    "b[1][...] = 5": [0, 5, 2, 3],
    "b[1][()] = 5": [0, 5, 2, 3],
    "b[np.int64(1)].fill(5)": [0, 5, 2, 3],
    "b[1].put([0], 5)": [0, 5, 2, 3],
    "b[1].set(np.array(5.0))": [0, 5, 2, 3],
    "b[1].real = 5": [0, 5, 2, 3],
    "b[1].data.copy_from_device(b[3].data, 8)": [0, 3, 2, 3],
    "cp.add(1, 2, out=b[np.int64(1)])": [0, 3, 2, 3],
    "cp.sum(b, out=b[0])": [6, 1, 2, 3],
    "b.reshape(2, 2).diagonal()[:] = [7, 8]": [7, 1, 2, 8],
    "b.reshape(2, 2).diagonal(offset=1)[:] = cp.array([7.0])": [0, 7, 2, 3],
    "cp.diagonal(b.reshape(2, 2), -1)[:] = 7": [0, 1, 7, 3],
    # A value that was taken stays what it was, as in NumPy.
    "x = b[1]; b[1] = 7; b[0] = x": [1, 7, 2, 3],
    "x = b[np.int64(1)]; b[1] = 7; b[0] = x": [1, 7, 2, 3],
    "x = b[1]; x += 5": [0, 1, 2, 3],
    "b[1], b[2] = b[2], b[1]": [0, 2, 1, 3],
    "b[np.int64(1)] += 5": [0, 6, 2, 3],
    "for x in b: x = x + 1": [0, 1, 2, 3],
}


def test_what_is_written_reaches_the_array():
    lines = [BEGIN, f"cases = {list(CASES)!r}", "for text in cases:"]
    lines += [
        "    b = cp.arange(4.0)",
        "    exec(text, {**globals(), 'b': b})",
        "    print(text, b.tolist(), sep=' -> ')",
    ]
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    got = dict(line.split(" -> ") for line in ran.stdout.splitlines())
    want = {text: str([float(x) for x in values]) for text, values in CASES.items()}
    assert got == want


@pytest.mark.parametrize("index", [1, np.int64(1), np.uint8(1)])
def test_without_cupys_names_kernels_refuse_elements(index):
    store = cp.RawKernel('extern "C" __global__ void store(double *p, double v) { *p = v; }', "store")
    for place in (lambda b: b[index], lambda b: next(iter(b)), lambda b: b.flat[2]):
        b = cp.arange(4.0)
        with pytest.raises(ValueError, match=r"may be written by the kernel.*single element"):
            store((1,), (1,), (place(b), 9.0))
        assert b.tolist() == [0, 1, 2, 3]
