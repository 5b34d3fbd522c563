"""A pytest plugin that writes each failure to a file at once: a run that is ended early still tells why.

pytest -p failure_log --failure-log FILE, with this folder on PYTHONPATH.
"""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--failure-log", type=Path, help="where each failure is written as it comes")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    # Worker processes of xdist send their reports to the process that started them.
    if config.getoption("--failure-log") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(FailureLog(config.getoption("--failure-log")))


class FailureLog:
    """Appends the traceback of each failed test."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_text("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            with self.path.open("a", encoding="utf-8") as out:
                out.write(f"==== {report.nodeid} ({report.when})\n{report.longreprtext}\n\n")
