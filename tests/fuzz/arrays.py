"""The array fuzzer: random programs of 1 to 30 lines, NumPy and SciPy the oracle.

    python tests/fuzz/arrays.py --seconds 60 --seed 1

Programs run in worker processes, so that one that ends its process is found like any other. A program that
differs is shrunk to the lines that matter and, with --write, written to `tests/fuzz/found/` as a test. Some
programs run again under other settings, which must give the same bits, and damaged files and capsules are
read (`hostile.py`).
"""

import argparse
import hashlib
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
FOUND = HERE / "found"
BATCH = 200
MOST_MEMORY = 6 << 30
SETTINGS = [
    {"CUPRUM_DEFER": "0"},
    {"CUPRUM_THREADS": "1"},
    {"CUPRUM_THREADS": "7"},
    {"CUPRUM_SIMD": "portable"},
    {"CUPRUM_SIMD": "avx2"},
]


def worker(first, count, mode):
    """Check programs, or take their digests; announce each before it runs."""
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    import oracle
    from programs import Program

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    for seed in range(first, first + count):
        print(json.dumps({"seed": seed}), flush=True)
        program = Program(seed)
        if mode == "digest":
            told = {"seed": seed, "digest": hashlib.sha256(oracle.digest(program)).hexdigest()}
            print(json.dumps(told), flush=True)
            continue
        found = oracle.check(program)
        lines = len(program.lines)
        print(json.dumps({"seed": seed, "lines": lines, "done": True}), flush=True)
        if found is not None and found.what is not None:
            small = shrink(program, oracle.check)
            last = oracle.check(small) or found
            told = {"seed": seed, "found": last.what, "program": str(small), "kinds": small.kinds}
            print(json.dumps(told), flush=True)


def shrink(program, check):
    """Return the program with as few lines as still differ."""
    changed = True
    while changed and len(program.lines) > 1:
        changed = False
        for number in reversed(range(len(program.lines))):
            smaller = program.without({number})
            found = check(smaller)
            if found is not None and found.what is not None and "NameError" not in found.what:
                program, changed = smaller, True
                break
    return program


def sums_by_width(seed):
    """Whether a program has products, transforms or factorisations: wider vectors sum those in more parts."""
    from catalogue import CLOSE
    from programs import Program

    return any(kind is not None and kind[1] == CLOSE for kind in Program(seed).kinds)


def run_worker(first, count, mode="check", timeout=300, **settings):
    """Run programs in a process of their own; return what it told, and the seed that ended it, if one did."""
    command = [sys.executable, __file__, "--worker", str(first), str(count), mode]
    environment = dict(os.environ, **settings)
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)
        text, code, errors = done.stdout, done.returncode, done.stderr
    except subprocess.TimeoutExpired as expired:
        text, code, errors = (expired.stdout or b"").decode(), "too long", ""
    told = []
    for line in text.splitlines():
        try:
            told.append(json.loads(line))
        except ValueError:
            continue
    if code == 0:
        return told, None
    last = told[-1]["seed"] if told else first
    return told, (last, f"ended the process: {code}: {errors[-300:]}")


TEST = '''"""Found by the array fuzzer, seed {seed}."""

import oracle
from programs import Program

LINES = [
{lines}]
KINDS = {kinds!r}


def test_program():
    program = Program(0)
    program.lines, program.kinds = LINES, [kind and tuple(kind) for kind in KINDS]
    found = oracle.check(program)
    assert found is None or found.what is None, found.what
'''


def write_test(seed, program, kinds):
    """Write a program that differs as a test."""
    FOUND.mkdir(exist_ok=True)
    name = FOUND / f"test_{hashlib.sha256(program.encode()).hexdigest()[:12]}.py"
    lines = "".join(f"    {line!r},\n" for line in program.splitlines())
    name.write_text(TEST.format(seed=seed, lines=lines, kinds=kinds))
    return name


def main():
    """Fuzz for a while; the exit status says whether anything was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write what was found as tests")
    parser.add_argument("--worker", nargs=3)
    options = parser.parse_args()
    if options.worker:
        first, count, mode = options.worker
        worker(int(first), int(count), mode)
        return
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    import hostile
    from catalogue import missing

    if missing():
        sys.exit(f"functions that are neither called nor listed: {', '.join(missing())}")
    begun = time.monotonic()
    seed, programs, lines, found = options.seed * 1_000_000, 0, 0, {}
    same = 0
    while time.monotonic() - begun < options.seconds * 0.8:
        told, ended = run_worker(seed, BATCH)
        for one in told:
            if one.get("done"):
                programs, lines = programs + 1, lines + one["lines"]
            elif "found" in one:
                key = one["program"]
                if key not in found:
                    found[key] = one
                    print(
                        f"seed {one['seed']}: {one['found']}\n    " + key.replace("\n", "\n    "), flush=True
                    )
        if ended is not None:
            found[f"seed {ended[0]}"] = {"seed": ended[0], "found": ended[1]}
            print(f"seed {ended[0]}: {ended[1]}", flush=True)
            seed = ended[0] + 1
            continue
        same += _settings_agree(seed, min(BATCH, 40), found)
        seed += BATCH
    hostile_calls, bad = hostile.run(options.seed, options.seconds * 0.2)
    for what in bad:
        print(what, flush=True)
    for one in found.values():
        if options.write and "program" in one:
            print(write_test(one["seed"], one["program"], one["kinds"]))
    print(
        f"{programs} programs, {lines} lines, seeds {options.seed * 1_000_000} to {seed}; {same} programs "
        f"under another setting too; {hostile_calls} files and capsules; {len(found) + len(bad)} found"
    )
    sys.exit(bool(found or bad))


def _settings_agree(seed, count, found):
    """Run programs under a setting after the other; return how many were compared."""
    want, ended = run_worker(seed, count, "digest")
    setting = SETTINGS[(seed // BATCH) % len(SETTINGS)]
    got, ended_too = run_worker(seed, count, "digest", **setting)
    if ended is not None or ended_too is not None:
        return 0
    for one, other in zip(want, got, strict=True):
        if one != other and not ("CUPRUM_SIMD" in setting and sums_by_width(one["seed"])):
            found[f"seed {one['seed']} {setting}"] = {
                "seed": one["seed"],
                "found": f"other bits with {setting}",
            }
            print(f"seed {one['seed']}: other bits with {setting}", flush=True)
    return count


if __name__ == "__main__":
    main()
