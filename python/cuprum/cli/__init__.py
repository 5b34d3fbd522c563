"""The command `cuprum`: run CuPy's programs, say what Cuprum runs on, and its version."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import cuprum

from . import _info, _run

__all__ = ["main"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cuprum", description="NumPy-compatible arrays with a Rust core.")
    parser.add_argument("--version", action="version", version=f"cuprum {cuprum.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command", required=True)
    # `main` hands `run` its arguments unparsed; here it is only listed.
    commands.add_parser("run", help="run a program for CuPy, PyCUDA or Numba's CUDA", add_help=False)
    bench = commands.add_parser(
        "bench",
        help="time Cuprum beside NumPy over sizes",
        description="Time typical work over sizes: NumPy, Cuprum on the CPU, on a GPU where there is one.",
    )
    bench.add_argument("--plot", metavar="FILE", help="write the curves as an SVG picture")
    bench.add_argument(
        "--largest", type=int, default=10_000_000, metavar="N", help="the most elements (10,000,000)"
    )
    bench.add_argument("--only", action="append", metavar="NAME", help="one kind of work; may be repeated")
    bench.add_argument("--seconds", type=float, default=0.2, help="how long each is repeated (0.2)")
    info = commands.add_parser("info", help="say what Cuprum runs on", description="Say what Cuprum runs on.")
    info.add_argument("--json", action="store_true", help="print as JSON")
    return parser


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
    version  0.1.0
    0
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["run"]:
        return _run.run(words[1:])
    arguments = _parser().parse_args(words)
    try:
        status = _shown(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has read enough, such as `head`; what is left to print at the end goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _shown(arguments: argparse.Namespace) -> int:
    if arguments.command == "bench":
        from . import _bench

        return _bench.show(arguments.plot, arguments.largest, arguments.only, arguments.seconds)
    return _info.show(arguments.json)
