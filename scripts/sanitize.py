"""Runs tests under AddressSanitizer.

    python scripts/sanitize.py                    the crates' tests, then a part of the Python suite
    python scripts/sanitize.py --rust             the crates' tests alone
    python scripts/sanitize.py --python tests/semantics/test_views.py -k strided

Everything is built by the stable compiler, which `RUSTC_BOOTSTRAP=1` lets take `-Zsanitizer`, into a folder
of its own in target/. Programs of the crates' tests have the sanitizer in them. The extension module has not:
Python loads the sanitizer's runtime before all else (`LD_PRELOAD`), clang's or gcc's.
"""

from __future__ import annotations

import argparse
import glob
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "asan"
TARGET = "x86_64-unknown-linux-gnu"
CRATES = ["cuprum-sort", "cuprum-threads", "cuprum-fft", "cuprum-lapack", "cuprum-random"]
"""The crates with `unsafe` in them whose tests need no device."""
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
# Faults of kernels are caught by handlers of their own, and what Python keeps to its end is no leak.
OPTIONS = "detect_leaks=0:handle_segv=0:allow_user_segv_handler=1:allocator_may_return_null=1"


def environment() -> dict[str, str]:
    """The variables that a build and a run need."""
    flags = "-Zsanitizer=address"
    return {
        **os.environ,
        "ASAN_OPTIONS": OPTIONS,
        "CARGO_TARGET_DIR": str(FOLDER),
        "RUSTC_BOOTSTRAP": "1",
        "RUSTFLAGS": flags,
        "PYO3_PYTHON": sys.executable,
    }


def runtime() -> str:
    """The path of the sanitizer's shared runtime."""
    found = sorted(glob.glob("/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.asan-x86_64.so"))
    if found:
        return found[-1]
    command = ["gcc", "-print-file-name=libasan.so"]
    path = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    if not os.path.isabs(path):
        sys.exit(
            "AddressSanitizer's runtime was not found: install clang's (libclang-rt-dev) or gcc's (libasan)"
        )
    return os.path.realpath(path)


def test_crates(crates: list[str]) -> int:
    """Run the tests of crates."""
    command = ["cargo", "test", "--release", "--target", TARGET, "--lib", "--tests"]
    for crate in crates:
        command += ["--package", crate]
    return subprocess.run(command, cwd=ROOT, env=environment()).returncode


def build_extension() -> Path:
    """Build the extension module; return a folder with a package of Python's sources and it."""
    manifest = ROOT / "crates" / "cuprum-python" / "Cargo.toml"
    command = ["cargo", "rustc", "--release", "--target", TARGET, "--manifest-path", str(manifest)]
    command += ["--features", "pyo3/abi3-py310", "--lib", "--crate-type", "cdylib"]
    subprocess.run(command, cwd=ROOT, env=environment(), check=True)
    package = FOLDER / "python" / "cuprum"
    shutil.rmtree(package, ignore_errors=True)
    left_out = shutil.ignore_patterns("_core*.so", "__pycache__")
    shutil.copytree(ROOT / "python" / "cuprum", package, ignore=left_out)
    shutil.copy(FOLDER / TARGET / "release" / "lib_core.so", package / "_core.abi3.so")
    return package.parent


def test_python(arguments: list[str]) -> int:
    """Run Python tests over the extension module with the sanitizer's runtime."""
    variables = environment()
    variables |= {"PYTHONPATH": str(build_extension()), "PYTHONMALLOC": "malloc", "LD_PRELOAD": runtime()}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *arguments]
    return subprocess.run(command, cwd=ROOT, env=variables).returncode


def main() -> int:
    """Run what was asked for; the exit status is that of the last that failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rust", action="store_true", help="the crates' tests alone")
    parser.add_argument("--crates", default=",".join(CRATES), help="which crates")
    parser.add_argument(
        "--python", nargs=argparse.REMAINDER, help="Python tests alone, by pytest's arguments"
    )
    options = parser.parse_args()
    code = 0
    if options.python is None:
        code = test_crates(options.crates.split(","))
    if not options.rust:
        code = test_python(options.python or PYTHON_TESTS) or code
    return code


if __name__ == "__main__":
    sys.exit(main())
