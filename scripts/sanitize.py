"""Runs tests under a sanitizer.

    python scripts/sanitize.py                    AddressSanitizer: crates, and a part of the Python suite
    python scripts/sanitize.py --rust             the crates' tests alone
    python scripts/sanitize.py --python tests/semantics/test_views.py -k strided
    python scripts/sanitize.py --all              the whole Python suite, one file after the other
    python scripts/sanitize.py --all --shard 2/4 --limit 300 --jobs 2
    python scripts/sanitize.py --all --files tests/conformance/test_dates.py tests/faults/test_disk.py
    python scripts/sanitize.py --bundle DIR       packs the suite for a machine without Rust
    python scripts/sanitize.py --run-bundle DIR --jobs 16 --total 540
    python scripts/sanitize.py --tool thread      ThreadSanitizer: the crates' tests that share memory

AddressSanitizer is built by the stable compiler, which `RUSTC_BOOTSTRAP=1` lets take `-Zsanitizer`.
ThreadSanitizer must see the standard library's locks too, so it is built with that library by the nightly
compiler (`rustup component add rust-src --toolchain nightly`). Both are built into folders of their own in
target/. Programs of the crates' tests have the sanitizer in them. The extension module has not: Python loads
the compiler's runtime before all else (`LD_PRELOAD`), which is linked to a shared library for that.

A bundle holds the tracked files with the extension module among them, stripped, and the runtime. Any Python
from 3.10 on runs it; pytest and what the tests need come from the wheels in dist/, as for `make gpu-check`.
Reports name offsets in the module: `addr2line -Cfie target/asan/python/cuprum/_core.abi3.so 0x...`.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from dataclasses import dataclass, field
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
# Variables stay on the stack: how deep a kernel may call is told from the address of one.
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:handle_segv=0:allow_user_segv_handler=1:allocator_may_return_null=1"
    ":detect_stack_use_after_return=0",
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
    archive, library = folder / "runtime.a", folder / LIBRARY
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
    return variables_of(folder, runtime(folder), 1)


PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]


def test_python(arguments: list[str]) -> int:
    """Run Python tests over the extension module with the sanitizer's runtime."""
    return subprocess.run(
        [sys.executable, *PYTEST, *arguments], cwd=ROOT, env=python_environment()
    ).returncode


def all_files(root: Path, shard: str) -> list[str]:
    """The files of the Python suite that a shard has (`2/4`: the second of four), in their order."""
    found = [str(path.relative_to(root)) for path in sorted(root.glob("tests/*/test_*.py"))]
    found = [path for path in found if path not in LEFT_OUT and not path.startswith("tests/cuda/")]
    # Those with most tests come early, so that no long one is left at the end.
    found.sort(key=lambda path: (not any(word in path for word in FIRST), -(root / path).stat().st_size))
    number, count = map(int, shard.split("/"))
    return found[number - 1 :: count]


@dataclass
class Suite:
    """Test files, each run in a process of its own, so that a report names its file and ends no other."""

    root: Path
    python: str
    variables: dict[str, str]
    limit: float
    ends: float = float("inf")
    total: collections.Counter[str] = field(default_factory=collections.Counter)
    bad: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)

    def run(self, files: list[str], jobs: int) -> int:
        """Run the files, some at a time; print what each came to, and in full what failed."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for said in concurrent.futures.as_completed([pool.submit(self.test, path) for path in files]):
                print(said.result(), flush=True)
        print(f"{len(files)} files: {dict(self.total)}")
        print(f"out of time: {' '.join(self.late) or 'none'}; with errors: {' '.join(self.bad) or 'none'}")
        return int(bool(self.bad))

    def test(self, path: str) -> str:
        """Run one file; return the line that it came to, with its output where it failed."""
        left = min(self.limit, self.ends - time.monotonic())
        if left < 5:
            self.late.append(path)
            return f"{path}: not begun"
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            # pytest keeps what is written to stderr, and loses it with the process: reports go to files.
            options = f"{self.variables['ASAN_OPTIONS']}:log_path={folder}/report"
            # Interrupted, pytest tells what failed until then.
            limit = ["timeout", "--signal=INT", "--kill-after=10", f"{left:.0f}"]
            done = subprocess.run(
                [*limit, self.python, *PYTEST, "-p", "no:xdist", path],
                cwd=self.root,
                env={**self.variables, "ASAN_OPTIONS": options},
                capture_output=True,
                text=True,
                errors="replace",
            )
            written = [one.read_text(errors="replace") for one in sorted(Path(folder).iterdir())]
        # Memory that was asked for and is not there is a warning.
        reports = [text for text in written if "ERROR: " in text]
        said = done.stdout + done.stderr
        last = (re.findall(r"^.*\d+ (?:passed|failed|skipped|error|deselected).*$", said, re.M) or [""])[-1]
        for count, kind in re.findall(r"(\d+) (passed|failed|skipped|error|xfailed)", last):
            self.total[kind] += int(count)
        self.total["reports"] += len(reports)
        is_late = time.monotonic() - began >= left
        if is_late:
            self.late.append(path)
        line = f"{path}: {last or 'no result'} ({time.monotonic() - began:.0f} s{', out of time' * is_late})"
        # 5: no test was collected, where a package is not installed.
        if reports or re.search("failed|error", last) or (done.returncode not in (0, 5) and not is_late):
            self.bad.append(path)
            return "\n".join([line, said, *reports])
        return line


def variables_of(folder: Path, library: Path, jobs: int) -> dict[str, str]:
    """The variables under which Python loads a runtime, and the package in a folder."""
    variables = environment("address") | {"PYTHONPATH": str(folder), "PYTHONMALLOC": "malloc"}
    # Libraries in C++ that come later throw through the runtime, which looks for the real function at once.
    variables["LD_PRELOAD"] = f"{library} libstdc++.so.6"
    if jobs > 1:
        variables.setdefault("CUPRUM_THREADS", "3")
        variables.setdefault("OPENBLAS_NUM_THREADS", "2")
    return variables


def test_all(options: argparse.Namespace) -> int:
    """Run every file of a shard, some at a time and each for `limit` seconds at most."""
    folder = build_extension()
    variables = variables_of(folder, runtime(folder), options.jobs)
    files = options.files or all_files(ROOT, options.shard)
    return Suite(ROOT, sys.executable, variables, options.limit).run(files, options.jobs)


BUNDLE = "bundle.tar.xz"
LIBRARY = "sanitizer.so"
MODULE = "python/cuprum/_core.abi3.so"


def pack(folder: Path) -> int:
    """Build, and pack what another machine needs into a folder."""
    built = build_extension()
    command = ["git", "ls-files", "--", "python", "tests", "scripts", "examples", "docs", "benches"]
    command += ["crates", "*.toml", "*.md", "Makefile", "LICENSE", "requirements*.txt"]
    files = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        stripped = {MODULE: built / "cuprum" / "_core.abi3.so", LIBRARY: runtime(built)}
        for name, path in stripped.items():
            copy = Path(place) / Path(name).name
            subprocess.run(["strip", "-o", copy, path], check=True)
            stripped[name] = copy
        with tarfile.open(folder / BUNDLE, "w:xz", preset=6) as archive:
            for name in filter(None, files):
                archive.add(ROOT / name, name)
            for name, path in stripped.items():
                archive.add(path, name)
    print(f"{folder / BUNDLE}: {(folder / BUNDLE).stat().st_size / 2**20:.1f} MiB")
    return 0


def run_bundle(folder: Path, options: argparse.Namespace) -> int:
    """Run the suite of a bundle."""
    ends = time.monotonic() + options.total
    python = options.interpreter
    if python is None:
        from gpu_check import make_environment

        python = str(make_environment(options.dist, folder / "environment"))
    root = folder / "tree"
    shutil.rmtree(root, ignore_errors=True)
    with tarfile.open(folder / BUNDLE) as archive:
        archive.extractall(root)
    variables = variables_of(root / "python", root / LIBRARY, options.jobs)
    # A driver of CUDA wants addresses that the sanitizer keeps free.
    variables |= {"CUPRUM_DEVICE": "cpu", "CUDA_VISIBLE_DEVICES": ""}
    variables["ASAN_OPTIONS"] += ":protect_shadow_gap=0"
    files = options.files or all_files(root, options.shard)
    return Suite(root, python, variables, options.limit, ends).run(files, options.jobs)


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
    parser.add_argument("--jobs", type=int, default=1, help="with --all: files at a time")
    parser.add_argument("--files", nargs="*", help="with --all, or of a bundle: these files alone")
    bundles = parser.add_argument_group("on a machine without Rust")
    bundles.add_argument(
        "--bundle", type=Path, metavar="DIR", help="pack the suite and what was built for it"
    )
    bundles.add_argument("--run-bundle", type=Path, metavar="DIR", help="run it, with the options of --all")
    bundles.add_argument("--total", type=float, default=float("inf"), help="seconds for all files together")
    bundles.add_argument("--interpreter", help="one that has what the tests need; by default one is made")
    bundles.add_argument("--dist", type=Path, default=ROOT / "dist", help="where the wheels are")
    options = parser.parse_args()
    if options.bundle:
        return pack(options.bundle.resolve())
    if options.run_bundle:
        return run_bundle(options.run_bundle.resolve(), options)
    if options.all:
        return test_all(options)
    code = 0
    if options.python is None:
        crates = options.crates.split(",") if options.crates else CRATES[options.tool]
        code = test_crates(options.tool, crates)
    if options.tool == "address" and not options.rust:
        code = test_python(options.python or PYTHON_TESTS) or code
    return code


if __name__ == "__main__":
    sys.exit(main())
