"""The pytest plugin of `library_suites.py`: samples tests, limits their time, writes each outcome to a log.

It imports nothing of the project: it runs in the environment of the library whose tests these are. Its
settings are in the file that the variable `LIBRARY_SUITE` names, as JSON.
"""

from __future__ import annotations

import json
import os
import re
import signal
import time
import zlib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

SETTINGS: dict[str, Any] = json.loads(Path(os.environ["LIBRARY_SUITE"]).read_text(encoding="utf-8"))
LOG = Path(SETTINGS["log"])
ERROR = re.compile(r"[\w.]*(Error|Exception|Warning|PrivateName|TookTooLong|Failed)\b")


started = time.monotonic()
"""When the first test began: collecting does not count."""


def family(nodeid: str) -> str:
    """Return what the parametrisations of one test have in common."""
    return re.sub(r"_param_\d+_\{[^:]*\}", "", re.sub(r"\[.*\]$", "", nodeid, flags=re.DOTALL))


def write(**fields: Any) -> None:
    """Append a line to the log; whatever ends the process later, the line stays."""
    with LOG.open("a", encoding="utf-8") as log:
        log.write(json.dumps(fields) + "\n")


def cause(report: pytest.TestReport) -> str:
    """Return the line that says best why a test failed."""
    lines = [line[1:].strip() for line in report.longreprtext.splitlines() if line.startswith("E ")]
    lines = [line for line in lines if line]
    if not lines:
        return report.longreprtext.strip().splitlines()[-1] if report.longreprtext.strip() else "?"
    named = [
        line
        for line in lines
        if re.match(r"[\w.]*(Error|Exception|Warning|PrivateName|TookTooLong|Failed)\b", line)
    ]
    if not named:
        return lines[0]
    first, inner = named[0], named[1:]
    # CuPy's helpers say who raised, Chainer's which parameters there were, and then show the error itself.
    if (first.startswith("AssertionError: Only cupy") or "Parameterized test failed" in first) and inner:
        return inner[-1]
    if first.startswith("AssertionError") and len(first) < 24 and len(lines) > 1:
        return " ".join(lines[:4])
    if "different" in first:
        return " ".join(lines[:3])
    return f"{first} / {inner[-1]}" if inner and first.startswith("AssertionError") else first


class TestTookTooLong(BaseException):
    """A test ran past its limit. No test catches it by `except Exception`."""


def _too_long(*_: object) -> None:
    raise TestTookTooLong(f"no result after {SETTINGS['test_limit']} s")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep every k-th parametrisation of each test, the first one always; leave out what has run already."""
    every, done = SETTINGS["every"], set(SETTINGS["done"])
    private = [re.compile(pattern) for pattern in SETTINGS["private"]]
    seen: defaultdict[str, int] = defaultdict(int)
    kept, left = [], []
    total = len(items)
    for item in items:
        number = seen[family(item.nodeid)]
        seen[family(item.nodeid)] += 1
        wanted = number % every == 0 and item.nodeid not in done
        internal = any(pattern.search(item.nodeid) for pattern in private)
        (kept if wanted and not internal else left).append(item)
    write(collected=total, private=sum(any(p.search(i.nodeid) for p in private) for i in items))
    # Shuffled, so that the tests that a time limit cuts off are like those that have run.
    items[:] = sorted(kept, key=lambda item: zlib.crc32(item.nodeid.encode()))
    config.hook.pytest_deselected(items=left)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """A file that cannot be collected counts as one error."""
    private = any(re.search(pattern, report.nodeid) for pattern in SETTINGS["private"])
    if report.failed and not private and report.nodeid not in SETTINGS["done"]:
        write(id=report.nodeid, outcome="error", cause=cause(report))  # type: ignore[arg-type]


def pytest_collection_finish(session: pytest.Session) -> None:
    global started
    started = time.monotonic()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    write(started=item.nodeid)
    if time.monotonic() - started > SETTINGS["limit"]:
        item.session.shouldstop = "the suite's time is up"
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(SETTINGS["test_limit"])
    yield
    signal.alarm(0)


def _passes_unexpectedly(report: pytest.TestReport) -> bool:
    """Whether a test that the suite expects to fail has passed: marked by pytest, or by unittest."""
    return report.longreprtext.startswith(("[XPASS(strict)]", "Unexpected success"))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """One line for each test that ended, and for what failed before or after it."""
    if report.when == "call" or report.outcome != "passed":
        if report.outcome == "failed" and "PrivateName: " in report.longreprtext:
            write(id=report.nodeid, outcome="private", cause=cause(report))
        elif report.outcome == "failed" and _passes_unexpectedly(report):
            write(id=report.nodeid, outcome="xpassed", cause=report.longreprtext)
        elif report.outcome == "failed":
            outcome = "failed" if report.when == "call" else "error"
            write(id=report.nodeid, outcome=outcome, cause=cause(report), seconds=report.duration)
        elif hasattr(report, "wasxfail"):
            write(id=report.nodeid, outcome="xfailed" if report.skipped else "xpassed")
        else:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
            write(id=report.nodeid, outcome=report.outcome, cause=reason, seconds=report.duration)
