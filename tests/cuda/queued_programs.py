"""Programs made at random of what can lie between launches: memory that comes and goes, writes in place,
looks, other streams, events, graphs of the program's own, threads, errors. Prints a digest of all bits that a
program has computed.

    python tests/cuda/queued_programs.py SEED...
"""

import hashlib
import random
import sys
import threading

import numpy as np

import cuprum as cp

SIZES = (3, 40, 1000, 5000)


class Program:
    """A program and the digest of what it has looked at."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        rng = np.random.default_rng(seed)
        self.arrays = [cp.asarray(rng.random((self.random.choice(SIZES), 4))) for _ in range(4)]
        self.streams = [cp.cuda.Stream(), cp.cuda.Stream(non_blocking=True)]
        self.graph = None
        self.digest = hashlib.sha256()

    def look(self, array):
        host = cp.asnumpy(array)
        self.digest.update(str((host.dtype, host.shape)).encode() + np.ascontiguousarray(host).tobytes())

    def pick(self):
        return self.random.choice(self.arrays)

    def put(self, array):
        self.arrays[self.random.randrange(len(self.arrays))] = array

    def body(self):
        """A few lines that a loop repeats."""
        lines = self.random.choices(LINES, k=self.random.randint(1, 5))
        for _ in range(self.random.randint(2, 25)):
            for line in lines:
                line(self)
            if self.random.random() < 0.02:
                self.random.choice(LINES)(self)

    def run(self):
        for _ in range(self.random.randint(2, 5)):
            self.body()
            self.random.choice(BETWEEN)(self)
        for array in self.arrays:
            self.look(array)
        return self.digest.hexdigest()


def step(program):
    a = program.pick()
    program.put(a * 0.5 + cp.sin(a))


def normalise(program):
    a = program.pick()
    program.put(a / (a.sum(axis=0) + 2))


def in_place(program):
    a = program.pick()
    a += 0.25
    a[1:] *= 0.5


def shifted(program):
    a = program.pick()
    program.put((cp.roll(a, 1, 0) + a[::-1]) * 0.5)


def in_order(program):
    program.put(cp.sort(program.pick(), axis=0))


def running(program):
    program.put(cp.cumsum(program.pick(), axis=0) * 0.1)


def gathered(program):
    a = program.pick()
    program.put(a[cp.arange(len(a)) // 2] + 1)


def shrinks(program):
    a = program.pick()
    if len(a) > 3:
        program.put(a[:-1] * 1.5)


LINES = [step, step, normalise, in_place, shifted, in_order, running, gathered, shrinks]


def look(program):
    program.look(program.pick())


def read_one(program):
    program.digest.update(repr(float(program.pick().sum())).encode())


def other_stream(program):
    stream = program.random.choice(program.streams)
    a = program.pick()
    done = cp.cuda.Event()
    with stream:
        b = a * 2 + 1
        b -= a
        stream.record(done)
    cp.cuda.Stream.null.wait_event(done)
    program.put(b)


def recorded(program):
    if program.graph is None:
        stream = program.streams[1]
        source, target = cp.ones(100), cp.zeros(100)
        with stream:
            stream.begin_capture()
            target += source * 3
            program.graph = (stream.end_capture(), source, target)
    graph, source, target = program.graph
    source += 1
    graph.launch(stream=program.streams[0])
    program.streams[0].synchronize()
    program.look(target)


def another_thread(program):
    a, found = program.pick(), []

    def work():
        b = a
        for _ in range(12):
            b = b * 0.5 + 1
        found.append(b)
        found.append(cp.asnumpy(b + 1))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    program.put(found[0])
    program.digest.update(found[1].tobytes())


def refused(program):
    try:
        cp.asnumpy(program.pick()[cp.array([10**6])])
    except IndexError as error:
        program.digest.update(str(error).encode())
    else:
        raise AssertionError("a position out of bounds")


def memory_goes(program):
    program.put(program.pick() + 1)
    cp.get_default_memory_pool().free_all_blocks()


def address_given_out(program):
    a = program.pick()
    assert a.data.ptr
    a += 1


BETWEEN = [look, read_one, other_stream, recorded, another_thread, refused, memory_goes, address_given_out]


if __name__ == "__main__":
    for text in sys.argv[1:]:
        print(text, Program(int(text)).run(), flush=True)
