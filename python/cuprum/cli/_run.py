"""`cuprum run`: a program runs as under `python`, with CuPy's, PyCUDA's and Numba's names being Cuprum's.

The program's `__main__`, `sys.argv`, `sys.path[0]`, tracebacks and exit status are those that `python` gives
it: nothing of this file shows.
"""

from __future__ import annotations

import builtins
import importlib.machinery
import io
import os
import re
import runpy
import sys
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from cuprum import compat

USAGE = """\
usage: cuprum run [--device cpu|cuda[:n]] [--profile [out.html]]
                  (script.py | -m module | -c code | -) [args ...]

Run a program as `python` would, with `cupy`, `cupyx`, `pycuda` and `numba.cuda` being Cuprum's modules.

  --device DEVICE  where arrays live: cpu, cuda or cuda:n; without it a GPU where there is one
  --profile [FILE] print what the program computed, copied and waited for, with advice; a FILE that ends
                   in .html gets it as a page, one in .json as a trace for Perfetto
  -m module        run a module
  -c code          run code from the command line
  -                run code from standard input
  -h, --help       show this text
"""


class Request(NamedTuple):
    """What the command line asks for: a way to run, what to run, and the program's own arguments."""

    how: str
    what: str
    arguments: list[str]
    device: str | None
    profile: str | None = None
    """The file that a profile goes to, empty for none but a table; None where no profile is wanted."""


class UsageError(Exception):
    """A command line that cannot be understood."""


def parsed(words: list[str]) -> Request | None:
    """Return what the words ask for, None for the help text; what follows the program is its own."""
    device = os.environ.get("CUPRUM_DEVICE") or None
    profile: str | None = None
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in ("-h", "--help"):
            return None
        if word == "--device" or word.startswith("--device="):
            device = word.partition("=")[2] or _next(rest, "--device needs a device: cpu, cuda or cuda:n")
        elif word == "--profile" or word.startswith("--profile="):
            profile = word.partition("=")[2]
            if not profile and rest and rest[0].endswith((".html", ".json")):
                profile = rest.pop(0)
        elif word.startswith(("-m", "-c")):
            kind = {"m": "module", "c": "code"}[word[1]]
            return Request(kind, word[2:] or _next(rest, f"{word} needs a {kind}"), rest, device, profile)
        elif word == "-":
            return Request("stdin", word, rest, device, profile)
        elif word == "--":
            return Request("script", _next(rest, "there is nothing to run"), rest, device, profile)
        elif word.startswith("-"):
            raise UsageError(f"unknown option {word}")
        else:
            return Request("script", word, rest, device, profile)
    raise UsageError("there is nothing to run")


def _next(rest: list[str], complaint: str) -> str:
    if not rest:
        raise UsageError(complaint)
    return rest.pop(0)


def run(words: list[str]) -> int:
    """Run a program; return the exit status. `SystemExit` goes through, as does a `KeyboardInterrupt`."""
    try:
        request = parsed(words)
        if request is None:
            print(USAGE, end="")
            return 0
        if request.device is not None:
            _check_device(request.device)
    except UsageError as error:
        print(f"cuprum run: {error}\n\n{USAGE}", end="", file=sys.stderr)
        return 2
    if request.device is not None:
        os.environ["CUPRUM_DEVICE"] = request.device
    compat.install()
    prepare = {"script": _script, "module": _module, "code": _code, "stdin": _stdin}[request.how]
    # The module that started this process loses its name to the program's, but must not be torn down.
    started_by = sys.modules["__main__"]
    try:
        start = prepare(request)
        if request.profile is None:
            start()
        else:
            _profiled(start, request.profile)
    except SystemExit:
        raise
    except BaseException as error:
        return _uncaught(error)
    finally:
        del started_by
    return 0


def _profiled(start: Callable[[], None], target: str) -> None:
    """Run a program and tell what it did, however it ends."""
    from cuprum._profiler import Profile

    outermost = sys._getframe()
    while outermost.f_back is not None:
        outermost = outermost.f_back
    profile = Profile()
    # The `cuprum` command itself is not the user's program.
    profile._others = (outermost.f_code.co_filename,)
    try:
        with profile:
            start()
    finally:
        # The file first: whoever reads the table may close the pipe before its end.
        if target.endswith(".json"):
            profile.save(target)
        elif target:
            profile.report(target)
        print(profile, file=sys.stderr)
        if target:
            print(f"profile: {target}", file=sys.stderr)


def _check_device(device: str) -> None:
    """Refuse a device that is not there, saying how to go on."""
    if device == "cpu":
        return
    if not re.fullmatch(r"cuda(:\d+)?", device):
        raise UsageError(f"no device {device!r}: it is cpu, cuda or cuda:n")
    from cuprum import _core

    try:
        _core.set_device(_core.set_device(device))
    except (RuntimeError, ValueError) as error:
        why = str(error)
    else:
        return
    message = (
        f"cuprum run: no device {device}: {why}.\n"
        "Leave --device out, or say --device cpu: the program then runs on the CPU, cp.cuda included.\n"
        "`cuprum info` lists the parts of CUDA that are there and how to install those that are missing."
    )
    print(message, file=sys.stderr)
    raise SystemExit(3)


def _script(request: Request) -> Callable[[], None]:
    path = os.path.join(os.getcwd(), request.what)
    sys.argv[:] = [request.what, *request.arguments]
    if os.path.isdir(path) or _holds_main(path):
        _set_path(path)
        _new_main()
        return lambda: _run_as_main("__main__", False)
    try:
        with io.open_code(path) as file:
            source = file.read()
    except OSError as error:
        print(
            f"cuprum run: can't open file '{path}': [Errno {error.errno}] {error.strerror}", file=sys.stderr
        )
        raise SystemExit(2) from None
    _set_path(os.path.dirname(os.path.realpath(path)))
    main = _new_main(
        __file__=path,
        __cached__=None,
        __loader__=importlib.machinery.SourceFileLoader("__main__", path),
    )
    return lambda: exec(compile(source, path, "exec", dont_inherit=True), main)


def _holds_main(path: str) -> bool:
    """Whether an archive can be run: Python asks the path hooks, and so do we."""
    if not os.path.isfile(path):
        return False
    import pkgutil

    return pkgutil.get_importer(path) is not None


def _module(request: Request) -> Callable[[], None]:
    sys.argv[:] = ["-m", *request.arguments]
    _set_path(os.getcwd())
    _new_main()
    return lambda: _run_as_main(request.what, True)


def _code(request: Request) -> Callable[[], None]:
    sys.argv[:] = ["-c", *request.arguments]
    _set_path("")
    main = _new_main()
    return lambda: exec(compile(request.what, "<string>", "exec", dont_inherit=True), main)


def _stdin(request: Request) -> Callable[[], None]:
    sys.argv[:] = ["-", *request.arguments]
    _set_path("")
    source = sys.stdin.buffer.read()
    main = _new_main(__file__="<stdin>", __cached__=None)
    return lambda: exec(compile(source, "<stdin>", "exec", dont_inherit=True), main)


def _run_as_main(name: str, alter_argv: bool) -> None:
    """What `python -m` itself calls, so that its messages and tracebacks are Python's."""
    runpy._run_module_as_main(name, alter_argv)  # type: ignore[attr-defined]


def _new_main(**names: Any) -> dict[str, Any]:
    """Return the namespace of a fresh `__main__`."""
    module = types.ModuleType("__main__")
    space = vars(module)
    space["__builtins__"] = builtins
    space["__loader__"] = importlib.machinery.BuiltinImporter
    if sys.version_info < (3, 14):
        space["__annotations__"] = {}
    space.update(names)
    sys.modules["__main__"] = module
    return space


def _set_path(first: str) -> None:
    """Put the program's folder where `python` puts it; the one of the command `cuprum` goes."""
    if getattr(sys.flags, "safe_path", False) or sys.flags.isolated:
        return
    sys.path[0] = first


def _uncaught(error: BaseException) -> int:
    """Report what the program did not catch, without the frames of this file; return the exit status."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    error = error.with_traceback(trace)
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, trace
    sys.last_exc = error  # type: ignore[attr-defined]
    sys.excepthook(type(error), error, trace)
    if isinstance(error, KeyboardInterrupt):
        # Python ends such a process by the signal itself; it only has to keep silent about it now.
        sys.excepthook = lambda *_: None
        raise error
    return 1
