"""Writes `python/cuprum/_names.py`: which module each of the package's names comes from.

`cuprum/__init__.py` imports these modules for type checkers alone; a program loads one when it first uses one
of its names. Both lists are read from the sources, without importing anything: what `__init__.py` imports
under `TYPE_CHECKING`, and each module's `__all__`. `make stubs` writes the file; `python scripts/names.py`
does so even where the package cannot be imported.
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python" / "cuprum"
NAMES = "python/cuprum/_names.py"

_HEADER = '''\
"""The modules that most of the package's names come from. Written by `make stubs`; do not edit."""

MODULES = {
'''


def _is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def _exported(module: str) -> list[str]:
    """Return a module's `__all__`, which is a list of strings in its source."""
    path = PACKAGE.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names = ast.literal_eval(node.value)
            return [str(name) for name in names]
    raise SystemExit(f"{path} has no __all__ that could be read")


def modules() -> dict[str, list[str]]:
    """Return the names of each module whose loading is put off, in order."""
    found: dict[str, list[str]] = {}
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    for block in filter(_is_type_checking, tree.body):
        for node in block.body:  # type: ignore[attr-defined]
            # `from . import fft as fft` names a submodule, which has no names here.
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [alias.name for alias in node.names]
                found.setdefault(node.module, []).extend(_exported(node.module) if names == ["*"] else names)
    seen: dict[str, str] = {}
    for module, names in found.items():
        for name in names:
            if seen.setdefault(name, module) is not module:
                raise SystemExit(f"{name} is exported by {seen[name]} and by {module}")
    return {module: sorted(names) for module, names in sorted(found.items())}


def text() -> str:
    """Return the file's text, as the formatter lays it out."""
    parts = [_HEADER]
    for module, names in modules().items():
        line = f'    "{module}": ({", ".join(repr(name) for name in names)}{"," * (len(names) == 1)}),\n'
        line = line.replace("'", '"')
        if len(line) > 111:
            line = f'    "{module}": (\n' + "".join(f'        "{name}",\n' for name in names) + "    ),\n"
        parts.append(line)
    return "".join(parts) + "}\n"


if __name__ == "__main__":
    (ROOT / NAMES).write_text(text(), encoding="utf-8")
    print(f"wrote {NAMES}")
