"""Worker processes of the fuzzers: they take seeds in tasks, and one that ends or hangs its process is found.

A worker is a script that is called with `--worker FIRST COUNT MODE`. It says `{"seed": n}` in a line of JSON
before it works on a seed, and whatever else it has to say in further lines. `run` hands out tasks to as many
workers as there are jobs and yields what they say.
"""

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ENOUGH = 100
"""After so many differences a fuzzer stops: something else is wrong."""


class Task(NamedTuple):
    """Some seeds, what is to be done with them, and the environment variables to do it under."""

    first: int
    count: int
    mode: str = "check"
    settings: tuple = ()


class _Worker:
    def __init__(self, script, task, options):
        self.task, self.seed, self.rest = task, task.first, b""
        command = [sys.executable, str(script), "--worker", str(task.first), str(task.count), task.mode]
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self.process = subprocess.Popen(
            command + list(options),
            env={**os.environ, **dict(task.settings)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )
        self._note()

    def _note(self):
        """Note when it was heard, and the time that it has computed until then."""
        self.heard, self.computed = time.monotonic(), self._seconds()

    def _seconds(self):
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def hangs(self, seconds):
        """Return whether it has said nothing for so long, and has had half of that time to compute.

        A machine that others use lets it wait; one that waits for itself is given ten times as long.
        """
        silent = time.monotonic() - self.heard
        return silent > 10 * seconds or silent > seconds and self._seconds() - self.computed > seconds / 2

    def messages(self):
        """Return what it has said since the last call; None when it has ended."""
        data = os.read(self.process.stdout.fileno(), 1 << 18)
        if not data:
            return None
        self._note()
        *lines, self.rest = (self.rest + data).split(b"\n")
        said = [json.loads(line) for line in lines if line.startswith(b'{"')]
        if said:
            self.seed = said[-1]["seed"]
        return said

    def close(self):
        """End it; return its exit status and the end of what it wrote to stderr."""
        self.process.kill()
        code = self.process.wait()
        self.process.stdout.close()
        self.errors.seek(0)
        text = self.errors.read()[-400:].decode(errors="replace")
        self.errors.close()
        return code, text


def run(script, tasks, jobs, seconds=float("inf"), hang=300.0, options=()):
    """Yield (task, message) of all tasks until they are done, or until the time is up.

    A worker that ends early, or says nothing and computes for `hang` seconds, yields a message with the key
    "ended"; the seeds behind the one that ended it become a task of their own.
    """
    begun, left, waiting, workers = time.monotonic(), iter(tasks), [], {}
    with selectors.DefaultSelector() as ready:
        try:
            while True:
                while len(workers) < jobs:
                    task = waiting.pop() if waiting else next(left, None)
                    if task is None:
                        break
                    worker = _Worker(script, task, options)
                    workers[ready.register(worker.process.stdout, selectors.EVENT_READ).fd] = worker
                if not workers:
                    return
                spoken = {key.fd for key, _ in ready.select(1.0)}
                for number, worker in list(workers.items()):
                    messages, ended = [], None
                    if number in spoken:
                        messages = worker.messages()
                        if messages is None:
                            messages, ended = [], worker.process.wait()
                    elif worker.hangs(hang):
                        ended = "hangs"
                    yield from ((worker.task, message) for message in messages)
                    if ended is None:
                        continue
                    ready.unregister(worker.process.stdout)
                    del workers[number]
                    _, said = worker.close()
                    if ended == 0:
                        continue
                    yield worker.task, {"seed": worker.seed, "ended": f"exit status {ended}: {said}"}
                    behind = worker.seed + 1 - worker.task.first
                    if behind < worker.task.count:
                        rest = worker.task.count - behind
                        waiting.append(worker.task._replace(first=worker.seed + 1, count=rest))
                if time.monotonic() - begun > seconds:
                    return
        finally:
            for worker in workers.values():
                worker.close()
