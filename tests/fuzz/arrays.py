"""The array fuzzer: random programs of 1 to 30 lines, NumPy and SciPy the oracle.

    python tests/fuzz/arrays.py --jobs 2 --seconds 60 --seed 1
    CUPRUM_DEVICE=cuda python tests/fuzz/arrays.py --jobs 16 --seconds 120 --seed 2

Programs run in worker processes, so that one that ends its process is found like any other. A program that
differs is shrunk to the lines that matter and written to `fuzz-failures/` as a test. Some programs run again
under other settings (nothing deferred, other numbers of threads, other instruction sets), which must give the
same bits, and damaged files and capsules are read (`hostile.py`).

At the end it prints how many calls and programs were compared, their seeds, and how many differences there
were; the exit status is 1 if there were any.
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time
from collections import Counter

HERE = pathlib.Path(__file__).resolve().parent
BATCH = 6000
AGAIN = 600
"""Programs of a batch that run under another setting too."""
TOLD = 100
"""Programs between two messages of a worker's counts."""
MOST_MEMORY = 6 << 30
HANG = 100.0
"""Seconds after which a program hangs."""
CPU_SETTINGS = [
    {"CUPRUM_DEFER": "0"},
    {"CUPRUM_THREADS": "1"},
    {"CUPRUM_THREADS": "7"},
    {"CUPRUM_SIMD": "portable"},
    {"CUPRUM_SIMD": "avx2"},
]
GPU_SETTINGS = [{"CUPRUM_DEFER": "0"}, {"CUPRUM_MEMORY": "exact"}]


def tell(seed, **words):
    print(json.dumps({"seed": seed, **words}), flush=True)


def worker(first, count, mode, values, large):
    """Check programs, each with some sets of values, or take their digests; announce each before it runs."""
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    import oracle
    import programs
    from programs import Program

    if large:
        programs.enlarge()
    oracle.bound_memory(MOST_MEMORY)
    counts = Counter()
    for seed in range(first, first + count):
        tell(seed)
        program = Program(seed)
        # What makes an array is no call of the program's.
        calls = sum(kind is not None for kind in program.kinds)
        if mode == "digest":
            tell(seed, digest=hashlib.sha256(oracle.digest(program)).hexdigest(), again=calls)
            continue
        for number in range(values):
            program = program.with_values(number)
            found = oracle.check(program)
            counts.update(programs=1, calls=calls, **oracle.counts)
            if differs(found):
                break
        if counts["programs"] >= TOLD or seed + 1 == first + count:
            tell(seed, counts=counts)
            counts.clear()
        if seed - first < AGAIN and mode == "both":
            tell(seed, digest=hashlib.sha256(oracle.digest(Program(seed))).hexdigest())
        if found is not None and found.what is not None:
            small = shrink(program, lambda smaller: differs(oracle.check(smaller)))
            last = oracle.check(small) or found
            tell(seed, found=last.what, program=str(small), kinds=small.kinds)


def differs(found):
    return found is not None and found.what is not None and "NameError" not in found.what


def shrink(program, fails):
    """Return the program with as few lines as still fail."""
    changed = True
    while changed and len(program.lines) > 1:
        changed = False
        for number in reversed(range(len(program.lines))):
            smaller = program.without({number})
            if fails(smaller):
                program, changed = smaller, True
                break
    return program


TEST = '''"""Found by the array fuzzer, seed {seed}: {what}."""

import pathlib
import sys

FUZZ = pathlib.Path(__file__).resolve().parents[1] / "tests" / "fuzz"
sys.path[:0] = [str(FUZZ), str(FUZZ.parent)]

import oracle  # noqa: E402
from programs import Program  # noqa: E402

LINES = [
{lines}]
KINDS = {kinds!r}


def test_program():
    program = Program.of(LINES, KINDS)
    found = oracle.check(program)
    assert found is None or found.what is None, found.what
'''


def write_test(folder, seed, what, lines, kinds):
    """Write a program as a test; return the test's path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"test_{hashlib.sha256(repr(lines).encode()).hexdigest()[:12]}.py"
    text = "".join(f"    {line!r},\n" for line in lines)
    what = what.replace("\\", "/").replace('"', "'")[:200].replace("\n", " ")
    path.write_text(TEST.format(seed=seed, what=what, lines=text, kinds=kinds))
    return path


def write_crash(folder, seed, what):
    """Shrink a program that ended its process, and write it as a test; every try is a process of its own."""
    from programs import Program

    def ends(program):
        path = write_test(folder / "tries", seed, what, program.lines, program.kinds)
        command = [sys.executable, "-c", f"import runpy; runpy.run_path({str(path)!r})['test_program']()"]
        try:
            code = subprocess.run(command, capture_output=True, timeout=120).returncode
        except subprocess.TimeoutExpired:
            code = -1
        path.unlink()
        return code not in (0, 1)

    program = Program(seed)
    if ends(program):
        program = shrink(program, ends)
    return write_test(folder, seed, what, program.lines, program.kinds)


class Session:
    """What the workers have told so far."""

    def __init__(self, options, settings):
        self.options, self.settings = options, settings
        self.counts, self.found, self.digests, self.functions = Counter(), {}, {}, set()
        self.ended = 0
        self.first = self.last = options.seed * 10_000_000

    def tasks(self):
        """Yield batches without end, each with a part of it under one of the settings."""
        number = 0
        while self.options.calls is None or self.counts["calls"] < self.options.calls:
            first = self.first + number * BATCH
            yield self.task(first, BATCH, "both" if self.settings else "check")
            if self.settings:
                setting = self.settings[number % len(self.settings)]
                yield self.task(first, AGAIN, "digest", **setting)
            number += 1

    def task(self, first, count, mode, **settings):
        from pool import Task

        # Workers share the machine: a few threads each, enough to share work at all.
        settings = {"CUPRUM_THREADS": os.environ.get("CUPRUM_THREADS", "3"), **settings}
        return Task(first, count, mode, tuple(settings.items()))

    def hear(self, task, said):
        from programs import VARIANTS

        seed = said["seed"]
        self.last = max(self.last, seed)
        self.counts.update(said.get("counts", {}))
        if "again" in said:
            self.counts["again"] += said["again"]
        if "digest" in said:
            self.agree(seed, task, said["digest"])
        if "found" in said:
            # Programs of one text differ at the same line.
            key = seed // VARIANTS
            if key not in self.found:
                self.found[key] = said
                self.show(f"seed {seed}: {said['found']}\n    " + said["program"].replace("\n", "\n    "))
        if "ended" in said:
            self.ended += 1
            self.found[f"ended {seed}"] = {**said, "found": said["ended"]}
            self.show(f"seed {seed} ended its process: {said['ended']}")

    def agree(self, seed, task, digest):
        """Compare a program's digest with the one of the other setting, once both are there."""
        other = self.digests.pop(seed, None)
        if other is None:
            self.digests[seed] = (task, digest)
            return
        setting = dict((task if task.mode == "digest" else other[0]).settings)
        self.counts["compared"] += 1
        if other[1] != digest and not ("CUPRUM_SIMD" in setting and sums_by_width(seed)):
            self.found[f"{seed} {setting}"] = {"seed": seed, "found": f"other bits with {setting}"}
            self.show(f"seed {seed}: other bits with {setting}")

    def show(self, text):
        print(text, flush=True)

    def write(self, folder):
        """Write what was found as tests."""
        for one in list(self.found.values())[:100]:
            if "program" in one:
                lines = one["program"].splitlines()
                self.show(f"written: {write_test(folder, one['seed'], one['found'], lines, one['kinds'])}")
            elif "ended" in one:
                self.show(f"written: {write_crash(folder, one['seed'], one['ended'])}")


def sums_by_width(seed):
    """Whether a program has products, transforms or factorisations: wider vectors sum those in more parts."""
    from catalogue import CLOSE, NEAR
    from programs import Program

    return any(kind is not None and kind[1] in (CLOSE, NEAR) for kind in Program(seed).kinds)


def main():
    """Fuzz for a while; the exit status says whether anything was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="for how long")
    parser.add_argument("--calls", type=int, help="stop after so many calls, if it comes to that first")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--failures", default="fuzz-failures", help="where tests of what differs are written")
    parser.add_argument("--print-only", action="store_true", help="write no tests of what differs")
    parser.add_argument(
        "--values", type=int, help="sets of values for each program: by default one on a CPU, eight on a GPU"
    )
    parser.add_argument("--large", action="store_true", help="arrays whose work is recorded on a CPU too")
    parser.add_argument("--no-settings", action="store_true", help="NumPy's oracle alone")
    parser.add_argument("--show", type=int, help="print the program of a seed, and what differs")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        first, count, mode = options.worker
        worker(int(first), int(count), mode, options.values or 1, options.large)
        return
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    import hostile
    import oracle
    import pool
    from catalogue import calls, missing
    from programs import Program, enlarge

    if options.large:
        enlarge()
    if options.show is not None:
        program = Program(options.show)
        print(program)
        found = oracle.check(program)
        print(found and f"line {found.number}: {found.what}")
        return
    if missing():
        sys.exit(f"functions that are neither called nor listed: {', '.join(missing())}")
    settings = [] if options.no_settings else GPU_SETTINGS if oracle.ON_GPU else CPU_SETTINGS
    session = Session(options, settings)
    begun = told = time.monotonic()
    # Files and capsules are read on the CPU, whose memory they name.
    share = 0.9 if not oracle.ON_GPU else 1.0
    # A program's kernels are compiled once for all its values.
    values = options.values or (8 if oracle.ON_GPU else 1)
    given = ["--values", str(values), *["--large"][: options.large]]
    for task, said in pool.run(__file__, session.tasks(), options.jobs, options.seconds * share, HANG, given):
        session.hear(task, said)
        if time.monotonic() > told + 60:
            told = time.monotonic()
            print(
                f"{told - begun:.0f} s: {dict(session.counts)}, {len(session.found)} differences", flush=True
            )
        enough = options.calls is not None and session.counts["calls"] >= options.calls
        if enough or session.ended >= pool.ENOUGH:
            break
    files, bad = (0, []) if share == 1.0 else hostile.run(options.seed, options.seconds * (1 - share))
    for what in bad:
        print(what, flush=True)
    if not options.print_only:
        session.write(pathlib.Path(options.failures))
    counts = session.counts
    print(
        f"arrays: {counts['calls']} calls ({counts['values']} results compared by value, the others by dtype "
        f"and shape, {counts['raised']} errors on both sides) in "
        f"{counts['programs']} programs over {len(calls())} call texts, device {oracle.DEVICE}, seeds "
        f"{session.first} to {session.last}, {values} sets of values, {options.jobs} jobs, "
        f"{time.monotonic() - begun:.0f} s; "
        f"{counts['again']} calls in {counts['compared']} programs under another setting; "
        f"{files} files and capsules; {len(session.found) + len(bad)} differences"
    )
    sys.exit(bool(session.found or bad))


if __name__ == "__main__":
    main()
