"""Random CUDA C kernels with one right result: the CPU's against g++'s and, where there is one, a GPU's.

    python tests/fuzz/random_kernels.py --modules 200 --seed 1 --jobs 2

A module has some device functions and kernels. All of it is defined behaviour: signed sums wrap by way of
unsigned ones, divisors are not zero, shifts are within the width, floats are converted where they fit, and
the operations are those that round correctly (`--fmad=false`). So every compiler must give the same bits. The
stand-in of `tests/cuda/standin` compiles the same texts by g++; the checking mode must find nothing wrong.
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time

from kernel_texts import BLOCK, GRID, INPUTS, KERNELS, SIZE, module

HERE = pathlib.Path(__file__).resolve().parent
STANDIN = HERE.parent / "cuda" / "standin"


def inputs(seed):
    """Return the kernels' arrays: small numbers, special values and whatever bits."""
    import numpy as np
    from samples import special_values

    rng = np.random.default_rng(seed)
    dtypes = {
        "int": "i4",
        "unsigned": "u4",
        "long long": "i8",
        "unsigned char": "u1",
        "short": "i2",
        "float": "f4",
        "double": "f8",
    }
    made = []
    for kind in INPUTS:
        dtype = np.dtype(dtypes[kind])
        special = rng.choice(special_values(dtype.name), SIZE)
        small = rng.integers(0, 9, SIZE).astype(dtype)
        if dtype.kind == "f":
            some = rng.normal(size=SIZE).astype(dtype)
        else:
            some = np.frombuffer(rng.bytes(SIZE * dtype.itemsize), dtype)
        which = rng.integers(0, 3, SIZE)
        made.append(np.choose(which, [special, small, some]).astype(dtype))
    made += [np.zeros(SIZE, dtype) for dtype in ("i4", "u8", "f4", "f8")]
    return made + [np.zeros(4, "i4")]


def launch(seed, only=None, kept=None, check=False):
    """Run a module's kernels one after the other; return a digest of each one's outputs."""
    import numpy as np

    import cuprum as cp

    text, names, _ = module(seed, only, kept)
    compiled = cp.RawModule(code=text, options=("--fmad=false", "-std=c++17"))
    digests = []
    for name in names:
        host = inputs(seed)
        given = tuple(cp.array(one) for one in host)
        compiled.get_function(name)((GRID,), (BLOCK,), given, **({"check": True} if check else {}))
        seen = hashlib.sha256()
        for array in given[-5:]:
            value = cp.asnumpy(array)
            # A NaN's sign and payload, and a zero's sign by fmin, mean nothing.
            value = (
                np.where(value != value, np.nan, value).astype(value.dtype)
                if value.dtype.kind == "f"
                else value
            )
            seen.update(value.tobytes())
        digests.append(seen.hexdigest()[:16])
    return digests


def outcome(seed, mode, only=None, kept=None):
    """Return the digests of a seed's kernels on the process's device, or what it raised."""
    try:
        digests = launch(seed, only, kept)
        if mode == "cpu" and launch(seed, only, kept, check=True) != digests:
            return "differs from the checking mode"
        return digests
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:400]}"


def worker(first, count, mode):
    """Launch modules and tell their digests."""
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    for seed in range(first, first + count):
        print(json.dumps({"seed": seed}), flush=True)
        print(json.dumps({"seed": seed, "outcome": outcome(seed, mode)}), flush=True)


def compilers(asked):
    """Return the environments that stand against the CPU: g++'s, and a GPU's where there is one."""
    found = {}
    if "gcc" in asked:
        done = subprocess.run(
            [sys.executable, str(STANDIN / "build.py"), "--env"], capture_output=True, text=True
        )
        if done.returncode == 0:
            lines = [line.removeprefix("export ") for line in done.stdout.split("\n") if "=" in line]
            pairs = [one.strip().rstrip(";") for line in lines for one in line.split(" export ")]
            found["gcc"] = {k: v.strip("'\"") for k, _, v in (pair.partition("=") for pair in pairs)}
            found["gcc"]["CUPRUM_DEVICE"] = "cuda"
            if not _runs(PROBE, found["gcc"]):
                print("g++ cannot make libraries here: the GPU alone stands against the CPU", flush=True)
                del found["gcc"]
    if "gpu" in asked and _runs("import cuprum as cp; print(cp.cuda.is_available())", {}):
        found["gpu"] = {"CUPRUM_DEVICE": "cuda"}
    return found


PROBE = """
import cuprum as cp
x = cp.zeros(1, "i4")
cp.RawKernel('extern "C" __global__ void f(int *x) { x[0] = 1; }', "f")((1,), (1,), (x,))
print(bool(x[0] == 1))
"""


def _runs(code, settings):
    """Return whether a program of Python prints True under some settings."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True)
    return done.stdout.strip() == "True"


def one(seed, settings, mode, only, kept):
    """Return the outcome of a part of a module in a process of its own."""
    code = (
        f"import sys; sys.path[:0] = {[str(HERE), str(HERE.parent)]!r}\n"
        f"import json, random_kernels as r; print(json.dumps(r.outcome({seed}, {mode!r}, {only}, {kept!r})))"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
            timeout=120,
        )
        return json.loads(done.stdout) if done.returncode == 0 else f"exit status {done.returncode}"
    except subprocess.TimeoutExpired:
        return "hangs"


def shrunk(seed, settings):
    """Return the kernel of a module that differs, and the statements of it that are needed for it."""
    _, _, counts = module(seed)

    def differs(only, kept):
        cpu = one(seed, CPU, "cpu", only, kept)
        other = one(seed, settings, "other", only, kept)
        return cpu != other and isinstance(cpu, list) and isinstance(other, list)

    only = next((number for number in range(KERNELS) if differs(number, None)), None)
    if only is None:
        return None, None
    kept = set(range(counts[only]))
    for statement in reversed(range(counts[only])):
        if differs(only, kept - {statement}):
            kept -= {statement}
    return only, kept


CPU = {"CUPRUM_DEVICE": "cpu"}

TEST = '''"""Found by the fuzzer of random kernels: {what}."""

import pathlib
import sys

FUZZ = pathlib.Path(__file__).resolve().parents[1] / "tests" / "fuzz"
sys.path[:0] = [str(FUZZ), str(FUZZ.parent)]

import random_kernels  # noqa: E402

TEXT = r"""
{text}"""


def test_kernel():
    asked = random_kernels.compilers([{name!r}])
    cpu = random_kernels.one({seed}, random_kernels.CPU, "cpu", {only}, {kept!r})
    other = random_kernels.one({seed}, asked[{name!r}], "other", {only}, {kept!r})
    assert cpu == other
'''


def main():
    """Compare modules; the exit status says whether anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--modules", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--against", default="gcc,gpu", help="which compilers: gcc, gpu")
    parser.add_argument("--failures", default="fuzz-failures")
    parser.add_argument("--show", type=int, help="print the module of a seed")
    parser.add_argument("--worker", nargs=3)
    options = parser.parse_args()
    if options.worker:
        worker(int(options.worker[0]), int(options.worker[1]), options.worker[2])
        return 0
    if options.show is not None:
        print(module(options.show)[0])
        return 0
    sys.path[:0] = [str(HERE)]
    import pool

    others = compilers(options.against.split(","))
    print(
        f"random kernels: the CPU against its checking mode and {', '.join(others) or 'nothing else'}",
        flush=True,
    )
    first = options.seed * 1_000_000
    batch = max(1, min(25, options.modules // max(1, options.jobs)))

    def tasks():
        for at in range(first, first + options.modules, batch):
            count = min(batch, first + options.modules - at)
            yield pool.Task(at, count, "cpu", tuple(CPU.items()))
            for name, settings in others.items():
                yield pool.Task(at, count, name, tuple(settings.items()))

    begun, outcomes, launches, found = time.monotonic(), {}, 0, {}
    for task, said in pool.run(__file__, tasks(), options.jobs, options.seconds):
        seed, mode = said["seed"], task.mode
        result = said.get("outcome", said.get("ended"))
        if result is None:
            continue
        outcomes.setdefault(seed, {})[mode] = result
        if isinstance(result, list):
            launches += KERNELS * (2 if mode == "cpu" else 1)
        if len(found) >= pool.ENOUGH:
            break
        cpu = outcomes[seed].get("cpu")
        if cpu is None:
            continue
        if mode == "cpu" and not isinstance(cpu, list):
            found[seed, "cpu"] = cpu
            print(f"seed {seed}: on the CPU: {cpu}", flush=True)
        for name, other in outcomes[seed].items():
            if name != "cpu" and other != cpu and isinstance(cpu, list) and (seed, name) not in found:
                found[seed, name] = (
                    f"{name} differs from the CPU" if isinstance(other, list) else f"{name}: {other}"
                )
                print(f"seed {seed}: {found[seed, name]}", flush=True)
    took = time.monotonic() - begun
    others_differ = [(*key, what) for key, what in found.items() if key[1] != "cpu" and "differs" in what]
    for seed, name, what in others_differ[:20]:
        only, kept = shrunk(seed, others[name])
        if only is None:
            continue
        folder = pathlib.Path(options.failures)
        folder.mkdir(parents=True, exist_ok=True)
        text = module(seed, only, kept)[0]
        path = folder / f"test_kernel_{seed}.py"
        path.write_text(TEST.format(what=what, text=text, name=name, seed=seed, only=only, kept=kept))
        print(f"{path}: {what}\n{text}", flush=True)
    ran = [[one for one in modes.values() if isinstance(one, list)] for modes in outcomes.values()]
    compared = sum(len(one) > 1 for one in ran)
    print(
        f"random kernels: {sum(map(bool, ran))} modules of {KERNELS} kernels, {launches} launches, "
        f"seeds {first} to {max(outcomes, default=first)}, {compared} against "
        f"{', '.join(others) or 'nothing'}, {took:.0f} s; {len(found)} differences"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
