"""Builds the stand-ins for the CUDA driver and NVRTC into target/standin and prints that folder.

    eval "$(python tests/cuda/standin/build.py --env)"    # sets CUPRUM_LIBCUDA and others

Nothing is built when the sources are those of the last build. Needs g++ (or what CXX names).
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]

DRIVER, NVRTC = "libcuda.so.1", "libnvrtc.so.13"
# The product's own cache of kernels, kept apart from that of a real GPU and emptied with each build.
PRODUCT_CACHE = "kernels"

LIBRARY_FLAGS = ["-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra"]

# How kernels are compiled. Unique symbols would tie modules together. What a GPU reports (misaligned
# accesses) or what would only show as wrong numbers (indices beyond an array) becomes a trap.
KERNEL_FLAGS = [
    "-std=c++17",
    "-O1",
    "-fPIC",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fno-gnu-unique",
    "-fsanitize=alignment,bounds",
    "-fsanitize-undefined-trap-on-error",
    "-w",
]
KERNEL_LINK_FLAGS = ["-shared", "-Wl,-Bsymbolic"]


class CannotBuild(Exception):
    """Why there is no stand-in: no compiler, or what it said."""


def compiler() -> str | None:
    """The C++ compiler's path, or None where there is none."""
    return shutil.which(os.environ.get("CXX", "g++"))


def stamp_of(cxx: str) -> str:
    """Changes with every source, with the flags and with the compiler."""
    digest = hashlib.sha256()
    for path in sorted(p for p in HERE.rglob("*") if p.suffix in {".cpp", ".hpp", ".py"}):
        digest.update(str(path.relative_to(HERE)).encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(f"{cxx} {run([cxx, '--version'])}".encode())
    return digest.hexdigest()


def run(command: list[str]) -> str:
    """What the command prints; CannotBuild where it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    said = " ".join(command) + "\n" + done.stdout + done.stderr
    if done.returncode:
        raise CannotBuild(f"{command[0]} failed: {said}")
    if done.stderr:
        sys.stderr.write(said)
    return done.stdout


def build_all(cxx: str, folder: Path, objects: Path) -> None:
    device = folder / "device"
    shutil.rmtree(device, ignore_errors=True)
    for stale in ("cache", PRODUCT_CACHE):
        shutil.rmtree(folder / stale, ignore_errors=True)
    shutil.copytree(HERE / "device", device)
    (folder / "cache").mkdir()
    objects.mkdir(exist_ok=True)
    # A quarter of a kernel's time is the linker's; this one is the quicker, where it is.
    linker = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []
    (folder / "command").write_text("\n".join([cxx, *KERNEL_FLAGS, *KERNEL_LINK_FLAGS, *linker]) + "\n")

    header = device / "standin.hpp"
    commands = [[cxx, *KERNEL_FLAGS, "-x", "c++-header", str(header), "-o", f"{header}.gch"]]
    parts: dict[str, list[str]] = {"driver": [], "nvrtc": []}
    for part, made in parts.items():
        for source in sorted((HERE / part).glob("*.cpp")):
            target = str(objects / f"{part}_{source.stem}.o")
            commands.append([cxx, *LIBRARY_FLAGS, "-c", str(source), "-o", target])
            made.append(target)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, commands))
    for name, part in ((DRIVER, "driver"), (NVRTC, "nvrtc")):
        # Replaced, not written over: a process may have the old one loaded. Without a soname, so that the
        # loader never takes it for the real one.
        new = folder / f"{name}.new"
        run([cxx, "-shared", *parts[part], "-o", str(new), "-ldl", "-lpthread", "-lrt"])
        new.replace(folder / name)


def build(folder: Path | None = None) -> Path:
    """Builds what is not up to date and returns the folder; raises CannotBuild where that is not possible."""
    cxx = compiler()
    if cxx is None:
        raise CannotBuild("there is no g++; name another compiler with CXX")
    if folder is None:
        folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "standin"
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / "stamp"
        wanted = stamp_of(cxx)
        if not stamp.exists() or stamp.read_text() != wanted:
            stamp.unlink(missing_ok=True)
            build_all(cxx, folder, folder / "objects")
            stamp.write_text(wanted)
    return folder


def environment(folder: Path) -> dict[str, str]:
    """What the product must find in its environment to use the stand-ins."""
    return {
        "CUPRUM_LIBCUDA": str(folder / DRIVER),
        "CUPRUM_LIBNVRTC": str(folder / NVRTC),
        "CUPRUM_CACHE_DIR": str(folder / PRODUCT_CACHE),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--env", action="store_true", help="print shell lines that set the variables")
    parser.add_argument("--folder", type=Path, help="build there instead of target/standin")
    arguments = parser.parse_args()
    try:
        folder = build(arguments.folder)
    except CannotBuild as error:
        raise SystemExit(f"the stand-in for the CUDA driver cannot be built: {error}") from error
    if arguments.env:
        for name, value in environment(folder).items():
            print(f"export {name}={shlex.quote(value)}")
    else:
        print(folder)


if __name__ == "__main__":
    main()
