"""Load: threads that share everything, many operations with flat memory, a cache that processes share.

    python tests/load/load.py --minutes 10
    CUPRUM_DEVICE=cuda python tests/load/load.py --minutes 10 --parts share

Each part prints what it did and how much memory it took; the status is 1 if anything was wrong.
"""

import argparse
import gc
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

import cuprum as cp
from cuprum.scipy import sparse as sparse_matrices

THREADS = 16
PROCESSES = 8
GROWTH = 64 << 20
"""Bytes that memory may grow by after the warm-up: allocators keep some."""

KERNEL = """
extern "C" __global__ void saxpy(double a, const double *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""


def resident():
    """Return the bytes of memory that the process holds."""
    with open("/proc/self/statm") as facts:
        return int(facts.read().split()[1]) * resource.getpagesize()


class Shared:
    """What all threads use: arrays that are only read, one that all write, streams, pools and a generator."""

    def __init__(self):
        host = np.random.default_rng(0)
        self.large = host.random(200_000)
        self.matrix = host.random((64, 64))
        self.arrays = [cp.asarray(self.large), cp.asarray(self.matrix), cp.arange(1000)]
        self.scratch = cp.zeros(5000)
        self.streams = [cp.cuda.Stream(non_blocking=bool(i % 2)) for i in range(4)]
        self.pools = [cp.cuda.MemoryPool() for _ in range(2)]
        self.generator = cp.random.default_rng(1)
        self.kernel = cp.RawKernel(KERNEL, "saxpy")
        self.dates = cp.arange(np.datetime64("2000-01-01"), 5000)
        self.sparse = 3.0 * sparse_matrices.eye(64, format="csr")
        self.pending = [self.arrays[0] * i for i in range(8)]
        self.sums = [float((self.large * i).sum()) for i in range(8)]


def elementwise(shared, rng):
    i = rng.randrange(8)
    assert np.isclose(float(shared.pending[i].sum()), shared.sums[i], rtol=1e-9)


def fused(shared, rng):
    n = rng.randrange(1, 200_000)
    got = float(cp.sqrt(shared.arrays[0][:n] ** 2 + 1).sum())
    assert np.isclose(got, np.sqrt(shared.large[:n] ** 2 + 1).sum(), rtol=1e-9)


def matrices(shared, rng):
    got = cp.asnumpy(shared.arrays[1] @ shared.arrays[1])
    assert np.allclose(got, shared.matrix @ shared.matrix)
    assert cp.linalg.solve(shared.arrays[1], cp.ones(64)).shape == (64,)


def ordered(shared, rng):
    assert bool((cp.diff(cp.sort(shared.arrays[0][: rng.randrange(2, 50_000)])) >= 0).all())


def random_numbers(shared, rng):
    drawn = shared.generator.random(rng.randrange(1, 20_000))
    assert 0 <= float(drawn.min()) and float(drawn.max()) < 1


def kernels(shared, rng):
    x, y = cp.arange(4096.0), cp.ones(4096)
    shared.kernel((16,), (256,), (2.0, x, y, np.int32(4096)))
    assert float(y.sum()) == 4095 * 4096 + 4096


def streams(shared, rng):
    with rng.choice(shared.streams) as stream:
        made = cp.arange(10_000.0) * 2
        event = stream.record()
    event.synchronize()
    assert float(made.sum()) == 9999 * 10_000


def pools(shared, rng):
    with cp.cuda.using_allocator(rng.choice(shared.pools).malloc):
        made = cp.full(rng.randrange(1, 30_000), 3.0)
        assert float(made.sum()) == 3.0 * made.size


def writes(shared, rng):
    start = rng.randrange(4000)
    shared.scratch[start : start + 1000] = rng.random()
    shared.scratch += 1
    assert shared.scratch.shape == (5000,)


def dates(shared, rng):
    days = shared.dates[: rng.randrange(1, 5000)]
    assert int((days[-1:] - days[:1]).astype("i8")[0]) == days.size - 1
    assert cp.sort(days[::-1]).tolist()[0] == days.tolist()[0]


def sparse(shared, rng):
    product = shared.sparse @ shared.arrays[1]
    assert np.allclose(cp.asnumpy(product), 3 * shared.matrix)


def mistakes(shared, rng):
    wrong = [
        lambda: shared.arrays[0] + shared.arrays[1],
        lambda: shared.arrays[1].reshape(7, 7),
        lambda: shared.arrays[2][5000],
        lambda: cp.empty(2**60),
        lambda: cp.linalg.solve(cp.zeros((3, 3)), cp.ones(3)),
        lambda: shared.kernel((1,), (4096,), (1.0, shared.arrays[0], shared.arrays[0], np.int32(1))),
        lambda: cp.RawKernel("int f(", "f").compile(),
    ]
    try:
        rng.choice(wrong)()
    except Exception:
        return
    raise AssertionError("a mistake went through")


def cycles(shared, rng):
    box = [cp.arange(1000.0) + rng.random()]
    box.append(box)
    if rng.random() < 0.02:
        gc.collect()


WORK = [
    elementwise,
    fused,
    matrices,
    ordered,
    random_numbers,
    kernels,
    streams,
    pools,
    writes,
    dates,
    sparse,
    mistakes,
    cycles,
]


def share(minutes):
    """Let threads use what is shared; return what was wrong."""
    shared, wrong, counts = Shared(), [], [0] * THREADS
    stop = time.monotonic() + 60 * minutes

    def loop(number):
        rng = random.Random(number)
        while time.monotonic() < stop and not wrong:
            work = rng.choice(WORK)
            try:
                work(shared, rng)
            except Exception as error:
                wrong.append(f"{work.__name__}: {type(error).__name__}: {error}")
            counts[number] += 1

    threads = [threading.Thread(target=loop, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    time.sleep(min(5, 15 * minutes))
    before = resident()
    for thread in threads:
        thread.join()
    gc.collect()
    grown = resident() - before
    print(f"{THREADS} threads: {sum(counts)} pieces of work, {before >> 20} MiB and {grown >> 20} MiB more")
    if grown > 4 * GROWTH:
        wrong.append(f"memory grew by {grown >> 20} MiB")
    return wrong


def many(minutes, most=10**7):
    """Run small operations, up to ten million; return what was wrong."""
    a, b = cp.arange(16.0), cp.ones(16)
    stop, done, before = time.monotonic() + 60 * minutes, 0, 0
    while done < most and (time.monotonic() < stop or done < 200_000):
        for _ in range(1000):
            c = a + b
            c *= 2
            d = cp.sqrt(c)
            d[3] = 1
            e = d[::2].sum()
        done += 5000
        if done == 100_000:
            before = resident()
    assert float(e) > 0
    grown = resident() - before
    print(f"{done} operations, memory {before >> 20} MiB and {grown >> 10} KiB more")
    return [f"memory grew by {grown >> 20} MiB"] if grown > GROWTH // 4 else []


CACHED = """
import random, sys
import numpy as np
import cuprum as cp
rng = random.Random(int(sys.argv[1]))
for turn in range(int(sys.argv[2])):
    number = rng.randrange(12)
    kernel = cp.RawKernel(
        f'extern "C" __global__ void add(double *x) {{ x[threadIdx.x] += {number} + blockIdx.x; }}', "add"
    )
    x = cp.zeros(32)
    kernel((1,), (32,), (x,))
    assert float(x.sum()) == 32 * number
    made = cp.ElementwiseKernel("float64 x", "float64 y", f"y = x * {number}", f"times{number}")
    assert float(made(cp.ones(8)).sum()) == 8 * number
print("done")
"""


def cache(minutes):
    """Let processes share a cache directory that is too small for all; return what was wrong."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        settings = dict(os.environ, CUPRUM_CACHE_DIR=folder, CUPRUM_CACHE_SIZE="100000")
        turns = max(20, int(200 * minutes))
        begun = [
            subprocess.Popen(
                [sys.executable, "-c", CACHED, str(seed), str(turns)],
                env=settings,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for seed in range(PROCESSES)
        ]
        for process in begun:
            out, err = process.communicate()
            if process.returncode or out.strip() != "done":
                wrong.append(f"a process with the shared cache: {process.returncode}: {err[-300:]}")
        left = sum(path.stat().st_size for path in pathlib.Path(folder).rglob("*") if path.is_file())
    print(f"{PROCESSES} processes: {turns} kernels each in one cache directory, {left} bytes left in it")
    return wrong


PARTS = {"share": share, "many": many, "cache": cache}


def main():
    """Run all parts, or some."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1, help="for how long each part runs at most")
    parser.add_argument("--parts", default=",".join(PARTS), help="which parts, by comma")
    options = parser.parse_args()
    print(f"device {cp.info()['device']}", flush=True)
    wrong = [one for name in options.parts.split(",") for one in PARTS[name](options.minutes)]
    for one in wrong:
        print(one)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
