"""The reference pages: what the package has, in tables made from docstrings and from the table of ops."""

from __future__ import annotations

import inspect
from typing import Any

import cuprum
from cuprum import _core
from cuprum._ufuncs import HALVES

_PAGES = "docs/reference"
_NOTE = "<!-- Written by `make stubs` from the package itself. Do not edit. -->"

_FLOATS = {
    "e": "float16",
    "E": "bfloat16",
    "f": "float32",
    "d": "float64",
    "F": "complex64",
    "D": "complex128",
}


def pages() -> dict[str, str]:
    """Return the text of every page by its path from the repository's root."""
    return {
        f"{_PAGES}/functions.md": _functions(),
        f"{_PAGES}/ndarray.md": _ndarray(),
        f"{_PAGES}/ufuncs.md": _ufuncs(),
    }


def _summary(value: Any) -> str:
    """Return the first line of a docstring, fit for a table."""
    doc = (inspect.getdoc(value) or "").strip()
    return doc.splitlines()[0].replace("|", "\\|") if doc else ""


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _topics() -> list[Any]:
    """Return the modules that the package gathers its names from, by name."""
    modules = (module for _, module in sorted(vars(cuprum).items()) if inspect.ismodule(module))
    return [
        module for module in modules if module.__name__.startswith("cuprum._") and hasattr(module, "__all__")
    ]


def _functions() -> str:
    parts = [
        _NOTE,
        "# Functions",
        "By topic. `help(cp.name)` shows parameters, results and an example of each.",
    ]
    for topic in _topics():
        rows = []
        for name in topic.__all__:
            value = getattr(topic, name)
            if isinstance(value, _core.ufunc) or not callable(value) or inspect.isclass(value):
                continue
            if (getattr(value, "__module__", None) or "").split(".")[0] != "numpy":
                rows.append((f"`{name}{_call(value)}`", _summary(value)))
        if rows:
            title = (topic.__doc__ or "").splitlines()[0].rstrip(".")
            parts += [f"## {title}", _table(("function", "what it does"), rows)]
    return "\n\n".join(parts) + "\n"


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


def _ufuncs() -> str:
    rows = []
    for row in sorted(_core.op_table(), key=lambda row: row["name"]):
        if row["name"] in HALVES:
            continue
        names = ", ".join(f"`{name}`" for name in (row["name"], *row.get("aliases", ())))
        loops = " ".join(f"`{loop}`" for loop in row.get("loops", ()))
        rows.append((names, row.get("doc", "").replace("|", "\\|"), loops, _errors(row.get("ulps") or {})))
    text = (
        "Each takes `out`, `where`, `dtype`, `casting` and `order`. Those of two arguments and one result "
        "also have `reduce`, `accumulate`, `reduceat` and `outer`; all have `at`. The loops are NumPy's type "
        "characters, `E` being bfloat16. The error is the worst that was seen against the correctly rounded "
        "value, in units in the last place; where none is given, results are exact."
    )
    return (
        "\n\n".join(
            [_NOTE, "# Ufuncs", text, _table(("name", "what it computes", "loops", "error in ulps"), rows)]
        )
        + "\n"
    )


def _errors(ulps: dict[str, float]) -> str:
    return ", ".join(
        f"{_FLOATS[code]} {bound:g}" for code, bound in ulps.items() if bound and code in _FLOATS
    )
