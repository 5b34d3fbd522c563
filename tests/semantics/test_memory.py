"""Memory stays bounded: peaks of chains, loops that keep small results, pending work that pins its inputs.

Each measurement runs in a process of its own and reads the peak of its resident set (VmHWM in
/proc/self/status), so that nothing else is counted; on a GPU, what the pool of the GPU's memory has grown
to. Sizes are kept to a few hundred megabytes.
"""

import gc
import os
import sys
import textwrap
import weakref

import numpy as np
import pytest
from twin import fresh_python

import cuprum as cp

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
MB = 2**20

MEASURE = """
import gc

if cp.info()["device"] == "cpu":
    def peak():
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))

    def now():
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
else:
    def peak():
        return cp.get_default_memory_pool().total_bytes()

    def now():
        return cp.get_default_memory_pool().used_bytes()

cp.asnumpy(cp.sqrt(cp.arange(300000.0) * 2 + 1).sum())
"""


def measure(code, **env):
    """Run `code` after MEASURE in a fresh interpreter; it prints one number, in bytes."""
    return int(fresh_python(MEASURE + textwrap.dedent(code), timeout=180, **env))


@linux
@pytest.mark.memory
@pytest.mark.fusion
def test_a_chain_of_ten_ops_peaks_at_inputs_output_and_64_mb():
    used = measure(
        """
        n = 32 * 2**20
        x = cp.ones(n)
        cp.asnumpy(x[:1])
        before = peak()
        y = x
        for i in range(5):
            y = (y * 1.5) + i
        assert float(y[3]) > 0
        print(peak() - before)
        """
    )
    assert used <= 256 * MB + 64 * MB, (
        f"{used / MB:.0f} MB beyond the input of 256 MB; its output takes 256 MB"
    )


@linux
@pytest.mark.memory
@pytest.mark.fusion
def test_a_fused_reduction_needs_no_temporary():
    used = measure(
        """
        a, b = cp.ones(16 * 2**20), cp.ones(16 * 2**20)
        cp.asnumpy(a[:1]), cp.asnumpy(b[:1])
        before = peak()
        assert float(cp.sqrt(a * a + b * b).sum()) > 0
        print(peak() - before)
        """
    )
    assert used <= 32 * MB, f"{used / MB:.0f} MB for a sum of two arrays of 128 MB"


@linux
@pytest.mark.memory
def test_case08_ten_thousand_in_place_adds_stay_bounded():
    used = measure(
        """
        a = cp.zeros(100_000)
        a += 1
        cp.asnumpy(a)
        before = peak()
        for _ in range(10_000):
            a += 1
        assert float(a[0]) == 10_001
        print(peak() - before)
        """
    )
    assert used <= 48 * MB, f"{used / MB:.0f} MB"


@linux
@pytest.mark.memory
def test_case09_chains_dropped_unread_leave_nothing_behind():
    used = measure(
        """
        x = cp.ones(10_000)
        def build():
            y = x
            for _ in range(2_000):
                y = y + 1
        for _ in range(5):
            build()
        before = peak()
        for _ in range(50):
            build()
        print(peak() - before)
        """
    )
    assert used <= 32 * MB, f"{used / MB:.0f} MB"


@linux
@pytest.mark.memory
def test_case37_a_loop_that_keeps_small_results_of_large_temporaries():
    """60 sums of 64 MB arrays, none read until the end: 3.8 GB if each pending sum kept its input."""
    used = measure(
        """
        before = peak()
        kept = []
        for i in range(60):
            big = cp.full(8 * 2**20, float(i))
            kept.append((big * 2 + 1).sum())
            del big
        assert [float(k) for k in kept] == [(2.0 * i + 1) * 8 * 2**20 for i in range(60)]
        print(peak() - before)
        """
    )
    assert used <= 1536 * MB, f"{used / MB:.0f} MB"


@linux
@pytest.mark.memory
def test_a_loop_that_drops_its_temporaries_reuses_their_memory():
    used = measure(
        """
        x = cp.ones(8 * 2**20)
        cp.asnumpy((x + 1)[:1])
        before = peak()
        for i in range(40):
            y = x * i
            z = cp.asnumpy((y + 1)[:3])
        print(peak() - before)
        """
    )
    assert used <= 256 * MB, f"{used / MB:.0f} MB for temporaries of 64 MB"


@linux
@pytest.mark.memory
def test_reading_a_result_lets_its_inputs_go():
    """A computed array is a leaf: it keeps nothing that it was made from."""
    used = measure(
        """
        results = []
        before = peak()
        for i in range(30):
            big = cp.full(4 * 2**20, float(i))
            small = big[:1000] + big[-1000:]
            cp.asnumpy(small)
            results.append(small)
            del big, small
        print(peak() - before)
        """
    )
    assert used <= 256 * MB, f"{used / MB:.0f} MB: 30 inputs of 32 MB were kept alive"


@linux
@pytest.mark.memory
def test_views_keep_their_base_and_nothing_else():
    used = measure(
        """
        x = cp.ones(8 * 2**20)
        views = [x[i:] for i in range(2_000)]
        before = peak()
        views += [x[i:][::2].reshape(2, -1) for i in range(0, 4_000, 2) if (len(x) - i) % 4 == 0]
        print(peak() - before)
        """
    )
    assert used <= 32 * MB, f"{used / MB:.0f} MB"


@linux
@pytest.mark.memory
def test_broadcast_operands_are_not_expanded():
    used = measure(
        """
        row, column = cp.ones(4096), cp.ones((4096, 1))
        before = peak()
        total = float((cp.broadcast_to(row, (4096, 4096)) + column).sum())
        assert total == 2 * 4096 * 4096
        print(peak() - before)
        """
    )
    limit = 32 * MB if os.environ.get("CUPRUM_DEFER", "1") != "0" else 256 * MB
    assert used <= limit, f"{used / MB:.0f} MB"


@linux
@pytest.mark.memory
def test_transfers_do_not_leak():
    used = measure(
        """
        host = np.ones(2**20)
        numbers = host[:1000].tolist()
        for _ in range(5):
            cp.asnumpy(cp.array(host) + 1)
        before = peak()
        for _ in range(200):
            cp.asnumpy(cp.array(host) + 1)
            cp.array(numbers)
            if cp.info()["device"] == "cpu":
                np.asarray(cp.array(host))
                memoryview(cp.array(host)).release()
        print(peak() - before)
        """
    )
    assert used <= 64 * MB, f"{used / MB:.0f} MB"


@linux
@pytest.mark.memory
def test_errors_do_not_leak():
    used = measure(
        """
        def fail():
            x = cp.ones(500_000) * 2
            for bad in (lambda: x + cp.ones(3), lambda: x.reshape(7, 7), lambda: x[10**9], lambda: x.sum(4)):
                try:
                    bad()
                except Exception:
                    pass
        for _ in range(10):
            fail()
        before = peak()
        for _ in range(200):
            fail()
        print(peak() - before)
        """
    )
    assert used <= 64 * MB, f"{used / MB:.0f} MB"


def test_arrays_are_freed_when_dropped():
    class Tagged:
        pass

    tag = Tagged()
    alive = weakref.ref(tag)
    x = cp.arange(20_000.0)
    y = x + 1
    z = y[::2]
    box = [x, y, z, tag]
    box.append(box)
    del x, y, z, tag, box
    gc.collect()
    assert alive() is None, "a cycle through arrays was not collected"


@pytest.mark.parametrize(
    ("shape", "error"),
    [
        ((2**62,), ValueError),
        ((2**40, 2**40), ValueError),
        ((2**31, 2**31, 4), ValueError),
        ((10**18,), MemoryError),
    ],
)
def test_sizes_beyond_memory_raise_what_numpy_raises(shape, error):
    """MemoryError, or ValueError where the number of bytes does not fit; never an abort."""
    with pytest.raises(error):
        np.zeros(shape)
    for make in (cp.zeros, cp.ones, cp.empty):
        with pytest.raises(error) as caught:
            cp.asnumpy(make(shape)[..., :1])
        assert str(caught.value)
    assert float((cp.ones(10) + 1).sum()) == 20


def test_a_result_too_large_to_index_raises():
    """2**31 by 2**33 elements: the count of bytes passes 2**64."""
    wide = cp.broadcast_to(cp.ones(1), (2**33,))
    tall = cp.broadcast_to(cp.ones((1, 1)), (2**31, 1))
    with pytest.raises(ValueError, match="add: array of shape .* is too big"):
        cp.asnumpy(tall + wide)


def test_nbytes_itemsize_and_size():
    x = cp.zeros((3, 4), dtype=np.float32)
    assert (x.nbytes, x.itemsize, x.size) == (48, 4, 12)
    assert x[::2, ::2].nbytes == 16


ROW_PROGRAMS = {
    "softmax": "e = cp.exp(x - x.max(axis=1, keepdims=True)); y = e / e.sum(axis=1, keepdims=True)",
    "layer norm": """
        c = x - x.mean(axis=1, keepdims=True)
        y = c / cp.sqrt((c * c).mean(axis=1, keepdims=True) + 1e-5)
    """,
    "two results": """
        e = cp.exp(x - x.max(axis=1, keepdims=True))
        s = e.sum(axis=1, keepdims=True)
        y = e / s
        del e
    """,
    "into itself": "x -= x.max(axis=1, keepdims=True); x /= cp.exp(x).sum(axis=1, keepdims=True); y = x",
    "columns": "y = (x - x.mean(axis=0)) / x.std(axis=0)",
    "few elements": "d = x[:, :2048, None] - x[:1, None, :3]; y = (d * d).sum(-1)",
    "a result and a later one": "y = cp.sqrt(x * x + 1); z = y - x; w = cp.exp(y)",
}


@linux
@pytest.mark.memory
@pytest.mark.fusion
@pytest.mark.parametrize("name", ROW_PROGRAMS)
def test_fused_rows_take_no_more_memory_than_each_op_alone(name):
    code = """
    x = cp.arange(8192 * 2048, dtype="float32").reshape(8192, 2048)
    cp.asnumpy(x[:1])
    before = peak()
    {program}
    cp.testing.wait(y)
    print(peak() - before)
    """
    code = textwrap.dedent(code).format(program=textwrap.dedent(ROW_PROGRAMS[name]).strip())
    fused, alone = measure(code), measure(code, CUPRUM_DEFER="0")
    # What threads keep of their rows is theirs, whatever the array's size.
    assert fused <= alone + 8 * MB, f"{fused / MB:.0f} MB fused, {alone / MB:.0f} MB one by one"


@linux
@pytest.mark.memory
@pytest.mark.fusion
def test_a_softmax_takes_its_result_alone():
    used = measure(
        """
        x = cp.arange(8192 * 4096, dtype="float32").reshape(8192, 4096)
        cp.asnumpy(x[:1])
        before = peak()
        e = cp.exp(x - x.max(axis=1, keepdims=True))
        y = e / e.sum(axis=1, keepdims=True)
        del e
        cp.testing.wait(y)
        print(peak() - before)
        """
    )
    assert used <= 128 * MB + 16 * MB, f"{used / MB:.0f} MB; the result takes 128 MB"
