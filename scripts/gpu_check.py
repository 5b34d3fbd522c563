"""What `make gpu-check` runs on a machine with a GPU: the tests, the speed table, the sanitizer.

    python scripts/gpu_check.py                        all of it
    python scripts/gpu_check.py --tests -k sort        the tests whose name contains `sort`
    python scripts/gpu_check.py --bench --out gpu.md   the speed table alone, on a page of its own
    python scripts/gpu_check.py --sanitize             compute-sanitizer alone

The wheel and what the tests need come from dist/ (`make gpu-wheels` fills it), without an index. They go into
an environment of their own that sees this interpreter's packages, so that CuPy, PyTorch and JAX are at hand.
Each part has a time limit; whole logs are left in --logs, and the tracebacks of failed tests, as they come,
in its failures.log; the summary comes last.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import site
import subprocess
import sys
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHOWN_FAILURES = 25
RACE_CASES = ("reductions", "scans", "sorts")


@dataclass
class Part:
    """One part's outcome: the lines go into the summary."""

    name: str
    ok: bool
    lines: list[str] = field(default_factory=list)


@dataclass
class Ran:
    """A command that has ended, or was ended. The output is in the log."""

    code: int | None
    seconds: float
    log: Path

    def text(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = parser.add_argument_group("parts (all of them where none is named)")
    parts.add_argument("--tests", action="store_true", help="the test suite with CUPRUM_DEVICE=cuda")
    parts.add_argument("--bench", action="store_true", help="the speed table")
    parts.add_argument("--sanitize", action="store_true", help="compute-sanitizer over tests/cuda/cases.py")
    parser.add_argument("paths", nargs="*", default=["tests"], help="what to test (default: tests)")
    parser.add_argument("-k", metavar="EXPRESSION", help="only the tests that match, as pytest has it")
    parser.add_argument("--workers", type=int, default=12, help="processes for the tests (default 12)")
    parser.add_argument("--only", default="", help="only the rows of the table whose name contains this")
    parser.add_argument("--scale", type=float, default=1.0, help="shrinks the table's arrays, for a trial")
    parser.add_argument("--libraries", help="libraries for the table, by comma (default: all there are)")
    parser.add_argument(
        "--out", type=Path, help="the table's page (default for all rows: benches/RESULTS.md)"
    )
    parser.add_argument("--logs", type=Path, default=ROOT / "target" / "gpu-check", help="where logs go")
    parser.add_argument("--python", help="an interpreter that has everything; nothing is installed then")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="where the wheels are")
    parser.add_argument("--tests-limit", type=float, default=500, help="seconds for the tests")
    parser.add_argument("--bench-limit", type=float, default=420, help="seconds for the table")
    parser.add_argument("--sanitize-limit", type=float, default=240, help="seconds for each sanitizer run")
    parser.add_argument("--sanitize-cases", default="", help="cases by comma (default: all; races: fewer)")
    return parser.parse_args()


def run(command: list[str], log: Path, limit: float, environment: dict[str, str]) -> Ran:
    """Runs a command to its end or its limit; then it and everything it started is ended."""
    began = time.monotonic()
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            code: int | None = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            code = None
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return Ran(code, time.monotonic() - began, log)


def tail(text: str, count: int) -> list[str]:
    return [line[:200] for line in text.strip().splitlines() if line.strip()][-count:]


# Installing


def newest_wheels(dist: Path) -> list[Path]:
    """One wheel for each package in dist/: the newest file, of those for this Python or for any."""
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    found: dict[str, Path] = {}
    for wheel in sorted(dist.glob("*.whl"), key=lambda path: path.stat().st_mtime):
        package, *_, python, abi, _ = wheel.stem.split("-")
        if python.startswith("py3") or python == "py2.py3" or abi == "abi3" or python == tag:
            found[package.lower()] = wheel
    return list(found.values())


def make_environment(dist: Path, folder: Path) -> Path:
    """An environment with the wheels in it that sees this interpreter's packages; its interpreter."""
    wheels = newest_wheels(dist)
    if not any(wheel.name.startswith("cuprum-") for wheel in wheels):
        raise SystemExit(f"there is no wheel of cuprum in {dist}: make gpu-wheels")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    packages = next((folder / "lib").glob("python*")) / "site-packages"
    # A wheel is an archive of site-packages; pip may not be there, and would look for what is there already.
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(packages)
    # This interpreter may itself be that of an environment, whose packages a new one would not see.
    seen = [path for path in site.getsitepackages() if Path(path).is_dir()]
    # Only as places to look: what its own .pth files run may not bear to be run a second time.
    (packages / "parent.pth").write_text("".join(f"{path}\n" for path in seen))
    return folder / "bin" / "python"


def check_gpu(python: str, environment: dict[str, str]) -> list[str]:
    """Says which GPU is there; ends the run where there is none."""
    program = (
        "import cuprum as cp\n"
        "assert cp.cuda.is_available(), 'cuprum sees no GPU'\n"
        "p = cp.cuda.runtime.getDeviceProperties(0)\n"
        "name = p['name']\n"
        "print(cp.__version__, cp.__file__)\n"
        "print(name.decode() if isinstance(name, bytes) else name)\n"
        "assert float(cp.arange(10.0).sum()) == 45\n"
    )
    done = subprocess.run(
        [python, "-c", program], env=environment, capture_output=True, text=True, cwd=ROOT, check=False
    )
    if done.returncode:
        raise SystemExit("no GPU to check on:\n" + "\n".join(tail(done.stderr, 8)))
    version, name = done.stdout.strip().splitlines()[-2:]
    return [f"cuprum {version}", f"GPU: {name}"]


# The parts


def test_part(python: str, arguments: argparse.Namespace, environment: dict[str, str]) -> Part:
    command = [
        python,
        "-m",
        "pytest",
        "-v",  # a name for each test: what failed is known even where the limit ends the run
        "-p",
        "no:cacheprovider",
        "--tb=short",
        "--durations=15",
        "--dist",
        "worksteal",
        "-n",
        str(arguments.workers),
        "-p",
        "failure_log",
        "--failure-log",
        str(arguments.logs / "failures.log"),
    ]
    # What runs over the stand-in is for machines without a GPU.
    command += ["--ignore-glob=*/cuda/test_standin*", "--ignore-glob=*/cuda/test_cases*"]
    command += [*(["-k", arguments.k] if arguments.k else []), *arguments.paths]
    environment = {**environment, "PYTHONPATH": str(ROOT / "scripts")}
    done = run(command, arguments.logs / "tests.log", arguments.tests_limit, environment)
    text = done.text()
    failures = [line[:200] for line in text.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    if done.code is None:
        failures = [line[:200] for line in text.splitlines() if re.search(r" (FAILED|ERROR) tests/", line)]
    part = Part("tests", done.code == 0)
    if done.code is None:
        progress = re.findall(r"\[ *(\d+)%\]", text)
        part.lines.append(
            f"ended at the limit of {arguments.tests_limit:g} s, {progress[-1] if progress else 0}% done"
        )
    else:
        part.lines += tail(text, 1)
    part.lines += failures[:SHOWN_FAILURES]
    if len(failures) > SHOWN_FAILURES:
        part.lines.append(f"and {len(failures) - SHOWN_FAILURES} more, in {done.log}")
    if not failures and done.code not in (0, None):
        part.lines = tail(text, 15)
    return part


def bench_part(python: str, arguments: argparse.Namespace, environment: dict[str, str]) -> Part:
    limit = arguments.bench_limit
    command = [python, "benches/gpu_table.py", "--limit", str(limit - 20)]
    command += ["--only", arguments.only, "--scale", str(arguments.scale)]
    if arguments.libraries:
        command += ["--libraries", arguments.libraries]
    if arguments.out:
        command += ["--out", str(arguments.out.resolve())]
    done = run(command, arguments.logs / "bench.log", limit, environment)
    if done.code == 0:
        # Before the table the log names the rows as they are timed.
        table = done.text().partition("\n## ")[2]
        return Part("table", True, table.strip().splitlines())
    why = f"ended at the limit of {limit:g} s" if done.code is None else f"status {done.code}"
    return Part("table", False, [why, *tail(done.text(), 15)])


def sanitizer() -> str | None:
    folders = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")] + ["/usr/local/cuda"]
    places = [
        str(Path(folder) / part) for folder in folders if folder for part in ("bin", "compute-sanitizer")
    ]
    return shutil.which("compute-sanitizer") or shutil.which(
        "compute-sanitizer", path=os.pathsep.join(places)
    )


def sanitize_part(python: str, arguments: argparse.Namespace, environment: dict[str, str]) -> Part:
    program = sanitizer()
    if program is None:
        return Part("sanitizer", False, ["compute-sanitizer was not found"])
    # Blocks of exactly the size that was asked for: what lies beyond an array is then out of bounds.
    environment = {**environment, "CUPRUM_MEMORY": "exact"}
    part = Part("sanitizer", True)
    chosen = [name for name in arguments.sanitize_cases.split(",") if name]
    for tool in ("memcheck", "racecheck", "initcheck", "synccheck"):
        cases = chosen or (list(RACE_CASES) if tool == "racecheck" else [])
        command = [program, "--tool", tool, "--error-exitcode", "86", "--print-limit", "20"]
        command += [python, "tests/cuda/cases.py", *cases]
        done = run(command, arguments.logs / f"{tool}.log", arguments.sanitize_limit, environment)
        text = done.text()
        summary = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (.*)", text)
        part.ok = part.ok and done.code == 0
        agreed = sum("results agree" in line for line in text.splitlines())
        what = summary[-1] if summary else "no summary"
        if done.code is None:
            what = f"ended at the limit of {arguments.sanitize_limit:g} s"
        part.lines.append(f"{tool}: {what}; {agreed} cases done, status {done.code}, {done.seconds:.0f} s")
        if done.code not in (0, None):
            found = [line for line in text.splitlines() if re.search(r"========= \w|Error|assert", line)]
            part.lines += [line[:200] for line in found[:8]]
    return part


def main() -> int:
    arguments = parse_arguments()
    wanted = [name for name in ("tests", "bench", "sanitize") if getattr(arguments, name)]
    wanted = wanted or ["tests", "bench", "sanitize"]
    arguments.logs = arguments.logs.resolve()
    arguments.logs.mkdir(parents=True, exist_ok=True)
    python = arguments.python or str(make_environment(arguments.dist, arguments.logs / "environment"))
    environment = {
        **os.environ,
        "CUPRUM_DEVICE": "cuda",
        "PYTHONDONTWRITEBYTECODE": "1",
        # Arrays of more than 2^31 elements.
        "CUPRUM_TEST_LARGE": "1",
    }
    environment.pop("PYTHONPATH", None)
    about = check_gpu(python, environment)
    print("\n".join(about), flush=True)

    parts = []
    for name in wanted:
        print(f"==> {name}", flush=True)
        began = time.monotonic()
        part = {"tests": test_part, "bench": bench_part, "sanitize": sanitize_part}[name](
            python, arguments, environment
        )
        parts.append(part)
        print(
            f"==> {name}: {'passed' if part.ok else 'FAILED'} in {time.monotonic() - began:.0f} s", flush=True
        )

    print("\n".join(["", "Summary", *about]))
    for part in parts:
        print(f"\n{part.name}: {'passed' if part.ok else 'FAILED'}")
        print("\n".join(f"  {line}" for line in part.lines))
    print("\n" + ", ".join(f"{part.name} {'passed' if part.ok else 'FAILED'}" for part in parts))
    return 0 if all(part.ok for part in parts) else 1


if __name__ == "__main__":
    sys.exit(main())
