"""What `make test-wheel` runs: checks the contents of the newest wheel in dist/, its size, and that it works.
`make test-sdist` does the same with the newest sdist, which pip builds.

    python scripts/check_wheel.py                      unpack, look, install, run
    python scripts/check_wheel.py --contents-only      unpack and look
    python scripts/check_wheel.py --run-only           install and run: for a wheel that is not stripped
    python scripts/check_wheel.py --dist other/        a wheel in another folder
    python scripts/check_wheel.py --sdist              the sdist: unpack, look, build, install, run

Either goes into an environment of its own with NumPy from the index, and `scripts/memory_smoke.py`, which
calls every part of the library, runs there, away from the sources. Any Python that the wheel is for will do.
An sdist is built as its users build it: with Rust, pip and the indices of packages, nothing else.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from email.parser import HeaderParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MAX_BYTES = 12_000_000
"""The most that a packed wheel may have."""

NEEDED = ("cuprum/__init__.py", "cuprum/py.typed", "cuprum/_core.pyi")
FIELDS = (
    "Name",
    "Version",
    "Requires-Python",
    "License-Expression",
    "Author",
    "Project-URL",
    "Provides-Extra",
)

# The interpreter unwinds the stacks of daemon threads when it ends: through our code, with its own unwinder.
EXIT_PROGRAM = """
import threading, time
import cuprum as cp
a = cp.arange(200_000.0)
def work():
    while True:
        float((a * 3 + 1).sum())
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""


NEEDED_TO_BUILD = (
    "Cargo.toml",
    "Cargo.lock",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "python/cuprum/__init__.py",
)
"""What an sdist has to have; `cargo` says itself which sources are missing."""


def newest(dist: Path, kind: str = "wheel") -> Path:
    """Return the wheel, or the sdist, that was written last."""
    pattern = {"wheel": "cuprum-*.whl", "sdist": "cuprum-*.tar.gz"}[kind]
    found = sorted(dist.glob(pattern), key=lambda path: path.stat().st_mtime)
    if not found:
        raise SystemExit(f"there is no {kind} of cuprum in {dist}: make {kind}")
    return found[-1]


def check_contents(wheel: Path) -> None:
    """Look at what is in the wheel, and at what it says of itself."""
    size = wheel.stat().st_size
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (info,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = HeaderParser().parsestr(archive.read(info).decode())
        cores = [name for name in names if name.startswith("cuprum/_core.") and not name.endswith(".pyi")]
        unpacked = sum(archive.getinfo(name).file_size for name in cores)
    print(f"{wheel.name}: {size:,} bytes packed, the extension {unpacked / 1e6:.1f} MB")
    problems = [f"{name} is missing" for name in NEEDED if name not in names]
    problems += [f"{field} is not said" for field in FIELDS if field not in metadata]
    problems += [f"{name} has no place here" for name in names if "__pycache__" in name or "/tests/" in name]
    if len(cores) != 1:
        problems.append(f"one extension module was expected: {cores}")
    if not any(name.endswith("LICENSE") for name in names):
        problems.append("LICENSE is missing")
    if size > MAX_BYTES:
        problems.append(f"{size} bytes are more than {MAX_BYTES}")
    links = (line for line in metadata.get_payload().splitlines() if "](" in line)
    problems += [
        f"the page has a link within the repository: {line[:80]}"
        for line in links
        if any(not target.startswith(("http", "#")) for target in line.split("](")[1:])
    ]
    if problems:
        raise SystemExit("\n".join(problems))


def check_sources(sdist: Path) -> None:
    """Look at what is in the sdist, and at what it says of itself."""
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
        info = archive.extractfile(f"{sdist.name.removesuffix('.tar.gz')}/PKG-INFO")
        metadata = HeaderParser().parsestr(info.read().decode() if info else "")
    print(f"{sdist.name}: {sdist.stat().st_size / 1e6:.1f} MB packed, {len(names)} files")
    problems = [f"{name} is missing" for name in NEEDED_TO_BUILD if name not in names]
    problems += [f"{field} is not said" for field in FIELDS if field not in metadata]
    problems += [
        f"{name} has no place here"
        for name in names
        if "__pycache__" in name or "/_core." in name and not name.endswith(".pyi")
    ]
    if problems:
        raise SystemExit("\n".join(problems))


def check_run(package: Path) -> None:
    """Install the wheel, or the sdist, into a new environment and run a program from it."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        scripts = Path(folder) / ("Scripts" if os.name == "nt" else "bin")
        python = scripts / "python"
        # Nor does an sdist find the repository's own folder of what is built.
        taken = ("PYTHONPATH", "CARGO_TARGET_DIR")
        environment = {key: value for key, value in os.environ.items() if key not in taken}

        def run(*command: str) -> None:
            subprocess.run(command, check=True, cwd=folder, env=environment)

        run(
            str(python),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            str(package.resolve()),
        )
        run(str(python), str(ROOT / "scripts" / "memory_smoke.py"))
        run(str(python), "-c", EXIT_PROGRAM)
        run(str(scripts / "cuprum"), "info")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="where the wheel is")
    parser.add_argument("--contents-only", action="store_true", help="install and run nothing")
    parser.add_argument("--run-only", action="store_true", help="do not look at the contents")
    parser.add_argument("--sdist", action="store_true", help="the sdist in the place of the wheel")
    arguments = parser.parse_args()
    package = newest(arguments.dist, "sdist" if arguments.sdist else "wheel")
    if not arguments.run_only:
        (check_sources if arguments.sdist else check_contents)(package)
    if not arguments.contents_only:
        check_run(package)
        print(f"{package.name} works with Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
