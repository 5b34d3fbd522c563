"""The page that compares the names of Cuprum with those of NumPy, SciPy and CuPy, module by module.

The names of the other libraries are those of the versions that `peer_names.json` gives: the page depends on
this package alone. They are functions, ufuncs and classes; scalar types and exceptions are left out.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

NAMES = Path(__file__).resolve().parent / "peer_names.json"
PAGE = "docs/reference/comparison.md"

# Where programs under `cuprum run` find names that the package itself does not have.
_FOR_PROGRAMS = {"cuprum": "cuprum.compat.cupy"}
_LEGEND = (
    "`yes`: it is there by that name. `run`: programs under `cuprum run` find it (`cupy.name`); in a program "
    "of your own there is a newer name for it. `–`: it is not there."
)


def page() -> dict[str, str]:
    """Return the text of the page by its path from the repository's root."""
    stored = json.loads(NAMES.read_text(encoding="utf-8"))
    versions, modules = stored["versions"], stored["modules"]
    sections = [_section(name, libraries) for name, libraries in modules.items()]
    head = (
        f"Functions, ufuncs and classes of NumPy {versions['numpy']}, SciPy {versions['scipy']} and CuPy "
        f"{versions['cupy']}, and whether Cuprum has them. The first table counts; the others have the names "
        "that are not in all libraries, and say which are in all."
    )
    summary = ["| module | NumPy or SciPy | there | CuPy | there |", "|---|--:|--:|--:|--:|"]
    summary += [section.row for section in sections]
    parts = [
        "<!-- Written by `make stubs` from the package itself. Do not edit. -->",
        "# Compared with NumPy and CuPy",
        head,
        "\n".join(summary),
        _LEGEND,
        *(section.text for section in sections),
    ]
    return {PAGE: "\n\n".join(parts) + "\n"}


class _Section:
    """One module: its row in the summary, and its table."""

    def __init__(self, row: str, text: str) -> None:
        self.row = row
        self.text = text


def _answer(module: str, name: str) -> str:
    if hasattr(_module(module), name):
        return "yes"
    if module in _FOR_PROGRAMS and hasattr(_module(_FOR_PROGRAMS[module]), name):
        return "run"
    return "–"


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        parent, _, last = name.rpartition(".")
        return getattr(_module(parent), last, None) if parent else None


def _section(module: str, libraries: dict[str, str]) -> _Section:
    peer, cupy = (libraries.get(key, "").split() for key in ("peer", "cupy"))
    answers = {
        name: _answer(module, name) for name in sorted({*peer, *cupy}, key=lambda name: (name.lower(), name))
    }

    def counted(names: list[str]) -> tuple[str, str]:
        if not names:
            return "", ""
        return str(len(names)), str(sum(answers[name] != "–" for name in names))

    row = f"| `{module}` | {' | '.join((*counted(peer), *counted(cupy)))} |"
    whole = [name for name in answers if answers[name] == "yes" and (not peer or name in peer)]
    whole = [name for name in whole if not cupy or name in cupy]
    rest = [name for name in answers if name not in whole]
    parts = [f"## {module}"]
    if whole:
        where = "In all of them" if peer and cupy else "There"
        parts.append(f"{where}: {', '.join(f'`{name}`' for name in whole)}.")
    if rest:
        title = "SciPy" if module.startswith("cuprum.scipy") else "NumPy"
        columns = [(title, peer), ("CuPy", cupy)]
        columns = [(label, names) for label, names in columns if names]
        lines = [f"| name | {' | '.join(label for label, _ in columns)} | Cuprum |"]
        lines.append("|---" * (len(columns) + 2) + "|")
        for name in rest:
            cells = ["yes" if name in names else "–" for _, names in columns]
            lines.append(f"| `{name}` | {' | '.join(cells)} | {answers[name]} |")
        parts.append("\n".join(lines))
    return _Section(row, "\n\n".join(parts))
