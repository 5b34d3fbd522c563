"""The command `cuprum`: what it runs on, and its version."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

import cuprum


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cuprum", description="NumPy-compatible arrays with a Rust core.")
    parser.add_argument("--version", action="version", version=f"cuprum {cuprum.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command", required=True)
    info = commands.add_parser("info", help="say what Cuprum runs on", description="Say what Cuprum runs on.")
    info.add_argument("--json", action="store_true", help="print as JSON")
    info.set_defaults(run=_info)
    return parser


def _info(arguments: argparse.Namespace) -> int:
    facts = cuprum.info()
    if arguments.json:
        print(json.dumps(facts, indent=2, default=str))
        return 0
    width = max(map(len, facts))
    for name, value in facts.items():
        print(f"{name.replace('_', ' '):{width}}  {value}")
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; those of the process when None.

    Returns
    -------
    int
        0 where all went well.

    Examples
    --------
    >>> from cuprum import cli
    >>> cli.main(["info"])  # doctest: +SKIP
    device   cpu
    0
    """
    arguments = _parser().parse_args(argv)
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
