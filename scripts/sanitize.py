"""Runs tests under a sanitizer.

    python scripts/sanitize.py                    AddressSanitizer: crates, and a part of the Python suite
    python scripts/sanitize.py --rust             the crates' tests alone
    python scripts/sanitize.py --python tests/semantics/test_views.py -k strided
    python scripts/sanitize.py --all              the whole Python suite, one file after the other
    python scripts/sanitize.py --all --shard 2/4 --limit 300
    python scripts/sanitize.py --tool thread      ThreadSanitizer: the crates' tests that share memory

AddressSanitizer is built by the stable compiler, which `RUSTC_BOOTSTRAP=1` lets take `-Zsanitizer`.
ThreadSanitizer must see the standard library's locks too, so it is built with that library by the nightly
compiler (`rustup component add rust-src --toolchain nightly`). Both are built into folders of their own in
target/. Programs of the crates' tests have the sanitizer in them. The extension module has not: Python loads
the compiler's runtime before all else (`LD_PRELOAD`), which is linked to a shared library for that.
"""

from __future__ import annotations

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGETS = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
TARGET = "x86_64-unknown-linux-gnu"
CRATES = {
    # The crates with `unsafe` in them whose tests need no device.
    "address": ["cuprum-sort", "cuprum-threads", "cuprum-fft", "cuprum-lapack", "cuprum-random"],
    # Those whose tests run on several threads.
    "thread": ["cuprum-threads", "cuprum-graph", "cuprum-sort", "cuprum-fft", "cuprum-random", "cuprum-cpu"],
}
PYTHON_TESTS = [
    "tests/semantics/test_views.py",
    "tests/semantics/test_deferral_writes.py",
    "tests/semantics/test_changed_meanwhile.py",
    "tests/conformance/test_truth_bytes.py",
    "tests/conformance/test_indexing.py",
    "tests/conformance/test_sorting.py",
    "tests/conformance/test_rearranging.py",
    "tests/conformance/test_reductions.py",
]
# Where `--all` begins: what reads and writes memory by positions, strides and addresses that users give.
FIRST = ["index", "sort", "rearrang", "reduction", "linalg", "matmul", "fft", "sparse", "scan", "stride"]
# These need address space that the sanitizer takes for itself, or time what it slows down.
LEFT_OUT = {
    "tests/semantics/test_out_of_memory.py": "limits the address space",
    "tests/cli/test_fuzzers.py": "limits the address space",
    "tests/cli/test_bench.py": "times programs",
}
# Faults of kernels are caught by handlers of their own, and what Python keeps to its end is no leak.
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:handle_segv=0:allow_user_segv_handler=1:allocator_may_return_null=1",
    "TSAN_OPTIONS": "halt_on_error=0:exitcode=66",
}


def environment(tool: str) -> dict[str, str]:
    """The variables that a build and a run need."""
    found = {
        **os.environ,
        **OPTIONS,
        "CARGO_TARGET_DIR": str(TARGETS / {"address": "asan", "thread": "tsan"}[tool]),
        "RUSTFLAGS": f"-Zsanitizer={tool}",
        "PYO3_PYTHON": sys.executable,
    }
    if tool == "address":
        found["RUSTC_BOOTSTRAP"] = "1"
    else:
        # More threads than cores: they come between each other more often.
        found.setdefault("CUPRUM_THREADS", "4")
    return found


def runtime(folder: Path) -> Path:
    """Link AddressSanitizer's runtime, an archive of the compiler's, to a shared library; return its path."""
    command = ["rustc", "--print", "target-libdir"]
    place = Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())
    archive, library = folder / "runtime.a", folder / "sanitizer.so"
    shutil.copy(next(place.glob("*_rt.asan.a")), archive)
    # What runs before all libraries has no place in one.
    members = subprocess.run(["ar", "t", archive], capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["ar", "d", archive, *[one for one in members if "preinit" in one]], check=True)
    whole = ["-Wl,--whole-archive", str(archive), "-Wl,--no-whole-archive"]
    subprocess.run(["cc", "-shared", "-o", library, *whole, "-lpthread", "-ldl", "-lm", "-lrt"], check=True)
    return library


def test_crates(tool: str, crates: list[str]) -> int:
    """Run the tests of crates."""
    command = ["cargo", "test", "--release"]
    if tool == "thread":
        command = ["cargo", "+nightly", "test", "--release", "-Zbuild-std"]
    command += ["--target", TARGET, "--lib", "--tests"]
    for crate in crates:
        command += ["--package", crate]
    return subprocess.run(command, cwd=ROOT, env=environment(tool)).returncode


def build_extension() -> Path:
    """Build the extension module; return a folder with a package of Python's sources and it."""
    variables = environment("address")
    folder = Path(variables["CARGO_TARGET_DIR"])
    manifest = ROOT / "crates" / "cuprum-python" / "Cargo.toml"
    command = ["cargo", "rustc", "--release", "--target", TARGET, "--manifest-path", str(manifest)]
    command += ["--features", "pyo3/abi3-py310", "--lib", "--crate-type", "cdylib"]
    subprocess.run(command, cwd=ROOT, env=variables, check=True)
    package = folder / "python" / "cuprum"
    shutil.rmtree(package, ignore_errors=True)
    left_out = shutil.ignore_patterns("_core*.so", "__pycache__")
    shutil.copytree(ROOT / "python" / "cuprum", package, ignore=left_out)
    shutil.copy(folder / TARGET / "release" / "lib_core.so", package / "_core.abi3.so")
    return package.parent


def python_environment() -> dict[str, str]:
    """The variables under which Python loads the sanitizer's runtime and the module built for it."""
    folder = build_extension()
    variables = environment("address") | {"PYTHONPATH": str(folder), "PYTHONMALLOC": "malloc"}
    return variables | {"LD_PRELOAD": str(runtime(folder))}


PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]


def test_python(arguments: list[str]) -> int:
    """Run Python tests over the extension module with the sanitizer's runtime."""
    return subprocess.run([*PYTEST, *arguments], cwd=ROOT, env=python_environment()).returncode


def all_files(shard: str) -> list[str]:
    """The files of the Python suite that a shard has (`2/4`: the second of four), in their order."""
    found = [str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("tests/*/test_*.py"))]
    found = [path for path in found if path not in LEFT_OUT and not path.startswith("tests/cuda/")]
    found.sort(key=lambda path: not any(word in path for word in FIRST))
    number, count = map(int, shard.split("/"))
    return found[number - 1 :: count]


def test_all(shard: str, limit: float) -> int:
    """Run every file of a shard, each in a process of its own and for `limit` seconds at most."""
    variables, total, bad = python_environment(), collections.Counter[str](), []
    files = all_files(shard)
    for path in files:
        command = ["timeout", "--kill-after=10", str(limit), *PYTEST, "-p", "no:xdist", path]
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
        said = done.stdout + done.stderr
        last = (re.findall(r"^.*\d+ (?:passed|failed|skipped|error|deselected).*$", said, re.M) or [""])[-1]
        for count, kind in re.findall(r"(\d+) (passed|failed|skipped|errors?|xfailed)", last):
            total[kind.rstrip("s")] += int(count)
        report = "AddressSanitizer" in said
        late = done.returncode in (124, 137)
        total["files in time"] += not late
        print(f"{path}: {'ran out of time' if late else last or 'no result'}", flush=True)
        # 5: no test was collected, where a package is not installed.
        if report or (done.returncode not in (0, 5) and not late):
            bad.append(path)
            print(said, flush=True)
    print(f"{len(files)} files: {dict(total)}; with errors: {bad or 'none'}")
    return int(bool(bad))


def main() -> int:
    """Run what was asked for; the exit status is that of the last that failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tool", choices=sorted(CRATES), default="address")
    parser.add_argument("--rust", action="store_true", help="the crates' tests alone")
    parser.add_argument("--crates", help="which crates, by comma")
    parser.add_argument(
        "--python", nargs=argparse.REMAINDER, help="Python tests alone, by pytest's arguments"
    )
    parser.add_argument("--all", action="store_true", help="the whole Python suite, a process for each file")
    parser.add_argument("--shard", default="1/1", help="with --all: which part of it, as in 2/4")
    parser.add_argument("--limit", type=float, default=900, help="with --all: seconds that a file may take")
    options = parser.parse_args()
    if options.all:
        return test_all(options.shard, options.limit)
    code = 0
    if options.python is None:
        crates = options.crates.split(",") if options.crates else CRATES[options.tool]
        code = test_crates(options.tool, crates)
    if options.tool == "address" and not options.rust:
        code = test_python(options.python or PYTHON_TESTS) or code
    return code


if __name__ == "__main__":
    sys.exit(main())
