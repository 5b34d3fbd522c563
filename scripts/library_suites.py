"""Other libraries' own tests, run on Cuprum under `cuprum run -m pytest`; writes docs/compatibility.md.

    python scripts/library_suites.py --work DIR einops autoray   run these, then write the page
    python scripts/library_suites.py --work DIR --all            run the whole table
    python scripts/library_suites.py --work DIR --page           write the page from what has run

Each library gets an environment of its own in DIR, with the version that the table names. Its tests come from
its source distribution, from the installed package, or from its repository; nothing of them enters this
repository. A suite runs in one process, a test has a time limit, and so has a suite. Where a suite's process
dies, the test that was running counts as failed and the rest goes on in a new one. Of large parametrisations
every k-th is taken. The page has a row for what has run, in DIR or when it was last written, and none for
what has not. SciPy's newest version needs Python 3.12: `--python` names the interpreter of the environments.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.parse
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from library_suites_table import CAUSES, SUITES, Suite

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "compatibility.md"
PLUGIN = "library_suites_plugin"
STAND_INS = "library_suites_standins"
INDEX = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple")
RESTARTS = 8
"""How often a suite whose process died is taken up again."""
SHOWN_CAUSES = 8


@dataclass
class Outcome:
    """What a suite's log says."""

    counts: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    done: list[str] = field(default_factory=list)
    collected: int = 0
    private: int = 0
    interrupted: str | None = None
    """The test that was running when the log ended."""


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("suites", nargs="*", help="names of the table's rows")
    parser.add_argument("--work", type=Path, help="a folder outside the repository")
    parser.add_argument("--all", action="store_true", help="run every row")
    parser.add_argument("--page", action="store_true", help="run nothing; write the page")
    parser.add_argument("--list", action="store_true", help="print the table's names")
    parser.add_argument("--wheel", type=Path, help="install this wheel; default: the build in python/")
    parser.add_argument("--python", default=sys.executable, help="interpreter of the environments")
    parser.add_argument("--device", default="cpu", help="cpu, cuda or cuda:n (default cpu)")
    parser.add_argument("--every", type=int, help="take every k-th parametrisation (default: the table's)")
    parser.add_argument("--limit", type=int, help="seconds for each suite (default: the table's)")
    parser.add_argument("--test-limit", type=int, default=60, help="seconds for each test (default 60)")
    parser.add_argument(
        "--repository",
        action="append",
        default=[],
        metavar="OWNER/NAME=PATH",
        help="a copy of a repository, to be read instead of GitHub's",
    )
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    if arguments.list:
        print("\n".join(suite.name for suite in SUITES))
        return 0
    if arguments.work is None:
        raise SystemExit("--work DIR is needed: where environments, tests and outcomes go")
    work = arguments.work.resolve()
    if work.is_relative_to(ROOT):
        raise SystemExit(f"{work} lies in the repository: tests of others stay outside")
    chosen = chosen_suites(arguments)
    repositories = dict(item.split("=", 1) for item in arguments.repository)
    for suite in chosen:
        try:
            run_suite(suite, work / (suite.library or suite.name), arguments, repositories)
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"{suite.name}: not run: {error}", flush=True)
    PAGE.write_text(page(work), encoding="utf-8")
    return 0


def chosen_suites(arguments: argparse.Namespace) -> list[Suite]:
    if arguments.page:
        return []
    by_name = {suite.name: suite for suite in SUITES}
    unknown = [name for name in arguments.suites if name not in by_name]
    if unknown:
        raise SystemExit(f"no such suite: {', '.join(unknown)}; --list prints them")
    return list(SUITES) if arguments.all else [by_name[name] for name in arguments.suites]


# The environment and the tests.


def environment_of(suite: Suite, place: Path, arguments: argparse.Namespace) -> Path:
    """Make the suite's environment unless it is there; return its interpreter."""
    python = place / "venv" / "bin" / "python"
    wheel = arguments.wheel
    wanted = "\n".join([*suite.requirements(), str(wheel), arguments.python])
    stamp = place / "venv" / "requirements.txt"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    subprocess.run([arguments.python, "-m", "venv", "--clear", str(place / "venv")], check=True)
    packages = [*suite.requirements(), *([str(wheel)] if wheel else [])]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    stamp.write_text(wanted, encoding="utf-8")
    return python


def sdist(suite: Suite, place: Path) -> Path:
    """Download the source distribution that the index lists for the suite's version."""
    project = suite.name if not suite.project else suite.project
    page_url = f"{INDEX.rstrip('/')}/{project.lower().replace('_', '-')}/"
    with urllib.request.urlopen(page_url) as answer:
        links = re.findall(r'href="([^"#]+)', answer.read().decode())
    wanted = re.compile(rf"{re.escape(project)}-{re.escape(suite.version)}\.tar\.gz", re.IGNORECASE)
    for link in links:
        name = urllib.parse.unquote(link.rpartition("/")[2])
        if wanted.fullmatch(name.replace("_", "-")) or wanted.fullmatch(name):
            target = place / name
            if not target.exists():
                urllib.request.urlretrieve(urllib.parse.urljoin(page_url, html.unescape(link)), target)
            return target
    raise SystemExit(f"{suite.name}: the index has no source distribution of {project} {suite.version}")


def archive(suite: Suite, place: Path, repository: str | None) -> Path:
    """Write the wanted commit of the library's repository into an archive."""
    target = place / "repository.tar"
    if not target.exists():
        if repository is None:
            repository = str(place / "repository.git")
            subprocess.run(["git", "init", "--quiet", "--bare", repository], check=True)
            url = f"https://github.com/{suite.repository}"
            fetch = ["git", "-C", repository, "fetch", "--quiet", "--depth", "1", url, suite.commit]
            subprocess.run(fetch, check=True)
        command = ["git", "-C", repository, "archive", "--prefix=source/", "-o", str(target), suite.commit]
        subprocess.run(command, check=True)
    return target


def tests_of(suite: Suite, place: Path, repository: str | None) -> Path:
    """Unpack the tests, and nothing else of the library; return the folder that they run in."""
    folder = place / "tests"
    if suite.source == "installed":
        folder.mkdir(exist_ok=True)
        return folder
    packed = archive(suite, place, repository) if suite.repository else sdist(suite, place)
    wanted = tuple(suite.files)
    with tarfile.open(packed) as source:
        for member in source.getmembers():
            inner = member.name.partition("/")[2]
            if inner.startswith(wanted):
                member.name = inner
                source.extract(member, folder, filter="data")
    return folder


# Running.


def run_suite(suite: Suite, place: Path, arguments: argparse.Namespace, repositories: dict[str, str]) -> None:
    results = place / "results" / suite.name
    results.mkdir(parents=True, exist_ok=True)
    python = environment_of(suite, place, arguments)
    folder = tests_of(suite, place, repositories.get(suite.repository))
    for plugin in (PLUGIN, STAND_INS, *suite.plugins):
        shutil.copy(ROOT / "scripts" / f"{plugin}.py", results)
    log = results / "outcomes.jsonl"
    log.unlink(missing_ok=True)
    (results / "facts.json").unlink(missing_ok=True)
    every = arguments.every or suite.every
    limit = arguments.limit or suite.limit
    for _ in range(RESTARTS):
        outcome = read_log(log)
        settings = {
            "log": str(log),
            "every": every,
            "limit": limit,
            "test_limit": arguments.test_limit,
            "done": outcome.done,
            "private": [pattern for pattern, _ in suite.private],
        }
        code = run_pytest(suite, results, folder, python, arguments, settings)
        if code >= 0 and code < 128:
            break
        crashed = read_log(log).interrupted
        if crashed is None:
            break
        line = {"id": crashed, "outcome": "failed", "cause": f"the process died of signal {abs(code)}"}
        with log.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")
    outcome = read_log(log, suite, arguments.device)
    facts = {"every": every, "device": arguments.device, "version": suite.shown_version()}
    # pytest's status of a session that was stopped.
    facts["stopped"] = code == 2
    (results / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
    print(f"{suite.name}: {dict(outcome.counts)}", flush=True)


def run_pytest(
    suite: Suite,
    results: Path,
    folder: Path,
    python: Path,
    arguments: argparse.Namespace,
    settings: dict[str, object],
) -> int:
    """Run the suite's tests once; return how the process ended."""
    paths = [str(results), *(str(folder / part) for part in suite.pythonpath)]
    if arguments.wheel is None:
        paths.append(str(ROOT / "python"))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment |= suite.environment
    # By a file: the tests that have run are too many for a variable.
    (results / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    environment |= {"PYTHONPATH": os.pathsep.join(paths), "LIBRARY_SUITE": str(results / "settings.json")}
    command = [python, "-m", "cuprum", "run", "--device", arguments.device, "-m", "pytest"]
    command += ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--continue-on-collection-errors"]
    command += [word for plugin in (PLUGIN, *suite.plugins) for word in ("-p", plugin)]
    command += ["--tb=short", *suite.arguments, *test_paths(suite, python)]
    with (results / "log.txt").open("w", encoding="utf-8") as out:
        try:
            ran = subprocess.run(
                command,
                cwd=folder,
                env=environment,
                stdout=out,
                stderr=subprocess.STDOUT,
                timeout=float(str(settings["limit"])) * 2 + 300,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return 124
    return ran.returncode


def test_paths(suite: Suite, python: Path) -> list[str]:
    if suite.source != "installed":
        return list(suite.tests)
    find = "import sysconfig; print(sysconfig.get_path('platlib'))"
    packages = subprocess.run([python, "-c", find], check=True, capture_output=True, text=True).stdout.strip()
    return [str(Path(packages) / path) for path in suite.tests]


# The page.


def read_log(log: Path, suite: Suite | None = None, device: str = "cpu") -> Outcome:
    """Read what a suite left; the suite says which failures are of private names, and which need a GPU."""
    outcome = Outcome()
    if not log.exists():
        return outcome
    ended: dict[str, dict[str, str]] = {}
    for text in log.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        if "collected" in line:
            outcome.collected = max(outcome.collected, line["collected"])
            outcome.private = max(outcome.private, line["private"])
        elif "started" in line:
            outcome.interrupted = line["started"]
        else:
            if line["id"] == outcome.interrupted:
                outcome.interrupted = None
            # A test that passed and whose teardown failed has two lines: the failure counts.
            if line["id"] not in ended or line["outcome"] in ("failed", "error"):
                ended[line["id"]] = line
    outcome.done = list(ended)
    for line in ended.values():
        if suite is not None and line["outcome"] in ("failed", "error"):
            line["outcome"] = classified(line, suite, device)
        outcome.counts[line["outcome"]] += 1
        if line["outcome"] in ("failed", "error"):
            outcome.causes[shown_cause(line["id"], line["cause"])] += 1
    return outcome


def classified(line: dict[str, str], suite: Suite, device: str) -> str:
    """Return what a failure is: one, or what the table knows a cause of this kind to be."""
    if suite.internal and re.search(suite.internal, line["cause"]):
        return "private"
    if suite.broken and re.search(suite.broken, line["cause"]):
        return "broken"
    if suite.missing and re.search(suite.missing, f"{line['id']}\n{line['cause']}"):
        return "missing"
    if device == "cpu" and suite.gpu_only and re.search(suite.gpu_only, f"{line['id']}\n{line['cause']}"):
        return "gpu"
    return line["outcome"]


def shown_cause(nodeid: str, text: str) -> str:
    """Return the cause in words where the table has them, else the error without its particulars."""
    for pattern, words in CAUSES:
        if re.search(pattern, f"{nodeid}\n{text}"):
            return words
    text = re.sub(r"0x[0-9a-f]+", "...", text)
    # Of a path on this machine, the file.
    text = re.sub(r"(?<![\w.])/[\w./-]*/", "", text)
    text = re.sub(r"\d+(\.\d+)?(e[+-]?\d+)?", "N", text)
    return text[:90]


def page(work: Path) -> str:
    """Return the page's text: a row for each suite that has run in this folder, or that the page has."""
    rows, remaining = [], []
    earlier = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    for suite in SUITES:
        results = work / (suite.library or suite.name) / "results" / suite.name
        if not (results / "facts.json").exists():
            row_text, section = earlier_entry(earlier, suite.title or suite.name)
            rows += row_text
            remaining += section
            continue
        facts = json.loads((results / "facts.json").read_text(encoding="utf-8"))
        outcome = read_log(results / "outcomes.jsonl", suite, str(facts["device"]))
        if not outcome.counts:
            continue
        rows.append(row(suite, facts, outcome))
        if outcome.causes:
            remaining.append(causes_of(suite, outcome))
    parts = [HEADER, *rows, "", "## What fails, by cause", "", *remaining]
    return "\n".join(parts).rstrip() + "\n"


def earlier_entry(text: str, title: str) -> tuple[list[str], list[str]]:
    """Return the row of a suite on the page as it stands, and its section of causes, if they are there."""
    rows = re.findall(rf"^\| {re.escape(title)} \|.*$", text, re.MULTILINE)
    sections = re.findall(rf"^### {re.escape(title)}\n.*?(?=^### |\Z)", text, re.MULTILINE | re.DOTALL)
    return rows, [section.rstrip() + "\n" for section in sections]


HEADER = """\
# Compatibility: other libraries' own tests

Written by `scripts/library_suites.py`, which runs the tests that libraries have for CuPy's arrays, or for any
array library, on Cuprum: `cuprum run -m pytest`. A row is a run of the version it names. *Failed* has errors
at import and in fixtures; *skipped* holds what the suite itself skips or expects to fail, whether it fails or
not. *Taken* says which part of a suite's parametrised tests has run: with "1 of 6" of each test every sixth
case, the first always. Not counted are *private* tests, which ask for names of CuPy that are not public,
*GPU only* ones, of CUDA graphs, of handles of NVIDIA's libraries, of a kernel's registers and constant
memory, of memory that processes share and of forks, which a CPU has not or does not mind, those of what is
*missing in CuPy*, which ask for its NotImplementedError where Cuprum computes, and
*broken* ones, which NumPy and SciPy of the run fail as well, with the same error.

| library | version | tests | device | taken | passed | failed | skipped | passed of those that ran |
|---|---|---|---|---|---:|---:|---:|---:|"""


def row(suite: Suite, facts: dict[str, object], outcome: Outcome) -> str:
    counts = outcome.counts
    passed = counts["passed"]
    failed = counts["failed"] + counts["error"]
    skipped = counts["skipped"] + counts["xfailed"] + counts["xpassed"]
    kinds = (
        ("private", "private"),
        ("gpu", "GPU only"),
        ("missing", "missing in CuPy"),
        ("broken", "broken"),
    )
    skipped_text = " + ".join([str(skipped), *(f"{counts[k]} {word}" for k, word in kinds if counts[k])])
    every = facts["every"]
    taken = "all" if every == 1 else f"1 of {every}"
    if facts["stopped"]:
        taken += ", until time was up"
    share = f"{100 * passed / max(1, passed + failed):.1f} %"
    what = suite.what or ", ".join(suite.tests)
    cells = [suite.title or suite.name, str(facts["version"]), what, str(facts["device"]), taken]
    return "| " + " | ".join([*cells, str(passed), str(failed), skipped_text, share]) + " |"


def causes_of(suite: Suite, outcome: Outcome) -> str:
    lines = [f"### {suite.title or suite.name}", ""]
    for reason in sorted({words for _, words in suite.private}):
        lines.append(f"Not run: {reason}.")
    if suite.private:
        lines.append("")
    for text, count in outcome.causes.most_common(SHOWN_CAUSES):
        lines.append(f"- {count}: {text if is_worded(text) else '`' + text.replace('`', '') + '`'}")
    rest = sum(outcome.causes.values()) - sum(n for _, n in outcome.causes.most_common(SHOWN_CAUSES))
    if rest:
        lines.append(f"- {rest}: others, few of each")
    return "\n".join(lines) + "\n"


def is_worded(text: str) -> bool:
    return any(text == words for _, words in CAUSES)


if __name__ == "__main__":
    sys.exit(main())
