"""The array API's own tests on Cuprum and on NumPy: what fails is to be the same.

    git clone --recurse-submodules https://github.com/data-apis/array-api-tests DIR
    python scripts/array_api_suite.py DIR                      both libraries, some minutes
    python scripts/array_api_suite.py DIR -k test_sorting      a part of it

Cuprum gives NumPy's results where NumPy departs from the standard; what Cuprum alone fails is an error here.
The suite needs pytest, hypothesis and ndindex (its requirements.txt); nothing of it enters this repository.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("suite", type=Path, help="a clone of array-api-tests, with its submodules")
    parser.add_argument("-k", metavar="EXPRESSION", help="only the tests that match, as pytest has it")
    parser.add_argument("--max-examples", type=int, default=20, help="examples of each test (default 20)")
    parser.add_argument("--workers", default="0", help="processes, by pytest-xdist (default: none)")
    return parser.parse_args()


def outcomes(module: str, arguments: argparse.Namespace) -> dict[str, str]:
    """What became of each test: passed, failed or skipped."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider"]
        command += ["-n", arguments.workers] if arguments.workers != "0" else []
        command += [f"--max-examples={arguments.max_examples}", "--derandomize", f"--junitxml={report}"]
        command += [*(["-k", arguments.k] if arguments.k else []), "array_api_tests"]
        environment = {
            **os.environ,
            "ARRAY_API_TESTS_MODULE": module,
            "PYTHONPATH": os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")]),
        }
        subprocess.run(command, cwd=arguments.suite, env=environment, stdout=subprocess.DEVNULL, check=False)
        if not report.exists():
            raise SystemExit(f"the suite did not run on {module}: {' '.join(command)} in {arguments.suite}")
        found = {}
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname')}::{case.get('name')}"
            kinds = {child.tag for child in case}
            failed = kinds & {"failure", "error"}
            found[name] = "failed" if failed else "skipped" if "skipped" in kinds else "passed"
        return found


def main() -> int:
    arguments = parse_arguments()
    results = {module: outcomes(module, arguments) for module in ("cuprum", "numpy")}
    for module, found in results.items():
        counts = {kind: list(found.values()).count(kind) for kind in ("passed", "failed", "skipped")}
        print(f"{module}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    ours, theirs = (
        {name for name, kind in results[module].items() if kind == "failed"} for module in results
    )
    for title, names in (("Cuprum alone", ours - theirs), ("NumPy alone", theirs - ours)):
        print(f"fail on {title}: {len(names)}")
        print("".join(f"  {name}\n" for name in sorted(names)), end="")
    return 1 if ours - theirs else 0


if __name__ == "__main__":
    sys.exit(main())
