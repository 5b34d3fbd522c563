"""The reference pages: what the package has, in tables made from docstrings and from the table of ops."""

from __future__ import annotations

import importlib
import inspect
from typing import Any, get_origin

import comparison
import names
import plots

import cuprum
from cuprum import _core

_PAGES = "docs/reference"
_NOTE = "<!-- Written by `make stubs` from the package itself. Do not edit. -->"

_UFUNC_HEAD = ("name", "what it computes", "loops", "error in ulps")

_FLOATS = {
    "e": "float16",
    "E": "bfloat16",
    "f": "float32",
    "d": "float64",
    "F": "complex64",
    "D": "complex128",
}


def pages() -> dict[str, str]:
    """Return the text of every page, and of the plots, by its path from the repository's root."""
    return {
        **comparison.page(),
        **plots.pictures(),
        f"{_PAGES}/functions.md": _functions(),
        f"{_PAGES}/ndarray.md": _ndarray(),
        f"{_PAGES}/ufuncs.md": _ufuncs(),
        **{f"{_PAGES}/{name}.md": _submodule(name) for name in public_submodules()},
    }


def public_submodules() -> dict[str, Any]:
    """Return the public submodules by their names inside the package: `linalg`, `scipy.fft` and so on.

    A submodule names those of its own in `_SUBMODULES`, as the package does.

    Examples
    --------
    >>> public_submodules()["testing"].__name__
    'cuprum.testing'
    """
    found: dict[str, Any] = {}
    waiting = [(name, importlib.import_module(f"cuprum.{name}")) for name in cuprum._SUBMODULES]
    while waiting:
        name, module = waiting.pop(0)
        found[name] = module
        for inner in getattr(module, "_SUBMODULES", ()):
            waiting.append((f"{name}.{inner}", importlib.import_module(f"cuprum.{name}.{inner}")))
    return dict(sorted(found.items()))


def _summary(value: Any) -> str:
    """Return the first line of a docstring, fit for a table."""
    doc = (inspect.getdoc(value) or "").strip()
    return doc.splitlines()[0].replace("|", "\\|") if doc else ""


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _topics() -> list[tuple[Any, list[Any]]]:
    """Return the private folders and modules that the package gathers its names from, with their modules."""
    topics = []
    for module in names.modules():
        importlib.import_module(f"cuprum.{module}")
    for _, topic in sorted(vars(cuprum).items()):
        # The extension module is what the topics stand on, not one of them: its names are not the package's.
        if not inspect.ismodule(topic) or topic is _core or not topic.__name__.startswith("cuprum._"):
            continue
        inner = [module for _, module in sorted(vars(topic).items()) if inspect.ismodule(module)]
        inner = [m for m in inner if m.__name__.startswith(f"{topic.__name__}.") and hasattr(m, "__all__")]
        modules = [topic] if hasattr(topic, "__all__") else inner
        if any(hasattr(cuprum, name) for module in modules for name in module.__all__):
            topics.append((topic, modules))
    return topics


def _title(module: Any) -> str:
    return _summary(module).rstrip(".")


def _functions() -> str:
    parts = [
        _NOTE,
        "# Functions",
        "By topic. `help(cp.name)` shows parameters, results and an example of each.",
    ]
    for topic, modules in _topics():
        tables = [(module, rows) for module in modules if (rows := _function_rows(module))]
        if tables:
            parts.append(f"## {_title(topic)}")
        for module, rows in tables:
            if len(tables) > 1:
                parts.append(f"### {_title(module)}")
            parts.append(_table(("function", "what it does"), rows))
    return "\n\n".join(parts) + "\n"


def _function_rows(module: Any) -> list[tuple[str, ...]]:
    """Return a row for each function of a module that is Cuprum's own."""
    rows: list[tuple[str, ...]] = []
    for name in module.__all__:
        value = getattr(module, name)
        if isinstance(value, _core.ufunc) or not callable(value) or inspect.isclass(value):
            continue
        if get_origin(value) is not None:  # an alias of types
            continue
        if (getattr(value, "__module__", None) or "").split(".")[0] != "numpy":
            rows.append((f"`{name}{_call(value)}`", _summary(value)))
    return rows


def _submodule(name: str) -> str:
    """Return the page of a public submodule: its functions, its classes and their members."""
    module = public_submodules()[name]
    parts = [_NOTE, f"# cuprum.{name}", (inspect.getdoc(module) or "").splitlines()[0]]
    rows = _function_rows(module)
    if rows:
        parts.append(_table(("function", "what it does"), rows))
    if name == "scipy.special":
        parts += ["## Ufuncs", _table(_UFUNC_HEAD, _ufunc_rows("special"))]
    for cls_name in module.__all__:
        cls = getattr(module, cls_name)
        if inspect.isclass(cls) and cls.__module__.split(".")[0] == "cuprum":
            members = [member for member in sorted(dir(cls)) if not member.startswith("_")]
            members = [m for m in members if not hasattr(BaseException, m)]
            rows = [(f"`{m}`", _summary(inspect.getattr_static(cls, m))) for m in members]
            parts += [f"## {cls_name}", _summary(cls)]
            if rows:
                parts.append(_table(("attribute or method", "what it is"), rows))
    return "\n\n".join(part for part in parts if part) + "\n"


def _call(function: Any) -> str:
    """Return a function's parameters without defaults; keywords after a star."""
    shown = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in "".join(shown):
            shown.append("*")
        prefix = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
        shown.append(prefix.get(parameter.kind, "") + parameter.name)
    return f"({', '.join(shown)})"


def _ndarray() -> str:
    names = [name for name in dir(_core.ndarray) if not name.startswith("_")]
    rows = [(f"`{name}`", _summary(inspect.getattr_static(_core.ndarray, name))) for name in sorted(names)]
    return (
        "\n\n".join(
            [_NOTE, "# Arrays", _summary(_core.ndarray), _table(("attribute or method", "what it is"), rows)]
        )
        + "\n"
    )


def _ufunc_rows(*namespaces: str) -> list[tuple[str, ...]]:
    """Return a row for each ufunc of these namespaces: names, sentence, loops and errors."""
    rows: list[tuple[str, ...]] = []
    for row in sorted(_core.op_table(), key=lambda row: row["name"]):
        if row["namespace"] not in namespaces:
            continue
        names = ", ".join(f"`{name}`" for name in (row["name"], *row.get("aliases", ())))
        loops = " ".join(f"`{loop}`" for loop in row.get("loops", ()))
        rows.append((names, row.get("doc", "").replace("|", "\\|"), loops, _errors(row.get("ulps") or {})))
    return rows


def _ufuncs() -> str:
    rows = _ufunc_rows("ufunc", "function")
    text = (
        "Each takes `out`, `where`, `dtype`, `casting` and `order`. Those of two arguments and one result "
        "also have `reduce`, `accumulate`, `reduceat` and `outer`; all have `at`. The loops are NumPy's type "
        "characters, `E` being bfloat16. The error is the worst that was seen against the correctly rounded "
        "value, in units in the last place; where none is given, results are exact."
    )
    return "\n\n".join([_NOTE, "# Ufuncs", text, _table(_UFUNC_HEAD, rows)]) + "\n"


def _errors(ulps: dict[str, float]) -> str:
    return ", ".join(
        f"{_FLOATS[code]} {bound:g}" for code, bound in ulps.items() if bound and code in _FLOATS
    )
