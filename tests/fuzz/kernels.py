"""Mutated kernels, launched: none of them crashes, hangs, or writes beside its arrays.

The kernels of ``tests/kernels/test_corpus_*.py`` are changed token by token (constants become huge, types,
operators, indices and launch sizes change, barriers go, statements that reach far are put in) and launched on
the CPU in worker processes. Arrays lie between canaries. A mutant may run, be refused, be stopped by a fault
or by its timeout. What it may not do:

- end the process, or hang it;
- change a byte beside its arrays;
- raise what is no error of a kernel, or one that says that Cuprum failed;
- give other results than the checking mode, where that finds nothing wrong with it.

``python tests/fuzz/kernels.py --mutants 3000 --seed 0`` prints counts; mutants that fail are written out with
the changes that are needed for it. One of them runs again with ``--one SEED``.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import json
import math
import os
import pathlib
import random
import re
import sys
import time
from collections import Counter

FOLDER = pathlib.Path(__file__).resolve().parent
KERNELS = FOLDER.parent / "kernels"
sys.path[:0] = [str(FOLDER)]

import pool  # noqa: E402

TIMEOUT = 1.0
"""Seconds that a launch may take; the process must end it."""
HANG = 60.0
"""Seconds without a word from a worker after which it hangs, on a machine however loaded."""
CANARY = 4096
"""Bytes on either side of an array."""


def words(text: str, between: str | None = None) -> list[str]:
    """The words of a text."""
    return text.split(between)


NUMBERS = words(
    "0 1 -1 2 3 4 7 8 15 16 31 32 33 63 64 100 127 128 255 256 257 1000 1023 1024 1025 4096 65535 65536 "
    "1048576 268435455 268435456 536870911 600000000 -600000000 1073741823 2147483647 -2147483647 "
    "(-2147483647-1) 2147483648u 4294967295u 4294967296LL 0x1fffffffcLL 0x200000000LL -0x200000000LL "
    "0x3fffffffffffffffLL 0x7fffffffffffffffLL (-0x7fffffffffffffffLL-1) 0xffffffffffffffffULL "
    "0x2000000000000000LL 1.5f -2.5 1e30f 1e300 0.0f (1.0f/0.0f)"
)
TYPES = words(
    "char,short,int,long,unsigned,float,double,bool,int8_t,uint8_t,int16_t,uint16_t,size_t,half,float2,"
    "float4,double2,int2,int4,uchar4,unsigned char,signed char,unsigned short,long long,unsigned long long",
    ",",
)
WORDS = {
    *" ".join(TYPES).split(),
    "const",
    "void",
    "template",
    "typename",
    "class",
    "auto",
    "sizeof",
    "using",
}
SPECIALS = words(
    "threadIdx.x threadIdx.y blockIdx.x blockIdx.y blockDim.x blockDim.y gridDim.x warpSize (threadIdx.x*6) "
    "(-threadIdx.x) (threadIdx.x<<28) (blockIdx.x*blockDim.x+threadIdx.x) (int)clock()"
)
OPERATORS = [
    ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"],
    ["<", ">", "<=", ">=", "==", "!="],
    ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="],
    ["&&", "||"],
    ["++", "--"],
]
BARRIERS = [
    "__syncthreads();",
    "__syncwarp();",
    "__threadfence();",
    "if (threadIdx.x & 1) __syncthreads();",
    "if (threadIdx.x < 7) return;",
]
# Statements that reach far: P is a pointer of the kernel, N and M numbers, I an index.
GADGETS = [
    "{ int *o_ = (int *)P + 6 * threadIdx.x; o_[N] = 1; }",
    "{ T *o_ = (T *)P + I; o_[N] = (T)1; }",
    "{ T *o_ = (T *)P + I * M; ((T *)P)[0] = o_[N]; }",
    "((T *)P)[I + N] = (T)M;",
    "((T *)P)[I * N] = (T)M;",
    "*(T *)((char *)P + N) = (T)1;",
    "*(T *)((size_t)P + N) = (T)1;",
    "*(T *)(size_t)(N) = (T)1;",
    "{ volatile T *o_ = (volatile T *)P + I; o_[N] = o_[M]; }",
    "{ T a_[8]; for (int q_ = 0; q_ < 8; ++q_) a_[q_] = q_; a_[(I & 3) + N] = (T)1; ((T *)P)[0] = a_[7]; }",
    "{ T a_[8] = {}; T *o_ = a_ + (I & 7); ((T *)P)[0] = o_[N]; }",
    "{ struct S_ { T a[3]; char b; }; S_ s_[4] = {}; s_[(I & 1) + N].a[M] = (T)1; ((T *)P)[0] = s_[1].a[2];}",
    "{ struct S_ { T a[40]; }; S_ *s_ = (S_ *)P; s_[N] = s_[M]; }",
    "{ __shared__ T t_[64]; T *o_ = t_ + threadIdx.x; o_[N] = (T)1; __syncthreads(); ((T *)P)[0] = t_[0]; }",
    "{ extern __shared__ char e_[]; e_[N + threadIdx.x] = 1; ((T *)P)[0] = ((T *)e_)[M]; }",
    "atomicAdd((int *)P + N, 1);",
    "atomicCAS((unsigned long long *)P + I * N, 0ULL, 1ULL);",
    "atomicExch((float *)P + (I + N), 1.0f);",
    "memcpy((char *)P + N, (char *)P + I, 24);",
    "memset((char *)P + I, 0, N);",
    "for (int q_ = 0; q_ < 100; ++q_) ((T *)P)[q_ * N] += (T)q_;",
    "for (int q_ = N; q_ != M; q_ += 3) ((T *)P)[q_] = (T)q_;",
    "for (T *q_ = (T *)P + N; q_ < (T *)P + M; ++q_) *q_ = (T)1;",
    "{ T *o_ = (T *)P; while (o_) { *o_ = (T)1; o_ += N; } }",
    "{ T *o_ = I & 1 ? (T *)P : (T *)P + N; *o_ = (T)1; }",
    "{ T **o_ = (T **)P; *o_[I & 1] = (T)1; }",
    "((T *)P)[I] = __shfl_sync(0xffffffff, ((T *)P)[I], N);",
    "((int *)P)[__ballot_sync(N, I)] = __popc(M);",
    "if (I % 3) { __syncthreads(); } else { __syncwarp(N); }",
    'printf("%s %d %p", (char *)P + N, I, P);',
    'printf("%*.*f|%s", (int)N, (int)M, 1.5, "text" + M);',
    "((T *)P)[0] = (T)((N) / (I)); ((T *)P)[1] = (T)((N) % (I)); ((T *)P)[2] = (T)((N) >> (M));",
    "switch (I) { case 0: ((T *)P)[N] = (T)1; case 1: break; default: ((T *)P)[I] = (T)M; }",
]
TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|#[^\n]*(?:\\\n[^\n]*)*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'|"
    r"(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)[uUlLfF]*|[A-Za-z_]\w*|"
    r"<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\s+|.",
    re.S,
)
NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)[uUlLfF]*")


def pointers(text: str, name: str) -> list[str]:
    """The names of a kernel's pointers."""
    found = re.search(rf"\b{re.escape(name.split('<')[0])}\s*\(([^)]*)\)", text)
    return re.findall(r"\*\s*(?:__restrict__\s*|const\s*)*(\w+)\s*(?:,|$)", found[1]) if found else []


def gadget(rng: random.Random, names: list[str]) -> str:
    """A statement that may reach far."""
    number = lambda: rng.choice(NUMBERS)  # noqa: E731
    index = rng.choice([*SPECIALS, "threadIdx.x", number()])
    parts = {
        "P": rng.choice(names),
        "T": rng.choice(["char", "short", "int", "float", "double", "long long", "float4", "double2"]),
        "N": f"({number()})",
        "M": f"({number()})",
        "I": f"({index})",
    }
    return re.sub(r"\b[PTNMI]\b", lambda m: parts[m[0]], rng.choice(GADGETS))


def change(rng: random.Random, tokens: list[str], names: list[str]) -> None:
    """Change one thing."""

    def places(test):
        return [i for i, token in enumerate(tokens) if test(token)]

    def is_value(at):
        """Whether a name is read there, as far as its neighbours tell."""
        before = next((t for t in reversed(tokens[:at]) if not t.isspace()), "")
        after = next((t for t in tokens[at + 1 :] if not t.isspace()), "")
        is_name = re.fullmatch(r"[A-Za-z_]\w*", tokens[at]) and tokens[at] not in WORDS
        return (
            is_name
            and re.fullmatch(r"[-+/%<>=&|^!?:(\[,]|[<>=!&|+*/-]=|<<|>>|&&|\|\||return", before)
            and (re.fullmatch(r"[-+*/%<>;&|^?:)\],]|[<>=!]=|<<|>>|&&|\|\|", after))
        )

    numbers = places(NUMBER.fullmatch)
    words = [at for at in range(len(tokens)) if is_value(at)]
    kind = rng.randrange(14)
    if kind in (0, 1) and numbers:
        tokens[rng.choice(numbers)] = rng.choice(NUMBERS)
    elif kind == 2 and (at := places(lambda t: t in TYPES)):
        tokens[rng.choice(at)] = rng.choice(TYPES)
    elif kind == 3:
        group = rng.choice(OPERATORS)
        if at := places(lambda t: t in group):
            tokens[rng.choice(at)] = rng.choice(group)
    elif kind in (4, 5) and (at := places(lambda t: t == "]")):
        wide = rng.choice(["+", "-", "*", "^", "<<", "%"])
        tokens.insert(rng.choice(at), f" {wide} ({rng.choice(NUMBERS + SPECIALS)})")
    elif kind == 6 and len(words) > 1:
        tokens[rng.choice(words)] = tokens[rng.choice(words)]
    elif kind == 7 and (at := places(lambda t: t in ("__syncthreads", "__syncwarp", "__threadfence"))):
        tokens[rng.choice(at)] = "(void)"
    elif kind == 8 and (at := places(lambda t: t in ";{")):
        tokens.insert(rng.choice(at) + 1, " " + rng.choice(BARRIERS))
    elif kind == 9 and len(at := places(lambda t: t == ";")) > 1:
        i = rng.randrange(len(at) - 1)
        statement = tokens[at[i] + 1 : at[i + 1] + 1]
        if rng.random() < 0.5:
            del tokens[at[i] + 1 : at[i + 1] + 1]
        else:
            where = rng.choice(at) + 1
            tokens[where:where] = statement
    elif kind == 10 and words:
        at = rng.choice(words)
        tokens[at] = f"({rng.choice(TYPES)})({tokens[at]})"
    elif kind == 11 and words:
        tokens[rng.choice(words)] = rng.choice(SPECIALS)
    elif names and (at := places(lambda t: t in ";{")):
        tokens.insert(rng.choice(at) + 1, " " + gadget(rng, names))


def mutate(seed: int, cases: list, only: frozenset[int] | None = None):
    """The mutant of a seed: its case, its text and its launch; `only` some of its changes."""
    rng = random.Random(seed)
    case = cases[rng.randrange(len(cases))]
    tokens = TOKEN.findall(case.code)
    names = pointers(case.code, case.name)
    changes = rng.randint(1, 3)
    for number in range(changes):
        own = random.Random(f"{seed}/{number}")
        if only is None or number in only:
            change(own, tokens, names)
    grid, block, shared = case.grid, case.block, case.shared
    if rng.random() < 0.15:
        grid = rng.choice([(1,), (2,), (3, 2), (7,), (64,)])
    if rng.random() < 0.15:
        block = rng.choice([(1,), (3,), (31,), (32,), (33,), (100,), (8, 4), (1024,), (5, 5, 5)])
    if rng.random() < 0.1:
        shared = rng.choice([0, 1, 4, 100, 4096, 48 << 10])
    return case, "".join(tokens), (grid, block, shared), changes


def load():
    """All rows of the corpus."""
    sys.path[:0] = [str(KERNELS), str(KERNELS.parent)]
    cases = []
    for path in sorted(KERNELS.glob("test_corpus_*.py")):
        module = importlib.import_module(path.stem)
        cases += [
            case
            for name, value in sorted(vars(module).items())
            if name.isupper() and isinstance(value, list)
            for case in value
            if hasattr(case, "code")
        ]
    return cases


class Guarded:
    """An array of Cuprum between canaries."""

    def __init__(self, value, rng):
        import numpy as np

        import cuprum as cp

        bytes_ = value.nbytes
        self.memory = np.frombuffer(rng.bytes(2 * CANARY + bytes_ + 64), np.uint8).copy()
        start = -self.memory.ctypes.data % 64 + CANARY
        self.inner = slice(start, start + bytes_)
        self.memory[self.inner] = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
        self.before = self.memory.copy()
        address = self.memory.ctypes.data + start
        owned = cp.cuda.UnownedMemory(address, bytes_, self)
        self.array = cp.ndarray(value.shape, value.dtype, cp.cuda.MemoryPointer(owned, 0))

    def touched(self) -> bool:
        outside = self.memory.copy()
        outside[self.inner] = self.before[self.inner]
        return bool((outside != self.before).any())


def attempt(seed: int, cases: list, only: frozenset[int] | None) -> str:
    """Launch a mutant; how it ended. What begins with `!` must not be."""
    import numpy as np

    import cuprum as cp

    case, text, (grid, block, shared), _ = mutate(seed, cases, only)
    rng = np.random.default_rng(seed)
    module = cp.RawModule(
        code=text, options=case.options, name_expressions=(case.name,) if "<" in case.name else None
    )
    results = []
    for checked in (False, True):
        values = [np.asarray(v) if isinstance(v, np.ndarray) else v for v in case.args()]
        guarded = [Guarded(v, rng) if isinstance(v, np.ndarray) and v.nbytes else v for v in values]
        given = tuple(g.array if isinstance(g, Guarded) else g for g in guarded)
        try:
            kernel = module.get_function(case.name)
            check = {"check": True} if checked else {}
            kernel(grid, block, given, shared_mem=shared, timeout=TIMEOUT, **check)
            outcome = "ran"
        except Exception as error:
            outcome = type(error).__name__
            said = str(error)
            if (
                "fault of Cuprum" in said
                or "internal" in said.lower()
                or "panic" in said
                or "failed on this" in said
            ):
                return f"! {outcome}: {said[:300]}"
            known = (
                cp.cuda.KernelError,
                cp.cuda.compiler.CompileException,
                ValueError,
                TypeError,
                MemoryError,
            )
            if not isinstance(error, known):
                return f"! {outcome}: {said[:300]}"
        if any(isinstance(g, Guarded) and g.touched() for g in guarded):
            return f"! wrote beside its arrays ({outcome})"
        results.append(
            (outcome, [g.memory[g.inner].copy() if isinstance(g, Guarded) else None for g in guarded])
        )
        if outcome != "ran":
            return outcome
    (_, plain), (_, careful) = results
    # Addresses, the clock, earlier launches and the order of different atomics may differ.
    varies = r"clock|%p|size_t\)|\*\*|long long\s*\)\s*\(?\s*&|unsigned long\)|__device__ \w+ \w+ *[=;\[]"
    if re.search(varies, text) or len(set(re.findall(r"atomic\w+", text))) > 1:
        return "ran"
    for value, a, b in zip(values, plain, careful, strict=True):
        if a is not None and differ(a.view(value.dtype), b.view(value.dtype)):
            return "! differs from the checking mode"
    return "ran"


def differ(a, b) -> bool:
    """Whether two results differ; bytes without a value, which the checking mode fills with 0xCB, may."""
    import numpy as np

    unknown = (b.view(np.uint8).reshape(-1, b.dtype.itemsize) == 0xCB).any(axis=1)
    a, b = a[~unknown], b[~unknown]
    return not np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def work(first: int, count: int, only: frozenset[int] | None) -> None:
    """Run the mutants of some seeds; a line before and behind each."""
    # What kernels print goes nowhere; words to the parent go by the real output.
    out = os.fdopen(os.dup(1), "w", buffering=1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    # A mutant must not fill the disk with the machine's image of it.
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    cases = load()
    for seed in range(first, first + count):
        out.write(json.dumps({"seed": seed}) + "\n")
        outcome = attempt(seed, cases, only).replace("\n", " ")
        sys.stdout.flush()
        ctypes.pythonapi.PyErr_Clear()
        out.write(json.dumps({"seed": seed, "outcome": outcome}) + "\n")


def outcomes(
    first: int, count: int, jobs: int, seconds: float = math.inf, only: frozenset[int] | None = None
):
    """Run seeds in worker processes; their outcomes as they come."""
    share = max(1, min(500, -(-count // jobs)))
    settings = (("CUPRUM_DEVICE", "cpu"),)
    tasks = (
        pool.Task(at, min(share, first + count - at), "check", settings)
        for at in range(first, first + count, share)
    )
    options = [] if only is None else ["--only", ",".join(map(str, sorted(only)))]
    for _, said in pool.run(__file__, tasks, jobs, seconds, HANG, options):
        if "ended" in said:
            yield said["seed"], f"! ended the process: {said['ended']}"
        elif "outcome" in said:
            yield said["seed"], said["outcome"]


def shrunk(seed: int, changes: int) -> frozenset[int]:
    """Fewer of a mutant's changes with which it still fails."""
    kept = frozenset(range(changes))
    for number in range(changes):
        fewer = kept - {number}
        if fewer and next(iter(outcomes(seed, 1, 1, only=fewer)))[1].startswith("!"):
            kept = fewer
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so long")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--failures", default="fuzz-failures", help="where mutants that fail are written")
    parser.add_argument("--one", type=int, help="run one seed in this process")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--only", help="some of the changes, by number")
    args = parser.parse_args()
    only = frozenset(map(int, args.only.split(","))) if args.only else None
    if args.worker:
        work(int(args.worker[0]), int(args.worker[1]), only)
        return 0
    cases = load()
    if args.one is not None:
        case, text, launch, _ = mutate(args.one, cases, only)
        print(f"// {case.name}, launched with grid, block, shared memory {launch}\n{text}", flush=True)
        print(attempt(args.one, cases, only))
        return 0
    counts: Counter[str] = Counter()
    failed = []
    begun = time.monotonic()
    for seed, outcome in outcomes(args.seed, args.mutants, args.jobs, args.seconds):
        counts["failed" if outcome.startswith("!") else outcome] += 1
        if outcome.startswith("!"):
            failed.append((seed, outcome))
            print(f"seed {seed} {outcome}", flush=True)
    for seed, outcome in failed:
        _, _, _, changes = mutate(seed, cases)
        kept = shrunk(seed, changes)
        case, text, launch, _ = mutate(seed, cases, kept)
        folder = pathlib.Path(args.failures)
        folder.mkdir(parents=True, exist_ok=True)
        note = (
            f"// seed {seed}, changes {sorted(kept)}: {outcome}\n// {case.name}, grid, block, shared {launch}"
        )
        (folder / f"kernel-{seed}.cu").write_text(f"{note}\n{text}\n")
    took = time.monotonic() - begun
    print(
        f"kernels: {sum(counts.values())} mutants of {len(cases)} kernels, seeds {args.seed} to "
        f"{args.seed + args.mutants - 1}, {took:.0f} s: "
        + ", ".join(f"{count} {name}" for name, count in counts.most_common())
    )
    if failed:
        print(f"kernels: {len(failed)} failed; their texts are in {args.failures}/")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
