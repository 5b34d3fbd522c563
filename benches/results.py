"""The page of figures, RESULTS.md: one section a bench, each rewritten alone; and how figures look there.

    python benches/results.py table.md          takes over the sections of a page that another machine wrote

A section stands between two markers. What stands outside them is written by hand, and stays.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent / "RESULTS.md"
COMMANDS = {
    "cpu": "make bench",
    "library": "make bench",
    "sparse": "python benches/sparse_turns.py",
    "special": "make bench",
    "kernels": "make bench",
    "programs": "make bench",
    "scale": "make bench",
    "gpu": "make gpu-check",
    "gpu-library": "make gpu-check",
    "gpu-sparse": "python benches/sparse_turns.py --peer cupy",
    "gpu-programs": "python benches/programs.py --device cuda",
}
"""The sections, in the page's order, and what writes each."""


def markers(section: str) -> tuple[str, str]:
    begin = f"<!-- {section}: written by `{COMMANDS[section]}`; not to be edited by hand -->"
    return begin, f"<!-- end of {section} -->"


def find(page: str, section: str) -> re.Match[str] | None:
    """The section's text, as group 1, between its markers."""
    begin, end = map(re.escape, markers(section))
    return re.search(f"{begin}\n(.*?){end}\n", page, re.DOTALL)


def write(section: str, text: str, path: Path = PAGE) -> None:
    """Puts a section into the page: in place of the one that is there, or at the end."""
    page = path.read_text(encoding="utf-8") if path.exists() else "# Cuprum's speed\n"
    begin, end = markers(section)
    block = f"{begin}\n{text.strip()}\n{end}\n"
    found = find(page, section)
    page = page[: found.start()] + block + page[found.end() :] if found else f"{page}\n{block}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")
    print(f"{section}: written to {os.path.relpath(path)}", file=sys.stderr)


def significant(value: float) -> str:
    """Three significant digits, or all digits before the point where there are more."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.2f}" if value >= 1 else f"{value:.3g}"


def yes_no(met: bool) -> str:
    return "yes" if met else "no"


def cpu_model() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
            for line in cpuinfo:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def gpu_name() -> str:
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "a GPU of unknown name"
    return done.stdout.strip().splitlines()[0] if done.stdout.strip() else "a GPU of unknown name"


def available_threads() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit("usage: python benches/results.py PAGE")
    page = Path(sys.argv[1]).read_text(encoding="utf-8")
    sections = {section: found[1] for section in COMMANDS if (found := find(page, section))}
    if not sections:
        raise SystemExit(f"{sys.argv[1]} has no section of figures")
    for section, text in sections.items():
        write(section, text)


if __name__ == "__main__":
    main()
